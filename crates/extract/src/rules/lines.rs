//! VisibleLines: the visible lines of a page, and the elements that hold each part of a line.
//!
//! A line is what stands between two block borders or line breaks. Its segments keep the element that holds them, so that
//! the rules which read visible text can ask how a word is set: bold, struck through, raised, inside a link.

use std::ops::Range;

use page::dom::{Dom, Edge, Node, NodeId};

use super::overlays::{Overlays, is_overlay};

/// The text of one inline element's run within a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineSegment {
    /// Where its text is in [`VisibleLines::text`].
    pub range: Range<usize>,
    /// The element that holds the text directly.
    pub element: NodeId,
}

/// What stands between two block borders or line breaks. It is never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextLine {
    /// Where its text is in [`VisibleLines::text`].
    pub range: Range<usize>,
    /// Its segments in [`VisibleLines::segments`].
    pub segments: Range<usize>,
    /// The block it lies in.
    pub block: NodeId,
}

/// The visible lines of a page, in order.
#[derive(Debug, Default)]
pub struct VisibleLines {
    text: String,
    segments: Vec<LineSegment>,
    lines: Vec<TextLine>,
}

impl VisibleLines {
    /// Reads the lines of the body, without what lies over the page.
    pub(crate) fn of(dom: &Dom, overlays: &Overlays) -> VisibleLines {
        let mut lines = VisibleLines::default();
        let Some(body) = dom.body() else { return lines };
        let mut blocks: Vec<NodeId> = vec![body.id()];
        let mut open = OpenLine::default();
        let mut walk = body.traverse();
        while let Some(edge) = walk.next() {
            match edge {
                Edge::Open(node) if node.is_text() => {
                    let text = node.text_value().unwrap_or_default();
                    let element = node.parent().map_or(body.id(), Node::id);
                    lines.push(text, element, &mut open);
                }
                Edge::Open(node) => {
                    if is_unshown(node, overlays) {
                        walk.leave_out();
                        continue;
                    }
                    if breaks(node) {
                        lines.close(&mut open, &blocks);
                        blocks.push(node.id());
                    }
                }
                Edge::Close(node) => {
                    if breaks(node) {
                        lines.close(&mut open, &blocks);
                        blocks.pop();
                    }
                }
            }
        }
        lines.close(&mut open, &blocks);
        lines
    }

    /// All text, one line after the other.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The lines in document order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &TextLine> + ExactSizeIterator {
        self.lines.iter()
    }

    /// The line at `index`.
    pub fn get(&self, index: usize) -> Option<&TextLine> {
        self.lines.get(index)
    }

    /// Count of lines.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether nothing is to be seen.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The text of a line, white space collapsed.
    pub fn line_text(&self, line: &TextLine) -> &str {
        self.text.get(line.range.clone()).unwrap_or_default()
    }

    /// The segments of a line.
    pub fn segments(&self, line: &TextLine) -> &[LineSegment] {
        self.segments.get(line.segments.clone()).unwrap_or_default()
    }

    /// The text of a segment.
    pub fn segment_text(&self, segment: &LineSegment) -> &str {
        self.text.get(segment.range.clone()).unwrap_or_default()
    }

    /// Index of the first line whose block is at or behind `node`.
    pub fn first_from(&self, node: NodeId) -> usize {
        self.lines.partition_point(|line| {
            self.segments
                .get(line.segments.start)
                .is_some_and(|segment| segment.element < node)
        })
    }

    /// Adds text of one text node to the open line.
    fn push(&mut self, text: &str, element: NodeId, open: &mut OpenLine) {
        let from = self.text.len();
        if open.started && text.starts_with(char::is_whitespace) {
            open.blank = true;
        }
        let mut words = text.split_whitespace().peekable();
        if words.peek().is_none() {
            return;
        }
        let mut start = from;
        for (at, word) in words.enumerate() {
            let blank = if at == 0 { open.blank && open.started } else { true };
            if blank {
                self.text.push(' ');
            }
            if at == 0 {
                start = self.text.len();
            }
            self.text.push_str(word);
        }
        open.blank = text.ends_with(char::is_whitespace);
        open.started = true;
        self.segments.push(LineSegment {
            range: start..self.text.len(),
            element,
        });
    }

    /// Ends the open line.
    fn close(&mut self, open: &mut OpenLine, blocks: &[NodeId]) {
        if open.started {
            let block = blocks
                .last()
                .copied()
                .or_else(|| self.segments.last().map(|segment| segment.element));
            if let Some(block) = block {
                let range = open.text..self.text.len();
                let segments = open.segment..self.segments.len();
                self.lines.push(TextLine {
                    range,
                    segments,
                    block,
                });
            }
            self.text.push('\n');
        }
        *open = OpenLine {
            text: self.text.len(),
            segment: self.segments.len(),
            blank: false,
            started: false,
        };
    }
}

/// The line being read.
#[derive(Default)]
struct OpenLine {
    text: usize,
    segment: usize,
    /// White space was seen since the last word.
    blank: bool,
    started: bool,
}

fn breaks(node: Node<'_>) -> bool {
    node.is_block() || matches!(node.tag(), "br" | "hr" | "button")
}

/// Whether the page says by tag, attribute or inline style that the element is not shown, or it lies over the page.
pub(crate) fn is_hidden(node: Node<'_>) -> bool {
    node.is_hidden_by_tag() || node.is_hidden_by_attribute() || is_overlay(node)
}

/// [`is_hidden`], where the overlays of the page are known.
pub(super) fn is_unshown(node: Node<'_>, overlays: &Overlays) -> bool {
    node.is_hidden_by_tag() || node.is_hidden_by_attribute() || overlays.contains(node)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(html: &str) -> Vec<String> {
        let dom = Dom::parse(html);
        let lines = VisibleLines::of(&dom, &Overlays::of(&dom));
        lines
            .iter()
            .map(|line| lines.line_text(line).to_owned())
            .collect()
    }

    #[test]
    fn a_line_ends_where_a_block_or_a_break_does() {
        let html = "<p>one <b>two</b>three<br> four</p><div>five<p>six</div><script>no</script>seven";
        assert_eq!(lines(html), ["one twothree", "four", "five", "six", "seven"]);
    }

    #[test]
    fn what_is_not_shown_is_not_read() {
        let html = "<p>a<span hidden>b</span><span style='Display: none'>c</span><template>d</template></p>";
        assert_eq!(lines(html), ["a"]);
    }

    #[test]
    fn a_segment_knows_its_element() {
        let dom = Dom::parse("<p>Now <del>$5</del> <b>$3</b></p>");
        let lines = VisibleLines::of(&dom, &Overlays::of(&dom));
        let line = lines.get(0).unwrap();
        let tags: Vec<_> = lines
            .segments(line)
            .iter()
            .map(|segment| (dom.node(segment.element).tag(), lines.segment_text(segment)))
            .collect();
        assert_eq!(tags, [("p", "Now"), ("del", "$5"), ("b", "$3")]);
    }
}
