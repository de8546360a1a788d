//! Screenshots of a tab.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use super::cdp::page::{CaptureScreenshot, Clip, GetLayoutMetrics};
use super::failure::TabFailure;
use super::screencast::JPEG_QUALITY;
use super::tab::ChromiumTab;
use crate::error::Error;
use crate::picture::{Area, PagePicture};
use crate::snapshot::Ref;

/// Longest side of a screenshot in CSS pixels; more of a page is not drawn.
const MAX_SIDE: f64 = 16_000.0;
/// The longest wait for a screenshot.
const SCREENSHOT_TIMEOUT: Duration = Duration::from_secs(20);
/// The longest wait for a picture that is taken beside an action: the action is what matters.
const PICTURE_TIMEOUT: Duration = Duration::from_secs(1);

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
            quality: None,
            optimize_for_speed: false,
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

    /// A picture of the viewport as JPEG, and the place of an element, which is brought into view.
    pub(super) async fn take_picture(&mut self, target: Option<Ref>) -> Result<PagePicture, Error> {
        let session = self.session()?;
        let area = match target {
            // An element that is gone is a matter of the action that is to be done to it.
            Some(target) => self.area_in_view(target).await.ok().flatten(),
            None => None,
        };
        let command = CaptureScreenshot {
            format: "jpeg",
            quality: Some(JPEG_QUALITY),
            optimize_for_speed: true,
            capture_beyond_viewport: false,
            clip: None,
        };
        let picture = self.execute_within(&session, &command, PICTURE_TIMEOUT).await?;
        let jpeg = STANDARD.decode(picture.data);
        let jpeg = jpeg.map_err(|_| TabFailure::Refused("the picture cannot be read".into()))?;
        Ok(PagePicture {
            jpeg: jpeg.into(),
            size: self.profile.view,
            target: area,
        })
    }

    /// Brings an element into view, and gives its place on the page; none when it is not visible.
    async fn area_in_view(&self, target: Ref) -> Result<Option<Area>, Error> {
        #[derive(Deserialize)]
        struct ElementBox {
            x: f64,
            y: f64,
            width: f64,
            height: f64,
        }
        let frame = self.frame_of(target)?;
        let found: ElementBox = self.call_in(&frame, target, "areaInView", "").await?;
        let origin = self.frame_offset(&frame).await?;
        let is_visible = found.width > 0.0 && found.height > 0.0;
        Ok(is_visible.then_some(Area {
            x: found.x + origin.x,
            y: found.y + origin.y,
            width: found.width,
            height: found.height,
        }))
    }
}
