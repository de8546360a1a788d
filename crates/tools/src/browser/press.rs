//! The tool `browser.press`: presses keys, in an element or where the focus is.

use browser::snapshot::SnapshotElement;
use browser::{Action, KeyChord, Ref};
use policy::ValueSource;
use serde::Deserialize;

use crate::agent_tool::{
    ActionContext, ActionError, ActionOutcome, AgentTool, CallSummary, facts, form_target,
};

/// The tool `browser.press`.
pub struct Press;

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    key: String,
    #[serde(rename = "ref")]
    target: Option<Ref>,
}

impl AgentTool for Press {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        Ok(CallSummary::of(arguments.target).with(arguments.key.clone()))
    }

    async fn execute(
        &self,
        arguments: Arguments,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        let Arguments { key: keys, target } = arguments;
        match target {
            // Enter in a field, for tabs that know no keys.
            Some(target) if keys == "Enter" && !context.has_keys() => {
                context.permit_submit(target).await?;
                context.act(&Action::Submit { target }).await
            }
            target => {
                // Pressed on the very element that was asked about, which may not have the focus any more by then.
                let target = permit(context, &keys, target).await?;
                context.act(&Action::Press { keys, target }).await
            }
        }
    }
}

/// Keys go to the element that is named, else to whatever has the focus. Gives the element, where it is known for certain.
async fn permit(
    context: &mut ActionContext<'_>,
    keys: &str,
    target: Option<Ref>,
) -> Result<Option<Ref>, ActionError> {
    let Ok(chord) = KeyChord::read(keys) else {
        // The tab presses nothing then, and says why.
        return Ok(target);
    };
    let strokes = chord.strokes();
    let source = match (strokes.paste, strokes.write) {
        // Nobody knows what was copied; it may be a value of the person.
        (true, _) => Some(ValueSource::Caller),
        (false, true) => Some(ValueSource::Model(keys)),
        (false, false) => None,
    };
    let mut receivers_of_keys = match target {
        Some(target) => vec![context.element(target)],
        None if source.is_none() && !strokes.press => return Ok(None),
        None => focused(context).await?,
    };
    if receivers_of_keys.is_empty() {
        // Keys that no element takes go to the page itself.
        receivers_of_keys.push(SnapshotElement {
            role: "document".into(),
            ..SnapshotElement::default()
        });
    }
    let page = context.page()?;
    let only = match receivers_of_keys.as_slice() {
        [element] => element.target,
        _ => None,
    };
    for element in receivers_of_keys {
        let receiver = match element.target {
            Some(target) => context.receiver(target).await?,
            None => None,
        };
        let form = form_target(receiver.as_ref());
        if let Some(source) = source {
            context.grant.fill(&page, form, facts(&element), source)?;
        }
        match element.target {
            Some(_) if strokes.press => context.permit_click_to(receiver.as_ref(), &element)?,
            Some(_) => context.grant.submit(form, facts(&element))?,
            None => {}
        }
    }
    Ok(only)
}

/// What has the focus, as far as it is known.
async fn focused(context: &mut ActionContext<'_>) -> Result<Vec<SnapshotElement>, ActionError> {
    match context.tab.focused().await {
        Ok(targets) => Ok(targets
            .into_iter()
            .map(|target| context.element(target))
            .collect()),
        Err(error) => Err(context.tab_error(error)),
    }
}
