//! The Markdown written so far, and what is pending before the next word: line breaks, prefixes, spaces, marks.
//!
//! Nothing is written before something follows it: a space, a line break, a list marker or the
//! stars of a bold word wait for the next word. So no line ends in a space, an item whose elements
//! have no text is not written, and spaces inside bold words end up outside.

mod blocks;

use super::escape::{self, BYTE_CLASS, ByteClass, EscapeContext};
use super::mark::{InlineMark, OpenMark};

/// Deepest nesting of lists and quotes that is indented: beyond it the prefixes would be
/// longer than the text.
const MAX_NEST: usize = 16;

/// A list item or a quote that is open.
struct Container {
    marker: String,
    rest: &'static str,
    width: usize,
    fresh: bool,
    /// Whether an empty line stood between two blocks directly inside.
    loose: bool,
    /// Whether it is an item whose words are in no paragraph: an empty line inside would make one of them.
    tight: bool,
}

/// The Markdown as it grows.
#[derive(Default)]
pub(super) struct MarkdownWriter {
    out: String,
    containers: Vec<Container>,
    marks: Vec<OpenMark>,
    /// Line ends pending before the next word: 2 make an empty line.
    pending_lines: u8,
    /// Whether those line ends stand between two items of a list.
    between_items: bool,
    /// Line breaks pending within a paragraph.
    pending_breaks: u8,
    /// White space pending before the next word, collapsed.
    pending_space: String,
    /// Whether nothing but prefixes stands on the line.
    line_start: bool,
    /// Where the closing sign written last ends, what it closed, and whether that was an inner element.
    last_closed: Option<(usize, InlineMark, bool)>,
    /// How many elements around want all inside on one line.
    flat_depth: usize,
    /// Whether a heading is open.
    is_heading: bool,
    /// Whether the text goes into a cell of a table.
    is_cell: bool,
    /// Where that cell begins.
    cell_start: usize,
    /// Where a line ends that has only a number so far: with a dot it would be an item.
    number_end: usize,
    /// Where the opening sign of an inner element written last ends.
    inner_opened: usize,
    /// Where the quote written last ends.
    quote_end: usize,
}

impl MarkdownWriter {
    pub(super) fn new(capacity: usize) -> MarkdownWriter {
        MarkdownWriter {
            out: String::with_capacity(capacity),
            line_start: true,
            ..MarkdownWriter::default()
        }
    }

    pub(super) fn finish(mut self) -> String {
        self.close_marks();
        let len = self.out.trim_end_matches(['\n', ' ']).len();
        self.out.truncate(len);
        self.out
    }

    /// A line break within a paragraph.
    pub(super) fn line_break(&mut self) {
        if self.flat_depth > 0 {
            self.add_space();
            return;
        }
        self.pending_space.clear();
        self.pending_breaks = self.pending_breaks.saturating_add(1);
        if self.pending_breaks >= 2 {
            self.block(2);
        }
    }

    pub(super) fn is_flat(&self) -> bool {
        self.flat_depth > 0
    }

    /// From here on all goes on one line.
    pub(super) fn flatten(&mut self) {
        self.flat_depth += 1;
    }

    pub(super) fn unflatten(&mut self) {
        self.flat_depth = self.flat_depth.saturating_sub(1);
    }

    pub(super) fn in_heading(&self) -> bool {
        self.is_heading
    }

    pub(super) fn in_cell(&self) -> bool {
        self.is_cell
    }

    /// An inline element opens. Returns whether its mark is kept: one that is open already is not.
    pub(super) fn open(&mut self, mark: InlineMark, target: String) -> bool {
        let is_link = |mark| matches!(mark, InlineMark::Link { .. });
        if self
            .marks
            .iter()
            .any(|open| open.mark == mark || (is_link(open.mark) && is_link(mark)))
        {
            return false;
        }
        self.push_mark(mark, false, target);
        true
    }

    /// An inline element opens inside another one of its kind. Returns whether its mark is kept: there are
    /// two signs, so that a third one inside has none.
    pub(super) fn open_inner(&mut self, mark: InlineMark) -> bool {
        let is_free = mark.inner_sign() != mark.sign()
            && self.marks.iter().filter(|open| open.mark == mark).count() == 1;
        if is_free {
            self.push_mark(mark, true, String::new());
        }
        is_free
    }

    fn push_mark(&mut self, mark: InlineMark, inner: bool, target: String) {
        self.marks.push(OpenMark {
            mark,
            inner,
            written: false,
            used: false,
            target,
        });
    }

    /// The inline element opened last closes. Returns whether it had any text.
    pub(super) fn close(&mut self) -> bool {
        let Some(open) = self.marks.pop() else {
            return false;
        };
        if open.written {
            self.write_close(&open);
        }
        open.used
    }

    fn write_close(&mut self, open: &OpenMark) {
        match open.mark {
            InlineMark::Link { .. } => {
                self.out.push_str("](");
                self.out.push_str(&open.target);
                self.out.push(')');
            }
            mark => {
                self.out.push_str(open.sign());
                self.last_closed = Some((self.out.len(), mark, open.inner));
            }
        }
    }

