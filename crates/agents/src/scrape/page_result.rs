//! PageResult: what one page of a scrape run gave, and its JSON.

use serde_json::{Map, Value, json};
use wire::Code;
use wire::Num;
use wire::scrape::{RunFile, ScrapeError, ScrapeStep, StepDetail, StepStatus, UrlComplete};

use crate::run_error::RunFailure;

/// What one page gave.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageResult {
    /// Its place in the request's list.
    pub index: usize,
    /// The asset as the client named it.
    pub url: String,
    /// Where redirects of the address led; none where there were none.
    pub final_url: Option<String>,
    /// The item, where the page gave one.
    pub item: Option<Value>,
    /// Rows, where the shape asked for is a list, or the instructions asked for several things.
    pub rows: Option<Value>,
    /// How the item came to be, where a model was asked.
    pub meta: Option<Value>,
    /// What earlier runs learned about the site, where the request asks for memory.
    pub memory: Option<Value>,
    /// The forms that the request names, by name.
    pub formats: Option<Value>,
    /// What the page holds, by kind of content, where the request names a complexity.
    pub page: Option<Value>,
    /// Files of the run that show the page.
    pub files: Vec<RunFile>,
    /// Main content, where Markdown or text was asked for.
    pub content: Option<String>,
    /// What a plan came to, where that is no list.
    pub answer: Option<Value>,
    /// How the plan went.
    pub plan: Option<Value>,
    /// What a reader of the item should know.
    pub warnings: Vec<String>,
    /// Links between the start of a crawl and the page.
    pub depth: Option<u32>,
    /// The page that was read in its place, where it is the same one under another address.
    pub duplicate_of: Option<String>,
    /// A page with nearly the same text.
    pub similar_to: Option<String>,
    /// Why it gave nothing.
    pub error: Option<ScrapeError>,
}

impl PageResult {
    pub(crate) fn failed(index: usize, url: &str, error: ScrapeError) -> Self {
        Self {
            index,
            url: url.to_owned(),
            error: Some(error),
            ..Self::default()
        }
    }

    /// A page that could not be had.
    pub(crate) fn unavailable(index: usize, url: &str, failure: RunFailure) -> Self {
        let error = ScrapeError::new(failure.code, failure.text, Some(url.to_owned()));
        Self::failed(index, url, error)
    }

    /// A page whose reading met a fault of this program.
    pub(crate) fn broken(index: usize, url: &str) -> Self {
        let text = "reading the page failed; please report its address";
        Self::failed(
            index,
            url,
            ScrapeError::new(Code::Internal, text, Some(url.to_owned())),
        )
    }

    /// How many items it gave.
    fn items(&self) -> u32 {
        match (&self.rows, &self.error, &self.duplicate_of) {
            (Some(Value::Array(rows)), ..) => u32::try_from(rows.len()).unwrap_or(u32::MAX),
            (_, None, None) => 1,
            _ => 0,
        }
    }

    /// The last event of the page.
    pub(crate) fn complete(&self) -> UrlComplete {
        UrlComplete {
            url: self.url.clone(),
            index: u32::try_from(self.index).unwrap_or(u32::MAX),
            status: match (&self.error, &self.duplicate_of) {
                (Some(_), _) => StepStatus::Failed,
                (None, Some(_)) => StepStatus::Skipped,
                (None, None) => StepStatus::Completed,
            },
            items: self.items(),
            error: self.error.clone(),
        }
    }

    /// The last step of the page, with the reward of all its steps.
    pub(crate) fn last_step(&self, page_reward: Num) -> ScrapeStep {
        let detail = StepDetail::PageDone {
            items: self.items(),
            page_reward,
            result: Some(self.json()),
        };
        let step = match (&self.error, &self.duplicate_of) {
            (Some(_), _) => ScrapeStep::failed(detail, "the page gave nothing"),
            (None, Some(_)) => ScrapeStep::completed(detail, "the page was read under another address"),
            (None, None) => ScrapeStep::completed(detail, "the page is finished"),
        };
        step.on(self.url.clone())
    }

