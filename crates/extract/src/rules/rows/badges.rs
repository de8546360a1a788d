//! What stands beside the names of entries: badges behind them ("Balcony tomato" with "Organic" beside the link is called by its link
//! alone) or before them ("-19% Kettle"), and a label before all of them ("Title: …").

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

/// Takes badges from before the names of entries: where the picture of an entry is called by its name alone, and an element says what
/// stands before that. A brand stands before all names, so that a badge with letters needs an entry that has none.
pub(super) fn leave_out_before(view: &VisiblePage<'_>, rows: &mut [Row]) {
    let names: Vec<Option<(String, String)>> = rows.iter().map(|row| badge_and_name(view, row)).collect();
    let has_bare = names.iter().flatten().any(|(badge, _)| badge.is_empty());
    for (row, named) in rows.iter_mut().zip(names) {
        if let Some((badge, name)) = named
            && !badge.is_empty()
            && (has_bare || !badge.contains(char::is_alphabetic))
        {
            row.title = Some(name);
        }
    }
}

/// What the title of an entry has before the name of its picture, and that name.
fn badge_and_name(view: &VisiblePage<'_>, row: &Row) -> Option<(String, String)> {
    let title = row.title.as_deref()?;
    let elements = || nodes(view, &row.elements).filter(|node| node.is_element());
    let named = |picture: Node<'_>| {
        let name = squeeze(picture.attr("alt")?);
        let before = title.strip_suffix(name.as_str())?;
        let badge = before.trim_end();
        let is_apart = badge.len() < before.len() || before.is_empty();
        let is_badge = badge.chars().count() <= LONGEST && is_apart && name.contains(char::is_alphabetic);
        is_badge.then(|| (badge.to_owned(), name))
    };
    let (badge, name) = elements().filter(|node| node.is("img")).find_map(named)?;
    let is_said = badge.is_empty() || elements().any(|node| squeeze(&node.text()) == badge);
    is_said.then_some((badge, name))
}

/// Words for what a title is, before it, in small letters.
#[rustfmt::skip]
const TITLE_LABELS: [&str; 19] = [
    "title", "name", "subject", "product", "item", "article", "headline", "titel", "bezeichnung", "produkt", "artikel", "betreff",
    "tytuł", "nazwa", "temat", "titre", "nom", "título", "nombre",
];

/// Takes a label from the titles of entries that all of them begin with: a word for what a title is, or one in an element of its own.
/// Where all entries are about one thing ("Excel: macros"), its name is a part of them.
pub(super) fn without_label(view: &VisiblePage<'_>, rows: &mut [Row]) {
    let label = |row: &Row| {
        let (label, rest) = row.title.as_deref()?.split_once(": ")?;
        let is_label = label.chars().count() <= LONGEST && label.chars().all(char::is_alphabetic);
        (is_label && !rest.is_empty()).then(|| label.to_owned())
    };
    let Some(first) = rows.first().and_then(label).filter(|_| rows.len() >= FEWEST) else {
        return;
    };
    let is_apart = |row: &Row| {
        let mut elements = nodes(view, &row.elements).filter(|node| node.is_element());
        elements.any(|node| squeeze(&node.text()).trim_end_matches([':', ' ']) == first)
    };
    let is_label = TITLE_LABELS.contains(&first.to_lowercase().as_str()) || rows.iter().all(is_apart);
    if is_label && rows.iter().all(|row| label(row).as_ref() == Some(&first)) {
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
        assert_eq!(titles(|_| "<b>Talk:</b> "), bare);
        assert_eq!(titles(|_| "Excel: ")[0], "Excel: Paper 1: mills");
        assert_eq!(
            titles(|at| if at == 2 { "Title: " } else { "" })[1],
            "Title: Paper 2: mills"
        );
    }

    #[test]
    fn a_badge_before_the_name_of_the_picture_is_no_part_of_it() {
        let titles = |badges: [&str; 4]| {
            let entry = |(at, badge): (usize, &&str)| {
                let badge = match badge.is_empty() {
                    true => String::new(),
                    false => format!("<span class=tag>{badge}</span>"),
                };
                format!(
                    "<div class=card><a href='/p/{at}'>{badge}<img src='/i/{at}.jpg' alt='Kettle no. {at}'><p>Kettle no. {at}</p></a>\
                     <div><span>{at}9,99 €</span></div></div>"
                )
            };
            let cards: String = badges.iter().enumerate().map(entry).collect();
            let page = Page::new(
                format!("<h1>Kettles</h1><div>{cards}</div>"),
                "https://kettles.example/".parse().ok(),
            );
            let rows = rows::read(&super::VisiblePage::of(&page)).into_iter();
            rows.filter_map(|row| row.title).collect::<Vec<_>>()
        };
        let bare = ["Kettle no. 0", "Kettle no. 1", "Kettle no. 2", "Kettle no. 3"];
        assert_eq!(titles(["-19%", "", "New", ""]), bare);
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
