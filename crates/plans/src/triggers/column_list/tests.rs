//! Which lists are ones of columns.

use super::super::vocabulary::VOCABULARY;
use super::*;
use crate::triggers::facts::InstructionFacts;
use crate::triggers::target::PlanTarget;

#[test]
fn a_list_of_columns_ends_an_instruction_and_a_list_of_conditions_does_not() {
    let taken = |text: &str| {
        let mut text = text.to_owned();
        let columns = take(&mut text, &VOCABULARY, &ListLabels::named(&["Dozent/in"])).unwrap_or_default();
        (text, columns.join(" "))
    };
    let is = |text: &str, rest: &str, columns: &str| {
        assert_eq!(taken(text), (rest.to_owned(), columns.to_owned()))
    };
    is(
        "SUVs only, with name, year and price",
        "SUVs only, ",
        "name year price",
    );
    is(
        "jobs with engineer: title, company and salary",
        "jobs with engineer",
        "title company salary",
    );
    is(
        "Geräte, nur Name, Preis und Energieklasse",
        "Geräte",
        "name price energy class",
    );
    is(
        "marki Trakt, bez cargo, nazwa i cena",
        "marki Trakt, bez cargo",
        "name price",
    );
    is(
        "Kurse mit Klausur? Titel, Dozent und ECTS reichen mir",
        "Kurse mit Klausur",
        "title dozent_in ects",
    );
    is(
        "give me name, weight and price of the lamps",
        " of the lamps",
        "name weight price",
    );
    is(
        "nazwa, cena i miasto wszystkich lamp",
        " wszystkich lamp",
        "name price location",
    );
    is(
        "date, product and price of the lamps",
        " of the lamps",
        "date name price",
    );
    is(
        "Name, Preis und Marke der Lampen vor dem 1. März",
        " der Lampen vor dem 1. März",
        "name price brand",
    );
    is(
        "lamps, only name and price, all pages",
        "lamps, all pages",
        "name price",
    );
    is(
        "flats with balcony and garden",
        "flats with balcony and garden",
        "",
    );
    is("chairs with price under 50", "chairs with price under 50", "");
    is(
        "active employees, sorted by salary, name",
        "active employees, sorted by salary, name",
        "",
    );
    is(
        "laptops, no cables and no bags",
        "laptops, no cables and no bags",
        "",
    );
}

/// What an instruction about a page with a table is read as: its columns, and everything else that it wishes.
fn read(table: &[&[&str]], instruction: &str) -> (String, Vec<String>) {
    let rows: String = table
        .iter()
        .enumerate()
        .map(|(at, row)| {
            let tag = if at == 0 { "th" } else { "td" };
            let cells: String = row.iter().map(|cell| format!("<{tag}>{cell}</{tag}>")).collect();
            format!("<tr>{cells}</tr>")
        })
        .collect();
    let page = page::Page::new(
        format!("<h1>All of them</h1><table>{rows}</table>"),
        "https://list.example/".parse().ok(),
    );
    let target = PlanTarget {
        page: Some(&page),
        ..PlanTarget::default()
    };
    let mut facts = InstructionFacts::read(instruction, target);
    let columns = std::mem::take(&mut facts.columns).join(" ");
    (columns, facts.wishes())
}

const HOTELS: &[&[&str]] = &[
    &["Hotel", "Town", "Stars", "Breakfast", "Pool", "Price per night"],
    &["Seaview", "Brighton", "4", "included", "yes", "£120"],
    &["Central Inn", "London", "3", "not included", "no", "£95"],
    &["Grand Palace", "London", "5", "included", "yes", "£340"],
    &["Budget Stay", "Leeds", "2", "not included", "no", "£45"],
    &["Garden House", "York", "4", "included", "no", "£110"],
];

const FLATS: &[&[&str]] = &[
    &[
        "Adresse",
        "Stadtteil",
        "Kaltmiete",
        "Wohnort",
        "Balkon",
        "Möbliert",
    ],
    &["Kieferngasse 2", "Mitte", "900 €", "Aurach", "ja", "nein"],
    &["Eschenhof 7", "Nord", "760 €", "Berg", "nein", "möbliert"],
    &["Am Wall 1", "Süd", "1.200 €", "Celle", "ja", "möbliert"],
    &["Lindenweg 9", "Mitte", "840 €", "Dorn", "nein", "nein"],
];

