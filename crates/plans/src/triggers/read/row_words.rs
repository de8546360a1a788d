//! Words about the rows themselves: texts that they contain, fields that they lack, stock, reductions, delivery.

use std::ops::Range;

use regex::Regex;
use serde_json::Value;
use tools::PageList;
use tools::rows::condition::{ANY_FIELD, Operator, RowCondition};
use tools::words::concepts;

use super::super::amounts::{group, number};
use super::super::clauses::{self, BEFORE_NOUNS, is_verb_of_clause};
use super::super::column_list;
use super::super::list_labels::ListLabels;
use super::super::said_values::said_value;
use super::super::text_matches::text_match;
use super::super::vocabulary::is_whole;
use super::{InstructionReader, Marked};

locale::patterns! {
    /// What can be had at once.
    static AT_ONCE = r"(?i)\b(?:(?:that|which)\s+are\s+)?(?:available\s+(?:right\s+now|now|immediately|straight\s+away|right\s+away)|immediately\s+available|(?:ab\s+)?sofort\s+(?:verfügbar|frei|beziehbar|bezugsfrei|bezugsfertig)|ab\s+sofort|(?:dostępn\p{Latin}+|woln\p{Latin}+)\s+od\s+zaraz)(?:\s+(?:sind|ist))?\b";
    /// A word that the name of a thing has: "Kürbis im Titel".
    static IN_NAME = r"(?i)\b(?:(?:the word|dem wort|das wort|słowo|słowem|with|mit|having|ze?)\s+)?(?P<t>[\p{L}\d][\p{L}\d-]+)\s+(?:im|in (?:the|its|their)|in|w)\s+(?:titel|namen|title|name|tytule|nazwie|überschrift|headline)\b";
    /// Behind what is or is not sold, how or by whom.
    static SOLD_AS = r"(?i)^\S+(?:\s+\S+){0,2}?\s?\b(?:sold|verkauft|sprzedawan\p{Latin}+)\s+(?:under|as|by|through|via|als|unter|von|jako|pod|przez)\b";
    /// A word behind one that says that something still is so.
    static LASTING = r"(?i)\b(?:still|noch|jeszcze|wciąż|nadal) +(?P<t>[^ .,;:!?()0-9]+)";
    /// A state before what has it, or behind "that are": words that elsewhere ask, and say nothing of rows.
    static STATE = r"(?ix)(?:^|\b(?:all|only|just|show|list|find|get|give|me|the|which|that|who|are|is|currently|every|any)\s+)(?P<t>open|running|registered|released|special)(?P<next>\s+[\p{L}\d]+|\s*$|\s*[,.;?!])";
    /// What stands behind "open" where a page or a link is to be opened, or where something is open to somebody.
    static OPENED = r"(?i)^(?:the|a|an|this|that|these|it|up|in|to|for|at|on|from|until|till|with|by|all|each|every|page|pages|link|links|menu|site|first|next|https?|www)$";
    /// A word in capitals within a sentence.
    static CAPITALISED = r"(?:\p{Ll}[,]?\s+|^)(?P<t>\p{Lu}\p{Ll}+|\p{Lu}{2,5})\b";
    /// A word behind a denial.
    static DENIED = r"(?i)\b(?:not|aren't|isn't|nicht|nie) +(?:(?:yet|already|currently|noch|schon|bereits|jeszcze|już) +)?(?P<t>[^ .,;:!?()0-9]+)";
    /// What says since when or until when a state is, behind the state.
    static SINCE = r"(?i)^ +(?:yet|already|any ?more|any longer|at the moment|right now|noch|mehr|schon|jeszcze|już)\b";
    /// What ranks the word behind it: "najlepiej płatne".
    static RANKED = r"(?i)\b(?:best|highest|well|better|najlepiej|najwyżej|dobrze|lepiej|wysoko)[-\s]+$";
    /// What is called so behind the name of a label.
    static FIGURE = r"(?i)^\s+(?:figures?|values?|data|information|entry|angaben?|werte?|eintrag|danych|wartości)\b";
    /// A word that rows have in their texts: "that mention CSV", "CSV in the description".
    static MENTIONED = r"(?i)\b(?:mention(?:s|ing|ed)?|erwähn(?:en|t)|wspomina\p{Latin}*|wymienia\p{Latin}*)\s+(?P<t>[\p{L}\d][\p{L}\d-]+)(?:\s+(?:im?|in (?:the|its|their)|w)\s+(?:description|text|summary|beschreibung|opisie))?\b|\b(?P<d>[\p{L}\d][\p{L}\d-]+)\s+(?:in (?:the|its|their)|in der|w)\s+(?:description|summary|beschreibung|opisie)\b";
}

