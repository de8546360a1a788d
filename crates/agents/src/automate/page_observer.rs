//! PageObserver: shows a page to the model, whole or as what changed since it was last shown.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use browser::Snapshot;
use browser::snapshot::{ViewBudget, ViewDiff};
use page::quote::Quoted;

use super::secrets::Secrets;

/// What the model was shown last.
#[derive(Debug, Default)]
pub(super) struct PageObserver {
    number: u32,
    shown: ViewDiff,
    /// Whether the page was scrolled in order to read it.
    pub(super) reads_on: bool,
    /// Bytes that the page or its part last took.
    size: usize,
}

/// A view, ready to be said.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PageView {
    /// The message for the model.
    pub(super) text: String,
    /// Whether it stands for itself, so that earlier views are no longer needed.
    pub(super) whole: bool,
    /// Stands for what the page shows, whatever its refs are.
    pub(super) page: u64,
    /// Bytes of the whole view, and of what is said.
    pub(super) sizes: (usize, usize),
}

impl PageObserver {
    /// How many bytes showing the page of now anew may take, as far as that can be known before.
    pub(super) fn next(&self) -> usize {
        let budget = ViewBudget::default();
        if self.reads_on {
            budget.further
        } else {
            self.size.min(budget.page)
        }
    }

    /// Shows a snapshot. `again` wants it whole, whatever was shown before; `mark` is a word that no page knows.
    pub(super) fn show(
        &mut self,
        snapshot: &Snapshot,
        again: bool,
        mark: &str,
        secrets: &Secrets,
    ) -> PageView {
        let mut budget = ViewBudget::default();
        if std::mem::take(&mut self.reads_on) {
            budget.part = budget.further;
        } else {
            // What an action brought into view is no reason to read on from there.
            budget.further = 0;
        }
        let told = self.shown.tell(snapshot, &budget, again);
        self.size = told.size;
        let before = self.number;
        self.number += 1;
        let label = format!("{mark}{}", self.number);
        let mut head = format!("View {}", self.number);
        let mut body = secrets.mask(&told.text);
        if told.whole {
            head.push_str(", whole");
            let address = snapshot.url.as_ref().map_or("about:blank", url::Url::as_str);
            // In quotation marks a title cannot pass for a line of ours.
            let place = format!(
                "title: {:?}\naddress: {}\n",
                secrets.mask(&snapshot.title),
                secrets.mask(address)
            );
            body.insert_str(0, &place);
        } else if body.is_empty() {
            head.push_str(&format!(", no change since {before}"));
        } else {
            head.push_str(&format!(", changes since {before}"));
        }
        if let Some((first, last, all)) = told.part {
            head.push_str(&format!("; in view now: lines {first} to {last} of {all}"));
        }
        if body.is_empty() && told.part.is_none() {
            head.push_str(": go on with what is next, or finish");
        }
        let text = if body.is_empty() {
            format!("{head}.")
        } else {
            let quoted = Quoted::lines(&label, body.trim_end());
            format!("{head}:\n{quoted}")
        };
        PageView {
            text,
            whole: told.whole,
            page: fingerprint(snapshot),
            sizes: (told.size, told.text.len()),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use browser::Ref;
    use browser::snapshot::SnapshotElement;

    fn element(role: &str, name: &str, number: u32) -> SnapshotElement {
        SnapshotElement {
            role: role.into(),
            name: name.into(),
            target: (number > 0).then_some(Ref(number)),
            ..SnapshotElement::default()
        }
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
        let (mut observer, secrets) = (PageObserver::default(), Secrets::default());
        let first = observer.show(&page, false, "k", &secrets);
        let begin =
            "View 1, whole:\n<page-text label=\"k1\">\ntitle: \"A\"\naddress: https://a.example/\nlink";
        assert!(first.whole && first.text.starts_with(begin), "{}", first.text);
        assert!(
            first
                .text
                .ends_with("\nlink \"page 39\" [ref=E39]\n</page-text label=\"k1\">")
        );
        let second = observer.show(&page, false, "k", &secrets);
        assert_eq!(
            (second.whole, second.text.as_str()),
            (
                false,
                "View 2, no change since 1: go on with what is next, or finish."
            )
        );
        assert_eq!(first.page, second.page);
        page.nodes.push(element("alert", "saved", 0));
        let third = observer.show(&page, false, "k", &secrets);
        assert!(!third.whole && third.page != first.page);
        assert_eq!(
            third.text,
            "View 3, changes since 2:\n<page-text label=\"k3\">\n= link \"page 39\" [ref=E39]\n\
             + alert \"saved\"\n</page-text label=\"k3\">"
        );
        page.url = Some("https://a.example/b".parse().unwrap());
        assert!(observer.show(&page, false, "k", &secrets).whole);
    }

    #[test]
    fn a_page_that_does_not_fit_says_which_part_is_shown() {
        let mut page = Snapshot {
            nodes: (1..2000).map(|it| element("link", "an article", it)).collect(),
            in_view: Some((0, 9)),
            ..Snapshot::default()
        };
        let (mut observer, secrets) = (PageObserver::default(), Secrets::default());
        let first = observer.show(&page, false, "k", &secrets).text;
        let head = "View 1, whole; in view now: lines 0 to ";
        assert!(first.starts_with(head) && first.contains(" of 1999:"), "{first}");
        page.in_view = Some((1000, 1009));
        let second = observer.show(&page, false, "k", &secrets);
        assert!(!second.whole);
        assert!(
            second
                .text
                .starts_with("View 2, changes since 1; in view now: lines 1000 to "),
            "{}",
            second.text
        );
        page.in_view = Some((0, 9));
        let third = observer.show(&page, false, "k", &secrets).text;
        assert!(
            third.starts_with("View 3, no change since 2; in view now: lines 0 to "),
            "{third}"
        );
    }
}
