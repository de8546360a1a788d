//! Domain `Emulation`: size of the view and focus.

use serde::Serialize;

use super::command::{Ignored, commands};

commands! {
    SetTimezoneOverride<'_>: "Emulation.setTimezoneOverride" => Ignored;
    SetLocaleOverride<'_>: "Emulation.setLocaleOverride" => Ignored;
    SetUserAgentOverride<'_>: "Emulation.setUserAgentOverride" => Ignored;
    SetScriptExecutionDisabled: "Emulation.setScriptExecutionDisabled" => Ignored;
    SetDeviceMetricsOverride: "Emulation.setDeviceMetricsOverride" => Ignored;
    SetFocusEmulationEnabled: "Emulation.setFocusEmulationEnabled" => Ignored;
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetDeviceMetricsOverride {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) device_scale_factor: u32,
    pub(crate) mobile: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetTimezoneOverride<'a> {
    pub(crate) timezone_id: &'a str,
}

#[derive(Serialize)]
pub(crate) struct SetLocaleOverride<'a> {
    pub(crate) locale: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetUserAgentOverride<'a> {
    /// Empty for the browser's own.
    pub(crate) user_agent: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) accept_language: Option<&'a str>,
}

#[derive(Serialize)]
pub(crate) struct SetFocusEmulationEnabled {
    pub(crate) enabled: bool,
}

#[derive(Serialize)]
pub(crate) struct SetScriptExecutionDisabled {
    /// Whether scripts are disabled.
    pub(crate) value: bool,
}
