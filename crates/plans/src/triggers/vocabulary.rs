//! The trigger vocabulary of all languages, compiled to patterns once.
//!
//! The words of a language stand in `vocabulary/<language>.json`; each word is a regular expression. A language is added
//! by adding its file to [`FILES`].

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use locale::{Regex, compile_pattern};
use serde::Deserialize;
use tools::words::concepts;

/// The vocabulary files, one a language.
const FILES: [&str; 3] = [
    include_str!("vocabulary/en.json"),
    include_str!("vocabulary/pl.json"),
    include_str!("vocabulary/de.json"),
];

/// The words of the languages that say nothing about what is wanted, one file a language.
const FILLERS: [&str; 3] = [
    include_str!("vocabulary/filler.en.txt"),
    include_str!("vocabulary/filler.pl.txt"),
    include_str!("vocabulary/filler.de.txt"),
];

/// The words of a language as its file has them.
#[derive(Deserialize)]
struct LanguageFile {
    #[serde(rename = "language")]
    _language: String,
    numbers: BTreeMap<String, usize>,
    units: BTreeMap<String, Vec<String>>,
    entities: BTreeMap<String, Vec<String>>,
    fields: BTreeMap<String, Vec<String>>,
    /// Words before an amount by what they compare: `less`, `at_most`, `more`, `at_least`, `equal`.
    comparisons: BTreeMap<String, Vec<String>>,
    /// Superlatives by the field and direction of their order: `price up`.
    orders: BTreeMap<String, Vec<String>>,
    /// Words for facts of a row by the field and whether the row has it: `old_price yes`.
    flags: BTreeMap<String, Vec<String>>,
    #[serde(flatten)]
    lists: BTreeMap<String, Vec<String>>,
}

/// An amount: a sign or code before it, digits, a word behind it.
const MONEY: &str = r"(?:[$€£¥]|(?:pln|usd|eur|gbp)\s)?\s*(?P<n>\d{1,3}(?:[ \u{a0}\u{202f}]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)*)\s*(?P<u>[\p{Latin}$€£¥★%]+\.?)?";
/// A quoted text.
const QUOTED: &str = r#"["“„'«‘](?P<q>[^"”“'»’]+)["”“'»’]"#;
/// A part of an address.
const TOKEN: &str = r"[\w./?=&%-]{2,}";
/// A pattern that matches nothing.
const NOTHING: &str = r"[^\s\S]";

/// The patterns of all languages together.
pub(super) struct TriggerVocabulary {
    /// A comparison before an amount: `not under 50 zł`.
    pub(super) compared: Regex,
    /// A comparison behind an amount: `50 zł or less`.
    pub(super) compared_behind: Regex,
    /// Availability; `sold` where the words deny it.
    pub(super) stock: Regex,
    /// Facts of a row by their field.
    pub(super) flags: Vec<(String, Regex)>,
    /// Words that except what follows.
    pub(super) except: Regex,
    /// Words that deny what follows.
    pub(super) denial: Regex,
    /// Words that begin another thought.
    pub(super) but: BTreeSet<String>,
    pub(super) and: BTreeSet<String>,
    pub(super) or: BTreeSet<String>,
    pub(super) nor: BTreeSet<String>,
    /// Names of kinds of products: a page may list others, too.
    pub(super) goods: Regex,
    /// A field that rows have not.
    pub(super) without: Regex,
    /// A quoted text that rows contain.
    pub(super) text: Regex,
    pub(super) orders: Vec<(String, Regex)>,
    pub(super) sort_by: Regex,
    pub(super) ascending: Regex,
    pub(super) descending: Regex,
    /// Nouns of one thing.
    pub(super) singular: Regex,
    /// Questions for one thing.
    pub(super) asks_which: Regex,
    /// Questions for one thing whose verb or noun says that it is one.
    pub(super) asks_one: Regex,
    /// Persons who do what the next word says: "I am looking for" is no order to search.
    pub(super) persons: Regex,
    /// Articles of one thing before a superlative.
    pub(super) one_article: BTreeSet<String>,
    /// Words that put what a superlative names before the rest.
    pub(super) leading: Regex,
    /// Words for several things, whole words.
    pub(super) plural: Regex,
    /// Superlatives of one thing, whole words.
    pub(super) one_superlative: Regex,
    /// Words of grammar and of asking, which say nothing about what is wanted.
    filler: BTreeSet<String>,
    /// Beginnings of such words.
    filler_stems: BTreeSet<String>,
    /// Phrases whose words mean something else on their own: "under offer", "all ages".
    pub(super) set_phrases: Regex,
    pub(super) between: Regex,
    pub(super) thousand: Regex,
    pub(super) numbers: BTreeMap<String, usize>,
    pub(super) units: Vec<(String, Regex)>,
    pub(super) top: Regex,
    pub(super) entities: Vec<(String, Regex)>,
    pub(super) all: Regex,
    pub(super) this_page: Regex,
    pub(super) anything: Regex,
    pub(super) scroll: Regex,
    pub(super) paginate: Regex,
    pub(super) pages: Regex,
    pub(super) times: Regex,
    pub(super) search: Regex,
    pub(super) category: Regex,
    pub(super) click: Regex,
    pub(super) choice: Regex,
    pub(super) filter: Regex,
    pub(super) contains: Regex,
    pub(super) ending: Regex,
    pub(super) same_site: Regex,
    pub(super) check_urls: Regex,
    pub(super) check_fields: Regex,
    pub(super) stops: Regex,
    pub(super) fields: Vec<(String, Regex)>,
    pub(super) dates: Regex,
}

