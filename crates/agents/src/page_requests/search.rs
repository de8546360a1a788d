//! A web search, for a client that waits.

use search::SearchQuery;
use wire::Code;
use wire::error::ErrorBody;
use wire::read::FoundPage;

use crate::services::AgentServices;

/// Searches once, best hits first, at most `limit` of them. Dropping the future ends the search.
///
/// # Errors
/// When no search provider is configured, or it cannot be asked.
pub async fn search(
    services: &AgentServices,
    query: &str,
    limit: usize,
) -> Result<Vec<FoundPage>, ErrorBody> {
    let Some(engine) = &services.search else {
        let text = "no search provider is configured; the operator sets HUNTSMAN_SEARCH_PROVIDER";
        return Err(ErrorBody::new(Code::SearchFailed, text));
    };
    let query = SearchQuery::new(query, limit);
    let _dropped = query.cancel.clone().drop_guard();
    let found = engine
        .search(&query)
        .await
        .map_err(|error| ErrorBody::new(Code::SearchFailed, error.to_string()))?;
    let page = |hit: search::SearchHit| FoundPage {
        url: hit.url.to_string(),
        title: hit.title,
        snippet: hit.snippet,
    };
    Ok(found.hits.into_iter().take(limit).map(page).collect())
}
