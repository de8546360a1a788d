//! Several amounts of money of one row, each with what it is for: "day £16 month £190", "Mitglieder 14 €, Nichtmitglieder 28 €".

use std::sync::LazyLock;

use serde_json::Value;

use crate::rows::numbers::amount;
use crate::values::number;
use crate::words::word_forms::{is_same_word, tokens};

locale::patterns! {
    /// A value that says that nothing is paid.
    static NOTHING = r"(?i)^\W*(?:free(?:\s+of\s+charge)?|none|no|nil|no\s+(?:fee|charge|deposit)s?|(?:[$€£]|eur|gbp|pln)?\s*0(?:[.,]0+)?\s*(?:[$€£]|zł|eur|gbp|pln)?|kostenlos|kostenfrei|gratis|keine?|entfällt|brak|bezpłatn\p{L}+|darmow\p{L}+)\W*$";
    /// An amount of money.
    static MONEY = r"(?i)(?:[$€£]|\b(?:eur|gbp|usd|pln|chf)\b)\s?(?P<behind>\d{1,3}(?:[ .,'’\u{a0}\u{202f}]\d{3})+(?:[.,]\d{1,2}\b)?|\d+(?:[.,]\d+)?)|(?P<before>\d{1,3}(?:[ .,'’\u{a0}\u{202f}]\d{3})+(?:[.,]\d{1,2}\b)?|\d+(?:[.,]\d+)?)\s?(?:[$€£]|(?:zł|zl|pln|eur|euro|gbp|usd|chf|kč)\b)";
}

/// How the name of a measure begins that is the price of one of several things: "price of month".
pub const PRICE_OF: &str = "price of ";
/// Fewest rows by which a field is known to be the price.
const PRICED: usize = 3;
/// What fields of prices are called.
const PRICE_WORDS: [&str; 12] = [
    "price", "cost", "fee", "rate", "rent", "charge", "preis", "kosten", "miete", "cena", "koszt", "opłata",
];
/// What else is paid.
const FEES: [&str; 5] = ["deposit", "gebühr", "kaution", "kaucja", "prowizja"];
/// Most words between an amount and what it is for.
const REACH: usize = 3;

/// What amounts are for; each class as words without case and accents.
static LABELS: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let lines = include_str!("price_labels.txt").lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split('|').flat_map(tokens).collect())
        .collect()
});

/// The words for what a price is for, where a word names it.
pub(crate) fn label(word: &str) -> Option<&'static [String]> {
    let [wanted] = <[String; 1]>::try_from(tokens(word)).ok()?;
    let mut classes = LABELS.iter();
    let class = classes.find(|class| class.iter().any(|known| is_same_word(known, &wanted)))?;
    Some(class.as_slice())
}

/// Whether a field is the price by another name: rows that have both have the same amount in them, perhaps beside an older one.
pub(crate) fn is_price(field: &str, rows: &[Value]) -> bool {
    let both = rows.iter().filter_map(|row| {
        let value = row.get(field)?;
        let several = value.as_str().map(amounts).filter(|amounts| amounts.len() > 1);
        let shown: Vec<f64> = match several {
            Some(amounts) => amounts.into_iter().map(|paid| paid.amount).collect(),
            None => vec![number(value)?],
        };
        Some((number(row.get("price")?)?, shown))
    });
    let (mut equal, mut others) = (0, 0);
    for (price, shown) in both {
        *(if shown.contains(&price) {
            &mut equal
        } else {
            &mut others
        }) += 1;
    }
    others == 0 && equal >= PRICED
}

/// Whether most values of a field are amounts of money as the page writes them.
pub(crate) fn is_of_money(field: &str, rows: &[Value]) -> bool {
    let texts: Vec<&str> = rows.iter().filter_map(|row| row.get(field)?.as_str()).collect();
    texts.iter().filter(|text| count(text) > 0).count() * 2 > texts.len()
}

/// Whether a field is one of what is paid and a value of it says that nothing is: "Set-up fee: free".
pub(crate) fn is_free_of_charge(field: &str, value: &str) -> bool {
    let words = tokens(&field.replace('_', " "));
    let is_price = |word: &String| {
        PRICE_WORDS
            .iter()
            .chain(&FEES)
            .any(|known| is_same_word(known, word))
    };
    NOTHING.is_match(value) && words.iter().any(is_price)
}

/// The one field that is called by what a price is for: `monthly_price` of "price of month".
///
/// Where it is the price of the rows by another name, that is the field.
pub(crate) fn field_of<'n>(measure: &str, names: &'n [String], rows: &[Value]) -> Option<&'n str> {
    let label = label(measure.strip_prefix(PRICE_OF)?)?;
    let is_paid = |word: &String| PRICE_WORDS.iter().any(|known| is_same_word(known, word));
    let is_of = |name: &&String| {
        let words = tokens(&name.replace('_', " "));
        let is_label = |word: &String| label.iter().any(|known| is_same_word(known, word));
        words.iter().any(is_label) && words.iter().any(is_paid)
    };
    let mut fields = names.iter().filter(is_of);
    let field = fields.next()?;
    let is_one = fields.next().is_none();
    let name = match is_price(field, rows) {
        true => "price",
        false => field.as_str(),
    };
    is_one.then_some(name)
}

