//! Which tools the model is offered, and what a call of one means.

use std::time::Duration;

use llm::tool::{Effects, Offer, Offered};
use llm::turn::ToolCall;
use serde_json::{Map, Value, json};
use web::action::Until;
use web::{Action, Capability, NotCapable, Ref};
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
            | Doing::Done(text)
            | Doing::Abort(text) => (None, Some(text.clone())),
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
            | Doing::Screenshot => true,
            Doing::Extract(_)
            | Doing::Search(_)
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
        Action::Scroll { right, down, .. } => Some(match (*right, *down) {
            (right, _) if right > 0.0 => "right".to_owned(),
            (right, _) if right < 0.0 => "left".to_owned(),
            (_, down) if down < 0.0 => "up".to_owned(),
            _ => "down".to_owned(),
        }),
        Action::Wait { until, .. } => Some(match until {
            Until::Text(text) | Until::Gone(text) => text.clone(),
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
            act(Action::Click { target, times })
        }
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
        }),
        "press" => act(Action::Press {
            keys: from.words("key")?,
            target: from.optional_target("ref")?,
        }),
        "scroll" => {
            let way = from.text(&["direction"]).unwrap_or_else(|| "down".to_owned());
            let pixels = from.number("pixels").unwrap_or(600.0).abs().clamp(1.0, 100_000.0);
            let (right, down) = match way.trim().to_ascii_lowercase().as_str() {
                "down" => (0.0, pixels),
                "up" => (0.0, -pixels),
                "right" => (pixels, 0.0),
                "left" => (-pixels, 0.0),
                other => return Err(format!("{other:?} is no direction; use up, down, left or right")),
            };
            let target = from.optional_target("ref")?;
            act(Action::Scroll { target, right, down })
        }
        "drag" => act(Action::Drag {
            from: from.target("ref")?,
            to: from.target("to")?,
        }),
        "wait" => match from.text(&["text"]).filter(|it| !it.trim().is_empty()) {
            Some(text) => {
                let patience = from.number("seconds").unwrap_or(10.0).clamp(0.1, LONGEST_PAUSE);
                act(Action::Wait {
                    until: Until::Text(text),
                    // Between 100 and 60,000, so that nothing is lost.
                    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                    timeout_ms: (patience * 1000.0) as u64,
                })
            }
            None => {
                let time = from.number("seconds").ok_or_else(|| from.missing("seconds"))?;
                let time = time.clamp(0.0, LONGEST_PAUSE);
                Ok(Doing::Pause(Duration::from_secs_f64(time)))
            }
        },
        "goto" => Ok(Doing::Goto(from.words("url")?)),
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

/// What decides which tools there are.
#[derive(Debug, Clone, Default)]
pub(super) struct Means {
    /// Whether a person may be asked.
    pub(super) interactive: bool,
    /// The keys of the person's values.
    pub(super) keys: Vec<String>,
    /// Whether the model sees pictures.
    pub(super) images: bool,
}

