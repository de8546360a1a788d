//! The tools as their users meet them.

mod agreement;
mod examples;
