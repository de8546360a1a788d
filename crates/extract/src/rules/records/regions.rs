//! Region: the part of a page that the names of an element put it in, and signs of single elements.

use page::dom::Node;

use crate::rules::overlays::is_overlay;

/// What the names of an element (tag, role, id, classes) say about the place it is.
///
/// Flags, because an element can be in several regions at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Region(u16);

impl Region {
    /// Menus, bread crumbs, tabs, page numbers.
    pub(super) const MENU: Region = Region(1);
    /// Page header and footer.
    pub(super) const EDGE: Region = Region(2);
    /// What stands beside the content: side bars, related content, widgets.
    pub(super) const ASIDE: Region = Region(4);
    /// Filters, facets, forms, sorting.
    pub(super) const FILTER: Region = Region(8);
    /// Main content.
    pub(super) const MAIN: Region = Region(16);
    /// A list of results, products, posts.
    pub(super) const LIST: Region = Region(32);
    /// One result, product, post.
    pub(super) const ITEM: Region = Region(64);
    /// Advertising.
    pub(super) const ADVERT: Region = Region(128);
    /// Pop-ups, overlays, banners about cookies.
    pub(super) const OVERLAY: Region = Region(256);

    /// Both together.
    pub(super) fn and(self, other: Region) -> Region {
        Region(self.0 | other.0)
    }

    /// Whether any of the asked-for flags is set.
    pub(super) fn has(self, flags: Region) -> bool {
        self.0 & flags.0 != 0
    }

    /// Reads the names of an element.
    pub(super) fn of(node: Node<'_>) -> Region {
        let mut region = match node.tag() {
            "nav" => Region::MENU,
            "header" | "footer" => Region::EDGE,
            "aside" => Region::ASIDE,
            "select" | "fieldset" => Region::FILTER,
            "main" => Region::MAIN,
            "article" => Region::ITEM,
            "dialog" => Region::OVERLAY,
            _ => Region::default(),
        };
        region = match node.attr("role") {
            Some("navigation" | "menu" | "menubar" | "tablist" | "menuitem" | "tab") => {
                region.and(Region::MENU)
            }
            Some("banner" | "contentinfo") => region.and(Region::EDGE),
            Some("complementary") => region.and(Region::ASIDE),
            Some("search" | "form") => region.and(Region::FILTER),
            Some("main") => region.and(Region::MAIN),
            Some("list" | "feed" | "grid") => region.and(Region::LIST),
            Some("listitem" | "article" | "row") => region.and(Region::ITEM),
            Some("dialog" | "alertdialog") => region.and(Region::OVERLAY),
            _ => region,
        };
        if node
            .attr("itemtype")
            .is_some_and(|types| types.contains("ItemList"))
        {
            region = region.and(Region::LIST);
        }
        for name in node.classes().chain(std::iter::once(node.id_attr())) {
            region = region.and(of_name(name));
        }
        region
    }
}

/// Cuts a class or id into its words (`searchResults-item` is search, results, item) and reads each.
fn of_name(name: &str) -> Region {
    let mut region = Region::default();
    if name.len() > 80 {
        return region;
    }
    let bytes = name.as_bytes();
    let mut from = 0;
    let mut word = [0u8; 16];
    for at in 0..=bytes.len() {
        let end = match bytes.get(at) {
            None => true,
            Some(byte) if !byte.is_ascii_alphabetic() => true,
            Some(byte) => {
                byte.is_ascii_uppercase()
                    && at > from
                    && bytes.get(at - 1).is_some_and(u8::is_ascii_lowercase)
            }
        };
        if !end {
            continue;
        }
        let part = bytes.get(from..at).unwrap_or(&[]);
        if (2..=word.len()).contains(&part.len()) {
            for (to, letter) in word.iter_mut().zip(part) {
                *to = letter.to_ascii_lowercase();
            }
            if let Some(word) = word.get(..part.len()) {
                region = region.and(of_word(word));
            }
        }
        from = match bytes.get(at) {
            Some(byte) if byte.is_ascii_alphabetic() => at,
            _ => at + 1,
        };
    }
    region
}

