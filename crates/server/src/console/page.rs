//! Rendering of pages: templates that escape every value, and the texts that they show.

use std::sync::LazyLock;

use axum::response::Response;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, StatusCode};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value, context};

use super::assets;
use super::visitor::Visitor;
use crate::response::ApiError;

/// The English texts of the console. A translation is another file of the same keys.
const TEXTS: &str = include_str!("texts.json");

macro_rules! templates {
    ($($name:literal),+ $(,)?) => {
        const TEMPLATES: &[(&str, &str)] = &[$(($name, include_str!(concat!("templates/", $name)))),+];
    };
}

templates! {
    "base.html", "parts.html", "error.html", "login.html", "runs.html", "run.html", "replay.html", "new.html", "tools.html",
    "tool.html", "plans.html", "usage.html", "usage_parts.html", "tenants.html", "tenant.html", "profiles.html", "monitors.html",
    "monitor.html", "crawls.html", "crawl.html", "audit.html",
}

static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    if let Ok(syntax) = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .build()
    {
        environment.set_syntax(syntax);
    }
    for (name, source) in TEMPLATES {
        // A template that cannot be read fails the tests, which render every one.
        if let Err(error) = environment.add_template(name, source) {
            tracing::error!(name, %error, "a template of the console cannot be read");
        }
    }
    let texts: serde_json::Value = serde_json::from_str(TEXTS).unwrap_or_default();
    environment.add_global("t", value(texts));
    environment.add_global("assets", value(assets::paths()));
    environment.add_global("version", env!("CARGO_PKG_VERSION"));
    environment.add_filter("duration", duration);
    environment.add_filter("grouped", grouped);
    environment.add_filter("dollars", dollars);
    environment
});

/// Milliseconds as people say them; the script of the pages says them in the same way.
fn duration(millis: i64) -> String {
    let seconds = millis / 1000;
    match millis {
        ..1000 => format!("{millis} ms"),
        1000..60_000 => format!("{seconds}.{} s", millis % 1000 / 100),
        60_000..3_600_000 => format!("{} min {} s", seconds / 60, seconds % 60),
        3_600_000..86_400_000 => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds / 3600 % 24),
    }
}

/// A number with its digits in groups of three.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// Millionths of a dollar as people say them: to the cent, and to the hundredth of a cent below a dollar.
pub(super) fn dollars(micro: u64) -> String {
    let cents = micro.saturating_add(5_000) / 10_000;
    match micro {
        0 => "$0".to_owned(),
        1..100 => "< $0.0001".to_owned(),
        100..999_950 => format!("$0.{:04}", (micro + 50) / 100),
        _ => format!("${}.{:02}", grouped(cents / 100), cents % 100),
    }
}

/// A page. `with` is what its template shows.
pub(super) fn render(visitor: &Visitor, status: StatusCode, template: &str, with: Value) -> Response {
    let rendered = ENVIRONMENT
        .get_template(template)
        .and_then(|it| it.render(context! { visitor => value(visitor), ..with }));
    let (status, html) = rendered.map(|html| (status, html)).unwrap_or_else(|error| {
        tracing::error!(template, error = format!("{error:#}"), "a page of the console cannot be shown");
        let text = "<!doctype html><title>Huntsman</title><p>This page cannot be shown; the log of the server says why.";
        (StatusCode::INTERNAL_SERVER_ERROR, text.to_owned())
    });
    let mut response = Response::new(html.into());
    *response.status_mut() = status;
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

/// The page of a request that is not done.
pub(super) fn refusal(visitor: &Visitor, error: ApiError) -> Response {
    let (code, text) = error.parts();
    let status = StatusCode::from_u16(code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    render(
        visitor,
        status,
        "error.html",
        context! { code => code.as_str(), text, status => code.status() },
    )
}

/// The same before it is known who asks.
pub(super) fn refusal_without_visitor(error: ApiError) -> Response {
    refusal(&Visitor::default(), error)
}

/// A time for the macro `time` of the templates: milliseconds since the epoch, and a text for pages without scripts.
pub(super) fn time(at: jiff::Timestamp) -> Value {
    context! { ms => at.as_millisecond(), text => at.strftime("%d %b %Y %H:%M:%S UTC").to_string() }
}

/// A value for a template.
pub(super) fn value(value: impl serde::Serialize) -> Value {
    Value::from(Serde(value))
}

/// One text, by its section and name; its name where there is none.
pub(super) fn text(section: &str, name: &str) -> String {
    static ALL: LazyLock<serde_json::Value> =
        LazyLock::new(|| serde_json::from_str(TEXTS).unwrap_or_default());
    ALL[section][name].as_str().unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_numbers_are_said_as_people_say_them() {
        let times = [0, 999, 1250, 61_000, 3_660_000].map(duration);
        assert_eq!(times, ["0 ms", "999 ms", "1.2 s", "1 min 1 s", "1 h 1 min"]);
        assert_eq!(
            [7, 1234, 1_234_567].map(grouped),
            ["7", "1\u{202f}234", "1\u{202f}234\u{202f}567"]
        );
        let amounts = [0, 7, 9_760, 999_960, 1_239_999, 1_234_567_890].map(dollars);
        assert_eq!(
            amounts,
            ["$0", "< $0.0001", "$0.0098", "$1.00", "$1.24", "$1\u{202f}234.57"]
        );
    }

    #[test]
    fn every_template_is_read_and_none_shows_a_value_unescaped() {
        for (name, source) in TEMPLATES {
            assert!(ENVIRONMENT.get_template(name).is_ok(), "{name}");
            let unsafe_words = ["|safe", "| safe", "autoescape", "style=", "onclick", "<script>"];
            assert!(!unsafe_words.iter().any(|word| source.contains(word)), "{name}");
        }
    }
}
