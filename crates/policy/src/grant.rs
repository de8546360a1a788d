//! Grant: what a run may do, enforced in code and not by a prompt. A model that obeys every word of a page gets no
//! further than this.

use std::collections::HashSet;

use url::Url;

use crate::effects::Effects;
use crate::element::{ElementFacts, FormTarget};
use crate::guardrails::Guardrails;
use crate::refused::Refused;
use crate::site::Site;
use crate::task_words::TaskWords;

/// What is put into a field, by where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueSource<'a> {
    /// This text, which the model wrote.
    Model(&'a str),
    /// What the page offers: one of its options, a tick in its box.
    Page,
    /// The caller gave it with the request, by key; also files, and whatever the clipboard holds.
    Caller,
    /// A person has just typed it for this field.
    Person,
    /// The vault holds it, for these sites alone, each as `host` or `host:port` with its whole [`Site`].
    Vault(&'a [String]),
}

/// What a run may do. The default allows everything: it is for plans that the user wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// The strongest effect that a tool may have.
    pub effects: Effects,
    /// Ids or categories of the tools that may run; all when absent.
    pub tools: Option<Vec<String>>,
    /// Trusted hosts, as `host` or `host:port`, each with its whole [`Site`]: their pages may be opened, and values may
    /// be put into them and sent to them. Every host when absent.
    pub hosts: Option<Vec<String>>,
    /// What holds for an agent that acts for a person.
    pub agent: AgentRules,
}

/// What holds for an agent that acts for a person, beside [`Grant::hosts`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentRules {
    /// Further trusted hosts: these names alone, with any port.
    pub trusted_hosts: Vec<String>,
    /// Whether pages of any site may be opened by following links.
    pub roams: bool,
    /// The caller's rules.
    pub guardrails: Guardrails,
    task: TaskWords,
    planned: Option<Site>,
    drifted: Option<Site>,
    links: HashSet<String>,
}

impl AgentRules {
    /// Rules before any page was seen, for this task.
    pub fn new(task: &str, trusted_hosts: Vec<String>, roams: bool, guardrails: Guardrails) -> Self {
        Self {
            trusted_hosts,
            roams,
            guardrails,
            task: TaskWords::of(task),
            ..Self::default()
        }
    }
}

impl Default for Grant {
    fn default() -> Self {
        Self {
            effects: Effects::Act,
            tools: None,
            hosts: None,
            agent: AgentRules::default(),
        }
    }
}

/// Most links that are remembered.
const MOST_LINKS: usize = 20_000;

