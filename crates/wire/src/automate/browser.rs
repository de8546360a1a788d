//! `browser:*` and `cdp:*`: what happens to the browser.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `browser:navigated`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BrowserNavigated {
    /// Title of the page.
    pub title: String,
    /// Where the browser arrived, after redirects.
    pub url: String,
}

/// `browser:action_completed`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BrowserActionCompleted {
    /// Whether it worked.
    pub success: bool,
    /// Why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Which action. An addition of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Whether the agent can go on after this error. An addition of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_recoverable: Option<bool>,
}

/// How a screenshot is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImageFormat {
    /// JPEG.
    Jpeg,
    /// PNG.
    Png,
}

/// The same as a media type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum ImageMediaType {
    /// JPEG.
    #[serde(rename = "image/jpeg")]
    Jpeg,
    /// PNG.
    #[serde(rename = "image/png")]
    Png,
}

/// `browser:screenshot_captured`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BrowserScreenshotCaptured {
    /// Encoding.
    pub format: ImageFormat,
    /// Size in bytes.
    pub size: u64,
}

/// `browser:screenshot_captured_image`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BrowserScreenshotCapturedImage {
    /// The image, base64.
    pub image: String,
    /// Its type.
    pub media_type: ImageMediaType,
}

/// `browser:reconnected`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BrowserReconnected {
    /// The page that was opened again.
    pub starting_url: String,
    /// Which endpoint took over, from 0.
    pub endpoint_index: u32,
    /// How many endpoints there are.
    pub total: u32,
}

/// `cdp:endpoint_connected`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CdpEndpointConnected {
    /// Which endpoint, from 0.
    pub endpoint_index: u32,
    /// How many endpoints there are.
    pub total: u32,
}

/// `cdp:endpoint_cycle`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CdpEndpointCycle {
    /// Which attempt failed, from 1.
    pub attempt: u32,
    /// How many endpoints there are.
    pub total: u32,
    /// The error's name only: its text may hold an endpoint's address or token.
    pub error: String,
}
