//! The task that keeps the copy of open runs: one ordered consumer of open runs and sessions, and the process's own beats.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::{HeaderMap, Message};
use futures_util::StreamExt as _;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use super::api::Refusal;
use super::engine::{FollowRequest, Nats, NatsInner, lock};
use super::open_runs::{Beat, OpenRecord};
use super::owners::StoredShare;
use super::runs::CLIENT_PATIENCE;
use super::state::VERSION;

/// How often a process beats.
pub(super) const BEAT: Duration = Duration::from_secs(2);
/// Beats that fail in a row before the process goes to another server.
const MOST_FAILED_BEATS: u32 = 3;
/// Most time between two beats that counts for leases: a longer pause was this process's own, or the cluster's, and beats
/// of others may come later than the first one of this process.
const LONGEST_COUNTED: Duration = Duration::from_secs(3);
/// How long nothing may come before the consumer is made again. This process's own beats come back through it.
const SILENCE: Duration = Duration::from_secs(10);
/// How long a session stays after its last beat.
const SESSION_TTL: &str = "60s";

/// Starts the tasks. They end when the engine is dropped.
pub(super) fn start(
    engine: &Nats,
    mut requests: mpsc::UnboundedReceiver<FollowRequest>,
) -> watch::Receiver<bool> {
    let (ready, is_ready) = watch::channel(false);
    let inner = Arc::downgrade(&engine.0);
    tokio::spawn(async move {
        while let Some(engine) = inner.upgrade() {
            let engine = Nats(engine);
            if let Err(refusal) = follow(&engine, &ready).await {
                tracing::warn!(reason = ?refusal, "the list of open runs is read again");
            }
            drop(engine);
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    });
    let inner = Arc::downgrade(&engine.0);
    tokio::spawn(async move {
        let mut failed = 0_u32;
        loop {
            let Some(engine) = inner.upgrade() else { return };
            failed = if beat(&engine, failed).await {
                0
            } else {
                failed + 1
            };
            if failed > 0 && failed.is_multiple_of(MOST_FAILED_BEATS) {
                // A server that is cut off from the others keeps its clients; another one may have the majority.
                let _ = engine.jetstream.0.force_reconnect().await;
            }
            drop(engine);
            tokio::time::sleep(if failed == 0 { BEAT } else { BEAT / 3 }).await;
        }
    });
    let inner = Arc::downgrade(&engine.0);
    tokio::spawn(async move {
        while let Some(FollowRequest { run, tail }) = requests.recv().await {
            let Some(engine) = inner.upgrade() else { return };
            follow_run(&engine, run, tail);
        }
    });
    is_ready
}

/// Publishes one beat; whether it was stored. `failed` is how many before it were not.
async fn beat(engine: &NatsInner, failed: u32) -> bool {
    let beat = Beat {
        v: VERSION,
        reads: VERSION,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        role: engine.role.clone(),
        host: engine.host.clone(),
        pid: std::process::id(),
        has: *lock(&engine.capabilities),
        holds: engine.renewed_leases(),
    };
    let subject = engine.layout.session(&engine.session);
    let headers = [("Nats-TTL", SESSION_TTL.to_owned())];
    let publish = engine
        .jetstream
        .publish(&subject, None, &headers, json!(beat).to_string().into());
    // Sent again sooner than other requests, so that leases outlive a change of leader.
    let stored = tokio::time::timeout(BEAT, publish).await;
    let stored = stored.unwrap_or_else(|_| Err(Refusal::Unavailable("no answer to a beat".into())));
    // One beat may be late on a busy machine.
    let is_up = stored.is_ok() || failed == 0 && engine.is_up.load(Ordering::Acquire);
    if engine.is_up.swap(is_up, Ordering::AcqRel) != is_up {
        match &stored {
            Ok(_) => tracing::info!("NATS takes writes again"),
            Err(refusal) => tracing::warn!(reason = ?refusal, "NATS takes no writes"),
        }
    }
    stored.is_ok()
}

#[derive(Deserialize)]
struct Made {
    name: String,
    #[serde(default)]
    num_pending: u64,
}

/// Where a delivered message stands: the consumer's own count, the stream's sequence, how many more wait.
struct Place {
    count: u64,
    seq: u64,
    pending: u64,
}

impl Place {
    /// Reads the subject that acknowledges a message:
    /// `$JS.ACK.<stream>.<consumer>.<delivered>.<stream seq>.<consumer seq>.<time>.<pending>`, with a domain and an account
    /// after `ACK` on some servers.
    fn of(message: &Message) -> Option<Self> {
        let reply = message.reply.as_ref()?;
        let words: Vec<&str> = reply.split('.').collect();
        let end = if words.len() >= 12 {
            words.get(..11)?
        } else {
            words.as_slice()
        };
        let number = |from_end: usize| end.get(end.len().checked_sub(from_end)?)?.parse().ok();
        Some(Self {
            seq: number(4)?,
            count: number(3)?,
            pending: number(1)?,
        })
    }
}

/// Makes a consumer that begins with the last message of each subject, and follows it until it breaks.
async fn follow(engine: &Nats, ready: &watch::Sender<bool>) -> Result<(), Refusal> {
    let unavailable = |reason: &str| Refusal::Unavailable(reason.to_owned());
    let (client, stream) = (&engine.0.jetstream.0, engine.0.layout.open_stream());
    let inbox = client.new_inbox();
    let mut messages = client
        .subscribe(inbox.clone())
        .await
        .map_err(|error| unavailable(&error.to_string()))?;
    let config = json!({"stream_name": stream, "config": {
        "deliver_subject": inbox, "deliver_policy": "last_per_subject",
        "filter_subjects": [engine.0.layout.open("*"), engine.0.layout.session("*"), engine.0.layout.share(None)],
        "ack_policy": "none", "max_deliver": 1, "mem_storage": true, "num_replicas": 1, "flow_control": true,
        "idle_heartbeat": 5_000_000_000_u64, "inactive_threshold": 30_000_000_000_u64,
    }});
    engine.0.open_runs().begin_snapshot();
    let made: Made = engine
        .0
        .jetstream
        .request(&format!("CONSUMER.CREATE.{stream}"), &config)
        .await?;
    let mut follower = Follower {
        engine: &engine.0,
        own: engine.0.layout.session(&engine.0.session),
        beaten: None,
        caught_up: false,
    };
    if made.num_pending == 0 {
        follower.catch_up(0, ready);
    }
    let outcome = follower.read(&mut messages, ready).await;
    // The server would remove it by itself, later.
    let _ = engine
        .0
        .jetstream
        .request::<serde_json::Value>(
            &format!("CONSUMER.DELETE.{stream}.{}", made.name),
            &serde_json::Value::Null,
        )
        .await;
    outcome
}

struct Follower<'a> {
    engine: &'a Arc<NatsInner>,
    own: String,
    /// When this process's own last beat came back.
    beaten: Option<Instant>,
    caught_up: bool,
}

