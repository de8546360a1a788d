//! Kinds of values by which a place of rows is a column: countries, languages, persons, towns, companies, addresses, telephone
//! numbers.
//!
//! The lists of names were put together by hand from general knowledge. They need not be complete: a place is of a kind by the share
//! of its values that are on the list, so that "Otterham" is a town where "Leeds" and "York" stand.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::place::{Piece, PlaceValues};

locale::patterns! {
    /// What stands before a person or a place.
    static LED = r"(?i)^(?:by|von|from|aus|in|im|with|mit|author:?|autor(?:in)?:?|reż\.|reż:?|dir\.?|directed by|wyd\.|w|we|z|ze|near|bei|ort:|location:|lokalizacja:)\s+";
    /// The postal code before a town.
    static POSTAL_CODE = r"^(?:[A-Z]{1,2}-)?\d{2}-?\d{2,3}\s+";
    /// The title of a person.
    static TITLED = r"(?i)^(?:(?:prof|dr|mr|mrs|ms|sir|dame|mgr|inż|dipl|ing|med|hab|lek)\b\.?\s*)+";
    /// What stands before one who directs, and before one who draws.
    static DIRECTED = r"(?i)^(?:reż\b|dir\b|directed\b|regie\b)";
    static DRAWN = r"(?i)^(?:il\b|ill\b|illustr|rys\b|zeichn)";
    /// A place behind what is there: "Hotel in Braunlage".
    static WITHIN = r"^\p{L}[\p{L} -]{1,40}?\s(?:in|w|we)\s(?P<place>\p{Lu}.*)$";
    /// How far a place is.
    static AWAY = r"(?i)^\d[\d.,]*\s*(?:km|mi|miles?|m)\b";
    /// A street with a number, in the order of German and Polish, and of English.
    static ADDRESS = r"^(?:(?:ul|al|pl|os)\.\s*)?\p{L}[\p{L}.' -]{2,40}\s\d{1,4}\s?[a-z]?(?:/\d{1,3})?(?:[-–]\d{1,4})?(?:,|$)|^\d{1,4}[a-z]?\s\p{Lu}[\p{L}' -]{2,40}(?:,|$)";
    /// A telephone number, with or without what it is called.
    static PHONE = r"(?i)^(?:(?:tel|telefon|phone|fon|call)\b[.:]?\s*)?(?P<number>[+(]?\d[\d\s()/–-]{5,18}\d)$";
    /// What makes a name that of a company.
    static COMPANY = r"\b(?:GmbH|AG|KG|SE|OHG|UG|Ltd|Limited|Inc|LLC|PLC|plc|S\.A|[Ss]p\. z o\.\s?o|sp\.k|Group|Gruppe)\b";
    /// The state of things that were used.
    static CONDITION = r"(?i)^(?:brand new|new|like new|as new|nearly new|mint|excellent|very good|good|fair|acceptable|poor|used|worn|well used|needs work|for parts|refurbished|neu|neuwertig|wie neu|sehr gut|gut|gebraucht|akzeptabel|befriedigend|defekt|nowy|nowa|nowe|jak now[yae]|bardzo dobr[yae]|bdb|dobr[yae]|używan[yae]|uszkodzon[yae]|dostateczn[yae])$";
    /// The year behind the name of a country: "Polska 2025".
    static YEAR = r"[\s,]*\b\d{4}\b.*$";
}

/// Least share of the values of a place that are on a list of names.
const ON_LIST: f64 = 0.6;
/// The same of towns and companies, which are many more than those on the lists.
const ON_OPEN_LIST: f64 = 0.35;
/// Least share of the values of a place that have the form of the kind.
const IN_FORM: f64 = 0.7;
/// The same where a place is known by nothing but the form of its values.
const NEARLY_ALL: f64 = 0.9;
/// Most words of the name of a company or person.
const MOST_WORDS: usize = 5;

/// A kind of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueKind {
    Country,
    Language,
    Person,
    Director,
    Town,
    /// A part of a town.
    District,
    /// Where something is.
    Location,
    Company,
    Address,
    Phone,
    Condition,
}

