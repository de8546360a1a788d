//! Clauses of an instruction: its conditions and words, joined by "and", "or" and "not".
//!
//! The readers of typed conditions leave a mark in the text for each. What stands between the marks is split into words
//! with content, connectives and words without content. Words with content become conditions on words: a page's rows
//! decide what they mean.

mod denials;
mod operand;
mod parts;
mod phrase;
mod small_words;

use tools::rows::condition::{Operator, RowCondition};
use tools::rows::measure_name::{MeasureName, Measured};
use tools::words::concepts;

use super::amounts::number;
use super::residue::{EXCEPT, ORDER, masked};
use super::target::SITE_NAMES;
use super::vocabulary::{Connective, TriggerVocabulary};
use denials::{deny_sold, spread_denials};
use operand::{Join, Operand, Term};
use parts::{Part, parts};
use phrase::phrase;
use small_words::{
    ACRONYMS, NEAR_WORDS, PLACE_WORDS, RELATIVE, TIME_WORDS, WITH, begins_statement, is_pronoun,
};
pub(super) use small_words::{BEFORE_NOUNS, is_verb_of_clause};

locale::patterns! {
    /// By what something is done or sent, which is none of the entries: "by card", "per Post".
    static BY_MEANS = r"(?i)\b(?P<by>by|per|via)\s+(?P<means>\p{L}+)";
    /// What an amount before it is an extent of: "12 pages long", "100 Mbit/s schnell".
    static EXTENT = r"(?i)(?P<mark>[\u{E000}-\u{E03B}]\s*)(?:long|high|wide|tall|deep|heavy|away|thick|fast|lang|hoch|breit|tief|schwer|dick|schnell|entfernt|weit|długości|wysokości|szerokości|głębokości|grubości)\b";
    /// What things are after a time: "ready in 30 minutes".
    static READY = r"(?i)\b(?:ready|done|fertig|gotow\p{Latin}*)\s+(?:is |are |sind |ist |są )?(?:in |within |w |nach |innerhalb )?(?P<mark>\s*[\u{E000}-\u{E03B}])|(?P<before>[\u{E000}-\u{E03B}]\s*)(?:ready|done|fertig|gotow\p{Latin}*)(?P<behind>\b)";
}

/// The first of the characters that stand for conditions, in Unicode's private area.
const FIRST_MARK: u32 = 0xE000;
/// Most conditions of one instruction.
const MOST_MARKS: usize = 60;
/// Most alternatives that two sides of an "or" are multiplied to.
const MOST_ALTERNATIVES: usize = 12;

/// Most words without content before a word within a list: "the red, the blue or the green".
const MOST_BEFORE_LISTED: usize = 2;

/// The text that stands for a condition; `None` when there are too many.
pub(super) fn mark(index: usize) -> Option<String> {
    let offset = u32::try_from(index).ok().filter(|_| index < MOST_MARKS)?;
    Some(format!(" {} ", char::from_u32(FIRST_MARK + offset)?))
}

/// A phrase as one word, which no pattern of single words matches.
pub(super) fn joined(phrase: &str) -> String {
    phrase.replace([' ', '-'], "_")
}

pub(super) fn marked(character: char) -> Option<usize> {
    let offset = u32::from(character).checked_sub(FIRST_MARK)?;
    usize::try_from(offset).ok().filter(|index| *index < MOST_MARKS)
}

/// The conditions of an instruction. All have to be met, and one of each list of alternatives.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Clauses {
    pub(super) conditions: Vec<RowCondition>,
    pub(super) any_of: Vec<Vec<RowCondition>>,
    /// Whether something is denied that is neither a condition nor a word with content.
    pub(super) denies_nothing: bool,
}

