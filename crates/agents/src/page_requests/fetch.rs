//! Fetching a page for a request that waits for its answer.

use std::sync::Arc;
use std::time::Duration;

use browser::{PageWarning, Profile, Visit};
use page::Page;
use url::Url;
use wire::Code;
use wire::error::ErrorBody;
use wire::fetch_options::FetchOptions;
use wire::tabstack::{FetchEffort, GeoTarget};

use crate::error_codes;
use crate::page_settings::PageWishes;
use crate::scrape::{LoadedPage, load, load_error};
use crate::services::AgentServices;

/// How long an engine that has used up its time is given to say so.
const GRACE: Duration = Duration::from_secs(2);

/// How long a page may take. Waits for our own memory and slots do not count.
fn patience(effort: FetchEffort) -> Duration {
    Duration::from_secs(match effort {
        FetchEffort::Min => 5,
        FetchEffort::Standard => 15,
        FetchEffort::Max => 60,
    })
}

/// A page that a client waits for.
pub(super) struct PageRequest<'a> {
    pub(super) url: &'a str,
    pub(super) effort: FetchEffort,
    pub(super) nocache: bool,
    pub(super) geo_target: Option<&'a GeoTarget>,
    pub(super) fetch: &'a FetchOptions,
}

/// Opens a page for a client that waits. Dropping the future stops the fetch.
pub(super) async fn fetch(
    services: &AgentServices,
    request: PageRequest<'_>,
) -> Result<(Visit, Arc<Page>), ErrorBody> {
    let services = &services.for_pages(PageWishes {
        fetch: Some(request.fetch),
        geo_target: request.geo_target,
        effort: Some(request.effort),
        nocache: request.nocache,
        fetch_timeout: None,
    })?;
    let (url, effort) = (request.url, request.effort);
    let address = Url::parse(url).map_err(|error| {
        ErrorBody::new(
            Code::InvalidRequest,
            format!("url: is not an absolute URL ({error})"),
        )
    })?;
    let cancel = net::CancellationToken::new();
    let _dropped = cancel.clone().drop_guard();
    let patience = services.pages.timeout.unwrap_or_else(|| patience(effort));
    let profile = Profile {
        patience,
        ..services.profile(cancel, net::RobotsMode::Ignore)
    };
    let late = || {
        let text = format!(
            "the page did not come within {} s; a higher effort, or fetch.timeout, waits longer",
            patience.as_secs()
        );
        ErrorBody::new(Code::NavigationTimeout, text)
    };
    let own_waits = profile.own_waits.clone();
    let loading = load_as_asked(services, &request, profile, &address);
    // Engines end by themselves, and say more.
    let opened = own_waits.timeout(patience + GRACE, loading);
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

/// Opens a page. What the highest effort would open in a browser, and no browser shows or can be had for, is opened
/// without one.
async fn load_as_asked(
    services: &AgentServices,
    request: &PageRequest<'_>,
    profile: Profile,
    address: &Url,
) -> Result<(Visit, LoadedPage), browser::Error> {
    let loaded = load(services, profile.clone(), address, true, false).await;
    let may_fall_back = request.effort == FetchEffort::Max
        && request.fetch.engine.is_none()
        && request.fetch.needs_browser().is_none()
        && services.browser.name() != "http";
    let is_no_page = match &loaded {
        Ok((visit, _)) => visit.warnings.contains(&PageWarning::NotAPage),
        Err(error) => matches!(error, browser::Error::Unavailable(_)),
    };
    if !(may_fall_back && is_no_page) {
        return loaded;
    }
    let without = AgentServices {
        browser: services.engines.http.clone(),
        ..services.clone()
    };
    load(&without, profile, address, true, false).await
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
        ErrorBody::new(Code::JsRequired, PageWarning::ScriptsNeeded.text().into_owned())
    } else {
        ErrorBody::new(Code::EmptyContent, "there is nothing to read on the page")
    }
}
