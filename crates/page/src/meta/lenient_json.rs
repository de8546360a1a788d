//! A lenient reader of JSON as pages write it: errors of form are read over, and nothing missing is made up.
//!
//! Read beyond the standard: comments (`//`, `/* */`, `<!-- -->`), CDATA marks, commas before a closing bracket,
//! line breaks and other control characters in strings, unknown escapes, strings in single quotes, several values one after
//! another, and anything after a value. What begins as a number and is none (`02139`, `19,99`) is a text. A member of an object without
//! a value, or whose value is a bare word, is left out; quotation marks within the text of a member are part of it where the text
//! ends on the same line. A value that is cut off is no value.

use locale::nesting::{Grammar, depth};
use serde_json::{Map, Number, Value};

/// The deepest nesting that is read; deeper values are refused.
const MAX_DEPTH: usize = 100;
/// The most values read from one text.
const MAX_VALUES: usize = 1000;

/// Every whole object or array at the top of the text, in order.
pub(super) fn values(text: &str) -> Vec<Value> {
    let text = text.trim().trim_start_matches('\u{feff}');
    match serde_json::from_str::<Value>(text) {
        Ok(_) if depth(text, &Grammar::JSON) > MAX_DEPTH => return Vec::new(),
        Ok(value @ (Value::Object(_) | Value::Array(_))) => return vec![value],
        Ok(_) => return Vec::new(),
        Err(_) => {}
    }
    let mut reader = LenientJsonReader { text, at: 0 };
    let mut out = Vec::new();
    while out.len() < MAX_VALUES {
        reader.skip_to_value();
        if reader.at >= text.len() {
            break;
        }
        let Some(value) = reader.value() else { break };
        out.push(value);
    }
    out
}

/// One value at the start of the text, with the number of bytes it takes.
pub(super) fn first(text: &str) -> Option<(Value, usize)> {
    let mut reader = LenientJsonReader { text, at: 0 };
    reader.skip_space();
    let value = reader.value()?;
    Some((value, reader.at))
}

/// A collection that is still open.
enum OpenValue {
    Array(Vec<Value>),
    /// With the key whose value comes next.
    Object(Map<String, Value>, String),
}

