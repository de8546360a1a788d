//! Blobs as files beside the database, named by their digest.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use bytes::Bytes;

use super::Sqlite;
use crate::blobs::{Blobs, Digest};
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
}
