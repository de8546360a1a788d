//! Reports in Markdown as blocks of plain text, so that nothing of a report becomes HTML but our own elements.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use serde::Serialize;

/// A paragraph, heading, item or the like.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(super) struct Block {
    /// `h2` to `h4`, `p`, `li`, `quote`, `pre` or `tr`.
    pub(super) kind: &'static str,
    pub(super) spans: Vec<Span>,
}

/// Words of one kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(super) struct Span {
    pub(super) text: String,
    pub(super) strong: bool,
    pub(super) code: bool,
    /// An address of a page.
    pub(super) link: Option<String>,
}

/// The blocks of a text. HTML in it is text like any other.
pub(super) fn blocks(markdown: &str) -> Vec<Block> {
    let mut reader = BlockReader::default();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        reader.take(event);
    }
    reader.finish("p");
    reader.blocks
}

#[derive(Default)]
struct BlockReader {
    blocks: Vec<Block>,
    spans: Vec<Span>,
    strong: u32,
    link: Option<String>,
    /// Depths of lists and quotes around.
    items: u32,
    quotes: u32,
}

impl BlockReader {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(Tag::Strong) => self.strong += 1,
            Event::End(TagEnd::Strong) => self.strong = self.strong.saturating_sub(1),
            Event::Start(Tag::Link { dest_url, .. }) => {
                let is_page = dest_url.starts_with("http://") || dest_url.starts_with("https://");
                self.link = is_page.then(|| dest_url.to_string());
            }
            Event::End(TagEnd::Link) => self.link = None,
            Event::Start(Tag::Item) => {
                self.finish("p");
                self.items += 1;
            }
            Event::End(TagEnd::Item) => {
                self.finish("li");
                self.items = self.items.saturating_sub(1);
            }
            Event::Start(Tag::BlockQuote(_)) => self.quotes += 1,
            Event::End(TagEnd::BlockQuote(_)) => self.quotes = self.quotes.saturating_sub(1),
            Event::End(TagEnd::Heading(level)) => self.finish(heading(level)),
            Event::End(TagEnd::CodeBlock) => self.finish("pre"),
            Event::End(TagEnd::TableHead | TagEnd::TableRow) => self.finish("tr"),
            Event::End(TagEnd::TableCell) => self.push(" | ", false),
            Event::End(TagEnd::Paragraph | TagEnd::HtmlBlock) => self.finish_paragraph(),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.push(&text, false),
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => self.push(&text, true),
            Event::SoftBreak | Event::HardBreak => self.push(" ", false),
            Event::Rule
            | Event::FootnoteReference(_)
            | Event::TaskListMarker(_)
            | Event::Start(_)
            | Event::End(_) => {}
        }
    }

    fn finish_paragraph(&mut self) {
        self.finish(match (self.items, self.quotes) {
            (0, 0) => "p",
            (0, _) => "quote",
            _ => "li",
        });
    }

    fn push(&mut self, text: &str, code: bool) {
        let (strong, link) = (self.strong > 0, self.link.clone());
        self.spans.push(Span {
            text: text.to_owned(),
            strong,
            code,
            link,
        });
    }

    fn finish(&mut self, kind: &'static str) {
        let spans = std::mem::take(&mut self.spans);
        if spans.iter().any(|it| !it.text.trim().is_empty()) {
            self.blocks.push(Block { kind, spans });
        }
    }
}

fn heading(level: HeadingLevel) -> &'static str {
    match level {
        HeadingLevel::H1 | HeadingLevel::H2 => "h2",
        HeadingLevel::H3 => "h3",
        HeadingLevel::H4 | HeadingLevel::H5 | HeadingLevel::H6 => "h4",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_becomes_blocks_and_its_html_stays_text() {
        let text = "# Kettles\n\nThe **best** one [1](https://a.example/), not [that](javascript:x).\n\n- one\n- two\n\n<img src=x onerror=y>\n";
        let blocks = blocks(text);
        let kinds: Vec<&str> = blocks.iter().map(|it| it.kind).collect();
        assert_eq!(kinds, ["h2", "p", "li", "li", "p"]);
        let links: Vec<_> = blocks
            .iter()
            .flat_map(|it| &it.spans)
            .filter_map(|it| it.link.as_deref())
            .collect();
        assert_eq!(links, ["https://a.example/"]);
        assert!(blocks[4].spans[0].text.contains("<img"));
        assert!(blocks[1].spans.iter().any(|it| it.strong && it.text == "best"));
    }
}
