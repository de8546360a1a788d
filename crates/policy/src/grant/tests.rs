//! What a grant allows and what it refuses, as tables and as a law.

use proptest::prelude::*;

use super::*;
use crate::guardrails::Guardrails;
use crate::site::addresses_in;

fn url(text: &str) -> Url {
    text.parse().unwrap()
}

/// An agent's grant as a request gives it.
fn agent(start: Option<&str>, trusted: &[&str], task: &str) -> Grant {
    let mut named: Vec<Url> = start.map(url).into_iter().collect();
    named.extend(addresses_in(task));
    Grant {
        agent: AgentRules {
            trusted_hosts: trusted.iter().map(|host| (*host).to_owned()).collect(),
            roams: start.is_none() && trusted.is_empty(),
            ..AgentRules::new(task, Vec::new(), false, Guardrails::default())
        },
        ..Grant::acting(&named)
    }
}

fn field<'a>(role: &'a str, name: &'a str, states: &'a [String]) -> ElementFacts<'a> {
    ElementFacts { role, name, states }
}

#[test]
fn a_run_stays_on_the_sites_that_its_caller_named() {
    let bounded = agent(
        Some("https://www.shop.example.com/a"),
        &["pay.example.org"],
        "buy, see https://docs.example.net/ and readme.md",
    );
    for inside in [
        "https://shop.example.com/b",
        "https://checkout.example.com/",
        "https://pay.example.org:444/x",
        "http://docs.example.net/",
    ] {
        assert!(bounded.open(&url(inside)).is_ok(), "{inside}");
    }
    for outside in [
        "https://evil.test/",
        "https://example.org/",
        "https://shop.example.com:8443/",
        "https://readme.md/",
        "file:///etc/passwd",
    ] {
        assert!(bounded.open(&url(outside)).is_err(), "{outside}");
    }
    let loopback = agent(Some("http://127.0.0.1:8000/"), &[], "x");
    assert!(loopback.open(&url("http://127.0.0.1:8000/b")).is_ok());
    assert!(loopback.open(&url("http://127.0.0.1:9000/")).is_err());
}

#[test]
fn a_roaming_run_follows_links_but_no_invented_addresses() {
    let mut open = agent(None, &[], "which kettle is best");
    open.plan(&url("https://search.example.com/"));
    open.see_links(std::iter::once(url("https://tests.example.org/kettles#top")));
    for (address, allowed) in [
        ("https://search.example.com/?q=kettle", true),
        ("https://tests.example.org/kettles", true),
        ("https://tests.example.org/kettles?d=my+task", false),
        ("https://evil.test/", false),
    ] {
        assert_eq!(open.navigate(&url(address), false).is_ok(), allowed, "{address}");
    }
}

#[test]
fn where_the_first_page_went_by_itself_only_its_links_lead_on() {
    let mut grant = agent(Some("https://a.example.com/"), &[], "x");
    let next = url("https://b.example.net/next");
    let made = url("https://b.example.net/?d=my+task");
    assert!(grant.open(&next).is_err());
    grant.drift(&url("https://b.example.net/login"));
    grant.see_links([next.clone(), url("https://evil.test/")].into_iter());
    assert!(grant.open(&next).is_ok() && grant.navigate(&next, false).is_ok());
    assert!(grant.navigate(&made, false).is_err());
    assert!(grant.navigate(&url("https://evil.test/"), false).is_err());
    assert!(grant.disclose(&next, None).is_err());
}

#[test]
fn values_of_the_person_never_stand_in_an_address() {
    let grant = agent(Some("https://a.example.com/"), &[], "x");
    let address = url("https://a.example.com/?q=tea");
    assert!(grant.navigate(&address, false).is_ok());
    assert!(grant.navigate(&address, true).is_err());
}

/// An element of this document whose form goes to these places.
fn to<'a>(document: &'a Url, actions: &'a [Url]) -> Option<FormTarget<'a>> {
    Some(FormTarget { document, actions })
}

