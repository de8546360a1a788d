//! Separated values (CSV, TSV; RFC 4180), as tables.

use super::html_text::escape;

locale::patterns! {
    /// A day in figures, with or without the time of day.
    static DAY = r"^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})(?:[T ,]\s?\d{1,2}:\d{2}.{0,20})?$";
    /// An address of a page or of mail.
    static ADDRESS = r"^(?:https?://\S+|[^\s@]+@[^\s@]+\.[^\s@]+)$";
    /// A number, with or without a sign.
    static NUMBER = r"^[-+\x{2212}]?\d{1,3}(?:[ '.,]?\d{3})*(?:[.,]\d+)?$|^[-+]?\d+(?:[.,]\d+)?$";
}

/// Longest name of a column of a text that nothing calls separated values, in bytes.
const LONGEST_NAME: usize = 60;
/// Fewest records below the header of such a text.
const LEAST_SNIFFED: usize = 2;
/// Longest line of a list of names, in bytes.
const LONGEST_LINE: usize = 200;
/// Most words of the name of the only column.
const NAME_WORDS: usize = 4;

/// A table whose header is the first record below the lines of its title, unless that is one of the data. None when the records do not
/// have two columns, and are no names one below the other either.
pub(super) fn table(text: &str, usual: char) -> Option<String> {
    let text = text.trim_start_matches('\u{feff}');
    let (named, text) = match named_separator(text) {
        Some((separator, rest)) => (Some(separator), rest),
        None => (None, text),
    };
    of_records(&records(text, named.unwrap_or_else(|| separator(text, usual))))
}

/// The table of a text that nothing calls separated values, where all of its lines have the same number of them and the first
/// one may be a header.
pub(super) fn sniffed(text: &str) -> Option<String> {
    let text = text.trim_start_matches('\u{feff}');
    if named_separator(text).is_some() {
        return table(text, ',');
    }
    let of = |separator: char| {
        // Most texts are told by their first line.
        let line = text.trim_start().split(LINE_ENDS).next().unwrap_or_default();
        if !line.contains(separator) {
            return None;
        }
        let records = records(text, separator);
        let mut filled = records.iter().filter(|record| !is_blank(record));
        let header = filled.next()?;
        let mut rows = 0;
        let are_alike = filled.all(|record| {
            rows += 1;
            record.len() == header.len()
        });
        let is_name = |cell: &String| {
            let cell = cell.trim();
            !cell.is_empty()
                && cell.len() <= LONGEST_NAME
                && !cell.ends_with(['.', '!', '?', ':', '{', '(', ';'])
        };
        // Prose has commas with a space behind them.
        let is_prose = separator == ',' && header.iter().skip(1).all(|cell| cell.starts_with(' '));
        let is_table = are_alike && rows >= LEAST_SNIFFED && header.len() >= 2;
        (is_table && !is_prose && header.iter().all(is_name)).then(|| of_records(&records))?
    };
    [';', '\t', ','].into_iter().find_map(of)
}

/// Whether a media type is one of those by which servers call separated values.
pub(super) fn is_csv(media_type: &str) -> bool {
    matches!(
        media_type,
        "text/csv" | "text/x-csv" | "text/comma-separated-values" | "application/csv" | "application/x-csv"
    )
}

fn of_records(records: &[Vec<String>]) -> Option<String> {
    let titles = title_lines(records);
    let (above, below) = records.split_at_checked(titles)?;
    let filled: Vec<&Vec<String>> = below.iter().filter(|record| !is_blank(record)).collect();
    let (header, rows) = filled.split_first()?;
    if header.len() < 2 && !are_names(&filled) {
        return None;
    }
    let lines: Vec<&str> = above
        .iter()
        .flatten()
        .map(|cell| cell.trim())
        .filter(|cell| !cell.is_empty())
        .collect();
    let title = escape(&lines.join(" "));
    let (head, caption) = match title.is_empty() {
        true => (String::new(), String::new()),
        false => (
            format!("<title>{title}</title>"),
            format!("<caption>{title}</caption>"),
        ),
    };
    let mut written = format!("{head}<body><table>{caption}<thead><tr>");
    let has_header = is_header(header, rows);
    for cell in *header {
        let name = if has_header { cell.trim() } else { "" };
        written.push_str(&format!("<th>{}</th>", escape(name)));
    }
    written.push_str("</tr></thead><tbody>");
    for row in filled.iter().skip(usize::from(has_header)) {
        written.push_str("<tr>");
        for cell in *row {
            written.push_str(&format!("<td>{}</td>", escape(cell.trim())));
        }
        written.push_str("</tr>");
    }
    written.push_str("</tbody></table>");
    Some(written)
}

/// The separator that the first line names for spreadsheet programs (`sep=;`), and the text below that line.
fn named_separator(text: &str) -> Option<(char, &str)> {
    let end = text.find(LINE_ENDS)?;
    let (line, rest) = text.split_at_checked(end)?;
    let line = line.trim_matches('"');
    let named = line
        .get(..SEPARATOR.len())
        .filter(|start| start.eq_ignore_ascii_case(SEPARATOR))?;
    let mut signs = line.get(named.len()..)?.chars();
    let separator = signs.next().filter(|_| signs.next().is_none())?;
    Some((separator, rest))
}

