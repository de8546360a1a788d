//! Posts of Reddit listings: old and new pages, and JSON.

use page::Page;
use page::dom::Node;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::controls::element::{first_within, parse_selector, select_all};
use crate::controls::interaction;
use crate::lists::listing_output::project;
use crate::{Error, Tool, ToolContext};

/// The tool `extraction.articles_reddit`.
pub struct ExtractionArticlesReddit;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    max_results: Option<usize>,
    min_score: i64,
    include_nsfw: bool,
    selector: Option<String>,
    fields: Option<Vec<String>>,
}

#[derive(Serialize)]
pub struct Output {
    articles: Vec<Value>,
}

#[derive(Serialize)]
struct RedditPost {
    id: String,
    title: String,
    url: String,
    permalink: String,
    subreddit: Option<String>,
    author: Option<String>,
    score: Option<i64>,
    comments: Option<u64>,
    created_utc: Option<i64>,
    flair: Option<String>,
    #[serde(skip)]
    adult: bool,
}

const OLD: &str = ".thing[data-fullname^=\"t3_\"]";
const NEW: &str = "shreddit-post";

impl Tool for ExtractionArticlesReddit {
    type Params = Params;
    type Output = Output;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Output, Error> {
        let css = params.selector.clone().unwrap_or_else(|| format!("{OLD}, {NEW}"));
        let selector = parse_selector("selector", &css)?;
        let mut found: Vec<RedditPost> = Vec::new();
        for page in context.pages().await? {
            let matched = select_all("selector", page.dom().root(), &selector)?;
            let posts = matched.into_iter().filter_map(|node| match node.tag() {
                "shreddit-post" => new_page_post(&page, node),
                _ => old_page_post(&page, node),
            });
            let before = found.len();
            found.extend(posts);
            if found.len() == before {
                found.extend(json_listing(&page));
            }
        }
        if found.is_empty() {
            let page = context.page().await?;
            interaction::check_empty(context, &page)?;
            return Err(Error::NotFound(
                "the page is no listing of Reddit (old, new or JSON); where a page asks for a login or a proof, try its address with .json or old.reddit.com".into(),
            ));
        }
        let mut seen = std::collections::HashSet::new();
        let fits = |post: &RedditPost| {
            (params.include_nsfw || !post.adult) && post.score.is_none_or(|it| it >= params.min_score)
        };
        let kept = found
            .into_iter()
            .filter(|it| seen.insert(it.id.clone()))
            .filter(fits)
            .take(params.max_results.unwrap_or(usize::MAX));
        let articles = kept.filter_map(|it| serde_json::to_value(it).ok()).collect();
        Ok(Output {
            articles: project(articles, params.fields.as_deref())?,
        })
    }
}

fn non_empty(text: Option<&str>) -> Option<String> {
    text.map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned)
}

fn bare_id(name: &str) -> String {
    name.strip_prefix("t3_").unwrap_or(name).to_owned()
}

/// The old pages say everything in data attributes.
fn old_page_post(page: &Page, post_element: Node<'_>) -> Option<RedditPost> {
    if post_element.attr("data-promoted") == Some("true") || post_element.has_class("promoted") {
        return None;
    }
    let data = |name: &str| non_empty(post_element.attr(&format!("data-{name}")));
    let title = first_within(post_element, "a.title, p.title > a")?;
    let absolute = |link: String| page.absolute(&link).map(|it| it.to_string());
    let permalink = data("permalink")
        .or_else(|| non_empty(first_within(post_element, "a.comments")?.attr("href")))
        .and_then(absolute)?;
    let link = data("url")
        .or_else(|| non_empty(title.attr("href")))
        .and_then(absolute);
    Some(RedditPost {
        id: bare_id(&data("fullname")?),
        title: title.text(),
        url: link.unwrap_or_else(|| permalink.clone()),
        permalink,
        subreddit: data("subreddit"),
        author: data("author"),
        score: data("score").and_then(|it| it.parse().ok()),
        comments: data("comments-count").and_then(|it| it.parse().ok()),
        created_utc: data("timestamp")
            .and_then(|it| it.parse::<i64>().ok())
            .map(|it| it / 1000),
        flair: first_within(post_element, ".linkflairlabel").and_then(|it| non_empty(Some(&it.text()))),
        adult: data("nsfw").as_deref() == Some("true"),
    })
}

