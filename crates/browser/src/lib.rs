//! Living tabs and fetched pages: the ports `Browser` and `Tab`, and the engines that keep their promises.

pub mod action;
pub mod browser;
pub mod engines;
mod error;
pub mod fetch;
mod keys;
pub mod sitemap;
pub mod snapshot;

pub use action::{Action, Capability, NotCapable, Point, Until};
pub use browser::{
    Browser, Gate, Hit, News, OpenDialog, OpenTab, Outcome, Profile, Receiver, Tab, Visit, Warning,
};
pub use error::Error;
pub use keys::{Chord, Strokes};
pub use snapshot::{Ref, Snapshot};
