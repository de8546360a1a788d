//! Tests of crashes, lost browsers and hostile pages.

use super::*;

fn processes_of(folder: &std::path::Path) -> usize {
    std::fs::read_dir(folder)
        .map(|entries| {
            let ours = entries.flatten().filter(|entry| {
                entry
                    .file_name()
                    .to_string_lossy()
                    .starts_with("huntsman-browser-")
            });
            ours.count()
        })
        .unwrap_or(0)
}

#[tokio::test]
async fn a_killed_browser_is_an_error_at_once_and_the_next_call_has_another() {
    let mut fixture = TabFixture::of("<title>Here</title><button>Go</button>").await;
    let go = fixture.find("Go").await;
    let pid = fixture.browser.processes().await[0];
    kill(pid);
    let end = tokio::time::Instant::now() + Duration::from_secs(10);
    let refused = loop {
        match fixture.tab.act(&Action::Click { target: go, times: 1 }).await {
            Err(why) => break why,
            Ok(_) => assert!(tokio::time::Instant::now() < end, "the browser lives on"),
        }
    };
    assert!(
        matches!(refused, Error::Crashed(_) | Error::Stale(_)),
        "{refused}"
    );
    assert_eq!(fixture.snapshot().await.title, "Here");
    let told = fixture.tab.news();
    assert!(
        told.iter()
            .any(|it| matches!(it, browser::BrowserEvent::Reconnected { .. })),
        "{told:?}"
    );
}

#[tokio::test]
async fn a_crashed_page_is_opened_again() {
    let mut fixture = TabFixture::of("<title>Here</title><button>Go</button>").await;
    let crash = "chrome://crash".parse::<Url>().unwrap();
    assert_eq!(fixture.tab.goto(&crash).await.unwrap_err().code(), "URL_BLOCKED");
    assert_eq!(fixture.snapshot().await.title, "Here");
}

#[tokio::test]
async fn a_page_that_does_not_stop_asking_is_silenced() {
    let html =
        "<title>Loud</title><button>Still here</button><script>setInterval(() => alert(1), 1)</script>";
    let mut fixture = TabFixture::of(html).await;
    let outcome = fixture.click("Still here").await;
    let quiet = Action::Wait {
        until: browser::WaitCondition::Quiet,
        timeout_ms: 100,
    };
    let mut notes = outcome.notes.join("\n");
    notes += &fixture.act(quiet).await.notes.join("\n");
    assert!(
        notes.contains("cannot open any more") || notes.contains("\"1\""),
        "{notes}"
    );
    assert_eq!(fixture.snapshot().await.title, "Loud");
}

#[tokio::test]
async fn a_page_that_never_ends_its_script_is_stopped() {
    let html = "<title>Busy</title><button onclick='for(;;);'>Hang</button><button onclick='document.title=1'>Other</button>";
    let mut fixture = TabFixture::of(html).await;
    let target = fixture.find("Hang").await;
    let refused = fixture.fails(Action::Click { target, times: 1 }).await;
    assert_eq!(refused.code(), "TIMEOUT", "{refused}");
    fixture.click("Other").await;
    assert_eq!(fixture.snapshot().await.title, "1");
}

#[tokio::test]
async fn a_flood_of_popups_is_cut() {
    let html = "<title>Flood</title><button onclick='for (let i = 0; i < 30; i++) window.open(\"/\", \"_blank\")'>Open</button>";
    let mut fixture = TabFixture::of(html).await;
    let outcome = fixture.click("Open").await;
    assert!(fixture.tab.tabs().len() <= 8, "{:?}", fixture.tab.tabs());
    assert!(
        outcome.notes.join(" ").contains("more tabs"),
        "{:?}",
        outcome.notes
    );
}

#[tokio::test]
async fn a_tab_beyond_the_limit_is_closed_before_it_loads_or_runs_anything() {
    let site = TestSite::start(|request| match request.path.split('?').next() {
        Some("/") => SiteReply::html(
            "<title>Flood</title><button onclick='for (let i = 0; i < 30; i++) window.open(`/popup?${i}`, `_blank`)'>Open</button>",
        ),
        Some("/popup") => SiteReply::html("<script>fetch('/ran')</script>"),
        _ => SiteReply::html(""),
    })
    .await;
    let mut fixture = TabFixture::on(site).await;
    fixture.click("Open").await;
    assert!(fixture.tab.tabs().len() <= 8, "{:?}", fixture.tab.tabs());
    // Time for what should not come.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let asked = |path: &str| {
        let asked = fixture.site.asked();
        asked
            .iter()
            .filter(|request| request.path.starts_with(path))
            .count()
    };
    let (opened, ran) = (asked("/popup"), asked("/ran"));
    assert!(opened <= 7 && ran <= opened, "{opened} opened and {ran} ran");
    assert!(ran > 0, "none was opened");
}

