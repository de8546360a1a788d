//! Posts of a thread among the entries of lists: the name that stands at their head is that of who wrote them.

use super::row::Row;
use crate::rules::addresses::leads_to_person;

/// Fewest posts of a thread.
const FEWEST: usize = 3;
/// Least share of the entries that are told as posts are, in tenths.
const MOST: usize = 8;
/// Bytes that a post has at least beside its name.
const LEAST_TEXT: usize = 40;

/// Where nearly all entries lead to people and have a time of day, and some people have several: their titles are the authors, and the
/// amounts of money in them are told.
pub(super) fn name_authors(rows: &mut [Row]) {
    let posts = rows.iter().filter(|row| is_post(row)).count();
    if rows.len() < FEWEST || posts * 10 < rows.len() * MOST || !is_of_few_people(rows) {
        return;
    }
    for row in rows.iter_mut().filter(|row| is_post(row)) {
        row.author = row.title.take().or(row.author.take());
        row.url = None;
        (
            row.price,
            row.old_price,
            row.instalment,
            row.unit_price,
            row.currency,
        ) = (None, None, None, None, None);
    }
}

/// Whether somebody wrote two entries, as nobody stands twice in a list of people.
fn is_of_few_people(rows: &[Row]) -> bool {
    let mut names: Vec<&str> = rows.iter().filter_map(|row| row.title.as_deref()).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    names.len() < all && names.len() > 1
}

/// Whether an entry is told as a post is: a name that leads to a person, a time of day, and a text.
fn is_post(row: &Row) -> bool {
    let is_of_person = row.url.as_deref().is_some_and(leads_to_person);
    let is_timed = row.date.as_deref().is_some_and(|date| date.contains('T'));
    let name = row.title.as_deref().map_or(0, str::len);
    is_of_person && is_timed && row.text.len() >= name + LEAST_TEXT
}

#[cfg(test)]
mod tests {
    use page::Page;

    use crate::rules::rows;
    use crate::rules::visible_page::VisiblePage;

    #[test]
    fn posts_have_authors_and_no_prices() {
        let post = |name: &str, time: &str, text: &str| {
            format!(
                "<div class=post><div><a href='/u/{name}'>{name}</a> <span>Posts: 345</span></div><div>14 January 2024, {time}</div><div><p>{text}</p></div></div>"
            )
        };
        let posts = [
            post(
                "tom77",
                "09:12",
                "My boiler drops from 1.5 bar to 0.5 bar in two days. No leaks that I can see. Any ideas?",
            ),
            post(
                "gasman",
                "10:40",
                "Probably the vessel. Check the valve of it first. A new one costs £60 in most of the shops.",
            ),
            post(
                "tom77",
                "18:03",
                "That was it, thanks! Repumped to 0.8 bar and it holds since then without a drop.",
            ),
        ];
        let html = format!("<h1>Boiler keeps losing pressure</h1>{}", posts.concat());
        let page = Page::new(html, "https://forum.example/t/1".parse().ok());
        let rows: Vec<_> = rows::read(&VisiblePage::of(&page))
            .into_iter()
            .map(|row| (row.author, row.title, row.url, row.price))
            .collect();
        let author = |name: &str| (Some(name.to_owned()), None, None, None);
        assert_eq!(rows, ["tom77", "gasman", "tom77"].map(author));
    }
}
