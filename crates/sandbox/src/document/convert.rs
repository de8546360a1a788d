//! The child's side of reading a document: its kind, and its HTML.

use super::archive::{Archive, unreadable};
use super::html::HtmlWriter;
use super::opc::Relationships;
use super::properties::Properties;
use super::{ConvertedDocument, docx, epub, odf, pptx, xlsx, xml};
use crate::error::Error;
use crate::protocol::encode;

/// The answer to a request to read a document.
pub(crate) fn execute(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    encode(&convert(bytes)?)
}

fn convert(bytes: &[u8]) -> Result<ConvertedDocument, Error> {
    let mut archive = Archive::open(bytes)?;
    let mut html = HtmlWriter::default();
    let properties = if archive.has("[Content_Types].xml") {
        office(&mut archive, &mut html)?
    } else if archive.has("META-INF/container.xml") {
        epub::convert(&mut archive, &mut html)?
    } else if archive.has("content.xml") && archive.has("META-INF/manifest.xml") {
        odf::convert(&mut archive, &mut html)?
    } else {
        return Err(unreadable("the archive holds no document of a known kind"));
    };
    let (body, cut) = html.finish();
    Ok(ConvertedDocument {
        html: properties.document(&body),
        cut,
    })
}

/// An Office document: text, sheets or slides.
fn office(archive: &mut Archive<'_>, html: &mut HtmlWriter) -> Result<Properties, Error> {
    let relationships = Relationships::of(archive, "")?;
    let unknown = || unreadable("it is no text, spreadsheet or presentation");
    let main = relationships
        .of_kind("officeDocument")
        .ok_or_else(unknown)?
        .to_owned();
    let text = archive.required(&main)?;
    let tree = xml::parse(&text)?;
    let root = tree.elements().next().ok_or_else(unknown)?;
    match root.name {
        "document" => docx::convert(archive, &main, root, html)?,
        "workbook" => xlsx::convert(archive, &main, root, html)?,
        "presentation" => pptx::convert(archive, &main, root, html)?,
        _ => return Err(unknown()),
    }
    let properties = relationships
        .of_kind("core-properties")
        .unwrap_or("docProps/core.xml");
    Properties::read(archive, properties)
}
