//! Browsers that run already: the next one takes over when one is lost.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use web::News;
use web::engines::chromium::find;

use super::*;

/// A browser that somebody else has started.
struct Running {
    child: Child,
    folder: PathBuf,
    url: Url,
}

impl Running {
    fn start(name: &str) -> Running {
        let folder = std::env::temp_dir().join(format!("huntsman-endpoint-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let settings = settings();
        let child = Command::new(find(settings.program.as_deref()).unwrap())
            .args([
                "--headless=new",
                "--remote-debugging-port=0",
                "--no-first-run",
                "--disable-gpu",
            ])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ])
            .args((!settings.sandbox).then_some("--no-sandbox"))
            .arg(format!("--user-data-dir={}", folder.display()))
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let end = std::time::Instant::now() + Duration::from_secs(60);
        let port = loop {
            let told = std::fs::read_to_string(folder.join("DevToolsActivePort")).unwrap_or_default();
            if let Some(port) = told.lines().next().filter(|it| !it.is_empty()) {
                break port.to_owned();
            }
            assert!(std::time::Instant::now() < end, "no browser");
            std::thread::yield_now();
        };
        let url = format!("http://127.0.0.1:{port}").parse().unwrap();
        Running { child, folder, url }
    }

    fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[tokio::test]
async fn when_an_endpoint_is_lost_the_next_one_goes_on_with_the_page() {
    let (mut first, second) = (Running::start("a"), Running::start("b"));
    let settings = Settings {
        endpoints: vec![first.url.clone(), second.url.clone()],
        ..settings()
    };
    let site = Site::of_pages(&[
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
    assert_eq!(tab.news(), [News::EndpointConnected { index: 0, total: 2 }]);
    let go = tab
        .snapshot()
        .await
        .unwrap()
        .nodes
        .iter()
        .find_map(|it| it.target)
        .unwrap();
    tab.act(&Action::Click { target: go, times: 1 }).await.unwrap();
    let three = tab
        .snapshot()
        .await
        .unwrap()
        .nodes
        .iter()
        .find_map(|it| it.target)
        .unwrap();
    first.kill();
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
            News::EndpointCycle {
                attempt: 1,
                total: 2,
                error: "lost"
            },
            News::EndpointConnected { index: 1, total: 2 },
            News::Reconnected {
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
    drop(second);
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
