//! `Element`: a small tree of an XML document, whose names have lost their prefixes.
//!
//! Entities that a document declares are not known, and so none can be a bomb. Files that are not well formed are read as
//! far as they make sense.

use std::borrow::Cow;

use page::meta::decode_entities;
use quick_xml::events::attributes::Attributes;
use quick_xml::events::{BytesRef, Event};
use quick_xml::{Reader, XmlVersion};

use super::archive::unreadable;
use crate::error::Error;

/// Most elements of a document.
const MAX_ELEMENTS: usize = 1_000_000;
/// Deepest nesting of elements.
const MAX_DEPTH: usize = 250;

/// An element.
#[derive(Debug, Default)]
pub(super) struct Element<'a> {
    /// The name without its prefix.
    pub(super) name: &'a str,
    /// The attributes as they are written.
    attributes: &'a str,
    pub(super) children: Vec<Child<'a>>,
}

/// What an element contains.
#[derive(Debug)]
pub(super) enum Child<'a> {
    Element(Element<'a>),
    Text(Cow<'a, str>),
}

/// An event of reading, as slices of the document.
pub(super) enum Part<'a> {
    /// A start tag; whether the element is empty.
    Start(Element<'a>, bool),
    End,
    Text(Cow<'a, str>),
}

/// Reads the parts of a document in order.
pub(super) struct Parts<'a> {
    text: &'a str,
    reader: Reader<&'a [u8]>,
}

impl<'a> Parts<'a> {
    pub(super) fn new(text: &'a str) -> Parts<'a> {
        let mut reader = Reader::from_str(text);
        let config = reader.config_mut();
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        config.allow_dangling_amp = true;
        Parts { text, reader }
    }

    /// The next part; none at the end.
    ///
    /// # Errors
    /// When the document is no XML from there on.
    pub(super) fn next(&mut self) -> Result<Option<Part<'a>>, Error> {
        loop {
            let part = match self.reader.read_event() {
                Ok(Event::Start(tag)) => Part::Start(self.element(tag.len(), 1), false),
                Ok(Event::Empty(tag)) => Part::Start(self.element(tag.len(), 2), true),
                Ok(Event::End(_)) => Part::End,
                Ok(Event::Text(text)) => Part::Text(text.into_inner()),
                Ok(Event::CData(text)) => Part::Text(text.into_inner()),
                Ok(Event::GeneralRef(entity)) => Part::Text(Cow::Owned(character(&entity))),
                Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_)) => continue,
                Ok(Event::Eof) => return Ok(None),
                Err(_) => return Err(unreadable("one of its files is no XML")),
            };
            return Ok(Some(part));
        }
    }

    /// The element of the tag that was read last: of this length, before this many closing characters.
    fn element(&self, length: usize, closing: usize) -> Element<'a> {
        let at = usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX);
        let end = at.saturating_sub(closing);
        let tag = self.text.get(end.saturating_sub(length)..end).unwrap_or_default();
        let (name, attributes) = tag
            .split_once(|c: char| c.is_ascii_whitespace())
            .unwrap_or((tag, ""));
        Element {
            name: local(name),
            attributes,
            children: Vec::new(),
        }
    }
}

/// The characters of an entity; as written where the entity is unknown.
fn character(entity: &BytesRef<'_>) -> String {
    if let Ok(Some(character)) = entity.resolve_char_ref() {
        return character.to_string();
    }
    match &**entity {
        "amp" => "&".to_owned(),
        "lt" => "<".to_owned(),
        "gt" => ">".to_owned(),
        "quot" => "\"".to_owned(),
        "apos" => "'".to_owned(),
        name => decode_entities(&format!("&{name};")),
    }
}

fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// Reads a document; the result is an element that contains its root.
///
/// # Errors
/// When it is no XML, has too many elements or nests too deeply.
pub(super) fn parse(text: &str) -> Result<Element<'_>, Error> {
    let mut open: Vec<Element<'_>> = vec![Element::default()];
    let mut count = 0_usize;
    let mut parts = Parts::new(text.trim_start_matches('\u{feff}'));
    while let Some(part) = parts.next()? {
        let (child, is_closed) = match part {
            Part::Start(element, is_empty) => {
                count += 1;
                if count > MAX_ELEMENTS {
                    return Err(Error::TooLarge {
                        what: "the number of elements of the document".to_owned(),
                        limit: format!("{MAX_ELEMENTS} elements"),
                    });
                }
                if open.len() > MAX_DEPTH {
                    return Err(Error::TooLarge {
                        what: "the nesting of the document".to_owned(),
                        limit: format!("{MAX_DEPTH} levels"),
                    });
                }
                (Child::Element(element), is_empty)
            }
            Part::Text(text) => (Child::Text(text), true),
            Part::End => {
                close(&mut open);
                continue;
            }
        };
        match (child, is_closed) {
            (Child::Element(element), false) => open.push(element),
            (child, _) => {
                if let Some(parent) = open.last_mut() {
                    parent.children.push(child);
                }
            }
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    Ok(open.pop().unwrap_or_default())
}

/// Closes the innermost open element.
fn close<'a>(open: &mut Vec<Element<'a>>) {
    if open.len() < 2 {
        return;
    }
    let element = open.pop();
    if let (Some(parent), Some(element)) = (open.last_mut(), element) {
        parent.children.push(Child::Element(element));
    }
}

impl<'a> Element<'a> {
    /// The elements inside, of any name.
    pub(super) fn elements(&self) -> impl Iterator<Item = &Element<'a>> {
        self.children.iter().filter_map(|child| match child {
            Child::Element(element) => Some(element),
            Child::Text(_) => None,
        })
    }

    /// The elements of a name inside.
    pub(super) fn all<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s Element<'a>> {
        self.elements().filter(move |element| element.name == name)
    }

    /// The first element of a name inside.
    pub(super) fn first(&self, name: &str) -> Option<&Element<'a>> {
        self.elements().find(|element| element.name == name)
    }

    /// The element at the end of a path of names.
    pub(super) fn at(&self, path: &[&str]) -> Option<&Element<'a>> {
        path.iter().try_fold(self, |element, name| element.first(name))
    }

    /// The first element of a name at any depth.
    pub(super) fn find(&self, name: &str) -> Option<&Element<'a>> {
        self.elements().find_map(|element| match element.name == name {
            true => Some(element),
            false => element.find(name),
        })
    }

    /// The value of an attribute, whatever its prefix.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        self.attribute_where(|key| local(key) == name)
    }

    /// The identifier of a relationship that the element names, as `r:id` or `r:embed`.
    pub(super) fn relationship(&self) -> Option<String> {
        self.attribute_where(|key| {
            key.split_once(':')
                .is_some_and(|(_, local)| matches!(local, "id" | "embed"))
        })
    }

    fn attribute_where(&self, wanted: impl Fn(&str) -> bool) -> Option<String> {
        let mut attributes = Attributes::new(self.attributes, 0);
        attributes.with_checks(false);
        let found = attributes
            .flatten()
            .find(|attribute| wanted(attribute.key.as_ref()))?;
        Some(match found.normalized_value(XmlVersion::Implicit1_0) {
            Ok(value) => value.into_owned(),
            Err(_) => decode_entities(&found.value),
        })
    }

    /// An attribute as a number.
    pub(super) fn number(&self, name: &str) -> Option<usize> {
        self.attribute(name)?.trim().parse().ok()
    }

    /// The text inside, at any depth.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        self.add_text(&mut text);
        text
    }

    fn add_text(&self, text: &mut String) {
        for child in &self.children {
            match child {
                Child::Text(more) => text.push_str(more),
                Child::Element(element) => element.add_text(text),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_attributes_and_text_are_read_leniently() {
        let tree = parse(
            "\u{feff}<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'bomb'>]><w:a  w:val = \"x &gt; y\" r:id='r1'>1 &amp; 2&nbsp;<b/>\
             <c>&b;<![CDATA[<i>]]></d></w:a></z>",
        );
        let tree = tree.unwrap();
        let a = tree.first("a").unwrap();
        assert_eq!(a.attribute("val").as_deref(), Some("x > y"));
        assert_eq!(
            (a.relationship().as_deref(), a.attribute("none")),
            (Some("r1"), None)
        );
        assert_eq!(a.text(), "1 & 2\u{a0}&b;<i>");
        assert!(a.first("b").is_some() && a.find("c").is_some());
    }

    #[test]
    fn what_nests_too_deeply_or_is_no_xml_is_an_error() {
        assert!(matches!(parse(&"<a>".repeat(300)), Err(Error::TooLarge { .. })));
        assert!(matches!(parse("<a <b"), Err(Error::Failed(_))));
    }
}
