//! The tool `browser.answer_dialogs`: answers the open dialog, or says how the next ones are answered.

use browser::Action;
use policy::{ElementFacts, ValueSource};
use serde::Deserialize;

use crate::agent_tool::{ActionContext, ActionError, ActionOutcome, AgentTool, CallSummary};

/// The tool `browser.answer_dialogs`.
pub struct AnswerDialogs;

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    accept: Option<String>,
    text: Option<String>,
}

impl Arguments {
    fn accepts(&self) -> bool {
        self.accept.as_deref().is_none_or(|word| word != "false")
    }
}

impl AgentTool for AnswerDialogs {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        let value = match (arguments.accepts(), &arguments.text) {
            (true, Some(text)) => format!("accept: {text}"),
            (true, None) => "accept".to_owned(),
            (false, _) => "dismiss".to_owned(),
        };
        Ok(CallSummary::default().with(value))
    }

    async fn execute(
        &self,
        arguments: Arguments,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        let accept = arguments.accepts();
        let text = arguments.text;
        if let Some(text) = text.as_deref().filter(|text| accept && !text.is_empty()) {
            permit_text(context, text)?;
        }
        context.act(&Action::Dialog { accept, text }).await
    }
}

/// A page that asks for a text gets it as a field of that page would.
fn permit_text(context: &ActionContext<'_>, text: &str) -> Result<(), ActionError> {
    let Some(dialog) = context.tab.dialog() else {
        let none = "no dialog is open that takes a text; give it when one is";
        return Err(ActionError::Impossible(none.to_owned()));
    };
    let field = ElementFacts {
        role: "textbox",
        name: &dialog.text,
        ..ElementFacts::default()
    };
    let page = context.page()?;
    Ok(context.grant.fill(&page, None, field, ValueSource::Model(text))?)
}
