//! `Tenants`: creates and changes tenants and keys, and says whose key is presented.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use jiff::{SignedDuration, Timestamp};
use store::Store;
use store::blobs::Digest;
use store::shares::OwnerShare;
use wire::Code;
use wire::tenancy::{KeyRequest, RotateRequest, Scope, TenantLimits, TenantRequest};
use wire::tenant_policy::TenantPolicy;

use super::clock::SteadyClock;
use super::identity_cache::{FRESH, IdentityCache, ReadBegan, StoredTenant};
use super::key_text::{self, KeyText};
use super::known_usage::KnownUsage;
use super::policy;
use super::rate_limit::RateLimiter;
use super::records::{self, Actor, ApiKey, TRIES, Tenant, busy, unknown, whole};
use crate::config::Secret;
use crate::error::ServiceError;
use crate::run_removal::RunRemoval;

/// How often the last use of a key is written down.
const LAST_USE: SignedDuration = SignedDuration::from_secs(60);

/// The tenants of a store. Cheap to clone; clones are the same one.
#[derive(Clone)]
pub struct Tenants(Arc<TenantsInner>);

struct TenantsInner {
    runs: RunRemoval,
    defaults: TenantLimits,
    cache: Arc<IdentityCache>,
    in_use: Mutex<Option<(Instant, bool)>>,
    rates: RateLimiter,
    clock: SteadyClock,
    /// When it was counted how many bytes a tenant stores, and how many.
    stored: Mutex<HashMap<String, (Instant, u64)>>,
    /// What a tenant had used a moment ago.
    used: Mutex<HashMap<String, KnownUsage>>,
}

/// A key that was presented, and whose it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Identity {
    /// The key.
    pub key: Arc<ApiKey>,
    /// Its tenant.
    pub tenant: Arc<Tenant>,
}

/// A key that was found right a moment ago. `Debug` shows no secret.
#[derive(Debug)]
pub struct CheckedKey {
    text: KeyText,
    identity: Identity,
    /// When what the check is based on was read, where another check may be spared.
    read: Option<ReadBegan>,
}

impl CheckedKey {
    /// Whose key it is.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }
}

/// A key that was just made. Its text is nowhere else.
#[derive(Debug)]
pub struct NewKey {
    /// The text to present.
    pub text: Secret,
    /// The key as it is kept.
    pub key: ApiKey,
}

impl Tenants {
    /// The tenants of a store, whose limits are these where they have none of their own.
    pub fn new(store: Store, defaults: TenantLimits) -> Self {
        Self::with_cache(RunRemoval::new(store, None), defaults, Arc::default())
    }

    /// The same, for a store whose pictures of pages are in this folder.
    pub fn with_pictures(store: Store, defaults: TenantLimits, folder: PathBuf) -> Self {
        Self::with_cache(RunRemoval::new(store, Some(folder)), defaults, Arc::default())
    }

    /// The same, with the keys and tenants that the process has read.
    pub(crate) fn with_cache(runs: RunRemoval, defaults: TenantLimits, cache: Arc<IdentityCache>) -> Self {
        Self(Arc::new(TenantsInner {
            runs,
            defaults,
            cache,
            in_use: Mutex::default(),
            rates: RateLimiter::default(),
            clock: SteadyClock::default(),
            stored: Mutex::default(),
            used: Mutex::default(),
        }))
    }

    pub(super) fn store(&self) -> &Store {
        self.0.runs.store()
    }

    /// What deletes runs with their pictures.
    pub(super) fn runs(&self) -> &RunRemoval {
        &self.0.runs
    }

    fn cache(&self) -> &IdentityCache {
        &self.0.cache
    }

    /// Forgets what was read of keys and tenants.
    pub(super) fn forget_cached(&self) {
        self.cache().forget_all();
        self.known_usage().clear();
    }

    pub(super) fn defaults(&self) -> &TenantLimits {
        &self.0.defaults
    }

