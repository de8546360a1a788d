//! Conformance suite of the ports `Browser` and `Tab`: call [`all`] with an engine.
//!
//! The site works without scripts, so that every engine can pass.

use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};

use browser::snapshot::SnapshotView;
use browser::{Action, Browser, Capability, Error, Profile, Ref, Snapshot, Tab};
use testkit::{SiteReply, SiteRequest, TestSite};
use url::Url;

/// The site that the promises are tested on.
pub async fn site() -> TestSite {
    TestSite::start(answer).await
}

fn answer(asked: &SiteRequest) -> SiteReply {
    let body = String::from_utf8_lossy(&asked.body).into_owned();
    let cookie = asked
        .headers
        .get("cookie")
        .map(|value| value.to_str().unwrap().to_owned())
        .unwrap_or_default();
    let path = asked.path.split('?').next().unwrap();
    match path {
        "/" => SiteReply::html(
            "<title>Start</title><h1>Welcome</h1><nav><a href=/shop>The shop</a> <a href='/moved'>Moved</a>
             <a href=/gone>Gone</a> <a href='http://10.255.255.1/'>Inside</a></nav><p>Nothing <b>special</b> here.</p>",
        ),
        "/shop" => SiteReply::html(SHOP),
        "/prices" => SiteReply::html(PRICES),
        "/moved" => SiteReply::redirect(302, "/shop?from=moved"),
        "/gone" => SiteReply::html("<title>Gone</title><h1>It is gone</h1>").status(404),
        "/inside" => SiteReply::redirect(302, "http://169.254.169.254/latest/"),
        "/login" => SiteReply::redirect(303, "/whoami").header("set-cookie", "who=ann; Path=/"),
        "/whoami" => SiteReply::html(format!("<title>Who</title><p>Cookies: {cookie}.")),
        "/echo" => SiteReply::html(format!(
            "<title>Echo</title><pre>{} {} {}</pre><a href=/>Home</a>",
            asked.method,
            asked.path.replace('&', "&amp;"),
            body.replace('&', "&amp;").replace('<', "&lt;")
        )),
        _ => SiteReply::html("<title>Nothing</title>").status(404),
    }
}

const SHOP: &str = r#"<!doctype html><title>Shop</title><main><h1>Lamps</h1>
<form action="/echo" method="post" aria-label="Order">
  <label>Name <input name="name" required></label>
  <label for="note">Note</label> <textarea id="note" name="note" rows="2">as it was </textarea>
  <label>Colour <select name="colour"><option value="r">Red</option><option value="g" selected>Green</option>
    <option value="b">Blue</option></select></label>
  <label><input type="checkbox" name="gift" value="yes"> A gift</label>
  <label><input type="radio" name="size" value="s" checked> Small</label>
  <label><input type="radio" name="size" value="l"> Large</label>
  <label>How many <input type="number" name="count" value="1"></label>
  <input type="hidden" name="token" value="t&amp;1">
  <input name="off" value="never sent" disabled>
  <button name="go" value="now">Order now</button>
</form>
<form action="/echo" role="search"><input type="search" name="q" aria-label="Search"><button>Find</button></form>
<ul><li>First lamp</li><li><a href="/">Back home</a></li></ul></main>"#;

const PRICES: &str = r#"<title>T</title><header><a href="/"><img src=l alt="Logo"></a></header>
<main><h1>Prices <small>now</small></h1><h2>Read <a href=/on>on</a></h2><p>Only <b>today</b>:<br>two lines</p>
<table><caption>Lamps</caption><tr><th>Name<th>Price<tr><td>Red<td>5 <a href=/buy>Buy</a></table>
<div>loose <span>text</span><div>inner</div>tail</div>
<div hidden>unseen</div><script>unseen()</script><p style="display: none">unseen</p>
<input type=password value=secret aria-label=Key><input autocomplete="section-a cc-csc" value=123 aria-label=Code>
<a href="http://other.test/x?a=1">Away</a></main>"#;

const PRICES_SHOWN: &str = r#"banner
 link "Logo" [ref=E1] [url=/]
