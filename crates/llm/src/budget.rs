//! Roles, prices, budgets, and the meter that counts what a run spends on models.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::context::longest_match;
use crate::error::Error;
use crate::usage::Usage;

/// What a model is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Decides what to do.
    Planner,
    /// Reads values out of pages.
    Extractor,
    /// Judges whether a result is what was asked for.
    Validator,
    /// Writes text for people.
    Writer,
    /// Weighs evidence.
    Judge,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 5] = [
        Self::Planner,
        Self::Extractor,
        Self::Validator,
        Self::Writer,
        Self::Judge,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Planner => "planner",
            Self::Extractor => "extractor",
            Self::Validator => "validator",
            Self::Writer => "writer",
            Self::Judge => "judge",
        }
    }

    /// The role of that name.
    ///
    /// # Errors
    /// When there is none.
    pub fn named(name: &str) -> Result<Self, Error> {
        let wanted = name.trim().to_lowercase();
        Self::ALL
            .into_iter()
            .find(|role| role.name() == wanted)
            .ok_or(Error::UnknownRole(wanted))
    }
}

/// What a million tokens cost, in US dollars.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelPrice {
    /// Read.
    pub input: f64,
    /// Written.
    pub output: f64,
    /// Read from the provider's cache; as `input` where it is not given.
    #[serde(default)]
    pub cached: Option<f64>,
}

impl ModelPrice {
    /// The cost of a usage in millionths of a dollar.
    pub fn micro_dollars(&self, usage: Usage) -> f64 {
        let cached = usage.cached.min(usage.input);
        #[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^53")]
        let of = |tokens: u64, price: f64| tokens as f64 * price;
        of(usage.input - cached, self.input)
            + of(cached, self.cached.unwrap_or(self.input))
            + of(usage.output, self.output)
    }
}

/// Prices by model name. A name ending in `*` stands for all that begin so; the longest match counts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelPrices(pub BTreeMap<String, ModelPrice>);

impl ModelPrices {
    /// The price of a model, if it is known.
    pub fn of(&self, model: &str) -> Option<ModelPrice> {
        longest_match(&self.0, model).copied()
    }
}

/// The most a run may spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TokenBudget {
    /// Tokens, read and written together.
    pub tokens: Option<u64>,
    /// Millionths of a dollar.
    pub micro_dollars: Option<u64>,
}

/// What a role spent.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Spending {
    /// Tokens.
    pub usage: Usage,
    /// Answers.
    pub answers: u64,
    /// Millionths of a dollar; 0 where no price is known.
    pub micro_dollars: f64,
}

impl Spending {
    /// Adds an answer.
    fn add(&mut self, usage: Usage, micro_dollars: f64) {
        self.usage = self.usage.plus(usage);
        self.answers += 1;
        self.micro_dollars += micro_dollars;
    }

    /// The sum of both.
    fn plus(&self, other: &Self) -> Self {
        Self {
            usage: self.usage.plus(other.usage),
            answers: self.answers + other.answers,
            micro_dollars: self.micro_dollars + other.micro_dollars,
        }
    }
}

/// Longest answer, in tokens, that the models in use can all write.
const COMMON_ANSWER: u32 = 8192;

/// Counts what a run spends. Clones count together.
#[derive(Debug, Clone, Default)]
pub struct Meter {
    budget: TokenBudget,
    prices: Arc<ModelPrices>,
    spent: Arc<Mutex<BTreeMap<Role, Spending>>>,
    ledger: Option<(Ledger, Arc<ModelPrices>)>,
}

impl Meter {
    /// A meter at zero.
    pub fn new(budget: TokenBudget, prices: ModelPrices) -> Self {
        Self {
            budget,
            prices: Arc::new(prices),
            spent: Arc::default(),
            ledger: None,
        }
    }

    /// The same meter, which enters what it counts in a ledger too, at these prices.
    #[must_use]
    pub(crate) fn entering(self, ledger: Ledger, prices: Arc<ModelPrices>) -> Self {
        Self {
            ledger: Some((ledger, prices)),
            ..self
        }
    }

    /// Adds the cost of an answer.
    pub fn charge(&self, role: Role, model: &str, usage: Usage) {
        let cost = self
            .prices
            .of(model)
            .map_or(0.0, |price| price.micro_dollars(usage));
        if let Some((ledger, prices)) = &self.ledger {
            ledger.charge(model, usage, prices);
        }
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.entry(role).or_default().add(usage, cost);
    }

    /// What each role spent so far.
    pub fn by_role(&self) -> BTreeMap<Role, Spending> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What all roles spent so far.
    pub fn total(&self) -> Spending {
        self.by_role()
            .values()
            .fold(Spending::default(), |sum, role| sum.plus(role))
    }

