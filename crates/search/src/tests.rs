use testkit::{SiteReply, SiteRequest, TestSite};

use std::sync::Arc;

use super::*;
use crate::providers::PROVIDERS;

fn client(site: &TestSite) -> net::Client {
    net::Client::new(net::ClientConfig {
        allow: vec![site.address().to_string().parse().unwrap()],
        ..net::ClientConfig::default()
    })
    .unwrap()
}

fn engine(name: &str, site: &TestSite) -> Arc<dyn SearchProvider> {
    let settings = ProviderSettings {
        url: Some(site.url("/find").parse().unwrap()),
        key: Some(SearchApiKey::new("a-secret-key")),
    };
    named(name, &settings, client(site)).unwrap()
}

/// The answer of each provider, in its own format, to a request in its own format.
fn provider(name: &'static str) -> impl Fn(&SiteRequest) -> SiteReply + Send + Sync + 'static {
    let (key, body) = match name {
        "searxng" => (
            None,
            r#"{"query":"q","results":[{"url":"https://a.example/1?utm_source=x","title":"A <b>one</b>","content":"about  one"},
            {"url":"https://www.a.example/1","title":"again","content":""},{"url":"ftp://a.example/","title":"no page"},
            {"url":"https://b.example/2","title":"B &amp; two"}]}"#,
        ),
        "brave" => (
            Some(("x-subscription-token", "a-secret-key")),
            r#"{"web":{"results":[{"url":"https://a.example/1","title":"A one","description":"about <strong>one</strong>"},
            {"url":"https://b.example/2","title":"B & two","description":""}]}}"#,
        ),
        "tavily" => (
            Some(("authorization", "Bearer a-secret-key")),
            r#"{"results":[{"url":"https://a.example/1","title":"A one","content":"about one","score":0.9},
            {"url":"https://b.example/2","title":"B & two","content":""}]}"#,
        ),
        "exa" => (
            Some(("x-api-key", "a-secret-key")),
            r#"{"results":[{"url":"https://a.example/1","title":"A one","highlights":["about one"]},
            {"url":"https://b.example/2","title":"B & two"}]}"#,
        ),
        "serper" => (
            Some(("x-api-key", "a-secret-key")),
            r#"{"organic":[{"link":"https://a.example/1","title":"A one","snippet":"about one"},
            {"link":"https://b.example/2","title":"B & two"}]}"#,
        ),
        _ => (
            None,
            r#"<div class="result results_links"><a class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2F1&rut=x">A one</a>
            <a class="result__snippet">about <b>one</b></a></div>
            <div class="result result--ad"><a class="result__a" href="https://ad.example/">Buy</a></div>
            <div class="result"><a class="result__a" href="https://b.example/2">B &amp; two</a></div>"#,
        ),
    };
    move |asked| {
        let header = |name: &str| asked.headers.get(name).and_then(|value| value.to_str().ok());
        if key.is_some_and(|(name, value)| header(name) != Some(value)) {
            return SiteReply::html("no").status(401);
        }
        let words = format!("{} {}", asked.path, String::from_utf8_lossy(&asked.body));
        if !words.contains("tea") {
            return SiteReply::html("what?").status(400);
        }
        let kind = if body.starts_with('{') {
            "application/json"
        } else {
            "text/html"
        };
        SiteReply::bytes(kind, body)
    }
}

#[tokio::test]
async fn every_provider_finds_the_same_pages() {
    for (name, _) in PROVIDERS {
        let site = TestSite::start(provider(name)).await;
        let engine = engine(name, &site);
        let found = engine.search(&SearchQuery::new("tea kettles", 5)).await.unwrap();
        let hits: Vec<_> = found
            .hits
            .iter()
            .map(|hit| {
                (
                    hit.url.host_str().unwrap(),
                    hit.title.as_str(),
                    hit.snippet.as_str(),
                )
            })
            .collect();
        assert_eq!(
            hits,
            [("a.example", "A one", "about one"), ("b.example", "B & two", "")],
            "{name}"
        );
        let again = engine.search(&SearchQuery::new("Tea kettles", 5)).await.unwrap();
        assert_eq!(
            (again.kept, site.asked().len()),
            (true, 1),
            "{name} is not asked twice"
        );
        let fresh = SearchQuery {
            fresh: true,
            ..SearchQuery::new("tea kettles", 1)
        };
        assert_eq!(engine.search(&fresh).await.unwrap().hits.len(), 1, "{name}");
        assert_eq!(site.asked().len(), 2, "{name}");
    }
}

#[tokio::test]
async fn a_provider_that_fails_is_named_and_the_key_is_not() {
    for (name, _) in PROVIDERS {
        for (status, body) in [
            (401, "no"),
            (429, "slow down"),
            (400, "?"),
            (200, "<p>not what you expect"),
        ] {
            let site = TestSite::start(move |_| SiteReply::html(body).status(status)).await;
            let error = engine(name, &site)
                .search(&SearchQuery::new("tea", 5))
                .await
                .unwrap_err();
            let text = error.to_string();
            assert!(
                text.contains(name) && !text.contains("secret"),
                "{status}: {text}"
            );
        }
    }
}

#[test]
fn a_missing_setting_is_named() {
    let settings = ProviderSettings::default();
    let client = || net::Client::new(net::ClientConfig::default()).unwrap();
    let why = |name: &str| {
        named(name, &settings, client())
            .err()
            .map(|error| error.to_string())
    };
    assert!(why("searxng").unwrap().contains("HUNTSMAN_SEARCH_URL"));
    assert!(why("brave").unwrap().contains("HUNTSMAN_SEARCH_API_KEY"));
    assert!(why("altavista").unwrap().contains("searxng, brave"));
    assert_eq!(why("duckduckgo"), None);
}

#[tokio::test]
async fn a_search_that_failed_is_no_search_that_found_nothing() {
    for (name, body, failed) in [
        (
            "searxng",
            r#"{"query":"tea","results":[],"unresponsive_engines":[["google","CAPTCHA"],["bing","timeout"]]}"#,
            Some("google: CAPTCHA, bing: timeout"),
        ),
        (
            "searxng",
            r#"{"query":"tea","results":[],"unresponsive_engines":[]}"#,
            None,
        ),
        (
            "brave",
            r#"{"type":"ErrorResponse","error":{"detail":"The plan is over"}}"#,
            Some("The plan is over"),
        ),
        ("brave", r#"{"type":"search","query":{"original":"tea"}}"#, None),
        (
            "serper",
            r#"{"message":"Not enough credits","statusCode":400}"#,
            Some("Not enough credits"),
        ),
        ("serper", r#"{"searchParameters":{"q":"tea"},"organic":[]}"#, None),
        (
            "tavily",
            r#"{"detail":{"error":"Too many"},"error":"Too many"}"#,
            Some("Too many"),
        ),
        ("exa", r#"{"results":[]}"#, None),
    ] {
        let site = TestSite::start(move |_| SiteReply::bytes("application/json", body)).await;
        let engine = engine(name, &site);
        for times in 1..=2 {
            let found = engine.search(&SearchQuery::new("tea", 5)).await;
            match failed {
                Some(why) => {
                    let text = found.unwrap_err().to_string();
                    assert!(text.contains(name) && text.contains(why), "{text}");
                }
                None => assert_eq!(found.unwrap(), SearchResults::default(), "{body}"),
            }
            assert_eq!(site.asked().len(), times, "nothing is no answer to keep: {body}");
        }
    }
}
