//! Traces as a collector gets them: connected, for the three families, and without anything that a page, a task or an
//! address says.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Attribute;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use serde_json::{Value, json};
use testkit::{ScriptedProvider, ScriptedTurn, SiteReply, SiteRequest, TestSite, serving};

use crate::automate::{SHOP, play};
use crate::mills;
use crate::server::{Server, huntsman};

/// The span of the client that asks, in every request of these tests.
const PARENT: &str = "00f067aa0ba902b7";

/// Words of pages, tasks, addresses and headers that no collector may see.
const PRIVATE: [&str; 9] = [
    "sails turn",
    "metres tall",
    "Kettle K1",
    "12.50",
    "canary-task",
    "canary-query",
    "canary-path",
    "How tall",
    "scripted-key-1234",
];

/// A collector, which takes spans over HTTP.
struct Collector(TestSite);

impl Collector {
    async fn start() -> Self {
        let take = |_: &SiteRequest| SiteReply::bytes("application/x-protobuf", "");
        Self(TestSite::start(take).await)
    }

    fn endpoint(&self) -> (&'static str, String) {
        ("OTEL_EXPORTER_OTLP_ENDPOINT", self.0.url(""))
    }

    /// All spans so far, and the bytes they came in.
    fn spans(&self) -> (Vec<Span>, Vec<u8>) {
        let (mut spans, mut bytes) = (Vec::new(), Vec::new());
        for asked in self.0.asked() {
            assert_eq!(
                (asked.method.as_str(), asked.path.as_str()),
                ("POST", "/v1/traces")
            );
            assert_eq!(asked.headers["content-type"], "application/x-protobuf");
            let batch = ExportTraceServiceRequest::decode(asked.body.clone()).unwrap();
            spans.extend(
                batch
                    .resource_spans
                    .into_iter()
                    .flat_map(|resource| resource.scope_spans)
                    .flat_map(|scope| scope.spans),
            );
            bytes.extend_from_slice(&asked.body);
        }
        (spans, bytes)
    }

