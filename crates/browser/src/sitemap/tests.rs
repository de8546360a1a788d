use std::io::Write;

use testkit::{Reply, Site};

use super::*;

async fn reading(site: &Site, path: &str, limits: &MapLimits) -> Result<SiteMap, Error> {
    let client = Client::new(net::Config {
        allow: vec!["127.0.0.1".parse().unwrap()],
        ..Default::default()
    })
    .unwrap();
    let start: Url = site.url(path).parse().unwrap();
    read(
        &client,
        std::slice::from_ref(&start),
        &Request::get(start.clone()),
        limits,
    )
    .await
}

fn paths(map: &SiteMap) -> Vec<&str> {
    map.pages.iter().map(|page| page.url.path()).collect()
}

fn index(of: &[&str]) -> String {
    let maps: String = of
        .iter()
        .map(|path| format!("<sitemap><loc> {path} </loc></sitemap>"))
        .collect();
    format!("<?xml version='1.0'?><sitemapindex>{maps}</sitemapindex>")
}

fn pack(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn maps_of_every_form_are_read() {
    let site = Site::start(|asked| match asked.path.as_str() {
        "/index" => Reply::bytes("text/xml", index(&["/a.xml", "/b.xml.gz", "/c.txt", "/missing", "/a.xml"])),
        "/a.xml" => Reply::bytes(
            "application/xml",
            "<urlset><url><loc>/1?x=1&amp;y=2</loc><lastmod>2026-01-02</lastmod></url>
             <url><loc><![CDATA[ /2 ]]></loc></url><url><loc>mailto:x</loc></url><url><loc>/1?x=1&amp;y=2</loc></url>",
        ),
        "/b.xml.gz" => Reply::bytes("application/octet-stream", pack(b"<urlset><url><loc>/3</loc></url></urlset>")),
        "/c.txt" => Reply::bytes("text/plain", "http://ok.test/4\nnonsense\nhttp://ok.test/5"),
        _ => Reply::html("").status(404),
    })
    .await;
    let map = reading(&site, "/index", &MapLimits::default()).await.unwrap();
    assert_eq!(paths(&map), ["/1", "/2", "/3", "/4", "/5"]);
    assert_eq!(
        (map.pages[0].url.query(), map.pages[0].modified.as_deref()),
        (Some("x=1&y=2"), Some("2026-01-02"))
    );
    assert_eq!((map.files, map.failed, map.truncated), (5, 1, false));
}

#[tokio::test]
async fn circles_and_endless_indexes_end() {
    let site = Site::start(|asked| {
        let path = asked.path.as_str();
        match path {
            "/a" => Reply::bytes("text/xml", index(&["/b"])),
            "/b" => Reply::bytes("text/xml", index(&["/a"])),
            _ => Reply::bytes(
                "text/xml",
                index(&[&format!("{path}x"), &format!("{path}y"), &format!("{path}z")]),
            ),
        }
    })
    .await;
    assert_eq!(
        reading(&site, "/a", &MapLimits::default()).await.unwrap().files,
        2
    );
    let deep = reading(&site, "/deep", &MapLimits::default()).await.unwrap();
    assert_eq!((deep.files, deep.truncated), (1 + 3 + 9, true));
    let few = reading(
        &site,
        "/few",
        &MapLimits {
            files: 5,
            ..MapLimits::default()
        },
    )
    .await
    .unwrap();
    assert_eq!((few.files, few.truncated), (5, true));
}

#[tokio::test]
async fn a_packed_bomb_unfolds_no_further_than_allowed() {
    let mut bomb = b"<urlset><url><loc>/1</loc></url>".to_vec();
    bomb.resize(8 << 20, b' ');
    let bomb = pack(&bomb);
    let site = Site::start(move |_| Reply::bytes("application/gzip", bomb.clone())).await;
    let map = reading(
        &site,
        "/map",
        &MapLimits {
            bytes: 100_000,
            ..MapLimits::default()
        },
    )
    .await
    .unwrap();
    assert_eq!((paths(&map), map.truncated), (vec!["/1"], true));
}

#[tokio::test]
async fn a_map_does_not_lead_inside() {
    let site = Site::start(|_| Reply::bytes("text/xml", index(&["http://10.0.0.1/map.xml"]))).await;
    assert_eq!(
        reading(&site, "/map", &MapLimits::default())
            .await
            .unwrap_err()
            .code(),
        "URL_BLOCKED"
    );
}
