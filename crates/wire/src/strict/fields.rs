//! Taking typed fields out of a JSON object, one by one.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde_json::{Map, Value};
use url::Url;

use super::json_schema;
use super::refusal::{RequestRefusal, shorten, type_of};
use super::spelling;
use crate::error::Code;
use crate::vocabulary::Vocabulary;

/// Longest address that is read, in characters.
const MAX_URL: usize = 8192;

/// Keys that would change what the server runs, reads or writes. The contract of `/v1` ignores unknown keys; these are
/// refused instead, because a caller who sends one believes that it has an effect.
pub(crate) const OPERATOR_ONLY: &[&str] = &[
    "browser",
    "browser_args",
    "cdp_endpoint",
    "cdp_endpoints",
    "executable_path",
    "headers",
    "launch_args",
    "launch_options",
    "output_file",
    "output_path",
    "python_code",
    "user_data_dir",
];

/// The fields of one JSON object. Each getter takes a field out; what was never taken is refused or told by one of the
/// methods for what is left. A `null` counts as absent.
#[derive(Debug)]
pub struct Fields {
    map: Map<String, Value>,
    prefix: String,
    /// The fields that were looked for.
    known: Vec<String>,
    /// The places of fields without effect in the objects within this one.
    ignored_within: Vec<String>,
}

impl Fields {
    pub(crate) fn new(map: Map<String, Value>) -> Self {
        Self {
            map,
            prefix: String::new(),
            known: Vec::new(),
            ignored_within: Vec::new(),
        }
    }

    /// The fields of an object that stands in a field of another one.
    ///
    /// # Errors
    /// When it is no object.
    pub fn within(field: &str, value: Value) -> Result<Self, RequestRefusal> {
        match value {
            Value::Object(map) => Ok(Self {
                map,
                prefix: format!("{field}."),
                known: Vec::new(),
                ignored_within: Vec::new(),
            }),
            other => Err(RequestRefusal::field(
                field,
                format!("must be an object, not {}", type_of(&other)),
            )),
        }
    }

    /// What was not taken.
    pub(crate) fn into_map(self) -> Map<String, Value> {
        self.map
    }

    /// The places of the fields that were not taken.
    pub(crate) fn rest(&self) -> impl Iterator<Item = String> {
        self.map.keys().map(|key| self.name(&shorten(key)))
    }

    /// The place of a field.
    pub(crate) fn place(&self, key: &str) -> String {
        self.name(key)
    }

    /// Takes an object of at most `most` texts, each of at most `max` characters.
    ///
    /// # Errors
    /// When it is no such object.
    pub fn text_map(
        &mut self,
        key: &str,
        most: usize,
        max: usize,
    ) -> Result<Option<BTreeMap<String, String>>, RequestRefusal> {
        let Some(mut inner) = self.object(key)? else {
            return Ok(None);
        };
        if inner.map.len() > most {
            return self.refuse(key, format!("must have at most {most} entries"));
        }
        let names: Vec<String> = inner.map.keys().cloned().collect();
        let texts = names.into_iter().map(|name| {
            let text = inner.text(&name, max)?;
            let text = inner.required(&name, text)?;
            Ok((name, text))
        });
        texts.collect::<Result<_, _>>().map(Some)
    }

    /// Refuses keys that only the operator may set.
    ///
    /// # Errors
    /// When the object has one of them.
    pub fn refuse_operator_keys(&self) -> Result<(), RequestRefusal> {
        match OPERATOR_ONLY
            .iter()
            .find(|it| self.map.get(**it).is_some_and(|it| !it.is_null()))
        {
            Some(key) => Err(RequestRefusal::field(
                self.name(key),
                "a request cannot set this; it is the operator's",
            )),
            None => Ok(()),
        }
    }

    fn name(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }

    /// Takes a field as it is.
    pub fn any(&mut self, key: &str) -> Option<Value> {
        if !self.known.iter().any(|known| known == key) {
            self.known.push(key.to_owned());
        }
        self.map.remove(key).filter(|it| !it.is_null())
    }

    /// Takes a field that has to be there.
    ///
    /// # Errors
    /// When it is not.
    pub fn required<T>(&self, key: &str, value: Option<T>) -> Result<T, RequestRefusal> {
        value.ok_or_else(|| RequestRefusal::field(self.name(key), "is required"))
    }

    fn refuse<T>(&self, key: &str, message: impl Into<String>) -> Result<T, RequestRefusal> {
        Err(self.refusal(key, message))
    }

    /// Why a field of this object is refused.
    pub(crate) fn refusal(&self, key: &str, message: impl Into<String>) -> RequestRefusal {
        let key: String = key.chars().filter(|it| !it.is_control()).take(100).collect();
        RequestRefusal::field(self.name(&key), message)
    }

