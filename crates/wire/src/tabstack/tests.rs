use serde_json::{Value, json};

use super::*;
use crate::error::Code;
use crate::input::{FieldValue, FormAnswer};
use crate::research::ResearchMode;
use crate::strict::RequestRefusal;

fn bytes(value: &Value) -> Vec<u8> {
    value.to_string().into_bytes()
}

/// The field that a body is refused for.
fn refused<T: std::fmt::Debug>(parse: impl Fn(&[u8]) -> Result<T, RequestRefusal>, body: &Value) -> String {
    let refusal = parse(&bytes(body)).expect_err(&body.to_string());
    assert_eq!(refusal.code, Code::InvalidRequest);
    refusal.field.unwrap_or_default()
}

#[test]
fn a_task_alone_is_enough_and_unknown_keys_do_no_harm() {
    let request = AutomateRequest::parse(&bytes(&json!({"task": "x", "foo": [1], "url": null}))).unwrap();
    assert_eq!(request, AutomateRequest::new("x"));
    let names: Vec<_> = json!(request).as_object().unwrap().keys().cloned().collect();
    assert!(
        names.contains(&"maxIterations".to_owned()) && names.contains(&"unsafe_mode".to_owned()),
        "{names:?}"
    );
}

#[test]
fn a_full_automate_request_is_read_as_it_was_written() {
    let body = json!({
        "task": "book", "url": "https://a.example/", "data": {"email": "a@b.c"}, "guardrails": "no payment",
        "interactive": true, "maxIterations": 100, "maxValidationAttempts": 10,
        "trusted_hostnames": ["b.example"], "unsafe_mode": true, "geo_target": {"country": "NO"}
    });
    assert_eq!(json!(AutomateRequest::parse(&bytes(&body)).unwrap()), body);
}

#[test]
fn a_wrong_automate_field_is_named() {
    let cases = [
        ("task", json!({})),
        ("task", json!({"task": " \n"})),
        ("task", json!({"task": 5})),
        ("task", json!({"task": "x".repeat(20_001)})),
        ("url", json!({"task": "x", "url": "example.com"})),
        ("url", json!({"task": "x", "url": ""})),
        ("url", json!({"task": "x", "url": ["https://a.example"]})),
        ("maxIterations", json!({"task": "x", "maxIterations": 101})),
        ("maxIterations", json!({"task": "x", "maxIterations": 0})),
        ("maxIterations", json!({"task": "x", "maxIterations": -1})),
        ("maxIterations", json!({"task": "x", "maxIterations": 1.5})),
        ("maxIterations", json!({"task": "x", "maxIterations": "5"})),
        ("maxIterations", json!({"task": "x", "maxIterations": 1e300})),
        (
            "maxValidationAttempts",
            json!({"task": "x", "maxValidationAttempts": 11}),
        ),
        ("interactive", json!({"task": "x", "interactive": "yes"})),
        ("guardrails", json!({"task": "x", "guardrails": {}})),
        (
            "trusted_hostnames",
            json!({"task": "x", "trusted_hostnames": "a.example"}),
        ),
        (
            "trusted_hostnames[1]",
            json!({"task": "x", "trusted_hostnames": ["a.example", "*.b.example"]}),
        ),
        (
            "trusted_hostnames[0]",
            json!({"task": "x", "trusted_hostnames": ["https://a.example"]}),
        ),
        (
            "trusted_hostnames[0]",
            json!({"task": "x", "trusted_hostnames": ["a.example:80"]}),
        ),
        (
            "trusted_hostnames[0]",
            json!({"task": "x", "trusted_hostnames": [7]}),
        ),
        ("geo_target", json!({"task": "x", "geo_target": "NO"})),
        (
            "geo_target.country",
            json!({"task": "x", "geo_target": {"country": "Norway"}}),
        ),
        (
            "browser",
            json!({"task": "x", "browser": {"args": ["--no-sandbox"]}}),
        ),
    ];
    for (field, body) in cases {
        assert_eq!(refused(AutomateRequest::parse, &body), field, "{body}");
    }
}

#[test]
fn trusted_hosts_are_spelled_as_addresses_spell_them() {
    let hosts = json!([
        "Bücher.Example",
        "A.example.",
        "[0:0:0:0:0:0:0:1]",
        "10.1",
        "localhost"
    ]);
    let request = AutomateRequest::parse(&bytes(&json!({"task": "x", "trusted_hostnames": hosts}))).unwrap();
    let spelled = [
        "xn--bcher-kva.example",
        "a.example",
        "::1",
        "10.0.0.1",
        "localhost",
    ];
    assert_eq!(request.trusted_hostnames, spelled);
    for host in [
        "",
        " ",
        ".",
        "a b",
        "ada@a.example",
        "a.example/x",
        "a.example?x",
        "[::1",
        "::1",
        "//a.example",
        "*",
    ] {
        let body = json!({"task": "x", "trusted_hostnames": [host]});
        assert_eq!(
            refused(AutomateRequest::parse, &body),
            "trusted_hostnames[0]",
            "{host:?}"
        );
    }
}

#[test]
fn a_question_is_bounded_and_every_mode_is_known() {
    let longest = "é".repeat(10_000);
    let request = ResearchRequest::parse(&bytes(&json!({"query": longest, "mode": "balanced"}))).unwrap();
    assert_eq!(
        (request.mode, request.fetch_timeout),
        (ResearchMode::Balanced, None)
    );
    let cases = [
        ("query", json!({})),
        ("query", json!({"query": format!("{longest}é")})),
        ("mode", json!({"query": "x", "mode": "Fast"})),
        ("mode", json!({"query": "x", "mode": 1})),
        ("fetch_timeout", json!({"query": "x", "fetch_timeout": 0})),
        ("fetch_timeout", json!({"query": "x", "fetch_timeout": -5})),
        ("nocache", json!({"query": "x", "nocache": 1})),
        ("sources[0]", json!({"query": "x", "sources": ["a.example"]})),
    ];
    for (field, body) in cases {
        assert_eq!(refused(ResearchRequest::parse, &body), field, "{body}");
    }
}

