//! A tool that reads a page by selectors that its manifest declares, over several pages of a list where it is told so.

use async_trait::async_trait;
use page::Page;
use page::dom::{Node, Selector};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use locale::collapse_whitespace;
use locale::number::{self, NumberStyle};
use tools::manifest::Manifest;
use tools::manifest::rules::types_of;
use tools::registry::{Registry, ToolExecutor};
use tools::{Error, ToolContext};

/// The tool that leads from page to page.
const PAGING: &str = "navigation.pagination";
/// Most pages of one call.
const MAX_PAGES: usize = 200;
/// Most rows of one call.
const MAX_ROWS: usize = 10_000;

/// The reader as a manifest declares it, under `page`.
///
/// What a field holds follows from the manifest's `output_schema`: `number` and `integer` are read out of the text, an
/// array of texts takes every match, `boolean` says whether anything matches, and a text of the format `uri` is made absolute.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Declared {
    /// Selector of the elements that are one row each; without it the page is one row.
    #[serde(default)]
    rows: Option<String>,
    /// Where each field stands within its row.
    fields: Map<String, Value>,
    /// Selector of what leads to the next page; found by its looks when absent.
    #[serde(default)]
    next: Option<String>,
    /// Most pages read, from 1 to 200.
    #[serde(default = "one")]
    max_pages: usize,
}

fn one() -> usize {
    1
}

/// Where a field stands: a selector, or one with the attribute that holds the value.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Place {
    /// Selector within the row; the row itself when absent.
    #[serde(default)]
    selector: Option<String>,
    /// The attribute that holds the value; the text when absent.
    #[serde(default)]
    attribute: Option<String>,
}

/// What a field holds.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Address,
    Number,
    Integer,
    Boolean,
    Texts,
}

struct Field {
    name: String,
    selector: Option<Selector>,
    attribute: Option<String>,
    kind: Kind,
    is_required: bool,
}

/// A reader whose selectors are compiled.
pub(super) struct PageReader {
    /// The rows, and the name of the list that they make in the output; none when the page is one row.
    rows: Option<(Selector, String)>,
    fields: Vec<Field>,
    next: Option<String>,
    max_pages: usize,
}

impl PageReader {
    /// The reader of a manifest.
    ///
    /// # Errors
    /// A sentence that names the key that cannot be used.
    pub(super) fn new(manifest: &Manifest, page: &Value) -> Result<PageReader, String> {
        let declared: Declared =
            serde_json::from_value(page.clone()).map_err(|error| format!("`page`: {error}"))?;
        if !(1..=MAX_PAGES).contains(&declared.max_pages) {
            return Err(format!("`page.max_pages` is a number from 1 to {MAX_PAGES}"));
        }
        if declared.fields.is_empty() {
            return Err("`page.fields` names no field".to_owned());
        }
        let (rows, schema) = match &declared.rows {
            None if declared.max_pages > 1 => {
                return Err("`page.max_pages` needs `page.rows`: several pages make one list".to_owned());
            }
            None => (None, &manifest.output_schema),
            Some(css) => {
                let (name, schema) = list_of(&manifest.output_schema)?;
                (Some((selector("page.rows", css)?, name)), schema)
            }
        };
        if let Some(css) = &declared.next {
            selector("page.next", css)?;
        }
        let required = schema.get("required").and_then(Value::as_array);
        let fields = declared.fields.iter().map(|(name, place)| {
            let mut field = field(name, place, schema)?;
            field.is_required = required.is_some_and(|names| names.iter().any(|it| it == name));
            Ok(field)
        });
        Ok(PageReader {
            rows,
            fields: fields.collect::<Result<_, String>>()?,
            next: declared.next,
            max_pages: declared.max_pages,
        })
    }

    /// The fields of a row; those that nothing matches are left out.
    fn row(&self, page: &Page, within: Node<'_>) -> Result<Map<String, Value>, Error> {
        let mut row = Map::new();
        for field in &self.fields {
            if let Some(value) = field.value(page, within)? {
                row.insert(field.name.clone(), value);
            }
        }
        Ok(row)
    }

    fn lacks_required(&self, row: &Map<String, Value>) -> bool {
        let mut required = self.fields.iter().filter(|field| field.is_required);
        required.any(|field| !row.contains_key(&field.name))
    }
}

/// The only list of objects in an output, by name, and the schema of its entries.
fn list_of(output: &Value) -> Result<(String, &Value), String> {
    let properties = output.get("properties").and_then(Value::as_object);
    let mut lists = properties.into_iter().flatten().filter_map(|(name, schema)| {
        let entry = schema.get("items")?;
        (types_of(schema).contains(&"array") && types_of(entry).contains(&"object"))
            .then(|| (name.clone(), entry))
    });
    match (lists.next(), lists.next()) {
        (Some(list), None) => Ok(list),
        _ => Err("`page.rows` needs an `output_schema` with one list of objects".to_owned()),
    }
}

fn selector(key: &str, css: &str) -> Result<Selector, String> {
    Selector::parse(css)
        .map_err(|error| format!("`{key}`: {error}; write a CSS selector such as `article h2`"))
}

