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
    /// From one amount to another.
    static RANGE = r"(?i)\d\s*(?:k\b)?\s*\p{Sc}?\s*(?:[–—-]|\bto\b|\bbis\b|\bdo\b|\bà\b)\s*\p{Sc}?\s*\d";
}

/// Longest text that states a wage, in bytes.
const LONGEST: usize = 80;
/// Most letters of a text that is an amount and its currency.
const LETTERS: usize = 3;
/// Most nodes of an element that states a wage.
const MAX_NODES: usize = 12;

/// Gives the entries of a list of jobs their wages, which are no prices of a unit and no instalments.
pub(super) fn add(view: &VisiblePage<'_>, records: &[Record], rows: &mut [Row]) {
    if !is_of_jobs(view) {
        return;
    }
    let stated = |(row, record): (&Row, &Record)| {
        let has_amount = row.price.is_some() || row.unit_price.is_some() || row.instalment.is_some();
        wage(view, record).filter(|_| has_amount)
    };
    let wages: Vec<Option<StatedWage<'_>>> = rows.iter().zip(records).map(stated).collect();
    let amounts = wages.iter().flatten().count();
    let sure: Vec<&StatedWage<'_>> = wages
        .iter()
        .flatten()
        .filter(|wage| is_wage(&wage.text))
        .collect();
    // An amount alone is a wage among wages, else a price: books about a Mr Jobs cost something, too.
    let are_wages = !sure.is_empty() && sure.len() * 2 >= amounts;
    // With words around it, it is one at the place of the others: "Refer a friend and get £500" is none.
    let is_alike = |wage: &StatedWage<'_>| {
        let letters = wage.text.chars().filter(|c| c.is_alphabetic()).count();
        letters <= LETTERS || sure.iter().any(|other| is_at_one_place(wage.node, other.node))
    };
    let is_kept = |wage: &StatedWage<'_>| is_wage(&wage.text) || (are_wages && is_alike(wage));
    let wages: Vec<Option<String>> = wages
        .iter()
        .map(|wage| {
            wage.as_ref()
                .filter(|wage| is_kept(wage))
                .map(|wage| wage.text.clone())
        })
        .collect();
    for (row, wage) in rows.iter_mut().zip(wages) {
        row.salary = wage;
        if row.salary.is_some() {
            (row.unit_price, row.instalment) = (None, None);
        }
    }
}

/// A unit of time that an amount is paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TimeUnit {
    Hour,
    Day,
    Week,
    Month,
    Year,
}

/// The unit of time behind a number of a text: an hour of "14,50 €/Std.".
pub(crate) fn time_unit(text: &str) -> Option<TimeUnit> {
    const BEGINNINGS: [(TimeUnit, &[&str]); 5] = [
        (TimeUnit::Hour, &["h", "std", "stund", "godz"]),
        (TimeUnit::Month, &["mo", "mies", "mes"]),
        (TimeUnit::Day, &["d", "tag", "jour"]),
        (TimeUnit::Week, &["w"]),
        (TimeUnit::Year, &["y", "j", "r", "a", "p"]),
    ];
    let unit = PER_TIME.find_iter(text).find(|unit| {
        let before = text.get(..unit.start()).unwrap_or_default();
        before.contains(|c: char| c.is_ascii_digit())
    })?;
    let whole = unit.as_str().to_lowercase();
    let last = whole
        .rsplit(|c: char| c.is_whitespace() || c == '/')
        .next()
        .unwrap_or_default();
    // "p. a." has its unit in two parts.
    let word = if whole.starts_with('p') && last.len() < 3 {
        "p"
    } else {
        last
    };
    let of = |(unit, beginnings): &(TimeUnit, &[&str])| {
        let is_it = beginnings.iter().any(|beginning| word.starts_with(beginning));
        is_it.then_some(*unit)
    };
    BEGINNINGS.iter().find_map(of)
}

/// Whether a text tells what is paid in a time, or from what amount to what other.
fn is_wage(text: &str) -> bool {
    is_per_time(text) || RANGE.is_match(text)
}

/// Whether a unit of time stands behind a number.
fn is_per_time(text: &str) -> bool {
    time_unit(text).is_some()
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

/// What an entry states as its wage.
struct StatedWage<'p> {
    text: String,
    /// The element of its amount.
    node: Node<'p>,
}

/// Whether two elements stand at one place of their entries: called alike, or as the same part of their parents.
fn is_at_one_place(one: Node<'_>, other: Node<'_>) -> bool {
    let nth = |node: Node<'_>| node.siblings_before().filter(|node| node.is_element()).count();
    let outer = |node: Node<'_>| node.parent().map_or("", |outer| outer.class()).to_owned();
    let is_alike = one.tag() == other.tag() && one.class() == other.class();
    is_alike && (!one.class().trim().is_empty() || (nth(one) == nth(other) && outer(one) == outer(other)))
}

