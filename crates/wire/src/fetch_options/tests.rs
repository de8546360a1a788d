use serde_json::{Value, json};

use super::*;
use crate::strict;

fn read(fetch: &Value) -> Result<FetchOptions, RequestRefusal> {
    let body = json!({"fetch": fetch}).to_string();
    FetchOptions::take(&mut strict::object(body.as_bytes()).unwrap())
}

#[test]
fn options_are_read_as_they_are_written() {
    let full = json!({
        "engine": "chromium", "wait_for": {"selector": "#list"}, "timeout": 20,
        "viewport": {"width": 390, "height": 844}, "locale": "pt-BR", "timezone": "Europe/Oslo",
        "user_agent": "Mozilla/5.0 (X11)", "headers": {"https://shop.example": {"X-Key": "a b"}},
        "cookies": {"http://127.0.0.1:8080": {"session": "abc=="}}, "nocache": true, "robots": "obey",
        "geo_target": {"country": "NO"},
    });
    let options = read(&full).unwrap();
    assert_eq!(json!(options), full);
    assert_eq!(options.needs_browser(), Some("wait_for"));
    assert_eq!(read(&json!({})).unwrap(), FetchOptions::default());
    assert!(read(&Value::Null).unwrap().is_empty());
}

#[test]
fn a_wrong_option_is_named() {
    let cases = [
        ("fetch", json!([])),
        ("fetch.engin", json!({"engin": "http"})),
        ("fetch.engine", json!({"engine": "lynx"})),
        ("fetch.wait_for", json!({"wait_for": {}})),
        (
            "fetch.wait_for",
            json!({"wait_for": {"text": "a", "milliseconds": 5}}),
        ),
        ("fetch.wait_for.selektor", json!({"wait_for": {"selektor": "a"}})),
        ("fetch.wait_for.text", json!({"wait_for": {"text": " "}})),
        (
            "fetch.wait_for.network_idle",
            json!({"wait_for": {"network_idle": false}}),
        ),
        (
            "fetch.wait_for.milliseconds",
            json!({"wait_for": {"milliseconds": 120_001}}),
        ),
        ("fetch.timeout", json!({"timeout": 0})),
        ("fetch.viewport.height", json!({"viewport": {"width": 100}})),
        (
            "fetch.viewport.width",
            json!({"viewport": {"width": 9_000_000, "height": 100}}),
        ),
        ("fetch.locale", json!({"locale": "de\r\nX: y"})),
        ("fetch.timezone", json!({"timezone": "Mars/Olympus"})),
        ("fetch.user_agent", json!({"user_agent": "a\r\nX-Evil: 1"})),
        ("fetch.user_agent", json!({"user_agent": ""})),
        (
            "fetch.headers.shop.example",
            json!({"headers": {"shop.example": {"X": "1"}}}),
        ),
        (
            "fetch.headers.https://a.example/x",
            json!({"headers": {"https://a.example/x": {"X": "1"}}}),
        ),
        (
            "fetch.headers.https://a.example.X-A",
            json!({"headers": {"https://a.example": {"X-A": "1\r\nB: 2"}}}),
        ),
        (
            "fetch.headers.https://a.example.A: b",
            json!({"headers": {"https://a.example": {"A: b": "1"}}}),
        ),
        (
            "fetch.headers.https://a.example.Host",
            json!({"headers": {"https://a.example": {"Host": "b"}}}),
        ),
        (
            "fetch.headers.https://a.example.Metadata-Flavor",
            json!({"headers": {"https://a.example": {"Metadata-Flavor": "Google"}}}),
        ),
        (
            "fetch.headers.https://a.example.Cookie",
            json!({"headers": {"https://a.example": {"Cookie": "b=c"}}}),
        ),
        (
            "fetch.headers.https://a.example.x-a",
            json!({"headers": {"https://a.example": {"X-A": "1", "x-a": "2"}}}),
        ),
        (
            "fetch.cookies.https://a.example.s",
            json!({"cookies": {"https://a.example": {"s": "1; Domain=example"}}}),
        ),
        (
            "fetch.cookies.https://a.example.s",
            json!({"cookies": {"https://a.example": {"s": "1\n"}}}),
        ),
        ("fetch.nocache", json!({"nocache": "yes"})),
        ("fetch.robots", json!({"robots": "maybe"})),
        (
            "fetch.geo_target.country",
            json!({"geo_target": {"country": "Norway"}}),
        ),
    ];
    for (field, fetch) in cases {
        let refusal = read(&fetch).expect_err(&fetch.to_string());
        assert_eq!(refusal.field.as_deref(), Some(field), "{fetch}");
    }
}

#[test]
fn a_site_is_spelled_as_addresses_spell_it() {
    let options = read(&json!({"headers": {"HTTPS://Shop.Example:443": {"A": "1"}}})).unwrap();
    assert_eq!(
        options.headers.keys().collect::<Vec<_>>(),
        ["https://shop.example"]
    );
}
