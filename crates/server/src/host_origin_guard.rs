//! `HostOriginGuard`: checks of the `Host` and `Origin` headers against DNS rebinding and cross-site requests.
//!
//! They keep a web page in the user's own browser from using a server on loopback.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::{HOST, ORIGIN};
use http::{HeaderMap, Uri};
use url::{Host, Url};
use wire::Code;

use crate::response::ApiError;

/// The host names and origins that the server accepts.
pub(crate) struct HostOriginGuard {
    /// None when others can reach the server anyway: then keys are what protects it, and its names are unknown.
    names: Option<Vec<String>>,
    hosts: Vec<String>,
}

impl HostOriginGuard {
    pub(crate) fn new(address: SocketAddr, hosts: &[String]) -> Self {
        let hosts: Vec<String> = hosts.iter().map(|it| it.to_ascii_lowercase()).collect();
        let mut names = vec!["localhost".to_owned(), address.ip().to_canonical().to_string()];
        names.extend(hosts.iter().cloned());
        Self {
            names: address.ip().is_loopback().then_some(names),
            hosts,
        }
    }

    /// Whether the server is meant by this authority (`name`, `name:port`, `[::1]:port`).
    fn is_ours(&self, authority: &str) -> bool {
        let Some(names) = &self.names else { return true };
        match host_of(authority) {
            Some(Host::Ipv4(it)) => it.is_loopback() || names.contains(&it.to_string()),
            Some(Host::Ipv6(it)) => {
                let plain = IpAddr::V6(it).to_canonical();
                plain.is_loopback() || names.contains(&plain.to_string())
            }
            Some(Host::Domain(name)) => names.iter().any(|it| it == name.trim_end_matches('.')),
            None => false,
        }
    }

    /// Whether a page of this origin may ask: our own pages, and those of hosts that the operator named.
    fn may_ask(&self, origin: &str, authority: &str) -> bool {
        let Ok(origin) = Url::parse(origin) else {
            return false;
        };
        let Some(host) = origin.host_str() else {
            return false;
        };
        if self.hosts.iter().any(|it| it == host) {
            return true;
        }
        let Ok(ours) = Url::parse(&format!("{}://{authority}/", origin.scheme())) else {
            return false;
        };
        ours.origin() == origin.origin()
    }

    fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), &'static str> {
        let header = |name| headers.get(name).map(|it| it.to_str().unwrap_or_default());
        let authority = uri.authority().map(|it| it.as_str());
        let authority = authority.or_else(|| header(HOST)).unwrap_or_default();
        if !self.is_ours(authority) {
            return Err(
                "this server is not known under the name in the Host header; use localhost or its address",
            );
        }
        if header(ORIGIN).is_some_and(|origin| !self.may_ask(origin, authority)) {
            return Err("pages of other sites may not use this server");
        }
        Ok(())
    }
}

fn host_of(authority: &str) -> Option<Host<String>> {
    let url = Url::parse(&format!("http://{authority}/")).ok()?;
    // `user@host` and paths have no place in a Host header.
    let plain = url.username().is_empty() && url.path() == "/" && url.query().is_none();
    url.host().filter(|_| plain).map(|it| it.to_owned())
}

/// Refuses requests that were not meant for this server or come from a page of another site.
pub(crate) async fn check(
    State(guard): State<Arc<HostOriginGuard>>,
    request: Request,
    next: Next,
) -> Response {
    match guard.check(request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(text) => ApiError::new(Code::Forbidden, text).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(address: &str, hosts: &[&str]) -> HostOriginGuard {
        let hosts: Vec<String> = hosts.iter().map(|it| (*it).to_owned()).collect();
        HostOriginGuard::new(address.parse().unwrap(), &hosts)
    }

    #[test]
    fn on_loopback_only_our_own_names_are_answered() {
        let guard = guard("127.0.0.1:8787", &["hunt.lan"]);
        for ours in [
            "127.0.0.1:8787",
            "localhost:8787",
            "LOCALHOST",
            "[::1]:80",
            "127.8.8.8",
            "hunt.lan:1",
            "localhost.",
        ] {
            assert!(guard.is_ours(ours), "{ours}");
        }
        for foreign in [
            "",
            "evil.test",
            "evil.test:8787",
            "localhost.evil.test",
            "a@localhost",
            "10.0.0.1",
            "localhost/x",
            "::",
        ] {
            assert!(!guard.is_ours(foreign), "{foreign}");
        }
    }

    #[test]
    fn where_others_come_in_the_name_is_theirs_to_choose() {
        assert!(guard("0.0.0.0:80", &[]).is_ours("hunt.example"));
    }

    #[test]
    fn only_our_own_pages_may_ask() {
        let guard = guard("127.0.0.1:8787", &["hunt.lan"]);
        assert!(guard.may_ask("http://localhost:8787", "localhost:8787"));
        assert!(guard.may_ask("https://hunt.lan", "localhost:8787"));
        for foreign in [
            "https://evil.test",
            "null",
            "http://localhost:1",
            "http://localhost",
            "",
        ] {
            assert!(!guard.may_ask(foreign, "localhost:8787"), "{foreign}");
        }
    }
}
