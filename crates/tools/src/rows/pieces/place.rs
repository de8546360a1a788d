//! Where the short texts of an entry stand in its elements.

use std::collections::HashMap;

use page::Page;
use page::dom::{Node, NodeId};

use crate::words::word_forms::tokens;

/// Most elements of an entry that are read, and most pieces of it that are kept.
const MAX_NODES: usize = 2_000;
const MAX_PIECES: usize = 60;
/// Most characters of a piece.
const MAX_TEXT: usize = 120;
/// Most elements around a text, from the nearest on, whose names are what it is called.
const MOST_AROUND: usize = 2;

locale::patterns! {
    /// What divides a line into pieces.
    static DIVIDER = r"\s*[|·•∙⋅●]\s*|\s+/\s+|\s+[–—-]\s+|,\s+|\s*[()]\s*";
}

/// A short text of a row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Piece {
    /// The elements around it, its number among texts within the same ones, and its number among the parts of its line.
    pub(crate) place: String,
    /// What the page's class names and markup call it, in words without case and accents.
    pub(crate) called: Vec<String>,
    pub(crate) text: String,
    /// The whole line that it is a part of.
    pub(crate) line: String,
}

impl Piece {
    /// Whether it is the first part of a line that lists words and nothing else: "Italian, Pizza".
    pub(super) fn begins_list(&self) -> bool {
        let mut parts = self.line.split(", ");
        let is_word =
            |part: &str| part.chars().any(char::is_alphabetic) && !part.chars().any(|c| c.is_ascii_digit());
        let is_whole = DIVIDER
            .find_iter(&self.line)
            .all(|divider| divider.as_str().starts_with(','));
        is_whole
            && parts.clone().count() > 1
            && parts.clone().next() == Some(self.text.as_str())
            && parts.all(is_word)
    }
}

/// What the rows of a list have at one place.
pub(super) struct PlaceValues<'p> {
    pub(super) name: &'p str,
    /// Where the place is among those of the longest entry that has it.
    pub(super) order: usize,
    pub(super) pieces: Vec<&'p Piece>,
}

impl PlaceValues<'_> {
    /// The share of the pieces of which something holds.
    pub(super) fn share(&self, holds: impl Fn(&Piece) -> bool) -> f64 {
        let holding = self.pieces.iter().filter(|piece| holds(piece)).count();
        holding as f64 / self.pieces.len().max(1) as f64
    }

    /// The number of different texts.
    pub(super) fn distinct(&self) -> usize {
        let mut texts: Vec<&str> = self.pieces.iter().map(|piece| piece.text.as_str()).collect();
        texts.sort_unstable();
        texts.dedup();
        texts.len()
    }
}

/// The pieces of an entry, which is these elements.
pub(super) fn pieces(page: &Page, elements: &[NodeId]) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut counts: HashMap<String, usize> = HashMap::new();
    for (at, root) in elements.iter().enumerate() {
        let root = page.dom().node(*root);
        let mut nodes = 0;
        let mut walk = root.descendants();
        while let Some(node) = walk.next() {
            nodes += 1;
            if nodes > MAX_NODES || found.len() >= MAX_PIECES {
                return found;
            }
            if node.is_element() {
                let is_control = matches!(
                    node.tag(),
                    "button" | "form" | "select" | "script" | "style" | "template" | "svg"
                );
                if is_control || node.is_hidden_by_tag() || node.is_hidden_by_attribute() {
                    walk.leave_out(node);
                }
                continue;
            }
            let line = locale::collapse_whitespace(node.text_value().unwrap_or_default());
            if line.chars().count() > MAX_TEXT || !line.contains(char::is_alphanumeric) {
                continue;
            }
            let path = format!("{at}{}", path(node, root));
            let count = counts.entry(path.clone()).or_default();
            *count += 1;
            let called = called(node, root);
            let parts = DIVIDER.split(&line).map(str::trim).enumerate();
            for (part, text) in parts.filter(|(_, text)| text.contains(char::is_alphanumeric)) {
                found.push(Piece {
                    place: format!("{path} {count}.{part}"),
                    called: called.clone(),
                    text: text.to_owned(),
                    line: line.clone(),
                });
            }
        }
    }
    found
}

/// The elements from an entry down to a text: their tags and first classes, and of a cell its number.
fn path(text: Node<'_>, root: Node<'_>) -> String {
    let around = text.ancestors().take_while(|node| node.id() != root.id());
    let mut steps: Vec<String> = around
        .map(|node| match node.tag() {
            tag @ ("td" | "th") => {
                let is_cell = |node: &Node<'_>| matches!(node.tag(), "td" | "th");
                let number = node.siblings_before().filter(is_cell).count();
                format!("/{tag}{number}")
            }
            tag => format!("/{tag}.{}", node.classes().next().unwrap_or_default()),
        })
        .collect();
    steps.reverse();
    steps.concat()
}

/// The words of the class names and markup of the elements nearest to a text.
fn called(text: Node<'_>, root: Node<'_>) -> Vec<String> {
    let around = text.ancestors().take_while(|node| node.id() != root.id());
    let mut words = Vec::new();
    for node in around.take(MOST_AROUND) {
        let attribute = |name| node.attr(name).unwrap_or_default();
        for name in [node.class(), attribute("itemprop"), attribute("rel")] {
            for name in name.split_whitespace() {
                let named = tokens(&name.replace(['_', '-'], " "));
                let is_single = named.len() == 1;
                let is_told = |word: &String| is_single || !OF_TEMPLATES.contains(&word.as_str());
                words.extend(named.into_iter().filter(is_told).map(in_full));
            }
        }
    }
    words.extend(icon_before(text));
    words
}

/// Words of class names of several words that templates give to any element: the "field" of `field--name-code` is none of study.
const OF_TEMPLATES: [&str; 7] = ["field", "fields", "item", "items", "block", "node", "value"];

/// A word of class names without the abbreviation: `cat-links`.
fn in_full(word: String) -> String {
    match word.as_str() {
        "cat" | "cats" => "category".to_owned(),
        "dept" => "department".to_owned(),
        _ => word,
    }
}

/// The words that icons of a place are called by, as `fa-map-marker` and `#pin`.
const PLACE_ICONS: [&str; 5] = ["pin", "marker", "geo", "location", "place"];

/// What the icon right before a text stands for: a place.
fn icon_before(text: Node<'_>) -> Option<String> {
    let icon = text.prev_sibling().filter(|before| before.is_element())?;
    let is_icon = matches!(icon.tag(), "i" | "svg" | "span" | "img") && icon.text().trim().is_empty();
    let drawn = icon.descendants().find(|inner| inner.is("use"));
    let drawn = drawn.and_then(|drawn| drawn.attr("href").or(drawn.attr("xlink:href")));
    let names = format!("{} {}", icon.class(), drawn.unwrap_or_default());
    let words = tokens(&names.replace(['_', '-', '#'], " "));
    let is_place = words.iter().any(|word| PLACE_ICONS.contains(&word.as_str()));
    (is_icon && is_place).then(|| "location".to_owned())
}
