//! A tab of the http engine: visits, history, refs and actions.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use net::{Client, Limits, Request};
use page::Page;
use page::dom::{Node, NodeId};
use url::{Position, Url};

use super::fields::{Control, Fields, Forms, control, is_disabled};
use super::form::{self, FormPlan};
use super::view;
use crate::action::{Action, Capability, NotCapable, Until};
use crate::browser::{Outcome, Profile, Tab, Visit};
use crate::error::Error;
use crate::fetch::{Body, fetch};
use crate::snapshot::{Ref, Snapshot};

pub(super) struct HttpTab {
    client: Client,
    profile: Profile,
    /// The pages visited, as they stood when they were left.
    history: Vec<Entry>,
    /// The present one, by position.
    at: usize,
    /// The last number given out.
    last: u32,
}

struct Entry {
    page: Arc<Page>,
    visit: Visit,
    fields: Fields,
    refs: HashMap<NodeId, Ref>,
    nodes: HashMap<Ref, NodeId>,
}

/// Pages a tab remembers.
const HISTORY: usize = 20;
/// Most pages a page may send on to by `<meta http-equiv=refresh>`, and the longest wait that is still a
/// redirect rather than a reload.
const REFRESHES: usize = 5;
const REFRESH_SECONDS: f64 = 10.0;

impl HttpTab {
    pub(super) fn new(client: Client, profile: Profile) -> HttpTab {
        HttpTab {
            client,
            profile,
            history: Vec::new(),
            at: 0,
            last: 0,
        }
    }

    fn entry(&self) -> Result<&Entry, Error> {
        self.history.get(self.at).ok_or(Error::NoPage)
    }

    fn entry_mut(&mut self) -> Result<&mut Entry, Error> {
        self.history.get_mut(self.at).ok_or(Error::NoPage)
    }

    /// Sends a request and makes its answer the present page.
    async fn load(&mut self, mut request: Request) -> Result<Visit, Error> {
        let mut seen = Vec::new();
        loop {
            request.jar = Some(self.profile.jar.clone());
            request.robots = self.profile.robots;
            request.no_cache = self.profile.fresh;
            request.cancel = self.profile.cancel.clone();
            request.granted = self.profile.grants(&request.url);
            request.limits = Some(Limits {
                total: self.profile.patience,
                ..self.client.limits().clone()
            });
            if let Some(languages) = &self.profile.languages {
                request = request.header("accept-language", languages)?;
            }
            let fetched = fetch(&self.client, request).await?;
            let page = fetched.body.page(&fetched.visit.url);
            let onward = match &fetched.body {
                Body::Page(page) => refresh(page),
                _ => None,
            };
            seen.push(fetched.visit.url.clone());
            match onward.filter(|url| seen.len() <= REFRESHES && !seen.contains(url)) {
                Some(next) => request = Request::get(next),
                None => return Ok(self.arrive(page, fetched.visit)),
            }
        }
    }

    fn arrive(&mut self, page: Arc<Page>, visit: Visit) -> Visit {
        if !self.history.is_empty() {
            self.history.truncate(self.at + 1);
        }
        let entry = Entry {
            page,
            visit: visit.clone(),
            fields: Fields::default(),
            refs: HashMap::new(),
            nodes: HashMap::new(),
        };
        self.history.push(entry);
        if self.history.len() > HISTORY {
            self.history.remove(0);
        }
        self.at = self.history.len() - 1;
        visit
    }

    /// The element a ref means on the present page.
    fn node(&self, target: Ref) -> Result<NodeId, Error> {
        match self.entry()?.nodes.get(&target) {
            Some(node) => Ok(*node),
            None if target.0 <= self.last && target.0 > 0 => Err(Error::Stale(target)),
            None => Err(Error::UnknownRef(target)),
        }
    }

    /// A request as the present page would make it.
    fn referred(&self, mut request: Request) -> Result<Request, Error> {
        let Some(here) = self.entry()?.page.url() else {
            return Ok(request);
        };
        let downgrade = here.scheme() == "https" && request.url.scheme() == "http";
        if !downgrade {
            // The default policy of browsers: the whole address within a site, its origin elsewhere.
            let same = here.origin() == request.url.origin();
            let origin = format!("{}/", here.origin().ascii_serialization());
            let referer = if same {
                &here[..Position::AfterQuery]
            } else {
                origin.as_str()
            };
            request = request.header("referer", referer)?;
        }
        if request.method == http::Method::POST {
            request = request.header("origin", &here.origin().ascii_serialization())?;
        }
        Ok(request)
    }

