//! The number of a product where no label states it: in the address, in attributes and forms, in what scripts report.

use page::Page;
use page::dom::{Node, NodeId};

use super::super::element_source::element_source;
use super::super::visible_page::{self, VisiblePage};
use super::identifiers::{others_from, token};
use crate::provenance::{FieldSource, Sourced};

/// The number that both the address and the page bear, as the page prints it ("603.471.02" for "/hook-60347102/").
pub fn in_address_and_text(view: &VisiblePage<'_>) -> Option<Sourced<String>> {
    let path = view.page.url()?.path().to_lowercase();
    let is_number = |part: &str| {
        part.len() >= MIN_SHARED && part.bytes().filter(u8::is_ascii_digit).count() * 2 >= part.len()
    };
    let parts = path.split(|c: char| !c.is_alphanumeric());
    // A letter before the digits may be the shop's mark for a product ("p400138908").
    let bare = |part: &str| part.trim_start_matches(|c: char| c.is_ascii_lowercase()).len() + 1 >= part.len();
    let named: Vec<&str> = parts.filter(|part| is_number(part)).collect();
    if named.is_empty() {
        return None;
    }
    let is_named = |token: &str| {
        let plain: String = token
            .chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect();
        is_number(&plain)
            && named
                .iter()
                .any(|part| *part == plain || (bare(part) && part.get(1..) == Some(plain.as_str())))
    };
    for line in view.lines.iter() {
        let text = view.lines.line_text(line);
        if text.len() > 400 || !text.contains(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let found = text
            .split_whitespace()
            .filter_map(token)
            .find(|token| is_named(token));
        if let Some(number) = found {
            return Some(Sourced::new(number, element_source(view.dom().node(line.block))));
        }
    }
    None
}

/// Fewest letters and digits of a number that is looked for: shorter ones are years, sizes and counts.
const MIN_SHARED: usize = 5;

/// Attributes and names of fields in which shop software keeps the number of the product, the plainest first.
const ATTRIBUTES: [&str; 10] = [
    "data-product-sku",
    "data-sku",
    "data-product_sku",
    "data-item-number",
    "data-product-code",
    "data-product-id",
    "data-productid",
    "data-product_id",
    "data-item-id",
    "data-pid",
];
/// Names of hidden fields that send the number of the product with the order.
const FIELDS: [&str; 9] = [
    "sku",
    "product_sku",
    "productcode",
    "product_code",
    "product_id",
    "productid",
    "id_product",
    "add-to-cart",
    "pid",
];

/// The number in an attribute or a hidden field of the one thing that is for sale: a number that the address names, too, or
/// the number of the shop (not of its database) when only one such number stands on the page.
pub fn in_attributes(view: &VisiblePage<'_>) -> Option<Sourced<String>> {
    let dom = view.dom();
    let address = view
        .page
        .url()
        .map(|url| url.path().to_owned())
        .unwrap_or_default();
    let mut shop_numbers: Vec<(String, NodeId)> = Vec::new();
    // WooCommerce names the page's product in a class of the body, and each other one beside its number.
    let own_id = dom
        .body()
        .and_then(|body| body.classes().find_map(|class| class.strip_prefix("postid-")));
    let is_other =
        |node: Node<'_>| own_id.is_some_and(|own| node.attr("data-product_id").is_some_and(|id| id != own));
    for node in dom.nodes().filter(|node| node.is_element() && !is_other(*node)) {
        let attributes = node
            .attrs()
            .filter(|(name, _)| name.starts_with("data-") && ATTRIBUTES.contains(name));
        let field = node.is("input")
            && node
                .attr("name")
                .is_some_and(|name| FIELDS.contains(&name.to_ascii_lowercase().as_str()));
        let field = node
            .attr("value")
            .filter(|_| field)
            .map(|value| (node.attr("name").unwrap_or_default(), value));
        for (name, value) in attributes.chain(field) {
            let Some(number) = token(value).filter(|number| number.len() == value.trim().len()) else {
                continue;
            };
            let is_named = number.len() >= 4
                && address
                    .split(|c: char| !c.is_alphanumeric())
                    .any(|part| part == number);
            if is_named {
                return Some(Sourced::new(number, element_source(node)));
            }
            if name.contains("sku") && !shop_numbers.iter().any(|(known, _)| *known == number) {
                shop_numbers.push((number, node.id()));
            }
        }
    }
    let others = others_from(view);
    let is_own = |node: NodeId| others.is_none_or(|others| node < others);
    let (own, behind): (Vec<_>, Vec<_>) = shop_numbers.iter().partition(|(_, node)| is_own(*node));
    let numbers = if own.is_empty() { behind } else { own };
    match numbers.as_slice() {
        [(number, node)] => Some(Sourced::new(number.clone(), element_source(dom.node(*node)))),
        _ => None,
    }
}

/// Most bytes of scripts that are searched for the number that a shop reports to its statistics.
const MOST_SCRIPT: usize = 1 << 20;

locale::patterns! {
    /// The number of a product as shops report it to their statistics (Google's measurement of shops). Classes of ASCII only,
    /// since those of Unicode are slow.
    static REPORTED = r#"["']?item_id["']?\s*:\s*["']([A-Za-z0-9._/-]{3,40})["']"#;
}

/// The number that scripts report of the page, when they name a single one.
pub fn reported(view: &VisiblePage<'_>) -> Option<Sourced<String>> {
    let mut found: Option<String> = None;
    let mut bytes = 0;
    for script in view.dom().by_tag("script") {
        let text = script.raw_text();
        bytes += text.len();
        if bytes > MOST_SCRIPT {
            break;
        }
        if !text.contains("item_id") {
            continue;
        }
        for hit in REPORTED
            .captures_iter(&text)
            .filter_map(|captures| captures.get(1))
        {
            match &found {
                Some(known) if known != hit.as_str() => return None,
                Some(_) => {}
                None => found = Some(token(hit.as_str())?),
            }
        }
    }
    let source = FieldSource::State {
        path: "script.item_id".to_owned(),
    };
    Some(Sourced::new(found?, source))
}

/// The number in the page's address: a parameter that names it, else the last part that looks like one.
pub fn in_url(page: &Page) -> Option<Sourced<String>> {
    let url = page.url()?;
    let found = |code: String| Some(Sourced::new(code, FieldSource::Url));
    for (key, value) in url.query_pairs() {
        let key = key.to_ascii_lowercase();
        let named = matches!(
            key.as_str(),
            "sku"
                | "skuid"
                | "itemid"
                | "item_id"
                | "productid"
                | "product_id"
                | "pid"
                | "articleid"
                | "item"
                | "prod_id"
                | "variant"
                | "goods_id"
        );
        if named && let Some(code) = token(&value) {
            return found(code);
        }
    }
    let segments: Vec<&str> = url.path_segments()?.filter(|it| !it.is_empty()).collect();
    for pair in segments.windows(2) {
        if let [key, value] = pair
            && matches!(
                key.to_ascii_lowercase().as_str(),
                "dp" | "itm"
                    | "products_id"
                    | "product"
                    | "item"
                    | "prod"
                    | "p"
                    | "id"
                    | "gp"
                    | "pd"
                    | "ip"
                    | "sku"
            )
        {
            let code = visible_page::percent_decoded(value)
                .split(['_', '?'])
                .next()
                .map(str::to_owned)?;
            let code = code.split('.').next().unwrap_or_default().to_owned();
            let digits = code.chars().filter(char::is_ascii_digit).count();
            if digits >= 2 && code.len() >= 4 && code.len() <= 20 && !code.contains('-') {
                return found(code);
            }
        }
    }
    let last = visible_page::percent_decoded(segments.last()?);
    let stem = last
        .rsplit_once('.')
        .filter(|(_, ext)| ext.len() <= 5 && ext.chars().all(char::is_alphanumeric))
        .map_or(last.as_str(), |(stem, _)| stem);
    // "...-114768289", "...-p400138908", "...-x3410048", "94037710_vintage-bag", "NI_AT3484-623".
    let upper = stem.chars().all(|c| !c.is_lowercase()) && stem.len() >= 5;
    if upper && stem.chars().any(|c| c.is_ascii_digit()) {
        return token(stem).and_then(found);
    }
    let parts: Vec<&str> = stem.split(['-', '_']).collect();
    for part in parts.iter().rev().chain(parts.first()) {
        let bare = part
            .strip_prefix(['p', 'x', 'P', 'X', 's', 'i', 'a'])
            .filter(|it| it.len() >= 5)
            .unwrap_or(part);
        if bare.len() >= 5 && bare.bytes().all(|b| b.is_ascii_digit()) {
            return found(bare.to_owned());
        }
    }
    None
}
