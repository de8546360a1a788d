//! Snapshots of a tab: the documents of its frames, read by a script and merged into one.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use url::Url;

use super::failure::TabFailure;
use super::tab::ChromiumTab;
use crate::error::Error;
use crate::snapshot::{Ref, Snapshot, SnapshotElement};

/// Most elements of one document.
const MAX_ELEMENTS: usize = 120_000;
/// Most documents in one snapshot.
const MAX_DOCUMENTS: usize = 40;
/// How deeply frames are nested at most.
const MAX_FRAME_DEPTH: usize = 32;
/// Attempts to take a snapshot of a tab that navigates meanwhile.
const ATTEMPTS: usize = 4;

/// The first line of the script's output.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct Header {
    title: String,
    url: String,
    /// The last ref given out.
    last_ref: u32,
    /// Indexes of the first and the last element in view; -1 for none.
    first_in_view: i64,
    last_in_view: i64,
    beyond: usize,
}

/// The snapshot of one document.
struct DocumentSnapshot {
    frame: String,
    header: Header,
    nodes: Vec<SnapshotElement>,
    /// Positions of the elements that show a frame, by the frame's index.
    frame_elements: HashMap<u32, usize>,
    /// Indexes of the documents that such elements show, by the element's position.
    children: HashMap<usize, usize>,
}

impl ChromiumTab {
    /// Takes a snapshot of the current page, frames included.
    pub(super) async fn take_snapshot(&mut self) -> Result<Snapshot, Error> {
        for _ in 0..ATTEMPTS {
            match self.read_documents().await {
                Err(TabFailure::DocumentGone) => self.wait_for_load().await?,
                documents => return Ok(self.merge(documents?)),
            }
        }
        Err(Error::Crashed("it goes from address to address"))
    }

    async fn read_documents(&mut self) -> Result<Vec<DocumentSnapshot>, TabFailure> {
        let main = self.main_frame()?;
        self.update_listeners(&main).await?;
        let main = self.read_document(&main, None).await?;
        // Links of frames are shortened by the page's address, too.
        let page_url = Url::parse(&main.header.url).ok();
        let mut documents = vec![main];
        let mut at = 0;
        while at < documents.len() && documents.len() < MAX_DOCUMENTS {
            for (frame, position) in self.child_frames(&documents, at).await {
                match self.read_document(&frame, page_url.as_ref()).await {
                    Ok(child) => {
                        let index = documents.len();
                        documents.push(child);
                        if let Some(document) = documents.get_mut(at) {
                            document.children.insert(position, index);
                        }
                    }
                    Err(failure @ (TabFailure::Disconnected | TabFailure::Cancelled)) => return Err(failure),
                    Err(_) => {}
                }
            }
            at += 1;
        }
        Ok(documents)
    }

    /// The frames that elements of a document show, and the positions of these elements.
    async fn child_frames(&self, documents: &[DocumentSnapshot], at: usize) -> Vec<(String, usize)> {
        let mut children = Vec::new();
        let Some(document) = documents
            .get(at)
            .filter(|document| !document.frame_elements.is_empty())
        else {
            return children;
        };
        let read: HashSet<&str> = documents.iter().map(|document| document.frame.as_str()).collect();
        for frame in self.frames_below(&document.frame, &read) {
            // A frame that goes away meanwhile leaves its element empty.
            if let Ok(index) = self.owner_index(&frame, &document.frame).await
                && let Some(position) = document.frame_elements.get(&index)
            {
                children.push((frame, *position));
            }
        }
        children
    }

    /// Reads one document. `page_url` is the address of the page, where the document is a frame's.
    async fn read_document(
        &mut self,
        frame: &str,
        page_url: Option<&Url>,
    ) -> Result<DocumentSnapshot, TabFailure> {
        let call = format!("huntsman.snapshot({}, {MAX_ELEMENTS})", self.last_ref);
        let text: String = self.run(frame, &call).await?;
        let (header, lines) = text.split_once('\n').unwrap_or((&text, ""));
        let header: Header = serde_json::from_str(header).unwrap_or_default();
        let base = page_url.cloned().or_else(|| Url::parse(&header.url).ok());
        let mut document = DocumentSnapshot {
            frame: frame.to_owned(),
            nodes: Vec::with_capacity(lines.len() / 40),
            frame_elements: HashMap::new(),
            children: HashMap::new(),
            header,
        };
        for line in lines.lines() {
            let (element, frame_index) = parse_element(line, base.as_ref());
            if let Some(index) = frame_index {
                document.frame_elements.insert(index, document.nodes.len());
            }
            document.nodes.push(element);
        }
        self.register_refs(document.header.last_ref, frame)?;
        Ok(document)
    }

