//! A turn up to its decision: the page shown, the model asked.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use browser::snapshot::View;
use browser::{OpenDialog, Snapshot};
use llm::model::{Choice, Request};
use page::quote::Quoted;
use url::Url;
use wire::automate::{AgentReasoned, AutomateEvent, DebugCompression};
use wire::{Audience, Code};

use super::Driver;
use super::setup::tell_news;
use crate::automate::act::Fault;
use crate::automate::ask;
use crate::automate::call::{Doing, Move};
use crate::automate::course::{Thought, Trouble, Words};
use crate::automate::grant::Blocked;
use crate::cancel::Cancelled;

impl Driver<'_> {
    /// A page that asks something shows nothing else until it has its answer.
    fn look_at_question(&mut self, dialog: &OpenDialog) {
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
        self.course.looked(hasher.finish());
    }

    pub(super) async fn look(&mut self) -> Result<(), Cancelled> {
        if let Some(dialog) = self.tab.dialog() {
            self.look_at_question(&dialog);
            return Ok(());
        }
        let seen = self.brief.run.until_cancelled(self.tab.snapshot()).await?;
        let replaced = tell_news(self.teller, self.tab.as_mut()).await?;
        let mut snapshot = match seen {
            Ok(snapshot) => snapshot,
            Err(it) => {
                let label = self.label();
                let fault = Fault::of(&it, &label);
                self.memory
                    .say(&format!("The page cannot be shown: {}", fault.text), None);
                self.course.blind(fault.fatal.unwrap_or(Trouble {
                    code: it.code().to_owned(),
                    text: it.to_string(),
                    fatal: false,
                }));
                return Ok(());
            }
        };
        if let Some(url) = snapshot.url.clone() {
            if self.course.actions() == 0 {
                // Where the first page sends on to after a while is a part of what was asked for.
                self.grant.drift(&url);
            }
            if let Err(blocked) = self.grant.reaches(&url) {
                return self.lead_back(blocked).await;
            }
            self.moved(&snapshot.title, &url).await?;
        }
        self.secrets.mask_long(&mut snapshot);
        let forgot = std::mem::take(&mut self.forgot);
        let again = forgot || replaced || self.memory.is_full(self.eye.next());
        let sight = self.eye.show(&snapshot, again, &self.mark, &self.secrets);
        let mut text = sight.text.clone();
        if let Some(warning) = self.warning.take() {
            text = format!("{warning}\n\n{text}");
        }
        let picture = self.picture.take();
        self.memory.show(&text, sight.whole, picture);
        let address = snapshot.url.as_ref().map(|it| it.to_string()).unwrap_or_default();
        let view = View {
            bytes: 16_000,
            refs: false,
            ..View::default()
        };
        self.evidence.see(
            &self.secrets.mask(&address),
            &self.secrets.mask(&snapshot.text(&view)),
        );
        let page = snapshot.url.clone();
        let links = snapshot.nodes.iter().filter_map(|it| it.link.as_deref());
        let links = links.filter_map(|it| Url::options().base_url(page.as_ref()).parse(it).ok());
        self.grant.see(links);
        self.snapshot = snapshot;
        if self.teller.is_heard(Audience::Debug) {
            let (before, after) = sight.sizes;
            let percent = if before == 0 {
                0.0
            } else {
                // Page sizes are far below 2^53.
                #[allow(clippy::cast_precision_loss)]
                let share = 1.0 - after as f64 / before as f64;
                (share * 1000.0).round() / 10.0
            };
            let compression = DebugCompression {
                original_size: before as u64,
                compressed_size: after as u64,
                compression_percent: wire::num::Num::new(percent),
            };
            self.teller
                .say(AutomateEvent::DebugCompression(compression))
                .await?;
        }
        self.course.looked(sight.page);
        Ok(())
    }

    /// A page that went by itself where this run may not be is left again, and is not shown.
    async fn lead_back(&mut self, blocked: Blocked) -> Result<(), Cancelled> {
        let (label, run) = (self.label(), self.brief.run);
        let before = self.snapshot.url.clone();
        let back = run
            .until_cancelled(self.hands(&label).leave(before.as_ref()))
            .await?;
        let text = "the page went by itself where this run may not be";
        let reason = format!("{text}: {} ({})", blocked.why, blocked.remedy);
        self.teller.status(reason).await?;
        let next = match back {
            true => "The page before is open again.",
            false => "No page is shown; go to another one.",
        };
        self.memory.say(&format!("{text}. {next}"), None);
        self.course.blind(Trouble {
            code: Code::UrlBlocked.as_str().to_owned(),
            text: text.to_owned(),
            fatal: false,
        });
        Ok(())
    }

    pub(super) async fn think(&mut self) -> Result<(), Cancelled> {
        if let Some(warning) = self.warning.take() {
            self.memory.say(&warning, None);
        }
        let picture = self.picture.take();
        let has_screenshot = picture.is_some();
        if has_screenshot {
            self.memory.say("The picture you asked for:", picture);
        }
        ask::announce(self.teller, "choosing the next action".into(), has_screenshot).await?;
        let request = Request {
            tools: self.offer.clone(),
            choice: Choice::Required,
            max_tokens: Some(5000),
            ..Request::new(self.memory.messages())
        };
        let turn = match ask::turn(self.teller, &self.seats.planner, &request).await? {
            Ok(turn) => turn,
            Err(it) => {
                let trouble = ask::trouble(&it);
                if !trouble.fatal {
                    let text = format!(
                        "the model gave no answer ({}: {}); trying again",
                        trouble.code, trouble.text
                    );
                    self.teller.status(text).await?;
                }
                if matches!(it, llm::Error::ContextTooLong { .. }) {
                    self.memory.shorten();
                    self.forgot = true;
                }
                self.course.thought(Thought::Failed(trouble), |_| String::new());
                if self.forgot {
                    self.course.look_again();
                }
                return Ok(());
            }
        };
        let reasoning = [&turn.reasoning, &turn.text];
        let reasoning = reasoning.into_iter().find(|it| !it.trim().is_empty());
        if let Some(reasoning) = reasoning {
            let reasoned = AgentReasoned {
                reasoning: reasoning.trim().to_owned(),
            };
            self.teller.say(AutomateEvent::AgentReasoned(reasoned)).await?;
        }
        self.memory.take(&turn);
        let (mut moves, mut refused) = (Vec::new(), 0);
        for call in &turn.calls {
            match call.as_ref().map(|it| (it, Move::read(it))) {
                Ok((_, Ok(mut it))) => {
                    if let Doing::Done(answer) = &mut it.doing {
                        *answer = self.grant.defuse(answer);
                    }
                    moves.push(it);
                }
                Ok((call, Err(why))) => {
                    refused += 1;
                    self.memory.answer(call.id(), &why, true);
                }
                Err(malformed) => {
                    refused += 1;
                    let text = format!("a tool call could not be used ({})", malformed.why.code());
                    self.teller.status(text).await?;
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
        let words = self
            .course
            .thought(Thought::Moves { moves, refused }, |it| print(it, snapshot));
        self.tell_words(words).await
    }

    pub(super) async fn tell_words(&mut self, words: Words) -> Result<(), Cancelled> {
        for (call, why) in words.skipped {
            self.memory.answer(&call, &why, true);
        }
        if let Some(warning) = words.warning {
            self.teller.status(warning.clone()).await?;
            self.warning = Some(warning);
        }
        Ok(())
    }
}

/// What a move is, apart from the numbers of refs.
pub(super) fn print(it: &Move, snapshot: &Snapshot) -> String {
    let shown = it.shown();
    let target = shown.ref_.as_deref().and_then(|it| it.parse().ok());
    let element = target.and_then(|it| snapshot.find(it));
    let (role, name) = element.map_or(("", ""), |it| (it.role.as_str(), it.name.as_str()));
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
