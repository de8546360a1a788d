//! Names of fields that mean the same.

use serde_json::Value;

use crate::values::cell_text;
use crate::words::compounds::ways;
use crate::words::concepts::{are_same, basic, mean_same};
use crate::words::label_names::{are_of_one_class, class_of, is_of_places_left};
use crate::words::word_forms::{is_same_word, tokens};

locale::patterns! {
    /// What the times are called at which something is open, and a label before them.
    static OPENING = r"(?i)^(?:opening (?:times|hours)|öffnungszeiten|godziny otwarcia)$";
    /// What a service or a course costs.
    static FEE = r"(?i)^(?:(?:course|entry|entrance|admission|monthly|tuition)[ _])?fees?$|^tuition$|^(?:kurs|teilnahme|eintritts)?gebühr(?:en)?$|^opłata$";
    static OPEN = r"(?i)^(?:open|opens|geöffnet|offen|czynne|otwarte)$";
}

/// Names that mean the same field, each group in no order but that the first is the usual one. A group has words of
/// English, German and Polish, as shops write them before a value.
const SYNONYMS: [&[&str]; 22] = [
    &["name", "title", "product", "headline", "model", "modell"],
    &["url", "link", "href", "permalink"],
    &[
        "address",
        "street_address",
        "postal_address",
        "adresse",
        "anschrift",
        "adres",
    ],
    &[
        "price",
        "cost",
        "amount",
        "salary",
        "pay",
        "wage",
        "rent",
        "gehalt",
        "kaltmiete",
        "miete",
        "wynagrodzenie",
        "czynsz",
        "preis",
        "cena",
    ],
    &[
        "instalment",
        "installment",
        "monthly payment",
        "monthly_payment",
        "monthly rate",
        "monthly instalment",
        "monatsrate",
        "monatliche rate",
        "rata",
        "rata miesięczna",
        "miesięczna rata",
    ],
    &["points", "score", "votes", "upvotes", "pts", "pkt"],
    &["author", "user", "by"],
    &["comments", "comment_count", "num_comments"],
    &["image", "picture", "img"],
    &["rating", "stars", "rating_value", "score", "ocena", "bewertung"],
    &[
        "reviews",
        "review_count",
        "ratings_count",
        "num_reviews",
        "rating_count",
    ],
    &[
        "date",
        "published",
        "date_published",
        "published_at",
        "time",
        "created",
    ],
    &["availability", "stock", "in_stock"],
    &[
        "old_price",
        "list_price",
        "regular_price",
        "previous_price",
        "was_price",
    ],
    &[
        "brand",
        "manufacturer",
        "maker",
        "make",
        "marke",
        "hersteller",
        "marka",
        "producent",
    ],
    &["colour", "color", "farbe", "kolor", "barwa"],
    &["size", "größe", "rozmiar"],
    &["material", "materiał"],
    &[
        "phone",
        "tel",
        "telephone",
        "phone_number",
        "telefon",
        "telefonnummer",
        "rufnummer",
        "fon",
        "numer_telefonu",
    ],
    &[
        "company",
        "employer",
        "organization",
        "firma",
        "unternehmen",
        "arbeitgeber",
        "pracodawca",
    ],
    &[
        "location",
        "city",
        "place",
        "ort",
        "standort",
        "town",
        "stadt",
        "lokalizacja",
        "miejscowość",
        "miasto",
    ],
    &[
        "delivery",
        "shipping",
        "versand",
        "lieferung",
        "dostawa",
        "wysyłka",
    ],
];

/// The usual name of a field for a word that stands before its value; `None` for words of no group.
pub(crate) fn canonical(word: &str) -> Option<&'static str> {
    let wanted = fold(word);
    let group = SYNONYMS.iter().find(|group| group.contains(&wanted.as_str()))?;
    group.first().copied()
}

/// The usual name of a field that an element is called by, in the singular: `place` is where something is, `places` may be
/// a number of seats.
pub(crate) fn named_field(class: &str) -> Option<&'static str> {
    let lower = class.to_lowercase().replace('-', "_");
    let group = SYNONYMS.iter().find(|group| group.contains(&lower.as_str()))?;
    group.first().copied()
}

