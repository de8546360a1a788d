//! One pass over the nodes: what each element does to the text.

use super::Options;
use super::code;
use super::link::{self, Inside};
use super::list::{self, List};
use super::math::{self, Formula};
use super::table;
use super::writer::{Mark, Writer};
use crate::Page;
use crate::dom::Node;
use crate::tag;
use html5ever::{LocalName, local_name};

/// The pass, and what is open in it.
pub(super) struct Walk<'a> {
    pub(super) page: &'a Page,
    pub(super) options: &'a Options,
    pub(super) writer: Writer,
    /// Elements whose end does something, with the id where they end.
    open: Vec<(u32, Leave)>,
    lists: Vec<List>,
}

/// Whether the walk goes into an element.
pub(super) enum Step {
    Into,
    Over,
}

/// What the end of an element does.
enum Leave {
    Block(u8),
    Heading,
    List { nested: bool },
    Item,
    Term,
    Definition,
    Quote,
    Mark,
    Link { flat: bool, label: Option<String> },
    Sign(&'static str),
}

impl<'a> Walk<'a> {
    pub(super) fn new(page: &'a Page, options: &'a Options) -> Walk<'a> {
        let capacity = page.html().len() / 6;
        Walk {
            page,
            options,
            writer: Writer::new(capacity),
            open: Vec::new(),
            lists: Vec::new(),
        }
    }

    pub(super) fn finish(self) -> String {
        self.writer.finish()
    }

    /// Writes a node with all inside as a part of its own.
    pub(super) fn run_root(&mut self, root: Node<'a>) {
        self.writer.block(2);
        if root.is("noscript") {
            // Left out within a page, but whoever asks for it as a root wants what is inside.
            self.run_inside(root);
        } else {
            self.run(root);
        }
        self.writer.block(2);
    }

    /// Writes a node with all inside.
    pub(super) fn run(&mut self, root: Node<'a>) {
        self.range(root.id().index() as u32, root.end().index() as u32);
    }

    /// Writes what is inside a node.
    pub(super) fn run_inside(&mut self, root: Node<'a>) {
        self.range(root.id().index() as u32 + 1, root.end().index() as u32);
    }

    fn range(&mut self, from: u32, to: u32) {
        let dom = self.page.dom();
        let base = self.open.len();
        let mut at = from;
        while at < to {
            self.leave_until(base, at);
            let node = dom.at(at);
            at = match self.enter(node) {
                Step::Into => at + 1,
                Step::Over => node.end().index() as u32,
            };
        }
        self.leave_until(base, to);
    }

    /// Ends the elements that do not reach beyond a node.
    fn leave_until(&mut self, base: usize, at: u32) {
        while self.open.len() > base && self.open.last().is_some_and(|(end, _)| *end <= at) {
            if let Some((_, leave)) = self.open.pop() {
                self.leave(leave);
            }
        }
    }

    fn on_leave(&mut self, node: Node<'a>, leave: Leave) -> Step {
        self.open.push((node.end().index() as u32, leave));
        Step::Into
    }

    fn enter(&mut self, node: Node<'a>) -> Step {
        if !self.options.skip.is_empty() && self.options.skip.contains(node.id()) {
            // What is left out still separates what stands around it.
            if node.is_block() {
                self.writer.block(2);
            }
            return Step::Over;
        }
        if let Some(text) = node.text_value() {
            self.writer.text(text);
            return Step::Over;
        }
        match *node.local() {
            local_name!("span") | local_name!("div") if math::is_drawing(node) => Step::Over,
            local_name!("span") | local_name!("div") | local_name!("p")
                if node.attr_local(&local_name!("role")) == Some("heading") && is_like_heading(node) =>
            {
                let level = node
                    .attr("aria-level")
                    .and_then(|level| level.trim().parse().ok());
                self.writer.open_heading(level.unwrap_or(2));
                self.on_leave(node, Leave::Heading)
            }
            local_name!("span") => Step::Into,
            local_name!("p")
            | local_name!("blockquote")
            | local_name!("hr")
            | local_name!("pre")
            | local_name!("listing")
            | local_name!("xmp")
            | local_name!("plaintext")
            | local_name!("table") => self.enter_block(node),
            local_name!("ul")
            | local_name!("ol")
            | local_name!("menu")
            | local_name!("dir")
            | local_name!("li")
            | local_name!("dl")
            | local_name!("dt")
            | local_name!("dd") => self.enter_list(node),
            local_name!("a")
            | local_name!("b")
            | local_name!("strong")
            | local_name!("i")
            | local_name!("em")
            | local_name!("del")
            | local_name!("s")
            | local_name!("strike")
            | local_name!("code")
            | local_name!("kbd")
            | local_name!("samp")
            | local_name!("tt")
            | local_name!("q")
            | local_name!("br")
            | local_name!("img") => self.enter_inline(node),
            _ => self.enter_other(node),
        }
    }

