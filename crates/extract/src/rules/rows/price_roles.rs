//! Which amount of an entry is what one pays now, which is the old price, an instalment, a price per unit.
//!
//! Amounts at the same place in all entries are one column, and a column has one role: what most of its amounts are said to
//! be holds for the others too. Of two columns that nothing is said about, the one whose amounts are larger in all entries
//! is the old price.

use std::collections::HashMap;

use locale::price::compare;
use serde_json::Value;

use super::money::{self, EntryAmount, Setting};
use super::said_amounts::SaidAmount;
use crate::normalize;
use crate::rules::records::Record;
use crate::rules::visible_page::VisiblePage;

/// The amounts of one entry, by role.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct RowPrices {
    /// What one pays now.
    pub(super) price: Option<Value>,
    /// What it cost before.
    pub(super) old_price: Option<Value>,
    /// One part of a payment plan.
    pub(super) instalment: Option<Value>,
    /// What a unit of measure or a month costs.
    pub(super) unit_price: Option<Value>,
    /// ISO 4217 code of the price.
    pub(super) currency: Option<String>,
}

/// Fewest entries of a list in which an amount within a sentence is no price where most entries have none there: "a $600 million
/// fund" of a news item.
const LIST: usize = 4;

/// Share of the entries that state what they cost for a time, in tenths, where this is what one pays.
const RATES: usize = 8;

/// What is known of the amounts at one place.
#[derive(Debug, Default)]
struct ColumnRole {
    entries: f32,
    settings: [f32; 6],
    named: f32,
    current: f32,
    order: f32,
}

impl ColumnRole {
    /// The setting of most amounts, if it is not plain.
    fn common(&self) -> Option<Setting> {
        const ALL: [Setting; 6] = [
            Setting::Plain,
            Setting::Struck,
            Setting::Earlier,
            Setting::Instalment,
            Setting::PerUnit,
            Setting::Aside,
        ];
        let most = ALL.into_iter().find(|setting| {
            self.settings
                .get(*setting as usize)
                .is_some_and(|share| *share * 2.0 > self.entries)
        });
        // What is struck in most entries is the price in those where it is not.
        most.filter(|setting| !matches!(setting, Setting::Plain | Setting::Struck))
    }

    /// How likely it holds what one pays: in how many entries, how named, how early. The parts are set by hand so that being
    /// in twice as many entries outweighs a name, and a name outweighs the order.
    fn likeness(&self, entries: f32) -> f32 {
        self.entries / entries + 0.3 * self.named / self.entries + 0.2 * self.current / self.entries
            - 0.02 * (self.order / self.entries).min(10.0)
    }
}

/// Reads the amounts of every entry of a list.
pub(super) fn read(view: &VisiblePage<'_>, records: &[Record]) -> Vec<RowPrices> {
    let mut all: Vec<Vec<EntryAmount>> = records
        .iter()
        .map(|record| money::mentions(view, record))
        .collect();
    let columns = columns(&all);
    for mentions in &mut all {
        // An entry that names its own instalment has no second one at the place where others have theirs.
        let said: Vec<Setting> = mentions.iter().map(|mention| mention.setting).collect();
        for mention in mentions {
            if matches!(mention.setting, Setting::Plain | Setting::Earlier)
                && let Some(common) = columns.get(&mention.column).and_then(ColumnRole::common)
                && !said.contains(&common)
                && mention.may_share_role(common)
            {
                mention.setting = common;
            }
        }
    }
    let entries = records.len().max(1) as f32;
    if records.len() >= LIST {
        let is_told = |mention: &EntryAmount| {
            let often = columns
                .get(&mention.column)
                .is_some_and(|role| role.entries * 2.0 >= entries);
            mention.is_in_sentence && !mention.named && !often
        };
        all.iter_mut()
            .for_each(|mentions| mentions.retain(|mention| !is_told(mention)));
    }
    leave_estimates(&mut all);
    pay_by_time(&mut all);
    pay_as_others(&mut all);
    pay_list_price(&mut all);
    pay_set_aside(&mut all);
    let likeness = |column: u64| columns.get(&column).map_or(0.0, |role| role.likeness(entries));
    all.iter().map(|mentions| roles(mentions, &likeness)).collect()
}

