//! Comparisons of an instruction: "under 150 zł", "not more than 50 reviews", "rating of at least 4".

use regex::Captures;
use tools::rows::condition::{Operator, SAVING};
use tools::rows::text::NUMBER_OF_YEARS;
use tools::rows::units;
use tools::words::concepts;

use super::amounts::{self, group};
use super::clauses::is_verb_of_clause;
use super::distances;
use super::vocabulary::{TriggerVocabulary, is_whole};
use super::wordings::is_speed;

/// How far before a comparison its field may be named, in bytes.
const FIELD_REACH: usize = 40;
/// How many words before a comparison may name what is compared.
const NAME_REACH: usize = 3;

locale::patterns! {
    /// What may stand between the name of a field and its comparison.
    static GLUE = r"(?i)^\s*(?::|=|-)?\s*(?:(?:is|are|be|being|was|of|that|the|it|ist|sind|sein|von|jest|są|wynosi|to)(?:\s+|$)){0,2}$";
    /// The last word of a text.
    static LAST_WORD = r"(\p{L}[\p{L}-]*)\s*(?:(?i:is|are|of|ist|von|jest)\s+)?$";
    /// A rating out of five.
    static RATING = r"^[0-5][.,]\d$";
    /// A comparison that names a rating itself.
    static RATED = r"(?i)\b(?:rated|rating|bewert[a-zà-ɏ]+|ocenian[a-zà-ɏ]+)\b";
    /// A word behind a rating.
    static RATED_SO = r"(?i)^(?:rated|bewertet(?:e[nrms]?)?|ocenian\p{Latin}+|ocenion\p{Latin}+)$";
    /// A comparison of how fast something is.
    static FASTER = r"(?i)^(?:not\s+)?(?:faster|quicker|slower|schneller|langsamer|szybsz|szybciej|wolniej)";
    /// The word behind a unit.
    static BEHIND_UNIT = r"(?i)^\s*(?:(?:of|an)\s+)?(\p{L}+)";
    /// What stands before a number of things that others are for: "licences for five devices".
    static USED_FOR = r"(?i)(?:^|\p{Latin}+\s+)\b(?:for|für|dla|covering|supporting)\s*$";
    /// Words for money that are no codes.
    static MONEY_WORD = r"(?i)^(?:euros?|dollars?|pounds?|quid|dolar\p{Latin}*|funt\p{Latin}*|złot\p{Latin}+|zloty|zł|pfund)$";
    /// "Or more" and "or less" behind an amount.
    static OR_OTHERWISE = r"(?i)^\s*(?:or|oder|lub|albo|bądź)\s+(?:(?P<more>more|higher|above|over|mehr|höher|darüber|więcej|wyż\p{Latin}+|powyżej)|less|lower|below|under|weniger|niedriger|darunter|mniej|niż\p{Latin}+|poniżej)\b(?P<than>\s+(?:than|als|niż|od)\b)?";
    /// Those who rate things.
    static PEOPLE = r"(?i)^(?:people|persons|customers|users|guests|buyers|patients|visitors|readers|leuten?|personen|kunden|nutzern?|gästen?|käufern?|patienten|besuchern?|osób|osoby|klient\p{Latin}+|użytkownik\p{Latin}+|gości|pacjent\p{Latin}+)$";
    /// What stands before how much cheaper something has become.
    static REDUCED_BY = r"(?i)\b(?:by|um)\s+(?:at least|no less than|more than|over|at most|up to|mindestens|wenigstens|höchstens|mehr als|über)?\s*$|\b(?:obniżon\p{Latin}*|przecenion\p{Latin}*|spadła|tańsz\p{Latin}*)\s+o\b(?:\s+\p{Latin}+){0,3}\s*$|[\u{E000}-\u{F8EF}]\s*(?:(?:by|um|o)\s+(?:at least|no less than|more than|over|mindestens|wenigstens|mehr als|über|przynajmniej|co najmniej|ponad|więcej niż|minimum)?)?\s*$";
    /// What is reduced, at the end of a text, with its "by".
    static BY_END = r"(?i)(?:[\u{E000}-\u{F8EF}]|\b(?:reduced|cut|down|reduziert|gesenkt|przecenion\p{Latin}*|obniżon\p{Latin}*))\s+(?:by|um|o)\s*$";
    /// A word that something has become cheaper.
    static OFF = r"(?i)^(?:off|discount|reduc\p{Latin}+|cheaper|less|rabat\p{Latin}*|nachlass|reduziert\p{Latin}*|günstiger|billiger|taniej|tańsz\p{Latin}*|zniż\p{Latin}+|obniż\p{Latin}+|przecen\p{Latin}+)$";
    /// The first word of a text.
    static FIRST_WORD = r"^\s*(\p{L}+)";
}

