//! How a page is shown to the model: whole, or as what changed since it was last shown.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use page::quote::Quoted;
use web::Snapshot;
use web::snapshot::View;

use super::secrets::Secrets;

/// Most bytes of one whole view.
pub(super) const WHOLE: usize = 12_000;
/// A view of changes is worth it up to this share of the whole view, in per cent.
const WORTH: usize = 60;
/// Lines within which one that has moved on is looked for.
const NEAR: usize = 50;
/// Most lines that are told as gone one by one.
const GONE: usize = 40;

/// What the model was shown last.
#[derive(Debug, Default)]
pub(super) struct Eye {
    number: u32,
    address: Option<String>,
    lines: Vec<String>,
}

/// A view, ready to be said.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sight {
    /// The message for the model.
    pub(super) text: String,
    /// Whether it stands for itself, so that earlier views are no longer needed.
    pub(super) whole: bool,
    /// Stands for what the page shows, whatever its refs are.
    pub(super) page: u64,
    /// Bytes of the whole view, and of what is said.
    pub(super) sizes: (usize, usize),
}

impl Eye {
    /// Shows a snapshot. `again` wants it whole, whatever was shown before; `mark` is a word that no page knows.
    pub(super) fn show(&mut self, snapshot: &Snapshot, again: bool, mark: &str, secrets: &Secrets) -> Sight {
        let view = View {
            bytes: WHOLE,
            ..View::default()
        };
        let text = secrets.mask(&snapshot.text(&view));
        let address = snapshot.url.as_ref().map(|url| secrets.mask(url.as_str()));
        let title = secrets.mask(&snapshot.title);
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let changes = changes(&self.lines, &lines);
        let said: usize = changes.iter().map(|it| it.len() + 1).sum();
        let same_page = self.number > 0 && same_document(self.address.as_deref(), address.as_deref());
        let whole = again || !same_page || said * 100 > text.len() * WORTH;
        let before = self.number;
        self.number += 1;
        let label = format!("{mark}{}", self.number);
        let place = format!(
            "title: {title}\naddress: {}\n",
            address.as_deref().unwrap_or("about:blank")
        );
        let message = if whole {
            let quoted = Quoted::new(&label, &format!("{place}{text}"), usize::MAX);
            format!("Page view {}, whole:\n{quoted}", self.number)
        } else if changes.is_empty() {
            format!(
                "Page view {}: nothing has changed since view {before}.",
                self.number
            )
        } else {
            let quoted = Quoted::new(&label, &changes.join("\n"), usize::MAX);
            format!(
                "Page view {}, what changed since view {before}:\n{quoted}",
                self.number
            )
        };
        let sizes = (text.len(), if whole { text.len() } else { said });
        self.lines = lines;
        self.address = address;
        Sight {
            text: message,
            whole,
            page: fingerprint(snapshot),
            sizes,
        }
    }
}

/// The same document, perhaps at another place in it.
fn same_document(before: Option<&str>, now: Option<&str>) -> bool {
    let bare = |it: &str| it.split('#').next().unwrap_or_default().to_owned();
    before.map(bare) == now.map(bare)
}

/// What a page shows, without the numbers of its refs.
fn fingerprint(snapshot: &Snapshot) -> u64 {
    let mut hasher = DefaultHasher::new();
    snapshot.url.as_ref().map(url::Url::as_str).hash(&mut hasher);
    for node in &snapshot.nodes {
        (
            node.depth,
            &node.role,
            &node.name,
            &node.value,
            &node.states,
            &node.link,
        )
            .hash(&mut hasher);
    }
    hasher.finish()
}

/// The ref in a line of a view.
fn ref_of(line: &str) -> Option<&str> {
    let (_, from) = line.split_once("[ref=")?;
    from.split_once(']').map(|(it, _)| it)
}

/// Whether a line without a ref has become another one in its place: of the same kind and depth, and not merely moved on.
fn is_rewritten(old: &str, new: &str, later: &[String]) -> bool {
    let head = |line: &str| {
        let body = line.trim_start();
        let word = body
            .trim_start_matches("- ")
            .split([' ', ':'])
            .next()
            .map(str::len);
        (
            line.len() - body.len(),
            word.and_then(|it| body.get(..it + 2)).map(str::to_owned),
        )
    };
    ref_of(old).is_none()
        && ref_of(new).is_none()
        && head(old) == head(new)
        && !later.iter().take(NEAR).any(|it| it == old)
}

