//! One page of a scrape run: opened, read, told.

use std::sync::Arc;

use browser::{Profile, Visit, Warning};
use extract::asking::Seen;
use llm::Meter;
use serde_json::{Map, Value, json};
use tokio::time::Instant;
use url::Url;
use wire::Code;
use wire::num::Num;
use wire::scrape::{
    ScrapeError, ScrapeEvent, ScrapeRequest, Status, Step, StepDetail, Tally, UrlComplete, UrlStart,
};

use super::agentic::{self, Task};
use super::read::{self, Read};
use super::{asset, model, picture};
use crate::asking::Asker;
use crate::cancel::Cancelled;
use crate::error_codes;
use crate::plan;
use crate::run::Run;
use crate::services::AgentServices;

/// What one page gave.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageResult {
    /// Its place in the request's list.
    pub index: usize,
    /// The asset as the client named it.
    pub url: String,
    /// The item, where the page gave one.
    pub item: Option<Value>,
    /// Rows, where the shape asked for is a list, or the instructions asked for several things.
    pub rows: Option<Value>,
    /// How the item came to be, where a model was asked.
    pub meta: Option<Value>,
    /// Main content, where Markdown or text was asked for.
    pub content: Option<String>,
    /// What a plan came to, where that is no list.
    pub answer: Option<Value>,
    /// How the plan went.
    pub plan: Option<Value>,
    /// What a reader of the item should know.
    pub warnings: Vec<String>,
    /// Why it gave nothing.
    pub error: Option<ScrapeError>,
}

impl PageResult {
    pub(super) fn failed(index: usize, url: &str, error: ScrapeError) -> Self {
        Self {
            index,
            url: url.to_owned(),
            error: Some(error),
            ..Self::default()
        }
    }

    /// The result as clients see it: `{"url","status","item"|"error"}` and what goes with it.
    pub fn json(&self) -> Value {
        let mut result = Map::new();
        result.insert("index".into(), self.index.into());
        result.insert("url".into(), self.url.clone().into());
        result.insert(
            "status".into(),
            if self.error.is_none() { "ok" } else { "failed" }.into(),
        );
        if let Some(item) = &self.item {
            result.insert("item".into(), item.clone());
        }
        let more = [
            ("rows", &self.rows),
            ("answer", &self.answer),
            ("plan", &self.plan),
            ("meta", &self.meta),
        ];
        for (name, value) in more {
            if let Some(value) = value {
                result.insert(name.into(), value.clone());
            }
        }
        if let Some(content) = &self.content {
            result.insert("content".into(), content.clone().into());
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
        let result = Self {
            index,
            item: json.get("item").cloned(),
            rows: json.get("rows").cloned(),
            meta: json.get("meta").cloned(),
            answer: json.get("answer").cloned(),
            plan: json.get("plan").cloned(),
            content: json.get("content").and_then(Value::as_str).map(str::to_owned),
            warnings: warnings.filter_map(Value::as_str).map(str::to_owned).collect(),
            url,
            error,
        };
        Some((index, result))
    }
}

/// The steps of one page, counted as they are said.
pub(super) struct Teller<'a> {
    pub(super) run: &'a Run<ScrapeEvent>,
    pub(super) index: usize,
    pub(super) url: String,
    tally: Tally,
}

impl Teller<'_> {
    pub(super) async fn say(&mut self, step: Step) -> Result<(), Cancelled> {
        let step = step.on(self.url.clone());
        self.tally.add(&step);
        self.run.emit(ScrapeEvent::Step { data: step }).await
    }

    /// Tells that the page is opened, and how that went. What the page gave is the visit and what comes with it; that it
    /// gave nothing is a result.
    pub(super) async fn opening<T>(
        &mut self,
        engine: &str,
        going: impl Future<Output = Result<(Visit, T), browser::Error>>,
    ) -> Result<Result<(Visit, T), PageResult>, Cancelled> {
        let navigate = |visit: Option<&Visit>| StepDetail::Navigate {
            final_url: visit.map(|visit| visit.url.to_string()),
            http_status: visit.and_then(|visit| visit.status),
            title: visit.map(|visit| visit.title.clone()),
            engine: engine.to_owned(),
        };
        let name = self.url.clone();
        self.say(Step::running(navigate(None), format!("opening {name}")))
            .await?;
        let began = Instant::now();
        match self.run.until_cancelled(going).await? {
            Ok((visit, rest)) => {
                let opened = Step::completed(navigate(Some(&visit)), format!("opened {}", visit.url));
                self.say(opened.took(began.elapsed())).await?;
                Ok(Ok((visit, rest)))
            }
            Err(error) => {
                let failed = Step::failed(navigate(None), error.to_string());
                self.say(failed.took(began.elapsed())).await?;
                let error = error_codes::page_error(&error, &name);
                Ok(Err(PageResult::failed(self.index, &name, error)))
            }
        }
    }
}

