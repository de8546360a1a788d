//! The doors over real sockets: what clients send, what comes back byte for byte, and what happens when they leave.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod agentic;
mod automate;
mod broken;
mod client;
mod console;
mod console_admin;
mod console_faults;
mod console_hostile;
mod console_pages;
mod console_pictures;
mod crowds;
mod errors;
mod fields;
mod http2;
mod isolation;
mod live;
mod logins;
mod mcp;
mod mcp_tasks;
mod memory;
mod monitor_targets;
mod monitors;
mod obedient;
mod pages;
mod scenarios;
mod seeds;
mod shapes;
mod stand;
mod store_faults;
mod strangers;
mod streams;
mod takeover;
mod tenant_policy;
mod tenants;
mod tools;
mod unread_bodies;
mod webhooks;
mod windows;
mod written_runs;
