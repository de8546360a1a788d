//! What an instruction says: limits, counts, places, things, in any language whose words are known.

use std::sync::OnceLock;

use jiff::civil::Date;
use locale::{dates, price};
use regex::{Captures, Regex};
use serde::Serialize;
use url::Url;

use super::place::{Place, of_markup};
use super::words::{Words, words};

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Entity {
    /// Things with a price.
    Products,
    /// News and posts.
    Articles,
    /// Links.
    Links,
    /// Tables.
    Tables,
    /// Entries of any list.
    Rows,
}

/// A site that has a reader of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Site {
    /// ceneo.pl.
    Ceneo,
    /// Amazon, in any country.
    Amazon,
    /// news.ycombinator.com.
    HackerNews,
    /// Reddit.
    Reddit,
}

/// What was read from an instruction.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Facts {
    /// What is asked for.
    pub entity: Option<Entity>,
    /// On which site.
    pub site: Option<Site>,
    /// Highest price.
    pub max_price: Option<f64>,
    /// Lowest price.
    pub min_price: Option<f64>,
    /// Fewest points.
    pub min_points: Option<f64>,
    /// Lowest rating.
    pub min_rating: Option<f64>,
    /// How many.
    pub count: Option<usize>,
    /// How many pages.
    pub pages: Option<usize>,
    /// How often to scroll.
    pub times: Option<usize>,
    /// Everything there is.
    pub all: bool,
    /// By scrolling.
    pub scroll: bool,
    /// By leafing.
    pub paginate: bool,
    /// By services the site's filters.
    pub filters: bool,
    /// What to search for.
    pub query: Option<String>,
    /// The way down a category tree.
    pub category: Option<Vec<String>>,
    /// What to click.
    pub click: Option<String>,
    /// An option and its field.
    pub choice: Option<(String, String)>,
    /// First and last day.
    pub dates: Option<(String, Option<String>)>,
    /// A text that links contain.
    pub contains: Option<String>,
    /// A pattern that links match.
    pub pattern: Option<String>,
    /// Only links within the site.
    pub same_site: bool,
    /// Field and whether the highest comes first.
    pub sort: Option<(&'static str, bool)>,
    /// Whether addresses are to be checked.
    pub check_urls: bool,
    /// Fields that every entry must have.
    pub must_have: Vec<String>,
    /// Columns of the result, in the order named.
    pub columns: Vec<String>,
    /// A CSS selector, written in backquotes.
    pub selector: Option<String>,
}

impl Facts {
    /// Reads an instruction about the page at an address.
    pub fn read(instruction: &str, place: Place<'_>) -> Facts {
        let Some(words) = words() else {
            return Facts::default();
        };
        let mut text: String = instruction.chars().take(4_000).collect();
        let mut facts = Facts {
            site: site(&text, place.url),
            ..Facts::default()
        };
        facts.selector = take(&mut text, r"`([^`]+)`").filter(|it| page::dom::Selector::parse(it).is_ok());
        facts.texts(&mut text, words);
        facts.days(&mut text, words);
        facts.numbers(&mut text, words);
        facts.things(&text, words);
        // A page in the markup of a site is read by that site's tool, when the instruction asks for what it lists.
        if facts.site.is_none()
            && matches!(
                facts.entity,
                Some(Entity::Articles | Entity::Products | Entity::Rows)
            )
            && let Some(site) = place.page.and_then(of_markup)
        {
            let lists = match site {
                Site::HackerNews | Site::Reddit => Entity::Articles,
                Site::Ceneo | Site::Amazon => Entity::Products,
            };
            if facts.entity == Some(Entity::Rows) || facts.entity == Some(lists) {
                facts.site = Some(site);
                facts.entity = Some(lists);
            }
        }
        facts
    }

    /// The columns, when more than one was named.
    pub fn columns_or_none(&self) -> Option<&[String]> {
        (self.columns.len() > 1).then_some(self.columns.as_slice())
    }

