//! Small pages of our own are read as the items beside them say.

use std::path::Path;

use extract::mode::ExtractionRequest;
use extract::modes::rule_based;
use page::Page;
use serde_json::Value;

/// Reads `tests/pages/NAME.html` and compares the item with `tests/pages/NAME.json`.
fn check(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages");
    let read = |ending: &str| std::fs::read_to_string(folder.join(format!("{name}.{ending}"))).unwrap();
    let url = format!("https://example.com/{name}").parse().unwrap();
    let request = ExtractionRequest {
        now: Some(jiff::civil::date(2026, 6, 1).at(12, 0, 0, 0)),
        ..ExtractionRequest::default()
    };
    let item = rule_based::read(&Page::new(read("html"), Some(url)), &request).unwrap();
    let item = serde_json::to_value(item).unwrap();
    let expected: Value = serde_json::from_str(&read("json")).unwrap();
    assert_eq!(item, expected, "{name}: read as\n{item:#}");
}

#[test]
fn a_page_is_read_as_its_item_says() {
    for name in ["product", "article", "list", "job", "forum"] {
        check(name);
    }
}
