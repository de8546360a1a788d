//! Automate as people and official clients meet it: the command, and both clients against `huntsman serve`.

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{
    ProviderAnswer, ProviderRequest, ScriptedProvider, ScriptedTurn, SiteReply, SiteRequest, TestSite,
};

use crate::contract;
use crate::server::{Server, huntsman, model};

pub(crate) const SHOP: &str = "<!doctype html><title>Shop</title><a href=/k1>Kettle K1</a><form action=/order method=post>\
<label>E-mail <input type=email name=mail required></label><button>Order</button></form>";

async fn shop() -> TestSite {
    TestSite::start(|asked: &SiteRequest| match asked.path.as_str() {
        "/k1" => SiteReply::html("<title>Kettle K1</title><p>Price: 12.50 EUR</p>"),
        "/order" => SiteReply::html("<title>Thanks</title><p>Thank you</p>"),
        _ => SiteReply::html(SHOP),
    })
    .await
}

/// Plays every part, by what is asked and how far the conversation is.
pub(crate) fn play(asked: &ProviderRequest) -> ProviderAnswer {
    let text = asked.body.to_string();
    if asked.body["response_format"].is_object() {
        if text.contains("no plan") {
            return failing(401, "invalid_api_key");
        }
        if text.contains("successCriteria") && !text.contains("completionQuality") {
            return ScriptedTurn::json(&json!({"successCriteria": "the price", "plan": "open the kettle"}))
                .into();
        }
        return ScriptedTurn::json(&json!({"taskAssessment": "seen", "completionQuality": "complete"}))
            .into();
    }
    let messages = asked.body["messages"].as_array().unwrap();
    let turn = messages.iter().filter(|it| it["role"] == "assistant").count();
    let call = |name: &str, arguments: Value| ProviderAnswer::from(ScriptedTurn::call(name, arguments));
    let done = |text: &str| call("done", json!({"result": text}));
    let asks = |task: &str| text.contains(task);
    // What a person who gave nothing is told of, in the words that the model reads.
    let nothing = asks("does not give these values") || asks("no answer came in time");
    match turn {
        _ if asks("break") => failing(500, "server_error"),
        _ if asks("give up") => call("abort", json!({"reason": "as asked"})),
        _ if asks("wait for it") => call("wait", json!({"seconds": 60})),
        0 if asks("order it") => call(
            "request_user_data",
            json!({"description": "delivery", "refs": ["E3"]}),
        ),
        1 if asks("order it") && nothing => call("abort", json!({"reason": "nothing was given"})),
        1 if asks("order it") => call("click", json!({"ref": "E4"})),
        _ if asks("order it") => done("ordered"),
        0 => call("click", json!({"ref": "E1"})),
        _ => done("12.50 EUR"),
    }
}

fn failing(status: u16, code: &str) -> ProviderAnswer {
    let body = json!({"error": {"message": "no", "code": code}}).to_string();
    ProviderAnswer::Raw(SiteReply::bytes("application/json", body).status(status))
}

async fn player() -> ScriptedProvider {
    ScriptedProvider::start(|asked, _| play(asked)).await
}

/// Every event of every run is as the contract says, and no model has seen what a person gave.
async fn checked(server: &Server, provider: &ScriptedProvider, client: &str) {
    let (runs, events) = contract::check(server).await;
    println!("{client}: {events} events of {runs} runs, all as the contract says");
    assert_eq!(provider.faults(), Vec::<String>::new());
    let seen = format!("{:?}", provider.seen());
    assert!(
        !seen.contains("ada.canary"),
        "a model has seen a value of the person"
    );
}

/// Also those that show the conversation with the model.
#[tokio::test]
async fn every_event_of_whole_runs_is_as_the_contract_says() {
    let provider = player().await;
    let every = [("HUNTSMAN_EVENTS", "debug")];
    let (site, server) = (shop().await, Server::start(Some(&provider), &every));
    let mut told = String::new();
    for task in ["what does the kettle cost?", "give up", "break", "no plan"] {
        let body = json!({"task": task, "url": site.url("/")}).to_string();
        let address = server.address.clone();
        let asking = move || Server::ask(&address, "POST", "/v1/automate", &body);
        told.push_str(&tokio::task::spawn_blocking(asking).await.unwrap());
    }
    for name in [
        "ai:generation\n",
        "ai:generation:error\n",
        "system:debug_compression\n",
        "complete\n",
        "error\n",
    ] {
        assert!(told.contains(&format!("event: {name}")), "{name}: {told}");
    }
    checked(&server, &provider, "every event").await;
}

