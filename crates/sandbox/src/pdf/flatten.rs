//! Pages of a PDF document, rewritten so that the PDF crate reads their text: forms in place, text operators only.
//!
//! The crate forgets where forms are placed, takes images for text and panics on colours that it does not know (ISO
//! 32000-1, 7.8, 8.10 and 9.4).

use std::collections::HashMap;

use pdf_extract::content::{Content, Operation};
use pdf_extract::{Dictionary, Document, Object, ObjectId, Stream};

use super::fonts::{self, resolved};

/// Most operators of a page, with those of its forms.
const MAX_OPERATIONS: usize = 1_000_000;
/// Most forms of a page.
const MAX_FORMS: usize = 10_000;
/// Most forms inside of one another, and most ancestors of a page.
const MAX_DEPTH: usize = 16;
/// The font of text that names none.
const FALLBACK_FONT: &[u8] = b"T";

/// Rewrites a page of the document. None where its content cannot be read.
pub(super) fn flatten(document: &mut Document, page: ObjectId) -> Option<()> {
    let content = document.get_page_content(page).ok()?;
    let mut flattener = Flattener {
        document,
        operations: vec![set_font(FALLBACK_FONT, 1.0)],
        names: HashMap::new(),
        fonts: Dictionary::new(),
        forms: 0,
    };
    let resources = inherited_resources(document, page);
    flattener.stream(&content, resources, 0)?;
    let Flattener {
        operations,
        mut fonts,
        ..
    } = flattener;
    fonts.set(FALLBACK_FONT, fonts::fallback());
    let content = Content { operations }.encode().ok()?;
    let content = document.add_object(Stream::new(Dictionary::new(), content));
    let mut resources = Dictionary::new();
    resources.set("Font", fonts);
    let page = document.get_object_mut(page).ok()?.as_dict_mut().ok()?;
    page.set("Contents", content);
    page.set("Resources", resources);
    page.set("MediaBox", vec![Object::Integer(0); 4]);
    page.remove(b"ArtBox");
    Some(())
}

/// The resources of a page or of the nearest node of the page tree above.
fn inherited_resources(document: &Document, page: ObjectId) -> Option<&Dictionary> {
    let mut node = document.get_dictionary(page).ok()?;
    for _ in 0..MAX_DEPTH {
        if let Some(resources) = dictionary(document, node, b"Resources") {
            return Some(resources);
        }
        node = dictionary(document, node, b"Parent")?;
    }
    None
}

fn dictionary<'d>(document: &'d Document, parent: &'d Dictionary, key: &[u8]) -> Option<&'d Dictionary> {
    resolved(document, parent.get(key).ok()?)?.as_dict().ok()
}

fn set_font(name: &[u8], size: f64) -> Operation {
    Operation::new("Tf", vec![Object::Name(name.to_vec()), number(size)])
}

fn number(value: f64) -> Object {
    #[expect(clippy::cast_possible_truncation, reason = "numbers of PDF are single floats")]
    Object::Real(value as f32)
}

/// The text operators of a page, in the order in which they are shown.
struct Flattener<'d> {
    document: &'d Document,
    operations: Vec<Operation>,
    /// The name of each font, by the address of its dictionary.
    names: HashMap<*const Dictionary, Vec<u8>>,
    fonts: Dictionary,
    /// How many forms were begun.
    forms: usize,
}

impl<'d> Flattener<'d> {
    /// Adds the operators of a stream. None where it cannot be read, or the page has too many.
    fn stream(&mut self, content: &[u8], resources: Option<&'d Dictionary>, depth: usize) -> Option<()> {
        let content = Content::decode(content).ok()?;
        let mut open = 0_usize;
        for operation in content.operations {
            if self.operations.len() > MAX_OPERATIONS {
                return None;
            }
            match operation.operator.as_str() {
                "q" => {
                    open += 1;
                    self.operations.push(operation);
                }
                // A stream ends only the states that it began.
                "Q" => {
                    if open > 0 {
                        open -= 1;
                        self.operations.push(operation);
                    }
                }
                "gs" => self.state(&operation, resources),
                "Tf" => self.font(&operation, resources),
                "Do" => self.object(&operation, resources, depth),
                _ => self.operation(operation),
            }
        }
        self.push_times("Q", open);
        Some(())
    }

    fn push_times(&mut self, operator: &str, times: usize) {
        self.operations
            .extend((0..times).map(|_| Operation::new(operator, Vec::new())));
    }

