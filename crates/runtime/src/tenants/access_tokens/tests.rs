//! Tests of access tokens: what opens, and what does not.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};
use store::engines::memory::InMemoryStore;
use url::Url;
use wire::tenancy::{Scope, TenantLimits, TenantRequest};

use super::super::Tenants;
use super::super::audit::Actor;
use super::{AccessTokens, FetchDocument, TokenRefusal};

const ISSUER: &str = "https://login.example/";
const AUDIENCE: &str = "https://agent.example/mcp";
/// A token of an RSA key of 2,048 bits that was made for this test and is kept nowhere: the key's modulus, the header, the
/// claims, and the signature.
const RSA: [&str; 4] = [
    "kQWMVA75_YmOZ4jNmY5Kx7a2iJ_727ZMbqSlGXAs_RskeAn_p4QkeWeXRVNyh6escHolKWHObGAq6fxxzLER3ZARIJk1lPvuwzeX4TaipA8UVqJzGeUo6tNkVGZf4blLikIXd0zi2GYeWVwMjfRDY3Rfe6n2QHLupeUDoml35uBe6dxEdWTpKizFdq7BSnHEbcKI5AFIn15dAhCEuewuFnejZDYq8Tl0zzslO2t5rHpGaWu-4GfckHGpqcXaxk5CwflzmsK6-a8W_febc-2WsCAcGiIOZGUZxmaBQ2VrcrOPIXibM8NO_xpN8fn_J3wkQEwP4Y7Wrv9yRgp_hv6JNQ",
    "eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6InJzYS0xIn0",
    "eyJpc3MiOiJodHRwczovL2xvZ2luLmV4YW1wbGUiLCJzdWIiOiJhZGEiLCJhdWQiOiJodHRwczovL2FnZW50LmV4YW1wbGUvbWNwIiwiZXhwIjo0MTAyNDQ0ODAwLCJ0ZW5hbnQiOiJsYW1wcyIsInNjb3BlIjoicmVhZCBzY3JhcGUifQ",
    "F_DfQqTLk_pnSgfzvQJP8YUwXSHNLXvui6UOH-M1EJoK8NhsRjFF_XMT7cOGVBgRHav9A_6BIf-L-NFJ8DmzuJMMY_ZU1WBAMTAeulyS7bmhbhZK2T-BXk9vB8Opk_HmEjCqtc5fidSEsUrrvR2gpGILhbFWNBQ_Q4sFFNVJKXEeZwaOANYkbIWF1oxHiRHDCGmpg1GA3AWRgManjv-esSLZ2S52gjBt04zZxVPPgMwB1k10vR7RVWYkvew8x4_HgdEJt9Ni7uhJFvqaqJCcUAsP32nVThe5L8POwDYm4ufCXwBsF7a5toRs34G8DfSQdrxzhoO_9qGcQhpNoMpwYw",
];

fn encoded(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// An issuer with the documents that it has at this time.
#[derive(Clone, Default)]
struct Issuer {
    documents: Arc<Mutex<HashMap<String, Value>>>,
    asked: Arc<AtomicUsize>,
}

#[async_trait]
impl FetchDocument for Issuer {
    async fn fetch(&self, url: &Url) -> Result<Vec<u8>, String> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let documents = self.documents.lock().unwrap();
        let found = documents.get(url.as_str()).ok_or("404")?;
        Ok(found.to_string().into_bytes())
    }
}

impl Issuer {
    fn with_keys(keys: &Value) -> Self {
        let issuer = Self::default();
        let metadata = json!({"issuer": "https://login.example", "jwks_uri": "https://login.example/keys"});
        issuer.put("https://login.example/.well-known/openid-configuration", metadata);
        issuer.put("https://login.example/keys", json!({"keys": keys}));
        issuer
    }

    fn put(&self, url: &str, document: Value) {
        self.documents.lock().unwrap().insert(url.into(), document);
    }

    fn tokens(&self) -> AccessTokens {
        let fetch = Box::new(self.clone());
        AccessTokens::new(ISSUER.parse().unwrap(), AUDIENCE.parse().unwrap(), fetch)
    }
}

