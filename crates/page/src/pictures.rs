//! Addresses of pictures, also of those that a script loads later.

use crate::dom::Node;
use html5ever::local_name;

/// Where pages keep the address of an image until it is scrolled into view.
const LAZY: &str = "data-src data-original data-original-src data-lazy-src data-lazy data-actualsrc data-hi-res-src data-url \
    data-image";
/// Those of them that have no other meaning: what stands in `src` beside them is a small or empty picture.
const LOADED_LATER: [&str; 6] = [
    "data-src",
    "data-original",
    "data-original-src",
    "data-lazy-src",
    "data-lazy",
    "data-actualsrc",
];
const LAZY_SETS: [&str; 3] = ["data-srcset", "data-lazy-srcset", "srcset"];
/// Parts of the file names of placeholders.
const PLACEHOLDERS: &str = "blank. spacer placeholder transparent pixel. 1x1 lazy loading. grey. gray.";

/// The address of an image as the page writes it: its own, unless another one is loaded in its place by a script. `None` where it has none
/// but a picture within the address (`data:`).
pub fn address<'a>(node: Node<'a>) -> Option<&'a str> {
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

fn lazy(node: Node<'_>) -> Option<&str> {
    let single = LAZY
        .split(' ')
        .find_map(|name| node.attr(name).map(str::trim).filter(|src| is_address(src)));
    single.or_else(|| LAZY_SETS.iter().find_map(|name| largest(node.attr(name)?)))
}

/// Whether the page says that `src` is not the real picture.
fn looks_lazy(node: Node<'_>) -> bool {
    let is_named = |name: &str| node.attr(name).is_some_and(|address| !address.trim().is_empty());
    let is_lazy = || node.classes().any(|class| class.contains("lazy"));
    LOADED_LATER.iter().any(|name| is_named(name)) || (is_lazy() && LAZY.split(' ').any(is_named))
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

/// The candidate of a `srcset` with the greatest width or density. An address may have commas of its own.
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

#[cfg(test)]
mod tests {
    use crate::Page;

    fn address(html: &str) -> Option<String> {
        let page = Page::new(html, None);
        let image = page.dom().by_tag("img").next()?;
        super::address(image).map(str::to_owned)
    }

    #[test]
    fn an_address_with_commas_is_one_address() {
        let set = "https://cdn.example/w_300,h_200/a.jpg 1x, https://cdn.example/w_600,h_400/a.jpg 2x";
        let html = format!("<img srcset='{set}'>");
        assert_eq!(
            address(&html).as_deref(),
            Some("https://cdn.example/w_600,h_400/a.jpg")
        );
    }

    #[test]
    fn what_is_loaded_later_goes_before_what_holds_its_place() {
        for (html, wanted) in [
            ("<img src=/tiny/a.jpg data-src=/full/a.jpg>", Some("/full/a.jpg")),
            (
                "<img class=lazyload src=/tiny/a.jpg data-image=/full/a.jpg>",
                Some("/full/a.jpg"),
            ),
            ("<img src=/a.jpg data-url=/page>", Some("/a.jpg")),
            ("<img class=lazy src=/a.jpg srcset='/s.jpg 300w'>", Some("/a.jpg")),
            (
                "<img src='data:image/gif;base64,R0' data-srcset='/a.jpg 300w, /b.jpg 600w'>",
                Some("/b.jpg"),
            ),
            ("<img src='data:image/gif;base64,R0'>", None),
            ("<img alt=lamp>", None),
        ] {
            assert_eq!(address(html).as_deref(), wanted, "{html}");
        }
    }
}
