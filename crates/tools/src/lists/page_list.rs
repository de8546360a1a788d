//! The entries of a page's list, as far as an instruction asks what they say.

mod asked_table;
mod counts;

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use extract::rules::rows::{self, DataTable, Row};
use extract::rules::visible_page::VisiblePage;
use page::Page;
use page::dom::NodeId;
use serde_json::Value;

use self::counts::{ListCounts, MIN_LISTED, is_far_above};
use super::product_listing;
use crate::rows::days::{DAY, SHORT_DAY};
use crate::rows::scale::Scale;
use crate::rows::{listed_numbers, paid, pieces};
use crate::words::compounds::ways;
use crate::words::concepts::are_same;
use crate::words::field_names::canonical;
use crate::words::mention::Term;
use crate::words::word_forms::{Beginning, beginning, is_same_word, tokens};

locale::patterns! {
    /// A distance within the text of an entry.
    static DISTANCE = r"(?i)\d\s?(?:km|m|mi|miles?|met(?:re|er|r)s?|yards?|minutes?|min)\b";
    /// A number of units of a surface.
    static SURFACE = r"(?i)\d\s*(?:m²|m2\b|qm\b|sqm\b|sq\.?\s?(?:ft|feet|m|metres?|meters?)\b|square\s|quadratmeter|acres?\b|ha\b|hectares?\b|hektar|metrów kwadratowych)";
}

/// Fewest letters of a word of a class name that may be the name of a column.
const SHORTEST_CALLED: usize = 4;

/// The list of a page. It is read once, and its texts are taken apart once, however much is asked of them.
pub struct PageList<'p> {
    page: &'p Page,
    rows: Vec<Row>,
    /// The headings of the table that it is, where it is another one than the page's main list.
    headings: Option<Vec<String>>,
    words: OnceCell<ListWords>,
    counts: OnceCell<ListCounts>,
    lists_products: OnceCell<bool>,
}

/// The words of the entries of a list.
struct ListWords {
    /// Those of each entry, in their order.
    texts: Vec<Vec<String>>,
    /// All of them, each once, by their first letters.
    known: HashMap<Beginning, Vec<String>>,
}

