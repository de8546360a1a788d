//! A shop in the markup of Amazon's search results, in English and dollars.

use crate::ask::{DemoRequest, DemoResponse};
use crate::goods::{self, Language, Product};
use crate::html::{escape, grouped};
use crate::listing::{self, ListPage, ListQuery};

const BATCH: usize = 16;

/// `/amazon/s?k=kettle&low-price=20&high-price=150&page=2`, `/amazon/dp/<asin>`, `/amazon/rows` for scripts.
pub(crate) fn page(ask: &DemoRequest, rest: &str, scripted: bool) -> Option<DemoResponse> {
    if let Some(asin) = rest.split("dp/").nth(1) {
        return detail(asin.trim_end_matches('/'));
    }
    if !matches!(rest, "" | "s" | "rows") {
        return None;
    }
    let wish = ListQuery::read(ask, "k", "low-price", "high-price");
    let found = wish.select(goods::all(Language::English));
    let part = listing::page_of(ask, &found, BATCH);
    if rest == "rows" {
        return Some(DemoResponse::of("text/html; charset=utf-8", rows(&part)));
    }
    let asked = |key| ask.get(key).map(escape).unwrap_or_default();
    let k = asked("k");
    let (content, after, source) = match scripted {
        false => (rows(&part), pager(ask, &part), String::new()),
        true => (
            String::new(),
            "<script src=\"/assets/list.js\"></script>".to_owned(),
            format!(" data-rows=\"/amazon/rows?k={k}\" data-batch=\"{BATCH}\""),
        ),
    };
    Some(DemoResponse::html(format!(
        "<!doctype html><html lang=\"en-us\"><head><meta charset=\"utf-8\"><title>Demozon.com : {k}</title>\
<style>[hidden]{{display:none!important}}.s-result-item{{min-height:120px}}.a-offscreen{{position:absolute;left:-9999px}}</style></head><body>\
<header id=\"navbar\"><form id=\"nav-search-bar-form\" action=\"/amazon/s\" role=\"search\"><label for=\"twotabsearchtextbox\" hidden>Search</label>\
<input type=\"text\" id=\"twotabsearchtextbox\" name=\"k\" placeholder=\"Search Demozon\" value=\"{k}\" aria-label=\"Search Demozon\">\
<input id=\"nav-search-submit-button\" type=\"submit\" value=\"Go\" aria-label=\"Search\"></form></header>\
<div id=\"s-refinements\"><form id=\"p_36\" class=\"sf-price\" action=\"{action}\"><input type=\"hidden\" name=\"k\" value=\"{k}\"><span>Price</span>\
<span>$</span><input type=\"text\" id=\"low-price\" name=\"low-price\" placeholder=\"Min\" maxlength=\"9\" value=\"{low}\">\
<span>$</span><input type=\"text\" id=\"high-price\" name=\"high-price\" placeholder=\"Max\" maxlength=\"9\" value=\"{high}\">\
<input type=\"submit\" class=\"a-button-input\" aria-label=\"Go - Submit price range\" value=\"Go\"></form></div>\
<div class=\"s-desktop-content\"><h1 class=\"a-size-base\">{count} results for <span>\"{k}\"</span></h1>\
<div class=\"s-main-slot s-result-list s-search-results sg-row\"{source}>{content}</div>{after}</div></body></html>",
        action = escape(&ask.path),
        low = asked("low-price"),
        high = asked("high-price"),
        count = found.len(),
    )))
}

fn pager(ask: &DemoRequest, part: &ListPage<'_>) -> String {
    let next = if part.page < part.pages {
        let address = escape(&ask.with("page", &(part.page + 1).to_string()));
        format!(
            "<a href=\"{address}\" class=\"s-pagination-item s-pagination-next s-pagination-button\" aria-label=\"Go to next page\">Next</a>"
        )
    } else {
        "<span class=\"s-pagination-item s-pagination-next s-pagination-disabled\" aria-disabled=\"true\">Next</span>".to_owned()
    };
    format!(
        "<div class=\"a-section s-pagination-container\" role=\"navigation\"><span class=\"s-pagination-strip\">\
<span class=\"s-pagination-item s-pagination-selected\">{}</span>{next}</span></div>",
        part.page
    )
}

fn rows(part: &ListPage<'_>) -> String {
    let row = |(at, product)| row(product, at);
    part.products.iter().enumerate().map(row).collect()
}

/// Ten characters, as the real ones.
fn asin(product: &Product) -> String {
    format!("B0D{:07}", product.id * 7_919)
}

