//! Tools with manifests, and their registry: what a plan, an agent, a client or a person can ask for.
//!
//! # How to add a tool
//!
//! A tool is two files of one name in a folder that is its category: `src/forms/price_filter.rs` and
//! `src/forms/price_filter.json` are the tool `forms.price_filter`. Nothing else lists it: `build.rs` finds the folder,
//! checks the manifest (a wrong one stops the build with a sentence that says why) and writes module tree and table.
//! `cargo xtask new-tool forms.price_filter` writes both files to begin with.
//!
//! The code is a unit struct with the file's name in camel case (`PriceFilter`) that implements [`Tool`]:
//!
//! - `Params` derives `Deserialize` and `JsonSchema` with `#[serde(deny_unknown_fields)]`. Its fields are the manifest's
//!   parameters: required ones and ones with a default plain, ones whose default is null (or none) as `Option`. Defaults
//!   stand in the manifest alone and are filled in before the tool runs, arguments are checked before it runs.
//! - `Output` derives `Serialize` and is checked against the manifest's `output_schema` after it ran.
//! - `run` gets the parameters and a [`ToolContext`]: `context.page().await?` is the page as it is now, `context.tab().await?` the live tab,
//!   `context.input` what earlier steps of the plan gave (`context.list("products")` finds a list in it), `context.warn(..)` adds a
//!   warning to the outcome.
//! - What cannot be done is an [`Error`] that says what to try; a tool never reports success it did not have.
//!
//! In the manifest, `effects` is `read` (only looks), `idempotent` (changes the tab: scrolls, filters, goes to a next
//! page) or `act` (may change something at the other side). `dependencies` are `page`, `tab`, `model`, `network`.
//! `triggers` are regular expressions, matched without regard to case, over the user's instruction. `examples` are the
//! tool's tests: `instruction`, `parameters`, and `html` (the page, inline) or `page` (a path of the fixture site),
//! `input` (what earlier steps gave) and `expected_output`, of which every field must come out as told (`"..."` stands
//! for any text, a list must have the told length); or `expected_error`, a part of the error's text.
//!
//! # Tools of an agent that drives a browser
//!
//! The section `agent` of a manifest says how such an agent is offered the tool: short name, description, parameters,
//! the abilities that the browser engine must have, and what the run must have. Its code implements
//! [`agent_tool::AgentTool`]: what events show of a call, the question put to the policy, and the execution with the
//! words that the model reads. What the tab alone cannot do is handed to the agent's loop as a
//! [`agent_tool::LoopRequest`]. A tool that plans cannot use says `"only": true` there and implements nothing else; it
//! has no `parameters` and no `output_schema`, and [`Registry::iter`] leaves it out.
//!
//! A file that `build.rs` includes is treated like a `mod.rs` by the compiler: the tests of `src/forms/price_filter.rs`
//! may stand in `src/forms/price_filter/tests.rs` as `#[path = "price_filter/tests.rs"] mod tests;`. Code that several
//! tools share goes into a module of the crate (`src/controls/form_fields.rs`), never into a category's folder. `cargo fmt` does not
//! see the generated modules: `cargo xtask fmt` does.

pub mod agent_tool;
mod cache;
mod checked_items;
mod context;
mod controls;
mod error;
mod grant;
mod http_request;
mod input;
mod json_text;
pub mod lists;
pub mod manifest;
pub mod mcp;
mod model;
pub mod registry;
pub mod rows;
mod tool;
mod user_regex;
mod values;
pub mod variables;
pub mod words;

/// The tools that are compiled in, one module for each, found in their folders.
#[allow(missing_docs)]
pub mod tree {
    include!(concat!(env!("OUT_DIR"), "/tools.rs"));
}

pub use context::{Grant, ToolContext, ToolServices};
pub use error::Error;
pub use lists::page_list::PageList;
pub use manifest::{Dependency, Effects, Manifest};
pub use registry::{Registry, ToolOutcome};
pub use tool::Tool;
pub use words::label_names::{are_of_one_class, is_label, is_of_places_left, is_property};
