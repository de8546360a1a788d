//! Documents that research reads.

use testkit::{ScriptedProvider, ScriptedTurn, SiteReply, TestSite, pdf};
use wire::tabstack::ResearchRequest;

use super::stand::{Stand, complete};

#[tokio::test(flavor = "multi_thread")]
async fn documents_that_stand_for_an_error_of_the_site_are_no_sources() {
    let document = pdf::document(
        "Withdrawn",
        &["The lake is 77 metres deep, says this page of an error of the site."],
    );
    let site = TestSite::start(move |asked| match asked.path.as_str() {
        "/gone.pdf" => SiteReply::bytes("application/pdf", document.clone()).status(404),
        "/lake" => SiteReply::html(
            "<title>Lake</title><main><p>The lake is 66 metres deep, as a survey of the year 1901 has found.</p></main>",
        ),
        _ => SiteReply::html("nothing").status(404),
    })
    .await;
    let provider = ScriptedProvider::saying(Vec::<ScriptedTurn>::new()).await;
    let mut stand = Stand::with(site, provider);
    (stand.services.models, stand.services.search) = (None, None);
    let question = ResearchRequest {
        sources: vec![stand.site.url("/gone.pdf"), stand.site.url("/lake")],
        ..ResearchRequest::new("How deep is the lake?")
    };
    let done = complete(&stand.whole(&question).await);
    assert!(
        done.report.contains("66 metres") && !done.report.contains("77 metres"),
        "{}",
        done.report
    );
}
