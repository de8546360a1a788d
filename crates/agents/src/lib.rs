//! What runs do. An agent gets a request and a [`run::Run`]; it says events, may ask a person, and stops when told.
//! It knows no store and no server.

pub mod automate;
pub mod cancel;
pub mod delivery;
pub mod error_codes;
pub mod human_input;
mod page_model;
pub mod page_requests;
mod page_services;
pub mod page_settings;
pub mod plan;
pub mod research;
pub mod run;
pub mod run_error;
pub mod run_view;
mod safe_markdown;
pub mod scrape;
pub mod services;
pub mod session;
pub mod site;
pub mod site_memory;
pub mod takeover;
pub mod tenant_policy;
pub mod tooling;
pub mod totp;
pub mod watch;
