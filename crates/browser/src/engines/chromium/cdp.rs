//! Client of the Chrome DevTools Protocol: the commands and events in use as types, and the connection they travel on.
//!
//! One module for each domain of the protocol. Field names and their meaning are those of
//! <https://chromedevtools.github.io/devtools-protocol/>; a field that is not used here is not declared.

pub(crate) mod browser;
mod command;
pub(crate) mod dom;
pub(crate) mod emulation;
mod event;
pub(crate) mod fetch;
pub(crate) mod input;
pub(crate) mod network;
pub(crate) mod page;
mod replay;
pub(crate) mod runtime;
pub(crate) mod storage;
pub(crate) mod target;
mod transport;

pub(crate) use command::{CdpCommand, Ignored};
pub(crate) use event::CdpEvent;
pub use replay::{Replay, replay};
pub(crate) use transport::{
    BROWSER_SESSION, CdpError, Connection, EventHandler, MAX_MESSAGE_BYTES, PendingResponse,
};
