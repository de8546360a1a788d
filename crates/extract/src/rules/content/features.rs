//! Features of the first pass: one row of numbers for each block.
//!
//! The order of the numbers is the order of the `put` calls; the weights were learned with it. Whoever adds, drops or
//! moves one trains again (`tools/train/content.py`).

use super::super::page_kind::KindSignals;
use super::super::vocabulary::{class_groups, phrase_groups};
use super::block::TextBlock;
use super::element::{BlockTag, NONE};
use super::feature_table::FeatureTable;
use super::hashing::HashMap64;
use super::metadata_overlap::MetadataOverlap;
use super::outline::BlockOutline;
use super::siblings::{SiblingGroup, SiblingGroups};
use super::totals::{PageTotals, share};

/// Features of the ancestors of a block, computed once for each element.
#[derive(Clone)]
struct AncestorFeatures {
    /// For each mark the share of the page's words in the nearest element with it; -1 for none.
    class_bits: [f32; 64],
    tags: [f32; 12],
    depth: f32,
    hidden: bool,
    unseen: bool,
    /// How many `<article>` elements lie around, and the words of the inner and of the outer one.
    articles: f32,
    inner_article: f32,
    outer_article: f32,
    list_item: bool,
    table: bool,
    pre: bool,
    /// The most alike siblings among the elements around, and what the group holds.
    alike: f32,
    alike_words: f32,
    alike_share: f32,
    alike_links: f32,
    alike_item: f32,
    above_top: f32,
}

