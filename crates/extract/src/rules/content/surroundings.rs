//! Blocks that a tag or a class name marks as something beside the content: menus, footers, advertisements, recommendations.

use std::collections::HashSet;

use super::element::{BlockTag, OutlineElement};
use super::outline::BlockOutline;
use super::totals::{PageTotals, share};

/// Words in class names, ids and roles of elements beside the content, each whole. Fewer than the class groups of the
/// vocabulary have: those are hints that are weighed, and these alone leave text out. So there is no word that is also said of
/// content (`widget`, `secondary`, `latest`, `bottom`).
const BESIDE: [&str; 58] = [
    // Menus, and the bars and the foot of a page.
    "nav",
    "navigation",
    "navbar",
    "menu",
    "menus",
    "submenu",
    "megamenu",
    "menubar",
    "topnav",
    "subnav",
    "sidenav",
    "offcanvas",
    "hamburger",
    "sitemap",
    "breadcrumb",
    "breadcrumbs",
    "sidebar",
    "sidebars",
    "complementary",
    "footer",
    "subfooter",
    "colophon",
    "contentinfo",
    "masthead",
    // Other texts by the same or by others.
    "related",
    "recommended",
    "recommendation",
    "recommendations",
    "recirc",
    "recirculation",
    "upsell",
    "upsells",
    "crosssell",
    "outbrain",
    "taboola",
    "zergnet",
    "revcontent",
    "ad",
    "ads",
    "advert",
    "adverts",
    "advertisement",
    "advertising",
    "adslot",
    "sponsored",
    "anzeige",
    "werbung",
    "publicite",
    "reklama",
    // Forms for readers.
    "share",
    "sharing",
    "sharebar",
    "addthis",
    "addtoany",
    "sharedaddy",
    "newsletter",
    "newsletters",
    "mailchimp",
];
/// Those of them that say that an element is an advertisement.
const ADVERT: [&str; 12] = [
    "ad",
    "ads",
    "advert",
    "adverts",
    "advertisement",
    "advertising",
    "adslot",
    "sponsored",
    "anzeige",
    "werbung",
    "publicite",
    "reklama",
];
/// Words beside these that say that an element is none, or holds the content, too.
const NO_ADVERT: [&str; 7] = ["no", "free", "without", "has", "with", "content", "wrapper"];
/// The share of the words of a page from which on what is called an advertisement is what the page is about: small ads.
const SMALL_ADS: f32 = 0.25;
/// The same of what asks for consent.
const CONSENT: [&str; 8] = [
    "cookie",
    "cookies",
    "consent",
    "gdpr",
    "onetrust",
    "cookiebot",
    "didomi",
    "usercentrics",
];
/// The same of what lies over the page, where it is hidden.
const OVERLAY: [&str; 5] = ["modal", "popup", "popover", "lightbox", "dialog"];
/// Most names of an element that are read.
const MAX_NAMES: usize = 100;
/// From this share of the words of the page on, a mark is about the page as a whole, such as a class of its body.
const WHOLE: f32 = 0.5;

/// Keeps every block that is not marked as something beside the content, also what is hidden until a reader opens it, such as
/// a tab.
pub(super) fn keep_unmarked(outline: &BlockOutline<'_>, totals: &PageTotals, kept: &mut [bool]) {
    let is_marked = |element: &OutlineElement<'_>| {
        is_beside(element)
            && share(totals.of(element).words, totals.total.words) < WHOLE
            && !has_title(totals, element)
    };
    let holders = holders_of_main(outline);
    // A parent stands before its children.
    let mut left_out: Vec<bool> = Vec::with_capacity(outline.elements.len());
    for (id, element) in (0..).zip(&outline.elements) {
        let is_inside = left_out.get(element.parent as usize).copied().unwrap_or(false);
        let is_unseen = element.tag == BlockTag::Unseen;
        left_out.push(is_inside || is_unseen || (!holders.contains(&id) && is_marked(element)));
    }
    for (block, is_kept) in outline.blocks.iter().zip(&mut *kept) {
        *is_kept |= !left_out.get(block.element as usize).copied().unwrap_or(true);
    }
    complete_lines(outline, kept);
    leave_out_adverts(outline, totals, kept);
}

