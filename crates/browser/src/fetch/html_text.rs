//! Text written as HTML.

/// A text as HTML that means the same, also within an attribute in double quotes.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}
