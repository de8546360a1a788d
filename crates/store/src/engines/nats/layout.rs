//! `Layout`: the streams of the engine, their subjects, and the check of what is there at the start.

use data_encoding::HEXLOWER;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use wire::RunId;

use super::api::{JetStream, Refusal, code};
use crate::Error;
use crate::keyring::hex;

/// Streams that runs are spread over.
pub(super) const LOG_STREAMS: u32 = 8;
/// The version of the layout, written to the metadata of each stream.
const LAYOUT_VERSION: &str = "1";
/// The name in a stream's metadata that tells it is ours.
const OURS: &str = "huntsman-layout";

/// Names of streams and subjects under one prefix.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    /// In lower case, for subjects.
    prefix: String,
}

/// A stream as it should be.
struct WantedStream {
    name: String,
    config: Value,
}

impl Layout {
    pub(super) fn new(prefix: &str) -> Self {
        Self {
            prefix: prefix.to_owned(),
        }
    }

    fn shard(run: &RunId) -> u32 {
        // FNV-1a, whose values do not change between versions and machines.
        let hash = run.as_str().bytes().fold(0x811c_9dc5_u32, |hash, byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        });
        hash % LOG_STREAMS
    }

    fn stream(&self, suffix: &str) -> String {
        format!("{}_{suffix}", self.prefix)
    }

    /// The stream of a run's messages.
    pub(super) fn log_stream(&self, run: &RunId) -> String {
        self.stream(&format!("log{}", Self::shard(run)))
    }

    /// Small values by name.
    pub(super) fn record_stream(&self) -> String {
        self.stream("records")
    }

    /// Open runs, sessions and shares.
    pub(super) fn open_stream(&self) -> String {
        self.stream("open")
    }

    /// Index of runs, ended runs, idempotency keys, usage.
    pub(super) fn index_stream(&self) -> String {
        self.stream("index")
    }

    /// Blobs.
    pub(super) fn blob_stream(&self) -> String {
        self.stream("blobs")
    }

    /// The subject of a run's messages.
    pub(super) fn log(&self, run: &RunId) -> String {
        format!("{}.log.{}.{run}", self.prefix, Self::shard(run))
    }

    /// Where the headers of a run's messages are republished once they are stored.
    pub(super) fn tail(&self, run: &RunId) -> String {
        format!("{}.tail.{}.{run}", self.prefix, Self::shard(run))
    }

    /// Base of what only the run's worker may read; `name` `*` stands for all of it.
    pub(super) fn sealed(&self, run: &RunId, name: &str) -> String {
        format!("{}.sealed.{}.{run}.{name}", self.prefix, Self::shard(run))
    }

    pub(super) fn open(&self, run: &str) -> String {
        format!("{}.open.{run}", self.prefix)
    }

    pub(super) fn session(&self, session: &str) -> String {
        format!("{}.session.{session}", self.prefix)
    }

    /// The share of an owner; `None` stands for all of them.
    pub(super) fn share(&self, owner: Option<&str>) -> String {
        let owner = owner.map_or_else(|| "*".to_owned(), token);
        format!("{}.share.{owner}", self.prefix)
    }

    /// What an owner used on a day; `*` stands for any day and name.
    pub(super) fn usage(&self, owner: Option<&str>, day: &str, name: &str) -> String {
        let owner = owner.map_or_else(|| "*".to_owned(), token);
        format!("{}.usage.{owner}.{day}.{name}", self.prefix)
    }

    /// A record; without a name, all of the collection.
    pub(super) fn record(&self, collection: &str, name: Option<&str>) -> String {
        let name = name.map_or_else(|| "*".to_owned(), |name| hex(name.as_bytes()));
        format!("{}.record.{}.{name}", self.prefix, hex(collection.as_bytes()))
    }

    /// All records.
    pub(super) fn all_records(&self) -> String {
        format!("{}.record.*.*", self.prefix)
    }

    /// Collection and name in the subject of a record.
    pub(super) fn record_names(subject: &str) -> Option<(String, String)> {
        let text = |digits: &str| String::from_utf8(HEXLOWER.decode(digits.as_bytes()).ok()?).ok();
        let (rest, name) = subject.rsplit_once('.')?;
        Some((text(rest.rsplit_once('.')?.1)?, text(name)?))
    }

    /// Index entries of an hour since 1970 and of an owner.
    pub(super) fn index(&self, hour: i64, owner: Option<&str>) -> String {
        let owner = owner.map_or_else(|| "*".to_owned(), token);
        format!("{}.index.{hour}.{owner}.*.*", self.prefix)
    }

    /// The index entry of a run.
    pub(super) fn index_entry(&self, owner: Option<&str>, created: i64, run: &RunId) -> String {
        let owner = token(owner.unwrap_or_default());
        let hour = created.div_euclid(3_600_000_000);
        format!("{}.index.{hour}.{owner}.{created}.{run}", self.prefix)
    }

    /// The oldest hour of the index, where it is older than the index itself: runs that were imported.
    pub(super) fn oldest_index(&self) -> String {
        format!("{}.index.oldest", self.prefix)
    }

    /// Ended runs that are kept (`run`), or whose events are kept (`events`).
    pub(super) fn ended(&self, what: &str, run: &str) -> String {
        format!("{}.ended.{what}.{run}", self.prefix)
    }

    pub(super) fn key(&self, owner: Option<&str>, key: &str) -> String {
        format!(
            "{}.key.{}.{}",
            self.prefix,
            token(owner.unwrap_or_default()),
            token(key)
        )
    }

    /// The digests of owner and key in the subject of an idempotency key.
    pub(super) fn key_digests(subject: &str) -> Option<(&str, &str)> {
        let (rest, key) = subject.rsplit_once('.')?;
        Some((rest.rsplit_once('.')?.1, key))
    }

    /// The subject of an idempotency key whose digests are known.
    pub(super) fn key_of_digests(&self, owner: &str, key: &str) -> String {
        format!("{}.key.{owner}.{key}", self.prefix)
    }

    /// Base of a blob's parts.
    pub(super) fn blob(&self, digest: &str) -> String {
        format!("{}.blob.content.{digest}", self.prefix)
    }

    /// Base of the parts of a body of a run; `name` `*` stands for all of them.
    pub(super) fn run_body(&self, run: &RunId, name: &str) -> String {
        format!("{}.blob.{run}.{name}", self.prefix)
    }

    /// The first parts of all bodies of all runs.
    pub(super) fn run_bodies(&self) -> String {
        format!("{}.blob.*.*.0", self.prefix)
    }

    /// Names of all streams.
    pub(super) fn streams(&self) -> Vec<String> {
        let fixed = [
            self.open_stream(),
            self.index_stream(),
            self.blob_stream(),
            self.record_stream(),
        ];
        let logs = (0..LOG_STREAMS).map(|number| self.stream(&format!("log{number}")));
        fixed.into_iter().chain(logs).collect()
    }

    fn wanted(&self, replicas: u8) -> Vec<WantedStream> {
        let prefix = &self.prefix;
        let stream = |name: String, subjects: Vec<String>, extra: Value| {
            let mut config = json!({
                "name": name, "subjects": subjects, "storage": "file", "num_replicas": replicas,
                "retention": "limits", "discard": "new", "max_age": 0, "allow_direct": true, "compression": "s2",
                "allow_rollup_hdrs": false, "deny_delete": false, "deny_purge": false,
                "description": "Huntsman", "metadata": {OURS: LAYOUT_VERSION},
            });
            if let (Value::Object(config), Value::Object(extra)) = (&mut config, extra) {
                config.extend(extra);
            }
            WantedStream { name, config }
        };
        let latest = json!({"max_msgs_per_subject": 1, "allow_msg_ttl": true, "discard": "old"});
        let mut wanted = vec![
            stream(
                self.open_stream(),
                vec![
                    format!("{prefix}.open.*"),
                    format!("{prefix}.session.*"),
                    format!("{prefix}.share.*"),
                ],
                latest.clone(),
            ),
            stream(
                self.index_stream(),
                vec![
                    format!("{prefix}.index.>"),
                    format!("{prefix}.ended.*.*"),
                    format!("{prefix}.key.*.*"),
                    format!("{prefix}.usage.*.*.*"),
                ],
                latest.clone(),
            ),
            stream(
                self.record_stream(),
                vec![format!("{prefix}.record.*.*")],
                latest.clone(),
            ),
            stream(self.blob_stream(), vec![format!("{prefix}.blob.*.*.*")], latest),
        ];
        wanted.extend((0..LOG_STREAMS).map(|number| {
            stream(
                self.stream(&format!("log{number}")),
                vec![
                    format!("{prefix}.log.{number}.*"),
                    format!("{prefix}.sealed.{number}.*.*.*"),
                ],
                json!({"republish": {
                    "src": format!("{prefix}.log.{number}.*"),
                    "dest": format!("{prefix}.tail.{number}.{{{{wildcard(1)}}}}"),
                    "headers_only": true,
                }}),
            )
        }));
        wanted
    }

    /// Makes the streams that are missing and checks those that are there.
    ///
    /// # Errors
    /// [`Error::Cluster`] for a stream of somebody else or of another layout, and for what the servers refuse.
    pub(super) async fn prepare(&self, jetstream: &JetStream, replicas: u8) -> Result<(), Error> {
        let prepared = self
            .wanted(replicas)
            .into_iter()
            .map(|wanted| prepare_stream(jetstream, wanted, replicas));
        futures_util::future::try_join_all(prepared).await.map(drop)
    }
}

