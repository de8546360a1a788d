//! Files that only their owner may read: the data folder has mode 0700 and every file in it 0600, whatever the umask.
//!
//! On systems without Unix modes files get what the folder gives them.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

/// Names within a data folder that are ours; their modes are repaired when a store opens. Anything else that an operator
/// put there keeps its mode, and is out of reach behind the folder's own.
const OWN: [&str; 13] = [
    "huntsman.db",
    "huntsman.db-wal",
    "huntsman.db-shm",
    "huntsman.db-journal",
    "index.db",
    "index.db-wal",
    "index.db-shm",
    "index.db-journal",
    "server.lock",
    "secret.key",
    "blobs",
    "screenshots",
    "frontiers",
];

/// Deepest level of folders that is repaired; ours have two.
const MAX_DEPTH: usize = 4;

/// Creates a folder of mode 0700, and its parents where they are missing.
///
/// # Errors
/// Those of the file system.
pub fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Opens a file to read and write, and creates it with mode 0600 where it is missing.
///
/// # Errors
/// Those of the file system.
pub fn open_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    // The umask may have taken the owner's own rights away.
    restrict_or_warn(path, &file.metadata()?);
    Ok(file)
}

/// Prepares a data folder: creates it, and takes the rights of group and others from it and from our files in it. Returns
/// how many files and folders were open to others.
///
/// # Errors
/// When the folder cannot be created. One whose mode cannot be set, because it belongs to another user, is used as it is,
/// with a warning in the log.
pub fn prepare_data_folder(folder: &Path) -> io::Result<usize> {
    create_folder(folder)?;
    let mut tightened = usize::from(restrict_or_warn(folder, &fs::metadata(folder)?));
    for name in OWN {
        tightened += tighten(&folder.join(name), MAX_DEPTH);
    }
    Ok(tightened)
}

/// Restricts a file or a folder with its content. Links are left alone, and so is what belongs to somebody else.
fn tighten(path: &Path, depth: usize) -> usize {
    let Ok(about) = fs::symlink_metadata(path) else {
        return 0;
    };
    if about.is_symlink() {
        return 0;
    }
    let mut tightened = usize::from(restrict_or_warn(path, &about));
    if about.is_dir() && depth > 0 {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            tightened += tighten(&entry.path(), depth - 1);
        }
    }
    tightened
}

/// As [`restrict`]; what cannot be restricted is logged.
fn restrict_or_warn(path: &Path, about: &fs::Metadata) -> bool {
    restrict(path, about).unwrap_or_else(|error| {
        tracing::warn!(%error, path = %path.display(), "other users may have rights on this, and they cannot be taken away");
        false
    })
}

/// Sets the mode to 0700 for a folder and 0600 for a file. True when others had rights before.
#[cfg(unix)]
fn restrict(path: &Path, about: &fs::Metadata) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    let wanted = if about.is_dir() { 0o700 } else { 0o600 };
    let mode = about.permissions().mode() & 0o777;
    if mode == wanted {
        return Ok(false);
    }
    fs::set_permissions(path, fs::Permissions::from_mode(wanted))?;
    Ok(mode & 0o077 != 0)
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the same signature on every system")]
fn restrict(_path: &Path, _about: &fs::Metadata) -> io::Result<bool> {
    Ok(false)
}

/// Bytes that the file system of a folder has free for this user; none where the system does not say.
pub fn free_space(folder: &Path) -> Option<u64> {
    #[cfg(unix)]
    {
        let about = rustix::fs::statvfs(folder).ok()?;
        Some(about.f_bavail.saturating_mul(about.f_frsize))
    }
    #[cfg(not(unix))]
    {
        let _ = folder;
        None
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_folder_that_others_can_read_is_closed_with_our_files_in_it_and_links_are_left_alone() {
        let outside = tempfile::tempdir().unwrap();
        let foreign = outside.path().join("foreign");
        fs::write(&foreign, "x").unwrap();
        fs::set_permissions(&foreign, fs::Permissions::from_mode(0o644)).unwrap();
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("data");
        let pictures = folder.join("screenshots");
        fs::create_dir_all(&pictures).unwrap();
        for path in [&folder, &pictures] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        for name in ["huntsman.db", "screenshots/1.png"] {
            fs::write(folder.join(name), "x").unwrap();
            fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o644)).unwrap();
        }
        std::os::unix::fs::symlink(&foreign, pictures.join("link")).unwrap();
        assert_eq!(prepare_data_folder(&folder).unwrap(), 4);
        assert_eq!((mode(&folder), mode(&pictures)), (0o700, 0o700));
        assert_eq!(mode(&folder.join("huntsman.db")), 0o600);
        assert_eq!(mode(&pictures.join("1.png")), 0o600);
        assert_eq!(mode(&foreign), 0o644);
        assert_eq!(prepare_data_folder(&folder).unwrap(), 0, "nothing is left to do");
    }

    #[test]
    fn free_space_is_known() {
        assert!(free_space(Path::new("/")).is_some());
    }
}