async fn tenants() -> Tenants {
    let tenants = Tenants::new(InMemoryStore::open(), TenantLimits::default());
    let request = TenantRequest {
        name: Some("lamps".into()),
        ..TenantRequest::default()
    };
    tenants.create(&Actor::command_line(), &request).await.unwrap();
    tenants
}

fn claims() -> Value {
    json!({
        "iss": "https://login.example", "sub": "ada", "aud": AUDIENCE, "exp": 4_102_444_800_u64,
        "tenant": "lamps", "scope": "read scrape admin openid",
    })
}

struct Ed25519(Ed25519KeyPair);

impl Ed25519 {
    fn random() -> Self {
        let key = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        Self(Ed25519KeyPair::from_pkcs8(key.as_ref()).unwrap())
    }

    fn public(&self, id: &str) -> Value {
        json!({"kty": "OKP", "crv": "Ed25519", "kid": id, "x": encoded(self.0.public_key())})
    }

    fn sign(&self, header: &Value, claims: &Value) -> String {
        let message = format!("{}.{}", encoded(header.to_string()), encoded(claims.to_string()));
        let signature = encoded(self.0.sign(message.as_bytes()));
        format!("{message}.{signature}")
    }

    fn token(&self, claims: &Value) -> String {
        self.sign(&json!({"alg": "EdDSA", "kid": "one"}), claims)
    }
}

