//! Facts of invented lists.

use serde_json::json;

use crate::rules::rows::{Row, read};
use crate::rules::visible_page::VisiblePage;
use page::Page;

fn rows(html: &str) -> Vec<Row> {
    read(&VisiblePage::of(&Page::new(
        html,
        "https://list.example/all".parse().ok(),
    )))
}

const NAMES: [(&str, u32); 5] = [
    ("Amber Hill", 1),
    ("Birch Row", 2),
    ("Copper Mill", 3),
    ("Dale Farm", 4),
    ("Elm House", 5),
];

/// A list of entries whose inner HTML is made from a name and a number.
fn list(entry: impl Fn(&str, u32) -> String) -> Vec<Row> {
    let entries =
        NAMES.map(|(name, at)| format!("<div class=entry><h3>{name}</h3>{}</div>", entry(name, at)));
    rows(&format!("<h1>Places</h1><main>{}</main>", entries.concat()))
}

#[test]
fn a_text_of_most_entries_is_the_label_of_what_stands_behind_it() {
    let settings: [fn(u32) -> String; 5] = [
        |at| {
            format!(
                "<div class=grid><span class=l>Season</span><span class=v>{at} May</span><span class=l>Beds</span><span class=v>{at}</span></div>"
            )
        },
        |at| {
            format!(
                "<div class=p><div class=l>Season</div><div class=v>{at} May</div></div><div class=p><div class=l>Beds</div><div class=v>{at}</div></div>"
            )
        },
        |at| format!("<p>Season <b>{at} May</b></p><p>Beds <b>{at}</b></p>"),
        |at| {
            format!(
                "<div class=p><b class=v>{at} May</b><small>Season</small></div><div class=p><b class=v>{at}</b><small>Beds</small></div>"
            )
        },
        |at| format!("<dl><dt>Season<dd>{at} May<dt>Beds<dd>{at}</dl>"),
    ];
    for setting in settings {
        let read = list(|_, at| setting(at));
        assert_eq!(read.len(), 5, "{}", setting(1));
        let facts = json!(read[2].facts);
        assert_eq!(facts, json!({"Season": "3 May", "Beds": "3"}), "{}", setting(1));
    }
}

#[test]
fn badges_and_buttons_are_no_labels() {
    let read = list(|_, at| {
        let new = if at % 2 == 0 { "<i class=n>New</i>" } else { "" };
        format!(
            "<div class=flags><i class=o>Organic</i>{new}</div><p>Number {at}</p><a href='/{at}'>View</a>"
        )
    });
    assert!(read.iter().all(|row| row.facts.is_empty()), "{read:?}");
    let chips = list(|_, at| format!("<ul><li class=c>Pets welcome</li><li class=c>Pool {at}</li></ul>"));
    assert!(chips.iter().all(|row| row.facts.is_empty()), "{chips:?}");
}

#[test]
fn the_headings_of_a_table_label_its_cells_and_entries_may_have_several_rows() {
    let entry = |(name, at): (&str, u32)| {
        format!(
            "<tbody><tr><td>{at}<td><a href='/{at}'>{name}</a><td>{at}0 km</tr>\
             <tr><td><td>Room {at}<td>Begins: {at} June</tr></tbody>"
        )
    };
    let entries = NAMES.map(entry).concat();
    let read = rows(&format!(
        "<h1>Courses</h1><table><thead><tr><th>No.<th>Name<th>Way</tr></thead>{entries}</table>"
    ));
    let titles: Vec<_> = read.iter().filter_map(|row| row.title.as_deref()).collect();
    assert_eq!(titles, NAMES.map(|(name, _)| name));
    assert_eq!(
        json!(read[1].facts),
        json!({"No.": "2", "Way": "20 km", "Begins": "2 June"})
    );
}

