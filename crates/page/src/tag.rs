//! Classes of elements by their tag alone: blocks, headings, lists, hidden ones.

use html5ever::{LocalName, local_name};

/// Whether an interned name is one of the tags.
macro_rules! is_one_of {
    ($name:expr, $($tag:tt)+) => {
        matches!(*$name, $(html5ever::local_name!($tag))|+)
    };
}
pub(crate) use is_one_of;

/// Whether a browser sets the element as a block (or a table part) when no style says otherwise.
pub(crate) fn is_block(name: &LocalName) -> bool {
    is_one_of!(
        name,
        "address" "article" "aside" "blockquote" "body" "caption" "center" "dd" "details" "dialog" "dir" "div"
        "dl" "dt" "fieldset" "figcaption" "figure" "footer" "form" "frameset" "h1" "h2" "h3" "h4" "h5" "h6"
        "header" "hgroup" "hr" "html" "legend" "li" "listing" "main" "menu" "nav" "ol" "optgroup" "option" "p"
        "plaintext" "pre" "search" "section" "summary" "table" "tbody" "td" "tfoot" "th" "thead" "tr" "ul" "xmp"
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
    is_one_of!(
        name,
        "script" "style" "noscript" "head" "title" "iframe" "noframes" "noembed" "object" "datalist" "select"
        "textarea" "canvas" "svg"
    )
}
