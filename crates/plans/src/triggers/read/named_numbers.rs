//! Words that say something together, where entries of the page's list say them together: a number and the word beside it ("Härtegrad
//! 3", "30 day contracts"), names of several words, and two words that the list has as a compound ("furniture lift", `Möbellift`).

use std::ops::Range;

use tools::PageList;
use tools::rows::condition::Operator;

use super::super::clauses::joined;
use super::InstructionReader;

locale::patterns! {
    /// A number of a few digits, and the words beside it.
    static NUMBER = r"(?i)(?:(?P<before>\p{L}{2,})[ -])?\b(?P<n>\d{1,4})\b(?:[ -](?P<behind>\p{L}{2,}))?";
    /// People by their age, as programmes name them: "under 5s", "over 60s".
    static GROUP = r"(?i)\b(?:under|over)[- ]\d{1,3}s\b";
    /// Two words beside each other.
    static PAIR = r"^(?P<first>\p{L}{3,}) (?P<second>\p{L}{3,})\b";
    /// Names of several words, each with a capital letter.
    static NAME = r"\b\p{Lu}[\p{L}\d'’&]*(?: \p{Lu}[\p{L}\d'’&]*){1,3}\b";
    /// What makes a number before it one that is compared.
    static COMPARED = r"(?i)^\s*(?:\p{L}+\s+)?(?:\+|(?:or|oder|lub|albo|and|und|i)\s+(?:more|less|mehr|weniger|fewer|higher|lower|über|unter|więcej|mniej|wyż\p{L}+|niż\p{L}+|up|above|below|over)\b)";
    /// Those of whom a number may be fewer than an entry takes.
    static PERSONS = r"(?i)^(?:people|persons?|guests?|players?|adults?|child\p{L}*|kids|personen|leute|gäste\p{L}*|spieler\p{L}*|erwachsene\p{L}*|kinder\p{L}*|os[oó]b\p{L}*|gości\p{L}*|graczy|dzieci\p{L}*|dorosł\p{L}+)$";
}

/// Most numbers of an instruction that are looked for in the list.
const MOST_NUMBERS: usize = 4;

impl InstructionReader<'_> {
    /// Groups of people that entries of the page's list name so, and no comparison: "things for under 5s", "the over 60s".
    pub(super) fn named_groups(&mut self, text: &mut String, list: Option<&PageList<'_>>) {
        let Some(list) = list else { return };
        for _ in 0..MOST_NUMBERS {
            let mut found = GROUP.find_iter(text);
            let Some(group) = found.find(|group| list.says(group.as_str())) else {
                return;
            };
            let (range, said) = (group.range(), group.as_str().to_owned());
            self.mark_state(text, range, Operator::Mentions, said);
        }
    }

    /// Joins numbers and their words to one word each.
    pub(super) fn named_numbers(&mut self, text: &mut String, list: Option<&PageList<'_>>) {
        let Some(list) = list else { return };
        for _ in 0..MOST_NUMBERS {
            let Some((range, said)) = self.named_number(text, list) else {
                return;
            };
            text.replace_range(range, &format!(" {} ", joined(&said)));
        }
    }

    /// Joins two words for which entries of the page's list have a compound: "furniture lift" where they say "Möbellift".
    pub(super) fn compounds(&mut self, text: &mut String, list: Option<&PageList<'_>>) {
        let Some(list) = list else { return };
        let is_name = |word: &str| !self.words.is_grammar(&word.to_lowercase());
        let mut pairs = (0..text.len()).filter_map(|from| {
            let starts = text
                .get(..from)?
                .chars()
                .next_back()
                .is_none_or(|c| !c.is_alphanumeric());
            let found = PAIR.captures(text.get(from..).filter(|_| starts)?)?;
            let (first, second) = (found.name("first")?, found.name("second")?);
            let are_names = is_name(first.as_str()) && is_name(second.as_str());
            let said = format!("{} {}", first.as_str(), second.as_str());
            are_names.then(|| (from..from + second.end(), said))
        });
        let found = pairs.find(|(_, said)| list.says_otherwise(said) && !list.says(said));
        if let Some((range, said)) = found {
            text.replace_range(range, &joined(&said));
        }
    }

    /// Joins the words of names that entries of the page's list say: "Wizz Air or Ryanair" are two carriers.
    pub(super) fn names(&self, text: &mut String, list: Option<&PageList<'_>>) {
        let Some(list) = list else { return };
        let is_name = |said: &str| {
            let mut words = said.split(' ').map(str::to_lowercase);
            words.all(|word| !self.words.is_grammar(&word) && !self.words.is_entity(&word)) && list.says(said)
        };
        let mut from = 0;
        while let Some(found) = text.get(from..).and_then(|rest| NAME.find(rest)) {
            let (start, said) = (from + found.start(), found.as_str());
            // "Show Wizz Air": the name may begin behind the first word.
            let shorter = said.split_once(' ').filter(|(_, rest)| rest.contains(' '));
            let shorter = shorter.map(|(first, rest)| (start + first.len() + 1, rest));
            let name = std::iter::once((start, said))
                .chain(shorter)
                .find(|(_, said)| is_name(said))
                .map(|(start, said)| (start..start + said.len(), joined(said)));
            from = start + said.len();
            if let Some((range, name)) = name {
                text.replace_range(range, &name);
            }
        }
    }

    fn named_number(&self, text: &str, list: &PageList<'_>) -> Option<(Range<usize>, String)> {
        let words = self.words;
        let is_name = |word: &str| {
            let lower = word.to_lowercase();
            !words.is_grammar(&lower) && !PERSONS.is_match(word)
        };
        NUMBER.captures_iter(text).take(MOST_NUMBERS).find_map(|found| {
            let number = found.name("n")?;
            let after = text.get(found.get(0)?.end()..)?;
            if number.as_str().parse().ok() == self.facts.count || COMPARED.is_match(after) {
                return None;
            }
            let named = |word: &regex::Match<'_>| is_name(word.as_str());
            let behind = found.name("behind").filter(named).map(|word| {
                let said = format!("{} {}", number.as_str(), word.as_str());
                (number.start()..word.end(), said)
            });
            let before = found.name("before").filter(named).map(|word| {
                let said = format!("{} {}", word.as_str(), number.as_str());
                (word.start()..number.end(), said)
            });
            let mut both = behind.into_iter().chain(before);
            both.find(|(_, said)| list.says(said))
        })
    }
}
