//! The whole of a description that the markup of a page cuts off: shops give search engines so many characters, wherever these end.

use super::element_source::element_source;
use super::visible_page::{VisiblePage, squeeze};
use crate::provenance::Sourced;

/// Fewest characters of a description that is looked for on the page: a shorter one stands in many lines.
const LEAST: usize = 60;
/// Most lines of a page that are looked at.
const MOST_LINES: usize = 4_000;
/// Most paragraphs of one description.
const MOST_PARAGRAPHS: usize = 12;

/// The lines of the page that begin as a description that ends within a sentence, if there are such.
pub(crate) fn read(view: &VisiblePage<'_>, description: &str) -> Option<Sourced<String>> {
    let cut = squeeze(description.trim_end_matches(['.', '…', ' ']));
    let is_whole =
        !description.ends_with(['…']) && !description.ends_with("...") && ends_sentence(description);
    if is_whole || cut.chars().count() < LEAST {
        return None;
    }
    let lines: Vec<_> = view.lines.iter().take(MOST_LINES).collect();
    let text = |at: usize| lines.get(at).map_or("", |line| view.lines.line_text(line));
    let found = (0..lines.len()).find_map(|first| Some((first, last_line(&text, first, &cut)?)));
    let (first, last) = found?;
    let whole: Vec<&str> = (first..=last).map(text).filter(|line| !line.is_empty()).collect();
    let block = lines.get(first)?.block;
    Some(Sourced::new(
        whole.join("\n"),
        element_source(view.dom().node(block)),
    ))
}

/// The line in which a description that begins with a line is cut; none where the lines say something else or end as it does.
fn last_line<'t>(text: &impl Fn(usize) -> &'t str, first: usize, cut: &str) -> Option<usize> {
    let mut rest = cut.trim_start();
    for at in first..first + MOST_PARAGRAPHS {
        let line = text(at).trim();
        if at == first && line.is_empty() {
            return None;
        }
        match rest.strip_prefix(line) {
            Some(behind) => rest = behind.trim_start(),
            // The last word may be cut, too.
            None => return (!rest.is_empty() && line.starts_with(rest)).then_some(at),
        }
    }
    None
}

fn ends_sentence(text: &str) -> bool {
    text.trim_end_matches(['"', '”', '“', '»', ')', '\''])
        .ends_with(['.', '!', '?', '。', '！', '？', ':'])
}

#[cfg(test)]
mod tests {
    use page::Page;

    use super::*;

    fn whole(description: &str) -> Option<String> {
        let text = "Dyes for baking come from plants here: beetroot, spirulina and turmeric give strong natural colours on the whole cake.";
        let html = format!("<main><h1>Dyes</h1><p>{text}</p><p>Four jars.</p></main>");
        read(&VisiblePage::of(&Page::new(html, None)), description).map(|found| found.value)
    }

    #[test]
    fn what_is_cut_is_read_whole() {
        let head = "Dyes for baking come from plants here: beetroot, spirulina and turmeric give str";
        for cut in [head.to_owned(), format!("{head}…"), format!("{head}...")] {
            assert!(
                whole(&cut).is_some_and(|text| text.ends_with("the whole cake.")),
                "{cut}"
            );
        }
        let two = "Dyes for baking come from plants here: beetroot, spirulina and turmeric give strong natural colours on the whole cake. Four j";
        assert!(whole(two).is_some_and(|text| text.ends_with("\nFour jars.")));
        // A teaser of its own, a whole sentence and a few words stay.
        assert_eq!(
            whole("Dyes of plants for cakes, creams and doughs, in four jars that close tightly, at our sh"),
            None
        );
        assert_eq!(whole("Dyes for baking come from plants here."), None);
        assert_eq!(whole("Dyes for baking come"), None);
    }
}
