//! What kind of content an answer has: what its header says, corrected by its first bytes.

/// A kind of content, as far as reading differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Html,
    Xml,
    Json,
    Text,
    Pdf,
    Binary,
}

/// How many bytes are looked at.
const HEAD: usize = 1024;

/// Judges. A header that names a kind of its own is believed, except where the first bytes are plainly
/// something else; one that says nothing in particular leaves the judgement to the bytes.
pub(super) fn judge(content_type: Option<&str>, body: &[u8]) -> Kind {
    let head = body.get(..HEAD).unwrap_or(body);
    let sniffed = sniff(head);
    match named(content_type) {
        // Servers send these for whatever they do not know.
        None | Some((Kind::Binary, true)) => {
            sniffed.unwrap_or(if is_binary(head) { Kind::Binary } else { Kind::Text })
        }
        // A page served as plain text is shown as text by browsers; we came to read it.
        Some((Kind::Text, _)) => match sniffed {
            Some(kind) => kind,
            None if is_binary(head) => Kind::Binary,
            None => Kind::Text,
        },
        Some((Kind::Html | Kind::Xml | Kind::Json, _)) if matches!(sniffed, Some(Kind::Pdf)) => Kind::Pdf,
        Some((Kind::Html, _)) if is_signed(head) || (sniffed.is_none() && is_noise(head)) => Kind::Binary,
        Some((kind, _)) => kind,
    }
}

/// The media type in lower case without parameters.
pub(super) fn media_type(content_type: Option<&str>, kind: Kind) -> String {
    let fitting = match kind {
        Kind::Html => "text/html",
        Kind::Xml => "application/xml",
        Kind::Json => "application/json",
        Kind::Text => "text/plain",
        Kind::Pdf => "application/pdf",
        Kind::Binary => "application/octet-stream",
    };
    match content_type.map(essence) {
        Some(said) if named(content_type).is_some_and(|(named, vague)| named == kind && !vague) => said,
        _ => fitting.to_owned(),
    }
}

fn essence(content_type: &str) -> String {
    content_type
        .split([';', ','])
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase()
}

/// The kind a header names, and whether it is the vague "some bytes".
fn named(content_type: Option<&str>) -> Option<(Kind, bool)> {
    let essence = essence(content_type?);
    let (class, rest) = essence.split_once('/')?;
    Some(match (class, rest) {
        (_, "html" | "xhtml+xml") => (Kind::Html, false),
        (_, "json") => (Kind::Json, false),
        (_, "xml") => (Kind::Xml, false),
        (_, rest) if rest.ends_with("+json") || rest == "x-ndjson" || rest == "jsonl" => (Kind::Json, false),
        // A drawing is an XML file, and nothing to read.
        (_, "svg+xml") => (Kind::Binary, false),
        (_, rest) if rest.ends_with("+xml") => (Kind::Xml, false),
        (_, "pdf" | "x-pdf") => (Kind::Pdf, false),
        ("text", _) => (Kind::Text, false),
        (_, "javascript" | "x-javascript" | "ecmascript" | "yaml" | "x-yaml" | "toml") => (Kind::Text, false),
        (_, "octet-stream" | "unknown" | "x-unknown" | "binary" | "download" | "force-download") => {
            (Kind::Binary, true)
        }
        ("" | "*" | "unknown", _) => (Kind::Binary, true),
        _ => (Kind::Binary, false),
    })
}

/// What the first bytes plainly are.
fn sniff(head: &[u8]) -> Option<Kind> {
    if head.starts_with(b"%PDF-") {
        return Some(Kind::Pdf);
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
        return Some(Kind::Html);
    }
    if begins("<?xml") {
        // XHTML is written as XML and read as a page.
        let page = text.windows(5).any(|word| word.eq_ignore_ascii_case(b"<html"));
        return Some(if page { Kind::Html } else { Kind::Xml });
    }
    match text {
        [b'{', rest @ ..] if matches!(rest.trim_ascii_start().first(), Some(b'"' | b'}')) => Some(Kind::Json),
        [b'[', rest @ ..] if matches!(rest.trim_ascii_start().first(), Some(b'{' | b'[' | b'"' | b']')) => {
            Some(Kind::Json)
        }
        _ => None,
    }
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
/// has. Zeros do not count, since UTF-16 is full of them.
fn is_noise(head: &[u8]) -> bool {
    let noise = head.iter().filter(|b| matches!(b, 1..=8 | 14..=26 | 28..=31));
    noise.count() * 32 > head.len()
}

/// Whether the bytes can be no text in any encoding that ASCII is a part of (MIME Sniffing, "binary data
/// byte"); text in UTF-16 says so by its mark.
fn is_binary(head: &[u8]) -> bool {
    let marked = head.starts_with(b"\xfe\xff") || head.starts_with(b"\xff\xfe");
    !marked && (is_signed(head) || head.iter().any(|b| matches!(b, 0..=8 | 11 | 14..=26 | 28..=31)))
}
