//! Searches that found nothing: what such a page lists is offered instead of results.

use page::dom::{Node, NodeId};

use super::row::Row;
use crate::rules::lines::is_hidden;
use crate::rules::visible_page::{VisiblePage, squeeze};

/// Longest line that says that nothing was found, in bytes.
const LONGEST: usize = 120;
/// Most elements of a page that are looked at for such a line.
const MOST_ELEMENTS: usize = 20_000;

locale::patterns! {
    /// That a search found nothing, at the beginning of a line.
    static NONE = r#"(?i)^\W*(?:(?:there (?:are|were) |we found |showing |found )?(?:0|no|zero)\s+(?:search\s+)?(?:results?|products?|items?|matches|articles|hits|offers|listings|entries)(?:\s+(?:were\s+)?found)?(?:\s+(?:for|match\w*|in)\b.*)?|(?:your\s+search|nothing)\s+(?:.*\s+)?(?:did\s+not\s+match|matched\s+no|matches\s+your)\b.*|(?:0|keine)\s+(?:such)?(?:ergebnisse?|treffer|produkte?|artikel|angebote)(?:\s+gefunden)?(?:\s+(?:für|zu|in)\b.*)?|(?:0|brak)\s+(?:wyników|produktów|ofert)(?:\s+(?:dla|w)\b.*)?|nie\s+znaleziono\s+.*)[.!:]?\W*$"#;
}

/// Whether a page says in a line of its own that a search found nothing.
pub(super) fn says_none(view: &VisiblePage<'_>) -> bool {
    line(view).is_some()
}

/// Whether rows are offered in place of results: the page says that a search found nothing, and the rows stand behind that line under a
/// heading of their own.
pub(super) fn are_offered_instead(view: &VisiblePage<'_>, rows: &[Row]) -> bool {
    let first = rows.iter().filter_map(|row| row.elements.first()).min();
    let (Some(first), Some(line)) = (first, line(view)) else {
        return false;
    };
    let mut between = view
        .dom()
        .nodes()
        .filter(|node| line < node.id() && node.id() < *first);
    between.any(|node| matches!(node.tag(), "h2" | "h3" | "h4" | "h5" | "h6"))
}

/// The element whose text is that nothing was found.
fn line(view: &VisiblePage<'_>) -> Option<NodeId> {
    let body = view.dom().body()?;
    let is_line = |node: &Node<'_>| {
        matches!(
            node.tag(),
            "h1" | "h2" | "h3" | "p" | "div" | "span" | "strong" | "output"
        ) && node.end().index() - node.id().index() <= 12
    };
    let mut lines = body.descendants().take(MOST_ELEMENTS).filter(is_line);
    let found = lines.find(|node| {
        let text = squeeze(&node.text());
        text.len() <= LONGEST && NONE.is_match(&text) && !is_hidden(*node)
    });
    found.map(Node::id)
}

#[cfg(test)]
mod tests {
    use page::Page;

    use crate::rules::rows;
    use crate::rules::visible_page::VisiblePage;

    #[test]
    fn what_is_offered_in_place_of_results_is_none() {
        let cards: String = (1..5)
            .map(|at| format!("<li class=card><a href='/p/{at}'>Vase of clay {at}</a> <span class=price>€{at}9.00</span></li>"))
            .collect();
        let count = |heading: &str, between: &str| {
            let html = format!("<main><h1>{heading}</h1>{between}<ul>{cards}</ul></main>");
            let page = Page::new(html, "https://shop.example/search?q=lamp".parse().ok());
            let view = VisiblePage::of(&page);
            [rows::read(&view).len(), rows::products(&view).len()]
        };
        let instead = "<h2>You may like</h2>";
        assert_eq!(count("0 results for “lamp”", instead), [0, 0]);
        assert_eq!(count("Keine Treffer für „Lampe“", instead), [0, 0]);
        assert_eq!(count("10 results for “lamp”", instead), [4, 4]);
        assert_eq!(count("No results for “lamp”", ""), [4, 4]);
        assert_eq!(count("No offers were made yet", instead), [4, 4]);
    }
}
