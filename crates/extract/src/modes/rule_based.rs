//! The item of a page by rules alone: the baseline under every other mode.
//!
//! Structured data is read first, visible fields fill what it leaves open. Nothing is made up: what the page does not state
//! stays empty and is listed as missing.

#[cfg(test)]
mod tests;

use jiff::civil::DateTime;
use page::Page;
use page::dom::Node;
use page::meta::Metadata;
use serde_json::{Value, json};

use crate::confidence::{self, ItemFeatures, PageEvidence};
use crate::fields::PageType;
use crate::item::Item;
use crate::mode::{Error, ExtractionRequest};
use crate::normalize;
use crate::provenance::{FieldSource, Sourced};
use crate::rules::content::{self, MainContent};
use crate::rules::element_source::element_source;
use crate::rules::labelled_fields::{self, LabelledField};
use crate::rules::product::{self, ProductFacts};
use crate::rules::publication::{self, Publication};
use crate::rules::published::Certainty;
use crate::rules::rows::{ListReader, Row};
use crate::rules::visible_page::VisiblePage;
use crate::rules::{
    author, contact, entities, entity_fields, event_facts, job_title, opening_hours, page_type, recipe_lists,
    records, selectors, site, thread, whole_description,
};

/// Longest summary, in characters.
const SUMMARY: usize = 400;
/// Most records of a list page that an item keeps.
const MOST_ITEMS: usize = 500;

/// Reads the item of a page. A page that states little gives an item with few fields; only a page with nothing to read is an
/// error.
pub fn read(page: &Page, request: &ExtractionRequest) -> Result<Item, Error> {
    let mut item = read_rated(page, request, confidence::rate)?;
    for field in item.missing() {
        let note = match item.withheld(field) {
            [] => format!("the page does not state {field} where rules look for it"),
            _ => format!("what the page states of {field} is more likely wrong than right"),
        };
        item.notes.push(note);
    }
    if !request.fields.is_empty() {
        item.keep_only(&request.fields);
    }
    selectors::verify(page, &mut item);
    Ok(item)
}

/// Reads the item of a page with every field, and the measures from which its confidence is learned.
pub fn describe(page: &Page, request: &ExtractionRequest) -> Result<(Item, ItemFeatures), Error> {
    let mut features = ItemFeatures::default();
    let item = read_rated(page, request, |item, evidence| {
        features = confidence::describe(item, evidence)
    })?;
    Ok((item, features))
}