    /// Frames whose nearest ancestor among those that were read is `above`.
    fn frames_below(&self, above: &str, read: &HashSet<&str>) -> Vec<String> {
        let Ok(tracker) = self.tracker() else {
            return Vec::new();
        };
        let state = tracker.state();
        let Some(page) = state.page() else {
            return Vec::new();
        };
        let nearest = |frame: &str| {
            let mut at = page.frames.get(frame)?.parent.clone();
            for _ in 0..MAX_FRAME_DEPTH {
                let frame = at?;
                if read.contains(frame.as_str()) {
                    return Some(frame);
                }
                at = page.frames.get(&frame)?.parent.clone();
            }
            None
        };
        let mut below: Vec<String> = page
            .frames
            .keys()
            .filter(|frame| !read.contains(frame.as_str()) && nearest(frame).as_deref() == Some(above))
            .cloned()
            .collect();
        below.sort();
        below.truncate(MAX_DOCUMENTS);
        below
    }

    /// Merges the documents: each one's elements below the element that shows it.
    fn merge(&mut self, mut documents: Vec<DocumentSnapshot>) -> Snapshot {
        let mut snapshot = Snapshot::default();
        let (mut first, mut last) = (None, None);
        if let Some(main) = documents.first() {
            snapshot.url = Url::parse(&main.header.url).ok();
            snapshot.title = main.header.title.split_whitespace().collect::<Vec<_>>().join(" ");
            snapshot.beyond = main.header.beyond;
            first = usize::try_from(main.header.first_in_view).ok();
            last = usize::try_from(main.header.last_in_view).ok();
        }
        let mut in_view = (None, None);
        // Document, next element, depth added.
        let mut stack = vec![(0_usize, 0_usize, 0_u16)];
        while let Some((index, at, added)) = stack.pop() {
            let Some(document) = documents.get_mut(index) else {
                continue;
            };
            let Some(node) = document.nodes.get_mut(at).map(std::mem::take) else {
                continue;
            };
            if index == 0 && first == Some(at) {
                in_view.0 = Some(snapshot.nodes.len());
            }
            if index == 0 && last == Some(at) {
                in_view.1 = Some(snapshot.nodes.len());
            }
            let depth = node.depth.saturating_add(added);
            snapshot.nodes.push(SnapshotElement { depth, ..node });
            stack.push((index, at + 1, added));
            if let Some(child) = document.children.get(&at) {
                stack.push((*child, 0, depth.saturating_add(1)));
            }
        }
        if let (Some(first), Some(last)) = in_view {
            snapshot.in_view = Some((first, last));
        }
        self.remember_title(&snapshot.title);
        if let Some(url) = &snapshot.url
            && url.scheme().starts_with("http")
        {
            self.url = Some(url.clone());
        }
        snapshot
    }
}

/// Parses one line of the script's output. The second value is the index of the frame that the element shows.
fn parse_element(line: &str, base: Option<&Url>) -> (SnapshotElement, Option<u32>) {
    let mut fields = line.split('\t');
    let mut next = || fields.next().unwrap_or_default();
    let depth = next().parse().unwrap_or(0);
    let role = next().to_owned();
    let name = unescape(next());
    let states = match next() {
        "" => Vec::new(),
        states => states.split('|').map(unescape).collect(),
    };
    let link = match next() {
        "" => None,
        link => Some(shorten(&unescape(link), base)),
    };
    let target = next().parse().ok().map(Ref);
    let value = next().strip_prefix('=').map(unescape);
    let frame = next().parse().ok();
    let pinned = next() == "1";
    let element = SnapshotElement {
        depth,
        role,
        name,
        value,
        states,
        link,
        target,
        pinned,
    };
    (element, frame)
}

/// Undoes the escapes of the script.
fn unescape(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut unescaped = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        unescaped.extend(match c {
            '\\' => chars.next().map(|escaped| match escaped {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                other => other,
            }),
            other => Some(other),
        });
    }
    unescaped
}

/// The target of a link, from the root where it stays on the site.
fn shorten(link: &str, base: Option<&Url>) -> String {
    match (Url::parse(link), base) {
        (Ok(url), Some(base)) if url.origin() == base.origin() && url.origin().is_tuple() => {
            url[url::Position::BeforePath..].to_owned()
        }
        _ => link.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_script_is_parsed() {
        let base = Url::parse("http://shop.test/a").unwrap();
        let line =
            "3\tlink\tTwo\\nlines \\\\ \\t\trequired|level=2\thttp://shop.test/b?c=1#d\t42\t=a\\tb \t7\t1";
        let (element, frame) = parse_element(line, Some(&base));
        let expect = SnapshotElement {
            depth: 3,
            role: "link".into(),
            name: "Two\nlines \\ \t".into(),
            value: Some("a\tb ".into()),
            states: vec!["required".into(), "level=2".into()],
            link: Some("/b?c=1#d".into()),
            target: Some(Ref(42)),
            pinned: true,
        };
        assert_eq!((element, frame), (expect, Some(7)));
    }
}
