//! Response bodies: decoding and limits.

use std::io::Write;
use std::time::Duration;

use bytes::Bytes;
use net::{Client, ClientConfig, Error, Limits, Oversize, SizeLimit, TimeLimit};
use tokio::time::Instant;

use crate::world::{World, get, page, status, with};

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

async fn packed(data: &[u8], coding: &str) -> Vec<u8> {
    use async_compression::tokio::write::{BrotliEncoder, DeflateEncoder, ZlibEncoder, ZstdEncoder};
    use tokio::io::AsyncWriteExt;
    macro_rules! pack {
        ($encoder:ident) => {{
            let mut encoder = $encoder::with_quality(Vec::new(), async_compression::Level::Fastest);
            encoder.write_all(data).await.unwrap();
            encoder.shutdown().await.unwrap();
            encoder.into_inner()
        }};
    }
    match coding {
        "br" => pack!(BrotliEncoder),
        "deflate" => pack!(ZlibEncoder),
        "deflate-raw" => pack!(DeflateEncoder),
        "zstd" => pack!(ZstdEncoder),
        _ => gzip(data),
    }
}

fn site(body: Vec<u8>, coding: &'static str) -> World {
    let body = Bytes::from(body);
    World::new().site("ok.test", move |_| {
        with(page(body.clone()), "content-encoding", coding)
    })
}

fn words() -> Vec<u8> {
    (0..40_000u32)
        .flat_map(|n| format!("{} ", n.wrapping_mul(2_654_435_761)).into_bytes())
        .collect()
}

#[tokio::test]
async fn every_coding_we_ask_for_is_understood() {
    let plain = words();
    for (coding, header) in [
        ("gzip", "gzip"),
        ("gzip", "x-gzip"),
        ("br", "br"),
        ("deflate", "deflate"),
        ("deflate-raw", "deflate"),
        ("zstd", "zstd"),
    ] {
        let world = site(packed(&plain, coding).await, header);
        let page = world.client().fetch(get("http://ok.test/")).await.unwrap();
        assert!(page.body == plain && !page.truncated, "{coding}");
        assert!(
            world.asked()[0]
                .header("accept-encoding")
                .unwrap()
                .contains(header.trim_start_matches("x-"))
        );
    }
}

#[tokio::test]
async fn bombs_are_stopped_while_they_unfold() {
    let zeros = vec![0; 16 << 20];
    for coding in ["gzip", "br", "zstd", "deflate"] {
        let bomb = packed(&zeros, coding).await;
        let refused = site(bomb, coding)
            .client()
            .fetch(get("http://ok.test/"))
            .await
            .unwrap_err();
        assert_eq!(refused, Error::TooLarge(SizeLimit::Ratio), "{coding}");
        assert_eq!(refused.code(), "RESPONSE_TOO_LARGE");
    }
}

#[tokio::test]
async fn a_stream_gives_out_no_more_than_the_limit() {
    let limits = Limits {
        body_bytes: 100_000,
        ratio: u32::MAX,
        ..Limits::default()
    };
    let client = Client::new(ClientConfig {
        limits,
        ..site(gzip(&vec![0; 10 << 20]), "gzip").config()
    })
    .unwrap();
    let mut stream = client.open(get("http://ok.test/")).await.unwrap();
    let mut given = 0;
    let end = loop {
        match stream.chunk().await {
            Ok(Some(part)) => given += part.len(),
            end => break end,
        }
    };
    assert_eq!(end, Err(Error::TooLarge(SizeLimit::Body)));
    assert!(given <= 100_000, "{given}");
}

#[tokio::test]
async fn stacked_codings_are_refused() {
    for coding in ["gzip, gzip, gzip", "gzip, br"] {
        let body = gzip(&gzip(&gzip(b"hello")));
        let refused = site(body, coding)
            .client()
            .fetch(get("http://ok.test/"))
            .await
            .unwrap_err();
        assert_eq!(refused, Error::BadEncoding);
    }
}