#[tokio::test]
async fn tokens_of_the_three_algorithms_open_with_the_scopes_that_this_server_has() {
    let random = SystemRandom::new();
    let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
    let ecdsa = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
    let ecdsa = EcdsaKeyPair::from_pkcs8(algorithm, ecdsa.as_ref(), &random).unwrap();
    let (x, y) = ecdsa.public_key().as_ref()[1..].split_at(32);
    let message = format!(
        "{}.{}",
        encoded(r#"{"alg":"ES256"}"#),
        encoded(claims().to_string())
    );
    let signature = ecdsa.sign(&random, message.as_bytes()).unwrap();
    let of_ecdsa = format!("{message}.{}", encoded(signature));
    let ed25519 = Ed25519::random();
    let [n, header, payload, signature] = RSA;
    let of_rsa = format!("{header}.{payload}.{signature}");
    let issuer = Issuer::with_keys(&json!([
        {"kty": "EC", "crv": "secp256k1", "x": "AA", "y": "AA"},
        {"kty": "oct", "k": "c2VjcmV0"},
        {"kty": "EC", "crv": "P-256", "kid": "ec", "use": "sig", "x": encoded(x), "y": encoded(y)},
        {"kty": "RSA", "kid": "rsa-1", "n": n, "e": "AQAB"},
        ed25519.public("one"),
    ]));
    let (tokens, tenants) = (issuer.tokens(), tenants().await);
    for token in [of_ecdsa, of_rsa, ed25519.token(&claims())] {
        let identity = tokens.identify(&tenants, &token).await.unwrap();
        assert_eq!(identity.tenant.name, "lamps");
        assert_eq!(identity.key.scopes, [Scope::Read, Scope::Scrape], "{token}");
        assert!(identity.key.id.starts_with("token-") && !identity.key.id.contains("ada"));
    }
    assert_eq!(
        issuer.asked.load(Ordering::SeqCst),
        3,
        "two places of metadata, then the keys, once"
    );
}

#[tokio::test]
async fn a_token_that_the_issuer_did_not_sign_is_forged() {
    let (key, other) = (Ed25519::random(), Ed25519::random());
    let issuer = Issuer::with_keys(&json!([key.public("one")]));
    let (tokens, tenants) = (issuer.tokens(), tenants().await);
    let good = key.token(&claims());
    let (message, signature) = good.rsplit_once('.').unwrap();
    let mut more = claims();
    more["tenant"] = json!("others");
    let changed = format!(
        "{}.{}.{signature}",
        encoded(r#"{"alg":"EdDSA","kid":"one"}"#),
        encoded(more.to_string())
    );
    let secret = json!({"alg": "HS256", "kid": "one"});
    for (forged, why) in [
        (other.token(&claims()), "another key"),
        (changed, "other claims"),
        (format!("{message}."), "no signature"),
        (key.sign(&json!({"alg": "none"}), &claims()), "no algorithm"),
        (key.sign(&secret, &claims()), "a shared secret"),
        (
            key.sign(&json!({"alg": "ES256", "kid": "one"}), &claims()),
            "another algorithm than the key's",
        ),
        (
            key.sign(&json!({"alg": "EdDSA", "kid": "one", "crit": ["b64"]}), &claims()),
            "an unknown extension",
        ),
        (format!("{good}="), "padding"),
        ("a.b.c".into(), "no token"),
        ("..".into(), "nothing"),
        (format!("{}.{}.x", "a".repeat(9_000), "b"), "too long"),
    ] {
        let refused = tokens.identify(&tenants, &forged).await;
        assert_eq!(refused.err(), Some(TokenRefusal::Forged), "{why}");
    }
    assert!(tokens.identify(&tenants, &good).await.is_ok());
}

#[tokio::test]
async fn a_token_for_another_server_time_or_tenant_does_not_hold() {
    let key = Ed25519::random();
    let issuer = Issuer::with_keys(&json!([key.public("one")]));
    let (tokens, tenants) = (issuer.tokens(), tenants().await);
    for (field, value, said) in [
        ("iss", json!("https://login.example.evil"), "iss"),
        ("aud", json!("https://agent.example/"), "aud"),
        ("aud", json!(["https://other.example/mcp"]), "aud"),
        ("exp", json!(1_000), "expired"),
        ("exp", json!("4102444800"), "invalid type"),
        ("exp", Value::Null, "invalid type"),
        ("nbf", json!(4_102_444_000_u64), "not hold yet"),
        ("tenant", json!(""), "no claim `tenant`"),
        ("tenant", Value::Null, "no claim `tenant`"),
        ("tenant", json!("nobody"), "no tenant"),
    ] {
        let mut changed = claims();
        changed[field] = value;
        let refused = tokens.identify(&tenants, &key.token(&changed)).await.err();
        let is_told = matches!(&refused, Some(TokenRefusal::Invalid(text)) if text.contains(said));
        assert!(is_told, "{field}: {refused:?}");
    }
    let mut many = claims();
    many["aud"] = json!(["https://other.example", AUDIENCE]);
    assert!(tokens.identify(&tenants, &key.token(&many)).await.is_ok());
}

#[tokio::test]
async fn new_keys_are_read_when_a_token_names_one_and_an_issuer_that_is_away_is_told() {
    let (first, second) = (Ed25519::random(), Ed25519::random());
    let issuer = Issuer::default();
    let (tokens, tenants) = (issuer.tokens(), tenants().await);
    let refused = tokens.identify(&tenants, &first.token(&claims())).await.err();
    assert!(
        matches!(refused, Some(TokenRefusal::Unavailable(_))),
        "{refused:?}"
    );
    let asked = issuer.asked.load(Ordering::SeqCst);
    assert!(tokens.identify(&tenants, &first.token(&claims())).await.is_err());
    assert_eq!(
        issuer.asked.load(Ordering::SeqCst),
        asked,
        "it is not asked again at once"
    );

    let issuer = Issuer::with_keys(&json!([first.public("one")]));
    let tokens = issuer.tokens();
    assert!(tokens.identify(&tenants, &first.token(&claims())).await.is_ok());
    let of_second = second.sign(&json!({"alg": "EdDSA", "kid": "two"}), &claims());
    issuer.put(
        "https://login.example/keys",
        json!({"keys": [first.public("one"), second.public("two")]}),
    );
    // Keys that were read a moment ago are not asked for again, so that unknown names cost the issuer nothing.
    let refused = tokens.identify(&tenants, &of_second).await.err();
    assert_eq!(refused, Some(TokenRefusal::Forged));
    tokens.keys.age(std::time::Duration::from_secs(31)).await;
    assert!(tokens.identify(&tenants, &of_second).await.is_ok());
}

#[tokio::test]
async fn metadata_of_another_issuer_are_not_taken() {
    let key = Ed25519::random();
    let issuer = Issuer::with_keys(&json!([key.public("one")]));
    let metadata = json!({"issuer": "https://evil.example", "jwks_uri": "https://login.example/keys"});
    issuer.put("https://login.example/.well-known/openid-configuration", metadata);
    let refused = issuer
        .tokens()
        .identify(&tenants().await, &key.token(&claims()))
        .await;
    assert!(matches!(refused.err(), Some(TokenRefusal::Unavailable(_))));
}
