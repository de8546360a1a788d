//! Confidence of fields, and selectors that give values back.

use super::*;
use crate::mode::ExtractionRequest;
use crate::modes::rule_based;
use crate::provenance::FieldSource;
use crate::rules::rows::{ListReader, Row};
use crate::rules::visible_page::VisiblePage;
use page::Page;
use page::dom::Selector;
use serde_json::json;

fn item(html: &str) -> Item {
    let page = Page::new(html, "https://paper.example/2026/05/mill".parse().ok());
    rule_based::read(&page, &ExtractionRequest::default()).unwrap()
}

const BODY: &str = "<p>The mill on the river was repaired over the winter by eleven volunteers from the village, who replaced \
    the wheel and most of the roof. It will open to visitors in June, when the water is high enough to turn the stones.</p>\
    <p>The society that owns the mill says that the work cost less than it had feared, because most of the timber came from \
    an oak that a storm brought down in the spring of the year before.</p>";

#[test]
fn sources_that_agree_are_believed_more_than_one_that_stands_alone() {
    let agreed = item(&format!(
        "<head><title>The mill turns again</title><meta name=author content='Berta Quell'>\
         <script type='application/ld+json'>{{\"@context\":\"https://schema.org\",\"@type\":\"NewsArticle\",\
         \"headline\":\"The mill turns again\",\"datePublished\":\"2026-05-04\",\"author\":{{\"@type\":\"Person\",\
         \"name\":\"Berta Quell\"}}}}</script></head><h1>The mill turns again</h1><p class=byline>Berta Quell</p>{BODY}"
    ));
    let alone = item(&format!(
        "<title>The mill turns again</title><h1>The mill turns again</h1>{BODY}<p class=author>by functional style</p>"
    ));
    let confidence = |item: &Item| item.confidence("author").unwrap_or(0.0);
    assert_eq!(agreed.text("author"), Some("Berta Quell"));
    assert!(confidence(&agreed) > 0.8, "{}", confidence(&agreed));
    assert!(
        confidence(&agreed) > confidence(&alone),
        "{} {}",
        confidence(&agreed),
        confidence(&alone)
    );
}

#[test]
fn a_field_that_is_more_likely_wrong_is_null_and_its_values_are_candidates() {
    let mut read = Item::new("https://a.example/", crate::fields::PageType::Article);
    read.put("title", "The mill", FieldSource::selector("h1"));
    read.put("author", "Join today", FieldSource::selector("a.join"));
    read.set_confidence("title", 0.9);
    let other = WithheldValue {
        value: json!("Berta Quell"),
        confidence: None,
        source: FieldSource::meta("author"),
    };
    read.withhold("author", 0.21, vec![other]);
    let written = serde_json::to_value(&read).unwrap();
    assert_eq!(written["author"], Value::Null);
    assert_eq!(
        written["provenance"]["author"],
        json!({"candidates": [
            {"value": "Join today", "confidence": 0.21, "from": "selector", "css": "a.join"},
            {"value": "Berta Quell", "from": "meta", "name": "author"},
        ]})
    );
    assert_eq!(written["confidence"], json!({"title": 0.9}));
    assert!(read.missing().contains(&"author"));
}

#[test]
fn coverage_is_less_where_the_fields_are_doubtful() {
    let mut sure = Item::new("https://a.example/", crate::fields::PageType::Other);
    sure.put("title", "The mill", FieldSource::selector("h1"));
    let mut doubtful = sure.clone();
    sure.set_confidence("title", 0.95);
    doubtful.set_confidence("title", 0.55);
    assert!(sure.coverage() > doubtful.coverage());
}

#[test]
fn a_field_that_is_put_again_has_no_old_confidence() {
    let mut read = Item::new("https://a.example/", crate::fields::PageType::Article);
    read.put("author", "Join today", FieldSource::selector("a.join"));
    read.withhold("author", 0.2, Vec::new());
    assert!(read.put(
        "author",
        "Berta Quell",
        FieldSource::Model {
            quote: "by Berta Quell".into()
        }
    ));
    assert_eq!(
        (read.confidence("author"), read.withheld("author").len()),
        (None, 0)
    );
}

