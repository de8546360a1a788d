use proptest::prelude::*;
use serde_json::json;

use super::*;

#[test]
fn values_are_found_by_their_place_and_hidden_everywhere() {
    let plan = json!({"plan": {"steps": [{"tool": "http.get", "parameters": {
        "url": "https://a.example/?page=2&access_token=t0p%2Bsecret#x",
        "headers": {"X-Api-Key": "k-123456", "Accept": "text/html", "x-pin": "77"}
    }}]}});
    let secrets = RequestSecrets::of(&plan);
    let text = "t0p%2Bsecret t0p+secret k-123456 text/html 77 page=2".to_owned();
    let masked = secrets.mask(text.clone());
    assert_eq!(
        masked,
        "[access_token] [access_token 2] [X-Api-Key] text/html 77 page=2"
    );
    assert_eq!(secrets.unmask(masked), text);
    assert!(!format!("{secrets:?}").contains("secret"));
    let cut = secrets.mask("k-12345… k-12345 k-1234…".into());
    assert_eq!(cut, "[X-Api-Key]… k-12345 [X-Api-Key]…");
    let spec = json!({"kind": "plan", "request": plan, "owner": "a"}).to_string();
    let shown: Value = serde_json::from_str(&shown_spec(&spec).unwrap()).unwrap();
    let step = &shown["request"]["plan"]["steps"][0]["parameters"];
    assert_eq!(
        step["url"],
        "https://a.example/?page=2&access_token=[access_token]#x"
    );
    assert_eq!(
        step["headers"],
        json!({"X-Api-Key": "[X-Api-Key]", "Accept": "text/html", "x-pin": "[x-pin]"})
    );
    assert_eq!(shown["owner"], "a");
}

#[test]
fn data_of_a_task_is_shown_by_its_keys_and_a_request_without_secrets_whole() {
    let spec = json!({"kind": "automate", "request": {"task": "sign in", "data": {"pin": 1234, "who": {"name": "Ada"}}}});
    let shown: Value = serde_json::from_str(&shown_spec(&spec.to_string()).unwrap()).unwrap();
    assert_eq!(
        shown["request"],
        json!({"task": "sign in", "data": {"pin": "{{pin}}", "who": "{{who}}"}})
    );
    let plain = json!({"kind": "scrape", "request": {"assets": ["https://a.example/?page=2"], "data": 1}});
    assert_eq!(shown_spec(&plain.to_string()), None);
    assert_eq!(shown_spec("no JSON"), None);
}

#[test]
fn a_short_secret_is_one_where_its_name_has_no_other_meaning() {
    let holds = |url: &str| RequestSecrets::are_in(&json!({"url": url}));
    assert!(holds("https://a.example/?access_token=abc"));
    assert!(holds("https://a.example/?key=abcdefgh1"));
    assert!(holds("https://me:pw@a.example/"));
    assert!(!holds("https://a.example/?key=5&page=2"));
    assert!(!holds("https://a.example/?access_token="));
    assert!(RequestSecrets::are_in(&json!({"headers": {"X-Api-Key": "abc"}})));
}

#[test]
fn hundreds_of_values_are_hidden_each_behind_a_mark_of_its_own() {
    let value = |at: usize| format!("value-number-{at:04}");
    let mut secrets = RequestSecrets::of(&json!({"headers": {"X-Api-Key": "X-Api-Key of mine"}}));
    secrets.hide((0..2000).map(|at| ("session".to_owned(), value(at))));
    assert_eq!(secrets.left_out(), 0);
    let text = format!("{} {} X-Api-Key of mine", value(0), value(1999));
    let masked = secrets.mask(text.clone());
    assert_eq!(masked, "[session] [session 2000] [X-Api-Key]");
    assert_eq!(secrets.mask(masked.clone()), masked);
    assert_eq!(secrets.unmask(masked), text);
    let half = RequestSecrets::MAX_BYTES / 2;
    secrets.hide((0..3).map(|at| ("long".to_owned(), format!("{at}{}", "x".repeat(half)))));
    assert_eq!(secrets.left_out(), 2);
}