fn columns(all: &[Vec<EntryAmount>]) -> HashMap<u64, ColumnRole> {
    let mut columns: HashMap<u64, ColumnRole> = HashMap::new();
    for mentions in all {
        for (order, mention) in mentions.iter().enumerate() {
            let role = columns.entry(mention.column).or_default();
            role.entries += 1.0;
            role.named += f32::from(u8::from(mention.named));
            role.current += f32::from(u8::from(mention.current));
            role.order += order as f32;
            if let Some(count) = role.settings.get_mut(mention.setting as usize) {
                *count += 1.0;
            }
        }
    }
    columns
}

/// Where lots state what is bid for them, what they are thought to bring is no price.
fn leave_estimates(all: &mut [Vec<EntryAmount>]) {
    let are_bid_for = all
        .iter()
        .flatten()
        .any(|mention| mention.said == SaidAmount::Bid);
    let estimates = all
        .iter_mut()
        .flatten()
        .filter(|mention| are_bid_for && mention.said == SaidAmount::Estimate);
    estimates.for_each(|mention| mention.setting = Setting::Aside);
}

/// What an entry asks for a time is its price where most entries have theirs for a time at that place, and this one no other: "2 950 zł / mies."
/// among rents that name a service charge, too.
fn pay_as_others(all: &mut [Vec<EntryAmount>]) {
    let mut plain: HashMap<u64, usize> = HashMap::new();
    let is_rent = |mention: &&EntryAmount| mention.setting == Setting::Plain && mention.is_by_time;
    for mention in all.iter().flatten().filter(is_rent) {
        *plain.entry(mention.column).or_default() += 1;
    }
    let entries = all.len();
    for mentions in all.iter_mut() {
        if mentions.iter().any(|mention| mention.setting == Setting::Plain) {
            continue;
        }
        let is_at_place = |mention: &&mut EntryAmount| {
            plain
                .get(&mention.column)
                .is_some_and(|count| count * 2 >= entries)
        };
        let mut by_time = mentions.iter_mut().filter(|mention| {
            matches!(mention.setting, Setting::PerUnit | Setting::Instalment)
                && mention.is_by_time
                && !mention.is_of_fee
        });
        if let Some(mention) = by_time.find(is_at_place) {
            mention.setting = Setting::Plain;
        }
    }
}

/// Where nearly all entries have a price for a month or a unit at one place, and too few any other price, that is what one pays:
/// what else is shown is a fee.
fn pay_by_time(all: &mut [Vec<EntryAmount>]) {
    let has_rate = |mentions: &&Vec<EntryAmount>| {
        mentions
            .iter()
            .any(|mention| mention.setting == Setting::PerUnit && mention.is_by_time && !mention.is_of_fee)
    };
    let are_rates = all.iter().filter(has_rate).count() * 10 >= all.len() * RATES;
    let most = |setting: Setting| {
        let mut counts: HashMap<u64, usize> = HashMap::new();
        // "Day pass £18" is the price for another time, and where all rents are by the month, "Service charge: £80" is a fee.
        let is_beside = |mention: &EntryAmount| mention.is_for_time || are_rates && mention.is_of_fee;
        let is_of = |mention: &&EntryAmount| {
            mention.setting == setting && !(setting == Setting::Plain && is_beside(mention))
        };
        let of_setting = all.iter().flatten().filter(is_of);
        for mention in of_setting {
            *counts.entry(mention.column).or_default() += 1;
        }
        counts.into_iter().max_by_key(|(column, count)| (*count, *column))
    };
    // "Monthly price £26.99" is no part of a price where nothing else is one.
    let by_setting = [Setting::PerUnit, Setting::Instalment].map(|setting| (setting, most(setting)));
    let Some((by_time, (column, count))) = by_setting
        .into_iter()
        .filter_map(|(setting, most)| Some((setting, most?)))
        .max_by_key(|(_, (_, count))| *count)
    else {
        return;
    };
    // One that is reduced stands in another element.
    let has_any = |mentions: &&Vec<EntryAmount>| mentions.iter().any(|mention| mention.setting == by_time);
    let count = count.max(all.iter().filter(has_any).count());
    let plain = most(Setting::Plain).map_or(0, |(_, plain)| plain);
    // What is free says nothing against the prices of the others.
    let free = all.iter().filter(|mentions| is_free(mentions)).count();
    let paid = all.iter().filter(|mentions| !mentions.is_empty()).count() - free;
    let others = all.len() - free;
    // Where each amount says for which time it is paid, there is no other price, and some entries are let for one of the times alone.
    let are_all_for_times = plain * 10 <= paid * 2 && all.iter().flatten().any(|mention| mention.is_for_time);
    let is_common = match are_all_for_times {
        true => count * 10 >= paid * 7,
        // An entry without any amount, as "price on request", says nothing against the others.
        false => count * 10 >= paid * 9 && paid * 2 >= others,
    };
    // An entry without any amount, as "price on request", says nothing against the prices of the others either.
    if !is_common || plain * 10 >= paid * 8 {
        return;
    }
    for mentions in all.iter_mut().filter(|mentions| !is_free(mentions)) {
        // A reduced price stands in another element than those of other entries.
        let is_main = |mention: &EntryAmount| mention.setting == by_time && mention.column == column;
        let is_elsewhere = !mentions.iter().any(is_main);
        for mention in mentions {
            mention.setting = match mention.setting {
                setting if setting == by_time && (mention.column == column || is_elsewhere) => Setting::Plain,
                Setting::Plain => Setting::Aside,
                other => other,
            };
        }
    }
}