/// Fields that things have or not, so that their names alone say what is wanted.
const CONDITIONS: [&str; 3] = ["free_delivery", "company", "discount"];

/// A word that joins two parts of a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Connective {
    And,
    Or,
    /// "And" before something that is denied.
    Nor,
}

/// The vocabulary, compiled at its first use. A broken file fails a test.
pub(super) static VOCABULARY: LazyLock<TriggerVocabulary> = LazyLock::new(|| Languages::load().compile());

impl TriggerVocabulary {
    /// The pattern of an entity: `products`, `articles`, `links`, `tables`, `rows`.
    pub(super) fn entity(&self, name: &str) -> Option<&Regex> {
        let entity = self.entities.iter().find(|(entity, _)| entity == name);
        entity.map(|(_, pattern)| pattern)
    }

    /// Patterns of everything but orders that a reader of facts may have used without removing it, where these columns are asked
    /// for. The name of another field that things may have or not ("with delivery", "not from companies") is a condition.
    pub(super) fn understood<'v>(&'v self, columns: &'v [String]) -> impl Iterator<Item = &'v Regex> {
        // Job offers before offers, and before the words that fit every list.
        let entities = self.entities.iter().rev().map(|(_, pattern)| pattern);
        let is_column =
            |name: &str| !CONDITIONS.contains(&name) || columns.iter().any(|column| column == name);
        let fields = self.fields.iter().filter(move |(name, _)| is_column(name));
        let named = fields.chain(&self.units).map(|(_, pattern)| pattern);
        let single = [
            &self.sort_by,
            &self.descending,
            &self.ascending,
            &self.paginate,
            &self.scroll,
            &self.check_fields,
            &self.check_urls,
            &self.same_site,
            &self.top,
            &self.all,
            &self.anything,
            &self.filter,
        ];
        entities.chain(single).chain(named)
    }

    /// Whether a word names an entity.
    pub(super) fn is_entity(&self, word: &str) -> bool {
        !word.is_empty()
            && (self.entities.iter().any(|(_, pattern)| is_whole(pattern, word))
                || is_whole(&self.goods, word))
    }

    /// Whether a word says nothing about what is wanted: grammar, connectives, denials.
    pub(super) fn is_grammar(&self, word: &str) -> bool {
        self.is_filler(word)
            || self.but.contains(word)
            || self.connective(word).is_some()
            || self.is_denial(word)
    }

    /// Whether a text asks for an order.
    pub(super) fn is_order(&self, text: &str) -> bool {
        self.orders.iter().any(|(_, order)| order.is_match(text))
    }

    /// Whether a word, in lower case, is one of grammar or of asking.
    pub(super) fn is_filler(&self, word: &str) -> bool {
        let mut stems = word
            .char_indices()
            .map(|(at, _)| at)
            .skip(SHORTEST_STEM)
            .chain([word.len()]);
        // A word that lists have is none, though it begins as one: "napisy" as "napisane".
        self.filler.contains(word)
            || (stems.any(|end| {
                let (stem, ending) = word.split_at_checked(end).unwrap_or((word, ""));
                // "manche" takes one letter, and "Manchester" is a place.
                let is_ending = match stem.ends_with('e') {
                    true => ending.chars().count() <= 1,
                    false => ENDINGS.contains(&ending),
                };
                self.filler_stems.contains(stem) && is_ending
            }) && !concepts::is_known(word))
    }

