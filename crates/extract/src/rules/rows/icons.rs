//! What icons of the entries of a list say to those who hear the page: `aria-label` and the like.
//!
//! "2" within an element that is labelled "2 bedrooms" is a number of bedrooms; an icon labelled "Branch" before "Leeds" labels this text;
//! an icon labelled "Pets allowed" that stands alone is all that the entry says of them.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use page::dom::Node;
use page::tables::is_within_control;
use serde_json::{Map, Value};

use super::Row;
use super::elements::elements;
use crate::rules::lines::is_hidden;
use crate::rules::records::Record;
use crate::rules::visible_page::{VisiblePage, squeeze};

/// Fewest entries that have an icon with the same label.
const FEWEST: usize = 2;
/// Longest label of an icon, in characters.
const LONGEST_LABEL: usize = 30;
/// Longest text that is labelled, in characters.
const LONGEST_VALUE: usize = 60;
/// Longest abbreviation whose words in full are read, in characters.
const LONGEST_ABBREVIATION: usize = 5;
/// Most nodes of an icon: `<svg><title/><path/></svg>`.
const ICON_NODES: usize = 12;

/// What one label of an entry says.
enum Spoken {
    /// A text and what it is: ("bedrooms", "2").
    Value(String, String),
    /// A label without any text.
    Mark(String),
}

/// Adds to each row what its icons say: values to its facts, and marks to the end of its text. What all entries say alike tells none
/// from another.
pub(super) fn add(view: &VisiblePage<'_>, records: &[Record], rows: &mut [Row]) {
    let mut spoken: Vec<Vec<Spoken>> = records.iter().map(|record| of_entry(view, record)).collect();
    let mut counts: HashMap<String, usize, RandomState> = HashMap::default();
    for said in spoken.iter().flatten() {
        let (Spoken::Value(label, _) | Spoken::Mark(label)) = said;
        *counts.entry(label.clone()).or_default() += 1;
    }
    // "1 bedroom" is told with "2 bedrooms".
    for said in spoken.iter_mut().flatten() {
        if let Spoken::Value(label, _) = said {
            let plural = format!("{label}s");
            if counts.contains_key(&plural) {
                *counts.entry(plural.clone()).or_default() += 1;
                *label = plural;
            }
        }
    }
    let entries = rows.len();
    let count = |label: &String| counts.get(label).copied().unwrap_or_default();
    for (row, said) in rows.iter_mut().zip(spoken) {
        for said in said {
            match said {
                Spoken::Value(label, value) if count(&label) >= FEWEST => {
                    add_fact(&mut row.facts, label, value)
                }
                Spoken::Mark(label)
                    if (FEWEST..entries).contains(&count(&label)) && !row.text.contains(&label) =>
                {
                    row.text.push(' ');
                    row.text.push_str(&label);
                }
                Spoken::Value(..) | Spoken::Mark(_) => {}
            }
        }
    }
}

fn add_fact(facts: &mut Map<String, Value>, label: String, value: String) {
    facts.entry(label).or_insert_with(|| value.into());
}

/// What the labels within one entry say, in document order.
fn of_entry(view: &VisiblePage<'_>, record: &Record) -> Vec<Spoken> {
    elements(view, record).filter_map(of_element).collect()
}