/// Things that lists count, though their names are words of asking, too.
const COUNTED: [&str; 27] = [
    "lots",
    "places",
    "seats",
    "spots",
    "spaces",
    "people",
    "persons",
    "buildings",
    "models",
    "dishes",
    "versions",
    "nights",
    "copies",
    "times",
    "plätze",
    "plätzen",
    "personen",
    "leute",
    "leuten",
    "nächte",
    "exemplare",
    "osób",
    "osoby",
    "miejsc",
    "miejsca",
    "nocy",
    "egzemplarzy",
];

/// Most years that are counted.
const MOST_YEARS: usize = 120;
/// Fields that are amounts of money.
const PAID: [&str; 6] = ["price", "old_price", "salary", "rent", "deposit", "cost"];

/// What counted things are like, in words of asking.
const STATES: [&str; 10] = [
    "open",
    "new",
    "different",
    "offene",
    "offenen",
    "neue",
    "neuen",
    "verschiedene",
    "otwartych",
    "różnych",
];

/// Fields that are amounts of data, whose words mean other things in other units.
const DATA: [&str; 2] = ["storage", "memory"];

/// How comparisons begin that say what is measured, and what that is.
const DIMENSIONS: [(&str, &str); 17] = [
    ("taller", "height"),
    ("higher", "height"),
    ("höher", "height"),
    ("wyższ", "height"),
    ("niższ", "height"),
    ("lower", "height"),
    ("longer", "length"),
    ("länger", "length"),
    ("dłuższ", "length"),
    ("wider", "width"),
    ("breiter", "width"),
    ("szersz", "width"),
    ("heavier", "weight"),
    ("schwerer", "weight"),
    ("cięższ", "weight"),
    ("lighter", "weight"),
    ("leichter", "weight"),
];

/// What an amount is compared with.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum LimitField {
    /// A field with a name.
    Named(String),
    /// The number of things asked for.
    Count,
    /// Nothing is named: the price of products, the points of posts.
    Unnamed,
    /// An amount of something that the instruction does not name.
    Unknown,
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
    let unit = unit.map_or("", |unit| unit.as_str());
    // What is faster takes less time, and has more of a speed.
    let compared = found.name("compared").map_or("", |compared| compared.as_str());
    if is_speed(unit) && FASTER.is_match(compared) {
        operator = mirrored(operator);
    }
    let number = found.name("n")?;
    let is_contradicted = is_contradicted(operator, text.get(number.end()..)?);
    let amount = amounts::amount(number.as_str(), unit, words)?;
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
    let (field, end) = field(before, after, &amount_read, words);
    // "up to 500 or higher" says two things.
    let field = if is_contradicted {
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
    let clause = tokens.take_while(|token| token.chars().all(|c| c.is_alphabetic() || c == '-'));
    let lower = clause.take(NAME_REACH).map(str::to_lowercase);
    lower
        .filter(|word| word.chars().count() > 2 && !words.is_grammar(word) && !words.is_entity(word))
        .collect()
}

