//! The numbers of a price text, each with its currency, and which of them is the price.

use std::cmp::Ordering;

use smallvec::SmallVec;

use super::cents::{self, Cents};
use super::currency::{self, CurrencyCertainty, CurrencyMatch};
use super::labels::{self, PriceLabel};
use super::lists;
use super::scaling::{self, CurrenciesBeside};
use super::types::{ParsedPrice, PriceHints, PriceKind};
use crate::decimal::{compare, scale};
use crate::number::{self, NumberStyle, WrittenNumber, char_at, char_before, is_minus};

/// How likely a number is the price, by what stands beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// A part of a word.
    InWord,
    /// No currency, or one of a single letter.
    Bare,
    /// A currency that may be something else.
    DoubtfulCurrency,
    /// A currency.
    Currency,
}

/// A number of the text with what stands around it.
struct AmountCandidate {
    written: WrittenNumber,
    /// Behind its cents, which may stand behind the currency sign ("35€99").
    end: usize,
    amount: String,
    /// The power of ten of the word that scaled the amount.
    power: Option<i32>,
    currency: Option<CurrencyMatch>,
    /// Upper bound when the next number closes a range.
    upper: Option<String>,
    rank: Rank,
    /// Percentages, dates, counts, negatives: never a price.
    excluded: bool,
}

impl AmountCandidate {
    /// Where the number or the currency before it begins.
    fn start(&self) -> usize {
        let number = self.written.start;
        self.currency
            .map_or(number, |currency| currency.start.min(number))
    }

    /// Where the number or the currency behind it ends.
    fn end_with_currency(&self) -> usize {
        self.currency
            .map_or(self.end, |currency| currency.end.max(self.end))
    }

    fn is_zero(&self) -> bool {
        self.amount.bytes().all(|byte| matches!(byte, b'0' | b'.'))
    }
}

/// The currencies of a text; none is looked for where it holds nothing but numbers.
fn currencies(text: &str) -> SmallVec<[CurrencyMatch; 4]> {
    let is_bare = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b',' | b' '));
    if is_bare {
        SmallVec::new()
    } else {
        currency::scan(text)
    }
}

/// A currency as written, with its ISO code.
type NamedCurrency<'t> = (Option<&'t str>, Option<&'static str>);

/// The numbers and currencies of one text.
pub(super) struct PriceText<'t> {
    text: &'t str,
    candidates: SmallVec<[AmountCandidate; 4]>,
    currencies: SmallVec<[CurrencyMatch; 4]>,
}

