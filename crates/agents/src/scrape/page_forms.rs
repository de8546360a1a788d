//! Forms of a page: what `formats` and `complexity` of a request ask for beside the item.

use std::sync::Arc;

use ::page::text::one_line;
use ::page::{Page, links, tables};
use extract::rules::{records, rows};
use serde_json::{Map, Value, json};
use tools::lists::document_table::DocumentTable;
use tools::{Grant, ToolContext, ToolServices};
use wire::scrape::{Complexity, OutputFormat, PageFormat, ScrapeRequest};

use super::rule_reading;

/// Most bytes of one form; what is beyond is left out, and told.
const MOST_BYTES: usize = 4 << 20;
/// Most links of a page.
const MOST_LINKS: usize = 5_000;

/// The forms of a page, and what was left out of them.
#[derive(Default)]
pub(super) struct PageForms {
    /// By format; none when none is asked for.
    pub(super) formats: Option<Value>,
    /// By kind of content; none when no complexity is asked for.
    pub(super) content: Option<Value>,
    pub(super) warnings: Vec<String>,
}

/// Renders a page in the forms that a request names. Pure computing.
pub(super) fn formats(page: &Page, request: &ScrapeRequest) -> PageForms {
    let mut forms = PageForms::default();
    let mut by_name = Map::new();
    for format in &request.formats {
        let value = match format {
            // The item stands beside the forms, and the picture among the files of the run.
            PageFormat::Item | PageFormat::Screenshot => continue,
            PageFormat::Markdown => forms.text("markdown", rule_reading::main_markdown(page)),
            PageFormat::Text => forms.text("text", rule_reading::main_text(page)),
            PageFormat::Html => forms.text("html", page.html().to_owned()),
            PageFormat::Links => forms.links(page),
            PageFormat::Tables => tables_of(page),
            PageFormat::Records => records_of(page),
        };
        by_name.insert(format.as_str().to_owned(), value);
    }
    forms.formats = (!request.formats.is_empty()).then_some(Value::Object(by_name));
    forms
}

/// What the rows of a page are chosen from where its result is to be CSV.
pub(super) struct PageLists {
    /// The rows of the list that a reader came for.
    pub(super) records: Value,
    /// All data tables, without the headings of their parts.
    pub(super) tables: Value,
    /// Whether the page is a feed.
    pub(super) is_feed: bool,
}

/// The lists of a page, where the result of the request is CSV and its items have no shape of their own. Pure computing.
pub(super) fn lists_for_csv(page: &Page, request: &ScrapeRequest) -> Option<PageLists> {
    let is_wanted =
        request.output_format == OutputFormat::Csv && request.schema.is_none() && request.wants_item();
    is_wanted.then(|| PageLists {
        records: json!(rows::of_groups(page, &records::find(page))),
        tables: tables::grids(page)
            .into_iter()
            .map(|table| {
                let rows: Vec<&Vec<String>> = table.data_rows().collect();
                json!({"header": table.header, "rows": rows})
            })
            .collect(),
        is_feed: records::is_feed(page),
    })
}

impl PageForms {
    fn text(&mut self, name: &str, mut text: String) -> Value {
        if text.len() > MOST_BYTES {
            self.warnings.push(format!(
                "{name}: {} bytes, of which the first {MOST_BYTES} are given",
                text.len()
            ));
            text.truncate(text.floor_char_boundary(MOST_BYTES));
        }
        text.into()
    }

    fn links(&mut self, page: &Page) -> Value {
        let all = links::links(page);
        if all.len() > MOST_LINKS {
            self.warnings.push(format!(
                "links: {} of them, of which the first {MOST_LINKS} are given",
                all.len()
            ));
        }
        let link = |link: links::Link| json!({"url": link.url, "text": link.text});
        all.into_iter().take(MOST_LINKS).map(link).collect()
    }
}

/// The rows of a list page with its repeated entries, or those of the table that a document is.
fn records_of(page: &Page) -> Value {
    if let Some(table) = DocumentTable::of(page) {
        return json!({"rows": table.records(), "groups": []});
    }
    let groups = records::find(page);
    json!({"rows": rows::of_groups(page, &groups), "groups": groups})
}

fn tables_of(page: &Page) -> Value {
    let table =
        |table: tables::Table| json!({"caption": table.caption, "header": table.header, "rows": table.rows});
    tables::grids(page).into_iter().map(table).collect()
}

/// What a page holds, by kind of content: as much as the complexity says, by the tools that read it.
pub(super) async fn content_by_kind(
    registry: &tools::Registry,
    page: Arc<Page>,
    complexity: Complexity,
) -> (Value, Vec<String>) {
    let title = page
        .dom()
        .by_tag("title")
        .next()
        .map(one_line)
        .unwrap_or_default();
    let mut parts = Map::from_iter([
        ("title".to_owned(), Value::from(title)),
        ("text".to_owned(), rule_reading::main_text(&page).into()),
    ]);
    let scripts = scripts(&page);
    let mut warnings = Vec::new();
    let mut context = ToolContext::new(ToolServices::default(), Grant::default()).with_page(page);
    for tool in tools_of(complexity) {
        match registry.run(tool, &Map::new(), &mut context).await {
            Ok(outcome) => {
                let fields = outcome.data.as_object().cloned().unwrap_or_default();
                parts.extend(
                    fields
                        .into_iter()
                        .filter(|(name, _)| !matches!(name.as_str(), "count" | "empty")),
                );
                warnings.extend(outcome.warnings);
            }
            Err(error) => warnings.push(format!("{tool}: {error}")),
        }
    }
    if complexity == Complexity::High {
        parts.insert("scripts".to_owned(), scripts);
    }
    (Value::Object(parts), warnings)
}

/// The tools that read what a complexity covers.
fn tools_of(complexity: Complexity) -> &'static [&'static str] {
    const ALL: [&str; 6] = [
        "html.extract_links",
        "html.extract_meta",
        "html.extract_images",
        "html.extract_jsonld",
        "html.extract_forms",
        "html.extract_tables",
    ];
    match complexity {
        Complexity::Low => ALL.get(..1),
        Complexity::Medium => ALL.get(..4),
        Complexity::High => ALL.get(..),
    }
    .unwrap_or_default()
}

/// The addresses of a page's scripts.
fn scripts(page: &Page) -> Value {
    let addresses = page
        .dom()
        .by_tag("script")
        .filter_map(|script| page.absolute(script.attr("src")?));
    addresses.map(String::from).collect()
}
