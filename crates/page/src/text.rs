//! The visible text of a node: on one line, or with a line for each block.

pub(crate) mod one_line;
mod rows;

use crate::dom::{Edge, Node, NodeSet};
use crate::raised;
use crate::tag;
use html5ever::local_name;
use std::borrow::Cow;

use one_line::{STRUCK_MARK, StruckEdge, collapse, is_space, is_struck};
pub use one_line::{one_line, spaced, without_break_marks};

/// The visible text with line breaks as a browser shows it: one line for each block, an empty
/// line between paragraphs, cells of a row separated by a tab, `<pre>` as it is. In tables of data each cell stands in its column:
/// one that covers several is repeated, and an empty one is a tab. Nodes of `skip`
/// are left out with all inside.
pub fn render(root: Node<'_>, skip: &NodeSet) -> String {
    let mut out = TextLines::default();
    let mut pre = 0usize;
    let mut walk = root.traverse();
    while let Some(edge) = walk.next() {
        match edge {
            Edge::Open(node) => {
                out.is_struck_edge |= is_struck(node);
                if !skip.is_empty() && skip.contains(node.id()) {
                    walk.leave_out();
                } else if let Some(text) = node.text_value() {
                    if pre > 0 {
                        out.push_pre(text)
                    } else {
                        out.push(text)
                    }
                } else if node != root && node.is_hidden_by_tag() {
                    walk.leave_out();
                } else if node.is("table")
                    && let Some(rows) = rows::of(node, skip)
                {
                    out.rows(&rows);
                    walk.leave_out();
                } else if pre == 0
                    && let Some(joined) = raised::joined(node)
                {
                    out.push(&joined);
                    walk.leave_out();
                } else {
                    match *node.local() {
                        local_name!("br") => out.newline(),
                        local_name!("td") | local_name!("th") => out.open_cell(),
                        local_name!("tr") => out.open_row(),
                        local_name!("pre") | local_name!("textarea") => {
                            pre += 1;
                            out.block(breaks_before(node));
                        }
                        _ => out.block(breaks_before(node)),
                    }
                }
            }
            Edge::Close(node) => {
                out.is_struck_edge |= is_struck(node);
                match *node.local() {
                    local_name!("pre") | local_name!("textarea") => pre = pre.saturating_sub(1),
                    local_name!("td") | local_name!("th") => {
                        out.close_cell();
                        continue;
                    }
                    _ => {}
                }
                out.block(breaks_before(node));
            }
        }
    }
    out.finish()
}

/// How many line breaks an element wants on each side: 2 makes an empty line.
fn breaks_before(node: Node<'_>) -> u8 {
    if !node.is_element() {
        return 0;
    }
    match *node.local() {
        local_name!("p")
        | local_name!("blockquote")
        | local_name!("pre")
        | local_name!("figure")
        | local_name!("table")
        | local_name!("dl") => 2,
        ref name if tag::heading_level(name).is_some() => 2,
        local_name!("ul") | local_name!("ol") if node.closest_list_above().is_none() => 2,
        _ if tag::is_block(node.local()) => 1,
        _ => 0,
    }
}

impl<'a> Node<'a> {
    /// The text a reader sees, on one line: without scripts, styles, templates and `<noscript>`,
    /// white space collapsed, blocks separated by a space.
    pub fn text(self) -> String {
        one_line(self)
    }

    fn closest_list_above(self) -> Option<Node<'a>> {
        self.parent().filter(|node| {
            matches!(
                *node.local(),
                local_name!("li") | local_name!("ul") | local_name!("ol")
            )
        })
    }
}

