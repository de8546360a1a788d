//! The tool `extraction.products_ceneo`: its filter of categories, its addresses, and what it cannot do without.

use demo::goods::{self, Language};
use plans::{Conditions, SilentObserver, ToolPlan};
use serde_json::{Map, Value, json};
use tools::{Grant, Registry, ToolContext, ToolServices};
use url::Url;

use crate::shop_plans::services;

const TOOL: &str = "extraction.products_ceneo";

/// The whole list of special offers, read page by page, within one category.
async fn offers(category: Value) -> (String, Vec<Value>) {
    let site = testkit::shop::start().await;
    let plan = json!({"plan": [
        {"tool": "navigation.pagination", "parameters": {"max_pages": 20}},
        {"tool": TOOL, "parameters": {"max_price": 999_999, "max_results": 1000, "category": category}}
    ], "expected_output": "products"});
    let registry = Registry::builtin();
    let plan = ToolPlan::read(&plan.to_string()).unwrap();
    let checked = plans::check(&plan, &registry, &Conditions::all()).unwrap();
    let mut context = ToolContext::new(services(), Grant::default());
    context
        .goto(&Url::parse(&site.url("/ceneo/Promocje")).unwrap())
        .await
        .unwrap();
    let report = plans::execute(&checked, &registry, &mut context, &mut SilentObserver).await;
    let Some(answer) = report.answer else {
        panic!("{:?} {:#?}", report.reasons, report.steps);
    };
    let rows = answer
        .get("products")
        .unwrap_or(&answer)
        .as_array()
        .unwrap()
        .clone();
    (site.url("/"), rows)
}

#[tokio::test]
async fn products_of_a_category_come_with_name_price_and_their_own_addresses() {
    let of_promotion = || {
        goods::all(Language::Polish)
            .into_iter()
            .filter(|product| product.id % 10 < 3)
    };
    let (site, rows) = offers(json!("odkurzacze")).await;
    let mut wanted: Vec<Value> = of_promotion()
        .filter(|product| product.category == 0)
        .map(|product| {
            let price = product.cents as f64 / 100.0;
            let url = format!("{site}{}", 48_000_000 + product.id * 1_117);
            json!({"name": product.name, "price": price, "url": url})
        })
        .collect();
    let told = |row: &Value| json!({"name": row["name"], "price": row["price"].as_f64(), "url": row["url"]});
    let mut got: Vec<Value> = rows.iter().map(told).collect();
    let key = |row: &Value| row["url"].to_string();
    wanted.sort_by_key(key);
    got.sort_by_key(key);
    assert_eq!(got, wanted);
    let (_, all) = offers(Value::Null).await;
    assert_eq!(
        (all.len(), all.len() > rows.len()),
        (of_promotion().count(), true)
    );
}

#[tokio::test]
async fn without_what_it_depends_on_it_is_refused_before_it_runs() {
    let given: Map<String, Value> = serde_json::from_value(json!({"max_price": 150})).unwrap();
    let registry = Registry::builtin();
    let mut context = ToolContext::new(services(), Grant::default());
    let error = registry.run(TOOL, &given, &mut context).await.unwrap_err();
    assert!(error.to_string().contains("a page"), "{error}");
    // Without a browser, no address can lead to a page.
    let context = ToolContext::new(ToolServices::default(), Grant::default());
    let plan = ToolPlan::read(&json!([{"tool": TOOL, "parameters": given}]).to_string()).unwrap();
    let issues = plans::check(&plan, &registry, &Conditions::of(&context)).err();
    assert!(format!("{issues:?}").contains("needs a page"), "{issues:?}");
}
