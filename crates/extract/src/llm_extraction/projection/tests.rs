use super::values::town;
use super::*;
use crate::fields::PageType;
use crate::mode::ExtractionRequest;
use crate::modes::rule_based;
use crate::provenance::FieldSource;
use serde_json::json;

#[test]
fn an_item_fills_a_schema_by_the_names_of_its_properties() {
    let mut item = Item::new("https://a.example/", PageType::Product);
    item.put("title", "Lamp", FieldSource::Url);
    item.put("price", "12,50 €", FieldSource::Url);
    item.items = vec![json!({"title": "One", "price": "5"}).as_object().unwrap().clone()];
    let schema = json!({"type": "object", "properties": {
        "Product Name": {"type": "string"}, "cost": {"type": "string"}, "price": {"type": ["number", "null"]},
        "rating": {"type": ["number", "null"]}, "brand": {"type": "string"}, "url": {"type": "string"},
        "rows": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "integer"}}}},
    }});
    assert_eq!(
        project(&Page::new("", None), &item, &schema).data,
        json!({"Product Name": "Lamp", "cost": "12.5", "price": 12.5, "rating": null, "url": "https://a.example/",
            "rows": [{"name": "One", "price": 5}]})
    );
    let list = json!({"type": "array", "items": {"properties": {"title": {}}}});
    assert_eq!(
        project(&Page::new("", None), &item, &list).data,
        json!([{"title": "One"}])
    );
}
fn filled(html: &str, properties: Value) -> Value {
    let page = Page::new(html, "https://a.example/".parse().ok());
    let item = rule_based::read(&page, &ExtractionRequest::default()).unwrap();
    project(&page, &item, &json!({"type": "object", "properties": properties})).data
}

#[test]
fn an_amount_in_a_currency_is_filled_with_no_other() {
    let number = || json!({"type": "number"});
    let mut item = Item::new("https://a.example/", PageType::Product);
    item.put("price", "129", FieldSource::Url);
    item.put("currency", "GBP", FieldSource::Url);
    item.items = vec![
        json!({"price": 5, "currency": "EUR", "unit_price": 2})
            .as_object()
            .unwrap()
            .clone(),
    ];
    let prices =
        json!({"price_gbp": number(), "price_eur": number(), "unit_price": number(), "price": number()});
    let schema = json!({"type": "object", "properties": {
        "price_gbp": number(), "price_eur": number(), "unit_price": number(), "price": number(),
        "rows": {"type": "array", "items": {"type": "object", "properties": prices}},
    }});
    let found = project(&Page::new("", None), &item, &schema);
    assert_eq!(
        found.data,
        json!({"price_gbp": 129, "price": 129, "rows": [{"price_eur": 5, "unit_price": 2, "price": 5}]})
    );
    assert_eq!(found.unfilled, ["price_eur", "unit_price", "rows.price_gbp"]);
}

#[test]
fn headings_of_a_table_name_the_properties_of_its_rows() {
    let html = "<html lang=de><h1>Städte</h1><table><tr><th>City<th>Population<th>Area (km²)</tr>\
        <tr><td>Ulm<td>126.790<td>118,7</tr><tr><td>Hof<td>46.656<td>58,0</tr></table>";
    let columns = json!({"City": {"type": "string"}, "population": {"type": "integer"}, "Area (km²)": {"type": "number"}, "mayor": {"type": "string"}});
    let rows = json!({"cities": {"type": "array", "items": {"type": "object", "properties": columns}}});
    assert_eq!(
        filled(html, rows),
        json!({"cities": [{"City": "Ulm", "population": 126_790, "Area (km²)": 118.7}, {"City": "Hof", "population": 46_656, "Area (km²)": 58}]})
    );
}

#[test]
fn labels_of_a_page_name_properties() {
    let html = "<h1>Boot</h1><dl><dt>Sohle</dt><dd>Vibram</dd><dt>Größen</dt><dd>40, 41, 42</dd>\
        <dt>Weight</dt><dd>610 g</dd><dt>Waterproof</dt><dd>yes</dd><dt>Made in</dt><dd>Unit 4, 2nd floor</dd></dl>";
    let properties = json!({"Sohle": {"type": "string"}, "Größen": {"type": "array", "items": {"type": "string"}},
        "weight": {"type": "number"}, "waterproof": {"type": "boolean"}, "made_in": {"type": "number"}});
    assert_eq!(
        filled(html, properties),
        json!({"Sohle": "Vibram", "Größen": ["40", "41", "42"], "weight": 610, "waterproof": true})
    );
}