impl<'p> PageList<'p> {
    /// Reads the list of a page; a page without one has a list without entries.
    pub fn of(page: &'p Page) -> PageList<'p> {
        PageList::new(page, rows::read(&VisiblePage::of(page)), None)
    }

    /// The list of a page that an instruction is about: another table than its main list, where the instruction names what only this
    /// table has.
    pub fn asked_for(page: &'p Page, instruction: &str) -> PageList<'p> {
        let main = PageList::of(page);
        let asked = asked_table::find(
            page,
            instruction,
            |phrase| main.has(phrase),
            |table| main.holds(table),
        );
        match asked {
            Some((rows, headings)) => PageList::new(page, rows, Some(headings)),
            None => main,
        }
    }

    /// The headings by which the table is known, where the list is another table than the page's main list.
    pub fn headings(&self) -> Option<&[String]> {
        self.headings.as_deref()
    }

    fn new(page: &'p Page, rows: Vec<Row>, headings: Option<Vec<String>>) -> PageList<'p> {
        PageList {
            page,
            rows,
            headings,
            words: OnceCell::new(),
            counts: OnceCell::new(),
            lists_products: OnceCell::new(),
        }
    }

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
        let is_label = || {
            self.labels()
                .iter()
                .any(|label| asked_table::is_name_of(phrase, label))
        };
        is_field || is_label() || self.says_anywhere(phrase) || self.says(phrase)
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
        let is_within = |entry: &NodeId, root: &NodeId| {
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

    /// Whether the list has no entries.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether the page is a list of products.
    pub fn lists_products(&self) -> bool {
        *self.lists_products.get_or_init(|| {
            let products = product_listing::products(self.page, None);
            products.is_ok_and(|products| products.len() >= MIN_LISTED)
        })
    }

    /// Whether the page is a list and little else: its entries make up at least half of what it says.
    pub fn is_most_of_page(&self) -> bool {
        let entries = self.rows.iter().filter(|row| row.title.is_some());
        let told: usize = self.rows.iter().map(|row| row.text.len()).sum();
        entries.count() >= MIN_LISTED && told * 2 >= self.page.dom().root().text().len()
    }

    /// The words by which the class names and markup of the page call what most entries say, in small letters: `site` of
    /// `plot__site`.
    pub fn names_in_markup(&self) -> Vec<String> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for row in &self.rows {
            for word in pieces::called(self.page, &row.elements) {
                *counts.entry(word).or_default() += 1;
            }
        }
        counts.retain(|word, count| *count * 2 >= self.rows.len() && word.chars().count() >= SHORTEST_CALLED);
        counts.into_keys().collect()
    }

    /// The first word of which the entries have a number: `sleeps` where they say "Sleeps 4". Of what entries are none has a number,
    /// and an upper limit far above all numbers is one of something else: "flats under 1500" where they say "2 bed flat".
    pub fn counted<'w>(&self, words: &'w [String], upper_limit: Option<f64>) -> Option<&'w String> {
        words.iter().find(|word| {
            let is_in_scale = |largest: f64| upper_limit.is_none_or(|limit| !is_far_above(limit, largest));
            let counts = self.counts();
            !counts.is_what_entries_are(word) && counts.largest(word).is_some_and(is_in_scale)
        })
    }

    /// Whether the title or a main heading of the page has a word, in any of its forms.
    pub fn is_headed_by(&self, word: &str) -> bool {
        let wanted = tokens(word);
        let dom = self.page.dom();
        let mut texts = ["title", "h1"]
            .into_iter()
            .flat_map(|tag| dom.by_tag(tag))
            .map(|node| tokens(&node.text()));
        texts.any(|text| {
            text.windows(wanted.len().max(1))
                .any(|place| are_same(place, &wanted))
        })
    }

    /// Whether some entries tell a distance behind which something holds of their text: "200 m from the beach".
    pub fn tells_distances_from(&self, holds: impl Fn(&str) -> bool) -> bool {
        self.rows.iter().any(|row| {
            let mut distances = DISTANCE.find_iter(&row.text);
            distances.any(|found| holds(row.text.get(found.end()..).unwrap_or_default()))
        })
    }

    /// Whether some entries have a number right beside a word, however few do: "9 holds".
    pub fn is_counted_by_some(&self, word: &str) -> bool {
        self.counts().numbers(word) >= MIN_LISTED
    }

    /// Whether an upper limit is far above every number that the entries have beside a word, so that it is one of something else:
    /// "with 2 bedrooms under 1500 a month".
    pub fn is_beyond(&self, word: &str, upper_limit: f64) -> bool {
        let largest = self.counts().largest(word);
        largest.is_some_and(|largest| is_far_above(upper_limit, largest))
    }

    fn counts(&self) -> &ListCounts {
        self.counts.get_or_init(|| ListCounts::of(&self.rows))
    }

    /// The first word that says which of several prices of the entries is meant: `month` where they cost "£16 a day" and "£190 a
    /// month".
    pub fn priced<'w>(&self, words: &'w [String]) -> Option<&'w String> {
        let mut known = words.iter().filter(|word| paid::label(word).is_some()).peekable();
        known.peek()?;
        let texts = || self.rows.iter().map(|row| row.text.as_str());
        let enough = (self.rows.len() / 2).max(MIN_LISTED);
        if texts().filter(|text| paid::count(text) > 1).count() < enough {
            return None;
        }
        let is_before = paid::is_before(texts());
        known.find(|word| {
            let label = paid::label(word).unwrap_or_default();
            let told: Vec<(f64, &Row)> = self
                .rows
                .iter()
                .filter_map(|row| Some((paid::price(&row.text, label, is_before)?, row)))
                .collect();
            // Where it is the price of the rows, they are compared by that.
            let is_price =
                |(amount, row): &&(f64, &Row)| row.price.as_ref().and_then(Value::as_f64) == Some(*amount);
            told.len() >= enough && told.iter().filter(is_price).count() * 2 < told.len()
        })
    }

    /// Whether most entries have a price.
    pub fn has_prices(&self) -> bool {
        let priced = self.rows.iter().filter(|row| row.price.is_some());
        !self.rows.is_empty() && priced.count() * 2 > self.rows.len()
    }

    /// The labels that most entries have beside a value, as written: `Rok założenia`.
    pub fn labels(&self) -> Vec<String> {
        let mut counts: HashMap<&String, usize> = HashMap::new();
        // Each label once, in the order of the page.
        let mut labels: Vec<&String> = Vec::new();
        for label in self.rows.iter().flat_map(|row| row.facts.keys()) {
            let count = counts.entry(label).or_default();
            if *count == 0 {
                labels.push(label);
            }
            *count += 1;
        }
        labels.retain(|label| {
            counts
                .get(label)
                .is_some_and(|count| count * 2 >= self.rows.len())
        });
        labels.into_iter().cloned().collect()
    }

    /// The values that entries have beside a label, which is named as a field is: `rok_założenia`.
    pub fn values(&self, field: &str) -> Vec<String> {
        let facts = self.rows.iter().flat_map(|row| &row.facts);
        let values = facts.filter(|(label, _)| locale::snake_case(label) == field);
        values
            .filter_map(|(_, value)| Some(value.as_str()?.to_owned()))
            .collect()
    }

    /// The scale in words of which the values of a label are levels: that of a priority.
    pub fn scale(&self, field: &str) -> Option<Scale> {
        let values = self.values(field);
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        Scale::of(&values)
    }

    /// Whether most entries tell a day.
    pub fn tells_days(&self) -> bool {
        let told = self
            .rows
            .iter()
            .filter(|row| row.date.is_some() || DAY.is_match(&row.text) || SHORT_DAY.is_match(&row.text));
        !self.rows.is_empty() && told.count() * 2 > self.rows.len()
    }

    /// Whether entries say how large a surface is: "78 m²".
    pub fn tells_surfaces(&self) -> bool {
        self.rows.iter().any(|row| SURFACE.is_match(&row.text))
    }

    /// Whether some entries, and not all of them, have a word as the whole value of a label: "City" of `Campus`.
    pub fn has_value(&self, word: &str) -> bool {
        let has = |row: &&Row| {
            let mut values = row.facts.values();
            values.any(|value| value.as_str().is_some_and(|value| value.trim() == word))
        };
        let having = self.rows.iter().filter(has).count();
        (1..self.rows.len()).contains(&having)
    }

    /// The labels that entries have a word as the whole value of.
    pub fn labels_of_value(&self, word: &str) -> Vec<&str> {
        let facts = self.rows.iter().flat_map(|row| &row.facts);
        let of_word = facts.filter(|(_, value)| value.as_str().is_some_and(|value| value.trim() == word));
        let mut labels: Vec<&str> = of_word.map(|(label, _)| label.as_str()).collect();
        labels.sort_unstable();
        labels.dedup();
        labels
    }

    /// Whether some entries say a phrase, in any of its forms and other words for it, and not all of them; or list its number behind
    /// its label.
    pub fn says(&self, phrase: &str) -> bool {
        self.some_say(&Term::new(phrase.to_owned()).phrases) || self.lists(phrase)
    }

    /// Whether an entry says a phrase, be it all of them.
    pub fn says_anywhere(&self, phrase: &str) -> bool {
        let wanted = tokens(phrase);
        let says = |text: &Vec<String>| {
            text.windows(wanted.len().max(1))
                .any(|place| are_same(place, &wanted))
        };
        !wanted.is_empty() && self.words().texts.iter().any(says)
    }

    /// Whether entries list numbers behind a label that a phrase names with a number: "size 38".
    fn lists(&self, phrase: &str) -> bool {
        if !phrase.ends_with(|c: char| c.is_ascii_digit()) {
            return false;
        }
        let facts: Vec<Value> = self
            .rows
            .iter()
            .map(|row| Value::Object(row.facts.clone()))
            .collect();
        listed_numbers::field_of(phrase, &facts).is_some()
    }

    /// Whether some entries, and not all of them, say a compound in two words, or two words as a compound: `Möbellift` of "furniture
    /// lift".
    pub fn says_otherwise(&self, phrase: &str) -> bool {
        self.some_say(&ways(phrase))
    }

    /// Whether some entries have a word in this very form, and not all of them: "Open", and no "Opened".
    pub fn has_word(&self, word: &str) -> bool {
        let wanted = tokens(word);
        let has = |said: &&Vec<String>| said.iter().any(|said| wanted.contains(said));
        let having = self.words().texts.iter().filter(has).count();
        (1..self.rows.len()).contains(&having)
    }

    /// Whether some entries, and not all of them, show a word as it is written: "MIT", and no "mit".
    pub fn shows(&self, word: &str) -> bool {
        let shows = |row: &&Row| {
            row.text
                .split(|c: char| !c.is_alphanumeric())
                .any(|said| said == word)
        };
        let showing = self.rows.iter().filter(shows).count();
        (1..self.rows.len()).contains(&showing)
    }

    /// Whether some entries say one of several phrases, and not all of them.
    fn some_say(&self, phrases: &[Vec<String>]) -> bool {
        let words = self.words();
        let knows = |word: &String| {
            let key = beginning(std::slice::from_ref(word));
            let near = key.and_then(|key| words.known.get(&key));
            near.into_iter().flatten().any(|known| is_same_word(known, word))
        };
        let may_be_said: Vec<&Vec<String>> = phrases
            .iter()
            .filter(|phrase| !phrase.is_empty() && phrase.iter().all(knows))
            .collect();
        let says = |text: &&Vec<String>| {
            let mut phrases = may_be_said.iter();
            phrases.any(|phrase| text.windows(phrase.len()).any(|place| are_same(place, phrase)))
        };
        let saying = match may_be_said.is_empty() {
            true => 0,
            false => words.texts.iter().filter(says).count(),
        };
        (1..self.rows.len()).contains(&saying)
    }

    fn words(&self) -> &ListWords {
        self.words.get_or_init(|| {
            let texts: Vec<Vec<String>> = self.rows.iter().map(|row| tokens(&row.text)).collect();
            let all: HashSet<&String> = texts.iter().flatten().collect();
            let mut known: HashMap<Beginning, Vec<String>> = HashMap::new();
            for word in all {
                if let Some(key) = beginning(std::slice::from_ref(word)) {
                    known.entry(key).or_default().push(word.clone());
                }
            }
            ListWords { texts, known }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_those_of_most_entries_in_the_order_of_the_page() {
        // Labels of one entry alone are as many as a page likes.
        let letter = |at: usize| char::from(b'a' + u8::try_from(at % 26).unwrap());
        let own = |at: usize| -> String {
            let name = |label: usize| format!("Own {}{}{}", letter(at / 26), letter(at), letter(label));
            let labels = (0..20).map(|label| format!("<dt>{}</dt><dd>{label} units</dd>", name(label)));
            labels.collect()
        };
        let cards: String = (0..60)
            .map(|at| {
                let own = own(at);
                format!(
                    "<article class=card><h2><a href='/e/{at}'>Entry number {at}</a></h2><dl><dt>Weight</dt><dd>{at} kg</dd>{own}\
                     <dt>Altitude</dt><dd>{at} metres</dd></dl></article>"
                )
            })
            .collect();
        let html = format!("<main><h1>Entries</h1><div class=list>{cards}</div></main>");
        let page = Page::new(html, "https://list.example/all".parse().ok());
        let list = PageList::of(&page);
        let different: HashSet<&String> = list.rows.iter().flat_map(|row| row.facts.keys()).collect();
        assert_eq!(list.labels(), ["Weight", "Altitude"]);
        assert_eq!(different.len(), 2 + 60 * 20, "{different:?}");
    }

    #[test]
    fn a_list_says_what_some_of_its_entries_say() {
        let entries = [
            "Möbellift, 30 Tage",
            "Keller, 14 Tage",
            "Garten, 30 Tage",
            "Balkon, 14 Tage",
        ];
        let cards: String = entries
            .iter()
            .enumerate()
            .map(|(at, entry)| {
                format!(
                    "<article class=card><h2><a href='/e/{at}'>Nummer {at}</a></h2><p>{entry}</p></article>"
                )
            })
            .collect();
        let html = format!("<main><h1>Dinge</h1><div class=list>{cards}</div></main>");
        let page = Page::new(html, "https://list.example/all".parse().ok());
        let list = PageList::of(&page);
        assert!(list.says("Keller") && list.says("30 Tagen") && !list.says("Tage") && !list.says("Dach"));
        assert!(list.says_otherwise("furniture lift") && !list.says_otherwise("garden lift"));
        assert!(list.has_word("Keller") && !list.has_word("Kellers"));
    }
}
