//! What do words mean in a date, and in which languages?

use std::collections::HashMap;
use std::sync::LazyLock;

use super::tokens::{Kind, Token, Tokens};

/// The table of words; see its head for sources and form.
const TABLE: &str = include_str!("words.txt");
/// The longest phrase of the table, in words.
const MAX_PHRASE: usize = 4;

/// A language of the table, by its place there; the table has fewer than 64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Language(u8);

/// A length of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

const UNITS: [Unit; 7] = [
    Unit::Second,
    Unit::Minute,
    Unit::Hour,
    Unit::Day,
    Unit::Week,
    Unit::Month,
    Unit::Year,
];

/// What a word can say in one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// 1 to 12.
    Month(i8),
    /// 0 is Monday.
    Weekday(i8),
    Am,
    Pm,
    Ago,
    /// Days from today.
    Near(i8),
    Now,
    Unit(Unit),
    /// Stands for the number 1.
    One,
    /// Stands beside a clock time.
    Clock,
}

/// One meaning in one language.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sense {
    pub(super) language: Language,
    pub(super) meaning: Meaning,
}

struct Table {
    languages: Vec<&'static str>,
    senses: HashMap<String, Vec<Sense>>,
    /// How many words the longest phrase has that begins with this word.
    longest: HashMap<String, usize>,
}

static WORDS: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table {
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
                    Sense {
                        language: Language(language),
                        meaning,
                    },
                );
            }
        }
    }
    table
});

fn meaning(name: &str, at: usize) -> Option<Meaning> {
    let place = i8::try_from(at).ok()?;
    Some(match name {
        "months" => Meaning::Month(place + 1),
        "days" => Meaning::Weekday(place),
        "am" => Meaning::Am,
        "pm" => Meaning::Pm,
        "ago" => Meaning::Ago,
        "near" => Meaning::Near(place - 2),
        "now" => Meaning::Now,
        "units" => Meaning::Unit(*UNITS.get(at)?),
        "one" => Meaning::One,
        "clock" => Meaning::Clock,
        _ => return None,
    })
}

impl Table {
    fn add(&mut self, word: &str, sense: Sense) {
        let tokens = Tokens::of(&word.replace('_', " "));
        let parts: Vec<&str> = tokens
            .list
            .iter()
            .filter(|it| !matches!(it.kind, Kind::Mark(_)))
            .map(|it| tokens.str(it))
            .collect();
        let Some(first) = parts.first() else { return };
        let longest = self.longest.entry((*first).to_owned()).or_default();
        *longest = (*longest).max(parts.len()).min(MAX_PHRASE);
        let senses = self.senses.entry(parts.join(" ")).or_default();
        if !senses
            .iter()
            .any(|it| it.language == sense.language && it.meaning == sense.meaning)
        {
            senses.push(sense);
        }
    }
}

/// The place of a language in the table, by its primary code (`pt-BR` is `pt`).
pub(super) fn language(code: &str) -> Option<Language> {
    let primary = code.split(['-', '_']).next()?;
    let at = WORDS
        .languages
        .iter()
        .position(|it| it.eq_ignore_ascii_case(primary))?;
    u8::try_from(at).ok().map(Language)
}

/// A number, a known word or phrase, a mark, or a word the table does not know.
#[derive(Debug, Clone, Copy)]
pub(super) enum What {
    Number,
    Known(&'static [Sense]),
    Mark(char),
    Unknown,
}

/// A token or a phrase of tokens with what it can mean.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub(super) what: What,
    /// The token, or the whole phrase as one.
    pub(super) token: Token,
    /// True once some reading has taken it.
    pub(super) used: bool,
}

impl Item {
    pub(super) fn senses(&self) -> &'static [Sense] {
        match self.what {
            What::Known(senses) => senses,
            What::Number | What::Mark(_) | What::Unknown => &[],
        }
    }

    pub(super) fn is_mark(&self, mark: char) -> bool {
        self.token.is_mark(mark)
    }

    /// The value of a number that nothing has taken yet.
    pub(super) fn number(&self) -> Option<u64> {
        (matches!(self.what, What::Number) && !self.used).then_some(self.token.value)
    }
}

