//! FieldSource: where in a page a value was read.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

/// The place a value came from, precise enough for a person to look it up in the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum FieldSource {
    /// A JSON-LD block; `path` is like `json-ld[0].offers.price`.
    JsonLd {
        /// Steps from the list of blocks down to the value.
        path: String,
    },
    /// A microdata item; `path` is like `microdata[2].properties.name`.
    Microdata {
        /// Steps from the list of items down to the value.
        path: String,
    },
    /// An RDFa resource; `path` is like `rdfa[1].http://schema.org/name`.
    Rdfa {
        /// Steps from the list of resources down to the value.
        path: String,
    },
    /// A `<meta>` or `<link>` of the head, by its name or property.
    Meta {
        /// The name, property, `http-equiv` or `rel` as the page writes it.
        name: String,
    },
    /// State embedded for scripts; `path` is like `__NEXT_DATA__.props.pageProps.product`.
    State {
        /// Steps from the name of the state down to the value.
        path: String,
    },
    /// An element of the page.
    Selector {
        /// A selector that matches this element of the page alone; while a page is read, a rough description such as
        /// `h1.title`. Empty, and left out of JSON, where no single element gives the value back.
        #[serde(skip_serializing_if = "String::is_empty")]
        css: String,
    },
    /// The visible text of the page.
    Text {
        /// Byte offset in the text that was searched.
        offset: usize,
    },
    /// The address of the page.
    Url,
    /// A model read it; the quote stands on the page.
    Model {
        /// The words of the page that state it.
        quote: String,
    },
}

impl FieldSource {
    /// An element, described by CSS.
    pub fn selector(css: impl Into<String>) -> FieldSource {
        FieldSource::Selector { css: css.into() }
    }

    /// A `<meta>` or `<link>`, by name.
    pub fn meta(name: impl Into<String>) -> FieldSource {
        FieldSource::Meta { name: name.into() }
    }
}

impl fmt::Display for FieldSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FieldSource::JsonLd { path }
            | FieldSource::Microdata { path }
            | FieldSource::Rdfa { path }
            | FieldSource::State { path } => f.write_str(path),
            FieldSource::Meta { name } => write!(f, "meta[{name}]"),
            FieldSource::Selector { css } => f.write_str(css),
            FieldSource::Text { offset } => write!(f, "text at {offset}"),
            FieldSource::Url => f.write_str("url"),
            FieldSource::Model { quote } => write!(f, "model, from {quote:?}"),
        }
    }
}

/// A value together with the place it was read from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sourced<T> {
    /// What was read.
    pub value: T,
    /// Where it was read.
    pub source: FieldSource,
}

impl<T> Sourced<T> {
    /// A value and its place.
    pub fn new(value: T, source: FieldSource) -> Sourced<T> {
        Sourced { value, source }
    }

    /// The same place with another value made from this one.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Sourced<U> {
        Sourced {
            value: change(self.value),
            source: self.source,
        }
    }
}

/// A value that a field was not given, and how likely it is right.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WithheldValue {
    /// What was read.
    pub value: Value,
    /// Probability that it is right, 0 to 1 in hundredths; absent where no model knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(serialize_with = "hundredths")]
    pub confidence: Option<f32>,
    /// Where it was read.
    #[serde(flatten)]
    pub source: FieldSource,
}

/// Two decimals, without the digits that the conversion from a shorter number adds.
#[allow(clippy::ref_option, reason = "the shape that serde asks for")]
fn hundredths<S: serde::Serializer>(probability: &Option<f32>, serializer: S) -> Result<S::Ok, S::Error> {
    let rounded = |probability: f32| (f64::from(probability) * 100.0).round() / 100.0;
    probability.map(rounded).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_reads_as_a_place_in_the_page() {
        let path = "json-ld[0].offers.price".to_owned();
        assert_eq!(
            FieldSource::JsonLd { path }.to_string(),
            "json-ld[0].offers.price"
        );
        assert_eq!(FieldSource::meta("og:title").to_string(), "meta[og:title]");
        assert_eq!(
            serde_json::to_value(FieldSource::Url).unwrap(),
            serde_json::json!({"from": "url"})
        );
    }
}
