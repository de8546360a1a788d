//! DateLocale: the language and the order of numbers in which a page writes its dates.

use page::Page;

use locale::dates::{DateHints, DateOrder};

/// Language and order of numbers of a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct DateLocale {
    language: String,
    order: Option<DateOrder>,
}

impl DateLocale {
    /// Hints for reading a date of the page.
    pub(crate) fn hints(&self) -> DateHints<'_> {
        DateHints {
            language: Some(self.language.as_str()).filter(|it| !it.is_empty()),
            order: self.order,
            past: true,
        }
    }
}

/// From the language the page declares and the domain it lies in.
pub(crate) fn locale(page: &Page) -> DateLocale {
    let html = page.dom().by_tag("html").next();
    let declared = html
        .and_then(|html| html.attr("lang").or(html.attr("xml:lang")))
        .unwrap_or("");
    let language = declared.trim().replace('_', "-").to_ascii_lowercase();
    let host = page.url().and_then(|url| url.host_str()).unwrap_or("");
    let top = host.rsplit('.').next().unwrap_or("");
    let english = language.is_empty() || language.starts_with("en");
    let american = matches!(
        top,
        "com" | "us" | "gov" | "edu" | "mil" | "org" | "net" | "io" | "co" | "info" | ""
    );
    let elsewhere = matches!(
        language.as_str(),
        "en-gb" | "en-au" | "en-ie" | "en-in" | "en-nz" | "en-za"
    );
    let order = if english && american && !elsewhere && !is_priced_in_pounds(page) {
        DateOrder::MonthFirst
    } else {
        DateOrder::DayFirst
    };
    DateLocale {
        language,
        order: Some(order),
    }
}

/// Whether amounts on the page are in pounds, and none in dollars: who sells so writes the day first.
fn is_priced_in_pounds(page: &Page) -> bool {
    let html = page.html();
    let has_amount = |sign: &str| {
        html.match_indices(sign).any(|(at, _)| {
            html.get(at + sign.len()..)
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        })
    };
    (has_amount("£") || has_amount("&pound;")) && !has_amount("$")
}
