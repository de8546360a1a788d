//! Blobs as files beside the database, named by their digest; those of runs in the database.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use bytes::Bytes;
use jiff::Timestamp;
use rusqlite::{OptionalExtension as _, Transaction, params};
use wire::RunId;

use super::Sqlite;
use crate::blobs::{Blobs, Digest, first_name_at, name_of_run_blob};
use crate::{Error, private_files};

fn blob_path(folder: &Path, digest: &Digest) -> PathBuf {
    let name = digest.to_string();
    let directory = name.get(..2).unwrap_or_default();
    folder.join("blobs").join(directory).join(&name)
}

/// Written whole under another name and then renamed, so that a file under a digest's name is never half of one.
fn put(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if path.exists() {
        return Ok(());
    }
    let directory = path.parent().unwrap_or(path);
    private_files::create_folder(directory)?;
    let draft = directory.join(format!(
        ".{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    ));
    let mut file = private_files::open_file(&draft)?;
    // A draft of this name is left over from a process that died.
    file.set_len(0)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&draft, path)
}

#[async_trait]
impl Blobs for Sqlite {
    async fn put(&self, bytes: Bytes) -> Result<Digest, Error> {
        let digest = Digest::of(&bytes);
        let path = blob_path(&self.0.folder, &digest);
        let task = tokio::task::spawn_blocking(move || {
            put(&path, &bytes).map_err(|error| Error::of_file(&error, &path))
        });
        task.await.map_err(|error| Error::Engine {
            reason: error.to_string(),
        })??;
        Ok(digest)
    }

    async fn get(&self, digest: &Digest) -> Result<Option<Bytes>, Error> {
        let path = blob_path(&self.0.folder, digest);
        let bytes = match tokio::fs::read(&path).await {
            Ok(bytes) => Bytes::from(bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::of_file(&error, &path)),
        };
        if Digest::of(&bytes) == *digest {
            Ok(Some(bytes))
        } else {
            Err(Error::Damaged {
                reason: format!("the file {} is not what it is named", path.display()),
            })
        }
    }

    async fn put_of_run(&self, run: &RunId, bytes: Bytes) -> Result<String, Error> {
        let (run, name) = (run.clone(), name_of_run_blob());
        let put = move |transaction: &Transaction<'_>| {
            let sql =
                "INSERT INTO run_blobs (run, name, content) SELECT place, ?2, ?3 FROM runs WHERE id = ?1";
            let stored =
                transaction
                    .prepare_cached(sql)?
                    .execute(params![run.as_str(), name, bytes.as_ref()])?;
            match stored {
                0 => Err(Error::UnknownRun(run)),
                _ => Ok(name),
            }
        };
        self.0.writer.write(put).await
    }

    async fn get_of_run(&self, run: &RunId, name: &str) -> Result<Option<Bytes>, Error> {
        let (run, name) = (run.clone(), name.to_owned());
        self.reading(move |connection| {
            let sql = "SELECT content FROM run_blobs WHERE run = (SELECT place FROM runs WHERE id = ?1) AND name = ?2";
            let mut statement = connection.prepare_cached(sql)?;
            let found = statement.query_row([run.as_str(), &name], |row| row.get::<_, Vec<u8>>(0));
            Ok(found.optional()?.map(Bytes::from))
        })
        .await
    }

    async fn expire_of_runs(&self, before: Timestamp) -> Result<usize, Error> {
        let first_kept = first_name_at(before);
        let expire = move |transaction: &Transaction<'_>| {
            let sql = "DELETE FROM run_blobs WHERE name < ?1";
            Ok(transaction.prepare_cached(sql)?.execute([first_kept])?)
        };
        self.0.writer.write(expire).await
    }
}
