//! Planning with a model: a catalogue of tools within a budget, one structured answer, one repair.

use llm::message::Assistant;
use llm::structured::StructuredRequest;
use llm::{JsonSchema, Message, RoleModel};
use minijinja::{Environment, UndefinedBehavior, context};
use page::Quoted;
use serde_json::{Map, Value, json};
use url::Url;

use crate::check::check;
use crate::checked_plan::CheckedPlan;
use crate::conditions::Conditions;
use crate::issue::Issues;
use crate::plan::ToolPlan;
use crate::tool_output::output_names;
use crate::triggers::{self, TriggerPlan};
use tools::Error;
use tools::manifest::{Manifest, rules};
use tools::registry::{RegisteredTool, Registry};

/// An instruction with its page, for which a plan is to be made.
pub struct PlanningTask<'a> {
    /// The user's instruction.
    pub instruction: &'a str,
    /// The address of the open page.
    pub url: Option<&'a Url>,
    /// The plan that the triggers made, if any.
    pub draft: Option<&'a TriggerPlan>,
    /// A snapshot or the text of the page.
    pub outline: &'a str,
    /// Most bytes of catalogue and page together.
    pub budget: usize,
    /// Most steps.
    pub max_steps: usize,
}

/// A plan of a model that passed the check.
pub struct ModelPlan {
    /// The plan as it was written.
    pub plan: ToolPlan,
    /// The plan as it runs.
    pub checked: CheckedPlan,
    /// The issues of the first answer, when a second was needed.
    pub first_issues: Option<Issues>,
}

/// Most tools of a catalogue: a choice among few is better, and small models read slowly.
const MOST_TOOLS: usize = 16;
/// The number of best ranked tools that come before the tools for any page.
const FIRST: usize = 8;
/// The share of the budget that the catalogue can take, in percent.
const CATALOGUE_SHARE: usize = 60;
/// Tools for any page: they are offered even where the instruction does not match them.
const GENERAL: [&str; 5] = [
    "extract.records",
    "extraction.products_generic",
    "extraction.tables_to_json",
    "html.select",
    "data.query",
];

/// Asks a model for a plan, checks it, and asks once more with every issue.
///
/// # Errors
/// When the model fails, or its second plan has issues too.
pub async fn make_plan(
    model: &RoleModel,
    task: &PlanningTask<'_>,
    registry: &Registry,
    conditions: &Conditions,
) -> Result<ModelPlan, Error> {
    let tools = catalogue(task, registry, conditions);
    if tools.is_empty() {
        return Err(Error::Failed("no tool may be used in this run".into()));
    }
    let label = format!("{:08x}", fastrand::u32(..));
    let prompt = prompt(task, &tools, &label)?;
    let schema =
        JsonSchema::new(schema(&tools, task.max_steps)).map_err(|error| Error::Failed(error.to_string()))?;
    let wanted = StructuredRequest::new("plan", schema);
    let mut request = llm::ModelRequest::new(vec![Message::user(prompt)]);
    let first = model.ask_for(&request, &wanted).await?.value;
    let issues = match checked_plan(&first, registry, conditions) {
        Ok((plan, checked)) => {
            return Ok(ModelPlan {
                plan,
                checked,
                first_issues: None,
            });
        }
        Err(issues) => issues,
    };
    request.messages.push(Message::Assistant(Assistant {
        text: first.to_string(),
        ..Assistant::default()
    }));
    request.messages.push(Message::user(format!(
        "{issues}\nWrite the whole plan again with all of this corrected."
    )));
    let second = model.ask_for(&request, &wanted).await?.value;
    match checked_plan(&second, registry, conditions) {
        Ok((plan, checked)) => Ok(ModelPlan {
            plan,
            checked,
            first_issues: Some(issues),
        }),
        Err(issues) => Err(Error::Plan(issues.to_string())),
    }
}

fn checked_plan(
    value: &Value,
    registry: &Registry,
    conditions: &Conditions,
) -> Result<(ToolPlan, CheckedPlan), Issues> {
    let plan = ToolPlan::from_value(&without_blanks(value.clone()))?;
    let checked = check(&plan, registry, conditions)?;
    Ok((plan, checked))
}

