//! How is a model asked about a page, and what becomes of its answers?
//!
//! The rules come first; a model is asked for what they leave open. [`Material`] is the page as both see it. A [`Course`]
//! decides what to ask next and does no IO: whoever drives it puts each [`Question`] to a model and gives back what was
//! [`Heard`]. [`Shaped`] does the same for an answer in the shape of a schema.

mod answer;
mod check;
mod course;
mod fields;
mod material;
mod meta;
mod passages;
mod project;
mod prompt;
mod question;
mod seen;
mod shaped;
#[cfg(test)]
mod tests;

pub use course::{Course, Next, Outcome, State};
pub use material::Material;
pub use meta::{Attempt, Meta, Score};
pub use project::project;
pub use question::{Heard, Question};
pub use seen::Seen;
pub use shaped::{Shaped, Task};