    /// The result as clients see it: `{"url","status","item"|"error"}` and what goes with it.
    pub fn json(&self) -> Value {
        let mut result = Map::new();
        result.insert("index".into(), self.index.into());
        result.insert("url".into(), self.url.clone().into());
        let status = match (&self.error, &self.duplicate_of) {
            (Some(_), _) => "failed",
            (None, Some(_)) => "duplicate",
            (None, None) => "ok",
        };
        result.insert("status".into(), status.into());
        if let Some(depth) = self.depth {
            result.insert("depth".into(), depth.into());
        }
        for (name, url) in [
            ("final_url", &self.final_url),
            ("duplicate_of", &self.duplicate_of),
            ("similar_to", &self.similar_to),
        ] {
            if let Some(url) = url {
                result.insert(name.into(), url.clone().into());
            }
        }
        if let Some(item) = &self.item {
            result.insert("item".into(), item.clone());
        }
        let more = [
            ("rows", &self.rows),
            ("answer", &self.answer),
            ("plan", &self.plan),
            ("meta", &self.meta),
            ("memory", &self.memory),
            ("formats", &self.formats),
            ("page", &self.page),
        ];
        for (name, value) in more {
            if let Some(value) = value {
                result.insert(name.into(), value.clone());
            }
        }
        if let Some(content) = &self.content {
            result.insert("content".into(), content.clone().into());
        }
        if !self.files.is_empty() {
            result.insert("files".into(), json!(self.files));
        }
        if !self.warnings.is_empty() {
            result.insert("warnings".into(), json!(self.warnings));
        }
        if let Some(ScrapeError { code, message, .. }) = &self.error {
            result.insert("error".into(), json!({"code": code, "message": message}));
        }
        Value::Object(result)
    }

    /// The reverse of [`PageResult::json`], with the page's place; none when it is something else.
    pub fn from_json(json: &Value) -> Option<(usize, Self)> {
        let index = usize::try_from(json.get("index")?.as_u64()?).ok()?;
        let url = json.get("url")?.as_str()?.to_owned();
        let error = json.get("error").map(|error| {
            let code = serde_json::from_value(error["code"].clone()).unwrap_or(Code::Internal);
            ScrapeError::new(
                code,
                error["message"].as_str().unwrap_or_default(),
                Some(url.clone()),
            )
        });
        let warnings = json
            .get("warnings")
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        let text = |name: &str| json.get(name).and_then(Value::as_str).map(str::to_owned);
        let result = Self {
            index,
            item: json.get("item").cloned(),
            rows: json.get("rows").cloned(),
            meta: json.get("meta").cloned(),
            memory: json.get("memory").cloned(),
            answer: json.get("answer").cloned(),
            plan: json.get("plan").cloned(),
            formats: json.get("formats").cloned(),
            page: json.get("page").cloned(),
            files: RunFile::listed(json),
            content: text("content"),
            depth: json
                .get("depth")
                .and_then(Value::as_u64)
                .and_then(|depth| u32::try_from(depth).ok()),
            final_url: text("final_url"),
            duplicate_of: text("duplicate_of"),
            similar_to: text("similar_to"),
            warnings: warnings.filter_map(Value::as_str).map(str::to_owned).collect(),
            url,
            error,
        };
        Some((index, result))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_ends_as_finished_as_read_before_or_as_failed() {
        let page = PageResult {
            index: 3,
            url: "https://a.example/".to_owned(),
            ..PageResult::default()
        };
        let list = PageResult {
            rows: Some(json!([{"a": 1}, {"a": 2}])),
            ..page.clone()
        };
        let duplicate = PageResult {
            duplicate_of: Some("https://a.example/b".to_owned()),
            ..page.clone()
        };
        let failed = PageResult::failed(3, &page.url, ScrapeError::new(Code::Internal, "no", None));
        let ends = [&page, &list, &duplicate, &failed].map(|page| {
            let complete = page.complete();
            let step = page.last_step(Num::new(0.5));
            (complete.status, complete.items, step.message)
        });
        assert_eq!(
            ends,
            [
                (StepStatus::Completed, 1, "the page is finished".to_owned()),
                (StepStatus::Completed, 2, "the page is finished".to_owned()),
                (
                    StepStatus::Skipped,
                    0,
                    "the page was read under another address".to_owned()
                ),
                (StepStatus::Failed, 0, "the page gave nothing".to_owned()),
            ]
        );
    }
}
