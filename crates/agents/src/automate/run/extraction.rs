//! Reading from the whole page by a model, and pictures of the page.

use std::sync::Arc;

use llm::MessageContent;
use llm::model::ModelRequest;
use page::quote::Quoted;
use serde_json::json;
use tools::agent_tool::ActionOutcome;
use wire::Code;
use wire::automate::{
    AgentExtracted, AutomateEvent, BrowserScreenshotCaptured, BrowserScreenshotCapturedImage, ImageFormat,
    ImageMediaType,
};

use super::Driver;
use crate::automate::action_executor::tab_failure;
use crate::automate::{model_calls, prompt};
use crate::run_error::RunError;

impl Driver<'_> {
    pub(super) async fn extract(&mut self, wanted: &str) -> Result<ActionOutcome, RunError> {
        let label = self.label();
        let page = self.input.run.until_cancelled(self.tab.page()).await?;
        let page = page.map_err(|error| tab_failure(error, &label))?;
        // Rendering a page is pure computing, and may take longer than a thread that serves others should be kept.
        let reading = tokio::task::spawn_blocking(move || {
            let page = Arc::clone(&page);
            page::markdown::render_page(&page)
        });
        let Ok(text) = self.input.run.until_cancelled(reading).await? else {
            return Err(RunError::recoverable(Code::Internal, "reading the page failed"));
        };
        let text = self.secrets.mask(&text);
        let with = json!({
            "wanted": wanted,
            "page": Quoted::new(&label, &text, 120_000).as_str(),
        });
        let prompt = prompt::render("extract", &with)
            .map_err(|error| RunError::recoverable(Code::Internal, error.to_string()))?;
        model_calls::announce(self.emitter, "reading the page".into(), false).await?;
        let request = ModelRequest {
            max_tokens: Some(5000),
            ..ModelRequest::new(vec![llm::Message::user(prompt)])
        };
        let turn = model_calls::turn(self.emitter, &self.models.extractor, &request).await;
        let turn = turn.map_err(|error| match RunError::from(error) {
            RunError::Recoverable(failure) => {
                let text = format!("the page could not be read ({failure})");
                RunError::recoverable(failure.code, text)
            }
            error => error,
        })?;
        let read = self.secrets.mask(turn.text.trim());
        self.evidence.read(&read);
        let extracted = AgentExtracted {
            extracted_data: read.clone(),
        };
        self.emitter
            .emit(AutomateEvent::AgentExtracted(extracted))
            .await?;
        let label = self.label();
        let quoted = Quoted::new(&label, &read, 20_000);
        Ok(ActionOutcome::told(format!("Read from the page:\n{quoted}")))
    }

    pub(super) async fn screenshot(&mut self) -> Result<ActionOutcome, RunError> {
        let label = self.label();
        let run = self.input.run;
        let withheld = || {
            let text = "refused: the page shows values of the person, or fields that were filled with them, which you may not see; \
                        go on with the page view";
            RunError::recoverable(Code::PolicyDenied, text)
        };
        if !run.until_cancelled(self.may_be_seen()).await? {
            return Err(withheld());
        }
        let png = run.until_cancelled(self.tab.screenshot(false)).await?;
        let png = png.map_err(|error| tab_failure(error, &label))?;
        if !run.until_cancelled(self.may_be_seen()).await? {
            return Err(withheld());
        }
        let captured = BrowserScreenshotCaptured {
            format: ImageFormat::Png,
            size: png.len() as u64,
        };
        self.emitter
            .emit(AutomateEvent::BrowserScreenshotCaptured(captured))
            .await?;
        let content = MessageContent::image("image/png", &png);
        if let MessageContent::Image { data, .. } = &content {
            let image = BrowserScreenshotCapturedImage {
                image: data.clone(),
                media_type: ImageMediaType::Png,
            };
            self.emitter
                .emit(AutomateEvent::BrowserScreenshotCapturedImage(image))
                .await?;
        }
        self.picture = Some(content);
        Ok(ActionOutcome::told("done; the picture follows"))
    }
}
