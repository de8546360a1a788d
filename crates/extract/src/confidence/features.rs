//! Features of a value: its source, what the other sources say, where it is shown and whether it has the form of its field.

use locale::number::ascii_digits;
use locale::price::{self, PriceHints};
use serde_json::Value;

use super::candidates::{Candidate, SourceKind};
use super::evidence::{Features, PageEvidence};
use crate::fields::PageType;
use crate::item::Item;
use crate::provenance::FieldSource;
use crate::rules::entities::TypedEntity;
use crate::rules::page_type::{is_subject, main_entity};
use crate::rules::visible_page::{covered, words};

/// Most times that a value is looked for in the text of the page.
const MOST_SHOWN: usize = 8;
/// Longest line that is searched for a price, in bytes.
const LONGEST_PRICE_LINE: usize = 400;

pub(super) fn flag(test: bool) -> f32 {
    f32::from(u8::from(test))
}

/// A value as text: the first of several.
pub(super) fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.first().map(text_of).unwrap_or_default(),
        Value::Null | Value::Object(_) => String::new(),
        other => other.to_string(),
    }
}

/// Whether two values of a field are the same.
pub(super) fn agree(field: &str, one: &str, other: &str) -> bool {
    match field {
        "price" | "rating" | "review_count" => match (amount(one), amount(other)) {
            (Some(one), Some(other)) => (one - other).abs() < 0.005,
            _ => false,
        },
        "date_published" => one.get(..10) == other.get(..10) && one.len() >= 10,
        "title" => {
            let (one, other) = (words(one), words(other));
            !one.is_empty() && (covered(&one, &other) >= 0.9 || covered(&other, &one) >= 0.9)
        }
        "author" | "brand" => {
            let (one, other) = (words(one), words(other));
            !one.is_empty()
                && !other.is_empty()
                && (covered(&one, &other) >= 1.0 || covered(&other, &one) >= 1.0)
        }
        "availability" => {
            let name = |text: &str| crate::rules::product::availability::normalize(text);
            name(one).is_some() && name(one) == name(other)
        }
        _ => one.trim().eq_ignore_ascii_case(other.trim()),
    }
}

fn amount(text: &str) -> Option<f64> {
    let plain = text.trim().parse().ok();
    plain.or_else(|| price::parse(text, &PriceHints::default())?.amount.parse().ok())
}

