//! The category tree: page by page, all on one page, and as a widget with collapsible branches.

use crate::ask::{DemoRequest, DemoResponse};
use crate::goods::{self, CATEGORIES, Language};
use crate::html::{escape, frame};
use crate::shop;

/// `/tree/`, `/tree/Home`, `/tree/Home/Cleaning/Mops`; `/tree/details`; `/tree/js`; `/tree/rows?leaf=Mops`.
pub(crate) fn page(ask: &DemoRequest, rest: &str) -> Option<DemoResponse> {
    let rest = rest.trim_end_matches('/');
    match rest {
        "details" => Some(DemoResponse::page(
            "Categories",
            &format!("<h1>Categories</h1><nav>{}</nav>", details()),
        )),
        "js" => Some(DemoResponse::page(
            "Categories",
            &format!(
                "<h1>Categories</h1><div id=\"tree\" role=\"tree\" aria-label=\"Categories\" data-tree=\"{}\"></div><h2 id=\"chosen\"></h2>\
<ul class=\"products\" id=\"products\"></ul><script src=\"/assets/tree.js\"></script>",
                CATEGORIES
                    .iter()
                    .map(|category| category.path.join("/"))
                    .collect::<Vec<_>>()
                    .join(";")
            ),
        )),
        "rows" => Some(DemoResponse::of(
            "text/html; charset=utf-8",
            leaf(ask.get("leaf")?)?,
        )),
        _ => branch(rest),
    }
}

fn leaf(name: &str) -> Option<String> {
    let category = CATEGORIES.iter().position(|category| category.path[2] == name)?;
    Some(shop::rows(
        &goods::of_category(Language::English, category),
        "plain",
    ))
}

fn branch(rest: &str) -> Option<DemoResponse> {
    let path: Vec<&str> = rest.split('/').filter(|name| !name.is_empty()).collect();
    let below = CATEGORIES
        .iter()
        .filter(|category| category.path.starts_with(&path));
    let mut children: Vec<&str> = below
        .filter_map(|category| category.path.get(path.len()).copied())
        .collect();
    children.dedup();
    let title = path.last().copied().unwrap_or("Categories");
    let link = |name: &&str| {
        let mut to = path.clone();
        to.push(name);
        format!(
            "<li><a href=\"/tree/{}\">{name}</a></li>",
            to.join("/").replace(' ', "%20")
        )
    };
    let links: String = children.iter().map(link).collect();
    if path.len() == 3 {
        let products = leaf(title)?;
        CATEGORIES.iter().find(|category| category.path[..] == path[..])?;
        return Some(DemoResponse::html(frame(
            title,
            &format!("<h1>{}</h1><ul class=\"products\">{products}</ul>", escape(title)),
        )));
    }
    (!children.is_empty()).then(|| {
        DemoResponse::page(
            title,
            &format!(
                "<h1>{}</h1><nav><ul class=\"categories\">{links}</ul></nav>",
                escape(title)
            ),
        )
    })
}

/// All branches on one page, folded.
fn details() -> String {
    let mut html = String::new();
    let mut open: [&str; 2] = ["", ""];
    for category in CATEGORIES {
        let [top, middle, name] = category.path;
        if open[1] != middle || open[0] != top {
            html.push_str(if open[1].is_empty() {
                ""
            } else {
                "</ul></details></li>"
            });
            if open[0] != top {
                html.push_str(if open[0].is_empty() { "" } else { "</ul></details>" });
                html.push_str(&format!("<details><summary>{top}</summary><ul>"));
            }
            html.push_str(&format!("<li><details><summary>{middle}</summary><ul>"));
            open = [top, middle];
        }
        let address = category.path.join("/").replace(' ', "%20");
        html.push_str(&format!("<li><a href=\"/tree/{address}\">{name}</a></li>"));
    }
    html + "</ul></details></li></ul></details>"
}
