//! Pages that show a notice while a script leads on to another address.

use page::Page;

/// Most text, in bytes, of such a notice.
const MAX_NOTICE: usize = 400;
/// Most links of such a page: one for those without scripts, and the name of the site.
const MAX_LINKS: usize = 3;
/// Bytes of a script that are looked at.
const MAX_SCRIPT: usize = 20_000;

locale::patterns! {
    /// A statement that sets the address of the page's own window.
    static SETS_ADDRESS = r"(?:^|[^.\w$])(?:(?:window|document|self|globalThis)\s*\.\s*)?location\s*(?:\.\s*href\s*)?(?:=[^=]|\.\s*(?:assign|replace)\s*\()";
}

/// Whether a page that shows so many bytes of text is next to nothing and has a script that sets another address.
pub(super) fn leads_on(page: &Page, shown: usize) -> bool {
    let dom = page.dom();
    let sets_address = || {
        dom.by_tag("script")
            .filter(|script| script.attr("src").is_none())
            .any(|script| {
                let code = script.raw_text();
                let end = code.floor_char_boundary(MAX_SCRIPT);
                SETS_ADDRESS.is_match(code.get(..end).unwrap_or_default())
            })
    };
    let asks = || {
        dom.by_tag("input")
            .any(|field| field.attr("type") != Some("hidden"))
    };
    dom.by_tag("a").count() <= MAX_LINKS && shown < MAX_NOTICE && sets_address() && !asks()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_with_a_script_that_sets_the_address_leads_on() {
        let leads = |html: &str| {
            let page = Page::new(html.to_owned(), None);
            let shown = page.dom().body().map_or(0, |body| body.text().len());
            leads_on(&page, shown)
        };
        for script in [
            "setTimeout(()=>location.href=\"/list\",0)",
            "location = '/list'",
            "window.location.replace('/list')",
            "if (ready) document.location.href = next;",
        ] {
            assert!(
                leads(&format!("<p>One moment please</p><script>{script}</script>")),
                "{script}"
            );
        }
        for script in [
            "if (top !== self) top.location = self.location.href",
            "send(location.href)",
            "if (location.href == '/') begin()",
            "myLocation = 1",
        ] {
            assert!(
                !leads(&format!("<p>A short page</p><script>{script}</script>")),
                "{script}"
            );
        }
        let long = "The works at the river cast kettles of brass. ".repeat(20);
        assert!(!leads(&format!(
            "<p>{long}</p><script>location = '/list'</script>"
        )));
        assert!(!leads("<input name=password><script>location = '/list'</script>"));
    }
}