/// What the label of one element says, unless one can press the element.
fn of_element(node: Node<'_>) -> Option<Spoken> {
    let label = squeeze(label_of(node)?);
    let is_small = node.end().index() - node.id().index() <= ICON_NODES;
    let is_label = label.chars().count() <= LONGEST_LABEL && label.starts_with(char::is_alphanumeric);
    // Of a picture no text is read, so that every one counts as hidden.
    let shown = if node.is("svg") { node.parent()? } else { node };
    if !is_small || !is_label || is_hidden(shown) {
        return None;
    }
    if is_within_control(node) {
        return counted_by_link(node, label);
    }
    let text = if node.is("svg") {
        String::new()
    } else {
        squeeze(&node.text())
    };
    if node.is("abbr") {
        return is_abbreviation(&text, &label).then_some(Spoken::Mark(label));
    }
    if !text.is_empty() && !text.contains(char::is_alphanumeric) {
        return drawn(&label);
    }
    if !text.is_empty() {
        return counted(&label, &text);
    }
    if label.contains(|c: char| c.is_ascii_digit()) {
        return counted(&label, &text_beside(node)?);
    }
    Some(match text_beside(node) {
        Some(value) => Spoken::Value(label, value),
        None => Spoken::Mark(label),
    })
}

fn label_of(node: Node<'_>) -> Option<&str> {
    let is_picture = matches!(node.tag(), "svg" | "i" | "abbr") || node.attr("role") == Some("img");
    let title = || node.attr("title").filter(|_| is_picture);
    let label = node.attr("aria-label").or_else(title)?;
    Some(label.trim()).filter(|label| !label.is_empty())
}

/// Whether a short text stands for a label in full: "GF" for "Gluten-free". A unit of measure ("km") is none.
fn is_abbreviation(text: &str, label: &str) -> bool {
    let is_short = (1..=LONGEST_ABBREVIATION).contains(&text.chars().count());
    let is_letters = text.chars().all(char::is_uppercase);
    is_short && is_letters && label.len() > text.len() && !label.contains(|c: char| c.is_ascii_digit())
}

/// The number of the label of signs without letters: "4 stars" of "★★★★".
fn drawn(label: &str) -> Option<Spoken> {
    let (number, name) = label.split_once(' ')?;
    let is_number = number.len() <= 2 && number.chars().all(|c| c.is_ascii_digit());
    let is_name = name.chars().all(char::is_alphabetic) && !name.is_empty();
    (is_number && is_name).then(|| Spoken::Value(name.to_owned(), number.to_owned()))
}

/// The number that is shown and what the label says besides: "2" with "2 bedrooms" or "Bedrooms: 2".
fn counted(label: &str, text: &str) -> Option<Spoken> {
    let is_number = text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
    let name = label
        .strip_prefix(text)
        .or_else(|| label.strip_suffix(text))
        .filter(|_| is_number)?
        .trim_matches([' ', ':', '\u{a0}']);
    let is_name = name.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '-')) && !name.is_empty();
    is_name.then(|| Spoken::Value(name.to_owned(), text.to_owned()))
}

/// Whether a text is a number and nothing else: "811", "12.4k".
fn is_count(text: &str) -> bool {
    let number = text.trim_end_matches(['k', 'K', 'M']);
    text.len() <= number.len() + 1
        && number.starts_with(|c: char| c.is_ascii_digit())
        && number
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | ' '))
}

/// A number behind an icon that is a link to what is counted: a star before "12.4k".
fn counted_by_link(icon: Node<'_>, label: String) -> Option<Spoken> {
    let link = icon.parent().filter(|link| link.is("a"))?;
    let is_in_button = link.parent().is_some_and(is_within_control);
    let value = text_beside(icon).filter(|value| is_count(value))?;
    (!is_in_button && icon.is("svg")).then_some(Spoken::Value(label, value))
}

/// The text that stands behind an icon, where its parent has no other.
fn text_beside(node: Node<'_>) -> Option<String> {
    let parent = node.parent()?;
    let text = squeeze(&parent.text());
    let is_value = !text.is_empty() && text.chars().count() <= LONGEST_VALUE;
    let is_first = node
        .siblings_before()
        .all(|before| before.text().trim().is_empty());
    let icons = parent.descendants().filter(|inner| label_of(*inner).is_some());
    (is_value && is_first && icons.count() == 1).then_some(text)
}

#[cfg(test)]
mod tests {
    use page::Page;
    use serde_json::json;

    use crate::rules::rows;
    use crate::rules::visible_page::VisiblePage;

