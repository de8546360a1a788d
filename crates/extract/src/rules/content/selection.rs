//! Selection of the blocks to keep: a threshold, then rules against comments, copies and empty headings.
//!
//! The threshold follows from the probabilities alone: blocks are kept from the likeliest on as long as that raises the expected F1
//! of the words kept. Where everything is clear it lies near one half, and lower the less is clear, since a lost block then
//! costs more than a spare one (Lipton, Elkan and Naryanaswamy 2014, Optimal thresholding of classifiers to maximize F1).

use super::super::answers;
use super::super::page_kind::{KindSignals, PageKind};
use super::super::vocabulary::{class_bit, class_bits, phrase_bit};
use super::block::TextBlock;
use super::copies;
use super::element::{self, BlockTag, OutlineElement};
use super::hashing::HashMap64;
use super::outline::BlockOutline;
use super::repetition::BlockWords;
use super::templates;
use super::totals::{PageTotals, share};
use page::dom::{Node, NodeId};

/// Blocks less likely than this do not count, as long as there are others: a page may hold thousands of words of terms and menus of
/// which each is a little likely. Of 0 to 0.3, 0.15 was best for the pages of hosts left out.
const LEAST: f32 = 0.15;
/// Longer lines are no bylines, in words.
const BYLINE: u32 = 8;

/// Whether each block is kept.
pub(crate) fn select(
    outline: &BlockOutline<'_>,
    totals: &PageTotals,
    words: &BlockWords,
    signals: &KindSignals,
    probabilities: &[f32],
    strictness: f32,
) -> Vec<bool> {
    let probabilities = &*templates::pooled(outline, probabilities);
    let enough = strictness * best_threshold(outline, probabilities);
    let mut is_kept: Vec<bool> = (0..outline.blocks.len())
        .map(|at| {
            probabilities
                .get(at)
                .is_some_and(|probability| *probability >= enough)
        })
        .collect();
    templates::keep_between(outline, probabilities, enough, &mut is_kept);
    keep_terms(outline, &mut is_kept);
    keep_tables(outline, &mut is_kept);
    keep_answers(outline, &mut is_kept);
    let is_text = matches!(
        signals.best(),
        PageKind::Article | PageKind::Documentation | PageKind::Forum
    );
    if is_text {
        keep_code(outline, &mut is_kept);
    }
    if has_foreign_comments(signals) {
        drop_comments(outline, totals, &mut is_kept);
    }
    drop_frame_header(outline, totals, &mut is_kept);
    if signals
        .probabilities
        .first()
        .is_some_and(|article| *article > 0.5)
    {
        drop_hidden(outline, totals, &mut is_kept);
        drop_bylines(outline, totals, &mut is_kept);
    }
    drop_consent(outline, totals, &mut is_kept);
    drop_page_turners(outline, totals, &mut is_kept);
    copies::drop_copies(outline, words, is_text, &mut is_kept);
    drop_last_headings(totals, &mut is_kept);
    is_kept
}

/// Longest block of a table of data, in words; a table with longer ones lays the page out.
const LONGEST_CELL: u32 = 60;
/// The share of the words of a table of which all is kept.
const OF_TABLE: f32 = 0.5;

/// The cells of a table of data share one fate: figures say nothing without the heads of their rows and columns. So does a table
/// between two texts that are kept.
fn keep_tables(outline: &BlockOutline<'_>, is_kept: &mut [bool]) {
    let table_of = |at: usize| {
        let mut around = outline.around(outline.blocks.get(at)?.element);
        around
            .find(|(_, element)| element.tag == BlockTag::Table)
            .map(|(id, _)| id)
    };
    let tables: Vec<Option<u32>> = (0..outline.blocks.len()).map(table_of).collect();
    let mut sizes: HashMap64<u32, TableSize> = HashMap64::default();
    for (at, ((block, table), is_kept)) in outline.blocks.iter().zip(&tables).zip(is_kept.iter()).enumerate()
    {
        let Some(table) = table else { continue };
        let size = sizes.entry(*table).or_insert(TableSize {
            first: at,
            ..TableSize::default()
        });
        size.last = at;
        size.words += block.words;
        size.kept += if *is_kept { block.words } else { 0 };
        size.longest = block.words.max(size.longest);
    }
    let is_kept_at = |at: Option<usize>| at.and_then(|at| is_kept.get(at)) == Some(&true);
    sizes.retain(|_, size| {
        let is_told = size.kept > 0 && size.kept as f32 >= OF_TABLE * size.words as f32;
        let is_between = is_kept_at(size.first.checked_sub(1)) && is_kept_at(Some(size.last + 1));
        size.longest <= LONGEST_CELL && (is_told || is_between)
    });
    for (table, is_kept) in tables.iter().zip(is_kept.iter_mut()) {
        *is_kept |= table.is_some_and(|table| sizes.contains_key(&table));
    }
}

