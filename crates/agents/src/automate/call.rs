//! What a call of a tool means.

use std::time::Duration;

use browser::action::{Point, Until};
use browser::{Action, Ref};
use llm::turn::ToolCall;
use serde_json::{Map, Value};
use wire::automate::AgentAction;

/// A call, understood.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Move {
    /// The call's id, under which its result goes back.
    pub(super) id: String,
    /// The tool's name.
    pub(super) tool: String,
    /// What it means.
    pub(super) doing: Doing,
}

/// What a call means.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Doing {
    /// Something done to the tab.
    Act(Action),
    /// A value of the person put into a field.
    FillData {
        /// The field.
        target: Ref,
        /// Which value.
        key: String,
    },
    /// Another page.
    Goto(String),
    /// The page before.
    Back,
    /// The page after.
    Forward,
    /// A pause.
    Pause(Duration),
    /// Reading from the whole page, by a model.
    Extract(String),
    /// Looking for a text on the page.
    Search(String),
    /// A picture of the page.
    Screenshot,
    /// A click at a place of the picture.
    ClickAt(Point),
    /// Looking for pages about something.
    WebSearch(String),
    /// Values asked of the person.
    AskUser {
        /// What they are for.
        description: String,
        /// The fields.
        targets: Vec<Ref>,
    },
    /// The answer.
    Done(String),
    /// Giving up.
    Abort(String),
}

/// The longest pause, in seconds.
const LONGEST_PAUSE: f64 = 60.0;
/// The longest reading of a value in an event, in characters.
const SHOWN: usize = 500;

impl Move {
    /// Reads a call.
    ///
    /// # Errors
    /// A sentence for the model.
    pub(super) fn read(call: &ToolCall) -> Result<Self, String> {
        let doing = read(call.name(), call.arguments())?;
        Ok(Self {
            id: call.id().to_owned(),
            tool: call.name().to_owned(),
            doing,
        })
    }

    /// The move as events tell it. A value of the person shows as its key.
    pub(super) fn shown(&self) -> AgentAction {
        let (ref_, value) = match &self.doing {
            Doing::Act(action) => (action.refs().first().map(ToString::to_string), value_of(action)),
            Doing::FillData { target, key } => (Some(target.to_string()), Some(format!("{{{{{key}}}}}"))),
            Doing::Goto(text)
            | Doing::Extract(text)
            | Doing::Search(text)
            | Doing::WebSearch(text)
            | Doing::Done(text)
            | Doing::Abort(text) => (None, Some(text.clone())),
            Doing::ClickAt(at) => (None, Some(place(*at))),
            Doing::Pause(time) => (None, Some(seconds(time.as_secs_f64()))),
            Doing::AskUser { description, .. } => (None, Some(description.clone())),
            Doing::Back | Doing::Forward | Doing::Screenshot => (None, None),
        };
        AgentAction {
            action: self.tool.clone(),
            ref_,
            value: value.map(|it| cut(&it, SHOWN)),
        }
    }

    /// Whether it touches the browser, so that its start and end are told.
    pub(super) fn touches_tab(&self) -> bool {
        match &self.doing {
            Doing::Act(_)
            | Doing::FillData { .. }
            | Doing::Goto(_)
            | Doing::Back
            | Doing::Forward
            | Doing::Pause(_)
            | Doing::ClickAt(_)
            | Doing::Screenshot => true,
            Doing::Extract(_)
            | Doing::Search(_)
            | Doing::WebSearch(_)
            | Doing::AskUser { .. }
            | Doing::Done(_)
            | Doing::Abort(_) => false,
        }
    }

    /// Whether doing it again on an unchanged page is no sign of being stuck.
    pub(super) fn may_repeat(&self) -> bool {
        matches!(
            &self.doing,
            Doing::Pause(_) | Doing::Act(Action::Wait { .. } | Action::Scroll { .. })
        )
    }
}

