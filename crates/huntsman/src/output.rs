//! Buffered results on stdout, as JSON or text.

use std::io::{self, BufWriter, StdoutLock, Write as _};

use serde::Serialize;

/// Stdout, buffered; every line given is out when [`Output::done`] returned.
pub(crate) struct Output(BufWriter<StdoutLock<'static>>);

impl Output {
    /// Takes stdout.
    pub(crate) fn new() -> Self {
        Self(BufWriter::with_capacity(1 << 16, io::stdout().lock()))
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
