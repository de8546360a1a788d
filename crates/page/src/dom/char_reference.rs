//! Character references such as `&amp;` and `&#160;`.
//!
//! <https://html.spec.whatwg.org/multipage/parsing.html#character-reference-state>; the names come
//! from the table that ships with the tree builder.

use markup5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};

/// A reference that was read.
pub(super) struct CharReference {
    pub(super) first: char,
    pub(super) second: Option<char>,
    /// Its length in bytes, with the `&`.
    pub(super) len: usize,
}

/// The most frequent references.
const COMMON: [(&[u8], char); 6] = [
    (b"amp;", '&'),
    (b"quot;", '"'),
    (b"nbsp;", '\u{a0}'),
    (b"lt;", '<'),
    (b"gt;", '>'),
    (b"apos;", '\''),
];

/// Reads the reference that begins at the `&` at the start of `text`; none when it is a plain `&`.
pub(super) fn read(text: &str, in_attribute: bool) -> Option<CharReference> {
    let bytes = text.as_bytes();
    match bytes.get(1)? {
        b'#' => numeric(bytes),
        byte if byte.is_ascii_alphanumeric() => named(text, in_attribute),
        _ => None,
    }
}

fn named(text: &str, in_attribute: bool) -> Option<CharReference> {
    let after = text.get(1..)?;
    for (name, first) in COMMON {
        if after.as_bytes().starts_with(name) {
            return Some(CharReference {
                first,
                second: None,
                len: name.len() + 1,
            });
        }
    }
    // The table holds each name and each beginning of one; a beginning stands for nothing.
    let mut best = None;
    for (index, byte) in after.bytes().enumerate() {
        if !(byte.is_ascii_alphanumeric() || byte == b';') {
            break;
        }
        let Some(&(first, second)) = NAMED_ENTITIES.get(after.get(..=index)?) else {
            break;
        };
        if first != 0 {
            best = Some((first, second, index + 1));
        }
        if byte == b';' {
            break;
        }
    }
    let (first, second, len) = best?;
    let next = after.as_bytes().get(len);
    let open = after.as_bytes().get(len - 1) != Some(&b';');
    if in_attribute && open && next.is_some_and(|byte| *byte == b'=' || byte.is_ascii_alphanumeric()) {
        return None;
    }
    let second = if second == 0 { None } else { char::from_u32(second) };
    Some(CharReference {
        first: char::from_u32(first)?,
        second,
        len: len + 1,
    })
}

fn numeric(bytes: &[u8]) -> Option<CharReference> {
    let (base, from) = match bytes.get(2)? {
        b'x' | b'X' => (16, 3),
        _ => (10, 2),
    };
    let digits = bytes
        .iter()
        .skip(from)
        .take_while(|byte| char::from(**byte).is_digit(base))
        .count();
    if digits == 0 {
        return None;
    }
    let number = bytes
        .iter()
        .skip(from)
        .take(digits)
        .filter_map(|byte| char::from(*byte).to_digit(base))
        .fold(0u32, |number, digit| {
            number.saturating_mul(base).saturating_add(digit).min(0x11_0000)
        });
    let end = from + digits;
    let len = end + usize::from(bytes.get(end) == Some(&b';'));
    let first = match number {
        0 => '\u{fffd}',
        0x80..=0x9f => C1_REPLACEMENTS
            .get(number as usize - 0x80)
            .copied()
            .flatten()
            .or(char::from_u32(number))
            .unwrap_or('\u{fffd}'),
        number => char::from_u32(number).unwrap_or('\u{fffd}'),
    };
    Some(CharReference {
        first,
        second: None,
        len,
    })
}
