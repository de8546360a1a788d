//! A reader of the guides: a shell in an empty home folder, a second terminal, and the addresses that pages name.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use tempfile::TempDir;

use crate::markdown;

/// How the home folder of the reader is named in the guides.
const HOME: &str = "/home/ada";
/// Ends the output of a command, before its exit code.
const MARK: char = '\u{1e}';
/// Errors and notes come with the results, as at a terminal.
const ONE_OUTPUT: &str = "exec 2>&1";
/// A command that prints nothing for so long has hung.
const PATIENCE: Duration = Duration::from_secs(120);

/// The ports that pages name, with what listens there. Tests use free ones in their place.
const PORTS: [&str; 2] = ["8800", "8787"];

/// The shell, its home and the processes in the other terminals. All of them end with it.
pub(crate) struct Session {
    home: TempDir,
    shell: Child,
    input: ChildStdin,
    output: Receiver<String>,
    background: Vec<Child>,
    /// Each port of the pages with the one in its place.
    ports: Vec<(&'static str, String)>,
}

impl Session {
    /// Begins in an empty home. `model` is the port of the model server, where the page uses one.
    pub(crate) fn begin(model: Option<u16>) -> Session {
        let home = TempDir::new().unwrap();
        std::fs::create_dir(home.path().join("bin")).unwrap();
        let program = home.path().join("bin/huntsman");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_huntsman"), program).unwrap();
        let free = |port: &&'static str| {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            (*port, listener.local_addr().unwrap().port().to_string())
        };
        let ports: Vec<_> = PORTS.iter().map(free).collect();
        let mut command = shell(home.path(), &ports);
        // Where Ollama listens unless this says otherwise.
        command.envs(model.map(|port| ("OLLAMA_HOST", format!("http://127.0.0.1:{port}"))));
        let mut shell = command.stdin(Stdio::piped()).spawn().unwrap();
        let (mut input, output) = (shell.stdin.take().unwrap(), lines(&mut shell));
        writeln!(input, "{ONE_OUTPUT}").unwrap();
        Session {
            home,
            shell,
            input,
            output,
            background: Vec::new(),
            ports,
        }
    }

    /// Installs the official Python client and our own, and the official one for Node.
    pub(crate) fn add_clients(&self, with_node: bool) {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../clients/python");
        let script = format!(
            "#!/bin/sh\nPYTHONPATH={} exec {} \"$@\"\n",
            own.canonicalize().unwrap().display(),
            testkit::sdk::python().display()
        );
        let program = self.home.path().join("bin/python3");
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        if with_node {
            let modules = testkit::sdk::node_modules();
            std::os::unix::fs::symlink(modules, self.home.path().join("node_modules")).unwrap();
        }
    }

    /// Makes the packages of the program, in the folder `packages`.
    pub(crate) fn add_packages(&self) {
        let path = |name: &str| self.home.path().join(name).to_string_lossy().into_owned();
        let (stripped, packages) = (path("stripped"), path("packages"));
        let run = |program: &str, words: &[&str]| {
            let status = Command::new(program)
                .args(words)
                .stdout(Stdio::null())
                .status()
                .unwrap();
            assert!(status.success(), "{program} {words:?} ended with {status}");
        };
        // Packages hold no symbols; those of a build for tests are twice as large as the program.
        run("strip", &["-o", &stripped, env!("CARGO_BIN_EXE_huntsman")]);
        let words = [
            "xtask", "packages", "--fast", "--binary", &stripped, "--output", &packages,
        ];
        run(env!("CARGO"), &words);
        std::fs::remove_file(stripped).unwrap();
    }

