//! Watching measured: pairs of versions of labelled pages, half with an edit of the main content, half with noise alone.
//!
//!     cargo run --release -p agents --example watch_pairs -- FOLDER... [--pairs 200] [--seed 1] [--show]
//!
//! A folder has `truth.jsonl`, one object a page: `file` (HTML, maybe packed with gzip), `id`, `url`, and the main content as
//! people have marked it (`main_content`, `articleBody` or `records`). All versions have noise of their own, by chance and
//! the seed. As the watcher does, a change is compared with two further readings of the later version. A false alarm is a change told of noise alone; an edit is missed where no change names it.

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

/// What came of the pairs of one kind.
#[derive(Default)]
struct Tally {
    pairs: usize,
    wrong: usize,
}

fn main() -> Result<(), Failure> {
    let (mut folders, mut pairs, mut seed, mut show) = (Vec::new(), 200, 1, false);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--pairs" => pairs = words.next().ok_or("--pairs needs a number")?.parse()?,
            "--seed" => seed = words.next().ok_or("--seed needs a number")?.parse()?,
            "--show" => show = true,
            _ => folders.push(PathBuf::from(word)),
        }
    }
    let mut rows = Vec::new();
    for folder in &folders {
        for line in std::fs::read_to_string(folder.join("truth.jsonl"))?.lines() {
            rows.push((folder.clone(), serde_json::from_str::<Value>(line)?));
        }
    }
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
        let Some((kind, wrong)) = measure(&page, is_edited, random.u64(..), show) else {
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

/// The kind of pairs without an edit.
const NOISE: &str = "noise alone";

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
fn measure(page: &SavedPage, is_edited: bool, seed: u64, show: bool) -> Option<(&'static str, bool)> {
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
    let first = Visit {
        number: 0,
        minutes: 0,
    };
    let second = Visit { number: 1, minutes };
    let before = content(page, &page.tokens, seed, first)?;
    let after = content(page, &after_tokens, seed, second);
    let change = match after {
        Some(after) => {
            let again = |number| content(page, &after_tokens, seed, Visit { number, minutes });
            let again: Vec<_> = (2..4).filter_map(again).collect();
            watch::compare(&before, &after, &again, None, &Volatility::new()).change
        }
        None => None,
    };
    let wrong = match &edit {
        None => change.is_some(),
        Some(edit) => !change.as_ref().is_some_and(|change| names(change, edit)),
    };
    if wrong && show {
        let shown = serde_json::to_string(&change).unwrap_or_default();
        let shown: String = shown.chars().take(1_500).collect();
        eprintln!("{}: {edit:?}\n  {shown}", page.id);
    }
    Some((edit.map_or(NOISE, |edit| edit.kind), wrong))
}

/// What is watched of a version of a page.
fn content(page: &SavedPage, tokens: &[Token], seed: u64, visit: Visit) -> Option<WatchedContent> {
    let ends: Vec<usize> = Labelled {
        tokens,
        label: &page.label,
    }
    .paragraphs();
    let html = tokens::source(&noise::noisy(tokens, &ends, seed, visit));
    let read = Page::new(&html, page.url.clone());
    watch::content_of(&read, WatchedPart::Text).map(|(content, _)| content)
}

/// Letters and digits alone, since Markdown adds and escapes signs.
fn folded(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
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
    let mark: String = folded(&edit.mark).chars().take(30).collect();
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
