//! Totals over the blocks of a page and of each element, and the element around most of the prose.

use super::block::TextBlock;
use super::element::{BlockTag, NONE, OutlineElement};
use super::outline::BlockOutline;

/// Running sums over the blocks, so that any element's sum is one subtraction.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct BlockSums {
    pub(crate) words: f32,
    pub(crate) link_words: f32,
    /// Words of blocks that read like prose.
    pub(crate) prose: f32,
    pub(crate) blocks: f32,
    pub(crate) headings: f32,
    pub(crate) money: f32,
    pub(crate) controls: f32,
}

impl BlockSums {
    /// Both sums together.
    pub(crate) fn and(self, other: BlockSums) -> BlockSums {
        BlockSums {
            words: self.words + other.words,
            link_words: self.link_words + other.link_words,
            prose: self.prose + other.prose,
            blocks: self.blocks + other.blocks,
            headings: self.headings + other.headings,
            money: self.money + other.money,
            controls: self.controls + other.controls,
        }
    }

    fn less(self, other: BlockSums) -> BlockSums {
        BlockSums {
            words: self.words - other.words,
            link_words: self.link_words - other.link_words,
            prose: self.prose - other.prose,
            blocks: self.blocks - other.blocks,
            headings: self.headings - other.headings,
            money: self.money - other.money,
            controls: self.controls - other.controls,
        }
    }

    /// The share of words that are in links, 0 to 1.
    pub(crate) fn link_density(&self) -> f32 {
        share(self.link_words, self.words)
    }
}

/// A part of a whole, 0 when there is no whole.
pub(crate) fn share(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// Whether a block reads like prose: several words, few of them links, a stop or some length.
pub(crate) fn is_prose(block: &TextBlock) -> bool {
    let (words, links) = (block.words as f32, block.link_words as f32);
    words >= 8.0 && links < 0.4 * words && (block.shape.stops > 0 || words >= 20.0)
}

/// What is known of the page as a whole and of each element.
pub(crate) struct PageTotals {
    sums: Vec<BlockSums>,
    pub(crate) total: BlockSums,
    /// The element around the thickest prose.
    pub(crate) top: u32,
    /// For each block: of which heading level its element is or lies in, 0 for none.
    pub(crate) heading: Vec<u8>,
    pub(crate) first_h1: Option<usize>,
    pub(crate) first_prose: usize,
    pub(crate) last_prose: usize,
}

impl PageTotals {
    /// Sums up an outline.
    pub(crate) fn read(outline: &BlockOutline<'_>) -> PageTotals {
        let mut sums = Vec::with_capacity(outline.blocks.len() + 1);
        let mut sum = BlockSums::default();
        let mut heading = Vec::with_capacity(outline.blocks.len());
        sums.push(sum);
        let (mut first_h1, mut first_prose, mut last_prose) = (None, usize::MAX, 0);
        for (at, block) in outline.blocks.iter().enumerate() {
            let level = outline
                .around(block.element)
                .take(4)
                .find_map(|(_, element)| {
                    if let BlockTag::Heading(level) = element.tag {
                        Some(level)
                    } else {
                        None
                    }
                })
                .unwrap_or(0);
            let prose = is_prose(block);
            if prose {
                first_prose = first_prose.min(at);
                last_prose = at;
            }
            if level == 1 && first_h1.is_none() {
                first_h1 = Some(at);
            }
            sum.words += block.words as f32;
            sum.link_words += block.link_words as f32;
            sum.prose += if prose { block.words as f32 } else { 0.0 };
            sum.blocks += 1.0;
            sum.headings += f32::from(u8::from(level > 0));
            sum.money += f32::from(u8::from(block.shape.money > 0));
            sum.controls += f32::from(u8::from(block.button_words + block.label_words > 0));
            sums.push(sum);
            heading.push(level);
        }
        let mut totals = PageTotals {
            sums,
            total: sum,
            top: NONE,
            heading,
            first_h1,
            first_prose,
            last_prose,
        };
        totals.top = totals.thickest(outline);
        totals
    }

    /// The sum over the blocks of an element.
    pub(crate) fn of(&self, element: &OutlineElement<'_>) -> BlockSums {
        self.over(element.from as usize, element.to as usize)
    }

    /// The sum over the blocks `from..to`.
    pub(crate) fn over(&self, from: usize, to: usize) -> BlockSums {
        let last = self.sums.len().saturating_sub(1);
        match (self.sums.get(from.min(last)), self.sums.get(to.min(last))) {
            (Some(from), Some(to)) => to.less(*from),
            _ => BlockSums::default(),
        }
    }

    /// Prose lifts the elements around it, the nearer the more; links in an element weigh it down.
    fn thickest(&self, outline: &BlockOutline<'_>) -> u32 {
        let mut score = vec![0f32; outline.elements.len()];
        for block in outline.blocks.iter().filter(|block| is_prose(block)) {
            let own = 1.0 + block.shape.commas as f32 + (block.shape.chars as f32 / 100.0).min(5.0);
            let inner = outline.elements.get(block.element as usize);
            let wraps = inner.is_some_and(|element| {
                matches!(
                    element.tag,
                    BlockTag::P | BlockTag::Li | BlockTag::Quote | BlockTag::Pre | BlockTag::Span
                )
            });
            for ((id, _), fade) in outline
                .around(block.element)
                .skip(usize::from(wraps))
                .zip([1.0, 0.5, 0.33, 0.2])
            {
                if let Some(slot) = score.get_mut(id as usize) {
                    *slot += own * fade;
                }
            }
        }
        let weigh = |id: usize| {
            let element = outline.elements.get(id)?;
            let kind = match element.tag {
                BlockTag::Article | BlockTag::Main => 1.2,
                BlockTag::Nav | BlockTag::Footer | BlockTag::Aside | BlockTag::Form | BlockTag::Header => 0.5,
                _ => 1.0,
            };
            Some(score.get(id)? * (1.0 - self.of(element).link_density()) * kind)
        };
        let mut best = (0.0, NONE);
        for id in 0..outline.elements.len() {
            if let Some(weight) = weigh(id)
                && weight > best.0
            {
                best = (weight, id as u32);
            }
        }
        best.1
    }

    /// The nearest elements around a block that hold clearly more than what is inside them: three scales.
    pub(crate) fn scales(&self, outline: &BlockOutline<'_>, block: &TextBlock) -> [u32; 3] {
        let mut scales = [NONE; 3];
        let mut filled = 0;
        let mut floor = block.words as f32 * 1.5 + 8.0;
        for (id, element) in outline.around(block.element) {
            let words = self.of(element).words;
            if words < floor {
                continue;
            }
            if let Some(slot) = scales.get_mut(filled) {
                *slot = id;
            }
            filled += 1;
            if filled == 3 {
                break;
            }
            floor = words * 2.0;
        }
        let last = scales.get(filled.saturating_sub(1)).copied().unwrap_or(NONE);
        for slot in scales.iter_mut().skip(filled) {
            *slot = last;
        }
        scales
    }
}
