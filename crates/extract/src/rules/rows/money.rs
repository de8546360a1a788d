//! Amounts of money in an entry of a list, each with the place that it has in common with those of other entries.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use locale::price::{self, PriceHints, PriceKind};
use page::dom::{Node, NodeId};

use super::amount_labels::{is_labelled, is_of_delivery, is_of_fee, label};
use super::amount_names::{self, NamedRole};
use super::dates::numbers;
use super::said_amounts::{SaidAmount, is_alternative, is_by_time, is_fee, is_for_several, is_of_time};
use crate::rules::class_flags;
use crate::rules::product::price_element::{holder, is_struck, with_cents};
use crate::rules::product::visible_price::WITHOUT_TAX;
use crate::rules::records::Record;
use crate::rules::visible_page::VisiblePage;

/// Most amounts of one entry.
const MAX_MENTIONS: usize = 24;
/// Most nodes of an entry that are looked at.
const MAX_NODES: usize = 2_000;
/// Longest text around an amount that says what it is, in bytes.
const CONTEXT: usize = 90;
/// Most nodes of the element around an amount.
const CONTEXT_NODES: usize = 24;

/// What the setting of an amount says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Setting {
    /// Nothing: it may be what one pays.
    Plain,
    /// Struck through, or said to be earlier.
    Struck,
    /// Named an earlier price by its class alone.
    Earlier,
    /// One part of a payment plan.
    Instalment,
    /// The price of one unit of measure or of one month.
    PerUnit,
    /// Shipping, a saving, points, or an amount without tax.
    Aside,
}

/// An amount in an entry.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct EntryAmount {
    /// The path of tags and classes from the entry down to the amount: the same in every entry of one template.
    pub(super) column: u64,
    /// The amount as an exact decimal.
    pub(super) amount: String,
    /// ISO 4217 code.
    pub(super) currency: Option<&'static str>,
    /// What its setting says.
    pub(super) setting: Setting,
    /// Whether it is struck through, which is more than said to be earlier.
    pub(super) is_struck: bool,
    /// Whether it, or the element around it, is named a price.
    pub(super) named: bool,
    /// Whether it is named the current price.
    pub(super) current: bool,
    /// The element two steps above it: amounts within one such element stand beside each other.
    pub(super) around: NodeId,
    /// The element that the amount's own one stands in.
    pub(super) within: NodeId,
    /// The element that holds it.
    pub(super) holder: NodeId,
    /// The cell of a table that it stands in.
    pub(super) cell: Option<NodeId>,
    /// Whether the text that it stands in says as much as a sentence does.
    pub(super) is_in_sentence: bool,
    /// Whether words stand right before its element that say what it is for: "dorośli 145 zł, ulgowy 119 zł".
    pub(super) is_labelled: bool,
    /// Whether those words name a time: "Day pass £18" beside "£165 / month".
    pub(super) is_for_time: bool,
    /// Whether its currency is written as two letters, as "kr" is, which may well be no currency.
    pub(super) is_of_letters: bool,
    /// Whether names alone set it aside, and call it a price all the same: `lowest-price`.
    pub(super) may_be_price: bool,
    /// Whether it is the value of a term in a list of facts that names a fee of a rent, or a deposit.
    pub(super) is_of_fee: bool,
    /// What the words before it call it.
    pub(super) said: SaidAmount,
    /// Whether it is paid for a time, as its own text says: "189 € / month".
    pub(super) is_by_time: bool,
    /// Whether a word for "or" leads to it: "or 189 € / month".
    pub(super) is_alternative: bool,
    /// Whether its element states no other amount.
    pub(super) is_alone: bool,
    /// Whether its element says little beside it: "also as a book: 17.99 €" is the price of something else, and a range
    /// ("£300 to £500") is an estimate.
    pub(super) bare: bool,
}

impl EntryAmount {
    /// Whether the role of most amounts at its place can be its own. What has other words, or another amount, beside it is no price
    /// of a unit for standing where others have theirs: "eco bonus of 1,000 €".
    pub(super) fn may_share_role(&self, role: Setting) -> bool {
        match role {
            Setting::PerUnit => self.is_alone && (self.bare || self.is_by_time),
            Setting::Instalment => self.is_alone,
            _ => true,
        }
    }
}

