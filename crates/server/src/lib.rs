//! The HTTP server: routes over the runtime's service. It knows `wire` and `runtime`, and nothing below.

mod activity;
mod app;
mod auth;
mod authentication;
mod body;
mod connection;
mod console;
mod event_connection;
mod event_stream;
mod holder_limit;
mod host_origin_guard;
mod limits;
mod mcp;
mod metrics;
mod openapi;
mod paced_body;
mod prefer;
mod query;
mod request_log;
mod response;
mod routes;
mod run_name;
mod scopes;
mod scrape_progress;
mod serve;
mod sessions;
mod settings;
mod stall_guard;
mod submit;
mod trace_context;

pub use app::App;
pub use limits::raise_file_limit;
pub use mcp::serve_stdio;
pub use routes::openapi;
pub use serve::serve;
pub use settings::ServerSettings;
