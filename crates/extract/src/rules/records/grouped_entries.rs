//! Entries under the headings of a list: a calendar has an element for each day, most with one event and some with several.

use super::flat_tree::{FlatTree, Span};

/// Fewest groups that are judged.
const JUDGEABLE: usize = 3;
/// Most entries of one group.
const MOST_ENTRIES: usize = 30;
/// Share of the words of a group that its entries have, in per cent.
const OF_ENTRIES: u32 = 60;
/// Share of the entries that have a heading and a link, in per cent.
const NAMED: usize = 90;
/// Fewest words of an entry.
const SHORTEST: u32 = 4;

/// The entries within records that are groups of such, each with the place of its group; `None` where records are no groups. Cards
/// with lists of features are none: at least half of the groups have one entry, or nearly all entries have a heading and a link.
pub(super) fn within(tree: &FlatTree<'_>, spans: &[Span]) -> Option<Vec<(Span, usize)>> {
    if spans.len() < JUDGEABLE {
        return None;
    }
    let mut entries: Vec<(Span, usize)> = Vec::new();
    let mut single = 0;
    for (at, span) in spans.iter().enumerate() {
        let own = entries_of(tree, *span)?;
        single += usize::from(own.len() == 1);
        entries.extend(own.into_iter().map(|entry| (entry, at)));
    }
    let is_named = |entry: &&(Span, usize)| {
        let counts = tree.counts(entry.0);
        counts.headings > 0 && counts.links > 0
    };
    let named = entries.iter().filter(is_named).count();
    let are_groups = single * 2 >= spans.len() || named * 100 >= entries.len() * NAMED;
    (are_groups && entries.len() > spans.len()).then_some(entries)
}

/// The entries of a group: the members of the one list that makes up most of it.
fn entries_of(tree: &FlatTree<'_>, span: Span) -> Option<Vec<Span>> {
    let is_list = |at: &u32| matches!(tree.tag(*at), "ol" | "ul");
    let mut lists = tree.neighbours(span).filter(is_list);
    let list = lists.next().filter(|_| lists.next().is_none())?;
    let members: Vec<u32> = tree.children(list).collect();
    let are_entries = !members.is_empty()
        && members.len() <= MOST_ENTRIES
        && members.iter().all(|member| tree.tag(*member) == "li");
    let entries: Vec<Span> = members.into_iter().map(|member| tree.subtree(member)).collect();
    let words: Vec<u32> = entries.iter().map(|entry| tree.counts(*entry).words).collect();
    let is_most = words.iter().sum::<u32>() * 100 >= tree.counts(span).words * OF_ENTRIES;
    (are_entries && is_most && words.iter().all(|words| *words >= SHORTEST)).then_some(entries)
}
