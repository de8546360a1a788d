//! The words of every language as patterns, compiled once.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use regex::{Regex, RegexBuilder};
use serde::Deserialize;

/// The files of words, one a language.
pub(super) const FILES: [&str; 3] = [
    include_str!("../words/en.json"),
    include_str!("../words/pl.json"),
    include_str!("../words/de.json"),
];

/// The words of a language as its file has them; each is a pattern.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Language {
    #[allow(dead_code, reason = "the file says whose words it holds")]
    pub(super) language: String,
    max: Vec<String>,
    min: Vec<String>,
    between: Vec<String>,
    and: Vec<String>,
    thousand: Vec<String>,
    numbers: BTreeMap<String, usize>,
    units: BTreeMap<String, Vec<String>>,
    top: Vec<String>,
    entities: BTreeMap<String, Vec<String>>,
    all: Vec<String>,
    anything: Vec<String>,
    scroll: Vec<String>,
    paginate: Vec<String>,
    search: Vec<String>,
    category: Vec<String>,
    click: Vec<String>,
    select: Vec<String>,
    in_field: Vec<String>,
    filter: Vec<String>,
    contains: Vec<String>,
    ending: Vec<String>,
    same_site: Vec<String>,
    sort_up: Vec<String>,
    sort_down: Vec<String>,
    check_urls: Vec<String>,
    check_fields: Vec<String>,
    no_less: Vec<String>,
    stops: Vec<String>,
    fields: BTreeMap<String, Vec<String>>,
    dates: Vec<String>,
}

/// An amount: a sign or code before it, digits, a word behind it.
const MONEY: &str = r"(?:[$€£¥]|(?:pln|usd|eur|gbp)\s)?\s*(?P<n>\d{1,3}(?:[ \u{a0}\u{202f}]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)*)\s*(?P<u>[\p{L}$€£¥★%]+\.?)?";

/// The patterns of all languages together.
pub(super) struct Words {
    pub(super) max: Regex,
    pub(super) min: Regex,
    pub(super) between: Regex,
    pub(super) thousand: Regex,
    pub(super) numbers: BTreeMap<String, usize>,
    pub(super) units: Vec<(String, Regex)>,
    pub(super) top: Regex,
    pub(super) entities: Vec<(String, Regex)>,
    pub(super) all: Regex,
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
    pub(super) sort_up: Regex,
    pub(super) sort_down: Regex,
    pub(super) check_urls: Regex,
    pub(super) check_fields: Regex,
    pub(super) stops: Regex,
    pub(super) fields: Vec<(String, Regex)>,
    pub(super) dates: Regex,
}

/// The words, compiled; none when a file is broken, which a test holds.
pub(super) fn words() -> Option<&'static Words> {
    static WORDS: OnceLock<Option<Words>> = OnceLock::new();
    WORDS.get_or_init(|| read().ok()).as_ref()
}

