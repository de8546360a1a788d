//! The MCP server: nine tools, the resources of runs and three prompts, over HTTP and on stdio.
//!
//! The protocol is at modelcontextprotocol.io, in all its versions up to 2026-07-28. The crate `rmcp` speaks it; nothing
//! outside of this module knows that crate.

mod answer;
mod arguments;
mod catalog;
mod followers;
mod handler;
mod http;
mod kept_answers;
mod parts;
mod permission;
mod pictures;
mod prompts;
mod questions;
mod resources;
mod results;
mod runs;
mod session;
mod stdio;
mod tasks;
mod tools;

pub(crate) use http::answer;
pub(crate) use session::{Access, McpState};
pub use stdio::serve_stdio;
