//! Pages read with a model, through the official Python client against `huntsman serve`.

use serde_json::{Value, json};
use testkit::{ProviderAnswer, ScriptedProvider, ScriptedTurn, SiteReply, SiteRequest, TestSite};

use crate::server::Server;

const PAGE: &str = "<html><head><title>Nova lamp - Lumen</title></head><body><h1>Nova lamp</h1>\
    <p>A lamp of brass that lights a whole room, made by Lumen Works, for $1,299.00 from the works.</p></body></html>";

async fn site() -> TestSite {
    TestSite::start(|asked: &SiteRequest| match asked.path.as_str() {
        "/silent" => SiteReply::html("").never_ending(),
        _ => SiteReply::html(PAGE),
    })
    .await
}

fn answer() -> Value {
    json!({"name": "Nova lamp", "price": 1299, "page_title": null})
}

#[tokio::test]
#[ignore = "needs Python"]
async fn the_official_client_gets_what_its_schema_asks_for() {
    let provider = ScriptedProvider::start(|_, _| ScriptedTurn::json(&answer()).into()).await;
    let (site, server) = (site().await, Server::start(Some(&provider), &[]));
    server.python("shapes.py", &["good", &site.url("/lamp")]).await;
    server
        .python("shapes.py", &["good_async", &site.url("/lamp")])
        .await;
    let seen = provider.seen();
    assert_eq!((seen.len(), provider.faults()), (8, Vec::new()));
    assert!(seen.iter().all(|it| it.body.to_string().contains("$1,299.00")));
    assert!(
        seen.iter()
            .any(|it| it.body.to_string().contains("name and price"))
    );
}

#[tokio::test]
#[ignore = "needs Python"]
async fn a_scrape_stream_asks_the_model_for_the_columns_that_rules_leave_open() {
    let provider = ScriptedProvider::start(|_, _| {
        let maker = json!({"quote": "made by Lumen Works", "value": "Lumen Works"});
        ScriptedTurn::json(&json!({"maker": maker, "more": [], "unavailable": []})).into()
    })
    .await;
    let (site, server) = (site().await, Server::start(Some(&provider), &[]));
    server.python("shapes.py", &["stream", &site.url("/lamp")]).await;
    assert_eq!(provider.faults(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "needs Python"]
async fn wrong_requests_are_refused_before_any_work_and_name_the_field() {
    let provider = ScriptedProvider::saying(Vec::<ProviderAnswer>::new()).await;
    let (site, server) = (site().await, Server::start(Some(&provider), &[]));
    server.python("shapes.py", &["wrong", &site.url("/schema")]).await;
    assert_eq!((provider.seen().len(), site.asked().len()), (0, 0));
}

#[tokio::test]
#[ignore = "needs Python"]
async fn a_request_too_many_is_refused_before_anything_is_done_for_it() {
    let provider = ScriptedProvider::saying(Vec::<ProviderAnswer>::new()).await;
    let (site, server) = (site().await, Server::start(Some(&provider), &[]));
    server.python("shapes.py", &["crowd", &site.url("/silent")]).await;
    assert!(site.hits("/silent") <= 16 && provider.seen().is_empty());
}
