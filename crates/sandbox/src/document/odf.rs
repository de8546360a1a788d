//! OpenDocument texts, spreadsheets and presentations (OpenDocument 1.3, part 3).

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::archive::{Archive, unreadable};
use super::html::{FormattedText, HtmlWriter, TextFormat, TextHeight, escape, link_target};
use super::properties::Properties;
use super::xml::{self, Child, Element};
use crate::error::Error;

/// Most columns of a row and equal rows in a row that are written.
const MAX_REPEATED: usize = 1_000;

/// The styles that change how text is written.
#[derive(Default)]
struct Odf {
    bold: HashSet<String>,
    italic: HashSet<String>,
    /// Styles of raised and lowered text.
    heights: HashMap<String, TextHeight>,
    /// Whether each level of a list, from 1, is numbered.
    lists: HashMap<(String, usize), bool>,
    /// Styles of tables that are hidden.
    hidden: HashSet<String>,
    notes: Vec<String>,
}

/// Writes a document.
///
/// # Errors
/// When a part is damaged, too large or encrypted.
pub(super) fn convert(archive: &mut Archive<'_>, html: &mut HtmlWriter) -> Result<Properties, Error> {
    if archive
        .required("META-INF/manifest.xml")?
        .contains("encryption-data")
    {
        return Err(unreadable("it is protected by a password"));
    }
    let content = archive.required("content.xml")?;
    let tree = xml::parse(&content)?;
    let styles = archive.text("styles.xml")?.unwrap_or_default();
    let styles = xml::parse(&styles)?;
    let mut odf = Odf::default();
    for root in styles.elements().chain(tree.elements()) {
        for group in ["styles", "automatic-styles"]
            .iter()
            .filter_map(|name| root.first(name))
        {
            odf.add_styles(group);
        }
    }
    let body = tree.elements().next().and_then(|root| root.first("body"));
    let body = body.and_then(|body| body.elements().next());
    let body = body.ok_or_else(|| unreadable("it is no text, spreadsheet or presentation"))?;
    odf.blocks(body, html);
    html.end_lists();
    for (index, note) in odf.notes.iter().enumerate() {
        html.element("p", &format!("[{}] {note}", index + 1));
    }
    Properties::read(archive, "meta.xml")
}

impl Odf {
    fn add_styles(&mut self, group: &Element<'_>) {
        for style in group.elements() {
            let Some(name) = style.attribute("name") else {
                continue;
            };
            if style.name == "list-style" {
                for level in style.elements() {
                    let is_numbered = level.name == "list-level-style-number";
                    self.lists
                        .insert((name.clone(), level.number("level").unwrap_or(1)), is_numbered);
                }
                continue;
            }
            let text = style.first("text-properties");
            let value = |attribute: &str| text.and_then(|it| it.attribute(attribute)).unwrap_or_default();
            if matches!(
                value("font-weight").as_str(),
                "bold" | "600" | "700" | "800" | "900"
            ) {
                self.bold.insert(name.clone());
            }
            if value("font-style") == "italic" {
                self.italic.insert(name.clone());
            }
            // `super`, `sub` or a percentage, then the size.
            let position = value("text-position");
            let shift = position.split_whitespace().next().unwrap_or_default();
            let percent = shift.trim_end_matches('%').parse::<f64>().unwrap_or(0.0);
            if shift == "super" || percent > 0.0 {
                self.heights.insert(name.clone(), TextHeight::Raised);
            } else if shift == "sub" || percent < 0.0 {
                self.heights.insert(name.clone(), TextHeight::Lowered);
            }
            let table = style
                .first("table-properties")
                .and_then(|it| it.attribute("display"));
            if table.as_deref() == Some("false") {
                self.hidden.insert(name);
            }
        }
    }

    fn blocks(&mut self, parent: &Element<'_>, html: &mut HtmlWriter) {
        for element in parent.elements() {
            if html.is_full() {
                return;
            }
            match element.name {
                "h" => {
                    let text = self.paragraph(element);
                    html.heading(element.number("outline-level").unwrap_or(1), &text.html());
                }
                "p" => {
                    let text = self.paragraph(element);
                    html.element("p", &text.html());
                }
                "list" => {
                    let style = element.attribute("style-name").unwrap_or_default();
                    self.list(element, &style, 0, html);
                    html.end_lists();
                }
                "table" => self.sheet(element, parent.name == "spreadsheet", html),
                "page" => self.slide(element, html),
                // What was deleted, said about the text, or repeated on each page.
                "tracked-changes" | "annotation" | "annotation-end" | "forms" | "notes"
                | "sequence-decls" => {}
                _ => self.blocks(element, html),
            }
        }
    }

    fn list(&mut self, list: &Element<'_>, style: &str, level: usize, html: &mut HtmlWriter) {
        let is_numbered = self
            .lists
            .get(&(style.to_owned(), level + 1))
            .copied()
            .unwrap_or(false);
        for item in list
            .elements()
            .filter(|item| matches!(item.name, "list-item" | "list-header"))
        {
            let mut lines = Vec::new();
            for element in item.elements() {
                match element.name {
                    "p" | "h" => lines.push(self.paragraph(element).html()),
                    "list" => {
                        write_item(&mut lines, level, is_numbered, html);
                        let own = element.attribute("style-name");
                        self.list(element, own.as_deref().unwrap_or(style), level + 1, html);
                    }
                    _ => {}
                }
            }
            write_item(&mut lines, level, is_numbered, html);
        }
    }

