//! Ranges and comparisons of an instruction, and what of the page's list they are about.

use std::ops::Range;

use tools::PageList;
use tools::rows::condition::{Operator, RowCondition};
use tools::rows::measure_name::{DISTANCE, MeasureName};
use tools::rows::paid::PRICE_OF;
use tools::rows::units;

use super::super::limits::{LimitField, range_field, take_limit};
use super::super::list_labels::{HALF, ListLabels};
use super::super::{amounts, clauses, column_list, distances, measures};
use super::{InstructionReader, Marked, party_size, whole_number};

locale::patterns! {
    /// What says that a number is a rating.
    static OF_RATING = r"(?i)\b(?:rat(?:ed|ings?)|scor\p{L}*|stars?|sterne?n?|\p{L}*bewert\p{L}*|ocen\p{L}*|gwiazd\p{L}*|better|besser|lepiej)\b|★";
    /// The word right behind an amount.
    static BEHIND = r"^\s*(\p{L}[\p{L}-]{3,})";
    /// An amount of money.
    static MONEY = r"(?i)[$€£¥]|\d\s?(?:zł|zl|pln|eur|euro|gbp|usd|chf|kč)\b|\b(?:pln|eur|gbp|usd|chf)\s?\d";
    /// A share.
    static SHARE = r"(?i)\d\s?(?:%|percent\b|prozent\b|procent)";
    /// A unit of time.
    static TIME_UNIT = r"(?i)^(?:(?P<hours>h|hrs?|hours?|std|stunden?|godz\p{L}*)|(?P<minutes>mins?|minutes?|minuten?|minut\p{L}*)|(?P<days>days?|tag|tagen?|tage|dni|dzień)|(?P<weeks>weeks?|wochen?|tydzień|tygodni\p{L}*))$";
    /// A number and nothing else.
    static PLAIN = r"^[^\p{L}\d]*\d[\d .,']*$";
    /// Whom or what an amount before it is for.
    static BOUGHT_FOR = r"(?i)^\s*(?:za|for|per|pro|für|dla|je|an?|na|od)\s+(?:(?:an?|the|die|den|einen?|jednego|jedną)\s+)?(\p{L}[\p{L}-]+)";
}

