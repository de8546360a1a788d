//! Promises about frontiers of crawls.

use std::time::Duration;

use super::fixtures::{LONG, claimed, ending, entries, job};
use crate::frontier::{
    AddressKey, Duplicate, DuplicateKind, Frontier, FrontierBounds, FrontierReply, FrontierUpdate,
    NewAddress, ReadPage, TakenAddress,
};
use crate::jobs::{ClaimScope, Lease};
use crate::{Error, Store};

fn address(name: &str, score: i64) -> NewAddress {
    NewAddress {
        key: AddressKey::of(name),
        url: format!("https://a.test/{name}"),
        host: "a.test".into(),
        depth: 1,
        score,
        group: None,
    }
}

fn update() -> FrontierUpdate {
    FrontierUpdate {
        pages: Vec::new(),
        added: Vec::new(),
        finished: Vec::new(),
        state: None,
        bounds: FrontierBounds {
            addresses: 1000,
            group: 2,
        },
    }
}

fn page(name: &str, links: Vec<NewAddress>) -> ReadPage {
    ReadPage {
        key: AddressKey::of(name),
        landed: None,
        content: None,
        sketch: None,
        links,
    }
}

fn names(taken: &[TakenAddress]) -> Vec<&str> {
    taken
        .iter()
        .filter_map(|it| it.url.strip_prefix("https://a.test/"))
        .collect()
}

fn frontier(store: &Store) -> &dyn Frontier {
    store.frontier.as_deref().expect("a frontier")
}

/// A frontier with these addresses, of which all are taken.
async fn taken(store: &Store, names: &[&str]) -> Lease {
    let lease = claimed(store, 1).await;
    frontier(store).open(&lease).await.unwrap();
    let added = names.iter().map(|name| address(name, 0)).collect();
    frontier(store)
        .update(&lease, FrontierUpdate { added, ..update() })
        .await
        .unwrap();
    let all = frontier(store).take(&lease, 100, &[]).await.unwrap();
    assert_eq!(all.len(), names.len());
    lease
}

pub(super) async fn the_best_addresses_come_first_and_each_once(store: &Store) {
    let lease = claimed(store, 1).await;
    let frontier = frontier(store);
    assert_eq!(frontier.open(&lease).await.unwrap(), Default::default());
    let added = vec![
        address("low", 1),
        address("first", 5),
        address("second", 5),
        address("low", 9),
    ];
    let other_host = NewAddress {
        host: "b.test".into(),
        ..address("b", 9)
    };
    let added = [added, vec![other_host]].concat();
    let reply = frontier
        .update(&lease, FrontierUpdate { added, ..update() })
        .await
        .unwrap();
    assert_eq!((reply.added, reply.known), (4, 4));
    let some = frontier.take(&lease, 2, &["b.test".into()]).await.unwrap();
    assert_eq!(names(&some), ["first", "second"]);
    let rest = frontier.take(&lease, 9, &[]).await.unwrap();
    assert_eq!(names(&rest), ["b", "low"]);
    assert!(frontier.take(&lease, 9, &[]).await.unwrap().is_empty());
    let again = FrontierUpdate {
        added: vec![address("low", 99)],
        ..update()
    };
    assert_eq!(
        frontier.update(&lease, again).await.unwrap().added,
        0,
        "it is known"
    );
}

pub(super) async fn a_successor_finds_what_was_taken_and_the_state(store: &Store) {
    store.jobs.enqueue(job(1)).await.unwrap();
    let claim = async |ttl| {
        store
            .jobs
            .claim(ttl, ClaimScope::Any)
            .await
            .unwrap()
            .expect("the job")
            .0
    };
    let old = claim(Duration::ZERO).await;
    let frontier = frontier(store);
    frontier.open(&old).await.unwrap();
    let added = ["a", "b", "c"].map(|name| address(name, 0)).to_vec();
    let state = Some("half".to_owned());
    frontier
        .update(
            &old,
            FrontierUpdate {
                added,
                state,
                ..update()
            },
        )
        .await
        .unwrap();
    store.log.append(&old, 0, entries(1, 3, false)).await.unwrap();
    assert_eq!(frontier.take(&old, 2, &[]).await.unwrap().len(), 2);
    let finished = vec![AddressKey::of("a")];
    frontier
        .update(&old, FrontierUpdate { finished, ..update() })
        .await
        .unwrap();
    let new = claim(LONG).await;
    let found = frontier.open(&new).await.unwrap();
    assert_eq!(
        (names(&found.taken), found.state.as_deref(), found.known),
        (vec!["b"], Some("half"), 3)
    );
    assert_eq!(
        found.taken.first().map(|it| it.after_seq),
        Some(3),
        "what is said of it comes later"
    );
    let fenced = || Error::Fenced { run: old.run.clone() };
    assert_eq!(frontier.update(&old, update()).await, Err(fenced()));
    assert_eq!(frontier.take(&old, 1, &[]).await, Err(fenced()));
    assert_eq!(frontier.open(&old).await, Err(fenced()));
    assert_eq!(names(&frontier.take(&new, 9, &[]).await.unwrap()), ["c"]);
}

