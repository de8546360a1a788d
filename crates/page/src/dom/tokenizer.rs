//! The tokenizer of the HTML standard, on a whole page at once.
//!
//! <https://html.spec.whatwg.org/multipage/parsing.html#tokenization>. With all of the page at
//! hand most states become a search for the next byte that matters, and names, values and text are
//! handed on as parts of one shared buffer. That is several times faster than a machine fed
//! character by character, and a tag with very many attributes costs no more than its length.

use super::char_reference::{self, CharReference};
use super::depth_limiter::{self, DepthLimiter};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Doctype, Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::{Attribute, LocalName, QualName, local_name, ns};
use memchr::{memchr, memchr2, memchr3};
use std::borrow::Cow;
use std::collections::HashSet;

/// From this many attributes of one tag on, repeated names are found by hashing.
const FEW_ATTRIBUTES: usize = 16;

/// Sends the tokens of a page to the limiter, up to the end or until the limits are reached.
pub(super) fn run(html: &str, limiter: &DepthLimiter) {
    let html = html.strip_prefix('\u{feff}').unwrap_or(html);
    // The standard knows one line end only.
    let html = match memchr(b'\r', html.as_bytes()) {
        Some(_) => Cow::Owned(html.replace("\r\n", "\n").replace('\r', "\n")),
        None => Cow::Borrowed(html),
    };
    let mut tokenizer = Tokenizer {
        html: &html,
        bytes: html.as_bytes(),
        whole: StrTendril::from_slice(&html),
        at: 0,
        state: TokenizerState::Data,
        last_start: LocalName::default(),
        is_xml: html.trim_start().starts_with("<?xml"),
        limiter,
    };
    while tokenizer.at < tokenizer.bytes.len() && !limiter.is_over() {
        match tokenizer.state {
            TokenizerState::Data => tokenizer.data(),
            TokenizerState::Raw(kind) => tokenizer.raw(kind),
            TokenizerState::Plaintext => tokenizer.plaintext(),
        }
    }
    let _ = limiter.process_token(Token::EOFToken, 1);
    limiter.end();
}

#[derive(Clone, Copy)]
enum TokenizerState {
    Data,
    Raw(RawKind),
    Plaintext,
}

struct Tokenizer<'h> {
    html: &'h str,
    bytes: &'h [u8],
    /// The page as a buffer that tokens can share.
    whole: StrTendril,
    at: usize,
    state: TokenizerState,
    /// The name of the start tag sent last: only its end tag ends raw text.
    last_start: LocalName,
    /// Whether the page is written as XML, where `<title/>` is a whole element.
    is_xml: bool,
    limiter: &'h DepthLimiter,
}

impl<'h> Tokenizer<'h> {
    fn send(&mut self, token: Token) {
        match self.limiter.process_token(token, 1) {
            TokenSinkResult::RawData(kind) => self.state = TokenizerState::Raw(kind),
            TokenSinkResult::Plaintext => self.state = TokenizerState::Plaintext,
            TokenSinkResult::Continue
            | TokenSinkResult::Script(_)
            | TokenSinkResult::EncodingIndicator(_) => {}
        }
    }

