//! Element lookup by CSS selector in the live page, and short waits.

use std::time::Duration;

use browser::Ref;

use crate::context::ToolContext;
use crate::controls::element::parse_selector;
use crate::error::Error;

/// The first element that a selector matches in the tab.
pub(crate) async fn first(context: &mut ToolContext, css: &str) -> Result<Ref, Error> {
    parse_selector("selector", css)?;
    let found = context.tab().await?.find(css).await?;
    let none = || {
        Error::NotFound(format!(
            "nothing on the page matches {css:?}; look at the page (html.select) and choose another selector"
        ))
    };
    found.first().copied().ok_or_else(none)
}

/// Waits, where waiting can change anything.
pub(crate) async fn pause(context: &mut ToolContext, millis: u64) -> Result<(), Error> {
    if millis > 0 && context.tab().await?.can(browser::Capability::Wait).is_ok() {
        tokio::time::sleep(Duration::from_millis(millis)).await;
    }
    Ok(())
}
