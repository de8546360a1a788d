//! QuestionSize: how much of a page one question shows, from the context window of the model and from what its budget leaves.

use serde::Serialize;

/// Bytes that are counted as one token. Text of most languages has 3 to 4; scripts of several bytes a letter have as many.
const BYTES_PER_TOKEN: usize = 3;
/// Bytes of a request that are neither text of the page nor counted below: names of fields, roles, tags.
const FRAME: usize = 800;
/// Most windows of one page.
pub(super) const MOST_WINDOWS: u32 = 64;

/// The room that questions about one page have.
///
/// Half of the context window is for a question, a quarter for its answer, and a quarter for sending an answer back that
/// does not fit.
#[derive(Debug, Clone)]
pub(super) struct QuestionSize {
    context_tokens: u32,
    /// Tokens that the budget leaves, read and written together; none where nothing bounds them.
    tokens_left: Option<u64>,
    halvings: u32,
    /// The most and the least bytes of the page in one question.
    largest: usize,
    smallest: usize,
}

impl QuestionSize {
    /// The size for a model of which nothing is known, between these bytes of the page.
    pub(super) fn between(smallest: usize, largest: usize) -> QuestionSize {
        QuestionSize {
            context_tokens: llm::Capabilities::default().context_tokens,
            tokens_left: None,
            halvings: 0,
            largest,
            smallest,
        }
    }

    pub(super) fn set_context(&mut self, tokens: u32) {
        self.context_tokens = tokens;
    }

    pub(super) fn set_tokens_left(&mut self, tokens: Option<u64>) {
        self.tokens_left = tokens;
    }

    /// Asks for half from now on: the model could not read as much.
    pub(super) fn halve(&mut self) {
        self.halvings += 1;
    }

    pub(super) fn halvings(&self) -> u32 {
        self.halvings
    }

    /// Bytes of a whole question.
    pub(super) fn question(&self) -> usize {
        let context = usize::try_from(self.context_tokens / 2).unwrap_or(usize::MAX);
        let budget = self.tokens_left.map_or(usize::MAX, |tokens| {
            // A third of what is left is for the answer.
            usize::try_from(tokens / 3 * 2).unwrap_or(usize::MAX)
        });
        context.min(budget).saturating_mul(BYTES_PER_TOKEN)
    }

    /// Bytes of the page in a question that holds `other` bytes besides.
    pub(super) fn page(&self, other: usize) -> usize {
        let room = self.question().saturating_sub(other + FRAME).min(self.largest);
        (room >> self.halvings.min(16)).max(self.smallest)
    }

    /// Whether the budget has no room for a further question with `other` bytes beside the page.
    pub(super) fn is_spent(&self, other: usize) -> bool {
        self.tokens_left.is_some() && self.question() < other + FRAME + self.smallest
    }
}

/// How much of the text of a page was shown to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct PageCoverage {
    /// Bytes of its text.
    pub bytes: usize,
    /// Bytes of it that no answered question has shown.
    pub unread_bytes: usize,
    /// Questions that were put about it.
    pub questions: u32,
}

impl PageCoverage {
    /// A sentence for a reader of the result, where a part was not read.
    pub fn warning(&self) -> Option<String> {
        (self.unread_bytes > 0).then(|| {
            format!(
                "the model was not shown {} of {} bytes of the page's text",
                self.unread_bytes, self.bytes
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_grows_with_the_window_and_shrinks_with_what_is_left_of_the_budget() {
        let mut size = QuestionSize::between(2_000, 120_000);
        size.set_context(8_192);
        assert_eq!(size.page(1_000), 4_096 * 3 - 1_000 - FRAME);
        size.set_context(200_000);
        assert_eq!(size.page(1_000), 120_000);
        size.set_tokens_left(Some(3_000));
        assert_eq!(size.page(1_000), 2_000 * 3 - 1_000 - FRAME);
        assert!(!size.is_spent(1_000));
        size.set_tokens_left(Some(600));
        assert!(size.is_spent(1_000));
        size.halve();
        assert_eq!(size.page(1_000), 2_000);
    }
}
