//! Search in snapshots by role and text.

use browser::snapshot::SnapshotElement;
use browser::{Ref, Snapshot};

use crate::context::ToolContext;
use crate::controls::ui_words::fold;
use crate::error::Error;

/// Takes a snapshot of the tab.
pub(crate) async fn take_snapshot(context: &mut ToolContext) -> Result<Snapshot, Error> {
    Ok(context.tab().await?.snapshot().await?)
}

/// Whether an element can be used now.
pub(crate) fn is_usable(element: &SnapshotElement) -> bool {
    element.target.is_some() && !element.states.iter().any(|it| it == "disabled")
}

/// Whether an element is in a state.
pub(crate) fn has_state(element: &SnapshotElement, state: &str) -> bool {
    element.states.iter().any(|it| it == state)
}

/// The visible text of an element: its name, else the texts within it.
pub(crate) fn text_of(snapshot: &Snapshot, at: usize) -> String {
    let Some(element) = snapshot.nodes.get(at) else {
        return String::new();
    };
    if !element.name.is_empty() {
        return element.name.clone();
    }
    let inner = snapshot
        .nodes
        .iter()
        .skip(at + 1)
        .take_while(|it| it.depth > element.depth);
    let texts: Vec<&str> = inner
        .map(|it| it.name.as_str())
        .filter(|it| !it.is_empty())
        .take(20)
        .collect();
    texts.join(" ")
}

/// How well a text matches a wanted one: 3 equal, 2 equal apart from case and signs, 1 contains it; else `None`.
pub(crate) fn match_quality(text: &str, wanted: &str, exact: bool) -> Option<u8> {
    let squeezed = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let wanted_squeezed = wanted.split_whitespace().collect::<Vec<_>>().join(" ");
    if squeezed == wanted_squeezed {
        return Some(3);
    }
    if exact {
        return None;
    }
    let (text, wanted) = (fold(&squeezed), fold(&wanted_squeezed));
    if text == wanted && wanted.len() > 1 {
        return Some(2);
    }
    if wanted.len() > 2 && text.contains(&wanted) {
        return Some(1);
    }
    // A sign such as `»` has no words to fold.
    (wanted.len() <= 1 && squeezed.contains(&wanted_squeezed) && !wanted_squeezed.is_empty()).then_some(1)
}

/// Usable elements of some roles whose text matches, best first, each with its index, text and ref.
pub(crate) fn find_by_text(
    snapshot: &Snapshot,
    roles: &[&str],
    wanted: &str,
    exact: bool,
) -> Vec<(usize, String, Ref)> {
    let mut found: Vec<(u8, usize, usize, String, Ref)> = Vec::new();
    for (at, element) in snapshot.nodes.iter().enumerate() {
        if !is_usable(element) || !(roles.is_empty() || roles.contains(&element.role.as_str())) {
            continue;
        }
        let text = text_of(snapshot, at);
        if let (Some(quality), Some(target)) = (match_quality(&text, wanted, exact), element.target) {
            found.push((quality, text.len(), at, text, target));
        }
    }
    found.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    found
        .into_iter()
        .map(|(_, _, at, text, target)| (at, text, target))
        .collect()
}
