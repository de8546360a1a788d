//! The documents of a tab, and how a script of ours runs in one of them.

use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::tab::ChromiumTab;
use super::wire::{Fault, Reply};
use crate::error::Error;

/// One frame: the tab's own, or one within it.
#[derive(Debug, Default, Clone)]
pub(super) struct Frame {
    pub(super) parent: Option<String>,
    /// Where its process is spoken to.
    pub(super) session: String,
    pub(super) loader: String,
    pub(super) url: String,
    /// Our own world in its present document, once there is one.
    pub(super) world: Option<i64>,
    /// Which frame element of its parent's document it belongs to, once that was asked.
    pub(super) owner: Option<u32>,
}

/// Why something asked of a page did not come.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Slip {
    /// The document is gone: the tab went elsewhere, or closed.
    Gone,
    /// The page's own scripts keep it from answering.
    Hung,
    /// The page's process ended.
    Crashed,
    /// The browser ended.
    Lost,
    /// The page stands still until its dialog is answered.
    Asked,
    /// The caller's token was cancelled.
    Cancelled,
    /// The browser said no.
    Failed(String),
}

impl From<Slip> for Error {
    fn from(slip: Slip) -> Error {
        match slip {
            Slip::Gone => Error::Crashed("it went elsewhere in the middle of the action"),
            Slip::Hung => Error::Timeout {
                what: "an answer of the page, whose scripts were busy and have been stopped,".into(),
                seconds: HANG.as_secs(),
            },
            Slip::Crashed => Error::Crashed("its process crashed"),
            Slip::Lost => Error::Crashed("the browser ended"),
            Slip::Asked => Error::Asked("a question came up in the middle of the action".into()),
            Slip::Cancelled => Error::Cancelled,
            Slip::Failed(why) => Error::Browser(why),
        }
    }
}

impl From<Fault> for Slip {
    fn from(fault: Fault) -> Slip {
        match fault {
            Fault::Lost => Slip::Lost,
            Fault::Unreadable => Slip::Failed("an answer was larger than allowed".into()),
            Fault::Refused(why) => match GONE.iter().any(|part| why.contains(part)) {
                true => Slip::Gone,
                false => Slip::Failed(why),
            },
        }
    }
}

/// How the browser says that a document, a frame or a tab is no more.
const GONE: &[&str] = &[
    "Cannot find context",
    "context was destroyed",
    "navigated or closed",
    "Session with given id not found",
    "No frame for given id",
    "Frame with the given id was not found",
    "Target closed",
    "No target with given id",
    "not attached to an active page",
    "Internal error",
];

