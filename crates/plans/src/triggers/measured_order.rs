//! Orders by what rows state, beyond the words that the vocabulary has for orders: "highest salary first", "by mileage", "the 5
//! largest".

#[cfg(test)]
mod tests;

use std::ops::Range;

use tools::rows::measure_name::{DISTANCE, DURATION, MeasureName};
use tools::words::concepts;

use super::column_items::condition_start;
use super::column_list::{field, labelled};
use super::list_labels::ListLabels;
use super::vocabulary::TriggerVocabulary;

/// The most and the least of what is measured, in the words of each measure.
const SUPERLATIVES: &str = r"(?P<size>largest|biggest|größte[nrms]?\b|najwięks[a-zà-ɏ]+)|(?P<small>smallest|kleinste[nrms]?\b|najmniejsz[a-zà-ɏ]+)
        |(?P<paid>(?:best|highest)[-\s]paid|paid\s+best|best[-\s]paying|bestbezahlte[a-zà-ɏ]*|am\s+besten\s+bezahlt[a-zà-ɏ]*|najlepiej\s+płatn[a-zà-ɏ]+)
        |(?P<thick>thickest|dickste[a-zà-ɏ]*|najgrubsz[a-zà-ɏ]+)
        |(?P<heavy>heaviest|schwerste[a-zà-ɏ]*|najcięż[a-zà-ɏ]+)|(?P<light>lightest|leichteste[a-zà-ɏ]*|najlżejsz[a-zà-ɏ]+)
        |(?P<quiet>quietest|leiseste[a-zà-ɏ]*|najcichsz[a-zà-ɏ]+)|(?P<loud>loudest|lauteste[a-zà-ɏ]*|najgłośniejsz[a-zà-ɏ]+)
        |(?P<wide>widest|breiteste[a-zà-ɏ]*|najszersz[a-zà-ɏ]+)|(?P<deep>deepest|tiefste[a-zà-ɏ]*|najgłębsz[a-zà-ɏ]+)
        |(?P<strong>strongest|stärkste[a-zà-ɏ]*|najmocniejsz[a-zà-ɏ]+)
        |(?P<viewed>most[-\s](?:often\s+)?(?:viewed|read|watched|visited|clicked)|meist(?:gelesen|gesehen|geklickt|besucht|aufgerufen)[a-zà-ɏ]*|(?:am\s+)?(?:häufigsten|meisten)\s+(?:angesehen|gelesen|aufgerufen|angeklickt|besucht)[a-zà-ɏ]*|najczęściej\s+(?:oglądan|czytan|wyświetlan|odwiedzan)[a-zà-ɏ]+)
        |(?P<soon>soonest|earliest|früheste[nrms]?\b|najwcześniejsz[a-zà-ɏ]+)";
/// The longest and the shortest, of whatever is long.
const LENGTHS: &str = r"(?P<long>longest|längste[nrms]?\b|najdłuższ[a-zà-ɏ]+|najdłużs[a-zà-ɏ]+)|(?P<short>shortest|kürzeste[nrms]?\b|najkrótsz[a-zà-ɏ]+)";
/// What is tall, or lies high.
const HIGH_LYING: &str =
    r"höchstgelegene[a-zà-ɏ]*|highest[-\s]lying|najwyżej\s+położon[a-zà-ɏ]+|najwyżej\s+rosnąc[a-zà-ɏ]+";
/// What takes a time.
const OF_TIME: &str = r"(?:[a-zà-ɏ]*(?:dauer|zeit|zeiten)|durations?|(?:[a-z]+\s+)?times?|czas(?:em|u|ami)?(?:\s+(?:przejścia|trwania|lotu|jazdy|podróży|dojazdu))?)";

