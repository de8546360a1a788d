//! The tool `browser.drag`: drags an element onto another, to a place within it, or so far.

use browser::{Action, Ref};
use serde::Deserialize;

use crate::agent_tool::{
    ActionContext, ActionError, ActionOutcome, AgentTool, CallSummary, point, shown_point,
};

/// The tool `browser.drag`.
pub struct Drag;

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    #[serde(rename = "ref")]
    target: Ref,
    to: Option<Ref>,
    x: Option<f64>,
    y: Option<f64>,
    from_x: Option<f64>,
    from_y: Option<f64>,
}

impl Arguments {
    fn action(&self) -> Result<Action, String> {
        let from = self.target;
        let (from_at, at) = (point(self.from_x, self.from_y), point(self.x, self.y));
        match (from_at, self.to, at) {
            (None, Some(to), None) => Ok(Action::Drag { from, to }),
            (_, None, None) => Err("`drag` needs `to`, or `x` and `y`; nothing was done".to_owned()),
            (from_at, to, at) => Ok(Action::DragTo {
                from,
                from_at,
                to,
                at,
            }),
        }
    }
}

impl AgentTool for Drag {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        let value = match arguments.action()? {
            Action::DragTo { from_at, to, at, .. } => {
                let from = from_at.map(|at| format!("from {}", shown_point(at)));
                let parts = [from, to.map(|to| to.to_string()), at.map(shown_point)];
                Some(parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
            }
            _ => arguments.to.map(|to| to.to_string()),
        };
        Ok(CallSummary::of(arguments.target).with(value))
    }

    async fn execute(
        &self,
        arguments: Arguments,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        let action = arguments.action().map_err(ActionError::Impossible)?;
        context.permit_drag(arguments.target, arguments.to).await?;
        context.act(&action).await
    }
}
