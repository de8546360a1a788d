//! `SiteFetcher`: fetches files of a site within a run or a request.

use std::time::Duration;

use net::{CancellationToken, Limits, Oversize, Request, Response, RobotsMode};
use url::Url;

use crate::services::AgentServices;

/// Fetches files of a site.
#[derive(Clone)]
pub(super) struct SiteFetcher<'a> {
    pub(super) services: &'a AgentServices,
    pub(super) cancel: CancellationToken,
}

impl SiteFetcher<'_> {
    /// Whether the operator named the host of an address.
    pub(super) fn grants(&self, url: &Url) -> bool {
        url.host_str()
            .is_some_and(|host| self.services.granted.iter().any(|granted| granted == host))
    }

    /// A request as the run opens its pages, within the time that is given; what is larger than the largest page is cut.
    ///
    /// # Errors
    /// When a header that is asked for cannot be sent.
    pub(super) fn request(&self, url: Url, total: Duration) -> Result<Request, net::Error> {
        let profile = self.services.profile(self.cancel.clone(), RobotsMode::Ignore);
        let mut request = profile.prepare(Request::get(url), self.services.client.limits())?;
        request.limits = Some(Limits {
            total,
            attempts: 2,
            oversize: Oversize::Cut,
            ..self.services.client.limits().clone()
        });
        Ok(request)
    }

    /// Fetches a file.
    pub(super) async fn file(&self, url: Url, total: Duration) -> Result<Response, net::Error> {
        self.services
            .client
            .fetch(self.request(url, total)?)
            .await?
            .accepted()
    }
}
