//! Tenants and keys as the store keeps them.

use std::time::Duration;

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use store::Store;
use wire::Code;
use wire::tenancy::{Scope, TenantLimits};
use wire::tenant_policy::TenantPolicy;

use crate::error::ServiceError;

const TENANTS: &str = "tenants";
const KEYS: &str = "keys";
/// Holds a record from the first key on, so that the deletion of all keys does not open the server to everybody.
const FLAGS: &str = "flags";
const KEYS_IN_USE: &str = "keys-in-use";

/// How often a change is tried again that another process got in between.
pub(super) const TRIES: usize = 8;

/// Most tenants and most keys that are listed.
const MAX_LISTED: usize = 10_000;

/// Longest name of a tenant.
const MAX_NAME: usize = 40;

/// A tenant: whose runs, limits and usage are apart from those of others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tenant {
    /// Its name.
    pub name: String,
    /// Its share of the workers beside others that wait too.
    pub weight: u32,
    /// Its own limits.
    #[serde(default)]
    pub limits: TenantLimits,
    /// What its runs may do.
    #[serde(default, skip_serializing_if = "TenantPolicy::is_empty")]
    pub policy: TenantPolicy,
    /// The providers of models that it has its own keys of. The keys are in the vault.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub model_keys: Vec<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// Whether it is being deleted: its keys work no longer, and what is its own goes when its runs have ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deleting: bool,
}

/// An API key, without its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ApiKey {
    /// What names it: the eight characters after its prefix.
    pub id: String,
    /// SHA-256 of its text.
    #[serde(rename = "sha256")]
    pub(super) hash: String,
    /// Whose it is.
    pub tenant: String,
    /// What people call it.
    #[serde(default)]
    pub label: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it stops working.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
    /// When it was used last, to the minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Timestamp>,
    /// The key that replaces it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<String>,
}

impl ApiKey {
    /// What stands for a caller who has shown something else than a key that is in the store.
    pub(super) fn not_stored(id: String, tenant: &str, label: &str, scopes: Vec<Scope>) -> Self {
        Self {
            id,
            hash: String::new(),
            tenant: tenant.to_owned(),
            label: label.to_owned(),
            scopes,
            created_at: Timestamp::UNIX_EPOCH,
            expires_at: None,
            revoked_at: None,
            last_used_at: None,
            replaced_by: None,
        }
    }

    /// Whether it works at this time.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|expiry| now < expiry)
    }

    /// The key as people may see it: everything but the hash.
    pub fn shown(&self) -> serde_json::Value {
        let mut shown = serde_json::to_value(self).unwrap_or_default();
        if let Some(fields) = shown.as_object_mut() {
            fields.remove("sha256");
        }
        shown
    }
}

/// Who acts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actor {
    /// The id of the key; `command-line` for somebody at the machine.
    pub key: String,
    /// The tenant of the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
}

impl Actor {
    /// Somebody at the machine, who may read the store anyway.
    pub fn command_line() -> Self {
        Self {
            key: "command-line".into(),
            tenant: None,
        }
    }
}

/// A limit as a whole number.
pub(super) fn whole(limit: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "limits are positive and far below 2^53"
    )]
    let whole = limit.clamp(0.0, 1e15) as u64;
    whole
}

/// The refusal of what is not there.
pub(super) fn unknown(what: &str, name: &str) -> ServiceError {
    ServiceError::new(Code::NotFound, format!("there is no {what} {name:.60}"))
}

/// The refusal of a change that others always got in between.
pub(super) fn busy() -> ServiceError {
    let text = "somebody else is changing the same; send the request again";
    ServiceError::new(Code::StoreUnavailable, text).again_after(Duration::from_secs(1))
}

/// Checks the name of a new tenant. The names that keys from the environment give their runs are not to be had.
pub(super) fn check_name(name: &str) -> Result<(), ServiceError> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let right = !name.is_empty()
        && name.len() <= MAX_NAME
        && name.bytes().all(plain)
        && !name.starts_with('-')
        && !name.ends_with('-');
    let taken = name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    if right && !taken {
        return Ok(());
    }
    let text = match taken {
        true => {
            "name: 16 hexadecimal digits stand for keys of the environment; choose another name".to_owned()
        }
        false => format!(
            "name: must be 1 to {MAX_NAME} small letters, digits and hyphens, with no hyphen at either end"
        ),
    };
    Err(ServiceError::new(Code::InvalidRequest, text))
}

fn read<T: DeserializeOwned>(value: &str) -> Result<T, ServiceError> {
    serde_json::from_str(value).map_err(|error| {
        tracing::error!(%error, "a record of a tenant or key cannot be read");
        ServiceError::new(
            Code::Internal,
            "a record in the store cannot be read; the log says why",
        )
    })
}

/// A name that no record can have names none.
fn is_name(name: &str) -> bool {
    (1..=MAX_NAME).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

async fn get<T: DeserializeOwned>(
    store: &Store,
    collection: &str,
    name: &str,
) -> Result<Option<(T, u64)>, ServiceError> {
    if !is_name(name) {
        return Ok(None);
    }
    let found = store.records.get(collection, name).await?;
    found
        .map(|record| Ok((read(&record.value)?, record.revision)))
        .transpose()
}

async fn put(
    store: &Store,
    collection: &str,
    name: &str,
    value: &impl Serialize,
    expected: u64,
) -> Result<Option<u64>, ServiceError> {
    let value =
        serde_json::to_string(value).map_err(|error| ServiceError::new(Code::Internal, error.to_string()))?;
    Ok(store.records.put(collection, name, value, expected).await?)
}

async fn list<T: DeserializeOwned>(store: &Store, collection: &str) -> Result<Vec<T>, ServiceError> {
    let records = store.records.list(collection, "", MAX_LISTED).await?;
    records.iter().map(|record| read(&record.value)).collect()
}

pub(super) async fn tenant(store: &Store, name: &str) -> Result<Option<(Tenant, u64)>, ServiceError> {
    get(store, TENANTS, name).await
}

pub(super) async fn tenants(store: &Store) -> Result<Vec<Tenant>, ServiceError> {
    list(store, TENANTS).await
}

pub(super) async fn put_tenant(
    store: &Store,
    tenant: &Tenant,
    expected: u64,
) -> Result<Option<u64>, ServiceError> {
    put(store, TENANTS, &tenant.name, tenant, expected).await
}

pub(super) async fn delete_tenant(store: &Store, name: &str) -> Result<(), ServiceError> {
    store.records.delete(TENANTS, name).await?;
    Ok(())
}

pub(super) async fn key(store: &Store, id: &str) -> Result<Option<(ApiKey, u64)>, ServiceError> {
    get(store, KEYS, id).await
}

pub(super) async fn keys(store: &Store) -> Result<Vec<ApiKey>, ServiceError> {
    list(store, KEYS).await
}

pub(super) async fn put_key(store: &Store, key: &ApiKey, expected: u64) -> Result<Option<u64>, ServiceError> {
    put(store, KEYS, &key.id, key, expected).await
}

pub(super) async fn delete_key(store: &Store, id: &str) -> Result<(), ServiceError> {
    store.records.delete(KEYS, id).await?;
    Ok(())
}

pub(super) async fn keys_in_use(store: &Store) -> Result<bool, ServiceError> {
    Ok(store.records.get(FLAGS, KEYS_IN_USE).await?.is_some())
}

pub(super) async fn note_keys_in_use(store: &Store) -> Result<(), ServiceError> {
    // A second note says nothing new.
    let _ = store.records.put(FLAGS, KEYS_IN_USE, "true".into(), 0).await?;
    Ok(())
}
