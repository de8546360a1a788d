//! `Takeover`: a person's hold on the browser of a run. The service pauses, sends acts and hands back; the run does them.
//!
//! It lives as long as the run is worked on in this process, and nothing of it is stored: a run that another worker takes up
//! is not paused.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, mpsc, oneshot, watch};
use wire::Code;
use wire::error::ErrorBody;
use wire::takeover::{PersonAct, TakeoverState, TakeoverStatus};

/// Acts that wait at most.
const MAX_WAITING: usize = 16;

/// What a person sends to a paused run.
pub(crate) enum TakeoverCommand {
    /// To be done, with where the outcome goes.
    Act(PersonAct, oneshot::Sender<Result<TakeoverState, ErrorBody>>),
    /// The browser is handed back, with a note.
    HandBack(Option<String>),
}

/// How a takeover stands.
#[derive(Debug, Clone, Default)]
enum Hold {
    #[default]
    Running,
    Pausing,
    Paused(TakeoverState),
    /// The run is no longer worked on here.
    Over,
}

impl Hold {
    fn state(&self) -> TakeoverState {
        match self {
            Self::Running | Self::Over => TakeoverState::default(),
            Self::Pausing => TakeoverState {
                status: TakeoverStatus::Pausing,
                ..TakeoverState::default()
            },
            Self::Paused(state) => state.clone(),
        }
    }
}

struct Shared {
    hold: watch::Sender<Hold>,
    commands: mpsc::Sender<TakeoverCommand>,
    inbox: Mutex<mpsc::Receiver<TakeoverCommand>>,
    limit: Duration,
}

/// The takeover of one run. Cheap to clone; clones are the same takeover.
#[derive(Clone)]
pub struct Takeover(Arc<Shared>);

impl Default for Takeover {
    fn default() -> Self {
        Self::new(Duration::from_secs(600))
    }
}

impl Takeover {
    /// A takeover whose pauses last at most `limit`.
    pub fn new(limit: Duration) -> Self {
        let (commands, inbox) = mpsc::channel(MAX_WAITING);
        Self(Arc::new(Shared {
            hold: watch::Sender::default(),
            commands,
            inbox: Mutex::new(inbox),
            limit,
        }))
    }

    /// How it stands.
    pub fn state(&self) -> TakeoverState {
        self.0.hold.borrow().state()
    }

    /// Asks for a pause, and waits at most `patience` until the agent has let go. A run that is paused already stays so.
    ///
    /// # Errors
    /// When the run ends before.
    pub async fn pause(&self, patience: Duration) -> Result<TakeoverState, ErrorBody> {
        self.0.hold.send_if_modified(|hold| {
            let is_running = matches!(hold, Hold::Running);
            if is_running {
                *hold = Hold::Pausing;
            }
            is_running
        });
        let mut changes = self.0.hold.subscribe();
        let is_decided = |hold: &Hold| !matches!(hold, Hold::Pausing);
        // What is not decided within the time is shown as it is then.
        let _ = tokio::time::timeout(patience, changes.wait_for(is_decided)).await;
        let hold = self.0.hold.borrow();
        match &*hold {
            Hold::Over => Err(ended()),
            hold => Ok(hold.state()),
        }
    }

    /// Has the run do this, and waits for it.
    ///
    /// # Errors
    /// When the run is not paused, the policy refuses the act, or the page does not take it.
    pub async fn act(&self, act: PersonAct) -> Result<TakeoverState, ErrorBody> {
        let mut changes = self.0.hold.subscribe();
        self.check_paused()?;
        let (sender, outcome) = oneshot::channel();
        self.send(TakeoverCommand::Act(act, sender))?;
        tokio::select! {
            biased;
            outcome = outcome => outcome.unwrap_or_else(|_| Err(not_paused())),
            _ = changes.wait_for(|hold| !matches!(hold, Hold::Paused(_))) => {
                Err(self.check_paused().err().unwrap_or_else(not_paused))
            }
        }
    }

    /// Hands the browser back, and waits until the agent has it. A pause that has not begun is called off.
    ///
    /// # Errors
    /// When the run is not paused.
    pub async fn hand_back(&self, note: Option<String>) -> Result<TakeoverState, ErrorBody> {
        let is_called_off = self.0.hold.send_if_modified(|hold| {
            let is_pausing = matches!(hold, Hold::Pausing);
            if is_pausing {
                *hold = Hold::Running;
            }
            is_pausing
        });
        if is_called_off {
            return Ok(self.state());
        }
        let mut changes = self.0.hold.subscribe();
        self.check_paused()?;
        self.send(TakeoverCommand::HandBack(note))?;
        // The sender of the channel lives as long as this.
        let _ = changes.wait_for(|hold| !matches!(hold, Hold::Paused(_))).await;
        Ok(self.state())
    }

    fn check_paused(&self) -> Result<(), ErrorBody> {
        match &*self.0.hold.borrow() {
            Hold::Paused(_) => Ok(()),
            Hold::Pausing => Err(ErrorBody::new(
                Code::Conflict,
                "the agent has not let go of the browser yet; pause again to wait for it",
            )),
            Hold::Running => Err(not_paused()),
            Hold::Over => Err(ended()),
        }
    }

    fn send(&self, command: TakeoverCommand) -> Result<(), ErrorBody> {
        self.0.commands.try_send(command).map_err(|_| {
            let text = "too many acts wait to be done in this run; wait for their answers";
            ErrorBody::new(Code::RateLimited, text)
        })
    }

