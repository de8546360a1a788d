//! Domain `Network`: requests of a page.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::command::{Ignored, commands};

commands! {
    EnableNetwork: "Network.enable" => Ignored;
    SetBypassServiceWorker: "Network.setBypassServiceWorker" => Ignored;
    SetExtraHttpHeaders<'_>: "Network.setExtraHTTPHeaders" => Ignored;
}

/// The resource type of documents, of a page or a frame.
pub(crate) const DOCUMENT: &str = "Document";

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EnableNetwork {
    pub(crate) max_total_buffer_size: u64,
    pub(crate) max_resource_buffer_size: u64,
    pub(crate) max_post_data_size: u64,
}

#[derive(Serialize)]
pub(crate) struct SetBypassServiceWorker {
    pub(crate) bypass: bool,
}

#[derive(Serialize)]
pub(crate) struct SetExtraHttpHeaders<'a> {
    pub(crate) headers: ExtraHeaders<'a>,
}

#[derive(Serialize)]
pub(crate) struct ExtraHeaders<'a> {
    #[serde(rename = "Accept-Language")]
    pub(crate) accept_language: &'a str,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestWillBeSent {
    #[serde(default)]
    pub(crate) request_id: String,
    #[serde(default)]
    pub(crate) r#type: String,
    #[serde(default)]
    pub(crate) request: RequestHead,
}

#[derive(Default, Deserialize)]
pub(crate) struct RequestHead {
    #[serde(default)]
    pub(crate) url: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResponseReceived {
    #[serde(default)]
    pub(crate) request_id: String,
    #[serde(default)]
    pub(crate) frame_id: String,
    #[serde(default)]
    pub(crate) loader_id: String,
    #[serde(default)]
    pub(crate) r#type: String,
    pub(crate) response: ResponseHead,
}

#[derive(Deserialize)]
pub(crate) struct ResponseHead {
    pub(crate) status: u16,
    #[serde(default)]
    pub(crate) headers: HashMap<String, String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DataReceived {
    #[serde(default)]
    pub(crate) request_id: String,
    #[serde(default)]
    pub(crate) data_length: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoadingFinished {
    #[serde(default)]
    pub(crate) request_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoadingFailed {
    #[serde(default)]
    pub(crate) request_id: String,
    /// Whether nobody wanted the rest.
    #[serde(default)]
    pub(crate) canceled: bool,
}
