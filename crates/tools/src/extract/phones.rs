//! Telephone numbers in a text or page.

use std::collections::HashSet;

use page::Page;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::input::text;
use crate::{Error, Tool, ToolContext};

locale::patterns! {
    static PHONE = concat!(
        r"(?:^|[^\d/.,-])((?:\+|00)\d{1,3}[\s().-]*\d[\d\s().-]{5,14}\d|\(\d{2,4}\)[\s.-]*\d{3,4}[\s.-]?\d{2,4}(?:[\s.-]?\d{2})?",
        // "0931 / 12 34 56"
        r"|0\d{2,4}\s?/\s?\d[\d\s-]{2,10}\d",
        // "08-123 456 78", "06 12 34 56 78"
        r"|0[1-9]-\d{3}(?:\s\d{2,3}){2}|0[1-9]\d{1,2}-\d{2,3}(?:\s\d{2,3}){2,3}|0[1-9](?:[\s.]\d{2}){4}",
        r"|0\d{2,4}[\s-]\d{3}[\s-]\d{3,4}|\d{3}[\s-]\d{3}[\s-]\d{3,4}|\d{2}[\s-]\d{3}[\s-]\d{2}[\s-]\d{2})(?:$|[^\d-])",
    );
    // Pairs of digits are a number of a telephone only where the text says so: "Phone: 22 85 50 00", "22 85 50 00 ext. 12".
    static LABELLED = concat!(
        r"(?i)(?:\b(?:tel|tél|phone|telephone|téléphone|telefon|telefoon|telefono|teléfono|tlf|mobile|mob|mobil|fax)\b[.:]*\s*",
        r"(?P<behind>\d{2}(?:\s\d{2}){3,4})(?:$|[^\d-]))",
        r"|(?:(?:^|[^\d/.,-])(?P<before>\d{2}(?:\s\d{2}){3,4})\s*(?:ext|extension|poste|durchwahl|toestel)\b)",
    );
}

/// The tool `extract.phones`.
pub struct ExtractPhones;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    text: Option<String>,
    country_code: Option<String>,
    limit: usize,
}

impl Tool for ExtractPhones {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let mut dialled = Vec::new();
        if params.text.is_none() && context.has_page() {
            dialled = numbers_of_links(&*context.page().await?);
        }
        let text = text(context, params.text).await?;
        let mut seen = HashSet::new();
        let mut found: Vec<Value> = Vec::new();
        let mut keep = |raw: &str| {
            let normalized = normalized(raw, params.country_code.as_deref());
            if (7..=16).contains(&normalized.len()) && seen.insert(normalized.clone()) {
                found.push(json!({"raw": raw.trim(), "normalized": normalized}));
            }
        };
        for number in &dialled {
            keep(number);
        }
        for line in text.lines() {
            let mut from = 0;
            while let Some(hit) = line
                .get(from..)
                .and_then(|rest| PHONE.captures(rest))
                .and_then(|it| it.get(1))
            {
                let start = from + hit.start();
                from += hit.end();
                if !goes_on(line.get(..start).unwrap_or_default()) {
                    keep(hit.as_str());
                }
            }
            for captures in LABELLED.captures_iter(line) {
                let hit = captures.name("behind").or_else(|| captures.name("before"));
                if let Some(hit) = hit.filter(|hit| !goes_on(line.get(..hit.start()).unwrap_or_default())) {
                    keep(hit.as_str());
                }
            }
        }
        found.truncate(params.limit);
        Ok(json!({"count": found.len(), "phones": found}))
    }
}

/// The numbers that links of a page dial, without extensions and other parameters (RFC 3966).
fn numbers_of_links(page: &Page) -> Vec<String> {
    let number = |href: &str| {
        let (scheme, number) = href.trim().split_once(':')?;
        let number = number.split([';', '?']).next().unwrap_or_default();
        let is_dialled = scheme.eq_ignore_ascii_case("tel");
        is_dialled.then(|| {
            percent_encoding::percent_decode_str(number)
                .decode_utf8_lossy()
                .into_owned()
        })
    };
    let links = page.dom().by_tag("a");
    links.filter_map(|link| number(link.attr("href")?)).collect()
}

/// Whether a number behind `head` goes on with a longer one, such as that of an account ("DE89 3704 0044 0532 0130 00").
fn goes_on(head: &str) -> bool {
    let is_apart = head.ends_with(char::is_whitespace);
    is_apart && head.trim_end().ends_with(|c: char| c.is_ascii_digit())
}

/// Codes of countries where a number keeps its first zero when it is dialled from abroad: Italy, San Marino, the Vatican, and some of
/// West Africa (ITU-T E.123 leaves the trunk prefix out elsewhere).
const KEEPS_ZERO: [&str; 6] = ["39", "378", "379", "225", "241", "242"];

/// The digits of a number, with the code of its country where one is known. `00` before the code is `+`.
fn normalized(number: &str, country_code: Option<&str>) -> String {
    // "(0)" is dialled within the country alone.
    let number = number.replace("(0)", "");
    let digits: String = number
        .chars()
        .filter(|it| it.is_ascii_digit() || *it == '+')
        .collect();
    if let Some(international) = digits.strip_prefix("00") {
        return format!("+{international}");
    }
    match country_code.map(|code| code.trim_start_matches('+')) {
        Some(code) if !digits.starts_with('+') => {
            let national = match KEEPS_ZERO.contains(&code) {
                true => digits.as_str(),
                false => digits.strip_prefix('0').unwrap_or(&digits),
            };
            format!("+{code}{national}")
        }
        _ => digits,
    }
}

#[cfg(test)]
mod tests {
    use super::normalized;

    #[test]
    fn a_number_is_as_it_is_dialled_from_abroad() {
        for (raw, code, number) in [
            ("030 123 4567", Some("+49"), "+49301234567"),
            ("0049 30 1234567", Some("49"), "+49301234567"),
            ("0049 30 1234567", None, "+49301234567"),
            ("+49 (0)30 1234567", Some("49"), "+49301234567"),
            ("06 1234 5678", Some("39"), "+390612345678"),
            ("601 234 567", Some("48"), "+48601234567"),
            ("030 123 4567", None, "0301234567"),
        ] {
            assert_eq!(normalized(raw, code), number, "{raw}");
        }
    }
}
