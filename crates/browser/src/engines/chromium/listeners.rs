//! Click listeners: which elements have one, as the browser knows, for the script that takes snapshots.

use std::collections::HashSet;

use super::cdp::Ignored;
use super::cdp::dom::{GetEventListeners, ResolveNode};
use super::cdp::runtime::{CallArgument, CallFunctionOn, Evaluate, ReleaseObject, ReleaseObjectGroup};
use super::failure::TabFailure;
use super::tab::{ChromiumTab, KnownListeners};

/// Most listening elements that are resolved for one snapshot.
const MAX_RESOLVED: usize = 300;

/// The group of the objects that are resolved, to release them together.
const OBJECT_GROUP: &str = "huntsman";

/// Events whose listeners make an element clickable.
const CLICK_EVENTS: &[&str] = &[
    "click",
    "dblclick",
    "mousedown",
    "mouseup",
    "pointerdown",
    "pointerup",
    "touchstart",
    "contextmenu",
    "dragstart",
];

impl ChromiumTab {
    /// Tells the isolated world of the main frame which elements listen for clicks. Only new ones cost.
    pub(super) async fn update_listeners(&mut self, main: &str) -> Result<(), TabFailure> {
        // Creates the world where there is none yet.
        let _: Ignored = self.run(main, "0").await?;
        let (Some(world), Ok(session)) = (self.known_world(main), self.session()) else {
            return Ok(());
        };
        if self.listeners.world != world {
            self.listeners = KnownListeners {
                world,
                nodes: HashSet::new(),
            };
        }
        let fresh = self.fresh_listeners(&session).await?;
        if fresh.is_empty() {
            return Ok(());
        }
        let connection = self.tracker()?.connection.clone();
        let pending: Vec<_> = fresh
            .iter()
            .map(|node| {
                let resolve = ResolveNode {
                    backend_node_id: *node,
                    execution_context_id: world,
                    object_group: Some(OBJECT_GROUP),
                };
                connection.call(&session, &resolve)
            })
            .collect();
        let mut arguments = Vec::new();
        for node in pending {
            if let Ok(node) = self.response(&session, node).await {
                let object_id = node.object.object_id.unwrap_or_default();
                arguments.push(CallArgument { object_id });
            }
        }
        let call = CallFunctionOn {
            execution_context_id: Some(world),
            function_declaration: "function(...list) { huntsman.addListeners(...list); }",
            arguments,
            return_by_value: true,
            ..CallFunctionOn::default()
        };
        self.execute(&session, &call).await?;
        self.listeners.nodes.extend(fresh);
        let release = ReleaseObjectGroup {
            object_group: OBJECT_GROUP,
        };
        connection.send(&session, &release);
        Ok(())
    }

    /// Nodes that listen for clicks and are not known yet.
    async fn fresh_listeners(&self, session: &str) -> Result<Vec<i64>, TabFailure> {
        // The page's own document, since listeners are reported by the world they live in. (Asked for all worlds at
        // once, Chromium 156 crashes after some pages.) In no object group, or every handler would come along.
        let document = Evaluate {
            expression: "document",
            ..Evaluate::default()
        };
        let document = self.execute(session, &document).await?.result.object_id;
        let document = document.unwrap_or_default();
        let connection = &self.tracker()?.connection;
        let listeners = GetEventListeners {
            object_id: &document,
            depth: -1,
            pierce: false,
        };
        let listeners = connection.call(session, &listeners);
        connection.send(session, &ReleaseObject { object_id: &document });
        let listeners = match self.response(session, listeners).await {
            Err(TabFailure::Refused(_)) => return Ok(Vec::new()),
            response => response?.listeners,
        };
        let mut fresh: Vec<i64> = listeners
            .iter()
            .filter(|listener| CLICK_EVENTS.contains(&listener.r#type.as_str()))
            .map(|listener| listener.backend_node_id)
            .filter(|node| *node > 0 && !self.listeners.nodes.contains(node))
            .collect();
        fresh.sort_unstable();
        fresh.dedup();
        fresh.truncate(MAX_RESOLVED);
        Ok(fresh)
    }
}
