//! The names of flags in the place of the fields of requests that they fill.

/// A sentence about a request with the flags of the command line in place of the fields of `fetch`.
pub(crate) fn with_flags(sentence: &str) -> String {
    const FLAGS: &[(&str, &str)] = &[
        ("fetch.cookies", "--cookie"),
        ("fetch.locale", "--locale"),
        ("fetch.user_agent", "--user-agent"),
        ("fetch.viewport", "--viewport"),
        ("fetch.timezone", "--timezone"),
        ("fetch.timeout", "--timeout"),
        ("fetch.wait_for", "--wait-for"),
        ("fetch.engine", "--engine"),
    ];
    FLAGS.iter().fold(sentence.to_owned(), |text, (field, flag)| {
        text.replace(field, flag)
    })
}
