//! Characters as they are shown on a page, turned into those that are written: ligatures, forms of Arabic letters, and
//! lines that run from right to left.

use unicode_normalization::UnicodeNormalization;

/// The text of a glyph as it is written. Ligatures become letters, spaces of all kinds plain ones.
pub(super) fn unit(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{fb00}'..='\u{fb06}'
            | '\u{fb13}'..='\u{fb17}'
            | '\u{fb1d}'..='\u{fdff}'
            | '\u{fe70}'..='\u{fefc}' => {
                out.extend(std::iter::once(c).nfkc());
            }
            _ if c.is_whitespace() => out.push(' '),
            _ if c.is_control() || c == '\u{feff}' => {}
            _ => out.push(c),
        }
    }
    if out.len() > 1 && !out.trim().is_empty() {
        out = out.trim().to_owned();
    }
    out
}

/// How many units are asked for the direction of a space.
const MAX_LOOK: usize = 64;

/// The direction of a unit of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Left,
    Right,
    Digit,
    Mark,
    None,
}

fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{1e800}'..='\u{1eeff}')
}

fn is_mark(c: char) -> bool {
    matches!(
        c,
        '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}' | '\u{5c4}' | '\u{5c5}' | '\u{5c7}'
            | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6dc}' | '\u{6df}'..='\u{6e4}'
    )
}

fn direction(unit: &str) -> Direction {
    let Some(c) = unit.chars().find(|c| !c.is_whitespace()) else {
        return Direction::None;
    };
    match c {
        '0'..='9' | '\u{660}'..='\u{669}' | '\u{6f0}'..='\u{6f9}' => Direction::Digit,
        // Punctuation of Arabic: comma, decimal point, thousands separator, semicolon, question mark.
        '\u{60c}' | '\u{66a}'..='\u{66c}' | '\u{61b}' | '\u{61f}' => Direction::None,
        _ if is_mark(c) => Direction::Mark,
        _ if is_right_to_left(c) => Direction::Right,
        _ if c.is_alphabetic() => Direction::Left,
        _ => Direction::None,
    }
}

/// A line in the order in which it is read. `units` are in the order in which they stand, from left to right.
pub(super) fn reading_order(units: &[&str]) -> String {
    let directions: Vec<Direction> = units.iter().map(|unit| direction(unit)).collect();
    let count = |of: Direction| directions.iter().filter(|it| **it == of).count();
    let (left, right) = (count(Direction::Left), count(Direction::Right));
    if right == 0 {
        return units.concat();
    }
    let line: Vec<(&str, Direction)> = units.iter().copied().zip(directions).collect();
    if right > left {
        return backwards(&line);
    }
    let mut out = String::new();
    let mut rest = line.as_slice();
    while let Some((text, direction)) = rest.first() {
        let length = match direction {
            Direction::Right => length_of(rest, Direction::Right),
            _ => 1,
        };
        let (run, tail) = rest.split_at(length.max(1).min(rest.len()));
        if *direction == Direction::Right {
            out.push_str(&backwards(run));
        } else {
            out.push_str(text);
        }
        rest = tail;
    }
    out
}

/// Length of the part that begins with a unit of a direction and ends with the last one before another direction.
fn length_of(line: &[(&str, Direction)], of: Direction) -> usize {
    let other = match of {
        Direction::Right => Direction::Left,
        _ => Direction::Right,
    };
    let end = line.iter().position(|(_, it)| *it == other).unwrap_or(line.len());
    let part = line.get(..end).unwrap_or(line);
    let last = part
        .iter()
        .rposition(|(_, it)| *it == of || (of == Direction::Right && *it == Direction::Mark));
    last.map_or(1, |last| last + 1)
}

/// A part of a line that runs from right to left. Words and numbers of the other direction keep theirs.
fn backwards(line: &[(&str, Direction)]) -> String {
    let mut out = String::new();
    let mut end = line.len();
    while end > 0 {
        let part = line.get(..end).unwrap_or(line);
        let start = match part.last().map(|(_, direction)| *direction) {
            Some(Direction::Left | Direction::Digit) => start_of_run(part),
            // A mark stands behind its letter.
            Some(Direction::Mark) => part
                .iter()
                .rposition(|(_, it)| *it != Direction::Mark)
                .unwrap_or(0),
            _ => end - 1,
        };
        for (text, direction) in part.get(start..).unwrap_or_default() {
            match *direction {
                Direction::None => out.extend(text.chars().map(mirrored_if(end - start == 1))),
                _ => out.push_str(text),
            }
        }
        end = start;
    }
    out
}

/// The brackets of a part that runs from right to left face the other way.
fn mirrored_if(is_turned: bool) -> impl Fn(char) -> char {
    move |c| match c {
        '(' if is_turned => ')',
        ')' if is_turned => '(',
        '[' if is_turned => ']',
        ']' if is_turned => '[',
        '{' if is_turned => '}',
        '}' if is_turned => '{',
        '<' if is_turned => '>',
        '>' if is_turned => '<',
        '«' if is_turned => '»',
        '»' if is_turned => '«',
        _ => c,
    }
}

/// Where the words or the number begin that end a part: with neutral units between, in words also spaces.
fn start_of_run(part: &[(&str, Direction)]) -> usize {
    let has_words = |from: usize| {
        let run = part.get(from..).unwrap_or_default();
        run.iter().any(|(_, it)| *it == Direction::Left)
    };
    let mut start = part.len();
    let mut at = part.len();
    let is_bracket = |text: &str| text.contains(['(', ')', '[', ']', '{', '}']);
    while let Some((text, direction)) = at.checked_sub(1).and_then(|index| part.get(index)) {
        match direction {
            Direction::Left | Direction::Digit => start = at - 1,
            // A number in brackets is a part of its own.
            Direction::None if !has_words(start) && is_bracket(text) => break,
            Direction::None if has_words(start) || !text.trim().is_empty() || follows_word(part, at) => {}
            Direction::None | Direction::Right | Direction::Mark => break,
        }
        at -= 1;
    }
    start
}

/// Whether a word, and not one of the other direction, is the last before a place.
fn follows_word(part: &[(&str, Direction)], at: usize) -> bool {
    let before = part.get(..at).unwrap_or_default().iter().rev();
    let last = before
        .take(MAX_LOOK)
        .find(|(_, it)| matches!(it, Direction::Left | Direction::Right));
    last.is_some_and(|(_, it)| *it == Direction::Left)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> String {
        let units: Vec<String> = line.chars().map(|c| unit(&c.to_string())).collect();
        let units: Vec<&str> = units.iter().map(String::as_str).collect();
        reading_order(&units)
    }

    #[test]
    fn ligatures_become_letters() {
        assert_eq!(read("o\u{fb03}ce \u{fb01}ll"), "office fill");
        assert_eq!(unit("\u{a0}"), " ");
    }

    #[test]
    fn lines_from_right_to_left_are_turned_round() {
        // As they stand on the page, from left to right.
        assert_eq!(read("Cup (2025) םולש"), "שלום (2025) Cup");
        assert_eq!(read("םולש"), "שלום");
        assert_eq!(read("12.50 :ריחמ"), "מחיר: 12.50");
        assert_eq!(read("(ב) א"), "א (ב)");
        assert_eq!(read("רקוב Red Cup 2 םולש"), "שלום Red Cup 2 בוקר");
        assert_eq!(
            read("The word םולש רקוב is Hebrew."),
            "The word בוקר שלום is Hebrew."
        );
        assert_eq!(read("\u{fee2}\u{fedf}\u{fe8e}\u{fecb}"), "عالم");
    }
}
