//! PPTX presentations: the titles, texts and tables of the visible slides (ECMA-376, part 1, 19 and 21).

use super::archive::Archive;
use super::html::{FormattedText, HtmlWriter, TextFormat, TextHeight, escape};
use super::opc::Relationships;
use super::xml::{self, Element};
use crate::error::Error;

/// Most slides that are read.
const MAX_SLIDES: usize = 1_000;

/// Writes the slides of a presentation.
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
    let slides = root
        .first("sldIdLst")
        .into_iter()
        .flat_map(|list| list.all("sldId"));
    for (index, slide) in slides.enumerate() {
        html.cut |= index >= MAX_SLIDES;
        if html.is_full() {
            break;
        }
        let entry = slide
            .relationship()
            .and_then(|id| relationships.entry(&id).map(str::to_owned));
        let Some(entry) = entry else { continue };
        let links = Relationships::of(archive, &entry)?;
        let text = archive.text(&entry)?.unwrap_or_default();
        let tree = xml::parse(&text)?;
        let Some(slide) = tree.elements().next() else {
            continue;
        };
        if slide
            .attribute("show")
            .is_some_and(|show| matches!(show.as_str(), "0" | "false"))
        {
            continue;
        }
        if let Some(shapes) = slide.at(&["cSld", "spTree"]) {
            write_slide(shapes, index + 1, &links, html);
        }
    }
    Ok(())
}

fn write_slide(shapes: &Element<'_>, number: usize, links: &Relationships, html: &mut HtmlWriter) {
    let title = find_title(shapes).map(|shape| {
        let paragraphs = shape.first("txBody").into_iter().flat_map(|body| body.all("p"));
        let lines: Vec<String> = paragraphs
            .map(|paragraph| text(paragraph, links).html())
            .collect();
        lines.join(" ")
    });
    let title = title.filter(|title| !title.trim().is_empty());
    html.heading(2, &title.unwrap_or_else(|| escape(&format!("Slide {number}"))));
    write_shapes(shapes, links, html);
    html.end_lists();
}

/// The kind of placeholder that a shape is; empty for a plain one, none for a shape of its own.
fn placeholder(shape: &Element<'_>) -> Option<String> {
    let placeholder = shape.at(&["nvSpPr", "nvPr", "ph"])?;
    Some(placeholder.attribute("type").unwrap_or_default())
}

fn find_title<'e, 'a>(shapes: &'e Element<'a>) -> Option<&'e Element<'a>> {
    shapes
        .all("sp")
        .find(|shape| matches!(placeholder(shape).as_deref(), Some("title" | "ctrTitle")))
}

fn write_shapes(shapes: &Element<'_>, links: &Relationships, html: &mut HtmlWriter) {
    for shape in shapes.elements() {
        match shape.name {
            "sp" => write_shape(shape, links, html),
            "grpSp" => write_shapes(shape, links, html),
            "graphicFrame" => {
                if let Some(table) = shape.at(&["graphic", "graphicData", "tbl"]) {
                    html.table(
                        table
                            .all("tr")
                            .map(|row| row.all("tc").map(|cell| cell_html(cell, links)).collect()),
                    );
                }
            }
            "AlternateContent" => {
                if let Some(choice) = shape.first("Choice").or_else(|| shape.first("Fallback")) {
                    write_shapes(choice, links, html);
                }
            }
            _ => {}
        }
    }
}

fn write_shape(shape: &Element<'_>, links: &Relationships, html: &mut HtmlWriter) {
    let place = placeholder(shape);
    if matches!(
        place.as_deref(),
        Some("title" | "ctrTitle" | "dt" | "ftr" | "sldNum")
    ) {
        return;
    }
    // The paragraphs of a body are items unless they say otherwise; those of other shapes are not.
    let is_body = matches!(place.as_deref(), Some("" | "body" | "obj"));
    for paragraph in shape.first("txBody").into_iter().flat_map(|body| body.all("p")) {
        let text = text(paragraph, links);
        if text.is_blank() {
            continue;
        }
        let properties = paragraph.first("pPr");
        let has = |name: &str| properties.is_some_and(|it| it.first(name).is_some());
        let level = properties.and_then(|it| it.number("lvl")).unwrap_or(0);
        let is_item = has("buChar") || has("buAutoNum") || has("buBlip") || (is_body && !has("buNone"));
        match is_item {
            true => html.item(level, has("buAutoNum"), &text.html()),
            false => html.element("p", &text.html()),
        }
    }
    html.end_lists();
}

fn cell_html(cell: &Element<'_>, links: &Relationships) -> String {
    let paragraphs = cell.first("txBody").into_iter().flat_map(|body| body.all("p"));
    let lines: Vec<String> = paragraphs
        .map(|paragraph| text(paragraph, links).html())
        .filter(|line| !line.trim().is_empty())
        .collect();
    lines.join("<br>")
}

/// The text of a paragraph.
fn text(paragraph: &Element<'_>, links: &Relationships) -> FormattedText {
    let mut found = FormattedText::default();
    for run in paragraph.elements() {
        match run.name {
            "r" | "fld" => {
                let properties = run.first("rPr");
                let is_on = |name: &str| {
                    let value = properties.and_then(|it| it.attribute(name));
                    matches!(value.as_deref(), Some("1" | "true"))
                };
                let link = properties.and_then(|it| it.first("hlinkClick")?.relationship());
                let baseline = properties.and_then(|it| it.attribute("baseline"));
                let baseline = baseline.and_then(|shift| shift.trim_end_matches('%').parse::<i64>().ok());
                let format = TextFormat {
                    bold: is_on("b"),
                    italic: is_on("i"),
                    height: match baseline {
                        Some(shift) if shift > 0 => TextHeight::Raised,
                        Some(shift) if shift < 0 => TextHeight::Lowered,
                        _ => TextHeight::Baseline,
                    },
                    link: link.and_then(|id| links.link(&id)),
                };
                found.push(&format, &run.first("t").map(Element::text).unwrap_or_default());
            }
            "br" => found.push(&TextFormat::default(), "\n"),
            _ => {}
        }
    }
    found
}
