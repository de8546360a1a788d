//! Watching measured: pairs of versions of labelled pages, half with an edit of the main content, half with noise alone.
//!
//!     cargo run --release -p agents --example watch_pairs -- FOLDER... [--pairs 200] [--seed 1] [--half 0|1] [--show] [--keep FOLDER]
//!
//! A folder has `truth.jsonl`, one object a page: `file` (HTML, maybe packed with gzip), `id`, `url`, and the main content as
//! people have marked it (`main_content`, `articleBody` or `records`). All versions have noise of their own, by chance and
//! the seed. As the watcher does, a change is compared with further readings of the later version. A false alarm is a change
//! told of noise alone; an edit is missed where no change names it. `--half` takes one half of the hosts, so that the other half
//! can be kept unseen; `--show` tells what was wrong, `--keep` writes the readings of such pairs to a folder, and
//! `--readings FILE FILE...` compares such readings: what was read before, what was read after, and further readings. Of one it says what is watched.

mod edits;
mod noise;
mod tokens;

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use agents::watch::{self, Volatility, WatchedContent};
use edits::{Edit, Labelled};
use fastrand::Rng;
use noise::Visit;
use page::Page;
use serde_json::Value;
use tokens::{Token, plain};
use wire::monitors::{ContentChange, WatchedPart};

type Failure = Box<dyn std::error::Error>;

struct SavedPage {
    id: String,
    url: Option<url::Url>,
    tokens: Vec<Token>,
    label: String,
}

/// Two versions of a page.
struct Pair<'a> {
    first: Version<'a>,
    second: Version<'a>,
    visit: &'a dyn Fn(u64) -> Visit,
    edit: Option<&'a Edit>,
}

impl Pair<'_> {
    /// The version that is read by a number.
    fn version(&self, number: u64) -> &Version<'_> {
        if number == 0 { &self.first } else { &self.second }
    }

    /// Shows a pair whose outcome is wrong.
    fn show(&self, change: &Option<ContentChange>, show: &Show) {
        let id = &self.first.page.id;
        if let Some(folder) = &show.folder {
            for number in 0..2 + watch::MAX_FURTHER_READINGS as u64 {
                let html = self.version(number).html((self.visit)(number));
                if let Err(error) = std::fs::write(folder.join(format!("{id}-{number}.html")), html) {
                    eprintln!("{}: {error}", folder.display());
                }
            }
        }
        if show.told {
            let watched = [0, 1].map(|number| {
                let content = self.version(number).content((self.visit)(number));
                let content = folded(&serde_json::to_string(&content).unwrap_or_default());
                self.edit.map(|edit| content.contains(&mark(edit)))
            });
            let shown = serde_json::to_string(change).unwrap_or_default();
            let shown: String = shown.chars().take(1_500).collect();
            eprintln!(
                "{id}: {:?}; before and after have it: {watched:?}\n  {shown}",
                self.edit
            );
        }
    }
}

/// What is shown of pairs whose outcome is wrong.
#[derive(Default)]
struct Show {
    /// The edit and the change are told.
    told: bool,
    /// The readings are written there.
    folder: Option<PathBuf>,
}

/// What came of the pairs of one kind.
#[derive(Default)]
struct Tally {
    pairs: usize,
    wrong: usize,
}

fn main() -> Result<(), Failure> {
    let (mut folders, mut pairs, mut seed, mut show) = (Vec::new(), 200, 1, Show::default());
    let mut half: Option<u8> = None;
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--pairs" => pairs = words.next().ok_or("--pairs needs a number")?.parse()?,
            "--seed" => seed = words.next().ok_or("--seed needs a number")?.parse()?,
            "--half" => half = Some(words.next().ok_or("--half needs 0 or 1")?.parse()?),
            "--readings" => return compare_files(&words.map(PathBuf::from).collect::<Vec<_>>()),
            "--show" => show.told = true,
            "--keep" => show.folder = Some(words.next().ok_or("--keep needs a folder")?.into()),
            _ => folders.push(PathBuf::from(word)),
        }
    }
    let mut rows = Vec::new();
    for folder in &folders {
        for line in std::fs::read_to_string(folder.join("truth.jsonl"))?.lines() {
            rows.push((folder.clone(), serde_json::from_str::<Value>(line)?));
        }
    }
    rows.retain(|(_, row)| half.is_none_or(|half| half_of(row) == half));
    let mut random = Rng::with_seed(seed);
    random.shuffle(&mut rows);
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut done = 0;
    for (folder, row) in &rows {
        if done == pairs {
            break;
        }
        let page = saved_page(folder, row)?;
        let is_edited = done % 2 == 0;
        let Some((kind, wrong)) = measure(&page, is_edited, random.u64(..), &show) else {
            continue;
        };
        let tally = tallies.entry(kind).or_default();
        tally.pairs += 1;
        tally.wrong += usize::from(wrong);
        done += 1;
    }
    println!("| pairs | number | wrong |\n|---|---|---|");
    for (kind, tally) in &tallies {
        println!("| {kind} | {} | {} |", tally.pairs, tally.wrong);
    }
    let of = |is_noise: bool| {
        let these = tallies.iter().filter(|(kind, _)| (**kind == NOISE) == is_noise);
        these.fold((0, 0), |sum, (_, tally)| {
            (sum.0 + tally.pairs, sum.1 + tally.wrong)
        })
    };
    let ((noise, alarms), (edits, missed)) = (of(true), of(false));
    println!("false alarms: {alarms} of {noise} pairs with noise alone; missed: {missed} of {edits} edits");
    Ok(())
}

