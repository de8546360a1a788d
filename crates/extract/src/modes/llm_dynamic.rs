//! The dynamic mode: one question, in which the model may add fields of its own.

use crate::asking::{Next, State};

/// One question for what is open and whatever else the page states. It is put again only when it had no answer that could
/// be used.
pub fn next(state: &State) -> Next {
    if state.asked == 0 || state.unusable && state.asked <= state.retries {
        return Next::Ask {
            fields: state.open.clone(),
            more: true,
        };
    }
    Next::Done
}