#[test]
fn days_take_the_format_that_the_schema_asks_for() {
    let html = "<html lang=de><h1>Schlosser</h1><dl><dt>Frist</dt><dd>31.12.2026</dd><dt>Beginn</dt><dd>nach Absprache</dd>\
        <dt>Stand</dt><dd>2026-10-02 08:15:00</dd></dl>\
        <table><tr><th>Nr<th>Tag<tr><td>1<td>3. Mai 2026<tr><td>2<td>später</table>";
    let day = || json!({"type": "string", "format": "date"});
    let rows = json!({"type": "array", "items": {"type": "object", "properties": {"Nr": {"type": "integer"}, "Tag": day()}}});
    let moment = json!({"type": "string", "format": "date-time"});
    let page = Page::new(html, None);
    let item = Item::new("https://a.example/", PageType::Other);
    let schema = json!({"properties": {"frist": day(), "beginn": day(), "stand": moment, "rows": rows}});
    let found = project(&page, &item, &schema);
    assert_eq!(
        found.data,
        json!({"frist": "2026-12-31", "stand": "2026-10-02T08:15:00", "rows": [{"Nr": 1, "Tag": "2026-05-03"}, {"Nr": 2}]})
    );
    assert_eq!(found.unfilled, ["beginn"]);
}

#[test]
fn several_authors_and_the_hours_of_several_days_are_the_entries_of_a_list() {
    let mut item = Item::new("https://a.example/", PageType::Article);
    item.put("author", "Ann Lee, Bo Park", FieldSource::Url);
    item.put("hours", "Mo–Fr 8–18; Sa 8–12", FieldSource::Url);
    let list = || json!({"type": "array", "items": {"type": "string"}});
    let schema =
        json!({"properties": {"authors": list(), "byline": {"type": "string"}, "opening_hours": list()}});
    assert_eq!(
        project(&Page::new("", None), &item, &schema).data,
        json!({"authors": ["Ann Lee", "Bo Park"], "byline": "Ann Lee, Bo Park", "opening_hours": ["Mo–Fr 8–18", "Sa 8–12"]})
    );
}

#[test]
fn a_town_is_read_from_an_address_and_no_venue_is_taken_for_one() {
    for (place, want) in [
        ("Old Mill, Kerkstraat 12, 3511 LX Utrecht", Some("Utrecht")),
        ("Old Mill, 12 Church Street, Bath BA1 1AA", Some("Bath")),
        ("ul. Długa 3, 31-147 Kraków", Some("Kraków")),
        ("1200 Main Street, Springfield, IL 62701", Some("Springfield")),
        (
            "1200 Main Street, Springfield, IL, 62701, US",
            Some("Springfield"),
        ),
        ("1200 Main Street, Springfield, IL", Some("Springfield")),
        ("350 5th Ave, New York, NY 10118", Some("New York")),
        ("1200 King Street, Toronto, ON M5V 2T6", Some("Toronto")),
        ("1200 George Street, Sydney NSW 2000", Some("Sydney")),
        ("Hauptstraße 5, 10115 Berlin, DE", Some("Berlin")),
        ("10115 Berlin, DE", Some("Berlin")),
        ("Bahnhofplatz, CH 8001 Zürich", Some("Zürich")),
        ("Kassel", Some("Kassel")),
        ("Kassel; Remote", Some("Kassel")),
        ("10115 Berlin; Remote", Some("Berlin")),
        ("Market Square, Tollen", None),
        ("Church Street 12", None),
    ] {
        assert_eq!(town(place, PageType::Event).as_deref(), want, "{place}");
    }
    assert_eq!(
        town("Berlin, Germany", PageType::Job).as_deref(),
        Some("Berlin, Germany")
    );
}

