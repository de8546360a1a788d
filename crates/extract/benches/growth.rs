//! Growth of the cost of each reading with the size of the page. Pages of 10 kB to 10 MB, and elements nested 100 to 100,000
//! deep; CPU time of this thread, the fastest of three rounds.
//!
//! `cargo bench --profile fast -p extract --bench growth` prints milliseconds and, behind them, how much more a byte costs
//! than on the page before (1.0 is linear).

#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use extract::mode::ExtractionRequest;
use extract::modes::rule_based;
use extract::rules::{content, records};
use page::Page;
use page::meta::Metadata;

/// Shortest time that is measured: the system counts in steps of some milliseconds.
const TICKS: Duration = Duration::from_millis(60);

type Reading = (&'static str, fn(&Page) -> usize);

/// What is measured. The first one is the parsing, which the others do not repeat.
const READINGS: [Reading; 7] = [
    ("item", |page| {
        rule_based::read(page, &ExtractionRequest::default()).map_or(0, |item| item.fields().len())
    }),
    ("text", |page| content::text(page, &content::find(page)).len()),
    ("markdown", |page| page::markdown::render_page(page).len()),
    ("records", |page| records::find(page).len()),
    ("tables", |page| page::tables::grids(page).len()),
    ("links", |page| page::links::links(page).len()),
    ("metadata", |page| format!("{:?}", Metadata::read(page)).len()),
];

/// An article with navigation, a list of goods and a table, repeated until it has this many bytes.
fn wide(bytes: usize) -> String {
    let mut html = String::from(
        "<!doctype html><html lang=en><head><title>Kettles</title></head><body><nav><a href=/a>Home</a></nav><main><h1>Kettles</h1>",
    );
    let mut nth = 0;
    while html.len() < bytes {
        html.push_str(&format!(
            "<h2>Part {nth}</h2><p>A kettle is a vessel in which water is boiled, with a <a href=/lid{nth}>lid</a>, a spout and a handle; it \
             says so when the water boils, on 3 March 2021 or <b>later</b>.</p><ul><li><a href=/k{nth}>Kettle {nth}</a> <span class=price>{}.99 €</span> \
             in stock</li><li><a href=/m{nth}>Mug {nth}</a> <span class=price>{}.50 €</span></li></ul><table><tr><th>Size</th><td>{nth} l</td></tr></table>",
            nth % 90 + 10,
            nth % 9 + 1
        ));
        nth += 1;
    }
    html
}

fn deep(levels: usize) -> String {
    format!(
        "<html><body><h1>Deep</h1>{}<p>The end of it.</p>",
        "<ul><li>".repeat(levels / 2)
    )
}

/// The CPU time of this thread where the system measures it (Linux: `schedstat`), else the clock's.
fn now(begun: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanos.map_or_else(|| begun.elapsed(), Duration::from_nanos)
}

/// The CPU time of one piece of work, out of as many in a row as the system's clock ticks can measure.
fn cost(mut work: impl FnMut() -> usize) -> Duration {
    let begun = Instant::now();
    let mut fastest = Duration::MAX;
    for _ in 0..3 {
        let (from, mut runs) = (now(begun), 0_u32);
        while now(begun) - from < TICKS {
            std::hint::black_box(work());
            runs += 1;
        }
        fastest = fastest.min((now(begun) - from) / runs);
    }
    fastest
}

fn curve(title: &str, sizes: &[usize], make: fn(usize) -> String) {
    println!(
        "\n| {title} | {} |",
        sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(" | ")
    );
    println!("|---|{}", "---|".repeat(sizes.len()));
    let pages: Vec<String> = sizes.iter().map(|size| make(*size)).collect();
    let row = |name: &str, work: &dyn Fn(&String, &Page) -> usize| {
        let mut before: Option<f64> = None;
        let mut cells = Vec::new();
        for html in &pages {
            let page = Page::new(html.as_str(), None);
            let spent = cost(|| work(html, &page)).as_secs_f64() * 1000.0;
            let each = spent / html.len() as f64;
            let growth = before
                .map(|before| format!(" ({:.1})", each / before))
                .unwrap_or_default();
            cells.push(format!("{spent:.3}{growth}"));
            before = Some(each);
        }
        println!("| {name} | {} |", cells.join(" | "));
    };
    row("parse", &|html, _| Page::new(html.as_str(), None).html().len());
    for (name, read) in READINGS {
        row(name, &|_, page| read(page));
    }
}

fn main() {
    curve(
        "bytes, ms of CPU",
        &[10_000, 100_000, 1_000_000, 10_000_000],
        wide,
    );
    curve("nested elements, ms of CPU", &[100, 1_000, 10_000, 100_000], deep);
}
