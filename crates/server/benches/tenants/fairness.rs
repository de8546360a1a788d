//! Fair share: shares of finished runs, the wait of a small tenant, throughput beside first-in-first-out.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use store::jobs::JobQuery;
use wire::run::RunStatus;
use wire::{Audience, RunId};

use crate::stand::{Stand, StandEngine};

/// Tenants with their weights, and how many runs of each wait all the time.
const TENANTS: [(&str, u32, usize); 3] = [("small", 1, 1), ("middle", 1, 10), ("large", 2, 1_000)];
/// Runs done at once.
const WORKERS: usize = 4;
/// Runs submitted at once.
const SUBMITTED: usize = 16;

impl StandEngine {
    /// How long a page takes: many times what a claim does.
    fn page(self) -> Duration {
        match self {
            Self::Sqlite => Duration::from_millis(100),
            Self::Nats => Duration::from_millis(500),
        }
    }

    /// Rounds of draining the queue by fair share, and as many in order; an odd number.
    fn rounds(self) -> usize {
        match self {
            Self::Sqlite => 7,
            Self::Nats => 5,
        }
    }

    /// Runs that wait when a queue is drained, of a tenant that has so many all the time. On a cluster they take longer.
    fn drained(self, waiting: usize) -> usize {
        match self {
            Self::Sqlite => waiting,
            Self::Nats => waiting.min(300),
        }
    }

    /// How long shares are counted.
    fn counted(self) -> Duration {
        match self {
            Self::Sqlite => Duration::from_secs(20),
            Self::Nats => Duration::from_secs(90),
        }
    }
}

async fn runs(stand: &Stand, owner: Option<&str>, status: RunStatus, limit: usize) -> usize {
    let query = JobQuery {
        owner: owner.map(str::to_owned),
        status: Some(status),
        before: None,
        limit,
    };
    stand.store.jobs.list(query).await.unwrap().len()
}

/// Puts runs in the queue until as many of the tenant wait as should.
async fn fill(stand: &Stand, owner: &str, waiting: usize) {
    let missing = runs(stand, Some(owner), RunStatus::Queued, waiting).await..waiting;
    let submit = |_| async {
        stand.submit(owner).await;
    };
    futures_util::stream::iter(missing)
        .for_each_concurrent(SUBMITTED, submit)
        .await;
}

/// Waits for the end of a run.
async fn ended(stand: &Stand, run: &RunId) {
    let events = stand.service.events(None, run, 0, Audience::Debug).await.unwrap();
    events.count().await;
}

/// The shares of finished runs while all have work.
pub(crate) async fn shares(engine: StandEngine) {
    let stand = Stand::start_on(engine, engine.page()).await;
    for (name, weight, waiting) in TENANTS {
        stand.tenant(name, weight, &[]).await;
        fill(&stand, name, waiting).await;
    }
    stand.start_workers(WORKERS);
    let (began, mut changes) = (Instant::now(), stand.store.jobs.subscribe());
    while began.elapsed() < engine.counted() {
        changes.borrow_and_update();
        // A thousand wait at the beginning, and fewer are done in this time.
        for (name, _, waiting) in TENANTS.into_iter().filter(|(_, _, waiting)| *waiting <= 10) {
            fill(&stand, name, waiting).await;
        }
        let _ = tokio::time::timeout(Duration::from_millis(20), changes.changed()).await;
    }
    let mut done = HashMap::new();
    for (name, ..) in TENANTS {
        done.insert(name, runs(&stand, Some(name), RunStatus::Completed, 10_000).await);
    }
    stand.close().await;
    let (all, weights): (usize, u32) = (done.values().sum(), TENANTS.iter().map(|it| it.1).sum());
    println!("shares of {all} finished runs, while 1, 10 and 1,000 wait:");
    for (name, weight, _) in TENANTS {
        let (part, fair) = (
            done[name] as f64 / all as f64,
            f64::from(weight) / f64::from(weights),
        );
        println!(
            "  {name:<7} {:>5.1} %, by weight {:>4.0} %, off by {:+.1} %",
            part * 100.0,
            fair * 100.0,
            (part / fair - 1.0) * 100.0
        );
    }
}

