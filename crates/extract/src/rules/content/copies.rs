//! Copies: texts that a page says again, for other screens, in galleries and in quotes.

use super::element::BlockTag;
use super::hashing::{HashMap64, HashSet64};
use super::outline::BlockOutline;
use super::repetition::{BlockWords, trigram};

/// Blocks with fewer words may repeat: prices, names, labels.
const LONG: usize = 12;
/// The share of the words of a list that were said before, up to which the list is one of its own: the steps of a recipe below its story,
/// and those for another language, need all of their entries. Set by hand.
const COPIES_OF_LIST: f32 = 0.8;

/// What was kept before in other places of the page (copies for other screens, galleries, quotes of a whole post), whole or cut, is not
/// kept twice, except in the cells of tables and the entries of lists, which may well say nearly the same. Neighbours of one
/// parent that differ in a few words are rows of a list, and what stands right below a heading of its own is said of what that heading
/// names. Of a quote that is mostly a copy nothing stays, also not who said so.
pub(super) fn drop_copies(
    outline: &BlockOutline<'_>,
    words: &BlockWords,
    is_text: bool,
    is_kept: &mut [bool],
) {
    let mut seen = HashSet64::default();
    // The texts so far, with the parent of the first of each.
    let mut texts: HashMap64<u64, Option<u32>> = HashMap64::default();
    let mut headings = HashSet64::default();
    let mut last_hash = 0;
    let mut is_below_own_heading = false;
    // The words of each quote and of each list, and those of them that are copies.
    let mut quotes: HashMap64<u32, (u32, u32)> = HashMap64::default();
    let mut lists: HashMap64<u32, (u32, u32)> = HashMap64::default();
    // The list of the first place of each text, and the copies that stand in another list.
    let mut first_lists: HashMap64<u64, Option<u32>> = HashMap64::default();
    let mut told_again: Vec<(usize, u32)> = Vec::new();
    let parent_of = |at: usize| {
        let block = outline.blocks.get(at)?;
        outline
            .elements
            .get(block.element as usize)
            .map(|element| element.parent)
    };
    let holder = |at: usize, tag: BlockTag| {
        let block = outline.blocks.get(at)?;
        let mut around = outline.around(block.element);
        around.find(|(_, element)| element.tag == tag).map(|(id, _)| id)
    };
    let quote_of = |at: usize| holder(at, BlockTag::Quote);
    for (at, is_kept) in is_kept.iter_mut().enumerate().take(outline.blocks.len()) {
        let is_headed = std::mem::take(&mut is_below_own_heading);
        if !*is_kept {
            continue;
        }
        let own = words.of(at);
        // One that says something else, were it a name or a figure at its end, is a statement about another thing.
        let is_known = || own.windows(3).all(|three| seen.contains(&trigram(three)));
        let is_in = |tags: &[BlockTag]| {
            outline.blocks.get(at).is_some_and(|block| {
                let mut around = outline.around(block.element).take(3);
                around.any(|(_, element)| tags.contains(&element.tag))
            })
        };
        let parent = parent_of(at);
        let hash = outline.blocks.get(at).map_or(0, |block| block.shape.hash);
        let first_parent = texts.get(&hash).copied();
        let is_same = first_parent.is_some();
        texts.entry(hash).or_insert(parent);
        // Who writes "Eat every two hours" below each of several headings means it; a copy for other screens stands elsewhere or
        // right beside.
        let is_said_again = parent.is_some() && first_parent == Some(parent) && hash != last_hash;
        last_hash = hash;
        // What a table of contents said before is not said yet by the heading itself.
        let is_heading = outline.blocks.get(at).is_some_and(|block| {
            let mut around = outline.around(block.element).take(2);
            around.any(|(_, element)| matches!(element.tag, BlockTag::Heading(_)))
        });
        is_below_own_heading = is_heading && !is_same;
        let is_first_heading = is_text && is_heading && headings.insert(hash);
        let is_row = parent.is_some() && parent == at.checked_sub(1).and_then(parent_of) && !is_same;
        let is_code = || {
            outline.blocks.get(at).is_some_and(|block| {
                let mut around = outline.around(block.element);
                around.any(|(_, element)| element.tag == BlockTag::Pre)
            })
        };
        // A program says the same line as often as it has to, and the languages of an example share lines.
        let is_entry = || {
            is_in(&[BlockTag::Cell, BlockTag::HeadCell])
                || is_code()
                || (is_in(&[BlockTag::Li]) && !is_same)
                || is_first_heading
                || is_said_again
                || is_headed
        };
        let is_copy = own.len() >= LONG && !is_row && is_known() && !is_entry();
        if let Some(quote) = quote_of(at) {
            let (all, copies) = quotes.entry(quote).or_default();
            *all += own.len() as u32;
            *copies += if is_copy { own.len() as u32 } else { 0 };
        }
        let list = holder(at, BlockTag::List);
        let first_list = *first_lists.entry(hash).or_insert(list);
        if let Some(list) = list {
            let (all, copies) = lists.entry(list).or_default();
            *all += own.len() as u32;
            *copies += if is_copy { own.len() as u32 } else { 0 };
            if is_copy && first_list != Some(list) {
                told_again.push((at, list));
            }
        }
        if is_copy {
            *is_kept = false;
        } else {
            seen.extend(own.windows(3).map(trigram));
        }
    }
    for (at, list) in told_again {
        let is_list_of_its_own = lists
            .get(&list)
            .is_some_and(|(all, copies)| *copies as f32 <= COPIES_OF_LIST * *all as f32);
        if let Some(is_kept) = is_kept.get_mut(at).filter(|_| is_list_of_its_own) {
            *is_kept = true;
        }
    }
    quotes.retain(|_, (all, copies)| *copies * 2 > *all);
    if !quotes.is_empty() {
        for (at, is_kept) in is_kept.iter_mut().enumerate() {
            *is_kept &= quote_of(at).is_none_or(|quote| !quotes.contains_key(&quote));
        }
    }
}
