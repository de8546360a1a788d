//! Servers over pipes and over HTTP: what their tools become, and what happens when they misbehave.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::{Map, Value, json};
use testkit::{SiteReply, TestSite};
use url::Url;

use super::config::{parse, word_of};
use super::{FILE, load};
use crate::manifest::Effects;
use crate::registry::RejectedTool;
use crate::{Grant, Registry, ToolContext, ToolServices};

/// Set in the process that is the server.
const SERVING: &str = "HUNTSMAN_TEST_MCP_SERVER";

/// The tests below start this test once more, in a process that then is a server.
#[test]
fn the_small_server_gives_one_answer_to_a_request_and_none_to_a_notification() {
    if std::env::var_os(SERVING).is_some() {
        testkit::mcp::serve();
    }
    let ask = |message: Value| testkit::mcp::answers(&message).len();
    assert_eq!(
        ask(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}})),
        1
    );
    assert_eq!(
        ask(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})),
        0
    );
    assert_eq!(ask(json!({"jsonrpc": "2.0", "id": 2, "method": "unheard/of"})), 1);
}

fn client() -> net::Client {
    net::Client::new(net::ClientConfig::default()).unwrap()
}

/// The small server as an entry of the file, with more keys.
fn small(more: Value) -> Value {
    let mut server = json!({
        "command": std::env::current_exe().unwrap(),
        "args": ["--exact", "mcp::tests::the_small_server_gives_one_answer_to_a_request_and_none_to_a_notification"],
        "env": {SERVING: "1"},
    });
    server
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    server
}

fn loaded(servers: Value) -> (Registry, Vec<RejectedTool>) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join(FILE),
        json!({"mcpServers": servers}).to_string(),
    )
    .unwrap();
    load(&Registry::builtin(), folder.path(), &client())
}

fn context() -> ToolContext {
    ToolContext::new(ToolServices::default(), Grant::default())
}

async fn call(registry: &Registry, id: &str, given: Value) -> Result<Value, String> {
    let given: Map<String, Value> = serde_json::from_value(given).unwrap();
    let outcome = registry.run(id, &given, &mut context()).await;
    outcome
        .map(|it| it.data)
        .map_err(|it| format!("{} {it}", it.code()))
}

#[tokio::test]
async fn every_tool_of_a_server_is_a_tool_with_its_effects() {
    let (registry, refused) = loaded(json!({"Small-Server": small(json!({}))}));
    let ours = registry
        .iter()
        .filter(|it| it.manifest().category == "small_server");
    let told: Vec<(&str, Effects, bool)> = ours
        .map(|it| (it.id(), it.manifest().effects, it.manifest().open_world))
        .collect();
    assert_eq!(
        told,
        [
            ("small_server.add", Effects::Read, false),
            ("small_server.die", Effects::Read, false),
            ("small_server.environment", Effects::Read, false),
            ("small_server.fail", Effects::Read, false),
            ("small_server.fetch", Effects::Read, true),
            ("small_server.hang", Effects::Read, false),
            ("small_server.lie", Effects::Read, false),
            ("small_server.picture", Effects::Read, false),
            ("small_server.read_notes", Effects::Read, false),
            ("small_server.replace", Effects::Idempotent, true),
            ("small_server.write", Effects::Act, true),
        ]
    );
    let refused: Vec<String> = refused.iter().map(ToString::to_string).collect();
    assert_eq!(refused.len(), 2, "{refused:?}");
    assert!(
        refused[0].contains("\"bent\"") && refused[0].contains("Small-Server"),
        "{refused:?}"
    );
    assert!(
        refused[1].contains("\"far\"") && refused[1].contains("only references within"),
        "{refused:?}"
    );
    let add = registry.find("small_server.add").unwrap().manifest();
    assert!(
        add.description
            .starts_with("The tool add. It is small. (tool add"),
        "{}",
        add.description
    );
    // Given parameters are checked, defaults filled in, and the answer is held to its schema.
    assert_eq!(
        call(&registry, "small_server.add", json!({"a": 40})).await,
        Ok(json!({"sum": 42}))
    );
    let wrong = call(&registry, "small_server.add", json!({"a": "x"}))
        .await
        .unwrap_err();
    assert!(wrong.starts_with("BAD_TOOL_ARGS"), "{wrong}");
    let lied = call(&registry, "small_server.lie", json!({"a": 1}))
        .await
        .unwrap_err();
    assert!(lied.starts_with("SCHEMA_MISMATCH"), "{lied}");
    let failed = call(&registry, "small_server.fail", json!({})).await.unwrap_err();
    assert_eq!(failed, "TOOL_FAILED the notes are locked");
    let picture = call(&registry, "small_server.picture", json!({})).await.unwrap();
    assert_eq!(picture["other"][0]["bytes"], 3);
    // Keys of ours do not reach the program.
    let names = call(&registry, "small_server.environment", json!({}))
        .await
        .unwrap();
    let names: Vec<&str> = names["text"].as_str().unwrap().split(' ').collect();
    assert!(names.contains(&SERVING) && names.contains(&"PATH"), "{names:?}");
    assert!(!names.iter().any(|it| it.starts_with("CARGO")), "{names:?}");
}

