//! Tenants, their limits and their API keys, as the administration of a server spells them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use strum::{IntoStaticStr, VariantArray};

use crate::run::RunKind;
use crate::strict::{self, RequestRefusal};
use crate::tenant_policy::{self, ModelKeys, TenantPolicy};
use crate::vocabulary::{Vocabulary as _, vocabulary};

/// What a key may do.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    IntoStaticStr,
    VariantArray,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Scope {
    /// See runs and their events, tools and usage.
    Read,
    /// Scrape, extract and generate, of one page or of whole sites.
    Scrape,
    /// Automate, and answer the questions of runs.
    Automate,
    /// Research.
    Research,
    /// Run tools and plans.
    Tools,
    /// Read the counts of the whole server.
    Metrics,
    /// Tenants, keys, usage and audit log of everybody. Nothing else: such a key starts no run.
    Admin,
}

vocabulary!(Scope);

impl Scope {
    /// The scopes with which runs are started.
    pub const RUNNING: [Self; 4] = [Self::Scrape, Self::Automate, Self::Research, Self::Tools];
    /// Those of a key that does not say which it wants.
    pub const USUAL: [Self; 5] = [
        Self::Read,
        Self::Scrape,
        Self::Automate,
        Self::Research,
        Self::Tools,
    ];

    /// The scope that a run of this kind needs.
    #[must_use]
    pub fn of_run(kind: RunKind) -> Self {
        match kind {
            RunKind::Scrape | RunKind::Crawl | RunKind::Batch => Self::Scrape,
            RunKind::Automate => Self::Automate,
            RunKind::Research => Self::Research,
            RunKind::Plan => Self::Tools,
        }
    }
}

macro_rules! limits {
    ($($(#[doc = $doc:literal])+ $name:ident;)+) => {
        /// What a tenant may use. A limit that is absent is that of the settings; 0 is no limit.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(default, deny_unknown_fields)]
        pub struct TenantLimits {
            $($(#[doc = $doc])+ #[serde(skip_serializing_if = "Option::is_none")] pub $name: Option<f64>,)+
        }

        impl TenantLimits {
            /// The names of all limits.
            pub const NAMES: &[&str] = &[$(stringify!($name)),+];

            /// Sets the limit of a name.
            ///
            /// # Errors
            /// When there is no such limit, or the number is negative, too large, or not whole where it has to be.
            pub fn set(&mut self, name: &str, limit: f64) -> Result<(), String> {
                if !Self::NAMES.contains(&name) {
                    return Err(format!("there is no such limit; there are {}", Self::NAMES.join(", ")));
                }
                let whole = name.starts_with("dollars_") || limit.fract() == 0.0;
                if !(0.0..=1e15).contains(&limit) || !whole {
                    let kind = if name.starts_with("dollars_") { "an amount" } else { "a whole number" };
                    return Err(format!("must be {kind} of 0 (no limit) or more"));
                }
                match name {
                    $(stringify!($name) => self.$name = Some(limit),)+
                    _ => {}
                }
                Ok(())
            }

            /// These limits, with those of `defaults` where one is absent; a limit of 0 is none.
            #[must_use]
            pub fn or(&self, defaults: &Self) -> Self {
                Self { $($name: self.$name.or(defaults.$name).filter(|limit| *limit > 0.0),)+ }
            }

            /// These limits without those of some names.
            #[must_use]
            pub fn without(&self, names: &[String]) -> Self {
                let is_named = |name: &str| names.iter().any(|it| it == name);
                Self { $($name: self.$name.filter(|_| !is_named(stringify!($name))),)+ }
            }

            /// These limits, with those of `changes` where they are given.
            #[must_use]
            pub fn changed(&self, changes: &Self) -> Self {
                Self { $($name: changes.$name.or(self.$name),)+ }
            }
        }
    };
}

limits! {
    /// Runs that are done at once; further ones wait.
    running;
    /// Runs that wait.
    queued;
    /// Requests in a minute.
    requests_per_minute;
    /// Pages opened in a day, in UTC.
    pages_per_day;
    /// Pages opened in a calendar month.
    pages_per_month;
    /// Tokens in a day, read and written together.
    tokens_per_day;
    /// Tokens in a calendar month.
    tokens_per_month;
    /// US dollars that models cost in a day.
    dollars_per_day;
    /// US dollars that models cost in a calendar month.
    dollars_per_month;
    /// Megabytes of events and results that are kept.
    stored_megabytes;
}

impl TenantLimits {
    /// Reads limits such as `running=4`.
    ///
    /// # Errors
    /// Naming the limit that is unknown, or no number of 0 or more.
    pub fn read<T: AsRef<str>>(texts: &[T]) -> Result<Self, String> {
        let mut limits = Self::default();
        for text in texts
            .iter()
            .map(|text| text.as_ref().trim())
            .filter(|text| !text.is_empty())
        {
            let (name, limit) = text.split_once('=').unwrap_or((text, ""));
            let limit = limit.trim().parse().unwrap_or(f64::NAN);
            limits
                .set(name.trim(), limit)
                .map_err(|error| format!("{name:.40}: {error}"))?;
        }
        Ok(limits)
    }
}

/// `POST /v1/admin/tenants`, and `PATCH` of one.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
pub struct TenantRequest {
    /// Its name: 1 to 40 small letters, digits and hyphens.
    #[serde(default)]
    pub name: Option<String>,
    /// Its share of the workers beside others that wait too; 1 to 1000, 1 when absent.
    #[serde(default)]
    pub weight: Option<u32>,
    /// Its limits.
    #[serde(default)]
    pub limits: TenantLimits,
    /// Names of the limits that are taken away, which are null in the body: those of the settings hold.
    #[serde(skip)]
    pub removed_limits: Vec<String>,
    /// What its runs may do.
    #[serde(default)]
    pub policy: TenantPolicy,
    /// Its own keys of providers of models, by the provider's name; null takes a key away. They are never shown.
    #[serde(default)]
    pub model_keys: ModelKeys,
}

/// `POST /v1/admin/keys`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeyRequest {
    /// The tenant.
    pub tenant: String,
    /// What people call the key.
    #[serde(default)]
    pub label: String,
    /// What it may do; to read and to start every kind of run when absent.
    #[serde(default)]
    pub scopes: Vec<Scope>,
    /// Days until it expires; never when absent.
    #[serde(default)]
    pub expires_days: Option<u32>,
}

/// `POST /v1/admin/keys/{id}/rotate`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RotateRequest {
    /// Hours for which the old key still works; 24 when absent.
    pub grace_hours: u32,
}

/// Longest text of a request here, in characters.
const MAX_TEXT: usize = 100;

/// The object of a body; an empty body is an empty object.
fn object(body: &[u8], known: &[&str]) -> Result<Map<String, Value>, RequestRefusal> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Ok(Map::new());
    }
    match strict::value(body)? {
        Value::Object(map) => check_known(&map, known, "").map(|()| map),
        _ => Err(RequestRefusal::body("the body must be a JSON object")),
    }
}

