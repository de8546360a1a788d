//! `Profiles`: the saved states of browsers, by name: created, imported, exported, used by runs and written back.

use std::sync::Arc;

use agents::run::BeforeEnd;
use agents::session::{self, RunProfile};
use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::Store;
use store::vault::{Record, RecordKey, RecordKind, RecordSummary, WriteCondition};
use wire::Code;
use wire::profile::{
    CreateProfile, ImportedState, ProfileChoice, ProfileList, ProfileSummary, StorageState, is_name,
};

use crate::error::ServiceError;

/// Most profiles of one owner.
const MAX_PROFILES: usize = 1_000;
/// How often a write is tried again because another one came before it.
const WRITE_ATTEMPTS: usize = 20;

/// The profiles of a store. Cheap to clone.
#[derive(Clone)]
pub struct Profiles {
    store: Store,
}

/// What is kept of a profile beside its state.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct ProfileFacts {
    #[serde(default)]
    note: String,
    #[serde(default)]
    sites: Vec<String>,
    #[serde(default)]
    hosts: Vec<String>,
    #[serde(default)]
    cookies: u64,
    #[serde(default)]
    local_storage: u64,
}

impl ProfileFacts {
    /// The facts about another state.
    fn about(&self, state: &StorageState) -> Self {
        Self {
            hosts: state.hosts(),
            cookies: state.cookies.len() as u64,
            local_storage: state.items() as u64,
            ..self.clone()
        }
    }

    fn text(&self) -> Result<String, ServiceError> {
        serde_json::to_string(self).map_err(internal)
    }
}

/// A profile as it is saved.
struct SavedProfile {
    facts: ProfileFacts,
    state: StorageState,
    generation: u64,
}

fn internal(error: serde_json::Error) -> ServiceError {
    // What serde says of a value may repeat the value.
    tracing::error!(line = error.line(), "a stored profile cannot be written or read");
    ServiceError::new(Code::Internal, "the profile cannot be written or read")
}

fn key(owner: &str, name: &str) -> RecordKey {
    RecordKey {
        owner: owner.to_owned(),
        kind: RecordKind::Profile,
        name: name.to_owned(),
    }
}

fn unknown(name: &str) -> ServiceError {
    let named = match is_name(name) {
        true => format!(" named {name}"),
        false => " of this name".to_owned(),
    };
    ServiceError::new(
        Code::NotFound,
        format!("profile: there is no profile{named}; huntsman profile list and GET /v1/profiles list yours"),
    )
}

fn summary(record: &RecordSummary) -> ProfileSummary {
    let facts: ProfileFacts = serde_json::from_str(&record.facts).unwrap_or_default();
    ProfileSummary {
        name: record.name.clone(),
        note: facts.note,
        sites: facts.sites,
        hosts: facts.hosts,
        cookies: facts.cookies,
        local_storage: facts.local_storage,
        generation: record.generation,
        created_at: record.created_at,
        updated_at: record.updated_at,
        left_out: Vec::new(),
    }
}

/// Refuses a state that holds what is of other sites than the profile's, or what no site may set.
fn check_state(state: &StorageState, sites: &[String]) -> Result<(), ServiceError> {
    if let Some(place) = session::unusable_cookie(state) {
        let text =
            format!("{place}: anybody can register a name under this domain, so no cookie may be set for it");
        return Err(ServiceError::new(Code::InvalidRequest, text));
    }
    let foreign = session::keep_sites(&mut state.clone(), sites);
    if foreign.is_empty() {
        return Ok(());
    }
    let shown = foreign.iter().take(10).cloned().collect::<Vec<_>>().join(", ");
    let text = format!(
        "the storage state has cookies or local storage of {shown}, and the profile is for {} only: leave them out, or \
         create the profile with these sites too",
        sites.join(", ")
    );
    Err(ServiceError::new(Code::InvalidRequest, text))
}

