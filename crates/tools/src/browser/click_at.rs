//! The tool `browser.click_at`: clicks at a place of the picture.

use browser::Action;
use browser::snapshot::SnapshotElement;
use serde::Deserialize;

use crate::agent_tool::{
    ActionContext, ActionError, ActionOutcome, AgentTool, CallSummary, missing, point, shown_point,
};

/// The tool `browser.click_at`.
pub struct BrowserClickAt;

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    x: Option<f64>,
    y: Option<f64>,
}

impl AgentTool for BrowserClickAt {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        let at = point(arguments.x, arguments.y).ok_or_else(|| missing("click_at", "x"))?;
        Ok(CallSummary::default().with(shown_point(at)))
    }

    async fn execute(
        &self,
        arguments: Arguments,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        let at = point(arguments.x, arguments.y);
        let at = at.ok_or_else(|| ActionError::Impossible(missing("click_at", "x")))?;
        let hit = context.tab.hit(at).await;
        let Some(hit) = hit.map_err(|error| context.tab_error(error))? else {
            let text =
                "nothing is at this place; places are pixels of the newest picture, from its top left corner";
            return Err(ActionError::Impossible(text.to_owned()));
        };
        let element = match context.snapshot.find(hit.target) {
            Some(element) => element.clone(),
            None => SnapshotElement {
                link: hit.link,
                ..context.element(hit.target)
            },
        };
        context.permit_click_of(hit.target, &element).await?;
        let (target, at) = (hit.target, hit.at);
        context.act(&Action::ClickAt { target, at }).await
    }
}
