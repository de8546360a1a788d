use wire::automate::AutomateEvent;
use wire::research::ResearchEvent;
use wire::scrape::ScrapeEvent;
use wire::{Audience, Event, Stamped};

use super::*;

fn rows<E: Event>() -> Vec<TimelineRow> {
    let at = "2026-11-23T04:26:04Z".parse().unwrap();
    let readable = E::samples()
        .into_iter()
        .filter(|it| it.audience() != Audience::Internal);
    let entries = (1..).zip(readable).map(|(seq, event)| {
        Stamped {
            seq,
            at,
            iteration: Some("i1".into()),
            event,
        }
        .entry()
    });
    entries.map(|entry| row_of(E::FAMILY, &entry)).collect()
}

#[test]
fn every_event_of_every_family_is_known_and_has_a_head() {
    let all = [
        rows::<ScrapeEvent>(),
        rows::<AutomateEvent>(),
        rows::<ResearchEvent>(),
    ]
    .concat();
    assert!(all.len() > 60, "{}", all.len());
    for row in all {
        assert!(!row.unknown && !row.head.is_empty(), "{row:?}");
    }
}

fn entry(name: &str, data: Value) -> LogEntry {
    LogEntry {
        seq: 7,
        at: "2026-11-23T04:26:04Z".parse().unwrap(),
        name: name.into(),
        audience: Audience::Public,
        terminal: false,
        data: data.to_string(),
    }
}

#[test]
fn an_event_of_another_version_is_shown_as_it_is() {
    for family in [Family::Scrape, Family::Automate, Family::Research] {
        let row = row_of(
            family,
            &entry("later:thing", serde_json::json!({"odd": ["<b>", 1]})),
        );
        assert!(
            row.unknown && row.head == "later:thing" && row.text.contains("<b>"),
            "{row:?}"
        );
    }
}

#[test]
fn both_forms_of_a_call_give_its_tool_its_error_and_its_result() {
    let step = |status: &str, details: Value| {
        let data = serde_json::json!({"action": "tool_call", "status": status, "message": "Tool x: lies", "call_id": "c1",
            "extracted_data": details});
        row_of(
            Family::Scrape,
            &entry("step", serde_json::json!({"type": "step", "data": data})),
        )
    };
    let mut row = step(
        "running",
        serde_json::json!({"tool_name": "html.select", "parameters": {"selector": "a"}}),
    );
    assert_eq!(
        (row.head.as_str(), row.text.as_str(), row.open),
        ("html.select", "selector a", true)
    );
    assert_eq!(row.group, "tool_call", "rows are grouped by their action");
    let failed =
        serde_json::json!({"tool": "html.select", "success": false, "error": "no match", "duration_ms": 3.0});
    let end = step("completed", failed);
    assert_eq!(end.key, row.key);
    row.continue_with(end);
    assert_eq!(
        (row.state, row.error.as_str(), row.took_ms),
        (RowState::Failed, "no match", Some(3))
    );
    assert_eq!(row.text, "selector a");
}

#[test]
fn only_addresses_of_pages_become_links() {
    let row = |url: &str| {
        let start = serde_json::json!({"type": "url_start", "url": url, "index": 0, "total": 1});
        row_of(Family::Scrape, &entry("url_start", start)).link
    };
    assert_eq!(row("javascript:alert(1)"), None);
    assert_eq!(row("https://a.example/"), Some("https://a.example/".into()));
}
