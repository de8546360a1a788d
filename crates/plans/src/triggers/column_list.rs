//! Lists of columns at the end of an instruction: "only name, year and price", "mit Titel, Zimmern und Kaltmiete".

use tools::rows::paid::PRICE_OF;
use tools::words::concepts;

use super::asked_columns::{self, is_name_of_thing, is_post};
use super::column_items::{condition_start, is_condition, is_led_by_article};
use super::list_labels::ListLabels;
use super::unit_prices;
use super::vocabulary::{TriggerVocabulary, is_whole};

/// Most words of the name of a column that class names of a page have.
const MOST_CALLED: usize = 2;
/// Most words of the name of a column.
const MOST_WORDS: usize = 4;

/// Verbs behind what an instruction wants to see.
const SHOWING: &str =
    "(?:mit ?)?(?:anzeigen|angeben|auflisten|ausgeben|zeigen|nennen)|wyświetlić|pokazać|podać";

locale::patterns! {
    /// What a list of columns stands behind; `weak` where the words may as well begin a condition, `ends` where a sentence ends.
    static BEFORE = r"(?i)(?:[:–—-]\s|\b(?:only|just|i (?:only |just )?(?:need|want)|ich brauche(?: nur)?|potrzebuję(?: tylko)?|show(?:ing| me)?|give me(?: only| just)?|return|with (?:the )?columns?|columns?:?|(?:bitte|please|proszę o)(?: nur| only| just| tylko)?|(?:ich will |ich brauche |mir (?:reicht|reichen|genügt|genügen) )?nur|spalten:?|gib mir|zeige?|tylko|sam[aoe]?|podaj|wypisz|wymień|wyświetl|daj mi|pokaż|kolumny:?|(?:z|ze|mit(?: der| den)?) (?:kolumn(?:ą|ami)|spalten?):?|(?:wystarczy|wystarczą|chcę|interesuje mnie)(?: tylko| mi)?)\s|(?P<ends>[.?!]\s)|(?P<weak>[,;]\s|\b(?:with(?: the| their)?|including|incl\.?|mit|samt|inklusive|z|ze|wraz z|oraz)\s))";
    /// What begins a condition right before "only".
    static WITH = r"(?i)\b(?:with|having|mit|z|ze)\s+$";
    /// What stands between two columns.
    static JOINT = r"(?i)\s*,\s*(?:and|und|sowie|i|oraz)?\s+|\s+(?:and|und|sowie|i|oraz|&|\+|plus)\s+";
    /// What people say behind a list.
    static COURTESY = format!(r"(?i)[\s,]+(?:please|pls|plz|thanks|thank you|bitte|danke|proszę|dzięki|only|too|as well|also|(?:noch |mit )?dazu|auch|też|również|do tego|sehen|see|zobaczyć|(?:in )?that order|in dieser reihenfolge|w tej kolejności|reich(?:en|t)(?: mir)?|genüg(?:en|t)(?: mir)?|wystarcz(?:y|ą)|(?:is|are) enough|will do|{SHOWING})$");
    /// Such a verb at the end.
    static SHOWN = format!(r"(?i)[\s,](?:{SHOWING})$");
    /// Words of an order, which name no column: "Beste zuerst".
    static OF_ORDER = r"(?i)\b(?:first|zuerst|zuoberst|najpierw|pierwsz\p{L}*)$";
    /// Words that leave out whatever a list of columns does not name.
    static ONLY = r"(?i)\b(?:only|just|nur|tylko|sam[aoe]?|enough|will do|reich(?:en|t)|genüg(?:en|t)|wystarcz(?:y|ą))\b";
    /// What makes a list one of columns, whatever stands before it.
    static ENOUGH = r"(?i)\b(?:reich(?:en|t)(?: mir)?|genüg(?:en|t)(?: mir)?|wystarcz(?:y|ą)|(?:is|are) enough|will do|(?:in )?that order|in dieser reihenfolge|w tej kolejności)$";
    /// What stands between the last column and the things that it is of.
    static OF_THINGS = r"(?i)\s+(?:of|for|from|der|des|aller|von|dla|wszystkich)\s+";
    /// A unit that an amount is for.
    static PER = r"(?i)^(?:a|an|per|pro|je|im|am|in der|na|za|for|für) +[^ ]+$";
    /// Words before the name of what is counted.
    static COUNT_OF = r"(?i)^(?:(?:the|die|der)\s+)?(?:number of|anzahl(?: der)?|zahl der|liczb[a-zà-ɏ]+)\s";
    /// Words before the name of a column.
    static ARTICLE = r"(?i)^(?:(?:please|bitte|proszę|need|list|give me|show me|show|i|number of|anzahl(?: der)?|liczb[a-zà-ɏ]+|the|their|its|a|an|only|just|der|die|das|dem|den|deren|nur|jeweils|tylko|ich|wypisz|wymień|wyświetl|liste|nenne)\s+)+";
}

