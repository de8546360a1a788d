//! Selectors of values: unique on the page, and verified to give the value back.
//!
//! The rules describe the element of a value roughly (`span.author`). Here the first element that fits the description and
//! states the value is found, and a selector is made that matches it alone. Where no element states the value, none is given.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use page::Page;
use page::dom::{Dom, Node, NodeId};
use serde_json::Value;

use super::visible_page::squeeze;
use crate::item::Item;
use crate::provenance::FieldSource;

/// Most elements that are tried for one value.
const MAX_TRIED: usize = 200;
/// Most nodes of an element whose text is compared with a short value.
const MAX_NODES: usize = 400;
/// Characters of a long text that are compared; the rest follows from them.
const COMPARED: usize = 80;
/// Attributes that can state a value.
#[rustfmt::skip]
const ATTRIBUTES: &[&str] = &[
    "content", "datetime", "src", "data-src", "href", "title", "alt", "aria-label", "value", "lang", "data-author",
    "data-rating", "data-score", "data-average", "data-value", "data-sku", "data-price", "data-product-id", "srcset",
];

/// Makes the selectors of an item unique, or empties them.
pub(crate) fn verify(page: &Page, item: &mut Item) {
    let names = NameCounts::of(page.dom());
    for (value, source) in item.sources_mut() {
        if let FieldSource::Selector { css } = source {
            *css = verified(page, &names, value, css).unwrap_or_default();
        }
    }
}

/// How many elements of a page have an id, and how many of a tag have a class.
struct NameCounts<'d> {
    dom: &'d Dom,
    ids: HashMap<&'d str, u32, RandomState>,
    /// The number of elements, and the last one.
    classes: HashMap<(&'d str, &'d str), (u32, NodeId), RandomState>,
}

impl<'d> NameCounts<'d> {
    fn of(dom: &'d Dom) -> NameCounts<'d> {
        let mut counts = NameCounts {
            dom,
            ids: HashMap::default(),
            classes: HashMap::default(),
        };
        for node in dom.nodes().filter(|node| node.is_element()) {
            let id = node.id_attr();
            if !id.is_empty() {
                *counts.ids.entry(id).or_default() += 1;
            }
            for class in node.classes() {
                let (count, last) = counts
                    .classes
                    .entry((node.tag(), class))
                    .or_insert((0, node.id()));
                // A name that an element has twice counts once.
                if *count == 0 || *last != node.id() {
                    (*count, *last) = (*count + 1, node.id());
                }
            }
        }
        counts
    }

    /// Whether one element alone has that tag.
    fn is_only_tag(&self, tag: &str) -> bool {
        self.dom.by_tag(tag).nth(1).is_none()
    }

    /// Whether one element alone has that tag and that class.
    fn is_only_class(&self, tag: &str, class: &str) -> bool {
        self.classes
            .get(&(tag, class))
            .is_some_and(|(count, _)| *count == 1)
    }
}

/// A selector of one element that fits a rough description and states the value.
fn verified(page: &Page, names: &NameCounts<'_>, value: &Value, rough: &str) -> Option<String> {
    let rough = RoughSelector::parse(rough);
    let wanted = WantedValue::of(value);
    let dom = page.dom();
    let of_tag = (!rough.tag.is_empty()).then(|| dom.by_tag(rough.tag));
    let of_any_tag = rough.tag.is_empty().then(|| dom.nodes());
    let nodes = of_tag
        .into_iter()
        .flatten()
        .chain(of_any_tag.into_iter().flatten());
    let element = nodes
        .filter(|node| rough.fits(*node))
        .take(MAX_TRIED)
        .find(|node| wanted.is_stated_by(*node))?;
    unique(names, element)
}

/// A description of an element as the rules write it: a tag, an id, classes; attributes are left out.
#[derive(Debug, Default)]
struct RoughSelector<'s> {
    tag: &'s str,
    id: &'s str,
    classes: Vec<&'s str>,
}

