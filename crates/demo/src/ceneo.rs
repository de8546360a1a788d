//! A price comparison in the markup of Ceneo: rows, boxes and a grid, in Polish and zł.

use crate::ask::{DemoRequest, DemoResponse};
use crate::goods::{self, CATEGORIES, Language, Product};
use crate::html::{escape, grouped};
use crate::listing::{self, ListPage, ListQuery};

/// How the site lays out its products.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    Rows,
    Boxes,
    Grid,
}

const BATCH: usize = 12;

/// `/ceneo/<category>` or `/ceneo/Promocje` (60 special offers of all categories); `/ceneo/<name>/rows` for scripts.
pub(crate) fn page(ask: &DemoRequest, rest: &str, scripted: bool) -> Option<DemoResponse> {
    let (name, rows_only) = match rest.strip_suffix("/rows") {
        Some(name) => (name, true),
        None => (rest, false),
    };
    let products = match CATEGORIES.iter().position(|category| category.polish == name) {
        Some(category) => goods::of_category(Language::Polish, category),
        None if matches!(name, "" | "Promocje") => goods::all(Language::Polish)
            .into_iter()
            .filter(|product| product.id % 10 < 3)
            .collect(),
        None => return detail(name),
    };
    let layout = match ask.get("view") {
        Some("boxes") => Layout::Boxes,
        Some("grid") => Layout::Grid,
        _ => Layout::Rows,
    };
    let wish = ListQuery::read(ask, "szukaj", "min", "max");
    let found = wish.select(products);
    let part = listing::page_of(ask, &found, if scripted { BATCH } else { 25 });
    if rows_only {
        return Some(DemoResponse::of("text/html; charset=utf-8", rows(&part, layout)));
    }
    let asked = |key| ask.get(key).map(escape).unwrap_or_default();
    let (content, after) = match scripted {
        false => (rows(&part, layout), listing::page_links(ask, &part, "Następna")),
        true => (
            String::new(),
            "<script src=\"/assets/list.js\"></script>".to_owned(),
        ),
    };
    let view = ask.get("view").map(escape).unwrap_or_default();
    let source = if scripted {
        format!(
            " data-rows=\"/ceneo/{}/rows?view={view}\" data-batch=\"{BATCH}\"",
            escape(name)
        )
    } else {
        String::new()
    };
    Some(DemoResponse::html(format!(
        "<!doctype html><html lang=\"pl\"><head><meta charset=\"utf-8\"><title>{name} - ceny i opinie</title>\
<style>[hidden]{{display:none!important}}.cat-prod-row,.cat-prod-box,.grid-item{{min-height:120px}}</style></head><body>\
<header class=\"header\"><form class=\"header__search-form\" action=\"/ceneo/Promocje\" role=\"search\">\
<input type=\"search\" name=\"szukaj\" placeholder=\"Wpisz, czego szukasz\" value=\"{szukaj}\"><button type=\"submit\">Szukaj</button></form>\
<nav class=\"cat-menu\">{menu}</nav></header><div class=\"layout\"><aside class=\"filters\"><form class=\"js_price-filter\" action=\"{action}\">\
<fieldset><legend>Cena</legend><input type=\"text\" name=\"min\" placeholder=\"od\" value=\"{min}\"> - \
<input type=\"text\" name=\"max\" placeholder=\"do\" value=\"{max}\"> zł</fieldset><button type=\"submit\">Filtruj</button></form></aside>\
<section class=\"category-list\"><h1>{title}</h1><div class=\"category-list-body js_category-list-body\"{source}>{content}</div>\
<div class=\"pagination\">{after}</div></section></div></body></html>",
        title = escape(if name.is_empty() { "Promocje" } else { name }),
        name = escape(name),
        action = escape(&ask.path),
        szukaj = asked("szukaj"),
        min = asked("min"),
        max = asked("max"),
        menu = CATEGORIES
            .iter()
            .map(|category| format!("<a href=\"/ceneo/{0}\">{0}</a> ", category.polish))
            .collect::<String>(),
    )))
}

fn rows(part: &ListPage<'_>, layout: Layout) -> String {
    let mut rows = String::new();
    for (at, product) in part.products.iter().enumerate() {
        // An advertisement leads through a counting address and is no product of the list.
        if at == 2 && layout == Layout::Rows {
            rows.push_str(ADVERT);
        }
        rows.push_str(&row(product, layout));
    }
    if part.products.is_empty() && part.page == 1 {
        rows.push_str("<p class=\"not-found\">Brak wyników</p>");
    }
    rows
}

