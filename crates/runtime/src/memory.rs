//! `Memories`: what scrapes learned about sites, kept for each owner, shown and erased.

use agents::site_memory::{Memory, PageLesson};
use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use store::Store;
use store::records::Record;
use wire::Code;
use wire::memory::{MemoryList, SiteMemory};
use wire::run::{JobRequest, RunSpec};

use crate::error::ServiceError;

/// Most sites of one owner; beyond them the one that was learned about longest ago is forgotten.
const MAX_SITES: usize = 500;
/// How long a site is remembered that no run has added to.
const MAX_AGE: SignedDuration = SignedDuration::from_hours(90 * 24);
/// How often a write is tried again because another one came before it.
const WRITE_ATTEMPTS: usize = 20;

/// What is kept of sites in a store. Cheap to clone.
#[derive(Clone)]
pub struct Memories {
    store: Store,
}

/// The memory of the owner of one run.
#[derive(Clone)]
struct OwnerMemory {
    memories: Memories,
    owner: String,
}

impl std::fmt::Debug for OwnerMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OwnerMemory").finish_non_exhaustive()
    }
}

/// The collection of an owner's sites.
fn collection(owner: &str) -> String {
    match owner {
        "" => "memory".to_owned(),
        owner => format!("memory/{owner}"),
    }
}

/// The name of a site's record; none where that is no site.
fn record_name(site: &str) -> Option<String> {
    let name = site.replace(':', "=").replace(['[', ']'], "_");
    let plain = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_' | b'.' | b'=');
    ((1..=128).contains(&name.len()) && name.bytes().all(plain)).then_some(name)
}

fn read(record: &Record) -> Option<SiteMemory> {
    serde_json::from_str(&record.value).ok()
}

fn is_old(memory: &SiteMemory, now: Timestamp) -> bool {
    now.duration_since(memory.learned_at) > MAX_AGE
}

fn unknown() -> ServiceError {
    ServiceError::new(
        Code::NotFound,
        "site: nothing is kept of this site; huntsman memory list and GET /v1/memory list the sites",
    )
}

impl Memories {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }

    /// What is kept of all sites of an owner, by site.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn list(&self, owner: &str) -> Result<MemoryList, ServiceError> {
        let now = Timestamp::now();
        let records = self
            .store
            .records
            .list(&collection(owner), "", MAX_SITES * 2)
            .await?;
        let sites = records.iter().filter_map(read);
        Ok(MemoryList {
            sites: sites.filter(|memory| !is_old(memory, now)).collect(),
        })
    }

    /// What is kept of one site.
    ///
    /// # Errors
    /// When that is nothing, or the store fails.
    pub async fn get(&self, owner: &str, site: &str) -> Result<SiteMemory, ServiceError> {
        let name = record_name(site).ok_or_else(unknown)?;
        let record = self.store.records.get(&collection(owner), &name).await?;
        let memory = record.as_ref().and_then(read);
        memory
            .filter(|memory| !is_old(memory, Timestamp::now()))
            .ok_or_else(unknown)
    }

    /// Erases what is kept of one site.
    ///
    /// # Errors
    /// When that is nothing, or the store fails.
    pub async fn erase(&self, owner: &str, site: &str) -> Result<(), ServiceError> {
        let name = record_name(site).ok_or_else(unknown)?;
        match self.store.records.delete(&collection(owner), &name).await? {
            true => Ok(()),
            false => Err(unknown()),
        }
    }

    /// Erases what is kept of all sites of an owner; of how many.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn erase_all(&self, owner: &str) -> Result<usize, ServiceError> {
        let collection = collection(owner);
        let mut erased = 0;
        loop {
            let records = self.store.records.list(&collection, "", MAX_SITES).await?;
            if records.is_empty() {
                return Ok(erased);
            }
            for record in records {
                erased += usize::from(self.store.records.delete(&collection, &record.name).await?);
            }
        }
    }

    /// The memory of a run's owner, where the run asked for it.
    pub(crate) fn of_run(&self, spec: &RunSpec) -> Option<std::sync::Arc<dyn Memory>> {
        match &spec.job {
            JobRequest::Scrape(request) if request.enable_memory == Some(true) => {
                Some(std::sync::Arc::new(OwnerMemory {
                    memories: self.clone(),
                    owner: spec.owner.clone(),
                }))
            }
            _ => None,
        }
    }

    async fn add(&self, owner: &str, site: &str, lesson: PageLesson) -> Result<(), ServiceError> {
        let (collection, now) = (collection(owner), Timestamp::now());
        let Some(name) = record_name(site) else {
            return Ok(());
        };
        for _ in 0..WRITE_ATTEMPTS {
            let record = self.store.records.get(&collection, &name).await?;
            let before = record.as_ref().and_then(read);
            let before = before.filter(|memory| !is_old(memory, now));
            let memory = lesson.clone().added_to(before, site, now);
            let value = serde_json::to_string(&memory)
                .map_err(|error| ServiceError::new(Code::Internal, error.to_string()))?;
            let revision = record.as_ref().map_or(0, |record| record.revision);
            let put = self
                .store
                .records
                .put(&collection, &name, value, revision)
                .await?;
            if put.is_some() {
                return match record {
                    None => self.forget_oldest(&collection, now).await,
                    Some(_) => Ok(()),
                };
            }
        }
        Ok(())
    }

    /// Deletes what is too old, and the oldest sites beyond [`MAX_SITES`].
    async fn forget_oldest(&self, collection: &str, now: Timestamp) -> Result<(), ServiceError> {
        let records = self.store.records.list(collection, "", MAX_SITES * 2).await?;
        let learned_at = |record: &Record| read(record).map(|memory| memory.learned_at);
        let mut by_age: Vec<(Option<Timestamp>, &Record)> = records
            .iter()
            .map(|record| (learned_at(record), record))
            .collect();
        by_age.sort_by_key(|(at, _)| *at);
        let beyond = records.len().saturating_sub(MAX_SITES);
        for (index, (at, record)) in by_age.into_iter().enumerate() {
            let is_old = at.is_none_or(|at| now.duration_since(at) > MAX_AGE);
            if is_old || index < beyond {
                self.store.records.delete(collection, &record.name).await?;
            }
        }
        Ok(())
    }
}

