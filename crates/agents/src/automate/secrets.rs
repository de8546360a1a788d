//! Secrets: the caller's and the person's values, known by key to the model, by value to nobody but the page.

use browser::Snapshot;
use jiff::Timestamp;
use serde_json::Value;
use wire::masking::Masker;

use crate::session::{RunSecret, SecretValue};

/// Shorter values are not hidden where a page echoes them: they would hide half of the page.
const SHORTEST: usize = 4;
/// How deep a caller's data is looked into.
const DEPTH: usize = 16;
/// Most values.
const MOST: usize = 1000;

/// The longest key that is told, in bytes.
const LONGEST_KEY: usize = 200;
/// Most bytes of keys that are told.
const KEYS: usize = 8_000;

/// Names of our own making, which hold no value even where one can be read into them.
const OURS: [&str; 3] = ["requestId", "ref", "traceId"];

/// Texts of elements up to this many bytes are shown whole.
const LONG: usize = 150;

/// Values with their keys.
#[derive(Clone, Default)]
pub(super) struct Secrets {
    values: Vec<(String, String)>,
    /// What is hidden: spelling and mark.
    hidden: Vec<(String, String)>,
    /// Replaces what is hidden.
    masker: Masker,
    /// The secrets of the vault among the values.
    vault: Vec<RunSecret>,
    /// Whether the caller's data has values that are not among them: too many, or nested too deep.
    is_cut: bool,
}

impl Secrets {
    /// The values of a caller's data. A nested one has a key such as `address.city` or `phones.0`. True and false can be filled
    /// in, and are not hidden: they are no secret, and words of pages.
    pub(super) fn of(data: Option<&Value>) -> Self {
        let mut found: Vec<(String, String, bool)> = Vec::new();
        let mut open: Vec<(String, &Value, usize)> =
            data.map(|it| (String::new(), it, 0)).into_iter().collect();
        let mut is_cut = false;
        while let Some((key, value, depth)) = open.pop() {
            if found.len() >= MOST {
                is_cut = true;
                break;
            }
            let inner = |name: &str| match key.as_str() {
                "" => name.to_owned(),
                key => format!("{key}.{name}"),
            };
            let named = if key.is_empty() {
                "data".to_owned()
            } else {
                key.clone()
            };
            match value {
                Value::Object(map) if depth < DEPTH => {
                    open.extend(map.iter().map(|(name, it)| (inner(name), it, depth + 1)));
                }
                Value::Array(items) if depth < DEPTH => {
                    let items = items.iter().enumerate();
                    open.extend(items.map(|(at, it)| (inner(&at.to_string()), it, depth + 1)));
                }
                Value::String(text) => found.push((named, text.clone(), true)),
                Value::Number(_) => found.push((named, value.to_string(), true)),
                Value::Bool(_) => found.push((named, value.to_string(), false)),
                Value::Null => {}
                Value::Object(_) | Value::Array(_) => is_cut = true,
            }
        }
        found.sort();
        let mut secrets = Self {
            is_cut,
            ..Self::default()
        };
        for (key, value, is_hidden) in found {
            if is_hidden {
                secrets.hide_spellings(&key, &value);
            }
            secrets.values.push((key, value));
        }
        secrets.renew_masker();
        secrets
    }

    /// Why the caller's data cannot be used: values that are not known here would be neither filled in nor hidden.
    pub(super) fn refusal(&self) -> Option<String> {
        let text = format!("data: it has more than {MOST} values, or is nested deeper than {DEPTH} levels");
        self.is_cut.then_some(text)
    }

    /// Adds secrets of the vault. One-time passwords are added when they are made.
    pub(super) fn add_vault(&mut self, secrets: &[RunSecret]) {
        for secret in secrets {
            match &secret.value {
                SecretValue::Text(text) => {
                    self.hide_spellings(&secret.key, text);
                    self.values.push((secret.key.clone(), text.clone()));
                }
                SecretValue::Totp(_) => self.values.push((secret.key.clone(), String::new())),
            }
            self.vault.push(secret.clone());
        }
        self.renew_masker();
    }

