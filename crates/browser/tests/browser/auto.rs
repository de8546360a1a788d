//! Tests of the auto engine with two engines that need no browser: the site knows the "full" one by its name, and gives
//! it the page that scripts would render.

use std::sync::Arc;

use async_trait::async_trait;
use browser::engines::auto::AutoBrowser;
use browser::engines::http::HttpBrowser;
use browser::{Action, Browser, Error, PageWarning, Profile, Ref, Snapshot, Tab};
use net::{Client, ClientConfig};
use testkit::{SiteReply, TestSite};

use crate::conformance;

fn engine(user_agent: &str) -> Arc<dyn Browser> {
    let config = ClientConfig {
        user_agent: user_agent.into(),
        ..ClientConfig::default()
    };
    Arc::new(HttpBrowser::new(Client::new(config).unwrap()))
}

/// An engine that opens no tab, for this reason.
struct Failing(Error);

#[async_trait]
impl Browser for Failing {
    async fn open(&self, _: Profile) -> Result<Box<dyn Tab>, Error> {
        Err(self.0.clone())
    }

    fn name(&self) -> &'static str {
        "failing"
    }
}

async fn site() -> TestSite {
    TestSite::start(|asked| {
        let full = asked.headers["user-agent"].to_str().unwrap().starts_with("Full");
        match (asked.path.as_str(), full) {
            ("/app", false) => {
                SiteReply::html("<title>App</title><div id=root></div><script src=a.js></script>")
            }
            ("/app", true) => SiteReply::html("<title>App</title><a href=/plain>Made by scripts</a>"),
            ("/rich" | "/rich/2", false) => SiteReply::html(
                "<title>Rich</title><nav><a href=/>Home</a></nav><main></main><script src=a.js></script>",
            ),
            ("/rich" | "/rich/2", true) => SiteReply::html(format!(
                "<title>Rich</title><nav><a href=/>Home</a></nav><main><p>{}</p></main>",
                "Made by scripts. ".repeat(20)
            )),
            ("/form", _) => SiteReply::html(
                "<title>Form</title><form action=/form method=post><input name=a aria-label=Name><button>Send</button></form>",
            ),
            ("/poor" | "/poor/2", _) => SiteReply::html(
                "<title>Poor</title><p>A word</p><div id=rows></div><script src=a.js></script>",
            ),
            (_, false) => SiteReply::html(
                "<title>Plain</title><a href=/app>The app</a><button type=button>Menu</button>",
            ),
            (_, true) => {
                SiteReply::html("<title>Plain</title><a href=/app>The app</a><a href=/menu>Menu</a>")
            }
        }
    })
    .await
}

fn profile() -> Profile {
    Profile {
        granted: vec!["127.0.0.1".into()],
        ..Profile::default()
    }
}

async fn tab(full: Arc<dyn Browser>, site: &TestSite, path: &str) -> (Box<dyn Tab>, browser::Visit) {
    let browser = AutoBrowser::new(engine("Quick"), full);
    let mut tab = browser.open(profile()).await.unwrap();
    let visit = tab.goto(&site.url(path).parse().unwrap()).await.unwrap();
    (tab, visit)
}

#[tokio::test]
async fn the_changing_engine_keeps_the_promises() {
    let site = conformance::site().await;
    conformance::core(&AutoBrowser::new(engine("Quick"), engine("Full")), &site).await;
}

#[tokio::test]
async fn a_page_that_needs_scripts_is_opened_in_the_full_engine() {
    let site = site().await;
    let (mut tab, visit) = tab(engine("Full"), &site, "/app").await;
    assert_eq!(
        (visit.warnings, site.hits("/app")),
        (vec![PageWarning::ScriptsRun], 2)
    );
    assert_eq!(
        tab.page().await.unwrap().dom().body().unwrap().text(),
        "Made by scripts"
    );
}

#[tokio::test]
async fn a_page_whose_content_is_in_a_frame_of_its_origin_is_opened_in_the_full_engine() {
    let frame = |source: &str| {
        format!("<h1>Catalogue</h1><p>It is in the frame.</p><iframe src='{source}'></iframe>")
    };
    for (source, is_opened) in [("/list", true), ("http://other.example/list", false)] {
        let site = TestSite::of_pages(&[("/", &frame(source)), ("/list", "<p>The list</p>")]).await;
        let (_, visit) = tab(engine("Full"), &site, "/").await;
        assert_eq!(
            visit.warnings.contains(&PageWarning::ScriptsRun),
            is_opened,
            "{source}"
        );
    }
}

#[tokio::test]
async fn without_a_browser_the_page_is_what_it_is() {
    let site = site().await;
    let absent = Failing(Error::Unavailable("not installed".into()));
    let (mut tab, visit) = tab(Arc::new(absent), &site, "/app").await;
    assert_eq!(visit.warnings, [PageWarning::ScriptsNeeded]);
    tab.goto(&site.url("/plain").parse().unwrap()).await.unwrap();
    tab.snapshot().await.unwrap();
    let refused = tab.act(&click(Ref(2))).await.unwrap_err();
    assert_eq!(refused.code(), "NOT_CAPABLE");
}

