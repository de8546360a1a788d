//! Two tenants who ask for everything there is, their own and the other's: no byte of one reaches the other, and what is
//! the other's is answered like what is not there. The endpoints come from the OpenAPI document; one without a case here
//! fails the test.

use std::collections::BTreeSet;
use std::time::Duration;

use fastrand::Rng;
use serde_json::{Value, json};
use testkit::{ScriptedProvider, ScriptedTurn, SiteReply, TestSite, play_automation};
use wire::tenancy::TenantLimits;

use crate::client::Ask;
use crate::stand::Stand;
use crate::tenants::key;

/// Steps of a random sequence.
const STEPS: usize = 250;

/// What an endpoint names by its placeholders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Run,
    Question,
    Profile,
    Secret,
    Site,
    Webhook,
    Delivery,
    Monitor,
}

/// How an endpoint is asked.
enum Case {
    /// It names nobody's object; with a body where it takes one.
    Own(Value),
    /// It names an object of this kind; with a body where it takes one.
    Object(Kind, Value),
    /// It is a tool of the Model Context Protocol.
    Mcp,
    /// It is not for these keys.
    Forbidden,
}

/// One of the two.
struct Party {
    key: String,
    /// What is in everything that it sends.
    canary: String,
    site: String,
    objects: Vec<(Kind, Vec<(&'static str, String)>)>,
    /// What no answer to the other may hold.
    markers: BTreeSet<String>,
}

fn state(party: &Party) -> Value {
    let domain = party.site.trim_start_matches("http://").split(':').next();
    json!({"cookies": [{"name": "sid", "value": party.canary, "domain": domain, "path": "/", "expires": -1}]})
}

/// The case of an endpoint, as this party asks.
fn case(method: &str, path: &str, party: &Party) -> Case {
    let canary = party.canary.as_str();
    let url = format!("{}/{canary}", party.site);
    let page = json!({"url": url});
    let shaped =
        json!({"url": url, "json_schema": {"type": "object", "properties": {"t": {"type": "string"}}}});
    let plan = json!({
        "plan": [{"tool": "html.select", "parameters": {"selector": "h1", "limit": 5}, "description": canary}],
        "url": url,
    });
    match (method, path) {
        (_, path) if path.starts_with("/v1/admin") => Case::Forbidden,
        ("get", "/metrics") => Case::Forbidden,
        ("post", "/mcp" | "/mcp/read") => Case::Mcp,
        ("get", path) if path.starts_with("/.well-known/") => Case::Own(Value::Null),
        (
            "get",
            "/healthz"
            | "/readyz"
            | "/openapi.json"
            | "/v1/runs"
            | "/v1/profiles"
            | "/v1/vault"
            | "/v1/memory"
            | "/v1/webhooks"
            | "/v1/monitors"
            | "/v1/usage"
            | "/v1/tools"
            | "/v1/plugins"
            | "/v1/tools/{name}"
            | "/api/plugins"
            | "/api/sites"
            | "/api/sites/{id}"
            | "/api/scrape/sessions",
        )
        | ("delete", "/v1/memory") => Case::Own(Value::Null),
        ("post", "/api/scrape" | "/api/scrape/stream") => {
            Case::Own(json!({"assets": [url], "instructions": canary, "enable_memory": true}))
        }
        ("post", "/v1/automate") => Case::Own(json!({"task": canary, "url": url, "interactive": true})),
        ("post", "/v1/research") => Case::Own(json!({"query": format!("What is {canary}?")})),
        ("post", "/v1/crawl") => Case::Own(json!({"url": url, "limit": 2})),
        ("post", "/v1/batch") => Case::Own(json!({"urls": [url]})),
        ("post", "/api/sites/match") => Case::Own(json!({"instructions": canary, "assets": [url]})),
        ("post", "/v1/plans/run" | "/v1/plans/check") => Case::Own(plan),
        ("post", "/v1/map" | "/v1/extract/markdown") => Case::Own(page),
        ("post", "/v1/extract/json") => Case::Own(shaped),
        ("post", "/v1/generate/json") => {
            let mut body = shaped;
            body["instructions"] = canary.into();
            Case::Own(body)
        }
        ("post", "/v1/tools/{name}/run") => {
            Case::Own(json!({"parameters": {"selector": "h1"}, "html": format!("<h1>{canary}</h1>")}))
        }
        ("post", "/v1/profiles") => {
            let name = format!("profile-{canary}");
            Case::Own(json!({"name": name, "note": canary, "storage_state": state(party)}))
        }
        ("put", "/v1/vault/{name}") => {
            Case::Own(json!({"value": canary, "sites": [format!("{canary}.example")]}))
        }
        ("post", "/v1/webhooks") => {
            Case::Own(json!({"url": url, "events": ["run.completed"], "description": canary}))
        }
        ("post", "/v1/monitors") => {
            Case::Own(json!({"url": url, "name": canary, "schedule": {"every": 86_400}}))
        }
        ("post", "/v1/runs/{id}/act") => Case::Object(Kind::Run, json!({"action": "look"})),
        ("post", "/v1/runs/{id}/resume") => Case::Object(Kind::Run, json!({"note": canary})),
        (_, path) if path.starts_with("/v1/runs/{id}") || path.starts_with("/api/scrape/{id}") => {
            Case::Object(Kind::Run, Value::Null)
        }
        ("post", "/v1/automate/{id}/input") => Case::Object(Kind::Question, json!({"cancelled": true})),
        ("put", "/v1/profiles/{name}/storage-state") => Case::Object(Kind::Profile, state(party)),
        (_, path) if path.starts_with("/v1/profiles/{name}") => Case::Object(Kind::Profile, Value::Null),
        ("delete", "/v1/vault/{name}") => Case::Object(Kind::Secret, Value::Null),
        (_, "/v1/memory/{site}") => Case::Object(Kind::Site, Value::Null),
        (_, path) if path.contains("{delivery}") => Case::Object(Kind::Delivery, json!({})),
        (_, path) if path.starts_with("/v1/webhooks/{id}") => Case::Object(Kind::Webhook, json!({})),
        ("patch", "/v1/monitors/{id}") => Case::Object(Kind::Monitor, json!({"name": canary})),
        (_, path) if path.starts_with("/v1/monitors/{id}") => Case::Object(Kind::Monitor, json!({})),
        _ => panic!("{method} {path} has no case: say here what it names and what it takes"),
    }
}

/// An answer with its head: everything that the asker is sent.
struct Told {
    status: u16,
    text: String,
    run: Option<String>,
    json: Value,
}

async fn send(stand: &Stand, party: &Party, method: &str, path: &str, body: &Value) -> Told {
    let ask = match body {
        Value::Null => Ask::new(&method.to_uppercase(), path),
        body => Ask::with_body(&method.to_uppercase(), path, body.to_string()),
    };
    let ask = ask
        .header("authorization", &party.key)
        // The same of both: whose request it is decides.
        .header("accept", "application/json, text/event-stream");
    let mut answer = ask.send(stand.at).await;
    let body = answer.text().await;
    assert!(answer.status != 500, "{method} {path}: {body}");
    Told {
        status: answer.status,
        run: answer.header("x-run-id").map(str::to_owned),
        json: serde_json::from_str(&body).unwrap_or_default(),
        text: format!("{:?}\n{body}", answer.headers),
    }
}

impl Party {
    async fn new(stand: &Stand, name: &str, site: String) -> Self {
        let key = key(stand, name, &[], &[]).await;
        let canary = format!("canary{name}{:08x}", fastrand::u32(..));
        // Whose key it is stands behind the prefix of the kind.
        let id = key["Bearer hmk_".len()..][..8].to_owned();
        let host = site.trim_start_matches("http://").to_owned();
        let markers = BTreeSet::from([canary.clone(), id, host]);
        Self {
            key,
            canary,
            site,
            objects: Vec::new(),
            markers,
        }
    }

    fn own(&mut self, kind: Kind, names: Vec<(&'static str, String)>) {
        self.markers.extend(names.iter().map(|(_, value)| value.clone()));
        if !self.objects.contains(&(kind, names.clone())) {
            self.objects.push((kind, names));
        }
    }

    /// Notes what an answer says is this party's.
    fn learn(&mut self, path: &str, told: &Told) {
        if let Some(run) = &told.run {
            self.own(Kind::Run, vec![("id", run.clone())]);
        }
        for frame in told
            .text
            .split("event: interactive:form_data:request\ndata: ")
            .skip(1)
        {
            let asked: Value = serde_json::from_str(frame.lines().next().unwrap()).unwrap();
            let id = asked["requestId"].as_str().unwrap().to_owned();
            self.own(Kind::Question, vec![("id", id)]);
        }
        let text = |name: &str| told.json[name].as_str().map(str::to_owned);
        let named = match (path, text("id"), text("name")) {
            ("/v1/webhooks", Some(id), _) => Some((Kind::Webhook, "id", id)),
            ("/v1/monitors", Some(id), _) => Some((Kind::Monitor, "id", id)),
            ("/v1/profiles", _, Some(name)) => Some((Kind::Profile, "name", name)),
            ("/v1/vault/{name}", _, Some(name)) => Some((Kind::Secret, "name", name)),
            _ => None,
        };
        if let Some((kind, placeholder, value)) = named {
            self.own(kind, vec![(placeholder, value)]);
        }
        self.markers.extend(text("secret"));
        for site in told.json["sites"].as_array().into_iter().flatten() {
            if let Some(site) = site["site"].as_str() {
                self.own(Kind::Site, vec![("site", site.to_owned())]);
            }
        }
    }

    /// Notes the deliveries of a webhook.
    fn learn_deliveries(&mut self, webhook: &str, told: &Told) {
        for delivery in told.json["deliveries"].as_array().into_iter().flatten() {
            let id = delivery["id"].as_str().unwrap().to_owned();
            self.own(Kind::Delivery, vec![("id", webhook.to_owned()), ("delivery", id)]);
        }
    }

    /// Objects of a kind, by what stands for their placeholders.
    fn of(&self, kind: Kind) -> Vec<Vec<(&'static str, String)>> {
        let all = self.objects.iter().filter(|(one, _)| *one == kind);
        all.map(|(_, names)| names.clone()).collect()
    }
}

/// A path with what stands for its placeholders; the names that tenants choose and tools have are the asker's.
fn filled(path: &str, names: &[(&str, String)], asker: &Party) -> String {
    let mut filled = path.to_owned();
    for (placeholder, value) in names {
        filled = filled.replace(&format!("{{{placeholder}}}"), value);
    }
    match path {
        "/v1/tools/{name}" | "/v1/tools/{name}/run" => filled.replace("{name}", "html.select"),
        "/v1/vault/{name}" => filled.replace("{name}", &format!("secret-{}", asker.canary)),
        _ => filled.replace("{name}", "page-1.png"),
    }
}

/// That nothing of `other` is in what was told, but what the request itself named.
fn check(other: &Party, request: &str, told: &Told) {
    let named = other.markers.iter().filter(|marker| request.contains(*marker));
    let text = named.fold(told.text.clone(), |text, marker| {
        text.replace(marker.as_str(), "")
    });
    for marker in &other.markers {
        assert!(
            !text.contains(marker.as_str()),
            "{request}: {marker} is in {text}"
        );
    }
}

/// The body of an answer without these names.
fn without(told: &Told, names: &[(&'static str, String)]) -> String {
    let body = told.json.to_string();
    names.iter().fold(body, |body, (_, name)| body.replace(name, ""))
}

/// Names like these that nobody has.
fn unknown(names: &[(&'static str, String)]) -> Vec<(&'static str, String)> {
    let other = |value: &String| {
        let last = if value.ends_with('a') { "b" } else { "a" };
        format!("{}{last}", &value[..value.len() - 1])
    };
    names.iter().map(|(name, value)| (*name, other(value))).collect()
}

fn mcp(tool: &str, arguments: &Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
}

/// Calls of tools that name a run, and calls that name nothing.
fn mcp_calls(run: Option<&str>, party: &Party) -> Vec<Value> {
    let url = format!("{}/{}", party.site, party.canary);
    match run {
        Some(run) => {
            let read = |uri: String| json!({"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": uri}});
            vec![
                mcp("run_wait", &json!({"run_id": run, "wait_seconds": 1})),
                mcp("run_cancel", &json!({"run_id": run})),
                read(format!("huntsman://runs/{run}")),
                read(format!("huntsman://runs/{run}/events")),
            ]
        }
        None => vec![
            mcp("read", &json!({"url": url})),
            mcp("scrape", &json!({"urls": [url], "instructions": party.canary})),
            mcp(
                "tool_run",
                &json!({"name": "html.select", "params": {"selector": "h1"}, "url": url}),
            ),
            json!({"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "huntsman://runs"}}),
            json!({"jsonrpc": "2.0", "id": 1, "method": "resources/list", "params": {}}),
        ],
    }
}

async fn stand() -> (Stand, TestSite, ScriptedProvider) {
    let page = |_: &testkit::SiteRequest| {
        SiteReply::html(
            "<title>Order</title><h1>Order</h1><p>A kettle boils water for tea, and says so when it is done.</p>\
             <form><label>E-mail <input type=email name=mail required></label><button>Order</button></form>",
        )
    };
    let provider = ScriptedProvider::start(|asked, _| {
        let action = |turn: usize, find: &dyn Fn(&str) -> String| match turn {
            0 => ScriptedTurn::call(
                "request_user_data",
                json!({"description": "mail", "refs": [find("E-mail")]}),
            ),
            _ => ScriptedTurn::call("abort", json!({"reason": "nobody answered"})),
        };
        play_automation(asked, action).into()
    })
    .await;
    let second = TestSite::start(page).await;
    let stand = Stand::beside(TestSite::start(page).await, &second, &provider).await;
    stand.workers.answers_within(Duration::from_millis(20));
    stand.workers.deliver();
    stand.workers.watch(TenantLimits::default());
    (stand, second, provider)
}

/// Gives a party one of everything.
async fn furnish(stand: &Stand, party: &mut Party) {
    for (method, path) in [
        ("post", "/v1/webhooks"),
        ("post", "/v1/profiles"),
        ("put", "/v1/vault/{name}"),
        ("post", "/v1/monitors"),
        ("post", "/api/scrape/stream"),
        ("post", "/v1/plans/run"),
        ("post", "/v1/crawl"),
        ("post", "/v1/batch"),
        ("post", "/v1/automate"),
        ("get", "/v1/memory"),
    ] {
        let Case::Own(body) = case(method, path, party) else {
            panic!("{path}")
        };
        let told = send(stand, party, method, &filled(path, &[], party), &body).await;
        assert!((200..300).contains(&told.status), "{path}: {}", told.text);
        party.learn(path, &told);
    }
    let webhook = party.of(Kind::Webhook).concat()[0].1.clone();
    while party.of(Kind::Delivery).is_empty() {
        let path = format!("/v1/webhooks/{webhook}/deliveries");
        let told = send(stand, party, "get", &path, &Value::Null).await;
        party.learn_deliveries(&webhook, &told);
    }
}

/// Method and path of every endpoint.
async fn endpoints(stand: &Stand) -> Vec<(String, String)> {
    let document: Value = Ask::get("/openapi.json").send(stand.at).await.json().await;
    let paths = document["paths"].as_object().unwrap().iter();
    let of_path = |(path, methods): (&String, &Value)| {
        let methods: Vec<String> = methods.as_object().unwrap().keys().cloned().collect();
        methods
            .into_iter()
            .map(|method| (method, path.clone()))
            .collect::<Vec<_>>()
    };
    paths.flat_map(of_path).collect()
}

/// Every endpoint, asked by `asker` about every object of `other`.
async fn ask_for_everything(stand: &Stand, asker: &mut Party, other: &Party) -> usize {
    let mut asked = 0;
    for (method, path) in endpoints(stand).await {
        match case(&method, &path, asker) {
            Case::Forbidden => {
                let path = filled(&path, &[], asker).replace("{id}", "x");
                let told = send(stand, asker, &method, &path, &Value::Null).await;
                assert_eq!(told.status, 403, "{method} {path}");
                check(other, &path, &told);
            }
            Case::Own(_) => {}
            Case::Object(kind, body) => {
                let objects = other.of(kind);
                assert!(!objects.is_empty(), "there is no {kind:?} to ask for");
                for names in objects {
                    let foreign = filled(&path, &names, asker);
                    let told = send(stand, asker, &method, &foreign, &body).await;
                    assert_eq!(told.status, 404, "{method} {foreign}: {}", told.text);
                    check(other, &foreign, &told);
                    let nobodys = filled(&path, &unknown(&names), asker);
                    let nothing = send(stand, asker, &method, &nobodys, &body).await;
                    assert_eq!(
                        (nothing.status, without(&nothing, &unknown(&names))),
                        (404, without(&told, &names)),
                        "{method} {nobodys}"
                    );
                    asked += 1;
                }
            }
            Case::Mcp => {
                for names in other.of(Kind::Run) {
                    for message in mcp_calls(Some(&names[0].1), asker) {
                        let told = send(stand, asker, &method, &path, &message).await;
                        check(other, &message.to_string(), &told);
                        let nobodys = message.to_string().replace(&names[0].1, &unknown(&names)[0].1);
                        let nobodys: Value = serde_json::from_str(&nobodys).unwrap();
                        let nothing = send(stand, asker, &method, &path, &nobodys).await;
                        let (told, nothing) = (without(&told, &names), without(&nothing, &unknown(&names)));
                        assert_eq!(told, nothing, "{message}");
                        asked += 1;
                    }
                }
            }
        }
    }
    asked
}

/// One step of a random sequence; how many answers held what the asker had sent.
async fn step(
    rng: &mut Rng,
    stand: &Stand,
    endpoints: &[(String, String)],
    asker: &mut Party,
    other: &Party,
) -> usize {
    let (method, path) = &endpoints[rng.usize(..endpoints.len())];
    let (mut body, names, foreign) = match case(method, path, asker) {
        Case::Forbidden => return 0,
        Case::Own(body) => (body, Vec::new(), false),
        Case::Object(kind, body) => {
            let foreign = rng.bool();
            let objects = if foreign { other.of(kind) } else { asker.of(kind) };
            let Some(names) = rng.choice(objects) else {
                return 0;
            };
            (body, names, foreign)
        }
        Case::Mcp => {
            let runs = [asker.of(Kind::Run), other.of(Kind::Run)].concat();
            let run = rng
                .choice(runs)
                .filter(|_| rng.bool())
                .map(|names| names[0].1.clone());
            let call = rng.choice(mcp_calls(run.as_deref(), asker)).unwrap();
            (call, Vec::new(), false)
        }
    };
    let is_odd = !body.is_null() && rng.u8(..5) == 0;
    if is_odd {
        body = rng
            .choice([json!([]), json!({}), json!({"canary": asker.canary}), json!("x")])
            .unwrap();
    }
    let filled = filled(path, &names, asker);
    let told = send(stand, asker, method, &filled, &body).await;
    check(other, &format!("{method} {filled} {body}"), &told);
    if foreign && !is_odd {
        assert_eq!(told.status, 404, "{method} {filled}: {}", told.text);
    }
    if !foreign && told.status < 300 {
        asker.learn(path, &told);
        if path == "/v1/webhooks/{id}/deliveries" {
            asker.learn_deliveries(&names[0].1, &told);
        }
    }
    usize::from(told.text.contains(&asker.canary))
}

#[tokio::test]
async fn no_byte_of_one_tenant_reaches_another_whatever_both_ask() {
    let (stand, second_site, provider) = stand().await;
    let at_first = stand.site.url("").trim_end_matches('/').to_owned();
    let at_second = second_site.url("").trim_end_matches('/').to_owned();
    let mut one = Party::new(&stand, "one", at_first).await;
    let mut two = Party::new(&stand, "two", at_second).await;
    furnish(&stand, &mut one).await;
    furnish(&stand, &mut two).await;
    let asked =
        ask_for_everything(&stand, &mut one, &two).await + ask_for_everything(&stand, &mut two, &one).await;
    assert!(asked > 200, "{asked}");

    let seed = std::env::var("HUNTSMAN_TEST_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("HUNTSMAN_TEST_SEED={seed} does the same again");
    let mut rng = Rng::with_seed(seed);
    let all = endpoints(&stand).await;
    let mut seen = 0;
    for _ in 0..STEPS {
        seen += match rng.bool() {
            true => step(&mut rng, &stand, &all, &mut one, &two).await,
            false => step(&mut rng, &stand, &all, &mut two, &one).await,
        };
    }
    assert!(
        seen > STEPS / 10,
        "what is the asker's own is shown, or nothing is tested: {seen}"
    );
    // Neither model nor receiver was told of both at once.
    for asked in provider.seen() {
        let text = asked.body.to_string();
        assert!(
            !(text.contains(&one.canary) && text.contains(&two.canary)),
            "{text}"
        );
    }
    for asked in stand.site.asked().iter().chain(&second_site.asked()) {
        let text = format!(
            "{} {:?} {}",
            asked.path,
            asked.headers,
            String::from_utf8_lossy(&asked.body)
        );
        assert!(
            !(text.contains(&one.canary) && text.contains(&two.canary)),
            "{text}"
        );
    }
}
