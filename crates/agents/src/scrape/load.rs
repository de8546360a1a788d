//! Opening a page, and telling a page from an error page.

use std::sync::Arc;

use browser::{PageWarning, Profile, Visit};
use tokio::time::Instant;
use url::Url;
use wire::Code;
use wire::scrape::ScrapeError;

use super::screenshot::{self, ScreenshotResult};
use crate::services::AgentServices;
use crate::session;

/// A page as it was when it was opened.
pub(crate) struct LoadedPage {
    pub(crate) page: Arc<::page::Page>,
    /// A picture of it, where one was asked for.
    pub(super) screenshot: Option<ScreenshotResult>,
}

/// Opens a page in a tab of its own, and takes a picture of it if `with_screenshot`. One that the request names is waited
/// for as the request says.
///
/// # Errors
/// When no tab can be opened or the page cannot be had.
pub(crate) async fn load(
    services: &AgentServices,
    profile: Profile,
    address: &Url,
    is_named: bool,
    with_screenshot: bool,
) -> Result<(Visit, LoadedPage), browser::Error> {
    let began = Instant::now();
    let mut tab = services.browser.open(profile).await?;
    let mut visit = tab.goto(address).await?;
    if is_named {
        services
            .pages
            .settle_content(&mut *tab, &mut visit, began)
            .await?;
    }
    let page = tab.page().await?;
    let screenshot = match with_screenshot {
        true => Some(screenshot::take(&mut *tab).await),
        false => None,
    };
    tab.close().await;
    Ok((visit, LoadedPage { page, screenshot }))
}

/// Why a visit shows that the login of the run's profile has expired; none for runs without a profile.
pub(crate) fn login_error(
    services: &AgentServices,
    requested: &Url,
    visit: &Visit,
    page: &::page::Page,
) -> Option<ScrapeError> {
    let error = services.login_error(requested, visit, page)?;
    Some(ScrapeError::new(
        error.code,
        error.message,
        Some(requested.to_string()),
    ))
}

/// What a reader of the page should know of a login: that of the run's profile may have expired, or there is none.
pub(super) fn login_warning(
    services: &AgentServices,
    requested: &Url,
    visit: &Visit,
    page: &::page::Page,
) -> Option<String> {
    match &services.session.profile {
        Some(profile) => profile.login_warning(page),
        None => session::login_instead(requested, &visit.url, page),
    }
}

/// Whether an error status is one that passes by itself, so that the page may be there later.
pub(crate) const fn may_pass(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500..=599)
}

/// Why a visit did not lead to the page that was asked for: an error status, or content that is no page.
pub(crate) fn load_error(visit: &Visit, url: &str) -> Option<ScrapeError> {
    let error = |code, text: String| Some(ScrapeError::new(code, text, Some(url.to_owned())));
    let of_content = || {
        visit.warnings.iter().find_map(|warning| {
            let code = match warning {
                PageWarning::NotAPage => Code::UnsupportedContent,
                PageWarning::Empty => Code::EmptyContent,
                PageWarning::BotWall => Code::UpstreamError,
                PageWarning::SoftNotFound
                | PageWarning::ScriptsNeeded
                | PageWarning::ScriptsRun
                | PageWarning::Truncated
                | PageWarning::Undecoded
                | PageWarning::UnreadFrames(_)
                | PageWarning::StillLoading
                | PageWarning::ConsentDialog
                | PageWarning::BudgetExceeded => return None,
            };
            error(code, warning.text().into_owned())
        })
    };
    status_error(visit, url).or_else(of_content)
}

/// The error of a visit that was answered with an error status.
pub(crate) fn status_error(visit: &Visit, url: &str) -> Option<ScrapeError> {
    let status = visit.status.filter(|status| !(200..300).contains(status))?;
    let text = format!("the site answered with status {status}");
    Some(ScrapeError {
        retryable: may_pass(status),
        ..ScrapeError::new(Code::UpstreamError, text, Some(url.to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_statuses_that_pass_are_worth_another_try() {
        assert!([408, 425, 429, 500, 503, 599].into_iter().all(may_pass));
        assert!(![301, 400, 403, 404, 410, 600].into_iter().any(may_pass));
    }
}
