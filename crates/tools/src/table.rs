//! CSV output (RFC 4180) that spreadsheets do not read as formulas.

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
    fn a_cell_is_never_a_formula_and_a_number_stays_one() {
        assert_eq!(
            cell("=HYPERLINK(\"http://a.example\")"),
            "\"'=HYPERLINK(\"\"http://a.example\"\")\""
        );
        assert_eq!(cell("-12.5"), "-12.5");
        assert_eq!(cell("a, b"), "\"a, b\"");
    }
}
