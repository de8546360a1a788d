//! `huntsman extract`: data from HTML in a file or stdin, without network or model.

use std::borrow::Cow;
use std::path::PathBuf;
use std::process::ExitCode;

use ::extract::rules::{records, rows};
use clap::{Args, ValueEnum};
use page::Page;
use page::meta::Metadata;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use url::Url;

use crate::failure::Failure;
use crate::input;
use crate::output::Output;

/// Longest input line or file, in bytes.
const MOST_BYTES: u64 = 256 << 20;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  curl -s https://example.org | huntsman extract --url https://example.org --to markdown\n  huntsman extract page.html --to tables"
)]
pub(crate) struct Extract {
    /// The HTML; stdin without it or with `-`.
    file: Option<PathBuf>,

    /// The page's address, for links, dates and site names; without it, the one that the page calls its own.
    #[arg(long, value_name = "URL", value_parser = page_address)]
    url: Option<Url>,

    /// What to read.
    #[arg(long, value_name = "READING", default_value = "item")]
    to: ExtractTarget,

    /// How much of the page `markdown` and `text` give.
    #[arg(long, value_name = "PART", default_value = "main")]
    content: ContentScopeArg,

    /// One `{"id","url","html"}` per input line gives one `{"id", <reading>}` per output line, in order.
    #[arg(long, conflicts_with = "url")]
    jsonl: bool,
}

/// What to read from a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExtractTarget {
    /// The scraped item, each field with where it came from.
    Item,
    /// Main content as Markdown.
    Markdown,
    /// Main content as plain text.
    Text,
    /// All links, absolute.
    Links,
    /// All data tables, spans filled in.
    Tables,
    /// Repeated records, best group first.
    Records,
    /// Structured data: JSON-LD, microdata, RDFa, OpenGraph, Twitter, meta.
    Metadata,
}

/// A page at its address: the one given, else the one that the page calls its own.
fn known_page(html: &str, url: Option<Url>) -> Page {
    let page = Page::new(html, url);
    match extract::rules::page_address::own(&page).filter(|_| page.url().is_none()) {
        Some(own) => Page::new(html, Some(own)),
        None => page,
    }
}

/// What an input is whose bytes are no text, ready to follow "the input is ".
fn binary_kind(bytes: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 8] = [
        (b"%PDF-", "a PDF document"),
        (b"PK\x03\x04", "a ZIP archive (as office documents and books are)"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
            "an office document of before 2007",
        ),
        (b"\x1f\x8b", "a gzip archive"),
        (b"\x89PNG\r\n\x1a\n", "a picture"),
        (b"\xff\xd8\xff", "a picture"),
        (b"GIF87a", "a picture"),
        (b"GIF89a", "a picture"),
    ];
    let known = KINDS.iter().find(|(begin, _)| bytes.starts_with(begin));
    known.map(|(_, kind)| *kind)
}

/// What an input is that is no HTML, ready to follow "the input ".
fn other_kind(html: &str) -> Option<&'static str> {
    let begin = html.trim_start_matches('\u{feff}').trim_start();
    if begin.starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(begin).is_ok() {
        return Some("is JSON");
    }
    let is_tag = |at: usize| {
        let next = html.as_bytes().get(at + 1);
        next.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, b'!' | b'?'))
    };
    if !html.match_indices('<').any(|(at, _)| is_tag(at)) {
        return Some("is text without a tag");
    }
    let is_xml = ["<?xml", "<rss", "<feed", "<rdf:RDF"]
        .iter()
        .any(|root| begin.starts_with(root));
    let has_html = || html.match_indices("<html").next().is_some() || begin.contains("<!DOCTYPE html");
    (is_xml && !has_html()).then_some("is XML")
}

/// Reads the value of `--url`.
fn page_address(text: &str) -> Result<Url, String> {
    Url::parse(text).map_err(|error| format!("{error}; give one such as https://example.org/page"))
}

/// How much of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ContentScopeArg {
    /// The main content.
    Main,
    /// All of it.
    Full,
}