const ADVERT: &str = "<div class=\"cat-prod-row cat-prod-row--sponsored js_category-list-item\" data-pid=\"999001\">\
<div class=\"cat-prod-row__body\"><div class=\"cat-prod-row__content\"><strong class=\"cat-prod-row__name\">\
<a class=\"go-to-shop\" href=\"/Click/Offer/?e=abc\"><span>Oferta sponsorowana sklepu Domex</span></a></strong>\
<div class=\"cat-prod-row__price\"><span class=\"price-format nowrap\"><span class=\"price\"><span class=\"value\">9</span>\
<span class=\"penny\">,99</span></span> zł</span></div></div></div></div>";

fn row(product: &Product, layout: Layout) -> String {
    let number = number(product);
    let name = escape(&product.name);
    let price = price(product.cents);
    let before = product.before.map(|cents| {
        let (whole, rest) = (grouped(cents / 100, "&nbsp;"), cents % 100);
        format!("<del class=\"price-old\">{whole},{rest:02} zł</del>")
    });
    let before = before.unwrap_or_default();
    let shops = 1 + product.id % 40;
    let data = format!(
        "data-pid=\"{number}\" data-productid=\"{number}\" data-gacategoryname=\"{}\" data-brand=\"{}\"",
        CATEGORIES
            .get(product.category)
            .map_or("", |category| category.polish),
        product.brand
    );
    match layout {
        Layout::Rows => format!(
            "<div class=\"cat-prod-row js_category-list-item js_clickHash\" {data}><div class=\"cat-prod-row__body\">\
<div class=\"cat-prod-row__foto\"><a href=\"/{number}\" class=\"js_clickHash go-to-product\"><img src=\"/picture.svg\" \
data-original=\"/picture.svg?{number}\" alt=\"{name}\"></a></div><div class=\"cat-prod-row__content\"><div class=\"cat-prod-row__desc\">\
<div class=\"cat-prod-row__desc-row\"><strong class=\"cat-prod-row__name\"><a class=\"js_seoUrl js_clickHash go-to-product\" \
href=\"/{number}#tab=click\"><span>{name}</span></a></strong></div><div class=\"cat-prod-row__product-reviews\"><span class=\"prod-review\">\
<span class=\"product-score\">{stars},{tenth}/5</span> <a href=\"/{number}#tab=reviews\" class=\"prod-review__qo\">{reviews} opinii</a></span></div></div>\
<div class=\"cat-prod-row__price\">{before}<a href=\"/{number}\" class=\"js_clickHash go-to-product\">{price}</a>\
<div class=\"shop-numb\">w {shops} sklepach</div><span class=\"installments\">lub 10 rat x {rate} zł</span></div>\
<a href=\"/{number}\" class=\"button go-to-product\">Porównaj ceny</a></div></div></div>",
            stars = product.stars / 10,
            tenth = product.stars % 10,
            reviews = product.reviews,
            rate = product.cents / 1000 + 1,
        ),
        Layout::Boxes => format!(
            "<div class=\"cat-prod-box js_category-list-item\" {data}><div class=\"cat-prod-box__body\"><a class=\"cat-prod-box__picture\" \
href=\"/{number}\"><img src=\"/picture.svg?{number}\" alt=\"{name}\"></a><strong class=\"cat-prod-box__name\"><a class=\"go-to-product\" \
href=\"/{number}\">{name}</a></strong><div class=\"cat-prod-box__price\">{before}{price}</div><span class=\"shop-numb\">{shops} sklepów</span>\
</div></div>"
        ),
        Layout::Grid => format!(
            "<div class=\"grid-item js_category-list-item\" {data}><a class=\"grid-item__thumb\" href=\"/{number}\"><img \
src=\"/picture.svg?{number}\" alt=\"{name}\"></a><div class=\"grid-item__caption\"><strong class=\"grid-item__name\"><a href=\"/{number}\">\
<span>{name}</span></a></strong><div class=\"grid-item__offer\">{before}<span class=\"from\">od</span> {price}</div></div></div>"
        ),
    }
}

fn price(cents: u64) -> String {
    format!(
        "<span class=\"price-format nowrap\"><span class=\"price\"><span class=\"value\">{}</span><span class=\"penny\">,{:02}</span></span> \
zł</span>",
        grouped(cents / 100, "&nbsp;"),
        cents % 100
    )
}

/// Ceneo's addresses are the product's number alone.
fn number(product: &Product) -> usize {
    48_000_000 + product.id * 1_117
}

/// The page of one product, at its number.
pub(crate) fn detail(number: &str) -> Option<DemoResponse> {
    let wanted: usize = number.parse().ok()?;
    let products = goods::all(Language::Polish);
    let product = products.iter().find(|product| self::number(product) == wanted)?;
    let name = escape(&product.name);
    Some(DemoResponse::page(
        &product.name,
        &format!(
            "<div class=\"product-top__title\"><h1>{name}</h1></div>{}",
            price(product.cents)
        ),
    ))
}