#[test]
fn a_number_of_another_unit_than_its_column_has_is_left_out() {
    let html = "<h1>Breads</h1><table><tr><th>Name<th>Weight<tr><td>Rye<td>500 g<tr><td>Oat<td>400 g<tr><td>Corn<td>1 kg</table>";
    let columns = json!({"name": {"type": "string"}, "weight": {"type": "number"}});
    let rows = json!({"breads": {"type": "array", "items": {"type": "object", "properties": columns}}});
    let page = Page::new(html, None);
    let item = Item::new("https://a.example/", PageType::Other);
    let found = project(&page, &item, &json!({"properties": rows}));
    assert_eq!(found.withheld, ["breads.weight"]);
    assert_eq!(
        found.data,
        json!({"breads": [{"name": "Rye", "weight": 500}, {"name": "Oat", "weight": 400}, {"name": "Corn"}]})
    );
}

#[test]
fn properties_may_be_named_in_other_languages() {
    let mut item = Item::new("https://a.example/", PageType::Product);
    item.put("title", "Kettle", FieldSource::Url);
    item.put("price", "12.5", FieldSource::Url);
    item.put("brand", "Quern", FieldSource::Url);
    for (title, price, brand) in [
        ("titel", "preis", "marke"),
        ("nom", "prix", "marque"),
        ("nazwa", "cena", "marka"),
        ("nombre", "precio", "marca"),
    ] {
        let schema = json!({"properties": {title: {"type": "string"}, price: {"type": "number"}, brand: {"type": "string"}}});
        assert_eq!(
            project(&Page::new("", None), &item, &schema).data,
            json!({title: "Kettle", price: 12.5, brand: "Quern"})
        );
    }
}

#[test]
fn what_is_in_stock_is_true_of_it() {
    let mut item = Item::new("https://a.example/", PageType::Product);
    item.put("availability", "InStock", FieldSource::Url);
    let schema = json!({"type": "object", "properties": {"in_stock": {"type": "boolean"}}});
    assert_eq!(
        project(&Page::new("", None), &item, &schema).data,
        json!({"in_stock": true})
    );
}

/// The schema of a list whose entries have these properties.
fn list_of(properties: &Value) -> Value {
    json!({"type": "array", "items": {"type": "object", "properties": properties}})
}

/// An item with a list of these entries.
fn listing(entries: &[Value]) -> Item {
    let mut item = Item::new("https://a.example/", PageType::Listing);
    let entries = entries.iter().filter_map(Value::as_object);
    item.items = entries.cloned().collect();
    item
}

#[test]
fn values_that_single_entries_of_a_list_lose_are_withheld() {
    let number = || json!({"type": "number"});
    let properties = json!({"title": {"type": "string"}, "price": number(), "size": number(), "salary": number(),
        "year": number(), "last": {"type": "string", "format": "date"}, "rating": number()});
    let item = listing(&[
        json!({"title": "A", "price": 8, "rating": 4, "facts": {"Size": "84.3 MB", "Salary": "3,400 €", "Year": "2020 (70 reg)", "Last": "2026-11-28"}}),
        json!({"title": "B", "unit_price": 2, "facts": {"Size": "1.2 GB", "Salary": "3,500 €", "Year": "2021", "Last": "some day"}}),
        json!({"title": "C", "price": 9, "facts": {"Size": "91 MB", "Salary": "14.50 €/Std.", "Year": "2023 (23 reg)", "Last": "n/a"}}),
    ]);
    let found = project(
        &Page::new("<html lang=en><body><p>a</p>", None),
        &item,
        &list_of(&properties),
    );
    assert_eq!(
        found.data,
        json!([
            {"title": "A", "price": 8, "size": 84.3, "salary": 3400, "year": 2020, "last": "2026-11-28", "rating": 4},
            {"title": "B", "salary": 3500, "year": 2021},
            {"title": "C", "price": 9, "size": 91, "year": 2023},
        ])
    );
    assert_eq!(found.withheld, ["price", "size", "salary", "last"]);
    assert_eq!(found.unfilled, Vec::<String>::new());
}

#[test]
fn the_table_that_a_list_stands_in_completes_its_entries() {
    let html = "<html lang=en><body><table><tr><th>Topic<th>SHA-256<th>Replies</tr><tr><td>[New] One<td>9f<td>1</tr>\
                <tr><td>Two<td>0b<td>2</tr></table>";
    let item = listing(&[
        json!({"title": "One", "url": "https://a.example/1", "facts": {"Topic": "[New] One", "Replies": "1"}}),
        json!({"title": "Two", "url": "https://a.example/2", "facts": {"Replies": "2"}}),
    ]);
    let text = || json!({"type": "string"});
    let properties =
        json!({"topic": text(), "sha256": text(), "replies": {"type": "integer"}, "url": text()});
    assert_eq!(
        project(&Page::new(html, None), &item, &list_of(&properties)).data,
        json!([
            {"topic": "[New] One", "sha256": "9f", "replies": 1, "url": "https://a.example/1"},
            {"topic": "Two", "sha256": "0b", "replies": 2, "url": "https://a.example/2"},
        ])
    );
}