/// The new pages say it in attributes of one element of their own; advertisements are another element.
fn new_page_post(page: &Page, post: Node<'_>) -> Option<RedditPost> {
    let attribute = |name: &str| non_empty(post.attr(name));
    let absolute = |link: String| page.absolute(&link).map(|it| it.to_string());
    let permalink = attribute("permalink").and_then(absolute)?;
    let title = attribute("post-title").or_else(|| {
        non_empty(
            first_within(post, "[slot=\"title\"]")
                .map(|it| it.text())
                .as_deref(),
        )
    })?;
    let subreddit = attribute("subreddit-name")
        .or_else(|| attribute("subreddit-prefixed-name").map(|it| it.trim_start_matches("r/").to_owned()));
    Some(RedditPost {
        id: bare_id(&attribute("id")?),
        title,
        url: attribute("content-href")
            .and_then(absolute)
            .unwrap_or_else(|| permalink.clone()),
        permalink,
        subreddit,
        author: attribute("author"),
        score: attribute("score").and_then(|it| it.parse().ok()),
        comments: attribute("comment-count").and_then(|it| it.parse().ok()),
        created_utc: attribute("created-timestamp").and_then(|it| seconds(&it)),
        flair: first_within(post, "shreddit-post-flair").and_then(|it| non_empty(Some(&it.text()))),
        adult: post.attr("nsfw").is_some() || post.attr("over-18").is_some(),
    })
}

/// `2026-03-01T12:00:00.000000+0000` as seconds since 1970.
fn seconds(text: &str) -> Option<i64> {
    let formats = ["%Y-%m-%dT%H:%M:%S%.f%z", "%Y-%m-%dT%H:%M:%S%.f%:z"];
    let read = formats
        .iter()
        .find_map(|it| jiff::Timestamp::strptime(it, text).ok());
    read.or_else(|| text.parse().ok()).map(|it| it.as_second())
}

/// A listing as JSON, or several in a list, as `/r/x.json` and `/comments/x.json` answer.
fn json_listing(page: &Page) -> Vec<RedditPost> {
    let text = page.dom().body().map(|it| it.raw_text()).unwrap_or_default();
    let Ok(whole) = serde_json::from_str::<Value>(text.trim()) else {
        return Vec::new();
    };
    let listings: Vec<&Value> = match &whole {
        Value::Array(several) => several.iter().collect(),
        one => vec![one],
    };
    let children = listings
        .iter()
        .filter_map(|it| it.get("data")?.get("children")?.as_array())
        .flatten();
    let links = children
        .filter(|it| it.get("kind").and_then(Value::as_str) == Some("t3"))
        .filter_map(|it| it.get("data"));
    links.filter_map(|it| json_post(page, it)).collect()
}

fn json_post(page: &Page, data: &Value) -> Option<RedditPost> {
    let text = |key: &str| non_empty(data.get(key).and_then(Value::as_str));
    let absolute = |link: String| page.absolute(&link).map(|it| it.to_string());
    if data.get("promoted").and_then(Value::as_bool) == Some(true) {
        return None;
    }
    let permalink = text("permalink").and_then(absolute)?;
    Some(RedditPost {
        id: text("id")?,
        title: text("title")?,
        url: text("url")
            .and_then(absolute)
            .unwrap_or_else(|| permalink.clone()),
        permalink,
        subreddit: text("subreddit"),
        author: text("author"),
        score: data.get("score").and_then(Value::as_i64),
        comments: data.get("num_comments").and_then(Value::as_u64),
        created_utc: data
            .get("created_utc")
            .and_then(Value::as_f64)
            .map(|it| it as i64),
        flair: text("link_flair_text"),
        adult: data.get("over_18").and_then(Value::as_bool).unwrap_or(false),
    })
}
