//! `RequestSecrets`: the values of a request that only its run may see, and their marks for everybody else.
//!
//! Such are the data of a task, headers of requests that a plan makes, user names and passwords in addresses, and query
//! parameters whose name says that they prove a right, such as `access_token`. Values are found by where they stand; wherever else they turn up, in an event, a
//! result or an error, they are replaced by their marks.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use serde_json::{Map, Value};
use url::form_urlencoded;

use crate::masking::Masker;
use crate::run::RunKind;

/// Shorter values are replaced where the request holds them, and nowhere else: they would hide too much.
const SHORTEST: usize = 6;
/// Most keys of a task's data that readers are shown, and longest of them in bytes.
const MOST_KEYS: usize = 1_000;
const LONGEST_KEY: usize = 200;

/// Keys of a request under which headers or cookies stand.
const CREDENTIAL_KEYS: [&str; 3] = ["headers", "cookies", "cookie"];

/// Headers that say nothing about who asks.
const PLAIN_HEADERS: [&str; 14] = [
    "accept",
    "accept-encoding",
    "accept-language",
    "cache-control",
    "connection",
    "content-length",
    "content-type",
    "dnt",
    "origin",
    "pragma",
    "range",
    "referer",
    "user-agent",
    "x-requested-with",
];

/// Names of query parameters that prove a right, without `-` and `_`.
const CREDENTIAL_PARAMETERS: [&str; 26] = [
    "accesskey",
    "accesstoken",
    "apikey",
    "apitoken",
    "auth",
    "authkey",
    "authorization",
    "authtoken",
    "bearer",
    "clientsecret",
    "idtoken",
    "jwt",
    "key",
    "passwd",
    "password",
    "pwd",
    "refreshtoken",
    "secret",
    "sessionid",
    "sessiontoken",
    "sig",
    "signature",
    "token",
    "xamzcredential",
    "xamzsecuritytoken",
    "xamzsignature",
];

/// Those that are names of other things, too: `key` of a keyword, `auth` of an author.
const OF_MANY_MEANINGS: [&str; 5] = ["auth", "key", "sig", "signature", "token"];

/// The values and their marks.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct RequestSecrets {
    values: Vec<(String, String)>,
    bytes: usize,
    left_out: usize,
    masker: Masker,
    unmasker: Masker,
}

impl std::fmt::Debug for RequestSecrets {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_list()
            .entries(self.values.iter().map(|(_, mark)| mark))
            .finish()
    }
}

impl RequestSecrets {
    /// Most bytes of the values of one run: those of its request, and those that [`RequestSecrets::hide`] adds.
    pub const MAX_BYTES: usize = 4 << 20;

    /// The secrets of a request. The data of a task is not among them: its run knows how to hide it.
    #[must_use]
    pub fn of(request: &Value) -> Self {
        let mut found = Vec::new();
        for_each_credential(request, &mut |name, value| {
            found.push((name.to_owned(), value.to_owned()));
        });
        let mut secrets = Self::default();
        secrets.hide(found.into_iter());
        secrets
    }

    /// Whether a request holds a secret of any length, for what is kept in the clear. A short value of a parameter such as `key` may be
    /// anything.
    #[must_use]
    pub fn are_in(request: &Value) -> bool {
        let mut holds_any = false;
        for_each_credential(request, &mut |name, value| {
            let is_long = value.chars().count() >= SHORTEST;
            holds_any |=
                is_long || (!value.is_empty() && !OF_MANY_MEANINGS.contains(&plain_name(name).as_str()));
        });
        holds_any
    }

