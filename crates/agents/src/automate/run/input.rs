//! RunInput and RoleModels: what a run is started with, and the models it asks.

use llm::RoleModel;
use wire::automate::AutomateEvent;
use wire::error::ErrorBody;
use wire::tabstack::AutomateRequest;
use wire::{Audience, RunId};

use crate::run::Run;
use crate::services::AgentServices;

/// The models of a run.
pub(super) struct RoleModels {
    pub(super) planner: RoleModel,
    pub(super) extractor: RoleModel,
    pub(super) validator: RoleModel,
}

/// What a run is started with.
pub(in crate::automate) struct RunInput<'a> {
    pub(in crate::automate) run: &'a Run<AutomateEvent>,
    pub(in crate::automate) id: &'a RunId,
    pub(in crate::automate) request: &'a AutomateRequest,
    pub(in crate::automate) services: &'a AgentServices,
    pub(in crate::automate) audience: Audience,
    pub(in crate::automate) trace: Option<&'a str>,
    /// Why its pages cannot be opened as it wishes.
    pub(in crate::automate) refused: Option<ErrorBody>,
}
