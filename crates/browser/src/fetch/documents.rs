//! Documents that are no HTML, as pages: what browsers show as plain text, with the structure that the text has.

use pulldown_cmark::{Options, Parser, html};

use super::feeds;
use super::html_text::escape;

/// What a text is written in, by its media type or, where that only says "text", by the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextFormat {
    Plain,
    Markdown,
    /// Values between these characters, one record a line.
    Separated(char),
}

impl TextFormat {
    pub(super) fn of(media_type: &str, path: &str) -> TextFormat {
        let suffix = path.rsplit('/').next().unwrap_or_default().rsplit_once('.');
        let suffix = suffix.map(|(_, suffix)| suffix.to_ascii_lowercase());
        match (media_type, suffix.as_deref()) {
            ("text/markdown" | "text/x-markdown", _) | ("text/plain", Some("md" | "markdown")) => {
                TextFormat::Markdown
            }
            ("text/csv", _) | ("text/plain", Some("csv")) => TextFormat::Separated(','),
            ("text/tab-separated-values", _) | ("text/plain", Some("tsv")) => TextFormat::Separated('\t'),
            _ => TextFormat::Plain,
        }
    }
}

/// Longest text that is read for its structure, in bytes: its page is several times as large.
const MAX_STRUCTURED: usize = 4 << 20;

/// The HTML of a text.
pub(super) fn text(text: &str, format: TextFormat) -> String {
    match format {
        TextFormat::Plain => preformatted(text),
        _ if text.len() > MAX_STRUCTURED => preformatted(text),
        TextFormat::Markdown => markdown(text),
        TextFormat::Separated(separator) => table(text, separator).unwrap_or_else(|| preformatted(text)),
    }
}

/// The HTML of an XML document: that of a feed or a site map as a list, that of others as text.
pub(super) fn xml(text: &str) -> String {
    let feed = Some(text)
        .filter(|text| text.len() <= MAX_STRUCTURED)
        .and_then(feeds::html);
    feed.unwrap_or_else(|| preformatted(text))
}

/// As browsers show text.
pub(super) fn preformatted(text: &str) -> String {
    format!("<body><pre>{}</pre>", escape(text))
}

fn markdown(text: &str) -> String {
    // The settings of a program that made the file stand before it, between lines of dashes.
    let body = text
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"));
    let body = body.map_or(text, |(_, body)| body);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES;
    let heading = body.lines().find_map(|line| line.strip_prefix("# "));
    let title = heading.map(|heading| format!("<title>{}</title>", escape(heading.trim())));
    let mut written = String::new();
    html::push_html(&mut written, Parser::new_ext(body, options));
    format!("{}<body><article>{written}</article>", title.unwrap_or_default())
}

/// A table whose first record is its header; none when the records do not have two columns.
fn table(text: &str, usual: char) -> Option<String> {
    let first = text.lines().next()?;
    // In countries with a decimal comma, "CSV" is written with semicolons.
    let is_semicolon = usual == ',' && first.matches(';').count() > first.matches(',').count();
    let records = records(text, if is_semicolon { ';' } else { usual });
    let (header, rows) = records.split_first()?;
    if header.len() < 2 {
        return None;
    }
    let mut written = String::from("<body><table><thead><tr>");
    for cell in header {
        written.push_str(&format!("<th>{}</th>", escape(cell.trim())));
    }
    written.push_str("</tr></thead><tbody>");
    for row in rows {
        written.push_str("<tr>");
        for cell in row {
            written.push_str(&format!("<td>{}</td>", escape(cell.trim())));
        }
        written.push_str("</tr>");
    }
    written.push_str("</tbody></table>");
    Some(written)
}

/// The records of separated values (RFC 4180); empty lines are none.
fn records(text: &str, separator: char) -> Vec<Vec<String>> {
    let (mut records, mut record, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut quoted = false;
    let mut characters = text.trim_start_matches('\u{feff}').chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' if quoted || cell.trim().is_empty() => quoted = !quoted,
            _ if quoted => cell.push(character),
            '\r' => {}
            '\n' => {
                record.push(std::mem::take(&mut cell));
                records.push(std::mem::take(&mut record));
            }
            _ if character == separator => record.push(std::mem::take(&mut cell)),
            _ => cell.push(character),
        }
    }
    record.push(cell);
    records.push(record);
    records.retain(|record| record.iter().any(|cell| !cell.trim().is_empty()));
    records
}