    /// What is given in words: what to search, where to go, what to click. Each is taken out of the text, so that its
    /// words are not read as anything else.
    fn texts(&mut self, text: &mut String, words: &Words) {
        let choice = words.choice.captures(text);
        // The bounds stand here and not in the patterns, where each of them would be compiled as so many states.
        if let Some(found) =
            choice.filter(|it| it.name("q").is_some_and(|it| it.as_str().chars().count() <= 200))
        {
            let field = found
                .name("f")
                .map(|it| it.as_str().chars().take(60).collect::<String>())
                .map(|it| until_stop(&it, words))
                .unwrap_or_default();
            let label = found
                .name("q")
                .map(|it| it.as_str().trim().to_owned())
                .unwrap_or_default();
            let from = found.get(0).map(|it| it.start()).unwrap_or_default();
            let range = from..found.name("f").map_or(from, |it| it.start() + field.len());
            self.choice = Some((label, field));
            text.replace_range(range, " ");
        }
        self.click = phrase(text, &words.click, words, false);
        if let Some(path) = phrase(text, &words.category, words, true) {
            let parts = path.split(['>', '/', '»', '→']).map(|it| it.trim().to_owned());
            self.category = Some(parts.filter(|it| !it.is_empty()).collect());
        }
        let before = text.clone();
        self.query = phrase(text, &words.search, words, false).filter(|it| !is_anything(it, words));
        if self.query.is_none() {
            // "search for all products" names what is read, and nothing to type into a search field.
            *text = before;
        }
        if words
            .entities
            .iter()
            .any(|(name, it)| name == "links" && it.is_match(text))
        {
            if let Some(ending) = phrase(text, &words.ending, words, false) {
                self.pattern = Some(format!("{}$", regex::escape(&ending)));
            } else if let Some(kind) = take(
                text,
                r"(?i)\b(pdf|zip|xlsx?|docx?|csv|jpe?g|png|mp3|mp4)\b(?:\s+(?:files?|documents?|pliki|plików|pliku|dokument\w*|dateien))?",
            ) {
                self.pattern = Some(format!(r"\.{}(?:$|[?#])", kind.to_lowercase()));
            } else if let Some(contains) = phrase(text, &words.contains, words, false) {
                self.contains = Some(contains);
            }
            self.same_site = words.same_site.is_match(text);
        }
    }

    fn days(&mut self, text: &mut String, words: &Words) {
        static DAY: OnceLock<Option<Regex>> = OnceLock::new();
        let pattern = r"\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4}|\d{1,2}\.?\s+\p{L}{3,}\s+\d{4}|\p{L}{3,}\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}";
        let Some(day) = DAY.get_or_init(|| Regex::new(pattern).ok()) else {
            return;
        };
        let now = jiff::civil::date(2026, 1, 1).at(0, 0, 0, 0);
        let found: Vec<(std::ops::Range<usize>, Date)> = day
            .find_iter(text)
            .filter_map(|it| {
                Some((
                    it.range(),
                    dates::parse(it.as_str(), now, &dates::Hints::default())?.date,
                ))
            })
            .collect();
        if let Some((_, first)) = found.first()
            && words.dates.is_match(text)
        {
            self.dates = Some((first.to_string(), found.get(1).map(|(_, it)| it.to_string())));
        }
        for (range, _) in found.into_iter().rev() {
            text.replace_range(range, " ");
        }
    }

    fn numbers(&mut self, text: &mut String, words: &Words) {
        if let Some(found) = words.pages.captures(text) {
            let range = found.get(0).map(|it| it.range()).unwrap_or_default();
            self.pages = count(&found, words);
            text.replace_range(range, " ");
        }
        if let Some(found) = words.times.captures(text) {
            let range = found.get(0).map(|it| it.range()).unwrap_or_default();
            self.times = count(&found, words);
            self.scroll |= self.times.is_some();
            text.replace_range(range, " ");
        }
        let range = words.between.captures(text).and_then(|it| {
            let unit = it
                .name("v")
                .or(it.name("u"))
                .map(|it| it.as_str().to_owned())
                .unwrap_or_default();
            let amount = |name: &str| it.name(name).and_then(|it| amount(it.as_str(), &unit, words));
            let (low, high) = (amount("a")?, amount("b")?);
            // "5 - 3" is no range, and neither are two plain small numbers without a word before them.
            let whole = it.get(0)?;
            let bare = whole.as_str().starts_with(|it: char| it.is_ascii_digit()) && !is_money(&unit);
            (low < high && !bare).then(|| (whole.range(), low, high))
        });
        if let Some((range, low, high)) = range {
            (self.min_price, self.max_price) = (Some(low), Some(high));
            text.replace_range(range, " ");
        }
        for (pattern, is_max) in [(&words.max, true), (&words.min, false)] {
            while let Some((range, number, unit)) = limit(text, pattern, words) {
                match (
                    words
                        .units
                        .iter()
                        .find(|(_, it)| whole(it, &unit))
                        .map(|(name, _)| name.as_str()),
                    is_max,
                ) {
                    (Some("points"), false) => self.min_points = Some(number),
                    (Some("rating"), false) => self.min_rating = Some(number),
                    (Some("comments" | "points" | "rating"), _) => {}
                    (_, true) if is_entity(&unit, words) && self.count.is_none() => {
                        self.count = some_count(number)
                    }
                    (_, true) => self.max_price = self.max_price.or(Some(number)),
                    (_, false) => self.min_price = self.min_price.or(Some(number)),
                }
                // The thing that was counted stays: "at most 5 products" asks for products.
                let kept = if is_entity(&unit, words) {
                    format!(" {unit} ")
                } else {
                    " ".to_owned()
                };
                text.replace_range(range, &kept);
            }
        }
        if let Some(found) = words.top.captures(text) {
            self.count = self.count.or_else(|| count(&found, words));
        }
        if self.count.is_none() {
            self.count = counted(text, words);
        }
    }