/// Whether an entry states that it costs nothing, and no other amount.
fn is_free(mentions: &[EntryAmount]) -> bool {
    !mentions.is_empty() && mentions.iter().all(is_zero)
}

fn is_zero(mention: &EntryAmount) -> bool {
    mention.amount.bytes().all(|byte| matches!(byte, b'0' | b'.'))
}

/// Where a list states nothing but list prices, they are what one pays.
fn pay_list_price(all: &mut [Vec<EntryAmount>]) {
    let is_listed = |mention: &EntryAmount| mention.setting == Setting::Struck && !mention.is_struck;
    if all.iter().flatten().all(is_listed) {
        all.iter_mut()
            .flatten()
            .for_each(|mention| mention.setting = Setting::Plain);
    }
}

/// Where no entry has an amount of another kind, and nearly all have one at a place whose name calls it a price, that is what one pays,
/// whatever else the name says: `delivery-menu__price`, `price-netto`.
fn pay_set_aside(all: &mut [Vec<EntryAmount>]) {
    if all
        .iter()
        .flatten()
        .any(|mention| mention.setting != Setting::Aside)
    {
        return;
    }
    let mut places: HashMap<u64, usize> = HashMap::new();
    for mention in all.iter().flatten().filter(|mention| mention.may_be_price) {
        *places.entry(mention.column).or_default() += 1;
    }
    let most = places.into_iter().max_by_key(|(column, count)| (*count, *column));
    let Some((column, _)) = most.filter(|(_, count)| *count * 10 >= all.len() * RATES) else {
        return;
    };
    let mentions = all.iter_mut().flatten();
    mentions
        .filter(|mention| mention.column == column && mention.may_be_price)
        .for_each(|mention| mention.setting = Setting::Plain);
}

/// The roles of the amounts of one entry.
fn roles(mentions: &[EntryAmount], likeness: &dyn Fn(u64) -> f32) -> RowPrices {
    let of = |setting: Setting| mentions.iter().filter(move |mention| mention.setting == setting);
    let amount = |mention: &EntryAmount| normalize::from_decimal(&mention.amount);
    let mut best: Option<&EntryAmount> = None;
    // The first of equals stays; an amount of nothing beside others is a total of the basket.
    for mention in of(Setting::Plain) {
        let rank = |mention: &EntryAmount| (!is_zero(mention), likeness(mention.column));
        if best.is_none_or(|best| {
            rank(mention)
                .partial_cmp(&rank(best))
                .is_some_and(|order| order.is_gt())
        }) {
            best = Some(mention);
        }
    }
    // An amount that is only named an earlier one is the price where no other is.
    best = best.or_else(|| of(Setting::Earlier).min_by(|a, b| compare(&a.amount, &b.amount)));
    let mut old = of(Setting::Struck)
        .chain(of(Setting::Earlier))
        .find(|mention| best.is_none_or(|best| compare(&mention.amount, &best.amount).is_gt()));
    if let (Some(now), None) = (best, old) {
        let beside = of(Setting::Plain)
            .find(|other| other.holder != now.holder && other.bare && is_beside(mentions, now, other));
        match beside.map(|other| (other, compare(&other.amount, &now.amount))) {
            Some((other, order)) if order.is_gt() => old = Some(other),
            Some((other, order))
                if order.is_lt() && now.bare && !is_zero(other) && is_reduction(other, now) =>
            {
                (best, old) = (Some(other), Some(now));
            }
            _ => {}
        }
    }
    // What one may pay by the month instead of a whole price is a part of that price.
    let is_part = |mention: &&EntryAmount| {
        mention.is_by_time
            && mention.is_alternative
            && best.is_some_and(|best| !is_zero(best) && !is_reduction(mention, best))
    };
    let parts = || of(Setting::PerUnit).filter(is_part);
    let rates = || of(Setting::PerUnit).filter(|mention| !is_part(mention));
    let currency = best
        .and_then(|best| best.currency)
        .or_else(|| mentions.iter().find_map(|mention| mention.currency));
    RowPrices {
        price: best.and_then(amount),
        old_price: old.and_then(amount),
        instalment: of(Setting::Instalment).chain(parts()).find_map(amount),
        unit_price: rates().find_map(amount),
        currency: currency.filter(|_| !mentions.is_empty()).map(str::to_owned),
    }
}

