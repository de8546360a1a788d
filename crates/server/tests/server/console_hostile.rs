//! Hostile texts: attacks of eleven classes in every text of a run, a tenant, a monitor and a profile, looked at in Chromium.
//!
//! Each attack would set `canary` where it ran. What is more, no page may have an element, a handler or an address that only an
//! attack could have brought.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use server::ServerSettings;
use testkit::{SiteReply, SiteRequest, TestSite};
use wire::run::JobRequest;
use wire::tabstack::{AutomateRequest, ResearchRequest};
use wire::tenancy::{Scope, TenantLimits};

use crate::client::Ask;
use crate::console::{js, tab, visit};
use crate::stand::Stand;
use crate::written_runs::{WrittenRuns, call};

/// What an attack does.
const RUN: &str = "window.canary=1";

/// Elements that run something by themselves.
fn elements() -> Vec<String> {
    let forms = [
        "<script>RUN</script>",
        "<script src=data:text/javascript,RUN></script>",
        "<script type=module>RUN</script>",
        "<img src=x onerror=RUN>",
        "<image src=x onerror=RUN>",
        "<video src=x onerror=RUN></video>",
        "<audio src=x onerror=RUN>",
        "<video><source onerror=RUN></video>",
        "<body onload=RUN>",
        "<iframe srcdoc='<script>parent.RUN</script>'></iframe>",
        "<iframe onload=RUN></iframe>",
        "<object data=x onerror=RUN></object>",
        "<embed src=x onerror=RUN>",
        "<details open ontoggle=RUN><summary>x</summary></details>",
        "<marquee onstart=RUN>x</marquee>",
        "<input autofocus onfocus=RUN>",
        "<select autofocus onfocus=RUN></select>",
        "<textarea autofocus onfocus=RUN></textarea>",
        "<button autofocus onfocus=RUN>x</button>",
        "<style>@keyframes x{}</style><b style='animation-name:x' onanimationstart=RUN></b>",
        "<link rel=stylesheet href=x onerror=RUN>",
        "<meta http-equiv=refresh content='0;url=javascript:RUN'>",
        "<base href=//evil.invalid/>",
        "<template><script>RUN</script></template>",
        "<noscript><p title='</noscript><img src=x onerror=RUN>'></noscript>",
        "<dialog open onbeforetoggle=RUN popover>x</dialog>",
    ];
    forms.map(str::to_owned).to_vec()
}

/// Ends of attributes and elements that a value may stand in, with a handler.
fn attributes() -> Vec<String> {
    let ends = [
        "\"",
        "'",
        "`",
        "\" ",
        "'>",
        "\">",
        "</textarea>",
        "</title>",
        "</pre>",
        "</option></select>",
    ];
    let handlers = [
        "autofocus onfocus=RUN x=",
        "onpointerenter=RUN style=position:fixed;inset:0 y=",
        "><img src=x onerror=RUN>",
        "><svg onload=RUN>",
    ];
    let pairs = ends
        .iter()
        .flat_map(|end| handlers.iter().map(move |handler| format!("{end}{handler}{end}")));
    pairs.collect()
}

/// Addresses that are scripts, by spelling and by the attribute that holds them.
fn schemes() -> Vec<String> {
    let addresses = [
        "javascript:RUN",
        "JaVaScRiPt:RUN",
        " javascript:RUN",
        "java\tscript:RUN",
        "java\nscript:RUN",
        "\u{1}javascript:RUN",
        "javascript&colon;RUN",
        "&#106;avascript:RUN",
        "javascript://%0aRUN",
        "data:text/html,<script>RUN</script>",
        "vbscript:RUN",
    ];
    let places = [
        "<a href=\"AT\">x</a>",
        "<form action=\"AT\"><button>x</button></form>",
        "[x](AT)",
    ];
    let named = addresses
        .iter()
        .flat_map(|at| places.iter().map(move |place| place.replace("AT", at)));
    named.chain(addresses.iter().map(|at| (*at).to_owned())).collect()
}

