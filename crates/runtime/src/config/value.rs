//! The types of settings: how each is read from text, and what it takes, in words.

use std::ffi::{OsStr, OsString};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

use strum::VariantArray as _;
use url::Url;
use wire::scrape::ExtractionMode;
use wire::vocabulary::Vocabulary;
use wire::{Audience, BrowserEngine};

use super::secret::Secret;
use super::setting::{Setting, SettingValue};

impl<T: SettingValue> SettingValue for Option<T> {
    const IS_SECRET: bool = T::IS_SECRET;

    fn takes(setting: &Setting) -> String {
        T::takes(setting)
    }

    fn read(texts: &[OsString], setting: &Setting) -> Result<Self, OsString> {
        let is_blank = |text: &OsString| text.to_str().is_some_and(|text| text.trim().is_empty());
        if texts.is_empty() || (setting.blank_is_unset && texts.iter().all(is_blank)) {
            return Ok(None);
        }
        T::read(texts, setting).map(Some)
    }
}

impl<T: SettingValue> SettingValue for Vec<T> {
    const IS_LIST: bool = true;
    const IS_SECRET: bool = T::IS_SECRET;

    fn takes(setting: &Setting) -> String {
        let separated = match setting.separator {
            ',' => "comma separated",
            _ => "separated by blanks",
        };
        format!("{}; several are {separated}", T::takes(setting))
    }

    fn read(texts: &[OsString], setting: &Setting) -> Result<Self, OsString> {
        let items = texts.iter().flat_map(|text| match text.to_str() {
            Some(text) => {
                let items = text.split(setting.separator).map(str::trim);
                items
                    .filter(|item| !item.is_empty())
                    .map(OsString::from)
                    .collect()
            }
            None => vec![text.clone()],
        });
        items.map(|item| T::read(&[item], setting)).collect()
    }
}

/// Reads the only text by `parse`; of several texts, and of one that is not UTF-8, the last is at fault.
fn parse_one<T>(texts: &[OsString], parse: impl Fn(&str) -> Option<T>) -> Result<T, OsString> {
    match texts {
        [text] => text.to_str().and_then(parse).ok_or_else(|| text.clone()),
        _ => Err(texts.last().cloned().unwrap_or_default()),
    }
}

/// Types that read themselves from text and whose description never changes.
macro_rules! parsed_values {
    ($($type:ty => $takes:literal),+ $(,)?) => {$(
        impl SettingValue for $type {
            fn takes(_: &Setting) -> String {
                $takes.to_owned()
            }

            fn read(texts: &[OsString], _: &Setting) -> Result<Self, OsString> {
                parse_one(texts, |text| text.parse().ok())
            }
        }
    )+};
}

parsed_values! {
    String => "text",
    SocketAddr => "an IP address and a port, such as 127.0.0.1:8787",
    f64 => "a number",
}

impl SettingValue for Url {
    fn takes(_: &Setting) -> String {
        "an address such as http://host:port/path".to_owned()
    }

    fn read(texts: &[OsString], _: &Setting) -> Result<Self, OsString> {
        parse_one(texts, |text| text.parse().ok()).map_err(|text| match text.to_str() {
            // What is no address may hold a password or a token, and is not repeated.
            Some(shown) if shown.contains(['@', '?']) => "an address with a user name or a query".into(),
            _ => text,
        })
    }
}

impl SettingValue for Secret {
    const IS_SECRET: bool = true;

    fn takes(_: &Setting) -> String {
        "text".to_owned()
    }

    fn read(texts: &[OsString], _: &Setting) -> Result<Self, OsString> {
        parse_one(texts, |text| Self::from_str(text).ok())
    }
}

impl SettingValue for PathBuf {
    fn takes(_: &Setting) -> String {
        "a path".to_owned()
    }

    fn read(texts: &[OsString], _: &Setting) -> Result<Self, OsString> {
        match texts {
            [path] if path.as_os_str() != OsStr::new("") => Ok(Self::from(path)),
            _ => Err(texts.last().cloned().unwrap_or_default()),
        }
    }
}

