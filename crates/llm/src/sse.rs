//! Splitting a body into payloads: server-sent events, JSON lines, or one JSON document.

mod json_lines;

use std::time::Duration;

use serde_json::Value;

use crate::unfinished::Unfinished;
use json_lines::{JsonLines, is_whole};

/// One payload of a streaming answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamPayload {
    /// The event's name, where the wire names events.
    pub event: Option<String>,
    /// The data, usually JSON.
    pub data: String,
}

/// The most bytes one line or one event may have.
pub const MAX_EVENT: usize = 16 << 20;

/// How the body frames its payloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// Server-sent events (WHATWG HTML, "Server-sent events").
    Events,
    /// One JSON value a line.
    Lines,
}

/// Decodes a body incrementally, however the network cuts it: within characters, line ends or fields.
///
/// A provider that answers with plain JSON although a stream was asked for is understood too: a body that begins
/// with a bracket is read as a document, whose payloads are the document or, for an array, its items.
#[derive(Debug)]
pub struct Decoder {
    framing: Framing,
    shape: BodyShape,
    buffer: Vec<u8>,
    /// Bytes of `buffer` already searched for a line end.
    searched: usize,
    /// Bytes of `buffer` already taken as lines.
    taken: usize,
    after_cr: bool,
    event: Option<String>,
    data: Option<String>,
    /// What the lines of `data` are so far.
    json: JsonLines,
    /// The id of the event that is being read.
    id: Option<String>,
    last_event_id: Option<String>,
    retry: Option<Duration>,
    payloads: Vec<StreamPayload>,
    /// What broke the body, while payloads before it have yet to be given.
    error: Option<Unfinished>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BodyShape {
    Unknown,
    Framed,
    Document,
}

impl Decoder {
    /// A decoder at the start of a body.
    pub fn new(framing: Framing) -> Self {
        Self {
            framing,
            shape: BodyShape::Unknown,
            buffer: Vec::new(),
            searched: 0,
            taken: 0,
            after_cr: false,
            event: None,
            data: None,
            json: JsonLines::default(),
            id: None,
            last_event_id: None,
            retry: None,
            payloads: Vec::new(),
            error: None,
        }
    }

    /// The id of the last whole event that had one: from there on a client asks a server to go on.
    pub fn last_event_id(&self) -> Option<&str> {
        self.last_event_id.as_deref()
    }

    /// How long the server wants a client to wait before it comes back, where it said so.
    pub fn retry(&self) -> Option<Duration> {
        self.retry
    }

    /// Takes the next network read and gives the payloads it completed, also those before a place where it is error:
    /// then the call after this one says so, and what is read does not depend on where the network cut the body.
    ///
    /// # Errors
    /// When a line is no UTF-8 or larger than [`MAX_EVENT`].
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<StreamPayload>, Unfinished> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        match self.push_bytes(bytes) {
            Err(error) if self.payloads.is_empty() => return Err(error),
            taken => self.error = taken.err(),
        }
        Ok(std::mem::take(&mut self.payloads))
    }

    fn push_bytes(&mut self, bytes: &[u8]) -> Result<(), Unfinished> {
        self.buffer.extend_from_slice(bytes);
        if self.shape == BodyShape::Unknown && !self.find_shape() {
            return Ok(());
        }
        if self.shape == BodyShape::Framed {
            self.lines()?;
        }
        if self.buffer.len() > MAX_EVENT || self.data.as_ref().is_some_and(|data| data.len() > MAX_EVENT) {
            return Err(Unfinished::TooLarge { limit: MAX_EVENT });
        }
        Ok(())
    }

