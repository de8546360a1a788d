//! Checks of a monitor before it is stored: what it is to watch, and whether there is a model where it needs one.

use wire::monitors::{CreateMonitor, WatchTarget};

use super::Workers;
use crate::error::ServiceError;

/// Most characters of a condition that a message shows.
const LONGEST_WORDS: usize = 100;

impl Workers {
    /// Checks whether what a monitor is to watch may be reached by its owner, and whether there is a model where it needs one.
    ///
    /// # Errors
    /// When not; the text names the field.
    pub async fn check_monitor(&self, owner: &str, request: &CreateMonitor) -> Result<(), ServiceError> {
        let services = self.0.of_tenants.of(owner).await?;
        if request.needs_model() {
            self.check_judging(owner, &request.when).await?;
        }
        // A text that names a field of the inner request names it by its place in the outer one.
        let within = |field: &'static str| {
            move |error: ServiceError| match error.message.split_once(": ") {
                Some((inner, _)) if !inner.contains(' ') => ServiceError {
                    message: format!("{field}.{}", error.message),
                    ..error
                },
                _ => error,
            }
        };
        match request.target() {
            WatchTarget::Page(url) => self.check_address(owner, url).await,
            WatchTarget::Map(map) => {
                agents::site::map::check(&services, map).map_err(|error| within("map")(error.into()))?;
                let checked = self.check_address(owner, &map.url).await;
                checked.map_err(within("map"))
            }
            WatchTarget::Scrape(scrape) => {
                let job = wire::run::JobRequest::Scrape(scrape.clone());
                self.check_for(owner, &job).await.map_err(within("scrape"))
            }
            WatchTarget::Research(research) => {
                let job = wire::run::JobRequest::Research(research.clone());
                self.check_for(owner, &job).await.map_err(within("research"))
            }
        }
    }

    /// Checks whether there is a model that judges conditions in words, or, without such conditions, answers to a question.
    ///
    /// # Errors
    /// When there is none; the text names the field, and the first of the conditions.
    pub async fn check_judging(&self, owner: &str, when: &[String]) -> Result<(), ServiceError> {
        let services = self.0.of_tenants.of(owner).await?;
        agents::watch::check_model(&services).map_err(|error| {
            let text = match when.first() {
                None => format!("research: a model compares its answers: {}", error.message),
                Some(words) => {
                    let shown: String = words.chars().take(LONGEST_WORDS).collect();
                    format!(
                        "when: no rule reads {shown:?}; rules read `price below 100` and the like, of the part `item` or \
                         `records`. A model has to judge it: {}",
                        error.message
                    )
                }
            };
            ServiceError::new(error.code, text)
        })
    }
}