#[tokio::test]
async fn a_server_that_dies_hangs_or_never_was_is_named_and_the_rest_goes_on() {
    let (registry, refused) = loaded(json!({
        "gone": {"command": "/no/such/program"},
        "mute": {"command": "/bin/sh", "args": ["-c", "echo nothing of value; exit 7"]},
        "small": small(json!({"timeout_ms": 300})),
        "html": small(json!({})),
    }));
    let told: Vec<String> = refused.iter().map(ToString::to_string).collect();
    assert!(
        told[0].contains("\"gone\"") && told[0].contains("cannot be started"),
        "{told:?}"
    );
    assert!(
        told.iter()
            .any(|it| it.contains("\"html\": our own tools have the category")),
        "{told:?}"
    );
    assert!(
        told.iter()
            .any(|it| it.contains("\"mute\"") && it.contains("exit status: 7")),
        "{told:?}"
    );
    let died = call(&registry, "small.die", json!({})).await.unwrap_err();
    assert!(
        died.contains("the MCP server \"small\" is not there") && died.contains("exit status: 3"),
        "{died}"
    );
    // The next call begins a new conversation.
    assert_eq!(
        call(&registry, "small.add", json!({"a": 1})).await,
        Ok(json!({"sum": 3}))
    );
    let slow = call(&registry, "small.hang", json!({})).await.unwrap_err();
    assert!(slow.starts_with("TIMEOUT"), "{slow}");
    assert_eq!(
        call(&registry, "small.add", json!({"a": 2})).await,
        Ok(json!({"sum": 4}))
    );
}

#[tokio::test]
async fn a_run_that_keeps_to_its_hosts_uses_no_tool_that_may_talk_to_any() {
    let (registry, _) = loaded(json!({"small": small(json!({"effects": {"write": "read"}}))}));
    let home = Url::parse("https://shop.example/").unwrap();
    let bound = Grant::reading([&home]);
    let permits = |registry: &Registry, id: &str| {
        registry
            .permits(&bound, registry.find(id).unwrap().manifest())
            .is_ok()
    };
    assert!(permits(&registry, "small.add"));
    assert!(!permits(&registry, "small.fetch") && !permits(&registry, "small.write"));
    let granted = registry.granting(["small.fetch".to_owned()]);
    assert!(permits(&granted, "small.fetch") && !permits(&granted, "small.write"));
}

#[test]
fn two_tools_of_one_name_are_refused_and_only_what_was_taken_is_offered() {
    let (registry, _) =
        loaded(json!({"one": small(json!({"tools": ["add"]})), "two": small(json!({"disabled": true}))}));
    let ids: Vec<&str> = registry
        .iter()
        .filter(|it| ["one", "two"].contains(&it.manifest().category.as_str()))
        .map(crate::registry::RegisteredTool::id)
        .collect();
    assert_eq!(ids, ["one.add"]);
    let folder = tempfile::tempdir().unwrap();
    let servers = json!({"mcpServers": {"one": small(json!({}))}});
    fs::write(folder.path().join(FILE), servers.to_string()).unwrap();
    let (_, refused) = load(&registry, folder.path(), &client());
    assert!(
        refused[0].to_string().contains("category \"one\" already"),
        "{refused:?}"
    );
}

