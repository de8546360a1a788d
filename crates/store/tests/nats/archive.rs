//! Exports of a cluster: what is in them, what an import makes of them, and files that are refused.

use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};
use store::engines::nats::{ArchiveCounts, ArchiveItem, ArchiveLine, ArchiveReader, ArchivedValues};
use store::owners::{MeteredUsage, UsageAmounts, UsageQuery};
use store::retention::Removal;
use store::shares::OwnerShare;
use store::vault::{RecordKey, RecordKind, WriteCondition};

use super::*;

const LONG: Duration = Duration::from_secs(60);
const OWNER: &str = "o.acme";

fn owned_job(number: u32) -> NewJob {
    NewJob {
        request: "{\"password\":\"s3cret-word\"}".into(),
        shown_request: Some("{\"password\":\"***\"}".into()),
        owner: Some(OWNER.into()),
        idempotency_key: Some(format!("key {number}")),
        ..job(number)
    }
}

/// Does a run of so many events, the last of which is larger than a message may be.
async fn finished(store: &Store, number: u32, events: u64) -> Vec<String> {
    store.jobs.enqueue(owned_job(number)).await.unwrap();
    let (lease, _) = store.jobs.claim(LONG, ClaimScope::Any).await.unwrap().unwrap();
    let mut files = Vec::new();
    for picture in ["one", "another"] {
        let bytes = Bytes::from_static(picture.as_bytes());
        files.push(store.blobs.put_of_run(&id(number), bytes).await.unwrap());
    }
    store
        .log
        .append(&lease, 0, entries(1, events - 1, false))
        .await
        .unwrap();
    let mut last = entries(events, events, true);
    last[0].data = json!({"text": format!("\u{2028}ä\"{}", "x".repeat(2 << 20))}).to_string();
    let amounts = UsageAmounts {
        runs: 1,
        pages: 3,
        ..UsageAmounts::default()
    };
    let metered = vec![MeteredUsage {
        model: String::new(),
        amounts,
    }];
    let ending = RunEnd {
        usage: Some("{\"n\":1}".into()),
        metered,
        ..ending()
    };
    store.log.finish(&lease, events - 1, last, ending).await.unwrap();
    files
}

fn vault_key() -> RecordKey {
    RecordKey {
        owner: OWNER.into(),
        kind: RecordKind::Secret,
        name: "shop".into(),
    }
}

/// Everything that an export writes, a line each.
async fn exported(cluster: &Nats) -> Vec<String> {
    let mut lines = vec![ArchiveLine::start()];
    for what in ArchivedValues::ALL {
        let mut from = 1;
        while let Some((found, next)) = cluster.values_from(what, from).await.unwrap() {
            from = next;
            lines.extend(found);
        }
    }
    cluster.settle_ended().await.unwrap();
    let mut from = 1;
    while let Some((runs, next)) = cluster.ended_from(from).await.unwrap() {
        from = next;
        for run in runs {
            lines.extend(cluster.archived_run(&run).await.unwrap().unwrap());
        }
    }
    let mut counts = ArchiveCounts::default();
    lines.iter().for_each(|line| counts.count(line));
    lines.push(ArchiveLine::End(counts));
    lines
        .iter()
        .map(|line| serde_json::to_string(line).unwrap())
        .collect()
}

fn items(lines: &[String]) -> Vec<ArchiveItem> {
    let mut reader = ArchiveReader::default();
    let items = lines
        .iter()
        .filter_map(|line| reader.take(line).unwrap())
        .collect();
    reader.finish().unwrap();
    items
}

async fn imported(cluster: &Nats, lines: &[String]) -> Vec<bool> {
    let mut stored = Vec::new();
    for item in items(lines) {
        assert!(!cluster.lacks_key_of(&item));
        stored.push(cluster.import_item(&item).await.unwrap());
    }
    stored
}

async fn listed(store: &Store) -> Vec<String> {
    let query = JobQuery {
        owner: None,
        status: None,
        before: None,
        limit: 9,
    };
    let listed = store.jobs.list(query).await.unwrap();
    listed.iter().map(|job| job.id.to_string()).collect()
}

