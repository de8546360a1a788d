//! JsonLines: whether lines that come one by one make a whole JSON value, without parsing them all at each line.

use serde::de::IgnoredAny;

/// What the lines so far are the beginning of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum JsonLines {
    /// Blanks only.
    #[default]
    Blank,
    /// An object or array with this many open brackets.
    Open(usize),
    /// As many closed brackets as open ones, or a value without brackets.
    Closed,
    /// Text that no further line can make one JSON value.
    Other,
}

impl JsonLines {
    /// Adds a line.
    pub(super) fn push(&mut self, line: &str) {
        *self = match *self {
            Self::Blank => match line.trim_start().bytes().next() {
                None => Self::Blank,
                Some(b'{' | b'[') => open_after(0, line),
                // Values without brackets have no line ends in them.
                Some(_) if is_whole(line) => Self::Closed,
                Some(_) => Self::Other,
            },
            Self::Open(depth) => open_after(depth, line),
            Self::Closed if line.trim().is_empty() => Self::Closed,
            Self::Closed | Self::Other => Self::Other,
        };
    }

    /// Whether `data`, which consists of the lines, is one whole value. The data is parsed only where their brackets are
    /// closed, and no second time where the answer was no.
    pub(super) fn completes(&mut self, data: &str) -> bool {
        let is_complete = *self == Self::Closed && is_whole(data);
        if *self == Self::Closed && !is_complete {
            *self = Self::Other;
        }
        is_complete
    }
}

/// The state after a line that begins within `depth` brackets.
fn open_after(mut depth: usize, line: &str) -> JsonLines {
    let (mut in_string, mut is_escaped) = (false, false);
    for (at, byte) in line.bytes().enumerate() {
        if in_string {
            in_string = is_escaped || byte != b'"';
            is_escaped = !is_escaped && byte == b'\\';
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth > 1 => depth -= 1,
            b'}' | b']' => {
                let rest = line.get(at + 1..).unwrap_or_default();
                return match rest.trim().is_empty() {
                    true => JsonLines::Closed,
                    false => JsonLines::Other,
                };
            }
            _ => {}
        }
    }
    // A string does not go on in the next line.
    match in_string {
        true => JsonLines::Other,
        false => JsonLines::Open(depth),
    }
}

/// Whether a text is one JSON value, or the mark at the end of a stream.
pub(super) fn is_whole(data: &str) -> bool {
    let data = data.trim();
    data == "[DONE]" || serde_json::from_str::<IgnoredAny>(data).is_ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn after(lines: &[&str]) -> JsonLines {
        let mut state = JsonLines::default();
        lines.iter().for_each(|line| state.push(line));
        state
    }

    #[test]
    fn lines_within_brackets_are_not_parsed() {
        for (lines, state) in [
            (&["", "  "][..], JsonLines::Blank),
            (&["{", "  \"a\": ["], JsonLines::Open(2)),
            (&["[", "\"]}\\\"\"", ", {"], JsonLines::Open(2)),
            (&["{", "}", ""], JsonLines::Closed),
            (&["", "[DONE]"], JsonLines::Closed),
            (&["12"], JsonLines::Closed),
            (&["{", "} and more"], JsonLines::Other),
            (&["{\"a", "b\": 1}"], JsonLines::Other),
            (&["a text", "{}"], JsonLines::Other),
        ] {
            assert_eq!(after(lines), state, "{lines:?}");
        }
    }

    #[test]
    fn what_is_no_value_is_parsed_once() {
        let mut state = after(&["{1}"]);
        assert_eq!(state, JsonLines::Closed);
        assert!(!state.completes("{1}"));
        assert_eq!(state, JsonLines::Other);
    }

    proptest! {
        #[test]
        fn lines_are_complete_where_their_text_is_one_value(
            lines in prop::collection::vec("[\\[\\]{}\":,1a \\\\]{0,6}|\\[DONE\\]|\\{\"a\":|1\\}", 1..5),
        ) {
            let mut state = JsonLines::default();
            lines.iter().for_each(|line| state.push(line));
            let data = lines.join("\n");
            prop_assert_eq!(state.completes(&data), is_whole(&data));
        }
    }
}
