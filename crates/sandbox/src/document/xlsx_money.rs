//! Currencies of the number formats of a spreadsheet (ECMA-376, part 1, 18.8.31): `#,##0.00 "EUR"`, `[$€-407] 0.00`.

/// The currency that a format shows beside its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MoneyFormat {
    currency: String,
    is_before: bool,
}

impl MoneyFormat {
    /// The currency of a format, by the text of its first section; none where it shows no currency.
    pub(super) fn of_code(code: &str) -> Option<MoneyFormat> {
        let mut texts = [String::new(), String::new()];
        let mut is_before = true;
        let mut in_brackets = None;
        let mut characters = code.chars();
        while let Some(character) = characters.next() {
            let text = &mut texts[usize::from(!is_before)];
            match character {
                ';' => break,
                '"' => text.extend(characters.by_ref().take_while(|c| *c != '"')),
                '\\' => text.extend(characters.next()),
                '_' | '*' => {
                    characters.next();
                }
                '[' => {
                    let inside: String = characters.by_ref().take_while(|c| *c != ']').collect();
                    // `[$-407]` is a language alone.
                    let sign = inside
                        .strip_prefix('$')
                        .map(|rest| rest.split('-').next().unwrap_or(rest));
                    if let Some(sign) = sign.map(str::trim).filter(|sign| !sign.is_empty()) {
                        in_brackets.get_or_insert((sign.to_owned(), is_before));
                    }
                }
                '0' | '#' | '?' => is_before = false,
                '.' | ',' | '(' | ')' | '-' | '+' => {}
                other => text.push(other),
            }
        }
        let found = in_brackets.or_else(|| {
            let [before, after] = texts;
            [(before, true), (after, false)]
                .into_iter()
                .map(|(text, is_before)| (text.trim().to_owned(), is_before))
                .find(|(text, _)| is_currency(text))
        });
        found.map(|(currency, is_before)| MoneyFormat { currency, is_before })
    }

    /// A decimal number with the currency. Fractions have at least two digits, and never three: those could be thousands.
    pub(super) fn shown(&self, decimal: &str) -> String {
        let (sign, number) = match decimal.strip_prefix('-') {
            Some(number) => ("-", number),
            None => ("", decimal),
        };
        let zeros = match number.split_once('.').map(|(_, fraction)| fraction.len()) {
            Some(1 | 3) => "0",
            _ => "",
        };
        let currency = &self.currency;
        let is_word = currency.chars().all(char::is_alphabetic);
        match self.is_before {
            true if is_word => format!("{sign}{currency} {number}{zeros}"),
            true => format!("{sign}{currency}{number}{zeros}"),
            false => format!("{sign}{number}{zeros} {currency}"),
        }
    }
}

/// Whether a text is a currency: a sign, or the letters of one, where a single letter may as well be a unit.
fn is_currency(text: &str) -> bool {
    let is_letter = text.chars().count() == 1 && text.chars().all(char::is_alphabetic);
    !is_letter && locale::price::iso(text, None).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn currencies_stand_where_the_format_has_them() {
        for (code, number, shown) in [
            ("#,##0.00\\ \"EUR\"", "49.9", Some("49.90 EUR")),
            ("#,##0.00 [$€-407]", "1250.5", Some("1250.50 €")),
            ("[$£-809]#,##0", "12", Some("£12")),
            ("\"$\"#,##0.00;[Red]\\-\"$\"#,##0.00", "-5", Some("-$5")),
            ("_-* #,##0.00\\ \"zł\"_-", "0.125", Some("0.1250 zł")),
            ("[$CHF] 0.00", "3", Some("CHF 3")),
            ("#,##0.00", "3", None),
            ("[$-409]0.00", "3", None),
            ("0 \"kg\"", "3", None),
            ("0 \"days\"", "3", None),
            ("0 \"m\"", "3", None),
            ("0 \"Stk\"", "3", None),
            ("0 \"ml\"", "3", None),
            ("0 \"min\"", "3", None),
        ] {
            let money = MoneyFormat::of_code(code);
            assert_eq!(money.map(|money| money.shown(number)).as_deref(), shown, "{code}");
        }
    }
}
