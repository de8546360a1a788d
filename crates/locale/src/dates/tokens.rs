//! The numbers, words and marks of a date text.
//!
//! Text is folded first, so that one table of words serves every spelling: lower case, no accents, digits of
//! any script as ASCII, CJK width forms as ASCII.

use crate::fold::push_folded;
use crate::number::digit;

/// Longest text that is read, in characters; dates stand near its beginning.
const MAX_CHARS: usize = 400;
/// Most tokens that are kept.
const MAX_TOKENS: usize = 120;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// ASCII digits after folding.
    Number,
    /// Letters; one character each in Han, Kana and Hangul.
    Word,
    /// Any other character that is no white space.
    Mark(char),
}

/// A piece of the folded text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    /// Byte range in the folded text.
    pub(super) start: usize,
    pub(super) end: usize,
    /// The value of a number; numbers of more than 18 digits count as 0.
    pub(super) value: u64,
    /// Whether no white space stands before it.
    pub(super) glued: bool,
}

impl Token {
    pub(super) fn digits(&self) -> usize {
        if self.kind == TokenKind::Number {
            self.end - self.start
        } else {
            0
        }
    }

    pub(super) fn is_mark(&self, mark: char) -> bool {
        self.kind == TokenKind::Mark(mark)
    }
}

/// Folded text and its tokens.
#[derive(Debug, Default)]
pub(super) struct DateTokens {
    pub(super) text: String,
    pub(super) list: Vec<Token>,
}

impl DateTokens {
    pub(super) fn of(text: &str) -> DateTokens {
        let mut tokens = DateTokens {
            text: fold(text),
            list: Vec::new(),
        };
        tokens.cut();
        tokens
    }

    pub(super) fn str(&self, token: &Token) -> &str {
        self.text.get(token.start..token.end).unwrap_or("")
    }

    fn cut(&mut self) {
        let mut glued = true;
        let mut chars = self.text.char_indices().peekable();
        while let Some((start, c)) = chars.next() {
            if c.is_whitespace() {
                glued = false;
                continue;
            }
            let mut end = start + c.len_utf8();
            let kind = if c.is_ascii_digit() {
                while let Some((at, d)) = chars.next_if(|(_, d)| d.is_ascii_digit()) {
                    end = at + d.len_utf8();
                }
                TokenKind::Number
            } else if is_single(c) {
                TokenKind::Word
            } else if is_letter(c) {
                while let Some((at, d)) = chars.next_if(|(_, d)| is_letter(*d) && !is_single(*d)) {
                    end = at + d.len_utf8();
                }
                TokenKind::Word
            } else {
                TokenKind::Mark(c)
            };
            let value = match kind {
                TokenKind::Number => self
                    .text
                    .get(start..end)
                    .and_then(|digits| digits.parse().ok())
                    .unwrap_or(0),
                TokenKind::Word | TokenKind::Mark(_) => 0,
            };
            if self.list.len() == MAX_TOKENS {
                return;
            }
            self.list.push(Token {
                kind,
                start,
                end,
                value,
                glued,
            });
            glued = true;
        }
    }
}

/// Lower case without accents, with ASCII digits and marks.
pub(super) fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(4 * MAX_CHARS));
    for c in text.chars().take(MAX_CHARS) {
        if c.is_ascii() {
            out.push(c.to_ascii_lowercase());
        } else if let Some(digit) = digit(c) {
            out.push(char::from(b'0' + digit));
        } else if is_single(c) {
            out.push(c);
        } else {
            fold_other(c, &mut out);
        }
    }
    if out.contains("元年") {
        // The first year of a Japanese era.
        out = out.replace("元年", "1年");
    }
    if out.chars().any(|c| han_digit(c).is_some()) {
        han_numbers(&out)
    } else {
        out
    }
}

fn fold_other(c: char, out: &mut String) {
    match c {
        '\u{ff01}'..='\u{ff5e}' => {
            // Full-width forms of ASCII.
            let ascii = char::from_u32(u32::from(c) - 0xfee0).unwrap_or(' ');
            out.push(ascii.to_ascii_lowercase());
        }
        '–' | '—' | '−' | '‐' | '‑' | '‒' => out.push('-'),
        '’' | '‘' | 'ʼ' | '׳' => out.push('\''),
        '،' | '、' => out.push(','),
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => {}
        _ => push_folded(c, out),
    }
}

/// Scripts written without spaces: each character is a token.
fn is_single(c: char) -> bool {
    matches!(c, '\u{3005}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '\u{900}'..='\u{e7f}' if !matches!(c, '।' | '॥' | '॰'))
}

fn han_digit(c: char) -> Option<u64> {
    Some(match c {
        '〇' | '零' => 0,
        '一' => 1,
        '二' => 2,
        '三' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        '十' => 10,
        _ => return None,
    })
}

/// Writes Chinese numerals as digits where they count something (`三月`, `二〇二〇年`, `三天`), and leaves them where
/// they are part of a word (`星期三`).
fn han_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut run: Vec<(char, u64)> = Vec::new();
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let Some(value) = han_digit(c) else {
            out.push(c);
            before = c;
            continue;
        };
        run.push((c, value));
        if chars.peek().is_some_and(|next| han_digit(*next).is_some()) {
            continue;
        }
        let counts = chars
            .peek()
            .is_some_and(|next| "年月日号號天个個小分秒周週時时点點か".contains(*next));
        match number(&run) {
            Some(value) if counts && !"期周週拜".contains(before) => out.push_str(&value.to_string()),
            _ => out.extend(run.iter().map(|(c, _)| *c)),
        }
        run.clear();
        before = c;
    }
    out
}

/// `二〇二〇` is read digit by digit, `二十五` as tens and ones.
fn number(run: &[(char, u64)]) -> Option<u64> {
    if run.len() > 4 {
        return None;
    }
    let Some(ten) = run.iter().position(|(_, value)| *value == 10) else {
        return Some(run.iter().fold(0, |sum, (_, value)| sum * 10 + value));
    };
    let value = |at: usize| run.get(at).map(|(_, value)| *value);
    match (ten, run.len()) {
        (0, 1) => Some(10),
        (0, 2) => Some(10 + value(1)?),
        (1, 2) => Some(value(0)? * 10),
        (1, 3) => Some(value(0)? * 10 + value(2)?),
        _ => None,
    }
}
