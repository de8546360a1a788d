//! One tool, run once for somebody who waits: no run and no log, only an outcome.

use std::sync::Arc;

use page::Page;
use tokio::time::Instant;
use tools::{Grant, ToolOutcome};
use url::Url;
use wire::error::ErrorBody;
use wire::tooling::ToolRequest;

use super::code;
use crate::error_codes;
use crate::page_settings::PageWishes;
use crate::services::AgentServices;

/// Runs a tool on a page.
///
/// # Errors
/// When the page cannot be had, the parameters do not fit, or the tool fails.
pub async fn run(
    services: &AgentServices,
    name: &str,
    request: &ToolRequest,
) -> Result<ToolOutcome, ErrorBody> {
    let told = |error: &tools::Error| ErrorBody::new(code(error.code()), error.to_string());
    let cancel = net::CancellationToken::new();
    // Whoever drops the future ends everything that the tool has begun.
    let _guard = cancel.clone().drop_guard();
    let services = &services.for_pages(PageWishes {
        fetch: Some(&request.fetch),
        ..PageWishes::default()
    })?;
    let profile = services.profile(cancel, net::RobotsMode::Ignore);
    let mut context = super::context(services, profile, &services.meter(), Grant::default());
    // An unknown tool is told before any page is fetched for it.
    services.tools.find(name).map_err(|error| told(&error))?;
    let url = match request.url.as_deref().map(Url::parse) {
        Some(Err(error)) => {
            return Err(ErrorBody::new(
                wire::Code::InvalidRequest,
                format!("url: {error}"),
            ));
        }
        Some(Ok(url)) => Some(url),
        None => None,
    };
    match (&request.html, url) {
        (Some(html), url) => {
            let page = sandbox::unblocked(async { Page::new(html.clone(), url) }).await;
            context = context.with_page(Arc::new(page));
        }
        (None, Some(url)) => {
            let began = Instant::now();
            let mut visit = context.goto(&url).await.map_err(|error| match &error {
                tools::Error::Web(web) => ErrorBody::new(error_codes::browser_code(web), web.to_string()),
                other => told(other),
            })?;
            let settled = match context.tab().await {
                Ok(tab) => services.pages.settle_content(tab, &mut visit, began).await,
                Err(error) => return Err(told(&error)),
            };
            settled.map_err(|error| ErrorBody::new(error_codes::browser_code(&error), error.to_string()))?;
            if let Some(error) = crate::scrape::load_error(&visit, url.as_str()) {
                return Err(ErrorBody::new(error.code, error.message));
            }
        }
        (None, None) => {}
    }
    context.input = request.input.clone();
    let outcome = services.tools.run(name, &request.parameters, &mut context).await;
    if let Some(mut tab) = context.take_tab() {
        tab.close().await;
    }
    outcome.map_err(|error| told(&error))
}
