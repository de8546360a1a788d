//! Refused addresses, by every route to them.

use std::net::TcpListener;

use net::{AllowRule, Blocked, Client, ClientConfig, Error, RobotsMode, parse_url};

use crate::world::{World, get, page, redirect, status};

async fn code(client: &Client, url: &str) -> &'static str {
    match parse_url(url) {
        Ok(url) => client
            .fetch(net::Request::get(url))
            .await
            .map_or_else(|error| error.code(), |_| "OK"),
        Err(error) => error.code(),
    }
}

/// Every spelling of a place nearby, asked with the real resolver and the real network, where something
/// does listen.
#[tokio::test]
async fn no_spelling_of_a_place_nearby_is_dialled() {
    let canary = TcpListener::bind("127.0.0.1:0").unwrap();
    canary.set_nonblocking(true).unwrap();
    let port = canary.local_addr().unwrap().port();
    let client = Client::new(ClientConfig::default()).unwrap();
    for host in [
        "127.0.0.1",
        "127.1",
        "127.0.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "017700000001",
        "127.0.0.2",
        "0",
        "0.0.0.0",
        "localhost",
        "LOCALHOST",
        "localhost.",
        "a.localhost",
        "[::1]",
        "[::]",
        "[0:0:0:0:0:0:0:1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[::7f00:1]",
        "[64:ff9b::127.0.0.1]",
        "[64:ff9b:1::7f00:1]",
        "[2002:7f00:1::]",
        "１２７.0.0.1",
        "127。0。0。1",
        "127．0．0．1",
        "①②⑦.0.0.1",
        "ok.test@127.0.0.1",
        "user:pw@127.0.0.1",
        "%31%32%37.0.0.1",
    ] {
        let url = format!("http://{host}:{port}/");
        assert_eq!(code(&client, &url).await, "URL_BLOCKED", "{url}");
    }
    assert_eq!(
        code(&client, &format!("http://127.0.0.1:{port}\\@ok.test/")).await,
        "URL_BLOCKED"
    );
    assert!(canary.accept().is_err(), "somebody called the canary");
}

#[tokio::test]
async fn special_places_are_refused_by_their_address() {
    let client = World::new().client();
    for url in [
        "http://169.254.169.254/latest/meta-data/",
        "http://[fd00:ec2::254]/latest/",
        "http://100.100.100.200/",
        "http://192.0.0.192/",
        "http://168.63.129.16/",
        "http://[64:ff9b::a9fe:a9fe]/",
        "http://[64:ff9b:1::a9fe:a9fe]/",
        "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
        "http://[2002:a9fe:a9fe::1]/",
        "http://10.0.0.1/",
        "http://172.16.0.1/",
        "http://172.31.255.255/",
        "http://192.168.0.1/",
        "http://192.0.2.1/",
        "http://198.18.0.1/",
        "http://224.0.0.1/",
        "http://240.0.0.1/",
        "http://255.255.255.255/",
        "http://100.64.0.1/",
        "http://[fe80::1]/",
        "http://[fc00::1]/",
        "http://[ff02::1]/",
        "http://[2001:db8::1]/",
        "http://metadata.google.internal/computeMetadata/v1/",
        "https://kubernetes.default.svc/",
        "http://redis:6379/",
        "http://printer.local/",
        "http://ok.test:25/",
        "gopher://127.0.0.1:6379/_INFO",
        "dict://127.0.0.1:11211/",
        "file:///etc/passwd",
        "chrome://settings",
        "view-source:http://ok.test/",
        "data:text/html,x",
        "javascript:1",
        "ftp://ok.test/",
    ] {
        assert_eq!(code(&client, url).await, "URL_BLOCKED", "{url}");
    }
    for url in [
        "http://[fe80::1%25eth0]/",
        "http://ok.test%00.evil.test/",
        "http://",
        "nonsense",
        "http://a b/",
    ] {
        assert_eq!(code(&client, url).await, "URL_INVALID", "{url}");
    }
}

/// Just outside the special blocks, policy has nothing to say (and nobody is at home).
#[tokio::test]
async fn neighbours_of_special_blocks_are_reached() {
    let world = World::new();
    let client = world.client();
    for ip in ["100.63.255.254", "100.128.0.1", "172.15.255.254", "172.32.0.1"] {
        assert_eq!(
            client.open(get(&format!("http://{ip}/"))).await.err(),
            Some(Error::Connect("connection refused")),
            "{ip}"
        );
    }
    assert_eq!(world.dialled().len(), 4);
}

