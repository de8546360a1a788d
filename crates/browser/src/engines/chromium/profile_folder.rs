//! Profile folders of browsers, and the removal of those that dead processes left behind.

use std::fs;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tokio::runtime::Handle;

/// The prefix of every folder's name; our pid, the time of its start and random digits follow.
const PREFIX: &str = "huntsman-browser-";
/// The file in the folder that names the browser's process.
const PID_FILE: &str = "browser.pid";

/// Attempts to remove a folder, and the pause between them.
const REMOVAL_ATTEMPTS: usize = 100;
const REMOVAL_PAUSE: Duration = Duration::from_millis(20);

/// The prefixes of the folders in which Chromium and Chrome have their socket.
const SOCKET_FOLDER_PREFIXES: &[&str] = &["org.chromium.Chromium.", "com.google.Chrome."];
/// Bytes of the name of Chromium's socket below its folder of temporary files:
/// `/org.chromium.Chromium.XXXXXX/SingletonSocket`; its relatives have shorter names.
const SOCKET_SUFFIX_BYTES: usize = 46;
/// Most bytes of a socket's address (`sun_path` of unix(7), without its end).
const MAX_SOCKET_PATH_BYTES: usize = 107;

/// A fresh profile folder, removed when it is dropped.
#[derive(Debug)]
pub(super) struct ProfileFolder {
    path: PathBuf,
}

impl ProfileFolder {
    /// Makes one under `base`, which others may write to: its name cannot be predicted, what exists is never taken,
    /// and it is private from the start.
    pub(super) fn new(base: &Path) -> std::io::Result<ProfileFolder> {
        let own = std::process::id();
        let started = start_time(own).unwrap_or(0);
        let mut random = [0_u8; 8];
        getrandom::fill(&mut random).map_err(std::io::Error::other)?;
        // 32 bits: with all of them the path of the browser's socket may become too long.
        let random = u64::from_ne_bytes(random) >> 32;
        fs::create_dir_all(base)?;
        let path = base.join(format!("{PREFIX}{own}-{started}-{random:08x}"));
        private_folder(&path)?;
        let folder = ProfileFolder { path };
        private_folder(&folder.profile())?;
        Ok(folder)
    }

    /// The profile within.
    pub(super) fn profile(&self) -> PathBuf {
        self.path.join("profile")
    }

    /// The browser's folder of temporary files, removed with the profile: a browser that is killed removes nothing.
    /// None where the path of the socket in it would be longer than systems allow.
    pub(super) fn scratch(&self) -> Option<PathBuf> {
        let path = self.path.join("tmp");
        let fits = path.as_os_str().len() + SOCKET_SUFFIX_BYTES <= MAX_SOCKET_PATH_BYTES;
        (fits && private_folder(&path).is_ok()).then_some(path)
    }

    /// Removes it on a thread that may block: it has hundreds of files, and a dying browser still writes for a moment. A runtime
    /// that ends removes it at once.
    pub(super) fn remove_aside(self) {
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn_blocking(move || drop(self));
        }
    }

    /// Writes down the browser's pid for [`sweep`].
    pub(super) fn note_pid(&self, pid: u32) {
        let _ = fs::write(self.path.join(PID_FILE), pid.to_string());
    }
}

impl Drop for ProfileFolder {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// Makes a folder that only this user can enter. Fails where anything has that name.
fn private_folder(path: &Path) -> std::io::Result<()> {
    fs::DirBuilder::new().mode(0o700).create(path)
}

/// A [`sweep`] that is done once.
#[derive(Default)]
pub(super) struct ProfileSweep {
    done: OnceLock<()>,
}

impl ProfileSweep {
    /// Sweeps on a thread of its own, unless that was done.
    pub(super) fn start(self: &Arc<Self>, base: PathBuf) {
        let sweep = self.clone();
        std::thread::spawn(move || sweep.run(&base));
    }

    /// Sweeps unless that was done. Returns when it is done, and blocks the thread until then.
    pub(super) fn run(&self, base: &Path) {
        self.done.get_or_init(|| {
            sweep(base);
        });
    }
}

/// Kills a browser and its process group.
pub(super) fn kill(pid: u32) {
    let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else {
        return;
    };
    let _ = kill_process_group(pid, Signal::KILL);
    let _ = kill_process(pid, Signal::KILL);
}

/// Kills the browsers and removes the folders that dead processes left. Returns the number of folders.
pub(super) fn sweep(base: &Path) -> usize {
    let Ok(entries) = fs::read_dir(base) else {
        return 0;
    };
    let mut swept = 0;
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let mut parts = name.strip_prefix(PREFIX).unwrap_or_default().split('-');
        let owner = parts.next().and_then(|pid| pid.parse::<u32>().ok());
        let started = parts.next().and_then(|ticks| ticks.parse::<u64>().ok());
        let (Some(owner), Some(started)) = (owner, started) else {
            continue;
        };
        if start_time(owner) == Some(started) || !is_own_folder(&entry.path()) {
            continue;
        }
        let pid = fs::read_to_string(entry.path().join(PID_FILE))
            .ok()
            .and_then(|text| text.trim().parse::<u32>().ok());
        // The pid may belong to another program by now; the folder's name in the command line tells.
        if let Some(pid) = pid
            && fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| contains(&line, name.as_bytes()))
        {
            kill(pid);
        }
        remove(&entry.path());
        swept += 1;
    }
    swept
}

