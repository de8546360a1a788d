//! Lists of pages that are watched.

use agents::watch::{self, WatchedContent};
use testkit::{ScriptedProvider, ScriptedTurn, SiteReply, TestSite};
use wire::monitors::WatchedPart;

use super::research::stand::Stand;

#[tokio::test]
async fn a_list_that_was_there_and_is_gone_has_no_entries() {
    let site = TestSite::start(|asked| match asked.path.as_str() {
        "/empty" => SiteReply::html(
            "<title>Vases</title><main><h1>Vases</h1><p>There are no vases at the moment.</p></main>",
        ),
        "/lost" => SiteReply::html("<title>Page not found</title><h1>Page not found</h1>"),
        _ => SiteReply::html("nothing").status(404),
    })
    .await;
    let stand = Stand::with(site, ScriptedProvider::saying(Vec::<ScriptedTurn>::new()).await);
    let read = async |path: &str, was_read| {
        let url = stand.site.url(path);
        let read = watch::read(&stand.services, &url, WatchedPart::Records, was_read).await;
        read.map(|(content, _)| content).map_err(|error| error.message)
    };
    assert_eq!(
        read("/empty", true).await,
        Ok(WatchedContent::Records(Vec::new()))
    );
    let told = read("/empty", false).await.unwrap_err();
    assert!(told.contains("no records"), "{told}");
    assert!(
        read("/lost", true).await.is_err(),
        "nothing is known of a list whose page is not there"
    );
}