/// Reads the clauses of a text in which marks stand for `conditions`. The number of results is no word of them.
pub(super) fn read(
    text: &str,
    conditions: &[Vec<RowCondition>],
    count: Option<usize>,
    words: &TriggerVocabulary,
    columns: &[String],
) -> Clauses {
    let text = READY.replace_all(text, "$before$mark$behind");
    let text = EXTENT.replace_all(&text, "$mark");
    let text = BY_MEANS.replace_all(&text, |found: &regex::Captures<'_>| {
        let part = |name: &str| found.name(name).map_or("", |part| part.as_str());
        match words.is_entity(part("means")) {
            true => format!("{} {}_", part("by"), part("means")),
            false => format!("{} {}", part("by"), part("means")),
        }
    });
    let text = with_whole_phrases(&text, words, columns);
    let (operands, denies_nothing) = operands(&masked(&text, words, columns), count, words);
    let mut operands = without_labels(operands, conditions);
    spread_denials(&mut operands);
    deny_sold(&mut operands, conditions, words);
    let mut clauses = Clauses {
        denies_nothing,
        ..Clauses::default()
    };
    let mut segment: Vec<Operand> = Vec::new();
    for operand in operands {
        let is_listed = operand.join == Join::Comma && segment.last().is_some_and(|last| last.spreads);
        if matches!(operand.join, Join::Comma | Join::Apart) && !is_listed {
            clauses.add(&segment, conditions);
            segment.clear();
        }
        segment.push(operand);
    }
    clauses.add(&segment, conditions);
    clauses
}

/// Words that leave out what stands behind them.
const LEAVING_OUT: [&str; 6] = ["without", "excluding", "ohne", "bez", "minus", "except"];

/// Fields whose values are words of their own: "manual gearbox", "publisher Oakhill".
const LABELS: [&str; 9] = [
    "gearbox",
    "fuel",
    "author",
    "publisher",
    "company",
    "location",
    "level",
    "trainer",
    "format",
];
/// Fields that are times, whatever their unit.
const TIMES: [&str; 7] = [
    "duration",
    "minutes",
    "hours",
    "days",
    "weeks",
    "months",
    "number of years",
];

/// The operands without names of fields whose value or limit stands beside them: "running time under 90 minutes".
fn without_labels(operands: Vec<Operand>, conditions: &[Vec<RowCondition>]) -> Vec<Operand> {
    let field_of = |operand: &Operand| match &operand.term {
        Term::Word(word) if !operand.is_denied => concepts::field(word),
        _ => None,
    };
    let is_limit_of = |operand: &Operand, field: &str| match &operand.term {
        Term::Marked(index) => conditions.get(*index).into_iter().flatten().any(|condition| {
            match MeasureName::parse(&condition.field).measured {
                Measured::Named(limited) => {
                    limited == field || (TIMES.contains(&field) && TIMES.contains(&limited))
                }
                Measured::DayOf(_) => false,
            }
        }),
        Term::Word(_) => false,
    };
    // "the fee is at most 40 zł", where the page's own label is compared.
    let own_limit = |operand: &Operand| match &operand.term {
        Term::Word(word) => {
            let word = locale::snake_case(word);
            let mut all = conditions.iter().flatten();
            all.find(|condition| condition.is_comparison() && condition.field == word)
                .map(|condition| condition.field.as_str())
        }
        Term::Marked(_) => None,
    };
    let is_value = |operand: &Operand, field: &str| {
        LABELS.contains(&field)
            && matches!(&operand.term, Term::Word(word) if concepts::field(word).is_none())
    };
    let is_label = |at: usize| {
        let this = operands.get(at)?;
        let field = field_of(this).or_else(|| own_limit(this))?;
        let before = at.checked_sub(1).and_then(|before| operands.get(before));
        let before = before.filter(|_| this.join == Join::Beside);
        let behind = operands.get(at + 1).filter(|next| next.join == Join::Beside);
        let mut beside = before.into_iter().chain(behind);
        Some(beside.any(|operand| is_limit_of(operand, field) || is_value(operand, field)))
    };
    let labels: Vec<bool> = (0..operands.len()).map(|at| is_label(at) == Some(true)).collect();
    let mut join = None;
    let mut kept = Vec::new();
    for (mut operand, is_label) in operands.into_iter().zip(labels) {
        if is_label {
            // What follows the name of a field is joined as the name was.
            join = join.or(Some(operand.join));
            continue;
        }
        if let Some(join) = join.take().filter(|_| operand.join == Join::Beside) {
            operand.join = join;
        }
        kept.push(operand);
    }
    kept
}

