//! Records in memory.

use async_trait::async_trait;

use super::InMemoryStore;
use crate::Error;
use crate::records::{Record, Records};

#[async_trait]
impl Records for InMemoryStore {
    async fn get(&self, collection: &str, name: &str) -> Result<Option<Record>, Error> {
        let state = self.state();
        let stored = state.records.get(&(collection.to_owned(), name.to_owned()));
        Ok(stored.map(|(value, revision)| Record {
            name: name.to_owned(),
            value: value.clone(),
            revision: *revision,
        }))
    }

    async fn put(
        &self,
        collection: &str,
        name: &str,
        value: String,
        expected: u64,
    ) -> Result<Option<u64>, Error> {
        let mut state = self.state();
        let place = (collection.to_owned(), name.to_owned());
        if state.records.get(&place).map_or(0, |(_, revision)| *revision) != expected {
            return Ok(None);
        }
        state.revision += 1;
        let revision = state.revision;
        state.records.insert(place, (value, revision));
        Ok(Some(revision))
    }

    async fn delete(&self, collection: &str, name: &str) -> Result<bool, Error> {
        let place = (collection.to_owned(), name.to_owned());
        Ok(self.state().records.remove(&place).is_some())
    }

    async fn delete_revision(&self, collection: &str, name: &str, revision: u64) -> Result<bool, Error> {
        let place = (collection.to_owned(), name.to_owned());
        let mut state = self.state();
        let is_this = state.records.get(&place).is_some_and(|(_, now)| *now == revision);
        if is_this {
            state.records.remove(&place);
        }
        Ok(is_this)
    }

    async fn list(&self, collection: &str, after: &str, limit: usize) -> Result<Vec<Record>, Error> {
        let state = self.state();
        let from = (collection.to_owned(), after.to_owned());
        let later = state
            .records
            .range(from..)
            .take_while(|((other, _), _)| other == collection)
            .filter(|((_, name), _)| name != after);
        let record = |((_, name), (value, revision)): (&(String, String), &(String, u64))| Record {
            name: name.clone(),
            value: value.clone(),
            revision: *revision,
        };
        Ok(later.take(limit).map(record).collect())
    }
}