impl Grant {
    /// A grant to look and to leaf through the sites of these addresses, and no more: for tools that a model chose.
    pub fn reading<'u>(urls: impl IntoIterator<Item = &'u Url>) -> Self {
        Self {
            effects: Effects::Idempotent,
            hosts: Some(urls.into_iter().filter_map(host_of).collect()),
            ..Self::default()
        }
    }

    /// A grant to act, and to put values into the pages of these addresses only.
    pub fn acting<'u>(urls: impl IntoIterator<Item = &'u Url>) -> Self {
        Self {
            effects: Effects::Act,
            ..Self::reading(urls)
        }
    }

    /// Trusts the site of an address that the user's own address led to.
    pub fn admit(&mut self, url: &Url) {
        if let (Some(hosts), Some(host)) = (&mut self.hosts, host_of(url)) {
            hosts.push(host);
        }
    }

    /// Whether a tool may run.
    ///
    /// # Errors
    /// When it may not.
    pub fn run_tool(&self, id: &str, category: &str, effects: Effects) -> Result<(), Refused> {
        if effects > self.effects {
            let reason = format!(
                "{id} is not allowed in this run: its effects are `{}` and the run may only `{}`",
                effects.word(),
                self.effects.word()
            );
            return Err(Refused::new("effects", reason, "grant the run stronger effects"));
        }
        let is_named = |name: &String| name == id || name == category;
        match &self.tools {
            Some(tools) if !tools.iter().any(is_named) => Err(Refused::new(
                "tools",
                format!(
                    "{id} is not allowed in this run: only these tools are enabled: {}",
                    tools.join(", ")
                ),
                format!("enable {id}"),
            )),
            _ => Ok(()),
        }
    }

    /// Whether values may go to this address: its site, or its host, was named by the caller.
    pub fn trusts(&self, url: &Url) -> bool {
        self.lists(url, Ports::Count)
    }

    /// Whether a form may be sent to this address by a tool that knows no single form.
    ///
    /// # Errors
    /// When the address is not trusted.
    pub fn send_to(&self, url: &Url) -> Result<(), Refused> {
        match self.trusts(url) {
            true => Ok(()),
            false => Err(self.outside("send", url)),
        }
    }

    /// Whether a tool may visit this address. For effects below [`Effects::Act`] ports do not count here: such a run
    /// carries no values, and a site may serve its pages from several ports of one host.
    ///
    /// # Errors
    /// When the address is of no trusted site.
    pub fn visit(&self, url: &Url) -> Result<(), Refused> {
        let ports = match self.effects {
            Effects::Read | Effects::Idempotent => Ports::Ignore,
            Effects::Act => Ports::Count,
        };
        match self.lists(url, ports) {
            true => Ok(()),
            false => Err(self.outside("visit", url)),
        }
    }

    fn outside(&self, rule: &'static str, url: &Url) -> Refused {
        let given = match self.hosts.as_deref().unwrap_or_default() {
            [] => "no host".to_owned(),
            hosts => hosts.join(", "),
        };
        let host = url.host_str().unwrap_or_default();
        Refused::new(
            rule,
            format!("visiting {host:?} is not allowed in this run: the run was given {given}"),
            format!("give the run {host:?} too"),
        )
    }

    fn lists(&self, url: &Url, ports: Ports) -> bool {
        let Some(hosts) = &self.hosts else {
            return true;
        };
        let Some(site) = Site::of(url) else {
            return false;
        };
        let bare = url.host_str().unwrap_or_default();
        let bare = bare.trim_start_matches('[').trim_end_matches(']');
        let is_site = |host: &String| {
            Site::of_host(host).is_some_and(|trusted| match ports {
                Ports::Count => trusted == site,
                Ports::Ignore => trusted.is_same_domain(&site),
            })
        };
        self.agent
            .trusted_hosts
            .iter()
            .any(|host| host.eq_ignore_ascii_case(bare))
            || hosts.iter().any(is_site)
    }

    /// Notes the start page that a planner chose before any page was read.
    pub fn plan(&mut self, url: &Url) {
        self.agent.planned = Site::of(url);
    }

    /// Notes that the first page has redirected to this one.
    pub fn arrive(&mut self, url: &Url) {
        if self.open(url).is_err() && self.agent.guardrails.visit(url).is_ok() {
            self.agent.planned = Site::of(url);
        }
    }

    /// Notes that the first page has gone on to this one by itself, some time after it was opened. It may be visited
    /// and its links followed, and no address of the model's own.
    pub fn drift(&mut self, url: &Url) {
        if self.open(url).is_err() && self.agent.guardrails.visit(url).is_ok() {
            self.agent.drifted = Site::of(url);
        }
    }

    /// Notes the links that a page shows.
    pub fn see_links(&mut self, links: impl Iterator<Item = Url>) {
        let drifted = self.agent.drifted.clone();
        let counts = |url: &Url| !self.is_bounded() || (drifted.is_some() && Site::of(url) == drifted);
        if self.agent.links.len() < MOST_LINKS {
            let links: Vec<Url> = links.filter(counts).collect();
            let links = links.iter().map(|url| without_fragment(url).to_owned());
            self.agent.links.extend(links);
        }
    }

    fn is_bounded(&self) -> bool {
        !self.agent.roams
    }

    /// Whether a page at this address may be open.
    ///
    /// # Errors
    /// When it may not.
    pub fn open(&self, url: &Url) -> Result<(), Refused> {
        if !matches!(url.scheme(), "http" | "https") {
            return match url.as_str() {
                "about:blank" => Ok(()),
                _ => Err(Refused::new(
                    "scheme",
                    "only http and https pages can be opened",
                    "nothing; other schemes are never opened",
                )),
            };
        }
        self.agent.guardrails.visit(url)?;
        let site = Site::of(url);
        let was_sent = site.is_some() && (site == self.agent.planned || site == self.agent.drifted);
        if self.trusts(url) || was_sent || !self.is_bounded() {
            return Ok(());
        }
        let host = url.host_str().unwrap_or_default();
        Err(Refused::new(
            "open",
            "refused: this page is outside of what this run may visit; stay on the sites of the task",
            format!("add {host:?} to trusted_hostnames to let the run go there"),
        ))
    }

    /// Whether the model may go to an address it wrote itself. `holds_value` says whether a value of the caller or of a
    /// person stands in it.
    ///
    /// # Errors
    /// When it may not.
    pub fn navigate(&self, url: &Url, holds_value: bool) -> Result<(), Refused> {
        if holds_value {
            return Err(Refused::new(
                "value-in-address",
                "refused: values of the person may not stand in an address",
                "nothing; values are put into fields only",
            ));
        }
        self.open(url)?;
        let is_known = self.trusts(url)
            || self.agent.links.contains(without_fragment(url))
            || Site::of(url) == self.agent.planned;
        if is_known {
            return Ok(());
        }
        let host = url.host_str().unwrap_or_default();
        Err(Refused::new(
            "navigate",
            "refused: go only to addresses that the task names or a page links to",
            format!(
                "give an address of {host:?} with its scheme in the task, or add it to trusted_hostnames, to let the run go \
                 there"
            ),
        ))
    }

    /// Whether a value may be put into a field of this page, whose content goes to `target`. Values of the caller and of
    /// a person go to trusted receivers only. What a model writes goes elsewhere too, into fields that steer a page, as
    /// long as it consists of words of the task.
    ///
    /// # Errors
    /// When it may not.
    pub fn fill(
        &self,
        page: &Url,
        target: Option<FormTarget<'_>>,
        field: ElementFacts<'_>,
        source: ValueSource<'_>,
    ) -> Result<(), Refused> {
        match source {
            // What a person types has been asked for by this very rule; guardrails bind the model.
            ValueSource::Person => {}
            ValueSource::Caller | ValueSource::Vault(_) => self.agent.guardrails.fill(field, true)?,
            ValueSource::Model(_) | ValueSource::Page => self.agent.guardrails.fill(field, false)?,
        }
        if let ValueSource::Vault(sites) = source {
            return of_sites(sites, page, target);
        }
        let Err(receiver) = self.trusted_receivers(page, target) else {
            return Ok(());
        };
        match source {
            ValueSource::Vault(_) => Ok(()),
            ValueSource::Person | ValueSource::Caller => Err(Refused::new(
                "values",
                "refused: values of the person may not go to this site",
                put_values(receiver),
            )),
            ValueSource::Model(_) | ValueSource::Page if !field.is_operational_field() => {
                Err(fields_refused(receiver))
            }
            ValueSource::Model(text) if !self.agent.task.covers(text, field.takes_numbers()) => {
                Err(Refused::new(
                    "task-words",
                    "refused: on this site search and filter fields take words of the task only",
                    put_values(receiver),
                ))
            }
            ValueSource::Model(_) | ValueSource::Page => Ok(()),
        }
    }

    /// Whether anything may be said to a page, and to whoever gets what is put into it.
    ///
    /// # Errors
    /// When it may not.
    pub fn disclose(&self, page: &Url, target: Option<FormTarget<'_>>) -> Result<(), Refused> {
        self.trusted_receivers(page, target).map_err(fields_refused)
    }

    /// Fails with the first of those who get what is put into an element of the page that is not trusted. The page comes
    /// last: what goes to another host is told by that host's name.
    fn trusted_receivers<'u>(&self, page: &'u Url, target: Option<FormTarget<'u>>) -> Result<(), &'u Url> {
        let receivers = target.into_iter().flat_map(FormTarget::receivers);
        let mut all = receivers.chain([page]);
        all.find(|receiver| !self.trusts(receiver)).map_or(Ok(()), Err)
    }

    /// Whether an element may be dragged onto another one. What is dragged (a selection, a link, whatever a page makes of
    /// it) is known to nobody: it goes to trusted receivers, or stays in a document that is not trusted anyway.
    ///
    /// # Errors
    /// When it may not.
    pub fn drag(&self, page: &Url, from: DragEnd<'_>, onto: DragEnd<'_>) -> Result<(), Refused> {
        self.submit(from.target, from.element)?;
        self.submit(onto.target, onto.element)?;
        let Err(receiver) = self.trusted_receivers(page, onto.target) else {
            return Ok(());
        };
        let document = |end: DragEnd<'_>| Site::of(end.target.map_or(page, |target| target.document));
        let source = from.target.map_or(page, |target| target.document);
        if !self.trusts(source) && document(from) == document(onto) {
            return Ok(());
        }
        Err(Refused::new(
            "drag",
            "refused: nothing may be dragged onto this site's part of the page",
            put_values(receiver),
        ))
    }

    /// Whether the form of an element may be sent by acting on the element.
    ///
    /// # Errors
    /// When it may not.
    pub fn submit(&self, target: Option<FormTarget<'_>>, by: ElementFacts<'_>) -> Result<(), Refused> {
        self.agent.guardrails.act(by)?;
        let Some((document, receiver)) =
            target.and_then(|target| Some((target.document, target.actions.first()?)))
        else {
            return Ok(());
        };
        // A document that is not trusted holds no values of the caller, and sends what it has to its own site.
        let is_own =
            !self.trusts(document) && Site::of(receiver) == Site::of(document) && self.open(receiver).is_ok();
        if self.trusts(receiver) || is_own {
            return Ok(());
        }
        let host = receiver.host_str().unwrap_or_default();
        Err(Refused::new(
            "submit",
            "refused: this form is sent to another site than the page's own",
            format!("add {host:?} to trusted_hostnames to let the run send forms there"),
        ))
    }

    /// Whether an element may be clicked, as far as the guardrails say.
    ///
    /// # Errors
    /// When it may not.
    pub fn click(&self, element: ElementFacts<'_>) -> Result<(), Refused> {
        self.agent.guardrails.act(element)
    }
}

