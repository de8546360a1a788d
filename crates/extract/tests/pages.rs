//! Small pages of our own are read as the items beside them say.

use std::path::Path;

use extract::mode::ExtractionRequest;
use extract::modes::rule_based;
use page::Page;
use serde_json::Value;

/// Each `tests/pages/NAME.html` has its item beside it, in `tests/pages/NAME.json`; `BLESS=1` writes the items anew.
#[test]
fn a_page_is_read_as_its_item_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages");
    let request = ExtractionRequest {
        now: Some(jiff::civil::date(2026, 6, 1).at(12, 0, 0, 0)),
        ..ExtractionRequest::default()
    };
    for name in ["product", "article", "list", "job", "forum"] {
        let html = std::fs::read_to_string(folder.join(name).with_extension("html")).unwrap();
        let expected = std::fs::read_to_string(folder.join(name).with_extension("json")).unwrap();
        let url = format!("https://example.com/{name}").parse().ok();
        let item = rule_based::read(&Page::new(html, url), &request).unwrap();
        let item = serde_json::to_value(item).unwrap();
        if std::env::var_os("BLESS").is_some() {
            let written = serde_json::to_string_pretty(&item).unwrap();
            std::fs::write(folder.join(name).with_extension("json"), written + "\n").unwrap();
            continue;
        }
        let expected: Value = serde_json::from_str(&expected).unwrap();
        assert_eq!(item, expected, "{name}: read as\n{item:#}");
    }
}
