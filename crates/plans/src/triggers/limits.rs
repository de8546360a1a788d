//! Comparisons of an instruction: "under 150 zł", "not more than 50 reviews", "rating of at least 4".

mod amount_context;
mod counted;
mod field;
mod measured;
mod money;
mod named;
mod share;

use regex::Captures;
use tools::rows::condition::Operator;

pub(super) use self::amount_context::LimitField;
use self::amount_context::{Amount, AmountContext, FoundField};
use self::field::field;
use super::amounts::{self, group};
use super::clauses::is_verb_of_clause;
use super::vocabulary::{TriggerVocabulary, is_whole};
use super::wordings::is_speed;

/// How many words before a comparison may name what is compared.
const NAME_REACH: usize = 3;

locale::patterns! {
    /// A comparison of how fast something is.
    static FASTER = r"(?i)^(?:not\s+)?(?:faster|quicker|slower|schneller|langsamer|szybsz|szybciej|wolniej)";
    /// Minutes in short: "min" behind a number.
    static MINUTES = r"(?i)^mins?\.?$";
    /// What makes "min" the beginning of a comparison: "min 4", "min. rating 4".
    static COMPARED_BEHIND = r"(?i)^\s*[.:]?\s*(?:\d|rat(?:ing|ed)|scor|review|star|price|preis|bewert|stern|cen[aęy]|ocen|gwiazd|opini)";
    /// Millions in short, and what is sold for them: "1.2m" of a table are metres.
    static MILLIONS = r"(?i)^m$";
    static SOLD_FOR_MILLIONS = r"(?i)\b(?:houses?|homes?|flats?|apartments?|villas?|mansions?|propert(?:y|ies)|real\s+estate|häuser|haus|wohnung(?:en)?|villen|immobilien?|dom(?:y|ów)|mieszka(?:nia|ń)|nieruchomości)\s+(?:(?:priced|costing|for|for\s+sale|worth)\s+)?$";
    /// Units of what may be below zero, and its names. "A discount of more than -20 %" is none.
    static OF_DEGREES = r"(?i)^(?:degrees?|celsius|fahrenheit|grad|stopni\p{Latin}*|c)$";
    static MAY_BE_NEGATIVE = r"(?i)(?:temperatur\p{Latin}*|temps?|lows?|highs?|change|balance|veränderung|saldo|zmian\p{Latin}*)\b[^.,;:]{0,20}$";
    /// "Or more" and "or less" behind an amount.
    static OR_OTHERWISE = r"(?i)^\s*(?:or|oder|lub|albo|bądź)\s+(?:(?P<more>more|higher|above|over|mehr|höher|darüber|więcej|wyż\p{Latin}+|powyżej)|less|lower|below|under|weniger|niedriger|darunter|mniej|niż\p{Latin}+|poniżej)\b(?P<than>\s+(?:than|als|niż|od)\b)?";
}

/// A comparison with an amount.
#[derive(Debug, Clone)]
pub(super) struct Limit {
    pub(super) field: LimitField,
    pub(super) operator: Operator,
    pub(super) amount: f64,
    /// Words before the comparison that may name what is compared, the nearest first.
    pub(super) before: Vec<String>,
    /// The word behind the amount, in small letters; empty where there is none.
    pub(super) unit: String,
    /// The words of the instruction.
    pub(super) words: String,
}

/// Reads the first comparison of a text and puts a mark in its place.
pub(super) fn take_limit(text: &mut String, words: &TriggerVocabulary, mark: &str) -> Option<Limit> {
    let found = words
        .compared
        .captures(text)
        .or_else(|| words.compared_behind.captures(text))?;
    let mut whole = found.get(0)?.range();
    let mut operator = operator(&found)?;
    // "not more than 20" denies the comparison, "no cables over 20" the cables.
    if let Some((not, compared)) = found.name("not").zip(found.name("compared"))
        && let between = text.get(not.end()..compared.start())?
        && (!is_grammar(between, words) || begins_again(between))
    {
        operator = operator.negated();
        whole.start = compared.start();
    }
    // "4.8 except Leeds": what denies the next words is no unit.
    let denies = |unit: &str| is_whole(&words.except, unit) || words.is_denial(&unit.to_lowercase());
    let unit = found.name("u").filter(|unit| !unit.is_empty());
    let denial = unit.filter(|unit| denies(unit.as_str()));
    if let Some(denial) = denial {
        whole.end = denial.start();
    }
    let unit = unit.filter(|_| denial.is_none());
    let unit_start = unit.map_or(whole.end, |unit| unit.start());
    let unit = unit.map_or("", |unit| {
        in_full(unit.as_str(), text.get(unit.end()..).unwrap_or_default())
    });
    // What is faster takes less time, and has more of a speed.
    let compared = found.name("compared").map_or("", |compared| compared.as_str());
    if is_speed(unit) && FASTER.is_match(compared) {
        operator = mirrored(operator);
    }
    let number = found.name("n")?;
    let is_contradicted = is_contradicted(operator, text.get(number.end()..)?);
    let amount = amounts::amount(number.as_str(), unit, words)?;
    let is_negative = found.name("minus").is_some()
        && (OF_DEGREES.is_match(unit)
            || text
                .get(..whole.start)
                .is_some_and(|before| MAY_BE_NEGATIVE.is_match(before)));
    let amount = if is_negative { -amount } else { amount };
    let has_sign = found.name("c").is_some();
    let before = text.get(..whole.start).unwrap_or_default();
    let after = text.get(whole.end..).unwrap_or_default();
    let amount_read = Amount {
        unit,
        unit_start,
        digits: number.as_str(),
        compared: found.name("compared").map(|compared| compared.as_str()),
        has_sign,
        end: whole.end,
    };
    let FoundField { field, end } = field(&AmountContext::of(amount_read, before, after, words));
    // "up to 500 or higher" says two things.
    let may_be_millions = MILLIONS.is_match(unit) && SOLD_FOR_MILLIONS.is_match(before);
    let field = if is_contradicted || may_be_millions {
        LimitField::Unknown
    } else {
        field
    };
    let kept = match &field {
        // A counted entity stays: "at most 5 products" asks for products.
        LimitField::Count => format!(" {unit} "),
        LimitField::Unknown => " ".to_owned(),
        LimitField::Named(_) | LimitField::Unnamed => mark.to_owned(),
    };
    let limit = Limit {
        before: names_before(before, words),
        unit: unit.to_lowercase(),
        words: text.get(whole.start..end)?.trim().to_owned(),
        field,
        operator,
        amount,
    };
    text.replace_range(whole.start..end, &kept);
    Some(limit)
}

