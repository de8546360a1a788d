//! `SignedToken`: the parts of a JSON Web Token in the compact form of RFC 7515.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{self, RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm};
use serde::Deserialize;

/// Longest token, in bytes.
const MAX_BYTES: usize = 8 * 1024;

/// How a token is signed. Nothing else is taken: no token without a signature, and none signed by a shared secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
enum Algorithm {
    /// RSA of 2,048 to 8,192 bits, PKCS #1 version 1.5, SHA-256.
    #[serde(rename = "RS256")]
    Rs256,
    /// ECDSA on P-256 with SHA-256.
    #[serde(rename = "ES256")]
    Es256,
    /// Ed25519.
    #[serde(rename = "EdDSA")]
    EdDsa,
}

#[derive(Debug, Deserialize)]
struct Header {
    alg: Algorithm,
    #[serde(default)]
    kid: Option<String>,
    /// Extensions that a reader must understand; there is none that this one does.
    #[serde(default)]
    crit: Option<serde_json::Value>,
}

/// A public key of the issuer, as RFC 7517 writes them. Keys of other kinds and for other uses are read and verify
/// nothing.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct PublicKey {
    kty: String,
    #[serde(default)]
    crv: Option<String>,
    #[serde(default)]
    kid: Option<String>,
    #[serde(default, rename = "use")]
    usage: Option<String>,
    #[serde(default)]
    n: Option<String>,
    #[serde(default)]
    e: Option<String>,
    #[serde(default)]
    x: Option<String>,
    #[serde(default)]
    y: Option<String>,
}

/// A token, taken apart, whose signature was not looked at.
pub(super) struct SignedToken<'a> {
    header: Header,
    /// What is signed.
    message: &'a [u8],
    /// The claims as they came: JSON.
    pub(super) claims: Vec<u8>,
    signature: Vec<u8>,
}

fn decoded(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}

impl<'a> SignedToken<'a> {
    /// Takes a token apart; none for a text that is no token, or one that is signed in a way that is not taken.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        if text.len() > MAX_BYTES {
            return None;
        }
        let (message, signature) = text.rsplit_once('.')?;
        let (header, claims) = message.split_once('.')?;
        let header: Header = serde_json::from_slice(&decoded(header)?).ok()?;
        header.crit.is_none().then_some(())?;
        Some(Self {
            header,
            message: message.as_bytes(),
            claims: decoded(claims)?,
            signature: decoded(signature)?,
        })
    }

    /// Whether the token names this key, or names none.
    pub(super) fn may_be_of(&self, key: &PublicKey) -> bool {
        let is_named = match (&self.header.kid, &key.kid) {
            (Some(named), Some(id)) => named == id,
            (Some(_), None) => false,
            (None, _) => true,
        };
        is_named && key.usage.as_deref().is_none_or(|usage| usage == "sig")
    }

    /// Whether this key has signed the token.
    pub(super) fn is_signed_by(&self, key: &PublicKey) -> bool {
        self.verified(key).unwrap_or(false)
    }

    fn verified(&self, key: &PublicKey) -> Option<bool> {
        let part = |text: &Option<String>| decoded(text.as_deref()?);
        let kind = (key.kty.as_str(), key.crv.as_deref());
        let verify = |algorithm: &'static dyn VerificationAlgorithm, key: &[u8]| {
            let key = UnparsedPublicKey::new(algorithm, key);
            key.verify(self.message, &self.signature).is_ok()
        };
        Some(match (self.header.alg, kind) {
            (Algorithm::Rs256, ("RSA", _)) => {
                let (n, e) = (part(&key.n)?, part(&key.e)?);
                let key = RsaPublicKeyComponents { n, e };
                let algorithm = &signature::RSA_PKCS1_2048_8192_SHA256;
                key.verify(algorithm, self.message, &self.signature).is_ok()
            }
            (Algorithm::Es256, ("EC", Some("P-256"))) => {
                let (x, y) = (part(&key.x)?, part(&key.y)?);
                // The uncompressed point of SEC 1, section 2.3.3.
                let point = [&[4], x.as_slice(), y.as_slice()].concat();
                verify(&signature::ECDSA_P256_SHA256_FIXED, &point)
            }
            (Algorithm::EdDsa, ("OKP", Some("Ed25519"))) => verify(&signature::ED25519, &part(&key.x)?),
            _ => false,
        })
    }
}
