//! The tools: each call checked, done by the runtime's services, and answered.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResponse};
use rmcp::service::RequestContext;
use runtime::ServiceError;
use runtime::pages::PageService;
use runtime::tooling::ToolService;
use serde_json::{Value, json};
use wire::profile::ProfileChoice;
use wire::read::{PageView, ReadRequest};
use wire::run::JobRequest;
use wire::scrape::ScrapeRequest;
use wire::strict::RequestRefusal;
use wire::tabstack::{AutomateRequest, ResearchRequest};
use wire::tooling::ToolRequest;
use wire::{Code, RequestId, RunId};

use super::answer::{Answer, PartRequest};
use super::arguments::Arguments;
use super::followers::RunOrigin;
use super::kept_answers::{self, KeptText};
use super::parts::{self, PART_TOKENS};
use super::questions::{self, Means};
use super::runs::{PATIENCE, Standing};
use super::session::Session;
use super::{catalog, permission, results, tasks};

/// Tools that `tool_find` names.
const FOUND_TOOLS: usize = 8;
/// Search hits, unless the client says otherwise.
const HITS: usize = 10;

/// What a call gives: an answer, or a result that requires a person's input.
type Outcome = Result<CallToolResponse, Answer>;
type Context = RequestContext<RoleServer>;

/// A tool that the client is not offered, in words that name the nearest.
pub(super) struct UnknownTool(pub(super) String);

/// Calls a tool.
///
/// # Errors
/// When the client is offered no such tool. Whatever else goes wrong is an answer.
pub(super) async fn call(
    session: &Session,
    request: CallToolRequestParams,
    context: &Context,
) -> Result<CallToolResponse, UnknownTool> {
    let schema = catalog::schema(session, &request.name).map_err(UnknownTool)?;
    let outcome = match Arguments::check(&schema, request.arguments.clone()) {
        Ok(arguments) => match session.permit(permission::needed(&request.name)) {
            Ok(()) => dispatch(session, &request, &arguments, context).await,
            Err(refused) => Err(refused),
        },
        Err(issues) => Err(Answer::failure(issues)),
    };
    Ok(outcome.unwrap_or_else(|answer| answer.into_result().into()))
}

async fn dispatch(
    session: &Session,
    request: &CallToolRequestParams,
    arguments: &Arguments,
    context: &Context,
) -> Outcome {
    match request.name.as_ref() {
        "read" => in_time(read(session, arguments)).await,
        "search" => in_time(search(session, arguments)).await,
        "tool_find" => tool_find(session, arguments).await.map(done),
        "tool_run" => in_time(tool_run(session, arguments)).await,
        "run_cancel" => run_cancel(session, arguments).await,
        "run_wait" => run_wait(session, request, arguments, context).await,
        "scrape" => begin(session, request, arguments, scrape(arguments), context).await,
        "research" => begin(session, request, arguments, research(arguments), context).await,
        _ => begin(session, request, arguments, automate(arguments), context).await,
    }
}

fn done(answer: Answer) -> CallToolResponse {
    answer.into_result().into()
}

fn refused(error: ServiceError) -> Answer {
    let advice = match (error.retry_after, error.code) {
        (Some(wait), _) => format!("; try again in {} s", wait.as_secs().max(1)),
        (None, Code::NotFound) => "; the ids of your runs are in the resource huntsman://runs".to_owned(),
        (None, Code::UrlBlocked) => "; only public web pages can be reached".to_owned(),
        (None, _) => String::new(),
    };
    Answer::failure(format!("{} ({}){advice}", error.message, error.code))
}

/// Work that a client waits for, stopped when it takes longer than clients wait.
async fn in_time(work: impl Future<Output = Result<Answer, Answer>>) -> Outcome {
    match tokio::time::timeout(PATIENCE, work).await {
        Ok(answer) => answer.map(done),
        Err(_) => Err(Answer::failure(format!(
            "stopped: it took more than {} s; `scrape` can take longer, and its run can be waited for",
            PATIENCE.as_secs()
        ))),
    }
}