#[test]
fn page_requests_say_what_they_miss() {
    let (url, schema) = ("https://a.example/", json!({"type": "object"}));
    let markdown =
        MarkdownRequest::parse(&bytes(&json!({"url": url, "content": "full", "metadata": true}))).unwrap();
    assert_eq!(
        (markdown.content, markdown.effort, markdown.metadata),
        (ContentScope::Full, FetchEffort::Standard, true)
    );
    for (field, body) in [
        ("url", json!({})),
        ("url", json!({"url": 5})),
        ("content", json!({"url": url, "content": "all"})),
        ("effort", json!({"url": url, "effort": "high"})),
        ("metadata", json!({"url": url, "metadata": "true"})),
        ("output_path", json!({"url": url, "output_path": "/etc/cron.d/x"})),
    ] {
        assert_eq!(refused(MarkdownRequest::parse, &body), field, "{body}");
    }
    for (field, body) in [
        ("json_schema", json!({"url": url})),
        (
            "json_schema",
            json!({"url": url, "json_schema": {"type": "objekt"}}),
        ),
        ("url", json!({"json_schema": schema})),
    ] {
        assert_eq!(refused(ExtractJsonRequest::parse, &body), field, "{body}");
    }
    for (field, body) in [
        ("instructions", json!({"url": url, "json_schema": schema})),
        (
            "instructions",
            json!({"url": url, "json_schema": schema, "instructions": "x".repeat(20_001)}),
        ),
    ] {
        assert_eq!(refused(GenerateJsonRequest::parse, &body), field, "{body}");
    }
}

#[test]
fn an_answer_gives_values_or_declines() {
    let value = |ref_: &str, value: &str| FieldValue {
        ref_: ref_.into(),
        value: value.into(),
    };
    let good = [
        (json!({"cancelled": true}), FormAnswer::Cancelled),
        (json!({"fields": []}), FormAnswer::Fields(vec![])),
        (
            json!({"cancelled": false, "fields": [{"ref": "E1", "value": "a"}]}),
            FormAnswer::Fields(vec![value("E1", "a")]),
        ),
        (
            json!({"fields": [{"ref": "E1"}]}),
            FormAnswer::Fields(vec![value("E1", "")]),
        ),
    ];
    for (body, answer) in good {
        let parsed = parse_answer(&bytes(&body)).unwrap();
        assert_eq!((parsed.request, parsed.ignored), (answer, vec![]), "{body}");
    }
    let bad = [
        ("", json!({})),
        ("", json!({"cancelled": false})),
        (
            "cancelled",
            json!({"cancelled": true, "fields": [{"ref": "E1", "value": "a"}]}),
        ),
        ("cancelled", json!({"cancelled": "yes"})),
        ("fields", json!({"fields": {"E1": "a"}})),
        ("fields[0]", json!({"fields": ["a"]})),
        ("fields[0].ref", json!({"fields": [{"value": "a"}]})),
        (
            "fields[1].value",
            json!({"fields": [{"ref": "E1", "value": "a"}, {"ref": "E2", "value": true}]}),
        ),
        (
            "fields[0].vaule",
            json!({"fields": [{"ref": "E1", "vaule": "a"}]}),
        ),
        ("fields[0].text", json!({"fields": [{"ref": "E1", "text": "a"}]})),
        ("canceled", json!({"canceled": true})),
        ("canceled", json!({"fields": [], "canceled": true})),
    ];
    for (field, body) in bad {
        assert_eq!(refused(parse_answer, &body), field, "{body}");
    }
    assert_eq!(parse_answer(b"").unwrap_err().code, Code::InvalidRequest);
    let more = json!({"fields": [{"ref": "E1", "value": "a", "label": "Name"}], "trace": 7});
    let parsed = parse_answer(&bytes(&more)).unwrap();
    assert_eq!(parsed.request, FormAnswer::Fields(vec![value("E1", "a")]));
    assert_eq!(parsed.ignored, ["fields[0].label", "trace"]);
    assert_eq!(json!(Accepted::default()), json!({"status": "accepted"}));
}

#[test]
fn a_country_is_taken_and_what_stands_beside_it_is_told_or_refused() {
    let body = |target: Value| bytes(&json!({"url": "https://a.example/", "geo_target": target}));
    let parsed = |target: Value| parse::<MarkdownRequest>(&body(target));
    let read = parsed(json!({"country": "de", "city": "Berlin"})).unwrap();
    assert_eq!(read.request.geo_target.unwrap().country.as_deref(), Some("DE"));
    assert_eq!(read.ignored, ["geo_target.city"]);
    assert_eq!(
        parsed(json!({"countryCode": "DE"})).unwrap().ignored,
        ["geo_target.countryCode"]
    );
    assert_eq!(
        parsed(json!({})).unwrap().request.geo_target,
        Some(GeoTarget::default())
    );
    assert_eq!(
        parsed(json!({"contry": "DE"})).unwrap_err().text(),
        "geo_target.contry: is not known; did you mean country?"
    );
    let fetch =
        json!({"url": "https://a.example/", "fetch": {"geo_target": {"country": "DE", "city": "Berlin"}}});
    assert_eq!(refused(MarkdownRequest::parse, &fetch), "fetch.geo_target.city");
}