impl InstructionReader<'_> {
    /// Ranges and comparisons.
    pub(super) fn amounts(
        &mut self,
        text: &mut String,
        list: Option<&PageList<'_>>,
        labels: &ListLabels<'_>,
    ) {
        let words = self.words;
        while let Some(range) = amounts::range(text, words) {
            let found = range_field(text, &range, words);
            let place = range.place.start..found.end;
            let field = match found.field {
                LimitField::Named(name) => name,
                LimitField::Unnamed => "price".to_owned(),
                LimitField::Count | LimitField::Unknown => {
                    let said = text.get(place.clone()).unwrap_or_default();
                    self.facts.not_understood.push(said.to_owned());
                    text.replace_range(place, " ");
                    continue;
                }
            };
            let limit = |operator, amount| RowCondition {
                field: field.clone(),
                operator,
                value: whole_number(amount),
            };
            let conditions = vec![
                limit(Operator::AtLeast, range.low),
                limit(Operator::AtMost, range.high),
            ];
            self.has_range |= field == "price";
            let mark = self.mark(conditions);
            text.replace_range(place, &mark);
        }
        while let Some(mark) = clauses::mark(self.marked.len())
            && let Some(mut limit) = take_limit(text, words, &mark)
        {
            // "Wechselbonus of 40 € or more", where the list has such a label.
            let is_money = matches!(&limit.field, LimitField::Named(name) if name == "price");
            // "Wirkungsgrad over 96 %" is no reduction where the list has such a label, either.
            let is_share = matches!(&limit.field, LimitField::Named(name) if name == "discount");
            if (is_money || is_share) && !amounts::says_cheaper(&limit.words) {
                // "population over 10 million" says no currency.
                let is_plain = is_money && !MONEY.is_match(&limit.words);
                let of_labels = |name: &String| {
                    column_list::labelled(name, &labels.names).filter(|label| {
                        is_stated(labels, label, is_share) || (is_plain && has_figures(labels, label))
                    })
                };
                // "Eigenanteil höchstens 75 €", "udziałem własnym", and "mindestens 85 % Zahnersatz" behind the amount.
                let near: Vec<&str> = limit.before.iter().take(2).rev().map(String::as_str).collect();
                let both = near.join(" ");
                let behind = BEHIND.captures(behind_mark(text, &mark));
                let behind = behind.and_then(|found| Some(found.get(1)?.as_str().to_owned()));
                let before = std::iter::once(both).chain(limit.before.first().cloned());
                let names: Vec<String> = behind.into_iter().chain(before).collect();
                if let Some((name, label)) = names.iter().find_map(|name| Some((name, of_labels(name)?))) {
                    remove_behind(text, &mark, &name.to_lowercase());
                    limit.field = LimitField::Named(label);
                }
            }
            // "battery lasts longer than 15 hours", where the list has such a label with hours.
            if let LimitField::Named(field) = &limit.field
                && (units::is_unit(&limit.unit) || time_unit(&limit.unit).is_some())
                && let Some((name, label)) = limit.before.iter().take(LABEL_REACH).find_map(|name| {
                    let label = column_list::labelled(name, &labels.names)?;
                    (label != *field && has_unit(labels, &label, &limit.unit))
                        .then(|| (name.to_lowercase(), label))
                })
            {
                remove_before(text, &mark, &name);
                limit.field = LimitField::Named(label);
            }
            // "change above 0", where the list has such a label; "tickets under 50" is their price, where entries have one.
            let may_be_paid = matches!(limit.operator, Operator::Less | Operator::AtMost)
                && limit.amount > 0.0
                && list.is_some_and(PageList::has_prices);
            if limit.field == LimitField::Unnamed
                && !may_be_paid
                && let Some(name) = limit.before.first().cloned()
                && let Some(label) = column_list::labelled(&name, &labels.names)
                && labels.has_numbers(&label)
            {
                remove_before(text, &mark, &name.to_lowercase());
                limit.field = LimitField::Named(label);
            }
            // "More than 10,000 stars" are no rating, where the list counts them.
            if matches!(&limit.field, LimitField::Named(name) if name == "rating")
                && limit.amount > HIGHEST_RATING
                && let Some(label) = column_list::labelled("stars", &labels.names)
            {
                limit.field = LimitField::Named(label);
            }
            // "With 2 bedrooms under 1500 a month", where entries have up to four bedrooms. At least 1500 bedrooms nothing has.
            let is_most = matches!(limit.operator, Operator::Less | Operator::AtMost);
            if let (LimitField::Named(name), Some(list)) = (&limit.field, list)
                && is_most
                && measures::EXACT.contains(&name.as_str())
                && list.is_beyond(name, limit.amount)
            {
                limit.field = LimitField::Unnamed;
            }
            // "2 km from the centre", where entries tell no distance from elsewhere.
            if let (LimitField::Named(name), Some(list)) = (&limit.field, list)
                && MeasureName::parse(name).is_amount_of(DISTANCE)
                && !list.tells_distances_from(distances::is_elsewhere)
            {
                remove_centre(text, &mark);
            }
            let may_be_price = is_money || limit.field == LimitField::Unnamed;
            if may_be_price && let Some(list) = list {
                let behind = BOUGHT_FOR.captures(behind_mark(text, &mark));
                let behind = behind.and_then(|found| Some(found.get(1)?.as_str().to_lowercase()));
                let named: Vec<String> = behind.into_iter().chain(limit.before.clone()).collect();
                let all = [named.as_slice(), self.per.as_slice()].concat();
                if let Some(label) = list.priced(&all) {
                    // "non-members at most 30 €", where entries have a price for members, too.
                    remove_before(text, &mark, label);
                    remove_behind(text, &mark, label);
                    limit.field = LimitField::Named(format!("{PRICE_OF}{label}"));
                }
            }
            // "NC unter 2,0" may be no rating.
            let may_be_rating = matches!(&limit.field, LimitField::Named(name) if name == "rating")
                && !OF_RATING.is_match(text);
            if (limit.field == LimitField::Unnamed || may_be_rating)
                && let Some(list) = list
            {
                let upper_limit = is_most.then_some(limit.amount);
                if let Some(name) = list.counted(&limit.before, upper_limit) {
                    // "that sleep at least 5", where entries say "Sleeps 4".
                    remove_before(text, &mark, name);
                    limit.field = LimitField::Named(name.clone());
                } else if !limit.unit.is_empty() && !is_most && list.is_counted_by_some(&limit.unit) {
                    // "more than 5 holds", where some entries say "9 holds".
                    remove_behind(text, &mark, &limit.unit);
                    limit.field = LimitField::Named(limit.unit.clone());
                }
            }
            // "60 desks or more", where entries say "44 desks".
            let is_least = matches!(limit.operator, Operator::AtLeast | Operator::More);
            if limit.field == LimitField::Count
                && is_least
                && let Some(list) = list
                && let Some(name) = list.counted(std::slice::from_ref(&limit.unit), None)
            {
                limit.field = LimitField::Named(name.clone());
                text.push_str(&format!(" ; {mark}"));
            }
            // "For at least 10 people", where entries have such a label.
            if let LimitField::Named(name) = &limit.field
                && party_size::are_people(name)
                && let Some(label) = party_size::capacity(labels)
            {
                limit.field = LimitField::Named(label);
            }
            // "Under -10" is no price.
            let may_not_be_negative = match &limit.field {
                LimitField::Named(name) => ["price", "discount"].contains(&name.as_str()),
                LimitField::Unnamed => true,
                LimitField::Count | LimitField::Unknown => false,
            };
            if limit.amount < 0.0 && may_not_be_negative {
                limit.field = LimitField::Unknown;
                *text = text.replacen(mark.trim(), " ", 1);
            }
            if matches!(limit.field, LimitField::Named(_) | LimitField::Unnamed) {
                self.marked.push(Marked::Limit(self.limits.len()));
            }
            self.limits.push(limit);
        }
    }
}