struct LenientJsonReader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> LenientJsonReader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Skips white space, comments and CDATA marks.
    fn skip_space(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed =
                rest.trim_start_matches(|c: char| c.is_whitespace() || c.is_control() || c == '\u{feff}');
            self.at += rest.len() - trimmed.len();
            let skipped = if trimmed.starts_with("//") {
                trimmed.find('\n').unwrap_or(trimmed.len())
            } else if trimmed.starts_with("/*") {
                trimmed.find("*/").map_or(trimmed.len(), |end| end + 2)
            } else if trimmed.starts_with("<!--") {
                html_comment(trimmed)
            } else if trimmed.starts_with("-->") || trimmed.starts_with("]]>") {
                3
            } else if trimmed.starts_with("<![CDATA[") {
                9
            } else {
                return;
            };
            self.at += skipped;
        }
    }

    /// Skips whatever stands between values, such as `;` and `,`.
    fn skip_to_value(&mut self) {
        loop {
            self.skip_space();
            match self.peek() {
                None | Some(b'{' | b'[') => return,
                Some(_) => {
                    let step = self.rest().chars().next().map_or(1, char::len_utf8);
                    self.at += step;
                }
            }
        }
    }

    /// One value. Nesting is kept on a stack of our own, so that depth costs no call stack.
    fn value(&mut self) -> Option<Value> {
        let mut stack: Vec<OpenValue> = Vec::new();
        loop {
            self.skip_space();
            let mut done = match self.peek()? {
                b'[' => {
                    self.at += 1;
                    stack.push(OpenValue::Array(Vec::new()));
                    None
                }
                b'{' => {
                    self.at += 1;
                    stack.push(OpenValue::Object(Map::new(), String::new()));
                    None
                }
                _ => {
                    let from = self.at;
                    let value = self.scalar();
                    let is_member = matches!(stack.last(), Some(OpenValue::Object(..)));
                    if value.is_none() && !(is_member && self.skip_word(from)) {
                        return None;
                    }
                    value
                }
            };
            if stack.len() > MAX_DEPTH {
                return None;
            }
            // Close what ends here, then stand before the next value.
            loop {
                let Some(open) = stack.last_mut() else { return done };
                let fresh = done.is_none();
                if let Some(value) = done.take() {
                    match open {
                        OpenValue::Array(list) => list.push(value),
                        OpenValue::Object(map, key) => {
                            let value = match (value, self.fraction_behind_comma()) {
                                (Value::Number(whole), Some(digits)) => {
                                    Value::String(format!("{whole},{digits}"))
                                }
                                (Value::String(text), None) => Value::String(self.with_quotes_within(text)),
                                (value, _) => value,
                            };
                            map.insert(std::mem::take(key), value);
                        }
                    }
                }
                self.skip_space();
                let mut comma = fresh;
                while self.eat(b',') {
                    comma = true;
                    self.skip_space();
                }
                let closing = if matches!(open, OpenValue::Array(_)) {
                    b']'
                } else {
                    b'}'
                };
                if self.eat(closing) {
                    done = match stack.pop()? {
                        OpenValue::Array(list) => Some(Value::Array(list)),
                        OpenValue::Object(map, _) => Some(Value::Object(map)),
                    };
                    continue;
                }
                if !comma {
                    return None;
                }
                if let OpenValue::Object(_, key) = open {
                    *key = self.key()?;
                }
                break;
            }
        }
    }

    fn key(&mut self) -> Option<String> {
        let key = self.string()?;
        self.skip_space();
        self.eat(b':').then_some(key)
    }

    fn scalar(&mut self) -> Option<Value> {
        if matches!(self.peek(), Some(b'"' | b'\'')) {
            return self.string().map(Value::String);
        }
        let rest = self.rest();
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c)))
            .unwrap_or(rest.len());
        let word = rest.get(..end)?;
        self.at += end;
        match word {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            "null" | "undefined" | "NaN" => Some(Value::Null),
            number => match serde_json::from_str::<Number>(number) {
                Ok(number) => Some(Value::Number(number)),
                Err(_) => self.odd_number(number).map(Value::String),
            },
        }
    }

    /// The text of what has the signs of a number and is none of JSON: `02139`, `+1`, `.5`.
    fn odd_number(&self, word: &str) -> Option<String> {
        let is_of_number = |c: char| c.is_ascii_digit() || "+-.".contains(c);
        let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
        (has_digit && word.chars().all(is_of_number)).then(|| word.to_owned())
    }

    /// The digits of a fraction behind a comma in an object, where a key would follow: `"price": 19,99, "name": ...`. The next value
    /// of a list is a number, too.
    fn fraction_behind_comma(&mut self) -> Option<&'a str> {
        let rest = self.rest().strip_prefix(',')?;
        let count = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, behind) = rest.split_at_checked(count).filter(|_| count > 0)?;
        let closes = behind.trim_start().starts_with([',', '}']);
        closes.then(|| {
            self.at += 1 + count;
            digits
        })
    }

    /// Skips a bare word, or nothing, that stands from `from` to the end of a member. False where more stands there.
    fn skip_word(&mut self, from: usize) -> bool {
        let rest = self.text.get(from..).unwrap_or("");
        let end = rest.find(|c: char| ",}]\"'{[(".contains(c) || c.is_control());
        let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
        self.at = from + word.len();
        behind.trim_start().starts_with([',', '}'])
    }

    /// The text of a member that was read up to a quotation mark, with what follows where that mark is within it: `"the "best" tea"`.
    /// Its end is the first mark on the line with the end of the object or the next key behind it.
    fn with_quotes_within(&mut self, text: String) -> String {
        let rest = self.rest();
        let is_ended = rest.trim_start().is_empty() || rest.trim_start().starts_with([',', '}', '/', '<']);
        if is_ended
            || !self
                .text
                .get(..self.at)
                .is_some_and(|before| before.ends_with('"'))
        {
            return text;
        }
        let line = rest.lines().next().unwrap_or_default();
        let is_end = |end: &usize| {
            let behind = rest.get(end + 1..).unwrap_or_default().trim_start();
            let key = behind
                .strip_prefix(',')
                .and_then(|behind| behind.trim_start().strip_prefix('"'));
            let key = key.and_then(|key| key.split_once('"'));
            behind.starts_with('}') || key.is_some_and(|(_, behind)| behind.trim_start().starts_with(':'))
        };
        let end = line.match_indices('"').map(|(end, _)| end).find(is_end);
        let more = end.and_then(|end| rest.get(..end));
        // A key within it says that a comma is missing.
        match more.filter(|more| !more.contains('\\') && !more.replace(' ', "").contains("\":")) {
            Some(more) => {
                self.at += more.len() + 1;
                format!("{text}\"{more}")
            }
            None => text,
        }
    }

    fn string(&mut self) -> Option<String> {
        let quote = match self.peek()? {
            quote @ (b'"' | b'\'') => quote,
            _ => return None,
        };
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = self.rest();
            let plain = rest.find([char::from(quote), '\\'])?;
            out.push_str(rest.get(..plain)?);
            self.at += plain + 1;
            if rest.as_bytes().get(plain) == Some(&quote) {
                return Some(out);
            }
            self.escape(&mut out)?;
        }
    }

    /// What follows a backslash. An escape that JSON does not know stands for its character, as in JavaScript.
    fn escape(&mut self, out: &mut String) -> Option<()> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        match c {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            'u' => {
                let first = self.hex(4)?;
                let second = (0xd800..0xdc00)
                    .contains(&first)
                    .then(|| self.low_surrogate())
                    .flatten();
                let code = second.map_or(first, |second| {
                    0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
                });
                out.push(char::from_u32(code).unwrap_or('\u{fffd}'));
            }
            'x' => out.push(char::from_u32(self.hex(2)?)?),
            other => out.push(other),
        }
        Some(())
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        let value = u32::from_str_radix(self.rest().get(..digits)?, 16).ok()?;
        self.at += digits;
        Some(value)
    }

    fn low_surrogate(&mut self) -> Option<u32> {
        let digits = self.rest().strip_prefix("\\u")?.get(..4)?;
        let value = u32::from_str_radix(digits, 16)
            .ok()
            .filter(|value| (0xdc00..0xe000).contains(value))?;
        self.at += 6;
        Some(value)
    }
}

