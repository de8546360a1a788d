use super::*;
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
fn what_is_in_stock_is_true_of_it() {
    let mut item = Item::new("https://a.example/", PageType::Product);
    item.put("availability", "InStock", FieldSource::Url);
    let schema = json!({"type": "object", "properties": {"in_stock": {"type": "boolean"}}});
    assert_eq!(
        project(&Page::new("", None), &item, &schema).data,
        json!({"in_stock": true})
    );
}
