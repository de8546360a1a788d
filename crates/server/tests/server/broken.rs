//! A handler that breaks, as the official clients see it, and a check of a monitor that does.

use async_trait::async_trait;
use browser::{Browser, Error, Profile, Tab};
use serde_json::json;
use server::ServerSettings;
use testkit::{ProviderAnswer, ScriptedProvider, sdk};
use wire::tenancy::TenantLimits;

use crate::client::Ask;
use crate::stand::Stand;

struct Broken;

#[async_trait]
impl Browser for Broken {
    async fn open(&self, _: Profile) -> Result<Box<dyn Tab>, Error> {
        panic!("nobody has thought of this")
    }

    fn name(&self) -> &'static str {
        "broken"
    }
}

#[tokio::test]
async fn a_fault_of_ours_is_told_as_one_and_asked_about_once() {
    let provider = ScriptedProvider::saying(Vec::<ProviderAnswer>::new()).await;
    let stand = Stand::leading(Broken, &provider, ServerSettings::default()).await;
    let case = json!([{"url": "https://shop.example/", "statuses": [500], "class": "InternalServerError"}]);
    let (base, case) = (format!("http://{}/v1", stand.at), case.to_string());
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../huntsman/tests/sdk");
    let outputs = tokio::task::spawn_blocking(move || {
        [
            sdk::run(&format!("{folder}/statuses.py"), &base, &["again", &case]),
            sdk::run_node(&format!("{folder}/statuses.mjs"), &base, &["again", &case]),
        ]
    });
    for output in outputs.await.unwrap() {
        assert!(output.stdout.ends_with(b"well\n"), "{output:?}");
    }
    let body = json!({"url": "https://shop.example/", "json_schema": {"type": "object"}});
    let mut answer = Ask::json("/v1/extract/json", &body).send(stand.at).await;
    assert_eq!(
        (answer.status, answer.header("x-error-code")),
        (500, Some("INTERNAL"))
    );
    assert_eq!(
        answer.json().await,
        json!({"error": "the server met an unexpected fault; its log says more"})
    );
}

#[tokio::test]
async fn a_fault_in_a_check_is_told_and_the_monitor_is_checked_again() {
    let provider = ScriptedProvider::saying(Vec::<ProviderAnswer>::new()).await;
    let stand = Stand::leading(Broken, &provider, ServerSettings::default()).await;
    stand.workers.watch(TenantLimits::default());
    let body = json!({"url": stand.site.url("/"), "schedule": {"every": 86_400}});
    let made = Ask::json("/v1/monitors", &body).send(stand.at).await.json().await;
    let path = format!("/v1/monitors/{}", made["id"].as_str().unwrap());
    for checks in 1..=2 {
        let monitor = loop {
            let monitor = stand.get(&path).await.json().await;
            if monitor["checks"] == checks {
                break monitor;
            }
            tokio::task::yield_now().await;
        };
        assert_eq!(
            monitor["error"],
            "the server met an unexpected fault; its log says more"
        );
        Ask::json(&format!("{path}/check"), &json!({}))
            .send(stand.at)
            .await;
    }
    stand.workers.close().await;
}
