//! `AccessTokens`: OAuth access tokens of an issuer that the operator names, in the place of API keys.
//!
//! A token is a JSON Web Token (RFC 7519) as RFC 9068 profiles it: signed by a key that the issuer publishes, for this
//! server's address, not expired. Its claim `tenant` names a tenant of this server and its claim `scope` what the bearer may
//! do, in the words that scopes of API keys have.

mod issuer_keys;
mod refusal;
mod signed_token;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::Timestamp;
use serde::Deserialize;
use url::Url;
use wire::Code;
use wire::tenancy::Scope;

pub use self::issuer_keys::FetchDocument;
use self::issuer_keys::IssuerKeys;
pub use self::refusal::TokenRefusal;
use self::signed_token::SignedToken;
use super::Tenants;
use super::registry::Identity;
use crate::error::ServiceError;

/// How far the clocks of the issuer and of this machine may be apart, in seconds.
const LEEWAY: f64 = 30.0;

/// Reads the access tokens of one issuer.
pub struct AccessTokens {
    issuer: Url,
    audience: Url,
    keys: IssuerKeys,
}

/// What a token says, apart from who has signed it.
#[derive(Debug, Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: Audience,
    exp: f64,
    #[serde(default)]
    nbf: Option<f64>,
    #[serde(default)]
    scope: String,
    #[serde(default)]
    tenant: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

impl Audience {
    fn has(&self, wanted: &str) -> bool {
        match self {
            Self::One(one) => one == wanted,
            Self::Many(many) => many.iter().any(|one| one == wanted),
        }
    }
}

impl AccessTokens {
    /// The tokens of `issuer` for `audience`, the address under which clients know this server's MCP endpoint. The
    /// issuer's keys are read by `fetch` when the first token comes.
    pub fn new(issuer: Url, audience: Url, fetch: Box<dyn FetchDocument>) -> Self {
        Self {
            keys: IssuerKeys::new(issuer.clone(), fetch),
            issuer,
            audience,
        }
    }

    /// The issuer's address.
    pub fn issuer(&self) -> &Url {
        &self.issuer
    }

    /// The address that tokens must be for.
    pub fn audience(&self) -> &Url {
        &self.audience
    }

    /// Whether a text has the form of a token: three parts with dots between them.
    pub fn looks_like_one(text: &str) -> bool {
        text.matches('.').count() == 2
    }

    /// Whom a token stands for. Scopes that this server does not have are left out, and so are those of administrators.
    ///
    /// # Errors
    /// When the token does not open this server at this time, or the issuer or the store cannot be asked.
    pub async fn identify(&self, tenants: &Tenants, text: &str) -> Result<Identity, TokenRefusal> {
        let token = SignedToken::parse(text).ok_or(TokenRefusal::Forged)?;
        if !self.keys.verify(&token).await? {
            return Err(TokenRefusal::Forged);
        }
        let claims: Claims =
            serde_json::from_slice(&token.claims).map_err(|error| invalid(error.to_string()))?;
        self.check(&claims, tenants.now())?;
        let name = claims.tenant.as_deref().filter(|name| !name.is_empty());
        let name = name.ok_or_else(|| invalid("it has no claim `tenant`"))?;
        let scopes: BTreeSet<Scope> = claims
            .scope
            .split_whitespace()
            .filter_map(Scope::parse)
            .filter(|scope| !matches!(scope, Scope::Admin | Scope::Metrics))
            .collect();
        let identity = tenants.identity_of_token(name, &claims.sub, scopes.into_iter().collect());
        let identity = identity.await.map_err(unavailable)?;
        identity.ok_or_else(|| invalid("this server has no tenant of the name in its claim `tenant`"))
    }

    fn check(&self, claims: &Claims, now: Timestamp) -> Result<(), TokenRefusal> {
        let now = Duration::try_from(now.as_duration())
            .unwrap_or_default()
            .as_secs_f64();
        let same = |text: &str, url: &Url| text.trim_end_matches('/') == url.as_str().trim_end_matches('/');
        if !same(&claims.iss, &self.issuer) {
            return Err(invalid("its claim `iss` is not the issuer"));
        }
        let audience = self.audience.as_str();
        if !claims.aud.has(audience) && !claims.aud.has(audience.trim_end_matches('/')) {
            return Err(invalid(format!("its claim `aud` is not {audience}")));
        }
        if claims.exp + LEEWAY <= now {
            return Err(invalid("it has expired"));
        }
        if claims.nbf.is_some_and(|begin| begin - LEEWAY > now) {
            return Err(invalid("it does not hold yet"));
        }
        Ok(())
    }
}

fn invalid(why: impl Into<String>) -> TokenRefusal {
    TokenRefusal::Invalid(why.into())
}

fn unavailable(error: ServiceError) -> TokenRefusal {
    tracing::warn!(
        code = Code::as_str(error.code),
        "a tenant of an access token was not read"
    );
    TokenRefusal::Unavailable("the tenant of the access token cannot be read now".into())
}
