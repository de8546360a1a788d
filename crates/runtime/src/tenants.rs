//! Tenants and their API keys: records in the store, authentication, limits, usage and the audit log.

pub mod access_tokens;
pub mod admission;
pub mod audit;
mod clock;
mod guess_limit;
pub(crate) mod identity_cache;
pub mod key_text;
mod known_usage;
mod limit_states;
pub(crate) mod policy;
mod rate_limit;
mod records;
mod registry;
mod removal;
#[cfg(test)]
mod tests;
pub mod usage;

pub use guess_limit::GuessLimit;
pub use limit_states::LimitState;
pub use policy::check_policy;
pub use rate_limit::RateState;
pub use records::{ApiKey, Tenant};
pub use registry::{CheckedKey, Identity, NewKey, Tenants};
pub use removal::ExportedRun;
