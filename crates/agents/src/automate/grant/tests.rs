//! What the grant allows and what it refuses, as tables.

use serde_json::json;

use browser::Ref;

use super::*;

fn url(text: &str) -> Url {
    text.parse().unwrap()
}

fn grant(url: Option<&str>, trusted: &[&str], task: &str) -> Grant {
    let mut request = AutomateRequest::new(task);
    request.url = url.map(str::to_owned);
    request.trusted_hostnames = trusted.iter().map(|it| (*it).to_owned()).collect();
    Grant::of(&request)
}

fn field(role: &str, name: &str, states: &[&str]) -> Element {
    Element {
        role: role.into(),
        name: name.into(),
        states: states.iter().map(|it| (*it).to_owned()).collect(),
        target: Some(Ref(1)),
        ..Element::default()
    }
}

#[test]
fn a_run_stays_on_the_sites_that_its_caller_named() {
    let bounded = grant(
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
        assert!(bounded.reaches(&url(inside)).is_ok(), "{inside}");
    }
    for outside in [
        "https://evil.test/",
        "https://example.org/",
        "https://shop.example.com:8443/",
        "file:///etc/passwd",
    ] {
        assert!(bounded.reaches(&url(outside)).is_err(), "{outside}");
    }
    let loopback = grant(Some("http://127.0.0.1:8000/"), &[], "x");
    assert!(loopback.reaches(&url("http://127.0.0.1:8000/b")).is_ok());
    assert!(loopback.reaches(&url("http://127.0.0.1:9000/")).is_err());
}

#[test]
fn a_free_roaming_run_follows_links_but_no_invented_addresses() {
    let mut open = grant(None, &[], "which kettle is best");
    open.plan(&url("https://search.example.com/"));
    open.see(std::iter::once(url("https://tests.example.org/kettles#top")));
    let none = Secrets::default();
    assert!(
        open.goto(&url("https://search.example.com/?q=kettle"), &none)
            .is_ok()
    );
    assert!(
        open.goto(&url("https://tests.example.org/kettles"), &none)
            .is_ok()
    );
    assert!(
        open.goto(&url("https://tests.example.org/kettles?d=my+task"), &none)
            .is_err()
    );
    assert!(open.goto(&url("https://evil.test/"), &none).is_err());
}

#[test]
fn where_the_first_page_went_by_itself_only_its_links_lead_on() {
    let mut grant = grant(Some("https://a.example.com/"), &[], "x");
    let (next, made) = (
        url("https://b.example.net/next"),
        url("https://b.example.net/?d=my+task"),
    );
    assert!(grant.reaches(&next).is_err());
    grant.drift(&url("https://b.example.net/login"));
    grant.see([next.clone(), url("https://evil.test/")].into_iter());
    let none = Secrets::default();
    assert!(grant.reaches(&next).is_ok() && grant.goto(&next, &none).is_ok());
    assert!(grant.goto(&made, &none).is_err() && grant.goto(&url("https://evil.test/"), &none).is_err());
    assert!(grant.tell(&next, None).is_err());
}

#[test]
fn values_of_the_person_never_stand_in_an_address() {
    let grant = grant(Some("https://a.example.com/"), &[], "x");
    let secrets = Secrets::of(Some(&json!({"email": "ada@example.org"})));
    assert!(grant.goto(&url("https://a.example.com/?q=tea"), &secrets).is_ok());
    assert!(
        grant
            .goto(&url("https://a.example.com/?q=ada%40example.org"), &secrets)
            .is_err()
    );
}

#[test]
fn what_is_typed_stays_with_those_it_is_for() {
    let grant = grant(Some("https://a.example.com/"), &[], "x");
    let (own, foreign) = (url("https://a.example.com/f"), url("https://evil.test/f"));
    let form = |url: &Url| Receiver {
        url: url.clone(),
        form: true,
        link: None,
    };
    let to = |url: &Url| Some(form(url));
    let name = field("textbox", "Your name", &[]);
    let search = field("searchbox", "Search", &[]);
    assert!(grant.fill(&own, None, &name, Source::Model).is_ok());
    assert!(grant.fill(&own, None, &name, Source::Person).is_ok());
    assert!(
        grant
            .fill(&own, to(&foreign).as_ref(), &name, Source::Person)
            .is_err()
    );
    assert!(
        grant
            .fill(&own, to(&foreign).as_ref(), &name, Source::Model)
            .is_err()
    );
    assert!(grant.fill(&foreign, None, &search, Source::Model).is_ok());
    assert!(grant.fill(&foreign, None, &search, Source::Person).is_err());
    assert!(
        grant
            .fill(
                &foreign,
                None,
                &field("searchbox", "Search", &["type=email"]),
                Source::Model
            )
            .is_err()
    );
    let button = field("button", "Send", &[]);
    assert!(grant.submit(&own, to(&own).as_ref(), &button).is_ok());
    assert!(grant.submit(&own, to(&foreign).as_ref(), &button).is_err());
    let mut request = AutomateRequest::new("x");
    request.unsafe_mode = true;
    let free = Grant::of(&request);
    assert!(free.fill(&foreign, None, &name, Source::Person).is_ok());
}

#[test]
fn hosts_are_found_in_words() {
    let named: Vec<String> = named_in("log in at shop.example.com/a, then (https://b.example.org/x?y=1). See report.pdf and a.b@mail.example.com at localhost:8080!")
        .iter()
        .map(|it| it.host_str().unwrap().to_owned())
        .collect();
    assert_eq!(named, ["shop.example.com", "b.example.org", "localhost"]);
}

#[test]
fn an_answer_shows_no_pictures_from_elsewhere() {
    let grant = grant(Some("https://a.example.com/"), &[], "x");
    let answer = "see ![mine](https://a.example.com/x.png) ![x](https://evil.test/?k=1) <img src='//evil.test/y'> [link](https://evil.test/)";
    assert_eq!(
        grant.defuse(answer),
        "see ![mine](https://a.example.com/x.png) [picture left out: x] [picture left out: ] [link](https://evil.test/)"
    );
}
