//! XLSX workbooks: each visible sheet as a table (ECMA-376, part 1, 18).

use std::collections::HashMap;

use super::archive::Archive;
use super::html::{FormattedText, HtmlWriter, TextFormat, escape};
use super::opc::Relationships;
use super::xlsx_cells::{CellFormats, unescaped};
use super::xml::{self, Element, Part, Parts};
use crate::error::Error;

/// Most columns of a sheet that are written.
const MAX_COLUMNS: usize = 1_000;
/// Most bytes of the values of a sheet: those that fit into the HTML of a document.
const MAX_SHEET_BYTES: usize = 4 << 20;

/// What the sheets of a workbook share.
struct Workbook {
    strings: Vec<String>,
    formats: CellFormats,
}

/// The cells of a sheet that are not empty.
#[derive(Default)]
struct Sheet {
    /// Rows of columns, from 0, and their values.
    rows: Vec<Vec<(usize, String)>>,
    /// Links by the place of their cell, as `B3`, and the number of the relationship.
    links: HashMap<String, String>,
    /// The places of the cells, in the order of `rows`.
    places: Vec<Vec<String>>,
    bytes: usize,
    cut: bool,
}

/// Writes the sheets of a workbook.
///
/// # Errors
/// When a part is damaged or too large.
pub(super) fn convert(
    archive: &mut Archive<'_>,
    main: &str,
    root: &Element<'_>,
    html: &mut HtmlWriter,
) -> Result<(), Error> {
    let relationships = Relationships::of(archive, main)?;
    let strings = match relationships.of_kind("sharedStrings") {
        Some(name) => shared_strings(&archive.text(name)?.unwrap_or_default())?,
        None => Vec::new(),
    };
    let styles = relationships.of_kind("styles").unwrap_or("xl/styles.xml");
    let styles = archive.text(styles)?.unwrap_or_default();
    let styles = xml::parse(&styles)?;
    let from_1904 = root.first("workbookPr").and_then(|it| it.attribute("date1904"));
    let formats = CellFormats::of(
        styles.elements().next(),
        matches!(from_1904.as_deref(), Some("1" | "true")),
    );
    let workbook = Workbook { strings, formats };
    for sheet in root
        .first("sheets")
        .into_iter()
        .flat_map(|sheets| sheets.all("sheet"))
    {
        let is_hidden = sheet.attribute("state").is_some_and(|state| state != "visible");
        let entry = sheet
            .relationship()
            .and_then(|id| relationships.entry(&id).map(str::to_owned));
        let Some(entry) = entry.filter(|_| !is_hidden) else {
            continue;
        };
        if html.is_full() {
            break;
        }
        let text = archive.text(&entry)?.unwrap_or_default();
        let read = workbook.sheet(&text)?;
        let links = Relationships::of(archive, &entry)?;
        html.heading(2, &escape(&sheet.attribute("name").unwrap_or_default()));
        read.write(&links, html);
    }
    Ok(())
}

/// The texts that cells refer to by number.
fn shared_strings(text: &str) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    let mut parts = Parts::new(text);
    let (mut open, mut current): (Vec<&str>, String) = (Vec::new(), String::new());
    while let Some(part) = parts.next()? {
        match part {
            Part::Start(element, true) if element.name == "si" => found.push(String::new()),
            Part::Start(_, true) => {}
            Part::Start(element, false) => {
                if element.name == "si" {
                    current.clear();
                }
                open.push(element.name);
            }
            // What is in `rPh` says how the text is spoken.
            Part::Text(text) if open.last() == Some(&"t") && !open.contains(&"rPh") => {
                current.push_str(&text)
            }
            Part::Text(_) => {}
            Part::End => {
                if open.pop() == Some("si") {
                    found.push(unescaped(&std::mem::take(&mut current)));
                }
            }
        }
    }
    Ok(found)
}

/// A cell that is being read.
#[derive(Default)]
struct Cell {
    place: String,
    column: usize,
    kind: String,
    style: Option<usize>,
    value: String,
    inline: String,
}

