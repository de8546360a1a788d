//! Features of the second pass: how likely the neighbours of a block are content.

use super::element::{BlockTag, NONE};
use super::feature_table::FeatureTable;
use super::hashing::HashMap64;
use super::outline::BlockOutline;
use super::siblings::SiblingGroups;
use super::totals::{PageTotals, share};

/// Running sums of the probabilities of the first pass.
struct ProbabilitySums {
    /// Probability times words, words, probability, up to each block.
    sums: Vec<(f32, f32, f32)>,
}

impl ProbabilitySums {
    fn new(outline: &BlockOutline<'_>, probabilities: &[f32]) -> ProbabilitySums {
        let mut sums = Vec::with_capacity(probabilities.len() + 1);
        let mut sum = (0.0, 0.0, 0.0);
        sums.push(sum);
        for (block, probability) in outline.blocks.iter().zip(probabilities) {
            let words = block.words as f32;
            sum = (sum.0 + probability * words, sum.1 + words, sum.2 + probability);
            sums.push(sum);
        }
        ProbabilitySums { sums }
    }

    fn over(&self, from: usize, to: usize) -> (f32, f32, f32) {
        let last = self.sums.len().saturating_sub(1);
        let (from, to) = (from.min(last), to.min(last).max(from.min(last)));
        match (self.sums.get(from), self.sums.get(to)) {
            (Some(a), Some(b)) => (b.0 - a.0, b.1 - a.1, b.2 - a.2),
            _ => (0.0, 0.0, 0.0),
        }
    }

    /// The mean probability of the words of some blocks; -1 when there are none.
    fn by_words(&self, from: usize, to: usize) -> f32 {
        let sum = self.over(from, to);
        if sum.1 > 0.0 { sum.0 / sum.1 } else { -1.0 }
    }

    /// The mean probability of some blocks, long and short alike; -1 when there are none.
    fn by_count(&self, from: usize, to: usize) -> f32 {
        let last = self.sums.len().saturating_sub(1);
        let count = to.min(last).saturating_sub(from) as f32;
        if count > 0.0 {
            self.over(from, to).2 / count
        } else {
            -1.0
        }
    }
}

/// For each element the signature of it and of the two around it as one number: blocks drawn by one template agree.
pub(crate) fn paths(outline: &BlockOutline<'_>) -> Vec<u64> {
    outline
        .blocks
        .iter()
        .map(|block| {
            outline
                .around(block.element)
                .take(3)
                .fold(0u64, |path, (_, element)| {
                    path.rotate_left(17).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ element.signature
                })
        })
        .collect()
}

