//! Rows of tables as lines that say what each cell is: `tower: Marn; height: 37 m`.

use std::borrow::Cow;

/// Most cells of a row that is written so.
const CELLS: usize = 12;

/// A text whose rows of tables, in Markdown or with tabs, stand with the headings of their columns. Rows of two cells without headings
/// are labels with values.
pub(crate) fn labelled(text: &str) -> Cow<'_, str> {
    if !text.contains('\t') && !text.lines().any(|line| line.trim_start().starts_with('|')) {
        return Cow::Borrowed(text);
    }
    let mut lines: Vec<String> = Vec::new();
    let mut table: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        match cells(line) {
            Some(cells) => table.push((line, cells)),
            None => {
                flush(&mut table, &mut lines);
                lines.push(line.to_owned());
            }
        }
    }
    flush(&mut table, &mut lines);
    Cow::Owned(lines.join("\n"))
}

/// The cells of a line that is a row of a table.
fn cells(line: &str) -> Option<Vec<&str>> {
    let line = line.trim_matches([' ', '\r']);
    let cells: Vec<&str> = match line.strip_prefix('|') {
        Some(rest) => rest
            .strip_suffix('|')
            .unwrap_or(rest)
            .split('|')
            .map(str::trim)
            .collect(),
        None => line.split('\t').map(str::trim).collect(),
    };
    (2..=CELLS).contains(&cells.len()).then_some(cells)
}

/// Writes the rows of a table that has ended.
fn flush(table: &mut Vec<(&str, Vec<&str>)>, lines: &mut Vec<String>) {
    let mut rows = std::mem::take(table);
    rows.retain(|(_, cells)| {
        !cells
            .iter()
            .all(|cell| cell.chars().all(|sign| matches!(sign, '-' | ':' | ' ')))
    });
    let is_label =
        |cell: &str| cell.chars().any(char::is_alphabetic) && !cell.chars().any(|sign| sign.is_ascii_digit());
    let has_headings = |rows: &[(&str, Vec<&str>)]| {
        let first = rows
            .first()
            .is_some_and(|(_, cells)| cells.iter().copied().all(is_label));
        first
            && rows
                .iter()
                .skip(1)
                .any(|(_, cells)| cells.iter().copied().skip(1).any(|cell| !is_label(cell)))
    };
    let pair = |label: &str, cell: &str| format!("{label}: {cell}");
    match rows.split_first() {
        Some(((heading, labels), rest)) if has_headings(&rows) => {
            lines.push((*heading).to_owned());
            for (_, cells) in rest {
                let named = labels.iter().zip(cells).filter(|(_, cell)| !cell.is_empty());
                lines.push(
                    named
                        .map(|(label, cell)| pair(label, cell))
                        .collect::<Vec<_>>()
                        .join("; "),
                );
            }
        }
        _ => lines.extend(rows.iter().map(|(line, cells)| match cells.as_slice() {
            [label, value] if is_label(label) && !value.is_empty() => {
                pair(label.trim_end_matches(':'), value)
            }
            _ => (*line).to_owned(),
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::labelled;

    #[test]
    fn rows_stand_with_the_headings_of_their_columns() {
        let text = "# Mills\n\n| mill | height |\n|---|---|\n| Zelt | 22 m |\n\nMore.";
        assert_eq!(
            labelled(text),
            "# Mills\n\n| mill | height |\nmill: Zelt; height: 22 m\n\nMore."
        );
        assert_eq!(
            labelled("mill\theight\nZelt\t22 m"),
            "mill\theight\nmill: Zelt; height: 22 m"
        );
        assert_eq!(labelled("Height\t22 m\nBuilt\t1822"), "Height: 22 m\nBuilt: 1822");
        assert_eq!(labelled("no table"), "no table");
    }
}
