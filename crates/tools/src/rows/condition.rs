//! Conditions on the fields of rows. A field is a column, or a measure by its [`MeasureName`](super::measure_name::MeasureName).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::rows::column_numbers::is_amount;
use crate::rows::paid;
use crate::rows::units::is_unit;
use crate::values::{cell_text, is_blank, number};
use crate::words::mention::is_in_text;
use crate::words::signs;

locale::patterns! {
    /// A text in place of an amount that is not told.
    static ON_REQUEST = r"(?i)^\W*(?:(?:price|preis|cena|salary|gehalt)\W+)?(?:(?:up)?on (?:request|application|enquiry|inquiry)|p\.?o\.?a\.?|tb[acd]|auf anfrage|nach (?:vereinbarung|absprache)|k\.\s?a\.|keine angabe|na (?:zapytanie|życzenie)|do (?:uzgodnienia|ustalenia)|brak danych)\W*$";
}

/// The name of the field for conditions on the whole row.
pub const ANY_FIELD: &str = "*";

/// The name of the field for how much cheaper something has become: its old price less its price.
pub const SAVING: &str = "saving";

/// Fields that count things: zero is as good as absent.
const COUNTS: [&str; 4] = ["reviews", "comments", "points", "discount"];

/// One condition on a field of a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RowCondition {
    /// Name of the field, or one of its usual synonyms; [`ANY_FIELD`] for the whole row.
    pub field: String,
    /// How the field is compared.
    pub operator: Operator,
    /// What the field is compared with; nothing for operators that need nothing.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub value: Value,
}

/// How a field is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub enum Operator {
    /// Less than the value.
    #[serde(rename = "<")]
    Less,
    /// The value or less.
    #[serde(rename = "<=")]
    AtMost,
    /// More than the value.
    #[serde(rename = ">")]
    More,
    /// The value or more.
    #[serde(rename = ">=")]
    AtLeast,
    /// Equal to the value.
    #[serde(rename = "=")]
    Equal,
    /// Not equal to the value.
    #[serde(rename = "!=")]
    NotEqual,
    /// Holds the value as a text, in any case.
    #[serde(rename = "contains")]
    Contains,
    /// Does not hold the value as a text, in any case.
    #[serde(rename = "not_contains")]
    NotContains,
    /// Begins with the value as a text, in any case.
    #[serde(rename = "starts_with")]
    StartsWith,
    /// Does not begin with the value as a text, in any case.
    #[serde(rename = "not_starts_with")]
    NotStartsWith,
    /// Ends with the value as a text, in any case.
    #[serde(rename = "ends_with")]
    EndsWith,
    /// Does not end with the value as a text, in any case.
    #[serde(rename = "not_ends_with")]
    NotEndsWith,
    /// Has a value.
    #[serde(rename = "present")]
    Present,
    /// Has no value.
    #[serde(rename = "absent")]
    Absent,
    /// Says that the item can be bought.
    #[serde(rename = "in_stock")]
    InStock,
    /// Says that the item cannot be bought.
    #[serde(rename = "not_in_stock")]
    NotInStock,
    /// Has the word as a value, in its name, or else anywhere in the row, in any inflected form.
    #[serde(rename = "mentions")]
    Mentions,
    /// Does not have the word.
    #[serde(rename = "not_mentions")]
    NotMentions,
}

impl Operator {
    /// The operator that holds for exactly the values for which this one does not.
    pub fn negated(self) -> Operator {
        match self {
            Operator::Less => Operator::AtLeast,
            Operator::AtMost => Operator::More,
            Operator::More => Operator::AtMost,
            Operator::AtLeast => Operator::Less,
            Operator::Equal => Operator::NotEqual,
            Operator::NotEqual => Operator::Equal,
            Operator::Contains => Operator::NotContains,
            Operator::NotContains => Operator::Contains,
            Operator::StartsWith => Operator::NotStartsWith,
            Operator::NotStartsWith => Operator::StartsWith,
            Operator::EndsWith => Operator::NotEndsWith,
            Operator::NotEndsWith => Operator::EndsWith,
            Operator::Present => Operator::Absent,
            Operator::Absent => Operator::Present,
            Operator::InStock => Operator::NotInStock,
            Operator::NotInStock => Operator::InStock,
            Operator::Mentions => Operator::NotMentions,
            Operator::NotMentions => Operator::Mentions,
        }
    }
}

