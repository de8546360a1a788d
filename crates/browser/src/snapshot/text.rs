//! The text of a snapshot: one line an element, within a budget.

use url::Url;

use super::element::{Snapshot, SnapshotElement};

/// Which part of a snapshot is written, and how much.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotView {
    /// Most bytes of text. A last line says what does not fit.
    pub bytes: usize,
    /// The first element written; an earlier text says where to go on.
    pub from: usize,
    /// Only elements that contain this text, with what they lie in.
    pub search: Option<String>,
    /// Whether a text from the beginning of a page that does not fit begins where the page is scrolled to.
    pub follow: bool,
    /// Whether refs are written.
    pub refs: bool,
    /// How link targets are written.
    pub links: LinkStyle,
}

/// How the targets of links are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LinkStyle {
    /// Those on the page's own site from the site's root, others whole.
    #[default]
    Rooted,
    /// Those on the page's own site relative to the page's address, others whole.
    Relative,
    /// Only those that lead to other sites.
    Foreign,
}

impl Default for SnapshotView {
    fn default() -> Self {
        SnapshotView {
            bytes: 20_000,
            from: 0,
            search: None,
            follow: true,
            refs: true,
            links: LinkStyle::default(),
        }
    }
}

/// Longest name and longest link written in full, in characters.
const MAX_NAME: usize = 300;
const MAX_LINK: usize = 160;
/// Longest value written in full, in characters.
const MAX_VALUE: usize = 2000;

/// Roles whose only child stands for the element. It takes over a heading's level.
const WRAPPERS: &[&str] = &[
    "listitem",
    "paragraph",
    "heading",
    "generic",
    "cell",
    "row",
    "group",
    "figure",
    "article",
    "term",
    "definition",
];

/// A line of the text: an element, its depth, and the level of the heading that it stands for.
#[derive(Debug, Clone, Copy)]
pub(super) struct ViewRow<'a> {
    pub(super) at: usize,
    pub(super) depth: u16,
    pub(super) node: &'a SnapshotElement,
    pub(super) level: Option<&'a str>,
}

/// How lines are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineStyle<'a> {
    pub(super) refs: bool,
    pub(super) links: LinkStyle,
    /// The page's address, where links are written relative to it.
    pub(super) page: Option<&'a Url>,
}

impl Snapshot {
    /// The text for a model: one line an element, indented by a blank for each level,
    /// `role "name" [state] [ref=E42] [url=...]: value`; plain text stands in quotes alone.
    ///
    /// A nameless heading, list item or the like with one child has no line: the child stands for it.
    pub fn text(&self, view: &SnapshotView) -> String {
        let matches = view.search.as_ref().map(|search| self.matches(search));
        let style = LineStyle {
            refs: view.refs,
            links: view.links,
            page: self.url.as_ref(),
        };
        let rows = self.rows();
        let mut text = String::new();
        let from = match view.from {
            0 if view.follow && matches.is_none() => self.start(&rows, &style, view.bytes),
            from => from,
        };
        let first = rows.partition_point(|row| row.at < from);
        if from > view.from {
            text.push_str(&scrolled(from));
            for row in ancestors(&rows, first) {
                row.write(&mut text, &style);
            }
        }
        for row in rows.iter().skip(first) {
            if matches
                .as_ref()
                .is_some_and(|matches| matches.get(row.at) != Some(&true))
            {
                continue;
            }
            let before = text.len();
            row.write(&mut text, &style);
            if text.len() > view.bytes {
                text.truncate(before);
                text.push_str(&truncated(self.nodes.len() - row.at, row.at));
                return text;
            }
        }
        if self.beyond > 0 && view.search.is_none() {
            text.push_str(&unread(self.beyond));
        }
        if text.is_empty() {
            text.push_str(match (&view.search, self.nodes.is_empty()) {
                (Some(_), false) => "(nothing on the page matches the search)\n",
                (None, false) => "(no more elements)\n",
                (_, true) => EMPTY,
            });
        }
        text
    }

    /// The lines of the whole page.
    pub(super) fn rows(&self) -> Vec<ViewRow<'_>> {
        let mut children = vec![0_u32; self.nodes.len()];
        let mut open: Vec<usize> = Vec::new();
        let depth_of = |at: usize| self.nodes.get(at).map_or(0, |node| node.depth);
        for (at, node) in self.nodes.iter().enumerate() {
            while open.pop_if(|above| depth_of(*above) >= node.depth).is_some() {}
            if let Some(count) = open.last().and_then(|above| children.get_mut(*above)) {
                *count += 1;
            }
            open.push(at);
        }
        let mut rows = Vec::with_capacity(self.nodes.len());
        // The depths of those that have no line of their own.
        let mut lifted: Vec<u16> = Vec::new();
        let mut level = None;
        for (at, node) in self.nodes.iter().enumerate() {
            while lifted.pop_if(|above| *above >= node.depth).is_some() {}
            let only = self.nodes.get(at + 1).filter(|_| children.get(at) == Some(&1));
            if only.is_some_and(|child| child.role != "text") && node.is_wrapper() {
                lifted.push(node.depth);
                level = node.states.first().map(String::as_str).or(level);
                continue;
            }
            let lift = u16::try_from(lifted.len()).unwrap_or(u16::MAX);
            rows.push(ViewRow {
                at,
                depth: node.depth.saturating_sub(lift),
                node,
                level: level.take(),
            });
        }
        rows
    }

    /// Where a text of so many bytes begins: at the top where all fits, else at what is in view.
    fn start(&self, rows: &[ViewRow<'_>], style: &LineStyle<'_>, bytes: usize) -> usize {
        let Some((first, last)) = self.in_view else {
            return 0;
        };
        let mut text = String::new();
        for row in rows.iter().take_while(|row| row.at <= last) {
            row.write(&mut text, style);
            if text.len() > bytes {
                return first;
            }
        }
        // What is in view fits with all that is above it.
        0
    }

    /// Which elements a search shows: the matching ones and their ancestors.
    fn matches(&self, search: &str) -> Vec<bool> {
        let search = search.to_lowercase();
        let mut matches = vec![false; self.nodes.len()];
        // Walking backwards, an element is shown when it matches or when a deeper one behind it is.
        let mut above = u16::MAX;
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let is_ancestor = node.depth < above;
            let is_match = node.is_match(&search);
            if is_match || (is_ancestor && above != u16::MAX) {
                if let Some(matched) = matches.get_mut(at) {
                    *matched = true;
                }
                above = node.depth;
            }
        }
        matches
    }
}

