//! Pages on request: one page in, its text out, while the client waits.

use axum::extract::State;
use axum::response::Response;
use axum::routing::post;
use http::StatusCode;
use wire::tabstack::{ExtractJsonRequest, GenerateJsonRequest, MarkdownRequest};

use super::{Answers, Route};
use crate::answer::{Failure, json_response, written};
use crate::body::Body;
use crate::door::Door;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            "post",
            "/v1/extract/markdown",
            "One page as Markdown.",
            post(markdown),
        )
        .takes("extract-markdown-request")
        .answers(Answers::Json(StatusCode::OK, Some("extract-markdown-response"))),
        Route::new(
            "post",
            "/v1/extract/json",
            "What one page states, in the shape of a schema.",
            post(extract),
        )
        .takes("extract-json-request")
        .answers(Answers::Json(StatusCode::OK, None)),
        Route::new(
            "post",
            "/v1/generate/json",
            "What a model makes of one page as instructed, in the shape of a schema.",
            post(generate),
        )
        .takes("generate-json-request")
        .answers(Answers::Json(StatusCode::OK, None)),
    ]
}

async fn extract(State(door): State<Door>, Body(body): Body) -> Result<Response, Failure> {
    let request = ExtractJsonRequest::parse(&body)?;
    let data = door.house.workers.pages().extract(&request).await?;
    Ok(json_response(StatusCode::OK, &data))
}

async fn generate(State(door): State<Door>, Body(body): Body) -> Result<Response, Failure> {
    let request = GenerateJsonRequest::parse(&body)?;
    let data = door.house.workers.pages().generate(&request).await?;
    Ok(json_response(StatusCode::OK, &data))
}

async fn markdown(State(door): State<Door>, Body(body): Body) -> Result<Response, Failure> {
    let request = MarkdownRequest::parse(&body)?;
    let page = door.house.workers.pages().markdown(&request).await?;
    written(&page).map(|it| json_response(StatusCode::OK, &it))
}