#[tokio::test]
async fn an_element_drawn_anew_is_stale_and_nothing_else_is_clicked() {
    let html = "<ul id=l></ul><script>let n = 0; function draw() { l.innerHTML = ''; n++; for (const x of ['A', 'B']) {
        const b = document.createElement('button'); b.textContent = x; b.onclick = () => { document.title = x + n }; l.append(b) } }
        draw(); setTimeout(draw, 0)</script><button onclick='draw()'>Draw</button>";
    let mut fixture = TabFixture::of(html).await;
    let a = fixture.find("A").await;
    fixture.click("Draw").await;
    assert_eq!(
        fixture.fails(Action::Click { target: a, times: 1 }).await,
        Error::Stale(a)
    );
    assert_eq!(fixture.snapshot().await.title, "");
    assert_ne!(fixture.find("A").await, a);
}

#[tokio::test]
async fn no_browser_says_how_to_get_one() {
    let settings = ChromiumSettings {
        program: Some("/nonexistent/chromium".into()),
        ..settings()
    };
    let refused = Chromium::new(client(), settings)
        .open(profile())
        .await
        .err()
        .unwrap();
    assert_eq!(refused.code(), "BROWSER_UNAVAILABLE");
    assert!(
        refused.to_string().contains("apt-get install chromium"),
        "{refused}"
    );
    let text = std::env::temp_dir().join(format!("huntsman-no-program-{}", std::process::id()));
    std::fs::write(&text, "not a program").unwrap();
    let settings = ChromiumSettings {
        program: Some(text.clone()),
        ..super::settings()
    };
    let refused = Chromium::new(client(), settings)
        .open(profile())
        .await
        .err()
        .unwrap();
    assert!(refused.to_string().contains("cannot be run"), "{refused}");
    std::fs::remove_file(text).unwrap();
}

#[tokio::test]
async fn refused_endpoints_are_passed_over_and_their_end_is_told() {
    let endpoint = |port: u16| format!("http://127.0.0.1:{port}").parse::<Url>().unwrap();
    let free = || {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    let settings = ChromiumSettings {
        endpoints: vec![endpoint(free()), endpoint(free())],
        ..settings()
    };
    let refused = Chromium::new(client(), settings)
        .open(profile())
        .await
        .err()
        .unwrap();
    assert_eq!(refused.code(), "BROWSER_UNAVAILABLE", "{refused}");
    let site = TestSite::start(|_| SiteReply::html("no").status(401)).await;
    let settings = ChromiumSettings {
        endpoints: vec![site.url("/").parse().unwrap(), endpoint(free())],
        ..super::settings()
    };
    let refused = Chromium::new(client(), settings)
        .open(profile())
        .await
        .err()
        .unwrap();
    assert_eq!((refused.code(), site.hits("/json/version")), ("CDP_AUTH", 1));
}

#[tokio::test]
async fn nothing_is_left_behind() {
    let folder = std::env::temp_dir().join(format!("huntsman-left-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let settings = ChromiumSettings {
        folder: folder.clone(),
        ..settings()
    };
    let browser = Chromium::new(client(), settings);
    let mut tab = browser.open(profile()).await.unwrap();
    let pid = browser.processes().await[0];
    assert_eq!(processes_of(&folder), 1);
    tab.close().await;
    browser.stop().await;
    drop((tab, browser));
    let end = tokio::time::Instant::now() + Duration::from_secs(10);
    let alive = || std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|it| !it.contains(") Z "));
    while (alive() || processes_of(&folder) > 0) && tokio::time::Instant::now() < end {
        tokio::task::yield_now().await;
    }
    assert_eq!((alive(), processes_of(&folder)), (false, 0));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A server that closes the connection without an answer, but for these paths.
fn silent_but_for(pages: &'static [(&'static str, &'static str, &'static str)]) -> Url {
    use std::io::{Read as _, Write as _};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let Ok(mut socket) = socket else { return };
            std::thread::spawn(move || {
                let mut asked = [0; 4096];
                let count = socket.read(&mut asked).unwrap_or(0);
                let asked = String::from_utf8_lossy(&asked[..count]).into_owned();
                let path = asked.split(' ').nth(1).unwrap_or_default();
                if let Some((_, status, html)) = pages.iter().find(|page| page.0 == path) {
                    let head = "content-type: text/html\r\nconnection: close";
                    let answer = format!("HTTP/1.1 {status}\r\n{head}\r\n\r\n{html}");
                    let _ = socket.write_all(answer.as_bytes());
                }
            });
        }
    });
    url.parse().unwrap()
}

