//! The engines of the store that an operator can choose.

use strum::{IntoStaticStr, VariantArray};

/// Engine behind the store's ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum StoreEngine {
    /// A SQLite database in the data folder.
    Sqlite,
    /// Runs live in this process and are gone with it.
    Memory,
}
