//! Domain `Target`: browser contexts, tabs and sessions with them.

use serde::{Deserialize, Serialize};

use super::command::{Ignored, commands};

commands! {
    SetAutoAttach: "Target.setAutoAttach" => Ignored;
    CreateBrowserContext<'_>: "Target.createBrowserContext" => CreatedBrowserContext;
    DisposeBrowserContext<'_>: "Target.disposeBrowserContext" => Ignored;
    CreateTarget<'_>: "Target.createTarget" => CreatedTarget;
    CloseTarget<'_>: "Target.closeTarget" => Ignored;
    ActivateTarget<'_>: "Target.activateTarget" => Ignored;
    DetachFromTarget<'_>: "Target.detachFromTarget" => Ignored;
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetAutoAttach {
    auto_attach: bool,
    wait_for_debugger_on_start: bool,
    flatten: bool,
}

impl SetAutoAttach {
    /// Attaches to every new target, which waits until it is told to run.
    pub(crate) const PAUSED: SetAutoAttach = SetAutoAttach {
        auto_attach: true,
        wait_for_debugger_on_start: true,
        flatten: true,
    };
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreateBrowserContext<'a> {
    pub(crate) dispose_on_detach: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) proxy_server: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) proxy_bypass_list: Option<&'a str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreatedBrowserContext {
    pub(crate) browser_context_id: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DisposeBrowserContext<'a> {
    pub(crate) browser_context_id: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreateTarget<'a> {
    pub(crate) url: &'a str,
    pub(crate) browser_context_id: &'a str,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreatedTarget {
    pub(crate) target_id: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CloseTarget<'a> {
    pub(crate) target_id: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ActivateTarget<'a> {
    pub(crate) target_id: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DetachFromTarget<'a> {
    pub(crate) session_id: &'a str,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AttachedToTarget {
    pub(crate) session_id: String,
    pub(crate) target_info: TargetInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TargetInfo {
    pub(crate) target_id: String,
    pub(crate) r#type: String,
    #[serde(default)]
    pub(crate) browser_context_id: String,
    pub(crate) opener_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DetachedFromTarget {
    pub(crate) session_id: String,
}