fn row(product: &Product, at: usize) -> String {
    let asin = asin(product);
    let name = escape(&product.name);
    let slug = product.name.replace(' ', "-");
    let sponsored = product.id % 11 == 3;
    let address = match sponsored {
        true => format!(
            "/sspa/click?ie=UTF8&amp;spc=abc&amp;url=%2Famazon%2F{slug}%2Fdp%2F{asin}%2Fref%3Dsr_1_{at}"
        ),
        false => format!("/amazon/{slug}/dp/{asin}/ref=sr_1_{at}?keywords=demo"),
    };
    let label = match sponsored {
        true => {
            "<span class=\"puis-label-popover puis-sponsored-label-text\"><span class=\"puis-label-popover-default\">\
<span class=\"a-color-secondary\">Sponsored</span></span></span>"
        }
        false => "",
    };
    let prime = match product.id % 3 {
        0 => "",
        _ => "<i class=\"a-icon a-icon-prime a-icon-medium\" role=\"img\" aria-label=\"Amazon Prime\"></i>",
    };
    // What cannot be bought now has no price.
    let price = match product.in_stock {
        false => "<span class=\"a-size-base a-color-secondary\">Currently unavailable.</span>".to_owned(),
        true => {
            let before = product.before.map(|cents| {
                format!(
                    "<span class=\"a-price a-text-price\" data-a-size=\"b\" data-a-strike=\"true\"><span class=\"a-offscreen\">${0}</span>\
<span aria-hidden=\"true\">${0}</span></span>",
                    dollars(cents)
                )
            });
            let per = match product.id % 7 {
                1 => {
                    "<span class=\"a-size-base a-color-secondary\">(<span class=\"a-price a-text-price\" data-a-size=\"b\">\
<span class=\"a-offscreen\">$0.42</span><span aria-hidden=\"true\">$0.42</span></span>/Ounce)</span>"
                }
                _ => "",
            };
            format!(
                "<a class=\"a-link-normal s-no-hover\" href=\"{address}\"><span class=\"a-price\" data-a-size=\"xl\" data-a-color=\"base\">\
<span class=\"a-offscreen\">${}</span><span aria-hidden=\"true\"><span class=\"a-price-symbol\">$</span><span class=\"a-price-whole\">{}\
<span class=\"a-price-decimal\">.</span></span><span class=\"a-price-fraction\">{:02}</span></span></span>{per}{}</a>",
                dollars(product.cents),
                grouped(product.cents / 100, ","),
                product.cents % 100,
                before.unwrap_or_default(),
            )
        }
    };
    // Both kinds of headings that the site uses: with the link around them and within.
    let title = match product.id.is_multiple_of(2) {
        true => format!(
            "<a class=\"a-link-normal s-line-clamp-2 s-link-style a-text-normal\" href=\"{address}\"><h2 aria-label=\"{name}\" \
class=\"a-size-base-plus a-spacing-none a-color-base a-text-normal\"><span>{name}</span></h2></a>"
        ),
        false => format!(
            "<h2 class=\"a-size-mini a-spacing-none a-color-base s-line-clamp-2\"><a class=\"a-link-normal s-underline-text \
s-underline-link-text s-link-style a-text-normal\" href=\"{address}\"><span class=\"a-size-medium a-color-base a-text-normal\">{name}</span></a></h2>"
        ),
    };
    format!(
        "<div data-asin=\"{asin}\" data-index=\"{at}\" data-uuid=\"u{id}\" data-component-type=\"s-search-result\" role=\"listitem\" \
class=\"sg-col-4-of-24 s-result-item s-asin sg-col s-widget-spacing-small\"><div class=\"puis-card-container s-card-container\">\
<span data-component-type=\"s-product-image\"><a class=\"a-link-normal s-no-outline\" href=\"{address}\"><img class=\"s-image\" \
src=\"/picture.svg?{asin}\" srcset=\"/picture.svg?{asin} 1x\" alt=\"{name}\"></a></span>{label}<div data-cy=\"title-recipe\">{title}</div>\
<div data-cy=\"reviews-block\"><i class=\"a-icon a-icon-star-small\"><span class=\"a-icon-alt\">{stars}.{tenth} out of 5 stars</span></i>\
<a class=\"a-link-normal s-underline-text\" href=\"/amazon/{slug}/dp/{asin}#customerReviews\" aria-label=\"{reviews} ratings\">\
<span class=\"a-size-base s-underline-text\">{reviews}</span></a></div><div data-cy=\"price-recipe\">{price}</div>\
<div data-cy=\"delivery-recipe\">{prime}<span>FREE delivery on orders over $35</span></div></div></div>",
        id = product.id,
        stars = product.stars / 10,
        tenth = product.stars % 10,
        reviews = grouped(product.reviews, ","),
    )
}

fn dollars(cents: u64) -> String {
    format!("{}.{:02}", grouped(cents / 100, ","), cents % 100)
}

fn detail(rest: &str) -> Option<DemoResponse> {
    let wanted = rest.split('/').next().unwrap_or_default();
    let products = goods::all(Language::English);
    let product = products.iter().find(|product| asin(product) == wanted)?;
    let content = format!(
        "<h1 id=\"title\"><span id=\"productTitle\">{}</span></h1><div id=\"corePrice_feature_div\"><span class=\"a-price\">\
<span class=\"a-offscreen\">${}</span></span></div>",
        escape(&product.name),
        dollars(product.cents)
    );
    Some(DemoResponse::page(&product.name, &content))
}
