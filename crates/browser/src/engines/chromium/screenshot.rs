//! Pictures of a tab.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::json;

use super::frames::Slip;
use super::tab::ChromiumTab;
use crate::error::Error;

/// Longest side of a picture in pixels; more of a page is not drawn.
const LONGEST: f64 = 16_000.0;
/// The longest wait for a picture.
const PATIENCE: Duration = Duration::from_secs(20);

impl ChromiumTab {
    /// A picture of the view, or of the whole page, as PNG.
    pub(super) async fn picture(&mut self, whole: bool) -> Result<Vec<u8>, Error> {
        #[derive(Deserialize)]
        struct Taken {
            data: String,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Metrics {
            css_content_size: Size,
        }
        #[derive(Deserialize)]
        struct Size {
            width: f64,
            height: f64,
        }
        let session = self.session()?;
        let watch = self.watch()?.clone();
        let mut asked = json!({"format": "png"});
        if whole {
            let reply = watch
                .connection
                .call(&session, "Page.getLayoutMetrics", json!({}));
            let metrics: Metrics = self.answer(&session, reply).await?;
            let size = metrics.css_content_size;
            asked["captureBeyondViewport"] = true.into();
            asked["clip"] = json!({
                "x": 0,
                "y": 0,
                "width": size.width.clamp(1.0, LONGEST),
                "height": size.height.clamp(1.0, LONGEST),
                "scale": 1,
            });
        }
        let reply = watch.connection.call(&session, "Page.captureScreenshot", asked);
        let taken: Taken = self.answer_within(&session, reply, PATIENCE).await?;
        STANDARD
            .decode(taken.data)
            .map_err(|_| Slip::Failed("the picture cannot be read".into()).into())
    }
}
