//! `TenantServices`: the services of the process as each tenant may use them, and the keys of tenants for models.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use agents::services::AgentServices;
use agents::tenant_policy::OwnKeys;
use store::Store;
use store::vault::{RecordKey, RecordKind, WriteCondition};
use wire::Code;
use wire::tenancy::TenantRequest;
use wire::tenant_policy::{ModelKey, ModelKeys};

use super::identity_cache::{IdentityCache, StoredTenant};
use super::records::{TRIES, busy};
use crate::error::ServiceError;

/// Most tenants whose services are kept ready.
const MAX_READY: usize = 256;
/// Most keys of models of one tenant.
const MAX_MODEL_KEYS: usize = 20;

/// Makes services for tenants, and keeps them until the tenant changes.
pub(crate) struct TenantServices {
    store: Store,
    known: Arc<IdentityCache>,
    base: AgentServices,
    ready: Mutex<HashMap<String, ReadyServices>>,
}

struct ReadyServices {
    /// The revision of the tenant's record that they were made from.
    revision: u64,
    services: AgentServices,
}

impl TenantServices {
    pub(crate) fn new(store: Store, known: Arc<IdentityCache>, base: AgentServices) -> Self {
        Self {
            store,
            known,
            base,
            ready: Mutex::default(),
        }
    }

    /// The services under the policy that the owner of a run has now, or had a moment ago where another process changed it. An owner that is no tenant of the store has no policy.
    ///
    /// # Errors
    /// When the policy or a key cannot be read: nothing is done without them.
    pub(crate) async fn of(&self, owner: &str) -> Result<AgentServices, ServiceError> {
        // Nobody in particular is no tenant.
        if owner.is_empty() {
            return Ok(self.base.clone());
        }
        let Some(StoredTenant { tenant, revision }) = self.known.tenant(&self.store, owner).await? else {
            return Ok(self.base.clone());
        };
        if tenant.policy.is_empty() && tenant.model_keys.is_empty() {
            return Ok(self.base.clone());
        }
        if let Some(ready) = self.ready().get(owner).filter(|ready| ready.revision == revision) {
            return Ok(ready.services.clone());
        }
        let keys = read_keys(&self.store, owner, &tenant.model_keys).await?;
        let services = self.base.under(&tenant.policy, &keys)?;
        let mut ready = self.ready();
        if ready.len() >= MAX_READY {
            ready.clear();
        }
        let made = ReadyServices {
            revision,
            services: services.clone(),
        };
        ready.insert(owner.to_owned(), made);
        Ok(services)
    }

    fn ready(&self) -> std::sync::MutexGuard<'_, HashMap<String, ReadyServices>> {
        self.ready.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Checks the policy and the keys of a request about a tenant against the tools and providers that there are.
///
/// # Errors
/// Naming the field that is wrong.
pub fn check_policy(request: &TenantRequest, tools: &tools::Registry) -> Result<(), ServiceError> {
    let checked = agents::tenant_policy::check_policy(&request.policy, request.model_keys.keys(), tools);
    checked.map_err(ServiceError::from)
}

fn record(tenant: &str, provider: &str) -> RecordKey {
    RecordKey {
        owner: tenant.to_owned(),
        kind: RecordKind::ModelKey,
        name: provider.to_owned(),
    }
}

pub(super) async fn read_keys(
    store: &Store,
    tenant: &str,
    providers: &[String],
) -> Result<OwnKeys, ServiceError> {
    let mut keys = OwnKeys::new();
    for provider in providers {
        let unreadable = || {
            let text =
                format!("the tenant's key of {provider} cannot be read; the operator can set it again");
            ServiceError::new(Code::SecretUnreadable, text)
        };
        let found = store.vault.read(&record(tenant, provider)).await?;
        let value = found.ok_or_else(unreadable)?.value.map_err(|_| unreadable())?;
        let key = ModelKey::new(&value).map_err(|_| unreadable())?;
        keys.insert(provider.clone(), key);
    }
    Ok(keys)
}

/// Writes the keys that are given, encrypted as secrets are.
pub(super) async fn write_keys(store: &Store, tenant: &str, keys: &ModelKeys) -> Result<(), ServiceError> {
    for (provider, key) in keys
        .iter()
        .filter_map(|(provider, key)| Some((provider, key.as_ref()?)))
    {
        write_key(store, &record(tenant, &provider.to_lowercase()), key).await?;
    }
    Ok(())
}

async fn write_key(store: &Store, record: &RecordKey, key: &ModelKey) -> Result<(), ServiceError> {
    for _ in 0..TRIES {
        let condition = match store.vault.read(record).await? {
            Some(present) => WriteCondition::Generation(present.summary.generation),
            None => WriteCondition::Absent {
                limit: MAX_MODEL_KEYS,
            },
        };
        let written = store.vault.write(record, "{}", key.reveal(), condition).await?;
        if written.is_some() {
            return Ok(());
        }
    }
    Err(busy())
}

/// Deletes the keys that are taken away.
pub(super) async fn delete_keys(store: &Store, tenant: &str, keys: &ModelKeys) -> Result<(), ServiceError> {
    for (provider, _) in keys.iter().filter(|(_, key)| key.is_none()) {
        store
            .vault
            .delete(&record(tenant, &provider.to_lowercase()))
            .await?;
    }
    Ok(())
}

/// The providers that a tenant has keys of after a change.
pub(super) fn providers(mut before: Vec<String>, keys: &ModelKeys) -> Vec<String> {
    for (provider, key) in keys {
        let provider = provider.to_lowercase();
        before.retain(|known| *known != provider);
        if key.is_some() {
            before.push(provider);
        }
    }
    before.sort_unstable();
    before
}

/// Shared by the parts of a process that do work for tenants.
pub(crate) type SharedTenantServices = Arc<TenantServices>;
