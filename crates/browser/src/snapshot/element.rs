//! `Snapshot`: the elements of a page with their roles, names, states and refs.

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

    /// Parses a ref, however a model may have written it: `E42`, `e42`, `@E42`, `[ref=E42]`.
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
    pub nodes: Vec<SnapshotElement>,
    /// The first and the last element in view, where the engine knows it.
    pub in_view: Option<(usize, usize)>,
    /// Elements of the page that are not listed.
    pub beyond: usize,
}

/// One element, or one run of text, of a snapshot.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SnapshotElement {
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
    /// The target of a link.
    pub link: Option<String>,
    /// The handle, for elements that can be acted on.
    pub target: Option<Ref>,
    /// Whether it stays in view wherever the page is scrolled to, as a dialog above the page does.
    pub pinned: bool,
}

impl Snapshot {
    /// The element of a ref.
    pub fn find(&self, target: Ref) -> Option<&SnapshotElement> {
        self.nodes.iter().find(|node| node.target == Some(target))
    }
}
