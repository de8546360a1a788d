//! Domain `Page`: navigation, frames, dialogs and pictures; and `Inspector`, which reports crashes.

use serde::{Deserialize, Serialize};

use super::command::{Ignored, commands};

commands! {
    EnablePage: "Page.enable" => Ignored;
    EnableInspector: "Inspector.enable" => Ignored;
    AddScriptToEvaluateOnNewDocument<'_>: "Page.addScriptToEvaluateOnNewDocument" => AddedScript;
    RemoveScriptToEvaluateOnNewDocument<'_>: "Page.removeScriptToEvaluateOnNewDocument" => Ignored;
    SetInterceptFileChooserDialog: "Page.setInterceptFileChooserDialog" => Ignored;
    CreateIsolatedWorld<'_>: "Page.createIsolatedWorld" => IsolatedWorld;
    GetFrameTree: "Page.getFrameTree" => Ignored;
    NavigatePage<'_>: "Page.navigate" => Navigated;
    StopLoading: "Page.stopLoading" => Ignored;
    GetNavigationHistory: "Page.getNavigationHistory" => NavigationHistory;
    NavigateToHistoryEntry: "Page.navigateToHistoryEntry" => Ignored;
    HandleJavaScriptDialog<'_>: "Page.handleJavaScriptDialog" => Ignored;
    GetLayoutMetrics: "Page.getLayoutMetrics" => LayoutMetrics;
    CaptureScreenshot: "Page.captureScreenshot" => CapturedScreenshot;
    StartScreencast: "Page.startScreencast" => Ignored;
    StopScreencast: "Page.stopScreencast" => Ignored;
    AcknowledgeScreencastFrame: "Page.screencastFrameAck" => Ignored;
}

#[derive(Serialize)]
pub(crate) struct EnablePage {}

#[derive(Serialize)]
pub(crate) struct EnableInspector {}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AddScriptToEvaluateOnNewDocument<'a> {
    pub(crate) source: &'a str,
    pub(crate) run_immediately: bool,
    /// The isolated world it runs in; the page's own when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) world_name: Option<&'a str>,
}

#[derive(Deserialize)]
pub(crate) struct AddedScript {
    pub(crate) identifier: String,
}

#[derive(Serialize)]
pub(crate) struct RemoveScriptToEvaluateOnNewDocument<'a> {
    pub(crate) identifier: &'a str,
}

#[derive(Serialize)]
pub(crate) struct SetInterceptFileChooserDialog {
    pub(crate) enabled: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreateIsolatedWorld<'a> {
    pub(crate) frame_id: &'a str,
    pub(crate) world_name: &'a str,
    /// Spelled as in the protocol.
    pub(crate) grant_univeral_access: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct IsolatedWorld {
    pub(crate) execution_context_id: i64,
}

#[derive(Serialize)]
pub(crate) struct GetFrameTree {}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NavigatePage<'a> {
    pub(crate) url: &'a str,
    pub(crate) transition_type: &'a str,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Navigated {
    /// Absent for a navigation within the document.
    pub(crate) loader_id: Option<String>,
    pub(crate) error_text: Option<String>,
    #[serde(default)]
    pub(crate) is_download: bool,
}

#[derive(Serialize)]
pub(crate) struct StopLoading {}

#[derive(Serialize)]
pub(crate) struct GetNavigationHistory {}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NavigationHistory {
    pub(crate) current_index: i64,
    pub(crate) entries: Vec<NavigationEntry>,
}

#[derive(Deserialize)]
pub(crate) struct NavigationEntry {
    pub(crate) id: i64,
    pub(crate) url: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NavigateToHistoryEntry {
    pub(crate) entry_id: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HandleJavaScriptDialog<'a> {
    pub(crate) accept: bool,
    pub(crate) prompt_text: &'a str,
}

#[derive(Serialize)]
pub(crate) struct GetLayoutMetrics {}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LayoutMetrics {
    pub(crate) css_content_size: ContentSize,
}

#[derive(Deserialize)]
pub(crate) struct ContentSize {
    pub(crate) width: f64,
    pub(crate) height: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CaptureScreenshot {
    pub(crate) format: &'static str,
    /// Of JPEG, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) quality: Option<u8>,
    pub(crate) optimize_for_speed: bool,
    pub(crate) capture_beyond_viewport: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) clip: Option<Clip>,
}

#[derive(Serialize)]
pub(crate) struct Clip {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) scale: f64,
}

#[derive(Deserialize)]
pub(crate) struct CapturedScreenshot {
    /// Base64.
    pub(crate) data: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StartScreencast {
    pub(crate) format: &'static str,
    /// In percent.
    pub(crate) quality: u8,
    pub(crate) max_width: u32,
    pub(crate) max_height: u32,
}

#[derive(Serialize)]
pub(crate) struct StopScreencast {}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AcknowledgeScreencastFrame {
    /// The number of the frame, which the protocol calls so.
    pub(crate) session_id: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScreencastFrame {
    /// Base64.
    pub(crate) data: String,
    pub(crate) session_id: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameAttached {
    pub(crate) frame_id: String,
    pub(crate) parent_frame_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameDetached {
    pub(crate) frame_id: String,
    /// `swap` when the frame goes on in another process.
    pub(crate) reason: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct FrameNavigated {
    pub(crate) frame: NavigatedFrame,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NavigatedFrame {
    pub(crate) id: String,
    pub(crate) parent_id: Option<String>,
    #[serde(default)]
    pub(crate) loader_id: String,
    pub(crate) url: String,
    pub(crate) url_fragment: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NavigatedWithinDocument {
    pub(crate) frame_id: String,
    #[serde(default)]
    pub(crate) url: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameRequestedNavigation {
    pub(crate) frame_id: String,
    #[serde(default)]
    pub(crate) url: String,
    pub(crate) disposition: Option<String>,
}

/// `Page.frameStartedLoading` and `Page.frameStoppedLoading`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameLoading {
    pub(crate) frame_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct JavascriptDialogOpening {
    #[serde(default)]
    pub(crate) r#type: String,
    #[serde(default)]
    pub(crate) message: String,
    pub(crate) default_prompt: Option<String>,
}