/// The shortest text of an entry with an amount and a unit of time, else the shortest with an amount and what more stands around it in
/// the same line.
fn wage<'p>(view: &VisiblePage<'p>, record: &Record) -> Option<StatedWage<'p>> {
    let amounts = |text: &str| price::find_all(text, &PriceHints::default()).len();
    let is_small = |node: &Node<'_>| node.end().index() - node.id().index() <= MAX_NODES;
    let stated = |node: Node<'_>| {
        Some(squeeze(&node.text())).filter(|text| text.len() <= LONGEST && amounts(text) > 0)
    };
    let found = elements(view, record)
        .filter(is_small)
        .filter_map(|node| Some((node, stated(node)?)))
        .min_by_key(|(_, text)| (!is_per_time(text), text.len()));
    let (node, text) = found?;
    // "<b>€70,000</b> – <b>€90,000</b> per year"
    let is_line = |outer: &Node<'_>| {
        let is_entry = record.roots.clone().into_iter().any(|root| root == outer.id());
        !is_entry && !outer.children().any(|part| part.is_block())
    };
    let outer = node.parent().filter(is_small).filter(is_line).and_then(stated);
    let says_more =
        |outer: &String| is_per_time(outer) && !is_per_time(&text) || amounts(outer) > amounts(&text);
    let text = outer.filter(says_more).unwrap_or(text);
    // "Moss · Full time · €38,000 a year": of the parts of a line the one with the wage.
    let mut paid = text
        .split(['·', '|', '•'])
        .map(str::trim)
        .filter(|part| amounts(part) > 0);
    let part = paid.next().filter(|_| paid.next().is_none());
    let part = part
        .filter(|part| is_per_time(part) || !is_per_time(&text))
        .map(str::to_owned);
    Some(StatedWage {
        text: part.unwrap_or(text),
        node,
    })
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
                job(4, "Moss · Full time · €1,200 / month"),
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
        let halls = list("Halls to let");
        assert_eq!(halls.len(), 4);
        assert!(halls.iter().all(|row| row.salary.is_none()));
        // The entry with the two amounts of a range has no one price of a unit.
        assert_eq!(halls.iter().filter(|row| row.unit_price.is_some()).count(), 3);
    }

    #[test]
    fn a_price_or_a_bonus_is_no_wage() {
        let rows = |title: &str, entry: &dyn Fn(usize) -> String| {
            let entries: String = (1..6).map(entry).collect();
            let page = Page::new(
                format!("<h1>{title}</h1>{entries}"),
                "https://a.example/l".parse().ok(),
            );
            rows::read(&VisiblePage::of(&page))
        };
        let books = rows("Books about Steve Jobs", &|at| {
            format!(
                "<div class=b><h3><a href=/{at}>Life {at}</a></h3><p>Acme Books</p><p>$1{at}.99</p></div>"
            )
        });
        assert_eq!(books.len(), 5);
        assert!(
            books
                .iter()
                .all(|row| row.salary.is_none() && row.price.is_some())
        );
        let jobs = rows("Jobs", &|at| {
            format!(
                "<div class=b><h3><a href=/{at}>Post {at}</a></h3><p>Acme</p><p>€500 bonus</p>\
                 <p><b>€7{at},000</b> – <b>€90,000</b> per year</p></div>"
            )
        });
        let wages: Vec<_> = jobs.iter().filter_map(|row| row.salary.as_deref()).collect();
        assert_eq!(wages.len(), 5);
        assert_eq!(wages[0], "€71,000 – €90,000 per year");
        let pay = [
            "£30,000 - £35,000",
            "£12.50 per hour",
            "£28k to £30k",
            "Competitive",
        ];
        let cooks = rows("Open positions", &|at| {
            let pay = pay.get(at - 1).unwrap_or(&"£31,000 to £32,000");
            format!(
                "<li><h3><a href=/f/{at}>Cook number {at}</a></h3><p>{pay}</p><p>Refer a friend and get £500</p></li>"
            )
        });
        let wages: Vec<_> = cooks.iter().map(|row| row.salary.as_deref()).collect();
        let (ranges, rest) = pay.split_at(3);
        assert_eq!(wages[..3], [Some(ranges[0]), Some(ranges[1]), Some(ranges[2])]);
        assert_eq!((rest, wages[3]), (["Competitive"].as_slice(), None));
    }
}