locale::patterns! {
    /// A field by which things are in order.
    static IN_ORDER = r"(?i)\b(?:in\s+(?P<noun>[a-zà-ɏ]+)\s+order|(?:in\s+order\s+of|in\s+der\s+reihenfolge\s+(?:der|des)|w\s+kolejności)\s+(?P<behind>[a-zà-ɏ]+))\b";
    /// The most or the least of something.
    static SUPERLATIVE = r"(?ix)(?:\b(?:with|by|mit|z|od)\s+)?(?:\b(?:the|den|der|die|das|dem)\s+)?\b(?:
        (?P<most>highest|largest|biggest|greatest|most|longest|höchste[nrms]?\b|größte[nrms]?\b|meiste[nrms]?\b|längste[nrms]?\b|najwyższ[a-zà-ɏ]+|największ[a-zà-ɏ]+|najwięks[a-zà-ɏ]+|najwięcej|najdłuższ[a-zà-ɏ]+|najdłużs[a-zà-ɏ]+)
        |(?P<least>lowest|smallest|fewest|least|shortest|niedrigste[nrms]?\b|kleinste[nrms]?\b|wenigste[nrms]?\b|geringste[nrms]?\b|kürzeste[nrms]?\b|najniższ[a-zà-ɏ]+|najmniejsz[a-zà-ɏ]+|najmniej|najkrótsz[a-zà-ɏ]+)
        )\s+(?:(?P<number>number\s+of|anzahl(?:\s+(?:der|an|von))?|zahl\s+(?:der|an|von)|liczb[a-zà-ɏ]+)\s+)?(?P<noun>[a-zà-ɏ²/]+)(?:\s+(?:first|zuerst|najpierw|na\s+początku|at\s+the\s+top))?";
    /// The most or the least of what a label names: "mit der größten Nabenhöhe", "z najniższym PM2,5".
    static LABELLED = r"(?ix)(?:\b(?:with|by|mit|z|ze|od)\s+)?(?:\b(?:the|den|der|die|das|dem)\s+)?\b(?:
        (?P<most>highest|largest|biggest|greatest|most|latest|höchste[nrms]?\b|größte[nrms]?\b|meiste[nrms]?\b|späteste[nrms]?\b|najwyższ[a-zà-ɏ]+|największ[a-zà-ɏ]+|najwięks[a-zà-ɏ]+|najwięcej|najpóźniejsz[a-zà-ɏ]+)
        |(?P<best>best|beste[a-zà-ɏ]*|najlepsz[a-zà-ɏ]+)|(?P<worst>worst|schlechteste[a-zà-ɏ]*|najgorsz[a-zà-ɏ]+)
        |earliest|früheste[nrms]?\b|najwcześniejsz[a-zà-ɏ]+|lowest|smallest|fewest|least|niedrigste[nrms]?\b|kleinste[nrms]?\b|wenigste[nrms]?\b|geringste[nrms]?\b|najniższ[a-zà-ɏ]+|najmniejsz[a-zà-ɏ]+|najmniej
        )\s+(?:(?:number\s+of|anzahl(?:\s+(?:der|an|von))?|zahl\s+(?:der|an|von)|liczb[a-zà-ɏ]+)\s+)?(?P<noun>[\p{L}][\p{L}\d,./-]*(?:\s+[\p{L}\d][\p{L}\d,./-]*){0,3})";
    /// The most or the least in the words of what is measured.
    static ADJECTIVE = format!(r"(?ix)(?:\b(?:with|od|the|die|den|am)\s+)*\b(?:
        {SUPERLATIVES}
        |(?P<quick_time>(?:shortest|kürzeste[nrms]?\b|najkrótsz[a-zà-ɏ]+)\s+{OF_TIME})
        |(?P<long_time>(?:longest|längste[nrms]?\b|najdłuższ[a-zà-ɏ]+)\s+{OF_TIME})
        |{LENGTHS}|(?P<quick>quickest|fastest|schnellste[a-zà-ɏ]*|najszybsz[a-zà-ɏ]+)
        |(?P<thin>thinnest|dünnste[a-zà-ɏ]*|najcieńsz[a-zà-ɏ]+)
        |(?P<near>closest|nearest|nächste[a-zà-ɏ]*|nächstgelegene[a-zà-ɏ]*|am\s+nächsten|najbliż[a-zà-ɏ]+)|(?P<far>farthest|furthest|weiteste[a-zà-ɏ]*|najdal[a-zà-ɏ]+)
        |(?P<tall>tallest|{HIGH_LYING})
        )(?:\s+[a-zà-ɏ-]+)?(?:\s+(?:to\s+(?:the\s+)?|zum\s+|zur\s+|am\s+|an\s+der\s+)[a-zà-ɏ]+)?\s+(?:first|zuerst|najpierw|na\s+początku|(?:at\s+the|on)\s+top|(?:ganz\s+)?oben|na\s+górze)");
    /// The same at the beginning, or behind a number or an article: "biggest flat in Mitte", "the 5 largest", "od najdłuższego", "vom kürzesten zum längsten".
    static ADJECTIVE_OF = format!(r"(?ix)(?:^\W*|\b(?:\d+|from(?:\s+the)?|vom|von\s+den|the|die|das|der|two|three|four|five|six|seven|eight|ten|zwei|drei|vier|fünf|sechs|sieben|acht|zehn|od|trzy|cztery|pięć|sześć|siedem|osiem|dziesięć)\s+)(?:
        {SUPERLATIVES}
        |{LENGTHS}|(?P<quick>quickest|fastest|schnellste[a-zà-ɏ]*|najszybsz[a-zà-ɏ]+)
        |(?P<near>closest|nearest|nächstgelegene[a-zà-ɏ]*|najbliż[a-zà-ɏ]+)
        |(?P<tall>tallest|{HIGH_LYING}|highest|höchste[nrms]?\b|najwyższ[a-zà-ɏ]+))
        (?P<until>\s+(?:(?:up\s+)?to(?:\s+the)?|(?:bis\s+)?(?:zum|zur|zu\s+den)|do)\s+(?:[a-z]{{3,}}est|[a-zà-ɏ]{{2,}}(?:s|ß)te[nrms]?|naj[a-zà-ɏ]+))?(?:\s+(?P<next>[a-zà-ɏ]+))?");
    /// The same as what is said of the things: "which three are paid best", "wurden am häufigsten angesehen".
    static ADJECTIVE_SAID = format!(r"(?ix)\b(?:are|is|were|was|(?:have|has)\s+been|sind|ist|wurden?|werden|wird|są|jest|były|był[ao]?|zostały)\s+(?:(?:the|am|die|der|das)\s+)?(?:{SUPERLATIVES}|{LENGTHS})\s*(?:$|[?.,;!])");
    /// An order that begins with the largest or the smallest: "od największej", "vom größten an".
    static FROM_SIZE = r"(?ix)\b(?:(?:zaczynając|beginning|starting|beginnend|angefangen)\s+)?(?:od|from\s+the|with\s+the|vom|von\s+der|mit\s+(?:dem|der))\s+
        (?:największ[a-zà-ɏ]+|najmniejsz[a-zà-ɏ]+|largest|biggest|highest|smallest|lowest|größte[nrms]|höchste[nrms]|kleinste[nrms])(?:\s+(?:on|down|an|w\s+dół))?\s*(?:$|[,.;:])";
    /// The most or the least of what is named before: "at most 5 bids, the ones with the fewest first".
    static DIRECTION = r"(?ix)(?:\b(?:the\s+ones|those|die|jene|te|od\s+tych)\s+(?:(?:with|mit|z)\s+)?(?:(?:the|den)\s+)?)?\b(?:(?P<most>most|meisten|najwięcej)|fewest|least|wenigsten|najmniej)\s+(?:first|zuerst|oben|najpierw|na\s+początku|on\s+top|at\s+the\s+top)\b";
    /// What is said of something that has a rating.
    static RATED = r"(?i)^(?:rated|reviewed|scored|bewertet\p{L}*|ocenian\p{L}+|ocenion\p{L}+)\b";
    /// What makes a superlative a limit: "at least medium", "co najmniej średni".
    static LIMITING = r"(?i)\b(?:at|co|zum)\s+$";
    /// What has a measure: "with the largest hub height".
    static HAD = r"(?i)^(?:with|by|mit|z|ze|od)\s";
    /// The words for what is large or small, long or short, whose noun may be the thing itself: "longest English book".
    static OF_THING = r"(?i)\b(?:largest|biggest|smallest|longest|shortest|größte\p{L}*|kleinste\p{L}*|längste\p{L}*|kürzeste\p{L}*|najwięks\p{L}+|najmniejsz\p{L}+|najdłuż?s\p{L}+|najkrótsz\p{L}+)\s";
    /// The best of the things themselves, at the beginning: "best product", "die 3 besten Hotels".
    static BEST = r"(?i)^\W*(?:(?:show|give|get|find|list|return|tell|me|i|want|need|what|which|is|are|zeige?|finde|gib|nenne|suche|mir|ich|will|brauche|was|ist|sind|pokaż|podaj|znajdź|wybierz|wypisz|mi|chcę|the|die|das|der|den|\d+)\s+)*(?P<best>beste[nrms]?|best|najlepsz\p{L}+)(?:\s+(?P<next>\p{L}+)|\s+\d|\s*(?:$|[,.;?!]))";
    /// The longest and the shortest.
    static LENGTH = format!(r"(?i)^(?:{LENGTHS})$");
    /// The first of an order by something: "top 5 by followers".
    static TOP_BY = r"(?i)\btop\s+(?:\d+|[a-z]+)\s+(?:[a-zà-ɏ]+\s+){0,2}?(?P<by>by\s+(?:the\s+)?(?:number\s+of\s+)?(?P<noun>[a-zà-ɏ]+))";
    /// The first by what a label of the list names: "top 3 for battery life".
    static TOP_BY_LABEL = r"(?i)\btop\s+(?:\d+|[a-z]+)\s+(?:[a-zà-ɏ]+\s+){0,2}?(?P<by>(?:by|for|nach|wg|według|pod\s+względem)\s+(?:(?:the|der|dem)\s+)?(?P<noun>[a-zà-ɏ]+(?:\s+[a-zà-ɏ]+){0,2}))";
    /// The largest or the smallest by what is named behind: "the 3 largest contracts by value".
    static SIZE_BY = r"(?ix)\b(?:(?P<most>largest|biggest|highest|größte[nrms]?\b|höchste[nrms]?\b|najwięks[a-zà-ɏ]+|największ[a-zà-ɏ]+|najwyższ[a-zà-ɏ]+)
        |smallest|lowest|kleinste[nrms]?\b|niedrigste[nrms]?\b|najmniejsz[a-zà-ɏ]+|najniższ[a-zà-ɏ]+)(?:\s+to\s+(?:the\s+)?[a-z]{3,}est|\s+(?:zum|zur)\s+[a-zà-ɏ]{2,}(?:s|ß)te[nrms]?|\s+do\s+naj[a-zà-ɏ]+)?
        (?P<gap>(?:\s+[a-zà-ɏ-]+){0,2}?\s+)(?P<by>(?:by|nach|wg|według|pod\s+względem)\s+(?:(?:the|der|dem)\s+)?(?:(?:number\s+of|(?:an)?zahl\s+(?:der|an|von)|liczb[a-zà-ɏ]+)\s+)?(?P<noun>[a-zà-ɏ]{3,}))";
    /// An order by the year in which things were made.
    static BY_MAKE = r"(?ix)\b(?:(?P<new>newest|latest|neueste[a-zà-ɏ]*|jüngste[a-zà-ɏ]*|najnowsz[a-zà-ɏ]+)|(?:oldest|earliest|älteste[a-zà-ɏ]*|najstarsz[a-zà-ɏ]+))\s+(?:builds?|built|model\s+years?|year\s+of\s+(?:build|make|manufacture)|vintages?|baujahr[a-zà-ɏ]*|jahrg[aä]ng[a-zà-ɏ]*|rocznik[a-zà-ɏ]*)\b(?:\s+(?:first|zuerst|najpierw|na\s+początku))?";
    /// The words for what is new, and for what is old.
    static NEWEST = r"(?i)\b(?:newest|latest|most recent|youngest|neueste[nrms]?|jüngste[nrms]?|aktuellste[nrms]?|najnowsz\p{Latin}+|najmłodsz\p{Latin}+|najświeższ\p{Latin}+)\b";
    static OLDEST = r"(?i)\b(?:oldest|earliest|älteste[nrms]?|früheste[nrms]?|najstarsz\p{Latin}+|najwcześniejsz\p{Latin}+)\b";
    /// An order by something, and its direction.
    static ORDER = r"(?ix)\b(?:(?:sort[a-zà-ɏ]*|order[a-zà-ɏ]*|posort[a-zà-ɏ]*|geordnet|uporządkow[a-zà-ɏ]+)\s+)?(?:by|nach|według|wg|po)\s+(?:(?:the|their|der|dem|ihrer|ihrem)\s+)?(?:(?:number\s+of|(?:an)?zahl\s+(?:der|an|von)|liczb[a-zà-ɏ]+)\s+)?(?P<noun>[a-zà-ɏ²/]+)(?P<time>\s+time\b)?
        (?P<dir>(?:\s+(?:sorted|ordered|sortiert|geordnet|posortowan[a-zà-ɏ]+|uporządkowan[a-zà-ɏ]+))?(?:\s+(?P<of>[a-zà-ɏ]+))?\s*[,(]?\s*(?:(?P<down>(?:(?:the|die|der|das|den)\s+)?(?:highest|largest|biggest|most|newest|latest|longest|descending|absteigend|höchste[nrms]?\b|größte[nrms]?\b|meiste[nrms]?\b|neueste[a-zà-ɏ]*|längste[nrms]?\b|malejąco|najwyższ[a-zà-ɏ]+|najwięks[a-zà-ɏ]+|największ[a-zà-ɏ]+|najnowsz[a-zà-ɏ]+|od\s+naj(?:wyższ|więks|nowsz|dłuższ)[a-zà-ɏ]+))
        |(?P<up>(?:(?:the|die|der|das|den)\s+)?(?:lowest|smallest|fewest|least|oldest|earliest|soonest|shortest|ascending|aufsteigend|niedrigste[nrms]?\b|kleinste[nrms]?\b|wenigste[nrms]?\b|älteste[a-zà-ɏ]*|früheste[nrms]?\b|kürzeste[nrms]?\b|rosnąco|najniższ[a-zà-ɏ]+|najmniejsz[a-zà-ɏ]+|najstarsz[a-zà-ɏ]+|najwcześniejsz[a-zà-ɏ]+|od\s+naj(?:niższ|mniejsz|starsz|krótsz|wcześniejsz)[a-zà-ɏ]+)))(?:\s+(?:first|zuerst|najpierw))?)?";
}

