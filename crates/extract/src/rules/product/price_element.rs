//! The element that holds a price, and its text with the cents in their place.

use page::dom::{Edge, Node};

use super::super::class_flags;
use super::super::lines::is_unshown;
use super::super::visible_page::{VisiblePage, squeeze};
use locale::price::{self, PriceHints};

/// The smallest element around a text that holds both digits and a currency, and its text with raised cents set apart.
pub(crate) fn holder<'p>(view: &VisiblePage<'p>, node: Node<'p>, own: &str) -> Option<(Node<'p>, String)> {
    let mut best = None;
    if has_money(own) && !raised(view, node) {
        // Cents that are set raised stand in the next element ("$229" and a small "99").
        let cents = node
            .descendants()
            .find(|descendant| raised(view, *descendant))
            .is_some()
            || node.parent().is_some_and(|parent| {
                parent.end().index() - parent.id().index() < 12
                    && parent.descendants().any(|descendant| raised(view, descendant))
            });
        if cents {
            for around in std::iter::once(node).chain(node.parent()) {
                let text = with_cents(view, around);
                if text.len() < 24 && has_money(&text) && text.contains('.') {
                    return Some((around, text));
                }
            }
        }
        let is_small = |parent: &Node<'_>| parent.end().index() - parent.id().index() < 12;
        if let Some(parent) = node
            .parent()
            .filter(|parent| is_small(parent) && is_continued(node, own))
        {
            return Some((parent, with_cents(view, parent)));
        }
        return Some((node, own.to_owned()));
    }
    for around in std::iter::once(node).chain(node.ancestors()).take(5) {
        if around.end().index() - around.id().index() > 24
            || matches!(around.tag(), "body" | "tr" | "table" | "ul")
        {
            break;
        }
        // An amount that is struck through is no part of one that stands beside it.
        let text = text_with_cents(view, around, StruckText::LeftOut);
        if text.len() > 90 {
            break;
        }
        if has_money(&text) && !raised(view, around) {
            return Some((around, text));
        }
        let is_of_price = || {
            view.class_flags.has(around, class_flags::PRICE) || is_struck(around) && is_in_price(view, around)
        };
        if best.is_none() && is_of_price() {
            best = Some((around, text));
        }
        if is_struck(around) {
            break;
        }
    }
    best.filter(|(_, text)| text.len() <= 30 && !is_told(text))
}

/// Whether a text has words around its numbers, and is no amount alone: "Items 1-8 of 43".
fn is_told(text: &str) -> bool {
    let words = text
        .split_whitespace()
        .filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() >= 2);
    words.count() > 1
}

fn has_money(text: &str) -> bool {
    !price::find_all(text, &PriceHints::default()).is_empty()
}

/// Whether a text is two digits and nothing else.
fn are_cents(text: &str) -> bool {
    text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether an amount goes on in the next element: "$64" and ".99".
fn is_continued(node: Node<'_>, own: &str) -> bool {
    let Some(next) = node.next_sibling() else {
        return false;
    };
    let text = next.text_value().map_or_else(|| next.text(), str::to_owned);
    let cents = text.trim_end().strip_prefix(['.', ',']);
    let is_cents = cents.is_some_and(are_cents);
    let has_cents = own.len() > 3
        && own
            .get(own.len() - 3..)
            .is_some_and(|end| end.starts_with(['.', ',']));
    is_cents && !has_cents && own.ends_with(|c: char| c.is_ascii_digit())
}

/// Whether an element is set as the cents of a price.
fn raised(view: &VisiblePage<'_>, node: Node<'_>) -> bool {
    node.is("sup") || view.class_flags.has(node, class_flags::CENTS) || is_split_off(node)
}

/// Whether an element inside a line holds two digits and nothing else, right behind a number: "$229" and a smaller "99".
fn is_split_off(node: Node<'_>) -> bool {
    if !matches!(node.tag(), "span" | "small" | "b" | "em" | "i" | "strong") {
        return false;
    }
    let Some(before) = node.prev_sibling() else {
        return false;
    };
    let holds_cents = |node: Node<'_>| are_cents(node.text().trim());
    let is_small = |node: Node<'_>| node.end().index() - node.id().index() <= 4;
    if !is_small(node) || !is_small(before) || !holds_cents(node) {
        return false;
    }
    let whole = before
        .text_value()
        .map_or_else(|| before.raw_text(), str::to_owned);
    let has_fraction =
        whole.contains(['.', ',']) && !price::find_all(&whole, &PriceHints::default()).is_empty();
    let is_last = node.next_sibling().is_none_or(|next| {
        !next
            .text_value()
            .is_some_and(|text| text.starts_with(|c: char| c.is_alphanumeric()))
    });
    whole.len() <= 16 && whole.ends_with(|c: char| c.is_ascii_digit()) && !has_fraction && is_last
}

/// What stands between two lines of [`with_cents`]. Unlike a blank it is no separator of thousands.
const LINE_END: char = '\u{2028}';

/// The text of an element, line by line; a point stands before cents that are only set smaller, and what is struck through is a
/// line of its own.
pub(crate) fn with_cents(view: &VisiblePage<'_>, node: Node<'_>) -> String {
    text_with_cents(view, node, StruckText::Kept)
}

/// What becomes of the elements within another one whose text is struck through.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StruckText {
    Kept,
    LeftOut,
}

