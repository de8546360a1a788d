//! The doors: HTTP over the runtime's service. It knows the words of the wire and the service, and nothing below.

mod answer;
mod auth;
mod begin;
mod body;
mod door;
mod guests;
mod limits;
mod measures;
mod observe;
mod openapi;
mod prefer;
mod progress;
mod query;
mod routes;
mod serve;
mod settings;
mod socket;
mod sse;
mod trace;

pub use door::House;
pub use limits::raise_file_limit;
pub use openapi::document as openapi;
pub use serve::serve;
pub use settings::Settings;
