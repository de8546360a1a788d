//! Which price does a text state, and in which currency?
//!
//! Amounts are exact decimal strings, never floats. A number with a currency beside it is believed before a bare one, the
//! price that holds now before an earlier one, and what is a percentage, a date, a count or negative is no price.

mod currency;
mod number;
#[cfg(test)]
mod tests;
pub(crate) mod words;

use std::cmp::Ordering;

use smallvec::SmallVec;

use currency::{Match, Sureness};
use number::{Shape, Style, char_at, char_before};
use words::Label;

/// What is known about a price from outside its own text.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Hints<'t> {
    /// A text that may name the currency: a code, a symbol or a neighbouring price.
    pub currency_hint: Option<&'t str>,
    /// The decimal separator of the page; a currency sign when cents follow it ("35€99").
    pub decimal_separator: Option<char>,
    /// The separator of digit groups of the page.
    pub digit_group_separator: Option<char>,
}

/// How much the amount buys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// The whole thing.
    #[default]
    Full,
    /// One unit of measure or one month of it ("/kg", "per month").
    PerUnit,
    /// One part of a payment plan ("3x de R$ 30").
    Installment,
    /// An earlier price ("was $120"), stated alone.
    Earlier,
}

/// A price as a text states it.
#[derive(Debug, Clone, PartialEq)]
pub struct Price<'t> {
    /// The amount as an exact decimal ("1299.00"); of a range its lower bound.
    pub amount: String,
    /// The upper bound of a range, at least `amount`.
    pub upper: Option<String>,
    /// The currency as written in the text or in the hint.
    pub currency: Option<&'t str>,
    /// ISO 4217 code of that currency; for shared signs ("$", "kr") that of the largest one, see [`iso`].
    pub iso: Option<&'static str>,
    /// The number as written.
    pub raw: &'t str,
    /// How much the amount buys.
    pub kind: Kind,
}

/// What a text says: perhaps a price, perhaps only a currency.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading<'t> {
    /// The price, when an amount is stated.
    pub price: Option<Price<'t>>,
    /// The currency, also when no amount is stated.
    pub currency: Option<&'t str>,
}

/// ISO 4217 code of a currency as written; `country` (two letters) decides between those that share a sign.
pub fn iso(currency: &str, country: Option<&str>) -> Option<&'static str> {
    currency::code(currency, country)
}

/// The price that `text` states, if it states one.
pub fn parse<'t>(text: &'t str, hints: &Hints<'t>) -> Option<Price<'t>> {
    read(text, hints).price
}

/// All amounts with a currency beside them, in order: the raw material for choosing among a page's prices.
pub fn find_all<'t>(text: &'t str, hints: &Hints<'t>) -> Vec<Price<'t>> {
    let money = Money::of(text, hints);
    // A doubtful currency counts only where nothing but the price is written ("150 kr", not "the 12 KR of May").
    let doubtful = |it: &Number| {
        let written = it.currency.map_or(0, |it| it.end - it.start) + it.end - it.shape.start;
        it.currency.is_some() && text.trim().len() <= written + 3
    };
    let all = money
        .numbers
        .iter()
        .filter(|it| !it.excluded && (it.rank >= 3 || doubtful(it)));
    all.map(|it| money.price(it)).collect()
}

/// The price and the currency that `text` states.
pub fn read<'t>(text: &'t str, hints: &Hints<'t>) -> Reading<'t> {
    let money = Money::of(text, hints);
    let mut price = money.best().map(|it| money.price(it));
    if price.is_none() && money.numbers.is_empty() && words::is_free(&text.to_lowercase()) {
        price = Some(Price {
            amount: "0".to_owned(),
            upper: None,
            currency: None,
            iso: None,
            raw: text.trim(),
            kind: Kind::Full,
        });
    }
    let (currency, iso) = match price.as_ref().and_then(|it| it.currency) {
        Some(currency) => (Some(currency), price.as_ref().and_then(|it| it.iso)),
        None => money.currency(hints),
    };
    if let Some(price) = &mut price {
        (price.currency, price.iso) = (currency, iso);
    }
    Reading { price, currency }
}

/// A number of the text with what stands around it.
struct Number {
    shape: Shape,
    /// Behind its cents, which may stand behind the currency sign ("35€99").
    end: usize,
    amount: String,
    currency: Option<Match>,
    /// Upper bound when the next number closes a range.
    upper: Option<String>,
    /// 3 beside a sure currency, 2 beside a doubtful one, 1 bare, 0 part of a word.
    rank: u8,
    /// Percentages, dates, counts, negatives: never a price.
    excluded: bool,
}

