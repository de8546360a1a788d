//! Pieces of rows: the short texts of an entry, each with its place, and the columns that they answer without a label.
//!
//! The entries of a list come from one template. A text has the same place in each of them: the same elements around it, and the
//! same part of what dots, dashes and commas divide. A column that no row labels ("name, town and price") is such a place: the one that
//! the page's own class names call so, or the one whose values are of the kind asked for.

mod kinds;
mod place;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use page::Page;
use page::dom::NodeId;
use serde_json::Value;

use crate::rows::row_texts::key;
use crate::words::concepts::{alternatives, are_same};
use crate::words::label_names::label_phrases;
use crate::words::word_forms::tokens;
use kinds::ValueKind;
use place::{Piece, PlaceValues};

/// Least share of the rows of a list that have something at a place for a column of it.
const LEAST_ROWS: f64 = 0.5;

/// The elements of a row on its page.
#[derive(Clone)]
struct RowElements {
    page: Arc<Page>,
    elements: Vec<NodeId>,
}

impl RowElements {
    /// Whether two rows are the same, or say the same at the same places.
    fn says_the_same_as(&self, other: &RowElements) -> bool {
        let is_same = Arc::ptr_eq(&self.page, &other.page) && self.elements == other.elements;
        let pieces = |row: &RowElements| place::pieces(&row.page, &row.elements);
        is_same || pieces(self) == pieces(other)
    }
}

/// The rows that the readers of lists have given, by name and address. Their pieces are read when a column is asked for.
#[derive(Default, Clone)]
pub struct RowPieces {
    /// `None` for several rows of one name and address.
    rows: HashMap<String, Option<RowElements>>,
}

/// The pieces of the rows of a list, by what the rows are kept by.
type PiecesByRow<'k> = HashMap<&'k str, Vec<Piece>>;

impl RowPieces {
    /// Keeps a row, which is these elements of the page.
    pub(crate) fn keep(
        &mut self,
        name: Option<&str>,
        url: Option<&str>,
        page: &Arc<Page>,
        elements: &[NodeId],
    ) {
        let row = RowElements {
            page: Arc::clone(page),
            elements: elements.to_vec(),
        };
        match self.rows.get_mut(&key(name, url)) {
            // The same list, read once more.
            Some(Some(kept)) if kept.says_the_same_as(&row) => {}
            Some(kept) => *kept = None,
            None => {
                self.rows.insert(key(name, url), Some(row));
            }
        }
    }

    /// The pieces of all rows. The name of a row is a column of its own.
    fn pieces(&self) -> PiecesByRow<'_> {
        let rows = self
            .rows
            .iter()
            .filter_map(|(key, row)| Some((key, row.as_ref()?)));
        rows.map(|(key, row)| {
            let name = key.split('\n').next().unwrap_or_default();
            let mut pieces = place::pieces(&row.page, &row.elements);
            pieces.retain(|piece| piece.line != name);
            (key.as_str(), pieces)
        })
        .collect()
    }

    /// The column of that name: what each of the rows has at the place that answers it. `None` where no place does.
    pub(crate) fn column(&self, name: &str, rows: &[Value]) -> Option<Vec<Option<String>>> {
        let all = self.pieces();
        let places = places(&all);
        let phrases: Vec<Vec<String>> = alternatives(&name.replace('_', " "))
            .into_iter()
            .chain(label_phrases(name).iter().cloned())
            .collect();
        let kind = ValueKind::asked_by(name);
        let is_called = |piece: &Piece| {
            let mut words = piece.called.iter();
            words.any(|word| {
                let word = std::slice::from_ref(word);
                phrases.iter().any(|phrase| are_same(phrase, word))
            })
        };
        let own = tokens(&name.replace('_', " "));
        let is_called_itself = |piece: &Piece| own.len() == 1 && piece.called.contains(&own.concat());
        // Of several parts of one text that is called so, the first; one that is called by another word for it comes behind.
        let first = |is_called: &dyn Fn(&Piece) -> bool| {
            let mut places = places.iter();
            places.find(|place| place.pieces.first().is_some_and(|piece| is_called(piece)))
        };
        // "Stadtteil" of what the page's own class calls "ort".
        let is_location = |piece: &Piece| {
            let mut words = piece.called.iter();
            words.any(|word| kinds::LOCATIONS.contains(&word.as_str()))
        };
        let located = || {
            let is_of_place = kind.is_some_and(ValueKind::is_of_place);
            first(&is_location).filter(|place| is_of_place && place.distinct() > 1 && kinds::are_names(place))
        };
        let called = first(&is_called_itself)
            .or_else(|| first(&is_called))
            .or_else(located);
        let by_kind = || kind.and_then(|kind| kind.place(&places));
        let called = called.filter(|place| kind.is_none_or(|kind| !kind.is_checked() || kind.fits(place)));
        // What an element is called by is the whole of it: "Italian, Pizza".
        let is_whole = called.is_some() && kind.is_none_or(|kind| kind == ValueKind::Location);
        let place = called.or_else(by_kind)?;
        let value = |row: &Value| {
            let pieces = of_row(row, &all)?;
            let of_place = pieces.iter().find(|piece| piece.place == place.name);
            // A row with fewer parts has it at another place.
            let shown = || kind.and_then(|kind| pieces.iter().find(|piece| kind.shows(piece)));
            let piece = of_place
                .filter(|piece| kind.is_none_or(|kind| !kind.is_checked() || kind.shows(piece)))
                .or_else(shown)?;
            match kind {
                _ if is_whole && piece.begins_list() => Some(piece.line.clone()),
                Some(kind) => kind.value(piece),
                None => Some(piece.text.clone()),
            }
        };
        let values: Vec<Option<String>> = rows.iter().map(value).collect();
        values.iter().any(Option::is_some).then_some(values)
    }
}

