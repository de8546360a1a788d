//! Maps of sites that are watched.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use agents::watch::WatchedContent;
use serde_json::json;
use testkit::{ScriptedProvider, ScriptedTurn, SiteReply, TestSite};
use wire::site::MapRequest;

use super::research::stand::Stand;

#[tokio::test]
async fn a_map_of_a_site_of_which_a_part_cannot_be_had_now_is_not_compared() {
    let (is_down, was_down) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let (down, noted) = (Arc::clone(&is_down), Arc::clone(&was_down));
    let site = TestSite::start(move |asked| match asked.path.as_str() {
        "/" => SiteReply::html("<title>Shop</title><a href=/a>One</a>"),
        "/sitemap.xml" if down.load(Ordering::SeqCst) => {
            noted.store(true, Ordering::SeqCst);
            SiteReply::html("later")
                .status(503)
                .header("cache-control", "no-store")
        }
        "/sitemap.xml" => SiteReply::bytes(
            "application/xml",
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>/b</loc></url></urlset>",
        )
        .header("cache-control", "no-store"),
        _ => SiteReply::html("nothing").status(404),
    })
    .await;
    let stand = Stand::with(site, ScriptedProvider::saying(Vec::<ScriptedTurn>::new()).await);
    let start = stand.site.url("/");
    let request = MapRequest::parse(json!({"url": start}).to_string().as_bytes()).unwrap();
    let (content, _) = agents::watch::read_map(&stand.services, &request).await.unwrap();
    let WatchedContent::Records(entries) = content else {
        panic!("a list");
    };
    let has = |path: &str| entries.iter().any(|entry| entry["url"] == stand.site.url(path));
    assert!(has("/a") && has("/b"), "{entries:?}");
    is_down.store(true, Ordering::SeqCst);
    let refused = agents::watch::read_map(&stand.services, &request)
        .await
        .unwrap_err();
    assert!(was_down.load(Ordering::SeqCst));
    assert!(refused.message.contains("/sitemap.xml"), "{}", refused.message);
    // Whoever asks for a map gets what there is.
    let map = agents::site::map::map(&stand.services, &request).await.unwrap();
    assert!(map.links.iter().any(|link| link.url.ends_with("/a")), "{map:?}");
}