/// The name of a landmark, and whether a tag is it.
type Landmark = (&'static str, fn(BlockTag) -> bool);

const LANDMARKS: [Landmark; 12] = [
    ("nav", |tag| tag == BlockTag::Nav),
    ("header", |tag| tag == BlockTag::Header),
    ("footer", |tag| tag == BlockTag::Footer),
    ("aside", |tag| tag == BlockTag::Aside),
    ("main", |tag| tag == BlockTag::Main),
    ("article", |tag| tag == BlockTag::Article),
    ("section", |tag| tag == BlockTag::Section),
    ("form", |tag| tag == BlockTag::Form),
    ("figure", |tag| {
        matches!(tag, BlockTag::Figure | BlockTag::Caption)
    }),
    ("quote", |tag| tag == BlockTag::Quote),
    ("list", |tag| tag == BlockTag::List),
    ("link", |tag| tag == BlockTag::Link),
];

impl AncestorFeatures {
    fn of(outline: &BlockOutline<'_>, totals: &PageTotals, element: u32) -> AncestorFeatures {
        let mut around = AncestorFeatures {
            class_bits: [-1.0; 64],
            tags: [-1.0; 12],
            depth: 0.0,
            hidden: false,
            unseen: false,
            articles: 0.0,
            inner_article: 0.0,
            outer_article: 0.0,
            list_item: false,
            table: false,
            pre: false,
            alike: 1.0,
            alike_words: 0.0,
            alike_share: 0.0,
            alike_links: 0.0,
            alike_item: 0.0,
            above_top: 0.0,
        };
        let total = totals.total.words.max(1.0);
        let top = outline
            .elements
            .get(totals.top as usize)
            .map(|top| (top.from, top.to));
        let mut seen = 0u64;
        for (level, (_, near)) in outline.around(element).enumerate() {
            if level == 0 {
                around.depth = f32::from(near.depth);
            }
            let sum = totals.of(near);
            let part = sum.words / total;
            let mut new = near.class_bits & !seen;
            seen |= near.class_bits;
            while new != 0 {
                let bit = new.trailing_zeros() as usize;
                new &= new - 1;
                if let Some(slot) = around.class_bits.get_mut(bit) {
                    *slot = part;
                }
            }
            for (slot, (_, is)) in around.tags.iter_mut().zip(LANDMARKS) {
                if *slot < 0.0 && is(near.tag) {
                    *slot = part;
                }
            }
            around.hidden |= near.hidden;
            around.unseen |= near.unseen;
            if near.tag == BlockTag::Article {
                if around.articles == 0.0 {
                    around.inner_article = sum.words;
                }
                around.articles += 1.0;
                around.outer_article = sum.words;
            }
            around.list_item |= near.tag == BlockTag::Li;
            around.table |= matches!(near.tag, BlockTag::Cell | BlockTag::HeadCell);
            around.pre |= near.tag == BlockTag::Pre;
            if level < 8 && near.alike as f32 > around.alike && sum.words > 0.0 {
                around.alike = near.alike as f32;
                around.alike_item = sum.words;
                around.alike_links = sum.link_density();
                let group = outline
                    .elements
                    .get(near.parent as usize)
                    .map(|parent| totals.of(parent))
                    .unwrap_or_default();
                around.alike_words = group.words / near.alike as f32;
                around.alike_share = group.words / total;
            }
            if let Some((from, to)) = top
                && !(near.from <= from && to <= near.to)
            {
                around.above_top += 1.0;
            }
        }
        around
    }
}

/// The longest word count distinguished, as a logarithm.
fn log(value: f32) -> f32 {
    (1.0 + value.max(0.0)).ln()
}

/// Fills the table of all blocks.
pub(crate) fn fill(
    table: &mut FeatureTable,
    outline: &BlockOutline<'_>,
    totals: &PageTotals,
    overlap: &MetadataOverlap,
    signals: &KindSignals,
    siblings: &SiblingGroups,
    shared: &SharedFeatures,
) {
    let mut copies: HashMap64<u64, u32> = HashMap64::default();
    for block in &outline.blocks {
        *copies.entry(block.shape.hash).or_default() += 1;
    }
    let groups = groups(outline, &shared.paths);
    let articles = ArticlesOfPage::read(outline, totals);
    let mut known: HashMap64<u32, AncestorFeatures> = HashMap64::default();
    let mut heading_at: Option<usize> = None;
    for (at, block) in outline.blocks.iter().enumerate() {
        let around = known
            .entry(block.element)
            .or_insert_with(|| AncestorFeatures::of(outline, totals, block.element));
        own(
            table,
            block,
            totals.heading.get(at).copied().unwrap_or(0),
            copies.get(&block.shape.hash).copied().unwrap_or(1),
        );
        ancestors(table, outline, block, around);
        position(table, outline, totals, at);
        if totals.heading.get(at).is_some_and(|level| *level > 0) {
            heading_at = Some(at);
        }
        last_heading(table, outline, totals, at, heading_at);
        scales(table, outline, totals, at, block);
        neighbours(table, outline, at);
        metadata_overlap(table, overlap, at);
        teasers(table, totals, siblings.teasers(outline, block.element));
        articles_of_page(table, &articles, around);
        let group = shared
            .paths
            .get(at)
            .and_then(|path| groups.get(path))
            .copied()
            .unwrap_or_default();
        table.put("path_count", group.0);
        table.put("path_words", share(group.1, group.0));
        table.put("path_share", share(group.1, totals.total.words));
        table.put("path_links", share(group.2, group.1));
        let repeated = shared.repeated_shares.get(at).copied().unwrap_or_default();
        table.put("echo", repeated.0);
        table.put("echo_before", repeated.1);
        table.put("hand", shared.heuristic.get(at).copied().unwrap_or(0.0));
        whole_page(table, totals, signals);
        table.end();
    }
}

/// Features that are computed for all blocks together.
pub(crate) struct SharedFeatures {
    /// Of which template each block is.
    pub(crate) paths: Vec<u64>,
    /// How much of each block stands elsewhere on the page, and before it.
    pub(crate) repeated_shares: Vec<(f32, f32)>,
    /// The probability of each block by hand-set weights.
    pub(crate) heuristic: Vec<f32>,
}

/// The `<article>` elements of a page.
struct ArticlesOfPage {
    count: f32,
    /// Words of the largest one.
    largest: f32,
}

impl ArticlesOfPage {
    fn read(outline: &BlockOutline<'_>, totals: &PageTotals) -> ArticlesOfPage {
        let mut articles = ArticlesOfPage {
            count: 0.0,
            largest: 0.0,
        };
        for element in outline
            .elements
            .iter()
            .filter(|element| element.tag == BlockTag::Article)
        {
            articles.count += 1.0;
            articles.largest = articles.largest.max(totals.of(element).words);
        }
        articles
    }
}

/// How many articles the page has, and whether the block lies in the largest.
fn articles_of_page(table: &mut FeatureTable, articles: &ArticlesOfPage, around: &AncestorFeatures) {
    table.put("articles", articles.count);
    table.put(
        "article_of_largest",
        share(around.inner_article, articles.largest),
    );
}

/// The nearest group of teasers around the block.
fn teasers(table: &mut FeatureTable, totals: &PageTotals, group: Option<&SiblingGroup>) {
    let total = totals.total;
    table.put("teasers", group.map_or(0.0, |group| group.members));
    table.put(
        "teaser_words",
        group.map_or(0.0, |group| share(group.sums.words, group.members)),
    );
    table.put(
        "teasers_share",
        group.map_or(0.0, |group| share(group.sums.words, total.words)),
    );
    table.put(
        "teasers_links",
        group.map_or(-1.0, |group| group.sums.link_density()),
    );
    table.put("teasers_prose", group.map_or(-1.0, SiblingGroup::prose));
    table.flag("teasers_headed", group.is_some_and(SiblingGroup::is_headed));
    table.flag("teasers_pictured", group.is_some_and(SiblingGroup::is_pictured));
    let before = group.map_or(-1.0, |group| {
        share(totals.over(0, group.from as usize).prose, total.prose)
    });
    table.put("prose_before_teasers", before);
    let after = group.map_or(-1.0, |group| {
        share(totals.over(group.to as usize, usize::MAX).prose, total.prose)
    });
    table.put("prose_after_teasers", after);
}

/// Blocks, words and words in links of each template.
fn groups(outline: &BlockOutline<'_>, paths: &[u64]) -> HashMap64<u64, (f32, f32, f32)> {
    let mut groups: HashMap64<u64, (f32, f32, f32)> = HashMap64::default();
    for (path, block) in paths.iter().zip(&outline.blocks) {
        let group = groups.entry(*path).or_default();
        *group = (
            group.0 + 1.0,
            group.1 + block.words as f32,
            group.2 + block.link_words as f32,
        );
    }
    groups
}

/// Features of the block itself.
fn own(table: &mut FeatureTable, block: &TextBlock, heading: u8, copies: u32) {
    let shape = &block.shape;
    let words = (block.words as f32).max(1.0);
    table.put("words", block.words as f32);
    table.put("chars_per_word", share(shape.chars as f32, words));
    table.put("link_density", share(block.link_words as f32, words));
    table.put("links", block.links as f32);
    table.put("stops", shape.stops as f32);
    table.put("commas", share(shape.commas as f32, words));
    table.put("numbers", share(shape.numbers as f32, words));
    table.put("capitals", share(shape.capitals as f32, words));
    table.put("shouting", share(shape.upper as f32, shape.letters as f32));
    table.put("bars", shape.bars as f32);
    table.put("money", shape.money as f32);
    table.flag("ends_in_stop", shape.ends_in_stop);
    table.flag("ends_in_colon", shape.ends_in_colon);
    table.flag("begins_small", shape.begins_small);
    table.flag("is_question", shape.is_question);
    table.put("bold", share(block.bold_words as f32, words));
    table.put("code", share(block.code_words as f32, words));
    table.put("button", share(block.button_words as f32, words));
    table.put("label", share(block.label_words as f32, words));
    table.put("time", share(block.time_words as f32, words));
    table.put("hidden_part", share(block.hidden_words as f32, words));
    table.put("heading", f32::from(heading));
    table.put("copies", copies as f32);
    for (bit, name) in phrase_groups().iter().enumerate() {
        table.put_named(|| format!("says_{name}"), ((shape.phrase_bits >> bit) & 1) as f32);
    }
}

/// Features of the elements around the block and of their names.
fn ancestors(
    table: &mut FeatureTable,
    outline: &BlockOutline<'_>,
    block: &TextBlock,
    around: &AncestorFeatures,
) {
    let tag = outline
        .elements
        .get(block.element as usize)
        .map_or(BlockTag::Other, |element| element.tag);
    let code = match tag {
        BlockTag::P => 1.0,
        BlockTag::Li => 2.0,
        BlockTag::Div | BlockTag::Other => 3.0,
        BlockTag::Span | BlockTag::Link => 4.0,
        BlockTag::Heading(_) => 5.0,
        BlockTag::Cell => 6.0,
        BlockTag::HeadCell => 7.0,
        BlockTag::Dt => 8.0,
        BlockTag::Dd => 9.0,
        BlockTag::Pre => 0.0,
        BlockTag::Caption => 10.0,
        BlockTag::Button | BlockTag::Label | BlockTag::Summary => 11.0,
        _ => 12.0,
    };
    table.put("tag", code);
    table.put("depth", around.depth);
    table.flag("hidden", around.hidden);
    table.flag("unseen", around.unseen);
    table.put("articles_around", around.articles);
    table.put(
        "article_in_article",
        share(around.inner_article, around.outer_article),
    );
    table.flag("list_item", around.list_item);
    table.flag("table", around.table);
    table.flag("pre", around.pre);
    table.put("alike", around.alike);
    table.put("alike_words", around.alike_words);
    table.put("alike_share", around.alike_share);
    table.put("alike_links", around.alike_links);
    table.put("alike_item", around.alike_item);
    table.put("above_top", around.above_top);
    for (value, (name, _)) in around.tags.iter().zip(LANDMARKS) {
        table.put(name, *value);
    }
    for (bit, (value, name)) in around.class_bits.iter().zip(class_groups()).enumerate() {
        let own = if block.class_bits >> bit & 1 == 1 {
            0.0
        } else {
            *value
        };
        table.put_named(|| format!("mark_{name}"), own);
    }
}

/// Position on the page.
fn position(table: &mut FeatureTable, outline: &BlockOutline<'_>, totals: &PageTotals, at: usize) {
    let blocks = outline.blocks.len().max(1) as f32;
    let before = totals.over(0, at);
    let total = totals.total;
    table.put("at", at as f32);
    table.put("at_share", at as f32 / blocks);
    table.put("words_before", share(before.words, total.words));
    table.put("prose_before", share(before.prose, total.prose));
    table.put(
        "from_h1",
        totals
            .first_h1
            .map_or(-1000.0, |h1| at as f32 - h1 as f32)
            .clamp(-1000.0, 1000.0),
    );
    let from_prose = if totals.first_prose == usize::MAX {
        -1000.0
    } else {
        at as f32 - totals.first_prose as f32
    };
    table.put("from_first_prose", from_prose);
    table.put("to_last_prose", totals.last_prose as f32 - at as f32);
    let top = outline.elements.get(totals.top as usize);
    let (from, to) = top.map_or((0, blocks as u32), |top| (top.from, top.to));
    table.put("from_top", (at as f32 - from as f32).clamp(-200.0, 200.0));
    table.put("to_top_end", (to as f32 - at as f32).clamp(-200.0, 200.0));
    table.put(
        "top_prose_before",
        share(
            totals.over(from as usize, at.max(from as usize)).prose,
            totals.over(from as usize, to as usize).prose,
        ),
    );
}

/// The heading of the block or the last one above it.
fn last_heading(
    table: &mut FeatureTable,
    outline: &BlockOutline<'_>,
    totals: &PageTotals,
    at: usize,
    last_heading: Option<usize>,
) {
    table.put(
        "from_heading",
        last_heading.map_or(-1.0, |heading_at| (at - heading_at) as f32),
    );
    let level = last_heading
        .and_then(|heading_at| totals.heading.get(heading_at))
        .copied()
        .unwrap_or(0);
    table.put("last_heading_level", f32::from(level));
    let phrase_bits = last_heading
        .and_then(|heading_at| outline.blocks.get(heading_at))
        .map_or(0, |block| block.shape.phrase_bits);
    table.put(
        "last_heading_says",
        if phrase_bits == 0 {
            0.0
        } else {
            1.0 + phrase_bits.trailing_zeros() as f32
        },
    );
}

/// The elements around the block at three scales.
fn scales(
    table: &mut FeatureTable,
    outline: &BlockOutline<'_>,
    totals: &PageTotals,
    at: usize,
    block: &TextBlock,
) {
    let total = totals.total;
    for (scale, id) in totals.scales(outline, block).into_iter().enumerate() {
        let element = if id == NONE {
            None
        } else {
            outline.elements.get(id as usize)
        };
        let sum = element.map_or(total, |element| totals.of(element));
        let mut put = |name: &str, value: f32| table.put_named(|| format!("{name}_{scale}"), value);
        put("scale_words", log(sum.words));
        put("scale_share", share(sum.words, total.words));
        put("scale_links", sum.link_density());
        put("scale_prose", share(sum.prose, sum.words));
        put("scale_prose_share", share(sum.prose, total.prose));
        put("scale_words_a_block", share(sum.words, sum.blocks));
        put("scale_headings", share(sum.headings, sum.blocks));
        put("scale_controls", share(sum.controls, sum.blocks));
        put("scale_money", share(sum.money, sum.blocks));
        put("scale_alike", element.map_or(1.0, |element| element.alike as f32));
        let own_at = element.map_or(0.5, |element| {
            share(
                (at as u32 - element.from.min(at as u32)) as f32,
                (element.to - element.from) as f32,
            )
        });
        put("scale_at", own_at);
    }
}

/// Features of the blocks before and after.
fn neighbours(table: &mut FeatureTable, outline: &BlockOutline<'_>, at: usize) {
    for (name, step) in [("b1", -1i64), ("b2", -2), ("a1", 1), ("a2", 2)] {
        let other = usize::try_from(at as i64 + step)
            .ok()
            .and_then(|at| outline.blocks.get(at));
        let mut put = |part: &str, value: f32| table.put_named(|| format!("{name}_{part}"), value);
        put("words", other.map_or(-1.0, |block| block.words as f32));
        put(
            "links",
            other.map_or(-1.0, |block| share(block.link_words as f32, block.words as f32)),
        );
        put(
            "stop",
            other.map_or(-1.0, |block| f32::from(u8::from(block.shape.ends_in_stop))),
        );
    }
    let window = |from: usize, to: usize| {
        let blocks = outline
            .blocks
            .get(from..to.min(outline.blocks.len()))
            .unwrap_or(&[]);
        let sum = blocks.iter().fold((0.0, 0.0), |sum, block| {
            (sum.0 + block.words as f32, sum.1 + block.link_words as f32)
        });
        (log(sum.0), share(sum.1, sum.0))
    };
    let (words, links) = window(at.saturating_sub(6), at);
    table.put(
        "images_before",
        outline.blocks.get(at).map_or(0.0, |block| block.images as f32),
    );
    table.put(
        "images_after",
        outline
            .blocks
            .get(at + 1)
            .map_or(0.0, |block| block.images as f32),
    );
    table.put("before_words", words);
    table.put("before_links", links);
    let (words, links) = window(at + 1, at + 7);
    table.put("after_words", words);
    table.put("after_links", links);
}

/// How much of the block the page's own data repeats.
fn metadata_overlap(table: &mut FeatureTable, overlap: &MetadataOverlap, at: usize) {
    table.put("in_body", overlap.body.get(at).copied().unwrap_or(-1.0));
    table.put("in_title", overlap.title.get(at).copied().unwrap_or(0.0));
    table.put(
        "in_description",
        overlap.description.get(at).copied().unwrap_or(0.0),
    );
}

/// Features of the page as a whole.
fn whole_page(table: &mut FeatureTable, totals: &PageTotals, signals: &KindSignals) {
    let total = totals.total;
    table.put("page_words", log(total.words));
    table.put("page_links", total.link_density());
    table.put("page_prose", share(total.prose, total.words));
    table.put("page_blocks", log(total.blocks));
    table.put("page_money", share(total.money, total.blocks));
    for value in signals.probabilities {
        table.put("kind", value);
    }
}