/// A raw answer with this coding, this framing and these bytes.
fn raw(coding: &str, framing: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\n{framing}\r\n");
    [head.as_bytes(), body].concat()
}

#[tokio::test(start_paused = true)]
async fn a_body_cut_in_its_coding_is_an_error_that_says_who_cut_it() {
    let plain = words();
    for coding in ["gzip", "br", "zstd", "deflate"] {
        let whole = packed(&plain, coding).await;
        for at in [whole.len() / 2, whole.len() - 1] {
            let cut = &whole[..at];
            for (framing, error) in [
                // The server sent all it announced, so that the data themselves are broken.
                (format!("Content-Length: {at}\r\n"), Error::BadEncoding),
                (format!("Content-Length: {}\r\n", whole.len()), Error::Incomplete),
                ("Connection: close\r\n".to_owned(), Error::Incomplete),
            ] {
                let world = World::new().raw("ok.test", raw(coding, &framing, cut));
                let fetched = world.client().fetch(get("http://ok.test/")).await;
                assert_eq!(fetched.unwrap_err(), error, "{coding} {at} {framing:?}");
            }
        }
    }
}

#[tokio::test]
async fn every_member_of_a_gzip_file_counts_and_padding_does_not() {
    let two = [gzip(b"one "), gzip(b"two")].concat();
    for (body, text) in [
        (two.clone(), "one two"),
        ([two, vec![0; 512]].concat(), "one two"),
        ([gzip(b"one"), b"\r\n".to_vec()].concat(), "one"),
    ] {
        let fetched = site(body, "gzip").client().fetch(get("http://ok.test/")).await;
        assert_eq!(fetched.unwrap().body, text);
    }
}

#[tokio::test]
async fn a_wrong_coding_is_told() {
    let page = site(b"<p>not packed at all</p>".to_vec(), "gzip")
        .client()
        .fetch(get("http://ok.test/"))
        .await;
    assert_eq!(page.unwrap_err(), Error::BadEncoding);
    let page = site(b"<p>plain</p>".to_vec(), "utf-8")
        .client()
        .fetch(get("http://ok.test/"))
        .await
        .unwrap();
    assert_eq!(page.body, "<p>plain</p>");
    let page = site(vec![], "gzip")
        .client()
        .fetch(get("http://ok.test/"))
        .await
        .unwrap();
    assert_eq!((page.body.len(), page.truncated), (0, false));
}

#[tokio::test]
async fn an_empty_answer_is_an_answer() {
    let page = World::new()
        .site("ok.test", |_| status(204))
        .client()
        .fetch(get("http://ok.test/"))
        .await
        .unwrap();
    assert_eq!((page.status.as_u16(), page.body.len()), (204, 0));
}

#[tokio::test]
async fn a_large_page_can_be_cut_instead_of_refused() {
    let world = World::new().site("ok.test", |_| page(vec![b'x'; 300_000]));
    let limits = |oversize| Limits {
        body_bytes: 100_000,
        oversize,
        ..Limits::default()
    };
    let asked = |oversize| net::Request {
        limits: Some(limits(oversize)),
        ..get("http://ok.test/")
    };
    let refused = world.client().fetch(asked(Oversize::Refuse)).await.unwrap_err();
    assert_eq!(refused, Error::TooLarge(SizeLimit::Body));
    let page = world.client().fetch(asked(Oversize::Cut)).await.unwrap();
    assert_eq!((page.body.len(), page.truncated), (100_000, true));
}

