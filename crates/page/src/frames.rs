//! Framesets as pages: what `<noframes>` holds, and a link to each frame.

use crate::dom::Dom;

/// Most frames of a page that are named.
const MAX_FRAMES: usize = 100;

/// The HTML of a frameset as a page with a body; none for a page that has one.
pub(crate) fn as_body(html: &str, dom: &Dom) -> Option<String> {
    let frameset = dom.body().filter(|body| body.is("frameset"))?;
    let mut page = head(html).unwrap_or_default().to_owned();
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

/// The HTML before the first frameset. Scripts, styles, titles and comments may mention one before.
fn head(html: &str) -> Option<&str> {
    let mut at = 0;
    loop {
        at += html.get(at..)?.find('<')?;
        let rest = html.get(at..)?.as_bytes();
        let is_tag = |name: &[u8]| {
            rest.get(1..=name.len())
                .is_some_and(|tag| tag.eq_ignore_ascii_case(name))
        };
        if is_tag(b"frameset") {
            return html.get(..at);
        }
        let end: &[u8] = if rest.starts_with(b"<!--") {
            b"-->"
        } else if is_tag(b"script") {
            b"</script"
        } else if is_tag(b"style") {
            b"</style"
        } else if is_tag(b"title") {
            b"</title"
        } else {
            b"<"
        };
        at += rest
            .windows(end.len())
            .position(|part| part.eq_ignore_ascii_case(end))?
            + usize::from(end == b"<");
    }
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
    fn a_frameset_that_the_head_mentions_is_not_the_first_one() {
        let page = Page::new(
            "<html><head><base href=/b/><!-- <frameset> --><script>if(x)document.write('<frameset rows=1>')</script><title>The <frameset></title></head>\
             <frameset cols='1,2'><frame src=a.html></frameset></html>",
            "https://site.example/".parse().ok(),
        );
        assert_eq!(
            render_page(&page),
            "Frame: [a.html](https://site.example/b/a.html)"
        );
    }

    #[test]
    fn a_page_with_a_body_keeps_it() {
        let page = Page::new("<body><p>a<frameset><frame src=x></frameset>", None);
        assert_eq!(render_page(&page), "a");
    }
}
