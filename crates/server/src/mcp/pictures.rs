//! Pictures of runs as resources: screenshots of scraped pages, and those that an agent took.

use std::num::NonZeroUsize;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::ErrorData;
use runtime::ServiceError;
use serde_json::Value;
use wire::run::{RunDetail, RunKind};
use wire::scrape::RunFile;
use wire::{Audience, RunId};

use super::session::Session;

/// The largest picture that is given to a client, in bytes.
const MAX_BYTES: u64 = 8 << 20;
/// Events of a log that are read at once while a picture is looked for.
const PAGE: usize = 50;
/// The event that holds a picture of an agent.
const CAPTURED: &str = "browser:screenshot_captured_image";

/// A picture, as the protocol sends it.
pub(super) struct Picture {
    pub(super) media_type: String,
    pub(super) base64: String,
}

/// How many pictures the result of a run names.
pub(super) fn count(result: &Value) -> usize {
    RunFile::of_result(result)
        .iter()
        .filter(|file| is_picture(file))
        .count()
}

fn is_picture(file: &RunFile) -> bool {
    file.media_type == "image/png"
}

impl Session {
    /// A picture of a run, from 1 on.
    ///
    /// # Errors
    /// When the run has no such picture, it is too large, or it is no longer kept.
    pub(super) async fn picture(
        &self,
        detail: &RunDetail,
        number: NonZeroUsize,
    ) -> Result<Picture, ErrorData> {
        let found = match detail.summary.kind {
            RunKind::Automate => self.picture_in_events(&detail.summary.id, number).await,
            RunKind::Scrape | RunKind::Plan | RunKind::Crawl | RunKind::Batch | RunKind::Research => {
                self.picture_in_files(&detail.summary.id, number).await
            }
        };
        found.map_err(refused)?.ok_or_else(|| {
            let text = match detail.summary.kind {
                RunKind::Automate if self.state.audience < Audience::Debug => {
                    "pictures of tasks are given where the operator sets HUNTSMAN_EVENTS to debug".to_owned()
                }
                _ => format!("this run has no picture {number}; they are numbered from 1 on"),
            };
            ErrorData::resource_not_found(text, None)
        })
    }

    async fn picture_in_files(
        &self,
        run: &RunId,
        number: NonZeroUsize,
    ) -> Result<Option<Picture>, ServiceError> {
        let (files, sees) = (self.state.workers.files(), self.caller.sees());
        let listed = files.list(sees, run).await?;
        let mut pictures = listed.into_iter().filter(is_picture);
        let Some(file) = pictures.nth(number.get() - 1) else {
            return Ok(None);
        };
        if file.bytes > MAX_BYTES {
            let text =
                format!("the picture has more than {MAX_BYTES} bytes; GET /v1/runs/{run}/files gives it");
            return Err(ServiceError::new(wire::Code::ResponseTooLarge, text));
        }
        let (file, bytes) = files.read(sees, run, &file.name).await?;
        Ok(Some(Picture {
            media_type: file.media_type,
            base64: STANDARD.encode(bytes),
        }))
    }

    /// What an agent saw is in its log, for those who may see all of that.
    async fn picture_in_events(
        &self,
        run: &RunId,
        number: NonZeroUsize,
    ) -> Result<Option<Picture>, ServiceError> {
        let (mut after, mut left) = (0, number.get());
        loop {
            let (service, sees) = (&self.state.service, self.caller.sees());
            let log = service.log(sees, run, after, PAGE, self.state.audience).await?;
            for entry in log.entries.iter().filter(|entry| entry.name == CAPTURED) {
                left -= 1;
                if left == 0 {
                    let data: Value = serde_json::from_str(&entry.data).unwrap_or_default();
                    let text = |key: &str| data[key].as_str().unwrap_or_default().to_owned();
                    return Ok(Some(Picture {
                        media_type: text("mediaType"),
                        base64: text("image"),
                    }));
                }
            }
            if log.is_end {
                return Ok(None);
            }
            after = log.read_to;
        }
    }
}

fn refused(error: ServiceError) -> ErrorData {
    ErrorData::resource_not_found(error.message, None)
}
