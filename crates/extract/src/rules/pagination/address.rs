//! How one address follows from another: next page, previous page, elsewhere.

use url::Url;

/// What leads from one address to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AddressStep {
    /// The same page.
    Same,
    /// To the page with the next number, or from the unnumbered first page to the second.
    Forward,
    /// To the page with the number before.
    Back,
    /// To another page of the same row.
    Jump,
    /// Elsewhere on the site.
    Other,
    /// To another site.
    Away,
}

/// The parts of an address that may hold a page number: path segments and query values.
fn parts(url: &Url) -> Vec<String> {
    let mut parts: Vec<String> = url
        .path()
        .split('/')
        .filter(|it| !it.is_empty())
        .map(str::to_owned)
        .collect();
    let mut query: Vec<String> = url
        .query_pairs()
        .map(|(name, value)| format!("?{name}={}", value.trim()))
        .collect();
    query.sort();
    parts.append(&mut query);
    parts
}

/// The numbers in an address, at most four digits each.
pub(super) fn numbers(url: &Url) -> impl Iterator<Item = u32> {
    let path = url.path().to_owned() + "?" + url.query().unwrap_or("");
    let found: Vec<u32> = path
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| (1..=6).contains(&digits.len()))
        .filter_map(|number| number.parse().ok())
        .collect();
    found.into_iter()
}

/// A part without its digits, and its last number.
fn shape(part: &str) -> (String, Option<i64>) {
    let number = part
        .rsplit(|c: char| !c.is_ascii_digit())
        .find(|it| !it.is_empty())
        .filter(|digits| digits.len() <= 9);
    let bare = part.chars().filter(|c| !c.is_ascii_digit()).collect();
    (bare, number.and_then(|number| number.parse().ok()))
}

/// How `to` follows from `from`.
pub(super) fn step(from: &Url, to: &Url) -> AddressStep {
    let host = |url: &Url| {
        url.host_str()
            .map(|host| host.trim_start_matches("www.").to_owned())
    };
    if host(from) != host(to) {
        return AddressStep::Away;
    }
    let (a, b) = (parts(from), parts(to));
    if a == b {
        return AddressStep::Same;
    }
    let only_a: Vec<&String> = a.iter().filter(|part| !b.contains(part)).collect();
    let only_b: Vec<&String> = b.iter().filter(|part| !a.contains(part)).collect();
    match (only_a.as_slice(), only_b.as_slice()) {
        ([x], [y]) => {
            let ((x, m), (y, n)) = (shape(x), shape(y));
            match (m, n) {
                (Some(m), Some(n)) if x == y && n > m => {
                    if n == m + 1 || is_offset(m, n) {
                        AddressStep::Forward
                    } else {
                        AddressStep::Jump
                    }
                }
                (Some(m), Some(n)) if x == y && n < m => {
                    if n + 1 == m || is_offset(n, m) {
                        AddressStep::Back
                    } else {
                        AddressStep::Jump
                    }
                }
                // `list.html` and `list-2.html`.
                (None, Some(2)) => AddressStep::Forward,
                (Some(2), None) => AddressStep::Back,
                _ => AddressStep::Other,
            }
        }
        // The first page has no number of its own.
        ([], added) if added.len() <= 2 => match added.iter().find_map(|part| shape(part).1) {
            Some(1 | 2) => AddressStep::Forward,
            Some(n) if n % 5 == 0 => AddressStep::Forward,
            Some(_) => AddressStep::Jump,
            None => AddressStep::Other,
        },
        (gone, []) if gone.len() <= 2 => match gone.iter().find_map(|part| shape(part).1) {
            Some(1 | 2) => AddressStep::Back,
            Some(n) if n % 5 == 0 => AddressStep::Back,
            Some(_) => AddressStep::Jump,
            None => AddressStep::Other,
        },
        _ => AddressStep::Other,
    }
}

/// Pages counted by their first entry: 0, 20, 40 or 1, 21, 41.
fn is_offset(less: i64, more: i64) -> bool {
    let by = more - less;
    (5..=500).contains(&by) && (less % by == 0 || (less - 1) % by == 0)
}
