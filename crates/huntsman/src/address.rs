//! Addresses as people type them on the command line.

use url::Url;

/// With a scheme: `https` where none was typed.
pub(crate) fn whole(typed: &str) -> String {
    if typed.contains("://") {
        typed.to_owned()
    } else {
        format!("https://{typed}")
    }
}

/// Its host: whoever typed it may reach it, wherever it is.
pub(crate) fn host(typed: &str) -> Option<String> {
    Url::parse(&whole(typed)).ok()?.host_str().map(str::to_owned)
}
