//! The fixed mode: what the rules leave open of a fixed list of fields is asked for once.

use crate::asking::{Next, State};

/// One question for what is open. It is put again only when it had no answer that could be used.
pub fn next(state: &State) -> Next {
    let first = state.asked == 0;
    let again = state.unusable && state.asked <= state.retries;
    if (first || again) && (!state.open.is_empty() || state.entries_open) {
        return Next::Ask {
            fields: state.open.clone(),
            more: false,
        };
    }
    Next::Done
}