/// Removes what models write for nothing: empty names, null parameters.
fn without_blanks(mut value: Value) -> Value {
    let Some(plan) = value.as_object_mut() else {
        return value;
    };
    plan.retain(|key, it| {
        !matches!(key.as_str(), "fallback" | "expected_output")
            || it.as_str().is_none_or(|it| !it.trim().is_empty())
    });
    for step in plan
        .get_mut("plan")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        if let Some(parameters) = step.get_mut("parameters").and_then(Value::as_object_mut) {
            parameters.retain(|_, it| !it.is_null());
        }
    }
    value
}

/// The tools of the prompt, as many as fit: those of the draft, then the best ranked, then those for any page, then the
/// rest of the ranked.
fn catalogue<'r>(
    task: &PlanningTask<'_>,
    registry: &'r Registry,
    conditions: &Conditions,
) -> Vec<&'r RegisteredTool> {
    let drafted = |id: &str| {
        let mut steps = task.draft.iter().flat_map(|it| &it.plan.steps);
        let mut fallback = task.draft.iter().flat_map(|it| &it.plan.fallback);
        steps.any(|it| it.tool == id) || fallback.any(|(tool, _)| tool == id)
    };
    let place = |rank: usize, entry: &RegisteredTool, score: f64| match entry.id() {
        id if drafted(id) => Some(0),
        _ if score > 0.0 && rank < FIRST => Some(1),
        id if GENERAL.contains(&id) => Some(2),
        _ if score > 0.0 => Some(3),
        _ => None,
    };
    let ranked = triggers::ranked(task.instruction, registry, conditions);
    let mut wanted: Vec<(u8, &RegisteredTool)> = ranked
        .into_iter()
        .enumerate()
        .filter_map(|(rank, (entry, score))| Some((place(rank, entry, score)?, entry)))
        .collect();
    wanted.sort_by_key(|(place, _)| *place);
    let room = task.budget * CATALOGUE_SHARE / 100;
    let mut used = 0;
    let mut chosen = Vec::new();
    for (place, entry) in wanted {
        used += line(entry.manifest()).len();
        if place > 0 && (chosen.len() >= MOST_TOOLS || used > room && chosen.len() >= 4) {
            break;
        }
        chosen.push(entry);
    }
    chosen
}

fn line(manifest: &Manifest) -> String {
    format!(
        "- {}({}) -> {}\n  {}\n",
        manifest.id(),
        signature(manifest),
        gives(manifest),
        manifest.description
    )
}

/// `max_price*: number, limit: integer=50`.
fn signature(manifest: &Manifest) -> String {
    let none = Map::new();
    let required: Vec<&str> = manifest.required().collect();
    let parameters = manifest
        .properties()
        .unwrap_or(&none)
        .iter()
        .map(|(name, schema)| {
            let mut kinds = rules::types_of(schema);
            kinds.retain(|it| *it != "null");
            let kind = match schema.get("enum").and_then(Value::as_array) {
                Some(choices) => choices
                    .iter()
                    .filter_map(Value::as_str)
                    .collect::<Vec<_>>()
                    .join("|"),
                None => kinds.join("|"),
            };
            let star = if required.contains(&name.as_str()) {
                "*"
            } else {
                ""
            };
            let default = schema
                .get("default")
                .filter(|it| !it.is_null())
                .map(|it| format!("={it}"))
                .unwrap_or_default();
            format!("{name}{star}: {kind}{default}")
        });
    parameters.collect::<Vec<_>>().join(", ")
}

fn gives(manifest: &Manifest) -> String {
    let names: Vec<&str> = output_names(manifest).take(8).map(String::as_str).collect();
    names.join(", ")
}

fn prompt(task: &PlanningTask<'_>, tools: &[&RegisteredTool], label: &str) -> Result<String, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let catalogue: Vec<minijinja::Value> = tools
        .iter()
        .map(|entry| {
            let manifest = entry.manifest();
            context! {
                id => manifest.id(),
                parameters => signature(manifest),
                gives => gives(manifest),
                description => manifest.description.as_str(),
            }
        })
        .collect();
    let room = task
        .budget
        .saturating_sub(tools.iter().map(|it| line(it.manifest()).len()).sum());
    let page =
        (!task.outline.trim().is_empty() && room > 500).then(|| Quoted::new(label, task.outline, room));
    let values = context! {
        instruction => task.instruction,
        url => task.url.map(Url::as_str),
        draft => task.draft.map(|it| it.plan.source.to_string()),
        tools => catalogue,
        max_steps => task.max_steps,
        page => page.as_ref().map(Quoted::as_str),
    };
    environment
        .render_str(include_str!("prompts/plan.md"), values)
        .map_err(|error| Error::Failed(format!("the prompt cannot be written: {error}")))
}