/// What stands before the separator in the line that names it.
const SEPARATOR: &str = "sep=";
const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// The separator of values: that of the first line that has one. In countries with a decimal comma, "CSV" is written with semicolons.
fn separator(text: &str, usual: char) -> char {
    if usual != ',' {
        return usual;
    }
    let first = text
        .split(LINE_ENDS)
        .find(|line| line.contains([',', ';']))
        .unwrap_or_default();
    match first.matches(';').count() > first.matches(',').count() {
        true => ';',
        false => ',',
    }
}

fn is_blank(record: &[String]) -> bool {
    record.iter().all(|cell| cell.trim().is_empty())
}

/// Most lines of a title above a table.
const TITLE_LINES: usize = 5;
/// Columns from which on a header that names one alone is none.
const WIDE: usize = 3;

/// How many records at the beginning are lines of a title: those with a single value, where a table with two columns follows. Of a table
/// of two columns the second may have no name, so that only an empty line tells the title there.
fn title_lines(records: &[Vec<String>]) -> usize {
    let is_title = |at: usize| {
        let record = records.get(at)?;
        let is_single = record.iter().filter(|cell| !cell.trim().is_empty()).count() == 1;
        let is_apart = records.get(at + 1).is_some_and(|next| is_blank(next));
        let is_first = record.first().is_some_and(|cell| !cell.trim().is_empty());
        Some(is_single && is_first && (record.len() == 1 || record.len() >= WIDE || is_apart))
    };
    let is_blank_at = |at: usize| records.get(at).is_some_and(|record| is_blank(record));
    let end = (0..records.len()).find(|at| is_title(*at) != Some(true) && !is_blank_at(*at));
    let filled = |end: usize| {
        records
            .iter()
            .take(end)
            .filter(|record| !is_blank(record))
            .count()
    };
    end.filter(|end| filled(*end) <= TITLE_LINES).unwrap_or(0)
}

/// The records of separated values (RFC 4180), empty lines as well. A line ends with CR, LF or both.
fn records(text: &str, separator: char) -> Vec<Vec<String>> {
    let (mut records, mut record, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' if quoted || cell.trim().is_empty() => quoted = !quoted,
            _ if quoted => cell.push(character),
            '\r' if characters.peek() == Some(&'\n') => {}
            '\n' | '\r' => {
                record.push(std::mem::take(&mut cell));
                records.push(std::mem::take(&mut record));
            }
            _ if character == separator => record.push(std::mem::take(&mut cell)),
            _ => cell.push(character),
        }
    }
    record.push(cell);
    records.push(record);
    records
}

/// What a cell holds that a name of a column seldom is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CellKind {
    Day,
    Address,
    Number,
}

impl CellKind {
    fn of(cell: &str) -> Option<Self> {
        let cell = cell.trim();
        if DAY.is_match(cell) {
            Some(Self::Day)
        } else if ADDRESS.is_match(cell) {
            Some(Self::Address)
        } else if NUMBER.is_match(cell) {
            Some(Self::Number)
        } else {
            None
        }
    }
}

/// Most records that are looked at to tell a header from data.
const COMPARED: usize = 100;

/// Whether the first record names the columns: it does unless it holds a day, an address or a number above nothing but such, as the
/// records of data do. Numbers may be names of columns (years, sizes, the numbers of columns), and are then years, or grow.
fn is_header(first: &[String], rows: &[&Vec<String>]) -> bool {
    if rows.is_empty() || first.iter().any(|cell| cell.trim().is_empty()) {
        return true;
    }
    let kinds: Vec<(CellKind, &str)> = first
        .iter()
        .enumerate()
        .filter_map(|(at, cell)| {
            let kind = CellKind::of(cell)?;
            let mut below = rows
                .iter()
                .take(COMPARED)
                .filter_map(|row| row.get(at).filter(|cell| !cell.trim().is_empty()))
                .peekable();
            below.peek()?;
            below
                .all(|cell| CellKind::of(cell) == Some(kind))
                .then_some((kind, cell.trim()))
        })
        .collect();
    if kinds.iter().any(|(kind, _)| *kind != CellKind::Number) {
        return false;
    }
    let numbers: Option<Vec<f64>> = kinds
        .iter()
        .map(|(_, cell)| cell.replace(',', ".").parse().ok())
        .collect();
    let Some(numbers) = numbers.filter(|numbers| !numbers.is_empty() && rows.len() > 1) else {
        return true;
    };
    let is_year = |number: &f64| number.fract() == 0.0 && (1800.0..2200.0).contains(number);
    let grow = numbers.len() > 1 && numbers.is_sorted_by(|one, next| one < next);
    let shrink = numbers.len() > 1 && numbers.is_sorted_by(|one, next| one > next);
    numbers.iter().any(is_year) || grow || shrink
}

/// Whether lines of one value are a column with its name, and no text: short ones that do not end as sentences do.
fn are_names(records: &[&Vec<String>]) -> bool {
    let mut lines = records
        .iter()
        .filter_map(|record| record.first())
        .map(|cell| cell.trim());
    let is_named = lines
        .clone()
        .next()
        .is_some_and(|name| name.split_whitespace().count() <= NAME_WORDS);
    let is_name =
        |line: &str| line.len() <= LONGEST_LINE && !line.ends_with(['.', '!', '?', ':', ';', '{', '}']);
    is_named && records.len() > 1 && records.iter().all(|record| record.len() == 1) && lines.all(is_name)
}