#[derive(Deserialize)]
struct StreamInfo {
    config: StreamConfig,
}

#[derive(Deserialize)]
struct StreamConfig {
    #[serde(default)]
    metadata: std::collections::HashMap<String, String>,
    #[serde(default)]
    num_replicas: u8,
}

async fn prepare_stream(jetstream: &JetStream, wanted: WantedStream, replicas: u8) -> Result<(), Error> {
    let WantedStream { name, config } = wanted;
    let info = format!("STREAM.INFO.{name}");
    // The second look is for a stream that another process made in between.
    for _ in 0..2 {
        match jetstream.request::<StreamInfo>(&info, &Value::Null).await {
            Ok(StreamInfo { config }) => return check_stream(&name, &config, replicas),
            Err(Refusal::Missing) => {}
            Err(refusal) => return Err(creation_error(&name, replicas, refusal)),
        }
        let created = jetstream
            .request::<Value>(&format!("STREAM.CREATE.{name}"), &config)
            .await;
        match created {
            Ok(_) => return Ok(()),
            // The name is in use.
            Err(Refusal::Other(code::STREAM_NAME_IN_USE, _)) => {}
            Err(refusal) => return Err(creation_error(&name, replicas, refusal)),
        }
    }
    Err(cluster(format!("the stream {name} can be neither made nor read")))
}