    fn things(&mut self, text: &str, words: &Words) {
        let first = |name: &str| {
            let pattern = words.entities.iter().find(|(it, _)| it == name).map(|(_, it)| it);
            // Of two that begin at one place the longer is meant: a "job offer" is no offer.
            pattern
                .and_then(|it| it.find(text))
                .map(|it| (it.start(), std::cmp::Reverse(it.len())))
        };
        let kinds = [
            ("products", Entity::Products),
            ("articles", Entity::Articles),
            ("links", Entity::Links),
            ("tables", Entity::Tables),
            ("rows", Entity::Rows),
        ];
        let found: Vec<((usize, std::cmp::Reverse<usize>), Entity)> = kinds
            .iter()
            .filter_map(|(name, kind)| Some((first(name)?, *kind)))
            .collect();
        self.columns = columns(text, words);
        let listed = |kind: Entity| found.iter().any(|(_, it)| *it == kind);
        self.entity = found.iter().min_by_key(|(at, _)| *at).map(|(_, kind)| *kind);
        // What is searched for says what is found: "look for running shoes and list 15 results".
        let goods = words.entities.iter().find(|(it, _)| it == "products");
        let sought = self
            .query
            .as_deref()
            .is_some_and(|query| goods.is_some_and(|(_, it)| it.is_match(query)));
        if sought && matches!(self.entity, None | Some(Entity::Rows)) {
            self.entity = Some(Entity::Products);
        }
        // "title and points of the top 3" asks for a list without naming its things.
        if self.entity.is_none() && self.count.is_some() && !self.columns.is_empty() {
            self.entity = Some(Entity::Rows);
        }
        // "titles and links of all stories" asks for stories: a link is a column there.
        if self.entity == Some(Entity::Links) && self.pattern.is_none() && self.contains.is_none() {
            let other = [Entity::Products, Entity::Articles, Entity::Rows]
                .into_iter()
                .find(|it| listed(*it));
            self.entity = other.filter(|_| self.columns.len() > 1).or(self.entity);
        }
        // "items for sale" are products; a "job offer" is none.
        let of = |name: &str| {
            words
                .entities
                .iter()
                .find(|(it, _)| it == name)
                .and_then(|(_, it)| it.find(text))
        };
        let apart = of("rows")
            .zip(of("products"))
            .is_some_and(|(rows, goods)| goods.start() >= rows.end());
        if self.entity == Some(Entity::Rows) && listed(Entity::Products) && apart {
            self.entity = Some(Entity::Products);
        }
        let by_site = match self.site {
            Some(Site::Ceneo | Site::Amazon) => Some(Entity::Products),
            Some(Site::HackerNews | Site::Reddit) => Some(Entity::Articles),
            None => None,
        };
        let priced = (self.max_price.is_some() || self.min_price.is_some()).then_some(Entity::Products);
        if !matches!(self.entity, Some(Entity::Links | Entity::Tables)) {
            self.entity = by_site
                .or(self.entity.filter(|it| *it != Entity::Rows))
                .or(priced)
                .or(self.entity);
        }
        // Points of posts are often said without their unit.
        if self.entity == Some(Entity::Articles) && self.min_points.is_none() {
            self.min_points = self.min_price.take();
        }
        // "each must have a name" asks for names, and not for all there is.
        let demand = words.check_fields.find(text).map_or(text.len(), |it| it.start());
        self.all = words.all.is_match(text.get(..demand).unwrap_or(text));
        self.scroll |= words.scroll.is_match(text);
        self.paginate = words.paginate.is_match(text);
        self.filters = words.filter.is_match(text);
        self.sort = match (words.sort_down.is_match(text), words.sort_up.is_match(text)) {
            (true, _) => Some(("price", true)),
            (false, true) => Some(("price", false)),
            (false, false) => None,
        };
        // Only things with a price are put in the order of their prices.
        if self.sort.is_some() && self.entity.is_none() && by_site.is_none() {
            self.entity = Some(Entity::Products);
        }
        if self.entity != Some(Entity::Products) {
            self.sort = None;
        }
        if let Some(check) = words.check_fields.find(text) {
            let from = text.get(check.start()..).unwrap_or_default();
            self.must_have = columns(from.split(['.', ';']).next().unwrap_or_default(), words);
        }
        self.check_urls = words.check_urls.is_match(text) && self.must_have.is_empty();
    }
}

