//! Grants of any hosts, asked in any order: no value reaches a site that the caller did not name.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use policy::{
    AgentRules, ElementFacts, FormTarget, Grant, Guardrails, Site, ValueSource, addresses_in, without_fragment,
};
use url::Url;

const HOSTS: [&str; 16] = [
    "shop.example.com",
    "www.shop.example.com",
    "example.com",
    "badexample.com",
    "example.com.evil.test",
    "evil.test",
    "shop.co.uk",
    "co.uk",
    "a.github.io",
    "b.github.io",
    "127.0.0.1",
    "0x7f.1",
    "[::1]",
    "localhost",
    "xn--bcher-kva.example",
    "EXAMPLE.com.",
];
const ROLES: [&str; 6] = ["textbox", "searchbox", "combobox", "button", "link", "checkbox"];

#[derive(Debug, Arbitrary)]
struct Place<'a> {
    host: u8,
    port: Option<u16>,
    is_plain: bool,
    path: &'a str,
    /// A host of any text, instead of one of the list.
    raw: Option<&'a str>,
}

impl Place<'_> {
    fn url(&self) -> Option<Url> {
        let host = self.raw.unwrap_or(HOSTS[usize::from(self.host) % HOSTS.len()]);
        let scheme = if self.is_plain { "http" } else { "https" };
        let port = self.port.map(|port| format!(":{port}")).unwrap_or_default();
        Url::parse(&format!("{scheme}://{host}{port}/{}", self.path)).ok()
    }
}

#[derive(Debug, Arbitrary)]
enum Step<'a> {
    Plan(Place<'a>),
    Arrive(Place<'a>),
    Drift(Place<'a>),
    SeeLinks(Vec<Place<'a>>),
}

#[derive(Debug, Arbitrary)]
struct Run<'a> {
    start: Option<Place<'a>>,
    trusted: Vec<(u8, Option<&'a str>)>,
    roams: bool,
    rules: &'a str,
    steps: Vec<Step<'a>>,
    page: Place<'a>,
    /// The document of the element, where it is known, and where its form is sent to.
    document: Option<Place<'a>>,
    actions: Vec<Place<'a>>,
    role: u8,
    name: &'a str,
    state: &'a str,
}

/// Whether the caller named this address, reckoned without the crate's own types.
fn is_named(url: &Url, start: Option<&Url>, trusted: &[String]) -> bool {
    let bare = |url: &Url| url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
    let domain = |url: &Url| match url.domain() {
        Some(name) => {
            let name = name.trim_end_matches('.').to_owned();
            psl::domain_str(&name).map_or(name.clone(), str::to_owned)
        }
        None => bare(url),
    };
    let is_start = start.is_some_and(|start| domain(start) == domain(url) && start.port() == url.port());
    is_start || trusted.iter().any(|host| host.eq_ignore_ascii_case(&bare(url)))
}

fuzz_target!(|run: Run<'_>| {
    let start = run.start.as_ref().and_then(Place::url);
    let trusted: Vec<String> = run
        .trusted
        .iter()
        .map(|(number, raw)| raw.unwrap_or(HOSTS[usize::from(*number) % HOSTS.len()]).to_owned())
        .collect();
    let mut grant = Grant {
        agent: AgentRules::new(run.rules, trusted.clone(), run.roams, Guardrails::read(run.rules, start.as_ref())),
        ..Grant::acting(start.as_ref())
    };
    for step in run.steps.iter().take(50) {
        match step {
            Step::Plan(place) => place.url().iter().for_each(|url| grant.plan(url)),
            Step::Arrive(place) => place.url().iter().for_each(|url| grant.arrive(url)),
            Step::Drift(place) => place.url().iter().for_each(|url| grant.drift(url)),
            Step::SeeLinks(places) => grant.see_links(places.iter().filter_map(Place::url)),
        }
    }
    let Some(page) = run.page.url() else { return };
    let document = run.document.as_ref().and_then(Place::url);
    let actions: Vec<Url> = run.actions.iter().take(5).filter_map(Place::url).collect();
    let target = document.as_ref().map(|document| FormTarget { document, actions: &actions });
    let named = |url: &Url| is_named(url, start.as_ref(), &trusted);
    let receivers: Vec<&Url> = match &document {
        Some(document) => actions.iter().chain([document, &page]).collect(),
        None => vec![&page],
    };
    let all_named = receivers.iter().all(|url| named(url));
    let states = [run.state.to_owned()];
    let field = ElementFacts { role: ROLES[usize::from(run.role) % ROLES.len()], name: run.name, states: &states };

    let context = || format!("page {page}, receivers {receivers:?}, start {start:?}, trusted {trusted:?}");
    for url in &receivers {
        assert_eq!(grant.trusts(url), named(url), "{}", context());
    }
    for source in [ValueSource::Caller, ValueSource::Person] {
        assert!(all_named || grant.fill(&page, target, field, source).is_err(), "{source:?}: {}", context());
    }
    assert!(all_named || grant.disclose(&page, target).is_err(), "a text: {}", context());
    if !all_named && grant.fill(&page, target, field, ValueSource::Model("hunter2-xq7")).is_ok() {
        // No task here names this word.
        assert!(run.rules.contains("hunter2"), "a word of the model's own: {}", context());
    }
    if grant.submit(target, field).is_ok() {
        // The first address is that of Enter; what was put in by then was allowed for all of them.
        for action in target.map_or(&[][..], |_| actions.get(..1).unwrap_or_default()) {
            let document = document.as_ref().expect("a target");
            assert!(named(action) || (!named(document) && Site::of(action) == Site::of(document)), "a form: {}", context());
        }
    }
    if grant.send_to(&page).is_ok() || grant.visit(&page).is_ok() {
        assert!(named(&page), "a visit: {}", context());
    }
    assert!(grant.navigate(&page, true).is_err(), "a value in an address: {}", context());
    if grant.navigate(&page, false).is_ok() {
        assert!(grant.open(&page).is_ok(), "{}", context());
    }
    if run.roams || run.steps.is_empty() {
        assert!(run.roams || grant.open(&page).is_err() || named(&page), "a page: {}", context());
    }
    assert!(page.as_str().starts_with(without_fragment(&page)));
    for url in addresses_in(run.rules) {
        assert!(matches!(url.scheme(), "http" | "https") && url.host().is_some(), "{url}");
    }
});
