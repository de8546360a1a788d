//! `LimitState`: a limit of a tenant with what is used of it, for people to see.

use std::time::Duration;

use jiff::tz::TimeZone;
use serde::Serialize;
use store::jobs::JobQuery;
use wire::run::RunStatus;
use wire::tenancy::TenantLimits;

use super::records::Tenant;
use super::registry::Tenants;
use crate::error::ServiceError;

/// Most runs that are counted.
const MAX_COUNTED: usize = 10_000;

/// A limit that holds for a tenant.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LimitState {
    /// Its name, one of [`TenantLimits::NAMES`].
    pub name: &'static str,
    /// The limit; more than 0.
    pub limit: f64,
    /// What is used, in the unit of the limit; none where that is not counted between requests.
    pub used: Option<f64>,
    /// Seconds until it is 0 again; none where nothing but the end or the deletion of runs makes room.
    pub ends_in_seconds: Option<u64>,
}

impl Tenants {
    /// The limits that hold for a tenant with what is used of each, in the order of [`TenantLimits::NAMES`].
    ///
    /// # Errors
    /// When the store fails.
    pub async fn limit_states(&self, tenant: &Tenant) -> Result<Vec<LimitState>, ServiceError> {
        let limits = self.limits(tenant);
        let name = tenant.name.as_str();
        let [day, month] = self.periods(name, &self.now().to_zoned(TimeZone::UTC)).await?;
        let mut states = Vec::new();
        for (limit_name, limit) in named(&limits) {
            let Some(limit) = limit else { continue };
            let period = if limit_name.ends_with("_day") {
                &day
            } else {
                &month
            };
            let used = &period.used;
            let (used, ends_in) = match limit_name {
                "running" => (Some(self.count(name, RunStatus::Running).await?), None),
                "queued" => (Some(self.count(name, RunStatus::Queued).await?), None),
                "stored_megabytes" => {
                    let bytes = self.store().owners.stored_bytes(name).await?;
                    (Some(number(bytes) / 1e6), None)
                }
                "pages_per_day" | "pages_per_month" => (Some(number(used.pages)), Some(period.ends_in)),
                "tokens_per_day" | "tokens_per_month" => {
                    let tokens = used.input_tokens.saturating_add(used.output_tokens);
                    (Some(number(tokens)), Some(period.ends_in))
                }
                "dollars_per_day" | "dollars_per_month" => {
                    (Some(number(used.micro_dollars) / 1e6), Some(period.ends_in))
                }
                _ => (None, None),
            };
            states.push(LimitState {
                name: limit_name,
                limit,
                used,
                ends_in_seconds: ends_in.as_ref().map(Duration::as_secs),
            });
        }
        Ok(states)
    }

    async fn count(&self, owner: &str, status: RunStatus) -> Result<f64, ServiceError> {
        let query = JobQuery {
            owner: Some(owner.to_owned()),
            status: Some(status),
            before: None,
            limit: MAX_COUNTED,
        };
        let jobs = self.store().jobs.list(query).await?;
        Ok(number(u64::try_from(jobs.len()).unwrap_or(u64::MAX)))
    }
}

/// Every limit by its name.
fn named(limits: &TenantLimits) -> [(&'static str, Option<f64>); 10] {
    let TenantLimits {
        running,
        queued,
        requests_per_minute,
        pages_per_day,
        pages_per_month,
        tokens_per_day,
        tokens_per_month,
        dollars_per_day,
        dollars_per_month,
        stored_megabytes,
    } = *limits;
    [
        ("running", running),
        ("queued", queued),
        ("requests_per_minute", requests_per_minute),
        ("pages_per_day", pages_per_day),
        ("pages_per_month", pages_per_month),
        ("tokens_per_day", tokens_per_day),
        ("tokens_per_month", tokens_per_month),
        ("dollars_per_day", dollars_per_day),
        ("dollars_per_month", dollars_per_month),
        ("stored_megabytes", stored_megabytes),
    ]
}

#[expect(clippy::cast_precision_loss, reason = "people read it")]
fn number(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_has_its_name() {
        let names = named(&TenantLimits::default()).map(|(name, _)| name);
        assert_eq!(names.as_slice(), TenantLimits::NAMES);
    }
}
