//! Page: HTML, address and parsed tree.

use std::any::Any;
use std::sync::{Mutex, PoisonError};

use url::Url;

use crate::dom::Dom;
use crate::{frames, streamed};

/// A page as a value: its HTML, its address and its tree.
#[derive(Debug)]
pub struct Page {
    html: String,
    url: Option<Url>,
    base: Option<Url>,
    dom: Dom,
    held: Mutex<Option<Box<dyn Any + Send + Sync>>>,
}

impl Page {
    /// Parses a page. Without an address, relative links stay unresolved unless the page has an
    /// absolute `<base href>`.
    pub fn new(html: impl Into<String>, url: Option<Url>) -> Page {
        let html = html.into();
        let mut dom = Dom::parse(&streamed::in_place(&html));
        if let Some(body) = frames::as_body(&html, &dom) {
            dom = Dom::parse(&body);
        }
        let named = dom.by_tag("base").find_map(|node| node.attr("href"));
        let base = match (named, &url) {
            (Some(href), Some(url)) => url.join(href.trim()).ok(),
            (Some(href), None) => Url::parse(href.trim()).ok(),
            (None, _) => None,
        };
        let base = base
            .filter(|base| !matches!(base.scheme(), "data" | "javascript"))
            .or_else(|| url.clone());
        Page {
            html,
            url,
            base,
            dom,
            held: Mutex::default(),
        }
    }

    /// Keeps a value for as long as the page is in use, such as its share of a budget of memory.
    pub fn hold(&self, value: impl Any + Send + Sync) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(value));
    }

    /// Drops what [`Page::hold`] keeps.
    pub fn release(&self) {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// The HTML as it was given.
    pub fn html(&self) -> &str {
        &self.html
    }

    /// The address the page was read from.
    pub fn url(&self) -> Option<&Url> {
        self.url.as_ref()
    }

    /// What relative links are relative to: `<base href>`, else the address.
    pub fn base(&self) -> Option<&Url> {
        self.base.as_ref()
    }

    /// The tree, with parts that the server sent late in their places; a frameset is a page that links to its frames.
    pub fn dom(&self) -> &Dom {
        &self.dom
    }

    /// The absolute form of a link of this page; none when it cannot be made absolute.
    pub fn absolute(&self, href: &str) -> Option<Url> {
        let href = href.trim();
        match &self.base {
            Some(base) => base.join(href).ok(),
            None => Url::parse(href).ok(),
        }
    }
}
