//! Plans as their users meet them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod bombs;
mod browser;
mod conditions;
mod faults;
mod instruction_columns;
mod instruction_lists;
mod instruction_pages;
mod instruction_rows;
mod instruction_values;
mod limits;
mod mcp;
mod modelled;
mod planning;
mod products_ceneo;
mod shop_plans;
mod unread;
