//! Real browsers for tests: launch settings, and one at an endpoint.

use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use browser::engines::chromium::{ChromiumSettings, find};
use rustix::process::{Pid, Signal, kill_process_group};
use url::Url;

/// Whether Chromium's own sandbox can be on. As root it cannot; the product itself never turns it off.
pub fn has_sandbox() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() != 0)
}

/// Settings for a browser that the engine launches: the one that `HUNTSMAN_CHROMIUM` names, or the system's.
pub fn settings() -> ChromiumSettings {
    ChromiumSettings {
        program: std::env::var_os("HUNTSMAN_CHROMIUM").map(Into::into),
        sandbox: has_sandbox(),
        ..ChromiumSettings::default()
    }
}

/// A browser that runs already, reached at its endpoint. It is killed when this is dropped.
#[derive(Debug)]
pub struct RunningBrowser {
    child: Child,
    folder: PathBuf,
    /// Its endpoint.
    pub url: Url,
}

impl RunningBrowser {
    /// Starts one, and waits until it listens.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts one with further switches, and waits until it listens. It goes through no proxy of ours.
    pub fn start_with(switches: &[&str]) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("huntsman-endpoint-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        let settings = settings();
        let mut child = Command::new(find(settings.program.as_deref()).expect("a browser"))
            .args([
                "--headless=new",
                "--remote-debugging-port=0",
                "--no-first-run",
                "--disable-gpu",
            ])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ])
            .args((!settings.sandbox).then_some("--no-sandbox"))
            .args(switches)
            .arg(format!("--user-data-dir={}", folder.display()))
            // What a browser that is killed leaves behind lies in the folder.
            .env("TMPDIR", &folder)
            .process_group(0)
            .stderr(Stdio::null())
            .spawn()
            .expect("the browser starts");
        let end = Instant::now() + Duration::from_secs(60);
        let port = loop {
            let contents = std::fs::read_to_string(folder.join("DevToolsActivePort")).unwrap_or_default();
            if let Some(port) = contents.lines().next().filter(|line| !line.is_empty()) {
                break port.to_owned();
            }
            let gone = child.try_wait().expect("its state");
            assert!(
                gone.is_none() && Instant::now() < end,
                "the browser does not listen: {gone:?}"
            );
            std::thread::yield_now();
        };
        let url = format!("http://127.0.0.1:{port}").parse().expect("an address");
        Self { child, folder, url }
    }

    /// Opens a page in a new tab.
    pub fn open(&self, address: &str) {
        use std::io::{Read as _, Write as _};
        let host = format!("127.0.0.1:{}", self.url.port().expect("a port"));
        let mut stream = std::net::TcpStream::connect(&host).expect("the browser listens");
        let request =
            format!("PUT /json/new?{address} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("the browser reads");
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).expect("the browser answers");
        assert_eq!(&answer, b"HTTP/1.1 200", "the browser opens {address}");
    }

    /// Ends it at once, with all its processes, as a crash would.
    pub fn kill(&mut self) {
        let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        let _ = group.map(|group| kill_process_group(group, Signal::KILL));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for RunningBrowser {
    fn drop(&mut self) {
        self.kill();
        // Its processes may write for a moment more.
        for _ in 0..50 {
            match std::fs::remove_dir_all(&self.folder) {
                Err(why) if why.kind() != std::io::ErrorKind::NotFound => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                _ => return,
            }
        }
    }
}
