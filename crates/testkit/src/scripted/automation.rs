//! The model of an automation: a plan, scripted actions, a verdict.

use serde_json::json;

use super::exchange::ProviderRequest;
use super::turn::ScriptedTurn;

/// Answers a request of an automation. Plan and verdict are fixed; `action` gives the turn of that number, from 0, and is told
/// how to find the newest ref of an element by its name in what was shown, as a model would read it (`E1` when there is
/// none).
pub fn play_automation(
    asked: &ProviderRequest,
    action: impl FnOnce(usize, &dyn Fn(&str) -> String) -> ScriptedTurn,
) -> ScriptedTurn {
    // Ollama's own wire calls the schema of an answer `format`.
    if ["response_format", "format"]
        .iter()
        .any(|name| asked.body[name].is_object())
    {
        return ScriptedTurn::json(&match asked.body.to_string().contains("completionQuality") {
            true => json!({"taskAssessment": "seen", "completionQuality": "complete"}),
            false => json!({"successCriteria": "sent", "plan": "send the form"}),
        });
    }
    let messages = asked.body["messages"].as_array().unwrap();
    let turn = messages
        .iter()
        .filter(|message| message["role"] == "assistant")
        .count();
    let shown: String = messages
        .iter()
        .filter_map(|message| message["content"].as_str())
        .collect();
    action(turn, &|name| {
        let line = shown
            .rfind(&format!("\"{name}\""))
            .and_then(|at| shown.get(at..)?.split_once("[ref="));
        line.and_then(|(_, rest)| Some(rest.split_once(']')?.0.to_owned()))
            .unwrap_or_else(|| "E1".to_owned())
    })
}