    pub(super) fn known_stored(&self) -> MutexGuard<'_, HashMap<String, (Instant, u64)>> {
        self.0.stored.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn known_usage(&self) -> MutexGuard<'_, HashMap<String, KnownUsage>> {
        self.0.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time, by which keys expire and days begin.
    pub(super) fn now(&self) -> Timestamp {
        self.0.clock.now()
    }

    pub(super) fn rates(&self) -> &RateLimiter {
        &self.0.rates
    }

    /// Whether a key was ever made: from then on nobody comes in without one.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn have_keys(&self) -> Result<bool, ServiceError> {
        let last = *self.0.in_use.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((read_at, in_use)) = last
            && (in_use || read_at.elapsed() < FRESH)
        {
            return Ok(in_use);
        }
        let in_use = records::keys_in_use(self.store()).await?;
        *self.0.in_use.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), in_use));
        Ok(in_use)
    }

    /// The key of a text, with whose it is; none when it is malformed, unknown, expired or revoked, or its tenant is being
    /// deleted. Hashes are compared to their ends.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn authenticate(&self, text: &str) -> Result<Option<CheckedKey>, ServiceError> {
        let Some(presented) = KeyText::parse(text) else {
            return Ok(None);
        };
        let Some((identity, read)) = self.identity(presented.id()).await? else {
            return Ok(None);
        };
        let now = self.now();
        let is_right = key_text::same(identity.key.hash.as_bytes(), &presented.hash().digits());
        if !is_right || !identity.key.is_valid(now) || identity.tenant.deleting {
            return Ok(None);
        }
        self.note_use(&identity, now);
        Ok(Some(CheckedKey {
            text: presented,
            identity,
            read,
        }))
    }

    /// Whether a key that was checked a moment ago is the one of this text and still opens: nothing about it is read or
    /// computed anew, so that a client pays once a second for the check of a key that it goes on showing.
    pub fn still_opens(&self, checked: &CheckedKey, text: &str) -> bool {
        let is_current = checked.read.is_some_and(|read| self.cache().is_current(read));
        let expires = checked.identity.key.expires_at.is_some();
        is_current && checked.text.is(text) && (!expires || checked.identity.key.is_valid(self.now()))
    }

    /// A key of this id and its tenant, with when both were read where that was not just now.
    async fn identity(&self, id: &str) -> Result<Option<(Identity, Option<ReadBegan>)>, ServiceError> {
        let began = self.cache().begin_read();
        if let Some(cached) = self.cache().key_with_tenant(id, began) {
            let (key, read) = (cached.key, Some(cached.read));
            let identity = |tenant| (Identity { key, tenant }, read);
            return Ok(cached.tenant.map(identity));
        }
        let Some(key) = self.read_key(id).await? else {
            return Ok(None);
        };
        let stored = self.cache().tenant(self.store(), &key.tenant).await?;
        let identity = |stored: StoredTenant| Identity {
            key,
            tenant: stored.tenant,
        };
        Ok(stored.map(|stored| (identity(stored), None)))
    }

    /// Whom an access token for a tenant stands for; none where there is no such tenant, or it is being deleted.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn identity_of_token(
        &self,
        tenant: &str,
        subject: &str,
        scopes: Vec<Scope>,
    ) -> Result<Option<Identity>, ServiceError> {
        let stored = self.cache().tenant(self.store(), tenant).await?;
        let found = stored
            .map(|stored| stored.tenant)
            .filter(|tenant| !tenant.deleting);
        Ok(found.map(|tenant| Identity::of_token(tenant, subject, scopes)))
    }

    async fn read_key(&self, id: &str) -> Result<Option<Arc<ApiKey>>, ServiceError> {
        let began = self.cache().begin_read();
        let found = records::key(self.store(), id).await?;
        let key = found.map(|(key, _)| Arc::new(key));
        if let Some(key) = &key {
            self.cache().keep_key(began, key);
        }
        Ok(key)
    }

    /// Writes the last use of a key down, unless that was done lately. A use that cannot be written down is let go.
    fn note_use(&self, identity: &Identity, now: Timestamp) {
        let noted = identity.key.last_used_at;
        if noted.is_some_and(|noted| now.duration_since(noted).abs() < LAST_USE) {
            return;
        }
        let used = ApiKey {
            last_used_at: Some(now),
            ..(*identity.key).clone()
        };
        let id = used.id.clone();
        self.cache().replace_key(used);
        let tenants = self.clone();
        tokio::spawn(async move {
            let use_now = |key: &mut ApiKey| {
                key.last_used_at = Some(now);
                Ok(())
            };
            let noted = tenants.change_key(&id, use_now).await;
            if let Err(error) = noted {
                tracing::debug!(%error, "the last use of a key was not written down");
            }
        });
    }

    /// Creates a tenant.
    ///
    /// # Errors
    /// When the name is none or taken, or the store fails.
    pub async fn create(&self, actor: &Actor, request: &TenantRequest) -> Result<Tenant, ServiceError> {
        let name = request.name.clone().unwrap_or_default();
        records::check_name(&name)?;
        let taken = || {
            let text = format!("name: there is a tenant {name} already");
            ServiceError::new(Code::Conflict, text)
        };
        if records::tenant(self.store(), &name).await?.is_some() {
            return Err(taken());
        }
        let mut tenant = Tenant {
            name: name.clone(),
            weight: request.weight.unwrap_or(1),
            limits: request.limits,
            policy: TenantPolicy::default().changed(&request.policy),
            model_keys: policy::providers(Vec::new(), &request.model_keys),
            created_at: self.now(),
            deleting: false,
        };
        // The name is taken first, so that of two requests for it only one writes keys, and the record names a key only when the
        // key is there.
        let model_keys = std::mem::take(&mut tenant.model_keys);
        let Some(revision) = records::put_tenant(self.store(), &tenant, 0).await? else {
            return Err(taken());
        };
        if !model_keys.is_empty() {
            if let Err(error) = policy::write_keys(self.store(), &tenant.name, &request.model_keys).await {
                records::delete_tenant(self.store(), &tenant.name).await?;
                return Err(error);
            }
            tenant.model_keys = model_keys;
            if records::put_tenant(self.store(), &tenant, revision)
                .await?
                .is_none()
            {
                return Err(busy());
            }
        }
        self.share(&tenant).await?;
        self.forget_cached();
        self.audit(actor, "tenant.create", &tenant.name).await?;
        Ok(tenant)
    }

    /// Changes the weight, the limits, the rules and the keys that are given; at once, also for runs that wait.
    ///
    /// # Errors
    /// When there is no such tenant, or the store fails.
    pub async fn change(
        &self,
        actor: &Actor,
        name: &str,
        request: &TenantRequest,
    ) -> Result<Tenant, ServiceError> {
        if request.name.as_ref().is_some_and(|new| new != name) {
            return Err(ServiceError::new(
                Code::InvalidRequest,
                "name: a tenant keeps its name",
            ));
        }
        // The record names a key only when the key is there.
        self.stored(name).await?;
        policy::write_keys(self.store(), name, &request.model_keys).await?;
        for _ in 0..TRIES {
            let (mut tenant, revision) = self.stored(name).await?;
            tenant.policy = tenant.policy.changed(&request.policy);
            tenant.model_keys = policy::providers(tenant.model_keys, &request.model_keys);
            tenant.weight = request.weight.unwrap_or(tenant.weight);
            tenant.limits = tenant
                .limits
                .without(&request.removed_limits)
                .changed(&request.limits);
            if records::put_tenant(self.store(), &tenant, revision)
                .await?
                .is_some()
            {
                policy::delete_keys(self.store(), name, &request.model_keys).await?;
                self.share(&tenant).await?;
                self.forget_cached();
                self.audit(actor, "tenant.change", name).await?;
                return Ok(tenant);
            }
        }
        Err(busy())
    }

    async fn stored(&self, name: &str) -> Result<(Tenant, u64), ServiceError> {
        let found = records::tenant(self.store(), name).await?;
        found
            .filter(|(tenant, _)| !tenant.deleting)
            .ok_or_else(|| unknown("tenant", name))
    }

    /// A tenant.
    ///
    /// # Errors
    /// When there is none of this name, or the store fails.
    pub async fn get(&self, name: &str) -> Result<Tenant, ServiceError> {
        let found = records::tenant(self.store(), name).await?;
        let (tenant, _) = found.ok_or_else(|| unknown("tenant", name))?;
        Ok(tenant)
    }

    /// All tenants, by name.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn list(&self) -> Result<Vec<Tenant>, ServiceError> {
        records::tenants(self.store()).await
    }

    async fn share(&self, tenant: &Tenant) -> Result<(), ServiceError> {
        let share = self.share_of(tenant);
        Ok(self.store().owners.set_share(&tenant.name, share).await?)
    }

    pub(super) fn share_of(&self, tenant: &Tenant) -> OwnerShare {
        let running = tenant.limits.or(&self.0.defaults).running;
        OwnerShare {
            weight: tenant.weight,
            running: running.map(|limit| u32::try_from(whole(limit)).unwrap_or(u32::MAX)),
        }
    }

    /// Makes a key.
    ///
    /// # Errors
    /// When there is no such tenant, or the store fails.
    pub async fn create_key(&self, actor: &Actor, request: &KeyRequest) -> Result<NewKey, ServiceError> {
        self.stored(&request.tenant).await?;
        let now = self.now();
        let days = |days: u32| SignedDuration::from_hours(i64::from(days) * 24);
        let mut scopes = match request.scopes.is_empty() {
            true => Scope::USUAL.to_vec(),
            false => request.scopes.clone(),
        };
        scopes.sort_unstable();
        scopes.dedup();
        let wanted = ApiKey {
            id: String::new(),
            hash: String::new(),
            tenant: request.tenant.clone(),
            label: request.label.clone(),
            scopes,
            created_at: now,
            expires_at: request
                .expires_days
                .and_then(|given| now.checked_add(days(given)).ok()),
            revoked_at: None,
            last_used_at: None,
            replaced_by: None,
        };
        let made = self.store_key(wanted).await?;
        self.audit(actor, "key.create", &made.key.id).await?;
        Ok(made)
    }

    async fn store_key(&self, mut key: ApiKey) -> Result<NewKey, ServiceError> {
        records::note_keys_in_use(self.store()).await?;
        *self.0.in_use.lock().unwrap_or_else(PoisonError::into_inner) = None;
        for _ in 0..TRIES {
            let text = KeyText::random(key.scopes.contains(&Scope::Admin))?;
            text.id().clone_into(&mut key.id);
            key.hash = text.hash().to_string();
            if records::put_key(self.store(), &key, 0).await?.is_some() {
                let text = text.secret();
                return Ok(NewKey { text, key });
            }
        }
        Err(busy())
    }

    /// A key.
    ///
    /// # Errors
    /// When there is none of this id, or the store fails.
    pub async fn key(&self, id: &str) -> Result<ApiKey, ServiceError> {
        let found = records::key(self.store(), id).await?;
        let (key, _) = found.ok_or_else(|| unknown("key", id))?;
        Ok(key)
    }

    /// The keys of a tenant, or all.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn keys(&self, tenant: Option<&str>) -> Result<Vec<ApiKey>, ServiceError> {
        let mut keys = records::keys(self.store()).await?;
        keys.retain(|key| tenant.is_none_or(|tenant| key.tenant == tenant));
        Ok(keys)
    }

    /// Makes a successor of a key with the same tenant, scopes and expiry; the key itself works on for the grace.
    ///
    /// # Errors
    /// When there is no such key, it works no longer, or the store fails.
    pub async fn rotate_key(
        &self,
        actor: &Actor,
        id: &str,
        request: RotateRequest,
    ) -> Result<NewKey, ServiceError> {
        let now = self.now();
        let check = |key: &ApiKey| {
            if key.is_valid(now) && key.replaced_by.is_none() {
                return Ok(());
            }
            let text =
                format!("the key {id} has expired, was revoked or was rotated before; create a new one");
            Err(ServiceError::new(Code::Conflict, text))
        };
        let old = self.key(id).await?;
        check(&old)?;
        let successor = ApiKey {
            created_at: now,
            last_used_at: None,
            ..old
        };
        let made = self.store_key(successor).await?;
        let grace = SignedDuration::from_hours(i64::from(request.grace_hours));
        let until = now.checked_add(grace).unwrap_or(now);
        let next = made.key.id.clone();
        let replace = |key: &mut ApiKey| {
            // Somebody else may have rotated or revoked it meanwhile.
            check(key)?;
            key.expires_at = Some(key.expires_at.map_or(until, |expiry| expiry.min(until)));
            key.replaced_by = Some(next.clone());
            Ok(())
        };
        if let Err(error) = self.change_key(id, replace).await {
            // No record names the successor, and nobody has seen its text.
            records::delete_key(self.store(), &next).await?;
            return Err(error);
        }
        self.audit(actor, "key.rotate", id).await?;
        Ok(made)
    }

    /// Revokes a key, at once.
    ///
    /// # Errors
    /// When there is no such key, or the store fails.
    pub async fn revoke_key(&self, actor: &Actor, id: &str) -> Result<ApiKey, ServiceError> {
        let now = self.now();
        let key = self
            .change_key(id, |key| {
                key.revoked_at = key.revoked_at.or(Some(now));
                Ok(())
            })
            .await?;
        self.audit(actor, "key.revoke", id).await?;
        Ok(key)
    }

    async fn change_key(
        &self,
        id: &str,
        change: impl Fn(&mut ApiKey) -> Result<(), ServiceError>,
    ) -> Result<ApiKey, ServiceError> {
        for _ in 0..TRIES {
            let found = records::key(self.store(), id).await?;
            let (mut key, revision) = found.ok_or_else(|| unknown("key", id))?;
            change(&mut key)?;
            if records::put_key(self.store(), &key, revision).await?.is_some() {
                self.cache().forget_key(id);
                return Ok(key);
            }
        }
        Err(busy())
    }
}