/// The numbers and currencies of one text.
struct Money<'t> {
    text: &'t str,
    numbers: SmallVec<[Number; 4]>,
    currencies: SmallVec<[Match; 4]>,
}

impl<'t> Money<'t> {
    fn of(text: &'t str, hints: &Hints<'_>) -> Money<'t> {
        let shapes = number::scan(text);
        let bare = text
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b',' | b' '));
        let currencies = if bare {
            SmallVec::new()
        } else {
            currency::scan(text)
        };
        let mut money = Money {
            text,
            numbers: SmallVec::new(),
            currencies,
        };
        money.attach(shapes, hints);
        money.join_ranges();
        money.exclude();
        money
    }

    /// Pairs each number with the currency beside it and reads its amount.
    fn attach(&mut self, shapes: SmallVec<[Shape; 4]>, hints: &Hints<'_>) {
        let text = self.text;
        let mut behind = 0;
        for shape in shapes {
            if shape.start < behind {
                continue;
            }
            let before = self.before(&shape);
            let after = self.after(&shape);
            // A sign that closes the number before cannot open this one ("10 € 20 €").
            let taken = self.numbers.last().and_then(|it| it.currency);
            let before = before.filter(|it| Some(it.start) != taken.map(|it| it.start));
            let coded = before.and_then(|sign| {
                let code = *self.currencies.iter().rev().find(|it| it.end <= sign.start)?;
                let close = text.get(code.end..sign.start)?.trim().is_empty();
                (close && names_the_dollar(text, sign, code)).then_some(code)
            });
            let currency = match (before, after) {
                _ if coded.is_some() => coded,
                (Some(sign), Some(code)) if names_the_dollar(text, sign, code) => Some(code),
                (before, after) => before
                    .filter(|it| it.sureness == Sureness::Sure || after.is_none())
                    .or(after)
                    .or(before),
            };
            let three_minor_digits = currency.is_some_and(|it| currency::has_three_minor_digits(it.iso));
            let style = Style {
                decimal: hints.decimal_separator,
                group: hints.digit_group_separator,
                three_minor_digits,
            };
            let Some(mut amount) = number::amount(text, &shape, style) else {
                continue;
            };
            let mut end = shape.end;
            if let Some(cents) = after.and_then(|it| self.cents(&shape, it, hints)) {
                amount.push('.');
                amount.push_str(cents.0);
                end = cents.1;
            }
            let glued = char_before(text, shape.start).is_some_and(char::is_alphabetic)
                || char_at(text, shape.end).is_some_and(char::is_alphabetic);
            let rank = match currency {
                Some(it) if it.sureness == Sureness::Sure => 3,
                Some(it)
                    if text
                        .get(it.start..it.end)
                        .is_some_and(|it| it.chars().count() > 1) =>
                {
                    2
                }
                Some(_) => 1,
                None if glued => 0,
                None => 1,
            };
            behind = end;
            self.numbers.push(Number {
                shape,
                end,
                amount,
                currency,
                upper: None,
                rank,
                excluded: false,
            });
        }
    }

    /// The currency that stands right before the number.
    fn before(&self, shape: &Shape) -> Option<Match> {
        let it = *self.currencies.iter().rev().find(|it| it.end <= shape.start)?;
        let gap = self.text.get(it.end..shape.start)?;
        let near = gap.len() <= 6
            && gap
                .chars()
                .all(|c| c.is_whitespace() || matches!(c, ':' | '.' | '-' | '\u{a0}'));
        (near && it.sureness != Sureness::Behind).then_some(it)
    }

    /// The currency that stands right behind the number.
    fn after(&self, shape: &Shape) -> Option<Match> {
        let it = *self.currencies.iter().find(|it| it.start >= shape.end)?;
        let gap = self.text.get(shape.end..it.start)?;
        // ",-" and ",--" stand for no cents.
        let gap = gap
            .strip_prefix([',', '.'])
            .map_or(gap, |rest| rest.trim_start_matches(['-', '–', '—', '=']));
        (gap.len() <= 6 && gap.chars().all(char::is_whitespace)).then_some(it)
    }

    /// Two digits behind the sign are cents, when nothing else can be meant ("35€ 99").
    fn cents(&self, shape: &Shape, sign: Match, hints: &Hints<'_>) -> Option<(&'t str, usize)> {
        let text = self.text;
        let written = text.get(sign.start..sign.end)?;
        if written.chars().any(char::is_alphabetic) || number_has_fraction(text, shape) {
            return None;
        }
        let is_separator = hints.decimal_separator.is_some_and(|it| written.chars().eq([it]));
        let rest = text.get(sign.end..)?;
        let start = if written == "€" || is_separator {
            rest.trim_start()
        } else {
            rest
        };
        let digits = start.bytes().take_while(u8::is_ascii_digit).count();
        let tail = start.get(digits..)?.trim_start();
        let closes = tail
            .chars()
            .next()
            .is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '.' | ',' | '%' | '/'));
        let end = text.len() - start.len() + digits;
        let alone = !self
            .currencies
            .iter()
            .any(|it| it.start >= end && tail.len() + it.start == text.len());
        (digits == 2 && closes && alone).then(|| start.get(..2).map(|cents| (cents, end)))?
    }

    /// Gives the lower end of a range the currency of its upper end.
    fn join_ranges(&mut self) {
        for at in (0..self.numbers.len().saturating_sub(1)).rev() {
            let (head, tail) = self.numbers.split_at_mut(at + 1);
            let (Some(low), Some(high)) = (head.last_mut(), tail.first()) else {
                continue;
            };
            let from = low.currency.map_or(low.end, |it| it.end.max(low.end));
            let to = high
                .currency
                .map_or(high.shape.start, |it| it.start.min(high.shape.start));
            let joined = self.text.get(from..to).is_some_and(words::joins_range);
            let closing = high.currency.is_some_and(|it| it.start >= high.end);
            let fits = match (low.currency, high.currency) {
                (None, Some(_)) => closing,
                (Some(low), Some(high)) => low.iso == high.iso,
                _ => true,
            };
            if !joined || !fits || compare(&low.amount, &high.amount) == Ordering::Greater {
                continue;
            }
            if low.currency.is_none() {
                (low.currency, low.rank) = (high.currency, high.rank);
            }
            low.upper = Some(high.amount.clone());
        }
    }

    /// Marks the numbers that cannot be a price.
    fn exclude(&mut self) {
        let text = self.text;
        let mut lower: Option<String> = None;
        for number in &mut self.numbers {
            let start = number
                .currency
                .map_or(number.shape.start, |it| it.start.min(number.shape.start));
            let before = char_before(text, number.shape.start);
            let rest = text.get(number.end..).unwrap_or_default();
            let percent =
                matches!(rest.trim_start().chars().next(), Some('%' | '‰' | '٪')) || before == Some('%');
            let bare = number.currency.is_none();
            number.excluded = percent
                || is_negative(text, start)
                || (start != number.shape.start && before.is_some_and(is_minus))
                || (bare && is_code_or_date(text, number));
            if number.excluded
                || text.len() < 8
                || !text.bytes().any(|b| b.is_ascii_alphabetic() || b >= 0x80)
            {
                continue;
            }
            let lower = lower.get_or_insert_with(|| text.to_lowercase());
            let head = head_of(lower, text, start);
            let year = bare && number.shape.is_plain() && words::names_month(lower);
            number.excluded = year || words::is_threshold(head) || (bare && words::is_quantity(head));
        }
    }

    /// The number that is the price.
    fn best(&self) -> Option<&Number> {
        let usable = || self.numbers.iter().filter(|it| !it.excluded);
        let rank = usable().map(|it| it.rank).max()?;
        let mut equals = usable().filter(move |it| it.rank == rank);
        let first = equals.next()?;
        if equals.next().is_none() {
            return Some(first);
        }
        // Several: the first that is neither an earlier price nor a saving; nothing (0.00) is no offer.
        let lower = self.text.to_lowercase();
        let mut from = 0;
        let mut best: Option<(&Number, u8)> = None;
        for number in &self.numbers {
            let start = number
                .currency
                .map_or(number.shape.start, |it| it.start.min(number.shape.start));
            let label = words::label(
                lower
                    .get(from..)
                    .map_or("", |rest| head_of(rest, "", start.saturating_sub(from))),
            );
            from = number.currency.map_or(number.end, |it| it.end.max(number.end));
            if number.excluded || number.rank != rank {
                continue;
            }
            let zero = number.amount.bytes().all(|b| matches!(b, b'0' | b'.'));
            let after = self.text.get(from..).unwrap_or_default();
            let demerit = match label {
                _ if zero => 3,
                Label::Saving | Label::Shipping => 2,
                Label::Earlier | Label::Partial => 1,
                Label::None | Label::Current => u8::from(words::is_per_unit(after)),
            };
            if best.is_none_or(|(_, least)| demerit < least) {
                best = Some((number, demerit));
            }
        }
        best.map(|(number, _)| number)
    }

    fn price(&self, number: &Number) -> Price<'t> {
        let end = number.currency.map_or(number.end, |it| it.end.max(number.end));
        let rest = self.text.get(end..).unwrap_or_default();
        let start = number
            .currency
            .map_or(number.shape.start, |it| it.start.min(number.shape.start));
        let head = self.text.get(..start).unwrap_or_default();
        let label = if head.len() < 2 {
            Label::None
        } else {
            words::label(&head.to_lowercase())
        };
        let kind = match label {
            Label::Partial => Kind::Installment,
            Label::Earlier => Kind::Earlier,
            _ if words::is_per_unit(rest) => Kind::PerUnit,
            _ => Kind::Full,
        };
        Price {
            amount: number.amount.clone(),
            upper: number.upper.clone(),
            currency: number.currency.and_then(|it| self.text.get(it.start..it.end)),
            iso: number.currency.map(|it| it.iso),
            raw: self.text.get(number.shape.start..number.end).unwrap_or_default(),
            kind,
        }
    }

    /// The currency of a text whose price has none beside it: named in the text, else in the hint.
    fn currency(&self, hints: &Hints<'t>) -> (Option<&'t str>, Option<&'static str>) {
        let hint = hints.currency_hint.unwrap_or_default();
        let sure = |all: &[Match]| all.iter().find(|it| it.sureness == Sureness::Sure).copied();
        let named = |text: &'t str, it: Match| (text.get(it.start..it.end), Some(it.iso));
        if let Some(it) = sure(&self.currencies) {
            return named(self.text, it);
        }
        if hint.is_empty() {
            return (None, None);
        }
        let hinted = Money::of(hint, &Hints::default());
        if let Some(it) = sure(&hinted.currencies) {
            return named(hint, it);
        }
        let whole = hinted
            .currencies
            .iter()
            .find(|it| hint.trim().len() == it.end - it.start);
        let beside = hinted.numbers.iter().find_map(|it| it.currency);
        whole
            .copied()
            .or(beside)
            .map_or((None, None), |it| named(hint, it))
    }
}

