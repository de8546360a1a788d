//! From a program on disk to a running browser that speaks over a pair of pipes.

use std::collections::VecDeque;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use command_fds::{CommandFdExt as _, FdMapping};
use serde::Deserialize;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::unix::pipe;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::folder::{self, Folder};
use super::wire::Connection;
use crate::error::Error;

/// The longest wait for a browser to say its first word. A loaded machine takes its time.
const START: Duration = Duration::from_secs(60);

/// Names that Chromium and its relatives go by.
const NAMES: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
];

/// How to get a browser, for whoever has none.
pub const HOW_TO_GET: &str = "install Chromium (Debian and Ubuntu: apt-get install chromium), or say where it is with \
     HUNTSMAN_CHROMIUM, or name a running one with HUNTSMAN_CDP_ENDPOINTS";

/// What every browser of ours is started with.
const SWITCHES: &[&str] = &[
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-startup-window",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-pings",
    "--disable-quic",
    "--disable-gpu",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-component-extensions-with-background-pages",
    "--disable-domain-reliability",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-hang-monitor",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--disable-search-engine-choice-screen",
    "--disable-smooth-scrolling",
    "--metrics-recording-only",
    "--mute-audio",
    "--password-store=basic",
    "--use-mock-keychain",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--export-tagged-pdf",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy",
    // Pages get a proxy with their context; whatever else wants out finds a closed door.
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--disable-features=BackForwardCache,AcceptCHFrame,AutofillServerCommunication,CertificateTransparencyComponentUpdater,\
     DialMediaRouteProvider,GlobalMediaControls,HttpsUpgrades,InterestFeedContentSuggestions,MediaRouter,OptimizationHints,\
     PaintHolding,Prerender2,ServiceWorkerAutoPreload,Translate,WebRtcHideLocalIpsWithMdns",
];

/// Variables of ours that a browser gets; secrets stay at home.
const VARIABLES: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "TZ",
    "TMPDIR",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "XDG_RUNTIME_DIR",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "FONTCONFIG_PATH",
    "FONTCONFIG_FILE",
    "LD_LIBRARY_PATH",
    "CHROME_DEVEL_SANDBOX",
];

/// How a browser is started.
#[derive(Debug, Clone)]
pub(super) struct Start {
    pub(super) program: Option<PathBuf>,
    pub(super) sandbox: bool,
    pub(super) switches: Vec<String>,
    pub(super) base: PathBuf,
}

/// A browser of ours. Dropping it ends it and removes its profile.
pub(super) struct Launched {
    pub(super) connection: Connection,
    pid: u32,
    /// Reaps the process; it is killed by group, with all it has started.
    _child: Child,
    _folder: Folder,
}

impl Drop for Launched {
    fn drop(&mut self) {
        self.connection.close();
        folder::kill(self.pid);
    }
}

impl Launched {
    /// The browser's process.
    pub(super) fn pid(&self) -> u32 {
        self.pid
    }
}

/// The browser's program: the one named, or the first one found on `PATH`.
pub fn find(named: Option<&Path>) -> Result<PathBuf, Error> {
    if let Some(path) = named {
        return match path.is_file() {
            true => Ok(path.to_owned()),
            false => Err(Error::Unavailable(format!(
                "there is no program at {}; {HOW_TO_GET}",
                path.display()
            ))),
        };
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders)
        .flat_map(|folder| NAMES.iter().map(move |name| folder.join(name)))
        .find(|path| path.is_file());
    found.ok_or_else(|| Error::Unavailable(format!("Chromium is not on PATH; {HOW_TO_GET}")))
}

#[derive(Deserialize)]
struct Version {
    product: String,
}

