//! `CheckAccount`: on whose account a check is done, and what it may use.

use std::sync::Arc;

use agents::services::AgentServices;
use wire::Code;

use super::records::StoredMonitor;
use super::run_check;
use crate::error::ServiceError;
use crate::tenants::admission::AdmittedRun;
use crate::tenants::policy::SharedTenantServices;
use crate::tenants::usage::RequestMeter;
use crate::tenants::{Identity, Tenants};

/// What one check uses. Dropping this adds it to the usage of the owner.
pub(super) struct CheckAccount {
    /// The services of the owner, whose models are metered.
    pub(super) services: AgentServices,
    /// What a run of the check gets, where the check is one.
    pub(super) admitted: AdmittedRun,
    /// What the check uses itself. A run of it is counted as any other.
    pub(super) meter: RequestMeter,
}

impl CheckAccount {
    /// # Errors
    /// When a budget of the owner is used up, or the store fails.
    pub(super) async fn open(
        tenants: &Tenants,
        services: &SharedTenantServices,
        monitor: &StoredMonitor,
    ) -> Result<Self, ServiceError> {
        let identity = identity(tenants, &monitor.owner).await?;
        let admitted = match &identity {
            Some(identity) => tenants.admit(identity).await?,
            None => AdmittedRun::default(),
        };
        let services = services.of(&monitor.owner).await?;
        let mut meter = tenants.meter(identity.as_ref(), "monitor", admitted.budget);
        if run_check::job(monitor).is_some() {
            meter.within_a_run();
        }
        Ok(Self {
            services: services.entering(meter.ledger()),
            admitted,
            meter,
        })
    }
}

/// The owner as somebody whose limits hold; none where no keys are in use.
async fn identity(tenants: &Tenants, owner: &str) -> Result<Option<Identity>, ServiceError> {
    if owner.is_empty() {
        return Ok(None);
    }
    let mut identity = Identity::of_environment(owner);
    match tenants.get(owner).await {
        Ok(tenant) => identity.tenant = Arc::new(tenant),
        Err(error) if error.code == Code::NotFound => {}
        Err(error) => return Err(error),
    }
    Ok(Some(identity))
}
