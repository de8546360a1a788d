//! Fetching a page: redirects, retries, cookies, politeness, reused connections.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use net::{Client, ClientConfig, CookieJar, Error, Limits, RobotsMode};
use tokio::time::Instant;

use crate::world::{World, get, page, redirect, status, with};

#[tokio::test]
async fn redirects_are_followed_and_told() {
    let world = World::new().site("ok.test", |asked| match asked.line.as_str() {
        "GET /a?x=1" => redirect(301, "b"),
        "GET /b" => redirect(302, "http://ok.test/c d"),
        _ => page("here"),
    });
    let response = world
        .client()
        .fetch(get("http://ok.test/a?x=1#part"))
        .await
        .unwrap();
    assert_eq!(response.url.as_str(), "http://ok.test/c%20d#part");
    assert_eq!(response.body, "here");
    let hops: Vec<&str> = response.hops.iter().map(|url| url.path()).collect();
    assert_eq!(hops, ["/a", "/b"]);
    assert_eq!(world.dialled().len(), 1, "one connection serves them all");
}

#[tokio::test]
async fn no_header_of_the_caller_follows_to_another_origin_or_returns_from_it() {
    const MINE: [(&str, &str); 6] = [
        ("authorization", "Bearer secret"),
        ("cookie", "id=secret"),
        ("x-tenant", "secret"),
        ("accept", "text/secret"),
        ("user-agent", "secret/1"),
        ("referer", "http://ok.test/secret"),
    ];
    for code in [301, 302, 303, 307, 308] {
        for other in ["http://b.test", "http://ok.test:8080"] {
            let world = World::new()
                .site("ok.test", move |asked| {
                    match (asked.header("host"), asked.line.as_str()) {
                        (Some("ok.test"), "GET /") => redirect(code, "/same"),
                        (Some("ok.test"), "GET /same") => redirect(code, &format!("{other}/other")),
                        (Some("ok.test:8080"), _) => redirect(code, "http://ok.test/back"),
                        _ => page("here"),
                    }
                })
                .site("b.test", move |_| redirect(code, "http://ok.test/back"));
            let request = MINE
                .into_iter()
                .fold(get("http://ok.test/"), |request, (name, value)| {
                    request.header(name, value).unwrap()
                });
            assert_eq!(world.client().fetch(request).await.unwrap().body, "here");
            let asked = world.asked();
            let lines: Vec<&str> = asked.iter().map(|asked| asked.line.as_str()).collect();
            assert_eq!(lines, ["GET /", "GET /same", "GET /other", "GET /back"]);
            for (name, value) in MINE {
                let sent: Vec<bool> = asked
                    .iter()
                    .map(|asked| asked.header(name) == Some(value))
                    .collect();
                assert_eq!(sent, [true, true, false, false], "{code} {other} {name}");
            }
        }
    }
}

#[tokio::test]
async fn a_body_keeps_its_type_on_the_way_to_another_origin_and_nothing_else() {
    let world = World::new()
        .site("ok.test", |_| redirect(307, "http://b.test/"))
        .site("b.test", |_| page("here"));
    let request = net::Request::post("http://ok.test/".parse().unwrap(), "application/json", "{}");
    let request = request.header("x-tenant", "secret").unwrap();
    world.client().fetch(request).await.unwrap();
    let last = world.asked().pop().unwrap();
    assert_eq!(
        (
            last.header("content-type"),
            last.header("x-tenant"),
            last.body.as_ref()
        ),
        (Some("application/json"), None, b"{}".as_ref())
    );
}

#[tokio::test]
async fn an_answer_behind_a_private_redirect_is_public_only_where_it_was_asked_for_without_headers() {
    let world = World::new().site("ok.test", |asked| match asked.line.as_str() {
        "GET /" => with(redirect(301, "/private"), "cache-control", "max-age=60"),
        _ => with(page("mine"), "cache-control", "max-age=60"),
    });
    let client = Client::new(ClientConfig {
        cache: net::CacheConfig::default(),
        ..world.config()
    })
    .unwrap();
    let mine = get("http://ok.test/").header("x-tenant", "acme").unwrap();
    client.fetch(mine).await.unwrap();
    assert!(
        !client
            .fetch(get("http://ok.test/private"))
            .await
            .unwrap()
            .from_cache
    );
    client.fetch(get("http://ok.test/")).await.unwrap();
    assert_eq!(world.lines(), ["GET /", "GET /private", "GET /private", "GET /"]);
}

#[tokio::test]
async fn headers_of_the_connection_are_ours() {
    let world = World::new().site("ok.test", |_| page("here"));
    let request = get("http://ok.test:8080/")
        .header("host", "evil.test")
        .unwrap()
        .header("connection", "upgrade")
        .unwrap();
    world.client().fetch(request).await.unwrap();
    let asked = &world.asked()[0];
    assert_eq!(
        (asked.header("host"), asked.header("connection")),
        (Some("ok.test:8080"), None)
    );
    assert!(asked.header("user-agent").unwrap().starts_with("Huntsman/"));
}

