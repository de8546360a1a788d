//! Rows of a list: what their texts state of a measure, and the conditions that they have to meet.
//!
//! [`text`] reads measures out of the text of a row, with one module for each kind of measure: [`ages`], [`amounts`],
//! [`clock`], [`days`], [`distance`], [`paid`], [`periods`], [`units`], [`weekdays`]. [`measure_name`] is how measures
//! are called. [`pieces`] gives the parts of an entry, and
//! [`filter`] keeps the rows that meet [`condition`]s.

pub mod ages;
pub(crate) mod amounts;
pub mod clock;
pub(crate) mod column_numbers;
pub mod columns;
pub mod condition;
pub(crate) mod date_figures;
pub(crate) mod days;
pub(crate) mod distance;
pub(crate) mod entry_names;
pub(crate) mod filter;
pub(crate) mod grouped_numbers;
pub(crate) mod heading_scale;
pub(crate) mod listed_numbers;
pub mod measure_name;
pub(crate) mod numbers;
pub mod paid;
pub mod periods;
pub mod pieces;
pub mod row_texts;
pub mod scale;
pub(crate) mod source;
pub(crate) mod table_headings;
pub mod text;
pub mod units;
pub(crate) mod weekdays;