#[test]
fn the_heading_around_a_list_of_facts_belongs_to_the_entry() {
    let read = list(|_, at| {
        format!(
            "<dl><dt>Maker<dd>Works {at}<dt>Rate<dd>3{at},90 ct<dt>Term<dd>{at}2 months</dl><a href='/{at}'>More</a>"
        )
    });
    let titles: Vec<_> = read.iter().filter_map(|row| row.title.as_deref()).collect();
    assert_eq!(titles, NAMES.map(|(name, _)| name));
}

#[test]
fn labels_with_a_colon_stand_in_turn_with_their_values_behind_the_name() {
    let read =
        list(|_, at| format!("<b>Where:</b> Hall {at}<br><b>Stalls:</b> {at}0<br><small>open air</small>"));
    assert_eq!(json!(read[1].facts), json!({"Where": "Hall 2", "Stalls": "20"}));
}

#[test]
fn roles_make_a_table_of_other_elements() {
    let cell = |text: &str| format!("<div role=cell>{text}</div>");
    let entry = |(name, at): (&str, u32)| {
        format!(
            "<div role=row>{}{}{}</div>",
            cell(&format!("<a href='/{at}'>{name}</a>")),
            cell(&format!("{at} beds")),
            cell(&format!("{at}0 km"))
        )
    };
    let entries = NAMES.map(entry).concat();
    let heads = ["Hut", "Places", "Way"]
        .map(|head| format!("<div role=columnheader>{head}</div>"))
        .concat();
    let read = rows(&format!(
        "<h1>Huts</h1><div role=table><div role=rowgroup><div role=row>{heads}</div></div><div role=rowgroup>{entries}</div></div>"
    ));
    assert_eq!(read.len(), 5);
    assert_eq!(json!(read[2].facts), json!({"Places": "3 beds", "Way": "30 km"}));
}

#[test]
fn a_sentence_behind_a_text_is_no_label_of_that_text() {
    let read = list(|_, at| format!("<p>Room {at} with a view. <b>Has a lift.</b></p><p>Number {at}</p>"));
    assert!(read.iter().all(|row| row.facts.is_empty()), "{read:?}");
}

#[test]
fn a_label_with_a_colon_and_its_value_may_be_two_elements_alike() {
    let entry = |_: &str, at: u32| {
        let kept = if at.is_multiple_of(2) { "nie" } else { "tak" };
        format!(
            "<div><span>Czas trwania:</span> <span>{at} godz. 5 min</span></div><div><span>W abonamencie:</span> <span>{kept}</span></div>"
        )
    };
    let rows = list(entry);
    assert_eq!(rows[0].facts["Czas trwania"], "1 godz. 5 min");
    assert_eq!(rows[0].facts["W abonamencie"], "tak");
    assert_eq!(rows[1].facts["W abonamencie"], "nie");
}

#[test]
fn labels_stand_before_a_colon_in_one_text_and_badges_are_none() {
    let lines = list(|_, at| {
        format!(
            "Kind: {}<br>Value: {at}0 000 zł<br>State: open until {at} May",
            if at % 2 == 0 { "works" } else { "supplies" }
        )
    });
    assert_eq!(
        json!(lines[1].facts),
        json!({"Kind": "works", "Value": "20 000 zł", "State": "open until 2 May"})
    );
    let spans = list(|_, at| {
        format!(
            "<p><span>Players: 2–{at}</span> <span>|</span> <span>Time: {at}0 min | Age: {at}+</span></p>"
        )
    });
    assert_eq!(
        json!(spans[2].facts),
        json!({"Players": "2–3", "Time": "30 min", "Age": "3+"})
    );
    let tags = list(|_, at| {
        format!(
            "<p><span class=area>Quay {at}</span><span class=tag>Instant booking</span></p><p>Poznań, <b>Street {at}</b></p>"
        )
    });
    assert!(tags.iter().all(|row| row.facts.is_empty()), "{tags:?}");
}