impl<'t> PriceText<'t> {
    pub(super) fn new(text: &'t str, hints: &PriceHints<'_>) -> PriceText<'t> {
        PriceText::with_currencies(text, currencies(text), hints)
    }

    /// A text with a digit and a currency; none where one of them is missing, which needs no look at the numbers.
    pub(super) fn with_currency(text: &'t str, hints: &PriceHints<'_>) -> Option<PriceText<'t>> {
        if !number::has_digit(text) {
            return None;
        }
        let currencies = currencies(text);
        (!currencies.is_empty()).then(|| PriceText::with_currencies(text, currencies, hints))
    }

    fn with_currencies(
        text: &'t str,
        currencies: SmallVec<[CurrencyMatch; 4]>,
        hints: &PriceHints<'_>,
    ) -> PriceText<'t> {
        let mut price_text = PriceText {
            text,
            candidates: SmallVec::new(),
            currencies,
        };
        price_text.find_candidates(hints);
        price_text.join_ranges();
        price_text.exclude();
        price_text
    }

    /// Whether the text holds no number and says that something is free.
    pub(super) fn is_free(&self) -> bool {
        self.candidates.is_empty() && labels::is_free(&self.text.to_lowercase())
    }

    /// The prices with a currency beside them, in order.
    pub(super) fn priced(&self) -> Vec<ParsedPrice<'t>> {
        let length = self.text.trim().len();
        // A doubtful currency counts only where nothing but the price is written ("150 kr", not "the 12 KR of May").
        // Nor does one that is a unit of measure, too ("2 L"), or a word before a short number ("TOP 10").
        let is_alone = |candidate: &AmountCandidate| {
            candidate.currency.is_some_and(|currency| {
                let written = currency.end - currency.start + candidate.end - candidate.written.start;
                let is_behind = currency.start >= candidate.written.end;
                let form = currency.text(self.text).unwrap_or_default();
                let is_word = currency.certainty == CurrencyCertainty::BehindNumber;
                let is_doubtful = match is_behind {
                    true => labels::is_unit_too(form),
                    false => is_word && candidate.written.is_plain(),
                };
                // A unit of goods behind it leaves no doubt ("200 kr/kg").
                let rest = self.text.get(candidate.end_with_currency()..).unwrap_or_default();
                let has_unit = is_behind && rest.trim_start().starts_with('/') && self.is_per_unit(candidate);
                (length <= written + 3 || has_unit) && !is_doubtful
            })
        };
        let priced = self.candidates.iter().filter(|candidate| {
            !candidate.excluded && (candidate.rank == Rank::Currency || is_alone(candidate))
        });
        priced.map(|candidate| self.price(candidate)).collect()
    }

    /// The number that is the price.
    pub(super) fn best_price(&self) -> Option<ParsedPrice<'t>> {
        self.best().map(|candidate| self.price(candidate))
    }

    /// Pairs each number with the currency beside it and reads its amount.
    fn find_candidates(&mut self, hints: &PriceHints<'_>) {
        let mut behind = 0;
        let style = NumberStyle {
            decimal: hints.decimal_separator,
            group: hints.digit_group_separator,
            ..NumberStyle::default()
        };
        let numbers = lists::parted(self.text, number::scan(self.text, style), &self.currencies);
        let mut spaced = cents::behind_blank(self.text, &numbers, &self.currencies);
        for written in numbers {
            if written.start < behind {
                continue;
            }
            if let Some(candidate) = self.candidate(written, spaced.take(), hints) {
                behind = candidate.end;
                self.candidates.push(candidate);
            }
        }
    }

    /// Reads one number; `cents` are those that stand apart from it.
    fn candidate(
        &self,
        mut written: WrittenNumber,
        cents: Option<Cents>,
        hints: &PriceHints<'_>,
    ) -> Option<AmountCandidate> {
        let beside = CurrenciesBeside {
            is_before: self.is_opened_by_currency(&written),
            all: &self.currencies,
        };
        let scaled = scaling::scale_after(self.text, written.start, written.end, &beside);
        let mut smaller = 0;
        let cents = cents
            .or_else(|| cents::raised(self.text, &written))
            .or_else(|| cents::behind_colon(self.text, &written, &self.currencies));
        if let Some(scaled) = scaled {
            written.end = scaled.end;
            if let Some((part, end)) = scaling::smaller_part(self.text, scaled.end, scaled.power) {
                (smaller, written.end) = (part, end);
            }
        } else if let Some(cents) = &cents {
            written.end = cents.end;
        }
        let (currency, after) = self.currency_beside(&written);
        let style = NumberStyle {
            decimal: hints.decimal_separator,
            group: hints.digit_group_separator,
            thousandth_separators: currency
                .filter(|_| scaled.is_none())
                .map_or("", |currency| currency::thousandth_separators(currency.iso)),
        };
        let mut amount = number::amount(self.text, &written, style)?;
        let mut end = written.end;
        let mut power = scaled.map(|scaled| scaled.power);
        if currency.is_some_and(|sign| cents::is_in_coins(self.text, &amount, sign, end)) {
            power = Some(-2);
            amount = scale(&amount, -2)?;
        } else if let Some(scaled) = scaled {
            amount = scale(&amount, scaled.power)?;
            if smaller > 0 {
                amount = amount.parse::<u64>().ok()?.checked_add(smaller)?.to_string();
            }
        } else if let Some(cents) = cents.or_else(|| self.cents_behind(&written, currency, after, hints)) {
            amount.push('.');
            amount.push_str(&cents.digits);
            end = cents.end;
        }
        Some(AmountCandidate {
            end,
            amount,
            power,
            currency,
            upper: None,
            rank: self.rank(&written, currency),
            excluded: self.is_part_of_name(&written),
            written,
        })
    }

    /// Cents behind the currency of a number, in small coins ("12 zł 99 gr") or as two digits ("35€99").
    fn cents_behind(
        &self,
        written: &WrittenNumber,
        currency: Option<CurrencyMatch>,
        after: Option<CurrencyMatch>,
        hints: &PriceHints<'_>,
    ) -> Option<Cents> {
        let sign = currency?;
        if cents::has_fraction(self.text, written) {
            return None;
        }
        cents::in_small_coins(self.text, sign.end.max(written.end), sign.iso).or_else(|| {
            // A sign behind a number that has another one before is that of the next number.
            let closing = after.filter(|after| after.start == sign.start)?;
            cents::behind_sign(self.text, written, closing, &self.currencies, hints)
        })
    }

    /// Whether a currency stands before the number, or before the range whose upper end the number is.
    fn is_opened_by_currency(&self, written: &WrittenNumber) -> bool {
        let last = self.candidates.last();
        let between = |low: &AmountCandidate| self.text.get(low.end_with_currency()..written.start);
        let closes_range = last
            .filter(|low| low.currency.is_some())
            .and_then(between)
            .is_some_and(labels::joins_range);
        closes_range || self.untaken_currency_before(written).is_some()
    }

    /// The currency of a number, and the one behind it.
    fn currency_beside(&self, written: &WrittenNumber) -> (Option<CurrencyMatch>, Option<CurrencyMatch>) {
        let text = self.text;
        let after = self.currency_after(written);
        let before = self.untaken_currency_before(written);
        let code_before = before.and_then(|sign| {
            let code = *self.currencies.iter().rev().find(|code| code.end <= sign.start)?;
            let is_close = text.get(code.end..sign.start)?.trim().is_empty();
            (is_close && names_the_dollar(text, sign, code)).then_some(code)
        });
        let currency = match (before, after) {
            _ if code_before.is_some() => code_before,
            (_, Some(sign)) if self.code_behind(sign).is_some() => self.code_behind(sign),
            (Some(sign), Some(code)) if names_the_dollar(text, sign, code) => Some(code),
            _ => before
                .filter(|sign| sign.is_certain() || after.is_none())
                .or(after)
                .or(before),
        };
        (currency, after)
    }

    /// The code behind a dollar sign that stands behind its number: "10 $ CAD". It opens no further number.
    fn code_behind(&self, sign: CurrencyMatch) -> Option<CurrencyMatch> {
        let code = *self.currencies.iter().find(|code| code.start >= sign.end)?;
        let is_close = self.text.get(sign.end..code.start)?.trim().is_empty();
        let behind = self.text.get(code.end..)?.trim_start();
        let opens_number = behind.starts_with(|c: char| number::digit(c).is_some());
        (is_close && !opens_number && names_the_dollar(self.text, sign, code)).then_some(code)
    }

    /// The currency right before the number. A sign that closes the number before cannot open this one ("10 € 20 €").
    fn untaken_currency_before(&self, written: &WrittenNumber) -> Option<CurrencyMatch> {
        let last = self.candidates.last().and_then(|last| last.currency);
        self.currency_before(written)
            .filter(|sign| last.is_none_or(|taken| taken.start != sign.start))
    }

    /// The currency that stands right before the number.
    fn currency_before(&self, written: &WrittenNumber) -> Option<CurrencyMatch> {
        let sign = *self
            .currencies
            .iter()
            .rev()
            .find(|sign| sign.end <= written.start && sign.text(self.text) != Some(":-"))?;
        let gap = self.text.get(sign.end..written.start)?;
        let is_near = gap.len() <= 6
            && gap
                .chars()
                .all(|c| c.is_whitespace() || matches!(c, ':' | '.' | '-'));
        let is_believed = match sign.certainty {
            _ if sign.is_capitalised => false,
            CurrencyCertainty::BehindNumber => self.opens_with_code(sign),
            _ => !self.is_name(sign, written),
        };
        (is_near && is_believed).then_some(sign)
    }

    /// Whether a code that is a word, too, is written as a code where a price begins ("TRY 1,299.00").
    fn opens_with_code(&self, sign: CurrencyMatch) -> bool {
        let head = self.text.get(..sign.start).unwrap_or_default().trim_end();
        let is_code = sign
            .text(self.text)
            .is_some_and(|code| code.bytes().all(|byte| byte.is_ascii_uppercase()));
        is_code && (head.is_empty() || head.ends_with([':', '(', '/', '|']))
    }

    fn is_part_of_name(&self, written: &WrittenNumber) -> bool {
        let mut signs = self.currencies.iter().filter(|sign| sign.end == written.start);
        signs.any(|sign| self.is_name(*sign, written))
    }

    /// Whether letters touch a sign of letters and its number on both sides: a name ("S/4HANA", "R2D2"), no price.
    fn is_name(&self, sign: CurrencyMatch, written: &WrittenNumber) -> bool {
        let is_letters = sign.text(self.text).is_some_and(|sign| {
            sign.bytes()
                .all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'.'))
        });
        let behind = char_at(self.text, written.end).filter(|c| c.is_alphabetic() || *c == '_');
        let is_unit = self.currencies.iter().any(|other| other.start == written.end);
        is_letters && sign.end == written.start && behind.is_some_and(|c| u32::from(c) < 0x2E80) && !is_unit
    }

    /// The currency that stands right behind the number.
    fn currency_after(&self, written: &WrittenNumber) -> Option<CurrencyMatch> {
        if cents::is_minute(self.text, written) {
            return None;
        }
        let sign = *self.currencies.iter().find(|sign| sign.start >= written.end)?;
        let gap = self.text.get(written.end..sign.start)?;
        // The ending of a file ("page1.php") is no currency.
        let is_ending = gap == "."
            && sign
                .text(self.text)
                .is_some_and(|sign| sign.bytes().all(|byte| byte.is_ascii_lowercase()));
        let opens_next = cents::opens_next_number(self.text, written, sign);
        // ",-" and ",--" stand for no cents.
        let gap = gap
            .strip_prefix([',', '.'])
            .map_or(gap, |rest| rest.trim_start_matches(['-', '–', '—', '=']));
        (!is_ending && !opens_next && gap.len() <= 6 && gap.chars().all(char::is_whitespace)).then_some(sign)
    }

    fn rank(&self, written: &WrittenNumber, currency: Option<CurrencyMatch>) -> Rank {
        let is_glued = char_before(self.text, written.start).is_some_and(char::is_alphabetic)
            || char_at(self.text, written.end).is_some_and(char::is_alphabetic);
        match currency {
            Some(currency) if currency.is_certain() => Rank::Currency,
            Some(currency)
                if currency
                    .text(self.text)
                    .is_some_and(|sign| sign.chars().count() > 1) =>
            {
                Rank::DoubtfulCurrency
            }
            None if is_glued => Rank::InWord,
            Some(_) | None => Rank::Bare,
        }
    }

    /// Gives the lower end of a range the currency of its upper end, and the word that scales it ("€70–90k").
    fn join_ranges(&mut self) {
        for at in (0..self.candidates.len().saturating_sub(1)).rev() {
            let (head, tail) = self.candidates.split_at_mut(at + 1);
            let (Some(low), Some(high)) = (head.last_mut(), tail.first()) else {
                continue;
            };
            let between = self.text.get(low.end_with_currency()..high.start());
            let closes = high.currency.is_some_and(|currency| currency.start >= high.end);
            let fits = match (low.currency, high.currency) {
                (None, Some(_)) => closes,
                (Some(low), Some(high)) => low.iso == high.iso,
                _ => true,
            };
            let head = self.text.get(..low.start()).unwrap_or_default();
            let joined = between
                .map(cents::without_no_cents)
                .is_some_and(|between| labels::joins_range(between) || labels::joins_between(head, between));
            let shared = shared_scale(low, high);
            let lower_end = shared.as_ref().unwrap_or(&low.amount);
            if !joined || !fits || compare(lower_end, &high.amount) == Ordering::Greater {
                continue;
            }
            if low.currency.is_none() {
                (low.currency, low.rank) = (high.currency, high.rank);
            }
            if let Some(amount) = shared {
                (low.amount, low.power) = (amount, high.power);
            }
            low.upper = Some(high.amount.clone());
        }
    }

    /// Marks the numbers that cannot be a price.
    fn exclude(&mut self) {
        let text = self.text;
        let has_words = text.len() >= 8
            && text
                .bytes()
                .any(|byte| byte.is_ascii_alphabetic() || byte >= 0x80);
        let mut lower: Option<String> = None;
        for candidate in &mut self.candidates {
            let start = candidate.start();
            let before = char_before(text, candidate.written.start);
            let rest = text.get(candidate.end..).unwrap_or_default();
            let is_percentage = rest.trim_start().starts_with(['%', '‰', '٪']) || before == Some('%');
            let is_bare = candidate.currency.is_none();
            candidate.excluded |= is_percentage
                || is_negative(text, start)
                || (start != candidate.written.start && is_signed(text, candidate.written.start))
                || (is_bare && is_code_or_date(text, candidate));
            if candidate.excluded || !has_words {
                continue;
            }
            let lower = lower.get_or_insert_with(|| text.to_lowercase());
            let head = head_of(lower, start);
            let is_year = is_bare && candidate.written.is_plain() && labels::names_month(lower);
            candidate.excluded |=
                is_year || labels::is_threshold(head) || (is_bare && labels::is_quantity(head));
        }
    }

    /// Of the numbers of the highest rank the first that is neither an earlier price nor a saving.
    fn best(&self) -> Option<&AmountCandidate> {
        let usable = || self.candidates.iter().filter(|candidate| !candidate.excluded);
        let rank = usable().map(|candidate| candidate.rank).max()?;
        let mut equals = usable().filter(|candidate| candidate.rank == rank);
        let first = equals.next()?;
        if equals.next().is_none() {
            return Some(first);
        }
        let lower = self.text.to_lowercase();
        let mut from = 0;
        let mut best: Option<(&AmountCandidate, u8)> = None;
        for candidate in &self.candidates {
            let before = lower.get(from..).unwrap_or_default();
            let label = labels::label(head_of(before, candidate.start().saturating_sub(from)));
            from = labels::behind_reduction(&lower, candidate.end_with_currency());
            if candidate.excluded || candidate.rank != rank {
                continue;
            }
            let demerit = match label {
                // Nothing (0.00) is no offer.
                _ if candidate.is_zero() => 3,
                PriceLabel::Saving | PriceLabel::Shipping => 2,
                PriceLabel::Earlier | PriceLabel::Partial => 1,
                PriceLabel::None | PriceLabel::Current => u8::from(self.is_per_unit(candidate)),
            };
            if best.is_none_or(|(_, least)| demerit < least) {
                best = Some((candidate, demerit));
            }
        }
        best.map(|(candidate, _)| candidate)
    }

    /// Whether the text behind an amount makes it the price of a unit. Another amount is no unit: "US$ 10 / CA$ 13".
    fn is_per_unit(&self, candidate: &AmountCandidate) -> bool {
        let end = candidate.end_with_currency();
        let rest = self.text.get(end..).unwrap_or_default();
        let is_next = |other: &AmountCandidate| {
            let between = self.text.get(end..other.start()).map(str::trim);
            let is_other = |between| between == "/" || labels::names_next(between);
            other.rank == Rank::Currency && between.is_some_and(is_other)
        };
        labels::is_per_unit(rest) && !self.candidates.iter().any(is_next)
    }

    fn price(&self, candidate: &AmountCandidate) -> ParsedPrice<'t> {
        let rest = self.text.get(candidate.end_with_currency()..).unwrap_or_default();
        let head = self.text.get(..candidate.start()).unwrap_or_default();
        let label = if head.len() < 2 {
            PriceLabel::None
        } else {
            labels::label(&head.to_lowercase())
        };
        let kind = match label {
            PriceLabel::Partial => PriceKind::Installment,
            PriceLabel::Earlier => PriceKind::Earlier,
            _ if self.is_per_unit(candidate) || labels::names_unit(head) => PriceKind::PerUnit,
            _ if labels::is_aside(head, rest) => PriceKind::Aside,
            _ => PriceKind::Full,
        };
        let written = candidate.written.start..candidate.end;
        let is_in_coins = candidate.power == Some(-2);
        let (currency, iso) = match candidate.currency {
            Some(_) if is_in_coins => (Some(cents::DOLLAR.0), Some(cents::DOLLAR.1)),
            Some(sign) => (Some(sign.name(self.text)), Some(sign.iso)),
            None => (None, None),
        };
        ParsedPrice {
            amount: candidate.amount.clone(),
            upper: candidate.upper.clone(),
            currency,
            iso,
            raw: self.text.get(written).unwrap_or_default(),
            kind,
        }
    }

    /// The currency of a text whose price has none beside it: named in the text, else in the hint.
    pub(super) fn currency(&self, hints: &PriceHints<'t>) -> NamedCurrency<'t> {
        let hint = hints.currency_hint.unwrap_or_default();
        let certain = |all: &[CurrencyMatch]| all.iter().find(|currency| currency.is_certain()).copied();
        let named = |text: &'t str, currency: CurrencyMatch| (currency.text(text), Some(currency.iso));
        if let Some(currency) = certain(&self.currencies) {
            return named(self.text, currency);
        }
        if hint.is_empty() {
            return (None, None);
        }
        let hinted = PriceText::new(hint, &PriceHints::default());
        let is_whole = |currency: &&CurrencyMatch| hint.trim().len() == currency.end - currency.start;
        certain(&hinted.currencies)
            .or_else(|| hinted.currencies.iter().find(is_whole).copied())
            .or_else(|| hinted.candidates.iter().find_map(|candidate| candidate.currency))
            .map_or((None, None), |currency| named(hint, currency))
    }
}

