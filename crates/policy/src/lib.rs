//! Whether an action of a run may happen.
