//! Words of a condition in rows: which of them tell rows apart, and how strongly a row has to have them.

use jiff::civil::Weekday;
use serde_json::Value;

use super::flags;
use super::free;
use super::level::level;
use super::resolved::{Resolved, weekday_of};
use super::unsaid;
use crate::rows::condition::{ANY_FIELD, Operator, RowCondition};
use crate::rows::listed_numbers::{self, is_number};
use crate::rows::source::RowSource;
use crate::rows::weekdays::{self, ListedDays};
use crate::values::{cell_text, details, share};
use crate::words::carriers::are_carriers;
use crate::words::concepts;
use crate::words::label_names::is_label;
use crate::words::mention::{Term, field_of_value};
use crate::words::mention_strength::MentionStrength;

locale::patterns! {
    /// What stands before the days on which something is open or closed.
    static OPEN = r"(?i)^(?:open(?:s|ing)?|geöffnet|offen|auf|czynn\p{L}*|otwart\p{L}*|(?P<closed>closed|shut|geschlossen|zamknięt\p{L}*|nieczynn\p{L}*))\s+(?:(?:on|at|am|an|im|w|we|the)\s+)*(?P<day>\p{L}+)$";
    /// What something is on the days on which one cannot go there.
    static CLOSED = r"(?i)^(?:closed|shut|geschlossen|zugesperrt|zamknięt\p{L}*|nieczynn\p{L}*)$";
}

/// Least share of the names of rows that tell apart the kinds of things that a page says it lists.
const TOLD_APART: f64 = 0.25;

/// Shares of the rows between which a word tells rows apart, though the page is about it: places around a city.
const PARTING: std::ops::Range<f64> = 0.25..0.95;

/// The field of where something is.
const PLACE: &str = "location";

/// Whether a term names a kind of things, or what entries of a list are called.
fn names_kind(term: &Term) -> bool {
    concepts::is_kind(&term.written) || concepts::shown_by(&term.written).next().is_some()
}

/// Whether a term that names no kind of things tells rows apart: by the share of those that say it, or as a label of a place.
fn parts(term: &Term, rows: &[Value], source: &RowSource) -> bool {
    let says =
        |row: &&Value| term.mention(row, source.texts.of(row), source.joins_words) >= MentionStrength::Text;
    let is_kind = names_kind(term);
    let may_be_place = term.written.starts_with(char::is_uppercase);
    let is_parting = || PARTING.contains(&share(rows.iter().filter(says).count(), rows.len()));
    let is_place = || may_be_place && (term.is_label_in(rows) || is_one_of_places(term, rows));
    !is_kind && (is_place() || (is_parting() && !source.is_listed_as(term)))
}

/// Whether a term is where some rows are, and others are elsewhere: few of the "Houses in and around Leeds" are in Leeds.
fn is_one_of_places(term: &Term, rows: &[Value]) -> bool {
    let places: Vec<&str> = rows.iter().filter_map(|row| row.get(PLACE)?.as_str()).collect();
    let there = places.iter().filter(|place| term.is_in(place, false)).count();
    (1..places.len()).contains(&there) && places.len() * 2 >= rows.len()
}

/// Whether few rows have a term in their names.
fn is_rare(term: &Term, rows: &[Value], source: &RowSource) -> bool {
    let is_named = |row: &&Value| term.mention(row, "", source.joins_words) >= MentionStrength::Compound;
    share(rows.iter().filter(is_named).count(), rows.len()) < TOLD_APART
}

/// Whether only one row in twenty speaks of a term, and none has it in its name.
fn is_hardly_said(term: &Term, rows: &[Value], source: &RowSource) -> bool {
    let says =
        |row: &&Value| term.mention(row, source.texts.of(row), source.joins_words) >= MentionStrength::Text;
    rows.len() >= LEAST_ROWS
        && share(rows.iter().filter(says).count(), rows.len()) <= HARDLY
        && !rows.iter().any(|row| term.is_in_name_of(row, source.joins_words))
}

/// Share of rows up to which a word is hardly said, and fewest rows that show it.
const HARDLY: f64 = 0.05;
const LEAST_ROWS: usize = 12;