async fn read(session: &Session, arguments: &Arguments) -> Result<Answer, Answer> {
    let view = arguments.text("as").and_then(PageView::parse).unwrap_or_default();
    let url = arguments.text("url").unwrap_or_default().trim().to_owned();
    let key = kept_answers::key(&session.caller.name(), &["read", &url, view.as_str()]);
    let part = arguments.number("part");
    // A first part is read anew; the others belong to the text that it began.
    let kept = part
        .filter(|part| *part > 1)
        .and_then(|_| session.state.kept.get(&key));
    let kept = match kept {
        Some(kept) => kept,
        None => {
            let pages = session.pages().await?;
            pages.allow(&url, &ProfileChoice::default()).map_err(refused)?;
            let mut meter = session.metered("read").await.map_err(refused)?;
            meter.page();
            let request = ReadRequest { url, view };
            let page = pages.read(&request).await.map_err(refused)?;
            let head = format!("The page {}:", page.url);
            let title = Some(page.title).filter(|title| !title.is_empty());
            let about = [
                ("title", title),
                ("author", page.author),
                ("published", page.published),
            ];
            let about = about
                .into_iter()
                .filter_map(|(name, value)| Some(format!("{name}: {}\n", value?)));
            let text = about.chain([page.text]).collect::<String>();
            let text = Arc::new(KeptText { head, text });
            session.state.kept.keep(key, Arc::clone(&text));
            text
        }
    };
    let wanted = PartRequest {
        part: part.unwrap_or(1),
        size: arguments.number("max_tokens").unwrap_or(PART_TOKENS),
        call: "read with the same arguments",
    };
    let words = arguments.text("find").map(str::to_owned);
    // Long texts take longer than a thread that serves others may be kept.
    let cutting = tokio::task::spawn_blocking(move || match words {
        None => Ok(Answer::quoted(&kept.head, &kept.text, &wanted)),
        Some(words) => found(&kept, &words, &wanted),
    });
    cutting
        .await
        .map_err(|_| Answer::failure("cutting the text failed; please report the page's address"))?
}

/// The passages of a text that have any of the words, each with the heading above it.
fn found(kept: &KeptText, words: &str, wanted: &PartRequest) -> Result<Answer, Answer> {
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let (mut passages, mut heading, mut count) = (Vec::new(), None, 0);
    let mut all = 0;
    for passage in kept.text.split("\n\n").flat_map(short_passages) {
        all += 1;
        let is_heading = passage.trim_start().starts_with('#');
        let folded = passage.to_lowercase();
        if words.iter().any(|word| folded.contains(word)) {
            passages.extend(heading.take());
            passages.push(passage);
            count += 1;
            if is_heading {
                heading = None;
            }
        } else if is_heading {
            heading = Some(passage);
        }
    }
    if count == 0 {
        let text =
            format!("none of the {all} passages of this page has any of these words; read it without `find`");
        return Err(Answer::failure(text));
    }
    let head = format!("{} {count} of {all} passages have any of these words.", kept.head);
    Ok(Answer::quoted(&head, &passages.join("\n\n"), wanted))
}

/// A passage, or its lines where it is as long as a part.
fn short_passages(passage: &str) -> Vec<&str> {
    match parts::tokens(passage) {
        0..1_000 => vec![passage],
        _ => passage.split('\n').collect(),
    }
}

impl Session {
    /// Reads pages under the policy of the caller.
    async fn pages(&self) -> Result<PageService, Answer> {
        self.state
            .workers
            .pages_for(&self.caller.name())
            .await
            .map_err(refused)
    }

    /// The tools that the policy of the caller allows.
    async fn tools(&self) -> Result<ToolService, Answer> {
        self.state
            .workers
            .tools_for(&self.caller.name())
            .await
            .map_err(refused)
    }
}

async fn search(session: &Session, arguments: &Arguments) -> Result<Answer, Answer> {
    let query = arguments.text("query").unwrap_or_default();
    let limit = arguments.number("limit").unwrap_or(HITS);
    let _meter = session.metered("search").await.map_err(refused)?;
    let found = session
        .pages()
        .await?
        .search(query, limit)
        .await
        .map_err(refused)?;
    if found.is_empty() {
        return Err(Answer::failure("nothing was found; try fewer or other words"));
    }
    let mut text = String::new();
    for (index, page) in found.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{}. {}\n{}\n{}\n",
            index + 1,
            page.title,
            page.url,
            page.snippet
        );
    }
    let head = format!("{} pages, best first:", found.len());
    Ok(Answer::quoted(
        &head,
        text.trim_end(),
        &PartRequest::of(None, "search with a smaller limit"),
    ))
}

async fn tool_find(session: &Session, arguments: &Arguments) -> Result<Answer, Answer> {
    let tools = session.tools().await?;
    let found = tools.find(arguments.text("words").unwrap_or_default(), FOUND_TOOLS);
    if found.is_empty() {
        return Err(Answer::failure(
            "no tool fits these words; try one plain noun such as table, price, date or json",
        ));
    }
    let mut text = String::new();
    for tool in &found {
        let word = |key: &str| tool[key].as_str().unwrap_or_default();
        let line = format!(
            "{} ({}): {}\n  params: {}\n",
            word("id"),
            word("effects"),
            word("description"),
            tool["parameters"]["properties"]
        );
        if parts::tokens(&text) + parts::tokens(&line) < PART_TOKENS {
            text.push_str(&line);
        }
    }
    Ok(Answer::text(format!(
        "Run one with tool_run, by its name:\n{text}"
    )))
}

