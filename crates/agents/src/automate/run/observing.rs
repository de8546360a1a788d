//! A turn up to its actions: the page observed, the model asked.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use browser::snapshot::SnapshotView;
use browser::{OpenDialog, Snapshot};
use llm::model::{Choice, ModelRequest};
use page::quote::Quoted;
use policy::Refused;
use url::Url;
use wire::automate::{AgentReasoned, AutomateEvent, DebugCompression};
use wire::{Audience, Code};

use super::Driver;
use super::setup::emit_news;
use crate::automate::action_executor::tab_failure;
use crate::automate::agent_loop::{LoopNotes, TurnReply};
use crate::automate::model_calls::{self, ModelCallError};
use crate::automate::tool_invocation::ToolInvocation;
use crate::cancel::Cancelled;
use crate::run_error::RunError;
use crate::safe_markdown::safe_markdown;

impl Driver<'_> {
    /// A page that asks something shows nothing else until it has its answer.
    fn observe_dialog(&mut self, dialog: &OpenDialog) {
        let label = self.label();
        let (kind, text) = (dialog.kind.as_str(), self.secrets.mask(&dialog.text));
        let asked = match kind {
            "beforeunload" => {
                "the page asks whether it may be left; what was not saved there may be lost".to_owned()
            }
            "prompt" => format!(
                "prompt: {text}\nsuggested: {}",
                self.secrets.mask(&dialog.suggestion)
            ),
            _ => format!("{kind}: {text}"),
        };
        let asked = Quoted::new(&label, &asked, 1000);
        let text = format!(
            "A dialog is open, and the page stands still until it is answered. Answer it with answer_dialogs; anything \
             else first says no to what it asks, and yes to leaving.\n{asked}"
        );
        self.memory.say(&text, None);
        let mut hasher = DefaultHasher::new();
        (kind, &dialog.text).hash(&mut hasher);
        self.agent_loop.observed(hasher.finish());
    }

    pub(super) async fn observe(&mut self) -> Result<(), Cancelled> {
        if let Some(dialog) = self.tab.dialog() {
            self.observe_dialog(&dialog);
            return Ok(());
        }
        let seen = self.input.run.until_cancelled(self.tab.snapshot()).await?;
        let replaced = emit_news(self.emitter, self.tab.as_mut()).await?;
        let mut snapshot = match seen {
            Ok(snapshot) => snapshot,
            Err(error) => {
                let label = self.label();
                let error = tab_failure(error, &label);
                let failure = error.clone().failure()?;
                let text = format!("The page cannot be shown: {}", failure.model_text());
                self.memory.say(&text, None);
                self.agent_loop.not_observed(error);
                return Ok(());
            }
        };
        if let Some(url) = snapshot.url.clone() {
            if self.agent_loop.actions() == 0 && !self.person_acted {
                // Where the first page sends on to after a while is a part of what was asked for.
                self.grant.drift(&url);
            }
            if let Err(refused) = self.grant.open(&url) {
                return self.lead_back(refused).await;
            }
            self.moved(&snapshot.title, &url).await?;
        }
        self.secrets.mask_long(&mut snapshot);
        let forgot = std::mem::take(&mut self.forgot);
        let again = forgot || replaced || self.memory.is_full(self.observer.next());
        let shown = self.observer.show(&snapshot, again, &self.mark, &self.secrets);
        let mut text = shown.text.clone();
        if let Some(warning) = self.warning.take() {
            text = format!("{warning}\n\n{text}");
        }
        let picture = self.picture.take();
        self.memory.show(&text, shown.whole, picture);
        let address = snapshot.url.as_ref().map(|it| it.to_string()).unwrap_or_default();
        let view = SnapshotView {
            bytes: 16_000,
            refs: false,
            ..SnapshotView::default()
        };
        self.evidence.see(
            &self.secrets.mask(&address),
            &self.secrets.mask(&snapshot.text(&view)),
        );
        self.note_links(&snapshot);
        self.snapshot = snapshot;
        if self.emitter.is_wanted(Audience::Debug) {
            let (before, after) = shown.sizes;
            let percent = if before == 0 {
                0.0
            } else {
                #[expect(clippy::cast_precision_loss, reason = "page sizes are far below 2^53")]
                let share = 1.0 - after as f64 / before as f64;
                (share * 1000.0).round() / 10.0
            };
            let compression = DebugCompression {
                original_size: before as u64,
                compressed_size: after as u64,
                compression_percent: wire::num::Num::new(percent),
            };
            self.emitter
                .emit(AutomateEvent::DebugCompression(compression))
                .await?;
        }
        self.agent_loop.observed(shown.page);
        Ok(())
    }

    /// Notes the links of a page, which the run may follow.
    pub(super) fn note_links(&mut self, snapshot: &Snapshot) {
        let links = snapshot.nodes.iter().filter_map(|it| it.link.as_deref());
        let address = |it| Url::options().base_url(snapshot.url.as_ref()).parse(it).ok();
        self.grant.see_links(links.filter_map(address));
    }

    /// A page that went by itself where this run may not be is left again, and is not shown.
    async fn lead_back(&mut self, refused: Refused) -> Result<(), Cancelled> {
        let (label, run) = (self.label(), self.input.run);
        let before = self.snapshot.url.clone();
        let back = run
            .until_cancelled(self.executor(&label).leave(before.as_ref()))
            .await?;
        let text = "the page went by itself where this run may not be";
        tracing::debug!(rule = refused.rule, "the page that came is refused by the policy");
        let reason = format!("{text}: {refused}");
        self.emitter.status(reason).await?;
        let next = match back {
            true => "The page before is open again.",
            false => "No page is shown; go to another one.",
        };
        self.memory.say(&format!("{text}. {next}"), None);
        self.agent_loop
            .not_observed(RunError::recoverable(Code::UrlBlocked, text));
        Ok(())
    }

    pub(super) async fn ask_model(&mut self) -> Result<(), Cancelled> {
        if let Some(warning) = self.warning.take() {
            self.memory.say(&warning, None);
        }
        let picture = self.picture.take();
        let has_screenshot = picture.is_some();
        if has_screenshot {
            self.memory.say("The picture you asked for:", picture);
        }
        model_calls::announce(self.emitter, "choosing the next action".into(), has_screenshot).await?;
        let request = ModelRequest {
            tools: self.offer.clone(),
            choice: Choice::Required,
            max_tokens: Some(5000),
            ..ModelRequest::new(self.memory.messages())
        };
        let turn = match model_calls::turn(self.emitter, &self.models.planner, &request).await {
            Ok(turn) => turn,
            Err(ModelCallError::Cancelled(stopped)) => return Err(stopped),
            Err(ModelCallError::Failed(error)) => return self.no_answer(&error).await,
        };
        tracing::debug!(
            iteration = self.agent_loop.turns(),
            elements = self.snapshot.nodes.len(),
            input_tokens = turn.usage.input,
            output_tokens = turn.usage.output,
            calls = turn.calls.len(),
            "turn"
        );
        let reasoning = [&turn.reasoning, &turn.text];
        let reasoning = reasoning.into_iter().find(|it| !it.trim().is_empty());
        if let Some(reasoning) = reasoning {
            let reasoned = AgentReasoned {
                reasoning: reasoning.trim().to_owned(),
            };
            self.emitter.emit(AutomateEvent::AgentReasoned(reasoned)).await?;
        }
        self.memory.take(&turn);
        let (mut actions, mut refused) = (Vec::new(), 0);
        let tools = &self.input.services.tools;
        for call in &turn.calls {
            match call
                .as_ref()
                .map(|call| (call, ToolInvocation::read(call, tools)))
            {
                Ok((_, Ok(mut action))) => {
                    if let Some(answer) = action.answer_mut() {
                        *answer = safe_markdown(answer, &|url| self.grant.trusts(url));
                    }
                    actions.push(action);
                }
                Ok((call, Err(reason))) => {
                    refused += 1;
                    self.memory.answer(call.id(), &reason, true);
                }
                Err(malformed) => {
                    refused += 1;
                    let text = format!("a tool call could not be used ({})", malformed.why.code());
                    self.emitter.status(text).await?;
                }
            }
        }
        if turn.calls.is_empty() {
            self.memory.say(
                "Nothing was done: call a tool. If the task is finished, call done.",
                None,
            );
        }
        let snapshot = &self.snapshot;
        let answer = TurnReply::Actions { actions, refused };
        let notes = self
            .agent_loop
            .answered(answer, |action| fingerprint(action, snapshot));
        self.emit_notes(notes).await
    }

    /// Reports that the model gave no answer.
    async fn no_answer(&mut self, error: &llm::Error) -> Result<(), Cancelled> {
        let failure = RunError::from(error);
        if let RunError::Recoverable(failure) = &failure {
            let text = format!("the model gave no answer ({failure}); trying again");
            self.emitter.status(text).await?;
        }
        if matches!(error, llm::Error::ContextTooLong { .. }) {
            self.memory.shorten();
            self.forgot = true;
        }
        self.agent_loop
            .answered(TurnReply::Failed(failure), |_| String::new());
        if self.forgot {
            self.agent_loop.observe_again();
        }
        Ok(())
    }

    pub(super) async fn emit_notes(&mut self, notes: LoopNotes) -> Result<(), Cancelled> {
        for (call, reason) in notes.skipped {
            self.memory.answer(&call, &reason, true);
        }
        if let Some(warning) = notes.warning {
            self.emitter.status(warning.clone()).await?;
            self.warning = Some(warning);
        }
        Ok(())
    }
}

/// What an action is, apart from the numbers of refs.
fn fingerprint(action: &ToolInvocation, snapshot: &Snapshot) -> String {
    let shown = action.shown();
    let element = action
        .call
        .summary
        .target
        .and_then(|target| snapshot.find(target));
    let (role, name) = element.map_or(("", ""), |element| (element.role.as_str(), element.name.as_str()));
    // Two nameless elements are two; their refs tell them apart, as long as they live.
    let number = if name.is_empty() {
        shown.ref_.unwrap_or_default()
    } else {
        String::new()
    };
    format!(
        "{} {role} {name} {number} {}",
        shown.action,
        shown.value.unwrap_or_default()
    )
}
