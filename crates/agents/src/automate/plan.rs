//! Planning: from a task to success criteria, steps and a start page.

use llm::message::Message;
use llm::model::ModelRequest;
use llm::structured::StructuredRequest;
use llm::{JsonSchema, RoleModel};
use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;
use wire::Code;

use super::event_emitter::EventEmitter;
use super::model_calls::{self, ModelCallError};
use super::prompt;
use crate::run_error::RunError;

/// How often a plan is asked for.
const ATTEMPTS: u32 = 3;

/// A plan.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TaskPlan {
    /// By what a reader recognises that the task is done.
    pub(super) success_criteria: String,
    /// How to get there.
    pub(super) plan: String,
    /// The steps.
    #[serde(default)]
    pub(super) action_items: Vec<String>,
    /// Where to begin, when the caller has not said it.
    #[serde(default)]
    url: Option<String>,
}

impl TaskPlan {
    /// The start page that the planner chose, when it is an address.
    pub(super) fn start(&self) -> Option<Url> {
        let url = crate::scrape::address(self.url.as_deref()?).ok()?;
        let has_host = url
            .host_str()
            .is_some_and(|it| it.contains('.') || it == "localhost" || it.starts_with('['));
        has_host.then_some(url)
    }
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "successCriteria": {"type": "string"},
            "plan": {"type": "string"},
            "actionItems": {"type": "array", "items": {"type": "string"}, "maxItems": 20},
            "url": {"type": "string", "description": "the page to start at, when none is given"},
        },
        "required": ["successCriteria", "plan"],
    })
}

/// Makes a plan.
///
/// # Errors
/// When the run is over, or no plan came about.
pub(super) async fn make(
    emitter: &EventEmitter<'_>,
    model: &RoleModel,
    with: &Value,
) -> Result<TaskPlan, RunError> {
    let internal = |text: String| RunError::fatal(Code::Internal, text);
    let text = prompt::render("plan", with).map_err(|error| internal(error.to_string()))?;
    let schema = JsonSchema::new(schema()).map_err(|error| internal(error.to_string()))?;
    let request = ModelRequest {
        max_tokens: Some(1500),
        ..ModelRequest::new(vec![Message::user(text)])
    };
    let wanted = StructuredRequest::new("create_plan", schema);
    let mut attempt = 0;
    loop {
        attempt += 1;
        let error = match model_calls::structured(emitter, model, &request, &wanted).await {
            Ok(answer) => {
                let plan = serde_json::from_value::<TaskPlan>(answer.value);
                return plan.map_err(|error| internal(error.to_string()));
            }
            Err(ModelCallError::Cancelled(stopped)) => return Err(stopped.into()),
            Err(ModelCallError::Failed(error)) => error,
        };
        match RunError::from(&error) {
            RunError::Recoverable(failure) if error.is_passing() && attempt < ATTEMPTS => {
                let text = format!("the plan could not be made ({failure}); trying again");
                emitter.status(text).await?;
            }
            failed => return Err(failed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_page_may_be_named_without_a_scheme() {
        let start = |url: &str| {
            let plan = TaskPlan {
                success_criteria: String::new(),
                plan: String::new(),
                action_items: Vec::new(),
                url: Some(url.to_owned()),
            };
            plan.start().map(String::from)
        };
        for (url, address) in [
            ("https://shop.example/a", "https://shop.example/a"),
            (" shop.example/a ", "https://shop.example/a"),
            ("shop.example:8080/x", "https://shop.example:8080/x"),
            ("localhost:3000", "http://localhost:3000/"),
        ] {
            assert_eq!(start(url).as_deref(), Some(address), "{url}");
        }
        for url in [
            "",
            "shop",
            "none",
            "the shop of Ann",
            "mailto:a@b.example",
            "http://shop/",
        ] {
            assert_eq!(start(url), None, "{url}");
        }
    }
}
