//! Errors of network exchanges, without resolved addresses and without secrets.

/// Why an exchange failed. Texts name neither resolved addresses nor hosts nor header values, so that
/// they can go to a client, a log or a model as they are.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The text is no URL that could be fetched.
    #[error("the address is not a usable URL: {0}")]
    InvalidUrl(&'static str),
    /// The guard refused before a byte was sent.
    #[error("this address may not be reached: {0}")]
    Blocked(Blocked),
    /// The guard refused the address that a redirect leads to. `target` is its origin, without path and query.
    #[error("the page redirects to {target}, which may not be reached: {why}")]
    BlockedRedirect {
        /// Scheme, host and port.
        target: String,
        /// Why it was refused.
        why: Blocked,
    },
    /// The site's robots.txt forbids the page to us.
    #[error("the site's robots.txt forbids this page; use another source or ask the site's owner")]
    RobotsDisallowed,
    /// The host name has no address, or the resolver failed.
    #[error("the host name could not be resolved; check the spelling of the address")]
    Dns,
    /// No connection came about.
    #[error("no connection to the server could be made ({0}); it may be down")]
    Connect(&'static str),
    /// The operator's proxy in a country gave no connection.
    #[error("the exit in {0} cannot be used now; try again later, or without geo_target")]
    Exit(String),
    /// The secure connection failed, for example for a wrong certificate.
    #[error("the secure connection failed: {0}")]
    Tls(String),
    /// A time limit passed; the limit says which.
    #[error("the server took too long ({0}); try again later or with a longer limit")]
    Timeout(TimeLimit),
    /// The chain of redirects is too long or goes in circles.
    #[error("the page redirects too often or in a circle")]
    TooManyRedirects,
    /// A size limit passed; the limit says which.
    #[error("the answer is larger than allowed ({0})")]
    TooLarge(SizeLimit),
    /// The body is not what its content encoding says, or stops in the middle of it.
    #[error("the body of the answer is not correctly compressed")]
    BadEncoding,
    /// The body stopped before its announced end.
    #[error("the connection was lost before the answer ended; try again")]
    Incomplete,
    /// What came is not correct HTTP.
    #[error("the server's answer is not correct HTTP ({0})")]
    BadResponse(&'static str),
    /// The server answered with a failure status, after as many tries as allowed.
    #[error("the server answered with status {status}")]
    Upstream {
        /// The last status.
        status: u16,
    },
    /// The request itself cannot be sent as it is.
    #[error("the request cannot be sent: {0}")]
    BadRequest(&'static str),
    /// The session has used up the requests or bytes that it may.
    #[error(
        "the pages of this run have loaded as much as they may (HUNTSMAN_BROWSER_REQUESTS, HUNTSMAN_BROWSER_MEGABYTES)"
    )]
    BudgetExceeded,
    /// The caller's token was cancelled.
    #[error("the request was cancelled")]
    Cancelled,
    /// The configuration cannot work.
    #[error("the network configuration is wrong: {0}")]
    Config(String),
}

/// Why the guard refused an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Blocked {
    /// Neither http nor https.
    #[error("its scheme is not http or https")]
    Scheme,
    /// It carries a user name or password.
    #[error("it carries a user name or password; leave them out")]
    UserInfo,
    /// A port that belongs to another protocol.
    #[error(
        "its port belongs to another protocol; only an operator can allow it, with HUNTSMAN_ALLOW_HOSTS (--allow-hosts)"
    )]
    Port,
    /// A name that means a machine nearby.
    #[error(
        "its host is not public; only an operator can allow it, with HUNTSMAN_ALLOW_HOSTS (--allow-hosts)"
    )]
    Name,
    /// At least one of its addresses is not public.
    #[error(
        "its host is not public; only an operator can allow it, with HUNTSMAN_ALLOW_HOSTS (--allow-hosts)"
    )]
    Address,
    /// The address is one this very service listens on.
    #[error("its host is not public; only an operator can allow it")]
    Own,
    /// A redirect would take a request with a body from https to http.
    #[error("a redirect leads from https to http")]
    Downgrade,
    /// The policy of the tenant refused it.
    #[error("the policy of this tenant does not allow its host")]
    Policy,
    /// The session's own rules, or the [`HopFilter`](crate::HopFilter) of the request, refused it.
    #[error("the session does not allow this host")]
    Session,
}

