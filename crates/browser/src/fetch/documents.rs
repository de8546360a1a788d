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

/// A table whose header is the first record below the lines of its title; none when the records do not have two columns.
fn table(text: &str, usual: char) -> Option<String> {
    let text = text.trim_start_matches('\u{feff}');
    let (named, text) = match named_separator(text) {
        Some((separator, rest)) => (Some(separator), rest),
        None => (None, text),
    };
    let records = records(text, named.unwrap_or_else(|| separator(text, usual)));
    let titles = title_lines(&records);
    let (above, below) = records.split_at_checked(titles)?;
    let mut filled = below.iter().filter(|record| !is_blank(record));
    let header = filled.next().filter(|header| header.len() >= 2)?;
    let lines: Vec<&str> = above
        .iter()
        .flatten()
        .map(|cell| cell.trim())
        .filter(|cell| !cell.is_empty())
        .collect();
    let title = escape(&lines.join(" "));
    let (head, caption) = match title.is_empty() {
        true => (String::new(), String::new()),
        false => (
            format!("<title>{title}</title>"),
            format!("<caption>{title}</caption>"),
        ),
    };
    let mut written = format!("{head}<body><table>{caption}<thead><tr>");
    for cell in header {
        written.push_str(&format!("<th>{}</th>", escape(cell.trim())));
    }
    written.push_str("</tr></thead><tbody>");
    for row in filled {
        written.push_str("<tr>");
        for cell in row {
            written.push_str(&format!("<td>{}</td>", escape(cell.trim())));
        }
        written.push_str("</tr>");
    }
    written.push_str("</tbody></table>");
    Some(written)
}

/// The separator that the first line names for spreadsheet programs (`sep=;`), and the text below that line.
fn named_separator(text: &str) -> Option<(char, &str)> {
    let end = text.find(LINE_ENDS)?;
    let (line, rest) = text.split_at_checked(end)?;
    let line = line.trim_matches('"');
    let named = line
        .get(..SEPARATOR.len())
        .filter(|start| start.eq_ignore_ascii_case(SEPARATOR))?;
    let mut signs = line.get(named.len()..)?.chars();
    let separator = signs.next().filter(|_| signs.next().is_none())?;
    Some((separator, rest))
}

/// What stands before the separator in the line that names it.
const SEPARATOR: &str = "sep=";
const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// The separator of values: that of the first line that has one. In countries with a decimal comma, "CSV" is written with semicolons.
fn separator(text: &str, usual: char) -> char {
    if usual != ',' {
        return usual;
    }
    let first = text
        .split(LINE_ENDS)
        .find(|line| line.contains([',', ';']))
        .unwrap_or_default();
    match first.matches(';').count() > first.matches(',').count() {
        true => ';',
        false => ',',
    }
}

fn is_blank(record: &[String]) -> bool {
    record.iter().all(|cell| cell.trim().is_empty())
}

/// Most lines of a title above a table.
const TITLE_LINES: usize = 5;
/// Columns from which on a header that names one alone is none.
const WIDE: usize = 3;

/// How many records at the beginning are lines of a title: those with a single value, where a table with two columns follows. Of a table
/// of two columns the second may have no name, so that only an empty line tells the title there.
fn title_lines(records: &[Vec<String>]) -> usize {
    let is_title = |at: usize| {
        let record = records.get(at)?;
        let is_single = record.iter().filter(|cell| !cell.trim().is_empty()).count() == 1;
        let is_apart = records.get(at + 1).is_some_and(|next| is_blank(next));
        let is_first = record.first().is_some_and(|cell| !cell.trim().is_empty());
        Some(is_single && is_first && (record.len() == 1 || record.len() >= WIDE || is_apart))
    };
    let is_blank_at = |at: usize| records.get(at).is_some_and(|record| is_blank(record));
    let end = (0..records.len()).find(|at| is_title(*at) != Some(true) && !is_blank_at(*at));
    let filled = |end: usize| {
        records
            .iter()
            .take(end)
            .filter(|record| !is_blank(record))
            .count()
    };
    end.filter(|end| filled(*end) <= TITLE_LINES).unwrap_or(0)
}

/// The records of separated values (RFC 4180), empty lines as well. A line ends with CR, LF or both.
fn records(text: &str, separator: char) -> Vec<Vec<String>> {
    let (mut records, mut record, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' if quoted || cell.trim().is_empty() => quoted = !quoted,
            _ if quoted => cell.push(character),
            '\r' if characters.peek() == Some(&'\n') => {}
            '\n' | '\r' => {
                record.push(std::mem::take(&mut cell));
                records.push(std::mem::take(&mut record));
            }
            _ if character == separator => record.push(std::mem::take(&mut cell)),
            _ => cell.push(character),
        }
    }
    record.push(cell);
    records.push(record);
    records
}