async fn usage(store: &Store) -> Vec<store::owners::UsageTotal> {
    let today = jiff::Zoned::now().date();
    let query = UsageQuery {
        owner: None,
        from: today.yesterday().unwrap(),
        to: today.tomorrow().unwrap(),
    };
    store.owners.usage(query).await.unwrap()
}

/// A cluster with two runs that have ended, one of them without its events, one that waits, and values.
async fn source(server: &NatsServer) -> (Nats, Vec<String>) {
    let cluster = connect(&settings(&[server.url()], "from", 1)).await.unwrap();
    let store = cluster.store();
    let files = finished(&store, 1, 700).await;
    finished(&store, 2, 2).await;
    assert!(store.retention.remove(&id(2), Removal::Events).await.unwrap());
    store.jobs.enqueue(owned_job(3)).await.unwrap();
    store
        .owners
        .set_share(
            OWNER,
            OwnerShare {
                weight: 7,
                running: None,
            },
        )
        .await
        .unwrap();
    store
        .records
        .put("tenants", "acme", "{\"weight\":7}".into(), 0)
        .await
        .unwrap();
    let absent = WriteCondition::Absent { limit: 9 };
    store
        .vault
        .write(&vault_key(), "{}", "s3cret-value", absent)
        .await
        .unwrap();
    (cluster, files)
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a NATS server"]
async fn an_export_brings_what_has_ended_to_another_cluster_byte_by_byte() {
    let server = NatsServer::start("");
    let (from, files) = source(&server).await;
    let lines = exported(&from).await;
    let text = lines.concat();
    assert!(!text.contains("s3cret"), "nothing secret is in the clear");
    assert!(!text.contains(id(3).as_str()), "a run that goes on is not in it");

    let to = connect(&settings(&[server.url()], "to", 1)).await.unwrap();
    let stored = imported(&to, &lines).await;
    assert!(stored.iter().all(|new| *new), "{stored:?}");
    let (old, new) = (from.store(), to.store());
    for number in [1, 2] {
        let run = id(number);
        assert_eq!(
            old.jobs.get(&run).await.unwrap(),
            new.jobs.get(&run).await.unwrap()
        );
        let log = new.log.read(&run, 0, 9999).await.unwrap();
        assert_eq!(old.log.read(&run, 0, 9999).await.unwrap(), log);
        assert_eq!(log.len(), if number == 1 { 700 } else { 0 });
    }
    for (name, bytes) in files.iter().zip(["one", "another"]) {
        let found = new.blobs.get_of_run(&id(1), name).await.unwrap();
        assert_eq!(found.as_deref(), Some(bytes.as_bytes()));
    }
    assert_eq!(usage(&old).await, usage(&new).await);
    assert_eq!(usage(&new).await[0].amounts.pages, 6);
    assert_eq!(
        new.records.get("tenants", "acme").await.unwrap().unwrap().value,
        "{\"weight\":7}"
    );
    let secret = new.vault.read(&vault_key()).await.unwrap().unwrap();
    assert_eq!(secret.value.unwrap(), "s3cret-value");
    let bytes = new.owners.stored_bytes(OWNER).await.unwrap();
    assert_eq!(bytes, old.owners.stored_bytes(OWNER).await.unwrap());

    let verified = to.verify().await.unwrap();
    assert_eq!(
        (verified.runs, verified.events, verified.faults),
        (2, 700, Vec::new())
    );
    assert_eq!(listed(&new).await, [id(2).to_string(), id(1).to_string()]);
    let again = NewJob {
        id: id(9),
        ..owned_job(1)
    };
    assert_eq!(
        new.jobs.enqueue(again).await.unwrap(),
        id(1),
        "its idempotency key came with it"
    );
    assert!(new.jobs.claim(LONG, ClaimScope::Any).await.unwrap().is_none());

    // What is there is left as it is, and an export of the copy is the export.
    let tenant = new.records.get("tenants", "acme").await.unwrap().unwrap();
    new.records
        .put("tenants", "acme", "{\"weight\":1}".into(), tenant.revision)
        .await
        .unwrap();
    let stored = imported(&to, &lines).await;
    assert!(stored.iter().all(|new| !new), "{stored:?}");
    assert_eq!(
        new.records.get("tenants", "acme").await.unwrap().unwrap().value,
        "{\"weight\":1}"
    );
    let is_run =
        |line: &&String| !line.starts_with("{\"huntsman_cluster\"") && !line.starts_with("{\"record\"");
    let runs = |lines: &[String]| -> Vec<String> { lines.iter().filter(is_run).cloned().collect() };
    let mut copies = [runs(&lines), runs(&exported(&to).await)];
    copies.iter_mut().for_each(|lines| lines.sort());
    assert!(copies[0] == copies[1]);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a NATS server"]
async fn an_import_that_is_cut_off_at_any_moment_is_done_again() {
    let server = NatsServer::start("");
    let (from, files) = source(&server).await;
    let lines = exported(&from).await;
    let to = connect(&settings(&[server.url()], "to", 1)).await.unwrap();
    let mut cut_off = 0;
    for item in items(&lines) {
        for micros in (0..).map(|step: u64| step * 1500) {
            let import = tokio::time::timeout(Duration::from_micros(micros), to.import_item(&item));
            match import.await {
                // What was sent before may be stored only now, and then another import seems to be under way.
                Err(_) | Ok(Err(Error::Taken { .. })) => cut_off += 1,
                Ok(stored) => {
                    stored.unwrap();
                    break;
                }
            }
        }
    }
    assert!(cut_off > 3, "{cut_off}");
    let verified = to.verify().await.unwrap();
    assert_eq!(
        (verified.runs, verified.events, verified.faults),
        (2, 700, Vec::new())
    );
    let (old, new) = (from.store(), to.store());
    assert_eq!(
        old.jobs.get(&id(1)).await.unwrap(),
        new.jobs.get(&id(1)).await.unwrap()
    );
    assert_eq!(
        old.log.read(&id(1), 0, 9999).await.unwrap(),
        new.log.read(&id(1), 0, 9999).await.unwrap()
    );
    assert!(new.blobs.get_of_run(&id(1), &files[0]).await.unwrap().is_some());
    assert_eq!(usage(&old).await, usage(&new).await);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a NATS server"]
async fn runs_that_are_older_than_their_cluster_are_listed() {
    let server = NatsServer::start("");
    let (from, _) = source(&server).await;
    let mut lines = exported(&from).await;
    for (line, days) in lines
        .iter_mut()
        .filter(|line| line.starts_with("{\"run\""))
        .zip([40, 300])
    {
        let mut value: Value = serde_json::from_str(line).unwrap();
        let created = value["run"]["created"].as_i64().unwrap();
        value["run"]["created"] = (created - days * 86_400_000_000_i64).into();
        *line = value.to_string();
    }
    let to = connect(&settings(&[server.url()], "to", 1)).await.unwrap();
    imported(&to, &lines).await;
    assert_eq!(listed(&to.store()).await, [id(1).to_string(), id(2).to_string()]);
    assert_eq!(to.verify().await.unwrap().runs, 2);
}

/// What is said of lines that are read in order.
fn refusal(lines: &[String]) -> String {
    let mut reader = ArchiveReader::default();
    let taken = lines.iter().try_for_each(|line| reader.take(line).map(drop));
    taken
        .and_then(|()| reader.finish().map(drop))
        .unwrap_err()
        .to_string()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a NATS server"]
async fn a_file_that_is_no_whole_export_is_refused_with_the_number_of_the_line() {
    let server = NatsServer::start("");
    let (from, _) = source(&server).await;
    let lines = exported(&from).await;
    let begins = |with: &str| lines.iter().position(|line| line.starts_with(with)).unwrap();
    let (run, events) = (begins("{\"run\""), begins("{\"events\""));
    let changed = |at: usize, from: &str, to: &str| {
        let mut changed = lines.clone();
        changed[at] = changed[at].replacen(from, to, 1);
        assert_ne!(changed[at], lines[at], "{from}");
        refusal(&changed)
    };
    let says = |refusal: String, at: usize, text: &str| {
        let fits = refusal.starts_with(&format!("line {}: ", at + 1)) && refusal.contains(text);
        assert!(fits, "{refusal} and not line {}: {text}", at + 1);
    };
    says(
        changed(0, "\"version\":1", "\"version\":2"),
        0,
        "has version 2, and this program reads up to 1",
    );
    says(changed(0, "huntsman_cluster", "other"), 0, "not the first line");
    says(changed(1, "{\"", "{"), 1, "damaged or cut off");
    says(changed(events, "[[1,", "[[2,"), events, "event 1 of");
    says(
        changed(run, "\"last\":700", "\"last\":699"),
        events + 2,
        "not what that asks for",
    );
    says(changed(run, "\"completed\"", "\"running\""), run, "has not ended");
    says(
        refusal(&[&lines[..events], &lines[events + 1..]].concat()),
        events,
        "event 1 of",
    );
    // A line that lacks is noticed where the next run begins, or at the end.
    let file = begins("{\"file\"");
    says(
        refusal(&[&lines[..file], &lines[file + 1..]].concat()),
        file + 1,
        "are missing",
    );
    says(
        refusal(&[&lines[..1], &lines[2..]].concat()),
        lines.len() - 2,
        "it counts",
    );
    for kept in 1..lines.len() {
        says(refusal(&lines[..kept]), kept, "was cut off");
    }
    says(
        refusal(&[&lines[..], &lines[1..2]].concat()),
        lines.len(),
        "follows the last one",
    );
    says(refusal(&[]), 0, "was cut off");
    let mut half = lines.clone();
    half[events].truncate(900);
    says(refusal(&half), events, "damaged or cut off");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a NATS server"]
async fn a_run_that_goes_on_is_not_changed_by_an_import() {
    let server = NatsServer::start("");
    let (from, _) = source(&server).await;
    let lines = exported(&from).await;
    let to = connect(&settings(&[server.url()], "to", 1)).await.unwrap();
    to.store().jobs.enqueue(job(1)).await.unwrap();
    for item in items(&lines) {
        let stored = to.import_item(&item).await;
        let is_first = matches!(&item, ArchiveItem::Run(run) if run.events() == 700);
        assert_eq!(matches!(stored, Err(Error::Taken { .. })), is_first, "{stored:?}");
    }
    let kept = to.store().jobs.get(&id(1)).await.unwrap().unwrap();
    assert_eq!(
        (kept.summary.status, kept.request.as_str()),
        (RunStatus::Queued, "{}")
    );
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a NATS server"]
async fn an_imported_run_is_due_by_its_own_end() {
    let server = NatsServer::start("");
    let cluster = connect(&settings(&[server.url()], "hm", 1)).await.unwrap();
    let store = cluster.clone().store();
    finished(&store, 1, 2).await;
    let mut old = store.jobs.get(&id(1)).await.unwrap().unwrap();
    let log = store.log.read(&id(1), 0, 9).await.unwrap();
    let long_ago: jiff::Timestamp = "2024-03-05T10:00:00Z".parse().unwrap();
    old.summary.id = id(2);
    (old.summary.created_at, old.summary.finished_at) = (long_ago, Some(long_ago));
    assert_eq!(cluster.import(0, &old, &log).await, Ok(true));
    let year = Some("2025-01-01T00:00:00Z".parse().unwrap());
    for removal in [Removal::Run, Removal::Events] {
        assert_eq!(store.retention.ended(removal, year, 9).await, Ok(vec![id(2)]));
        assert_eq!(
            store.retention.ended(removal, None, 9).await,
            Ok(vec![id(2), id(1)])
        );
        assert_eq!(store.retention.ended(removal, None, 1).await, Ok(vec![id(2)]));
    }
}
