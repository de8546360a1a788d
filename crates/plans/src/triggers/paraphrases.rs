//! Conditions that people put in other words than those the readers of conditions know: "every brand but Runix", "neither under 20 nor
//! over 100", "free of milk", "fewer than 200 or more than 500 pages".

use regex::Captures;
use tools::words::concepts::{self, MONTHS};

use super::phrases::outside_quotes;

/// Comparisons with less, and with more.
const LESS: &str = r"(?:fewer\s+than|less\s+than|under|below|at\s+most|unter|weniger\s+als|höchstens|poniżej|mniej\s+niż|najwyżej)";
const MORE: &str = r"(?:more\s+than|over|above|at\s+least|über|mehr\s+als|mindestens|powyżej|ponad|więcej\s+niż|co\s+najmniej)";

locale::patterns! {
    /// All of a kind but one.
    static ALL_BUT = r"(?i)\b(?P<all>(?:all|any|every|each)(?:\s+(?:of\s+)?the)?\s+(?P<kind>[\p{L}-]+(?:\s+[\p{L}-]+)?)|(?:any|every)where)\s+but\s+(?P<next>[\p{L}\d]+)";
    /// Neither of two, of which the second is a comparison or has a denial of its own.
    static NEITHER = format!(r"(?i)\b(?:(?P<en>neither)|(?P<de>weder)|ani)\s+(?P<one>[^,;.!?]{{1,50}}?),?\s+(?:nor|noch|(?P<ani>ani))\s+(?P<other>{LESS}|{MORE}|\d|\p{{L}}+)");
    static COMPARED = format!(r"(?i)^(?:{LESS}|{MORE}|\d)");
    /// What something has none of.
    static FREE_OF = r"(?i)\b(?:(?:that|which)\s+(?:is|are)\s+)?free\s+of\s+(?P<next>\p{L}+)";
    /// Two limits of which the second alone says the unit.
    static ONE_UNIT = format!(r"(?i)\b(?P<one>(?P<less>{LESS})|(?P<more>{MORE}))\s+(?P<a>\d[\d.,]*)\s+(?P<join>or|and|oder|und|lub|albo|i)\s+(?P<other>(?P<below>{LESS})|(?P<above>{MORE}))\s+(?P<b>\d[\d.,]*)\s*(?P<unit>(?:pages?|seiten|stron|euros?|eur|pounds?|dollars?|zł|km|kg|minutes?|min|minuten|hours?|stunden|godzin|m²|reviews?|stars?|people|days?|tage)\b|[€£$%])");
    /// What is rated, whose number has no unit.
    static RATED = r"(?i)\b(?:rat(?:ed|ing)s?|scor\p{L}+|stars?|bewert\p{L}+|sterne?|ocen\p{L}+|not(?:e|en))\b[^,;.]{0,20}$";
    /// What costs nothing to be sent.
    static FREE_DELIVERY = r"(?i)(?P<price>\b(?:preise?|prices?|cen[aęy])\s+)?\b(?:ohne|keine|without|no|bez|with\s+no)\s+(?:versandkosten|lieferkosten|porto|(?:shipping|delivery)\s+(?:costs?|charges?|fees?)|postage(?:\s+costs?)?|kosztów\s+(?:wysyłki|dostawy)|opłat\s+za\s+(?:wysyłkę|dostawę))\b";
    /// Days behind the end of a month.
    static AFTER_END = r"(?i)\b(?:after|past|nach|po)\s+(?:the\s+end\s+of|(?:dem\s+)?ende(?:\s+des)?|końcu|końcem)\s+(?P<month>\p{L}{3,})\b";
    /// A comparison with one in German, where the word is an article elsewhere, and its Polish like. "At least one" is any.
    static COMPARED_ONE = r"(?i)\b(?P<than>höchstens|maximal|mehr\s+als|weniger\s+als|nicht\s+mehr\s+als|(?:co\s+)?najwyżej|więcej\s+niż|maksymalnie)\s+(?:ein(?:e[nmrs]?|s)?|jed(?:en|n[aąejo]+))\b(?P<scaled>\s+(?:halb|million|milli?ard|tausend|hundert|dutzend|tysi|set|und\b|i\b))?";
    /// A remark that what costs nothing is meant, too, behind an amount that it may cost at most.
    static FREE_TOO = r"(?ix)[,;]?\s*\b(?:(?:and|but|und|i|a)\s+)?(?:the\s+)?(?:
        (?:free|gratis)(?:\s+(?:ones?|entries|events|things|stuff|items|courses))?\s+(?:counts?|are|is|(?:would\s+be|can\s+be))\s+(?:(?:too|as\s+well|also|fine|ok|okay|included|of\s+course|welcome|good|allowed)\b\s*)+
        |(?:gratis|kostenlos(?:e[nrs]?)?|umsonst|kostenfrei(?:e[nrs]?)?)\s+(?:(?:ist|sind|wäre|geht|zählt|zählen|natürlich|auch|ebenfalls|mit|in\s+ordnung|recht|ok|okay|willkommen|gut)\b\s*){2,}
        |(?:darmow\p{Latin}+|bezpłatn\p{Latin}+|gratis)\s+(?:(?:też|także|również|mogą\s+być|może\s+być|się\s+liczą|są|jest|ok|w\s+porządku)\b\s*)+)";
    /// The most that something may cost.
    static AT_MOST = r"(?i)\b(?:under|below|up\s+to|at\s+most|less\s+than|no\s+more\s+than|max(?:imum|imal)?\.?|unter|bis|höchstens|weniger\s+als|do|poniżej|najwyżej|maksymalnie|mniej\s+niż)\s+(?:zu\s+)?[€£$]?\s*\d";
    /// Two numbers of a mark in capitals: "FSK 0 oder 6".
    static OF_MARK = r"\b(?P<mark>\p{Lu}{2,5})\s+(?P<a>\d{1,2})\s+(?P<join>or|oder|lub|albo)\s+(?P<b>\d{1,2})\s*(?P<end>$|[,.;!?])";
}

