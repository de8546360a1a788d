//! `Player`: plays operations on a store and gives their answers in a form that engines can be compared in: times, epochs
//! and revisions, which engines choose themselves, are left out or named by their order.

use std::collections::HashMap;
use std::fmt::Debug;
use std::time::Duration;

use proptest::prelude::{Just, Strategy, any, prop_oneof};
use store::jobs::{Admission, ClaimScope, JobQuery, JobSummary, Lease, LeasedJob, NewJob};
use store::log::RunEnd;
use store::owners::{MeteredUsage, UsageAmounts, UsageQuery};
use store::retention::Removal;
use store::shares::OwnerShare;
use store::vault::{RecordKey, RecordKind, WriteCondition};
use store::{Error, Store, conformance};
use wire::RunId;
use wire::run::{RunKind, RunStatus};

const LONG: Duration = Duration::from_secs(600);
const STATUSES: [RunStatus; 3] = [RunStatus::Completed, RunStatus::Failed, RunStatus::Cancelled];

/// A choice among few, so that operations meet.
type Choice = u8;

/// One call of a port. Numbers are taken modulo what there is to choose from.
#[derive(Debug, Clone)]
pub(crate) enum Operation {
    Enqueue {
        run: Choice,
        owner: Choice,
        key: Option<bool>,
        request: bool,
        sealed: bool,
        priority: Choice,
        limits: Choice,
    },
    Begin {
        run: Choice,
    },
    Claim {
        lasting: bool,
        any: bool,
    },
    Renew(Choice),
    Release(Choice),
    Append {
        lease: Choice,
        shift: Choice,
        count: Choice,
    },
    Finish {
        lease: Choice,
        shift: Choice,
        count: Choice,
        status: Choice,
    },
    Cancel(Choice),
    Look(Choice),
    Read {
        run: Choice,
        after: Choice,
        limit: Choice,
    },
    List {
        owner: Option<Choice>,
        status: Option<Choice>,
        before: Option<Choice>,
        limit: Choice,
    },
    Send {
        run: Choice,
        topic: bool,
    },
    Receive {
        lease: Choice,
        after: Choice,
    },
    SetShare {
        owner: Choice,
        running: Option<bool>,
    },
    Usage(Option<Choice>),
    Forget(Choice),
    Remove {
        run: Choice,
        events: bool,
    },
    Ended {
        events: bool,
    },
    PutRecord {
        name: Choice,
        expected: Choice,
    },
    DeleteRecord(Choice),
    ListRecords {
        after: Choice,
        limit: Choice,
    },
    WriteVault {
        name: Choice,
        fresh: bool,
        generation: Choice,
    },
    ListVault,
    DeleteVault(Choice),
}

/// Operations, the usual ones more often.
pub(crate) fn operation() -> impl Strategy<Value = Operation> {
    use Operation as Op;
    let choice = || any::<Choice>();
    let some = || proptest::option::of(0..4_u8);
    prop_oneof![
        8 => (choice(), choice(), proptest::option::weighted(0.3, any::<bool>()), any::<bool>(), any::<bool>(), choice(), choice())
            .prop_map(|(run, owner, key, request, sealed, priority, limits)| Op::Enqueue {
                run, owner, key, request, sealed, priority, limits
            }),
        1 => choice().prop_map(|run| Op::Begin { run }),
        6 => (any::<bool>(), any::<bool>()).prop_map(|(lasting, any)| Op::Claim { lasting, any }),
        2 => choice().prop_map(Op::Renew),
        2 => choice().prop_map(Op::Release),
        6 => (choice(), 0..8_u8, choice()).prop_map(|(lease, shift, count)| Op::Append { lease, shift, count }),
        3 => (choice(), 0..8_u8, choice(), choice())
            .prop_map(|(lease, shift, count, status)| Op::Finish { lease, shift, count, status }),
        2 => choice().prop_map(Op::Cancel),
        3 => choice().prop_map(Op::Look),
        2 => (choice(), 0..6_u8, 0..6_u8).prop_map(|(run, after, limit)| Op::Read { run, after, limit }),
        3 => (some(), some(), some(), 0..8_u8)
            .prop_map(|(owner, status, before, limit)| Op::List { owner, status, before, limit }),
        2 => (choice(), any::<bool>()).prop_map(|(run, topic)| Op::Send { run, topic }),
        2 => (choice(), 0..3_u8).prop_map(|(lease, after)| Op::Receive { lease, after }),
        1 => (choice(), proptest::option::of(any::<bool>()))
            .prop_map(|(owner, running)| Op::SetShare { owner, running }),
        1 => some().prop_map(Op::Usage),
        1 => choice().prop_map(Op::Forget),
        1 => (choice(), any::<bool>()).prop_map(|(run, events)| Op::Remove { run, events }),
        1 => any::<bool>().prop_map(|events| Op::Ended { events }),
        2 => (choice(), choice()).prop_map(|(name, expected)| Op::PutRecord { name, expected }),
        1 => choice().prop_map(Op::DeleteRecord),
        1 => (choice(), 0..4_u8).prop_map(|(after, limit)| Op::ListRecords { after, limit }),
        2 => (choice(), any::<bool>(), choice())
            .prop_map(|(name, fresh, generation)| Op::WriteVault { name, fresh, generation }),
        1 => Just(Op::ListVault),
        1 => choice().prop_map(Op::DeleteVault),
    ]
}

