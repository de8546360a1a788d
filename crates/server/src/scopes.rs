//! Which scopes of a key open which endpoint.

use http::Method;
use wire::tenancy::Scope;

/// The scopes of which a key needs one for an endpoint; empty where no key is needed. An endpoint that changes something
/// and is not named here needs one that starts runs, so that a key that may only read changes nothing.
pub(crate) fn needed(method: &str, path: &str) -> &'static [Scope] {
    let is_under = |prefix: &str| {
        let rest = path.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    match path {
        "/healthz" | "/readyz" | "/openapi.json" => return &[],
        "/metrics" => return &[Scope::Metrics, Scope::Admin],
        _ if is_under("/v1/admin") => return &[Scope::Admin],
        // Which of them a tool needs is in `mcp::permission`.
        _ if is_under("/mcp") => return &Scope::USUAL,
        // The cookies of logins, which can be used elsewhere.
        "/v1/profiles/{name}/storage-state" => return &Scope::RUNNING,
        _ if method == "get" => return &[Scope::Read],
        _ if method == "delete" => return &Scope::RUNNING,
        _ => {}
    }
    let scrapes = [
        "/api/scrape",
        "/v1/extract",
        "/v1/generate",
        "/v1/map",
        "/v1/crawl",
        "/v1/batch",
        "/v1/monitors",
    ];
    let takeovers = ["/v1/runs/{id}/pause", "/v1/runs/{id}/act", "/v1/runs/{id}/resume"];
    if takeovers.contains(&path) {
        &[Scope::Automate]
    } else if scrapes.into_iter().any(is_under) {
        &[Scope::Scrape]
    } else if is_under("/v1/automate") {
        &[Scope::Automate]
    } else if is_under("/v1/research") {
        &[Scope::Research]
    } else if is_under("/v1/tools") || is_under("/v1/plans") {
        &[Scope::Tools]
    } else {
        &Scope::RUNNING
    }
}

/// The scopes of which a key needs one for a page of the console, or for what a page sends; empty for other paths. Starting
/// a run also needs the scope of its kind.
pub(crate) fn needed_by_console(method: &Method, path: &str) -> &'static [Scope] {
    match path.strip_prefix("/console") {
        // They lead elsewhere, or end a session.
        None | Some("" | "/" | "/logout") => &[],
        Some("/audit" | "/audit.jsonl") => &[Scope::Admin],
        Some(rest) if rest == "/tenants" || rest.starts_with("/tenants/") => &[Scope::Admin],
        Some(_) if matches!(*method, Method::GET | Method::HEAD) => &[Scope::Read],
        Some(rest) if rest.starts_with("/runs/") && takes_over(rest) => &[Scope::Automate],
        Some(rest) if rest.starts_with("/tools/") => &[Scope::Tools],
        Some(rest) if rest == "/monitors" || rest.starts_with("/monitors/") => &[Scope::Scrape],
        Some(_) => &Scope::RUNNING,
    }
}

/// Whether a path of a run is one of taking its browser over.
fn takes_over(path: &str) -> bool {
    let last = path.rsplit('/').next().unwrap_or_default();
    matches!(last, "pause" | "act" | "resume")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_changed_with_a_key_that_may_only_read() {
        for (method, path, scopes) in [
            ("get", "/v1/runs", &[Scope::Read] as &[Scope]),
            ("post", "/v1/automate/{id}/input", &[Scope::Automate]),
            ("post", "/v1/extractors", &Scope::RUNNING),
            ("post", "/v1/crawl", &[Scope::Scrape]),
            ("delete", "/v1/runs/{id}", &Scope::RUNNING),
            ("post", "/v1/runs/{id}/act", &[Scope::Automate]),
            ("get", "/v1/admin/keys", &[Scope::Admin]),
            ("get", "/v1/profiles", &[Scope::Read]),
            ("get", "/v1/profiles/{name}/storage-state", &Scope::RUNNING),
            ("put", "/v1/vault/{name}", &Scope::RUNNING),
            ("get", "/v1/runs/{id}/files", &[Scope::Read]),
            ("post", "/mcp/read", &Scope::USUAL),
            ("post", "/v1/webhooks", &Scope::RUNNING),
            ("post", "/v1/monitors/{id}/check", &[Scope::Scrape]),
            ("post", "/v1/anything/new", &Scope::RUNNING),
        ] {
            assert_eq!(needed(method, path), scopes, "{method} {path}");
        }
    }

    #[test]
    fn a_page_needs_the_scope_of_what_it_shows_or_does() {
        for (method, path, scopes) in [
            (Method::GET, "/console/runs", &[Scope::Read] as &[Scope]),
            (Method::GET, "/console/usage", &[Scope::Read]),
            (Method::GET, "/console/tenants", &[Scope::Admin]),
            (Method::POST, "/console/tenants/acme/keys", &[Scope::Admin]),
            (Method::GET, "/console/audit.jsonl", &[Scope::Admin]),
            (Method::GET, "/console/tenantsx", &[Scope::Read]),
            (Method::POST, "/console/monitors", &[Scope::Scrape]),
            (Method::POST, "/console/profiles", &Scope::RUNNING),
            (Method::POST, "/console/runs/run_1/pause", &[Scope::Automate]),
            (Method::POST, "/console/runs/run_1/cancel", &Scope::RUNNING),
            (Method::POST, "/console/logout", &[]),
            (Method::GET, "/v1/runs", &[]),
        ] {
            assert_eq!(needed_by_console(&method, path), scopes, "{method} {path}");
        }
    }
}