/// The units of times.
const TIME_UNITS: [&str; 4] = ["minutes", "hours", "days", "weeks"];
/// The units of how far something is.
pub(super) const AWAY_UNITS: [&str; 2] = ["km", "minutes"];
/// The units of how large things are.
const SIZE_UNITS: [&str; 4] = ["m²", "kg", "inch", "people"];
/// The units of how high and wide things are.
const EXTENT_UNITS: [&str; 2] = ["cm", "m"];

/// The groups of [`ADJECTIVE`]: what they are about and its units, and whether the most comes first.
const ADJECTIVES: [(&str, &str, &[&str], bool); 22] = [
    ("paid", "salary", &[], true),
    ("viewed", "views", &[], true),
    ("quick_time", "time", &TIME_UNITS, false),
    ("long_time", "time", &TIME_UNITS, true),
    ("size", "size", &SIZE_UNITS, true),
    ("small", "size", &SIZE_UNITS, false),
    ("long", DURATION, &TIME_UNITS, true),
    ("short", DURATION, &TIME_UNITS, false),
    ("quick", "time", &TIME_UNITS, false),
    ("thick", "page count", &[], true),
    ("thin", "page count", &[], false),
    ("near", DISTANCE, &AWAY_UNITS, false),
    ("far", DISTANCE, &AWAY_UNITS, true),
    ("heavy", "weight", &["kg"], true),
    ("light", "weight", &["kg"], false),
    ("quiet", "noise", &[], false),
    ("loud", "noise", &[], true),
    ("tall", "height", &EXTENT_UNITS, true),
    ("wide", "width", &EXTENT_UNITS, true),
    ("deep", "depth", &EXTENT_UNITS, true),
    ("strong", "power", &[], true),
    ("soon", "date", &[], false),
];