    /// Makes the one-time passwords of this moment, and hides them. Gives those that are new, by key.
    pub(super) fn renew_codes(&mut self, now: Timestamp) -> Vec<(String, String)> {
        let seconds = u64::try_from(now.as_second()).unwrap_or(0);
        let mut renewed = Vec::new();
        for secret in &self.vault {
            let SecretValue::Totp(totp) = &secret.value else {
                continue;
            };
            let code = totp.code(seconds);
            let mut values = self.values.iter_mut();
            if let Some((key, value)) = values.find(|(key, _)| *key == secret.key)
                && *value != code
            {
                value.clone_from(&code);
                renewed.push((key.clone(), code));
            }
        }
        for (key, code) in &renewed {
            self.hide(key, code);
        }
        renewed
    }

    /// The sites that the value of a key may be filled on, where it is one of the vault.
    pub(super) fn sites(&self, key: &str) -> Option<&[String]> {
        let secret = self.vault.iter().find(|it| it.key == bare(key))?;
        Some(&secret.sites)
    }

    /// Adds a value that is only to be hidden, under a name of its own, for example one that a person has just typed.
    pub(super) fn hide(&mut self, name: &str, value: &str) {
        self.hide_spellings(name, value);
        self.renew_masker();
    }

    /// Notes what is hidden of a value; the masker is renewed later.
    fn hide_spellings(&mut self, key: &str, value: &str) {
        if value.chars().count() >= SHORTEST {
            let spellings = spellings(value).into_iter();
            self.hidden
                .extend(spellings.map(|spelling| (spelling, format!("{{{{{key}}}}}"))));
        }
    }

    fn renew_masker(&mut self) {
        let hidden = self.hidden.iter();
        self.masker = Masker::new(hidden.map(|(spelling, mark)| (spelling.as_str(), mark.as_str())));
    }

    /// The keys that a model is told of.
    pub(super) fn keys(&self) -> Vec<String> {
        told(self.values.iter().map(|(key, _)| key)).cloned().collect()
    }

    /// The value of a key.
    pub(super) fn value(&self, key: &str) -> Option<&str> {
        let found = self.values.iter().find(|(it, _)| it == bare(key));
        found.map(|(_, value)| value.as_str())
    }

    /// Whether a text holds any of the values.
    pub(super) fn within(&self, text: &str) -> bool {
        self.masker.is_in(text)
    }

    /// The text with each value as `{{key}}`.
    pub(super) fn mask(&self, text: &str) -> String {
        self.masker.mask(text).into_owned()
    }

    /// Whether there is anything to hide.
    pub(super) fn hides(&self) -> bool {
        !self.hidden.is_empty()
    }

    /// Whether there are values, also such as are too short to be hidden.
    pub(super) fn holds_any(&self) -> bool {
        !self.values.is_empty() || self.hides()
    }

    /// Whether a page shows any of the values that can be hidden, in one element or in several, with other spaces, signs
    /// or cases too: as a card's number in groups of four is.
    pub(super) fn shown_in_any_form(&self, snapshot: &Snapshot) -> bool {
        if self.shown_by(snapshot) {
            return true;
        }
        let texts = snapshot
            .nodes
            .iter()
            .flat_map(|it| [Some(&it.name), it.value.as_ref()]);
        let page: String = texts.flatten().flat_map(|text| plain(text)).collect();
        let spellings = self.hidden.iter().map(|(spelling, _)| spelling);
        let mut plain_spellings = spellings.map(|it| plain(it).collect::<String>());
        plain_spellings.any(|it| it.chars().count() >= SHORTEST && page.contains(&it))
    }

    /// Whether a page shows any of the values.
    pub(super) fn shown_by(&self, snapshot: &Snapshot) -> bool {
        let texts = snapshot
            .nodes
            .iter()
            .flat_map(|it| [Some(&it.name), it.value.as_ref()]);
        texts.flatten().any(|it| self.within(it))
    }

    /// Hides values in what may be cut before it is shown: of a value that is cut in two nobody knows the half.
    pub(super) fn mask_long(&self, snapshot: &mut Snapshot) {
        if !self.hides() {
            return;
        }
        for node in &mut snapshot.nodes {
            let parts = [Some(&mut node.name), node.link.as_mut(), node.value.as_mut()];
            for text in parts.into_iter().flatten().filter(|it| it.len() > LONG) {
                *text = self.mask(text);
            }
        }
    }

