//! Screenshots of a tab.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::cdp::page::{CaptureScreenshot, Clip, GetLayoutMetrics};
use super::failure::TabFailure;
use super::tab::ChromiumTab;
use crate::error::Error;

/// Longest side of a screenshot in CSS pixels; more of a page is not drawn.
const MAX_SIDE: f64 = 16_000.0;
/// The longest wait for a screenshot.
const SCREENSHOT_TIMEOUT: Duration = Duration::from_secs(20);

impl ChromiumTab {
    /// A screenshot of the viewport, or of the whole page, as PNG.
    pub(super) async fn capture(&mut self, whole: bool) -> Result<Vec<u8>, Error> {
        let session = self.session()?;
        let mut clip = None;
        if whole {
            let metrics = self.execute(&session, &GetLayoutMetrics {}).await?;
            let size = metrics.css_content_size;
            clip = Some(Clip {
                x: 0.0,
                y: 0.0,
                width: size.width.clamp(1.0, MAX_SIDE),
                height: size.height.clamp(1.0, MAX_SIDE),
                scale: 1.0,
            });
        }
        let command = CaptureScreenshot {
            format: "png",
            capture_beyond_viewport: whole,
            clip,
        };
        let screenshot = self
            .execute_within(&session, &command, SCREENSHOT_TIMEOUT)
            .await?;
        STANDARD
            .decode(screenshot.data)
            .map_err(|_| TabFailure::Refused("the picture cannot be read".into()).into())
    }
}
