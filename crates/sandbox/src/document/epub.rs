//! EPUB books: the chapters in reading order, as sanitized HTML (EPUB 3.3).

use std::collections::HashMap;

use super::archive::{Archive, resolve, unreadable};
use super::html::{HtmlWriter, escape, link_target};
use super::properties::Properties;
use super::xml::{self, Child, Element};
use crate::error::Error;

/// Most chapters that are read.
const MAX_CHAPTERS: usize = 2_000;

/// Elements that are written without their attributes.
const KEPT: [&str; 38] = [
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "p",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "table",
    "thead",
    "tbody",
    "tfoot",
    "tr",
    "td",
    "th",
    "caption",
    "blockquote",
    "pre",
    "code",
    "em",
    "strong",
    "b",
    "i",
    "u",
    "s",
    "sup",
    "sub",
    "q",
    "cite",
    "figure",
    "figcaption",
    "div",
    "section",
];

/// Writes the chapters of a book.
///
/// # Errors
/// When a part is missing, damaged, too large or encrypted.
pub(super) fn convert(archive: &mut Archive<'_>, html: &mut HtmlWriter) -> Result<Properties, Error> {
    let container = archive.required("META-INF/container.xml")?;
    let container = xml::parse(&container)?;
    let package = container
        .find("rootfile")
        .and_then(|file| file.attribute("full-path"));
    let package = package.ok_or_else(|| unreadable("it is no book"))?;
    let text = archive.required(&package)?;
    let tree = xml::parse(&text)?;
    let root = tree
        .elements()
        .next()
        .ok_or_else(|| unreadable("it is no book"))?;
    let encrypted = archive.text("META-INF/encryption.xml")?.unwrap_or_default();
    let encrypted = xml::parse(&encrypted)?;
    let chapters = chapters(root, &package);
    let mut missing = None;
    let mut is_any_read = false;
    for (index, name) in chapters.iter().enumerate() {
        html.cut |= index >= MAX_CHAPTERS;
        if html.is_full() {
            break;
        }
        if is_encrypted(&encrypted, name) {
            return Err(unreadable("its chapters are encrypted"));
        }
        // Converted books name files that they do not have.
        let Some(chapter) = archive.text(name)? else {
            html.cut = true;
            missing.get_or_insert(name);
            continue;
        };
        is_any_read = true;
        let tree = xml::parse(&chapter)?;
        if let Some(body) = tree.find("body") {
            let mut written = String::new();
            sanitize(body, &mut written);
            html.raw(&format!("<section>{written}</section>\n"));
        }
    }
    if let Some(name) = missing.filter(|_| !is_any_read) {
        archive.required(name)?;
    }
    Ok(root.first("metadata").map(Properties::of).unwrap_or_default())
}

/// The names of the entries of the chapters in reading order, without tables of contents.
fn chapters(root: &Element<'_>, package: &str) -> Vec<String> {
    let mut items: HashMap<String, String> = HashMap::new();
    for item in root
        .first("manifest")
        .into_iter()
        .flat_map(|manifest| manifest.all("item"))
    {
        let properties = item.attribute("properties").unwrap_or_default();
        let is_contents = properties.split_ascii_whitespace().any(|it| it == "nav");
        let kind = item.attribute("media-type").unwrap_or_default();
        let is_text = kind.contains("html") || kind.contains("dtbook");
        if let (Some(id), Some(href), true) = (
            item.attribute("id"),
            item.attribute("href"),
            is_text && !is_contents,
        ) {
            items.insert(id, resolve(package, &percent_decoded(&href)));
        }
    }
    let spine = root
        .first("spine")
        .into_iter()
        .flat_map(|spine| spine.all("itemref"));
    spine
        .filter_map(|item| items.get(&item.attribute("idref")?).cloned())
        .collect()
}

fn is_encrypted(encrypted: &Element<'_>, name: &str) -> bool {
    encrypted.elements().any(|element| {
        let is_it = element.name == "CipherReference"
            && element
                .attribute("URI")
                .is_some_and(|uri| percent_decoded(&uri).trim_start_matches('/') == name);
        is_it || is_encrypted(element, name)
    })
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let code = (byte == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(value) => {
                decoded.push(value);
                at += 3;
            }
            None => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// Writes what an element contains: text, structure, and links that lead out of the book.
fn sanitize(parent: &Element<'_>, html: &mut String) {
    for child in &parent.children {
        let element = match child {
            Child::Text(text) => {
                html.push_str(&escape(text));
                continue;
            }
            Child::Element(element) => element,
        };
        match element.name {
            "script" | "style" | "head" | "svg" | "template" | "iframe" | "object" | "audio" | "video" => {}
            "br" | "hr" => html.push_str(&format!("<{}>", element.name)),
            "a" => match element.attribute("href").and_then(|href| link_target(&href)) {
                Some(target) => {
                    html.push_str(&format!("<a href=\"{}\">", escape(&target)));
                    sanitize(element, html);
                    html.push_str("</a>");
                }
                None => sanitize(element, html),
            },
            name if KEPT.contains(&name) => {
                let spans: String = ["colspan", "rowspan"]
                    .iter()
                    .filter_map(|span| Some(format!(" {span}=\"{}\"", element.number(span)?.min(100))))
                    .collect();
                html.push_str(&format!("<{name}{spans}>"));
                sanitize(element, html);
                html.push_str(&format!("</{name}>"));
            }
            _ => sanitize(element, html),
        }
    }
}
