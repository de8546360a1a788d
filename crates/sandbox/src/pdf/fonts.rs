//! Fonts of a PDF document, with their widths written as the PDF crate reads them (ISO 32000-1, 9.6 and 9.7).

use pdf_extract::{Dictionary, Document, Object};

/// Most widths of a font with several bytes to a character.
const MAX_WIDTHS: i64 = 1 << 16;
/// Most references that lead to one object.
const MAX_REFERENCES: usize = 8;

/// The fonts whose widths the PDF crate knows.
const STANDARD: [&[u8]; 14] = [
    b"Courier",
    b"Courier-Bold",
    b"Courier-BoldOblique",
    b"Courier-Oblique",
    b"Helvetica",
    b"Helvetica-Bold",
    b"Helvetica-BoldOblique",
    b"Helvetica-Oblique",
    b"Symbol",
    b"Times-Bold",
    b"Times-BoldItalic",
    b"Times-Italic",
    b"Times-Roman",
    b"ZapfDingbats",
];

/// The object that an object refers to.
pub(super) fn resolved<'d>(document: &'d Document, object: &'d Object) -> Option<&'d Object> {
    let mut object = object;
    for _ in 0..MAX_REFERENCES {
        match object {
            Object::Reference(id) => object = document.objects.get(id)?,
            other => return Some(other),
        }
    }
    None
}

/// The numbers of an array; none where it holds anything else.
pub(super) fn numbers(document: &Document, parent: &Dictionary, key: &[u8]) -> Option<Vec<f64>> {
    let array = resolved(document, parent.get(key).ok()?)?.as_array().ok()?;
    array.iter().map(|it| number(document, it)).collect()
}

fn number(document: &Document, object: &Object) -> Option<f64> {
    resolved(document, object)?.as_float().ok().map(f64::from)
}

fn name_of<'d>(document: &'d Document, parent: &'d Dictionary, key: &[u8]) -> Option<&'d [u8]> {
    resolved(document, parent.get(key).ok()?)?.as_name().ok()
}

/// A standard font.
pub(super) fn fallback() -> Dictionary {
    let mut font = Dictionary::new();
    font.set("Type", Object::Name(b"Font".to_vec()));
    font.set("Subtype", Object::Name(b"Type1".to_vec()));
    font.set("BaseFont", Object::Name(b"Helvetica".to_vec()));
    font.set("Encoding", Object::Name(b"WinAnsiEncoding".to_vec()));
    font
}

/// A font whose widths the PDF crate reads right.
pub(super) fn repaired(document: &Document, font: &Dictionary) -> Dictionary {
    let mut out = font.clone();
    match name_of(document, font, b"Subtype") {
        Some(b"Type0") => repair_composite(document, font, &mut out),
        Some(b"Type3") => {
            // Widths of these fonts are in units of their own.
            let unit = numbers(document, font, b"FontMatrix").and_then(|matrix| matrix.first().copied());
            repair_simple(
                document,
                font,
                unit.map_or(1.0, |unit| unit.abs() * 1000.0),
                &mut out,
            );
        }
        subtype => {
            if subtype.is_none() {
                out.set("Subtype", Object::Name(b"Type1".to_vec()));
            }
            repair_simple(document, font, 1.0, &mut out);
        }
    }
    out
}

/// Writes the widths as numbers, as many as there are codes.
fn repair_simple(document: &Document, font: &Dictionary, scale: f64, out: &mut Dictionary) {
    let descriptor = font.get(b"FontDescriptor").ok();
    let descriptor = descriptor.and_then(|it| resolved(document, it)?.as_dict().ok());
    if let Some(width) = descriptor.and_then(|it| number(document, it.get(b"MissingWidth").ok()?)) {
        out.set("MissingWidth", real(width * scale));
    }
    let first = font
        .get(b"FirstChar")
        .ok()
        .and_then(|it| resolved(document, it)?.as_i64().ok());
    let widths = numbers(document, font, b"Widths").filter(|widths| !widths.is_empty());
    if let (Some(first @ 0..256), Some(widths)) = (first, widths) {
        let widths: Vec<Object> = widths
            .into_iter()
            .take(256)
            .map(|width| real(width * scale))
            .collect();
        let last = first + i64::try_from(widths.len()).unwrap_or(256) - 1;
        out.set("FirstChar", first);
        out.set("LastChar", last);
        out.set("Widths", widths);
        if name_of(document, font, b"BaseFont").is_none() {
            out.set("BaseFont", Object::Name(b"Unnamed".to_vec()));
        }
        return;
    }
    out.remove(b"Widths");
    let base = name_of(document, font, b"BaseFont").unwrap_or_default();
    out.set("BaseFont", Object::Name(standard_font(base)));
}

