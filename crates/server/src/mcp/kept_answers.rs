//! Answers that are kept for a while, so that their further parts come from the same text.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};

/// How long an answer is kept.
const KEPT_FOR: Duration = Duration::from_secs(600);
/// Most bytes of all answers that are kept. The oldest goes first; one that is larger alone is not kept.
const MAX_BYTES: usize = 64 << 20;
/// Most answers that are kept.
const MAX_ANSWERS: usize = 256;

/// Names an answer: of whom, and to what.
pub(super) type AnswerKey = [u8; 32];

/// The answers.
#[derive(Default)]
pub(super) struct KeptAnswers(Mutex<VecDeque<KeptAnswer>>);

struct KeptAnswer {
    key: AnswerKey,
    since: Instant,
    text: Arc<KeptText>,
}

/// A text with what is said about it.
pub(super) struct KeptText {
    /// The head of each part, in words of ours.
    pub(super) head: String,
    /// The text, as the web has it.
    pub(super) text: String,
}

/// The key of the answer to these words of this owner.
pub(super) fn key(owner: &str, words: &[&str]) -> AnswerKey {
    let mut hash = Sha256::new().chain_update(owner);
    for word in words {
        hash.update((word.len() as u64).to_le_bytes());
        hash.update(word);
    }
    hash.finalize().into()
}

impl KeptAnswers {
    pub(super) fn keep(&self, key: AnswerKey, text: Arc<KeptText>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|it| it.key != key && it.since.elapsed() < KEPT_FOR);
        kept.push_back(KeptAnswer {
            key,
            since: Instant::now(),
            text,
        });
        let mut bytes: usize = kept.iter().map(|it| it.text.text.len()).sum();
        while bytes > MAX_BYTES || kept.len() > MAX_ANSWERS {
            let Some(oldest) = kept.pop_front() else { break };
            bytes -= oldest.text.text.len();
        }
    }

    pub(super) fn get(&self, key: &AnswerKey) -> Option<Arc<KeptText>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept
            .iter()
            .find(|it| it.key == *key && it.since.elapsed() < KEPT_FOR);
        found.map(|it| Arc::clone(&it.text))
    }
}
