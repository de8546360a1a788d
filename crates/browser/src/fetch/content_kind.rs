//! Kinds of content: what the content type names, corrected by the first bytes (MIME sniffing).

use page::charset::decode_utf16;

use super::separated_values;

/// A kind of content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContentKind {
    Html,
    Xml,
    Json,
    Text,
    Pdf,
    /// An office document or a book.
    Document,
    Binary,
}

/// Bytes that are sniffed.
const SNIFFED_BYTES: usize = 1024;

/// How the subtypes of office documents begin. Those of drawings, formulas and templates are not among them.
const DOCUMENT_TYPES: [&str; 8] = [
    "vnd.openxmlformats-officedocument.wordprocessingml.document",
    "vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "vnd.openxmlformats-officedocument.presentationml.",
    "vnd.oasis.opendocument.text",
    "vnd.oasis.opendocument.spreadsheet",
    "vnd.oasis.opendocument.presentation",
    "vnd.ms-word.document.macroenabled",
    "vnd.ms-excel.sheet.macroenabled",
];

/// Detects the kind. A specific content type is trusted, unless the first bytes are plainly something else; an absent
/// or vague one leaves the decision to the bytes.
pub(super) fn detect(content_type: Option<&str>, body: &[u8]) -> ContentKind {
    let head = body.get(..SNIFFED_BYTES).unwrap_or(body);
    // Servers call documents archives, files and much else.
    if sandbox::document::is_document(body) {
        return ContentKind::Document;
    }
    let wide = decode_utf16(head, content_type);
    let sniffed = sniff(wide.as_ref().map_or(head, String::as_bytes));
    let (is_binary, is_noise) = match &wide {
        Some(text) => (is_wide_noise(text), is_wide_noise(text)),
        None => (
            is_binary(head),
            is_signed(head) || (sniffed.is_none() && is_noise(head)),
        ),
    };
    match named(content_type) {
        // Servers send these for everything they do not know.
        None | Some((ContentKind::Binary, true)) => sniffed.unwrap_or(match is_binary {
            true => ContentKind::Binary,
            false => ContentKind::Text,
        }),
        // A page served as plain text is shown as text by browsers; we came to read it.
        Some((ContentKind::Text, _)) => match sniffed {
            Some(kind) => kind,
            None if is_binary => ContentKind::Binary,
            None => ContentKind::Text,
        },
        Some((ContentKind::Html | ContentKind::Xml | ContentKind::Json, _))
            if matches!(sniffed, Some(ContentKind::Pdf)) =>
        {
            ContentKind::Pdf
        }
        // The page that a site shows in place of its document.
        Some((ContentKind::Document, _)) => sniffed.unwrap_or(ContentKind::Document),
        Some((ContentKind::Html, _)) if is_noise => ContentKind::Binary,
        // Feeds are sent as pages, too; no page begins like one.
        Some((ContentKind::Html, _)) if is_feed(wide.as_ref().map_or(head, String::as_bytes)) => {
            ContentKind::Xml
        }
        Some((kind, _)) => kind,
    }
}

/// The media type in lower case without parameters.
pub(super) fn media_type(content_type: Option<&str>, kind: ContentKind) -> String {
    let default = match kind {
        ContentKind::Html => "text/html",
        ContentKind::Xml => "application/xml",
        ContentKind::Json => "application/json",
        ContentKind::Text => "text/plain",
        ContentKind::Pdf => "application/pdf",
        ContentKind::Document => "application/zip",
        ContentKind::Binary => "application/octet-stream",
    };
    match content_type.map(essence) {
        Some(essence) if kind == ContentKind::Binary && is_spreadsheet(&essence) => essence,
        Some(essence) if kind == ContentKind::Text && is_spreadsheet(&essence) => "text/csv".to_owned(),
        Some(essence) if named(content_type).is_some_and(|(named, vague)| named == kind && !vague) => essence,
        _ => default.to_owned(),
    }
}

