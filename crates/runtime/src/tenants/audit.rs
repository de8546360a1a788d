//! The audit log: who created, changed, rotated, revoked, deleted or exported what. Entries are added and read, never
//! changed.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use wire::Code;

pub use super::records::Actor;
use super::records::busy;
use super::registry::Tenants;
use crate::error::ServiceError;

const COLLECTION: &str = "audit";
/// How often an entry looks for a free name.
const TRIES: usize = 64;

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// Its place in the log. Names sort by time.
    #[serde(default)]
    pub id: String,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// What was done, such as `key.revoke`.
    pub action: String,
    /// The tenant or key that it was done to.
    pub subject: String,
}

impl Tenants {
    /// Adds an entry.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn audit(&self, actor: &Actor, action: &str, subject: &str) -> Result<(), ServiceError> {
        let at = Timestamp::now();
        let entry = AuditEntry {
            id: String::new(),
            at,
            actor: actor.clone(),
            action: action.to_owned(),
            subject: subject.to_owned(),
        };
        let text = serde_json::to_string(&entry)
            .map_err(|error| ServiceError::new(Code::Internal, error.to_string()))?;
        for number in 0..TRIES {
            // As many digits as times have until the year 2286, so that names sort as times do.
            let name = format!("{:013}-{number:02}", at.as_millisecond().max(0));
            let added = self
                .store()
                .records
                .put(COLLECTION, &name, text.clone(), 0)
                .await?;
            if added.is_some() {
                return Ok(());
            }
        }
        Err(busy())
    }

    /// At most `limit` entries after the one of this id, the oldest first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn audit_log(&self, after: &str, limit: usize) -> Result<Vec<AuditEntry>, ServiceError> {
        let records = self.store().records.list(COLLECTION, after, limit).await?;
        let read = |record: store::records::Record| {
            let mut entry: AuditEntry = serde_json::from_str(&record.value).ok()?;
            entry.id = record.name;
            Some(entry)
        };
        Ok(records.into_iter().filter_map(read).collect())
    }
}
