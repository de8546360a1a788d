//! A move, done and told.

use browser::Action;
use wire::automate::{AgentWaiting, AutomateEvent, BrowserActionCompleted};

use super::Driver;
use super::setup::tell_news;
use crate::automate::act::{Done, Fault, Hands};
use crate::automate::call::{Doing, Move, cut};
use crate::automate::course::Deed;
use crate::cancel::Cancelled;

impl Driver<'_> {
    pub(super) async fn do_move(&mut self, it: &Move) -> Result<(), Cancelled> {
        let shown = it.shown();
        self.teller.say(AutomateEvent::AgentAction(shown.clone())).await?;
        if it.touches_tab() {
            self.teller
                .say(AutomateEvent::BrowserActionStarted(shown.clone()))
                .await?;
        }
        let deed = self.describe(it);
        let outcome = self.perform(it).await?;
        if it.touches_tab() {
            let completed = BrowserActionCompleted {
                success: outcome.is_ok(),
                error: outcome.as_ref().err().map(|it| it.shown.clone()),
                action: Some(it.tool.clone()),
                is_recoverable: outcome.as_ref().err().map(|it| it.fatal.is_none()),
            };
            self.teller
                .say(AutomateEvent::BrowserActionCompleted(completed))
                .await?;
        }
        let replaced = tell_news(self.teller, self.tab.as_mut()).await?;
        if replaced {
            self.warning =
                Some("The browser was lost and another one took over; the page was opened again.".into());
        }
        match outcome {
            Ok(done) => {
                self.eye.reads_on |= matches!(it.doing, Doing::Act(Action::Scroll { .. }));
                if let (Doing::Pause(time), true) = (&it.doing, done.visit.is_none()) {
                    let seconds = wire::num::Num::new(time.as_secs_f64());
                    self.teller
                        .say(AutomateEvent::AgentWaiting(AgentWaiting { seconds }))
                        .await?;
                }
                let mut deed = deed;
                if let Some(visit) = &done.visit {
                    self.navigated(visit).await?;
                    deed.push_str(&format!(" -> {} {}", visit.title, visit.url));
                }
                self.memory.note(self.secrets.mask(&deed));
                self.memory.answer(&it.id, &done.text, false);
                let came = if done.surprise || replaced {
                    Deed::Surprise
                } else {
                    Deed::Quiet
                };
                let words = self.course.did(came, "");
                self.tell_words(words).await
            }
            Err(fault) => {
                self.memory.note(self.secrets.mask(&format!("{deed}: not done")));
                self.memory.answer(&it.id, &fault.text, true);
                let words = self.course.did(Deed::Failed, &fault.shown);
                self.tell_words(words).await?;
                if let Some(trouble) = fault.fatal {
                    self.course.break_off(trouble);
                }
                Ok(())
            }
        }
    }

    pub(super) async fn perform(&mut self, it: &Move) -> Result<Result<Done, Fault>, Cancelled> {
        match &it.doing {
            Doing::Pause(time) => {
                self.brief.run.until_cancelled(tokio::time::sleep(*time)).await?;
                let text = "done".to_owned();
                return Ok(Ok(Done {
                    text,
                    ..Done::default()
                }));
            }
            Doing::Extract(wanted) => return self.extract(wanted).await,
            Doing::WebSearch(text) => return self.web_search(text).await,
            Doing::Screenshot => return self.screenshot().await,
            Doing::AskUser { description, targets } => return self.ask_person(description, targets).await,
            _ => {}
        }
        let (run, label) = (self.brief.run, self.label());
        let mut hands = self.hands(&label);
        let doing = match it.doing.clone() {
            Doing::Act(action) => Doing::Act(hands.without_keys(action)),
            other => other,
        };
        run.until_cancelled(hands.act(&doing)).await
    }

    /// What acts on the page as the model was shown it.
    pub(super) fn hands<'a>(&'a mut self, label: &'a str) -> Hands<'a> {
        Hands {
            tab: self.tab.as_mut(),
            grant: &mut self.grant,
            files: &self.files,
            secrets: &self.secrets,
            snapshot: &self.snapshot,
            label,
        }
    }

    /// A move in one line, as the folded history and the judge read it.
    pub(super) fn describe(&self, it: &Move) -> String {
        let shown = it.shown();
        let mut line = shown.action;
        if let Some(element) = shown
            .ref_
            .as_deref()
            .and_then(|it| it.parse().ok())
            .and_then(|it| self.snapshot.find(it))
        {
            // Hidden before it is cut: of a value that is cut in two nobody knows the half.
            let name = self.secrets.mask(&element.name);
            line.push_str(&format!(" {} {:?}", element.role, cut(&name, 80)));
        }
        if let Some(value) = shown.value {
            line.push_str(&format!(" {:?}", cut(&value, 120)));
        }
        line
    }
}
