//! Conditions, order and number in instructions, in three languages, and what is not understood.

use plans::Conditions;
use plans::triggers::{self, InstructionFacts, PlanTarget};
use tools::{Effects, Grant, Registry};

/// What an instruction comes to, in short: limits of price, conditions, order, number of results, columns.
fn summary(facts: &InstructionFacts) -> String {
    let mut parts: Vec<String> = Vec::new();
    let strict = if facts.exclusive { "" } else { "=" };
    parts.extend(facts.max_price.map(|max| format!("price <{strict} {max}")));
    parts.extend(facts.min_price.map(|min| format!("price >{strict} {min}")));
    parts.extend(facts.conditions.iter().map(ToString::to_string));
    parts.extend(facts.any_of.iter().map(|list| {
        let list: Vec<String> = list.iter().map(ToString::to_string).collect();
        list.join(" or ")
    }));
    parts.extend(
        facts
            .sort
            .as_ref()
            .map(|(field, down)| format!("by {field} {}", if *down { "down" } else { "up" })),
    );
    parts.extend(facts.count.map(|count| format!("first {count}")));
    parts.extend(facts.pages.map(|pages| format!("{pages} pages")));
    parts.extend(facts.paginate.then(|| "all pages".to_owned()));
    parts.join("; ")
}

