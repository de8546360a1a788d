//! The renderer: one pass over the nodes, from elements to Markdown.

use super::code;
use super::image;
use super::link::{self, LinkContent};
use super::list::{self, OpenList};
use super::mark::InlineMark;
use super::math::{self, Formula};
use super::options::MarkdownOptions;
use super::writer::MarkdownWriter;
use crate::dom::Node;
use crate::page::Page;
use crate::raised;
use crate::tag::{self, is_one_of};
use html5ever::{LocalName, local_name};

/// The state of one pass.
pub(super) struct MarkdownRenderer<'a> {
    pub(super) page: &'a Page,
    pub(super) options: &'a MarkdownOptions,
    pub(super) writer: MarkdownWriter,
    /// Elements whose end does something, with the id where they end.
    open: Vec<(u32, ExitAction)>,
    lists: Vec<OpenList>,
    /// The list that ended last, and how much was written then.
    last_list: Option<(OpenList, usize)>,
}

/// Whether the renderer goes into an element.
pub(super) enum Descent {
    Into,
    Skip,
}

/// What happens at the end of an element.
enum ExitAction {
    Block(u8),
    Heading,
    List { indented: bool, in_list: bool },
    Item,
    Term,
    Definition,
    Quote,
    InlineMark,
    Link { flat: bool, label: Option<String> },
    Sign(&'static str),
}

impl<'a> MarkdownRenderer<'a> {
    pub(super) fn new(page: &'a Page, options: &'a MarkdownOptions) -> MarkdownRenderer<'a> {
        let capacity = page.html().len() / 6;
        MarkdownRenderer {
            page,
            options,
            writer: MarkdownWriter::new(capacity),
            open: Vec::new(),
            lists: Vec::new(),
            last_list: None,
        }
    }

    pub(super) fn finish(self) -> String {
        self.writer.finish()
    }

