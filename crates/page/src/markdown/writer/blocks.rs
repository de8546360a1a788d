//! Blocks of the written Markdown: the empty lines between them, headings, and the items and quotes that they stand in.

use super::{Container, MarkdownWriter};

impl MarkdownWriter {
    /// A block begins or ends: `lines` line ends stand before what follows.
    pub(in crate::markdown) fn block(&mut self, lines: u8) {
        if self.flat_depth > 0 {
            self.add_space();
            return;
        }
        self.close_marks();
        self.pending_space.clear();
        self.pending_breaks = 0;
        // At the start of an item the breaks before the item are enough.
        if self.pending_lines == 0 || !self.containers.last().is_some_and(|container| container.fresh) {
            self.pending_lines = self.pending_lines.max(lines);
        }
    }

    /// Sets the line ends after an item.
    pub(in crate::markdown) fn end_item(&mut self, lines: u8) {
        if self.flat_depth == 0 {
            self.block(lines);
            self.pending_lines = lines;
            self.between_items = true;
        }
    }

    /// A list ends: text right after it would go on with the paragraph of its last item.
    pub(in crate::markdown) fn end_list(&mut self) {
        self.block(2);
        self.between_items = false;
    }

    /// Begins a heading: its sign waits for a word.
    pub(in crate::markdown) fn open_heading(&mut self, level: u8) {
        self.interrupt(2);
        self.enter(
            "######"
                .get(..usize::from(level.clamp(1, 6)))
                .unwrap_or("#")
                .to_owned()
                + " ",
            "",
        );
        self.is_heading = true;
        self.flatten();
    }

    pub(in crate::markdown) fn close_heading(&mut self) {
        self.unflatten();
        self.close_marks();
        self.is_heading = false;
        let written = self.leave().is_some();
        // A `#` at the end would be read as the closing sequence.
        if written && self.pending_lines == 0 && self.out.ends_with('#') {
            self.out.pop();
            self.out.push_str("\\#");
        }
        self.end_block();
    }

    /// Whether an item is open that has no text yet.
    pub(in crate::markdown) fn starts_item(&self) -> bool {
        self.flat_depth == 0
            && self
                .containers
                .last()
                .is_some_and(|container| container.fresh && container.marker != "> ")
    }

    /// Writes the marker of an item or a quote without text.
    pub(in crate::markdown) fn marker_alone(&mut self) {
        self.begin();
        let len = self.out.trim_end_matches(' ').len();
        self.out.truncate(len);
        self.line_start = false;
    }

    /// A container opens: its marker stands before its first line, spaces (or `rest`) before the
    /// others.
    pub(in crate::markdown) fn enter(&mut self, marker: String, rest: &'static str) {
        let width = if rest.is_empty() { marker.len() } else { 0 };
        self.containers.push(Container {
            marker,
            rest,
            width,
            fresh: true,
            loose: false,
            tight: false,
        });
    }

    /// The container opened last is an item whose words are in no paragraph.
    pub(in crate::markdown) fn keep_tight(&mut self) {
        if let Some(container) = self.containers.last_mut() {
            container.tight = true;
        }
    }

    pub(in crate::markdown) fn is_tight(&self) -> bool {
        self.flat_depth == 0 && self.containers.last().is_some_and(|container| container.tight)
    }

    /// A block begins that would end a paragraph on the line above it.
    pub(in crate::markdown) fn interrupt(&mut self, lines: u8) {
        self.block(lines);
        if self.is_tight() && self.containers.last().is_some_and(|container| !container.fresh) {
            self.pending_lines = 1;
        }
    }

    /// A quote begins. Right below another one it would be a part of that.
    pub(in crate::markdown) fn open_quote(&mut self) {
        if self.quote_end == self.out.len() {
            self.block(2);
        } else {
            self.interrupt(2);
        }
        self.enter("> ".to_owned(), "> ");
    }

    pub(in crate::markdown) fn close_quote(&mut self) {
        self.leave();
        self.quote_end = self.out.len();
        self.block(2);
    }

    /// A block ends after which a paragraph may begin on the next line.
    pub(in crate::markdown) fn end_block(&mut self) {
        self.block(if self.is_tight() { 1 } else { 2 });
    }

    /// The container opened last closes. Returns whether it was loose; none when nothing was in it.
    pub(in crate::markdown) fn leave(&mut self) -> Option<bool> {
        self.close_marks();
        let container = self.containers.pop()?;
        (!container.fresh).then_some(container.loose)
    }
}
