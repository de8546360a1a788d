//! How much of the text of a block stands elsewhere on the page.
//!
//! Galleries, sliders and hidden copies for other screens say the same words twice; so do teasers of the page itself.

use super::hashing::HashMap64;
use super::outline::BlockOutline;

/// The words of every block as numbers.
pub(crate) struct BlockWords {
    hashes: Vec<u64>,
    starts: Vec<u32>,
}

impl BlockWords {
    /// Reads the words of an outline in lower case.
    pub(crate) fn read(outline: &BlockOutline<'_>) -> BlockWords {
        let mut words = BlockWords {
            hashes: Vec::new(),
            starts: Vec::with_capacity(outline.blocks.len() + 1),
        };
        for block in &outline.blocks {
            words.starts.push(words.hashes.len() as u32);
            words.hashes.extend(hashes(outline.text_of(block)));
        }
        words.starts.push(words.hashes.len() as u32);
        words
    }

    /// The words of one block.
    pub(crate) fn of(&self, block: usize) -> &[u64] {
        match (self.starts.get(block), self.starts.get(block + 1)) {
            (Some(from), Some(to)) => self.hashes.get(*from as usize..*to as usize).unwrap_or(&[]),
            _ => &[],
        }
    }
}

/// The words of a text in lower case, each as a number.
pub(crate) fn hashes(text: &str) -> impl Iterator<Item = u64> + '_ {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|it| !it.is_empty())
        .map(|word| {
            let mut hash = 0xcbf2_9ce4_8422_2325u64;
            for c in word.chars() {
                if c.is_ascii() {
                    hash = (hash ^ u64::from(c.to_ascii_lowercase() as u32)).wrapping_mul(0x0100_0000_01b3);
                } else {
                    for small in c.to_lowercase() {
                        hash = (hash ^ u64::from(u32::from(small))).wrapping_mul(0x0100_0000_01b3);
                    }
                }
            }
            hash
        })
}

/// Three neighbouring words as one number.
pub(crate) fn trigram(three: &[u64]) -> u64 {
    three.iter().fold(7, |hash: u64, word| {
        (hash.rotate_left(21) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}

/// For each block the share of its three-word pieces that stand elsewhere on the page, and that stood before it.
pub(crate) fn repeated_shares(words: &BlockWords, count: usize) -> Vec<(f32, f32)> {
    let trigrams = |at: usize| {
        let own = words.of(at);
        let whole = (own.len() < 3 && !own.is_empty()).then(|| trigram(own));
        own.windows(3).map(trigram).chain(whole)
    };
    let mut counts: HashMap64<u64, u32> = HashMap64::default();
    let mut before = Vec::with_capacity(count);
    for at in 0..count {
        let (mut seen, mut all) = (0u32, 0u32);
        for trigram in trigrams(at) {
            let times = counts.entry(trigram).or_default();
            seen += u32::from(*times > 0);
            all += 1;
            *times += 1;
        }
        before.push(seen as f32 / all.max(1) as f32);
    }
    (0..count)
        .map(|at| {
            let (mut twice, mut all) = (0u32, 0u32);
            for trigram in trigrams(at) {
                twice += u32::from(counts.get(&trigram).is_some_and(|times| *times > 1));
                all += 1;
            }
            (
                twice as f32 / all.max(1) as f32,
                before.get(at).copied().unwrap_or(0.0),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::Page;

    #[test]
    fn the_second_copy_of_a_text_knows_of_the_first() {
        let page = Page::new(
            "<p>one two three four<p>something else entirely here<p>One, two three four",
            None,
        );
        let outline = BlockOutline::read(page.dom(), true);
        let words = BlockWords::read(&outline);
        assert_eq!(repeated_shares(&words, 3), [(1.0, 0.0), (0.0, 0.0), (1.0, 1.0)]);
    }
}
