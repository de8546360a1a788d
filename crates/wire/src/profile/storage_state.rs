//! `StorageState`: cookies and local storage as Playwright's `storageState` spells them, read strictly.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use strum::{IntoStaticStr, VariantArray};
use url::{Host, Url};

use super::host;
use crate::strict::{self, Fields, RequestRefusal};

/// Most cookies.
const MAX_COOKIES: usize = 1_500;
/// Most bytes of one cookie, name and value together.
const MAX_COOKIE: usize = 4_096;
/// Most origins with local storage.
const MAX_ORIGINS: usize = 100;
/// Most items of local storage of one origin.
const MAX_ITEMS: usize = 1_000;
/// Most characters of one item of local storage.
const MAX_ITEM: usize = 1_000_000;
/// Seconds since 1970 above which an expiry is taken for a mistake.
const MAX_EXPIRY: f64 = 1e11;
/// Most parts that are named as left out.
const MAX_LEFT_OUT: usize = 50;

/// Which requests of other sites carry a cookie (`SameSite`).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray, Serialize, Deserialize, JsonSchema,
)]
pub enum SameSite {
    /// None.
    Strict,
    /// Navigations only.
    Lax,
    /// All.
    None,
}

/// A cookie.
#[derive(Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoredCookie {
    /// Its name.
    #[schemars(length(max = MAX_COOKIE), pattern(r"^[^\x00-\x1f\x7f-\x9f;=]*$"))]
    pub name: String,
    /// Its value.
    #[schemars(length(max = MAX_COOKIE), pattern(r"^[^\x00-\x1f\x7f-\x9f;]*$"))]
    pub value: String,
    /// The host it is sent to; with a dot before it, also to the hosts below.
    #[schemars(length(max = 260), pattern(host::DOMAIN))]
    pub domain: String,
    /// The path below which it is sent.
    #[serde(default = "root")]
    #[schemars(
        with = "Option<String>",
        length(max = 4096),
        pattern(r"^/[^\x00-\x1f\x7f-\x9f;]*$")
    )]
    pub path: String,
    /// When it ends, in whole seconds since 1970; -1 where it ends with the session.
    #[serde(default = "session")]
    #[schemars(with = "Option<f64>", extend("exclusiveMaximum" = MAX_EXPIRY))]
    pub expires: f64,
    /// Whether scripts do not see it.
    #[serde(default)]
    #[schemars(with = "Option<bool>")]
    pub http_only: bool,
    /// Whether it is sent over TLS only.
    #[serde(default)]
    #[schemars(with = "Option<bool>")]
    pub secure: bool,
    /// Which requests of other sites carry it; the browser's own rule where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_site: Option<SameSite>,
}

fn root() -> String {
    "/".to_owned()
}

/// The expiry of a cookie that ends with the session.
fn session() -> f64 {
    -1.0
}

/// An item of local storage.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LocalItem {
    /// Its key.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// The local storage of one origin.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OriginState {
    /// Scheme, host and port.
    #[schemars(length(max = 300), pattern(host::ORIGIN))]
    pub origin: String,
    /// The items.
    #[serde(default, rename = "localStorage")]
    #[schemars(with = "Option<Vec<LocalItem>>", length(max = 1000))]
    pub local_storage: Vec<LocalItem>,
}

/// Cookies and local storage of a browser.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct StorageState {
    /// The cookies.
    #[schemars(with = "Option<Vec<StoredCookie>>", length(max = 1500))]
    pub cookies: Vec<StoredCookie>,
    /// Local storage by origin.
    #[schemars(with = "Option<Vec<OriginState>>", length(max = 100))]
    pub origins: Vec<OriginState>,
}

impl fmt::Debug for StorageState {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (cookies, origins) = (self.cookies.len(), self.origins.len());
        write!(out, "StorageState({cookies} cookies, {origins} origins)")
    }
}

/// A state that was read, and what was left out of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedState {
    /// The state.
    pub state: StorageState,
    /// Unknown fields, and cookies that cannot be kept, by their place.
    pub left_out: Vec<String>,
}

/// What reading collects beside the state.
#[derive(Default)]
struct LeftOut(Vec<String>);

impl LeftOut {
    fn add(&mut self, place: String) {
        if self.0.len() < MAX_LEFT_OUT {
            self.0.push(place);
        }
    }

    fn rest(&mut self, from: &Fields) {
        from.rest().for_each(|place| self.add(place));
    }
}

impl StorageState {
    /// Reads a file of Playwright. Unknown fields, such as `indexedDB`, and partitioned cookies are left out by name.
    ///
    /// # Errors
    /// When it is no JSON of that shape; the text names the field and holds no value.
    pub fn parse(body: &[u8]) -> Result<ImportedState, RequestRefusal> {
        Self::take(strict::object(body)?)
    }

