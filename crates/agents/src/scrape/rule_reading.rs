//! Reading a page by rules, to the end or as far as a model needs it.

use extract::item::Item;
use extract::llm_extraction::{ExtractionInput, ExtractionMeta, Projection, project};
use extract::mode::ExtractionRequest;
use extract::modes::ItemMode;
use extract::modes::rule_based;
use extract::rules::content;
use page::Page;
use serde_json::{Value, json};
use tools::lists::document_table::{DocumentTable, only_element};
use wire::error::ErrorBody;
use wire::scrape::{ExtractionMode, OutputFormat, ScrapeRequest};

/// What a page gave.
pub(super) struct PageReading {
    /// The item, as clients see it.
    pub(super) item: Value,
    /// Names of the fields that are filled.
    pub(super) fields: Vec<String>,
    /// Share of what such a page should tell that it does tell, 0 to 1.
    pub(super) coverage: Option<f64>,
    /// Rows, where the shape asked for is a list.
    pub(super) rows: Option<Value>,
    /// How the item came to be, where a model was asked.
    pub(super) meta: Option<Value>,
    /// What a reader of the item should know.
    pub(super) warnings: Vec<String>,
    /// Why a model that was asked gave nothing.
    pub(super) failure: Option<ErrorBody>,
}

/// A page on its way to being read.
pub(super) enum RuleReading {
    /// By rules, to its end.
    Done(Box<PageReading>),
    /// As far as rules go; a model is asked next.
    NeedsModel(Box<ExtractionInput>),
}

/// The mode of a request: its own, else the server's.
pub(super) fn mode(request: &ScrapeRequest, usual: ExtractionMode) -> ItemMode {
    if !request.wants_item() {
        return ItemMode::RuleBased;
    }
    match request.mode.unwrap_or(usual) {
        ExtractionMode::RuleBased => ItemMode::RuleBased,
        ExtractionMode::LlmFixed => ItemMode::LlmFixed,
        ExtractionMode::LlmDynamic => ItemMode::LlmDynamic,
        ExtractionMode::LlmDynamicAdaptive => ItemMode::LlmDynamicAdaptive,
    }
}

/// The task in words, with how the result should look where a model can follow that.
pub(super) fn instructions(request: &ScrapeRequest) -> String {
    match &request.output_instructions {
        Some(output) if !output.trim().is_empty() => format!("{}\n{output}", request.instructions),
        _ => request.instructions.clone(),
    }
}

/// What is asked of a page.
pub(super) fn extraction_request(request: &ScrapeRequest, mode: ItemMode) -> ExtractionRequest {
    let columns = request.columns.iter().flatten();
    let named = columns.filter(|column| !matches!(column.as_str(), "url" | "error" | "page_type"));
    ExtractionRequest {
        instructions: instructions(request),
        // Rules read everything they can; a model is asked for what is wanted.
        fields: named.filter(|_| mode.needs_model()).cloned().collect(),
        ..ExtractionRequest::default()
    }
}

/// Main content, where the request is for Markdown or text.
pub(super) fn content(page: &Page, request: &ScrapeRequest) -> Option<String> {
    match request.output_format {
        OutputFormat::Markdown => Some(main_markdown(page)),
        OutputFormat::Text => Some(main_text(page)),
        OutputFormat::Json | OutputFormat::Csv => None,
    }
}

/// The main content of a page as Markdown; all of a document.
pub(super) fn main_markdown(page: &Page) -> String {
    match is_document(page) {
        true => page::markdown::render_page(page),
        false => content::main_markdown(page),
    }
}

/// The main content of a page as text; all of a document, and of a page whose main content has none.
pub(super) fn main_text(page: &Page) -> String {
    let main = match is_document(page) {
        true => String::new(),
        false => content::main_text(page),
    };
    match main.trim().is_empty() {
        true => content::whole_text(page),
        false => main,
    }
}

/// Whether a page is nothing but a text: what it holds is its content, with nothing around it.
pub(super) fn is_document(page: &Page) -> bool {
    only_element(page).is_some_and(|only| only.is("pre") || only.is("article"))
}

/// Reads a page by rules, to the end or as far as a model needs it.
pub(super) fn read(page: &Page, request: &ScrapeRequest, mode: ItemMode) -> RuleReading {
    let wanted = extraction_request(request, mode);
    let read = if mode.needs_model() {
        ExtractionInput::of(page, &wanted).map(|input| RuleReading::NeedsModel(Box::new(input)))
    } else {
        rule_based::read(page, &wanted).map(|item| {
            let reading = PageReading::of(&item).with_document(page, request);
            RuleReading::Done(Box::new(match &request.schema {
                Some(schema) => reading.projected(page, &item, schema),
                None => reading,
            }))
        })
    };
    // A page with nothing to read is an empty item that says so, and no failure of the run.
    read.unwrap_or_else(|reason| {
        RuleReading::Done(Box::new(PageReading {
            item: json!({"url": page.url(), "page_type": "other", "notes": [reason.to_string()]}),
            fields: Vec::new(),
            coverage: Some(0.0),
            rows: None,
            meta: None,
            warnings: Vec::new(),
            failure: None,
        }))
    })
}

