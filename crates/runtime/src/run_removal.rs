//! `RunRemoval`: deletes runs that have ended, with their events and the pictures of their pages.

use std::path::{Path, PathBuf};

use store::Store;
use store::retention::Removal;
use wire::scrape::{RunFile, ScrapeEvent, StepDetail};
use wire::{Family, LogEntry, RunId, Stamped};

use crate::earlier_usage::EarlierUsage;
use crate::error::ServiceError;

/// Events read at once.
const BATCH: usize = 500;

/// Deletes runs of a store, with the files that they have written.
#[derive(Clone)]
pub struct RunRemoval {
    store: Store,
    /// The folder of the pictures of pages.
    pictures: Option<PathBuf>,
}

impl RunRemoval {
    /// Deletes runs of a store whose pictures of pages are in this folder.
    pub fn new(store: Store, pictures: Option<PathBuf>) -> Self {
        Self { store, pictures }
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    /// Deletes a run that has ended, with its events and files. False when it goes on or is gone.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn remove(&self, id: &RunId) -> Result<bool, ServiceError> {
        // The files first, as long as something names them.
        if let Some(folder) = &self.pictures {
            for file in self.files(id).await? {
                if let Some(path) = path_in(folder, &file) {
                    // It may have been deleted before, by its age.
                    let _ = tokio::fs::remove_file(path).await;
                }
            }
        }
        let is_removed = self.store.retention.remove(id, Removal::Run).await?;
        if is_removed {
            EarlierUsage::forget(&self.store, id).await?;
        }
        Ok(is_removed)
    }

    /// The files of a run that has ended: those that its result names, and where it has none, those that its events name.
    async fn files(&self, id: &RunId) -> Result<Vec<RunFile>, ServiceError> {
        let ended = self.store.jobs.get(id).await?;
        let Some(job) = ended.filter(|job| job.summary.status.is_final()) else {
            return Ok(Vec::new());
        };
        if job.summary.kind.family() != Family::Scrape {
            return Ok(Vec::new());
        }
        if let Some(result) = job.result.and_then(|text| serde_json::from_str(&text).ok()) {
            return Ok(RunFile::of_result(&result));
        }
        let (mut files, mut after) = (Vec::new(), job.summary.expired_seq);
        loop {
            let batch = self.store.log.read(id, after, BATCH).await?;
            let Some(last) = batch.last() else {
                return Ok(files);
            };
            after = last.seq;
            files.extend(batch.iter().flat_map(files_of_page));
        }
    }
}

/// The files of a page that has ended with this event.
pub(crate) fn files_of_page(entry: &LogEntry) -> Vec<RunFile> {
    if let Ok(Stamped {
        event: ScrapeEvent::Step { data: step },
        ..
    }) = Stamped::from_entry(entry)
        && let StepDetail::PageDone {
            result: Some(result), ..
        } = &step.detail
    {
        return RunFile::listed(result);
    }
    Vec::new()
}

/// Where a file lies: in the folder itself, whatever its name holds.
pub(crate) fn path_in(folder: &Path, file: &RunFile) -> Option<PathBuf> {
    let name = Path::new(&file.name).file_name()?;
    let is_plain = name == file.name.as_str() && !file.name.starts_with('.');
    is_plain.then(|| folder.join(name))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use jiff::Timestamp;
    use serde_json::json;
    use store::conformance::{ending, job};
    use store::engines::memory::InMemoryStore;
    use store::jobs::{ClaimScope, NewJob};
    use store::log::RunEnd;
    use wire::Audience;
    use wire::tenancy::{TenantLimits, TenantRequest};

    use super::*;
    use crate::tenants::Tenants;
    use crate::tenants::audit::Actor;

    /// A run of a tenant that has ended and whose result names this picture.
    async fn ended(store: &Store, number: u8, owner: &str, picture: &str) -> RunId {
        let id = RunId::from_random([number; 16]);
        let new = NewJob {
            id: id.clone(),
            owner: Some(owner.into()),
            ..job(0)
        };
        store.jobs.enqueue(new).await.unwrap();
        let claimed = store.jobs.claim(Duration::from_secs(60), ClaimScope::Any).await;
        let (lease, _) = claimed.unwrap().unwrap();
        let file = json!({"name": picture, "media_type": "image/png", "bytes": 3});
        let result = json!({"extracted_data": {"https://a.example/": {"files": [file]}}});
        let ending = RunEnd {
            result: Some(result.to_string()),
            ..ending()
        };
        let last = LogEntry {
            seq: 1,
            at: Timestamp::UNIX_EPOCH,
            name: "complete".into(),
            audience: Audience::Public,
            terminal: true,
            data: "{}".into(),
        };
        store.log.finish(&lease, 0, vec![last], ending).await.unwrap();
        id
    }

    #[tokio::test]
    async fn an_export_goes_on_behind_a_run_that_is_deleted_meanwhile() {
        let store = InMemoryStore::open();
        let mut runs = Vec::new();
        for number in 1..=4 {
            runs.push(ended(&store, number, "ada", "1.png").await);
        }
        let tenants = Tenants::new(store.clone(), TenantLimits::default());
        let removal = RunRemoval::new(store.clone(), None);
        let (mut exported, mut before) = (Vec::new(), None);
        while let Some((run, _)) = tenants.export_run("ada", before.as_ref()).await.unwrap() {
            if run.id == runs[2] {
                assert!(removal.remove(&run.id).await.unwrap());
            }
            exported.push(run.id.clone());
            before = Some(run);
        }
        runs.reverse();
        assert_eq!(exported, runs);
    }

    #[tokio::test]
    async fn a_run_takes_its_pictures_along_and_so_does_a_tenant() {
        let (store, folder) = (InMemoryStore::open(), tempfile::tempdir().unwrap());
        let pictures = folder.path().to_path_buf();
        let names = ["1.png", "2.png", "3.png"];
        for name in names {
            std::fs::write(pictures.join(name), "png").unwrap();
        }
        let left = || names.map(|name| pictures.join(name).exists());
        let tenants = Tenants::with_pictures(store.clone(), TenantLimits::default(), pictures.clone());
        let actor = Actor::command_line();
        let request = TenantRequest {
            name: Some("ada".into()),
            ..TenantRequest::default()
        };
        tenants.create(&actor, &request).await.unwrap();
        let first = ended(&store, 1, "ada", "1.png").await;
        ended(&store, 2, "ada", "2.png").await;
        ended(&store, 3, "bob", "3.png").await;
        let runs = RunRemoval::new(store.clone(), Some(pictures.clone()));
        assert!(runs.remove(&first).await.unwrap());
        assert_eq!(left(), [false, true, true]);
        assert!(tenants.delete(&actor, "ada").await.unwrap());
        assert_eq!(
            left(),
            [false, false, true],
            "the picture of another tenant stays"
        );
    }
}
