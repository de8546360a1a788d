//! Orders and places in an order that nothing does: "all but the cheapest", "the second cheapest", "the last 3 articles", "on page 2".
//!
//! Read without the word before it, each of them asks for something else: for the very thing that is to be left out.

use std::ops::Range;

use super::amounts::number;
use super::vocabulary::TriggerVocabulary;

/// Superlatives beyond the orders of the vocabulary, which an article leads.
const SUPERLATIVE: &str = r"(?:(?:most|least)\s+\p{L}{3,}|(?:cheap|dear|high|low|new|lat|old|earli|young|larg|bigg|small|long|short|near|clos|furth|farth|great|heavi|light|fast|slow|quick|strong|tall|wid|deep)est|(?:best|worst)(?:[-\s](?:rated|paid|selling))?|(?-i:\p{Ll})\p{L}*(?:s|ß)te[nrms]?|naj\p{L}*sz\p{L}+)\b";

locale::patterns! {
    /// An article or a number before a superlative.
    static LEADS = r"(?i)^(?:the|der|die|das|dem|den|des|one|of|for|von|dwa|dwie|dwóch|trzy|trzech|\d{1,3})$";
    /// A superlative behind an article.
    static LED = format!(r"^(?i:{SUPERLATIVE})");
    /// What all of something is, at the beginning of an exception: "everything but".
    static OF_ALL = r"(?i)^(?:all|everything|anything)\b";
    /// The first ones of an order, which are left out: "teams not in the top 3", "ohne die ersten 5".
    static NOT_THE_FIRST = r"(?i)\b(?:not|except(?:\s+for)?|without|excluding|outside(?:\s+of)?|apart\s+from|aren['’]t|isn['’]t|nicht|außer|ohne|nie|oprócz|poza|bez)\s+(?:(?:in|among|of|for|unter|von|w|z|the|den|die|der)\s+){0,3}(?:top|first|best|ersten|besten|pierwsz\p{L}+|najlepsz\p{L}+)\s+(?P<n>\d{1,3}|\p{L}+)";
    /// A place in an order that is not the first.
    static ORDINAL = r"(?i)\b(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|2nd|3rd|\d{1,2}th|zweite[nrms]?|dritte[nrms]?|vierte[nrms]?|fünfte[nrms]?|drug(?:i|a|ie|ą|iego|iej)|trzeci(?:a|e|ą|ego|ej)?|czwart(?:y|a|e|ą|ego|ej)|piąt(?:y|a|e|ą|ego|ej))[\s-]+";
    /// The same as a part of a German superlative.
    static ORDINAL_WITHIN = r"(?i)\b(?:zweit|dritt|viert|fünft)-?\p{L}{3,}ste[nrms]?\b";
    /// The end of a list.
    static LAST = r"(?i)\b(?:last|letzten|ostatni(?:e|ch))\s+(?P<n>\d{1,3}|\p{L}+)\s+(?P<noun>\p{L}+)\b";
    /// A page that is not the first.
    static ON_PAGE = r"(?i)\b(?:on|auf|na)\s+(?:the\s+|der\s+)?(?:(?:page|seite|stronie)\s+(?P<n>\d{1,4})|(?P<m>\d{1,4})\.\s+(?:seite|stronie))\b";
}

/// Takes the first such words out of a text, and returns them.
pub(super) fn take(text: &mut String, words: &TriggerVocabulary) -> Option<String> {
    let alone = |place| (place, String::new());
    let (place, kept) = not_the_first(text, words)
        .map(alone)
        .or_else(|| excepted(text, words))
        .or_else(|| later_place(text, words).map(alone))?;
    let said = text.get(place.clone())?.trim().to_owned();
    text.replace_range(place, &format!(" {kept} "));
    Some(said)
}

/// An exception of the first ones of an order: where it stands, and what of it says that all others are asked for.
fn excepted(text: &str, words: &TriggerVocabulary) -> Option<(Range<usize>, String)> {
    words.except.find_iter(text).find_map(|found| {
        let end = superlative_end(text, found.end(), words)?;
        let all = OF_ALL.find(found.as_str()).map_or("", |all| all.as_str());
        Some((found.start()..end, all.to_owned()))
    })
}

fn not_the_first(text: &str, words: &TriggerVocabulary) -> Option<Range<usize>> {
    NOT_THE_FIRST.captures_iter(text).find_map(|found| {
        number(found.name("n")?.as_str(), words)?;
        Some(found.get(0)?.range())
    })
}