#[test]
fn a_password_in_an_address_is_hidden() {
    let request =
        json!({"assets": ["http://somebody:p4ss:w0rd@a.example:80/x?y=a@b", "https://a.example/@user"]});
    let text = "http://somebody:p4ss:w0rd@a.example:80/x?y=a@b https://a.example/@user".to_owned();
    let masked = RequestSecrets::of(&request).mask(text);
    assert_eq!(
        masked,
        "http://[user]:[password]@a.example:80/x?y=a@b https://a.example/@user"
    );
}

#[test]
fn a_value_of_any_signs_leaves_json_as_json_and_the_names_of_fields_as_they_are() {
    let headers =
        json!({"X-Key": "ab\"cd\\123", "If-None-Match": "\"abc123\"", "X-Mode": "status", "X-Pin": "123456"});
    let secrets = RequestSecrets::of(&json!({"fetch": {"headers": headers}}));
    let event = json!({
        "text": "ab\"cd\\123 and abc123 and ab&quot;cd\\123",
        "inner": {"json": json!({"key": "ab\"cd\\123"}).to_string()},
        "status": "the status",
        "pin": 123456,
        "of 123456": 1234567,
        "seq": 7,
    });
    let masked = secrets.mask_json(event.to_string());
    assert_eq!(
        serde_json::from_str::<Value>(&masked).unwrap(),
        json!({
            "text": "[X-Key] and [If-None-Match 2] and [X-Key 3]",
            "inner": {"json": "{\"key\":\"[X-Key 2]\"}"},
            "status": "the [X-Mode]",
            "pin": "[X-Pin]",
            "of [X-Pin]": 1234567,
            "seq": 7,
        })
    );
    let mut back = event;
    back["pin"] = json!("123456");
    assert_eq!(secrets.unmask_json(masked), back.to_string());
    assert_eq!(
        secrets.mask_json("no JSON: abc123".into()),
        "no JSON: [If-None-Match 2]"
    );
}

#[test]
fn a_schema_names_fields_and_neither_headers_nor_cookies() {
    let schema = json!({"type": "object", "properties": {
        "cookies": {"type": "string", "description": "baked today"},
        "headers": {"type": "object", "title": "result", "format": "status"}
    }});
    for key in ["schema", "json_schema"] {
        let request = json!({"assets": ["https://a.example/"], key: schema});
        assert!(!RequestSecrets::are_in(&request));
        assert_eq!(
            shown_spec(&json!({"kind": "scrape", "request": request}).to_string()),
            None
        );
        let with_key = json!({key: schema, "fetch": {"cookies": {"a": "secret-1"}}});
        let spec = json!({"kind": "scrape", "request": with_key}).to_string();
        let shown: Value = serde_json::from_str(&shown_spec(&spec).unwrap()).unwrap();
        assert_eq!(
            shown["request"],
            json!({key: schema, "fetch": {"cookies": {"a": "[a]"}}})
        );
    }
}

proptest! {
    /// Whatever a header and a page say, what is kept is JSON with the same names, shows no header, and can be read back.
    #[test]
    fn an_event_is_kept_as_json_without_the_values_of_headers(
        value in "[ -~é]{6,20}",
        before in "[ -~é]{0,10}",
    ) {
        prop_assume!(!"[X-Key 2]".contains(value.trim_matches('"')));
        let secrets = RequestSecrets::of(&json!({"headers": {"X-Key": value}}));
        let event = json!({"text": format!("{before}|{value}|"), "list": [value, 1, null]});
        let masked = secrets.mask_json(event.to_string());
        let read: Value = serde_json::from_str(&masked).unwrap();
        prop_assert_eq!(read["list"].clone(), json!(["[X-Key]", 1, null]));
        prop_assert!(!read["text"].as_str().unwrap().contains(&value));
        prop_assert_eq!(secrets.unmask_json(masked), event.to_string());
    }
}
