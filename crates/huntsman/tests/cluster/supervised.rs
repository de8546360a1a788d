//! `Supervised`: a process that is started again whenever it ends, as a service manager does.

use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// The process; it is killed for good when this is dropped.
pub(crate) struct Supervised {
    shared: Arc<Shared>,
    supervisor: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    child: Mutex<Option<Child>>,
    ends: AtomicBool,
}

impl Supervised {
    /// Starts what `command` gives; its argument counts the starts from 1.
    pub(crate) fn start(mut command: impl FnMut(usize) -> Command + Send + 'static) -> Self {
        let shared = Arc::new(Shared::default());
        let seen = Arc::clone(&shared);
        let supervisor = std::thread::spawn(move || {
            for start in 1.. {
                *seen.child.lock().unwrap() = Some(command(start).spawn().unwrap());
                loop {
                    std::thread::sleep(Duration::from_millis(50));
                    let mut child = seen.child.lock().unwrap();
                    if seen.ends.load(Ordering::Acquire) {
                        let child = child.as_mut().unwrap();
                        let _ = child.kill();
                        let _ = child.wait();
                        return;
                    }
                    if child.as_mut().unwrap().try_wait().unwrap().is_some() {
                        *child = None;
                        break;
                    }
                }
                std::thread::sleep(Duration::from_millis(300));
            }
        });
        Self {
            shared,
            supervisor: Some(supervisor),
        }
    }

    /// Sends the process a signal, if it runs at the moment.
    pub(crate) fn signal(&self, name: &str) {
        // Held, so that the number is of no other process.
        let child = self.shared.child.lock().unwrap();
        if let Some(child) = child.as_ref() {
            let id = child.id().to_string();
            Command::new("kill").args([name, &id]).status().unwrap();
        }
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        self.shared.ends.store(true, Ordering::Release);
        if let Some(supervisor) = self.supervisor.take() {
            let _ = supervisor.join();
        }
    }
}
