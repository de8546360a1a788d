//! Documents that are no HTML, as pages: what browsers show as plain text, with the structure that the text has.

use pulldown_cmark::{Options, Parser, html};

use super::html_text::escape;
use super::{feeds, separated_values};

/// What a text is written in, by its media type or, where that only says "text", by the address and by the text itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextFormat {
    Plain,
    /// Told by the text: separated values where it plainly is that.
    Unknown,
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
            ("text/plain", Some("csv")) => TextFormat::Separated(','),
            (media_type, _) if separated_values::is_csv(media_type) => TextFormat::Separated(','),
            ("text/tab-separated-values", _) | ("text/plain", Some("tsv")) => TextFormat::Separated('\t'),
            ("text/plain", _) => TextFormat::Unknown,
            _ => TextFormat::Plain,
        }
    }
}

/// Longest text that is read for its structure, in bytes: its page is several times as large.
const MAX_STRUCTURED: usize = 4 << 20;

/// The HTML of a text.
pub(super) fn text(text: &str, format: TextFormat) -> String {
    match format {
        _ if text.len() > MAX_STRUCTURED => preformatted(text),
        TextFormat::Plain => preformatted(text),
        TextFormat::Unknown => separated_values::sniffed(text).unwrap_or_else(|| preformatted(text)),
        TextFormat::Markdown => markdown(text),
        TextFormat::Separated(separator) => {
            separated_values::table(text, separator).unwrap_or_else(|| preformatted(text))
        }
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