/// Refuses unknown keys: a limit that is misspelled would be none.
fn check_known(map: &Map<String, Value>, known: &[&str], prefix: &str) -> Result<(), RequestRefusal> {
    match map.keys().find(|key| !known.contains(&key.as_str())) {
        None => Ok(()),
        Some(other) => {
            let name = format!("{prefix}{other:.40}");
            let text = format!("is not known here; there are {}", known.join(", "));
            Err(RequestRefusal::field(name, text))
        }
    }
}

fn text(map: &Map<String, Value>, name: &str) -> Result<Option<String>, RequestRefusal> {
    match map.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text))
            if text.chars().count() <= MAX_TEXT && !text.chars().any(char::is_control) =>
        {
            Ok(Some(text.clone()))
        }
        Some(_) => {
            let wanted = format!("must be a text of at most {MAX_TEXT} plain characters");
            Err(RequestRefusal::field(name, wanted))
        }
    }
}

fn whole(map: &Map<String, Value>, name: &str, least: u32, most: u32) -> Result<Option<u32>, RequestRefusal> {
    let Some(value) = map.get(name).filter(|value| !value.is_null()) else {
        return Ok(None);
    };
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
    match number.filter(|number| (least..=most).contains(number)) {
        Some(number) => Ok(Some(number)),
        None => Err(RequestRefusal::field(
            name,
            format!("must be a whole number from {least} to {most}"),
        )),
    }
}

impl TenantRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// Naming the first field that is wrong.
    pub fn parse(body: &[u8]) -> Result<Self, RequestRefusal> {
        let map = object(body, &["name", "weight", "limits", "policy", "model_keys"])?;
        let mut limits = TenantLimits::default();
        let mut removed_limits = Vec::new();
        match map.get("limits") {
            None | Some(Value::Null) => {}
            Some(Value::Object(given)) => {
                check_known(given, TenantLimits::NAMES, "limits.")?;
                for (name, limit) in given {
                    if limit.is_null() {
                        removed_limits.push(name.clone());
                        continue;
                    }
                    limits
                        .set(name, limit.as_f64().unwrap_or(f64::NAN))
                        .map_err(|text| RequestRefusal::field(format!("limits.{name}"), text))?;
                }
            }
            Some(_) => return Err(RequestRefusal::field("limits", "must be an object")),
        }
        Ok(Self {
            name: text(&map, "name")?,
            weight: whole(&map, "weight", 1, 1000)?,
            limits,
            removed_limits,
            policy: TenantPolicy::of(map.get("policy"))?,
            model_keys: tenant_policy::model_keys(map.get("model_keys"))?,
        })
    }
}

