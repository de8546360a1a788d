//! `EarlierUsage`: what workers have spent on a run that they gave back. Its budget goes on from there, and the end of the run
//! counts what all of them have used.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use store::Store;
use store::owners::{MeteredUsage, UsageAmounts};
use wire::RunId;
use wire::run::{RunBudget, RunUsage};

const COLLECTION: &str = "earlier-usage";

/// What was spent on a run by workers before this one. It is kept as long as the run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EarlierUsage {
    /// As the run's own detail tells.
    usage: RunUsage,
    /// As it is metered, by model: the amounts in the order of [`UsageAmounts::as_array`].
    metered: BTreeMap<String, [u64; 7]>,
}

impl EarlierUsage {
    /// All that was spent on a run that goes on.
    pub(crate) fn new(usage: RunUsage, metered: Vec<MeteredUsage>) -> Self {
        let amounts = |used: MeteredUsage| {
            // The run itself is counted where it ends.
            let amounts = UsageAmounts {
                runs: 0,
                ..used.amounts
            };
            (used.model, amounts.as_array())
        };
        let metered = metered.into_iter().map(amounts);
        Self {
            usage,
            metered: metered
                .filter(|(_, amounts)| amounts.iter().any(|amount| *amount > 0))
                .collect(),
        }
    }

    /// What was kept of a run; nothing where no worker has given it back.
    ///
    /// # Errors
    /// When the store fails.
    pub(crate) async fn of_run(store: &Store, run: &RunId) -> Result<Self, store::Error> {
        let record = store.records.get(COLLECTION, run.as_str()).await?;
        let read = record.and_then(|record| serde_json::from_str(&record.value).ok());
        Ok(read.unwrap_or_default())
    }

    /// Keeps it for the next worker, in place of what was kept before.
    ///
    /// # Errors
    /// When the store fails.
    pub(crate) async fn keep(&self, store: &Store, run: &RunId) -> Result<(), store::Error> {
        if *self == Self::default() {
            return Ok(());
        }
        let records = &store.records;
        let present = records.get(COLLECTION, run.as_str()).await?;
        let revision = present.map_or(0, |record| record.revision);
        // Maps and numbers are always written.
        let value = serde_json::to_string(self).unwrap_or_default();
        records.put(COLLECTION, run.as_str(), value, revision).await?;
        Ok(())
    }

    /// Deletes what was kept of a run that is deleted.
    ///
    /// # Errors
    /// When the store fails.
    pub(crate) async fn forget(store: &Store, run: &RunId) -> Result<(), store::Error> {
        store.records.delete(COLLECTION, run.as_str()).await?;
        Ok(())
    }

    /// What is left of a budget.
    pub(crate) fn left_of(&self, budget: RunBudget) -> RunBudget {
        let tokens = self.usage.input_tokens.saturating_add(self.usage.output_tokens);
        RunBudget {
            tokens: budget.tokens.map(|most| most.saturating_sub(tokens)),
            micro_dollars: budget
                .micro_dollars
                .map(|most| most.saturating_sub(self.usage.micro_dollars)),
        }
    }

    /// The sum of this and what another worker has used.
    pub(crate) fn plus(&self, usage: RunUsage, metered: Vec<MeteredUsage>) -> (RunUsage, Vec<MeteredUsage>) {
        let RunUsage {
            model_calls,
            input_tokens,
            output_tokens,
            pages,
            tool_calls,
            bytes,
            micro_dollars,
        } = usage;
        let sum = RunUsage {
            model_calls: self.usage.model_calls.saturating_add(model_calls),
            input_tokens: self.usage.input_tokens.saturating_add(input_tokens),
            output_tokens: self.usage.output_tokens.saturating_add(output_tokens),
            pages: self.usage.pages.saturating_add(pages),
            tool_calls: self.usage.tool_calls.saturating_add(tool_calls),
            bytes: self.usage.bytes.saturating_add(bytes),
            micro_dollars: self.usage.micro_dollars.saturating_add(micro_dollars),
        };
        let mut by_model: BTreeMap<String, UsageAmounts> = self
            .metered
            .iter()
            .map(|(model, amounts)| (model.clone(), UsageAmounts::from_array(*amounts)))
            .collect();
        for MeteredUsage { model, amounts } in metered {
            by_model.entry(model).or_default().add(&amounts);
        }
        let metered = by_model
            .into_iter()
            .map(|(model, amounts)| MeteredUsage { model, amounts });
        (sum, metered.collect())
    }
}

#[cfg(test)]
mod tests {
    use store::engines::memory::InMemoryStore;

    use super::*;

    fn used(model: &str, runs: u64, tokens: u64) -> MeteredUsage {
        let amounts = UsageAmounts {
            runs,
            input_tokens: tokens,
            ..UsageAmounts::default()
        };
        MeteredUsage {
            model: model.to_owned(),
            amounts,
        }
    }

    #[tokio::test]
    async fn a_run_that_is_given_back_keeps_what_was_spent_and_has_the_rest_of_its_budget() {
        let store = InMemoryStore::open();
        let run = RunId::parse("run_12345678").unwrap();
        let usage = RunUsage {
            input_tokens: 70,
            output_tokens: 20,
            pages: 3,
            micro_dollars: 5,
            ..RunUsage::default()
        };
        let earlier = EarlierUsage::new(usage, vec![used("", 1, 0), used("small", 0, 70)]);
        earlier.keep(&store, &run).await.unwrap();
        EarlierUsage::default().keep(&store, &run).await.unwrap();
        let read = EarlierUsage::of_run(&store, &run).await.unwrap();
        assert_eq!(read, earlier);
        let budget = RunBudget {
            tokens: Some(100),
            micro_dollars: Some(4),
        };
        let left = read.left_of(budget);
        assert_eq!((left.tokens, left.micro_dollars), (Some(10), Some(0)));
        assert_eq!(read.left_of(RunBudget::default()), RunBudget::default());
        // The next worker gives it back without having used anything itself, and the one after it ends the run.
        let (told, metered) = read.plus(RunUsage::default(), vec![used("", 1, 0)]);
        assert_eq!((told, EarlierUsage::new(told, metered)), (usage, read));
        let (sum, metered) = earlier.plus(
            usage,
            vec![used("", 1, 0), used("small", 0, 1), used("large", 0, 2)],
        );
        assert_eq!((sum.pages, sum.input_tokens), (6, 140));
        assert_eq!(
            metered,
            [used("", 1, 0), used("large", 0, 2), used("small", 0, 71)]
        );
        EarlierUsage::forget(&store, &run).await.unwrap();
        let forgotten = EarlierUsage::of_run(&store, &run).await.unwrap();
        assert_eq!(forgotten, EarlierUsage::default());
    }
}
