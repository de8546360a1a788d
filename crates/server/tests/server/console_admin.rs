//! Administration in the console: deletion of a tenant, and the audit log.

use serde_json::Value;
use wire::tenancy::Scope;

use crate::client::{Answer, Ask};
use crate::stand::Stand;
use crate::tenants::{ask, key};

async fn page(stand: &Stand, key: &str, path: &str) -> (u16, String) {
    let mut answer = ask(stand, key, "GET", path, None).await;
    (answer.status, answer.text().await)
}

async fn send(stand: &Stand, key: &str, path: &str, form: &str) -> Answer {
    let ask = Ask::form(path, form).header("authorization", key);
    ask.header("sec-fetch-site", "same-origin").send(stand.at).await
}

#[tokio::test]
async fn a_tenant_is_deleted_when_its_name_is_typed_once_more() {
    let stand = Stand::start().await;
    let admin = key(&stand, "operator", &[], &[Scope::Admin]).await;
    let own = key(&stand, "acme", &[], &Scope::USUAL).await;
    let path = "/console/tenants/acme/delete";
    for wrong in ["", "confirm=", "confirm=acme2", "confirm=operator"] {
        let mut refused = send(&stand, &admin, path, wrong).await;
        let text = refused.text().await;
        assert!(
            refused.status == 400 && text.contains("type the name of the tenant"),
            "{wrong}: {text}"
        );
    }
    assert_eq!(send(&stand, &own, path, "confirm=acme").await.status, 403);
    let foreign = Ask::form(path, "confirm=acme").header("authorization", &admin);
    let foreign = foreign
        .header("sec-fetch-site", "cross-site")
        .send(stand.at)
        .await;
    assert_eq!(foreign.status, 403);
    assert_eq!(ask(&stand, &own, "GET", "/v1/runs", None).await.status, 200);
    let deleted = send(&stand, &admin, path, "confirm=acme").await;
    assert_eq!(
        (deleted.status, deleted.header("location")),
        (303, Some("/console/tenants"))
    );
    assert_eq!(ask(&stand, &own, "GET", "/v1/runs", None).await.status, 401);
    assert_eq!(page(&stand, &admin, "/console/tenants/acme").await.0, 404);
    assert_eq!(send(&stand, &admin, path, "confirm=acme").await.status, 404);
}

#[tokio::test]
async fn the_audit_log_is_filtered_by_tenant_action_and_day_and_exported() {
    let stand = Stand::start().await;
    let admin = key(&stand, "operator", &[], &[Scope::Admin]).await;
    let own = key(&stand, "acme", &[], &Scope::USUAL).await;
    let (status, shown) = page(&stand, &admin, "/console/audit").await;
    assert!(
        status == 200 && shown.contains("key.create") && shown.contains("tenant.create"),
        "{shown}"
    );
    let today = jiff::Timestamp::now().to_string();
    let lines = async |query: &str| -> Vec<Value> {
        let (status, text) = page(&stand, &admin, &format!("/console/audit.jsonl?{query}")).await;
        assert_eq!(status, 200, "{text}");
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let all = lines("").await;
    assert!(all.len() >= 4, "{all:?}");
    let of_acme = lines("tenant=acme").await;
    assert!(!of_acme.is_empty() && of_acme.len() < all.len(), "{of_acme:?}");
    assert!(
        of_acme.iter().all(|entry| entry["subject"] != "operator"),
        "{of_acme:?}"
    );
    // The making of the tenant's key is its own too, though the key is the subject.
    assert!(
        of_acme.iter().any(|entry| entry["action"] == "key.create"),
        "{of_acme:?}"
    );
    let made = lines("action=key.create").await;
    assert!(!made.is_empty() && made.iter().all(|entry| entry["action"] == "key.create"));
    assert_eq!(lines("day=2001-02-03").await, Vec::<Value>::new());
    // A test that runs over midnight sees the entries on one of the two days.
    let later = jiff::Timestamp::now().to_string();
    let days = [
        lines(&format!("day={}", &today[..10])).await,
        lines(&format!("day={}", &later[..10])).await,
    ];
    assert!(days.iter().any(|day| !day.is_empty()));
    let (_, empty) = page(&stand, &admin, "/console/audit?day=2001-02-03").await;
    assert!(empty.contains("Nothing of the kind"), "{empty}");
    for (path, status) in [
        ("/console/audit?day=yesterday", 400),
        ("/console/audit.jsonl?day=2001-02-30", 400),
        ("/console/audit?tenant=%3Cscript%3E", 200),
    ] {
        let (answered, text) = page(&stand, &admin, path).await;
        assert!(
            answered == status && !text.contains("<script>"),
            "{path}: {answered}"
        );
    }
    for path in ["/console/audit", "/console/audit.jsonl"] {
        assert_eq!(page(&stand, &own, path).await.0, 403, "{path}");
    }
}
