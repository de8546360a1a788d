//! What a run may do, enforced here and not by a prompt: where it may go, what it may type where, and to whom forms may
//! be sent. A model that obeys every word of a page gets no further than this.

use std::collections::HashSet;
use std::sync::LazyLock;

use browser::Receiver;
use browser::snapshot::Element;
use regex::{Captures, Regex};
use url::{Host, Url};
use wire::tabstack::AutomateRequest;

use super::guardrails::Guardrails;
use super::secrets::Secrets;

/// The part of the web that belongs together: a registrable domain, or one server where there is none.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Site(String);

impl Site {
    /// The site of an address.
    pub(super) fn of(url: &Url) -> Option<Self> {
        let port = url.port().map(|it| format!(":{it}")).unwrap_or_default();
        let name = match url.host()? {
            Host::Domain(name) => {
                let name = name.trim_end_matches('.').to_ascii_lowercase();
                psl::domain_str(&name).map_or_else(|| name.clone(), str::to_owned)
            }
            Host::Ipv4(it) => it.to_string(),
            Host::Ipv6(it) => it.to_string(),
        };
        Some(Self(format!("{name}{port}")))
    }
}

/// A refusal by the grant: nothing was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Blocked {
    /// What the model is told: that it was refused, not how to get around it.
    pub(super) why: String,
    /// What the person may change, for events only.
    pub(super) remedy: String,
}

impl Blocked {
    fn new(why: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            why: why.into(),
            remedy: remedy.into(),
        }
    }
}

/// Where what is put into a field comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The model wrote it.
    Model,
    /// A value of the person, by key.
    Person,
}

/// The rights of one run.
#[derive(Debug)]
pub(super) struct Grant {
    /// Lifts every limit on where data may go.
    free: bool,
    /// Sites the caller named, by the start address or in the task.
    own: Vec<Site>,
    /// Host names the caller trusts.
    hosts: Vec<String>,
    /// Whether the caller said where to work. If not, any page may be visited by a link.
    bounded: bool,
    /// Where the planner, who has seen no page yet, wants to begin.
    planned: Option<Site>,
    /// Where the first page went by itself.
    drifted: Option<Site>,
    /// Links that pages have shown, while the run may go anywhere.
    links: HashSet<String>,
    rules: Guardrails,
}

impl Grant {
    /// The grant of a request.
    pub(super) fn of(request: &AutomateRequest) -> Self {
        let start = request.url.as_deref().and_then(|it| Url::parse(it).ok());
        let mut own: Vec<Site> = start.iter().filter_map(Site::of).collect();
        own.extend(named_in(&request.task).iter().filter_map(Site::of));
        let rules = request.guardrails.as_deref().unwrap_or_default();
        Self {
            free: request.unsafe_mode,
            bounded: request.url.is_some() || !request.trusted_hostnames.is_empty(),
            own,
            hosts: request.trusted_hostnames.clone(),
            planned: None,
            drifted: None,
            links: HashSet::new(),
            rules: Guardrails::read(rules, start.as_ref()),
        }
    }

    /// Whether data may go to this address: its host was named by the caller.
    pub(super) fn trusts(&self, url: &Url) -> bool {
        let Some(host) = url.host_str() else {
            return false;
        };
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        self.free
            || self.hosts.iter().any(|it| it.eq_ignore_ascii_case(bare))
            || Site::of(url).is_some_and(|it| self.own.contains(&it))
    }

    /// The planner's start page, chosen before any page was read.
    pub(super) fn plan(&mut self, url: &Url) {
        self.planned = Site::of(url);
    }

    /// The first page has sent on to this one.
    pub(super) fn arrive(&mut self, url: &Url) {
        if self.reaches(url).is_err() && self.rules.visit(url).is_ok() {
            self.planned = Site::of(url);
        }
    }

    /// The first page has gone on to this one by itself, some time after it was opened. It may be visited and its links
    /// followed, and no address of the model's own.
    pub(super) fn drift(&mut self, url: &Url) {
        if self.reaches(url).is_err() && self.rules.visit(url).is_ok() {
            self.drifted = Site::of(url);
        }
    }

