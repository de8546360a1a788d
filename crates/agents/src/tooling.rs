//! Tools in the hands of agents: which there are, what a run lends them, and how their errors are told.

pub mod plugins;
pub mod single;

use std::sync::Arc;

use browser::Profile;
use tools::{Grant, ToolContext, ToolServices};
use wire::Code;

use crate::services::AgentServices;

/// A place for tools to work in.
pub fn context(services: &AgentServices, profile: Profile, meter: &llm::Meter, grant: Grant) -> ToolContext {
    let seat = |models: &llm::Models| models.seat(llm::Role::Extractor, meter.clone()).ok();
    let services = ToolServices {
        browser: Some(Arc::clone(&services.browser)),
        profile,
        client: Some(services.client.clone()),
        sandbox: services.sandbox.clone(),
        seat: services.models.as_ref().and_then(seat),
        ..ToolServices::default()
    };
    ToolContext::new(services, grant)
}

/// The code that a client sees for a tool's own name of an error.
pub fn code(name: &str) -> Code {
    let known = Code::ALL.iter().find(|it| it.as_str() == name);
    known.copied().unwrap_or(match name {
        "UNKNOWN_REF" | "NOT_ACTIONABLE" => Code::StaleRef,
        "NO_PAGE" | "NO_HISTORY" => Code::EmptyContent,
        "PAGE_CRASHED" => Code::BrowserDisconnected,
        _ => Code::ToolFailed,
    })
}