/// SVG and MathML, and markup that a parser changes when it reads it a second time.
fn foreign_markup() -> Vec<String> {
    let forms = [
        "<svg onload=RUN>",
        "<svg><script>RUN</script></svg>",
        "<svg><a xlink:href=javascript:RUN><text y=9>x</text></a></svg>",
        "<svg><animate onbegin=RUN attributeName=x dur=1s>",
        "<svg><set onbegin=RUN attributeName=x>",
        "<svg><image href=x onerror=RUN>",
        "<svg><use href=\"data:image/svg+xml,<svg id=x xmlns=http://www.w3.org/2000/svg><script>RUN</script></svg>#x\"></svg>",
        "<svg><foreignObject><iframe srcdoc='<script>parent.RUN</script>'></iframe></foreignObject></svg>",
        "<math><mtext><table><mglyph><style><img src=x onerror=RUN>",
        "<math href=javascript:RUN>x</math>",
        "<math><annotation-xml encoding=text/html><img src=x onerror=RUN></annotation-xml></math>",
        "<svg></p><style><a id=\"</style><img src=1 onerror=RUN>\">",
        "<form><math><mtext></form><form><mglyph><style></math><img src onerror=RUN>",
        "<noscript><style></noscript><img src=x onerror=RUN>",
        "<![CDATA[><img src=x onerror=RUN>]]>",
        "<!--><img src=x onerror=RUN>-->",
        "<?xml-stylesheet href=javascript:RUN?>",
        "<xmp><img title=\"</xmp><img src=x onerror=RUN>\"></xmp>",
    ];
    forms.map(str::to_owned).to_vec()
}

/// Names and ids of the page's own elements and of the objects that its script uses.
fn clobbering() -> Vec<String> {
    let names = [
        "timeline",
        "run",
        "live",
        "seq",
        "status",
        "notice",
        "tools",
        "verdict",
        "codes",
        "crawl",
        "monitor",
        "document",
        "children",
        "querySelector",
        "location",
        "attributes",
        "__proto__",
        "constructor",
    ];
    let form = |name: &&str| format!("<form id={name}><input name={name}><img name={name} id={name}></form>");
    let anchor = |name: &&str| format!("<a id={name} href=javascript:RUN></a><a id={name} name=content>");
    names.iter().map(form).chain(names.iter().map(anchor)).collect()
}

/// Cells that a spreadsheet would take for formulas.
fn formulas() -> Vec<String> {
    let starts = ["=", "+", "-", "@", "\t=", "\r=", " =", "\u{ff1d}"];
    let bodies = ["HYPERLINK(\"javascript:RUN\",\"x\")", "cmd|' /C RUN'!A0"];
    starts
        .iter()
        .flat_map(|start| bodies.iter().map(move |body| format!("{start}{body}")))
        .collect()
}

/// Letters that are not seen, or turn the order of others.
fn invisible() -> Vec<String> {
    let letters = [
        "\u{202e}",
        "\u{2066}",
        "\u{2028}",
        "\u{2029}",
        "\u{200b}",
        "\u{feff}",
        "\u{85}",
        "\u{b}",
        "\u{c}",
        "\u{fffe}",
        "\u{e0001}",
        "\u{ad}",
    ];
    letters
        .iter()
        .map(|letter| format!("{letter}<{letter}img src=x onerror{letter}=RUN>{letter}"))
        .collect()
}

/// The syntax of templates, of ours and of others.
fn templates() -> Vec<String> {
    let forms = [
        "{{7*7}}<b id=canary>",
        "{% raw %}<script>RUN</script>{% endraw %}",
        "{{ '<script>RUN</script>'|safe }}",
        "{% autoescape false %}<script>RUN</script>",
        "{# #}<script>RUN</script>",
        "${RUN}",
        "<%= RUN %>",
        "#{RUN}",
        "{{constructor.constructor('RUN')()}}",
        "[[${RUN}]]",
        "{{= RUN }}",
        "@{RUN}",
    ];
    forms.map(str::to_owned).to_vec()
}

/// Names of files.
fn file_names() -> Vec<String> {
    let ends = ["png", "svg", "html", "csv"];
    let name = |end: &&str| {
        [
            format!("\"><img src=x onerror=RUN>.{end}"),
            format!("../../<script>RUN</script>.{end}"),
            format!("x.{end}\r\nContent-Type: text/html\r\n\r\n<script>RUN</script>"),
        ]
    };
    ends.iter().flat_map(name).collect()
}

