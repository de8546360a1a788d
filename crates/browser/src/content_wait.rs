//! Waiting for content that a page in a browser still says is to come.
//!
//! Lists and articles may come some time after the page, by timers and further requests, and nothing of the browser says when.
//! What the page shows does: an empty place under its title, words that say that something loads.

use std::sync::Arc;
use std::time::Duration;

use page::Page;
use tokio::time::{Instant, sleep};

use crate::browser::Tab;
use crate::error::Error;
use crate::fetch::script_need::needs_scripts;

/// The longest wait.
const STILL_TO_COME: Duration = Duration::from_secs(2);
/// The time between two looks at the page.
const BETWEEN_LOOKS: Duration = Duration::from_millis(150);

/// The page of a tab with a browser, once nothing of it is to come, or two seconds later.
///
/// # Errors
/// When the page cannot be read.
pub async fn settled_page(tab: &mut dyn Tab) -> Result<Arc<Page>, Error> {
    let until = Instant::now() + STILL_TO_COME;
    loop {
        let page = tab.page().await?;
        if !needs_scripts(&page) || Instant::now() >= until {
            return Ok(page);
        }
        sleep(BETWEEN_LOOKS).await;
    }
}