#[async_trait]
impl Memory for OwnerMemory {
    async fn recall(&self, site: &str) -> Option<SiteMemory> {
        self.memories.get(&self.owner, site).await.ok()
    }

    async fn learn(&self, site: &str, lesson: PageLesson) {
        if let Err(error) = self.memories.add(&self.owner, site, lesson).await {
            tracing::warn!(
                code = error.code.as_str(),
                "what was learned about a site could not be kept"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use store::engines::memory::InMemoryStore;

    use super::*;

    fn site(number: usize) -> String {
        format!("s{number:04}.example")
    }

    #[tokio::test]
    async fn each_owner_has_a_memory_of_its_own_that_does_not_grow_for_ever() {
        let memories = Memories::new(InMemoryStore::open());
        let learn = async |owner: &str, site: &str| {
            memories.add(owner, site, PageLesson::default()).await.unwrap();
        };
        learn("acme", "[::1]:8080").await;
        for number in 0..MAX_SITES + 2 {
            learn("other", &site(number)).await;
        }
        let kept = memories.list("other").await.unwrap().sites;
        assert_eq!(kept.len(), MAX_SITES);
        assert!(
            kept.iter()
                .all(|memory| memory.site != site(0) && memory.site != site(1))
        );
        assert_eq!(memories.get("acme", "[::1]:8080").await.unwrap().pages, 1);
        for (owner, unknown) in [("acme", "s0100.example"), ("", "[::1]:8080"), ("acme", "no site")] {
            assert!(memories.get(owner, unknown).await.is_err(), "{owner} {unknown}");
        }
        assert_eq!(memories.erase_all("other").await.unwrap(), MAX_SITES);
        assert_eq!(memories.list("acme").await.unwrap().sites.len(), 1);
    }

    #[tokio::test]
    async fn what_nobody_added_to_for_long_is_forgotten() {
        let memories = Memories::new(InMemoryStore::open());
        let old = PageLesson::default().added_to(None, "old.example", Timestamp::now() - MAX_AGE - MAX_AGE);
        let value = serde_json::to_string(&old).unwrap();
        memories
            .store
            .records
            .put("memory", "old.example", value, 0)
            .await
            .unwrap();
        assert!(memories.get("", "old.example").await.is_err());
        assert_eq!(memories.list("").await.unwrap().sites, []);
        memories
            .add("", "old.example", PageLesson::default())
            .await
            .unwrap();
        assert_eq!(
            memories.get("", "old.example").await.unwrap().pages,
            1,
            "it is begun anew"
        );
    }
}