/// Raw answers and what they are.
#[tokio::test]
async fn answers_that_are_no_correct_http_are_told_apart() {
    for (raw, code) in [
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
            "BAD_RESPONSE",
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "BAD_RESPONSE"),
        ("nonsense\r\n\r\n", "BAD_RESPONSE"),
        ("HTTP/1.1 2000 OK\r\n\r\n", "BAD_RESPONSE"),
        ("HTTP/1.1 200 OK\r\nbad header\r\n\r\n", "BAD_RESPONSE"),
        ("", "CONNECT_FAILED"),
        ("HTTP/1.1 200 OK\r\nContent-", "CONNECT_FAILED"),
    ] {
        let limits = Limits {
            attempts: 1,
            ..Limits::default()
        };
        let client = Client::new(ClientConfig {
            limits,
            ..World::new().raw("ok.test", raw).config()
        })
        .unwrap();
        let refused = client.fetch(get("http://ok.test/")).await.unwrap_err();
        assert_eq!(refused.code(), code, "{raw:?}: {refused}");
    }
}

#[tokio::test]
async fn too_many_or_too_long_headers_are_refused() {
    let many: String = (0..1000).map(|n| format!("h{n}: x\r\n")).collect();
    let long = format!("h: {}\r\n", "x".repeat(2 << 20));
    for headers in [many, long] {
        let raw = format!("HTTP/1.1 200 OK\r\n{headers}content-length: 0\r\n\r\n");
        let refused = World::new()
            .raw("ok.test", raw)
            .client()
            .fetch(get("http://ok.test/"))
            .await
            .unwrap_err();
        assert_eq!(refused, Error::TooLarge(SizeLimit::Headers));
    }
}

#[tokio::test]
async fn a_flood_of_preliminaries_ends() {
    let raw = "HTTP/1.1 100 Continue\r\n\r\n".repeat(1000) + "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
    let answer = World::new()
        .raw("ok.test", raw)
        .client()
        .open(get("http://ok.test/"))
        .await;
    // All in one packet the real answer may be there already; in any case there is an end.
    assert!(
        answer.as_ref().is_ok_and(|it| it.status == 200)
            || answer.is_err_and(|error| error.code() == "BAD_RESPONSE")
    );
    let raw = "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(1000);
    let refused = World::new()
        .silent_after("ok.test", raw)
        .client()
        .open(get("http://ok.test/"))
        .await
        .err()
        .unwrap();
    assert_eq!(refused.code(), "BAD_RESPONSE");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_answers_is_left() {
    let world = World::new().silent_after("ok.test", "");
    let limits = Limits {
        first_byte: Duration::from_secs(3),
        attempts: 1,
        ..Limits::default()
    };
    let client = Client::new(ClientConfig {
        limits,
        ..world.config()
    })
    .unwrap();
    let began = Instant::now();
    assert_eq!(
        client.fetch(get("http://ok.test/")).await.unwrap_err(),
        Error::Timeout(TimeLimit::FirstByte)
    );
    assert_eq!(began.elapsed().as_secs(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_falls_silent_or_drips_is_left() {
    let began = Instant::now();
    let world = World::new().silent_after("ok.test", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc");
    assert_eq!(
        world.client().fetch(get("http://ok.test/")).await.unwrap_err(),
        Error::Timeout(TimeLimit::Idle)
    );
    assert_eq!(began.elapsed().as_secs(), Limits::default().idle.as_secs());

    // One byte every ten seconds is never idle for long, and still comes to an end.
    let began = Instant::now();
    let world = World::new().dripping("ok.test", Duration::from_secs(10));
    assert_eq!(
        world.client().fetch(get("http://ok.test/")).await.unwrap_err(),
        Error::Timeout(TimeLimit::Total)
    );
    assert_eq!(began.elapsed().as_secs(), Limits::default().total.as_secs());
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_request_ends_at_once_wherever_it_is() {
    for bytes in ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"] {
        let client = World::new().silent_after("ok.test", bytes).client();
        let request = get("http://ok.test/");
        let cancel = request.cancel.clone();
        let fetch = tokio::spawn(async move { client.fetch(request).await });
        tokio::time::sleep(Duration::from_secs(1)).await;
        let began = Instant::now();
        cancel.cancel();
        assert_eq!(fetch.await.unwrap().unwrap_err(), Error::Cancelled);
        assert_eq!(began.elapsed(), Duration::ZERO);
    }
}
