//! Browser automation: the ports `Browser` and `Tab`, their engines, snapshots of pages, and fetched content.

pub mod action;
pub mod browser;
mod diagnostics;
pub mod engines;
mod error;
pub mod fetch;
mod keys;
pub mod snapshot;

pub use action::{Action, Capability, NotCapable, Point, Until};
pub use browser::{
    Browser, Gate, Hit, News, OpenDialog, OpenTab, Outcome, Profile, Receiver, Tab, Visit, Warning,
};
pub use error::Error;
pub use keys::{Chord, Strokes};
pub use snapshot::{Ref, Snapshot};
