//! `RunFiles`: the files that runs have written, as their own results name them.

use std::path::PathBuf;

use futures_util::{StreamExt as _, pin_mut};
use wire::automate::AgentAction;
use wire::run::RunKind;
use wire::scrape::RunFile;
use wire::{Audience, Code, Family, LogEntry, RunId};

use crate::error::ServiceError;
use crate::run_removal::{files_of_page, path_in};
use crate::service::Service;
use crate::views::PICTURE_SUFFIX;

/// The largest file that is given out, in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// Events read at once.
const BATCH: usize = 500;

/// The picture that an event of an automate run names.
fn picture_of(entry: &LogEntry) -> Option<RunFile> {
    if !matches!(entry.name.as_str(), "browser:action_started" | "agent:action") {
        return None;
    }
    let action: AgentAction = serde_json::from_str(&entry.data).ok()?;
    let picture = action.picture?;
    Some(RunFile {
        name: picture.name,
        media_type: "image/jpeg".to_owned(),
        bytes: picture.bytes,
    })
}

/// Reads and deletes files of runs. A name that a run's own result does not hold leads nowhere.
#[derive(Clone)]
pub struct RunFiles {
    service: Service,
    folder: Option<PathBuf>,
}

impl RunFiles {
    pub(crate) fn new(service: Service, folder: Option<PathBuf>) -> Self {
        Self { service, folder }
    }

    /// The files of a run that the owner may see; those of finished pages while it goes on.
    ///
    /// # Errors
    /// When there is no such run.
    pub async fn list(&self, owner: Option<&str>, id: &RunId) -> Result<Vec<RunFile>, ServiceError> {
        let detail = self.service.run(owner, id).await?;
        if detail.summary.kind == RunKind::Automate {
            return self.pictures(owner, id, detail.summary.last_seq).await;
        }
        if let Some(result) = &detail.result {
            return Ok(RunFile::of_result(result));
        }
        let last = detail.summary.last_seq;
        if detail.summary.kind.family() != Family::Scrape || last == 0 {
            return Ok(Vec::new());
        }
        let mut files = Vec::new();
        let entries = match self.service.events(owner, id, 0, Audience::Debug).await {
            Err(error) if error.code == Code::EventsExpired => return Ok(files),
            entries => entries?,
        };
        pin_mut!(entries);
        while let Some(entry) = entries.next().await.transpose()? {
            files.extend(files_of_page(&entry));
            if entry.seq >= last {
                break;
            }
        }
        Ok(files)
    }

    /// The pictures of the steps of a run, up to an event.
    async fn pictures(
        &self,
        owner: Option<&str>,
        id: &RunId,
        last: u64,
    ) -> Result<Vec<RunFile>, ServiceError> {
        let (mut files, mut after) = (Vec::new(), 0);
        while after < last {
            let read = self.service.log(owner, id, after, BATCH, Audience::Public).await;
            let batch = match read {
                Err(error) if error.code == Code::EventsExpired => break,
                read => read?,
            };
            files.extend(batch.entries.iter().filter_map(picture_of));
            after = batch.read_to;
            if batch.is_end {
                break;
            }
        }
        Ok(files)
    }

    /// A file of a run, with its bytes.
    ///
    /// # Errors
    /// When there is no such run, it has no such file, or the file is no longer kept.
    pub async fn read(
        &self,
        owner: Option<&str>,
        id: &RunId,
        name: &str,
    ) -> Result<(RunFile, Vec<u8>), ServiceError> {
        if let Some(blob) = name.strip_suffix(PICTURE_SUFFIX) {
            self.service.run(owner, id).await?;
            let stored = self.service.store().blobs.get_of_run(id, blob).await;
            if let Some(bytes) = stored.map_err(ServiceError::from)? {
                let file = RunFile {
                    name: name.to_owned(),
                    media_type: "image/jpeg".to_owned(),
                    bytes: bytes.len() as u64,
                };
                return Ok((file, bytes.into()));
            }
        }
        let files = self.list(owner, id).await?;
        let known = files.into_iter().find(|file| file.name == name);
        let file =
            known.ok_or_else(|| ServiceError::new(Code::NotFound, "the run has no file of this name"))?;
        let gone = || ServiceError::new(Code::NotFound, "the file is no longer kept");
        let path = self.path(&file).ok_or_else(gone)?;
        let is_readable = tokio::fs::symlink_metadata(&path)
            .await
            .is_ok_and(|facts| facts.is_file() && facts.len() <= MOST_BYTES);
        match is_readable {
            true => tokio::fs::read(&path)
                .await
                .map(|bytes| (file, bytes))
                .map_err(|_| gone()),
            false => Err(gone()),
        }
    }

    /// Deletes the files of a run, and says how many were there.
    ///
    /// # Errors
    /// When there is no such run.
    pub async fn delete(&self, owner: Option<&str>, id: &RunId) -> Result<usize, ServiceError> {
        let mut deleted = 0;
        for file in self.list(owner, id).await? {
            if let Some(path) = self.path(&file) {
                deleted += usize::from(tokio::fs::remove_file(path).await.is_ok());
            }
        }
        Ok(deleted)
    }

    fn path(&self, file: &RunFile) -> Option<PathBuf> {
        path_in(self.folder.as_deref()?, file)
    }
}
