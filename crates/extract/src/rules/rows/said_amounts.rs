//! What the words beside an amount of an entry call it: an estimate, a bid, a regular fee, a rate for a time.

use page::dom::Node;

/// What the words before an amount call it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SaidAmount {
    /// What an expert thinks a lot will bring: "Estimate: $300".
    Estimate,
    /// What is bid for a lot: "Current bid: $220".
    Bid,
    Other,
}

impl SaidAmount {
    /// What the first words of a text call the amount behind them.
    pub(super) fn of(text: &str) -> SaidAmount {
        if ESTIMATE.is_match(text) {
            SaidAmount::Estimate
        } else if BID.is_match(text) {
            SaidAmount::Bid
        } else {
            SaidAmount::Other
        }
    }
}

/// Whether a text names, right behind an amount, the time it is paid for.
pub(super) fn is_by_time(text: &str, amount: &str) -> bool {
    BY_TIME.is_match(behind(text, amount))
}

/// The text behind an amount in the text that it was read of.
fn behind<'t>(text: &'t str, raw: &str) -> &'t str {
    let at = text.find(raw).map(|at| at + raw.len());
    at.and_then(|at| text.get(at..)).unwrap_or_default()
}

/// Whether a unit of time stands right behind an amount: "24 € / day" beside "119 € / week" is no old price.
pub(super) fn is_of_time(holder: Node<'_>) -> bool {
    let behind = holder.siblings_after().find_map(|sibling| {
        let text = sibling.text();
        (!text.trim().is_empty()).then_some(text)
    });
    behind.is_some_and(|text| UNIT_OF_TIME.is_match(&text))
}

/// Whether a text offers an amount instead of another one: "or 189 € / month".
pub(super) fn is_alternative(text: &str) -> bool {
    ALTERNATIVE.is_match(text)
}

/// Whether a text begins with the name of a regular fee of a home, and its amount.
pub(super) fn is_fee(text: &str) -> bool {
    FEE.is_match(text)
}

/// Whether a text offers several of a thing for an amount: "Any 2 for £4.00", "3 für 10 €".
pub(super) fn is_for_several(text: &str) -> bool {
    FOR_SEVERAL.is_match(text)
}

locale::patterns! {
    /// Several for an amount.
    static FOR_SEVERAL = r"(?i)^\W*(?:\p{L}+\s+)?[2-9]\s+(?:for|für|za|pour|por|per|voor)\s*[€$£]?\s*\d";
    /// The unit of time behind the price of a rental.
    static UNIT_OF_TIME = r"(?i)^\s*(?:/|per|pro|je|a|za|na)\s*(?:hour|day|night|week|weekend|month|year|stunde|tag|nacht|woche|wochenende|monat|jahr|mo\b|mth\b|mtl\b|godz|dzień|dobę|noc|tydzień|weekend|miesiąc|mies\b|rok)";
    /// The unit of time right behind the amount of a rate, in more languages: "189 €/mois", "45 €/mês", "2 612 kr/mån".
    static BY_TIME = r"(?i)^\s*(?:€|\$|£|kr|zł|₽|р\.?)?\s*(?:/|per|pro|par|por|al|na|za|в|je)\s*(?:mo(?:nth|nat|is|\.)?|mês|mes|mese|mån(?:ad)?|måned|maand|mnd|mies(?:iąc|\.)?|měsíc|mesiac|мес(?:яц|\.)?|міс(?:яць|\.)?|ay|kk|week|woche|semaine|semana|settimana|tydzień|year|jahr|an|año|ano|anno|år|rok|год)\b";
    /// Words that lead to another way to pay.
    static ALTERNATIVE = r"(?i)^\W*(?:or|oder|ou|o|of|eller|lub|albo|nebo|alebo|или|або)\b(?:\s+\p{L}+){0,2}\s*\W*[0-9]";
    /// Words before the regular fees of a home, which are no price of it.
    static FEE = r"(?i)^\W*(?:condom[ií]nio|condom[ií]nios|hoa(?: fees?)?|service charge|ground rent|council tax|nebenkosten|hausgeld|charges|czynsz administracyjny|spese condominiali|gastos de comunidad|servicekosten)\b[\s:]*\W*[0-9]";
    /// Words before what a lot is thought to bring.
    static ESTIMATE = r"(?i)^\W*(?:estimated?(?: (?:price|value))?|est\.|schätz(?:preis|wert|ung)|estimation|estimación|estimativa|stima|estymacja|wycena|szacunkowo|schatting)\b\s*:?\s*[^\p{L}]";
    /// Words before what is bid for a lot.
    static BID = r"(?i)^\W*(?:(?:current|highest|latest|winning|high) bid|bid|(?:aktuelles |höchstes )?(?:gebot|höchstgebot)|enchère (?:actuelle|en cours)|puja actual|oferta actual|lance atual|offerta (?:attuale|corrente)|(?:aktualna |najwyższa )?(?:oferta|licytacja)|huidig bod|hoogste bod)\s*:\s*";
}

