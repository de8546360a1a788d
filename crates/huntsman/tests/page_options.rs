//! How requests have their pages opened, through the real program: exits by country, headers and cookies of one site,
//! waits, view and time zone of a real browser, and pictures of pages over HTTP.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Command;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::serving::ServerProcess;
use testkit::{SiteReply, SiteRequest, TestSite};

/// A proxy that tunnels, and records where to.
struct TunnelProxy {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl TunnelProxy {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let proxy = Self {
            address: listener.local_addr().unwrap(),
            asked: Arc::default(),
        };
        let asked = proxy.asked.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let asked = asked.clone();
                std::thread::spawn(move || tunnel(stream, &asked));
            }
        });
        proxy
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn tunnel(mut client: TcpStream, asked: &Mutex<Vec<String>>) -> Option<()> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        client.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).ok()?;
    let target = head.split(' ').nth(1)?.to_owned();
    asked.lock().unwrap().push(target.clone());
    let mut server = TcpStream::connect(target).ok()?;
    client.write_all(b"HTTP/1.1 200 OK\r\n\r\n").ok()?;
    let (mut from_client, mut to_server) = (client.try_clone().ok()?, server.try_clone().ok()?);
    std::thread::spawn(move || std::io::copy(&mut from_client, &mut to_server));
    std::io::copy(&mut server, &mut client).ok()?;
    Some(())
}

const PAGE: &str = "<!doctype html><title>Kettles</title><h1>Kettles</h1><p>A kettle is a vessel in which water is boiled, \
with a lid, a spout and a handle.</p>";

/// A page that shows what a browser tells it, and something that comes later.
const LIVE: &str = "<!doctype html><title>Live</title><h1>Live</h1><p id=facts></p><p id=late></p><script>\
document.getElementById('facts').textContent = [innerWidth, innerHeight, \
Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.language, navigator.userAgent, \
Intl.NumberFormat().resolvedOptions().locale].join(' | ');\
setTimeout(() => { document.getElementById('late').innerHTML = '<b class=done>All is here</b>'; }, 700);</script>";

async fn site(other: String) -> TestSite {
    TestSite::start(move |asked: &SiteRequest| match asked.path.as_str() {
        "/away" => SiteReply::redirect(302, &other),
        "/embeds" => SiteReply::html(format!("{PAGE}<img src=/own.png><img src='{other}'>")),
        "/live" => SiteReply::html(LIVE),
        "/robots.txt" => SiteReply::bytes("text/plain", "User-agent: *\nDisallow: /private"),
        _ => SiteReply::html(PAGE),
    })
    .await
}

fn server(folder: &TempDir, engine: &str, more: &[(&str, String)]) -> ServerProcess {
    let mut command = Command::new(env!("CARGO_BIN_EXE_huntsman"));
    command
        .args(["--engine", engine])
        .env("HUNTSMAN_DATA_DIR", folder.path())
        .env("HUNTSMAN_LOG", "info,browser=debug")
        .env(
            "HUNTSMAN_CHROMIUM_SANDBOX",
            if testkit::chromium::has_sandbox() {
                "on"
            } else {
                "off"
            },
        )
        .envs(more.iter().map(|(name, value)| (*name, value)))
        .current_dir(folder.path());
    ServerProcess::start(command)
}

