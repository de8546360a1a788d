//! Domain `Input`: events of the pointer and the keyboard.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::command::{Ignored, commands};

commands! {
    MouseEvent: "Input.dispatchMouseEvent" => Ignored;
    KeyEvent: "Input.dispatchKeyEvent" => Ignored;
    DragEvent<'_>: "Input.dispatchDragEvent" => Ignored;
    SetInterceptDrags: "Input.setInterceptDrags" => Ignored;
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MouseEvent {
    pub(crate) r#type: MouseEventType,
    /// Of the viewport, in CSS pixels.
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) button: MouseButton,
    /// The buttons held, as bits: 1 left, 2 right.
    pub(crate) buttons: u8,
    pub(crate) click_count: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) delta_x: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) delta_y: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) enum MouseEventType {
    #[serde(rename = "mouseMoved")]
    Moved,
    #[serde(rename = "mousePressed")]
    Pressed,
    #[serde(rename = "mouseReleased")]
    Released,
    #[serde(rename = "mouseWheel")]
    Wheel,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum MouseButton {
    None,
    Left,
    Right,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct KeyEvent {
    pub(crate) r#type: KeyEventType,
    pub(crate) key: String,
    pub(crate) code: String,
    pub(crate) windows_virtual_key_code: u32,
    /// The keys held, as bits: 1 Alt, 2 Control, 4 Meta, 8 Shift.
    pub(crate) modifiers: u8,
    pub(crate) location: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unmodified_text: Option<String>,
    /// Editing commands, as in Blink's `EditorCommandNames`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) commands: Option<[&'static str; 1]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum KeyEventType {
    /// A key that writes text.
    KeyDown,
    /// A key that writes none.
    RawKeyDown,
    KeyUp,
}

#[derive(Serialize)]
pub(crate) struct DragEvent<'a> {
    pub(crate) r#type: DragEventType,
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// As [`DragIntercepted`] gave it.
    pub(crate) data: &'a RawValue,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum DragEventType {
    DragEnter,
    DragOver,
    Drop,
}

#[derive(Serialize)]
pub(crate) struct SetInterceptDrags {
    pub(crate) enabled: bool,
}

#[derive(Deserialize)]
pub(crate) struct DragIntercepted {
    pub(crate) data: Box<RawValue>,
}
