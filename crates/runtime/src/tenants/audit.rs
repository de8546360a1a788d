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

/// A line of the log as it is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum AuditLine {
    /// An entry.
    Entry(AuditEntry),
    /// There is an entry, and it cannot be read.
    Unreadable {
        /// Its place in the log.
        id: String,
        /// Says so.
        error: &'static str,
    },
}

impl AuditLine {
    fn read(record: store::records::Record) -> Self {
        match serde_json::from_str::<AuditEntry>(&record.value) {
            Ok(entry) => Self::Entry(AuditEntry {
                id: record.name,
                ..entry
            }),
            Err(error) => {
                tracing::error!(id = record.name, %error, "an entry of the audit log cannot be read");
                Self::Unreadable {
                    id: record.name,
                    error: "this entry cannot be read",
                }
            }
        }
    }

    /// Its place in the log.
    pub fn id(&self) -> &str {
        match self {
            Self::Entry(entry) => &entry.id,
            Self::Unreadable { id, .. } => id,
        }
    }

    /// When, as far as it is known: of an entry that cannot be read, by its place.
    pub fn at(&self) -> Option<Timestamp> {
        match self {
            Self::Entry(entry) => Some(entry.at),
            Self::Unreadable { id, .. } => {
                let millis = id.split('-').next()?.parse().ok()?;
                Timestamp::from_millisecond(millis).ok()
            }
        }
    }
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

    /// At most `limit` lines after the one of this id, the oldest first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn audit_log(&self, after: &str, limit: usize) -> Result<Vec<AuditLine>, ServiceError> {
        let records = self.store().records.list(COLLECTION, after, limit).await?;
        Ok(records.into_iter().map(AuditLine::read).collect())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use store::engines::memory::InMemoryStore;
    use wire::tenancy::TenantLimits;

    use super::*;

    #[tokio::test]
    async fn an_entry_that_cannot_be_read_has_its_place_in_the_log() {
        let store = InMemoryStore::open();
        let tenants = Tenants::new(store.clone(), TenantLimits::default());
        let other = r#"{"of": "another version"}"#.to_owned();
        let written = store.records.put(COLLECTION, "0000000001000-00", other, 0);
        written.await.unwrap();
        let actor = Actor::command_line();
        tenants.audit(&actor, "tenant.create", "ada").await.unwrap();
        let lines = tenants.audit_log("", 9).await.unwrap();
        let [unreadable, AuditLine::Entry(entry)] = lines.as_slice() else {
            panic!("{lines:?}");
        };
        assert_eq!((&*entry.action, &*entry.subject), ("tenant.create", "ada"));
        let shown = json!({"id": "0000000001000-00", "error": "this entry cannot be read"});
        assert_eq!(serde_json::to_value(unreadable).unwrap(), shown);
        assert_eq!(unreadable.at(), Timestamp::from_second(1).ok());
    }
}