fn site(text: &str, url: Option<&Url>) -> Option<Site> {
    let lower = text.to_lowercase();
    let host = url.and_then(Url::host_str).unwrap_or_default();
    let named = |words: &[&str], hosts: &[&str]| {
        words.iter().any(|it| lower.contains(it))
            || hosts
                .iter()
                .any(|it| host == *it || host.ends_with(&format!(".{it}")))
    };
    let amazon = host.split('.').any(|it| it == "amazon");
    [
        (named(&["ceneo"], &["ceneo.pl"]), Site::Ceneo),
        (amazon || named(&["amazon"], &[]), Site::Amazon),
        (
            named(
                &["hacker news", "hackernews", "ycombinator"],
                &["news.ycombinator.com"],
            ),
            Site::HackerNews,
        ),
        (named(&["reddit", "subreddit"], &["reddit.com"]), Site::Reddit),
    ]
    .into_iter()
    .find(|(named, _)| *named)
    .map(|(_, site)| site)
}

/// Takes the first match of a pattern's group out of a text, unless it is longer than 500 characters.
fn take(text: &mut String, pattern: &str) -> Option<String> {
    let found = Regex::new(pattern).ok()?.captures(text)?;
    let (whole, inner) = (found.get(0)?.range(), found.get(1)?.as_str().to_owned());
    if inner.chars().count() > 500 {
        return None;
    }
    text.replace_range(whole, " ");
    Some(inner)
}

/// What stands behind a word: quoted, or up to the next word that begins something else.
fn phrase(text: &mut String, pattern: &Regex, words: &Words, path: bool) -> Option<String> {
    let found = pattern.captures(text)?;
    let (whole, quoted) = (found.get(0)?, found.name("q"));
    let (inner, range) = match (quoted, found.name("t")) {
        (Some(quoted), _) => (quoted.as_str().trim().to_owned(), whole.range()),
        (None, Some(rest)) => {
            let inner = if path {
                until_end(rest.as_str())
            } else {
                until_stop(rest.as_str(), words)
            };
            (inner.clone(), whole.start()..rest.start() + inner.len())
        }
        (None, None) => return None,
    };
    let inner = inner.trim().to_owned();
    let sensible = !inner.is_empty() && inner.chars().count() <= 100;
    if sensible && text.is_char_boundary(range.end) {
        text.replace_range(range, " ");
    }
    sensible.then_some(inner)
}

/// Whether a phrase says only what every list holds: `all products`, `wszystkie oferty`.
fn is_anything(phrase: &str, words: &Words) -> bool {
    let mut pieces = phrase.split_whitespace().peekable();
    pieces.peek().is_some() && pieces.all(|it| whole(&words.anything, it))
}

fn until_stop(text: &str, words: &Words) -> String {
    let end = words.stops.find(text).map_or(text.len(), |it| it.start());
    text.get(..end).unwrap_or(text).to_owned()
}

/// A path of categories goes on over its own signs, and ends where a sentence does or a new clause begins.
fn until_end(text: &str) -> String {
    static END: OnceLock<Option<Regex>> = OnceLock::new();
    let end = END.get_or_init(|| {
        Regex::new(r"(?i)[,;.!?\n]|\s(?:and|i|oraz|und|then|potem|with|z|na|on|under|below|over|above|between|do|od|poniżej|powyżej)\s").ok()
    });
    let at = end
        .as_ref()
        .and_then(|it| it.find(text))
        .map_or(text.len(), |it| it.start());
    text.get(..at).unwrap_or(text).to_owned()
}