/// Reads all files.
pub(super) fn read() -> Result<Words, String> {
    let languages: Vec<Language> = FILES
        .iter()
        .map(|it| serde_json::from_str(it))
        .collect::<Result<_, _>>()
        .map_err(|error| error.to_string())?;
    let list = |of: fn(&Language) -> &Vec<String>| -> String {
        let mut all: Vec<&str> = languages.iter().flat_map(of).map(String::as_str).collect();
        // Longer ones first: "no more than" before "more than".
        all.sort_by_key(|it| std::cmp::Reverse(it.len()));
        if all.is_empty() {
            "$^".to_owned()
        } else {
            either(&all)
        }
    };
    let named =
        |of: fn(&Language) -> &BTreeMap<String, Vec<String>>| -> Result<Vec<(String, Regex)>, String> {
            let mut merged: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for (name, words) in languages.iter().flat_map(of) {
                merged
                    .entry(name)
                    .or_default()
                    .extend(words.iter().map(String::as_str));
            }
            merged
                .into_iter()
                .map(|(name, mut words)| {
                    // Longer ones first: "job offers" before "jobs".
                    words.sort_by_key(|it| std::cmp::Reverse(it.len()));
                    Ok((name.to_owned(), word(&either(&words))?))
                })
                .collect()
        };
    let numbers: BTreeMap<String, usize> = languages.iter().flat_map(|it| it.numbers.clone()).collect();
    let count = format!(
        r"(?P<n>\d{{1,6}}|{})",
        numbers.keys().cloned().collect::<Vec<_>>().join("|")
    );
    let unit = |name: &str| {
        let all: Vec<&str> = languages
            .iter()
            .filter_map(|it| it.units.get(name))
            .flatten()
            .map(String::as_str)
            .collect();
        either(&all)
    };
    let money = |n: &str, u: &str| {
        MONEY
            .replace("?P<n>", &format!("?P<{n}>"))
            .replace("?P<u>", &format!("?P<{u}>"))
    };
    let quoted = r#"["“„'«‘](?P<q>[^"”“'»’]+)["”“'»’]"#;
    Ok(Words {
        max: pattern(&format!(r"(?:\b(?:{})|<=?|≤)\s*{MONEY}", list(|it| &it.max)))?,
        min: pattern(&format!(
            r"(?:\b(?:{}|{})|>=?|≥)\s*{MONEY}",
            list(|it| &it.min),
            list(|it| &it.no_less)
        ))?,
        between: pattern(&format!(
            r"(?:\b(?:{})\s+)?{}\s*(?:\b(?:{})\b|[-–—])\s*{}",
            list(|it| &it.between),
            money("a", "u"),
            languages
                .iter()
                .flat_map(|it| &it.and)
                .filter(|it| it.chars().any(char::is_alphabetic))
                .cloned()
                .collect::<Vec<_>>()
                .join("|"),
            money("b", "v"),
        ))?,
        thousand: pattern(&format!("^(?:{})$", list(|it| &it.thousand)))?,
        units: named(|it| &it.units)?,
        top: pattern(&format!(
            r"(?:\b(?:{top})\s+{count}\b|\b{count2}\s+(?:{top})\b)",
            top = list(|it| &it.top),
            count2 = count.replace("?P<n>", "?P<m>")
        ))?,
        entities: named(|it| &it.entities)?,
        all: word(&list(|it| &it.all))?,
        anything: word(&list(|it| &it.anything))?,
        scroll: word(&list(|it| &it.scroll))?,
        paginate: word(&list(|it| &it.paginate))?,
        pages: pattern(&format!(r"\b{count}\s+(?:\p{{L}}+\s+)?(?:{})\b", unit("pages")))?,
        times: pattern(&format!(r"\b{count}\s*(?:{})\b", unit("times")))?,
        search: pattern(&format!(
            r"\b(?:{})\s+(?:{quoted}|(?P<t>.+))",
            list(|it| &it.search)
        ))?,
        category: pattern(&format!(
            r"\b(?:{})\s*:?\s+(?:{quoted}|(?P<t>.+))",
            list(|it| &it.category)
        ))?,
        click: pattern(&format!(
            r"\b(?:{})\s+(?:{quoted}|(?P<t>.+))",
            list(|it| &it.click)
        ))?,
        choice: pattern(&format!(
            r#"\b(?:{})\s+{quoted}\s+(?:{})\s+["“„'«‘]?(?P<f>[\p{{L}}\d _-]+)"#,
            list(|it| &it.select),
            list(|it| &it.in_field)
        ))?,
        filter: word(&list(|it| &it.filter))?,
        contains: pattern(&format!(
            r"\b(?:{})\s+(?:{quoted}|(?P<t>[\w./?=&%-]{{2,}}))",
            list(|it| &it.contains)
        ))?,
        ending: pattern(&format!(
            r"\b(?:{})\s+(?:{quoted}|(?P<t>[\w./?=&%-]{{2,}}))",
            list(|it| &it.ending)
        ))?,
        same_site: word(&list(|it| &it.same_site))?,
        sort_up: word(&list(|it| &it.sort_up))?,
        sort_down: word(&list(|it| &it.sort_down))?,
        check_urls: word(&list(|it| &it.check_urls))?,
        check_fields: word(&list(|it| &it.check_fields))?,
        stops: pattern(&format!(
            r"(?:\s(?:{})(?:\s|$)|[,;:.!?(\n]\s|[,;:.!?(\n]$)",
            list(|it| &it.stops)
        ))?,
        fields: named(|it| &it.fields)?,
        dates: word(&list(|it| &it.dates))?,
        numbers,
    })
}

/// Words of the files as one pattern. What `\w` stands for there is a letter of the scripts that the files are written in:
/// one of any script takes many times as long to compile, and there are more than a hundred of them.
fn either(words: &[&str]) -> String {
    /// Latin, Greek and Cyrillic letters, and digits.
    const LETTER: &str = r"[0-9_a-z\u{c0}-\u{24f}\u{370}-\u{52f}]";
    words.join("|").replace(r"\w", LETTER)
}

fn word(alternatives: &str) -> Result<Regex, String> {
    pattern(&format!(r"\b(?:{alternatives})\b"))
}

fn pattern(text: &str) -> Result<Regex, String> {
    // The engine has no look-around; a lookahead in a word file is a mistake there.
    RegexBuilder::new(text)
        .case_insensitive(true)
        .size_limit(8 << 20)
        .build()
        .map_err(|error| format!("{text}: {error}"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_word_file_can_be_read() {
        assert_eq!(super::read().err(), None);
    }
}