/// "$5 CAD" and "NZD $5": the code says which dollar the sign means.
fn names_the_dollar(text: &str, sign: CurrencyMatch, code: CurrencyMatch) -> bool {
    let is_code = |code: &str| code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
    sign.text(text) == Some("$") && code.text(text).is_some_and(is_code)
}

/// The lower end of a range, scaled as the upper end is, where it is the smaller number as written: "€70–90k" is 70,000 to
/// 90,000, and "€500–1k" 500 to 1,000.
fn shared_scale(low: &AmountCandidate, high: &AmountCandidate) -> Option<String> {
    let power = high.power.filter(|_| low.power.is_none())?;
    let written = scale(&high.amount, -power)?;
    let is_smaller = compare(&low.amount, &written) == Ordering::Less;
    is_smaller.then(|| scale(&low.amount, power)).flatten()
}

/// Whether a minus sign stands between a currency and its number: "$-5". ":-" is a colon ("Rs:-499").
fn is_signed(text: &str, start: usize) -> bool {
    let minus = char_before(text, start).filter(|c| is_minus(*c));
    minus.is_some_and(|minus| char_before(text, start - minus.len_utf8()) != Some(':'))
}

/// Whether a minus sign touches the amount at `start` and belongs to nothing before it.
fn is_negative(text: &str, start: usize) -> bool {
    let Some(minus) = char_before(text, start).filter(|c| is_minus(*c)) else {
        return false;
    };
    // ":-" is a colon of Indian shops: "Price:-₹499".
    let before = char_before(text, start - minus.len_utf8());
    before.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '['))
}

