//! A date text while it is read: its items, and which of them are used.

use jiff::civil::DateTime;

use super::tokens::DateTokens;
use super::types::DateHints;
use super::words::{DateItem, DateLanguage, ItemKind, WordMeaning};

/// A text while it is read: calendar, clock and relative dates take items one after the other.
pub(super) struct DateReader<'a> {
    pub(super) tokens: &'a DateTokens,
    pub(super) items: &'a mut Vec<DateItem>,
    pub(super) language: Option<DateLanguage>,
    pub(super) now: DateTime,
    pub(super) hints: &'a DateHints<'a>,
}

impl DateReader<'_> {
    pub(super) fn item(&self, at: usize) -> Option<&DateItem> {
        self.items.get(at)
    }

    /// The folded text of an item, `""` when there is none.
    pub(super) fn text(&self, at: usize) -> &str {
        self.item(at).map_or("", |item| self.tokens.str(&item.token))
    }

    /// The value of an unused number.
    pub(super) fn number(&self, at: usize) -> Option<u64> {
        self.item(at).and_then(DateItem::number)
    }

    /// How many digits a number has.
    pub(super) fn digits(&self, at: usize) -> usize {
        self.item(at).map_or(0, |item| item.token.digits())
    }

    /// Whether no white space stands before an item.
    pub(super) fn is_glued(&self, at: usize) -> bool {
        self.item(at).is_some_and(|item| item.token.glued)
    }

    pub(super) fn is_mark(&self, at: usize, mark: char) -> bool {
        self.item(at).is_some_and(|item| item.is_mark(mark))
    }

    /// Whether a mark stands at an item without white space before it.
    pub(super) fn is_glued_mark(&self, at: usize, mark: char) -> bool {
        self.is_mark(at, mark) && self.is_glued(at)
    }

    pub(super) fn has_numbers(&self) -> bool {
        self.items.iter().any(|item| item.number().is_some())
    }

    /// How many words the table does not know; with some, a vague reading may be an accident.
    pub(super) fn unknown_words(&self) -> usize {
        let unknown = self
            .items
            .iter()
            .filter(|item| matches!(item.kind, ItemKind::Unknown));
        unknown.count()
    }

    /// Marks items as used.
    pub(super) fn take(&mut self, range: std::ops::Range<usize>) {
        for item in self.items.get_mut(range).into_iter().flatten() {
            item.used = true;
        }
    }

    /// Whether an item has this meaning in the language of the text.
    pub(super) fn is(&self, at: usize, meaning: WordMeaning) -> bool {
        self.means(at, |found| (found == meaning).then_some(())).is_some()
    }

    /// What an unused item means in the language of the text.
    pub(super) fn means<T>(&self, at: usize, select: impl Fn(WordMeaning) -> Option<T>) -> Option<T> {
        let item = self.item(at).filter(|item| !item.used)?;
        let senses = item
            .senses()
            .iter()
            .filter(|sense| Some(sense.language) == self.language);
        senses.map(|sense| sense.meaning).find_map(select)
    }

    /// What an item means in the language of the text, or in any other when it means nothing in that one: months
    /// and weekdays are often left in another language than the text around them.
    pub(super) fn means_anywhere<T>(
        &self,
        at: usize,
        select: impl Fn(WordMeaning) -> Option<T>,
    ) -> Option<T> {
        if let Some(meaning) = self.means(at, &select) {
            return Some(meaning);
        }
        let item = self.item(at).filter(|item| !item.used)?;
        let is_long = item.token.end - item.token.start > 2;
        let is_foreign = item
            .senses()
            .iter()
            .all(|sense| Some(sense.language) != self.language);
        if !is_long || !is_foreign {
            return None;
        }
        item.senses().iter().map(|sense| sense.meaning).find_map(select)
    }

    /// The month that an item names, 1 to 12.
    pub(super) fn month(&self, at: usize) -> Option<i8> {
        self.means_anywhere(at, WordMeaning::month)
    }
}
