//! State shared by the clones of a client.

use std::sync::Arc;

use http::HeaderValue;

use crate::Limits;
use crate::budget::{BodyBudget, ReadingRoom};
use crate::cache::Cache;
use crate::connect::Connector;
use crate::politeness::HostLimiter;
use crate::pool::ConnectionPool;
use crate::request::TraceParentSource;
use crate::robots::RobotsCache;

pub(crate) struct ClientInner {
    pub(crate) connector: Connector,
    pub(crate) pool: ConnectionPool,
    pub(crate) limits: Limits,
    pub(crate) user_agent: HeaderValue,
    pub(crate) cache: Cache,
    pub(crate) body_budget: BodyBudget,
    pub(crate) reading_room: ReadingRoom,
    pub(crate) host_limiter: Arc<HostLimiter>,
    pub(crate) robots: RobotsCache,
    pub(crate) trace_parent: Option<TraceParentSource>,
}
