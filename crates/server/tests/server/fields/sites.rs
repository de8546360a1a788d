//! The requests about whole sites, and what shows that their fields matter.

use serde_json::{Value, json};

use super::{Case, Kind, Test, To, With, shape, steady};

/// The fields about which addresses are taken.
fn choice_cases() -> Vec<(&'static str, Case)> {
    vec![
        ("limit", To(json!(1))),
        ("include", To(json!(["/a"]))),
        ("exclude", To(json!(["/a"]))),
        (
            "subdomains",
            Test(
                "crates/agents/src/site/scope.rs",
                "a_site_is_its_host_and_with_subdomains_its_domain",
            ),
        ),
    ]
}

/// The fields about how pages are read.
fn reading_cases() -> Vec<(&'static str, Case)> {
    vec![
        ("instructions", To(json!("top 2 links"))),
        ("output_format", To(json!("markdown"))),
        ("mode", To(json!("llm-fixed"))),
        ("schema", To(shape())),
        (
            "columns",
            With(json!(["name"]), json!({"instructions": "all rows"})),
        ),
        ("formats", To(json!(["links", "tables"]))),
    ]
}

pub(super) fn map_kind() -> Kind {
    Kind {
        schema: "map-request",
        path: "/v1/map",
        base: |site| json!({"url": format!("{site}/page")}),
        cases: |site| {
            let mut cases = choice_cases();
            cases.push(("url", To(json!(format!("{site}/other")))));
            cases.push(("depth", To(json!(1))));
            cases.push(("search", To(json!("about"))));
            cases
        },
    }
}

pub(super) fn crawl_kind() -> Kind {
    Kind {
        schema: "crawl-request",
        path: "/v1/crawl",
        base: |site| json!({"url": format!("{site}/page")}),
        cases: |site| {
            let mut cases = choice_cases();
            cases.extend(reading_cases());
            cases.extend([
                ("url", To(json!(format!("{site}/other")))),
                ("depth", To(json!(0))),
                ("sitemap", To(json!(false))),
                ("delay_ms", With(json!(60_000), json!({"max_seconds": 2}))),
                ("max_seconds", With(json!(1), json!({"delay_ms": 1_500}))),
                (
                    "max_megabytes",
                    With(json!(1), json!({"url": format!("{site}/large")})),
                ),
                (
                    "fetch.timeout",
                    With(json!(1), json!({"url": format!("{site}/slow")})),
                ),
                ("fetch.robots", To(json!("ignore"))),
            ]);
            cases
        },
    }
}

pub(super) fn batch_kind() -> Kind {
    Kind {
        schema: "batch-request",
        path: "/v1/batch",
        base: |site| json!({"urls": [format!("{site}/kept")]}),
        cases: |site| {
            let mut cases = reading_cases();
            cases.push(("urls", To(json!([format!("{site}/other")]))));
            cases.push((
                "retries",
                With(json!(0), json!({"urls": [format!("{site}/stubborn")]})),
            ));
            cases
        },
    }
}

/// The results of the pages of a crawl or a batch, in the order of their addresses: pages are read at the same time.
pub(super) fn results(stream: &str) -> String {
    let events = stream.lines().filter_map(|line| line.strip_prefix("data: "));
    let mut results: Vec<String> = events
        .filter_map(|data| serde_json::from_str::<Value>(data).ok())
        .filter(|event| event["data"]["action"] == "complete")
        .map(|mut event| {
            let mut result = event["data"]["extracted_data"]["result"].take();
            steady(&mut result);
            format!("{}: {result}\n", result["url"])
        })
        .collect();
    results.sort_unstable();
    results.concat()
}