#[test]
fn a_colon_and_a_row_of_two_cells_say_what_is_the_value() {
    let lines = list(|_, at| {
        let lunch = if at == 3 { "no" } else { "yes" };
        format!("<p><b>Places:</b> <span>{at}</span><br><b>Lunch:</b> {lunch}<br><b>Fee:</b> {at}0 €</p>")
    });
    assert_eq!(
        json!(lines[1].facts),
        json!({"Places": "2", "Lunch": "yes", "Fee": "20 €"})
    );
    let cells = list(|_, at| {
        let roof = if at == 3 { "yes" } else { "no" };
        format!(
            "<table><tr><td>Stalls</td><td>about {at}0</td></tr><tr><td>Roof</td><td>{roof}</td></tr></table>"
        )
    });
    assert_eq!(
        json!(cells[2].facts),
        json!({"Stalls": "about 30", "Roof": "yes"})
    );
}

#[test]
fn a_rating_that_is_spelled_out_stands_before_the_stars_of_a_hotel() {
    let hotels = list(|_, at| {
        format!(
            "<div><b>9,{at}</b><small>/10</small></div><div class=stars title='4 stars'>★★★★</div><p>{at} nights</p>"
        )
    });
    assert_eq!(hotels[0].rating, Some(json!(9.1)));
    let places = list(|_, at| {
        format!("<div class=ocena><span>4,{at}</span> na podstawie <span>1 2{at}4</span> opinii</div>")
    });
    assert_eq!(
        (&places[1].rating, &places[1].review_count),
        (&Some(json!(4.2)), &Some(json!(1224)))
    );
}

#[test]
fn the_header_of_a_row_names_it_and_headings_with_digits_are_labels() {
    let row = |(name, at): (&str, u32)| {
        format!(
            "<tr><th scope=row>{name}<br><small>County {at}</small></th><td align=right>{at}4,8 MW</td><td>{at} µg</td></tr>"
        )
    };
    let found = rows(&format!(
        "<h1>Wind farms</h1><main><table><tr><th>Farm</th><th>Output</th><th>PM 10</th></tr>{}</table></main>",
        NAMES.map(row).concat()
    ));
    assert_eq!(found.len(), 5, "{found:?}");
    assert_eq!(found[1].title.as_deref(), Some("Birch Row"));
    assert_eq!(found[1].facts.get("Output"), Some(&json!("24,8 MW")));
    assert_eq!(found[1].facts.get("PM 10"), Some(&json!("2 µg")));
}

#[test]
fn what_opens_is_an_entry_with_its_summary() {
    let entry = |(name, at): (&str, u32)| {
        format!(
            "<details open><summary><span class=title-text>{name}</span> <em>open</em></summary><div class=element><ul>\
             <li><b>Sum:</b> {at} 000 zł</li><li><b>Until:</b> 0{at}.09.2026</li><li><b>For:</b> all {at}</li></ul><a href=#>More</a></div></details>"
        )
    };
    let found = rows(&format!(
        "<h1>Grants</h1><main><div>{}</div></main>",
        NAMES.map(entry).concat()
    ));
    let titles: Vec<&str> = found.iter().filter_map(|row| row.title.as_deref()).collect();
    assert_eq!(titles, NAMES.map(|(name, _)| name));
}

#[test]
fn what_is_paid_by_the_month_is_the_price_beside_fees_and_gifts() {
    let found = list(|_, at| {
        format!(
            "<div><span>Set-up fee</span><span>£9.99</span></div><div><span>Gift card</span><span>£{at}0</span></div>\
             <div><span>Monthly price</span> <strong class=price>£2{at}.50</strong></div>"
        )
    });
    let prices: Vec<_> = found.iter().filter_map(|row| row.price.clone()).collect();
    assert_eq!(prices, [21.5, 22.5, 23.5, 24.5, 25.5].map(|price| json!(price)));
}