/// A store, and what its earlier answers named.
pub(crate) struct Player {
    store: Store,
    leases: Vec<Lease>,
    /// Revisions of records and generations of the vault, by name, the oldest first.
    revisions: HashMap<String, Vec<u64>>,
}

fn run(choice: Choice) -> RunId {
    conformance::id(u32::from(choice % 6))
}

fn owner(choice: Choice) -> Option<String> {
    [None, Some("a"), Some("b")][usize::from(choice % 3)].map(str::to_owned)
}

fn text(answer: &impl Debug) -> String {
    format!("{answer:?}")
}

/// A summary without what the clock decides.
fn plain(job: JobSummary) -> String {
    let finished = job.finished_at.is_some();
    let epoch = jiff::Timestamp::UNIX_EPOCH;
    let job = JobSummary {
        created_at: epoch,
        finished_at: None,
        ..job
    };
    format!("{job:?} finished {finished}")
}

impl Player {
    pub(crate) fn new(store: Store) -> Self {
        Self {
            store,
            leases: Vec::new(),
            revisions: HashMap::new(),
        }
    }

    fn lease(&self, choice: Choice) -> Option<Lease> {
        let place = usize::from(choice).checked_rem(self.leases.len())?;
        self.leases.get(place).cloned()
    }

    fn taken(&mut self, taken: Option<(Lease, LeasedJob)>) -> String {
        let Some((lease, job)) = taken else {
            return "none".into();
        };
        let answer = format!("{} {} {:?}", lease.run, plain(job.summary), job.request);
        self.leases.push(lease);
        answer
    }

    /// Where the log of a run ends; once in a while a number beside it.
    async fn place(&self, run: &RunId, shift: Choice) -> u64 {
        let summary = self.store.jobs.summary(run).await.unwrap();
        let last = summary.map_or(0, |job| job.last_seq);
        match shift {
            0 => last + 1,
            1 => last.saturating_sub(1),
            _ => last,
        }
    }

    fn revision(&self, name: &str, choice: Choice) -> u64 {
        let known = self.revisions.get(name).map_or(&[][..], Vec::as_slice);
        // Mostly the last one, else none or an older one.
        match choice % 4 {
            0 => 0,
            1 => known.first().copied().unwrap_or(0),
            _ => known.last().copied().unwrap_or(0),
        }
    }

    fn written(&mut self, name: String, written: Option<u64>) -> bool {
        self.revisions.entry(name).or_default().extend(written);
        written.is_some()
    }