/// Whether the values of a label of the page's list are shares, or amounts of money: "with storage under 1,200 euros" compares no
/// storage.
fn is_stated(labels: &ListLabels<'_>, label: &str, is_share: bool) -> bool {
    let share = labels.share_of_values(label, |value| match is_share {
        true => SHARE.is_match(value) || PLAIN.is_match(value),
        false => MONEY.is_match(value),
    });
    share.is_none_or(|share| share >= HALF)
}

/// Whether most values of a label of the page's list are numbers and nothing else.
fn has_figures(labels: &ListLabels<'_>, label: &str) -> bool {
    labels
        .share_of_values(label, |value| PLAIN.is_match(value))
        .is_some_and(|share| share > HALF)
}

/// How many words before a comparison a label may stand that says what is compared.
const LABEL_REACH: usize = 2;

/// Whether all amounts beside a label of the page's list are in one unit.
fn has_unit(labels: &ListLabels<'_>, label: &str, unit: &str) -> bool {
    let name = |unit: &str| time_unit(unit).map_or_else(|| units::name_of(unit), str::to_owned);
    let unit = name(unit);
    let is_in_unit = |value: &str| {
        let mut words = value
            .split(|c: char| !c.is_alphabetic())
            .filter(|word| !word.is_empty());
        words.any(|word| name(word) == unit)
    };
    let has_amount = |value: &str| value.contains(|c: char| c.is_ascii_digit());
    let share = |holds: &dyn Fn(&str) -> bool| labels.share_of_values(label, holds).unwrap_or_default();
    let in_unit = share(&|value| has_amount(value) && is_in_unit(value));
    in_unit > HALF && in_unit == share(&has_amount)
}

/// The unit of time that a word names.
fn time_unit(word: &str) -> Option<&'static str> {
    let found = TIME_UNIT.captures(word)?;
    ["hours", "minutes", "days", "weeks"]
        .into_iter()
        .find(|unit| found.name(unit).is_some())
}

/// The greatest number of a scale of ratings: per cent.
const HIGHEST_RATING: f64 = 100.0;

/// What stands behind a mark.
fn behind_mark<'t>(text: &'t str, mark: &str) -> &'t str {
    text.split_once(mark.trim()).map_or("", |(_, behind)| behind)
}

/// Removes what says behind a mark that a distance is one from the centre.
fn remove_centre(text: &mut String, mark: &str) {
    let Some(place) = text.find(mark.trim()) else {
        return;
    };
    let start = place + mark.trim().len();
    let length = distances::from_centre(text.get(start..).unwrap_or_default());
    text.replace_range(start..start + length, "");
}

/// Removes the last occurrence of a word before a mark.
fn remove_before(text: &mut String, mark: &str, word: &str) {
    let end = text.find(mark.trim()).unwrap_or(text.len());
    if let Some(place) = places_of(text, 0..end, word).pop() {
        text.replace_range(place, "");
    }
}

/// Removes the first occurrence of a word behind a mark, in the same clause.
fn remove_behind(text: &mut String, mark: &str, word: &str) {
    let Some(start) = text.find(mark.trim()) else {
        return;
    };
    let rest = text.get(start..).unwrap_or_default();
    let end = rest.find([',', ';', '.']).map_or(text.len(), |end| start + end);
    if let Some(place) = places_of(text, start..end, word).into_iter().next() {
        text.replace_range(place, "");
    }
}

/// Where a word, in small letters, stands within a part of a text.
fn places_of(text: &str, within: Range<usize>, word: &str) -> Vec<Range<usize>> {
    let mut from = within.start;
    let spoken = text
        .get(within)
        .unwrap_or_default()
        .split_inclusive(char::is_whitespace);
    let places = spoken.map(|spoken| {
        let start = from;
        from += spoken.len();
        (start, spoken.trim_end())
    });
    places
        .filter(|(_, bare)| bare.to_lowercase() == word)
        .map(|(start, bare)| start..start + bare.len())
        .collect()
}