/// One line of `--jsonl`.
#[derive(Debug, Deserialize)]
struct ExtractLine<'a> {
    id: Value,
    #[serde(default, borrow)]
    url: Option<Cow<'a, str>>,
    #[serde(borrow)]
    html: Cow<'a, str>,
}

impl Extract {
    /// Reads the input and prints the reading.
    pub(crate) fn run(self) -> Result<ExitCode, Failure> {
        if self.content == ContentScopeArg::Full
            && !matches!(self.to, ExtractTarget::Markdown | ExtractTarget::Text)
        {
            return Err(Failure::usage(
                "--content goes with --to markdown or --to text; the other readings are of the whole page",
            ));
        }
        if self.jsonl { self.lines() } else { self.one() }
    }

    fn one(self) -> Result<ExitCode, Failure> {
        let bytes = input::whole(self.input()?, MOST_BYTES)?;
        if let Some(kind) = binary_kind(&bytes) {
            return Err(anyhow::anyhow!(
                "the input is {kind} and no HTML; `huntsman scrape URL` reads PDF and office documents from their addresses, and \
                 `huntsman index add FOLDER` those in a folder"
            )
            .into());
        }
        let decoded = page::charset::decode(&bytes, None);
        let html = decoded.text;
        if decoded.undecoded > 0 {
            let (count, encoding) = (decoded.undecoded, decoded.encoding);
            note!("{count} signs could not be decoded as {encoding} and are shown as \u{fffd}");
        }
        if html.trim().is_empty() {
            return Err(anyhow::anyhow!("the input is empty; there is no HTML to read").into());
        }
        if let Some(kind) = other_kind(&html) {
            note!(
                "the input {kind} and no HTML, and is read as if it were; `huntsman scrape URL` reads feeds, tables and documents as \
                 what they are"
            );
        }
        let page = known_page(&html, self.url.clone());
        let mut output = Output::new();
        match self.read(&page) {
            Value::String(text) => output.text(&text)?,
            value => output.json(&value)?,
        }
        output.done()?;
        Ok(ExitCode::SUCCESS)
    }

    fn lines(self) -> Result<ExitCode, Failure> {
        let mut input = self.input()?;
        let mut output = Output::new();
        let mut code = ExitCode::SUCCESS;
        let mut bytes = Vec::new();
        for number in 1_u64.. {
            if !input::next_line(&mut input, MOST_BYTES, &mut bytes)? {
                break;
            }
            // The check of the standard library is several times faster than its repair.
            let line =
                std::str::from_utf8(&bytes).map_or_else(|_| String::from_utf8_lossy(&bytes), Cow::Borrowed);
            if line.trim().is_empty() {
                continue;
            }
            match self.line(&line) {
                Ok(answer) => output.json_line(&answer)?,
                Err(reason) => {
                    code = ExitCode::FAILURE;
                    let id =
                        serde_json::from_str::<Value>(&line).map_or(Value::Null, |line| line["id"].clone());
                    let message = format!("line {number}: {reason}");
                    output.json_line(
                        &json!({"id": id, "error": {"code": "INVALID_REQUEST", "message": message}}),
                    )?;
                }
            }
        }
        output.done()?;
        Ok(code)
    }

    fn line(&self, line: &str) -> Result<Value, String> {
        let ExtractLine { id, url, html } = serde_json::from_str(line).map_err(|error| error.to_string())?;
        // With an address that is none the page is read as one without.
        let url = url.and_then(|url| Url::parse(&url).ok());
        let reading = self.read(&known_page(&html, url));
        Ok(json!({ "id": id, self.name(): reading }))
    }

    fn name(&self) -> String {
        self.to
            .to_possible_value()
            .map(|value| value.get_name().to_owned())
            .unwrap_or_default()
    }