    /// An answer without pictures from elsewhere: whoever renders it would fetch them, and their addresses can carry
    /// anything the model knows.
    pub(super) fn defuse(&self, answer: &str) -> String {
        static IMAGE: LazyLock<Option<Regex>> = LazyLock::new(|| {
            Regex::new(
                r#"!\[([^\]]*)\]\(\s*<?([^)\s>]+)[^)]*\)|<img\b[^>]*?src\s*=\s*["']?([^"'\s>]+)[^>]*>"#,
            )
            .ok()
        });
        let Some(image) = IMAGE.as_ref() else {
            return answer.to_owned();
        };
        let own = |found: &Captures<'_>| {
            let address = found.get(2).or_else(|| found.get(3)).map_or("", |it| it.as_str());
            match Url::parse(address) {
                Ok(url) if self.trusts(&url) => found.get(0).map_or("", |it| it.as_str()).to_owned(),
                _ => format!(
                    "[picture left out: {}]",
                    found.get(1).map_or("", |it| it.as_str())
                ),
            }
        };
        image.replace_all(answer, own).into_owned()
    }

    /// Whether a page at this address may be open.
    pub(super) fn reaches(&self, url: &Url) -> Result<(), Blocked> {
        if !matches!(url.scheme(), "http" | "https") {
            return match url.as_str() {
                "about:blank" => Ok(()),
                _ => Err(Blocked::new(
                    "only http and https pages can be opened",
                    "nothing; other schemes are never opened",
                )),
            };
        }
        self.rules.visit(url)?;
        let site = Site::of(url);
        let sent = site.is_some() && (site == self.planned || site == self.drifted);
        if self.trusts(url) || sent || !self.bounded {
            return Ok(());
        }
        let host = url.host_str().unwrap_or_default();
        Err(Blocked::new(
            "refused: this page is outside of what this run may visit; stay on the sites of the task",
            format!("add {host:?} to trusted_hostnames to let the run go there"),
        ))
    }

    /// Whether the model may go to an address it wrote itself.
    pub(super) fn goto(&self, url: &Url, secrets: &Secrets) -> Result<(), Blocked> {
        if secrets.within(url.as_str()) {
            return Err(Blocked::new(
                "refused: values of the person may not stand in an address",
                "nothing; values are put into fields only",
            ));
        }
        self.reaches(url)?;
        let known = self.trusts(url) || self.links.contains(bare(url)) || Site::of(url) == self.planned;
        if known {
            return Ok(());
        }
        let host = url.host_str().unwrap_or_default();
        Err(Blocked::new(
            "refused: go only to addresses that the task names or a page links to",
            format!("name {host:?} in the task or in trusted_hostnames to let the run go there"),
        ))
    }

    /// Notes the links that a page shows.
    pub(super) fn see(&mut self, links: impl Iterator<Item = Url>) {
        const MOST: usize = 20_000;
        let drifted = self.drifted.clone();
        let wanted = links.filter(|it| !self.bounded || (drifted.is_some() && Site::of(it) == drifted));
        if self.links.len() < MOST {
            self.links.extend(wanted.map(|it| bare(&it).to_owned()));
        }
    }

    /// Whether this may be put into a field of this page, whose content goes to `receiver`.
    pub(super) fn fill(
        &self,
        page: &Url,
        receiver: Option<&Receiver>,
        field: &Element,
        source: Source,
    ) -> Result<(), Blocked> {
        self.rules.fill(field, source == Source::Person)?;
        match source {
            Source::Model if is_operational(field) => Ok(()),
            Source::Model => self.tell(page, receiver),
            Source::Person => self.tell(page, receiver).map_err(|blocked| Blocked {
                why: "refused: values of the person may not go to this site".to_owned(),
                ..blocked
            }),
        }
    }

    /// Whether a page, and whoever gets what is put into it, may be told anything.
    pub(super) fn tell(&self, page: &Url, receiver: Option<&Receiver>) -> Result<(), Blocked> {
        let goes_to = receiver.map_or(page, |it| &it.url);
        if self.trusts(goes_to) && self.trusts(page) {
            return Ok(());
        }
        let host = goes_to.host_str().unwrap_or_default();
        Err(Blocked::new(
            "refused: on this site only search and filter fields may be filled",
            format!("add {host:?} to trusted_hostnames to let the run put values there"),
        ))
    }

    /// Whether a form of this page may be sent to `receiver` by acting on an element.
    pub(super) fn submit(
        &self,
        page: &Url,
        receiver: Option<&Receiver>,
        by: &Element,
    ) -> Result<(), Blocked> {
        self.rules.act(by)?;
        let Some(Receiver { url: receiver, .. }) = receiver.filter(|it| it.form) else {
            return Ok(());
        };
        let same = Site::of(receiver) == Site::of(page);
        if self.trusts(receiver) || (same && self.reaches(receiver).is_ok()) {
            return Ok(());
        }
        let host = receiver.host_str().unwrap_or_default();
        Err(Blocked::new(
            "refused: this form is sent to another site than the page's own",
            format!("add {host:?} to trusted_hostnames to let the run send forms there"),
        ))
    }

    /// Whether an element may be clicked, as far as the guardrails say.
    pub(super) fn click(&self, element: &Element) -> Result<(), Blocked> {
        self.rules.act(element)
    }

    /// The rules that are enforced, as read from the guardrails.
    pub(super) fn rules(&self) -> &Guardrails {
        &self.rules
    }
}

