//! The page of a request that is refused before it reaches a handler of the console.

use axum::extract::Request;
use axum::response::Response;

use super::visitor::Visitor;
use super::{page, security};
use crate::response::ApiError;

/// The page that says why a request is refused.
///
/// # Errors
/// The refusal itself, where no person looks at the console.
pub(crate) fn refusal_page(request: Request, refused: ApiError) -> Result<Response, ApiError> {
    if !security::is_console(request.uri().path()) || !security::wants_page(request.headers()) {
        return Err(refused);
    }
    let (parts, _) = request.into_parts();
    let mut response = page::refusal(&Visitor::of(&parts), refused);
    security::add_headers(&mut response);
    Ok(response)
}
