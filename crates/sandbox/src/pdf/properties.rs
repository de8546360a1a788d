//! Title, author, dates and language that a PDF document states about itself (ISO 32000-1, 14.3.3 and 7.9.4).

use pdf_extract::{Dictionary, Document};

use super::fonts::resolved;
use crate::document::properties::Properties;

/// The properties of a document; absent ones are empty.
pub(super) fn read(document: &Document) -> Properties {
    let info = dictionary(document, &document.trailer, b"Info");
    let text = |key: &[u8]| {
        info.and_then(|info| text(document, info, key))
            .unwrap_or_default()
    };
    let root = dictionary(document, &document.trailer, b"Root");
    Properties {
        title: text(b"Title"),
        authors: Some(text(b"Author"))
            .filter(|author| !author.is_empty())
            .into_iter()
            .collect(),
        description: String::new(),
        created: date(&text(b"CreationDate")).unwrap_or_default(),
        modified: date(&text(b"ModDate")).unwrap_or_default(),
        language: root
            .and_then(|root| self::text(document, root, b"Lang"))
            .unwrap_or_default(),
    }
}

fn dictionary<'d>(document: &'d Document, parent: &'d Dictionary, key: &[u8]) -> Option<&'d Dictionary> {
    resolved(document, parent.get(key).ok()?)?.as_dict().ok()
}

fn text(document: &Document, parent: &Dictionary, key: &[u8]) -> Option<String> {
    let bytes = resolved(document, parent.get(key).ok()?)?.as_str().ok()?;
    let text = match bytes {
        [0xfe, 0xff, rest @ ..] => {
            let units: Vec<u16> = rest
                .chunks_exact(2)
                .map(|pair| u16::from(pair[0]) << 8 | u16::from(pair[1]))
                .collect();
            String::from_utf16_lossy(&units)
        }
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        plain => plain.iter().map(|byte| char::from(*byte)).collect(),
    };
    Some(text.trim().to_owned())
}

/// A date as `D:20240304101500+01'00'` in ISO 8601; none where it has no year, month and day, or is no date.
fn date(text: &str) -> Option<String> {
    let text = text.strip_prefix("D:").unwrap_or(text);
    let digits: &str = text.split(|c: char| !c.is_ascii_digit()).next()?;
    let part = |from: usize| digits.get(from..from + 2);
    let is_within = |part: &str, range: std::ops::RangeInclusive<u32>| {
        part.parse().is_ok_and(|number: u32| range.contains(&number))
    };
    let (year, month, day) = (digits.get(..4)?, part(4)?, part(6)?);
    if !is_within(month, 1..=12) || !is_within(day, 1..=31) || !is_within(year, 1..=9999) {
        return None;
    }
    let (Some(hour), Some(minute)) = (part(8), part(10)) else {
        return Some(format!("{year}-{month}-{day}"));
    };
    let second = part(12).unwrap_or("00");
    if !is_within(hour, 0..=23) || !is_within(minute, 0..=59) || !is_within(second, 0..=59) {
        return None;
    }
    let zone: String = text
        .get(digits.len()..)?
        .chars()
        .filter(|c| c.is_ascii_digit() || matches!(c, '+' | '-' | 'Z'))
        .collect();
    let zone = match zone.get(..1) {
        Some(sign @ ("+" | "-")) if zone.len() >= 3 => {
            let (hours, minutes) = (zone.get(1..3)?, zone.get(3..5).unwrap_or("00"));
            let is_zero = hours == "00" && minutes == "00";
            if is_zero {
                "Z".to_owned()
            } else {
                format!("{sign}{hours}:{minutes}")
            }
        }
        Some("Z") => "Z".to_owned(),
        _ => String::new(),
    };
    Some(format!("{year}-{month}-{day}T{hour}:{minute}:{second}{zone}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_become_those_of_iso_8601() {
        for (written, expected) in [
            ("D:20240304101500+01'00'", Some("2024-03-04T10:15:00+01:00")),
            ("D:20240304101500Z", Some("2024-03-04T10:15:00Z")),
            ("D:20240304101500+00'00'", Some("2024-03-04T10:15:00Z")),
            ("D:20240304", Some("2024-03-04")),
            ("202403041015", Some("2024-03-04T10:15:00")),
            ("D:2024", None),
            ("D:20241304", None),
            ("yesterday", None),
            ("", None),
        ] {
            assert_eq!(date(written).as_deref(), expected, "{written}");
        }
    }
}
