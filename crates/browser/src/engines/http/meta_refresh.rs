//! Redirects by `<meta http-equiv=refresh>`.

use page::Page;
use url::Url;

/// The longest delay, in seconds, of a redirect; a longer one is a reload.
const MAX_DELAY: f64 = 10.0;

/// The address that the page redirects to, if it does so at once.
pub(super) fn target(page: &Page) -> Option<Url> {
    let meta = page.dom().by_tag("meta").find(|node| {
        node.attr("http-equiv")
            .is_some_and(|name| name.trim().eq_ignore_ascii_case("refresh"))
    })?;
    let content = meta.attr("content")?.trim();
    let digits = content
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(content.len());
    let (seconds, rest) = content.split_at(digits);
    let at_once = seconds.parse::<f64>().is_ok_and(|seconds| seconds <= MAX_DELAY);
    let rest = rest.trim_start_matches(|c: char| c == ';' || c == ',' || c.is_whitespace());
    let named = rest.get(..3).filter(|head| head.eq_ignore_ascii_case("url"));
    let address = match named {
        Some(_) => rest.get(3..)?.trim_start().strip_prefix('=')?.trim_start(),
        None => rest,
    };
    let address = match address.chars().next()? {
        quote @ ('"' | '\'') => address.get(1..)?.split(quote).next()?,
        _ => address,
    };
    page.absolute(address)
        .filter(|url| at_once && matches!(url.scheme(), "http" | "https"))
}
