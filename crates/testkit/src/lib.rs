//! Test doubles: sites, providers, models and tabs that answer from a script. A dev-dependency only.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot be set up has to fail"
)]

pub mod bombs;
pub mod chromium;
pub mod disk;
pub mod link;
pub mod mcp;
pub mod nats;
pub mod office;
pub mod pdf;
pub mod sandbox;
pub mod scripted;
pub mod scripted_model;
pub mod scripted_tab;
pub mod sdk;
pub mod serving;
pub mod shop;
pub mod site;

pub use demo;
pub use disk::LoopDisk;
pub use link::{Link, LinkCondition};
pub use nats::{LinkedCluster, NatsServer, free_ports};
pub use scripted::{ProviderAnswer, ProviderRequest, ScriptedProvider, ScriptedTurn, play_automation};
pub use scripted_model::ScriptedModel;
pub use scripted_tab::{ActionResult, ScriptedBrowser, ScriptedPage};
pub use serving::ServerProcess;
pub use site::{SiteReply, SiteRequest, TestSite};
