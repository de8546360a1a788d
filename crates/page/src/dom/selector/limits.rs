//! Limits on CSS selectors: their form before they are parsed, and the steps of matching them.

use std::cell::Cell;

use locale::nesting::{Grammar, depth};

use super::bounds::{MAX_COMBINATORS, MAX_MATCH_STEPS, MAX_SELECTOR_BYTES, MAX_SELECTOR_DEPTH};
use crate::error::Error;

/// Checks the form of a selector, in time linear in its length.
pub(super) fn check(css: &str) -> Result<(), Error> {
    if css.len() > MAX_SELECTOR_BYTES {
        return Err(Error::SelectorTooLong { bytes: css.len() });
    }
    let depth = depth(css, &Grammar::CSS);
    if depth > MAX_SELECTOR_DEPTH {
        return Err(Error::SelectorTooDeep { depth });
    }
    let combinators = most_combinators(css);
    if combinators > MAX_COMBINATORS {
        return Err(Error::SelectorTooManyParts { combinators });
    }
    Ok(())
}

/// The most combinators between the elements that one path through the selector visits. A run of spaces counts as one,
/// also beside a comma, where it is none: the count is never too low.
fn most_combinators(css: &str) -> usize {
    let (mut most, mut outer, mut own, mut in_run) = (0_usize, Vec::new(), 0_usize, false);
    let mut outer_sum = 0_usize;
    for byte in Grammar::CSS.code(css) {
        let is_combinator = byte.is_ascii_whitespace() || matches!(byte, b'>' | b'+' | b'~');
        match byte {
            b'(' | b'[' | b'{' => {
                outer.push(own);
                outer_sum += own;
                own = 0;
            }
            b')' | b']' | b'}' => {
                own = outer.pop().unwrap_or_default();
                outer_sum = outer_sum.saturating_sub(own);
            }
            b',' => own = 0,
            _ if is_combinator && !in_run => {
                own += 1;
                most = most.max(outer_sum + own);
            }
            _ => {}
        }
        in_run = is_combinator;
    }
    most
}

/// The steps that are left for matching. When none are, every question about an element is answered with no, so that
/// the matcher comes to its end.
#[derive(Debug)]
pub(super) struct StepBudget(Cell<u64>);

impl StepBudget {
    pub(super) fn new() -> StepBudget {
        StepBudget(Cell::new(MAX_MATCH_STEPS))
    }

    /// Takes steps; `false` when there were not enough.
    pub(super) fn take(&self, steps: usize) -> bool {
        let left = self.0.get().saturating_sub(steps as u64);
        self.0.set(left);
        left > 0
    }

    pub(super) fn is_exhausted(&self) -> bool {
        self.0.get() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinators_are_counted_along_one_path() {
        for (css, most) in [
            ("a", 0),
            ("a>b", 1),
            ("a > b  c", 2),
            ("a b, c d e", 3),
            ("a:is(b c, d e f) g", 3),
            ("a b:is(c d:not(e f))", 3),
            ("[x='a b c']", 0),
        ] {
            assert_eq!(most_combinators(css), most, "{css}");
        }
    }
}
