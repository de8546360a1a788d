//! A generic shop: products as plain blocks, with JSON-LD or with microdata, in euros.

use crate::ask::{DemoRequest, DemoResponse};
use crate::goods::{self, CATEGORIES, Language, Product};
use crate::html::{escape, frame, grouped};
use crate::listing::{self, ListPage, ListQuery};

const PAGE_SIZE: usize = 10;

/// `/shop/{plain,jsonld,microdata}?q=&min_price=&max_price=&sort=&page=`, `/shop/item/<id>`, `/shop/<skin>/rows`.
pub(crate) fn page(ask: &DemoRequest, rest: &str, scripted: bool) -> Option<DemoResponse> {
    if let Some(id) = rest.strip_prefix("item/") {
        return item(id.parse().ok()?);
    }
    let (skin, rows_only) = match rest.strip_suffix("/rows") {
        Some(skin) => (skin, true),
        None => (rest, false),
    };
    let skin = if skin.is_empty() { "plain" } else { skin };
    if !matches!(skin, "plain" | "jsonld" | "microdata") {
        return None;
    }
    let found = ListQuery::read(ask, "q", "min_price", "max_price").select(goods::all(Language::English));
    let part = listing::page_of(ask, &found, PAGE_SIZE);
    if rows_only {
        return Some(DemoResponse::of(
            "text/html; charset=utf-8",
            rows(part.products, skin),
        ));
    }
    let (list, after) = match scripted {
        false => (
            format!("<ul class=\"products\">{}</ul>", rows(part.products, skin)),
            format!(
                "<nav class=\"pagination\" aria-label=\"Pages\">{}</nav>",
                listing::page_links(ask, &part, "Next")
            ),
        ),
        true => (
            format!(
                "<ul class=\"products\" data-rows=\"/shop/{skin}/rows?\" data-batch=\"{PAGE_SIZE}\"></ul>"
            ),
            "<script src=\"/assets/list.js\"></script>".to_owned(),
        ),
    };
    let data = if skin == "jsonld" && !scripted {
        json_ld(&part)
    } else {
        String::new()
    };
    let content = format!(
        "{}{data}<h1>All products</h1><p class=\"count\">{} products found</p>{list}{after}",
        controls(ask),
        found.len()
    );
    Some(DemoResponse::html(frame("All products", &content)))
}

/// The search box, price filter and order.
fn controls(ask: &DemoRequest) -> String {
    let asked = |key| ask.get(key).map(escape).unwrap_or_default();
    format!(
        "<form role=\"search\" action=\"{path}\"><input type=\"search\" name=\"q\" placeholder=\"Search products\" value=\"{q}\">\
<button type=\"submit\">Search</button></form><form class=\"filter\" data-filter action=\"{path}\"><label>Price from <input type=\"number\" \
name=\"min_price\" step=\"any\" value=\"{min}\"></label><label>Price to <input type=\"number\" name=\"max_price\" step=\"any\" value=\"{max}\"></label>\
<label>Sort by <select name=\"sort\"><option value=\"\">Our choice</option><option value=\"price\">Price: low to high</option>\
<option value=\"price-desc\">Price: high to low</option><option value=\"name\">Name</option></select></label><button>Apply</button></form>",
        path = escape(&ask.path),
        q = asked("q"),
        min = asked("min_price"),
        max = asked("max_price"),
    )
}

/// Products as blocks of a list.
pub(crate) fn rows(products: &[Product], skin: &str) -> String {
    products.iter().map(|product| row(product, skin)).collect()
}

