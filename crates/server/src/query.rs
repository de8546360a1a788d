//! `RunPath` and `QueryParams`: the run id in a path, and the query string.

use axum::extract::{FromRequestParts, Path, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::request::Parts;
use runtime::ServiceError;
use url::form_urlencoded;
use wire::{Code, RunId};

use crate::app::AppState;
use crate::auth::Caller;
use crate::response::ApiError;
use crate::run_name::RunName;

/// The run that a path names. What cannot be an id names no run.
pub(crate) struct RunPath(pub(crate) RunName);

impl FromRequestParts<AppState> for RunPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ApiError> {
        let id = Path::<String>::from_request_parts(parts, state).await.ok();
        let id = id.and_then(|Path(text)| RunId::parse(&text).ok());
        let caller = parts.extensions.get::<Caller>();
        let named = id.zip(caller).map(|(id, caller)| RunName::named(caller, id));
        named.map(Self).ok_or_else(|| ServiceError::unknown_run().into())
    }
}

/// A file that a path names after its run. What cannot be a name names no file.
pub(crate) struct FilePath {
    pub(crate) run: RunName,
    pub(crate) name: String,
}

impl FromRequestParts<AppState> for FilePath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ApiError> {
        let path = Path::<(String, String)>::from_request_parts(parts, state)
            .await
            .ok();
        let named = path.and_then(|Path((id, name))| Some((RunId::parse(&id).ok()?, name)));
        let caller = parts.extensions.get::<Caller>();
        let named = named.zip(caller).map(|((id, name), caller)| Self {
            run: RunName::named(caller, id),
            name,
        });
        named.ok_or_else(|| ServiceError::unknown_run().into())
    }
}

/// Most entries of a list that one answer holds.
pub(crate) const MAX_LIMIT: u64 = 200;

/// Refuses a request with a query parameter that is none of `known`, the names with their meanings: such a parameter has no effect.
pub(crate) async fn refuse_unknown(
    State(known): State<&'static [(&'static str, &'static str)]>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let text = request.uri().query().unwrap_or_default();
    let names = form_urlencoded::parse(text.as_bytes()).map(|(name, _)| name);
    let unknown = names
        .filter(|name| !name.is_empty())
        .find(|name| !known.iter().any(|(it, _)| it == name));
    let Some(name) = unknown else {
        return Ok(next.run(request).await);
    };
    let name: String = name.chars().take(LONGEST_NAME).collect();
    let known: Vec<&str> = known.iter().map(|(it, _)| *it).collect();
    let advice = match known.is_empty() {
        true => "this path takes none".to_owned(),
        false => format!("this path takes {}", known.join(", ")),
    };
    let text = format!("{name:?}: not a known query parameter; {advice}");
    Err(ApiError::new(Code::InvalidRequest, text))
}

/// Most characters of an unknown name that are told.
const LONGEST_NAME: usize = 80;

/// The parameters behind the question mark. Unknown ones are refused by [`refuse_unknown`] on our own routes, else ignored.
pub(crate) struct QueryParams(Vec<(String, String)>);

impl FromRequestParts<AppState> for QueryParams {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, ApiError> {
        let text = parts.uri.query().unwrap_or_default();
        let pairs = form_urlencoded::parse(text.as_bytes()).into_owned();
        Ok(Self(pairs.take(100).collect()))
    }
}

impl QueryParams {
    /// How many entries of a list are wanted, by the parameter `limit`; `absent` without it.
    ///
    /// # Errors
    /// When it is no number from 1 to [`MAX_LIMIT`], or is given twice.
    pub(crate) fn limit(&self, absent: u64) -> Result<usize, ApiError> {
        let in_range = |text: &str| number(text).filter(|it| (1..=MAX_LIMIT).contains(it));
        let wanted = format!("a number from 1 to {MAX_LIMIT}");
        let limit = self.get("limit", &wanted, in_range)?.unwrap_or(absent);
        Ok(usize::try_from(limit).unwrap_or(usize::MAX))
    }

    /// A parameter read by `read`; none when it is absent or empty.
    ///
    /// # Errors
    /// When it is given twice or cannot be read.
    pub(crate) fn get<T>(
        &self,
        name: &str,
        wanted: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, ApiError> {
        let mut given = self.0.iter().filter(|(key, _)| key == name);
        let first = given
            .next()
            .map(|(_, value)| value.as_str())
            .filter(|it| !it.is_empty());
        let refuse = |what: &str| ApiError::new(Code::InvalidRequest, format!("{name}: {what}"));
        if given.next().is_some() {
            return Err(refuse("given twice"));
        }
        let Some(text) = first else { return Ok(None) };
        read(text)
            .map(Some)
            .ok_or_else(|| refuse(&format!("must be {wanted}")))
    }
}

/// A plain number, without sign or space.
pub(crate) fn number(text: &str) -> Option<u64> {
    let plain = text.bytes().all(|it| it.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}
