//! Headings that part a list: what stands above a run of entries holds for each of them, such as a district or a day.

use page::dom::{Node, NodeId};

use crate::rules::lines::is_hidden;
use crate::rules::records::Record;
use crate::rules::visible_page::{VisiblePage, squeeze};

/// Longest heading of a part of a list, in bytes.
const LONGEST: usize = 100;
/// How many elements above a heading may hold the entries that it stands above: itself in a header within a section.
const LEVELS: usize = 2;
/// Most headings before an entry that are looked at.
const NEAREST: usize = 8;
/// Fewest entries to two headings of a list that is parted: a heading for each entry is its title.
const ENTRIES: usize = 3;

/// The heading above each entry; none where one heading, or none, stands above them all.
pub(super) fn read(view: &VisiblePage<'_>, records: &[Record]) -> Vec<Option<String>> {
    let none = || vec![None; records.len()];
    let mut roots: Vec<NodeId> = records
        .iter()
        .flat_map(|record| record.roots.iter().copied())
        .collect();
    roots.sort_unstable();
    let Some(last) = roots.last() else {
        return none();
    };
    let headings: Vec<Node<'_>> = view
        .dom()
        .root()
        .descendants()
        .take_while(|node| node.id() < *last)
        .filter(|node| is_heading(*node) && !is_hidden(*node) && !is_in_entry(*node, &roots))
        .collect();
    let above = |record: &Record| {
        let root = *record.roots.first()?;
        let before = headings.partition_point(|heading| heading.id() < root);
        let before = headings.get(..before)?.iter().rev().take(NEAREST);
        before.copied().find(|heading| holds(*heading, root, &roots))
    };
    let found: Vec<Option<Node<'_>>> = records.iter().map(above).collect();
    let mut distinct: Vec<NodeId> = found.iter().flatten().map(|heading| heading.id()).collect();
    distinct.dedup();
    if distinct.len() < 2 || distinct.len() * ENTRIES > records.len() * 2 {
        return none();
    }
    found.into_iter().map(|heading| text_of(heading?)).collect()
}

/// Whether an element heads a part of a list: a heading, the summary of details, or a row of a table with one cell.
fn is_heading(node: Node<'_>) -> bool {
    if matches!(node.tag(), "h2" | "h3" | "h4" | "h5" | "h6" | "summary") {
        return true;
    }
    let is_row = node.is("tr") && node.children().filter(|cell| cell.is_element()).count() == 1;
    is_row && node.children().any(|cell| cell.attr("colspan").is_some())
}

/// Whether a heading is a part of an entry, of which the roots are given in their order.
fn is_in_entry(heading: Node<'_>, roots: &[NodeId]) -> bool {
    let before = roots.partition_point(|root| *root <= heading.id());
    let root = before.checked_sub(1).and_then(|at| roots.get(at));
    root.is_some_and(|root| heading.id() == *root || heading.is_inside(*root))
}

/// Whether an element near above a heading holds an entry. One that holds other entries ends before this one: a box of what others
/// bought within a list.
fn holds(heading: Node<'_>, root: NodeId, roots: &[NodeId]) -> bool {
    for (level, outer) in heading.ancestors().take(LEVELS).enumerate() {
        if outer.id() < root && root < outer.end() {
            return true;
        }
        // What has a heading and contents of its own ends with them: filters beside the list.
        if level == 0 && (matches!(outer.tag(), "aside" | "nav" | "form") || has_contents(outer)) {
            return false;
        }
        // So does an advertisement between entries, which has its heading as they have theirs.
        let entry = outer.dom().node(root);
        let is_between = level == 0 && entry.parent().map(Node::id) == outer.parent().map(Node::id);
        let is_alike = || entry.descendants().any(|node| node.is(heading.tag()));
        if is_between
            && is_alike()
            && squeeze(&outer.text()).len() > squeeze(&heading.text()).len() + MOST_BESIDE
        {
            return false;
        }
        let from = roots.partition_point(|other| *other < outer.id());
        if roots.get(from).is_some_and(|other| *other < outer.end()) {
            return false;
        }
    }
    false
}

