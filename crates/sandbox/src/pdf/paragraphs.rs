//! Paragraphs of a column of text, from its lines.

use super::PdfBlock;
use super::words::{Line, Piece, median};

/// Distance of the lines of two paragraphs, in sizes of the font.
const PARAGRAPH: f64 = 1.5;
/// The same, where all lines are as far apart as in text with wide lines.
const WIDE_PARAGRAPH: f64 = 1.9;
/// Sizes of the font that belong to different paragraphs, such as a heading and its text.
const OTHER_SIZE: f64 = 1.15;

/// Adds the paragraphs of some lines.
pub(super) fn paragraphs(lines: &[Line], out: &mut Vec<PdfBlock>) {
    let usual = median(
        lines
            .iter()
            .zip(lines.iter().skip(1))
            .map(|(above, line)| (line.baseline - above.baseline) / line.size)
            .collect(),
    );
    let edge = lines.iter().map(Line::right).fold(f64::NEG_INFINITY, f64::max);
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        let above = index.checked_sub(1).and_then(|above| lines.get(above));
        if above.is_some_and(|above| is_new(above, line, usual, edge)) {
            push(&mut text, out);
        }
        append(&mut text, &line.text());
    }
    push(&mut text, out);
}

fn push(text: &mut String, out: &mut Vec<PdfBlock>) {
    let text = std::mem::take(text);
    if !text.trim().is_empty() {
        out.push(PdfBlock::Paragraph(text.trim().to_owned()));
    }
}

/// Whether a line begins a paragraph. `usual` is the distance of most lines in sizes, `edge` where the longest one ends.
fn is_new(above: &Line, line: &Line, usual: f64, edge: f64) -> bool {
    let size = above.size.min(line.size);
    if above.size.max(line.size) > OTHER_SIZE * size {
        return true;
    }
    let distance = (line.baseline - above.baseline) / above.size.max(line.size);
    // Text with wide lines: the word did not fit on the line above.
    let first = line
        .words
        .first()
        .map_or(0.0, |word: &Piece| word.right - word.left);
    let is_full = above.right() + 0.3 * size + first > edge;
    let is_wide = usual <= WIDE_PARAGRAPH && distance <= 1.1 * usual && is_full;
    distance > PARAGRAPH && !is_wide
}

/// Appends a line to a paragraph. A word that was divided at the end of a line is joined.
fn append(text: &mut String, line: &str) {
    let starts_small = line.starts_with(char::is_lowercase);
    if text.ends_with('\u{ad}') || (text.ends_with('-') && starts_small) {
        text.pop();
    } else if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(line.trim());
}
