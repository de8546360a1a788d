//! Retention: deletes runs, events and pictures that are older or more than the operator wants to keep.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use store::retention::Removal;

use crate::error::ServiceError;
use crate::run_removal::RunRemoval;

/// How often the sweep runs.
pub(crate) const INTERVAL: Duration = Duration::from_secs(600);
/// Runs that are looked up at once.
const BATCH: usize = 100;

/// What is kept. Where nothing is set, everything is.
#[derive(Debug, Clone, Default)]
pub struct RetentionSettings {
    /// How long a run is kept after its end.
    pub runs: Option<Duration>,
    /// How long its events are kept after its end.
    pub events: Option<Duration>,
    /// How long pictures are kept after they were taken.
    pub pictures: Option<Duration>,
    /// Most bytes of runs and pictures together. Beyond that pictures of pages go first, then runs with the pictures of their
    /// steps, the oldest of each first.
    pub bytes: Option<u64>,
    /// The folder of pictures.
    pub picture_folder: Option<PathBuf>,
}

/// What a sweep deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Swept {
    /// Runs, whole.
    pub runs: usize,
    /// Event logs of runs that stay.
    pub logs: usize,
    /// Pictures.
    pub pictures: usize,
}

/// Deletes once what is to be deleted at `now`. Runs that have not ended are never touched.
///
/// # Errors
/// Those of the store; what was deleted until then is.
pub async fn sweep(
    runs: &RunRemoval,
    settings: &RetentionSettings,
    now: Timestamp,
) -> Result<Swept, ServiceError> {
    let store = runs.store();
    let mut swept = Swept::default();
    let cutoff = |age: Duration| now.checked_sub(age).unwrap_or(Timestamp::UNIX_EPOCH);
    if let Some(age) = settings.runs {
        swept.runs += remove_older(runs, Removal::Run, cutoff(age)).await?;
    }
    if let Some(age) = settings.events {
        swept.logs += remove_older(runs, Removal::Events, cutoff(age)).await?;
    }
    let mut pictures = pictures(settings.picture_folder.as_deref()).await;
    if let Some(age) = settings.pictures {
        let oldest_kept = SystemTime::from(cutoff(age));
        let old = pictures.partition_point(|picture| picture.taken < oldest_kept);
        swept.pictures += delete(pictures.drain(..old)).await;
        swept.pictures += store.blobs.expire_of_runs(cutoff(age)).await?;
    }
    if let Some(limit) = settings.bytes {
        shrink(runs, pictures, limit, &mut swept).await?;
    }
    Ok(swept)
}

async fn remove_older(runs: &RunRemoval, removal: Removal, before: Timestamp) -> Result<usize, ServiceError> {
    let retention = &runs.store().retention;
    let mut removed = 0;
    loop {
        let ids = retention.ended(removal, Some(before), BATCH).await?;
        if ids.is_empty() {
            return Ok(removed);
        }
        for id in ids {
            removed += usize::from(match removal {
                Removal::Run => runs.remove(&id).await?,
                Removal::Events => retention.remove(&id, removal).await?,
            });
        }
    }
}

/// Deletes the oldest pictures, then the oldest runs, until both fit into `limit` bytes.
async fn shrink(
    runs: &RunRemoval,
    pictures: Vec<Picture>,
    limit: u64,
    swept: &mut Swept,
) -> Result<(), ServiceError> {
    let store = runs.store();
    let mut used = store.retention.space().await?.used;
    let mut pictured: u64 = pictures.iter().map(|picture| picture.bytes).sum();
    let mut excess = Vec::new();
    for picture in pictures {
        if used.saturating_add(pictured) <= limit {
            break;
        }
        pictured -= picture.bytes;
        excess.push(picture);
    }
    swept.pictures += delete(excess.into_iter()).await;
    while used.saturating_add(pictured) > limit {
        // One at a time: the room that a run takes is known when it is gone.
        let Some(oldest) = store.retention.ended(Removal::Run, None, 1).await?.pop() else {
            tracing::warn!(
                used,
                limit,
                "runs that have not ended take more room than is to be kept"
            );
            break;
        };
        swept.runs += usize::from(runs.remove(&oldest).await?);
        used = store.retention.space().await?.used;
    }
    Ok(())
}

/// A file in the folder of pictures.
struct Picture {
    path: PathBuf,
    taken: SystemTime,
    bytes: u64,
}

/// The pictures of a folder, the oldest first.
async fn pictures(folder: Option<&Path>) -> Vec<Picture> {
    let Some(folder) = folder.map(Path::to_path_buf) else {
        return Vec::new();
    };
    let list = move || {
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let read = |entry: std::fs::DirEntry| {
            let about = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
            Some(Picture {
                path: entry.path(),
                taken: about.modified().ok()?,
                bytes: about.len(),
            })
        };
        let mut pictures: Vec<Picture> = files.filter_map(read).collect();
        pictures.sort_by_key(|picture| picture.taken);
        pictures
    };
    tokio::task::spawn_blocking(list).await.unwrap_or_default()
}

async fn delete(pictures: impl Iterator<Item = Picture>) -> usize {
    let mut deleted = 0;
    for picture in pictures {
        match tokio::fs::remove_file(&picture.path).await {
            Ok(()) => deleted += 1,
            Err(error) => tracing::warn!(%error, "an old picture cannot be deleted"),
        }
    }
    deleted
}