/// Reads the item of a page and has it rated.
fn read_rated(
    page: &Page,
    request: &ExtractionRequest,
    rate: impl FnOnce(&mut Item, PageEvidence<'_, '_>),
) -> Result<Item, Error> {
    let view = VisiblePage::of(page);
    let metadata = view.metadata();
    let described = entities::StructuredData::of(page, metadata);
    let entities = described.entities();
    if view.lines.is_empty() && entities.is_empty() && view.titles.is_empty() {
        return Err(Error::Nothing);
    }
    let product = product::read(&view, &entities);
    let list = ListReader::of(&view);
    let mut content = None;
    let page_type = match request
        .page_type
        .or_else(|| page_type::type_without_content(&view, &entities, &product))
    {
        Some(page_type) => page_type,
        None => {
            let found = content::find(page);
            let page_type = page_type::page_type(&view, &entities, &found, &product, &list);
            content = Some(found);
            page_type
        }
    };
    let mut item = Item::new(page.url().map(ToString::to_string).unwrap_or_default(), page_type);
    // What the rules read of a publication stands before what its markup says; goods and jobs are named by their markup, and a
    // day beside them is often that of a review.
    let publication_facts = publication::read(&view, metadata, &entities, page_type);
    if !matches!(page_type, PageType::Product | PageType::Job) {
        put_publication(&mut item, &view, metadata, &publication_facts, request.now);
    }
    if page_type == PageType::Product {
        put(&mut item, "title", &product.heading_within_name(&view));
        put(&mut item, "title", &product.heading_of_cut_name(&view));
        put(&mut item, "rating", &product.exact_rating);
    }
    if let Some(entity) = page_type::main_entity(&view, &entities, page_type) {
        entity_fields::fill(&mut item, entity);
    }
    if page_type == PageType::Forum && !item.has("author") {
        put(&mut item, "author", &thread::first_author(&view, &list));
    }
    let mut rows = Vec::new();
    if page_type == PageType::Listing {
        rows = list.rows();
        if rows.len() > MOST_ITEMS {
            let all = list.count_with_unread(&rows);
            item.all_entries = Some(all);
            item.notes.push(format!(
                "the list has {all} entries, of which the first {MOST_ITEMS} are given"
            ));
        }
        rows.truncate(MOST_ITEMS);
    }
    match page_type {
        PageType::Product => put_product(&mut item, &product),
        PageType::Job => job_title::put_job_title(&mut item, &view),
        PageType::Recipe => {
            put_recipe_lists(&mut item, &view);
            let (rating, count) = product::rating::beside_heading(&view);
            put(&mut item, "rating", &rating);
            put(&mut item, "review_count", &count);
        }
        PageType::Event => put_admission(&mut item, &view),
        PageType::Listing => item.items = rows.iter().cloned().map(Row::into_map).collect(),
        _ => {}
    }
    if labelled_fields_of(page_type).contains(&"hours") {
        let hours = opening_hours::read(&view);
        if let Some(hours) = hours {
            item.put_as("hours", hours.value, hours.source);
        }
    }
    for detail in labelled_fields::read(&view, labelled_fields_of(page_type)) {
        put_detail(&mut item, detail);
    }
    if page_type == PageType::Event && !item.has("start_date") {
        put(&mut item, "start_date", &event_facts::days(&view));
    }
    let other = [
        PageType::Product,
        PageType::Job,
        PageType::Listing,
        PageType::Forum,
        PageType::Recipe,
        PageType::Video,
    ];
    if !other.contains(&page_type) {
        for (field, found) in contact::read(&view, page_type) {
            item.put_as(field, found.value, found.source);
        }
    }
    // A page that was taken for something else may still sell a thing, but not one of the entries of its list.
    let is_about_one = !page_type::is_of_several(&view) && !page_type::is_news(&view, &entities);
    // What a job pays is no price, and the number of its posting none of goods.
    let may_sell = !matches!(page_type, PageType::Product | PageType::Job);
    if may_sell && is_about_one && product.evidence > least_evidence(page_type) {
        // The price that a list shows without markup is that of its first entry.
        let is_of_entry = page_type == PageType::Listing && !product.has_stated_price();
        if !is_of_entry {
            if !product.is_listed {
                put_offer(&mut item, &product);
            }
            put_codes(&mut item, &product);
        }
    }
    if matches!(page_type, PageType::Product | PageType::Job) {
        put_date(&mut item, &view, metadata, request.now, Certainty::Stated);
    }
    put_common(
        &mut item,
        &view,
        metadata,
        &entities,
        content.as_ref(),
        &publication_facts,
    );
    let evidence = PageEvidence {
        view: &view,
        entities: &entities,
        product: &product,
        content: content.as_ref(),
        list: &list,
        rows: &rows,
    };
    rate(&mut item, evidence);
    Ok(item)
}