impl Workbook {
    /// Reads the cells of a sheet in one pass.
    fn sheet(&self, text: &str) -> Result<Sheet, Error> {
        let mut sheet = Sheet::default();
        let mut parts = Parts::new(text);
        let mut open: Vec<&str> = Vec::new();
        let mut cell = Cell::default();
        let mut next_column = 0;
        while let Some(part) = parts.next()? {
            match part {
                Part::Start(element, is_empty) => {
                    match element.name {
                        "row" => {
                            next_column = 0;
                            sheet.begin_row();
                        }
                        "c" => {
                            cell = Cell::begin(&element, next_column);
                            next_column = cell.column + 1;
                        }
                        "hyperlink" => sheet.add_link(&element),
                        _ => {}
                    }
                    if !is_empty {
                        open.push(element.name);
                    }
                }
                Part::Text(text) => match open.last() {
                    Some(&"v") => cell.value.push_str(&text),
                    Some(&"t") if !open.contains(&"rPh") => cell.inline.push_str(&text),
                    _ => {}
                },
                Part::End => {
                    if open.pop() == Some("c") && !sheet.add(&cell, self.shown(&cell)) {
                        break;
                    }
                }
            }
        }
        Ok(sheet)
    }

    /// The value of a cell as it is shown.
    fn shown(&self, cell: &Cell) -> String {
        match cell.kind.as_str() {
            "s" => {
                let index: Option<usize> = cell.value.trim().parse().ok();
                index
                    .and_then(|index| self.strings.get(index))
                    .cloned()
                    .unwrap_or_default()
            }
            "inlineStr" => unescaped(&cell.inline),
            "b" => match cell.value.trim() {
                "1" => "TRUE".to_owned(),
                _ => "FALSE".to_owned(),
            },
            "str" => unescaped(&cell.value),
            "e" | "d" => cell.value.clone(),
            _ if cell.value.is_empty() => String::new(),
            _ => self.formats.shown(&cell.value, cell.style),
        }
    }
}

impl Cell {
    fn begin(element: &Element<'_>, next_column: usize) -> Cell {
        let place = element.attribute("r").unwrap_or_default();
        Cell {
            column: column(&place).unwrap_or(next_column),
            kind: element.attribute("t").unwrap_or_default(),
            style: element.number("s"),
            place,
            ..Cell::default()
        }
    }
}

/// The column of a place, from 0: that of `AB7` is 27.
fn column(place: &str) -> Option<usize> {
    let letters = place.bytes().take_while(u8::is_ascii_alphabetic).take(4);
    let number = letters.fold(0, |sum, letter| {
        sum * 26 + usize::from(letter.to_ascii_uppercase() - b'A') + 1
    });
    number.checked_sub(1)
}

impl Sheet {
    fn begin_row(&mut self) {
        if self.rows.last().is_none_or(|row| !row.is_empty()) {
            self.rows.push(Vec::new());
            self.places.push(Vec::new());
        }
    }

    /// Adds the value of a cell; whether there is room for another.
    fn add(&mut self, cell: &Cell, shown: String) -> bool {
        let shown = shown.trim();
        if shown.is_empty() {
            return true;
        }
        self.bytes += shown.len() + "<td></td>".len();
        self.cut |= self.bytes > MAX_SHEET_BYTES || cell.column >= MAX_COLUMNS;
        if let (Some(row), Some(places), true) = (
            self.rows.last_mut(),
            self.places.last_mut(),
            cell.column < MAX_COLUMNS,
        ) {
            row.push((cell.column, shown.to_owned()));
            places.push(cell.place.clone());
        }
        self.bytes <= MAX_SHEET_BYTES
    }

    fn add_link(&mut self, element: &Element<'_>) {
        if let (Some(place), Some(id)) = (element.attribute("ref"), element.relationship()) {
            self.links.insert(place, id);
        }
    }

    /// Writes the table. Rows with a single value before it are its title.
    fn write(&self, relationships: &Relationships, html: &mut HtmlWriter) {
        let columns = self.rows.iter().flatten().map(|(column, _)| *column);
        let (Some(first), Some(last)) = (columns.clone().min(), columns.max()) else {
            return;
        };
        let rows = self
            .rows
            .iter()
            .zip(&self.places)
            .filter(|(row, _)| !row.is_empty());
        let cells = |(row, places): (&Vec<(usize, String)>, &Vec<String>)| {
            let mut cells = vec![String::new(); last - first + 1];
            for ((column, shown), place) in row.iter().zip(places) {
                let link = self.links.get(place).and_then(|id| relationships.link(id));
                let mut text = FormattedText::default();
                let format = TextFormat {
                    link,
                    ..TextFormat::default()
                };
                text.push(&format, shown);
                if let Some(cell) = cells.get_mut(column - first) {
                    *cell = text.html();
                }
            }
            cells
        };
        let is_title = |row: &Vec<(usize, String)>| row.len() == 1 && last > first;
        let titles = rows.clone().take_while(|(row, _)| is_title(row)).count();
        for row in rows.clone().take(titles) {
            html.element("p", &cells(row).concat());
        }
        html.table(rows.skip(titles).map(cells));
        html.cut |= self.cut;
    }
}
