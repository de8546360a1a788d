//! Words and lines of a page, from pieces of text with their places.

use super::script::reading_order;

/// A piece of text on one line: a word, or a part of one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece {
    /// The texts of its glyphs, from left to right.
    pub(super) units: Vec<String>,
    pub(super) left: f64,
    pub(super) right: f64,
    /// The baseline, from the top.
    pub(super) baseline: f64,
    pub(super) size: f64,
    /// Whether the document has a space before it, and behind it.
    pub(super) space_before: bool,
    pub(super) space_after: bool,
}

/// Largest gap between two glyphs of a word, in sizes of the font.
pub(super) const WORD_GAP: f64 = 0.15;
/// How far letters reach above and below the baseline, in sizes of the font.
const ABOVE: f64 = 0.7;
const BELOW: f64 = 0.2;
/// Part of the height of the lower of two texts that they share where they stand on one line.
const SHARED: f64 = 0.5;
/// Most gaps of a line that are looked at.
const MAX_GAPS: usize = 256;
/// Least gap between cells of a table, in sizes of the font, where no space stands in it.
pub(super) const JUMP: f64 = 0.18;

impl Piece {
    fn top(&self) -> f64 {
        self.baseline - ABOVE * self.size
    }

    fn bottom(&self) -> f64 {
        self.baseline + BELOW * self.size
    }

    fn is_beside(&self, other: &Piece) -> bool {
        let shared = self.bottom().min(other.bottom()) - self.top().max(other.top());
        shared > SHARED * (ABOVE + BELOW) * self.size.min(other.size)
    }

    fn text(&self) -> String {
        self.units.concat()
    }

    /// Whether a list begins with this word: a bullet, or a number of an item.
    fn is_list_marker(&self) -> bool {
        let text = self.text();
        let mut characters = text.chars();
        if let (Some(bullet), None) = (characters.next(), characters.next()) {
            return matches!(
                bullet,
                '•' | '◦'
                    | '▪'
                    | '▫'
                    | '■'
                    | '□'
                    | '●'
                    | '○'
                    | '‣'
                    | '⁃'
                    | '·'
                    | '–'
                    | '—'
                    | '-'
                    | '*'
                    | '\u{f0b7}'
                    | '\u{f0a7}'
            );
        }
        let inside = text.strip_prefix('(').unwrap_or(&text);
        let Some(label) = inside.strip_suffix(['.', ')']) else {
            return text.starts_with('[') && text.ends_with(']') && text.len() <= 5;
        };
        let is_number = label.len() <= 3 && label.bytes().all(|byte| byte.is_ascii_digit());
        let is_letter = label.len() == 1 && label.bytes().all(|byte| byte.is_ascii_alphabetic());
        !label.is_empty() && (is_number || is_letter)
    }
}

/// A stretch of a line without text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Gap {
    pub(super) left: f64,
    pub(super) right: f64,
    /// Whether the document has no space here: the text behind was placed on its own.
    pub(super) is_jump: bool,
}

/// Which gaps between words may part columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct GapRule {
    /// The least width, in sizes of the font.
    pub(super) least: f64,
    /// Whether the words of the page are separated by spaces, so that a small gap without one is a jump.
    pub(super) has_jumps: bool,
}

/// Words side by side, from left to right.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub(super) words: Vec<Piece>,
    pub(super) baseline: f64,
    /// The size of most of its text.
    pub(super) size: f64,
}

impl Line {
    pub(super) fn left(&self) -> f64 {
        self.words
            .iter()
            .map(|word| word.left)
            .fold(f64::INFINITY, f64::min)
    }

    pub(super) fn right(&self) -> f64 {
        self.words
            .iter()
            .map(|word| word.right)
            .fold(f64::NEG_INFINITY, f64::max)
    }

    /// Its text in reading order.
    pub(super) fn text(&self) -> String {
        text(&self.words)
    }

    /// The gaps between its words that may part columns.
    pub(super) fn gaps(&self, rule: GapRule) -> Vec<Gap> {
        let mut gaps = Vec::new();
        let mut end = f64::NEG_INFINITY;
        for (index, (word, next)) in self.words.iter().zip(self.words.iter().skip(1)).enumerate() {
            end = word.right.max(end);
            let is_jump = rule.has_jumps && !word.space_after && !next.space_before;
            let enough = if is_jump { JUMP } else { rule.least };
            let is_marker = index == 0 && word.is_list_marker();
            if next.left - end >= enough * self.size && !is_marker && gaps.len() < MAX_GAPS {
                gaps.push(Gap {
                    left: end,
                    right: next.left,
                    is_jump,
                });
            }
        }
        gaps
    }
}

/// The words in reading order, with a space between two.
pub(super) fn text(words: &[Piece]) -> String {
    let mut units: Vec<&str> = Vec::new();
    for word in words {
        if !units.is_empty() {
            units.push(" ");
        }
        units.extend(word.units.iter().map(String::as_str));
    }
    reading_order(&units)
}

/// The lines of a part of a page, from the top.
pub(super) fn lines(mut pieces: Vec<Piece>) -> Vec<Line> {
    pieces.sort_by(|a, b| a.baseline.total_cmp(&b.baseline));
    let mut groups: Vec<(Piece, Vec<Piece>)> = Vec::new();
    for piece in pieces {
        match groups.last_mut().filter(|(of, _)| of.is_beside(&piece)) {
            Some((of, group)) => {
                // The line is where its largest text stands.
                if piece.size > of.size {
                    *of = piece.clone();
                }
                group.push(piece);
            }
            None => groups.push((piece.clone(), vec![piece])),
        }
    }
    groups
        .into_iter()
        .map(|(of, group)| line(of.baseline, group))
        .collect()
}

fn line(baseline: f64, mut pieces: Vec<Piece>) -> Line {
    pieces.sort_by(|a, b| a.left.total_cmp(&b.left));
    let mut words: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let joined = words.last_mut().filter(|word| {
            let gap = piece.left - word.right;
            let is_parted = word.space_after || piece.space_before;
            !is_parted && gap <= WORD_GAP * word.size.max(piece.size)
        });
        match joined {
            Some(word) => {
                word.units.extend(piece.units);
                word.right = word.right.max(piece.right);
                word.space_after = piece.space_after;
                if piece.size > word.size {
                    word.size = piece.size;
                    word.baseline = piece.baseline;
                }
            }
            None => words.push(piece),
        }
    }
    let size = common_size(&words);
    Line {
        words,
        baseline,
        size,
    }
}

/// The size of most of the text.
fn common_size(words: &[Piece]) -> f64 {
    let mut sizes: Vec<(f64, usize)> = Vec::new();
    for word in words {
        let is_same = |of: f64| (of - word.size).abs() <= 0.02 * of;
        let known = sizes.iter().position(|(of, _)| is_same(*of));
        match known {
            Some(index) => {
                if let Some((_, count)) = sizes.get_mut(index) {
                    *count += word.units.len();
                }
            }
            None if sizes.len() < 16 => sizes.push((word.size, word.units.len())),
            None => {}
        }
    }
    sizes
        .into_iter()
        .max_by_key(|(_, count)| *count)
        .map_or(1.0, |(size, _)| size)
}

/// The middle one of some numbers; 0 of none.
pub(super) fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(0.0)
}
