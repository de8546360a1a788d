//! `Sessions`: logins of the console by key. A browser holds a random id, the server its hash and the key.
//!
//! The key is checked again at every request, so that a session ends with its key. Sessions live in memory: they end with
//! the server.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::response::Response;
use data_encoding::HEXLOWER;
use http::header::{COOKIE, SET_COOKIE};
use http::{HeaderMap, HeaderValue};
use runtime::config::Secret;
use sha2::{Digest as _, Sha256};

/// Sessions at once; beyond that the one that was used least recently ends.
const MAX_SESSIONS: usize = 1000;
/// A session that is not used for this long ends.
const IDLE: Duration = Duration::from_secs(12 * 60 * 60);
/// The cookie of a session, over HTTPS and else.
pub(crate) const COOKIES: [&str; 2] = ["__Host-huntsman", "huntsman_session"];

/// The sessions of a server.
#[derive(Default)]
pub(crate) struct Sessions(Mutex<HashMap<[u8; 32], Session>>);

struct Session {
    key: Secret,
    used: Instant,
}

impl Sessions {
    fn all(&self) -> MutexGuard<'_, HashMap<[u8; 32], Session>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The key of the session whose cookie a request shows.
    pub(crate) fn key(&self, headers: &HeaderMap) -> Option<Secret> {
        let id = session_id(headers)?;
        let mut all = self.all();
        let session = all.get_mut(&id)?;
        if session.used.elapsed() > IDLE {
            all.remove(&id);
            return None;
        }
        session.used = Instant::now();
        Some(session.key.clone())
    }

    /// A new session of this key; gives its id, which is random and kept nowhere here.
    ///
    /// # Errors
    /// When the system has no random bytes.
    pub(crate) fn begin(&self, key: Secret) -> Result<String, getrandom::Error> {
        let mut random = [0; 32];
        getrandom::fill(&mut random)?;
        let id = HEXLOWER.encode(&random);
        let mut all = self.all();
        all.retain(|_, session| session.used.elapsed() <= IDLE);
        if all.len() >= MAX_SESSIONS
            && let Some(oldest) = all
                .iter()
                .min_by_key(|(_, session)| session.used)
                .map(|(id, _)| *id)
        {
            all.remove(&oldest);
        }
        let used = Instant::now();
        all.insert(Sha256::digest(&id).into(), Session { key, used });
        Ok(id)
    }

    pub(crate) fn end(&self, headers: &HeaderMap) {
        if let Some(id) = session_id(headers) {
            self.all().remove(&id);
        }
    }
}

/// The hash of the session id that a request shows.
fn session_id(headers: &HeaderMap) -> Option<[u8; 32]> {
    let id = COOKIES.iter().find_map(|name| cookie(headers, name))?;
    Some(Sha256::digest(id).into())
}

/// The value of a cookie.
pub(crate) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers
        .get_all(COOKIE)
        .into_iter()
        .filter_map(|it| it.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';'));
    let mut named = pairs
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(key, _)| *key == name);
    named.next().map(|(_, value)| value)
}

/// The response, with a cookie.
pub(crate) fn with_cookie(mut response: Response, cookie: &str) -> Response {
    if let Ok(cookie) = HeaderValue::from_str(cookie) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_found_by_its_cookie_until_it_ends() {
        let sessions = Sessions::default();
        let id = sessions.begin("some-key-of-ours".parse().unwrap()).unwrap();
        let shown = |text: String| HeaderMap::from_iter([(COOKIE, HeaderValue::from_str(&text).unwrap())]);
        let headers = shown(format!("other=1; huntsman_session={id}"));
        assert_eq!(sessions.key(&headers).unwrap().reveal(), "some-key-of-ours");
        assert!(sessions.key(&shown(format!("huntsman_session={id}0"))).is_none());
        sessions.end(&headers);
        assert!(sessions.key(&headers).is_none());
    }

    #[test]
    fn sessions_are_bounded() {
        let sessions = Sessions::default();
        for _ in 0..=MAX_SESSIONS {
            sessions.begin("some-key-of-ours".parse().unwrap()).unwrap();
        }
        assert_eq!(sessions.all().len(), MAX_SESSIONS);
    }
}