#[tokio::test]
#[ignore = "needs Python"]
async fn the_official_python_client_follows_whole_runs() {
    let provider = player().await;
    let (site, server) = (shop().await, Server::start(Some(&provider), &[]));
    let parts = "whole,whole_async,asked,asked_async,declined,cancelled,cancelled_async,failed,failed_async,wrong,leaves";
    server.python("automate.py", &[parts, &site.url("/")]).await;
    checked(&server, &provider, "Python").await;
    let orders = site.asked().into_iter().filter(|it| it.path == "/order");
    assert!(orders.clone().all(|it| it.body.starts_with(b"mail=ada.canary")));
    assert_eq!(orders.count(), 4, "loose and strict, sync and async");
}

#[tokio::test]
#[ignore = "needs Node"]
async fn the_official_typescript_client_follows_whole_runs() {
    let provider = player().await;
    let (site, server) = (shop().await, Server::start(Some(&provider), &[]));
    let parts = "whole,asked,declined,cancelled,failed,wrong";
    server.node("automate.mjs", &[parts, &site.url("/")]).await;
    checked(&server, &provider, "TypeScript").await;
}

#[tokio::test]
#[ignore = "needs Python and Node"]
async fn a_question_whose_time_is_over_is_gone_for_the_official_clients() {
    let provider = player().await;
    let server = Server::start(Some(&provider), &[("HUNTSMAN_ANSWER_SECONDS", "1")]);
    let site = shop().await;
    server.python("automate.py", &["expired", &site.url("/")]).await;
    server.node("automate.mjs", &["expired", &site.url("/")]).await;
    checked(&server, &provider, "late answers").await;
}

#[tokio::test]
#[ignore = "needs Python and Node"]
async fn the_official_clients_come_again_when_they_are_told_to() {
    let provider = player().await;
    let full = [("HUNTSMAN_WORKERS", "1"), ("HUNTSMAN_QUEUE", "1")];
    let (site, server) = (shop().await, Server::start(Some(&provider), &full));
    server.python("automate.py", &["full", &site.url("/")]).await;
    server.node("automate.mjs", &["full", &site.url("/")]).await;
    assert_eq!(server.runs().len(), 6, "a refused request has begun nothing");
    checked(&server, &provider, "a full house").await;
    let bare = Server::start(None, &[]);
    bare.python("automate.py", &["unready", ""]).await;
    bare.node("automate.mjs", &["unready", ""]).await;
    assert!(bare.runs().is_empty());
}

#[tokio::test]
#[ignore = "needs Python"]
async fn the_tools_for_langchain_do_a_task() {
    let provider = player().await;
    let (site, server) = (shop().await, Server::start(Some(&provider), &[]));
    server.python("langchain.py", &["automate", &site.url("/")]).await;
}

