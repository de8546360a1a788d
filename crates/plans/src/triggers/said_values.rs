//! What entries say or leave out, as a sentence tells it: "jobs that say how much they pay", "where the salary isn't stated".

use std::ops::Range;

use tools::rows::condition::{Operator, RowCondition};

use super::column_list::field;
use super::vocabulary::TriggerVocabulary;

/// What is done with a value that an entry shows.
const STATED: &str =
    r"(?:stated|given|listed|specified|disclosed|known|mentioned|published|indicated|advertised|provided)";
/// The same in German.
const STATED_IN_GERMAN: &str = r"(?:angegeben|genannt|ausgewiesen|bekannt|aufgeführt|veröffentlicht)";

locale::patterns! {
    /// A value that is stated or not.
    static IS_STATED = format!(r"(?ix)(?:\b(?:where|for\s+which|with|when|that\s+have|having)\s+)?\b(?:(?P<none>no)\s+|(?:the|an?|their|its)\s+)?(?P<what>[a-z]+)\s+(?:(?:is|are|was|were|has\s+been|have\s+been)(?P<not>n['’]?t|\s+not)?|(?P<never>isn['’]?t|aren['’]?t))\s+{STATED}\b
        |\b(?:with|having)\s+(?:(?P<lacking>no|un)\s*)?(?:an?\s+|the\s+)?{STATED}\s+(?P<given>[a-z]+)\b
        |\b(?:bei\s+denen|bei\s+dem|wo|deren|mit|(?P<ohne>ohne))\s+(?:(?P<kein>keine?n?)\s+|(?:das|die|der|den|ein|eine)\s+)?(?P<was>[a-zäöüß]+)\s+(?P<nicht>nicht\s+)?{STATED_IN_GERMAN}(?:\s+(?:ist|sind|wird|werden|wurde|wurden|steht))?\b
        |\bmit\s+{STATED_IN_GERMAN}e[mnr]\s+(?P<de>[a-zäöüß]+)\b
        |\b(?:gdzie|w\s+których|dla\s+których|co\s+do\s+których)\s+(?P<nie>nie\s+)?poda(?:no|ne|na|ny|li)\s+(?:jest\s+|są\s+)?(?P<co>\p{{Latin}}+)
        |\bz\s+podan(?:ym|ą|ymi)\s+(?P<pl>\p{{Latin}}+)");
    /// Entries that say how much something is.
    static SAYS_HOW_MUCH = r"(?ix)\b(?P<who>(?:that|which|who)\s+)?(?:actually\s+|do\s+)?(?P<not>(?:don['’]?t|doesn['’]?t|do\s+not|does\s+not|never)\s+)?(?:say|says|(?P<shown>tells?|shows?)|state|states|mention|mentions|disclose|discloses|reveal|reveals)\s+(?:us\s+|you\s+|me\s+)?
            (?:(?:how\s+much|what)\s+(?:they|it|you|one)\s+(?:(?P<pay>pays?|earns?|gets?\s+paid|will\s+earn)|(?P<cost>costs?|charges?))|(?:the|their|a|its)\s+(?P<en>[a-z]+))\b
        |\b(?:bei\s+denen|wo)\s+(?:(?P<nicht>nicht)\s+)?(?:dabei\s?)?steht,?\s+(?:wie\s?viel|was)\s+(?:man|es|sie)\s+(?:(?P<verdient>verdient|gezahlt|bezahlt|zahlt|zahlen)|(?P<kostet>kostet|kosten))(?:\s+(?:wird|bekommt))?
        |\b(?:które|co)\s+(?P<nie>nie\s+)?(?:podają|mówią|piszą),?\s+ile\s+(?:(?P<placa>płacą|się\s+zarabia|można\s+zarobić)|(?P<koszt>kosztują|kosztuje))";
}

/// The first value that entries are asked to state, or not to state: where the text says so, and the condition.
pub(super) fn said_value(text: &str, words: &TriggerVocabulary) -> Option<(Range<usize>, RowCondition)> {
    // Of a label of yes and no, "listed" may be its yes.
    let named = |name: &str| field(name, words);
    let of = |place: Range<usize>, field: String, is_stated: bool| {
        let condition = RowCondition {
            field,
            operator: if is_stated {
                Operator::Present
            } else {
                Operator::Absent
            },
            value: serde_json::Value::Null,
        };
        (place, condition)
    };
    let how_much = SAYS_HOW_MUCH.captures_iter(text).find_map(|found| {
        let has = |names: &[&str]| names.iter().any(|name| found.name(name).is_some());
        let field = match () {
            () if has(&["pay", "verdient", "placa"]) => "salary".to_owned(),
            () if has(&["cost", "kostet", "koszt"]) => "price".to_owned(),
            // "Show the salary" asks for a column.
            () if has(&["shown"]) => return None,
            () => found
                .name("who")
                .and_then(|_| named(found.name("en")?.as_str()))?,
        };
        Some(of(found.get(0)?.range(), field, !has(&["not", "nicht", "nie"])))
    });
    how_much.or_else(|| {
        IS_STATED.captures_iter(text).find_map(|found| {
            let group = |names: &[&str]| names.iter().find_map(|name| found.name(name));
            // "The salary is given in pounds" is a remark.
            if text.get(found.get(0)?.end()..)?.starts_with(" in ") {
                return None;
            }
            let what = group(&["what", "given", "was", "de", "co", "pl"])?;
            let is_denied =
                group(&["none", "not", "never", "lacking", "kein", "ohne", "nicht", "nie"]).is_some();
            Some(of(found.get(0)?.range(), named(what.as_str())?, !is_denied))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::vocabulary::VOCABULARY;
    use super::*;

    #[test]
    fn entries_state_a_value_or_do_not() {
        let read = |text: &str| {
            let said = said_value(text, &VOCABULARY);
            said.map_or(String::new(), |(_, condition)| condition.to_string())
        };
        for text in [
            "jobs in Leeds that say how much they pay",
            "only jobs where the salary is stated",
            "jobs with a stated salary",
            "Stellen, bei denen das Gehalt angegeben ist",
            "Stellen mit angegebenem Gehalt",
            "oferty, które podają, ile płacą",
            "oferty z podanym wynagrodzeniem",
        ] {
            assert_eq!(read(text), "salary present", "{text}");
        }
        for text in [
            "jobs where the salary isn't stated",
            "jobs where no salary is given",
            "jobs that don't say what they pay",
            "Stellen, bei denen kein Gehalt angegeben ist",
            "Stellen ohne Gehalt angegeben",
            "oferty, gdzie nie podano wynagrodzenia",
        ] {
            assert_eq!(read(text), "salary absent", "{text}");
        }
        assert_eq!(read("flats where the price is not known"), "price absent");
        for text in [
            "jobs that say remote",
            "books that are published",
            "show the salary",
            "talks that are given",
        ] {
            assert_eq!(read(text), "", "{text}");
        }
    }
}