/// The field of rows that a name means: the name itself, apart from case, blanks and a plural `s`, or a synonym.
pub fn resolve_field<'n>(name: &str, fields: &'n [String]) -> Option<&'n str> {
    let wanted = fold(name);
    let exact = fields.iter().find(|field| fold(field) == wanted);
    let synonyms = SYNONYMS
        .iter()
        .filter(|group| group.contains(&wanted.as_str()))
        .flat_map(|group| group.iter().copied());
    exact
        .or_else(|| {
            let synonyms: Vec<&str> = synonyms.collect();
            let known = || {
                fields
                    .iter()
                    .filter(|field| synonyms.contains(&fold(field).as_str()))
            };
            // The stars of a hotel beside the score of its guests are no rating.
            known()
                .find(|field| fold(field) != "stars")
                .or_else(|| known().next())
        })
        .or_else(|| fields.iter().find(|field| counts(field, &wanted)))
        .or_else(|| {
            let wanted = class_of(name)?;
            fields.iter().find(|field| class_of(field) == Some(wanted))
        })
        .or_else(|| only(fields, |field| are_of_one_class(name, field)))
        .or_else(|| only(fields, |field| mean_same(name, &field.replace('_', " "))))
        .or_else(|| only(fields, |field| is_basic(name, &field.replace('_', " "))))
        .or_else(|| only(fields, |field| is_way(name, &field.replace('_', " "))))
        .or_else(|| only(fields, |field| has_word(field, &wanted)))
        .or_else(|| only(fields, |field| ends_in(field, &wanted)))
        .or_else(|| {
            fields
                .iter()
                .find(|field| is_published(name) && canonical(field) == Some("date"))
        })
        .or_else(|| only(fields, |field| is_size(&wanted) && is_floor_space(field)))
        // Points that no row counts may be those of a rating.
        .or_else(|| only(fields, |field| wanted == "points" && field == "rating"))
        // Replies are comments where nothing else is.
        .or_else(|| {
            only(fields, |field| {
                wanted == "comments"
                    && matches!(
                        field.to_lowercase().as_str(),
                        "replies" | "antworten" | "odpowiedzi"
                    )
            })
        })
        // What one pays may be called a fee where nothing else is.
        .or_else(|| only(fields, |field| FEE.is_match(&wanted) && field == "price"))
        .map(String::as_str)
}

/// Whether a word names a field, in any of its forms and in any language: "Größe" the field `rozmiary`.
pub(crate) fn may_call(field: &str, word: &str) -> bool {
    let names = tokens(&field.replace('_', " "));
    let is_named = |word: &str| names.iter().any(|name| is_same_word(name, word));
    let forms = |synonym: &&str| tokens(&synonym.replace('_', " "));
    let is_of = |is: &dyn Fn(&str) -> bool, group: &[&str]| {
        let words = group.iter().map(forms).filter(|words| words.len() == 1);
        words.flatten().any(|synonym| is(&synonym))
    };
    is_named(word)
        || SYNONYMS
            .iter()
            .any(|group| is_of(&|synonym| is_same_word(synonym, word), group) && is_of(&is_named, group))
}

/// The one field of which something holds; none where it holds of several.
fn only(fields: &[String], is: impl Fn(&str) -> bool) -> Option<&String> {
    let mut found = fields.iter().filter(|field| is(field));
    found.next().filter(|_| found.next().is_none())
}

/// Whether a label of a list is what a name means, in any language: "Betreiber" of "operator", "Liczba odbiorców" of "customers".
pub fn is_label_of(label: &str, name: &str) -> bool {
    counts(label, name) || mean_same(name, label) || (OPENING.is_match(name) && OPEN.is_match(label))
}

/// Whether a label of a list is what a name means by basic words, or by the parts of a compound. Many basic words are parts of what
/// lists say otherwise, so that this is asked only where [`is_label_of`] finds nothing.
pub fn is_label_otherwise(label: &str, name: &str) -> bool {
    is_basic(name, label) || is_way(name, label)
}

/// Whether a label is what a basic word means.
fn is_basic(name: &str, label: &str) -> bool {
    let words = tokens(label);
    basic(name).iter().any(|phrase| are_same(phrase, &words))
}

/// Whether a label says in two words what a compound says in one, or the other way round: "audience score" of "Zuschauerwertung".
fn is_way(name: &str, label: &str) -> bool {
    let words = tokens(label);
    ways(name).iter().any(|way| are_same(way, &words))
}

/// Whether a field of several words has this one: `estimated_value` of "value".
fn has_word(field: &str, wanted: &str) -> bool {
    let (words, wanted) = (tokens(field), tokens(wanted));
    let [wanted] = wanted.as_slice() else {
        return false;
    };
    words.len() > 1
        && wanted.chars().count() >= SHORTEST_WORD
        && words.iter().any(|word| is_same_word(word, wanted))
}

/// Last parts of German compounds that name a property.
const HEADS: [&str; 14] = [
    "bonus", "gebühr", "kosten", "datum", "größe", "fläche", "dauer", "nummer", "menge", "volumen", "betrag",
    "frist", "gewicht", "leistung",
];