#[cfg(test)]
mod tests {
    use store::Store;
    use store::engines::memory::InMemoryStore;
    use store::engines::sqlite::{ProcessRole, Sqlite};
    use store::jobs::{ClaimScope, NewJob};
    use store::log::RunEnd;
    use wire::run::{RunKind, RunStatus};
    use wire::{Audience, LogEntry, RunId};

    use super::*;

    const DAY: Duration = Duration::from_secs(86_400);

    fn entry(seq: u64, terminal: bool) -> LogEntry {
        LogEntry {
            seq,
            at: Timestamp::UNIX_EPOCH,
            name: "step".into(),
            audience: Audience::Public,
            terminal,
            data: format!("{{\"text\":\"{}\"}}", "x".repeat(20_000)),
        }
    }

    fn runs(store: &Store) -> RunRemoval {
        RunRemoval::new(store.clone(), None)
    }

    /// Three runs: two that have ended and one that goes on.
    async fn filled(store: &Store) -> Vec<RunId> {
        let ids: Vec<RunId> = (1..=3).map(|number| RunId::from_random([number; 16])).collect();
        for id in &ids {
            let new = NewJob {
                id: id.clone(),
                kind: RunKind::Scrape,
                request: "{}".into(),
                shown_request: None,
                owner: None,
                idempotency_key: None,
                queue_limit: 9,
                admission: store::jobs::Admission::default(),
            };
            store.jobs.enqueue(new).await.unwrap();
            let (lease, _) = store.jobs.claim(DAY, ClaimScope::Any).await.unwrap().unwrap();
            store.log.append(&lease, 0, vec![entry(1, false)]).await.unwrap();
            let ending = RunEnd {
                status: RunStatus::Completed,
                result: Some("{}".into()),
                error: None,
                usage: None,
                metered: Vec::new(),
            };
            if id != &ids[2] {
                store
                    .log
                    .finish(&lease, 1, vec![entry(2, true)], ending)
                    .await
                    .unwrap();
                tokio::time::sleep(Duration::from_millis(3)).await;
            }
        }
        ids
    }

    async fn kept(store: &Store, ids: &[RunId]) -> Vec<(bool, usize)> {
        let mut kept = Vec::new();
        for id in ids {
            let job = store.jobs.get(id).await.unwrap();
            kept.push((job.is_some(), store.log.read(id, 0, 9).await.unwrap().len()));
        }
        kept
    }

    async fn stores() -> (tempfile::TempDir, Vec<Store>) {
        let folder = tempfile::tempdir().unwrap();
        let sqlite = Sqlite::open(folder.path(), ProcessRole::Server, &[]).unwrap();
        (folder, vec![InMemoryStore::open(), sqlite])
    }

    #[tokio::test]
    async fn old_events_go_first_then_the_run_and_a_live_run_stays() {
        let (_folder, stores) = stores().await;
        for store in stores {
            let ids = filled(&store).await;
            let settings = RetentionSettings {
                events: Some(DAY),
                runs: Some(10 * DAY),
                ..RetentionSettings::default()
            };
            let now = Timestamp::now();
            assert_eq!(
                sweep(&runs(&store), &settings, now).await,
                Ok(Swept::default()),
                "nothing is old yet"
            );
            let swept = sweep(&runs(&store), &settings, now + 2 * DAY).await.unwrap();
            assert_eq!(
                swept,
                Swept {
                    logs: 2,
                    ..Swept::default()
                }
            );
            assert_eq!(kept(&store, &ids).await, [(true, 0), (true, 0), (true, 1)]);
            assert_eq!(store.jobs.summary(&ids[0]).await.unwrap().unwrap().expired_seq, 2);
            let swept = sweep(&runs(&store), &settings, now + 20 * DAY).await.unwrap();
            assert_eq!(
                swept,
                Swept {
                    runs: 2,
                    ..Swept::default()
                }
            );
            assert_eq!(kept(&store, &ids).await, [(false, 0), (false, 0), (true, 1)]);
        }
    }

    #[tokio::test]
    async fn what_is_too_much_goes_oldest_first_and_pictures_before_runs() {
        let (folder, stores) = stores().await;
        let pictures = folder.path().join("screenshots");
        std::fs::create_dir(&pictures).unwrap();
        for store in stores {
            let ids = filled(&store).await;
            std::fs::write(pictures.join("1.png"), vec![0; 50_000]).unwrap();
            let used = store.retention.space().await.unwrap().used;
            let mut settings = RetentionSettings {
                bytes: Some(used + 50_000),
                picture_folder: Some(pictures.clone()),
                ..RetentionSettings::default()
            };
            let now = Timestamp::now();
            assert_eq!(
                sweep(&runs(&store), &settings, now).await,
                Ok(Swept::default()),
                "it fits"
            );
            settings.bytes = Some(used - 10_000);
            let swept = sweep(&runs(&store), &settings, now).await.unwrap();
            assert_eq!(
                swept,
                Swept {
                    runs: 1,
                    logs: 0,
                    pictures: 1
                }
            );
            assert_eq!(kept(&store, &ids).await, [(false, 0), (true, 2), (true, 1)]);
            settings.bytes = Some(0);
            sweep(&runs(&store), &settings, now).await.unwrap();
            assert_eq!(
                kept(&store, &ids).await,
                [(false, 0), (false, 0), (true, 1)],
                "a live run stays"
            );
        }
    }
}
