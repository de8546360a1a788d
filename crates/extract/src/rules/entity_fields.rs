//! Item fields from the typed entity that a page is about.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::entities::{self, AggregateRating, TypedEntity, texts};
use super::product::availability;
use super::product::markup::{self, MarkupOffer};
use super::visible_page::squeeze;
use crate::fields::PageType;
use crate::item::Item;
use crate::normalize;
use crate::provenance::FieldSource;

/// Item fields and the properties that fill them, the better first.
#[rustfmt::skip]
const PROPERTIES: &[(&str, &[&str])] = &[
    ("author", &["author", "creator"]), ("date_published", &["datePublished", "dateCreated", "uploadDate"]), ("date_modified", &["dateModified"]),
    ("description", &["description", "abstract"]), ("job_type", &["employmentType"]), ("date_posted", &["datePosted"]),
    ("application_deadline", &["validThrough"]), ("start_date", &["startDate"]), ("end_date", &["endDate"]), ("organizer", &["organizer"]), ("performer", &["performer", "performers"]),
    ("prep_time", &["prepTime"]), ("cook_time", &["cookTime"]), ("total_time", &["totalTime"]), ("yield", &["recipeYield", "yield"]), ("cuisine", &["recipeCuisine", "servesCuisine"]), ("category", &["recipeCategory", "articleSection", "category"]),
    ("phone", &["telephone"]), ("email", &["email"]), ("duration", &["duration"]), ("director", &["director"]), ("cast", &["actor", "actors"]), ("genre", &["genre"]), ("mpaa_rating", &["contentRating"]),
    ("publisher", &["publisher"]), ("hours", &["openingHours"]), ("rooms", &["numberOfRooms", "numberOfBedrooms"]), ("isbn_13", &["isbn"]), ("keywords", &["keywords"]), ("text", &["articleBody"]),
];

/// Fewest characters of the number of a text in a program: `8ae9ab2d-fe1b`.
const LEAST_NUMBER: usize = 12;

/// Fewest keywords that are settings of a program.
const LEAST_SETTINGS: usize = 2;

/// Fills an item from the entity that its page is about.
pub fn fill(item: &mut Item, entity: &TypedEntity<'_>) {
    put_name(item, entity);
    put_properties(item, entity);
    match item.page_type {
        PageType::Job => put_job(item, entity),
        PageType::Recipe => put_recipe(item, entity),
        PageType::Event => {
            put_place(item, entity, "location");
            put_event(item, entity);
        }
        PageType::RealEstate | PageType::Profile => put_place(item, entity, "address"),
        _ => {}
    }
    put_rating(item, entity);
}

fn put_text(item: &mut Item, field: &str, text: Option<String>, source: FieldSource) {
    if let Some(text) = text {
        item.put(field, text, source);
    }
}

fn put_name(item: &mut Item, entity: &TypedEntity<'_>) {
    let (field, keys): (&str, &[&str]) = match item.page_type {
        PageType::Product => return,
        PageType::Job => ("job_title", &["title", "headline", "name"]),
        PageType::Profile => ("name", &["headline", "name", "title"]),
        _ => ("title", &["headline", "name", "title"]),
    };
    put_text(item, field, entity.text(keys), entity.source("name"));
}

/// Whether a property fills its field on pages of a type; products are described by rules of their own.
fn fits(field: &str, page_type: PageType) -> bool {
    match field {
        "author" | "date_published" | "text" => !matches!(
            page_type,
            PageType::Product | PageType::Job | PageType::Profile | PageType::Event
        ),
        "category" | "keywords" | "publisher" | "description" => page_type != PageType::Product,
        _ => true,
    }
}

fn put_properties(item: &mut Item, entity: &TypedEntity<'_>) {
    let page_type = item.page_type;
    for (field, keys) in PROPERTIES.iter().filter(|(field, _)| fits(field, page_type)) {
        for key in *keys {
            let mut values = texts(entity.get(key));
            let mut seen = HashSet::new();
            // "#site" is the number of another thing of the markup.
            values.retain(|text| {
                !text.starts_with("http") && !text.starts_with('#') && seen.insert(text.clone())
            });
            if values.is_empty() {
                continue;
            }
            if *field == "isbn_13" {
                for number in values {
                    item.put(isbn_field(&number), number, entity.source(key));
                }
                break;
            }
            let value = match *field {
                "description" | "text" => Value::String(plain(&values.join("\n"))),
                "author" => Value::String(values.join(", ")),
                "keywords" => json!(keywords(&values)),
                "yield" => Value::String(whole_yield(values)),
                _ if values.len() == 1 => Value::String(values.remove(0)),
                _ => json!(values),
            };
            item.put(field, value, entity.source(key));
            break;
        }
    }
}

