//! Words and what they mean: forms of one word, words of several languages for one thing, names of fields and labels.
//!
//! Nothing here knows a page or a list. [`word_forms`] parts texts into words and compares them, [`concepts`] has the
//! classes of words that mean the same, and [`mention`] says whether a text speaks of what somebody asks for.

pub(crate) mod asked;
pub(crate) mod carriers;
pub(crate) mod compounds;
pub mod concepts;
pub mod field_names;
pub(crate) mod label_names;
pub(crate) mod mention;
pub(crate) mod mention_strength;
pub(crate) mod refused_labels;
pub(crate) mod signs;
pub(crate) mod text_words;
pub(crate) mod word_forms;
