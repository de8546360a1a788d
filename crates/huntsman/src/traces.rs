//! Traces in the OpenTelemetry protocol (OTLP): sent when the usual variables name a collector, else nothing at all.
//!
//! Only the spans and attributes of [`spans`] leave the process. They wait in a bounded queue for a thread of their own;
//! what finds no room, and what the collector does not take, is dropped and counted.

mod queue;
mod settings;
mod spans;
mod transport;

use std::sync::OnceLock;

use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{Protocol, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{FilterFn, LevelFilter};
use tracing_subscriber::registry::LookupSpan;

use crate::failure::Failure;
use queue::SpanQueue;

/// What is waited for at the end of the process.
static EXPORT: OnceLock<SpanQueue> = OnceLock::new();

/// The layer that exports spans; none where no collector is named.
///
/// # Errors
/// When a variable of the exporter has a value that it cannot have; the text names the variable.
pub(crate) fn layer<S>() -> Result<Option<impl Layer<S> + Send + Sync>, Failure>
where
    S: Subscriber + for<'span> LookupSpan<'span> + Send + Sync,
{
    let read = settings::read(|name| std::env::var(name).ok());
    if !read.map_err(Failure::usage)? {
        return Ok(None);
    }
    let refused =
        |error: &dyn std::fmt::Display| Failure::usage(format!("traces cannot be exported: {error}"));
    let mut exporter = opentelemetry_otlp::SpanExporter::builder()
        .with_http()
        .with_protocol(Protocol::HttpBinary)
        .with_http_client(transport::Collector::new().map_err(|error| refused(&error))?)
        .build()
        .map_err(|error| refused(&error))?;
    opentelemetry_sdk::trace::SpanExporter::set_resource(&mut exporter, &resource());
    let queue = SpanQueue::start(exporter).map_err(|error| refused(&error))?;
    // A second start in one process fails, and the first stays.
    let queue = EXPORT.get_or_init(|| queue);
    let provider = SdkTracerProvider::builder()
        .with_resource(resource())
        .with_span_processor(queue.clone())
        .build();
    let layer = tracing_opentelemetry::layer()
        .with_tracer(provider.tracer("huntsman"))
        .with_location(false)
        .with_threads(false)
        .with_tracked_inactivity(false)
        .with_level(false)
        .with_target(true);
    let exported = FilterFn::new(spans::is_exported).with_max_level_hint(LevelFilter::DEBUG);
    Ok(Some(layer.with_filter(exported)))
}

/// Sends what waits, for at most two seconds. To be called when the process is about to end.
pub(crate) fn finish() {
    if let Some(queue) = EXPORT.get() {
        queue.finish();
    }
}

/// What sends the spans: the service of the variables, or `huntsman`, and its version.
fn resource() -> Resource {
    let named = std::env::var("OTEL_SERVICE_NAME").is_ok_and(|name| !name.trim().is_empty())
        || std::env::var("OTEL_RESOURCE_ATTRIBUTES").is_ok_and(|list| list.contains("service.name="));
    let resource =
        Resource::builder().with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
    match named {
        true => resource.build(),
        false => resource.with_service_name("huntsman").build(),
    }
}