#[tokio::test]
async fn a_refusal_of_a_site_is_its_answer_whatever_failed_there_before() {
    let url = silent_but_for(&[
        (
            "/",
            "200 OK",
            "<title>Here</title><img src=/broken.png><a href=/closed>Closed</a>",
        ),
        ("/closed", "403 Forbidden", "<title>Members only</title>"),
    ]);
    let browser = browser();
    let mut tab = browser.open(profile()).await.unwrap();
    tab.goto(&url).await.unwrap();
    let target = tab.find("a").await.unwrap()[0];
    let effect = tab.act(&Action::Click { target, times: 1 }).await.unwrap();
    let visit = effect.visit.unwrap();
    assert_eq!((visit.status, visit.title.as_str()), (Some(403), "Members only"));
    // Where the site gives no answer, that is the error all the same.
    let refused = tab.goto(&url.join("/silent").unwrap()).await.unwrap_err();
    assert_eq!(refused.code(), "CONNECT_FAILED", "{refused}");
}

#[tokio::test]
async fn cancelling_ends_a_wait_at_once() {
    let profile = profile();
    let cancel = profile.cancel.clone();
    let fixture = TabFixture::with(TestSite::of_pages(&[("/", "<p>x")]).await, profile).await;
    let mut tab = fixture.tab;
    let waiting = tokio::spawn(async move {
        let long = Action::Wait {
            until: browser::WaitCondition::Text("never".into()),
            timeout_ms: 600_000,
        };
        tab.act(&long).await
    });
    cancel.cancel();
    assert_eq!(waiting.await.unwrap().unwrap_err(), Error::Cancelled);
}

/// The processes that draw pages for a browser.
fn renderers(browser: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(pid) = entry.file_name().to_string_lossy().parse::<u32>() else {
            continue;
        };
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let group = stat
            .rsplit_once(')')
            .and_then(|it| it.1.split_whitespace().nth(2)?.parse().ok());
        if group == Some(browser) && String::from_utf8_lossy(&line).contains("--type=renderer") {
            found.push(pid);
        }
    }
    found
}

fn kill(pid: u32) {
    let _ = std::process::Command::new("kill")
        .args(["-9", &pid.to_string()])
        .status();
}

#[tokio::test]
async fn a_page_whose_process_dies_is_told_and_opened_again() {
    let mut fixture = TabFixture::of("<title>Here</title><button>Go</button>").await;
    let go = fixture.find("Go").await;
    let hits = fixture.site.hits("/");
    renderers(fixture.browser.processes().await[0])
        .into_iter()
        .for_each(kill);
    let refused = fixture.fails(Action::Click { target: go, times: 1 }).await;
    assert!(
        matches!(refused, Error::Crashed(_) | Error::Stale(_)),
        "{refused}"
    );
    assert_eq!(fixture.snapshot().await.title, "Here");
    let again = fixture.site.hits("/") - hits;
    // More than once only where the processes that waited for the next pages were among those that died.
    assert!((1..=4).contains(&again), "opened again {again} times");
}