impl RowCondition {
    /// Whether the field is compared with a number.
    pub fn is_comparison(&self) -> bool {
        matches!(
            self.operator,
            Operator::Less
                | Operator::AtMost
                | Operator::More
                | Operator::AtLeast
                | Operator::Equal
                | Operator::NotEqual
        )
    }

    /// Whether the condition is about stock.
    pub(crate) fn is_of_stock(&self) -> bool {
        matches!(self.operator, Operator::InStock | Operator::NotInStock)
    }

    /// Whether the condition leaves out what is said to be sold, and nothing else: "not the sold out ones". Its value is `true`.
    pub(crate) fn is_unless_sold(&self) -> bool {
        self.operator == Operator::InStock && self.value == Value::Bool(true)
    }

    /// The same condition with another value.
    pub(crate) fn with_value(&self, value: Value) -> RowCondition {
        RowCondition {
            field: self.field.clone(),
            operator: self.operator,
            value,
        }
    }

    /// Whether a field's value meets the condition; `None` when the value does not say.
    pub(crate) fn holds(&self, value: Option<&Value>) -> Option<bool> {
        // No reviews are as good as none at all where presence is asked for.
        let is_presence = matches!(self.operator, Operator::Present | Operator::Absent);
        let is_nothing = |value: &Value| {
            is_presence
                && (COUNTS.contains(&self.field.as_str()) && value.as_f64() == Some(0.0)
                    || value.as_str().is_some_and(|text| {
                        ON_REQUEST.is_match(text) || paid::is_free_of_charge(&self.field, text)
                    }))
        };
        let value = value.filter(|value| !is_blank(value) && !is_nothing(value));
        // "$9" says nothing of ten euros.
        let is_of_one_currency = || match (value.and_then(currency), currency(&self.value)) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        };
        let compared = || {
            let order = number(value?)?.total_cmp(&number(&self.value)?);
            is_of_one_currency().then_some(order)
        };
        match self.operator {
            Operator::Present => Some(value.is_some()),
            Operator::Absent => Some(value.is_none()),
            Operator::Less => compared().map(std::cmp::Ordering::is_lt),
            Operator::AtMost => compared().map(std::cmp::Ordering::is_le),
            Operator::More => compared().map(std::cmp::Ordering::is_gt),
            Operator::AtLeast => compared().map(std::cmp::Ordering::is_ge),
            Operator::Equal => Some(self.is_equal(value?)),
            Operator::NotEqual => Some(!self.is_equal(value?)),
            Operator::Contains => Some(self.is_contained(value?)),
            Operator::NotContains => Some(!self.is_contained(value?)),
            Operator::StartsWith => Some(self.is_beginning(value?)),
            Operator::NotStartsWith => Some(!self.is_beginning(value?)),
            Operator::EndsWith => Some(self.is_end(value?)),
            Operator::NotEndsWith => Some(!self.is_end(value?)),
            Operator::InStock => {
                let is_there = self.is_unless_sold() || !is_to_come(value?);
                in_stock(value?).map(|in_stock| in_stock && is_there)
            }
            Operator::NotInStock => in_stock(value?).map(|in_stock| !in_stock),
            Operator::Mentions => Some(self.is_said_in(value?)),
            Operator::NotMentions => Some(!self.is_said_in(value?)),
        }
    }

    /// Names that have a number are compared as texts: "Suite 12" is not "Room 12", and the code "01234" not "1234".
    fn is_equal(&self, value: &Value) -> bool {
        let is_counted = value.is_number() || self.value.is_number();
        let begins_with_number = |value: &Value| {
            value
                .as_str()
                .is_some_and(|text| text.trim_start().starts_with(|c: char| c.is_ascii_digit()))
        };
        // "3 rooms" are 3.
        let are_amounts =
            || is_amount_alone(&self.value) && (is_amount_alone(value) || begins_with_number(value));
        match (number(value), number(&self.value)) {
            (Some(value), Some(wanted)) if is_counted || are_amounts() => value.total_cmp(&wanted).is_eq(),
            _ => folded(value) == folded(&self.value),
        }
    }

    fn is_said_in(&self, value: &Value) -> bool {
        let text = cell_text(value);
        is_in_text(&cell_text(&self.value), signs::in_words(&text))
    }

    fn is_contained(&self, value: &Value) -> bool {
        folded(value).contains(&folded(&self.value))
    }

    fn is_beginning(&self, value: &Value) -> bool {
        folded(value).starts_with(&folded(&self.value))
    }

    fn is_end(&self, value: &Value) -> bool {
        folded(value).ends_with(&folded(&self.value))
    }
}

