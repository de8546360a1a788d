//! Domain `Browser`: version and downloads.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::command::{Ignored, commands};

commands! {
    GetVersion: "Browser.getVersion" => Version;
    SetDownloadBehavior<'_>: "Browser.setDownloadBehavior" => Ignored;
    CancelDownload<'_>: "Browser.cancelDownload" => Ignored;
}

#[derive(Serialize)]
pub(crate) struct GetVersion {}

#[derive(Deserialize)]
pub(crate) struct Version {
    /// Name and version of the browser.
    pub(crate) product: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetDownloadBehavior<'a> {
    pub(crate) behavior: DownloadBehavior,
    pub(crate) browser_context_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) download_path: Option<&'a Path>,
    pub(crate) events_enabled: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum DownloadBehavior {
    Deny,
    /// Allows downloads and names each file by its GUID.
    AllowAndName,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CancelDownload<'a> {
    pub(crate) guid: &'a str,
    pub(crate) browser_context_id: &'a str,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DownloadWillBegin {
    pub(crate) guid: String,
    #[serde(default)]
    pub(crate) frame_id: String,
    #[serde(default)]
    pub(crate) suggested_filename: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DownloadProgress {
    pub(crate) guid: String,
    #[serde(default)]
    pub(crate) received_bytes: f64,
    #[serde(default)]
    pub(crate) total_bytes: f64,
    #[serde(default)]
    pub(crate) state: String,
}