/// Text that keeps its lines, with one kind of line end only.
pub(crate) fn with_plain_line_ends(text: &str) -> Cow<'_, str> {
    let odd = ['\r', '\u{85}', '\u{2028}', '\u{2029}'];
    if text.contains(odd) {
        Cow::Owned(text.replace("\r\n", "\n").replace(odd, "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

#[derive(Default)]
struct TextLines {
    text: String,
    space: bool,
    /// Line breaks wanted before the next text.
    wanted: u8,
    /// Tabs wanted before the next text.
    tabs: usize,
    is_in_cell: bool,
    has_row_text: bool,
    /// Whether a text that is struck through begins or ends before the next text.
    is_struck_edge: bool,
}

impl TextLines {
    fn break_line(&mut self) {
        if self.wanted == 0 {
            return;
        }
        if !self.text.is_empty() {
            while self.text.ends_with(' ') {
                self.text.pop();
            }
            let have = self.text.bytes().rev().take_while(|byte| *byte == b'\n').count();
            for _ in have..usize::from(self.wanted) {
                self.text.push('\n');
            }
        }
        self.wanted = 0;
        self.space = false;
    }

    fn push(&mut self, text: &str) {
        if text.chars().all(is_space) {
            self.space |= !text.is_empty();
            return;
        }
        self.begin();
        if std::mem::take(&mut self.is_struck_edge) {
            match StruckEdge::between(self.text.rsplit(['\n', '\t']).next().unwrap_or_default(), text) {
                StruckEdge::Plain => {}
                StruckEdge::Blank => self.space = true,
                StruckEdge::Mark => {
                    self.text.push_str(STRUCK_MARK);
                    self.space = true;
                }
            }
        }
        collapse(&mut self.text, &mut self.space, text, |out| {
            out.is_empty() || out.ends_with(['\n', '\t'])
        });
    }

    fn push_pre(&mut self, text: &str) {
        if !text.is_empty() {
            self.begin();
            self.text.push_str(&with_plain_line_ends(text));
            self.space = false;
        }
    }

    fn block(&mut self, breaks: u8) {
        if breaks == 0 || (self.is_in_cell && self.tabs > 0) {
            // The first block of a cell begins where the cell does.
            return;
        }
        self.tabs = 0;
        self.wanted = self.wanted.max(breaks);
    }

    /// Writes what is owed before a text.
    fn begin(&mut self) {
        self.break_line();
        if self.tabs > 0 {
            self.space = false;
            for _ in 0..std::mem::take(&mut self.tabs) {
                self.text.push('\t');
            }
        }
        self.has_row_text = true;
    }

    fn newline(&mut self) {
        if self.tabs > 0 {
            return;
        }
        self.break_line();
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.space = false;
    }

    /// A cell begins beside another. Cells stay on their row whatever blocks they hold.
    fn open_cell(&mut self) {
        self.is_in_cell = true;
        if self.has_row_text {
            self.wanted = 0;
            self.tabs += 1;
        }
    }

    fn close_cell(&mut self) {
        self.is_in_cell = false;
    }

    /// Writes lines of their own, as one paragraph.
    fn rows(&mut self, rows: &[String]) {
        self.block(2);
        for row in rows {
            self.push_pre(row);
            self.block(1);
        }
        self.block(2);
    }

    fn open_row(&mut self) {
        self.block(1);
        self.has_row_text = false;
    }

    fn finish(mut self) -> String {
        let len = self.text.trim_end().len();
        self.text.truncate(len);
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;

    fn check(html: &str, line: &str, lines: &str) {
        let page = Page::new(html, None);
        let body = page.dom().body().unwrap_or(page.dom().root());
        assert_eq!(one_line(body), line, "{html}");
        assert_eq!(render(body, &NodeSet::default()), lines, "{html}");
    }

    #[test]
    fn words_are_apart_where_a_browser_sets_them_apart() {
        check("<b>a</b><i>b</i> <u> c </u>d<br>e", "ab c d e", "ab c d\ne");
        check(
            "<p>a<p>b<div>c</div>d<ul><li>e<li>f</ul>",
            "a b c d e f",
            "a\n\nb\n\nc\nd\n\ne\nf",
        );
        check("<table><tr><td>a<td><p>b<tr><td>c</table>", "a b c", "a\tb\n\nc");
        check("<table><tr><td><td>a<tr><td>b<td></table>c", "a b c", "a\nb\n\nc");
        check(
            "<table><tr><td>a<td><td>b<tr><td><td>c<td>d</table>",
            "a b c d",
            "a\t\tb\n\tc\td",
        );
        check("a\u{2028}b\u{85}c&nbsp;&nbsp;d", "a b c d", "a b c d");
        check("Head\u{200b}ing\u{200b}<b>\u{feff}s</b>", "Headings", "Headings");
        check(
            "Donau&shy;dampf<b>\u{ad}schiff</b>",
            "Donaudampfschiff",
            "Donaudampfschiff",
        );
    }

    #[test]
    fn a_struck_number_and_the_one_beside_it_are_two() {
        check(
            "<p>A <s>70</s> 55 €</p><p>B <del>5</del>4</p><p>C <s>€70</s>€55</p><p>D<s>u</s>o 7 <s>x</s></p>",
            "A 70 | 55 € B 5 | 4 C €70 €55 Duo 7 x",
            "A 70 | 55 €\n\nB 5 | 4\n\nC €70 €55\n\nDuo 7 x",
        );
        check(
            "<table><tr><th>a<th>b<tr><td>1<td><s>120</s><b>99</b></table>",
            "a b 1 | 120 | 99",
            "a\tb\n1\t120 | 99",
        );
        let page = Page::new("<p><s>70 €</s>55</p>", None);
        let body = page.dom().body().unwrap_or(page.dom().root());
        assert_eq!(spaced(body), "70 € | 55");
    }

    #[test]
    fn cells_of_tables_stand_in_their_columns() {
        check(
            "<table><caption>C</caption><tr><th rowspan=2>a<th colspan=2>b<tr><th>c<th>d<tr><td rowspan=2>e<td>f<td>g<tr><td>h<td></table>i",
            "C a b c d e f g h i",
            "C\na\tb\tb\na\tc\td\ne\tf\tg\ne\th\n\ni",
        );
        check(
            "<table><tr><th><th>a<tr><th>b<td>1<tr><td colspan=2>c</table>",
            "a b 1 c",
            "\ta\nb\t1\nc",
        );
        check(
            "<table><tr><td><td>a<td>b<tr><td>c<td>1<td><p>2<p>3</table>",
            "a b c 1 2 3",
            "\ta\tb\nc\t1\t2 3",
        );
    }

    #[test]
    fn what_nobody_sees_is_left_out() {
        check(
            "a<script>x</script><template>y</template><select><option>z</select><svg><text>u</text></svg>b",
            "ab",
            "ab",
        );
    }

    #[test]
    fn lines_of_preformatted_text_stay() {
        check("a<pre>b\n  c\u{2028}d</pre>e", "a b c d e", "a\n\nb\n  c\nd\n\ne");
    }
}
