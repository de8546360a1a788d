//! The table of endpoints, from which both the router and the OpenAPI document are made.

mod admin;
mod automate;
mod extract;
mod health;
mod logins;
mod mcp;
mod memory;
mod monitors;
mod research;
pub(crate) mod route;
pub(crate) mod runs;
mod scrape;
mod sites;
mod tools;
mod usage;
mod webhooks;

use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::Response;
use axum::routing::get;
use http::header::X_CONTENT_TYPE_OPTIONS;
use http::{HeaderValue, StatusCode};
use serde_json::Value;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::app::AppState;
use crate::response::json_response;
use crate::{authentication, console, host_origin_guard, query, request_log, response, scopes, unread_body};
pub(crate) use admin::AUDIT_PAGE;
use route::Route;

/// The OpenAPI document of every endpoint.
pub fn openapi() -> Value {
    crate::openapi::document(&all())
}

async fn document() -> Response {
    json_response(StatusCode::OK, &openapi())
}

/// Every endpoint there is.
fn all() -> Vec<Route> {
    let families = [
        health::routes(),
        vec![Route::new(
            "get",
            "/openapi.json",
            "This document.",
            get(document),
        )],
        scrape::routes(),
        automate::routes(),
        extract::routes(),
        research::routes(),
        tools::routes(),
        sites::routes(),
        runs::routes(),
        usage::routes(),
        admin::routes(),
        logins::routes(),
        memory::routes(),
        webhooks::routes(),
        monitors::routes(),
        mcp::routes(),
    ];
    families.into_iter().flatten().collect()
}

/// The router, with everything that every request passes.
pub(crate) fn router(state: &AppState) -> Router {
    let routes = all().into_iter().fold(Router::new(), |router, mut route| {
        let scopes = scopes::needed(route.method, route.path);
        // Routes of other contracts take parameters that are not known, and change nothing.
        let is_own = route.path.starts_with("/v1/");
        if route.method == "get" && is_own {
            route.handler = route
                .handler
                .route_layer(from_fn_with_state(route.query, query::refuse_unknown));
        }
        route.handler = route
            .handler
            .route_layer(from_fn_with_state(scopes, authentication::require));
        // A path is one path, however it ends.
        match route.path {
            "/api/scrape" => router.route("/api/scrape/", route.handler.clone()),
            _ => router,
        }
        .route(route.path, route.handler)
    });
    let routes = match state.settings.console {
        true => routes.merge(console::routes()),
        false => routes,
    };
    let no_sniffing = HeaderValue::from_static("nosniff");
    routes
        .fallback(response::no_such_path)
        .method_not_allowed_fallback(response::no_such_method)
        .layer(from_fn_with_state(state.clone(), authentication::check))
        .layer(from_fn_with_state(
            Arc::clone(&state.host_guard),
            host_origin_guard::check,
        ))
        .layer(CatchPanicLayer::custom(response::broken))
        .layer(SetResponseHeaderLayer::if_not_present(
            X_CONTENT_TYPE_OPTIONS,
            no_sniffing,
        ))
        .layer(from_fn(request_log::watch))
        .layer(from_fn(unread_body::drop_rest))
        .with_state(state.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As it is in the repository: the entries of its upper levels in lines of their own.
    fn lines(value: &Value, levels: u32) -> String {
        let Value::Object(entries) = value else {
            return value.to_string();
        };
        if levels == 0 || entries.is_empty() {
            return value.to_string();
        }
        let entries = entries
            .iter()
            .map(|(key, value)| format!("{}:{}", Value::from(key.as_str()), lines(value, levels - 1)));
        format!("{{\n{}\n}}", entries.collect::<Vec<_>>().join(",\n"))
    }

    #[test]
    fn the_document_in_the_repository_is_current() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");
        let rendered = lines(&openapi(), 3) + "\n";
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(path, &rendered).unwrap();
        }
        assert!(
            std::fs::read_to_string(path).unwrap() == rendered,
            "run `BLESS=1 cargo test --workspace --lib the_document_in_the_repository`, then `cargo xtask reference`"
        );
    }

    #[test]
    fn every_route_is_listed_and_every_reference_leads_somewhere() {
        let document = openapi();
        for route in all() {
            let operation = &document["paths"][route.path][route.method];
            assert_eq!(
                operation["summary"], route.summary,
                "{} {}",
                route.method, route.path
            );
        }
        let mut references = 0;
        let mut stack = vec![&document];
        while let Some(next) = stack.pop() {
            match next {
                Value::Array(list) => stack.extend(list),
                Value::Object(map) => {
                    if let Some(Value::String(to)) = map.get("$ref") {
                        references += 1;
                        assert!(document.pointer(&to[1..]).is_some(), "{to}");
                    }
                    stack.extend(map.values());
                }
                _ => {}
            }
        }
        assert!(references > 20, "{references}");
    }
}