    /// Writes a node with all inside as a part of its own.
    pub(super) fn run_root(&mut self, root: Node<'a>) {
        self.writer.block(2);
        if root.is("noscript") {
            // Left out within a page, but rendered when the caller names it as a root.
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
                Descent::Into => at + 1,
                Descent::Skip => node.end().index() as u32,
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

    fn on_leave(&mut self, node: Node<'a>, leave: ExitAction) -> Descent {
        self.open.push((node.end().index() as u32, leave));
        Descent::Into
    }

    fn enter(&mut self, node: Node<'a>) -> Descent {
        if !self.options.skip.is_empty() && self.options.skip.contains(node.id()) {
            // What is left out still separates what stands around it.
            if node.is_block() {
                self.writer.block(2);
            }
            return Descent::Skip;
        }
        if let Some(text) = node.text_value() {
            self.writer.text(text);
            return Descent::Skip;
        }
        // Cells hold the names of their columns for narrow screens, and keys to sort by.
        if self.writer.in_cell() && image::is_hidden_by_style(node) {
            return Descent::Skip;
        }
        match *node.local() {
            local_name!("span") | local_name!("div") if math::is_drawing(node) => Descent::Skip,
            local_name!("span") | local_name!("div") | local_name!("p")
                if node.attr_local(&local_name!("role")) == Some("heading") && is_like_heading(node) =>
            {
                let level = node
                    .attr("aria-level")
                    .and_then(|level| level.trim().parse().ok());
                self.writer.open_heading(level.unwrap_or(2));
                self.on_leave(node, ExitAction::Heading)
            }
            local_name!("span") => Descent::Into,
            ref name if is_one_of!(name, "p" "blockquote" "hr" "pre" "listing" "xmp" "plaintext" "table") => {
                self.enter_block(node)
            }
            ref name if is_one_of!(name, "ul" "ol" "menu" "dir" "li" "dl" "dt" "dd") => self.enter_list(node),
            ref name
                if is_one_of!(
                    name,
                    "a" "b" "strong" "i" "em" "del" "s" "strike" "code" "kbd" "samp" "tt" "q" "br" "img"
                ) =>
            {
                self.enter_inline(node)
            }
            _ => self.enter_other(node),
        }
    }

    fn enter_block(&mut self, node: Node<'a>) -> Descent {
        match *node.local() {
            local_name!("blockquote") => {
                if !self.writer.is_flat() {
                    self.writer.open_quote();
                    if !node.children().any(|child| list::has_content(&child)) {
                        self.writer.marker_alone();
                    }
                    return self.on_leave(node, ExitAction::Quote);
                }
                self.writer.block(2);
                self.on_leave(node, ExitAction::Block(2))
            }
            local_name!("hr") => {
                self.writer.interrupt(2);
                if !self.writer.is_flat() {
                    // Hyphens after the marker of an item would make a rule of the whole line, and a heading of the
                    // line above.
                    let is_apart = !self.writer.starts_item() && !self.writer.is_tight();
                    self.writer.raw(if is_apart { "---" } else { "___" });
                    self.writer.end_block();
                }
                Descent::Skip
            }
            local_name!("pre") if code::holds_table(node) => {
                self.writer.block(2);
                self.on_leave(node, ExitAction::Block(2))
            }
            local_name!("pre") | local_name!("listing") | local_name!("xmp") | local_name!("plaintext") => {
                self.code_block(node);
                Descent::Skip
            }
            local_name!("table") => self.table(node),
            local_name!("p") => {
                self.writer.block(2);
                self.on_leave(node, ExitAction::Block(2))
            }
            _ => Descent::Into,
        }
    }

    fn enter_list(&mut self, node: Node<'a>) -> Descent {
        match *node.local() {
            local_name!("li") => {
                if self.writer.is_flat() {
                    self.writer.block(1);
                    if self.writer.in_cell() && is_one_of_several(node) {
                        self.writer.raw("•");
                        self.writer.block(1);
                    }
                    return self.on_leave(node, ExitAction::Block(1));
                }
                self.writer.block(1);
                let marker = self
                    .lists
                    .last_mut()
                    .map_or_else(|| "- ".to_owned(), |list| list.marker(node));
                self.writer.enter(marker, "");
                if list::is_tight(node) {
                    self.writer.keep_tight();
                }
                if list::is_empty(node) && self.lists.last().is_some_and(|list| list.has_text) {
                    self.writer.marker_alone();
                }
                self.on_leave(node, ExitAction::Item)
            }
            local_name!("dl") => {
                self.writer.block(2);
                self.on_leave(node, ExitAction::Block(2))
            }
            local_name!("dt") => {
                self.writer.block(if follows_term(node) { 1 } else { 2 });
                self.writer.flatten();
                self.on_leave(node, ExitAction::Term)
            }
            local_name!("dd") => {
                self.writer.block(1);
                if self.writer.is_flat() {
                    return self.on_leave(node, ExitAction::Block(1));
                }
                self.writer.enter(":   ".to_owned(), "    ");
                self.on_leave(node, ExitAction::Definition)
            }
            _ => {
                let before = self.last_list.take();
                // A list right after another with the same marker would be read as its continuation.
                let before = before.filter(|(_, end)| *end == self.writer.len());
                let follows_list = before.is_some();
                let list = OpenList::after(node, before.map(|(list, _)| list));
                let nested = list::is_nested(node);
                if nested && follows_list {
                    self.writer.end_item(1);
                } else if nested && list.can_follow_text() {
                    self.writer.interrupt(1);
                } else {
                    self.writer.block(2);
                }
                // A list directly in a list belongs to the item before it.
                let indent = if self.writer.is_flat() {
                    0
                } else {
                    list::indent(node)
                };
                if indent > 0 {
                    self.writer.enter(" ".repeat(indent), "");
                }
                self.lists.push(list);
                let in_list = list::is_in_list(node);
                self.on_leave(
                    node,
                    ExitAction::List {
                        indented: indent > 0,
                        in_list,
                    },
                )
            }
        }
    }

    fn enter_inline(&mut self, node: Node<'a>) -> Descent {
        let mark = match *node.local() {
            local_name!("br") => {
                self.writer.line_break();
                return Descent::Skip;
            }
            local_name!("img") => {
                if !math::is_drawing(node) {
                    self.image(node);
                }
                return Descent::Skip;
            }
            local_name!("a") => return self.enter_link(node),
            local_name!("code") | local_name!("kbd") | local_name!("samp") | local_name!("tt") => {
                return self.inline_code(node);
            }
            local_name!("q") => {
                self.writer.raw("\"");
                return self.on_leave(node, ExitAction::Sign("\""));
            }
            local_name!("b") | local_name!("strong") => InlineMark::Strong,
            local_name!("i") | local_name!("em") => InlineMark::Emphasis,
            _ => InlineMark::Deleted,
        };
        if self.writer.open(mark, String::new()) || (is_part(node) && self.writer.open_inner(mark)) {
            return self.on_leave(node, ExitAction::InlineMark);
        }
        Descent::Into
    }

    fn enter_link(&mut self, node: Node<'a>) -> Descent {
        if !self.options.links {
            return Descent::Into;
        }
        if link::is_permalink(node) {
            return Descent::Skip;
        }
        let href = node.attr_local(&local_name!("href"));
        let Some(mut target) =
            href.and_then(|href| link::destination_of(self.page, href, self.options.absolute))
        else {
            return Descent::Into;
        };
        if let Some(title) = node.attr_local(&local_name!("title"))
            && !link::says_nothing_new(title, &node.text(), &target)
        {
            let title = link::title(title);
            if target.is_empty() {
                target.push_str("<>");
            }
            target += &if self.writer.is_flat() {
                title.replace('\n', " ")
            } else {
                title
            };
        }
        let inside = LinkContent::of(node);
        if !self.writer.open(inside.mark(), target) {
            return Descent::Into;
        }
        let flat = inside == LinkContent::Blocks;
        if flat {
            self.writer.block(if is_alone(node) { 2 } else { 0 });
            self.writer.flatten();
        }
        self.on_leave(
            node,
            ExitAction::Link {
                flat,
                label: link::label(node),
            },
        )
    }

    fn enter_other(&mut self, node: Node<'a>) -> Descent {
        if let Some(level) = tag::heading_level(node.local()) {
            self.writer.open_heading(level);
            return self.on_leave(node, ExitAction::Heading);
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
                    return Descent::Skip;
                }
                if node.is("math") {
                    Descent::Into
                } else {
                    Descent::Skip
                }
            }
            local_name!("noscript") => {
                self.hidden_images(node);
                Descent::Skip
            }
            local_name!("input") => {
                self.check_box(node);
                Descent::Skip
            }
            local_name!("sup") | local_name!("sub") => match self.joined(node) {
                Some(joined) => {
                    self.writer.text(&joined);
                    Descent::Skip
                }
                None => Descent::Into,
            },
            local_name!("rp") | local_name!("meta") | local_name!("link") => Descent::Skip,
            local_name!("video") if node.attr("poster").is_some() => {
                self.video(node);
                Descent::Skip
            }
            local_name!("button") if self.writer.in_heading() && link::is_beside_words(node) => Descent::Skip,
            _ if node.is_hidden_by_tag() => Descent::Skip,
            ref name => match blocks(name) {
                0 => Descent::Into,
                lines => {
                    self.writer.block(lines);
                    self.on_leave(node, ExitAction::Block(lines))
                }
            },
        }
    }

