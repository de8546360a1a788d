//! Signs that say yes or no: what a cell of a table shows where another one writes a word.

/// Signs for yes, and for no.
const YES: [char; 4] = ['✓', '✔', '✅', '☑'];
const NO: [char; 5] = ['✗', '✘', '✕', '✖', '❌'];
/// Behind a sign: that it is shown as a picture, or as a text.
const VARIANTS: [char; 2] = ['\u{fe0e}', '\u{fe0f}'];

/// "yes" of a check mark and "no" of a cross; any other text as it is.
pub(crate) fn in_words(text: &str) -> &str {
    let mut signs = text.trim().trim_end_matches(VARIANTS).chars();
    match (signs.next(), signs.next()) {
        (Some(sign), None) if YES.contains(&sign) => "yes",
        (Some(sign), None) if NO.contains(&sign) => "no",
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn a_check_mark_says_yes_and_a_cross_no() {
        assert_eq!(
            [" ✓", "✔\u{fe0f}", "✗", "❌"].map(in_words),
            ["yes", "yes", "no", "no"]
        );
        assert_eq!(
            ["★★", "–", "✓ extra", ""].map(in_words),
            ["★★", "–", "✓ extra", ""]
        );
    }
}
