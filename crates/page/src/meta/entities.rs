//! Character references in text that is no HTML.

use crate::dom::Dom;

/// Turns the character references of HTML into characters, once.
pub fn decode_entities(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    // As the value of an attribute the text can neither open an element nor end early.
    let html = format!("<meta content=\"{}\">", text.replace('"', "&quot;"));
    let dom = Dom::parse(&html);
    let decoded = dom.by_tag("meta").find_map(|node| node.attr("content"));
    decoded.unwrap_or(text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_become_characters_once() {
        assert_eq!(
            decode_entities("Tom &amp; \"J&eacute;r&#244;me\" &amp;amp; <b>"),
            "Tom & \"Jérôme\" &amp; <b>"
        );
    }
}
