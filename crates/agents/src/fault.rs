//! From what the floors below report to what a client may be told: one exhaustive match.

use wire::Code;
use wire::error::ErrorBody;
use wire::scrape::ScrapeError;

use crate::stop::Stopped;

/// The code for a page that could not be had.
pub fn code_of_web(error: &browser::Error) -> Code {
    match error {
        browser::Error::Net(error) => code_of_net(error),
        browser::Error::NotCapable(_) | browser::Error::Browser(_) | browser::Error::Asked(_) => {
            Code::NotCapable
        }
        browser::Error::Stale(_) | browser::Error::UnknownRef(_) | browser::Error::NotActionable { .. } => {
            Code::StaleRef
        }
        browser::Error::NoPage | browser::Error::NoHistory(_) => Code::EmptyContent,
        browser::Error::Selector(_) => Code::InvalidRequest,
        browser::Error::Timeout { .. } => Code::NavigationTimeout,
        browser::Error::Crashed(_) => Code::BrowserDisconnected,
        browser::Error::Unavailable(_) => Code::BrowserUnavailable,
        browser::Error::Unauthorized => Code::CdpAuth,
        browser::Error::Cancelled => Code::TaskAborted,
    }
}

fn code_of_net(error: &net::Error) -> Code {
    match error {
        net::Error::InvalidUrl(_) | net::Error::BadRequest(_) => Code::InvalidRequest,
        net::Error::Blocked(_) => Code::UrlBlocked,
        net::Error::RobotsDisallowed => Code::RobotsDenied,
        net::Error::Dns => Code::DnsFailed,
        net::Error::Connect(_) => Code::ConnectFailed,
        net::Error::Tls(_) => Code::TlsFailed,
        net::Error::Timeout(_) => Code::NavigationTimeout,
        net::Error::TooManyRedirects => Code::TooManyRedirects,
        net::Error::TooLarge(_) => Code::ResponseTooLarge,
        net::Error::BadEncoding => Code::BadEncoding,
        net::Error::Incomplete => Code::IncompleteBody,
        net::Error::BadResponse(_) => Code::BadResponse,
        net::Error::Upstream { .. } => Code::UpstreamError,
        net::Error::Cancelled => Code::TaskAborted,
        net::Error::Config(_) => Code::Internal,
    }
}

/// The code for a model that gave nothing.
pub fn code_of_model(error: &llm::Error) -> Code {
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
    ErrorBody::new(code_of_model(error), error.to_string())
}

/// The code for a run that was stopped.
pub fn code_of_stop(stopped: &Stopped) -> Code {
    match stopped {
        Stopped::Cancelled | Stopped::Abandoned => Code::TaskAborted,
        Stopped::TimedOut { .. } => Code::Timeout,
        Stopped::ShuttingDown => Code::ShuttingDown,
        Stopped::Fenced | Stopped::Unwritable { .. } => Code::StoreUnavailable,
    }
}

/// A page's failure as the scrape family tells it.
pub fn page_error(error: &browser::Error, url: &str) -> ScrapeError {
    ScrapeError::new(code_of_web(error), error.to_string(), Some(url.to_owned()))
}