/// Whether an instruction leaves out what its list of columns does not name.
pub(super) fn has_only(instruction: &str) -> bool {
    ONLY.is_match(instruction)
}

/// Takes the list of columns that an instruction ends with out of its text.
///
/// Behind "only", "nur" and "tylko", or a colon, a column may have any name as long as most of them are known. Behind a comma or
/// "with", all have to be known, or to be nouns that no entry says beside ones that are known; and what only says whether
/// something is so ("with a pool and breakfast") is a condition.
pub(super) fn take(
    text: &mut String,
    words: &TriggerVocabulary,
    labels: &ListLabels<'_>,
) -> Option<Vec<String>> {
    let lists_links = words.entity("links").is_some_and(|links| links.is_match(text));
    // An instruction may begin with the list.
    let found = BEFORE.captures_iter(text).filter_map(|found| {
        let place = found.get(0)?.range();
        let strength = match (found.name("weak"), found.name("ends")) {
            (Some(_), _) => Strength::Weak,
            // "with only one owner"
            _ if WITH.is_match(text.get(..place.start)?) => Strength::Weak,
            (None, Some(_)) => Strength::Sentence,
            (None, None) => Strength::Strong,
        };
        Some((place, strength))
    });
    let mut places = std::iter::once((0..0, Strength::Weak)).chain(found);
    let (range, columns) = places.find_map(|(place, strength)| {
        let is_weak = strength == Strength::Weak;
        let list = text.get(place.end..)?.trim_end_matches(['.', '!', ' ', '\n']);
        let is_weak = is_weak && !ENOUGH.is_match(list);
        let is_shown = SHOWN.is_match(list);
        let list = COURTESY
            .find(list)
            .map_or(list, |found| list.get(..found.start()).unwrap_or(list));
        if is_weak && begins_with_stock(text, &place, list, words) {
            return None;
        }
        let before = text.get(..place.start).unwrap_or_default();
        let (columns, length) = columns((before, list), is_weak, words, labels)?;
        // "with a price" may as well be a condition, as may "in Leeds?" before "Cheapest".
        let is_lone = columns.len() == 1 && is_weak && is_lone(text, &place, list, labels);
        let is_shown = place.start > 0 && is_shown;
        let is_list = columns.len() > 1 || strength == Strength::Strong || is_lone || is_shown;
        // A courtesy behind the list goes with it.
        let end = match length == list.len() {
            true => text.len(),
            false => place.end + length,
        };
        let range = place.start..end;
        // "boats, with deposit": all that entries say has it.
        let is_kept = is_lone && columns.iter().all(|column| labels.is_told(column));
        is_list.then_some((range, if is_kept { Vec::new() } else { columns }))
    })?;
    if columns.is_empty() {
        text.replace_range(range, "");
        return Some(columns);
    }
    // "advanced talks, with time and room": which talk it is belongs to the rows, unless only the columns are wanted.
    let before = text.get(..range.start).unwrap_or_default();
    let is_beside_things = before.chars().any(char::is_alphanumeric)
        && !ONLY.is_match(text.get(range.clone()).unwrap_or_default());
    text.replace_range(range, "");
    // Of links, an address is where they lead.
    let column = |name: String| match lists_links && name == STREET_ADDRESS {
        true => "url".to_owned(),
        false => name,
    };
    let mut columns: Vec<String> = columns.into_iter().map(column).collect();
    if is_beside_things && !lists_links && !columns.iter().any(|column| is_of_name(column)) {
        columns.insert(0, "name".to_owned());
    }
    Some(columns)
}