const JOBS: &[&[&str]] = &[
    &[
        "Title", "Company", "City", "Contract", "Remote", "Salary", "Owners",
    ],
    &["Nurse", "Klinik", "Munich", "permanent", "no", "€41,000", "1"],
    &["Tester", "Webwerk", "Berlin", "fixed term", "yes", "€52,000", "2"],
    &["Driver", "Logi", "Leipzig", "part time", "no", "€23,000", "3"],
    &["Analyst", "Meyer", "Hamburg", "permanent", "yes", "€61,000", "1"],
];

#[test]
fn what_entries_have_or_have_not_is_a_condition() {
    for instruction in [
        "hotels with a pool and breakfast",
        "hotels with pool and breakfast",
        "hotels without pool and breakfast",
        "the cheapest hotel with a pool and breakfast",
    ] {
        let (columns, wishes) = read(HOTELS, instruction);
        assert_eq!(columns, "", "{instruction}");
        assert!(
            wishes.iter().any(|wish| wish.contains("pool")),
            "{instruction}: {wishes:?}"
        );
    }
    for (table, instruction) in [
        (FLATS, "Wohnungen mit Balkon und Kaltmiete"),
        (FLATS, "Wohnungen ohne Balkon und Kaution"),
        (JOBS, "jobs without company and remote"),
        (JOBS, "jobs with remote and permanent contract"),
        (JOBS, "jobs with only one owner"),
        (JOBS, "jobs with only permanent contract"),
    ] {
        assert_eq!(read(table, instruction).0, "", "{instruction}");
    }
    for (table, instruction, columns) in [
        (
            HOTELS,
            "hotels with stars and price",
            "name stars price_per_night",
        ),
        (
            HOTELS,
            "hotels, only name, price and pool",
            "name price_per_night pool",
        ),
        (
            HOTELS,
            "hotels in London with town, stars and breakfast",
            "name town stars breakfast",
        ),
        (JOBS, "jobs with only title and salary", "title salary"),
        (JOBS, "only title, contract and remote", "title contract remote"),
        (JOBS, "with the salary and contract", "salary contract"),
    ] {
        assert_eq!(read(table, instruction).0, columns, "{instruction}");
    }
}

#[test]
fn what_stands_behind_the_last_column_is_read() {
    for (table, instruction, columns, condition) in [
        (JOBS, "Title and salary in Berlin", "title salary", "Berlin"),
        (HOTELS, "hotel and stars in London", "hotel stars", "London"),
        (
            FLATS,
            "nur Adresse und Kaltmiete in Mitte",
            "street address kaltmiete",
            "Mitte",
        ),
        (FLATS, "nur Kaltmiete in Mitte", "kaltmiete", "Mitte"),
    ] {
        let (read_columns, wishes) = read(table, instruction);
        assert_eq!(read_columns, columns, "{instruction}");
        assert!(
            wishes.iter().any(|wish| wish.contains(condition)),
            "{instruction}: {wishes:?}"
        );
    }
    let (columns, wishes) = read(FLATS, "Adresse und Kaltmiete ohne Mitte");
    assert_eq!(columns, "street address kaltmiete");
    assert!(wishes.iter().any(|wish| wish.starts_with("not ")), "{wishes:?}");
    // A unit is no condition.
    assert_eq!(read(JOBS, "title and salary in euros").0, "title salary");
}

#[test]
fn the_last_part_of_a_german_label_names_it() {
    assert_eq!(
        read(FLATS, "nur Adresse, Ort und Kaltmiete").0,
        "street address wohnort kaltmiete"
    );
    assert_eq!(
        labelled("Ort", &["Spielort".to_owned(), "Preis".to_owned()]).as_deref(),
        Some("spielort")
    );
    assert_eq!(labelled("Age", &["Mileage".to_owned()]), None);
    assert_eq!(labelled("Name", &["Nachname".to_owned()]), None);
}