    fn enter_block(&mut self, node: Node<'a>) -> Step {
        match *node.local() {
            local_name!("blockquote") => {
                self.writer.block(2);
                // A quote around nothing but code is an old way to indent the code.
                if !self.writer.is_flat() && !code::is_only_code(node) {
                    self.writer.enter("> ".to_owned(), "> ");
                    return self.on_leave(node, Leave::Quote);
                }
                self.on_leave(node, Leave::Block(2))
            }
            local_name!("hr") => {
                self.writer.block(2);
                if !self.writer.is_flat() {
                    self.writer.raw("---");
                    self.writer.block(2);
                }
                Step::Over
            }
            local_name!("pre") | local_name!("listing") | local_name!("xmp") | local_name!("plaintext") => {
                self.code_block(node);
                Step::Over
            }
            local_name!("table") => table::write(self, node),
            local_name!("p") => {
                self.writer.block(2);
                self.on_leave(node, Leave::Block(2))
            }
            _ => Step::Into,
        }
    }

    fn enter_list(&mut self, node: Node<'a>) -> Step {
        match *node.local() {
            local_name!("li") => {
                if self.writer.is_flat() {
                    self.writer.block(1);
                    if self.writer.in_cell() && is_one_of_several(node) {
                        self.writer.raw("•");
                        self.writer.block(1);
                    }
                    return self.on_leave(node, Leave::Block(1));
                }
                self.writer.block(1);
                let marker = self
                    .lists
                    .last_mut()
                    .map_or_else(|| "- ".to_owned(), |list| list.marker(node));
                self.writer.enter(marker, "");
                self.on_leave(node, Leave::Item)
            }
            local_name!("dl") => {
                self.writer.block(2);
                self.on_leave(node, Leave::Block(2))
            }
            local_name!("dt") => {
                self.writer.block(if follows_term(node) { 1 } else { 2 });
                self.writer.flatten();
                self.on_leave(node, Leave::Term)
            }
            local_name!("dd") => {
                self.writer.block(1);
                if self.writer.is_flat() {
                    return self.on_leave(node, Leave::Block(1));
                }
                self.writer.enter(":   ".to_owned(), "    ");
                self.on_leave(node, Leave::Definition)
            }
            _ => {
                let nested = list::is_nested(node);
                self.writer.block(if nested { 1 } else { 2 });
                // A list directly in a list belongs to the item before it.
                let indent = if self.writer.is_flat() {
                    0
                } else {
                    list::indent(node)
                };
                if indent > 0 {
                    self.writer.enter(" ".repeat(indent), "");
                }
                self.lists.push(List::of(node));
                self.on_leave(node, Leave::List { nested: indent > 0 })
            }
        }
    }

    fn enter_inline(&mut self, node: Node<'a>) -> Step {
        let mark = match *node.local() {
            local_name!("br") => {
                self.writer.line_break();
                return Step::Over;
            }
            local_name!("img") => {
                if !math::is_drawing(node) {
                    self.image(node);
                }
                return Step::Over;
            }
            local_name!("a") => return self.enter_link(node),
            local_name!("code") | local_name!("kbd") | local_name!("samp") | local_name!("tt") => {
                return self.inline_code(node);
            }
            local_name!("q") => {
                self.writer.raw("\"");
                return self.on_leave(node, Leave::Sign("\""));
            }
            local_name!("b") | local_name!("strong") => Mark::Strong,
            local_name!("i") | local_name!("em") => Mark::Emphasis,
            _ => Mark::Deleted,
        };
        if self.writer.open(mark, String::new()) {
            return self.on_leave(node, Leave::Mark);
        }
        Step::Into
    }

