//! Comparisons with amounts of money.

use tools::rows::condition::SAVING;
use tools::rows::units;

use super::super::amounts;
use super::amount_context::{AmountContext, FoundField, LimitField, is_paid};

locale::patterns! {
    /// Those who rate things.
    static PEOPLE = r"(?i)^(?:people|persons|customers|users|guests|buyers|patients|visitors|readers|leuten?|personen|kunden|nutzern?|gästen?|käufern?|patienten|besuchern?|osób|osoby|klient\p{Latin}+|użytkownik\p{Latin}+|gości|pacjent\p{Latin}+)$";
    /// What stands before how much cheaper something has become.
    static REDUCED_BY = r"(?i)\b(?:by|um)\s+(?:at least|no less than|more than|over|at most|up to|mindestens|wenigstens|höchstens|mehr als|über)?\s*$|\b(?:obniżon\p{Latin}*|przecenion\p{Latin}*|spadła|tańsz\p{Latin}*)\s+o\b(?:\s+\p{Latin}+){0,3}\s*$|[\u{E000}-\u{F8EF}]\s*(?:(?:by|um|o)\s+(?:at least|no less than|more than|over|mindestens|wenigstens|mehr als|über|przynajmniej|co najmniej|ponad|więcej niż|minimum)?)?\s*$";
    /// What is reduced, at the end of a text, with its "by": "reduced by 40 pounds or more" has the comparison behind the amount.
    static BY_END = r"(?i)(?:[\u{E000}-\u{F8EF}]|\b(?:reduced|cut|down|reduziert|gesenkt|przecenion\p{Latin}*|obniżon\p{Latin}*))\s+(?:by|um|o)\s*$";
}

/// What a price was cut by is no price, unless it is a share of it.
pub(super) fn reduction(context: &AmountContext<'_>) -> Option<FoundField> {
    let said = format!("{}{}", context.before, context.compared());
    let is_reduction = || REDUCED_BY.is_match(&said) || BY_END.is_match(context.before);
    if context.is_share || !is_reduction() {
        return None;
    }
    // "rated 4.7 by at least 100 people"
    if PEOPLE.is_match(context.amount.unit) {
        return Some(context.named("reviews"));
    }
    Some(match context.amount.has_sign || context.is_in_money() {
        true => context.named(SAVING),
        false => context.found(LimitField::Unknown),
    })
}

/// An amount with a sign of a currency before it.
pub(super) fn with_sign(context: &AmountContext<'_>) -> Option<FoundField> {
    if !context.amount.has_sign {
        return None;
    }
    // "$50 reviews" is none; the word behind belongs to what follows.
    let unit = context.amount.unit;
    let is_money = unit.is_empty() || amounts::is_currency(unit) || context.words.thousand.is_match(unit);
    let price = context.named("price");
    Some(if is_money {
        price
    } else {
        price.up_to(context.amount.unit_start)
    })
}

/// "cheaper than 100 thousand": the comparison is one of prices.
pub(super) fn cheaper_than_thousands(context: &AmountContext<'_>) -> Option<FoundField> {
    let is_price = amounts::says_cheaper(context.compared()) && is_in_thousands(context);
    is_price.then(|| context.named("price").up_to(context.end_with_currency()))
}

/// "manual gearbox under 12,000 euros": money is a price or what is named before it and paid.
pub(super) fn in_money(context: &AmountContext<'_>) -> Option<FoundField> {
    if units::is_unit(context.amount.unit) || !context.is_in_money() {
        return None;
    }
    let paid = context.field_before().filter(|name| is_paid(name));
    Some(context.named(paid.as_deref().unwrap_or("price")))
}

/// "100 thousand euros": of what, only the words before may say.
pub(super) fn thousands(context: &AmountContext<'_>) -> Option<FoundField> {
    if !is_in_thousands(context) {
        return None;
    }
    let field = context
        .field_before()
        .map_or(LimitField::Unnamed, LimitField::Named);
    Some(context.found(field).up_to(context.end_with_currency()))
}

fn is_in_thousands(context: &AmountContext<'_>) -> bool {
    context.words.thousand.is_match(context.amount.unit)
}