#[test]
fn what_is_typed_stays_with_those_it_is_for() {
    let grant = agent(Some("https://a.example.com/"), &[], "find a kettle");
    let (own, foreign) = (url("https://a.example.com/f"), url("https://evil.test/f"));
    let (own_form, mixed) = ([own.clone()], [own.clone(), foreign.clone()]);
    let name = field("textbox", "Your name", &[]);
    let search = field("searchbox", "Search", &[]);
    let told = ValueSource::Model("anything at all");
    for source in [told, ValueSource::Page, ValueSource::Caller, ValueSource::Person] {
        assert!(grant.fill(&own, None, name, source).is_ok(), "{source:?}");
        assert!(
            grant.fill(&own, to(&own, &own_form), name, source).is_ok(),
            "{source:?}"
        );
        for target in [to(&own, &mixed), to(&foreign, &own_form), to(&foreign, &[])] {
            assert!(
                grant.fill(&own, target, name, source).is_err(),
                "{source:?} {target:?}"
            );
            assert!(grant.fill(&foreign, to(&own, &own_form), name, source).is_err());
        }
    }
    for source in [ValueSource::Caller, ValueSource::Person] {
        assert!(grant.fill(&foreign, None, search, source).is_err(), "{source:?}");
    }
    for (text, allowed) in [
        ("kettles", true),
        ("a kettle", true),
        ("hunter2", false),
        ("kettle hunter2", false),
    ] {
        let filled = grant.fill(&foreign, None, search, ValueSource::Model(text));
        assert_eq!(filled.is_ok(), allowed, "{text}");
        assert!(grant.fill(&own, None, search, ValueSource::Model(text)).is_ok());
    }
    let states = ["type=email".to_owned()];
    let mail = field("searchbox", "Search", &states);
    assert!(
        grant
            .fill(&foreign, None, mail, ValueSource::Model("kettle"))
            .is_err()
    );
    let unlimited = Grant::default();
    assert!(unlimited.fill(&foreign, None, name, ValueSource::Caller).is_ok());
}

#[test]
fn forms_are_sent_and_things_dragged_where_values_may_go() {
    let grant = agent(Some("https://a.example.com/"), &[], "x");
    let (own, foreign) = (url("https://a.example.com/f"), url("https://evil.test/f"));
    let (own_form, foreign_form) = ([own.clone()], [foreign.clone()]);
    let button = field("button", "Send", &[]);
    assert!(grant.submit(to(&own, &own_form), button).is_ok());
    assert!(grant.submit(to(&own, &foreign_form), button).is_err());
    assert!(grant.submit(to(&foreign, &foreign_form), button).is_err());
    let end = |target| DragEnd {
        element: field("listitem", "Thing", &[]),
        target,
    };
    let (here, there) = (end(to(&own, &[])), end(to(&foreign, &[])));
    for (from, onto, allowed) in [
        (here, here, true),
        (here, there, false),
        (there, here, true),
        (there, there, true),
        (here, end(to(&own, &foreign_form)), false),
        (here, end(None), true),
    ] {
        assert_eq!(grant.drag(&own, from, onto).is_ok(), allowed, "{from:?} {onto:?}");
    }
    assert!(grant.drag(&foreign, there, there).is_ok());
    assert!(grant.drag(&foreign, here, there).is_err());
}

#[test]
fn a_reading_grant_covers_a_host_with_its_site_and_nothing_else() {
    let grant = Grant::reading([&url("https://www.shop.co.uk/a")]);
    for (address, granted) in [
        ("https://shop.co.uk/", true),
        ("https://img.shop.co.uk/x", true),
        ("https://other.co.uk/", false),
        ("https://shop.co.uk.evil.test/", false),
        ("https://evil.test/?u=www.shop.co.uk", false),
        ("http://127.0.0.1/", false),
    ] {
        assert_eq!(grant.visit(&url(address)).is_ok(), granted, "{address}");
    }
}

