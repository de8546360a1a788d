//! Taking over the browser of a run: what a person sends, and what is shown of the page.

use std::fmt;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::strict::{self, Fields, RequestRefusal};
use crate::vocabulary::vocabulary;

/// Longest text that a person types at once, in characters.
const MAX_TEXT: usize = 20_000;
/// Longest note, in characters.
const MAX_NOTE: usize = 2_000;
/// Longest ref, in characters.
const MAX_REF: usize = 200;
/// Longest name of a key with its modifiers, in characters.
const MAX_KEY: usize = 60;
/// Longest address, in characters.
const MAX_URL: usize = 8_000;
/// The highest place of a picture, and the longest way to scroll, in pixels.
const MAX_PIXELS: u32 = 10_000;

/// What is done to a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
enum ActKind {
    Click,
    Type,
    Press,
    Scroll,
    Goto,
    Back,
    Dialog,
    Look,
}

/// A direction of scrolling.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum ScrollDirection {
    /// To what is below.
    Down,
    /// To what is above.
    Up,
    /// To the left.
    Left,
    /// To the right.
    Right,
}

vocabulary!(ScrollDirection);

/// An act of a person in the browser of a paused run: the body of `POST /v1/runs/{id}/act`.
#[derive(Clone, PartialEq, Eq, JsonSchema)]
#[serde(tag = "action", rename_all = "lowercase", deny_unknown_fields)]
pub enum PersonAct {
    /// Clicks an element, or a place of the picture: either `ref`, or `x` and `y`.
    #[schemars(extend("oneOf" = serde_json::json!([
        {"properties": {"ref": {"type": "string"}, "x": {"type": "null"}, "y": {"type": "null"}}, "required": ["ref"]},
        {"properties": {"ref": {"type": "null"}, "x": {"type": "integer"}, "y": {"type": "integer"}}, "required": ["x", "y"]},
    ])))]
    Click {
        /// The element, as the page's list names it.
        #[serde(rename = "ref")]
        #[schemars(length(min = 1, max = 200))]
        ref_: Option<String>,
        /// Pixels of the picture from its left.
        #[schemars(range(min = 0, max = 10_000))]
        x: Option<u32>,
        /// Pixels of the picture from its top.
        #[schemars(range(min = 0, max = 10_000))]
        y: Option<u32>,
    },
    /// Puts a text into a field, in place of what is there. The text is a value of a person: no event, model or log sees it.
    Type {
        /// The field; the one that has the focus when absent.
        #[serde(rename = "ref")]
        #[schemars(length(min = 1, max = 200))]
        ref_: Option<String>,
        /// The text.
        #[schemars(length(min = 1, max = 20_000))]
        text: String,
    },
    /// Presses a key that writes nothing, such as `Enter`, `Tab`, `ArrowDown` or `Control+A`.
    Press {
        /// The key, with the modifiers that are held, joined by plus signs.
        #[schemars(length(min = 1, max = 60), pattern(r"[^\s\u0085]"))]
        key: String,
        /// The element that gets it; the one that has the focus when absent.
        #[serde(rename = "ref")]
        #[schemars(length(min = 1, max = 200))]
        ref_: Option<String>,
    },
    /// Scrolls the page.
    Scroll {
        /// Where to.
        direction: ScrollDirection,
        /// How far; 600 when absent.
        #[schemars(range(min = 1, max = 10_000))]
        pixels: Option<u32>,
    },
    /// Goes to an address, where the run may go there.
    Goto {
        /// The address.
        #[schemars(length(min = 1, max = 8_000), pattern(r"[^\s\u0085]"))]
        url: String,
    },
    /// Goes one page back.
    Back {},
    /// Answers the open dialog.
    Dialog {
        /// Whether to accept.
        accept: bool,
    },
    /// Does nothing to the page, and shows it.
    Look {},
}