/// Fills the table of all blocks from the probabilities of the first pass.
pub(crate) fn fill(
    table: &mut FeatureTable,
    outline: &BlockOutline<'_>,
    totals: &PageTotals,
    siblings: &SiblingGroups,
    paths: &[u64],
    probabilities: &[f32],
) {
    let sums = ProbabilitySums::new(outline, probabilities);
    let count = outline.blocks.len();
    let all = sums.over(0, count);
    let mut groups: HashMap64<u64, (f32, f32, f32)> = HashMap64::default();
    for ((path, block), probability) in paths.iter().zip(&outline.blocks).zip(probabilities) {
        let group = groups.entry(*path).or_default();
        let words = block.words as f32;
        *group = (
            group.0 + probability * words,
            group.1 + words,
            group.2.max(*probability),
        );
    }
    let sections = sections(totals, count);
    let (before, after) = nearest(outline, probabilities);
    let best = probabilities.iter().copied().fold(0.0, f32::max);
    let probability = |at: Option<usize>| at.and_then(|at| probabilities.get(at)).copied().unwrap_or(-1.0);
    for (at, block) in outline.blocks.iter().enumerate() {
        table.put("p", probability(Some(at)));
        table.put("p_b1", probability(at.checked_sub(1)));
        table.put("p_b2", probability(at.checked_sub(2)));
        table.put("p_a1", probability(Some(at + 1)));
        table.put("p_a2", probability(Some(at + 2)));
        table.put("p_before_3", sums.by_words(at.saturating_sub(3), at));
        table.put("p_after_3", sums.by_words(at + 1, at + 4));
        table.put("p_before_10", sums.by_words(at.saturating_sub(10), at));
        table.put("p_after_10", sums.by_words(at + 1, at + 11));
        table.put("p_around_7", sums.by_count(at.saturating_sub(3), at + 4));
        table.put("p_around_25", sums.by_words(at.saturating_sub(12), at + 13));
        let own = outline.elements.get(block.element as usize);
        let up = own.and_then(|own| outline.elements.get(own.parent as usize));
        table.put(
            "p_parent",
            up.map_or(-1.0, |parent| {
                sums.by_words(parent.from as usize, parent.to as usize)
            }),
        );
        for id in totals.scales(outline, block) {
            let element = if id == NONE {
                None
            } else {
                outline.elements.get(id as usize)
            };
            let (from, to) =
                element.map_or((0, count), |element| (element.from as usize, element.to as usize));
            table.put("p_scale_words", sums.by_words(from, to));
            table.put("p_scale_count", sums.by_count(from, to));
            table.put("p_scale_part", share(sums.over(from, to).0, all.0));
        }
        let group = paths
            .get(at)
            .and_then(|path| groups.get(path))
            .copied()
            .unwrap_or_default();
        table.put("p_path", share(group.0, group.1));
        table.put("p_path_part", share(group.0, all.0));
        table.put("p_path_best", group.2);
        let teasers = siblings.teasers(outline, block.element);
        let teasers = teasers.map(|group| (group.from as usize, group.to as usize));
        table.put(
            "p_teasers",
            teasers.map_or(-1.0, |(from, to)| sums.by_words(from, to)),
        );
        let own_group = siblings.of(block.element).filter(|group| group.members > 1.0);
        let own_group = own_group.map(|group| (group.from as usize, group.to as usize));
        table.put(
            "p_siblings",
            own_group.map_or(-1.0, |(from, to)| sums.by_words(from, to)),
        );
        let landmark = outline
            .around(block.element)
            .map(|(_, element)| element)
            .find(|element| {
                matches!(
                    element.tag,
                    BlockTag::Article | BlockTag::Section | BlockTag::Aside | BlockTag::Main
                )
            });
        let landmark = landmark.map(|element| (element.from as usize, element.to as usize));
        table.put(
            "p_landmark",
            landmark.map_or(-1.0, |(from, to)| sums.by_words(from, to)),
        );
        table.put(
            "p_landmark_part",
            landmark.map_or(-1.0, |(from, to)| share(sums.over(from, to).0, all.0)),
        );
        table.put("p_page", share(all.0, all.1));
        table.put("p_page_words", (1.0 + all.0).ln());
        table.put("p_best", best);
        table.put("p_mass_before", share(sums.over(0, at).0, all.0));
        table.put("p_mass_after", share(sums.over(at + 1, count).0, all.0));
        table.put("p_since", before.get(at).copied().unwrap_or(-1.0));
        table.put("p_until", after.get(at).copied().unwrap_or(-1.0));
        let (from, to) = sections.get(at).copied().unwrap_or((0, count));
        table.put("p_section", sums.by_words(from, to));
        table.put("p_section_head", probability(Some(from)));
        table.put("p_section_part", share(sums.over(from, to).0, all.0));
        table.end();
    }
}

/// For each block the section it lies in: from its heading to the next one.
fn sections(totals: &PageTotals, count: usize) -> Vec<(usize, usize)> {
    let mut sections = Vec::with_capacity(count);
    let mut from = 0;
    while from < count {
        let to = (from + 1..count)
            .find(|at| totals.heading.get(*at).is_some_and(|level| *level > 0))
            .unwrap_or(count);
        sections.resize(to, (from, to));
        from = to;
    }
    sections
}

/// How many blocks lie between each block and the nearest sure prose before and after it; -1 when there is none.
fn nearest(outline: &BlockOutline<'_>, probabilities: &[f32]) -> (Vec<f32>, Vec<f32>) {
    let sure: Vec<bool> = outline
        .blocks
        .iter()
        .zip(probabilities)
        .map(|(block, probability)| *probability > 0.6 && block.words > 9)
        .collect();
    let count = |order: &mut dyn Iterator<Item = usize>| {
        let mut out = vec![-1.0; sure.len()];
        let mut since = -1.0f32;
        for at in order {
            if let Some(slot) = out.get_mut(at) {
                *slot = since;
            }
            if sure.get(at).copied().unwrap_or(false) {
                since = 0.0;
            } else if since >= 0.0 {
                since += 1.0;
            }
        }
        out
    };
    (count(&mut (0..sure.len())), count(&mut (0..sure.len()).rev()))
}