/// Words between a superlative and what is counted, or given marks.
const COUNT_WORDS: [&str; 16] = [
    "number",
    "amount",
    "count",
    "score",
    "scores",
    "rated",
    "ranked",
    "anzahl",
    "zahl",
    "summe",
    "note",
    "punktzahl",
    "liczba",
    "liczbą",
    "ocena",
    "kwota",
];

/// The order by a field, or by what one of the labels of the page's list names, that a text asks for, and where it stands: the field,
/// and whether the most comes first.
pub(super) fn order(
    text: &str,
    words: &TriggerVocabulary,
    labels: &ListLabels<'_>,
) -> Option<(Range<usize>, String, bool)> {
    let known = known_order(text, words);
    // The size, the height or the day of a thing may be meant where nothing else is said to be large, high or early.
    let is_exact = |order: &(Range<usize>, String, bool)| {
        let name = MeasureName::parse(&order.1);
        order.1 != "date" && !GENERAL.iter().any(|field| name.is_amount_of(field))
    };
    match known {
        Some(order) if is_exact(&order) => Some(order),
        other => labelled_order(text, words, labels).or(other),
    }
}

/// What orders whose words say little are about, beside the day: "the largest", "the highest".
const GENERAL: [&str; 2] = ["size", "height"];

/// The order by what a label names, behind "the most", "the highest" and their like.
fn labelled_order(
    text: &str,
    words: &TriggerVocabulary,
    labels: &ListLabels<'_>,
) -> Option<(Range<usize>, String, bool)> {
    let joins = |word: &str| words.connective(&word.to_lowercase()).is_some();
    let by_superlative = LABELLED
        .captures_iter(text)
        .filter(|found| !is_limit(text, found))
        .map(|found| (found, false));
    let by_place = TOP_BY_LABEL.captures_iter(text).map(|found| (found, true));
    by_superlative.chain(by_place).find_map(|(found, is_top)| {
        // The number of "top 3" is left for its own reader.
        let whole = if is_top { found.name("by")? } else { found.get(0)? };
        let noun = found.name("noun")?;
        // "PM2,5, show the town": a comma behind a word ends the name.
        let named = noun.as_str().split(", ").next().unwrap_or_default();
        let ends = named.match_indices(' ').map(|(at, _)| at);
        let ends: Vec<usize> = ends.chain(std::iter::once(named.len())).collect();
        ends.into_iter().rev().find_map(|end| {
            let said = named.get(..end)?.trim_end_matches([',', '.', '/', '-']);
            // "the most places left": what lists call a property need not have its label on this one.
            let property = || (tools::is_label(said) && said.contains(' ')).then(|| said.to_lowercase());
            let is_own = || {
                labels
                    .names
                    .iter()
                    .any(|label| concepts::are_same_words(label, said))
            };
            // "population in Asia" is a label and a condition.
            if is_top && said.contains(' ') && !is_own() {
                return None;
            }
            // "Best rated" is by the rating, whatever labels tell.
            if found.name("best").or(found.name("worst")).is_some() && RATED.is_match(said) {
                return None;
            }
            // "departure to"
            let last = said.split(' ').next_back().unwrap_or_default();
            if said.contains(' ') && words.is_grammar(&last.to_lowercase()) {
                return None;
            }
            // "flat with a balcony" is a thing and a condition, as is "salary and remote".
            if (condition_start(said).is_some() || said.split(' ').any(joins)) && !is_own() {
                return None;
            }
            let field = labelled(said, &labels.names).or_else(property)?;
            // "the biggest room": what the entries are called is no number of theirs.
            let is_of_thing = OF_THING.is_match(whole.as_str());
            let is_first = || {
                let mut names = labels.names.iter();
                names.len() > 1
                    && names
                        .next()
                        .is_some_and(|first| locale::snake_case(first) == field)
            };
            let is_had = HAD.is_match(whole.as_str());
            let names_entries = || is_first() && labels.may_call_entries(said);
            if is_of_thing && !is_had && (!labels.has_numbers(&field) || names_entries()) {
                return None;
            }
            // "top 3 for beginners" names who they are for, and no number of theirs.
            if is_top && !labels.has_numbers(&field) {
                return None;
            }
            let range = whole.start()..noun.start() + said.len();
            let is_descending = match (found.name("best"), found.name("worst")) {
                (Some(_), _) => labels.most_is_best(&field)?,
                (_, Some(_)) => !labels.most_is_best(&field)?,
                (None, None) if is_top => labels.most_is_best(&field).unwrap_or(true),
                (None, None) => found.name("most").is_some(),
            };
            Some((range, field, is_descending))
        })
    })
}

