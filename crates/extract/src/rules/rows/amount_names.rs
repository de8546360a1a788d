//! What the names of elements (classes and ids) say of the amounts of money in them.

use page::dom::Node;

/// What an amount is by the name of its element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NamedRole {
    /// One part of a payment plan.
    Instalment,
    /// The price of a unit of measure.
    Unit,
    /// No price of the entry.
    Aside,
}

/// Parts of names of elements that hold a payment plan.
const INSTALMENT_NAMES: &[&str] = &[
    "install", "instal", "monthly", "month", "financ", "klarna", "affirm", "afterpay", "parcela", "raten",
    "raty",
];
/// Parts of names of elements that hold the price of a unit of measure.
const UNIT_NAMES: &[&str] = &[
    "unitprice",
    "unit-price",
    "price-per",
    "priceper",
    "per-unit",
    "baseprice",
    "grundpreis",
    "unit_price",
];
/// Parts of names of elements that hold an amount that is no price of the entry.
#[rustfmt::skip]
const ASIDE_NAMES: &[&str] = &[
    "shipping", "delivery", "versand", "frete", "saving", "discount-amount", "yousave", "you-save", "cashback", "points",
    "deposit", "without-tax", "excl-tax", "price-excluding", "netto", "lowest",
];

/// Whether names of an element call it by a part, and not by something together with it: `shipping-price`, and not
/// `product-price-and-shipping`, which shops of one maker call their prices.
fn is_named_aside(names: &str, part: &str) -> bool {
    names.match_indices(part).any(|(at, _)| {
        let before = names.get(..at).unwrap_or_default();
        !["and-", "and_", "incl-", "with-"]
            .iter()
            .any(|joint| before.ends_with(joint))
    })
}

/// Parts of names of elements whose amount is no price even where an entry has no other.
#[rustfmt::skip]
const OTHER_COSTS: &[&str] = &[
    "shipping", "versand", "frete", "delivery-fee", "delivery-cost", "delivery-price", "deliveryfee", "deliverycost", "deliveryprice",
    "discount-amount", "yousave", "you-save", "cashback", "deposit",
];

/// What the names of an element say of the amount in it.
pub(super) fn role(node: Node<'_>) -> Option<NamedRole> {
    let names = names_of(node);
    let has = |parts: &[&str]| parts.iter().any(|part| names.contains(part));
    if has(INSTALMENT_NAMES) {
        Some(NamedRole::Instalment)
    } else if has(UNIT_NAMES) {
        Some(NamedRole::Unit)
    } else {
        let is_aside = ASIDE_NAMES.iter().any(|part| is_named_aside(&names, part));
        is_aside.then_some(NamedRole::Aside)
    }
}

/// Whether the names of an element say that the amount in it is paid for something else.
pub(super) fn is_other_cost(node: Node<'_>) -> bool {
    let names = names_of(node);
    OTHER_COSTS.iter().any(|part| is_named_aside(&names, part))
}

fn names_of(node: Node<'_>) -> String {
    format!("{} {}", node.class(), node.id_attr()).to_ascii_lowercase()
}
