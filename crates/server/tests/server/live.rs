//! The browser of a run in the console: pictures of its steps, the live view, and what neither may show; in a real browser.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use browser::engines::chromium::Chromium;
use browser::{Browser, Profile, Tab};
use serde_json::{Value, json};
use testkit::{ScriptedProvider, ScriptedTurn, SiteReply, SiteRequest, TestSite};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use wire::tenancy::Scope;

use crate::automate::{done, plan, verdict};
use crate::client::{Answer, Ask};
use crate::stand::Stand;
use crate::tenants::{ask, key};

/// A page whose only link is in a known place, and that changes ten times a second.
const SHOP: &str = "<!doctype html><title>Shop</title><style>body{margin:0}</style><h1>Kettles</h1>\
<a href=/k1 style=\"position:absolute;left:200px;top:300px;width:150px;height:40px\">Kettle K1</a><p id=n>0</p><label>Mail <input name=mail></label>\
<script>let n = 0; setInterval(() => { document.getElementById('n').textContent = ++n; \
document.body.style.background = `rgb(0, ${n * 40 % 200}, 255)`; }, 100)</script>";
const KETTLE: &str = "<!doctype html><title>Kettle K1</title><h1>Kettle K1</h1><p>Price: 12.50 EUR</p>";
/// A page that turns red as soon as its field has anything in it, so that every picture of that can be told.
const ORDER: &str = "<!doctype html><title>Order</title><label>Card <input id=card name=card \
oninput=\"document.documentElement.style.background = value ? '#f00' : ''\"></label>\
<button type=button onclick=\"document.getElementById('echo').textContent = \
'You pay with ' + document.getElementById('card').value.match(/.{4}/g).join(' ')\">Check</button><p id=echo></p>";
const CANARY: &str = "4815162342108000";

fn shop(asked: &SiteRequest) -> SiteReply {
    match asked.path.as_str() {
        "/" => SiteReply::html(SHOP),
        "/order" => SiteReply::html(ORDER),
        _ => SiteReply::html(KETTLE),
    }
}

pub(crate) fn chromium(client: net::Client) -> Arc<dyn Browser> {
    Arc::new(Chromium::new(client, testkit::chromium::settings()))
}

/// A server whose runs work in Chromium on the shop, and keep pictures.
async fn stand(provider: &ScriptedProvider) -> Stand {
    let stand = Stand::open_to(TestSite::start(shop).await, provider, chromium, None).await;
    stand.workers.keep_step_pictures(true);
    stand
}

/// A tab of a person's own browser.
pub(crate) async fn tab() -> Box<dyn Tab> {
    let client = net::Client::new(net::ClientConfig {
        allow: vec!["127.0.0.0/8".parse().unwrap()],
        ..net::ClientConfig::default()
    });
    chromium(client.unwrap()).open(Profile::default()).await.unwrap()
}

pub(crate) async fn js(tab: &mut dyn Tab, script: &str, args: &[Value]) -> Value {
    tab.evaluate(script, args, 100_000).await.unwrap()
}

/// Waits until an expression holds in the page, also across pages.
pub(crate) async fn until(tab: &mut dyn Tab, condition: &str) {
    let script = format!(
        "for (let i = 0; i < 40; i++) {{ if ({condition}) return true; await new Promise(r => setTimeout(r, 25)); }} return false;"
    );
    for _ in 0..60 {
        // A page that is left while it is asked gives no answer.
        if tab.evaluate(&script, &[], 1000).await.is_ok_and(|it| it == true) {
            return;
        }
    }
    let seen = js(tab, "return location.href + document.body.innerText;", &[]).await;
    panic!("{condition} does not hold: {seen}");
}

