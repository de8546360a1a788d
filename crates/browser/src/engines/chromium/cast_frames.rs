//! The channel on which the tracker of a context hands frames to its screencast.

use tokio::sync::mpsc;

use super::cdp::page::ScreencastFrame;

/// Frames that wait. The browser sends no more than two without an acknowledgement.
const MAX_FRAMES: usize = 4;

/// A frame and the session it came from.
pub(super) struct CastFrame {
    pub(super) session: String,
    pub(super) frame: ScreencastFrame,
}

/// Where frames are handed in.
pub(super) type FrameSender = mpsc::Sender<CastFrame>;

/// Where frames come out.
pub(super) type FrameReceiver = mpsc::Receiver<CastFrame>;

/// A channel for frames.
pub(super) fn channel() -> (FrameSender, FrameReceiver) {
    mpsc::channel(MAX_FRAMES)
}
