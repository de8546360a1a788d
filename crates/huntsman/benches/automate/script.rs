//! A model that places an order, whatever the refs are: it finds elements by role and name in what it was shown.

use std::collections::HashMap;
use std::sync::Mutex;

use serde_json::{Value, json};
use testkit::ScriptedTurn;

/// What is done: a tool, the role and name of its element, and the value.
const STEPS: &[(&str, &str, &str, &str)] = &[
    ("click", "link", "All goods", ""),
    ("fill", "searchbox", "What are you looking for", "jacket"),
    ("click", "button", "Find", ""),
    ("click", "link", "Rain jacket 17", ""),
    ("select", "combobox", "Size", "Large"),
    ("fill", "spinbutton", "How many", "2"),
    ("check", "checkbox", "Wrap as a present", ""),
    ("click", "button", "Put in basket", ""),
    ("click", "link", "Spare parts", ""),
    ("scroll", "", "", "down"),
    ("search_page", "", "", "Take part 612"),
    ("click", "button", "Take part 612", ""),
    ("click", "link", "Basket", ""),
    ("click", "button", "To the till", ""),
    ("fill", "textbox", "Name", "Nora Sample"),
    ("fill", "textbox", "Street", "7 Mill Lane"),
    ("select", "combobox", "Country", "Norway"),
    ("check", "radio", "Courier", ""),
    ("fill", "textbox", "Number of the card", "4000 1234"),
    ("check", "checkbox", "I agree to the terms", ""),
    ("click", "button", "Order now", ""),
];

/// The task of a run.
pub(crate) fn task(run: usize) -> String {
    format!(
        "Order #{run}: buy 2 of Rain jacket 17 in Large as a present, and part 612, by courier to Norway."
    )
}

/// How far each run is.
#[derive(Debug, Default)]
pub(crate) struct Script {
    done: Mutex<HashMap<usize, usize>>,
}

impl Script {
    /// The next step of the run that a request is about, unless the request is no turn.
    pub(crate) fn answer(&self, body: &Value) -> Option<(usize, ScriptedTurn)> {
        let tools = body.get("tools")?.as_array()?;
        if !tools.iter().any(|it| it["function"]["name"] == "click") {
            return None;
        }
        let shown = super::meter::text(body);
        let run = run_of(body)?;
        let has = |name: &str| tools.iter().any(|it| it["function"]["name"] == name);
        let mut done = self.done.lock().unwrap();
        let step = done.entry(run).or_default();
        // Who shows whole pages offers no search.
        while STEPS.get(*step).is_some_and(|(tool, ..)| !has(tool)) {
            *step += 1;
        }
        let said = match STEPS.get(*step) {
            None => ScriptedTurn::call("done", json!({"result": "The order is placed."})),
            Some((tool, role, name, value)) => {
                let mut arguments = match *tool {
                    "fill" => json!({"value": value}),
                    "select" => json!({"value": [value]}),
                    "scroll" => json!({"direction": value, "pixels": 3000}),
                    "search_page" => json!({"text": value}),
                    _ => json!({}),
                };
                if !role.is_empty() {
                    match find(&shown, role, name) {
                        Some(found) => arguments["ref"] = json!(found),
                        None => {
                            let reason = format!("no {role} {name:?} was shown");
                            return Some((run, ScriptedTurn::call("abort", json!({"reason": reason}))));
                        }
                    }
                }
                ScriptedTurn::call(*tool, arguments)
            }
        };
        *step += 1;
        Some((run, said))
    }
}

/// The ref of the newest line of that role and name.
fn find(shown: &str, role: &str, name: &str) -> Option<String> {
    let wanted = format!("{role} \"{name}\" ");
    let mut lines = shown.lines().rev();
    // A sign of what has changed and blanks may stand before it.
    let line = lines.find(|line| {
        let bare = line.trim_start_matches(['+', '~', '-', ' ']);
        bare.starts_with(&wanted) && bare.contains("[ref=")
    })?;
    let (_, from) = line.split_once("[ref=")?;
    Some(from.split_once(']')?.0.to_owned())
}

/// What a request that is no turn gets: a plan, or a verdict.
pub(crate) fn aside(body: &Value) -> ScriptedTurn {
    let schema = body["response_format"].to_string();
    if schema.contains("completionQuality") {
        return ScriptedTurn::json(
            &json!({"taskAssessment": "the order is confirmed", "completionQuality": "complete"}),
        );
    }
    ScriptedTurn::json(&json!({
        "successCriteria": "The shop confirms the order.",
        "plan": "Find the jacket, take the part, and order both.",
        "actionItems": ["find the jacket", "take the part", "order"],
    }))
}

/// The run that a request is about.
pub(crate) fn run_of(body: &Value) -> Option<usize> {
    let shown = super::meter::text(body);
    let (_, rest) = shown.split_once("Order #")?;
    rest.split(':').next()?.parse().ok()
}