/// Whether a superlative is a limit: "at least", "co najmniej".
fn is_limit(text: &str, found: &regex::Captures<'_>) -> bool {
    let before = found.get(0).and_then(|whole| text.get(..whole.start()));
    before.is_some_and(|before| LIMITING.is_match(before))
}

fn known_order(text: &str, words: &TriggerVocabulary) -> Option<(Range<usize>, String, bool)> {
    let by = ORDER.captures_iter(text).find_map(|found| {
        // "by H. Tanaka" is no order by hours; "by application deadline" is one by the deadline.
        let noun = found.name("noun").map(|noun| noun.as_str());
        let of = found.name("of").map(|of| of.as_str());
        let named = |noun: &str| field(noun, words).filter(|_| noun.chars().count() > 1);
        // "by cooking time"
        let timed = noun.filter(|_| found.name("time").is_some());
        let timed = timed.and_then(|noun| named(&format!("{noun} time")));
        let noun = timed
            .or_else(|| noun.and_then(named))
            .or_else(|| of.and_then(named))?;
        // "by date added, newest first"
        let of_day = found
            .name("of")
            .filter(|of| noun == "date" && tools::is_label(of.as_str()));
        let noun = of_day.map_or(noun, |of| {
            MeasureName::day_of(&of.as_str().to_lowercase()).to_string()
        });
        let direction = match (found.name("down"), found.name("up")) {
            (Some(_), _) => true,
            (None, Some(_)) => false,
            // "by date" begins with the next or first one, and by most other numbers with the smallest.
            // "the three newest by registration": how new they are has been said.
            (None, None) if own_field(&noun) => {
                matches!(noun.as_str(), "year" | "date") && NEWEST.is_match(text) && !OLDEST.is_match(text)
            }
            (None, None) => return None,
        };
        Some((found.get(0).map(|it| it.range()), noun, direction))
    });
    let most = || {
        SUPERLATIVE.captures_iter(text).find_map(|found| {
            let noun = found.name("noun")?.as_str();
            if is_limit(text, &found) {
                return None;
            }
            let is_counted = found.name("number").is_some();
            let is_number = |noun: &String| is_counted && !NAMES.contains(&noun.as_str());
            let noun = field(noun, words).filter(|noun| is_number(noun) || own_field(noun))?;
            Some((
                found.get(0).map(|it| it.range()),
                noun,
                found.name("most").is_some(),
            ))
        })
    };
    let adjective = || {
        let first = || Some((ADJECTIVE.captures(text)?, false));
        let counted = || Some((ADJECTIVE_OF.captures(text)?, true));
        let said = || Some((ADJECTIVE_SAID.captures(text)?, false));
        let (found, is_before_count) = first().or_else(counted).or_else(said)?;
        let mut named = ADJECTIVES.iter();
        let (word, name, is_descending) = named.find_map(|(group, name, units, down)| {
            Some((found.name(group)?, MeasureName::in_units(name, units), *down))
        })?;
        // "the highest number of goals" is no height, nor is "the highest score".
        let is_of_count = |next: &str| COUNT_WORDS.contains(&next) || names_field(next, words);
        let next = found
            .name("next")
            .filter(|_| is_before_count)
            .map(|next| next.as_str().to_lowercase());
        if found.name("tall").is_some() && next.as_deref().is_some_and(is_of_count) {
            return None;
        }
        // "longest warranty" at the beginning is about the warranty.
        let is_of_label = |next: &str| tools::is_label(next) || names_field(next, words);
        let is_at_start = found.get(0).is_some_and(|whole| whole.start() == 0);
        if is_before_count
            && is_at_start
            && LENGTH.is_match(word.as_str())
            && next.as_deref().is_some_and(is_of_label)
        {
            return None;
        }
        // The number of "the 5 largest" is left for its own reader.
        let range = match is_before_count {
            true => Some(word.start()..found.name("until").unwrap_or(word).end()),
            false => found.get(0).map(|whole| whole.range()),
        };
        Some((range, name.to_string(), is_descending))
    };
    let by_make = || {
        let found = BY_MAKE.captures(text)?;
        let range = found.get(0).map(|it| it.range());
        Some((range, "year".to_owned(), found.name("new").is_some()))
    };
    let in_order = || {
        IN_ORDER.captures_iter(text).find_map(|found| {
            let noun = found.name("noun").or(found.name("behind"))?;
            let noun = field(noun.as_str(), words).filter(|noun| own_field(noun))?;
            Some((found.get(0).map(|it| it.range()), noun, false))
        })
    };
    let by_size = || {
        let found = SIZE_BY.captures(text)?;
        let noun = found.name("noun")?.as_str();
        let named = field(noun, words).unwrap_or_else(|| noun.to_lowercase());
        // The things themselves stay: "the 3 largest contracts".
        let range = found.name("by")?.range();
        Some((Some(range), named, found.name("most").is_some()))
    };
    let (range, noun, is_descending) = by
        .or_else(by_size)
        .or_else(by_make)
        .or_else(most)
        .or_else(in_order)
        .or_else(adjective)?;
    Some((range?, noun, is_descending))
}