/// Runs the command beside the test's own servers.
async fn command(provider: Option<&ScriptedProvider>, words: &[&str]) -> (Option<i32>, String, String) {
    let folder = TempDir::new().unwrap();
    let mut command = huntsman(folder.path());
    command
        .arg("automate")
        .args(words)
        .env_remove("HUNTSMAN_ALLOW_HOSTS");
    command.envs(provider.map(model).unwrap_or_default());
    let output = tokio::task::spawn_blocking(move || command.output().unwrap())
        .await
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[tokio::test]
async fn the_command_prints_the_answer_and_tells_on_the_way() {
    let provider = ScriptedProvider::start(|asked, _| play(asked)).await;
    let site = shop().await;
    let page = site.url("/");
    let (code, out, log) = command(Some(&provider), &["what does it cost?", "--url", &page]).await;
    assert_eq!((code, out.as_str()), (Some(0), "12.50 EUR\n"), "{log}");
    assert!(
        log.contains("1. click E1") && log.contains("→ Kettle K1") && log.contains("judged complete"),
        "{log}"
    );
    let (code, out, log) = command(Some(&provider), &["give up", "--url", &page, "-q"]).await;
    assert_eq!((code, out.as_str()), (Some(1), "as asked\n"));
    assert_eq!(log, "huntsman: as asked (TASK_ABORTED)\n");
    let (code, out, _) = command(
        Some(&provider),
        &["what does it cost?", "--url", &page, "--events"],
    )
    .await;
    let events: Vec<Value> = out.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    assert_eq!(
        (code, &events[events.len() - 1]["event"]),
        (Some(0), &json!("done"))
    );
}

#[tokio::test]
async fn the_command_without_a_model_or_with_wrong_words_is_exit_code_two() {
    let (code, out, log) = command(None, &["x"]).await;
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(log.contains("HUNTSMAN_LLM_PROVIDER"), "{log}");
    let wrong: [&[&str]; 5] = [
        &[" "],
        &["x", "--max-iterations", "101"],
        &["x", "--trust", "https://a.example"],
        &["x", "--data", "{"],
        &["x", "--data", "@/no/such/file"],
    ];
    for words in wrong {
        assert_eq!(command(None, words).await.0, Some(2), "{words:?}");
    }
}

#[tokio::test]
async fn without_a_browser_the_command_says_how_to_get_one() {
    let provider = player().await;
    let words = ["x", "--engine", "chromium", "--chromium", "/nonexistent/chromium"];
    let (code, out, log) = command(Some(&provider), &words).await;
    assert_eq!((code, out.as_str()), (Some(2), ""), "{log}");
    assert!(
        log.contains("apt-get install chromium") && log.contains("HUNTSMAN_CDP_ENDPOINTS"),
        "{log}"
    );
    assert_eq!(provider.seen().len(), 0);
}

#[tokio::test]
async fn values_of_the_person_stand_in_no_event_log_or_prompt() {
    const SECRET: &str = "canary-hunter2-Zażółć";
    let site = TestSite::start(|asked: &SiteRequest| match asked.path.as_str() {
        // The page shows what it was sent, and so does its address after the next link.
        "/echo" => SiteReply::html(format!(
            "<title>{SECRET}</title><p>You sent {SECRET} in {}</p><a href=\"/next?p={SECRET}\">{SECRET}</a>",
            asked.body.len()
        )),
        _ => SiteReply::html(
            "<form action=/echo method=post><label>Password <input name=p type=password></label><button>Go</button></form>",
        ),
    })
    .await;
    let provider = ScriptedProvider::start(|asked, _| {
        if asked.body["response_format"].is_object() {
            return play(asked);
        }
        let messages = asked.body["messages"].as_array().unwrap();
        let turns = messages.iter().filter(|it| it["role"] == "assistant").count();
        match turns {
            0 => ScriptedTurn::call("fill_user_data", json!({"ref": "E2", "key": "password"})),
            1 => ScriptedTurn::call("click", json!({"ref": "E3"})),
            2 => ScriptedTurn::call("extract", json!({"description": "everything"})),
            3 => ScriptedTurn::call("click", json!({"ref": "E4"})),
            _ => ScriptedTurn::call("done", json!({"result": "the page shows {{password}}"})),
        }
        .into()
    })
    .await;
    let page = site.url("/");
    let data = json!({"password": SECRET}).to_string();
    let words = [
        "log in", "--url", &page, "--data", &data, "--events", "--log", "trace",
    ];
    let (code, out, log) = command(Some(&provider), &words).await;
    assert_eq!(code, Some(0), "{out}");
    assert!(
        site.asked()
            .iter()
            .any(|it| it.path == "/echo" && !it.body.is_empty()),
        "the page was not sent the value: {out}"
    );
    let spellings = [SECRET.to_owned(), "canary-hunter2".to_owned()];
    let prompts = format!("{:?}", provider.seen());
    for (what, text) in [("events", &out), ("log", &log), ("prompts", &prompts)] {
        let found = spellings.iter().find_map(|it| text.find(it.as_str()));
        let around = found.and_then(|at| text.get(at.saturating_sub(200)..at + 20));
        assert_eq!(around, None, "the value stands in the {what}");
    }
}