/// Looks every token up, longest phrases first.
pub(super) fn items(tokens: &Tokens) -> Vec<Item> {
    let mut out = Vec::with_capacity(tokens.list.len());
    let mut at = 0;
    let mut key = String::new();
    while let Some(token) = tokens.list.get(at) {
        let mut token = *token;
        let mut width = 1;
        let what = match token.kind {
            Kind::Number => What::Number,
            Kind::Mark(mark) => What::Mark(mark),
            Kind::Word => match phrase(tokens, at, &mut key) {
                Some((senses, taken)) => {
                    width = taken;
                    token.end = tokens.list.get(at + taken - 1).map_or(token.end, |last| last.end);
                    What::Known(senses)
                }
                None => What::Unknown,
            },
        };
        out.push(Item {
            what,
            token,
            used: false,
        });
        at += width;
    }
    out
}

/// The longest phrase of the table that starts here, with the number of tokens it takes.
fn phrase(tokens: &Tokens, at: usize, key: &mut String) -> Option<(&'static [Sense], usize)> {
    let first = tokens.str(tokens.list.get(at)?);
    let Some(longest) = WORDS.longest.get(first) else {
        // Hebrew writes the word for "in" into the month.
        let senses = WORDS.senses.get(first.strip_prefix('ב')?)?;
        return Some((senses, 1));
    };
    key.clear();
    let mut found = None;
    let mut words = 0;
    let mut next = at;
    while words < *longest {
        let Some(token) = tokens.list.get(next) else { break };
        match token.kind {
            Kind::Word => {
                if words > 0 {
                    key.push(' ');
                }
                key.push_str(tokens.str(token));
                words += 1;
                if let Some(senses) = WORDS.senses.get(key.as_str()) {
                    found = Some((senses.as_slice(), next + 1 - at));
                }
            }
            // The marks inside of "p.m.", "sexta-feira" and "aujourd'hui".
            Kind::Mark('.' | '-' | '\'') if token.glued && words > 0 => {}
            Kind::Mark(_) | Kind::Number => break,
        }
        next += 1;
    }
    found
}

/// The language that explains most of the words; `hint` decides a tie, then the order of the table.
///
/// A word for "ago" counts only beside a unit of time in the same language: `ago` is August in Spanish.
pub(super) fn best_language(items: &[Item], hint: Option<Language>) -> Option<Language> {
    let mut scores = [0u32; 64];
    let mut units = 0u64;
    for sense in items.iter().flat_map(Item::senses) {
        if matches!(sense.meaning, Meaning::Unit(_)) {
            units |= bit(sense.language);
        }
    }
    for item in items {
        let mut seen = 0u64;
        for sense in item.senses() {
            let bit = bit(sense.language);
            let weight = match sense.meaning {
                Meaning::Ago if units & bit == 0 => 0,
                Meaning::Ago => 6,
                Meaning::Month(_) => 5,
                Meaning::Weekday(_) if item.token.end - item.token.start > 2 => 4,
                Meaning::Near(_) => 4,
                Meaning::Unit(_) => 3,
                Meaning::Weekday(_) | Meaning::Now | Meaning::One | Meaning::Clock => 1,
                // `de` is a Hungarian morning and a Romance "of".
                Meaning::Am | Meaning::Pm => 0,
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
    let tied = |language: &Language| scores.get(usize::from(language.0)) == Some(&top);
    hint.filter(tied).or_else(|| {
        let at = scores.iter().position(|score| *score == top)?;
        u8::try_from(at).ok().map(Language)
    })
}

fn bit(language: Language) -> u64 {
    1u64 << (language.0 & 63)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_twelve_months_and_seven_days_where_it_names_any() {
        assert!((30..64).contains(&WORDS.languages.len()));
        for at in 0..WORDS.languages.len() {
            let of = |wanted: fn(Meaning) -> Option<i8>| {
                let mut values: Vec<i8> = WORDS
                    .senses
                    .values()
                    .flatten()
                    .filter(|sense| usize::from(sense.language.0) == at)
                    .filter_map(|sense| wanted(sense.meaning))
                    .collect();
                values.sort_unstable();
                values.dedup();
                values
            };
            let months = of(|it| {
                if let Meaning::Month(month) = it {
                    Some(month)
                } else {
                    None
                }
            });
            let days = of(|it| {
                if let Meaning::Weekday(day) = it {
                    Some(day)
                } else {
                    None
                }
            });
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
        let tokens = Tokens::of("14 listopada");
        let items = items(&tokens);
        assert_eq!(best_language(&items, None), language("pl"));
        assert_eq!(best_language(&items, language("hr")), language("hr"));
    }
}