    fn input(&self) -> Result<Box<dyn std::io::BufRead>, Failure> {
        match self.file.as_deref().filter(|file| file.as_os_str() != "-") {
            None => Ok(Box::new(std::io::stdin().lock())),
            Some(path) => {
                let shown = path.display();
                if path.to_string_lossy().contains("://") {
                    return Err(Failure::usage(format!(
                        "{shown} is no file; `huntsman scrape {shown}` reads a page of the web"
                    )));
                }
                let refused = |why: String| Failure::usage(format!("cannot open {shown}: {why}"));
                let file = std::fs::File::open(path).map_err(|error| refused(error.to_string()))?;
                if file.metadata().is_ok_and(|file| file.is_dir()) {
                    return Err(refused("it is a folder; name a file of HTML".to_owned()));
                }
                Ok(Box::new(std::io::BufReader::with_capacity(1 << 16, file)))
            }
        }
    }

    fn read(&self, page: &Page) -> Value {
        match (self.to, self.content) {
            (ExtractTarget::Item, _) => reading::item(page),
            (ExtractTarget::Markdown, ContentScopeArg::Main) => reading::markdown(page).into(),
            (ExtractTarget::Markdown, ContentScopeArg::Full) => page::markdown::render_page(page).into(),
            (ExtractTarget::Text, ContentScopeArg::Main) => reading::text(page).into(),
            (ExtractTarget::Text, ContentScopeArg::Full) => reading::whole_text(page).into(),
            (ExtractTarget::Links, _) => reading::links(page),
            (ExtractTarget::Tables, _) => reading::tables(page),
            (ExtractTarget::Records, _) => {
                let groups = records::find(page);
                json!({"groups": groups, "rows": rows::of_groups(page, &groups)})
            }
            (ExtractTarget::Metadata, _) => serde_json::to_value(Metadata::read(page)).unwrap_or_default(),
        }
    }
}

/// The readings whose shape the command line lays down itself.
mod reading {
    use extract::mode::ExtractionRequest;
    use extract::modes::rule_based;
    use extract::rules::content;
    use page::{Page, links, tables};
    use serde_json::{Value, json};

    pub(super) fn item(page: &Page) -> Value {
        match rule_based::read(page, &ExtractionRequest::default()) {
            Ok(item) => serde_json::to_value(item).unwrap_or_default(),
            Err(reason) => json!({"url": page.url(), "page_type": "other", "notes": [reason.to_string()]}),
        }
    }

    pub(super) fn markdown(page: &Page) -> String {
        content::main_markdown(page)
    }

    pub(super) fn text(page: &Page) -> String {
        content::main_text(page)
    }

    pub(super) fn whole_text(page: &Page) -> String {
        content::whole_text(page)
    }

    pub(super) fn links(page: &Page) -> Value {
        let link = |link: links::Link| json!({"url": link.url, "text": link.text, "rel": link.rel});
        links::links(page).into_iter().map(link).collect()
    }

    pub(super) fn tables(page: &Page) -> Value {
        let table = |table: tables::Table| json!({"caption": table.caption, "header": table.header, "rows": table.rows});
        tables::grids(page).into_iter().map(table).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_other_files_are_no_html() {
        for (bytes, is_other) in [
            (&b"%PDF-1.7\n"[..], true),
            (b"PK\x03\x04\x14\x00", true),
            (b"\x89PNG\r\n\x1a\n", true),
            (b"<p>%PDF-1.7</p>", false),
            (b"PK is a name", false),
            (b"", false),
        ] {
            assert_eq!(binary_kind(bytes).is_some(), is_other, "{bytes:?}");
        }
    }

    #[test]
    fn a_page_without_an_address_has_the_one_that_it_calls_its_own() {
        let html = "<link rel=canonical href='https://shop.example/p/1'><a href=/p/2>Next</a>";
        let url = |given: Option<&str>| {
            let page = known_page(html, given.and_then(|url| Url::parse(url).ok()));
            page.url().map(ToString::to_string)
        };
        assert_eq!(url(None).as_deref(), Some("https://shop.example/p/1"));
        assert_eq!(
            url(Some("https://copy.example/")).as_deref(),
            Some("https://copy.example/")
        );
    }
}
