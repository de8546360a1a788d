//! Launching of a browser process that is controlled over a pair of pipes.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use command_fds::{CommandFdExt as _, FdMapping};
use tokio::io::AsyncReadExt as _;
use tokio::net::unix::pipe;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::cdp::browser::GetVersion;
use super::cdp::{BROWSER_SESSION, Connection};
use super::profile_folder::{self, ProfileFolder};
use crate::diagnostics::millis_since;
use crate::error::Error;

/// The longest wait for a new browser's first response; a loaded machine is slow.
const LAUNCH_TIMEOUT: Duration = Duration::from_secs(60);

/// Last bytes of the browser's log that are kept.
const LOG_TAIL_BYTES: usize = 8 << 10;

/// Least bound of a process's memory, below which browsers do not start.
const MIN_PROCESS_BYTES: u64 = 256 << 20;
/// Processes for pages after which one is shared by several pages of a run.
const MAX_RENDERERS: u32 = 32;

/// Program names of Chromium and Chrome.
const PROGRAM_NAMES: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
];

/// How to get a browser, as the end of an error text.
pub const HOW_TO_GET: &str = "install Chromium (Debian and Ubuntu: apt-get install chromium), or say where it is with \
     HUNTSMAN_CHROMIUM, or name a running one with HUNTSMAN_CDP_ENDPOINTS";

/// Switches of every launched browser.
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
    // Chromium has known the switch by either name. Each needs its value.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    // Pages get a proxy with their context; all other traffic is sent to a closed port.
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    // The proxies resolve names. The browser itself resolves none.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--disable-features=BackForwardCache,AcceptCHFrame,AutofillServerCommunication,CertificateTransparencyComponentUpdater,\
     DialMediaRouteProvider,GlobalMediaControls,HttpsUpgrades,InterestFeedContentSuggestions,MediaRouter,OptimizationHints,\
     PaintHolding,Prerender2,ServiceWorkerAutoPreload,Translate",
];

/// Environment variables that the browser inherits; all others may hold secrets.
const INHERITED_VARIABLES: &[&str] = &[
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

/// Options of a launch.
#[derive(Debug, Clone)]
pub(super) struct LaunchOptions {
    pub(super) program: Option<PathBuf>,
    pub(super) sandbox: bool,
    pub(super) switches: Vec<String>,
    /// Where the profile folder is made.
    pub(super) base: PathBuf,
    /// Most bytes of memory of one process.
    pub(super) process_bytes: u64,
}

/// A launched browser. Dropping it ends it and removes its profile.
pub(super) struct BrowserProcess {
    pub(super) connection: Connection,
    pid: u32,
    /// Reaps the process; it is killed by group, with all it has started.
    _child: Child,
    /// Taken when it is removed.
    folder: Option<ProfileFolder>,
}

impl Drop for BrowserProcess {
    fn drop(&mut self) {
        self.connection.close();
        profile_folder::kill(self.pid);
        if let Some(folder) = self.folder.take() {
            folder.remove_aside();
        }
    }
}

impl BrowserProcess {
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
            false => {
                tracing::warn!(path = %path.display(), "there is no browser program at this path");
                Err(Error::Unavailable(format!(
                    "there is no program at the path that is set; {HOW_TO_GET}"
                )))
            }
        };
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders)
        .flat_map(|folder| PROGRAM_NAMES.iter().map(move |name| folder.join(name)))
        .find(|path| path.is_file());
    found.ok_or_else(|| Error::Unavailable(format!("Chromium is not on PATH; {HOW_TO_GET}")))
}

/// Launches a browser and waits until it responds. Returns its name and version too.
pub(super) async fn launch(options: &LaunchOptions) -> Result<(BrowserProcess, String), Error> {
    let began = Instant::now();
    let program = find(options.program.as_deref())?;
    let folder = ProfileFolder::new(&options.base)
        .map_err(|why| unavailable("no folder for its profile can be made", why))?;
    let (mut child, connection) = spawn(&program, options, &folder)?;
    let pid = child.id().unwrap_or_default();
    folder.note_pid(pid);
    limit_memory(pid, options.process_bytes);
    let log_tail = collect_log(&mut child);
    let process = BrowserProcess {
        connection,
        pid,
        _child: child,
        folder: Some(folder),
    };
    let version = process.connection.call(BROWSER_SESSION, &GetVersion {});
    let version = timeout(LAUNCH_TIMEOUT, version.receive()).await;
    let is_ok = matches!(version, Ok(Ok(_)));
    tracing::debug!(pid, millis = millis_since(began), is_ok, "browser launch");
    match version {
        Ok(Ok(version)) => Ok((process, version.product)),
        Ok(Err(_)) => Err(Error::Unavailable(exit_reason(&program, &log_tail).await)),
        Err(_) => Err(Error::Unavailable(format!(
            "the browser did not answer within {} s",
            LAUNCH_TIMEOUT.as_secs()
        ))),
    }
}

fn unavailable(what: &str, why: std::io::Error) -> Error {
    Error::Unavailable(format!("{what}: {why}"))
}