    /// Hides further values, each under its name, as far as all have at most [`Self::MAX_BYTES`] together.
    pub fn hide(&mut self, values: impl Iterator<Item = (String, String)>) {
        let mut known: HashSet<String> = self.values.iter().map(|(value, _)| value.clone()).collect();
        let mut taken: HashSet<String> = self.values.iter().map(|(_, mark)| mark.clone()).collect();
        let mut numbers: HashMap<String, usize> = HashMap::new();
        for (name, value) in values {
            if value.chars().count() < SHORTEST || known.contains(&value) {
                continue;
            }
            if self.bytes + value.len() > Self::MAX_BYTES {
                self.left_out += 1;
                continue;
            }
            self.bytes += value.len();
            let name = mark_name(&name);
            let number = numbers.entry(name.clone()).or_insert(1);
            let mut mark = format!("[{name}]");
            while !taken.insert(mark.clone()) {
                *number += 1;
                mark = format!("[{name} {number}]");
            }
            known.insert(value.clone());
            self.values.push((value, mark));
        }
        let pairs = || {
            self.values
                .iter()
                .map(|(value, mark)| (value.as_str(), mark.as_str()))
        };
        self.masker = Masker::new(pairs()).with_cut_values(SHORTEST);
        self.unmasker = Masker::reverse(pairs());
    }

    /// How many values are not hidden, because they have too many bytes together. A run may not begin with such secrets.
    #[must_use]
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// A text with every value replaced by its mark, also where a value was cut short with an ellipsis.
    #[must_use]
    pub fn mask(&self, text: String) -> String {
        replaced(&self.masker, text)
    }

    /// The text as it was before [`RequestSecrets::mask`], for the run itself.
    #[must_use]
    pub fn unmask(&self, text: String) -> String {
        replaced(&self.unmasker, text)
    }
}

fn replaced(masker: &Masker, text: String) -> String {
    match masker.mask(&text) {
        Cow::Owned(masked) => masked,
        Cow::Borrowed(_) => text,
    }
}

