//! The words of texts that many phrases are looked for in: the texts of rows, once for each condition and its synonyms.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::words::word_forms::tokens;

/// Most bytes of texts whose words are kept on a thread; with their words they take about ten times as much memory.
const MOST_BYTES: usize = 4 << 20;

/// The words of a text, or of a part of one.
type Words = Rc<[String]>;

/// Texts with their words.
#[derive(Default)]
struct KnownTexts {
    words: HashMap<Box<str>, Words>,
    segments: HashMap<Box<str>, Rc<[Words]>>,
    /// Bytes of all texts.
    bytes: usize,
}

impl KnownTexts {
    /// Counts a text that is to be kept, and forgets the others where there is no room beside them; false where it is too long.
    fn make_room(&mut self, text: &str) -> bool {
        if self.bytes + text.len() > MOST_BYTES {
            *self = KnownTexts::default();
        }
        let has_room = text.len() <= MOST_BYTES;
        if has_room {
            self.bytes += text.len();
        }
        has_room
    }
}

thread_local! {
    static KNOWN: RefCell<KnownTexts> = RefCell::default();
}

/// The words of a text without case and accents, as [`tokens`] gives them; those of a text met before are kept.
pub(crate) fn words_of(text: &str) -> Words {
    KNOWN.with_borrow_mut(|known| {
        if let Some(words) = known.words.get(text) {
            return Rc::clone(words);
        }
        let words: Words = tokens(text).into();
        if known.make_room(text) {
            known.words.insert(text.into(), Rc::clone(&words));
        }
        words
    })
}

/// The words of a text by what belongs together: of each line, and of each cell of a row of a table, whose first line is its cells one
/// after the other. "Showers: no" and "Dogs: yes" say nothing of "no dogs".
pub(crate) fn segments_of(text: &str) -> Rc<[Words]> {
    if let Some(known) = KNOWN.with_borrow(|known| known.segments.get(text).map(Rc::clone)) {
        return known;
    }
    let mut lines = text.split('\n');
    let first = words_of(lines.next().unwrap_or_default());
    let labelled: Vec<(Words, Words)> = lines
        .clone()
        .filter_map(|line| line.split_once(':'))
        .map(|(label, value)| (words_of(label), words_of(value)))
        .collect();
    let mut segments = cells(&first, &labelled);
    segments.extend(lines.map(words_of));
    let segments: Rc<[Words]> = segments.into();
    KNOWN.with_borrow_mut(|known| {
        if known.make_room(text) {
            known.segments.insert(text.into(), Rc::clone(&segments));
        }
    });
    segments
}

/// The words of a line cut at the borders of the values that the list labels, where most of the labels stand nowhere in the line: they
/// are the heads of columns, and the line is a row of a table.
fn cells(line: &Words, labelled: &[(Words, Words)]) -> Vec<Words> {
    let place = |phrase: &[String], from: usize| {
        let mut places = line.windows(phrase.len().max(1)).enumerate().skip(from);
        places.find(|(_, words)| *words == phrase).map(|(at, _)| at)
    };
    let heads: Vec<&Words> = labelled
        .iter()
        .filter(|(label, value)| !value.is_empty() && place(label, 0).is_none())
        .map(|(_, value)| value)
        .collect();
    if heads.len() < LEAST_COLUMNS || heads.len() * 4 < labelled.len() * 3 {
        return vec![Rc::clone(line)];
    }
    let mut borders = vec![0];
    let mut from = 0;
    for value in heads {
        if let Some(at) = place(value, from) {
            from = at + value.len();
            borders.extend([at, from]);
        }
    }
    borders.push(line.len());
    let parts = borders.windows(2).filter_map(|pair| match pair {
        [from, to] if from < to => line.get(*from..*to).map(Rc::from),
        _ => None,
    });
    parts.collect()
}

/// Fewest columns of a table.
const LEAST_COLUMNS: usize = 2;

/// Forgets the texts that this thread has met.
pub(crate) fn forget() {
    KNOWN.take();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_a_row_belong_to_themselves_and_words_of_a_card_together() {
        let read =
            |text: &str| -> Vec<String> { segments_of(text).iter().map(|words| words.join(" ")).collect() };
        assert_eq!(
            read("Nurse no Permanent 2 rooms\nRemote: no\nContract: Permanent"),
            [
                "nurse",
                "no",
                "permanent",
                "2 rooms",
                "remote no",
                "contract permanent"
            ]
        );
        assert_eq!(
            read("Fiat 2 doors Dogs no\nDoors: 2\nDogs: no"),
            ["fiat 2 doors dogs no", "doors 2", "dogs no"]
        );
        assert_eq!(read("Van, no dogs"), ["van no dogs"]);
    }

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
