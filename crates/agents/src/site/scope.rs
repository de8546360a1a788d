//! `SiteScope`: which addresses belong to a site and are wanted.

use policy::Site;
use regex::{RegexSet, RegexSetBuilder};
use url::{Position, Url};
use wire::Code;
use wire::error::ErrorBody;

/// What marks a pattern as a regular expression.
const EXPRESSION: &str = "re:";
/// Most bytes of the compiled patterns of one kind.
const MAX_COMPILED: usize = 4 << 20;
/// Most bytes of a letter in UTF-8.
const MAX_LETTER: usize = 4;
/// Deepest nesting of a regular expression.
const MAX_NESTING: u32 = 50;

/// Which addresses belong to a site and are wanted.
#[derive(Debug, Clone)]
pub(super) struct SiteScope {
    host: String,
    port: Option<u16>,
    /// The registrable domain, where its other hosts belong to the site too.
    domain: Option<Site>,
    include: Option<RegexSet>,
    exclude: Option<RegexSet>,
}

impl SiteScope {
    /// The scope of the site of an address.
    ///
    /// # Errors
    /// When a pattern does not compile; the text names its field.
    pub(super) fn new(
        start: &Url,
        include: &[String],
        exclude: &[String],
        subdomains: bool,
    ) -> Result<Self, ErrorBody> {
        Ok(Self {
            host: host(start),
            port: start.port(),
            domain: subdomains.then(|| Site::of(start)).flatten(),
            include: patterns("include", include)?,
            exclude: patterns("exclude", exclude)?,
        })
    }

    /// Whether an address belongs to the site.
    pub(super) fn is_inside(&self, url: &Url) -> bool {
        let of_domain = |domain: &Site| Site::of(url).is_some_and(|site| site.is_same_domain(domain));
        url.port() == self.port && (host(url) == self.host || self.domain.as_ref().is_some_and(of_domain))
    }

    /// Whether an address belongs to the site and the patterns let it through.
    pub(super) fn wants(&self, url: &Url) -> bool {
        if !self.is_inside(url) {
            return false;
        }
        let include = self.include.as_ref();
        include.is_none_or(|patterns| matches(patterns, url)) && !self.excludes(url)
    }

    /// Whether an address is one of those that are to be left out.
    pub(super) fn excludes(&self, url: &Url) -> bool {
        let exclude = self.exclude.as_ref();
        exclude.is_some_and(|patterns| matches(patterns, url))
    }

    /// Whether other hosts may belong to the site.
    pub(super) fn has_hosts(&self) -> bool {
        self.domain.is_some()
    }
}

/// Whether any pattern matches the path and query of an address, or the whole of it, as they are sent or as they are read.
fn matches(patterns: &RegexSet, url: &Url) -> bool {
    let (path, whole) = (&url[Position::BeforePath..Position::AfterQuery], url.as_str());
    let either = |text: &str| patterns.is_match(text) || patterns.is_match(&readable(text));
    either(path) || either(whole)
}

/// A part of an address with its letters and blanks as a reader sees them: `/p%C3%A4ge` is `/päge`. Escaped signs of ASCII stay
/// as they are, since they may mean something else than the signs themselves.
fn readable(text: &str) -> String {
    let mut readable = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('%') {
        let (before, escaped) = rest.split_at(start);
        readable.push_str(before);
        let letter = escaped_letter(escaped);
        // What is no letter in UTF-8 stays as it is written.
        readable.push(letter.unwrap_or('%'));
        let taken = letter.map_or(1, |letter| letter.len_utf8() * 3);
        rest = escaped.split_at(taken).1;
    }
    readable + rest
}

/// The blank, or the letter that is not ASCII, whose escapes a text begins with.
fn escaped_letter(text: &str) -> Option<char> {
    let escape = |escape: &[u8]| match escape {
        [b'%', high, low] => {
            let digit = |byte: &u8| char::from(*byte).to_digit(16);
            u8::try_from(digit(high)? * 16 + digit(low)?).ok()
        }
        _ => None,
    };
    let escapes = text.as_bytes().chunks(3).map_while(escape);
    let bytes: Vec<u8> = escapes.take(MAX_LETTER).collect();
    let letters = match std::str::from_utf8(&bytes) {
        Ok(letters) => letters,
        Err(error) => std::str::from_utf8(bytes.get(..error.valid_up_to())?).ok()?,
    };
    letters
        .chars()
        .next()
        .filter(|letter| *letter == ' ' || !letter.is_ascii())
}

