//! Wordings that say in several words, or with a denial, what the readers of an instruction know by one: "costs nothing", "outside
//! Leeds", "km/h".

use super::clauses::joined;
use super::phrases::outside_quotes;

locale::patterns! {
    /// What says that something is free of charge, with a denial that denies nothing else.
    static FREE = r"(?i)\b(?:cost(?:s|ing)?\s+nothing|(?:die|der|das|was)?\s*nichts\s+koste[nt]|koste[nt]\s+nichts|nic\s+nie\s+kosztuj\p{Latin}+|nie\s+kosztuj\p{Latin}+\s+nic|keinen\s+eintritt(?:\s+(?:kosten|kostet|verlangen|verlangt|zahlen|zahlt))?|keine\s+(?:gebühr(?:en)?|kosten)\s+(?:kosten|kostet|verlangen|verlangt|zahlen|zahlt|anfallen)|(?:no|without(?:\s+an?)?)\s+(?:admission|entry|entrance)\s+(?:fee|charge)s?|bez\s+opłat\p{Latin}*\s+za\s+wstęp)\b";
    /// The title of a person, whose point ends no sentence.
    static TITLE = r"\b(?P<title>Prof|Dr|Mr|Mrs|Ms|Sr|Jr|Hr|Fr|St|Inż|inż|Mgr|mgr|Doc|Doz)\.\s*(?P<name>\p{Lu})";
    /// What people say before what they want.
    static LOOKING = r"(?i)\b(?:I'?m|I am|we'?re|we are|am|are)\s+(?:looking|searching|hunting)\s+for\b";
    /// What one does without others.
    static ALONE = r"(?i)\b(?:on\s+(?:my|your|one's)\s+own|by\s+(?:myself|yourself|oneself)|(?:ganz\s+)?(?:für\s+mich\s+)?alleine?|w\s+pojedynkę|samemu|sama?(?P<end>\s*(?:[?.!,;]|$)))";
    /// A place where something is not.
    static OUTSIDE = r"\b(?:[Oo]utside(?:\s+of)?|[Aa]ußerhalb(?:\s+von)?)\s+(?P<place>\p{Lu})";
    /// What is left out, before the word that says so: "Bastlerräder ausgenommen".
    static LEFT_OUT = r"(?i)(?P<thing>(?:(?-i:\p{Lu}[\p{L}\d-]*)\s+){0,2}[\p{L}\d][\p{L}\d-]*)\s+(?:ausgenommen|ausgeschlossen|excluded|excepted|wykluczon\p{Latin}+)\b";
    /// Square metres behind "per": "cena za m2".
    static LONE_SQUARE = r"(?i)(?P<per>\b(?:per|pro|je|za)\s+|/\s*)(?:m2|m\^2|mkw)\b";
    /// Square metres behind a number.
    static SQUARE = r"(?i)(?P<n>\d)\s*(?:m2|m\^2|mkw|mtr2|m\s?kw\.?|metr(?:ów|y|ach)\s+kw(?:adratow\p{Latin}+|\.)|square\s+met(?:re|er)s?|sq\.?\s?m(?:et(?:re|er)s?)?|quadratmetern?)\b";
    /// All but one: "in another language than English", "w innym języku niż angielski", "andere Zellen als LFP".
    static OTHER = r"(?i)\b(?:(?:an)?other|different)\s+(?:\p{Latin}+\s+)?(?:than|from)\s|\bander(?:e[nrms]?|s)\s+(?:\p{Latin}+\s+)?als\s|\binn(?:y|a|e|ego|ej|emu|ych|ymi|ym|ą)\s+(?:\p{Latin}+\s+)?niż\s";
    /// Two words of which either is meant: "used/refurbished".
    static EITHER = r"(?P<a>(?:^|[\s(])\p{Latin}{4,})/(?P<b>\p{Latin}{4,})(?P<path>/?)";
    /// The days of the weekend, in short.
    static WEEKEND = r"\b(?i:sa|sat|sam|sob)\.?\s?[/+&]\s?(?i:so|sun|nd|ndz|niedz)\b\.?";
    /// An end that is included, which "up to" says as well.
    static INCLUDED = r"(?i)\b(?P<until>bis|up to|do)\s+(?:einschließlich|einschl\.|inklusive|inkl\.|and including|including)\s";
    /// A remark that both ends are included.
    static BOTH_ENDS = r"(?i)[,(]?\s*(?:beide(?:\s+tage)?\s+(?:eingeschlossen|inklusive|mitgerechnet)|both\s+(?:days\s+|dates\s+)?(?:included|inclusive)|(?:oba\s+dni|obie\s+daty)\s+(?:włącznie|wliczone))\s*\)?";
    /// A Polish hour before its number: "po godzinie 16".
    static HOUR = r"(?i)\b(?P<word>po|od|do|przed|o)\s+godz(?:in(?:ie|y|ą|ę|a)|\.)?\s*(?P<hour>[01]?\d|2[0-4])(?P<end>[^\d:.]|\.\D|[:.]?$)";
    /// An amount that is for one person, as prices of tours and tickets are.
    static PER_PERSON = r"(?i)(?P<money>\d[\d.,]*\s*(?:€|euro?s?\b|£|pounds?\b|\$|dollars?\b|zł|złot\p{Latin}+|pln\b|gbp\b)|[€£$]\s*\d[\d.,]*)\s+(?:a|per|pro|je|od|za|na)\s+(?:person|head|kopf|nase|osob\p{Latin}+|teilnehmer\p{Latin}*|participant)\b";
    /// Places by a letter: "stand A or B", "Halle B und C".
    static LETTERED = r"\b(?P<place>(?i:stand|gate|platform|zone|bay|hall|block|terminal|tier|group|wing|deck|pier|gleis|steig|bussteig|bahnsteig|halle|haus|gruppe|kategorie|klasse|strefa|strefie|stanowisk\p{Latin}+|peron\p{Latin}*|grup\p{Latin}+|hala|hali|sektor\p{Latin}*|sector|bauart|typ|type|(?:[a-zà-ž]+\s+)?rating|\p{Latin}*(?:class|klasse)|klas[aąęiy](?:\s+(?:energetyczn|efektywności)\p{Latin}*)?|category))\s+(?P<one>[A-Z])(?:\s*(?:,|/|or|oder|lub|albo|and|und|i|oraz)\s*(?P<other>[A-Z]))?\b";
    /// A number and a half.
    static AND_HALF = r"(?i)\b(?P<whole>\d+)(?:\s+(?:and\s+a|i|und\s+ein(?:e[nrs]?)?)\s+(?:half|halbe?[nrms]?|pół)|\s?einhalb)\b";
    /// A number and the unit of a memory that is written to it: "16gb".
    static MEMORY = r"(?i)\b(?P<size>\d+)(?P<unit>[gt]b)\b";
    /// Past a day: "open beyond the end of September".
    static BEYOND = r"(?i)\bbeyond\s+(?P<end>(?:the\s+)?end\s+of\b|\d)";
    /// All day and all night, with "open" beside it, which says nothing more.
    static ALL_DAY = r"(?i)\b(?P<all>rund um die uhr|24 stunden(?: am tag)?|(?:a)?round the clock|24 hours(?: a day)?|całą dobę|24h|24/7)\s+(?:lang\s+)?(?:offen|auf|geöffnet|erreichbar|zugänglich|open|accessible|czynn\p{L}+|otwart\p{L}+|dostępn\p{L}+)\b|\b(?:open|czynn\p{L}+|otwart\p{L}+)\s+(?P<behind>(?:a)?round the clock|całą dobę|24h|24/7)";
    /// What is not asked for, with a word that it would be: "bez wymaganego DBS".
    static REQUIRED = r"(?i)\b(?P<no>bez|ohne|without|no)\s+(?:wymagan\p{L}+|obowiązkow\p{L}+|koniecznoś\p{L}+|erforderliche[nrms]?|notwendige[nrms]?|nötige[nrms]?|verpflichtende[nrms]?|required|mandatory|compulsory|obligatory)\s";
    /// One, and no more.
    static EXACTLY_ONE = r"(?i)\b(?P<just>exactly|genau|dokładnie)\s+(?:one|an?|ein(?:e[rnms]?)?|jed(?:en|na|ną|no|nej|nego|nym))\s";
    /// An order from one end to the other: "from the highest starting salary to the lowest", "from the most to the least commented".
    static END_TO_END = format!(r"(?i)\bfrom\s+(?:the\s+)?(?P<first>{SUPERLATIVE})(?P<noun>(?:\s+[a-z-]+){{0,3}}?)\s+(?:(?:down|up)\s+)?to\s+(?:the\s+)?(?P<last>{SUPERLATIVE})\b");
    /// What a superlative of nothing but a degree is of.
    static OF_DEGREE = r"(?i)\bfrom\s+(?P<first>most|least)\s+to\s+(?:most|least)\s+(?P<noun>[a-z]+)";
    /// An order by something from one end to the other: "by yellow cards from most to least".
    static BY_FROM = r"(?i)\bby\s+(?P<noun>[a-z-]+(?:\s+[a-z-]+){0,2}?)\s*,?\s+from\s+(?:(?P<down>most|high(?:est)?|large(?:st)?|big(?:gest)?|new(?:est)?|latest|longest)|least|low(?:est)?|small(?:est)?|old(?:est)?|earliest|shortest|cheapest|few(?:est)?)\s+to\s+(?:most|least|high(?:est)?|low(?:est)?|small(?:est)?|large(?:st)?|big(?:gest)?|old(?:est)?|new(?:est)?|latest|earliest|longest|shortest|few(?:est)?|dearest)\b";
    /// What nobody has said of an entry yet: "that don't have any reviews yet".
    static HAS_NONE = r"(?i)\b(?P<who>that|which|who|\p{Latin}{3,}s)\s+(?:have(?:n['’]?t|\s+not)(?:\s+got)?|has(?:n['’]?t|\s+not)(?:\s+got)?|(?:do(?:es)?n['’]?t|do(?:es)?\s+not)\s+(?:yet\s+)?have)\s+(?:any|an?|a\s+single)\s+(?P<what>[a-z]+)(?:\s+(?:yet|at\s+all|so\s+far))?(?P<compared>\s+(?:over|under|above|below|of|less|more|higher|lower|between|at|than|beyond|up|\d\S*)\b)?";
    /// The same in German and Polish, where something stands between the ends.
    static END_TO_END_OF = format!(r"(?i)\b(?:vo(?:m|n\s+(?:der|dem|den))\s+(?P<de>{MOST_IN_GERMAN})|od\s+(?P<pl>naj\p{{L}}+))(?P<noun>(?:\s+\p{{L}}+){{1,2}}?)\s+(?:(?:bis\s+)?(?:zum|zur|zu\s+den)\s+{MOST_IN_GERMAN}\b|do\s+naj\p{{L}}+)");
    /// A limit behind the thing that it is of: "16 GB RAM or more".
    static LIMIT_BEHIND = r"(?i)(?P<before>\b(?:at\s+least|at\s+most|minimum|mindestens|höchstens|co\s+najmniej|przynajmniej)\s+)?\b(?P<amount>\d+(?:[.,]\d+)?\s*(?:gb|tb|mb|mp|mah|hz|ghz|watt|w|kw|ps|hp|bhp|km|kg))\s+(?P<thing>(?:(?:of|an|am)\s+)?[a-z]{2,})\s+(?:or|oder|lub)\s+(?:(?P<more>more|higher|mehr|więcej)|less|lower|weniger|mniej)(?P<end>$|[,.;?!)]|\s+(?:and|und|i|oraz|with|mit|z|for|für|dla|that|which|die|in)\b)";
    /// Half of a unit of lengths or of an hour.
    static HALF = r"(?i)\b(?P<and>(?:i|und|and)\s+)?(?:half\s+an?|eine[nrm]?\s+halbe[nrm]?|pół)\s+(?P<unit>miles?|kilomet(?:re|er)s?|kilometra|km|mili|hour|stunde|godziny)(?P<end>$|[^\p{L}'’])";
    /// What an entry does not say, with a verb for saying: "don't state a salary figure", "nie podają wynagrodzenia".
    static NOT_SAID = r"(?i)\b(?:(?P<who>that|which|who|\p{Latin}{3,}s)\s+(?:do(?:es)?n['’]?t|do(?:es)?\s+not)\s+(?:state|specify|quote|disclose)\s+(?:an?\s+|any\s+|the\s+|their\s+)?(?P<en>\p{Latin}+)(?:\s+(?:figures?|information|details|at\s+all))?|(?:die|das|bei\s+denen|wo)\s+keine?n?\s+(?P<de>\p{Latin}+)\s+(?:angeben|nennen|angegeben(?:\s+(?:ist|haben|hat))?|genannt(?:\s+(?:ist|wird))?)|(?:(?:i\s+)?któr[aeyz]\s+(?P<things>\p{Latin}+\s+)?nie\s+(?:podają|podaje|mają\s+podan\p{Latin}+|ma\s+podan\p{Latin}+)|bez\s+podan\p{Latin}+)\s+(?P<pl>\p{Latin}+))\b";
    /// What is stated, as one German word: "ohne Gehaltsangabe".
    static STATEMENT = r"\b(?P<no>[Oo]hne|[Kk]eine)\s+(?P<thing>Gehalt|Lohn|Preis|Datum|Autor|Miet)s?(?:en)?angaben?\b";
    /// Where a range begins: "the salary starts at £60,000 or more".
    static STARTS_AT = r"(?i)\b(?P<thing>salar(?:y|ies)|pay|prices?|rents?|fees?)\s+starts?\s+(?:at|from)\s+(?P<money>[£$€]?\s?\d[\d.,]*(?:\s?(?:k\b|€|euros?\b|pounds?\b|dollars?\b|zł\b|pln\b))?)(?:\s+(?:or\s+(?:more|above|over)|and\s+(?:up|above)|upwards)\b)?";
    /// The lower end of a range of pay.
    static STARTING = r"(?i)\bstarting\s+(?P<thing>salary|salaries|pay)\b";
    /// How much cheaper than before, as a superlative names it.
    static MOST_OFF = r"(?i)\b(?P<most>biggest|largest|highest|greatest|smallest|lowest)\s+(?:percentage\s+off|per\s?cent\s+off|percentage\s+(?:discount|reduction)|price\s+(?:drop|cut|reduction)|mark-?down|reduction|saving)s?\b";
    /// Whose rating a list has.
    static RATED_BY = r"(?i)\b(?:guest|customer|user|visitor|average|overall)\s+(?:rating|(?:review\s+)?score)\b";
    /// The parts of the name of a person, which lists have as one.
    static FULL_NAME = r"(?i)\b(?:imi(?:ę|ona|eniem)\s+i\s+nazwisk\p{Latin}+|vor-\s*und\s+nachnamen?|first\s+and\s+last\s+names?)\b";
    /// Two numbers of stars of which either will do: "4 and 5 star hotels".
    static STARS_EITHER = r"(?i)\b(?P<a>[1-5])(?:[-\s]?(?:stars?|sterne?))?\s*(?:and|&|or|/|und|oder|i|lub)\s*(?P<b>[1-5])[-\s]?(?P<unit>stars?|sterne?n?|gwiazdk\p{Latin}+)\b";
    /// How many stars a hotel has, as one word with it: "4-Sterne-Hotels".
    static STARRED = r"(?i)\b(?P<n>[1-5])[-\s]?(?:(?P<en>star)|(?P<de>sterne?)|gwiazdkow\p{Latin}+)[-\s](?P<thing>\p{Latin}{4,})";
    /// Kilometres an hour.
    static SPEED = r"(?i)\b(?:km\s*/\s*(?:h|std|godz)\b\.?|kph\b|kilomet(?:res|ers?|er) (?:an|per|pro) (?:hour|stunde)\b|kilometrów na godzinę)";
}

