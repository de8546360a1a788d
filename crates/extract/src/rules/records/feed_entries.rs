//! Entries of a page that is a feed and says so by its classes (microformats: `h-feed` and `h-entry`, see
//! <https://microformats.org/wiki/h-feed>).
//!
//! RSS, Atom and site maps are read as such pages. Their entries need not be found, and what they say is known by name.

use page::Page;
use page::dom::{Node, NodeId};
use serde_json::{Map, Value};

/// Whether the page is a feed as a whole.
pub fn is_feed(page: &Page) -> bool {
    page.dom().body().is_some_and(|body| body.has_class("h-feed"))
}

/// The entries of a page that is a feed; none of other pages.
pub(super) fn entries(page: &Page) -> Vec<NodeId> {
    if !is_feed(page) {
        return Vec::new();
    }
    let entries = page.dom().nodes().filter(|node| node.has_class("h-entry"));
    entries.map(|node| node.id()).collect()
}

/// Gives an entry the fields that its classes name, in place of those that its place among the others tells.
pub(super) fn name_parts(page: &Page, root: Node<'_>, named: &mut Map<String, Value>) {
    let part = |class: &str| root.descendants().find(|node| node.has_class(class));
    let text = |class: &str| part(class).map(Node::text).filter(|text| !text.is_empty());
    let link = part("u-url").and_then(|link| page.absolute(link.attr("href")?));
    let day = part("dt-published").and_then(|day| day.attr("datetime").map(str::to_owned));
    if part("p-name").is_none() && link.is_none() {
        return;
    }
    let fields = [
        ("title", text("p-name")),
        ("url", link.map(String::from)),
        ("date", day.or_else(|| text("dt-published"))),
        ("author", text("p-author")),
        ("description", text("p-summary").or_else(|| text("e-content"))),
    ];
    for (name, value) in fields {
        match value {
            Some(value) => named.insert(name.to_owned(), Value::String(value)),
            None => named.remove(name),
        };
    }
}

#[cfg(test)]
mod tests {
    use page::Page;

    use crate::rules::rows;
    use crate::rules::visible_page::VisiblePage;

    fn entries(html: &str) -> Vec<[Option<String>; 4]> {
        let page = Page::new(html, "https://feed.example/".parse().ok());
        let rows = rows::read(&VisiblePage::of(&page)).into_iter();
        rows.map(|row| [row.title, row.url, row.author, row.description])
            .collect()
    }

    fn entry(title: &str, text: &str) -> String {
        format!(
            "<article class=h-entry><h2><a class='p-name u-url' href=/{title}>Post {title}</a></h2><p class='author p-author'>Ola Nor</p>\
             <time class=dt-published datetime=2026-11-24>24 Nov</time><div class='p-summary'>{text}</div></article>"
        )
    }

    #[test]
    fn a_feed_has_the_entries_that_it_names_however_few() {
        let read = |title: &str, text: &str| {
            [
                format!("Post {title}"),
                format!("https://feed.example/{title}"),
                "Ola Nor".to_owned(),
                text.to_owned(),
            ]
            .map(Some)
        };
        let one = entry("one", "From Monday on.");
        let head = "<title>Notices</title><body class=h-feed><h1>Notices</h1>";
        assert_eq!(entries(&format!("{head}{one}")), [read("one", "From Monday on.")]);
        let links: String = (0..8)
            .map(|n| format!("<li><a href=/i{n}>Part {n}</a></li>"))
            .collect();
        let lists = entry("two", &format!("<p>All of it.</p><ul>{links}</ul>"));
        let read: Vec<_> = entries(&format!("{head}{one}{lists}"))
            .into_iter()
            .map(|[title, url, ..]| (title, url))
            .collect();
        let wanted = ["one", "two"].map(|name| {
            let url = format!("https://feed.example/{name}");
            (Some(format!("Post {name}")), Some(url))
        });
        assert_eq!(read, wanted);
    }
}