    /// Closes what is written of the open inline elements; they open again in the next block.
    fn close_marks(&mut self) {
        if self.marks.iter().all(|open| !open.written) {
            return;
        }
        let mut marks = std::mem::take(&mut self.marks);
        for open in marks.iter_mut().rev().filter(|open| open.written) {
            self.write_close(open);
            open.written = false;
        }
        self.marks = marks;
    }

    fn add_space(&mut self) {
        if !self.pending_space.ends_with(' ') {
            self.pending_space.push(' ');
        }
    }

    /// Adds a space if a word or an image stands right before.
    pub(super) fn space_after_word(&mut self) {
        let is_sign = |c: char| c.is_ascii_punctuation() && !").:;,?!%]}>`".contains(c);
        let after_mark = self.last_closed.is_some_and(|(end, ..)| end == self.out.len());
        let is_beside = after_mark || !self.out.ends_with(|c| c == ' ' || is_sign(c));
        if self.pending_lines == 0 && !self.line_start && is_beside {
            self.add_space();
        }
    }

    /// Writes all that is pending before a word.
    pub(super) fn begin(&mut self) {
        if self.pending_lines > 0 || (self.line_start && self.out.is_empty()) {
            self.new_block();
        } else if self.pending_breaks > 0 {
            self.pending_breaks = 0;
            self.pending_space.clear();
            if !self.line_start {
                self.out.push_str("  ");
                self.new_line();
            }
        }
        if !self.pending_space.is_empty() {
            if self.line_start || (self.is_cell && self.out.len() == self.cell_start) {
                // Spaces count at the start of a line only after a no-break space.
                let kept = self.pending_space.trim_start_matches(' ');
                self.out.push_str(kept);
            } else {
                self.out.push_str(&self.pending_space);
            }
            self.pending_space.clear();
        }
        if self.marks.iter().any(|open| !open.written) {
            self.open_marks();
        }
    }

    fn open_marks(&mut self) {
        for open in &mut self.marks {
            if open.written || (open.mark == InlineMark::Link { headings_only: true } && !self.is_heading) {
                continue;
            }
            open.written = true;
            open.used = true;
            // Two bold words without anything between them are one.
            if self.last_closed == Some((self.out.len(), open.mark, open.inner)) {
                let len = self.out.len() - open.sign().len();
                self.out.truncate(len);
            } else {
                // With the mark of a link an exclamation mark would make an image.
                if matches!(open.mark, InlineMark::Link { .. }) && self.out.ends_with('!') {
                    self.out.pop();
                    self.out.push_str("\\!");
                }
                self.out.push_str(open.sign());
                if open.inner {
                    self.inner_opened = self.out.len();
                }
            }
            self.last_closed = None;
        }
    }

    fn new_block(&mut self) {
        if !self.out.is_empty() {
            if self.pending_lines > 1 {
                self.out.push('\n');
                let open = self
                    .containers
                    .iter()
                    .take(MAX_NEST)
                    .take_while(|container| !container.fresh)
                    .count();
                for container in self.containers.iter().take(open) {
                    push_rest(&mut self.out, container);
                }
                let around = open.checked_sub(1).and_then(|last| self.containers.get_mut(last));
                if let Some(around) = around.filter(|_| !self.between_items) {
                    around.loose = true;
                }
                let len = self.out.trim_end_matches(' ').len();
                self.out.truncate(len);
            }
            self.new_line();
        } else {
            self.prefix();
        }
        self.pending_lines = 0;
        self.between_items = false;
        self.pending_breaks = 0;
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        self.prefix();
    }

    fn prefix(&mut self) {
        for (depth, container) in self.containers.iter_mut().enumerate() {
            if depth >= MAX_NEST {
                container.fresh = false;
            } else if container.fresh {
                self.out.push_str(&container.marker);
                container.fresh = false;
            } else {
                push_rest(&mut self.out, container);
            }
        }
        self.line_start = true;
    }

    /// Writes the first line of a block that has lines of its own (code, a table).
    pub(super) fn raw_block(&mut self, line: &str) {
        if self.pending_lines > 0 || self.out.is_empty() {
            self.new_block();
        }
        self.push(line);
    }

    /// The link opened last closes. One without any text shows the label instead, if there is one.
    pub(super) fn close_link(&mut self, label: Option<&str>) {
        let wordless = self.marks.last().is_some_and(|open| !open.used);
        if let Some(label) = label.filter(|_| wordless)
            && let Some(open) = self.marks.last_mut()
        {
            open.mark = InlineMark::Link { headings_only: false };
            self.text(label);
        }
        self.close();
    }

    /// Writes markup as it is, after what is pending.
    pub(super) fn raw(&mut self, markup: &str) {
        self.begin();
        self.push(markup);
    }

    /// Writes markup as it is, and nothing of what is pending.
    pub(super) fn push(&mut self, markup: &str) {
        self.out.push_str(markup);
        self.line_start = false;
    }

