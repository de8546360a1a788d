//! `Properties`: title, author, dates and language of a document, as the head of its HTML.

use serde::{Deserialize, Serialize};

use super::archive::Archive;
use super::html::escape;
use super::xml::{self, Element};
use crate::error::Error;

/// What a document says about itself. Empty texts are absent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Properties {
    pub(crate) title: String,
    pub(crate) authors: Vec<String>,
    pub(crate) description: String,
    pub(crate) created: String,
    pub(crate) modified: String,
    pub(crate) language: String,
}

impl Properties {
    /// Reads the file of properties of an archive; a missing or broken one says nothing.
    ///
    /// # Errors
    /// When the file unpacks to too many bytes.
    pub(super) fn read(archive: &mut Archive<'_>, name: &str) -> Result<Properties, Error> {
        let text = archive.text(name)?.unwrap_or_default();
        let Ok(tree) = xml::parse(&text) else {
            return Ok(Properties::default());
        };
        // In OpenDocument, the properties stand one level deeper.
        let root = tree.elements().next();
        let found = root.map(|root| Properties::of(root.first("meta").unwrap_or(root)));
        Ok(found.unwrap_or_default())
    }

    /// Takes the elements of Dublin Core and of OpenDocument below an element.
    pub(super) fn of(element: &Element<'_>) -> Properties {
        let text = |name: &str| {
            element
                .first(name)
                .map(|it| it.text().trim().to_owned())
                .unwrap_or_default()
        };
        let initial = text("initial-creator");
        let mut authors: Vec<String> = element
            .all("creator")
            .map(|creator| creator.text().trim().to_owned())
            .filter(|creator| !creator.is_empty())
            .collect();
        // OpenDocument: `creator` is who saved last, `date` is when.
        if !initial.is_empty() {
            authors = vec![initial];
        }
        let is_open_document = element.first("creation-date").is_some();
        let (created, modified) = match is_open_document {
            true => (text("creation-date"), text("date")),
            false => (format!("{}{}", text("created"), text("date")), text("modified")),
        };
        Properties {
            title: text("title"),
            authors,
            description: text("description"),
            created,
            modified,
            language: text("language"),
        }
    }

    /// The HTML document of a body. The title becomes a heading where the body has none.
    pub(crate) fn document(&self, body: &str) -> String {
        let meta = |key: &str, name: &str, value: &str| match value.is_empty() {
            true => String::new(),
            false => format!("<meta {key}=\"{name}\" content=\"{}\">", escape(value)),
        };
        let title = escape(&self.title);
        let language = match self.language.is_empty() {
            true => String::new(),
            false => format!(" lang=\"{}\"", escape(&self.language)),
        };
        let head = [
            meta("name", "author", &self.authors.join(", ")),
            meta("name", "description", &self.description),
            meta("property", "article:published_time", &self.created),
            meta("property", "article:modified_time", &self.modified),
        ]
        .concat();
        let needs_heading = !title.is_empty() && !body.contains("<h1>") && !body.trim().is_empty();
        let heading = if needs_heading {
            format!("<h1>{title}</h1>\n")
        } else {
            String::new()
        };
        format!(
            "<!doctype html><html{language}><head><meta charset=\"utf-8\"><title>{title}</title>{head}</head>\
             <body><article>{heading}{body}</article></body></html>"
        )
    }
}
