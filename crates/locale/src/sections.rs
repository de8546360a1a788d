//! Data files beside the code: lines in named sections.

/// Iterates over the lines of a data file as (section, line). `[name]` opens a section; empty lines and lines that begin
/// with `# ` are left out.
pub(crate) fn lines(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut section = "";
    file.lines().filter_map(move |line| {
        if line.is_empty() || line.starts_with("# ") || line == "#" {
            return None;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name;
            return None;
        }
        Some((section, line))
    })
}