    /// The names of the fields that were not taken.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.map.keys().map(String::as_str)
    }

    /// Refuses every field that was not taken.
    ///
    /// # Errors
    /// When there is one.
    pub(crate) fn refuse_others(&self) -> Result<(), RequestRefusal> {
        match self.map.iter().find(|(_, value)| !value.is_null()) {
            Some((key, _)) => self.refuse(key, spelling::not_known(key, &self.known)),
            None => Ok(()),
        }
    }

    /// Notes the fields without effect of an object within this one, for [`Fields::ignored`].
    ///
    /// # Errors
    /// Naming the first misspelt field.
    pub(crate) fn ignore_rest_of(&mut self, inner: &Fields) -> Result<(), RequestRefusal> {
        self.ignored_within.extend(inner.ignored()?);
        Ok(())
    }

    /// The names of the fields that were not taken, fit for an error text. Such a field is refused where its name is a
    /// misspelt one: whoever sends it believes that it has an effect.
    ///
    /// # Errors
    /// Naming the first misspelt field.
    pub(crate) fn ignored(&self) -> Result<Vec<String>, RequestRefusal> {
        let left = self.map.iter().filter(|(_, value)| !value.is_null());
        let mut ignored = self.ignored_within.clone();
        for (key, _) in left {
            if spelling::is_misspelt(key, &self.known) {
                return self.refuse(key, spelling::not_known(key, &self.known));
            }
            ignored.push(self.name(&shorten(key)));
        }
        Ok(ignored)
    }

    /// Takes a text of at most `max` characters.
    ///
    /// # Errors
    /// When it is no text, or longer.
    pub fn text(&mut self, key: &str, max: usize) -> Result<Option<String>, RequestRefusal> {
        match self.any(key) {
            None => Ok(None),
            Some(Value::String(text)) if text.chars().nth(max).is_some() => {
                self.refuse(key, format!("must have at most {max} characters"))
            }
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => self.refuse(key, format!("must be a string, not {}", type_of(&other))),
        }
    }

    /// Takes a text that has to be there and to say something.
    ///
    /// # Errors
    /// When it is absent, blank, no text, or longer than `max` characters.
    pub fn words(&mut self, key: &str, max: usize) -> Result<String, RequestRefusal> {
        let text = self.text(key, max)?;
        let text = self.required(key, text)?;
        if text.trim().is_empty() {
            self.refuse(key, "must not be blank")
        } else {
            Ok(text)
        }
    }

    /// Takes a boolean.
    ///
    /// # Errors
    /// When it is something else.
    pub fn flag(&mut self, key: &str) -> Result<Option<bool>, RequestRefusal> {
        match self.any(key) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(other) => self.refuse(key, format!("must be true or false, not {}", type_of(&other))),
        }
    }

    /// Takes a whole number within a range.
    ///
    /// # Errors
    /// When it is no number, not whole, or outside.
    pub fn whole(&mut self, key: &str, range: RangeInclusive<u32>) -> Result<Option<u32>, RequestRefusal> {
        let Some(value) = self.any(key) else {
            return Ok(None);
        };
        let Value::Number(number) = &value else {
            return self.refuse(key, format!("must be a whole number, not {}", type_of(&value)));
        };
        if number.as_f64().is_some_and(|it| it.fract() != 0.0) {
            return self.refuse(key, "must be a whole number");
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole, and checked to be within u32"
        )]
        let whole = number
            .as_f64()
            .filter(|it| (0.0..=f64::from(u32::MAX)).contains(it))
            .map(|it| it as u32);
        match whole {
            Some(whole) if range.contains(&whole) => Ok(Some(whole)),
            _ => self.refuse(
                key,
                format!("must be between {} and {}", range.start(), range.end()),
            ),
        }
    }

    /// Takes a word of a vocabulary.
    ///
    /// # Errors
    /// When it is none of them.
    pub fn choice<T: Vocabulary>(&mut self, key: &str) -> Result<Option<T>, RequestRefusal> {
        let Some(value) = self.any(key) else {
            return Ok(None);
        };
        match T::read(value.as_str().unwrap_or_default()) {
            Ok(word) => Ok(Some(word)),
            Err(error) => self.refuse(key, error.to_string()),
        }
    }

    /// Takes a list of at most `most` texts, each of 1 to `max` characters.
    ///
    /// # Errors
    /// When it is no such list.
    pub fn texts(
        &mut self,
        key: &str,
        most: usize,
        max: usize,
    ) -> Result<Option<Vec<String>>, RequestRefusal> {
        let Some(value) = self.any(key) else {
            return Ok(None);
        };
        let Value::Array(list) = value else {
            return self.refuse(key, format!("must be a list of strings, not {}", type_of(&value)));
        };
        if list.len() > most {
            return self.refuse(key, format!("must have at most {most} entries"));
        }
        let mut texts = Vec::with_capacity(list.len());
        for (index, value) in list.into_iter().enumerate() {
            let at = format!("{key}[{index}]");
            match value {
                Value::String(text) if text.trim().is_empty() => {
                    return self.refuse(&at, "must not be blank");
                }
                Value::String(text) if text.chars().nth(max).is_some() => {
                    return self.refuse(&at, format!("must have at most {max} characters"));
                }
                Value::String(text) => texts.push(text),
                other => return self.refuse(&at, format!("must be a string, not {}", type_of(&other))),
            }
        }
        Ok(Some(texts))
    }

    /// Takes an absolute `http` or `https` address. Whether it may be visited is decided elsewhere.
    ///
    /// # Errors
    /// When it is no such address.
    pub fn address(&mut self, key: &str) -> Result<Option<String>, RequestRefusal> {
        let Some(text) = self.text(key, MAX_URL)? else {
            return Ok(None);
        };
        check_address(&self.name(key), &text)?;
        Ok(Some(text.trim().to_owned()))
    }

    /// Takes an object.
    ///
    /// # Errors
    /// When it is something else.
    pub fn object(&mut self, key: &str) -> Result<Option<Fields>, RequestRefusal> {
        match self.any(key) {
            None => Ok(None),
            Some(Value::Object(map)) => Ok(Some(Fields {
                map,
                prefix: format!("{}.", self.name(key)),
                known: Vec::new(),
                ignored_within: Vec::new(),
            })),
            Some(other) => self.refuse(key, format!("must be an object, not {}", type_of(&other))),
        }
    }

    /// Takes a list of at most `most` objects.
    ///
    /// # Errors
    /// When it is no such list.
    pub fn objects(&mut self, key: &str, most: usize) -> Result<Option<Vec<Fields>>, RequestRefusal> {
        let Some(value) = self.any(key) else {
            return Ok(None);
        };
        let Value::Array(list) = value else {
            return self.refuse(key, format!("must be a list of objects, not {}", type_of(&value)));
        };
        if list.len() > most {
            return self.refuse(key, format!("must have at most {most} entries"));
        }
        let mut objects = Vec::with_capacity(list.len());
        for (index, value) in list.into_iter().enumerate() {
            match value {
                Value::Object(map) => {
                    objects.push(Fields {
                        map,
                        prefix: format!("{}[{index}].", self.name(key)),
                        known: Vec::new(),
                        ignored_within: Vec::new(),
                    });
                }
                other => {
                    return self.refuse(
                        &format!("{key}[{index}]"),
                        format!("must be an object, not {}", type_of(&other)),
                    );
                }
            }
        }
        Ok(Some(objects))
    }

    /// Takes a JSON Schema.
    ///
    /// # Errors
    /// When it is none, points outside itself, or is larger than a schema has reason to be.
    pub fn schema(&mut self, key: &str) -> Result<Option<Value>, RequestRefusal> {
        let Some(schema) = self.any(key) else {
            return Ok(None);
        };
        match json_schema::check(&schema) {
            Ok(()) => Ok(Some(schema)),
            Err(message) => self.refuse(key, message),
        }
    }
}

/// Checks that the text of a field is an absolute `http` or `https` address.
///
/// # Errors
/// What is wrong with it: an address of another scheme or with a user name may not be opened, and the rest is no address.
pub fn check_address(field: &str, text: &str) -> Result<(), RequestRefusal> {
    let text = text.trim();
    let wrong = |why: String| Err(RequestRefusal::field(field, why));
    let blocked = |why: &str| {
        Err(RequestRefusal {
            code: Code::UrlBlocked,
            ..RequestRefusal::field(field, why)
        })
    };
    if text.is_empty() {
        return wrong("must not be empty".into());
    }
    if text.chars().any(char::is_control) {
        return wrong("must not contain control characters".into());
    }
    match Url::parse(text) {
        Err(error) => wrong(format!("is not an absolute URL ({error})")),
        Ok(url) if !matches!(url.scheme(), "http" | "https") => {
            blocked("must begin with http:// or https://")
        }
        Ok(url) if url.host_str().is_none_or(str::is_empty) => wrong("has no host".into()),
        // It would stand in events and in the log of the run; and no page is asked with one.
        Ok(url) if !url.username().is_empty() || url.password().is_some() => {
            blocked("must not carry a user name or password")
        }
        Ok(_) => Ok(()),
    }
}
