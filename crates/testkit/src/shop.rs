//! The made-up web of `demo` on loopback.

use demo::DemoRequest;

use crate::site::{SiteReply, TestSite};

/// Serves the shops, news pages and widgets of `demo` on a free port.
pub async fn start() -> TestSite {
    TestSite::start(|asked| {
        let reply = demo::answer(&DemoRequest::new(&asked.path, &asked.body));
        SiteReply::bytes(reply.content_type, reply.body).status(reply.status)
    })
    .await
}