    /// What a raised or lowered element is in plain text; none where its text stands as it is, or holds a link.
    fn joined(&self, node: Node<'a>) -> Option<String> {
        let is_special = |inner: Node<'_>| {
            (self.options.links && inner.is("a")) || inner.is("img") || self.options.skip.contains(inner.id())
        };
        // What is joined is short, so that looking for links in it costs little.
        raised::joined(node).filter(|_| !node.descendants().any(is_special))
    }

    fn leave(&mut self, leave: ExitAction) {
        match leave {
            ExitAction::Block(lines) => self.writer.block(lines),
            ExitAction::Heading => self.writer.close_heading(),
            ExitAction::List { indented, in_list } => {
                self.last_list = self.lists.pop().map(|list| (list, self.writer.len()));
                if indented {
                    self.writer.leave();
                }
                self.writer.end_list();
                if in_list {
                    self.writer.end_item(1);
                }
            }
            ExitAction::Item => {
                let list_is_loose = self.lists.last().is_some_and(|list| list.loose);
                if let Some(loose) = self.writer.leave() {
                    if let Some(list) = self.lists.last_mut() {
                        list.has_text = true;
                    }
                    self.writer.end_item(if loose || list_is_loose { 2 } else { 1 });
                }
            }
            ExitAction::Term => {
                self.writer.unflatten();
                self.writer.block(1);
            }
            ExitAction::Definition => {
                self.writer.leave();
                self.writer.end_item(1);
            }
            ExitAction::Quote => self.writer.close_quote(),
            ExitAction::InlineMark => _ = self.writer.close(),
            ExitAction::Sign(sign) => self.writer.push(sign),
            ExitAction::Link { flat, label } => {
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
    node.descendants().all(|inner| {
        length += inner.text_value().map_or(0, |text| text.trim().len());
        length <= 200 && !inner.is_block()
    })
}

/// Whether a bold or slanted element stands in another one with the same name, and no letter right beside one of them. Around all
/// of the words of another one only `<strong>` and `<em>` say more; two `<b>` are as bold as one.
fn is_part(node: Node<'_>) -> bool {
    let letter_before = |node: Node<'_>| {
        let text = node.prev_sibling().and_then(Node::text_value);
        text.is_some_and(|text| text.ends_with(char::is_alphanumeric))
    };
    let letter_after = |node: Node<'_>| {
        let text = node.next_sibling().and_then(Node::text_value);
        text.is_some_and(|text| text.starts_with(char::is_alphanumeric))
    };
    let has_words = |beside: Option<Node<'_>>| {
        let text = beside.and_then(Node::text_value);
        text.is_some_and(|text| !text.trim().is_empty())
    };
    let says_more = matches!(*node.local(), local_name!("strong") | local_name!("em"))
        || has_words(node.prev_sibling())
        || has_words(node.next_sibling());
    let mut around = node.ancestors().take_while(|outer| !outer.is_block());
    says_more
        && around.any(|outer| outer.local() == node.local())
        && std::iter::once(node)
            .chain(node.ancestors().take_while(|outer| !outer.is_block()))
            .all(|part| !letter_before(part) && !letter_after(part))
}

/// Whether an item has text and stands beside other items.
fn is_one_of_several(item: Node<'_>) -> bool {
    let mut beside = item
        .siblings_before()
        .take(3)
        .chain(item.siblings_after().take(3));
    beside.any(|sibling| sibling.is("li"))
        && item
            .descendants()
            .any(|inner| inner.text_value().is_some_and(|text| !text.trim().is_empty()))
}

/// Whether the element before is a term, so that both share their definition.
fn follows_term(node: Node<'_>) -> bool {
    node.siblings_before()
        .find(|sibling| sibling.is_element())
        .is_some_and(|before| before.is("dt"))
}

/// Whether nothing but white space stands beside a link.
fn is_alone(node: Node<'_>) -> bool {
    let blank = |node: Option<Node<'_>>| {
        node.is_none_or(|node| {
            node.is_element() || node.text_value().is_some_and(|text| text.trim().is_empty())
        })
    };
    blank(node.prev_sibling()) && blank(node.next_sibling())
}