/// Measures a value of a field; `of_page` are the [`page_features`], which are the same for all of them.
pub(super) fn measure(
    field: &str,
    value: &Value,
    source: &FieldSource,
    stated: &[Candidate],
    item: &Item,
    evidence: PageEvidence<'_, '_>,
    of_page: &[(&'static str, f32)],
) -> Features {
    let text = text_of(value);
    let mut features = source_features(field, &text, source, stated);
    let place = source.to_string().to_lowercase();
    let name = field.split('_').next().unwrap_or(field);
    features.push(("source_named", flag(place.contains(name))));
    features.push(("of_subject", flag(is_of_subject(source, evidence))));
    features.push(("many_dates", many_dates(field, evidence)));
    features.extend_from_slice(of_page);
    // Several authors may stand in lines of their own.
    let shown = match field {
        "author" => text.split(", ").next().unwrap_or(&text),
        _ => &text,
    };
    features.extend(shown_features(field, shown, evidence));
    features.extend(form_features(field, &text, item, evidence));
    features
}

/// Whether the value belongs to an entity that the heading or the title of the page names.
fn is_of_subject(source: &FieldSource, evidence: PageEvidence<'_, '_>) -> bool {
    let place = source.to_string();
    let mut entities = evidence.entities.iter().filter(|entity| {
        place
            .strip_prefix(entity.path.as_str())
            .is_some_and(|rest| rest.starts_with('.') && !rest.trim_start_matches('.').contains('.'))
    });
    let is_named = |entity: &TypedEntity<'_>| entity.text(&["headline", "name", "title"]).is_some();
    entities.any(|entity| is_named(entity) && is_subject(evidence.view, entity))
}

/// How many times the page marks a time: lists mark one for each entry.
fn many_dates(field: &str, evidence: PageEvidence<'_, '_>) -> f32 {
    if !matches!(field, "date_published" | "author") {
        return 0.0;
    }
    let times = evidence.view.dom().by_tag("time").take(40).count() as f32;
    times.ln_1p()
}

/// The source of the value, and which kinds of sources agree and differ.
fn source_features(field: &str, text: &str, source: &FieldSource, stated: &[Candidate]) -> Features {
    let own = SourceKind::of(source);
    let of = |kind: SourceKind| {
        stated
            .iter()
            .filter(move |candidate| SourceKind::of(&candidate.source) == kind)
    };
    let agrees = |kind: SourceKind| of(kind).any(|candidate| agree(field, text, &candidate.value));
    let differs = |kind: SourceKind| of(kind).next().is_some() && !agrees(kind);
    let kinds = [
        SourceKind::JsonLd,
        SourceKind::Attributes,
        SourceKind::Meta,
        SourceKind::Visible,
    ];
    let agreeing = kinds.into_iter().filter(|kind| agrees(*kind)).count() as f32;
    let differing = kinds.into_iter().filter(|kind| differs(*kind)).count() as f32;
    let other = stated
        .iter()
        .filter(|candidate| !agree(field, text, &candidate.value))
        .count() as f32;
    vec![
        ("from_json_ld", flag(own == SourceKind::JsonLd)),
        ("from_attributes", flag(own == SourceKind::Attributes)),
        ("from_meta", flag(own == SourceKind::Meta)),
        ("from_visible", flag(own == SourceKind::Visible)),
        ("from_text", flag(matches!(source, FieldSource::Text { .. }))),
        ("from_state", flag(matches!(source, FieldSource::State { .. }))),
        ("from_address", flag(*source == FieldSource::Url)),
        ("json_ld_agrees", flag(agrees(SourceKind::JsonLd))),
        ("attributes_agree", flag(agrees(SourceKind::Attributes))),
        ("meta_agrees", flag(agrees(SourceKind::Meta))),
        ("visible_agrees", flag(agrees(SourceKind::Visible))),
        ("json_ld_differs", flag(differs(SourceKind::JsonLd))),
        ("attributes_differ", flag(differs(SourceKind::Attributes))),
        ("meta_differs", flag(differs(SourceKind::Meta))),
        ("visible_differs", flag(differs(SourceKind::Visible))),
        ("two_agree", flag(agreeing >= 2.0)),
        ("three_agree", flag(agreeing >= 3.0)),
        ("none_differs", flag(agreeing > 0.0 && differing == 0.0)),
        ("alone", flag(stated.is_empty())),
        ("other_values", other.ln_1p()),
    ]
}

/// What the page is.
pub(super) fn page_features(item: &Item, evidence: PageEvidence<'_, '_>) -> Features {
    let view = evidence.view;
    let is = |page_type: PageType| flag(item.page_type == page_type);
    let entity = main_entity(view, evidence.entities, item.page_type).is_some();
    let articles = view.dom().by_tag("article").take(20).count() as f32;
    let links = view.dom().by_tag("a").take(2_000).count() as f32;
    let lines = view.lines.len().max(1) as f32;
    vec![
        ("on_product", is(PageType::Product)),
        ("on_article", is(PageType::Article)),
        ("on_listing", is(PageType::Listing)),
        ("on_forum", is(PageType::Forum)),
        ("on_documentation", is(PageType::Documentation)),
        ("on_recipe", is(PageType::Recipe)),
        ("on_other", is(PageType::Other)),
        ("typed_entity", flag(entity)),
        ("headed", flag(view.heading.is_some())),
        ("articles", articles.ln_1p()),
        ("links_per_line", (links / lines).min(3.0)),
        ("sells", evidence.product.evidence.clamp(-5.0, 5.0) / 5.0),
        (
            "at_root",
            flag(view.page.url().is_some_and(|url| url.path().len() <= 1)),
        ),
    ]
}

/// Where the value is shown.
fn shown_features(field: &str, text: &str, evidence: PageEvidence<'_, '_>) -> Features {
    let view = evidence.view;
    let heading = view.heading.as_ref().map(|heading| heading.line);
    let needle = text.to_lowercase();
    let searched = (needle.len() >= 2 || field == "price")
        && !matches!(field, "date_published" | "availability" | "currency");
    let price = (field == "price").then(|| amount(text)).flatten();
    let mut count = 0;
    let mut nearest: Option<usize> = None;
    if searched {
        for (index, line) in view.lines.iter().enumerate() {
            let own = view.lines.line_text(line);
            let is_shown = match price {
                Some(price) => states_price(own, price),
                None => own.len() >= needle.len() && contains(own, text, &needle),
            };
            if !is_shown {
                continue;
            }
            count += 1;
            let distance = heading.map_or(index, |heading| heading.abs_diff(index));
            nearest = Some(nearest.map_or(distance, |nearest| nearest.min(distance)));
            if count >= MOST_SHOWN {
                break;
            }
        }
    }
    vec![
        ("shown", flag(count > 0)),
        ("shown_often", (count as f32).ln_1p()),
        (
            "near_heading",
            nearest.map_or(0.0, |distance| 1.0 / (1.0 + distance as f32 / 6.0)),
        ),
    ]
}

/// Whether a line states an amount of money in any notation, such as "1.299,00" for 1299.
fn states_price(line: &str, wanted: f64) -> bool {
    let whole = format!("{:.0}", wanted.trunc());
    let digits = || -> String {
        let line = ascii_digits(line);
        line.chars().filter(char::is_ascii_digit).collect()
    };
    line.len() <= LONGEST_PRICE_LINE
        && digits().contains(&whole)
        && price::find_all(line, &PriceHints::default()).iter().any(|found| {
            found
                .amount
                .parse::<f64>()
                .is_ok_and(|amount| (amount - wanted).abs() < 0.005)
        })
}

fn contains(line: &str, exact: &str, lower: &str) -> bool {
    line.contains(exact) || (line.len() <= 400 && line.to_lowercase().contains(lower))
}

/// Whether a text states nothing as an amount: "0.00", "free".
fn is_zero(text: &str) -> bool {
    let has_digits = text.contains(|c: char| c.is_ascii_digit());
    (text.contains('0') || !has_digits) && amount(text) == Some(0.0)
}

/// Whether the value has the form of its field.
fn form_features(field: &str, text: &str, item: &Item, evidence: PageEvidence<'_, '_>) -> Features {
    let own = words(text);
    let count = own.len() as f32;
    let written: Vec<&str> = text.split_whitespace().collect();
    let capital = written
        .iter()
        .filter(|word| word.chars().next().is_some_and(|c| !c.is_lowercase()))
        .count() as f32;
    let titles = &evidence.view.titles;
    let in_title_tag = titles.iter().any(|title| covered(&own, &words(title)) >= 1.0);
    let in_title = field != "title"
        && !own.is_empty()
        && item
            .text("title")
            .is_some_and(|title| covered(&own, &words(title)) >= 1.0);
    vec![
        ("words", count.ln_1p()),
        ("one_word", flag(count <= 1.0)),
        ("name_length", flag((2.0..=4.0).contains(&count))),
        ("long", flag(count > 8.0)),
        ("capitals", capital / written.len().max(1) as f32),
        ("digits", flag(text.contains(|c: char| c.is_ascii_digit()))),
        ("in_title_tag", flag(in_title_tag && !own.is_empty())),
        ("in_title", flag(in_title)),
        ("cents", flag(text.contains('.'))),
        ("zero", flag(is_zero(text))),
        ("has_price", flag(item.has("price"))),
        ("has_rating", flag(item.has("rating"))),
        ("chars", (text.chars().count() as f32).ln_1p()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_found_on_its_line_in_the_digits_of_any_script() {
        for line in ["Price: $1,250.50", "السعر: ١٬٢٥٠٫٥٠ ر.س", "1.250,50 €"] {
            assert!(states_price(line, 1250.5), "{line}");
        }
        assert!(!states_price("السعر: ١٬٢٥٠ ر.س", 250.0));
    }
}