/// Whether at least half of the rows that have a term have it in their names.
fn is_in_names(term: &Term, rows: &[Value], source: &RowSource) -> bool {
    let has = |row: &&Value| {
        term.mention(row, source.texts.of(row), source.joins_words) >= MentionStrength::Compound
    };
    let is_named = |row: &&Value| term.is_in_name_of(row, source.joins_words);
    rows.iter().filter(has).filter(is_named).count() * 2 >= rows.iter().filter(has).count()
}

/// Whether the word of a condition is passed over because entries of such a list may be called so, and no row and no title says it.
pub(super) fn only_calls(condition: &RowCondition, rows: &[Value], source: &RowSource) -> bool {
    let Some(word) = condition
        .value
        .as_str()
        .filter(|_| condition.operator == Operator::Mentions)
    else {
        return false;
    };
    let term = Term::new(word.to_owned());
    !word.contains(' ')
        && !is_label(word)
        && !source.is_about(&term)
        && !source.is_name_of_entries(&term)
        && level(&term, rows, source) <= MentionStrength::Part
        && source.is_called(&term, rows)
}

/// Whether terms name kinds of things, and the rows that have them have them in their names.
pub(super) fn are_names_of_kinds(
    terms: &[(Term, MentionStrength)],
    rows: &[Value],
    source: &RowSource,
) -> bool {
    let is_name = |(term, level): &(Term, MentionStrength)| {
        names_kind(term)
            && *level < MentionStrength::Value
            && (is_in_names(term, rows, source) || is_hardly_said(term, rows, source))
    };
    terms.iter().all(is_name)
}

/// Whether one of the short texts of a row is a word and nothing else.
fn has_detail(row: &Value, word: &str) -> bool {
    details(row).any(|text| locale::fold_case(text.trim()) == locale::fold_case(word))
}

/// Terms of which a name or phrase that no row has as a whole is split into its words. A phrase that is known to lists is split
/// only where rows, or the page, say each of its words: "electric cars" on a page of cars.
fn split_names(written: Vec<String>, rows: &[Value], source: &RowSource) -> Vec<Term> {
    let is_said = |term: &Term| level(term, rows, source) > MentionStrength::Nowhere;
    let is_of_list = |term: &Term| is_said(term) || source.is_about(term) || source.is_called(term, rows);
    // "OLED-Fernseher" where rows say "OLED 4K TV".
    let of_hyphens = |whole: &Term| {
        let parts = whole.written.split('-').map(|part| Term::new(part.to_owned()));
        let parts: Vec<Term> = parts.collect();
        let is_long = |term: &Term| term.written.chars().count() > 1;
        let is_parted = parts.len() > 1 && !is_said(whole) && parts.iter().all(is_long);
        (is_parted && parts.iter().all(is_of_list) && parts.iter().any(is_said)).then_some(parts)
    };
    // "tech jobs" where some rows have the value "Tech", and all of them are jobs.
    let of_value_and_kind = |whole: &Term| {
        let words: Vec<Term> = whole
            .written
            .split(' ')
            .map(|word| Term::new(word.to_owned()))
            .collect();
        let [value, kind] = words.as_slice() else {
            return None;
        };
        let is_value = rows.iter().any(|row| has_detail(row, &value.written))
            && level(whole, rows, source) < MentionStrength::Value;
        let is_kind =
            source.is_about(kind) || source.is_name_of_entries(kind) || source.is_called(kind, rows);
        (is_value && is_kind).then_some(words)
    };
    let split = |text: String| {
        let whole = Term::new(text);
        if let Some(parts) = of_hyphens(&whole) {
            return parts;
        }
        if let Some(parts) = of_value_and_kind(&whole) {
            return parts;
        }
        if !whole.written.contains(' ')
            || is_said(&whole)
            || unsaid::in_other_words(&whole, rows, source).is_some()
        {
            return vec![whole];
        }
        let words: Vec<Term> = whole
            .written
            .split(' ')
            .map(|word| Term::new(word.to_owned()))
            .collect();
        match whole.has_alternatives() && !words.iter().all(is_of_list) {
            true => vec![whole],
            false => words,
        }
    };
    written.into_iter().flat_map(split).collect()
}

/// Least share of rows with dates, or lists of days, by which the days of the week are known.
const DATED: f64 = 0.5;
const DAYS_OF_WEEK: usize = 7;