/// One end of a drag.
#[derive(Debug, Clone, Copy)]
pub struct DragEnd<'a> {
    /// The element.
    pub element: ElementFacts<'a>,
    /// Who gets what is put into it.
    pub target: Option<FormTarget<'a>>,
}

/// Whether the port of an address belongs to its site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ports {
    Count,
    Ignore,
}

fn fields_refused(receiver: &Url) -> Refused {
    Refused::new(
        "fields",
        "refused: on this site only search and filter fields may be filled",
        put_values(receiver),
    )
}

/// Whether all who get a value of the vault are of the sites that it may be filled on. What a run trusts makes no difference.
fn of_sites(sites: &[String], page: &Url, target: Option<FormTarget<'_>>) -> Result<(), Refused> {
    let sites: Vec<Site> = sites.iter().filter_map(|host| Site::of_host(host)).collect();
    let receivers = target.into_iter().flat_map(FormTarget::receivers);
    let is_foreign = |url: &&Url| !Site::of(url).is_some_and(|site| sites.contains(&site));
    match receivers.chain([page]).find(is_foreign) {
        None => Ok(()),
        Some(receiver) => {
            let host = host_of(receiver).unwrap_or_default();
            Err(Refused::new(
                "vault-site",
                "refused: this secret may not be filled on this site",
                format!("set the secret again with the site {host:?} to let it be filled there"),
            ))
        }
    }
}

fn put_values(receiver: &Url) -> String {
    let host = receiver.host_str().unwrap_or_default();
    format!("add {host:?} to trusted_hostnames to let the run put values there")
}

/// The host of an address, with its port where it says one.
fn host_of(url: &Url) -> Option<String> {
    let host = url.host_str()?;
    Some(match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    })
}

/// An address without its fragment.
pub fn without_fragment(url: &Url) -> &str {
    url.as_str().split('#').next().unwrap_or_default()
}

#[cfg(test)]
mod tests;