    /// Adds an operator that shows or places text, if its operands are right.
    fn operation(&mut self, operation: Operation) {
        let operands = operation.operands;
        let numbers = operands.iter().filter(|it| it.as_float().is_ok()).count();
        let are_numbers = |count: usize| operands.len() == count && numbers == count;
        match (operation.operator.as_str(), operands.as_slice()) {
            ("BT" | "ET" | "T*", _) => self
                .operations
                .push(Operation::new(&operation.operator, Vec::new())),
            ("cm" | "Tm", _) if are_numbers(6) => {
                self.operations
                    .push(Operation::new(&operation.operator, operands));
            }
            ("Td" | "TD", _) if are_numbers(2) => {
                self.operations
                    .push(Operation::new(&operation.operator, operands));
            }
            ("Tc" | "Tw" | "Tz" | "TL" | "Ts", _) if are_numbers(1) => {
                self.operations
                    .push(Operation::new(&operation.operator, operands));
            }
            ("Tj", [Object::String(..)]) | ("TJ", [Object::Array(_)]) => {
                self.operations
                    .push(Operation::new(&operation.operator, operands));
            }
            ("'", [text @ Object::String(..)]) => {
                self.push_times("T*", 1);
                self.operations.push(Operation::new("Tj", vec![text.clone()]));
            }
            ("\"", [words, characters, text @ Object::String(..)]) if numbers == 2 => {
                self.operations.push(Operation::new("Tw", vec![words.clone()]));
                self.operations
                    .push(Operation::new("Tc", vec![characters.clone()]));
                self.push_times("T*", 1);
                self.operations.push(Operation::new("Tj", vec![text.clone()]));
            }
            _ => {}
        }
    }

    fn font(&mut self, operation: &Operation, resources: Option<&'d Dictionary>) {
        let [Object::Name(name), size] = operation.operands.as_slice() else {
            return;
        };
        let Ok(size) = size.as_float() else {
            return;
        };
        let fonts = resources.and_then(|it| dictionary(self.document, it, b"Font"));
        let font = fonts.and_then(|fonts| dictionary(self.document, fonts, name));
        self.set_font(font, f64::from(size));
    }

    fn set_font(&mut self, font: Option<&'d Dictionary>, size: f64) {
        let name = font.map_or(FALLBACK_FONT.to_vec(), |font| self.name(font));
        self.operations.push(set_font(&name, size));
    }

    /// The name of a font on the flattened page.
    fn name(&mut self, font: &'d Dictionary) -> Vec<u8> {
        let number = self.names.len();
        let name = self.names.entry(std::ptr::from_ref(font)).or_insert_with(|| {
            let name = format!("T{number}").into_bytes();
            self.fonts.set(name.clone(), fonts::repaired(self.document, font));
            name
        });
        name.clone()
    }

    /// The font that a set of parameters names.
    fn state(&mut self, operation: &Operation, resources: Option<&'d Dictionary>) {
        let font = || {
            let name = operation.operands.first()?.as_name().ok()?;
            let states = dictionary(self.document, resources?, b"ExtGState")?;
            let state = dictionary(self.document, states, name)?;
            let [font, size] = resolved(self.document, state.get(b"Font").ok()?)?
                .as_array()
                .ok()?
                .as_slice()
            else {
                return None;
            };
            Some((
                resolved(self.document, font)?.as_dict().ok()?,
                size.as_float().ok()?,
            ))
        };
        if let Some((font, size)) = font() {
            self.set_font(Some(font), f64::from(size));
        }
    }

    /// Adds the text of a form in its place. Images have none.
    fn object(&mut self, operation: &Operation, resources: Option<&'d Dictionary>, depth: usize) {
        let form = || {
            let name = operation.operands.first()?.as_name().ok()?;
            let objects = dictionary(self.document, resources?, b"XObject")?;
            let object = resolved(self.document, objects.get(name).ok()?)?
                .as_stream()
                .ok()?;
            let is_form = object.dict.get(b"Subtype").and_then(Object::as_name).ok()? == b"Form";
            (is_form && depth < MAX_DEPTH && self.forms < MAX_FORMS).then_some(object)
        };
        let Some(form) = form() else {
            return;
        };
        self.forms += 1;
        let content = match form.filters() {
            Ok(_) => form.decompressed_content().unwrap_or_default(),
            Err(_) => form.content.clone(),
        };
        self.push_times("q", 1);
        if let Some(matrix) = fonts::numbers(self.document, &form.dict, b"Matrix")
            && matrix.len() == 6
        {
            self.operations
                .push(Operation::new("cm", matrix.into_iter().map(number).collect()));
        }
        let own = dictionary(self.document, &form.dict, b"Resources");
        // A form that cannot be read leaves the rest of the page as it is.
        let before = self.operations.len();
        if self.stream(&content, own.or(resources), depth + 1).is_none() {
            self.operations.truncate(before);
        }
        self.push_times("Q", 1);
    }
}