/// The text of a page without elements.
pub(super) const EMPTY: &str = "(the page shows nothing)\n";

pub(super) fn scrolled(above: usize) -> String {
    format!("(the page is scrolled: {above} elements above this are left out; scroll up, or search)\n")
}

pub(super) fn truncated(left: usize, at: usize) -> String {
    format!("(truncated: {left} more elements; scroll down, ask for the part from {at}, or search)\n")
}

pub(super) fn unread(beyond: usize) -> String {
    format!("({beyond} more elements of the page were not read: it is too large)\n")
}

/// The rows of an element's ancestors, from the outside in.
pub(super) fn ancestors<'a, 'b>(rows: &'b [ViewRow<'a>], at: usize) -> Vec<&'b ViewRow<'a>> {
    let mut depth = rows.get(at).map_or(0, |row| row.depth);
    let mut ancestors = Vec::new();
    for row in rows.iter().take(at).rev() {
        if depth == 0 {
            break;
        }
        if row.depth < depth {
            depth = row.depth;
            ancestors.push(row);
        }
    }
    ancestors.reverse();
    ancestors
}

impl SnapshotElement {
    fn is_match(&self, search: &str) -> bool {
        let within = |text: &str| text.to_lowercase().contains(search);
        within(&self.name)
            || self.value.as_deref().is_some_and(within)
            || self.link.as_deref().is_some_and(within)
    }

    /// Whether an only child says all that this element does, but for a heading's level.
    fn is_wrapper(&self) -> bool {
        let bare = match self.states.as_slice() {
            [] => true,
            [level] => self.role == "heading" && level.starts_with("level="),
            _ => false,
        };
        bare && self.name.is_empty()
            && self.value.is_none()
            && self.link.is_none()
            && self.target.is_none()
            && WRAPPERS.contains(&self.role.as_str())
    }
}

impl ViewRow<'_> {
    pub(super) fn write(&self, text: &mut String, style: &LineStyle<'_>) {
        let node = self.node;
        for _ in 0..self.depth.min(32) {
            text.push(' ');
        }
        if node.role == "text" {
            // All up to the end of the line is text, so that quotation marks in it need no escape.
            text.push('"');
            text.extend(node.name.chars().map(|c| if c.is_control() { ' ' } else { c }));
            text.push_str("\"\n");
            return;
        }
        text.push_str(&node.role);
        if !node.name.is_empty() {
            text.push(' ');
            quote(text, &node.name, MAX_NAME);
        }
        for state in self
            .level
            .into_iter()
            .chain(node.states.iter().map(String::as_str))
        {
            text.push_str(" [");
            text.push_str(state);
            text.push(']');
        }
        if let Some(target) = node.target.filter(|_| style.refs) {
            text.push_str(&format!(" [ref={target}]"));
        }
        if let Some(link) = node.link.as_deref().and_then(|link| style.link(link)) {
            text.push_str(" [url=");
            text.extend(
                link.chars()
                    .take(MAX_LINK)
                    .filter(|c| !c.is_control() && *c != ']'),
            );
            text.push_str(if link.chars().nth(MAX_LINK).is_some() {
                "…]"
            } else {
                "]"
            });
        }
        if let Some(value) = &node.value {
            text.push_str(": ");
            quote(text, value, MAX_VALUE);
        }
        text.push('\n');
    }
}

impl LineStyle<'_> {
    /// A link's target as it is written, if it is.
    fn link(&self, link: &str) -> Option<String> {
        // Engines give targets on the page's own site from its root.
        let own = link.starts_with('/') && !link.starts_with("//");
        match (self.links, self.page) {
            (LinkStyle::Foreign, _) if own || link.starts_with('#') => None,
            (LinkStyle::Relative, Some(page)) if own => {
                let short = page
                    .join(link)
                    .ok()
                    .and_then(|target| page.make_relative(&target));
                let short = short.filter(|short| !short.is_empty() && short.len() < link.len());
                Some(short.unwrap_or_else(|| link.to_owned()))
            }
            _ => Some(link.to_owned()),
        }
    }
}

/// Writes a text in quotes on one line, so that a page cannot forge a line.
fn quote(text: &mut String, content: &str, most: usize) {
    text.push('"');
    for (at, c) in content.chars().enumerate() {
        if at >= most {
            text.push('…');
            break;
        }
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            c if c.is_control() => {}
            c => text.push(c),
        }
    }
    text.push('"');
}