/// What columns of each kind are called.
#[rustfmt::skip]
const ASKED: [(ValueKind, &[&str]); 11] = [
    (ValueKind::Country, &["country", "land", "kraj", "country of origin", "herkunftsland"]),
    (ValueKind::Language, &["language", "sprache", "język"]),
    (ValueKind::Person, &[
        "author", "artist", "composer", "speaker", "teacher", "trainer", "guide", "seller", "instructor", "autor", "autorin",
        "künstler", "komponist", "referent", "dozent", "kursleitung", "leitung", "artysta", "wykonawca",
        "kompozytor", "prowadzący", "prelegent", "wykładowca", "instruktor",
    ]),
    (ValueKind::Director, &["director", "regie", "regisseur", "reżyser", "reżyseria"]),
    (ValueKind::Town, &["city", "town", "village", "stadt", "gemeinde", "miasto", "miejscowość", "harbour", "hafen", "port"]),
    (ValueKind::District, &["district", "neighbourhood", "neighborhood", "area", "stadtteil", "bezirk", "viertel", "dzielnica", "dzielnicę", "osiedle"]),
    (ValueKind::Location, &["location", "place", "ort", "standort", "lokalizacja", "miejsce"]),
    (ValueKind::Company, &["company", "employer", "firma", "unternehmen", "arbeitgeber", "betrieb", "pracodawca", "organisation", "provider"]),
    (ValueKind::Address, &["street address", "street", "anschrift"]),
    (ValueKind::Phone, &["phone", "phone number", "telephone", "telefon", "telefonnummer", "numer telefonu"]),
    (ValueKind::Condition, &["condition", "zustand", "stan"]),
];

/// What class names call where something is.
pub(super) const LOCATIONS: [&str; 7] = [
    "location",
    "locality",
    "place",
    "ort",
    "standort",
    "lokalizacja",
    "venue",
];

/// Names of one list, without case and accents.
type Names = HashSet<String>;

fn fold(text: &str) -> String {
    locale::fold_diacritics(&locale::fold_case(text.trim()))
}

fn names(list: &str) -> Names {
    let names = list.split(['\n', '|']).map(fold);
    names.filter(|name| !name.is_empty()).collect()
}

static COUNTRIES: LazyLock<Names> = LazyLock::new(|| names(include_str!("../places/countries.txt")));
static LANGUAGES: LazyLock<Names> = LazyLock::new(|| names(include_str!("../places/languages.txt")));
static PLACES: LazyLock<Names> = LazyLock::new(|| names(include_str!("../places/places.txt")));
static FIRST_NAMES: LazyLock<Names> = LazyLock::new(|| names(include_str!("../places/first_names.txt")));

impl ValueKind {
    /// The kind that the name of a column asks for.
    pub(super) fn asked_by(name: &str) -> Option<ValueKind> {
        let name = fold(&name.replace('_', " "));
        let is_asked = |names: &[&str]| names.iter().any(|known| fold(known) == name);
        let (kind, _) = ASKED.iter().find(|(_, names)| is_asked(names))?;
        Some(*kind)
    }

    /// Whether a place that is called by the name of a column has to hold values of the kind, too.
    pub(super) fn is_checked(self) -> bool {
        matches!(
            self,
            ValueKind::Country | ValueKind::Language | ValueKind::Address | ValueKind::Phone
        )
    }

    /// Whether the kind is that of where something is.
    pub(super) fn is_of_place(self) -> bool {
        matches!(self, ValueKind::Town | ValueKind::District | ValueKind::Location)
    }

    /// The value of a piece of the kind, without what stands before it.
    pub(super) fn value(self, piece: &Piece) -> Option<String> {
        let text = match self {
            ValueKind::Address => piece.line.clone(),
            ValueKind::Phone => PHONE.captures(&piece.text)?.name("number")?.as_str().to_owned(),
            ValueKind::Country => YEAR.replace(&LED.replace(&piece.text, ""), "").into_owned(),
            // With its postal code the place is told more closely.
            ValueKind::Location if POSTAL_CODE.is_match(&piece.text) => piece.text.clone(),
            ValueKind::Town | ValueKind::District | ValueKind::Location => place_of(&piece.text).to_owned(),
            ValueKind::Person | ValueKind::Director => LED.replace(&piece.text, "").into_owned(),
            ValueKind::Language | ValueKind::Company | ValueKind::Condition => piece.text.clone(),
        };
        (!text.is_empty()).then_some(text)
    }

