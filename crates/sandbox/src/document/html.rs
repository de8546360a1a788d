//! `HtmlWriter`: HTML of bounded length from blocks, lists and formatted text.

use std::rc::Rc;

/// Most bytes of the HTML of a document: its page is several times as large.
const MAX_HTML_BYTES: usize = 4 << 20;
/// Deepest list.
const MAX_LIST_LEVEL: usize = 8;

/// How a piece of text is formatted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TextFormat {
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) height: TextHeight,
    pub(super) link: Option<Rc<str>>,
}

/// Where text stands on its line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum TextHeight {
    #[default]
    Baseline,
    Raised,
    Lowered,
}

/// A cell of a table, with the columns and rows that it covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SpannedCell {
    /// Its content as HTML.
    pub(super) html: String,
    pub(super) columns: usize,
    pub(super) rows: usize,
}

impl SpannedCell {
    /// A cell of one column and row.
    pub(super) fn single(html: String) -> SpannedCell {
        SpannedCell {
            html,
            columns: 1,
            rows: 1,
        }
    }

    fn is_left_out(&self) -> bool {
        self.html.is_empty() && self.columns == 1 && self.rows == 1
    }

    fn attributes(&self) -> String {
        let attribute = |name: &str, value: usize| match value {
            0 | 1 => String::new(),
            value => format!(" {name}=\"{value}\""),
        };
        attribute("colspan", self.columns) + &attribute("rowspan", self.rows)
    }
}

/// The text of a paragraph, in pieces of one format each.
#[derive(Debug, Default)]
pub(super) struct FormattedText(Vec<(TextFormat, String)>);

impl FormattedText {
    /// Adds text. Pieces of the same format that follow each other become one.
    pub(super) fn push(&mut self, format: &TextFormat, text: &str) {
        if text.is_empty() {
            return;
        }
        // A space has no format of its own; without that, words would be bold one by one.
        let is_space = text.trim().is_empty();
        match self.0.last_mut() {
            Some((last, whole)) if last == format || (is_space && last.link == format.link) => {
                whole.push_str(text)
            }
            _ => self.0.push((format.clone(), text.to_owned())),
        }
    }

    pub(super) fn is_blank(&self) -> bool {
        self.0.iter().all(|(_, text)| text.trim().is_empty())
    }

    /// The text as HTML; line feeds become `<br>`.
    pub(super) fn html(&self) -> String {
        let mut html = String::new();
        for (format, text) in &self.0 {
            let core = text.trim();
            if core.is_empty() {
                html.push_str(&lines(text));
                continue;
            }
            let begin = text.find(core).unwrap_or(0);
            let (before, after) = (&text[..begin], &text[begin + core.len()..]);
            html.push_str(&lines(before));
            if let Some(link) = &format.link {
                html.push_str(&format!("<a href=\"{}\">", escape(link)));
            }
            let tags: [(bool, &str, &str); 4] = [
                (format.bold, "<strong>", "</strong>"),
                (format.italic, "<em>", "</em>"),
                (format.height == TextHeight::Raised, "<sup>", "</sup>"),
                (format.height == TextHeight::Lowered, "<sub>", "</sub>"),
            ];
            tags.iter()
                .filter(|tag| tag.0)
                .for_each(|tag| html.push_str(tag.1));
            html.push_str(&lines(core));
            tags.iter()
                .rev()
                .filter(|tag| tag.0)
                .for_each(|tag| html.push_str(tag.2));
            if format.link.is_some() {
                html.push_str("</a>");
            }
            html.push_str(&lines(after));
        }
        html
    }
}

fn lines(text: &str) -> String {
    escape(text).replace('\n', "<br>")
}

/// Text as HTML, also inside of attributes.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The target of a link, where it leads to an address and not into the document.
pub(super) fn link_target(target: &str) -> Option<Rc<str>> {
    let target = target.trim();
    let scheme = target
        .split_once(':')
        .map(|(scheme, _)| scheme.to_ascii_lowercase());
    let leads_out = matches!(scheme.as_deref(), Some("http" | "https" | "mailto" | "ftp"));
    leads_out.then(|| target.into())
}

/// Writes HTML up to its limit.
#[derive(Debug, Default)]
pub(super) struct HtmlWriter {
    out: String,
    /// The open lists: whether each is numbered. Its last item is open.
    lists: Vec<bool>,
    /// Whether something of the document is left out.
    pub(super) cut: bool,
    /// Whether the limit is reached, and nothing more is taken.
    is_full: bool,
}