/// Opens a page of the console, and collects what it breaks from then on.
pub(crate) async fn visit(tab: &mut dyn Tab, stand: &Stand, path: &str) {
    let url = format!("http://{}{path}", stand.at).parse().unwrap();
    tab.goto(&url).await.unwrap();
    js(
        tab,
        "window.faults = []; window.addEventListener('error', it => faults.push(it.message ?? it.target?.outerHTML), true);\
         new ReportingObserver(all => faults.push(...all.map(it => it.type + JSON.stringify(it.body))), \
         {types: ['csp-violation'], buffered: true}).observe(); return 1;",
        &[],
    )
    .await;
}

pub(crate) async fn no_faults(tab: &mut dyn Tab) {
    let faults = js(
        tab,
        "await new Promise(r => setTimeout(r, 100)); return window.faults;",
        &[],
    )
    .await;
    assert_eq!(faults, json!([]));
}

pub(crate) async fn begin(stand: &Stand, body: Value) -> (Answer, String) {
    let answer = Ask::json("/v1/automate", &body).send(stand.at).await;
    let runs = stand.get("/v1/runs").await.json().await;
    let run = runs["runs"][0]["id"].as_str().unwrap().to_owned();
    (answer, run)
}

/// Reads an answer to its end, as bytes.
async fn bytes(stand: &Stand, path: &str) -> Vec<u8> {
    let mut socket = TcpStream::connect(stand.at).await.unwrap();
    let head = format!("GET {path} HTTP/1.0\r\nhost: {}\r\n\r\n", stand.at);
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut read = Vec::new();
    socket.read_to_end(&mut read).await.unwrap();
    read
}

/// Watches a run to the end of its live view.
pub(crate) fn watching(stand: &Stand, run: &str) -> JoinHandle<Vec<u8>> {
    let (at, path) = (stand.at, format!("/console/runs/{run}/live"));
    tokio::spawn(async move {
        let mut socket = TcpStream::connect(at).await.unwrap();
        let head = format!("GET {path} HTTP/1.0\r\nhost: {at}\r\n\r\n");
        socket.write_all(head.as_bytes()).await.unwrap();
        let mut read = Vec::new();
        socket.read_to_end(&mut read).await.unwrap();
        read
    })
}

/// The JPEG pictures of a live view.
pub(crate) fn frames(answer: &[u8]) -> Vec<Vec<u8>> {
    let boundary = b"--huntsman-frame\r\n";
    let starts: Vec<usize> = (0..answer.len())
        .filter(|at| answer[*at..].starts_with(boundary))
        .collect();
    let part = |pair: &[usize]| {
        let part = &answer[pair[0] + boundary.len()..pair[1]];
        let head = part.windows(4).position(|it| it == b"\r\n\r\n").unwrap();
        let is_jpeg = part.starts_with(b"Content-Type: image/jpeg");
        is_jpeg.then(|| part[head + 4..part.len() - 2].to_vec())
    };
    starts.windows(2).filter_map(part).collect()
}

/// Width, height and the share of red pixels of a picture, as Chromium draws it.
pub(crate) async fn look_at(tab: &mut dyn Tab, jpeg: &[u8]) -> (u64, u64, f64) {
    let script = "const image = new Image(); image.src = 'data:image/jpeg;base64,' + arguments[0]; await image.decode();\
                  const canvas = document.createElement('canvas'); canvas.width = 64; canvas.height = 40;\
                  const pen = canvas.getContext('2d'); pen.drawImage(image, 0, 0, 64, 40);\
                  const data = pen.getImageData(0, 0, 64, 40).data; let red = 0;\
                  for (let i = 0; i < data.length; i += 4) if (data[i] > 200 && data[i + 1] < 80 && data[i + 2] < 80) red++;\
                  return [image.naturalWidth, image.naturalHeight, red / 2560];";
    let seen = js(tab, script, &[json!(STANDARD.encode(jpeg))]).await;
    (
        seen[0].as_u64().unwrap(),
        seen[1].as_u64().unwrap(),
        seen[2].as_f64().unwrap(),
    )
}

