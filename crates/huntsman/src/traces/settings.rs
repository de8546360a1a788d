//! The variables of the exporter: whether traces are sent, and whether each value is one that it can have.
//!
//! The values themselves are read by the OpenTelemetry libraries. They ignore what they cannot read; here it is refused.

/// Variables that name a collector.
const ENDPOINTS: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
];
/// Variables that name a protocol.
const PROTOCOLS: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
    "OTEL_EXPORTER_OTLP_PROTOCOL",
];
/// Variables with headers for the collector.
const HEADERS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"];
/// Variables with a time limit, in milliseconds.
const TIMEOUTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"];
/// Variables that name a compression.
const COMPRESSIONS: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_TRACES_COMPRESSION",
    "OTEL_EXPORTER_OTLP_COMPRESSION",
];
/// Samplers that are known, and whether they take a ratio.
const SAMPLERS: [(&str, bool); 6] = [
    ("always_on", false),
    ("always_off", false),
    ("traceidratio", true),
    ("parentbased_always_on", false),
    ("parentbased_always_off", false),
    ("parentbased_traceidratio", true),
];

/// Whether traces are to be sent. An empty variable counts as unset.
///
/// # Errors
/// A sentence that names the variable whose value cannot be used, without a value that may be secret.
pub(super) fn read(variable: impl Fn(&str) -> Option<String>) -> Result<bool, String> {
    let given = |name: &'static str| {
        let value = variable(name).map(|value| value.trim().to_owned());
        value.filter(|value| !value.is_empty())
    };
    let any = |names: [&'static str; 2]| names.into_iter().find_map(|name| Some((name, given(name)?)));
    let is_disabled = given("OTEL_SDK_DISABLED").is_some_and(|value| value.eq_ignore_ascii_case("true"));
    let exporter = given("OTEL_TRACES_EXPORTER").unwrap_or_else(|| "otlp".to_owned());
    let Some((name, endpoint)) = any(ENDPOINTS) else {
        return Ok(false);
    };
    if is_disabled || exporter == "none" {
        return Ok(false);
    }
    let advice = "; OTEL_SDK_DISABLED=true turns traces off";
    if exporter != "otlp" {
        return Err(format!(
            "OTEL_TRACES_EXPORTER is {exporter:?}; it is otlp or none"
        ));
    }
    check_endpoint(name, &endpoint).map_err(|reason| format!("{reason}{advice}"))?;
    if let Some((name, protocol)) = any(PROTOCOLS)
        && protocol != "http/protobuf"
    {
        return Err(format!(
            "{name} is {protocol:?}; traces are sent as http/protobuf only{advice}"
        ));
    }
    if let Some((name, headers)) = any(HEADERS) {
        check_headers(name, &headers)?;
    }
    if let Some((name, timeout)) = any(TIMEOUTS)
        && !timeout.parse::<u64>().is_ok_and(|millis| millis > 0)
    {
        return Err(format!(
            "{name} is {timeout:?}; it is a number of milliseconds from 1"
        ));
    }
    if let Some((name, compression)) = any(COMPRESSIONS)
        && !["gzip", "none"].contains(&compression.as_str())
    {
        return Err(format!("{name} is {compression:?}; it is gzip or none"));
    }
    check_sampler(given("OTEL_TRACES_SAMPLER"), given("OTEL_TRACES_SAMPLER_ARG"))?;
    Ok(true)
}

fn check_endpoint(name: &str, endpoint: &str) -> Result<(), String> {
    let is_web = |url: &url::Url| matches!(url.scheme(), "http" | "https") && url.has_host();
    match endpoint.parse::<url::Url>() {
        Ok(url) if is_web(&url) && url.username().is_empty() && url.password().is_none() => Ok(()),
        Ok(url) if is_web(&url) => Err(format!(
            "{name}: the address holds a password; put credentials into OTEL_EXPORTER_OTLP_HEADERS"
        )),
        _ => Err(format!(
            "{name} is no http or https address, such as http://127.0.0.1:4318"
        )),
    }
}

/// Names what is wrong, and no value: they are credentials.
fn check_headers(name: &str, headers: &str) -> Result<(), String> {
    for (place, entry) in (1..).zip(headers.split_terminator(',')) {
        let readable = entry.split_once('=').is_some_and(|(key, value)| {
            let named = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
            let plain = |byte: u8| (0x20..0x7f).contains(&byte);
            let key = key.trim();
            !key.is_empty() && key.bytes().all(named) && value.bytes().all(plain)
        });
        if !readable {
            return Err(format!("{name}: entry {place} is not of the form name=value"));
        }
    }
    Ok(())
}

fn check_sampler(sampler: Option<String>, argument: Option<String>) -> Result<(), String> {
    let Some(sampler) = sampler else { return Ok(()) };
    let Some((_, takes_ratio)) = SAMPLERS.iter().find(|(name, _)| *name == sampler) else {
        let names: Vec<&str> = SAMPLERS.iter().map(|(name, _)| *name).collect();
        return Err(format!(
            "OTEL_TRACES_SAMPLER is {sampler:?}; it is one of {}",
            names.join(", ")
        ));
    };
    let is_ratio = |text: &String| {
        text.parse::<f64>()
            .is_ok_and(|ratio| (0.0..=1.0).contains(&ratio))
    };
    match argument {
        Some(argument) if *takes_ratio && !is_ratio(&argument) => Err(format!(
            "OTEL_TRACES_SAMPLER_ARG is {argument:?}; it is a share of traces from 0 to 1"
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDPOINT: (&str, &str) = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318");

    fn with(variables: &[(&str, &str)]) -> Result<bool, String> {
        read(|name| {
            let found = variables.iter().rev().find(|(key, _)| *key == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn traces_are_sent_when_a_collector_is_named_and_nothing_turns_them_off() {
        assert_eq!(with(&[]), Ok(false));
        assert_eq!(with(&[("OTEL_EXPORTER_OTLP_ENDPOINT", " ")]), Ok(false));
        assert_eq!(with(&[("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")]), Ok(false));
        assert_eq!(with(&[ENDPOINT]), Ok(true));
        assert_eq!(
            with(&[("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "https://c.test/x")]),
            Ok(true)
        );
        assert_eq!(with(&[ENDPOINT, ("OTEL_SDK_DISABLED", "TRUE")]), Ok(false));
        assert_eq!(with(&[ENDPOINT, ("OTEL_TRACES_EXPORTER", "none")]), Ok(false));
        assert_eq!(
            with(&[ENDPOINT, ("OTEL_TRACES_SAMPLER", "traceidratio")]),
            Ok(true)
        );
    }

    #[test]
    fn a_wrong_value_is_refused_with_its_variable_and_no_credential() {
        for (name, value) in [
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4317"),
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://user:c4nary@collector"),
            ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "grpc"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer c4nary,c4nary"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "a b=c4nary"),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "10s"),
            ("OTEL_EXPORTER_OTLP_COMPRESSION", "zstd"),
            ("OTEL_TRACES_EXPORTER", "zipkin"),
            ("OTEL_TRACES_SAMPLER", "xray"),
        ] {
            let said = with(&[ENDPOINT, (name, value)]).unwrap_err();
            assert!(said.contains(name) && !said.contains("c4nary"), "{said}");
        }
        let ratio = [
            ("OTEL_TRACES_SAMPLER", "traceidratio"),
            ("OTEL_TRACES_SAMPLER_ARG", "2"),
        ];
        assert!(
            with(&[ENDPOINT, ratio[0], ratio[1]])
                .unwrap_err()
                .contains("OTEL_TRACES_SAMPLER_ARG")
        );
    }
}
