//! Currencies that entries are chosen by, without an amount: "payments in USD".

use tools::rows::condition::{Operator, RowCondition};

use super::InstructionReader;

locale::patterns! {
    /// A currency by its code or by its name.
    static IN_CURRENCY = r"\b(?:in|In|w|we)\s+(?:(?P<code>USD|EUR|GBP|PLN|CHF|CZK|SEK|NOK|DKK|JPY|CAD|AUD)|(?i:(?P<eur>euros?)|(?P<usd>(?:us[- ])?dollars?|dolar(?:ach|y)?)|(?P<gbp>pounds?(?:\s+sterling)?|funtach)|(?P<pln>złotych|złotówkach|zloty)))\b";
    /// What stands before a currency that amounts are asked for in, which chooses nothing: "prices in EUR", "under 50 in USD".
    static OF_AMOUNT = r"(?i)(?:\d|\b(?:prices?|costs?|amounts?|values?|total|salar(?:y|ies)|preise?n?|beträge?|betrag|kosten|wert|gehalt|cen[aęy]?|kwot\p{L}*|kosztach|wartość|all|everything|alles|wszystko))\s*$";
}

impl InstructionReader<'_> {
    /// The currency of the entries that are asked for.
    pub(super) fn currency(&mut self, text: &mut String) {
        let Some(found) = IN_CURRENCY.captures(text) else {
            return;
        };
        let Some(whole) = found.get(0) else { return };
        let before = text.get(..whole.start()).unwrap_or_default();
        if before.trim().is_empty() || OF_AMOUNT.is_match(before) {
            return;
        }
        let named = [("eur", "EUR"), ("usd", "USD"), ("gbp", "GBP"), ("pln", "PLN")];
        let named = named.into_iter().find(|(group, _)| found.name(group).is_some());
        let code = found
            .name("code")
            .map(|code| code.as_str())
            .or(named.map(|(_, code)| code));
        let Some(code) = code else { return };
        let condition = RowCondition {
            field: "currency".to_owned(),
            operator: Operator::Equal,
            value: code.into(),
        };
        let range = whole.range();
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
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