/// The field for the number of a book, which has ten digits or thirteen; the last one of ten may be an "X".
fn isbn_field(number: &str) -> &'static str {
    match number.chars().filter(char::is_ascii_digit).count() {
        9 | 10 => "isbn_10",
        _ => "isbn_13",
    }
}

/// The yield of a recipe, which some markup states as a number and once more with its unit: "8" and "8 servings".
fn whole_yield(mut values: Vec<String>) -> String {
    let is_part = |values: &[String], value: &str| {
        let mut others = values.iter();
        others.any(|other| other.len() > value.len() && other.starts_with(value))
    };
    let all = values.clone();
    values.retain(|value| !is_part(&all, value));
    values.dedup();
    values.join(", ")
}

/// The keywords of markup, which may hold all of them in one text; the numbers that a program gave to its texts are none, nor are its
/// settings ("content-type: Feature").
fn keywords(values: &[String]) -> Vec<&str> {
    let parts: Vec<&str> = match values {
        [all] => all.split([',', ';']).collect(),
        several => several.iter().map(String::as_str).collect(),
    };
    let is_number = |text: &&str| {
        text.len() >= LEAST_NUMBER
            && text.contains(|c: char| c.is_ascii_digit())
            && text.chars().all(|c| c.is_ascii_hexdigit() || c == '-')
    };
    let is_setting = |text: &&str| {
        let name = text.split_once(": ").map(|(name, _)| name);
        name.is_some_and(|name| !name.is_empty() && !name.contains(' '))
    };
    let mut seen = HashSet::new();
    let mut parts: Vec<&str> = parts.into_iter().map(str::trim).collect();
    // "source:tagname:Mills" is of the program that stores the texts.
    let is_of_program = |text: &str| {
        let mut names = text.split(':');
        let is_name = |name: Option<&str>| {
            name.is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase()))
        };
        is_name(names.next()) && is_name(names.next()) && names.next().is_some()
    };
    parts.retain(|part| {
        !part.is_empty() && !is_number(part) && !is_of_program(part) && seen.insert(part.to_lowercase())
    });
    // One keyword may have a colon ("Excel: tips").
    if parts.iter().filter(|part| is_setting(part)).count() >= LEAST_SETTINGS {
        parts.retain(|part| !is_setting(part));
    }
    parts
}

fn put_job(item: &mut Item, entity: &TypedEntity<'_>) {
    let company = entity.text(&["hiringOrganization"]);
    put_text(item, "company", company, entity.source("hiringOrganization"));
    let location = place(entity.get("jobLocation"), false);
    let is_remote = entity
        .text(&["jobLocationType"])
        .is_some_and(|kind| kind.eq_ignore_ascii_case("TELECOMMUTE"));
    let (location, key) = match location {
        Some(location) if is_remote && !location.to_lowercase().contains("remote") => {
            (Some(format!("{location}; Remote")), "jobLocation")
        }
        Some(location) => (Some(location), "jobLocation"),
        None => (is_remote.then(|| "Remote".to_owned()), "jobLocationType"),
    };
    put_text(item, "location", location, entity.source(key));
    let salary = salary(entity.get("baseSalary"));
    put_text(item, "salary", salary, entity.source("baseSalary"));
}

fn put_recipe(item: &mut Item, entity: &TypedEntity<'_>) {
    let key = if entity.get("recipeIngredient").is_some() {
        "recipeIngredient"
    } else {
        "ingredients"
    };
    let lines = entity.get(key).map(lines);
    let mut ingredients: Vec<String> = texts(lines.as_ref()).iter().map(|text| plain(text)).collect();
    ingredients.retain(|text| says_something(text));
    item.put("ingredients", json!(ingredients), entity.source(key));
    let mut steps = steps(entity.get("recipeInstructions"));
    steps.retain(|text| says_something(text));
    item.put("steps", json!(steps), entity.source("recipeInstructions"));
}

