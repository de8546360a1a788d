//! Which links lead to the next and the previous page of the same thing?
//!
//! Each link with a target is weighed by what it says of itself (`rel`, words in many
//! languages, arrows, class names), by where it stands (in a row of page numbers or not)
//! and by how its address differs from the page's own (`page=2` against `page=3`).

use std::collections::HashMap;

use page::Page;
use page::dom::{Node, NodeId};
use url::Url;

mod address;
mod words;

use address::Step;
use words::{Said, Way};

/// Most links that are weighed.
const MAX_LINKS: usize = 20_000;
/// A link needs this much to be believed.
const ENOUGH: i32 = 30;

/// The way through a list, a thread or an article that is cut into pages.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct PageLinks {
    /// The page that follows. On a blog that speaks of age it is the newer one.
    pub next: Option<Url>,
    /// The page before. On a blog that speaks of age it is the older one.
    pub prev: Option<Url>,
    /// Whether `prev` is worded by age ("older posts"): then it is the one that leads on through the list.
    pub older: bool,
    /// Links to pages by their number, in order, each number once.
    pub numbered: Vec<(u32, Url)>,
}

impl PageLinks {
    /// The page that goes on with the list: the next one, or the older one on a blog.
    pub fn onward(&self) -> Option<&Url> {
        if self.older {
            self.prev.as_ref()
        } else {
            self.next.as_ref()
        }
    }
}

struct Link<'a> {
    node: Node<'a>,
    url: Url,
    number: Option<u32>,
}

