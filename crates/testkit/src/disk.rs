//! `LoopDisk`: a small disk of its own for a process under test, which can be filled up and slowed down.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// Where Linux takes the limit of operations of a device, where control groups of version 1 are mounted.
const THROTTLE: &str = "/sys/fs/cgroup/blkio/blkio.throttle.write_iops_device";

/// A file system in a file, on a loop device; unmounted and deleted when this is dropped.
#[derive(Debug)]
pub struct LoopDisk {
    folder: TempDir,
    /// Major and minor number of the device.
    device: String,
}

fn done(program: &str, words: &[&str]) -> Result<String, String> {
    let output = Command::new(program).args(words).output();
    let output = output.map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(format!("{program}: {said}"))
}

impl LoopDisk {
    /// A disk of so many megabytes.
    ///
    /// # Errors
    /// Why there is none, where the process may not mount one.
    pub fn new(megabytes: u64) -> Result<Self, String> {
        let folder = TempDir::new().map_err(|error| error.to_string())?;
        let (image, mount) = (folder.path().join("image"), folder.path().join("disk"));
        let made = File::create(&image).and_then(|file| file.set_len(megabytes << 20));
        made.and_then(|()| fs::create_dir(&mount))
            .map_err(|error| error.to_string())?;
        let (image, mount) = (image.display().to_string(), mount.display().to_string());
        done("mkfs.ext4", &["-q", "-F", &image])?;
        done("mount", &["-o", "loop", &image, &mount])?;
        let mut disk = Self {
            folder,
            device: String::new(),
        };
        disk.device = done("mountpoint", &["-d", &mount])?;
        Ok(disk)
    }

    /// Where it is mounted.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("disk")
    }

    fn filler(&self) -> PathBuf {
        self.path().join("filler")
    }

    /// Takes all the room that is left, until [`LoopDisk::free`].
    ///
    /// # Panics
    /// When the file that takes it cannot be made.
    pub fn fill(&self) {
        let mut filler = File::create(self.filler()).expect("a file");
        let mut chunk = vec![1; 1 << 20];
        while !chunk.is_empty() {
            if filler.write_all(&chunk).is_err() {
                chunk.truncate(chunk.len() / 2);
            }
        }
    }

    /// Gives the room back that [`LoopDisk::fill`] took.
    pub fn free(&self) {
        let _ = fs::remove_file(self.filler());
    }

    /// Whether this system can slow the disk down; else why not.
    ///
    /// # Errors
    /// The reason.
    pub fn can_be_slowed(&self) -> Result<(), String> {
        match Path::new(THROTTLE).exists() {
            true => self.set_limit(0),
            false => Err(format!("{THROTTLE} is not there")),
        }
    }

    /// Lets the disk take so many writes a second; 0 is no limit.
    ///
    /// # Errors
    /// What the system says.
    pub fn set_limit(&self, writes: u32) -> Result<(), String> {
        let limit = format!("{} {writes}", self.device);
        fs::write(THROTTLE, limit).map_err(|error| format!("{THROTTLE}: {error}"))
    }
}

impl Drop for LoopDisk {
    fn drop(&mut self) {
        let _ = self.set_limit(0);
        let _ = done("umount", &["-l", &self.path().display().to_string()]);
    }
}