    /// Whether the values of a place are of the kind.
    pub(super) fn fits(self, place: &PlaceValues<'_>) -> bool {
        let is_known = |piece: &Piece| PLACES.contains(&fold(place_of(&piece.text)));
        match self {
            ValueKind::Country | ValueKind::Language | ValueKind::Condition => {
                place.share(|piece| self.shows(piece)) >= ON_LIST
            }
            ValueKind::Address | ValueKind::Phone => place.share(|piece| self.shows(piece)) >= IN_FORM,
            ValueKind::Person | ValueKind::Director => {
                let is_drawn = place.share(|piece| DRAWN.is_match(&piece.text)) >= ON_LIST;
                !is_drawn && place.share(|piece| is_person(&piece.text)) >= ON_LIST && place.distinct() > 1
            }
            ValueKind::Town | ValueKind::District | ValueKind::Location => {
                place.share(is_known) >= ON_OPEN_LIST
                    && place.share(|piece| is_name(place_of(&piece.text))) >= IN_FORM
            }
            ValueKind::Company => place.share(|piece| COMPANY.is_match(&piece.text)) >= ON_OPEN_LIST,
        }
    }

    /// Whether a piece alone shows that it is of the kind.
    pub(super) fn shows(self, piece: &Piece) -> bool {
        let is_on = |names: &Names| {
            self.value(piece)
                .is_some_and(|value| names.contains(&fold(&value)))
        };
        match self {
            ValueKind::Country => is_on(&COUNTRIES),
            ValueKind::Language => is_on(&LANGUAGES),
            ValueKind::Address => ADDRESS.is_match(&piece.line),
            ValueKind::Phone => PHONE.is_match(&piece.text),
            ValueKind::Condition => CONDITION.is_match(&piece.text),
            ValueKind::Person
            | ValueKind::Director
            | ValueKind::Town
            | ValueKind::District
            | ValueKind::Location
            | ValueKind::Company => false,
        }
    }

    /// The place whose values are of the kind.
    pub(super) fn place<'a, 'p>(self, places: &'a [PlaceValues<'p>]) -> Option<&'a PlaceValues<'p>> {
        let mut fitting = places.iter().filter(|place| self.fits(place));
        match self {
            ValueKind::Town | ValueKind::Location => fitting.next().or_else(|| before_distance(places)),
            // A town has many districts.
            ValueKind::District => fitting
                .filter(|place| place.distinct() > 1)
                .max_by_key(|place| place.distinct())
                .or_else(|| beside_town(places)),
            ValueKind::Company => fitting
                .next()
                .or_else(|| before_town(places))
                .or_else(|| below_title(places)),
            ValueKind::Director => {
                let is_directed =
                    |place: &&PlaceValues<'_>| place.share(|piece| DIRECTED.is_match(&piece.text)) >= ON_LIST;
                places.iter().find(is_directed).or_else(|| fitting.next())
            }
            ValueKind::Country
            | ValueKind::Language
            | ValueKind::Person
            | ValueKind::Address
            | ValueKind::Phone
            | ValueKind::Condition => fitting.next(),
        }
    }
}

/// The place right before how far it is: "Otley · 13 miles away".
fn before_distance<'a, 'p>(places: &'a [PlaceValues<'p>]) -> Option<&'a PlaceValues<'p>> {
    places.windows(2).find_map(|pair| {
        let [place, distance] = pair else { return None };
        let is_away = distance.share(|piece| AWAY.is_match(&piece.text)) >= IN_FORM;
        let is_name = place.share(|piece| is_name(place_of(&piece.text))) >= IN_FORM;
        (is_away && is_name && are_of_one_line(place, distance)).then_some(place)
    })
}

