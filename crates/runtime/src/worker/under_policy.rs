//! What the owner of a request may use: pages and tools under the policy of the tenant.

use wire::tenancy::TenantRequest;

use super::Workers;
use crate::error::ServiceError;
use crate::pages::PageService;
use crate::tooling::ToolService;

impl Workers {
    /// Reads single pages as the policy of the owner allows.
    ///
    /// # Errors
    /// When the policy cannot be read.
    pub async fn pages_for(&self, owner: &str) -> Result<PageService, ServiceError> {
        Ok(self.0.pages.with_services(self.0.of_tenants.of(owner).await?))
    }

    /// Lists, runs and checks the tools that the policy of the owner allows.
    ///
    /// # Errors
    /// When the policy cannot be read.
    pub async fn tools_for(&self, owner: &str) -> Result<ToolService, ServiceError> {
        Ok(self.0.tools.with_services(self.0.of_tenants.of(owner).await?))
    }

    /// Checks whether the address of a receiver of webhooks, or of a page to be watched, may be reached by the owner.
    ///
    /// # Errors
    /// When it may not, or its host has no address.
    pub async fn check_address(&self, owner: &str, url: &str) -> Result<(), ServiceError> {
        let services = self.0.of_tenants.of(owner).await?;
        let checked = agents::delivery::check_receiver(&services, url).await;
        checked.map_err(ServiceError::from)
    }

    /// Checks the policy and the keys of a request about a tenant.
    ///
    /// # Errors
    /// Naming the field that is wrong.
    pub fn check_policy(&self, request: &TenantRequest) -> Result<(), ServiceError> {
        crate::tenants::check_policy(request, &self.0.services.tools)
    }
}