#[test]
fn a_value_that_most_entries_have_is_no_label() {
    let found = list(|_, at| {
        let answer = if at < 4 { "yes" } else { "no" };
        format!(
            "<div class=r><div class=l>Fixed price</div><div class=v>{answer}</div></div>\
             <div class=r><div class=l>Beds</div><div class=v>{at}</div></div>"
        )
    });
    let answers: Vec<_> = found
        .iter()
        .map(|row| row.facts.get("Fixed price").cloned())
        .collect();
    let expected = ["yes", "yes", "yes", "no", "no"].map(|answer| Some(json!(answer)));
    assert_eq!(answers, expected);
}

#[test]
fn elements_of_one_template_behind_a_colon_are_the_values_of_one_label() {
    let entry = |_: &str, at: u32| {
        let last = if at.is_multiple_of(2) {
            "<i class=size>XL</i>"
        } else {
            ""
        };
        format!(
            "<div><small>Sizes:</small> <i class=size>S</i> <i class=size>L</i>{last}</div>\
             <div><small>Type:</small> <i>Sedan</i> <i>201{at}</i> <i>45,00{at} km</i></div>"
        )
    };
    let rows = list(entry);
    assert_eq!(rows[0].facts["Sizes"], "S, L");
    assert_eq!(rows[1].facts["Sizes"], "S, L, XL");
    assert!(
        rows.iter()
            .all(|row| row.facts.get("Type") != Some(&json!("Sedan, 2011, 45,001 km"))),
        "{rows:?}"
    );
}

/// The facts of the rows of a table with headings.
fn table(headings: &[&str], cells: &[&[&str]]) -> Vec<serde_json::Value> {
    let line = |tag: &str, texts: &[&str]| {
        let cells: String = texts
            .iter()
            .map(|text| format!("<{tag}>{text}</{tag}>"))
            .collect();
        format!("<tr>{cells}</tr>")
    };
    let body: String = cells.iter().map(|texts| line("td", texts)).collect();
    let found = rows(&format!(
        "<h1>Data</h1><table><thead>{}</thead><tbody>{body}</tbody></table>",
        line("th", headings)
    ));
    assert_eq!(found.len(), cells.len(), "{found:?}");
    found.into_iter().map(|row| row.facts.into()).collect()
}

#[test]
fn any_heading_of_a_table_names_its_column() {
    let facts = table(
        &[
            "Country",
            "2022",
            "% change",
            "# of seats",
            "1st quarter",
            "Distance to the main railway station in km",
        ],
        &[
            &["France", "11", "1%", "22", "33", "4"],
            &["Italy", "12", "2%", "24", "36", "5"],
            &["Spain", "13", "3%", "26", "39", "6"],
            &["Poland", "14", "4%", "28", "42", "7"],
        ],
    );
    assert_eq!(
        facts[1],
        json!({"2022": "12", "% change": "2%", "# of seats": "24", "1st quarter": "36",
               "Distance to the main railway station in km": "5"})
    );
}

#[test]
fn a_cell_is_a_value_as_it_stands_and_a_dash_says_nothing() {
    let plans = table(
        &["Plan", "Parking", "Wifi", "Stars"],
        &[
            &["Basic", "✓", "✗", "★★"],
            &["Plus", "✗", "✓", "★★★"],
            &["Pro", "–", "✓", "★★★"],
            &["Max", "✓", "✓", "★★★★"],
        ],
    );
    assert_eq!(plans[0], json!({"Parking": "✓", "Wifi": "✗", "Stars": "★★"}));
    assert_eq!(plans[2], json!({"Wifi": "✓", "Stars": "★★★"}));
    let albums = ["Blue: Live", "Red", "Green: Best of", "Black", "White"];
    let read = list(|_, at| {
        let album = albums[at as usize - 1];
        format!("<dl><dt>Album<dd>{album}<dt>Year<dd>200{at}</dl>")
    });
    let found: Vec<_> = read.iter().map(|row| row.facts["Album"].clone()).collect();
    assert_eq!(found, albums);
}