main
 heading "Prices now" [level=1]
 heading [level=2]
  "Read"
  link "on" [ref=E2] [url=/on]
 paragraph
  "Only today:"
  "two lines"
 table "Lamps"
  row
   columnheader "Name"
   columnheader "Price"
  row
   cell "Red"
   cell
    "5"
    link "Buy" [ref=E3] [url=/buy]
 "loose text"
 "inner"
 "tail"
 textbox "Key" [type=password] [ref=E4]: "••••••••"
 textbox "Code" [ref=E5]: "••••••••"
 link "Away" [ref=E6] [url=http://other.test/x?a=1]
"#;

/// Every promise, on new tabs.
pub async fn all(browser: &dyn Browser, site: &TestSite) {
    core(browser, site).await;
    missing_abilities(browser, site).await;
}

/// Every promise but the one about abilities, which only an engine of one kind can make.
pub async fn core(browser: &dyn Browser, site: &TestSite) {
    visits(browser, site).await;
    refused_addresses(browser, site).await;
    broken_answers(browser).await;
    links_and_history(browser, site).await;
    snapshots(browser, site).await;
    equal_snapshots(browser, site).await;
    forms(browser, site).await;
    searches(browser, site).await;
    incomplete_forms(browser, site).await;
    refs(browser, site).await;
    cookies(browser, site).await;
    cancelling(browser, site).await;
}

fn profile(site: &TestSite) -> Profile {
    Profile {
        granted: vec![site.address().ip().to_string()],
        ..Profile::default()
    }
}

async fn open(browser: &dyn Browser, site: &TestSite, path: &str) -> Box<dyn Tab> {
    let mut tab = browser.open(profile(site)).await.unwrap();
    tab.goto(&url(site, path)).await.unwrap();
    tab
}

fn url(site: &TestSite, path: &str) -> Url {
    Url::from_str(&site.url(path)).unwrap()
}

/// The ref of the element with this role and name.
fn find(snapshot: &Snapshot, role: &str, name: &str) -> Ref {
    let found = snapshot
        .nodes
        .iter()
        .find(|node| node.role == role && node.name == name);
    let text = snapshot.text(&SnapshotView::default());
    found
        .and_then(|node| node.target)
        .unwrap_or_else(|| panic!("no {role} {name:?} with a ref in\n{text}"))
}

async fn text(tab: &mut Box<dyn Tab>) -> String {
    tab.page().await.unwrap().dom().body().unwrap().text()
}

async fn visits(browser: &dyn Browser, site: &TestSite) {
    let mut tab = browser.open(profile(site)).await.unwrap();
    assert_eq!((tab.url(), tab.page().await.err()), (None, Some(Error::NoPage)));
    assert_eq!(tab.snapshot().await.err(), Some(Error::NoPage));
    let visit = tab.goto(&url(site, "/moved")).await.unwrap();
    assert_eq!(
        (visit.url, visit.status, visit.title.as_str()),
        (url(site, "/shop?from=moved"), Some(200), "Shop")
    );
    let visit = tab.goto(&url(site, "/gone")).await.unwrap();
    assert_eq!((visit.status, visit.is_ok()), (Some(404), false));
    assert_eq!(text(&mut tab).await, "It is gone");
    tab.close().await;
}

async fn refused_addresses(browser: &dyn Browser, site: &TestSite) {
    let mut tab = open(browser, site, "/").await;
    for address in [
        "http://10.255.255.1/",
        "http://169.254.169.254/",
        "file:///etc/passwd",
        &site.url("/inside"),
    ] {
        let refused = tab.goto(&Url::from_str(address).unwrap()).await.unwrap_err();
        assert_eq!(refused.code(), "URL_BLOCKED", "{address}: {refused}");
        // A redirect is told from the address that was asked for.
        let names = refused
            .to_string()
            .contains("redirects to http://169.254.169.254,");
        assert_eq!(names, address.ends_with("/inside"), "{address}: {refused}");
    }
    let mut tab = open(browser, site, "/").await;
    let inside = find(&tab.snapshot().await.unwrap(), "link", "Inside");
    let refused = tab
        .act(&Action::Click {
            target: inside,
            times: 1,
        })
        .await
        .unwrap_err();
    assert_eq!(refused.code(), "URL_BLOCKED", "{refused}");
}

/// A page whose connection breaks off is asked for once more, and is an error when it breaks again.
async fn broken_answers(browser: &dyn Browser) {
    let tries = AtomicUsize::new(0);
    let site = TestSite::start(move |asked| {
        let page = format!("<title>Long</title><h1>Long</h1>{}", "<p>Words.</p>".repeat(400));
        let length = page.len().to_string();
        let page = SiteReply::html(page);
        match asked.path.as_str() {
            "/counted" => page.header("content-length", &length).broken_after(500),
            "/once" if tries.fetch_add(1, Ordering::Relaxed) > 0 => page,
            "/chunked" | "/once" => page.broken_after(500),
            _ => SiteReply::html("<title>Start</title><a href=/chunked>Long</a>"),
        }
    })
    .await;
    let mut tab = browser.open(profile(&site)).await.unwrap();
    for path in ["/counted", "/chunked"] {
        let lost = tab.goto(&url(&site, path)).await.map(|visit| visit.status);
        assert_eq!(lost, Err(Error::Net(net::Error::Incomplete)), "{path}");
        let asked = site.asked().iter().filter(|asked| asked.path == path).count();
        assert_eq!(asked, 2, "{path}");
    }
    let visit = tab.goto(&url(&site, "/once")).await.unwrap();
    assert_eq!(
        (visit.status, visit.title.as_str(), visit.is_ok()),
        (Some(200), "Long", true)
    );
    assert_eq!(text(&mut tab).await.matches("Words.").count(), 400);
    tab.goto(&url(&site, "/")).await.unwrap();
    tab.close().await;
}

async fn links_and_history(browser: &dyn Browser, site: &TestSite) {
    let mut tab = open(browser, site, "/").await;
    assert_eq!(tab.back().await.unwrap_err(), Error::NoHistory("back"));
    let link = find(&tab.snapshot().await.unwrap(), "link", "The shop");
    let visit = tab
        .act(&Action::Click {
            target: link,
            times: 1,
        })
        .await
        .unwrap()
        .visit
        .unwrap();
    assert_eq!(
        (visit.url, tab.url()),
        (url(site, "/shop"), Some(url(site, "/shop")))
    );
    assert_eq!(tab.back().await.unwrap().title, "Start");
    assert!(text(&mut tab).await.contains("Nothing special here."));
    assert_eq!(tab.forward().await.unwrap().title, "Shop");
    assert_eq!(tab.forward().await.unwrap_err(), Error::NoHistory("forward"));
}

/// Every engine shows a page in the same way, every time.
async fn equal_snapshots(browser: &dyn Browser, site: &TestSite) {
    let mut tab = open(browser, site, "/prices").await;
    for time in ["first", "second"] {
        let shown = tab.snapshot().await.unwrap().text(&SnapshotView::default());
        assert_eq!(shown.replace(&site.url(""), ""), PRICES_SHOWN, "the {time} time");
    }
    tab.close().await;
}

async fn snapshots(browser: &dyn Browser, site: &TestSite) {
    let mut tab = open(browser, site, "/shop").await;
    let snapshot = tab.snapshot().await.unwrap();
    assert_eq!(
        (snapshot.title.as_str(), snapshot.url.clone()),
        ("Shop", Some(url(site, "/shop")))
    );
    for (role, name, state) in [
        ("heading", "Lamps", "level=1"),
        ("textbox", "Name", "required"),
        ("textbox", "Note", "multiline"),
        ("combobox", "Colour", ""),
        ("checkbox", "A gift", ""),
        ("radio", "Small", "checked"),
        ("spinbutton", "How many", ""),
        ("button", "Order now", ""),
        ("searchbox", "Search", ""),
        ("link", "Back home", ""),
    ] {
        let found = snapshot
            .nodes
            .iter()
            .find(|node| node.role == role && node.name == name);
        let found = found.unwrap_or_else(|| {
            panic!(
                "no {role} {name:?} in\n{}",
                snapshot.text(&SnapshotView::default())
            )
        });
        assert!(
            state.is_empty() || found.states.iter().any(|it| it == state),
            "{found:?}"
        );
        assert!(found.target.is_some() || role == "heading", "{found:?}");
    }
    let value = |name: &str| {
        snapshot
            .nodes
            .iter()
            .find(|node| node.name == name && node.target.is_some())
            .unwrap()
            .value
            .clone()
    };
    assert_eq!(value("Note").as_deref(), Some("as it was "), "spaces count");
    assert!(snapshot.text(&SnapshotView::default()).contains("First lamp"));
    assert!(
        !snapshot.text(&SnapshotView::default()).contains("t&1"),
        "hidden fields are nobody's business"
    );
}

async fn forms(browser: &dyn Browser, site: &TestSite) {
    let mut tab = open(browser, site, "/shop").await;
    let shop = tab.snapshot().await.unwrap();
    for action in [
        Action::Fill {
            target: find(&shop, "textbox", "Name"),
            value: "Zażółć & <Söhne>".into(),
        },
        Action::Fill {
            target: find(&shop, "textbox", "Note"),
            value: "one\ntwo".into(),
        },
        Action::Select {
            target: find(&shop, "combobox", "Colour"),
            options: vec!["Blue".into()],
        },
        Action::Check {
            target: find(&shop, "checkbox", "A gift"),
            on: true,
        },
        Action::Check {
            target: find(&shop, "radio", "Large"),
            on: true,
        },
        Action::Fill {
            target: find(&shop, "spinbutton", "How many"),
            value: "3".into(),
        },
    ] {
        let outcome = tab.act(&action).await.unwrap();
        assert_eq!(outcome.visit, None, "{action:?}");
    }
    let filled = tab.snapshot().await.unwrap();
    let state = |name: &str| {
        filled
            .nodes
            .iter()
            .find(|node| node.name == name && node.target.is_some())
            .unwrap()
            .clone()
    };
    assert_eq!(state("Note").value.as_deref(), Some("one\ntwo"));
    assert!(state("A gift").states.contains(&"checked".to_owned()));
    assert!(!state("Small").states.contains(&"checked".to_owned()));
    let go = Action::Click {
        target: find(&shop, "button", "Order now"),
        times: 1,
    };
    let visit = tab.act(&go).await.unwrap().visit.unwrap();
    assert_eq!(visit.title, "Echo");
    let sent = site
        .asked()
        .into_iter()
        .rev()
        .find(|asked| asked.path == "/echo")
        .unwrap();
    assert_eq!(sent.headers["content-type"], "application/x-www-form-urlencoded");
    let pairs: Vec<(String, String)> = url::form_urlencoded::parse(&sent.body).into_owned().collect();
    let expect = [
        ("name", "Zażółć & <Söhne>"),
        ("note", "one\r\ntwo"),
        ("colour", "b"),
        ("gift", "yes"),
        ("size", "l"),
        ("count", "3"),
        ("token", "t&1"),
        ("go", "now"),
    ];
    assert_eq!(
        pairs,
        expect.map(|(name, value)| (name.to_owned(), value.to_owned()))
    );
    assert_eq!(tab.back().await.unwrap().title, "Shop");
}

async fn searches(browser: &dyn Browser, site: &TestSite) {
    let mut tab = open(browser, site, "/shop").await;
    let field = find(&tab.snapshot().await.unwrap(), "searchbox", "Search");
    tab.act(&Action::Fill {
        target: field,
        value: "red lamp".into(),
    })
    .await
    .unwrap();
    let visit = tab
        .act(&Action::Submit { target: field })
        .await
        .unwrap()
        .visit
        .unwrap();
    assert_eq!(visit.url, url(site, "/echo?q=red+lamp"));
    assert_eq!(text(&mut tab).await, "GET /echo?q=red+lamp Home");
}

async fn incomplete_forms(browser: &dyn Browser, site: &TestSite) {
    let mut tab = open(browser, site, "/shop").await;
    let shop = tab.snapshot().await.unwrap();
    let before = site.hits("/echo");
    let refused = tab
        .act(&Action::Submit {
            target: find(&shop, "button", "Order now"),
        })
        .await
        .unwrap_err();
    assert_eq!(refused.code(), "NOT_ACTIONABLE");
    assert!(refused.to_string().contains("Name"), "{refused}");
    let colour = find(&shop, "combobox", "Colour");
    let refused = tab
        .act(&Action::Select {
            target: colour,
            options: vec!["Mauve".into()],
        })
        .await
        .unwrap_err();
    assert!(refused.to_string().contains("Red, Green, Blue"), "{refused}");
    let name = find(&shop, "textbox", "Name");
    let refused = tab
        .act(&Action::Check {
            target: name,
            on: true,
        })
        .await
        .unwrap_err();
    assert_eq!(refused.code(), "NOT_ACTIONABLE");
    assert_eq!(
        (site.hits("/echo"), tab.url()),
        (before, Some(url(site, "/shop")))
    );
}

async fn refs(browser: &dyn Browser, site: &TestSite) {
    let mut tab = open(browser, site, "/shop").await;
    let first = tab.snapshot().await.unwrap();
    let second = tab.snapshot().await.unwrap();
    assert_eq!(first, second, "the same page has the same refs");
    let name = find(&first, "textbox", "Name");
    let unknown = Ref(9_999_999);
    let refused = tab
        .act(&Action::Click {
            target: unknown,
            times: 1,
        })
        .await
        .unwrap_err();
    assert_eq!(refused, Error::UnknownRef(unknown));
    tab.goto(&url(site, "/")).await.unwrap();
    let refused = tab
        .act(&Action::Fill {
            target: name,
            value: "x".into(),
        })
        .await
        .unwrap_err();
    assert_eq!(refused, Error::Stale(name));
    let elsewhere = tab.snapshot().await.unwrap();
    let used: Vec<Ref> = first.nodes.iter().filter_map(|node| node.target).collect();
    assert!(
        elsewhere
            .nodes
            .iter()
            .filter_map(|node| node.target)
            .all(|fresh| !used.contains(&fresh))
    );
}

async fn cookies(browser: &dyn Browser, site: &TestSite) {
    let profile = profile(site);
    let jar = profile.jar.clone();
    let mut tab = browser.open(profile).await.unwrap();
    let visit = tab.goto(&url(site, "/login")).await.unwrap();
    assert_eq!(visit.url, url(site, "/whoami"));
    assert_eq!(text(&mut tab).await, "Cookies: who=ann.");
    assert_eq!(jar.header(&url(site, "/")).as_deref(), Some("who=ann"));
    let mut other = open(browser, site, "/whoami").await;
    assert_eq!(text(&mut other).await, "Cookies: .", "every tab has its own jar");
}

async fn missing_abilities(browser: &dyn Browser, site: &TestSite) {
    let mut tab = open(browser, site, "/").await;
    let link = find(&tab.snapshot().await.unwrap(), "link", "The shop");
    for (capability, action) in [
        (
            Capability::Hover,
            Action::Hover {
                target: link,
                at: None,
            },
        ),
        (Capability::Drag, Action::Drag { from: link, to: link }),
        (
            Capability::Scroll,
            Action::Scroll {
                target: None,
                right: 0.0,
                down: 100.0,
            },
        ),
    ] {
        match tab.can(capability) {
            Ok(()) => drop(tab.act(&action).await.unwrap()),
            Err(no) => {
                assert_eq!(tab.act(&action).await.unwrap_err(), Error::NotCapable(no));
                assert_eq!(tab.url(), Some(url(site, "/")));
            }
        }
    }
    match tab.can(Capability::Screenshot) {
        Ok(()) => assert!(tab.screenshot(false).await.unwrap().starts_with(b"\x89PNG")),
        Err(no) => assert_eq!(tab.screenshot(false).await.unwrap_err(), Error::NotCapable(no)),
    }
}

async fn cancelling(browser: &dyn Browser, site: &TestSite) {
    let profile = profile(site);
    let cancel = profile.cancel.clone();
    let mut tab = browser.open(profile).await.unwrap();
    tab.goto(&url(site, "/")).await.unwrap();
    cancel.cancel();
    assert_eq!(
        tab.goto(&url(site, "/shop")).await.unwrap_err().code(),
        "CANCELLED"
    );
}
