//! Records on JetStream: one message a name; its sequence is the revision.

use async_trait::async_trait;
use bytes::Bytes;

use super::api::Refusal;
use super::engine::Nats;
use super::runs::{CLIENT_PATIENCE, retrying};
use crate::Error;
use crate::records::{Record, Records};

/// The header that names the writer's try.
const WRITE: &str = "Hm-Write";

impl Nats {
    async fn stored_record(&self, subject: &str) -> Result<Option<(String, u64, String)>, Error> {
        let stream = self.0.layout.record_stream();
        let found = retrying(CLIENT_PATIENCE, || self.0.jetstream.last(&stream, subject)).await?;
        let Some(message) = found else { return Ok(None) };
        let value = String::from_utf8(message.body.to_vec()).map_err(|error| Error::Damaged {
            reason: format!("a record cannot be read: {error}"),
        })?;
        let write = message.headers.get(WRITE).cloned().unwrap_or_default();
        Ok(Some((value, message.seq, write)))
    }
}

#[async_trait]
impl Records for Nats {
    async fn get(&self, collection: &str, name: &str) -> Result<Option<Record>, Error> {
        let subject = self.0.layout.record(collection, Some(name));
        let stored = self.stored_record(&subject).await?;
        Ok(stored.map(|(value, revision, _)| Record {
            name: name.to_owned(),
            value,
            revision,
        }))
    }

    async fn put(
        &self,
        collection: &str,
        name: &str,
        value: String,
        expected: u64,
    ) -> Result<Option<u64>, Error> {
        let subject = self.0.layout.record(collection, Some(name));
        let write = super::runs::random_name();
        let (headers, body) = ([(WRITE, write.clone())], Bytes::from(value));
        let mut tries = 0;
        loop {
            let put = self
                .0
                .jetstream
                .publish(&subject, Some(expected), &headers, body.clone())
                .await;
            let refusal = match put {
                Ok(revision) => return Ok(Some(revision)),
                Err(refusal @ (Refusal::Stale | Refusal::Unavailable(_))) => refusal,
                Err(refusal) => return Err(refusal.into()),
            };
            // An answer may have been lost on the way; two writers at one moment refuse each other for a while.
            let stored = self.stored_record(&subject).await?;
            match stored {
                Some((_, revision, writer)) if writer == write => return Ok(Some(revision)),
                stored if stored.as_ref().map_or(0, |(_, revision, _)| *revision) != expected => {
                    return Ok(None);
                }
                _ => {}
            }
            tries += 1;
            if tries > 50 {
                return Err(refusal.into());
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }

    async fn delete(&self, collection: &str, name: &str) -> Result<bool, Error> {
        let subject = self.0.layout.record(collection, Some(name));
        if self.stored_record(&subject).await?.is_none() {
            return Ok(false);
        }
        let stream = self.0.layout.record_stream();
        retrying(CLIENT_PATIENCE, || self.0.jetstream.purge(&stream, &subject, 0)).await?;
        Ok(true)
    }

    async fn delete_revision(&self, collection: &str, name: &str, revision: u64) -> Result<bool, Error> {
        let subject = self.0.layout.record(collection, Some(name));
        let is_this = |stored: &Option<(String, u64, String)>| {
            stored.as_ref().is_some_and(|(_, now, _)| *now == revision)
        };
        if !is_this(&self.stored_record(&subject).await?) {
            return Ok(false);
        }
        let stream = self.0.layout.record_stream();
        // A message that comes meanwhile has a later sequence, and stays.
        retrying(CLIENT_PATIENCE, || {
            self.0.jetstream.purge_before(&stream, &subject, revision + 1)
        })
        .await?;
        let stored = self.stored_record(&subject).await?;
        Ok(stored.is_none())
    }

    async fn list(&self, collection: &str, after: &str, limit: usize) -> Result<Vec<Record>, Error> {
        let (stream, filter) = (
            self.0.layout.record_stream(),
            self.0.layout.record(collection, None),
        );
        let subjects = retrying(CLIENT_PATIENCE, || self.0.jetstream.subjects(&stream, &filter)).await?;
        let name = |subject: &String| {
            let digits = subject.rsplit('.').next()?.as_bytes();
            let pairs = digits.chunks_exact(2);
            let bytes: Option<Vec<u8>> = pairs
                .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
                .collect();
            String::from_utf8(bytes?).ok()
        };
        let mut names: Vec<String> = subjects.iter().filter_map(name).collect();
        names.retain(|name| name.as_str() > after);
        names.sort_unstable();
        let mut records = Vec::new();
        for name in names {
            if records.len() >= limit {
                break;
            }
            records.extend(Records::get(self, collection, &name).await?);
        }
        Ok(records)
    }
}