/// The text of a page with an XML declaration where the content type alone says that it is XML.
pub(super) fn marked_as_xml(text: String, content_type: Option<&str>) -> String {
    let is_xml = content_type.is_some_and(|content_type| essence(content_type) == "application/xhtml+xml");
    if !is_xml
        || text
            .trim_start_matches('\u{feff}')
            .trim_start()
            .starts_with("<?xml")
    {
        return text;
    }
    format!("<?xml version=\"1.0\"?>{text}")
}

fn essence(content_type: &str) -> String {
    content_type
        .split([';', ','])
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase()
}

/// Whether a media type is that of the spreadsheets of Excel before 2007, by which servers also call CSV and HTML tables.
fn is_spreadsheet(essence: &str) -> bool {
    matches!(
        essence,
        "application/vnd.ms-excel"
            | "application/msexcel"
            | "application/x-msexcel"
            | "application/x-excel"
            | "application/excel"
    )
}

/// The kind that a content type names, and whether it is as vague as `application/octet-stream`.
fn named(content_type: Option<&str>) -> Option<(ContentKind, bool)> {
    let essence = essence(content_type?);
    let (class, rest) = essence.split_once('/')?;
    Some(match (class, rest) {
        _ if is_spreadsheet(&essence) => (ContentKind::Binary, true),
        _ if separated_values::is_csv(&essence) => (ContentKind::Text, false),
        (_, "html" | "xhtml+xml") => (ContentKind::Html, false),
        (_, "json") => (ContentKind::Json, false),
        (_, "xml") => (ContentKind::Xml, false),
        (_, rest) if rest.ends_with("+json") || rest == "x-ndjson" || rest == "jsonl" => {
            (ContentKind::Json, false)
        }
        // A drawing is an XML file, and nothing to read.
        (_, "svg+xml") => (ContentKind::Binary, false),
        (_, "epub+zip") => (ContentKind::Document, false),
        (_, rest) if DOCUMENT_TYPES.iter().any(|start| rest.starts_with(start)) => {
            (ContentKind::Document, false)
        }
        (_, rest) if rest.ends_with("+xml") => (ContentKind::Xml, false),
        (_, "pdf" | "x-pdf") => (ContentKind::Pdf, false),
        ("text", _) => (ContentKind::Text, false),
        (_, "javascript" | "x-javascript" | "ecmascript" | "yaml" | "x-yaml" | "toml") => {
            (ContentKind::Text, false)
        }
        (_, "octet-stream" | "unknown" | "x-unknown" | "binary" | "download" | "force-download") => {
            (ContentKind::Binary, true)
        }
        ("" | "*" | "unknown", _) => (ContentKind::Binary, true),
        _ => (ContentKind::Binary, false),
    })
}

/// The kind that the first bytes plainly are.
fn sniff(head: &[u8]) -> Option<ContentKind> {
    if head.starts_with(b"%PDF-") {
        return Some(ContentKind::Pdf);
    }
    let text = head
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(head)
        .trim_ascii_start();
    let begins = |word: &str| {
        text.get(..word.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
    };
    if [
        "<!doctype html",
        "<html",
        "<head",
        "<body",
        "<title",
        "<!-- ",
        "<div",
        "<table",
        "<script",
        "<meta",
        "<h1",
        "<p>",
    ]
    .iter()
    .any(|word| begins(word))
    {
        return Some(ContentKind::Html);
    }
    if is_feed(text) {
        return Some(ContentKind::Xml);
    }
    if begins("<?xml") {
        // XHTML is written as XML and read as a page.
        let page = text.windows(5).any(|word| word.eq_ignore_ascii_case(b"<html"));
        return Some(if page { ContentKind::Html } else { ContentKind::Xml });
    }
    match text {
        [b'{', rest @ ..] if matches!(rest.trim_ascii_start().first(), Some(b'"' | b'}')) => {
            Some(ContentKind::Json)
        }
        [b'[', rest @ ..] if matches!(rest.trim_ascii_start().first(), Some(b'{' | b'[' | b'"' | b']')) => {
            Some(ContentKind::Json)
        }
        _ => None,
    }
}

/// What stands behind the first of these marks.
fn behind<'t>(text: &'t [u8], mark: &[u8]) -> Option<&'t [u8]> {
    let at = text.windows(mark.len()).position(|part| part == mark)?;
    text.get(at + mark.len()..).map(<[u8]>::trim_ascii_start)
}