    /// Whether a word denies what follows.
    pub(super) fn is_denial(&self, word: &str) -> bool {
        is_whole(&self.denial, word)
    }

    /// What a word joins.
    pub(super) fn connective(&self, word: &str) -> Option<Connective> {
        if self.nor.contains(word) {
            Some(Connective::Nor)
        } else if self.or.contains(word) {
            Some(Connective::Or)
        } else if self.and.contains(word) {
            Some(Connective::And)
        } else {
            None
        }
    }
}

/// Whether a pattern matches a whole word, apart from its final dot.
pub(super) fn is_whole(pattern: &Regex, word: &str) -> bool {
    let found = pattern.find(word);
    found.is_some_and(|found| found.len() == word.trim_end_matches('.').len() || found.len() == word.len())
}

/// Fewest letters of the beginning of a word that stands for any ending.
const SHORTEST_STEM: usize = 3;
/// Endings that words of the three languages take behind a stem; "allein" is no form of "alle".
#[rustfmt::skip]
const ENDINGS: [&str; 97] = [
    "", "a", "ą", "e", "ę", "i", "y", "o", "u", "ó", "n", "s", "t", "r", "m", "d", "ć", "ł", "j",
    "en", "er", "es", "em", "et", "st", "te", "ed", "ly", "rs", "ns", "ts", "ia", "ie", "ię", "ią", "io", "iu", "ii", "om", "ów",
    "ym", "im", "ej", "mi", "my", "le", "li", "ła", "ło", "ły", "ał", "ać", "eć", "ić", "yć", "je", "ją", "ję", "uj",
    "est", "ten", "tet", "end", "ing", "ami", "ach", "owi", "ich", "ych", "ego", "emu", "imi", "ymi", "cie", "ają", "uje", "ują",
    "esz", "isz", "ysz", "imy", "emy", "amy", "ali", "ały", "ała", "iła", "iły", "ywa", "nej", "nym", "ings", "ende", "endi",
    "iami", "iach", "ować",
];

/// Fewest letters of a word that people write without its accents: "są" as "sa" would be another word.
const SHORTEST_PLAIN: usize = 4;

/// How people write a word without its accents: "ktore", "anfaengt".
fn plain_spellings(word: &str) -> Vec<String> {
    let umlauts = word.replace('ä', "ae").replace('ö', "oe").replace('ü', "ue");
    let mut spellings = vec![locale::fold_diacritics(word), umlauts];
    spellings.retain(|plain| word.chars().count() >= SHORTEST_PLAIN && plain != word);
    spellings
}

/// The words of all [`FILLERS`].
fn fillers() -> impl Iterator<Item = &'static str> {
    let lines = FILLERS.iter().flat_map(|file| file.lines());
    lines
        .filter(|line| !line.starts_with('#'))
        .flat_map(str::split_whitespace)
}

struct Languages(Vec<LanguageFile>);

