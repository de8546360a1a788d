//! Literals: their text, datatype and language.

use serde_json::{Value, json};

use crate::dom::Node;

const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

pub(super) fn literal(value: String, datatype: Option<String>, language: &str) -> Value {
    match datatype {
        Some(datatype) => json!({"@value": value, "@type": datatype}),
        None if language.is_empty() => json!({"@value": value}),
        None => json!({"@value": value, "@language": language}),
    }
}

/// The moment that a `time` element or a `datetime` attribute states, and the datatype of its spelling, if it has one of
/// those that HTML allows. <https://www.w3.org/TR/html-rdfa/#extensions-to-the-rdfa-core-1.1-processing-rules>
pub(super) fn moment(node: Node<'_>) -> Option<(String, Option<String>)> {
    let text = match node.attr("datetime") {
        Some(moment) => moment.to_owned(),
        None if node.is("time") => node.raw_text(),
        None => return None,
    };
    let datatype = datatype(&text).map(|name| format!("{XSD}{name}"));
    Some((text, datatype))
}

/// The XML Schema type of a date, time or duration.
fn datatype(text: &str) -> Option<&'static str> {
    let shape: String = text
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    let is_duration = |rest: &str| {
        rest.len() > 1
            && rest
                .bytes()
                .all(|byte| byte == b'0' || b"YMDTHS.".contains(&byte))
            && rest.contains('0')
    };
    if shape
        .strip_prefix('-')
        .unwrap_or(&shape)
        .strip_prefix('P')
        .is_some_and(is_duration)
    {
        return Some("duration");
    }
    match shape.as_str() {
        "0000" => return Some("gYear"),
        "0000-00" => return Some("gYearMonth"),
        "0000-00-00" => return Some("date"),
        _ => {}
    }
    match shape.split_once('T') {
        Some(("0000-00-00", time)) if is_time(time) => Some("dateTime"),
        None if is_time(&shape) => Some("time"),
        _ => None,
    }
}

/// `00:00:00`, perhaps with a fraction and a zone.
fn is_time(shape: &str) -> bool {
    let Some(rest) = shape.strip_prefix("00:00:00") else {
        return false;
    };
    let zone = match rest.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches('0'),
        None => rest,
    };
    matches!(zone, "" | "Z" | "+00:00" | "-00:00")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_has_the_type_of_its_spelling() {
        let cases = [
            ("2012", Some("gYear")),
            ("2012-03", Some("gYearMonth")),
            ("2012-03-18", Some("date")),
            ("00:00:00Z", Some("time")),
            ("2012-03-18T00:00:00.5+02:00", Some("dateTime")),
            ("P2011Y06M", Some("duration")),
            ("18 March", None),
            ("P", None),
        ];
        for (text, expected) in cases {
            assert_eq!(datatype(text), expected, "{text}");
        }
    }
}