/// Whole numbers within the range of the setting.
macro_rules! whole_numbers {
    ($($type:ty),+) => {$(
        impl SettingValue for $type {
            fn takes(setting: &Setting) -> String {
                match setting.range {
                    (least, u64::MAX) => format!("a whole number of at least {least}"),
                    (least, most) => format!("a whole number from {least} to {most}"),
                }
            }

            fn read(texts: &[OsString], setting: &Setting) -> Result<Self, OsString> {
                parse_one(texts, |text| {
                    let number = text.parse::<u64>().ok()?;
                    let (least, most) = setting.range;
                    (least..=most).contains(&number).then(|| number.try_into().ok())?
                })
            }
        }
    )+};
}

whole_numbers!(u16, u32, u64, usize);

/// A proxy in a country: `NO=http://user:password@host:port`.
#[derive(Clone)]
pub struct CountryProxy {
    /// ISO 3166-1 alpha-2, upper case.
    pub country: String,
    /// The proxy, which may carry a password.
    pub proxy: Url,
}

impl std::fmt::Debug for CountryProxy {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.country)
    }
}

impl SettingValue for CountryProxy {
    const IS_SECRET: bool = true;

    fn takes(_: &Setting) -> String {
        "a country and its proxy, such as NO=http://host:port".to_owned()
    }

    fn read(texts: &[OsString], _: &Setting) -> Result<Self, OsString> {
        parse_one(texts, |text| {
            let (country, proxy) = text.trim().split_once('=')?;
            let is_country = country.len() == 2 && country.bytes().all(|it| it.is_ascii_alphabetic());
            let proxy = Url::parse(proxy)
                .ok()
                .filter(|url| url.scheme() == "http" && url.has_host())?;
            is_country.then(|| Self {
                country: country.to_ascii_uppercase(),
                proxy,
            })
        })
    }
}

/// A number above 0 and within the range of the setting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PositiveNumber(pub f64);

impl SettingValue for PositiveNumber {
    fn takes(setting: &Setting) -> String {
        match setting.range {
            (_, u64::MAX) => "a number above 0".to_owned(),
            (_, most) => format!("a number above 0 and at most {most}"),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "a bound, not an amount")]
    fn read(texts: &[OsString], setting: &Setting) -> Result<Self, OsString> {
        parse_one(texts, |text| {
            let number = text.trim().parse::<f64>().ok()?;
            (number > 0.0 && number <= setting.range.1 as f64).then_some(Self(number))
        })
    }
}

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    /// On.
    On,
    /// Off.
    Off,
}

impl SettingValue for Switch {
    fn takes(_: &Setting) -> String {
        "`on` or `off`".to_owned()
    }

    fn read(texts: &[OsString], _: &Setting) -> Result<Self, OsString> {
        parse_one(texts, |text| match text.trim().to_lowercase().as_str() {
            "on" | "true" | "1" | "yes" => Some(Self::On),
            "off" | "false" | "0" | "no" => Some(Self::Off),
            _ => None,
        })
    }
}

/// Reads one of `words`, whatever its capitals; underscores stand for hyphens.
fn read_word<T: Vocabulary>(texts: &[OsString], words: &[T]) -> Result<T, OsString> {
    parse_one(texts, |text| {
        let word = T::read(&text.to_lowercase()).ok()?;
        words
            .iter()
            .copied()
            .find(|allowed| spelling(*allowed) == spelling(word))
    })
}

fn spelling(word: impl Into<&'static str>) -> &'static str {
    word.into()
}

/// Vocabularies, and which of their words an operator may choose.
macro_rules! words {
    ($($type:ty: $words:expr),+ $(,)?) => {$(
        impl SettingValue for $type {
            fn takes(_: &Setting) -> String {
                one_of($words)
            }

            fn read(texts: &[OsString], _: &Setting) -> Result<Self, OsString> {
                read_word(texts, $words)
            }
        }
    )+};
}

words! {
    ExtractionMode: ExtractionMode::VARIANTS,
    BrowserEngine: BrowserEngine::VARIANTS,
    Audience: &Audience::READERS,
}

/// Words as a choice: "`a`, `b` or `c`".
fn one_of<T: Vocabulary>(words: &[T]) -> String {
    let quoted: Vec<String> = words
        .iter()
        .map(|word| format!("`{}`", spelling(*word)))
        .collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