/// Ends of scripts, comments and JSON that a value may stand in.
fn script_ends() -> Vec<String> {
    let forms = [
        "</script><script>RUN</script>",
        "</ScRiPt ><script>RUN</script>",
        "\\u003cscript\\u003eRUN\\u003c/script\\u003e",
        "\";RUN;//",
        "';RUN;//",
        "`;RUN;//",
        "*/RUN/*",
        "]]><script>RUN</script>",
        "--><script>RUN</script>",
        "--!><script>RUN</script>",
        "</style><script>RUN</script>",
        "\\\";RUN//",
    ];
    forms.map(str::to_owned).to_vec()
}

/// Spellings that become markup when something is decoded once too often.
fn encodings() -> Vec<String> {
    let forms = [
        "&lt;script&gt;RUN&lt;/script&gt;",
        "&#60;img src=x onerror=RUN&#62;",
        "&#x3c;img src=x onerror=RUN&#x3e;",
        "&amp;lt;img src=x onerror=RUN&amp;gt;",
        "%3Cscript%3ERUN%3C/script%3E",
        "%253Cimg src=x onerror=RUN%253E",
        "+ADw-script+AD4-RUN+ADw-/script+AD4-",
        "\u{ff1c}script\u{ff1e}RUN\u{ff1c}/script\u{ff1e}",
        "&lt;img src=x onerror=RUN//",
        "\\x3cimg src=x onerror=RUN\\x3e",
        "&NewLine;<img src=x onerror=RUN>",
        "<\u{0131}mg src=x onerror=RUN>",
    ];
    forms.map(str::to_owned).to_vec()
}

/// Every attack.
fn attacks() -> Vec<String> {
    let classes = [
        elements(),
        attributes(),
        schemes(),
        foreign_markup(),
        clobbering(),
        formulas(),
        invisible(),
        templates(),
        file_names(),
        script_ends(),
        encodings(),
    ];
    classes
        .concat()
        .into_iter()
        .map(|attack| attack.replace("RUN", RUN))
        .collect()
}