impl Follower<'_> {
    async fn read(
        &mut self,
        messages: &mut async_nats::Subscriber,
        ready: &watch::Sender<bool>,
    ) -> Result<(), Refusal> {
        let mut expected = 1;
        let mut heard = Instant::now();
        loop {
            let next = tokio::time::timeout_at(heard + SILENCE, messages.next()).await;
            let Ok(Some(message)) = next else {
                return Err(Refusal::Unavailable("nothing came, not even beats".into()));
            };
            if Arc::strong_count(self.engine) == 1 {
                // Nobody else has the engine any more.
                return Ok(());
            }
            if message.status.is_some() {
                // A heartbeat, or flow control, which wants an answer.
                if let Some(reply) = message.reply {
                    let _ = self.engine.jetstream.0.publish(reply, "".into()).await;
                }
                continue;
            }
            let Some(place) = Place::of(&message) else {
                continue;
            };
            if place.count != expected {
                return Err(Refusal::Unavailable("messages were lost on the way".into()));
            }
            expected += 1;
            if message.subject.as_str() == self.own {
                heard = Instant::now();
            }
            self.take(&message, &place);
            if place.pending == 0 && !self.caught_up {
                self.catch_up(place.seq, ready);
            }
        }
    }

    fn catch_up(&mut self, seq: u64, ready: &watch::Sender<bool>) {
        self.caught_up = true;
        self.engine.open_runs().end_snapshot(seq);
        ready.send_replace(true);
        self.engine.notifier.notify_jobs();
    }

    fn take(&mut self, message: &Message, place: &Place) {
        let Some((rest, id)) = message.subject.rsplit_once('.') else {
            return;
        };
        if rest.ends_with(".open") {
            let ended = message.payload.is_empty();
            let mut frees_place = false;
            let mut runs = self.engine.open_runs();
            if ended {
                frees_place = runs.remove(id, place.seq);
            } else if let Ok(record) = serde_json::from_slice::<OpenRecord>(&message.payload) {
                runs.put(id, place.seq, record);
            }
            // Before the lock is given back: who sees that a place is free finds that waiters were told.
            if self.caught_up && (!ended || frees_place) {
                self.engine.notifier.notify_jobs();
            }
            drop(runs);
            return;
        }
        if rest.ends_with(".share") {
            if let Ok(share) = serde_json::from_slice::<StoredShare>(&message.payload) {
                self.engine.open_runs().set_share(&share.owner, share.share());
                self.engine.notifier.notify_jobs();
            }
            return;
        }
        let Ok(beat) = serde_json::from_slice::<Beat>(&message.payload) else {
            return;
        };
        let mut runs = self.engine.open_runs();
        if message.subject.as_str() == self.own && self.caught_up {
            let now = Instant::now();
            if let Some(before) = self.beaten.replace(now) {
                runs.pass((now - before).min(LONGEST_COUNTED));
            }
        }
        runs.renewed(id, &beat);
        drop(runs);
        if message.subject.as_str() == self.own {
            // Leases of others may have run out.
            self.engine.notifier.notify_jobs();
        }
    }
}

