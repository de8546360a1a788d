//! Engines of the ports `Browser` and `Tab`.

pub mod auto;
pub mod chromium;
pub mod http;
mod meta_refresh;