    /// Plays one operation; its answer.
    pub(crate) async fn play(&mut self, operation: &Operation) -> String {
        use Operation as Op;
        match operation.clone() {
            Op::Renew(lease) => match self.lease(lease) {
                Some(lease) => text(&self.store.jobs.renew(&lease, LONG).await),
                None => String::new(),
            },
            Op::Release(lease) => match self.lease(lease) {
                Some(lease) => text(&self.store.jobs.release(&lease).await),
                None => String::new(),
            },
            Op::Receive { lease, after } => match self.lease(lease) {
                Some(lease) => text(&self.store.inbox.receive(&lease, after.into()).await),
                None => String::new(),
            },
            Op::Append { lease, shift, count } => match self.lease(lease) {
                Some(lease) => {
                    let after = self.place(&lease.run, shift).await;
                    let entries = conformance::entries(after + 1, after + 1 + u64::from(count % 3), false);
                    text(&self.store.log.append(&lease, after, entries).await)
                }
                None => String::new(),
            },
            Op::Finish {
                lease,
                shift,
                count,
                status,
            } => match self.lease(lease) {
                Some(lease) => self.finish(lease, shift, count, status).await,
                None => String::new(),
            },
            Op::Enqueue { .. } | Op::Begin { .. } | Op::Claim { .. } => self.take(operation).await,
            Op::PutRecord { .. } | Op::DeleteRecord(_) | Op::ListRecords { .. } => {
                self.record(operation).await
            }
            Op::WriteVault { .. } | Op::ListVault | Op::DeleteVault(_) => self.vault(operation).await,
            other => self.look(other).await,
        }
    }

    async fn finish(&self, lease: Lease, shift: Choice, count: Choice, status: Choice) -> String {
        let after = self.place(&lease.run, shift).await;
        let entries = conformance::entries(after + 1, after + 1 + u64::from(count % 3), true);
        let status = STATUSES[usize::from(status % 3)];
        let amounts = UsageAmounts {
            runs: 1,
            pages: count.into(),
            ..UsageAmounts::default()
        };
        let model = if count.is_multiple_of(2) { "" } else { "model" };
        let ending = RunEnd {
            status,
            result: (!count.is_multiple_of(4)).then(|| "{\"a\":1}".into()),
            error: count.is_multiple_of(4).then(|| "{\"b\":2}".into()),
            usage: Some("{}".into()),
            metered: vec![MeteredUsage {
                model: model.into(),
                amounts,
            }],
        };
        text(&self.store.log.finish(&lease, after, entries, ending).await)
    }

    async fn take(&mut self, operation: &Operation) -> String {
        let new = |id: Choice, request: bool| NewJob {
            id: run(id),
            kind: RunKind::Scrape,
            request: format!("{{\"whole\":{request}}}"),
            shown_request: None,
            owner: None,
            idempotency_key: None,
            queue_limit: 1000,
            admission: Admission::default(),
        };
        let taken = match *operation {
            Operation::Enqueue {
                run: id,
                owner: whose,
                key,
                request,
                sealed,
                priority,
                limits,
            } => {
                let job = NewJob {
                    shown_request: sealed.then(|| "{\"shown\":1}".into()),
                    owner: owner(whose),
                    idempotency_key: key.map(|key| key.to_string()),
                    queue_limit: if limits.is_multiple_of(8) { 3 } else { 1000 },
                    admission: Admission {
                        priority: priority % 3 + 2,
                        owner_queue_limit: limits.is_multiple_of(5).then_some(2),
                        ..Admission::default()
                    },
                    ..new(id, request)
                };
                return text(&self.store.jobs.enqueue(job).await);
            }
            Operation::Begin { run } => self.store.jobs.begin(new(run, true), LONG).await.map(Some),
            Operation::Claim { lasting, any } => {
                let scope = if any {
                    ClaimScope::Any
                } else {
                    ClaimScope::LostAtMost(0)
                };
                let ttl = if lasting { LONG } else { Duration::ZERO };
                self.store.jobs.claim(ttl, scope).await
            }
            _ => Ok(None),
        };
        match taken {
            Ok(taken) => self.taken(taken),
            Err(error) => text(&error),
        }
    }

