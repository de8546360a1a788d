//! Live log of an automate run: one line an event on stderr.

use wire::automate::{AgentAction, AutomateEvent};

use crate::output::plain_note;

/// The longest line, in characters.
const LONGEST: usize = 200;

/// A log of one run on stderr.
pub(super) struct LiveLog {
    shown: bool,
    turn: u32,
}

impl LiveLog {
    /// A log that is written, or one that is not.
    pub(super) fn new(shown: bool) -> Self {
        Self { shown, turn: 0 }
    }

    /// Writes the line of an event, if it has one.
    pub(super) fn write(&mut self, event: &AutomateEvent) {
        if let AutomateEvent::AgentStep(step) = event {
            self.turn = step.current_iteration + 1;
        }
        if let Some(line) = self.line(event).filter(|_| self.shown) {
            plain_note(format_args!("{}", plain(&line)));
        }
    }

    fn line(&self, event: &AutomateEvent) -> Option<String> {
        use AutomateEvent as E;
        Some(match event {
            E::AgentStatus(it) => format!("  · {}", it.message),
            E::TaskStarted(it) => format!("plan: {}\ndone when: {}", it.plan, it.success_criteria),
            E::BrowserNavigated(it) => format!("  → {} {}", it.title, it.url),
            E::AgentReasoned(it) => format!("  “{}”", it.reasoning),
            E::AgentAction(it) => format!("{:>3}. {}", self.turn, action(it)),
            E::BrowserActionCompleted(it) if !it.success => {
                format!("  ✗ {}", it.error.as_deref().unwrap_or("it did not work"))
            }
            E::AgentExtracted(it) => format!("  read: {}", it.extracted_data),
            E::AgentWaiting(it) => format!("  waited {} s", it.seconds.get()),
            E::BrowserReconnected(it) => {
                format!("  · the browser was replaced; {} is open again", it.starting_url)
            }
            E::CdpEndpointConnected(it) => format!("  · browser {} of {}", it.endpoint_index + 1, it.total),
            E::CdpEndpointCycle(it) => format!(
                "  · browser {} of {} did not answer ({})",
                it.attempt, it.total, it.error
            ),
            E::TaskValidated(it) => {
                let quality = serde_json::to_value(it.completion_quality).unwrap_or_default();
                format!(
                    "  judged {}: {}",
                    quality.as_str().unwrap_or_default(),
                    it.observation
                )
            }
            E::TaskAborted(it) => format!("  gave up: {}", it.reason),
            E::AiGenerationError(it) => format!("  ✗ {}", it.error),
            _ => return None,
        })
    }
}

fn action(it: &AgentAction) -> String {
    let mut line = it.action.clone();
    for part in [&it.ref_, &it.value].into_iter().flatten() {
        line.push(' ');
        line.push_str(part);
    }
    line
}

/// One line that a terminal takes for nothing but text: what pages and models say could else move its cursor.
pub(super) fn plain(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(clean).collect();
    let mut text = lines.join("\n     ");
    if let Some((at, _)) = text.char_indices().nth(LONGEST * 4) {
        text.truncate(at);
        text.push('…');
    }
    text
}

/// The same for several lines, of any length.
pub(super) fn lines(text: &str) -> String {
    text.lines().map(clean).collect::<Vec<_>>().join("\n")
}

fn clean(line: &str) -> String {
    line.chars()
        .filter(|sign| *sign == '\t' || !sign.is_control())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_text_reaches_the_terminal() {
        assert_eq!(plain("a\u{1b}[31mred\u{7}\nb"), "a[31mred\n     b");
        assert_eq!(lines("a\r\nb\u{1b}]0;x\u{7}"), "a\nb]0;x");
        assert!(plain(&"x".repeat(5000)).chars().count() < 1000);
    }
}