/// Superlatives that an order goes from and to.
const SUPERLATIVE: &str = r"(?:cheapest|dearest|highest|lowest|newest|latest|oldest|earliest|largest|biggest|smallest|longest|shortest|nearest|closest|farthest|furthest|greatest|fewest|heaviest|lightest|fastest|slowest|strongest|tallest|widest|youngest|most|least|best|worst)";
/// The same in German, in all their forms.
const MOST_IN_GERMAN: &str = r"(?:höchst|niedrigst|größt|kleinst|günstigst|billigst|teuerst|neuest|ältest|jüngst|längst|kürzest|best|schlechtest|meist|wenigst|nächst|weitest|schnellst|langsamst|frühest|spätest)e[nrms]?";
/// What people have none of that is nothing of an entry: "pages don't have any more results".
const NOTHING_TO_HAVE: [&str; 6] = ["more", "preference", "preferences", "idea", "clue", "objection"];

/// All that a pattern has found.
fn whole(found: &regex::Captures<'_>) -> String {
    found.get(0).map_or("", |whole| whole.as_str()).to_owned()
}

/// What an entry is without; the word before the verb stays where it names the entries.
fn without(who: &str, what: &str) -> String {
    match matches!(who.to_lowercase().as_str(), "that" | "which" | "who") {
        true => format!("without {what}"),
        false => format!("{who} without {what}"),
    }
}