/// Splits a text into operands, and tells whether something is denied that is none. A comma inside a list ("red, blue or green") is what the list's last connective is.
fn operands(text: &str, count: Option<usize>, words: &TriggerVocabulary) -> (Vec<Operand>, bool) {
    let mut found: Vec<Operand> = Vec::new();
    let mut join = Join::Apart;
    let mut denial = None;
    // Whether the denial is one that stands before its noun, as "no" does and "nein" does not.
    let mut is_before_noun = false;
    // Whether it leaves things out.
    let mut leaves_out = false;
    let strongest = |one: Join, other: Join| match (one, other) {
        (Join::Apart, _) | (_, Join::Apart) => Join::Apart,
        (Join::Or, _) | (_, Join::Or) => Join::Or,
        (Join::And, _) | (_, Join::And) => Join::And,
        (Join::Comma, _) | (_, Join::Comma) => Join::Comma,
        _ => Join::Beside,
    };
    let (mut segment_start, mut denies_nothing) = (0, false);
    // Whether nothing has come since the last operand, and whether a preposition has.
    let (mut is_adjacent, mut has_preposition) = (false, false);
    // Words without content since then.
    let (mut gap, mut begins_clause, mut begins_with) = (0, false, false);
    // The place of the last denial among the tokens.
    let mut last_denial = 0;
    let (mut last, mut before_last) = (String::new(), String::new());
    let tokens: Vec<&str> = text.split_whitespace().collect();
    let mut at = 0;
    let of_name = |at| {
        let name = name(&tokens, at, words)?;
        let count = name.split(' ').count();
        Some((name, count))
    };
    let of_one = |at: usize| tokens.get(at).map(|token| ((*token).to_owned(), 1));
    while let Some((token, taken)) = phrase(&tokens, at).or_else(|| of_name(at)).or_else(|| of_one(at)) {
        at += taken;
        let token = token.as_str();
        let bare = token.trim_matches(|c: char| !(c.is_alphanumeric() || c == '&' || is_private(c)));
        let lower = bare.to_lowercase();
        let leading = token
            .find(bare)
            .map_or("", |at| token.get(..at).unwrap_or_default());
        let trailing = token
            .rfind(bare)
            .map_or("", |at| token.get(at + bare.len()..).unwrap_or_default());
        join = strongest(join, punctuation(leading));
        // "that did not make it (rejected)": what is denied stands before the bracket.
        if leading.contains('(') && last_denial + 1 < at - taken {
            denies_nothing |= denial.take().is_some();
        }
        let first = bare.chars().next();
        let term = first.and_then(marked).map(Term::Marked);
        let next = tokens.get(at).copied().unwrap_or_default();
        if is_pronoun(bare, next) {
            is_adjacent = false;
        } else if let Some(connective) = words.connective(&lower) {
            // "noch lieferbar" denies nothing; "weder rot noch blau" does.
            if connective == Connective::Nor
                && (denial.is_some() || found.iter().any(|operand| operand.is_denied))
            {
                denial = Some(false);
            }
            // "who don't pay anything and are done by noon": what is denied was no word of rows. "Where dogs cost nothing and
            // that is not full" denies what was read as something else, and nothing behind it.
            let is_far = denial.is_some() && last_denial + 1 < at - taken;
            if denial.is_some() && (is_far || is_before_noun) && connective == Connective::And {
                denies_nothing = true;
                denial = None;
            }
            join = strongest(join, join_of(connective));
        } else if words.but.contains(&lower) {
            join = Join::Apart;
        } else if first == Some(ORDER) {
            denial = None;
        } else if first == Some(EXCEPT) || (term.is_none() && words.is_denial(&lower)) {
            denial = Some(first == Some(EXCEPT) || denial == Some(true));
            // "except those that are", "rejected or not selected": what is left out stands behind, as it does in "rooms that are
            // not let".
            let subject = if is_verb_of_clause(&last) {
                &before_last
            } else {
                &last
            };
            is_before_noun = first == Some(EXCEPT)
                || RELATIVE.contains(&subject.as_str())
                || BEFORE_NOUNS.contains(&lower.as_str())
                || matches!(join, Join::And | Join::Or);
            last_denial = at - taken;
            leaves_out = first == Some(EXCEPT) || LEAVING_OUT.contains(&lower.as_str());
        } else if term.is_some()
            || token.contains(' ')
            || ACRONYMS.contains(&bare)
            || ((is_content(&lower, words)
                || is_name_in_list(bare, &last, words)
                || is_number(&lower, words))
                && number(&lower, words).is_none_or(|number| Some(number) != count))
        {
            if matches!(join, Join::Comma | Join::Apart) {
                segment_start = found.len();
            }
            // "open after 22" is no text that rows have.
            let is_time =
                bare.chars().all(|c| c.is_ascii_digit() || c == ':') && TIME_WORDS.contains(&last.as_str());
            let word = match is_time {
                true => format!("{last} {bare}"),
                false => bare.replace('_', " ").trim_end().to_owned(),
            };
            found.push(Operand {
                term: term.unwrap_or(Term::Word(word)),
                join,
                is_denied: denial.is_some(),
                is_left_out: denial.is_some() && leaves_out,
                spreads: denial == Some(true),
                is_adjacent,
                begins_clause,
                begins_with,
                begins_place: NEAR_WORDS.contains(&last.as_str()) && bare.starts_with(char::is_uppercase),
                gap,
                has_preposition,
            });
            (join, denial) = (Join::Beside, None);
            (is_adjacent, has_preposition, gap) = (trailing.is_empty(), false, 0);
            (begins_clause, begins_with) = (false, false);
        } else {
            is_adjacent = false;
            // "not explicit and have episodes": the verb says something else.
            let has_verb = join == Join::And && begins_statement(&lower);
            join = if has_verb { Join::Apart } else { join };
            begins_clause |= has_verb || (join == Join::Comma && RELATIVE.contains(&lower.as_str()));
            begins_with |= WITH.contains(&lower.as_str());
            gap += 1;
            has_preposition |= PLACE_WORDS.contains(&lower.as_str());
        }
        before_last = std::mem::replace(&mut last, lower);
        let end = punctuation(trailing);
        join = strongest(join, end);
        // "schwarz soll es nicht sein": the denial stands behind.
        if end != Join::Beside {
            denies_nothing |= deny_last(&mut found, segment_start, denial.take(), is_before_noun);
            segment_start = found.len();
        }
    }
    denies_nothing |= deny_last(&mut found, segment_start, denial, is_before_noun);
    join_lists(&mut found);
    (found, denies_nothing)
}

