//! Addresses as people type them on the command line.

use url::Url;

/// With a scheme: `https` where none was typed.
pub(crate) fn with_scheme(typed: &str) -> String {
    if typed.contains("://") {
        typed.to_owned()
    } else {
        format!("https://{typed}")
    }
}

/// Its host, which runs of this command may reach even when it is not public.
pub(crate) fn host(typed: &str) -> Option<String> {
    Url::parse(&with_scheme(typed))
        .ok()?
        .host_str()
        .map(str::to_owned)
}
