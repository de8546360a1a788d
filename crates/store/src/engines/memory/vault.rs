//! Named values, in memory only.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use jiff::Timestamp;

use crate::Error;
use crate::vault::{Record, RecordKey, RecordKind, RecordSummary, Vault, WriteCondition};

/// The records of a store without a disk.
#[derive(Debug, Default)]
pub(super) struct InMemoryVault(Mutex<BTreeMap<RecordKey, Record>>);

impl InMemoryVault {
    fn records(&self) -> MutexGuard<'_, BTreeMap<RecordKey, Record>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Vault for InMemoryVault {
    async fn write(
        &self,
        key: &RecordKey,
        facts: &str,
        value: &str,
        condition: WriteCondition,
    ) -> Result<Option<u64>, Error> {
        let mut records = self.records();
        let present = records
            .get(key)
            .map(|it| (it.summary.generation, it.summary.created_at));
        let now = Timestamp::now();
        let (generation, created_at) = match (condition, present) {
            (WriteCondition::Absent { limit }, None) => {
                let is_same = |it: &&RecordKey| it.owner == key.owner && it.kind == key.kind;
                if records.keys().filter(is_same).count() >= limit {
                    return Err(Error::VaultFull { limit });
                }
                (1, now)
            }
            (WriteCondition::Generation(expected), Some((present, created_at))) if present == expected => {
                (expected + 1, created_at)
            }
            (WriteCondition::Absent { .. }, Some(_)) | (WriteCondition::Generation(_), _) => return Ok(None),
        };
        let record = Record {
            summary: RecordSummary {
                name: key.name.clone(),
                facts: facts.to_owned(),
                generation,
                created_at,
                updated_at: now,
            },
            value: Ok(value.to_owned()),
        };
        records.insert(key.clone(), record);
        Ok(Some(generation))
    }

    async fn read(&self, key: &RecordKey) -> Result<Option<Record>, Error> {
        Ok(self.records().get(key).cloned())
    }

    async fn list(&self, owner: &str, kind: RecordKind) -> Result<Vec<RecordSummary>, Error> {
        let records = self.records();
        let of_owner = records
            .iter()
            .filter(|(key, _)| key.owner == owner && key.kind == kind);
        Ok(of_owner.map(|(_, record)| record.summary.clone()).collect())
    }

    async fn delete(&self, key: &RecordKey) -> Result<bool, Error> {
        Ok(self.records().remove(key).is_some())
    }
}
