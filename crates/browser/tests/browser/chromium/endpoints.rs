//! Tests of endpoints: the next running browser takes over when one is lost.

use browser::BrowserEvent;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use testkit::chromium::RunningBrowser;
use tokio_tungstenite::tungstenite::Message;

use super::*;

/// The first element of what a tab shows that can be acted on.
async fn first(tab: &mut dyn Tab) -> Ref {
    let snapshot = tab.snapshot().await.unwrap();
    snapshot.nodes.iter().find_map(|it| it.target).unwrap()
}

#[tokio::test]
async fn when_an_endpoint_is_lost_the_next_one_goes_on_with_the_page() {
    let (mut one, other) = (RunningBrowser::start(), RunningBrowser::start());
    let settings = ChromiumSettings {
        endpoints: vec![one.url.clone(), other.url.clone()],
        ..settings()
    };
    let site = TestSite::of_pages(&[
        ("/", "<title>Here</title><a href=/two>Go</a>"),
        (
            "/two",
            "<title>Two</title><button onclick='document.title = 3'>Three</button>",
        ),
    ])
    .await;
    let browser = Chromium::new(client(), settings);
    let mut tab = browser.open(profile()).await.unwrap();
    tab.goto(&site.url("/").parse().unwrap()).await.unwrap();
    assert_eq!(
        tab.news(),
        [BrowserEvent::EndpointConnected { index: 0, total: 2 }]
    );
    let go = first(&mut *tab).await;
    tab.act(&Action::Click { target: go, times: 1 }).await.unwrap();
    let three = first(&mut *tab).await;
    one.kill();
    let end = tokio::time::Instant::now() + Duration::from_secs(10);
    let lost = loop {
        match tab
            .act(&Action::Click {
                target: three,
                times: 1,
            })
            .await
        {
            Err(why) => break why,
            Ok(_) => assert!(tokio::time::Instant::now() < end, "the browser lives on"),
        }
    };
    assert!(matches!(lost, Error::Crashed(_) | Error::Stale(_)), "{lost}");
    // The page is open again, in the next browser, under refs of its own.
    let snapshot = tab.snapshot().await.unwrap();
    assert_eq!(snapshot.title, "Two");
    let url = site.url("/two").parse::<Url>().unwrap();
    assert_eq!(
        tab.news(),
        [
            BrowserEvent::EndpointCycle {
                attempt: 1,
                total: 2,
                error: "lost"
            },
            BrowserEvent::EndpointConnected { index: 1, total: 2 },
            BrowserEvent::Reconnected {
                url: Some(url),
                index: 1,
                total: 2
            }
        ]
    );
    let again = snapshot.nodes.iter().find_map(|it| it.target).unwrap();
    assert_ne!(again, three);
    tab.act(&Action::Click {
        target: again,
        times: 1,
    })
    .await
    .unwrap();
    assert_eq!(tab.snapshot().await.unwrap().title, "3");
    // The list is walked once.
    drop(other);
    let end = tokio::time::Instant::now() + Duration::from_secs(10);
    let refused = loop {
        match tab.snapshot().await {
            Err(why @ Error::Unavailable(_)) => break why,
            _ => assert!(tokio::time::Instant::now() < end, "the second one lives on"),
        }
    };
    assert!(
        refused.to_string().contains("HUNTSMAN_CDP_ENDPOINTS"),
        "{refused}"
    );
}

/// What a false browser answers to everything after its version.
#[derive(Clone, Copy)]
enum Chaos {
    /// Unknown events, answers to nobody, text that is no JSON, and an error for each command.
    Errors,
    /// A message larger than any may be.
    Huge,
    /// Results of other shapes.
    Nonsense,
    /// The end of the connection.
    Close,
}

