//! HTTP server of the demo site.

use std::convert::Infallible;

use bytes::Bytes;
use http::{Request, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

use crate::{DemoRequest, DemoResponse, answer};

/// Most bytes of a form.
const MAX_FORM_BYTES: usize = 64 * 1024;

/// Serves the site until the task is dropped. Fails only when the socket does.
pub async fn serve(listener: TcpListener) -> std::io::Result<()> {
    loop {
        let (stream, _) = listener.accept().await?;
        tokio::spawn(async move {
            let connection =
                http1::Builder::new().serve_connection(TokioIo::new(stream), service_fn(respond));
            // A client may leave in the middle of a response.
            let _ = connection.await;
        });
    }
}

async fn respond(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let target = head
        .uri
        .path_and_query()
        .map_or("/", |target| target.as_str())
        .to_owned();
    let cookies = head.headers.get(header::COOKIE);
    let cookies = cookies.and_then(|it| it.to_str().ok()).unwrap_or_default();
    let reply = match Limited::new(body, MAX_FORM_BYTES).collect().await {
        Ok(body) => answer(&DemoRequest::new(&target, &body.to_bytes()).with_cookies(cookies)),
        Err(_) => DemoResponse::page("Too large", "<h1>The form is too large</h1>").status(413),
    };
    let mut response = Response::new(Full::new(Bytes::from(reply.body)));
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::OK);
    let content_type = header::HeaderValue::from_static(reply.content_type);
    response.headers_mut().insert(header::CONTENT_TYPE, content_type);
    for (name, value) in reply.headers {
        if let Ok(value) = header::HeaderValue::from_str(&value) {
            response
                .headers_mut()
                .append(header::HeaderName::from_static(name), value);
        }
    }
    Ok(response)
}