    /// Writes a line of a block of its own; an empty one has no space at its end.
    pub(super) fn push_line(&mut self, line: &str) {
        self.new_line();
        if line.is_empty() {
            let len = self.out.trim_end_matches(' ').len();
            self.out.truncate(len);
        }
        self.push(line);
    }

    /// Writes a text of the page: white space collapsed, what could be markup escaped.
    pub(super) fn text(&mut self, text: &str) {
        let text = &*crate::text::without_break_marks(text);
        let bytes = text.as_bytes();
        let class = |at: usize| bytes.get(at).map(|byte| BYTE_CLASS[usize::from(*byte)]);
        let wide = |at: usize| escape::wide_space(bytes.get(at..).unwrap_or(&[]));
        let mut at = 0;
        while let Some(now) = class(at) {
            if now == ByteClass::Space {
                self.add_space();
                at += 1;
                continue;
            }
            if now == ByteClass::Lead
                && let Some((len, keeps)) = wide(at)
            {
                if keeps {
                    self.pending_space.push('\u{a0}')
                } else {
                    self.add_space()
                }
                at += len;
                continue;
            }
            self.begin();
            if self.line_start {
                self.line_start = false;
                at = self.start_line(text, at);
            } else if self.number_end == self.out.len() {
                at = self.continue_number(text, at);
            }
            let from = at;
            loop {
                match class(at) {
                    Some(ByteClass::Plain) => at += 1,
                    // One space between two words is by far the most common white space.
                    Some(ByteClass::Space)
                        if at > from
                            && bytes[at] == b' '
                            && class(at + 1).is_some_and(|next| next != ByteClass::Space)
                            && wide(at + 1).is_none() =>
                    {
                        at += 1;
                    }
                    Some(ByteClass::Lead) if wide(at).is_none() => at += 1,
                    _ => break,
                }
            }
            self.out.push_str(text.get(from..at).unwrap_or(""));
            if class(at) == Some(ByteClass::Special) {
                let last = self.out.bytes().next_back();
                let place = EscapeContext {
                    before: last.filter(|_| self.inner_opened != self.out.len()),
                    link: self.in_link(),
                    cell: self.is_cell,
                };
                if escape::needs_backslash(&bytes[at..], &place) {
                    self.out.push('\\');
                }
                self.out.push(char::from(bytes[at]));
                at += 1;
            }
        }
    }

    /// Escapes what would make the line a block of another kind. Returns where the rest begins.
    fn start_line(&mut self, text: &str, at: usize) -> usize {
        let bytes = text.as_bytes();
        match bytes[at] {
            sign @ (b'*' | b'|') => {
                self.out.push('\\');
                self.out.push(char::from(sign));
                at + 1
            }
            _ => match escape::line_start(&bytes[at..]) {
                Some(before) => {
                    self.out.push_str(text.get(at..at + before).unwrap_or(""));
                    self.out.push('\\');
                    self.out.push(char::from(bytes[at + before]));
                    at + before + 1
                }
                None => {
                    let digits = escape::digits(&bytes[at..]);
                    if digits > 0 && at + digits == bytes.len() {
                        self.number_end = self.out.len() + digits;
                    }
                    at
                }
            },
        }
    }

    /// A number that began the line with the text before may still become the marker of a list item:
    /// escapes what would end it. Returns where the rest begins.
    fn continue_number(&mut self, text: &str, at: usize) -> usize {
        let bytes = text.as_bytes();
        let stop = at + escape::digits(&bytes[at..]);
        self.out.push_str(text.get(at..stop).unwrap_or(""));
        match bytes.get(stop) {
            None => self.number_end = self.out.len(),
            Some(b'.' | b')') if bytes.get(stop + 1).is_none_or(u8::is_ascii_whitespace) => {
                self.out.push('\\')
            }
            Some(_) => {}
        }
        stop
    }

    fn in_link(&self) -> bool {
        self.marks
            .iter()
            .any(|open| open.written && matches!(open.mark, InlineMark::Link { .. }))
    }

    /// Writes the cell of a row: what `fill` writes, on one line.
    pub(super) fn open_cell(&mut self) {
        self.is_cell = true;
        self.flat_depth += 1;
        self.line_start = false;
        self.pending_space.clear();
        self.cell_start = self.out.len();
    }

    pub(super) fn close_cell(&mut self) {
        self.close_marks();
        self.pending_space.clear();
        self.last_closed = None;
        self.is_cell = false;
        self.flat_depth = self.flat_depth.saturating_sub(1);
    }

    /// How much is written.
    pub(super) fn len(&self) -> usize {
        self.out.len()
    }

    /// A part of what is written.
    pub(super) fn written(&self, from: usize, to: usize) -> &str {
        self.out.get(from..to).unwrap_or("")
    }
}

fn push_rest(out: &mut String, container: &Container) {
    out.push_str(container.rest);
    for _ in 0..container.width {
        out.push(' ');
    }
}