    #[test]
    fn labels_of_icons_are_facts_and_marks() {
        let flat = |name: &str, beds: &str, pets: &str| {
            format!(
                "<article class=card><h2><a href=/rent/{beds}{name}>Flat in {name} Street</a></h2><p>£{beds}50 pcm</p>\
                 <ul><li aria-label='{beds}'><svg aria-hidden=true></svg>{}</li>{pets}\
                 <li><i class=pin aria-label=Branch></i> {name}</li></ul><button aria-label='Save flat'>♡</button></article>",
                beds.split(' ').next().unwrap_or_default()
            )
        };
        let pets = "<li><svg role=img aria-label='Pets allowed'></svg></li>";
        let html = ["Oak", "Elm", "Ash", "Fir", "Yew"]
            .iter()
            .zip([
                "2 bedrooms",
                "1 bedroom",
                "3 bedrooms",
                "2 bedrooms",
                "4 bedrooms",
            ])
            .enumerate()
            .map(|(at, (name, beds))| flat(name, beds, if at % 2 == 0 { pets } else { "" }))
            .collect::<String>();
        let page = Page::new(format!("<main>{html}</main>"), None);
        let rows = rows::read(&VisiblePage::of(&page));
        let facts: Vec<_> = rows
            .iter()
            .map(|row| (row.facts["bedrooms"].clone(), row.facts["Branch"].clone()))
            .collect();
        assert_eq!(
            facts[..2],
            [(json!("2"), json!("Oak")), (json!("1"), json!("Elm"))]
        );
        let pets: Vec<bool> = rows
            .iter()
            .map(|row| row.text.ends_with("Pets allowed"))
            .collect();
        assert_eq!(
            pets,
            [true, false, true, false, true],
            "{:?}",
            rows.iter().map(|row| row.text.as_str()).collect::<Vec<_>>()
        );
        assert!(rows.iter().all(|row| !row.text.contains("Save")));
    }

    #[test]
    fn abbreviations_stars_and_lights_are_read_as_they_are_spoken() {
        let hotel = |name: &str, stars: &str, diet: &str| {
            format!(
                "<div class=card><h3><a href=/{name}>Hotel {name}</a></h3><span role=img aria-label='{stars}'>★★★</span>\
                 <p>{diet} Old town · 2 km</p><p>Sleeps 4 guests</p></div>"
            )
        };
        let vegan = "<abbr title=Vegan>VG</abbr>";
        let html = [
            hotel("Oak", "3 stars", vegan),
            hotel("Elm", "4 stars", ""),
            hotel("Ash", "4 stars", vegan),
            hotel("Fir", "2 stars", ""),
        ];
        let page = Page::new(format!("<main>{}</main>", html.concat()), None);
        let rows = rows::read(&VisiblePage::of(&page));
        assert_eq!(rows[1].facts["stars"], json!("4"));
        let vegan: Vec<bool> = rows.iter().map(|row| row.text.ends_with("Vegan")).collect();
        assert_eq!(vegan, [true, false, true, false]);

        let course = |name: &str, status: &str| {
            format!(
                "<tr><td><a href=/{name}>{name} for all</a></td><td>12 May 2026</td>\
                 <td><span role=img title='{status}'></span></td></tr>"
            )
        };
        let courses = [
            course("Drawing", "Places left"),
            course("Singing", "Waiting list"),
            course("Baking", "Places left"),
            course("Sewing", "Full"),
        ];
        let head = "<tr><th>Title</th><th>Begins</th><th>Status</th></tr>";
        let page = Page::new(format!("<table>{head}{}</table>", courses.concat()), None);
        let rows = rows::read(&VisiblePage::of(&page));
        let status: Vec<_> = rows.iter().map(|row| row.facts["Status"].clone()).collect();
        assert_eq!(status, ["Places left", "Waiting list", "Places left", "Full"]);
    }
}
