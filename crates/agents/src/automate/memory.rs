//! Memory: the conversation with the model, folded once pages left behind outweigh the rest.
//!
//! A conversation only grows at its end, so that providers can keep its beginning. Once the pages that were left behind
//! outweigh what would stay, they are folded into a few lines, all at once.

use llm::History;
use llm::message::{Message, MessageContent};
use llm::turn::ModelAnswer;
use page::quote::Quoted;

/// How much what was left behind may weigh against what stays, in percent, before it is folded with the next page. Folding
/// every page spares the most words, but a provider that keeps the beginning of a prompt then keeps little; the more is
/// left to pile up, the more of each prompt it has read before.
const PILE: usize = 50;
/// The same while the page stays: then folding costs showing it anew.
const PILE_OF_PAGE: usize = 130;
/// Deeds that are told of folded pages.
const HISTORY_LINES: usize = 200;

/// The conversation of one run.
#[derive(Debug)]
pub(super) struct Memory {
    system: String,
    task: String,
    /// Bytes that every prompt begins with.
    fixed: usize,
    /// One line for each thing done, of the folded chapters and of the others.
    history_lines: Vec<String>,
    /// How many of them stand for folded chapters.
    folded: usize,
    chapters: Vec<Chapter>,
    mark: String,
}

/// A page and what was done on it.
#[derive(Debug)]
struct Chapter {
    history: History,
    size: usize,
    /// How many history_lines there were when it began.
    from: usize,
}

impl Memory {
    /// A conversation at its beginning; `tools` says how many bytes those take that are offered with it, `mark` is a word
    /// that no page knows.
    pub(super) fn new(system: String, task: String, tools: usize, mark: &str) -> Self {
        let mut memory = Self {
            fixed: tools + system.len() + task.len(),
            system,
            task,
            history_lines: Vec::new(),
            folded: 0,
            chapters: Vec::new(),
            mark: mark.to_owned(),
        };
        memory.begin_chapter();
        memory
    }

    fn begin_chapter(&mut self) {
        self.chapters.push(Chapter {
            history: History::new(""),
            size: 0,
            from: self.history_lines.len(),
        });
    }

    fn last(&mut self) -> Option<&mut Chapter> {
        self.chapters.last_mut()
    }

    /// Shows the page. A whole view begins a chapter of its own.
    pub(super) fn show(&mut self, text: &str, whole: bool, image: Option<MessageContent>) {
        if whole {
            self.begin_chapter();
        }
        self.say(text, image);
        self.fold();
    }

    /// Says something to the model.
    pub(super) fn say(&mut self, text: &str, image: Option<MessageContent>) {
        if let Some(chapter) = self.last() {
            let mut content = vec![MessageContent::Text(text.to_owned())];
            content.extend(image);
            chapter.history.say(content);
            chapter.size += text.len();
        }
    }

    /// Takes in what the model answered.
    pub(super) fn take(&mut self, turn: &ModelAnswer) {
        if let Some(chapter) = self.last() {
            chapter.history.take(turn);
            chapter.size += turn.text.len() + turn.calls.len() * 80;
        }
    }

    /// The result of a call.
    pub(super) fn answer(&mut self, call: &str, text: &str, is_error: bool) {
        if let Some(chapter) = self.last() {
            // A call that has its result already was refused when it was taken in.
            if chapter.history.answer(call, text, is_error).is_ok() {
                chapter.size += text.len();
            }
        }
    }

    /// The result of every call that has none yet.
    pub(super) fn answer_rest(&mut self, text: &str, is_error: bool) {
        let open: Vec<String> = match self.last() {
            Some(chapter) => chapter.history.open_calls().map(str::to_owned).collect(),
            None => Vec::new(),
        };
        for call in open {
            self.answer(&call, text, is_error);
        }
    }

    /// Remembers something that was done, in one line.
    pub(super) fn note(&mut self, deed: String) {
        self.history_lines.push(deed);
    }

    /// Everything done so far, one line each.
    pub(super) fn history_lines(&self) -> &[String] {
        &self.history_lines
    }

