//! The guarded HTTP client: every byte that leaves the program goes through this crate.
//!
//! A URL is parsed once, its host resolved once, every address classified, and one of exactly these
//! addresses dialled; each redirect passes the same check. Every time and size has a limit with a name.
//! There is one TLS stack (rustls with ring).

mod allow;
mod budget;
mod cache;
mod canonical;
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
mod hop_filter;
mod inner;
mod limits;
mod own_waits;
mod politeness;
mod pool;
pub mod proxy;
mod redirect;
mod request;
mod resolve;
mod retry;
mod robots;
mod tls;
mod upstream;

pub use allow::AllowRule;
pub use budget::HeldRoom;
pub use cache::CacheConfig;
pub use canonical::canonical;
pub use client::{Client, ClientConfig};
pub use cookies::{Cookie, CookieJar, SameSite, is_public_suffix, registrable_domain};
pub use dial::{Dial, Socket, TcpDialer};
pub use error::{Blocked, Error, SizeLimit, TimeLimit};
pub use exchange::Streaming;
pub use guard::{HostBounds, parse_url, usual_scheme};
pub use hop_filter::HopFilter;
pub use limits::{Limits, Oversize};
pub use own_waits::{OwnWait, OwnWaits};
pub use politeness::Politeness;
pub use request::{Request, Response, RobotsMode, Timing, TraceParentSource};
pub use resolve::{Resolve, SystemResolver};
pub use retry::retry_after;
pub use robots::Robots;
pub use rustls::pki_types::CertificateDer;
pub use tokio_util::sync::CancellationToken;
