//! The table of a page that an instruction is about, where it is not the main list: the standings beside the matches.

use std::collections::HashSet;

use extract::rules::rows::{self, DataTable, Row};
use page::Page;

use crate::rows::weekdays;
use crate::words::concepts::{are_same_words, mean_same};
use crate::words::field_names::is_label_of;
use crate::words::word_forms::{is_same_word, tokens};

/// Headings that an instruction has to name for a table that is not the main list, its title counting as one.
const FEWEST_NAMED: usize = 2;
/// One row in how many may have its name as a labelled value: a team that has withdrawn.
const FEW: usize = 4;
/// Most words of a name that are compared with a heading.
const MOST_WORDS: usize = 3;
/// Most words of an instruction that are looked at.
const MOST_SAID: usize = 200;
/// Fewest letters of a heading that is cut short.
const SHORTEST: usize = 4;
/// What tables beside a list are called in their titles, and by those who ask for them.
const CALLED: [&str; 8] = [
    "table",
    "standings",
    "ranking",
    "rankings",
    "tabelle",
    "rangliste",
    "tabela",
    "klasyfikacja",
];

/// The rows and the headings of the table that an instruction names by what the main list of the page does not have. `has` says of a
/// phrase whether that list has it, and `holds` of a table whether it is that list, or a part of it.
pub(super) fn find(
    page: &Page,
    instruction: &str,
    has: impl Fn(&str) -> bool,
    holds: impl Fn(&DataTable) -> bool,
) -> Option<(Vec<Row>, Vec<String>)> {
    let tables = rows::data_tables(page);
    if tables.is_empty() {
        return None;
    }
    let words: Vec<&str> = instruction
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '.' | '/')))
        .map(|word| word.trim_matches(['-', '.', '/']))
        .filter(|word| !word.is_empty())
        .take(MOST_SAID)
        .collect();
    let phrases: Vec<String> = (1..=MOST_WORDS)
        .flat_map(|length| words.windows(length).map(|words| words.join(" ")))
        .filter(|phrase| !has(phrase))
        .collect();
    let others = tables.iter().filter(|table| !holds(table));
    let typed = |table: &DataTable| -> Vec<Row> {
        let rows = rows::of_group(page, &table.group).into_iter();
        rows.map(|(_, row)| row).collect()
    };
    let named = others.filter_map(|table| {
        let rows = typed(table);
        let count = named(table, &rows, &phrases).filter(|count| *count >= FEWEST_NAMED)?;
        Some((count, table, rows))
    });
    // Of several that are named alike the first.
    let (_, table, rows) = named.reduce(|best, other| if other.0 > best.0 { other } else { best })?;
    Some((rows, table.headings.clone()))
}

/// How many of the headings of a table some phrases name, its title counting as one; `None` where they name neither the title nor the
/// heading of what its rows are called by.
fn named(table: &DataTable, rows: &[Row], phrases: &[String]) -> Option<usize> {
    let namer = |heading: &str| phrases.iter().find(|phrase| is_name_of(phrase, heading));
    let headings = table
        .headings
        .iter()
        .filter(|heading| weekdays::listed(heading).days.is_empty());
    let headings: HashSet<&String> = headings.filter(|heading| namer(heading).is_some()).collect();
    let title = tokens(&table.title);
    let in_title = |word: &String| title.iter().any(|said| is_same_word(said, word));
    let is_title = |phrase: &String| {
        let words = tokens(phrase);
        matches!(words.as_slice(), [word] if CALLED.contains(&word.as_str()) && in_title(word))
    };
    let is_titled = phrases.iter().any(is_title);
    // The cells of the names are no labelled values of the rows, but of few that have no name otherwise.
    let is_of_names = |heading: &&String| {
        let labelled = rows.iter().filter(|row| row.facts.contains_key(heading.as_str()));
        labelled.count() * FEW < rows.len()
    };
    let are_named = headings.iter().any(is_of_names);
    (is_titled || are_named).then(|| headings.len() + usize::from(is_titled))
}

/// Headings that are cut short and what they stand for.
const ABBREVIATIONS: [(&str, &[&str]); 3] = [
    ("pkt", &["punkte", "punkten", "punkty", "punktów"]),
    ("pts", &["points"]),
    ("gp", &["games played"]),
];

/// Whether a phrase names a heading, which may be cut short: "Punkte" of "Pkt.", "Tordifferenz" of "Diff.".
pub(super) fn is_name_of(phrase: &str, heading: &str) -> bool {
    let is_same =
        are_same_words(heading, phrase) || mean_same(phrase, heading) || is_label_of(heading, phrase);
    let short = heading.trim_end_matches('.').to_lowercase();
    let phrase = phrase.to_lowercase();
    let is_abbreviated = || {
        let mut known = ABBREVIATIONS
            .iter()
            .filter(|(abbreviation, _)| *abbreviation == short);
        known.any(|(_, words)| words.contains(&phrase.as_str()))
    };
    let is_cut = || heading.ends_with('.') && short.chars().count() >= SHORTEST && phrase.contains(&short);
    is_same || is_abbreviated() || is_cut()
}