/// Fields that are read beside labels on each type of page.
#[rustfmt::skip]
fn labelled_fields_of(page_type: PageType) -> &'static [&'static str] {
    match page_type {
        PageType::Job => &[
            "job_title", "company", "location", "date_posted", "job_type", "salary", "application_deadline",
        ],
        PageType::Product => &[
            "author", "publisher", "publication_date", "isbn_13", "isbn_10", "pages", "language", "weight", "engine",
            "fuel_economy", "transmission", "manufacturer", "model", "year",
        ],
        PageType::Documentation | PageType::Forum => &[],
        PageType::Recipe => &[
            "prep_time", "cook_time", "total_time", "yield", "author", "cuisine",
        ],
        PageType::Event => &["start_date", "location", "organizer", "address", "phone"],
        PageType::RealEstate => &["location", "address", "area", "rooms", "year", "phone"],
        PageType::Listing => &["phone", "email"],
        // What an article names has an address and a weight, and not the article.
        PageType::Article => &["author", "publisher", "publication_date", "isbn_13"],
        PageType::Profile | PageType::Video | PageType::Other => &[
            "address", "phone", "email", "website", "cuisine", "hours", "director", "genre", "mpaa_rating", "cast", "runtime",
            "height", "weight", "team", "born", "college", "type", "author", "publisher", "publication_date", "isbn_13",
            "engine", "fuel_economy", "transmission", "manufacturer", "model", "year", "location", "company", "language",
        ],
    }
}

fn put_detail(item: &mut Item, detail: LabelledField) {
    let value = if detail.list && detail.field != "author" {
        json!(detail.values)
    } else {
        Value::String(detail.values.join(", "))
    };
    item.put_as(detail.field, value, detail.source);
}

fn put(item: &mut Item, field: &str, found: &Option<Sourced<String>>) {
    if let Some(found) = found {
        item.put(field, found.value.clone(), found.source.clone());
    }
}

fn put_product(item: &mut Item, product: &ProductFacts) {
    put(item, "title", &product.name);
    put_offer(item, product);
    put_codes(item, product);
    put(item, "image", &product.image);
    put(item, "description", &product.description);
}

/// What one pays to get in, where the markup of an event does not state it.
fn put_admission(item: &mut Item, view: &VisiblePage<'_>) {
    if item.has("price") {
        return;
    }
    if let Some(admission) = event_facts::admission(view)
        && let Some(amount) = normalize::from_decimal(&admission.amount)
    {
        item.put("price", amount, admission.source.clone());
        item.put("currency", admission.currency, admission.source);
    }
}

fn put_codes(item: &mut Item, product: &ProductFacts) {
    for (field, found) in [
        ("sku", &product.sku),
        ("gtin", &product.gtin),
        ("mpn", &product.mpn),
        ("brand", &product.brand),
        ("rating", &product.rating),
        ("best_rating", &product.best_rating),
        ("review_count", &product.review_count),
    ] {
        put(item, field, found);
    }
}

fn put_offer(item: &mut Item, product: &ProductFacts) {
    for (field, found) in [("price", &product.price), ("old_price", &product.old_price)] {
        if let Some(found) = found
            && let Some(amount) = normalize::from_decimal(&found.value)
        {
            item.put(field, amount, found.source.clone());
        }
    }
    put(item, "currency", &product.currency);
    put(item, "availability", &product.availability);
}

/// Log-odds of a product from which a page of another type shows one (see [`ProductFacts::evidence`]): a price in running
/// text is seldom an offer, and one in a list is that of an entry.
fn least_evidence(page_type: PageType) -> f32 {
    match page_type {
        PageType::Listing => -1.5,
        PageType::Other | PageType::Profile => -2.0,
        _ => -0.5,
    }
}

/// Title, author and day of publication of whatever is published: the rules weigh what the markup says against what readers
/// are shown, and so come before the markup.
fn put_publication(
    item: &mut Item,
    view: &VisiblePage<'_>,
    metadata: &Metadata,
    publication_facts: &Publication,
    now: Option<DateTime>,
) {
    put(item, "title", &publication_facts.title);
    // A person that the body of a list names has written an entry of the list.
    let author = match item.page_type {
        PageType::Listing => author::stated_author(view.page, metadata),
        _ => publication::author(view, metadata, item.page_type),
    };
    put(item, "author", &author);
    if records::is_feed(view.page) {
        // The other days of a feed are those of its entries.
        let now = now.unwrap_or_else(|| jiff::Zoned::now().datetime());
        let (_, modified) = publication::dates(view, metadata, now, Certainty::Stated);
        return put(item, "date_modified", &modified);
    }
    // What is published on its own has its day somewhere; other pages speak of days.
    let least = match item.page_type {
        PageType::Forum => Certainty::Commented,
        PageType::Article => Certainty::Mentioned,
        // A day that is shown beside a thing is that of an auction, a show or a review.
        PageType::Event | PageType::RealEstate => Certainty::Stated,
        _ => Certainty::Guess,
    };
    put_date(item, view, metadata, now, least);
}

