//! `TimelineRow`, and the reading of fields into it.

use serde::Serialize;
use serde_json::{Map, Value};

/// Longest line of a row, in characters.
const LINE: usize = 300;
/// Longest context of a row, in characters.
const CONTEXT: usize = 6_000;

/// How what a row tells of stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::console) enum RowState {
    /// Nothing that can succeed or fail.
    #[default]
    Note,
    /// It began and has not ended.
    Running,
    /// It ended well.
    Done,
    /// It ended badly.
    Failed,
    /// It was not needed, or was stopped.
    Skipped,
    /// A person is asked.
    Asks,
}

/// One row of the timeline.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(in crate::console) struct TimelineRow {
    /// Number of the event; of the first one where two make a row.
    pub(in crate::console) seq: u64,
    /// When, in milliseconds since the epoch.
    pub(in crate::console) at: i64,
    /// Rows of one call have the same key.
    pub(in crate::console) key: String,
    /// Whether a later row of the same key continues this one.
    pub(in crate::console) open: bool,
    /// What it is about: the step's action, the name of the event or phase.
    pub(in crate::console) action: String,
    /// Under which heading it stands.
    pub(in crate::console) group: String,
    /// The part of the run it belongs to: a page, a turn, a phase.
    pub(in crate::console) lane: String,
    pub(in crate::console) state: RowState,
    /// The name of the tool or the thing.
    pub(in crate::console) head: String,
    /// The result in one line, or what was asked for.
    pub(in crate::console) text: String,
    /// What went wrong.
    pub(in crate::console) error: String,
    pub(in crate::console) took_ms: Option<u64>,
    /// The page, where it is one that can be opened.
    pub(in crate::console) link: Option<String>,
    /// Everything else, indented.
    pub(in crate::console) context: String,
    /// Whether there is a picture of the browser.
    pub(in crate::console) picture: bool,
    /// The tool, where the row is a call of one.
    pub(in crate::console) tool: Option<String>,
    /// Whether the event is none that this version knows.
    pub(in crate::console) unknown: bool,
    /// Whether nothing follows.
    pub(in crate::console) last: bool,
}

impl TimelineRow {
    /// Adds what a later row of the same key tells.
    pub(in crate::console) fn continue_with(&mut self, next: Self) {
        let (seq, at) = (self.seq, self.at);
        let elapsed = u64::try_from(next.at - at).ok();
        let earlier = std::mem::replace(self, next);
        (self.seq, self.at) = (seq, at);
        if self.head.is_empty() {
            self.head = earlier.head;
        }
        if self.text.is_empty() {
            self.text = earlier.text;
        }
        self.tool = self.tool.take().or(earlier.tool);
        self.picture |= earlier.picture;
        if self.took_ms.is_none() && !self.open {
            self.took_ms = elapsed;
        }
    }

    pub(super) fn bound(&mut self) {
        for line in [&mut self.head, &mut self.text] {
            *line = one_line(line, LINE);
        }
        for (text, most) in [(&mut self.error, CONTEXT / 4), (&mut self.context, CONTEXT)] {
            if let Some((cut, _)) = text.char_indices().nth(most) {
                text.truncate(cut);
                text.push('…');
            }
        }
        self.link = self
            .link
            .take()
            .filter(|it| it.starts_with("http://") || it.starts_with("https://"));
    }
}

/// A text in one line, cut after `most` characters.
pub(in crate::console) fn one_line(text: &str, most: usize) -> String {
    let mut line = String::new();
    let (mut count, mut is_blank) = (0, false);
    for letter in text.trim().chars() {
        if letter.is_whitespace() {
            is_blank = true;
            continue;
        }
        if is_blank {
            line.push(' ');
            count += 1;
            is_blank = false;
        }
        if count >= most {
            line.push('…');
            break;
        }
        line.push(letter);
        count += 1;
    }
    line
}

/// JSON for people to read.
pub(in crate::console) fn indented(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Object(map) if map.is_empty() => String::new(),
        other => format!("{other:#}"),
    }
}

/// The text of a field; empty when it is none.
pub(super) fn text<'a>(map: &'a Map<String, Value>, name: &str) -> &'a str {
    map.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The object of a field.
pub(super) fn object<'a>(map: &'a Map<String, Value>, name: &str) -> Option<&'a Map<String, Value>> {
    map.get(name).and_then(Value::as_object)
}

/// Whole milliseconds of a field.
pub(super) fn millis(map: &Map<String, Value>, name: &str) -> Option<u64> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates"
    )]
    map.get(name).and_then(Value::as_f64).map(|it| it.round() as u64)
}

/// A value in few words: texts as they are, the rest as JSON.
pub(super) fn brief(value: &Value) -> String {
    match value {
        Value::String(text) => one_line(text, LINE),
        Value::Array(list) if list.iter().all(Value::is_string) => {
            let texts: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
            one_line(&texts.join(", "), LINE)
        }
        Value::Number(number) if number.is_f64() => {
            let rounded = format!("{:.2}", number.as_f64().unwrap_or_default());
            rounded.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        other => one_line(&other.to_string(), LINE),
    }
}

/// The fields of an object in one line, without those named and without what is empty.
pub(super) fn facts(map: &Map<String, Value>, without: &[&str]) -> String {
    let is_told = |(name, value): &(&String, &Value)| {
        !without.contains(&name.as_str())
            && !value.is_null()
            && !matches!(value, Value::String(text) if text.is_empty())
            && !matches!(value, Value::Array(list) if list.is_empty())
    };
    let pairs = map
        .iter()
        .filter(is_told)
        .map(|(name, value)| format!("{} {}", spaced(name), brief(value)));
    one_line(&pairs.collect::<Vec<_>>().join(" · "), LINE)
}

/// `urlCount` and `url_count` as words.
pub(super) fn spaced(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        match letter {
            '_' => words.push(' '),
            _ if letter.is_uppercase() => words.extend([' '].into_iter().chain(letter.to_lowercase())),
            _ => words.push(letter),
        }
    }
    words
}