impl<'s> RoughSelector<'s> {
    fn parse(css: &'s str) -> RoughSelector<'s> {
        let css = css.split([' ', '[', ',', '>']).next().unwrap_or(css);
        let mut rough = RoughSelector {
            tag: css.split(['.', '#']).next().unwrap_or_default(),
            ..RoughSelector::default()
        };
        // An id may hold a dot: what follows the sign is the id as a whole.
        if let Some((_, id)) = css.split_once('#') {
            rough.id = id;
        } else {
            rough.classes = css.split('.').skip(1).filter(|class| !class.is_empty()).collect();
        }
        rough
    }

    fn fits(&self, node: Node<'_>) -> bool {
        node.is_element()
            && (self.tag.is_empty() || node.is(self.tag))
            && (self.id.is_empty() || node.id_attr() == self.id)
            && self.classes.iter().all(|class| node.has_class(class))
    }
}

/// A value of an item, made ready once for all elements that may state it.
enum WantedValue {
    /// Its text, and whether that is so long that large elements are read for it.
    Text {
        written: WrittenValue,
        is_long: bool,
    },
    Number(f64),
    List(Vec<WrittenValue>),
    /// One that no element states.
    Other,
}

impl WantedValue {
    fn of(value: &Value) -> WantedValue {
        match value {
            Value::String(text) => WantedValue::Text {
                written: WrittenValue::of(text),
                is_long: text.len() > 200,
            },
            Value::Number(number) => WantedValue::Number(number.as_f64().unwrap_or(f64::NAN)),
            Value::Array(list) => {
                let texts = list.iter().filter_map(Value::as_str);
                WantedValue::List(texts.map(WrittenValue::of).collect())
            }
            _ => WantedValue::Other,
        }
    }

    /// Whether an element states the value in its text or in one of its attributes.
    fn is_stated_by(&self, node: Node<'_>) -> bool {
        let attributes = || ATTRIBUTES.iter().filter_map(|name| node.attr(name));
        let is_small = || node.end().index() - node.id().index() <= MAX_NODES;
        match self {
            WantedValue::Text { written, is_long } => {
                attributes().any(|own| written.is_stated(own))
                    || (is_small() || *is_long) && written.is_stated(&node.text())
            }
            WantedValue::Number(number) => {
                let is_in_text = |own: String| own.len() <= 300 && holds_number(&own, *number);
                attributes().any(|own| holds_number(own, *number)) || is_small() && is_in_text(node.text())
            }
            WantedValue::List(entries) => {
                let own = node.text();
                !entries.is_empty() && entries.iter().all(|entry| entry.is_stated(&own))
            }
            WantedValue::Other => false,
        }
    }
}

/// A text value, as it is looked for in the texts of a page.
struct WrittenValue {
    /// The whole value, white space collapsed.
    value: String,
    /// The beginning that is compared.
    start: String,
    /// The day, of a value that is one.
    day: Option<jiff::civil::Date>,
}

impl WrittenValue {
    fn of(value: &str) -> WrittenValue {
        let value = squeeze(value);
        WrittenValue {
            start: value.trim_end_matches('…').chars().take(COMPARED).collect(),
            day: is_day(&value),
            value,
        }
    }

