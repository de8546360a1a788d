//! References to addresses: absolute forms, and declared prefixes.

use crate::page::Page;

/// The absolute form of a reference. One that is absolute already keeps its spelling, one that cannot be resolved too.
pub(super) fn absolute(page: &Page, href: &str) -> String {
    let href = href.trim();
    let has_scheme = href.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    });
    if has_scheme {
        return href.to_owned();
    }
    page.absolute(href)
        .map_or_else(|| href.to_owned(), |url| url.to_string())
}

/// The pairs of a `prefix` attribute: `og: http://ogp.me/ns# fb: ...`.
pub(super) fn prefixes(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut words = text.split_ascii_whitespace();
    std::iter::from_fn(move || {
        loop {
            let prefix = words.next()?;
            if let Some(name) = prefix.strip_suffix(':') {
                return Some((name, words.next()?));
            }
            // `og:http://...` without a space.
            if let Some((name, iri)) = prefix.split_once(':').filter(|(_, iri)| iri.contains("://")) {
                return Some((name, iri));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absolute_reference_keeps_its_spelling() {
        let page = Page::new("", "https://a.example/b/".parse().ok());
        assert_eq!(absolute(&page, "http://x.example"), "http://x.example");
        assert_eq!(absolute(&page, " c?d#e "), "https://a.example/b/c?d#e");
        assert_eq!(absolute(&Page::new("", None), "c"), "c");
    }

    #[test]
    fn prefixes_are_read_with_and_without_a_space() {
        let got: Vec<_> = prefixes("og: http://ogp.me/ns#  fb:http://fb/ junk x:").collect();
        assert_eq!(got, [("og", "http://ogp.me/ns#"), ("fb", "http://fb/")]);
    }
}
