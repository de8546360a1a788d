//! Words of questions that say which kind of answer is asked for, and words that mean the same in questions and pages.

/// Words that ask for a number; what is asked for is said by the answer's number and unit.
pub(super) const AMOUNTS: [&str; 32] = [
    "many",
    "much",
    "deep",
    "tall",
    "long",
    "old",
    "far",
    "big",
    "large",
    "high",
    "fast",
    "heavy",
    "wide",
    "often",
    "year",
    "date",
    "price",
    "cost",
    "percent",
    "number",
    "population",
    "depth",
    "height",
    "length",
    "age",
    "viel",
    "viele",
    "hoch",
    "tief",
    "lang",
    "ile",
    "wysoki",
];
/// Words for what is measured: an answer has a number.
pub(super) const MEASURED: [&str; 22] = [
    "ile",
    "price",
    "cost",
    "population",
    "year",
    "share",
    "percent",
    "percentage",
    "rate",
    "average",
    "proportion",
    "amount",
    "anteil",
    "prozent",
    "preis",
    "anzahl",
    "udział",
    "procent",
    "cena",
    "number",
    "tuition",
    "maximum",
];
/// Words that open a question.
const OPENING: [&str; 46] = [
    "why", "how", "what", "which", "where", "who", "whom", "whose", "when", "can", "could", "do", "does",
    "did", "is", "are", "was", "were", "will", "would", "should", "may", "has", "have", "warum", "wieso",
    "weshalb", "wie", "welche", "welcher", "welches", "wo", "wer", "wann", "dlaczego", "czemu", "jak", "co",
    "który", "która", "które", "jaki", "jaka", "jakie", "gdzie", "czy",
];
/// Words that join a second question to the first.
const JOINING: [&str; 9] = ["and", "or", "but", "und", "oder", "aber", "i", "oraz", "lub"];

/// Whether a word at a place of a question asks there, and does not join a clause to it: "who" of "Who built it?", and not of "Why was
/// the man who built it refused?".
pub(super) fn opens(question: &[String], at: usize) -> bool {
    let before = question.get(..at).unwrap_or_default();
    let is_joined = before.last().is_some_and(|word| JOINING.contains(&word.as_str()));
    is_joined || !before.iter().any(|word| OPENING.contains(&word.as_str()))
}

/// The words behind "which" up to the next word of grammar: `advertising agency` of "which advertising agency made it".
pub(super) fn sorts(asked: &[String]) -> Vec<String> {
    let asks = |(at, word): (usize, &String)| SORTING.contains(&word.as_str()) && opens(asked, at);
    let which = asked.iter().enumerate().position(asks);
    let behind = which.and_then(|at| asked.get(at + 1..)).unwrap_or_default();
    let nouns = behind
        .iter()
        .take_while(|word| !super::super::text::is_stop(word));
    nouns
        .take(MOST_SORTED)
        .map(|word| super::super::text::stem(word))
        .collect()
}

/// Most words behind "how many" for what is counted.
const MOST_COUNTED: usize = 3;

/// The words behind "how many" up to the next word of grammar: `titles` of "how many titles can members choose".
pub(super) fn counted(asked: &[String]) -> Vec<String> {
    let many = asked.windows(2).position(|pair| {
        let [how, many] = pair else { return false };
        (how == "how" && many == "many") || (how == "wie" && many == "viele")
    });
    let behind = many.and_then(|at| asked.get(at + 2..)).unwrap_or_default();
    let nouns = behind
        .iter()
        .take_while(|word| !super::super::text::is_stop(word));
    nouns
        .take(MOST_COUNTED)
        .map(|word| super::super::text::stem(word))
        .collect()
}

/// Words that ask for one of a sort.
const SORTING: [&str; 10] = [
    "which", "welche", "welcher", "welches", "welchen", "który", "która", "które", "jaki", "jaka",
];
/// Most words behind them for the sort.
const MOST_SORTED: usize = 2;

/// Whether "how" and the word behind it ask for a way to do something.
pub(super) fn is_for_way(how: &str, next: &str) -> bool {
    match how {
        "how" => ["can", "could", "do", "to", "should", "would"].contains(&next),
        "wie" => ["kann", "könnte", "soll", "sollte", "muss", "lässt"].contains(&next),
        "jak" => ["mogę", "można", "należy", "trzeba"].contains(&next) || next.ends_with('ć'),
        _ => false,
    }
}

/// Words that ask when something was.
pub(super) const TIMES: [&str; 3] = ["when", "wann", "kiedy"];
/// Words that ask for a person.
pub(super) const PERSONS: [&str; 6] = ["who", "whom", "whose", "author", "wer", "kto"];
/// Words that ask, and say nothing about what is asked.
pub(super) const ASKING: [&str; 29] = [
    "what",
    "which",
    "tell",
    "say",
    "explain",
    "describe",
    "find",
    "give",
    "name",
    "list",
    "please",
    "know",
    "known",
    "summarize",
    "summarise",
    "overview",
    "information",
    "was",
    "wie",
    "welche",
    "welcher",
    "welches",
    "jaki",
    "jaka",
    "jakie",
    "który",
    "która",
    "które",
    "gdzie",
];

/// Words by which questions and pages call the same, as stems.
pub(super) const SYNONYMS: [&[&str]; 7] = [
    &["disadvantag", "drawback", "downsid", "con", "weakness"],
    &["advantag", "benefit", "pro", "upsid", "strength"],
    &["cost", "pric", "fe", "charg"],
    &["recommend", "suggest", "advis"],
    &["sign", "symptom"],
    &["reason", "caus"],
    &["child", "children", "kid"],
];

#[cfg(test)]
mod tests {
    use super::super::QuestionFocus;

    #[test]
    fn one_of_a_sort_is_named_or_called_what_it_is() {
        let focus = QuestionFocus::new("Which advertising agency made the poster of Quern Mills?");
        assert!(!focus.has_kind("Quern Mills defends the poster."));
        assert!(focus.has_kind("The poster of Quern Mills was made by Holt & Dyer."));
        assert!(focus.has_kind("An agency in the next town made the poster."));
        assert!(
            QuestionFocus::new("Why was the poster which Quern Mills made taken down?")
                .has_kind("It was wet.")
        );
    }
}