/// An address without its fragment.
pub(super) fn bare(url: &Url) -> &str {
    url.as_str().split('#').next().unwrap_or_default()
}

/// Fields that steer a page and carry nothing of the person: search, filters, numbers, dates.
fn is_operational(field: &Element) -> bool {
    let sensitive = field.states.iter().any(|it| {
        let it = it.to_ascii_lowercase();
        [
            "password",
            "email",
            "tel",
            "cc-",
            "one-time",
            "username",
            "name",
            "address",
            "autocomplete",
        ]
        .iter()
        .any(|word| it.contains(word))
    });
    let role = matches!(
        field.role.as_str(),
        "searchbox"
            | "combobox"
            | "listbox"
            | "spinbutton"
            | "slider"
            | "checkbox"
            | "radio"
            | "switch"
            | "option"
    );
    let named = {
        let name = field.name.to_ascii_lowercase();
        let words = [
            "search",
            "filter",
            "find",
            "query",
            "suche",
            "such",
            "buscar",
            "recherche",
            "szukaj",
        ];
        field.role == "textbox" && words.iter().any(|it| name.contains(it))
    };
    let typed = field.states.iter().any(|it| {
        matches!(
            it.as_str(),
            "type=number"
                | "type=date"
                | "type=month"
                | "type=week"
                | "type=time"
                | "type=range"
                | "type=search"
        )
    });
    !sensitive && (role || named || typed)
}

/// Addresses that a text names: with a scheme, or as a bare host.
pub(super) fn named_in(text: &str) -> Vec<Url> {
    let mut found = Vec::new();
    for word in text.split(|c: char| {
        c.is_whitespace() || matches!(c, '"' | '\'' | '(' | ')' | '<' | '>' | ',' | ';' | '|')
    }) {
        let word = word.trim_matches(|c: char| matches!(c, '.' | ':' | '!' | '?' | '`' | '*' | '[' | ']'));
        if word.starts_with("http://") || word.starts_with("https://") {
            found.extend(Url::parse(word).ok());
            continue;
        }
        let host = word.split(['/', '?', '#']).next().unwrap_or_default();
        let name = host.split(':').next().unwrap_or_default().to_ascii_lowercase();
        // A file name such as report.pdf is no host: its ending is no known suffix of the net.
        let is_host = !word.contains('@')
            && name.contains('.')
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '.' | '-'))
            && (psl::suffix(name.as_bytes()).is_some_and(|it| it.is_known())
                || name.parse::<std::net::Ipv4Addr>().is_ok())
            && psl::domain_str(&name).is_some_and(|it| it.len() > 3);
        if is_host || name == "localhost" {
            found.extend(Url::parse(&format!("https://{host}/")).ok());
        }
    }
    found
}

#[cfg(test)]
mod tests;
