//! Conditions on the columns of a table: from where and to where, floors, counts, levels, ages, and cells that say no.

use page::Page;

use super::instruction_lists::{Case, assert_chosen, list};

/// A page with one table.
fn table(language: &str, title: &str, head: &[&str], rows: &[&[&str]]) -> Page {
    let head: String = head.iter().map(|cell| format!("<th>{cell}</th>")).collect();
    let row = |(at, cells): (usize, &&[&str])| {
        let (first, rest) = cells.split_first().unwrap();
        let rest: String = rest.iter().map(|cell| format!("<td>{cell}</td>")).collect();
        format!("<tr><td><a href='/e/{at}'>{first}</a></td>{rest}</tr>")
    };
    let rows: String = rows.iter().enumerate().map(row).collect();
    let html = format!(
        "<!doctype html><html lang={language}><title>{title}</title><body><h1>{title}</h1><table><tr>{head}</tr>{rows}</table></body></html>"
    );
    Page::new(html, Some("https://list.example/all".parse().unwrap()))
}

#[rustfmt::skip]
fn trains() -> Page {
    table("en", "Trains", &["Train", "From", "To", "Departure", "Changes", "Fare"], &[
        &["IC 201", "Berlin", "Hamburg", "06:10", "0", "€29.90"],
        &["RE 5", "Berlin", "Rostock", "07:34", "1", "€19.90"],
        &["ICE 77", "Hamburg", "Munich", "09:01", "0", "€89.00"],
        &["IC 88", "Berlin", "Cologne", "17:46", "2", "€45.00"],
        &["RE 1", "Potsdam", "Berlin", "23:15", "1", "€4.50"],
    ])
}

#[rustfmt::skip]
fn flats() -> Page {
    table("de", "Wohnungen", &["Adresse", "Zimmer", "Etage", "Kaltmiete", "Hund"], &[
        &["Ulmenweg 4", "2", "3. OG", "890 €", "ja"],
        &["Eichenallee 11", "3", "EG", "1.450 €", "nein"],
        &["Birkenweg 9", "4", "2. OG", "2.300 €", "k. A."],
        &["Eschenhof 7", "2", "1. OG", "980 €", "nein"],
    ])
}

#[rustfmt::skip]
fn tasks() -> Page {
    table("en", "Tasks", &["Task", "Priority", "Status"], &[
        &["Fix login", "high", "open"],
        &["Write docs", "low", "done"],
        &["Update server", "medium", "open"],
        &["Plan trip", "low", "open"],
    ])
}

#[rustfmt::skip]
fn books() -> Page {
    table("en", "Books", &["Title", "Age", "Price"], &[
        &["The river", "6+", "£7.00"],
        &["The child of time", "12–16", "£9.00"],
        &["Small boats", "3–6", "£5.00"],
        &["Winter", "9+", "£8.00"],
    ])
}

#[rustfmt::skip]
fn topics() -> Page {
    table("en", "Forum", &["Topic", "Author", "Replies"], &[
        &["Leaking tap", "ann", "14"],
        &["Paint for wood", "bob", "0"],
        &["Fence height", "cid", "31"],
        &["Solar panels", "ann", "8"],
    ])
}

#[rustfmt::skip]
fn rated() -> Page {
    table("en", "Hotels", &["Hotel", "Stars", "Dogs", "Price per night", "Score"], &[
        &["Seaview", "4", "yes", "£120", "8.7"],
        &["Garden House", "3", "no", "£110", "9.2"],
        &["Budget Stay", "2", "yes", "£45", "6.4"],
        &["Grand Palace", "5", "no", "£340", "8.9"],
    ])
}

#[rustfmt::skip]
fn campsites() -> Page {
    table("en", "Campsites", &["Site", "Showers", "Dogs", "Wifi"], &[
        &["Forest Camp", "no", "yes", "yes"],
        &["Lake Camp", "yes", "no", "no"],
        &["Hill Camp", "yes", "yes", "no"],
        &["River Camp", "no", "no", "yes"],
    ])
}

#[rustfmt::skip]
fn jobs() -> Page {
    table("de", "Stellen", &["Stelle", "Ort", "Befristet", "Teilzeit"], &[
        &["Koch", "Bonn", "nein", "ja"],
        &["Lagerhilfe", "Köln", "ja", "nein"],
        &["Entwickler", "Bonn", "nein", "nein"],
        &["Büro", "Köln", "ja", "ja"],
    ])
}

#[rustfmt::skip]
fn groups() -> Page {
    table("pl", "Treningi", &["Grupa", "Wiek", "Dni", "Składka"], &[
        &["Delfinki", "6–9", "wt.", "120 zł"],
        &["Mastersi", "18+", "pt.", "180 zł"],
        &["Juniorzy", "10–14", "śr.", "150 zł"],
        &["Oldboje", "35+", "pt.", "60 zł"],
    ])
}

#[rustfmt::skip]
fn hotels() -> Page {
    table("en", "Hotels", &["Hotel", "Pets", "Price"], &[
        &["Seaview", "Dogs welcome", "£120"],
        &["Station", "Dogs not allowed", "£60"],
        &["Park Inn", "Dogs allowed", "£80"],
        &["Central", "No dogs", "£95"],
    ])
}