pub(super) async fn bounds_leave_out_what_is_too_much(store: &Store) {
    let lease = taken(store, &["start"]).await;
    let frontier = frontier(store);
    let of_group = |name: &str| NewAddress {
        group: Some(AddressKey::of("calendar")),
        ..address(name, 0)
    };
    let links: Vec<NewAddress> = ["1", "2", "3", "4"].map(of_group).into();
    let pages = vec![page("start", links.clone())];
    let reply = frontier
        .update(&lease, FrontierUpdate { pages, ..update() })
        .await
        .unwrap();
    let wanted = FrontierReply {
        duplicates: vec![None],
        added: 2,
        over_group: 2,
        known: 3,
        over_addresses: 0,
    };
    assert_eq!(reply, wanted);
    let bounds = FrontierBounds {
        addresses: 4,
        group: 2,
    };
    let added = vec![address("x", 0), address("y", 0)];
    let reply = frontier
        .update(
            &lease,
            FrontierUpdate {
                added,
                bounds,
                ..update()
            },
        )
        .await
        .unwrap();
    assert_eq!((reply.added, reply.over_addresses, reply.known), (1, 1, 4));
}

pub(super) async fn duplicates_are_found_and_a_repeated_update_finds_none_of_itself(store: &Store) {
    let lease = taken(store, &["a", "b", "c", "d", "e", "f"]).await;
    let frontier = frontier(store);
    let with_content = |name: &str, content: &str, link: &str| ReadPage {
        content: Some(AddressKey::of(content)),
        ..page(name, vec![address(link, 0)])
    };
    let with_sketch = |name: &str, sketch| ReadPage {
        sketch: Some(sketch),
        ..page(name, vec![address(&format!("of-{name}"), 0)])
    };
    let landed = |name: &str, on: &str| ReadPage {
        landed: Some(AddressKey::of(on)),
        ..page(name, vec![])
    };
    let pages = vec![
        with_content("a", "same", "of-a"),
        with_content("b", "same", "of-b"),
        with_sketch("c", u64::MAX),
        with_sketch("d", u64::MAX ^ (1 << 40) ^ 2),
        landed("e", "new"),
        landed("f", "new"),
    ];
    let found = |name: &str, kind| {
        let url = format!("https://a.test/{name}");
        Some(Duplicate { url, kind })
    };
    let wanted = vec![
        None,
        found("a", DuplicateKind::Content),
        None,
        found("c", DuplicateKind::Similar),
        None,
        found("e", DuplicateKind::Redirect),
    ];
    let all = FrontierUpdate { pages, ..update() };
    let first = frontier.update(&lease, all.clone()).await.unwrap();
    assert_eq!(
        (&first.duplicates, first.added),
        (&wanted, 3),
        "the links of a copy are left out"
    );
    let second = frontier.update(&lease, all).await.unwrap();
    let kept: Vec<_> = second
        .duplicates
        .iter()
        .map(|it| it.as_ref().map(|it| it.kind))
        .collect();
    assert_eq!(second.added, 0);
    assert_eq!(kept.first(), Some(&None), "a page is no duplicate of itself");
    assert_eq!(kept.get(4), Some(&None), "nor where its own redirect led");
    let added = vec![address("new", 0)];
    let reply = frontier
        .update(&lease, FrontierUpdate { added, ..update() })
        .await
        .unwrap();
    assert_eq!(reply.added, 0, "where a redirect led was read");
}

pub(super) async fn a_shorter_way_lowers_the_depth_until_the_page_is_finished(store: &Store) {
    let lease = taken(store, &["start", "finished"]).await;
    let frontier = frontier(store);
    let at = |name: &str, depth, score| NewAddress {
        depth,
        ..address(name, score)
    };
    let added = vec![at("waiting", 3, -3), at("other", 2, -2)];
    let finished = vec![AddressKey::of("finished")];
    let first = FrontierUpdate {
        added,
        finished,
        ..update()
    };
    frontier.update(&lease, first).await.unwrap();
    let links = vec![at("waiting", 1, -1), at("other", 5, 5), at("finished", 0, 9)];
    let added = vec![at("start", 0, 9)];
    let second = FrontierUpdate {
        pages: vec![page("start", links)],
        added,
        ..update()
    };
    let reply = frontier.update(&lease, second).await.unwrap();
    assert_eq!((reply.added, reply.known), (0, 4));
    let depths = |taken: &[TakenAddress]| taken.iter().map(|it| it.depth).collect::<Vec<_>>();
    let all = frontier.take(&lease, 9, &[]).await.unwrap();
    assert_eq!(names(&all), ["waiting", "other"], "the nearer one comes first");
    assert_eq!(depths(&all), [1, 2]);
    let found = frontier.open(&lease).await.unwrap().taken;
    assert_eq!(names(&found), ["start", "waiting", "other"]);
    assert_eq!(depths(&found), [0, 1, 2]);
}

pub(super) async fn a_frontier_ends_with_its_run(store: &Store) {
    let lease = taken(store, &["a"]).await;
    store
        .log
        .finish(&lease, 0, entries(1, 1, true), ending())
        .await
        .unwrap();
    let fenced = Err(Error::Fenced {
        run: lease.run.clone(),
    });
    assert_eq!(frontier(store).open(&lease).await, fenced);
}