    /// Writes a slide: its title as a heading, then the rest.
    fn slide(&mut self, page: &Element<'_>, html: &mut HtmlWriter) {
        let is_title = |frame: &&Element<'_>| frame.attribute("class").as_deref() == Some("title");
        let title = page.all("frame").find(is_title).map(|frame| frame.text());
        let title = title.filter(|title| !title.trim().is_empty());
        let name = || page.attribute("name").unwrap_or_default();
        html.heading(2, &escape(title.unwrap_or_else(name).trim()));
        for element in page.elements().filter(|element| !is_title(element)) {
            match element.name {
                "notes" | "forms" => {}
                _ => self.blocks(element, html),
            }
        }
    }

    /// Writes a table; that of a spreadsheet under its name.
    fn sheet(&mut self, table: &Element<'_>, is_sheet: bool, html: &mut HtmlWriter) {
        let style = table.attribute("style-name").unwrap_or_default();
        if self.hidden.contains(&style) {
            return;
        }
        if is_sheet {
            html.heading(2, &escape(&table.attribute("name").unwrap_or_default()));
        }
        let mut rows = Vec::new();
        self.rows(table, &mut rows, html);
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        if let Some(header) = rows.first_mut() {
            header.resize(width, String::new());
        }
        html.table(rows);
    }

    /// Collects the rows of a table that are not empty.
    fn rows(&mut self, parent: &Element<'_>, rows: &mut Vec<Vec<String>>, html: &mut HtmlWriter) {
        for element in parent.elements() {
            match element.name {
                "table-row" => {
                    let cells = self.cells(element, html);
                    if cells.is_empty() {
                        continue;
                    }
                    let times = element.number("number-rows-repeated").unwrap_or(1);
                    html.cut |= times > MAX_REPEATED;
                    for _ in 0..times.min(MAX_REPEATED) {
                        rows.push(cells.clone());
                    }
                }
                "table-header-rows" | "table-rows" | "table-row-group" => self.rows(element, rows, html),
                _ => {}
            }
        }
    }

    /// The cells of a row, without empty ones at its end. What stands beyond column [`MAX_REPEATED`] is left out.
    fn cells(&mut self, row: &Element<'_>, html: &mut HtmlWriter) -> Vec<String> {
        let mut cells: Vec<String> = Vec::new();
        for cell in row
            .elements()
            .filter(|it| matches!(it.name, "table-cell" | "covered-table-cell"))
        {
            let lines: Vec<String> = self.lines(cell);
            let times = cell.number("number-columns-repeated").unwrap_or(1).max(1);
            let text = match cell.name {
                "table-cell" => lines.join("<br>"),
                _ => String::new(),
            };
            let room = MAX_REPEATED - cells.len();
            html.cut |= times > room && !text.is_empty();
            cells.extend((0..times.min(room)).map(|_| text.clone()));
        }
        let filled = cells
            .iter()
            .rposition(|cell| !cell.is_empty())
            .map_or(0, |last| last + 1);
        cells.truncate(filled);
        cells
    }

    /// The paragraphs inside of an element at any depth, as lines.
    fn lines(&mut self, parent: &Element<'_>) -> Vec<String> {
        let mut lines = Vec::new();
        for element in parent.elements() {
            match element.name {
                "p" | "h" => lines.push(self.paragraph(element).html().trim().to_owned()),
                "annotation" => {}
                _ => lines.extend(self.lines(element)),
            }
        }
        lines.retain(|line| !line.is_empty());
        lines
    }

    fn paragraph(&mut self, paragraph: &Element<'_>) -> FormattedText {
        let mut text = FormattedText::default();
        self.add_inline(paragraph, &TextFormat::default(), &mut text);
        text
    }

    fn add_inline(&mut self, parent: &Element<'_>, format: &TextFormat, text: &mut FormattedText) {
        for child in &parent.children {
            let element = match child {
                Child::Text(more) => {
                    // White space is that of HTML; more of it is written as elements.
                    text.push(format, &more.replace(['\n', '\r', '\t'], " "));
                    continue;
                }
                Child::Element(element) => element,
            };
            match element.name {
                "span" => {
                    let style = element.attribute("style-name").unwrap_or_default();
                    let inner = TextFormat {
                        bold: format.bold || self.bold.contains(&style),
                        italic: format.italic || self.italic.contains(&style),
                        height: self.heights.get(&style).copied().unwrap_or(format.height),
                        link: format.link.clone(),
                    };
                    self.add_inline(element, &inner, text);
                }
                "a" => {
                    let target: Option<Rc<str>> =
                        element.attribute("href").and_then(|href| link_target(&href));
                    let inner = TextFormat {
                        link: target.or_else(|| format.link.clone()),
                        ..format.clone()
                    };
                    self.add_inline(element, &inner, text);
                }
                "s" | "tab" => text.push(format, " "),
                "line-break" => text.push(format, "\n"),
                "note" => {
                    let lines = element.first("note-body").map(|body| self.lines(body));
                    self.notes.push(lines.unwrap_or_default().join("<br>"));
                    text.push(&TextFormat::default(), &format!("[{}]", self.notes.len()));
                }
                "annotation" | "annotation-end" | "tracked-changes" | "change" => {}
                _ => self.add_inline(element, format, text),
            }
        }
    }
}

/// Writes the lines of an item that has some.
fn write_item(lines: &mut Vec<String>, level: usize, is_numbered: bool, html: &mut HtmlWriter) {
    lines.retain(|line| !line.trim().is_empty());
    if !lines.is_empty() {
        html.item(level, is_numbered, &lines.join("<br>"));
        lines.clear();
    }
}
