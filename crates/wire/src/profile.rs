//! Profiles: named states of a browser, what requests say of them, and what clients are shown.

mod host;
mod merge;
mod storage_state;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::stamp::iso_millis;
use crate::strict::{self, Fields, RequestRefusal};

pub use storage_state::{ImportedState, LocalItem, OriginState, SameSite, StorageState, StoredCookie};

/// Most characters of a name.
const MAX_NAME: usize = 64;
/// What a name is, as a pattern.
pub const NAME: &str = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$";
/// Most characters of a note.
const MAX_NOTE: usize = 1_000;
/// Most sites of a profile or a secret.
pub(crate) const MAX_SITES: usize = 50;

/// Whether a text can name a profile, a secret or the key of a secret: 1 to 64 letters, digits, `.`, `_` or `-`, the first one
/// a letter or a digit.
#[must_use]
pub fn is_name(text: &str) -> bool {
    text.len() <= MAX_NAME
        && text.starts_with(|it: char| it.is_ascii_alphanumeric())
        && text
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || matches!(it, b'.' | b'_' | b'-'))
}

/// Takes a name.
///
/// # Errors
/// When it is none.
pub(crate) fn take_name(from: &mut Fields, key: &str) -> Result<Option<String>, RequestRefusal> {
    let name = from.text(key, MAX_NAME)?;
    match name {
        Some(name) => check_name(key, &name).map(|()| Some(name)),
        None => Ok(None),
    }
}

/// Checks a name that stands in this field.
///
/// # Errors
/// When it is none.
pub fn check_name(field: &str, name: &str) -> Result<(), RequestRefusal> {
    let advice = "must be 1 to 64 letters, digits, '.', '_' or '-', and begin with a letter or a digit";
    match is_name(name) {
        true => Ok(()),
        false => Err(RequestRefusal::field(field, advice)),
    }
}

/// Takes a list of hosts, each as `host` or `host:port`.
///
/// # Errors
/// When it is no such list.
pub(crate) fn take_sites(from: &mut Fields, key: &str) -> Result<Option<Vec<String>>, RequestRefusal> {
    let Some(sites) = from.texts(key, MAX_SITES, 260)? else {
        return Ok(None);
    };
    let sites = sites.iter().enumerate().map(|(index, site)| {
        let advice = "must be a host, or a host with a port: no scheme, path or wildcard";
        host_and_port(site).ok_or_else(|| RequestRefusal::field(format!("{key}[{index}]"), advice))
    });
    sites.collect::<Result<Vec<_>, _>>().map(Some)
}

/// A host, with its port where it says one, as addresses spell it.
fn host_and_port(text: &str) -> Option<String> {
    if text.contains(['/', '\\', '@', '?', '#', '*', ' ']) {
        return None;
    }
    let url = url::Url::parse(&format!("https://{text}/")).ok()?;
    let host = url.host_str().filter(|host| !host.is_empty())?;
    Some(match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.trim_end_matches('.').to_owned(),
    })
}

/// Which profile a request uses. An addition of ours.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProfileChoice {
    /// The profile that the pages are opened with: its cookies and its local storage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(pattern(NAME))]
    pub profile: Option<String>,
    /// Whether what the pages changed is written back to the profile when the work ends.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(with = "Option<bool>")]
    pub profile_save: bool,
}

impl ProfileChoice {
    /// Takes both fields.
    ///
    /// # Errors
    /// When the name is none, or there is nothing to write back to.
    pub(crate) fn take(from: &mut Fields) -> Result<Self, RequestRefusal> {
        let choice = Self {
            profile: take_name(from, "profile")?,
            profile_save: from.flag("profile_save")?.unwrap_or(false),
        };
        if choice.profile_save && choice.profile.is_none() {
            let advice = "needs a profile: name it in the field profile";
            return Err(RequestRefusal::field("profile_save", advice));
        }
        Ok(choice)
    }
}

/// The body of `POST /v1/profiles`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct CreateProfile {
    /// Its name: 1 to 64 letters, digits, `.`, `_` or `-`.
    #[schemars(pattern(NAME))]
    pub name: String,
    /// Anything that people should know of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(with = "Option<String>", length(max = 1000))]
    pub note: String,
    /// The sites it is for, as `host`; state of other sites is neither imported nor written back. Every site when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Option<Vec<String>>", length(max = 50))]
    pub sites: Vec<String>,
    /// What it begins with, in Playwright's storage-state format; nothing when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<StorageState>")]
    pub storage_state: Option<serde_json::Value>,
}

impl CreateProfile {
    /// Reads a body.
    ///
    /// # Errors
    /// Naming the first field that is wrong.
    pub fn parse(body: &[u8]) -> Result<Self, RequestRefusal> {
        let mut from = strict::object(body)?;
        let name = take_name(&mut from, "name")?;
        let parsed = Self {
            name: from.required("name", name)?,
            note: from.text("note", MAX_NOTE)?.unwrap_or_default(),
            sites: take_sites(&mut from, "sites")?.unwrap_or_default(),
            storage_state: from.any("storage_state"),
        };
        from.refuse_others()?;
        Ok(parsed)
    }
}

/// What clients are shown of a profile: never a value of a cookie or of the storage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProfileSummary {
    /// Its name.
    pub name: String,
    /// What people should know of it.
    pub note: String,
    /// The sites it is for; every site when empty.
    pub sites: Vec<String>,
    /// The hosts that it holds cookies or local storage of.
    pub hosts: Vec<String>,
    /// How many cookies it holds.
    pub cookies: u64,
    /// How many items of local storage it holds.
    pub local_storage: u64,
    /// Grows with every write.
    pub generation: u64,
    /// When it was created.
    #[serde(with = "iso_millis")]
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    /// When it was last written.
    #[serde(with = "iso_millis")]
    #[schemars(with = "String")]
    pub updated_at: Timestamp,
    /// Parts of an imported state that were left out, by their place in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// All profiles of a caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProfileList {
    /// By name.
    pub profiles: Vec<ProfileSummary>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_named_plainly_and_its_sites_are_hosts() {
        let parse = |text: &str| CreateProfile::parse(text.as_bytes());
        let made = parse(r#"{"name": "shop", "sites": ["Shop.Example", "127.0.0.1:8080"]}"#).unwrap();
        assert_eq!(made.sites, ["shop.example", "127.0.0.1:8080"]);
        for (body, field) in [
            (r#"{}"#, "name"),
            (r#"{"name": "../x"}"#, "name"),
            (r#"{"name": ""}"#, "name"),
            (r#"{"name": "a", "sites": ["https://a.example/"]}"#, "sites[0]"),
            (r#"{"name": "a", "sites": ["a.example", "*.b"]}"#, "sites[1]"),
            (r#"{"name": "a", "cookies": []}"#, "cookies"),
        ] {
            assert_eq!(parse(body).unwrap_err().field.as_deref(), Some(field), "{body}");
        }
    }
}