/// What "but" joins, and does not leave out.
#[rustfmt::skip]
const GOES_ON: [&str; 30] = [
    "not", "only", "with", "without", "no", "under", "over", "below", "above", "just", "also", "sorted", "sort", "order", "show", "please", "make",
    "by", "at", "less", "more", "cheaper", "cheapest", "newest", "first", "it", "they", "i", "must", "none",
];
/// What makes the noun phrase before "but" one with a condition, so that "but" may go on with another.
const WITH_CONDITION: [&str; 10] = [
    "in", "with", "at", "for", "under", "over", "from", "of", "by", "without",
];
/// What is not meant by "free of".
const NO_CONTENT: [&str; 8] = ["charge", "charges", "cost", "costs", "fee", "fees", "the", "a"];

fn part(found: &Captures<'_>, name: &str) -> String {
    found.name(name).map_or("", |part| part.as_str()).to_owned()
}

fn whole(found: &Captures<'_>) -> String {
    found.get(0).map_or("", |whole| whole.as_str()).to_owned()
}

fn is_one_of(words: &[&str], word: &str) -> bool {
    words.contains(&word.to_lowercase().as_str())
}

/// A text with such conditions in the words that the readers know.
pub(super) fn known(text: &str) -> String {
    let text = outside_quotes(text, &ALL_BUT, |found| {
        let kind = part(found, "kind");
        let has_condition = kind
            .split_whitespace()
            .any(|word| is_one_of(&WITH_CONDITION, word));
        match has_condition || is_one_of(&GOES_ON, &part(found, "next")) {
            true => whole(found),
            false => format!("{} except {}", part(found, "all"), part(found, "next")),
        }
    });
    let text = outside_quotes(&text, &NEITHER, |found| {
        let other = part(found, "other");
        let (and, not) = match () {
            () if found.name("en").is_some() => ("and", "not"),
            () if found.name("de").is_some() => ("und", "nicht"),
            () => ("i", "nie"),
        };
        match COMPARED.is_match(&other) || found.name("ani").is_some() {
            true => format!("{not} {} {and} {not} {other}", part(found, "one")),
            false => whole(found),
        }
    });
    let text = outside_quotes(&text, &FREE_DELIVERY, |found| {
        // "Price without shipping" is an amount.
        match found.name("price") {
            Some(_) => whole(found),
            None => "with free delivery".to_owned(),
        }
    });
    let text = outside_quotes(&text, &COMPARED_ONE, |found| {
        // "Mehr als eine halbe Million"
        match found.name("scaled") {
            Some(_) => whole(found),
            None => format!("{} 1", part(found, "than")),
        }
    });
    let text = outside_quotes(&text, &AFTER_END, |found| {
        let named = concepts::with_english_months(&part(found, "month")).to_lowercase();
        let at = MONTHS.iter().position(|month| *month == named);
        // Behind December comes another year.
        let next = at.and_then(|at| MONTHS.get(at + 1));
        next.map_or_else(|| whole(found), |next| format!("from 1 {next}"))
    });
    let has_limit = AT_MOST.is_match(&text);
    let text = outside_quotes(&text, &FREE_TOO, |found| match has_limit {
        true => " ".to_owned(),
        false => whole(found),
    });
    let text = outside_quotes(&text, &FREE_OF, |found| {
        let next = part(found, "next");
        match is_one_of(&NO_CONTENT, &next) {
            true => whole(found),
            false => format!("without {next}"),
        }
    });
    let rated = |place: usize| text.get(..place).is_some_and(|before| RATED.is_match(before));
    let is_rated = ONE_UNIT.find(&text).is_some_and(|found| rated(found.start()));
    let text = outside_quotes(&text, &ONE_UNIT, |found| {
        // Both ends of one thing, and no two things.
        let is_span = found.name("less").is_some() == found.name("above").is_some();
        match is_span && !is_rated {
            true => {
                let of = |name: &str| part(found, name);
                let unit = of("unit");
                format!(
                    "{} {} {unit} {} {} {} {unit}",
                    of("one"),
                    of("a"),
                    of("join"),
                    of("other"),
                    of("b")
                )
            }
            false => whole(found),
        }
    });
    outside_quotes(&text, &OF_MARK, |found| {
        let of = |name: &str| part(found, name);
        let mark = of("mark");
        format!(
            "{mark} {} {} {mark} {}{}",
            of("a"),
            of("join"),
            of("b"),
            of("end")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_words_for_a_condition_become_those_that_are_known() {
        for (written, read) in [
            (
                "products from every brand but Runix",
                "products from every brand except Runix",
            ),
            ("all products but the socks", "all products except the socks"),
            (
                "hotels anywhere but in London",
                "hotels anywhere except in London",
            ),
            ("neither under 20 nor over 100", "not under 20 and not over 100"),
            (
                "weder unter 20 noch über 100 Euro",
                "nicht unter 20 und nicht über 100 Euro",
            ),
            (
                "mieszkania ani na Woli, ani na Pradze",
                "mieszkania nie na Woli i nie na Pradze",
            ),
            ("recipes free of milk", "recipes without milk"),
            ("ohne Versandkosten", "with free delivery"),
            (
                "books with fewer than 200 or more than 500 pages",
                "books with fewer than 200 pages or more than 500 pages",
            ),
            (
                "FSK 0 oder 6, die kürzesten zuerst",
                "FSK 0 oder FSK 6, die kürzesten zuerst",
            ),
        ] {
            assert_eq!(known(written), read);
        }
        for (written, read) in [
            (
                "up to 3,000 euros a year, free ones count too, cheapest first",
                "up to 3,000 euros a year , cheapest first",
            ),
            (
                "höchstens 5 Euro, gratis ist natürlich auch recht",
                "höchstens 5 Euro ",
            ),
            ("do 50 zł, darmowe też", "do 50 zł "),
            ("höchstens ein Umstieg", "höchstens 1 Umstieg"),
            ("najwyżej jedna przesiadka", "najwyżej 1 przesiadka"),
            ("a deadline after the end of April", "a deadline from 1 may"),
            ("nach Ende Mai", "from 1 june"),
        ] {
            assert_eq!(known(written), read, "{written}");
        }
        for written in [
            "all hotels but with a pool",
            "all jobs in Leeds but remote",
            "every laptop but cheapest first",
            "neither red nor blue",
            "free of charge",
            "flats free from May",
            "nothing under 50",
            "rated at least 4 and under 30 pages",
            "at least 4 and at least 30 pages",
            "3 oder 4 Zimmer",
            "free ones too",
            "mindestens ein Balkon",
            "maximal ein und eine halbe Stunde",
            "mehr als eine halbe Million Euro",
            "after the end of December",
            "die Wohnung hat ein Bad",
        ] {
            assert_eq!(known(written), written);
        }
    }
}