/// Leaves out the advertisements within the content, which change with each visit.
fn leave_out_adverts(outline: &BlockOutline<'_>, totals: &PageTotals, kept: &mut [bool]) {
    let holders = holders_of_main(outline);
    let is_advert = |element: &OutlineElement<'_>| {
        let names = names(element);
        let has = |words: &[&str]| names.iter().any(|name| words.contains(&name.as_str()));
        has(&ADVERT) && !has(&NO_ADVERT) && !has_title(totals, element)
    };
    let mut adverts: Vec<bool> = Vec::with_capacity(outline.elements.len());
    for (id, element) in (0..).zip(&outline.elements) {
        let is_inside = adverts.get(element.parent as usize).copied().unwrap_or(false);
        adverts.push(is_inside || (!holders.contains(&id) && is_advert(element)));
    }
    let is_within = |element: u32| adverts.get(element as usize).copied().unwrap_or(false);
    let within = outline.blocks.iter().filter(|block| is_within(block.element));
    let words: f32 = within.map(|block| block.words as f32).sum();
    if words < SMALL_ADS * totals.total.words {
        for (block, is_kept) in outline.blocks.iter().zip(kept) {
            *is_kept &= !is_within(block.element);
        }
    }
}

/// Keeps a line as a whole where a part of it is kept.
fn complete_lines(outline: &BlockOutline<'_>, kept: &mut [bool]) {
    let mut has_lines = vec![false; outline.elements.len()];
    for element in outline.elements.iter().filter(|element| element.breaks) {
        if let Some(parent) = has_lines.get_mut(element.parent as usize) {
            *parent = true;
        }
    }
    let elements = outline.elements.iter().zip(&has_lines);
    for (line, _) in elements.filter(|(element, has_lines)| element.breaks && !**has_lines) {
        if let Some(blocks) = kept.get_mut(line.from as usize..line.to as usize)
            && blocks.contains(&true)
        {
            blocks.fill(true);
        }
    }
}

/// Whether a tag or a name says that an element is beside the content.
fn is_beside(element: &OutlineElement<'_>) -> bool {
    match element.tag {
        BlockTag::Nav | BlockTag::Footer | BlockTag::Aside | BlockTag::Dialog => true,
        // Text itself; its class names tell how it looks.
        BlockTag::P | BlockTag::Heading(_) | BlockTag::Pre | BlockTag::Quote | BlockTag::Table => false,
        _ => {
            let names = names(element);
            let has = |words: &[&str]| names.iter().any(|name| words.contains(&name.as_str()));
            // What holds both the content and a bar beside it is not that bar.
            let is_wrapper =
                has(&["content", "wrap", "wrapper", "container", "with", "has"]) && has(&["sidebar"]);
            (has(&BESIDE) && !is_wrapper) || has(&CONSENT) || (element.unseen && has(&OVERLAY))
        }
    }
}

/// The words of an element's names, in small letters, without those that a build has made (`css-5ad0f1`): they change with
/// each build, and what they seem to say is chance.
fn names(element: &OutlineElement<'_>) -> Vec<String> {
    let is_name = |attr: &str| matches!(attr, "class" | "id" | "role");
    let values = element
        .node
        .attrs()
        .filter(|(attr, _)| is_name(attr))
        .map(|(_, value)| value);
    let words = values.flat_map(str::split_ascii_whitespace).take(MAX_NAMES);
    // A variant of a style (`hover:shadow`, `[.sidebar_&]:wide`) says how it looks when.
    let words = words.filter(|word| !word.contains([':', '[']));
    let pieces = words.flat_map(|word| word.split(['-', '_']));
    pieces
        .filter(|piece| !is_made(piece))
        .flat_map(camel_words)
        .collect()
}

fn is_made(piece: &str) -> bool {
    let has = |is: fn(&u8) -> bool| piece.as_bytes().iter().any(is);
    has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)
}

/// `relatedPosts` as two words.
fn camel_words(piece: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_small = false;
    for sign in piece.chars() {
        if sign.is_uppercase() && is_small {
            words.push(String::new());
        }
        is_small = sign.is_lowercase();
        if let Some(word) = words.last_mut() {
            word.extend(sign.to_lowercase());
        }
    }
    words
}

/// The elements around the one that the page names as its main part.
fn holders_of_main(outline: &BlockOutline<'_>) -> HashSet<u32> {
    let mains = (0..)
        .zip(&outline.elements)
        .filter(|(_, element)| element.tag == BlockTag::Main);
    mains
        .flat_map(|(id, _)| outline.around(id).map(|(outer, _)| outer))
        .collect()
}

/// Whether the first heading of the first level is inside.
fn has_title(totals: &PageTotals, element: &OutlineElement<'_>) -> bool {
    let blocks = element.from as usize..element.to as usize;
    totals.first_h1.is_some_and(|at| blocks.contains(&at))
}