#[tokio::test]
async fn many_runs_with_kills_and_cancelling_leave_nothing_behind() {
    let folder = std::env::temp_dir().join(format!("h{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let site = TestSite::of_pages(&[(
        "/",
        "<title>Run</title><button onclick='document.title=1'>Go</button>",
    )])
    .await;
    let settings = ChromiumSettings {
        folder: folder.clone(),
        browsers: 2,
        ..settings()
    };
    let browser = Chromium::new(client(), settings);
    let url: Url = site.url("/").parse().unwrap();
    let mut ends = Vec::new();
    for batch in 0..6 {
        let runs = (0..4).map(|number| {
            let (browser, url) = (browser.clone(), url.clone());
            tokio::spawn(async move {
                let profile = profile();
                let cancel = profile.cancel.clone();
                let mut tab = browser.open(profile).await?;
                if batch == 2 && number == 1 {
                    cancel.cancel();
                }
                tab.goto(&url).await?;
                if batch == 3 && number == 2 {
                    browser.processes().await.into_iter().for_each(kill);
                }
                let snapshot = tab.snapshot().await?;
                let target = snapshot.nodes.iter().find_map(|node| node.target).unwrap();
                let done = tab.act(&Action::Click { target, times: 1 }).await;
                tab.close().await;
                done.map(|_| ())
            })
        });
        for run in runs.collect::<Vec<_>>() {
            ends.push(run.await.unwrap());
        }
    }
    let failed: Vec<&Error> = ends.iter().filter_map(|end| end.as_ref().err()).collect();
    assert!(failed.contains(&&Error::Cancelled), "{failed:?}");
    assert!(
        failed.len() <= 5,
        "only what was killed or cancelled fails: {failed:?}"
    );
    let pids = browser.processes().await;
    assert!(!pids.is_empty() && pids.len() <= 2, "{pids:?}");
    // What a browser that is killed cannot clear up lies in our folder.
    for pid in &pids {
        let given = std::fs::read(format!("/proc/{pid}/environ")).unwrap();
        let given = String::from_utf8_lossy(&given);
        let scratch = given
            .split('\0')
            .find_map(|it| it.strip_prefix("TMPDIR="))
            .unwrap();
        assert!(std::path::Path::new(scratch).starts_with(&folder), "{scratch}");
        assert!(std::fs::read_dir(scratch).unwrap().next().is_some(), "it is used");
    }
    browser.stop().await;
    drop(browser);
    let alive = || {
        let gone = |pid: &u32| {
            std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|it| !it.contains(") Z "))
        };
        pids.iter().any(gone) || processes_of(&folder) > 0
    };
    let end = tokio::time::Instant::now() + Duration::from_secs(10);
    while alive() && tokio::time::Instant::now() < end {
        tokio::task::yield_now().await;
    }
    assert!(!alive());
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A server whose only page has a thousand million bytes; says how many of them were taken.
fn endless() -> (Url, std::sync::Arc<std::sync::atomic::AtomicU64>) {
    use std::io::{Read as _, Write as _};
    use std::sync::atomic::{AtomicU64, Ordering};
    const WHOLE: u64 = 1_000_000_000;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap())
        .parse()
        .unwrap();
    let taken = std::sync::Arc::new(AtomicU64::new(0));
    let counter = taken.clone();
    std::thread::spawn(move || {
        let row = format!("<p>{}</p>\n", "All work and no play. ".repeat(400));
        for socket in listener.incoming() {
            let Ok(mut socket) = socket else { return };
            let (row, counter) = (row.clone(), counter.clone());
            std::thread::spawn(move || {
                let _ = socket.read(&mut [0; 4096]);
                let head =
                    format!("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {WHOLE}\r\n\r\n");
                let start = "<!doctype html><title>Long</title><button>First</button>";
                let mut sent = socket.write_all(format!("{head}{start}").as_bytes());
                while sent.is_ok() && counter.load(Ordering::Relaxed) < WHOLE {
                    sent = socket.write_all(row.as_bytes());
                    counter.fetch_add(row.len() as u64, Ordering::Relaxed);
                }
            });
        }
    });
    (url, taken)
}

#[tokio::test]
async fn of_a_page_of_a_gigabyte_the_beginning_is_shown() {
    let (url, taken) = endless();
    let browser = browser();
    let mut tab = browser.open(profile()).await.unwrap();
    let visit = tab.goto(&url).await.unwrap();
    assert!(
        visit.warnings.contains(&browser::PageWarning::Truncated),
        "{visit:?}"
    );
    let snapshot = tab.snapshot().await.unwrap();
    assert_eq!(snapshot.title, "Long");
    assert!(snapshot.nodes.iter().any(|it| it.name == "First"));
    let taken = taken.load(std::sync::atomic::Ordering::Relaxed);
    assert!(taken < 200_000_000, "{taken} bytes were taken");
}