#[test]
fn ports_count_for_all_but_visits_that_only_read() {
    let (home, neighbour) = (url("http://127.0.0.1:8080/"), url("http://127.0.0.1:9/"));
    let reading = Grant::reading([&home]);
    assert!(reading.visit(&neighbour).is_ok());
    assert!(reading.send_to(&neighbour).is_err() && reading.send_to(&home).is_ok());
    assert!(Grant::acting([&home]).visit(&neighbour).is_err());
    assert!(reading.visit(&url("http://127.0.0.2/")).is_err());
}

/// An element, by the places of its document and of its form: the page's own document where there is none.
type Element = (Option<usize>, Vec<usize>);

/// One step that a model, a page or a person may try.
#[derive(Debug, Clone)]
enum Step {
    /// The model goes to an address; the flag says whether a value stands in it.
    Navigate(usize, bool),
    /// A link of the page is followed.
    Follow(usize),
    /// A value is put into a field.
    Fill(ValueSource<'static>, bool, Element),
    /// The form of an element is sent.
    Submit(Element),
    /// One element is dragged onto another, with whatever its document holds.
    Drag(Element, Element),
    /// A page notes its links, sends on, or goes on by itself.
    Arrive(usize),
    Drift(usize),
    SeeLink(usize),
}

const PLACES: [&str; 9] = [
    "https://shop.example.com/a",
    "https://pay.example.com/b",
    "https://shop.example.com:8443/c",
    "https://a.example.org/d",
    "https://b.example.org/e",
    "https://evil.test/f",
    "http://127.0.0.1:8000/g",
    "http://127.0.0.1:9000/h",
    "http://[::1]:9000/i",
];

const TASK: &str = "find the best kettle, see readme.md on evil.test";

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let place = 0..PLACES.len();
    let source = prop::sample::select(vec![
        ValueSource::Model("kettles"),
        ValueSource::Model("hunter2"),
        ValueSource::Page,
        ValueSource::Caller,
        ValueSource::Person,
    ]);
    let element = (
        prop::option::of(place.clone()),
        prop::collection::vec(place.clone(), 0..3),
    );
    let step = prop_oneof![
        (place.clone(), any::<bool>()).prop_map(|(place, value)| Step::Navigate(place, value)),
        place.clone().prop_map(Step::Follow),
        (source, any::<bool>(), element.clone())
            .prop_map(|(source, search, element)| Step::Fill(source, search, element)),
        element.clone().prop_map(Step::Submit),
        (element.clone(), element).prop_map(|(from, onto)| Step::Drag(from, onto)),
        place.clone().prop_map(Step::Arrive),
        place.clone().prop_map(Step::Drift),
        place.prop_map(Step::SeeLink),
    ];
    prop::collection::vec(step, 1..40)
}

/// An element's document and form as addresses.
struct Located {
    document: Url,
    actions: Vec<Url>,
}

impl Located {
    fn of(page: &Url, (document, actions): &Element) -> Self {
        Self {
            document: document.map_or_else(|| page.clone(), |place| url(PLACES[place])),
            actions: actions.iter().map(|place| url(PLACES[*place])).collect(),
        }
    }

    fn target(&self) -> Option<FormTarget<'_>> {
        to(&self.document, &self.actions)
    }

    /// Those who get what is put into it: its document at once, and its form in time.
    fn receivers(&self) -> impl Iterator<Item = Url> {
        std::iter::once(self.document.clone()).chain(self.actions.clone())
    }
}

/// A value, where it is held or where it has gone.
type Told = (ValueSource<'static>, Url);

/// What is open, and which values stand in which of its documents: each may send them wherever it is let.
#[derive(Debug, Default)]
struct OpenPage {
    address: Option<Url>,
    held: Vec<Told>,
}

impl OpenPage {
    fn at(address: Url) -> Self {
        Self {
            address: Some(address),
            held: Vec::new(),
        }
    }

    fn held_by(&self, document: &Url) -> Vec<ValueSource<'static>> {
        let held = self.held.iter().filter(|(_, holder)| holder == document);
        held.map(|(source, _)| *source).collect()
    }
}