/// The place of names that differ in the line of the one town that all entries are in: "04275 Leipzig · Südvorstadt".
fn beside_town<'a, 'p>(places: &'a [PlaceValues<'p>]) -> Option<&'a PlaceValues<'p>> {
    let is_one_town = |place: &PlaceValues<'_>| ValueKind::Town.fits(place) && place.distinct() == 1;
    let has_names = |place: &PlaceValues<'_>| {
        place.distinct() > 1 && place.share(|piece| is_name(place_of(&piece.text))) >= IN_FORM
    };
    places.windows(2).find_map(|pair| {
        let [one, other] = pair else { return None };
        let beside = match (is_one_town(one), is_one_town(other)) {
            (true, false) => other,
            (false, true) => one,
            _ => return None,
        };
        (has_names(beside) && are_in_like_elements(one, other)).then_some(beside)
    })
}

/// The first place of the entries, where nearly all have a short name there, most of them another one: who a job is with stands below
/// its title.
fn below_title<'a, 'p>(places: &'a [PlaceValues<'p>]) -> Option<&'a PlaceValues<'p>> {
    let first = places.first()?;
    let is_name = first.share(|piece| is_name(&piece.text) && piece.text == piece.line) >= NEARLY_ALL;
    let is_of_many = first.distinct() * 2 > first.pieces.len();
    (is_name && is_of_many && !ValueKind::Town.fits(first) && !ValueKind::Person.fits(first)).then_some(first)
}

/// The place before that of the town, where it holds names that differ: "Nordlys Data • Hamburg".
fn before_town<'a, 'p>(places: &'a [PlaceValues<'p>]) -> Option<&'a PlaceValues<'p>> {
    places.windows(2).find_map(|pair| {
        let [place, town] = pair else { return None };
        let is_company = place.share(|piece| is_name(&piece.text)) >= IN_FORM
            && place.distinct() * 2 > place.pieces.len()
            && !ValueKind::Town.fits(place);
        (ValueKind::Town.fits(town) && is_company).then_some(place)
    })
}

fn are_of_one_line(one: &PlaceValues<'_>, other: &PlaceValues<'_>) -> bool {
    let line = |name: &str| name.rsplit_once('.').map(|(line, _)| line.to_owned());
    line(one.name) == line(other.name)
}

/// Whether two places are in elements of the same names, such as two `<span>` of a line.
fn are_in_like_elements(one: &PlaceValues<'_>, other: &PlaceValues<'_>) -> bool {
    let elements = |name: &str| name.rsplit_once(' ').map(|(elements, _)| elements.to_owned());
    elements(one.name) == elements(other.name)
}

/// The place that a text names, without what leads to it.
fn place_of(text: &str) -> &str {
    let coded = POSTAL_CODE.find(text).map_or(0, |code| code.end());
    let text = text.get(coded..).unwrap_or(text);
    let within = WITHIN.captures(text).and_then(|found| found.name("place"));
    let led = LED.find(text).map_or(0, |led| led.end());
    within.map_or_else(|| text.get(led..).unwrap_or(text), |place| place.as_str())
}

/// Whether most values of a place have the form of names: "1st" of a race has not.
pub(super) fn are_names(place: &PlaceValues<'_>) -> bool {
    place.share(|piece| is_name(place_of(&piece.text))) >= IN_FORM
}

/// Whether a text has the form of a name: few words, the first in capitals, no number.
fn is_name(text: &str) -> bool {
    text.starts_with(char::is_uppercase)
        && text.split_whitespace().count() <= MOST_WORDS
        && !text.contains(|c: char| c.is_ascii_digit() || ":!?€£$".contains(c))
}

/// Whether a text is the name of a person: a first name, and one or more names behind it.
fn is_person(text: &str) -> bool {
    let text = LED.replace(text, "");
    let text = TITLED.replace(&text, "");
    let mut words = text.split_whitespace();
    let is_first = words
        .next()
        .is_some_and(|first| FIRST_NAMES.contains(&fold(first)));
    is_first && words.next().is_some() && is_name(&text)
}