impl Profiles {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }

    /// The profiles of an owner, by name.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn list(&self, owner: &str) -> Result<ProfileList, ServiceError> {
        let records = self.store.vault.list(owner, RecordKind::Profile).await?;
        Ok(ProfileList {
            profiles: records.iter().map(summary).collect(),
        })
    }

    /// One profile, without its values.
    ///
    /// # Errors
    /// When the owner has none of this name.
    pub async fn get(&self, owner: &str, name: &str) -> Result<ProfileSummary, ServiceError> {
        let record = self.read(owner, name).await?;
        Ok(summary(&record.summary))
    }

    async fn read(&self, owner: &str, name: &str) -> Result<Record, ServiceError> {
        let record = self.store.vault.read(&key(owner, name)).await?;
        record.ok_or_else(|| unknown(name))
    }

    async fn saved(&self, owner: &str, name: &str) -> Result<SavedProfile, ServiceError> {
        let record = self.read(owner, name).await?;
        let value = record.value.map_err(|error| {
            tracing::error!(%error, "a profile cannot be decrypted");
            let text = format!(
                "profile: {name} is encrypted with a key that is missing: restore the key, or delete the profile and \
                 create it again"
            );
            ServiceError::new(Code::SecretUnreadable, text)
        })?;
        Ok(SavedProfile {
            facts: serde_json::from_str(&record.summary.facts).map_err(internal)?,
            state: serde_json::from_str(&value).map_err(internal)?,
            generation: record.summary.generation,
        })
    }

    /// Creates a profile.
    ///
    /// # Errors
    /// When the owner has one of this name, or the state it is to begin with cannot be used.
    pub async fn create(&self, owner: &str, request: CreateProfile) -> Result<ProfileSummary, ServiceError> {
        let CreateProfile {
            name,
            note,
            sites,
            storage_state,
        } = request;
        let ImportedState { state, left_out } = match storage_state {
            Some(value) => StorageState::of_value("storage_state", value)
                .map_err(|refusal| ServiceError::new(refusal.code, refusal.text()))?,
            None => ImportedState {
                state: StorageState::default(),
                left_out: Vec::new(),
            },
        };
        check_state(&state, &sites)?;
        let facts = ProfileFacts {
            note,
            sites,
            ..ProfileFacts::default()
        };
        let (text, value) = (
            facts.about(&state).text()?,
            serde_json::to_string(&state).map_err(internal)?,
        );
        let first = WriteCondition::Absent { limit: MAX_PROFILES };
        let written = self
            .store
            .vault
            .write(&key(owner, &name), &text, &value, first)
            .await?;
        if written.is_none() {
            let text =
                format!("name: there is a profile named {name} already; delete it first, or import into it");
            return Err(ServiceError::new(Code::Conflict, text));
        }
        Ok(ProfileSummary {
            left_out,
            ..self.get(owner, &name).await?
        })
    }

    /// The state of a profile as Playwright writes it.
    ///
    /// # Errors
    /// When the owner has none of this name, or its key is missing.
    pub async fn export(&self, owner: &str, name: &str) -> Result<StorageState, ServiceError> {
        let now = Timestamp::now().as_second();
        #[expect(clippy::cast_precision_loss, reason = "seconds of this age are exact")]
        let now = now as f64;
        Ok(self.saved(owner, name).await?.state.exported(now))
    }

    /// Replaces the state of a profile.
    ///
    /// # Errors
    /// When the owner has none of this name, or the state cannot be used.
    pub async fn import(
        &self,
        owner: &str,
        name: &str,
        imported: ImportedState,
    ) -> Result<ProfileSummary, ServiceError> {
        // The sites do not change, so that one look at them is enough; a state whose key is missing can be replaced.
        let sites = self.get(owner, name).await?.sites;
        check_state(&imported.state, &sites)?;
        for _ in 0..WRITE_ATTEMPTS {
            let record = self.read(owner, name).await?;
            let facts: ProfileFacts = serde_json::from_str(&record.summary.facts).map_err(internal)?;
            let generation = record.summary.generation;
            if self
                .write(owner, name, &facts, &imported.state, generation)
                .await?
            {
                return Ok(ProfileSummary {
                    left_out: imported.left_out,
                    ..self.get(owner, name).await?
                });
            }
        }
        Err(busy(name))
    }

    /// Deletes a profile.
    ///
    /// # Errors
    /// When the owner has none of this name.
    pub async fn delete(&self, owner: &str, name: &str) -> Result<(), ServiceError> {
        match self.store.vault.delete(&key(owner, name)).await? {
            true => Ok(()),
            false => Err(unknown(name)),
        }
    }

    /// Writes a state, unless another write came before.
    async fn write(
        &self,
        owner: &str,
        name: &str,
        facts: &ProfileFacts,
        state: &StorageState,
        generation: u64,
    ) -> Result<bool, ServiceError> {
        let value = serde_json::to_string(state).map_err(internal)?;
        let facts = facts.about(state).text()?;
        let condition = WriteCondition::Generation(generation);
        let written = self
            .store
            .vault
            .write(&key(owner, name), &facts, &value, condition)
            .await?;
        Ok(written.is_some())
    }

    /// The profile of a run, with what writes it back, where the request asks for that.
    ///
    /// # Errors
    /// When the owner has none of this name, or its key is missing.
    pub(crate) async fn open(
        &self,
        owner: &str,
        choice: &ProfileChoice,
    ) -> Result<Option<OpenProfile>, ServiceError> {
        let Some(name) = &choice.profile else {
            return Ok(None);
        };
        let saved = self.saved(owner, name).await?;
        let profile = RunProfile::open(name, saved.facts.sites, &saved.state);
        let write_back = choice.profile_save.then(|| {
            Arc::new(WriteBack {
                profiles: self.clone(),
                owner: owner.to_owned(),
                base: saved.state,
                profile: profile.clone(),
            })
        });
        Ok(Some(OpenProfile { profile, write_back }))
    }

    async fn merge(
        &self,
        owner: &str,
        name: &str,
        base: &StorageState,
        ended: &StorageState,
    ) -> Result<(), ServiceError> {
        for _ in 0..WRITE_ATTEMPTS {
            let saved = self.saved(owner, name).await?;
            let merged = saved.state.clone().merged(base, ended);
            if merged == saved.state
                || self
                    .write(owner, name, &saved.facts, &merged, saved.generation)
                    .await?
            {
                return Ok(());
            }
        }
        Err(busy(name))
    }
}

