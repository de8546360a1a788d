//! The screencast of a context: frames of its current tab, while somebody watches.
//!
//! The browser sends a frame when the page has changed, and the next one after an acknowledgement. These go out at the rate
//! of frames that is wanted, so the browser encodes no frame that nobody is shown.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use tokio::sync::watch;
use tokio::time::{Interval, MissedTickBehavior, interval};

use super::cast_frames::{CastFrame, FrameReceiver};
use super::cdp::page::{AcknowledgeScreencastFrame, StartScreencast, StopScreencast};
use super::tracker::ContextTracker;
use crate::screencast::{Screencast, WeakScreencast};

/// Time between two frames: four a second.
const FRAME_TIME: Duration = Duration::from_millis(250);
/// Quality of frames and pictures, in percent.
pub(super) const JPEG_QUALITY: u8 = 50;
/// Casts until the context or the screencast is gone.
pub(super) fn spawn(tracker: &Arc<ContextTracker>, screencast: &Screencast, frames: FrameReceiver) {
    let caster = Caster {
        tracker: Arc::downgrade(tracker),
        screencast: screencast.downgrade(),
        watchers: screencast.watchers(),
        frames,
        session: None,
        newest: None,
        unacknowledged: VecDeque::new(),
    };
    tokio::spawn(caster.run());
}

struct Caster {
    tracker: Weak<ContextTracker>,
    screencast: WeakScreencast,
    watchers: watch::Receiver<usize>,
    frames: FrameReceiver,
    /// The session that frames come from.
    session: Option<String>,
    /// The newest frame, base64, that was not shown yet.
    newest: Option<String>,
    unacknowledged: VecDeque<i64>,
}

impl Caster {
    async fn run(mut self) {
        loop {
            // While nobody watches this waits, and nothing else happens. The channel closes with the screencast.
            if self.watchers.wait_for(|count| *count > 0).await.is_err() {
                return;
            }
            let mut ticks = interval(FRAME_TIME);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            if !self.cast(&mut ticks).await {
                return;
            }
        }
    }

    /// Casts while somebody watches. False when the context or the screencast is gone.
    async fn cast(&mut self, ticks: &mut Interval) -> bool {
        loop {
            tokio::select! {
                _ = ticks.tick() => {}
                frame = self.frames.recv() => {
                    let Some(CastFrame { session, frame }) = frame else { return false };
                    if self.session.as_ref() == Some(&session) {
                        self.newest = Some(frame.data);
                        self.unacknowledged.push_back(frame.session_id);
                    }
                    continue;
                }
            }
            let (Some(tracker), Some(screencast)) = (self.tracker.upgrade(), self.screencast.upgrade())
            else {
                return false;
            };
            if !screencast.wants_frames() {
                self.stop(&tracker);
                if !screencast.is_watched() {
                    return true;
                }
                continue;
            }
            self.follow(&tracker);
            if let Some(jpeg) = self.newest.take().and_then(|data| STANDARD.decode(data).ok()) {
                screencast.push(Bytes::from(jpeg));
            }
            if let (Some(session), Some(session_id)) = (&self.session, self.unacknowledged.pop_front()) {
                let acknowledged = AcknowledgeScreencastFrame { session_id };
                tracker.connection.send(session, &acknowledged);
            }
        }
    }

    /// Casts from the current tab, if that is another one than before.
    fn follow(&mut self, tracker: &ContextTracker) {
        let current = tracker.state().page().map(|page| page.session.clone());
        if self.session == current {
            return;
        }
        self.stop(tracker);
        if let Some(session) = &current {
            let (max_width, max_height) = tracker.view();
            let start = StartScreencast {
                format: "jpeg",
                quality: JPEG_QUALITY,
                max_width,
                max_height,
            };
            tracker.connection.send(session, &start);
        }
        self.session = current;
    }

    fn stop(&mut self, tracker: &ContextTracker) {
        if let Some(session) = self.session.take() {
            tracker.connection.send(&session, &StopScreencast {});
        }
        self.newest = None;
        self.unacknowledged.clear();
    }
}