/// The longest wait for a script of ours. Pages that keep their thread longer are stopped.
pub(super) const HANG: Duration = Duration::from_secs(10);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct World {
    execution_context_id: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Evaluated {
    pub(super) result: Remote,
    #[serde(default)]
    pub(super) exception_details: Option<Value>,
}

#[derive(Deserialize)]
pub(super) struct Remote {
    #[serde(default)]
    pub(super) value: Value,
}

/// Our scripts: the eyes, then the hands.
const SCRIPTS: &str = concat!(include_str!("look.js"), "\n", include_str!("hands.js"), "\n0");

impl ChromiumTab {
    /// Waits for an answer as long as there is any hope for one.
    pub(super) async fn answer<T: DeserializeOwned>(&self, session: &str, reply: Reply) -> Result<T, Slip> {
        self.answer_within(session, reply, HANG).await
    }

    pub(super) async fn answer_within<T: DeserializeOwned>(
        &self,
        session: &str,
        reply: Reply,
        patience: Duration,
    ) -> Result<T, Slip> {
        let watch = self.watch()?.clone();
        let until = Instant::now() + patience;
        let mut reply = std::pin::pin!(reply.read::<T>());
        loop {
            // An answer that is there already counts, whatever has happened since.
            tokio::select! {
                biased;
                answer = &mut reply => return answer.map_err(Slip::from),
                () = std::future::ready(()) => {}
            }
            let seen = {
                let state = watch.state();
                if state.lost {
                    return Err(Slip::Lost);
                }
                match state.pages.iter().find(|page| page.speaks(session)) {
                    Some(page) if page.crashed => return Err(Slip::Crashed),
                    Some(page) if page.dialog.is_some() => return Err(Slip::Asked),
                    // Nobody answers for a tab that has closed.
                    None if !session.is_empty() => return Err(Slip::Gone),
                    _ => {}
                }
                state.events
            };
            tokio::select! {
                biased;
                answer = &mut reply => return answer.map_err(Slip::from),
                () = self.profile.cancel.cancelled() => return Err(Slip::Cancelled),
                () = watch.change(seen, until) => {}
            }
            if Instant::now() >= until {
                return Err(Slip::Hung);
            }
        }
    }

    /// Our world in the document that a frame has now.
    async fn world(&self, frame: &str) -> Result<(String, i64), Slip> {
        let watch = self.watch()?;
        let (session, known) = {
            let state = watch.state();
            let frames = state.page().map(|page| &page.frames);
            let found = frames.and_then(|frames| frames.get(frame)).ok_or(Slip::Gone)?;
            (found.session.clone(), found.world)
        };
        if let Some(world) = known {
            return Ok((session, world));
        }
        let asked = json!({"frameId": frame, "worldName": "huntsman", "grantUniveralAccess": false});
        let made = watch.connection.call(&session, "Page.createIsolatedWorld", asked);
        let world: World = self.answer(&session, made).await?;
        let world = world.execution_context_id;
        let install = json!({"expression": SCRIPTS, "contextId": world, "returnByValue": true});
        let installed = watch.connection.call(&session, "Runtime.evaluate", install);
        let installed: Evaluated = self.answer(&session, installed).await?;
        if let Some(why) = installed.exception_details {
            return Err(Slip::Failed(format!("a script of ours failed: {why}")));
        }
        if let Some(found) = watch.state().frame_mut(frame) {
            found.world = Some(world);
        }
        Ok((session, world))
    }

    /// Runs an expression of ours in a frame and reads its value; promises are waited for.
    pub(super) async fn run<T: DeserializeOwned>(&self, frame: &str, expression: &str) -> Result<T, Slip> {
        let mut tried = false;
        loop {
            let (session, world) = self.world(frame).await?;
            let asked = json!({
                "expression": expression,
                "contextId": world,
                "returnByValue": true,
                "awaitPromise": true,
                "timeout": HANG.as_millis() as u64,
            });
            let watch = self.watch()?;
            let reply = watch.connection.call(&session, "Runtime.evaluate", asked);
            let evaluated: Evaluated = match self.answer(&session, reply).await {
                Err(Slip::Gone) if !tried => {
                    // The document may have changed under us; its frame is the same.
                    if let Some(found) = watch.state().frame_mut(frame)
                        && found.world == Some(world)
                    {
                        found.world = None;
                    }
                    tried = true;
                    continue;
                }
                Err(Slip::Hung) => {
                    drop(
                        watch
                            .connection
                            .call(&session, "Runtime.terminateExecution", json!({})),
                    );
                    return Err(Slip::Hung);
                }
                other => other?,
            };
            if let Some(why) = evaluated.exception_details {
                let text = why["exception"]["description"]
                    .as_str()
                    .or(why["text"].as_str())
                    .unwrap_or("unknown")
                    .to_owned();
                if text.contains("Execution was terminated") {
                    return Err(Slip::Hung);
                }
                return Err(Slip::Failed(format!("a script of ours failed: {text}")));
            }
            return serde_json::from_value(evaluated.result.value)
                .map_err(|_| Slip::Failed("a script of ours gave an unexpected answer".into()));
        }
    }

    /// The world of a frame, when it has one already.
    pub(super) fn known_world(&self, frame: &str) -> Option<i64> {
        let watch = self.watch().ok()?;
        let state = watch.state();
        state.page()?.frames.get(frame)?.world
    }

    /// Which frame element of `parent`'s document shows `frame`.
    pub(super) async fn owner(&self, frame: &str, parent: &str) -> Result<u32, Slip> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Owner {
            backend_node_id: i64,
        }
        #[derive(Deserialize)]
        struct Resolved {
            object: Object,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Object {
            object_id: String,
        }
        let watch = self.watch()?;
        if let Some(known) = watch.state().frame_mut(frame).and_then(|it| it.owner) {
            return Ok(known);
        }
        let (session, world) = self.world(parent).await?;
        let call = |method, params: Value| watch.connection.call(&session, method, params);
        let owner: Owner = self
            .answer(&session, call("DOM.getFrameOwner", json!({"frameId": frame})))
            .await?;
        let resolve = json!({"backendNodeId": owner.backend_node_id, "executionContextId": world});
        let resolved: Resolved = self.answer(&session, call("DOM.resolveNode", resolve)).await?;
        let asked = json!({
            "objectId": resolved.object.object_id,
            "functionDeclaration": "function() { return huntsman.frameIndex(this); }",
            "returnByValue": true,
        });
        let told: Evaluated = self
            .answer(&session, call("Runtime.callFunctionOn", asked))
            .await?;
        let index = told.result.value.as_u64().and_then(|it| u32::try_from(it).ok());
        let index = index.ok_or(Slip::Gone)?;
        if let Some(found) = watch.state().frame_mut(frame) {
            found.owner = Some(index);
        }
        Ok(index)
    }
}
