//! Which models can be asked, how, and what exactly they answered.
//!
//! A provider's bytes become payloads ([`sse`]), payloads become deltas ([`wires`]), deltas become one
//! whole [`Turn`] ([`assemble`]). A tool call that did not arrive whole is never a [`ToolCall`].

pub mod assemble;
pub mod delta;
pub mod sse;
pub mod tool;
pub mod turn;
pub mod unfinished;
pub mod usage;
pub mod wires;

pub use assemble::Assembler;
pub use delta::{Delta, FinishReason, Part};
pub use tool::{Effects, Offer, Offered};
pub use turn::{Malformed, MalformedCall, Repair, ToolCall, Turn, Warning};
pub use unfinished::Unfinished;
pub use usage::Usage;
