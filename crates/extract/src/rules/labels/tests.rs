use super::*;

fn pairs(html: &str) -> Vec<(String, String)> {
    let dom = Dom::parse(html);
    let overlays = Overlays::of(&dom);
    let lines = VisibleLines::of(&dom, &overlays);
    read(&dom, &lines, &overlays)
        .into_iter()
        .map(|pair| (pair.label, pair.value))
        .collect()
}

#[test]
fn a_row_under_a_header_has_labels_only_where_it_is_the_only_one() {
    let table = |rows: &str| {
        format!(
            "<table>\n<thead>\n<tr><th>Title</th> <th>Company</th> <th>Place</th></tr>\n</thead>\n<tbody>\n{rows}</tbody>\n</table>"
        )
    };
    let one = "<tr><td>Nurse</td> <td>Moorland</td> <td>Leeds</td></tr>\n";
    assert_eq!(
        pairs(&table(one)),
        [
            ("Title".to_owned(), "Nurse".to_owned()),
            ("Company".to_owned(), "Moorland".to_owned()),
            ("Place".to_owned(), "Leeds".to_owned())
        ]
    );
    let several = table(&format!(
        "{one}<tr><td>Cook</td> <td>Lantern</td> <td>York</td></tr>\n"
    ));
    assert!(!pairs(&several).iter().any(|(label, _)| label == "Company"));
}

#[test]
fn a_row_that_begins_with_a_name_has_its_values_below_their_heads() {
    let pair = |label: &str, value: &str| (label.to_owned(), value.to_owned());
    let place = [pair("Location", "Leeds"), pair("Phone", "0113 496 0000")];
    let named = "<table><tr><th>Company<th>Location<th>Phone</tr><tr><th>Acme Ltd<td>Leeds<td>0113 496 0000</tr></table>";
    let got = pairs(named);
    assert_eq!(got.first(), Some(&pair("Company", "Acme Ltd")));
    assert_eq!(got.get(1..), Some(place.as_slice()));
    let unnamed =
        "<table><tr><th>Location<th>Phone</tr><tr><th>Acme Ltd<td>Leeds<td>0113 496 0000</tr></table>";
    assert_eq!(pairs(unnamed), place);
    let wide = "<table><tr><th>Company<th>Location<th>Phone<th>Web</tr><tr><td colspan=2>Leeds<td>0113 496 0000<td>acme.example</tr></table>";
    assert_eq!(pairs(wide), []);
}

#[test]
fn the_label_behind_an_empty_cell_is_no_value() {
    let pair = |label: &str, value: &str| (label.to_owned(), value.to_owned());
    for row in [
        "<th>Company:</th><td></td><th>Location:</th><td>Berlin</td>",
        "<td>Company:</td><td></td><td>Location:</td><td>Berlin</td>",
    ] {
        let table = format!("<table><tr>{row}</tr></table>");
        assert_eq!(pairs(&table), [pair("Location", "Berlin")], "{row}");
    }
    let spaced = "<table><tr><td>Location</td><td></td><td>Berlin</td></tr></table>";
    assert_eq!(pairs(spaced), [pair("Location", "Berlin")]);
}

