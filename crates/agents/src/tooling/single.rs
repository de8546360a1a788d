//! One tool, run once for somebody who waits: no run and no log, only an outcome.

use std::sync::Arc;

use page::Page;
use tools::{Grant, Outcome};
use url::Url;
use browser::Profile;
use wire::error::ErrorBody;
use wire::tooling::ToolRequest;

use super::code;
use crate::fault;
use crate::kit::Kit;

/// Runs a tool on a page.
///
/// # Errors
/// When the page cannot be had, the parameters do not fit, or the tool fails.
pub async fn run(kit: &Kit, name: &str, request: &ToolRequest) -> Result<Outcome, ErrorBody> {
    let told = |error: &tools::Error| ErrorBody::new(code(error.code()), error.to_string());
    let cancel = net::CancellationToken::new();
    // Whoever drops the future ends everything that the tool has begun.
    let _guard = cancel.clone().drop_guard();
    let profile = Profile {
        granted: kit.granted.clone(),
        cancel,
        ..Profile::default()
    };
    let mut cx = super::cx(kit, profile, &kit.meter(), Grant::default());
    // An unknown tool is told before any page is fetched for it.
    kit.tools.find(name).map_err(|error| told(&error))?;
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
        (Some(html), url) => cx = cx.with_page(Arc::new(Page::new(html.clone(), url))),
        (None, Some(url)) => {
            let visit = cx.goto(&url).await.map_err(|error| match &error {
                tools::Error::Web(web) => ErrorBody::new(fault::code_of_web(web), web.to_string()),
                other => told(other),
            })?;
            if let Some(error) = crate::scrape::refused(&visit, url.as_str()) {
                return Err(ErrorBody::new(error.code, error.message));
            }
        }
        (None, None) => {}
    }
    cx.input = request.input.clone();
    let outcome = kit.tools.run(name, &request.parameters, &mut cx).await;
    if let Some(mut tab) = cx.take_tab() {
        tab.close().await;
    }
    outcome.map_err(|error| told(&error))
}
