//! Access tokens at the endpoints of MCP: which paths take them, and where clients that show none get one (RFC 9728).

use axum::response::{IntoResponse as _, Response};
use http::HeaderValue;
use http::header::WWW_AUTHENTICATE;
use runtime::tenants::access_tokens::AccessTokens;
use serde_json::{Value, json};
use wire::Code;
use wire::tenancy::Scope;

use crate::app::AppState;
use crate::response::ApiError;

/// Where the metadata of the protected resource are. A client puts its path behind the well-known one, or none.
pub(crate) const METADATA_PATHS: &[&str] = &[
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-protected-resource/mcp/read",
];

/// The reader of access tokens for a path; none for one that takes keys alone.
pub(crate) fn for_path<'a>(state: &'a AppState, path: &str) -> Option<&'a AccessTokens> {
    let takes_tokens = matches!(path, "/mcp" | "/mcp/read");
    state.app.tokens.as_deref().filter(|_| takes_tokens)
}

/// A refusal that leads the client to the issuer, as RFC 9728 and RFC 6750 write it.
pub(crate) fn refusal(tokens: &AccessTokens, has_shown: bool, refused: ApiError) -> Response {
    let is_unauthorized = refused.code() == Code::Unauthorized;
    let mut response = refused.into_response();
    let mut address = tokens.audience().clone();
    address.set_path(&format!(
        "/.well-known/oauth-protected-resource{}",
        address.path()
    ));
    let error = if has_shown {
        ", error=\"invalid_token\""
    } else {
        ""
    };
    let challenge = HeaderValue::from_str(&format!("Bearer resource_metadata=\"{address}\"{error}"));
    if let Ok(challenge) = challenge
        && is_unauthorized
    {
        response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
    }
    response
}

/// The metadata of the protected resource.
pub(crate) fn metadata(tokens: &AccessTokens) -> Value {
    let scopes = Scope::USUAL.map(Scope::as_str);
    json!({
        "resource": tokens.audience(),
        "resource_name": "Huntsman",
        // Issuers are compared letter by letter, and the parser of addresses ends one without a path with a slash.
        "authorization_servers": [tokens.issuer().as_str().trim_end_matches('/')],
        "bearer_methods_supported": ["header"],
        "scopes_supported": scopes,
    })
}