/// The day of publication, where the page is at least this certain of it, and that of the last change.
fn put_date(
    item: &mut Item,
    view: &VisiblePage<'_>,
    metadata: &Metadata,
    now: Option<DateTime>,
    least: Certainty,
) {
    let now = now.unwrap_or_else(|| jiff::Zoned::now().datetime());
    let (published, modified) = publication::dates(view, metadata, now, least);
    let is_of_event = |found: &Sourced<String>| {
        item.page_type == PageType::Event && event_facts::is_day_of_event(view, found, now)
    };
    let published = published.filter(|found| !is_of_event(found));
    put(item, "date_published", &published);
    if item.page_type == PageType::Job {
        put(item, "date_posted", &published);
    }
    // The changes of a thread are those of its posts.
    if item.page_type != PageType::Forum {
        put(item, "date_modified", &modified);
    }
}

/// The lists that a recipe shows, where its markup lacks them, or leaves out a part of every entry, such as the units.
fn put_recipe_lists(item: &mut Item, view: &VisiblePage<'_>) {
    let shown = recipe_lists::read(view).or_called(view);
    for (field, list) in [("ingredients", shown.ingredients), ("steps", shown.steps)] {
        let Some(list) = list else { continue };
        let stated = item.get(field).and_then(Value::as_array);
        let says_less = |stated: &Vec<Value>| {
            recipe_lists::says_more(&list.value, stated)
                || (field == "ingredients" && recipe_lists::are_groups(&list.value, stated))
        };
        if stated.is_some_and(says_less) {
            item.replace(field, json!(list.value), list.source);
        } else {
            item.put(field, json!(list.value), list.source);
        }
    }
    let stated = item.get("ingredients").and_then(Value::as_array);
    let whole = |stated: &Vec<Value>| {
        recipe_lists::with_units(view, stated).or_else(|| recipe_lists::with_amounts(view, stated))
    };
    if let Some(whole) = stated.and_then(whole)
        && let Some(source) = item.source("ingredients").cloned()
    {
        item.replace("ingredients", json!(whole), source);
    }
}