    /// Whether a text states the value: word for word, as the day of a date, as the end of an address, or in the words for
    /// a stock.
    fn is_stated(&self, own: &str) -> bool {
        let value = self.value.as_str();
        if self.start.is_empty() {
            return false;
        }
        let own = squeeze(own);
        own.contains(&self.start)
            || names_each(&own, value)
            || (value.starts_with("http")
                && own.len() >= 3
                && value.ends_with(own.trim_start_matches(['.', '/'])))
            || super::product::availability::normalize(&own) == Some(value)
            || (own.len() <= 120 && super::product::availability::in_text(&own) == Some(value))
            || (value.len() == 3 && own.len() <= 120 && states_currency(&own, value))
            || self.day.is_some_and(|day| states_day(&own, day))
    }
}

/// Whether a short text has each part of a list of names, with other words between them.
fn names_each(own: &str, list: &str) -> bool {
    list.contains(", ") && own.len() <= 2 * list.len() && list.split(", ").all(|name| own.contains(name))
}

/// Whether an amount stands in the currency of that ISO 4217 code, by any of its signs: "$" may be any dollar.
fn states_currency(own: &str, code: &str) -> bool {
    let country = code.get(..2);
    let prices = locale::price::find_all(own, &locale::price::PriceHints::default());
    prices.iter().any(|price| {
        let of_country = price.currency.and_then(|sign| locale::price::iso(sign, country));
        price.iso == Some(code) || of_country == Some(code)
    })
}

fn is_day(value: &str) -> Option<jiff::civil::Date> {
    value.get(..10)?.parse().ok()
}

fn states_day(own: &str, day: jiff::civil::Date) -> bool {
    let now = day.at(12, 0, 0, 0);
    own.len() <= 200
        && own.contains(char::is_numeric)
        && locale::dates::parse(own, now, &locale::dates::DateHints::default())
            .is_some_and(|read| read.date == day)
}

fn holds_number(own: &str, number: f64) -> bool {
    if own
        .trim()
        .parse::<f64>()
        .is_ok_and(|own| (own - number).abs() < 1e-6)
    {
        return true;
    }
    let digits = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | ' ' | '\u{a0}' | '\u{202f}' | '\'');
    let parts = own
        .split(|c: char| !digits(c))
        .map(str::trim)
        .filter(|part| !part.is_empty());
    parts.into_iter().any(|part| {
        let read = locale::price::parse(part, &locale::price::PriceHints::default());
        read.and_then(|price| price.amount.parse::<f64>().ok())
            .is_some_and(|own| (own - number).abs() < 1e-6)
    }) || locale::price::find_all(own, &locale::price::PriceHints::default())
        .iter()
        .any(|price| {
            price
                .amount
                .parse::<f64>()
                .is_ok_and(|own| (own - number).abs() < 1e-6)
        })
}

/// A selector that matches one element of the page alone: by its id or class where no other has it, else step by step from
/// the nearest element that has such a one.
fn unique(names: &NameCounts<'_>, element: Node<'_>) -> Option<String> {
    let mut steps: Vec<String> = Vec::new();
    let mut node = element;
    loop {
        if let Some(own) = own_selector(names, node) {
            steps.push(own);
            break;
        }
        let before = node
            .siblings_before()
            .filter(|other| is_same_tag(*other, node))
            .count();
        let after = node.siblings_after().any(|other| is_same_tag(other, node));
        let step = match before > 0 || after {
            true => format!("{}:nth-of-type({})", node.tag(), before + 1),
            false => node.tag().to_owned(),
        };
        if !is_identifier(node.tag()) {
            return None;
        }
        steps.push(step);
        node = node.parent().filter(|parent| parent.is_element())?;
    }
    steps.reverse();
    Some(steps.join(" > "))
}

fn is_same_tag(one: Node<'_>, other: Node<'_>) -> bool {
    one.is_element() && one.tag() == other.tag()
}

/// Tag, id or class of an element that no other element has.
fn own_selector(names: &NameCounts<'_>, node: Node<'_>) -> Option<String> {
    let tag = node.tag();
    if matches!(tag, "html" | "head" | "body" | "title" | "main" | "h1") && names.is_only_tag(tag) {
        return Some(tag.to_owned());
    }
    let id = node.id_attr();
    if is_identifier(id) && names.ids.get(id) == Some(&1) {
        return Some(format!("{tag}#{id}"));
    }
    let class = node
        .classes()
        .find(|class| is_identifier(class) && names.is_only_class(tag, class))?;
    Some(format!("{tag}.{class}"))
}

/// Whether a name can stand in a selector without escapes.
fn is_identifier(name: &str) -> bool {
    let mut letters = name.bytes();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}
