//! Removal of citation markers, links and markup from sentences that a model wrote.

/// The plain text of a sentence: markers such as `[3]`, links, images, addresses and tags are taken out, so that no page
/// can put an address into a report by way of a model.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['[', ']', '<', '!', '`', '*', '#', '【']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        rest = match from.as_bytes().first() {
            Some(b'[') => bracket(from, &mut out),
            Some(b'<') => tag(from, &mut out),
            Some(b'!') => {
                if !from.starts_with("![") {
                    out.push('!');
                }
                from.get(1..).unwrap_or_default()
            }
            Some(b']' | b'`' | b'*') => from.get(1..).unwrap_or_default(),
            Some(b'#') => {
                // `C#` and `#1` are words; a heading is not.
                if !out.trim().is_empty() {
                    out.push('#');
                }
                from.get(1..).unwrap_or_default()
            }
            _ => from.split_once('】').map_or_else(
                || from.get('【'.len_utf8()..).unwrap_or_default(),
                |(_, after)| after,
            ),
        };
    }
    out.push_str(rest);
    let words = out.split_whitespace().filter(|word| !is_address(word));
    let line = words.collect::<Vec<_>>().join(" ");
    let mut line = line.replace(" .", ".").replace(" ,", ",");
    line.retain(|it| !it.is_control());
    line
}

/// `[3]`, `[1, 2]`, `[source 3]` go; `[words](address)` leaves its words.
fn bracket<'a>(from: &'a str, out: &mut String) -> &'a str {
    let inner = from.get(1..).unwrap_or_default();
    let Some((words, after)) = inner.split_once(']') else {
        return inner;
    };
    let marker = words.split([',', ' ', ';', '-', '–', '^', '[']).all(|it| {
        it.is_empty()
            || it.chars().all(|character| character.is_ascii_digit())
            || it.to_lowercase().starts_with("source")
    });
    if !marker {
        out.push_str(words);
    }
    match after.strip_prefix('(').and_then(|it| it.split_once(')')) {
        Some((_, after)) => after,
        None => after,
    }
}

/// `<b>` goes; `a < b` stays.
fn tag<'a>(from: &'a str, out: &mut String) -> &'a str {
    let inner = from.get(1..).unwrap_or_default();
    let opens = inner
        .starts_with(|character: char| character.is_ascii_alphabetic() || matches!(character, '/' | '!'));
    match inner.split_once('>').filter(|_| opens) {
        Some((_, after)) => after,
        None => {
            out.push('<');
            inner
        }
    }
}

fn is_address(word: &str) -> bool {
    let word = word
        .trim_start_matches(|character: char| !character.is_alphanumeric())
        .to_ascii_lowercase();
    word.contains("://") || word.starts_with("www.") || word.starts_with("mailto:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_are_left() {
        for (written, left) in [
            ("Tea is hot [1][2, 3].", "Tea is hot."),
            ("**Tea** is `hot` [source 4]", "Tea is hot"),
            (
                "See [this shop](http://evil.example/x) now.",
                "See this shop now.",
            ),
            ("![beacon](http://evil.example/p.png)Tea", "beaconTea"),
            (
                "Buy at https://evil.example/tea or www.evil.example today",
                "Buy at or today",
            ),
            ("a < b <script>alert(1)</script> c", "a < b alert(1) c"),
            ("## Tea 【3†source】 in C# [sic]", "Tea in C# sic"),
        ] {
            assert_eq!(plain(written), left);
        }
    }

    #[test]
    fn nothing_that_is_given_breaks_it() {
        for text in ["[", "[[", "![", "<", "<a", "【", "](", "[]()", "#", "[1", "é[é"] {
            assert!(!plain(text).contains('['), "{text}");
        }
    }
}
