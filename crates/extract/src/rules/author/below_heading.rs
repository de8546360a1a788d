//! A line right below the heading of a page that names its author.

use super::names::{is_shown_name, names};
use crate::provenance::Sourced;
use crate::rules::element_source::element_source;
use crate::rules::visible_page::VisiblePage;

locale::patterns! {
    /// The words before the author in a line: at its beginning, behind a mark or behind a year.
    static BEFORE_NAME = r"(?:^|[,|·•–—/]\s*|\b20\d\d\s+)(?:[Bb]y|BY|[Vv]on|(?:[Ww]ords|[Ss]tory|[Tt]ext|[Tt]ekst|[Tt]exte|[Tt]exto)(?:\s(?:by|von))?:|(?:[Ss]ent in|[Ss]ubmitted|[Ww]ritten|(?:[Aa] )?[Rr]ecipe) by|[Ee]ingesandt von|(?:[Ee]in )?[Rr]ezept von|(?:[Uu]ne )?[Rr]ecette de|(?:[Uu]na )?(?:[Rr]eceta de|[Rr]icetta di))\s*(\p{Lu}.*)$";
    /// A line that is nothing but the word for "by" and whole names.
    static LINE_OF_NAMES = r"^(?:[Dd]i|[Dd]oor|[Pp]ar|[Pp]or|av|af|[Pp]rzez)\s+(\S.*)$";
    /// The author in scripts without capitals, behind a label.
    static LABELLED_NAME = r"(?:^|[\s|·•])(?:記者|著者|筆者|執筆者?|作者|取材・文|文|بقلم|מאת)\s*[:：●]\s*(\S.*)$";
    /// Where the name ends: at a mark, or at a comma behind which a place or a role stands.
    static BEHIND_NAME = r"\s*(?:[|(·•/,]|\s[–—-]\s|\x{3000}).*$";
}

/// Lines below the heading, its own among them, in which the author is looked for.
const LINES: usize = 6;
/// Longer lines are text, in bytes.
const LONGEST: usize = 120;
/// Most words of a line that is nothing but names.
const MOST_WORDS: usize = 10;
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
        let behind = |pattern: &locale::Regex| pattern.captures(text)?.get(1).map(|rest| rest.as_str());
        let by = || behind(&BEFORE_NAME).or_else(|| behind(&LABELLED_NAME));
        let rest = marked.or_else(by);
        // Such words begin other lines, too: "di Roma".
        let of_line = || behind(&LINE_OF_NAMES).filter(|_| text.split_whitespace().count() <= MOST_WORDS);
        let is_line = rest.is_none();
        let found = names(&BEHIND_NAME.replace(rest.or_else(of_line)?, ""));
        let is_known = |name: &String| is_shown_name(name) && (!is_line || name.contains(' '));
        let are_names = !found.is_empty() && found.iter().all(is_known);
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
            ("A recipe by Nell Ashe · 3 May 2026", "Nell Ashe"),
            ("Une recette de Nell Ashe · le 3 mai 2026", "Nell Ashe"),
            ("di Aldo Verri", "Aldo Verri"),
            ("Door onze verslaggever Wim Bos", "Wim Bos"),
            ("2026年5月3日　記者：佐藤花子", "佐藤花子"),
            ("بقلم: سلمى ناصر - 3 مايو 2026", "سلمى ناصر"),
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
            "di Roma",
            "Por: R$ 1.199,90",
            "par avion dès demain",
        ] {
            assert_eq!(author(line), None, "{line}");
        }
    }
}
