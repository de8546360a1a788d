//! Framesets as pages: what `<noframes>` holds, and a link to each frame.

use crate::dom::Dom;

/// Most frames of a page that are named.
const MAX_FRAMES: usize = 100;

/// The HTML of a frameset as a page with a body; none for a page that has one.
pub(crate) fn as_body(html: &str, dom: &Dom) -> Option<String> {
    let frameset = dom.body().filter(|body| body.is("frameset"))?;
    let start = html
        .as_bytes()
        .windows(9)
        .position(|tag| tag.eq_ignore_ascii_case(b"<frameset"))?;
    let mut page = html.get(..start)?.to_owned();
    page.push_str("<body><main>");
    if let Some(shown) = dom.by_tag("noframes").map(|node| node.raw_text()).next() {
        page.push_str(&shown);
    }
    let frames = frameset.descendants().filter(|node| node.is("frame"));
    for frame in frames.take(MAX_FRAMES) {
        let Some(address) = frame.attr("src").map(str::trim).filter(|src| !src.is_empty()) else {
            continue;
        };
        let title = frame
            .attr("title")
            .map(str::trim)
            .filter(|title| !title.is_empty());
        let (address, text) = (escaped(address), escaped(title.unwrap_or(address)));
        page.push_str(&format!("<p>Frame: <a href=\"{address}\">{text}</a></p>"));
    }
    page.push_str("</main></body></html>");
    Some(page)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use crate::Page;
    use crate::markdown::render_page;

    #[test]
    fn a_frameset_shows_its_text_without_frames_and_links_to_its_frames() {
        let page = Page::new(
            "<html><head><title>T</title></head><FRAMESET cols='1,2'><frame src=menu.html><frameset><frame src='a.html?x=1&amp;y' \
             title='The \"text\"'></frameset><noframes><body><p>No frames. <a href=a.html>Text</a></body></noframes></frameset></html>",
            "https://site.example/old/".parse().ok(),
        );
        assert_eq!(
            render_page(&page),
            "No frames. [Text](https://site.example/old/a.html)\n\nFrame: [menu.html](https://site.example/old/menu.html)\n\n\
             Frame: [The \"text\"](https://site.example/old/a.html?x=1&y)"
        );
        assert_eq!(page.dom().by_tag("title").count(), 1);
    }

    #[test]
    fn a_page_with_a_body_keeps_it() {
        let page = Page::new("<body><p>a<frameset><frame src=x></frameset>", None);
        assert_eq!(render_page(&page), "a");
    }
}