    async fn follow(&mut self, target: Ref, href: &str) -> Result<Outcome, Error> {
        let entry = self.entry()?;
        let refuse = |why: &str| Error::NotActionable {
            target,
            why: why.to_owned(),
        };
        let url = entry
            .page
            .absolute(href)
            .ok_or_else(|| refuse("its address cannot be read"))?;
        match url.scheme() {
            "http" | "https" => {}
            "javascript" => return Err(no(Capability::Scripts).into()),
            scheme => {
                return Err(refuse(&format!(
                    "it leads to a {scheme}: address, which is no page"
                )));
            }
        }
        let here = entry.page.url();
        if url.fragment().is_some()
            && here.is_some_and(|here| here[..Position::AfterQuery] == url[..Position::AfterQuery])
        {
            return Ok(note(
                "the link leads to a place on this same page, which is there already",
            ));
        }
        let request = self.referred(Request::get(url))?;
        Ok(Outcome {
            visit: Some(self.load(request).await?),
            notes: vec![],
        })
    }

    async fn submit(&mut self, target: Ref) -> Result<Outcome, Error> {
        let id = self.node(target)?;
        let refuse = |why| Error::NotActionable { target, why };
        let entry = self.entry()?;
        let page = entry.page.clone();
        let plan = FormPlan::of(&page, &entry.fields, page.dom().node(id)).map_err(refuse)?;
        let request = form::request(&page, &entry.fields, &plan).await.map_err(refuse)?;
        let request = self.referred(request)?;
        Ok(Outcome {
            visit: Some(self.load(request).await?),
            notes: vec![],
        })
    }

    async fn click(&mut self, target: Ref) -> Result<Outcome, Error> {
        let id = self.node(target)?;
        let entry = self.entry_mut()?;
        let page = entry.page.clone();
        let node = page.dom().node(id);
        if control(node).is_some() && is_disabled(node) {
            return Err(Error::NotActionable {
                target,
                why: "it is disabled".to_owned(),
            });
        }
        match control(node) {
            Some(Control::Submit | Control::Image) => return self.submit(target).await,
            Some(Control::Checkbox) => {
                let on = !entry.fields.is_checked(node);
                entry.fields.set_checked(node, on);
                return Ok(Outcome::default());
            }
            Some(Control::Radio) => {
                entry.fields.set_checked(node, true);
                return Ok(Outcome::default());
            }
            Some(Control::Reset) => {
                if let Some(form) = Forms::of(page.dom()).owner(node) {
                    entry.fields.reset(form);
                }
                return Ok(note("the form is as the page had it"));
            }
            Some(Control::Text) => return Ok(note("the field is ready; fill it")),
            Some(Control::Select) => return Ok(note("choose one of its options with select")),
            Some(Control::File) => return Ok(note("give it files with upload")),
            Some(Control::Button | Control::Hidden | Control::Output) => {
                return Err(no(Capability::Scripts).into());
            }
            None => {}
        }
        match node.attr("href").filter(|_| matches!(node.tag(), "a" | "area")) {
            Some(href) => self.follow(target, href).await,
            None if node.is("summary") => Ok(note("its content is shown in the snapshot already")),
            None if node.is("form") => Err(Error::NotActionable {
                target,
                why: "it is a whole form; send it with submit".to_owned(),
            }),
            None => Err(no(Capability::Scripts).into()),
        }
    }

    fn fill(&mut self, target: Ref, value: &str, after: bool) -> Result<Outcome, Error> {
        let id = self.node(target)?;
        let refuse = |why: &str| Error::NotActionable {
            target,
            why: why.to_owned(),
        };
        let entry = self.entry_mut()?;
        let page = entry.page.clone();
        let node = page.dom().node(id);
        match control(node) {
            _ if is_disabled(node) => return Err(refuse("it is disabled")),
            _ if node.attr("readonly").is_some() => return Err(refuse("it is read-only")),
            Some(Control::Text) => {}
            Some(Control::Select) => {
                let chosen = entry.fields.choose(node, &[value.to_owned()]);
                return chosen.map(|()| Outcome::default()).map_err(|why| refuse(&why));
            }
            Some(Control::Checkbox | Control::Radio) => {
                return Err(refuse("it is not a text field; use check"));
            }
            Some(Control::File) => return Err(refuse("it takes files; use upload")),
            Some(_) => return Err(refuse("it is a button; click it")),
            None => return Err(no(Capability::Scripts).into()),
        }
        let mut whole = if after {
            entry.fields.value(node)
        } else {
            String::new()
        };
        whole.push_str(value);
        let whole = fitting(node, whole).map_err(|why| refuse(&why))?;
        entry.fields.set_value(node, whole);
        Ok(Outcome::default())
    }

