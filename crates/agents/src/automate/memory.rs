//! What the model is told again with every question: the task, what was done so far, and the newest pages.
//!
//! A conversation only grows at its end, so that providers can keep its beginning. Once it is longer than its budget,
//! everything before the present page is folded into a few lines, all at once.

use llm::History;
use llm::message::{Content, Message};
use llm::turn::Turn;
use page::quote::Quoted;

/// Bytes of old pages that are kept before they are folded.
const BUDGET: usize = 8_000;
/// Deeds that are told of folded pages.
const DEEDS: usize = 200;

/// The conversation of one run.
#[derive(Debug)]
pub(super) struct Memory {
    system: String,
    task: String,
    /// One line for each thing done, of the folded chapters and of the others.
    deeds: Vec<String>,
    /// How many of them stand for folded chapters.
    folded: usize,
    chapters: Vec<Chapter>,
    folds: u32,
    mark: String,
}

/// A page and what was done on it.
#[derive(Debug)]
struct Chapter {
    history: History,
    size: usize,
    /// How many deeds there were when it began.
    from: usize,
}

impl Memory {
    /// A conversation at its beginning; `mark` is a word that no page knows.
    pub(super) fn new(system: String, task: String, mark: &str) -> Self {
        let mut memory = Self {
            system,
            task,
            deeds: Vec::new(),
            folded: 0,
            chapters: Vec::new(),
            folds: 0,
            mark: mark.to_owned(),
        };
        memory.begin_chapter();
        memory
    }

    fn begin_chapter(&mut self) {
        self.chapters.push(Chapter {
            history: History::new(""),
            size: 0,
            from: self.deeds.len(),
        });
    }

    fn last(&mut self) -> Option<&mut Chapter> {
        self.chapters.last_mut()
    }

    /// Shows the page. A whole view begins a chapter of its own.
    pub(super) fn show(&mut self, text: &str, whole: bool, image: Option<Content>) {
        if whole {
            self.begin_chapter();
        }
        self.say(text, image);
        self.fold();
    }

    /// Says something to the model.
    pub(super) fn say(&mut self, text: &str, image: Option<Content>) {
        if let Some(chapter) = self.last() {
            let mut content = vec![Content::Text(text.to_owned())];
            content.extend(image);
            chapter.history.say(content);
            chapter.size += text.len();
        }
    }

    /// Takes in what the model answered.
    pub(super) fn take(&mut self, turn: &Turn) {
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
        self.deeds.push(deed);
    }

    /// Everything done so far, one line each.
    pub(super) fn deeds(&self) -> &[String] {
        &self.deeds
    }

    /// Whether the present chapter alone is too long, so that the page should be shown anew.
    pub(super) fn is_full(&self) -> bool {
        self.chapters.last().is_some_and(|it| it.size > 3 * BUDGET)
    }

    /// Gives up every page, because the model cannot read as much. The present one has to be shown again.
    pub(super) fn shorten(&mut self) {
        self.chapters.clear();
        self.begin_chapter();
        self.folded = self.deeds.len();
        self.folds += 1;
    }

    /// Folds all chapters but the present one, once they are too long together.
    fn fold(&mut self) {
        let Some((present, old)) = self.chapters.split_last() else {
            return;
        };
        let size: usize = old.iter().map(|it| it.size).sum();
        if size <= BUDGET {
            return;
        }
        self.folded = present.from;
        self.folds += 1;
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
            let deeds = self.deeds.get(..self.folded).unwrap_or_default();
            let left = deeds.len().saturating_sub(DEEDS);
            let shown = deeds.get(left..).unwrap_or_default().join("\n");
            let quoted = Quoted::new(&format!("{}f{}", self.mark, self.folds), &shown, 30_000);
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

    fn memory() -> Memory {
        Memory::new("rules".into(), "task".into(), "k")
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
        let mut memory = memory();
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
            assert!(now.concat().len() < BUDGET + 10_000);
            before = now;
        }
        // Each fold takes more than a budget of pages away.
        assert!((1..=20 * 4_020 / BUDGET).contains(&breaks), "{breaks}");
    }
}