/// A place in an order, in a list or in the pages of one, that is not the first.
fn later_place(text: &str, words: &TriggerVocabulary) -> Option<Range<usize>> {
    let ordinal = ORDINAL.find_iter(text).find_map(|found| {
        let rest = text.get(found.end()..)?;
        let length = order_length(rest, words).or_else(|| Some(LED.find(rest)?.end()))?;
        Some(found.start()..found.end() + length)
    });
    let last = || {
        LAST.captures_iter(text).find_map(|found| {
            number(found.name("n")?.as_str(), words)?;
            let noun = found.name("noun")?;
            words
                .is_entity(&noun.as_str().to_lowercase())
                .then_some(found.get(0)?.start()..noun.start())
        })
    };
    let page = || {
        ON_PAGE.captures_iter(text).find_map(|found| {
            let number = found.name("n").or_else(|| found.name("m"))?;
            let is_first = number.as_str().parse() == Ok(1_u16);
            (!is_first).then_some(found.get(0)?.range())
        })
    };
    let within = || ORDINAL_WITHIN.find(text).map(|found| found.range());
    ordinal.or_else(within).or_else(last).or_else(page)
}

/// Where a superlative ends that stands at a place of a text, behind articles and a number.
fn superlative_end(text: &str, from: usize, words: &TriggerVocabulary) -> Option<usize> {
    let (mut at, mut is_led) = (from, false);
    loop {
        let rest = text.get(at..)?;
        at += rest.len() - rest.trim_start().len();
        let rest = text.get(at..)?;
        if let Some(length) = order_length(rest, words) {
            return Some(at + length);
        }
        // Polish has no articles.
        let is_enough = |said: &str| is_led || said.to_lowercase().starts_with("naj");
        if let Some(found) = LED.find(rest).filter(|found| is_enough(found.as_str())) {
            return Some(at + found.end());
        }
        let word = rest.split_whitespace().next()?;
        if !LEADS.is_match(word) && number(word, words).is_none() {
            return None;
        }
        (at, is_led) = (at + word.len(), true);
    }
}

/// The length of an order of the vocabulary that a text begins with.
fn order_length(text: &str, words: &TriggerVocabulary) -> Option<usize> {
    let found = words.orders.iter().filter_map(|(_, order)| order.find(text));
    found
        .filter(|found| found.start() == 0)
        .map(|found| found.end())
        .max()
}

#[cfg(test)]
mod tests {
    use super::super::vocabulary::VOCABULARY;
    use super::*;

    #[test]
    fn what_is_left_out_of_an_order_is_taken_and_an_order_stays() {
        for (written, said, rest) in [
            (
                "all products except the cheapest",
                "except the cheapest",
                "all products",
            ),
            (
                "every product except the three most expensive",
                "except the three most expensive",
                "every product",
            ),
            (
                "everything but the most expensive products",
                "everything but the most expensive",
                "everything products",
            ),
            (
                "all phones apart from the newest",
                "apart from the newest",
                "all phones",
            ),
            (
                "alle Produkte außer dem günstigsten",
                "außer dem günstigsten",
                "alle Produkte",
            ),
            ("wszystko oprócz najtańszego", "oprócz najtańszego", "wszystko"),
            (
                "all but the two longest films",
                "all but the two longest",
                "all films",
            ),
            ("teams not in the top 3", "not in the top 3", "teams"),
            ("alles außer den ersten 5", "außer den ersten 5", "alles"),
            ("the second cheapest product", "second cheapest", "the product"),
            ("third most expensive", "third most expensive", ""),
            ("das zweitgünstigste Zelt", "zweitgünstigste", "das Zelt"),
            ("drugi najtańszy laptop", "drugi najtańszy", "laptop"),
            ("the last 3 articles", "last 3", "the articles"),
            ("first 5 products on page 2", "on page 2", "first 5 products"),
        ] {
            let mut text = written.to_owned();
            assert_eq!(take(&mut text, &VOCABULARY).as_deref(), Some(said), "{written}");
            let left = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(left, rest, "{written}");
        }
        for written in [
            "the cheapest except Acme",
            "all except the forest ones, cheapest first",
            "außer den Kosten alles, die günstigsten zuerst",
            "second-hand phones, cheapest first",
            "posted in the last 3 days",
            "the last 2 weeks, newest first",
            "products on page 1",
            "not the best quality, top 3",
            "without delivery, lowest price first",
        ] {
            assert_eq!(take(&mut written.to_owned(), &VOCABULARY), None, "{written}");
        }
    }
}