/// The actions of a run with what their pictures tell, where they have one.
fn pictured(text: &str) -> Vec<(String, Value)> {
    let all = crate::automate::events(text);
    let steps = all.into_iter().filter(|(name, data)| {
        name == "browser:action_started" || (name == "agent:action" && data["action"] == "done")
    });
    steps
        .map(|(_, data)| {
            (
                data["action"].as_str().unwrap().to_owned(),
                data["picture"].clone(),
            )
        })
        .collect()
}

/// The ref of the element that the prompts show last under a name.
pub(crate) fn reference(body: &Value, name: &str) -> String {
    let text = body.to_string();
    let lines = text
        .rmatch_indices(name)
        .map(|(at, _)| text[at..].split("\\n").next().unwrap());
    let found = lines.filter_map(|line| line.split("[ref=").nth(1)).next();
    let found = found.unwrap_or_else(|| panic!("no ref of {name} in {text}"));
    found.split(']').next().unwrap().to_owned()
}

/// A model that does these things one after the other; refs are those of the elements of these names.
pub(crate) async fn model(steps: Vec<(&'static str, Value)>) -> ScriptedProvider {
    ScriptedProvider::start(move |exchange, number| {
        let turn = match number.checked_sub(1).and_then(|at| steps.get(at)) {
            None if number == 0 => plan(),
            None => verdict("complete"),
            Some((name, arguments)) => {
                let mut arguments = arguments.clone();
                if let Some(element) = arguments["ref"].as_str() {
                    arguments["ref"] = json!(reference(&exchange.body, element));
                }
                if let Some(element) = arguments["refs"][0].as_str() {
                    arguments["refs"] = json!([reference(&exchange.body, element)]);
                }
                match *name {
                    "done" => done("12.50 EUR"),
                    name => ScriptedTurn::call(name, arguments),
                }
            }
        };
        turn.into()
    })
    .await
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn each_action_has_a_picture_with_its_element_that_the_console_scrubs() {
    let provider = model(vec![("click", json!({"ref": "Kettle K1"})), ("done", json!({}))]).await;
    let stand = stand(&provider).await;
    let body = json!({"task": "what does it cost", "url": stand.site.url("/")});
    let (mut answer, run) = begin(&stand, body).await;
    let text = answer.text().await;
    let steps = pictured(&text);
    assert_eq!(steps.len(), 2, "{text}");
    let (click, end) = (&steps[0].1, &steps[1].1);
    assert_eq!(
        click["target"],
        json!({"x": 200, "y": 300, "width": 150, "height": 40})
    );
    assert_eq!((&steps[1].0, end.get("target")), (&"done".to_owned(), None));
    let mut own = tab().await;
    let about = "about:blank".parse().unwrap();
    let _ = own.goto(&about).await;
    visit(&mut *own, &stand, "/console/runs").await;
    let listed = stand.get(&format!("/v1/runs/{run}/files")).await.json().await;
    let of = |picture: &Value| json!({"name": picture["name"], "media_type": "image/jpeg", "bytes": picture["bytes"]});
    assert_eq!(listed["files"], json!([of(click), of(end)]));
    let name = click["name"].as_str().unwrap();
    let path = format!("/v1/runs/{run}/files/{name}");
    let head = stand.get(&path).await;
    assert_eq!(
        (
            head.status,
            head.header("content-type"),
            head.header("x-content-type-options")
        ),
        (200, Some("image/jpeg"), Some("nosniff"))
    );
    for wrong in [
        path.replace(".jpg", ".png"),
        path.replace("-", "_"),
        format!("/v1/runs/run_{}/files/{name}", "0".repeat(32)),
    ] {
        assert_eq!(stand.get(&wrong).await.status, 404, "{wrong}");
    }
    let page = format!("/console/runs/{run}?view=browser");
    // Without scripts: the address says which step is shown.
    let second = stand.get(&format!("{page}&step=2")).await.text().await;
    let shown = format!("href=\"/v1/runs/{run}/files/{}\"", end["name"].as_str().unwrap());
    assert!(
        second.contains(&shown) && second.contains("rel=\"prev\" href=\"?view=browser&amp;step=1\""),
        "{second}"
    );
    for odd in ["step=0", "step=99999999", "seq=1", "seq=999"] {
        assert_eq!(stand.get(&format!("{page}&{odd}")).await.status, 200, "{odd}");
    }
    assert_eq!(stand.get(&format!("{page}&step=x")).await.status, 400);
    // With scripts: keys and the slider change the picture in place.
    visit(&mut *own, &stand, &page).await;
    let drawn = "(async () => { const image = document.querySelector('#picture image'); const it = new Image();\
                 it.src = image.getAttribute('href'); await it.decode(); return [it.naturalWidth, it.naturalHeight]; })()";
    let size = js(&mut *own, &format!("return await {drawn};"), &[]).await;
    assert_eq!(size, json!([click["width"], click["height"]]));
    let state = "const box = document.querySelector('#picture .box'); return [document.querySelector('#step-number').textContent,\
                 document.querySelector('#picture image').getAttribute('href'), box.getAttribute('x'), box.getAttribute('width'),\
                 document.querySelector('#scrub').value, new URL(location).searchParams.get('step')];";
    let before = js(&mut *own, state, &[]).await;
    assert_eq!(before, json!(["1", path, "200", "150", "1", null]));
    let key = |key: &str| {
        format!(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}', bubbles: true}})); {state}"
        )
    };
    let after = js(&mut *own, &key("ArrowRight"), &[]).await;
    let last = path.replace(name, end["name"].as_str().unwrap());
    assert_eq!(after, json!(["2", last, "0", "0", "2", "2"]));
    assert_eq!(js(&mut *own, &key("ArrowRight"), &[]).await, after);
    let slide = format!(
        "const it = document.querySelector('#scrub'); it.value = '1'; it.dispatchEvent(new Event('input', {{bubbles: true}})); {state}"
    );
    assert_eq!(
        js(&mut *own, &slide, &[]).await,
        json!(["1", path, "200", "150", "1", "1"])
    );
    no_faults(&mut *own).await;
    // The timeline leads to the picture of a row.
    visit(&mut *own, &stand, &format!("/console/runs/{run}")).await;
    let link = js(
        &mut *own,
        "return document.querySelector('a.shot:not([hidden])').getAttribute('href');",
        &[],
    )
    .await;
    assert!(link.as_str().unwrap().contains("view=browser&seq="), "{link}");
    no_faults(&mut *own).await;
    own.close().await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn without_the_setting_no_picture_is_kept() {
    let provider = model(vec![("click", json!({"ref": "Kettle K1"})), ("done", json!({}))]).await;
    let stand = stand(&provider).await;
    stand.workers.keep_step_pictures(false);
    let (mut answer, run) = begin(&stand, json!({"task": "look", "url": stand.site.url("/")})).await;
    let steps = pictured(&answer.text().await);
    assert!(
        steps.len() == 2 && steps.iter().all(|(_, picture)| picture.is_null()),
        "{steps:?}"
    );
    let page = stand
        .get(&format!("/console/runs/{run}?view=browser"))
        .await
        .text()
        .await;
    assert!(page.contains("HUNTSMAN_STEP_PICTURES"), "{page}");
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn the_console_shows_a_run_live_to_several_who_watch_and_to_its_end() {
    // The run stands at a question, so that it goes on only when enough was seen.
    let question = json!({"description": "your mail", "refs": ["Mail"]});
    let steps = vec![("request_user_data", question), ("done", json!({}))];
    let provider = model(steps).await;
    let stand = stand(&provider).await;
    let body = json!({"task": "look", "url": stand.site.url("/"), "interactive": true});
    let (mut answer, run) = begin(&stand, body).await;
    let asked = answer
        .until(|it| it.contains("interactive:form_data:request"))
        .await;
    let other = watching(&stand, &run);
    let mut own = tab().await;
    visit(&mut *own, &stand, &format!("/console/runs/{run}?view=browser")).await;
    // Three pictures that differ are drawn by the console's own page.
    let draw = "const image = document.querySelector('#live-view img'); const canvas = document.createElement('canvas');\
                canvas.width = 32; canvas.height = 20; const pen = canvas.getContext('2d'); window.seen = new Set();\
                setInterval(() => { if (image.naturalWidth === 1280) { pen.drawImage(image, 0, 0, 32, 20);\
                seen.add(canvas.toDataURL()); } }, 50); return 1;";
    js(&mut *own, draw, &[]).await;
    until(&mut *own, "window.seen.size >= 3").await;
    no_faults(&mut *own).await;
    let frame = asked
        .split("event: interactive:form_data:request\ndata: ")
        .nth(1)
        .unwrap();
    let request: Value = serde_json::from_str(frame.lines().next().unwrap()).unwrap();
    let path = format!("/v1/automate/{}/input", request["requestId"].as_str().unwrap());
    let declined = Ask::json(&path, &json!({"cancelled": true})).send(stand.at).await;
    assert_eq!(declined.status, 202);
    answer.text().await;
    // The page sees the end by itself, and offers the replay.
    until(
        &mut *own,
        "!document.querySelector('#live-view') && document.querySelector('#replay')",
    )
    .await;
    let frames = frames(&other.await.unwrap());
    assert!(frames.len() >= 3, "{}", frames.len());
    let ended = stand.get(&format!("/console/runs/{run}/live")).await;
    assert_eq!(ended.status, 404);
    own.close().await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn another_tenant_neither_watches_a_run_nor_sees_its_pictures() {
    let question = json!({"description": "your mail", "refs": ["Mail"]});
    let click = ("click", json!({"ref": "Kettle K1"}));
    let steps = vec![("request_user_data", question), click, ("done", json!({}))];
    let provider = model(steps).await;
    let stand = stand(&provider).await;
    let own = key(&stand, "own", &[], &Scope::USUAL).await;
    let foreign = key(&stand, "foreign", &[], &Scope::USUAL).await;
    let body = json!({"task": "look", "url": stand.site.url("/"), "interactive": true});
    let mut answer = ask(&stand, &own, "POST", "/v1/automate", Some(&body)).await;
    let asked = answer
        .until(|it| it.contains("interactive:form_data:request"))
        .await;
    let runs = ask(&stand, &own, "GET", "/v1/runs", None).await.json().await;
    let run = runs["runs"][0]["id"].as_str().unwrap().to_owned();
    let live = format!("/console/runs/{run}/live");
    assert_eq!(ask(&stand, &own, "GET", &live, None).await.status, 200);
    // A run that is not there is answered alike.
    let none = format!("/console/runs/run_{}/live", "0".repeat(32));
    let mut refused = ask(&stand, &foreign, "GET", &live, None).await;
    let mut unknown = ask(&stand, &foreign, "GET", &none, None).await;
    assert_eq!((refused.status, unknown.status), (404, 404));
    let refused = refused.text().await;
    assert_eq!(
        refused.replace(&run, "ID"),
        unknown.text().await.replace(&none[14..50], "ID")
    );
    let request = asked.split("\"requestId\":\"").nth(1).unwrap();
    let path = format!("/v1/automate/{}/input", request.split('"').next().unwrap());
    let declined = ask(&stand, &own, "POST", &path, Some(&json!({"cancelled": true}))).await;
    assert_eq!(declined.status, 202);
    let rest = asked + &answer.text().await;
    let pictures: Vec<String> = pictured(&rest)
        .into_iter()
        .filter_map(|(_, picture)| Some(picture["name"].as_str()?.to_owned()))
        .collect();
    assert!(!pictures.is_empty(), "{rest}");
    for name in pictures {
        let file = format!("/v1/runs/{run}/files/{name}");
        assert_eq!(ask(&stand, &own, "GET", &file, None).await.status, 200);
        assert_eq!(ask(&stand, &foreign, "GET", &file, None).await.status, 404);
    }
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn no_picture_shows_a_value_of_the_request() {
    let provider = model(vec![
        ("fill_user_data", json!({"ref": "Card", "key": "card"})),
        ("click", json!({"ref": "Check"})),
        ("click", json!({"ref": "Check"})),
        ("wait", json!({"seconds": 1})),
        ("goto", json!({"url": "/k1"})),
        ("done", json!({})),
    ]);
    let provider = provider.await;
    let stand = stand(&provider).await;
    let body = json!({"task": "order", "url": stand.site.url("/order"), "data": {"card": CANARY}});
    let (mut answer, run) = begin(&stand, body).await;
    let other = watching(&stand, &run);
    let text = answer.text().await;
    nothing_red(&stand, &run, &text, other, 1).await;
    assert!(!text.contains(CANARY));
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn no_picture_shows_a_value_of_a_person() {
    let provider = model(vec![
        ("wait", json!({"seconds": 1})),
        (
            "request_user_data",
            json!({"description": "your card", "refs": ["Card"]}),
        ),
        ("click", json!({"ref": "Check"})),
        ("wait", json!({"seconds": 1})),
        ("done", json!({})),
    ])
    .await;
    let stand = stand(&provider).await;
    let body = json!({"task": "order", "url": stand.site.url("/order"), "interactive": true});
    let (mut answer, run) = begin(&stand, body).await;
    let begun = answer.until(|it| it.contains("event: agent:waiting")).await;
    let other = watching(&stand, &run);
    let asked = answer
        .until(|it| it.contains("interactive:form_data:request"))
        .await;
    let frame = asked
        .split("event: interactive:form_data:request\ndata: ")
        .nth(1)
        .unwrap();
    let request: Value = serde_json::from_str(frame.lines().next().unwrap()).unwrap();
    let path = format!("/v1/automate/{}/input", request["requestId"].as_str().unwrap());
    let field = &request["fields"][0]["ref"];
    let given = json!({"fields": [{"ref": field, "value": CANARY}]});
    assert_eq!(Ask::json(&path, &given).send(stand.at).await.status, 202);
    let text = begun + &asked + &answer.text().await;
    nothing_red(&stand, &run, &text, other, 1).await;
}

/// Sees that the run ended well, that its page was red at the end, and that no picture of it is, kept or watched.
async fn nothing_red(stand: &Stand, run: &str, text: &str, watched: JoinHandle<Vec<u8>>, least: usize) {
    assert!(text.contains("\"success\":true"), "{text}");
    let mut own = tab().await;
    visit(&mut *own, stand, "/console/runs").await;
    own.goto(&stand.site.url("/k1").parse().unwrap()).await.unwrap();
    // The canary can be seen: a page with it is red.
    own.goto(&stand.site.url("/order").parse().unwrap())
        .await
        .unwrap();
    js(
        &mut *own,
        "document.documentElement.style.background = '#f00'; return 1;",
        &[],
    )
    .await;
    let red = own.picture(None).await.unwrap();
    assert!(look_at(&mut *own, &red.jpeg).await.2 > 0.5);
    let steps = pictured(text);
    let kept: Vec<&str> = steps.iter().filter_map(|(_, it)| it["name"].as_str()).collect();
    assert!(kept.len() >= least && kept.len() < steps.len(), "{steps:?}");
    let mut pictures = frames(&watched.await.unwrap());
    for name in kept {
        let answer = bytes(stand, &format!("/v1/runs/{run}/files/{name}")).await;
        let body = answer.windows(4).position(|it| it == b"\r\n\r\n").unwrap() + 4;
        pictures.push(answer[body..].to_vec());
    }
    for jpeg in pictures {
        let (width, height, red) = look_at(&mut *own, &jpeg).await;
        assert_eq!((width, height), (1280, 800));
        assert!(red < 0.01, "a picture shows the value");
    }
    own.close().await;
}