impl std::fmt::Display for RowCondition {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let operator = serde_json::to_value(self.operator).unwrap_or_default();
        let operator = operator.as_str().unwrap_or_default().replace('_', " ");
        let is_anywhere = self.field == ANY_FIELD;
        if self.is_unless_sold() {
            return write!(formatter, "{} not sold out", self.field);
        }
        match is_anywhere {
            true => formatter.write_str(&operator)?,
            false => write!(formatter, "{} {operator}", self.field)?,
        }
        match &self.value {
            Value::Null => Ok(()),
            _ if self.is_of_stock() => Ok(()),
            value => write!(formatter, " {}", cell_text(value)),
        }
    }
}

/// The ISO code of the currency of an amount of money that is a text.
fn currency(value: &Value) -> Option<&'static str> {
    locale::price::parse(value.as_str()?, &Default::default())?.iso
}

/// Most letters and marks beside the digits of an amount of money with its currency: "from 12 EUR".
const BESIDE_AMOUNT: usize = 5;

/// Whether a value is an amount and nothing else: "1.2 GB", "19.99 USD". A number with a superfluous zero before it is a code.
fn is_amount_alone(value: &Value) -> bool {
    let text = cell_text(value);
    let digits = text.trim().bytes().take_while(u8::is_ascii_digit).count();
    let is_code = digits > 1 && text.trim().starts_with('0');
    let is_money = || {
        let prices = locale::price::find_all(&text, &Default::default());
        let [price] = prices.as_slice() else { return false };
        text.trim().len() <= price.raw.len() + price.currency.map_or(0, str::len) + BESIDE_AMOUNT
    };
    // "12 km" and "12km"
    let has_unit = || {
        let unit = text
            .find(char::is_alphabetic)
            .and_then(|at| text.split_at_checked(at));
        unit.is_some_and(|(number, unit)| {
            number.contains(|c: char| c.is_ascii_digit()) && is_unit(unit.trim())
        })
    };
    !is_code && (is_amount(value) || is_money() || has_unit())
}

/// A text without case, accents and superfluous blanks; a sign for yes or no as the word.
fn folded(value: &Value) -> String {
    let text = cell_text(value);
    let words = signs::in_words(&text);
    locale::collapse_whitespace(&locale::fold_diacritics(&locale::fold_case(words)))
}

/// By how much the price of a row has come down.
pub(crate) fn saving(row: &Value) -> Option<f64> {
    let amount = |name: &str| row.get(name).and_then(number);
    Some(amount("old_price")? - amount("price")?)
}

/// Whether a text about availability says that the item can be ordered, and is not there yet.
fn is_to_come(value: &Value) -> bool {
    let kind = extract::rules::product::availability::normalize(&cell_text(value));
    matches!(kind, Some("PreOrder" | "BackOrder" | "PreSale"))
}

