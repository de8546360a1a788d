//! Glyphs of a page with their places, and the pieces of text that stand together on a line.

use pdf_extract::{MediaBox, OutputDev, OutputError, Transform};
use std::collections::HashMap;

use super::script::unit;
use super::words::{Piece, WORD_GAP};

/// Most glyphs of a page.
const MAX_GLYPHS: usize = 200_000;
/// Coordinates and sizes beyond this are no page's, in points.
const MAX_PLACE: f64 = 1e6;
/// The smallest text, in points.
const MIN_SIZE: f64 = 0.05;
/// Gaps between letters that are set apart, in sizes of the font.
const SPACED_OUT: std::ops::Range<f64> = 0.08..0.6;
/// Share of the glyphs that are spaces on a page whose words are separated by them.
const SPACES_SHARE: usize = 20;
/// How far the copies of a text that is printed twice stand from one another, in sizes of the font.
const COPY_DISTANCE: f64 = 0.12;
/// Most places that are compared with a text for copies of it.
const MAX_COPIES: usize = 64;

/// A glyph, on a page that is turned so that its line runs to the right and the next line is below.
#[derive(Debug, Clone)]
struct Glyph {
    /// Its characters; empty for a space.
    text: String,
    left: f64,
    right: f64,
    /// The baseline, from the top.
    baseline: f64,
    size: f64,
}

/// The glyphs of a page, by the direction of their lines in degrees.
#[derive(Debug, Default)]
pub(super) struct Glyphs {
    directions: Vec<(i32, Vec<Glyph>)>,
    count: usize,
}

impl OutputDev for Glyphs {
    fn begin_page(
        &mut self,
        _: u32,
        _: &MediaBox,
        _: Option<(f64, f64, f64, f64)>,
    ) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn output_character(
        &mut self,
        matrix: &Transform,
        width: f64,
        spacing: f64,
        font_size: f64,
        text: &str,
    ) -> Result<(), OutputError> {
        self.add(matrix, width, spacing, font_size, text);
        Ok(())
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        Ok(())
    }
}

impl Glyphs {
    /// Adds a glyph. `width` is in sizes of the font, `spacing` in units of the text, added behind the glyph.
    fn add(&mut self, matrix: &Transform, width: f64, spacing: f64, font_size: f64, text: &str) {
        let scale = matrix.m11.hypot(matrix.m12);
        let size = (matrix.m21.hypot(matrix.m22) * font_size).abs();
        let (x, y) = (matrix.m31, matrix.m32);
        let is_placed = [scale, size, x, y, width, spacing, font_size]
            .iter()
            .all(|number| number.is_finite() && number.abs() < MAX_PLACE);
        if !is_placed || size < MIN_SIZE || scale <= 0.0 || self.count >= MAX_GLYPHS {
            return;
        }
        self.count += 1;
        let sign = if font_size < 0.0 { -1.0 } else { 1.0 };
        let angle = (sign * matrix.m12).atan2(sign * matrix.m11).to_degrees();
        #[expect(clippy::cast_possible_truncation, reason = "between -36 and 36")]
        let direction = ((angle / 5.0).round() as i32 * 5).rem_euclid(360);
        // The directions along the edges of the page are exact; text in others is turned by its own direction.
        let (sin, cos) = f64::from(direction).to_radians().sin_cos();
        let text: String = unit(text);
        let is_space = text.chars().all(char::is_whitespace);
        let between = if is_space { 0.0 } else { spacing.max(0.0) * scale };
        let between = if between <= 0.6 * size { between } else { 0.0 };
        let left = x * cos + y * sin;
        let glyph = Glyph {
            text: if is_space { String::new() } else { text },
            left,
            right: left + width.max(0.0) * font_size.abs() * scale + between,
            baseline: x * sin - y * cos,
            size,
        };
        match self.directions.iter_mut().find(|(of, _)| *of == direction) {
            Some((_, glyphs)) => glyphs.push(glyph),
            None => self.directions.push((direction, vec![glyph])),
        }
    }

    /// The pieces of text, for each direction of lines; the direction of most glyphs is the first.
    pub(super) fn pieces(mut self) -> Vec<Vec<Piece>> {
        self.directions
            .sort_by_key(|(_, glyphs)| std::cmp::Reverse(glyphs.len()));
        self.directions
            .into_iter()
            .map(|(_, glyphs)| without_copies(pieces(&glyphs)))
            .collect()
    }
}

