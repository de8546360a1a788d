//! The tools in a real browser: every variant works, and whole plans give exactly what is under the limit.

use std::sync::Arc;

use demo::goods::{self, Language};
use tools::Setting;
use web::engines::chromium::Chromium;

use crate::{examples, shop_plans, variants};

/// A browser of its own.
pub(crate) fn browser() -> Chromium {
    Chromium::new(examples::client(), testkit::chromium::settings())
}

pub(crate) fn setting(browser: &Chromium) -> Setting {
    Setting {
        browser: Some(Arc::new(browser.clone())),
        ..examples::setting()
    }
}

#[tokio::test]
async fn in_a_browser_every_tool_works_on_every_variant() {
    let site = testkit::shop::start().await;
    let http = variants::all(&examples::setting(), &site, true).await;
    let browser = browser();
    let chromium = variants::all(&setting(&browser), &site, false).await;
    browser.stop().await;
    variants::compare(&[("http", http), ("chromium", chromium)]);
}

/// The special offers, a list that loads as one scrolls and that is filtered in place.
#[tokio::test]
async fn in_a_browser_the_plans_give_exactly_what_is_under_the_limit() {
    let offers = goods::all(Language::Polish)
        .into_iter()
        .filter(|it| it.id % 10 < 3);
    let browser = browser();
    shop_plans::both(&setting(&browser), "/ceneo-js/Promocje", offers.collect()).await;
    shop_plans::both(
        &setting(&browser),
        "/ceneo/Odkurzacze",
        goods::of_category(Language::Polish, 0),
    )
    .await;
    browser.stop().await;
}