/// Whether one item behind "with" is a column: a label whose values tell more than yes and no, or the name of a property, which no
/// entry says.
fn is_lone(text: &str, place: &std::ops::Range<usize>, list: &str, labels: &ListLabels<'_>) -> bool {
    let said = text.get(place.clone()).unwrap_or_default();
    let item = ARTICLE.replace(list.trim(), "");
    let is_single = !item.contains(' ')
        || labels
            .names
            .iter()
            .any(|label| concepts::are_same_words(label, &item));
    let is_label = || labelled(&item, &labels.names).is_some_and(|label| labels.is_told(&label));
    place.start > 0
        && is_single
        && !said.starts_with([',', ';'])
        && (is_label() || tools::is_property(&item))
        // "mit Seitenzahl": every thing of the kind has one, though some entries do not tell it.
        && (!labels.list_says(&item) || (is_label() && every_has(&item)))
}

/// Fields that every thing has which may have them at all: who names one behind "with" wants to see it.
#[rustfmt::skip]
const OF_ALL: [&str; 17] = [
    "page count", "mileage", "weight", "height", "width", "thickness", "diameter", "distance", "duration", "floor space", "salary",
    "rent", "year", "date", "location", "company", "publisher",
];

fn every_has(item: &str) -> bool {
    concepts::field(item).is_some_and(|field| OF_ALL.contains(&field))
}

/// Whether the first of the items behind a place says that something can be had: "with free places, name and price".
fn begins_with_stock(
    text: &str,
    place: &std::ops::Range<usize>,
    list: &str,
    words: &TriggerVocabulary,
) -> bool {
    let first = JOINT.split(list).next().unwrap_or_default();
    let with_preposition = text.get(place.start..place.end + first.len()).unwrap_or_default();
    let is_stock = |said: &str| {
        words
            .stock
            .find(said)
            .is_some_and(|found| found.range() == (0..said.len()))
    };
    // A word alone is a column: "with seats and price".
    first.contains(' ') && (is_stock(first) || is_stock(with_preposition.trim_start()))
}

/// Whether a text ends in a list of short items behind what a list of columns may stand behind.
pub(super) fn may_list(text: &str) -> bool {
    let text = COURTESY.replace(text.trim_end_matches(['.', '!', '?', ' ']), "");
    BEFORE.find_iter(&text).any(|found| {
        let rest = text.get(found.end()..).unwrap_or_default();
        let mut items = JOINT
            .split(rest)
            .map(|item| ARTICLE.replace(item.trim(), "").split_whitespace().count());
        JOINT.is_match(rest) && items.all(|words| (1..=MOST_CALLED).contains(&words))
    })
}

/// How surely a list of columns begins at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strength {
    /// A condition may begin there as well.
    Weak,
    /// A sentence ends there, so that a list of nouns is one of columns.
    Sentence,
    /// The words ask for columns.
    Strong,
}