/// Whether the words of a page are separated by spaces, so that gaps alone need not be read as such.
fn uses_spaces(glyphs: &[Glyph]) -> bool {
    let spaces = glyphs.iter().filter(|glyph| glyph.text.is_empty()).count();
    spaces * SPACES_SHARE >= glyphs.len()
}

/// Joins the glyphs that follow one another without a gap.
fn pieces(glyphs: &[Glyph]) -> Vec<Piece> {
    let has_spaces = uses_spaces(glyphs);
    let mut out: Vec<Piece> = Vec::new();
    let mut strip: Vec<&Glyph> = Vec::new();
    let mut after_space = false;
    for glyph in glyphs {
        let follows = strip.last().is_some_and(|last| {
            let gap = glyph.left - last.right;
            let is_on_line = (glyph.baseline - last.baseline).abs() <= 0.05 * last.size;
            let is_same_size = (glyph.size - last.size).abs() <= 0.05 * last.size;
            is_on_line && is_same_size && gap > -0.5 * last.size && gap < SPACED_OUT.end * last.size
        });
        if glyph.text.is_empty() || !follows {
            // Whether a space stands before the first piece of the strip.
            let is_broken = glyph.text.is_empty();
            push_strip(&strip, after_space, is_broken, has_spaces, &mut out);
            if !strip.is_empty() || is_broken {
                after_space = is_broken;
            }
            strip.clear();
        }
        if !glyph.text.is_empty() {
            strip.push(glyph);
        }
    }
    push_strip(&strip, after_space, false, has_spaces, &mut out);
    out
}

/// Adds the pieces of glyphs that follow one another on a line with small gaps.
fn push_strip(
    strip: &[&Glyph],
    space_before: bool,
    space_after: bool,
    has_spaces: bool,
    out: &mut Vec<Piece>,
) {
    let Some(first) = strip.first() else {
        return;
    };
    let apart = letter_spacing(strip, has_spaces);
    let start = out.len();
    let mut piece = piece_of(first);
    for (last, glyph) in strip.iter().zip(strip.iter().skip(1)) {
        if glyph.left - last.right - apart > WORD_GAP * last.size {
            out.push(std::mem::replace(&mut piece, piece_of(glyph)));
        } else {
            piece.units.push(glyph.text.clone());
            piece.right = piece.right.max(glyph.right);
        }
    }
    out.push(piece);
    if let Some(piece) = out.get_mut(start) {
        piece.space_before = space_before;
    }
    if let Some(piece) = out.last_mut() {
        piece.space_after = space_after;
    }
}

fn piece_of(glyph: &Glyph) -> Piece {
    Piece {
        units: vec![glyph.text.clone()],
        left: glyph.left,
        right: glyph.right,
        baseline: glyph.baseline,
        size: glyph.size,
        space_before: false,
        space_after: false,
    }
}

/// The gap between all letters of a text that is spaced out; 0 for other texts. Digits with gaps may be cells of a
/// table, unless the words of the page are separated by spaces.
fn letter_spacing(strip: &[&Glyph], has_spaces: bool) -> f64 {
    let is_word = strip
        .iter()
        .any(|glyph| glyph.text.chars().any(char::is_alphabetic));
    if strip.len() < 4 || !(has_spaces || is_word) {
        return 0.0;
    }
    let size = strip.first().map_or(1.0, |glyph| glyph.size);
    let mut gaps: Vec<f64> = strip
        .iter()
        .zip(strip.iter().skip(1))
        .map(|(last, glyph)| glyph.left - last.right)
        .collect();
    gaps.sort_by(f64::total_cmp);
    let at = |part: usize| gaps.get(gaps.len() * part / 4).copied().unwrap_or(0.0);
    let (low, median) = (at(1), at(2));
    let is_even = low >= 0.7 * median;
    if is_even && SPACED_OUT.contains(&(median / size)) {
        median
    } else {
        0.0
    }
}

/// Leaves out pieces that are printed over their own copies, as text is made bold.
fn without_copies(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut places: HashMap<Vec<String>, Vec<(f64, f64)>> = HashMap::new();
    let mut out = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let seen = places.entry(piece.units.clone()).or_default();
        let near = COPY_DISTANCE * piece.size;
        let is_copy = seen.iter().rev().take(MAX_COPIES).any(|(left, baseline)| {
            (piece.left - left).abs() <= near && (piece.baseline - baseline).abs() <= near
        });
        if !is_copy {
            seen.push((piece.left, piece.baseline));
            out.push(piece);
        }
    }
    out
}