/// Reads the page at a place of the request's list, with the run's model for reading, if any, and its meter. A page that
/// fails is a result too.
///
/// # Errors
/// When the run is over.
pub(super) async fn read(
    run: &Run<ScrapeEvent>,
    request: &ScrapeRequest,
    services: &AgentServices,
    (asker, meter): (Option<&Asker>, &Meter),
    index: usize,
    task: &Task,
) -> Result<(usize, PageResult, Tally), Cancelled> {
    let url = request.assets.get(index).cloned().unwrap_or_default();
    let mut teller = Teller {
        run,
        index,
        url: url.clone(),
        tally: Tally::default(),
    };
    let place = u32::try_from(index).unwrap_or(u32::MAX);
    let total = u32::try_from(request.assets.len()).unwrap_or(u32::MAX);
    run.emit(ScrapeEvent::UrlStart(UrlStart {
        url: url.clone(),
        index: place,
        total,
    }))
    .await?;
    let result = match asset::address(&url) {
        _ if matches!(task, Task::Run(_)) && plan::is_nowhere(&url) => {
            agentic::visit(&mut teller, request, services, (asker, meter), None, task).await?
        }
        Ok(address) if matches!(task, Task::Run(_)) || agentic::is_wanted(request, services) => {
            agentic::visit(
                &mut teller,
                request,
                services,
                (asker, meter),
                Some(&address),
                task,
            )
            .await?
        }
        Ok(address) => visit(&mut teller, request, services, asker, &address).await?,
        Err(error) => PageResult::failed(index, &url, error),
    };
    if let Some(error) = &result.error {
        run.emit(ScrapeEvent::Error { data: error.clone() }).await?;
    }
    let items = match &result.rows {
        Some(Value::Array(rows)) => u32::try_from(rows.len()).unwrap_or(u32::MAX),
        _ => u32::from(result.error.is_none()),
    };
    let detail = StepDetail::PageDone {
        items,
        page_reward: teller.tally.reward(),
        result: Some(result.json()),
    };
    let (step, status) = match result.error {
        None => (Step::completed(detail, "the page is finished"), Status::Completed),
        Some(_) => (Step::failed(detail, "the page gave nothing"), Status::Failed),
    };
    teller.say(step).await?;
    let error = result.error.clone();
    run.emit(ScrapeEvent::UrlComplete(UrlComplete {
        url,
        index: place,
        status,
        items,
        error,
    }))
    .await?;
    Ok((index, result, teller.tally))
}

async fn visit(
    teller: &mut Teller<'_>,
    request: &ScrapeRequest,
    services: &AgentServices,
    asker: Option<&Asker>,
    address: &Url,
) -> Result<PageResult, Cancelled> {
    let index = teller.index;
    let name = teller.url.clone();
    let cancel = teller.run.cancel_signal().token().clone();
    let profile = Profile {
        granted: services.granted.clone(),
        cancel,
        ..Profile::default()
    };
    let going = open(services, profile, address, request.screenshot);
    let (visit, Opened { page, picture }) = match teller.opening(services.browser.name(), going).await? {
        Ok(opened) => opened,
        Err(failed) => return Ok(failed),
    };
    if let Some(error) = refused(&visit, &name) {
        return Ok(PageResult::failed(index, &name, error));
    }
    let mut result = reading(teller, request, services, asker, page, Vec::new()).await?;
    if let Some(picture) = picture {
        picture::keep(picture, services.screenshots.as_deref(), &mut result).await;
    }
    let of_visit = visit.warnings.iter().map(|warning| warning.text().to_owned());
    result.warnings = of_visit.chain(result.warnings).collect();
    Ok(result)
}

