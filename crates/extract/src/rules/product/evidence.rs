//! Evidence that a page sells one product, as against a list of products or something else.

use page::dom::{Node, NodeId};

use super::super::visible_page::{VisiblePage, covered, meta, words};
use super::markup::ProductMarkup;
use super::visible_price::{self, PriceCandidate};
use super::{identifiers, number_guesses};

/// Lines below the heading within which the price and the button of a detail page stand.
const NEAR: usize = 40;
/// Pictures that are looked at.
const MOST_PICTURES: usize = 400;
/// Parts of names of fields for a count of pieces, in the languages of shop software.
const COUNT_NAMES: [&str; 7] = [
    "qty", "quantity", "quantite", "cantidad", "menge", "anzahl", "ilosc",
];

/// Parts of names of classes of prices that no amount of a salary has.
const PRICE_NAMES: [&str; 6] = ["price", "preis", "prix", "precio", "prezzo", "preco"];

/// Least count of entries that make a list.
const ENTRIES: usize = 4;
/// Levels above a price at which its entry of a list is looked for.
const LEVELS: usize = 6;
/// Most siblings that are looked at on one level.
const MOST_SIBLINGS: usize = 400;

/// Log-odds where none of the signs is there.
const NOTHING: f32 = -5.4;

/// The log-odds that the page sells one product.
///
/// The weights are those of a logistic regression (L2, C = 1) over 1,200 labelled pages: products as they are, without
/// their markup, and without markup and telling address; articles, forums, services, collections, lists of records. With
/// the pages of a fifth of the hosts left out in turn, above 0 are 97 % of the products as they are, 90 % of those without
/// markup, 1 % of other pages and no list; above -1.5 are 97, 97, 2 and 1 %.
///
/// A price in an entry of a list takes away what a product gains from its button, which every entry of such a list has too.
pub(super) fn log_odds(view: &VisiblePage<'_>, markup: &ProductMarkup, candidates: &[PriceCandidate]) -> f32 {
    let near = |at: usize| is_near_heading(view, at);
    let has_button = has_button(view);
    let best = candidates.iter().find(|candidate| !candidate.earlier);
    let rival = candidates.get(3).map_or(f32::MIN, |rival| rival.score);
    let og_type = meta(view.dom(), "og:type").unwrap_or_default();
    // Without an address that could name the product, half of what it may say.
    let unknown_address = view.page.url().is_none();
    let signs = [
        (unknown_address, 1.0),
        (markup.found && markup.subject, 2.5),
        (matches!(og_type, "product" | "product.item" | "og:product"), 2.0),
        (identifiers::sku(view).is_some(), 2.3),
        (number_guesses::in_url(view.page).is_some(), 2.1),
        (has_button, 1.5),
        (has_count_field(view), 0.8),
        (is_pictured(view), 0.4),
        (best.is_some_and(|best| near(best.line)), 0.6),
        // In a list every price looks alike, and none stands out.
        (best.is_some_and(|best| best.alike <= 2), 1.0),
        (best.is_some_and(|best| best.score - rival > 1.5), 0.3),
        (is_listed(view, candidates), -2.5),
    ];
    let sum: f32 = signs
        .iter()
        .filter(|(is_there, _)| *is_there)
        .map(|(_, weight)| weight)
        .sum();
    // The score of a price reaches 8 where place and setting all speak for it.
    let score = best.map_or(0.0, |best| (best.score / 8.0).clamp(0.0, 1.0));
    NOTHING + sum + 2.7 * score
}

/// Whether a line stands below the heading, where the price and the button of a detail page do.
fn is_near_heading(view: &VisiblePage<'_>, at: usize) -> bool {
    let heading = view.heading.as_ref().map(|heading| heading.line);
    heading.is_some_and(|heading| at >= heading && at <= heading + NEAR)
}

/// Whether a button to buy stands below the heading.
fn has_button(view: &VisiblePage<'_>) -> bool {
    let mut buttons = visible_price::button_lines(view).into_iter();
    buttons.any(|at| is_near_heading(view, at))
}

/// Whether a button below the heading buys something, or the likeliest price is in an element that is named as one of prices.
pub(super) fn is_offered(view: &VisiblePage<'_>, candidates: &[PriceCandidate]) -> bool {
    let is_set_as_price = |candidate: &PriceCandidate| {
        let node = view.dom().node(candidate.node);
        let mut around = std::iter::once(node).chain(node.parent());
        is_near_heading(view, candidate.line)
            && around.any(|outer| {
                let class = outer.class().to_ascii_lowercase();
                PRICE_NAMES.iter().any(|name| class.contains(name))
            })
    };
    let best = candidates.iter().find(|candidate| !candidate.earlier);
    has_button(view) || best.is_some_and(is_set_as_price)
}

/// Whether the likeliest price stands in an entry of a list: one of several siblings with the same tag and class, each with a
/// price and a link of its own. The heading of the page is in none of them.
pub(super) fn is_listed(view: &VisiblePage<'_>, candidates: &[PriceCandidate]) -> bool {
    let Some(best) = candidates.iter().find(|candidate| !candidate.earlier) else {
        return false;
    };
    let mut priced: Vec<NodeId> = candidates.iter().map(|candidate| candidate.node).collect();
    priced.sort_unstable();
    let is_priced = |node: Node<'_>| {
        let first = priced.partition_point(|price| *price < node.id());
        priced.get(first).is_some_and(|price| *price < node.end())
    };
    let has_heading = |node: Node<'_>| {
        let heading = view.heading.as_ref();
        heading.is_some_and(|heading| view.dom().node(heading.node).is_inside(node.id()))
    };
    let price = view.dom().node(best.node);
    let above = std::iter::once(price).chain(price.ancestors()).take(LEVELS);
    for entry in above.take_while(|node| !node.is("body") && !has_heading(*node)) {
        let Some(parent) = entry.parent() else { break };
        let alike = parent.children().take(MOST_SIBLINGS).filter(|sibling| {
            sibling.tag() == entry.tag()
                && sibling.class() == entry.class()
                && is_priced(*sibling)
                && sibling.descendants().take(200).any(|node| node.is("a"))
        });
        if alike.count() >= ENTRIES {
            return true;
        }
    }
    false
}

/// Whether a picture bears the text of the heading.
fn is_pictured(view: &VisiblePage<'_>) -> bool {
    let Some(heading) = view.heading.as_ref() else {
        return false;
    };
    let title = words(&heading.text);
    let node = heading.node;
    let is_title = |text: &str| {
        let own = words(text);
        covered(&title, &own) >= 0.8 && covered(&own, &title) >= 0.5
    };
    let longest = heading.text.len() * 2;
    let mut pictures = view.dom().by_tag("img").take(MOST_PICTURES);
    pictures.any(|picture| {
        let text = picture.attr("alt").unwrap_or_default();
        !text.is_empty() && text.len() <= longest && !picture.is_inside(node) && is_title(text)
    })
}

/// Whether a count of pieces can be entered or chosen.
fn has_count_field(view: &VisiblePage<'_>) -> bool {
    let is_count = |name: &str| {
        let name = name.to_ascii_lowercase();
        COUNT_NAMES.iter().any(|part| name.contains(part))
    };
    let dom = view.dom();
    let mut fields = dom.by_tag("input").chain(dom.by_tag("select"));
    fields.any(|field| {
        ["name", "id"]
            .iter()
            .any(|key| field.attr(key).is_some_and(is_count))
    })
}
