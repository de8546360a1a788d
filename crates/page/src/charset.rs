//! Detection of a page's character encoding, and decoding of its bytes.
//!
//! The order is that of the HTML standard's encoding sniffing
//! (<https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding>):
//! a byte order mark, the `Content-Type` header, a `<meta>` in the first bytes, then a guess
//! from the bytes themselves. Beyond the standard, bytes that are plainly something else outrank the
//! header and the `<meta>`: UTF-16 without a mark, UTF-8 that is called an encoding of single bytes, and
//! what is called UTF-8 and has hardly a character of it.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::borrow::Cow;

/// How many bytes are searched for a `<meta>` that names the encoding.
const PRESCAN: usize = 1024;

/// A page's text, and how its bytes were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedText {
    /// The text; bytes that mean nothing became U+FFFD.
    pub text: String,
    /// The name of the encoding (`"UTF-8"`, `"windows-1252"`).
    pub encoding: &'static str,
    /// What named the encoding.
    pub source: EncodingSource,
    /// How many signs could not be decoded.
    pub undecoded: usize,
}

/// What named the encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EncodingSource {
    /// A byte order mark.
    Bom,
    /// The `charset` of the `Content-Type` header.
    Http,
    /// A `<meta>` of the page.
    Meta,
    /// The bytes themselves.
    Guessed,
}

/// Reads a page's bytes as text.
pub fn decode(bytes: &[u8], content_type: Option<&str>) -> DecodedText {
    let (encoding, source) = sniff(bytes, content_type);
    let (text, encoding, has_errors) = encoding.decode(bytes);
    let undecoded = match has_errors {
        true => text.matches(char::REPLACEMENT_CHARACTER).count(),
        false => 0,
    };
    let text = match text {
        Cow::Borrowed(text) => text.to_owned(),
        Cow::Owned(text) => text,
    };
    DecodedText {
        text,
        encoding: encoding.name(),
        source,
        undecoded,
    }
}

/// The text of bytes that are in UTF-16 by their byte order mark, by the header or by their zeros; `None` for all other
/// bytes. Of a character cut at the end nothing is left.
pub fn decode_utf16(bytes: &[u8], content_type: Option<&str>) -> Option<String> {
    let (encoding, _) = sniff_wide(bytes, content_type)?;
    let mut text = String::with_capacity(bytes.len() * 3 / 2 + 16);
    let _ = encoding.new_decoder().decode_to_string(bytes, &mut text, false);
    Some(text)
}

fn named_by_header(content_type: Option<&str>) -> Option<&'static Encoding> {
    Encoding::for_label(charset_of(content_type?)?.as_bytes())
}

fn sniff(bytes: &[u8], content_type: Option<&str>) -> (&'static Encoding, EncodingSource) {
    if let Some(wide) = sniff_wide(bytes, content_type) {
        return wide;
    }
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return (encoding, EncodingSource::Bom);
    }
    let by_header = || Some((named_by_header(content_type)?, EncodingSource::Http));
    let by_page = || Some((prescan(&bytes[..bytes.len().min(PRESCAN)])?, EncodingSource::Meta));
    match by_header().or_else(by_page) {
        Some((encoding, _)) if encoding.is_single_byte() && is_utf8(bytes) => {
            (UTF_8, EncodingSource::Guessed)
        }
        Some((encoding, source)) if encoding != UTF_8 || !is_other_than_utf8(bytes) => (encoding, source),
        _ => (guess(bytes), EncodingSource::Guessed),
    }
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Allow)
}

/// UTF-16 by a byte order mark, by the header, or by zeros beside the letters of ASCII.
fn sniff_wide(bytes: &[u8], content_type: Option<&str>) -> Option<(&'static Encoding, EncodingSource)> {
    let is_wide = |encoding: &&'static Encoding| [UTF_16LE, UTF_16BE].contains(encoding);
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return is_wide(&encoding).then_some((encoding, EncodingSource::Bom));
    }
    if let Some(encoding) = named_by_header(content_type).filter(is_wide) {
        return Some((encoding, EncodingSource::Http));
    }
    Some((wide_by_zeros(bytes)?, EncodingSource::Guessed))
}

/// Bytes that are looked at for zeros, and the fewest that tell.
const WIDE_HEAD: usize = 512;
const MIN_WIDE: usize = 32;