/// Does the steps that the grant allows, and gives every place where a value has gone.
fn gone(grant: &mut Grant, steps: &[Step]) -> Vec<Told> {
    let mut page = OpenPage::default();
    let mut gone = Vec::new();
    let at = |place: usize| url(PLACES[place]);
    for step in steps {
        let here = page.address.clone();
        match (step, here) {
            (Step::Navigate(place, holds_value), _) => {
                if grant.navigate(&at(*place), *holds_value).is_ok() {
                    gone.extend(holds_value.then(|| (ValueSource::Caller, at(*place))));
                    page = OpenPage::at(at(*place));
                }
            }
            (Step::Follow(place), _) if grant.open(&at(*place)).is_ok() => page = OpenPage::at(at(*place)),
            (Step::Fill(source, is_search, element), Some(here)) => {
                let located = Located::of(&here, element);
                let text = match is_search {
                    true => field("searchbox", "Search", &[]),
                    false => field("textbox", "Your name", &[]),
                };
                if grant.fill(&here, located.target(), text, *source).is_ok() {
                    page.held.push((*source, located.document.clone()));
                    gone.extend(located.receivers().map(|to| (*source, to)));
                }
            }
            (Step::Submit(element), Some(here)) => {
                let located = Located::of(&here, element);
                let button = field("button", "Go", &[]);
                if grant.submit(located.target(), button).is_ok()
                    && let Some(to) = located.actions.first()
                {
                    let held = page.held_by(&located.document).into_iter();
                    gone.extend(held.map(|source| (source, to.clone())));
                    page = OpenPage::at(to.clone());
                }
            }
            (Step::Drag(from, onto), Some(here)) => {
                let (from, onto) = (Located::of(&here, from), Located::of(&here, onto));
                let end = |located| DragEnd {
                    element: field("listitem", "Thing", &[]),
                    target: Located::target(located),
                };
                if grant.drag(&here, end(&from), end(&onto)).is_ok() {
                    for source in page.held_by(&from.document) {
                        page.held.push((source, onto.document.clone()));
                        gone.extend(onto.receivers().map(|to| (source, to)));
                    }
                }
            }
            (Step::Arrive(place), _) => grant.arrive(&at(*place)),
            (Step::Drift(place), _) => grant.drift(&at(*place)),
            (Step::SeeLink(place), _) => grant.see_links(std::iter::once(at(*place))),
            (Step::Follow(_) | Step::Fill(..) | Step::Submit(_) | Step::Drag(..), _) => {}
        }
    }
    gone
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// Whatever is done in whatever order, whatever frames a page is made of and wherever their forms go: a value of the
    /// caller or of a person goes to trusted places only, and what else a model writes too, but for words of the task.
    #[test]
    fn no_allowed_steps_carry_a_value_to_a_place_that_is_not_trusted(
        start in prop::option::of(0..PLACES.len()),
        trusted in prop::collection::vec(prop::sample::select(vec!["a.example.org", "127.0.0.1", "pay.example.com"]), 0..3),
        planned in prop::option::of(0..PLACES.len()),
        steps in steps(),
    ) {
        let mut grant = agent(start.map(|place| PLACES[place]), &trusted, TASK);
        if let Some(place) = planned {
            grant.plan(&url(PLACES[place]));
        }
        let before = grant.clone();
        for (source, receiver) in gone(&mut grant, &steps) {
            let is_harmless = matches!(source, ValueSource::Page | ValueSource::Model("kettles"));
            prop_assert!(before.trusts(&receiver) || is_harmless, "{source:?} {receiver}");
        }
    }
}
