//! Tests of all pages and filters.

use crate::goods::{self, Language};
use crate::{DemoRequest, DemoResponse, answer, front, stays};

fn get(target: &str) -> DemoResponse {
    answer(&DemoRequest::new(target, b""))
}

#[test]
fn every_address_of_the_front_page_is_a_page() {
    for address in front::addresses() {
        let reply = get(address);
        assert_eq!(reply.status, 200, "{address}");
        assert!(reply.body.len() > 300, "{address}");
    }
    assert_eq!(get("/nowhere").status, 404);
    assert_eq!(get("/assets/../Cargo.toml").status, 404);
}

#[test]
fn a_price_filter_leaves_exactly_what_is_within_it() {
    let vacuums = goods::of_category(Language::Polish, 0);
    let within = |cents: u64| vacuums.iter().filter(|product| product.cents <= cents).count();
    let rows = |target: &str| {
        get(target)
            .body
            .matches("<div class=\"cat-prod-row js_category-list-item js_clickHash")
            .count()
    };
    assert_eq!(rows("/ceneo/Odkurzacze"), 25);
    assert_eq!(rows("/ceneo/Odkurzacze?max=150"), within(15_000));
    assert_eq!(rows("/ceneo/Odkurzacze?max=149%2C99"), within(14_999));
    assert!(within(14_999) < within(15_000) && within(15_000) < within(15_001));
}

#[test]
fn pages_of_a_list_hold_each_product_once() {
    let mut seen = Vec::new();
    for page in 1..=5 {
        let body = get(&format!("/pages/numbered?page={page}")).body;
        seen.extend(
            body.split("/shop/item/")
                .skip(1)
                .filter_map(|part| part.split('"').next()?.parse::<usize>().ok()),
        );
    }
    assert_eq!(seen, (1..=40).collect::<Vec<_>>());
}

#[test]
fn dates_are_read_as_the_field_says() {
    for (kind, day) in [
        ("native", "2027-03-12"),
        ("european", "12.03.2027"),
        ("american", "03%2F12%2F2027"),
    ] {
        let body = get(&format!("/forms/date/{kind}?from={day}")).body;
        assert!(body.contains("Free from 2027-03-12"), "{kind}");
        assert_eq!(
            body.matches("class=\"stay\"").count(),
            stays::free("2027-03-12", None).len()
        );
    }
    assert!(
        get("/forms/date/american?from=12.03.2027")
            .body
            .contains("cannot be read")
    );
}

#[test]
fn moments_are_written_as_iso() {
    assert_eq!(crate::posts::iso(crate::posts::NEWEST), "2026-03-01T12:00:00");
    assert_eq!(crate::posts::iso(0), "1970-01-01T00:00:00");
    assert_eq!(crate::posts::iso(951_782_400), "2000-02-29T00:00:00");
}

#[test]
fn what_is_asked_for_comes_back_as_text_only() {
    let body = get("/ceneo/Promocje?max=%22%3E%3Cscript%3E").body;
    assert!(!body.contains("\"><script>"), "{body}");
}