/// How much to skip at `<!--`: the comment, or only the mark when the comment holds the value itself.
fn html_comment(text: &str) -> usize {
    match text.find("-->") {
        Some(end) if !text.get(..end).unwrap_or("").contains(['{', '[']) => end + 3,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_wrong_only_in_form_is_read() {
        let whole = json!([{"a": [1, {"b": "c"}]}]);
        let cases = [
            r#"{"a":[1,{"b":"c"}]};"#,
            r#"{"a":[1,{"b":"c",},],}"#,
            "<!-- note -->\n{\"a\":[1,{\"b\":\"c\"}]}",
            "<!--\n{\"a\":[1,{\"b\":\"c\"}]}\n-->",
            "//<![CDATA[\n{\"a\":[1,{\"b\":\"c\"}]}\n//]]>",
            "/* <![CDATA[ */ {\"a\":[1, // one\n {\"b\":\"c\"}]} /* ]]> */",
            "var x = {\"a\":[1,{\"b\":\"c\"}]}",
        ];
        for text in cases {
            assert_eq!(Value::Array(values(text)), whole, "{text}");
        }
    }

    #[test]
    fn strings_keep_line_breaks_and_unknown_escapes() {
        let text = "{\"a\": \"one\ntwo\", \"b\": \"it\\'s \\u00e9 \\ud83d\\ude00 <!-- x -->\"}";
        assert_eq!(
            values(text),
            [json!({"a": "one\ntwo", "b": "it's é 😀 <!-- x -->"})]
        );
    }

    #[test]
    fn several_values_are_all_read() {
        assert_eq!(values("{\"a\":1}\n{\"b\":2}"), [json!({"a": 1}), json!({"b": 2})]);
    }

    #[test]
    fn one_odd_number_does_not_lose_the_others() {
        for (text, value) in [
            ("{\"a\": 02139, \"b\": 2}", json!({"a": "02139", "b": 2})),
            ("{\"a\": 19,99, \"b\": 2}", json!({"a": "19,99", "b": 2})),
            ("{\"a\": 19,99}", json!({"a": "19,99"})),
            ("{\"a\": .5, \"b\": +1}", json!({"a": ".5", "b": "+1"})),
            ("{\"a\": [1,2], \"b\": 1,}", json!({"a": [1, 2], "b": 1})),
            ("{\"a\": , \"b\": 2}", json!({"b": 2})),
            (
                "{\"b\": {\"a\":\n}, \"c\": N/A, \"d\": 3}",
                json!({"b": {}, "d": 3}),
            ),
            (
                "{\"a\": \"the \"best\" tea, by \"us\"\", \"b\": [\"x\"]}",
                json!({"a": "the \"best\" tea, by \"us\"", "b": ["x"]}),
            ),
            ("{\"a\": \"13\" display\"}", json!({"a": "13\" display"})),
            (
                "{'a': 'say \"x\"', 'b': 'it\\'s'}",
                json!({"a": "say \"x\"", "b": "it's"}),
            ),
        ] {
            assert_eq!(values(text), [value], "{text}");
        }
    }

    #[test]
    fn what_is_missing_is_not_made_up() {
        let broken = [
            "",
            "{",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":1",
            "[1",
            "[1 2]",
            "{\"a\" 1}",
            "{a:1}",
            "{\"a\":\"b}",
            "{\"a\":tru",
            "{\"a\": \"b\" \"c\"",
            "{\"a\": foo(1), \"b\": 2}",
            "{\"a\": \"b\" \"c\": \"d\"}",
            "[tru]",
        ];
        for text in broken {
            assert_eq!(values(text), Vec::<Value>::new(), "{text}");
        }
        assert_eq!(values(&"[".repeat(100_000)), Vec::<Value>::new());
        for (depth, read) in [(100, 1), (101, 0), (120, 0)] {
            let text = "[".repeat(depth) + &"]".repeat(depth);
            assert_eq!(values(&text).len(), read, "{depth}");
            assert_eq!(values(&format!("{text};")).len(), read, "{depth}");
        }
    }

    proptest::proptest! {
        /// Whatever serde_json writes is read back the same, also with noise around it.
        #[test]
        fn written_values_come_back(keys in proptest::collection::vec(".{0,6}", 0..5), n: i64) {
            let value = json!({"k": keys, "n": n});
            proptest::prop_assert_eq!(values(&format!("{value};")), vec![value]);
        }

        #[test]
        fn any_text_is_read_without_a_panic(text in "[\\[\\]{}\",:a\\\\u0-9/*<!-]{0,40}") {
            let _ = values(&text);
        }
    }
}
