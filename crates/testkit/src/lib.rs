//! What tests stand on: sites, providers and models that answer as a script says. A dev-dependency only.

// A test that cannot set up its scene has to fail, loudly and at once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod chromium;
pub mod mcp;
pub mod pdf;
pub mod scripted;
pub mod scripted_model;
pub mod scripted_tab;
pub mod sdk;
pub mod serving;
pub mod shop;
pub mod site;

pub use demo;
pub use scripted::{Answer, Exchange, Said, ScriptedProvider};
pub use scripted_model::ScriptedModel;
pub use scripted_tab::{Came, Scene, ScriptedBrowser};
pub use serving::Serving;
pub use site::{Asked, Reply, Site};