fn field(name: &str, place: &Value, row: &Value) -> Result<Field, String> {
    let key = format!("page.fields.{name}");
    let place = match place {
        Value::String(css) => Place {
            selector: Some(css.clone()),
            attribute: None,
        },
        place => serde_json::from_value(place.clone()).map_err(|error| {
            format!("`{key}` is a selector, or an object of `selector` and `attribute`: {error}")
        })?,
    };
    if place.selector.is_none() && place.attribute.is_none() {
        return Err(format!("`{key}` has neither `selector` nor `attribute`"));
    }
    let schema = row.get("properties").and_then(|it| it.get(name));
    let schema = schema.ok_or_else(|| format!("`{key}` is no property of the rows in `output_schema`"))?;
    let kinds = types_of(schema);
    let is_address = schema.get("format").and_then(Value::as_str) == Some("uri");
    let kind = match kinds.iter().find(|kind| **kind != "null") {
        Some(&"string") if is_address => Kind::Address,
        Some(&"string") => Kind::Text,
        Some(&"number") => Kind::Number,
        Some(&"integer") => Kind::Integer,
        Some(&"boolean") => Kind::Boolean,
        Some(&"array") => Kind::Texts,
        _ => {
            return Err(format!(
                "`{key}` has no type in `output_schema` that a page can give: string, number, integer, boolean or array"
            ));
        }
    };
    Ok(Field {
        name: name.to_owned(),
        selector: place.selector.map(|css| selector(&key, &css)).transpose()?,
        attribute: place.attribute,
        kind,
        is_required: false,
    })
}

impl Field {
    fn value(&self, page: &Page, row: Node<'_>) -> Result<Option<Value>, Error> {
        let costly = |error: page::Error| Error::param("page.fields", format!("{}: {error}", self.name));
        let found = match &self.selector {
            None => vec![row],
            Some(selector) if matches!(self.kind, Kind::Texts) => row.select_all(selector).map_err(costly)?,
            Some(selector) => row.select_first(selector).map_err(costly)?.into_iter().collect(),
        };
        let text = |node: &Node<'_>| {
            let text = match &self.attribute {
                None => collapse_whitespace(&node.text()),
                Some(name) => node.attr(name)?.trim().to_owned(),
            };
            Some(text).filter(|text| !text.is_empty())
        };
        let mut texts = found.iter().filter_map(text);
        Ok(match self.kind {
            Kind::Boolean => Some(Value::Bool(
                texts.next().is_some() || (self.attribute.is_none() && !found.is_empty()),
            )),
            Kind::Texts => Some(texts.collect()),
            Kind::Text => texts.next().map(Value::String),
            Kind::Address => texts
                .next()
                .and_then(|href| page.absolute(&href))
                .map(|url| url.as_str().into()),
            Kind::Number => texts.next().and_then(|text| amount(&text)),
            Kind::Integer => texts.next().and_then(|text| whole(&text)),
        })
    }
}

/// The number in a text: a price where the text is one, else the first number.
fn amount(text: &str) -> Option<Value> {
    extract::normalize::value("price", text.into(), true).or_else(|| {
        let number = number::parse(text, NumberStyle::default())?;
        serde_json::from_str(&number).ok()
    })
}

/// The first number of a text, when it is whole.
fn whole(text: &str) -> Option<Value> {
    let number = number::parse(text, NumberStyle::default())?;
    number.parse::<i64>().ok().map(Value::from)
}

#[async_trait]
impl ToolExecutor for PageReader {
    async fn run(
        &self,
        _parameters: Map<String, Value>,
        context: &mut ToolContext,
        registry: &Registry,
    ) -> Result<Value, Error> {
        if self.max_pages > 1 {
            let mut paging = Map::from_iter([("max_pages".to_owned(), self.max_pages.into())]);
            if let Some(next) = &self.next {
                paging.insert("next_selector".to_owned(), next.as_str().into());
            }
            let walked = registry.run(PAGING, &paging, context).await?;
            for warning in walked.warnings {
                context.warn(warning);
            }
            let stopped = walked.data["stopped_reason"].as_str().unwrap_or_default();
            if let Some(status) = stopped.strip_prefix("status ") {
                context.warn(format!(
                    "the next page answered with status {status}; the list ends before it"
                ));
            }
        }
        let Some((rows, list)) = &self.rows else {
            let page = context.page().await?;
            let row = self.row(&page, page.dom().root())?;
            return Ok(Value::Object(row));
        };
        let (mut found, mut incomplete) = (Vec::new(), 0);
        for page in context.pages().await? {
            let costly = |error: page::Error| Error::param("page.rows", error.to_string());
            for node in page.dom().root().select_all(rows).map_err(costly)? {
                let row = self.row(&page, node)?;
                if row.is_empty() || self.lacks_required(&row) {
                    incomplete += 1;
                } else if found.len() < MAX_ROWS {
                    found.push(Value::Object(row));
                } else {
                    return Err(Error::TooMuch {
                        what: format!("the rows of {list}"),
                        limit: format!("{MAX_ROWS} rows"),
                    });
                }
            }
        }
        if incomplete > 0 {
            context.warn(format!(
                "{incomplete} elements match `page.rows` and lack a required field; they are left out"
            ));
        }
        Ok(json!({list: found}))
    }
}