    /// Refuses further work once the budget is spent.
    ///
    /// # Errors
    /// [`Error::BudgetExceeded`].
    pub fn check(&self) -> Result<(), Error> {
        if let Some((ledger, _)) = &self.ledger {
            ledger.check()?;
        }
        exceeded(&self.budget, &self.total())
    }

    /// Tokens that the budgets leave, read and written together; none where no budget bounds tokens.
    pub fn tokens_left(&self) -> Option<u64> {
        let left = |limit: Option<u64>, used: u64| limit.map(|limit| limit.saturating_sub(used));
        let own = left(self.budget.tokens, self.total().usage.total());
        let owner = self.ledger.as_ref().and_then(|(ledger, _)| {
            let used = ledger.by_model().values().map(|spent| spent.usage.total()).sum();
            left(ledger.budget.tokens, used)
        });
        own.into_iter().chain(owner).min()
    }

    /// The bound of the next answer, so that it cannot run far beyond the budgets. Where none is wanted and much is left,
    /// there is none: providers refuse bounds beyond what their model can write.
    pub(crate) fn bound(&self, wanted: Option<u32>) -> Option<u32> {
        let Some(left) = self.tokens_left() else {
            return wanted;
        };
        let left = u32::try_from(left).unwrap_or(u32::MAX).max(1);
        match wanted {
            Some(wanted) => Some(wanted.min(left)),
            None => (left <= COMMON_ANSWER).then_some(left),
        }
    }
}

/// What the models of one run or request cost, by model, and the most that its owner may still spend. Counts every answer of
/// the models it is attached to. Clones count together.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    budget: TokenBudget,
    spent: Arc<Mutex<BTreeMap<String, Spending>>>,
}

impl Ledger {
    /// A ledger at zero. Once `budget` is spent, no model answers any more.
    pub fn new(budget: TokenBudget) -> Self {
        Self {
            budget,
            spent: Arc::default(),
        }
    }

    /// Adds the cost of an answer.
    fn charge(&self, model: &str, usage: Usage, prices: &ModelPrices) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let price = prices.of(model);
        spent
            .entry(model.to_owned())
            .or_default()
            .add(usage, price.map_or(0.0, |price| price.micro_dollars(usage)));
    }

    /// What each model cost so far.
    pub fn by_model(&self) -> BTreeMap<String, Spending> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Refuses further work once the budget is spent.
    ///
    /// # Errors
    /// [`Error::BudgetExceeded`].
    fn check(&self) -> Result<(), Error> {
        if self.budget == TokenBudget::default() {
            return Ok(());
        }
        let sum = self
            .by_model()
            .values()
            .fold(Spending::default(), |sum, model| sum.plus(model));
        exceeded(&self.budget, &sum)
    }
}

/// Compares a budget with what was spent.
///
/// # Errors
/// [`Error::BudgetExceeded`].
fn exceeded(budget: &TokenBudget, spent: &Spending) -> Result<(), Error> {
    let exceeded = |used: u64, limit: Option<u64>, unit: &'static str| match limit {
        Some(limit) if used >= limit => Err(Error::BudgetExceeded { used, limit, unit }),
        _ => Ok(()),
    };
    exceeded(spent.usage.total(), budget.tokens, "tokens")?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "rounded down; costs are positive and far below 2^53"
    )]
    let cost = spent.micro_dollars.max(0.0) as u64;
    exceeded(cost, budget.micro_dollars, "micro-dollars")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(tokens: u64) -> TokenBudget {
        TokenBudget {
            tokens: Some(tokens),
            micro_dollars: None,
        }
    }

    #[test]
    fn an_answer_is_bound_by_what_is_left_of_either_budget() {
        for (own, owner, left) in [(None, 100, 70), (Some(50), 100, 20), (Some(500), 100, 70)] {
            let budget = own.map_or_else(TokenBudget::default, tokens);
            let ledger = Ledger::new(tokens(owner));
            let meter = Meter::new(budget, ModelPrices::default()).entering(ledger, Arc::default());
            let usage = Usage {
                input: 30,
                ..Usage::default()
            };
            meter.charge(Role::Writer, "model", usage);
            for (wanted, bound) in [(None, left), (Some(1000), left), (Some(10), 10)] {
                assert_eq!(meter.bound(wanted), Some(bound), "{own:?} {wanted:?}");
            }
        }
    }

    #[test]
    fn a_bound_that_models_may_refuse_is_not_sent_unless_it_was_wanted() {
        let meter = Meter::new(tokens(2_000_000), ModelPrices::default());
        assert_eq!(meter.bound(None), None);
        assert_eq!(meter.bound(Some(20_000)), Some(20_000));
    }
}
