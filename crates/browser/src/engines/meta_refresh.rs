//! Redirects by `<meta http-equiv=refresh>`.

use page::Page;
use url::Url;

/// The longest delay, in seconds, of a redirect; a longer one is a reload.
const MAX_DELAY: f64 = 10.0;

/// Most pages in a row that redirect in this way.
pub(super) const MAX_REFRESHES: usize = 5;

/// The address that the page redirects to, if it does so at once.
pub(super) fn target(page: &Page) -> Option<Url> {
    let meta = page.dom().by_tag("meta").find(|node| {
        node.attr("http-equiv")
            .is_some_and(|name| name.trim().eq_ignore_ascii_case("refresh"))
    })?;
    page.absolute(address(meta.attr("content")?)?).filter(is_web)
}

/// As [`target`], by the content of the element and the base of the addresses of its document.
pub(super) fn target_of(content: &str, base: &str) -> Option<Url> {
    let base = Url::parse(base).ok()?;
    base.join(address(content)?).ok().filter(is_web)
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

/// The address within the content of the element, unless it is a reload or comes too late.
fn address(content: &str) -> Option<&str> {
    let content = content.trim();
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
    at_once.then_some(address)
}