/// A text in which phrases that lists say are one word where the vocabulary knows a part of them: "data" says nothing, and
/// "unlimited data" does.
fn with_whole_phrases(text: &str, words: &TriggerVocabulary, columns: &[String]) -> String {
    let tokens: Vec<&str> = text.split_whitespace().collect();
    // A phrase of the vocabulary alone is no condition: "best rated".
    let is_cut = |said: &str| {
        let rest = masked(said, words, columns);
        let is_word = |token: &&str| token.contains(char::is_alphanumeric);
        let count = |text: &str| text.split_whitespace().filter(is_word).count();
        let mut left = rest.split_whitespace();
        count(&rest) < count(said) && left.any(|word| is_content(&word.to_lowercase(), words))
    };
    let mut whole: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match phrase(&tokens, at).filter(|(said, taken)| *taken > 1 && is_cut(said)) {
            Some((said, taken)) => {
                whole.push(joined(&said));
                at += taken;
            }
            None => {
                whole.push((*token).to_owned());
                at += 1;
            }
        }
    }
    whole.join(" ")
}

/// Two or three words in capitals within a sentence, which are the name of a person or a brand: "Selma Brandtner".
fn name(tokens: &[&str], at: usize, words: &TriggerVocabulary) -> Option<String> {
    let is_plain = |token: &&&str| token.chars().all(|c| c.is_alphabetic() || c == '-');
    let is_part = |token: &&&str| {
        let bare = token.trim_end_matches(|c: char| !c.is_alphanumeric());
        let lower = bare.to_lowercase();
        bare.chars().next().is_some_and(char::is_uppercase)
            && bare.chars().skip(1).all(|c| c.is_lowercase() || c == '-')
            && bare.chars().count() > 1
            && !words.is_grammar(&lower)
            && !words.is_entity(&lower)
            && concepts::field(bare).is_none()
    };
    let rest = tokens.get(at..).filter(|_| at > 0)?;
    let plain = rest.iter().take(2).take_while(is_plain).count();
    let length = rest.iter().take(plain + 1).take_while(is_part).count();
    (length > 1).then(|| rest.iter().take(length).copied().collect::<Vec<_>>().join(" "))
}

