//! Browser automation: the ports `Browser` and `Tab`, their engines, snapshots of pages, and fetched content.

pub mod action;
pub mod browser;
mod diagnostics;
pub mod engines;
mod error;
pub mod fetch;
mod keys;
mod local_storage;
mod page_warning;
pub mod picture;
pub mod screencast;
pub mod snapshot;

pub use action::{Action, Capability, NotCapable, Point, WaitCondition};
pub use browser::{
    ActionEffect, Browser, BrowserEvent, HitTestResult, HostPolicy, OpenDialog, OpenTab, PageCondition,
    PageWarning, Profile, Receiver, SiteHeaders, Tab, Visit,
};
pub use error::Error;
pub use keys::{KeyChord, KeyEffects};
pub use local_storage::{LocalStorage, StorageItems};
pub use picture::{Area, PagePicture};
pub use screencast::Screencast;
pub use snapshot::{Ref, Snapshot};
