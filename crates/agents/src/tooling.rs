//! Tools in the hands of agents: which there are, what a run lends them, and how their errors are told.

pub mod plugins;
pub mod single;

use std::sync::Arc;

use tools::{Cx, Grant, Setting};
use browser::Profile;
use wire::Code;

use crate::kit::Kit;

/// A place for tools to work in.
pub fn cx(kit: &Kit, profile: Profile, meter: &llm::Meter, grant: Grant) -> Cx {
    let seat = |models: &llm::Models| models.seat(llm::Role::Extractor, meter.clone()).ok();
    let setting = Setting {
        browser: Some(Arc::clone(&kit.browser)),
        profile,
        client: Some(kit.client.clone()),
        documents: kit.documents.clone(),
        seat: kit.models.as_ref().and_then(seat),
        ..Setting::default()
    };
    Cx::new(setting, grant)
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
