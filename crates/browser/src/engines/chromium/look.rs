//! From the documents of a tab to one snapshot.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;

use super::frames::Slip;
use super::tab::{ChromiumTab, Doc};
use crate::error::Error;
use crate::snapshot::{Element, Ref, Snapshot};

/// Most elements of one document.
const ELEMENTS: usize = 120_000;
/// Most documents in one snapshot.
const DOCUMENTS: usize = 40;
/// Most listening elements that are looked up by name in one go.
const LISTENERS: usize = 300;

/// What the script says before the elements.
#[derive(Deserialize, Default)]
struct Head {
    title: String,
    url: String,
    last: u32,
    first: i64,
    r#final: i64,
    beyond: usize,
}

/// One document as the script tells it.
struct Part {
    frame: String,
    head: Head,
    nodes: Vec<Element>,
    /// Elements whose content is another document: where they stand, and under which index.
    holes: HashMap<u32, usize>,
    /// Which parts fill the holes, by the place of the hole.
    filled: HashMap<usize, usize>,
}

impl ChromiumTab {
    /// Takes a snapshot of the present page, frames included.
    pub(super) async fn look(&mut self) -> Result<Snapshot, Error> {
        for _ in 0..4 {
            match self.look_once().await {
                Err(Slip::Gone) => self.rest().await?,
                looked => return Ok(looked?),
            }
        }
        Err(Error::Crashed("it goes from address to address"))
    }

    async fn look_once(&mut self) -> Result<Snapshot, Slip> {
        let main = self.main_frame()?;
        self.listen(&main).await?;
        let mut parts = vec![self.part(&main, None).await?];
        // Links of frames are told as seen from the page, too.
        let page = parts.first().and_then(|part| Url::parse(&part.head.url).ok());
        let mut at = 0;
        while at < parts.len() && parts.len() < DOCUMENTS {
            let mut found = Vec::new();
            if let Some(part) = parts.get(at)
                && !part.holes.is_empty()
            {
                let used: HashSet<&str> = parts.iter().map(|part| part.frame.as_str()).collect();
                for frame in self.frames_below(&part.frame, &used) {
                    // A frame that leaves while it is looked for leaves a hole and nothing worse.
                    if let Ok(index) = self.owner(&frame, &part.frame).await
                        && let Some(hole) = part.holes.get(&index)
                    {
                        found.push((frame, *hole));
                    }
                }
            }
            for (frame, hole) in found {
                match self.part(&frame, page.as_ref()).await {
                    Ok(inner) => {
                        let filler = parts.len();
                        parts.push(inner);
                        if let Some(part) = parts.get_mut(at) {
                            part.filled.insert(hole, filler);
                        }
                    }
                    Err(slip @ (Slip::Lost | Slip::Cancelled)) => return Err(slip),
                    Err(_) => {}
                }
            }
            at += 1;
        }
        Ok(self.assemble(parts))
    }

    /// Looks at one document. `page` is the address of the whole, where that is another one.
    async fn part(&mut self, frame: &str, page: Option<&Url>) -> Result<Part, Slip> {
        let asked = format!("huntsman.look({}, {ELEMENTS})", self.last);
        let text: String = self.run(frame, &asked).await?;
        let (head, lines) = text.split_once('\n').unwrap_or((&text, ""));
        let head: Head = serde_json::from_str(head).unwrap_or_default();
        let here = page.cloned().or_else(|| Url::parse(&head.url).ok());
        let mut part = Part {
            frame: frame.to_owned(),
            nodes: Vec::with_capacity(lines.len() / 40),
            holes: HashMap::new(),
            filled: HashMap::new(),
            head,
        };
        for line in lines.lines() {
            let (element, frame) = element(line, here.as_ref());
            if let Some(frame) = frame {
                part.holes.insert(frame, part.nodes.len());
            }
            part.nodes.push(element);
        }
        if part.head.last > self.last {
            let world = self.known_world(frame).ok_or(Slip::Gone)?;
            self.docs.push(Doc {
                from: self.last + 1,
                to: part.head.last,
                frame: frame.to_owned(),
                world,
            });
            self.last = part.head.last;
        }
        Ok(part)
    }

