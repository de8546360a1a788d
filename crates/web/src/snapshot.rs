//! The page as a tree of roles, names and states with refs, and that tree as a text within a budget.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use url::Url;

/// The handle of an element: `E42`. A tab gives a number to one element only, ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ref(pub u32);

impl fmt::Display for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "E{}", self.0)
    }
}

impl FromStr for Ref {
    type Err = String;

    /// Reads a ref however a model may have written it: `E42`, `e42`, `@E42`, `[ref=E42]`.
    fn from_str(text: &str) -> Result<Ref, String> {
        let bare = text.trim().trim_start_matches(['[', '@']).trim_end_matches(']');
        let bare = bare.strip_prefix("ref=").unwrap_or(bare);
        let number = bare
            .strip_prefix(['E', 'e'])
            .and_then(|digits| digits.parse().ok());
        number
            .map(Ref)
            .ok_or_else(|| format!("{text:?} is not a ref; refs look like E42"))
    }
}

impl Serialize for Ref {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Ref {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Ref, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// The page at one moment.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Snapshot {
    /// The page's address.
    pub url: Option<Url>,
    /// The page's title.
    pub title: String,
    /// The elements in document order; each one's depth says whose child it is.
    pub nodes: Vec<Element>,
    /// The first and the last element that can be seen without scrolling, where the engine knows it.
    pub in_view: Option<(usize, usize)>,
    /// Elements that the page has beyond those listed.
    pub beyond: usize,
}

/// One element, or one run of text, of a snapshot.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Element {
    /// Nesting; the children of an element follow it and are deeper by one.
    pub depth: u16,
    /// The ARIA role, `text` for a run of text.
    pub role: String,
    /// The accessible name, or the text.
    pub name: String,
    /// The value of a field exactly as it is, with all its spaces.
    pub value: Option<String>,
    /// States such as `checked`, `disabled`, `multiline`, `level=2`.
    pub states: Vec<String>,
    /// Where a link leads.
    pub link: Option<String>,
    /// The handle, for elements that can be acted on.
    pub target: Option<Ref>,
}

/// Which part of a snapshot is written, and how much.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// Most bytes of text. What does not fit is told in a last line.
    pub bytes: usize,
    /// The first element written; an earlier text says where to go on.
    pub from: usize,
    /// Only elements that contain this text, with what they lie in.
    pub search: Option<String>,
    /// Whether a text from the beginning of a page that does not fit begins where the page is scrolled to.
    pub follow: bool,
}

impl Default for View {
    fn default() -> Self {
        View {
            bytes: 20_000,
            from: 0,
            search: None,
            follow: true,
        }
    }
}

/// Longest name and longest link written in full, in characters.
const NAME: usize = 300;
const LINK: usize = 160;
/// Longest value written in full, in characters.
const VALUE: usize = 2000;

impl Snapshot {
    /// The element of a ref.
    pub fn find(&self, target: Ref) -> Option<&Element> {
        self.nodes.iter().find(|node| node.target == Some(target))
    }

    /// The text for a model: one line an element, indented by depth,
    /// `- role "name" [state] [ref=E42] [url=...]: value`.
    pub fn text(&self, view: &View) -> String {
        let wanted = view.search.as_ref().map(|search| self.found(search));
        let mut text = String::new();
        let from = match view.from {
            0 if view.follow && wanted.is_none() => self.beginning(view.bytes),
            from => from,
        };
        if from > view.from {
            text.push_str(&format!(
                "- (the page is scrolled: {from} elements above are left out; scroll up, or search)\n"
            ));
            for node in self.around(from) {
                node.write(&mut text);
            }
        }
        for (at, node) in self.nodes.iter().enumerate().skip(from) {
            if wanted
                .as_ref()
                .is_some_and(|wanted| wanted.get(at) != Some(&true))
            {
                continue;
            }
            let before = text.len();
            node.write(&mut text);
            if text.len() > view.bytes {
                text.truncate(before);
                let left = self.nodes.len() - at;
                text.push_str(&format!(
                    "- (truncated: {left} more elements; ask for the part from {at}, or search)\n"
                ));
                return text;
            }
        }
        if self.beyond > 0 && view.search.is_none() {
            text.push_str(&format!(
                "- ({} more elements of the page were not read: it is too large)\n",
                self.beyond
            ));
        }
        if text.is_empty() {
            text.push_str(match (&view.search, self.nodes.is_empty()) {
                (Some(_), false) => "- (nothing on the page matches the search)\n",
                (None, false) => "- (no more elements)\n",
                (_, true) => "- (the page shows nothing)\n",
            });
        }
        text
    }

    /// Where a text of so many bytes begins: at the top where all fits, else at what can be seen.
    fn beginning(&self, bytes: usize) -> usize {
        let Some((first, last)) = self.in_view else {
            return 0;
        };
        let mut text = String::new();
        for node in self.nodes.iter().take(last.saturating_add(1)) {
            node.write(&mut text);
            if text.len() > bytes {
                return first;
            }
        }
        // What can be seen fits with all that is above it.
        0
    }

    /// The elements that an element lies in, from the outside in.
    fn around(&self, at: usize) -> Vec<&Element> {
        let mut depth = self.nodes.get(at).map_or(0, |node| node.depth);
        let mut around = Vec::new();
        for node in self.nodes.iter().take(at).rev() {
            if depth == 0 {
                break;
            }
            if node.depth < depth {
                depth = node.depth;
                around.push(node);
            }
        }
        around.reverse();
        around
    }

    /// Which elements a search shows: the matching ones and everything they lie in.
    fn found(&self, search: &str) -> Vec<bool> {
        let search = search.to_lowercase();
        let mut shown = vec![false; self.nodes.len()];
        // Walking backwards, an element is shown when it matches or when a deeper one behind it is.
        let mut above = u16::MAX;
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let holds = node.depth < above;
            let hit = node.matches(&search);
            if hit || (holds && above != u16::MAX) {
                if let Some(shown) = shown.get_mut(at) {
                    *shown = true;
                }
                above = node.depth;
            }
        }
        shown
    }
}

impl Element {
    fn matches(&self, search: &str) -> bool {
        let within = |text: &str| text.to_lowercase().contains(search);
        within(&self.name)
            || self.value.as_deref().is_some_and(within)
            || self.link.as_deref().is_some_and(within)
    }

    fn write(&self, text: &mut String) {
        for _ in 0..self.depth.min(32) {
            text.push_str("  ");
        }
        text.push_str("- ");
        if self.role == "text" {
            text.push_str("text: ");
            quote_plain(text, &self.name);
            text.push('\n');
            return;
        }
        text.push_str(&self.role);
        if !self.name.is_empty() {
            text.push(' ');
            quote(text, &self.name, NAME);
        }
        for state in &self.states {
            text.push_str(&format!(" [{state}]"));
        }
        if let Some(target) = self.target {
            text.push_str(&format!(" [ref={target}]"));
        }
        if let Some(link) = &self.link {
            text.push_str(" [url=");
            text.extend(link.chars().take(LINK).filter(|c| !c.is_control() && *c != ']'));
            text.push_str(if link.chars().nth(LINK).is_some() {
                "…]"
            } else {
                "]"
            });
        }
        if let Some(value) = &self.value {
            text.push_str(": ");
            quote(text, value, VALUE);
        }
        text.push('\n');
    }
}

/// Writes a text in quotes on one line, so that no page can pretend to be a line of ours.
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

fn quote_plain(text: &mut String, content: &str) {
    text.extend(content.chars().map(|c| if c.is_control() { ' ' } else { c }));
}

#[cfg(test)]
mod tests;
