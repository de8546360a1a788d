//! Shortening of texts for people and models.

/// Returns at most `limit` characters of `text`, followed by `…` when characters were removed.
pub fn truncate(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::truncate;

    #[test]
    fn a_text_is_cut_between_characters_and_marked() {
        assert_eq!(truncate("äöü", 3), "äöü");
        assert_eq!(truncate("äöü", 2), "äö…");
        assert_eq!(truncate("äöü", 0), "…");
        assert_eq!(truncate("", 0), "");
    }
}