/// From the submission of a run to its end, one after the other; the mean in milliseconds.
async fn one_by_one(stand: &Stand, count: u32) -> f64 {
    let began = Instant::now();
    for _ in 0..count {
        let run = stand.submit("small").await;
        ended(stand, &run).await;
    }
    began.elapsed().as_secs_f64() * 1000.0 / f64::from(count)
}

/// What the tenant with one run waits for its result, alone and beside the others.
pub(crate) async fn wait_of_a_small_tenant(engine: StandEngine) {
    const COUNT: u32 = 60;
    let stand = Stand::start_on(engine, engine.page()).await;
    for (name, weight, _) in TENANTS {
        stand.tenant(name, weight, &[]).await;
    }
    stand.start_workers(WORKERS);
    let alone = one_by_one(&stand, COUNT).await;
    fill(&stand, "large", 1_000).await;
    fill(&stand, "middle", 100).await;
    let beside = one_by_one(&stand, COUNT).await;
    assert!(
        runs(&stand, Some("large"), RunStatus::Queued, 1).await > 0,
        "too few runs to be beside"
    );
    stand.close().await;
    println!(
        "a tenant with one run waits {alone:.0} ms for its result alone and {beside:.0} ms beside the others: ratio {:.2}",
        beside / alone
    );
}

/// Runs a second until so many runs that wait are done.
async fn drain(engine: StandEngine, owners: &[(&str, usize)]) -> f64 {
    let stand = Stand::start_on(engine, Duration::ZERO).await;
    for (name, weight, _) in TENANTS {
        stand.tenant(name, weight, &[]).await;
    }
    for (owner, waiting) in owners {
        fill(&stand, owner, *waiting).await;
    }
    let all: usize = owners.iter().map(|(_, waiting)| waiting).sum();
    let began = Instant::now();
    stand.start_workers(WORKERS);
    loop {
        let mut open = false;
        // Of all owners together, so that looking costs the same whatever number of them there is.
        for status in [RunStatus::Queued, RunStatus::Running] {
            open = open || runs(&stand, None, status, 1).await > 0;
        }
        if !open {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let rate = all as f64 / began.elapsed().as_secs_f64();
    stand.close().await;
    rate
}

/// Runs a second of three tenants, beside as many runs of one tenant, which are done first in, first out.
pub(crate) async fn throughput(engine: StandEngine) {
    let fair: [(&str, usize); 3] = TENANTS.map(|(name, _, waiting)| (name, engine.drained(waiting)));
    let first_in = [("large", fair.iter().map(|(_, waiting)| waiting).sum())];
    let (mut fairly, mut in_order) = (Vec::new(), Vec::new());
    drain(engine, &first_in).await;
    for round in 0..engine.rounds() {
        // Each goes first as often as the other.
        if round % 2 == 0 {
            in_order.push(drain(engine, &first_in).await);
        }
        fairly.push(drain(engine, &fair).await);
        if round % 2 == 1 {
            in_order.push(drain(engine, &first_in).await);
        }
    }
    let median = |rates: &mut Vec<f64>| {
        rates.sort_by(f64::total_cmp);
        rates[rates.len() / 2]
    };
    let mut ratios: Vec<f64> = fairly
        .iter()
        .zip(&in_order)
        .map(|(fair, order)| fair / order)
        .collect();
    let ratio = median(&mut ratios);
    let (fairly, in_order) = (median(&mut fairly), median(&mut in_order));
    println!(
        "{fairly:.1} runs a second by fair share, {in_order:.1} first in, first out (medians of {}): ratio {:.3}, of pairs \
         {ratio:.3} ({:.3} to {:.3})",
        engine.rounds(),
        fairly / in_order,
        ratios[0],
        ratios[ratios.len() - 1]
    );
}
