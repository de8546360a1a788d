//! Canonical form of a URL, for comparing pages.

use url::Url;

/// Query parameters that track a reader and change nothing on the page.
const TRACKING_PARAMETERS: [&str; 14] = [
    "fbclid", "gclid", "dclid", "msclkid", "yclid", "igshid", "mc_cid", "mc_eid", "ref_src", "spm", "_ga",
    "_gl", "cmpid", "ocid",
];

/// The URL without what does not change the page: fragment, tracking parameters, the order of the others, `www.`, a
/// default file name, the last slash, and the difference of http and https. For comparing, never for fetching.
pub fn canonical(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
    let host = host.strip_prefix("www.").unwrap_or(&host);
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    let mut path = url.path();
    for name in ["index.html", "index.htm", "index.php"] {
        path = path
            .strip_suffix(name)
            .filter(|folder| folder.ends_with('/'))
            .unwrap_or(path);
    }
    let path = path.trim_end_matches('/');
    let is_tracking = |name: &str| name.starts_with("utm_") || TRACKING_PARAMETERS.contains(&name);
    let mut pairs: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(name, _)| !is_tracking(&name.to_ascii_lowercase()))
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect();
    pairs.sort();
    let query: Vec<String> = pairs
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let scheme = if url.scheme() == "file" { "file:" } else { "" };
    let separator = if query.is_empty() { "" } else { "?" };
    format!("{scheme}//{host}{port}{path}{separator}{}", query.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_change_the_page_does_not_change_its_address() {
        let same = [
            "https://shop.example/tea?b=2&a=1",
            "http://www.shop.example/tea/?a=1&b=2#prices",
            "https://SHOP.example:443/tea/index.html?utm_source=mail&a=1&b=2&fbclid=x",
        ];
        let address = |url: &str| canonical(&url.parse().unwrap());
        assert!(
            same.iter().all(|url| address(url) == address(same[0])),
            "{}",
            address(same[2])
        );
        for other in [
            "https://shop.example/tea?a=1&b=3",
            "https://shop.example/Tea?a=1&b=2",
            "https://shop.example:8443/tea?a=1&b=2",
            "https://tea.shop.example/tea?a=1&b=2",
        ] {
            assert_ne!(address(other), address(same[0]), "{other}");
        }
    }
}