/// Whether a bare number reads as a date, a time, a fraction or a running number.
fn is_code_or_date(text: &str, candidate: &AmountCandidate) -> bool {
    let written = &candidate.written;
    let is_padded = written.is_plain() && written.is_padded(text);
    let before = char_before(text, written.start);
    let mut rest = text.get(candidate.end..).unwrap_or_default().chars();
    let (next, second) = (rest.next(), rest.next());
    let digit_follows = second.and_then(number::digit);
    let is_joined = matches!(next, Some('/' | ':' | 'x' | '×')) && digit_follows.is_some();
    let is_dated = next == Some('-') && digit_follows == Some(0) && written.is_plain();
    let is_counted = matches!(next, Some('x' | 'X' | '×')) && !second.is_some_and(char::is_alphabetic);
    let digit_before = before
        .and_then(|c| char_before(text, written.start - c.len_utf8()))
        .and_then(number::digit);
    let is_tail = matches!(before, Some('/' | ':')) && digit_before.is_some();
    is_padded || is_joined || is_dated || is_counted || is_tail || matches!(before, Some('#' | '№'))
}

/// The part of a lower-case text that ends where the original text is at byte `at`.
///
/// Lower-casing rarely changes lengths; when it did, the nearest character border before is good enough.
fn head_of(lower: &str, at: usize) -> &str {
    lower.get(..lower.floor_char_boundary(at)).unwrap_or_default()
}