/// What is left out of the list of a page that data of a schema have, where something is.
fn cut_list(item: &Item, data: &Value) -> Option<String> {
    let (all, kept) = (item.all_entries?, item.items.len());
    let is_it = |value: &Value| value.as_array().is_some_and(|list| list.len() == kept);
    let mut fields = data.as_object().into_iter().flat_map(serde_json::Map::values);
    (is_it(data) || fields.any(is_it))
        .then(|| format!("the list has {all} entries, of which the first {kept} are given"))
}

impl PageReading {
    /// With the text of a document that is nothing but text, and the records of one that is nothing but records. Markdown and text give
    /// such a document whole, unless columns of it are asked for.
    fn with_document(mut self, page: &Page, request: &ScrapeRequest) -> Self {
        if is_document(page)
            && let Some(fields) = self.item.as_object_mut()
        {
            fields.insert("text".to_owned(), json!(content::whole_text(page)));
            if !self.fields.iter().any(|name| name == "text") {
                self.fields.push("text".to_owned());
            }
        }
        let is_whole = matches!(request.output_format, OutputFormat::Markdown | OutputFormat::Text);
        let wants_rows = !is_whole || request.columns.iter().flatten().next().is_some();
        if self.rows.is_none() && wants_rows {
            self.rows = DocumentTable::of(page).map(|table| Value::from_iter(table.records()));
        }
        self
    }

    /// The same reading in the shape of a schema, as far as rules can fill it.
    fn projected(mut self, page: &Page, item: &Item, schema: &Value) -> Self {
        self.meta = serde_json::to_value(ExtractionMeta::of(item, ItemMode::RuleBased, &[])).ok();
        let Projection { data, unfilled } = project(page, item, schema);
        if !unfilled.is_empty() {
            let names = unfilled.join(", ");
            let warning = format!(
                "the page does not state these properties of the schema where rules look for them: {names}"
            );
            self.warnings.push(warning);
        }
        if let Ok(schema) = llm::JsonSchema::new(schema.clone()) {
            let violations = schema.violations(&data);
            let wrong = violations
                .iter()
                .map(|violation| format!("the schema is not filled by rules: {violation}"));
            self.warnings.extend(wrong);
        }
        self.warnings.extend(cut_list(item, &data));
        match data {
            Value::Object(map) => {
                self.fields = map.keys().cloned().collect();
                self.item = Value::Object(map);
            }
            rows => self.rows = Some(rows),
        }
        self
    }

    /// An item as clients see it.
    pub(super) fn of(item: &Item) -> Self {
        let filled = item.fields().iter().filter(|(_, field)| !field.is_null());
        Self {
            item: serde_json::to_value(item).unwrap_or_default(),
            fields: filled.map(|(name, _)| name.clone()).collect(),
            coverage: Some(f64::from(item.coverage())),
            rows: None,
            meta: None,
            warnings: Vec::new(),
            failure: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_and_text_give_a_document_of_tables_whole() {
        let html = "<body><article><h2>First</h2><table><thead><tr><th>name<th>price</thead><tr><td>Lamp of brass<td>12.3</table>\
                    <h2>Second</h2><table><thead><tr><th>id<th>v</thead><tr><td>1<td>2</table></article>";
        let page = Page::new(html, None);
        let rows = |format: OutputFormat, columns: Option<Vec<String>>| {
            let request = ScrapeRequest {
                output_format: format,
                columns,
                ..ScrapeRequest::new(vec!["shop.example".into()], "")
            };
            let RuleReading::Done(reading) = read(&page, &request, ItemMode::RuleBased) else {
                panic!("rules need no model");
            };
            (reading.rows, content(&page, &request).unwrap_or_default())
        };
        assert!(rows(OutputFormat::Csv, None).0.is_some());
        assert!(
            rows(OutputFormat::Markdown, Some(vec!["name".into()]))
                .0
                .is_some()
        );
        for format in [OutputFormat::Markdown, OutputFormat::Text] {
            let (rows, content) = rows(format, None);
            assert_eq!(rows, None, "{format:?}");
            assert!(
                content.contains("Second") && content.contains("Lamp"),
                "{content}"
            );
        }
    }

    #[test]
    fn a_list_that_is_cut_says_so_in_any_shape() {
        let entry = |at: usize| format!("<li><a href='/p/{at}'>Product {at}</a> <span>${at}.99</span></li>");
        let html = |count: usize| {
            let entries: String = (1..=count).map(entry).collect();
            format!("<title>Pots</title><main><h1>Pots</h1><ul>{entries}</ul></main>")
        };
        let entries = json!({"type": "array", "items": {"type": "object", "properties": {"title": {"type": "string"}}}});
        let inside = json!({"type": "object", "properties": {"pots": entries}});
        let heading = json!({"type": "object", "properties": {"title": {"type": "string"}}});
        for (count, schema, is_told) in [
            (510, &entries, true),
            (510, &inside, true),
            (510, &heading, false),
            (20, &entries, false),
        ] {
            let request = ScrapeRequest {
                schema: Some(schema.clone()),
                ..ScrapeRequest::new(vec!["shop.example".into()], "")
            };
            let page = Page::new(html(count), None);
            let RuleReading::Done(reading) = read(&page, &request, ItemMode::RuleBased) else {
                panic!("no model is needed");
            };
            let told = reading.warnings.iter().any(|text| text.contains("first 500"));
            assert_eq!(told, is_told, "{count} {schema}");
        }
    }
}