#[tokio::test]
async fn a_failure_status_is_an_answer() {
    let world = World::new().site("ok.test", |_| status(404));
    let response = world.client().fetch(get("http://ok.test/")).await.unwrap();
    assert_eq!(response.accepted().unwrap_err(), Error::Upstream { status: 404 });
    assert_eq!(world.lines().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_busy_server_is_asked_again_when_it_said() {
    let count = AtomicUsize::new(0);
    let world = World::new().site("ok.test", move |_| match count.fetch_add(1, Ordering::SeqCst) {
        0 => with(status(429), "retry-after", "5"),
        _ => page("now"),
    });
    let began = Instant::now();
    let response = world.client().fetch(get("http://ok.test/")).await.unwrap();
    assert_eq!(
        (response.body.as_ref(), response.timing.tries),
        (b"now".as_ref(), 2)
    );
    let waited = began.elapsed();
    assert!(
        waited >= Duration::from_secs(5) && waited < Duration::from_secs(6),
        "{waited:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_broken_server_is_not_asked_for_ever() {
    let world = World::new().site("ok.test", |_| status(503));
    let response = world.client().fetch(get("http://ok.test/")).await.unwrap();
    assert_eq!(world.lines().len(), Limits::default().attempts as usize);
    assert_eq!(response.accepted().unwrap_err().code(), "UPSTREAM_ERROR");
}

#[tokio::test(start_paused = true)]
async fn what_is_not_idempotent_is_sent_once() {
    let world = World::new().site("ok.test", |_| status(503));
    let post = net::Request::post("http://ok.test/".parse().unwrap(), "text/plain", "x");
    assert_eq!(world.client().fetch(post).await.unwrap().status.as_u16(), 503);
    assert_eq!(world.lines(), ["POST /"]);
    assert_eq!(world.asked()[0].body, "x");
}

#[tokio::test(start_paused = true)]
async fn a_connection_the_server_closed_meanwhile_costs_nothing() {
    let world = World::new().once("ok.test", |_| page("here"));
    let client = world.client();
    for _ in 0..3 {
        let response = client.fetch(get("http://ok.test/")).await.unwrap();
        assert_eq!(
            (response.body.as_ref(), response.timing.tries),
            (b"here".as_ref(), 1)
        );
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    assert_eq!(world.dialled().len(), 3);
}

#[tokio::test]
async fn cookies_belong_to_their_jar() {
    let world = World::new().site("ok.test", |asked| match asked.line.as_str() {
        "GET /login" => with(
            with(redirect(302, "/home"), "set-cookie", "id=7; Path=/"),
            "set-cookie",
            "x=1; Path=/x",
        ),
        _ => page(asked.header("cookie").unwrap_or("none").to_owned()),
    });
    let (client, jar) = (world.client(), CookieJar::new());
    let mut login = get("http://ok.test/login");
    login.jar = Some(jar.clone());
    assert_eq!(client.fetch(login).await.unwrap().body, "id=7");
    assert_eq!(
        client.fetch(get("http://ok.test/home")).await.unwrap().body,
        "none"
    );
    assert_eq!(jar.all().len(), 2);
}

/// Many sites set a cookie and send the visitor back to where he came from.
#[tokio::test]
async fn a_greeting_with_a_cookie_is_no_circle() {
    let world = World::new().site("ok.test", |asked| match asked.header("cookie") {
        None => with(redirect(302, "/"), "set-cookie", "seen=1"),
        Some(_) => page("welcome"),
    });
    let mut request = get("http://ok.test/");
    request.jar = Some(CookieJar::new());
    assert_eq!(world.client().fetch(request).await.unwrap().body, "welcome");
    assert_eq!(
        world.client().fetch(get("http://ok.test/")).await.unwrap_err(),
        Error::TooManyRedirects
    );
}

fn obeying(url: &str) -> net::Request {
    net::Request {
        robots: RobotsMode::Obey,
        ..get(url)
    }
}

#[tokio::test(start_paused = true)]
async fn robots_rules_are_asked_once_and_obeyed() {
    let world = World::new().site("ok.test", |asked| match asked.line.as_str() {
        "GET /robots.txt" => page("User-agent: *\nDisallow: /private\nCrawl-delay: 3"),
        _ => page("here"),
    });
    let (client, began) = (world.client(), Instant::now());
    for path in ["a", "b", "c"] {
        assert_eq!(
            client
                .fetch(obeying(&format!("http://ok.test/{path}")))
                .await
                .unwrap()
                .body,
            "here"
        );
    }
    assert_eq!(began.elapsed().as_secs(), 6, "three pages are two pauses apart");
    assert_eq!(
        client
            .fetch(obeying("http://ok.test/private/x"))
            .await
            .unwrap_err(),
        Error::RobotsDisallowed
    );
    assert_eq!(
        client.fetch(get("http://ok.test/private/x")).await.unwrap().body,
        "here",
        "a person asked"
    );
    assert_eq!(
        world
            .lines()
            .iter()
            .filter(|line| *line == "GET /robots.txt")
            .count(),
        1
    );
}

#[tokio::test(start_paused = true)]
async fn first_pages_of_a_site_share_one_look_up_of_its_rules() {
    let world = World::new().site("ok.test", |asked| match asked.line.as_str() {
        "GET /robots.txt" => page("User-agent: *\nDisallow: /private"),
        _ => page("here"),
    });
    let client = world.client();
    let pages = ["/a", "/b", "/private/c", "/d", "/e", "/f"].map(|path| {
        let client = client.clone();
        tokio::spawn(async move { client.fetch(obeying(&format!("http://ok.test{path}"))).await })
    });
    let mut refused = 0;
    for page in pages {
        let outcome = page.await.unwrap();
        refused += usize::from(outcome.is_err_and(|error| error == Error::RobotsDisallowed));
    }
    let lines = world.lines();
    let looked_up = lines.iter().filter(|line| *line == "GET /robots.txt").count();
    assert_eq!((refused, looked_up), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn the_time_of_looking_up_the_rules_is_not_that_of_the_page() {
    let was_busy = AtomicBool::new(false);
    let world = World::new().site("ok.test", move |asked| match asked.line.as_str() {
        "GET /robots.txt" => page("User-agent: *"),
        "GET /busy" if !was_busy.swap(true, Ordering::SeqCst) => with(status(503), "retry-after", "20"),
        _ => page("here"),
    });
    let client = world.client();
    let busy = tokio::spawn({
        let client = client.clone();
        async move { client.fetch(get("http://ok.test/busy")).await }
    });
    // All tasks are idle when a second has passed: the host has asked for silence.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let mut request = obeying("http://ok.test/a");
    request.limits = Some(Limits {
        total: Duration::from_secs(10),
        ..Limits::default()
    });
    assert_eq!(client.fetch(request).await.unwrap().body, "here");
    assert_eq!(busy.await.unwrap().unwrap().body, "here");
}

#[tokio::test(start_paused = true)]
async fn a_page_that_is_given_up_leaves_the_look_up_of_the_rules_to_the_others() {
    let world = World::new().site("ok.test", |_| page("User-agent: *\nDisallow: /private"));
    let client = world.client();
    let mut first = Box::pin(client.fetch(obeying("http://ok.test/a")));
    let mut second = Box::pin(client.fetch(obeying("http://ok.test/private")));
    for fetch in [&mut first, &mut second] {
        assert!(tokio::time::timeout(Duration::ZERO, fetch).await.is_err());
    }
    drop(first);
    assert_eq!(second.await.unwrap_err(), Error::RobotsDisallowed);
}

/// RFC 9309: no file allows everything, a failing server nothing; half a megabyte is enough of it.
#[tokio::test(start_paused = true)]
async fn odd_robots_files_have_their_meaning() {
    let long = format!(
        "User-agent: *\nDisallow: /x\n{}Disallow: /late\n",
        "# filler\n".repeat(100_000)
    );
    let cases: [(&str, u16, String, &str, bool); 6] = [
        ("missing", 404, String::new(), "/x", true),
        ("forbidden", 403, String::new(), "/x", true),
        ("failing", 503, String::new(), "/x", false),
        ("long, its start", 200, long.clone(), "/x", false),
        ("long, beyond the limit", 200, long, "/late", true),
        ("binary", 200, "\u{0}\u{1}\u{2}".repeat(1000), "/x", true),
    ];
    for (what, code, file, path, allowed) in cases {
        let world = World::new().site("ok.test", move |asked| match asked.line.as_str() {
            "GET /robots.txt" => {
                let mut answer = page(file.clone());
                *answer.status_mut() = http::StatusCode::from_u16(code).unwrap();
                answer
            }
            _ => page("here"),
        });
        let outcome = world
            .client()
            .fetch(obeying(&format!("http://ok.test{path}")))
            .await;
        assert_eq!(outcome.is_ok(), allowed, "{what}");
    }
    let world = World::new().site("ok.test", |asked| match asked.line.as_str() {
        line if line.contains("robots") => redirect(302, "/robots.txt"),
        _ => page("here"),
    });
    assert_eq!(
        world
            .client()
            .fetch(obeying("http://ok.test/"))
            .await
            .unwrap()
            .body,
        "here"
    );
}

#[tokio::test(start_paused = true)]
async fn a_dead_address_is_given_up_in_time() {
    struct Never;
    #[async_trait::async_trait]
    impl net::Dial for Never {
        async fn dial(&self, _: std::net::SocketAddr) -> std::io::Result<Box<dyn net::Socket>> {
            std::future::pending().await
        }
    }
    let limits = Limits {
        attempts: 1,
        ..Limits::default()
    };
    let dialer = Some(std::sync::Arc::new(Never) as std::sync::Arc<dyn net::Dial>);
    let client = Client::new(ClientConfig {
        limits,
        dialer,
        ..ClientConfig::default()
    })
    .unwrap();
    let began = Instant::now();
    assert_eq!(
        client
            .fetch(get("http://93.184.216.34/"))
            .await
            .unwrap_err()
            .code(),
        "TIMEOUT"
    );
    assert_eq!(began.elapsed(), Limits::default().connect);
}