/// The words that class names and markup have for the texts of an entry, which is these elements.
pub(crate) fn called(page: &Page, elements: &[NodeId]) -> BTreeSet<String> {
    let pieces = place::pieces(page, elements).into_iter();
    pieces.flat_map(|piece| piece.called).collect()
}

/// Whether the values of a column of that name are words: names of places, persons or firms.
pub(crate) fn is_of_words(name: &str) -> bool {
    ValueKind::asked_by(name).is_some_and(|kind| kind != ValueKind::Phone)
}

fn of_row<'p>(row: &Value, all: &'p PiecesByRow<'_>) -> Option<&'p [Piece]> {
    let field = |name: &str| row.get(name).and_then(Value::as_str);
    let name = field("name").or_else(|| field("title"));
    all.get(key(name, field("url")).as_str()).map(Vec::as_slice)
}

/// The places that at least half of the rows have something at, in the order of the rows.
fn places<'p>(all: &'p PiecesByRow<'_>) -> Vec<PlaceValues<'p>> {
    let mut places: Vec<PlaceValues<'_>> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    // The longest entries first, so that the places come in the order of the template.
    let mut rows: Vec<(&&str, &Vec<Piece>)> = all.iter().collect();
    rows.sort_by_key(|(key, pieces)| (std::cmp::Reverse(pieces.len()), **key));
    for (at, piece) in rows.iter().flat_map(|(_, pieces)| pieces.iter().enumerate()) {
        let index = *known.entry(&piece.place).or_insert_with(|| {
            places.push(PlaceValues {
                name: &piece.place,
                order: at,
                pieces: Vec::new(),
            });
            places.len() - 1
        });
        if let Some(place) = places.get_mut(index) {
            place.pieces.push(piece);
        }
    }
    let count = rows.len() as f64;
    places.retain(|place| place.pieces.len() as f64 >= count * LEAST_ROWS);
    places.sort_by_key(|place| place.order);
    places
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The column of a list of entries.
    fn column(name: &str, entries: &[&str]) -> Option<Vec<Option<String>>> {
        let html: String = entries
            .iter()
            .enumerate()
            .map(|(at, entry)| format!("<article><h3>Entry {at}</h3>{entry}</article>"))
            .collect();
        let page = Arc::new(Page::new(format!("<html><body>{html}</body></html>"), None));
        let mut pieces = RowPieces::default();
        let mut rows = Vec::new();
        for (at, entry) in page.dom().by_tag("article").enumerate() {
            let name = format!("Entry {at}");
            pieces.keep(Some(&name), None, &page, &[entry.id()]);
            rows.push(json!({"name": name}));
        }
        pieces.column(name, &rows)
    }

    fn texts(values: &[&str]) -> Option<Vec<Option<String>>> {
        Some(values.iter().map(|value| Some((*value).to_owned())).collect())
    }

    #[test]
    fn a_place_is_a_column_by_what_its_class_calls_it() {
        let entries = [
            "<p class='x'>Soft</p><p class='artist'>Grey Harbour</p>",
            "<p class='x'>Loud</p><p class='artist'>The Low Tides</p>",
            "<p class='x'>Loud</p><p class='artist'>Anchor</p>",
        ];
        assert_eq!(
            column("artist", &entries),
            texts(&["Grey Harbour", "The Low Tides", "Anchor"])
        );
        assert_eq!(column("language", &entries), None);
    }

    #[test]
    fn what_is_called_by_the_name_of_the_column_is_the_whole_list() {
        let entries = [
            "<p class=cuisine>Italian, Pizza</p><p class=loc>Leeds, Headingley</p>",
            "<p class=cuisine>Chinese</p><p class=loc>York, 12 May</p>",
            "<p class=cuisine>Indian, Curry</p><p class=loc>Hull, Avenues</p>",
        ];
        assert_eq!(
            column("cuisine", &entries),
            texts(&["Italian, Pizza", "Chinese", "Indian, Curry"])
        );
        assert_eq!(
            column("loc", &entries),
            texts(&["Leeds, Headingley", "York", "Hull, Avenues"])
        );
        assert_eq!(column("town", &entries), texts(&["Leeds", "York", "Hull"]));
    }

    #[test]
    fn a_venue_behind_a_time_is_a_location() {
        let entry = |day: &str, time: &str, venue: &str| {
            format!(
                "<div class=event-meta><span class=event-date>{day}</span> <span class=event-time>{time}</span> \
                 <span class=event-venue><i class=icon-pin></i>{venue}</span></div>"
            )
        };
        let entries = [
            entry("Sat 9 Jan 2027", "7.30pm", "Town Hall"),
            entry("Fri 15 Jan 2027", "8pm", "The Old Malthouse"),
            entry("Sun 24 Jan 2027", "3pm", "Town Hall"),
        ];
        let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
        let venues = texts(&["Town Hall", "The Old Malthouse", "Town Hall"]);
        assert_eq!(column("location", &entries), venues);
        assert_eq!(column("venue", &entries), venues);
        assert_eq!(column("time", &entries), texts(&["7.30pm", "8pm", "3pm"]));
    }

    #[test]
    fn an_icon_of_a_pin_stands_before_a_place() {
        let entries = [
            "<div class=top><i class='icon icon-pin'></i> 50823 Otterfeld <b>(2,1 km)</b></div><p>Oak</p>",
            "<div class=top><i class='icon icon-pin'></i> 50674 Neuheim <b>(1,4 km)</b></div><p>Ash</p>",
            "<div class=top><svg><use href='#map-pin'></use></svg> 50939 Lindtal <b>(4 km)</b></div><p>Elm</p>",
        ];
        assert_eq!(
            column("location", &entries),
            texts(&["50823 Otterfeld", "50674 Neuheim", "50939 Lindtal"])
        );
        assert_eq!(
            column("district", &["<p class=y>Oak</p>", "<p class=y>Ash</p>"]),
            None
        );
    }

    #[test]
    fn a_place_is_a_column_by_the_kind_of_its_values() {
        let entries = [
            "<p>Oak · Leeds · 2 miles away</p><p>Marta Lis, Croatia 2021</p>",
            "<p>Pine · York · 14 miles away</p><p>Paul Weber, Polska 2019</p>",
            "<p>Ash · Otterham · 20 miles away</p><p>Zoe Grant, Frankreich 2020</p>",
        ];
        assert_eq!(column("city", &entries), texts(&["Leeds", "York", "Otterham"]));
        assert_eq!(
            column("country", &entries),
            texts(&["Croatia", "Polska", "Frankreich"])
        );
        assert_eq!(
            column("director", &entries),
            texts(&["Marta Lis", "Paul Weber", "Zoe Grant"])
        );
        assert_eq!(column("colour", &entries), None);
    }

    #[test]
    fn a_district_stands_beside_the_one_town_of_all_entries() {
        let flat = |street: &str, district: &str| {
            format!("<div><span>{street}, 04275 Leipzig</span> · <span>{district}</span></div><p>Balkon</p>")
        };
        let entries = [
            flat("Am Markt 12a", "Quernau"),
            flat("Lange Straße 4", "Otterfeld"),
            flat("Rosengasse 7", "Quernau"),
        ];
        let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
        assert_eq!(
            column("Stadtteil", &entries),
            texts(&["Quernau", "Otterfeld", "Quernau"])
        );
    }

    #[test]
    fn who_a_job_is_with_stands_below_its_title() {
        let job =
            |company: &str, kind: &str| format!("<p>{company}</p><span>{kind}</span><p>Posted 8 March</p>");
        let entries = [
            job("Pixelmoor", "Tech"),
            job("Moss & Grind Coffee", "Hospitality"),
            job("Fernbridge Software", "Tech"),
        ];
        let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
        assert_eq!(
            column("company", &entries),
            texts(&["Pixelmoor", "Moss & Grind Coffee", "Fernbridge Software"])
        );
        let kinds = ["<p>Tech</p>", "<p>Hospitality</p>", "<p>Tech</p>", "<p>Tech</p>"];
        assert_eq!(column("company", &kinds), None);
    }

    #[test]
    fn a_company_stands_before_its_town_and_an_address_has_a_number() {
        let entries = [
            "<p>Nordlys Data • Hamburg</p><p>Lange Straße 4, 20095 Hamburg</p><p>Tel. 040 555 01 10</p>",
            "<p>Kern & Sohn • Kassel</p><p>Am Markt 12a, 34117 Kassel</p><p>Tel. 0561 555 22 30</p>",
            "<p>Fink Werke • Fulda</p><p>Rosengasse 7, 36037 Fulda</p><p>Tel. 0661 555 87 01</p>",
        ];
        assert_eq!(
            column("company", &entries),
            texts(&["Nordlys Data", "Kern & Sohn", "Fink Werke"])
        );
        assert_eq!(
            column("street address", &entries),
            texts(&[
                "Lange Straße 4, 20095 Hamburg",
                "Am Markt 12a, 34117 Kassel",
                "Rosengasse 7, 36037 Fulda"
            ])
        );
        assert_eq!(
            column("phone", &entries),
            texts(&["040 555 01 10", "0561 555 22 30", "0661 555 87 01"])
        );
    }
}