fn busy(name: &str) -> ServiceError {
    let text = format!("profile: {name} is being written by many runs at once; try again");
    ServiceError::new(Code::Conflict, text)
}

/// The profile of a run.
pub(crate) struct OpenProfile {
    pub(crate) profile: RunProfile,
    pub(crate) write_back: Option<Arc<WriteBack>>,
}

/// Merges what a run has changed into its profile. One that was deleted meanwhile stays deleted.
pub(crate) struct WriteBack {
    profiles: Profiles,
    owner: String,
    /// What the run began with.
    base: StorageState,
    profile: RunProfile,
}

#[async_trait]
impl BeforeEnd for WriteBack {
    async fn before_end(&self) {
        let name = &self.profile.name;
        let ended = self.profile.state();
        // Cookies that have merely ended with time are no change: they say which sites the profile was logged in at.
        let ended = with_ended_cookies(&self.base, ended);
        if let Err(error) = self.profiles.merge(&self.owner, name, &self.base, &ended).await {
            tracing::warn!(
                profile = name,
                code = error.code.as_str(),
                "a profile could not be written back"
            );
        }
    }
}

fn with_ended_cookies(base: &StorageState, mut ended: StorageState) -> StorageState {
    #[expect(clippy::cast_precision_loss, reason = "seconds of this age are exact")]
    let now = Timestamp::now().as_second() as f64;
    let is_new = |cookie: &&wire::profile::StoredCookie| {
        let mut others = ended.cookies.iter();
        !others.any(|it| (&it.name, &it.domain, &it.path) == (&cookie.name, &cookie.domain, &cookie.path))
    };
    let past = base.cookies.iter().filter(|it| (0.0..=now).contains(&it.expires));
    let past: Vec<_> = past.filter(is_new).cloned().collect();
    ended.cookies.extend(past);
    ended
}
