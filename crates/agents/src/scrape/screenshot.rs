//! Screenshots of scraped pages: taken from a tab, saved to the folder of screenshots.

use std::path::Path;

use browser::{Capability, Tab};
use serde_json::Value;
use wire::scrape::{PageFormat, RunFile, ScrapeRequest};

use super::page_result::PageResult;

/// A picture of the page as PNG, or the reason why there is none.
pub(super) type ScreenshotResult = Result<Vec<u8>, String>;

/// Whether a request wants a picture of each page.
pub(super) fn is_wanted(request: &ScrapeRequest) -> bool {
    request.screenshot || request.formats.contains(&PageFormat::Screenshot)
}

/// Takes a picture of what a tab shows.
pub(super) async fn take(tab: &mut dyn Tab) -> ScreenshotResult {
    if tab.can(Capability::Screenshot).is_err() {
        return Err("the page was read without a browser; choose the engine chromium".to_owned());
    }
    tab.screenshot(false).await.map_err(|error| error.to_string())
}

/// Saves a picture in a folder and names it in the item, relative to the folder's own folder: an answer says nothing of
/// where the server keeps its data. A picture that could not be taken is a warning.
pub(super) async fn save(screenshot: ScreenshotResult, folder: Option<&Path>, result: &mut PageResult) {
    let saved = match (screenshot, folder) {
        (Ok(png), Some(folder)) => write(folder, &png).await,
        (Ok(_), None) => Err("this server keeps no pictures".to_owned()),
        (Err(reason), _) => Err(reason),
    };
    match saved {
        Ok((path, file)) => {
            result.files.push(file);
            if let Some(Value::Object(item)) = &mut result.item {
                item.insert("screenshot_path".into(), path.into());
            }
        }
        Err(reason) => result.warnings.push(format!("no screenshot: {reason}")),
    }
}

async fn write(folder: &Path, png: &[u8]) -> Result<(String, RunFile), String> {
    let name = format!(
        "{}-{:08x}.png",
        jiff::Timestamp::now().as_millisecond(),
        fastrand::u32(..)
    );
    let path = folder.join(&name);
    let written = async {
        let mut builder = tokio::fs::DirBuilder::new();
        let mut options = tokio::fs::OpenOptions::new();
        // Pages may show what is meant for one person.
        #[cfg(unix)]
        {
            builder.mode(0o700);
            options.mode(0o600);
        }
        builder.recursive(true).create(folder).await?;
        let mut file = options.write(true).create_new(true).open(&path).await?;
        tokio::io::AsyncWriteExt::write_all(&mut file, png).await?;
        file.sync_all().await
    };
    match written.await {
        Ok(()) => {
            let parent = folder.parent().unwrap_or(folder);
            let shown = path.strip_prefix(parent).unwrap_or(&path).display().to_string();
            let file = RunFile {
                name,
                media_type: "image/png".to_owned(),
                bytes: png.len() as u64,
            };
            Ok((shown, file))
        }
        Err(error) => {
            tracing::error!(path = %path.display(), %error, "a picture cannot be written");
            Err("it cannot be written; the operator's log says why".to_owned())
        }
    }
}
