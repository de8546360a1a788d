//! Servers with TLS, certificates of clients, and `.creds` files: what works, and what is said where it does not.

use std::fs;
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use nkeys::KeyPair;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;

/// Runs `openssl` in a folder.
fn openssl(folder: &Path, arguments: &str) {
    let mut command = Command::new("openssl");
    let output = command
        .args(arguments.split(' '))
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

const NEW_KEY: &str = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";

/// Makes an authority: `NAME.pem` and `NAME.key`.
fn authority(folder: &Path, name: &str) {
    let extra = "-days 2 -addext basicConstraints=critical,CA:TRUE";
    openssl(
        folder,
        &format!("req -x509 {NEW_KEY} -keyout {name}.key -out {name}.pem -subj /CN={name} {extra}"),
    );
}

/// Makes a certificate that an authority has signed: `NAME.pem` and `NAME.key`.
fn certificate(folder: &Path, authority: &str, name: &str) {
    fs::write(folder.join("names"), "subjectAltName=IP:127.0.0.1\n").unwrap();
    openssl(
        folder,
        &format!("req {NEW_KEY} -keyout {name}.key -out {name}.csr -subj /CN={name}"),
    );
    let signed = format!("-CA {authority}.pem -CAkey {authority}.key -CAcreateserial -days 2 -extfile names");
    openssl(
        folder,
        &format!("x509 -req -in {name}.csr -out {name}.pem {signed}"),
    );
}

/// The authorities `ours` and `other`, and certificates `server` and `client` of ours.
fn certificates() -> TempDir {
    let folder = TempDir::new().unwrap();
    authority(folder.path(), "ours");
    authority(folder.path(), "other");
    certificate(folder.path(), "ours", "server");
    certificate(folder.path(), "ours", "client");
    folder
}

fn tls(folder: &TempDir, extra: &str) -> String {
    let folder = folder.path().display();
    format!("tls {{ cert_file: \"{folder}/server.pem\", key_file: \"{folder}/server.key\", {extra} }}\n")
}

fn over_tls(server: &NatsServer, folder: &TempDir, authority: &str) -> NatsSettings {
    NatsSettings {
        authorities: Some(folder.path().join(authority)),
        ..settings(&[server.url().replace("nats://", "tls://")], "hm", 1)
    }
}

/// Does a run of one event, so that more than a connection was made.
async fn works(settings: &NatsSettings) {
    let store = connect(settings).await.unwrap().store();
    store.jobs.enqueue(job(1)).await.unwrap();
    let claimed = store
        .jobs
        .claim(Duration::from_secs(60), ClaimScope::Any)
        .await
        .unwrap();
    let (lease, _) = claimed.unwrap();
    store
        .log
        .finish(&lease, 0, entries(1, 1, true), ending())
        .await
        .unwrap();
    assert_eq!(store.log.read(&id(1), 0, 9).await.unwrap(), entries(1, 1, true));
    assert!(
        store
            .retention
            .remove(&id(1), store::retention::Removal::Run)
            .await
            .unwrap()
    );
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a NATS server"]
async fn runs_are_kept_over_tls_and_a_server_of_another_authority_is_refused() {
    let folder = certificates();
    let user = "authorization { user: someone, password: \"s3cret-word\" }";
    let server = NatsServer::start(&(tls(&folder, "") + user));
    let mut good = over_tls(&server, &folder, "ours.pem");
    good.user = Some(("someone".into(), "s3cret-word".into()));
    works(&good).await;
    // The server asks for TLS itself where the address does not.
    works(&NatsSettings {
        servers: settings(&[server.url()], "hm", 1).servers,
        ..good.clone()
    })
    .await;

    for authorities in [
        Some(folder.path().join("other.pem")),
        None,
        Some(folder.path().join("missing.pem")),
    ] {
        let reason = refused(&NatsSettings {
            authorities,
            ..good.clone()
        })
        .await;
        assert!(
            reason.contains("no TLS connection to tls://127.0.0.1:"),
            "{reason}"
        );
        assert!(
            reason.contains("set HUNTSMAN_NATS_CA") && !reason.contains("s3cret"),
            "{reason}"
        );
    }
    for user in [Some(("someone".to_owned(), "an0ther-word".to_owned())), None] {
        let reason = refused(&NatsSettings { user, ..good.clone() }).await;
        assert!(
            reason.contains("refuse the credentials: check HUNTSMAN_NATS_CREDENTIALS"),
            "{reason}"
        );
        assert!(!reason.contains("0ther"), "{reason}");
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a NATS server"]
async fn a_server_that_asks_for_a_certificate_gets_the_one_that_is_set() {
    let folder = certificates();
    let authorities = format!("ca_file: \"{}/ours.pem\", verify: true", folder.path().display());
    let server = NatsServer::start(&tls(&folder, &authorities));
    let none = over_tls(&server, &folder, "ours.pem");
    let reason = refused(&none).await;
    assert!(reason.contains("HUNTSMAN_NATS_CERTIFICATE"), "{reason}");
    let path = |name: &str| folder.path().join(name);
    works(&NatsSettings {
        certificate: Some((path("client.pem"), path("client.key"))),
        ..none.clone()
    })
    .await;
    certificate(folder.path(), "other", "stranger");
    let stranger = Some((path("stranger.pem"), path("stranger.key")));
    let reason = refused(&NatsSettings {
        certificate: stranger,
        ..none
    })
    .await;
    assert!(reason.contains("HUNTSMAN_NATS_CERTIFICATE"), "{reason}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a NATS server"]
async fn credentials_are_not_sent_without_tls_where_tls_is_asked_for() {
    let folder = certificates();
    let server = NatsServer::start("");
    let wanted = over_tls(&server, &folder, "ours.pem");
    let reason = refused(&wanted).await;
    assert!(
        reason.contains("no TLS connection to tls://127.0.0.1:"),
        "{reason}"
    );
    // Also where only the authority says that TLS is meant.
    let reason = refused(&NatsSettings {
        servers: settings(&[server.url()], "hm", 1).servers,
        ..wanted
    })
    .await;
    assert!(
        reason.contains("no TLS connection to nats://127.0.0.1:"),
        "{reason}"
    );
}

/// A token of NATS: claims about `subject`, signed by `issuer`.
fn token(issuer: &KeyPair, subject: &KeyPair, name: &str, nats: &Value) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let claims = json!({
        "jti": name, "iat": 1_700_000_000, "iss": issuer.public_key(), "name": name, "sub": subject.public_key(),
        "nats": nats,
    });
    let text = format!(
        "{}.{}",
        part(&json!({"typ": "JWT", "alg": "ed25519-nkey"})),
        part(&claims)
    );
    let signature = URL_SAFE_NO_PAD.encode(issuer.sign(text.as_bytes()).unwrap());
    format!("{text}.{signature}")
}

fn account_token(operator: &KeyPair, account: &KeyPair, name: &str, storage: i64) -> String {
    let limits = json!({
        "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true, "conn": -1, "leaf": -1,
        "mem_storage": storage, "disk_storage": storage, "streams": storage, "consumer": storage,
    });
    token(
        operator,
        account,
        name,
        &json!({"limits": limits, "type": "account", "version": 2}),
    )
}

/// A `.creds` file of a user whose token an account has signed.
fn credentials(folder: &TempDir, name: &str, account: &KeyPair) -> std::path::PathBuf {
    let user = KeyPair::new_user();
    let nats = json!({"subs": -1, "data": -1, "payload": -1, "type": "user", "version": 2});
    let (jwt, seed) = (token(account, &user, name, &nats), user.seed().unwrap());
    let path = folder.path().join(name);
    let text = format!(
        "-----BEGIN NATS USER JWT-----\n{jwt}\n------END NATS USER JWT------\n\n\
         -----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
    );
    fs::write(&path, text).unwrap();
    path
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a NATS server"]
async fn a_creds_file_is_used_and_one_of_another_account_is_refused() {
    let folder = TempDir::new().unwrap();
    let operator = KeyPair::new_operator();
    let [account, system, stranger] = [(); 3].map(|()| KeyPair::new_account());
    let operator_token = token(
        &operator,
        &operator,
        "operator",
        &json!({"type": "operator", "version": 2, "system_account": system.public_key()}),
    );
    let server = NatsServer::start(&format!(
        "operator: {operator_token}\nsystem_account: {}\nresolver: MEMORY\nresolver_preload: {{\n{}: {}\n{}: {}\n}}\n",
        system.public_key(),
        system.public_key(),
        account_token(&operator, &system, "system", 0),
        account.public_key(),
        account_token(&operator, &account, "huntsman", -1),
    ));
    let with = |credentials: Option<std::path::PathBuf>| NatsSettings {
        credentials,
        ..settings(&[server.url()], "hm", 1)
    };
    works(&with(Some(credentials(&folder, "ours.creds", &account)))).await;

    for wrong in [Some(credentials(&folder, "stranger.creds", &stranger)), None] {
        let reason = refused(&with(wrong)).await;
        assert!(
            reason.contains("refuse the credentials: check HUNTSMAN_NATS_CREDENTIALS"),
            "{reason}"
        );
    }
    let empty = folder.path().join("empty.creds");
    fs::write(&empty, "nothing\n").unwrap();
    for unusable in [empty, folder.path().join("missing.creds")] {
        let reason = refused(&with(Some(unusable))).await;
        assert!(reason.starts_with("HUNTSMAN_NATS_CREDENTIALS: "), "{reason}");
        assert!(reason.contains("cannot be used"), "{reason}");
    }
    let reason = refused(&with(Some(credentials(&folder, "system.creds", &system)))).await;
    assert!(reason.contains("JetStream is off for this account"), "{reason}");
}