/// What of a table is kept, in words, and where its blocks stand.
#[derive(Default)]
struct TableSize {
    words: u32,
    kept: u32,
    /// Words of the longest block.
    longest: u32,
    first: usize,
    last: usize,
}

/// Most elements between a term and its description.
const MOST_BETWEEN: usize = 64;

/// A term whose description is kept is kept, and so is all of a list of terms of which at least half is: a last line of figures says
/// what the others do.
fn keep_terms(outline: &BlockOutline<'_>, is_kept: &mut [bool]) {
    let mut lists: HashMap64<u32, (u32, u32)> = HashMap64::default();
    let words_of = |element: &OutlineElement<'_>, is_kept: &[bool]| {
        let blocks = element.from as usize..element.to as usize;
        let blocks = outline
            .blocks
            .get(blocks.clone())
            .unwrap_or_default()
            .iter()
            .zip(is_kept.get(blocks).unwrap_or_default());
        blocks.fold((0, 0), |(all, kept), (block, is_kept)| {
            (all + block.words, kept + if *is_kept { block.words } else { 0 })
        })
    };
    let of_terms = |element: &&OutlineElement<'_>| matches!(element.tag, BlockTag::Dt | BlockTag::Dd);
    for element in outline.elements.iter().filter(of_terms) {
        let (all, kept) = words_of(element, is_kept);
        let list = lists.entry(element.parent).or_default();
        *list = (list.0 + all, list.1 + kept);
    }
    lists.retain(|_, (all, kept)| *kept > 0 && *kept as f32 >= OF_TABLE * *all as f32);
    for element in outline.elements.iter().filter(of_terms) {
        let (words, _) = words_of(element, is_kept);
        if words <= LONGEST_CELL && lists.contains_key(&element.parent) {
            let own = is_kept.get_mut(element.from as usize..element.to as usize);
            own.unwrap_or_default().fill(true);
        }
    }
    for (at, element) in outline.elements.iter().enumerate() {
        if element.tag != BlockTag::Dt {
            continue;
        }
        let behind = outline.elements.iter().skip(at + 1);
        let mut beside = behind
            .take(MOST_BETWEEN)
            .take_while(|other| other.parent >= element.parent)
            .filter(|other| other.parent == element.parent);
        let Some(description) = beside.find(|other| other.tag == BlockTag::Dd) else {
            continue;
        };
        let is_described = words_of(description, is_kept).1 > 0;
        let own = is_kept.get_mut(element.from as usize..element.to as usize);
        if let Some(own) = own.filter(|_| is_described) {
            own.fill(true);
        }
    }
}

/// The share of the words of a block of an answer that stand in links from which on it says who answers, or what else can be done.
const LINKED: f32 = 0.5;

/// Where a page has a question, what its answers say is content, however short they are.
fn keep_answers(outline: &BlockOutline<'_>, is_kept: &mut [bool]) {
    let is_kept_question = |element: &OutlineElement<'_>| {
        let blocks = element.from as usize..element.to as usize;
        answers::is_question(element.node) && is_kept.get(blocks).unwrap_or_default().contains(&true)
    };
    if !outline.elements.iter().any(is_kept_question) {
        return;
    }
    let beside = BESIDE_ANSWERS
        .map(class_bit)
        .into_iter()
        .fold(0, |bits, bit| bits | bit);
    let is_beside = |element: &OutlineElement<'_>| {
        element.class_bits & beside != 0
            || matches!(element.tag, BlockTag::Form | BlockTag::Aside | BlockTag::Nav)
    };
    for (block, is_kept) in outline.blocks.iter().zip(is_kept.iter_mut()) {
        let told = block.words.saturating_sub(block.button_words + block.label_words);
        let is_told = told > 0
            && share(block.link_words as f32, block.words as f32) < LINKED
            && block.hidden_words < block.words;
        if *is_kept || !is_told {
            continue;
        }
        let mut around = outline.around(block.element);
        *is_kept = around
            .find(|(_, element)| answers::is_answer(element.node) || is_beside(element))
            .is_some_and(|(_, element)| !is_beside(element));
    }
}