/// Instructions, what they come to, and the words that nothing understands.
const CASES: &[(&str, &str, &[&str])] = &[
    ("List all products under 100", "price < 100", &[]),
    ("List all products not under 100", "price >= 100", &[]),
    ("products that cost at most $20", "price <= 20", &[]),
    (
        "Show me offers over 50 and up to 80 euro",
        "price <= 80; price >= 50; price > 50",
        &[],
    ),
    ("products with more than 50 reviews", "reviews > 50", &[]),
    (
        "products with at least 4 stars and fewer than 100 reviews",
        "rating >= 4; reviews < 100",
        &[],
    ),
    ("products rated 4.5 or more", "rating >= 4.5", &[]),
    (
        "available products under 30 EUR",
        "price < 30; availability in stock",
        &[],
    ),
    (
        "all products that are not available",
        "availability not in stock",
        &[],
    ),
    ("products that are sold out", "availability not in stock", &[]),
    (
        "products that aren't fully booked or sold out",
        "availability not sold out",
        &[],
    ),
    (
        "products that are not sold out or fully booked, under 60",
        "price < 60; availability not sold out",
        &[],
    ),
    (
        "Produkte, die nicht ausgebucht oder ausverkauft sind",
        "availability not sold out",
        &[],
    ),
    (
        "products that aren't sold or reserved, under 60",
        "price < 60; availability not sold out; not mentions reserved",
        &[],
    ),
    (
        "mieszkania, które nie mają jeszcze żadnych opinii",
        "mentions mieszkania; reviews absent",
        &[],
    ),
    (
        "mieszkania bez żadnych opinii",
        "mentions mieszkania; reviews absent",
        &[],
    ),
    (
        "products that are not sold out or unavailable",
        "availability not sold out",
        &[],
    ),
    (
        "products that are not available or sold out, under 60",
        "price < 60; availability not in stock",
        &[],
    ),
    (
        "Produkte, die nicht mehr lieferbar sind",
        "availability not in stock",
        &[],
    ),
    (
        "Produkte, die noch nicht ausverkauft oder vergriffen sind",
        "availability in stock",
        &[],
    ),
    (
        "spływy z wolnymi miejscami, cena i termin",
        "mentions spływy; availability in stock",
        &[],
    ),
    (
        "trips with free places, price and date",
        "mentions trips; availability in stock",
        &[],
    ),
    (
        "products that are available or sold out",
        "availability in stock or availability not in stock",
        &[],
    ),
    ("the cheapest product", "by price up; first 1", &[]),
    ("the 3 cheapest products", "by price up; first 3", &[]),
    (
        "Which laptop is the most expensive?",
        "mentions laptop; by price down; first 1",
        &[],
    ),
    ("the newest articles", "by date down", &[]),
    ("products sorted by rating", "by rating down", &[]),
    ("products sorted by name descending", "by name down", &[]),
    (
        "names and prices of the products that contain the word \"steel\"",
        "name contains steel",
        &[],
    ),
    (
        "products not containing \"steel\"",
        "name not contains steel",
        &[],
    ),
    ("products without reviews", "reviews absent", &[]),
    ("wireless products under 40", "price < 40; mentions wireless", &[]),
    ("products with a balcony", "mentions balcony", &[]),
    ("not the cheapest product", "", &["not the cheapest"]),
    ("products from all pages", "all pages", &[]),
    ("articles with more than 100 comments", "comments > 100", &[]),
    ("Alle Produkte unter 50 Euro", "price < 50", &[]),
    (
        "Alle Produkte, die nicht unter 50 Euro kosten",
        "price >= 50",
        &[],
    ),
    ("Produkte mit mehr als 50 Bewertungen", "reviews > 50", &[]),
    ("das günstigste Produkt", "by price up; first 1", &[]),
    ("die drei teuersten Produkte", "by price down; first 3", &[]),
    (
        "Produkte, die nicht lieferbar sind",
        "availability not in stock",
        &[],
    ),
    (
        "verfügbare Produkte ab 20 Euro",
        "price >= 20; availability in stock",
        &[],
    ),
    ("Produkte von allen Seiten", "all pages", &[]),
    (
        "kabellose Produkte bis 30 €",
        "price <= 30; mentions kabellose",
        &[],
    ),
    (
        "Produkte mit mindestens 4 Sternen, sortiert nach Preis absteigend",
        "rating >= 4; by price down",
        &[],
    ),
    ("Wszystkie produkty poniżej 150 zł", "price < 150", &[]),
    ("produkty nie droższe niż 99,99 zł", "price <= 99.99", &[]),
    ("produkty z ponad 50 opiniami", "reviews > 50", &[]),
    ("najtańszy produkt", "by price up; first 1", &[]),
    ("niedostępne produkty", "availability not in stock", &[]),
    (
        "produkty od 20 do 40 zł z oceną co najmniej 4",
        "price <= 40; price >= 20; rating >= 4",
        &[],
    ),
    (
        "czerwone produkty do 60 zł",
        "price <= 60; mentions czerwone",
        &[],
    ),
    (
        "no cables, nothing over 30",
        "price <= 30; not mentions cables",
        &[],
    ),
    ("no cables over 30", "price > 30; not mentions cables", &[]),
    (
        "red or blue, under 60",
        "price < 60; mentions red or mentions blue",
        &[],
    ),
    (
        "black under 100 or white under 50",
        "mentions black or mentions white; mentions black or price < 50; price < 100 or mentions white; price < 100 or price < 50",
        &[],
    ),
    (
        "products that are neither black nor white",
        "not mentions black; not mentions white",
        &[],
    ),
    (
        "all products except Acme and Bolt",
        "not mentions Acme; not mentions Bolt",
        &[],
    ),
    (
        "discounted or rated at least 4.5",
        "old_price present or rating >= 4.5",
        &[],
    ),
    (
        "not discounted, free delivery",
        "old_price absent; free_delivery = true",
        &[],
    ),
    (
        "Produkte, schwarz sollen sie nicht sein",
        "not mentions schwarz",
        &[],
    ),
    (
        "weder reduziert noch ausverkauft",
        "old_price absent; availability not sold out",
        &[],
    ),
    ("not between 10 and 20 euros", "price < 10 or price > 20", &[]),
    (
        "products that mention CSV in the description",
        "contains CSV",
        &[],
    ),
    (
        "die bestbewertete Lampe",
        "mentions Lampe; by rating down; first 1",
        &[],
    ),
    (
        "products that are rejected or not selected",
        "mentions rejected",
        &["what the instruction denies"],
    ),
    ("remote products in IT", "mentions remote; mentions IT", &[]),
    (
        "which products had their price cut by at least $1,000",
        "old_price present; saving >= 1000",
        &[],
    ),
];

#[test]
fn conditions_are_read_as_they_are_meant_or_named_as_not_understood() {
    let registry = Registry::builtin();
    let conditions = Conditions {
        grant: Grant {
            effects: Effects::Act,
            ..Grant::default()
        },
        ..Conditions::all()
    };
    let mut misses = Vec::new();
    for (instruction, expected, unknown) in CASES {
        let made = triggers::make_plan(instruction, PlanTarget::default(), &registry, &conditions);
        let Some(made) = made else {
            misses.push(format!("{instruction}: no plan"));
            continue;
        };
        let got = summary(&made.facts);
        if got != *expected || made.checked.not_understood != *unknown {
            misses.push(format!(
                "{instruction}\n  got    {got} {:?}\n  wanted {expected} {unknown:?}",
                made.checked.not_understood
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
