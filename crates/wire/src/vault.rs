//! The vault: secrets by name that are put into fields of pages, and what clients are shown of them.

use std::fmt;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::profile::take_sites;
use crate::stamp::iso_millis;
use crate::strict::{self, RequestRefusal};
use crate::vocabulary::vocabulary;

/// Most characters of a secret.
const MAX_VALUE: usize = 4_096;
/// Fewest characters of a password: shorter ones cannot be hidden where a page repeats them.
const MIN_PASSWORD: usize = 4;

/// What kind of secret.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    IntoStaticStr,
    VariantArray,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum SecretKind {
    /// A text, such as a user name.
    Text,
    /// A password.
    #[default]
    Password,
    /// The secret of a generator of one-time passwords (RFC 6238): base32, or an address that begins with `otpauth://totp/`.
    Totp,
}

vocabulary!(SecretKind);

/// The body of `PUT /v1/vault/{name}`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields, extend("anyOf" = serde_json::json!([
    {"properties": {"kind": {"enum": ["text", "totp"]}}, "required": ["kind"]},
    {"properties": {"value": {"minLength": MIN_PASSWORD}}},
])))]
pub struct SetSecret {
    /// The value, one line. It is never shown again.
    #[schemars(
        length(min = 1, max = 4096),
        pattern(r"^[^\x00-\x1F\x7F-\x9F]*[^\x00-\x1F\x7F-\x9F\s][^\x00-\x1F\x7F-\x9F]*$")
    )]
    pub value: String,
    /// What kind of value.
    #[serde(default)]
    #[schemars(with = "Option<SecretKind>")]
    pub kind: SecretKind,
    /// The sites it may be filled on, as `host` or `host:port`; at least one.
    #[schemars(length(min = 1, max = 50), inner(length(min = 1, max = 260)))]
    pub sites: Vec<String>,
}

impl fmt::Debug for SetSecret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "SetSecret({:?} for {:?})", self.kind, self.sites)
    }
}

impl SetSecret {
    /// Reads a body.
    ///
    /// # Errors
    /// Naming the first field that is wrong, never its value.
    pub fn parse(body: &[u8]) -> Result<Self, RequestRefusal> {
        let mut from = strict::object(body)?;
        let value = from.text("value", MAX_VALUE)?;
        let value = from.required("value", value)?;
        let kind = from.choice("kind")?.unwrap_or_default();
        if value.trim().is_empty() {
            return Err(RequestRefusal::field("value", "must not be blank"));
        }
        if value.contains(char::is_control) {
            let advice = "must be one line without control characters";
            return Err(RequestRefusal::field("value", advice));
        }
        if kind == SecretKind::Password && value.chars().count() < MIN_PASSWORD {
            let advice = format!("a password has at least {MIN_PASSWORD} characters");
            return Err(RequestRefusal::field("value", advice));
        }
        let sites = take_sites(&mut from, "sites")?.unwrap_or_default();
        if sites.is_empty() {
            let advice = "must name at least one site that the value may be filled on";
            return Err(RequestRefusal::field("sites", advice));
        }
        from.refuse_others()?;
        Ok(Self { value, kind, sites })
    }
}

/// What clients are shown of a secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SecretSummary {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: SecretKind,
    /// The sites it may be filled on.
    pub sites: Vec<String>,
    /// When it was first set.
    #[serde(with = "iso_millis")]
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    /// When it was last set.
    #[serde(with = "iso_millis")]
    #[schemars(with = "String")]
    pub updated_at: Timestamp,
}

/// All secrets of a caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SecretList {
    /// By name.
    pub secrets: Vec<SecretSummary>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_a_site_and_its_value_is_in_no_text() {
        let parse = |text: &str| SetSecret::parse(text.as_bytes());
        let set = parse(r#"{"value": "hunter22", "sites": ["shop.example"]}"#).unwrap();
        assert_eq!(set.kind, SecretKind::Password);
        assert!(!format!("{set:?}").contains("hunter22"));
        let with_null = r#"{"value": "hunter22", "sites": ["shop.example"], "note": null}"#;
        assert_eq!(parse(with_null).unwrap(), set, "null counts as absent");
        for (body, field) in [
            (r#"{"sites": ["a.example"]}"#, "value"),
            (r#"{"value": "hunter22"}"#, "sites"),
            (r#"{"value": "hunter22", "sites": []}"#, "sites"),
            (r#"{"value": "hu", "sites": ["a.example"]}"#, "value"),
            (r#"{"value": "hunter22\nx", "sites": ["a.example"]}"#, "value"),
            (
                r#"{"value": "hunter22", "kind": "hunter22", "sites": ["a.example"]}"#,
                "kind",
            ),
            (
                r#"{"value": "hunter22", "sites": ["a.example"], "site": "x"}"#,
                "site",
            ),
        ] {
            let refusal = parse(body).unwrap_err();
            assert_eq!(refusal.field.as_deref(), Some(field), "{body}");
        }
    }
}