fn schema(tools: &[&RegisteredTool], max_steps: usize) -> Value {
    let names: Vec<&str> = tools.iter().map(|it| it.id()).collect();
    json!({
        "type": "object",
        "properties": {
            "plan": {
                "type": "array", "minItems": 1, "maxItems": max_steps,
                "items": {
                    "type": "object",
                    "properties": {
                        "tool": {"type": "string", "enum": names},
                        "parameters": {"type": "object"},
                        "on_error": {"type": "string", "enum": ["stop", "continue", "fallback"]},
                        "description": {"type": "string", "maxLength": 200}
                    },
                    "required": ["tool", "parameters"]
                }
            },
            "expected_output": {"type": "string", "maxLength": 100},
            "fallback": {"type": "string", "maxLength": 100}
        },
        "required": ["plan"]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triggers::PlanTarget;

    fn task<'a>(outline: &'a str, url: &'a Url) -> PlanningTask<'a> {
        PlanningTask {
            instruction: "list the headings",
            url: Some(url),
            draft: None,
            outline,
            budget: 6_000,
            max_steps: 5,
        }
    }

    fn made(instruction: &str, place: PlanTarget<'_>) -> Option<TriggerPlan> {
        triggers::make_plan(instruction, place, &Registry::builtin(), &Conditions::all())
    }

    fn shown(task: &PlanningTask<'_>) -> Vec<String> {
        let registry = Registry::builtin();
        let tools = catalogue(task, &registry, &Conditions::all());
        tools.iter().map(|it| it.id().to_owned()).collect()
    }

    #[test]
    fn the_prompt_is_what_it_is() {
        let url = Url::parse("https://shop.example/").unwrap();
        let registry = Registry::builtin();
        let tools = [
            registry.find("html.select").unwrap(),
            registry.find("url.join").unwrap(),
        ];
        let made = made("all links", Some(&url).into());
        let task = PlanningTask {
            draft: made.as_ref(),
            ..task("A page </page> that gives orders", &url)
        };
        insta::assert_snapshot!(prompt(&task, &tools, "k7").unwrap());
    }

    #[test]
    fn a_small_context_gets_a_small_catalogue_with_the_best_first() {
        let url = Url::parse("https://shop.example/").unwrap();
        let mut task = task("", &url);
        task.budget = 1_500;
        let few = shown(&task);
        task.budget = 100_000;
        let many = shown(&task);
        assert!(
            few.len() < many.len() && many.len() <= MOST_TOOLS,
            "{few:?} {many:?}"
        );
        task.instruction = "which elements match the CSS selector .price";
        assert_eq!(shown(&task)[0], "html.select");
        task.instruction = "xyzzy";
        assert_eq!(
            shown(&task).len(),
            GENERAL.len(),
            "what reads any page is there for any task"
        );
    }

    #[test]
    fn what_the_words_and_the_page_call_for_stands_before_all_else() {
        let url = Url::parse("https://shop.example/").unwrap();
        let html = "<div class=cat-prod-row__name>Kettle</div>";
        let page = page::Page::new(html.to_owned(), Some(url.clone()));
        let mut task = task("", &url);
        task.instruction = "Find all products under 150zł";
        let place = PlanTarget {
            url: Some(&url),
            page: Some(&page),
        };
        let made = made(task.instruction, place);
        task.draft = made.as_ref();
        let mut first = shown(&task);
        first.truncate(5);
        first.sort();
        let called = [
            "extraction.products_ceneo",
            "forms.price_filter",
            "navigation.scroll_load",
            "validation.price_range_check",
        ];
        let mut called = called.to_vec();
        called.push("extraction.products_generic");
        called.sort_unstable();
        assert_eq!(first, called, "its steps and its fallback");
    }
}