/// A number of seconds without needless digits.
fn seconds(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A place as events tell it.
fn place(at: Point) -> String {
    format!("{}, {}", seconds(at.x), seconds(at.y))
}

/// At most so many characters.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

fn value_of(action: &Action) -> Option<String> {
    match action {
        Action::Fill { value, .. } => Some(value.clone()),
        Action::Type { text, .. } => Some(text.clone()),
        Action::Press { keys, .. } => Some(keys.clone()),
        Action::Select { options, .. } => Some(options.join(", ")),
        Action::Drag { to, .. } => Some(to.to_string()),
        Action::ClickAt { at, .. } | Action::Hover { at: Some(at), .. } => Some(place(*at)),
        Action::DragTo { from_at, to, at, .. } => {
            let from = from_at.map(|it| format!("from {}", place(it)));
            let to = to.map(|it| it.to_string());
            let parts = [from, to, at.map(place)];
            Some(parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
        }
        Action::SelectText { text, .. } => text.clone(),
        Action::Upload { files, .. } => {
            let names = files.iter().map(|it| it.display().to_string());
            Some(names.collect::<Vec<_>>().join(", "))
        }
        Action::SwitchTab { tab } | Action::CloseTab { tab: Some(tab) } => Some(tab.to_string()),
        Action::Dialog { accept, text } => Some(match (accept, text) {
            (true, Some(text)) => format!("accept: {text}"),
            (true, None) => "accept".to_owned(),
            (false, _) => "dismiss".to_owned(),
        }),
        Action::Scroll { right, down, .. } => Some(match (*right, *down) {
            (right, _) if right > 0.0 => "right".to_owned(),
            (right, _) if right < 0.0 => "left".to_owned(),
            (_, down) if down < 0.0 => "up".to_owned(),
            _ => "down".to_owned(),
        }),
        Action::Wait { until, .. } => Some(match until {
            Until::Text(text) | Until::Gone(text) => text.clone(),
            Until::Shown(_) => "shown".to_owned(),
            Until::Vanished(_) => "gone".to_owned(),
            _ => "quiet".to_owned(),
        }),
        _ => None,
    }
}

/// The arguments of one call.
struct Arguments<'a> {
    tool: &'a str,
    map: &'a Map<String, Value>,
}

impl Arguments<'_> {
    fn missing(&self, name: &str) -> String {
        format!("`{}` needs `{name}`; nothing was done", self.tool)
    }

    fn text(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| match self.map.get(*name)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(flag) => Some(flag.to_string()),
            _ => None,
        })
    }

    fn need(&self, name: &str) -> Result<String, String> {
        self.text(&[name]).ok_or_else(|| self.missing(name))
    }

    fn words(&self, name: &str) -> Result<String, String> {
        let text = self.need(name)?;
        if text.trim().is_empty() {
            return Err(format!("`{name}` of `{}` is empty; nothing was done", self.tool));
        }
        Ok(text)
    }

    fn target(&self, name: &str) -> Result<Ref, String> {
        self.need(name)?.parse()
    }

    fn optional_target(&self, name: &str) -> Result<Option<Ref>, String> {
        match self.text(&[name]).filter(|it| !it.trim().is_empty()) {
            Some(text) => text.parse().map(Some),
            None => Ok(None),
        }
    }

    fn number(&self, name: &str) -> Option<f64> {
        let number = match self.map.get(name)? {
            Value::Number(number) => number.as_f64()?,
            Value::String(text) => text.trim().parse().ok()?,
            _ => return None,
        };
        number.is_finite().then_some(number)
    }

    /// A place, or a distance, when either of its numbers is said.
    fn point(&self, x: &str, y: &str) -> Option<Point> {
        let (x, y) = (self.number(x), self.number(y));
        let far = |it: Option<f64>| it.unwrap_or(0.0).clamp(-100_000.0, 100_000.0);
        (x.is_some() || y.is_some()).then(|| Point { x: far(x), y: far(y) })
    }

    fn list(&self, name: &str) -> Result<Vec<String>, String> {
        let text = |it: &Value| match it {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        match self.map.get(name) {
            Some(Value::Array(items)) => {
                let texts: Option<Vec<String>> = items.iter().map(text).collect();
                texts.ok_or_else(|| format!("`{name}` of `{}` is a list of texts", self.tool))
            }
            Some(one) => text(one).map(|it| vec![it]).ok_or_else(|| self.missing(name)),
            None => Err(self.missing(name)),
        }
    }
}

