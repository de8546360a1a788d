//! Token counts of answers.

use serde::{Deserialize, Serialize};

/// Tokens of one answer or of a sum of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read, the cached ones included.
    pub input: u64,
    /// Tokens written, reasoning included.
    pub output: u64,
    /// Those of `input` that the provider had in its cache.
    pub cached: u64,
    /// True when any part was estimated by us because the provider did not say.
    #[serde(default)]
    pub estimated: bool,
}

impl Usage {
    /// Tokens by rule of thumb, four bytes each, of so many bytes read and written.
    pub(crate) fn estimated(input_bytes: usize, output_bytes: usize) -> Self {
        let tokens = |bytes: usize| u64::try_from(bytes.div_ceil(4)).unwrap_or(u64::MAX);
        Self {
            input: tokens(input_bytes),
            output: tokens(output_bytes),
            cached: 0,
            estimated: true,
        }
    }

    /// Read and written tokens together.
    pub fn total(&self) -> u64 {
        self.input.saturating_add(self.output)
    }

    /// The sum of both.
    pub fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cached: self.cached.saturating_add(other.cached),
            estimated: self.estimated || other.estimated,
        }
    }

    /// The same with an estimate in the place of each number that the provider left out, or gave as no number of tokens.
    pub fn completed_by(self, estimate: impl FnOnce() -> Self) -> Self {
        if self.input > 0 && self.output > 0 {
            return self;
        }
        let estimate = estimate();
        let number = |given: u64, estimated: u64| if given == 0 { estimated } else { given };
        let completed = Self {
            input: number(self.input, estimate.input),
            output: number(self.output, estimate.output),
            ..self
        };
        Self {
            estimated: self.estimated || completed != self,
            ..completed
        }
    }

    /// The larger of both numbers each: providers report running totals, sometimes in parts.
    pub fn latest(self, later: Self) -> Self {
        Self {
            input: self.input.max(later.input),
            output: self.output.max(later.output),
            cached: self.cached.max(later.cached),
            estimated: self.estimated && later.estimated,
        }
    }
}