/// Most words of a label that is said to be without a value.
const MOST_OF_LABEL: usize = 5;

/// Answers to whether something is so, which are values of many labels and name none.
const ANSWERS: [&str; 6] = ["yes", "no", "ja", "nein", "tak", "nie"];

/// Words that people write in capitals to stress them, and no names.
#[rustfmt::skip]
const STRESSED: [&str; 40] = [
    "a", "all", "any", "are", "as", "at", "best", "by", "each", "every", "for", "from", "get", "give", "in", "is", "just", "list", "max", "me",
    "min", "new", "of", "on", "only", "show", "the", "to", "top", "with", "alle", "alles", "jede", "nur", "ganz", "sehr", "tylko", "każdy", "same", "wszystkie",
];

/// What stands before a name of how or of what something is: "written in Go".
const LEADING: [&str; 12] = [
    "in", "with", "by", "using", "from", "mit", "von", "aus", "w", "z", "ze", "dla",
];

/// Most words in capitals that are looked for in the list.
const MOST_NAMED: usize = 4;

/// Formats that are also what things are about.
const FORMATS: [&str; 3] = ["csv", "json", "xml"];

/// What entries say that can be had at once; the lexicon has the other words for the first.
const SAID_AT_ONCE: [&str; 8] = [
    "available immediately",
    "available now",
    "immediately available",
    "ab sofort",
    "sofort verfügbar",
    "sofort frei",
    "dostępne od zaraz",
    "wolne od zaraz",
];