/// Class names of what is no part of an answer, though it may stand in it or be called after it.
const BESIDE_ANSWERS: [&str; 7] = [
    "comment",
    "ad",
    "related",
    "sidebar",
    "newsletter",
    "aside",
    "share",
];

/// Levels above a block at which preformatted text is looked for.
const LEVELS: usize = 3;

/// Preformatted text between two blocks that are kept, or right behind one beside which it stands, is kept: a listing of code belongs
/// to the text around it, though its words are none of prose. The labels of the pages leave most code out; whoever reads a tutorial
/// wants its code.
fn keep_code(outline: &BlockOutline<'_>, is_kept: &mut [bool]) {
    let is_code: Vec<bool> = outline
        .blocks
        .iter()
        .map(|block| {
            let mut around = outline.around(block.element).take(LEVELS);
            around.any(|(_, element)| element.tag == BlockTag::Pre)
        })
        .collect();
    let parent_of = |at: usize| {
        let block = outline.blocks.get(at)?;
        outline
            .elements
            .get(block.element as usize)
            .map(|element| element.parent)
    };
    let is_beside = |at: usize| {
        let before = at.checked_sub(1).and_then(parent_of);
        let block = outline.blocks.get(at);
        before.zip(block).is_some_and(|(before, block)| {
            let mut around = outline.around(block.element).take(LEVELS);
            around.any(|(_, element)| element.parent == before)
        })
    };
    let mut at = 0;
    while at < is_code.len() {
        let run = is_code.iter().skip(at).take_while(|is_code| **is_code).count();
        let end = at + run.max(1);
        let is_told = |at: Option<usize>| at.and_then(|at| is_kept.get(at)) == Some(&true);
        if run > 0 && is_told(at.checked_sub(1)) && (is_told(Some(end)) || is_beside(at)) {
            is_kept.get_mut(at..end).unwrap_or_default().fill(true);
        }
        at = end;
    }
}

/// The probability from which blocks are to be kept for the highest expected F1 of the words: half of that F1.
fn best_threshold(outline: &BlockOutline<'_>, probabilities: &[f32]) -> f32 {
    let mut blocks: Vec<(f32, f32)> = outline
        .blocks
        .iter()
        .zip(probabilities)
        .map(|(block, probability)| (*probability, (block.words as f32).max(1.0)))
        .collect();
    if blocks.iter().any(|(probability, _)| *probability >= LEAST) {
        blocks.retain(|(probability, _)| *probability >= LEAST);
    }
    let floor = blocks
        .iter()
        .map(|(probability, _)| *probability)
        .fold(LEAST, f32::min);
    blocks.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    let expected: f32 = blocks
        .iter()
        .map(|(probability, words)| probability * words)
        .sum();
    let (mut right, mut kept, mut best) = (0.0, 0.0, 0.0f32);
    for (probability, words) in blocks {
        right += probability * words;
        kept += words;
        best = best.max(share(2.0 * right, kept + expected));
    }
    (best / 2.0).max(floor)
}

/// Whether the comments below a page are none of its content: below what is surely an article, and below
/// what is likeliest neither a text nor a thread, a list or a thing for sale. Threads and pages of products are taken for articles with
/// little certainty.
fn has_foreign_comments(signals: &KindSignals) -> bool {
    let is_article = signals
        .probabilities
        .first()
        .is_some_and(|article| *article > 0.5);
    is_article || matches!(signals.best(), PageKind::Documentation | PageKind::Service)
}

/// The header of the site, without a heading of the page and outside of its main part, is not of the page, whatever it advertises, as
/// long as there is anything else.
fn drop_frame_header(outline: &BlockOutline<'_>, totals: &PageTotals, is_kept: &mut [bool]) {
    let is_heading = |element: &&OutlineElement<'_>| element.tag == BlockTag::Heading(1);
    let headings: Vec<NodeId> = outline
        .elements
        .iter()
        .filter(is_heading)
        .map(|element| element.node.id())
        .collect();
    let is_one = |_: u32, element: &OutlineElement<'_>| {
        let from = headings.partition_point(|heading| *heading < element.node.id());
        let holds_heading = headings
            .get(from)
            .is_some_and(|heading| *heading < element.node.end());
        let mut around = outline.around(element.parent);
        let is_part = |tag| matches!(tag, BlockTag::Main | BlockTag::Article | BlockTag::Section);
        element.tag == BlockTag::Header && !holds_heading && !around.any(|(_, above)| is_part(above.tag))
    };
    drop_marked(outline, totals, is_one, LEAST_BESIDE_HEADER, is_kept);
}

