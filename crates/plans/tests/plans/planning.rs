//! Plans from instructions without a model.

use plans::{Conditions, triggers};
use serde_json::{Map, Value, json};
use tools::{Effects, Grant, Registry};

/// An instruction and its plan: tools in order, each with the parameters that the instruction is about.
type Case = (&'static str, &'static [(&'static str, &'static str)]);

const CASES: &[Case] = &[
    (
        "Find all products under 150zł",
        &[
            ("forms.price_filter", r#"{"max":150}"#),
            ("navigation.scroll_load", "{}"),
            ("extraction.products_generic", r#"{"max_price":150}"#),
            ("validation.price_range_check", r#"{"max":150}"#),
        ],
    ),
    (
        "Find all products under 150zł on Ceneo special offers page",
        &[
            ("forms.price_filter", r#"{"max":150}"#),
            ("navigation.scroll_load", "{}"),
            ("extraction.products_ceneo", r#"{"max_price":150}"#),
            ("validation.price_range_check", r#"{"max":150}"#),
        ],
    ),
    (
        "Znajdź wszystkie produkty poniżej 150 zł na Ceneo",
        &[
            ("forms.price_filter", r#"{"max":150}"#),
            ("navigation.scroll_load", "{}"),
            ("extraction.products_ceneo", r#"{"max_price":150}"#),
            ("validation.price_range_check", r#"{"max":150}"#),
        ],
    ),
    (
        "Show products between $20 and $49.99",
        &[
            ("forms.price_filter", r#"{"min":20,"max":49.99}"#),
            (
                "extraction.products_generic",
                r#"{"min_price":20,"max_price":49.99}"#,
            ),
            ("validation.price_range_check", r#"{"min":20,"max":49.99}"#),
        ],
    ),
    (
        "Pokaż produkty w cenie od 100 do 250 zł",
        &[
            ("forms.price_filter", r#"{"min":100,"max":250}"#),
            (
                "extraction.products_generic",
                r#"{"min_price":100,"max_price":250}"#,
            ),
            ("validation.price_range_check", r#"{"min":100,"max":250}"#),
        ],
    ),
    (
        "List the 10 cheapest laptops",
        &[
            ("extraction.products_generic", "{}"),
            ("data.filter_rows", "{}"),
            (
                "data.rank_rows",
                r#"{"sort_field":"price","descending":false,"limit":10}"#,
            ),
        ],
    ),
    (
        "Podaj 5 najtańszych słuchawek",
        &[
            ("extraction.products_generic", "{}"),
            ("data.filter_rows", "{}"),
            (
                "data.rank_rows",
                r#"{"sort_field":"price","descending":false,"limit":5}"#,
            ),
        ],
    ),
    (
        "Get the three most expensive monitors",
        &[
            ("extraction.products_generic", "{}"),
            ("data.filter_rows", "{}"),
            ("data.rank_rows", r#"{"descending":true,"limit":3}"#),
        ],
    ),
    (
        "Search for wireless headphones under 200 PLN",
        &[
            ("forms.search_query", r#"{"query":"wireless headphones"}"#),
            ("forms.price_filter", r#"{"max":200}"#),
            ("extraction.products_generic", r#"{"max_price":200}"#),
            ("validation.price_range_check", r#"{"max":200}"#),
        ],
    ),
    (
        "Wyszukaj \"czajnik elektryczny\" i pokaż oferty do 1 200,50 zł",
        &[
            ("forms.search_query", r#"{"query":"czajnik elektryczny"}"#),
            ("forms.price_filter", r#"{"max":1200.5}"#),
            ("extraction.products_generic", r#"{"max_price":1200.5}"#),
            ("validation.price_range_check", r#"{"max":1200.5}"#),
        ],
    ),
    (
        "Extract the first 20 stories from Hacker News",
        &[("extraction.articles_hn", r#"{"max_results":20}"#)],
    ),
    (
        "Hacker News posts with at least 100 points",
        &[("extraction.articles_hn", r#"{"min_points":100}"#)],
    ),
    (
        "Pobierz 15 artykułów z Hacker News, które mają ponad 50 punktów",
        &[("extraction.articles_hn", r#"{"max_results":15,"min_points":50}"#)],
    ),
    (
        "Top 25 posts on this subreddit",
        &[("extraction.articles_reddit", r#"{"max_results":25}"#)],
    ),
    (
        "Wpisy z Reddita powyżej 500 punktów",
        &[
            ("extraction.articles_reddit", r#"{"min_score":500}"#),
            ("data.filter_rows", "{}"),
        ],
    ),
    (
        "Get reddit threads with more than 1000 upvotes",
        &[
            ("extraction.articles_reddit", r#"{"min_score":1000}"#),
            ("data.filter_rows", "{}"),
        ],
    ),
    (
        "List all links containing /product/",
        &[("extraction.links_by_pattern", r#"{"contains":"/product/"}"#)],
    ),
    (
        "Find links to PDF files",
        &[("extraction.links_by_pattern", r#"{"pattern":"\\.pdf(?:$|[?#])"}"#)],
    ),
    (
        "Wypisz linki zawierające \"oferta\"",
        &[("extraction.links_by_pattern", r#"{"contains":"oferta"}"#)],
    ),
    (
        "All internal links on this page",
        &[("extraction.links_by_pattern", r#"{"same_domain":true}"#)],
    ),
    (
        "Links ending in .zip",
        &[("extraction.links_by_pattern", r#"{"pattern":"\\.zip$"}"#)],
    ),
    (
        "Znajdź odnośniki do plików pdf",
        &[("extraction.links_by_pattern", r#"{"pattern":"\\.pdf(?:$|[?#])"}"#)],
    ),
    (
        "Convert the tables on this page to JSON",
        &[("extraction.tables_to_json", "{}")],
    ),
    ("Pobierz tabele ze strony", &[("extraction.tables_to_json", "{}")]),
    ("Find all e-mail addresses", &[("extract.emails", "{}")]),
    ("Znajdź adresy e-mail na stronie", &[("extract.emails", "{}")]),
    ("Give me the phone numbers", &[("extract.phones", "{}")]),
    ("Wypisz numery telefonów", &[("extract.phones", "{}")]),
    (
        "Which social media accounts does the site link to?",
        &[("extract.social_handles", "{}")],
    ),
    (
        "Scroll down 5 times and list the products",
        &[
            ("navigation.scroll_load", r#"{"times":5}"#),
            ("extraction.products_generic", "{}"),
        ],
    ),
    (
        "Przewiń 4 razy i wypisz produkty do 99 zł",
        &[
            ("forms.price_filter", r#"{"max":99}"#),
            ("navigation.scroll_load", r#"{"times":4}"#),
            ("extraction.products_generic", r#"{"max_price":99}"#),
            ("validation.price_range_check", r#"{"max":99}"#),
        ],
    ),
    (
        "Collect products from the first 3 pages",
        &[
            ("navigation.pagination", r#"{"max_pages":3}"#),
            ("extraction.products_generic", "{}"),
        ],
    ),
    (
        "Pobierz produkty z pierwszych 4 stron",
        &[
            ("navigation.pagination", r#"{"max_pages":4}"#),
            ("extraction.products_generic", "{}"),
        ],
    ),
    (
        "Go through all pages and collect the offers",
        &[
            ("navigation.pagination", "{}"),
            ("extraction.products_generic", "{}"),
        ],
    ),
    (
        "Products in category Electronics > Phones under 500 EUR",
        &[
            (
                "navigation.category_select",
                r#"{"path":["Electronics","Phones"]}"#,
            ),
            ("forms.price_filter", r#"{"max":500}"#),
            ("extraction.products_generic", r#"{"max_price":500}"#),
            ("validation.price_range_check", r#"{"max":500}"#),
        ],
    ),
    (
        "Wejdź do kategorii Dom i ogród / Narzędzia, wypisz produkty",
        &[
            ("navigation.category_select", "{}"),
            ("extraction.products_generic", "{}"),
        ],
    ),
    (
        "Select \"Newest\" in the sort field and list the products",
        &[
            (
                "forms.dropdown_select",
                r#"{"label":"Newest","field":"sort field"}"#,
            ),
            ("extraction.products_generic", "{}"),
        ],
    ),
    (
        "Wybierz „Kraków” w polu miasto i wypisz ogłoszenia",
        &[
            ("forms.dropdown_select", r#"{"label":"Kraków","field":"miasto"}"#),
            ("extract.records", "{}"),
        ],
    ),
    (
        "Show listings from 2026-03-05 to 2026-03-09",
        &[
            (
                "forms.date_picker",
                r#"{"start":"2026-03-05","end":"2026-03-09"}"#,
            ),
            ("extract.records", "{}"),
        ],
    ),
    (
        "Pokaż ogłoszenia od 5 marca 2026 do 9 marca 2026",
        &[
            (
                "forms.date_picker",
                r#"{"start":"2026-03-05","end":"2026-03-09"}"#,
            ),
            ("extract.records", "{}"),
        ],
    ),
    (
        "Click \"Show all offers\" and list the products",
        &[
            ("navigation.click_by_text", r#"{"text":"Show all offers"}"#),
            ("extraction.products_generic", "{}"),
        ],
    ),
    (
        "Kliknij „Pokaż oferty” i wypisz produkty",
        &[
            ("navigation.click_by_text", r#"{"text":"Pokaż oferty"}"#),
            ("extraction.products_generic", "{}"),
        ],
    ),
    (
        "Amazon headphones up to $60 rated at least 4 stars",
        &[
            ("forms.price_filter", r#"{"max":60}"#),
            ("extraction.products_amazon", r#"{"min_rating":4}"#),
            ("data.filter_rows", "{}"),
        ],
    ),
    ("List every job offer on the page", &[("extract.records", "{}")]),
    (
        "Get 12 quotes from this page",
        &[("extract.records", r#"{"limit":12}"#)],
    ),
    (
        "Find products over 1000 zł",
        &[
            ("extraction.products_generic", r#"{"min_price":1000}"#),
            ("validation.price_range_check", r#"{"min":1000}"#),
        ],
    ),
    (
        "Products cheaper than 2 tys. zł",
        &[
            ("forms.price_filter", r#"{"max":2000}"#),
            ("extraction.products_generic", r#"{"max_price":2000}"#),
            ("validation.price_range_check", r#"{"max":2000}"#),
        ],
    ),
    (
        "Extract 30 products with name, price and link",
        &[("extraction.products_generic", r#"{"max_results":30}"#)],
    ),
    (
        "Produkty tańsze niż 80 zł, upewnij się, że każdy ma nazwę i cenę",
        &[
            ("forms.price_filter", r#"{"max":80}"#),
            ("extraction.products_generic", r#"{"max_price":80}"#),
            ("validation.price_range_check", r#"{"max":80}"#),
            ("validation.required_fields", r#"{"fields":["name","price"]}"#),
        ],
    ),
    (
        "List products under €35 and check that the links are valid urls",
        &[
            ("forms.price_filter", r#"{"max":35}"#),
            ("extraction.products_generic", r#"{"max_price":35}"#),
            ("validation.price_range_check", r#"{"max":35}"#),
            ("validation.url_format_check", "{}"),
        ],
    ),
    ("Summarize this page", &[("ai.summarize", "{}")]),
    ("What are the keywords of the text?", &[("text.keywords", "{}")]),
    (
        "List all images with their alternative text",
        &[("html.extract_images", "{}")],
    ),
    (
        "Which forms does this page have?",
        &[("html.extract_forms", "{}")],
    ),
    (
        "Give me the JSON-LD structured data",
        &[("html.extract_jsonld", "{}")],
    ),
    (
        "Elements matching the CSS selector `div.card > h2`",
        &[("html.select", r#"{"selector":"div.card > h2"}"#)],
    ),
    (
        "At most 8 products, maximum price 300",
        &[
            ("forms.price_filter", r#"{"max":300}"#),
            (
                "extraction.products_generic",
                r#"{"max_price":300,"max_results":8}"#,
            ),
            ("validation.price_range_check", r#"{"max":300}"#),
        ],
    ),
    (
        "Alle Produkte unter 50 Euro",
        &[
            ("forms.price_filter", r#"{"max":50}"#),
            ("navigation.scroll_load", "{}"),
            ("extraction.products_generic", r#"{"max_price":50}"#),
            ("validation.price_range_check", r#"{"max":50}"#),
        ],
    ),
    ("Tell me a joke", &[]),
    ("Read the page", &[]),
];

/// What the plan says differently; nothing when every tool stands in its place with its parameters.
fn difference(instruction: &str, expected: &[(&str, &str)]) -> Option<String> {
    let conditions = Conditions {
        grant: Grant {
            effects: Effects::Act,
            ..Grant::default()
        },
        ..Conditions::all()
    };
    let made = triggers::make_plan(
        instruction,
        triggers::PlanTarget::default(),
        &Registry::builtin(),
        &conditions,
    );
    let steps: Vec<(String, Map<String, Value>)> = made
        .iter()
        .flat_map(|it| {
            it.plan
                .steps
                .iter()
                .map(|it| (it.tool.clone(), it.parameters.clone()))
        })
        .collect();
    let tools: Vec<&str> = steps.iter().map(|(tool, _)| tool.as_str()).collect();
    let wanted: Vec<&str> = expected.iter().map(|(tool, _)| *tool).collect();
    let told = || {
        format!(
            "{instruction}\n  got {:?}",
            steps
                .iter()
                .map(|(tool, it)| format!("{tool} {}", json!(it)))
                .collect::<Vec<_>>()
        )
    };
    if tools != wanted {
        return Some(format!("{}\n  wanted {wanted:?}", told()));
    }
    for ((_, parameters), (tool, expected)) in steps.iter().zip(expected) {
        let expected: Map<String, Value> = serde_json::from_str(expected).unwrap();
        for (name, value) in expected {
            let real = parameters.get(&name).unwrap_or(&Value::Null);
            let same = *real == value || (real.as_f64().is_some() && real.as_f64() == value.as_f64());
            if !same {
                return Some(format!("{}\n  wanted {tool} {name}={value}", told()));
            }
        }
    }
    None
}

#[test]
fn instructions_in_english_and_polish_become_the_plans_a_person_would_make() {
    let misses: Vec<String> = CASES
        .iter()
        .filter_map(|(instruction, expected)| difference(instruction, expected))
        .collect();
    println!("{} of {} right", CASES.len() - misses.len(), CASES.len());
    println!("{}", misses.join("\n"));
    assert!(CASES.len() >= 60);
    assert!(
        CASES.len() - misses.len() >= 54,
        "{} misses:\n{}",
        misses.len(),
        misses.join("\n")
    );
}

/// Instructions that were written before anybody looked at the words which the rules know, half of them in Polish.
const FRESH: &[Case] = &[
    (
        "Give me every laptop cheaper than $900 and sort them by price",
        &[
            ("forms.price_filter", r#"{"max":900}"#),
            ("navigation.scroll_load", "{}"),
            ("extraction.products_generic", "{}"),
            ("data.filter_rows", "{}"),
            ("data.rank_rows", r#"{"sort_field":"price","descending":false}"#),
        ],
    ),
    (
        "Hacker News articles that got over 200 points",
        &[
            ("extraction.articles_hn", r#"{"min_points":200}"#),
            ("data.filter_rows", "{}"),
        ],
    ),
    (
        "Collect email addresses and phone numbers from the contact page",
        &[("extract.emails", "{}"), ("extract.phones", "{}")],
    ),
    (
        "Turn the league table into CSV",
        &[("extraction.tables_to_json", "{}")],
    ),
    (
        "Which vacuum cleaner is the cheapest?",
        &[
            ("extraction.products_generic", "{}"),
            ("data.filter_rows", "{}"),
            ("data.rank_rows", r#"{"sort_field":"price","descending":false}"#),
        ],
    ),
    (
        "Look for running shoes and list the first 15 results",
        &[
            ("forms.search_query", r#"{"query":"running shoes"}"#),
            ("extraction.products_generic", r#"{"max_results":15}"#),
        ],
    ),
    (
        "Go through the first 4 pages and gather all job listings with title, company and location",
        &[
            ("navigation.pagination", r#"{"max_pages":4}"#),
            ("extract.records", "{}"),
        ],
    ),
    (
        "Book a stay from 12 June 2026 to 15 June 2026",
        &[(
            "forms.date_picker",
            r#"{"start":"2026-06-12","end":"2026-06-15"}"#,
        )],
    ),
    (
        "All PDF links on this page",
        &[("extraction.links_by_pattern", "{}")],
    ),
    (
        "Choose 'Newest' in the Sort by menu, then list the first 12 books",
        &[
            ("forms.dropdown_select", r#"{"label":"Newest"}"#),
            ("extract.records", "{}"),
        ],
    ),
    (
        "Wypisz nazwy i ceny wszystkich telefonów tańszych niż 2 tys. zł",
        &[
            ("forms.price_filter", r#"{"max":2000}"#),
            ("navigation.scroll_load", "{}"),
            ("extraction.products_generic", "{}"),
            ("data.filter_rows", "{}"),
        ],
    ),
    (
        "Podaj 10 najnowszych wpisów z Reddita",
        &[("extraction.articles_reddit", r#"{"max_results":10}"#)],
    ),
    (
        "Wyszukaj buty do biegania i posortuj od najdroższych",
        &[
            ("forms.search_query", r#"{"query":"buty do biegania"}"#),
            ("extraction.products_generic", "{}"),
            ("data.rank_rows", r#"{"sort_field":"price","descending":true}"#),
        ],
    ),
    (
        "Zbierz wszystkie adresy e-mail ze strony kontaktowej",
        &[("extract.emails", "{}")],
    ),
    (
        "Przejdź do kategorii Elektronika > Słuchawki i wypisz 20 produktów",
        &[
            (
                "navigation.category_select",
                r#"{"path":["Elektronika","Słuchawki"]}"#,
            ),
            ("extraction.products_generic", r#"{"max_results":20}"#),
        ],
    ),
    (
        "Jakie tabele są na stronie?",
        &[("extraction.tables_to_json", "{}")],
    ),
    (
        "Kliknij przycisk \"Pokaż więcej\" i wypisz wszystkie oferty pracy",
        &[
            ("navigation.click_by_text", r#"{"text":"Pokaż więcej"}"#),
            ("extract.records", "{}"),
        ],
    ),
    (
        "Przewiń 5 razy i pobierz produkty z oceną co najmniej 4 gwiazdki na Amazonie",
        &[
            ("navigation.scroll_load", r#"{"times":5}"#),
            ("extraction.products_amazon", r#"{"min_rating":4}"#),
        ],
    ),
    (
        "Linki zawierające /artykul/",
        &[("extraction.links_by_pattern", r#"{"contains":"/artykul/"}"#)],
    ),
    (
        "Sprawdź, czy każdy produkt ma nazwę, cenę i link",
        &[
            ("extraction.products_generic", "{}"),
            (
                "validation.required_fields",
                r#"{"fields":["name","price","url"]}"#,
            ),
        ],
    ),
];

#[test]
fn instructions_that_nobody_wrote_rules_for_are_understood_as_well() {
    let misses: Vec<String> = FRESH
        .iter()
        .filter_map(|(instruction, expected)| difference(instruction, expected))
        .collect();
    println!("{} of {} right", FRESH.len() - misses.len(), FRESH.len());
    println!("{}", misses.join("\n"));
    assert!(FRESH.len() - misses.len() >= 18);
}

#[test]
fn the_same_instruction_gives_the_same_plan_every_time() {
    let registry = Registry::builtin();
    let plan = || {
        triggers::make_plan(
            CASES[0].0,
            triggers::PlanTarget::default(),
            &registry,
            &Conditions::all(),
        )
        .unwrap()
        .plan
    };
    assert_eq!(plan().source, plan().source);
}

/// The two instructions that the specification of plans prints.
#[test]
fn the_printed_instructions_become_their_plans_and_a_known_shop_falls_back_to_any_shop() {
    for (instruction, expected) in &CASES[..2] {
        assert_eq!(difference(instruction, expected), None);
    }
    let fallback = |instruction: &str| {
        let target = triggers::PlanTarget::default();
        let made = triggers::make_plan(instruction, target, &Registry::builtin(), &Conditions::all());
        let plan = made.unwrap().plan;
        plan.fallback
            .iter()
            .map(|(tool, _)| tool.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(fallback(CASES[1].0), ["extraction.products_generic"]);
    assert_eq!(fallback("top 3 stories on Hacker News"), [""; 0]);
}