fn read(tool: &str, map: &Map<String, Value>) -> Result<Doing, String> {
    let from = Arguments { tool, map };
    let act = |action| Ok(Doing::Act(action));
    match tool {
        "click" => {
            let times = from.number("times").unwrap_or(1.0);
            let times = if times >= 2.0 { 2 } else { 1 };
            let target = from.target("ref")?;
            match from.point("x", "y") {
                Some(at) => act(Action::ClickAt { target, at }),
                None => act(Action::Click { target, times }),
            }
        }
        "click_at" => match from.point("x", "y") {
            Some(at) => Ok(Doing::ClickAt(at)),
            None => Err(from.missing("x")),
        },
        "fill" => act(Action::Fill {
            target: from.target("ref")?,
            value: from.need("value")?,
        }),
        "type" => act(Action::Type {
            target: from.target("ref")?,
            text: from.need("value")?,
        }),
        "select" => act(Action::Select {
            target: from.target("ref")?,
            options: from.list("value")?,
        }),
        "check" | "uncheck" => act(Action::Check {
            target: from.target("ref")?,
            on: tool == "check",
        }),
        "hover" => act(Action::Hover {
            target: from.target("ref")?,
            at: from.point("x", "y"),
        }),
        "press" => act(Action::Press {
            keys: from.words("key")?,
            target: from.optional_target("ref")?,
        }),
        "scroll" => {
            let target = from.optional_target("ref")?;
            let way = from.text(&["direction"]);
            if let (Some(_), None, None) = (target, &way, from.number("pixels")) {
                return act(Action::Scroll {
                    target,
                    right: 0.0,
                    down: 0.0,
                });
            }
            let way = way.unwrap_or_else(|| "down".to_owned());
            let pixels = from.number("pixels").unwrap_or(600.0).abs().clamp(1.0, 100_000.0);
            let (right, down) = match way.trim().to_ascii_lowercase().as_str() {
                "down" => (0.0, pixels),
                "up" => (0.0, -pixels),
                "right" => (pixels, 0.0),
                "left" => (-pixels, 0.0),
                other => return Err(format!("{other:?} is no direction; use up, down, left or right")),
            };
            act(Action::Scroll { target, right, down })
        }
        "drag" => drag(&from),
        "upload" => act(Action::Upload {
            target: from.target("ref")?,
            files: from.list("files")?.into_iter().map(Into::into).collect(),
        }),
        "web_search" => Ok(Doing::WebSearch(from.words("query")?)),
        "wait" => wait(&from),
        "goto" => Ok(Doing::Goto(from.words("url")?)),
        "focus" => act(Action::Focus {
            target: from.target("ref")?,
        }),
        "right_click" => act(Action::RightClick {
            target: from.target("ref")?,
        }),
        "select_text" => {
            let target = from.optional_target("ref")?;
            let text = from.text(&["text"]).filter(|it| !it.is_empty());
            match (target, &text) {
                (None, None) => Err(from.missing("text")),
                _ => act(Action::SelectText { target, text }),
            }
        }
        "switch_tab" | "close_tab" => {
            let number = from.number("tab").map(|it| it.clamp(0.0, 1e6));
            // Between 0 and a million.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let number = number.map(|it| it as u32);
            match (tool, number) {
                ("close_tab", tab) => act(Action::CloseTab { tab }),
                (_, Some(tab)) => act(Action::SwitchTab { tab }),
                (_, None) => Err(from.missing("tab")),
            }
        }
        "answer_dialogs" => act(Action::Dialog {
            accept: from.text(&["accept"]).is_none_or(|it| it != "false"),
            text: from.text(&["text"]),
        }),
        "back" => Ok(Doing::Back),
        "forward" => Ok(Doing::Forward),
        "extract" => Ok(Doing::Extract(from.words("description")?)),
        "search_page" => Ok(Doing::Search(from.words("text")?)),
        "screenshot" => Ok(Doing::Screenshot),
        "request_user_data" => {
            let targets = from.list("refs")?;
            let targets: Result<Vec<Ref>, String> = targets.iter().map(|it| it.parse()).collect();
            Ok(Doing::AskUser {
                description: from.words("description")?,
                targets: targets?,
            })
        }
        "fill_user_data" => Ok(Doing::FillData {
            target: from.target("ref")?,
            key: from.words("key")?,
        }),
        "done" => Ok(Doing::Done(from.words("result")?)),
        "abort" => Ok(Doing::Abort(from.words("reason")?)),
        other => Err(format!("there is no tool `{other}`")),
    }
}