    async fn look(&self, operation: Operation) -> String {
        use Operation as Op;
        let store = &self.store;
        match operation {
            Op::Cancel(id) => text(&store.jobs.cancel(&run(id), "enough").await),
            Op::Look(id) => match store.jobs.get(&run(id)).await {
                Ok(Some(job)) => {
                    let summary = store.jobs.summary(&run(id)).await.unwrap().unwrap();
                    assert_eq!(plain(summary), plain(job.summary.clone()));
                    let rest = (job.request, job.result, job.error, job.usage);
                    format!("{} {rest:?}", plain(job.summary))
                }
                other => text(&other.map(drop)),
            },
            Op::Read {
                run: id,
                after,
                limit,
            } => text(&store.log.read(&run(id), after.into(), usize::from(limit)).await),
            Op::List {
                owner: whose,
                status,
                before,
                limit,
            } => {
                let statuses = [
                    RunStatus::Queued,
                    RunStatus::Running,
                    RunStatus::Completed,
                    RunStatus::Failed,
                ];
                let query = JobQuery {
                    owner: whose.and_then(owner),
                    status: status.map(|status| statuses[usize::from(status)]),
                    before: before.map(run),
                    limit: limit.into(),
                };
                let listed = store.jobs.list(query).await;
                text(&listed.map(|jobs| jobs.into_iter().map(plain).collect::<Vec<_>>()))
            }
            Op::Send { run: id, topic } => text(&store.inbox.send(&run(id), &topic.to_string(), "{}").await),
            Op::SetShare {
                owner: whose,
                running,
            } => {
                let share = OwnerShare {
                    weight: 1,
                    running: running.map(|one| if one { 1 } else { 2 }),
                };
                text(
                    &store
                        .owners
                        .set_share(&owner(whose).unwrap_or_default(), share)
                        .await,
                )
            }
            Op::Usage(whose) => {
                let query = UsageQuery {
                    owner: whose.and_then(owner),
                    from: jiff::civil::date(2000, 1, 1),
                    to: jiff::civil::date(9999, 1, 1),
                };
                let whose = whose.and_then(owner).unwrap_or_default();
                let bytes = store.owners.stored_bytes(&whose).await;
                text(&(store.owners.usage(query).await, bytes))
            }
            Op::Forget(whose) => text(&store.owners.forget(&owner(whose).unwrap_or_default()).await),
            Op::Remove { run: id, events } => text(&store.retention.remove(&run(id), removal(events)).await),
            Op::Ended { events } => text(&store.retention.ended(removal(events), None, 4).await),
            _ => String::new(),
        }
    }

    async fn record(&mut self, operation: &Operation) -> String {
        let records = &self.store.records;
        match *operation {
            Operation::PutRecord { name, expected } => {
                let name = format!("n{}", name % 3);
                let written = records
                    .put("c", &name, expected.to_string(), self.revision(&name, expected))
                    .await;
                let got = text(
                    &records
                        .get("c", &name)
                        .await
                        .map(|found| found.map(|record| record.value)),
                );
                format!(
                    "{} {got}",
                    written.is_ok_and(|written| self.written(name, written))
                )
            }
            Operation::DeleteRecord(name) => text(&records.delete("c", &format!("n{}", name % 3)).await),
            Operation::ListRecords { after, limit } => {
                let listed = records.list("c", &format!("n{}", after % 3), limit.into()).await;
                let shown = |record: store::records::Record| (record.name, record.value);
                text(&listed.map(|records| records.into_iter().map(shown).collect::<Vec<_>>()))
            }
            _ => String::new(),
        }
    }

    async fn vault(&mut self, operation: &Operation) -> String {
        let vault = &self.store.vault;
        let key = |name: Choice| RecordKey {
            owner: "a".into(),
            kind: RecordKind::Secret,
            name: format!("v{}", name % 3),
        };
        match *operation {
            Operation::WriteVault {
                name,
                fresh,
                generation,
            } => {
                let key = key(name);
                let condition = if fresh {
                    WriteCondition::Absent { limit: 2 }
                } else {
                    WriteCondition::Generation(self.revision(&key.name, generation))
                };
                let value = generation.to_string();
                let written = vault.write(&key, "{}", &value, condition).await;
                let found = vault
                    .read(&key)
                    .await
                    .map(|found| found.map(|record| record.value));
                let written: Result<bool, Error> = written.map(|written| self.written(key.name, written));
                format!("{written:?} {found:?}")
            }
            Operation::ListVault => {
                let listed = vault.list("a", RecordKind::Secret).await;
                text(&listed.map(|records| records.into_iter().map(|record| record.name).collect::<Vec<_>>()))
            }
            Operation::DeleteVault(name) => text(&vault.delete(&key(name)).await),
            _ => String::new(),
        }
    }
}

fn removal(events: bool) -> Removal {
    if events { Removal::Events } else { Removal::Run }
}