    /// Frames whose nearest document looked at is this one.
    fn frames_below(&self, above: &str, used: &HashSet<&str>) -> Vec<String> {
        let Ok(watch) = self.watch() else {
            return Vec::new();
        };
        let state = watch.state();
        let Some(page) = state.page() else {
            return Vec::new();
        };
        let nearest = |frame: &str| {
            let mut at = page.frames.get(frame)?.parent.clone();
            for _ in 0..32 {
                let frame = at?;
                if used.contains(frame.as_str()) {
                    return Some(frame);
                }
                at = page.frames.get(&frame)?.parent.clone();
            }
            None
        };
        let mut below: Vec<String> = page
            .frames
            .keys()
            .filter(|frame| !used.contains(frame.as_str()) && nearest(frame).as_deref() == Some(above))
            .cloned()
            .collect();
        below.sort();
        below.truncate(DOCUMENTS);
        below
    }

    /// Puts the documents into each other.
    fn assemble(&mut self, mut parts: Vec<Part>) -> Snapshot {
        let mut snapshot = Snapshot::default();
        if let Some(main) = parts.first() {
            snapshot.url = Url::parse(&main.head.url).ok();
            snapshot.title = main.head.title.split_whitespace().collect::<Vec<_>>().join(" ");
            snapshot.beyond = main.head.beyond;
        }
        let (first, last) = parts
            .first()
            .map_or((-1, -1), |it| (it.head.first, it.head.r#final));
        let mut seen = (None, None);
        // (document, next element, depth added)
        let mut stack = vec![(0_usize, 0_usize, 0_u16)];
        while let Some((part, at, added)) = stack.pop() {
            let Some(current) = parts.get_mut(part) else {
                continue;
            };
            let Some(node) = current.nodes.get_mut(at).map(std::mem::take) else {
                continue;
            };
            let filler = current.filled.get(&at).copied();
            if part == 0 {
                if usize::try_from(first).is_ok_and(|first| first == at) {
                    seen.0 = Some(snapshot.nodes.len());
                }
                if usize::try_from(last).is_ok_and(|last| last == at) {
                    seen.1 = Some(snapshot.nodes.len());
                }
            }
            let depth = node.depth.saturating_add(added);
            snapshot.nodes.push(Element { depth, ..node });
            stack.push((part, at + 1, added));
            if let Some(filler) = filler {
                stack.push((filler, 0, depth.saturating_add(1)));
            }
        }
        if let (Some(first), Some(last)) = seen {
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

    /// Asks the browser which elements listen for clicks, and tells our script. Only what is new costs.
    async fn listen(&mut self, main: &str) -> Result<(), Slip> {
        #[derive(Deserialize)]
        struct Listened {
            listeners: Vec<Listener>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Listener {
            r#type: String,
            #[serde(default)]
            backend_node_id: i64,
        }
        #[derive(Deserialize)]
        struct Holder {
            result: Object,
        }
        #[derive(Deserialize)]
        struct Resolved {
            object: Object,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Object {
            #[serde(default)]
            object_id: String,
        }
        // Makes the world where there is none yet.
        let _: Value = self.run(main, "0").await?;
        let (Some(world), Ok(session)) = (self.known_world(main), self.session()) else {
            return Ok(());
        };
        if self.heard.0 != world {
            self.heard = (world, HashSet::new());
        }
        let watch = self.watch()?.clone();
        let call = |method, params: Value| watch.connection.call(&session, method, params);
        // The page's own document, since listeners are told by the world they live in. (Asked for all worlds at
        // once, Chromium 156 crashes after some pages.) In no object group, or every handler would come along.
        let holder = json!({"expression": "document"});
        let holder: Holder = self.answer(&session, call("Runtime.evaluate", holder)).await?;
        let asked = json!({"objectId": holder.result.object_id, "depth": -1, "pierce": false});
        let listening = call("DOMDebugger.getEventListeners", asked);
        drop(call(
            "Runtime.releaseObject",
            json!({"objectId": holder.result.object_id}),
        ));
        let listened: Listened = match self.answer(&session, listening).await {
            Err(Slip::Failed(_)) => return Ok(()),
            listened => listened?,
        };
        let mut fresh: Vec<i64> = listened
            .listeners
            .iter()
            .filter(|it| CLICKS.contains(&it.r#type.as_str()) && it.backend_node_id > 0)
            .map(|it| it.backend_node_id)
            .filter(|node| !self.heard.1.contains(node))
            .collect();
        fresh.sort_unstable();
        fresh.dedup();
        fresh.truncate(LISTENERS);
        if !fresh.is_empty() {
            let replies: Vec<_> = fresh
                .iter()
                .map(|node| {
                    let asked = json!({
                        "backendNodeId": node,
                        "executionContextId": world,
                        "objectGroup": "huntsman",
                    });
                    call("DOM.resolveNode", asked)
                })
                .collect();
            let mut objects = Vec::new();
            for reply in replies {
                if let Ok(Resolved { object }) = self.answer(&session, reply).await {
                    objects.push(json!({"objectId": object.object_id}));
                }
            }
            let hear = json!({
                "executionContextId": world,
                "functionDeclaration": "function(...list) { huntsman.hear(...list); }",
                "arguments": objects,
                "returnByValue": true,
            });
            let _: Value = self
                .answer(&session, call("Runtime.callFunctionOn", hear))
                .await?;
            self.heard.1.extend(fresh);
            drop(call(
                "Runtime.releaseObjectGroup",
                json!({"objectGroup": "huntsman"}),
            ));
        }
        Ok(())
    }
}

/// Listeners that make an element one to click.
const CLICKS: &[&str] = &[
    "click",
    "dblclick",
    "mousedown",
    "mouseup",
    "pointerdown",
    "pointerup",
    "touchstart",
    "contextmenu",
    "dragstart",
];

/// Reads one line of the script's. The second value is the index of the frame that belongs there.
fn element(line: &str, here: Option<&Url>) -> (Element, Option<u32>) {
    let mut fields = line.split('\t');
    let mut next = || fields.next().unwrap_or_default();
    let depth = next().parse().unwrap_or(0);
    let role = next().to_owned();
    let name = plain(next());
    let states = match next() {
        "" => Vec::new(),
        states => states.split('|').map(plain).collect(),
    };
    let link = match next() {
        "" => None,
        link => Some(short(&plain(link), here)),
    };
    let target = next().parse().ok().map(Ref);
    let value = next().strip_prefix('=').map(plain);
    let frame = next().parse().ok();
    let pinned = next() == "1";
    let element = Element {
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

/// Undoes the script's escapes.
fn plain(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some('n') => plain.push('\n'),
                Some('t') => plain.push('\t'),
                Some('r') => plain.push('\r'),
                Some(other) => plain.push(other),
                None => {}
            },
            (c, false) => plain.push(c),
        }
    }
    plain
}

/// Where a link leads, short where it stays on the site.
fn short(link: &str, here: Option<&Url>) -> String {
    match (Url::parse(link), here) {
        (Ok(url), Some(here)) if url.origin() == here.origin() && url.origin().is_tuple() => {
            url[url::Position::BeforePath..].to_owned()
        }
        _ => link.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_script_is_read_back() {
        let here = Url::parse("http://shop.test/a").unwrap();
        let line =
            "3\tlink\tTwo\\nlines \\\\ \\t\trequired|level=2\thttp://shop.test/b?c=1#d\t42\t=a\\tb \t7\t1";
        let (element, frame) = element(line, Some(&here));
        let expect = Element {
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
