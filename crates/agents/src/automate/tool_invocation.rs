//! ToolInvocation: a model's call of a tool, understood.

use llm::turn::ToolCall;
use tools::Registry;
use tools::agent_tool::{AgentCall, LoopRequest};
use wire::automate::AgentAction;

/// The longest value of an action in an event, in characters.
const SHOWN: usize = 500;

/// A call, understood.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ToolInvocation {
    /// The call's id, under which its result goes back.
    pub(super) id: String,
    /// What is called, and with what.
    pub(super) call: AgentCall,
}

impl ToolInvocation {
    /// Reads a call.
    ///
    /// # Errors
    /// A sentence for the model.
    pub(super) fn read(call: &ToolCall, tools: &Registry) -> Result<Self, String> {
        Ok(Self {
            id: call.id().to_owned(),
            call: tools.read_call(call.name(), call.arguments())?,
        })
    }

    /// The answer, for the call that finishes the run, or the reason that stands for one.
    pub(super) fn answer_mut(&mut self) -> Option<&mut String> {
        match &mut self.call.request {
            Some(LoopRequest::Finish(answer) | LoopRequest::GiveUp(answer)) => Some(answer),
            _ => None,
        }
    }

    /// Whether it ends the run.
    pub(super) fn is_end(&self) -> bool {
        matches!(
            self.call.request,
            Some(LoopRequest::Finish(_) | LoopRequest::GiveUp(_))
        )
    }

    /// The action as events show it. A value of the person shows as its key.
    pub(super) fn shown(&self) -> AgentAction {
        let summary = &self.call.summary;
        AgentAction {
            action: self.call.tool.clone(),
            ref_: summary.target.map(|target| target.to_string()),
            value: summary.value.as_ref().map(|value| cut(value, SHOWN)),
            picture: None,
            by: None,
        }
    }
}

/// At most so many characters, with an ellipsis where some are left out.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn shown(tool: &str, arguments: Value) -> Result<(Option<String>, Option<String>), String> {
        let call = Registry::builtin().read_call(tool, arguments.as_object().unwrap())?;
        let shown = ToolInvocation {
            id: "c1".to_owned(),
            call,
        }
        .shown();
        assert_eq!(shown.action, tool);
        Ok((shown.ref_, shown.value))
    }

    #[test]
    fn events_show_the_element_and_the_value_of_a_call() {
        let cases = [
            ("click", json!({"ref": "e1"}), Some("E1"), None),
            (
                "click",
                json!({"ref": "E1", "x": 3, "y": 4.25}),
                Some("E1"),
                Some("3, 4.25"),
            ),
            ("fill", json!({"ref": "E1", "value": 12}), Some("E1"), Some("12")),
            (
                "select",
                json!({"ref": "E1", "value": ["a", 2]}),
                Some("E1"),
                Some("a, 2"),
            ),
            (
                "select",
                json!({"ref": "E1", "value": "a"}),
                Some("E1"),
                Some("a"),
            ),
            ("check", json!({"ref": "[ref=E1]"}), Some("E1"), None),
            ("press", json!({"key": "Enter", "ref": " "}), None, Some("Enter")),
            ("scroll", json!({}), None, Some("down")),
            (
                "scroll",
                json!({"ref": "E1", "direction": " Left "}),
                Some("E1"),
                Some("left"),
            ),
            ("drag", json!({"ref": "E1", "to": "E2"}), Some("E1"), Some("E2")),
            (
                "drag",
                json!({"ref": "E1", "x": "-20"}),
                Some("E1"),
                Some("-20, 0"),
            ),
            (
                "drag",
                json!({"ref": "E1", "to": "E2", "x": 5, "y": 6, "from_x": 1, "from_y": 2}),
                Some("E1"),
                Some("from 1, 2 E2 5, 6"),
            ),
            ("wait", json!({}), None, Some("1")),
            ("wait", json!({"text": "sent", "gone": true}), None, Some("sent")),
            (
                "wait",
                json!({"ref": "E1", "gone": "true"}),
                Some("E1"),
                Some("gone"),
            ),
            ("answer_dialogs", json!({}), None, Some("accept")),
            (
                "answer_dialogs",
                json!({"accept": false, "text": "x"}),
                None,
                Some("dismiss"),
            ),
            ("answer_dialogs", json!({"text": "x"}), None, Some("accept: x")),
            ("switch_tab", json!({"tab": "2"}), None, Some("2")),
            ("close_tab", json!({}), None, None),
            (
                "click_at",
                json!({"x": 1e300, "y": "nan"}),
                None,
                Some("100000, 0"),
            ),
            (
                "fill_user_data",
                json!({"ref": "E1", "key": "mail"}),
                Some("E1"),
                Some("{{mail}}"),
            ),
            (
                "upload",
                json!({"ref": "E1", "files": ["a", "b"]}),
                Some("E1"),
                Some("a, b"),
            ),
            ("back", json!({"any": null}), None, None),
            ("done", json!({"result": "42"}), None, Some("42")),
        ];
        for (tool, arguments, target, value) in cases {
            let wanted = (target.map(str::to_owned), value.map(str::to_owned));
            assert_eq!(shown(tool, arguments.clone()), Ok(wanted), "{tool} {arguments}");
        }
    }

    #[test]
    fn a_call_that_cannot_be_used_is_answered_with_a_sentence() {
        let cases = [
            ("fly", json!({}), "there is no tool `fly`"),
            (
                "wait",
                json!({"seconds": 99.5}),
                "/seconds: 99.5 is not from 0 to 60; nothing was done",
            ),
            ("click", json!({}), "`click` needs `ref`; nothing was done"),
            (
                "click",
                json!({"ref": "E1", "zz": 1}),
                "/zz: `click` takes only `ref`, `times`, `x`, `y`; nothing was done",
            ),
            (
                "back",
                json!({"any": 1}),
                "/any: `back` takes no arguments; nothing was done",
            ),
            (
                "click",
                json!({"ref": "x"}),
                "\"x\" is not a ref; refs look like E42",
            ),
            (
                "fill",
                json!({"ref": "E1", "value": null}),
                "`fill` needs `value`; nothing was done",
            ),
            (
                "press",
                json!({"key": " "}),
                "`key` of `press` is empty; nothing was done",
            ),
            (
                "select",
                json!({"ref": "E1", "value": [{}]}),
                "`value` of `select` is a list of texts",
            ),
            (
                "drag",
                json!({"ref": "E1"}),
                "`drag` needs `to`, or `x` and `y`; nothing was done",
            ),
            (
                "drag",
                json!({"ref": "E1", "from_x": 2}),
                "`drag` needs `to`, or `x` and `y`; nothing was done",
            ),
            (
                "scroll",
                json!({"direction": "in"}),
                "\"in\" is no direction; use up, down, left or right",
            ),
            ("click_at", json!({}), "`click_at` needs `x`; nothing was done"),
            (
                "switch_tab",
                json!({}),
                "`switch_tab` needs `tab`; nothing was done",
            ),
            (
                "select_text",
                json!({"text": ""}),
                "`select_text` needs `text`; nothing was done",
            ),
            (
                "done",
                json!({"result": "\n"}),
                "`result` of `done` is empty; nothing was done",
            ),
        ];
        for (tool, arguments, sentence) in cases {
            assert_eq!(
                shown(tool, arguments.clone()),
                Err(sentence.to_owned()),
                "{tool} {arguments}"
            );
        }
    }
}
