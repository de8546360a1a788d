//! Reading a page by rules, to the end or as far as a model needs it.

use extract::item::Item;
use extract::llm_extraction::{
    ExtractionInput, ExtractionMeta, Projection, PutRows, names_properties, project, put_rows,
};
use extract::mode::ExtractionRequest;
use extract::modes::ItemMode;
use extract::modes::rule_based;
use extract::rules::content;
use page::Page;
use serde_json::{Map, Value, json};
use tools::lists::document_table::{DocumentTable, only_element};
use wire::error::ErrorBody;
use wire::scrape::{ExtractionMode, OutputFormat, ScrapeRequest};

use super::page_result::PageResult;

/// How a warning begins that names the properties of a schema that nothing fills.
const NOT_STATED: &str = "the page does not state these properties of the schema where rules look for them: ";
/// How a warning begins that names the properties of a schema that some entries of a list lack.
const PARTLY_READ: &str = "some entries lack what the page states in another unit than in most, as an amount of another kind, or in \
                           words that are no single value: ";
/// How a warning begins that data of a schema break it.
const NOT_FILLED: &str = "the schema is not filled by rules: ";
/// The warning for a schema that rules cannot fill because it names nothing.
const NO_PROPERTIES: &str =
    "the schema has no `properties`: rules fill a schema by their names, and nothing of this one is filled";

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

/// Fills the lists of a schema with the rows that tools chose, in place of those that the page has, which is the last one of
/// several and knows no conditions.
pub(super) fn fill_from_rows(page: &Page, result: &mut PageResult, schema: &Value, rows: &Value) {
    let rows: Vec<Map<String, Value>> = rows
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|row| row.as_object().cloned())
        .collect();
    // Data of a schema that is a list are the rows of a result.
    let is_list = result.rows.is_some();
    let data = if is_list { &result.rows } else { &result.item };
    let mut data = data.clone().unwrap_or_default();
    let Some(PutRows { list, withheld }) = put_rows(page, &mut data, schema, &rows) else {
        result.warnings.push(
            "the schema has no list for the rows that the instructions ask for: it is filled with what the page has, and the \
             rows stand beside it"
                .to_owned(),
        );
        return;
    };
    // What the page left open may be stated by the rows.
    let unstated: Vec<String> = result
        .warnings
        .iter()
        .filter_map(|warning| warning.strip_prefix(NOT_STATED))
        .flat_map(|names| names.split(", "))
        .filter(|name| !is_stated(&data, name))
        .map(str::to_owned)
        .collect();
    let is_of_schema = |warning: &String| {
        [NOT_FILLED, NOT_STATED, PARTLY_READ]
            .iter()
            .any(|start| warning.starts_with(start))
    };
    result.warnings.retain(|warning| !is_of_schema(warning));
    result.warnings.extend(not_stated(&unstated));
    result.warnings.extend(partly_read(&withheld));
    result.warnings.extend(violations(schema, &data));
    if data.is_object() {
        result.item = Some(data);
    }
    result.rows = Some(list);
}

/// Whether data have a property, or some entry of a list has it: `rows.price`.
fn is_stated(data: &Value, path: &str) -> bool {
    match data {
        Value::Array(entries) => entries.iter().any(|entry| is_stated(entry, path)),
        Value::Object(fields) => {
            let (name, rest) = path.split_once('.').unwrap_or((path, ""));
            let whole = fields.get(path).is_some_and(|value| !value.is_null());
            let within = || fields.get(name).is_some_and(|value| is_stated(value, rest));
            whole || (!rest.is_empty() && within())
        }
        _ => false,
    }
}

/// The properties of a schema that the page does not state, in words.
fn not_stated(names: &[String]) -> Option<String> {
    (!names.is_empty()).then(|| format!("{NOT_STATED}{}", names.join(", ")))
}

/// The properties that some entries of a list lack though they state something for them, in words.
fn partly_read(names: &[String]) -> Option<String> {
    (!names.is_empty()).then(|| format!("{PARTLY_READ}{}", names.join(", ")))
}

/// How data that rules filled a schema with break it, in words.
fn violations(schema: &Value, data: &Value) -> Vec<String> {
    let Ok(schema) = llm::JsonSchema::new(schema.clone()) else {
        return Vec::new();
    };
    let violations = schema.violations(data);
    violations
        .iter()
        .map(|violation| format!("{NOT_FILLED}{violation}"))
        .collect()
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
        let Projection {
            data,
            unfilled,
            withheld,
        } = project(page, item, schema);
        if !names_properties(schema) {
            self.warnings.push(NO_PROPERTIES.to_owned());
        }
        self.warnings.extend(not_stated(&unfilled));
        self.warnings.extend(partly_read(&withheld));
        self.warnings.extend(violations(schema, &data));
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

    #[test]
    fn a_schema_without_properties_says_that_nothing_fills_it() {
        let page = Page::new("<title>Salt</title><h1>Salt</h1><p>A film.</p>", None);
        let film = json!({"type": "object", "properties": {"title": {"type": "string"}}});
        for (schema, is_told) in [
            (json!({}), true),
            (json!(true), true),
            (json!({"type": "object"}), true),
            (json!({"type": "array", "items": {"type": "string"}}), true),
            (film.clone(), false),
            (json!({"type": "array", "items": film}), false),
            (json!({"$ref": "#/$defs/Film", "$defs": {"Film": film}}), false),
        ] {
            let request = ScrapeRequest {
                schema: Some(schema.clone()),
                ..ScrapeRequest::new(vec!["films.example".into()], "")
            };
            let RuleReading::Done(reading) = read(&page, &request, ItemMode::RuleBased) else {
                panic!("rules need no model");
            };
            let told = reading.warnings.iter().any(|warning| warning == NO_PROPERTIES);
            assert_eq!(told, is_told, "{schema}");
        }
    }

    #[test]
    fn the_lists_of_a_schema_are_filled_with_the_rows_that_tools_chose() {
        let page = Page::new("<h1>Pots</h1>", None);
        let entry = json!({"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "number"}}, "required": ["price"]});
        let list = json!({"type": "array", "items": entry});
        let inside = json!({"type": "object", "properties": {"heading": {"type": "string"}, "pots": list}});
        let alone = json!({"type": "object", "properties": {"heading": {"type": "string"}}});
        let rows = json!([{"name": "Pot", "price": 3.5, "url": "https://shop.example/1"}, {"title": "Pan"}]);
        let filled = |schema: &Value| {
            let mut result = PageResult {
                item: Some(json!({"heading": "Pots", "pots": [{"name": "of the last page"}]})),
                warnings: vec![
                    format!("{NOT_FILLED}of before"),
                    format!("{NOT_STATED}pots.name, heading, other"),
                ],
                ..PageResult::default()
            };
            fill_from_rows(&page, &mut result, schema, &rows);
            result
        };
        let wanted = json!([{"name": "Pot", "price": 3.5}, {"name": "Pan"}]);
        let result = filled(&inside);
        assert_eq!(result.item, Some(json!({"heading": "Pots", "pots": wanted})));
        assert_eq!(result.rows, Some(wanted.clone()));
        let [unstated, broken] = result.warnings.as_slice() else {
            panic!("{:?}", result.warnings);
        };
        assert_eq!(*unstated, format!("{NOT_STATED}other"));
        assert!(
            broken.starts_with(NOT_FILLED) && broken.contains("price"),
            "{broken}"
        );
        assert_eq!(filled(&list).rows, Some(wanted));
        let without = filled(&alone);
        assert_eq!(without.rows, None);
        assert!(without.warnings.iter().any(|warning| warning.contains("no list")));
    }
}