/// The unit of speeds, as one word.
const SPEED_UNIT: &str = "kmh";

/// A text with the wordings that the readers know.
pub(super) fn known(text: &str) -> String {
    let except = |found: &regex::Captures<'_>| {
        let place = found.name("place").map_or("", |place| place.as_str());
        format!("except {place}")
    };
    let titled = |found: &regex::Captures<'_>| {
        let part = |name: &str| found.name(name).map_or("", |part| part.as_str());
        format!("{} {}", part("title"), part("name"))
    };
    let part = |found: &regex::Captures<'_>, name: &str| {
        found.name(name).map_or("", |part| part.as_str()).to_owned()
    };
    let text = outside_quotes(text, &TITLE, titled);
    let text = outside_quotes(&text, &EITHER, |found| match part(found, "path").is_empty() {
        true => format!("{} or {}", part(found, "a"), part(found, "b")),
        false => whole(found),
    });
    let text = outside_quotes(&text, &RATED_BY, |_| "rating".to_owned());
    let text = outside_quotes(&text, &STARS_EITHER, |found| {
        let (one, other, unit) = (
            part(found, "a"),
            part(found, "b"),
            part(found, "unit").to_lowercase(),
        );
        match unit.chars().next() {
            Some('g') => format!("{one} {unit} lub {other} {unit}"),
            _ if unit.starts_with("stern") => format!("{one} Sterne oder {other} Sterne"),
            _ => format!("{one} stars or {other} stars"),
        }
    });
    let text = outside_quotes(&text, &MOST_OFF, |found| {
        format!("{} discount", part(found, "most"))
    });
    let text = outside_quotes(&text, &FULL_NAME, |_| "name".to_owned());
    let text = outside_quotes(&text, &STARTING, |found| part(found, "thing"));
    let text = outside_quotes(&text, &STARTS_AT, |found| {
        format!("{} at least {}", part(found, "thing"), part(found, "money"))
    });
    let text = outside_quotes(&text, &STATEMENT, |found| {
        let thing = match part(found, "thing").as_str() {
            "Miet" => "Miete".to_owned(),
            thing => thing.to_owned(),
        };
        format!("{} {thing}", part(found, "no"))
    });
    let text = outside_quotes(&text, &NOT_SAID, |found| {
        let (en, de, pl) = (part(found, "en"), part(found, "de"), part(found, "pl"));
        match (en.is_empty(), de.is_empty()) {
            (false, _) => without(&part(found, "who"), &en),
            (true, false) => format!("ohne {de}"),
            (true, true) => format!("{}bez {pl}", part(found, "things")),
        }
    });
    let text = outside_quotes(&text, &LIMIT_BEHIND, |found| {
        let limit = match (part(found, "before"), part(found, "more")) {
            (before, _) if !before.is_empty() => before,
            (_, more) if more.is_empty() => "at most ".to_owned(),
            _ => "at least ".to_owned(),
        };
        let (amount, thing, end) = (part(found, "amount"), part(found, "thing"), part(found, "end"));
        format!("{limit}{amount} {thing}{end}")
    });
    let text = outside_quotes(&text, &HAS_NONE, |found| {
        let what = part(found, "what");
        let is_compared = !part(found, "compared").is_empty();
        match is_compared || NOTHING_TO_HAVE.contains(&what.to_lowercase().as_str()) {
            true => whole(found),
            false => without(&part(found, "who"), &what),
        }
    });
    let text = outside_quotes(&text, &BY_FROM, |found| {
        let way = if part(found, "down").is_empty() {
            "ascending"
        } else {
            "descending"
        };
        format!("by {}, {way}", part(found, "noun").trim_end())
    });
    let text = outside_quotes(&text, &END_TO_END, |found| {
        let (first, noun, last) = (part(found, "first"), part(found, "noun"), part(found, "last"));
        match noun.is_empty() {
            true => format!("from {first} to {last}"),
            false => format!("{first}{noun} first"),
        }
    });
    let text = outside_quotes(&text, &OF_DEGREE, |found| {
        let noun = part(found, "noun");
        match matches!(noun.as_str(), "by" | "in" | "of" | "with" | "and" | "for" | "on") {
            true => whole(found),
            false => format!("{} {noun} first", part(found, "first")),
        }
    });
    let text = outside_quotes(&text, &END_TO_END_OF, |found| {
        match part(found, "de").is_empty() {
            true => format!("{}{} najpierw", part(found, "pl"), part(found, "noun")),
            false => format!("{}{} zuerst", part(found, "de"), part(found, "noun")),
        }
    });
    let text = outside_quotes(&text, &OTHER, |_| "except ".to_owned());
    let text = outside_quotes(&text, &WEEKEND, |_| "Saturday or Sunday".to_owned());
    let text = outside_quotes(&text, &BOTH_ENDS, |_| " ".to_owned());
    let text = outside_quotes(&text, &INCLUDED, |found| format!("{} ", part(found, "until")));
    let text = outside_quotes(&text, &HOUR, |found| {
        format!(
            "{} {}:00{}",
            part(found, "word"),
            part(found, "hour"),
            part(found, "end")
        )
    });
    let text = outside_quotes(&text, &LOOKING, |_| " ".to_owned());
    let text = outside_quotes(&text, &ALL_DAY, |found| {
        joined(&format!("{}{}", part(found, "all"), part(found, "behind")))
    });
    let text = outside_quotes(&text, &REQUIRED, |found| format!("{} ", part(found, "no")));
    let text = outside_quotes(&text, &EXACTLY_ONE, |found| format!("{} 1 ", part(found, "just")));
    let text = outside_quotes(&text, &ALONE, |found| format!("solo{}", part(found, "end")));
    let text = outside_quotes(&text, &PER_PERSON, |found| part(found, "money"));
    let text = outside_quotes(&text, &LETTERED, |found| {
        let place = part(found, "place");
        let lettered = |letter: &str| joined(&format!("{place} {letter}"));
        match part(found, "other").as_str() {
            "" => lettered(&part(found, "one")),
            other => format!("{} or {}", lettered(&part(found, "one")), lettered(other)),
        }
    });
    let text = outside_quotes(&text, &BEYOND, |found| format!("after {}", part(found, "end")));
    let text = outside_quotes(&text, &AND_HALF, |found| format!("{}.5", part(found, "whole")));
    let text = outside_quotes(&text, &HALF, |found| {
        let end = part(found, "end");
        match part(found, "unit").to_lowercase() {
            // "Zwei und eine halbe Stunde" is more than the half.
            _ if !part(found, "and").is_empty() => whole(found),
            unit if matches!(unit.as_str(), "hour" | "stunde" | "godziny") => format!("30 minutes{end}"),
            unit => format!("0.5 {unit}{end}"),
        }
    });
    let text = outside_quotes(&text, &MEMORY, |found| {
        format!("{} {}", part(found, "size"), part(found, "unit").to_uppercase())
    });
    let text = outside_quotes(&text, &STARRED, |found| {
        let stars = match (part(found, "en").is_empty(), part(found, "de").is_empty()) {
            (false, _) => "stars",
            (true, false) => "Sterne",
            (true, true) => "gwiazdki",
        };
        format!("{} {stars} {}", part(found, "n"), part(found, "thing"))
    });
    let text = outside_quotes(&text, &SPEED, |_| SPEED_UNIT.to_owned());
    let squared =
        |found: &regex::Captures<'_>| format!("{} m²", found.name("n").map_or("", |digit| digit.as_str()));
    let text = outside_quotes(&text, &SQUARE, squared);
    let text = outside_quotes(&text, &LONE_SQUARE, |found| format!("{}m²", part(found, "per")));
    let text = outside_quotes(&text, &OUTSIDE, except);
    let text = outside_quotes(&text, &LEFT_OUT, |found| {
        format!("except {}", part(found, "thing"))
    });
    outside_quotes(&text, &FREE, |_| " free of charge ".to_owned())
}

