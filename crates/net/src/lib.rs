//! The one door out: every byte that leaves goes through here.
//!
//! A URL is parsed once, its host resolved once, every answer classified, and one of exactly these
//! addresses dialled; each redirect passes the same check. Every time and size has a limit with a name.
//! There is one TLS stack (rustls with ring).

mod address;
mod allow;
mod cache;
pub mod classes;
mod client;
mod connect;
mod cookies;
mod decode;
mod dial;
mod error;
mod exchange;
mod fetch;
pub mod guard;
mod limits;
mod polite;
mod pool;
pub mod proxy;
mod redirect;
mod request;
mod resolve;
mod retry;
mod robots;
mod tls;
mod upstream;

pub use address::canonical;
pub use allow::AllowRule;
pub use cache::CacheConfig;
pub use client::{Client, Config};
pub use cookies::{Cookie, CookieJar};
pub use dial::{Dial, Socket, TcpDialer};
pub use error::{Blocked, Error, Size, Wait};
pub use exchange::Streaming;
pub use guard::parse_url;
pub use limits::{Limits, Oversize};
pub use polite::Politeness;
pub use request::{Request, Response, RobotsMode, Timing};
pub use resolve::{Resolve, SystemResolver};
pub use retry::retry_after;
pub use robots::Robots;
pub use rustls::pki_types::CertificateDer;
pub use tokio_util::sync::CancellationToken;
