//! What the addresses of a page lead to, by how they end.

/// Whether the path of an address, without its query and fragment, has one of these endings, in any case.
pub(crate) fn has_ending(address: &str, endings: &[&str]) -> bool {
    let path = address
        .split(['?', '#'])
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    endings.iter().any(|ending| path.ends_with(ending))
}
