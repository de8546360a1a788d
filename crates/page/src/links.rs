//! The links of a page with their texts.

use crate::dom::{Node, NodeId};
use crate::page::Page;
use url::Url;

/// One link of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The `<a>` or `<area>`.
    pub node: NodeId,
    /// The absolute address.
    pub url: Url,
    /// The visible text; without any, the accessible name.
    pub text: String,
    /// Its `rel`, as written.
    pub rel: String,
}

/// The links of a page in document order, repeated ones too. Those that run a script are none.
pub fn links(page: &Page) -> Vec<Link> {
    links_in(page, page.dom().root())
}

/// The links inside a node.
pub fn links_in(page: &Page, root: Node<'_>) -> Vec<Link> {
    let mut walk = root.descendants();
    let mut links = Vec::new();
    while let Some(node) = walk.next() {
        if node.is("template") && node.is_hidden_by_tag() {
            walk.leave_out(node);
        } else if node.is("a") || node.is("area") {
            links.extend(link(page, node));
        }
    }
    links
}

fn link(page: &Page, node: Node<'_>) -> Option<Link> {
    let url = page.absolute(node.attr("href")?)?;
    if matches!(url.scheme(), "javascript" | "vbscript" | "data") {
        return None;
    }
    let rel = node.attr("rel").unwrap_or("").trim().to_owned();
    Some(Link {
        node: node.id(),
        url,
        text: link_text(node),
        rel,
    })
}

/// The visible text, else the label, the text of an image inside, or the title.
fn link_text(node: Node<'_>) -> String {
    let text = node.text();
    if !text.is_empty() {
        return text;
    }
    let image = || {
        node.descendants()
            .find_map(|inner| inner.attr("alt").filter(|alt| !alt.trim().is_empty()))
    };
    let named = node
        .attr("aria-label")
        .or_else(image)
        .or_else(|| node.attr("alt"))
        .or_else(|| node.attr("title"));
    named
        .map(|name| name.split_whitespace().collect::<Vec<_>>().join(" "))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(html: &str) -> Vec<(String, String, String)> {
        let page = Page::new(html, Url::parse("https://shop.example/a/b").ok());
        links(&page)
            .into_iter()
            .map(|it| (it.url.to_string(), it.text, it.rel))
            .collect()
    }

    fn check(html: &str, url: &str, text: &str) {
        assert_eq!(
            read(html),
            [(url.to_owned(), text.to_owned(), String::new())],
            "{html}"
        );
    }

    #[test]
    fn a_link_has_an_absolute_address_and_its_words() {
        check(
            "<a href=c?d=1>One <b>two</b>\n three</a>",
            "https://shop.example/a/c?d=1",
            "One two three",
        );
        check(
            "<base href=/x/><a href=' y '>z</a>",
            "https://shop.example/x/y",
            "z",
        );
        check(
            "<map><area href=/m alt=Map></map>",
            "https://shop.example/m",
            "Map",
        );
        check(
            "<a href=mailto:a@b.example>write</a>",
            "mailto:a@b.example",
            "write",
        );
    }

    #[test]
    fn a_link_without_words_is_called_as_the_page_calls_it() {
        check(
            "<a href=/cart aria-label='Your  cart'><svg></svg></a>",
            "https://shop.example/cart",
            "Your cart",
        );
        check(
            "<a href=/><img alt=Home src=h.png></a>",
            "https://shop.example/",
            "Home",
        );
    }

    #[test]
    fn what_leads_nowhere_is_no_link() {
        let none = "<a name=x>a</a><a href='javascript:void(0)'>b</a><a href='http://['>c</a><template><a href=/d>d</a></template>";
        assert_eq!(read(none), []);
    }

    #[test]
    fn rel_is_kept() {
        assert_eq!(read("<a rel='next nofollow' href=2>2</a>")[0].2, "next nofollow");
    }
}
