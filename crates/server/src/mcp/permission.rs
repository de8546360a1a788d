//! Permission: which scopes of a key open which tool, and the metering of tools that answer at once.

use rmcp::model::ErrorData;
use runtime::ServiceError;
use runtime::tenants::usage::RequestMeter;
use wire::tenancy::Scope;

use super::answer::Answer;
use super::session::Session;
use crate::submit;

/// The scopes of which a key needs one for a tool: those of the endpoint that does the same.
pub(super) fn needed(tool: &str) -> &'static [Scope] {
    match tool {
        "run_wait" | "tool_find" => &[Scope::Read],
        "read" | "scrape" => &[Scope::Scrape],
        "search" => &[Scope::Scrape, Scope::Research],
        "research" => &[Scope::Research],
        "tool_run" => &[Scope::Tools],
        "run_cancel" => &Scope::RUNNING,
        _ => &[Scope::Automate],
    }
}

impl Session {
    /// Refuses a client whose key has none of these scopes.
    pub(super) fn permit(&self, any_of: &[Scope]) -> Result<(), Answer> {
        self.caller
            .missing(any_of)
            .map_or(Ok(()), |text| Err(Answer::failure(text)))
    }

    /// Refuses a client whose key may not see runs.
    pub(super) fn permit_resources(&self) -> Result<(), ErrorData> {
        self.permit_request(&[Scope::Read])
    }

    /// Refuses a request, other than a call of a tool, of a client whose key has none of these scopes.
    pub(super) fn permit_request(&self, any_of: &[Scope]) -> Result<(), ErrorData> {
        let missing = self.caller.missing(any_of);
        missing.map_or(Ok(()), |text| Err(ErrorData::invalid_request(text, None)))
    }

    /// Admits work that the client waits for, and meters it as `kind`.
    pub(super) async fn metered(&self, kind: &'static str) -> Result<RequestMeter, ServiceError> {
        submit::metered(&self.state.tenants, &self.caller, kind).await
    }
}
