//! Isolated worlds: the injected scripts of a document, and calls of their functions.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::cdp::dom::{GetFrameOwner, ResolveNode};
use super::cdp::page::CreateIsolatedWorld;
use super::cdp::runtime::{CallFunctionOn, Evaluate};
use super::failure::{SCRIPT_TIMEOUT, TabFailure};
use super::tab::ChromiumTab;
use crate::error::Error;
use crate::snapshot::Ref;

/// The injected scripts. They define the object `huntsman` in the isolated world of a document.
const SCRIPTS: &str = concat!(
    include_str!("snapshot.js"),
    "\n",
    include_str!("composed.js"),
    "\n",
    include_str!("actions.js"),
    "\n",
    include_str!("fill.js"),
    "\n0"
);

impl ChromiumTab {
    /// The session of a frame's process, and the isolated world of its present document.
    async fn isolated_world(&self, frame: &str) -> Result<(String, i64), TabFailure> {
        let tracker = self.tracker()?;
        let (session, known) = {
            let state = tracker.state();
            let frames = state.page().map(|page| &page.frames);
            let frame = frames.and_then(|frames| frames.get(frame));
            let frame = frame.ok_or(TabFailure::DocumentGone)?;
            (frame.session.clone(), frame.world)
        };
        if let Some(world) = known {
            return Ok((session, world));
        }
        let create = CreateIsolatedWorld {
            frame_id: frame,
            world_name: "huntsman",
            grant_univeral_access: false,
        };
        let world = self.execute(&session, &create).await?.execution_context_id;
        let install = Evaluate {
            expression: SCRIPTS,
            context_id: Some(world),
            return_by_value: true,
            ..Evaluate::default()
        };
        if let Some(exception) = self.execute(&session, &install).await?.exception_details {
            return Err(script_failed(exception.message()));
        }
        if let Some(frame) = tracker.state().frame_mut(frame) {
            frame.world = Some(world);
        }
        Ok((session, world))
    }

    /// Evaluates an expression in the isolated world of a frame and decodes its value; promises are awaited.
    pub(super) async fn run<T: DeserializeOwned>(
        &self,
        frame: &str,
        expression: &str,
    ) -> Result<T, TabFailure> {
        self.run_with(frame, expression, false).await
    }

    /// As [`ChromiumTab::run`]; `is_gesture` says that the script acts for a person, as key presses do.
    async fn run_with<T: DeserializeOwned>(
        &self,
        frame: &str,
        expression: &str,
        is_gesture: bool,
    ) -> Result<T, TabFailure> {
        let mut retried = false;
        loop {
            let (session, world) = self.isolated_world(frame).await?;
            let evaluate = Evaluate {
                expression,
                context_id: Some(world),
                return_by_value: true,
                await_promise: true,
                timeout: Some(SCRIPT_TIMEOUT.as_millis() as u64),
                user_gesture: is_gesture,
            };
            let evaluated = match self.execute_or_terminate(&session, &evaluate).await {
                Err(TabFailure::DocumentGone) if !retried => {
                    // The frame may show another document by now.
                    let mut state = self.tracker()?.state();
                    if let Some(frame) = state.frame_mut(frame) {
                        frame.world.take_if(|known| *known == world);
                    }
                    retried = true;
                    continue;
                }
                evaluated => evaluated?,
            };
            return match evaluated.exception_details {
                Some(exception) if exception.is_termination() => Err(TabFailure::Unresponsive),
                Some(exception) => Err(script_failed(exception.message())),
                None => serde_json::from_value(evaluated.result.value)
                    .map_err(|_| TabFailure::Refused("a script of ours gave an unexpected answer".into())),
            };
        }
    }

    /// Calls an injected function about an element. `arguments` are its further arguments, each after a comma.
    ///
    /// The function returns `stale` when the element is gone, and `refusal` when it cannot take the action.
    pub(super) async fn call_on<T: DeserializeOwned>(
        &self,
        target: Ref,
        function: &str,
        arguments: &str,
    ) -> Result<T, Error> {
        let frame = self.frame_of(target)?;
        self.call_in(&frame, target, function, arguments).await
    }

    pub(super) async fn call_in<T: DeserializeOwned>(
        &self,
        frame: &str,
        target: Ref,
        function: &str,
        arguments: &str,
    ) -> Result<T, Error> {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct ScriptRefusal {
            stale: bool,
            refusal: Option<String>,
        }
        let call = format!(
            "huntsman.reserve({}), huntsman.{function}({}{arguments})",
            self.last_ref, target.0
        );
        // What is put into a field counts as typed: pages may ask whether they may be left then.
        let reply: Value = match self.run_with(frame, &call, function == "fill").await {
            Err(TabFailure::DocumentGone) => return Err(Error::Stale(target)),
            reply => reply?,
        };
        match ScriptRefusal::deserialize(&reply).unwrap_or_default() {
            ScriptRefusal { stale: true, .. } => Err(Error::Stale(target)),
            ScriptRefusal {
                refusal: Some(why), ..
            } => Err(Error::NotActionable { target, why }),
            ScriptRefusal { .. } => serde_json::from_value(reply)
                .map_err(|_| TabFailure::Refused("a script of ours gave an unexpected answer".into()).into()),
        }
    }

    /// The frames of the current page that have an isolated world, the main frame first.
    pub(super) fn known_frames(&self) -> Result<Vec<String>, Error> {
        let main = self.main_frame()?;
        let mut frames = vec![main.clone()];
        if let Some(page) = self.tracker()?.state().page() {
            let inner = page.frames.iter();
            let inner = inner.filter(|(id, frame)| frame.world.is_some() && **id != main);
            frames.extend(inner.map(|(id, _)| id.clone()));
        }
        Ok(frames)
    }

    /// The index of the frame element in `parent`'s document that shows `frame`.
    pub(super) async fn owner_index(&self, frame: &str, parent: &str) -> Result<u32, TabFailure> {
        let tracker = self.tracker()?;
        if let Some(known) = tracker
            .state()
            .frame_mut(frame)
            .and_then(|frame| frame.owner_index)
        {
            return Ok(known);
        }
        let (session, world) = self.isolated_world(parent).await?;
        let owner = self.execute(&session, &GetFrameOwner { frame_id: frame }).await?;
        let resolve = ResolveNode {
            backend_node_id: owner.backend_node_id,
            execution_context_id: world,
            object_group: None,
        };
        let element = self.execute(&session, &resolve).await?.object;
        let call = CallFunctionOn {
            function_declaration: "function() { return huntsman.frameIndex(this); }",
            object_id: element.object_id.as_deref(),
            return_by_value: true,
            ..CallFunctionOn::default()
        };
        let index = self.execute(&session, &call).await?.result.value.as_u64();
        let index = index.and_then(|index| u32::try_from(index).ok());
        let index = index.ok_or(TabFailure::DocumentGone)?;
        if let Some(frame) = tracker.state().frame_mut(frame) {
            frame.owner_index = Some(index);
        }
        Ok(index)
    }
}

fn script_failed(why: &str) -> TabFailure {
    TabFailure::Refused(format!("a script of ours failed: {why}"))
}
