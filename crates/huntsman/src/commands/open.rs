//! `huntsman open`: opens the console of the server in a browser.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use clap::Args;
use runtime::config::{Config, Switch};

use crate::failure::Failure;
use crate::output::Output;

/// How long the server may take to accept a connection.
const PATIENCE: Duration = Duration::from_secs(2);
/// Programs that open an address in the user's browser, the first found is taken.
const OPENERS: [&str; 3] = ["xdg-open", "open", "wslview"];

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  huntsman open\n  huntsman open --print --listen 127.0.0.1:9000")]
pub(crate) struct Open {
    /// Print the address, and open no browser.
    #[arg(long)]
    print: bool,
}

impl Open {
    /// Opens the console, and prints its address where no browser can be opened.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        if config.console == Switch::Off {
            return Err(Failure::usage(
                "the console is off; set HUNTSMAN_CONSOLE=on and start the server again",
            ));
        }
        let server = reachable(config.listen);
        TcpStream::connect_timeout(&server, PATIENCE).map_err(|error| {
            Failure::Work(anyhow::anyhow!(
                "no server answers at {server} ({error}); start one with `huntsman serve`, or name its address with --listen"
            ))
        })?;
        let address = format!("http://{server}/console");
        let opener = opener().filter(|_| !self.print);
        let is_open = opener.is_some_and(|program| {
            let mut command = Command::new(program);
            command
                .arg(&address)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        });
        if is_open {
            note!("opened {address}");
        } else {
            let mut output = Output::new();
            output.text(&address)?;
            output.done()?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Where a server that listens on this address is reached from this machine.
fn reachable(listen: SocketAddr) -> SocketAddr {
    match listen.ip().is_unspecified() {
        true => SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), listen.port()),
        false => listen,
    }
}

/// The program that opens addresses: the first of [`OPENERS`] on the PATH.
fn opener() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let programs = OPENERS
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    programs.into_iter().find(|program| program.is_file())
}