    /// Whether the page should be shown anew, in about so many bytes, and everything before be folded.
    pub(super) fn is_full(&self, next: usize) -> bool {
        self.outweighs(&self.chapters, PILE_OF_PAGE, self.history_lines.len(), next)
    }

    /// Whether chapters weigh more than so many percent of what stays without them: the beginning, the history_lines, and the page
    /// shown.
    fn outweighs(&self, old: &[Chapter], percent: usize, history_lines: usize, shown: usize) -> bool {
        let told = self.history_lines.get(..history_lines).unwrap_or_default();
        let told: usize = told.iter().rev().take(HISTORY_LINES).map(String::len).sum();
        let old: usize = old.iter().map(|it| it.size).sum();
        old * 100 > percent * (self.fixed + told + shown)
    }

    /// Gives up every page, because the model cannot read as much. The present one has to be shown again.
    pub(super) fn shorten(&mut self) {
        self.chapters.clear();
        self.begin_chapter();
        self.folded = self.history_lines.len();
    }

    /// Folds all chapters but the present one, once they weigh too much together.
    fn fold(&mut self) {
        let Some((present, old)) = self.chapters.split_last() else {
            return;
        };
        if !self.outweighs(old, PILE, present.from, present.size) {
            return;
        }
        self.folded = present.from;
        let keep = self.chapters.len() - 1;
        self.chapters.drain(..keep);
    }

    /// The conversation, ready to be sent.
    pub(super) fn messages(&mut self) -> Vec<Message> {
        let mut messages = vec![
            Message::System(self.system.clone()),
            Message::user(self.task.clone()),
        ];
        if self.folded > 0 {
            let history_lines = self.history_lines.get(..self.folded).unwrap_or_default();
            let left = history_lines.len().saturating_sub(HISTORY_LINES);
            let shown = history_lines.get(left..).unwrap_or_default().join("\n");
            // Under one label each time, so that a further fold only adds to it.
            let quoted = Quoted::new(&format!("{}f", self.mark), &shown, 30_000);
            messages.push(Message::user(format!(
                "Done before, on pages that are no longer shown:\n{quoted}"
            )));
        }
        for chapter in &mut self.chapters {
            messages.extend_from_slice(chapter.history.messages());
        }
        messages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(tools: usize) -> Memory {
        Memory::new("rules".into(), "task".into(), tools, "k")
    }

    fn said(memory: &mut Memory) -> Vec<String> {
        let text = |it: &Message| match it {
            Message::System(text) => text.clone(),
            Message::User(content) => format!("{content:?}"),
            other => format!("{other:?}"),
        };
        memory.messages().iter().map(text).collect()
    }

    #[test]
    fn a_conversation_grows_at_its_end_until_it_is_folded_at_once() {
        let mut memory = memory(24_000);
        let mut before = said(&mut memory);
        let mut breaks = 0;
        for page in 0..20 {
            memory.show(&format!("view {page} {}", "x".repeat(4000)), true, None);
            memory.note(format!("left page {page}"));
            let now = said(&mut memory);
            if !now.starts_with(&before) {
                breaks += 1;
                assert!(now[2].contains(&format!("left page {}", page - 1)), "{}", now[2]);
            }
            assert!(now.last().unwrap().contains(&format!("view {page}")));
            // Three pages left behind weigh less than half of what stays, four weigh more.
            assert!(now.concat().len() < 18_000, "{}", now.concat().len());
            before = now;
        }
        assert_eq!(breaks, 4);
    }

    #[test]
    fn a_page_that_was_long_acted_on_is_shown_anew() {
        let mut memory = memory(2_000);
        memory.show(&"x".repeat(4000), true, None);
        let mut steps = 0;
        while !memory.is_full(4000) {
            memory.show(&"y".repeat(300), false, None);
            steps += 1;
        }
        // 4,000 and 300 for each step outweigh 130 % of 2,009 and 4,000.
        assert_eq!(steps, 13);
        // A page that needs much more room stands longer.
        assert!(!memory.is_full(20_000));
    }
}
