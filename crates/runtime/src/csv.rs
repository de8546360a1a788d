//! Fields of CSV files (RFC 4180) that spreadsheets open.

/// A field as it stands in a line.
#[must_use]
pub fn field(value: &str) -> String {
    match value.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", value.replace('"', "\"\"")),
        false => value.to_owned(),
    }
}

/// A field for text that others wrote. What a spreadsheet would take for a formula begins with an apostrophe.
#[must_use]
pub fn text_field(text: &str) -> String {
    match text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        true => field(&format!("'{text}")),
        false => field(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_no_formula_and_a_number_stays_one() {
        assert_eq!(text_field("=1+1"), "'=1+1");
        assert_eq!(text_field("\t=1+1"), "'\t=1+1");
        assert_eq!(text_field("a, \"b\""), "\"a, \"\"b\"\"\"");
        assert_eq!(field("-5"), "-5");
    }
}
