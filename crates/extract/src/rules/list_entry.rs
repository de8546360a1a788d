//! Records of list pages as entries of an item.

use page::Page;
use serde_json::{Map, Value};

use super::records::Record;
use crate::normalize;
use locale::price;

/// A record of a list as an entry of `items`: its title and link, its price and picture, its text.
pub fn entry(page: &Page, record: &Record) -> Map<String, Value> {
    let dom = page.dom();
    let mut out = Map::new();
    let nodes = || {
        record
            .roots
            .iter()
            .map(|node| dom.node(*node))
            .flat_map(|node| std::iter::once(node).chain(node.descendants()))
            .take(2_000)
    };
    let links = nodes().filter(|node| node.is("a") && node.attr("href").is_some());
    let titled = nodes()
        .find(|node| matches!(node.tag(), "h1" | "h2" | "h3" | "h4" | "h5") && !node.text().is_empty());
    let inside = titled.and_then(|node| {
        node.descendants()
            .find(|it| it.is("a"))
            .or_else(|| node.closest("a"))
    });
    let longest = links
        .filter(|node| !node.text().is_empty())
        .max_by_key(|node| node.text().chars().count().min(120));
    let link = inside.or(longest);
    let title = titled
        .or(link)
        .map(|node| node.text())
        .filter(|it| !it.is_empty());
    if let Some(title) = &title {
        out.insert("title".to_owned(), Value::String(title.clone()));
    }
    if let Some(url) = link
        .and_then(|link| link.attr("href"))
        .and_then(|href| page.absolute(href))
    {
        out.insert("url".to_owned(), Value::String(url.to_string()));
    }
    // The number at a title's end is no part of the price behind it: "Vita 103" and "278,99 €" are not 103 278,99 €.
    let other_text = match &title {
        Some(title) => record.text.replacen(title.as_str(), "\n", 1),
        None => record.text.clone(),
    };
    let written_price = record.fields.get("price").and_then(Value::as_str);
    let costs = |text| {
        let money = price::find_all(text, &price::PriceHints::default());
        let full = money.iter().find(|price| price.kind == price::PriceKind::Full);
        full.or(money.first()).cloned()
    };
    if let Some(price) = written_price.and_then(costs).or_else(|| costs(&other_text)) {
        if let Some(amount) = normalize::from_decimal(&price.amount) {
            out.insert("price".to_owned(), amount);
        }
        if let Some(currency) = price.iso {
            out.insert("currency".to_owned(), Value::String(currency.to_owned()));
        }
    }
    if let Some(image) = nodes()
        .find(|it| it.is("img"))
        .and_then(|image| image.attr("src").or_else(|| image.attr("data-src")))
        && let Some(url) = page.absolute(image).filter(|url| url.scheme() != "data")
    {
        out.insert("image".to_owned(), Value::String(url.to_string()));
    }
    out.insert("text".to_owned(), Value::String(record.text.clone()));
    out
}