/// "$5 CAD" and "NZD $5": the code says which dollar the sign means.
fn names_the_dollar(text: &str, sign: Match, code: Match) -> bool {
    let bare = text.get(sign.start..sign.end) == Some("$");
    bare && text
        .get(code.start..code.end)
        .is_some_and(|it| it.len() == 3 && it.bytes().all(|b| b.is_ascii_uppercase()))
}

fn number_has_fraction(text: &str, shape: &Shape) -> bool {
    number::amount(text, shape, Style::default()).is_none_or(|it| it.contains('.'))
}

fn is_minus(c: char) -> bool {
    matches!(c, '-' | '\u{2212}')
}

/// A minus sign that touches the amount and belongs to nothing before it.
fn is_negative(text: &str, start: usize) -> bool {
    let Some(minus) = char_before(text, start).filter(|c| is_minus(*c)) else {
        return false;
    };
    let before = char_before(text, start - minus.len_utf8());
    before.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '[' | ':'))
}

/// A bare number that reads as a date, a time, a fraction or a running number.
fn is_code_or_date(text: &str, number: &Number) -> bool {
    let padded = number.shape.is_plain() && number.shape.is_padded(text);
    let before = char_before(text, number.shape.start);
    let mut rest = text.get(number.end..).unwrap_or_default().chars();
    let (next, then) = (rest.next(), rest.next());
    let digit_follows = then.and_then(number::digit);
    let joined = matches!(next, Some('/' | ':' | 'x' | '×')) && digit_follows.is_some();
    let dated = next == Some('-') && digit_follows == Some(0) && number.shape.is_plain();
    let counted = matches!(next, Some('x' | 'X' | '×')) && !then.is_some_and(char::is_alphabetic);
    let earlier = before
        .and_then(|c| char_before(text, number.shape.start - c.len_utf8()))
        .and_then(number::digit);
    let tail = matches!(before, Some('/' | ':')) && earlier.is_some();
    padded || joined || dated || counted || tail || matches!(before, Some('#' | '№'))
}

/// The part of the lower-case text that ends where the original text is at `at`.
fn head_of<'l>(lower: &'l str, text: &str, at: usize) -> &'l str {
    // Lower-casing rarely changes lengths; when it did, the nearest boundary before is good enough.
    let mut end = if text.is_empty() { at } else { at.min(lower.len()) };
    end = end.min(lower.len());
    while !lower.is_char_boundary(end) {
        end -= 1;
    }
    lower.get(..end).unwrap_or_default()
}

/// Compares two exact decimal strings by value.
pub fn compare(one: &str, other: &str) -> Ordering {
    let parts = |text: &str| {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        (
            whole.trim_start_matches('0').to_owned(),
            fraction.trim_end_matches('0').to_owned(),
        )
    };
    let ((one, cents), (other, other_cents)) = (parts(one), parts(other));
    one.len()
        .cmp(&other.len())
        .then_with(|| one.cmp(&other))
        .then_with(|| cents.cmp(&other_cents))
}
