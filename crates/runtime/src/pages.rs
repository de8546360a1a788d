//! `PageService`: reads single pages while the client waits, without a run or a log.

use std::sync::Arc;
use std::time::Duration;

use agents::run::BeforeEnd;
use agents::services::{AgentServices, Ledger};
use tokio::sync::{Semaphore, SemaphorePermit};
use wire::Code;
use wire::error::ErrorBody;
use wire::profile::ProfileChoice;
use wire::read::{FoundPage, PageReading, ReadRequest};
use wire::site::{MapRequest, SiteMap};
use wire::tabstack::{ExtractJsonRequest, GenerateJsonRequest, MarkdownRequest, MarkdownResponse};

use crate::error::ServiceError;
use crate::logins::Logins;
use crate::profiles::Profiles;
use crate::turns::Turns;

/// Pages read at once; further ones wait.
const MAX_CONCURRENT: usize = 32;
/// Maps made at once. Each may take some hundred megabytes for a site of half a million addresses.
const MAX_CONCURRENT_MAPS: usize = 4;
/// Pages read with a model at once. Such work is long, so one more is refused without waiting.
const MAX_CONCURRENT_WITH_MODEL: usize = 16;

pub use agents::page_requests::{ShapedPage, quoted};
pub use locale::nearest;

/// Reads pages. Cheap to clone; clones share the limits.
#[derive(Clone)]
pub struct PageService {
    services: AgentServices,
    profiles: Profiles,
    turns: Arc<Turns>,
    maps: Arc<Turns>,
    model_permits: Arc<Semaphore>,
}

impl PageService {
    pub(crate) fn new(services: AgentServices, profiles: Profiles) -> Self {
        let turns = Arc::new(Turns::new(MAX_CONCURRENT, "pages are being read"));
        let model_permits = Arc::new(Semaphore::new(MAX_CONCURRENT_WITH_MODEL));
        Self {
            services,
            profiles,
            turns,
            maps: Arc::new(Turns::new(MAX_CONCURRENT_MAPS, "maps are being made")),
            model_permits,
        }
    }

    /// The same service with other services, such as those of one tenant.
    pub(crate) fn with_services(&self, services: AgentServices) -> Self {
        Self {
            services,
            ..self.clone()
        }
    }

    /// The same service, whose models enter what they cost in a ledger.
    #[must_use]
    pub fn entering(&self, ledger: &Ledger) -> Self {
        Self {
            services: self.services.entering(ledger),
            ..self.clone()
        }
    }

    /// Checks whether the policy of the tenant allows to read a page with a profile, before the request is counted.
    ///
    /// # Errors
    /// When it does not; the text names the field.
    pub fn allow(&self, url: &str, choice: &ProfileChoice) -> Result<(), ServiceError> {
        self.services.allow_profile(choice)?;
        self.services
            .allow_address("url", url)
            .map_err(ServiceError::from)
    }

    /// A page as Markdown. Dropping the future stops the work.
    ///
    /// # Errors
    /// When too many pages are being read, or this one cannot be.
    pub async fn markdown(
        &self,
        owner: &str,
        request: &MarkdownRequest,
    ) -> Result<MarkdownResponse, ServiceError> {
        let _turn = self.turns.take().await?;
        self.with_profile(owner, &request.profile, &request.url, async |services| {
            agents::page_requests::markdown(services, request).await
        })
        .await
    }

    /// Reads a page with the profile that its request names, and writes that back where the request says so.
    async fn with_profile<T>(
        &self,
        owner: &str,
        choice: &ProfileChoice,
        url: &str,
        read: impl AsyncFnOnce(&AgentServices) -> Result<T, ErrorBody>,
    ) -> Result<T, ServiceError> {
        self.allow(url, choice)?;
        let logins = Logins::of_profile(&self.profiles, owner, choice).await?;
        let work = logins.before_end();
        let services = AgentServices {
            session: logins.session,
            ..self.services.clone()
        };
        let read = with_write_back(work, read(&services)).await;
        read.map_err(ServiceError::from)
    }

    /// One view of a page. Dropping the future stops the work.
    ///
    /// # Errors
    /// When too many pages are being read, this one cannot be, or the view has nothing of it.
    pub async fn read(&self, request: &ReadRequest) -> Result<PageReading, ServiceError> {
        let _turn = self.turns.take().await?;
        self.allow(&request.url, &ProfileChoice::default())?;
        let read = agents::page_requests::read(&self.services, request).await;
        read.map_err(ServiceError::from)
    }

