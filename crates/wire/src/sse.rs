//! How events and heartbeats are framed as server-sent events, per family.

use std::fmt::Write as _;

use crate::event::Family;
use crate::stamp::LogEntry;

/// A comment that keeps a silent stream open; every client ignores it.
pub const HEARTBEAT: &str = ": still here\n\n";

/// Frames an entry as the family's own stream does.
///
/// Automate and research: `event:` and `data:` only. An `id:` or `retry:` line ends the stream of a widespread
/// client at the next comment, so neither is ever sent. Scrape: `id:` and one `data:` line; the type is in the data.
#[must_use]
pub fn frame(family: Family, entry: &LogEntry) -> String {
    let mut out = String::with_capacity(entry.data.len() + entry.name.len() + 32);
    match family {
        Family::Scrape => push(&mut out, "id", &entry.seq.to_string()),
        Family::Automate | Family::Research => push(&mut out, "event", &entry.name),
    }
    push(&mut out, "data", &entry.data);
    out.push('\n');
    out
}

/// Frames an entry as `GET /v1/runs/{id}/events` does: `id:`, `event:`, `data:`.
#[must_use]
pub fn numbered_frame(entry: &LogEntry) -> String {
    let mut out = String::with_capacity(entry.data.len() + entry.name.len() + 48);
    push(&mut out, "id", &entry.seq.to_string());
    push(&mut out, "event", &entry.name);
    push(&mut out, "data", &entry.data);
    out.push('\n');
    out
}

/// The last `id:` a client saw, from its `Last-Event-ID` header. Anything but a plain number counts as nothing seen.
#[must_use]
pub fn last_event_id(header: &str) -> Option<u64> {
    let header = header.trim();
    if header.bytes().all(|it| it.is_ascii_digit()) {
        header.parse().ok()
    } else {
        None
    }
}

/// One field. A line break in the value would end the field early, so each line gets a field of its own.
fn push(out: &mut String, field: &str, value: &str) {
    for line in value.split(['\n', '\r']) {
        let _ = writeln!(out, "{field}: {line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automate::{AgentStatus, AutomateEvent};
    use crate::event::{Audience, Event};
    use crate::research::ResearchEvent;
    use crate::scrape::ScrapeEvent;
    use crate::stamp::Stamped;

    fn entries<E: Event>() -> Vec<LogEntry> {
        let at = jiff::Timestamp::from_millisecond(1_764_000_000_123).unwrap();
        let stamp = |(seq, event)| {
            Stamped {
                seq,
                at,
                iteration: None,
                event,
            }
            .entry()
        };
        (1..).zip(E::samples()).map(stamp).collect()
    }

    /// What every frame is held to: it ends in one blank line, holds no other, and has exactly these fields.
    fn fields(frame: &str) -> Vec<&str> {
        assert!(
            frame.ends_with("\n\n") && !frame.trim_end_matches('\n').contains("\n\n"),
            "{frame:?}"
        );
        assert!(!frame.contains('\r'), "{frame:?}");
        frame
            .trim_end()
            .lines()
            .map(|it| it.split_once(": ").unwrap().0)
            .collect()
    }

    #[test]
    fn each_family_has_its_own_frame() {
        for entry in entries::<ScrapeEvent>() {
            let frame = frame(Family::Scrape, &entry);
            assert_eq!(fields(&frame), ["id", "data"]);
            assert!(
                frame.contains(&format!("data: {{\"type\":\"{}\"", entry.name)),
                "{frame}"
            );
        }
        for (family, entry) in entries::<AutomateEvent>()
            .into_iter()
            .map(|it| (Family::Automate, it))
            .chain(
                entries::<ResearchEvent>()
                    .into_iter()
                    .map(|it| (Family::Research, it)),
            )
        {
            let frame = frame(family, &entry);
            assert_eq!(fields(&frame), ["event", "data"]);
            assert!(frame.starts_with(&format!("event: {}\ndata: {{", entry.name)));
            assert_eq!(fields(&numbered_frame(&entry)), ["id", "event", "data"]);
        }
    }

    #[test]
    fn no_text_breaks_a_frame() {
        let message = "a\nb\r\nc\u{2028}d\u{0}\"\u{1b}[31m".to_owned();
        let event = AutomateEvent::AgentStatus(AgentStatus {
            message: message.clone(),
        });
        let entry = Stamped {
            seq: 3,
            at: jiff::Timestamp::UNIX_EPOCH,
            iteration: None,
            event,
        }
        .entry();
        let frame = frame(Family::Automate, &entry);
        assert_eq!(fields(&frame), ["event", "data"]);
        let data: serde_json::Value =
            serde_json::from_str(frame.lines().nth(1).unwrap().strip_prefix("data: ").unwrap()).unwrap();
        assert_eq!(data["message"], message);
    }

    #[test]
    fn an_indented_payload_is_spread_over_data_lines() {
        let entry = LogEntry {
            seq: 1,
            at: jiff::Timestamp::UNIX_EPOCH,
            name: "x".into(),
            audience: Audience::Public,
            terminal: false,
            data: "{\n\"a\":1\n}".into(),
        };
        assert_eq!(
            frame(Family::Automate, &entry),
            "event: x\ndata: {\ndata: \"a\":1\ndata: }\n\n"
        );
    }

    #[test]
    fn a_last_event_id_is_a_plain_number_or_nothing() {
        assert_eq!(last_event_id(" 42 "), Some(42));
        for odd in ["", "-1", "4.2", "+7", "abc", "99999999999999999999999"] {
            assert_eq!(last_event_id(odd), None, "{odd:?}");
        }
    }
}