/// An order by something that no field is known for: "the most goals". Rows whose texts count it can be ordered. "Longest English
/// book" counts nothing: behind what is long or large stands the thing itself, unless it is a label or a number of something.
pub(super) fn order_by_count(
    text: &str,
    words: &TriggerVocabulary,
    labels: &ListLabels<'_>,
) -> Option<(Range<usize>, String, bool)> {
    let ranked = TOP_BY.captures(text).and_then(|found| {
        let noun = found.name("noun")?.as_str().to_lowercase();
        let is_own = field(&noun, words).is_none_or(|field| own_field(&field));
        is_own.then_some((found.name("by")?.range(), noun, true))
    });
    if ranked.is_some() {
        return ranked;
    }
    let found = SUPERLATIVE
        .captures_iter(text)
        .find(|found| !is_limit(text, found))?;
    let noun = found.name("noun")?.as_str().to_lowercase();
    let is_measured = || {
        tools::is_label(&noun)
            || labelled(&noun, &labels.names).is_some_and(|label| labels.has_numbers(&label))
    };
    if OF_THING.is_match(found.get(0)?.as_str()) && found.name("number").is_none() && !is_measured() {
        return None;
    }
    let is_noun = !words.is_grammar(&noun) && !words.is_entity(&noun) && noun.chars().count() > 2;
    is_noun
        .then(|| (found.get(0).map(|it| it.range()), found.name("most").is_some()))
        .and_then(|(range, is_descending)| Some((range?, noun.clone(), is_descending)))
}

