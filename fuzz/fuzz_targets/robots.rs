//! robots.txt files of any text: one decision for all spellings of a path, and patterns that match as defined.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use net::Robots;
use url::Url;

#[derive(Debug, Arbitrary)]
struct File<'a> {
    path: &'a str,
    /// Which characters of the path are written as percent codes.
    coded: u32,
    /// Letters of a pattern and of a path, as numbers.
    pattern: Vec<u8>,
    subject: Vec<u8>,
    text: &'a str,
}

const AGENT: &str = "Huntsman";

fn at(path: &str) -> Option<Url> {
    Url::parse(&format!("https://example.com/{path}")).ok()
}

/// The same path with some of its unreserved characters written as percent codes.
fn respelled(path: &str, coded: u32) -> String {
    let mut text = String::new();
    for (number, sign) in path.chars().enumerate() {
        // What follows a percent sign may be part of a code.
        let is_code = path.chars().take(number).skip(number.saturating_sub(2)).any(|before| before == '%');
        match sign {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' | '~' if !is_code && coded >> (number % 32) & 1 == 1 => {
                text.push_str(&format!("%{:02x}", u32::from(sign)));
            }
            _ => text.push(sign),
        }
    }
    text
}

/// RFC 9309, 2.2.3, as a table: `*` is any text, a final `$` the end; without it any text may follow.
fn is_match(pattern: &[u8], path: &[u8]) -> bool {
    let (pattern, anchored) = match pattern {
        [head @ .., b'$'] => (head, true),
        whole => (whole, false),
    };
    let mut reached = vec![false; path.len() + 1];
    reached[0] = true;
    for sign in pattern {
        let mut next = vec![false; path.len() + 1];
        for end in 0..=path.len() {
            next[end] = match sign {
                b'*' => reached[..=end].contains(&true),
                sign => end > 0 && reached[end - 1] && path[end - 1] == *sign,
            };
        }
        reached = next;
    }
    if anchored { reached[path.len()] } else { reached.contains(&true) }
}

fn letters(numbers: &[u8], of: &[u8]) -> Vec<u8> {
    numbers.iter().take(40).map(|number| of[usize::from(*number) % of.len()]).collect()
}

fuzz_target!(|file: File<'_>| {
    let robots = Robots::parse(file.text, AGENT);
    assert_eq!(robots, Robots::parse(file.text, "huntsman/9"), "the agent's version counts");
    let crlf = file.text.replace("\r\n", "\n").replace('\r', "\n").replace('\n', "\r\n");
    assert_eq!(robots, Robots::parse(&crlf, AGENT), "line ends count");
    let comments = file.text.replace(['\r', '\n'], "\n# a comment: with a colon\n");
    assert_eq!(robots, Robots::parse(&comments, AGENT), "comments count");
    assert!(robots.allows(&at("robots.txt").expect("an address")));
    if let (Some(plain), Some(coded)) = (at(file.path), at(&respelled(file.path, file.coded))) {
        assert_eq!(robots.allows(&plain), robots.allows(&coded), "{plain} and {coded}");
        let mut fragment = plain.clone();
        fragment.set_fragment(Some("f"));
        assert_eq!(robots.allows(&plain), robots.allows(&fragment), "{plain}");
        assert!(Robots::allow_all().allows(&plain));
        assert!(!Robots::disallow_all().allows(&plain) || plain.path() == "/robots.txt");
    }
    let mut pattern = vec![b'/'];
    pattern.extend(letters(&file.pattern, b"ab/**$"));
    let mut subject = vec![b'/'];
    subject.extend(letters(&file.subject, b"ab/"));
    let (pattern, subject) = (String::from_utf8_lossy(&pattern).into_owned(), String::from_utf8_lossy(&subject).into_owned());
    let rule = Robots::parse(&format!("User-agent: *\nDisallow: {pattern}"), AGENT);
    if let Ok(url) = Url::parse(&format!("https://example.com{subject}")) {
        assert_eq!(!rule.allows(&url), is_match(pattern.as_bytes(), url.path().as_bytes()), "{pattern} {subject}");
    }
});