/// Whether the bytes are the beginning of a feed or of a site map: its first element says so.
fn is_feed(head: &[u8]) -> bool {
    const ELEMENTS: [&[u8]; 5] = [b"<rss", b"<feed", b"<rdf:RDF", b"<urlset", b"<sitemapindex"];
    let mut rest = head
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(head)
        .trim_ascii_start();
    // What stands before the first element: declarations and comments.
    loop {
        let next = match rest {
            [b'<', b'?', ..] => behind(rest, b"?>"),
            [b'<', b'!', b'-', b'-', ..] => behind(rest, b"-->"),
            _ => break,
        };
        let Some(next) = next else { return false };
        rest = next;
    }
    ELEMENTS.iter().any(|element| {
        let next = rest.strip_prefix(*element).and_then(|rest| rest.first());
        next.is_some_and(|next| next.is_ascii_whitespace() || *next == b'>')
    })
}

/// Whether the bytes carry the signature of a picture, an archive or a film.
fn is_signed(head: &[u8]) -> bool {
    const SIGNATURES: [&[u8]; 9] = [
        b"\x89PNG\r\n",
        b"\xff\xd8\xff",
        b"GIF8",
        b"PK\x03\x04",
        b"\x1f\x8b\x08",
        b"OggS",
        b"\x7fELF",
        b"Rar!",
        b"ID3",
    ];
    SIGNATURES.iter().any(|signature| head.starts_with(signature))
        || (head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP"))
        || head.get(4..8) == Some(b"ftyp")
}

/// Whether the bytes are no text although they are called a page: more than one in 32 is a control byte that no page
/// has. Zeros do not count, since UTF-16 that does not say so is full of them.
fn is_noise(head: &[u8]) -> bool {
    let noise = head.iter().filter(|b| matches!(b, 1..=8 | 14..=26 | 28..=31));
    noise.count() * 32 > head.len()
}

/// Whether what is called UTF-16 is none: more than one character in 32 is one that no page has. Of random bytes, more
/// than one in ten are: half of a pair, private or a control character.
fn is_wide_noise(text: &str) -> bool {
    let is_foreign = |c: &char| {
        (c.is_control() && !c.is_ascii_whitespace())
            || matches!(*c, char::REPLACEMENT_CHARACTER | '\u{e000}'..='\u{f8ff}' | '\u{fdd0}'..='\u{fdef}' | '\u{fffe}' | '\u{ffff}')
    };
    text.chars().filter(is_foreign).count() * 32 > text.chars().count()
}

/// Whether the bytes can be no text in any encoding that ASCII is a part of (MIME Sniffing, "binary data byte").
fn is_binary(head: &[u8]) -> bool {
    is_signed(head) || head.iter().any(|b| matches!(b, 0..=8 | 11 | 14..=26 | 28..=31))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_page_of_xml_is_marked_by_its_declaration() {
        let marked = |text: &str, kind: &str| super::marked_as_xml(text.to_owned(), Some(kind));
        assert_eq!(
            marked("<html/>", "application/xhtml+xml; charset=utf-8"),
            "<?xml version=\"1.0\"?><html/>"
        );
        assert_eq!(
            marked("<?xml version='1.0'?>x", "application/xhtml+xml"),
            "<?xml version='1.0'?>x"
        );
        assert_eq!(marked("<html/>", "text/html"), "<html/>");
    }
}