#[rustfmt::skip]
fn cities() -> Page {
    table("en", "Cities", &["City", "Population", "Area"], &[
        &["Hull", "267,000", "71.5 km²"],
        &["Leeds", "793,139", "551.7 km²"],
        &["York", "202,800", "271.9 km²"],
        &["Sheffield", "556,500", "367.9 km²"],
    ])
}

#[rustfmt::skip]
fn hosting() -> Page {
    table("en", "Web hosting", &["Plan", "Free domain", "Seats", "Price / month"], &[
        &["Nest", "Yes", "2", "$7.99"],
        &["Pebble", "No", "1", "Free"],
        &["Monolith", "Yes", "10", "$11.99"],
        &["Cobble", "No", "5", "$4.00"],
    ])
}

#[rustfmt::skip]
fn cottages() -> Page {
    list("en", "Cottages", &[
        ("Old Forge", "<p>Sleeps 6</p><b>£700</b>"),
        ("Mill Race", "<p>Sleeps 2</p><b>£450</b>"),
        ("Puffin Loft", "<p>Sleeps 4</p><b>£520</b>"),
        ("Bramble Barn", "<p>Sleeps 8</p><b>£980</b>"),
    ])
}

#[rustfmt::skip]
fn houses() -> Page {
    list("de", "Häuser in Hanau und Umgebung", &[
        ("Stadtvilla", "<p class=address>63454 Hanau</p><b>725.000 €</b>"),
        ("Bungalow", "<p class=address>63546 Hammersbach</p><b>625.000 €</b>"),
        ("Fachwerkhaus", "<p class=address>61130 Nidderau</p><b>489.900 €</b>"),
        ("Reihenhaus", "<p class=address>63067 Offenbach</p><b>399.000 €</b>"),
        ("Holzhaus", "<p class=address>63517 Rodenbach</p><b>540.000 €</b>"),
        ("Doppelhaus", "<p class=address>63526 Erlensee</p><b>445.000 €</b>"),
    ])
}

#[rustfmt::skip]
const CASES: &[Case] = &[
    (trains, "trains to Berlin", &[5], false),
    (trains, "trains from Berlin to Hamburg", &[1], false),
    (trains, "trains not from Berlin", &[3, 5], false),
    (trains, "from Berlin or Potsdam under 30 euros", &[1, 2, 5], false),
    (trains, "trains without changes", &[1, 3], false),
    (trains, "direct trains from Berlin", &[1], false),
    (trains, "trains to and from Berlin", &[1, 2, 4, 5], false),
    (trains, "trains from Hamburg and Potsdam", &[3, 5], false),
    (trains, "trains from Berlin, Potsdam", &[1, 2, 4, 5], false),
    (trains, "latest departure from Berlin", &[4, 2, 1], true),
    (flats, "Wohnungen ab dem 2. Stock", &[1, 3], false),
    (flats, "in der 3. Etage", &[1], false),
    (flats, "Wohnungen höher als 2. Stock", &[1], false),
    (flats, "im 1. oder 3. Stock", &[1, 4], false),
    (flats, "im 1. bis 2. Stock", &[3, 4], false),
    (flats, "höchstens 2 Zimmer", &[1, 4], false),
    (flats, "mit Hund", &[1], false),
    (flats, "ohne Hund", &[2, 4], false),
    (tasks, "tasks with at least medium priority", &[1, 3], false),
    (tasks, "highest priority first", &[1, 3, 2, 4], true),
    (tasks, "lowest priority first", &[2, 4, 3, 1], true),
    (tasks, "tasks that are not low", &[1, 3], false),
    (tasks, "high priority tasks", &[1], false),
    (tasks, "open tasks with low priority", &[4], false),
    (rated, "score of at least 9", &[2], false),
    (rated, "hotels with 4 stars", &[1], false),
    (rated, "best rated hotel", &[2], true),
    (rated, "dogs allowed, cheapest first", &[3, 1], true),
    (campsites, "campsites without dogs", &[2, 4], false),
    (campsites, "no dogs", &[2, 4], false),
    (campsites, "with showers but no dogs", &[2], false),
    (campsites, "dogs and wifi", &[1], false),
    (jobs, "Stellen, die nicht befristet sind", &[1, 3], false),
    (jobs, "nicht Teilzeit", &[2, 3], false),
    (jobs, "befristet, aber nicht Teilzeit", &[2], false),
    (groups, "for adults", &[2, 4], false),
    (groups, "grupy dla dzieci", &[1, 3], false),
    (books, "books with child in the title", &[2], false),
    (topics, "more than 10 replies", &[1, 3], false),
    (hotels, "hotels with dogs", &[1, 3], false),
    (hotels, "hotels without dogs", &[2, 4], false),
    (cities, "largest population", &[2, 4, 1, 3], true),
    (cities, "the city with the smallest area", &[1], true),
    (hosting, "plans without free domain", &[2, 4], false),
    (hosting, "plans with a free domain", &[1, 3], false),
    (hosting, "for at least 5 people", &[3, 4], false),
    (cottages, "cheapest for 4 people", &[3, 1, 4], true),
    (houses, "Häuser in Hanau", &[1], false),
    (houses, "houses in Hanau or Offenbach, cheapest first", &[4, 1], true),
    (cottages, "cottages for two people under 500", &[2], false),
];

#[tokio::test]
async fn columns_of_a_table_are_asked_for_what_they_are() {
    assert_chosen(CASES).await;
}