#[test]
fn labels_name_properties_without_accents_and_under_names_that_mean_the_same() {
    let item =
        listing(&[json!({"title": "A", "facts": {"Année": "2019", "Höhe": "12 m", "Tel": "01434 600111"}})]);
    let number = || json!({"type": "integer"});
    let properties = json!({"annee": number(), "hoehe": number(), "phone": {"type": "string"}});
    assert_eq!(
        project(&Page::new("", None), &item, &list_of(&properties)).data,
        json!([{"annee": 2019, "hoehe": 12, "phone": "01434 600111"}])
    );
}

#[test]
fn linked_and_plain_names_of_one_column_fill_its_property() {
    let row = |name: &str, place: &str, price: u32| {
        format!("<tr><td>{name}</td><td>{place}</td><td>{price} €</td></tr>")
    };
    let page = format!(
        "<h1>Kurse</h1><table><tr><th>Kurs</th><th>Ort</th><th>Preis</th></tr>{}{}{}{}</table>",
        row("<a href=/k/1>Yoga</a>", "Nord", 45),
        row("<a href=/k/2>Pilates</a>", "West", 50),
        row("<a href=/k/3>Aqua-Fit</a>", "West", 60),
        row("Kraulen", "Nord", 70)
    );
    let kurse = json!({"kurs": {"type": "string"}, "ort": {"type": "string"}, "preis": {"type": "number"}});
    let list = json!({"type": "array", "items": {"type": "object", "properties": kurse}});
    assert_eq!(
        filled(&page, json!({"kurse": list}))["kurse"],
        json!([
            {"kurs": "Yoga", "ort": "Nord", "preis": 45},
            {"kurs": "Pilates", "ort": "West", "preis": 50},
            {"kurs": "Aqua-Fit", "ort": "West", "preis": 60},
            {"kurs": "Kraulen", "ort": "Nord", "preis": 70}
        ])
    );
}

#[test]
fn rows_that_tools_chose_have_what_the_list_has_for_them() {
    let number = || json!({"type": "integer"});
    let properties = json!({"title": {"type": "string"}, "ulez": {"type": "boolean"}, "doors": number(), "size": number()});
    let mut data = json!([{"title": "A", "doors": 4, "size": 3}, {"title": "B", "doors": 2}]);
    let rows = [
        json!({"name": "A", "ulez": "Yes", "size": "many"}),
        json!({"name": "C", "size": "many"}),
    ];
    let rows: Vec<_> = rows.iter().filter_map(Value::as_object).cloned().collect();
    let found = put_rows(&Page::new("", None), &mut data, &list_of(&properties), &rows).unwrap();
    assert_eq!(
        found.list,
        json!([{"title": "A", "ulez": true, "doors": 4, "size": 3}, {"title": "C"}])
    );
    assert_eq!(found.withheld, ["size"]);
}

#[test]
fn a_text_takes_the_spelling_of_the_value_that_an_enum_has_for_it() {
    let item = listing(&[json!({"title": "A", "facts": {"Fuel": "Diesel", "Arch": "any"}})]);
    let properties =
        json!({"fuel": {"enum": ["petrol", "diesel"]}, "arch": {"type": "string", "enum": ["arm64"]}});
    assert_eq!(
        project(&Page::new("", None), &item, &list_of(&properties)).data,
        json!([{"fuel": "diesel", "arch": "any"}])
    );
}

#[test]
fn the_list_of_a_page_of_no_kind_fills_a_list() {
    let dish = |name: &str, price: &str| {
        format!("<div class=d><h3>{name}</h3><span>{price} zł</span><p>with bread and cheese</p></div>")
    };
    let html = format!(
        "<html lang=pl><body><h1>Menu</h1>{}{}{}{}",
        dish("Żurek", "22"),
        dish("Rosół", "18"),
        dish("Bigos", "31"),
        dish("Kluski", "19")
    );
    let mut item = Item::new("https://a.example/", PageType::Other);
    item.put("title", "Menu", FieldSource::Url);
    let properties = json!({"name": {"type": "string"}, "price": {"type": "number"}});
    let data = project(&Page::new(html, None), &item, &list_of(&properties)).data;
    assert_eq!(data[1], json!({"name": "Rosół", "price": 18}));
}