/// Compares saved readings of a page, the first with the second, which the others confirm.
fn compare_files(files: &[PathBuf]) -> Result<(), Failure> {
    let mut readings = Vec::new();
    for file in files {
        let page = Page::new(std::fs::read_to_string(file)?, None);
        let content = watch::content_of(&page, WatchedPart::Text).ok_or("a page without text")?;
        readings.push(content.0);
    }
    let [before, after, again @ ..] = readings.as_slice() else {
        println!("{}", serde_json::to_string_pretty(&readings)?);
        return Ok(());
    };
    let compared = watch::compare(before, after, again, None, &Volatility::new());
    println!("{}", serde_json::to_string_pretty(&compared.change)?);
    Ok(())
}

/// The kind of pairs without an edit.
const NOISE: &str = "noise alone";

/// The half of the pages that a page is in, by its host.
fn half_of(row: &Value) -> u8 {
    let url = row["url"].as_str().and_then(|url| url::Url::parse(url).ok());
    let host = url.as_ref().and_then(url::Url::host_str);
    let host = host.or(row["site"].as_str()).unwrap_or_default();
    host.trim_start_matches("www.")
        .bytes()
        .fold(0, |sum: u8, byte| sum.wrapping_mul(31).wrapping_add(byte))
        >> 4
        & 1
}

fn saved_page(folder: &Path, row: &Value) -> Result<SavedPage, Failure> {
    let bytes = std::fs::read(folder.join(row["file"].as_str().ok_or("a row without file")?))?;
    let mut html = String::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut unpacked = Vec::new();
        flate2::read::MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut unpacked)?;
        html.push_str(&String::from_utf8_lossy(&unpacked));
    } else {
        html.push_str(&String::from_utf8_lossy(&bytes));
    }
    let texts = |value: &Value| -> String {
        let rows = value.as_array().into_iter().flatten();
        let cells = rows.flat_map(|row| row.as_array().into_iter().flatten());
        cells.filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
    };
    let label = match (&row["main_content"], &row["articleBody"]) {
        (Value::String(text), _) | (_, Value::String(text)) => plain(text),
        _ => plain(&texts(&row["records"])),
    };
    Ok(SavedPage {
        id: row["id"].as_str().unwrap_or_default().to_owned(),
        url: row["url"].as_str().and_then(|url| url::Url::parse(url).ok()),
        tokens: tokens::tokens(&html),
        label,
    })
}

/// The kind of a pair made of a page, and whether the outcome is wrong; none where nothing on the page can be edited, or
/// nothing is read from it.
fn measure(page: &SavedPage, is_edited: bool, seed: u64, show: &Show) -> Option<(&'static str, bool)> {
    let mut random = Rng::with_seed(seed);
    let labelled = Labelled {
        tokens: &page.tokens,
        label: &page.label,
    };
    let (after_tokens, edit) = match is_edited {
        true => edits::edit(&labelled, &mut random).map(|(tokens, edit)| (tokens, Some(edit)))?,
        false => (page.tokens.clone(), None),
    };
    let minutes = random.choice([7, 60, 300, 1440, 10_080])?;
    let paragraph = random.choice(labelled.paragraphs());
    let version = |tokens, paragraph| Version {
        page,
        tokens,
        paragraph,
        seed,
    };
    let first = version(&page.tokens, paragraph);
    let moved = |at| edit.as_ref().map_or(at, |edit| edit.moved(at));
    let second = version(&after_tokens, paragraph.map(moved));
    let visit = |number| Visit {
        number,
        minutes: if number == 0 { 0 } else { minutes },
    };
    let before = first.content(visit(0))?;
    let change = match second.content(visit(1)) {
        Some(after) => {
            let compare =
                |again: &[_]| watch::compare(&before, &after, again, None, &Volatility::new()).change;
            let (mut again, mut change) = (Vec::new(), compare(&[]));
            while change.is_some() && again.len() < watch::MAX_FURTHER_READINGS {
                again.extend(second.content(visit(2 + again.len() as u64)));
                change = compare(&again);
            }
            change
        }
        None => None,
    };
    let wrong = match &edit {
        None => change.is_some(),
        Some(edit) => !change.as_ref().is_some_and(|change| names(change, edit)),
    };
    if wrong {
        let shown = Pair {
            first,
            second,
            visit: &visit,
            edit: edit.as_ref(),
        };
        shown.show(&change, show);
    }
    Some((edit.map_or(NOISE, |edit| edit.kind), wrong))
}

/// A version of a page, with the place of its advertisement.
struct Version<'a> {
    page: &'a SavedPage,
    tokens: &'a [Token],
    paragraph: Option<usize>,
    seed: u64,
}

impl Version<'_> {
    /// The version as it is given at a visit.
    fn html(&self, visit: Visit) -> String {
        tokens::source(&noise::noisy(self.tokens, self.paragraph, self.seed, visit))
    }

    /// What is watched of the version.
    fn content(&self, visit: Visit) -> Option<WatchedContent> {
        let read = Page::new(self.html(visit), self.page.url.clone());
        watch::content_of(&read, WatchedPart::Text).map(|(content, _)| content)
    }
}

/// Letters and digits alone, since Markdown adds and escapes signs.
fn folded(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The text that a change has to name, folded.
fn mark(edit: &Edit) -> String {
    folded(&edit.mark).chars().take(30).collect()
}

/// Whether a change names what was edited.
fn names(change: &ContentChange, edit: &Edit) -> bool {
    let ContentChange::Text {
        added,
        removed,
        changed,
    } = change
    else {
        return false;
    };
    let mark = mark(edit);
    let has = |text: &str| folded(text).contains(&mark);
    match edit.kind {
        "removed" => {
            removed.iter().any(|text| has(text))
                || changed.iter().any(|pair| has(&pair.before) && !has(&pair.after))
        }
        _ => {
            added.iter().any(|text| has(text))
                || changed.iter().any(|pair| has(&pair.after) && !has(&pair.before))
        }
    }
}
