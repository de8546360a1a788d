//! The tools in a real browser: every variant works.

use std::sync::Arc;

use browser::engines::chromium::Chromium;
use tools::ToolServices;

use crate::{examples, variants};

/// A browser of its own.
pub(crate) fn browser() -> Chromium {
    Chromium::new(examples::client(), testkit::chromium::settings())
}

pub(crate) fn services(browser: &Chromium) -> ToolServices {
    ToolServices {
        browser: Some(Arc::new(browser.clone())),
        ..examples::services()
    }
}

#[tokio::test]
async fn in_a_browser_every_tool_works_on_every_variant() {
    let site = testkit::shop::start().await;
    let http = variants::all(&examples::services(), &site, true).await;
    let browser = browser();
    let chromium = variants::all(&services(&browser), &site, false).await;
    browser.stop().await;
    variants::compare(&[("http", http), ("chromium", chromium)]);
}