/// Whether the text of an element is struck through, as that of an earlier price is.
pub(crate) fn is_struck(node: Node<'_>) -> bool {
    matches!(node.tag(), "del" | "s" | "strike")
        || node
            .attr("style")
            .is_some_and(|style| style.contains("line-through"))
}

/// Whether an element close around another one is named a price.
fn is_in_price(view: &VisiblePage<'_>, node: Node<'_>) -> bool {
    let mut near = node.ancestors().take(2);
    near.any(|around| view.class_flags.has(around, class_flags::PRICE))
}

fn text_with_cents(view: &VisiblePage<'_>, node: Node<'_>, struck: StruckText) -> String {
    let mut out = String::new();
    let mut walk = node.traverse();
    while let Some(edge) = walk.next() {
        match edge {
            Edge::Open(inner) if inner.is_text() => out.push_str(inner.text_value().unwrap_or_default()),
            Edge::Open(inner) if inner.id() != node.id() && is_unshown(inner, &view.overlays) => {
                walk.leave_out()
            }
            Edge::Open(inner) if inner.id() != node.id() && raised(view, inner) => {
                if push_cents(&mut out, &inner.text()) {
                    walk.leave_out();
                }
            }
            Edge::Open(inner)
                if inner.id() != node.id() && struck == StruckText::LeftOut && is_struck(inner) =>
            {
                out.push(LINE_END);
                walk.leave_out();
            }
            Edge::Open(inner) => {
                if is_line(inner) || is_struck(inner) || begins_amount(&out, inner) {
                    out.push(LINE_END);
                }
            }
            Edge::Close(inner) => {
                if is_line(inner) || is_struck(inner) {
                    out.push(LINE_END);
                }
            }
        }
    }
    let lines = out.split(LINE_END).map(squeeze).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(LINE_END.encode_utf8(&mut [0; 3]))
}

/// Adds a point and cents behind a whole number; false where the text is not the cents of the number before.
fn push_cents(out: &mut String, text: &str) -> bool {
    let cents = text.trim_start_matches([',', '.']).trim();
    let digits = cents.bytes().take_while(u8::is_ascii_digit).count();
    let whole = out.trim_end();
    let bare = whole.ends_with(|c: char| c.is_ascii_digit()) || whole.ends_with([',', '.']);
    if !bare || digits != 2 {
        return false;
    }
    let kept_length = whole.trim_end_matches([',', '.']).len();
    out.truncate(kept_length);
    out.push('.');
    out.push_str(cents);
    true
}

fn is_line(node: Node<'_>) -> bool {
    node.is_block() || node.is("br")
}

/// Whether an element right behind a digit holds an amount of its own: "Model 103" and "278,99 €" are set apart by styles.
fn begins_amount(before: &str, node: Node<'_>) -> bool {
    before.trim_end().ends_with(|c: char| c.is_ascii_digit())
        && node.end().index() - node.id().index() <= 8
        && has_money(&node.text())
}

#[cfg(test)]
mod tests {
    use page::Page;

    use super::*;

    #[test]
    fn cents_in_the_next_element_belong_to_the_amount() {
        let text = |html: &str| {
            let page = Page::new(html, None);
            let view = VisiblePage::of(&page);
            let span = view.dom().by_tag("span").next()?;
            holder(&view, span, &span.text()).map(|(_, text)| text)
        };
        assert_eq!(
            text("<div><span>$64</span><span>.99</span></div>").as_deref(),
            Some("$64.99")
        );
        assert_eq!(
            text("<div><span>$64.50</span><span>.99</span></div>").as_deref(),
            Some("$64.50")
        );
        assert_eq!(
            text("<div><span>$64</span><span>, 4 left</span></div>").as_deref(),
            Some("$64")
        );
    }
}
