//! The console: what keeps it safe, and its pages in a real browser.

use std::sync::Arc;

use browser::engines::chromium::Chromium;
use browser::{Browser as _, Profile, Tab};
use runtime::config::Secret;
use serde_json::{Value, json};
use server::ServerSettings;
use testkit::{SiteReply, SiteRequest, TestSite};

use crate::client::{Answer, Ask};
use crate::stand::Stand;

const KEY: &str = "a-key-for-the-console";

/// Markup that runs where a value is put into a page as it is. Each would set `canary`.
const VECTORS: &[&str] = &[
    "<script>window.canary=1</script>",
    "<img src=x onerror=\"window.canary=1\">",
    "\"><svg onload=window.canary=1>",
    "'><details open ontoggle=window.canary=1>",
    "</title><script>window.canary=1</script>",
    "</textarea><img src=x onerror=window.canary=1>",
    "</pre></template><iframe srcdoc='<script>parent.canary=1</script>'></iframe>",
    "<a href=\"javascript:window.canary=1\">x</a>",
    "<form id=run><input name=children><input id=timeline></form>",
    "<base href=//evil.invalid/><style>*{display:none}</style>",
    "{{7*7}}{% raw %}<b id=canary>",
    "\u{2028}</script><script>window.canary=1</script>",
    "<math><mtext><table><mglyph><style><img src=x onerror=window.canary=1>",
    "<input autofocus onfocus=window.canary=1>",
    "\" autofocus onfocus=window.canary=1 x=\"",
    "<meta http-equiv=refresh content='0;url=javascript:window.canary=1'>",
];

async fn guarded() -> Stand {
    Stand::with(ServerSettings {
        api_keys: vec![KEY.parse::<Secret>().unwrap()],
        ..ServerSettings::default()
    })
    .await
}

/// A form as a page of the console sends it.
fn form(path: &str, body: &str) -> Ask {
    Ask::form(path, body).header("sec-fetch-site", "same-origin")
}

/// The cookie of a session.
async fn session(stand: &Stand) -> String {
    let answer = form("/console/login", &format!("key={KEY}&next=/console/tools"))
        .send(stand.at)
        .await;
    assert_eq!(
        (answer.status, answer.header("location")),
        (303, Some("/console/tools"))
    );
    let cookie = answer.header("set-cookie").unwrap();
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
        "{cookie}"
    );
    cookie.split(';').next().unwrap().to_owned()
}

async fn with_cookie(stand: &Stand, path: &str, cookie: &str) -> Answer {
    Ask::get(path).header("cookie", cookie).send(stand.at).await
}

#[tokio::test]
async fn a_key_becomes_a_session_that_opens_pages_and_the_api_until_it_ends() {
    let stand = guarded().await;
    let away = stand.get("/console/runs?kind=scrape").await;
    let login = "/console/login?next=%2Fconsole%2Fruns%3Fkind%3Dscrape";
    assert_eq!((away.status, away.header("location")), (303, Some(login)));
    assert_eq!(
        form("/console/login", "key=wrong").send(stand.at).await.status,
        401
    );
    let cookie = session(&stand).await;
    for path in ["/console/runs", "/v1/runs"] {
        assert_eq!(with_cookie(&stand, path, &cookie).await.status, 200, "{path}");
        assert_ne!(
            with_cookie(&stand, path, "huntsman_session=00").await.status,
            200,
            "{path}"
        );
    }
    let ended = form("/console/logout", "")
        .header("cookie", &cookie)
        .send(stand.at)
        .await;
    assert_eq!(ended.status, 303);
    assert_eq!(with_cookie(&stand, "/v1/runs", &cookie).await.status, 401);
}

#[tokio::test]
async fn no_other_site_acts_with_a_session() {
    let stand = guarded().await;
    let cookie = session(&stand).await;
    let body = stand.request(&["/"]).to_string();
    let own = Ask::post("/api/scrape", body.clone()).header("cookie", &cookie);
    assert_eq!(
        own.header("sec-fetch-site", "same-origin")
            .send(stand.at)
            .await
            .status,
        202
    );
    for site in ["cross-site", "same-site"] {
        let foreign = Ask::post("/api/scrape", body.clone()).header("cookie", &cookie);
        assert_eq!(
            foreign.header("sec-fetch-site", site).send(stand.at).await.status,
            401
        );
        let foreign = Ask::form("/console/new", "kind=scrape").header("cookie", &cookie);
        assert_eq!(
            foreign.header("sec-fetch-site", site).send(stand.at).await.status,
            401
        );
    }
    let bare = Ask::form("/console/logout", "")
        .header("cookie", &cookie)
        .send(stand.at)
        .await;
    assert_eq!(bare.status, 401);
}

