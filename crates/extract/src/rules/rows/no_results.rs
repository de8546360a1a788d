//! Searches that found nothing: what such a page lists is offered instead of results.

use page::dom::{Node, NodeId};

use super::row::Row;
use crate::rules::lines::is_hidden;
use crate::rules::visible_page::{VisiblePage, squeeze};

/// Longest line that says that nothing was found, in bytes.
const LONGEST: usize = 120;
/// Most elements of a page that are looked at for such a line.
const MOST_ELEMENTS: usize = 20_000;

/// Classes of elements that are not shown until a script takes them away, and of dialogs.
#[rustfmt::skip]
const UNSHOWN: [&str; 12] = [
    "hidden", "is-hidden", "hide", "d-none", "invisible", "visually-hidden", "visuallyhidden", "sr-only", "screen-reader-text",
    "ng-hide", "modal", "offcanvas",
];
/// Attributes by which scripts show an element on a condition, or hide it until they have run.
const CONDITIONS: [&str; 5] = ["x-cloak", "x-show", "v-cloak", "ng-show", "ng-cloak"];

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
        ) || is_hidden(node)
            || is_shown_by_script(node))
}

/// Whether the names of an element say that a script shows it when its time has come: what a filter of the entries says when none is
/// left. Classes for one width of the screen only, such as `hidden md:block`, say nothing of the kind.
fn is_shown_by_script(node: Node<'_>) -> bool {
    let is_width = |class: &str| class.contains(':') || (class.starts_with("d-") && class != "d-none");
    let is_closed = |class: &str| UNSHOWN.contains(&class.to_ascii_lowercase().as_str());
    CONDITIONS.iter().any(|name| node.attr(name).is_some())
        || (node.classes().any(is_closed) && !node.classes().any(is_width))
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
            "<p class='no-results hidden'>No results</p>",
            "<div class='d-none'><p>No results</p></div>",
            "<div class='modal fade'><p>No results</p></div>",
            "<p x-show='found == 0'>No results</p>",
        ] {
            assert_eq!(count("Vases", &format!("{before}{instead}")), [4, 4], "{before}");
        }
        let narrow = "<p class='hidden md:block'>No results</p>";
        assert_eq!(count("Vases", &format!("{narrow}{instead}")), [0, 0]);
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
