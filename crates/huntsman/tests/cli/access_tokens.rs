//! Access tokens of an issuer at the MCP server of the binary.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{SiteReply, SiteRequest, TestSite, serving};

use crate::server::{Server, huntsman};

const AUDIENCE: &str = "https://agent.example/mcp";
const METADATA: &str = "/.well-known/oauth-protected-resource/mcp";

fn key() -> Ed25519KeyPair {
    let key = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
    Ed25519KeyPair::from_pkcs8(key.as_ref()).unwrap()
}

fn token(key: &Ed25519KeyPair, claims: &Value) -> String {
    let encoded = |text: String| URL_SAFE_NO_PAD.encode(text);
    let header = json!({"alg": "EdDSA", "typ": "at+jwt", "kid": "one"});
    let message = format!("{}.{}", encoded(header.to_string()), encoded(claims.to_string()));
    let signature = URL_SAFE_NO_PAD.encode(key.sign(message.as_bytes()));
    format!("{message}.{signature}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_of_the_named_issuer_opens_mcp_with_its_scopes_and_nothing_else() {
    let key_pair = key();
    let public = URL_SAFE_NO_PAD.encode(key_pair.public_key());
    let issuer = TestSite::start(move |asked: &SiteRequest| {
        let document = match asked.path.as_str() {
            "/.well-known/oauth-authorization-server" => {
                let base = format!("http://{}", asked.headers["host"].to_str().unwrap());
                json!({"issuer": base, "jwks_uri": format!("{base}/keys")})
            }
            "/keys" => json!({"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "one", "x": public}]}),
            _ => return SiteReply::html("").status(404),
        };
        SiteReply::bytes("application/json", document.to_string())
    })
    .await;
    let issuer_url = issuer.url("").trim_end_matches('/').to_owned();
    let folder = TempDir::new().unwrap();
    let made = huntsman(folder.path())
        .args(["tenant", "create", "lamps"])
        .output();
    assert!(made.unwrap().status.success());
    // No rule allows the issuer's address but its own setting.
    let settings = [
        ("HUNTSMAN_ALLOW_HOSTS", "192.0.2.1".to_owned()),
        ("HUNTSMAN_TOKEN_ISSUER", issuer_url.clone()),
        ("HUNTSMAN_TOKEN_AUDIENCE", AUDIENCE.to_owned()),
    ];
    let server = Server::over(folder.path(), &settings);
    let ask = |method: &str, path: &str, shown: Option<&str>, body: &str| {
        let key = shown.map_or_else(String::new, |shown| format!("authorization: Bearer {shown}\r\n"));
        let headers = format!("{key}accept: application/json, text/event-stream\r\n");
        serving::ask(&server.address, method, path, &headers, body)
    };
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}).to_string();
    let mut claims = json!({
        "iss": issuer_url, "sub": "ada@example.org", "aud": AUDIENCE, "exp": 4_102_444_800_u64,
        "tenant": "lamps", "scope": "read scrape",
    });

    let refused = ask("POST", "/mcp", None, &list);
    let told = "Bearer resource_metadata=\"https://agent.example/.well-known/oauth-protected-resource/mcp\"";
    assert_eq!(
        (refused.status, refused.header("www-authenticate")),
        (401, Some(told))
    );
    let metadata: Value = serde_json::from_str(&ask("GET", METADATA, None, "").body).unwrap();
    assert_eq!(
        (&metadata["resource"], &metadata["authorization_servers"]),
        (&json!(AUDIENCE), &json!([issuer_url]))
    );
    assert!(
        metadata["scopes_supported"]
            .as_array()
            .unwrap()
            .contains(&json!("scrape"))
    );

    let good = token(&key_pair, &claims);
    let listed = ask("POST", "/mcp", Some(&good), &list);
    assert_eq!(listed.status, 200, "{}", listed.body);
    assert!(
        listed.body.contains("\"scrape\"") && !listed.body.contains("\"automate\""),
        "{}",
        listed.body
    );

    let invalid = format!("{told}, error=\"invalid_token\"");
    let forged = token(&key(), &claims);
    claims["aud"] = json!("https://other.example/mcp");
    for (shown, word) in [(forged, "issuer's"), (token(&key_pair, &claims), "aud")] {
        let refused = ask("POST", "/mcp", Some(&shown), &list);
        assert_eq!(
            (refused.status, refused.header("www-authenticate")),
            (401, Some(invalid.as_str()))
        );
        assert!(
            refused.body.contains(word) && !refused.body.contains(&shown),
            "{}",
            refused.body
        );
    }
    // Tokens are for this one resource, and a server with an issuer knows who asks.
    assert_eq!(ask("GET", "/v1/runs", Some(&good), "").status, 401);
    assert_eq!(ask("GET", "/v1/runs", None, "").status, 401);
}

#[test]
fn an_issuer_without_an_audience_or_without_tls_is_refused_before_anything_starts() {
    let folder = TempDir::new().unwrap();
    for (issuer, audience, named) in [
        ("https://login.example", "", "HUNTSMAN_TOKEN_AUDIENCE"),
        ("", AUDIENCE, "HUNTSMAN_TOKEN_ISSUER"),
        ("http://login.example", AUDIENCE, "https address"),
        (
            "https://login.example",
            "https://agent.example/mcp?a=1",
            "HUNTSMAN_TOKEN_AUDIENCE is",
        ),
    ] {
        let mut serve = huntsman(folder.path());
        let serve = serve.args(["serve", "--listen", "127.0.0.1:0"]);
        for (name, value) in [
            ("HUNTSMAN_TOKEN_ISSUER", issuer),
            ("HUNTSMAN_TOKEN_AUDIENCE", audience),
        ] {
            if !value.is_empty() {
                serve.env(name, value);
            }
        }
        let done = serve.output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(
            done.status.code() == Some(2) && said.contains(named),
            "{issuer} {audience}: {said}"
        );
    }
}
