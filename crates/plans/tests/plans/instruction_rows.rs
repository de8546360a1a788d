//! Instructions in three languages over list pages of a made-up shop: the rows that a person would choose.

use std::fmt::Write as _;
use std::sync::Arc;

use page::Page;
use plans::triggers::{self, PlanTarget};
use plans::{Conditions, PlanReport, SilentObserver, VerdictStatus};
use serde_json::Value;
use tools::{Grant, Registry, ToolContext, ToolServices};

/// A product of the shop: names in English, German and Polish, brand, colour, price, old price, rating, reviews, stock,
/// free delivery.
type Product = (
    [&'static str; 3],
    &'static str,
    usize,
    &'static str,
    &'static str,
    &'static str,
    u32,
    bool,
    bool,
);

/// Colours in English, German and Polish.
const COLOURS: [[&str; 3]; 4] = [
    ["black", "schwarz", "czarny"],
    ["white", "weiß", "biały"],
    ["red", "rot", "czerwony"],
    ["blue", "blau", "niebieski"],
];

#[rustfmt::skip]
const PRODUCTS: [Product; 8] = [
    (["Quern Kettle 1.5 L", "Quern Wasserkocher 1,5 l", "Czajnik Quern 1,5 l"], "Quern", 0, "49.90", "69.90", "4.6", 120, true, false),
    (["Bolt USB Cable 2 m", "Bolt Ladekabel 2 m", "Kabel Bolt USB 2 m"], "Bolt", 1, "9.50", "", "4.1", 12, true, false),
    (["Quern Toaster", "Quern Toaster", "Toster Quern"], "Quern", 2, "35.00", "", "3.9", 55, false, true),
    (["Desk Lamp Halo", "Schreibtischlampe Halo", "Lampka biurkowa Halo"], "Luma", 1, "79.00", "99.00", "4.8", 310, true, true),
    (["Filter for Quern Kettles", "Filter für Quern Wasserkocher", "Filtr do czajników Quern"], "Puro", 1, "12.00", "", "", 0, true, false),
    (["Luma Headphones (used)", "Luma Kopfhörer (gebraucht)", "Słuchawki Luma (używane)"], "Luma", 3, "120.00", "", "4.4", 48, true, true),
    (["Extension Cable 5 m", "Verlängerungskabel 5 m", "Kabel przedłużający 5 m"], "Bolt", 0, "15.20", "19.00", "4.7", 89, false, false),
    (["Bolt Speaker", "Bolt Lautsprecher", "Głośnik Bolt"], "Bolt", 3, "199.00", "", "4.2", 501, true, true),
];

/// Words of the shop: language, brand, rating, in stock, sold out, free delivery, paid delivery.
const WORDS: [[&str; 7]; 3] = [
    [
        "en",
        "by",
        "out of 5",
        "In stock",
        "Out of stock",
        "Free delivery",
        "Delivery €4.99",
    ],
    [
        "de",
        "von",
        "von 5",
        "auf Lager",
        "ausverkauft",
        "Kostenloser Versand",
        "Versand 4,99 €",
    ],
    [
        "pl",
        "marka:",
        "na 5",
        "dostępny",
        "brak w magazynie",
        "Darmowa dostawa",
        "Dostawa 4,99 €",
    ],
];

fn shop(language: usize) -> Page {
    let [code, by, of_five, in_stock, sold_out, free, paid] = WORDS[language];
    let mut html = format!("<html lang={code}><title>Shop</title><body><h1>Shop</h1><ul>");
    for (names, brand, colour, price, old, rating, reviews, is_in_stock, is_free) in PRODUCTS {
        let name = names[language];
        let old = if old.is_empty() {
            String::new()
        } else {
            format!("<s>€{old}</s>")
        };
        let rating = if rating.is_empty() {
            "-".to_owned()
        } else {
            format!("{rating} {of_five}")
        };
        let _ = write!(
            html,
            "<li class=card><h3><a href='/p/{brand}-{price}'>{name}</a></h3><p class=brand>{by} <span>{brand}</span></p>\
             <p class=rating><span class=stars>{rating}</span> <span class=reviews>({reviews})</span></p>\
             <div class=prices>{old} <span class=price>€{price}</span></div><p class=colour>{}</p>\
             <p class=stock>{}</p><p class=delivery>{}</p></li>",
            COLOURS[colour][language],
            if is_in_stock { in_stock } else { sold_out },
            if is_free { free } else { paid },
        );
    }
    Page::new(
        html + "</ul></body></html>",
        Some("https://shop.example/all".parse().unwrap()),
    )
}

async fn report(language: usize, instruction: &str) -> Option<PlanReport> {
    let page = Arc::new(shop(language));
    let registry = Registry::builtin();
    // Nothing acts on the page: the rows are those that it lists.
    let conditions = Conditions::all();
    let target = PlanTarget {
        url: page.url(),
        page: Some(&page),
    };
    let made = triggers::make_plan(instruction, target, &registry, &conditions)?;
    let mut context = ToolContext::new(ToolServices::default(), Grant::default()).with_page(page.clone());
    Some(plans::execute(&made.checked, &registry, &mut context, &mut SilentObserver).await)
}

/// The places of the rows of an answer in the list of products, from 1.
fn places(language: usize, answer: Option<&Value>) -> Vec<usize> {
    let rows = answer.and_then(Value::as_array).into_iter().flatten();
    let place = |row: &Value| {
        PRODUCTS
            .iter()
            .position(|product| row["name"] == product.0[language])
    };
    rows.filter_map(place).map(|place| place + 1).collect()
}

/// Language, instruction, places of the right products; in this order where the flag says so.
#[rustfmt::skip]
const CASES: &[(usize, &str, &[usize], bool)] = &[
    (0, "everything under 40 that can be bought", &[2, 5], false),
    (0, "kettles", &[1], false),
    (0, "cables, cheapest first", &[2, 7], true),
    (0, "all Quern products", &[1, 3], false),
    (0, "Quern or Luma, not used", &[1, 3, 4], false),
    (0, "no cables, nothing over 50", &[1, 3, 5], false),
    (0, "white things with free delivery", &[4], false),
    (0, "discounted and in stock", &[1, 4], false),
    (0, "more than 100 reviews, best rated first", &[4, 1, 8], true),
    (0, "Which product is the most expensive?", &[8], false),
    (0, "the two cheapest products in stock", &[2, 5], false),
    (0, "rated 4.5 or better", &[1, 4, 7], false),
    (0, "except Bolt and Luma", &[1, 3, 5], false),
    (0, "a rating of at least 4.4 except Luma", &[1, 7], false),
    (1, "eine Bewertung von mindestens 4,4 außer Luma", &[1, 7], false),
    (2, "ocena co najmniej 4,4 oprócz Luma", &[1, 7], false),
    (0, "red or black", &[1, 3, 7], false),
    (0, "What is sold out?", &[3, 7], false),
    (0, "black under 20 or blue over 150", &[7, 8], false),
    (0, "less than 10 or more than 100", &[2, 6, 8], false),
    (0, "what is the cheapest cable?", &[2], false),
    (0, "at least 25% off", &[1], false),
    (0, "not yet rated", &[5], false),
    (0, "kettles or cables under 40", &[2, 7], false),
    (1, "sortiert nach Preis, teuerste zuerst", &[8, 6, 4, 1, 3, 7, 5, 2], true),
    (1, "Geräte von Quern oder Luma unter 100 Euro", &[1, 3, 4], false),
    (1, "bis einschließlich 12 Euro", &[2, 5], false),
    (2, "najtańszy kabel", &[2], false),
    (1, "Kabel", &[2, 7], false),
    (1, "schwarze oder rote Artikel", &[1, 3, 7], false),
    (1, "versandkostenfrei, aber nicht von Luma", &[3, 8], false),
    (1, "reduzierte Ware, teuerste zuerst", &[4, 1, 7], true),
    (1, "mindestens 10 und höchstens 50 Euro, nicht ausverkauft", &[1, 5], false),
    (1, "keine gebrauchten, mehr als 50 Bewertungen", &[1, 3, 4, 7, 8], false),
    (1, "das billigste lieferbare Produkt von Quern", &[1], false),
    (1, "weder schwarz noch weiß", &[3, 6, 8], false),
    (1, "die drei bestbewerteten", &[1, 4, 7], false),
    (2, "czerwone albo niebieskie do 150 zł", &[3, 6], false),
    (2, "wszystko oprócz kabli, poniżej 50", &[1, 3, 5], false),
    (2, "przecenione, od najdroższego", &[4, 1, 7], true),
    (2, "Czego nie ma w magazynie?", &[3, 7], false),
    (2, "bez darmowej dostawy, co najmniej 4,5 gwiazdki", &[1, 7], false),
    (2, "Quern i Bolt, ale nie droższe niż 40", &[2, 3, 7], false),
    (2, "trzy najtańsze produkty", &[2, 5, 7], false),
    (2, "nieprzecenione używane słuchawki", &[6], false),
];

#[tokio::test]
async fn the_rows_are_those_that_a_person_would_choose() {
    let mut misses = Vec::new();
    for (language, instruction, expected, is_ordered) in CASES {
        let report = report(*language, instruction).await;
        let mut got = places(
            *language,
            report.as_ref().and_then(|report| report.answer.as_ref()),
        );
        if !is_ordered {
            got.sort_unstable();
        }
        let verdict = report.map(|report| report.verdict);
        let problems: Vec<String> = verdict.map(|verdict| verdict.issues).unwrap_or_default();
        // Steps that need a live page are left out of account.
        let problems: Vec<&String> = problems
            .iter()
            .filter(|issue| issue.contains("applied"))
            .collect();
        if got != *expected || !problems.is_empty() {
            misses.push(format!(
                "{instruction}: {got:?}, wanted {expected:?} {problems:?}"
            ));
        }
    }
    assert!(
        misses.is_empty(),
        "{} of {} missed:\n{}",
        misses.len(),
        CASES.len(),
        misses.join("\n")
    );
}

/// What no rule over the rows can answer, or what the rows do not say.
#[rustfmt::skip]
const OPEN: &[(usize, &str)] = &[
    (0, "Something that would suit my grandmother."),
    (0, "waterproof products under 50"),
    (0, "not the cheapest"),
    (0, "products heavier than 3 kg"),
    (1, "Was davon würdest du selbst kaufen?"),
    (1, "glutenfreie Produkte"),
    (2, "Co byś wziął na moim miejscu?"),
    (2, "produkty, które nie wyjdą z mody"),
];

#[tokio::test]
async fn what_is_not_understood_or_not_told_by_the_rows_is_named_and_never_passes() {
    let mut silent = Vec::new();
    for (language, instruction) in OPEN {
        if let Some(report) = report(*language, instruction).await {
            let is_named = report
                .verdict
                .issues
                .iter()
                .any(|issue| issue.contains("not applied"));
            if !is_named || report.verdict.status == VerdictStatus::Passed {
                silent.push(format!("{instruction}: {:?}", report.verdict));
            }
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

#[tokio::test]
async fn amounts_in_another_currency_than_the_prices_are_told_and_never_pass() {
    for (language, instruction, is_told) in [
        (2, "produkty do 150 zł", true),
        (0, "products under 40 pounds sterling, £40", true),
        (1, "Artikel bis 12 Euro", false),
        (0, "products under 40", false),
        // The sign of many currencies.
        (0, "products under $40", false),
    ] {
        let verdict = report(language, instruction).await.unwrap().verdict;
        let told = verdict
            .issues
            .iter()
            .any(|issue| issue.contains("the prices are in EUR"));
        assert_eq!(told, is_told, "{instruction}: {verdict:?}");
        assert!(!told || verdict.status != VerdictStatus::Passed);
    }
}
