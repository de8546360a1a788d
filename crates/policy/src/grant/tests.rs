//! What a grant allows and what it refuses, as tables and as a law.

use proptest::prelude::*;

use super::*;
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
            ..AgentRules::default()
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
        "buy, see docs.example.net",
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

#[test]
fn what_is_typed_stays_with_those_it_is_for() {
    let grant = agent(Some("https://a.example.com/"), &[], "x");
    let (own, foreign) = (url("https://a.example.com/f"), url("https://evil.test/f"));
    fn to(url: &Url) -> Option<FormTarget<'_>> {
        Some(FormTarget { url, is_form: true })
    }
    let name = field("textbox", "Your name", &[]);
    let search = field("searchbox", "Search", &[]);
    assert!(grant.fill(&own, None, name, ValueSource::Model).is_ok());
    assert!(grant.fill(&own, None, name, ValueSource::Caller).is_ok());
    assert!(grant.fill(&own, to(&foreign), name, ValueSource::Caller).is_err());
    assert!(grant.fill(&own, to(&foreign), name, ValueSource::Person).is_err());
    assert!(grant.fill(&own, to(&foreign), name, ValueSource::Model).is_err());
    assert!(grant.fill(&foreign, None, search, ValueSource::Model).is_ok());
    assert!(grant.fill(&foreign, None, search, ValueSource::Caller).is_err());
    let states = ["type=email".to_owned()];
    let mail = field("searchbox", "Search", &states);
    assert!(grant.fill(&foreign, None, mail, ValueSource::Model).is_err());
    let button = field("button", "Send", &[]);
    assert!(grant.submit(&own, to(&own), button).is_ok());
    assert!(grant.submit(&own, to(&foreign), button).is_err());
    let unlimited = Grant::default();
    assert!(unlimited.fill(&foreign, None, name, ValueSource::Caller).is_ok());
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

/// One step that a model, a page or a person may try.
#[derive(Debug, Clone)]
enum Step {
    /// The model goes to an address; the flag says whether a value stands in it.
    Navigate(usize, bool),
    /// A link of the page is followed.
    Follow(usize),
    /// A value is put into a field whose form is sent to this place at that moment, or that belongs to no form.
    Fill(ValueSource, Option<usize>),
    /// The form is sent to this place.
    Submit(usize),
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

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let place = 0..PLACES.len();
    let source = prop::sample::select(vec![
        ValueSource::Model,
        ValueSource::Page,
        ValueSource::Caller,
        ValueSource::Person,
    ]);
    let step = prop_oneof![
        (place.clone(), any::<bool>()).prop_map(|(place, value)| Step::Navigate(place, value)),
        place.clone().prop_map(Step::Follow),
        (source, prop::option::of(place.clone())).prop_map(|(source, place)| Step::Fill(source, place)),
        place.clone().prop_map(Step::Submit),
        place.clone().prop_map(Step::Arrive),
        place.clone().prop_map(Step::Drift),
        place.prop_map(Step::SeeLink),
    ];
    prop::collection::vec(step, 1..40)
}

/// The values that stand in the page that is open, as a page may have them: it may send them wherever it is let.
#[derive(Debug, Default)]
struct OpenPage {
    address: Option<Url>,
    holds_callers: bool,
    holds_persons: bool,
}

/// Does the steps that the grant allows, and gives every place where a value of the caller or of a person has gone,
/// with the page that it was put into.
fn receivers(grant: &mut Grant, steps: &[Step]) -> Vec<(ValueSource, Url, Url)> {
    let mut page = OpenPage::default();
    let mut gone = Vec::new();
    let at = |place: usize| url(PLACES[place]);
    let go = |page: &mut OpenPage, to: Url| {
        *page = OpenPage {
            address: Some(to),
            ..OpenPage::default()
        };
    };
    for step in steps {
        let here = page.address.clone();
        match (step, here) {
            (Step::Navigate(place, holds_value), _) => {
                if grant.navigate(&at(*place), *holds_value).is_ok() {
                    if *holds_value {
                        gone.push((ValueSource::Caller, at(*place), at(*place)));
                    }
                    go(&mut page, at(*place));
                }
            }
            (Step::Follow(place), _) => {
                if grant.open(&at(*place)).is_ok() {
                    go(&mut page, at(*place));
                }
            }
            (Step::Fill(source, place), Some(here)) => {
                let receiver = place.map(at);
                let target = receiver.as_ref().map(|url| FormTarget { url, is_form: true });
                let text = field("textbox", "Your name", &[]);
                if grant.fill(&here, target, text, *source).is_ok() {
                    let reads = match source {
                        ValueSource::Caller => &mut page.holds_callers,
                        ValueSource::Person => &mut page.holds_persons,
                        ValueSource::Model | ValueSource::Page => continue,
                    };
                    *reads = true;
                    // The scripts of the page read the field at once.
                    gone.push((*source, here.clone(), here.clone()));
                    gone.extend(receiver.map(|to| (*source, here, to)));
                }
            }
            (Step::Submit(place), Some(here)) => {
                let to = at(*place);
                let target = FormTarget {
                    url: &to,
                    is_form: true,
                };
                if grant
                    .submit(&here, Some(target), field("button", "Go", &[]))
                    .is_ok()
                {
                    for (holds, source) in [
                        (page.holds_callers, ValueSource::Caller),
                        (page.holds_persons, ValueSource::Person),
                    ] {
                        if holds {
                            gone.push((source, here.clone(), to.clone()));
                        }
                    }
                    go(&mut page, to);
                }
            }
            (Step::Arrive(place), _) => grant.arrive(&at(*place)),
            (Step::Drift(place), _) => grant.drift(&at(*place)),
            (Step::SeeLink(place), _) => grant.see_links(std::iter::once(at(*place))),
            (Step::Fill(..) | Step::Submit(_), None) => {}
        }
    }
    gone
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Whatever is done in whatever order, a value of the caller goes to trusted places only, and one that a person
    /// typed goes to them or stays on the site of the page that the person was shown.
    #[test]
    fn no_allowed_steps_carry_a_value_to_a_place_that_is_not_trusted(
        start in prop::option::of(0..PLACES.len()),
        trusted in prop::collection::vec(prop::sample::select(vec!["a.example.org", "127.0.0.1", "pay.example.com"]), 0..3),
        planned in prop::option::of(0..PLACES.len()),
        steps in steps(),
    ) {
        let mut grant = agent(start.map(|place| PLACES[place]), &trusted, "x");
        if let Some(place) = planned {
            grant.plan(&url(PLACES[place]));
        }
        let before = grant.clone();
        for (source, page, receiver) in receivers(&mut grant, &steps) {
            let is_consented = source == ValueSource::Person && Site::of(&page) == Site::of(&receiver);
            prop_assert!(before.trusts(&receiver) || is_consented, "{source:?} {page} {receiver}");
        }
    }
}
