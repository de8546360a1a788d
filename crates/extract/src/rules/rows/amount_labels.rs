//! The words that stand before an amount of money, or at the head of its column.

use locale::price::{self, PriceHints};
use page::dom::Node;

use super::column_names::HEAD_ROWS;

/// Words right before an amount that say no more than that it is the price now.
const NOW: [&str; 14] = [
    "now", "only", "from", "to", "sale", "jetzt", "nur", "ab", "teraz", "tylko", "od", "price", "preis",
    "cena",
];

/// The text of the nearest sibling with one before an element.
fn text_before(holder: Node<'_>) -> Option<String> {
    holder.siblings_before().find_map(|sibling| {
        let text = sibling.text();
        (!text.trim().is_empty()).then_some(text)
    })
}

/// Whether what stands right before an element are words, and none of those for what one pays now.
pub(super) fn is_labelled(holder: Node<'_>) -> bool {
    let Some(before) = text_before(holder) else {
        return false;
    };
    let lower = before.to_lowercase();
    let last = lower
        .split(|c: char| !c.is_alphabetic())
        .rfind(|word| !word.is_empty());
    let ends_in_words = !before
        .trim_end()
        .ends_with(|c: char| c.is_numeric() || "%€$£¥".contains(c));
    let is_money = || !price::find_all(&before, &PriceHints::default()).is_empty();
    ends_in_words && !is_money() && last.is_some_and(|word| !NOW.contains(&word))
}

/// Whether an element is, or is in, the value of a term of a definition list that names a fee of a rent, or a deposit.
pub(super) fn is_of_fee(holder: Node<'_>) -> bool {
    term(holder).is_some_and(|term| FEE.is_match(&term.text()))
}

/// Whether an element is, or is in, the value of a term of a definition list that names what delivery costs.
pub(super) fn is_of_delivery(holder: Node<'_>) -> bool {
    term(holder).is_some_and(|term| DELIVERY.is_match(&term.text()))
}

/// The term of a definition list whose value an element is, or is in.
fn term(holder: Node<'_>) -> Option<Node<'_>> {
    let mut around = std::iter::once(holder).chain(holder.ancestors().take(2));
    let value = around.find(|node| node.is("dd"))?;
    value.siblings_before().find(|node| node.is("dt"))
}

locale::patterns! {
    static DELIVERY = r"(?i)^\s*(?:shipping|delivery|postage|p\s?&\s?p|versand\p{L}*|porto|lieferung|lieferkosten|koszt\p{L}*\s+(?:wysyłki|dostawy)|wysyłk\p{L}+|dostaw\p{L}+|livraison|frais\s+de\s+port|envío|gastos\s+de\s+envío|spedizione|verzending|verzendkosten)\b";
    static FEE = r"(?i)\b(?:deposit|holding|bond|(?:service|utility|admin\p{L}*|ground|council|maintenance)\s+(?:charges?|fees?|rent|tax)|fees?|charges?|utilities|bills|nebenkosten|heizkosten|betriebskosten|kaution|provision|hausgeld|abschlag\p{L}*|czynsz\p{L}*|kaucj\p{L}+|opłat\p{L}+|media|prowizj\p{L}+|caution|charges|fianza|gastos|honoraires)\b";
}

/// Longest label of an amount, in bytes.
const LABEL: usize = 40;

/// The label of an amount that stands in an element before it ("Deposit" before "£20"), or at the head of its column.
pub(super) fn label(holder: Node<'_>) -> Option<String> {
    let cell = std::iter::once(holder)
        .chain(holder.ancestors().take(2))
        .find(|node| node.tag() == "td");
    let text = match cell {
        Some(cell) => head_of_column(cell)?.text(),
        None => text_before(holder)?,
    };
    let text = text.trim().trim_end_matches(':');
    let is_label = text.len() <= LABEL && !text.contains(|c: char| c.is_numeric());
    is_label.then(|| text.to_owned())
}

/// The cell at the head of the column of a cell, in a table whose rows have as many cells as its head. A row with the title of the table
/// may stand above the head.
fn head_of_column<'p>(cell: Node<'p>) -> Option<Node<'p>> {
    let is_cell = |node: &Node<'_>| matches!(node.tag(), "td" | "th");
    let row = cell.parent().filter(|row| row.tag() == "tr")?;
    let at = cell.siblings_before().filter(is_cell).count();
    let table = row.ancestors().find(|node| node.tag() == "table")?;
    let count = row.children().filter(is_cell).count();
    let rows = table.descendants().filter(|node| node.tag() == "tr");
    let head = rows
        .take(HEAD_ROWS)
        .find(|head| head.children().filter(is_cell).count() == count)?;
    let head = head.children().filter(is_cell).nth(at);
    head.filter(|head| head.tag() == "th")
}

#[cfg(test)]
mod tests {
    use page::Page;
    use serde_json::json;

    use crate::rules::rows;
    use crate::rules::visible_page::VisiblePage;

    #[test]
    fn a_row_with_the_title_of_a_table_is_not_the_head_of_its_columns() {
        for title in ["", "<tr><th colspan=3>Flats of the month</th></tr>"] {
            let flats: String = (1..6)
                .map(|at| format!("<tr><td>Flat number {at}</td><td>£{at}00</td><td>£{at}90</td></tr>"))
                .collect();
            let html = format!(
                "<h1>Flats</h1><table>{title}<tr><th>Flat</th><th>Deposit</th><th>Rent</th></tr>{flats}</table>"
            );
            let page = Page::new(html, None);
            let rows = rows::read(&VisiblePage::of(&page));
            assert_eq!(rows[0].price, Some(json!(190)), "{title}");
        }
    }
}
