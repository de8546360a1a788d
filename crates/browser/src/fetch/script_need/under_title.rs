//! What stands under the title of a page: its content, or an empty place that scripts will fill, whatever follows under other
//! headings.
//!
//! Content comes first. A page with questions and answers, terms or teasers, each under a heading of its own, is a page without
//! content as long as the place between its title and the first of those headings is empty.

use page::dom::Node;

use super::elements::{
    PLACEHOLDER, WIDGETS, is_application, is_beside_content, is_cloaked, is_landmark, is_not_displayed,
    names_any, says_loading, told_length,
};

/// Text outside links, in bytes, that a page has under its title beside an empty place, at most: a lead and who wrote it.
const LEAD: usize = 160;
/// Text outside links, in bytes, under a heading that is a sentence of the content.
const ENOUGH_TOLD: usize = 40;
/// Pictures beside an empty place under a title, from which the pictures are the content.
const MAX_PICTURES: usize = 2;
/// Empty elements within one that are the outline of its content.
const OUTLINE: usize = 2;
/// Elements between an item of several and a part of the item, at most.
const ITEM_DEPTH: usize = 3;
/// Most nodes of an empty place, outline included, and most of an item that are looked at.
const MAX_PLACE: usize = 400;
/// Most elements that are looked at as places: content, or its place, comes before.
const MAX_LOOKED_AT: usize = 200;

/// What stands between a heading of a page and the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnderTitle {
    /// The first thing is an empty place for content, and next to nothing else stands there.
    Empty,
    /// The same, and the place is one that a framework renders an application into.
    Application,
    /// A sentence under a heading, and no empty place before it.
    Told,
    /// Neither.
    Unclear,
}

impl UnderTitle {
    /// Looks under the first heading of the page that has anything under it; the page before its first heading counts where it has
    /// no title.
    pub(super) fn of(body: Node<'_>) -> UnderTitle {
        // What is for the main part is hidden until scripts have made it.
        if body.descendants().any(awaits_main_part) {
            return UnderTitle::Empty;
        }
        let title = body.descendants().find(|node| node.is("h1") && has_text(*node));
        let from = title.map_or(body.id(), Node::id);
        let (mut told, mut pictures, mut looked_at) = (0, 0, 0);
        let (mut has_heading, mut has_place, mut has_application) = (false, false, false);
        let mut nodes = body.descendants();
        while let Some(node) = nodes.next() {
            if node.id() < from {
                continue;
            }
            if let Some(text) = node.text_value() {
                told += told_length(text);
                if told > LEAD && has_heading && !has_place {
                    return UnderTitle::Told;
                }
                continue;
            }
            if is_aside(node, body) {
                nodes.leave_out(node);
            } else if matches!(node.tag(), "h1" | "h2" | "h3") && has_text(node) {
                if has_place || told >= ENOUGH_TOLD {
                    break;
                }
                (told, has_heading) = (0, true);
                nodes.leave_out(node);
            } else if looked_at < MAX_LOOKED_AT
                && let Some(place) = Place::of(node, &mut looked_at)
            {
                // A bare element after a sentence is one that scripts hang something beside the content into.
                has_place |= place == Place::Content || told < ENOUGH_TOLD || is_application(node);
                has_application |= is_application(node);
                nodes.leave_out(node);
            } else {
                pictures += usize::from(node.is("img"));
            }
        }
        match has_place {
            true if told <= LEAD && pictures <= MAX_PICTURES && has_application => UnderTitle::Application,
            true if told <= LEAD && pictures <= MAX_PICTURES => UnderTitle::Empty,
            false if has_heading && told >= ENOUGH_TOLD => UnderTitle::Told,
            _ => UnderTitle::Unclear,
        }
    }
}

/// Whether an element is the main part of a page, holds next to no text outside of templates, and is marked as hidden until scripts
/// have filled it.
fn awaits_main_part(node: Node<'_>) -> bool {
    if !is_cloaked(node) || !is_landmark(node) {
        return false;
    }
    let mut told = 0;
    let mut nodes = node.descendants();
    while let Some(inner) = nodes.next() {
        if inner.is_hidden_by_tag() {
            nodes.leave_out(inner);
        } else if let Some(text) = inner.text_value().filter(|text| !text.contains("{{")) {
            told += told_length(text);
        }
    }
    told < ENOUGH_TOLD
}

/// Whether an element is no part of what a page is for: what can be set or pressed, and what stands beside the content.
fn is_aside(node: Node<'_>, body: Node<'_>) -> bool {
    matches!(
        node.tag(),
        "aside" | "form" | "fieldset" | "label" | "select" | "button" | "a"
    ) || node.is_hidden_by_tag()
        || is_not_displayed(node)
        || is_beside_content(node, body)
        || names_any(node, WIDGETS)
}

/// An element that is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A place for content: it says that it loads, holds the outline of content, or is an element of the page's own making.
    Content,
    /// A bare element that a script finds by its name.
    Bare,
}

