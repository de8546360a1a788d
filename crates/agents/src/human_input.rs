//! Questions to a person, and how their answers come back: the port that the runtime fills.

use async_trait::async_trait;
use wire::RequestId;
use wire::input::FormAnswer;

use crate::cancel::Cancelled;

/// Where answers to a run's questions come in.
///
/// Promises: an answer reaches the run, or the worker that takes it over; each question is answered or closed, once,
/// whichever is first.
#[async_trait]
pub trait HumanInput: Send + Sync {
    /// An unguessable id for a new question.
    fn question(&self) -> RequestId;

    /// Waits for the answer to a question, for as long as a person is given; none when that is over, and then no answer
    /// is taken any more.
    ///
    /// # Errors
    /// When the run is somebody else's by now or the store fails.
    async fn answer(&self, question: &RequestId) -> Result<Option<FormAnswer>, Cancelled>;
}