impl Identity {
    /// Whom a key of the environment stands for: a tenant of its own, with the limits of the settings, that may do
    /// everything but administer.
    pub fn of_environment(owner: &str) -> Self {
        let every = <Scope as wire::Vocabulary>::spellings().filter_map(Scope::parse);
        let scopes = every.filter(|scope| *scope != Scope::Admin).collect();
        let key = ApiKey::not_stored(String::new(), owner, "environment", scopes);
        let tenant = Tenant {
            name: owner.to_owned(),
            weight: 1,
            limits: TenantLimits::default(),
            policy: TenantPolicy::default(),
            model_keys: Vec::new(),
            created_at: Timestamp::UNIX_EPOCH,
            deleting: false,
        };
        Self {
            key: Arc::new(key),
            tenant: Arc::new(tenant),
        }
    }

    /// Whom an access token stands for. In usage and the audit log its subject is a hash, since issuers use names and
    /// addresses of people.
    fn of_token(tenant: Arc<Tenant>, subject: &str, scopes: Vec<Scope>) -> Self {
        let id = Digest::of(subject.as_bytes()).to_string();
        let id = format!("token-{}", id.get(..16).unwrap_or_default());
        Self {
            key: Arc::new(ApiKey::not_stored(id, &tenant.name, "access token", scopes)),
            tenant,
        }
    }
}
