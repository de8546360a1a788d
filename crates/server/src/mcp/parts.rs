//! Parts of long texts: how many tokens a text takes at most, and where it is cut.

use std::ops::Range;

/// Tokens of an answer, unless the client asks for another size.
pub(super) const PART_TOKENS: usize = 6_000;
/// Tokens that are kept for what stands around a part: its head, its foot and the marks of a quotation.
const FRAME_TOKENS: usize = 300;

/// An upper estimate of the tokens of a text, for the vocabularies of the large models. Measured against `o200k_base`:
/// prose takes two thirds of it, random letters and digits all of it.
pub(super) fn tokens(text: &str) -> usize {
    let mut count = 0;
    let mut last = Class::Space;
    let mut run = 0;
    for character in text.chars() {
        let class = Class::of(character);
        run = if class == last { run + 1 } else { 1 };
        count += match class {
            // A word of up to five letters is one token; of a longer one, every further three are.
            Class::Lower => usize::from(run == 1 || (run > 5 && run % 3 == 0)),
            Class::Upper | Class::Digit => usize::from(run % 2 == 1),
            // A single space belongs to the word after it.
            Class::Space => usize::from(run == 2 || run % 8 == 0),
            Class::Line | Class::Sign => 1,
            Class::Wide => character.len_utf8() - 1,
        };
        last = class;
    }
    count
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    Space,
    Line,
    Sign,
    Wide,
}

impl Class {
    fn of(character: char) -> Self {
        match character {
            'a'..='z' => Self::Lower,
            'A'..='Z' => Self::Upper,
            '0'..='9' => Self::Digit,
            ' ' | '\t' => Self::Space,
            '\n' | '\r' => Self::Line,
            character if character.is_ascii() => Self::Sign,
            _ => Self::Wide,
        }
    }
}

/// Cuts a text into parts of at most `size` tokens each with their frame: at ends of lines, else between words, else
/// between characters. The parts together are the text; an empty text is one empty part.
pub(super) fn split(text: &str, size: usize) -> Vec<Range<usize>> {
    let budget = size.saturating_sub(FRAME_TOKENS).max(100);
    let (mut parts, mut start, mut used) = (Vec::new(), 0, 0);
    for (piece, cost) in pieces(text, budget / 2) {
        // The mark of a quotation before each line takes two.
        let cost = cost + 2;
        if used + cost > budget && piece.start > start {
            parts.push(start..piece.start);
            (start, used) = (piece.start, 0);
        }
        used += cost;
    }
    parts.push(start..text.len());
    parts
}

/// The lines of a text with their ends, and the tokens of each; a line of more than `most` tokens in several pieces.
fn pieces(text: &str, most: usize) -> Vec<(Range<usize>, usize)> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let mut cost = tokens(line);
        while cost > most {
            let cut = start + cut_within(&text[start..end], most);
            pieces.push((start..cut, tokens(&text[start..cut])));
            start = cut;
            cost = tokens(&text[start..end]);
        }
        if start < end {
            pieces.push((start..end, cost));
        }
        start = end;
    }
    pieces
}

/// Where the first piece of at most `most` tokens ends: after a space in its second half, else after its last character.
fn cut_within(line: &str, most: usize) -> usize {
    // No character takes more tokens than bytes, so that many bytes surely fit.
    let mut end = line.floor_char_boundary(most.max(4));
    let mut step = end;
    while step > 4 {
        let next = line.floor_char_boundary((end + step).min(line.len()));
        if next > end && tokens(&line[..next]) <= most {
            end = next;
        } else {
            step /= 2;
        }
    }
    let after_space = line[..end].rfind(' ').map(|space| space + 1);
    after_space.filter(|cut| *cut > end / 2).unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_are_the_text_and_each_stays_within_its_size() {
        let prose = "The kettle boils, and tea is made of it in the afternoon.\n".repeat(3_000);
        let one_line = "deadbeef0123456789QWxhZGRpbjpvcGVu".repeat(2_000);
        let wide = "水が沸いたらお茶をいれる。🫖".repeat(1_000);
        for text in [prose.as_str(), &one_line, &wide, "", "short", "\n\n\n"] {
            let parts = split(text, 1_000);
            let joined: String = parts.iter().map(|part| &text[part.clone()]).collect();
            assert_eq!(joined, text);
            assert!(parts.iter().all(|part| tokens(&text[part.clone()]) <= 1_000));
            assert!(parts.len() <= tokens(text) / 200 + 1, "{} parts", parts.len());
        }
    }
}
