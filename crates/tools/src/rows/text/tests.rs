use serde_json::json;

use super::*;

fn measured(name: &str, listed: &[&str]) -> Vec<Option<f64>> {
    let mut texts = RowTexts::default();
    let rows: Vec<Value> = listed
        .iter()
        .enumerate()
        .map(|(at, _)| json!({"name": at.to_string()}))
        .collect();
    for (at, text) in listed.iter().enumerate() {
        texts.keep(Some(&at.to_string()), None, text);
    }
    let now = jiff::civil::date(2026, 3, 1).at(12, 0, 0, 0);
    let measure = Measure::find(name, &rows, &texts, now);
    rows.iter()
        .map(|row| measure.as_ref()?.value(row, &texts))
        .collect()
}

#[test]
fn a_day_without_a_year_is_of_the_year_of_the_rows() {
    let mut texts = RowTexts::default();
    let days = ["5 April 2024", "20 April 2024", "1 May 2025"];
    let rows: Vec<Value> = days.iter().map(|day| json!({"name": day})).collect();
    days.iter().for_each(|day| texts.keep(Some(day), None, day));
    let now = jiff::civil::date(2026, 11, 1).at(12, 0, 0, 0);
    let measure = Measure::find("date", &rows, &texts, now).unwrap();
    let wanted = measure.wanted(&json!("15 april")).unwrap();
    let before: Vec<bool> = rows
        .iter()
        .map(|row| measure.value(row, &texts).unwrap() < wanted)
        .collect();
    assert_eq!(before, [true, false, false]);
    assert_eq!(measure.wanted(&json!("15 april 2025")), day("15 April 2025", now));
}

#[test]
fn days_without_a_year_are_compared_among_each_other() {
    let mut texts = RowTexts::default();
    let days = [
        "4 maja godz. 11:00",
        "12 May, 6 pm",
        "1. Juni",
        "Beginn: 13.04. im Saal",
    ];
    let rows: Vec<Value> = days.iter().map(|day| json!({"name": day})).collect();
    days.iter().for_each(|day| texts.keep(Some(day), None, day));
    let now = jiff::civil::date(2026, 11, 1).at(12, 0, 0, 0);
    let measure = Measure::find("date of event", &rows, &texts, now).unwrap();
    let wanted = measure.wanted(&json!("5 may")).unwrap();
    let before: Vec<bool> = rows
        .iter()
        .map(|row| measure.value(row, &texts).unwrap() < wanted)
        .collect();
    assert_eq!(before, [true, false, false, true]);
}

#[test]
fn what_lasts_ends_on_its_last_day() {
    let mut texts = RowTexts::default();
    let huts = [
        "Open: 13. Juni – 20. September",
        "Open: 6. Juni – 4. Oktober",
        "Open: 1. Juli",
    ];
    let rows: Vec<Value> = huts.iter().map(|hut| json!({"name": hut})).collect();
    huts.iter().for_each(|hut| texts.keep(Some(hut), None, hut));
    let now = jiff::civil::date(2026, 11, 1).at(12, 0, 0, 0);
    let before = |name: &str| -> Vec<bool> {
        let measure = Measure::find(name, &rows, &texts, now).unwrap();
        let wanted = measure.wanted(&json!("25 september")).unwrap();
        let is_before = |row: &Value| measure.value(row, &texts).unwrap() < wanted;
        rows.iter().map(is_before).collect()
    };
    assert_eq!(before("date of zu"), [true, false, true]);
    assert_eq!(before("date of closing"), [true, false, true]);
    assert_eq!(before("date"), [true, true, true]);
}

#[test]
fn what_takes_one_day_begins_on_its_date() {
    let mut texts = RowTexts::default();
    let courses = [
        "Yoga\nStarts 14 October 2025\nLength 8 weeks",
        "Lino\nDate 18 October 2025\nLength 1 session",
        "Open day\nPosted 2 October 2025",
    ];
    let rows: Vec<Value> = courses.iter().map(|text| json!({"name": text})).collect();
    courses.iter().for_each(|text| texts.keep(Some(text), None, text));
    let now = jiff::civil::date(2025, 9, 1).at(12, 0, 0, 0);
    let measure = Measure::find("date of starts", &rows, &texts, now).unwrap();
    let days: Vec<_> = rows.iter().map(|row| measure.value(row, &texts)).collect();
    assert_eq!(
        days,
        [day("14 October 2025", now), day("18 October 2025", now), None]
    );
}

#[test]
fn a_day_that_is_shown_without_its_year_is_that_of_the_field() {
    let mut texts = RowTexts::default();
    let shown = [
        "Mo, 10.11.\nPoetry Slam",
        "Do, 06.11.\nQuartett",
        "Abo 2026\nSechs Abende",
    ];
    let rows = [
        json!({"name": "Poetry Slam", "date": "2025-11-10T19:30"}),
        json!({"name": "Quartett", "date": "2025-11-06T20:00"}),
        json!({"name": "Abo 2026"}),
    ];
    for (row, text) in rows.iter().zip(shown) {
        texts.keep(row["name"].as_str(), None, text);
    }
    let now = jiff::civil::date(2026, 11, 30).at(12, 0, 0, 0);
    let measure = Measure::find("date", &rows, &texts, now).unwrap();
    let first = measure.wanted(&json!("2025-11-10")).unwrap();
    let is_from = |measure: &Measure| -> Vec<Option<bool>> {
        let is_from = |row: &Value| measure.value(row, &texts).map(|day| day >= first);
        rows.iter().map(is_from).collect()
    };
    // The year in a name is no day of the row.
    assert_eq!(is_from(&measure), [Some(true), Some(false), None]);
    assert_eq!(is_from(&measure.at_end()), [Some(true), Some(false), None]);
}