/// The days of the week that a word names: one, or those of the weekend.
fn named_days(term: &Term) -> Vec<Weekday> {
    const NAMES: [(&str, Weekday); 7] = [
        ("monday", Weekday::Monday),
        ("tuesday", Weekday::Tuesday),
        ("wednesday", Weekday::Wednesday),
        ("thursday", Weekday::Thursday),
        ("friday", Weekday::Friday),
        ("saturday", Weekday::Saturday),
        ("sunday", Weekday::Sunday),
    ];
    let named = NAMES.iter().filter(|(name, _)| term.is_whole(name));
    named.map(|(_, day)| *day).collect()
}

/// The days of the week that words name and no row says, where the rows have dates; and those that rows list with a first and a
/// last day.
fn weekdays<'c>(
    written: &[String],
    is_denied: bool,
    rows: &[Value],
    source: &RowSource,
) -> Option<Resolved<'c>> {
    // "closed on Mondays"
    let opening: Vec<Option<regex::Captures<'_>>> =
        written.iter().map(|phrase| OPEN.captures(phrase)).collect();
    let is_of_opening = opening.iter().any(Option::is_some);
    let is_closed = matches!(opening.as_slice(), [Some(one)] if one.name("closed").is_some());
    let is_denied = is_denied != is_closed;
    let day = |(phrase, opening): (&String, &Option<regex::Captures<'_>>)| {
        let day = opening.as_ref().and_then(|found| found.name("day"));
        day.map_or_else(|| phrase.clone(), |day| day.as_str().to_owned())
    };
    let terms: Vec<Term> = written.iter().zip(&opening).map(day).map(Term::new).collect();
    let days: Vec<Vec<Weekday>> = terms.iter().map(named_days).collect();
    let is_week = |days: &Vec<Weekday>| days.len() >= DAYS_OF_WEEK;
    if days.is_empty() || days.iter().any(|days| days.is_empty() || is_week(days)) {
        return None;
    }
    let listed: Vec<ListedDays> = rows
        .iter()
        .map(|row| weekdays::listed(source.texts.of(row)))
        .collect();
    let ranges = listed.iter().filter(|listed| listed.has_range).count();
    let listing = listed.iter().filter(|listed| !listed.days.is_empty()).count();
    if ranges > 1 && share(listing, rows.len()) >= DATED {
        return Some(Resolved::ListedDays { days, is_denied });
    }
    if is_of_opening {
        return None;
    }
    let dated = rows
        .iter()
        .filter(|row| weekday_of(row, source).is_some())
        .count();
    // "Sat" may stand beside the days of some rows, and no word beside those of others.
    let is_said = |term: &Term| level(term, rows, source) > MentionStrength::Part;
    if share(dated, rows.len()) < DATED || terms.iter().all(is_said) {
        return None;
    }
    let all: Vec<Weekday> = days.concat();
    (all.len() < DAYS_OF_WEEK).then_some(Resolved::Weekdays { days: all, is_denied })
}

/// Conditions in which a day on which something is closed is denied: "closed on Saturdays", where rows list the days on which they
/// are open.
pub(super) fn without_closed_days(
    conditions: &[RowCondition],
    rows: &[Value],
    source: &RowSource,
) -> Option<Vec<RowCondition>> {
    let word = |condition: &RowCondition| match condition.operator {
        Operator::Mentions => condition.value.as_str().map(str::to_owned),
        _ => None,
    };
    let is_closed = |condition: &RowCondition| word(condition).is_some_and(|word| CLOSED.is_match(&word));
    let is_listed = |condition: &RowCondition| {
        let days = word(condition).and_then(|word| weekdays(&[word], false, rows, source));
        matches!(days, Some(Resolved::ListedDays { .. }))
    };
    if !conditions.iter().any(is_closed) || !conditions.iter().any(is_listed) {
        return None;
    }
    let open = conditions.iter().filter(|condition| !is_closed(condition));
    let denied = open.map(|condition| match is_listed(condition) {
        true => RowCondition {
            operator: condition.operator.negated(),
            ..condition.clone()
        },
        false => condition.clone(),
    });
    Some(denied.collect())
}

/// What a phrase denies: `cables` of "no cables"; `None` of one that denies nothing.
fn denied_thing(phrase: &str) -> Option<&str> {
    const DENIALS: [&str; 16] = [
        "no", "not", "without", "ohne", "kein", "keine", "keinen", "keiner", "keinem", "nicht", "bez", "nie",
        "żadnych", "żadnego", "żadnej", "never",
    ];
    let (first, rest) = phrase.split_once(' ')?;
    DENIALS.contains(&first.to_lowercase().as_str()).then_some(rest)
}