async fn tool_run(session: &Session, arguments: &Arguments) -> Result<Answer, Answer> {
    let (name, params) = (
        arguments.text("name").unwrap_or_default(),
        arguments.object("params"),
    );
    let tools = session.tools().await?;
    tools
        .show(name)
        .map_err(|error| Answer::failure(format!("name: {}", error.message)))?;
    if !tools.is_own(name) {
        let text =
            format!("name: {name:.60} belongs to another MCP server; connect to that server to use it");
        return Err(Answer::failure(text));
    }
    let url = arguments.text("url").map(|url| url.trim().to_owned());
    let params_text = Value::Object(params.clone()).to_string();
    let words = ["tool_run", name, &params_text, url.as_deref().unwrap_or_default()];
    let key = kept_answers::key(&session.caller.name(), &words);
    let wanted = PartRequest::of(arguments.number("part"), "tool_run with the same arguments");
    if wanted.part > 1 {
        let kept = session.state.kept.get(&key).ok_or_else(|| {
            Answer::failure("this answer is no longer kept; run the tool again, without `part`")
        })?;
        return Ok(Answer::quoted(&kept.head, &kept.text, &wanted));
    }
    let request = ToolRequest {
        parameters: params,
        url,
        html: None,
        input: serde_json::Map::new(),
        fetch: wire::FetchOptions::default(),
    };
    tools.allow(name, &request).map_err(refused)?;
    let mut meter = session.metered("tool").await.map_err(refused)?;
    meter.tool_call();
    let tools = tools.entering(meter.ledger());
    let outcome = tools.run(name, &request).await.map_err(refused)?;
    let text = serde_json::to_string_pretty(&outcome).unwrap_or_default();
    let head = format!("What {name} gives, as JSON:");
    session.state.kept.keep(key, Arc::new(KeptText { head, text }));
    Ok(Answer::data(outcome, &wanted))
}

async fn run_cancel(session: &Session, arguments: &Arguments) -> Outcome {
    let run = run_id(arguments)?;
    let service = &session.state.service;
    let cancelled = service
        .cancel(session.caller.sees(), &run)
        .await
        .map_err(refused)?;
    Ok(done(Answer::text(match cancelled {
        true => format!("{run} is being cancelled; run_wait gives what it found so far"),
        false => format!("{run} had ended already; run_wait gives its result"),
    })))
}

fn run_id(arguments: &Arguments) -> Result<RunId, Answer> {
    let text = arguments.text("run_id").unwrap_or_default();
    RunId::parse(text).map_err(|error| Answer::failure(format!("run_id: {error}")))
}

async fn run_wait(
    session: &Session,
    request: &CallToolRequestParams,
    arguments: &Arguments,
    context: &Context,
) -> Outcome {
    let run = run_id(arguments)?;
    let answered = resumed(session, request).await?.map(|(_, question)| question);
    let patience = arguments
        .number("wait_seconds")
        .map(|seconds| Duration::from_secs(seconds as u64));
    let call = Waiting {
        session,
        context,
        patience: patience.unwrap_or(PATIENCE),
        part: arguments.number("part"),
    };
    call.wait(&run, RunOrigin::Named, answered).await
}

/// Begins a run of this job, or joins an equal one. A client that takes tasks is given one at once; another waits for the run.
async fn begin(
    session: &Session,
    request: &CallToolRequestParams,
    arguments: &Arguments,
    job: Result<JobRequest, Answer>,
    context: &Context,
) -> Outcome {
    let call = Waiting {
        session,
        context,
        patience: PATIENCE,
        part: None,
    };
    if let Some((run, question)) = resumed(session, request).await? {
        return call.wait(&run, RunOrigin::Named, Some(question)).await;
    }
    let (run, origin) = session
        .begin(job?, arguments.flag("fresh"))
        .await
        .map_err(refused)?;
    match tasks::are_taken(context) {
        true => session.new_task(&run).await.map_err(refused),
        false => call.wait(&run, origin, None).await,
    }
}

