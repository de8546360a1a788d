//! Effects: the classes of what running a tool may do to the world.

use serde::{Deserialize, Serialize};

/// What running a tool may do to the world. Each allows what stands before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effects {
    /// It only looks.
    Read,
    /// It changes the tab (scrolls, filters, goes to a next page); twice is the same as once.
    Idempotent,
    /// It may change something at the other side.
    Act,
}

impl Effects {
    /// The word in manifests and texts.
    pub fn word(self) -> &'static str {
        match self {
            Effects::Read => "read",
            Effects::Idempotent => "idempotent",
            Effects::Act => "act",
        }
    }
}
