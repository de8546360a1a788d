//! Whole plans in a real browser give exactly the products under the limit.

use std::sync::Arc;

use browser::engines::chromium::Chromium;
use demo::goods::{self, Language};
use tools::ToolServices;

use crate::shop_plans;

/// The special offers, a list that loads as one scrolls and that is filtered in place.
#[tokio::test]
async fn in_a_browser_the_plans_give_exactly_what_is_under_the_limit() {
    let offers = goods::all(Language::Polish)
        .into_iter()
        .filter(|product| product.id % 10 < 3);
    let browser = Chromium::new(shop_plans::client(), testkit::chromium::settings());
    let services = ToolServices {
        browser: Some(Arc::new(browser.clone())),
        ..shop_plans::services()
    };
    shop_plans::both(&services, "/ceneo-js/Promocje", offers.collect()).await;
    shop_plans::both(
        &services,
        "/ceneo/Odkurzacze",
        goods::of_category(Language::Polish, 0),
    )
    .await;
    browser.stop().await;
}
