//! Domains `DOM` and `DOMDebugger`: nodes as objects, and their event listeners.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::command::{Ignored, commands};
use super::runtime::RemoteObject;

commands! {
    GetFrameOwner<'_>: "DOM.getFrameOwner" => FrameOwner;
    ResolveNode<'_>: "DOM.resolveNode" => ResolvedNode;
    SetFileInputFiles<'_>: "DOM.setFileInputFiles" => Ignored;
    GetEventListeners<'_>: "DOMDebugger.getEventListeners" => EventListeners;
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GetFrameOwner<'a> {
    pub(crate) frame_id: &'a str,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameOwner {
    pub(crate) backend_node_id: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResolveNode<'a> {
    pub(crate) backend_node_id: i64,
    pub(crate) execution_context_id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) object_group: Option<&'a str>,
}

#[derive(Deserialize)]
pub(crate) struct ResolvedNode {
    pub(crate) object: RemoteObject,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetFileInputFiles<'a> {
    pub(crate) files: &'a [PathBuf],
    pub(crate) object_id: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GetEventListeners<'a> {
    pub(crate) object_id: &'a str,
    /// -1 for the whole subtree.
    pub(crate) depth: i32,
    pub(crate) pierce: bool,
}

#[derive(Deserialize)]
pub(crate) struct EventListeners {
    pub(crate) listeners: Vec<EventListener>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EventListener {
    pub(crate) r#type: String,
    #[serde(default)]
    pub(crate) backend_node_id: i64,
}