impl Languages {
    #[expect(
        clippy::expect_used,
        reason = "the files are part of the program and read by a test"
    )]
    fn load() -> Languages {
        let read = |file: &&str| serde_json::from_str(file).expect("a vocabulary file has every list");
        Languages(FILES.iter().map(read).collect())
    }

    fn compile(&self) -> TriggerVocabulary {
        let list = |name| self.list(name);
        let set = |name| self.words(name).map(str::to_owned).collect::<BTreeSet<String>>();
        let money = |number, unit| MONEY.replace("?P<n>", number).replace("?P<u>", unit);
        let numbers: BTreeMap<String, usize> = self.0.iter().flat_map(|file| file.numbers.clone()).collect();
        let number_words: Vec<&str> = numbers.keys().map(String::as_str).collect();
        let count = format!(r"(?P<n>\d{{1,6}}|{})", number_words.join("|"));
        let top = format!(
            r"(?:\b(?:{top})\s+{count}\b|\b{second}\s+(?:{top})\b)",
            top = list("top"),
            second = count.replace("?P<n>", "?P<m>")
        );
        let and = self
            .words("and")
            .filter(|word| word.chars().any(char::is_alphabetic));
        let between = format!(
            r"(?:\b(?:{})\s+)?{}\s*(?:\b(?:{})\b|[-–—])\s*{}",
            list("between"),
            money("?P<a>", "?P<u>"),
            and.collect::<Vec<_>>().join("|"),
            money("?P<b>", "?P<v>"),
        );
        let choice = format!(
            r#"\b(?:{})\s+{QUOTED}\s+(?:{})\s+["“„'«‘]?(?P<f>[\p{{L}}\d _-]+)"#,
            list("select"),
            list("in_field")
        );
        TriggerVocabulary {
            compared: pattern(&format!(
                r"(?:\b(?P<not>{not})\s+(?:\p{{L}}+\s+){{0,2}}?)?(?P<compared>\b(?:{comparisons})|(?P<s><=|>=|[<>≤≥]))\s*(?P<minus>[-−])?{amount}",
                not = list("not"),
                comparisons = self.comparisons(),
                amount = sum(&number_words),
            )),
            compared_behind: pattern(&format!(
                r"{}\s*(?:\+|(?P<ge>{})|(?P<le>{}))",
                sum(&number_words),
                list("or_more"),
                list("or_less"),
            )),
            stock: pattern(&format!(
                r"\b(?:(?P<sold>{})|(?:{}))\b",
                list("sold_out"),
                list("in_stock")
            )),
            flags: self.named(|file| &file.flags),
            except: self.word("except"),
            denial: self.word("not"),
            but: set("but"),
            and: set("and_words"),
            or: set("or_words"),
            nor: set("nor"),
            goods: self.word("goods"),
            without: pattern(&format!(r"\b(?:{})\s+(?P<t>\p{{L}}+)", list("without"))),
            text: pattern(&format!(
                r"(?:\b(?P<not>{})\s+(?:\p{{L}}+\s+)??)?\b(?:{}|(?P<no>{}))\s+(?:\p{{L}}+\s+){{0,2}}?{QUOTED}",
                list("not"),
                list("text"),
                list("without")
            )),
            orders: self
                .named_lists(|file| &file.orders)
                .into_iter()
                .map(|(name, words)| {
                    let denied = format!(
                        r"(?:\b(?P<not>{})\s+(?:\p{{L}}+\s+)??)?\b(?:{words})\b",
                        list("not")
                    );
                    (name.to_owned(), pattern(&denied))
                })
                .collect(),
            sort_by: self.word("sort_by"),
            ascending: self.word("ascending"),
            descending: self.word("descending"),
            singular: self.word("singular"),
            asks_which: self.word("asks_which"),
            asks_one: self.word("asks_one"),
            persons: pattern(&format!(r"\b(?:{})\s+$", list("persons"))),
            leading: self.word("leading"),
            plural: pattern(&format!("^(?:{})$", list("plural"))),
            one_article: set("one_article"),
            one_superlative: pattern(&format!("^(?:{})$", list("one_superlative"))),
            filler: self
                .words("filler")
                .map(str::to_owned)
                .chain(fillers().filter(|word| !word.ends_with('*')).map(str::to_owned))
                .flat_map(|word| {
                    let plain = plain_spellings(&word);
                    std::iter::once(word).chain(plain)
                })
                .collect(),
            filler_stems: fillers()
                .filter_map(|word| word.strip_suffix('*'))
                .map(str::to_owned)
                .collect(),
            set_phrases: self.word("set_phrases"),
            between: pattern(&between),
            thousand: pattern(&format!("^(?:{})$", list("thousand"))),
            units: self.named(|file| &file.units),
            top: pattern(&top),
            entities: self.named(|file| &file.entities),
            all: self.word("all"),
            this_page: self.word("this_page"),
            anything: self.word("anything"),
            scroll: self.word("scroll"),
            paginate: self.word("paginate"),
            pages: pattern(&format!(
                r"\b{count}\s+(?:\p{{L}}+\s+)?(?:{})\b",
                self.unit("pages")
            )),
            times: pattern(&format!(r"\b{count}\s*(?:{})\b", self.unit("times"))),
            search: self.followed("search", r"\s+", ".+"),
            category: self.followed("category", r"\s*:?\s+", ".+"),
            click: self.followed("click", r"\s+", ".+"),
            choice: pattern(&choice),
            filter: self.word("filter"),
            contains: self.followed("contains", r"\s+", TOKEN),
            ending: self.followed("ending", r"\s+", TOKEN),
            same_site: self.word("same_site"),
            check_urls: self.word("check_urls"),
            check_fields: self.word("check_fields"),
            stops: pattern(&format!(
                r"(?:\s(?:{})(?:\s|$)|[,;:.!?(\n]\s|[,;:.!?(\n]$)",
                list("stops")
            )),
            fields: self.named(|file| &file.fields),
            dates: self.word("dates"),
            numbers,
        }
    }

    fn words(&self, list: &str) -> impl Iterator<Item = &str> {
        let lists = self.0.iter().filter_map(move |file| file.lists.get(list));
        lists.flatten().map(String::as_str)
    }

    /// The words of a list as alternatives.
    fn list(&self, name: &str) -> String {
        alternatives(self.words(name).collect())
    }

    fn unit(&self, name: &str) -> String {
        let units = self.0.iter().filter_map(|file| file.units.get(name)).flatten();
        alternatives(units.map(String::as_str).collect())
    }

    fn word(&self, list: &str) -> Regex {
        word(&self.list(list))
    }

    /// A word of a list, followed by a quoted text (`q`) or by plain text (`t`).
    fn followed(&self, list: &str, gap: &str, plain: &str) -> Regex {
        pattern(&format!(
            r"\b(?:{}){gap}(?:{QUOTED}|(?P<t>{plain}))",
            self.list(list)
        ))
    }

    /// A pattern for each name, with the words of all languages.
    fn named(&self, lists: fn(&LanguageFile) -> &BTreeMap<String, Vec<String>>) -> Vec<(String, Regex)> {
        let merged = self.named_lists(lists).into_iter();
        merged
            .map(|(name, words)| (name.to_owned(), word(&words)))
            .collect()
    }

    /// The words of all languages for each name, as alternatives.
    fn named_lists(
        &self,
        lists: fn(&LanguageFile) -> &BTreeMap<String, Vec<String>>,
    ) -> BTreeMap<&str, String> {
        let mut merged: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, words) in self.0.iter().flat_map(lists) {
            let merged = merged.entry(name).or_default();
            merged.extend(words.iter().map(String::as_str));
        }
        let joined = merged.into_iter();
        joined.map(|(name, words)| (name, alternatives(words))).collect()
    }

    /// The words of all comparisons, each kind in a group of its own: "no more than" before "more than".
    fn comparisons(&self) -> String {
        const GROUPS: [(&str, &str); 5] = [
            ("at_most", "le"),
            ("at_least", "ge"),
            ("less", "lt"),
            ("more", "gt"),
            ("equal", "eq"),
        ];
        let lists = self.named_lists(|file| &file.comparisons);
        let groups = GROUPS.iter().map(|(name, group)| {
            let words = lists.get(name).map_or(NOTHING, String::as_str);
            format!("(?P<{group}>{words})")
        });
        groups.collect::<Vec<_>>().join("|")
    }
}

