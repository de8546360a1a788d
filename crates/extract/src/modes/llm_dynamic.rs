//! The dynamic mode: one question, in which the model may add fields of its own.

use crate::llm_extraction::decision::{CompletionState, NextQuestion};

/// One question for what is open and whatever else the page states. It is put again only when it had no answer that could
/// be used.
pub fn next(state: &CompletionState) -> NextQuestion {
    if state.asked == 0 || state.unusable && state.asked <= state.retries {
        return NextQuestion::Ask {
            fields: state.open.clone(),
            more: true,
        };
    }
    NextQuestion::Done
}
