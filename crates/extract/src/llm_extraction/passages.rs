//! Passages of the text of a page, and the window of them that a question shows.
//!
//! A page that is longer than a question has room for is walked in windows: the parts that speak of what is wanted first,
//! in the order of the page. What was shown once gives way to what was not.

use std::collections::{HashMap, HashSet};

use page::Page;
use page::dom::NodeSet;

use crate::fields::aliases;
use crate::rules::content::{self, MainContent};
use crate::rules::labelled_fields;
use crate::rules::visible_page::words;

/// A passage grows until it has so many bytes.
const PASSAGE: usize = 400;
/// Longest line that is kept in one piece, in bytes.
const LINE: usize = 2000;
/// Most bytes of a page's text that are read.
const MOST: usize = 2 << 20;
/// How much more a passage of the main content counts.
const MAIN: f32 = 2.0;
/// How much more the passage of the heading counts; what follows it counts less and less more.
const HEADING: f32 = 6.0;
/// How many passages behind the heading half of that is left.
const NEAR: f32 = 6.0;
/// How much less a passage counts that speaks of cookies: such tables are long and irrelevant.
const CONSENT: f32 = 6.0;
/// Words that mark what a visitor is asked to consent to.
const CONSENT_WORDS: &[&str] = &[
    "cookie",
    "cookies",
    "consent",
    "gdpr",
    "einwilligung",
    "consentement",
];
/// What stands between passages that do not follow one another.
const GAP: &str = "[...]\n";

/// The text of a page in passages.
#[derive(Debug, Clone, Default)]
pub(super) struct Passages {
    list: Vec<Passage>,
    /// In how many passages each word stands.
    spread: HashMap<String, u32>,
    /// What the last window showed.
    last: Vec<usize>,
    /// The passage of the heading.
    heading: Option<usize>,
    /// Bytes of text that are beyond what is read of a page.
    beyond: usize,
}

#[derive(Debug, Clone, Default)]
struct Passage {
    text: String,
    /// Its words, lower case, each once.
    words: HashSet<String>,
    main: bool,
    money: bool,
    dated: bool,
    consent: bool,
    seen: u32,
}

/// What a window has to show.
#[derive(Debug, Clone, Default)]
pub(super) struct PassageQuery<'w> {
    /// Fields, by canonical name.
    pub(super) fields: &'w [String],
    /// The instructions of the user.
    pub(super) instructions: &'w str,
}

impl Passages {
    /// Cuts the visible text of a page into passages. A line that the page repeats is kept once.
    ///
    /// `title` is what the page is about; where it stands, the matter begins.
    pub(super) fn of(page: &Page, found: &MainContent, title: Option<&str>) -> Passages {
        let Some(body) = page.dom().body() else {
            return Passages::default();
        };
        let text = page::text::render(body, &NodeSet::default());
        let main_text = content::text(page, found);
        let main: HashSet<&str> = main_text
            .lines()
            .map(str::trim)
            .filter(|it| !it.is_empty())
            .collect();
        let mut known: HashSet<&str> = HashSet::new();
        let mut passages = Passages::default();
        let mut open = Passage::default();
        let mut taken = 0;
        for line in text.lines().map(str::trim).filter(|it| !it.is_empty()) {
            if taken >= MOST {
                passages.beyond += line.len();
                continue;
            }
            let is_main = main.contains(line);
            if !known.insert(line) && !is_main {
                continue;
            }
            for piece in pieces(line) {
                taken += piece.len();
                if !open.text.is_empty() && (open.main != is_main || open.text.len() + piece.len() > PASSAGE)
                {
                    passages.close(std::mem::take(&mut open));
                }
                open.main = is_main;
                open.text.push_str(piece);
                open.text.push('\n');
            }
        }
        passages.close(open);
        passages.heading = title.and_then(|title| passages.place_of(title));
        passages
    }

    /// The first passage with all words of a title, one of the main content before others.
    fn place_of(&self, title: &str) -> Option<usize> {
        let title = words(title);
        let holds =
            |passage: &Passage| !title.is_empty() && title.iter().all(|word| passage.words.contains(word));
        let main = self
            .list
            .iter()
            .position(|passage| passage.main && holds(passage));
        main.or_else(|| self.list.iter().position(holds))
    }

    fn close(&mut self, mut passage: Passage) {
        if passage.text.is_empty() {
            return;
        }
        passage.words = words(&passage.text).into_iter().collect();
        for word in &passage.words {
            *self.spread.entry(word.clone()).or_default() += 1;
        }
        let digits = passage.text.contains(|c: char| c.is_ascii_digit());
        passage.money = digits
            && locale::price::parse(&passage.text, &locale::price::PriceHints::default())
                .is_some_and(|price| price.currency.is_some());
        passage.dated = digits && has_year(&passage.text);
        passage.consent = CONSENT_WORDS.iter().any(|word| passage.words.contains(*word));
        self.list.push(passage);
    }

    /// All passages, one after the other.
    pub(super) fn text(&self) -> String {
        self.list.iter().map(|passage| passage.text.as_str()).collect()
    }

