//! `SitemapReader`: the site maps of a site, indexes followed, a few files at a time.

use std::collections::{HashSet, VecDeque};
use std::io::Read as _;
use std::time::Duration;

use flate2::read::MultiGzDecoder;
use futures_util::future::join_all;
use net::Response;
use page::charset::decode;
use page::sitemap::{self, AddressList, ListKind, ListedAddress};
use url::Url;

use super::fetch::SiteFetcher;

/// Files that are read at once.
const AT_ONCE: usize = 4;
/// Most files of one site.
const MAX_FILES: usize = 1_000;
/// Deepest nesting of indexes; the protocol has one level.
const MAX_DEPTH: u32 = 3;
/// Most addresses of one file; the protocol allows 50,000.
const MAX_ENTRIES: usize = 100_000;
/// Most bytes of an unpacked file; the protocol allows 50 MB.
const MAX_UNPACKED: u64 = 64 << 20;
/// Longest time for one file.
const TIME: Duration = Duration::from_secs(20);
/// Most notes.
const MAX_NOTES: usize = 20;
/// Where site maps usually are, when robots.txt names none.
const USUAL: [&str; 3] = ["/sitemap.xml", "/sitemap_index.xml", "/sitemap.txt"];

/// A file that lists addresses, read.
pub(super) struct SitemapFile {
    pub(super) url: Url,
    pub(super) kind: ListKind,
    pub(super) entries: Vec<ListedAddress>,
}

/// Reads the site maps of a site.
pub(super) struct SitemapReader<'a> {
    fetcher: SiteFetcher<'a>,
    queue: VecDeque<(Url, u32)>,
    seen: HashSet<String>,
    /// Files that were read.
    pub(super) read: u64,
    /// What could not be read, and why.
    pub(super) notes: Vec<String>,
    /// The first file that was not read for a reason that may pass, so that nobody knows what it lists.
    pub(super) missed: Option<Url>,
    /// Whether a file that is not there is worth a note: one that the site names is.
    is_named: bool,
}

impl<'a> SitemapReader<'a> {
    /// Reads the files that robots.txt names; without any, those at the usual places.
    pub(super) fn new(fetcher: SiteFetcher<'a>, start: &Url, named: &[String]) -> Self {
        let mut reader = Self {
            fetcher,
            queue: VecDeque::new(),
            seen: HashSet::new(),
            read: 0,
            notes: Vec::new(),
            missed: None,
            is_named: !named.is_empty(),
        };
        let usual = USUAL.iter().map(|path| (*path).to_owned());
        let places: Vec<String> = if named.is_empty() {
            usual.collect()
        } else {
            named.to_vec()
        };
        reader.enqueue(places.iter().filter_map(|place| start.join(place.trim()).ok()), 0);
        reader
    }

    /// Also reads these files, such as feeds.
    pub(super) fn add(&mut self, files: impl Iterator<Item = Url>) {
        self.enqueue(files, MAX_DEPTH);
    }

    fn enqueue(&mut self, files: impl Iterator<Item = Url>, depth: u32) {
        for url in files.filter(|url| matches!(url.scheme(), "http" | "https")) {
            if self.seen.len() >= MAX_FILES {
                self.note(format!(
                    "more than {MAX_FILES} site maps; the others were not read"
                ));
                return;
            }
            if self.seen.insert(url.as_str().to_owned()) {
                self.queue.push_back((url, depth));
            }
        }
    }

    fn note(&mut self, note: String) {
        if self.notes.len() < MAX_NOTES && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// The next files that could be read; none when all were asked for. May be empty in between.
    pub(super) async fn next(&mut self) -> Option<Vec<SitemapFile>> {
        let next: Vec<(Url, u32)> = (0..AT_ONCE).filter_map(|_| self.queue.pop_front()).collect();
        if next.is_empty() {
            return None;
        }
        let fetcher = self.fetcher.clone();
        let fetched = join_all(next.into_iter().map(|(url, depth)| {
            let fetcher = &fetcher;
            async move {
                let outcome = match fetcher.file(url.clone(), TIME).await {
                    Ok(response) => read(response).await.map_err(|reason| (reason, false)),
                    Err(error) => Err((error.to_string(), may_pass(&error))),
                };
                (url, depth, outcome)
            }
        }))
        .await;
        let mut files = Vec::new();
        for (url, depth, outcome) in fetched {
            match outcome {
                Ok((list, is_cut)) => files.extend(self.take(url, depth, list, is_cut)),
                Err((reason, may_pass)) => {
                    if self.is_named || depth > 0 {
                        self.note(format!("{url} was not read: {reason}"));
                    }
                    if may_pass && self.missed.is_none() {
                        self.missed = Some(url);
                    }
                }
            }
        }
        Some(files)
    }

    fn take(&mut self, url: Url, depth: u32, list: AddressList, is_cut: bool) -> Option<SitemapFile> {
        self.read += 1;
        if is_cut || list.is_cut {
            self.note(format!(
                "{url} is longer than site maps may be; its first part was read"
            ));
        } else if list.is_broken {
            self.note(format!("{url} ends before its end; what is there was read"));
        }
        if list.kind != ListKind::Index {
            return Some(SitemapFile {
                url,
                kind: list.kind,
                entries: list.entries,
            });
        }
        if depth >= MAX_DEPTH {
            self.note(format!(
                "{url} is an index {depth} levels below the first one; it was not followed"
            ));
            return None;
        }
        let files: Vec<Url> = list
            .entries
            .iter()
            .filter_map(|it| url.join(it.url.trim()).ok())
            .collect();
        self.enqueue(files.into_iter(), depth + 1);
        None
    }
}

/// Whether a file that could not be had may be there later. Of the statuses, those that servers do not also answer with where there
/// never is anything.
pub(super) fn may_pass(error: &net::Error) -> bool {
    match error {
        net::Error::Upstream { status } => is_passing(*status),
        net::Error::Timeout(_) | net::Error::Connect(_) | net::Error::Incomplete | net::Error::Exit(_) => {
            true
        }
        _ => false,
    }
}

/// Whether a status says that there is something, and not now.
pub(super) const fn is_passing(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 502 | 503 | 504)
}

/// Reads a file, unpacked where it is packed; whether it was cut.
async fn read(response: Response) -> Result<(AddressList, bool), String> {
    let reading = tokio::task::spawn_blocking(move || {
        let content_type = response.header("content-type").map(str::to_owned);
        let mut is_cut = response.truncated;
        let mut unpacked = Vec::new();
        let bytes: &[u8] = if response.body.starts_with(&[0x1f, 0x8b]) {
            let mut decoder = MultiGzDecoder::new(response.body.as_ref()).take(MAX_UNPACKED);
            // What could be unpacked of a broken file is read.
            is_cut |= decoder.read_to_end(&mut unpacked).is_err() || decoder.limit() == 0;
            &unpacked
        } else {
            &response.body
        };
        let text = decode(bytes, content_type.as_deref().filter(|_| unpacked.is_empty())).text;
        sitemap::read(&text, MAX_ENTRIES).map(|list| (list, is_cut))
    });
    let read = reading.await.map_err(|_| "it could not be read".to_owned())?;
    read.ok_or_else(|| "it is no site map".to_owned())
}