fn ask(server: &ServerProcess, path: &str, body: &Value) -> (u16, String) {
    let answer = server.ask("POST", path, "", &body.to_string());
    (answer.status, answer.body)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_country_leads_through_its_own_exit_and_through_the_guard() {
    let (norway, germany) = (TunnelProxy::start(), TunnelProxy::start());
    let down = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let site = site(String::new()).await;
    let folder = TempDir::new().unwrap();
    let proxies = format!(
        "NO=http://{},de=http://user:s3cret@{},SE=http://{down}",
        norway.address, germany.address
    );
    let allowed = site.address().to_string();
    let server = server(
        &folder,
        "http",
        &[
            ("HUNTSMAN_PROXIES", proxies),
            ("HUNTSMAN_ALLOW_HOSTS", allowed.clone()),
        ],
    );
    let page = |country: &str| json!({"url": site.url("/a"), "geo_target": {"country": country}});
    for (country, used, unused) in [("no", &norway, &germany), ("DE", &germany, &norway)] {
        let before = unused.asked();
        let (status, body) = ask(&server, "/v1/extract/markdown", &page(country));
        assert_eq!(status, 200, "{body}");
        assert_eq!(
            (used.asked(), unused.asked()),
            (vec![allowed.clone()], before),
            "{country}"
        );
    }
    // The contract's own place and that of the options lead to the same.
    let scrape = json!({"assets": [site.url("/b")], "fetch": {"geo_target": {"country": "NO"}}});
    let (status, body) = ask(&server, "/api/scrape/stream", &scrape);
    assert!(
        status == 200 && body.contains("\"status\":\"completed\""),
        "{body}"
    );
    assert_eq!(norway.asked().len(), 1, "its connection is used again");
    let (status, body) = ask(&server, "/v1/extract/markdown", &page("FR"));
    assert_eq!(status, 400);
    assert!(
        body.contains("geo_target.country") && body.contains("DE, NO, SE"),
        "{body}"
    );
    let (status, body) = ask(&server, "/v1/extract/markdown", &page("SE"));
    assert_eq!(status, 502);
    assert!(
        body.contains("SE") && !body.contains(&down.port().to_string()),
        "{body}"
    );
    // What the guard refuses never reaches an exit.
    let asked = norway.asked();
    for address in [
        "http://127.0.0.1:1/",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/",
    ] {
        let (status, body) = ask(
            &server,
            "/v1/extract/markdown",
            &json!({"url": address, "geo_target": {"country": "NO"}}),
        );
        assert_eq!(status, 400, "{body}");
    }
    assert_eq!(norway.asked(), asked);
}

/// The headers of the requests for a path.
fn headers(site: &TestSite, path: &str) -> Vec<[String; 4]> {
    let asked = site.asked();
    let of_path = asked.iter().filter(|asked| asked.path == path);
    of_path
        .map(|asked| {
            ["x-key", "cookie", "user-agent", "accept-language"].map(|name| {
                let value = asked.headers.get(name).and_then(|value| value.to_str().ok());
                value.unwrap_or("-").to_owned()
            })
        })
        .collect()
}

/// Asks for pages with headers and cookies, in one engine, and shows what the site and a stranger get of them.
async fn headers_stay_at_their_site(engine: &str) {
    let stranger = TestSite::start(|_| SiteReply::html(PAGE)).await;
    let elsewhere = format!("http://localhost:{}/elsewhere", stranger.address().port());
    let site = site(elsewhere).await;
    let folder = TempDir::new().unwrap();
    let allowed = format!("{},localhost:{}", site.address(), stranger.address().port());
    let server = server(&folder, engine, &[("HUNTSMAN_ALLOW_HOSTS", allowed)]);
    let origin = site.url("").trim_end_matches('/').to_owned();
    let fetch = json!({
        "headers": {&origin: {"X-Key": "k-123456"}}, "cookies": {&origin: {"session": "s-123456"}},
        "user_agent": "Somebody/1.0", "locale": "pt-BR",
    });
    for path in ["/a", "/away", "/embeds"] {
        let (status, body) = ask(
            &server,
            "/v1/extract/markdown",
            &json!({"url": site.url(path), "fetch": fetch}),
        );
        assert_eq!(status, 200, "{body}");
    }
    let mine = ["k-123456", "session=s-123456", "Somebody/1.0", "pt-BR,pt;q=0.9"].map(str::to_owned);
    for path in ["/a", "/away", "/embeds"] {
        assert_eq!(headers(&site, path), vec![mine.clone()], "{engine}: {path}");
    }
    if engine == "chromium" {
        assert_eq!(headers(&site, "/own.png"), vec![mine.clone()]);
    }
    let strange = headers(&stranger, "/elsewhere");
    assert_eq!(strange.len(), if engine == "chromium" { 2 } else { 1 });
    for [key, cookie, agent, language] in strange {
        assert_eq!(
            [key.as_str(), &cookie, &agent],
            ["-", "-", "Somebody/1.0"],
            "{engine}"
        );
        assert!(language.starts_with("pt-BR"), "{language}");
    }
    // A run keeps them sealed: whoever reads it sees that there are some, and no value.
    let scrape = json!({"assets": [site.url("/b")], "fetch": fetch});
    let answer = server.ask("POST", "/api/scrape/stream", "", &scrape.to_string());
    assert_eq!(headers(&site, "/b"), [mine]);
    let runs = server.ask("GET", "/v1/runs", "", "");
    let id = serde_json::from_str::<Value>(&runs.body).unwrap()["runs"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let shown = server.ask("GET", &format!("/v1/runs/{id}"), "", "").body;
    for text in [&answer.body, &shown] {
        assert!(!text.contains("k-123456") && !text.contains("s-123456"), "{text}");
    }
    assert!(shown.contains("X-Key"), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_and_cookies_stay_at_their_site_without_a_browser() {
    headers_stay_at_their_site("http").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a browser"]
async fn headers_and_cookies_stay_at_their_site_in_a_browser() {
    headers_stay_at_their_site("chromium").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_engine_cannot_do_is_refused_by_name() {
    let site = site(String::new()).await;
    let folder = TempDir::new().unwrap();
    let server = server(
        &folder,
        "http",
        &[("HUNTSMAN_ALLOW_HOSTS", site.address().to_string())],
    );
    for (field, fetch) in [
        (
            "fetch.viewport",
            json!({"viewport": {"width": 400, "height": 800}}),
        ),
        ("fetch.timezone", json!({"timezone": "Europe/Oslo"})),
        (
            "fetch.wait_for",
            json!({"wait_for": {"text": "x"}, "engine": "http"}),
        ),
        ("fetch.engine", json!({"engine": "chromium"})),
        ("fetch.timezone", json!({"timezone": "Mars/Olympus"})),
        (
            "fetch.headers",
            json!({"headers": {site.url("/").trim_end_matches('/'): {"X-Key": "a\r\nX-Evil: b"}}}),
        ),
    ] {
        for (path, body) in [
            ("/v1/extract/markdown", json!({"url": site.url("/a")})),
            ("/api/scrape", json!({"assets": [site.url("/a")]})),
            (
                "/v1/research",
                json!({"query": format!("what says {}", site.url("/a"))}),
            ),
            (
                "/v1/plans/run",
                json!({"plan": {"plan": [{"tool": "html.parse"}]}, "url": site.url("/a")}),
            ),
        ] {
            let mut body = body;
            body["fetch"] = fetch.clone();
            let (status, text) = ask(&server, path, &body);
            assert!(
                status == 400 && text.contains(field),
                "{path} {field}: {status} {text}"
            );
        }
    }
    assert!(site.asked().is_empty());
    let private = json!({"url": site.url("/private"), "fetch": {"robots": "obey"}});
    let (status, body) = ask(&server, "/v1/extract/markdown", &private);
    assert_eq!(status, 403, "{body}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a browser"]
async fn a_browser_has_the_view_zone_and_language_asked_for_and_waits() {
    let site = site(String::new()).await;
    let folder = TempDir::new().unwrap();
    let server = server(
        &folder,
        "auto",
        &[("HUNTSMAN_ALLOW_HOSTS", site.address().to_string())],
    );
    let read = |fetch: Value| {
        ask(
            &server,
            "/v1/extract/markdown",
            &json!({"url": site.url("/live"), "content": "full", "fetch": fetch}),
        )
    };
    let (status, body) = read(json!({
        "viewport": {"width": 390, "height": 844}, "timezone": "Asia/Tokyo", "locale": "pt-BR", "user_agent": "Somebody/1.0",
        "wait_for": {"selector": "b.done"},
    }));
    assert_eq!(status, 200, "{body}");
    for shown in [
        "390 | 844 | Asia/Tokyo | pt-BR | Somebody/1.0 | pt-BR",
        "All is here",
    ] {
        assert!(body.replace("\\\\|", "|").contains(shown), "{shown}: {body}");
    }
    for condition in [
        json!({"text": "All is here"}),
        json!({"milliseconds": 1500}),
        json!({"network_idle": true}),
    ] {
        let (status, body) = read(json!({"wait_for": condition}));
        assert_eq!(status, 200, "{body}");
        let waits = condition.get("network_idle").is_none();
        assert!(!waits || body.contains("All is here"), "{condition}: {body}");
    }
    let never = json!({"wait_for": {"selector": "#never"}, "timeout": 3});
    let answer = server.ask(
        "POST",
        "/v1/extract/markdown",
        "",
        &json!({"url": site.url("/live"), "fetch": never}).to_string(),
    );
    assert_eq!(answer.status, 504, "{}", answer.body);
    for told in ["#never", "Live"] {
        assert!(answer.body.contains(told), "{told}: {}", answer.body);
    }
    let (status, body) = read(json!({"wait_for": {"selector": "p["}}));
    assert!(
        status == 400 && body.contains("fetch.wait_for.selector"),
        "{body}"
    );
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a browser"]
async fn several_forms_come_at_once_and_the_picture_over_http() {
    let site = site(String::new()).await;
    let folder = TempDir::new().unwrap();
    let keys = [
        ("HUNTSMAN_ALLOW_HOSTS", site.address().to_string()),
        ("HUNTSMAN_API_KEYS", "key-of-ann,key-of-bob".to_owned()),
    ];
    let server = server(&folder, "chromium", &keys);
    let (ann, bob) = (
        "authorization: Bearer key-of-ann\r\n",
        "authorization: Bearer key-of-bob\r\n",
    );
    let forms = json!([
        "item",
        "markdown",
        "text",
        "html",
        "links",
        "screenshot",
        "tables"
    ]);
    let body = json!({"assets": [site.url("/a")], "formats": forms});
    let answer = server.ask("POST", "/api/scrape/stream", ann, &body.to_string());
    let last = answer
        .body
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("data: "))
        .unwrap();
    let last: Value = serde_json::from_str(last).unwrap();
    let data = &last["data"];
    let page = data["extracted_data"]
        .as_object()
        .unwrap()
        .values()
        .next()
        .unwrap();
    assert_eq!(page["item"]["title"], "Kettles", "{page}");
    let given: Vec<&String> = page["formats"].as_object().unwrap().keys().collect();
    assert_eq!(given, ["markdown", "text", "html", "links", "tables"]);
    assert!(
        page["formats"]["markdown"]
            .as_str()
            .unwrap()
            .contains("A kettle is a vessel")
    );
    let name = page["files"][0]["name"].as_str().unwrap();
    assert_eq!(data["sandbox_artifacts"], json!([name]));
    let id = data["session_id"].as_str().unwrap();
    let get = |path: String, key: &str| server.ask("GET", &path, key, "");
    let picture = get(format!("/v1/runs/{id}/files/{name}"), ann);
    assert_eq!(picture.status, 200);
    let status: Value = serde_json::from_str(&get(format!("/api/scrape/{id}/status"), ann).body).unwrap();
    assert_eq!(status["sandbox_artifacts"], json!([name]));
    for (path, key) in [
        (format!("/v1/runs/{id}/files/{name}"), bob),
        (format!("/v1/runs/{id}/files/other.png"), ann),
        (format!("/v1/runs/{id}/files/..%2fsecret.key"), ann),
        (format!("/v1/runs/{id}/files/..%2f..%2fetc%2fpasswd"), ann),
    ] {
        assert_eq!(get(path.clone(), key).status, 404, "{path}");
    }
    let stranger = server.ask("DELETE", &format!("/api/scrape/{id}/cleanup"), bob, "");
    assert_eq!(stranger.status, 404);
    let removed = server.ask("DELETE", &format!("/api/scrape/{id}/cleanup"), ann, "");
    assert!(removed.body.contains("\"files_removed\":1"), "{}", removed.body);
    assert_eq!(get(format!("/v1/runs/{id}/files/{name}"), ann).status, 404);
}