    /// The same within every text of a JSON value. Its keys stay, and so do names that we have made up.
    pub(super) fn mask_json(&self, value: &mut Value) {
        if !self.hides() {
            return;
        }
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match value {
                Value::String(text) if self.within(text) => *text = self.mask(text),
                Value::Number(number) => {
                    if let Some(mark) = self.masker.mark_of(&number.to_string()) {
                        *value = Value::String(mark.to_owned());
                    }
                }
                Value::Array(items) => open.extend(items.iter_mut()),
                Value::Object(map) => {
                    let others = map.iter_mut().filter(|(key, _)| !OURS.contains(&key.as_str()));
                    open.extend(others.map(|(_, it)| it));
                }
                _ => {}
            }
        }
    }
}

impl tools::agent_tool::PersonValues for Secrets {
    fn value(&self, key: &str) -> Option<&str> {
        Secrets::value(self, key)
    }

    fn sites(&self, key: &str) -> Option<&[String]> {
        Secrets::sites(self, key)
    }

    fn keys(&self) -> Vec<String> {
        Secrets::keys(self)
    }

    fn within(&self, text: &str) -> bool {
        Secrets::within(self, text)
    }

    fn mask(&self, text: &str) -> String {
        Secrets::mask(self, text)
    }
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.keys()).finish()
    }
}

/// The letters and digits of a text, small.
fn plain(text: &str) -> impl Iterator<Item = char> {
    text.chars()
        .filter(|it| it.is_alphanumeric())
        .flat_map(char::to_lowercase)
}

/// A key as a model may write it, without braces.
fn bare(key: &str) -> &str {
    key.trim().trim_start_matches("{{").trim_end_matches("}}").trim()
}

/// The ways in which a page may show a value again.
fn spellings(value: &str) -> Vec<String> {
    let percent: String = url::form_urlencoded::byte_serialize(value.as_bytes()).collect();
    let spaced = percent.replace('+', "%20");
    let html = value
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;");
    let json = Value::from(value).to_string();
    let json = json.trim_matches('"').to_owned();
    let squeezed = value.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut all = vec![value.to_owned(), percent, spaced, html, json, squeezed];
    all.sort();
    all.dedup();
    all.retain(|it| it.chars().count() >= SHORTEST);
    all
}

/// Those of the keys that are told: the first ones that are short, as many as anybody can be expected to read.
fn told<'k>(keys: impl Iterator<Item = &'k String>) -> impl Iterator<Item = &'k String> {
    let mut bytes = 0;
    keys.filter(|key| key.len() <= LONGEST_KEY)
        .take_while(move |key| {
            bytes += key.len();
            bytes <= KEYS
        })
}

