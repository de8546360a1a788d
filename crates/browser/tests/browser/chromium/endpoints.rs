//! Tests of endpoints: the next running browser takes over when one is lost.

use browser::BrowserEvent;
use testkit::chromium::RunningBrowser;

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