#[test]
fn a_file_of_servers_that_cannot_be_used_is_told_with_everything_that_is_wrong() {
    let none = |_: &str| None;
    let wrong = |text: &str| parse(text, &none).unwrap_err().join("; ");
    assert!(wrong("{").contains("not JSON"));
    assert!(wrong("[]").contains("mcpServers"));
    assert!(wrong(&"[".repeat(1000)).contains("nested"));
    let told = wrong(
        r#"{"mcpServers": {"a": {}, "b": {"url": "ftp://x"}, "c": {"url": "http://x", "command": "y"}, "!!": {"command": "y"},
            "d": {"command": "x", "env": {"K": "${NO_SUCH}"}}, "e": {"url": "http://x", "type": "sse"}, "f": {"command": "x", "timeout_ms": 0},
            "g-h": {"command": "x"}, "g_h": {"command": "x"}, "i": {"command": "x", "effects": {"y": "loud"}}}}"#,
    );
    for part in [
        "\"a\": it has either",
        "\"b\": `url`",
        "\"c\": it has either",
        "\"!!\": its name",
        "NO_SUCH is not set",
        "streamable",
        "`timeout_ms`",
        "\"g_h\": another server",
        "\"i\"",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let key = |name: &str| (name == "KEY").then(|| "s3cret".to_owned());
    let good = parse(
        r#"{"mcpServers": {"a": {"url": "http://x/mcp", "headers": {"authorization": "Bearer ${KEY}"}}}}"#,
        &key,
    );
    assert!(format!("{good:?}").contains("Bearer s3cret"));
    assert!(parse(r#"{"servers": {}}"#, &none).unwrap().is_empty());
    let (same, refused) = load(&Registry::builtin(), Path::new("/no/such/folder"), &client());
    assert_eq!((same.len(), refused), (Registry::builtin().len(), Vec::new()));
}

#[test]
fn variables_stand_for_their_values_in_every_text_of_an_entry_and_are_masked() {
    use super::config::ServerTransport;

    let file = json!({"mcpServers": {
        "notes": {"command": "${BIN}/notes", "args": ["--token", "${KEY}"], "cwd": "${BIN}", "env": {"A": "${KEY}"}},
        "rates": {"url": "https://rates.example/mcp?key=${KEY}"},
    }});
    let variable = |name: &str| match name {
        "KEY" => Some("s3cret-word".to_owned()),
        "BIN" => Some("/opt/programs".to_owned()),
        _ => None,
    };
    let servers = parse(&file.to_string(), &variable).unwrap();
    for server in &servers {
        match &server.transport {
            ServerTransport::Program {
                command, args, cwd, ..
            } => assert_eq!(
                (command.as_str(), args[1].as_str(), cwd.as_deref()),
                ("/opt/programs/notes", "s3cret-word", Some("/opt/programs"))
            ),
            ServerTransport::Address { url, .. } => {
                assert_eq!(url.as_str(), "https://rates.example/mcp?key=s3cret-word");
            }
        }
        assert_eq!(server.masked("no s3cret-word here"), "no *** here");
    }
    assert_eq!(servers.len(), 2);
    let missing = json!({"mcpServers": {"notes": {"command": "notes", "args": ["${NO_KEY}"]}}});
    let why = parse(&missing.to_string(), &variable).unwrap_err();
    assert_eq!(why, ["\"notes\": the variable NO_KEY is not set"]);
}

#[test]
fn names_of_other_programs_become_names_of_ours() {
    for (name, word) in [
        ("readFile", Some("read_file")),
        ("read-file", Some("read_file")),
        ("API_Get", Some("api_get")),
        ("../../etc/passwd", Some("etc_passwd")),
        ("---", None),
        ("7zip", None),
    ] {
        assert_eq!(word_of(name).as_deref(), word, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_at_an_address_is_spoken_to_in_json_and_in_events() {
    let sessions: Arc<Mutex<Vec<Option<String>>>> = Arc::default();
    let seen = Arc::clone(&sessions);
    let site = TestSite::start(move |asked| {
        let message: Value = serde_json::from_slice(&asked.body).unwrap();
        let header = |name: &str| {
            asked
                .headers
                .get(name)
                .and_then(|it| it.to_str().ok())
                .map(str::to_owned)
        };
        if header("authorization").as_deref() != Some("Bearer k") {
            return SiteReply::bytes("text/plain", "no").status(401);
        }
        if message["method"] == "server/discover" {
            return SiteReply::bytes("text/plain", "no such method").status(400);
        }
        let hello = message["method"] == "initialize";
        if !hello {
            assert_eq!(header("mcp-protocol-version").as_deref(), Some("2025-06-18"));
        }
        seen.lock().unwrap().push(header("mcp-session-id"));
        if message["params"]["name"] == "die" {
            return SiteReply::bytes("text/plain", "who are you").status(404);
        }
        let answers = testkit::mcp::answers(&message);
        let reply = match answers.len() {
            0 => SiteReply::bytes("text/plain", "").status(202),
            1 => SiteReply::bytes("application/json", answers[0].to_string()),
            _ => {
                let events: String = answers
                    .iter()
                    .map(|it| format!("event: message\ndata: {it}\n\n"))
                    .collect();
                SiteReply::bytes("text/event-stream", events)
            }
        };
        if hello {
            reply.header("mcp-session-id", "s-1")
        } else {
            reply
        }
    })
    .await;
    let server = |key: &str| json!({"far": {"url": site.url("/mcp"), "headers": {"Authorization": key}}});
    let (registry, refused) = loaded(server("Bearer k"));
    assert_eq!(refused.len(), 2, "{refused:?}");
    assert_eq!(
        call(&registry, "far.add", json!({"a": 5})).await,
        Ok(json!({"sum": 7}))
    );
    let told = sessions.lock().unwrap().clone();
    assert!(
        told[0].is_none() && told[1..4].iter().all(|it| it.as_deref() == Some("s-1")),
        "{told:?}"
    );
    // A server that forgot the conversation is greeted anew by the next call.
    let lost = call(&registry, "far.die", json!({})).await.unwrap_err();
    assert!(lost.contains("ended the conversation"), "{lost}");
    assert_eq!(
        call(&registry, "far.add", json!({"a": 6})).await,
        Ok(json!({"sum": 8}))
    );
    let (_, refused) = loaded(server("Bearer wrong-s3cret"));
    let told = refused[0].to_string();
    assert!(told.contains("401") && !told.contains("s3cret"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_sessions_hears_version_method_and_name_with_each_request() {
    let methods: Arc<Mutex<Vec<String>>> = Arc::default();
    let seen = Arc::clone(&methods);
    let site = TestSite::start(move |asked| {
        let message: Value = serde_json::from_slice(&asked.body).unwrap();
        let header = |name: &str| asked.headers.get(name).map(|it| it.to_str().unwrap().to_owned());
        let method = message["method"].as_str().unwrap();
        assert_eq!(header("mcp-protocol-version").as_deref(), Some("2026-07-28"));
        assert_eq!(header("mcp-method").as_deref(), Some(method));
        assert_eq!(header("mcp-name").as_deref(), message["params"]["name"].as_str());
        assert!(header("mcp-session-id").is_none());
        let about = &message["params"]["_meta"];
        assert_eq!(about["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
        assert!(about["io.modelcontextprotocol/clientCapabilities"].is_object());
        seen.lock().unwrap().push(method.to_owned());
        let result = match method {
            "server/discover" => json!({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}),
            "tools/list" => json!({"tools": [
                {"name": "where", "inputSchema": {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}},
                {"name": "ask", "inputSchema": {"type": "object"}},
                {"name": "wrong", "inputSchema": {"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": "a b"}}}}
            ]}),
            _ if message["params"]["name"] == "ask" => json!({"resultType": "input_required", "inputRequests": {}}),
            _ => {
                let region = header("mcp-param-region").unwrap_or_default();
                json!({"resultType": "complete", "content": [{"type": "text", "text": format!("in {region}")}]})
            }
        };
        let reply = json!({"jsonrpc": "2.0", "id": message["id"], "result": result});
        SiteReply::bytes("application/json", reply.to_string())
    })
    .await;
    let (registry, refused) = loaded(json!({"far": {"url": site.url("/mcp")}}));
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert!(refused[0].to_string().contains("header"), "{}", refused[0]);
    let told = call(&registry, "far.where", json!({"region": "eu-1"}))
        .await
        .unwrap();
    assert_eq!(told["text"], "in eu-1");
    let open = call(&registry, "far.ask", json!({})).await.unwrap_err();
    assert!(open.contains("wants further input"), "{open}");
    let asked = methods.lock().unwrap().clone();
    assert_eq!(asked[0], "server/discover");
    let others: Vec<&str> = asked
        .iter()
        .map(String::as_str)
        .filter(|it| *it != "server/discover")
        .collect();
    assert_eq!(others, ["tools/list", "tools/call", "tools/call"]);
}

/// The answer of a server with sessions to a message other than the call of a tool.
fn greeting(message: &Value) -> SiteReply {
    let result = match message["method"].as_str() {
        Some("server/discover") => return SiteReply::bytes("text/plain", "no such method").status(400),
        Some("initialize") => json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}),
        Some("tools/list") => json!({"tools": [{"name": "long", "inputSchema": {"type": "object"}}]}),
        _ => return SiteReply::bytes("text/plain", "").status(202),
    };
    let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": result});
    SiteReply::bytes("application/json", answer.to_string()).header("mcp-session-id", "s-1")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_ends_before_its_answer_is_resumed_after_its_last_whole_event() {
    let resumed: Arc<Mutex<Vec<String>>> = Arc::default();
    let (seen, asked_by) = (Arc::clone(&resumed), Mutex::new(Value::Null));
    let site = TestSite::start(move |asked| {
        let header = |name: &str| {
            asked
                .headers
                .get(name)
                .and_then(|it| it.to_str().ok())
                .unwrap_or_default()
        };
        let events = |text: &'static str| SiteReply::bytes("text/event-stream", text);
        if asked.method == "GET" {
            assert_eq!(
                (header("mcp-session-id"), header("accept")),
                ("s-1", "text/event-stream")
            );
            let mut seen = seen.lock().unwrap();
            seen.push(header("last-event-id").to_owned());
            // The second stream stops within its event, which the third brings whole.
            return match seen.len() {
                1 => events("id: 2\ndata:\n\nid: 3\ndata: {\"jsonrpc\": \"2.0\", \"id"),
                _ => {
                    let result = json!({"content": [{"type": "text", "text": "whole"}]});
                    let id = asked_by.lock().unwrap().clone();
                    let answer = json!({"jsonrpc": "2.0", "id": id, "result": result});
                    SiteReply::bytes("text/event-stream", format!("id: 3\ndata: {answer}\n\n"))
                }
            };
        }
        let message: Value = serde_json::from_slice(&asked.body).unwrap();
        match message["method"] == "tools/call" {
            true => {
                *asked_by.lock().unwrap() = message["id"].clone();
                events("id: 1\nretry: 1\ndata:\n\n")
            }
            false => greeting(&message),
        }
    })
    .await;
    let (registry, refused) = loaded(json!({"far": {"url": site.url("/mcp")}}));
    assert!(refused.is_empty(), "{refused:?}");
    let long = call(&registry, "far.long", json!({})).await;
    assert_eq!(long.map(|it| it["text"].clone()), Ok(json!("whole")));
    assert_eq!(*resumed.lock().unwrap(), ["1", "2"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_reason_of_a_refusal_is_passed_on_without_the_key_that_it_repeats() {
    let site = TestSite::start(|asked| {
        let message: Value = serde_json::from_slice(&asked.body).unwrap();
        let reason = "the account of Bearer s3cret-key-1 (s3cret-key-1) is out of credit\u{7}";
        let error = json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": reason}});
        match message["method"].as_str() {
            Some("tools/call") => SiteReply::bytes("application/json", error.to_string()).status(400),
            Some("server/discover") => {
                let result = json!({"supportedVersions": ["2026-07-28"]});
                SiteReply::bytes(
                    "application/json",
                    json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string(),
                )
            }
            _ => greeting(&message),
        }
    })
    .await;
    let headers = json!({"Authorization": "Bearer s3cret-key-1"});
    let (registry, refused) = loaded(json!({"far": {"url": site.url("/mcp"), "headers": headers}}));
    assert!(refused.is_empty(), "{refused:?}");
    let told = call(&registry, "far.long", json!({})).await.unwrap_err();
    assert!(
        told.ends_with("answered with status 400: the account of *** (***) is out of credit"),
        "{told}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_cannot_be_reached_is_asked_once() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let (_, refused) = loaded(json!({"far": {"url": format!("http://{address}/mcp")}}));
    assert!(
        refused[0].to_string().contains("127.0.0.1 does not answer"),
        "{}",
        refused[0]
    );
}
