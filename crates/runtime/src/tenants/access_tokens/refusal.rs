//! `TokenRefusal`: why an access token does not open.

/// Why a token does not open.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TokenRefusal {
    /// Nobody but a guesser presents such a token: it is not signed by the issuer.
    #[error("the access token is not one of the issuer's")]
    Forged,
    /// A token that the issuer has signed, and that does not open this server now.
    #[error("the access token does not hold here: {0}")]
    Invalid(String),
    /// The issuer's keys, or the tenant, cannot be read now.
    #[error("{0}")]
    Unavailable(String),
}
