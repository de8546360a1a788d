//! Tables of cells: the names of their columns, and CSV output (RFC 4180) that spreadsheets do not read as formulas.

use std::collections::{HashMap, HashSet};

/// The names of `width` columns, each once: one without a name is `column_3` by its place, and of two columns with the same
/// name the second is `name_2`.
pub fn column_names(header: &[String], width: usize) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(width);
    let mut taken: HashSet<String> = HashSet::new();
    // The number that the next column of a name may have.
    let mut next: HashMap<String, usize> = HashMap::new();
    for at in 0..width {
        let name = match header.get(at).map_or("", |name| name.trim()) {
            "" => format!("column_{}", at + 1),
            name => name.to_owned(),
        };
        let number = next.entry(name.clone()).or_insert(1);
        let free = loop {
            let free = match *number {
                1 => name.clone(),
                number => format!("{name}_{number}"),
            };
            *number += 1;
            if taken.insert(free.clone()) {
                break free;
            }
        };
        names.push(free);
    }
    names
}

/// The table: a line of columns, then a line for each row, each ended by CR LF. A cell that begins like a formula (`=`, `+`,
/// `-`, `@`, tab, CR) and is no number gets an apostrophe in front; one with quotes, commas or line ends is quoted.
pub fn csv(columns: &[String], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = line(columns);
    for row in rows {
        table.push_str(&line(&row));
    }
    table
}

/// One line of a table.
pub fn line(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|it| cell(it)).collect();
    cells.join(",") + "\r\n"
}

fn cell(text: &str) -> String {
    let armed = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
    let text = if armed {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_has_a_name_of_its_own() {
        let header = ["a", " ", "a", "a_2"].map(str::to_owned);
        assert_eq!(
            column_names(&header, 5),
            ["a", "column_2", "a_2", "a_2_2", "column_5"]
        );
    }

    #[test]
    fn a_cell_is_never_a_formula_and_a_number_stays_one() {
        assert_eq!(
            cell("=HYPERLINK(\"http://a.example\")"),
            "\"'=HYPERLINK(\"\"http://a.example\"\")\""
        );
        assert_eq!(cell("-12.5"), "-12.5");
        assert_eq!(cell("a, b"), "\"a, b\"");
    }
}
