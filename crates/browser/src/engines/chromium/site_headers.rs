//! `SiteHeaderRules`: adds the caller's headers to the requests to their sites, and to no other.

use std::sync::Arc;

use url::Url;

use super::cdp::Connection;
use super::cdp::fetch::{ContinueRequest, EnableFetch, HeaderEntry, RequestPaused};
use crate::browser::SiteHeaders;

/// The headers of a context, by site. Requests to these sites are paused, and go on with their headers. What the browser
/// is told to send does not go along with a redirect, whose request is paused anew when it leads to a site with headers.
pub(super) struct SiteHeaderRules {
    sites: Arc<[SiteHeaders]>,
    /// The origins as patterns spell them.
    origins: Vec<String>,
}

impl SiteHeaderRules {
    pub(super) fn new(sites: &Arc<[SiteHeaders]>) -> SiteHeaderRules {
        SiteHeaderRules {
            sites: sites.clone(),
            origins: sites
                .iter()
                .map(|site| site.origin.ascii_serialization())
                .collect(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// Makes a new page or frame pause its requests to the sites. Those of pages are paused besides for the password of the
    /// proxy, as long as the page lives.
    pub(super) fn initialize(&self, connection: &Connection, session: &str, is_page: bool) {
        if self.is_empty() {
            return;
        }
        let origins = self.origins.iter().map(String::as_str);
        let command = match is_page {
            true => EnableFetch::documents(),
            false => EnableFetch::nothing(),
        };
        connection.send(session, &command.and_sites(origins));
    }

    /// Lets a paused request go on, with the headers of its site.
    pub(super) fn answer(&self, connection: &Connection, session: &str, paused: &RequestPaused) {
        let origin = Url::parse(&paused.request.url).map(|url| url.origin());
        let own: Vec<&(String, String)> = self
            .sites
            .iter()
            .filter(|site| origin.as_ref() == Ok(&site.origin))
            .flat_map(|site| &site.headers)
            .collect();
        let entry = |(name, value): (&String, &String)| HeaderEntry {
            name: name.clone(),
            value: value.clone(),
        };
        let headers = (!own.is_empty()).then(|| {
            let is_own = |name: &str| own.iter().any(|(own, _)| own.eq_ignore_ascii_case(name));
            let kept = paused.request.headers.iter().filter(|(name, _)| !is_own(name));
            let added = own.iter().map(|(name, value)| (name, value));
            kept.chain(added).map(entry).collect()
        });
        let command = ContinueRequest {
            request_id: &paused.request_id,
            headers,
        };
        connection.send(session, &command);
    }
}
