//! What a page calls the entries of its list, beside its title: in the paths of their addresses (`/fahrzeug/55250`), where it says
//! how many there are ("18 Fahrzeuge anzeigen"), and over the column of a table that has their names.

use page::dom::{Dom, Node};
use serde_json::Value;
use url::Url;

use crate::rows::row_texts::RowTexts;
use crate::rows::table_headings::headed_cells;

locale::patterns! {
    /// A whole number and the word behind it.
    static COUNTED = r"(?:^|[^\d.,/-])(\d{1,5})\s+(\p{L}{4,})";
}

/// Fewest entries whose paths are compared.
const LEAST_ROWS: usize = 3;
/// Fewest letters of a part of a path that names things.
const LEAST_LETTERS: usize = 4;
/// Most rows of tables that are compared with the names.
const MOST_TABLE_ROWS: usize = 40;
/// Longest text that says how many entries there are.
const MAX_COUNT_TEXT: usize = 80;

/// The words for the entries, one in a line.
pub(crate) fn entry_names(dom: &Dom, rows: &[Value], texts: &RowTexts) -> String {
    let mut names = names_in_paths(rows);
    names.extend(counted_names(dom, rows, texts));
    names.extend(heading_over_names(dom, rows));
    names.join("\n")
}

/// The words of paths that the addresses of all rows have in common.
fn names_in_paths(rows: &[Value]) -> Vec<String> {
    let parts = |row: &Value| -> Option<Vec<String>> {
        let address = Url::parse(row.get("url")?.as_str()?).ok()?;
        Some(address.path_segments()?.map(str::to_owned).collect())
    };
    let all: Vec<Vec<String>> = rows.iter().filter_map(parts).collect();
    let Some(first) = all.first().filter(|_| all.len() >= LEAST_ROWS.max(rows.len())) else {
        return Vec::new();
    };
    let is_word = |part: &&String| {
        part.chars().filter(|c| c.is_alphabetic()).count() >= LEAST_LETTERS
            && part.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '_'))
    };
    let is_shared = |part: &&String| all.iter().all(|parts| parts.contains(part));
    let shared = first.iter().filter(is_word).filter(is_shared);
    shared.map(|part| part.replace(['-', '_'], " ")).collect()
}

/// The words behind the number of the rows, where no row says so itself.
fn counted_names(dom: &Dom, rows: &[Value], texts: &RowTexts) -> Vec<String> {
    let count = rows.len().to_string();
    let mut names: Vec<String> = Vec::new();
    let short = dom
        .nodes()
        .filter_map(|node| node.text_value())
        .filter(|text| text.len() <= MAX_COUNT_TEXT && text.contains(&count));
    for text in short {
        for found in COUNTED.captures_iter(text).filter(|found| found[1] == count) {
            let name = found[2].to_owned();
            let said = format!("{count} {name}");
            let is_of_row = rows.iter().any(|row| texts.of(row).contains(&said));
            if !is_of_row && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// The heading of the column of a table that has the names of the rows, where several rows have them there: `Package`.
fn heading_over_names(dom: &Dom, rows: &[Value]) -> Option<String> {
    let named = rows.iter().filter_map(|row| row.get("name").or(row.get("title")));
    let names: Vec<&str> = named.filter_map(Value::as_str).collect();
    let headed = |row: Node<'_>| {
        let cells = headed_cells(row).into_iter();
        let mut named = cells.filter(|(_, cell)| {
            let text = cell.text();
            let text = text.trim();
            names.iter().any(|name| text.starts_with(name))
        });
        Some(named.next()?.0)
    };
    let found: Vec<String> = dom
        .nodes()
        .filter(|node| node.is("tr"))
        .take(MOST_TABLE_ROWS)
        .filter_map(headed)
        .collect();
    let first = found.first().filter(|_| found.len() >= LEAST_ROWS)?;
    found
        .iter()
        .all(|heading| heading == first)
        .then(|| first.clone())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_entries_are_called_as_their_addresses_and_their_number_say() {
        let rows: Vec<Value> = (1..=4)
            .map(|at| json!({"name": format!("Golf {at}"), "url": format!("https://a.example/fahrzeug/{at}/detail-{at}")}))
            .collect();
        let dom = Dom::parse("<p>4 Autos gefunden</p><p>4.5 Sterne</p><p>14 Marken</p>");
        assert_eq!(entry_names(&dom, &rows, &RowTexts::default()), "fahrzeug\nAutos");
        let mut texts = RowTexts::default();
        texts.keep(Some("Golf 1"), rows[0]["url"].as_str(), "Golf 1 mit 4 Autos");
        assert_eq!(entry_names(&dom, &rows, &texts), "fahrzeug");
        let other: Vec<Value> = (1..=4)
            .map(|at| json!({"name": "Golf", "url": format!("https://a.example/golf-{at}")}))
            .collect();
        assert_eq!(entry_names(&Dom::parse("<p>14 Marken</p>"), &other, &texts), "");
    }

    #[test]
    fn entries_are_called_what_stands_over_their_names() {
        let row = |name: &str| format!("<tr><td>Bell<td><a href=/>{name}</a> <b>New</b><td>£9</tr>");
        let table = |names: &[&str]| {
            let rows: String = names.iter().map(|name| row(name)).collect();
            Dom::parse(&format!(
                "<table><tr><th>Provider<th>Package:<th>Price</tr>{rows}</table>"
            ))
        };
        let rows = ["Fast", "Faster", "Fastest"].map(|name| json!({"name": name}));
        let named = |dom: &Dom| entry_names(dom, &rows, &RowTexts::default());
        assert_eq!(named(&table(&["Fast", "Faster", "Fastest"])), "Package");
        assert_eq!(named(&table(&["Fast", "Other", "Another"])), "");
    }
}
