//! `FormBody`: the fields of a form that a page of the console sent.

use axum::extract::{FromRequest, Request};
use axum::response::Response;
use http::header::CONTENT_TYPE;
use url::form_urlencoded;
use wire::Code;

use super::{page, security};
use crate::app::AppState;
use crate::body;
use crate::response::ApiError;

/// Most fields of a form.
const MAX_FIELDS: usize = 1000;

/// The fields of a form. Only pages of the console may send one.
pub(super) struct FormBody(Vec<(String, String)>);

impl FromRequest<AppState> for FormBody {
    type Rejection = Response;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Response> {
        let refuse = |error: ApiError| page::refusal_without_visitor(error);
        if !security::is_same_origin(request.headers()) {
            let text = "only pages of the console may send this; open the page again and repeat it there";
            return Err(refuse(ApiError::new(Code::Forbidden, text)));
        }
        let label = request.headers().get(CONTENT_TYPE).map(|it| it.as_bytes());
        if !label.is_some_and(|it| it.starts_with(b"application/x-www-form-urlencoded")) {
            let text = "the body has to be a form: application/x-www-form-urlencoded";
            return Err(refuse(ApiError::new(Code::UnsupportedMediaType, text)));
        }
        let bytes = body::collect(request, state).await.map_err(refuse)?;
        let fields = form_urlencoded::parse(&bytes).into_owned().take(MAX_FIELDS);
        Ok(Self(fields.collect()))
    }
}

impl FormBody {
    /// The first field of this name.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let mut named = self.0.iter().filter(|(key, _)| key == name);
        named.next().map(|(_, value)| value.as_str())
    }

    /// Every field with its value, in order.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }
}

#[cfg(test)]
impl<const N: usize> From<[(&str, &str); N]> for FormBody {
    fn from(fields: [(&str, &str); N]) -> Self {
        Self(
            fields
                .map(|(key, value)| (key.to_owned(), value.to_owned()))
                .into(),
        )
    }
}
