//! The meanings of words in dates, by language.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::tokens::{DateTokens, Token, TokenKind};

/// The table of words; see its head for sources and form.
const TABLE: &str = include_str!("words.txt");
/// The longest phrase of the table, in words.
const MAX_PHRASE: usize = 4;

/// A language of the table, by its place there; the table has fewer than 64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DateLanguage(u8);

/// A length of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeUnit {
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

const UNITS: [TimeUnit; 7] = [
    TimeUnit::Second,
    TimeUnit::Minute,
    TimeUnit::Hour,
    TimeUnit::Day,
    TimeUnit::Week,
    TimeUnit::Month,
    TimeUnit::Year,
];

/// What a word can mean in one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordMeaning {
    /// From 1 to 12.
    Month(i8),
    /// From 0 for Monday.
    Weekday(i8),
    Am,
    Pm,
    Ago,
    /// Days from today.
    Near(i8),
    Now,
    Unit(TimeUnit),
    /// Stands for the number 1.
    One,
    /// Stands beside a clock time.
    Clock,
    /// Twelve o'clock in the day.
    Noon,
}

impl WordMeaning {
    pub(super) fn month(self) -> Option<i8> {
        match self {
            WordMeaning::Month(month) => Some(month),
            _ => None,
        }
    }

    pub(super) fn weekday(self) -> Option<i8> {
        match self {
            WordMeaning::Weekday(day) => Some(day),
            _ => None,
        }
    }

    pub(super) fn unit(self) -> Option<TimeUnit> {
        match self {
            WordMeaning::Unit(unit) => Some(unit),
            _ => None,
        }
    }
}

/// One meaning in one language.
#[derive(Debug, Clone, Copy)]
pub(super) struct WordSense {
    pub(super) language: DateLanguage,
    pub(super) meaning: WordMeaning,
}

struct WordTable {
    languages: Vec<&'static str>,
    senses: HashMap<String, Vec<WordSense>>,
    /// How many words the longest phrase has that begins with this word.
    longest: HashMap<String, usize>,
}

static WORDS: LazyLock<WordTable> = LazyLock::new(|| {
    let mut table = WordTable {
        languages: Vec::new(),
        senses: HashMap::new(),
        longest: HashMap::new(),
    };
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        if let Some(code) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            table.languages.push(code);
            continue;
        }
        let Some((name, values)) = line.split_once(' ') else {
            continue;
        };
        let Some(language) = u8::try_from(table.languages.len())
            .ok()
            .and_then(|n| n.checked_sub(1))
        else {
            continue;
        };
        for (at, spellings) in values.split(" | ").enumerate() {
            let Some(meaning) = meaning(name, at) else {
                continue;
            };
            for word in spellings.split(' ').filter(|word| *word != "-") {
                table.add(
                    word,
                    WordSense {
                        language: DateLanguage(language),
                        meaning,
                    },
                );
            }
        }
    }
    table
});

fn meaning(name: &str, at: usize) -> Option<WordMeaning> {
    let place = i8::try_from(at).ok()?;
    Some(match name {
        "months" => WordMeaning::Month(place + 1),
        "days" => WordMeaning::Weekday(place),
        "am" => WordMeaning::Am,
        "pm" => WordMeaning::Pm,
        "ago" => WordMeaning::Ago,
        "near" => WordMeaning::Near(place - 2),
        "now" => WordMeaning::Now,
        "units" => WordMeaning::Unit(*UNITS.get(at)?),
        "one" => WordMeaning::One,
        "clock" => WordMeaning::Clock,
        "noon" => WordMeaning::Noon,
        _ => return None,
    })
}

impl WordTable {
    fn add(&mut self, word: &str, sense: WordSense) {
        let tokens = DateTokens::of(&word.replace('_', " "));
        let parts: Vec<&str> = tokens
            .list
            .iter()
            .filter(|token| !matches!(token.kind, TokenKind::Mark(_)))
            .map(|token| tokens.str(token))
            .collect();
        let Some(first) = parts.first() else { return };
        let longest = self.longest.entry((*first).to_owned()).or_default();
        *longest = (*longest).max(parts.len()).min(MAX_PHRASE);
        let senses = self.senses.entry(parts.join(" ")).or_default();
        if !senses
            .iter()
            .any(|known| known.language == sense.language && known.meaning == sense.meaning)
        {
            senses.push(sense);
        }
    }
}

/// The place of a language in the table, by its primary code (`pt-BR` is `pt`).
pub(super) fn language(code: &str) -> Option<DateLanguage> {
    let primary = code.split(['-', '_']).next()?;
    let at = WORDS
        .languages
        .iter()
        .position(|code| code.eq_ignore_ascii_case(primary))?;
    u8::try_from(at).ok().map(DateLanguage)
}

/// A number, a known word or phrase, a mark, or a word the table does not know.
#[derive(Debug, Clone, Copy)]
pub(super) enum ItemKind {
    Number,
    Known(&'static [WordSense]),
    Mark(char),
    Unknown,
}

/// A token or a phrase of tokens with what it can mean.
#[derive(Debug, Clone, Copy)]
pub(super) struct DateItem {
    pub(super) kind: ItemKind,
    /// The token, or the whole phrase as one.
    pub(super) token: Token,
    /// Whether a part of the date has taken it.
    pub(super) used: bool,
}

impl DateItem {
    pub(super) fn senses(&self) -> &'static [WordSense] {
        match self.kind {
            ItemKind::Known(senses) => senses,
            ItemKind::Number | ItemKind::Mark(_) | ItemKind::Unknown => &[],
        }
    }