/// The run and the question whose answer a repeated call brings.
async fn resumed(
    session: &Session,
    request: &CallToolRequestParams,
) -> Result<Option<(RunId, RequestId)>, Answer> {
    let Some(state) = &request.request_state else {
        return Ok(None);
    };
    let responses = request.input_responses.as_ref().map(|it| json!(it));
    let pending = session.resume(state, responses.as_ref()).await?;
    Ok(Some((pending.run, pending.question)))
}

/// A call that waits for a run.
struct Waiting<'a> {
    session: &'a Session,
    context: &'a Context,
    patience: Duration,
    part: Option<usize>,
}

impl Waiting<'_> {
    /// Waits for the run; a person is asked on the way where the client can do that.
    async fn wait(&self, run: &RunId, mut origin: RunOrigin, mut answered: Option<RequestId>) -> Outcome {
        let session = self.session;
        loop {
            let followed = session.follow(run, origin, self.patience, answered.as_ref(), self.context);
            let standing = followed.await.map_err(refused)?;
            // Whatever it gives, the client is told of the run.
            origin = RunOrigin::Named;
            let asked = match standing {
                Standing::Ended => return self.result(run).await,
                Standing::Running { events } => return Ok(done(still_running(run, events))),
                Standing::Asks(asked) => asked,
            };
            if !questions::is_plain(&asked) {
                let visit = session.require_visit(run, &asked, self.context);
                return Ok(visit.map_or_else(|| done(session.refer(run, &asked)), Into::into));
            }
            match questions::means(session, self.context) {
                Means::None => return Ok(done(session.refer(run, &asked))),
                Means::Result => {
                    let required = session.require(run, &asked);
                    return Ok(required.map_or_else(|| done(session.refer(run, &asked)), Into::into));
                }
                Means::Request => {
                    if !session.ask(run, &asked, self.context).await? {
                        return Ok(done(questions::put_off(run)));
                    }
                    answered = Some(asked.request_id);
                }
            }
        }
    }

    async fn result(&self, run: &RunId) -> Outcome {
        let service = &self.session.state.service;
        let detail = service
            .run(self.session.caller.sees(), run)
            .await
            .map_err(refused)?;
        let part = self.part;
        // As for texts of pages.
        let answering = tokio::task::spawn_blocking(move || results::answer(&detail, part));
        let answer = answering
            .await
            .map_err(|_| Answer::failure(format!("{run} has a result that cannot be shown")))?;
        Ok(done(answer))
    }
}

fn still_running(run: &RunId, events: u64) -> Answer {
    Answer::text(format!(
        "{run} is still running ({events} events so far). Call run_wait with run_id {run}; do not start it again."
    ))
}

fn scrape(arguments: &Arguments) -> Result<JobRequest, Answer> {
    let names = [
        ("urls", "assets"),
        ("instructions", "instructions"),
        ("columns", "columns"),
        ("schema", "schema"),
        ("mode", "mode"),
        ("screenshot", "screenshot"),
    ];
    let body = arguments.renamed(&names);
    let request = ScrapeRequest::parse(body.to_string().as_bytes());
    request
        .map(JobRequest::Scrape)
        .map_err(|refusal| in_our_words(&refusal, &names))
}

fn research(arguments: &Arguments) -> Result<JobRequest, Answer> {
    let names = [("question", "query"), ("mode", "mode"), ("sources", "sources")];
    let body = arguments.renamed(&names);
    let request = ResearchRequest::parse(body.to_string().as_bytes());
    request
        .map(JobRequest::Research)
        .map_err(|refusal| in_our_words(&refusal, &names))
}

fn automate(arguments: &Arguments) -> Result<JobRequest, Answer> {
    let names = [
        ("task", "task"),
        ("url", "url"),
        ("guardrails", "guardrails"),
        ("trusted_hostnames", "trusted_hostnames"),
        ("interactive", "interactive"),
        ("max_iterations", "maxIterations"),
    ];
    let body = arguments.renamed(&names);
    let request = AutomateRequest::parse(body.to_string().as_bytes());
    request
        .map(JobRequest::Automate)
        .map_err(|refusal| in_our_words(&refusal, &names))
}

/// A refusal that names the argument as the tool does.
fn in_our_words(refusal: &RequestRefusal, names: &[(&str, &str)]) -> Answer {
    let field = refusal.field.as_deref().unwrap_or_default();
    let ours = names.iter().find_map(|(ours, theirs)| {
        let rest = field.strip_prefix(theirs)?;
        (rest.is_empty() || rest.starts_with(['[', '.'])).then(|| format!("{ours}{rest}: "))
    });
    Answer::failure(format!("{}{}", ours.unwrap_or_default(), refusal.message))
}
