//! The address that an asset of a scrape request stands for.

use url::Url;
use wire::Code;
use wire::scrape::ScrapeError;

/// Longest address, in bytes.
const MAX_BYTES: usize = 8192;
/// Longest search term, in bytes.
const MAX_TERM: usize = 400;

/// The address of an asset: a URL as it is, a bare domain or path with its usual scheme before it.
///
/// # Errors
/// When it is neither.
pub(crate) fn address(asset: &str) -> Result<Url, ScrapeError> {
    let asset = asset.trim();
    let refuse_as = |code, why: String| ScrapeError::new(code, why, Some(shorten(asset)));
    let refuse = |why: String| refuse_as(Code::InvalidRequest, why);
    if asset.len() > MAX_BYTES {
        return Err(refuse(format!("the address is longer than {MAX_BYTES} bytes")));
    }
    let bare = !asset.contains("://") && starts_with_host(asset);
    let whole = if bare {
        format!("{}://{asset}", net::usual_scheme(asset))
    } else {
        asset.to_owned()
    };
    match Url::parse(&whole) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(url),
        Ok(url) if has_scheme(asset, url.scheme()) => Err(refuse_as(
            Code::UrlBlocked,
            format!(
                "{:?} addresses cannot be opened; give one that begins with http:// or https://",
                url.scheme()
            ),
        )),
        Err(reason) if asset.contains("://") => Err(refuse(format!(
            "this is no web address: {reason}; give one such as https://example.org/page"
        ))),
        Ok(_) | Err(_) => Err(refuse(
            "this is no web address; give one such as https://example.org/page, or set HUNTSMAN_SEARCH_PROVIDER to have \
             words searched for"
                .to_owned(),
        )),
    }
}

/// Whether an asset is no address at all, and so a term to search for.
pub(super) fn is_search_term(asset: &str) -> bool {
    let asset = asset.trim();
    let is_address = || {
        let url = Url::parse(asset);
        url.is_ok_and(|url| matches!(url.scheme(), "http" | "https") || has_scheme(asset, url.scheme()))
    };
    let is_whole = asset.contains("://") || starts_with_host(asset);
    !asset.is_empty() && asset.len() <= MAX_TERM && !is_whole && !is_address()
}

/// Schemes of addresses without `//`.
const BARE_SCHEMES: [&str; 8] = [
    "about",
    "blob",
    "data",
    "file",
    "javascript",
    "mailto",
    "tel",
    "view-source",
];

/// Whether what stands before the colon is a scheme: in `site:example.org shoes` and `C++: move` it is a word.
fn has_scheme(asset: &str, scheme: &str) -> bool {
    let behind = asset.get(scheme.len() + 1..).unwrap_or_default();
    behind.starts_with("//") || (BARE_SCHEMES.contains(&scheme) && !behind.starts_with(' '))
}

/// `example.org`, `example.org/path`, `localhost:8080`: a host first, and no space anywhere.
fn starts_with_host(asset: &str) -> bool {
    let host = asset.split(['/', '?', '#']).next().unwrap_or_default();
    let (name, port) = host.rsplit_once(':').unwrap_or((host, "0"));
    let plain =
        |character: char| character.is_alphanumeric() || matches!(character, '.' | '-' | '[' | ']' | ':');
    // `http:` is a scheme and no host.
    let is_number = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let named = !name.is_empty() && name.chars().all(plain) && is_number;
    named && (name.contains('.') || name == "localhost" || host != name)
}

/// An asset as an error may quote it.
fn shorten(asset: &str) -> String {
    asset
        .chars()
        .filter(|character| !character.is_control())
        .take(200)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_domain_is_an_address() {
        for (asset, url) in [
            ("https://shop.example/a?b#c", "https://shop.example/a?b#c"),
            (" shop.example ", "https://shop.example/"),
            ("shop.example/kettles?max=5", "https://shop.example/kettles?max=5"),
            ("localhost:8080/x", "http://localhost:8080/x"),
            ("127.0.0.1/x", "http://127.0.0.1/x"),
            ("http:/127.0.0.1/x", "http://127.0.0.1/x"),
        ] {
            assert_eq!(address(asset).map(String::from), Ok(url.to_owned()), "{asset}");
        }
    }

    #[test]
    fn what_is_no_web_address_is_refused_with_advice() {
        let none = [
            ("", Code::InvalidRequest),
            ("best kettles 2024", Code::InvalidRequest),
            ("kettles", Code::InvalidRequest),
            ("site:example.org red shoes", Code::InvalidRequest),
            ("http://", Code::InvalidRequest),
            ("file:///etc/passwd", Code::UrlBlocked),
            ("javascript:alert(1)", Code::UrlBlocked),
            ("gopher://127.0.0.1:6379/_INFO", Code::UrlBlocked),
        ];
        for (asset, code) in none {
            let error = address(asset).unwrap_err();
            assert_eq!(error.code, code, "{asset}");
            assert!(error.message.contains("http"), "{asset}: {}", error.message);
        }
        for term in [
            "site:example.org red shoes",
            "python: sort a list",
            "C++: move",
            "data: which structures are there",
        ] {
            assert!(is_search_term(term), "{term}");
        }
        for named in [
            "mailto:a@b.example",
            "data:text/html,x",
            "javascript:alert(1)",
            "http:/127.0.0.1/x",
            "localhost:8080",
            "gopher://a.example/",
        ] {
            assert!(!is_search_term(named), "{named}");
        }
        let port = address("http://shop.example:99999/").unwrap_err();
        assert!(port.message.contains("invalid port number"), "{}", port.message);
    }
}