/// An amount (`n`) with a sign or code before it (`c`) and a word behind it (`u`). The amount may be a number word.
fn sum(number_words: &[&str]) -> String {
    format!(
        r"(?P<c>[$€£¥]|(?:pln|usd|eur|gbp)\s)?\s*(?P<n>\d{{1,3}}(?:[ \u{{a0}}\u{{202f}}]\d{{3}})+(?:[.,]\d{{1,2}})?|\d+(?:[.,]\d+)*|\b(?:{})\b)(?:\s*(?P<u>[\p{{L}}$€£¥★%]+[²³]?\.?))?",
        number_words.join("|")
    )
}

/// Joins words to one pattern, the longer ones first: "no more than" before "more than", "job offers" before "jobs".
///
/// `\w` becomes a letter of the scripts of the files: one of any script takes many times as long to compile, and there
/// are more than a hundred of them.
fn alternatives(mut words: Vec<&str>) -> String {
    /// Latin, Greek and Cyrillic letters, and digits.
    const LETTER: &str = r"[0-9_a-z\u{c0}-\u{24f}\u{370}-\u{52f}]";
    words.sort_by_key(|word| Reverse(word.len()));
    match words.is_empty() {
        true => NOTHING.to_owned(),
        false => words.join("|").replace(r"\w", LETTER),
    }
}

fn word(alternatives: &str) -> Regex {
    pattern(&format!(r"\b(?:{alternatives})\b"))
}

fn pattern(text: &str) -> Regex {
    compile_pattern(format!("(?i){text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_the_same_lists_and_their_patterns_compile() {
        let languages = Languages::load();
        let lists = |file: &LanguageFile| file.lists.keys().cloned().collect::<Vec<_>>();
        assert!(
            languages
                .0
                .windows(2)
                .all(|files| lists(&files[0]) == lists(&files[1]))
        );
        for list in lists(&languages.0[0]) {
            assert_ne!(languages.list(&list), NOTHING, "{list}");
        }
        languages.compile();
    }
}
