//! The fields that a model is asked for, and their descriptions.

use crate::fields::{PageType, canonical};
use crate::item::Item;
use crate::mode::ExtractionRequest;
use crate::modes::ItemMode;

/// The fields of the fixed mode.
pub(super) const FIXED: &[&str] = &["title", "description", "price", "author", "date_published"];

/// Fields that a model is never asked for: the rules or the page itself give them.
#[rustfmt::skip]
const NEVER: &[&str] = &[
    "url", "page_type", "text", "items", "image", "screenshot_path", "provenance", "coverage", "missing", "notes",
    "name", "language", "site_name",
];

/// The wanted fields of an item, the most important first.
pub(super) fn wanted(mode: ItemMode, page_type: PageType, request: &ExtractionRequest) -> Vec<String> {
    let mut wanted: Vec<String> = Vec::new();
    let mut add = |name: &str| {
        let field = canonical(name, page_type);
        let may = field == "name" || !NEVER.contains(&field.as_str());
        if may && !wanted.contains(&field) {
            wanted.push(field);
        }
    };
    if !request.fields.is_empty() {
        request.fields.iter().for_each(|field| add(field));
        return wanted;
    }
    if mode.has_fixed_fields() {
        FIXED.iter().for_each(|field| add(field));
    } else {
        let fields = page_type.required().iter().chain(page_type.usual());
        fields.for_each(|field| add(field));
    }
    wanted
}

/// The fields that an item must have before nothing is missing: those asked for, else those its type requires.
pub(super) fn required(mode: ItemMode, page_type: PageType, request: &ExtractionRequest) -> Vec<String> {
    if !request.fields.is_empty() || mode.has_fixed_fields() {
        return wanted(mode, page_type, request);
    }
    let fields = page_type.required().iter().map(|field| (*field).to_owned());
    fields
        .filter(|field| !matches!(field.as_str(), "text" | "items"))
        .collect()
}

/// Whether a model may state a field at all.
pub(super) fn may_state(field: &str) -> bool {
    !NEVER.contains(&field) || field == "name"
}

/// Those of `fields` that the item does not have.
pub(super) fn open(item: &Item, fields: &[String]) -> Vec<String> {
    fields.iter().filter(|field| !item.has(field)).cloned().collect()
}

/// One line about a field, for a model.
pub(super) fn hint(field: &str) -> &'static str {
    match field {
        "title" => "the name of the thing or the headline of the text",
        "name" => "the name of the person, company or place",
        "price" => "what it costs now, as written, with its currency",
        "currency" => "the currency of the price",
        "description" => "one or two sentences on what it is",
        "summary" => "what the text says, in one or two of its own sentences",
        "author" => "who wrote it",
        "date_published" => "when it was published, as written",
        "date_posted" => "when the job was posted, as written",
        "job_title" => "the title of the position",
        "company" => "who offers it",
        "location" => "the place",
        "brand" => "the maker's brand",
        "sku" => "the seller's number for it",
        "gtin" => "its EAN, UPC or ISBN",
        "mpn" => "the maker's part number",
        "availability" => "whether it is in stock, as written",
        "rating" => "the average rating, a number",
        "review_count" => "how many reviews there are, a number",
        "job_type" => "full time, part time, contract, ...",
        "salary" => "the pay, as written",
        "application_deadline" => "until when one may apply, as written",
        "start_date" => "when it begins, as written",
        "end_date" => "when it ends, as written",
        "ingredients" => "all ingredients, one a line",
        "steps" => "all steps of the preparation, one a line",
        "organizer" => "who holds it",
        _ => "as the page states it",
    }
}
