//! `Secrets`: the vault: values by name that runs fill into fields, set once and never shown again.

use agents::session::{RunSecret, SecretValue};
use agents::totp::TotpSecret;
use serde::{Deserialize, Serialize};
use store::Store;
use store::vault::{RecordKey, RecordKind, RecordSummary, WriteCondition};
use wire::Code;
use wire::run::JobRequest;
use wire::vault::{SecretKind, SecretList, SecretSummary, SetSecret};

use crate::error::ServiceError;

/// Most secrets of one owner.
const MAX_SECRETS: usize = 1_000;
/// How often a write is tried again because another one came before it.
const WRITE_ATTEMPTS: usize = 20;

/// The vault of a store. Cheap to clone.
#[derive(Clone)]
pub struct Secrets {
    store: Store,
}

/// What is kept of a secret beside its value.
#[derive(Debug, Default, Serialize, Deserialize)]
struct SecretFacts {
    kind: SecretKind,
    sites: Vec<String>,
}

fn key(owner: &str, name: &str) -> RecordKey {
    RecordKey {
        owner: owner.to_owned(),
        kind: RecordKind::Secret,
        name: name.to_owned(),
    }
}

fn unknown(field: &str) -> ServiceError {
    let text =
        format!("{field}: there is no secret of this name; huntsman vault list and GET /v1/vault list yours");
    ServiceError::new(Code::NotFound, text)
}

fn summary(record: &RecordSummary) -> SecretSummary {
    let facts: SecretFacts = serde_json::from_str(&record.facts).unwrap_or_default();
    SecretSummary {
        name: record.name.clone(),
        kind: facts.kind,
        sites: facts.sites,
        created_at: record.created_at,
        updated_at: record.updated_at,
    }
}

impl Secrets {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }

    /// The secrets of an owner, by name, without their values.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn list(&self, owner: &str) -> Result<SecretList, ServiceError> {
        let records = self.store.vault.list(owner, RecordKind::Secret).await?;
        Ok(SecretList {
            secrets: records.iter().map(summary).collect(),
        })
    }

    /// Sets a secret; one of this name is replaced.
    ///
    /// # Errors
    /// When the name is none, or a secret of one-time passwords is none. The text never holds the value.
    pub async fn set(
        &self,
        owner: &str,
        name: &str,
        request: SetSecret,
    ) -> Result<SecretSummary, ServiceError> {
        wire::profile::check_name("name", name)
            .map_err(|refusal| ServiceError::new(refusal.code, refusal.text()))?;
        let SetSecret { value, kind, sites } = request;
        if kind == SecretKind::Totp
            && let Err(why) = TotpSecret::parse(&value)
        {
            return Err(ServiceError::new(Code::InvalidRequest, format!("value: {why}")));
        }
        let unwritable = |_| ServiceError::new(Code::Internal, "the secret cannot be written");
        let facts = serde_json::to_string(&SecretFacts { kind, sites }).map_err(unwritable)?;
        let key = key(owner, name);
        for _ in 0..WRITE_ATTEMPTS {
            let present = self.store.vault.read(&key).await?;
            let condition = match present {
                Some(record) => WriteCondition::Generation(record.summary.generation),
                None => WriteCondition::Absent { limit: MAX_SECRETS },
            };
            if self
                .store
                .vault
                .write(&key, &facts, &value, condition)
                .await?
                .is_some()
            {
                let written = self.store.vault.read(&key).await?;
                return written
                    .map(|record| summary(&record.summary))
                    .ok_or_else(|| unknown("name"));
            }
        }
        let text = format!("name: {name} is being written by others; try again");
        Err(ServiceError::new(Code::Conflict, text))
    }

    /// Deletes a secret.
    ///
    /// # Errors
    /// When the owner has none of this name.
    pub async fn delete(&self, owner: &str, name: &str) -> Result<(), ServiceError> {
        match self.store.vault.delete(&key(owner, name)).await? {
            true => Ok(()),
            false => Err(unknown("name")),
        }
    }

    /// The secrets that a job may fill in.
    ///
    /// # Errors
    /// When the owner has none of a name, or a key is missing.
    pub(crate) async fn open(&self, owner: &str, job: &JobRequest) -> Result<Vec<RunSecret>, ServiceError> {
        let JobRequest::Automate(request) = job else {
            return Ok(Vec::new());
        };
        let mut secrets = Vec::new();
        for (as_key, name) in &request.secrets {
            let field = format!("secrets.{as_key}");
            let record = self.store.vault.read(&key(owner, name)).await?;
            let record = record.ok_or_else(|| unknown(&field))?;
            let unreadable = |why: &str| ServiceError::new(Code::SecretUnreadable, format!("{field}: {why}"));
            let value = record.value.map_err(|error| {
                tracing::error!(%error, "a secret cannot be decrypted");
                unreadable("the secret is encrypted with a key that is missing: set it again")
            })?;
            let about = summary(&record.summary);
            secrets.push(RunSecret {
                key: as_key.clone(),
                sites: about.sites,
                value: match about.kind {
                    SecretKind::Text | SecretKind::Password => SecretValue::Text(value),
                    SecretKind::Totp => SecretValue::Totp(TotpSecret::parse(&value).map_err(unreadable)?),
                },
            });
        }
        Ok(secrets)
    }
}