    /// The same for JSON that stands in a field of a request.
    ///
    /// # Errors
    /// As [`StorageState::parse`].
    pub fn of_value(field: &str, value: Value) -> Result<ImportedState, RequestRefusal> {
        Self::take(Fields::within(field, value)?)
    }

    fn take(mut from: Fields) -> Result<ImportedState, RequestRefusal> {
        let mut left_out = LeftOut::default();
        let mut state = Self::default();
        for mut cookie in from.objects("cookies", MAX_COOKIES)?.unwrap_or_default() {
            if cookie.any("partitionKey").is_some() {
                left_out.add(cookie.place("partitionKey"));
                continue;
            }
            state.cookies.push(take_cookie(&mut cookie)?);
            left_out.rest(&cookie);
        }
        for mut origin in from.objects("origins", MAX_ORIGINS)?.unwrap_or_default() {
            state.origins.push(take_origin(&mut origin, &mut left_out)?);
            left_out.rest(&origin);
        }
        left_out.rest(&from);
        Ok(ImportedState {
            state,
            left_out: left_out.0,
        })
    }

    /// The state as Playwright writes it: every cookie has a `sameSite`, and those that have ended are left out.
    #[must_use]
    pub fn exported(mut self, now_seconds: f64) -> Self {
        self.cookies
            .retain(|cookie| cookie.expires < 0.0 || cookie.expires > now_seconds);
        for cookie in &mut self.cookies {
            cookie.same_site.get_or_insert(SameSite::Lax);
        }
        self
    }

    /// The hosts of the state, each once, in order.
    #[must_use]
    pub fn hosts(&self) -> Vec<String> {
        let cookies = self.cookies.iter().map(|it| it.host().to_owned());
        let origins = self.origins.iter().filter_map(OriginState::host);
        let mut hosts: Vec<String> = cookies.chain(origins).collect();
        hosts.sort();
        hosts.dedup();
        hosts
    }

    /// How many items of local storage there are.
    #[must_use]
    pub fn items(&self) -> usize {
        self.origins.iter().map(|it| it.local_storage.len()).sum()
    }
}

impl StoredCookie {
    /// The host that set it, or the domain it was set for.
    #[must_use]
    pub fn host(&self) -> &str {
        self.domain.trim_start_matches('.')
    }
}

impl OriginState {
    /// The host of the origin.
    #[must_use]
    pub fn host(&self) -> Option<String> {
        Url::parse(&self.origin).ok()?.host_str().map(str::to_owned)
    }
}

fn take_cookie(from: &mut Fields) -> Result<StoredCookie, RequestRefusal> {
    let (name, value) = (from.text("name", MAX_COOKIE)?, from.text("value", MAX_COOKIE)?);
    let (name, value) = (from.required("name", name)?, from.required("value", value)?);
    if name.len() + value.len() > MAX_COOKIE {
        let advice = format!("a cookie has at most {MAX_COOKIE} bytes, name and value together");
        return Err(from.refusal("value", advice));
    }
    let is_bad = |text: &str| text.chars().any(|it| it.is_control() || it == ';');
    if is_bad(&name) || name.contains('=') || (name.is_empty() && value.is_empty()) {
        return Err(from.refusal("name", "is not the name of a cookie"));
    }
    if is_bad(&value) {
        return Err(from.refusal("value", "must not contain control characters or ';'"));
    }
    let domain = from.words("domain", 260)?;
    let bare = domain.strip_prefix('.').unwrap_or(&domain);
    let Some(host) = host::parse(bare) else {
        return Err(from.refusal("domain", "is no host"));
    };
    let is_name = matches!(host, Host::Domain(_));
    let domain = match bare.len() < domain.len() && is_name {
        true => format!(".{host}"),
        false => host.to_string(),
    };
    let path = from.text("path", 4_096)?.unwrap_or_else(|| "/".to_owned());
    if !path.starts_with('/') || is_bad(&path) {
        return Err(from.refusal("path", "must begin with '/'"));
    }
    let expires = match from.any("expires") {
        None => -1.0,
        Some(value) => value
            .as_f64()
            .filter(|it| *it < MAX_EXPIRY)
            .ok_or_else(|| from.refusal("expires", "must be seconds since 1970, or -1 for the session"))?,
    };
    Ok(StoredCookie {
        name,
        value,
        domain,
        path,
        expires: if expires < 0.0 { -1.0 } else { expires.floor() },
        http_only: from.flag("httpOnly")?.unwrap_or(false),
        secure: from.flag("secure")?.unwrap_or(false),
        same_site: match from.text("sameSite", 10)?.as_deref() {
            None => None,
            Some("Strict") => Some(SameSite::Strict),
            Some("Lax") => Some(SameSite::Lax),
            Some("None") => Some(SameSite::None),
            Some(_) => return Err(from.refusal("sameSite", "must be Strict, Lax or None")),
        },
    })
}

