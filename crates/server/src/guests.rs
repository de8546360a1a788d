//! Under which names the server may be asked, and from which pages: what keeps a web page in the user's own browser
//! from talking to a server on loopback, be it by a name that leads there (DNS rebinding) or by a form (CSRF).

use std::net::{IpAddr, SocketAddr};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::{HOST, ORIGIN};
use http::{HeaderMap, Uri};
use url::{Host, Url};
use wire::Code;

use crate::answer::Failure;
use crate::door::Door;

/// The names the server answers to.
pub(crate) struct Guests {
    /// None when others can reach the server anyway: then keys are what protects it, and its names are unknown.
    names: Option<Vec<String>>,
    hosts: Vec<String>,
}

impl Guests {
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

    fn judge(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), &'static str> {
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

/// Turns away requests that were not meant for this server or come from a foreign page.
pub(crate) async fn check(State(door): State<Door>, request: Request, next: Next) -> Response {
    match door.guests.judge(request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(text) => Failure::new(Code::Forbidden, text).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guests(address: &str, hosts: &[&str]) -> Guests {
        let hosts: Vec<String> = hosts.iter().map(|it| (*it).to_owned()).collect();
        Guests::new(address.parse().unwrap(), &hosts)
    }

    #[test]
    fn on_loopback_only_our_own_names_are_answered() {
        let guests = guests("127.0.0.1:8787", &["hunt.lan"]);
        for ours in [
            "127.0.0.1:8787",
            "localhost:8787",
            "LOCALHOST",
            "[::1]:80",
            "127.8.8.8",
            "hunt.lan:1",
            "localhost.",
        ] {
            assert!(guests.is_ours(ours), "{ours}");
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
            assert!(!guests.is_ours(foreign), "{foreign}");
        }
    }

    #[test]
    fn where_others_come_in_the_name_is_theirs_to_choose() {
        assert!(guests("0.0.0.0:80", &[]).is_ours("hunt.example"));
    }

    #[test]
    fn only_our_own_pages_may_ask() {
        let guests = guests("127.0.0.1:8787", &["hunt.lan"]);
        assert!(guests.may_ask("http://localhost:8787", "localhost:8787"));
        assert!(guests.may_ask("https://hunt.lan", "localhost:8787"));
        for foreign in [
            "https://evil.test",
            "null",
            "http://localhost:1",
            "http://localhost",
            "",
        ] {
            assert!(!guests.may_ask(foreign, "localhost:8787"), "{foreign}");
        }
    }
}
