//! A list of 40 products in five pages, with every kind of pagination.

use crate::ask::{DemoRequest, DemoResponse};
use crate::goods::{self, Language};
use crate::html::escape;
use crate::{listing, shop};

const SIZE: usize = 8;

/// `/pages/{next,numbered,param,more}?page=2`, `/pages/{next,numbered,more,scroll}-js`, `/pages/rows?page=2`.
pub(crate) fn page(ask: &DemoRequest, rest: &str) -> Option<DemoResponse> {
    let mut products = goods::all(Language::English);
    products.truncate(5 * SIZE);
    let part = listing::page_of(ask, &products, SIZE);
    let rows = shop::rows(part.products, "plain");
    if rest == "rows" {
        return Some(DemoResponse::of("text/html; charset=utf-8", rows));
    }
    if let Some(kind) = rest.strip_suffix("-js") {
        let pager = match kind {
            "next" => {
                "<button id=\"next\" type=\"button\">Next page</button> <span id=\"place\">Page 1 of 5</span>"
                    .to_owned()
            }
            "numbered" => (1..=5)
                .map(|page| {
                    format!(
                        "<button type=\"button\" class=\"page-number\" aria-label=\"Page {page}\">{page}</button>"
                    )
                })
                .collect(),
            "more" => "<button id=\"more\" type=\"button\">Load more</button>".to_owned(),
            "scroll" => String::new(),
            _ => return None,
        };
        return Some(DemoResponse::page(
            "List",
            &format!(
                "<h1>List</h1><ul class=\"products\" id=\"list\" data-kind=\"{kind}\">{rows}</ul><nav class=\"pagination\">{pager}</nav>\
<script src=\"/assets/pages.js\"></script>"
            ),
        ));
    }
    let last = part.page == part.pages;
    let onward = escape(&ask.with("page", &(part.page + 1).to_string()));
    let number = |it: usize| match it == part.page {
        true => format!("<li class=\"active\"><span aria-current=\"page\">{it}</span></li>"),
        false => format!(
            "<li><a href=\"{}\">{it}</a></li>",
            escape(&ask.with("page", &it.to_string()))
        ),
    };
    let pager = match (rest, last) {
        ("next", true) => "<span class=\"disabled\">Next</span>".to_owned(),
        ("next", false) => format!("<a class=\"next\" href=\"{onward}\">Next ›</a>"),
        ("numbered", _) => format!(
            "<ul class=\"pagination\">{}</ul>",
            (1..=part.pages).map(number).collect::<String>()
        ),
        ("param", _) => format!("<p>Page {} of {}</p>", part.page, part.pages),
        ("more", true) => "<p>That is all.</p>".to_owned(),
        ("more", false) => format!("<a class=\"load-more button\" href=\"{onward}\">Load more</a>"),
        _ => return None,
    };
    // Beyond the end a page by parameter is empty, as on many sites.
    let rows = if rest == "param" && ask.page() > part.pages {
        String::new()
    } else {
        rows
    };
    Some(DemoResponse::page(
        "List",
        &format!("<h1>List</h1><ul class=\"products\">{rows}</ul><nav>{pager}</nav>"),
    ))
}
