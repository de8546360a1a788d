//! The made-up web of `demo` on loopback.

use demo::Ask;

use crate::site::{Reply, Site};

/// Serves the shops, news pages and widgets of `demo` on a free port.
pub async fn start() -> Site {
    Site::start(|asked| {
        let reply = demo::answer(&Ask::new(&asked.path, &asked.body));
        Reply::bytes(reply.content_type, reply.body).status(reply.status)
    })
    .await
}