/// Where the best of the things themselves are asked for, which is an order by their ratings: "best hotel in London". "Best value" is
/// about the value, and what entries say of themselves is no order.
pub(super) fn best_alone(
    text: &str,
    words: &TriggerVocabulary,
    labels: &ListLabels<'_>,
) -> Option<Range<usize>> {
    /// What is the best of something else than the things.
    const OTHER: [&str; 14] = [
        "before",
        "practice",
        "practices",
        "seller",
        "sellers",
        "selling",
        "western",
        "value",
        "match",
        "matches",
        "of",
        "deal",
        "known",
        "case",
    ];
    let found = BEST.captures(text)?;
    let best = found.name("best")?;
    let next = found.name("next").map(|next| next.as_str().to_lowercase());
    let is_other = |next: &str| {
        OTHER.contains(&next)
            || names_field(next, words)
            || labelled(next, &labels.names).is_some_and(|label| labels.has_numbers(&label))
    };
    (!next.as_deref().is_some_and(is_other) && !labels.list_says(best.as_str())).then_some(best.range())
}

/// The direction of an order that does not say by what, and where it stands; whether the most comes first.
pub(super) fn direction_alone(text: &str) -> Option<(Range<usize>, bool)> {
    let found = DIRECTION.captures(text)?;
    Some((found.get(0)?.range(), found.name("most").is_some()))
}

