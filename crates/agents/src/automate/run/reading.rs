//! Reading from the whole page, and pictures of it.

use std::sync::Arc;

use llm::Content;
use llm::model::Request;
use page::quote::Quoted;
use serde_json::json;
use wire::automate::{
    AgentExtracted, AutomateEvent, BrowserScreenshotCaptured, BrowserScreenshotCapturedImage, ImageFormat,
    ImageMediaType,
};

use super::Driver;
use crate::automate::act::{Done, Fault};
use crate::automate::{ask, prompt};
use crate::cancel::Cancelled;

impl Driver<'_> {
    pub(super) async fn extract(&mut self, wanted: &str) -> Result<Result<Done, Fault>, Cancelled> {
        let label = self.label();
        let page = match self.brief.run.until_cancelled(self.tab.page()).await? {
            Ok(page) => page,
            Err(it) => return Ok(Err(Fault::of(&it, &label))),
        };
        // Rendering a page is pure computing, and may take longer than a thread that serves others should be kept.
        let reading = tokio::task::spawn_blocking(move || {
            let page = Arc::clone(&page);
            page::markdown::render_page(&page)
        });
        let Ok(text) = self.brief.run.until_cancelled(reading).await? else {
            return Ok(Err(Fault::plain("reading the page failed")));
        };
        let text = self.secrets.mask(&text);
        let with = json!({
            "wanted": wanted,
            "page": Quoted::new(&label, &text, 120_000).as_str(),
        });
        let prompt = match prompt::render("extract", &with) {
            Ok(prompt) => prompt,
            Err(it) => return Ok(Err(Fault::plain(it.to_string()))),
        };
        ask::announce(self.teller, "reading the page".into(), false).await?;
        let request = Request {
            max_tokens: Some(5000),
            ..Request::new(vec![llm::Message::user(prompt)])
        };
        let answered = ask::turn(self.teller, &self.seats.extractor, &request).await?;
        let read = match answered {
            Ok(turn) => self.secrets.mask(turn.text.trim()),
            Err(it) => {
                let trouble = ask::trouble(&it);
                let text = format!("the page could not be read ({}: {})", trouble.code, trouble.text);
                let mut fault = Fault::plain(text);
                fault.fatal = trouble.fatal.then_some(trouble);
                return Ok(Err(fault));
            }
        };
        self.evidence.read(&read);
        let extracted = AgentExtracted {
            extracted_data: read.clone(),
        };
        self.teller.say(AutomateEvent::AgentExtracted(extracted)).await?;
        let label = self.label();
        let text = format!("Read from the page:\n{}", Quoted::new(&label, &read, 20_000));
        Ok(Ok(Done {
            text,
            ..Done::default()
        }))
    }

    pub(super) async fn screenshot(&mut self) -> Result<Result<Done, Fault>, Cancelled> {
        let label = self.label();
        if self.secrets.hides()
            && let Ok(now) = self.brief.run.until_cancelled(self.tab.snapshot()).await?
            && self.secrets.shown_by(&now)
        {
            return Ok(Err(Fault::plain(
                "refused: the page shows values of the person, which you may not see; go on with the page view",
            )));
        }
        let png = match self.brief.run.until_cancelled(self.tab.screenshot(false)).await? {
            Ok(png) => png,
            Err(it) => return Ok(Err(Fault::of(&it, &label))),
        };
        let captured = BrowserScreenshotCaptured {
            format: ImageFormat::Png,
            size: png.len() as u64,
        };
        self.teller
            .say(AutomateEvent::BrowserScreenshotCaptured(captured))
            .await?;
        let content = Content::image("image/png", &png);
        if let Content::Image { data, .. } = &content {
            let image = BrowserScreenshotCapturedImage {
                image: data.clone(),
                media_type: ImageMediaType::Png,
            };
            self.teller
                .say(AutomateEvent::BrowserScreenshotCapturedImage(image))
                .await?;
        }
        self.picture = Some(content);
        Ok(Ok(Done {
            text: "done; the picture follows".to_owned(),
            ..Done::default()
        }))
    }
}
