//! From an answer of the network to a page, or to what else it is.

mod kind;
pub(crate) mod looks;

use std::sync::Arc;

use bytes::Bytes;
use net::{Client, Request, Response};
use page::Page;
use page::charset::decode;
use url::Url;

use crate::browser::{Visit, Warning};
use crate::error::Error;
use kind::Kind;

/// A fetched address, read as what it is.
#[derive(Debug, Clone)]
pub struct Fetched {
    /// Where it came from, its status and title, and what to beware of.
    pub visit: Visit,
    /// What it is.
    pub body: Body,
    /// The media type, in lower case and without parameters, as judged from header and content.
    pub media_type: String,
    /// The URLs that redirected, in order.
    pub hops: Vec<Url>,
    /// Whether the cache had it.
    pub from_cache: bool,
}

/// What an address holds.
#[derive(Debug, Clone)]
pub enum Body {
    /// HTML, parsed.
    Page(Arc<Page>),
    /// XML of any kind (feeds, site maps), as text.
    Xml(String),
    /// Plain text.
    Text(String),
    /// JSON, as text that may or may not be correct.
    Json(String),
    /// A PDF document.
    Pdf(Bytes),
    /// Anything else.
    Binary(Bytes),
    /// Nothing at all.
    Empty,
}

impl Body {
    /// The body as a page. What is no HTML is shown as browsers show it: text as preformatted text, files
    /// not at all.
    pub fn page(&self, url: &Url) -> Arc<Page> {
        let text = match self {
            Body::Page(page) => return page.clone(),
            Body::Xml(text) | Body::Text(text) | Body::Json(text) => text.as_str(),
            Body::Pdf(_) | Body::Binary(_) | Body::Empty => "",
        };
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
        Arc::new(Page::new(
            format!("<body><pre>{escaped}</pre>"),
            Some(url.clone()),
        ))
    }
}

/// Fetches and reads an address.
pub async fn fetch(client: &Client, request: Request) -> Result<Fetched, Error> {
    Ok(read(client.fetch(request).await?))
}

/// Reads an answer as what it is, by its content type and, where that says nothing or the wrong thing, by
/// its first bytes.
pub fn read(response: Response) -> Fetched {
    let content_type = response.header("content-type");
    let kind = kind::judge(content_type, &response.body);
    let text = |bytes: &[u8]| decode(bytes, content_type).text;
    let body = match kind {
        _ if response.body.is_empty() => Body::Empty,
        Kind::Html => Body::Page(Arc::new(Page::new(
            text(&response.body),
            Some(response.url.clone()),
        ))),
        Kind::Xml => Body::Xml(text(&response.body)),
        Kind::Json => Body::Json(text(&response.body)),
        Kind::Text => Body::Text(text(&response.body)),
        Kind::Pdf => Body::Pdf(response.body.clone()),
        Kind::Binary => Body::Binary(response.body.clone()),
    };
    let mut warnings = Vec::new();
    let mut title = String::new();
    match &body {
        Body::Page(page) => {
            title = looks::title(page);
            warnings.extend(looks::warnings(page, &title, &looks::Head::of(&response)));
        }
        Body::Empty => warnings.push(Warning::Empty),
        Body::Pdf(_) | Body::Binary(_) => warnings.push(Warning::NotAPage),
        Body::Xml(_) | Body::Text(_) | Body::Json(_) => {}
    }
    if response.truncated {
        warnings.push(Warning::Truncated);
    }
    Fetched {
        media_type: kind::media_type(content_type, kind),
        visit: Visit {
            url: response.url,
            status: Some(response.status.as_u16()),
            title,
            warnings,
        },
        body,
        hops: response.hops,
        from_cache: response.from_cache,
    }
}

#[cfg(test)]
mod tests;