#[tokio::test]
async fn one_bad_answer_of_the_resolver_refuses_the_host() {
    let world = World::new()
        .site("ok.test", |_| page("hello"))
        .name("internal.test", &["127.0.0.1"])
        .name("six.test", &["::1"])
        .name("mixed.test", &["93.184.216.34", "127.0.0.1"])
        .name("meta.test", &["169.254.169.254"])
        .name("mapped.test", &["::ffff:10.0.0.1"])
        .name("empty.test", &[]);
    let client = world.client();
    for host in [
        "internal.test",
        "six.test",
        "mixed.test",
        "meta.test",
        "mapped.test",
    ] {
        let refused = client.fetch(get(&format!("http://{host}/"))).await.unwrap_err();
        assert_eq!(refused.code(), "URL_BLOCKED", "{host}");
        let text = refused.to_string();
        assert!(
            !text.contains("127.") && !text.contains("10.") && !text.contains(host),
            "{text}"
        );
    }
    for host in ["unknown.test", "empty.test"] {
        assert_eq!(
            client
                .fetch(get(&format!("http://{host}/")))
                .await
                .unwrap_err()
                .code(),
            "DNS_FAILED",
            "{host}"
        );
    }
    assert!(world.dialled().is_empty());
    assert_eq!(client.fetch(get("http://ok.test/")).await.unwrap().body, "hello");
}

/// The first answer is the one that counts: nobody asks the resolver again behind the check.
#[tokio::test]
async fn a_name_that_changes_its_mind_gains_nothing() {
    use std::net::IpAddr;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    struct Rebinding(AtomicUsize);
    #[async_trait::async_trait]
    impl net::Resolve for Rebinding {
        async fn resolve(&self, _: &str) -> std::io::Result<Vec<IpAddr>> {
            let first = self.0.fetch_add(1, Ordering::SeqCst) == 0;
            Ok(vec![
                if first { "93.184.216.34" } else { "127.0.0.1" }.parse().unwrap(),
            ])
        }
    }
    let world = World::new().site("any.test", |_| page("public"));
    let resolver = Arc::new(Rebinding(AtomicUsize::new(0)));
    let client = Client::new(ClientConfig {
        resolver: Some(resolver.clone()),
        ..world.config()
    })
    .unwrap();
    assert_eq!(
        client.fetch(get("http://rebind.test/")).await.unwrap().body,
        "public"
    );
    assert_eq!(resolver.0.load(Ordering::SeqCst), 1);
    // A new connection asks again, and is refused.
    let again = Client::new(ClientConfig {
        resolver: Some(resolver),
        ..world.config()
    })
    .unwrap();
    assert_eq!(
        again.fetch(get("http://rebind.test/")).await.unwrap_err().code(),
        "URL_BLOCKED"
    );
    assert_eq!(world.canary_hits(), 0);
}

#[tokio::test]
async fn a_redirect_gets_the_same_check_at_every_hop() {
    for to in [
        "http://127.0.0.1:8080/",
        "http://169.254.169.254/",
        "//10.0.0.1/",
        "http://localhost/",
        "file:///etc/passwd",
        "http://internal.test/",
        "http://[::1]/",
        "gopher://ok.test/",
    ] {
        let world = World::new()
            .site("ok.test", move |asked| match asked.line.as_str() {
                "GET /1" => redirect(302, "/2"),
                "GET /2" => redirect(301, "http://b.test/3"),
                _ => redirect(307, to),
            })
            .site("b.test", |_| redirect(308, "http://ok.test/4"))
            .name("internal.test", &["192.168.1.1"]);
        let refused = world.client().fetch(get("http://ok.test/1")).await.unwrap_err();
        assert_eq!(refused.code(), "URL_BLOCKED", "{to}");
        assert_eq!((world.lines().len(), world.canary_hits()), (4, 0), "{to}");
    }
}

#[tokio::test]
async fn circles_and_endless_chains_end() {
    let world = World::new().site("ok.test", |asked| match asked.line.as_str() {
        "GET /self" => redirect(302, "/self"),
        "GET /a" => redirect(302, "/b"),
        "GET /b" => redirect(302, "/a"),
        line => redirect(302, &format!("{}x", line.trim_start_matches("GET "))),
    });
    for path in ["self", "a", "endless"] {
        let refused = world
            .client()
            .fetch(get(&format!("http://ok.test/{path}")))
            .await
            .unwrap_err();
        assert_eq!(refused, Error::TooManyRedirects, "{path}");
    }
    assert!(world.lines().len() <= 1 + 2 + 10, "{:?}", world.lines());
}

#[tokio::test]
async fn the_operator_can_open_a_door() {
    let canary = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = canary.local_addr().unwrap().port();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = canary.accept().await.unwrap();
            tokio::spawn(async move {
                use tokio::io::{AsyncReadExt, AsyncWriteExt};
                let mut head = [0; 4096];
                let _ = stream.read(&mut head).await;
                let _ = stream
                    .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi")
                    .await;
            });
        }
    });
    let url = format!("http://127.0.0.1:{port}/");
    for rule in [
        "127.0.0.1".to_owned(),
        "127.0.0.0/8".to_owned(),
        format!("127.0.0.1:{port}"),
    ] {
        let allow: Vec<AllowRule> = vec![rule.parse().unwrap()];
        let client = Client::new(ClientConfig {
            allow,
            ..ClientConfig::default()
        })
        .unwrap();
        assert_eq!(client.fetch(get(&url)).await.unwrap().body, "hi", "{rule}");
    }
    // A grant is for the host that was typed, and a connection made under it serves no one else.
    let client = Client::new(ClientConfig::default()).unwrap();
    let granted = net::Request {
        granted: true,
        ..get(&url)
    };
    assert_eq!(client.fetch(granted).await.unwrap().body, "hi");
    assert_eq!(client.fetch(get(&url)).await.unwrap_err().code(), "URL_BLOCKED");
}

