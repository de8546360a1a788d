//! `Link`: a TCP proxy on loopback that holds back, delays, pauses or cuts what passes through it.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Bytes that are passed on at once.
const CHUNK: usize = 16 << 10;
/// How long a lossy link waits before it sends what was lost again.
const RESENT_AFTER: Duration = Duration::from_millis(300);

/// What a link does with what passes through it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkCondition {
    /// Passes everything on at once.
    Open,
    /// Holds everything back, in the directions that are true, without an error at either end, as a network does that
    /// drops packets. What was held is passed on when the condition changes.
    Held {
        /// What the end that connected sends.
        forward: bool,
        /// What the other end sends.
        backward: bool,
    },
    /// Passes every chunk on after this time.
    Slow(Duration),
    /// Pauses one chunk in eight, and breaks the connection at one in four hundred.
    Lossy,
    /// Breaks every connection and takes no new one.
    Cut,
}

impl LinkCondition {
    /// The same condition, as the other end sees it.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Held { forward, backward } => Self::Held {
                forward: backward,
                backward: forward,
            },
            other => other,
        }
    }
}

/// The proxy; its connections break when this is dropped.
#[derive(Debug)]
pub struct Link {
    port: u16,
    inner: Arc<LinkInner>,
}

#[derive(Debug)]
struct LinkInner {
    target: u16,
    state: Mutex<LinkState>,
    changed: Condvar,
}

#[derive(Debug)]
struct LinkState {
    condition: LinkCondition,
    is_closed: bool,
    /// Both ends of every connection.
    connections: HashMap<u64, [TcpStream; 2]>,
    accepted: u64,
    chunks: u64,
}

impl Link {
    /// A link to a port of 127.0.0.1.
    ///
    /// # Panics
    /// When there is no free port.
    pub fn to(target: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("its address").port();
        let inner = Arc::new(LinkInner {
            target,
            state: Mutex::new(LinkState {
                condition: LinkCondition::Open,
                is_closed: false,
                connections: HashMap::new(),
                accepted: 0,
                chunks: 0,
            }),
            changed: Condvar::new(),
        });
        let accepting = Arc::clone(&inner);
        std::thread::spawn(move || {
            for connection in listener.incoming() {
                if accepting.state().is_closed {
                    return;
                }
                if let Ok(connection) = connection {
                    accepting.connect(connection);
                }
            }
        });
        Self { port, inner }
    }

    /// The port of 127.0.0.1 that leads to the target.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Changes what the link does, for open connections too.
    pub fn set(&self, condition: LinkCondition) {
        let mut state = self.inner.state();
        state.condition = condition;
        if condition == LinkCondition::Cut {
            state.break_connections();
        }
        drop(state);
        self.inner.changed.notify_all();
    }
}

impl LinkState {
    fn break_connections(&mut self) {
        for end in self.connections.drain().flat_map(|(_, ends)| ends) {
            let _ = end.shutdown(Shutdown::Both);
        }
    }
}

impl LinkInner {
    fn state(&self) -> MutexGuard<'_, LinkState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn connect(self: &Arc<Self>, near: TcpStream) {
        if self.state().condition == LinkCondition::Cut {
            return;
        }
        let Ok(far) = TcpStream::connect(("127.0.0.1", self.target)) else {
            return;
        };
        let _ = near.set_nodelay(true).and(far.set_nodelay(true));
        let clones = [
            near.try_clone(),
            far.try_clone(),
            near.try_clone(),
            far.try_clone(),
        ];
        let [Ok(near_end), Ok(far_end), Ok(near_out), Ok(far_out)] = clones else {
            return;
        };
        let mut state = self.state();
        state.accepted += 1;
        let number = state.accepted;
        state.connections.insert(number, [near_end, far_end]);
        drop(state);
        for (from, to, is_forward) in [(near, far_out, true), (far, near_out, false)] {
            let inner = Arc::clone(self);
            std::thread::spawn(move || {
                inner.pass_on(from, to, is_forward);
                if let Some(ends) = inner.state().connections.remove(&number) {
                    ends.iter().for_each(|end| drop(end.shutdown(Shutdown::Both)));
                }
            });
        }
    }

    /// Passes on what one end sends, until either end is gone.
    fn pass_on(&self, mut from: TcpStream, mut to: TcpStream, is_forward: bool) {
        let mut chunk = vec![0; CHUNK];
        while let Ok(length @ 1..) = from.read(&mut chunk) {
            if !self.admit(is_forward) || to.write_all(&chunk[..length]).is_err() {
                return;
            }
        }
    }

    /// Waits until a chunk may be passed on; false when the connection is to break.
    fn admit(&self, is_forward: bool) -> bool {
        let mut state = self.state();
        state.chunks += 1;
        let chunk = state.chunks;
        loop {
            if state.is_closed {
                return false;
            }
            let pause = match state.condition {
                LinkCondition::Open => return true,
                LinkCondition::Cut => return false,
                LinkCondition::Held { forward, backward } => {
                    if !(if is_forward { forward } else { backward }) {
                        return true;
                    }
                    state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                    continue;
                }
                LinkCondition::Slow(pause) => pause,
                LinkCondition::Lossy if chunk.is_multiple_of(400) => return false,
                LinkCondition::Lossy if chunk.is_multiple_of(8) => RESENT_AFTER,
                LinkCondition::Lossy => return true,
            };
            drop(state);
            std::thread::sleep(pause);
            return true;
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        let mut state = self.inner.state();
        state.is_closed = true;
        state.break_connections();
        drop(state);
        self.inner.changed.notify_all();
        // Wakes the thread that accepts.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}
