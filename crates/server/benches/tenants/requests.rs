//! Requests a second with keys and quotas, beside the same without.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::client::Client;
use crate::stand::Stand;

/// Clients at once.
const CLIENTS: usize = 16;
/// Rounds with, and as many without; an odd number.
const ROUNDS: usize = 31;
/// How long a round takes.
const ROUND: Duration = Duration::from_millis(300);
/// Ticks of a second in `/proc/self/stat`, as Linux has them on all its platforms.
const TICKS: f64 = 100.0;
/// Every limit there is, none of which is reached.
const LIMITS: &[&str] = &[
    "running=1000000",
    "queued=100000000",
    "requests_per_minute=100000000",
    "pages_per_day=100000000",
    "pages_per_month=100000000",
    "tokens_per_day=100000000",
    "tokens_per_month=100000000",
    "dollars_per_day=100000000",
    "dollars_per_month=100000000",
    "stored_megabytes=100000000",
];

/// A server, with the key to show it.
struct Served {
    stand: Stand,
    at: SocketAddr,
    key: Option<String>,
    shutdown: CancellationToken,
}

async fn served(with_keys: bool) -> Served {
    let stand = Stand::start(Duration::ZERO).await;
    let mut key = None;
    if with_keys {
        stand.tenant("acme", 1, LIMITS).await;
        key = Some(stand.key("acme").await);
    }
    let (at, shutdown) = stand.serve().await;
    Served {
        stand,
        at,
        key,
        shutdown,
    }
}

impl Served {
    /// Requests answered in a round.
    async fn round(&self, method: &'static str, path: &'static str, body: &str, status: u16) -> usize {
        let until = Instant::now() + ROUND;
        let clients = (0..CLIENTS).map(|_| {
            let (at, key, body) = (self.at, self.key.clone(), body.to_owned());
            tokio::spawn(async move {
                let mut client = Client::connect("127.0.0.1", at).await;
                let request = client.prepare(method, path, key.as_deref(), &body);
                let mut count = 0;
                while Instant::now() < until {
                    let (answered, text) = client.ask(&request).await;
                    assert_eq!(answered, status, "{}", String::from_utf8_lossy(text));
                    count += 1;
                }
                count
            })
        });
        let mut all = 0;
        for client in clients.collect::<Vec<_>>() {
            all += client.await.unwrap();
        }
        all
    }
}

/// Processor time that this process, clients and servers together, has used.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    // The name of the program may hold spaces; fields 14 and 15 are the user's and the system's ticks.
    let (_, fields) = text.rsplit_once(')').unwrap();
    let ticks: f64 = fields
        .split_whitespace()
        .skip(11)
        .take(2)
        .map(|ticks| ticks.parse::<f64>().unwrap())
        .sum();
    ticks / TICKS
}

/// Lists of runs, pages read at once, and runs accepted.
pub(crate) async fn keys_and_quotas() {
    for (name, method, path, status) in [
        ("lists of runs", "GET", "/v1/runs?limit=1", 200),
        ("pages as Markdown", "POST", "/v1/extract/markdown", 200),
        ("runs accepted", "POST", "/api/scrape", 202),
    ] {
        let (on, off) = (served(true).await, served(false).await);
        let body = |served: &Served| match path {
            "/api/scrape" => json!({"assets": [served.stand.site.url("/")]}).to_string(),
            "/v1/extract/markdown" => json!({"url": served.stand.site.url("/")}).to_string(),
            _ => String::new(),
        };
        let bodies = [body(&on), body(&off)];
        let (mut counts, mut seconds, mut ratios) = ([0, 0], [0.0, 0.0], Vec::new());
        for round in 0..=ROUNDS {
            let mut rounds = [(0, 0.0); 2];
            // Each goes first as often as the other.
            for which in [round % 2, 1 - round % 2] {
                let served = [&on, &off][which];
                let before = processor_seconds();
                let count = served.round(method, path, &bodies[which], status).await;
                rounds[which] = (count, processor_seconds() - before);
            }
            // The first round warms up.
            if round > 0 {
                ratios.push(rounds[0].0 as f64 / rounds[1].0 as f64);
                for (which, (count, used)) in rounds.into_iter().enumerate() {
                    counts[which] += count;
                    seconds[which] += used;
                }
            }
        }
        ratios.sort_by(f64::total_cmp);
        let a_second = |count: usize| count as f64 / (ROUNDS as f64 * ROUND.as_secs_f64());
        let micros = |which: usize| seconds[which] * 1e6 / counts[which] as f64;
        println!(
            "{name}: {:.0} a second with keys and quotas, {:.0} without: ratio {:.3} (median of {ROUNDS} pairs of \
             rounds); processor time {:.1} and {:.1} us a request: ratio {:.3}",
            a_second(counts[0]),
            a_second(counts[1]),
            ratios[ROUNDS / 2],
            micros(0),
            micros(1),
            micros(1) / micros(0)
        );
        on.shutdown.cancel();
        off.shutdown.cancel();
    }
}