/// Whether it is a folder, and no link, of this user.
fn is_own_folder(path: &Path) -> bool {
    let own = rustix::process::geteuid().as_raw();
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir() && found.uid() == own)
}

/// Removes a profile's folder, and the folder of the browser's socket, which may lie elsewhere: a link leads there.
fn remove(path: &Path) {
    let socket = fs::read_link(path.join("profile").join("SingletonSocket"));
    let socket_folder = socket.ok().and_then(|socket| Some(socket.parent()?.to_owned()));
    let is_browsers = |folder: &PathBuf| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let is_known = SOCKET_FOLDER_PREFIXES
            .iter()
            .any(|prefix| name.starts_with(prefix));
        is_known && is_own_folder(folder)
    };
    if let Some(folder) = socket_folder.filter(is_browsers) {
        let _ = fs::remove_dir_all(folder);
    }
    remove_folder(path);
}

/// Removes a folder; several attempts, since a dying browser still writes for a moment.
fn remove_folder(path: &Path) {
    for attempt in 1..=REMOVAL_ATTEMPTS {
        match fs::remove_dir_all(path) {
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => return,
            Err(why) if attempt == REMOVAL_ATTEMPTS => {
                tracing::warn!(path = %path.display(), %why, "the folder of a browser cannot be removed");
            }
            Err(_) => std::thread::sleep(REMOVAL_PAUSE),
            Ok(()) => return,
        }
    }
}

/// When a process started, in the kernel's ticks; none when there is no such process.
fn start_time(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is a name in parentheses that may hold anything.
    let rest = stat.rsplit_once(')')?.1;
    rest.split_ascii_whitespace().nth(19)?.parse().ok()
}

fn contains(line: &[u8], name: &[u8]) -> bool {
    line.windows(name.len()).any(|part| part == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_dead_process_left_is_removed_and_what_the_living_own_is_not() {
        let base = std::env::temp_dir().join(format!("huntsman-sweep-{}", std::process::id()));
        fs::create_dir_all(&base).unwrap();
        let own = ProfileFolder::new(&base).unwrap();
        let dead = base.join(format!("{PREFIX}999999999-5-0"));
        let reused = base.join(format!("{PREFIX}{}-1-0", std::process::id()));
        let other = base.join("huntsman-browser-notes");
        for path in [&dead, &reused, &other] {
            fs::create_dir_all(path.join("profile")).unwrap();
        }
        // A browser whose socket lies elsewhere, as with a long path of the profile.
        let socket_folder = base.join("org.chromium.Chromium.Ab12Cd");
        fs::create_dir_all(&socket_folder).unwrap();
        let socket = socket_folder.join("SingletonSocket");
        std::os::unix::fs::symlink(&socket, dead.join("profile/SingletonSocket")).unwrap();
        std::os::unix::fs::symlink(other.join("x"), reused.join("profile/SingletonSocket")).unwrap();
        let link = base.join(format!("{PREFIX}999999998-5-0"));
        std::os::unix::fs::symlink(&other, &link).unwrap();
        assert_eq!(sweep(&base), 2);
        assert!(own.profile().is_dir() && other.is_dir() && !dead.exists() && !reused.exists());
        assert!(other.join("profile").is_dir() && link.is_symlink() && !socket_folder.exists());
        let path = own.path.clone();
        drop(own);
        assert!(!path.exists());
        fs::remove_dir_all(&base).unwrap();
    }

    #[test]
    fn a_profile_is_private_from_its_creation_and_its_name_is_random() {
        let base = std::env::temp_dir().join(format!("hp-{}", std::process::id()));
        let folders: Vec<_> = (0..20).map(|_| ProfileFolder::new(&base).unwrap()).collect();
        let mut names = std::collections::HashSet::new();
        for folder in &folders {
            let paths = [folder.path.clone(), folder.profile(), folder.scratch().unwrap()];
            for path in &paths {
                assert_eq!(fs::metadata(path).unwrap().mode() & 0o777, 0o700, "{path:?}");
            }
            let name = folder.path.file_name().unwrap().to_string_lossy().into_owned();
            names.insert(name.rsplit('-').next().unwrap().to_owned());
        }
        assert_eq!(names.len(), folders.len());
        assert!(
            private_folder(&folders[0].path).is_err(),
            "what exists is not taken"
        );
        drop(folders);
        assert_eq!(fs::read_dir(&base).unwrap().count(), 0);
        fs::remove_dir_all(&base).unwrap();
    }
}
