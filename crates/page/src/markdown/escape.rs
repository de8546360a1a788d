//! Escaping of characters that Markdown would read as markup.
//!
//! Only what could be markup where it stands is escaped: a model pays for every backslash.

/// What a byte of text may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteClass {
    Plain,
    Space,
    /// The first byte of a character that may be white space of another kind.
    Lead,
    Special,
}

/// The class of each byte.
pub(super) static BYTE_CLASS: [ByteClass; 256] = classes();

const fn classes() -> [ByteClass; 256] {
    let mut table = [ByteClass::Plain; 256];
    let mut control = 0;
    while control <= b' ' as usize {
        table[control] = ByteClass::Space;
        control += 1;
    }
    table[0xc2] = ByteClass::Lead;
    table[0xe2] = ByteClass::Lead;
    let special = b"\\`*_[]<&~|";
    let mut at = 0;
    while at < special.len() {
        table[special[at] as usize] = ByteClass::Special;
        at += 1;
    }
    table
}

/// White space beyond ASCII at the start of `rest`: its length, and whether it keeps its width.
/// What some programs read as a line end (U+0085, U+2028, U+2029) is a space in Markdown.
pub(super) fn wide_space(rest: &[u8]) -> Option<(usize, bool)> {
    match rest {
        [0xc2, 0xa0, ..] => Some((2, true)),
        [0xc2, 0x85, ..] => Some((2, false)),
        [0xe2, 0x80, 0xa8 | 0xa9, ..] => Some((3, false)),
        _ => None,
    }
}

/// The surroundings of a special character.
pub(super) struct EscapeContext {
    /// The character before it, if any is on the line.
    pub(super) before: Option<u8>,
    /// Inside the text of a link.
    pub(super) link: bool,
    /// Inside a cell of a table.
    pub(super) cell: bool,
}

/// Whether the special character at the start of `rest` needs a backslash. At the end of a text
/// node the neighbour is unknown, so it gets one.
pub(super) fn needs_backslash(rest: &[u8], place: &EscapeContext) -> bool {
    let (Some(own), next) = (rest.first(), rest.get(1)) else {
        return false;
    };
    let blank = |byte: Option<u8>| byte.is_none_or(|byte| byte.is_ascii_whitespace());
    match own {
        b'`' | b'[' => true,
        b'\\' => next.is_none_or(u8::is_ascii_punctuation),
        b'*' => !(blank(place.before) && next.is_some_and(u8::is_ascii_whitespace)),
        b'_' => {
            let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
            let inside = place.before.is_some_and(|byte| word(&byte)) && next.is_some_and(word);
            let apart = blank(place.before) && next.is_some_and(u8::is_ascii_whitespace);
            !(inside || apart)
        }
        b']' => place.link,
        b'<' => next.is_none_or(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'!' | b'?')),
        b'&' => {
            let name = rest
                .iter()
                .skip(1)
                .take(32)
                .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'#');
            let end = 1 + name.count();
            rest.get(end).is_none_or(|byte| *byte == b';')
        }
        b'~' => next.is_none_or(|byte| *byte == b'~') || place.before == Some(b'~'),
        b'|' => place.cell,
        _ => false,
    }
}

/// How many bytes at the start of a line stand before the place where a backslash keeps the line
/// from being a heading, quote, list item, rule, or row of a table.
pub(super) fn line_start(rest: &[u8]) -> Option<usize> {
    let blank_at = |at: usize| rest.get(at).is_none_or(u8::is_ascii_whitespace);
    let run = |byte: u8| rest.iter().take_while(|next| **next == byte).count();
    match rest.first()? {
        b'#' => {
            let marks = run(b'#');
            (marks <= 6 && blank_at(marks)).then_some(0)
        }
        b'>' => Some(0),
        // A run of equal signs or dashes underlines a heading or makes a rule; with bars it makes
        // the line above the head of a table.
        b'=' => rest
            .iter()
            .all(|byte| *byte == b'=' || byte.is_ascii_whitespace())
            .then_some(0),
        b'-' | b':' => {
            let only = rest
                .iter()
                .all(|byte| b"-:|".contains(byte) || byte.is_ascii_whitespace());
            (only || (rest.starts_with(b"-") && blank_at(1))).then_some(0)
        }
        b'+' => blank_at(1).then_some(0),
        b'*' | b'|' | b'_' | b'~' | b'`' => None,
        b'0'..=b'9' => {
            let digits = digits(rest);
            let stop = matches!(rest.get(digits), Some(b'.' | b')'));
            (digits <= 9 && stop && blank_at(digits + 1)).then_some(digits)
        }
        _ => None,
    }
}

/// How many digits stand first.
pub(super) fn digits(rest: &[u8]) -> usize {
    rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
}
