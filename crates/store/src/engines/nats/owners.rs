//! Shares, usage and stored bytes of owners on JetStream. What a run used is one message of the run's name, so that writing
//! it again after a fault adds nothing.

use std::collections::BTreeMap;

use async_trait::async_trait;
use bytes::Bytes;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use serde_json::json;
use wire::RunId;

use super::engine::{Nats, NatsInner};
use super::runs::{CLIENT_PATIENCE, random_name, retrying};
use super::state::RunState;
use crate::Error;
use crate::jobs::JobQuery;
use crate::owners::{Owners, UsageAmounts, UsageKey, UsageQuery, UsageTotal};
use crate::shares::OwnerShare;

/// How long the default share of a forgotten owner stays for those who follow.
const TOMBSTONE_TTL: &str = "10s";

/// The share of an owner, as it is stored.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredShare {
    pub(super) owner: String,
    weight: u32,
    #[serde(default)]
    running: Option<u32>,
}

impl StoredShare {
    pub(super) fn share(&self) -> OwnerShare {
        OwnerShare {
            weight: self.weight,
            running: self.running,
        }
    }
}

/// What was used, as it is stored.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredUsage {
    pub(super) owner: String,
    pub(super) day: Date,
    key: String,
    kind: String,
    /// Model and amounts.
    used: Vec<(String, [u64; 7])>,
}

impl NatsInner {
    /// Adds what a run used to the usage of its owner.
    pub(super) async fn meter(
        &self,
        run: &RunId,
        state: &RunState,
        metered: &[(String, [u64; 7])],
    ) -> Result<(), Error> {
        if metered.is_empty() {
            return Ok(());
        }
        let finished = state.finished.unwrap_or(state.created);
        let finished = Timestamp::from_microsecond(finished).unwrap_or(Timestamp::UNIX_EPOCH);
        let usage = StoredUsage {
            owner: state.owner.clone().unwrap_or_default(),
            day: finished.to_zoned(TimeZone::UTC).date(),
            key: state.account.clone().unwrap_or_default(),
            kind: state.kind.as_str().to_owned(),
            used: metered.to_vec(),
        };
        self.put_usage(&usage, run.as_str()).await
    }

    async fn put_usage(&self, usage: &StoredUsage, name: &str) -> Result<(), Error> {
        let subject = self
            .layout
            .usage(Some(&usage.owner), &usage.day.to_string(), name);
        let body = Bytes::from(json!(usage).to_string());
        retrying(CLIENT_PATIENCE, || {
            self.jetstream.publish(&subject, None, &[], body.clone())
        })
        .await
        .map(drop)
    }
}

impl Nats {
    /// Stores the share of an owner and takes it in here.
    pub(super) async fn publish_share(&self, owner: &str, share: OwnerShare) -> Result<(), Error> {
        self.put_share(owner, share, &[]).await
    }

    async fn put_share(
        &self,
        owner: &str,
        share: OwnerShare,
        headers: &[(&'static str, String)],
    ) -> Result<(), Error> {
        let stored = StoredShare {
            owner: owner.to_owned(),
            weight: share.weight,
            running: share.running,
        };
        let (subject, body) = (
            self.0.layout.share(Some(owner)),
            Bytes::from(json!(stored).to_string()),
        );
        retrying(CLIENT_PATIENCE, || {
            self.0.jetstream.publish(&subject, None, headers, body.clone())
        })
        .await?;
        self.0.open_runs().set_share(owner, share);
        self.0.notifier.notify_jobs();
        Ok(())
    }

    fn query(owner: &str, limit: usize) -> JobQuery {
        JobQuery {
            owner: Some(owner.to_owned()),
            status: None,
            before: None,
            limit,
        }
    }
}

#[async_trait]
impl Owners for Nats {
    async fn set_share(&self, owner: &str, share: OwnerShare) -> Result<(), Error> {
        self.publish_share(owner, share).await
    }

    async fn add_usage(&self, used: Vec<UsageTotal>) -> Result<(), Error> {
        for UsageTotal { key, amounts } in used {
            let usage = StoredUsage {
                owner: key.owner,
                day: key.day,
                key: key.key,
                kind: key.kind,
                used: vec![(key.model, amounts.as_array())],
            };
            self.0.put_usage(&usage, &random_name()).await?;
        }
        Ok(())
    }

    async fn usage(&self, query: UsageQuery) -> Result<Vec<UsageTotal>, Error> {
        let stream = self.0.layout.index_stream();
        let filter = self.0.layout.usage(query.owner.as_deref(), "*", "*");
        let mut totals: BTreeMap<UsageKey, UsageAmounts> = BTreeMap::new();
        let mut from = 1;
        loop {
            let batch = retrying(CLIENT_PATIENCE, || self.0.jetstream.batch(&stream, &filter, from));
            let (messages, more) = batch.await?;
            for message in &messages {
                from = message.seq + 1;
                let stored: StoredUsage =
                    serde_json::from_slice(&message.body).map_err(|error| Error::Damaged {
                        reason: format!("{}: {error}", message.subject),
                    })?;
                if stored.day < query.from || stored.day > query.to {
                    continue;
                }
                for (model, amounts) in stored.used {
                    let key = UsageKey {
                        owner: stored.owner.clone(),
                        day: stored.day,
                        key: stored.key.clone(),
                        kind: stored.kind.clone(),
                        model,
                    };
                    totals
                        .entry(key)
                        .or_default()
                        .add(&UsageAmounts::from_array(amounts));
                }
            }
            if !more || messages.is_empty() {
                break;
            }
        }
        let total = |(key, amounts)| UsageTotal { key, amounts };
        Ok(totals.into_iter().map(total).collect())
    }

    async fn stored_bytes(&self, owner: &str) -> Result<u64, Error> {
        let runs = self.newest(&Self::query(owner, usize::MAX)).await?;
        Ok(runs.iter().map(|(_, state)| state.bytes).sum())
    }

    async fn forget(&self, owner: &str) -> Result<bool, Error> {
        if !self.newest(&Self::query(owner, 1)).await?.is_empty() {
            return Ok(false);
        }
        let (stream, all) = (
            self.0.layout.index_stream(),
            self.0.layout.usage(Some(owner), "*", "*"),
        );
        retrying(CLIENT_PATIENCE, || self.0.jetstream.purge(&stream, &all, 0)).await?;
        let headers = [("Nats-TTL", TOMBSTONE_TTL.to_owned())];
        self.put_share(owner, OwnerShare::default(), &headers).await?;
        Ok(true)
    }
}
