//! From a task to a plan: by what it is done, how, and where to begin.

use llm::message::Message;
use llm::model::Request;
use llm::structured::Wanted;
use llm::{RoleModel, Schema};
use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;

use super::course::Trouble;
use super::tell::Teller;
use super::{ask, prompt};
use crate::cancel::Cancelled;

/// How often a plan is asked for.
const ATTEMPTS: u32 = 3;

/// A plan.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Plan {
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

impl Plan {
    /// The start page that the planner chose, when it is an address.
    pub(super) fn start(&self) -> Option<Url> {
        let text = self.url.as_deref()?.trim();
        let url = Url::parse(text)
            .or_else(|_| Url::parse(&format!("https://{text}")))
            .ok()?;
        let has_host = url
            .host_str()
            .is_some_and(|it| it.contains('.') || it == "localhost" || it.starts_with('['));
        (matches!(url.scheme(), "http" | "https") && has_host).then_some(url)
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
/// When the run is over; inside, when no plan came about.
pub(super) async fn make(
    teller: &Teller<'_>,
    seat: &RoleModel,
    with: &Value,
) -> Result<Result<Plan, Trouble>, Cancelled> {
    let internal = |text: String| Trouble {
        code: "INTERNAL".into(),
        text,
        fatal: true,
    };
    let text = match prompt::render("plan", with) {
        Ok(text) => text,
        Err(error) => return Ok(Err(internal(error.to_string()))),
    };
    let schema = match Schema::new(schema()) {
        Ok(schema) => schema,
        Err(error) => return Ok(Err(internal(error.to_string()))),
    };
    let request = Request {
        max_tokens: Some(1500),
        ..Request::new(vec![Message::user(text)])
    };
    let wanted = Wanted::new("create_plan", schema);
    let mut attempt = 0;
    loop {
        attempt += 1;
        let error = match ask::structured(teller, seat, &request, &wanted).await? {
            Ok(answer) => match serde_json::from_value::<Plan>(answer.value) {
                Ok(plan) => return Ok(Ok(plan)),
                Err(error) => return Ok(Err(internal(error.to_string()))),
            },
            Err(error) => error,
        };
        let trouble = ask::trouble(&error);
        if trouble.fatal || !error.is_passing() || attempt == ATTEMPTS {
            return Ok(Err(trouble));
        }
        let text = format!(
            "the plan could not be made ({}: {}); trying again",
            trouble.code, trouble.text
        );
        teller.status(text).await?;
    }
}