/// An endpoint that begins as a browser does.
async fn chaotic_endpoint(chaos: Chaos) -> Url {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}", listener.local_addr().unwrap())
        .parse()
        .unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut socket = tokio_tungstenite::accept_async(stream).await.unwrap();
                while let Some(Ok(message)) = socket.next().await {
                    let Ok(command) = serde_json::from_slice::<Value>(&message.into_data()) else {
                        continue;
                    };
                    let id = &command["id"];
                    let answers = match chaos {
                        _ if command["method"] == "Browser.getVersion" => {
                            vec![json!({"id": id, "result": {"product": "False/1"}}).to_string()]
                        }
                        Chaos::Errors => vec![
                            json!({"method": "No.suchEvent", "params": {"a": [[[{}]]]}, "sessionId": "s"})
                                .to_string(),
                            json!({"id": 999_999, "result": {}}).to_string(),
                            "}{".repeat(1000),
                            "[".repeat(100_000),
                            json!({"id": id, "error": {"code": -32000, "message": "no"}}).to_string(),
                        ],
                        Chaos::Huge => vec![format!(
                            "{{\"id\":{id},\"result\":{{\"x\":\"{}",
                            "x".repeat(200 << 20)
                        )],
                        Chaos::Nonsense => vec![json!({"id": id, "result": [1, 2, 3]}).to_string()],
                        Chaos::Close => return,
                    };
                    for answer in answers {
                        if socket.send(Message::text(answer)).await.is_err() {
                            return;
                        }
                    }
                }
            });
        }
    });
    url
}

#[tokio::test]
async fn a_chaotic_endpoint_is_an_error_with_a_name() {
    for chaos in [Chaos::Errors, Chaos::Huge, Chaos::Nonsense, Chaos::Close] {
        let settings = ChromiumSettings {
            endpoints: vec![chaotic_endpoint(chaos).await],
            ..settings()
        };
        let browser = Chromium::new(client(), settings);
        let opening = tokio::time::timeout(Duration::from_secs(60), browser.open(profile())).await;
        let refused = opening.expect("an end").err().unwrap();
        assert_eq!(refused.code(), "BROWSER_UNAVAILABLE", "{refused}");
    }
}

#[tokio::test]
async fn a_page_that_asks_for_a_login_is_shown_where_the_caller_gave_headers() {
    let running = RunningBrowser::start();
    let mut endpoint = running.url.clone();
    // This machine, under an address that is taken for another one.
    endpoint.set_host(Some("0.0.0.0")).unwrap();
    let without_proxy = ChromiumSettings {
        endpoints: vec![endpoint],
        remote_endpoints: true,
        ..settings()
    };
    let site = TestSite::start(|_| {
        SiteReply::html("<title>Log in</title><p>Who are you?")
            .status(401)
            .header("www-authenticate", "Basic realm=\"here\"")
    })
    .await;
    let url = site.url("/").parse::<Url>().unwrap();
    let headers = browser::SiteHeaders {
        origin: url.origin(),
        headers: vec![("x-run".into(), "1".into())],
    };
    for (settings, site_headers) in [
        (without_proxy, vec![headers.clone()]),
        (settings(), vec![headers]),
    ] {
        let profile = Profile {
            site_headers: site_headers.into(),
            ..profile()
        };
        let browser = Chromium::new(client(), settings);
        let mut tab = browser.open(profile).await.unwrap();
        let visit = tab.goto(&url).await.unwrap();
        assert_eq!((visit.status, visit.title.as_str()), (Some(401), "Log in"));
    }
    assert_eq!(site.asked()[0].headers["x-run"], "1");
}

#[tokio::test]
async fn tabs_do_not_wait_for_one_another_at_an_endpoint_that_does_not_answer() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("ws://{}", listener.local_addr().unwrap());
    let settings = ChromiumSettings {
        endpoints: vec![endpoint.parse().unwrap()],
        ..settings()
    };
    let browser = Chromium::new(client(), settings);
    let opening = [browser.open(profile()), browser.open(profile())];
    let opened = futures_util::future::select_all(opening);
    let dialled = async {
        let first = listener.accept().await.unwrap();
        let second = listener.accept().await.unwrap();
        (first, second)
    };
    tokio::select! {
        biased;
        (opened, ..) = opened => panic!("one has waited for the other: {:?}", opened.err()),
        _ = dialled => {}
    }
}
