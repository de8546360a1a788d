//! Actions on a tab, and the capabilities that engines need for them.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::snapshot::Ref;

/// An action on a tab.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum Action {
    /// Clicks an element. On a link this follows it, on a submit button it sends the form.
    Click {
        /// The element.
        target: Ref,
        /// How often: two for a double click.
        #[serde(default = "default_times")]
        times: u8,
    },
    /// Moves the pointer over an element.
    Hover {
        /// The element.
        target: Ref,
        /// The place within it, from its top left corner; anywhere in it when absent.
        #[serde(default)]
        at: Option<Point>,
    },
    /// Replaces the value of a field, as a person would who selects all and types.
    Fill {
        /// The field.
        target: Ref,
        /// Its new value; an ISO date or time for fields of that kind.
        value: String,
    },
    /// Types into an element by real keys, after what is there.
    Type {
        /// The element.
        target: Ref,
        /// The text.
        text: String,
    },
    /// Presses keys, such as `Enter`, `Control+A`, `ArrowDown`.
    Press {
        /// The keys, joined by plus signs.
        keys: String,
        /// The element that gets them; the focused one when absent.
        target: Option<Ref>,
    },
    /// Chooses options of a list, by their value or their visible text.
    Select {
        /// The field.
        target: Ref,
        /// The options; several only where the field takes several.
        options: Vec<String>,
    },
    /// Sets a checkbox, a radio button or a switch.
    Check {
        /// The element.
        target: Ref,
        /// The new state.
        on: bool,
    },
    /// Sets the files of a file field.
    Upload {
        /// The field.
        target: Ref,
        /// The files.
        files: Vec<PathBuf>,
    },
    /// Submits the form that an element belongs to, as Enter in one of its fields would.
    Submit {
        /// The form, or an element in it.
        target: Ref,
    },
    /// Scrolls an element, or the page.
    Scroll {
        /// The element; the page when absent.
        target: Option<Ref>,
        /// To the right, in CSS pixels.
        #[serde(default)]
        right: f64,
        /// Downwards, in CSS pixels.
        #[serde(default)]
        down: f64,
    },
    /// Drags one element onto another.
    Drag {
        /// The dragged element.
        from: Ref,
        /// The drop target.
        to: Ref,
    },
    /// Clicks an element with the right button, for its menu.
    RightClick {
        /// The element.
        target: Ref,
    },
    /// Clicks a point within an element, as on a map, an image or a slider.
    ClickAt {
        /// The element.
        target: Ref,
        /// The place, from the element's top left corner.
        at: Point,
    },
    /// Gives an element the focus without clicking it.
    Focus {
        /// The element.
        target: Ref,
    },
    /// Drags from one place to another, as on a slider or a canvas.
    DragTo {
        /// The dragged element.
        from: Ref,
        /// Where it is taken, from its top left corner; its middle when absent.
        #[serde(default)]
        from_at: Option<Point>,
        /// Where it is dropped; without it, `at` is a distance from where the drag begins.
        #[serde(default)]
        to: Option<Ref>,
        /// The place within `to`, from its top left corner, or the distance; the middle of `to` when absent.
        #[serde(default)]
        at: Option<Point>,
    },
    /// Selects text by the pointer.
    SelectText {
        /// The element that holds it; the page when absent.
        #[serde(default)]
        target: Option<Ref>,
        /// The text; all that the element holds when absent.
        #[serde(default)]
        text: Option<String>,
    },
    /// Switches to another tab that the page has opened.
    SwitchTab {
        /// Its number in the list of tabs.
        tab: u32,
    },
    /// Closes a tab; the current one when no number is given.
    CloseTab {
        /// Its number in the list of tabs.
        #[serde(default)]
        tab: Option<u32>,
    },
    /// Answers the open dialog; without one, sets how the next ones are answered, until it is set again.
    Dialog {
        /// Whether to accept.
        accept: bool,
        /// The text of a prompt.
        #[serde(default)]
        text: Option<String>,
    },
    /// Waits.
    Wait {
        /// The condition.
        until: WaitCondition,
        /// At most this long, in milliseconds.
        #[serde(default = "default_timeout_ms")]
        timeout_ms: u64,
    },
}

/// A point or a distance in CSS pixels, to the right and downwards.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

impl Point {
    /// The point at a distance from this one.
    pub(crate) fn offset(self, by: Point) -> Point {
        Point {
            x: self.x + by.x,
            y: self.y + by.y,
        }
    }
}

/// The condition of a wait.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitCondition {
    /// The time has passed.
    Passed,
    /// The page shows this text.
    Text(String),
    /// The page no longer shows this text.
    Gone(String),
    /// The element is visible.
    Shown(Ref),
    /// The element is no longer visible.
    Vanished(Ref),
    /// The page is loaded and stable.
    Quiet,
}

fn default_times() -> u8 {
    1
}

fn default_timeout_ms() -> u64 {
    10_000
}

