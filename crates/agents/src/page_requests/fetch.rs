//! Fetching a page for a request that waits for its answer.

use std::sync::Arc;
use std::time::Duration;

use browser::{PageWarning, Profile, Visit};
use page::Page;
use url::Url;
use wire::Code;
use wire::error::ErrorBody;
use wire::tabstack::FetchEffort;

use crate::error_codes;
use crate::scrape::{load, load_error};
use crate::services::AgentServices;

/// How long a page may take. Waits for our own memory and slots do not count.
fn patience(effort: FetchEffort) -> Duration {
    Duration::from_secs(match effort {
        FetchEffort::Min => 5,
        FetchEffort::Standard => 15,
        FetchEffort::Max => 60,
    })
}

/// Opens a page for a client that waits. Dropping the future stops the fetch.
pub(super) async fn fetch(
    services: &AgentServices,
    url: &str,
    effort: FetchEffort,
    nocache: bool,
) -> Result<(Visit, Arc<Page>), ErrorBody> {
    let address = Url::parse(url).map_err(|error| {
        ErrorBody::new(
            Code::InvalidRequest,
            format!("url: is not an absolute URL ({error})"),
        )
    })?;
    let cancel = net::CancellationToken::new();
    let _dropped = cancel.clone().drop_guard();
    let patience = patience(effort);
    let profile = Profile {
        fresh: nocache,
        patience,
        ..services.tab_profile(cancel)
    };
    let late = || {
        let text = format!(
            "the page did not come within {} s; a higher effort waits longer",
            patience.as_secs()
        );
        ErrorBody::new(Code::NavigationTimeout, text)
    };
    let own_waits = profile.own_waits.clone();
    let opened = own_waits.timeout(patience, load(services, profile, &address, false));
    let (visit, opened) = opened
        .await
        .ok_or_else(late)?
        .map_err(|error| ErrorBody::new(error_codes::browser_code(&error), error.to_string()))?;
    if let Some(error) = services.login_error(&address, &visit, &opened.page) {
        return Err(error);
    }
    match load_error(&visit, url) {
        Some(error) => Err(ErrorBody::new(error.code, error.message)),
        None => Ok((visit, opened.page)),
    }
}

/// Runs work that only computes on a thread of its own: a thread that serves others must not be kept so long.
pub(super) async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ErrorBody> {
    tokio::task::spawn_blocking(work).await.map_err(|_| {
        ErrorBody::new(
            Code::Internal,
            "reading the page failed; please report its address",
        )
    })
}

/// Why a page gave no text.
pub(super) fn empty_page_error(visit: &Visit) -> ErrorBody {
    if visit.warnings.contains(&PageWarning::ScriptsNeeded) {
        ErrorBody::new(Code::JsRequired, PageWarning::ScriptsNeeded.text())
    } else {
        ErrorBody::new(Code::EmptyContent, "there is nothing to read on the page")
    }
}