/// The host, with and without `www.` the same.
fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
    host.strip_prefix("www.")
        .map_or_else(|| host.clone(), str::to_owned)
}

fn patterns(field: &str, patterns: &[String]) -> Result<Option<RegexSet>, ErrorBody> {
    if patterns.is_empty() {
        return Ok(None);
    }
    let compiled = |patterns: &[String]| {
        RegexSetBuilder::new(patterns)
            .size_limit(MAX_COMPILED)
            .nest_limit(MAX_NESTING)
            .build()
    };
    let mut expressions = Vec::with_capacity(patterns.len());
    for (index, pattern) in patterns.iter().enumerate() {
        let expression = match pattern.strip_prefix(EXPRESSION) {
            Some(expression) => expression.to_owned(),
            None => format!(
                "^(?s:{})$",
                regex::escape(&readable(pattern)).replace(r"\*", ".*")
            ),
        };
        if compiled(std::slice::from_ref(&expression)).is_err() {
            let text = format!("{field}[{index}]: this regular expression does not compile, or is too large");
            return Err(ErrorBody::new(Code::InvalidRequest, text));
        }
        expressions.push(expression);
    }
    let all = compiled(&expressions);
    all.map(Some).map_err(|_| {
        let text = format!("{field}: together, these patterns are too large; give fewer or simpler ones");
        ErrorBody::new(Code::InvalidRequest, text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(include: &[&str], exclude: &[&str], subdomains: bool) -> SiteScope {
        let owned = |list: &[&str]| list.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let start = "https://www.shop.example/".parse().unwrap();
        SiteScope::new(&start, &owned(include), &owned(exclude), subdomains).unwrap()
    }

    #[test]
    fn a_site_is_its_host_and_with_subdomains_its_domain() {
        let inside = |scope: &SiteScope, url: &str| scope.is_inside(&url.parse().unwrap());
        for (url, alone, wide) in [
            ("http://shop.example/a", true, true),
            ("https://blog.shop.example/", false, true),
            ("https://shop.example:8443/", false, false),
            ("https://shop.example.evil.example/", false, false),
        ] {
            assert_eq!(inside(&scope(&[], &[], false), url), alone, "{url}");
            assert_eq!(inside(&scope(&[], &[], true), url), wide, "{url}");
        }
    }

    #[test]
    fn patterns_may_be_written_as_addresses_are_read() {
        for (pattern, url) in [
            ("/päge*", "https://shop.example/päge2"),
            ("/p%c3%a4ge*", "https://shop.example/päge2"),
            ("/with space*", "https://shop.example/with space?a=b"),
            ("/with%20space", "https://shop.example/with space"),
            ("*?q=чай", "https://shop.example/search?q=чай"),
            ("re:^/p.ge$", "https://shop.example/päge"),
        ] {
            let url: Url = url.parse().unwrap();
            assert!(scope(&[pattern], &[], false).wants(&url), "{pattern}");
            assert!(!scope(&[], &[pattern], false).wants(&url), "{pattern}");
        }
        for (text, read) in [
            ("/a%2Fb%", "/a%2Fb%"),
            ("/%C3%28%C3%A4", "/%C3%28ä"),
            ("/100%25%C3", "/100%25%C3"),
            ("/%20%F0%9F%8D%B5%c3%a4%C3%C3", "/ 🍵ä%C3%C3"),
        ] {
            assert_eq!(readable(text), read);
        }
    }

    #[test]
    fn patterns_choose_and_one_that_does_not_compile_is_refused() {
        let chosen = scope(&["/blog/*", "re:^/p/[0-9]+$"], &["*?print=*"], false);
        for (url, wanted) in [
            ("https://shop.example/blog/a?x=1", true),
            ("https://shop.example/blog/a?print=1", false),
            ("https://shop.example/p/17", true),
            ("https://shop.example/p/x", false),
            ("https://shop.example/", false),
        ] {
            assert_eq!(chosen.wants(&url.parse().unwrap()), wanted, "{url}");
        }
        let start = "https://shop.example/".parse().unwrap();
        for bad in [
            "re:(",
            "re:(a{1000}){1000}",
            "re:((((((((((((((((((((((((((((((((((((((((((((((((((((((a",
        ] {
            let error = SiteScope::new(&start, &[bad.to_owned()], &[], false).unwrap_err();
            assert!(error.message.starts_with("include[0]"), "{}", error.message);
        }
    }
}