#[test]
fn a_term_stays_where_some_entries_have_a_dash_and_where_all_agree() {
    let owners = ["Ann", "–", "Cy", "—", "Ed"];
    let terms = list(|_, at| {
        let owner = owners[at as usize - 1];
        format!("<dl><dt>Owner<dd>{owner}<dt>Fuel<dd>Diesel<dt>Number of seats in the back<dd>{at}</dl>")
    });
    assert_eq!(
        json!(terms[0].facts),
        json!({"Owner": "Ann", "Fuel": "Diesel", "Number of seats in the back": "1"})
    );
    assert_eq!(
        json!(terms[1].facts),
        json!({"Fuel": "Diesel", "Number of seats in the back": "2"})
    );
    let spans = list(|_, at| {
        let owner = owners[at as usize - 1];
        format!("<div><span class=l>Owner</span><span class=v>{owner}</span></div><p>Number {at}</p>")
    });
    let found: Vec<_> = spans.iter().map(|row| row.facts.get("Owner").cloned()).collect();
    let wanted = [Some("Ann"), None, Some("Cy"), None, Some("Ed")];
    assert_eq!(found, wanted.map(|owner| owner.map(|owner| json!(owner))));
    let facts = table(
        &["Car", "Fuel", "Seats"],
        &[
            &["Golf one", "Diesel", "1"],
            &["Golf two", "Diesel", "2"],
            &["Golf three", "Diesel", "3"],
            &["Golf four", "Diesel", "4"],
        ],
    );
    assert_eq!(facts[3], json!({"Fuel": "Diesel", "Seats": "4"}));
}

#[test]
fn what_shares_its_beginning_with_the_title_is_a_fact_of_its_own() {
    let teams = table(
        &["Team", "Stadium", "Coach"],
        &[
            &["Leeds", "Leeds Park", "Ann Lee"],
            &["York", "Minster Field", "York Brown"],
            &["Hull", "Hull Arena", "Bo Day"],
            &["Bury", "Bury Lane", "Al Ito"],
        ],
    );
    assert_eq!(teams[0], json!({"Stadium": "Leeds Park", "Coach": "Ann Lee"}));
    assert_eq!(
        teams[1],
        json!({"Stadium": "Minster Field", "Coach": "York Brown"})
    );
    let cars = table(
        &["Car", "Model", "Seats"],
        &[
            &["Golf GTI", "Golf", "5"],
            &["Polo", "Polo Mk1", "5"],
            &["Passat Estate", "Passat", "5"],
            &["Up", "Up!", "4"],
        ],
    );
    assert_eq!(cars[1], json!({"Model": "Polo Mk1", "Seats": "5"}));
}

#[test]
fn of_two_columns_with_one_heading_the_second_has_a_number() {
    let teams = table(
        &["Team", "W", "L", "Home W", "W", "L"],
        &[
            &["Leeds", "1", "2", "3", "4", "5"],
            &["York", "2", "–", "4", "5", "6"],
            &["Hull", "3", "4", "5", "6", "7"],
            &["Bury", "1", "3", "5", "7", "9"],
        ],
    );
    assert_eq!(
        teams[0],
        json!({"W": "1", "L": "2", "Home W": "3", "W_2": "4", "L_2": "5"})
    );
    assert_eq!(teams[1], json!({"W": "2", "Home W": "4", "W_2": "5", "L_2": "6"}));
}

#[test]
fn a_fact_that_equals_the_number_of_reviews_is_a_fact_unless_it_is_that() {
    let read = list(|_, at| {
        format!(
            "<span class=rating aria-label='4 out of 5 stars'>★★★★</span> <span>({at}20)</span>\
             <dl><dt>Pages<dd>{}<dt>Reviews<dd>{at}20</dl>",
            if at == 1 { 120 } else { 200 + at }
        )
    });
    assert_eq!(read[0].review_count, Some(json!(120)));
    assert_eq!(json!(read[0].facts), json!({"Pages": "120"}));
}
