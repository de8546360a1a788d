//! Domain `Runtime`: evaluation of scripts, and handles to JavaScript objects.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::command::{Ignored, commands};

commands! {
    RunIfWaitingForDebugger: "Runtime.runIfWaitingForDebugger" => Ignored;
    Evaluate<'_>: "Runtime.evaluate" => Evaluated;
    CallFunctionOn<'_>: "Runtime.callFunctionOn" => Evaluated;
    ReleaseObject<'_>: "Runtime.releaseObject" => Ignored;
    ReleaseObjectGroup<'_>: "Runtime.releaseObjectGroup" => Ignored;
    TerminateExecution: "Runtime.terminateExecution" => Ignored;
}

#[derive(Serialize)]
pub(crate) struct RunIfWaitingForDebugger {}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Evaluate<'a> {
    pub(crate) expression: &'a str,
    /// The page's own world when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) context_id: Option<i64>,
    pub(crate) return_by_value: bool,
    pub(crate) await_promise: bool,
    /// In milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) timeout: Option<u64>,
    /// Whether the page may do what it may do only in answer to a person.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) user_gesture: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Evaluated {
    pub(crate) result: RemoteObject,
    pub(crate) exception_details: Option<ExceptionDetails>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct RemoteObject {
    pub(crate) object_id: Option<String>,
    pub(crate) value: Value,
    pub(crate) description: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct ExceptionDetails {
    #[serde(default)]
    text: String,
    #[serde(default)]
    exception: RemoteObject,
}

impl ExceptionDetails {
    /// What was thrown, as text.
    pub(crate) fn message(&self) -> &str {
        let thrown = self.exception.description.as_deref();
        thrown.or(self.exception.value.as_str()).unwrap_or(&self.text)
    }

    /// Whether the script was stopped because it took too long.
    pub(crate) fn is_termination(&self) -> bool {
        self.message().contains("Execution was terminated")
    }
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallFunctionOn<'a> {
    pub(crate) function_declaration: &'a str,
    /// The function's `this`; or else `execution_context_id` says where it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) object_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) execution_context_id: Option<i64>,
    pub(crate) arguments: Vec<CallArgument>,
    pub(crate) return_by_value: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallArgument {
    pub(crate) object_id: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReleaseObject<'a> {
    pub(crate) object_id: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReleaseObjectGroup<'a> {
    pub(crate) object_group: &'a str,
}

#[derive(Serialize)]
pub(crate) struct TerminateExecution {}
