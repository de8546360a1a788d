//! `LoopDisk`: a small disk of its own for a process under test, which can be filled up, slowed down and cut off as by a loss
//! of power.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::ioctl::{Setter, ioctl, opcode};
use tempfile::TempDir;

/// The request that shuts an ext4 file system down, `EXT4_IOC_SHUTDOWN` of Linux, and its flag that writes nothing more, not
/// even the journal: `EXT4_GOING_FLAGS_NOLOGFLUSH`.
const SHUTDOWN: rustix::ioctl::Opcode = opcode::read::<u32>(b'X', 125);
const WITHOUT_JOURNAL: u32 = 2;

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
        let image = image.display().to_string();
        done("mkfs.ext4", &["-q", "-F", &image])?;
        let mut disk = Self {
            folder,
            device: String::new(),
        };
        disk.mount()?;
        Ok(disk)
    }

    fn mount(&mut self) -> Result<(), String> {
        let image = self.folder.path().join("image").display().to_string();
        let mount = self.path().display().to_string();
        done("mount", &["-o", "loop", &image, &mount])?;
        self.device = done("mountpoint", &["-d", &mount])?;
        Ok(())
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

    /// Whether this system can take the power of the disk away, as a try with two files shows; else why not.
    ///
    /// # Errors
    /// The reason.
    pub fn can_lose_power(&mut self) -> Result<(), String> {
        let (kept, lost) = (self.path().join("kept"), self.path().join("lost"));
        let written = File::create(&kept).and_then(|mut file| {
            file.write_all(b"kept")?;
            file.sync_all()?;
            file.write_all(b"lost")?;
            fs::write(&lost, "lost")
        });
        written.map_err(|error| error.to_string())?;
        self.lose_power()?;
        if fs::write(&lost, "written without power").is_ok() {
            return Err("the disk takes writes without power".to_owned());
        }
        self.restore_power()?;
        let left = fs::read(&kept).map_err(|error| error.to_string())?;
        if left != b"kept" || lost.exists() {
            return Err("a loss of power lost too much or too little".to_owned());
        }
        fs::remove_file(&kept).map_err(|error| error.to_string())
    }

    /// Takes the power away: what was not written to the disk, because nobody asked for that and the system has not done so by
    /// itself, is gone. Nothing can be read or written until [`LoopDisk::restore_power`].
    ///
    /// # Errors
    /// What the system says.
    pub fn lose_power(&self) -> Result<(), String> {
        let folder = File::open(self.path()).map_err(|error| error.to_string())?;
        #[expect(unsafe_code, reason = "no library has a safe call for this request")]
        // SAFETY: the request reads one `u32`, whose address `Setter` passes, as the kernel declares it.
        let outcome = unsafe { ioctl(folder, Setter::<SHUTDOWN, u32>::new(WITHOUT_JOURNAL)) };
        outcome.map_err(|error| format!("the file system cannot be shut down: {error}"))
    }

    /// Mounts the disk again after [`LoopDisk::lose_power`], once no process has a file of it open.
    ///
    /// # Errors
    /// What the system says.
    pub fn restore_power(&mut self) -> Result<(), String> {
        done("umount", &[&self.path().display().to_string()])?;
        self.mount()
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
