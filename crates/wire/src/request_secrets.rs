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

/// Keys of a request under which a JSON Schema stands. What it names so are fields of the answer.
const SCHEMA_KEYS: [&str; 2] = ["schema", "json_schema"];

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
        let spelled = values.flat_map(|(name, value)| {
            let spellings = spellings(value).into_iter();
            spellings.map(move |spelling| (name.clone(), spelling))
        });
        for (name, value) in spelled {
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

    /// Masks every text within a JSON value, and every number that is one of the values. A key that may be the name of a field (letters
    /// and `_` alone) stays as it is.
    pub fn mask_value(&self, value: &mut Value) {
        if !self.is_empty() {
            replace_in(value, &self.masker);
        }
    }

    /// The same for a JSON document. What is no JSON is masked as a text.
    #[must_use]
    pub fn mask_json(&self, json: String) -> String {
        self.replaced_in_json(json, &self.masker)
    }

    /// The document as it was before [`RequestSecrets::mask_json`], for the run itself; a number that was masked comes back as text.
    #[must_use]
    pub fn unmask_json(&self, json: String) -> String {
        self.replaced_in_json(json, &self.unmasker)
    }

    fn replaced_in_json(&self, json: String, masker: &Masker) -> String {
        if self.is_empty() {
            return json;
        }
        match serde_json::from_str(&json) {
            Ok(mut document) => {
                replace_in(&mut document, masker);
                document.to_string()
            }
            Err(_) => replaced(masker, json),
        }
    }
}

/// The ways in which a value may be written again: without the quotes around it, and within a text of JSON or HTML.
fn spellings(value: String) -> Vec<String> {
    let bare = value.trim_matches('"').to_owned();
    let json = Value::from(value.as_str()).to_string();
    let json = json.get(1..json.len() - 1).unwrap_or_default().to_owned();
    let html = value.replace('&', "&amp;").replace('<', "&lt;");
    let html = html.replace('>', "&gt;").replace('"', "&quot;");
    let mut spellings = vec![value];
    for spelling in [bare, json, html] {
        if !spellings.contains(&spelling) {
            spellings.push(spelling);
        }
    }
    spellings
}

fn replace_in(value: &mut Value, masker: &Masker) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(other) = masker.mask(text) {
                *text = other;
            }
        }
        Value::Number(number) => {
            if let Some(mark) = masker.mark_of(&number.to_string()) {
                *value = Value::String(mark.to_owned());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace_in(item, masker)),
        Value::Object(map) => {
            map.values_mut().for_each(|inner| replace_in(inner, masker));
            let is_masked = |key: &String| !may_name_field(key) && matches!(masker.mask(key), Cow::Owned(_));
            if map.keys().any(is_masked) {
                let entries = std::mem::take(map).into_iter();
                *map = entries
                    .map(|(key, inner)| match may_name_field(&key) {
                        true => (key, inner),
                        false => (replaced(masker, key), inner),
                    })
                    .collect();
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// Whether readers may look for a key by its name, which no value may change.
fn may_name_field(key: &str) -> bool {
    key.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_')
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
    // Each with whether it is a part of a JSON Schema.
    let mut open = vec![(request, false)];
    while let Some((value, is_schema)) = open.pop() {
        match value {
            Value::Object(map) => {
                for (name, inner) in map {
                    if !is_schema && CREDENTIAL_KEYS.contains(&name.as_str()) {
                        find_headers(name, inner, found);
                    }
                    open.push((inner, is_schema || SCHEMA_KEYS.contains(&name.as_str())));
                }
            }
            Value::Array(items) => open.extend(items.iter().map(|item| (item, is_schema))),
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
    hide(&mut shown, &RequestSecrets::of(&request), false);
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

/// Replaces headers, and values that stand elsewhere, by their marks. A part of a JSON Schema has no headers.
fn hide(value: &mut Value, secrets: &RequestSecrets, is_schema: bool) {
    match value {
        Value::Object(map) => {
            for (name, inner) in map {
                if !is_schema && CREDENTIAL_KEYS.contains(&name.as_str()) {
                    hide_headers(name, inner);
                }
                hide(inner, secrets, is_schema || SCHEMA_KEYS.contains(&name.as_str()));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| hide(item, secrets, is_schema)),
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
mod tests;