    /// Whether a search provider is configured.
    pub fn can_search(&self) -> bool {
        self.services.search.is_some()
    }

    /// Searches the web, best hits first, at most `limit` of them.
    ///
    /// # Errors
    /// When too much is going on, no search provider is configured, or it cannot be asked.
    pub async fn search(&self, query: &str, limit: usize) -> Result<Vec<FoundPage>, ServiceError> {
        let _turn = self.turns.take().await?;
        let found = agents::page_requests::search(&self.services, query, limit).await;
        found.map_err(ServiceError::from)
    }

    /// A page's data in the shape of a schema. Dropping the future stops the work.
    ///
    /// # Errors
    /// When too many pages are being read, no model is configured, or this page cannot be read.
    pub async fn extract(
        &self,
        owner: &str,
        request: &ExtractJsonRequest,
    ) -> Result<ShapedPage, ServiceError> {
        let _permit = self.model_permit()?;
        self.with_profile(owner, &request.profile, &request.url, async |services| {
            agents::page_requests::extract(services, request).await
        })
        .await
    }

    /// What a model makes of a page, in the shape of a schema. Dropping the future stops the work.
    ///
    /// # Errors
    /// As for [`PageService::extract`].
    pub async fn generate(
        &self,
        owner: &str,
        request: &GenerateJsonRequest,
    ) -> Result<ShapedPage, ServiceError> {
        let _permit = self.model_permit()?;
        self.with_profile(owner, &request.profile, &request.url, async |services| {
            agents::page_requests::generate(services, request).await
        })
        .await
    }

    /// The addresses of a site. Dropping the future stops the work.
    ///
    /// # Errors
    /// When too many pages are being read, a pattern does not compile, or the site cannot be read.
    pub async fn map(&self, request: &MapRequest) -> Result<SiteMap, ServiceError> {
        let _turn = self.maps.take().await?;
        self.allow(&request.url, &ProfileChoice::default())?;
        let mapped = agents::site::map::map(&self.services, request).await;
        mapped.map_err(ServiceError::from)
    }

    /// A permit for work with a model, refused before anything begins when none is free.
    fn model_permit(&self) -> Result<SemaphorePermit<'_>, ServiceError> {
        self.model_permits.try_acquire().map_err(|_| {
            let text = format!("{MAX_CONCURRENT_WITH_MODEL} pages are being read with a model already");
            ServiceError::new(Code::RateLimited, text).again_after(Duration::from_secs(2))
        })
    }
}

/// What `read` gives; `work` is done after it. Where the future is dropped because the client has gone, the work is done all the same:
/// a site may have taken back what the profile was logged in with when it gave something new.
async fn with_write_back<T>(work: Option<Arc<dyn BeforeEnd>>, read: impl Future<Output = T>) -> T {
    let mut pending = PendingWriteBack(work);
    let read = read.await;
    if let Some(work) = &pending.0 {
        work.before_end().await;
    }
    pending.0 = None;
    read
}

/// Work at the end of a reading that is not done yet. Dropped, it is done by a task of its own.
struct PendingWriteBack(Option<Arc<dyn BeforeEnd>>);

impl Drop for PendingWriteBack {
    fn drop(&mut self) {
        let Some(work) = self.0.take() else { return };
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { work.before_end().await });
        }
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;

    use super::*;

    /// Has a permit for each time that it was done.
    struct Counted(Semaphore);

    #[async_trait]
    impl BeforeEnd for Counted {
        async fn before_end(&self) {
            self.0.add_permits(1);
        }
    }

    #[tokio::test]
    async fn a_profile_is_written_back_once_also_when_the_client_has_gone() {
        let work = Arc::new(Counted(Semaphore::new(0)));
        assert_eq!(with_write_back(Some(work.clone()), async { 7 }).await, 7);
        assert_eq!(work.0.available_permits(), 1);
        let mut read = Box::pin(with_write_back(Some(work.clone()), std::future::pending::<()>()));
        assert!(futures_util::poll!(read.as_mut()).is_pending());
        drop(read);
        let both = work.0.acquire_many(2).await.unwrap();
        assert_eq!(both.num_permits(), 2);
    }
}
