//! A news page in the markup of Hacker News: today's, and that of before 2022.

use crate::ask::{DemoRequest, DemoResponse};
use crate::html::escape;
use crate::posts::{self, DemoPost};

const SIZE: usize = 30;

/// `/hn/news?p=2` and `/hn/old?p=2`.
pub(crate) fn page(ask: &DemoRequest, rest: &str) -> Option<DemoResponse> {
    let new = match rest {
        "" | "news" => true,
        "old" => false,
        _ => return None,
    };
    let all = posts::all();
    let from = ((ask.page() - 1) * SIZE).min(all.len());
    let shown = all.iter().skip(from).take(SIZE);
    let rows: String = shown
        .enumerate()
        .map(|(at, post)| row(post, from + at + 1, new))
        .collect();
    let more = match from + SIZE < all.len() {
        true => format!(
            "<tr class=\"morespace\" style=\"height:10px\"></tr><tr><td colspan=\"2\"></td><td class=\"title\"><a href=\"?p={}\" \
class=\"morelink\" rel=\"next\">More</a></td></tr>",
            ask.page() + 1
        ),
        false => String::new(),
    };
    Some(DemoResponse::html(format!(
        "<html lang=\"en\" op=\"news\"><head><meta charset=\"utf-8\"><title>Demo News</title></head><body><center>\
<table id=\"hnmain\" border=\"0\" cellpadding=\"0\" cellspacing=\"0\" width=\"85%\" bgcolor=\"#f6f6ef\"><tr><td bgcolor=\"#ff6600\">\
<table border=\"0\" width=\"100%\"><tr><td><span class=\"pagetop\"><b class=\"hnname\"><a href=\"/hn/news\">Demo News</a></b>\
<a href=\"newest\">new</a> | <a href=\"front\">past</a> | <a href=\"ask\">ask</a></span></td></tr></table></td></tr>\
<tr id=\"pagespace\" style=\"height:10px\"></tr><tr><td><table border=\"0\" cellpadding=\"0\" cellspacing=\"0\">{rows}{more}</table></td></tr>\
<tr><td><br><center><span class=\"yclinks\"><a href=\"guidelines\">Guidelines</a></span></center></td></tr></table></center></body></html>"
    )))
}

fn row(post: &DemoPost, rank: usize, new: bool) -> String {
    let id = 39_000_000 + post.id;
    let title = escape(&post.title);
    let href = post.url.as_deref().map_or(format!("item?id={id}"), escape);
    let site = post.site.as_deref().map(|site| {
        format!(" <span class=\"sitebit comhead\"> (<a href=\"from?site={site}\"><span class=\"sitestr\">{site}</span></a>)</span>")
    });
    let site = site.unwrap_or_default();
    let heading = match new {
        true => format!("<span class=\"titleline\"><a href=\"{href}\">{title}</a>{site}</span>"),
        false => format!("<a href=\"{href}\" class=\"storylink\">{title}</a>{site}"),
    };
    let age = match new {
        true => format!(
            "<span class=\"age\" title=\"{} {}\"><a href=\"item?id={id}\">{}</a></span>",
            posts::iso(post.at),
            post.at,
            posts::age(post.at)
        ),
        false => format!(
            "<span class=\"age\"><a href=\"item?id={id}\">{}</a></span>",
            posts::age(post.at)
        ),
    };
    let comments = match post.comments {
        0 => "discuss".to_owned(),
        1 => "1&nbsp;comment".to_owned(),
        many => format!("{many}&nbsp;comments"),
    };
    let line = match (post.points, &post.author) {
        (Some(points), Some(author)) => format!(
            "<span class=\"score\" id=\"score_{id}\">{points} points</span> by <a href=\"user?id={author}\" class=\"hnuser\">{author}</a> \
{age} <span id=\"unv_{id}\"></span> | <a href=\"hide?id={id}&amp;goto=news\">hide</a> | <a href=\"item?id={id}\">{comments}</a>"
        ),
        _ => format!("{age} | <a href=\"hide?id={id}&amp;goto=news\">hide</a>"),
    };
    let line = if new && post.points.is_some() {
        format!("<span class=\"subline\">{line}</span>")
    } else {
        line
    };
    format!(
        "<tr class=\"athing submission\" id=\"{id}\"><td align=\"right\" valign=\"top\" class=\"title\"><span class=\"rank\">{rank}.</span></td>\
<td valign=\"top\" class=\"votelinks\"><center><a id=\"up_{id}\" href=\"vote?id={id}\"><div class=\"votearrow\" title=\"upvote\"></div></a></center></td>\
<td class=\"title\">{heading}</td></tr><tr><td colspan=\"2\"></td><td class=\"subtext\">{line}</td></tr><tr class=\"spacer\" style=\"height:5px\"></tr>"
    )
}