/// The amounts of an entry, in document order; those within its title are none.
pub(super) fn mentions(view: &VisiblePage<'_>, record: &Record) -> Vec<EntryAmount> {
    let title = record.fields.get("title").and_then(|title| title.as_str());
    let mut found: Vec<EntryAmount> = Vec::new();
    let mut seen: HashMap<u64, u32> = HashMap::new();
    // Where the element that was read last ends, and whether it is struck through.
    let mut last_read: Option<(NodeId, bool)> = None;
    for root in &record.roots {
        let root = view.dom().node(*root);
        let mut walk = root.descendants();
        let mut nodes = 0;
        while let Some(node) = walk.next() {
            nodes += 1;
            if nodes > MAX_NODES || found.len() >= MAX_MENTIONS {
                break;
            }
            if node.is_element() && crate::rules::lines::is_hidden(node) {
                walk.leave_out(node);
                continue;
            }
            let own = node.text_value().unwrap_or_default();
            // The text of an element leaves out what is struck through in it.
            let is_read = |(end, is_struck)| node.id() < end && (is_struck || !is_struck_through(node));
            if !own.contains(|c: char| c.is_numeric()) || last_read.is_some_and(is_read) {
                continue;
            }
            let Some(element) = node.parent() else { continue };
            let own = crate::rules::visible_page::squeeze(own);
            // A reduction in per cent is no part of an amount that stands elsewhere.
            if own.ends_with('%') && price::find_all(&own, &PriceHints::default()).is_empty() {
                continue;
            }
            // A number in the name is no part of an amount that stands elsewhere.
            let names = title.is_some_and(|title| own.len() > 3 && title.contains(own.as_str()));
            if names && price::find_all(&own, &PriceHints::default()).is_empty() {
                continue;
            }
            let Some((holder, text)) = holder(view, element, &own) else {
                continue;
            };
            // A number beside an amount ("-25 %") is no part of it.
            if holder.id() != element.id() && !is_part_of_amount(&own, &text) {
                continue;
            }
            // What reaches beyond the entry is read as it stands.
            let (holder, text) = if holder.id() == root.id() || holder.is_inside(root.id()) {
                (holder, text)
            } else {
                (element, own)
            };
            let in_title = |title: &str| title.len() >= text.len() + 8 && title.contains(text.as_str());
            if title.is_some_and(in_title) {
                continue;
            }
            last_read = (holder.id() != element.id())
                .then(|| (holder.end(), is_struck(holder) || is_struck_through(holder)));
            let in_sentence = is_sentence(node.text_value().unwrap_or_default());
            // "Revenue up 8 % to £31.2 million" is told, and "Villa for £1.05 million" offered.
            let is_news = title == Some(text.as_str()) && in_sentence && REPORTED.is_match(&text);
            if is_news {
                continue;
            }
            let amounts = AmountText {
                holder,
                text: &text,
                is_in_sentence: in_sentence,
                title,
            };
            add(view, root, &amounts, &mut seen, &mut found);
        }
    }
    // Beside an amount that is called a price, letters with a number are a name: "Shure SM58", "7 dB".
    if found
        .iter()
        .any(|mention| mention.named && !mention.is_of_letters)
    {
        found.retain(|mention| mention.named || !mention.is_of_letters);
    }
    found
}

/// Most elements around a text that may strike it through.
const STRIKING: usize = 3;

/// Whether an element close around a node strikes it through.
fn is_struck_through(node: Node<'_>) -> bool {
    node.ancestors().take(STRIKING).any(is_struck)
}

