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
    /// That a search found nothing.
    static NONE = r#"(?i)^\W*(?:(?:there (?:are|were) |we found |found )?(?:0|no|zero)\s+(?:search\s+)?(?:results?|hits|matches)(?:\s+(?:were\s+)?found)?(?:\s+for\b.*)?|(?:0|no|zero)\s+(?:products?|items?|articles|offers|listings)\s+(?:were\s+)?found(?:\s+for\b.*)?|your\s+search\s+(?:.*\s+)?(?:did\s+not\s+match|matched\s+no)\b.*|(?:0|keine)\s+(?:such)?(?:ergebnisse?|treffer)(?:\s+gefunden)?(?:\s+für\b.*)?|keine\s+(?:produkte|artikel|angebote)\s+gefunden|(?:0|brak)\s+wyników(?:\s+dla\b.*)?|nie\s+znaleziono\s+(?:żadnych\s+)?(?:wyników|produktów|ofert)\b.*)[.!:]?\W*$"#;
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

/// The element whose text is that nothing was found: the heading of the page, or a line below it before any other heading. What stands
/// in the header, beside the content, under a heading of its own or in a template is of something else.
fn line(view: &VisiblePage<'_>) -> Option<NodeId> {
    let body = view.dom().body()?;
    let mut walk = body.descendants();
    let mut looked_at = 0;
    while let Some(node) = walk.next() {
        looked_at += 1;
        if looked_at > MOST_ELEMENTS {
            break;
        }
        if is_elsewhere(node) {
            walk.leave_out(node);
            continue;
        }
        let is_heading = matches!(node.tag(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
        if !is_heading && !node.is("p") {
            continue;
        }
        let text = squeeze(&node.text());
        if text.len() <= LONGEST && NONE.is_match(&text) {
            return Some(node.id());
        }
        if is_heading && !node.is("h1") {
            break;
        }
    }
    None
}

/// Whether an element holds nothing of the content of a page.
fn is_elsewhere(node: Node<'_>) -> bool {
    node.is_element()
        && (matches!(
            node.tag(),
            "header" | "nav" | "aside" | "footer" | "dialog" | "template" | "noscript" | "script" | "form"
        ) || is_hidden(node))
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
        let basket = "<header><p>No results</p></header>";
        for before in [
            basket,
            "<template><p>No results</p></template>",
            "<div hidden><p>No results</p></div>",
        ] {
            assert_eq!(count("Vases", &format!("{before}{instead}")), [4, 4], "{before}");
        }
        assert_eq!(
            count("Jobs", "<h2>Saved</h2><p>No results</p><h2>All</h2>"),
            [4, 4]
        );
        assert_eq!(
            count(
                "Lamps",
                "<p>Your search for “lamp” did not match any products.</p><h2>Popular</h2>"
            ),
            [0, 0]
        );
    }
}
