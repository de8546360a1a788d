//! Going to addresses, and reading what is there.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use net::RobotsMode;
use page::Page;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;
use url::Url;

use super::frames::Slip;
use super::tab::ChromiumTab;
use crate::browser::{Visit, Warning};
use crate::error::Error;
use crate::fetch::looks;

/// Most characters of a page that are read.
const PAGE: usize = 16 << 20;

#[derive(Deserialize)]
struct Arrival {
    title: String,
    url: String,
    text: usize,
    html: String,
    scripts: bool,
    r#type: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Navigated {
    #[serde(default)]
    loader_id: Option<String>,
    #[serde(default)]
    error_text: Option<String>,
    #[serde(default)]
    is_download: bool,
}

impl ChromiumTab {
    /// Goes to an address in the present tab.
    pub(super) async fn visit(&mut self, url: &Url) -> Result<Visit, Error> {
        let granted = self.profile.grants(url);
        self.pool.client.screen(url, granted)?;
        if self.profile.robots == RobotsMode::Obey {
            self.pool.client.obey_robots(url, granted).await?;
        }
        self.give_cookies().await?;
        let (session, mark) = (self.session()?, self.mark()?);
        let watch = self.watch()?.clone();
        self.forget_failure(url);
        let asked = json!({"url": url.as_str(), "transitionType": "typed"});
        let reply = watch.connection.call(&session, "Page.navigate", asked);
        let patience = self.profile.patience;
        let navigated: Navigated = match self.answer_within(&session, reply, patience).await {
            Err(Slip::Hung) => {
                drop(watch.connection.call(&session, "Page.stopLoading", json!({})));
                return Err(Error::Timeout {
                    what: "an answer of the server".into(),
                    seconds: patience.as_secs(),
                });
            }
            Err(Slip::Asked) => {
                let leaving = self.waiting().is_some_and(|it| it.kind == "beforeunload");
                return if leaving {
                    Err(self.asked())
                } else {
                    self.glimpse()
                };
            }
            navigated => navigated?,
        };
        if navigated.is_download {
            self.url.get_or_insert_with(|| url.clone());
            return Ok(Visit {
                url: url.clone(),
                status: None,
                title: String::new(),
                warnings: vec![Warning::NotAPage],
            });
        }
        if let Some(text) = navigated.error_text {
            return Err(self.failure(url, &text));
        }
        if let Some(loader) = navigated.loader_id {
            self.committed(&loader, patience).await?;
        }
        self.settle(&mark).await?;
        self.arrive().await
    }

    /// Waits until the document of a loader is there.
    async fn committed(&self, loader: &str, patience: Duration) -> Result<(), Error> {
        let watch = self.watch()?.clone();
        let until = Instant::now() + patience;
        loop {
            let seen = {
                let state = watch.state();
                if state.lost {
                    return Err(Slip::Lost.into());
                }
                let page = state.page().ok_or(Slip::Gone)?;
                if page.loader == loader || page.crashed || page.dialog.is_some() {
                    return Ok(());
                }
                state.events
            };
            if Instant::now() >= until {
                return Err(Error::Timeout {
                    what: "the page".into(),
                    seconds: patience.as_secs(),
                });
            }
            tokio::select! {
                biased;
                () = self.profile.cancel.cancelled() => return Err(Error::Cancelled),
                () = watch.change(seen, until) => {}
            }
        }
    }