/// Denies the last operand of a clause that ends in a denial.
///
/// Returns whether there is a denial of nothing.
fn deny_last(operands: &mut [Operand], from: usize, denial: Option<bool>, is_before_noun: bool) -> bool {
    if denial.is_some() && is_before_noun {
        // What it denies was read as something else: "with no minimum order".
        return true;
    }
    let last = operands.get_mut(from..).and_then(|clause| clause.last_mut());
    match (last, denial) {
        (Some(operand), Some(_)) => {
            operand.is_denied = !operand.is_denied;
            false
        }
        (None, denial) => denial.is_some(),
        (Some(_), None) => false,
    }
}

/// Whether a character stands for something that was read, as those do that Unicode leaves to private use.
pub(super) fn is_private(c: char) -> bool {
    ('\u{E000}'..='\u{F8FF}').contains(&c)
}

fn punctuation(signs: &str) -> Join {
    match signs {
        signs if signs.contains(['.', '!', '?', ':', ';', '–', '—']) => Join::Apart,
        signs if signs.contains(',') => Join::Comma,
        _ => Join::Beside,
    }
}

/// Gives the commas of a list of words its last connective: "red, blue or green".
fn join_lists(operands: &mut [Operand]) {
    for at in (1..operands.len()).rev() {
        let earlier = at.checked_sub(2).and_then(|earlier| operands.get(earlier));
        let is_placed = earlier.is_none_or(|earlier| earlier.has_preposition);
        let Some([before, operand]) = operands.get_mut(at - 1..=at) else {
            continue;
        };
        // "with a balcony, in Leeds or York": the place begins a list of its own.
        // "for beginners, with a host that is either abroad or in Leeds": many words stand before the first of a list.
        let begins =
            (before.has_preposition && !is_placed) || before.begins_clause || before.gap > MOST_BEFORE_LISTED;
        let is_list = matches!(operand.join, Join::And | Join::Or);
        let are_words = matches!((&before.term, &operand.term), (Term::Word(_), Term::Word(_)));
        // "no semis, nothing sold or reserved": a denial begins a list of its own.
        let is_denied = operand.is_denied || before.is_denied;
        if is_list && are_words && before.join == Join::Comma && !is_denied && !begins {
            before.join = operand.join;
        }
    }
    // The first word of a list stands behind no comma of the list.
    if let Some(first) = operands.first_mut() {
        first.join = Join::Apart;
    }
}

/// Whether a word is a number above one: "with six people" says something that has to be read or told.
fn is_number(lower: &str, words: &TriggerVocabulary) -> bool {
    words.numbers.get(lower).is_some_and(|number| *number > 1)
}

/// Whether a word in capitals stands behind a Polish preposition or "or": a place, though a word of asking begins as it does
/// ("na Mokotowie albo Woli").
fn is_name_in_list(word: &str, before: &str, words: &TriggerVocabulary) -> bool {
    const BEFORE: [&str; 8] = ["na", "w", "we", "z", "ze", "albo", "lub", "oraz"];
    let is_capital = word.starts_with(char::is_uppercase) && word.chars().skip(1).all(char::is_lowercase);
    is_capital
        && word.chars().count() > 2
        && BEFORE.contains(&before)
        && !words.is_entity(&word.to_lowercase())
}

/// Whether a word says something about what is wanted.
fn is_content(lower: &str, words: &TriggerVocabulary) -> bool {
    let has_digit = lower.chars().any(|c| c.is_ascii_digit());
    !lower.is_empty()
        && (lower.chars().count() > 1 || has_digit)
        && !words.is_filler(lower)
        && !words.numbers.contains_key(lower)
        && !SITE_NAMES.iter().any(|name| lower.starts_with(name))
}

