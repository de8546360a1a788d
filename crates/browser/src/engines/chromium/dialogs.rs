//! Questions of pages: who answers them, and what happens when nobody does.

use std::time::Duration;

use serde_json::json;

use super::frames::Slip;
use super::page::Told;
use super::settle::Mark;
use super::tab::ChromiumTab;
use super::watch::{State, Watch, push};
use crate::browser::{OpenDialog, Outcome};
use crate::error::Error;

/// Dialogs of one document after which its dialogs are taken away.
const DIALOGS: usize = 20;
/// How long a question waits before it is answered by default: a page that stands still may lose its server.
const PATIENCE: Duration = Duration::from_secs(30);
/// Questions one after the other that are answered by default before something is done to the page.
const IN_A_ROW: usize = 5;

/// A question that waits.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Waiting {
    session: String,
    /// Counts the dialogs of the document, so that an old clock answers no new question.
    number: usize,
    pub(super) open: OpenDialog,
}

/// What is answered when nobody says anything: whoever asks whether to delete gets no; whoever was left stays left.
fn by_default(kind: &str) -> bool {
    matches!(kind, "alert" | "beforeunload")
}

/// What a question is, in a sentence.
fn sentence(open: &OpenDialog) -> String {
    match open.kind.as_str() {
        "beforeunload" => "whether it may be left; what was not saved there may be lost".to_owned(),
        kind => format!("{:?} ({kind})", open.text),
    }
}

impl Watch {
    /// A dialog has opened.
    pub(super) fn asked(&self, state: &mut State, at: usize, session: &str, told: &Told) {
        let short = |text: &Option<String>| -> String {
            text.as_deref().unwrap_or_default().chars().take(300).collect()
        };
        let open = OpenDialog {
            kind: told.r#type.clone(),
            text: short(&told.message),
            suggestion: short(&told.default_prompt),
        };
        let said = state.answer.clone();
        let Some(page) = state.pages.get_mut(at) else {
            return;
        };
        page.dialogs += 1;
        let count = page.dialogs;
        let waiting = Waiting {
            session: session.to_owned(),
            number: count,
            open,
        };
        if self.asks && said.is_none() && waiting.open.kind != "alert" && count < DIALOGS {
            self.watch_clock(page.target.clone(), count);
            page.dialog = Some(waiting);
            return;
        }
        let kind = waiting.open.kind.clone();
        let (accept, prompt) = match &said {
            Some((accept, prompt)) if !by_default(&kind) => (*accept, prompt.clone()),
            _ => (by_default(&kind), None),
        };
        self.reply(&waiting, accept, prompt);
        if count == DIALOGS {
            // A page that does not stop asking is not asked any more.
            let silence = json!({"expression": include_str!("silence.js")});
            drop(self.connection.call(session, "Runtime.evaluate", silence));
            push(
                state,
                "the page opened one dialog after the other; it cannot open any more".into(),
            );
        }
        if count >= DIALOGS {
            return;
        }
        let text = &waiting.open.text;
        let note = match kind.as_str() {
            "alert" => format!("the page said {text:?} in a dialog, which was closed"),
            "beforeunload" => "the page asked whether it may be left; it was left".to_owned(),
            kind => {
                let done = if accept { "accepted" } else { "dismissed" };
                let hint = match said {
                    Some(_) => "",
                    None => "; to answer otherwise, use the dialog action first and repeat",
                };
                format!("the page asked {text:?} ({kind}); it was {done}{hint}")
            }
        };
        push(state, note);
    }

    fn reply(&self, waiting: &Waiting, accept: bool, prompt: Option<String>) {
        let text = prompt.unwrap_or_else(|| waiting.open.suggestion.clone());
        let answer = json!({"accept": accept, "promptText": text});
        let session = &waiting.session;
        drop(
            self.connection
                .call(session, "Page.handleJavaScriptDialog", answer),
        );
    }

    /// Answers the question by default when nobody has within its patience.
    fn watch_clock(&self, target: String, number: usize) {
        let own = self.own.clone();
        tokio::spawn(async move {
            tokio::time::sleep(PATIENCE).await;
            let Some(watch) = own.upgrade() else { return };
            let mut state = watch.state();
            let page = state.pages.iter_mut().find(|it| it.target == target);
            let waiting = page.and_then(|page| page.dialog.take_if(|it| it.number == number));
            if let Some(waiting) = waiting {
                watch.answer_by_default(&mut state, &waiting);
                watch.touch(&mut state);
            }
        });
    }

    fn answer_by_default(&self, state: &mut State, waiting: &Waiting) {
        let accept = by_default(&waiting.open.kind);
        self.reply(waiting, accept, None);
        let done = if accept { "accepted" } else { "dismissed" };
        let asked = sentence(&waiting.open);
        push(
            state,
            format!("the page asked {asked}; nobody answered, and it was {done}"),
        );
    }
}

impl ChromiumTab {
    /// The question of the present page that waits.
    pub(super) fn waiting(&self) -> Option<OpenDialog> {
        let state = self.watch().ok()?.state();
        state.page()?.dialog.as_ref().map(|it| it.open.clone())
    }

    /// The same as an error: nothing else comes before its answer.
    pub(super) fn asked(&self) -> Error {
        Error::Asked(self.waiting().map_or_else(String::new, |it| sentence(&it)))
    }

    /// What is told of a question that something done to the page has brought up.
    pub(super) fn question(&self) -> Option<String> {
        let open = self.waiting()?;
        Some(format!(
            "the page asks {} and waits for an answer",
            sentence(&open)
        ))
    }

    /// Answers by default what nobody has answered, before something else is done to the page.
    pub(super) async fn settle_questions(&mut self) -> Result<(), Error> {
        for _ in 0..IN_A_ROW {
            let watch = match self.watch() {
                Ok(watch) => watch.clone(),
                Err(_) => return Ok(()),
            };
            {
                let mut state = watch.state();
                let current = state.current;
                let page = state.pages.iter_mut().find(|page| page.number == current);
                let Some((page, waiting)) = page.and_then(|page| page.dialog.take().map(|it| (page, it)))
                else {
                    return Ok(());
                };
                if waiting.open.kind == "beforeunload" {
                    page.expect();
                }
                watch.answer_by_default(&mut state, &waiting);
            }
            self.rest().await?;
        }
        Ok(())
    }

    /// Answers the question that waits, or says how the next ones are answered.
    pub(super) async fn answer_dialog(
        &mut self,
        accept: bool,
        text: Option<String>,
    ) -> Result<Outcome, Error> {
        let watch = self.watch()?.clone();
        let mark: Mark = self.mark()?;
        let waiting = {
            let mut state = watch.state();
            let current = state.current;
            let page = state.pages.iter_mut().find(|page| page.number == current);
            let page = page.ok_or(Slip::Gone)?;
            let waiting = page.dialog.take();
            if let Some(waiting) = &waiting
                && waiting.open.kind == "beforeunload"
                && accept
            {
                page.expect();
            }
            if waiting.is_none() {
                state.answer = Some((accept, text.clone()));
            }
            waiting
        };
        let word = if accept { "accepted" } else { "dismissed" };
        let Some(waiting) = waiting else {
            return Ok(Outcome::note(format!("the next dialogs will be {word}")));
        };
        watch.reply(&waiting, accept, text);
        let mut outcome = self.after(&mark).await?;
        outcome.notes.insert(0, format!("the dialog was {word}"));
        Ok(outcome)
    }
}