/// What a mark keeps of the name of its value.
fn mark_name(name: &str) -> String {
    name.chars()
        .filter(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_'))
        .take(40)
        .collect()
}

/// Calls `found` with the name and the value of each credential of a request.
fn for_each_credential(request: &Value, found: &mut dyn FnMut(&str, &str)) {
    let mut open = vec![request];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(map) => {
                for (name, inner) in map {
                    if CREDENTIAL_KEYS.contains(&name.as_str()) {
                        find_headers(name, inner, found);
                    }
                    open.push(inner);
                }
            }
            Value::Array(items) => open.extend(items),
            Value::String(text) => {
                find_parameters(text, found);
                find_passwords(text, found);
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

fn find_headers(key: &str, headers: &Value, found: &mut dyn FnMut(&str, &str)) {
    match headers {
        Value::Object(map) => {
            for (name, value) in map
                .iter()
                .filter(|(name, _)| key != "headers" || is_credential(name))
            {
                match value {
                    Value::String(text) => found(name, text),
                    // By site.
                    Value::Object(_) => find_headers(key, value, found),
                    _ => {}
                }
            }
        }
        Value::String(text) => found(key, text),
        Value::Array(items) => items.iter().for_each(|item| find_headers("cookies", item, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Finds the query parameters of the addresses in a text that prove a right.
fn find_parameters(text: &str, found: &mut dyn FnMut(&str, &str)) {
    let ends = |letter: char| {
        matches!(letter, '&' | '#' | '"' | '\'' | '<' | '>' | ')' | '`' | '\\') || letter.is_whitespace()
    };
    for (at, _) in text.match_indices(['?', '&', '#']) {
        let pair = text.get(at + 1..).unwrap_or_default();
        let pair = pair.split(ends).next().unwrap_or_default();
        if let Some((name, value)) = pair.split_once('=')
            && is_credential_parameter(name)
        {
            found(name, value);
            if let Some((_, decoded)) = form_urlencoded::parse(pair.as_bytes()).next() {
                found(name, &decoded);
            }
        }
    }
}

/// Finds the user names and passwords of the addresses in a text. No page is asked with them, and what was refused is not repeated
/// either.
fn find_passwords(text: &str, found: &mut dyn FnMut(&str, &str)) {
    for (at, _) in text.match_indices("://") {
        let rest = text.get(at + 3..).unwrap_or_default();
        let ends = |letter: char| matches!(letter, '/' | '?' | '#' | '"' | '\\') || letter.is_whitespace();
        let authority = rest.split(ends).next().unwrap_or_default();
        if let Some((credentials, _)) = authority.rsplit_once('@') {
            let (user, password) = credentials.split_once(':').unwrap_or((credentials, ""));
            found("password", password);
            found("user", user);
        }
    }
}

fn is_credential(header: &str) -> bool {
    !PLAIN_HEADERS.contains(&header.to_ascii_lowercase().as_str())
}

fn is_credential_parameter(name: &str) -> bool {
    CREDENTIAL_PARAMETERS.contains(&plain_name(name).as_str())
}

/// A name in small letters without `-` and `_`.
fn plain_name(name: &str) -> String {
    let letters = name.chars().filter(|letter| !matches!(letter, '-' | '_'));
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

/// What decides how a stored specification is shown.
#[derive(Deserialize)]
struct Asked {
    #[serde(default)]
    kind: String,
    request: Value,
}

/// A stored specification (`RunSpec` as JSON) as readers may see it; none when they may see it whole.
#[must_use]
pub fn shown_spec(spec: &str) -> Option<String> {
    let Asked { kind, request } = serde_json::from_str(spec).ok()?;
    let mut shown = request.clone();
    hide(&mut shown, &RequestSecrets::of(&request));
    if kind == RunKind::Automate.as_str()
        && let Some(data) = shown.get_mut("data")
    {
        *data = shown_data(data);
    }
    if shown == request {
        return None;
    }
    let mut whole: Value = serde_json::from_str(spec).ok()?;
    *whole.get_mut("request")? = shown;
    Some(whole.to_string())
}

/// Replaces headers, and values that stand elsewhere, by their marks.
fn hide(value: &mut Value, secrets: &RequestSecrets) {
    match value {
        Value::Object(map) => {
            for (name, inner) in map {
                if CREDENTIAL_KEYS.contains(&name.as_str()) {
                    hide_headers(name, inner);
                }
                hide(inner, secrets);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| hide(item, secrets)),
        Value::String(text) => *text = secrets.mask(std::mem::take(text)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn hide_headers(key: &str, headers: &mut Value) {
    match headers {
        Value::Object(map) => {
            for (name, value) in map
                .iter_mut()
                .filter(|(name, _)| key != "headers" || is_credential(name))
            {
                match value {
                    // By site.
                    Value::Object(_) => hide_headers(key, value),
                    _ => *value = Value::String(format!("[{name}]")),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| hide_headers("cookies", item)),
        Value::String(text) => *text = format!("[{key}]"),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The data of a task as readers may see it: each value as its key.
fn shown_data(data: &Value) -> Value {
    let mark = |key: &str| Value::String(format!("{{{{{key}}}}}"));
    match data {
        Value::Null => Value::Null,
        Value::Object(map) => {
            let keys = map.keys().filter(|key| key.len() <= LONGEST_KEY).take(MOST_KEYS);
            Value::Object(keys.map(|key| (key.clone(), mark(key))).collect::<Map<_, _>>())
        }
        _ => mark("data"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_found_by_their_place_and_hidden_everywhere() {
        let plan = json!({"plan": {"steps": [{"tool": "http.get", "parameters": {
            "url": "https://a.example/?page=2&access_token=t0p%2Bsecret#x",
            "headers": {"X-Api-Key": "k-123456", "Accept": "text/html", "x-pin": "77"}
        }}]}});
        let secrets = RequestSecrets::of(&plan);
        let text = "t0p%2Bsecret t0p+secret k-123456 text/html 77 page=2".to_owned();
        let masked = secrets.mask(text.clone());
        assert_eq!(
            masked,
            "[access_token] [access_token 2] [X-Api-Key] text/html 77 page=2"
        );
        assert_eq!(secrets.unmask(masked), text);
        assert!(!format!("{secrets:?}").contains("secret"));
        let cut = secrets.mask("k-12345… k-12345 k-1234…".into());
        assert_eq!(cut, "[X-Api-Key]… k-12345 [X-Api-Key]…");
        let spec = json!({"kind": "plan", "request": plan, "owner": "a"}).to_string();
        let shown: Value = serde_json::from_str(&shown_spec(&spec).unwrap()).unwrap();
        let step = &shown["request"]["plan"]["steps"][0]["parameters"];
        assert_eq!(
            step["url"],
            "https://a.example/?page=2&access_token=[access_token]#x"
        );
        assert_eq!(
            step["headers"],
            json!({"X-Api-Key": "[X-Api-Key]", "Accept": "text/html", "x-pin": "[x-pin]"})
        );
        assert_eq!(shown["owner"], "a");
    }

    #[test]
    fn data_of_a_task_is_shown_by_its_keys_and_a_request_without_secrets_whole() {
        let spec = json!({"kind": "automate", "request": {"task": "sign in", "data": {"pin": 1234, "who": {"name": "Ada"}}}});
        let shown: Value = serde_json::from_str(&shown_spec(&spec.to_string()).unwrap()).unwrap();
        assert_eq!(
            shown["request"],
            json!({"task": "sign in", "data": {"pin": "{{pin}}", "who": "{{who}}"}})
        );
        let plain =
            json!({"kind": "scrape", "request": {"assets": ["https://a.example/?page=2"], "data": 1}});
        assert_eq!(shown_spec(&plain.to_string()), None);
        assert_eq!(shown_spec("no JSON"), None);
    }

    #[test]
    fn a_short_secret_is_one_where_its_name_has_no_other_meaning() {
        let holds = |url: &str| RequestSecrets::are_in(&json!({"url": url}));
        assert!(holds("https://a.example/?access_token=abc"));
        assert!(holds("https://a.example/?key=abcdefgh1"));
        assert!(holds("https://me:pw@a.example/"));
        assert!(!holds("https://a.example/?key=5&page=2"));
        assert!(!holds("https://a.example/?access_token="));
        assert!(RequestSecrets::are_in(&json!({"headers": {"X-Api-Key": "abc"}})));
    }

    #[test]
    fn hundreds_of_values_are_hidden_each_behind_a_mark_of_its_own() {
        let value = |at: usize| format!("value-number-{at:04}");
        let mut secrets = RequestSecrets::of(&json!({"headers": {"X-Api-Key": "X-Api-Key of mine"}}));
        secrets.hide((0..2000).map(|at| ("session".to_owned(), value(at))));
        assert_eq!(secrets.left_out(), 0);
        let text = format!("{} {} X-Api-Key of mine", value(0), value(1999));
        let masked = secrets.mask(text.clone());
        assert_eq!(masked, "[session] [session 2000] [X-Api-Key]");
        assert_eq!(secrets.mask(masked.clone()), masked);
        assert_eq!(secrets.unmask(masked), text);
        let half = RequestSecrets::MAX_BYTES / 2;
        secrets.hide((0..3).map(|at| ("long".to_owned(), format!("{at}{}", "x".repeat(half)))));
        assert_eq!(secrets.left_out(), 2);
    }

    #[test]
    fn a_password_in_an_address_is_hidden() {
        let request =
            json!({"assets": ["http://somebody:p4ss:w0rd@a.example:80/x?y=a@b", "https://a.example/@user"]});
        let text = "http://somebody:p4ss:w0rd@a.example:80/x?y=a@b https://a.example/@user".to_owned();
        let masked = RequestSecrets::of(&request).mask(text);
        assert_eq!(
            masked,
            "http://[user]:[password]@a.example:80/x?y=a@b https://a.example/@user"
        );
    }
}