/// However a page sets them, the same two pairs are read.
#[test]
fn pairs_are_read_however_they_are_set() {
    let pages = [
        "<dl><dt>Brand</dt><dd>Acme</dd><dt>Item #</dt><dd>A-17</dd></dl>",
        "<dl><div><dt>Brand:</dt><dd>Acme</dd></div><div><dt>Item #:</dt><dd>A-17</dd></div></dl>",
        "<table><tr><th>Brand</th><td>Acme</td></tr><tr><th>Item #</th><td>A-17</td></tr></table>",
        "<table><tr><td>Brand:</td><td>Acme</td><td>Item #:</td><td>A-17</td></tr></table>",
        "<table><tr><th>Brand</th><th>Item #</th></tr><tr><td>Acme</td><td>A-17</td></tr></table>",
        "<p>Brand: Acme<br>Item #: A-17</p>",
        "<p><b>Brand:</b> Acme <b>Item #:</b> A-17</p>",
        "<p>Brand: Acme | Item #: A-17</p>",
        "<p>Brand:</p><p>Acme</p><p>Item #:</p><p>A-17</p>",
        "<ul><li><b>Brand</b> Acme</li><li><b>Item #</b> A-17</li></ul>",
        "<h4>Brand</h4><p>Acme</p><h4>Item #</h4><p>A-17</p>",
        "<p><b>Brand</b><br>Acme</p><p><b>Item #</b><br>A-17</p>",
        "<div><div class=r><span>Brand</span><span>Acme</span></div><div class=r><span>Item #</span><span>A-17</span></div></div>",
        "<div><span class=label>Brand</span><span class=v>Acme</span><span class=label>Item #</span><span class=v>A-17</span></div>",
    ];
    for html in pages {
        let got = pairs(html);
        let want = [
            ("Brand".to_owned(), "Acme".to_owned()),
            ("Item #".to_owned(), "A-17".to_owned()),
        ];
        assert!(want.iter().all(|it| got.contains(it)), "{html}: {got:?}");
    }
}

#[test]
fn a_time_an_address_or_a_sentence_is_no_pair() {
    assert_eq!(pairs("<p>10:30</p><p>https://example.com/a</p>"), []);
}

#[test]
fn a_key_is_a_folded_label() {
    assert_eq!(fold(" Art.-Nr.: "), "art.-nr");
    assert_eq!(fold("Job_Title"), "job title");
    assert_eq!(fold("Item #"), "item #");
}

#[test]
fn labels_behind_one_another_in_a_sentence_have_a_value_each() {
    let pair = |label: &str, value: &str| (label.to_owned(), value.to_owned());
    assert_eq!(
        pairs(
            "<p>Telefon: 08061 4455, Fax: 08061 4466, E-Mail: info@huber.example, USt-IdNr.: DE 811 223 344</p>"
        ),
        [
            pair("Telefon", "08061 4455"),
            pair("Fax", "08061 4466"),
            pair("E-Mail", "info@huber.example"),
            pair("USt-IdNr.", "DE 811 223 344"),
        ]
    );
    for (label, whole) in [
        ("Hours", "Mon: 9-5, Tue: 9-4"),
        ("Open", "daily 9 to 5, Sunday: closed"),
        ("Sizes", "S: 36, M: 38"),
        ("Genres", "Crime, Drama"),
        ("Ingredients", "Sugar, cocoa butter, Emulsifier: lecithins"),
        ("Doctor", "Dr. Huber: on Mondays"),
    ] {
        assert_eq!(pairs(&format!("<p>{label}: {whole}</p>")), [pair(label, whole)]);
    }
}

#[test]
fn what_one_presses_is_no_value() {
    let form = "<div><p>Size: <select><option>S</option></select></p><button>Add to basket</button></div>";
    assert!(!pairs(form).iter().any(|(_, value)| value.contains("basket")));
}

#[test]
fn an_amount_ends_before_the_next_label_or_amount() {
    let pair = |label: &str, value: &str| (label.to_owned(), value.to_owned());
    assert_eq!(
        pairs("<p>Check-in: from 15:00. Check-out: until 12:00.</p>"),
        [pair("Check-in", "from 15:00"), pair("Check-out", "until 12:00.")]
    );
    assert_eq!(
        pairs("<p>Doors : 19 h – Concert : 20 h 30</p>"),
        [pair("Doors", "19 h"), pair("Concert", "20 h 30")]
    );
    assert_eq!(
        pairs("<p>Serves: 4 | Total time: 45 minutes | 310 kcal per person</p>"),
        [pair("Serves", "4"), pair("Total time", "45 minutes")]
    );
    assert_eq!(
        pairs("<p>Part: 4 | Genres: Crime | Drama</p>"),
        [pair("Part", "4"), pair("Genres", "Crime | Drama")]
    );
    assert_eq!(
        pairs("<p>Hours: Mon 9–17. Sunday: 10–12</p>"),
        [pair("Hours", "Mon 9–17. Sunday: 10–12")]
    );
}