/// Whether a text with digits can be a part of an amount of the text around it: "449" and "00" of "449.00 €".
fn is_part_of_amount(own: &str, around: &str) -> bool {
    let is_bare = || {
        own.chars()
            .all(|c| c.is_ascii_digit() || ".,'’ -\u{a0}\u{202f}".contains(c))
    };
    let prices = price::find_all(around, &PriceHints::default());
    // "8.9" of "8.9/10 £310 from £249" is no part of either.
    let is_in_amount = || prices.iter().any(|price| price.raw.contains(own.trim()));
    // "1st class" beside "€118.90" has a number of its own.
    let has_its_numbers = |raw: &str| numbers(own).all(|number| numbers(raw).any(|other| other == number));
    !own.contains('%')
        && match prices.as_slice() {
            [] => true,
            [price] => is_bare() || has_its_numbers(price.raw),
            _ => is_bare() && is_in_amount(),
        }
}

/// Fewest words of a sentence about an amount.
const SENTENCE: usize = 6;

/// Whether a text has the words of a sentence.
fn is_sentence(text: &str) -> bool {
    let words = text
        .split_whitespace()
        .filter(|word| word.contains(char::is_alphabetic));
    words.take(SENTENCE).count() >= SENTENCE
}

/// Most letters beside an amount and its currency that say nothing about it: "ab 20 €", "only $5", "Cena: 10 zł".
const BARE: usize = 8;

/// A text with amounts, and where it stands.
struct AmountText<'t, 'a> {
    holder: Node<'a>,
    text: &'t str,
    /// Whether the amount may stand in a sentence.
    is_in_sentence: bool,
    /// The title of the entry.
    title: Option<&'t str>,
}

/// Adds the amounts of one element.
fn add(
    view: &VisiblePage<'_>,
    root: Node<'_>,
    amounts: &AmountText<'_, '_>,
    seen: &mut HashMap<u64, u32>,
    found: &mut Vec<EntryAmount>,
) {
    let AmountText {
        holder,
        text,
        is_in_sentence,
        title,
    } = *amounts;
    let hints = PriceHints::default();
    let mut prices = price::find_all(text, &hints);
    let named = named(view, holder);
    if prices.is_empty() && named {
        prices.extend(price::parse(text, &hints));
    }
    // The end of a title says nothing of the amount behind it: "Case for iPhone X", "€17.00".
    let context = context(view, root, holder).map(|context| match title {
        Some(title) if !title.is_empty() => context.replacen(title, "; ", 1),
        _ => context,
    });
    let labelled = label(holder)
        .filter(|label| title != Some(label.as_str()))
        .map(|label| format!("{label}: {text}"));
    let setting = setting(view, root, holder);
    let is_struck = setting == Setting::Struck;
    let path = path(root, holder);
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    // A single letter behind a number is more often a thousand or a million than a currency ("6.7K").
    prices.retain(|price| named || price.currency.is_none_or(|sign| !is_letter(sign)));
    let has_unit = is_of_time(holder);
    let is_range = prices.iter().any(|price| price.upper.is_some());
    let is_alone = prices.len() == 1;
    let said_by_words = SaidAmount::of(text);
    for price in prices {
        let nth = seen.entry(path).or_insert(0);
        *nth += 1;
        let mut hasher = DefaultHasher::new();
        (path, *nth).hash(&mut hasher);
        // What the element around an amount says of it, else its label.
        let said = [context.as_deref(), labelled.as_deref()]
            .into_iter()
            .flatten()
            .fold(price.kind, |kind, text| match kind {
                PriceKind::Full => kind_within(text, &price.amount),
                kind => kind,
            });
        let is_no_price = is_alone && (is_fee(text) || is_for_several(text));
        let setting = match (setting, said) {
            (Setting::Plain | Setting::Earlier, _) if is_no_price => Setting::Aside,
            (Setting::Plain | Setting::Earlier, PriceKind::Installment) => Setting::Instalment,
            (Setting::Plain | Setting::Earlier, PriceKind::PerUnit) => Setting::PerUnit,
            (Setting::Plain, PriceKind::Earlier) => Setting::Struck,
            (Setting::Plain | Setting::Earlier, PriceKind::Aside) => Setting::Aside,
            _ => setting,
        };
        found.push(EntryAmount {
            column: hasher.finish(),
            currency: price
                .currency
                .and_then(|sign| price::iso(sign, view.country.as_deref()))
                .or(price.iso),
            amount: price.amount,
            setting,
            is_struck,
            named,
            current: view.class_flags.has(holder, class_flags::CURRENT),
            around: holder.ancestors().nth(1).unwrap_or(root).id(),
            within: holder.ancestors().next().unwrap_or(root).id(),
            holder: holder.id(),
            cell: std::iter::once(holder)
                .chain(holder.ancestors())
                .find(|node| matches!(node.tag(), "td" | "th"))
                .map(Node::id),
            is_in_sentence,
            is_labelled: is_labelled(holder),
            is_for_time: label(holder).is_some_and(|label| FOR_TIME.is_match(&label)),
            is_of_fee: is_of_fee(holder),
            is_of_letters: price.currency.is_some_and(is_letters),
            may_be_price: named
                && said == PriceKind::Full
                && !is_no_price
                && !is_of_delivery(holder)
                && may_be_price(root, holder),
            said: said_by_words,
            is_by_time: has_unit || is_by_time(text, price.raw),
            is_alternative: is_alternative(text),
            is_alone,
            bare: letters <= BARE && !is_range && !has_unit,
        });
    }
}

