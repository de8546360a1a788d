//! Demo site: shops, news pages and widgets for trying and testing tools without a network.
//!
//! The pages, except those behind the login ([`account`]), are pure functions of the request ([`answer`]), so that a test server and `huntsman demo-site` serve the
//! same ones. All names and figures are made up; the markup follows the structure of the real sites.

pub mod account;
pub mod ask;
pub mod goods;
pub mod posts;
pub mod serve;
pub mod stays;

mod amazon;
mod ceneo;
mod filters;
mod forms;
mod front;
mod hn;
mod html;
mod listing;
mod paging;
mod reddit;
mod shop;
mod tables;
mod tree;

pub use ask::{DemoRequest, DemoResponse};

/// The response of the site.
pub fn answer(ask: &DemoRequest) -> DemoResponse {
    let mut parts = ask.path.trim_matches('/').splitn(2, '/');
    let (first, rest) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let page = match first {
        "" => Some(front::page()),
        "ceneo" => ceneo::page(ask, rest, false),
        "ceneo-js" => ceneo::page(ask, rest, true),
        "amazon" => amazon::page(ask, rest, false),
        "amazon-js" => amazon::page(ask, rest, true),
        "shop" => shop::page(ask, rest, false),
        "shop-js" => shop::page(ask, rest, true),
        "hn" => hn::page(ask, rest),
        "reddit" => reddit::page(ask, rest),
        "forms" => forms::page(ask, rest),
        "filters" => filters::page(ask, rest),
        "pages" => paging::page(ask, rest),
        "tree" => tree::page(ask, rest),
        "tables" => Some(tables::page()),
        "account" => account::page(ask, rest),
        "assets" => asset(rest),
        "picture.svg" => Some(DemoResponse::of("image/svg+xml", PICTURE)),
        "robots.txt" => Some(DemoResponse::of("text/plain", "User-agent: *\nAllow: /\n")),
        _ => None,
    };
    page.unwrap_or_else(|| {
        DemoResponse::page("Not found", "<h1>Not found</h1><p>There is no such page.</p>").status(404)
    })
}

fn asset(name: &str) -> Option<DemoResponse> {
    let script = match name {
        "list.js" => include_str!("assets/list.js"),
        "widgets.js" => include_str!("assets/widgets.js"),
        "calendar.js" => include_str!("assets/calendar.js"),
        "pages.js" => include_str!("assets/pages.js"),
        "tree.js" => include_str!("assets/tree.js"),
        _ => return None,
    };
    Some(DemoResponse::of("text/javascript; charset=utf-8", script))
}

const PICTURE: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='80' height='80'>\
<rect width='80' height='80' rx='8' fill='#d7dde8'/></svg>";

#[cfg(test)]
mod tests;