/// A caller's data with each value as its key: what events show.
pub(super) fn shape(data: &Value) -> Value {
    fn mark(key: &str) -> Value {
        Value::String(format!("{{{{{}}}}}", if key.is_empty() { "data" } else { key }))
    }
    // One level is enough to see what was given; deeper values are named by the key they lie under.
    match data {
        Value::Object(map) => Value::Object(told(map.keys()).map(|key| (key.clone(), mark(key))).collect()),
        _ => mark(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use browser::Ref;
    use browser::snapshot::{SnapshotElement, SnapshotView};
    use serde_json::{Map, json};

    #[test]
    fn every_leaf_has_a_key_and_every_spelling_of_it_is_hidden() {
        let data = json!({"email": "ada+x@example.org", "address": {"city": "Århus C"}, "phones": ["12345678"], "n": 3});
        let secrets = Secrets::of(Some(&data));
        assert_eq!(secrets.keys(), ["address.city", "email", "n", "phones.0"]);
        assert_eq!(secrets.value("{{email}}"), Some("ada+x@example.org"));
        let page = "mail ada+x@example.org, ?m=ada%2Bx%40example.org&c=%C3%85rhus+C, %C3%85rhus%20C, tel 12345678, 3";
        assert_eq!(
            secrets.mask(page),
            "mail {{email}}, ?m={{email}}&c={{address.city}}, {{address.city}}, tel {{phones.0}}, 3"
        );
        assert!(!format!("{secrets:?}").contains("ada"));
        assert_eq!(shape(&data)["address"], "{{address}}");
        assert_eq!(Secrets::of(Some(&json!("hunter22"))).keys(), ["data"]);
    }

    #[test]
    fn numbers_are_hidden_too_and_few_keys_are_told() {
        let data = json!({"pin": 48_151_623, "n": 3});
        let mut body = json!({"a": [48_151_623, 3, "pin 48151623"], "b": 481_516_230});
        Secrets::of(Some(&data)).mask_json(&mut body);
        assert_eq!(
            body,
            json!({"a": ["{{pin}}", 3, "pin {{pin}}"], "b": 481_516_230})
        );
        let mut body =
            json!({"requestId": "req_048151623", "fields": [{"ref": "E48151623", "label": "48151623"}]});
        Secrets::of(Some(&data)).mask_json(&mut body);
        assert_eq!(
            body,
            json!({"requestId": "req_048151623", "fields": [{"ref": "E48151623", "label": "{{pin}}"}]})
        );
        let many: Map<String, Value> = (0..900)
            .map(|it| (format!("a key that is long {it}"), json!("v")))
            .collect();
        let secrets = Secrets::of(Some(&Value::Object(many)));
        assert!(
            (300..400).contains(&secrets.keys().len()),
            "{}",
            secrets.keys().len()
        );
        assert_eq!(secrets.value("a key that is long 899"), Some("v"));
        let long = Secrets::of(Some(&json!({"k".repeat(1 << 20): "v", "short": "v"})));
        assert_eq!(long.keys(), ["short"]);
    }

    #[test]
    fn data_with_values_that_are_not_taken_is_refused() {
        let list = |count: usize| Secrets::of(Some(&json!(vec!["a value"; count]))).refusal();
        assert_eq!(list(MOST), None);
        assert!(list(MOST + 1).is_some());
        let nested = |depth: usize| {
            let value = (0..depth).fold(json!("a value"), |inner, _| json!({"a": inner}));
            Secrets::of(Some(&value)).refusal()
        };
        assert_eq!(nested(DEPTH), None);
        assert!(nested(DEPTH + 1).is_some());
    }

    #[test]
    fn true_and_false_can_be_filled_in_and_are_not_hidden() {
        let secrets = Secrets::of(Some(&json!({"newsletter": true, "terms": false})));
        assert_eq!(secrets.value("newsletter"), Some("true"));
        assert_eq!(secrets.mask("construed, false"), "construed, false");
        assert!(secrets.holds_any() && !secrets.hides());
    }

    #[test]
    fn a_value_that_is_a_key_of_another_leaves_its_mark_whole() {
        let secrets = Secrets::of(Some(&json!({"field": "email", "email": "ada@x.org"})));
        let masked = secrets.mask("email ada@x.org");
        assert_eq!(masked, "{{field}} {{email}}");
        assert_eq!(secrets.mask(&masked), masked);
        assert!(!secrets.within(&masked));
    }

    #[test]
    fn a_value_is_found_in_several_elements_and_in_another_form() {
        let secrets = Secrets::of(Some(
            &json!({"card": "4111111111111111", "name": "Ada Byron", "n": 7}),
        ));
        let page = |texts: &[&str]| Snapshot {
            nodes: texts
                .iter()
                .map(|text| SnapshotElement {
                    name: (*text).into(),
                    ..SnapshotElement::default()
                })
                .collect(),
            ..Snapshot::default()
        };
        for shown in [
            &["card 4111 1111 1111 1111"][..],
            &["4111", "1111", "1111", "1111"],
            &["ADA", "BYRON"],
            &["ada-byron"],
        ] {
            assert!(secrets.shown_in_any_form(&page(shown)), "{shown:?}");
        }
        assert!(!secrets.shown_in_any_form(&page(&["4111", "Ada", "7 Byrons"])));
        assert!(secrets.holds_any() && !Secrets::default().holds_any());
        assert!(Secrets::of(Some(&json!({"n": 7}))).holds_any());
    }

    #[test]
    fn a_value_is_hidden_before_its_element_is_cut() {
        let secrets = Secrets::of(Some(&json!({"mail": "ada@example.org"})));
        let element = SnapshotElement {
            role: "link".into(),
            name: format!("{} ada@example.org", "x".repeat(290)),
            link: Some(format!("/{}?m=ada%40example.org", "y".repeat(150))),
            target: Some(Ref(1)),
            ..SnapshotElement::default()
        };
        let mut snapshot = Snapshot {
            nodes: vec![element],
            ..Snapshot::default()
        };
        let shown = |it: &Snapshot| it.text(&SnapshotView::default());
        assert!(shown(&snapshot).contains("ada"), "{}", shown(&snapshot));
        secrets.mask_long(&mut snapshot);
        assert!(!shown(&snapshot).contains("ada"), "{}", shown(&snapshot));
    }
}