/// Whether a unit is one of speed.
pub(super) fn is_speed(unit: &str) -> bool {
    [SPEED_UNIT, "mph"]
        .iter()
        .any(|known| unit.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::known;

    #[test]
    fn numbers_and_letters_are_read_with_what_they_belong_to() {
        for (written, read) in [
            ("laptops with 16gb ram", "laptops with 16 GB ram"),
            ("16 GB RAM or more", "at least 16 GB RAM"),
            ("mit 8 GB Speicher oder weniger", "mit at most 8 GB Speicher"),
            ("within half a mile of the beach", "within 0.5 mile of the beach"),
            ("jobs that don't state a salary figure", "jobs without salary"),
            ("Stellen ohne Gehaltsangabe", "Stellen ohne Gehalt"),
            ("Które oferty nie podają ceny?", "oferty bez ceny?"),
            ("recipes that don't have a rating yet", "recipes without rating"),
            (
                "courses that do not have a price over 100",
                "courses that do not have a price over 100",
            ),
            ("4-Sterne-Hotels im Zentrum", "4 Sterne Hotels im Zentrum"),
            ("oferty, które nie podają ceny", "oferty, bez ceny"),
            (
                "from the highest starting salary to the lowest",
                "highest salary first",
            ),
            ("16 GB RAM or better graphics", "16 GB RAM or better graphics"),
            ("at least 16 GB RAM or more", "at least 16 GB RAM"),
            (
                "Which jobs don't state a salary figure?",
                "Which jobs without salary?",
            ),
            ("I don't have any preference", "I don't have any preference"),
            ("books, do not state the price", "books, do not state the price"),
            ("by price, from low to high", "by price, ascending"),
            (
                "trains from Bucharest North to Budapest",
                "trains from Bucharest North to Budapest",
            ),
            (
                "vom nächsten Bahnhof zum Kloster",
                "vom nächsten Bahnhof zum Kloster",
            ),
            ("salary starts at £60,000 or more", "salary at least £60,000"),
            ("zwei und eine halbe Stunde", "zwei und eine halbe Stunde"),
            (
                "all jobs from the newest to the oldest",
                "all jobs from newest to oldest",
            ),
            ("from the most to the least commented", "most commented first"),
            ("od najwyższej ceny do najniższej", "najwyższej ceny najpierw"),
            ("vom höchsten Preis zum niedrigsten", "höchsten Preis zuerst"),
            ("longer than 3 and a half hours", "longer than 3.5 hours"),
            ("krótsze niż 2 i pół godziny", "krótsze niż 2.5 godziny"),
            (
                "open beyond the end of September",
                "open after the end of September",
            ),
            ("4 and 5 star hotels", "4 stars or 5 stars hotels"),
            ("Hotels mit 3 oder 4 Sternen", "Hotels mit 3 Sterne oder 4 Sterne"),
        ] {
            assert_eq!(known(written).trim(), read);
        }
        // The letter of a class is no article.
        for written in [
            "Energieklasse A, unter 600 Euro",
            "energy rating B",
            "klasa energetyczna C",
        ] {
            assert_ne!(known(written), written);
        }
    }
}