/// Fewest words that are left of a page without the header of its site.
const LEAST_BESIDE_HEADER: u32 = 60;

/// Comments under an article are not of it, as long as there is an article without them.
fn drop_comments(outline: &BlockOutline<'_>, totals: &PageTotals, is_kept: &mut [bool]) {
    let comments = comments(outline);
    let is_one = |id: u32, _: &OutlineElement<'_>| comments.get(id as usize) == Some(&true);
    drop_marked(outline, totals, is_one, 60, is_kept);
}

/// Most elements of a discussion among which its posts are looked for.
const MOST_IN_DISCUSSION: usize = 2_000;
/// Fewest posts of a discussion.
const FEWEST_POSTS: usize = 2;

/// Which elements are called comments. A word that names a chapter of a paper as well, such as "discussion", makes comments only of
/// what has a form to answer with, or posts of which each says who wrote it or when.
fn comments(outline: &BlockOutline<'_>) -> Vec<bool> {
    let (comment, user) = (class_bit("comment"), class_bit("user") | class_bit("byline"));
    let elements = outline.elements.iter().enumerate();
    let is_one = |(at, element): (usize, &OutlineElement<'_>)| {
        if element.class_bits & comment == 0 {
            return false;
        }
        if !is_called_as_chapter(element.node) {
            return true;
        }
        let inside = outline.elements.iter().skip(at + 1).take(MOST_IN_DISCUSSION);
        let inside = inside.take_while(|inner| inner.node.id() < element.node.end());
        let mut posts = 0;
        let mut open_until = None;
        for inner in inside {
            if inner.tag == BlockTag::Form
                || inner.class_bits & comment != 0 && !is_called_as_chapter(inner.node)
            {
                return true;
            }
            if inner.alike > 1 && inner.breaks {
                open_until = Some(inner.node.end());
            }
            let is_in_post = open_until.is_some_and(|end| inner.node.id() < end);
            if is_in_post && (inner.tag == BlockTag::Time || inner.class_bits & user != 0) {
                posts += 1;
                open_until = None;
            }
        }
        posts >= FEWEST_POSTS
    };
    elements.map(is_one).collect()
}

/// Words for comments that chapters of papers and parts of other texts are called by, too.
const CHAPTERS: [&str; 2] = ["discussion", "respond"];

/// Whether all names of an element that mean comments are words for a chapter of a text.
fn is_called_as_chapter(node: Node<'_>) -> bool {
    let comment = class_bit("comment");
    let names = node.attrs().filter(|(name, _)| element::is_name(name));
    let mut words = names.flat_map(|(_, value)| value.split(|c: char| !c.is_alphabetic()));
    words.all(|word| {
        let small = word.to_ascii_lowercase();
        class_bits(word) & comment == 0 || CHAPTERS.iter().any(|chapter| small.starts_with(chapter))
    })
}

/// A short line above the text that names its author is not of the text.
fn drop_bylines(outline: &BlockOutline<'_>, totals: &PageTotals, is_kept: &mut [bool]) {
    let (class, phrase) = (class_bit("byline"), phrase_bit("byline"));
    for (block, is_kept) in outline
        .blocks
        .iter()
        .zip(is_kept.iter_mut())
        .take(totals.first_prose.min(outline.blocks.len()))
    {
        let mut around = outline.around(block.element).take(2);
        let is_marked = around.any(|(_, element)| element.class_bits & class != 0);
        if is_marked && block.words <= BYLINE && block.shape.phrase_bits & phrase != 0 {
            *is_kept = false;
        }
    }
}

/// A dialog that asks for consent is not of the page, as long as there is anything else.
fn drop_consent(outline: &BlockOutline<'_>, totals: &PageTotals, is_kept: &mut [bool]) {
    let consent = class_bit("consent");
    let is_one = |_: u32, element: &OutlineElement<'_>| element.class_bits & consent != 0;
    drop_marked(outline, totals, is_one, 20, is_kept);
}

/// Fewest words that are left of an article without what is hidden in it.
const LEAST_SHOWN: u32 = 100;

/// What the classes of an article hide until a script shows it, such as what subscribers have: `hidden`, and not `hidden md:block`,
/// which is shown on wide screens.
fn drop_hidden(outline: &BlockOutline<'_>, totals: &PageTotals, is_kept: &mut [bool]) {
    let is_closed = |_: u32, element: &OutlineElement<'_>| {
        let mut classes = element.node.classes();
        let is_hidden = classes.any(|class| matches!(class, "hidden" | "d-none"));
        let is_variant = |class: &str| class.contains(':') || (class.starts_with("d-") && class != "d-none");
        is_hidden && !element.node.classes().any(is_variant)
    };
    drop_marked(outline, totals, is_closed, LEAST_SHOWN, is_kept);
}