/// Reads a page as the request wants it read. A model that is asked hears what tools found there.
///
/// # Errors
/// When the run is over.
pub(super) async fn reading(
    teller: &mut Teller<'_>,
    request: &ScrapeRequest,
    services: &AgentServices,
    asker: Option<&Asker>,
    page: Arc<::page::Page>,
    seen: Vec<Seen>,
) -> Result<PageResult, Cancelled> {
    let (index, name) = (teller.index, teller.url.clone());
    let mode = read::mode(request, services.reading.mode);
    let detail = |items, fields, coverage: Option<f64>| StepDetail::Extract {
        mode: mode.name().to_owned(),
        items,
        fields,
        confidence: coverage.map(Num::new),
    };
    teller
        .say(Step::running(detail(None, Vec::new(), None), "reading the page"))
        .await?;
    let began = Instant::now();
    let wants = request.clone();
    // Reading is pure computing, and takes longer than a thread that serves others should be kept.
    let reading = tokio::task::spawn_blocking(move || {
        (read::content(&page, &wants), read::by_rules(&page, &wants, mode))
    });
    let Ok((content, read)) = teller.run.until_cancelled(reading).await? else {
        let text = "reading the page failed; please report its address";
        return Ok(PageResult::failed(
            index,
            &name,
            ScrapeError::new(Code::Internal, text, Some(name.clone())),
        ));
    };
    let reading = match (read, asker) {
        (Read::Done(reading), _) => *reading,
        (Read::Begun(material), Some(asker)) => {
            let how = (mode, services.reading.retries);
            model::read(teller, asker, request, how, material.with_seen(seen)).await?
        }
        (Read::Begun(_), None) => {
            let text = format!("mode {mode} needs a model");
            let error = ScrapeError::new(Code::ModelNotConfigured, text, Some(name.clone()));
            return Ok(PageResult::failed(index, &name, error));
        }
    };
    let found = u32::from(!reading.fields.is_empty());
    let detail = detail(Some(found), reading.fields, reading.coverage);
    teller
        .say(Step::completed(detail, "the page is read").took(began.elapsed()))
        .await?;
    let failure = reading.failure;
    Ok(PageResult {
        index,
        item: Some(reading.item),
        rows: reading.rows,
        meta: reading.meta,
        content,
        warnings: reading.warnings,
        error: failure.map(|failure| ScrapeError::new(failure.code, failure.message, Some(name.clone()))),
        url: name,
        ..PageResult::default()
    })
}

/// A page as it was when it was opened.
pub(crate) struct Opened {
    pub(crate) page: Arc<::page::Page>,
    /// How it looked, where that was wished for.
    pub(super) picture: Option<picture::Picture>,
}

/// Opens a page in a tab of its own, and takes a picture of it if one is `pictured`.
pub(crate) async fn open(
    services: &AgentServices,
    profile: Profile,
    address: &Url,
    pictured: bool,
) -> Result<(Visit, Opened), browser::Error> {
    let mut tab = services.browser.open(profile).await?;
    let visit = tab.goto(address).await?;
    let page = tab.page().await?;
    let picture = match pictured {
        true => Some(picture::take(&mut *tab).await),
        false => None,
    };
    tab.close().await;
    Ok((visit, Opened { page, picture }))
}

/// A visit that led to something, but not to the page that was asked for.
pub(crate) fn refused(visit: &Visit, url: &str) -> Option<ScrapeError> {
    let refuse = |code, text: String| Some(ScrapeError::new(code, text, Some(url.to_owned())));
    if let Some(status) = visit.status.filter(|it| !(200..300).contains(it)) {
        return refuse(
            Code::UpstreamError,
            format!("the site answered with status {status}"),
        );
    }
    for warning in &visit.warnings {
        let code = match warning {
            Warning::NotAPage => Code::UnsupportedContent,
            Warning::Empty => Code::EmptyContent,
            Warning::BotWall => Code::UpstreamError,
            Warning::SoftNotFound | Warning::ScriptsNeeded | Warning::Truncated => continue,
        };
        return refuse(code, warning.text().to_owned());
    }
    None
}