/// Selectors of every fixture and of odd pages: each matches one element, and its text or an attribute has the value.
#[test]
fn a_selector_matches_one_element_that_states_the_value() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages");
    let mut pages: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| {
            Some(entry.ok()?.path()).filter(|path| path.extension().is_some_and(|it| it == "html"))
        })
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    assert!(pages.len() >= 5);
    for class in ["author.", "1st", "a:b", "näme", "x]"] {
        pages.push(format!(
            "<html lang=en><title>The mill turns again</title><div><h2>News</h2></div><div><h1 class='{class}'>The mill turns \
             again</h1><span class='{class}'>By Berta Quell</span><span class='{class}'>4 May 2026</span></div>{BODY}"
        ));
    }
    let mut checked = 0;
    for html in pages {
        let page = Page::new(html, "https://paper.example/2026/05/mill".parse().ok());
        let read = rule_based::read(&page, &ExtractionRequest::default()).unwrap();
        for (field, value) in read.fields() {
            let Some(FieldSource::Selector { css }) = read.source(field) else {
                continue;
            };
            if css.is_empty() {
                continue;
            }
            let selector = Selector::parse(css).unwrap_or_else(|error| panic!("{field}: {css}: {error}"));
            let found = page.dom().root().select_all(&selector).unwrap();
            assert_eq!(found.len(), 1, "{field}: {css}");
            let held = format!("{} {:?}", found[0].text(), found[0].attrs().collect::<Vec<_>>());
            let whole = value.as_str().unwrap_or_default();
            let start: String = match whole.starts_with("http") {
                true => whole.rsplit('/').next().unwrap_or_default().to_owned(),
                false => whole.chars().take(20).collect(),
            };
            let start = start.lines().next().unwrap_or_default();
            if value.is_string()
                && !matches!(field.as_str(), "availability" | "currency")
                && !field.contains("date")
            {
                assert!(held.contains(start), "{field}: {css} holds {held}, not {start}");
            }
            checked += 1;
        }
    }
    assert!(checked >= 20, "{checked}");
}

/// A page with a list of three pots.
fn pots() -> Item {
    let pot = |name: &str, price: u32| {
        format!(
            "<li><a href=/pots/{price}><h3>{name}</h3></a><p>Thrown by hand and glazed twice, holds about a litre of tea.</p>\
             <span class=price>{price},50 €</span></li>"
        )
    };
    item(&format!(
        "<title>Tea pots</title><h1>Tea pots</h1><ul class=pots>{}{}{}{}</ul>",
        pot("The low pot", 31),
        pot("The tall pot", 42),
        pot("The blue pot", 53),
        pot("The dark pot", 64),
    ))
}

#[test]
fn each_entry_of_a_list_has_its_confidence_and_the_list_their_mean() {
    let read = pots();
    let given: Vec<f64> = read
        .items
        .iter()
        .filter_map(|entry| entry["confidence"].as_f64())
        .collect();
    assert_eq!(given.len(), 4, "{:?}", read.items);
    let mean = given.iter().sum::<f64>() / 4.0;
    let stated = f64::from(read.confidence("items").unwrap());
    assert!(
        (stated - mean).abs() < 0.006 && mean > f64::from(THRESHOLD),
        "{given:?} {stated}"
    );
    let mut read = read;
    read.keep_only(&["title".to_owned()]);
    assert!(read.confidence("items").is_some());
}

#[test]
fn a_list_that_is_more_likely_none_is_not_given_and_its_entries_are_candidates() {
    let kind = |name: &str| format!("<li><a href=/c/{name}>{name}</a></li>");
    let kinds = ["Sofas", "Beds", "Lamps", "Rugs", "Desks", "Chairs"]
        .map(kind)
        .concat();
    let page = Page::new(
        format!("<title>Oak</title><h1>Oak</h1><article>{BODY}{BODY}</article><nav><ul>{kinds}</ul></nav>"),
        "https://oak.example/".parse().ok(),
    );
    let view = VisiblePage::of(&page);
    let content = crate::rules::content::find(&page);
    let list = ListReader::of(&view);
    let row = |tile: page::dom::Node<'_>| Row {
        title: Some(tile.text()),
        url: Some(format!("https://oak.example/c/{}", tile.text())),
        text: tile.text(),
        elements: vec![tile.id()],
        ..Row::default()
    };
    let rows: Vec<Row> = page.dom().by_tag("li").map(row).collect();
    let product = crate::rules::product::read(&view, &[]);
    let mut read = Item::new("https://oak.example/", PageType::Listing);
    read.items = rows.iter().cloned().map(Row::into_map).collect();
    let evidence = PageEvidence {
        view: &view,
        entities: &[],
        product: &product,
        content: Some(&content),
        list: &list,
        rows: &rows,
    };
    assert_eq!(rows.len(), 6);
    rate(&mut read, evidence);
    assert_eq!((read.items.len(), read.confidence("items")), (0, None));
    let candidates = read.withheld("items");
    assert!(!candidates.is_empty() && candidates.len() <= MAX_CANDIDATES);
    assert!(candidates.iter().all(|one| one.confidence < Some(THRESHOLD)));
}

#[test]
fn the_measures_of_a_model_stand_in_order() {
    for (field, _, weights) in weights::MODELS {
        assert!(weights.is_sorted_by(|one, other| one.0 < other.0), "{field}");
    }
}