#[test]
fn references_and_alternatives_are_filled_as_what_they_stand_for() {
    let html = "<html lang=en><h1>The Salt Road</h1><dl><dt>Director</dt><dd>Ines Carrow</dd></dl>\
        <table><thead><tr><th>Day</th><th>Seats</th></tr></thead><tr><td>Monday</td><td>12</td></tr><tr><td>Friday</td><td>8</td></tr></table>";
    let page = Page::new(html, "https://films.example/".parse().ok());
    let item = rule_based::read(&page, &ExtractionRequest::default()).unwrap();
    let text = || json!({"type": "string"});
    let run = json!({"type": "object", "properties": {"day": text(), "seats": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}});
    let film = json!({"type": "object", "properties": {
        "title": text(), "director": {"$ref": "#/$defs/Name"}, "runs": {"type": "array", "items": {"$ref": "#/$defs/Run"}},
        "next": {"$ref": "#/$defs/Film"},
    }});
    let defs = json!({"Film": film, "Run": run, "Name": text()});
    let wanted = json!({"title": "The Salt Road", "director": "Ines Carrow",
        "runs": [{"day": "Monday", "seats": 12}, {"day": "Friday", "seats": 8}]});
    for root in [
        json!({"$ref": "#/$defs/Film"}),
        json!({"allOf": [{"$ref": "#/$defs/Film"}]}),
        json!({"anyOf": [{"type": "null"}, {"$ref": "#/$defs/Film"}]}),
        film.clone(),
    ] {
        let mut schema = root.clone();
        schema["$defs"] = defs.clone();
        let found = project(&page, &item, &schema);
        assert_eq!(found.data, wanted, "{root}");
        assert_eq!(found.unfilled, ["next"], "{root}");
    }
}

#[test]
fn a_schema_that_refers_to_itself_without_end_is_written_out_to_an_end() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"allOf": [{"$ref": "#"}, {"$ref": "#"}], "properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}}}),
        json!({"$ref": "#/$defs/none"}),
    ] {
        assert!(resolved_schema(&schema).is_object());
    }
}

