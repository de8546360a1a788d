//! Dialogs of pages (alert, confirm, prompt, beforeunload): default answers, and what is reported about them.

use crate::browser::OpenDialog;

/// An open dialog that blocks its page until it is answered.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PendingDialog {
    pub(super) session: String,
    /// Which dialog of its context it is, from 1.
    pub(super) number: u64,
    pub(super) open: OpenDialog,
}

/// An answer to a dialog.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DialogAnswer {
    pub(super) accept: bool,
    /// The text of a prompt; its suggestion when absent.
    pub(super) text: Option<String>,
}

impl DialogAnswer {
    /// The answer without instructions: what is asked is denied, leaving is allowed.
    pub(super) fn default_for(kind: &str) -> DialogAnswer {
        DialogAnswer {
            accept: matches!(kind, "alert" | "beforeunload"),
            text: None,
        }
    }

    /// The answer as a participle.
    pub(super) fn verb(&self) -> &'static str {
        if self.accept { "accepted" } else { "dismissed" }
    }
}

/// What a dialog asks, as a part of a sentence.
pub(super) fn describe(open: &OpenDialog) -> String {
    match open.kind.as_str() {
        "beforeunload" => "whether it may be left; what was not saved there may be lost".to_owned(),
        kind => format!("{:?} ({kind})", open.text),
    }
}

/// The note about a dialog that was answered at once. `is_instructed` says that the caller chose the answer.
pub(super) fn answered_note(open: &OpenDialog, answer: &DialogAnswer, is_instructed: bool) -> String {
    let text = &open.text;
    match open.kind.as_str() {
        "alert" => format!("the page said {text:?} in a dialog, which was closed"),
        "beforeunload" => "the page asked whether it may be left; it was left".to_owned(),
        kind => {
            let hint = if is_instructed {
                ""
            } else {
                "; to answer otherwise, use the dialog action first and repeat"
            };
            format!("the page asked {text:?} ({kind}); it was {}{hint}", answer.verb())
        }
    }
}