fn of_word(word: &[u8]) -> Region {
    match word {
        b"nav" | b"navbar" | b"navigation" | b"menu" | b"submenu" | b"megamenu" | b"menus"
        | b"breadcrumb" | b"breadcrumbs" | b"crumb" | b"crumbs" | b"tabs" | b"tab" | b"pager"
        | b"pagination" | b"paging" | b"paginate" | b"toolbar" | b"topnav" | b"dropdown" | b"sitemap"
        | b"skip" | b"lang" | b"language" | b"languages" => Region::MENU,
        b"footer" | b"header" | b"masthead" | b"topbar" | b"copyright" | b"foot" | b"legal" => Region::EDGE,
        b"sidebar" | b"aside" | b"rail" | b"related" | b"recommended" | b"recommendations" | b"widget"
        | b"popular" | b"trending" | b"promo" | b"social" | b"share" | b"sharing" | b"suggestions"
        | b"carousel" | b"recently" | b"newsletter" | b"tagcloud" => Region::ASIDE,
        b"filter" | b"filters" | b"facet" | b"facets" | b"refine" | b"refinement" | b"refinements"
        | b"sort" | b"sorting" | b"form" | b"options" | b"autocomplete" | b"typeahead" | b"suggest"
        | b"swatch" | b"swatches" => Region::FILTER,
        b"main" | b"content" | b"maincontent" | b"primary" => Region::MAIN,
        b"results" | b"list" | b"listing" | b"listings" | b"products" | b"items" | b"search" | b"grid"
        | b"feed" | b"posts" | b"articles" | b"entries" | b"stream" | b"hits" | b"gallery" | b"cards"
        | b"collection" | b"catalog" | b"jobs" | b"threads" | b"topics" | b"stories" | b"records"
        | b"serp" => Region::LIST,
        b"result" | b"item" | b"product" | b"card" | b"post" | b"entry" | b"article" | b"hit" | b"tile"
        | b"teaser" | b"record" | b"row" | b"job" | b"thread" | b"topic" | b"story" | b"summary"
        | b"snippet" | b"offer" | b"book" | b"movie" | b"recipe" | b"video" | b"hentry" | b"listingitem"
        | b"athing" => Region::ITEM,
        b"ad" | b"ads" | b"advert" | b"adverts" | b"advertisement" | b"sponsor" | b"sponsored"
        | b"adsbygoogle" | b"dfp" | b"advertising" | b"banner" => Region::ADVERT,
        b"modal" | b"popup" | b"overlay" | b"lightbox" | b"cookie" | b"cookies" | b"tooltip" | b"popover"
        | b"flyout" | b"dialog" => Region::OVERLAY,
        _ => Region::default(),
    }
}

/// Whether nobody sees this element: code, fallbacks, closed choices, hidden parts.
pub(super) fn is_unseen(node: Node<'_>) -> bool {
    match node.tag() {
        "script" | "style" | "noscript" | "template" | "head" | "link" | "meta" | "iframe" | "object"
        | "select" | "datalist" | "textarea" | "param" | "source" | "track" => return true,
        "input" => {
            return node
                .attr("type")
                .is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"));
        }
        _ => {}
    }
    node.is_hidden_by_attribute() || is_overlay(node)
}

/// The part of an id before its running number: `result-` of `result-12`.
pub(super) fn numbered_stem(id: &str) -> Option<&str> {
    let at = id.find(|c: char| c.is_ascii_digit())?;
    id.get(..at).filter(|stem| stem.len() >= 2)
}

/// Whether a link leads somewhere, and does not only run a script.
pub(super) fn is_target(href: &str) -> bool {
    let href = href.trim();
    let scheme = href.get(..11).unwrap_or("").to_ascii_lowercase();
    !href.is_empty() && href != "#" && scheme != "javascript:"
}

/// Parts of words for stars and ratings.
#[rustfmt::skip]
const STAR_WORDS: &[&str] = &[
    "star", "rating", "rated", "out of", "stern", "étoile", "estrella", "stelle", "gwiazd", "звезд", "von 5", "sur 5",
];

/// Whether a label is about stars or a rating.
pub(super) fn mentions_stars(label: &str) -> bool {
    let label = label.to_lowercase();
    STAR_WORDS.iter().any(|word| label.contains(word))
}