/// UTF-16 without a mark: of the first bytes, nearly all of every second one are zero, and beside them stands text of ASCII. A page
/// begins with its tags.
fn wide_by_zeros(bytes: &[u8]) -> Option<&'static Encoding> {
    let (pairs, _) = bytes.get(..WIDE_HEAD).unwrap_or(bytes).as_chunks::<2>();
    if pairs.len() * 2 < MIN_WIDE {
        return None;
    }
    let is_text = |byte: u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    let most = |is_letter: &dyn Fn(&[u8; 2]) -> bool| {
        pairs.iter().filter(|pair| is_letter(pair)).count() * 8 >= pairs.len() * 7
    };
    if most(&|[low, high]| *high == 0 && is_text(*low)) {
        Some(UTF_16LE)
    } else if most(&|[high, low]| *high == 0 && is_text(*low)) {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// Fewest characters beyond ASCII that tell what bytes are.
const TELLING: usize = 3;

/// Whether bytes are UTF-8 with several characters beyond ASCII. Text in single bytes is not, but for texts about
/// such faults.
fn is_utf8(bytes: &[u8]) -> bool {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        // The page may be cut within a character.
        Err(error) if error.error_len().is_none() => {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            std::str::from_utf8(valid).unwrap_or_default()
        }
        Err(_) => return false,
    };
    text.chars().filter(|c| !c.is_ascii()).take(TELLING).count() == TELLING
}

/// For each character of UTF-8 beyond ASCII so many faults show that bytes are in another encoding: two bytes of Shift JIS
/// are sometimes such a character by chance.
const FAULTS: usize = 4;

/// Whether bytes have several characters beyond ASCII, and hardly any of them is one of UTF-8.
fn is_other_than_utf8(bytes: &[u8]) -> bool {
    let (mut right, mut broken) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        right += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    broken >= TELLING && broken >= right * FAULTS
}

/// The `charset` parameter of a content type, also from `<meta content>`.
fn charset_of(content_type: &str) -> Option<&str> {
    let mut rest = content_type;
    loop {
        let at = find_ascii(rest.as_bytes(), b"charset")?;
        rest = rest.get(at + 7..)?.trim_start();
        let Some(value) = rest.strip_prefix('=') else {
            continue;
        };
        let value = value.trim_start();
        let label = match value.chars().next()? {
            quote @ ('"' | '\'') => value.get(1..)?.split(quote).next()?,
            _ => value
                .split(|c: char| c == ';' || c.is_ascii_whitespace())
                .next()?,
        };
        return Some(label.trim());
    }
}

fn find_ascii(bytes: &[u8], lower: &[u8]) -> Option<usize> {
    bytes
        .windows(lower.len())
        .position(|window| window.eq_ignore_ascii_case(lower))
}

/// The encoding that a `<meta>` among the first bytes names.
fn prescan(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut rest = bytes;
    while let Some(at) = memchr::memchr(b'<', rest) {
        rest = rest.get(at..)?;
        if rest.starts_with(b"<!--") {
            // `<!-->` closes itself: the dashes may overlap.
            let end = rest.get(2..)?.windows(3).position(|window| window == b"-->")?;
            rest = rest.get(end + 5..)?;
        } else if rest.len() > 5
            && rest[..5].eq_ignore_ascii_case(b"<meta")
            && (rest[5].is_ascii_whitespace() || rest[5] == b'/')
        {
            let (found, after) = meta(&rest[5..]);
            if found.is_some() {
                return found;
            }
            rest = after;
        } else if rest.get(1).is_some_and(u8::is_ascii_alphabetic)
            || (rest.get(1) == Some(&b'/') && rest.get(2).is_some_and(u8::is_ascii_alphabetic))
        {
            rest = rest.get(1..)?;
            let name = rest
                .iter()
                .position(|byte| byte.is_ascii_whitespace() || *byte == b'>')?;
            rest = rest.get(name..)?;
            while let (Some(_), after) = attribute(rest) {
                rest = after;
            }
        } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
            rest = rest.get(memchr::memchr(b'>', rest)?..)?;
        } else {
            rest = rest.get(1..)?;
        }
    }
    None
}

fn meta(bytes: &[u8]) -> (Option<&'static Encoding>, &[u8]) {
    let mut rest = bytes;
    let (mut pragma, mut label, mut from_content) = (false, None, false);
    while let (Some((name, value)), after) = attribute(rest) {
        rest = after;
        match name.as_str() {
            "http-equiv" => pragma |= value.eq_ignore_ascii_case("content-type"),
            "content" if label.is_none() => {
                label = charset_of(&value).map(str::to_owned);
                from_content = label.is_some();
            }
            "charset" => (label, from_content) = (Some(value), false),
            _ => {}
        }
    }
    let encoding = label
        .filter(|_| pragma || !from_content)
        .and_then(|label| Encoding::for_label(label.as_bytes()));
    // A page that could be read this far is not in UTF-16, and nobody means x-user-defined.
    let encoding = encoding.map(|named| match named {
        utf16 if utf16 == UTF_16LE || utf16 == UTF_16BE => UTF_8,
        user if user.name() == "x-user-defined" => WINDOWS_1252,
        other => other,
    });
    (encoding, rest)
}