    fn enter_link(&mut self, node: Node<'a>) -> Step {
        if !self.options.links {
            return Step::Into;
        }
        if link::is_permalink(node) {
            return Step::Over;
        }
        let href = node.attr_local(&local_name!("href"));
        let Some(mut target) = href.and_then(|href| link::target(self.page, href, self.options.absolute))
        else {
            return Step::Into;
        };
        if let Some(title) = node.attr_local(&local_name!("title"))
            && !link::says_nothing_new(title, &node.text(), &target)
        {
            let title = link::title(title);
            target += &if self.writer.is_flat() {
                title.replace('\n', " ")
            } else {
                title
            };
        }
        let inside = Inside::of(node);
        if !self.writer.open(inside.mark(), target) {
            return Step::Into;
        }
        let flat = inside == Inside::Blocks;
        if flat {
            self.writer.block(if is_alone(node) { 2 } else { 0 });
            self.writer.flatten();
        }
        self.on_leave(
            node,
            Leave::Link {
                flat,
                label: link::label(node),
            },
        )
    }

    fn enter_other(&mut self, node: Node<'a>) -> Step {
        if let Some(level) = tag::heading_level(node.local()) {
            self.writer.open_heading(level);
            return self.on_leave(node, Leave::Heading);
        }
        match *node.local() {
            local_name!("math") | local_name!("script") => {
                if let Some(formula) = Formula::of(node) {
                    let display = formula.display && !self.writer.is_flat();
                    if display {
                        self.writer.block(2);
                    }
                    self.writer.raw(&formula.markdown());
                    if display {
                        self.writer.block(2);
                    }
                    return Step::Over;
                }
                if node.is("math") { Step::Into } else { Step::Over }
            }
            local_name!("noscript") => {
                self.hidden_images(node);
                Step::Over
            }
            local_name!("input") => {
                self.check_box(node);
                Step::Over
            }
            local_name!("rp") | local_name!("meta") | local_name!("link") => Step::Over,
            local_name!("video") if node.attr("poster").is_some() => {
                self.video(node);
                Step::Over
            }
            local_name!("button") if self.writer.in_heading() && link::is_beside_words(node) => Step::Over,
            _ if tag::is_unseen(node) => Step::Over,
            ref name => match blocks(name) {
                0 => Step::Into,
                lines => {
                    self.writer.block(lines);
                    self.on_leave(node, Leave::Block(lines))
                }
            },
        }
    }

    fn leave(&mut self, leave: Leave) {
        match leave {
            Leave::Block(lines) => self.writer.block(lines),
            Leave::Heading => self.writer.close_heading(),
            Leave::List { nested } => {
                self.lists.pop();
                if nested {
                    self.writer.leave();
                }
                self.writer.block(if self.lists.is_empty() { 2 } else { 1 });
            }
            Leave::Item => match self.writer.leave() {
                Some(true) => self.writer.settle(2),
                Some(false) => self.writer.settle(1),
                None => {}
            },
            Leave::Term => {
                self.writer.unflatten();
                self.writer.block(1);
            }
            Leave::Definition => {
                self.writer.leave();
                self.writer.settle(1);
            }
            Leave::Quote => {
                self.writer.leave();
                self.writer.block(2);
            }
            Leave::Mark => _ = self.writer.close(),
            Leave::Sign(sign) => self.writer.push(sign),
            Leave::Link { flat, label } => {
                if flat {
                    self.writer.unflatten();
                }
                self.writer.close_link(label.as_deref());
                if flat {
                    self.writer.block(0);
                }
            }
        }
    }
}

/// How many line ends stand around an element that has no rule of its own.
fn blocks(name: &LocalName) -> u8 {
    if tag::is_block(name) { 2 } else { 0 }
}

/// Whether an element is short and plain enough for a heading: pages give the role to whole posts.
fn is_like_heading(node: Node<'_>) -> bool {
    let mut length = 0;
    node.descendants().all(|it| {
        length += it.text_value().map_or(0, |text| text.trim().len());
        length <= 200 && !it.is_block()
    })
}

/// Whether an item has text and stands beside other items.
fn is_one_of_several(item: Node<'_>) -> bool {
    let mut beside = item
        .siblings_before()
        .take(3)
        .chain(item.siblings_after().take(3));
    beside.any(|it| it.is("li"))
        && item
            .descendants()
            .any(|it| it.text_value().is_some_and(|text| !text.trim().is_empty()))
}

/// Whether the element before is a term, so that both share their definition.
fn follows_term(node: Node<'_>) -> bool {
    node.siblings_before()
        .find(|it| it.is_element())
        .is_some_and(|before| before.is("dt"))
}

/// Whether nothing but white space stands beside a link.
fn is_alone(node: Node<'_>) -> bool {
    let blank = |node: Option<Node<'_>>| {
        node.is_none_or(|it| it.is_element() || it.text_value().is_some_and(|text| text.trim().is_empty()))
    };
    blank(node.prev_sibling()) && blank(node.next_sibling())
}
