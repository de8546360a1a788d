//! Trace contexts: the trace that the current work belongs to, as a `traceparent` header (W3C Trace Context, level 1), and
//! spans that continue the trace of such a header.
//!
//! Without an exporter of traces no span belongs to one: nothing is given, and what is continued has no effect.

use opentelemetry::Context;
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt as _, TraceFlags, TraceId, TraceState};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

/// Characters of a `traceparent` of version 00.
const LENGTH: usize = 55;

/// The `traceparent` of the current span; none outside a trace.
pub fn current() -> Option<String> {
    let context = Span::current().context();
    let span = context.span();
    let span = span.span_context();
    let flags = span.trace_flags() & TraceFlags::SAMPLED;
    span.is_valid().then(|| {
        let (trace, parent) = (span.trace_id(), span.span_id());
        format!("00-{trace}-{parent}-{:02x}", flags.to_u8())
    })
}

/// The id of the trace that the current span belongs to: what a run names that was asked for outside a trace.
pub fn current_trace() -> Option<String> {
    trace_id(&current()?)
}

/// Reads a `traceparent` header: version 00 as it stands, of a later version the part that version 00 has. None where
/// the header is not a valid one.
pub fn parse(header: &str) -> Option<String> {
    let header = header.trim();
    let is_later = header.get(..2).is_some_and(|version| version != "00");
    let known = match header.get(..LENGTH) {
        Some(known) if header.len() == LENGTH || (is_later && header[LENGTH..].starts_with('-')) => known,
        _ => return None,
    };
    let mut parts = known.split('-');
    let (version, trace, parent, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let valid = is_hex(version, 2)
        && version != "ff"
        && is_hex(trace, 32)
        && is_hex(parent, 16)
        && is_hex(flags, 2)
        && [trace, parent]
            .iter()
            .all(|id| id.bytes().any(|digit| digit != b'0'));
    valid.then(|| format!("00-{trace}-{parent}-{flags}"))
}

/// The trace id of a `traceparent` that [`current`] or [`parse`] gave: 32 hexadecimal digits.
pub fn trace_id(parent: &str) -> Option<String> {
    parent.split('-').nth(1).map(str::to_owned)
}

/// Makes a span that nothing was done in yet a part of the trace of a `traceparent`.
pub fn join(span: &Span, parent: &str) {
    if let Some(parent) = context_of(parent) {
        // A span that is not exported has no parent, and needs none.
        let _ = span.set_parent(Context::new().with_remote_span_context(parent));
    }
}

fn context_of(parent: &str) -> Option<SpanContext> {
    let mut parts = parent.split('-').skip(1);
    let trace = TraceId::from_hex(parts.next()?).ok()?;
    let span = SpanId::from_hex(parts.next()?).ok()?;
    let flags = u8::from_str_radix(parts.next()?, 16).ok()?;
    let flags = TraceFlags::new(flags) & TraceFlags::SAMPLED;
    Some(SpanContext::new(trace, span, flags, true, TraceState::default()))
}

fn is_hex(text: &str, length: usize) -> bool {
    text.len() == length
        && text
            .bytes()
            .all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    #[test]
    fn only_a_whole_header_names_a_trace() {
        let whole = format!("00-{TRACE}-00f067aa0ba902b7-01");
        assert_eq!(parse(&whole).as_deref(), Some(whole.as_str()));
        assert_eq!(
            parse(&format!("cc-{TRACE}-00f067aa0ba902b7-01-more")).as_deref(),
            Some(whole.as_str())
        );
        assert_eq!(trace_id(&whole).as_deref(), Some(TRACE));
        for wrong in [
            "",
            TRACE,
            &format!("00-{TRACE}-00f067aa0ba902b7"),
            &format!("00-{TRACE}-00f067aa0ba902b7-01-more"),
            &format!("cc-{TRACE}-00f067aa0ba902b7-01more"),
            &format!("ff-{TRACE}-00f067aa0ba902b7-01"),
            &format!("00-{}-00f067aa0ba902b7-01", "0".repeat(32)),
            &format!("00-{TRACE}-{}-01", "0".repeat(16)),
            &format!("00-{}-00f067aa0ba902b7-01", TRACE.to_uppercase()),
            &"é".repeat(40),
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_context_is_read_as_it_was_written() {
        let context = context_of(&format!("00-{TRACE}-00f067aa0ba902b7-03")).unwrap();
        assert_eq!(context.trace_id().to_string(), TRACE);
        assert_eq!(context.span_id().to_string(), "00f067aa0ba902b7");
        assert!(context.is_remote() && context.is_sampled());
    }

    #[test]
    fn without_an_exporter_nothing_belongs_to_a_trace() {
        let span = tracing::info_span!("alone");
        join(&span, &format!("00-{TRACE}-00f067aa0ba902b7-01"));
        assert_eq!(span.in_scope(current), None);
    }
}