#[test]
fn there_are_more_than_200_attacks_and_none_twice() {
    let attacks = attacks();
    let distinct: BTreeSet<&String> = attacks.iter().collect();
    assert!(
        distinct.len() == attacks.len() && attacks.len() >= 200,
        "{} of {}",
        distinct.len(),
        attacks.len()
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

/// A site whose pages have the attacks as title, text, names of products and addresses; of `/changing` the part that `turn` says.
async fn site(turn: Arc<AtomicUsize>) -> TestSite {
    TestSite::start(move |asked: &SiteRequest| {
        let attacks = attacks();
        let path = asked.path.split('?').next().unwrap_or_default();
        let (title, body) = if path == "/shop" {
            let card = |attack: &String| {
                let text = escaped(attack);
                format!("<li class=product><h2><a href=\"{text}\">{text}</a></h2><span class=price>12.50 EUR</span></li>")
            };
            ("Shop".to_owned(), format!("<ul>{}</ul>", attacks.iter().map(card).collect::<String>()))
        } else if path == "/changing" {
            let part = attacks.chunks(40).nth(turn.load(Ordering::SeqCst)).unwrap_or_default();
            let block = |attack: &String| format!("<p>{} is what this paragraph says, in a sentence that is long enough.</p>", escaped(attack));
            ("Changing".to_owned(), part.iter().map(block).collect::<String>())
        } else if let Some(attack) = path.strip_prefix("/page/").and_then(|number| attacks.get(number.parse::<usize>().ok()?)) {
            let text = escaped(attack);
            (text.clone(), format!("<p>{text} is on this page and nowhere else, in a sentence of some length.</p>"))
        } else {
            return SiteReply::html("gone").status(404);
        };
        SiteReply::html(format!("<!doctype html><title>{title}</title><meta name=description content=\"{title}\"><main><h1>{title}</h1>{body}</main>"))
    })
    .await
}

/// Sends what a person might do to a page: opens what is closed, and enters and focuses every element.
const PROVOKE: &str = "for (const it of document.querySelectorAll('main details')) it.open = true;\
    for (const it of document.querySelectorAll('main *')) { for (const kind of ['mouseover', 'pointerenter', 'focus', 'toggle', 'error', 'load', 'animationstart'])\
    it.dispatchEvent(new Event(kind)); if (it.matches('a[href^=javascript], a[href^=data]')) it.click(); }\
    await new Promise(done => setTimeout(done, 20)); return window.canary ?? null;";

/// Visits pages, and sees that nothing ran, also when a person does something.
async fn visit_all(stand: &Stand, paths: &[String]) {
    let mut tab = tab().await;
    for path in paths {
        visit(&mut *tab, stand, path).await;
        assert_eq!(js(&mut *tab, PROVOKE).await, Value::Null, "{path}");
    }
    tab.close().await;
}

fn query(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// The attacks, some in one text of at most so many characters.
fn joined(most: usize) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for attack in attacks() {
        match texts
            .last_mut()
            .filter(|text| text.chars().count() + attack.chars().count() <= most)
        {
            Some(text) => text.push_str(&attack),
            None => texts.push(attack),
        }
    }
    texts
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn attacks_of_sites_stay_texts_in_runs_tables_crawls_and_monitors() {
    let turn = Arc::new(AtomicUsize::new(0));
    let stand = Stand::on_site(site(Arc::clone(&turn)).await).await;
    stand.workers.watch(TenantLimits::default());
    let begun = |body: Value, path: &'static str| {
        let at = stand.at;
        async move {
            let mut answer = Ask::json(path, &body).send(at).await;
            let run = answer.header("x-run-id").expect("a run").to_owned();
            answer.frames().await;
            run
        }
    };
    let shop = begun(
        json!({"assets": [stand.site.url("/shop")], "instructions": "all products"}),
        "/api/scrape/stream",
    )
    .await;
    let pages: Vec<String> = attacks()
        .iter()
        .enumerate()
        .map(|(number, attack)| format!("{}?{}", stand.site.url(&format!("/page/{number}")), query(attack)))
        .chain(
            attacks()
                .iter()
                .map(|attack| format!("{}?{}", stand.site.url("/missing"), query(attack))),
        )
        .collect();
    let batch = begun(json!({"urls": pages, "retries": 0}), "/v1/batch").await;
    let monitor = json!({"url": stand.site.url("/changing"), "schedule": {"every": 86400}, "keep": 100, "name": joined(100)[0]});
    let made = Ask::json("/v1/monitors", &monitor)
        .send(stand.at)
        .await
        .json()
        .await;
    let monitor = made["id"].as_str().expect("a monitor").to_owned();
    let checked = |checks: u64| {
        let (at, path) = (stand.at, format!("/v1/monitors/{monitor}"));
        async move {
            for _ in 0..3000 {
                let now = Ask::get(&path).send(at).await.json().await;
                if now["checks"].as_u64() >= Some(checks) {
                    return now;
                }
                tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            }
            panic!("the monitor was not checked");
        }
    };
    checked(1).await;
    let turns = attacks().chunks(40).count();
    for number in 1..turns {
        turn.store(number, Ordering::SeqCst);
        let path = format!("/v1/monitors/{monitor}/check");
        assert_eq!(Ask::json(&path, &json!({})).send(stand.at).await.status, 200);
        checked(u64::try_from(number).unwrap() + 1).await;
    }
    let shown = stand
        .get(&format!("/console/monitors/{monitor}"))
        .await
        .text()
        .await;
    assert!(
        shown.matches("d-added").count() + shown.matches("d-changed").count() > 100,
        "the changes are shown"
    );
    let mut paths: Vec<String> = vec![
        "/console/runs".into(),
        "/console/crawls".into(),
        "/console/monitors".into(),
        "/console/usage".into(),
    ];
    for run in [&shop, &batch] {
        paths.extend(
            ["timeline", "result", "request", "raw", "timeline&only=failed"]
                .map(|view| format!("/console/runs/{run}?view={view}")),
        );
    }
    paths.push(format!("/console/crawls/{batch}"));
    paths.push(format!("/console/new?from={batch}"));
    paths.push(format!("/console/monitors/{monitor}"));
    visit_all(&stand, &paths).await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn attacks_in_outputs_of_tools_and_in_events_of_every_family_stay_texts() {
    let runs = WrittenRuns::start(ServerSettings::default()).await;
    let mut paths = Vec::new();
    let mut scrape = runs.scrape("all products").await;
    for attack in attacks() {
        let unknown = json!({"type": attack, "data": {attack.as_str(): attack}});
        scrape.tell(&[call(&attack, &attack), ("error", json!({"type": "error", "data": {"code": attack, "message": attack, "url": attack}})),
            ("url_complete", json!({"type": "url_complete", "url": attack, "status": "failed", "error": {"code": attack, "message": attack}})),
            ("step", json!({"type": "step", "data": {"action": attack, "status": attack, "message": attack, "url": attack}})), (attack.as_str(), unknown)]).await;
    }
    let cells: Vec<Value> = attacks()
        .iter()
        .map(|attack| json!({"name": attack, "url": attack, attack.as_str(): attack}))
        .collect();
    let result = json!({"extracted_data": {"http://127.0.0.1:9/": {"rows": cells, "item": {"title": attacks().concat()}}}});
    scrape
        .end(
            "complete",
            json!({"type": "complete", "data": {"status": "completed"}}),
            result,
        )
        .await;
    paths.extend(
        ["timeline", "timeline&seq=200", "result", "raw", "raw&after=600"]
            .map(|view| format!("/console/runs/{}?view={view}", scrape.id)),
    );
    let automate = AutomateRequest::parse(
        json!({"task": joined(2000)[0], "interactive": true, "url": "http://127.0.0.1:9/"})
            .to_string()
            .as_bytes(),
    );
    let mut automate = runs.begin(JobRequest::Automate(automate.unwrap()), "").await;
    let fields: Vec<Value> = attacks().iter().zip(1..).map(|(attack, number): (_, u32)| {
        json!({"ref": format!("E{number}"), "label": attack, "fieldType": "text", "required": false, "description": attack, "options": [attack], "receivers": [attack]})
    }).collect();
    for attack in attacks() {
        automate
            .tell(&[
                ("agent:reasoned", json!({"reasoning": attack})),
                (
                    "agent:action",
                    json!({"action": attack, "value": attack, "ref": attack}),
                ),
                ("browser:navigated", json!({"title": attack, "url": attack})),
                (
                    "browser:action_completed",
                    json!({"success": false, "error": attack, "action": attack}),
                ),
            ])
            .await;
    }
    automate
        .tell(&[(
            "interactive:form_data:request",
            json!({"requestId": format!("req_{}", "0".repeat(60)), "formDescription": attacks().concat(),
        "pageTitle": joined(2000)[1], "pageUrl": joined(2000)[2], "fields": fields}),
        )])
        .await;
    paths.extend(
        ["timeline", "raw", "request"].map(|view| format!("/console/runs/{}?view={view}", automate.id)),
    );
    let research = ResearchRequest::parse(json!({"query": joined(2000)[3]}).to_string().as_bytes());
    let mut research = runs.begin(JobRequest::Research(research.unwrap()), "").await;
    for attack in attacks() {
        research
            .tell(&[
                (
                    "searching:start",
                    json!({"phase": attack, "queries": [attack], "message": attack}),
                ),
                (
                    "analyzing:end",
                    json!({"url": attack, "title": attack, "error": attack}),
                ),
            ])
            .await;
    }
    let report = attacks()
        .iter()
        .map(|attack| {
            format!(
                "# {attack}\n\nThe **{attack}** is `{attack}` [1]({attack}).\n\n- {attack}\n\n> {attack}\n\n"
            )
        })
        .collect::<String>();
    let cited: Vec<Value> = attacks()
        .iter()
        .map(|attack| json!({"id": attack, "url": attack, "title": attack, "claims": [attack]}))
        .collect();
    research
        .end(
            "complete",
            json!({"report": report}),
            json!({"report": report, "metadata": {"citedPages": cited}}),
        )
        .await;
    paths.extend(
        ["timeline", "result", "raw"].map(|view| format!("/console/runs/{}?view={view}", research.id)),
    );
    paths.push("/console/runs".into());
    let csv = format!("/console/runs/{}/table.csv", scrape.id);
    let table = runs.stand.get(&csv).await.text().await;
    assert!(table.contains("HYPERLINK"), "{table}");
    let is_formula = |cell: &&str| {
        cell.trim_start_matches('"')
            .starts_with(['=', '+', '-', '@', '\t', '\r'])
    };
    let cells = table.split("\r\n").flat_map(|line| line.split(','));
    let formulas: Vec<&str> = cells.filter(is_formula).collect();
    assert_eq!(formulas, Vec::<&str>::new());
    visit_all(&runs.stand, &paths).await;
    // The same rows as they come, which the script writes.
    let mut live = runs.scrape("rows that come").await;
    live.tell(&[call("first", "one")]).await;
    let mut tab = tab().await;
    visit(&mut *tab, &runs.stand, &format!("/console/runs/{}", live.id)).await;
    for attack in attacks() {
        live.tell(&[call(&attack, &attack)]).await;
    }
    live.tell(&[call("last", "two")]).await;
    crate::console::until(
        &mut *tab,
        "[...document.querySelectorAll('#timeline .head')].some(it => it.textContent === 'last')",
    )
    .await;
    assert_eq!(js(&mut *tab, PROVOKE).await, Value::Null);
    let shown = js(
        &mut *tab,
        "return [...document.querySelectorAll('#timeline .head')].map(it => it.textContent);",
    )
    .await;
    assert!(shown.as_array().unwrap().len() >= attacks().len(), "{shown}");
    let foreign = js(&mut *tab, "return document.querySelectorAll('#timeline :is(script, img, svg, iframe, form, input, style, math, object)').length;").await;
    assert_eq!(foreign, 0);
    tab.close().await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn attacks_in_addresses_and_names_of_people_stay_texts() {
    let stand = Stand::on_site(site(Arc::default()).await).await;
    let mut paths = Vec::new();
    for text in joined(900) {
        let q = query(&text);
        paths.extend(
            [
                "runs?q=",
                "tools?q=",
                "usage?from=",
                "runs?status=",
                "runs/",
                "crawls/",
                "monitors/",
                "tools/",
                "crawls?cursor=",
                "login?next=",
            ]
            .map(|page| format!("/console/{page}{}", q.replace('+', "%20"))),
        );
    }
    for (number, note) in joined(1000).iter().enumerate().take(40) {
        let note: String = note.chars().filter(|letter| !letter.is_control()).collect();
        let profile = json!({"name": format!("profile-{number}"), "note": note});
        let mut made = Ask::json("/v1/profiles", &profile).send(stand.at).await;
        let said = made.text().await;
        assert_eq!(made.status, 201, "{said}");
    }
    paths.push("/console/profiles".into());
    visit_all(&stand, &paths).await;

    // From here on a key is needed: the browser logs in with one that administers.
    let admin = crate::tenants::key(&stand, "acme", &[], &[Scope::Admin]).await;
    let tenants = stand.service.tenants(TenantLimits::default());
    for label in attacks() {
        let label: String = label
            .chars()
            .filter(|letter| !letter.is_control())
            .take(100)
            .collect();
        let request = wire::tenancy::KeyRequest {
            tenant: "acme".into(),
            label,
            scopes: vec![Scope::Read],
            expires_days: None,
        };
        tenants
            .create_key(&runtime::tenants::audit::Actor::command_line(), &request)
            .await
            .unwrap();
    }
    let mut tab = tab().await;
    visit(&mut *tab, &stand, "/console/login").await;
    let log_in = format!(
        "document.querySelector('#key').value = '{}'; document.querySelector('form.stack').requestSubmit(); return 1;",
        admin.trim_start_matches("Bearer ")
    );
    js(&mut *tab, &log_in).await;
    crate::console::until(&mut *tab, "location.pathname === '/console/tenants'").await;
    for text in ["".to_owned(), joined(900)[0].clone()] {
        visit(
            &mut *tab,
            &stand,
            &format!("/console/tenants/acme{}", query(&text).replace('+', "%20")),
        )
        .await;
        assert_eq!(js(&mut *tab, PROVOKE).await, Value::Null);
    }
    tab.close().await;
}
