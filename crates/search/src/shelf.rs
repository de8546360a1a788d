//! Answers of a provider, kept for a while: a search that is asked again is not paid for again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::Instant;

use super::{Error, Found, Query, Search};

/// Most answers kept.
const MOST: usize = 512;

/// An engine that remembers.
pub struct Shelf {
    engine: Arc<dyn Search>,
    life: Duration,
    kept: Mutex<HashMap<(String, usize), (Instant, Found)>>,
}

impl Shelf {
    /// Keeps what `engine` answers for that long.
    pub fn new(engine: Arc<dyn Search>, life: Duration) -> Shelf {
        Shelf {
            engine,
            life,
            kept: Mutex::default(),
        }
    }
}

#[async_trait]
impl Search for Shelf {
    fn name(&self) -> &str {
        self.engine.name()
    }

    async fn search(&self, query: &Query) -> Result<Found, Error> {
        let key = (query.text.trim().to_lowercase(), query.count);
        if !query.fresh {
            let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((until, found)) = kept.get(&key)
                && *until > Instant::now()
            {
                return Ok(Found {
                    kept: true,
                    ..found.clone()
                });
            }
        }
        let found = self.engine.search(query).await?;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST {
            let now = Instant::now();
            kept.retain(|_, (until, _)| *until > now);
            if kept.len() >= MOST {
                kept.clear();
            }
        }
        kept.insert(key, (Instant::now() + self.life, found.clone()));
        Ok(found)
    }
}