/// Most bytes of text beside a heading in an element that stands among the entries, and holds nothing else: the number of entries.
const MOST_BESIDE: usize = 30;

/// Fewest elements beside a heading that one chooses by, or that list something.
const CHOICES: usize = 3;

/// Whether an element has more than a heading and what introduces it: a list of its own, or filters.
fn has_contents(outer: Node<'_>) -> bool {
    let is_choice = |node: &Node<'_>| matches!(node.tag(), "li" | "label" | "input" | "tr");
    outer.descendants().filter(is_choice).take(CHOICES).count() == CHOICES
}

/// The words of a heading, without a count in brackets behind them: "Old town (4 choirs)".
fn text_of(heading: Node<'_>) -> Option<String> {
    let text = squeeze(&heading.text());
    let text = match text.rsplit_once(" (") {
        Some((words, count)) if count.ends_with(')') && count.starts_with(|c: char| c.is_ascii_digit()) => {
            words
        }
        _ => text.as_str(),
    };
    (!text.is_empty() && text.len() <= LONGEST).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use page::Page;

    use crate::rules::rows;
    use crate::rules::visible_page::VisiblePage;

    fn sections(html: &str) -> Vec<Option<String>> {
        let page = Page::new(html, "https://list.example/all".parse().ok());
        let rows = rows::read(&VisiblePage::of(&page)).into_iter();
        rows.map(|row| row.section).collect()
    }

    fn entries(from: u32) -> String {
        let entry = |at: u32| {
            format!(
                "<li class=e><h4><a href='/c/{at}'>Choir {at}</a></h4><p>Sings in hall {at} each week.</p></li>"
            )
        };
        (from..from + 3).map(entry).collect()
    }

    #[test]
    fn a_heading_above_some_of_the_entries_is_their_section() {
        let part = |name: &str, from: u32| {
            format!(
                "<section><header><h3>{name} <span>(3 choirs)</span></h3></header><ul>{}</ul></section>",
                entries(from)
            )
        };
        let html = format!("<h1>Choirs</h1>{}{}", part("Old town", 1), part("Harbour", 4));
        let expected: Vec<Option<String>> = [
            "Old town", "Old town", "Old town", "Harbour", "Harbour", "Harbour",
        ]
        .map(|it| Some(it.to_owned()))
        .into();
        assert_eq!(sections(&html), expected);
    }

    #[test]
    fn the_heading_of_a_box_within_a_list_ends_with_the_box() {
        let html = format!(
            "<h1>Choirs</h1><section><h2>Results</h2><ul>{}</ul><aside><h2>Others heard</h2><ul>{}</ul></aside><ul>{}</ul></section>",
            entries(1),
            entries(4),
            entries(7)
        );
        let read = sections(&html);
        let last = read.get(6..).unwrap_or_default();
        assert!(
            last.iter().all(|section| section.as_deref() == Some("Results")),
            "{read:?}"
        );
    }

    #[test]
    fn the_heading_of_an_advertisement_between_entries_is_no_section() {
        let advertisement = "<li class=ad><h4>Print your songbook</h4><p>Bindery on the Green, next to the town hall, open every day.</p></li>";
        let part = |name: &str, first: u32| {
            let (before, behind) = (entries(first), entries(first + 3));
            format!("<section><h2>{name}</h2><ul>{before}{advertisement}{behind}</ul></section>")
        };
        let html = format!("<h1>Choirs</h1>{}{}", part("Old town", 1), part("Harbour", 7));
        let read = sections(&html);
        assert!(
            read.iter()
                .flatten()
                .all(|section| section != "Print your songbook"),
            "{read:?}"
        );
        assert_eq!(
            read.iter()
                .flatten()
                .filter(|section| *section == "Harbour")
                .count(),
            6,
            "{read:?}"
        );
    }

    #[test]
    fn a_heading_above_all_entries_parts_nothing() {
        let html = format!(
            "<h1>Choirs</h1><h2>All choirs</h2><ul>{}{}</ul>",
            entries(1),
            entries(4)
        );
        assert_eq!(sections(&html), vec![None; 6]);
    }
}
