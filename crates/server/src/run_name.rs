//! `RunName`: a run as the store knows it and as its client does.
//!
//! Where keys are in use, an id that a client chose belongs to its key: the store knows the run by a hash of both. So a
//! client gets any id that it has not taken itself, and learns of nobody else's.

use axum::response::Response;
use data_encoding::HEXLOWER;
use http::{HeaderValue, StatusCode};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use wire::{Code, RunId};

use crate::auth::Caller;
use crate::response::{ApiError, RUN_ID, json_text};

/// What the id of a run begins with that a client has chosen an id for.
const CHOSEN: &str = "own_";
/// What ids begin with that nobody chose.
const GENERATED: &str = "run_";

/// A run's id in the store, and the one its client sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RunName {
    pub(crate) id: RunId,
    shown: RunId,
}

impl RunName {
    /// The run that a client names by this id.
    pub(crate) fn named(caller: &Caller, named: RunId) -> Self {
        let id = match caller.sees() {
            Some(owner) if !is_ours(&named) => hashed(owner, &named),
            _ => named.clone(),
        };
        Self { id, shown: named }
    }

    /// The run that is begun under the id which a client chose.
    ///
    /// # Errors
    /// When the id looks like one of ours.
    pub(crate) fn chosen(caller: &Caller, chosen: &RunId) -> Result<Self, ApiError> {
        if caller.sees().is_some() && is_ours(chosen) {
            let text =
                format!("session_id: ids such as {GENERATED}... are given by the server; choose another one");
            return Err(ApiError::new(Code::InvalidRequest, text));
        }
        Ok(Self::named(caller, chosen.clone()))
    }

    /// A run that was begun, perhaps under an id which the client chose.
    pub(crate) fn begun(caller: &Caller, id: RunId, chosen: Option<&RunId>) -> Self {
        let named = chosen.map(|chosen| Self::named(caller, chosen.clone()));
        named.filter(|named| named.id == id).unwrap_or_else(|| Self {
            shown: id.clone(),
            id,
        })
    }

    /// The id that the client knows.
    pub(crate) fn shown(&self) -> &RunId {
        &self.shown
    }

    /// A text for the client, which names the run by the id that the client knows.
    pub(crate) fn show(&self, text: String) -> String {
        match self.id == self.shown {
            true => text,
            false => text.replace(self.id.as_str(), self.shown.as_str()),
        }
    }

    /// An answer with a JSON body about the run.
    pub(crate) fn json(&self, status: StatusCode, body: &Value) -> Response {
        self.mark(json_text(status, self.show(body.to_string())))
    }

    /// The answer with a header that names the run.
    pub(crate) fn mark(&self, mut response: Response) -> Response {
        if let Ok(id) = HeaderValue::from_str(self.shown.as_str()) {
            response.headers_mut().insert(RUN_ID, id);
        }
        response
    }
}

/// Whether an id is of the kind that the server gives.
fn is_ours(id: &RunId) -> bool {
    let hex = [GENERATED, CHOSEN]
        .iter()
        .find_map(|prefix| id.as_str().strip_prefix(prefix));
    let is_hex = |it: u8| matches!(it, b'0'..=b'9' | b'a'..=b'f');
    hex.is_some_and(|hex| hex.len() == 32 && hex.bytes().all(is_hex))
}

fn hashed(owner: &str, chosen: &RunId) -> RunId {
    let hash = Sha256::new()
        .chain_update(owner)
        .chain_update(b"\0")
        .chain_update(chosen.as_str())
        .finalize();
    let hex = HEXLOWER.encode(hash.get(..16).unwrap_or_default());
    // A prefix and hexadecimal digits are an id.
    RunId::parse(&format!("{CHOSEN}{hex}")).unwrap_or_else(|_| chosen.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_its_own_ids_and_those_of_the_server_are_the_same_for_all() {
        let [one, other, nobody] = [Some("a"), Some("b"), None].map(Caller::of);
        let chosen = RunId::parse("my-own-session").unwrap();
        let named = |caller| RunName::named(caller, chosen.clone());
        assert_ne!(named(&one).id, named(&other).id);
        assert_eq!(named(&nobody).id, chosen);
        assert_eq!(
            named(&one).show(format!("<{}>", named(&one).id)),
            "<my-own-session>"
        );
        let generated = RunId::from_random([7; 16]);
        for id in [generated, named(&one).id] {
            assert_eq!(RunName::named(&other, id.clone()).id, id);
            assert!(RunName::chosen(&other, &id).is_err() && RunName::chosen(&nobody, &id).is_ok());
        }
    }
}
