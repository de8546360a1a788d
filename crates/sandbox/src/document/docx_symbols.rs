//! Symbols and formulas of DOCX documents as plain text (ECMA-376, part 1, 17.3.3.30 and 22.1).

use super::xml::Element;

/// Characters of the font Symbol from 0x41 to 0x5a and from 0x61 to 0x7a.
const CAPITALS: &str = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
const SMALL: &str = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";
/// Those from 0xa0 to 0xd7; a space where the font has none.
const SIGNS: &str = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈… ─↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅";

/// The character that a font of symbols shows for a code; none where it is not known.
pub(super) fn symbol(font: &str, code: u32) -> Option<char> {
    // Codes of these fonts are written in the private area from 0xf000.
    let Some(code) = code.checked_sub(0xf000).filter(|code| *code < 0x100) else {
        return char::from_u32(code).filter(|c| !c.is_control());
    };
    let of = |characters: &str, first: u32| characters.chars().nth(usize::try_from(code - first).ok()?);
    let name = font.to_ascii_lowercase();
    let found = match (name.as_str(), code) {
        ("symbol", 0x41..=0x5a) => of(CAPITALS, 0x41),
        ("symbol", 0x61..=0x7a) => of(SMALL, 0x61),
        ("symbol", 0x2d) => Some('−'),
        ("symbol", 0x20..=0x3f) => char::from_u32(code),
        ("symbol", 0xa0..=0xd7) => of(SIGNS, 0xa0),
        ("symbol", 0xe5) => Some('∑'),
        ("symbol", 0xf2) => Some('∫'),
        ("wingdings", 0xfc) => Some('✓'),
        ("wingdings", 0xfb) => Some('✗'),
        ("wingdings", 0xfe) => Some('☑'),
        ("wingdings", 0xfd) => Some('☒'),
        ("wingdings", 0x6f | 0x71 | 0xa8) => Some('☐'),
        ("wingdings", 0x6c | 0x9f) => Some('•'),
        ("wingdings", 0x6e | 0xa7) => Some('▪'),
        ("wingdings", 0xe0) => Some('→'),
        ("wingdings", 0xdf) => Some('←'),
        _ => None,
    };
    found.filter(|c| *c != ' ')
}

/// A formula on one line: `1/2 + x^2`.
pub(super) fn formula(element: &Element<'_>) -> String {
    let part = |name: &str| element.first(name).map(formula).unwrap_or_default();
    match element.name {
        "f" => format!("{}/{}", grouped(part("num")), grouped(part("den"))),
        "sSup" => format!("{}^{}", part("e"), grouped(part("sup"))),
        "sSub" => format!("{}_{}", part("e"), grouped(part("sub"))),
        "sSubSup" => format!("{}_{}^{}", part("e"), grouped(part("sub")), grouped(part("sup"))),
        "rad" => format!("√{}", grouped(part("e"))),
        "d" => {
            let inside: Vec<String> = element.all("e").map(formula).collect();
            format!("({})", inside.join(", "))
        }
        "t" => element.text(),
        _ => element.elements().map(formula).collect(),
    }
}

/// A part of a formula, in brackets where it is more than a number or a name.
fn grouped(text: String) -> String {
    let is_single = text
        .trim()
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '.' | ','));
    if is_single {
        text.trim().to_owned()
    } else {
        format!("({text})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::xml;

    #[test]
    fn symbols_are_those_that_the_font_shows() {
        let known = [
            ("Symbol", 0xf0b0, Some('°')),
            ("Symbol", 0xf0b1, Some('±')),
            ("Symbol", 0xf061, Some('α')),
            ("Symbol", 0xf0d7, Some('⋅')),
            ("Symbol", 0xf0b4, Some('×')),
            ("Wingdings", 0xf0fc, Some('✓')),
            ("Webdings", 0xf041, None),
            ("Arial", 0x20ac, Some('€')),
            ("Symbol", 0xffff_ffff, None),
        ];
        for (font, code, expected) in known {
            assert_eq!(symbol(font, code), expected, "{font} {code:x}");
        }
    }

    #[test]
    fn formulas_keep_what_parts_their_numbers() {
        let read = |inner: &str| {
            let text = format!("<m:oMath>{inner}</m:oMath>");
            formula(&xml::parse(&text).unwrap())
        };
        let run = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
        let half = format!(
            "<m:f><m:num>{}</m:num><m:den>{}</m:den></m:f>",
            run("1"),
            run("2")
        );
        assert_eq!(read(&(half + &run("+x"))), "1/2+x");
        let sum = format!(
            "<m:f><m:num>{}</m:num><m:den>{}</m:den></m:f>",
            run("a+b"),
            run("2")
        );
        assert_eq!(read(&sum), "(a+b)/2");
        let power = format!(
            "<m:sSup><m:e>{}</m:e><m:sup>{}</m:sup></m:sSup>",
            run("10"),
            run("3")
        );
        assert_eq!(read(&power), "10^3");
    }
}
