//! One view of a page, for a client that waits.

use extract::mode::ExtractionRequest;
use extract::modes::rule_based;
use extract::rules::{content, records, rows};
use page::meta::Metadata;
use page::{Page, links, markdown as md, tables};
use serde_json::{Value, json};
use tools::lists::document_table::DocumentTable;
use wire::FetchOptions;
use wire::error::ErrorBody;
use wire::read::{PageReading, PageView, ReadRequest};
use wire::tabstack::FetchEffort;

use super::fetch::{PageRequest, empty_page_error, fetch, off_thread};
use crate::services::AgentServices;

/// Opens a page and gives the view asked for. Dropping the future stops the fetch.
///
/// # Errors
/// When there is no such page, it may not be reached, or the view has nothing of it.
pub async fn read(services: &AgentServices, request: &ReadRequest) -> Result<PageReading, ErrorBody> {
    let view = request.view;
    let wanted = wanted(&request.url, false);
    let (visit, page) = fetch(services, wanted).await?;
    let url = visit.url.to_string();
    let reading = off_thread(move || {
        let (author, published) = origin(&page, view);
        PageReading {
            url,
            title: title(&page),
            author,
            published,
            text: rendered(&page, view),
        }
    })
    .await?;
    if reading.text.trim().is_empty() {
        return Err(missing(&visit, view));
    }
    Ok(reading)
}

/// Who wrote a page and when it was published, where its text is read: the main text of an article has no line of its author.
fn origin(page: &Page, view: PageView) -> (Option<String>, Option<String>) {
    let is_text = matches!(view, PageView::Markdown | PageView::Text);
    let item = is_text.then(|| rule_based::read(page, &ExtractionRequest::default()).ok());
    let field = |name: &str| item.as_ref()?.as_ref()?.text(name).map(str::to_owned);
    (field("author"), field("date_published"))
}

/// Opens a page past the cache and gives what `read` makes of it, which is told whether the page came whole and as it is: what it
/// does not have then, it has no more. Dropping the future stops the fetch.
///
/// # Errors
/// When there is no such page, it may not be reached, or `read` finds no `view` on it.
pub(crate) async fn read_anew<T: Send + 'static>(
    services: &AgentServices,
    url: &str,
    view: PageView,
    read: impl FnOnce(&Page, bool) -> Option<T> + Send + 'static,
) -> Result<T, ErrorBody> {
    let (visit, page) = fetch(services, wanted(url, true)).await?;
    let is_whole = visit.is_ok() && visit.warnings.is_empty();
    let found = off_thread(move || read(&page, is_whole)).await?;
    found.ok_or_else(|| missing(&visit, view))
}

fn wanted(url: &str, nocache: bool) -> PageRequest<'_> {
    static FETCH: std::sync::LazyLock<FetchOptions> = std::sync::LazyLock::new(FetchOptions::default);
    PageRequest {
        url,
        effort: FetchEffort::Max,
        nocache,
        geo_target: None,
        fetch: &FETCH,
    }
}

fn missing(visit: &browser::Visit, view: PageView) -> ErrorBody {
    match view {
        PageView::Markdown | PageView::Full | PageView::Text => empty_page_error(visit),
        PageView::Links | PageView::Tables | PageView::Records | PageView::Item | PageView::Metadata => {
            let text = format!("the page has no {view}; read it as markdown instead");
            ErrorBody::new(wire::Code::EmptyContent, text)
        }
    }
}

fn title(page: &Page) -> String {
    let title = page.dom().by_tag("title").next().map(|title| title.raw_text());
    let title = title.unwrap_or_default();
    title.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A view of a page that was read; empty where the view has nothing of it.
pub(crate) fn rendered(page: &Page, view: PageView) -> String {
    match view {
        PageView::Markdown => content::main_markdown(page),
        PageView::Full => md::render_page(page),
        PageView::Text => content::main_text(page),
        PageView::Links => lines(links::links(page).into_iter().map(|link| {
            let text = link.text.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("{} {text}", link.url).trim_end().to_owned()
        })),
        PageView::Tables => lines(tables::grids(page).into_iter().map(|table| {
            json!({"caption": table.caption, "header": table.header, "rows": table.rows}).to_string()
        })),
        PageView::Records => {
            let rows = match DocumentTable::of(page) {
                Some(table) => serde_json::to_value(table.records()),
                None => serde_json::to_value(rows::of_groups(page, &records::find(page))),
            };
            let rows = rows.unwrap_or_default();
            lines(rows.as_array().into_iter().flatten().map(Value::to_string))
        }
        PageView::Item => {
            let item = rule_based::read(page, &ExtractionRequest::default()).ok();
            item.and_then(|item| serde_json::to_string_pretty(&item).ok())
                .unwrap_or_default()
        }
        PageView::Metadata => serde_json::to_string_pretty(&Metadata::read(page)).unwrap_or_default(),
    }
}

fn lines(lines: impl Iterator<Item = String>) -> String {
    lines.collect::<Vec<_>>().join("\n")
}
