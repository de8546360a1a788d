//! Numbers of pages, of scrolls and of results.

use locale::Regex;
use tools::rows::condition::Operator;

use super::super::amounts::{count, entity_count, whole_count};
use super::super::limits::LimitField;
use super::InstructionReader;

impl InstructionReader<'_> {
    /// The numbers of pages and of scrolls.
    pub(super) fn counts(&mut self, text: &mut String) {
        let words = self.words;
        let mut take_count = |pattern: &Regex| {
            let found = pattern.captures(text)?;
            let (count, range) = (count(&found, words), found.get(0)?.range());
            text.replace_range(range, " ");
            count
        };
        let pages = take_count(&words.pages);
        self.facts.times = take_count(&words.times);
        self.facts.pages = self.facts.pages.or(pages);
        self.facts.scroll = self.facts.times.is_some();
    }

    /// The number of results.
    pub(super) fn result_count(&mut self, text: &str) {
        let (words, facts) = (self.words, &mut self.facts);
        for limit in &self.limits {
            if limit.field != LimitField::Count {
                continue;
            }
            match (limit.operator, whole_count(limit.amount)) {
                (Operator::AtMost | Operator::Equal, Some(count)) if facts.count.is_none() => {
                    facts.count = Some(count);
                }
                // "fewer than 5 products"
                (Operator::Less, Some(count)) if facts.count.is_none() => {
                    facts.count = Some(count.max(2) - 1)
                }
                _ => facts.not_understood.push(limit.words.clone()),
            }
        }
        if let Some(found) = words.top.captures(text) {
            // "best one first" is an order.
            let end = found.get(0).map_or(0, |whole| whole.end());
            let next = text.get(end..).and_then(|rest| rest.split_whitespace().next());
            let is_order = next.is_some_and(|word| words.leading.is_match(word));
            facts.count = facts.count.or_else(|| count(&found, words).filter(|_| !is_order));
        }
        facts.count = facts.count.or_else(|| entity_count(text, words));
    }
}
