//! Frames of a page that came over the network: their documents are not in it.

use page::Page;
use page::dom::Node;
use url::Url;

use super::script_need::{is_not_displayed, yielded_text};

/// Bytes of text from which a page is worth reading without its frames: an introduction of four lines is shorter.
const ENOUGH_TEXT: usize = 400;
/// Frames of a smaller side, in CSS pixels, count visits and carry messages; nobody reads them.
const SMALLEST_SIDE: u32 = 32;
/// The area, in CSS pixels, from which a frame is what the page is for, whatever else the page says: a quarter of the usual view.
const LARGE_AREA: u32 = 250_000;
/// Most addresses that are named.
const MAX_UNREAD: usize = 5;

/// The addresses of frames that show something: all that are large, or all of a page that says little itself.
pub(super) fn unread(page: &Page) -> Vec<Url> {
    let shown: Vec<Node<'_>> = page
        .dom()
        .by_tag("iframe")
        .filter(|frame| is_shown(*frame))
        .collect();
    if shown.is_empty() {
        return Vec::new();
    }
    let is_short = yielded_text(page) < ENOUGH_TEXT;
    let mut unread = Vec::new();
    for frame in shown {
        let source = frame
            .attr("src")
            .map(str::trim)
            .filter(|source| !source.is_empty());
        let address = source.and_then(|source| page.absolute(source));
        let address = address.filter(|url| matches!(url.scheme(), "http" | "https"));
        if let Some(address) =
            address.filter(|address| (is_short || is_large(frame)) && !unread.contains(address))
        {
            unread.push(address);
        }
    }
    unread.truncate(MAX_UNREAD);
    unread
}

/// A side of a frame in CSS pixels, where its element gives it so.
fn side(frame: Node<'_>, name: &str) -> Option<u32> {
    let value = frame.attr(name)?.trim();
    value.strip_suffix("px").unwrap_or(value).parse().ok()
}

fn is_shown(frame: Node<'_>) -> bool {
    let is_small = |name| side(frame, name).is_some_and(|side| side < SMALLEST_SIDE);
    let is_hidden =
        |node: Node<'_>| node.attr("hidden").is_some() || node.is("noscript") || is_not_displayed(node);
    !(is_small("width") || is_small("height") || is_hidden(frame) || frame.ancestors().any(is_hidden))
}

fn is_large(frame: Node<'_>) -> bool {
    let area = side(frame, "width").zip(side(frame, "height"));
    area.is_some_and(|(width, height)| width.saturating_mul(height) >= LARGE_AREA)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(html: &str) -> Vec<String> {
        let page = Page::new(html.to_owned(), Url::parse("https://site.example/a/").ok());
        unread(&page).into_iter().map(String::from).collect()
    }

    #[test]
    fn frames_of_a_short_page_and_large_ones_are_named() {
        let frames = "<iframe src=list width=300 height=200></iframe><iframe src=/wide width=800 height=600px></iframe>";
        assert_eq!(
            addresses(&format!("<h1>Catalogue</h1>{frames}{frames}")),
            ["https://site.example/a/list", "https://site.example/wide"]
        );
        let long = "The works at the river cast kettles of brass. ".repeat(20);
        assert_eq!(
            addresses(&format!("<p>{long}</p>{frames}")),
            ["https://site.example/wide"]
        );
    }

    #[test]
    fn frames_that_nobody_sees_are_not_named() {
        let frames = "<iframe src=/a width=0 height=0></iframe><iframe src=/b hidden></iframe>
            <div style='display: none'><iframe src=/c></iframe></div><iframe src=about:blank></iframe><iframe></iframe>
            <noscript><iframe src=/d></iframe></noscript>";
        assert_eq!(addresses(frames), [""; 0]);
    }
}