    /// How many bytes no question has shown yet.
    pub(super) fn unseen(&self) -> usize {
        let unseen = self.list.iter().filter(|passage| passage.seen == 0);
        unseen.map(|passage| passage.text.len()).sum()
    }

    /// Bytes of all passages.
    pub(super) fn bytes(&self) -> usize {
        self.list.iter().map(|passage| passage.text.len()).sum()
    }

    /// Bytes of text that no window can show: the page is longer than what is read of it.
    pub(super) fn beyond(&self) -> usize {
        self.beyond
    }

    /// The window for a question: at most `budget` bytes, the unseen first, then what speaks of what is wanted. The
    /// passages in it count as seen from then on.
    pub(super) fn window(&mut self, query: &PassageQuery<'_>, budget: usize) -> String {
        let query_words = self.query_words(query);
        let mut ranked: Vec<(u32, f32, usize)> = self
            .list
            .iter()
            .enumerate()
            .map(|(index, passage)| {
                (
                    passage.seen,
                    self.weight(passage, index, query, &query_words),
                    index,
                )
            })
            .collect();
        ranked.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
        let mut left = budget;
        let mut chosen: Vec<usize> = Vec::new();
        for (_, _, index) in ranked {
            // Each line has a mark in front of it.
            let cost = |passage: &Passage| passage.text.len() + 2 * passage.text.lines().count();
            let size = self.list.get(index).map_or(0, cost) + GAP.len();
            if size <= left {
                left -= size;
                chosen.push(index);
            }
        }
        chosen.sort_unstable();
        let mut out = String::new();
        let mut next = 0;
        self.last.clone_from(&chosen);
        for index in chosen {
            if index != next {
                out.push_str(GAP);
            }
            next = index + 1;
            if let Some(passage) = self.list.get_mut(index) {
                passage.seen += 1;
                out.push_str(&passage.text);
            }
        }
        if next < self.list.len() {
            out.push_str(GAP);
        }
        out.truncate(out.trim_end().len());
        out
    }

    /// Counts the passages of the last window as not shown: the model did not read them.
    pub(super) fn undo_window(&mut self) {
        for index in std::mem::take(&mut self.last) {
            if let Some(passage) = self.list.get_mut(index) {
                passage.seen = passage.seen.saturating_sub(1);
            }
        }
    }

    /// The words of the wanted fields, each with its weight (the rarer on the page the higher).
    fn query_words(&self, query: &PassageQuery<'_>) -> HashMap<String, f32> {
        let labels = query
            .fields
            .iter()
            .flat_map(|field| labelled_fields::labels_of(field));
        let aliases = query.fields.iter().flat_map(|field| aliases(field));
        let labels = labels.chain(aliases).copied();
        let labels = labels.chain(query.fields.iter().map(String::as_str));
        let all = self.list.len() as f32;
        let mut query_words = HashMap::new();
        for word in labels.chain([query.instructions]).flat_map(words) {
            if word.chars().count() < 3 && word.is_ascii() {
                continue;
            }
            let spread = self.spread.get(&word).copied().unwrap_or_default() as f32;
            // A word that stands everywhere has no weight.
            if spread > 0.0 && spread <= all / 4.0 + 1.0 {
                let telling = ((all - spread + 0.5) / (spread + 0.5) + 1.0).ln();
                query_words.insert(word, telling);
            }
        }
        query_words
    }

    fn weight(
        &self,
        passage: &Passage,
        index: usize,
        query: &PassageQuery<'_>,
        query_words: &HashMap<String, f32>,
    ) -> f32 {
        let has = |name: &str| query.fields.iter().any(|field| field.contains(name));
        let mut weight: f32 = query_words
            .iter()
            .filter(|(word, _)| passage.words.contains(*word))
            .map(|(_, telling)| telling)
            .sum();
        if passage.main {
            weight += MAIN;
        }
        if passage.money && (has("price") || has("salary")) {
            weight += 3.0;
        }
        if passage.dated && (has("date") || has("deadline")) {
            weight += 2.0;
        }
        if passage.consent
            && !query_words
                .keys()
                .any(|word| CONSENT_WORDS.contains(&word.as_str()))
        {
            weight -= CONSENT;
        }
        let behind = |from: usize| HEADING / (1.0 + index.saturating_sub(from) as f32 / NEAR);
        weight
            + match self.heading {
                Some(heading) if index + 2 >= heading => behind(heading),
                Some(_) => 0.0,
                // Of two like passages the one nearer to the beginning says more of what the page is about.
                None => behind(0) / 4.0,
            }
    }
}

/// A line in pieces of at most [`LINE`] bytes.
fn pieces(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let cut = if rest.len() <= LINE {
            rest.len()
        } else {
            let most = rest.floor_char_boundary(LINE);
            rest.get(..most)?
                .rfind(' ')
                .filter(|cut| *cut > 0)
                .unwrap_or(most)
        };
        let (piece, after) = rest.split_at(cut);
        rest = after.trim_start();
        Some(piece)
    })
}

/// Whether four digits in a row could be a year, or a date is written in digits.
fn has_year(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_digit())
        .any(|digits| digits.len() == 4 && matches!(digits.as_bytes().first(), Some(b'1' | b'2')))
}
