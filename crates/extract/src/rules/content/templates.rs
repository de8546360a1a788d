//! Templates: short blocks at the same place of elements that are alike (the prices of cards, the heads of columns, the answers of a
//! thread) share one fate.
//!
//! The model rates each block alone, and a line that is said often or has one word only is less likely to it. Where a page says such
//! lines by one template, a reader wants all of them or none.

use super::block::TextBlock;
use super::hashing::HashMap64;
use super::outline::BlockOutline;
use super::repetition::hashes;

/// Levels of elements that make a template: a price, its line, its card and the list. Of 2, 3 and 4 no number is better than another.
const LEVELS: usize = 4;
/// Fewest blocks of a template.
const FEWEST: u32 = 3;
/// Longest block that shares a fate, in words: what is longer speaks for itself.
const SHORT: u32 = 12;
/// Weight of a template's mean in the probability of one of its blocks. Of 0.5 and 0.9 none is better by F1, and 0.9 holds more
/// together.
const WEIGHT: f32 = 0.9;
/// Largest standard deviation of the probabilities of a template: beyond it, the elements that look alike serve different ends.
const SPREAD: f32 = 0.15;
/// The share of the threshold from which a short block between two that are kept is kept. Of 0.55 to 0.85, 0.85 is the lowest at which
/// F1 of the words is not lower than without.
const BETWEEN: f32 = 0.85;
/// Levels above two blocks within which they have an element in common that holds what is between them.
const NEAR: usize = 8;

/// The probabilities of a page's blocks, of which short ones of one template are near the mean of that template.
pub(crate) fn pooled(outline: &BlockOutline<'_>, probabilities: &[f32]) -> Vec<f32> {
    let mut groups: HashMap64<u64, Group> = HashMap64::default();
    // Who wrote a post and "Reply" stand in one element, around the text.
    let mut places: HashMap64<u32, u64> = HashMap64::default();
    let template_of = |block: &TextBlock| {
        let place = places.entry(block.element).or_default();
        *place += 1;
        (block.words <= SHORT).then(|| template(outline, block.element) ^ *place)
    };
    let templates: Vec<Option<u64>> = outline.blocks.iter().map(template_of).collect();
    for (template, probability) in templates.iter().zip(probabilities) {
        if let Some(template) = template {
            groups.entry(*template).or_default().add(*probability);
        }
    }
    let mean_of = |template: &Option<u64>| groups.get(template.as_ref()?)?.mean();
    let means = templates.iter().map(mean_of);
    (probabilities.iter().zip(means))
        .map(|(own, mean)| mean.map_or(*own, |mean| own + WEIGHT * (mean - own)))
        .collect()
}

/// Keeps short blocks between two near ones that are kept, where they are nearly as likely as what is kept.
pub(crate) fn keep_between(
    outline: &BlockOutline<'_>,
    probabilities: &[f32],
    threshold: f32,
    is_kept: &mut [bool],
) {
    let kept: Vec<usize> = (is_kept.iter().enumerate())
        .filter_map(|(at, is_kept)| is_kept.then_some(at))
        .collect();
    let is_near = |one: usize, other: usize| {
        let above = |at: usize| {
            let block = outline.blocks.get(at);
            let around = block.map(|block| outline.around(block.element).take(NEAR));
            around.into_iter().flatten().map(|(id, _)| id)
        };
        above(one).any(|id| above(other).any(|other| other == id))
    };
    for pair in kept.windows(2) {
        let [one, other] = pair else { continue };
        if other - one < 2 || !is_near(*one, *other) {
            continue;
        }
        for at in one + 1..*other {
            let is_short = outline.blocks.get(at).is_some_and(|block| block.words <= SHORT);
            let probability = probabilities.get(at).copied().unwrap_or_default();
            if let Some(is_kept) = is_kept.get_mut(at) {
                *is_kept = is_short && probability >= BETWEEN * threshold;
            }
        }
    }
}

/// The probabilities of the blocks of a template.
#[derive(Default)]
struct Group {
    blocks: u32,
    sum: f32,
    squares: f32,
}

impl Group {
    fn add(&mut self, probability: f32) {
        self.blocks += 1;
        self.sum += probability;
        self.squares += probability * probability;
    }

    /// The mean, where the blocks are enough and of one mind.
    fn mean(&self) -> Option<f32> {
        let blocks = self.blocks as f32;
        let mean = self.sum / blocks;
        let variance = (self.squares / blocks - mean * mean).max(0.0);
        (self.blocks >= FEWEST && variance.sqrt() <= SPREAD).then_some(mean)
    }
}

/// The path of tags and first classes down to an element.
fn template(outline: &BlockOutline<'_>, element: u32) -> u64 {
    let mut path: u64 = 7;
    for (_, element) in outline.around(element).take(LEVELS) {
        let class = element.node.classes().next().unwrap_or_default();
        for hash in hashes(element.node.tag()).chain(hashes(class)) {
            path = (path.rotate_left(9) ^ hash).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use page::Page;

    use super::*;

    /// A shop's cards: a name, a price and a button each.
    fn cards() -> Page {
        let card = |name: &str| {
            format!("<div class=card><h3>{name}</h3><p class=price>12 zł</p><p class=act>Compare</p></div>")
        };
        let cards: String = ["Copper kettle", "Iron pan", "Tin mug", "Glass jug"]
            .map(card)
            .concat();
        Page::new(format!("<main>{cards}</main>"), None)
    }

    #[test]
    fn blocks_of_a_template_are_equally_likely() {
        let page = cards();
        let outline = BlockOutline::read(page.dom(), true);
        assert_eq!(outline.blocks.len(), 12);
        let own = [0.7, 0.5, 0.1, 0.7, 0.3, 0.1, 0.7, 0.3, 0.1, 0.7, 0.5, 0.1];
        let pooled = pooled(&outline, &own);
        let prices: Vec<f32> = pooled.iter().skip(1).step_by(3).copied().collect();
        assert!(
            prices.iter().all(|price| (price - 0.4).abs() < 0.02),
            "{prices:?}"
        );
        let names: Vec<f32> = pooled.iter().step_by(3).copied().collect();
        assert!(names.iter().all(|name| (name - 0.7).abs() < 0.001), "{names:?}");
    }

    #[test]
    fn a_template_that_serves_different_ends_says_nothing() {
        let page = cards();
        let outline = BlockOutline::read(page.dom(), true);
        let own = [0.9, 0.1, 0.1, 0.9, 0.9, 0.1, 0.9, 0.1, 0.1, 0.9, 0.9, 0.1];
        assert_eq!(pooled(&outline, &own), own);
    }

    #[test]
    fn what_is_nearly_as_likely_between_two_that_are_kept_is_kept() {
        let page = cards();
        let outline = BlockOutline::read(page.dom(), true);
        let own = [0.7, 0.38, 0.1, 0.7, 0.3, 0.1, 0.7, 0.38, 0.1, 0.7, 0.38, 0.1];
        let mut is_kept: Vec<bool> = own.iter().map(|it| *it >= 0.4).collect();
        keep_between(&outline, &own, 0.4, &mut is_kept);
        let kept: Vec<usize> = (is_kept.iter().enumerate())
            .filter_map(|(at, is_kept)| is_kept.then_some(at))
            .collect();
        // The last price has nothing kept behind it, the second is less likely.
        assert_eq!(kept, [0, 1, 3, 6, 7, 9]);
    }
}