/// A time limit, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TimeLimit {
    /// [`Limits::resolve`](crate::Limits::resolve)
    #[error("resolving the name")]
    Resolve,
    /// [`Limits::connect`](crate::Limits::connect)
    #[error("connecting")]
    Connect,
    /// [`Limits::first_byte`](crate::Limits::first_byte)
    #[error("waiting for the first byte")]
    FirstByte,
    /// [`Limits::idle`](crate::Limits::idle)
    #[error("waiting for the next part")]
    Idle,
    /// [`Limits::total`](crate::Limits::total)
    #[error("the whole answer")]
    Total,
    /// [`Limits::room`](crate::Limits::room)
    #[error("waiting for memory that other answers use")]
    Room,
}

/// A size limit, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SizeLimit {
    /// [`Limits::header_bytes`](crate::Limits::header_bytes) or
    /// [`Limits::header_count`](crate::Limits::header_count)
    #[error("its headers")]
    Headers,
    /// [`Limits::body_bytes`](crate::Limits::body_bytes)
    #[error("its body")]
    Body,
    /// [`Limits::ratio`](crate::Limits::ratio)
    #[error("its body once unpacked")]
    Ratio,
}

impl Error {
    /// The error for a failed connection: the reason in few words, without the address.
    pub(crate) fn from_io(error: &std::io::Error) -> Error {
        use std::io::ErrorKind::*;
        match error.kind() {
            ConnectionRefused => Error::Connect("connection refused"),
            ConnectionReset | ConnectionAborted | BrokenPipe | UnexpectedEof => {
                Error::Connect("connection broken")
            }
            HostUnreachable | NetworkUnreachable | AddrNotAvailable => Error::Connect("network unreachable"),
            TimedOut => Error::Timeout(TimeLimit::Connect),
            PermissionDenied => Error::Blocked(Blocked::Address),
            _ => Error::Connect("connection failed"),
        }
    }

    /// The stable name of the error, for clients and logs.
    pub fn code(&self) -> &'static str {
        match self {
            Error::InvalidUrl(_) => "URL_INVALID",
            Error::Blocked(_) | Error::BlockedRedirect { .. } => "URL_BLOCKED",
            Error::RobotsDisallowed => "ROBOTS_DISALLOWED",
            Error::Dns => "DNS_FAILED",
            Error::Connect(_) | Error::Exit(_) => "CONNECT_FAILED",
            Error::Tls(_) => "TLS_FAILED",
            Error::Timeout(_) => "TIMEOUT",
            Error::TooManyRedirects => "TOO_MANY_REDIRECTS",
            Error::TooLarge(_) => "RESPONSE_TOO_LARGE",
            Error::BadEncoding => "BAD_ENCODING",
            Error::Incomplete => "CONNECTION_LOST",
            Error::BadResponse(_) => "BAD_RESPONSE",
            Error::Upstream { .. } => "UPSTREAM_ERROR",
            Error::BadRequest(_) => "BAD_REQUEST",
            Error::BudgetExceeded => "BUDGET_EXCEEDED",
            Error::Cancelled => "CANCELLED",
            Error::Config(_) => "CONFIG_INVALID",
        }
    }

    /// Whether the same request may succeed a little later.
    pub fn is_transient(&self) -> bool {
        matches!(
            self,
            Error::Connect(_)
                | Error::Exit(_)
                | Error::Timeout(TimeLimit::Connect | TimeLimit::FirstByte)
                | Error::Incomplete
        )
    }
}
