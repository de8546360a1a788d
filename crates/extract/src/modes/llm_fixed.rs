//! The fixed mode: one question for what the rules leave open of a fixed list of fields.

use crate::llm_extraction::decision::{CompletionState, NextQuestion};

/// One question for what is open. It is put again only when it had no answer that could be used.
pub fn next(state: &CompletionState) -> NextQuestion {
    let first = state.asked == 0;
    let again = state.unusable && state.asked <= state.retries;
    if (first || again) && (!state.open.is_empty() || state.entries_open) {
        return NextQuestion::Ask {
            fields: state.open.clone(),
            more: false,
        };
    }
    NextQuestion::Done
}
