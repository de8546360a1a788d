//! The parts of a value that links or entries of a list set apart: "Tags: forms contact", each word a link.

use page::dom::{Dom, Node};

use super::labels::LabelValue;
use super::visible_page::squeeze;

/// Most nodes of a value that are looked at.
const MOST_NODES: usize = 400;
/// Most parts of one value.
const MOST_PARTS: usize = 100;

/// The texts of the links or entries of a list that a value consists of, where there are several with nothing but marks between them.
pub(crate) fn parts(dom: &Dom, pair: &LabelValue) -> Option<Vec<String>> {
    let node = dom.node(pair.node);
    // The element of a value on the line of its label is its first one; the others stand beside it.
    [Some(node), node.parent()]
        .into_iter()
        .flatten()
        .flat_map(|holder| ["li", "a"].map(|tag| (holder, tag)))
        .find_map(|(holder, tag)| parts_in(holder, node, tag, &pair.value))
}

fn parts_in(holder: Node<'_>, first: Node<'_>, tag: &str, value: &str) -> Option<Vec<String>> {
    let parts: Vec<String> = holder
        .descendants()
        .take(MOST_NODES)
        .filter(|node| node.is(tag) && node.id() >= first.id())
        .map(|node| squeeze(&node.text()))
        .filter(|text| !text.is_empty())
        .take(MOST_PARTS)
        .collect();
    let letters = |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).collect() };
    let all: String = parts.iter().map(|part| letters(part)).collect();
    (parts.len() > 1 && all == letters(value)).then_some(parts)
}

#[cfg(test)]
mod tests {
    use page::Page;

    use super::super::visible_page::VisiblePage;
    use super::*;

    #[test]
    fn links_and_entries_side_by_side_are_parts_and_a_sentence_with_links_is_one_value() {
        let read = |html: &str| {
            let page = Page::new(html, None);
            let view = VisiblePage::of(&page);
            let pair = view.pairs.iter().find(|pair| pair.key == "tags")?;
            parts(view.dom(), pair)
        };
        let want = Some(vec!["forms".to_owned(), "cash book".to_owned()]);
        for html in [
            "<ul><li>Tags: <a href=/1>forms</a> <a href=/2>cash book</a></li></ul>",
            "<dl><dt>Tags</dt><dd><a href=/1>forms</a>, <a href=/2>cash book</a></dd></dl>",
            "<table><tr><th>Tags</th><td><ul><li>forms</li><li>cash book</li></ul></td></tr></table>",
        ] {
            assert_eq!(read(html), want, "{html}");
        }
        assert_eq!(
            read("<p>Tags: <a href=/1>forms</a> and more <a href=/2>books</a></p>"),
            None
        );
        assert_eq!(read("<p>Tags: <a href=/1>forms</a></p>"), None);
    }
}
