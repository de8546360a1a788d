//! Domain `Emulation`: size of the view and focus.

use serde::Serialize;

use super::command::{Ignored, commands};

commands! {
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
pub(crate) struct SetFocusEmulationEnabled {
    pub(crate) enabled: bool,
}

#[derive(Serialize)]
pub(crate) struct SetScriptExecutionDisabled {
    /// Whether scripts are disabled.
    pub(crate) value: bool,
}