#[test]
fn a_measure_is_the_number_on_the_side_on_which_most_rows_have_one() {
    let flats = [
        "890 € 11,41 €/m² 78 m² Wohnfläche 3 Zimmer Balkon",
        "1.090 € 102,5 m² Wohnfläche 4 Zimmer",
    ];
    assert_eq!(measured("rooms", &flats), [Some(3.0), Some(4.0)]);
    assert_eq!(measured("size in m²", &flats), [Some(78.0), Some(102.5)]);
    assert_eq!(
        measured("baujahr", &["Rok: 2019, 123 000 km", "2021 8.450 km"]),
        [Some(2019.0), Some(2021.0)]
    );
    assert_eq!(
        measured("mileage", &["Rok: 2019, 123 000 km", "2021 8.450 km"]),
        [Some(123_000.0), Some(8450.0)]
    );
    assert_eq!(
        measured("reviews", &["Kettle (1,204) $20", "Cup (7)", "Jug $5"]),
        [Some(1204.0), Some(7.0), None]
    );
    assert_eq!(
        measured("date", &["Sat 14 Mar 2026, 7.30pm", "posted 21 days ago"])
            .iter()
            .flatten()
            .count(),
        2
    );
    assert_eq!(measured("wheels", &flats), [None, None]);
    let evenings = [
        "Sat 5 April 18:30–20:00",
        "7.30 pm, £12",
        "um 9 Uhr",
        "15:00, 18:00, 20:30",
    ];
    assert_eq!(
        measured(TIME_OF_DAY, &evenings),
        [Some(1110.0), Some(1170.0), Some(540.0), None]
    );
    let jobs = ["Go, 5+ years experience", "1 year of experience", "since 2019"];
    assert_eq!(measured(NUMBER_OF_YEARS, &jobs), [Some(5.0), Some(1.0), None]);
    let scooters = ["20 km/h, Reichweite 30 km", "25 km/h, Reichweite 45 km"];
    assert_eq!(measured("top speed", &scooters), [Some(20.0), Some(25.0)]);
    assert_eq!(measured("mileage", &scooters), [Some(30.0), Some(45.0)]);
}

#[test]
fn what_is_longest_or_largest_is_so_by_what_the_rows_tell() {
    let ordered = |name: &str, listed: &[&str]| {
        let mut texts = RowTexts::default();
        let rows: Vec<Value> = (0..listed.len())
            .map(|at| json!({"name": at.to_string()}))
            .collect();
        for (at, text) in listed.iter().enumerate() {
            texts.keep(Some(&at.to_string()), None, text);
        }
        let now = jiff::civil::date(2026, 3, 1).at(12, 0, 0, 0);
        let measure = Measure::for_order(name, &rows, &texts, now);
        let values = rows.iter().map(|row| measure.as_ref()?.value(row, &texts));
        values.collect::<Option<Vec<f64>>>()
    };
    assert_eq!(
        ordered(
            "duration in minutes or hours or days or weeks",
            &["Length 57 ft", "Length 40 ft"]
        ),
        Some(vec![57.0, 40.0])
    );
    assert_eq!(
        ordered(
            "size in m² or kg or inch or people",
            &["Mitglieder: 62", "Mitglieder: 18"]
        ),
        Some(vec![62.0, 18.0])
    );
    assert_eq!(
        ordered("page count", &["Obwód: 812 cm", "Obwód: 95 cm"]),
        Some(vec![812.0, 95.0])
    );
}

#[test]
fn what_is_registered_in_a_month_is_ordered_by_its_month() {
    let mut texts = RowTexts::default();
    let rows: Vec<Value> = ["12/2021", "03/2021", "05/2022", "01/2022"]
        .iter()
        .enumerate()
        .map(|(at, month)| {
            let name = format!("Van {at}");
            texts.keep(Some(&name), None, &format!("{name} Zulassung {month} 14.700 km"));
            json!({"name": name})
        })
        .collect();
    let now = jiff::civil::date(2026, 4, 1).at(12, 0, 0, 0);
    let measure = Measure::for_order("date", &rows, &texts, now).unwrap();
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|one, other| {
        let day = |at: &usize| measure.value(&rows[*at], &texts).unwrap_or_default();
        day(other).total_cmp(&day(one))
    });
    assert_eq!(order, [2, 3, 0, 1]);
}

#[test]
fn a_direct_train_has_no_changes() {
    let mut texts = RowTexts::default();
    let said = [
        "1 change via Erfurt",
        "Direct",
        "2 changes",
        "night train",
        "no direct train, book direct with us",
    ];
    let rows: Vec<Value> = said
        .iter()
        .map(|said| {
            texts.keep(Some(said), None, said);
            json!({"name": said})
        })
        .collect();
    let measure = Measure::find("change", &rows, &texts, DateTime::MIN).unwrap();
    let changes: Vec<_> = rows.iter().map(|row| measure.value(row, &texts)).collect();
    assert_eq!(changes, [Some(1.0), Some(0.0), Some(2.0), None, None]);
}
