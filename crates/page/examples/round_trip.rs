//! Counts the examples of the CommonMark specification whose HTML comes back through our Markdown.
//!
//! `round_trip spec.json [SECTION]`: the HTML of each example becomes Markdown, which a parser of
//! CommonMark makes HTML again. Both are compared as trees: names, texts and the attributes that
//! Markdown can express. White space beside blocks does not count. With a section, or `all`, prints what
//! differs.

use page::Page;
use page::dom::Node;
use page::markdown::render_page;
use pulldown_cmark::{Options, Parser, html};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Example {
    example: u32,
    section: String,
    html: String,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments
        .next()
        .ok_or("the path of the examples as JSON is missing")?;
    let shown = arguments.next();
    let examples: Vec<Example> = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let mut by_text = 0;
    let mut sections: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for example in &examples {
        let markdown = render_page(&Page::new(example.html.clone(), None));
        let mut back = String::new();
        html::push_html(
            &mut back,
            Parser::new_ext(&markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH),
        );
        let (expected, found) = (outline(&example.html), outline(&back));
        let (right, all) = sections.entry(&example.section).or_default();
        *all += 1;
        *right += usize::from(expected == found);
        by_text += usize::from(
            expected != found && is_beyond_markdown(&example.html) && words(&expected) == words(&found),
        );
        let is_shown = |section: &str| section == "all" || section == example.section;
        if expected != found && shown.as_deref().is_some_and(is_shown) {
            println!(
                "== {} {}\n{}\n-- Markdown\n{markdown}\n-- expected\n{expected}\n-- found\n{found}\n",
                example.example, example.section, example.html
            );
        }
    }
    println!("{by_text:4} more have HTML that Markdown cannot express, and the same text");
    for (section, (right, all)) in &sections {
        println!("{right:4} of {all:4}  {section}");
    }
    let right: usize = sections.values().map(|(right, _)| right).sum();
    println!("{right:4} of {:4}  all", examples.len());
    Ok(())
}

/// Whether there are words outside of blocks, or elements that Markdown has no sign for.
fn is_beyond_markdown(html: &str) -> bool {
    const EXPRESSIBLE: &str = " p h1 h2 h3 h4 h5 h6 blockquote pre code ul ol li em strong a img br hr del ";
    let page = Page::new(html, None);
    let body = page.dom().body().unwrap_or(page.dom().root());
    body.descendants()
        .any(|node| node.is_element() && !EXPRESSIBLE.contains(&format!(" {} ", node.tag())))
        || body.children().any(|node| {
            node.text_value().is_some_and(|text| !text.trim().is_empty())
                || node.is_element() && !node.is_block()
        })
}

/// The text of an outline.
fn words(outline: &str) -> String {
    let mut text = String::new();
    for part in outline.split('<') {
        text.push_str(part.split_once('>').map_or(part, |(_, words)| words));
    }
    text.split_whitespace().collect()
}

/// The attributes of an element that Markdown can express.
const ATTRIBUTES: [&str; 5] = ["href", "src", "title", "alt", "start"];

/// A tree as one text: tags with their attributes, white space collapsed and left out beside blocks.
#[derive(Default)]
struct Outline {
    text: String,
    /// Whether no word stands between here and the edge of a block.
    at_edge: bool,
    /// Whether white space stands before the next word.
    is_spaced: bool,
}

fn outline(html: &str) -> String {
    let page = Page::new(html, None);
    let mut outline = Outline {
        at_edge: true,
        ..Outline::default()
    };
    outline.inside(page.dom().body().unwrap_or(page.dom().root()), false);
    outline.text.trim_end().to_owned()
}

impl Outline {
    fn inside(&mut self, node: Node<'_>, exact: bool) {
        for child in node.children() {
            if let Some(text) = child.text_value() {
                self.words(text, exact);
            } else if child.is_element() {
                let is_edge = child.is_block() || child.is("br");
                self.edge(is_edge && !exact);
                if child.is("img") {
                    self.begin();
                }
                self.tag(child);
                self.inside(child, exact || child.is("pre"));
                self.edge(is_edge && !exact);
                self.text += &format!("</{}>", child.tag());
                self.at_edge |= is_edge;
            }
        }
    }

    fn words(&mut self, text: &str, exact: bool) {
        for c in text.chars() {
            if matches!(c, ' ' | '\n' | '\t' | '\r') && !exact {
                self.is_spaced = true;
                continue;
            }
            self.begin();
            match c {
                '<' => self.text += "&lt;",
                _ => self.text.push(c),
            }
        }
    }

    /// Writes the white space before a word or a picture.
    fn begin(&mut self) {
        if self.is_spaced && !self.at_edge {
            self.text.push(' ');
        }
        (self.is_spaced, self.at_edge) = (false, false);
    }

    fn edge(&mut self, is_edge: bool) {
        if is_edge {
            (self.is_spaced, self.at_edge) = (false, true);
        }
    }

    fn tag(&mut self, element: Node<'_>) {
        self.text += &format!("<{}", element.tag());
        for name in ATTRIBUTES {
            // Markdown writes a picture without a description like one whose description is empty.
            if let Some(value) = element
                .attr(name)
                .filter(|value| name != "alt" || !value.is_empty())
            {
                self.text += &format!(" {name}={:?}", decoded(value));
            }
        }
        if let Some(language) = element.attr("class").filter(|_| element.is("code")) {
            self.text += &format!(" class={language:?}");
        }
        self.text.push('>');
    }
}

/// An address with its percent signs read; the same address may be written with or without.
fn decoded(value: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = value.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or(&[]);
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
