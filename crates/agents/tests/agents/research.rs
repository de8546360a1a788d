//! Research over a made-up web of lakes.

mod ledger;
mod modes;
mod resume;
pub(crate) mod stand;
mod unanswered;
mod web;