/// Whether a text has a letter or a digit: a quote within an attribute that is not escaped leaves "[{" of a list of steps.
fn says_something(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

/// A value whose texts are parted at their line breaks: some markup has several ingredients in one text.
fn lines(value: &Value) -> Value {
    match value {
        Value::String(text) => text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect(),
        Value::Array(list) => {
            let parted = list.iter().map(lines).flat_map(|value| match value {
                Value::Array(lines) => lines,
                other => vec![other],
            });
            parted.collect()
        }
        other => other.clone(),
    }
}

/// Status and tickets of an event: what the first of its offers costs that is not sold out.
fn put_event(item: &mut Item, entity: &TypedEntity<'_>) {
    let status = entity.text(&["eventStatus"]);
    let status = status.map(|status| status.rsplit(['/', '#']).next().unwrap_or_default().to_owned());
    let changed = status.filter(|status| status != "EventScheduled");
    put_text(item, "event_status", changed, entity.source("eventStatus"));
    let offers = markup::entity_offers(entity);
    let stock = |offer: &MarkupOffer| offer.availability.as_deref().and_then(availability::normalize);
    let is_left = |offer: &&MarkupOffer| !matches!(stock(offer), Some("OutOfStock" | "Discontinued"));
    let Some(offer) = offers.iter().find(is_left).or(offers.first()) else {
        return;
    };
    let free = || offer.is_free.then_some("0");
    let amount = offer.price.as_deref().or_else(free);
    if let Some(amount) = amount.and_then(normalize::from_decimal) {
        item.put("price", amount, offer.source("price"));
        let currency = offer.currency.clone();
        put_text(item, "currency", currency, offer.source("priceCurrency"));
    }
    let stock = stock(offer).map(str::to_owned);
    put_text(item, "availability", stock, offer.source("availability"));
}

/// When a place is open, from specifications of days with the times at which it opens and closes: "Monday, Tuesday 09:00–17:00".
fn opening_hours(value: Option<&Value>) -> Option<String> {
    let specifications: Vec<&Value> = match value? {
        Value::Array(list) => list.iter().collect(),
        one => vec![one],
    };
    let line = |specification: &Value| {
        let map = specification.as_object()?;
        let name = |address: &String| address.rsplit(['/', '#']).next().unwrap_or_default().to_owned();
        let days: Vec<String> = texts(entities::get(map, "dayOfWeek")).iter().map(name).collect();
        let time = |key: &str| {
            let time = texts(entities::get(map, key)).into_iter().next()?;
            Some(without_seconds(&time).to_owned())
        };
        let (opens, closes) = (time("opens")?, time("closes")?);
        let times = match opens == closes && opens == "00:00" {
            true => "closed".to_owned(),
            false => format!("{opens}–{closes}"),
        };
        (!days.is_empty()).then(|| format!("{} {times}", days.join(", ")))
    };
    let lines: Vec<String> = specifications.into_iter().filter_map(line).collect();
    (!lines.is_empty()).then(|| lines.join("; "))
}

/// A time of day without its seconds and what stands behind them, which say nothing of opening hours: "09:00" of "09:00:00+02:00".
fn without_seconds(time: &str) -> &str {
    let is_with_seconds = matches!(time.as_bytes(), [_, _, b':', _, _, b':', ..]);
    time.get(..5).filter(|_| is_with_seconds).unwrap_or(time)
}

/// Fields of events, real estate and profiles; the place stands in the property `key`.
fn put_place(item: &mut Item, entity: &TypedEntity<'_>, key: &str) {
    for field in ["location", "address"] {
        put_text(item, field, place(entity.get(key), true), entity.source(key));
    }
    let hours = opening_hours(entity.get("openingHoursSpecification"));
    put_text(item, "hours", hours, entity.source("openingHoursSpecification"));
    for (field, key) in [
        ("company", "worksFor"),
        ("job_title", "jobTitle"),
        ("website", "url"),
    ] {
        if field != "website" || item.page_type == PageType::Profile {
            put_text(item, field, entity.text(&[key]), entity.source(key));
        }
    }
}

fn put_rating(item: &mut Item, entity: &TypedEntity<'_>) {
    let Some(rating) = AggregateRating::of(entity.get("aggregateRating")) else {
        return;
    };
    for (field, value) in [
        ("best_rating", rating.best),
        ("rating", rating.average),
        ("review_count", rating.count),
    ] {
        put_text(item, field, value, entity.source("aggregateRating"));
    }
}

/// Text of a property that may hold HTML.
fn plain(text: &str) -> String {
    if !text.contains('<') {
        return text.to_owned();
    }
    let dom = page::dom::Dom::parse(text);
    dom.body().map_or_else(|| squeeze(text), |it| it.text())
}

/// The steps of a recipe: texts, or `HowToStep`s in sections.
fn steps(value: Option<&Value>) -> Vec<String> {
    let mut out = Vec::new();
    let mut open: Vec<&Value> = value.into_iter().collect();
    while let Some(value) = open.pop() {
        if out.len() >= 200 {
            break;
        }
        match value {
            Value::String(text) => {
                let text = plain(text);
                out.extend(text.lines().map(squeeze).filter(|it| !it.is_empty()));
            }
            Value::Array(list) => open.extend(list.iter().rev()),
            Value::Object(map) => match entities::get(map, "itemListElement") {
                Some(inner) => open.push(inner),
                None => open.extend(["text", "name"].iter().find_map(|key| entities::get(map, key))),
            },
            _ => {}
        }
    }
    out
}

/// A place in one line: its name (when asked), street, town, region, country.
fn place(value: Option<&Value>, whole: bool) -> Option<String> {
    let places: Vec<&Value> = match value? {
        Value::Array(list) => list.iter().take(5).collect(),
        one => vec![one],
    };
    let mut out: Vec<String> = Vec::new();
    for place in places {
        let line = match place {
            Value::String(text) => squeeze(text),
            Value::Object(map) => {
                let address = entities::get(map, "address").unwrap_or(place);
                let mut parts: Vec<String> = Vec::new();
                if whole && entities::get(map, "address").is_some() {
                    parts.extend(texts(entities::get(map, "name")));
                }
                match address {
                    Value::Object(address) => {
                        let keys: &[&str] = if whole {
                            &[
                                "streetAddress",
                                "addressLocality",
                                "addressRegion",
                                "postalCode",
                                "addressCountry",
                            ]
                        } else {
                            &["addressLocality", "addressRegion", "addressCountry"]
                        };
                        for key in keys {
                            for part in texts(entities::get(address, key)) {
                                if !parts.contains(&part) {
                                    parts.push(part);
                                }
                            }
                        }
                    }
                    Value::String(text) => parts.push(squeeze(text)),
                    _ => {}
                }
                if parts.is_empty() {
                    parts.extend(texts(entities::get(map, "name")));
                }
                parts.join(", ")
            }
            _ => String::new(),
        };
        if !line.is_empty() && !out.contains(&line) {
            out.push(line);
        }
    }
    (!out.is_empty()).then(|| out.join("; "))
}

/// A salary in one line: "EUR 50000-60000 per YEAR", "up to EUR 60000 per YEAR".
fn salary(value: Option<&Value>) -> Option<String> {
    let map = match value? {
        Value::Object(map) => map,
        Value::Array(list) => list.first()?.as_object()?,
        Value::String(text) => return Some(squeeze(text)),
        Value::Number(number) => return Some(number.to_string()),
        _ => return None,
    };
    let inner = entities::get(map, "value")
        .and_then(Value::as_object)
        .unwrap_or(map);
    let text = |map: &Map<String, Value>, key: &str| texts(entities::get(map, key)).into_iter().next();
    let low = text(inner, "minValue").or_else(|| text(inner, "value"));
    let is_highest = low.is_none();
    let amount = match (low, text(inner, "maxValue")) {
        (Some(low), Some(high)) if low != high => format!("{low}-{high}"),
        (Some(low), _) => low,
        (None, high) => high?,
    };
    let currency = text(map, "currency").or_else(|| text(inner, "currency"));
    let unit = text(inner, "unitText")
        .or_else(|| text(map, "unitText"))
        .map(|unit| format!("per {unit}"));
    Some(
        is_highest
            .then(|| "up to".to_owned())
            .into_iter()
            .chain(currency)
            .chain([amount])
            .chain(unit)
            .collect::<Vec<_>>()
            .join(" "),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_keep_their_halves_of_the_day_and_lose_their_seconds() {
        let specification = |opens: &str, closes: &str| {
            opening_hours(Some(
                &serde_json::json!({"dayOfWeek": "Monday", "opens": opens, "closes": closes}),
            ))
        };
        for (opens, closes, want) in [
            ("10:00 AM", "06:00 PM", "Monday 10:00 AM–06:00 PM"),
            ("9:00 AM", "17:30", "Monday 9:00 AM–17:30"),
            ("09:00:00+02:00", "17:00:00", "Monday 09:00–17:00"),
        ] {
            assert_eq!(specification(opens, closes).as_deref(), Some(want));
        }
    }
}