/// The next attribute of a tag, name and value in lower case, and what follows it.
fn attribute(bytes: &[u8]) -> (Option<(String, String)>, &[u8]) {
    let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'/';
    let lower = |bytes: &[u8]| String::from_utf8_lossy(bytes).to_ascii_lowercase();
    let start = bytes.iter().position(|byte| !blank(byte)).unwrap_or(bytes.len());
    let rest = &bytes[start..];
    if rest.first().is_none_or(|byte| *byte == b'>') {
        return (None, rest);
    }
    let end = rest
        .iter()
        .skip(1)
        .position(|byte| blank(byte) || matches!(byte, b'=' | b'>'))
        .map_or(rest.len(), |at| at + 1);
    let (name, rest) = rest.split_at(end);
    let trimmed = rest.trim_ascii_start();
    let Some(value) = trimmed.strip_prefix(b"=") else {
        return (Some((lower(name), String::new())), trimmed);
    };
    let value = value.trim_ascii_start();
    match value.first() {
        Some(quote @ (b'"' | b'\'')) => {
            let value = &value[1..];
            match memchr::memchr(*quote, value) {
                Some(end) => (Some((lower(name), lower(&value[..end]))), &value[end + 1..]),
                None => (None, &value[value.len()..]),
            }
        }
        _ => {
            let end = value
                .iter()
                .position(|byte| byte.is_ascii_whitespace() || *byte == b'>')
                .unwrap_or(value.len());
            (Some((lower(name), lower(&value[..end]))), &value[end..])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], content_type: Option<&str>, encoding: &str, source: EncodingSource) {
        let decoded = decode(bytes, content_type);
        assert_eq!(
            (decoded.encoding, decoded.source),
            (encoding, source),
            "{:?}",
            String::from_utf8_lossy(bytes)
        );
    }

    #[test]
    fn a_byte_order_mark_outranks_the_header_and_the_header_outranks_the_page() {
        let meta = b"<meta charset=koi8-r><p>x";
        check(meta, None, "KOI8-R", EncodingSource::Meta);
        check(
            meta,
            Some("text/html; charset=\"iso-8859-2\""),
            "ISO-8859-2",
            EncodingSource::Http,
        );
        check(
            b"\xef\xbb\xbf<meta charset=koi8-r>",
            Some("text/html; charset=iso-8859-2"),
            "UTF-8",
            EncodingSource::Bom,
        );
        let contradiction = "<meta charset=koi8-r><p>ж";
        for (encoding, bytes) in [
            ("UTF-16LE", utf16(contradiction, u16::to_le_bytes)),
            ("UTF-16BE", utf16(contradiction, u16::to_be_bytes)),
            ("UTF-8", contradiction.as_bytes().to_vec()),
        ] {
            let mark: &[u8] = match encoding {
                "UTF-16LE" => b"\xff\xfe",
                "UTF-16BE" => b"\xfe\xff",
                _ => b"\xef\xbb\xbf",
            };
            let marked = [mark, &bytes].concat();
            for header in [
                None,
                Some("text/html; charset=utf-8"),
                Some("text/html; charset=utf-16be"),
                Some("text/html; charset=windows-1251"),
            ] {
                check(&marked, header, encoding, EncodingSource::Bom);
                assert_eq!(
                    decode(&marked, header).text,
                    contradiction,
                    "{encoding} {header:?}"
                );
            }
            let header = format!("text/html; charset={encoding}");
            check(&bytes, Some(&header), encoding, EncodingSource::Http);
            assert_eq!(decode(&bytes, Some(&header)).text, contradiction, "{encoding}");
        }
    }

    fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn only_the_first_mark_is_a_mark() {
        for text in ["a\u{feff}b", "\u{feff}\u{feff}a\u{feff}"] {
            let expected = text.strip_prefix('\u{feff}').unwrap_or(text);
            assert_eq!(
                decode(text.as_bytes(), Some("text/html; charset=utf-8")).text,
                expected
            );
            let wide = utf16(text, u16::to_le_bytes);
            assert_eq!(decode(&wide, Some("text/html; charset=utf-16le")).text, expected);
        }
    }

    #[test]
    fn a_few_bytes_are_utf16_by_their_mark_or_by_the_header_only() {
        let wide = utf16("tea 🍵", u16::to_be_bytes);
        let marked = [b"\xfe\xff".as_slice(), &wide].concat();
        assert_eq!(decode_utf16(&marked, None).as_deref(), Some("tea 🍵"));
        assert_eq!(
            decode_utf16(&marked[..marked.len() - 3], Some("text/html; charset=utf-8")).as_deref(),
            Some("tea "),
            "half a character is none"
        );
        assert_eq!(
            decode_utf16(&wide, Some("text/html; charset=utf-16be")).as_deref(),
            Some("tea 🍵")
        );
        assert_eq!(decode_utf16(&wide, None), None);
        assert_eq!(
            decode_utf16(b"\xef\xbb\xbftea", Some("text/html; charset=utf-16")),
            None
        );
    }

    #[test]
    fn pages_in_utf16_without_a_mark_are_known_by_their_zeros() {
        let page =
            "<html><head><meta charset=utf-8><title>Prices – “new”</title></head><p>1.299,00 € 日本</p>";
        for (encoding, wide) in [
            ("UTF-16LE", utf16(page, u16::to_le_bytes)),
            ("UTF-16BE", utf16(page, u16::to_be_bytes)),
        ] {
            for header in [None, Some("text/html"), Some("text/html; charset=utf-8")] {
                check(&wide, header, encoding, EncodingSource::Guessed);
                assert_eq!(decode(&wide, header).text, page);
                assert_eq!(decode_utf16(&wide, header).as_deref(), Some(page));
            }
        }
        let zeros = [0_u8; 64];
        assert_eq!(decode_utf16(&zeros, None), None);
    }

    #[test]
    fn bytes_that_are_plainly_utf8_are_read_so_whatever_they_are_called() {
        let page = "<meta charset=iso-8859-1><title>Müller – Preisliste für Türen</title>";
        check(page.as_bytes(), None, "UTF-8", EncodingSource::Guessed);
        check(
            page.as_bytes(),
            Some("text/html; charset=windows-1252"),
            "UTF-8",
            EncodingSource::Guessed,
        );
        check(
            &page.as_bytes()[..page.len() - 1],
            None,
            "UTF-8",
            EncodingSource::Guessed,
        );
        check(
            b"<meta charset=iso-8859-1>M\xfcller",
            None,
            "windows-1252",
            EncodingSource::Meta,
        );
        check(
            "<meta charset=iso-8859-1>Mü".as_bytes(),
            None,
            "windows-1252",
            EncodingSource::Meta,
        );
    }

    #[test]
    fn bytes_with_hardly_a_character_of_utf8_are_not_read_as_utf8() {
        let decoded = decode(b"<meta charset=utf-8>M\xfcller \x96 \x93neue\x94 Stra\xdfe", None);
        assert_eq!(decoded.text, "<meta charset=utf-8>Müller – “neue” Straße");
        assert_eq!((decoded.source, decoded.undecoded), (EncodingSource::Guessed, 0));
        let text =
            "<meta charset=utf-8>東京の天気予報 明日の東京は晴れ、最高気温は25度です。価格は3,980円です。";
        let (bytes, ..) = encoding_rs::SHIFT_JIS.encode(text);
        assert_eq!(decode(&bytes, None).text, text);
    }

    #[test]
    fn signs_that_could_not_be_decoded_are_counted() {
        let decoded = decode(b"<meta charset=utf-8>\xc3\xa9 \xff \xfe", None);
        assert_eq!((decoded.encoding, decoded.undecoded), ("UTF-8", 2));
        assert_eq!(decode("\u{fffd}é".as_bytes(), None).undecoded, 0);
    }

    #[test]
    fn an_unknown_label_is_as_good_as_none() {
        check(
            "<meta charset=klingon><p>żółć".as_bytes(),
            Some("text/html; charset=elvish"),
            "UTF-8",
            EncodingSource::Guessed,
        );
    }

    #[test]
    fn a_meta_names_the_encoding_in_all_its_spellings() {
        for page in [
            "<META CharSet = 'windows-1250'>",
            "<meta http-equiv=Content-Type content='text/html; charset=windows-1250'>",
            "<meta content=\"text/html;charset=windows-1250\" http-equiv=\"content-type\" />",
            "<!-- <meta charset=utf-8> --><meta/charset=windows-1250>",
            "<!--><meta charset=windows-1250>",
            "<a title='<meta charset=utf-8>'><meta charset=windows-1250>",
            "<!doctype html><?xml ?><meta charset=windows-1250>",
        ] {
            check(page.as_bytes(), None, "windows-1250", EncodingSource::Meta);
        }
        check(
            b"<meta content='text/html; charset=koi8-r'>plain",
            None,
            "UTF-8",
            EncodingSource::Guessed,
        );
        check(b"<meta charset=utf-16>", None, "UTF-8", EncodingSource::Meta);
    }

    #[test]
    fn bytes_without_a_label_are_guessed() {
        assert_eq!(
            decode(b"Stra\xdfe nach M\xfcnchen", None).text,
            "Straße nach München"
        );
        assert_eq!(decode("日本語のページ".as_bytes(), None).text, "日本語のページ");
    }

    #[test]
    fn any_bytes_give_some_text() {
        let bytes: Vec<u8> = (0..=255).chain("<meta <meta charset=' <!--".bytes()).collect();
        for cut in 0..bytes.len() {
            decode(&bytes[cut..], Some("charset"));
            decode(&bytes[..cut], Some("charset=\""));
        }
    }
}
