//! Actions on form fields: filling, key presses, submission.

use browser::{Action, Ref};
use page::Page;

use crate::context::ToolContext;
use crate::controls::form_fields::{PageField, button_near};
use crate::controls::interaction::{click, find};
use crate::error::Error;

/// Fills an element.
pub(crate) async fn fill(context: &mut ToolContext, target: Ref, value: String) -> Result<(), Error> {
    context.act(&Action::Fill { target, value }).await?;
    Ok(())
}

/// Presses keys on an element.
pub(crate) async fn press(context: &mut ToolContext, target: Ref, keys: &str) -> Result<(), Error> {
    let keys = keys.to_owned();
    let target = Some(target);
    context.act(&Action::Press { keys, target }).await?;
    Ok(())
}

/// Submits the form of a field: by the button near it with one of the words, else by the form itself.
pub(crate) async fn submit(
    context: &mut ToolContext,
    page: &Page,
    field: &PageField,
    words: &[&str],
) -> Result<(), Error> {
    if let Some(button) = button_near(page, field.node, words) {
        return click(context, &button).await;
    }
    let target = find(context, &field.css).await?;
    context.act(&Action::Submit { target }).await?;
    Ok(())
}

/// The best by score; of equals the first.
pub(crate) fn best<S: PartialOrd, T>(scored: impl Iterator<Item = (S, T)>) -> Option<T> {
    let best = scored.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, item)| item)
}
