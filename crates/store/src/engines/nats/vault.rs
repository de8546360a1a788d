//! The vault on JetStream: a record for each value, sealed with the keys of the cluster.
//!
//! The stream of records keeps the last message of a name only, so a value that was replaced is gone with the write.

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::engine::Nats;
use crate::Error;
use crate::keyring::{hex, key_id};
use crate::records::{self, Records};
use crate::vault::{Record, RecordKey, RecordKind, RecordSummary, Vault, WriteCondition};

/// Most records of one kind that are listed.
const LISTED: usize = 10_000;

/// What is stored of a record.
#[derive(Serialize, Deserialize)]
struct Stored {
    generation: u64,
    facts: String,
    /// The sealed value, in base64.
    sealed: String,
    /// Milliseconds since 1970.
    created_at: i64,
    updated_at: i64,
}

impl Stored {
    fn read(record: &records::Record) -> Result<Self, Error> {
        serde_json::from_str(&record.value).map_err(|error| Error::Damaged {
            reason: format!("a record of the vault cannot be read: {error}"),
        })
    }

    fn summary(&self, record: &records::Record) -> RecordSummary {
        RecordSummary {
            name: record.name.clone(),
            facts: self.facts.clone(),
            generation: self.generation,
            created_at: Timestamp::from_millisecond(self.created_at).unwrap_or_default(),
            updated_at: Timestamp::from_millisecond(self.updated_at).unwrap_or_default(),
        }
    }
}

/// The collection of an owner's values of one kind.
fn collection(owner: &str, kind: RecordKind) -> String {
    format!("{COLLECTIONS}{}-{}", kind.as_str(), hex(owner.as_bytes()))
}

/// What the collections of the vault begin with.
const COLLECTIONS: &str = "vault-";

impl Nats {
    /// Whether a record is a value of the vault that no key of this process opens.
    pub(super) fn lacks_key(&self, collection: &str, value: &str) -> bool {
        let stored = collection
            .starts_with(COLLECTIONS)
            .then(|| serde_json::from_str::<Stored>(value).ok())
            .flatten();
        let sealed = stored.and_then(|stored| BASE64.decode(stored.sealed).ok());
        sealed.is_some_and(|sealed| key_id(&sealed).is_none_or(|id| !self.0.keys.knows(&id)))
    }
}

#[async_trait]
impl Vault for Nats {
    async fn write(
        &self,
        key: &RecordKey,
        facts: &str,
        value: &str,
        condition: WriteCondition,
    ) -> Result<Option<u64>, Error> {
        let collection = collection(&key.owner, key.kind);
        let present = Records::get(self, &collection, &key.name).await?;
        let now = Timestamp::now().as_millisecond();
        let stored = present.as_ref().map(Stored::read).transpose()?;
        let revision = present.as_ref().map_or(0, |record| record.revision);
        let (generation, created_at) = match (condition, stored) {
            (WriteCondition::Absent { limit }, None) => {
                if Records::list(self, &collection, "", limit).await?.len() >= limit {
                    return Err(Error::VaultFull { limit });
                }
                (1, now)
            }
            (WriteCondition::Generation(expected), Some(stored)) if stored.generation == expected => {
                (expected + 1, stored.created_at)
            }
            (WriteCondition::Absent { .. }, Some(_)) | (WriteCondition::Generation(_), _) => return Ok(None),
        };
        let stored = Stored {
            generation,
            facts: facts.to_owned(),
            sealed: BASE64.encode(self.0.keys.seal(&key.context(), value)?),
            created_at,
            updated_at: now,
        };
        let text = serde_json::to_string(&stored).map_err(|error| Error::Damaged {
            reason: format!("a record of the vault cannot be written: {error}"),
        })?;
        let written = Records::put(self, &collection, &key.name, text, revision).await?;
        Ok(written.map(|_| generation))
    }

    async fn read(&self, key: &RecordKey) -> Result<Option<Record>, Error> {
        let found = Records::get(self, &collection(&key.owner, key.kind), &key.name).await?;
        let Some(record) = found else { return Ok(None) };
        let stored = Stored::read(&record)?;
        let sealed = BASE64.decode(&stored.sealed).map_err(|error| Error::Damaged {
            reason: format!("a value of the vault cannot be read: {error}"),
        });
        Ok(Some(Record {
            summary: stored.summary(&record),
            value: sealed.and_then(|sealed| self.0.keys.unseal(&key.context(), &sealed)),
        }))
    }

    async fn list(&self, owner: &str, kind: RecordKind) -> Result<Vec<RecordSummary>, Error> {
        let records = Records::list(self, &collection(owner, kind), "", LISTED).await?;
        records
            .iter()
            .map(|record| Ok(Stored::read(record)?.summary(record)))
            .collect()
    }

    async fn delete(&self, key: &RecordKey) -> Result<bool, Error> {
        Records::delete(self, &collection(&key.owner, key.kind), &key.name).await
    }
}