/// The names of the columns of a list, and where it ends; `None` where it is none. "name and price, all pages" ends before the
/// pages.
fn columns(
    (before_list, list): (&str, &str),
    is_weak: bool,
    words: &TriggerVocabulary,
    list_labels: &ListLabels<'_>,
) -> Option<(Vec<String>, usize)> {
    let labels = list_labels.names.as_slice();
    let is_label = |name: &str| labels.iter().any(|label| concepts::are_same_words(label, name));
    let known_field = |name: &str| field(name, words);
    let field = |name: &str| {
        if is_former_price(name, words) && !is_label(name) {
            return Some("old_price".to_owned());
        }
        let labelled = labelled(name, labels);
        let is_place = || name.eq_ignore_ascii_case("area") && list_labels.is_area_a_place();
        labelled
            .or_else(|| is_place().then(|| "area".to_owned()))
            .or_else(|| is_address(name).then(|| STREET_ADDRESS.to_owned()))
            .or_else(|| is_post(name).then(|| "name".to_owned()))
            .or_else(|| field(name, words))
    };
    // The point behind a number is that of a day.
    let ends_sentence = |(at, _): (usize, &str)| {
        let before = list.get(..at).unwrap_or_default();
        !before.ends_with(|c: char| c.is_ascii_digit())
    };
    if list.contains([';', '?', '"']) || list.match_indices('.').any(ends_sentence) {
        return None;
    }
    // "mit Versicherer und Wartezeit": beside a label whose values tell more than yes and no, what no entry says is a column, too.
    let item_labels = || {
        JOINT
            .split(list)
            .filter_map(|item| labelled(&ARTICLE.replace(item.trim(), ""), labels))
    };
    let is_beside_label = is_weak && item_labels().any(|label| list_labels.is_told(&label));
    let is_unsaid = |item: &str| {
        is_beside_label
            && !item.contains(' ')
            && !words.is_grammar(&item.to_lowercase())
            && !list_labels.list_says(item)
    };
    if is_weak && has_states(list, list_labels) {
        return None;
    }
    let mut columns: Vec<String> = Vec::new();
    let mut known = 0;
    let mut end = list.len();
    let mut from = 0;
    let joints = JOINT.find_iter(list).map(|joint| joint.range());
    for joint in joints.chain(std::iter::once(list.len()..list.len())) {
        let item = list.get(from..joint.start)?;
        let before = std::mem::replace(&mut from, joint.end);
        // "sorted by price, name" begins with an order, and with no column.
        let begins_with_order = || {
            words
                .sort_by
                .find(item.trim_start())
                .is_some_and(|found| found.start() == 0)
        };
        if columns.is_empty() && begins_with_order() {
            return None;
        }
        if !columns.is_empty() && is_otherwise(item, words) {
            end = list.get(..before)?.trim_end_matches([',', ' ']).len();
            break;
        }
        let named = OF_THINGS
            .find(item)
            .and_then(|found| item.get(..found.start()))
            .unwrap_or(item);
        if BEFORE.is_match(named) && !columns.is_empty() {
            return None;
        }
        let is_count = COUNT_OF.is_match(item.trim());
        let said = ARTICLE.replace(item.trim(), "").into_owned();
        let asked = asked_columns::column(&said);
        let is_name_of_column = |item: &str| asked.is_some() || is_label(item) || known_field(item).is_some();
        if !is_name_of_column(&said) && (is_condition(&said, words) || is_value(&said, list_labels)) {
            return None;
        }
        let whole = asked.map_or_else(|| said.clone(), str::to_owned);
        // "name, weight and price of the lamps"
        let of_things = OF_THINGS.find(&whole).filter(|found| {
            let is_column = whole.get(..found.start()).and_then(&field).is_some();
            // "date of birth" is one name.
            let is_one_name = is_label(&whole) || known_field(&whole).is_some();
            !columns.is_empty() && is_column && !is_one_name
        });
        // "title and salary in Berlin": the place is no part of the column.
        let condition = condition_start(&whole).filter(|_| of_things.is_none() && !is_name_of_column(&whole));
        if let Some(at) = condition {
            let begins = whole.get(..at).unwrap_or_default();
            let is_first_column =
                || !is_weak && is_label_beside_name(begins, list_labels) && !words.is_entity(begins);
            let next = list.get(joint.end..).and_then(|rest| JOINT.split(rest).next());
            let is_inside = next.is_some_and(|next| field(&ARTICLE.replace(next.trim(), "")).is_some());
            if is_inside || (columns.is_empty() && !is_first_column()) {
                return None;
            }
        }
        let of_things = of_things.map(|found| found.start()).or(condition);
        let item = match of_things {
            Some(at) => {
                end = before + item.trim_end().len() - (whole.len() - at);
                whole.get(..at).unwrap_or_default()
            }
            None => whole.as_str(),
        };
        let is_name = !item.is_empty()
            && item.split_whitespace().count() <= MOST_WORDS
            && item
                .chars()
                .all(|c| c.is_alphabetic() || matches!(c, ' ' | '-' | '/' | '²'))
            && !BEFORE.is_match(&format!("{item} "))
            && !OF_ORDER.is_match(item)
            && !item
                .split_whitespace()
                .any(|word| words.is_denial(&word.to_lowercase()));
        if !is_name {
            return None;
        }
        // "course name", "start date": the last word says what it is.
        let head = || item.split_once(' ').and_then(|(_, head)| field(head));
        // "cena wizyty": in Polish the first word says what it is.
        let priced = || {
            let (first, _) = item.split_once(' ')?;
            field(first).filter(|name| name == "price")
        };
        // "rooms with a piano. Room, price": what the instruction is about.
        let is_subject = || {
            let mut said = before_list
                .split(|c: char| !c.is_alphanumeric())
                .filter(|word| word.chars().count() > 3);
            columns.is_empty() && !item.contains(' ') && said.any(|word| concepts::are_same_words(word, item))
        };
        let is_led = is_led_by_name(&columns);
        // "date, product and maker": the thing itself is its name; in "name, phone" the phone is a number.
        let thing = || (!is_led && is_whole(&words.singular, item)).then(|| "name".to_owned());
        // "name, district and area": behind a name, what lists call a property is a column.
        let property = || (is_led && tools::is_label(item)).then(|| item.to_lowercase());
        if let Some(parts) = without_commas(item, &field).filter(|_| is_led || columns.is_empty()) {
            known += parts.len();
            columns.extend(parts);
            continue;
        }
        let name = match field(item)
            .or_else(|| qualified(item, labels, &field))
            .or_else(|| head().filter(|_| !is_weak))
            .or_else(priced)
            .or_else(|| thing().filter(|_| list.contains(',')))
            .or_else(|| is_subject().then(|| "name".to_owned()))
            .or_else(property)
        {
            // "number of ratings"
            Some(name) if is_count && name == "rating" => {
                known += 1;
                "reviews".to_owned()
            }
            Some(name) => {
                known += 1;
                name
            }
            // "; model, mileage, price": before known columns, what one calls the thing.
            None if is_weak && columns.is_empty() && is_name_of_thing(item) && list.contains(',') => {
                known += 1;
                "name".to_owned()
            }
            // "with title, price and gears": behind the name and another column, any noun is one.
            None if is_weak
                && is_led
                && columns.len() > 1
                && !item.contains(' ')
                && !words.is_grammar(&item.to_lowercase()) =>
            {
                item.to_lowercase()
            }
            None if is_unsaid(item) => item.to_lowercase(),
            // "I need title, district and from when on": behind two columns that are known, whatever is asked for is one.
            None if !is_weak && is_led && known > 1 => item.to_lowercase(),
            None if is_weak || item.split_whitespace().count() > 2 => return None,
            None => item.to_lowercase(),
        };
        if !columns.contains(&name) {
            columns.push(name);
        }
        if of_things.is_some() {
            break;
        }
    }
    // "name and thickness": what no field is known for may be a label of the rows.
    let is_list_of_names = is_led_by_name(&columns) && list.contains(',');
    let is_half = known * 2 == columns.len();
    let are_enough = known * 2 > columns.len()
        || (is_half && is_beside_label)
        || (!is_weak && (is_half || is_list_of_names));
    are_enough.then_some((columns, end))
}

