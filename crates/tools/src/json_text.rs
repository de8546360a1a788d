//! JSON text whose numbers may be larger than tools pass on.

use serde_json::Value;

/// JSON that was read.
pub(crate) struct JsonText {
    pub(crate) value: Value,
    /// How many of its numbers no 64-bit number holds; they are texts in `value`.
    pub(crate) long_numbers: usize,
}

impl JsonText {
    /// Reads JSON. A whole number beyond 64 bits, or a number beyond the range of floating point, is the text that is written,
    /// so that no digit of it is lost.
    ///
    /// # Errors
    /// When the text is no JSON.
    pub(crate) fn read(text: &str) -> Result<JsonText, serde_json::Error> {
        let read = serde_json::from_str::<Value>(text);
        let is_usual = read.as_ref().is_err_and(|error| !is_out_of_range(error));
        let spans = if is_usual { Vec::new() } else { long_numbers(text) };
        if spans.is_empty() {
            return read.map(|value| JsonText {
                value,
                long_numbers: 0,
            });
        }
        let mut quoted = String::with_capacity(text.len() + 2 * spans.len());
        let mut from = 0;
        for (start, end) in &spans {
            quoted.push_str(text.get(from..*start).unwrap_or_default());
            quoted.push('"');
            quoted.push_str(text.get(*start..*end).unwrap_or_default());
            quoted.push('"');
            from = *end;
        }
        quoted.push_str(text.get(from..).unwrap_or_default());
        serde_json::from_str(&quoted).map(|value| JsonText {
            value,
            long_numbers: spans.len(),
        })
    }

    /// What a reader of the value is told of its long numbers.
    pub(crate) fn warning(&self) -> Option<String> {
        (self.long_numbers > 0).then(|| {
            format!(
                "{} number(s) do not fit 64 bits and are given as text",
                self.long_numbers
            )
        })
    }
}

fn is_out_of_range(error: &serde_json::Error) -> bool {
    error.to_string().starts_with("number out of range")
}

/// Where the numbers of a JSON text stand that no 64-bit number holds, as byte offsets.
fn long_numbers(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let (mut found, mut at, mut is_quoted) = (Vec::new(), 0, false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if is_quoted => at += 1,
            b'"' => is_quoted = !is_quoted,
            b'-' | b'0'..=b'9' if !is_quoted => {
                let start = at;
                let is_of_number = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
                while bytes.get(at).is_some_and(is_of_number) {
                    at += 1;
                }
                if text.get(start..at).is_some_and(is_long) {
                    found.push((start, at));
                }
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Whether a number is whole and beyond 64 bits, or beyond the range of floating point.
fn is_long(number: &str) -> bool {
    const EDGE: f64 = 9_223_372_036_854_775_808.0;
    if number.parse::<i64>().is_ok() {
        return false;
    }
    let is_beyond = |number: f64| number.fract() == 0.0 && !(-EDGE..EDGE).contains(&number);
    // JSON has no leading zeros and no numbers that end with a point; what is no number stays an error.
    let is_number =
        serde_json::from_str::<serde_json::Number>(number).map_or_else(|it| is_out_of_range(&it), |_| true);
    is_number
        && number
            .parse::<f64>()
            .is_ok_and(|number| !number.is_finite() || is_beyond(number))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn long_numbers_keep_all_their_digits() {
        let read = JsonText::read(
            r#"{"a": 9223372036854775999, "b": [-1e400, 12, 1.5, "say \"9223372036854775999\""], "c": 1e3}"#,
        )
        .unwrap();
        assert_eq!(
            read.value,
            json!({"a": "9223372036854775999", "b": ["-1e400", 12, 1.5, "say \"9223372036854775999\""], "c": 1e3})
        );
        assert_eq!(read.long_numbers, 2);
        assert!(read.warning().is_some());
        let usual = JsonText::read("[9223372036854775807, -9223372036854775808]").unwrap();
        assert_eq!(usual.long_numbers, 0);
        assert_eq!(usual.warning(), None);
    }

    #[test]
    fn what_is_no_json_stays_an_error() {
        for text in [
            "",
            "{",
            "[1,]",
            "[09223372036854775999]",
            "9223372036854775999-1",
            "\"open",
            "\\",
            "1e400 x",
        ] {
            assert!(JsonText::read(text).is_err(), "{text}");
        }
    }
}
