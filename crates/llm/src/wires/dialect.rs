//! What a wire states about itself: names, paths, headers and the functions that write and read its messages.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::WireDecoder;
use crate::endpoint::ModelEndpoint;
use crate::model::ModelRequest;
use crate::sse::Framing;

/// The description of a wire. Each wire's file holds one.
#[derive(Debug)]
pub(crate) struct Dialect {
    /// Its name in configuration and on the command line.
    pub name: &'static str,
    /// Other names that configuration may use.
    pub aliases: &'static [&'static str],
    /// The provider of the catalogue whose address and key are taken when only the wire is named.
    pub provider: &'static str,
    /// The path of a request, after the base URL.
    pub path: fn(&ModelEndpoint) -> Cow<'static, str>,
    /// The query of a request.
    pub query: Option<&'static str>,
    /// The path of a request for embeddings; none where the wire has no such request.
    pub embeddings: Option<&'static str>,
    /// The header that holds the key as it stands; none for `authorization: Bearer`.
    pub key_header: Option<&'static str>,
    /// A header that every request has, with its value.
    pub version_header: Option<(&'static str, &'static str)>,
    /// How bodies of answers frame payloads.
    pub framing: Framing,
    /// Whether a request can hold a JSON Schema for the answer's text.
    pub has_json_schema: bool,
    /// Writes the body of a request.
    pub body: fn(&ModelRequest, &ModelEndpoint) -> Map<String, Value>,
    /// Makes a decoder at the start of an answer.
    pub decoder: fn() -> Box<dyn WireDecoder>,
}