/// Whether an item is a value of the list, or a value and its label: "furnished", "permanent contract".
fn is_value(item: &str, labels: &ListLabels<'_>) -> bool {
    let beside_label = || {
        let (first, rest) = item.split_once(' ')?;
        let (before, last) = item.rsplit_once(' ')?;
        [(last, before), (first, rest)].into_iter().find(|(name, said)| {
            labelled(name, &labels.names).is_some_and(|label| labels.has_value(&label, said))
        })
    };
    let has = |label: &String| labels.has_value(&locale::snake_case(label), item);
    labels.names.iter().any(has) || beside_label().is_some()
}

/// Whether a name is that of a label which is not the first of the list, whose values are what the entries are called.
fn is_label_beside_name(name: &str, labels: &ListLabels<'_>) -> bool {
    let first = labels.names.first().map(|first| locale::snake_case(first));
    labelled(name, &labels.names).is_some_and(|label| Some(&label) != first.as_ref())
}

/// Whether a list asks for what entries have or have not: it begins with a label that only says whether something is so, as do half
/// of its labels, or such a label has an indefinite article. "with rent and balcony" asks for columns, "with a rent and a balcony"
/// for a balcony.
fn has_states(list: &str, labels: &ListLabels<'_>) -> bool {
    let items: Vec<&str> = JOINT.split(list).map(str::trim).collect();
    let is_state = |item: &&str| {
        let label = labelled(&ARTICLE.replace(item, ""), &labels.names);
        label.is_some_and(|label| labels.is_state(&label))
    };
    let states: Vec<&&str> = items.iter().filter(|item| is_state(item)).collect();
    let is_first = items.first().is_some_and(is_state);
    (is_first && states.len() * 2 >= items.len()) || states.iter().any(|item| is_led_by_article(item))
}

