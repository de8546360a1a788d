//! Text extraction from PDF documents in a child process.
//!
//! Such files are untrusted, and parsers of PDF crash, loop and exhaust memory on them. The pages read before that happens
//! are kept.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use page::Page;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::Semaphore;
use url::Url;

/// Longest time for one document.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Most bytes of text of one document.
const MAX_TEXT_BYTES: u64 = 4 * 1024 * 1024;
/// Most workers at the same time.
const MAX_WORKERS: usize = 2;

/// A line of a worker's output, as JSON: first the document, then its pages in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkerLine {
    /// The document.
    Document {
        /// Its title, where it has one.
        title: String,
        /// How many pages it has.
        pages: usize,
    },
    /// The text of the next page; empty where it could not be read.
    Page(String),
}

/// The text of a document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PdfDocument {
    /// Its title, where it has one.
    pub title: String,
    /// The text of each page, in paragraphs.
    pub pages: Vec<String>,
    /// Whether pages are missing, because the worker crashed or took too long.
    pub cut: bool,
}

/// Why a document has no text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The worker did not start.
    #[error("the reader of PDF documents cannot be started: {0}")]
    Start(String),
    /// The worker returned no text.
    #[error("the PDF document cannot be read; it may be damaged, locked or made of images")]
    Unreadable,
    /// The worker was too slow.
    #[error("reading the PDF document took longer than {} s", TIMEOUT.as_secs())]
    TooSlow,
}

/// Reads documents by starting a worker process for each. Cheap to clone; clones share the limit on workers.
#[derive(Debug, Clone)]
pub struct PdfReader {
    program: PathBuf,
    arguments: Vec<String>,
    workers: Arc<Semaphore>,
}

impl PdfReader {
    /// A reader that starts this program with these arguments. The program reads the document from its standard input and
    /// writes [`WorkerLine`]s as JSON; other lines are ignored.
    pub fn new(program: PathBuf, arguments: &[&str]) -> PdfReader {
        PdfReader {
            program,
            arguments: arguments.iter().map(|argument| (*argument).to_owned()).collect(),
            workers: Arc::new(Semaphore::new(MAX_WORKERS)),
        }
    }

    /// Reads the text of a document. Dropping the future kills the worker.
    ///
    /// # Errors
    /// When the worker cannot be started, or returns no text.
    pub async fn read(&self, bytes: Bytes) -> Result<PdfDocument, Error> {
        let start = |error: &dyn std::fmt::Display| Error::Start(error.to_string());
        let _permit = self.workers.acquire().await.map_err(|error| start(&error))?;
        let mut child = Command::new(&self.program)
            .args(&self.arguments)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| start(&error))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Error::Start("it has no pipes".into()));
        };
        let mut document = PdfDocument::default();
        let mut pages = None;
        let finished = tokio::time::timeout(
            TIMEOUT,
            communicate(input, output, &bytes, &mut document, &mut pages),
        )
        .await;
        kill(&mut child).await;
        document.cut = pages != Some(document.pages.len());
        let has_text = document.pages.iter().any(|page| !page.trim().is_empty());
        match (has_text, finished) {
            (true, _) => Ok(document),
            (false, Err(_)) => Err(Error::TooSlow),
            (false, Ok(())) => Err(Error::Unreadable),
        }
    }
}

/// Writes the document to the worker, and reads its lines as they come.
async fn communicate(
    mut input: ChildStdin,
    output: ChildStdout,
    bytes: &Bytes,
    document: &mut PdfDocument,
    pages: &mut Option<usize>,
) {
    let write = async {
        // A worker that ends early reads no more; its lines until then count.
        let _ = input.write_all(bytes).await;
        drop(input);
    };
    let read = async {
        let mut lines = BufReader::new(output.take(MAX_TEXT_BYTES)).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            match serde_json::from_str(&line) {
                Ok(WorkerLine::Document { title, pages: count }) => {
                    document.title = title;
                    *pages = Some(count);
                }
                Ok(WorkerLine::Page(text)) => document.pages.push(paragraphs(&text)),
                Err(_) => {}
            }
        }
    };
    tokio::join!(write, read);
}

async fn kill(child: &mut Child) {
    // It may have ended by itself.
    let _ = child.start_kill();
    let _ = child.wait().await;
}

/// Joins the lines of a page to paragraphs, and words that were hyphenated at a line end.
fn paragraphs(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines().map(str::trim) {
        if line.is_empty() {
            if !out.is_empty() && !out.ends_with('\n') {
                out.push('\n');
            }
            continue;
        }
        let is_hyphenated = out.ends_with('-') && line.starts_with(char::is_lowercase);
        if is_hyphenated {
            out.pop();
        } else if !out.is_empty() && !out.ends_with('\n') {
            out.push(' ');
        }
        out.push_str(line);
    }
    out.trim().to_owned()
}

impl PdfDocument {
    /// The whole text.
    pub fn text(&self) -> String {
        self.pages.join("\n")
    }

    /// The document as an HTML page.
    pub fn page(&self, url: &Url) -> Page {
        let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
        let title = escape(&self.title);
        let body: String = self
            .pages
            .iter()
            .flat_map(|page| page.lines())
            .map(|line| format!("<p>{}</p>\n", escape(line)))
            .collect();
        let head = if title.is_empty() {
            String::new()
        } else {
            format!("<h1>{title}</h1>\n")
        };
        let html = format!(
            "<!doctype html><html><head><title>{title}</title></head><body><article>{head}{body}</article></body></html>"
        );
        Page::new(html, Some(url.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(script: &str) -> PdfReader {
        PdfReader::new("/bin/sh".into(), &["-c", script])
    }

    #[tokio::test]
    async fn pages_read_before_a_crash_are_kept() {
        let script = r#"echo noise; printf '%s\n' '{"document":{"title":"T","pages":3}}' '{"page":"an exam-\nple of\ntext\n\nmore"}'; kill -9 $$"#;
        let document = reader(script).read(Bytes::from_static(b"%PDF")).await.unwrap();
        assert_eq!(document.pages, ["an example of text\nmore"]);
        assert_eq!((document.title.as_str(), document.cut), ("T", true));
        let page = document.page(&"https://a.example/x.pdf".parse().unwrap());
        assert!(page.dom().root().text().contains("an example of text"));
    }

    #[tokio::test]
    async fn a_worker_without_text_is_an_error() {
        let error = |script: &str| {
            let reader = reader(script);
            async move { reader.read(Bytes::from(vec![0; 1 << 20])).await.unwrap_err() }
        };
        assert_eq!(error("exit 1").await, Error::Unreadable);
        assert_eq!(
            error("cat > /dev/null; echo '{\"page\":\" \"}'").await,
            Error::Unreadable
        );
        let none = PdfReader::new("/no/such/program".into(), &[]);
        assert!(matches!(none.read(Bytes::new()).await, Err(Error::Start(_))));
    }

    #[tokio::test(start_paused = true)]
    async fn a_worker_that_never_ends_is_killed() {
        let endless = reader("while true; do sleep 1; done");
        assert_eq!(endless.read(Bytes::new()).await, Err(Error::TooSlow));
    }
}