#[test]
fn the_alternative_to_null_gives_a_place_its_format() {
    let optional_day = json!({"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]});
    assert_eq!(
        filled(
            "<html lang=de><h1>Stelle</h1><dl><dt>Frist</dt><dd>31.12.2026</dd></dl>",
            json!({"frist": optional_day, "Ende": optional_day})
        ),
        json!({"frist": "2026-12-31", "Ende": null})
    );
}

#[test]
fn digits_of_texts_that_are_no_number_fill_no_number() {
    let html = "<html lang=de><h1>Dr. Jens Hollmann</h1><dl><dt>Raum</dt><dd>B 3.07</dd><dt>Telefon</dt><dd>+49 851 509-2201</dd>\
        <dt>Version</dt><dd>3.4.1</dd><dt>Stand</dt><dd>09.11.2026</dd><dt>Mitglieder</dt><dd>1,2 Mio.</dd></dl>";
    let number = || json!({"type": "number"});
    let properties = json!({"raum": number(), "telefon": number(), "version": number(), "stand": number(), "mitglieder": number()});
    assert_eq!(filled(html, properties), json!({"mitglieder": 1_200_000}));
}

#[test]
fn a_label_of_its_own_is_not_another_one_that_means_the_same() {
    let html = "<html lang=en><h1>Sample</h1><table><tr><th>Score</th><td>7.4/10</td></tr><tr><th>Rating</th><td>4.5 out of 5</td></tr></table>";
    let number = || json!({"type": "number"});
    assert_eq!(
        filled(html, json!({"Score": number(), "rating": number()})),
        json!({"Score": 7.4, "rating": 4.5})
    );
}

#[test]
fn labels_are_found_by_names_in_camel_case_and_without_accents_and_links_are_entries() {
    let html = "<html lang=pl><h1>Kurs</h1><dl><dt>Day and time</dt><dd>Monday</dd><dt>Erforderliche Android-Version</dt><dd>9</dd>\
        <dt>środa</dt><dd>8-16</dd><dt>Labels</dt><dd><a href=/1>cash book</a> <a href=/2>club</a></dd></dl>";
    let text = || json!({"type": "string"});
    let properties = json!({"dayAndTime": text(), "erforderliche_android_version": {"type": "integer"}, "sroda": text(),
        "labels": {"type": "array", "items": text()}});
    assert_eq!(
        filled(html, properties),
        json!({"dayAndTime": "Monday", "erforderliche_android_version": 9, "sroda": "8-16", "labels": ["cash book", "club"]})
    );
}

#[test]
fn parts_of_a_page_about_one_thing_are_no_list() {
    let name = || json!({"type": "string"});
    let event = "<html lang=en><main><h1>Evening Workshop</h1><ul class=tickets><li>Early bird <b>£12.50</b> <em>Sold out</em></li>\
        <li>Standard <b>£18</b> <em>14 left</em></li></ul><h2>About this event</h2><p>Bring a laptop. Spaces: 40.</p>\
        <h2>Schedule</h2><table><tr><td>18:30</td><td>Doors</td></tr></table><h2>Refund policy</h2><p>Up to 7 days before.</p></main>";
    let data = filled(
        event,
        json!({"tickets": list_of(&json!({"name": name(), "price": {"type": "number"}}))}),
    );
    let lists = data.as_object().into_iter().flat_map(|lists| lists.values());
    let names: Vec<&Value> = lists.flat_map(|list| list.as_array().unwrap()).collect();
    let is_part = |entry: &&&Value| {
        matches!(
            entry["name"].as_str(),
            None | Some("About this event" | "Schedule")
        )
    };
    assert_eq!(names.iter().find(is_part), None, "{data}");
}

#[test]
fn the_row_of_headings_of_a_short_table_is_no_entry() {
    let html = "<html lang=en><h1>Data Analysis</h1><p>£450</p><table><tr><th>Mode</th><th>Tutor</th></tr><tr><td>Online</td><td>Mei Tan</td></tr>\
        <tr><td>On site</td><td>Sam Oduya</td></tr></table>";
    let text = || json!({"type": "string"});
    assert_eq!(
        filled(
            html,
            json!({"instances": list_of(&json!({"mode": text(), "tutor": text()}))})
        ),
        json!({"instances": [{"mode": "Online", "tutor": "Mei Tan"}, {"mode": "On site", "tutor": "Sam Oduya"}]})
    );
}

#[test]
fn a_time_is_in_the_format_asked_for_where_it_is_one_in_figures() {
    let html =
        "<h1>Ardle</h1><dl><dt>Beginn</dt><dd>19:30 Uhr</dd><dt>Einlass</dt><dd>eine Stunde vorher</dd></dl>";
    let time = || json!({"type": "string", "format": "time"});
    assert_eq!(
        filled(html, json!({"beginn": time(), "einlass": time()})),
        json!({"beginn": "19:30:00", "einlass": "eine Stunde vorher"})
    );
}

#[test]
fn yes_and_no_are_told_by_words_and_signs() {
    let html = "<h1>Flat</h1><dl><dt>Balcony</dt><dd>Yes (south)</dd><dt>Pets</dt><dd>Not allowed</dd>\
        <dt>Cellar</dt><dd>on request</dd></dl>";
    let yes = || json!({"type": "boolean"});
    assert_eq!(
        filled(html, json!({"balcony": yes(), "pets": yes(), "cellar": yes()})),
        json!({"balcony": true, "pets": false})
    );
}

#[test]
fn the_stars_of_a_hotel_are_no_rating_of_its_guests() {
    let html = "<div itemscope itemtype='https://schema.org/Hotel'><h1 itemprop=name>Hotel Quern</h1>\
        <span itemprop=starRating itemscope itemtype='https://schema.org/Rating'><meta itemprop=ratingValue content=4>★★★★</span>\
        <div itemprop=aggregateRating itemscope itemtype='https://schema.org/AggregateRating'><b itemprop=ratingValue>8.7</b>/\
        <i itemprop=bestRating>10</i> of <i itemprop=reviewCount>124</i></div></div>";
    let number = || json!({"type": "number"});
    assert_eq!(
        filled(html, json!({"stars": number(), "rating": number()})),
        json!({"stars": 4, "rating": 8.7})
    );
    assert_eq!(filled(html, json!({"stars": number()})), json!({"stars": 8.7}));
}
