//! Tests of what a run brings along and gets back: cookies and local storage.

use std::collections::BTreeMap;

use browser::LocalStorage;

use super::*;

fn cookie(name: &str, value: &str) -> net::Cookie {
    net::Cookie {
        name: name.into(),
        value: value.into(),
        domain: "127.0.0.1".into(),
        host_only: true,
        path: "/".into(),
        secure: false,
        http_only: false,
        expires: None,
        same_site: None,
    }
}

#[tokio::test]
async fn cookies_that_the_browser_does_not_take_keep_no_others_from_it_and_stay_in_the_jar() {
    let profile = profile();
    let jar = profile.jar.clone();
    let secure = |cookie| net::Cookie {
        secure: true,
        ..cookie
    };
    let cookies = [
        cookie("sid", "1"),
        // Longer than browsers allow.
        cookie("long", &"x".repeat(5000)),
        // Refused, although the browser says that it is taken.
        net::Cookie {
            same_site: Some(net::SameSite::None),
            ..cookie("everywhere", "1")
        },
        secure(cookie("__Host-id", "1")),
        secure(cookie("__Secure-id", "1")),
    ];
    for cookie in &cookies {
        jar.insert(cookie.clone());
    }
    let site = TestSite::of_pages(&[("/", "<title>Here</title>"), ("/two", "<title>Two</title>")]).await;
    let mut fixture = TabFixture::with(site, profile).await;
    let two = fixture.site.url("/two").parse().unwrap();
    fixture.tab.goto(&two).await.unwrap();
    fixture.tab.close().await;
    for asked in fixture
        .site
        .asked()
        .iter()
        .filter(|asked| asked.path != "/favicon.ico")
    {
        let sent = asked.headers["cookie"].to_str().unwrap();
        assert!(sent.split("; ").any(|pair| pair == "sid=1"), "{sent}");
    }
    let names = |cookies: &[net::Cookie]| {
        let mut names: Vec<_> = cookies.iter().map(|cookie| cookie.name.clone()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&jar.all()), names(&cookies));
}

#[tokio::test]
async fn a_tab_that_a_page_opens_has_the_storage_of_its_origin_too() {
    let shown = "<script>document.title = localStorage.getItem('token')</script>";
    let other = TestSite::of_pages(&[("/", shown)]).await;
    let opener = format!("{shown}<a target=_blank href='{}'>Other</a>", other.url("/"));
    let site = TestSite::of_pages(&[("/", &opener)]).await;
    let storage = LocalStorage::default();
    let origin = |site: &TestSite| site.url("").trim_end_matches('/').to_owned();
    for (origin, token) in [(origin(&site), "one"), (origin(&other), "two")] {
        storage.set(&origin, BTreeMap::from([("token".into(), token.into())]));
    }
    let expected = storage.all();
    let profile = Profile {
        storage: Some(storage.clone()),
        ..profile()
    };
    let mut fixture = TabFixture::with(site, profile).await;
    assert_eq!(fixture.snapshot().await.title, "one");
    let visit = fixture.click("Other").await.visit.unwrap();
    assert_eq!(visit.title, "two");
    fixture.tab.close().await;
    assert_eq!(storage.all(), expected);
}

#[tokio::test]
async fn what_a_page_removes_from_its_storage_stays_removed() {
    let html = "<script>document.title = localStorage.getItem('token'); localStorage.clear()</script>";
    let site = TestSite::of_pages(&[("/", html)]).await;
    let origin = site.url("").trim_end_matches('/').to_owned();
    let storage = LocalStorage::default();
    storage.set(&origin, BTreeMap::from([("token".into(), "one".into())]));
    let profile = Profile {
        storage: Some(storage.clone()),
        ..profile()
    };
    let mut fixture = TabFixture::with(site, profile).await;
    assert_eq!(fixture.snapshot().await.title, "one");
    let again = fixture.site.url("/").parse().unwrap();
    assert_eq!(fixture.tab.goto(&again).await.unwrap().title, "null");
    assert_eq!(storage.all(), BTreeMap::from([(origin, BTreeMap::new())]));
}
