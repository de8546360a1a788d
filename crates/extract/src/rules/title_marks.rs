//! Marks between the parts of a `<title>`: the title of the page, its section, the name of the site.

/// What stands between the parts of a `<title>`.
pub(super) const MARKS: [&str; 14] = [
    " | ", " - ", " – ", " — ", " :: ", " » ", " · ", " • ", " « ", " / ", " ~ ", " < ", "｜", "│",
];

/// What stands behind the last mark of a title.
pub(super) fn last_part(title: &str) -> Option<&str> {
    let ends = MARKS
        .iter()
        .filter_map(|mark| title.rfind(mark).map(|at| at + mark.len()));
    let last = title.get(ends.max()?..)?.trim();
    (!last.is_empty()).then_some(last)
}
