//! What stands beside the names of entries: badges behind them ("Balcony tomato" with "Organic" beside the link is called by its link
//! alone), and a label before all of them ("Title: …").

use page::dom::Node;

use super::Row;
use super::elements::nodes;
use crate::rules::visible_page::{VisiblePage, squeeze};

/// Most characters of a badge.
const LONGEST: usize = 14;
/// Fewest entries with links of which the badges can be told.
const FEWEST: usize = 4;

/// Takes badges from the titles of entries: what stands behind the linked name in several entries, and not in all of them.
pub(super) fn leave_out(view: &VisiblePage<'_>, rows: &mut [Row]) {
    let names: Vec<Option<(String, String)>> = rows.iter().map(|row| parts(view, row)).collect();
    let linked = names.iter().flatten().count();
    if linked < FEWEST || linked * 2 < rows.len() {
        return;
    }
    let is_badge = |badge: &str| {
        let with = names.iter().flatten().filter(|(_, other)| other == badge).count();
        (2..linked).contains(&with)
    };
    for (row, parts) in rows.iter_mut().zip(&names) {
        if let Some((name, badge)) = parts
            && !badge.is_empty()
            && is_badge(badge)
        {
            row.title = Some(name.clone());
        }
    }
}

/// Takes a label from the titles of entries that all of them begin with.
pub(super) fn without_label(rows: &mut [Row]) {
    let label = |row: &Row| {
        let (label, rest) = row.title.as_deref()?.split_once(": ")?;
        let is_label = label.chars().count() <= LONGEST && label.chars().all(char::is_alphabetic);
        (is_label && !rest.is_empty()).then(|| label.to_owned())
    };
    let Some(first) = rows.first().and_then(label).filter(|_| rows.len() >= FEWEST) else {
        return;
    };
    if rows.iter().all(|row| label(row).as_ref() == Some(&first)) {
        for title in rows.iter_mut().filter_map(|row| row.title.as_mut()) {
            title.drain(..first.len() + ": ".len());
        }
    }
}

/// The text of an entry's link, and what its title has behind that.
fn parts(view: &VisiblePage<'_>, row: &Row) -> Option<(String, String)> {
    let title = row.title.as_deref()?;
    let is_name = |node: Node<'_>| {
        let text = squeeze(&node.text());
        let badge = title.strip_prefix(text.as_str())?;
        let is_apart = badge.is_empty() || badge.starts_with(' ');
        (!text.is_empty() && is_apart && badge.chars().count() <= LONGEST)
            .then(|| (text.clone(), badge.trim().to_owned()))
    };
    let link = nodes(view, &row.elements).find(|node| node.is("a") && !squeeze(&node.text()).is_empty())?;
    is_name(link)
}

#[cfg(test)]
mod tests {
    use page::Page;

    use crate::rules::rows;

    #[test]
    fn a_label_before_all_names_is_no_part_of_them() {
        let titles = |label: fn(u32) -> &'static str| {
            let entry = |at: u32| {
                format!(
                    "<article><h3><a href='/p/{at}'>{}Paper {at}: mills</a></h3><p>By Anna Holt, {at} pages.</p></article>",
                    label(at)
                )
            };
            let html = format!(
                "<h1>Papers</h1><div>{}</div>",
                (1..=4).map(entry).collect::<String>()
            );
            let page = Page::new(html, "https://papers.example/".parse().ok());
            let rows = rows::read(&super::VisiblePage::of(&page)).into_iter();
            rows.filter_map(|row| row.title).collect::<Vec<_>>()
        };
        let bare = [
            "Paper 1: mills",
            "Paper 2: mills",
            "Paper 3: mills",
            "Paper 4: mills",
        ];
        assert_eq!(titles(|_| "Title: "), bare);
        assert_eq!(
            titles(|at| if at == 2 { "Title: " } else { "" })[1],
            "Title: Paper 2: mills"
        );
    }

    #[test]
    fn a_badge_behind_the_link_is_no_part_of_the_name() {
        let entry = |(at, (name, badge)): (usize, &(&str, &str))| {
            format!(
                "<dt><a href='/s/{at}'>{name}</a> {badge}</dt><dd>Sow in spring, number {at}.</dd><dd>{at},40 €</dd>"
            )
        };
        let bio = "<span class=bio>Organic</span>";
        let seeds = [
            ("Tomato", bio),
            ("Sugar pea", ""),
            ("Chard", bio),
            ("Cress", ""),
            ("Leek", "<i>mild</i>"),
        ];
        let entries: String = seeds.iter().enumerate().map(entry).collect();
        let page = Page::new(
            format!("<h1>Seeds</h1><dl>{entries}</dl>"),
            "https://seeds.example/".parse().ok(),
        );
        let rows = rows::read(&super::VisiblePage::of(&page));
        let titles: Vec<_> = rows.iter().filter_map(|row| row.title.as_deref()).collect();
        assert_eq!(titles, ["Tomato", "Sugar pea", "Chard", "Cress", "Leek mild"]);
    }
}