/// An amount as people write it: `1 500`, `1.299,99`, `2 tys.`.
fn amount(digits: &str, unit: &str, words: &Words) -> Option<f64> {
    let plain = digits.replace([' ', '\u{a0}', '\u{202f}'], "");
    let read = price::parse(&format!("{plain} EUR"), &price::Hints::default()).map(|it| it.amount);
    let amount: f64 = read.unwrap_or(plain).parse().ok()?;
    let amount = if words.thousand.is_match(unit.trim()) {
        amount * 1000.0
    } else {
        amount
    };
    amount.is_finite().then_some(amount)
}

/// The first limit in a text: where it stands, the number, the word behind it.
fn limit(text: &str, pattern: &Regex, words: &Words) -> Option<(std::ops::Range<usize>, f64, String)> {
    let found = pattern.captures(text)?;
    let unit = found
        .name("u")
        .map(|it| it.as_str().to_owned())
        .unwrap_or_default();
    let number = amount(found.name("n")?.as_str(), &unit, words)?;
    Some((found.get(0)?.range(), number, unit))
}

fn is_money(unit: &str) -> bool {
    !unit.is_empty() && (price::iso(unit, None).is_some() || unit.chars().all(|it| "$€£¥".contains(it)))
}

fn is_entity(unit: &str, words: &Words) -> bool {
    !unit.is_empty() && words.entities.iter().any(|(_, it)| whole(it, unit))
}

fn whole(pattern: &Regex, text: &str) -> bool {
    pattern
        .find(text)
        .is_some_and(|it| it.len() == text.trim_end_matches('.').len() || it.len() == text.len())
}

fn number_of(text: &str, words: &Words) -> Option<usize> {
    let lower = text.to_lowercase();
    lower.parse().ok().or_else(|| words.numbers.get(&lower).copied())
}

fn count(found: &Captures<'_>, words: &Words) -> Option<usize> {
    let digits = found.name("n").or_else(|| found.name("m"))?;
    number_of(digits.as_str(), words).filter(|it| (1..=10_000).contains(it))
}

fn some_count(number: f64) -> Option<usize> {
    // Checked to be a small whole number.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    (number.fract() == 0.0 && (1.0..=10_000.0).contains(&number)).then_some(number as usize)
}

/// `10 products`, `five cheap laptops`: a number with a thing at most two words behind it.
fn counted(text: &str, words: &Words) -> Option<usize> {
    let pieces: Vec<&str> = text.split_whitespace().collect();
    let clean = |it: &&str| it.trim_matches(|it: char| !it.is_alphanumeric()).to_owned();
    pieces.iter().enumerate().find_map(|(at, piece)| {
        let number = number_of(&clean(piece), words).filter(|it| (1..=10_000).contains(it))?;
        let thing = pieces
            .iter()
            .skip(at + 1)
            .take(3)
            .any(|it| is_entity(&clean(it), words));
        thing.then_some(number)
    })
}

/// Fields that are named side by side: `names, prices and links of ...`.
fn columns(text: &str, words: &Words) -> Vec<String> {
    let mut found: Vec<(usize, usize, &str)> = words
        .fields
        .iter()
        .flat_map(|(name, pattern)| {
            pattern
                .find_iter(text)
                .map(|it| (it.start(), it.end(), name.as_str()))
        })
        .collect();
    found.sort();
    static JOINT: OnceLock<Option<Regex>> = OnceLock::new();
    let joint = JOINT
        .get_or_init(|| Regex::new(r"(?i)^\s*(?:,|and|i|oraz|und|a|an|the|their|its|&|with|\s)*\s*$").ok());
    let joint = |between: &str| joint.as_ref().is_some_and(|it| it.is_match(between));
    let mut best: Vec<(usize, usize, &str)> = Vec::new();
    let mut run: Vec<(usize, usize, &str)> = Vec::new();
    for field in found {
        let beside = run
            .last()
            .is_some_and(|last| joint(text.get(last.1..field.0).unwrap_or("x")));
        if !beside {
            run.clear();
        }
        if !run.iter().any(|it| it.2 == field.2) {
            run.push(field);
        }
        if run.len() > best.len() {
            best = run.clone();
        }
    }
    best.into_iter().map(|it| it.2.to_owned()).collect()
}