/// Whether a text about availability says that the item can be bought.
pub(crate) fn in_stock(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(in_stock) => Some(*in_stock),
        value => {
            let kind = extract::rules::product::availability::normalize(&cell_text(value))?;
            Some(matches!(
                kind,
                "InStock"
                    | "LimitedAvailability"
                    | "OnlineOnly"
                    | "InStoreOnly"
                    | "PreOrder"
                    | "BackOrder"
                    | "PreSale"
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn condition(operator: Operator, value: Value) -> RowCondition {
        RowCondition {
            field: "x".into(),
            operator,
            value,
        }
    }

    proptest::proptest! {
        /// A condition and its negation part the values that decide either.
        #[test]
        fn a_condition_and_its_negation_part_the_rows(
            amount in proptest::option::of(-1000i32..1000),
            text in proptest::option::of("[a-c ]{0,3}"),
            limit in -1000i32..1000,
            index in 0usize..14,
        ) {
            use Operator::{Absent, AtLeast, AtMost, Contains, Equal, InStock, Less, Mentions, More, NotContains, NotEqual, NotInStock, NotMentions, Present};
            let operators = [Less, AtMost, More, AtLeast, Equal, NotEqual, Contains, NotContains, Present, Absent, InStock, NotInStock, Mentions, NotMentions];
            let operator = operators[index];
            let value = match (amount, text) {
                (Some(amount), _) => json!(amount),
                (None, Some(text)) => json!(text),
                (None, None) => Value::Null,
            };
            let holds = condition(operator, json!(limit)).holds(Some(&value));
            let negated = condition(operator.negated(), json!(limit)).holds(Some(&value));
            proptest::prop_assert_eq!(holds.map(|holds| !holds), negated);
            proptest::prop_assert_eq!(operator.negated().negated(), operator);
        }
    }

    #[test]
    fn names_with_a_number_are_equal_as_texts_and_amounts_as_numbers() {
        let is_equal = |one: Value, other: Value| condition(Operator::Equal, other).holds(Some(&one));
        for (one, other, equal) in [
            (json!("Suite 12"), json!("Suite 12"), true),
            (json!("Room 12"), json!("Suite 12"), false),
            (json!("XY-100"), json!("AB-100"), false),
            (json!("1234"), json!("01234"), false),
            (json!("19,90 €"), json!("19.9 EUR"), true),
            (json!("1,299"), json!("1299"), true),
            (json!("12 km"), json!("12km"), true),
            (json!("12 reviews"), json!(12), true),
        ] {
            assert_eq!(is_equal(one.clone(), other.clone()), Some(equal), "{one} {other}");
        }
    }

    #[test]
    fn a_check_mark_is_yes_and_a_cross_is_no() {
        let is_equal =
            |cell: &str, wanted: &str| condition(Operator::Equal, json!(wanted)).holds(Some(&json!(cell)));
        assert_eq!([is_equal("✓", "Yes"), is_equal("✔", "✓")], [Some(true); 2]);
        assert_eq!([is_equal("✗", "yes"), is_equal("✗", "✓")], [Some(false); 2]);
        let mentions = condition(Operator::Mentions, json!("no")).holds(Some(&json!("✗")));
        assert_eq!(mentions, Some(true));
    }

    #[test]
    fn stock_is_read_from_what_shops_write() {
        assert_eq!(in_stock(&json!("InStock")), Some(true));
        let there = condition(Operator::InStock, Value::Null);
        let unless_sold = condition(Operator::InStock, Value::Bool(true));
        let to_come = json!("PreOrder");
        assert_eq!(
            (there.holds(Some(&to_come)), unless_sold.holds(Some(&to_come))),
            (Some(false), Some(true))
        );
        assert_eq!(in_stock(&json!("OutOfStock")), Some(false));
        assert_eq!(in_stock(&json!("blue")), None);
    }
}