locale::patterns! {
    /// What the news say of sums: profits, funds, damages.
    static REPORTED = r"(?i)\b(?:revenues?|sales|profits?|loss(?:es)?|turnover|earnings|income|fund(?:s|ing|ed)?|raise[sd]?|invest\p{L}*|budgets?|debts?|fines?|fined|donat\p{L}+|grants?|damages?|deals?|contracts?|umsatz\p{L}*|gewinn\p{L}*|verlust\p{L}*|invest\p{L}*|fördert?|spende\p{L}*|schulden|przych\p{L}+|zysk\p{L}*|strat[ay]\p{L}*|inwest\p{L}+|dotac\p{L}+|chiffre d.affaires|bénéfices?|ingresos|beneficios?)\b";
    /// A label that names something to be had for a time: "Day pass", "Wochenkarte", "karnet miesięczny".
    static FOR_TIME = r"(?i)^\W*(?:(?:(?:half[- ])?day|daily|week|weekly|weekend|month|monthly|hour|hourly|night)[- ]?(?:pass|ticket|rate|hire)|(?:halb)?(?:tages|wochen|wochenend|monats|stunden)(?:karte|ticket|pass|tarif|miete)|(?:karnet|bilet|wejściówka)\s+(?:jednodniow|dzienn|tygodniow|miesięczn|całodniow)\p{L}*)\W*$";
}

