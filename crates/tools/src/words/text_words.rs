//! The words of texts that many phrases are looked for in: the texts of rows, once for each condition and its synonyms.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::words::word_forms::tokens;

/// Most bytes of texts whose words are kept on a thread; with their words they take about ten times as much memory.
const MOST_BYTES: usize = 4 << 20;

/// Texts with their words.
#[derive(Default)]
struct KnownTexts {
    words: HashMap<Box<str>, Rc<[String]>>,
    /// Bytes of all texts.
    bytes: usize,
}

thread_local! {
    static KNOWN: RefCell<KnownTexts> = RefCell::default();
}

/// The words of a text without case and accents, as [`tokens`] gives them; those of a text met before are kept.
pub(crate) fn words_of(text: &str) -> Rc<[String]> {
    KNOWN.with_borrow_mut(|known| {
        if let Some(words) = known.words.get(text) {
            return Rc::clone(words);
        }
        let words: Rc<[String]> = tokens(text).into();
        if known.bytes + text.len() > MOST_BYTES {
            *known = KnownTexts::default();
        }
        if text.len() <= MOST_BYTES {
            known.bytes += text.len();
            known.words.insert(text.into(), Rc::clone(&words));
        }
        words
    })
}

/// Forgets the texts that this thread has met.
pub(crate) fn forget() {
    KNOWN.take();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_the_same_words_each_time_however_many_there_are() {
        for text in ["Rote Äpfel", "", "Rote Äpfel"] {
            assert_eq!(*words_of(text), *tokens(text));
        }
        let long = "apple ".repeat(MOST_BYTES / 12);
        for text in [&long, &long[6..], &long] {
            assert_eq!(words_of(text).len(), text.len() / 6);
        }
        let kept = KNOWN.with_borrow(|known| known.bytes);
        assert!(kept <= MOST_BYTES);
    }
}