fn check_stream(name: &str, config: &StreamConfig, replicas: u8) -> Result<(), Error> {
    match config.metadata.get(OURS).map(String::as_str) {
        Some(LAYOUT_VERSION) if config.num_replicas == replicas => Ok(()),
        Some(LAYOUT_VERSION) => Err(cluster(format!(
            "the stream {name} has {} replicas and HUNTSMAN_NATS_REPLICAS is {replicas}: set it to {}, or change the \
             streams with `nats stream edit --replicas {replicas}`",
            config.num_replicas, config.num_replicas
        ))),
        Some(other) => Err(cluster(format!(
            "the stream {name} has layout {other}, and this program knows {LAYOUT_VERSION}: use a newer one"
        ))),
        None => Err(foreign(name)),
    }
}

fn foreign(name: &str) -> Error {
    cluster(format!(
        "the stream {name} is not Huntsman's: choose another HUNTSMAN_NATS_PREFIX"
    ))
}

fn creation_error(name: &str, replicas: u8, refusal: Refusal) -> Error {
    cluster(match refusal {
        Refusal::Other(code::REPLICAS_NOT_SUPPORTED | code::NO_PEERS, _) => format!(
            "the NATS servers cannot keep {replicas} replicas: connect {replicas} servers to a cluster, or set \
             HUNTSMAN_NATS_REPLICAS=1 to keep one copy, which is lost with its server"
        ),
        Refusal::Other(code::SUBJECTS_OVERLAP, _) => return foreign(name),
        Refusal::Other(code::NOT_ENABLED | code::NOT_ENABLED_FOR_ACCOUNT, _) => NO_JETSTREAM.into(),
        Refusal::Full => format!("the NATS servers have no room for the stream {name}"),
        Refusal::Other(code, reason) => format!("the stream {name} cannot be made: {reason} ({code})"),
        other => format!("the stream {name} cannot be made: {}", Error::from(other)),
    })
}

/// What is said where JetStream is off.
pub(super) const NO_JETSTREAM: &str = "JetStream is off for this account: start nats-server with `jetstream` in its \
     configuration (or `-js`), and enable it for the account";

pub(super) fn cluster(reason: impl Into<String>) -> Error {
    Error::Cluster {
        reason: reason.into(),
    }
}

/// A text as one token of a subject: half of its SHA-256.
fn token(text: &str) -> String {
    hex(Sha256::digest(text.as_bytes()).get(..16).unwrap_or_default())
}
