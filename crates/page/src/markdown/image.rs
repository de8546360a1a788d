//! Images, also those that a script would load later.

use super::link;
use crate::dom::Node;
use crate::page::Page;
use html5ever::local_name;

/// Where pages keep the address of an image until it is scrolled into view.
const LAZY: &str = "data-src data-original data-lazy-src data-lazy data-actualsrc data-hi-res-src data-url \
    data-image";
/// Parts of the file names of placeholders.
const PLACEHOLDERS: &str = "blank. spacer placeholder transparent pixel. 1x1 lazy loading. grey. gray.";
const LAZY_SETS: [&str; 3] = ["data-srcset", "data-lazy-srcset", "srcset"];

/// The Markdown of an image, from its `!`; none when it shows nothing.
pub(super) fn markdown(page: &Page, node: Node<'_>, absolute: bool, one_line: bool) -> Option<String> {
    if is_tracking_pixel(node) {
        return None;
    }
    let alt = link::lines(node.attr_local(&local_name!("alt")).unwrap_or(""));
    let source = source(node).and_then(|src| link::target(page, src, absolute))?;
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

/// The address of an image: its own, unless that is a stand-in for one to be loaded later.
pub(crate) fn source<'a>(node: Node<'a>) -> Option<&'a str> {
    let own = node
        .attr_local(&local_name!("src"))
        .map(str::trim)
        .filter(|src| !src.is_empty());
    if let Some(own) = own
        && !is_stand_in(own)
    {
        return lazy(node).filter(|_| looks_lazy(node)).or(Some(own));
    }
    lazy(node)
        .or_else(|| of_picture(node))
        .or(own.filter(|own| !is_data(own)))
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

fn lazy(node: Node<'_>) -> Option<&str> {
    let single = LAZY
        .split(' ')
        .find_map(|name| node.attr(name).map(str::trim).filter(|src| is_address(src)));
    single.or_else(|| LAZY_SETS.iter().find_map(|name| largest(node.attr(name)?)))
}

/// Whether the page says that `src` is not the real picture.
fn looks_lazy(node: Node<'_>) -> bool {
    node.classes().any(|class| class.contains("lazy"))
        && LAZY.split(' ').any(|name| node.attr(name).is_some())
}

/// The `<source>`s of the `<picture>` around an image.
fn of_picture(node: Node<'_>) -> Option<&str> {
    let picture = node.parent().filter(|parent| parent.is("picture"))?;
    picture
        .children()
        .filter(|child| child.is("source"))
        .find_map(|child| {
            ["srcset", "data-srcset"]
                .iter()
                .find_map(|name| largest(child.attr(name)?))
        })
}

/// The candidate of a `srcset` with the greatest width or density.
fn largest(set: &str) -> Option<&str> {
    let mut best: Option<(&str, f64)> = None;
    let mut rest = set.trim_start_matches([' ', ',', '\n', '\t', '\r']);
    while !rest.is_empty() {
        // An address ends at white space; a comma ends it only as its last character.
        let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        let (address, after) = rest.split_at(end);
        let (address, after, size) = match address.strip_suffix(',') {
            Some(bare) => (bare.trim_end_matches(','), after, ""),
            None => {
                let comma = after.find(',').unwrap_or(after.len());
                let (size, after) = after.split_at(comma);
                (address, after, size.trim())
            }
        };
        let size = size.trim_end_matches(['w', 'x', 'h']).parse().unwrap_or(1.0);
        if is_address(address) && best.is_none_or(|(_, most)| size > most) {
            best = Some((address, size));
        }
        rest = after.trim_start_matches([' ', ',', '\n', '\t', '\r']);
    }
    best.map(|(address, _)| address)
}

fn is_address(src: &str) -> bool {
    !src.is_empty() && !is_data(src) && !src.starts_with(['{', '[', '<'])
}

fn is_data(src: &str) -> bool {
    src.get(..5)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// Whether an address is of a picture that only holds the place.
fn is_stand_in(src: &str) -> bool {
    if is_data(src) || src.starts_with("about:") || src.starts_with('#') {
        return true;
    }
    let file = src
        .split(['?', '#'])
        .next()
        .unwrap_or(src)
        .rsplit('/')
        .next()
        .unwrap_or("")
        .to_ascii_lowercase();
    PLACEHOLDERS.split(' ').any(|word| file.contains(word))
}
