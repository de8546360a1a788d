//! Price filters of every kind over one list.

use crate::ask::{DemoRequest, DemoResponse};
use crate::goods::{self, Language};
use crate::html::escape;
use crate::listing::ListQuery;
use crate::shop;

/// `/filters/{labels,range,links,js,slider}`; `/filters/rows?lo=&hi=` for scripts.
pub(crate) fn page(ask: &DemoRequest, rest: &str) -> Option<DemoResponse> {
    let (low, high) = match rest {
        "labels" => ("f_17_a", "f_17_b"),
        "links" => ("price_from", "price_to"),
        "range" | "js" | "slider" | "rows" => ("lo", "hi"),
        _ => return None,
    };
    // Only products below 400, so that a slider has an end.
    let mut products = goods::of_category(Language::English, 0);
    products.retain(|product| product.cents <= 40_000);
    let found = ListQuery::read(ask, "q", low, high).select(products);
    let rows = shop::rows(&found, "plain");
    if rest == "rows" {
        return Some(DemoResponse::of("text/html; charset=utf-8", rows));
    }
    let path = escape(&ask.path);
    let asked = |key: &str| ask.get(key).map(escape);
    let (a, b) = (asked(low), asked(high));
    let (min, max) = (a.clone().unwrap_or_default(), b.clone().unwrap_or_default());
    let filter = match rest {
        "labels" => format!(
            "<form action=\"{path}\"><fieldset><legend>Price range</legend><label for=\"x1\">At least</label><input id=\"x1\" name=\"{low}\" value=\"{min}\">\
<label for=\"x2\">At most</label><input id=\"x2\" name=\"{high}\" value=\"{max}\"></fieldset><fieldset><legend>Weight</legend><label>At most \
<input name=\"weight\"></label></fieldset><button>Show results</button></form>"
        ),
        "range" => format!(
            "<form action=\"{path}\"><label>Minimum price <input type=\"range\" name=\"lo\" min=\"0\" max=\"400\" value=\"{}\"></label>\
<label>Maximum price <input type=\"range\" name=\"hi\" min=\"0\" max=\"400\" value=\"{}\"></label><button>Apply</button></form>",
            a.unwrap_or("0".into()),
            b.unwrap_or("400".into())
        ),
        "links" => format!(
            "<ul class=\"bands\"><li><a href=\"{path}?price_to=100\">Up to €100</a><li><a href=\"{path}?price_from=100&amp;price_to=200\">€100 to €200</a>\
<li><a href=\"{path}?price_from=200\">€200 &amp; above</a></ul>"
        ),
        "js" => "<div class=\"filter\"><span>Price</span> <input id=\"lo\" placeholder=\"Min price\"> <input id=\"hi\" placeholder=\"Max price\"> \
<button type=\"button\" id=\"apply\">Apply</button></div>"
            .to_owned(),
        _ => "<div class=\"filter\"><p>Price: <output id=\"shown\">0 - 400</output></p><div class=\"track\"><span role=\"slider\" tabindex=\"0\" \
aria-label=\"Minimum price\" aria-valuemin=\"0\" aria-valuemax=\"400\" aria-valuenow=\"0\" data-key=\"lo\"></span><span role=\"slider\" tabindex=\"0\" \
aria-label=\"Maximum price\" aria-valuemin=\"0\" aria-valuemax=\"400\" aria-valuenow=\"400\" data-key=\"hi\"></span></div></div>"
            .to_owned(),
    };
    let script = match rest {
        "js" | "slider" => "<script src=\"/assets/widgets.js\"></script>",
        _ => "",
    };
    let count = found.len();
    Some(DemoResponse::page(
        "Vacuum cleaners",
        &format!(
            "<h1>Vacuum cleaners</h1>{filter}<p class=\"count\">{count} products</p><ul class=\"products\" id=\"list\">{rows}</ul>{script}"
        ),
    ))
}
