//! The HTTP cache: what is stored, for how long, and for whom.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use net::{CacheConfig, Client, ClientConfig, CookieJar};

use crate::world::{World, get, page, status, with};

/// A site that counts its answers and marks them with these headers.
fn site(headers: &'static [(&'static str, &'static str)]) -> (World, Client) {
    let count = AtomicUsize::new(0);
    let world = World::new().site("ok.test", move |asked| {
        let number = count.fetch_add(1, Ordering::SeqCst) + 1;
        let answer = match asked.header("if-none-match") == Some("\"v1\"") {
            true => status(304),
            false => page(format!("answer {number}")),
        };
        headers
            .iter()
            .fold(answer, |answer, (name, value)| with(answer, name, value))
    });
    let client = client(&world);
    (world, client)
}

fn client(world: &World) -> Client {
    Client::new(ClientConfig {
        cache: CacheConfig::default(),
        ..world.config()
    })
    .unwrap()
}

async fn body(client: &Client, request: net::Request) -> (String, bool) {
    let response = client.fetch(request).await.unwrap();
    (
        String::from_utf8(response.body.to_vec()).unwrap(),
        response.from_cache,
    )
}

#[tokio::test(start_paused = true)]
async fn a_fresh_answer_is_used_again_and_an_old_one_is_not() {
    let (world, client) = site(&[("cache-control", "max-age=60")]);
    assert_eq!(
        body(&client, get("http://ok.test/")).await,
        ("answer 1".into(), false)
    );
    assert_eq!(
        body(&client, get("http://ok.test/#part")).await,
        ("answer 1".into(), true)
    );
    tokio::time::sleep(Duration::from_secs(61)).await;
    assert_eq!(
        body(&client, get("http://ok.test/")).await,
        ("answer 2".into(), false)
    );
    assert_eq!(world.lines().len(), 2);
}

#[tokio::test]
async fn a_stale_answer_is_confirmed_by_its_mark() {
    let (world, client) = site(&[("etag", "\"v1\""), ("cache-control", "no-cache")]);
    assert_eq!(
        body(&client, get("http://ok.test/")).await,
        ("answer 1".into(), false)
    );
    assert_eq!(
        body(&client, get("http://ok.test/")).await,
        ("answer 1".into(), true)
    );
    assert_eq!(world.asked()[1].header("if-none-match"), Some("\"v1\""));
}

#[tokio::test]
async fn a_confirmed_answer_is_fresh_again() {
    let world = World::new().site("ok.test", |asked| match asked.header("if-none-match") {
        Some("\"v1\"") => with(status(304), "cache-control", "max-age=60"),
        _ => with(
            with(page("whole"), "etag", "\"v1\""),
            "cache-control",
            "max-age=0",
        ),
    });
    let client = client(&world);
    for (from_cache, requests) in [(false, 1), (true, 2), (true, 2)] {
        assert_eq!(
            body(&client, get("http://ok.test/")).await,
            ("whole".into(), from_cache)
        );
        assert_eq!(world.lines().len(), requests);
    }
}

#[tokio::test]
async fn all_lines_of_a_header_of_a_confirmation_count() {
    let world = World::new().site("ok.test", |asked| match asked.header("if-none-match") {
        Some("\"v1\"") => with(
            with(status(304), "cache-control", "no-store"),
            "cache-control",
            "max-age=600",
        ),
        _ => with(
            with(page("whole"), "etag", "\"v1\""),
            "cache-control",
            "max-age=0",
        ),
    });
    let client = client(&world);
    for requests in 1..=3 {
        assert_eq!(body(&client, get("http://ok.test/")).await.0, "whole");
        assert_eq!(world.lines().len(), requests);
    }
}

#[tokio::test]
async fn a_changed_answer_replaces_the_stale_one() {
    let count = AtomicUsize::new(0);
    let world = World::new().site("ok.test", move |asked| {
        match (
            count.fetch_add(1, Ordering::SeqCst),
            asked.header("if-none-match"),
        ) {
            (2, Some("\"mark 1\"")) => status(304),
            (number, _) => with(
                with(
                    page(format!("answer {number}")),
                    "etag",
                    &format!("\"mark {number}\""),
                ),
                "cache-control",
                "no-cache",
            ),
        }
    });
    let client = client(&world);
    for (text, from_cache) in [("answer 0", false), ("answer 1", false), ("answer 1", true)] {
        assert_eq!(
            body(&client, get("http://ok.test/")).await,
            (text.into(), from_cache)
        );
    }
    assert_eq!(world.asked()[2].header("if-none-match"), Some("\"mark 1\""));
}