/// The columns of an item in which commas are missing: "name height and distance", "nazwa cena miejscowość".
fn without_commas(item: &str, field: &impl Fn(&str) -> Option<String>) -> Option<Vec<String>> {
    let known = |said: &str| field(said).or_else(|| tools::is_label(said).then(|| said.to_lowercase()));
    let words: Vec<&str> = item.split(' ').collect();
    let mut columns: Vec<String> = Vec::new();
    let mut from = 0;
    while from < words.len() {
        // The longest name first: "name old price" has two columns.
        let mut ends = (from + 1..=words.len()).rev();
        let (end, column) = ends.find_map(|end| Some((end, known(&words.get(from..end)?.join(" "))?)))?;
        columns.push(column);
        from = end;
    }
    let is_named = matches!(columns.first().map(String::as_str), Some("name" | "title"));
    let are_distinct = columns
        .iter()
        .enumerate()
        .all(|(at, column)| !columns.iter().take(at).any(|before| before == column));
    (columns.len() > 1 && is_named && are_distinct).then_some(columns)
}

/// What a column of several words means: the label that it names ("evening price" where entries have `Evening`), else what stands before
/// a unit of time ("price per night").
fn qualified(item: &str, labels: &[String], field: &impl Fn(&str) -> Option<String>) -> Option<String> {
    let (first, rest) = item.split_once(' ')?;
    let is_price = |word: &str| field(word).is_some_and(|field| field == "price");
    if is_price(rest)
        && let Some(label) = labelled(first, labels)
    {
        return Some(label);
    }
    if let Some(unit) = unit_prices::unit_of_column(rest).filter(|_| is_price(first)) {
        return Some(format!("{PRICE_OF}{unit}"));
    }
    PER.is_match(rest).then(|| field(first)).flatten()
}

/// Whether a column is called the price before a reduction: "stara cena", which is not the column `Cena`.
fn is_former_price(name: &str, words: &TriggerVocabulary) -> bool {
    let mut fields = words.fields.iter();
    fields.any(|(field, pattern)| field == "old_price" && is_whole(pattern, name))
}

/// The column of where something stands.
const STREET_ADDRESS: &str = "street address";

