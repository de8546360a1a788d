//! Elements written as a whole: images, videos, check boxes, code.

use super::code;
use super::image;
use super::link;
use super::mark::InlineMark;
use super::renderer::{Descent, MarkdownRenderer};
use crate::dom::Node;
use html5ever::local_name;

impl<'a> MarkdownRenderer<'a> {
    pub(super) fn image(&mut self, node: Node<'a>) {
        if !self.options.images {
            return;
        }
        let one_line = self.writer.is_flat();
        if let Some(image) = image::markdown(self.page, node, self.options.absolute, one_line) {
            let image = if self.writer.in_cell() {
                image.replace('|', "\\|").replace("\\\\|", "\\|")
            } else {
                image
            };
            // A picture and the word beside it are two things, also where no space stands between.
            self.writer.space_after_word();
            self.writer.raw(&image);
            self.writer.text(" ");
        }
    }

    /// The box of a task, at the start of an item.
    pub(super) fn check_box(&mut self, node: Node<'a>) {
        let is_box = node
            .attr_local(&local_name!("type"))
            .is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox"));
        // Boxes to tick are everywhere; those that show a state are locked or in an item named so.
        let task = |element: Node<'_>| element.classes().any(|class| class.contains("task"));
        let shows = node.attr("disabled").is_some() || task(node) || node.ancestors().take(2).any(task);
        if is_box && shows && self.writer.starts_item() {
            let checked = node.attr_local(&local_name!("checked")).is_some();
            self.writer.raw(if checked { "[x]" } else { "[ ]" });
            self.writer.text(" ");
        }
    }

    /// A video, as its poster.
    pub(super) fn video(&mut self, node: Node<'a>) {
        let poster = node
            .attr("poster")
            .and_then(|src| link::target(self.page, src, self.options.absolute));
        let Some(poster) = poster.filter(|_| self.options.images) else {
            return;
        };
        self.writer.raw("![");
        self.writer.text(&node.text());
        self.writer.push(&format!("]({poster})"));
    }

    /// The images of a `<noscript>` that stand in for one that a script would load.
    pub(super) fn hidden_images(&mut self, node: Node<'a>) {
        let before = node.siblings_before().find(|sibling| sibling.is_element());
        let shown = before.is_some_and(|before| {
            let mut all = std::iter::once(before).chain(before.descendants());
            all.any(|shown| shown.is("img") && crate::pictures::address(shown).is_some())
        });
        if !shown {
            for image in node.descendants().filter(|inner| inner.is("img")) {
                self.image(image);
            }
        }
    }

    pub(super) fn code_block(&mut self, node: Node<'a>) {
        if self.writer.is_flat() {
            let code = code::inline(&node.raw_text(), self.writer.in_cell());
            if !code.is_empty() {
                self.writer.block(1);
                self.writer.raw(&code);
                self.writer.block(1);
            }
            return;
        }
        let Some(block) = code::CodeBlock::of(node) else {
            return;
        };
        self.writer.interrupt(2);
        let fence = block.fence();
        self.writer.raw_block(&(fence.clone() + &block.language));
        if !block.text.is_empty() {
            for line in block.text.split('\n') {
                self.writer.push_line(line);
            }
        }
        self.writer.push_line(&fence);
        self.writer.end_block();
    }

    pub(super) fn inline_code(&mut self, node: Node<'a>) -> Descent {
        // Ticks around images or blocks would show their markup.
        let rich = node.descendants().any(|inner| {
            matches!(
                *inner.local(),
                local_name!("img") | local_name!("pre") | local_name!("table") | local_name!("li")
            )
        });
        if rich {
            return Descent::Into;
        }
        let text = node.raw_text();
        let link = code::only_link(node).filter(|_| self.options.links);
        let target = link.and_then(|link| link::target(self.page, link.attr("href")?, self.options.absolute));
        let linked = target.is_some_and(|target| {
            self.writer
                .open(InlineMark::Link { headings_only: false }, target)
        });
        if text.starts_with(|c: char| c.is_ascii_whitespace()) {
            self.writer.text(" ");
        }
        let code = code::inline(&text, self.writer.in_cell());
        if !code.is_empty() {
            self.writer.raw(&code);
        }
        if linked {
            self.writer.close();
        }
        if text.ends_with(|c: char| c.is_ascii_whitespace()) {
            self.writer.text(" ");
        }
        Descent::Skip
    }
}
