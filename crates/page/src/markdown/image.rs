//! Images in Markdown.

use super::link;
use crate::dom::Node;
use crate::page::Page;
use crate::pictures;
use html5ever::local_name;

/// The Markdown of an image, from its `!`; none when it shows nothing.
pub(super) fn markdown(page: &Page, node: Node<'_>, absolute: bool, one_line: bool) -> Option<String> {
    if is_tracking_pixel(node) {
        return None;
    }
    let alt = link::lines(node.attr_local(&local_name!("alt")).unwrap_or(""));
    let source = pictures::address(node).and_then(|src| link::target(page, src, absolute))?;
    let title = node.attr_local(&local_name!("title")).unwrap_or("");
    let title = if title.trim() == alt {
        String::new()
    } else {
        link::title(title)
    };
    let mut text = String::with_capacity(alt.len() + source.len() + title.len() + 5);
    text.push_str("![");
    for c in alt.chars() {
        match c {
            '\n' if one_line => text.push(' '),
            '[' | ']' | '*' | '_' | '`' | '\\' | '<' | '|' => {
                text.push('\\');
                text.push(c);
            }
            c => text.push(c),
        }
    }
    text.push_str("](");
    text.push_str(&source);
    if one_line {
        text.push_str(&title.replace('\n', " "))
    } else {
        text.push_str(&title)
    }
    text.push(')');
    Some(text)
}

/// Whether an element's own style hides it.
pub(super) fn is_hidden_by_style(node: Node<'_>) -> bool {
    let style = node.attr("style").unwrap_or("");
    style.contains("display:none") || style.contains("display: none")
}

/// Whether an image is a dot that nobody sees, which counts readers.
fn is_tracking_pixel(node: Node<'_>) -> bool {
    let is_dot = |name: &str| {
        let length = node.attr(name).map(|length| length.trim().trim_end_matches("px"));
        matches!(length, Some("0" | "1"))
    };
    is_dot("width") && is_dot("height")
        || is_hidden_by_style(node) && node.attr("alt").is_none_or(str::is_empty)
}