/// A unit behind an amount: "min" is minutes there, unless it begins a comparison of its own.
fn in_full<'t>(unit: &'t str, behind: &str) -> &'t str {
    match MINUTES.is_match(unit) && !COMPARED_BEHIND.is_match(behind) {
        true => "minutes",
        false => unit,
    }
}

/// Whether what follows a comparison says the opposite: "or higher" behind "up to".
fn is_contradicted(operator: Operator, after: &str) -> bool {
    let is_upper = matches!(operator, Operator::Less | Operator::AtMost);
    OR_OTHERWISE
        .captures(after)
        .is_some_and(|found| found.name("than").is_none() && found.name("more").is_some() == is_upper)
}

/// Words with content right before a comparison, the nearest first.
fn names_before(before: &str, words: &TriggerVocabulary) -> Vec<String> {
    let tokens = before.split_whitespace().rev();
    // "No fee and less than 15": what stands before "and" is compared with nothing.
    let is_of_clause = |token: &&str| {
        token.chars().all(|c| c.is_alphabetic() || c == '-')
            && words.connective(&token.to_lowercase()).is_none()
    };
    let clause = tokens.take_while(is_of_clause);
    let lower = clause.take(NAME_REACH).map(str::to_lowercase);
    lower
        .filter(|word| word.chars().count() > 2 && !words.is_grammar(word) && !words.is_entity(word))
        .collect()
}

/// The field of a range of two amounts.
pub(super) fn range_field(
    text: &str,
    range: &amounts::AmountRange<'_>,
    words: &TriggerVocabulary,
) -> FoundField {
    let after = text.get(range.place.end..).unwrap_or_default();
    let amount = Amount {
        unit: in_full(range.unit, after),
        unit_start: range.unit_start,
        digits: "",
        compared: Some("between"),
        has_sign: range.has_sign,
        end: range.place.end,
    };
    let before = text.get(..range.place.start).unwrap_or_default();
    field(&AmountContext::of(amount, before, after, words))
}

/// Whether a verb behind another word says something of its own: in "not let are bigger than 150", it is not the size that is denied.
fn begins_again(between: &str) -> bool {
    let mut words = between.split_whitespace().rev();
    words.next().is_some_and(is_verb_of_clause) && words.next().is_some()
}

/// Whether a text has no word with content.
fn is_grammar(text: &str, words: &TriggerVocabulary) -> bool {
    text.split_whitespace()
        .all(|word| words.is_grammar(&word.to_lowercase()))
}

fn operator(found: &Captures<'_>) -> Option<Operator> {
    let named = [
        ("le", Operator::AtMost),
        ("lt", Operator::Less),
        ("ge", Operator::AtLeast),
        ("gt", Operator::More),
        ("eq", Operator::Equal),
    ];
    let of_sign = || match group(found, "s") {
        "<" => Some(Operator::Less),
        "<=" | "≤" => Some(Operator::AtMost),
        ">" => Some(Operator::More),
        ">=" | "≥" => Some(Operator::AtLeast),
        "=" => Some(Operator::Equal),
        _ => None,
    };
    let operator = named
        .into_iter()
        .find(|(name, _)| found.name(name).is_some())
        .map(|(_, operator)| operator)
        .or_else(of_sign)?;
    Some(match found.name("not") {
        Some(_) => operator.negated(),
        None => operator,
    })
}

/// The same comparison from the other side: less for more.
fn mirrored(operator: Operator) -> Operator {
    match operator {
        Operator::Less => Operator::More,
        Operator::More => Operator::Less,
        Operator::AtMost => Operator::AtLeast,
        Operator::AtLeast => Operator::AtMost,
        other => other,
    }
}
