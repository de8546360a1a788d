//! Two whole plans for one instruction, "all products under 150 zł", on the fixture shop.

use std::sync::Arc;

use browser::engines::http::HttpBrowser;
use demo::goods::{self, Language};
use plans::{Conditions, SilentObserver, ToolPlan};
use serde_json::Value;
use tools::{Grant, Registry, ToolContext, ToolServices};
use url::Url;

/// Scroll, filter, extract, check.
const WHOLE: &str = r#"{
  "plan": [
    {
      "tool": "navigation.scroll_load",
      "parameters": {"times": 6, "wait_ms": 600},
      "description": "Load more products by scrolling"
    },
    {
      "tool": "forms.price_filter",
      "parameters": {"max": 150, "submit": true},
      "description": "Apply price filter ≤150 PLN"
    },
    {
      "tool": "extraction.products_ceneo",
      "parameters": {"max_price": 150},
      "description": "Extract filtered products"
    },
    {
      "tool": "validation.price_range_check",
      "parameters": {"min": 0, "max": 150},
      "description": "Validate all prices ≤150"
    }
  ],
  "expected_output": "products",
  "fallback": "extraction.products_generic"
}"#;

/// Filter, scroll, extract.
const SHORT: &str = r#"{
  "plan": [
    {
      "tool": "forms.price_filter",
      "parameters": {"max": 150, "submit": true}
    },
    {
      "tool": "navigation.scroll_load",
      "parameters": {"times": 8}
    },
    {
      "tool": "extraction.products_ceneo",
      "parameters": {"max_price": 150}
    }
  ]
}"#;

/// A client that reaches the fixture site.
pub(crate) fn client() -> net::Client {
    let allow = vec!["127.0.0.1".parse().unwrap()];
    net::Client::new(net::ClientConfig {
        allow,
        ..net::ClientConfig::default()
    })
    .unwrap()
}

/// A services without a browser that runs scripts, on a fixed day.
pub(crate) fn services() -> ToolServices {
    let client = client();
    ToolServices {
        browser: Some(Arc::new(HttpBrowser::new(client.clone()))),
        client: Some(client),
        sandbox: Some(testkit::sandbox::sandbox()),
        now: Some("2026-03-05T10:00:00".parse().unwrap()),
        ..ToolServices::default()
    }
}

/// Name and price in hundredths of what an answer lists.
fn listed(answer: &Value) -> Vec<(String, u64)> {
    let products = answer
        .get("products")
        .unwrap_or(answer)
        .as_array()
        .cloned()
        .unwrap_or_default();
    let one = |it: &Value| {
        let cents = (it["price"].as_f64().unwrap_or(f64::NAN) * 100.0).round() as u64;
        (it["name"].as_str().unwrap_or_default().to_owned(), cents)
    };
    let mut listed: Vec<_> = products.iter().map(one).collect();
    listed.sort();
    listed
}

/// Runs both plans on a page, and compares with the products that the shop keeps.
pub(crate) async fn both(services: &ToolServices, path: &str, products: Vec<goods::Product>) {
    let site = testkit::shop::start().await;
    let mut wanted: Vec<(String, u64)> = products
        .into_iter()
        .filter(|it| it.cents <= 15_000)
        .map(|it| (it.name, it.cents))
        .collect();
    wanted.sort();
    assert!(wanted.len() > 5);
    let registry = Registry::builtin();
    for text in [WHOLE, SHORT] {
        let plan = ToolPlan::read(text).unwrap();
        let conditions = Conditions::all();
        let checked = plans::check(&plan, &registry, &conditions).unwrap();
        let mut context = ToolContext::new(services.clone(), Grant::default());
        context.goto(&Url::parse(&site.url(path)).unwrap()).await.unwrap();
        let report = plans::execute(&checked, &registry, &mut context, &mut SilentObserver).await;
        assert_eq!(
            listed(report.answer.as_ref().unwrap()),
            wanted,
            "{path}: {:#?}",
            report.steps
        );
        assert!(!report.used_fallback, "{:?}", report.reasons);
        assert_eq!(report.verdict.issues, Vec::<String>::new());
    }
}

#[tokio::test]
async fn without_scripts_the_plans_give_exactly_what_is_under_the_limit() {
    both(
        &services(),
        "/ceneo/Odkurzacze",
        goods::of_category(Language::Polish, 0),
    )
    .await;
}
