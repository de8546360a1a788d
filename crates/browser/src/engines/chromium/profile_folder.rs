//! Profile folders of browsers, and the removal of those that dead processes left behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// The prefix of every folder's name; our pid, the time of its start and a number follow.
const PREFIX: &str = "huntsman-browser-";
/// The file in the folder that names the browser's process.
const PID_FILE: &str = "browser.pid";

static NEXT_NUMBER: AtomicU32 = AtomicU32::new(0);

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
    /// Makes one under `base`.
    pub(super) fn new(base: &Path) -> std::io::Result<ProfileFolder> {
        let own = std::process::id();
        let number = NEXT_NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = base.join(format!("{PREFIX}{own}-{}-{number}", start_time(own).unwrap_or(0)));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("profile"))?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o700))?;
        }
        Ok(ProfileFolder { path })
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
        (fits && fs::create_dir_all(&path).is_ok()).then_some(path)
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
        if start_time(owner) == Some(started) {
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

/// Removes a folder; several attempts, since a dying browser still writes for a moment.
fn remove(path: &Path) {
    for _ in 0..20 {
        match fs::remove_dir_all(path) {
            Err(why) if why.kind() != std::io::ErrorKind::NotFound => {
                std::thread::sleep(Duration::from_millis(10));
            }
            _ => return,
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
        assert_eq!(sweep(&base), 2);
        assert!(own.profile().is_dir() && other.is_dir() && !dead.exists() && !reused.exists());
        let path = own.path.clone();
        drop(own);
        assert!(!path.exists());
        fs::remove_dir_all(&base).unwrap();
    }
}
