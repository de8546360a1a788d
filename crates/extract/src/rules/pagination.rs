//! Links to the next, the previous and the numbered pages of a list, a thread or an article.
//!
//! Each link with a target is weighed by what it says of itself (`rel`, words in many
//! languages, arrows, class names), by where it stands (in a row of page numbers or not)
//! and by how its address differs from the page's own (`page=2` against `page=3`).

use std::collections::HashMap;

use page::Page;
use page::dom::{Node, NodeId};
use url::Url;

mod address;
mod link_words;

use address::AddressStep;
use link_words::{Direction, LinkMeaning};

/// Most links that are weighed.
const MAX_LINKS: usize = 20_000;
/// A link needs this much to be believed.
const ENOUGH: i32 = 30;

/// The page links of a list, a thread or an article that is cut into pages.
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

struct PagedLink<'a> {
    node: Node<'a>,
    url: Url,
    number: Option<u32>,
}

/// Finds the page links of a page.
pub fn links(page: &Page) -> PageLinks {
    let links: Vec<PagedLink<'_>> = page
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
            Some(PagedLink {
                node,
                url,
                number: number(node),
            })
        })
        .take(MAX_LINKS)
        .collect();
    let number_rows = NumberRows::of(&links);
    let current_url = page.url();
    let mut found = PageLinks {
        numbered: number_rows.numbered(&links),
        ..PageLinks::default()
    };
    let mut best: [Option<(i32, &PagedLink<'_>, bool)>; 2] = [None, None];
    for link in &links {
        let Some((direction, weight, by_age)) = weigh(link, &number_rows, current_url) else {
            continue;
        };
        let slot = &mut best[usize::from(direction == Direction::Prev)];
        if weight >= ENOUGH && slot.as_ref().is_none_or(|best| weight > best.0) {
            *slot = Some((weight, link, by_age));
        }
    }
    let [next, prev] = best;
    if next.is_none() && prev.as_ref().is_none_or(|best| !best.2) {
        found.next = after_current(page, &links, &number_rows);
    }
    found.older = prev.as_ref().is_some_and(|best| best.2);
    found.next = next
        .map(|best| best.1.url.clone())
        .or(found.next)
        .or_else(|| declared_link(page, "next", current_url));
    found.prev = prev
        .map(|best| best.1.url.clone())
        .or_else(|| declared_link(page, "prev", current_url));
    found
}

/// In a row of page numbers, the link after the number that is none: that is the page itself.
fn after_current(page: &Page, links: &[PagedLink<'_>], number_rows: &NumberRows) -> Option<Url> {
    let first = links.iter().find(|link| {
        link.number.is_some() && is_in_pager(link.node) && number_rows.nearby_numbers(link.node) >= 2
    })?;
    let row = first
        .node
        .ancestors()
        .take(3)
        .max_by_key(|ancestor| number_rows.holders.get(&ancestor.id()).copied().unwrap_or(0))?;
    let linked: Vec<(u32, &Url)> = links
        .iter()
        .filter(|link| link.node.is_inside(row.id()))
        .filter_map(|link| Some((link.number?, &link.url)))
        .collect();
    let current_url = page.url();
    let marked = row
        .descendants()
        .take(400)
        .filter(|node| node.is_text() && node.closest("a").is_none_or(|a| a.attr("href").is_none()));
    let current = marked
        .filter_map(number)
        .find(|number| !linked.iter().any(|link| link.0 == *number));
    let current = current.or_else(|| {
        linked
            .iter()
            .find(|linked| current_url.is_some_and(|current_url| linked.1 == current_url))
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
    let small = (1..=6).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| small)
}

/// Where links to numbered pages stand together.
struct NumberRows {
    /// For an element that holds page numbers, how many.
    holders: HashMap<NodeId, u32>,
}

impl NumberRows {
    /// A row is an element with several numbers in it, at most three levels above them.
    fn of(links: &[PagedLink<'_>]) -> NumberRows {
        let mut holders = HashMap::new();
        for link in links.iter().filter(|link| link.number.is_some()) {
            for outer in link.node.ancestors().filter(|it| it.is_element()).take(3) {
                *holders.entry(outer.id()).or_insert(0) += 1;
            }
        }
        NumberRows { holders }
    }

    /// How many page numbers stand near a node.
    fn nearby_numbers(&self, node: Node<'_>) -> u32 {
        node.ancestors()
            .take(3)
            .filter_map(|ancestor| self.holders.get(&ancestor.id()))
            .max()
            .copied()
            .unwrap_or(0)
    }

    fn numbered(&self, links: &[PagedLink<'_>]) -> Vec<(u32, Url)> {
        let mut numbered: Vec<(u32, Url)> = links
            .iter()
            .filter(|link| is_in_pager(link.node) || self.nearby_numbers(link.node) >= 2)
            .filter_map(|link| Some((link.number?, link)))
            .filter(|(number, link)| {
                address::numbers(&link.url).any(|has| has == *number || has + 1 == *number)
                    || *number == 1
                    || is_in_pager(link.node)
            })
            .map(|(number, link)| (number, link.url.clone()))
            .collect();
        numbered.sort_by_key(|numbered| numbered.0);
        numbered.dedup_by_key(|numbered| numbered.0);
        numbered
    }
}

/// Parts of class names around page links.
#[rustfmt::skip]
const PAGER_NAMES: &[&str] = &[
    "pagination", "paginat", "pager", "paging", "pagenav", "page-nav", "page_nav", "page-numbers", "pagelinks",
    "wp-pagenavi", "navlinks", "nav-links",
];

/// Whether the names around a link speak of pages.
fn is_in_pager(node: Node<'_>) -> bool {
    std::iter::once(node)
        .chain(node.ancestors())
        .take(5)
        .any(|element| {
            let of = |name: &str| {
                let name = name.to_ascii_lowercase();
                PAGER_NAMES.iter().any(|part| name.contains(part))
            };
            of(element.class()) || of(element.id_attr()) || element.attr("aria-label").is_some_and(of)
        })
}

/// Whether a link turns the leaves of a calendar.
fn is_in_calendar(node: Node<'_>) -> bool {
    let says = |name: &str| name.to_ascii_lowercase().contains("calendar");
    node.ancestors()
        .take(6)
        .any(|ancestor| says(ancestor.class()) || says(ancestor.id_attr()))
}

/// What the names of a link and its wrapper say: `next`, `pagination-previous`.
fn class_direction(node: Node<'_>) -> Option<Direction> {
    let name = |name: &str| {
        let mut direction = None;
        for part in name.split(|c: char| !c.is_ascii_alphanumeric()) {
            match part.to_ascii_lowercase().as_str() {
                "next" | "nextpostslink" | "nextpage" | "newer" | "nextlink" | "weiter" | "suivant"
                | "siguiente" => direction = Some(Direction::Next),
                "prev" | "previous" | "previouspostslink" | "prevpage" | "previouspage" | "older"
                | "prevlink" => direction = Some(Direction::Prev),
                _ => {}
            }
        }
        direction
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

fn weigh(
    link: &PagedLink<'_>,
    number_rows: &NumberRows,
    current_url: Option<&Url>,
) -> Option<(Direction, i32, bool)> {
    let node = link.node;
    let rel = node.attr("rel").unwrap_or("").to_ascii_lowercase();
    let rel = rel.split_whitespace().find_map(|word| match word {
        "next" => Some(Direction::Next),
        "prev" | "previous" => Some(Direction::Prev),
        _ => None,
    });
    let meaning = link_meaning(node);
    let class_direction = class_direction(node);
    let direction = rel
        .or(meaning.map(|meaning| meaning.direction))
        .or(class_direction)?;
    let mut weight = 0;
    weight += match rel {
        Some(_) => 50,
        None => 0,
    };
    weight += match meaning {
        Some(LinkMeaning {
            direction: its,
            clarity,
            ..
        }) if its == direction => [0, 10, 25, 40][usize::from(clarity.min(3))],
        Some(_) => -10,
        None => 0,
    };
    weight += match class_direction {
        Some(its) if its == direction => 15,
        Some(_) => -10,
        None => 0,
    };
    let pager = is_in_pager(node);
    weight += if pager { 15 } else { 0 };
    weight += match number_rows.nearby_numbers(node) {
        0 => 0,
        1 => 5,
        _ => 15,
    };
    if is_in_calendar(node) {
        weight -= 40;
    }
    if let Some(current_url) = current_url {
        weight += match (address::step(current_url, &link.url), direction) {
            (AddressStep::Same, _) => -40,
            (AddressStep::Forward, Direction::Next) | (AddressStep::Back, Direction::Prev) => 20,
            (AddressStep::Forward, Direction::Prev) | (AddressStep::Back, Direction::Next)
                if meaning.is_some_and(|meaning| meaning.by_age) =>
            {
                20
            }
            (AddressStep::Jump | AddressStep::Forward | AddressStep::Back, _) => 0,
            (AddressStep::Other, _) => {
                if pager {
                    0
                } else {
                    -5
                }
            }
            (AddressStep::Away, _) => -30,
        };
    }
    Some((direction, weight, meaning.is_some_and(|meaning| meaning.by_age)))
}

/// What a link says in words, best of its text, title, label and images.
fn link_meaning(node: Node<'_>) -> Option<LinkMeaning> {
    let text = node.text();
    let of_image = || {
        node.descendants()
            .take(8)
            .filter(|node| node.is("img") || node.is("svg") || node.is("i") || node.is("span"))
    };
    let texts = [Some(text.as_str()), node.attr("title"), node.attr("aria-label")];
    let images: Vec<&str> = of_image()
        .filter_map(|image| {
            image
                .attr("alt")
                .or_else(|| image.attr("title"))
                .or_else(|| image.attr("aria-label"))
        })
        .collect();
    texts
        .into_iter()
        .flatten()
        .chain(images)
        .filter_map(link_words::meaning)
        .max_by_key(|meaning| meaning.clarity)
}

/// `<link rel="next">` in the head, when its address is a page of this one: on single posts it means another post.
fn declared_link(page: &Page, asked: &str, current_url: Option<&Url>) -> Option<Url> {
    page.dom()
        .by_tag("link")
        .filter(|link| {
            link.attr("rel").is_some_and(|rel| {
                rel.split_whitespace()
                    .any(|token| token.eq_ignore_ascii_case(asked))
            })
        })
        .filter_map(|link| page.absolute(link.attr("href")?))
        .find(|url| {
            current_url.is_none_or(|current_url| {
                matches!(
                    address::step(current_url, url),
                    AddressStep::Forward | AddressStep::Back
                )
            })
        })
}

#[cfg(test)]
mod tests;
