//! How many elements of each sort a page has, and the form of its heading and title.

use page::Page;
use page::dom::Node;

/// Elements that are counted, and the number from which more say no more.
#[rustfmt::skip]
const COUNTED: [(&str, f32); 13] = [
    ("time", 10.0), ("img", 60.0), ("table", 10.0), ("code", 20.0), ("dl", 5.0), ("select", 4.0), ("iframe", 4.0),
    ("h2", 20.0), ("h3", 30.0), ("form", 5.0), ("textarea", 1.0), ("video", 2.0), ("button", 30.0),
];

/// Words of the names of boxes for a number of pieces.
const PIECES: [&str; 3] = ["qty", "quantity", "menge"];

/// Signs between the name of a page and that of its site.
const SEPARATORS: &str = "|–—-·»:";

/// The numbers of elements, and what is told by the heading and the title, always in the same order.
pub(super) fn read(page: &Page) -> Vec<f32> {
    let dom = page.dom();
    let count = |tag: &str| dom.by_tag(tag).count() as f32;
    let flag = |test: bool| f32::from(u8::from(test));
    let mut numbers: Vec<f32> = COUNTED
        .iter()
        .map(|(tag, most)| (count(tag) / most).min(1.0))
        .collect();
    let (paragraphs, items, headings) = (count("p"), count("li"), count("h1"));
    let (mut pieces, mut choices) = (0.0f32, 0.0f32);
    for input in dom.by_tag("input") {
        let kind = input.attr("type").unwrap_or_default().to_ascii_lowercase();
        let name = input.attr("name").unwrap_or_default().to_ascii_lowercase();
        pieces += flag(kind == "number" || PIECES.iter().any(|word| name.contains(word)));
        choices += flag(matches!(kind.as_str(), "checkbox" | "radio"));
    }
    let text_of = |tag: &str| {
        let mut texts = dom.by_tag(tag).map(|node| node.raw_text());
        texts.find(|text| !text.trim().is_empty()).unwrap_or_default()
    };
    let (heading, title) = (text_of("h1"), text_of("title"));
    let words = |text: &str| text.split_whitespace().count() as f32;
    let is_separator = |word: &str| word.chars().count() == 1 && SEPARATORS.contains(word);
    let leads_to = |relations: &[&str]| {
        let is_such = |node: Node<'_>| node.attr("rel").is_some_and(|own| relations.contains(&own));
        flag(dom.by_tag("a").chain(dom.by_tag("link")).any(is_such))
    };
    numbers.extend([
        flag((1.0..=2.0).contains(&count("time"))),
        paragraphs / (paragraphs + items + 1.0),
        (pieces / 2.0).min(1.0),
        (choices / 20.0).min(1.0),
        flag(headings == 1.0),
        flag(headings == 0.0),
        (words(&heading) / 12.0).min(1.0),
        flag(heading.trim_end().ends_with('?')),
        (words(&title) / 15.0).min(1.0),
        flag(title.split_whitespace().any(is_separator)),
        leads_to(&["next"]),
        leads_to(&["prev", "previous"]),
    ]);
    numbers
}
