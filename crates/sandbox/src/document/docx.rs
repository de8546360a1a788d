//! DOCX documents: paragraphs, headings, lists, tables, links and notes (ECMA-376, part 1, 17).

use std::collections::HashMap;
use std::rc::Rc;

use super::archive::Archive;
use super::docx_styles::{Styles, value};
use super::docx_symbols::{formula, symbol};
use super::html::{FormattedText, HtmlWriter, SpannedCell, TextFormat, TextHeight, link_target};
use super::opc::Relationships;
use super::xml::{self, Element};
use crate::error::Error;

/// Most columns that one cell covers.
const MAX_SPAN: usize = 64;

/// What a document is read with.
struct Docx {
    styles: Styles,
    relationships: Relationships,
    /// The open fields, such as links that are written as instructions.
    fields: Vec<Field>,
    /// The notes that were referred to, in order: their kind and identifier.
    notes: Vec<(&'static str, String)>,
}

/// A field: first its instruction, then its result.
#[derive(Default)]
struct Field {
    instruction: String,
    link: Option<Rc<str>>,
    is_result: bool,
}

/// Writes a document.
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
    let mut docx = Docx {
        styles: Styles::read(archive, &relationships)?,
        relationships,
        fields: Vec::new(),
        notes: Vec::new(),
    };
    if let Some(body) = root.first("body") {
        docx.blocks(body, html);
    }
    docx.write_notes(archive, html)
}

impl Docx {
    /// Writes the paragraphs and tables of an element.
    fn blocks(&mut self, parent: &Element<'_>, html: &mut HtmlWriter) {
        for element in parent.elements() {
            if html.is_full() {
                return;
            }
            match element.name {
                "p" => self.paragraph(element, html),
                "tbl" => self.table(element, html),
                "sdt" | "sdtContent" | "customXml" | "ins" | "moveTo" | "smartTag" => {
                    self.blocks(element, html)
                }
                "AlternateContent" => {
                    if let Some(choice) = element.first("Choice").or_else(|| element.first("Fallback")) {
                        self.blocks(choice, html);
                    }
                }
                _ => {}
            }
        }
    }

    fn paragraph(&mut self, paragraph: &Element<'_>, html: &mut HtmlWriter) {
        let mut text = FormattedText::default();
        self.runs(paragraph, None, &mut text);
        if !text.is_blank() {
            let heading = self.styles.heading(paragraph);
            match (heading, self.styles.list_place(paragraph)) {
                (Some(level), _) => html.heading(level, &text.html()),
                (None, Some(place)) => html.item(place.level, place.is_numbered, &text.html()),
                (None, None) => html.element("p", &text.html()),
            }
        }
        self.text_boxes(paragraph, html);
    }

    /// Writes the boxes of text that are anchored in an element.
    fn text_boxes(&mut self, parent: &Element<'_>, html: &mut HtmlWriter) {
        for element in parent.elements() {
            match element.name {
                "txbxContent" => self.blocks(element, html),
                // The same box again, for older programs.
                "Fallback" => {}
                _ => self.text_boxes(element, html),
            }
        }
    }

    /// Collects the text of the runs of an element.
    fn runs(&mut self, parent: &Element<'_>, link: Option<&Rc<str>>, text: &mut FormattedText) {
        for element in parent.elements() {
            match element.name {
                "r" => self.run(element, link, text),
                "hyperlink" => {
                    let target = element.relationship().and_then(|id| self.relationships.link(&id));
                    self.runs(element, target.as_ref().or(link), text);
                }
                "fldSimple" => {
                    let target = element.attribute("instr").as_deref().and_then(field_link);
                    self.runs(element, target.as_ref().or(link), text);
                }
                "ins" | "moveTo" | "smartTag" | "sdt" | "sdtContent" | "customXml" | "dir" | "bdo" => {
                    self.runs(element, link, text);
                }
                "oMath" | "oMathPara" => text.push(&TextFormat::default(), &formula(element)),
                _ => {}
            }
        }
    }

    fn run(&mut self, run: &Element<'_>, link: Option<&Rc<str>>, text: &mut FormattedText) {
        let properties = run.first("rPr");
        let has = |name: &str| properties.and_then(|it| it.first(name)).is_some_and(is_on);
        if has("vanish") {
            return;
        }
        let height = match properties.and_then(|it| value(it, "vertAlign")).as_deref() {
            Some("superscript") => TextHeight::Raised,
            Some("subscript") => TextHeight::Lowered,
            _ => TextHeight::Baseline,
        };
        for element in run.elements() {
            match element.name {
                "fldChar" => self.field_character(&element.attribute("fldCharType").unwrap_or_default()),
                "instrText" => {
                    if let Some(field) = self.fields.last_mut() {
                        field.instruction.push_str(&element.text());
                    }
                }
                _ if self.fields.last().is_some_and(|field| !field.is_result) => {}
                _ => {
                    let in_field = self.fields.iter().rev().find_map(|field| field.link.as_ref());
                    let format = TextFormat {
                        bold: has("b"),
                        italic: has("i"),
                        height,
                        link: link.or(in_field).cloned(),
                    };
                    self.run_part(element, &format, text);
                }
            }
        }
    }

