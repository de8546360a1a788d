//! Questions of a run and the answers that come in by any server: the inbox of the store, as agents see it.

use std::sync::Arc;
use std::time::Duration;

use agents::cancel::Cancelled;
use agents::human_input::HumanInput;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use store::inbox::Inbox;
use store::jobs::Lease;
use tokio::time::Instant;
use wire::input::Answer;
use wire::{RequestId, RunId};

/// How long to wait for a hint before looking by oneself: another process may have put the answer there.
const PATIENCE: Duration = Duration::from_millis(500);
/// What our run ids begin with.
const RUN: &str = "run_";
/// What our question ids begin with.
const QUESTION: &str = "req_";

/// A command as it lies in the inbox. Whoever puts the first one under a question's topic decides it.
#[derive(Serialize, Deserialize)]
pub(crate) struct Letter {
    question: RequestId,
    /// None when nobody answered in time.
    answer: Option<Answer>,
}

impl Letter {
    /// An answer, as it is put into the inbox.
    pub(crate) fn answer(question: &RequestId, answer: &Answer) -> Self {
        Self {
            question: question.clone(),
            answer: Some(answer.clone()),
        }
    }

    /// Its JSON.
    pub(crate) fn body(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The run that a question belongs to: its id is the question's own beginning, the rest is random.
pub(crate) fn run_of(question: &RequestId) -> Option<RunId> {
    let hex = question.as_str().strip_prefix(QUESTION)?.get(..32)?;
    let is_hex = hex.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'));
    RunId::parse(&format!("{RUN}{hex}")).ok().filter(|_| is_hex)
}

/// The mail of one run under one lease.
pub(crate) struct Letters {
    pub(crate) inbox: Arc<dyn Inbox>,
    pub(crate) lease: Lease,
    /// How long a person is given.
    pub(crate) patience: Duration,
}

impl Letters {
    async fn find(&self, question: &RequestId) -> Result<Option<Letter>, Cancelled> {
        let commands = self.inbox.receive(&self.lease, 0).await.map_err(stopped)?;
        let letters = commands
            .iter()
            .filter_map(|it| serde_json::from_str::<Letter>(&it.body).ok());
        Ok(letters.into_iter().find(|it| it.question == *question))
    }
}

fn stopped(error: store::Error) -> Cancelled {
    match error {
        store::Error::Fenced { .. } => Cancelled::Fenced,
        other => Cancelled::LogUnavailable {
            reason: other.to_string(),
        },
    }
}

#[async_trait]
impl HumanInput for Letters {
    fn question(&self) -> RequestId {
        let mut random = [0; 14];
        // Without randomness the id would be guessable, but answers still need the owner's key.
        if getrandom::fill(&mut random).is_err() {
            tracing::error!("the system gives no randomness");
        }
        let random: String = random.iter().map(|it| format!("{it:02x}")).collect();
        let run = self.lease.run.as_str().trim_start_matches(RUN);
        RequestId::parse(&format!("{QUESTION}{run}{random}"))
            .unwrap_or_else(|_| RequestId::from_random([0; 16]))
    }

    async fn answer(&self, question: &RequestId) -> Result<Option<Answer>, Cancelled> {
        let deadline = Instant::now() + self.patience;
        let mut subscribe = self.inbox.subscribe();
        loop {
            subscribe.borrow_and_update();
            if let Some(letter) = self.find(question).await? {
                return Ok(letter.answer);
            }
            if Instant::now() >= deadline {
                break;
            }
            let look = deadline.min(Instant::now() + PATIENCE);
            let _ = tokio::time::timeout_at(look, subscribe.changed()).await;
        }
        let closed = Letter {
            question: question.clone(),
            answer: None,
        };
        let topic = question.as_str();
        let first = self.inbox.send(&self.lease.run, topic, &closed.body()).await;
        if first.map_err(stopped)? {
            return Ok(None);
        }
        // An answer was quicker.
        Ok(self.find(question).await?.and_then(|it| it.answer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_names_its_run_and_nothing_else_does() {
        let run = RunId::from_random([0xab; 16]);
        let question = RequestId::parse(&format!("req_{}{}", &run.as_str()[4..], "0f".repeat(14))).unwrap();
        assert_eq!(run_of(&question), Some(run));
        for foreign in [
            "req_short123",
            "req_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz0000",
            "other_0123456789",
        ] {
            assert_eq!(run_of(&RequestId::parse(foreign).unwrap()), None, "{foreign}");
        }
    }
}
