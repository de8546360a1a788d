//! A forum in the markup of Reddit: the old pages, the new ones, and the listing as JSON.

use crate::ask::{DemoRequest, DemoResponse};
use crate::html::escape;
use crate::posts::{self, DemoPost};

const SIZE: usize = 25;
const FORUM: &str = "demo";

/// `/reddit/old/r/demo`, `/reddit/new/r/demo`, `/reddit/new-js/r/demo`, `/reddit/r/demo.json`; `rows` for scripts.
pub(crate) fn page(ask: &DemoRequest, rest: &str) -> Option<DemoResponse> {
    let all = posts::all();
    let after = ask
        .get("after")
        .and_then(|after| all.iter().position(|post| fullname(post) == after));
    let from = after.map_or(0, |at| at + 1);
    let from = ask.number("from_row").unwrap_or(from).min(all.len());
    let count = ask.number("rows").unwrap_or(SIZE);
    let shown: Vec<&DemoPost> = all.iter().skip(from).take(count).collect();
    let next = shown
        .last()
        .filter(|_| from + count < all.len())
        .map(|post| fullname(post));
    match rest.trim_end_matches('/') {
        "old/r/demo" => Some(old(&shown, from, next)),
        "new/r/demo" => Some(new(
            &shown.iter().map(|post| card(post)).collect::<String>(),
            next,
            false,
        )),
        "new-js/r/demo" => Some(new("", None, true)),
        "rows" => Some(DemoResponse::of(
            "text/html; charset=utf-8",
            shown.iter().map(|post| card(post)).collect::<String>(),
        )),
        "r/demo.json" => Some(json(&shown, next)),
        _ => None,
    }
}

/// A post's short name: its kind and its number to the base of 36.
fn fullname(post: &DemoPost) -> String {
    let mut number = 1_500_000 + post.id;
    let mut digits = Vec::new();
    while number > 0 {
        digits.extend(char::from_digit((number % 36) as u32, 36));
        number /= 36;
    }
    format!("t3_{}", digits.iter().rev().collect::<String>())
}

fn permalink(post: &DemoPost) -> String {
    let slug: String = post
        .title
        .to_lowercase()
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect();
    format!(
        "/r/{FORUM}/comments/{}/{slug}/",
        fullname(post).trim_start_matches("t3_")
    )
}

fn author(post: &DemoPost) -> &str {
    post.author.as_deref().unwrap_or("hiring_bot")
}

fn old(shown: &[&DemoPost], from: usize, next: Option<String>) -> DemoResponse {
    let things: String = shown
        .iter()
        .enumerate()
        .map(|(at, post)| thing(post, from + at + 1))
        .collect();
    let next = next.map(|after| {
        let count = from + SIZE;
        format!(
            "<div class=\"nav-buttons\"><span class=\"nextprev\">view more: <span class=\"next-button\"><a \
href=\"/reddit/old/r/{FORUM}/?count={count}&amp;after={after}\" rel=\"nofollow next\">next &rsaquo;</a></span></span></div>"
        )
    });
    DemoResponse::html(format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{FORUM}</title></head><body class=\"listing-page hot-page\">\
<div id=\"header\"><a href=\"/reddit/old/r/{FORUM}\">{FORUM}</a></div><div class=\"content\" role=\"main\"><div id=\"siteTable\" \
class=\"sitetable linklisting\">{things}{}</div></div></body></html>",
        next.unwrap_or_default()
    ))
}

fn thing(post: &DemoPost, rank: usize) -> String {
    let name = fullname(post);
    let (title, link) = (escape(&post.title), permalink(post));
    let url = post.url.as_deref().map_or(link.clone(), escape);
    let domain = post.site.clone().unwrap_or(format!("self.{FORUM}"));
    let score = post.points.unwrap_or(1);
    let comments = match post.comments {
        0 => "comment".to_owned(),
        1 => "1 comment".to_owned(),
        many => format!("{many} comments"),
    };
    let flair = post
        .flair
        .map(|flair| format!("<span class=\"linkflairlabel\" title=\"{flair}\">{flair}</span>"));
    let flair = flair.unwrap_or_default();
    // The fourth place is an advertisement.
    let advert = match rank == 4 {
        true => {
            "<div class=\"thing id-t3_advert promotedlink promoted link\" data-fullname=\"t3_advert\" data-promoted=\"true\" \
data-author=\"adverts\"><div class=\"entry\"><p class=\"title\"><a class=\"title\" href=\"https://ads.example/buy\">Buy our lamps now</a></p></div></div>"
        }
        false => "",
    };
    format!(
        "{advert}<div class=\" thing id-{name} linkflair link \" id=\"thing_{name}\" data-fullname=\"{name}\" data-type=\"link\" data-author=\"{author}\" \
data-subreddit=\"{FORUM}\" data-subreddit-prefixed=\"r/{FORUM}\" data-timestamp=\"{at}000\" data-url=\"{url}\" data-permalink=\"{link}\" \
data-domain=\"{domain}\" data-rank=\"{rank}\" data-comments-count=\"{count}\" data-score=\"{score}\" data-promoted=\"false\" data-nsfw=\"{adult}\">\
<span class=\"rank\">{rank}</span><div class=\"midcol unvoted\"><div class=\"score unvoted\" title=\"{score}\">{score}</div></div><div class=\"entry unvoted\">\
<div class=\"top-matter\"><p class=\"title\"><a class=\"title may-blank outbound\" href=\"{url}\">{title}</a>{flair} <span class=\"domain\">({domain})</span></p>\
<p class=\"tagline\">submitted <time datetime=\"{iso}+00:00\">{age}</time> by <a href=\"/user/{author}\" class=\"author may-blank\">{author}</a></p>\
<ul class=\"flat-list buttons\"><li class=\"first\"><a href=\"{link}\" class=\"bylink comments may-blank\">{comments}</a></li></ul></div></div></div>",
        author = author(post),
        at = post.at,
        count = post.comments,
        adult = post.adult,
        iso = posts::iso(post.at),
        age = posts::age(post.at),
    )
}

