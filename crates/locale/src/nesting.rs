//! How deeply brackets are nested in a text, counted without recursion before a recursive parser reads the text.
//!
//! ```
//! use locale::nesting::{Grammar, depth};
//!
//! assert_eq!(depth("[{\"a\": \"[[[\"}]", &Grammar::JSON), 2);
//! assert_eq!(depth(":is(:not(a[href=\")\"]))", &Grammar::CSS), 3);
//! ```

/// The brackets, strings and comments of a language.
#[derive(Debug, Clone, Copy)]
pub struct Grammar {
    /// Opening brackets.
    pub open: &'static [u8],
    /// Closing brackets. Which one closes which does not matter for the depth.
    pub close: &'static [u8],
    /// Marks that begin a string and end it.
    pub quotes: &'static [u8],
    /// Whether a backslash outside of strings takes the next character for itself.
    pub escapes_outside: bool,
    /// Whether a string that is not closed ends with its line.
    pub strings_end_with_line: bool,
    /// Whether `/* */` is a comment.
    pub comments: bool,
}

impl Grammar {
    /// JSON (RFC 8259).
    pub const JSON: Grammar = Grammar {
        open: b"[{",
        close: b"]}",
        quotes: b"\"",
        escapes_outside: false,
        strings_end_with_line: false,
        comments: false,
    };
    /// CSS values and selectors (CSS Syntax Module Level 3).
    pub const CSS: Grammar = Grammar {
        open: b"([{",
        close: b")]}",
        quotes: b"\"'",
        escapes_outside: true,
        strings_end_with_line: true,
        comments: true,
    };

    /// The bytes of a text that are neither in strings or comments nor escaped, in order.
    pub fn code<'t>(&self, text: &'t str) -> Code<'t> {
        Code {
            grammar: *self,
            bytes: text.as_bytes(),
            at: 0,
        }
    }
}

/// The bytes of a text outside of strings, comments and escapes; see [`Grammar::code`].
#[derive(Debug, Clone)]
pub struct Code<'t> {
    grammar: Grammar,
    bytes: &'t [u8],
    at: usize,
}

impl Code<'_> {
    /// Moves behind a string whose opening quote was read.
    fn skip_string(&mut self, quote: u8) {
        while let Some(byte) = self.bytes.get(self.at).copied() {
            match byte {
                b'\\' => self.at += 2,
                b'\n' | b'\r' | 0x0c if self.grammar.strings_end_with_line => return,
                _ => self.at += 1,
            }
            if byte == quote {
                return;
            }
        }
    }

    /// Moves behind a comment whose first byte was read.
    fn skip_comment(&mut self) {
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        let end = rest.windows(2).position(|pair| pair == b"*/");
        self.at = end.map_or(self.bytes.len(), |end| self.at + 1 + end + 2);
    }
}

impl Iterator for Code<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        loop {
            let byte = self.bytes.get(self.at).copied()?;
            self.at += 1;
            if self.grammar.quotes.contains(&byte) {
                self.skip_string(byte);
            } else if byte == b'\\' && self.grammar.escapes_outside {
                self.at += 1;
            } else if byte == b'/' && self.grammar.comments && self.bytes.get(self.at) == Some(&b'*') {
                self.skip_comment();
            } else {
                return Some(byte);
            }
        }
    }
}

/// The deepest nesting of brackets in a text; 0 when it has none. Linear in its length, whatever it holds.
pub fn depth(text: &str, grammar: &Grammar) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0_usize);
    for byte in grammar.code(text) {
        if grammar.open.contains(&byte) {
            depth += 1;
            deepest = deepest.max(depth);
        } else if grammar.close.contains(&byte) {
            depth = depth.saturating_sub(1);
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_in_strings_comments_and_escapes_do_not_count() {
        for (text, json, css) in [
            ("", 0, 0),
            ("a > b", 0, 0),
            ("[[]][[[]]]", 3, 3),
            (r#"{"a": "\"[[["}"#, 1, 1),
            (r#"["\\", [1]]"#, 2, 2),
            ("{\"a\nb[[\": [1]}", 2, 3),
            (":is(:not(a))", 0, 2),
            ("[a=')'][b=\")\"]", 1, 1),
            (r"a\(b\[c(d)", 1, 1),
            ("/* \" ( */ :is(:is(a))", 0, 2),
            ("/* ((( ", 0, 0),
            ("]]]]]a[", 1, 1),
        ] {
            assert_eq!(depth(text, &Grammar::JSON), json, "{text} as JSON");
            assert_eq!(depth(text, &Grammar::CSS), css, "{text} as CSS");
        }
    }

    #[test]
    fn a_million_brackets_are_counted() {
        assert_eq!(depth(&"[".repeat(1_000_000), &Grammar::JSON), 1_000_000);
        assert_eq!(depth(&":is(".repeat(1_000_000), &Grammar::CSS), 1_000_000);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_to_its_end(text in "[\\[\\](){}\"'\\\\/*\n:a é]{0,60}") {
            let opened = |grammar: &Grammar| text.bytes().filter(|byte| grammar.open.contains(byte)).count();
            for grammar in [Grammar::JSON, Grammar::CSS] {
                proptest::prop_assert!(depth(&text, &grammar) <= opened(&grammar));
            }
        }
    }
}
