//! Footnotes: the notes at the end of a text whose marks it keeps.

use std::collections::HashSet;

use page::Page;
use page::dom::Node;

use super::outline::BlockOutline;

/// Most marks of notes that are looked at.
const MAX_MARKS: usize = 1_000;
/// Most nodes of a mark.
const MAX_NODES: usize = 8;

/// Keeps the notes that marks within the kept blocks lead to, where an element around them is called one of footnotes. The sources of
/// an encyclopedia, which stand in a list of references, are none.
pub(super) fn keep(page: &Page, outline: &BlockOutline<'_>, is_kept: &mut [bool]) {
    let mut marked: HashSet<&str> = HashSet::new();
    for mark in page.dom().by_tag("sup").take(MAX_MARKS) {
        let at = outline.blocks.partition_point(|block| block.first <= mark.id());
        let Some(at) = at.checked_sub(1) else { continue };
        if is_kept.get(at) == Some(&true)
            && let Some(target) = target_of(mark)
        {
            marked.insert(target);
        }
    }
    if marked.is_empty() {
        return;
    }
    for (block, is_kept) in outline.blocks.iter().zip(is_kept) {
        let mut around = outline.around(block.element).map(|(_, element)| element.node);
        let is_note = around.by_ref().any(|node| marked.contains(node.id_attr()));
        *is_kept |= is_note && around.any(holds_notes);
    }
}

/// The id of the note that a raised mark leads to.
fn target_of(mark: Node<'_>) -> Option<&str> {
    let within = mark.descendants().take(MAX_NODES).find(|node| node.is("a"));
    let link = within.or_else(|| mark.parent().filter(|outer| outer.is("a")))?;
    link.attr("href")?.strip_prefix('#').filter(|id| !id.is_empty())
}

/// Whether an element is called one of footnotes.
fn holds_notes(node: Node<'_>) -> bool {
    let class = node.class().to_ascii_lowercase();
    let id = node.id_attr().to_ascii_lowercase();
    ["footnote", "endnote"]
        .iter()
        .any(|name| class.contains(name) || id.contains(name))
        || matches!(node.attr("role"), Some("doc-endnotes" | "doc-footnote"))
}

#[cfg(test)]
mod tests {
    use page::Page;

    use crate::rules::content;

    fn page(notes: &str) -> Page {
        Page::new(
            format!(
                "<title>The ferry that nobody wanted</title><main><h1>The ferry that nobody wanted</h1><p>By <a href=/a>Ann Dray</a></p>\
                 <p>The ferry cost £4m<sup><a href='#fn1' id=r1>1</a></sup> and has carried 212 people since May, most of them journalists \
                 and a few sheep.</p><p>The council says the numbers will rise when the pier is mended, and that the sheep paid full fare.</p>\
                 <p>Nobody on the pier that morning believed it, and the ticket office was shut.</p>{notes}</main>"
            ),
            "https://estuary.example/ferry".parse().ok(),
        )
    }

    #[test]
    fn the_notes_of_a_text_stay_with_their_marks() {
        let page = page(
            "<section class=footnotes><ol><li id=fn1><p>Council accounts, 2025. <a href='#r1'>↩</a></p></li>\
             <li id=fn9><p>Of another page.</p></li></ol></section>",
        );
        for text in [content::main_text(&page), content::main_markdown(&page)] {
            assert!(text.contains("Council accounts, 2025."), "{text}");
            assert!(text.contains("£4m[1]"), "{text}");
            assert!(!text.contains("Of another page."), "{text}");
        }
    }
}
