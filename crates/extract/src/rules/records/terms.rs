//! Entries of definition lists: one or several terms with one or several descriptions, which no element need hold.

use page::dom::Node;
use serde_json::{Map, Value};

use super::flat_tree::{FlatTree, Span};

/// Fewest entries of a list.
const FEWEST: usize = 2;
/// Fields of an entry that is more than a term and its description.
const OF_CARDS: [&str; 5] = ["price", "date", "author", "image", "rating"];
/// Most bytes of a name or a description.
const LONGEST: usize = 4_000;

/// Records that are parts of definition lists, as the whole entries of these lists where they cut them: a record that begins with a
/// description, or ends with a term. Other records stay as they are.
pub(super) fn whole(tree: &FlatTree<'_>, spans: Vec<Span>) -> Vec<Span> {
    let parts = |span: &Span| tree.neighbours(*span).map(|at| tree.tag(at)).collect::<Vec<_>>();
    let is_cut = |span: &Span| {
        let parts = parts(span);
        parts.first() == Some(&"dd") || parts.last() == Some(&"dt")
    };
    if !spans.iter().any(is_cut) {
        return spans;
    }
    let list_of = |span: &Span| {
        let parent = tree.element(span.from)?.parent;
        (tree.tag(parent) == "dl").then_some(parent)
    };
    let Some(mut lists) = spans.iter().map(list_of).collect::<Option<Vec<u32>>>() else {
        return spans;
    };
    lists.dedup();
    let entries: Vec<Span> = lists.iter().flat_map(|list| entries_of(tree, *list)).collect();
    if entries.len() < FEWEST { spans } else { entries }
}

/// The entries of a definition list: each run of terms with the descriptions behind it, and each element around such.
fn entries_of(tree: &FlatTree<'_>, list: u32) -> Vec<Span> {
    let mut entries: Vec<Span> = Vec::new();
    let mut before = "";
    for child in tree.children(list) {
        let (own, tag) = (tree.subtree(child), tree.tag(child));
        match (tag, before, entries.last_mut()) {
            ("dd", "dt" | "dd", Some(last)) | ("dt", "dt", Some(last)) => last.to = own.to,
            ("dt" | "div", ..) => entries.push(own),
            _ => {}
        }
        before = tag;
    }
    entries
}

/// Names the entries of a definition list by all of their terms, and describes them by all of their descriptions. Other records keep
/// their fields, and so do entries with prices, days or pictures.
pub(super) fn name_parts(roots_of: &[Vec<Node<'_>>], fields: &mut [Map<String, Value>]) {
    let Some(entries) = roots_of
        .iter()
        .map(|roots| Entry::of(roots))
        .collect::<Option<Vec<Entry>>>()
    else {
        return;
    };
    let are_cards = fields
        .iter()
        .any(|fields| OF_CARDS.iter().any(|name| fields.contains_key(*name)));
    // Terms that entries share are labels.
    let is_label = |entry: &Entry| entries.iter().filter(|other| other.terms == entry.terms).count() > 1;
    if are_cards || entries.iter().any(is_label) {
        return;
    }
    for (entry, fields) in entries.into_iter().zip(fields) {
        fields.insert("title".to_owned(), entry.terms.into());
        if !entry.descriptions.is_empty() {
            fields.insert("description".to_owned(), entry.descriptions.into());
        }
    }
}

/// What an entry says.
struct Entry {
    terms: String,
    descriptions: String,
}

impl Entry {
    /// Elements as an entry: terms and descriptions, or an element around them in a definition list. `None` for others.
    fn of(roots: &[Node<'_>]) -> Option<Entry> {
        let mut parts = roots.to_vec();
        if let [whole] = parts.as_slice()
            && whole.parent().is_some_and(|list| list.is("dl"))
            && !matches!(whole.tag(), "dt" | "dd")
        {
            parts = whole.children().filter(|child| child.is_element()).collect();
        }
        let is_in_turn = |pair: &[Node<'_>]| !matches!(pair, [one, next] if one.is("dd") && next.is("dt"));
        let are_parts = parts.iter().all(|part| matches!(part.tag(), "dt" | "dd"));
        if !are_parts || !parts.first()?.is("dt") || !parts.windows(2).all(is_in_turn) {
            return None;
        }
        let texts = |tag: &str, between: &str| {
            let texts = parts.iter().filter(|part| part.is(tag)).map(|part| part.text());
            let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
            let text = locale::collapse_whitespace(&texts.join(between));
            (text.len() <= LONGEST).then_some(text)
        };
        Some(Entry {
            terms: texts("dt", ", ").filter(|terms| !terms.is_empty())?,
            descriptions: texts("dd", " ")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use page::Page;

    use crate::rules::rows;
    use crate::rules::visible_page::VisiblePage;

    fn read(list: &str) -> Vec<[String; 2]> {
        let page = Page::new(format!("<h1>Glossary</h1><dl>{list}</dl>"), None);
        let rows = rows::read(&VisiblePage::of(&page)).into_iter();
        rows.map(|row| {
            assert!(row.facts.is_empty(), "{:?}", row.facts);
            [row.title, row.description].map(Option::unwrap_or_default)
        })
        .collect()
    }

    const BISQUE: [&str; 2] = ["Bisque", "Ware fired once."];
    const CONE: [&str; 2] = ["Cone, Pyrometric cone", "A measure of heat. Also a shape."];
    const ENGOBE: [&str; 2] = ["Engobe", "A coat of slip. Often white."];

    #[test]
    fn several_terms_and_several_descriptions_are_one_entry() {
        let bisque = "<dt>Bisque</dt><dd>Ware fired once.</dd>";
        let cone = "<dt>Cone</dt><dt>Pyrometric cone</dt><dd>A measure of heat.</dd><dd>Also a shape.</dd>";
        let engobe = "<dt>Engobe</dt><dd><p>A coat of slip.</p><p>Often white.</p></dd>";
        assert_eq!(read(&format!("{bisque}{cone}{engobe}")), [BISQUE, CONE, ENGOBE]);
        assert_eq!(
            read(&format!(
                "<div>{bisque}</div><div>{cone}</div><div>{engobe}</div>"
            )),
            [BISQUE, CONE, ENGOBE],
            "in elements of their own"
        );
        assert_eq!(
            read(&format!("{engobe}{cone}<div>{bisque}</div>")),
            [ENGOBE, CONE, BISQUE],
            "in both ways"
        );
    }
}
