//! What instructions are read as where the page has a list.

use page::Page;

use super::super::target::PlanTarget;
use super::InstructionFacts;

/// The wishes of an instruction about a page.
fn wishes(page: &Page, instruction: &str) -> Vec<String> {
    let target = PlanTarget {
        page: Some(page),
        ..PlanTarget::default()
    };
    InstructionFacts::read(instruction, target).wishes()
}

fn page(entries: &[(&str, &str)]) -> Page {
    let entries: String = entries
        .iter()
        .map(|(name, rest)| format!("<li class=e><h3><a href='/e/{name}'>{name}</a></h3>{rest}</li>"))
        .collect();
    Page::new(
        format!("<h1>All of them</h1><ul>{entries}</ul>"),
        "https://list.example/".parse().ok(),
    )
}

/// Projects with their language, licence and stars.
fn projects() -> Page {
    let entry = |language: &str, licence: &str, stars: &str| {
        format!(
            "<span itemprop=programmingLanguage>{language}</span> <span>{licence} license</span>\
             <p><a href=/s><svg aria-label=star><path d=M1></svg> {stars}</a></p>"
        )
    };
    page(&[
        ("kite", &entry("Go", "MIT", "12.4k")),
        ("quill", &entry("Rust", "Apache", "811")),
        ("moor", &entry("Go", "GPL", "3.1k")),
        ("fen", &entry("Rust", "MIT", "120")),
    ])
}

#[test]
fn names_that_are_words_of_grammar_are_read_where_entries_show_them() {
    let projects = projects();
    assert_eq!(
        wishes(&projects, "projects written in Go"),
        ["mentions projects", "mentions Go"]
    );
    let either = wishes(&projects, "MIT or Apache licensed");
    assert!(either.iter().any(|wish| wish.contains("MIT")), "{either:?}");
    for stressed in ["show me ALL projects as JSON", "Zeige mir Alle Projekte"] {
        let read = wishes(&projects, stressed);
        assert!(
            read.iter()
                .all(|wish| !wish.to_lowercase().contains("all") && !wish.contains("JSON")),
            "{stressed}: {read:?}"
        );
    }
}

#[test]
fn stars_are_counted_where_a_list_counts_them() {
    let projects = projects();
    assert!(wishes(&projects, "projects with more than 10k stars").contains(&"star > 10000".to_owned()));
    let top = wishes(&projects, "top 2 by stars");
    assert_eq!(top, ["order by star, descending", "at most 2 rows"]);
    let rated = wishes(&projects, "more than 4 stars");
    assert!(rated.iter().all(|wish| !wish.starts_with("star ")), "{rated:?}");
}

#[test]
fn the_top_by_a_label_keeps_the_condition_behind_it() {
    let country = |population: &str, continent: &str| {
        format!("<dl><dt>Population</dt><dd>{population}</dd><dt>Continent</dt><dd>{continent}</dd></dl>")
    };
    let countries = page(&[
        ("Ardland", &country("12,000,000", "Asia")),
        ("Borland", &country("83,000,000", "Europe")),
        ("Cedia", &country("7,000,000", "Asia")),
        ("Dorne", &country("64,000,000", "Europe")),
    ]);
    let top = wishes(&countries, "top 2 countries by population in Asia");
    assert!(top.contains(&"mentions Asia".to_owned()), "{top:?}");
    assert!(
        top.contains(&"order by population, descending".to_owned()),
        "{top:?}"
    );
    let of_continent = wishes(&countries, "top 2 countries for continent Asia");
    assert!(
        !of_continent
            .iter()
            .any(|wish| wish.starts_with("order by continent")),
        "{of_continent:?}"
    );
}

#[test]
fn groups_of_people_are_named_and_days_are_no_stock() {
    let event = |group: &str, day: &str| format!("<p>{group}</p><p>Available from {day}</p>");
    let events = page(&[
        ("Rhyme time", &event("Under 5s", "3 May 2027")),
        ("Tea dance", &event("Over 60s", "4 May 2027")),
        ("Chess", &event("Families", "9 June 2027")),
        ("Choir", &event("Adults", "11 June 2027")),
    ]);
    let groups = wishes(&events, "things for under 5s or families");
    assert!(
        groups
            .iter()
            .any(|wish| wish.contains("under 5s") && wish.contains("families")),
        "{groups:?}"
    );
    let free = wishes(&events, "available from 1 June 2027");
    assert!(free.iter().all(|wish| !wish.contains("stock")), "{free:?}");
    assert!(free.iter().any(|wish| wish.starts_with("date >=")), "{free:?}");
}

#[test]
fn the_fastest_take_the_least_time_and_the_most_off_is_a_discount() {
    let empty = Page::new("<p>No list</p>", None);
    let fastest = wishes(&empty, "the 3 fastest, with duration and price");
    assert!(
        fastest
            .iter()
            .any(|wish| wish.starts_with("order by time in minutes") && wish.ends_with("ascending")),
        "{fastest:?}"
    );
    assert!(fastest.contains(&"at most 3 rows".to_owned()), "{fastest:?}");
    let off = wishes(&empty, "the 4 with the biggest percentage off");
    assert_eq!(off, ["order by discount, descending", "at most 4 rows"]);
}

#[test]
fn what_columns_are_of_is_a_condition() {
    let van = |fuel: &str, miles: &str| {
        format!("<dl><dt>Fuel</dt><dd>{fuel}</dd><dt>Mileage</dt><dd>{miles} miles</dd></dl>")
    };
    let vans = page(&[
        ("Transit", &van("Diesel", "48,210")),
        ("Kangoo", &van("Electric", "9,800")),
        ("Sprinter", &van("Diesel", "62,500")),
        ("Vito", &van("Petrol", "31,000")),
    ]);
    assert!(wishes(&vans, "title and mileage of diesel vans").contains(&"mentions diesel".to_owned()));
}