impl PersonAct {
    /// Reads the body.
    ///
    /// # Errors
    /// Naming the field that is wrong, or that does not belong to this action.
    pub fn parse(body: &[u8]) -> Result<Self, RequestRefusal> {
        let mut from = strict::object(body)?;
        let kind = from.choice::<ActKind>("action")?;
        let act = match from.required("action", kind)? {
            ActKind::Click => Self::click(&mut from)?,
            ActKind::Type => {
                let ref_ = element(&mut from)?;
                let text = from.text("text", MAX_TEXT)?.filter(|text| !text.is_empty());
                let text = from.required("text", text)?;
                Self::Type { ref_, text }
            }
            ActKind::Press => {
                let key = from.words("key", MAX_KEY)?;
                let ref_ = element(&mut from)?;
                Self::Press { key, ref_ }
            }
            ActKind::Scroll => {
                let direction = from.choice("direction")?;
                let direction = from.required("direction", direction)?;
                let pixels = from.whole("pixels", 1..=MAX_PIXELS)?;
                Self::Scroll { direction, pixels }
            }
            ActKind::Goto => Self::Goto {
                url: from.words("url", MAX_URL)?,
            },
            ActKind::Back => Self::Back {},
            ActKind::Dialog => {
                let accept = from.flag("accept")?;
                let accept = from.required("accept", accept)?;
                Self::Dialog { accept }
            }
            ActKind::Look => Self::Look {},
        };
        match from.rest().next() {
            Some(field) => {
                let text = "does not belong to this action; leave it out";
                Err(RequestRefusal::field(field, text))
            }
            None => Ok(act),
        }
    }

    fn click(from: &mut Fields) -> Result<Self, RequestRefusal> {
        let ref_ = element(from)?;
        let (x, y) = (from.whole("x", 0..=MAX_PIXELS)?, from.whole("y", 0..=MAX_PIXELS)?);
        let wrong = match (&ref_, x, y) {
            (Some(_), None, None) | (None, Some(_), Some(_)) => {
                return Ok(Self::Click { ref_, x, y });
            }
            (Some(_), _, _) => ("ref", "stands alone: send either ref, or x and y"),
            (None, Some(_), None) => ("y", "is missing: a place is x and y"),
            (None, None, Some(_)) => ("x", "is missing: a place is x and y"),
            (None, None, None) => ("ref", "is missing: send ref, or x and y"),
        };
        Err(RequestRefusal::field(wrong.0, wrong.1))
    }

    /// The word of the action.
    #[must_use]
    pub fn action(&self) -> &'static str {
        match self {
            Self::Click { .. } => ActKind::Click,
            Self::Type { .. } => ActKind::Type,
            Self::Press { .. } => ActKind::Press,
            Self::Scroll { .. } => ActKind::Scroll,
            Self::Goto { .. } => ActKind::Goto,
            Self::Back {} => ActKind::Back,
            Self::Dialog { .. } => ActKind::Dialog,
            Self::Look {} => ActKind::Look,
        }
        .into()
    }
}

fn element(from: &mut Fields) -> Result<Option<String>, RequestRefusal> {
    let text = from.text("ref", MAX_REF)?;
    Ok(text.filter(|text| !text.trim().is_empty()))
}

// Written by hand so that a value typed by a person cannot reach a log through `{:?}`.
impl fmt::Debug for PersonAct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PersonAct")
            .field("action", &self.action())
            .finish_non_exhaustive()
    }
}

/// The body of `POST /v1/runs/{id}/resume`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ResumeRequest {
    /// What the person did and what the agent has to know, in words. It is kept in the log, and the model reads it as data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 2_000))]
    pub note: Option<String>,
}

impl ResumeRequest {
    /// Reads the body.
    ///
    /// # Errors
    /// Naming the field that is wrong.
    pub fn parse(body: &[u8]) -> Result<Self, RequestRefusal> {
        let mut from = strict::object(body)?;
        let note = from.text("note", MAX_NOTE)?;
        from.refuse_others()?;
        Ok(Self {
            note: note.filter(|note| !note.trim().is_empty()),
        })
    }
}

/// Who has the browser of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TakeoverStatus {
    /// The agent.
    #[default]
    Running,
    /// Still the agent, until what it does now is done; then a person.
    Pausing,
    /// A person.
    Paused,
}

/// How a takeover stands: the answer of `pause`, `act` and `resume`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TakeoverState {
    /// Who has the browser.
    pub status: TakeoverStatus,
    /// When the agent goes on by itself, if nobody hands the browser back before; while the run is paused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub paused_until: Option<Timestamp>,
    /// The page, while the run is paused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<TakeoverPage>,
}