    pub(super) fn is_mark(&self, mark: char) -> bool {
        self.token.is_mark(mark)
    }

    /// The value of a number that nothing has taken yet.
    pub(super) fn number(&self) -> Option<u64> {
        (matches!(self.kind, ItemKind::Number) && !self.used).then_some(self.token.value)
    }
}

/// Looks every token up, longest phrases first.
pub(super) fn items(tokens: &DateTokens) -> Vec<DateItem> {
    let mut out = Vec::with_capacity(tokens.list.len());
    let mut at = 0;
    let mut key = String::new();
    while let Some(token) = tokens.list.get(at) {
        let mut token = *token;
        let mut width = 1;
        let kind = match token.kind {
            TokenKind::Number => ItemKind::Number,
            TokenKind::Mark(mark) => ItemKind::Mark(mark),
            TokenKind::Word => match phrase(tokens, at, &mut key) {
                Some((senses, taken)) => {
                    width = taken;
                    token.end = tokens.list.get(at + taken - 1).map_or(token.end, |last| last.end);
                    ItemKind::Known(senses)
                }
                None => ItemKind::Unknown,
            },
        };
        out.push(DateItem {
            kind,
            token,
            used: false,
        });
        at += width;
    }
    out
}

/// The longest phrase of the table that starts here, with the number of tokens it takes.
fn phrase(tokens: &DateTokens, at: usize, key: &mut String) -> Option<(&'static [WordSense], usize)> {
    let first = tokens.str(tokens.list.get(at)?);
    let Some(longest) = WORDS.longest.get(first) else {
        // Hebrew writes the word for "in" into the month.
        let senses = WORDS.senses.get(first.strip_prefix('ב')?)?;
        return Some((senses, 1));
    };
    key.clear();
    let mut longest_match = None;
    let mut words = 0;
    let mut next = at;
    while words < *longest {
        let Some(token) = tokens.list.get(next) else { break };
        match token.kind {
            TokenKind::Word => {
                if words > 0 {
                    key.push(' ');
                }
                key.push_str(tokens.str(token));
                words += 1;
                if let Some(senses) = WORDS.senses.get(key.as_str()) {
                    longest_match = Some((senses.as_slice(), next + 1 - at));
                }
            }
            // The marks inside of "p.m.", "sexta-feira" and "aujourd'hui".
            TokenKind::Mark('.' | '-' | '\'') if token.glued && words > 0 => {}
            TokenKind::Mark(_) | TokenKind::Number => break,
        }
        next += 1;
    }
    longest_match
}

/// The language that explains most of the words; `hint` decides a tie, then the order of the table.
///
/// A word for "ago" counts only beside a unit of time in the same language: `ago` is August in Spanish.
pub(super) fn best_language(items: &[DateItem], hint: Option<DateLanguage>) -> Option<DateLanguage> {
    let mut scores = [0u32; 64];
    let mut units = 0u64;
    for sense in items.iter().flat_map(DateItem::senses) {
        if matches!(sense.meaning, WordMeaning::Unit(_)) {
            units |= bit(sense.language);
        }
    }
    for item in items {
        let mut seen = 0u64;
        for sense in item.senses() {
            let bit = bit(sense.language);
            let weight = match sense.meaning {
                WordMeaning::Ago if units & bit == 0 => 0,
                WordMeaning::Ago => 6,
                WordMeaning::Month(_) => 5,
                WordMeaning::Weekday(_) if item.token.end - item.token.start > 2 => 4,
                WordMeaning::Near(_) => 4,
                WordMeaning::Unit(_) => 3,
                WordMeaning::Weekday(_) | WordMeaning::Now | WordMeaning::One | WordMeaning::Clock => 1,
                // `de` is a Hungarian morning and a Romance "of".
                WordMeaning::Am | WordMeaning::Pm | WordMeaning::Noon => 0,
            };
            if seen & bit == 0
                && let Some(score) = scores.get_mut(usize::from(sense.language.0))
            {
                *score += weight;
                seen |= bit;
            }
        }
    }
    let top = scores.iter().copied().max().filter(|top| *top > 0)?;
    let tied = |language: &DateLanguage| scores.get(usize::from(language.0)) == Some(&top);
    hint.filter(tied).or_else(|| {
        let at = scores.iter().position(|score| *score == top)?;
        u8::try_from(at).ok().map(DateLanguage)
    })
}

fn bit(language: DateLanguage) -> u64 {
    1u64 << (language.0 & 63)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_twelve_months_and_seven_days_where_it_names_any() {
        assert!((30..64).contains(&WORDS.languages.len()));
        for at in 0..WORDS.languages.len() {
            let values_of = |select: fn(WordMeaning) -> Option<i8>| {
                let mut values: Vec<i8> = WORDS
                    .senses
                    .values()
                    .flatten()
                    .filter(|sense| usize::from(sense.language.0) == at)
                    .filter_map(|sense| select(sense.meaning))
                    .collect();
                values.sort_unstable();
                values.dedup();
                values
            };
            let months = values_of(WordMeaning::month);
            let days = values_of(WordMeaning::weekday);
            let name = WORDS.languages[at];
            assert!(
                months.is_empty() || months == (1..=12).collect::<Vec<i8>>(),
                "{name} {months:?}"
            );
            assert_eq!(days, (0..7).collect::<Vec<i8>>(), "{name}");
        }
    }

    #[test]
    fn one_spelling_in_two_languages_follows_the_hint() {
        let tokens = DateTokens::of("14 listopada");
        let items = items(&tokens);
        assert_eq!(best_language(&items, None), language("pl"));
        assert_eq!(best_language(&items, language("hr")), language("hr"));
    }
}