impl KeyRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// Naming the first field that is wrong.
    pub fn parse(body: &[u8]) -> Result<Self, RequestRefusal> {
        let map = object(body, &["tenant", "label", "scopes", "expires_days"])?;
        let tenant = text(&map, "tenant")?;
        let scopes = match map.get("scopes") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(list)) if !list.is_empty() && list.len() <= Scope::VARIANTS.len() => {
                let read = |scope: &Value| scope.as_str().and_then(Scope::parse);
                let scopes: Option<Vec<Scope>> = list.iter().map(read).collect();
                scopes.ok_or_else(Self::wrong_scopes)?
            }
            Some(_) => return Err(Self::wrong_scopes()),
        };
        Ok(Self {
            tenant: tenant.ok_or_else(|| RequestRefusal::field("tenant", "is missing"))?,
            label: text(&map, "label")?.unwrap_or_default(),
            scopes,
            expires_days: whole(&map, "expires_days", 1, 36_500)?,
        })
    }

    fn wrong_scopes() -> RequestRefusal {
        let all: Vec<_> = Scope::spellings().collect();
        RequestRefusal::field("scopes", format!("must be a list of {}", all.join(", ")))
    }
}

impl RotateRequest {
    /// Most hours for which an old key may work on: ninety days.
    pub const MAX_GRACE: u32 = 24 * 90;

    /// Reads a body.
    ///
    /// # Errors
    /// Naming the first field that is wrong.
    pub fn parse(body: &[u8]) -> Result<Self, RequestRefusal> {
        let map = object(body, &["grace_hours"])?;
        let grace_hours = whole(&map, "grace_hours", 0, Self::MAX_GRACE)?.unwrap_or(24);
        Ok(Self { grace_hours })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named() {
        let refused = |body: &str| TenantRequest::parse(body.as_bytes()).unwrap_err().text();
        for (body, field) in [
            (r#"{"weight":0}"#, "weight"),
            (r#"{"weight":-1}"#, "weight"),
            (r#"{"weight":1.5}"#, "weight"),
            (r#"{"limits":{"running":-1}}"#, "limits.running"),
            (r#"{"limits":{"running":1.5}}"#, "limits.running"),
            (r#"{"limits":{"runing":1}}"#, "limits.runing"),
            (r#"{"limits":{"dollars_per_day":"5"}}"#, "limits.dollars_per_day"),
            (r#"{"limits":[]}"#, "limits"),
            (r#"{"nam":"x"}"#, "nam"),
            (r#"{"name":"a\u0000"}"#, "name"),
        ] {
            assert!(refused(body).starts_with(field), "{body}: {}", refused(body));
        }
        for (body, field) in [
            (r"{}", "tenant"),
            (r#"{"tenant":"a","scopes":[]}"#, "scopes"),
            (r#"{"tenant":"a","scopes":["everything"]}"#, "scopes"),
            (r#"{"tenant":"a","expires_days":0}"#, "expires_days"),
        ] {
            let refused = KeyRequest::parse(body.as_bytes()).unwrap_err().text();
            assert!(refused.starts_with(field), "{refused}");
        }
        assert!(RotateRequest::parse(br#"{"grace_hours":2161}"#).is_err());
    }

    #[test]
    fn a_limit_of_0_lifts_that_of_the_settings() {
        let defaults = TenantLimits {
            running: Some(2.0),
            queued: Some(5.0),
            ..TenantLimits::default()
        };
        let body = br#"{"limits":{"running":0,"dollars_per_day":0.5}}"#;
        let limits = TenantRequest::parse(body).unwrap().limits.or(&defaults);
        assert_eq!(
            (limits.running, limits.queued, limits.dollars_per_day),
            (None, Some(5.0), Some(0.5))
        );
    }

    #[test]
    fn a_limit_of_null_is_taken_away() {
        let request = TenantRequest::parse(br#"{"limits":{"running":null,"queued":7}}"#).unwrap();
        let own = TenantLimits {
            running: Some(2.0),
            pages_per_day: Some(5.0),
            ..TenantLimits::default()
        };
        let changed = own.without(&request.removed_limits).changed(&request.limits);
        assert_eq!(
            (changed.running, changed.queued, changed.pages_per_day),
            (None, Some(7.0), Some(5.0))
        );
    }
}