/// Whether two amounts follow one another within one small element: the two prices of one thing.
fn is_beside(mentions: &[EntryAmount], one: &EntryAmount, other: &EntryAmount) -> bool {
    let place = |mention: &EntryAmount| mentions.iter().position(|it| std::ptr::eq(it, mention));
    let places = place(one).zip(place(other));
    let next = places.is_some_and(|(a, b)| a.abs_diff(b) == 1);
    let later = if places.is_some_and(|(a, b)| a > b) {
        one
    } else {
        other
    };
    // "adults £14, children £9" are two prices of today, and so are those of two columns of a table.
    next && !later.is_labelled
        && one.cell == other.cell
        && (one.around == other.around || is_nested(one, other) || is_nested(other, one))
        && one.currency == other.currency
}

/// Whether an amount stands alone in an element beside another one: `<div><span>20 €</span></div> <span>15 €</span>`.
fn is_nested(one: &EntryAmount, other: &EntryAmount) -> bool {
    // "98 € (reduced 73 €)": the second stands within the first, and is for others.
    one.around == other.within && one.within != other.holder && other.within != one.holder
}

/// Whether the lower of two amounts can be a reduced price of the higher one: at least a quarter of it.
fn is_reduction(lower: &EntryAmount, higher: &EntryAmount) -> bool {
    let number = |mention: &EntryAmount| mention.amount.parse::<f64>().unwrap_or(0.0);
    number(lower) * 4.0 >= number(higher)
}

#[cfg(test)]
mod tests {
    use page::Page;

    use crate::rules::rows;
    use crate::rules::visible_page::VisiblePage;

    fn prices(amounts: impl Fn(u32) -> String) -> Vec<Option<f64>> {
        let dishes: String = (1..=4)
            .map(|at| {
                format!(
                    "<article><h2><a href=/d/{at}>Dish {at}</a></h2><p>Made of rice and beans</p>{}</article>",
                    amounts(at)
                )
            })
            .collect();
        let page = Page::new(
            format!("<h1>Dishes</h1><div>{dishes}</div>"),
            "https://dishes.example/".parse().ok(),
        );
        let rows = rows::read(&VisiblePage::of(&page)).into_iter();
        rows.map(|row| row.price.and_then(|price| price.as_f64()))
            .collect()
    }

    #[test]
    fn an_amount_that_a_name_calls_a_price_is_one_where_there_is_no_other() {
        for name in [
            "lowest-price",
            "delivery-menu__price",
            "points-price",
            "price-netto",
            "savings-price",
        ] {
            let found = prices(|at| format!("<span class='{name}'>£1{at}.50</span>"));
            assert_eq!(found, [11.5, 12.5, 13.5, 14.5].map(Some), "{name}");
        }
        let shipped = prices(|at| format!("<span class=shipping-price>£1{at}.50</span>"));
        assert_eq!(shipped, [None; 4]);
        let beside = prices(|at| {
            format!("<span class=price>£2{at}.50</span> <span class=lowest-price>£1{at}.50</span>")
        });
        assert_eq!(beside.first(), Some(&Some(21.5)));
    }
}