/// The tools for a tab that can do what `can` says. The same for a whole run, so that prompts begin alike.
pub(super) fn offer(means: &Means, can: impl Fn(Capability) -> Result<(), NotCapable>) -> Offer {
    let able = |capability| can(capability).is_ok();
    let mut tools = vec![
        tool(
            "click",
            "Click an element.",
            &[REF],
            &[(
                "times",
                json!({"type": "integer", "description": "2 for a double click"}),
            )],
            Effects::Act,
        ),
        tool(
            "fill",
            "Replace the value of a field.",
            &[REF, VALUE],
            &[],
            Effects::Idempotent,
        ),
        tool(
            "select",
            "Choose options of a select field by their text.",
            &[REF, OPTIONS],
            &[],
            Effects::Idempotent,
        ),
        tool(
            "check",
            "Set a checkbox, radio button or switch.",
            &[REF],
            &[],
            Effects::Idempotent,
        ),
        tool(
            "uncheck",
            "Clear a checkbox or switch.",
            &[REF],
            &[],
            Effects::Idempotent,
        ),
        tool(
            "press",
            "Press keys, such as Enter, ArrowDown, Control+A. Enter in a field sends its form.",
            &[KEY],
            &[optional_ref()],
            Effects::Act,
        ),
    ];
    if able(Capability::Keys) {
        tools.push(tool(
            "type",
            "Type into an element by real keys, after what is there.",
            &[REF, VALUE],
            &[],
            Effects::Act,
        ));
    }
    if able(Capability::Hover) {
        tools.push(tool(
            "hover",
            "Move the pointer over an element.",
            &[REF],
            &[],
            Effects::Idempotent,
        ));
    }
    if able(Capability::Scroll) {
        let way = (
            "direction",
            json!({"type": "string", "enum": ["down", "up", "left", "right"]}),
        );
        let pixels = ("pixels", json!({"type": "integer"}));
        tools.push(tool(
            "scroll",
            "Scroll the page or an element.",
            &[],
            &[way, pixels, optional_ref()],
            Effects::Idempotent,
        ));
    }
    if able(Capability::Drag) {
        tools.push(tool(
            "drag",
            "Drag one element onto another.",
            &[REF, ("to", "text")],
            &[],
            Effects::Act,
        ));
    }
    let text = (
        "text",
        json!({"type": "string", "description": "wait until the page shows this"}),
    );
    let time = ("seconds", json!({"type": "number"}));
    let wait = if able(Capability::Wait) {
        vec![time, text]
    } else {
        vec![time]
    };
    tools.extend([
        tool("wait", "Wait.", &[], &wait, Effects::Read),
        tool(
            "goto",
            "Go to an address that the task names or a page links to.",
            &[("url", "text")],
            &[],
            Effects::Act,
        ),
        tool("back", "Go one page back.", &[], &[], Effects::Act),
        tool("forward", "Go one page forward.", &[], &[], Effects::Act),
        tool(
            "search_page",
            "Find elements of the page by a text they contain.",
            &[("text", "text")],
            &[],
            Effects::Read,
        ),
        tool(
            "extract",
            "Read something out of the whole page, as Markdown.",
            &[("description", "text")],
            &[],
            Effects::Read,
        ),
    ]);
    if means.images && able(Capability::Screenshot) {
        tools.push(tool(
            "screenshot",
            "See the page as a picture.",
            &[],
            &[],
            Effects::Read,
        ));
    }
    if !means.keys.is_empty() {
        tools.push(tool(
            "fill_user_data",
            "Put a value of the person into a field, by its key.",
            &[REF, ("key", "text")],
            &[],
            Effects::Idempotent,
        ));
    }
    if means.interactive {
        tools.push(tool(
            "request_user_data",
            "Ask the person for the values of fields; they are filled in without you seeing them.",
            &[("description", "text"), ("refs", "list")],
            &[],
            Effects::Act,
        ));
    }
    tools.push(tool(
        "done",
        "Finish with the answer.",
        &[("result", "text")],
        &[],
        Effects::Idempotent,
    ));
    tools.push(tool(
        "abort",
        "Give up, because the task cannot be done.",
        &[("reason", "text")],
        &[],
        Effects::Idempotent,
    ));
    Offer::new(tools)
}

const REF: (&str, &str) = ("ref", "text");
const VALUE: (&str, &str) = ("value", "text");
const OPTIONS: (&str, &str) = ("value", "list");
const KEY: (&str, &str) = ("key", "text");

fn optional_ref() -> (&'static str, Value) {
    ("ref", json!({"type": "string"}))
}

fn tool(
    name: &str,
    about: &str,
    needs: &[(&str, &str)],
    takes: &[(&str, Value)],
    effects: Effects,
) -> Offered {
    let mut properties = Map::new();
    for (name, kind) in needs {
        let schema = match *kind {
            "list" => json!({"type": "array", "items": {"type": "string"}}),
            _ => json!({"type": "string"}),
        };
        properties.insert((*name).to_owned(), schema);
    }
    for (name, schema) in takes {
        properties.insert((*name).to_owned(), schema.clone());
    }
    let required: Vec<&str> = needs.iter().map(|(name, _)| *name).collect();
    let mut schema = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    Offered::new(name, about, schema, effects)
}
