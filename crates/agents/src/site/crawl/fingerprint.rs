//! Fingerprints of pages: a key of the text, equal for equal texts, and a sketch, nearly equal for nearly equal ones.

use page::Page;
use page::dom::NodeSet;
use wire::frontier::AddressKey;

/// Shortest text that tells a page from others, in bytes.
const LEAST_BYTES: usize = 64;
/// Fewest words of a text that has a sketch.
const LEAST_WORDS: usize = 60;
/// Words of one feature of a sketch.
const SHINGLE: usize = 3;

/// What a page is compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Fingerprint {
    pub(super) content: Option<AddressKey>,
    pub(super) sketch: Option<u64>,
}

/// The fingerprint of the text that a page shows.
pub(super) fn fingerprint(page: &Page) -> Fingerprint {
    let text = page
        .dom()
        .body()
        .map(|body| page::text::render(body, &NodeSet::new(page.dom())))
        .unwrap_or_default();
    of_text(&text)
}

fn of_text(text: &str) -> Fingerprint {
    if text.len() < LEAST_BYTES {
        return Fingerprint::default();
    }
    let words: Vec<u64> = text
        .split_whitespace()
        .map(|word| hash(word.bytes().map(u64::from)))
        .collect();
    Fingerprint {
        content: Some(AddressKey::of(text)),
        sketch: (words.len() >= LEAST_WORDS).then(|| sketch(&words)),
    }
}

/// SimHash (Charikar 2002) over runs of words: each bit is what most features have there.
fn sketch(words: &[u64]) -> u64 {
    let mut counts = [0i32; 64];
    for shingle in words.windows(SHINGLE) {
        let feature = hash(shingle.iter().copied());
        for (bit, count) in counts.iter_mut().enumerate() {
            *count += if feature >> bit & 1 == 1 { 1 } else { -1 };
        }
    }
    let bits = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    bits.fold(0, |sketch, (bit, _)| sketch | 1 << bit)
}

/// FNV-1a over numbers, with a last step that spreads its high bits.
fn hash(numbers: impl Iterator<Item = u64>) -> u64 {
    let mixed = numbers.fold(0xcbf2_9ce4_8422_2325, |hash: u64, number| {
        (hash ^ number).wrapping_mul(0x0000_0100_0000_01b3)
    });
    (mixed ^ (mixed >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearly_equal_texts_have_nearly_equal_sketches_and_others_have_not() {
        let words = |seed: usize| {
            (0..400)
                .map(|at| format!("w{}", (at * at + seed * 7919) % 997))
                .collect::<Vec<_>>()
        };
        let text = |words: &[String]| of_text(&words.join(" ")).sketch.unwrap();
        let first = words(1);
        let mut edited = first.clone();
        edited[200] = "other".to_owned();
        let near = (text(&first) ^ text(&edited)).count_ones();
        let far = (text(&first) ^ text(&words(2))).count_ones();
        assert!(near <= 3 && far > 12, "{near} {far}");
        assert_eq!(
            of_text("Loading"),
            Fingerprint::default(),
            "a short text says nothing"
        );
    }
}
