//! The adaptive mode: it asks again for what is missing, as long as that helps.

use crate::llm_extraction::decision::{CompletionState, NextQuestion};

/// Questions in a row that may fill nothing.
const IDLE: u32 = 2;

/// The first question is for everything that is open, and for more when nothing required is missing. While required fields are missing, further ones ask for these, each
/// showing other parts of the page; the parts of a long page count as one reading, and fields that the request names are looked for in
/// all of them, unless there are no retries. When nothing is missing, one question looks for whatever else the page states. It ends
/// when that was done, when two questions in a row filled nothing, or when no question is left.
pub fn next(state: &CompletionState) -> NextQuestion {
    let ask = |fields: &[String], more| NextQuestion::Ask {
        fields: fields.to_vec(),
        more,
    };
    let more = state.missing.is_empty();
    if state.asked == 0 {
        return ask(&state.open, more);
    }
    let in_other_parts =
        state.named_unread && !state.missing.is_empty() || state.entries_open && state.idle < IDLE;
    let walks_on = in_other_parts && !state.unusable && state.retries > 0;
    if !walks_on && (state.asked > state.retries || state.idle >= IDLE) {
        return NextQuestion::Done;
    }
    if state.unusable {
        return ask(&state.open, more);
    }
    if !state.missing.is_empty() || state.entries_open {
        return ask(&state.missing, false);
    }
    if state.discovered {
        return NextQuestion::Done;
    }
    ask(&state.open, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> CompletionState {
        CompletionState {
            asked: 1,
            retries: 4,
            open: vec!["price".into(), "brand".into()],
            missing: vec!["price".into()],
            entries_open: false,
            named_unread: false,
            idle: 0,
            discovered: false,
            unusable: false,
        }
    }

    #[test]
    fn it_goes_on_while_that_helps_and_no_longer() {
        let ask = |fields: &[&str], more| NextQuestion::Ask {
            fields: fields.iter().map(|field| (*field).to_owned()).collect(),
            more,
        };
        for (name, state, want) in [
            (
                "the first question asks for all",
                CompletionState { asked: 0, ..state() },
                ask(&["price", "brand"], false),
            ),
            ("then for what is missing", state(), ask(&["price"], false)),
            (
                "no retries, no second question",
                CompletionState {
                    retries: 0,
                    ..state()
                },
                NextQuestion::Done,
            ),
            (
                "two idle questions end it",
                CompletionState { idle: 2, ..state() },
                NextQuestion::Done,
            ),
            (
                "a field that the request names is looked for in all parts",
                CompletionState {
                    asked: 9,
                    idle: 8,
                    named_unread: true,
                    ..state()
                },
                ask(&["price"], false),
            ),
            (
                "but not where no second question may be put",
                CompletionState {
                    retries: 0,
                    named_unread: true,
                    ..state()
                },
                NextQuestion::Done,
            ),
            (
                "an unusable answer is no answer",
                CompletionState {
                    unusable: true,
                    ..state()
                },
                ask(&["price", "brand"], false),
            ),
            (
                "nothing missing: one look for more",
                CompletionState {
                    missing: Vec::new(),
                    ..state()
                },
                ask(&["price", "brand"], true),
            ),
            (
                "and only one",
                CompletionState {
                    missing: Vec::new(),
                    discovered: true,
                    ..state()
                },
                NextQuestion::Done,
            ),
        ] {
            assert_eq!(next(&state), want, "{name}");
        }
    }
}
