//! The made-up web of `demo` on loopback.

use demo::DemoRequest;

use crate::site::{SiteReply, TestSite};

/// Serves the shops, news pages and widgets of `demo` on a free port.
pub async fn start() -> TestSite {
    TestSite::start(|asked| {
        let cookies = asked.headers.get("cookie");
        let cookies = cookies.and_then(|it| it.to_str().ok()).unwrap_or_default();
        let reply = demo::answer(&DemoRequest::new(&asked.path, &asked.body).with_cookies(cookies));
        let answer = SiteReply::bytes(reply.content_type, reply.body).status(reply.status);
        let headers = reply.headers.iter();
        headers.fold(answer, |answer, (name, value)| answer.header(name, value))
    })
    .await
}