    /// The body is over. Gives the last payload even without its blank line.
    ///
    /// # Errors
    /// [`Unfinished::StreamTruncated`] when the body stops within a payload, and what [`Decoder::push`] has yet to say.
    pub fn finish(&mut self) -> Result<Vec<StreamPayload>, Unfinished> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        if self.shape == BodyShape::Document {
            return self.document();
        }
        if self.shape == BodyShape::Unknown {
            return Ok(Vec::new());
        }
        let rest = self.buffer.split_off(self.taken);
        self.buffer.clear();
        if !rest.is_empty() {
            let Ok(line) = String::from_utf8(rest) else {
                return Err(Unfinished::StreamTruncated);
            };
            self.line(&line);
            // A payload that stops within its JSON was cut by the connection; it is not a bad chunk.
            let last = self
                .data
                .as_deref()
                .or_else(|| self.payloads.last().map(|payload| payload.data.as_str()));
            if last.is_some_and(|data| !is_whole(data)) {
                return Err(Unfinished::StreamTruncated);
            }
        }
        self.dispatch();
        Ok(std::mem::take(&mut self.payloads))
    }

    /// Decides by the first byte that is no blank; `false` while there is none. A byte order mark is dropped.
    fn find_shape(&mut self) -> bool {
        const MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];
        if self.buffer.starts_with(&MARK) {
            self.buffer.drain(..MARK.len());
        } else if self.buffer.len() < MARK.len() && MARK.starts_with(&self.buffer) {
            return false;
        }
        let Some(first) = self.buffer.iter().find(|byte| !byte.is_ascii_whitespace()) else {
            return false;
        };
        let opens = *first == b'{' || *first == b'[';
        self.shape = match (opens, self.framing) {
            (true, Framing::Events) => BodyShape::Document,
            (true, Framing::Lines) if *first == b'[' => BodyShape::Document,
            (false, Framing::Lines) => {
                self.framing = Framing::Events;
                BodyShape::Framed
            }
            _ => BodyShape::Framed,
        };
        true
    }

    fn lines(&mut self) -> Result<(), Unfinished> {
        loop {
            let from = self.searched.max(self.taken);
            let Some(hay) = self.buffer.get(from..) else { break };
            let Some(at) = memchr::memchr2(b'\n', b'\r', hay) else {
                self.searched = self.buffer.len();
                break;
            };
            let end = from + at;
            let byte = self.buffer.get(end).copied();
            let starts = self.taken;
            self.taken = end + 1;
            self.searched = self.taken;
            if byte == Some(b'\n') && self.after_cr && end == starts {
                self.after_cr = false;
                continue;
            }
            self.after_cr = byte == Some(b'\r');
            let line = self.buffer.get(starts..end).unwrap_or_default();
            let line = std::str::from_utf8(line)
                .map_err(|_| Unfinished::malformed(&String::from_utf8_lossy(line)))?
                .to_owned();
            self.line(&line);
        }
        self.buffer.drain(..self.taken);
        self.searched -= self.taken.min(self.searched);
        self.taken = 0;
        Ok(())
    }

    fn line(&mut self, line: &str) {
        if self.framing == Framing::Lines {
            if !line.trim().is_empty() {
                self.payloads.push(StreamPayload {
                    event: None,
                    data: line.to_owned(),
                });
            }
            return;
        }
        if line.is_empty() {
            if let Some(id) = self.id.take() {
                self.last_event_id = Some(id);
            }
            self.dispatch();
            return;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                // Some providers forget the blank line between events.
                if self.data.as_deref().is_some_and(|data| self.json.completes(data)) {
                    self.dispatch();
                }
                self.json.push(value);
                match &mut self.data {
                    Some(data) => {
                        data.push('\n');
                        data.push_str(value);
                    }
                    None => self.data = Some(value.to_owned()),
                }
            }
            "event" => self.event = Some(value.to_owned()),
            "id" if !value.contains('\0') => self.id = Some(value.to_owned()),
            "retry" if value.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.retry = value.parse().ok().map(Duration::from_millis).or(self.retry);
            }
            _ => {}
        }
    }

    fn dispatch(&mut self) {
        let event = self.event.take();
        self.json = JsonLines::default();
        if let Some(data) = self.data.take()
            && !data.trim().is_empty()
        {
            self.payloads.push(StreamPayload { event, data });
        }
    }

    fn document(&mut self) -> Result<Vec<StreamPayload>, Unfinished> {
        let text = String::from_utf8_lossy(&self.buffer).into_owned();
        let mut payloads = Vec::new();
        for value in serde_json::Deserializer::from_str(&text).into_iter::<Value>() {
            match value {
                Ok(Value::Array(items)) => {
                    payloads.extend(items.into_iter().map(|item| StreamPayload {
                        event: None,
                        data: item.to_string(),
                    }));
                }
                Ok(value) => payloads.push(StreamPayload {
                    event: None,
                    data: value.to_string(),
                }),
                Err(error) if error.is_eof() => return Err(Unfinished::StreamTruncated),
                Err(_) => return Err(Unfinished::malformed(&text)),
            }
        }
        self.buffer.clear();
        Ok(payloads)
    }
}