/// A text without "biggest number first", or "from the biggest on", behind "the most ratings", which says the direction once more.
pub(super) fn without_direction(text: &str, words: &TriggerVocabulary) -> Option<String> {
    let is_of_size = |found: &regex::Captures<'_>| found.name("size").or(found.name("small")).is_some();
    let first = ADJECTIVE.captures(text).filter(is_of_size);
    let from = || FROM_SIZE.find(text).map(|found| found.range());
    let place = first
        .and_then(|found| Some(found.get(0)?.range()))
        .or_else(from)?;
    // "the largest population first" says what is largest, and nothing twice.
    let is_said = SUPERLATIVE.captures_iter(text).any(|found| {
        let noun = found.name("noun").map_or("", |noun| noun.as_str());
        let is_elsewhere = |said: regex::Match<'_>| said.end() <= place.start || said.start() >= place.end;
        found.get(0).is_some_and(is_elsewhere) && is_counted(noun, words)
    });
    let part = |range: Range<usize>| text.get(range).unwrap_or_default();
    is_said.then(|| format!("{} , {}", part(0..place.start), part(place.end..text.len())))
}

/// Whether the most of something is asked for by a word that names it: "ratings", "free places", and no "first".
fn is_counted(noun: &str, words: &TriggerVocabulary) -> bool {
    let lower = noun.to_lowercase();
    let is_thing = field(noun, words).is_some() || !words.is_grammar(&lower);
    is_thing && !words.leading.is_match(&lower) && !words.is_entity(&lower)
}

fn names_field(noun: &str, words: &TriggerVocabulary) -> bool {
    field(noun, words).is_some()
}

/// Fields whose values are names: "the most places" asks for a number, and not for the places where things are.
const NAMES: [&str; 9] = [
    "author",
    "company",
    "format",
    "fuel",
    "gearbox",
    "level",
    "location",
    "publisher",
    "trainer",
];

/// Whether a field is one that the vocabulary of orders has no words for, and whose values have an order.
fn own_field(name: &str) -> bool {
    let is_known = matches!(name, "reviews" | "price" | "rating" | "points" | "comments");
    concepts::field(name).is_some() && !is_known && !NAMES.contains(&name)
}
