//! Cookies of a request beside those of a saved profile.

use agents::page_settings::PageWishes;
use agents::session::{RunProfile, RunSession};
use serde_json::json;
use testkit::{ScriptedProvider, ScriptedTurn, TestSite};
use url::Url;
use wire::FetchOptions;
use wire::profile::StorageState;

use super::research::stand::Stand;

#[tokio::test]
async fn cookies_of_a_request_are_given_once_and_not_saved() {
    let mut stand = Stand::with(
        TestSite::of_pages(&[]).await,
        ScriptedProvider::saying(Vec::<ScriptedTurn>::new()).await,
    );
    let cookie = |name: &str, value: &str| json!({"name": name, "value": value, "domain": "a.example", "path": "/", "expires": -1, "httpOnly": false, "secure": true});
    let state: StorageState = serde_json::from_value(
        json!({"cookies": [cookie("sid", "saved"), cookie("seen", "1")], "origins": []}),
    )
    .unwrap();
    let saved = RunProfile::open("shop", Vec::new(), &state);
    stand.services.session = RunSession {
        profile: Some(saved.clone()),
        ..RunSession::default()
    };
    let fetch: FetchOptions =
        serde_json::from_value(json!({"cookies": {"https://a.example": {"sid": "given", "trial": "yes"}}}))
            .unwrap();
    let services = stand
        .services
        .for_pages(PageWishes {
            fetch: Some(&fetch),
            ..PageWishes::default()
        })
        .unwrap();
    let site: Url = "https://a.example/".parse().unwrap();
    let open = || {
        services
            .profile(net::CancellationToken::new(), net::RobotsMode::Ignore)
            .jar
    };
    let sent = |jar: &net::CookieJar| {
        let header = jar.header(&site).unwrap();
        let mut pairs: Vec<String> = header.split("; ").map(str::to_owned).collect();
        pairs.sort();
        pairs.join(" ")
    };
    let kept = || {
        let cookies = saved.state().cookies.into_iter();
        let mut pairs: Vec<String> = cookies
            .map(|cookie| format!("{}={}", cookie.name, cookie.value))
            .collect();
        pairs.sort();
        pairs.join(" ")
    };
    let first = open();
    assert_eq!(sent(&first), "seen=1 sid=given trial=yes");
    assert_eq!(kept(), "seen=1 sid=saved");
    first.set(&site, "sid=renewed; Path=/; Secure");
    assert_eq!(sent(&open()), "seen=1 sid=renewed trial=yes");
    assert_eq!(kept(), "seen=1 sid=renewed");
}