fn is_letters(sign: &str) -> bool {
    sign.len() == 2 && sign.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn is_letter(sign: &str) -> bool {
    sign.len() == 1 && sign.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// The text of the element around an amount, where it is short.
fn context(view: &VisiblePage<'_>, root: Node<'_>, holder: Node<'_>) -> Option<String> {
    let around = holder
        .parent()
        .filter(|parent| parent.id() == root.id() || parent.is_inside(root.id()))?;
    if around.end().index() - around.id().index() > CONTEXT_NODES {
        return None;
    }
    Some(with_cents(view, around)).filter(|text| text.len() <= CONTEXT)
}

/// What a text says about an amount, where it states no other.
fn kind_within(text: &str, amount: &str) -> PriceKind {
    match price::find_all(text, &PriceHints::default()).as_slice() {
        [price] if price.amount == amount => price.kind,
        _ => PriceKind::Full,
    }
}

fn named(view: &VisiblePage<'_>, holder: Node<'_>) -> bool {
    std::iter::once(holder)
        .chain(holder.ancestors())
        .take(3)
        .any(|node| view.class_flags.has(node, class_flags::PRICE) || node.attr("itemprop") == Some("price"))
}

/// Reads the tags, names and words of an amount's element and those around it within the entry.
fn setting(view: &VisiblePage<'_>, root: Node<'_>, holder: Node<'_>) -> Setting {
    let mut setting = Setting::Plain;
    let above = holder.ancestors().take_while(|node| node.id() != root.id());
    for (depth, node) in std::iter::once(holder).chain(above).take(6).enumerate() {
        if is_struck(node) || node.attr("data-a-strike") == Some("true") {
            return Setting::Struck;
        }
        if depth > 2 || setting != Setting::Plain {
            continue;
        }
        let flags = view.class_flags.get(node);
        setting = if let Some(named) = amount_names::role(node) {
            match named {
                NamedRole::Instalment => Setting::Instalment,
                NamedRole::Unit => Setting::PerUnit,
                NamedRole::Aside => Setting::Aside,
            }
        } else if depth < 2
            && flags & (class_flags::STRUCK | class_flags::EARLIER) != 0
            && flags & class_flags::CURRENT == 0
        {
            Setting::Earlier
        } else {
            Setting::Plain
        };
    }
    if setting == Setting::Plain && is_of_delivery(holder) {
        return Setting::Aside;
    }
    let around = holder.parent().unwrap_or(holder);
    if setting == Setting::Plain && around.end().index() - around.id().index() <= 8 {
        let text = around.text();
        // Of two amounts each has its own words.
        let is_shared = price::find_all(&text, &PriceHints::default()).len() > 1;
        let text = if is_shared { holder.text() } else { text };
        if text.len() <= CONTEXT && WITHOUT_TAX.any(&text.to_lowercase()) {
            setting = Setting::Aside;
        }
    }
    setting
}

/// Whether no name of an element within an entry, or of those around it, says what else the amount in it is.
fn may_be_price(root: Node<'_>, holder: Node<'_>) -> bool {
    let above = holder.ancestors().take_while(|node| node.id() != root.id());
    let mut around = std::iter::once(holder).chain(above).take(3);
    !around.any(amount_names::is_other_cost)
}

/// The tags and first classes from the entry down to an element, and the places of cells.
fn path(root: Node<'_>, holder: Node<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    let above = holder.ancestors().take_while(|node| node.id() != root.id());
    for node in std::iter::once(holder).chain(above).take(12) {
        (node.tag(), node.classes().next()).hash(&mut hasher);
        // The cells of a row are alike, and each is of another column.
        if matches!(node.tag(), "td" | "th") {
            node.siblings_before()
                .filter(|node| node.is_element())
                .count()
                .hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// Whether an element shows an amount of money.
pub(super) fn has_amount(view: &VisiblePage<'_>, node: Node<'_>) -> bool {
    let states = |text: &str| !price::find_all(text, &PriceHints::default()).is_empty();
    // Without a blank between two elements, their texts are one word: "12.50 EURIn stock".
    let mut texts = node.descendants().filter_map(Node::text_value);
    states(&with_cents(view, node)) || texts.any(states)
}

#[cfg(test)]
mod tests {
    use page::Page;

    use crate::rules::rows;
    use crate::rules::visible_page::VisiblePage;

    /// Price and number of reviews of each entry of a list.
    fn read(entry: impl Fn(u32) -> String) -> Vec<(Option<f64>, Option<f64>)> {
        let entries: String = (1..=4)
            .map(|at| {
                format!(
                    "<article><h2><a href='/g/{at}'>Game {at}</a></h2>{}</article>",
                    entry(at)
                )
            })
            .collect();
        let page = Page::new(
            format!("<h1>Games</h1><div>{entries}</div>"),
            "https://games.example/".parse().ok(),
        );
        let rows = rows::read(&VisiblePage::of(&page)).into_iter();
        let number = |value: Option<serde_json::Value>| value.and_then(|value| value.as_f64());
        rows.map(|row| (number(row.price), number(row.review_count)))
            .collect()
    }

    #[test]
    fn an_element_for_price_and_shipping_holds_the_price_and_one_for_shipping_does_not() {
        let read = read(|at| {
            format!(
                "<div class=price-and-shipping><span class=price>{at}9,90 €</span></div><div class=shipping><span>4,95 €</span></div>"
            )
        });
        assert_eq!(read.first(), Some(&(Some(19.9), None)));
        assert_eq!(read.get(3), Some(&(Some(49.9), None)));
    }

    #[test]
    fn beside_a_pass_for_a_day_the_price_of_a_month_is_what_one_pays() {
        let desks = read(|at| {
            let was = if at == 2 { "<s>£260</s> " } else { "" };
            let desk = format!("<p>Hot desk from {was}<b>£1{at}0</b> / month</p>");
            let desk = if at == 4 { String::new() } else { desk };
            format!("{desk}<p>Day pass <strong>£2{at}</strong></p>")
        });
        let prices: Vec<_> = desks.into_iter().map(|(price, _)| price).collect();
        assert_eq!(prices, [Some(110.0), Some(120.0), Some(130.0), None]);
    }

    #[test]
    fn a_price_of_the_week_beside_its_instalment_is_what_one_pays() {
        for label in [
            "Black Week Preis:",
            "Deal of the day",
            "Cena miesiąca:",
            "Tagespreis",
        ] {
            let phones =
                read(|at| format!("<p>{label} <b>4{at}9 €</b></p><p>ab <span>20,7{at} €</span> / Monat</p>"));
            let prices: Vec<_> = phones.into_iter().map(|(price, _)| price).collect();
            assert_eq!(prices, [419.0, 429.0, 439.0, 449.0].map(Some), "{label}");
        }
    }

    #[test]
    fn an_entry_with_a_price_on_request_leaves_the_others_their_rates() {
        let firms = read(|at| match at {
            3 => "<p>Price on request</p>".to_owned(),
            _ => format!("<p class=rate><b>4{at},50 €</b> <small>/ Std.</small></p>"),
        });
        let prices: Vec<_> = firms.into_iter().map(|(price, _)| price).collect();
        assert_eq!(prices, [Some(41.5), Some(42.5), None, Some(44.5)]);
    }

    #[test]
    fn digits_of_a_name_beside_a_price_are_no_money() {
        for name in ["SM58 LC", "SM 7 dB"] {
            let read =
                read(|at| format!("<div><span>{name}</span><div class=price__primary> £{at}9 </div></div>"));
            assert_eq!(read.first(), Some(&(Some(19.0), None)), "{name}");
        }
        let read =
            read(|at| format!("<span>SKU: X5911{at}</span><div><span class=price>${at}9.00</span></div>"));
        assert_eq!(read.get(1), Some(&(Some(29.0), None)));
    }

    #[test]
    fn a_rating_and_a_count_that_touch_are_two_numbers() {
        let read = read(|at| {
            format!(
                "<div class=score><strong>9,{at}</strong><small>{at}71 reviews</small></div><b>{at}0 €</b>"
            )
        });
        assert_eq!(read.get(1), Some(&(Some(20.0), Some(271.0))));
    }

    #[test]
    fn the_price_of_a_pack_is_what_one_pays_where_no_other_price_stands() {
        let read = read(|at| {
            format!("<div><span class=now>{at}.80 €</span> <small>per 200 g</small></div><p>In stock</p>")
        });
        assert_eq!(read.get(2), Some(&(Some(3.8), None)));
    }

    #[test]
    fn a_deposit_and_a_length_in_feet_are_no_price() {
        let loan = read(|at| {
            format!(
                "<div class=grid><span>Power</span><span>Hand</span><span>Loan fee</span><span>£{at} / week</span><span>Deposit</span>\
                <span>£{at}0</span><span>Weight of it with all that belongs to it</span><span>{at}.2 kg, and some more for its case</span></div>"
            )
        });
        assert_eq!(loan.get(1).and_then(|row| row.0), Some(2.0));
        let rows: String = (1..=4)
            .map(|at| format!("<tr><th><a href=/m/{at}>Quay {at}</a><td>{at}0 ft<td>£{at},140<td>Leisure"))
            .collect();
        let page = Page::new(
            format!(
                "<h1>Moorings</h1><table><tr><th>Name<th>Longest boat<th>Fee a year<th>Use{rows}</table>"
            ),
            "https://quays.example/".parse().ok(),
        );
        let rows = rows::read(&VisiblePage::of(&page));
        let price = rows.get(1).and_then(|row| row.price.clone());
        assert_eq!(price.and_then(|price| price.as_f64()), Some(2140.0));
    }
}
