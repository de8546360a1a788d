//! The spans that are exported: which, under which name, and with which attributes. What is not in the table stays here.

use opentelemetry::trace::{SpanKind, Status};
use opentelemetry::{Key, KeyValue, Value};
use opentelemetry_sdk::trace::SpanData;
use tracing::Metadata;

/// A span of one of our crates, as a collector gets it.
struct ExportedSpan {
    /// The crate that makes it.
    origin: &'static str,
    /// Its name in the crate.
    name: &'static str,
    /// Its name for the collector; a field in braces is filled in.
    title: &'static str,
    kind: SpanKind,
    /// Its fields, each with the key of the attribute.
    attributes: &'static [(&'static str, &'static str)],
}

const METHOD: (&str, &str) = ("method", "http.request.method");
const HTTP_STATUS: (&str, &str) = ("status", "http.response.status_code");
const HOST: (&str, &str) = ("host", "server.address");
const RUN: (&str, &str) = ("run", "huntsman.run.id");
const MODEL: (&str, &str) = ("model", "gen_ai.request.model");
const ROLE: (&str, &str) = ("role", "huntsman.model.role");
const ENGINE: (&str, &str) = ("engine", "huntsman.browser.engine");
const TOOL: (&str, &str) = ("tool", "gen_ai.tool.name");
const INPUT: (&str, &str) = ("input_tokens", "gen_ai.usage.input_tokens");
const OUTPUT: (&str, &str) = ("output_tokens", "gen_ai.usage.output_tokens");
const ERROR: (&str, &str) = ("error", "error.type");

/// The table. None of its fields holds text of a page, of a request or of a person, a path or a query.
const SPANS: &[ExportedSpan] = &[
    ExportedSpan {
        origin: "server",
        name: "http_request",
        title: "{method} {route}",
        kind: SpanKind::Server,
        attributes: &[METHOD, ("route", "http.route"), HTTP_STATUS, RUN, ERROR],
    },
    ExportedSpan {
        origin: "runtime",
        name: "run",
        title: "run {kind}",
        kind: SpanKind::Internal,
        attributes: &[
            RUN,
            ("kind", "huntsman.run.kind"),
            ("family", "huntsman.run.family"),
            ("attempt", "huntsman.run.attempt"),
            ("status", "huntsman.run.status"),
            INPUT,
            OUTPUT,
            ("micro_dollars", "huntsman.run.micro_dollars"),
            ERROR,
        ],
    },
    ExportedSpan {
        origin: "agents",
        name: "phase",
        title: "{phase}",
        kind: SpanKind::Internal,
        attributes: &[
            ("phase", "huntsman.phase"),
            ("turn", "huntsman.turn"),
            ("index", "huntsman.page.index"),
        ],
    },
    ExportedSpan {
        origin: "agents",
        name: "action",
        title: "execute_tool {tool}",
        kind: SpanKind::Internal,
        attributes: &[TOOL, ERROR],
    },
    ExportedSpan {
        origin: "tools",
        name: "tool",
        title: "execute_tool {tool}",
        kind: SpanKind::Internal,
        attributes: &[TOOL, ERROR],
    },
    ExportedSpan {
        origin: "llm",
        name: "model_call",
        title: "chat {model}",
        kind: SpanKind::Client,
        attributes: &[MODEL, ROLE, INPUT, OUTPUT, ERROR],
    },
    ExportedSpan {
        origin: "llm",
        name: "embedding",
        title: "embeddings {model}",
        kind: SpanKind::Client,
        attributes: &[MODEL, ROLE, ERROR],
    },
    ExportedSpan {
        origin: "search",
        name: "search",
        title: "search {provider}",
        kind: SpanKind::Client,
        attributes: &[
            ("provider", "huntsman.search.provider"),
            ("hits", "huntsman.search.hits"),
            ERROR,
        ],
    },
    ExportedSpan {
        origin: "net",
        name: "fetch",
        title: "{method}",
        kind: SpanKind::Client,
        attributes: &[
            METHOD,
            HOST,
            HTTP_STATUS,
            ("bytes", "http.response.body.size"),
            ERROR,
        ],
    },
    ExportedSpan {
        origin: "browser",
        name: "navigation",
        title: "navigation",
        kind: SpanKind::Client,
        attributes: &[ENGINE, HOST, HTTP_STATUS, ERROR],
    },
    ExportedSpan {
        origin: "browser",
        name: "action",
        title: "browser {kind}",
        kind: SpanKind::Internal,
        attributes: &[ENGINE, ("kind", "huntsman.browser.action"), ERROR],
    },
    ExportedSpan {
        origin: "browser",
        name: "snapshot",
        title: "snapshot",
        kind: SpanKind::Internal,
        attributes: &[ENGINE, ("elements", "huntsman.browser.elements"), ERROR],
    },
];

fn row(target: &str, name: &str) -> Option<&'static ExportedSpan> {
    let origin = target.split("::").next()?;
    SPANS
        .iter()
        .find(|span| span.name == name && span.origin == origin)
}

/// Whether a collector gets such spans. Events never leave.
pub(super) fn is_exported(metadata: &Metadata<'_>) -> bool {
    metadata.is_span() && row(metadata.target(), metadata.name()).is_some()
}

/// A finished span as the collector gets it; none for a span that is not in the table.
pub(super) fn exported(mut span: SpanData) -> Option<SpanData> {
    let fields = std::mem::take(&mut span.attributes);
    let field = |name: &str| fields.iter().find(|field| field.key.as_str() == name);
    let target = field("target")?.value.as_str().into_owned();
    let row = row(&target, &span.name)?;
    let attribute = |(name, key): &(&'static str, &'static str)| {
        let value = field(name)?.value.clone();
        Some(KeyValue::new(Key::from_static_str(key), value))
    };
    span.attributes = row.attributes.iter().filter_map(attribute).collect();
    span.name = title(row.title, |name| field(name).map(|field| field.value.clone())).into();
    span.span_kind = row.kind.clone();
    span.status = match field("error") {
        Some(error) => Status::error(error.value.as_str().into_owned()),
        None => Status::Unset,
    };
    span.events = opentelemetry_sdk::trace::SpanEvents::default();
    span.links = opentelemetry_sdk::trace::SpanLinks::default();
    Some(span)
}

/// Fills the fields of a title in; one that the span does not have is left out.
fn title(template: &str, field: impl Fn(&str) -> Option<Value>) -> String {
    let mut parts = template.split('{');
    let mut title = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}').unwrap_or((part, ""));
        if let Some(value) = field(name) {
            title.push_str(&value.as_str());
        }
        title.push_str(rest);
    }
    title.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_title_names_fields_of_its_span_alone() {
        for span in SPANS {
            let names: Vec<&str> = span.attributes.iter().map(|(name, _)| *name).collect();
            let asked = title(span.title, |name| {
                assert!(names.contains(&name), "{}: {name}", span.title);
                Some(Value::from("x"))
            });
            assert!(!asked.contains(['{', '}']), "{asked}");
        }
        let places: HashSet<_> = SPANS.iter().map(|span| (span.origin, span.name)).collect();
        assert_eq!(places.len(), SPANS.len());
    }
}
