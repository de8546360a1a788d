//! Tests of limits: what pages may load, the memory of their processes, and where endpoints may be.

use net::proxy::TrafficLimits;

use super::*;

/// A tab of a browser with these settings, on a page of the site.
async fn visit(site: &TestSite, settings: ChromiumSettings) -> (Chromium, Box<dyn Tab>, browser::Visit) {
    let browser = Chromium::new(client(), settings);
    let mut tab = browser.open(profile()).await.unwrap();
    let visit = tab.goto(&site.url("/").parse().unwrap()).await.unwrap();
    (browser, tab, visit)
}

async fn click(tab: &mut dyn Tab) -> Result<ActionEffect, Error> {
    let snapshot = tab.snapshot().await?;
    let target = snapshot.nodes.iter().find_map(|node| node.target).unwrap();
    tab.act(&Action::Click { target, times: 1 }).await
}

#[tokio::test]
async fn a_page_whose_requests_are_used_up_goes_on_without_them() {
    let html = "<title>Greedy</title><button onclick='document.title = 2'>Go</button><script>
        for (let i = 0; i < 200; i++) fetch(`/part?${i}`)</script>";
    let site = TestSite::of_pages(&[("/", html)]).await;
    let settings = ChromiumSettings {
        traffic: TrafficLimits {
            requests: 30,
            ..settings().traffic
        },
        ..settings()
    };
    let (_browser, mut tab, visit) = visit(&site, settings).await;
    assert_eq!(visit.warnings, [browser::PageWarning::BudgetExceeded]);
    let effect = click(&mut *tab).await.unwrap();
    assert!(
        effect.notes.join(" ").contains("loaded as much as they may"),
        "{effect:?}"
    );
    assert_eq!(
        click(&mut *tab).await.unwrap().notes,
        [""; 0],
        "it is reported once"
    );
    assert_eq!(tab.snapshot().await.unwrap().title, "2");
    assert!(site.asked().len() <= 31, "{} requests", site.asked().len());
    let refused = tab.goto(&site.url("/next").parse().unwrap()).await.unwrap_err();
    assert_eq!(refused, Error::Net(net::Error::BudgetExceeded));
}

#[tokio::test]
async fn a_page_whose_bytes_are_used_up_is_cut_off() {
    let html = "<title>Greedy</title><button onclick='document.title = 2'>Go</button><script>
        (async () => { for (;;) await (await fetch('/part')).text() })()</script>";
    let site = TestSite::start(move |request| match request.path.as_str() {
        "/" => SiteReply::html(html),
        _ => SiteReply::bytes("text/plain", "x".repeat(100_000)),
    })
    .await;
    let settings = ChromiumSettings {
        traffic: TrafficLimits {
            bytes: 3_000_000,
            ..settings().traffic
        },
        ..settings()
    };
    let (_browser, mut tab, _) = visit(&site, settings).await;
    let end = tokio::time::Instant::now() + Duration::from_secs(30);
    loop {
        let effect = click(&mut *tab).await.unwrap();
        if effect.notes.join(" ").contains("loaded as much as they may") {
            break;
        }
        assert!(tokio::time::Instant::now() < end, "it loads on");
    }
    assert!(site.hits("/part") <= 31, "{} times", site.hits("/part"));
    // Another run has limits of its own.
    let mut other = _browser.open(profile()).await.unwrap();
    other.goto(&site.url("/part").parse().unwrap()).await.unwrap();
}

#[tokio::test]
async fn a_page_that_eats_memory_loses_its_process_and_nothing_else() {
    let html = "<title>Hungry</title><button onclick='eat()'>Eat</button><script>
        const all = [];
        const eat = () => setInterval(() => { for (let i = 0; i < 50; i++) all.push(new Array(200000).fill(i + 0.5)) }, 1);
        </script>";
    let site = TestSite::of_pages(&[("/", html), ("/good", "<title>Good</title>")]).await;
    let settings = ChromiumSettings {
        process_bytes: 1 << 30,
        ..settings()
    };
    let (browser, mut tab, _) = visit(&site, settings).await;
    let pid = browser.processes().await;
    let mut other = browser.open(profile()).await.unwrap();
    other.goto(&site.url("/good").parse().unwrap()).await.unwrap();
    let end = tokio::time::Instant::now() + Duration::from_secs(60);
    let mut effect = click(&mut *tab).await;
    let quiet = Action::Wait {
        until: browser::WaitCondition::Quiet,
        timeout_ms: 100,
    };
    let is_told = |effect: &Result<ActionEffect, Error>| match effect {
        Err(why) => why.code() == "PAGE_CRASHED",
        Ok(effect) => effect.notes.join(" ").contains("the page crashed"),
    };
    while !is_told(&effect) {
        assert!(tokio::time::Instant::now() < end, "it lives on: {effect:?}");
        effect = tab.act(&quiet).await;
    }
    let visit = tab.goto(&site.url("/good").parse().unwrap()).await.unwrap();
    assert_eq!(visit.title, "Good");
    assert_eq!(other.snapshot().await.unwrap().title, "Good");
    assert_eq!(browser.processes().await, pid, "the browser lives");
}

#[tokio::test]
async fn an_endpoint_on_another_machine_is_used_only_if_that_is_allowed() {
    let refused = |allowed: bool| async move {
        let settings = ChromiumSettings {
            endpoints: vec!["http://192.0.2.1:9222".parse().unwrap()],
            remote_endpoints: allowed,
            ..settings()
        };
        let browser = Chromium::new(client(), settings);
        let ready = browser.ready();
        (ready, browser.open(profile()).await.err().unwrap())
    };
    let (ready, refusal) = refused(false).await;
    assert_eq!(ready, Err(refusal.clone()));
    assert_eq!(refusal.code(), "BROWSER_UNAVAILABLE");
    assert!(refusal.to_string().contains("HUNTSMAN_CDP_REMOTE"), "{refusal}");
    let (ready, refusal) = refused(true).await;
    assert_eq!(ready, Ok(()));
    assert!(refusal.to_string().contains("no endpoint answered"), "{refusal}");
}

#[tokio::test]
async fn the_bound_of_what_a_script_gives_counts_bytes() {
    let mut fixture = TabFixture::of("<title>Here</title>").await;
    // Each character has three bytes; the value has two quotation marks.
    let script = "return '\u{4e2d}'.repeat(args[0])";
    let whole = fixture.tab.evaluate(script, &[10.into()], 32).await.unwrap();
    assert_eq!(whole, "\u{4e2d}".repeat(10));
    let refused = fixture.tab.evaluate(script, &[11.into()], 32).await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the browser refused: the script gave more than 32 bytes; return less"
    );
}
