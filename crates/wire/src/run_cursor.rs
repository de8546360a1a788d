//! `RunCursor`: a place in the list of runs, which outlives the run that it names.

use std::fmt;

use jiff::Timestamp;

use crate::ids::RunId;
use crate::run::RunSummary;

/// The last run of a page of the list: the next page begins behind it. Written as the run's id, a full stop and the time of its
/// creation in microseconds; the id alone is a cursor too, for as long as there is the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunCursor {
    /// The run.
    pub run: RunId,
    /// When it was created: where the list goes on when the run has been deleted.
    pub created_at: Option<Timestamp>,
}

impl RunCursor {
    /// The place of a run.
    #[must_use]
    pub fn of(run: &RunSummary) -> Self {
        Self {
            run: run.id.clone(),
            created_at: Some(run.created_at),
        }
    }

    /// Reads a cursor; none where the text is no such.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (run, time) = match text.split_once('.') {
            Some((run, time)) => (run, Some(time)),
            None => (text, None),
        };
        let created_at = match time {
            Some(time) if time.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(Timestamp::from_microsecond(time.parse().ok()?).ok()?)
            }
            Some(_) => return None,
            None => None,
        };
        let run = RunId::parse(run).ok()?;
        Some(Self { run, created_at })
    }
}

impl fmt::Display for RunCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.created_at {
            Some(at) => write!(f, "{}.{}", self.run, at.as_microsecond()),
            None => self.run.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_as_it_is_written() {
        let run = RunId::parse("run-00000001").unwrap();
        for created_at in [None, Timestamp::from_microsecond(1_764_000_000_123_456).ok()] {
            let cursor = RunCursor {
                run: run.clone(),
                created_at,
            };
            assert_eq!(RunCursor::parse(&cursor.to_string()), Some(cursor));
        }
        for text in [
            "",
            "!",
            "run-00000001.",
            "run-00000001.x",
            "run-00000001.-5",
            "run-00000001.5.5",
        ] {
            assert_eq!(RunCursor::parse(text), None, "{text}");
        }
        let beyond = format!("run-00000001.{}", u64::MAX);
        assert_eq!(RunCursor::parse(&beyond), None);
    }
}
