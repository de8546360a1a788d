//! The trace id of a request: the `traceparent` header of W3C Trace Context, level 1.

use http::HeaderMap;

/// The trace id of the header, when it is a valid one: 32 lower-case hexadecimal digits, not all zero.
pub(crate) fn of(headers: &HeaderMap) -> Option<String> {
    let header = headers.get("traceparent")?.to_str().ok()?.trim();
    let mut parts = header.split('-');
    let (version, trace, parent, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    // A later version may carry more; this one ends here.
    let ends = parts.next().is_none() || version != "00";
    let valid = is_hex(version, 2)
        && version != "ff"
        && is_hex(trace, 32)
        && is_hex(parent, 16)
        && is_hex(flags, 2)
        && [trace, parent]
            .iter()
            .all(|it| it.bytes().any(|digit| digit != b'0'));
    (ends && valid).then(|| trace.to_owned())
}

fn is_hex(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_header_names_a_trace() {
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        let of = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("traceparent", value.parse().unwrap());
            super::of(&headers)
        };
        assert_eq!(
            of(&format!("00-{trace}-00f067aa0ba902b7-01")).as_deref(),
            Some(trace)
        );
        assert_eq!(
            of(&format!("cc-{trace}-00f067aa0ba902b7-01-more")).as_deref(),
            Some(trace)
        );
        for wrong in [
            "",
            trace,
            &format!("00-{trace}-00f067aa0ba902b7"),
            &format!("00-{trace}-00f067aa0ba902b7-01-more"),
            &format!("ff-{trace}-00f067aa0ba902b7-01"),
            &format!("00-{}-00f067aa0ba902b7-01", "0".repeat(32)),
            &format!("00-{trace}-{}-01", "0".repeat(16)),
            &format!("00-{}-00f067aa0ba902b7-01", trace.to_uppercase()),
        ] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
        assert_eq!(super::of(&HeaderMap::new()), None);
    }
}