    fn check(&mut self, target: Ref, on: bool) -> Result<Outcome, Error> {
        let id = self.node(target)?;
        let refuse = |why: &str| Error::NotActionable {
            target,
            why: why.to_owned(),
        };
        let entry = self.entry_mut()?;
        let page = entry.page.clone();
        let node = page.dom().node(id);
        match control(node) {
            _ if is_disabled(node) => Err(refuse("it is disabled")),
            Some(Control::Radio) if !on => Err(refuse(
                "a radio button goes off when another of its group goes on",
            )),
            Some(Control::Checkbox | Control::Radio) => {
                entry.fields.set_checked(node, on);
                Ok(Outcome::default())
            }
            Some(_) => Err(refuse("it is neither a checkbox nor a radio button")),
            None => Err(no(Capability::Scripts).into()),
        }
    }

    fn choose(&mut self, target: Ref, wanted: &[String]) -> Result<Outcome, Error> {
        let id = self.node(target)?;
        let entry = self.entry_mut()?;
        let page = entry.page.clone();
        let node = page.dom().node(id);
        let done = match control(node) {
            Some(Control::Select) if is_disabled(node) => Err("it is disabled".to_owned()),
            Some(Control::Select) => entry.fields.choose(node, wanted),
            Some(_) => Err("it is not a select field".to_owned()),
            None => return Err(no(Capability::Scripts).into()),
        };
        done.map(|()| Outcome::default())
            .map_err(|why| Error::NotActionable { target, why })
    }

    fn upload(&mut self, target: Ref, files: &[std::path::PathBuf]) -> Result<Outcome, Error> {
        let id = self.node(target)?;
        let entry = self.entry_mut()?;
        let page = entry.page.clone();
        let node = page.dom().node(id);
        let refuse = |why: &str| {
            Err(Error::NotActionable {
                target,
                why: why.to_owned(),
            })
        };
        if control(node) != Some(Control::File) {
            return refuse("it takes no files");
        }
        if files.len() > 1 && node.attr("multiple").is_none() {
            return refuse("it takes one file only");
        }
        entry.fields.set_files(node, files.to_vec());
        Ok(Outcome::default())
    }

    async fn wait(&self, until: &Until, patience: Duration) -> Result<Outcome, Error> {
        let shows = |text: &str| -> Result<bool, Error> {
            let page = &self.entry()?.page;
            Ok(page.dom().body().is_some_and(|body| body.text().contains(text)))
        };
        match until {
            Until::Passed => tokio::select! {
                () = self.profile.cancel.cancelled() => Err(Error::Cancelled),
                () = tokio::time::sleep(patience) => Ok(Outcome::default()),
            },
            Until::Quiet => Ok(Outcome::default()),
            Until::Text(text) if shows(text)? => Ok(Outcome::default()),
            Until::Gone(text) if !shows(text)? => Ok(Outcome::default()),
            Until::Text(_) | Until::Gone(_) => Err(no(Capability::Wait).into()),
        }
    }

    fn travel(&mut self, to: Option<usize>, way: &'static str) -> Result<Visit, Error> {
        self.entry()?;
        let entry = to.and_then(|to| self.history.get(to).map(|entry| (to, entry)));
        let (to, entry) = entry.ok_or(Error::NoHistory(way))?;
        let visit = entry.visit.clone();
        self.at = to;
        Ok(visit)
    }
}

#[async_trait]
impl Tab for HttpTab {
    async fn goto(&mut self, url: &Url) -> Result<Visit, Error> {
        self.load(Request::get(url.clone())).await
    }

    async fn back(&mut self) -> Result<Visit, Error> {
        self.travel(self.at.checked_sub(1), "back")
    }

    async fn forward(&mut self) -> Result<Visit, Error> {
        self.travel(Some(self.at + 1), "forward")
    }

    async fn page(&mut self) -> Result<Arc<Page>, Error> {
        Ok(self.entry()?.page.clone())
    }

