//! Tests of the Chromium engine, beside the promises of the port.

use std::time::Duration;

use browser::engines::chromium::{Chromium, ChromiumSettings};
use browser::snapshot::SnapshotView;
use browser::{Action, ActionEffect, Browser, Error, Profile, Ref, Snapshot, Tab};
use net::{Client, ClientConfig};
use testkit::chromium::settings;
use testkit::{SiteReply, TestSite};
use url::Url;

use crate::conformance;

mod actions;
mod dialogs;
mod egress;
mod endpoints;
mod failures;
mod form_targets;
mod limits;
mod profiles;
mod reading;
mod snapshots;

fn client() -> Client {
    Client::new(ClientConfig::default()).unwrap()
}

/// A browser of its own for one test.
pub(crate) fn browser() -> Chromium {
    Chromium::new(client(), settings())
}

fn profile() -> Profile {
    Profile {
        granted: vec!["127.0.0.1".into(), "localhost".into()],
        ..Profile::default()
    }
}

/// A browser and a tab on a page of a site.
struct TabFixture {
    site: TestSite,
    browser: Chromium,
    tab: Box<dyn Tab>,
}

impl TabFixture {
    async fn of(html: &str) -> TabFixture {
        TabFixture::on(TestSite::of_pages(&[("/", html)]).await).await
    }

    async fn on(site: TestSite) -> TabFixture {
        TabFixture::with(site, profile()).await
    }

    async fn with(site: TestSite, profile: Profile) -> TabFixture {
        let browser = browser();
        let mut tab = browser.open(profile).await.unwrap();
        tab.goto(&site.url("/").parse().unwrap()).await.unwrap();
        TabFixture { site, browser, tab }
    }

    async fn snapshot(&mut self) -> Snapshot {
        self.tab.snapshot().await.unwrap()
    }

    /// The snapshot as a text, without the site's address.
    async fn text(&mut self) -> String {
        let text = self.snapshot().await.text(&SnapshotView::default());
        text.replace(&self.site.url(""), "")
    }

    /// The ref of the element with this name.
    async fn find(&mut self, name: &str) -> Ref {
        let snapshot = self.snapshot().await;
        let element = snapshot
            .nodes
            .iter()
            .find(|node| node.name == name && node.target.is_some());
        let text = snapshot.text(&SnapshotView::default());
        element
            .and_then(|node| node.target)
            .unwrap_or_else(|| panic!("nothing is called {name:?} in\n{text}"))
    }

    async fn act(&mut self, action: Action) -> ActionEffect {
        self.tab
            .act(&action)
            .await
            .unwrap_or_else(|why| panic!("{action:?}: {why}"))
    }

    async fn fails(&mut self, action: Action) -> Error {
        self.tab.act(&action).await.unwrap_err()
    }

    async fn click(&mut self, name: &str) -> ActionEffect {
        let target = self.find(name).await;
        self.act(Action::Click { target, times: 1 }).await
    }
}

#[tokio::test]
async fn the_chromium_engine_keeps_the_promises() {
    let site = conformance::site().await;
    conformance::all(&browser(), &site).await;
}
