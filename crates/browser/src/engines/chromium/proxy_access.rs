//! `ProxyAccess`: gives a context's browser the password of its proxy, and counts its requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use net::proxy::{Proxy, TrafficBudget};

use super::cdp::fetch::{
    AuthChallengeResponse, AuthRequired, ContinueRequest, ContinueWithAuth, DisableFetch, EnableFetch,
};
use super::cdp::{CdpEvent, Connection};

/// A context's access to its proxy.
///
/// The browser asks for the password when the context's first document is loaded. From then on it sends the password
/// by itself with every connection of the context: of pages, frames, popups and workers.
pub(super) struct ProxyAccess {
    /// As requests for credentials name it: `http://127.0.0.1:PORT`.
    origin: String,
    password: String,
    budget: Arc<TrafficBudget>,
    /// Whether the browser has the password.
    is_known: AtomicBool,
}

/// Gives a server that asks for credentials none, so that its page is shown: by itself a browser without windows shows an error.
pub(super) fn decline(connection: &Connection, session: &str, required: &AuthRequired) {
    let answer = ContinueWithAuth {
        request_id: &required.request_id,
        auth_challenge_response: AuthChallengeResponse::CancelAuth,
    };
    connection.send(session, &answer);
}

impl ProxyAccess {
    pub(super) fn new(proxy: &Proxy) -> ProxyAccess {
        ProxyAccess {
            origin: proxy.url(),
            password: proxy.password().to_owned(),
            budget: proxy.budget().clone(),
            is_known: AtomicBool::new(false),
        }
    }

    /// Makes a new page report requests for credentials, as long as the browser does not have the password.
    pub(super) fn initialize(&self, connection: &Connection, session: &str) {
        if !self.is_known.load(Ordering::Relaxed) {
            connection.send(session, &EnableFetch::documents());
        }
    }

    /// Does the same for a page whose browser has lost the password: it keeps those of few servers.
    pub(super) fn renew(&self, connection: &Connection, session: &str) {
        self.is_known.store(false, Ordering::Relaxed);
        self.initialize(connection, session);
    }

    /// Lets a paused request go on, and gives our own proxy its password, and nobody else any credentials.
    /// What else needs requests to be paused keeps that on.
    pub(super) fn answer(&self, connection: &Connection, session: &str, event: &CdpEvent, stays_on: bool) {
        match event {
            CdpEvent::RequestPaused(paused) => {
                let request_id = &paused.request_id;
                connection.send(
                    session,
                    &ContinueRequest {
                        request_id,
                        headers: None,
                    },
                );
            }
            CdpEvent::AuthRequired(required) => self.answer_challenge(connection, session, required),
            _ => return,
        }
        if self.is_known.load(Ordering::Relaxed) && !stays_on {
            connection.send(session, &DisableFetch {});
        }
    }

    fn answer_challenge(&self, connection: &Connection, session: &str, required: &AuthRequired) {
        let challenge = &required.auth_challenge;
        let is_own = challenge.source == "Proxy" && challenge.origin == self.origin;
        let auth_challenge_response = match is_own {
            true => AuthChallengeResponse::ProvideCredentials {
                username: Proxy::USER,
                password: &self.password,
            },
            false if challenge.source == "Server" => return decline(connection, session, required),
            false => AuthChallengeResponse::Default,
        };
        let answer = ContinueWithAuth {
            request_id: &required.request_id,
            auth_challenge_response,
        };
        connection.send(session, &answer);
        if is_own {
            self.is_known.store(true, Ordering::Relaxed);
        }
    }

    /// Counts a request of a page.
    pub(super) fn count_request(&self) {
        self.budget.count_request();
    }

    /// Whether the pages have used up what they may load.
    pub(super) fn is_budget_spent(&self) -> bool {
        self.budget.is_spent()
    }
}
