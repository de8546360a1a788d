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
        Ok(url) => Err(refuse_as(
            Code::UrlBlocked,
            format!(
                "{:?} addresses cannot be opened; give one that begins with http:// or https://",
                url.scheme()
            ),
        )),
        Err(reason) if asset.contains("://") => Err(refuse(format!(
            "this is no web address: {reason}; give one such as https://example.org/page"
        ))),
        Err(_) => Err(refuse(
            "this is no web address; give one such as https://example.org/page, or set HUNTSMAN_SEARCH_PROVIDER to have \
             words searched for"
                .to_owned(),
        )),
    }
}

/// Whether an asset is no address at all, and so a term to search for.
pub(super) fn is_search_term(asset: &str) -> bool {
    let asset = asset.trim();
    let is_address = asset.contains("://") || starts_with_host(asset) || Url::parse(asset).is_ok();
    !asset.is_empty() && asset.len() <= MAX_TERM && !is_address
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
        let port = address("http://shop.example:99999/").unwrap_err();
        assert!(port.message.contains("invalid port number"), "{}", port.message);
    }
}
