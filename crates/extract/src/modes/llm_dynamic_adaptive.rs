//! The adaptive mode: it asks again for what is missing, as long as that helps.

use crate::asking::{Next, State};

/// Questions in a row that may fill nothing.
const IDLE: u32 = 2;

/// The first question is for everything that is open, and for more when nothing required is missing. While required fields are missing, further ones ask for these, each
/// showing other parts of the page. When nothing is missing, one question looks for whatever else the page states. It ends
/// when that was done, when two questions in a row filled nothing, or when no question is left.
pub fn next(state: &State) -> Next {
    let ask = |fields: &[String], more| Next::Ask {
        fields: fields.to_vec(),
        more,
    };
    let more = state.missing.is_empty();
    if state.asked == 0 {
        return ask(&state.open, more);
    }
    if state.asked > state.retries || state.idle >= IDLE {
        return Next::Done;
    }
    if state.unusable {
        return ask(&state.open, more);
    }
    if !state.missing.is_empty() || state.entries_open {
        return ask(&state.missing, false);
    }
    if state.discovered {
        return Next::Done;
    }
    ask(&state.open, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> State {
        State {
            asked: 1,
            retries: 4,
            open: vec!["price".into(), "brand".into()],
            missing: vec!["price".into()],
            entries_open: false,
            idle: 0,
            discovered: false,
            unusable: false,
        }
    }

    #[test]
    fn it_goes_on_while_that_helps_and_no_longer() {
        let ask = |fields: &[&str], more| Next::Ask {
            fields: fields.iter().map(|it| (*it).to_owned()).collect(),
            more,
        };
        for (name, state, want) in [
            (
                "the first question asks for all",
                State { asked: 0, ..state() },
                ask(&["price", "brand"], false),
            ),
            ("then for what is missing", state(), ask(&["price"], false)),
            (
                "no retries, no second question",
                State {
                    retries: 0,
                    ..state()
                },
                Next::Done,
            ),
            (
                "two idle questions end it",
                State { idle: 2, ..state() },
                Next::Done,
            ),
            (
                "an unusable answer is no answer",
                State {
                    unusable: true,
                    ..state()
                },
                ask(&["price", "brand"], false),
            ),
            (
                "nothing missing: one look for more",
                State {
                    missing: Vec::new(),
                    ..state()
                },
                ask(&["price", "brand"], true),
            ),
            (
                "and only one",
                State {
                    missing: Vec::new(),
                    discovered: true,
                    ..state()
                },
                Next::Done,
            ),
        ] {
            assert_eq!(next(&state), want, "{name}");
        }
    }
}
