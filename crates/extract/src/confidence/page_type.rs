//! Features of the type of a page.

use super::evidence::{Features, PageEvidence};
use super::features::flag;
use crate::fields::PageType;
use crate::item::Item;
use crate::rules::page_address;
use crate::rules::page_type::main_entity;
use crate::rules::visible_page::meta;

/// Measures how much speaks for the type of an item.
pub(super) fn measure(item: &Item, evidence: PageEvidence<'_, '_>) -> Features {
    let view = evidence.view;
    let dom = view.dom();
    let is = |page_type: PageType| item.page_type == page_type;
    let of_content = evidence.content.map(|content| PageType::from(content.kind));
    let sure = evidence
        .content
        .filter(|_| of_content == Some(item.page_type))
        .map_or(0.0, |content| content.kind_probability);
    let entity = main_entity(view, evidence.entities, item.page_type).is_some();
    let declared = meta(dom, "og:type").unwrap_or_default().to_ascii_lowercase();
    let article = declared.contains("article") || declared.contains("blog");
    let product = declared.contains("product");
    let address = page_address::of(view.page);
    let path = address.as_deref().map(|url| url.path()).unwrap_or_default();
    let long_lines = view.lines.iter().filter(|line| line.range.len() > 160).count() as f32;
    let lines = view.lines.len().max(1) as f32;
    let links = dom.by_tag("a").take(2_000).count() as f32;
    let articles = dom.by_tag("article").take(30).count() as f32;
    let sells = evidence.product.evidence.clamp(0.0, 5.0) / 5.0;
    let long = (long_lines.ln_1p() / 4.0).min(1.0);
    let linked = (links / lines).min(2.0);
    vec![
        ("product", flag(is(PageType::Product))),
        ("article", flag(is(PageType::Article))),
        ("listing", flag(is(PageType::Listing))),
        ("forum", flag(is(PageType::Forum))),
        ("documentation", flag(is(PageType::Documentation))),
        ("other", flag(is(PageType::Other))),
        ("content_agrees", flag(of_content == Some(item.page_type))),
        (
            "content_differs",
            flag(of_content.is_some_and(|kind| kind != item.page_type)),
        ),
        ("kind_probability", sure),
        ("article_sure", flag(is(PageType::Article)) * sure),
        ("listing_sure", flag(is(PageType::Listing)) * sure),
        ("product_sure", flag(is(PageType::Product)) * sure),
        ("other_sure", flag(is(PageType::Other)) * sure),
        ("very_sure", flag(sure > 0.95)),
        ("typed_entity", flag(entity)),
        (
            "declared",
            flag((article && is(PageType::Article)) || (product && is(PageType::Product))),
        ),
        (
            "declared_other",
            flag((article && !is(PageType::Article)) || (product && !is(PageType::Product))),
        ),
        ("without_address", flag(address.is_none())),
        ("without_address_sure", flag(address.is_none()) * sure),
        ("at_root", flag(address.is_some() && path.len() <= 1)),
        ("depth", (path.matches('/').count() as f32).min(6.0) / 6.0),
        ("article_long", flag(is(PageType::Article)) * long),
        ("article_linked", flag(is(PageType::Article)) * linked),
        ("article_many", flag(is(PageType::Article)) * articles.ln_1p()),
        ("article_sells", flag(is(PageType::Article)) * sells),
        ("product_sells", flag(is(PageType::Product)) * sells),
        ("product_long", flag(is(PageType::Product)) * long),
        ("product_linked", flag(is(PageType::Product)) * linked),
        ("listing_long", flag(is(PageType::Listing)) * long),
        ("listing_linked", flag(is(PageType::Listing)) * linked),
        (
            "listing_many",
            flag(is(PageType::Listing)) * (item.items.len() as f32).ln_1p(),
        ),
        ("listing_sells", flag(is(PageType::Listing)) * sells),
        ("other_long", flag(is(PageType::Other)) * long),
        ("other_sells", flag(is(PageType::Other)) * sells),
        ("dated", flag(item.has("date_published"))),
        (
            "article_dated",
            flag(is(PageType::Article) && item.has("date_published")),
        ),
        (
            "article_authored",
            flag(is(PageType::Article) && item.has("author")),
        ),
        ("priced", flag(item.has("price"))),
    ]
}
