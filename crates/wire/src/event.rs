//! What every event family has in common.

use std::fmt::Debug;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use strum::{FromRepr, IntoStaticStr, VariantArray};

use crate::vocabulary::vocabulary;

/// The three streams of events; each has its own spelling and framing.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr, VariantArray, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Family {
    /// `init`, `url_start`, `step`, `url_complete`, `complete`, `error`.
    Scrape,
    /// The events of an automate run.
    Automate,
    /// The events of a research run.
    Research,
}

/// Who may see an event. The order is the order of inclusion: `Verbose` readers see `Public` events too.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    IntoStaticStr,
    VariantArray,
    FromRepr,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[repr(u8)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Audience {
    /// Everybody who may see the run.
    #[default]
    Public,
    /// Readers who asked for model traffic.
    Verbose,
    /// The operator, when looking for a fault.
    Debug,
    /// Nobody: what one worker writes down for its successor.
    Internal,
}

impl Audience {
    /// The audiences that a reader can be given: all but [`Audience::Internal`].
    pub const READERS: [Self; 3] = [Self::Public, Self::Verbose, Self::Debug];

    /// The audience of a reader with this spelling; none for any other text.
    #[must_use]
    pub fn of_reader(text: &str) -> Option<Self> {
        Self::READERS
            .into_iter()
            .find(|audience| audience.as_str() == text)
    }
}

vocabulary!(Family, Audience);

/// What the recorder knows about an event and its author does not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stamp<'a> {
    /// Place in the run's log, dense from 1.
    pub seq: u64,
    /// When the recorder received the event.
    pub at: Timestamp,
    /// Id of the loop turn, where the family has one.
    pub iteration: Option<&'a str>,
}

/// One event family: an enum with one variant per wire name.
pub trait Event:
    Serialize + DeserializeOwned + JsonSchema + Debug + Clone + PartialEq + Send + Sync + 'static
{
    /// Which family.
    const FAMILY: Family;

    /// The event's name on the wire.
    fn name(&self) -> &'static str;

    /// Who may see it.
    fn audience(&self) -> Audience;

    /// True for the event that ends a run's log. Exactly one such event is in a finished log, and it is the last.
    fn is_terminal(&self) -> bool;

    /// One full value per variant; schema, contract and console are tested with these.
    fn samples() -> Vec<Self>;

    /// The JSON object of the `data:` line, before it is stamped.
    fn body(&self) -> Map<String, Value>;

    /// Writes the stamp into the body, where the contract wants it.
    fn stamp(&self, body: &mut Map<String, Value>, stamp: Stamp<'_>);

    /// Reads an event back from its name and the object of its `data:` line; stamped fields are ignored.
    ///
    /// # Errors
    /// When the name is unknown or the object does not fit it.
    fn parse(name: &str, body: Map<String, Value>) -> Result<Self, serde_json::Error>;
}

/// The `data` half of an adjacently tagged event; empty when the value is not such an object.
pub(crate) fn content_of(event: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(event) {
        Ok(Value::Object(mut tagged)) => match tagged.remove("data") {
            Some(Value::Object(data)) => data,
            _ => Map::new(),
        },
        _ => Map::new(),
    }
}

/// The reverse of [`content_of`].
pub(crate) fn from_content<E: DeserializeOwned>(
    name: &str,
    body: Map<String, Value>,
) -> Result<E, serde_json::Error> {
    let mut tagged = Map::new();
    tagged.insert("event".into(), name.into());
    tagged.insert("data".into(), Value::Object(body));
    serde_json::from_value(Value::Object(tagged))
}

/// The sample events of a family's `samples.json`.
pub(crate) fn samples<E: DeserializeOwned>(json: &str) -> Vec<E> {
    // A file that does not parse gives no samples, and a test of every family counts them.
    serde_json::from_str(json).unwrap_or_default()
}

/// Declares a family whose events are `{"event": name, "data": payload}`: one line per event gives its wire name, its
/// audience, and its variant with the payload.
macro_rules! event_family {
    (
        $(#[$attribute:meta])*
        pub enum $family:ident {
            $($(#[$variant_attribute:meta])* $name:literal $audience:ident $variant:ident($payload:ty),)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "event", content = "data")]
        pub enum $family {
            $($(#[$variant_attribute])* #[serde(rename = $name)] $variant($payload),)+
        }

        impl $family {
            fn wire_name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $name,)+
                }
            }

            fn least_audience(&self) -> Audience {
                match self {
                    $(Self::$variant(_) => Audience::$audience,)+
                }
            }
        }
    };
}
pub(crate) use event_family;