    fn slice(&self, from: usize, to: usize) -> &'h str {
        self.html.get(from..to).unwrap_or("")
    }

    /// A part of the page: short ones are copied, long ones share the buffer.
    fn piece(&self, from: usize, to: usize) -> StrTendril {
        if to - from <= 8 {
            return StrTendril::from_slice(self.slice(from, to));
        }
        self.whole.subtendril(from as u32, (to - from) as u32)
    }

    fn text(&mut self, from: usize, to: usize) {
        if from < to {
            let piece = self.piece(from, to);
            self.send(Token::CharacterTokens(piece));
        }
    }

    fn decoded(&mut self, reference: &CharReference) {
        let mut text = StrTendril::from_char(reference.first);
        if let Some(second) = reference.second {
            text.push_char(second);
        }
        self.send(Token::CharacterTokens(text));
    }

    /// Text outside of raw elements, up to and with the next tag, comment or reference.
    fn data(&mut self) {
        let from = self.at;
        let mut at = from;
        while let Some(found) = memchr3(b'<', b'&', 0, &self.bytes[at..]) {
            at += found;
            let next = self.bytes.get(at + 1).copied();
            match (self.bytes[at], next) {
                (b'<', Some(byte)) if byte.is_ascii_alphabetic() => {
                    self.text(from, at);
                    return self.tag(TagKind::StartTag, at + 1);
                }
                (b'<', Some(b'/')) => match self.bytes.get(at + 2) {
                    Some(byte) if byte.is_ascii_alphabetic() => {
                        self.text(from, at);
                        return self.tag(TagKind::EndTag, at + 2);
                    }
                    Some(b'>') => {
                        self.text(from, at);
                        self.at = at + 3;
                        return;
                    }
                    Some(_) => {
                        self.text(from, at);
                        return self.bogus_comment(at + 2);
                    }
                    None => at += 2,
                },
                (b'<', Some(b'!')) => {
                    self.text(from, at);
                    return self.declaration(at + 2);
                }
                (b'<', Some(b'?')) => {
                    self.text(from, at);
                    return self.bogus_comment(at + 1);
                }
                (b'&', _) => match char_reference::read(self.slice(at, self.bytes.len()), false) {
                    Some(reference) => {
                        self.text(from, at);
                        self.decoded(&reference);
                        self.at = at + reference.len;
                        return;
                    }
                    None => at += 1,
                },
                (0, _) => {
                    self.text(from, at);
                    self.send(Token::NullCharacterToken);
                    self.at = at + 1;
                    return;
                }
                _ => at += 1,
            }
        }
        self.at = self.bytes.len();
        self.text(from, self.at);
    }

    /// A tag from its name on. One that the page ends in is no tag.
    fn tag(&mut self, kind: TagKind, from: usize) {
        let mut tag = Tag {
            kind,
            name: LocalName::default(),
            self_closing: false,
            attrs: Vec::new(),
            had_duplicate_attributes: false,
        };
        self.at = from;
        let end = self.until(from, |byte| is_space(byte) || matches!(byte, b'/' | b'>'));
        tag.name = self.name(from, end);
        self.at = end;
        if !self.attributes(&mut tag) {
            self.at = self.bytes.len();
            return;
        }
        self.state = TokenizerState::Data;
        if kind == TagKind::StartTag {
            self.last_start = tag.name.clone();
        }
        let is_whole = self.is_xml && tag.self_closing && self.is_container(&tag);
        let name = tag.name.clone();
        self.send(Token::TagToken(tag));
        if is_whole {
            self.state = TokenizerState::Data;
            self.send(Token::TagToken(Tag {
                kind: TagKind::EndTag,
                name,
                self_closing: false,
                attrs: Vec::new(),
                had_duplicate_attributes: false,
            }));
        }
    }

    /// Whether a start tag opens an element of HTML that can have content. Drawings and formulas close themselves in HTML, too.
    fn is_container(&self, tag: &Tag) -> bool {
        tag.kind == TagKind::StartTag
            && !depth_limiter::is_void(&tag.name)
            && !matches!(tag.name, local_name!("svg") | local_name!("math"))
            && !self
                .limiter
                .adjusted_current_node_present_but_not_in_html_namespace()
    }

    /// Reads attributes up to and with the `>`. Returns whether there was one.
    fn attributes(&mut self, tag: &mut Tag) -> bool {
        let mut seen: Option<HashSet<LocalName>> = None;
        loop {
            self.at = self.until(self.at, |byte| !is_space(byte));
            match self.bytes.get(self.at) {
                None => return false,
                Some(b'>') => {
                    self.at += 1;
                    return true;
                }
                Some(b'/') => {
                    self.at += 1;
                    if self.bytes.get(self.at) == Some(&b'>') {
                        tag.self_closing = true;
                    }
                    continue;
                }
                Some(_) => {}
            }
            let from = self.at;
            // A `=` at the start is part of the name.
            let end = self.until(from + 1, |byte| {
                is_space(byte) || matches!(byte, b'/' | b'>' | b'=')
            });
            self.at = self.until(end, |byte| !is_space(byte));
            let mut value = StrTendril::new();
            if self.bytes.get(self.at) == Some(&b'=') {
                self.at = self.until(self.at + 1, |byte| !is_space(byte));
                match self.value() {
                    Some(read) => value = read,
                    None => return false,
                }
            }
            if tag.kind == TagKind::EndTag {
                continue;
            }
            let name = self.name(from, end);
            if tag.attrs.len() == FEW_ATTRIBUTES && seen.is_none() {
                seen = Some(tag.attrs.iter().map(|attr| attr.name.local.clone()).collect());
            }
            let fresh = match &mut seen {
                Some(seen) => seen.insert(name.clone()),
                None => tag.attrs.iter().all(|attr| attr.name.local != name),
            };
            if fresh {
                tag.attrs.push(Attribute {
                    name: QualName::new(None, ns!(), name),
                    value,
                });
            } else {
                tag.had_duplicate_attributes = true;
            }
        }
    }

    /// The value of an attribute; none when the page ends in it.
    fn value(&mut self) -> Option<StrTendril> {
        let first = *self.bytes.get(self.at)?;
        match first {
            b'"' | b'\'' => {
                let from = self.at + 1;
                let end = from + memchr(first, self.bytes.get(from..)?)?;
                self.at = end + 1;
                Some(self.decode(from, end))
            }
            b'>' => Some(StrTendril::new()),
            _ => {
                let from = self.at;
                let end = self.until(from, |byte| is_space(byte) || byte == b'>');
                self.at = end;
                (end < self.bytes.len()).then(|| self.decode(from, end))
            }
        }
    }

    /// The text of a value, its references read.
    fn decode(&self, from: usize, to: usize) -> StrTendril {
        let Some(first) = memchr2(b'&', 0, self.bytes.get(from..to).unwrap_or(&[])) else {
            return self.piece(from, to);
        };
        let mut out = String::with_capacity(to - from);
        let (mut start, mut at) = (from, from + first);
        loop {
            out.push_str(self.slice(start, at));
            let rest = self.slice(at, to);
            start = at + 1;
            if self.bytes[at] == 0 {
                out.push('\u{fffd}');
            } else if let Some(reference) = char_reference::read(rest, true) {
                out.push(reference.first);
                out.extend(reference.second);
                start = at + reference.len;
            } else {
                out.push('&');
            }
            match memchr2(b'&', 0, self.bytes.get(start..to).unwrap_or(&[])) {
                Some(found) => at = start + found,
                None => break,
            }
        }
        out.push_str(self.slice(start, to));
        StrTendril::from(out)
    }

    /// A name in lower case.
    fn name(&self, from: usize, to: usize) -> LocalName {
        let name = self.slice(from, to);
        if name.bytes().any(|byte| byte.is_ascii_uppercase() || byte == 0) {
            return LocalName::from(name.to_ascii_lowercase().replace('\0', "\u{fffd}"));
        }
        LocalName::from(name)
    }

    /// Where the first byte stands that fits, or the end of the page.
    fn until(&self, from: usize, fits: impl Fn(u8) -> bool) -> usize {
        let rest = self.bytes.get(from..).unwrap_or(&[]);
        rest.iter()
            .position(|byte| fits(*byte))
            .map_or(self.bytes.len(), |found| from + found)
    }

    fn has_at(&self, at: usize, lower: &[u8]) -> bool {
        self.bytes
            .get(at..at + lower.len())
            .is_some_and(|bytes| bytes.eq_ignore_ascii_case(lower))
    }

    /// What follows `<!`.
    fn declaration(&mut self, from: usize) {
        if self.has_at(from, b"--") {
            self.comment(from + 2);
        } else if self.has_at(from, b"doctype") {
            self.doctype(from + 7);
        } else if self.bytes.get(from..from + 7) == Some(b"[CDATA[")
            && self
                .limiter
                .adjusted_current_node_present_but_not_in_html_namespace()
        {
            self.cdata(from + 7);
        } else {
            self.bogus_comment(from);
        }
    }

    fn bogus_comment(&mut self, from: usize) {
        let end = self.until(from, |byte| byte == b'>');
        self.at = (end + 1).min(self.bytes.len());
        self.send(Token::CommentToken(StrTendril::new()));
    }

    /// A comment, whose text is dropped.
    fn comment(&mut self, from: usize) {
        let rest = self.bytes.get(from..).unwrap_or(&[]);
        let end = match rest {
            [b'>', ..] => Some(1),
            [b'-', b'>', ..] => Some(2),
            _ => memchr::memchr_iter(b'>', rest)
                .find(|at| rest[..*at].ends_with(b"--") || rest[..*at].ends_with(b"--!"))
                .map(|at| at + 1),
        };
        self.at = end.map_or(self.bytes.len(), |end| from + end);
        self.send(Token::CommentToken(StrTendril::new()));
    }

    fn cdata(&mut self, from: usize) {
        let rest = self.bytes.get(from..).unwrap_or(&[]);
        let end = memchr::memmem::find(rest, b"]]>").map_or(self.bytes.len(), |found| from + found);
        let mut start = from;
        while let Some(found) = memchr(0, &self.bytes[start..end]) {
            self.text(start, start + found);
            self.send(Token::NullCharacterToken);
            start += found + 1;
        }
        self.text(start, end);
        self.at = (end + 3).min(self.bytes.len());
    }

    /// A doctype, of which only the quirks it asks for matter.
    fn doctype(&mut self, from: usize) {
        let end = self.until(from, |byte| byte == b'>');
        let closed = end < self.bytes.len();
        self.at = (end + 1).min(self.bytes.len());
        let mut rest = self.slice(from, end).trim_start_matches(is_space_char);
        let (name, after) = rest.split_at(rest.find(is_space_char).unwrap_or(rest.len()));
        rest = after.trim_start_matches(is_space_char);
        let mut doctype = Doctype {
            name: (!name.is_empty()).then(|| StrTendril::from(name.to_ascii_lowercase())),
            public_id: None,
            system_id: None,
            force_quirks: name.is_empty() || !closed,
        };
        let keyword = rest.get(..6).unwrap_or("").to_ascii_lowercase();
        let ids = rest.get(6..).unwrap_or("").trim_start_matches(is_space_char);
        match keyword.as_str() {
            "public" => {
                let (public, after) = quoted(ids);
                let after = after.trim_start_matches(is_space_char);
                let (system, _) = quoted(after);
                doctype.force_quirks |= public.is_none() || (system.is_none() && !after.is_empty());
                doctype.public_id = public.map(StrTendril::from_slice);
                doctype.system_id = system.map(StrTendril::from_slice);
            }
            "system" => {
                let (system, _) = quoted(ids);
                doctype.force_quirks |= system.is_none();
                doctype.system_id = system.map(StrTendril::from_slice);
            }
            _ => doctype.force_quirks |= !rest.is_empty(),
        }
        self.send(Token::DoctypeToken(doctype));
    }

    /// Text in which only one end tag counts.
    fn raw(&mut self, kind: RawKind) {
        let from = self.at;
        let end = match kind {
            RawKind::ScriptData | RawKind::ScriptDataEscaped(_) => self.script_end(from),
            RawKind::Rcdata | RawKind::Rawtext => {
                let name = self.last_start.clone();
                let rest = self.bytes.get(from..).unwrap_or(&[]);
                memchr::memchr_iter(b'<', rest)
                    .map(|found| from + found)
                    .find(|at| self.is_end_tag(*at, &name))
            }
        };
        let stop = end.unwrap_or(self.bytes.len());
        self.raw_text(from, stop, kind == RawKind::Rcdata);
        match end {
            Some(end) => self.tag(TagKind::EndTag, end + 2),
            None => self.at = self.bytes.len(),
        }
    }

    /// Sends raw text; references count in titles and text areas.
    fn raw_text(&mut self, from: usize, to: usize, references: bool) {
        let mut start = from;
        let mut at = from;
        let next_special = |rest: &[u8]| {
            if references {
                memchr2(b'&', 0, rest)
            } else {
                memchr(0, rest)
            }
        };
        while let Some(found) = next_special(&self.bytes[at..to]) {
            at += found;
            if self.bytes[at] == 0 {
                self.text(start, at);
                self.send(Token::CharacterTokens(StrTendril::from_char('\u{fffd}')));
                (start, at) = (at + 1, at + 1);
            } else if let Some(reference) = char_reference::read(self.slice(at, to), false) {
                self.text(start, at);
                self.decoded(&reference);
                (start, at) = (at + reference.len, at + reference.len);
            } else {
                at += 1;
            }
        }
        self.text(start, to);
    }

    fn is_end_tag(&self, at: usize, name: &str) -> bool {
        self.bytes.get(at + 1) == Some(&b'/') && self.is_tag_name(at + 2, name)
    }

    /// Whether a whole tag name stands there.
    fn is_tag_name(&self, at: usize, name: &str) -> bool {
        self.has_at(at, name.as_bytes())
            && self
                .bytes
                .get(at + name.len())
                .is_some_and(|byte| is_space(*byte) || matches!(byte, b'/' | b'>'))
    }

    /// Where the end tag of a script stands, comments and scripts in comments accounted for.
    fn script_end(&self, from: usize) -> Option<usize> {
        let mut at = from;
        // 0: plain, 1: in a comment, 2: in a script in a comment.
        let mut depth = 0u8;
        loop {
            let rest = self.bytes.get(at..)?;
            at += if depth == 0 {
                memchr(b'<', rest)?
            } else {
                memchr2(b'<', b'-', rest)?
            };
            if self.bytes[at] == b'-' {
                if self.bytes[at..].starts_with(b"-->") {
                    depth = 0;
                }
            } else if self.is_end_tag(at, "script") {
                if depth < 2 {
                    return Some(at);
                }
                depth = 1;
            } else if depth == 0 && self.bytes[at..].starts_with(b"<!--") {
                depth = 1;
                // The dashes may also be those of the end: `<!-->`.
                at += 1;
            } else if depth == 1 && self.is_tag_name(at + 1, "script") {
                depth = 2;
            }
            at += 1;
        }
    }

    fn plaintext(&mut self) {
        self.raw_text(self.at, self.bytes.len(), false);
        self.at = self.bytes.len();
    }
}

/// A quoted id of a doctype and what follows it. One without its second quote ends with the tag.
fn quoted(text: &str) -> (Option<&str>, &str) {
    match text.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            let rest = text.get(1..).unwrap_or("");
            match rest.find(quote) {
                Some(end) => (rest.get(..end), rest.get(end + 1..).unwrap_or("")),
                None => (Some(rest), ""),
            }
        }
        _ => (None, text),
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b' ')
}

fn is_space_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\x0c' | ' ')
}