    /// Goes back (-1) or forward (1) in the tab's history.
    pub(super) async fn travel(&mut self, way: i64) -> Result<Visit, Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct History {
            current_index: i64,
            entries: Vec<Entry>,
        }
        #[derive(Deserialize)]
        struct Entry {
            id: i64,
            url: String,
        }
        let (session, mark) = (self.session()?, self.mark()?);
        let watch = self.watch()?.clone();
        let reply = watch
            .connection
            .call(&session, "Page.getNavigationHistory", json!({}));
        let history: History = self.answer(&session, reply).await?;
        let to = usize::try_from(history.current_index + way).ok();
        let entry = to.and_then(|to| history.entries.get(to).map(|entry| (to, entry)));
        // Every tab begins with an empty page, which nobody has visited.
        let entry = entry.filter(|(to, entry)| !(*to == 0 && entry.url == "about:blank"));
        let (_, entry) = entry.ok_or(Error::NoHistory(if way < 0 { "back" } else { "forward" }))?;
        let asked = json!({"entryId": entry.id});
        let reply = watch
            .connection
            .call(&session, "Page.navigateToHistoryEntry", asked);
        let _: Value = self.answer(&session, reply).await?;
        self.departed(&mark).await?;
        self.settle(&mark).await?;
        self.arrive().await
    }

    /// Waits until a navigation that was asked for has led somewhere.
    async fn departed(&self, mark: &super::settle::Mark) -> Result<(), Error> {
        let watch = self.watch()?.clone();
        let until = Instant::now() + self.profile.patience;
        loop {
            let seen = {
                let state = watch.state();
                let page = state.page().ok_or(Slip::Gone)?;
                if mark.is_left(page) || state.lost || page.crashed {
                    return Ok(());
                }
                if page.dialog.is_some() {
                    drop(state);
                    return Err(self.asked());
                }
                state.events
            };
            if Instant::now() >= until {
                return Err(Error::Timeout {
                    what: "the page".into(),
                    seconds: self.profile.patience.as_secs(),
                });
            }
            tokio::select! {
                biased;
                () = self.profile.cancel.cancelled() => return Err(Error::Cancelled),
                () = watch.change(seen, until) => {}
            }
        }
    }

    /// Looks where the tab has arrived.
    pub(super) async fn arrive(&mut self) -> Result<Visit, Error> {
        let main = self.main_frame()?;
        let mut arrival: Arrival = match self.run(&main, "huntsman.arrival()").await {
            Err(Slip::Gone) => {
                self.rest().await?;
                self.run(&self.main_frame()?, "huntsman.arrival()").await?
            }
            Err(Slip::Asked) => return self.glimpse(),
            arrival => arrival?,
        };
        if arrival.text == 0 && arrival.scripts {
            // An application that has not drawn itself yet.
            arrival = self.drawn(arrival).await?;
        }
        let url = Url::parse(&arrival.url).map_err(|_| Error::Crashed("its address cannot be read"))?;
        let (status, challenged, cut) = {
            let state = self.watch()?.state();
            let page = state.page().ok_or(Slip::Gone)?;
            (page.status, page.challenged, page.cut)
        };
        if let Some(error) = self.refused(&url, status) {
            return Err(error);
        }
        self.keep_cookies().await?;
        let title = arrival.title.split_whitespace().collect::<Vec<_>>().join(" ");
        self.remember_title(&title);
        let mut warnings = Vec::new();
        if !arrival.html.is_empty() {
            let page = Page::new(arrival.html, Some(url.clone()));
            let head = looks::Head {
                status: status.unwrap_or(200),
                challenged,
            };
            warnings = looks::warnings(&page, &title, &head);
            // The scripts have run; what is empty now stays so.
            for warning in &mut warnings {
                if *warning == Warning::ScriptsNeeded {
                    *warning = Warning::Empty;
                }
            }
            if arrival.text > 0 {
                warnings.retain(|it| *it != Warning::Empty);
            }
        }
        if arrival.r#type.starts_with("image/") || arrival.r#type.starts_with("video/") {
            warnings = vec![Warning::NotAPage];
        }
        if cut {
            warnings.push(Warning::Truncated);
        }
        self.url = Some(url.clone());
        Ok(Visit {
            url,
            status,
            title,
            warnings,
        })
    }

    /// Where the tab has arrived, while the page stands still because it asks something.
    fn glimpse(&mut self) -> Result<Visit, Error> {
        let (address, status) = {
            let state = self.watch()?.state();
            let page = state.page().ok_or(Slip::Gone)?;
            (page.url.clone(), page.status)
        };
        let url = Url::parse(&address).map_err(|_| Error::Crashed("its address cannot be read"))?;
        if let Some(error) = self.refused(&url, status) {
            return Err(error);
        }
        self.url = Some(url.clone());
        Ok(Visit {
            url,
            status,
            title: String::new(),
            warnings: Vec::new(),
        })
    }

    /// Gives an empty page with scripts a little more time to draw itself.
    async fn drawn(&mut self, mut arrival: Arrival) -> Result<Arrival, Error> {
        let until = Instant::now() + Duration::from_secs(3);
        while arrival.text == 0 && Instant::now() < until {
            let main = self.main_frame()?;
            let seen = self.watch()?.state().events;
            let waited = self.run::<Value>(&main, "huntsman.calm(100)").await;
            if matches!(waited, Err(Slip::Cancelled | Slip::Lost | Slip::Crashed)) {
                waited.map_err(Error::from)?;
            }
            arrival = match self.run(&main, "huntsman.arrival()").await {
                Ok(arrival) => arrival,
                Err(Slip::Gone) => return Ok(arrival),
                Err(slip) => return Err(slip.into()),
            };
            if arrival.text > 0 {
                break;
            }
            // Nothing to see: wait for news of the network rather than turn in circles.
            let (watch, soon) = (self.watch()?.clone(), Instant::now() + Duration::from_millis(250));
            tokio::select! {
                biased;
                () = self.profile.cancel.cancelled() => return Err(Error::Cancelled),
                () = watch.change(seen, soon) => {}
            }
        }
        Ok(arrival)
    }

    /// The page as it stands.
    pub(super) async fn read(&mut self) -> Result<Arc<Page>, Error> {
        #[derive(Deserialize)]
        struct Told {
            html: String,
            cut: bool,
        }
        let asked = format!("huntsman.html({PAGE})");
        let mut told = self.run::<Told>(&self.main_frame()?, &asked).await;
        if matches!(told, Err(Slip::Gone)) {
            self.rest().await?;
            told = self.run(&self.main_frame()?, &asked).await;
        }
        let told = told?;
        if told.cut {
            self.watch()?.note("only the first part of the page was read");
        }
        Ok(Arc::new(Page::new(told.html, self.url.clone())))
    }

    fn forget_failure(&self, url: &Url) {
        while self.take_failure(url).is_some() {}
    }

    fn take_failure(&self, url: &Url) -> Option<net::Error> {
        let proxy = self.context.as_ref()?.proxy.as_ref()?;
        let host = url.host()?.to_owned().to_string();
        proxy.take_failure(&host, url.port_or_known_default()?)
    }

    /// Whether what came is a refusal of our own proxy, and not an answer of the site.
    fn refused(&self, url: &Url, status: Option<u16>) -> Option<Error> {
        if url.scheme() == "chrome-error" {
            return Some(Error::Net(net::Error::Connect("closed without an answer")));
        }
        matches!(status, Some(403 | 502 | 504))
            .then(|| self.take_failure(url))
            .flatten()
            .map(Error::Net)
    }

    /// Why a navigation failed: what our proxy knows, or else what the browser says.
    fn failure(&self, url: &Url, text: &str) -> Error {
        let known = self.take_failure(url).or_else(|| {
            // A redirect may have led to the host that failed.
            let state = self.watch().ok()?.state();
            let tried = Url::parse(&state.page()?.url).ok()?;
            drop(state);
            self.take_failure(&tried)
        });
        if let Some(why) = known {
            return Error::Net(why);
        }
        let proxy = self.context.as_ref().and_then(|it| it.proxy.as_ref());
        if text.contains("TUNNEL_CONNECTION_FAILED")
            && let Some(denied) = proxy.and_then(|proxy| proxy.take_denied().pop())
        {
            return Error::Net(denied.why);
        }
        let error = match text.trim_start_matches("net::") {
            "ERR_TOO_MANY_REDIRECTS" => net::Error::TooManyRedirects,
            "ERR_NAME_NOT_RESOLVED" => net::Error::Dns,
            "ERR_TIMED_OUT" | "ERR_CONNECTION_TIMED_OUT" => net::Error::Timeout(net::Wait::Connect),
            "ERR_INVALID_URL" | "ERR_UNSAFE_PORT" => net::Error::InvalidUrl("the browser does not open it"),
            "ERR_ABORTED" => return Error::Crashed("it stopped loading the page"),
            text if text.starts_with("ERR_CERT") || text.starts_with("ERR_SSL") => {
                net::Error::Tls("its certificate is not valid".into())
            }
            text if text.starts_with("ERR_CONTENT") || text.starts_with("ERR_INCOMPLETE") => {
                net::Error::Incomplete
            }
            _ => net::Error::Connect("closed without an answer"),
        };
        Error::Net(error)
    }

    /// Gives the browser the cookies of the jar that it does not know yet.
    async fn give_cookies(&mut self) -> Result<(), Error> {
        let fresh: Vec<net::Cookie> = self
            .profile
            .jar
            .all()
            .into_iter()
            .filter(|cookie| !self.cookies.contains(cookie))
            .collect();
        if fresh.is_empty() {
            return Ok(());
        }
        let told: Vec<Value> = fresh.iter().map(outward).collect();
        let watch = self.watch()?.clone();
        let asked = json!({"cookies": told, "browserContextId": watch.context});
        let reply = watch.connection.call("", "Storage.setCookies", asked);
        // A cookie that the browser does not take is no reason not to go.
        match self.answer::<Value>("", reply).await {
            Err(slip @ (Slip::Lost | Slip::Cancelled)) => return Err(slip.into()),
            _ => self.cookies.extend(fresh),
        }
        Ok(())
    }

    /// Puts the browser's cookies into the jar.
    pub(super) async fn keep_cookies(&mut self) -> Result<(), Error> {
        #[derive(Deserialize)]
        struct Told {
            cookies: Vec<Cookie>,
        }
        let watch = self.watch()?.clone();
        let asked = json!({"browserContextId": watch.context});
        let reply = watch.connection.call("", "Storage.getCookies", asked);
        let told: Told = self.answer("", reply).await?;
        let cookies: Vec<net::Cookie> = told.cookies.into_iter().map(inward).collect();
        for cookie in &cookies {
            if !self.cookies.contains(cookie) {
                self.profile.jar.insert(cookie.clone());
            }
        }
        // What the browser has dropped is over for the jar too.
        let same =
            |a: &net::Cookie, b: &net::Cookie| (&a.name, &a.domain, &a.path) == (&b.name, &b.domain, &b.path);
        for gone in self
            .cookies
            .iter()
            .filter(|old| !cookies.iter().any(|it| same(it, old)))
        {
            self.profile.jar.insert(net::Cookie {
                expires: Some(UNIX_EPOCH),
                ..gone.clone()
            });
        }
        self.cookies = cookies;
        Ok(())
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Cookie {
    name: String,
    value: String,
    domain: String,
    path: String,
    #[serde(default)]
    expires: f64,
    #[serde(default)]
    http_only: bool,
    #[serde(default)]
    secure: bool,
}

fn inward(cookie: Cookie) -> net::Cookie {
    let host_only = !cookie.domain.starts_with('.');
    let seconds = cookie.expires;
    net::Cookie {
        name: cookie.name,
        value: cookie.value,
        domain: cookie.domain.trim_start_matches('.').to_owned(),
        host_only,
        path: cookie.path,
        secure: cookie.secure,
        http_only: cookie.http_only,
        expires: (seconds > 0.0 && seconds < 1e11)
            .then(|| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds as u64)),
    }
}

fn outward(cookie: &net::Cookie) -> Value {
    let domain = match cookie.host_only {
        true => cookie.domain.clone(),
        false => format!(".{}", cookie.domain),
    };
    let mut told = json!({
        "name": cookie.name,
        "value": cookie.value,
        "domain": domain,
        "path": cookie.path,
        "secure": cookie.secure,
        "httpOnly": cookie.http_only,
    });
    if let Some(expires) = cookie.expires
        && let Ok(past) = expires.duration_since(UNIX_EPOCH)
    {
        told["expires"] = past.as_secs().into();
    }
    told
}