impl Clauses {
    /// Adds the operands between two commas or sentence ends.
    fn add(&mut self, segment: &[Operand], conditions: &[Vec<RowCondition>]) {
        let mut sides: Vec<Vec<Part>> = vec![Vec::new()];
        for part in parts(segment, conditions) {
            if part.join == Join::Or && sides.last().is_some_and(|side| !side.is_empty()) {
                sides.push(Vec::new());
            }
            if let Some(side) = sides.last_mut() {
                side.push(part);
            }
        }
        let mut sides = sides.into_iter();
        let Some(mut left) = sides.next() else { return };
        // "black under 100 or white under 50": each side is a whole; else an "or" is between its neighbours, and a limit
        // at the end holds for both.
        let rest: Vec<Vec<Part>> = sides.collect();
        let has_limit = |side: &Vec<Part>| side.len() > 1 && side.iter().any(|part| part.is_limit);
        // "red ones in Leeds or blue ones in York": as many groups of words that stand together on each side.
        // "huts in Tyrol or Styria with a sauna" is no such pair.
        let groups = |side: &Vec<Part>| {
            let begun = side.iter().skip(1).filter(|part| !part.is_adjacent);
            begun.map(|part| part.has_preposition).collect::<Vec<_>>()
        };
        let has_words = |side: &Vec<Part>| side.len() > 1 && side.iter().all(|part| !part.is_limit);
        let all = || std::iter::once(&left).chain(&rest);
        // "in Leeds or York with no sauna" is no such pair.
        let denials = |side: &Vec<Part>| {
            let parts = side.iter().flat_map(|part| &part.conditions);
            parts
                .map(|condition| condition.operator == Operator::NotMentions)
                .collect::<Vec<_>>()
        };
        let are_alike = all()
            .all(|side| has_words(side) && groups(side) == groups(&left) && denials(side) == denials(&left));
        let is_whole = !rest.is_empty() && (all().all(has_limit) || are_alike);
        if is_whole {
            let all = std::iter::once(left).chain(rest);
            self.add_alternatives(
                all.map(|side| side.into_iter().flat_map(|part| part.conditions).collect()),
            );
            return;
        }
        for mut side in rest {
            let (Some(last), false) = (left.pop(), side.is_empty()) else {
                left.append(&mut side);
                continue;
            };
            let other = side.remove(0);
            if last.denies_as_well(&other) {
                left.push(last);
                left.append(&mut side);
                continue;
            }
            let mut alternatives = last.alternatives();
            alternatives.push(other.conditions);
            left.push(Part {
                join: last.join,
                conditions: Vec::new(),
                alternatives,
                is_limit: last.is_limit,
                is_denied: last.is_denied,
                is_adjacent: last.is_adjacent,
                has_preposition: last.has_preposition,
            });
            left.append(&mut side);
        }
        for part in left {
            match part.alternatives.is_empty() {
                true => self.conditions.extend(part.conditions),
                false => self.add_alternatives(part.alternatives.into_iter()),
            }
        }
    }

    /// Adds alternatives, each of several conditions, as lists of which one has to hold: `(a & b) | c` is
    /// `(a | c) & (b | c)`.
    fn add_alternatives(&mut self, alternatives: impl Iterator<Item = Vec<RowCondition>>) {
        let mut lists: Vec<Vec<RowCondition>> = vec![Vec::new()];
        let mut alternatives: Vec<Vec<RowCondition>> = alternatives.collect();
        // "'Racer' or 'Tallow' in the name" are both of the name.
        let is_of_name =
            |condition: &RowCondition| condition.field == "name" && condition.operator == Operator::Contains;
        if alternatives.iter().flatten().any(is_of_name) {
            let plain = alternatives
                .iter_mut()
                .filter(|alternative| alternative.len() == 1);
            for condition in plain
                .flatten()
                .filter(|it| it.operator == Operator::Mentions && it.value.is_string())
            {
                (condition.field, condition.operator) = ("name".to_owned(), Operator::Contains);
            }
        }
        for alternative in alternatives {
            if lists.len() * alternative.len() > MOST_ALTERNATIVES {
                break;
            }
            lists = lists
                .iter()
                .flat_map(|list| {
                    alternative.iter().map(|condition| {
                        let mut list = list.clone();
                        if !list.contains(condition) {
                            list.push(condition.clone());
                        }
                        list
                    })
                })
                .collect();
        }
        self.any_of.extend(lists);
    }
}

/// How a word joins two operands.
fn join_of(connective: Connective) -> Join {
    match connective {
        Connective::And | Connective::Nor => Join::And,
        Connective::Or => Join::Or,
    }
}
