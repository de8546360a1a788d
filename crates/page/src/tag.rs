//! Classes of elements by their tag alone: blocks, headings, lists, hidden ones.

use html5ever::{LocalName, local_name};

/// Whether a browser sets the element as a block (or a table part) when no style says otherwise.
pub(crate) fn is_block(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("address")
            | local_name!("article")
            | local_name!("aside")
            | local_name!("blockquote")
            | local_name!("body")
            | local_name!("caption")
            | local_name!("center")
            | local_name!("dd")
            | local_name!("details")
            | local_name!("dialog")
            | local_name!("dir")
            | local_name!("div")
            | local_name!("dl")
            | local_name!("dt")
            | local_name!("fieldset")
            | local_name!("figcaption")
            | local_name!("figure")
            | local_name!("footer")
            | local_name!("form")
            | local_name!("frameset")
            | local_name!("h1")
            | local_name!("h2")
            | local_name!("h3")
            | local_name!("h4")
            | local_name!("h5")
            | local_name!("h6")
            | local_name!("header")
            | local_name!("hgroup")
            | local_name!("hr")
            | local_name!("html")
            | local_name!("legend")
            | local_name!("li")
            | local_name!("listing")
            | local_name!("main")
            | local_name!("menu")
            | local_name!("nav")
            | local_name!("ol")
            | local_name!("optgroup")
            | local_name!("option")
            | local_name!("p")
            | local_name!("plaintext")
            | local_name!("pre")
            | local_name!("search")
            | local_name!("section")
            | local_name!("summary")
            | local_name!("table")
            | local_name!("tbody")
            | local_name!("td")
            | local_name!("tfoot")
            | local_name!("th")
            | local_name!("thead")
            | local_name!("tr")
            | local_name!("ul")
            | local_name!("xmp")
    )
}

/// The level of a heading.
pub(crate) fn heading_level(name: &LocalName) -> Option<u8> {
    match *name {
        local_name!("h1") => Some(1),
        local_name!("h2") => Some(2),
        local_name!("h3") => Some(3),
        local_name!("h4") => Some(4),
        local_name!("h5") => Some(5),
        local_name!("h6") => Some(6),
        _ => None,
    }
}

/// Whether the element is a list with items.
pub(crate) fn is_list(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("ul") | local_name!("ol") | local_name!("menu") | local_name!("dir")
    )
}

/// Whether text inside is never shown as part of the text around it.
pub(crate) fn is_hidden(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("script")
            | local_name!("style")
            | local_name!("noscript")
            | local_name!("head")
            | local_name!("title")
            | local_name!("iframe")
            | local_name!("noframes")
            | local_name!("noembed")
            | local_name!("object")
            | local_name!("datalist")
            | local_name!("select")
            | local_name!("textarea")
            | local_name!("canvas")
            | local_name!("svg")
    )
}