/// The field of a range of two amounts, and where its words end in the text.
pub(super) fn range_field(
    text: &str,
    range: &amounts::AmountRange<'_>,
    words: &TriggerVocabulary,
) -> (LimitField, usize) {
    let amount = Amount {
        unit: range.unit,
        unit_start: range.unit_start,
        digits: "",
        compared: Some("between"),
        has_sign: range.has_sign,
        end: range.place.end,
    };
    let before = text.get(..range.place.start).unwrap_or_default();
    let after = text.get(range.place.end..).unwrap_or_default();
    field(before, after, &amount, words)
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

/// An amount that is compared, and the words around it.
struct Amount<'t> {
    /// The word behind it.
    unit: &'t str,
    unit_start: usize,
    /// The number as written.
    digits: &'t str,
    /// The words of the comparison, where they stand before the amount.
    compared: Option<&'t str>,
    /// Whether a sign of a currency stands before it.
    has_sign: bool,
    /// Where the comparison ends in the text.
    end: usize,
}

/// The field of a comparison, and where its words end in the text.
fn field(before: &str, after: &str, amount: &Amount<'_>, words: &TriggerVocabulary) -> (LimitField, usize) {
    let Amount {
        unit,
        unit_start,
        digits,
        compared,
        has_sign,
        end,
    } = *amount;
    let is_about_uses =
        USED_FOR.is_match(before) || compared.is_some_and(|compared| compared.starts_with("for "));
    let named = |name: &str| LimitField::Named(name.to_owned());
    let known = |word: &str| {
        let mut units = words.units.iter();
        units
            .find(|(_, pattern)| is_whole(pattern, word))
            .map(|(name, _)| name.as_str())
    };
    // What a price was cut by is no price, unless it is a share of it.
    let is_share = unit.starts_with('%') || known(unit) == Some("discount");
    let said = format!("{before}{}", compared.unwrap_or_default());
    // "reduced by 40 pounds or more" has the comparison behind the amount.
    let is_behind = || BY_END.is_match(before);
    if (REDUCED_BY.is_match(&said) || is_behind()) && !is_share {
        // "rated 4.7 by at least 100 people"
        if PEOPLE.is_match(unit) {
            return (named("reviews"), end);
        }
        let is_money = has_sign || MONEY_WORD.is_match(unit) || amounts::is_currency(unit);
        return (
            if is_money {
                named(SAVING)
            } else {
                LimitField::Unknown
            },
            end,
        );
    }
    if has_sign {
        // "$50 reviews" is none; the word behind belongs to what follows.
        let is_money = unit.is_empty() || amounts::is_currency(unit) || words.thousand.is_match(unit);
        return (named("price"), if is_money { end } else { unit_start });
    }
    // "cheaper than 100 thousand": the comparison is one of prices.
    if amounts::says_cheaper(compared.unwrap_or_default()) && words.thousand.is_match(unit) {
        let second = FIRST_WORD.captures(after).and_then(|found| found.get(1));
        let end = second
            .filter(|word| amounts::is_currency(word.as_str()))
            .map_or(end, |word| unit_start.max(end) + word.end());
        return (named("price"), end);
    }
    if is_speed(unit) {
        return (named("top speed"), end);
    }
    if RATED.is_match(compared.unwrap_or_default()) {
        return (named("rating"), end);
    }
    // "mit mindestens 4,5 bewertet"
    if RATED_SO.is_match(unit) {
        return (named("rating"), end);
    }
    // "50 customer reviews": the unit is the second word.
    let second = FIRST_WORD.captures(after).and_then(|found| found.get(1));
    let second_known = second.and_then(|word| Some((known(word.as_str())?, end + word.end())));
    if is_share {
        // "wines with 12 % alcohol": the word behind, or else before, says what the share is of.
        let behind = BEHIND_UNIT.captures(after).and_then(|found| found.get(1));
        let of = |word: &str| concepts::field(word).filter(|name| !PAID.contains(name));
        if let Some((name, end)) = behind.and_then(|word| Some((of(word.as_str())?, end + word.end()))) {
            return (named(name), end);
        }
        let is_off = behind.is_some_and(|word| OFF.is_match(word.as_str()));
        // "at least 90 % efficiency": what no field is known for may be a label of the list.
        let noun = behind.map(|word| (word.as_str().to_lowercase(), word.end()));
        let is_noun = |noun: &str| !words.is_grammar(noun) && !words.is_entity(noun) && known(noun).is_none();
        if let Some((noun, length)) = noun.filter(|(noun, _)| !is_off && is_noun(noun)) {
            return (named(&noun), end + length);
        }
        let before = field_before(before, words).filter(|name| !is_off && !PAID.contains(&name.as_str()));
        return (
            LimitField::Named(before.unwrap_or_else(|| "discount".to_owned())),
            end,
        );
    }
    if let Some(name) = known(unit) {
        return (named(name), end);
    }
    // "licences for at least 5 devices" count no licences.
    if words.is_entity(unit) {
        let of_use = || named(&unit.to_lowercase());
        return (
            if is_about_uses {
                of_use()
            } else {
                LimitField::Count
            },
            end,
        );
    }
    // "manual gearbox under 12,000 euros": money is a price or what is named before it and paid.
    if !units::is_unit(unit) && (MONEY_WORD.is_match(unit) || amounts::is_currency(unit)) {
        let paid = field_before(before, words).filter(|name| PAID.contains(&name.as_str()));
        return (LimitField::Named(paid.unwrap_or_else(|| "price".to_owned())), end);
    }
    // "at least 5 years of experience" is no year of the calendar.
    let is_count = amounts::number(digits, words).is_some_and(|number| number <= MOST_YEARS);
    if concepts::field(unit) == Some("year") && is_count {
        return (named(NUMBER_OF_YEARS), end);
    }
    // "2 km from the centre" is no mileage.
    if let Some(field) = distances::field(unit, after) {
        return (named(field), end);
    }
    // What is counted is no price, however little it says: "at least 5 places left".
    if COUNTED.contains(&unit.to_lowercase().as_str()) {
        return (named(&unit.to_lowercase()), end);
    }
    // "W" is a unit, and "w" a word.
    let is_word = !units::is_converted(unit) && words.is_grammar(&unit.to_lowercase());
    let is_filler = unit.is_empty() || is_word;
    // "fewer than 50 open issues": what is counted stands behind what it is like.
    if is_filler
        && STATES.contains(&unit.to_lowercase().as_str())
        && let Some(word) = second.filter(|word| {
            let lower = word.as_str().to_lowercase();
            !words.is_grammar(&lower) && !amounts::is_currency(&lower)
        })
    {
        return (named(&word.as_str().to_lowercase()), end + word.end());
    }
    // KM is a currency, and kilometres.
    if !is_filler && !units::is_unit(unit) && amounts::is_currency(unit) {
        return (named("price"), end);
    }
    if words.thousand.is_match(unit) {
        let end = second
            .filter(|word| amounts::is_currency(word.as_str()))
            .map_or(end, |word| unit_start.max(end) + word.end());
        return (
            field_before(before, words).map_or(LimitField::Unnamed, LimitField::Named),
            end,
        );
    }
    // "12 GB of RAM", "1,000 sq ft": the words behind the unit say what it measures.
    let behind = BEHIND_UNIT.captures(after).and_then(|found| found.get(1));
    if !is_filler && let Some(word) = behind {
        let both = concepts::field(&format!("{unit} {}", word.as_str()));
        if let Some(name) = both {
            return (named(name), end + word.end());
        }
        if let Some(name) = concepts::field(word.as_str()).filter(|_| units::is_unit(unit)) {
            // Rows may have it in another unit.
            let name = match units::is_converted(unit) {
                true => format!("{name} in {}", units::name_of(unit)),
                false => name.to_owned(),
            };
            return (LimitField::Named(name), end + word.end());
        }
    }
    if !is_filler && let Some(name) = concepts::field(unit).filter(|name| *name != "price") {
        return (named(name), end);
    }
    if !is_filler && let Some((name, end)) = second_known {
        return (named(name), end);
    }
    // "Speicher ab 10 kWh" is no memory.
    let is_of_unit = |name: &String| {
        !units::is_unit(unit)
            || !DATA.contains(&name.as_str())
            || ["kb", "mb", "gb", "tb"].contains(&unit.to_lowercase().as_str())
    };
    if let Some(name) = field_before(before, words).filter(is_of_unit) {
        // "a length of more than 10 m" is no duration.
        let name = match name == "duration" && units::is_converted(unit) {
            true => format!("length in {}", units::name_of(unit)),
            false => name,
        };
        return (LimitField::Named(name), if is_filler { unit_start } else { end });
    }
    // "3 or more bedrooms": what is counted stands behind the comparison.
    if is_filler
        && compared.is_none()
        && let Some(word) = second
    {
        let lower = word.as_str().to_lowercase();
        // "10 or more years of experience"
        if concepts::field(&lower) == Some("year") && is_count {
            return (named(NUMBER_OF_YEARS), end + word.end());
        }
        if let Some(name) = known(word.as_str()).or_else(|| concepts::field(word.as_str())) {
            return (named(name), end + word.end());
        }
        if words.is_entity(&lower) && !is_about_uses {
            return (LimitField::Count, end);
        }
        // "five or more devices": what is counted is no price.
        if !words.is_grammar(&lower) && !amounts::is_currency(&lower) {
            return (named(&lower), end + word.end());
        }
    }
    if is_filler {
        // "4.5 or more": prices have two decimals or none.
        let is_rating = RATING.is_match(digits);
        return (
            if is_rating {
                named("rating")
            } else {
                LimitField::Unnamed
            },
            unit_start,
        );
    }
    if units::is_unit(unit) {
        let property = LAST_WORD.captures(before).and_then(|found| found.get(1));
        let property = property
            .map(|word| word.as_str().to_lowercase())
            .filter(|word| !words.is_grammar(word) && !words.is_entity(word));
        let unit = units::name_of(unit);
        // "taller than 1 m": the comparison says what is measured.
        let dimension = compared.and_then(|compared| {
            DIMENSIONS
                .iter()
                .find(|(pattern, _)| compared.to_lowercase().starts_with(pattern))
        });
        if let Some((_, dimension)) = dimension.filter(|_| units::is_converted(&unit)) {
            return (LimitField::Named(format!("{dimension} in {unit}")), end);
        }
        // "flats of at least 50 m": what is measured is not named, its unit is.
        let is_field = |word: &String| {
            words.fields.iter().any(|(_, pattern)| is_whole(pattern, word)) || concepts::field(word).is_some()
        };
        return match property {
            Some(word) if concepts::field(&word).is_some_and(|name| !is_of_unit(&name.to_owned())) => {
                (LimitField::Named(unit), end)
            }
            Some(word) if is_field(&word) => (LimitField::Named(word), end),
            Some(word) => (LimitField::Named(format!("{word} in {unit}")), end),
            None => (LimitField::Named(unit), end),
        };
    }
    (named(&unit.to_lowercase()), end)
}

/// The field that is named right before a comparison: `rating` in "rating is above 4".
fn field_before(before: &str, words: &TriggerVocabulary) -> Option<String> {
    let from = before.len().saturating_sub(FIELD_REACH);
    let from = (from..before.len()).find(|at| before.is_char_boundary(*at))?;
    let near = before.get(from..)?;
    let mut best: Option<(usize, &str)> = None;
    for (name, pattern) in &words.fields {
        let last = pattern.find_iter(near).last();
        let Some(end) = last.map(|found| found.end()) else {
            continue;
        };
        let is_beside = near.get(end..).is_some_and(|gap| GLUE.is_match(gap));
        if is_beside && best.is_none_or(|(most, _)| end > most) {
            best = Some((end, name));
        }
    }
    let of_concepts = || {
        let word = LAST_WORD.captures(near).and_then(|found| found.get(1))?;
        concepts::field(word.as_str()).map(str::to_owned)
    };
    best.map(|(_, name)| name.to_owned()).or_else(of_concepts)
}