fn new(cards: &str, next: Option<String>, scripted: bool) -> DemoResponse {
    let (source, script) = match scripted {
        true => (
            " data-rows=\"/reddit/rows?\" data-batch=\"25\"",
            "<script src=\"/assets/list.js\"></script>",
        ),
        false => ("", ""),
    };
    let next = next.map(|after| {
        format!("<faceplate-partial loading=\"lazy\" src=\"/reddit/new/r/{FORUM}?after={after}\"><a rel=\"next\" href=\"/reddit/new/r/{FORUM}?after={after}\">More posts</a></faceplate-partial>")
    });
    DemoResponse::html(format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>r/{FORUM}</title><style>article{{min-height:120px;display:block}}</style></head>\
<body><shreddit-app><reddit-header-large><a href=\"/reddit/new/r/{FORUM}\">r/{FORUM}</a></reddit-header-large><main id=\"main-content\">\
<shreddit-feed{source}>{cards}{}</shreddit-feed></main></shreddit-app>{script}</body></html>",
        next.unwrap_or_default()
    ))
}

fn card(post: &DemoPost) -> String {
    let name = fullname(post);
    let (title, link) = (escape(&post.title), permalink(post));
    let url = post.url.as_deref().map_or(link.clone(), escape);
    let flair = post.flair.map(|flair| format!("<shreddit-post-flair slot=\"post-flair\"><span class=\"flair-content\">{flair}</span></shreddit-post-flair>"));
    let advert = match post.id % SIZE == 4 {
        true => {
            "<shreddit-ad-post id=\"t3_advert\" post-title=\"Buy our lamps now\" author=\"adverts\" permalink=\"/user/adverts/comments/x/\"></shreddit-ad-post>"
        }
        false => "",
    };
    format!(
        "{advert}<article class=\"w-full m-0\" aria-label=\"{title}\"><shreddit-post id=\"{name}\" permalink=\"{link}\" content-href=\"{url}\" comment-count=\"{comments}\" \
post-title=\"{title}\" score=\"{score}\" author=\"{author}\" subreddit-prefixed-name=\"r/{FORUM}\" created-timestamp=\"{iso}.000000+0000\" \
post-type=\"{kind}\"{adult}><a slot=\"full-post-link\" href=\"{link}\"><faceplate-screen-reader-content>{title}</faceplate-screen-reader-content></a>\
<a slot=\"title\" href=\"{link}\">{title}</a>{flair}</shreddit-post></article><hr>",
        comments = post.comments,
        score = post.points.unwrap_or(1),
        author = author(post),
        iso = posts::iso(post.at),
        kind = if post.url.is_some() { "link" } else { "text" },
        adult = if post.adult { " nsfw" } else { "" },
        flair = flair.unwrap_or_default(),
    )
}

fn json(shown: &[&DemoPost], next: Option<String>) -> DemoResponse {
    let text = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let child = |post: &&DemoPost| {
        let name = fullname(post);
        let link = permalink(post);
        format!(
            "{{\"kind\":\"t3\",\"data\":{{\"id\":{id},\"name\":{full},\"title\":{title},\"subreddit\":\"{FORUM}\",\"author\":{author},\"score\":{score},\
\"num_comments\":{comments},\"created_utc\":{at}.0,\"permalink\":{link},\"url\":{url},\"over_18\":{adult},\"link_flair_text\":{flair},\"stickied\":false}}}}",
            id = text(name.trim_start_matches("t3_")),
            full = text(&name),
            title = text(&post.title),
            author = text(author(post)),
            score = post.points.unwrap_or(1),
            comments = post.comments,
            at = post.at,
            link = text(&link),
            url = text(post.url.as_deref().unwrap_or(&link)),
            adult = post.adult,
            flair = post.flair.map_or("null".to_owned(), text),
        )
    };
    let children: Vec<String> = shown.iter().map(child).collect();
    let after = next.map_or("null".to_owned(), |next| text(&next));
    let body = format!(
        "{{\"kind\":\"Listing\",\"data\":{{\"after\":{after},\"dist\":{},\"children\":[{}]}}}}",
        shown.len(),
        children.join(",")
    );
    DemoResponse::of("application/json; charset=utf-8", body)
}