/// Drags onto an element, to a place within it, or so far.
fn drag(from: &Arguments<'_>) -> Result<Doing, String> {
    let first = from.target("ref")?;
    let to = from.optional_target("to")?;
    let (from_at, at) = (from.point("from_x", "from_y"), from.point("x", "y"));
    Ok(Doing::Act(match (from_at, to, at) {
        (None, Some(to), None) => Action::Drag { from: first, to },
        (_, None, None) => return Err("`drag` needs `to`, or `x` and `y`; nothing was done".to_owned()),
        (from_at, to, at) => Action::DragTo {
            from: first,
            from_at,
            to,
            at,
        },
    }))
}

/// Waits for a text or an element to come or go, or for a time.
fn wait(from: &Arguments<'_>) -> Result<Doing, String> {
    let gone = from.text(&["gone"]).is_some_and(|it| it == "true");
    let text = from.text(&["text"]).filter(|it| !it.trim().is_empty());
    let until = match (text, from.optional_target("ref")?) {
        (Some(text), _) if gone => Until::Gone(text),
        (Some(text), _) => Until::Text(text),
        (None, Some(target)) if gone => Until::Vanished(target),
        (None, Some(target)) => Until::Shown(target),
        (None, None) => {
            let time = from.number("seconds").unwrap_or(1.0);
            let time = time.clamp(0.0, LONGEST_PAUSE);
            return Ok(Doing::Pause(Duration::from_secs_f64(time)));
        }
    };
    let patience = from.number("seconds").unwrap_or(10.0).clamp(0.1, LONGEST_PAUSE);
    Ok(Doing::Act(Action::Wait {
        until,
        // Between 100 and 60,000, so that nothing is lost.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        timeout_ms: (patience * 1000.0) as u64,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn doing(tool: &str, arguments: Value) -> Result<Doing, String> {
        read(tool, arguments.as_object().unwrap())
    }

    #[test]
    fn a_place_makes_a_click_or_a_drag_exact() {
        let (e1, e2) = (Ref(1), Ref(2));
        let point = |x, y| Point { x, y };
        let cases = [
            (
                "click",
                json!({"ref": "E1", "x": 3, "y": 4}),
                Action::ClickAt {
                    target: e1,
                    at: point(3.0, 4.0),
                },
            ),
            (
                "click",
                json!({"ref": "E1", "times": 2}),
                Action::Click { target: e1, times: 2 },
            ),
            (
                "drag",
                json!({"ref": "E1", "to": "E2"}),
                Action::Drag { from: e1, to: e2 },
            ),
            (
                "drag",
                json!({"ref": "E1", "x": -20}),
                Action::DragTo {
                    from: e1,
                    from_at: None,
                    to: None,
                    at: Some(point(-20.0, 0.0)),
                },
            ),
            (
                "drag",
                json!({"ref": "E1", "to": "E2", "x": "5", "y": 6, "from_x": 1, "from_y": 2}),
                Action::DragTo {
                    from: e1,
                    from_at: Some(point(1.0, 2.0)),
                    to: Some(e2),
                    at: Some(point(5.0, 6.0)),
                },
            ),
            (
                "scroll",
                json!({"ref": "E1"}),
                Action::Scroll {
                    target: Some(e1),
                    right: 0.0,
                    down: 0.0,
                },
            ),
            (
                "wait",
                json!({"ref": "E1", "gone": true, "seconds": 2}),
                Action::Wait {
                    until: Until::Vanished(e1),
                    timeout_ms: 2000,
                },
            ),
        ];
        for (tool, arguments, wanted) in cases {
            assert_eq!(
                doing(tool, arguments.clone()),
                Ok(Doing::Act(wanted)),
                "{tool} {arguments}"
            );
        }
        assert!(doing("drag", json!({"ref": "E1"})).is_err());
        assert!(doing("drag", json!({"ref": "E1", "from_x": 2})).is_err());
        assert!(doing("click_at", json!({})).is_err());
        assert!(doing("click_at", json!({"x": 1e300, "y": "nan"})).is_ok());
    }
}