#[tokio::test]
async fn every_page_forbids_foreign_code_and_the_console_can_be_off() {
    let stand = Stand::start().await;
    for path in [
        "/console/runs",
        "/console/login",
        "/console/new?kind=research",
        "/console/tools",
        "/console/plans",
        "/console/nowhere",
    ] {
        let answer = stand.get(path).await;
        let policy = answer.header("content-security-policy").unwrap();
        assert!(
            policy.starts_with("default-src 'none'") && !policy.contains("unsafe"),
            "{path}: {policy}"
        );
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
    let browser = Ask::get("/").header("accept", "text/html").send(stand.at).await;
    assert_eq!(
        (browser.status, browser.header("location")),
        (303, Some("/console"))
    );
    let off = Stand::with(ServerSettings {
        console: false,
        ..ServerSettings::default()
    })
    .await;
    assert_eq!(
        (off.get("/console/runs").await.status, off.get("/").await.status),
        (404, 404)
    );
}

#[tokio::test]
async fn a_run_is_started_by_a_form_and_shown_without_scripts() {
    let stand = Stand::start().await;
    let wrong = form("/console/new", "kind=scrape&f%3Aassets=&f%3Amax_steps=many")
        .send(stand.at)
        .await;
    assert_eq!(wrong.status, 400);
    let asset = stand.site.url("/");
    let started = form("/console/new", &format!("kind=scrape&f%3Aassets={asset}"))
        .send(stand.at)
        .await;
    let page = started.header("location").unwrap().to_owned();
    assert_eq!(started.status, 303);
    let run = page.rsplit('/').next().unwrap();
    stand.ended(run).await;
    let timeline = stand.get(&page).await.text().await;
    assert!(
        timeline.contains("Read the page") && timeline.contains("Completed"),
        "{timeline}"
    );
    for view in [
        "result",
        "request",
        "raw",
        "timeline&only=failed",
        "timeline&seq=3",
    ] {
        let shown = stand.get(&format!("{page}?view={view}")).await;
        assert_eq!(shown.status, 200, "{view}");
    }
    let list = stand
        .get("/console/runs?kind=scrape&status=completed")
        .await
        .text()
        .await;
    assert!(list.contains(run), "{list}");
    assert!(
        !stand
            .get("/console/runs?kind=research")
            .await
            .text()
            .await
            .contains(run)
    );
    let rows = stand.get(&format!("{page}/rows?after=3")).await.frames().await;
    assert!(rows[0].starts_with("id: 4\nevent: row\n"), "{}", rows[0]);
}

/// The vectors, several in one text.
fn joined() -> impl Iterator<Item = String> {
    VECTORS.chunks(6).map(<[&str]>::concat)
}

/// A shop whose names and texts are all attacks.
async fn hostile_shop() -> TestSite {
    TestSite::start(|_: &SiteRequest| {
        let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        let cards: String = VECTORS
            .iter()
            .map(|it| format!("<li class=product><h2><a href=\"/p?{0}\">{0}</a></h2><span class=price>12.50 EUR</span></li>", escaped(it)))
            .collect();
        SiteReply::html(format!(
            "<!doctype html><title>{}</title><meta name=description content=\"{}\"><ul>{cards}</ul>",
            escaped(VECTORS[0]),
            escaped(VECTORS[1])
        ))
    })
    .await
}

/// A tab over a browser that may reach this machine.
pub(crate) async fn tab() -> Box<dyn Tab> {
    let client = net::Client::new(net::ClientConfig {
        allow: vec!["127.0.0.0/8".parse().unwrap()],
        ..net::ClientConfig::default()
    });
    let chromium = Arc::new(Chromium::new(client.unwrap(), testkit::chromium::settings()));
    chromium.open(Profile::default()).await.unwrap()
}

pub(crate) async fn js(tab: &mut dyn Tab, script: &str) -> Value {
    tab.evaluate(script, &[], 100_000).await.unwrap()
}

/// Waits until an expression holds in the page, also across pages.
pub(crate) async fn until(tab: &mut dyn Tab, condition: &str) {
    let script = format!(
        "for (let i = 0; i < 20; i++) {{ if ({condition}) return true; await new Promise(r => setTimeout(r, 25)); }} return false;"
    );
    for _ in 0..60 {
        // A page that is left while it is asked gives no answer.
        if tab.evaluate(&script, &[], 1000).await.is_ok_and(|it| it == true) {
            return;
        }
    }
    let seen = js(tab, "return location.href + document.body.innerText;").await;
    panic!("{condition} does not hold: {seen}");
}

/// Visits a page, and sees that nothing of others ran in it, nothing was refused by its policy, and nothing is too wide.
pub(crate) async fn visit(tab: &mut dyn Tab, stand: &Stand, path: &str) {
    let url = format!("http://{}{path}", stand.at).parse().unwrap();
    tab.goto(&url).await.unwrap();
    let seen = js(
        tab,
        "const reports = await new Promise(done => { const observer = new ReportingObserver(() => {}, \
         {types: ['csp-violation'], buffered: true}); observer.observe(); setTimeout(() => done(observer.takeRecords().length), 0); });\
         return {canary: window.canary ?? null, reports, foreign: document.querySelectorAll('main script, iframe, base, main img:not([src^=\"/console/\"]), main style, main object, main embed, main math, main link, main meta').length,\
         handlers: [...document.querySelectorAll('*')].filter(it => [...it.attributes].some(a => a.name.startsWith('on') || a.name === 'srcdoc')).length,\
         schemes: [...document.querySelectorAll('[href], [src], [action], [formaction]')].flatMap(it => ['href', 'src', 'action', 'formaction'].filter(a => it.hasAttribute(a)).map(a => it.getAttribute(a))).filter(it => !/^(https?:\\/\\/|\\/|\\?|#|$)/.test(it)),\
         wide: document.documentElement.scrollWidth > window.innerWidth, styled: getComputedStyle(document.body).margin};",
    )
    .await;
    let clean = json!({"canary": null, "reports": 0, "foreign": 0, "handlers": 0, "schemes": [], "wide": false, "styled": "0px"});
    assert_eq!(seen, clean, "{path}");
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn hostile_texts_stay_texts_on_every_page() {
    let stand = Stand::on_site(hostile_shop().await).await;
    for vector in joined() {
        let body =
            json!({"assets": [stand.site.url("/shop")], "instructions": format!("all products {vector}")});
        let mut answer = Ask::json("/api/scrape/stream", &body).send(stand.at).await;
        answer.frames().await;
    }
    let mut tab = tab().await;
    let runs = stand.get("/v1/runs").await.json().await;
    let run = runs["runs"][0]["id"].as_str().unwrap().to_owned();
    let rest: Vec<String> = runs["runs"]
        .as_array()
        .unwrap()
        .iter()
        .skip(1)
        .map(|it| it["id"].as_str().unwrap().to_owned())
        .collect();
    let mut paths = vec![
        "/console/runs".to_owned(),
        format!("/console/new?from={run}"),
        "/console/plans".into(),
        "/console/tools".into(),
    ];
    paths.extend(
        ["timeline", "result", "request", "raw"].map(|view| format!("/console/runs/{run}?view={view}")),
    );
    paths.extend(rest.iter().map(|id| format!("/console/runs/{id}")));
    for vector in joined() {
        let q: String = url::form_urlencoded::byte_serialize(vector.as_bytes()).collect();
        paths.push(format!("/console/runs?q={q}"));
    }
    for path in paths {
        visit(&mut *tab, &stand, &path).await;
    }
    tab.close().await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_person_logs_in_starts_a_run_and_watches_it_end() {
    let stand = guarded().await;
    let mut tab = tab().await;
    visit(&mut *tab, &stand, "/console/new?kind=scrape").await;
    until(&mut *tab, "location.pathname === '/console/login'").await;
    let log_in = format!(
        "document.querySelector('#key').value = '{KEY}'; document.querySelector('form.stack').requestSubmit(); return 1;"
    );
    js(&mut *tab, &log_in).await;
    until(&mut *tab, "location.pathname === '/console/new' && document.querySelector('#code-curl-text')?.textContent.includes('curl')").await;
    // A page that never comes keeps the run alive until it is cancelled.
    let fill = format!(
        "const field = document.getElementById('f:assets'); field.value = '{}\\n{}';\
         field.dispatchEvent(new Event('input', {{bubbles: true}})); return 1;",
        stand.site.url("/"),
        stand.site.url("/silent")
    );
    js(&mut *tab, &fill).await;
    until(
        &mut *tab,
        "document.querySelector('#code-python-text').textContent.includes('/silent')",
    )
    .await;
    js(
        &mut *tab,
        "document.querySelector('#new-run').requestSubmit(); return 1;",
    )
    .await;
    until(
        &mut *tab,
        "!document.querySelector('#live')?.hidden && document.querySelectorAll('#timeline .row').length > 3",
    )
    .await;
    until(
        &mut *tab,
        "document.querySelector('#timeline').textContent.includes('Kettles')",
    )
    .await;
    let cancel = "document.querySelector('form[action$=\"/cancel\"]').requestSubmit(); return 1;";
    js(&mut *tab, cancel).await;
    until(&mut *tab, "document.querySelector('#status .b-cancelled')").await;
    for path in [
        "/console/runs",
        "/console/plans",
        "/console/tools/extraction.products_generic",
    ] {
        visit(&mut *tab, &stand, path).await;
    }
    visit(&mut *tab, &stand, "/console/plans").await;
    until(&mut *tab, "document.querySelector('#verdict h2.good')").await;
    let spoil = "const plan = document.querySelector('#plan'); plan.value = '{\"plan\": [{\"tool\": \"no.such\"}]}';\
                 plan.dispatchEvent(new Event('input', {bubbles: true})); return 1;";
    js(&mut *tab, spoil).await;
    until(&mut *tab, "document.querySelector('#verdict h2.bad') && document.querySelector('#verdict li').textContent.includes('no.such')").await;
    tab.close().await;
}
