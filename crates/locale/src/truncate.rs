//! Shortening of texts on character borders.

/// Returns at most `limit` characters of `text`, followed by `…` when characters were removed.
///
/// ```
/// assert_eq!(locale::truncate("żółw", 3), "żół…");
/// assert_eq!(locale::truncate("żółw", 4), "żółw");
/// ```
pub fn truncate(text: &str, limit: usize) -> String {
    let kept = truncate_chars(text, limit);
    if kept.len() < text.len() {
        format!("{kept}…")
    } else {
        text.to_owned()
    }
}

/// Returns the first `limit` characters of `text`, or all of it when it has fewer.
///
/// ```
/// assert_eq!(locale::truncate_chars("żółw", 3), "żół");
/// ```
pub fn truncate_chars(text: &str, limit: usize) -> &str {
    let end = text.char_indices().nth(limit).map_or(text.len(), |(end, _)| end);
    text.get(..end).unwrap_or_default()
}

/// Returns the longest beginning of `text` that has at most `limit` bytes and ends on a character border.
///
/// ```
/// assert_eq!(locale::truncate_bytes("żółw", 5), "żó");
/// ```
pub fn truncate_bytes(text: &str, limit: usize) -> &str {
    text.get(..text.floor_char_boundary(limit)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters_and_marked() {
        assert_eq!(truncate("äöü", 3), "äöü");
        assert_eq!(truncate("äöü", 2), "äö…");
        assert_eq!(truncate("äöü", 0), "…");
        assert_eq!(truncate("", 0), "");
    }

    proptest::proptest! {
        /// What is kept is the longest beginning within the limit.
        #[test]
        fn the_longest_beginning_is_kept(text in ".{0,20}", limit in 0usize..30) {
            let chars = truncate_chars(&text, limit);
            proptest::prop_assert!(text.starts_with(chars));
            proptest::prop_assert_eq!(chars.chars().count(), limit.min(text.chars().count()));
            let bytes = truncate_bytes(&text, limit);
            let next = text.get(bytes.len()..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
            proptest::prop_assert!(text.starts_with(bytes) && bytes.len() <= limit);
            proptest::prop_assert!(bytes.len() == text.len() || bytes.len() + next > limit);
        }
    }
}
