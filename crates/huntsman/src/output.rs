//! Output: buffered results on stdout or in a file, as JSON or text; and notes for people on stderr.

use std::fmt::Arguments;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde::Serialize;
use wire::scrape::ScrapeError;

use crate::failure::Failure;

/// Most characters of an address in a message.
pub(crate) const MAX_ADDRESS: usize = 300;

/// Writes a line to stderr, as `eprintln!` with the program's name before it does. Nothing happens where nobody reads.
macro_rules! note {
    ($($text:tt)*) => {
        crate::output::note(format_args!($($text)*))
    };
}

/// See `note!`.
pub(crate) fn note(text: Arguments<'_>) {
    // Nobody is left to be told when stderr is closed.
    let _ = writeln!(io::stderr().lock(), "huntsman: {text}");
}

/// A line on stderr without the program's name.
pub(crate) fn plain_note(text: Arguments<'_>) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Says on stderr which pages of a run failed, and why.
pub(crate) fn report_pages(errors: &[ScrapeError]) {
    for error in errors {
        let url = error.url.as_deref().map(|url| one_line(url, MAX_ADDRESS));
        let page = url.map(|url| format!("{url}: ")).unwrap_or_default();
        note!("{page}{} ({})", error.message, error.code);
    }
}

/// Where results go, buffered; every line given is out when [`Output::done`] returned.
pub(crate) struct Output(BufWriter<Box<dyn Write>>);

impl Output {
    /// Stdout.
    pub(crate) fn new() -> Self {
        Self::over(Box::new(io::stdout().lock()))
    }

    /// The file where one is named, else stdout; `-` is stdout too. The file keeps what it holds until something is written.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn to(file: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = file.filter(|path| *path != Path::new("-")) else {
            return Ok(Self::new());
        };
        Ok(Self::over(Box::new(ResultFile::open(path)?)))
    }

    fn over(writer: Box<dyn Write>) -> Self {
        Self(BufWriter::with_capacity(1 << 16, writer))
    }

    /// One value on one line, as [`json_line`] writes it.
    pub(crate) fn json_line(&mut self, value: &impl Serialize) -> io::Result<()> {
        self.0.write_all(json_line(value)?.as_bytes())
    }

    /// One value, laid out for people.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut self.0, value)?;
        self.0.write_all(b"\n")
    }

    /// Text as it is, ended by a line break.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.0.write_all(text.as_bytes())?;
        if text.ends_with('\n') {
            Ok(())
        } else {
            self.0.write_all(b"\n")
        }
    }

    /// Hands on what is buffered.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }

    /// Hands everything on.
    pub(crate) fn done(mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A file that is emptied when the first bytes of a result are there.
pub(crate) struct ResultFile {
    file: File,
    is_begun: bool,
}

impl ResultFile {
    /// Opens the file that `--output` names; what it holds stays for now.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let opened = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(path);
        let file = opened.map_err(|error| {
            Failure::usage(format!("--output: {} cannot be written: {error}", path.display()))
        })?;
        Ok(Self {
            file,
            is_begun: false,
        })
    }

    /// Takes back what was written after the first `length` bytes, as far as that can be done.
    pub(crate) fn cut(&self, length: u64) {
        if self.is_begun && self.file.metadata().is_ok_and(|file| file.is_file()) {
            // The error that is told is the one that led here.
            let _ = self.file.set_len(length);
        }
    }
}

impl Write for ResultFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_begun {
            // A device or a pipe has no length.
            if self.file.metadata()?.is_file() {
                self.file.set_len(0)?;
            }
            self.is_begun = true;
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A text of others on one line of a terminal: without control characters, at most `most` characters.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let shown = |sign: char| {
        if sign.is_control() || sign.is_whitespace() {
            ' '
        } else {
            sign
        }
    };
    let text: String = text.chars().map(shown).collect();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.chars().count() > most {
        true => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        false => text,
    }
}

/// One value on one line, whatever a reader takes for the end of one: the line breaks that JSON leaves as they are
/// (U+0085, U+2028, U+2029) are escaped.
pub(crate) fn json_line(value: &impl Serialize) -> io::Result<String> {
    let line = serde_json::to_string(value)?;
    let mut escaped = String::with_capacity(line.len() + 1);
    for sign in line.chars() {
        match sign {
            '\u{85}' | '\u{2028}' | '\u{2029}' => escaped.push_str(&format!("\\u{:04x}", u32::from(sign))),
            _ => escaped.push(sign),
        }
    }
    escaped.push('\n');
    Ok(escaped)
}
