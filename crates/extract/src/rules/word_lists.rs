//! Word lists kept in text files beside the code that uses them.
//!
//! A line `[name]` opens a section. The lines below it hold its words or phrases, in an order that may matter: words are
//! parted by white space, phrases by semicolons. Lines that begin with `# ` are comments.

/// The sections of a list in order: the name of each, and its lines.
pub(super) fn sections(list: &'static str) -> Vec<(&'static str, Vec<&'static str>)> {
    let mut sections: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in list
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with("# "))
    {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            sections.push((name, Vec::new()));
        } else if let Some((_, lines)) = sections.last_mut() {
            lines.push(line);
        }
    }
    sections
}

/// The phrases of some lines.
pub(super) fn phrases(lines: &[&'static str]) -> Vec<&'static str> {
    lines
        .iter()
        .flat_map(|line| line.split(';'))
        .map(str::trim)
        .filter(|phrase| !phrase.is_empty())
        .collect()
}

/// The phrases of the section of that name; none when there is no such section.
pub(super) fn section(list: &'static str, name: &str) -> Vec<&'static str> {
    let section = sections(list).into_iter().find(|(known, _)| *known == name);
    section.map(|(_, lines)| phrases(&lines)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_section_by_section() {
        let list = "# Words.\n[one]\na; b c;\nitem #\n\n[two]\nd";
        assert_eq!(section(list, "one"), ["a", "b c", "item #"]);
        assert_eq!(section(list, "two"), ["d"]);
        assert_eq!(section(list, "three"), [""; 0]);
    }
}
