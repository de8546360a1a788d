//! From what the layers below report to what a client may be told: one exhaustive match.

use wire::Code;
use wire::error::ErrorBody;
use wire::scrape::ScrapeError;

use crate::cancel::Cancelled;

/// The code for a page that could not be had.
pub fn browser_code(error: &browser::Error) -> Code {
    match error {
        browser::Error::Net(error) => net_code(error),
        // Another try may find the sandbox free.
        browser::Error::File(sandbox::Error::Busy) => Code::NavigationTimeout,
        browser::Error::File(_) => Code::UnsupportedContent,
        browser::Error::NotCapable(_) | browser::Error::Browser(_) | browser::Error::Asked(_) => {
            Code::NotCapable
        }
        browser::Error::Stale(_) | browser::Error::UnknownRef(_) | browser::Error::NotActionable { .. } => {
            Code::StaleRef
        }
        browser::Error::NoPage | browser::Error::NoHistory(_) => Code::EmptyContent,
        browser::Error::Selector(_) => Code::InvalidRequest,
        browser::Error::Timeout { .. } => Code::NavigationTimeout,
        browser::Error::WaitTimeout { .. } => Code::WaitTimeout,
        browser::Error::Crashed(_) => Code::BrowserDisconnected,
        browser::Error::Unavailable(_) => Code::BrowserUnavailable,
        browser::Error::Unauthorized => Code::CdpAuth,
        browser::Error::Cancelled => Code::TaskAborted,
    }
}

/// The code for an exchange that failed.
pub(crate) fn net_code(error: &net::Error) -> Code {
    match error {
        net::Error::InvalidUrl(_) | net::Error::BadRequest(_) => Code::InvalidRequest,
        net::Error::Blocked(_) | net::Error::BlockedRedirect { .. } => Code::UrlBlocked,
        net::Error::RobotsDisallowed => Code::RobotsDenied,
        net::Error::Dns => Code::DnsFailed,
        net::Error::Connect(_) | net::Error::Exit(_) => Code::ConnectFailed,
        net::Error::Tls(_) => Code::TlsFailed,
        net::Error::Timeout(_) => Code::NavigationTimeout,
        net::Error::TooManyRedirects => Code::TooManyRedirects,
        net::Error::TooLarge(_) => Code::ResponseTooLarge,
        net::Error::BadEncoding => Code::BadEncoding,
        net::Error::Incomplete => Code::ConnectionLost,
        net::Error::BadResponse(_) => Code::BadResponse,
        net::Error::Upstream { .. } => Code::UpstreamError,
        net::Error::BudgetExceeded => Code::BudgetExceeded,
        net::Error::Cancelled => Code::TaskAborted,
        net::Error::Config(_) => Code::Internal,
    }
}

/// The code for a model that gave nothing.
pub fn model_code(error: &llm::Error) -> Code {
    match error {
        llm::Error::NotConfigured(_)
        | llm::Error::UnknownProvider { .. }
        | llm::Error::UnknownRole(_)
        | llm::Error::BadSetting { .. }
        | llm::Error::MissingKey { .. }
        | llm::Error::UnknownModel { .. }
        | llm::Error::NoSuchEndpoint { .. } => Code::ModelNotConfigured,
        llm::Error::Unauthorized { .. } | llm::Error::NoCredit { .. } => Code::ModelUnauthorized,
        llm::Error::ContextTooLong { .. }
        | llm::Error::BadRequest { .. }
        | llm::Error::RateLimited { .. }
        | llm::Error::Unavailable { .. }
        | llm::Error::Unreachable { .. }
        | llm::Error::Unfinished(_)
        | llm::Error::NotRecorded { .. }
        | llm::Error::Recording { .. } => Code::ModelFailed,
        llm::Error::Timeout { .. } => Code::ModelTimeout,
        llm::Error::SchemaMismatch { .. } => Code::SchemaMismatch,
        llm::Error::Schema(_) => Code::InvalidRequest,
        llm::Error::BudgetExceeded { .. } => Code::BudgetExceeded,
    }
}

/// A model's failure as an answer tells it.
pub fn model_error(error: &llm::Error) -> ErrorBody {
    ErrorBody::new(model_code(error), error.to_string())
}

/// The code for a run that was stopped.
pub fn cancelled_code(stopped: &Cancelled) -> Code {
    match stopped {
        Cancelled::Requested | Cancelled::ClientGone => Code::TaskAborted,
        Cancelled::TimedOut { .. } => Code::Timeout,
        Cancelled::ShuttingDown => Code::ShuttingDown,
        Cancelled::Fenced | Cancelled::LogUnavailable { .. } => Code::StoreUnavailable,
    }
}

/// A page's failure as the scrape family tells it.
pub fn page_error(error: &browser::Error, url: &str) -> ScrapeError {
    ScrapeError::new(browser_code(error), error.to_string(), Some(url.to_owned()))
}