/// What every page has: title, description, picture, text.
fn put_common(
    item: &mut Item,
    view: &VisiblePage<'_>,
    metadata: &Metadata,
    entities: &[entities::TypedEntity<'_>],
    content: Option<&MainContent>,
    publication_facts: &Publication,
) {
    let page = view.page;
    put(item, "title", &publication_facts.title);
    if item.page_type == PageType::Product {
        // "by Canon" below the name of a camera is its brand.
        let brand = item.text("brand").map(str::to_lowercase);
        let author = author::below_heading(view).filter(|found| brand != Some(found.value.to_lowercase()));
        put(item, "author", &author);
    }
    if let Some(title) = publication_facts.title.as_ref() {
        let name = item
            .text("title")
            .map_or_else(|| title.value.clone(), str::to_owned);
        item.put_as("name", name, title.source.clone());
    }
    put(item, "description", &publication_facts.description);
    if let Some(whole) = item
        .text("description")
        .and_then(|cut| whole_description::read(view, cut))
    {
        item.replace("description", whole.value, whole.source);
    }
    // Of a list, a thread or a manual a picture on the page is that of a part of it.
    let has_picture_of_parts = matches!(
        item.page_type,
        PageType::Listing | PageType::Forum | PageType::Documentation | PageType::Other
    );
    let image = match has_picture_of_parts {
        true => product::image::stated(view, entities).or_else(|| product::image::named(view, entities)),
        false => product::image::shown(view, entities),
    };
    put(item, "image", &image);
    put(item, "site_name", &site::name(page, metadata));
    if let Some(lang) = page
        .dom()
        .by_tag("html")
        .next()
        .and_then(|html| html.attr("lang"))
        .filter(|it| !it.is_empty())
    {
        item.put("language", lang, FieldSource::selector("html[lang]"));
    }
    // Where typed fields hold the content, its text is read only for want of a description.
    let fields = [
        PageType::Product,
        PageType::Job,
        PageType::Event,
        PageType::RealEstate,
    ];
    let whole = !fields.contains(&item.page_type);
    if whole || !item.has("description") {
        match content {
            Some(content) => put_text(item, page, content, whole),
            None => put_text(item, page, &content::find(page), whole),
        }
    }
}

/// The main content: a summary, a description for want of a better one, the whole text when asked for.
fn put_text(item: &mut Item, page: &Page, content: &MainContent, whole: bool) {
    let text = content::text(page, content);
    let Some(root) = content.roots.first() else { return };
    let source = element_source(page.dom().node(*root));
    // The first long text of a list is that of an entry, and that of a page of many parts one of them.
    let begins_with_text = matches!(
        item.page_type,
        PageType::Article | PageType::Documentation | PageType::Forum
    );
    // A heading that differs from the title says no more than a title does.
    let headings = page.dom().by_tag("h1").take(MOST_HEADINGS).map(Node::text);
    let titles: Vec<String> = item
        .text("title")
        .map(str::to_owned)
        .into_iter()
        .chain(headings)
        .collect();
    let steps = item.get("steps").and_then(Value::as_array);
    let is_step = |summary: &String| {
        let mut steps = steps.into_iter().flatten().filter_map(Value::as_str);
        steps.any(|step| step.starts_with(summary.as_str()) || summary.starts_with(step))
    };
    let summary =
        summary(&text, &titles).filter(|summary| item.page_type != PageType::Listing && !is_step(summary));
    if let Some(summary) = summary {
        if begins_with_text {
            item.put("summary", summary.clone(), source.clone());
        }
        item.put("description", summary, source.clone());
    }
    // Markup has the text without paragraphs and headings, and often only how it begins; a page may show less than its markup has.
    let in_markup = item.text("text").map_or(0, str::len);
    if whole && text.len().saturating_mul(2) > in_markup {
        item.replace("text", text, source);
        if content.is_cut {
            item.notes
                .push("the page is longer than what is read of it; the text ends there".to_owned());
        }
    }
}

locale::patterns! {
    /// What a page says of its earnings, and of how it came to be, before it begins.
    static DISCLOSURE = r"(?i)\b(?:affiliate|commissions?|sponsored|paid (?:links?|partnership)|editorial(?:ly)? independen\w+|this (?:article|post|page) (?:contains|was (?:written|reviewed|updated))|^(?:disclaimer|editor.s note|note from the editor|anmerkung der redaktion|od redakcji)|werbelinks?|affiliate-links?|linki partnerskie)\b";
}

/// Most headings that are no summary.
const MOST_HEADINGS: usize = 8;

/// The first paragraph of some length that is no title, cut at the end of a sentence.
fn summary(text: &str, titles: &[String]) -> Option<String> {
    let paragraph = text.lines().map(str::trim).find(|line| {
        line.chars().count() >= 60
            && line.contains(['.', '。', '!', '?'])
            && !titles.iter().any(|title| title == line)
            && !DISCLOSURE.is_match(line)
    })?;
    if paragraph.chars().count() <= SUMMARY {
        return Some(paragraph.to_owned());
    }
    let head: String = paragraph.chars().take(SUMMARY).collect();
    let end = head.rfind(['.', '。', '!', '?']).filter(|end| *end > SUMMARY / 4);
    Some(
        end.and_then(|end| head.get(..=end))
            .map_or_else(|| format!("{}…", head.trim_end()), str::to_owned),
    )
}