#[tokio::test]
async fn whoever_wants_it_new_gets_it_confirmed() {
    let (world, client) = site(&[("etag", "\"v1\""), ("cache-control", "max-age=60")]);
    body(&client, get("http://ok.test/")).await;
    let anew = net::Request {
        no_cache: true,
        ..get("http://ok.test/")
    };
    assert_eq!(body(&client, anew).await, ("answer 1".into(), true));
    assert_eq!(world.lines().len(), 2);
}

#[tokio::test]
async fn what_must_not_be_kept_is_not_kept() {
    const CASES: [&[(&str, &str)]; 6] = [
        &[("cache-control", "no-store, max-age=60")],
        &[("cache-control", "private, max-age=60")],
        &[("cache-control", "max-age=60"), ("set-cookie", "id=1")],
        &[("cache-control", "max-age=60"), ("vary", "*")],
        &[("cache-control", "max-age=0")],
        &[],
    ];
    for headers in CASES {
        let (_, client) = site(headers);
        body(&client, get("http://ok.test/")).await;
        assert_eq!(
            body(&client, get("http://ok.test/")).await,
            ("answer 2".into(), false),
            "{headers:?}"
        );
    }
}

#[tokio::test]
async fn what_is_somebodys_is_shown_to_nobody_else() {
    let (_, client) = site(&[("cache-control", "max-age=60")]);
    let mine = || {
        get("http://ok.test/")
            .header("authorization", "Bearer mine")
            .unwrap()
    };
    assert_eq!(body(&client, mine()).await.0, "answer 1");
    assert_eq!(body(&client, get("http://ok.test/")).await.0, "answer 2");
    let jar = CookieJar::new();
    jar.set(&"http://ok.test/".parse().unwrap(), "id=1");
    let with_cookie = net::Request {
        jar: Some(jar),
        ..get("http://ok.test/")
    };
    assert_eq!(body(&client, with_cookie).await.0, "answer 3");
    let granted = net::Request {
        granted: true,
        ..get("http://ok.test/")
    };
    assert_eq!(body(&client, granted).await.0, "answer 4");
}

#[tokio::test]
async fn an_answer_to_a_request_with_any_header_of_the_caller_is_neither_stored_nor_served() {
    for (name, value) in [
        ("authorization", "Bearer mine"),
        ("cookie", "id=1"),
        ("x-tenant", "acme"),
        ("accept", "application/json"),
        ("accept-language", "de"),
        ("user-agent", "mine/1"),
        ("range", "bytes=0-1"),
        ("if-none-match", "\"v1\""),
    ] {
        let (_, client) = site(&[
            ("cache-control", "public, max-age=60"),
            ("vary", "accept-language"),
        ]);
        let mine = || get("http://ok.test/").header(name, value).unwrap();
        let first = client.fetch(mine()).await.unwrap();
        assert!(!first.from_cache, "{name}");
        assert_eq!(
            body(&client, get("http://ok.test/")).await,
            ("answer 2".into(), false),
            "{name} was stored"
        );
        assert!(
            !client.fetch(mine()).await.unwrap().from_cache,
            "{name} was served"
        );
        assert_eq!(
            body(&client, get("http://ok.test/")).await,
            ("answer 2".into(), true),
            "{name}"
        );
    }
}

#[tokio::test]
async fn the_cache_stays_within_its_size() {
    let world = World::new().site("ok.test", |_| {
        with(page(vec![b'x'; 10_000]), "cache-control", "max-age=60")
    });
    let cache = CacheConfig {
        bytes: 50_000,
        ..CacheConfig::default()
    };
    let client = Client::new(ClientConfig {
        cache,
        ..world.config()
    })
    .unwrap();
    for n in 0..10 {
        client.fetch(get(&format!("http://ok.test/{n}"))).await.unwrap();
    }
    assert!(client.fetch(get("http://ok.test/9")).await.unwrap().from_cache);
    assert!(!client.fetch(get("http://ok.test/0")).await.unwrap().from_cache);
}