/// Whether a column is called an address, which of things that have a name is where they are.
fn is_address(name: &str) -> bool {
    const NAMES: [&str; 6] = [
        "address",
        "street address",
        "adresse",
        "anschrift",
        "adres",
        "adresy",
    ];
    NAMES.contains(&name.to_lowercase().as_str())
}

/// Whether a column tells which entry a row is.
fn is_of_name(column: &str) -> bool {
    matches!(column, "name" | "title" | "url" | "link")
}

/// Whether the first of the columns is the name of the entries.
fn is_led_by_name(columns: &[String]) -> bool {
    let first = columns.first();
    first.is_some_and(|first| matches!(first.as_str(), "name" | "title"))
}

/// The label of the page's list that a name of a column means: "Dozent" where entries have `Dozent/in`.
pub(super) fn labelled(name: &str, labels: &[String]) -> Option<String> {
    let is_same = |label: &&String| concepts::are_same_words(label, name);
    let is_first = |label: &&String| {
        let first = label.split(['/', '(', ' ']).next().unwrap_or_default();
        first.len() < label.len() && concepts::are_same_words(first, name)
    };
    // "starting point" where entries have `Start`.
    let is_word = |label: &str| {
        let mut words = name.split(' ').filter(|word| word.chars().count() > 2);
        name.contains(' ') && !label.contains(' ') && words.any(|word| concepts::are_same_words(label, word))
    };
    let found = labels
        .iter()
        .find(is_same)
        .or_else(|| labels.iter().find(is_first))
        .or_else(|| only(labels, |label| is_word(label)))
        .or_else(|| {
            only(labels, |label| {
                tools::words::field_names::is_label_of(label, name)
            })
        })
        .or_else(|| only(labels, |label| tools::are_of_one_class(label, name)))
        .or_else(|| {
            only(labels, |label| {
                tools::words::field_names::is_label_otherwise(label, name)
            })
        })
        .or_else(|| only(labels, |label| is_last_part(label, name)));
    found.map(|label| locale::snake_case(label))
}

/// Fewest letters of a part of a German compound.
const SHORTEST_PART: usize = 3;

/// Whether a German noun is the last part of a label: `Ort` of `Spielort`. An English "Age" is no part of `Mileage`, and the `Name` of
/// entries no `Nachname`.
fn is_last_part(label: &str, name: &str) -> bool {
    let (label, lower) = (label.to_lowercase(), name.to_lowercase());
    let is_noun = name.starts_with(char::is_uppercase) && name.chars().all(char::is_alphabetic);
    let is_long = |part: &str| part.chars().count() >= SHORTEST_PART;
    is_noun
        && is_long(name)
        && !matches!(lower.as_str(), "age" | "name" | "titel" | "title" | "preis")
        && label
            .strip_suffix(&lower)
            .is_some_and(|rest| is_long(rest) && rest.chars().all(char::is_alphabetic))
}

/// The one label of which something holds; none where it holds of several.
fn only(labels: &[String], is: impl Fn(&str) -> bool) -> Option<&String> {
    let mut found = labels.iter().filter(|label| is(label));
    found.next().filter(|_| found.next().is_none())
}

/// Whether an item says how the list is read, and names nothing of its entries.
fn is_otherwise(item: &str, words: &TriggerVocabulary) -> bool {
    let options = [
        &words.paginate,
        &words.scroll,
        &words.this_page,
        &words.pages,
        &words.ascending,
        &words.descending,
        &words.sort_by,
    ];
    options.into_iter().any(|pattern| pattern.is_match(item))
        || words.orders.iter().any(|(_, pattern)| pattern.is_match(item))
}

/// The field that a name of a column means.
pub(super) fn field(name: &str, words: &TriggerVocabulary) -> Option<String> {
    let mut fields = words.fields.iter();
    let of_vocabulary = fields
        .find(|(_, pattern)| is_whole(pattern, name))
        .map(|(field, _)| field.clone());
    of_vocabulary.or_else(|| concepts::field(name).map(str::to_owned))
}

#[cfg(test)]
mod tests;