/// The standard font whose widths stand for those that a font does not give.
fn standard_font(base: &[u8]) -> Vec<u8> {
    if STANDARD.contains(&base) {
        return base.to_vec();
    }
    let name = String::from_utf8_lossy(base).to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    let is_bold = has(&["bold", "black", "heavy"]);
    let standard: &[u8] = match is_bold {
        _ if has(&["symbol"]) => b"Symbol",
        _ if has(&["dingbats"]) => b"ZapfDingbats",
        _ if has(&["courier", "mono", "consolas"]) => b"Courier",
        true if has(&["times", "roman", "georgia", "garamond"]) => b"Times-Bold",
        false if has(&["times", "roman", "georgia", "garamond"]) => b"Times-Roman",
        true => b"Helvetica-Bold",
        false => b"Helvetica",
    };
    standard.to_vec()
}

/// Writes the widths of each range one by one: the PDF crate misreads ranges.
fn repair_composite(document: &Document, font: &Dictionary, out: &mut Dictionary) {
    let descendant = font.get(b"DescendantFonts").ok();
    let descendant = descendant
        .and_then(|it| resolved(document, it)?.as_array().ok())
        .and_then(|fonts| resolved(document, fonts.first()?)?.as_dict().ok());
    let Some(descendant) = descendant else {
        return;
    };
    let mut font = descendant.clone();
    if let Some(width) = descendant.get(b"DW").ok().and_then(|it| number(document, it)) {
        #[expect(clippy::cast_possible_truncation, reason = "a width out of all bounds is cut")]
        font.set("DW", width.round() as i64);
    }
    if descendant.get(b"FontDescriptor").is_err() {
        font.set("FontDescriptor", Dictionary::new());
    }
    if let Some(widths) = descendant
        .get(b"W")
        .ok()
        .and_then(|it| resolved(document, it)?.as_array().ok())
    {
        font.set("W", widths_one_by_one(document, widths));
    }
    out.set("DescendantFonts", vec![Object::Dictionary(font)]);
}

/// The widths of a composite font as `first [width ...]`. What is no list of widths ends them.
fn widths_one_by_one(document: &Document, widths: &[Object]) -> Vec<Object> {
    let mut out = Vec::new();
    let mut left = MAX_WIDTHS;
    let mut rest = widths;
    while let [first, second, tail @ ..] = rest
        && let Some(first) = code(document, first)
    {
        let list: Vec<Object> = match resolved(document, second) {
            Some(Object::Array(list)) => {
                rest = tail;
                list.iter()
                    .map(|width| real(number(document, width).unwrap_or(0.0)))
                    .take(usize::try_from(left).unwrap_or(0))
                    .collect()
            }
            _ => {
                let [width, tail @ ..] = tail else {
                    break;
                };
                let (Some(last), Some(width)) = (code(document, second), number(document, width)) else {
                    break;
                };
                rest = tail;
                (first..=last)
                    .take(usize::try_from(left).unwrap_or(0))
                    .map(|_| real(width))
                    .collect()
            }
        };
        left -= i64::try_from(list.len()).unwrap_or(left).min(left);
        out.push(Object::Integer(first));
        out.push(Object::Array(list));
    }
    out
}

fn code(document: &Document, object: &Object) -> Option<i64> {
    let code = number(document, object)?;
    #[expect(clippy::cast_possible_truncation, reason = "checked: between 0 and 65,535")]
    (0.0..65_536.0).contains(&code).then_some(code as i64)
}

fn real(value: f64) -> Object {
    #[expect(clippy::cast_possible_truncation, reason = "numbers of PDF are single floats")]
    Object::Real(value as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_widths_are_written_one_by_one() {
        let widths = [
            Object::Integer(3),
            Object::Integer(5),
            real(250.0),
            Object::Integer(9),
            Object::Array(vec![real(1.0), real(2.0)]),
            Object::Integer(7),
            Object::Integer(900_000),
            real(1.0),
        ];
        let expected = [
            Object::Integer(3),
            Object::Array(vec![real(250.0); 3]),
            Object::Integer(9),
            Object::Array(vec![real(1.0), real(2.0)]),
        ];
        assert_eq!(widths_one_by_one(&Document::new(), &widths), expected);
        let wide = [Object::Integer(0), Object::Integer(65_535), real(500.0)];
        let wide = [wide.clone(), wide.clone(), wide].concat();
        let written = widths_one_by_one(&Document::new(), &wide);
        let count: usize = written
            .iter()
            .filter_map(|it| it.as_array().ok())
            .map(Vec::len)
            .sum();
        assert_eq!(count, 65_536);
    }

    #[test]
    fn a_font_without_widths_gets_those_of_a_standard_font() {
        assert_eq!(standard_font(b"ABCDEF+ArialMT"), b"Helvetica");
        assert_eq!(standard_font(b"TimesNewRoman,Bold"), b"Times-Bold");
        assert_eq!(standard_font(b"Courier-Oblique"), b"Courier-Oblique");
    }
}
