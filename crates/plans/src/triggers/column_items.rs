//! What an item of a list says beside the name of a column, or instead of one.

use super::vocabulary::TriggerVocabulary;

locale::patterns! {
    /// A word that begins a condition behind a noun: "salary in Berlin", "fare to Munich", "Kaltmiete ohne Mitte".
    static CONDITION = r"(?i)\s+(?:in|on|at|to|near|by|with|without|having|except|not|im|am|an|auf|aus|bei|mit|ohne|nicht|außer|nach|na|w|we|do|z|ze|bez|przy|oprócz|nie|poza)\s+(?P<rest>\S.*)$";
    /// What an amount is counted in, or is for: "in euros", "im Monat", "na osobę".
    static UNIT = r"(?i)^(?:the |an? |der |den )?(?:€|\$|£|eur(?:os?)?|usd|gbp|pln|dollars?|pounds?|zł\p{L}*|złot\p{L}+|percent|prozent|procent\p{L}*|seconds?|minut\p{L}*|hours?|stunden?|godzin\p{L}*|days?|tag(?:en?)?|dni(?:ach|u)?|dzień|weeks?|wochen?|tydzień|tygodni\p{L}*|months?|monate?n?|miesiąc\p{L}*|years?|jahre?n?|rok\p{L}*|latach|nights?|nacht|noc|person\p{L}*|osob\p{L}*|osób|osobę|stück|sztuk\p{L}*|k?m|m²|qm|cm|mm|kg|g|miles|meters?|metres?|metern?|metrach|kilo\p{L}+|litern?|total|detail|full)$";
    /// A comparison, or a place in an order: "third floor or higher".
    static COMPARED = r"(?ix)\b(?:or|oder|lub|albo)\s+(?:more|less|fewer|higher|lower|above|below|over|under|better|worse|later|earlier|newer|older|larger|bigger|smaller|mehr|weniger|höher|niedriger|darüber|darunter|besser|später|früher|neuer|älter|größer|kleiner|więcej|mniej|wyżej|niżej|wyższ\p{L}+|niższ\p{L}+|lepsz\p{L}+|później\p{L}*|wcześniej\p{L}*|nowsz\p{L}+|starsz\p{L}+|większ\p{L}+|mniejsz\p{L}+)\b
        |\b(?:at\s+(?:least|most)|(?:more|less|fewer|higher|lower|later|earlier|newer|older)\s+than|mindestens|höchstens|(?:mehr|weniger|höher|später|früher|neuer|älter)\s+als|co\s+najmniej|co\s+najwyżej|(?:więcej|mniej)\s+niż)\b
        |\b(?:ab|from|od)\s+\S+\s+(?:frei|verfügbar|bezugsfertig|free|available|woln\p{L}+|dostępn\p{L}+)\b|\b(?:available|free|dostępn\p{L}+)\s+(?:from|od|in)\b
        |^(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|zweite[nrms]?|dritte[nrms]?|vierte[nrms]?|fünfte[nrms]?|drug(?:i|a|ie|ą|iego|iej|im)|trzeci(?:a|e|ą|ego|ej|m)?|czwart(?:y|a|e|ą|ego|ej|ym)|piąt(?:y|a|e|ą|ego|ej|ym))\s";
    /// What leaves something out.
    static LEFT_OUT = r"(?i)^(?:without|except|excluding|lacking|ohne|außer|bez|oprócz|poza|not|nicht|kein\p{L}{0,2}|nie)\s";
    /// An indefinite article.
    static INDEFINITE = r"(?i)^(?:an?|ein(?:e[nmrs]?)?|any|some|jakiś|jakaś)\s";
}

/// Where the condition begins that an item has behind its first words: before the "in" of "salary in Berlin". A unit is none, nor is
/// what has figures.
pub(super) fn condition_start(item: &str) -> Option<usize> {
    let found = CONDITION.captures(item)?;
    let rest = found.name("rest")?.as_str();
    let is_other = UNIT.is_match(rest.trim_end()) || rest.contains(|c: char| c.is_ascii_digit());
    (!is_other).then_some(found.get(0)?.start())
}

/// Whether an item says what entries have to be: it compares, counts, or leaves something out.
pub(super) fn is_condition(item: &str, words: &TriggerVocabulary) -> bool {
    let counts = |item: &str| {
        let first = item.split_once(' ').map(|(first, _)| first.to_lowercase());
        first.is_some_and(|first| words.numbers.contains_key(&first))
    };
    COMPARED.is_match(item) || LEFT_OUT.is_match(item) || counts(item)
}

/// Whether an indefinite article leads an item: "a whiteboard".
pub(super) fn is_led_by_article(item: &str) -> bool {
    INDEFINITE.is_match(item.trim_start())
}