impl Action {
    /// The capability that this action needs.
    pub fn needs(&self) -> Capability {
        match self {
            Action::Click { .. } => Capability::Links,
            Action::Fill { .. }
            | Action::Type { .. }
            | Action::Select { .. }
            | Action::Check { .. }
            | Action::Submit { .. } => Capability::Forms,
            Action::Upload { .. } => Capability::Upload,
            Action::Hover { .. } => Capability::Hover,
            Action::RightClick { .. } | Action::ClickAt { .. } => Capability::Pointer,
            Action::SwitchTab { .. } | Action::CloseTab { .. } => Capability::Tabs,
            Action::Dialog { .. } => Capability::Dialogs,
            Action::Focus { .. } | Action::Press { .. } => Capability::Keys,
            Action::Scroll { .. } => Capability::Scroll,
            Action::Drag { .. } | Action::DragTo { .. } | Action::SelectText { .. } => Capability::Drag,
            Action::Wait { .. } => Capability::Wait,
        }
    }

    /// The name of its kind, as it is serialized.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Action::Click { .. } => "click",
            Action::Hover { .. } => "hover",
            Action::Fill { .. } => "fill",
            Action::Type { .. } => "type",
            Action::Press { .. } => "press",
            Action::Select { .. } => "select",
            Action::Check { .. } => "check",
            Action::Upload { .. } => "upload",
            Action::Submit { .. } => "submit",
            Action::Scroll { .. } => "scroll",
            Action::Drag { .. } => "drag",
            Action::RightClick { .. } => "right_click",
            Action::ClickAt { .. } => "click_at",
            Action::Focus { .. } => "focus",
            Action::DragTo { .. } => "drag_to",
            Action::SelectText { .. } => "select_text",
            Action::SwitchTab { .. } => "switch_tab",
            Action::CloseTab { .. } => "close_tab",
            Action::Dialog { .. } => "dialog",
            Action::Wait { .. } => "wait",
        }
    }

    /// The elements the action names.
    pub fn refs(&self) -> Vec<Ref> {
        self.clone().targets().into_iter().map(|target| *target).collect()
    }

    /// The same action on other elements.
    pub fn with_refs(&self, rename: impl Fn(Ref) -> Ref) -> Action {
        let mut action = self.clone();
        for target in action.targets() {
            *target = rename(*target);
        }
        action
    }

    fn targets(&mut self) -> Vec<&mut Ref> {
        match self {
            Action::Click { target, .. }
            | Action::Hover { target, .. }
            | Action::Fill { target, .. }
            | Action::Type { target, .. }
            | Action::Select { target, .. }
            | Action::Check { target, .. }
            | Action::Upload { target, .. }
            | Action::RightClick { target }
            | Action::ClickAt { target, .. }
            | Action::Focus { target }
            | Action::Submit { target }
            | Action::Wait {
                until: WaitCondition::Shown(target) | WaitCondition::Vanished(target),
                ..
            } => vec![target],
            Action::DragTo { from, to, .. } => std::iter::once(from).chain(to).collect(),
            Action::Press { target, .. }
            | Action::Scroll { target, .. }
            | Action::SelectText { target, .. } => target.iter_mut().collect(),
            Action::Drag { from, to } => vec![from, to],
            Action::Wait { .. }
            | Action::SwitchTab { .. }
            | Action::CloseTab { .. }
            | Action::Dialog { .. } => vec![],
        }
    }

    /// The longest wait, for an action that waits.
    pub fn patience(&self) -> Option<Duration> {
        match self {
            Action::Wait { timeout_ms, .. } => Some(Duration::from_millis(*timeout_ms)),
            _ => None,
        }
    }
}

/// An ability that an engine may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Capability {
    /// Follows links.
    Links,
    /// Fills and sends forms.
    Forms,
    /// Gives files to forms.
    Upload,
    /// Runs the page's scripts.
    Scripts,
    /// Moves the pointer without clicking.
    Hover,
    /// Presses keys.
    Keys,
    /// Scrolls.
    Scroll,
    /// Drags and drops.
    Drag,
    /// Waits for changes of the page.
    Wait,
    /// Takes screenshots.
    Screenshot,
    /// Clicks with either button, at any point.
    Pointer,
    /// Switches tabs.
    Tabs,
    /// Answers dialogs.
    Dialogs,
    /// Finds elements by a CSS selector.
    Selectors,
}

impl Capability {
    /// Every capability.
    pub const ALL: [Capability; 14] = [
        Capability::Links,
        Capability::Forms,
        Capability::Upload,
        Capability::Scripts,
        Capability::Hover,
        Capability::Keys,
        Capability::Scroll,
        Capability::Drag,
        Capability::Wait,
        Capability::Screenshot,
        Capability::Pointer,
        Capability::Tabs,
        Capability::Dialogs,
        Capability::Selectors,
    ];

    /// Its name in texts.
    pub fn word(self) -> &'static str {
        match self {
            Capability::Links => "links",
            Capability::Forms => "forms",
            Capability::Upload => "upload",
            Capability::Scripts => "scripts",
            Capability::Hover => "hover",
            Capability::Keys => "keys",
            Capability::Scroll => "scroll",
            Capability::Drag => "drag",
            Capability::Wait => "wait",
            Capability::Screenshot => "screenshot",
            Capability::Pointer => "pointer",
            Capability::Tabs => "tabs",
            Capability::Dialogs => "dialogs",
            Capability::Selectors => "selectors",
        }
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// An action that an engine is not capable of, with what to do instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this engine has no {what}; {advice}")]
pub struct NotCapable {
    /// What is missing.
    pub what: Capability,
    /// What to try instead.
    pub advice: &'static str,
}