/// Most words of a header or footer of links to the pages before and behind.
const PAGE_TURNER: f32 = 60.0;
/// Levels above a block at which such an element is looked for: a cell, its row, the table and its box.
const TURNER_LEVELS: usize = 8;

/// Where a link leads in the order of the pages of a manual, by its relation or its key.
fn turn_of(link: Node<'_>) -> Option<u8> {
    let relation = link.attr("rel").unwrap_or_default().to_ascii_lowercase();
    let relation = relation.split_ascii_whitespace().find_map(|word| match word {
        "prev" | "previous" => Some(b'p'),
        "next" => Some(b'n'),
        "up" => Some(b'u'),
        "start" | "home" | "contents" => Some(b'h'),
        _ => None,
    });
    let key = || match link.attr("accesskey").map(str::as_bytes) {
        Some([key]) => Some(key.to_ascii_lowercase()).filter(|key| b"pnuh".contains(key)),
        _ => None,
    };
    relation.or_else(key)
}

/// The headers and footers of the pages of a manual lead to the pages before and behind, up and home; the titles in them are those
/// of other pages.
fn drop_page_turners(outline: &BlockOutline<'_>, totals: &PageTotals, is_kept: &mut [bool]) {
    let links = outline.elements.iter().map(|element| element.node);
    let turns: Vec<(NodeId, u8)> = links
        .filter(|node| node.is("a"))
        .filter_map(|link| Some((link.id(), turn_of(link)?)))
        .collect();
    let has_turns = |node: Node<'_>| {
        let from = turns.partition_point(|(link, _)| *link < node.id());
        let inside = || turns.iter().skip(from).take_while(|(link, _)| *link < node.end());
        let has = |turn: u8| inside().any(|(_, other)| *other == turn);
        (has(b'p') || has(b'n')) && inside().any(|(_, turn)| inside().any(|(_, other)| other != turn))
    };
    if turns.len() < 2 {
        return;
    }
    let is_turner = |block: &TextBlock| {
        let mut around = outline.around(block.element).take(TURNER_LEVELS);
        around.any(|(_, element)| {
            let sums = totals.of(element);
            sums.prose == 0.0 && sums.words <= PAGE_TURNER && has_turns(element.node)
        })
    };
    let turners: Vec<bool> = outline.blocks.iter().map(is_turner).collect();
    // A page that leads on and says nothing else is what it is.
    if is_kept
        .iter()
        .zip(&turners)
        .any(|(is_kept, turner)| *is_kept && !*turner)
    {
        for (is_kept, turner) in is_kept.iter_mut().zip(turners) {
            *is_kept &= !turner;
        }
    }
}

/// Drops the blocks in elements that are such ones and not most of the page, as long as more than `least` words are left.
fn drop_marked(
    outline: &BlockOutline<'_>,
    totals: &PageTotals,
    is_one: impl Fn(u32, &OutlineElement<'_>) -> bool,
    least: u32,
    is_kept: &mut [bool],
) {
    let marked: Vec<bool> = outline
        .blocks
        .iter()
        .map(|block| {
            let near = outline
                .around(block.element)
                .find(|(id, element)| is_one(*id, element));
            near.is_some_and(|(_, element)| share(totals.of(element).words, totals.total.words) < 0.85)
        })
        .collect();
    let left: u32 = (outline.blocks.iter().zip(is_kept.iter()).zip(&marked))
        .filter(|((_, is_kept), marked)| **is_kept && !**marked)
        .map(|((block, _), _)| block.words)
        .sum();
    if left > least {
        for (is_kept, marked) in is_kept.iter_mut().zip(&marked) {
            *is_kept &= !marked;
        }
    }
}

/// A heading with nothing kept after it heads what was left out.
fn drop_last_headings(totals: &PageTotals, is_kept: &mut [bool]) {
    let kept_at: Vec<usize> = is_kept
        .iter()
        .enumerate()
        .filter(|(_, is_kept)| **is_kept)
        .map(|(at, _)| at)
        .collect();
    for at in kept_at.into_iter().skip(1).rev() {
        if totals.heading.get(at).is_none_or(|level| *level < 2) {
            break;
        }
        if let Some(is_kept) = is_kept.get_mut(at) {
            *is_kept = false;
        }
    }
}