/// An amount with the words before it and behind it, up to the next amounts.
struct Paid {
    amount: f64,
    before: Vec<String>,
    behind: Vec<String>,
    /// Whether it is the one amount of its part of the text: then all words of the part are about it.
    is_alone: bool,
}

/// The amounts of a text, part by part.
fn amounts(text: &str) -> Vec<Paid> {
    let parts = text.split(['|', '·', ';', '\n']);
    parts.flat_map(amounts_of_part).collect()
}

fn amounts_of_part(text: &str) -> Vec<Paid> {
    let found: Vec<_> = MONEY.captures_iter(text).collect();
    let place = |at: usize| found.get(at)?.get(0).map(|it| it.range());
    let words = |from: usize, to: usize| tokens(text.get(from..to).unwrap_or_default());
    let paid = (0..found.len()).filter_map(|at| {
        let this = place(at)?;
        let number = found
            .get(at)
            .and_then(|it| it.name("behind").or(it.name("before")))?;
        let start = at.checked_sub(1).and_then(place).map_or(0, |before| before.end);
        let end = place(at + 1).map_or(text.len(), |next| next.start);
        Some(Paid {
            amount: amount(number.as_str())?,
            before: words(start, this.start),
            behind: words(this.end, end),
            is_alone: found.len() == 1,
        })
    });
    paid.collect()
}

/// Whether what an amount is for stands before it: more rows have a label before their first amount than behind their last one.
pub(crate) fn is_before<'t>(texts: impl Iterator<Item = &'t str>) -> bool {
    let (mut before, mut behind) = (0_usize, 0_usize);
    for paid in texts.map(amounts) {
        let is_label = |word: &String| label(word).is_some();
        let first = paid
            .first()
            .map(|first| first.before.iter().rev().take(REACH).any(is_label));
        let last = paid
            .last()
            .map(|last| last.behind.iter().take(REACH).any(is_label));
        before += usize::from(first == Some(true));
        behind += usize::from(last == Some(true));
    }
    before > behind
}

/// How many amounts of money a text has.
pub(crate) fn count(text: &str) -> usize {
    MONEY.find_iter(text).count()
}

/// The amount that is for one of the words of a label; `None` where several are.
pub(crate) fn price(text: &str, label: &[String], is_before: bool) -> Option<f64> {
    let is_label = |word: &String| label.iter().any(|known| is_same_word(known, word));
    let is_for = |paid: &Paid| {
        let before = || paid.before.iter().rev().take(REACH).any(is_label);
        let behind = || paid.behind.iter().take(REACH).any(is_label);
        match (paid.is_alone, is_before) {
            (true, _) => before() || behind(),
            (false, true) => before(),
            (false, false) => behind(),
        }
    };
    let mut found = amounts(text).into_iter().filter(is_for);
    let first = found.next()?;
    found
        .all(|other| other.amount == first.amount)
        .then_some(first.amount)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_field_is_the_price_of_what_it_is_called_by() {
        let names = ["name", "price", "monthly_price", "contract", "set_up_fee"].map(str::to_owned);
        let rows = [1, 2, 3].map(|price| json!({"price": price, "monthly_price": format!("£{price}.00")}));
        assert_eq!(field_of("price of month", &names, &rows), Some("price"));
        assert_eq!(
            field_of("price of month", &names, &rows[..1]),
            Some("monthly_price")
        );
        assert_eq!(field_of("price of day", &names, &rows), None);
        assert_eq!(field_of("price of month", &names[..2], &rows), None);
    }

    #[test]
    fn what_is_free_of_charge_is_told_by_its_field() {
        for (field, value, is_free) in [
            ("set_up_fee", "Free", true),
            ("kaution", "keine", true),
            ("delivery_fee", "£0.00", true),
            ("delivery", "Free", false),
            ("set_up_fee", "£9.99", false),
            ("breakfast", "Free", false),
        ] {
            assert_eq!(is_free_of_charge(field, value), is_free, "{field} {value}");
        }
    }

    #[test]
    fn an_amount_is_told_by_what_it_is_for() {
        let behind = [
            "Kiln Hub £16 / day £190 / month 12 desks",
            "Loom Works £12 / day £150 / month Fully booked",
        ];
        let before = [
            "Alm: Mitglieder 14 €, Nichtmitglieder 28 €",
            "Hütte: Mitglieder 17,50 €, Nichtmitglieder 31 €, Decken",
        ];
        assert!(!is_before(behind.into_iter()) && is_before(before.into_iter()));
        let month = label("Monat").unwrap();
        assert_eq!(
            behind.map(|text| price(text, month, false)),
            [Some(190.0), Some(150.0)]
        );
        let guests = label("non-members").unwrap();
        assert_eq!(
            before.map(|text| price(text, guests, true)),
            [Some(28.0), Some(31.0)]
        );
        let mixed = "Day pass £16 | Hot desk £175 / month";
        assert_eq!(price(mixed, month, true), Some(175.0));
        assert_eq!(
            price("9.99 € im Monat, danach 16.95 € im Monat", month, false),
            None
        );
        assert_eq!((count(behind[0]), label("shoes")), (2, None));
    }
}