/// Between the end of a subscription and the next one for the same run.
const RESUBSCRIBE: Duration = Duration::from_millis(100);

/// Follows the headers of a run's messages for as long as somebody waits for them.
fn follow_run(engine: &Arc<NatsInner>, run: wire::RunId, sender: Arc<watch::Sender<u64>>) {
    let inner = Arc::downgrade(engine);
    let client = engine.jetstream.0.clone();
    let subject = engine.layout.tail(&run);
    tokio::spawn(async move {
        // A subscription may end while there are readers; it is made anew then. Where it cannot be made, readers poll.
        while let Ok(mut copies) = client.subscribe(subject.clone()).await {
            // What came before the server knew of the subscription is read now. Where that fails, readers poll.
            if let Some(engine) = inner.upgrade() {
                let _ = engine.load(&run, CLIENT_PATIENCE).await;
            }
            sender.send_modify(|_| {});
            loop {
                let copy = tokio::select! {
                    copy = copies.next() => Some(copy),
                    () = sender.closed() => None,
                };
                let Some(engine) = inner.upgrade() else { return };
                match copy {
                    Some(Some(copy)) => {
                        let headers = copy.headers.unwrap_or_else(HeaderMap::new);
                        engine.take_copy(&run, &headers, &sender);
                    }
                    Some(None) => break,
                    None if engine.forget_tail(&run) => return,
                    None => {}
                }
            }
            tokio::time::sleep(RESUBSCRIBE).await;
        }
    });
}

/// Sessions and what they hold, for `huntsman cluster status`.
pub(super) async fn sessions(engine: &NatsInner) -> Result<HashMap<String, Beat>, Refusal> {
    let stream = engine.layout.open_stream();
    let subjects = engine
        .jetstream
        .subjects(&stream, &engine.layout.session("*"))
        .await?;
    let mut beats = HashMap::new();
    for subject in subjects {
        let Some(message) = engine.jetstream.last(&stream, &subject).await? else {
            continue;
        };
        if let (Some((_, id)), Ok(beat)) = (subject.rsplit_once('.'), serde_json::from_slice(&message.body)) {
            beats.insert(id.to_owned(), beat);
        }
    }
    Ok(beats)
}