#[cfg(test)]
mod tests {
    use page::Page;

    use crate::rules::rows::{self, Row};
    use crate::rules::visible_page::VisiblePage;

    fn read(entries: [&str; 4]) -> Vec<Row> {
        let entries = entries.into_iter().zip(1..).map(|(entry, at)| {
            format!("<article><h2><a href='/g/{at}'>Thing no. {at}</a></h2>{entry}</article>")
        });
        let page = Page::new(
            format!("<h1>Things</h1><div>{}</div>", entries.collect::<String>()),
            "https://things.example/".parse().ok(),
        );
        rows::read(&VisiblePage::of(&page))
    }

    fn numbers(rows: &[Row], of: impl Fn(&Row) -> &Option<serde_json::Value>) -> Vec<Option<f64>> {
        rows.iter()
            .map(|row| of(row).as_ref().and_then(serde_json::Value::as_f64))
            .collect()
    }

    #[test]
    fn a_price_on_request_leaves_the_prices_of_the_others_beside_their_rates() {
        let rows = read([
            "<p class=p>899 000 zł</p><p>14 047 zł/m²</p>",
            "<p class=p>549 000 zł</p><p>18 300 zł/m²</p>",
            "<p class=p>2 350 000 zł</p><p>23 500 zł/m²</p>",
            "<p class=p>zapytaj o cenę</p>",
        ]);
        let prices = numbers(&rows, |row| &row.price);
        assert_eq!(
            prices,
            [Some(899_000.0), Some(549_000.0), Some(2_350_000.0), None]
        );
        assert_eq!(numbers(&rows, |row| &row.unit_price)[0], Some(14_047.0));
    }

    #[test]
    fn what_is_paid_by_the_month_beside_a_price_is_an_instalment() {
        let rows = read([
            "<p><b>13 490 €</b></p><p>ou 189 €/mois</p>",
            "<p><b>15 990 €</b></p><p>ou 221 €/mois</p>",
            "<p><b>11 900 €</b></p><p>bonus écologique 1 000 € déduit</p>",
            "<p><b>9 500 €</b></p><p>ou 131 €/mois</p>",
        ]);
        assert_eq!(numbers(&rows, |row| &row.unit_price), [None; 4]);
        let instalments = numbers(&rows, |row| &row.instalment);
        assert_eq!(instalments, [Some(189.0), Some(221.0), None, Some(131.0)]);
        assert_eq!(numbers(&rows, |row| &row.price)[2], Some(11_900.0));
    }

    #[test]
    fn a_bid_is_what_a_lot_costs_now_and_its_estimate_is_not() {
        let rows = read([
            "<p>Estimate: $300 - $500</p><p>Current bid: $220</p>",
            "<p>Estimate: $800 - $1,200</p><p>Current bid: $1,050</p>",
            "<p>Estimate: $20 - $40</p><p>Current bid: No bids</p>",
            "<p>Estimate: $2,000 - $3,000</p><p>Current bid: $1,900</p>",
        ]);
        let prices = numbers(&rows, |row| &row.price);
        assert_eq!(prices, [Some(220.0), Some(1050.0), None, Some(1900.0)]);
    }

    #[test]
    fn a_regular_fee_of_a_home_is_no_price() {
        let rows = read([
            "<div class=v>385.000 €</div><small>Condomínio 45 €/mês</small>",
            "<div class=v>1.450.000 €</div><small>Condomínio 80 €</small>",
            "<div class=v>650.000 €</div><small>Condomínio incluído</small>",
            "<div class=v>720.000 €</div><small>Condomínio 60 €/mês</small>",
        ]);
        assert_eq!(numbers(&rows, |row| &row.unit_price), [None; 4]);
        assert_eq!(numbers(&rows, |row| &row.instalment), [None; 4]);
    }
}