    async fn snapshot(&mut self) -> Result<Snapshot, Error> {
        let last = &mut self.last;
        let entry = self.history.get_mut(self.at).ok_or(Error::NoPage)?;
        let (refs, nodes) = (&mut entry.refs, &mut entry.nodes);
        let mut refer = |node: Node<'_>| {
            *refs.entry(node.id()).or_insert_with(|| {
                *last += 1;
                nodes.insert(Ref(*last), node.id());
                Ref(*last)
            })
        };
        Ok(view::snapshot(
            &entry.page,
            &entry.visit.title,
            &entry.fields,
            &mut refer,
        ))
    }

    async fn act(&mut self, action: &Action) -> Result<Outcome, Error> {
        if self.profile.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        for target in action.refs() {
            self.node(target)?;
        }
        match action {
            Action::Click { target, .. } => self.click(*target).await,
            Action::Fill { target, value } => self.fill(*target, value, false),
            Action::Type { target, text } => self.fill(*target, text, true),
            Action::Select { target, options } => self.choose(*target, options),
            Action::Check { target, on } => self.check(*target, *on),
            Action::Upload { target, files } => self.upload(*target, files),
            Action::Submit { target } => self.submit(*target).await,
            // Enter in a field sends its form, with or without scripts.
            Action::Press {
                keys,
                target: Some(target),
            } if keys == "Enter" => {
                let id = self.node(*target)?;
                match control(self.entry()?.page.dom().node(id)) {
                    Some(Control::Text) => self.submit(*target).await,
                    _ => self.click(*target).await,
                }
            }
            Action::Wait { until, timeout_ms } => self.wait(until, Duration::from_millis(*timeout_ms)).await,
            Action::Hover { .. } | Action::Press { .. } | Action::Scroll { .. } | Action::Drag { .. } => {
                Err(no(action.needs()).into())
            }
        }
    }

    async fn screenshot(&mut self, _whole: bool) -> Result<Vec<u8>, Error> {
        Err(no(Capability::Screenshot).into())
    }

    fn can(&self, capability: Capability) -> Result<(), NotCapable> {
        match capability {
            Capability::Links | Capability::Forms | Capability::Upload => Ok(()),
            missing => Err(no(missing)),
        }
    }

    fn url(&self) -> Option<Url> {
        self.entry().ok().map(|entry| entry.visit.url.clone())
    }

    async fn close(&mut self) {
        self.history.clear();
        self.at = 0;
    }
}

fn note(text: &str) -> Outcome {
    Outcome {
        visit: None,
        notes: vec![text.to_owned()],
    }
}

fn no(what: Capability) -> NotCapable {
    let advice = match what {
        Capability::Scripts => {
            "this element only works with the page's scripts; use the chromium engine, or a plain link or form of the page"
        }
        Capability::Hover => {
            "what appears under the pointer is often in the snapshot already; else use the chromium engine"
        }
        Capability::Scroll => "nothing needs scrolling, the snapshot has the whole page",
        Capability::Wait => {
            "the page does not change by itself; go to its address again, or use the chromium engine"
        }
        Capability::Keys => "fill the field and submit its form instead",
        Capability::Screenshot => "read the snapshot or the page's text instead, or use the chromium engine",
        _ => "use the chromium engine",
    };
    NotCapable { what, advice }
}

/// The value as the field takes it; the error says what it wants.
fn fitting(node: Node<'_>, value: String) -> Result<String, String> {
    if node.is("textarea") {
        return Ok(value);
    }
    let is_date = |text: &str| {
        let digits =
            |part: &str, count: usize| part.len() >= count && part.bytes().all(|b| b.is_ascii_digit());
        let parts: Vec<&str> = text.split('-').collect();
        matches!(parts.as_slice(), [year, month, day] if digits(year, 4) && digits(month, 2) && digits(day, 2))
    };
    match super::fields::input_type(node).as_str() {
        _ if value.is_empty() => Ok(value),
        "number" | "range" if value.trim().parse::<f64>().is_err() => {
            Err("it wants a number such as 12.5".to_owned())
        }
        "number" | "range" => Ok(value.trim().to_owned()),
        "date" if !is_date(&value) => Err("it wants a date such as 2026-01-31".to_owned()),
        "time" if !value.contains(':') => Err("it wants a time such as 14:30".to_owned()),
        "color" if !(value.len() == 7 && value.starts_with('#')) => {
            Err("it wants a colour such as #ff0000".to_owned())
        }
        // A field of one line takes no line breaks.
        _ => Ok(value.replace(['\r', '\n'], "")),
    }
}

/// Where `<meta http-equiv=refresh>` sends the reader on to, when it does so at once.
fn refresh(page: &Page) -> Option<Url> {
    let meta = page.dom().by_tag("meta").find(|node| {
        node.attr("http-equiv")
            .is_some_and(|name| name.trim().eq_ignore_ascii_case("refresh"))
    })?;
    let content = meta.attr("content")?.trim();
    let digits = content
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(content.len());
    let (seconds, rest) = content.split_at(digits);
    let at_once = seconds
        .parse::<f64>()
        .is_ok_and(|seconds| seconds <= REFRESH_SECONDS);
    let rest = rest.trim_start_matches(|c: char| c == ';' || c == ',' || c.is_whitespace());
    let named = rest.get(..3).filter(|head| head.eq_ignore_ascii_case("url"));
    let address = match named {
        Some(_) => rest.get(3..)?.trim_start().strip_prefix('=')?.trim_start(),
        None => rest,
    };
    let address = match address.chars().next()? {
        quote @ ('"' | '\'') => address.get(1..)?.split(quote).next()?,
        _ => address,
    };
    page.absolute(address)
        .filter(|url| at_once && matches!(url.scheme(), "http" | "https"))
}
