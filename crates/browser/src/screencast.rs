//! `Screencast`: the newest picture of a tab for people who watch, and for nobody else.
//!
//! The engine casts while somebody watches. Of frames that nobody has taken only the newest is kept, so a slow watcher costs
//! what a fast one does. A guarded screencast takes no frames of the engine: it shows only what its owner has checked.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::watch;

/// What watchers are shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Shown {
    /// No frame yet.
    #[default]
    Nothing,
    /// A frame, as JPEG.
    Frame(Bytes),
    /// The page shows what watchers may not see.
    Withheld,
    /// The tab is closed; nothing follows.
    Ended,
}

#[derive(Default)]
struct State {
    shown: Shown,
    is_guarded: bool,
}

struct Shared {
    state: watch::Sender<State>,
    watchers: watch::Sender<usize>,
}

/// The screencast of one tab. Cheap to clone; clones are the same screencast.
#[derive(Clone)]
pub struct Screencast(Arc<Shared>);

impl Default for Screencast {
    fn default() -> Self {
        Self(Arc::new(Shared {
            state: watch::Sender::new(State::default()),
            watchers: watch::Sender::new(0),
        }))
    }
}

impl std::fmt::Debug for Screencast {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Screencast")
    }
}

impl Screencast {
    /// Begins to watch. The engine casts until the last watcher is dropped.
    pub fn watch(&self) -> Watcher {
        self.0.watchers.send_modify(|count| *count += 1);
        let mut state = self.0.state.subscribe();
        // What is there already is shown first.
        state.mark_changed();
        Watcher {
            state,
            screencast: self.clone(),
        }
    }

    /// Whether anybody watches.
    pub fn is_watched(&self) -> bool {
        *self.0.watchers.borrow() > 0
    }

    /// Takes no more frames of the engine, from the return of this call on, and withholds the one that is shown.
    pub fn guard(&self) {
        self.0.state.send_if_modified(|state| {
            let is_new = !state.is_guarded;
            state.is_guarded = true;
            is_new && state.show(Shown::Withheld)
        });
    }

    /// Shows a picture that the owner has checked.
    pub fn show(&self, jpeg: Bytes) {
        let shown = Shown::Frame(jpeg);
        self.0.state.send_if_modified(|state| state.show(shown));
    }

    /// Says that the page shows what watchers may not see.
    pub fn withhold(&self) {
        self.0.state.send_if_modified(|state| state.show(Shown::Withheld));
    }

    /// Ends the screencast; watchers are told.
    pub fn end(&self) {
        self.0.state.send_if_modified(|state| state.show(Shown::Ended));
    }

    /// Shows a frame of the engine. False when none is taken any more.
    pub(crate) fn push(&self, jpeg: Bytes) -> bool {
        let mut is_taken = false;
        self.0.state.send_if_modified(|state| {
            is_taken = !state.is_guarded && state.show(Shown::Frame(jpeg));
            is_taken
        });
        is_taken
    }

    /// Whether the engine is to cast: somebody watches, and frames are taken.
    pub(crate) fn wants_frames(&self) -> bool {
        let state = self.0.state.borrow();
        self.is_watched() && !state.is_guarded && state.shown != Shown::Ended
    }

    /// How many watch, as it changes. Holding it keeps no screencast alive.
    pub(crate) fn watchers(&self) -> watch::Receiver<usize> {
        self.0.watchers.subscribe()
    }

    pub(crate) fn downgrade(&self) -> WeakScreencast {
        WeakScreencast(Arc::downgrade(&self.0))
    }
}

impl State {
    /// False when the screencast has ended, and then nothing changes.
    fn show(&mut self, shown: Shown) -> bool {
        let goes_on = self.shown != Shown::Ended;
        if goes_on {
            self.shown = shown;
        }
        goes_on
    }
}

/// A screencast that is not kept alive.
pub(crate) struct WeakScreencast(std::sync::Weak<Shared>);

impl WeakScreencast {
    pub(crate) fn upgrade(&self) -> Option<Screencast> {
        self.0.upgrade().map(Screencast)
    }
}

/// Somebody who watches. Dropping it ends that.
pub struct Watcher {
    state: watch::Receiver<State>,
    screencast: Screencast,
}

impl Watcher {
    /// Waits for what is shown next, and skips what was shown meanwhile.
    pub async fn next(&mut self) -> Shown {
        match self.state.changed().await {
            Ok(()) => self.state.borrow_and_update().shown.clone(),
            Err(_) => Shown::Ended,
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.screencast
            .0
            .watchers
            .send_modify(|count| *count = count.saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(byte: u8) -> Bytes {
        Bytes::from(vec![byte])
    }

    #[tokio::test]
    async fn a_slow_watcher_gets_the_newest_frame_and_the_end() {
        let cast = Screencast::default();
        let mut watcher = cast.watch();
        assert_eq!(watcher.next().await, Shown::Nothing);
        assert!(cast.push(frame(1)) && cast.push(frame(2)));
        assert_eq!(watcher.next().await, Shown::Frame(frame(2)));
        cast.end();
        assert!(!cast.push(frame(3)));
        assert_eq!(watcher.next().await, Shown::Ended);
    }

    #[tokio::test]
    async fn frames_are_wanted_while_somebody_watches() {
        let cast = Screencast::default();
        let wanted = || cast.wants_frames();
        assert!(!wanted());
        let (first, second) = (cast.watch(), cast.watch());
        assert!(wanted());
        drop(first);
        assert!(wanted());
        drop(second);
        assert!(!wanted());
    }

    #[tokio::test]
    async fn a_guarded_screencast_shows_only_what_its_owner_gives() {
        let cast = Screencast::default();
        let mut watcher = cast.watch();
        assert!(cast.push(frame(1)));
        cast.guard();
        assert!(!cast.push(frame(2)) && !cast.wants_frames());
        assert_eq!(watcher.next().await, Shown::Withheld);
        cast.show(frame(3));
        cast.guard();
        assert_eq!(watcher.next().await, Shown::Frame(frame(3)));
        cast.withhold();
        assert_eq!(watcher.next().await, Shown::Withheld);
    }
}
