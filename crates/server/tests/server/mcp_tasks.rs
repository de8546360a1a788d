//! Tasks of the Model Context Protocol: runs that a client takes as tasks, asks about, answers and cancels.

use serde_json::{Value, json};
use server::ServerSettings;
use testkit::{ScriptedProvider, TestSite};

use crate::automate::shop;
use crate::mcp::{asking, message, modern, told};
use crate::stand::Stand;

fn able() -> Value {
    json!({"extensions": {"io.modelcontextprotocol/tasks": {}}, "elicitation": {"form": {}}})
}

/// A request of a client that takes tasks; one about a task says its id in a header.
async fn ask(stand: &Stand, method: &str, params: Value) -> Value {
    let id = params["taskId"].as_str().map(str::to_owned);
    let ask = modern(method, params, &able());
    let ask = match id {
        Some(id) => ask.header("mcp-name", &id),
        None => ask,
    };
    message(ask.send(stand.at).await).await
}

async fn begin(stand: &Stand, tool: &str, arguments: Value) -> Value {
    let begun = ask(stand, "tools/call", json!({"name": tool, "arguments": arguments})).await;
    assert_eq!(begun["result"]["resultType"], "task", "{begun}");
    assert_eq!(begun["result"]["status"], "working");
    begun["result"].clone()
}

/// The task when it stands so.
async fn standing(stand: &Stand, id: &Value, status: &str) -> Value {
    standing_after(stand, id, status, None).await
}

/// The task when it stands so. The question that was answered may be told until its run has read the answer; clients know it
/// by its key.
async fn standing_after(stand: &Stand, id: &Value, status: &str, answered: Option<&str>) -> Value {
    loop {
        let task = ask(stand, "tasks/get", json!({"taskId": id})).await["result"].clone();
        if task["status"] == status {
            return task;
        }
        let asked: Vec<&str> = task["inputRequests"]
            .as_object()
            .map(|requests| requests.keys().map(String::as_str).collect())
            .unwrap_or_default();
        let is_known = !asked.is_empty() && asked == answered.as_slice();
        assert!(is_known || task["status"] == "working", "{task}");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_run_is_a_task_for_a_client_that_takes_tasks_and_is_joined_found_again_and_cancelled() {
    let stand = Stand::start().await;
    let task = begin(&stand, "scrape", json!({"urls": [stand.site.url("/")]})).await;
    let done = standing(&stand, &task["taskId"], "completed").await;
    let data = &done["result"]["structuredContent"];
    assert_eq!(
        (&data["status"], &data["run_id"]),
        (&json!("completed"), &task["taskId"])
    );
    assert_eq!(done["createdAt"], task["createdAt"]);
    assert!(
        done["lastUpdatedAt"].as_str() >= task["createdAt"].as_str(),
        "{done}"
    );
    // A task that goes on is joined by an equal call, and cancelled once for both.
    let silent = json!({"urls": [stand.site.url("/silent")]});
    let (first, second) = (
        begin(&stand, "scrape", silent.clone()).await,
        begin(&stand, "scrape", silent).await,
    );
    assert_eq!(first["taskId"], second["taskId"]);
    let cancelled = ask(&stand, "tasks/cancel", json!({"taskId": first["taskId"]})).await;
    assert!(cancelled.get("result").is_some(), "{cancelled}");
    standing(&stand, &first["taskId"], "cancelled").await;
    // What fails is a result that says so: the run behind it did its work.
    let failed = begin(&stand, "scrape", json!({"urls": [stand.site.url("/missing")]})).await;
    let failed = standing(&stand, &failed["taskId"], "completed").await;
    assert_eq!(failed["result"]["isError"], true, "{failed}");
}

#[tokio::test]
async fn a_task_asks_its_client_by_a_form_and_goes_on_with_the_answer() {
    let provider = ScriptedProvider::saying(asking()).await;
    let stand = Stand::automating(TestSite::start(shop).await, &provider).await;
    let arguments = json!({"task": "order", "url": stand.site.url("/"), "interactive": true});
    let task = begin(&stand, "automate", arguments).await;
    let asking = standing(&stand, &task["taskId"], "input_required").await;
    let requests = asking["inputRequests"].as_object().unwrap();
    let (question, form) = requests.iter().next().unwrap();
    assert_eq!(
        form["params"]["requestedSchema"]["properties"]["E3"]["title"], "E-mail",
        "{form}"
    );
    let content = json!({"E3": "ann@example.org", "E4": "Peru"});
    let answer = |key: &str| {
        let response = json!({"action": "accept", "content": content});
        json!({"taskId": task["taskId"], "inputResponses": {key: response}})
    };
    let foreign = ask(
        &stand,
        "tasks/update",
        answer("req_00000000000000000000000000000000"),
    )
    .await;
    assert_eq!(foreign["error"]["code"], -32602, "{foreign}");
    let taken = ask(&stand, "tasks/update", answer(question)).await;
    assert!(taken.get("result").is_some(), "{taken}");
    let done = standing_after(&stand, &task["taskId"], "completed", Some(question)).await;
    assert!(
        done["result"]["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("| ordered"),
        "{done}"
    );
    let seen = format!("{:?}", provider.seen());
    assert!(!seen.contains("ann@example.org"));
}

#[tokio::test]
async fn tasks_are_given_only_to_clients_that_take_them_and_shown_only_to_their_owner() {
    let keys = ["first-key-of-ours", "second-key-of-ours"];
    let settings = ServerSettings {
        api_keys: keys.iter().map(|key| key.parse().unwrap()).collect(),
        ..ServerSettings::default()
    };
    let stand = Stand::with(settings).await;
    let send = |key: &str, method: &str, params: Value, capabilities: &Value| {
        let id = params["taskId"].as_str().map(str::to_owned);
        let ask = modern(method, params, capabilities).header("authorization", &format!("Bearer {key}"));
        match id {
            Some(id) => ask.header("mcp-name", &id),
            None => ask,
        }
        .send(stand.at)
    };
    let scrape = json!({"name": "scrape", "arguments": {"urls": [stand.site.url("/")]}});
    let plain = message(send(keys[0], "tools/call", scrape.clone(), &json!({})).await).await;
    assert!(!told(&plain).1, "{plain}");
    let begun = message(send(keys[0], "tools/call", scrape, &able()).await).await;
    let id = json!({"taskId": begun["result"]["taskId"]});
    let undeclared = message(send(keys[0], "tasks/get", id.clone(), &json!({})).await).await;
    assert_eq!(undeclared["error"]["code"], -32021, "{undeclared}");
    for (method, key) in [("tasks/get", keys[1]), ("tasks/cancel", keys[1])] {
        let foreign = message(send(key, method, id.clone(), &able()).await).await;
        let text = foreign["error"]["message"].as_str().unwrap();
        assert!(text.contains("no run of this id"), "{foreign}");
    }
    for (task, what) in [("run_0123456789", "no run"), ("../etc", "taskId: an id is")] {
        let unknown = message(send(keys[0], "tasks/get", json!({"taskId": task}), &able()).await).await;
        let text = unknown["error"]["message"].as_str().unwrap();
        assert!(text.contains(what), "{unknown}");
    }
}