fn row(product: &Product, skin: &str) -> String {
    let (id, name) = (product.id, escape(&product.name));
    let price = euros(product.cents);
    let before = product
        .before
        .map(|cents| format!("<del>{}</del> ", euros(cents)))
        .unwrap_or_default();
    let stock = if product.in_stock {
        "In stock"
    } else {
        "Out of stock"
    };
    if skin == "microdata" {
        let availability = if product.in_stock { "InStock" } else { "OutOfStock" };
        return format!(
            "<li class=\"product\" itemscope itemtype=\"https://schema.org/Product\"><a itemprop=\"url\" href=\"/shop/item/{id}\"><img \
itemprop=\"image\" src=\"/picture.svg?{id}\" alt=\"\"><span itemprop=\"name\">{name}</span></a> <div itemprop=\"offers\" itemscope \
itemtype=\"https://schema.org/Offer\"><meta itemprop=\"priceCurrency\" content=\"EUR\"><span itemprop=\"price\" content=\"{}.{:02}\">\
{price}</span><link itemprop=\"availability\" href=\"https://schema.org/{availability}\">{stock}</div></li>",
            product.cents / 100,
            product.cents % 100
        );
    }
    format!(
        "<li class=\"product\"><a class=\"product-link\" href=\"/shop/item/{id}\"><img src=\"/picture.svg?{id}\" alt=\"{name}\">\
<h2 class=\"product-title\">{name}</h2></a><span class=\"price\">{before}<ins class=\"amount\">{price}</ins></span>\
<span class=\"stock\">{stock}</span><button type=\"button\">Add to cart</button></li>"
    )
}

fn euros(cents: u64) -> String {
    format!("{},{:02}&nbsp;€", grouped(cents / 100, "."), cents % 100)
}

fn offer(product: &Product) -> String {
    format!(
        "{{\"@type\":\"Product\",\"name\":\"{}\",\"url\":\"/shop/item/{id}\",\"sku\":\"SKU-{id:04}\",\"image\":\"/picture.svg?{id}\",\
\"brand\":{{\"@type\":\"Brand\",\"name\":\"{}\"}},\"offers\":{{\"@type\":\"Offer\",\"price\":\"{}.{:02}\",\"priceCurrency\":\"EUR\",\
\"availability\":\"https://schema.org/{}\"}}}}",
        product.name,
        product.brand,
        product.cents / 100,
        product.cents % 100,
        if product.in_stock { "InStock" } else { "OutOfStock" },
        id = product.id,
    )
}

fn json_ld(part: &ListPage<'_>) -> String {
    let entry = |(at, product)| {
        format!(
            "{{\"@type\":\"ListItem\",\"position\":{},\"item\":{}}}",
            at + 1,
            offer(product)
        )
    };
    let entries: Vec<String> = part.products.iter().enumerate().map(entry).collect();
    format!(
        "<script type=\"application/ld+json\">{{\"@context\":\"https://schema.org\",\"@type\":\"ItemList\",\"itemListElement\":[{}]}}</script>",
        entries.join(",")
    )
}

fn item(id: usize) -> Option<DemoResponse> {
    let products = goods::all(Language::English);
    let product = products.iter().find(|product| product.id == id)?;
    let kind = CATEGORIES.get(product.category)?;
    let crumbs: Vec<String> = kind
        .path
        .iter()
        .map(|name| format!("<a href=\"/tree/\">{name}</a>"))
        .collect();
    let name = escape(&product.name);
    let content = format!(
        "<script type=\"application/ld+json\">{{\"@context\":\"https://schema.org\",{}</script><nav class=\"breadcrumb\">{}</nav>\
<h1>{name}</h1><p class=\"price\">{}</p><p>{} of our own stock, made by {brand}. It weighs {} g and has a guarantee of two years. \
Customers gave it {}.{} of 5 stars in {} reviews.</p><table><tr><th>Brand<td>{brand}<tr><th>Article<td>SKU-{id:04}</table>\
<h2>Others of its kind</h2><ul class=\"products\">{}</ul>",
        offer(product).trim_start_matches('{'),
        crumbs.join(" / "),
        euros(product.cents),
        kind.thing,
        300 + id * 7,
        product.stars / 10,
        product.stars % 10,
        product.reviews,
        rows(
            &products
                .iter()
                .filter(|other| other.category == product.category && other.id != id)
                .take(4)
                .cloned()
                .collect::<Vec<_>>(),
            "plain"
        ),
        brand = product.brand,
    );
    Some(DemoResponse::page(&product.name, &content))
}