/// What turns the old lines into the new ones: `=` a line that stays, where something follows it; `+` new; `~` changed, in
/// the place of its ref or, without one, after the line before it; `gone:` refs that are no more.
fn changes(old: &[String], new: &[String]) -> Vec<String> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (
        old.get(head..).unwrap_or_default(),
        new.get(head..).unwrap_or_default(),
    );
    let tail = old_rest
        .iter()
        .rev()
        .zip(new_rest.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let old_middle = old_rest.get(..old_rest.len() - tail).unwrap_or_default();
    let new_middle = new_rest.get(..new_rest.len() - tail).unwrap_or_default();
    // A line with a ref is one of its kind, so that it says where old and new meet again.
    let places: HashMap<&str, usize> = old_middle
        .iter()
        .enumerate()
        .filter_map(|(at, line)| ref_of(line).map(|it| (it, at)))
        .collect();
    let mut out: Vec<String> = Vec::new();
    let mut gone: Vec<String> = Vec::new();
    let mut kept: Option<&String> = head.checked_sub(1).and_then(|at| new.get(at));
    let mut at = 0;
    let skip = |from: usize, to: usize, gone: &mut Vec<String>| {
        for line in old_middle.get(from..to).unwrap_or_default() {
            gone.push(
                ref_of(line).map_or_else(|| line.trim_start_matches([' ', '-']).to_owned(), str::to_owned),
            );
        }
    };
    for (number, line) in new_middle.iter().enumerate() {
        let stood = old_middle.get(at);
        if stood == Some(line) {
            at += 1;
            kept = Some(line);
            continue;
        }
        let later = new_middle.get(number + 1..).unwrap_or_default();
        if stood.is_some_and(|it| is_rewritten(it, line, later)) {
            // Nothing but its place says which line this was.
            if let Some(before) = kept.take() {
                out.push(format!("= {before}"));
            }
            out.push(format!("~ {line}"));
            at += 1;
            continue;
        }
        match ref_of(line).and_then(|it| places.get(it)).filter(|it| **it >= at) {
            Some(place) => {
                skip(at, *place, &mut gone);
                at = place + 1;
                if old_middle.get(*place) == Some(line) {
                    kept = Some(line);
                } else {
                    out.push(format!("~ {line}"));
                    kept = None;
                }
            }
            None => {
                if let Some(before) = kept.take() {
                    out.push(format!("= {before}"));
                }
                out.push(format!("+ {line}"));
            }
        }
    }
    skip(at, old_middle.len(), &mut gone);
    if !gone.is_empty() {
        let more = gone.len().saturating_sub(GONE);
        gone.truncate(GONE);
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        out.push(format!("gone: {}{more}", gone.join(", ")));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use web::Ref;
    use web::snapshot::Element;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    fn element(role: &str, name: &str, number: u32) -> Element {
        Element {
            role: role.into(),
            name: name.into(),
            target: (number > 0).then_some(Ref(number)),
            ..Element::default()
        }
    }

    #[test]
    fn changes_say_what_is_new_what_changed_and_what_is_gone() {
        let old = lines("- a [ref=E1]\n- text: one\n- b [ref=E2]\n- c [ref=E3]\n- end");
        let new = lines("- a [ref=E1]\n- text: two\n- b [ref=E2] [checked]\n- d [ref=E9]\n- end");
        assert_eq!(
            changes(&old, &new),
            [
                "= - a [ref=E1]",
                "~ - text: two",
                "~ - b [ref=E2] [checked]",
                "+ - d [ref=E9]",
                "gone: E3"
            ]
        );
        assert_eq!(changes(&old, &old), Vec::<String>::new());
    }

    #[test]
    fn of_two_equal_texts_the_one_that_changes_is_told_by_its_place() {
        let old = lines("- a [ref=E1]\n- text: 19\n- b [ref=E2]\n- text: 19\n- end");
        let new = lines("- a [ref=E1]\n- text: 19\n- b [ref=E2]\n- text: 20\n- end");
        assert_eq!(changes(&old, &new), ["= - b [ref=E2]", "~ - text: 20"]);
        // A line that has only moved on is not written again.
        let old = lines("- a [ref=E1]\n- text: one\n- text: two");
        let new = lines("- a [ref=E1]\n- text: zero\n- text: one\n- text: two");
        assert_eq!(changes(&old, &new), ["= - a [ref=E1]", "+ - text: zero"]);
    }

    #[test]
    fn a_page_is_shown_whole_once_and_then_by_its_changes() {
        let mut page = Snapshot {
            url: Some("https://a.example/".parse().unwrap()),
            title: "A".into(),
            nodes: (1..40)
                .map(|it| element("link", &format!("page {it}"), it))
                .collect(),
            ..Snapshot::default()
        };
        let (mut eye, secrets) = (Eye::default(), Secrets::default());
        let first = eye.show(&page, false, "k", &secrets);
        assert!(
            first.whole && first.text.contains("| - link \"page 39\" [ref=E39]"),
            "{}",
            first.text
        );
        let second = eye.show(&page, false, "k", &secrets);
        assert_eq!(
            (second.whole, second.text.as_str()),
            (false, "Page view 2: nothing has changed since view 1.")
        );
        assert_eq!(first.page, second.page);
        page.nodes.push(element("alert", "saved", 0));
        let third = eye.show(&page, false, "k", &secrets);
        assert!(!third.whole && third.page != first.page);
        assert!(
            third.text.ends_with(
                "| = - link \"page 39\" [ref=E39]\n| + - alert \"saved\"\n</page-text label=\"k3\">"
            )
        );
        page.url = Some("https://a.example/b".parse().unwrap());
        assert!(eye.show(&page, false, "k", &secrets).whole);
    }
}