fn take_origin(from: &mut Fields, left_out: &mut LeftOut) -> Result<OriginState, RequestRefusal> {
    let origin = from.words("origin", 300)?;
    let Some(parsed) = host::parse_origin(&origin) else {
        return Err(from.refusal("origin", "must be an origin such as https://shop.example"));
    };
    let mut items = Vec::new();
    for mut item in from.objects("localStorage", MAX_ITEMS)?.unwrap_or_default() {
        let (name, value) = (item.text("name", MAX_ITEM)?, item.text("value", MAX_ITEM)?);
        items.push(LocalItem {
            name: item.required("name", name)?,
            value: item.required("value", value)?,
        });
        left_out.rest(&item);
    }
    Ok(OriginState {
        origin: parsed.origin().ascii_serialization(),
        local_storage: items,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_file_of_playwright_is_read_and_what_is_not_kept_is_named() {
        let file = json!({
            "cookies": [
                {"name": "sid", "value": "s3cret", "domain": ".Shop.example", "path": "/", "expires": 1_900_000_000.75,
                 "httpOnly": true, "secure": true, "sameSite": "Lax"},
                {"name": "part", "value": "x", "domain": "shop.example", "path": "/", "expires": -1, "httpOnly": false,
                 "secure": true, "sameSite": "None", "partitionKey": "https://a.example"},
                {"name": "old", "value": "x", "domain": "shop.example", "path": "/", "expires": 5, "priority": "High"},
            ],
            "origins": [{"origin": "https://shop.example", "localStorage": [{"name": "theme", "value": "dark"}],
                         "indexedDB": []}],
        });
        let read = StorageState::parse(file.to_string().as_bytes()).unwrap();
        assert_eq!(
            read.left_out,
            [
                "cookies[1].partitionKey",
                "cookies[2].priority",
                "origins[0].indexedDB"
            ]
        );
        assert_eq!(format!("{:?}", read.state), "StorageState(2 cookies, 1 origins)");
        assert_eq!(read.state.hosts(), ["shop.example"]);
        let written = serde_json::to_value(read.state.exported(1_800_000_000.0)).unwrap();
        assert_eq!(
            written,
            json!({
                "cookies": [{"name": "sid", "value": "s3cret", "domain": ".shop.example", "path": "/",
                             "expires": 1_900_000_000.0, "httpOnly": true, "secure": true, "sameSite": "Lax"}],
                "origins": [{"origin": "https://shop.example", "localStorage": [{"name": "theme", "value": "dark"}]}],
            })
        );
    }

    #[test]
    fn what_is_wrong_is_named_and_no_value_is_repeated() {
        let cookie = |change: Value| {
            let mut cookie = json!({"name": "sid", "value": "s3cret", "domain": "shop.example", "path": "/"});
            for (key, value) in change.as_object().unwrap() {
                cookie[key] = value.clone();
            }
            json!({"cookies": [cookie]}).to_string()
        };
        let cases = [
            ("{".to_owned(), None),
            ("[]".to_owned(), None),
            (json!({"cookies": {}}).to_string(), Some("cookies")),
            (json!({"cookies": [1]}).to_string(), Some("cookies[0]")),
            (cookie(json!({"value": 7})), Some("cookies[0].value")),
            (
                cookie(json!({"value": "s3cret; Path=/"})),
                Some("cookies[0].value"),
            ),
            (
                cookie(json!({"value": "s3cret\r\nX: y"})),
                Some("cookies[0].value"),
            ),
            (cookie(json!({"domain": "a b"})), Some("cookies[0].domain")),
            (
                cookie(json!({"domain": "*.shop.example"})),
                Some("cookies[0].domain"),
            ),
            (cookie(json!({"domain": "0x7f.1"})), Some("cookies[0].domain")),
            (cookie(json!({"path": "x"})), Some("cookies[0].path")),
            (cookie(json!({"expires": "s3cret"})), Some("cookies[0].expires")),
            (cookie(json!({"sameSite": "s3cret"})), Some("cookies[0].sameSite")),
            (
                json!({"origins": [{"origin": "https://a.example/path"}]}).to_string(),
                Some("origins[0].origin"),
            ),
            (
                json!({"origins": [{"origin": "https://a.example", "localStorage": [{"name": "s3cret"}]}]})
                    .to_string(),
                Some("origins[0].localStorage[0].value"),
            ),
        ];
        for (body, field) in cases {
            let refusal = StorageState::parse(body.as_bytes()).unwrap_err();
            assert_eq!(refusal.field.as_deref(), field, "{body}");
            assert!(!refusal.text().contains("s3cret"), "{}", refusal.text());
        }
    }
}