/// A page as a person acts on it. Values that the run holds are shown as `{{key}}`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TakeoverPage {
    /// Its address; `about:blank` before the first page.
    pub url: String,
    /// Its title.
    pub title: String,
    /// The dialog that is open; until it is answered nothing else can be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialog: Option<String>,
    /// The elements that can be acted on, in the order of the page; the first 300.
    pub elements: Vec<TakeoverElement>,
    /// How many more there are.
    pub more: u32,
}

/// An element that can be acted on. What stands in fields is not shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TakeoverElement {
    /// Names the element in an act, as long as it is on the page.
    #[serde(rename = "ref")]
    pub ref_: String,
    /// Its ARIA role.
    pub role: String,
    /// Its accessible name, at most 120 characters.
    pub name: String,
    /// States such as `checked` or `disabled`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<String>,
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(body: &Value) -> Result<PersonAct, RequestRefusal> {
        PersonAct::parse(body.to_string().as_bytes())
    }

    #[test]
    fn each_action_takes_its_own_fields_and_refuses_others_by_name() {
        let good = [
            json!({"action": "click", "ref": "E1"}),
            json!({"action": "click", "x": 10, "y": 0}),
            json!({"action": "type", "text": "tea"}),
            json!({"action": "type", "text": "tea", "ref": "E1"}),
            json!({"action": "press", "key": "Enter"}),
            json!({"action": "scroll", "direction": "up", "pixels": 10}),
            json!({"action": "goto", "url": "https://a.example/"}),
            json!({"action": "back"}),
            json!({"action": "dialog", "accept": false}),
            json!({"action": "look"}),
        ];
        let schema = crate::schema::all();
        let schema = schema.iter().find(|(name, _)| *name == "act-request");
        let validator = jsonschema::validator_for(&schema.unwrap().1).unwrap();
        for body in good {
            assert_eq!(read(&body).unwrap().action(), body["action"], "{body}");
            assert!(validator.is_valid(&body), "{body}");
        }
        let bad = [
            ("action", json!({})),
            ("action", json!({"action": "fly"})),
            ("ref", json!({"action": "click"})),
            ("y", json!({"action": "click", "x": 1})),
            ("x", json!({"action": "click", "y": 1})),
            ("ref", json!({"action": "click", "ref": "E1", "x": 1, "y": 1})),
            ("x", json!({"action": "click", "x": 10_001, "y": 1})),
            ("text", json!({"action": "type", "text": ""})),
            ("text", json!({"action": "press", "key": "a", "text": "a"})),
            ("key", json!({"action": "press", "key": " "})),
            ("direction", json!({"action": "scroll", "direction": "away"})),
            (
                "pixels",
                json!({"action": "scroll", "direction": "up", "pixels": 0}),
            ),
            ("url", json!({"action": "goto"})),
            ("accept", json!({"action": "dialog"})),
            ("ref", json!({"action": "back", "ref": "E1"})),
        ];
        for (field, body) in bad {
            assert_eq!(read(&body).unwrap_err().field.as_deref(), Some(field), "{body}");
            assert!(!validator.is_valid(&body) || field == "ref", "{body}");
        }
    }

    #[test]
    fn a_note_may_be_left_out_and_nothing_else_is_taken() {
        let read = |body: Value| ResumeRequest::parse(body.to_string().as_bytes());
        let note = read(json!({"note": "I logged in"})).unwrap().note;
        assert_eq!(note.as_deref(), Some("I logged in"));
        assert_eq!(read(json!({"note": " "})).unwrap(), ResumeRequest::default());
        assert_eq!(read(json!({})).unwrap(), ResumeRequest::default());
        for (field, body) in [
            ("note", json!({"note": 1})),
            ("note", json!({"note": "x".repeat(2_001)})),
            ("notes", json!({"notes": "x"})),
        ] {
            assert_eq!(read(body).unwrap_err().field.as_deref(), Some(field));
        }
    }

    #[test]
    fn what_a_person_typed_does_not_show_in_debug_output() {
        let act = read(&json!({"action": "type", "text": "hunter2"})).unwrap();
        assert_eq!(format!("{act:?}"), "PersonAct { action: \"type\", .. }");
    }
}