impl HtmlWriter {
    /// Whether nothing more is taken.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Adds HTML; all of it or nothing.
    pub(super) fn raw(&mut self, html: &str) {
        self.is_full |= self.out.len() + html.len() > MAX_HTML_BYTES;
        self.cut |= self.is_full;
        if !self.is_full {
            self.out.push_str(html);
        }
    }

    /// Adds an element with text.
    pub(super) fn element(&mut self, tag: &str, html: &str) {
        self.end_lists();
        if !html.trim().is_empty() {
            self.raw(&format!("<{tag}>{html}</{tag}>\n"));
        }
    }

    /// Adds a heading of a level from 1.
    pub(super) fn heading(&mut self, level: usize, html: &str) {
        self.element(&format!("h{}", level.clamp(1, 6)), html);
    }

    /// Adds an item of a list at a level from 0.
    pub(super) fn item(&mut self, level: usize, is_numbered: bool, html: &str) {
        let depth = level.min(MAX_LIST_LEVEL) + 1;
        while self.lists.len() > depth {
            self.end_list();
        }
        if self.lists.len() == depth {
            if self.lists.last() == Some(&is_numbered) {
                self.raw("</li>\n");
            } else {
                self.end_list();
            }
        }
        while self.lists.len() < depth {
            self.lists.push(is_numbered);
            self.raw(if is_numbered { "<ol>" } else { "<ul>" });
            if self.lists.len() < depth {
                self.raw("<li>");
            }
        }
        self.raw(&format!("<li>{html}"));
    }

    fn end_list(&mut self) {
        if let Some(is_numbered) = self.lists.pop() {
            self.raw(if is_numbered {
                "</li></ol>\n"
            } else {
                "</li></ul>\n"
            });
        }
    }

    /// Ends all open lists.
    pub(super) fn end_lists(&mut self) {
        while !self.lists.is_empty() {
            self.end_list();
        }
    }

    /// Adds a table, whose first row is its header when there are more. Cells are HTML; empty ones at the end of a row are
    /// left out.
    pub(super) fn table(&mut self, rows: impl IntoIterator<Item = Vec<String>>) {
        self.spanned_table(
            rows.into_iter()
                .map(|row| row.into_iter().map(SpannedCell::single).collect()),
        );
    }

    /// The same, of cells that may cover several columns and rows.
    pub(super) fn spanned_table(&mut self, rows: impl IntoIterator<Item = Vec<SpannedCell>>) {
        self.end_lists();
        let mut rows = rows.into_iter().peekable();
        if rows.peek().is_none() {
            return;
        }
        self.raw("<table>");
        let mut is_first = true;
        while let Some(row) = rows.next() {
            let is_header = is_first && rows.peek().is_some();
            is_first = false;
            let tag = if is_header { "th" } else { "td" };
            let filled = row
                .iter()
                .rposition(|cell| !cell.is_left_out())
                .map_or(1, |last| last + 1);
            let shown = if is_header { row.len() } else { filled };
            let cells: String = row
                .iter()
                .take(shown)
                .map(|cell| format!("<{tag}{}>{}</{tag}>", cell.attributes(), cell.html))
                .collect();
            self.raw(&format!("<tr>{cells}</tr>\n"));
            if self.is_full() {
                return;
            }
        }
        self.raw("</table>\n");
    }

    /// The HTML, with all lists ended.
    pub(super) fn finish(mut self) -> (String, bool) {
        self.end_lists();
        (self.out, self.cut)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_one_format_become_one_and_spaces_stay_outside() {
        let bold = TextFormat {
            bold: true,
            ..TextFormat::default()
        };
        let mut text = FormattedText::default();
        for part in ["He", "llo", " "] {
            text.push(&bold, part);
        }
        text.push(&TextFormat::default(), "a < b\nc");
        assert_eq!(text.html(), "<strong>Hello</strong> a &lt; b<br>c");
    }

    #[test]
    fn lists_nest_and_end() {
        let mut html = HtmlWriter::default();
        html.item(0, false, "a");
        html.item(1, true, "b");
        html.item(0, false, "c");
        html.element("p", "d");
        let expected = "<ul><li>a<ol><li>b</li></ol>\n</li>\n<li>c</li></ul>\n<p>d</p>\n";
        assert_eq!(html.finish(), (expected.to_owned(), false));
    }
}