#[tokio::test]
async fn what_ends_the_change_of_the_engine_is_the_error() {
    let site = site().await;
    for error in [Error::Cancelled, Error::Net(net::Error::Dns)] {
        let (mut tab, _) = tab(Arc::new(Failing(error.clone())), &site, "/plain").await;
        let menu = named(&tab.snapshot().await.unwrap(), "Menu");
        assert_eq!(tab.act(&click(menu)).await.unwrap_err(), error);
    }
}

#[tokio::test]
async fn after_the_change_to_a_browser_there_are_pictures_with_the_places_of_elements() {
    let site = site().await;
    let full = Arc::new(crate::chromium::browser());
    let (mut tab, _) = tab(full, &site, "/plain").await;
    let earlier = named(&tab.snapshot().await.unwrap(), "The app");
    assert_eq!(tab.picture(None).await.unwrap_err().code(), "NOT_CAPABLE");
    tab.screenshot(false).await.unwrap();
    let later = named(&tab.snapshot().await.unwrap(), "The app");
    for (target, has_place) in [(None, false), (Some(earlier), false), (Some(later), true)] {
        let picture = tab.picture(target).await.unwrap();
        assert_eq!(picture.target.is_some(), has_place, "{target:?}");
        assert!(picture.jpeg.starts_with(&[0xff, 0xd8]), "it is a JPEG");
    }
}

#[tokio::test]
async fn a_host_where_the_full_engine_helped_is_opened_there_at_once() {
    let site = site().await;
    let browser = AutoBrowser::new(engine("Quick"), engine("Full"));
    for (path, hits) in [("/rich", 2), ("/rich/2", 1), ("/rich", 3)] {
        let mut tab = browser.open(profile()).await.unwrap();
        let visit = tab.goto(&site.url(path).parse().unwrap()).await.unwrap();
        assert_eq!(
            (visit.warnings, site.hits(path)),
            (vec![PageWarning::ScriptsRun], hits),
            "{path}"
        );
        let text = tab.page().await.unwrap().dom().body().unwrap().text();
        assert!(text.contains("Made by scripts"), "{path}");
    }
}

#[tokio::test]
async fn a_host_where_the_full_engine_was_no_help_is_not_opened_there_again() {
    let site = site().await;
    let browser = AutoBrowser::new(engine("Quick"), engine("Full"));
    let sign = PageWarning::ScriptsRun;
    for (path, hits, warning) in [("/poor", 2, sign), ("/poor/2", 1, PageWarning::ScriptsNeeded)] {
        let mut tab = browser.open(profile()).await.unwrap();
        let visit = tab.goto(&site.url(path).parse().unwrap()).await.unwrap();
        assert!(visit.warnings.contains(&warning), "{path}: {:?}", visit.warnings);
        assert_eq!(site.hits(path), hits, "{path}");
    }
}

#[tokio::test]
async fn a_page_with_what_was_filled_in_or_sent_is_not_replaced_without_a_word() {
    let site = site().await;
    let press = Action::Press {
        keys: "Escape".into(),
        target: None,
    };
    for steps in 0..3 {
        let (mut tab, _) = tab(engine("Full"), &site, "/form").await;
        let shown = tab.snapshot().await.unwrap();
        if steps > 0 {
            let fill = Action::Fill {
                target: named(&shown, "Name"),
                value: "Ann".into(),
            };
            tab.act(&fill).await.unwrap();
        }
        if steps > 1 {
            tab.act(&click(named(&shown, "Send"))).await.unwrap();
        }
        // Neither engine of this test has keys: what the second one is asked, it refuses.
        match (steps, tab.act(&press).await.unwrap_err()) {
            (0, Error::NotCapable(_)) => {}
            (1 | 2, Error::Browser(text)) => assert!(text.contains("new snapshot"), "{text}"),
            other => panic!("{other:?}"),
        }
    }
}

fn click(target: Ref) -> Action {
    Action::Click { target, times: 1 }
}

fn named(snapshot: &Snapshot, name: &str) -> Ref {
    let found = snapshot.nodes.iter().find(|node| node.name == name);
    found.unwrap().target.unwrap()
}

#[tokio::test]
async fn an_action_that_needs_scripts_changes_the_engine_and_no_ref_means_two_things() {
    let site = site().await;
    let (mut tab, _) = tab(engine("Full"), &site, "/plain").await;
    let before = tab.snapshot().await.unwrap();
    let menu = named(&before, "Menu");
    assert_eq!(tab.act(&click(menu)).await.unwrap_err(), Error::Stale(menu));
    let after = tab.snapshot().await.unwrap();
    let fresh = named(&after, "Menu");
    assert!(before.nodes.iter().all(|node| node.target != Some(fresh)));
    assert_eq!(tab.act(&click(menu)).await.unwrap_err(), Error::Stale(menu));
    let visit = tab.act(&click(fresh)).await.unwrap().visit.unwrap();
    assert_eq!(visit.url.path(), "/menu");
}
