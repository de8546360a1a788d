//! The table of a page that an instruction is about, where it is not the main list: the standings beside the matches.

use std::collections::HashSet;

use extract::rules::rows::{self, DataTable};
use page::Page;

use super::PageList;
use crate::words::concepts::{are_same, are_same_words, mean_same};
use crate::words::field_names::{canonical, is_label_of};
use crate::words::word_forms::tokens;

/// Headings that an instruction has to name for a table that is not the main list; the heading of its names is enough with one more.
const FEWEST_NAMED: usize = 2;
/// Most words of a name that are compared with a heading.
const MOST_WORDS: usize = 3;
/// Most words of an instruction that are looked at.
const MOST_SAID: usize = 200;
/// Fewest letters of an abbreviation, and of a word of a title.
const SHORTEST: usize = 3;

/// The table that an instruction names by what the main list of the page does not have.
pub(super) fn find<'p>(page: &'p Page, main: &PageList<'_>, instruction: &str) -> Option<PageList<'p>> {
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
        .filter(|phrase| !main.has(phrase))
        .collect();
    let named = |table: &DataTable| named(table, &phrases);
    let others = tables.iter().filter(|table| !main.holds(table));
    // Of several that are named alike the first.
    let best = others.rev().max_by_key(|table| named(table))?;
    if named(best) < FEWEST_NAMED {
        return None;
    }
    let typed = rows::of_group(page, &best.group).into_iter().map(|(_, row)| row);
    Some(PageList::new(page, typed.collect(), Some(best.headings.clone())))
}

/// How many of the headings of a table some phrases name, and a word of its title.
fn named(table: &DataTable, phrases: &[String]) -> usize {
    let headings: HashSet<&String> = table
        .headings
        .iter()
        .filter(|heading| !heading.is_empty())
        .collect();
    let is_named = |heading: &&&String| phrases.iter().any(|phrase| is_name_of(phrase, heading));
    let title = tokens(&table.title);
    let is_title = |phrase: &&String| {
        let words = tokens(phrase);
        phrase.chars().count() > SHORTEST
            && title
                .iter()
                .any(|word| are_same(std::slice::from_ref(word), &words))
    };
    headings.iter().filter(is_named).count() + usize::from(phrases.iter().any(|phrase| is_title(&phrase)))
}

/// Whether a phrase names a heading, which may be cut short: "Punkte" of "Pkt.".
fn is_name_of(phrase: &str, heading: &str) -> bool {
    let is_same =
        are_same_words(heading, phrase) || mean_same(phrase, heading) || is_label_of(heading, phrase);
    is_same
        || heading
            .strip_suffix('.')
            .is_some_and(|short| is_short_for(short, phrase))
}

/// Whether a word is cut short: to its first letters, also those of the last part of a compound ("Diff" of "Tordifferenz"), or to some
/// of its letters in their order.
fn is_short_for(short: &str, word: &str) -> bool {
    let (short, word) = (short.to_lowercase(), word.to_lowercase());
    let is_long_enough = short.chars().count() >= SHORTEST && word.chars().count() > short.chars().count();
    let mut letters = word.chars();
    let begins_alike = || word.chars().next() == short.chars().next();
    is_long_enough
        && !word.contains(' ')
        && (word.contains(&short)
            || (begins_alike() && short.chars().all(|c| letters.any(|letter| letter == c))))
}

impl PageList<'_> {
    /// Whether the list has what a phrase says, as a label, as a field or in its texts.
    fn has(&self, phrase: &str) -> bool {
        let field = canonical(phrase);
        let is_field = match field {
            Some("name") => true,
            Some("price") => self.rows.iter().any(|row| row.price.is_some()),
            Some("date") => self.rows.iter().any(|row| row.date.is_some()),
            Some("rating") => self.rows.iter().any(|row| row.rating.is_some()),
            Some("url") => self.rows.iter().any(|row| row.url.is_some()),
            _ => false,
        };
        let is_label = || self.labels().iter().any(|label| is_name_of(phrase, label));
        is_field || is_label() || self.says(phrase)
    }

    /// Whether a table holds entries of the list, or is held by one.
    fn holds(&self, table: &DataTable) -> bool {
        let roots: HashSet<_> = table
            .group
            .records
            .iter()
            .flat_map(|record| &record.roots)
            .collect();
        let entries: Vec<_> = self.rows.iter().filter_map(|row| row.elements.first()).collect();
        let is_within = |entry: &page::dom::NodeId, root: &page::dom::NodeId| {
            let end = self.page.dom().node(*entry).end();
            *entry <= *root && *root < end
        };
        entries.iter().any(|entry| roots.contains(entry))
            || roots.iter().any(|root| {
                entries
                    .iter()
                    .any(|entry| is_within(entry, root) || is_within(root, entry))
            })
    }
}
