//! A line right below the heading of a page that names its author.

use super::names::{is_shown_name, names};
use crate::provenance::Sourced;
use crate::rules::element_source::element_source;
use crate::rules::visible_page::VisiblePage;

locale::patterns! {
    /// The words before the author in a line: at its beginning, behind a mark or behind a year.
    static BEFORE_NAME = r"(?:^|[,|·•–—/]\s*|\b20\d\d\s+)(?:[Bb]y|BY|[Vv]on|(?:[Ww]ords|[Ss]tory|[Tt]ext|[Tt]ekst|[Tt]exte|[Tt]exto)(?:\s(?:by|von))?:|(?:[Ss]ent in|[Ss]ubmitted|[Ww]ritten|[Rr]ecipe) by|[Ee]ingesandt von|[Rr]ezept von)\s*(\p{Lu}.*)$";
    /// Where the name ends: at a mark, or at a comma behind which a place or a role stands.
    static BEHIND_NAME = r"\s*(?:[|(·•/,]|\s[–—-]\s).*$";
}

/// Lines below the heading, its own among them, in which the author is looked for.
const LINES: usize = 6;
/// Longer lines are text, in bytes.
const LONGEST: usize = 120;
/// What marks a name as that of an author.
const ROLE: &str = " (Author)";

/// The author that a line right below the heading names: "by Ann Onym", "3 May 2026, by Ann Onym", "Words: Ann Onym",
/// "Ann Onym (Author)".
pub fn below_heading(view: &VisiblePage<'_>) -> Option<Sourced<String>> {
    let heading = view.heading.as_ref()?;
    let lines = view.lines.iter().skip(heading.line).take(LINES);
    lines.filter(|line| line.range.len() <= LONGEST).find_map(|line| {
        let text = view.lines.line_text(line);
        let own = heading.text.trim();
        let marked = text.split_once(ROLE).map(|(name, _)| name.trim());
        let marked = marked.map(|name| name.strip_prefix(own).unwrap_or(name).trim());
        let by = || BEFORE_NAME.captures(text)?.get(1).map(|rest| rest.as_str());
        let rest = marked.or_else(by)?;
        let found = names(&BEHIND_NAME.replace(rest, ""));
        let are_names = !found.is_empty() && found.iter().all(|name| is_shown_name(name));
        are_names.then(|| Sourced::new(found.join(", "), element_source(view.dom().node(line.block))))
    })
}

#[cfg(test)]
mod tests {
    use page::Page;

    use super::*;

    fn author(line: &str) -> Option<String> {
        let html = format!("<h1>Rhubarb crumble</h1><p>{line}</p><p>Cut the rhubarb.</p>");
        below_heading(&VisiblePage::of(&Page::new(html, None))).map(|found| found.value)
    }

    #[test]
    fn a_line_below_the_heading_names_the_author() {
        for (line, name) in [
            ("by Nell Ashe", "Nell Ashe"),
            ("Sunday 3rd May 2026, by Nell Ashe", "Nell Ashe"),
            ("November 9, 2025 by Nell Ashe", "Nell Ashe"),
            ("Words: Nell Ashe / Photography: Sam Oduya", "Nell Ashe"),
            ("REPORT | No. 112 | Tekst: Ada Lis i Jan Bor", "Ada Lis, Jan Bor"),
            ("Sent in by Beryl Holt, Wirra branch", "Beryl Holt"),
            ("Eingesandt von Hilde Sutter, Ortsverein Berg", "Hilde Sutter"),
            ("Texto: Josep Puig i Roca", "Josep Puig i Roca"),
            ("Nell Ashe (Author)", "Nell Ashe"),
        ] {
            assert_eq!(author(line).as_deref(), Some(name), "{line}");
        }
    }

    #[test]
    fn other_lines_below_the_heading_name_nobody() {
        for line in [
            "Standing by for the harvest",
            "Serves 4, by the fire",
            "Pictures by Sam Oduya",
            "Moved by popular demand",
        ] {
            assert_eq!(author(line), None, "{line}");
        }
    }
}