    fn run_part(&mut self, element: &Element<'_>, format: &TextFormat, text: &mut FormattedText) {
        match element.name {
            "t" => text.push(format, &element.text()),
            "tab" | "ptab" => text.push(format, " "),
            "br" | "cr" => text.push(format, "\n"),
            "sym" => {
                let font = element.attribute("font").unwrap_or_default();
                let code = element.attribute("char");
                let code = code.and_then(|code| u32::from_str_radix(&code, 16).ok());
                if let Some(character) = code.and_then(|code| symbol(&font, code)) {
                    text.push(format, character.encode_utf8(&mut [0; 4]));
                }
            }
            "noBreakHyphen" => text.push(format, "-"),
            "footnoteReference" | "endnoteReference" => {
                let kind = match element.name {
                    "footnoteReference" => "footnotes",
                    _ => "endnotes",
                };
                if let Some(id) = element.attribute("id") {
                    self.notes.push((kind, id));
                    text.push(&TextFormat::default(), &format!("[{}]", self.notes.len()));
                }
            }
            _ => {}
        }
    }

    fn field_character(&mut self, kind: &str) {
        match kind {
            "begin" => self.fields.push(Field::default()),
            "separate" => {
                if let Some(field) = self.fields.last_mut() {
                    field.link = field_link(&field.instruction);
                    field.is_result = true;
                }
            }
            "end" => {
                self.fields.pop();
            }
            _ => {}
        }
    }

    fn table(&mut self, table: &Element<'_>, html: &mut HtmlWriter) {
        let rows: Vec<&Element<'_>> = table.all("tr").collect();
        if let [row] = rows.as_slice()
            && let [cell] = row.all("tc").collect::<Vec<_>>().as_slice()
        {
            // A frame around other blocks.
            return self.blocks(cell, html);
        }
        let written = self.table_rows(&rows);
        html.spanned_table(written);
    }

    /// The rows of a table. A cell that is merged with those below it covers their rows.
    fn table_rows(&mut self, rows: &[&Element<'_>]) -> Vec<Vec<SpannedCell>> {
        let mut written: Vec<Vec<SpannedCell>> = Vec::new();
        // The row and the place of the cell that goes on below, by the column in which it begins.
        let mut merged: HashMap<usize, (usize, usize)> = HashMap::new();
        for row in rows {
            let before = row
                .first("trPr")
                .and_then(|it| value(it, "gridBefore")?.parse().ok());
            let mut column = before.unwrap_or(0_usize).min(MAX_SPAN);
            let mut cells: Vec<SpannedCell> =
                (0..column).map(|_| SpannedCell::single(String::new())).collect();
            for cell in row.all("tc") {
                let properties = cell.first("tcPr");
                let columns = properties
                    .and_then(|it| value(it, "gridSpan")?.parse().ok())
                    .unwrap_or(1_usize)
                    .clamp(1, MAX_SPAN);
                let merge = properties.and_then(|it| it.first("vMerge"));
                let begins = merge.is_some_and(|it| it.attribute("val").as_deref() == Some("restart"));
                let origin = merged
                    .get(&column)
                    .copied()
                    .filter(|_| merge.is_some() && !begins);
                let covering = origin.and_then(|(row, place)| written.get_mut(row)?.get_mut(place));
                match covering {
                    Some(above) if above.columns == columns => above.rows += 1,
                    _ => {
                        merged.remove(&column);
                        if begins {
                            merged.insert(column, (written.len(), cells.len()));
                        }
                        let goes_on = merge.is_some() && !begins;
                        cells.push(SpannedCell {
                            html: if goes_on { String::new() } else { self.cell(cell) },
                            columns,
                            rows: 1,
                        });
                    }
                }
                column += columns;
            }
            written.push(cells);
        }
        written
    }

    /// The paragraphs of a cell, also those of tables inside, as lines.
    fn cell(&mut self, parent: &Element<'_>) -> String {
        let mut lines = Vec::new();
        for element in parent.elements() {
            let line = match element.name {
                "p" => {
                    let mut text = FormattedText::default();
                    self.runs(element, None, &mut text);
                    text.html().trim().to_owned()
                }
                "tbl" | "tr" | "tc" | "sdt" | "sdtContent" | "ins" | "customXml" => self.cell(element),
                _ => continue,
            };
            if !line.is_empty() {
                lines.push(line);
            }
        }
        lines.join("<br>")
    }

    /// Writes the notes that the text refers to.
    fn write_notes(&mut self, archive: &mut Archive<'_>, html: &mut HtmlWriter) -> Result<(), Error> {
        let referred = std::mem::take(&mut self.notes);
        let mut texts: HashMap<(&str, String), String> = HashMap::new();
        for kind in ["footnotes", "endnotes"] {
            if !referred.iter().any(|(of, _)| *of == kind) {
                continue;
            }
            let Some(name) = self.relationships.of_kind(kind).map(str::to_owned) else {
                continue;
            };
            let relationships = Relationships::of(archive, &name)?;
            let main = std::mem::replace(&mut self.relationships, relationships);
            let file = archive.text(&name)?.unwrap_or_default();
            let tree = xml::parse(&file)?;
            for note in tree.elements().flat_map(Element::elements) {
                let id = note.attribute("id").unwrap_or_default();
                texts.insert((kind, id), self.cell(note));
            }
            self.relationships = main;
        }
        html.end_lists();
        for (index, (kind, id)) in referred.iter().enumerate() {
            if let Some(text) = texts.get(&(*kind, id.clone())) {
                html.element("p", &format!("[{}] {text}", index + 1));
            }
        }
        Ok(())
    }
}

/// Whether a property that is present is on.
fn is_on(property: &Element<'_>) -> bool {
    !matches!(
        property.attribute("val").as_deref(),
        Some("0" | "false" | "off" | "none")
    )
}

/// The target of a field that is a link, as `HYPERLINK "https://a.example/"`.
fn field_link(instruction: &str) -> Option<Rc<str>> {
    let rest = instruction.trim().strip_prefix("HYPERLINK")?.trim_start();
    let target = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split_whitespace().next(),
    };
    link_target(target?)
}
