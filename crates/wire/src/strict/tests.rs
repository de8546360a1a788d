use serde_json::json;

use super::*;

fn schema(value: &Value) -> Option<RequestRefusal> {
    let body = json!({"json_schema": value}).to_string();
    object(body.as_bytes()).unwrap().schema("json_schema").err()
}

#[test]
fn a_body_is_one_json_object_whose_keys_occur_once() {
    let cases: &[(&[u8], Option<&str>)] = &[
        (b"", None),
        (b"  \n", None),
        (b"[]", None),
        (b"\"x\"", None),
        (b"null", None),
        (b"{\"url\":\"https://ok.test/\"", None),
        (b"{} {}", None),
        (b"{\"a\":\"\xff\"}", Some("a")),
        (b"\xef\xbb\xbf{}", None),
        (b"{\"a\":NaN}", Some("a")),
        (b"{\"url\":1,\"url\":2}", Some("url")),
        (b"{\"a\":[{\"b\":1},{\"b\":1,\"b\":2}]}", Some("a[1].b")),
        (b"{\"a\":1,\"\\u0061\":2}", Some("a")),
        (b"{\"maxIterations\":1e999}", Some("maxIterations")),
    ];
    for (body, field) in cases {
        let refusal = object(body).map(|_| ()).unwrap_err();
        assert_eq!(refusal.code, Code::InvalidRequest);
        assert_eq!(
            refusal.field.as_deref(),
            *field,
            "{}: {refusal}",
            String::from_utf8_lossy(body)
        );
    }
}

#[test]
fn a_schema_whose_fields_stand_beside_properties_is_refused() {
    for (slip, key) in [
        (json!({"headline": "string", "director": "string"}), "headline"),
        (
            json!({"type": "object", "property": {"title": {"type": "string"}}}),
            "property",
        ),
    ] {
        let refusal = schema(&slip).unwrap();
        assert!(
            refusal.message.contains(key) && refusal.message.contains("`properties`"),
            "{refusal}"
        );
    }
    for plain in [
        json!({}),
        json!(true),
        json!({"type": "object", "default": {}, "x-made-by": {}}),
        json!({"type": "array", "items": {"type": "string"}}),
        json!({"$ref": "#/$defs/Film", "$defs": {"Film": {"type": "object"}}}),
        json!({"title": "Films", "type": "object", "properties": {"property": {"type": "string"}}}),
    ] {
        assert_eq!(schema(&plain), None, "{plain}");
    }
}

#[test]
fn a_deep_or_huge_body_is_refused_and_not_followed() {
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(object(deep.as_bytes()).unwrap_err().code, Code::InvalidRequest);
    let nested = |levels: usize| format!("{{\"a\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
    assert!(object(nested(MAX_DEPTH - 1).as_bytes()).is_ok());
    let refusal = object(nested(MAX_DEPTH).as_bytes()).unwrap_err();
    assert_eq!(refusal.field.as_deref(), Some("a[0][0][0][0][0][0][0]"));
    assert!(refusal.message.contains("deeper than 100 levels"), "{refusal}");
    assert_eq!(
        object(&vec![b' '; MAX_BYTES + 1]).unwrap_err().code,
        Code::BodyTooLarge
    );
}

#[test]
fn a_refusal_says_where_json_stops_being_json_and_repeats_nothing_of_it() {
    let refusal = object(b"{\n  \"task\": \"secret\",\n  oops\n}").unwrap_err();
    assert!(refusal.message.contains("line 3"), "{refusal}");
    assert!(!refusal.text().contains("secret"));
}

#[test]
fn only_absolute_web_addresses_are_addresses() {
    for good in [
        "https://a.example/",
        "http://a.example:8080/x?y#z",
        " https://a.example ",
        "https://bücher.example/",
    ] {
        assert_eq!(fields::check_address("url", good), Ok(()), "{good}");
    }
    let blocked = [
        "ftp://a.example/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:6379/_INFO",
        "view-source:http://a.example/",
        "javascript:alert(1)",
        "https://ada:canary@a.example/",
        "https://ada@a.example/",
        "data:,x",
    ];
    let wrong = [
        "",
        "  ",
        "a.example",
        "/x",
        "http://",
        "http://a.example%00.b/",
        "http://[fe80::1%25eth0]/",
        "http://a\u{0}b/",
    ];
    for (code, texts) in [(Code::UrlBlocked, blocked), (Code::InvalidRequest, wrong)] {
        for text in texts {
            let refusal = fields::check_address("url", text).unwrap_err();
            assert_eq!(
                (refusal.code, refusal.field.as_deref()),
                (code, Some("url")),
                "{text}"
            );
            assert!(!refusal.text().contains("canary"), "{refusal}");
        }
    }
}

#[test]
fn a_schema_is_checked_where_schemas_stand_and_nowhere_else() {
    let good = [
        json!({"type": "object", "properties": {"type": {"type": "string"}, "$ref": {"type": ["string", "null"]}}}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"enum": ["objekt", {"type": "objekt"}]}}}),
        json!({"type": "array", "items": {"const": {"$ref": "https://x/"}}}),
        json!(true),
        json!({}),
    ];
    for good in good {
        assert_eq!(schema(&good), None, "{good}");
    }
    let bad = [
        json!("object"),
        json!([]),
        json!(5),
        json!({"type": "objekt"}),
        json!({"type": []}),
        json!({"properties": []}),
        json!({"properties": {"a": 5}}),
        json!({"anyOf": {}}),
        json!({"items": [{"type": "strin"}]}),
        json!({"required": "a"}),
        json!({"properties": {"a": {"type": "string", "required": true}}}),
        json!({"$ref": "http://127.0.0.1/s.json"}),
        json!({"allOf": [{"properties": {"a": {"$ref": "file:///etc/passwd"}}}]}),
    ];
    for bad in bad {
        assert_eq!(
            schema(&bad).and_then(|it| it.field).as_deref(),
            Some("json_schema"),
            "{bad}"
        );
    }
    let wide = json!({"anyOf": vec![json!({}); 6_000]});
    assert!(schema(&wide).is_some());
}

proptest::proptest! {
    /// No bytes at all make the reader panic, and what it accepts is what `serde_json` reads.
    #[test]
    fn any_bytes_are_read_or_refused(body in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..64)) {
        if let Ok(value) = value(&body) {
            proptest::prop_assert_eq!(value, serde_json::from_slice::<Value>(&body).unwrap());
        }
    }
}
