//! Interaction with a tab: element lookup, clicks, waiting until the page is quiet, navigation changes.

use browser::action::WaitCondition;
use browser::{Action, Capability, NotCapable, Ref};
use page::Page;
use page::dom::Node;
use url::Url;

use crate::context::ToolContext;
use crate::controls::ui_words::fold;
use crate::error::Error;

/// Wait in milliseconds before the page is asked whether it is quiet: scripts often begin a moment after an event.
const PAUSE_MS: u64 = 80;

/// The first usable element that a selector matches.
///
/// # Errors
/// When there is none.
pub(crate) async fn find(context: &mut ToolContext, css: &str) -> Result<Ref, Error> {
    let found = context.tab().await?.find(css).await?;
    found
        .first()
        .copied()
        .ok_or_else(|| Error::NotFound(format!("nothing on the page that can be used matches {css}")))
}

/// Whether the page's scripts run.
pub(crate) async fn has_scripts(context: &mut ToolContext) -> Result<bool, Error> {
    Ok(context.tab().await?.can(Capability::Scripts).is_ok())
}

/// Waits until the page is quiet, at most `most_ms`. A page without scripts is quiet at once.
pub(crate) async fn wait_until_quiet(context: &mut ToolContext, most_ms: u64) -> Result<(), Error> {
    if !has_scripts(context).await? || most_ms == 0 {
        return Ok(());
    }
    let pause = Action::Wait {
        until: WaitCondition::Passed,
        timeout_ms: most_ms.min(PAUSE_MS),
    };
    let quiet = Action::Wait {
        until: WaitCondition::Quiet,
        timeout_ms: most_ms.max(PAUSE_MS),
    };
    for wait in [pause, quiet] {
        match context.act(&wait).await {
            // A page that is never quiet is read as it is.
            Ok(_) | Err(Error::Web(browser::Error::Timeout { .. } | browser::Error::NotCapable(_))) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Clicks the first usable element that a selector matches.
pub(crate) async fn click(context: &mut ToolContext, css: &str) -> Result<(), Error> {
    let target = find(context, css).await?;
    click_ref(context, target).await
}

/// Clicks an element.
pub(crate) async fn click_ref(context: &mut ToolContext, target: Ref) -> Result<(), Error> {
    context.act(&Action::Click { target, times: 1 }).await?;
    Ok(())
}

/// Whether the address changed, and the address now.
pub(crate) fn address_change(context: &ToolContext, before: Option<&Url>) -> (bool, String) {
    let now = context.url();
    let changed = now.as_ref() != before;
    (changed, now.map(|it| it.to_string()).unwrap_or_default())
}

/// Whether the page has scripts that a browser would run.
pub(crate) fn has_own_scripts(page: &Page) -> bool {
    let runs = |node: Node<'_>| {
        node.attr("type")
            .is_none_or(|it| it.is_empty() || it.contains("javascript") || it == "module")
    };
    page.dom().by_tag("script").any(runs)
}

/// Checks an empty list: it can be empty because the page's scripts did not run.
///
/// # Errors
/// When the page has scripts, the engine runs none, and the page does not say itself that there is nothing.
pub(crate) fn check_empty(context: &ToolContext, page: &Page) -> Result<(), Error> {
    const NONE: &[&str] = &[
        " no results ",
        " no products ",
        " nothing found ",
        " 0 results ",
        " 0 products ",
        " brak wyników ",
        " keine ergebnisse ",
        " aucun résultat ",
    ];
    if !context.lacks_scripts() || !has_own_scripts(page) {
        return Ok(());
    }
    let text = page.dom().body().map(|it| fold(&it.text())).unwrap_or_default();
    if NONE.iter().any(|it| text.contains(it)) {
        return Ok(());
    }
    Err(needs_scripts(
        "the list may be built by the page's scripts, and as it came it is empty; use the chromium engine",
    ))
}

/// The error that the engine runs no scripts, with the advice what to do.
pub(crate) fn needs_scripts(advice: &'static str) -> Error {
    let what = Capability::Scripts;
    Error::Web(browser::Error::NotCapable(NotCapable { what, advice }))
}

/// The error that something is not on the page, with a hint when scripts that did not run may bring it.
pub(crate) async fn not_found(context: &mut ToolContext, text: String) -> Error {
    let may_come = match context.page().await {
        Ok(page) => context.lacks_scripts() && has_own_scripts(&page),
        Err(_) => false,
    };
    Error::NotFound(match may_come {
        true => format!(
            "{text} (the page has scripts, and this engine runs none: the chromium engine may find it)"
        ),
        false => text,
    })
}