/// Finds the page links of a page.
pub fn links(page: &Page) -> PageLinks {
    let links: Vec<Link<'_>> = page
        .dom()
        .by_tag("a")
        .filter_map(|node| {
            let href = node
                .attr("href")
                .map(str::trim)
                .filter(|it| !it.is_empty() && !it.starts_with('#'))?;
            let url = page
                .absolute(href)
                .filter(|url| matches!(url.scheme(), "http" | "https"))?;
            Some(Link {
                node,
                url,
                number: number(node),
            })
        })
        .take(MAX_LINKS)
        .collect();
    let rows = Rows::of(&links);
    let here = page.url();
    let mut found = PageLinks {
        numbered: rows.numbered(&links),
        ..PageLinks::default()
    };
    let mut best: [Option<(i32, &Link<'_>, bool)>; 2] = [None, None];
    for link in &links {
        let Some((way, weight, by_age)) = weigh(link, &rows, here) else {
            continue;
        };
        let slot = &mut best[usize::from(way == Way::Prev)];
        if weight >= ENOUGH && slot.as_ref().is_none_or(|best| weight > best.0) {
            *slot = Some((weight, link, by_age));
        }
    }
    let [next, prev] = best;
    if next.is_none() && prev.as_ref().is_none_or(|best| !best.2) {
        found.next = after_current(page, &links, &rows);
    }
    found.older = prev.as_ref().is_some_and(|best| best.2);
    found.next = next
        .map(|best| best.1.url.clone())
        .or(found.next)
        .or_else(|| declared(page, "next", here));
    found.prev = prev
        .map(|best| best.1.url.clone())
        .or_else(|| declared(page, "prev", here));
    found
}

/// In a row of page numbers, the link after the number that is none: that is the page itself.
fn after_current(page: &Page, links: &[Link<'_>], rows: &Rows) -> Option<Url> {
    let first = links
        .iter()
        .find(|link| link.number.is_some() && in_pager(link.node) && rows.near(link.node) >= 2)?;
    let row = first
        .node
        .ancestors()
        .take(3)
        .max_by_key(|ancestor| rows.holders.get(&ancestor.id()).copied().unwrap_or(0))?;
    let linked: Vec<(u32, &Url)> = links
        .iter()
        .filter(|link| link.node.is_inside(row.id()))
        .filter_map(|link| Some((link.number?, &link.url)))
        .collect();
    let here = page.url();
    let marked = row
        .descendants()
        .take(400)
        .filter(|it| it.is_text() && it.closest("a").is_none_or(|a| a.attr("href").is_none()));
    let current = marked
        .filter_map(|it| number(it))
        .find(|number| !linked.iter().any(|link| link.0 == *number));
    let current = current.or_else(|| {
        linked
            .iter()
            .find(|linked| here.is_some_and(|here| linked.1 == here))
            .map(|linked| linked.0)
    })?;
    linked
        .iter()
        .find(|linked| linked.0 == current + 1)
        .map(|linked| linked.1.clone())
}

/// The number a link stands for, when it is nothing but one.
fn number(node: Node<'_>) -> Option<u32> {
    let text = node.text();
    let text = text.trim_matches(|c: char| c.is_whitespace() || "[](){}.|·".contains(c));
    let small = (1..=6).contains(&text.len()) && text.bytes().all(|it| it.is_ascii_digit());
    text.parse().ok().filter(|_| small)
}

/// Where links to numbered pages stand together.
struct Rows {
    /// For an element that holds page numbers, how many.
    holders: HashMap<NodeId, u32>,
}

impl Rows {
    /// A row is an element with several numbers in it, at most three levels above them.
    fn of(links: &[Link<'_>]) -> Rows {
        let mut holders = HashMap::new();
        for link in links.iter().filter(|link| link.number.is_some()) {
            for outer in link.node.ancestors().filter(|it| it.is_element()).take(3) {
                *holders.entry(outer.id()).or_insert(0) += 1;
            }
        }
        Rows { holders }
    }

    /// How many page numbers stand near a node.
    fn near(&self, node: Node<'_>) -> u32 {
        node.ancestors()
            .take(3)
            .filter_map(|ancestor| self.holders.get(&ancestor.id()))
            .max()
            .copied()
            .unwrap_or(0)
    }

    fn numbered(&self, links: &[Link<'_>]) -> Vec<(u32, Url)> {
        let mut numbered: Vec<(u32, Url)> = links
            .iter()
            .filter(|link| in_pager(link.node) || self.near(link.node) >= 2)
            .filter_map(|link| Some((link.number?, link)))
            .filter(|(number, link)| {
                address::numbers(&link.url).any(|has| has == *number || has + 1 == *number)
                    || *number == 1
                    || in_pager(link.node)
            })
            .map(|(number, link)| (number, link.url.clone()))
            .collect();
        numbered.sort_by_key(|numbered| numbered.0);
        numbered.dedup_by_key(|numbered| numbered.0);
        numbered
    }
}

/// Whether the names around a link speak of pages.
fn in_pager(node: Node<'_>) -> bool {
    std::iter::once(node).chain(node.ancestors()).take(5).any(|element| {
        let of = |name: &str| {
            let name = name.to_ascii_lowercase();
            [
                "pagination",
                "paginat",
                "pager",
                "paging",
                "pagenav",
                "page-nav",
                "page_nav",
                "page-numbers",
                "pagelinks",
                "wp-pagenavi",
                "navlinks",
                "nav-links",
            ]
            .iter()
            .any(|part| name.contains(part))
        };
        of(element.class()) || of(element.id_attr()) || element.attr("aria-label").is_some_and(of)
    })
}

/// Whether a link turns the leaves of a calendar.
fn in_calendar(node: Node<'_>) -> bool {
    let says = |name: &str| name.to_ascii_lowercase().contains("calendar");
    node.ancestors()
        .take(6)
        .any(|ancestor| says(ancestor.class()) || says(ancestor.id_attr()))
}

/// What the names of a link and its wrapper say: `next`, `pagination-previous`.
fn named(node: Node<'_>) -> Option<Way> {
    let name = |name: &str| {
        let mut way = None;
        for part in name.split(|c: char| !c.is_ascii_alphanumeric()) {
            match part.to_ascii_lowercase().as_str() {
                "next" | "nextpostslink" | "nextpage" | "newer" | "nextlink" | "weiter" | "suivant"
                | "siguiente" => way = Some(Way::Next),
                "prev" | "previous" | "previouspostslink" | "prevpage" | "previouspage" | "older"
                | "prevlink" => way = Some(Way::Prev),
                _ => {}
            }
        }
        way
    };
    let alone = node
        .parent()
        .filter(|parent| parent.children().filter(|it| it.is_element()).take(2).count() == 1);
    let inner = node.children().find(|it| it.is_element());
    [Some(node), alone, inner]
        .into_iter()
        .flatten()
        .find_map(|element| name(element.class()).or_else(|| name(element.id_attr())))
}

fn weigh(link: &Link<'_>, rows: &Rows, here: Option<&Url>) -> Option<(Way, i32, bool)> {
    let node = link.node;
    let rel = node.attr("rel").unwrap_or("").to_ascii_lowercase();
    let rel = rel.split_whitespace().find_map(|word| match word {
        "next" => Some(Way::Next),
        "prev" | "previous" => Some(Way::Prev),
        _ => None,
    });
    let said = spoken(node);
    let named = named(node);
    let way = rel.or(said.map(|meaning| meaning.way)).or(named)?;
    let mut weight = 0;
    weight += match rel {
        Some(_) => 50,
        None => 0,
    };
    weight += match said {
        Some(Said {
            way: its, clarity, ..
        }) if its == way => [0, 10, 25, 40][usize::from(clarity.min(3))],
        Some(_) => -10,
        None => 0,
    };
    weight += match named {
        Some(its) if its == way => 15,
        Some(_) => -10,
        None => 0,
    };
    let pager = in_pager(node);
    weight += if pager { 15 } else { 0 };
    weight += match rows.near(node) {
        0 => 0,
        1 => 5,
        _ => 15,
    };
    if in_calendar(node) {
        weight -= 40;
    }
    if let Some(here) = here {
        weight += match (address::step(here, &link.url), way) {
            (Step::Same, _) => -40,
            (Step::Forward, Way::Next) | (Step::Back, Way::Prev) => 20,
            (Step::Forward, Way::Prev) | (Step::Back, Way::Next) if said.is_some_and(|meaning| meaning.by_age) => 20,
            (Step::Jump | Step::Forward | Step::Back, _) => 0,
            (Step::Other, _) => {
                if pager {
                    0
                } else {
                    -5
                }
            }
            (Step::Away, _) => -30,
        };
    }
    Some((way, weight, said.is_some_and(|meaning| meaning.by_age)))
}

/// What a link says in words, best of its text, title, label and images.
fn spoken(node: Node<'_>) -> Option<Said> {
    let text = node.text();
    let of_image = || {
        node.descendants()
            .take(8)
            .filter(|node| node.is("img") || node.is("svg") || node.is("i") || node.is("span"))
    };
    let texts = [Some(text.as_str()), node.attr("title"), node.attr("aria-label")];
    let images: Vec<&str> = of_image()
        .filter_map(|image| {
            image.attr("alt")
                .or_else(|| image.attr("title"))
                .or_else(|| image.attr("aria-label"))
        })
        .collect();
    texts
        .into_iter()
        .flatten()
        .chain(images)
        .filter_map(words::said)
        .max_by_key(|meaning| meaning.clarity)
}

/// `<link rel="next">` in the head, when its address is a page of this one: on single posts it means another post.
fn declared(page: &Page, asked: &str, here: Option<&Url>) -> Option<Url> {
    page.dom()
        .by_tag("link")
        .filter(|link| {
            link.attr("rel")
                .is_some_and(|rel| rel.split_whitespace().any(|token| token.eq_ignore_ascii_case(asked)))
        })
        .filter_map(|link| page.absolute(link.attr("href")?))
        .find(|url| here.is_none_or(|here| matches!(address::step(here, url), Step::Forward | Step::Back)))
}

#[cfg(test)]
mod tests;
