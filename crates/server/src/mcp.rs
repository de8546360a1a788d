//! The MCP server: nine tools, the resources of runs and three prompts, over HTTP and on stdio.
//!
//! The protocol is at modelcontextprotocol.io, in all its versions up to 2026-07-28. The crate `rmcp` speaks it; nothing
//! outside of this module knows that crate.

mod answer;
mod arguments;
mod catalog;
mod handler;
mod http;
mod kept_answers;
mod parts;
mod prompts;
mod questions;
mod resources;
mod results;
mod runs;
mod stdio;
mod tools;

use std::sync::Arc;

use runtime::Service;
use tokio_util::sync::CancellationToken;
use wire::Audience;

use crate::app::App;
use crate::auth::Caller;
use kept_answers::KeptAnswers;
use runs::RunFollowers;

pub(crate) use http::{all, read_only};
pub use stdio::serve_stdio;

/// What all clients of the MCP server share.
pub(crate) struct McpState {
    app: App,
    audience: Audience,
    kept: KeptAnswers,
    followers: Arc<RunFollowers>,
    /// Set when no call may wait any longer.
    closing: CancellationToken,
}

impl McpState {
    pub(crate) fn new(app: App, audience: Audience, closing: CancellationToken) -> Arc<Self> {
        Arc::new(Self {
            followers: RunFollowers::new(app.service.clone()),
            app,
            audience,
            kept: KeptAnswers::default(),
            closing,
        })
    }

    fn service(&self) -> &Service {
        &self.app.service
    }
}

/// Which tools a client is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    /// All of them.
    All,
    /// Those that change nothing.
    ReadOnly,
}

/// One client's view of the server. Cheap to clone.
#[derive(Clone)]
struct Session {
    state: Arc<McpState>,
    caller: Caller,
    access: Access,
    /// Whether the client can be asked while its call is under way, as a process on stdio can.
    is_attached: bool,
}
