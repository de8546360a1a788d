//! Styles and lists of a DOCX document: which paragraphs are headings and items (ECMA-376, part 1, 17.7 and 17.9).

use std::collections::HashMap;

use super::archive::Archive;
use super::opc::Relationships;
use super::xml::{self, Element};
use crate::error::Error;

/// Most styles that one style is based on.
const MAX_ANCESTORS: usize = 10;

/// The place of a paragraph in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ListPlace {
    pub(super) level: usize,
    pub(super) is_numbered: bool,
}

#[derive(Debug, Default)]
struct Style {
    heading: Option<usize>,
    list: Option<(String, usize)>,
    parent: Option<String>,
}

/// The styles and lists of a document.
#[derive(Debug, Default)]
pub(super) struct Styles {
    styles: HashMap<String, Style>,
    /// The abstract list of each list.
    lists: HashMap<String, String>,
    /// Whether each level of an abstract list is numbered.
    levels: HashMap<(String, usize), bool>,
}

impl Styles {
    /// Reads those of a document; missing files say nothing.
    ///
    /// # Errors
    /// When a file is damaged or too large.
    pub(super) fn read(archive: &mut Archive<'_>, relationships: &Relationships) -> Result<Styles, Error> {
        let mut found = Styles::default();
        if let Some(name) = relationships.of_kind("styles") {
            let text = archive.text(name)?.unwrap_or_default();
            let tree = xml::parse(&text)?;
            found.add_styles(&tree);
        }
        if let Some(name) = relationships.of_kind("numbering") {
            let text = archive.text(name)?.unwrap_or_default();
            let tree = xml::parse(&text)?;
            found.add_lists(&tree);
        }
        Ok(found)
    }

    fn add_styles(&mut self, tree: &Element<'_>) {
        for style in tree.elements().flat_map(|root| root.all("style")) {
            let Some(id) = style.attribute("styleId") else {
                continue;
            };
            let name = value(style, "name").unwrap_or_default().to_ascii_lowercase();
            let by_name = match name.as_str() {
                "title" => Some(1),
                name => name.strip_prefix("heading ").and_then(|level| level.parse().ok()),
            };
            let properties = style.first("pPr");
            let found = Style {
                heading: by_name.or_else(|| properties.and_then(outline_level)),
                list: properties.and_then(list_reference),
                parent: value(style, "basedOn"),
            };
            self.styles.insert(id, found);
        }
    }

    fn add_lists(&mut self, tree: &Element<'_>) {
        let Some(root) = tree.elements().next() else {
            return;
        };
        for list in root.all("num") {
            if let (Some(id), Some(of)) = (list.attribute("numId"), value(list, "abstractNumId")) {
                self.lists.insert(id, of);
            }
        }
        for list in root.all("abstractNum") {
            let id = list.attribute("abstractNumId").unwrap_or_default();
            for level in list.all("lvl") {
                let format = value(level, "numFmt").unwrap_or_default();
                let is_numbered = !matches!(format.as_str(), "bullet" | "none" | "");
                let place = (id.clone(), level.number("ilvl").unwrap_or(0));
                self.levels.insert(place, is_numbered);
            }
        }
    }

    /// The level of the heading that a paragraph is, from 1.
    pub(super) fn heading(&self, paragraph: &Element<'_>) -> Option<usize> {
        let properties = paragraph.first("pPr")?;
        let own = outline_level(properties);
        own.or_else(|| self.inherited(properties, |style| style.heading))
    }

    /// The place of a paragraph in a list.
    pub(super) fn list_place(&self, paragraph: &Element<'_>) -> Option<ListPlace> {
        let properties = paragraph.first("pPr")?;
        let reference = list_reference(properties);
        let (list, level) = reference.or_else(|| self.inherited(properties, |style| style.list.clone()))?;
        // The list 0 takes a paragraph out of the list of its style.
        let of = self.lists.get(&list).filter(|_| list != "0")?;
        Some(ListPlace {
            level,
            is_numbered: self.levels.get(&(of.clone(), level)).copied().unwrap_or(false),
        })
    }

    /// What the style of a paragraph says, or the next one that it is based on.
    fn inherited<T>(&self, properties: &Element<'_>, of: impl Fn(&Style) -> Option<T>) -> Option<T> {
        let mut name = value(properties, "pStyle")?;
        for _ in 0..MAX_ANCESTORS {
            let style = self.styles.get(&name)?;
            if let Some(found) = of(style) {
                return Some(found);
            }
            name = style.parent.clone()?;
        }
        None
    }
}

/// The attribute `val` of an element inside.
pub(super) fn value(element: &Element<'_>, name: &str) -> Option<String> {
    element.first(name)?.attribute("val")
}

/// The level of an outline, from 1; 9 means body text.
fn outline_level(properties: &Element<'_>) -> Option<usize> {
    let level: usize = value(properties, "outlineLvl")?.parse().ok()?;
    (level < 9).then_some(level + 1)
}

fn list_reference(properties: &Element<'_>) -> Option<(String, usize)> {
    let numbering = properties.first("numPr")?;
    let level = value(numbering, "ilvl").and_then(|level| level.parse().ok());
    Some((value(numbering, "numId")?, level.unwrap_or(0)))
}