impl Place {
    /// What kind of place an element is; none where it holds anything. Counts the elements that may be one.
    fn of(node: Node<'_>, looked_at: &mut usize) -> Option<Place> {
        let is_custom = node.tag().contains('-');
        let is_block = matches!(
            node.tag(),
            "div" | "section" | "article" | "main" | "ul" | "ol" | "table" | "tbody"
        );
        let is_line = matches!(node.tag(), "p" | "span");
        if !(is_block || is_custom || is_line) {
            return None;
        }
        *looked_at += 1;
        if is_part_of_item(node) {
            return None;
        }
        let (mut elements, mut templates, mut pictures, mut shown) = (0, 0, 0, String::new());
        let (mut seen, mut inside) = (0, node.descendants());
        while let Some(inner) = inside.next() {
            seen += 1;
            if seen > MAX_PLACE {
                break;
            }
            // What can be pressed says what for, and is no content.
            if inner.is("button") {
                inside.leave_out(inner);
                continue;
            }
            if let Some(text) = inner.text_value() {
                shown.push_str(text.trim_start());
            } else if matches!(inner.tag(), "img" | "svg") {
                pictures += 1;
            } else if matches!(
                inner.tag(),
                "picture" | "video" | "audio" | "iframe" | "canvas" | "input" | "object"
            ) {
                return None;
            } else if inner.is("template") {
                templates += 1;
            } else if !inner.is_hidden_by_tag() {
                elements += 1;
            }
            if shown.len() > PLACEHOLDER {
                return None;
            }
        }
        // A picture beside the words that something is to come turns round, and so does one in a place that asks for its content.
        let is_asked_for = shown.is_empty() && asks_when_shown(node);
        if (says_loading(&shown) || is_asked_for) && pictures <= 1 {
            return Some(Place::Content);
        }
        if !shown.is_empty() || pictures > 0 || is_line {
            return None;
        }
        if elements >= OUTLINE || (elements == 0 && (is_custom || templates > 0)) {
            return Some(Place::Content);
        }
        let is_named = !node.id_attr().is_empty() || node.attrs().any(|(name, _)| name.starts_with("data-"));
        (elements == 0 && is_named).then_some(Place::Bare)
    }
}

/// Whether an element asks the server for its content as soon as it is shown, as htmx does (`hx-get` with `hx-trigger`, see its
/// reference of attributes) and the frames of Turbo.
fn asks_when_shown(node: Node<'_>) -> bool {
    let attribute = |names: [&str; 2]| names.iter().find_map(|name| node.attr(name));
    let asks = attribute(["hx-get", "data-hx-get"]).is_some();
    let trigger = attribute(["hx-trigger", "data-hx-trigger"]).unwrap_or_default();
    let is_at_once = trigger.starts_with("load") || trigger.starts_with("revealed");
    (asks && is_at_once) || (node.is("turbo-frame") && node.attr("src").is_some())
}

/// Whether an element is a part of one of several items that have their text already.
fn is_part_of_item(node: Node<'_>) -> bool {
    node.ancestors().take(ITEM_DEPTH).any(is_filled_item)
}

/// Whether an element has text, as another one of its kind beside it has.
fn is_filled_item(item: Node<'_>) -> bool {
    if item.class().is_empty() || !has_text(item) {
        return false;
    }
    let siblings = item.parent().into_iter().flat_map(Node::children).take(MAX_PLACE);
    siblings
        .filter(|sibling| {
            sibling.tag() == item.tag() && sibling.class() == item.class() && has_text(*sibling)
        })
        .nth(1)
        .is_some()
}

fn has_text(node: Node<'_>) -> bool {
    let mut texts = node.descendants().take(MAX_PLACE).filter_map(Node::text_value);
    texts.any(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use page::dom::Dom;

    use super::*;

    fn under_title(html: &str) -> UnderTitle {
        let dom = Dom::parse(html);
        UnderTitle::of(dom.body().unwrap())
    }

    #[test]
    fn an_application_under_the_title_is_still_to_come_and_a_widget_is_no_content() {
        let terms = "<section><h2>Terms</h2><p>Interest is worked out on the balance of every day and is taken once a month.</p></section>";
        let lead = "<h1>Accounts</h1><p>Compare our accounts and find the one that suits you.</p>";
        let of = |place: &str| under_title(&format!("{lead}{place}{terms}"));
        assert_eq!(
            of("<div id='single-spa-application:@q/accounts'></div>"),
            UnderTitle::Application
        );
        assert_ne!(of("<div id=root data-until=2026-05-01></div>"), UnderTitle::Empty);
        let episode = "<h1>Episode 62</h1><p>48 min</p><x-island><div class=p>Loading player…</div></x-island><h2>Notes</h2>";
        assert_eq!(
            under_title(&format!(
                "{episode}<p>A bell is tuned by taking metal away inside.</p>"
            )),
            UnderTitle::Told
        );
    }

    #[test]
    fn a_place_that_asks_for_its_content_when_it_is_shown_is_empty_though_a_picture_turns_in_it() {
        let place = |attributes: &str| {
            format!(
                "<main><h1>Current exhibitions</h1><div {attributes}><div class=busy><img src=spin.svg></div></div></main>\
                 <h2>Join us</h2><p>Free entry all year round for all of our friends.</p>"
            )
        };
        let of = |attributes: &str| under_title(&place(attributes));
        assert_eq!(
            of("hx-get='/list' hx-trigger='load delay:80ms'"),
            UnderTitle::Empty
        );
        assert_ne!(of("hx-get='/list' hx-trigger=click"), UnderTitle::Empty);
        assert_ne!(of(""), UnderTitle::Empty);
    }

    #[test]
    fn a_main_part_that_scripts_have_still_to_make_is_empty_whatever_follows() {
        let service = "<section><h2>Returns</h2><p>Goods can be sent back within thirty days of the delivery, without giving reasons.</p></section>";
        let cloaked = "<main v-cloak><p v-if='!item'>Loading the article ...</p><template v-else><h1>{{ item.name }}</h1></template></main>";
        assert_eq!(under_title(&format!("{cloaked}{service}")), UnderTitle::Empty);
        let made = "<main v-cloak><h1>Kettle</h1><p>A kettle of steel for two litres, which whistles when the water boils.</p></main>";
        assert_ne!(under_title(&format!("{made}{service}")), UnderTitle::Empty);
    }
}
