//! Currencies that entries are chosen by, without an amount: "payments in USD".

use tools::rows::condition::{Operator, RowCondition};

use super::InstructionReader;

locale::patterns! {
    /// Entries that are sums of money, and a currency behind them.
    static IN_CURRENCY = r"(?x)\b(?i:payments?|invoices?|orders?|transactions?|transfers?|bills?|donations?|expenses?|purchases?|entries|rows|records
        |zahlungen|rechnungen|bestellungen|überweisungen|buchungen|spenden|ausgaben|zeilen|einträge
        |płatności|faktury|zamówienia|przelewy|transakcje|wpłaty|wydatki|wiersze)
        (?P<in>\s+(?:in|w|we)\s+(?:(?P<code>USD|EUR|GBP|PLN|CHF|CZK|SEK|NOK|DKK|JPY|CAD|AUD)
        |(?i:(?P<eur>euros?)|(?P<usd>(?:us[-\s])?dollars?|dolarach)|(?P<gbp>pounds?|funtach)|(?P<pln>złotych|złotówkach)))\b)(?P<behind>\s*(?:$|[,.;?!)]|(?i:that|which|with|and|from|die|mit|und|aus|von|które|z|ze|i)\b))";
}

impl InstructionReader<'_> {
    /// The currency of the payments that are asked for. Elsewhere a currency is what prices are to be told in.
    pub(super) fn currency(&mut self, text: &mut String) {
        let Some(found) = IN_CURRENCY.captures(text) else {
            return;
        };
        let named = [("eur", "EUR"), ("usd", "USD"), ("gbp", "GBP"), ("pln", "PLN")];
        let named = named.into_iter().find(|(group, _)| found.name(group).is_some());
        let code = found
            .name("code")
            .map(|code| code.as_str())
            .or(named.map(|(_, code)| code));
        let (Some(code), Some(place)) = (code, found.name("in")) else {
            return;
        };
        let condition = RowCondition {
            field: "currency".to_owned(),
            operator: Operator::Equal,
            value: code.into(),
        };
        let range = place.range();
        let mark = self.mark(vec![condition]);
        text.replace_range(range, &mark);
    }
}

#[cfg(test)]
mod tests {
    use crate::triggers::facts::InstructionFacts;
    use crate::triggers::target::PlanTarget;

    #[test]
    fn a_currency_chooses_entries_where_no_amount_is_asked_for_in_it() {
        let read = |text: &str| {
            let facts = InstructionFacts::read(text, PlanTarget::default());
            let mut conditions = facts.conditions.iter();
            conditions
                .find(|condition| condition.field == "currency")
                .map(ToString::to_string)
        };
        assert_eq!(read("payments in USD").as_deref(), Some("currency = USD"));
        assert_eq!(read("Zahlungen in Euro").as_deref(), Some("currency = EUR"));
        for other in [
            "prices in EUR",
            "lamps under 50 in USD",
            "name and price in euros",
            "shops in Poundbury",
            "lamps with name and price (in EUR)",
            "Was kosten die Lampen in Euro?",
            "flats in Pound Lane",
            "orders in Euro League",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