/// Starts the process, connected by pipes as its file descriptors 3 and 4.
fn spawn(
    program: &Path,
    options: &LaunchOptions,
    folder: &ProfileFolder,
) -> Result<(Child, Connection), Error> {
    let no_pipe = |why| unavailable("no pipe can be made", why);
    let (browser_reader, own_writer) = std::io::pipe().map_err(no_pipe)?;
    let (own_reader, browser_writer) = std::io::pipe().map_err(no_pipe)?;
    let inherited = INHERITED_VARIABLES.iter();
    let mut command = std::process::Command::new(program);
    command
        .args(SWITCHES)
        .arg(format!("--user-data-dir={}", folder.profile().display()))
        .args(shared_memory_switch())
        .args(memory_switches(options.process_bytes))
        .args((!options.sandbox).then_some("--no-sandbox"))
        .args(&options.switches)
        .env_clear()
        .envs(inherited.filter_map(|name| Some((*name, std::env::var_os(name)?))))
        .envs(folder.scratch().map(|path| ("TMPDIR", path)))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mapped = command.fd_mappings(vec![
        FdMapping {
            parent_fd: OwnedFd::from(browser_reader),
            child_fd: 3,
        },
        FdMapping {
            parent_fd: OwnedFd::from(browser_writer),
            child_fd: 4,
        },
    ]);
    mapped.map_err(|_| Error::Unavailable("its pipes cannot be handed over".into()))?;
    // The browser's ends of the pipes live in the command, which ends with this function.
    let mut command = Command::from(command);
    command.kill_on_drop(true);
    let child = command.spawn().map_err(|why| {
        tracing::warn!(program = %program.display(), %why, "the browser cannot be run");
        Error::Unavailable(format!(
            "the browser cannot be run on this machine ({why}); {HOW_TO_GET}"
        ))
    })?;
    let reader = pipe::Receiver::from_owned_fd(OwnedFd::from(own_reader)).map_err(no_pipe)?;
    let writer = pipe::Sender::from_owned_fd(OwnedFd::from(own_writer)).map_err(no_pipe)?;
    Ok((child, Connection::over_pipes(reader, writer)))
}

/// Little shared memory, as in containers, crashes pages; then the disk is used instead.
fn shared_memory_switch() -> Option<&'static str> {
    let free = rustix::fs::statvfs("/dev/shm").map(|stat| stat.f_bavail.saturating_mul(stat.f_frsize));
    (free.unwrap_or(0) < 512 << 20).then_some("--disable-dev-shm-usage")
}

/// Switches that keep the number of processes, and the heap of scripts, within bounds.
fn memory_switches(process_bytes: u64) -> [String; 2] {
    // Beside scripts, a process holds pictures, buffers and the page itself.
    let script_megabytes = (process_bytes / 2) >> 20;
    [
        format!("--renderer-process-limit={MAX_RENDERERS}"),
        format!("--js-flags=--max-old-space-size={script_megabytes}"),
    ]
}

/// Bounds the memory of a browser and of each process that it starts from now on (`RLIMIT_DATA`). A process that needs
/// more ends, and its page with it. Systems without that limit have none.
fn limit_memory(pid: u32, process_bytes: u64) {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Pid, Resource, Rlimit, prlimit};
        let process = i32::try_from(pid).ok().and_then(Pid::from_raw);
        let limit = Some(process_bytes.max(MIN_PROCESS_BYTES));
        let limit = Rlimit {
            current: limit,
            maximum: limit,
        };
        if let Err(error) = prlimit(process, Resource::Data, limit) {
            tracing::warn!(%error, "the memory of the browser is not limited");
        }
    }
}

type LogTail = Arc<Mutex<Vec<u8>>>;

/// Collects the last bytes of the browser's log.
fn collect_log(child: &mut Child) -> LogTail {
    let tail = LogTail::default();
    if let Some(mut stderr) = child.stderr.take() {
        let collected = tail.clone();
        tokio::spawn(async move {
            let mut buffer = vec![0; LOG_TAIL_BYTES];
            while let Ok(read @ 1..) = stderr.read(&mut buffer).await {
                let mut tail = collected.lock().unwrap_or_else(PoisonError::into_inner);
                tail.extend_from_slice(buffer.get(..read).unwrap_or_default());
                let excess = tail.len().saturating_sub(LOG_TAIL_BYTES);
                tail.drain(..excess);
            }
        });
    }
    tail
}

/// Why a browser ended right after its start. What it said names files of this machine, so it goes to the log.
async fn exit_reason(program: &Path, log_tail: &LogTail) -> String {
    // The log comes over another pipe than the end that was noticed.
    tokio::time::sleep(Duration::from_millis(100)).await;
    let log = log_tail.lock().unwrap_or_else(PoisonError::into_inner);
    let log = String::from_utf8_lossy(&log);
    let all = log.lines().map(str::trim).collect::<Vec<_>>().join(" | ");
    if all.to_lowercase().contains("sandbox") {
        return String::from(
            "the browser cannot use its sandbox here; run as a user other than root on a system with user namespaces, \
             or, where the machine is a sandbox itself, set HUNTSMAN_CHROMIUM_SANDBOX=off",
        );
    }
    tracing::warn!(program = %program.display(), said = %all, "the browser ended at once");
    format!("the browser ended at once, and the operator's log says what it said; {HOW_TO_GET}")
}

#[cfg(test)]
mod tests;
