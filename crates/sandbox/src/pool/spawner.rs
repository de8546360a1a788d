//! A thread that starts children.
//!
//! The system ends a child with the *thread* that started it, and threads of a runtime come and go.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::mpsc::{Receiver, Sender, channel};

use tokio::process::{Child, Command};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::error::Error;

/// Starts children of one program. They end with it.
#[derive(Debug)]
pub(super) struct Spawner {
    orders: Sender<Order>,
}

/// A child that is wanted.
struct Order {
    /// The runtime that reads its pipes.
    runtime: Handle,
    reply: oneshot::Sender<io::Result<Child>>,
}

impl Spawner {
    pub(super) fn new(program: PathBuf, arguments: Vec<OsString>) -> Spawner {
        let (orders, receiver) = channel();
        // Without a thread the channel is closed, and every start fails.
        let _ = std::thread::Builder::new()
            .name("sandbox-spawner".into())
            .spawn(move || serve(&program, &arguments, &receiver));
        Spawner { orders }
    }

    /// Starts a child with pipes and an empty environment.
    pub(super) async fn start(&self) -> Result<Child, Error> {
        let (reply, child) = oneshot::channel();
        let order = Order {
            runtime: Handle::current(),
            reply,
        };
        let gone = || Error::Start("the thread that starts processes has ended".into());
        self.orders.send(order).map_err(|_| gone())?;
        let child = child.await.map_err(|_| gone())?;
        child.map_err(|error| Error::Start(error.kind().to_string()))
    }
}

fn serve(program: &PathBuf, arguments: &[OsString], orders: &Receiver<Order>) {
    while let Ok(order) = orders.recv() {
        let _guard = order.runtime.enter();
        let child = Command::new(program)
            .args(arguments)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn();
        // The caller may be gone; the child ends with its handle then.
        let _ = order.reply.send(child);
    }
}
