//! Wages in lists of jobs: what is paid, with its range and its unit of time, as the entry writes it.

use locale::price::{self, PriceHints};
use page::dom::Node;

use super::elements::elements;
use super::row::Row;
use crate::rules::records::Record;
use crate::rules::visible_page::{VisiblePage, squeeze};

locale::patterns! {
    /// Words for jobs in a heading or a title over a list of them.
    static JOBS = r"(?i)\b(?:jobs?|careers?|vacanc(?:y|ies)|open (?:positions|roles)|stellen(?:angebote?|markt|anzeigen?)?|karriere|praca|pracy|oferty pracy|emplois?|offres d.emploi|empleos?|ofertas de trabajo|trabajos?)\b";
    /// Words for jobs in an address.
    static JOBS_IN_PATH = r"(?i)(?:^|[/_.-])(?:jobs?|careers?|vacancies|stellenangebote|stellen|karriere|praca|oferty-pracy|emplois?|empleos?)(?:$|[/_.?-])";
    /// A unit of time behind an amount.
    static PER_TIME = r"(?i)(?:/|\bper\b|\bpro\b|\ban?\b|\bpar\b|\bpor\b|\bna\b|\bza\b)\s*(?:hour|hr|h|day|week|month|year|annum|stunde|std|tag|woche|monat|jahr|godz|godzinę|dzień|miesiąc|mies|rok|heure|jour|mois|an|hora|día|mes|año)\b|\b(?:annually|hourly|monthly|p\.?\s?a\.|jährlich|monatlich|rocznie|miesięcznie)";
}

/// Longest text that states a wage, in bytes.
const LONGEST: usize = 80;
/// Most nodes of an element that states a wage.
const MAX_NODES: usize = 12;

/// Gives the entries of a list of jobs their wages, which are no prices of a unit and no instalments.
pub(super) fn add(view: &VisiblePage<'_>, records: &[Record], rows: &mut [Row]) {
    if !is_of_jobs(view) {
        return;
    }
    for (row, record) in rows.iter_mut().zip(records) {
        let has_amount = row.price.is_some() || row.unit_price.is_some() || row.instalment.is_some();
        row.salary = wage(view, record).filter(|_| has_amount);
        if row.salary.is_some() {
            (row.unit_price, row.instalment) = (None, None);
        }
    }
}

/// Whether the heading, a title or the address of a page says that it lists jobs.
fn is_of_jobs(view: &VisiblePage<'_>) -> bool {
    let heading = view.heading.iter().map(|heading| heading.text.as_str());
    let mut named = heading.chain(view.titles.iter().map(String::as_str));
    named.any(|text| JOBS.is_match(text))
        || view
            .page
            .url()
            .is_some_and(|url| JOBS_IN_PATH.is_match(url.path()))
}

/// The shortest text of an entry with an amount, and with its unit of time where that stands around it.
fn wage(view: &VisiblePage<'_>, record: &Record) -> Option<String> {
    let amounts = |text: &str| price::find_all(text, &PriceHints::default()).len();
    let is_small = |node: &Node<'_>| node.end().index() - node.id().index() <= MAX_NODES;
    let stated = |node: Node<'_>| {
        Some(squeeze(&node.text())).filter(|text| text.len() <= LONGEST && amounts(text) > 0)
    };
    let found = elements(view, record)
        .filter(is_small)
        .filter_map(|node| Some((node, stated(node)?)))
        .min_by_key(|(_, text)| text.len());
    let (node, text) = found?;
    // "<b>€70,000</b> – <b>€90,000</b> per year"
    let outer = node.parent().filter(is_small).and_then(stated);
    let says_more = |outer: &String| {
        PER_TIME.is_match(outer) && !PER_TIME.is_match(&text) || amounts(outer) > amounts(&text)
    };
    Some(outer.filter(says_more).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use page::Page;

    use crate::rules::rows;
    use crate::rules::visible_page::VisiblePage;

    #[test]
    fn wages_of_a_list_of_jobs_are_no_prices_of_a_unit() {
        let job = |at: usize, pay: &str| {
            format!("<div class=j><h3><a href=/{at}>Post {at}</a></h3><p>Acme · Berlin</p><p>{pay}</p></div>")
        };
        let list = |title: &str| {
            let jobs = [
                job(1, "<b>€70,000</b> – <b>€90,000</b> per year"),
                job(2, "£18.50 per hour"),
                job(3, "$5,500 per month"),
                job(4, "€1,200 / month"),
            ];
            let page = Page::new(
                format!("<h1>{title}</h1>{}", jobs.concat()),
                "https://a.example/l".parse().ok(),
            );
            rows::read(&VisiblePage::of(&page))
        };
        let wages: Vec<_> = list("Open positions")
            .into_iter()
            .map(|row| (row.salary, row.unit_price))
            .collect();
        let want = [
            "€70,000 – €90,000 per year",
            "£18.50 per hour",
            "$5,500 per month",
            "€1,200 / month",
        ];
        assert_eq!(wages, want.map(|wage| (Some(wage.to_owned()), None)));
        assert!(list("Halls to let").iter().all(|row| row.salary.is_none()));
    }
}
