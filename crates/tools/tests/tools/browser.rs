//! The tools in a real browser: every variant works.

use std::sync::Arc;

use tools::Setting;
use browser::engines::chromium::Chromium;

use crate::{examples, variants};

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
