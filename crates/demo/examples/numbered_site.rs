//! A site of numbered pages that is no bottleneck, for measuring crawls of many addresses.
//!
//!     cargo run --release -p demo --example numbered_site -- --pages 1000000 [--port 8900]
//!
//! Its first page is `/p/0`. The first line of the output is the address. `/stats` counts what was asked for: `served` answers
//! with a page, `distinct` pages among them, `again` those that were given more than once, `unknown` addresses without a page.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

type Failure = Box<dyn std::error::Error>;

/// Longest line of a request, in bytes.
const MAX_LINE: usize = 8 << 10;
/// Links to pages that are not below a page in the tree.
const NEIGHBOURS: usize = 20;
/// Links to pages below a page.
const CHILDREN: usize = 10;
const PARAGRAPHS: usize = 20;

/// What was asked for.
struct Counts {
    /// How often each page was given, up to 255 times.
    pages: Vec<AtomicU8>,
    served: AtomicUsize,
    distinct: AtomicUsize,
    again: AtomicUsize,
    unknown: AtomicUsize,
}

impl Counts {
    fn new(pages: usize) -> Self {
        Self {
            pages: (0..pages).map(|_| AtomicU8::new(0)).collect(),
            served: AtomicUsize::new(0),
            distinct: AtomicUsize::new(0),
            again: AtomicUsize::new(0),
            unknown: AtomicUsize::new(0),
        }
    }

    /// Counts a page that is given.
    fn add(&self, number: usize) {
        self.served.fetch_add(1, Ordering::Relaxed);
        let before = self.pages[number].fetch_update(Ordering::Relaxed, Ordering::Relaxed, |times| {
            Some(times.saturating_add(1))
        });
        match before {
            Ok(0) => self.distinct.fetch_add(1, Ordering::Relaxed),
            Ok(1) => self.again.fetch_add(1, Ordering::Relaxed),
            _ => 0,
        };
    }

    fn json(&self) -> String {
        let of = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        format!(
            "{{\"served\":{},\"distinct\":{},\"again\":{},\"unknown\":{}}}",
            of(&self.served),
            of(&self.distinct),
            of(&self.again),
            of(&self.unknown)
        )
    }
}

fn main() -> Result<(), Failure> {
    let (mut pages, mut port) = (10_000, 0_u16);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or("each flag has a value")?;
        match word.as_str() {
            "--pages" => pages = value.parse()?,
            "--port" => port = value.parse()?,
            _ => return Err(format!("{word}: only --pages and --port are known").into()),
        }
    }
    let listener = TcpListener::bind(("127.0.0.1", port))?;
    println!("http://{}", listener.local_addr()?);
    let counts = Arc::new(Counts::new(pages));
    for stream in listener.incoming() {
        let (stream, counts) = (stream?, Arc::clone(&counts));
        // A client that leaves in the middle ends its thread alone.
        std::thread::spawn(move || drop(serve(&stream, &counts)));
    }
    Ok(())
}

/// Answers the requests of one connection, one after the other.
fn serve(stream: &TcpStream, counts: &Counts) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    let (mut line, mut path) = (String::new(), String::new());
    let mut out = String::new();
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 || line.len() > MAX_LINE {
            return Ok(());
        }
        if path.is_empty() {
            path = line.split(' ').nth(1).unwrap_or("/").to_owned();
        } else if line == "\r\n" {
            answer(&path, counts, &mut out);
            let mut writer = stream;
            writer.write_all(out.as_bytes())?;
            path.clear();
        }
    }
}

/// Writes the whole answer to a request.
fn answer(path: &str, counts: &Counts, out: &mut String) {
    let pages = counts.pages.len();
    let number = path.strip_prefix("/p/").and_then(|number| number.parse().ok());
    let (status, kind, body) = match number {
        Some(number) if number < pages => {
            counts.add(number);
            ("200 OK", "text/html; charset=utf-8", page(number, pages))
        }
        _ if path == "/stats" => ("200 OK", "application/json", counts.json()),
        _ => {
            counts.unknown.fetch_add(1, Ordering::Relaxed);
            ("404 Not Found", "text/html", "<h1>Not found</h1>".to_owned())
        }
    };
    out.clear();
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
}

/// The page of a number: a text of its own, links to those below it in a tree, and to neighbours. The same as that of
/// `bench/crawl.py`.
fn page(number: usize, pages: usize) -> String {
    let mut html = String::with_capacity(4 << 10);
    let _ = write!(
        html,
        "<!doctype html><html><head><title>Page {number}</title></head><body><main><h1>Page {number}</h1>"
    );
    for at in 0..PARAGRAPHS {
        let (word, thing, other) = (
            (number * 31 + at * 17) % 9973,
            at * number % 997,
            (at + number) % 991,
        );
        let _ = write!(
            html,
            "<p>Paragraph {at} of page {number} says word{word} about thing{thing} and thing{other} once more.</p>"
        );
    }
    html.push_str("</main><nav><ul>");
    let below = (number * CHILDREN + 1..=number * CHILDREN + CHILDREN).filter(|at| *at < pages);
    let near = (0..NEIGHBOURS).map(|step| (number * 7919 + step * 104_729) % pages);
    for at in below.chain(near) {
        let _ = write!(html, "<li><a href='/p/{at}'>Page number {at}</a></li>");
    }
    html.push_str("</ul></nav></body></html>");
    html
}
