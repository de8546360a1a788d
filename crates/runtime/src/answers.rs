//! `InboxAnswers`: a person's answers to a run, received through the inbox of the store.

use std::sync::Arc;
use std::time::Duration;

use agents::cancel::Cancelled;
use agents::human_input::HumanInput;
use async_trait::async_trait;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use store::inbox::Inbox;
use store::jobs::Lease;
use tokio::time::Instant;
use wire::input::FormAnswer;
use wire::{RequestId, RunId};

use crate::error::cancelled;

/// How long to wait for a notification before polling: another process may have sent the answer.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// What our run ids begin with.
const RUN: &str = "run_";
/// What our question ids begin with.
const QUESTION: &str = "req_";

/// A command of the inbox. The first one sent under a question's topic decides it.
#[derive(Serialize, Deserialize)]
pub(crate) struct AnswerMessage {
    question: RequestId,
    /// None when nobody answered in time.
    answer: Option<FormAnswer>,
}

impl AnswerMessage {
    /// An answer, as it is put into the inbox.
    pub(crate) fn answer(question: &RequestId, answer: &FormAnswer) -> Self {
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

/// The answers to one run under one lease.
pub(crate) struct InboxAnswers {
    pub(crate) inbox: Arc<dyn Inbox>,
    pub(crate) lease: Lease,
    /// How long a person is given.
    pub(crate) time_limit: Duration,
}

impl InboxAnswers {
    async fn find(&self, question: &RequestId) -> Result<Option<AnswerMessage>, Cancelled> {
        let commands = self.inbox.receive(&self.lease, 0).await.map_err(cancelled)?;
        let messages = commands
            .iter()
            .filter_map(|command| serde_json::from_str::<AnswerMessage>(&command.body).ok());
        Ok(messages.into_iter().find(|message| message.question == *question))
    }
}

#[async_trait]
impl HumanInput for InboxAnswers {
    fn question(&self) -> RequestId {
        let mut random = [0; 14];
        // Without randomness the id would be guessable, but answers still need the owner's key.
        if getrandom::fill(&mut random).is_err() {
            tracing::error!("the system gives no randomness");
        }
        let random = HEXLOWER.encode(&random);
        let run = self.lease.run.as_str().trim_start_matches(RUN);
        RequestId::parse(&format!("{QUESTION}{run}{random}"))
            .unwrap_or_else(|_| RequestId::from_random([0; 16]))
    }

    async fn answer(&self, question: &RequestId) -> Result<Option<FormAnswer>, Cancelled> {
        let deadline = Instant::now() + self.time_limit;
        let mut changes = self.inbox.subscribe();
        loop {
            changes.borrow_and_update();
            if let Some(message) = self.find(question).await? {
                return Ok(message.answer);
            }
            if Instant::now() >= deadline {
                break;
            }
            let next_poll = deadline.min(Instant::now() + POLL_INTERVAL);
            let _ = tokio::time::timeout_at(next_poll, changes.changed()).await;
        }
        let expiry = AnswerMessage {
            question: question.clone(),
            answer: None,
        };
        let topic = question.as_str();
        let is_first = self.inbox.send(&self.lease.run, topic, &expiry.body()).await;
        if is_first.map_err(cancelled)? {
            return Ok(None);
        }
        // An answer arrived first.
        Ok(self.find(question).await?.and_then(|message| message.answer))
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
