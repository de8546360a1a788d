//! Links to the list itself among its entries: its heading above the first one, or "All jobs" behind the last.

use url::Url;

use super::row::Row;

/// Fewest other entries by which such a link is told.
const FEWEST: usize = 3;
/// How many times as long the text of a usual entry is.
const TIMES: usize = 4;
/// Of ten other entries, as many lead to places below the one that such a link leads to.
const OF_TEN: usize = 8;

/// Leaves out the first and the last row where it says nothing but its title, the others say much more, and it leads to the directory
/// that they stand in.
pub(super) fn leave_out(rows: &mut Vec<Row>) {
    if rows
        .last()
        .is_some_and(|last| leads_to_list(last, rows.split_last().map_or(&[], |split| split.1)))
    {
        rows.pop();
    }
    if rows
        .first()
        .is_some_and(|first| leads_to_list(first, rows.get(1..).unwrap_or_default()))
    {
        rows.remove(0);
    }
}

fn leads_to_list(row: &Row, others: &[Row]) -> bool {
    if others.len() < FEWEST || row.title.as_deref() != Some(row.text.trim()) {
        return false;
    }
    let Some(directory) = row.url.as_deref().and_then(directory) else {
        return false;
    };
    let mut lengths: Vec<usize> = others.iter().map(|other| other.text.len()).collect();
    lengths.sort_unstable();
    let usual = lengths.get(lengths.len() / 2).copied().unwrap_or_default();
    let is_below = |other: &&Row| {
        let address = other.url.as_deref().unwrap_or_default();
        address
            .strip_prefix(directory.as_str())
            .is_some_and(|rest| !rest.is_empty())
    };
    row.text.len() * TIMES <= usual && others.iter().filter(is_below).count() * 10 >= others.len() * OF_TEN
}

/// An address as that of a directory, which is not the whole site.
fn directory(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let is_plain = url.query().is_none() && url.fragment().is_none();
    let bare = address.trim_end_matches('/');
    (is_plain && !url.path().trim_matches('/').is_empty()).then(|| format!("{bare}/"))
}

#[cfg(test)]
mod tests {
    use page::Page;

    use crate::rules::rows;
    use crate::rules::visible_page::VisiblePage;

    fn titles(first: &str, last: &str) -> Vec<String> {
        let entry = |n: usize| {
            format!(
                "<tr><td><a href='/blog/post-{n}'>How the mill of place {n} works</a><br>The wheel of mill {n} turns by the water of the river, \
                 and so it has for some hundred years.</td></tr>"
            )
        };
        let entries: String = (1..7).map(entry).collect();
        let html = format!("<main><table>{first}{entries}{last}</table></main>");
        let page = Page::new(html, "https://mills.example/".parse().ok());
        let rows = rows::read(&VisiblePage::of(&page)).into_iter();
        rows.filter_map(|row| row.title).collect()
    }

    #[test]
    fn a_link_to_the_list_is_none_of_its_entries() {
        let link = |address: &str, text: &str| format!("<tr><td><a href='{address}'>{text}</a></td></tr>");
        assert_eq!(titles(&link("/blog/", "Blog entries"), "").len(), 6);
        assert_eq!(titles("", &link("/blog", "All entries")).len(), 6);
        // A short entry leads to a place of its own.
        assert_eq!(titles(&link("/blog/short", "Short post"), "").len(), 7);
    }
}