impl InstructionReader<'_> {
    /// Texts that the names of rows begin with, end with or contain.
    pub(super) fn text_matches(&mut self, text: &mut String) {
        while let Some((range, condition)) = text_match(text, self.words) {
            let mark = self.mark(vec![condition]);
            text.replace_range(range, &mark);
        }
    }

    /// Values that entries are asked to state, or not to state.
    pub(super) fn said_values(&mut self, text: &mut String) {
        while let Some((place, condition)) = said_value(text, self.words) {
            let mark = self.mark(vec![condition]);
            text.replace_range(place, &format!(" {mark} "));
        }
    }

    /// Texts that rows contain or not, and fields that they lack.
    pub(super) fn row_texts(&mut self, text: &mut String, labels: &ListLabels<'_>) {
        let words = self.words;
        self.contained_words(text, &IN_NAME, "name", &[]);
        self.contained_words(text, &MENTIONED, ANY_FIELD, &FORMATS);
        while let Some(found) = words.text.captures(text) {
            let Some(range) = found.get(0).map(|whole| whole.range()) else {
                break;
            };
            let is_denied = found.name("not").is_some() != found.name("no").is_some();
            let condition = RowCondition {
                field: "name".into(),
                operator: match is_denied {
                    true => Operator::NotContains,
                    false => Operator::Contains,
                },
                value: group(&found, "q").trim().into(),
            };
            let mark = self.mark(vec![condition]);
            text.replace_range(range, &mark);
        }
        let mut from = 0;
        while let Some(found) = text.get(from..).and_then(|rest| words.without.captures(rest)) {
            let (Some(whole), Some(noun)) = (found.get(0), found.name("t")) else {
                break;
            };
            let range = from + whole.start()..from + whole.end();
            // "no places left" is about stock, and no field.
            let is_of_stock = words
                .stock
                .find_iter(text)
                .any(|stock| stock.start() < range.end && range.start < stock.end());
            // "no students per staff figure", where entries have such a label.
            let of_label = text
                .get(from + noun.start()..)
                .and_then(|said| label_at(said, &labels.names))
                .filter(|_| !is_of_stock);
            if let Some((label, length)) = of_label {
                let field = locale::snake_case(label);
                // Of a column of yes and no, those that say no are without it.
                let condition = match labels.is_state(&field) {
                    true => RowCondition {
                        field: ANY_FIELD.into(),
                        operator: Operator::NotMentions,
                        value: label.into(),
                    },
                    false => RowCondition {
                        field,
                        operator: Operator::Absent,
                        value: Value::Null,
                    },
                };
                let range = range.start..from + noun.start() + length;
                let mark = self.mark(vec![condition]);
                text.replace_range(range, &mark);
                continue;
            }
            let field = column_list::field(noun.as_str(), words).filter(|_| !is_of_stock);
            // "stawki godzinowej": what belongs to the noun goes with it.
            let rest = text.get(range.end..).unwrap_or_default();
            let next = rest.split_whitespace().next().unwrap_or_default();
            let longer = format!("{} {next}", noun.as_str());
            let is_longer =
                rest.starts_with(' ') && field.is_some() && column_list::field(&longer, words) == field;
            let end = rest.find(next).map(|at| range.end + at + next.len());
            let range = range.start..end.filter(|_| is_longer).unwrap_or(range.end);
            let Some(field) = field else {
                // A word without a field: the clause that it is in denies it.
                from = range.end;
                continue;
            };
            let condition = RowCondition {
                field,
                operator: Operator::Absent,
                value: Value::Null,
            };
            let mark = self.mark(vec![condition]);
            text.replace_range(range, &mark);
        }
    }

    /// States that are denied, of which some entries of the page's list are: "plots that are not let". Elsewhere such a word
    /// asks, and says nothing of rows.
    pub(super) fn denied_states(&mut self, text: &mut String, list: Option<&PageList<'_>>) {
        let mut from = 0;
        while let Some(found) = text.get(from..).and_then(|rest| DENIED.captures(rest)) {
            let (Some(whole), Some(word)) = (found.get(0), found.name("t")) else {
                break;
            };
            let range = from + whole.start()..from + whole.end();
            let lower = word.as_str().to_lowercase();
            let rest = text.get(range.end..).unwrap_or_default();
            let since = SINCE.find(rest).map_or(0, |since| since.end());
            let rest = rest.get(since..).unwrap_or_default();
            let next = rest.split_whitespace().next().unwrap_or_default();
            let ends = ends_clause(rest);
            let is_joined = || self.words.connective(&next.to_lowercase()).is_some();
            // An object would be denied in its place: "that do not require a deposit".
            let is_state = ends || is_verb_of_clause(next) || is_joined();
            let is_asking = is_state && self.words.is_filler(&lower) && !is_verb_of_clause(&lower);
            if !is_asking || !list.is_some_and(|list| list.says(&lower)) {
                from = range.end;
                continue;
            }
            self.mark_state(text, range.start..range.end + since, Operator::NotMentions, lower);
        }
    }

    /// States that still last: "that are still running" says something of rows, though the word alone says nothing. What no entry of
    /// the page's list says is not understood.
    pub(super) fn lasting_states(&mut self, text: &mut String, list: Option<&PageList<'_>>) {
        self.said_states(text, list);
        let Some(found) = LASTING.captures(text) else {
            return;
        };
        let (Some(whole), Some(word)) = (found.get(0), found.name("t")) else {
            return;
        };
        let lower = word.as_str().to_lowercase();
        let rest = text.get(whole.end()..).unwrap_or_default();
        let ends = ends_clause(rest);
        if !ends || !self.words.is_filler(&lower) || is_verb_of_clause(&lower) {
            return;
        }
        let range = whole.range();
        if list.is_some_and(|list| list.says(&lower)) {
            self.mark_state(text, range, Operator::Mentions, lower);
        } else {
            self.facts.not_understood.push(whole.as_str().to_owned());
            text.replace_range(range, " ");
        }
    }

    /// Words in capitals that elsewhere ask, and say nothing of rows, where entries say them in this very writing: as the whole value of a
    /// label ("written in Go"), which is said beside them where the word names a field ("on the City campus"), or in capitals ("MIT").
    pub(super) fn named_values(&mut self, text: &mut String, list: Option<&PageList<'_>>) {
        let Some(list) = list else { return };
        for _ in 0..MOST_NAMED {
            let found = CAPITALISED.captures_iter(text).find_map(|found| {
                let word = found.name("t")?;
                self.is_named_value(text, &word, list)
                    .then(|| (word.range(), word.as_str().to_owned()))
            });
            let Some((range, word)) = found else { return };
            self.mark_state(text, range, Operator::Mentions, word);
        }
    }

    fn is_named_value(&self, text: &str, word: &regex::Match<'_>, list: &PageList<'_>) -> bool {
        let said = word.as_str();
        let lower = said.to_lowercase();
        let joins = self.words.is_denial(&lower) || self.words.connective(&lower).is_some();
        let is_grammar = self.words.is_grammar(&lower) && !joins;
        if said.chars().all(char::is_uppercase) {
            let is_stressed = STRESSED.contains(&lower.as_str()) || FORMATS.contains(&lower.as_str());
            return is_grammar && !is_stressed && list.shows(said);
        }
        if word.start() == 0 || joins || ANSWERS.contains(&lower.as_str()) {
            return false;
        }
        let is_field = concepts::field(said).is_some();
        let is_understood = || self.words.understood(&[]).any(|pattern| is_whole(pattern, said));
        let is_said_of_label = || {
            let labels = list.labels_of_value(said);
            let before = text.get(..word.start()).unwrap_or_default();
            let behind = text.get(word.end()..).unwrap_or_default();
            let before = before.split_whitespace().next_back();
            let mut beside = before.into_iter().chain(behind.split_whitespace().next());
            beside.any(|word| labels.iter().any(|label| concepts::mean_same(word, label)))
        };
        let is_led = || {
            let before = text
                .get(..word.start())
                .unwrap_or_default()
                .split_whitespace()
                .next_back();
            before.is_some_and(|before| LEADING.contains(&before))
        };
        (is_grammar || is_field || is_understood())
            && list.has_value(said)
            && ((is_grammar && !is_field && is_led()) || is_said_of_label())
    }

    /// What can be had at once, where some entries of the page's list say so and others name a day: "sofort verfügbar". Elsewhere the
    /// words ask for what is in stock.
    pub(super) fn at_once(&mut self, text: &mut String, list: Option<&PageList<'_>>) {
        let Some(found) = AT_ONCE.find(text).map(|found| found.range()) else {
            return;
        };
        if list.is_some_and(|list| SAID_AT_ONCE.iter().any(|said| list.says(said))) {
            self.mark_state(text, found, Operator::Mentions, SAID_AT_ONCE[0].to_owned());
        }
    }

    /// States that entries of the page's list say: "open petitions", "studies that are running".
    fn said_states(&mut self, text: &mut String, list: Option<&PageList<'_>>) {
        let Some(list) = list else { return };
        let found = STATE.captures_iter(text).find_map(|found| {
            let (word, next) = (found.name("t")?, found.name("next")?.as_str().trim());
            (!OPENED.is_match(next)).then(|| (word.range(), word.as_str().to_lowercase()))
        });
        if let Some((range, word)) = found
            && self.words.is_filler(&word)
            && list.has_word(&word)
        {
            self.mark_state(text, range, Operator::Mentions, word);
        }
    }

    /// Puts the mark of a condition on a state in place of the words that name it.
    pub(super) fn mark_state(
        &mut self,
        text: &mut String,
        range: Range<usize>,
        operator: Operator,
        state: String,
    ) {
        let mark = self.mark(vec![RowCondition {
            field: ANY_FIELD.into(),
            operator,
            value: state.into(),
        }]);
        text.replace_range(range, &mark);
    }

    /// Words that a field contains, up to the first that is one of grammar and none of those that are kept.
    fn contained_words(&mut self, text: &mut String, pattern: &Regex, field: &str, kept: &[&str]) {
        while let Some(found) = pattern.captures(text) {
            let word = found.name("t").or_else(|| found.name("d"));
            let (Some(whole), Some(word)) = (found.get(0), word.map(|word| word.as_str())) else {
                break;
            };
            let lower = word.to_lowercase();
            if self.words.is_grammar(&lower) && !kept.contains(&lower.as_str()) {
                break;
            }
            let (range, value) = (whole.range(), word.into());
            let mark = self.mark(vec![RowCondition {
                field: field.into(),
                operator: Operator::Contains,
                value,
            }]);
            text.replace_range(range, &mark);
        }
    }

    /// Whether a text begins with the mark of a condition on a day.
    fn is_before_day(&self, text: &str) -> bool {
        let mark = text.trim_start().chars().next().and_then(clauses::marked);
        let conditions = mark.and_then(|index| self.marked.get(index));
        matches!(conditions, Some(Marked::Conditions(conditions))
            if !conditions.is_empty() && conditions.iter().all(|condition| condition.field == "date"))
    }

    /// Facts that rows have or not: whether things can be bought, are reduced, are delivered free of charge.
    pub(super) fn row_flags(&mut self, text: &mut String) {
        let words = self.words;
        for (name, pattern) in &words.flags {
            // "The best paid jobs" are in an order.
            let is_ranked = |text: &str, at: usize| RANKED.is_match(text.get(..at).unwrap_or_default());
            while let Some(range) = pattern
                .find_iter(text)
                .map(|found| found.range())
                .find(|range| !is_ranked(text, range.start))
            {
                let (field, state) = name.split_once(' ').unwrap_or((name, "yes"));
                let has = state == "yes";
                let (operator, value) = match (field, has) {
                    ("price", _) => (Operator::More, 0.into()),
                    ("old_price" | "rating", true) => (Operator::Present, Value::Null),
                    ("old_price" | "rating", false) => (Operator::Absent, Value::Null),
                    _ => (Operator::Equal, Value::Bool(has)),
                };
                let condition = RowCondition {
                    field: field.to_owned(),
                    operator,
                    value,
                };
                let mark = self.mark(vec![condition]);
                text.replace_range(range, &mark);
            }
        }
        // "at least 10 free seats" is a number of seats.
        let is_counted = |text: &str, at: usize| {
            let before = text.get(..at).unwrap_or_default();
            let last = before.split_whitespace().next_back().unwrap_or_default();
            number(last, words).is_some_and(|number| number > 1)
        };
        // "Not sold out" is one phrase, which says nothing of what can be ordered before it is there.
        let is_denied_sale = |said: &str| {
            let (denial, rest) = said.split_once(' ').unwrap_or_default();
            let is_sold = |found: regex::Captures<'_>| found.name("sold").is_some();
            let is_sale = rest.trim_start_matches("yet ").trim_start_matches("already ") == "sold";
            words.is_denial(&denial.to_lowercase())
                && (is_sale || words.stock.captures(rest).is_some_and(is_sold))
        };
        let is_sold = |found: regex::Captures<'_>| {
            found.name("sold").is_some() || found.get(0).is_some_and(|whole| is_denied_sale(whole.as_str()))
        };
        let mut stocks = words.stock.captures_iter(text).map(is_sold).peekable();
        self.facts.denies_sold = stocks.peek().is_some() && stocks.all(|is_sold| is_sold);
        while let Some((found, range)) = words.stock.captures_iter(text).find_map(|found| {
            let range = found.get(0)?.range();
            // "isn't sold under another name" is about the name.
            let is_of_sale = || SOLD_AS.is_match(text.get(range.start..).unwrap_or_default());
            (!is_counted(text, range.start) && !is_of_sale()).then_some((found, range))
        }) {
            // "Available from 3 May" says when, and nothing of stock.
            if found.name("sold").is_none() && self.is_before_day(text.get(range.end..).unwrap_or_default()) {
                text.replace_range(range, " ");
                continue;
            }
            let operator = match found.name("sold") {
                Some(_) => Operator::NotInStock,
                None => Operator::InStock,
            };
            // The denial stays, so that it goes for what is joined to the phrase, too: "not sold out or unavailable".
            let said = text.get(range.clone()).unwrap_or_default();
            let is_denial = |word: &String| words.is_denial(word) && !BEFORE_NOUNS.contains(&word.as_str());
            let denial = said.split_whitespace().map(str::to_lowercase).find(is_denial);
            let condition = RowCondition {
                field: "availability".into(),
                operator: match denial {
                    Some(_) => operator.negated(),
                    None => operator,
                },
                value: Value::Null,
            };
            let mark = self.mark(vec![condition]);
            text.replace_range(range, &format!("{} {mark}", denial.unwrap_or_default()));
        }
    }
}

/// The longest label of several words that a text begins with, and how many bytes of the text name it.
fn label_at<'l>(text: &str, labels: &'l [String]) -> Option<(&'l str, usize)> {
    let ends = text
        .match_indices([' ', ',', '.', ';', '?', '!'])
        .map(|(at, _)| at);
    let ends: Vec<usize> = ends.chain([text.len()]).take(MOST_OF_LABEL).collect();
    let said = ends
        .into_iter()
        .rev()
        .filter_map(|end| Some((text.get(..end)?, end)));
    let mut found = said
        .filter(|(said, _)| said.contains(' '))
        .filter_map(|(said, end)| {
            let label = labels
                .iter()
                .find(|label| concepts::are_same_words(label, said))?;
            Some((label.as_str(), end))
        });
    let (label, end) = found.next()?;
    let rest = text.get(end..).unwrap_or_default();
    Some((label, end + FIGURE.find(rest).map_or(0, |figure| figure.end())))
}

/// Whether nothing more is said in the clause of which this is the rest.
fn ends_clause(rest: &str) -> bool {
    rest.trim_start().is_empty() || rest.starts_with([',', '.', ';', '?', '!', ')'])
}