/// Starts a browser and waits for its first word. Returns its name and version with it.
pub(super) async fn launch(start: &Start) -> Result<(Launched, String), Error> {
    let program = find(start.program.as_deref())?;
    let broken = |what: &str, why: std::io::Error| Error::Unavailable(format!("{what}: {why}"));
    let folder =
        Folder::new(&start.base).map_err(|why| broken("no folder for its profile can be made", why))?;
    let no_pipe = |why| broken("no pipe can be made", why);
    let (their_end, our_writer) = std::io::pipe().map_err(no_pipe)?;
    let (our_reader, their_writer) = std::io::pipe().map_err(no_pipe)?;
    let mut command = std::process::Command::new(&program);
    command
        .args(SWITCHES)
        .arg(format!("--user-data-dir={}", folder.profile().display()))
        .args(shared_memory_switch())
        .args((!start.sandbox).then_some("--no-sandbox"))
        .args(&start.switches)
        .env_clear()
        .envs(
            VARIABLES
                .iter()
                .filter_map(|name| Some((*name, std::env::var_os(name)?))),
        )
        .envs(folder.scratch().map(|it| ("TMPDIR", it)))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mapped = command.fd_mappings(vec![
        FdMapping {
            parent_fd: OwnedFd::from(their_end),
            child_fd: 3,
        },
        FdMapping {
            parent_fd: OwnedFd::from(their_writer),
            child_fd: 4,
        },
    ]);
    mapped.map_err(|_| Error::Unavailable("its pipes cannot be handed over".into()))?;
    let mut command = Command::from(command);
    command.kill_on_drop(true);
    let mut child = command.spawn().map_err(|why| {
        Error::Unavailable(format!(
            "{} cannot be run on this machine ({why}); {HOW_TO_GET}",
            program.display()
        ))
    })?;
    // The browser's ends of the pipes live in the command.
    drop(command);
    let pid = child.id().unwrap_or_default();
    folder.note(pid);
    let last_words = listen(&mut child);
    let reader = pipe::Receiver::from_owned_fd(OwnedFd::from(our_reader)).map_err(no_pipe)?;
    let writer = pipe::Sender::from_owned_fd(OwnedFd::from(our_writer)).map_err(no_pipe)?;
    let connection = Connection::over_pipes(reader, writer);
    let launched = Launched {
        connection,
        pid,
        _child: child,
        _folder: folder,
    };
    let asked = launched
        .connection
        .call("", "Browser.getVersion", serde_json::json!({}));
    match timeout(START, asked.read::<Version>()).await {
        Ok(Ok(version)) => Ok((launched, version.product)),
        Ok(Err(_)) => Err(Error::Unavailable(said(&program, &last_words).await)),
        Err(_) => Err(Error::Unavailable(format!(
            "{} did not answer within {} s",
            program.display(),
            START.as_secs()
        ))),
    }
}

/// Small shared memory, as in containers, crashes pages; the disk takes its place then.
fn shared_memory_switch() -> Option<&'static str> {
    let free = rustix::fs::statvfs("/dev/shm").map(|it| it.f_bavail.saturating_mul(it.f_frsize));
    (free.unwrap_or(0) < 512 << 20).then_some("--disable-dev-shm-usage")
}

type Lines = Arc<Mutex<VecDeque<String>>>;

/// Keeps the last lines of the browser's own log and throws the rest away.
fn listen(child: &mut Child) -> Lines {
    let lines = Lines::default();
    if let Some(stderr) = child.stderr.take() {
        let kept = lines.clone();
        tokio::spawn(async move {
            let mut reader = BufReader::new(stderr);
            let mut line = Vec::new();
            while reader
                .read_until(b'\n', &mut line)
                .await
                .is_ok_and(|read| read > 0)
            {
                let text = String::from_utf8_lossy(line.get(..line.len().min(500)).unwrap_or_default());
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                if kept.len() >= 20 {
                    kept.pop_front();
                }
                kept.push_back(text.trim().to_owned());
                drop(kept);
                line.clear();
            }
        });
    }
    lines
}

/// Why a browser ended before it began.
async fn said(program: &Path, lines: &Lines) -> String {
    // The last words come over another pipe than the silence that was noticed.
    tokio::time::sleep(Duration::from_millis(100)).await;
    let lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
    let all = lines.iter().map(String::as_str).collect::<Vec<_>>().join(" | ");
    if all.to_lowercase().contains("sandbox") {
        return format!(
            "{} cannot use its sandbox here; run as a user other than root on a system with user namespaces, or, where \
             the machine is a sandbox itself, set HUNTSMAN_CHROMIUM_SANDBOX=off",
            program.display()
        );
    }
    let tail: String = all
        .chars()
        .rev()
        .take(400)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect();
    format!("{} ended at once ({tail}); {HOW_TO_GET}", program.display())
}
