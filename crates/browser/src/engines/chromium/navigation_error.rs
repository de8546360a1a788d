//! Errors of navigations: what the run's proxy knows about a failure, or else what the browser says.

use url::Url;

use super::state::DocumentStatus;
use super::tab::ChromiumTab;
use crate::error::Error;

const NO_ANSWER: net::Error = net::Error::Connect("closed without an answer");

impl ChromiumTab {
    /// Takes the last failure of the proxy to connect to the URL's host.
    pub(super) fn take_proxy_failure(&self, url: &Url) -> Option<net::Error> {
        let proxy = self.context.as_ref()?.proxy.as_ref()?;
        let host = url.host()?.to_owned().to_string();
        proxy.take_failure(&host, url.port_or_known_default()?)
    }

    /// Fails when the document is a refusal of the proxy, and not an answer of the site.
    pub(super) fn check_proxy_answer(&self, url: &Url, status: DocumentStatus) -> Result<(), Error> {
        if url.scheme() == "chrome-error" {
            return Err(Error::Net(NO_ANSWER));
        }
        // Without the mark of the proxy the site itself has answered, whatever failed on its host before.
        if status.is_of_proxy
            && let Some(failure) = self.take_proxy_failure(url)
        {
            return Err(Error::Net(failure));
        }
        Ok(())
    }

    /// The error of a navigation to `requested`: where a redirect led to an address that was refused, names that address.
    pub(super) fn redirected(&self, requested: &Url, error: Error) -> Error {
        let Error::Net(net::Error::Blocked(why)) = error else {
            return error;
        };
        let address = self.tracker().ok().and_then(|tracker| {
            let address = tracker.state().page()?.url.clone();
            Url::parse(&address).ok()
        });
        let is_target = |address: &Url| {
            matches!(address.scheme(), "http" | "https") && address.origin() != requested.origin()
        };
        Error::Net(match address.filter(is_target) {
            Some(address) => net::Error::BlockedRedirect {
                target: address.origin().ascii_serialization(),
                why,
            },
            None => net::Error::Blocked(why),
        })
    }

    /// Why a navigation failed. `text` is the browser's error, such as `net::ERR_NAME_NOT_RESOLVED`.
    pub(super) fn navigation_error(&self, url: &Url, text: &str) -> Error {
        if self.tracker().is_ok_and(|tracker| tracker.is_budget_spent()) {
            return Error::Net(net::Error::BudgetExceeded);
        }
        let failure = self.take_proxy_failure(url).or_else(|| {
            // A redirect may have led to the host that failed.
            let address = self.tracker().ok()?.state().page()?.url.clone();
            self.take_proxy_failure(&Url::parse(&address).ok()?)
        });
        if let Some(failure) = failure {
            return Error::Net(failure);
        }
        let proxy = self.context.as_ref().and_then(|context| context.proxy.as_ref());
        if text.contains("TUNNEL_CONNECTION_FAILED")
            && let Some(denied) = proxy.and_then(|proxy| proxy.take_denied().pop())
        {
            return Error::Net(match denied.why {
                // A tunnel is for https.
                net::Error::Blocked(why) => {
                    match Url::parse(&format!("https://{}:{}", denied.host, denied.port)) {
                        Ok(target) if target.origin() != url.origin() => net::Error::BlockedRedirect {
                            target: target.origin().ascii_serialization(),
                            why,
                        },
                        _ => net::Error::Blocked(why),
                    }
                }
                other => other,
            });
        }
        Error::Net(match text.trim_start_matches("net::") {
            "ERR_TOO_MANY_REDIRECTS" => net::Error::TooManyRedirects,
            "ERR_NAME_NOT_RESOLVED" => net::Error::Dns,
            "ERR_TIMED_OUT" | "ERR_CONNECTION_TIMED_OUT" => net::Error::Timeout(net::TimeLimit::Connect),
            "ERR_INVALID_URL" | "ERR_UNSAFE_PORT" => net::Error::InvalidUrl("the browser does not open it"),
            "ERR_ABORTED" => return Error::Crashed("it stopped loading the page"),
            text if text.starts_with("ERR_CERT") || text.starts_with("ERR_SSL") => {
                net::Error::Tls("its certificate is not valid".into())
            }
            text if text.starts_with("ERR_CONTENT") || text.starts_with("ERR_INCOMPLETE") => {
                net::Error::Incomplete
            }
            _ => NO_ANSWER,
        })
    }
}
