//! Sentences of reports without what a reader would take for something else: citation markers, links and markup of models'
//! sentences, references and addresses of quotes.

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
            Some(b'*') => {
                // "9*5" is a product; at the edge of a word it is markup.
                let is_inside = out.ends_with(char::is_alphanumeric)
                    && from
                        .get(1..)
                        .unwrap_or_default()
                        .starts_with(char::is_alphanumeric);
                if is_inside {
                    out.push('*');
                }
                from.get(1..).unwrap_or_default()
            }
            Some(b']' | b'`') => from.get(1..).unwrap_or_default(),
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

/// A line of a source as a quote of it: as it is, but for the references behind its words, which would be taken for those of the
/// report, and for addresses, in whose place there is an ellipsis.
pub(crate) fn quote(line: &str) -> String {
    let words = line.split_whitespace();
    let words = words.map(|word| if is_address(word) { "…" } else { word });
    let line = words.collect::<Vec<_>>().join(" ");
    let mut out = String::with_capacity(line.len());
    let mut rest = line.as_str();
    while let Some((before, from)) = rest.split_once('[') {
        out.push_str(before);
        rest = match from.split_once(']') {
            Some((inner, after)) if is_reference(inner) && takes_reference(&out) => after,
            _ => {
                out.push('[');
                from
            }
        };
    }
    out.push_str(rest);
    out.retain(|sign| !sign.is_control());
    out
}

/// Whether brackets hold what names a reference: `3`, `1, 2`, `note 4`.
fn is_reference(inner: &str) -> bool {
    let number = inner.strip_prefix("note ").unwrap_or(inner);
    let is_sign = |sign: char| sign.is_ascii_digit() || matches!(sign, ',' | ' ' | '-' | '–');
    number.len() <= 12
        && number.starts_with(|sign: char| sign.is_ascii_digit())
        && number.chars().all(is_sign)
}

/// Whether a reference may stand behind a text: it does behind a sentence, a number and a word, but `x[2]` is a name.
fn takes_reference(text: &str) -> bool {
    let letters = text.chars().rev().take_while(|sign| sign.is_alphabetic()).count();
    match letters {
        0 => !text.is_empty() && !text.ends_with(' '),
        count => count >= 3,
    }
}

/// A sentence as Markdown that shows it as it is.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let signs: Vec<char> = text.chars().collect();
    for (at, sign) in signs.iter().enumerate() {
        let is_word = |at: Option<usize>| {
            at.and_then(|at| signs.get(at))
                .is_some_and(|sign| sign.is_alphanumeric())
        };
        let is_markup = match sign {
            '\\' | '*' | '`' | '[' | ']' => true,
            // A tag or an address.
            '<' => {
                let next = signs.get(at + 1);
                next.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'))
            }
            // Within a word it is no markup.
            '_' => !is_word(at.checked_sub(1)) || !is_word(Some(at + 1)),
            '#' | '>' => at == 0,
            '-' | '+' => at == 0 && signs.get(1).is_some_and(|next| *next == ' '),
            _ => false,
        };
        if is_markup {
            out.push('\\');
        }
        out.push(*sign);
    }
    out
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
            ("*9*5 m* is **45 m**", "9*5 m is 45 m"),
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

    #[test]
    fn a_quote_stands_as_it_is_in_its_source() {
        for (line, quoted, shown) in [
            ("The room is 9*5 m.", "The room is 9*5 m.", r"The room is 9\*5 m."),
            (
                "Take a[i] and  x[2] of `list_of_all`.",
                "Take a[i] and x[2] of `list_of_all`.",
                r"Take a\[i\] and x\[2\] of \`list_of_all\`.",
            ),
            ("Tea is hot.[3][4]", "Tea is hot.", "Tea is hot."),
            (
                "Built in 1822[note 1] by Ann[2].",
                "Built in 1822 by Ann.",
                "Built in 1822 by Ann.",
            ),
            (
                "Buy at https://tea.example/tea today",
                "Buy at … today",
                "Buy at … today",
            ),
            ("# 5 < 6 __init__", "# 5 < 6 __init__", r"\# 5 < 6 \_\_init\_\_"),
            ("<b>bold</b>", "<b>bold</b>", r"\<b>bold\</b>"),
            ("[open", "[open", r"\[open"),
        ] {
            assert_eq!(quote(line), quoted);
            assert_eq!(escaped(quoted), shown);
        }
    }
}
