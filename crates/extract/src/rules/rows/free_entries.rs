//! Entries that are free of charge: a price of nothing, which most of them say in words.

use locale::price::{self, PriceHints};
use page::dom::Node;

use super::amount_labels::label;
use super::elements::elements;
use super::row::Row;
use crate::rules::records::Record;
use crate::rules::visible_page::VisiblePage;

/// Longest text that says that an entry is free of charge, in bytes.
const LONGEST: usize = 24;
/// Most nodes of an element that says so.
const MAX_NODES: usize = 4;

locale::patterns! {
    /// That nothing is paid to get in.
    static FREE_ENTRY = r"(?i)^\W*(?:eintritt\s+(?:ist\s+)?frei|freier\s+eintritt|free\s+(?:entry|admission|entrance)|(?:entry|admission)\s+(?:is\s+)?free|wstęp\s+(?:wolny|bezpłatny|darmowy)|entrée\s+(?:libre|gratuite)|entrada\s+(?:libre|gratuita)|ingresso\s+(?:libero|gratuito))(?:,?\s+(?:um\s+)?(?:spenden?|donations?|datki|kollekte)(?:\s+\p{L}+){0,2})?\W*$";
    /// What else may stand where things are free: a room that somebody uses.
    static OCCUPIED = r"(?i)^\W*(?:busy|taken|occupied|in use|belegt|besetzt|zaj[ęe]t[eyao]|occupée?s?|ocupad[oa]s?|occupat[oaie]|bezet)\W*$";
    /// The heading of a column, or the label, of whether something can be used.
    static STATE = r"(?i)^\W*(?:(?:current\s+)?(?:status|state|availability|occupancy)|verfügbarkeit|belegung|zustand|stan|dostępność|disponibilité|disponibilidad|état|estado|disponibilità)\W*$";
}

/// What says that an entry is free.
enum Free<'p> {
    /// That nothing is paid.
    OfCharge,
    /// An element that says "free" and nothing else.
    Word(Node<'p>),
}

/// Gives a price of nothing to the entries without an amount that say that they are free of charge. Where entries are free, or somebody
/// uses them, nothing is said of a price.
pub(super) fn add(view: &VisiblePage<'_>, records: &[Record], rows: &mut [Row]) {
    let is_open = |row: &Row| row.price.is_none() && row.old_price.is_none();
    let pairs = rows.iter().zip(records);
    let free: Vec<Option<Free<'_>>> = pairs
        .map(|(row, record)| is_open(row).then(|| free(view, record))?)
        .collect();
    let words = || {
        let said = free.iter().flatten();
        said.filter_map(|free| match free {
            Free::Word(node) => Some(*node),
            Free::OfCharge => None,
        })
    };
    let is_of_state = |word: Node<'_>| label(word).is_some_and(|label| STATE.is_match(&label));
    let is_opposite = |other: Node<'_>| {
        is_small(other) && is_at_place_of(other, words().next()) && OCCUPIED.is_match(&other.text())
    };
    let is_of_use = words().any(is_of_state)
        || (words().next().is_some()
            && records
                .iter()
                .any(|record| elements(view, record).any(is_opposite)));
    for (row, free) in rows.iter_mut().zip(&free) {
        let is_free = match free {
            Some(Free::OfCharge) => true,
            Some(Free::Word(_)) => !is_of_use,
            None => false,
        };
        if is_free {
            row.price = Some(0.into());
        }
    }
}

fn is_small(node: Node<'_>) -> bool {
    node.end().index() - node.id().index() <= MAX_NODES
}

/// Whether two elements of entries stand at one place: a tag within another, whatever their own names say of each.
fn is_at_place_of(node: Node<'_>, other: Option<Node<'_>>) -> bool {
    let place = |node: Node<'_>| Some((node.tag().to_owned(), node.parent()?.tag().to_owned()));
    other.is_some_and(|other| place(node) == place(other))
}

/// The first element of an entry that says nothing but that it is free.
fn free<'p>(view: &VisiblePage<'p>, record: &Record) -> Option<Free<'p>> {
    let hints = PriceHints::default();
    elements(view, record).find_map(|node| {
        let is_text = is_small(node) && !node.is("a") && !node.is("button");
        let text = if is_text { node.text() } else { String::new() };
        if FREE_ENTRY.is_match(&text) {
            return Some(Free::OfCharge);
        }
        let is_word =
            !text.is_empty() && text.len() <= LONGEST && !text.contains(|c: char| c.is_ascii_digit());
        let is_nothing = || price::parse(&text, &hints).is_some_and(|price| price.amount == "0");
        (is_word && is_nothing()).then_some(Free::Word(node))
    })
}

#[cfg(test)]
mod tests {
    use page::Page;
    use serde_json::json;

    use crate::rules::rows;
    use crate::rules::visible_page::VisiblePage;

    fn prices(html: String) -> Vec<Option<serde_json::Value>> {
        let page = Page::new(format!("<h1>All of them</h1>{html}"), None);
        let rows = rows::read(&VisiblePage::of(&page)).into_iter();
        rows.map(|row| row.price).collect()
    }

    #[test]
    fn what_nobody_uses_costs_something_all_the_same() {
        let rooms = ["Free", "Busy", "Free", "Busy", "Free"];
        let table = |heading: &str, states: [&str; 5]| {
            let row = |(at, state): (usize, &str)| {
                format!("<tr><td>Meeting room {at}</td><td>1{at} m²</td><td>{state}</td></tr>")
            };
            let rows: String = states.into_iter().enumerate().map(row).collect();
            format!("<table><tr><th>Room</th><th>Size</th><th>{heading}</th></tr>{rows}</table>")
        };
        assert_eq!(prices(table("Status", rooms)), vec![None; 5]);
        assert_eq!(prices(table("Status", ["Free"; 5])), vec![None; 5]);
        let bay = |(at, state): (usize, &str)| {
            format!(
                "<li><h3>Bay number {at}</h3><p>Level {at}</p><span class='state {state}'>{state}</span></li>"
            )
        };
        let bays: String = rooms.into_iter().enumerate().map(bay).collect();
        assert_eq!(prices(format!("<ul>{bays}</ul>")), vec![None; 5]);
    }

    #[test]
    fn what_is_free_of_charge_costs_nothing() {
        let walk = |(at, price): (usize, &str)| {
            format!(
                "<li><h3><a href=/w/{at}>Walk number {at}</a></h3><p>From the mill</p><span class=fee>{price}</span></li>"
            )
        };
        let walks = ["Free", "£4.00", "Free", "£12.00"];
        let walks: String = walks.into_iter().enumerate().map(walk).collect();
        let found = prices(format!("<ul>{walks}</ul>"));
        assert_eq!((&found[0], &found[2]), (&Some(json!(0)), &Some(json!(0))));
        assert!(found[1].is_some() && found[1] != Some(json!(0)));
    }
}
