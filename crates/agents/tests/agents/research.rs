//! Research over a made-up web of lakes.

mod documents;
mod ledger;
mod modes;
mod resume;
pub(crate) mod stand;
mod unanswered;
mod web;
