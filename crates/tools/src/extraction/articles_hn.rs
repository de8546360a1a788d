//! Stories of Hacker News listings.

use page::Page;
use page::dom::Node;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::controls::element::{first_within, parse_selector, select_all};
use crate::controls::interaction;
use crate::lists::articles::{self, number};
use crate::lists::listing_output::project;
use crate::{Error, Tool, ToolContext};

/// The tool `extraction.articles_hn`.
pub struct ExtractionArticlesHn;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    max_results: Option<usize>,
    min_points: u64,
    selector: Option<String>,
    fields: Option<Vec<String>>,
}

#[derive(Serialize)]
pub struct Output {
    articles: Vec<Value>,
}

#[derive(Serialize)]
struct HackerNewsStory {
    rank: Option<u64>,
    id: Option<String>,
    title: String,
    url: String,
    site: Option<String>,
    points: Option<u64>,
    author: Option<String>,
    comments: Option<u64>,
    age: Option<String>,
    comments_url: Option<String>,
}

impl Tool for ExtractionArticlesHn {
    type Params = Params;
    type Output = Output;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Output, Error> {
        let selector = parse_selector("selector", params.selector.as_deref().unwrap_or("tr.athing"))?;
        let mut found: Vec<HackerNewsStory> = Vec::new();
        let pages = context.pages().await?;
        for page in &pages {
            let rows = select_all("selector", page.dom().root(), &selector)?;
            found.extend(rows.into_iter().filter_map(|row| article(page, row)));
        }
        if found.is_empty() && params.selector.is_none() {
            for page in &pages {
                found.extend(articles::find(page).into_iter().map(plain));
            }
            let page = context.page().await?;
            if found.is_empty() {
                interaction::check_empty(context, &page)?;
            }
            match found.is_empty() {
                true => return Err(Error::NotFound("the page is no list of stories as Hacker News has them; use html.select or extraction.links_by_pattern".into())),
                false => context.warn("the page has not the markup of Hacker News; its stories were read from repeating blocks"),
            }
        }
        let enough = |story: &HackerNewsStory| {
            params.min_points == 0 || story.points.is_some_and(|it| it >= params.min_points)
        };
        let kept = found
            .into_iter()
            .filter(enough)
            .take(params.max_results.unwrap_or(usize::MAX));
        let articles = kept.filter_map(|it| serde_json::to_value(it).ok()).collect();
        Ok(Output {
            articles: project(articles, params.fields.as_deref())?,
        })
    }
}

/// A story is two rows: the heading, and below it points, author, age and comments.
fn article(page: &Page, row: Node<'_>) -> Option<HackerNewsStory> {
    let link = first_within(row, ".titleline > a, a.storylink, a.titlelink, td.title > a")?;
    let below = row.siblings_after().find(|it| it.is("tr"))?;
    let text_of = |css: &str| {
        first_within(below, css)
            .map(|it| it.text())
            .filter(|it| !it.is_empty())
    };
    let id = Some(row.id_attr().to_owned()).filter(|it| !it.is_empty());
    let mut comment_links = below
        .descendants()
        .filter(|it| it.is("a"))
        .filter(|it| it.attr("href").is_some_and(|it| it.contains("item?id=")));
    let comment_link = comment_links
        .next_back()
        .filter(|it| it.closest("span").is_none_or(|it| !it.has_class("age")));
    let words = comment_link.map(|it| it.text()).unwrap_or_default();
    let comments = match words.trim() {
        "discuss" => Some(0),
        other => number(other),
    };
    Some(HackerNewsStory {
        rank: first_within(row, ".rank").and_then(|it| number(&it.text())),
        title: link.text(),
        url: page.absolute(link.attr("href")?)?.to_string(),
        site: first_within(row, ".sitestr").map(|it| it.text()),
        points: text_of(".score").and_then(|it| number(&it)),
        author: text_of(".hnuser"),
        comments: comment_link.and(comments),
        age: text_of(".age"),
        comments_url: id
            .as_deref()
            .and_then(|it| page.absolute(&format!("item?id={it}")))
            .map(|it| it.to_string()),
        id,
    })
}

fn plain(story: articles::ListedArticle) -> HackerNewsStory {
    HackerNewsStory {
        rank: None,
        id: None,
        title: story.title,
        url: story.url,
        site: None,
        points: story.points,
        author: None,
        comments: story.comments,
        age: None,
        comments_url: None,
    }
}