/// Whether the last part of a German compound is this word: `wechselbonus` of "Bonus".
fn ends_in(field: &str, wanted: &str) -> bool {
    let start = field.to_lowercase();
    let start = start
        .strip_suffix(wanted)
        .filter(|start| !start.contains(['_', ' ']));
    HEADS.contains(&wanted) && start.is_some_and(|start| start.chars().count() > 2)
}

/// Whether a word asks when something was published, posted or added.
fn is_published(name: &str) -> bool {
    class_of(name).is_some_and(|class| class_of("published") == Some(class))
}

/// Whether a word asks how large something is, whatever makes it so.
fn is_size(wanted: &str) -> bool {
    matches!(wanted, "size" | "größe" | "rozmiar" | "wielkość")
}

fn is_floor_space(field: &str) -> bool {
    crate::words::concepts::field(&field.replace('_', " ")) == Some("floor space")
}

/// Fewest letters of a word by which a field of several words is found.
const SHORTEST_WORD: usize = 4;

/// Whether a field is the number of something: `liczba_stoisk` of "stoisk", `number_of_seats` of "seats".
fn counts(field: &str, thing: &str) -> bool {
    const COUNTS: [&str; 8] = [
        "number_of_",
        "no_of_",
        "count_of_",
        "anzahl_der_",
        "anzahl_",
        "liczba_",
        "ilość_",
        "num_",
    ];
    let field = fold(field);
    let counted = COUNTS.iter().find_map(|count| field.strip_prefix(count));
    counted.is_some_and(|counted| mean_same(thing, &counted.replace('_', " ")))
}

/// Words for no place at all.
const NONE: [&str; 6] = ["brak", "full", "keine", "no", "none", "ausgebucht"];

/// Whether places or tickets are left, by a field of a row that counts them.
pub(crate) fn places_left(row: &Value) -> Option<bool> {
    let (_, value) = row
        .as_object()?
        .iter()
        .find(|(name, _)| is_of_places_left(name))?;
    let text = cell_text(value);
    let first = text.split_whitespace().next().unwrap_or_default().to_lowercase();
    if NONE.contains(&first.as_str()) {
        return Some(false);
    }
    let count = text
        .split(|c: char| !c.is_ascii_digit())
        .find(|run| !run.is_empty())?;
    Some(count.bytes().any(|digit| digit != b'0'))
}

fn fold(name: &str) -> String {
    let lower = name.trim().to_lowercase().replace([' ', '-'], "_");
    let single = lower
        .strip_suffix('s')
        .filter(|name| SYNONYMS.iter().any(|group| group.contains(name)));
    single.unwrap_or(&lower).to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_column_is_found_by_what_other_languages_call_it() {
        let fields = ["name", "grubość", "kraj_pochodzenia", "wolne_miejsca"].map(str::to_owned);
        assert_eq!(resolve_field("Dicke", &fields), Some("grubość"));
        assert_eq!(resolve_field("country", &fields), Some("kraj_pochodzenia"));
        let scored = ["stars", "score"].map(str::to_owned);
        assert_eq!(resolve_field("rating", &scored), Some("score"));
        assert_eq!(resolve_field("rating", &scored[..1]), Some("stars"));
        assert_eq!(resolve_field("director", &fields), None);
        let fields = ["szacunkowa_wartość", "data_publikacji", "data_otwarcia"].map(str::to_owned);
        assert_eq!(resolve_field("wartości", &fields), Some("szacunkowa_wartość"));
        let fields = ["wechselbonus", "anschlusspreis", "fläche"].map(str::to_owned);
        assert_eq!(resolve_field("Bonus", &fields), Some("wechselbonus"));
        assert_eq!(resolve_field("size", &fields), Some("fläche"));
        let fields = ["szacunkowa_wartość", "data_publikacji", "data_otwarcia"].map(str::to_owned);
        // Of two fields with the word none is meant.
        assert_eq!(resolve_field("otwarcia data", &fields), None);
    }

    #[test]
    fn places_are_left_where_a_field_counts_more_than_none() {
        assert_eq!(places_left(&json!({"wolne_miejsca": "4"})), Some(true));
        assert_eq!(places_left(&json!({"freie Plätze": "0 von 12"})), Some(false));
        assert_eq!(places_left(&json!({"seats left": "many"})), None);
        assert_eq!(
            places_left(&json!({"Freie Plätze": "keine (Warteliste)"})),
            Some(false)
        );
        assert_eq!(places_left(&json!({"price": 4})), None);
    }
}