    /// Saves a file of the page in the home folder.
    pub(crate) fn save(&self, name: &str, text: &str) {
        let path = self.home.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, self.with_real_ports(text)).unwrap();
    }

    /// Types a command, and returns what it prints on both of its outputs and its exit code.
    pub(crate) fn run(&mut self, command: &str) -> Result<(Vec<String>, i32), String> {
        let file = self.home.path().join(".command");
        std::fs::write(&file, self.with_real_ports(command)).unwrap();
        writeln!(self.input, ". ~/.command </dev/null; printf '\\n{MARK}%s\\n' $?").unwrap();
        let mut printed = Vec::new();
        loop {
            match self.output.recv_timeout(PATIENCE) {
                Ok(line) => match line.strip_prefix(MARK) {
                    Some(code) => break Ok((self.as_written(printed), code.parse().unwrap())),
                    None => printed.push(line),
                },
                Err(RecvTimeoutError::Timeout) => {
                    break Err(format!("prints nothing more after {printed:?}"));
                }
                Err(RecvTimeoutError::Disconnected) => break Err("ended the shell".into()),
            }
        }
    }

    /// Starts a command in another terminal, and returns what it has printed once that is what the page says, or when it
    /// ends or prints nothing more.
    pub(crate) fn start(&mut self, command: &str, expected: &[String]) -> Vec<String> {
        let mut terminal = shell(self.home.path(), &self.ports);
        let command = format!("{ONE_OUTPUT}; {}", self.with_real_ports(command));
        let mut child = terminal
            .args(["-c", &command])
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let output = lines(&mut child);
        self.background.push(child);
        let (mut printed, mut shown) = (Vec::new(), Vec::new());
        while let Ok(line) = output.recv_timeout(PATIENCE) {
            printed.push(line);
            shown = self.as_written(printed.clone());
            if markdown::matches(expected, &shown.iter().map(String::as_str).collect::<Vec<_>>()) {
                break;
            }
        }
        // The rest is read, so that the process never waits for a reader.
        std::thread::spawn(move || output.into_iter().for_each(drop));
        shown
    }

    /// Puts the ports in use where the text names those of the pages.
    fn with_real_ports(&self, text: &str) -> String {
        let replace = |text: String, (written, real): &(&str, String)| {
            let parts: Vec<&str> = text.split(written).collect();
            let is_digit = |sign: Option<char>| sign.is_some_and(|sign| sign.is_ascii_digit());
            let mut whole = parts.first().copied().unwrap_or_default().to_owned();
            for pair in parts.windows(2) {
                let is_part = is_digit(pair[0].chars().last()) || is_digit(pair[1].chars().next());
                whole.push_str(if is_part { written } else { real });
                whole.push_str(pair[1]);
            }
            whole
        };
        self.ports.iter().fold(text.to_owned(), replace)
    }

    /// Lines of output as the page writes them, without blank lines at the end.
    fn as_written(&self, lines: Vec<String>) -> Vec<String> {
        let home = self.home.path().to_string_lossy().into_owned();
        let written = |line: String| {
            let line = line.replace(&home, HOME);
            let replace = |line: String, (written, real): &(&str, String)| {
                // The last two as a crawl names folders, and where a server listens for everybody.
                let hosts = ["127.0.0.1:", "localhost:", "127.0.0.1_", "0.0.0.0:"];
                hosts.iter().fold(line, |line, host| {
                    line.replace(&format!("{host}{real}"), &format!("{host}{written}"))
                })
            };
            self.ports.iter().fold(line, replace)
        };
        let mut lines: Vec<String> = lines.into_iter().map(written).collect();
        while lines.last().is_some_and(|line| line.trim().is_empty()) {
            lines.pop();
        }
        lines
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        for child in self.background.iter_mut().chain([&mut self.shell]) {
            // What a process has begun ends with it: a shell's commands are in its group.
            let group = format!("-{}", child.id());
            let _ = Command::new("kill")
                .args(["-KILL", "--", &group])
                .stderr(Stdio::null())
                .status();
            let _ = child.wait();
        }
    }
}

/// A shell without anybody's settings. `huntsman` is on its path, and listens where the pages say.
fn shell(home: &Path, ports: &[(&str, String)]) -> Command {
    let path = std::env::var("PATH").unwrap_or_default();
    let listen = ports.iter().find(|(written, _)| *written == "8787");
    let mut command = Command::new("bash");
    command
        .args(["--noprofile", "--norc"])
        .env_clear()
        .env("PATH", format!("{}:{path}", home.join("bin").display()))
        .env("HOME", home)
        .envs([("LANG", "C.UTF-8"), ("TZ", "UTC"), ("TERM", "dumb")])
        .env(
            "HUNTSMAN_LISTEN",
            format!("127.0.0.1:{}", listen.map_or("0", |(_, port)| port)),
        )
        .current_dir(home)
        .process_group(0)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    for name in ["HUNTSMAN_CHROMIUM", "PYTHONDONTWRITEBYTECODE"] {
        command.envs(std::env::var_os(name).map(|value| (name, value)));
    }
    if !testkit::chromium::has_sandbox() {
        command.env("HUNTSMAN_CHROMIUM_SANDBOX", "off");
    }
    command
}

/// The lines that a process prints, as they come.
fn lines(child: &mut Child) -> Receiver<String> {
    let (sender, receiver) = channel();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    std::thread::spawn(move || {
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            if sender.send(text).is_err() {
                return;
            }
            line.clear();
        }
    });
    receiver
}