#[tokio::test]
async fn a_grant_does_not_travel() {
    let world = World::new().site("typed.test", |_| redirect(302, "http://10.0.0.1/"));
    let request = net::Request {
        granted: true,
        ..get("http://typed.test/")
    };
    assert_eq!(
        world.client().fetch(request).await.unwrap_err().code(),
        "URL_BLOCKED"
    );
    assert_eq!(world.canary_hits(), 0);
}

#[tokio::test]
async fn nothing_is_sent_to_a_redirect_that_the_request_does_not_allow() {
    for (status, first) in [(307, "b.test"), (302, "b.test"), (308, "ok.test")] {
        let world = World::new()
            .site("ok.test", move |asked| match asked.line.ends_with("/second") {
                true => redirect(status, "http://b.test/end"),
                false => redirect(status, &format!("http://{first}/second")),
            })
            .site("b.test", |_| redirect(302, "http://ok.test/back"));
        let mut request = net::Request::post(
            parse_url("http://ok.test/first").unwrap(),
            "text/plain",
            "private",
        );
        request.hop_filter = net::HopFilter::new(|url| url.host_str() == Some("ok.test"));
        assert_eq!(
            world.client().fetch(request).await.unwrap_err(),
            Error::BlockedRedirect {
                target: "http://b.test".into(),
                why: Blocked::Session,
            }
        );
        let hosts: Vec<_> = world
            .asked()
            .iter()
            .map(|asked| asked.header("host").map(str::to_owned))
            .collect();
        assert!(
            hosts.iter().all(|host| host.as_deref() == Some("ok.test")),
            "{hosts:?}"
        );
    }
}

#[tokio::test]
async fn side_doors_are_shut_too() {
    let world = World::new().site("ok.test", |asked| match asked.line.as_str() {
        "GET /robots.txt" => redirect(302, "http://127.0.0.1:9/"),
        _ => page("hello"),
    });
    let request = net::Request {
        robots: RobotsMode::Obey,
        ..get("http://ok.test/")
    };
    assert_eq!(
        world.client().fetch(request).await.unwrap_err().code(),
        "URL_BLOCKED"
    );
    // A model endpoint or a webhook named by somebody else.
    let named = parse_url("http://127.0.0.1:11434/v1").unwrap();
    assert_eq!(
        world.client().check(&named, false).await.unwrap_err().code(),
        "URL_BLOCKED"
    );
    let post = net::Request::post(named, "application/json", "{}")
        .header("authorization", "Bearer secret")
        .unwrap();
    let refused = world.client().open(post).await.err().unwrap();
    assert_eq!(refused.code(), "URL_BLOCKED");
    assert!(!refused.to_string().contains("secret"));
    // A proxy that is not the operator's own.
    let proxy = Some("http://127.0.0.1:3128".parse().unwrap());
    let client = Client::new(ClientConfig {
        proxy,
        ..world.config()
    })
    .unwrap();
    assert_eq!(
        client.fetch(get("http://ok.test/")).await.unwrap_err().code(),
        "URL_BLOCKED"
    );
    assert_eq!(world.canary_hits(), 0);
}

#[tokio::test]
async fn an_own_port_is_refused_even_to_a_grant() {
    let own = vec!["0.0.0.0:8787".parse().unwrap()];
    let client = Client::new(ClientConfig {
        own,
        ..World::new().config()
    })
    .unwrap();
    let request = net::Request {
        granted: true,
        ..get("http://127.0.0.1:8787/v1/runs")
    };
    assert_eq!(client.fetch(request).await.unwrap_err().code(), "URL_BLOCKED");
}

#[tokio::test]
async fn the_operators_proxy_is_asked_for_the_checked_address() {
    let world = World::new()
        .site("ok.test", |_| status(404))
        .raw("proxy.test", "HTTP/1.1 407 Who\r\n\r\n");
    let proxy = Some("http://joe:s%40crt@proxy.test:3128".parse().unwrap());
    let client = Client::new(ClientConfig {
        proxy,
        proxy_granted: true,
        ..world.config()
    })
    .unwrap();
    let refused = client.open(get("http://ok.test/")).await.err().unwrap();
    assert_eq!(refused, Error::Connect("the proxy wants other credentials"));
    assert_eq!(world.lines(), ["CONNECT 93.184.216.34:80 HTTP/1.1"]);
}
