//! Parts of a page that list other pages, whose days are not of this one.

use page::dom::Node;

/// A link with more nodes than this holds more than a text.
const LEAST_CARD: usize = 5;

/// A link with as much text is the headline of another page.
pub(super) const HEADLINE: usize = 40;

/// Most nodes of an entry.
const MAX_NODES: usize = 40;

/// Fewest bytes of the name of another page behind a link in a list of such pages.
const LINKED_NAME: usize = 10;

/// Most words of a heading over a list of other pages.
const FEW_WORDS: usize = 6;

/// Words of headings over other pages.
#[rustfmt::skip]
const OTHER_HEADINGS: [&str; 40] = [
    "recent", "related", "latest", "similar", "other", "more", "also", "next", "upcoming", "trending", "popular", "weitere", "weiteres",
    "ähnliche", "mehr", "neueste", "neuste", "aktuelle", "andere", "auch", "letzte", "pozostałe", "inne", "podobne", "również", "także",
    "najnowsze", "ostatnie", "więcej", "polecane", "autres", "similaires", "aussi", "derniers", "dernières", "otros", "otras", "más",
    "altri", "meer",
];

/// Whether a day stands in an entry of a list of other pages: a box with a link, beside another such box, that is called an entry by
/// its tag or stands away from the title.
pub(super) fn is_listed(node: Node<'_>, is_away: bool) -> bool {
    let is_entry = |outer: Node<'_>| {
        let is_alike = |other: Node<'_>| {
            other.is(outer.tag()) && other.class() == outer.class() && is_small(&other) && leads(other)
        };
        let mut beside = outer.siblings_before().chain(outer.siblings_after());
        (is_away || matches!(outer.tag(), "article" | "li")) && leads(outer) && beside.any(is_alike)
    };
    node.ancestors().take(4).take_while(is_small).any(is_entry)
}

/// Whether a day stands in a small box with the headline of a page of another site, as in a list of what others wrote.
pub(super) fn is_of_other_site(node: Node<'_>, host: Option<&str>) -> bool {
    let Some(host) = host else { return false };
    let is_away = |link: Node<'_>| {
        let target = link.attr("href").filter(|href| href.starts_with("http"));
        let other = target.and_then(|target| url::Url::parse(target).ok());
        let other = other.as_ref().and_then(url::Url::host_str);
        let is_other = other.is_some_and(|other| {
            let (own, other) = (host.trim_start_matches("www."), other.trim_start_matches("www."));
            !own.ends_with(other) && !other.ends_with(own)
        });
        link.is("a") && is_other && link.text().len() >= HEADLINE
    };
    let mut around = node.ancestors().take(4).take_while(is_small);
    around.any(|outer| outer.descendants().any(is_away))
}

fn is_small(outer: &Node<'_>) -> bool {
    outer.end().index() - outer.id().index() <= MAX_NODES
}

/// Whether an element is, or holds, a link that names another page.
fn leads(node: Node<'_>) -> bool {
    let is_other = |link: Node<'_>| {
        link.is("a")
            && link.attr("rel").is_none()
            && link.attr("href").is_some_and(|href| !href.starts_with('#'))
            && link.text().len() >= LINKED_NAME
    };
    is_other(node) || node.descendants().any(is_other)
}

/// Whether a box begins with a heading that announces other pages: "Recent releases", "Weitere Stellen".
pub(super) fn heads_others(node: Node<'_>) -> bool {
    if !matches!(node.tag(), "section" | "div" | "aside" | "footer" | "nav") {
        return false;
    }
    let first = node.children().find(|child| child.is_element());
    let heading = first.filter(|first| matches!(first.tag(), "h2" | "h3" | "h4" | "h5" | "h6"));
    heading.is_some_and(|heading| {
        let text = heading.text().to_lowercase();
        let mut words = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        text.split_whitespace().count() <= FEW_WORDS && words.any(|word| OTHER_HEADINGS.contains(&word))
    })
}

/// Whether an element is an entry of a list that is one link, with a headline and more: the day in it is that of another page.
pub(super) fn is_card(node: Node<'_>) -> bool {
    node.is("a")
        && node.end().index() - node.id().index() > LEAST_CARD
        && node.attr("href").is_some_and(|href| !href.starts_with('#'))
        && node.text().len() >= HEADLINE
}
