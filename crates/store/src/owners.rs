//! Port `Owners`: the share, usage and stored bytes of each owner of runs.

use async_trait::async_trait;
use jiff::civil::Date;

use crate::Error;
use crate::shares::OwnerShare;

/// How much was used. Amounts of one kind are added up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UsageAmounts {
    /// Runs that ended, and requests that were answered without one.
    pub runs: u64,
    /// Pages opened.
    pub pages: u64,
    /// Tools run.
    pub tool_calls: u64,
    /// Model calls.
    pub model_calls: u64,
    /// Tokens sent to models.
    pub input_tokens: u64,
    /// Tokens received from models.
    pub output_tokens: u64,
    /// Millionths of a US dollar that models cost by the price table.
    pub micro_dollars: u64,
}

impl UsageAmounts {
    /// The amounts as an array, in the order of the fields.
    pub fn as_array(&self) -> [u64; 7] {
        let Self {
            runs,
            pages,
            tool_calls,
            model_calls,
            input_tokens,
            output_tokens,
            micro_dollars,
        } = *self;
        [
            runs,
            pages,
            tool_calls,
            model_calls,
            input_tokens,
            output_tokens,
            micro_dollars,
        ]
    }

    /// The amounts of such an array.
    pub fn from_array(amounts: [u64; 7]) -> Self {
        let [
            runs,
            pages,
            tool_calls,
            model_calls,
            input_tokens,
            output_tokens,
            micro_dollars,
        ] = amounts;
        Self {
            runs,
            pages,
            tool_calls,
            model_calls,
            input_tokens,
            output_tokens,
            micro_dollars,
        }
    }

    /// Adds other amounts to these; a sum too large for its type stays at the largest value.
    pub fn add(&mut self, other: &Self) {
        let mut sums = self.as_array();
        for (sum, more) in sums.iter_mut().zip(other.as_array()) {
            *sum = sum.saturating_add(more);
        }
        *self = Self::from_array(sums);
    }
}

/// What a run or a request used of one model, or beside models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeteredUsage {
    /// The model's name; empty for what was used beside models.
    pub model: String,
    /// How much.
    pub amounts: UsageAmounts,
}

/// What usage is added up by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct UsageKey {
    /// Whose it was; empty for runs of nobody in particular.
    pub owner: String,
    /// The day it was counted on, in UTC.
    pub day: Date,
    /// The id of the API key; empty where there was none.
    pub key: String,
    /// The kind of run or of request.
    pub kind: String,
    /// The model; empty for what was used beside models.
    pub model: String,
}

/// A total.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageTotal {
    /// Of what.
    pub key: UsageKey,
    /// How much.
    pub amounts: UsageAmounts,
}

/// Which totals to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageQuery {
    /// Only this owner's.
    pub owner: Option<String>,
    /// The first day.
    pub from: Date,
    /// The last day.
    pub to: Date,
}

/// Owners of runs. The empty name stands for runs of nobody in particular.
///
/// Promises, for every engine:
/// - What a run used is added once, together with its end (`RunEnd::metered`), and survives the removal of the run.
/// - A share holds from the next claim on, also for jobs that wait already.
#[async_trait]
pub trait Owners: Send + Sync {
    /// Sets the share of an owner.
    ///
    /// # Errors
    /// Those of the engine.
    async fn set_share(&self, owner: &str, share: OwnerShare) -> Result<(), Error>;

    /// Adds usage that belongs to no run.
    ///
    /// # Errors
    /// Those of the engine.
    async fn add_usage(&self, used: Vec<UsageTotal>) -> Result<(), Error>;

    /// The totals of some days, in the order of their keys.
    ///
    /// # Errors
    /// Those of the engine.
    async fn usage(&self, query: UsageQuery) -> Result<Vec<UsageTotal>, Error>;

    /// Bytes of the events and results of all runs of an owner that are kept.
    ///
    /// # Errors
    /// Those of the engine.
    async fn stored_bytes(&self, owner: &str) -> Result<u64, Error>;

    /// Forgets the share and the usage of an owner. False, with nothing done, while any run of the owner is kept.
    ///
    /// # Errors
    /// Those of the engine.
    async fn forget(&self, owner: &str) -> Result<bool, Error>;
}