/// Finds how the rows have the words of a condition. Beside words that rows say, those that say nothing are passed over.
///
/// # Errors
/// Which word no row has, or none that says something.
pub(super) fn resolve<'c>(
    condition: &RowCondition,
    rows: &[Value],
    source: &RowSource,
) -> Result<Resolved<'c>, String> {
    let is_denied = match condition.operator {
        Operator::Mentions | Operator::Contains => false,
        Operator::NotMentions | Operator::NotContains => true,
        _ => return Err("only words can be looked for in the whole row".into()),
    };
    let written: Vec<String> = match &condition.value {
        Value::Array(list) => list.iter().map(cell_text).collect(),
        value => vec![cell_text(value)],
    };
    if let [text] = written.as_slice()
        && !is_denied
        && let Some(other) = denied_thing(text)
        && level(&Term::new(text.clone()), rows, source) < MentionStrength::Text
    {
        // "No cables" asks for what is wireless where rows say so, and for no cable where they do not.
        let without = RowCondition {
            operator: condition.operator.negated(),
            value: other.into(),
            ..condition.clone()
        };
        return resolve(&without, rows, source);
    }
    if let Some(days) = weekdays(&written, is_denied, rows, source) {
        return Ok(days);
    }
    let is_of_rows = |thing: &str| {
        let term = Term::new(thing.to_owned());
        source.is_about(&term) || source.is_name_of_entries(&term) || source.is_called(&term, rows)
    };
    if let [text] = written.as_slice()
        && let asked = free::things(text)
            .filter(|thing| is_of_rows(thing))
            .map_or(text.as_str(), |_| "free")
        && free::is_of_price(asked, rows)
    {
        return Ok(Resolved::Free { is_denied });
    }
    if let [text] = written.as_slice()
        && let Some((field, number)) = listed_numbers::field_of(text, rows)
    {
        return Ok(Resolved::ListedNumber {
            field,
            number,
            is_denied,
        });
    }
    if let [text] = written.as_slice()
        && condition.field == ANY_FIELD
        && let Some(flag) = flags::field_of(&Term::new(text.clone()), is_denied, rows)
    {
        return Ok(Resolved::Flag { flag, is_denied });
    }
    if let [text] = written.as_slice()
        && condition.field == ANY_FIELD
        && let Some((thing, is_refused)) = flags::given(text)
        && level(&Term::new(text.clone()), rows, source) < MentionStrength::Text
        && let Some(flag) = flags::field_of(&Term::new(thing.to_owned()), is_denied != is_refused, rows)
    {
        return Ok(Resolved::Flag {
            flag,
            is_denied: is_denied != is_refused,
        });
    }
    let mut terms = Vec::new();
    let mut is_one_of_kinds = None;
    let written: Vec<(Term, MentionStrength)> = split_names(written, rows, source)
        .into_iter()
        .map(|term| {
            let term = unsaid::with_tag(term.stated_in(rows), rows, source);
            let strength = level(&term, rows, source);
            (term, strength)
        })
        .collect();
    let is_said = written
        .iter()
        .any(|(_, strength)| *strength > MentionStrength::Part);
    let is_carrier = |term: &Term, strength: MentionStrength| {
        !is_denied && strength < MentionStrength::Thing && are_carriers(&term.written)
    };
    let is_alone = !written
        .iter()
        .any(|(term, strength)| *strength > MentionStrength::Part && !is_carrier(term, *strength));
    if let Some((term, _)) = written
        .iter()
        .find(|(term, strength)| is_alone && is_carrier(term, *strength))
    {
        return Err(format!("no row says {:?}", term.written));
    }
    let mended = written
        .into_iter()
        .filter(|(term, strength)| !is_carrier(term, *strength));
    let written: Vec<(Term, MentionStrength)> = mended
        .map(|(term, strength)| {
            let is_of_list = || {
                source.is_about(&term)
                    || source.is_name_of_entries(&term)
                    || source.is_called(&term, rows)
                    || is_label(&term.written)
            };
            if strength > MentionStrength::Nowhere || is_number(&term.written) || is_of_list() {
                return (term, strength);
            }
            match unsaid::meant(&term, is_denied, rows, source) {
                Some(meant) => {
                    let strength = level(&meant, rows, source);
                    (meant, strength)
                }
                None => (term, strength),
            }
        })
        .collect();
    for (term, strength) in written {
        let is_of_rows =
            is_denied || condition.operator != Operator::Mentions || strength == MentionStrength::Value;
        match strength {
            MentionStrength::Nowhere | MentionStrength::Part
                if !is_denied
                    && (source.is_about(&term)
                        || source.is_name_of_entries(&term)
                        || source.is_called(&term, rows)) => {}
            // "in the district Kingsway": the word says what the other is.
            MentionStrength::Nowhere if is_said && is_label(&term.written) => {}
            MentionStrength::Nowhere => return Err(format!("no row says {:?}", term.written)),
            // A number within a text may be that of anything.
            level if level < MentionStrength::Thing && is_number(&term.written) => {
                return Err(format!("what the number {:?} is of is not clear", term.written));
            }
            // Few rows of a list of laptops call themselves one, and all of them are.
            _ if !is_of_rows
                && !parts(&term, rows, source)
                && (source.is_name_of_entries(&term)
                    || source.is_about_alone(&term, rows)
                    || source.is_listed_as(&term)
                    || is_rare(&term, rows, source)
                        && (source.is_about(&term)
                            || (source.is_called(&term, rows) && !term.is_label_in(rows)))) =>
            {
                // "Courses and exams": few rows say which of the two they are.
                let is_one = !source.is_name_of_entries(&term) && !source.is_about_alone(&term, rows);
                if strength >= MentionStrength::Text && is_one && source.is_about(&term) {
                    is_one_of_kinds = Some(term.written.clone());
                    terms.push((term, strength));
                }
            }
            level => terms.push((term, level)),
        }
    }
    if terms.is_empty() {
        return Ok(Resolved::Always);
    }
    // A field has one value: "Acme and Bolt" are the things of either.
    let fields: Vec<Option<&str>> = terms
        .iter()
        .map(|(term, level)| {
            let mut found = rows.iter().filter_map(|row| field_of_value(term, row));
            found.next().filter(|_| *level == MentionStrength::Value)
        })
        .collect();
    let is_one_field = fields
        .windows(2)
        .all(|pair| matches!(pair, [Some(one), Some(other)] if one == other));
    let has = |row: &Value, (term, level): &(Term, MentionStrength)| {
        term.is_had_by(row, source.texts.of(row), source.joins_words, *level)
    };
    let are_together = rows.iter().any(|row| terms.iter().all(|term| has(row, term)));
    // "Speakers and headphones" are two kinds of things, as words are that names of different rows have; "light and waterproof"
    // may be one that is not there.
    let is_thing = |(term, level): &(Term, MentionStrength)| {
        let may_be_noun = !source.joins_words || term.written.starts_with(char::is_uppercase);
        may_be_noun && matches!(level, MentionStrength::Thing | MentionStrength::Compound)
    };
    let is_named = |term: &(Term, MentionStrength)| is_thing(term) && is_in_names(&term.0, rows, source);
    let are_of_kinds = || terms.iter().all(|(term, _)| concepts::is_kind(&term.written));
    let are_kinds = terms.len() > 1
        && match are_together {
            true => are_of_kinds() && terms.iter().all(is_named),
            false => terms.iter().all(is_thing) || are_of_kinds(),
        };
    let note = (!is_one_field && !are_kinds && !is_denied && !are_together).then(|| {
        let list: Vec<String> = terms
            .iter()
            .map(|(term, _)| format!("{:?}", term.written))
            .collect();
        format!(
            "no row says {}; the rows that say one of them are kept",
            list.join(" and ")
        )
    });
    let is_split = note.is_some();
    let note = note.or_else(|| {
        let kind = is_one_of_kinds?;
        Some(format!(
            "the page lists several kinds, and other rows may be {kind}, too"
        ))
    });
    Ok(Resolved::Words {
        is_any: is_one_field || are_kinds || is_split,
        note,
        has_lacking: is_denied && {
            let mut texts = rows.iter().map(|row| source.texts.of(row));
            texts.any(|text| terms.iter().any(|(term, _)| term.is_lacking_in(text)))
        },
        terms,
        is_denied,
    })
}