    /// Ends the takeover, since the run is no longer worked on here; whoever waits is told.
    pub fn end(&self) {
        self.0.hold.send_replace(Hold::Over);
    }

    /// How long a pause lasts at most.
    pub(crate) fn limit(&self) -> Duration {
        self.0.limit
    }

    /// Whether a person asks for the browser.
    pub(crate) fn is_wanted(&self) -> bool {
        matches!(&*self.0.hold.borrow(), Hold::Pausing)
    }

    /// Waits until a person asks for the browser.
    pub(crate) async fn wanted(&self) {
        let mut changes = self.0.hold.subscribe();
        // The sender of the channel lives as long as this.
        let _ = changes.wait_for(|hold| matches!(hold, Hold::Pausing)).await;
    }

    /// Lets go of the browser. What was sent to an earlier pause is dropped. False when nobody wants it any more.
    pub(crate) async fn begin(&self, state: &TakeoverState) -> bool {
        let mut inbox = self.0.inbox.lock().await;
        while inbox.try_recv().is_ok() {}
        self.0.hold.send_if_modified(|hold| {
            let is_wanted = matches!(hold, Hold::Pausing);
            if is_wanted {
                *hold = Hold::Paused(state.clone());
            }
            is_wanted
        })
    }

    /// Shows what the page is now.
    pub(crate) fn show(&self, state: &TakeoverState) {
        self.0.hold.send_if_modified(|hold| match hold {
            Hold::Paused(shown) => {
                shown.clone_from(state);
                true
            }
            Hold::Running | Hold::Pausing | Hold::Over => false,
        });
    }

    /// What the person sends next.
    pub(crate) async fn next(&self) -> TakeoverCommand {
        match self.0.inbox.lock().await.recv().await {
            Some(command) => command,
            // The sender lives as long as this.
            None => std::future::pending().await,
        }
    }

    /// Takes the browser back.
    pub(crate) fn finish(&self) {
        self.0.hold.send_if_modified(|hold| {
            let is_paused = matches!(hold, Hold::Paused(_));
            if is_paused {
                *hold = Hold::Running;
            }
            is_paused
        });
    }
}

fn not_paused() -> ErrorBody {
    ErrorBody::new(
        Code::Conflict,
        "the run is not paused: the agent has the browser; pause the run first",
    )
}

fn ended() -> ErrorBody {
    let text = "the run has ended, or another process has taken it up; look at GET /v1/runs/{id}";
    ErrorBody::new(Code::Conflict, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paused() -> TakeoverState {
        TakeoverState {
            status: TakeoverStatus::Paused,
            ..TakeoverState::default()
        }
    }

    #[tokio::test(start_paused = true)]
    async fn acts_are_done_while_paused_and_refused_before_and_after() {
        let takeover = Takeover::default();
        let look = || PersonAct::Look {};
        assert_eq!(takeover.act(look()).await.unwrap_err().code, Code::Conflict);
        assert!(takeover.hand_back(None).await.is_err());
        let waiting = takeover.pause(Duration::from_secs(1)).await.unwrap();
        assert_eq!(waiting.status, TakeoverStatus::Pausing);
        assert!(takeover.is_wanted() && takeover.act(look()).await.is_err());
        let run = takeover.clone();
        let agent = tokio::spawn(async move {
            run.wanted().await;
            assert!(run.begin(&paused()).await);
            let TakeoverCommand::Act(PersonAct::Look {}, outcome) = run.next().await else {
                panic!("no act");
            };
            outcome.send(Ok(paused())).unwrap();
            let TakeoverCommand::HandBack(note) = run.next().await else {
                panic!("not handed back");
            };
            run.finish();
            note
        });
        assert_eq!(takeover.pause(Duration::from_secs(9)).await.unwrap(), paused());
        assert_eq!(takeover.act(look()).await.unwrap(), paused());
        let after = takeover.hand_back(Some("done".into())).await.unwrap();
        assert_eq!(after.status, TakeoverStatus::Running);
        assert_eq!(agent.await.unwrap().as_deref(), Some("done"));
        assert!(takeover.act(look()).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_waits_for_a_run_that_ends_or_a_pause_that_is_over() {
        let takeover = Takeover::default();
        assert!(!takeover.begin(&paused()).await);
        let _ = takeover.pause(Duration::ZERO).await.unwrap();
        // A pause that was called off does not begin.
        takeover.hand_back(None).await.unwrap();
        assert!(!takeover.is_wanted() && !takeover.begin(&paused()).await);
        let _ = takeover.pause(Duration::ZERO).await.unwrap();
        assert!(takeover.begin(&paused()).await);
        let act = takeover.act(PersonAct::Back {});
        let over = async { takeover.finish() };
        let (refused, ()) = tokio::join!(act, over);
        assert_eq!(refused.unwrap_err().code, Code::Conflict);
        // The act that was left is not done in the next pause.
        let _ = takeover.pause(Duration::ZERO).await.unwrap();
        assert!(takeover.begin(&paused()).await);
        let next = tokio::time::timeout(Duration::from_secs(1), takeover.next());
        assert!(next.await.is_err());
        takeover.end();
        assert!(takeover.pause(Duration::from_secs(60)).await.is_err());
    }
}