    /// The spans of a trace once its run has ended and they stop coming.
    async fn trace(&self, trace: &str) -> Vec<Span> {
        let until = Instant::now() + Duration::from_secs(60);
        let of_trace = || {
            let (spans, _) = self.spans();
            let wanted = |span: &Span| hex(&span.trace_id) == trace;
            spans.into_iter().filter(wanted).collect::<Vec<_>>()
        };
        loop {
            let spans = of_trace();
            let has = |start: &str| spans.iter().any(|span| span.name.starts_with(start));
            if has("run ") && has("POST ") {
                return spans;
            }
            assert!(
                Instant::now() < until,
                "the trace {trace} is not whole: {spans:?}"
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn text(span: &Span, key: &str) -> Option<String> {
    let attribute = span.attributes.iter().find(|it| it.key == key)?;
    match attribute.value.as_ref()?.value.as_ref()? {
        Attribute::StringValue(text) => Some(text.clone()),
        Attribute::IntValue(number) => Some(number.to_string()),
        other => panic!("{key}: {other:?}"),
    }
}

/// Each span has its parent in the trace, up to the one span whose parent is the client.
fn check_connected(spans: &[Span]) {
    let ids: HashSet<String> = spans.iter().map(|span| hex(&span.span_id)).collect();
    let outside: Vec<&Span> = spans
        .iter()
        .filter(|span| !ids.contains(&hex(&span.parent_span_id)))
        .collect();
    assert_eq!(outside.len(), 1, "{outside:?}");
    assert_eq!(hex(&outside[0].parent_span_id), PARENT);
    assert!(outside[0].name.starts_with("POST "), "{outside:?}");
}

/// The names of all spans above a span, itself first.
fn line(spans: &[Span], name: &str) -> Vec<String> {
    let of_id: HashMap<&[u8], &Span> = spans.iter().map(|span| (&span.span_id[..], span)).collect();
    let start = spans.iter().find(|span| span.name == name);
    let mut span = *start.map(|span| &of_id[&span.span_id[..]]).unwrap_or_else(|| {
        let names: HashSet<&str> = spans.iter().map(|span| &*span.name).collect();
        panic!("no span {name:?} in {names:?}")
    });
    let mut names = vec![span.name.clone()];
    while let Some(parent) = of_id.get(&span.parent_span_id[..]) {
        span = parent;
        names.push(span.name.clone());
    }
    names
}

async fn ask(address: &str, path: &str, trace: &str, body: &Value) -> String {
    let headers = format!("traceparent: 00-{trace}-{PARENT}-01\r\n");
    let (address, path, body) = (address.to_owned(), path.to_owned(), body.to_string());
    let asking = move || serving::ask(&address, "POST", &path, &headers, &body);
    let answer = tokio::task::spawn_blocking(asking).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

/// A shop, and the web of mills with its search engine.
async fn web() -> TestSite {
    TestSite::start(|asked: &SiteRequest| match asked.path.split('?').next() {
        Some("/canary-path") => SiteReply::html(SHOP),
        Some("/k1") => SiteReply::html("<title>Kettle K1</title><p>Price: 12.50 EUR</p>"),
        _ => mills::pages(asked),
    })
    .await
}

async fn provider() -> ScriptedProvider {
    ScriptedProvider::start(|asked, _| match asked.body.to_string().contains("windmill") {
        true => ScriptedTurn::json(&mills::answer(asked)).into(),
        false => play(asked),
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_gets_one_connected_trace_for_each_run_and_nothing_private() {
    let (collector, site, provider) = (Collector::start().await, web().await, provider().await);
    let endpoint = collector.endpoint();
    let mut settings = mills::search(&site);
    settings.push(endpoint);
    let settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (*name, &**value)).collect();
    let server = Server::start(Some(&provider), &settings);
    let page = site.url("/canary-path?q=canary-query");
    let shop = json!({"task": "canary-task: what does the kettle cost?", "url": page});
    let scrape = json!({"assets": [page, site.url("/mill/1")]});
    let question =
        json!({"query": format!("{} See {}", mills::QUESTION, site.url("/named")), "mode": "balanced"});
    let cases = [
        ("scrape", "a".repeat(32), "/api/scrape/stream", scrape),
        ("automate", "b".repeat(32), "/v1/automate", shop),
        ("research", "c".repeat(32), "/v1/research", question),
    ];
    let mut traces = HashMap::new();
    for (family, trace, path, body) in &cases {
        let told = ask(&server.address, path, trace, body).await;
        assert_eq!(provider.faults(), Vec::<String>::new(), "{family}: {told}");
        if *family == "automate" {
            assert!(told.contains(trace), "the run names another trace: {told}");
        }
        let spans = collector.trace(trace).await;
        check_connected(&spans);
        let run = spans
            .iter()
            .find(|span| span.name == format!("run {family}"))
            .unwrap();
        let known: Vec<String> = server
            .runs()
            .iter()
            .map(|run| run["id"].as_str().unwrap().to_owned())
            .collect();
        assert!(known.contains(&text(run, "huntsman.run.id").unwrap()));
        assert_eq!(text(run, "huntsman.run.family").as_deref(), Some(*family));
        assert_eq!(text(run, "huntsman.run.status").as_deref(), Some("completed"));
        traces.insert(*family, spans);
    }
    let route = |path: &str, kind: &str| [format!("run {kind}"), format!("POST {path}")];
    assert_eq!(
        line(&traces["scrape"], "GET")[1..],
        [
            vec!["navigation".to_owned(), "page".into()],
            route("/api/scrape/stream", "scrape").to_vec()
        ]
        .concat()
    );
    let automate = route("/v1/automate", "automate");
    assert_eq!(
        line(&traces["automate"], "chat scripted")[1..],
        [vec!["planning".to_owned()], automate.to_vec()].concat()
    );
    assert_eq!(
        line(&traces["automate"], "browser click")[1..],
        [
            vec!["execute_tool click".to_owned(), "acting".into()],
            automate.to_vec()
        ]
        .concat()
    );
    let above = line(&traces["research"], "search searxng");
    assert_eq!(above[1..3], ["searching".to_owned(), "iteration".into()]);
    assert_eq!(above[3..], route("/v1/research", "research"));
    let chat = traces["research"]
        .iter()
        .find(|span| span.name == "chat scripted")
        .unwrap();
    assert!(
        text(chat, "gen_ai.usage.input_tokens").is_some()
            && text(chat, "gen_ai.usage.output_tokens").is_some()
    );
    let fetch = traces["research"].iter().find(|span| span.name == "GET").unwrap();
    assert_eq!(text(fetch, "server.address").as_deref(), Some("127.0.0.1"));

    check_headers(&site, &provider, &traces);
    let (_, bytes) = collector.spans();
    let sent = String::from_utf8_lossy(&bytes);
    for word in PRIVATE {
        assert!(!sent.contains(word), "{word:?} has left the process");
    }
    assert!(sent.contains("service.name") && sent.contains("huntsman"));
}

/// Models and the operator's search engine are told the trace; pages are not.
fn check_headers(site: &TestSite, provider: &ScriptedProvider, traces: &HashMap<&str, Vec<Span>>) {
    let sent: HashSet<String> = traces
        .values()
        .flatten()
        .map(|span| format!("00-{}-{}-01", hex(&span.trace_id), hex(&span.span_id)))
        .collect();
    for asked in provider.seen() {
        let parent = asked.headers["traceparent"].to_str().unwrap();
        assert!(sent.contains(parent), "{parent}");
    }
    for asked in site.asked() {
        match asked.path.starts_with("/search") {
            true => assert!(sent.contains(asked.headers["traceparent"].to_str().unwrap())),
            false => assert_eq!(asked.headers.get("traceparent"), None, "{}", asked.path),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_sends_its_trace_before_it_ends() {
    let (collector, site) = (Collector::start().await, web().await);
    let folder = tempfile::TempDir::new().unwrap();
    let mut command = huntsman(folder.path());
    let (name, value) = collector.endpoint();
    command
        .env(name, value)
        .args(["scrape", &site.url("/mill/1"), "--quiet"]);
    let output = tokio::task::spawn_blocking(move || command.output().unwrap())
        .await
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let (spans, _) = collector.spans();
    let run = spans.iter().find(|span| span.name == "run scrape").unwrap();
    assert!(run.parent_span_id.is_empty());
    assert!(spans.iter().all(|span| span.trace_id == run.trace_id));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_is_gone_or_silent_fails_no_run_and_spans_are_counted() {
    let site = web().await;
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", silent.local_addr().unwrap());
    let closed = "http://127.0.0.1:9";
    let folder = tempfile::TempDir::new().unwrap();
    for endpoint in [&*address, closed] {
        let mut command = huntsman(folder.path());
        command.env("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint).args([
            "scrape",
            &site.url("/mill/1"),
            "--quiet",
        ]);
        let output = tokio::task::spawn_blocking(move || command.output().unwrap())
            .await
            .unwrap();
        assert!(output.status.success(), "{endpoint}: {output:?}");
        assert!(
            String::from_utf8_lossy(&output.stdout).contains("Harrow 1"),
            "{output:?}"
        );
    }
    let server = Server::start(None, &[("OTEL_EXPORTER_OTLP_ENDPOINT", closed)]);
    let body = json!({"assets": [site.url("/mill/1")]});
    ask(&server.address, "/api/scrape/stream", &"d".repeat(32), &body).await;
    let until = Instant::now() + Duration::from_secs(60);
    let counted = "huntsman_trace_spans_dropped_total{reason=\"not_taken\"}";
    loop {
        let address = server.address.clone();
        let reading = move || Server::ask(&address, "GET", "/metrics", "");
        let metrics = tokio::task::spawn_blocking(reading).await.unwrap();
        if metrics.contains(counted) {
            return;
        }
        assert!(Instant::now() < until, "{metrics}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_variable_that_cannot_be_used_is_refused_before_anything_is_done() {
    let folder = tempfile::TempDir::new().unwrap();
    for (name, value) in [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4317"),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
        (
            "OTEL_EXPORTER_OTLP_HEADERS",
            "authorization=Bearer canary-key,canary-key",
        ),
    ] {
        let mut command = huntsman(folder.path());
        command
            .env("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
            .env(name, value)
            .args(["scrape", "http://127.0.0.1:9/"]);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(name) && !said.contains("canary-key"), "{said}");
    }
}
