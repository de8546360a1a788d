//! The order of the text of a page: columns one after the other, tables in rows, lines joined to paragraphs.
//!
//! Known from the places of words alone. A stretch without text that runs down through several lines is a gutter; what
//! stands beside it are columns of text where its lines fill their column, and cells of a table otherwise.

use super::PdfBlock;
use super::paragraphs::paragraphs;
use super::words::{Gap, GapRule, JUMP, Line, Piece, lines, median, text};

/// Most gutters that are followed from line to line.
const MAX_CANDIDATES: usize = 64;
/// Most times that a part of a page is divided.
const MAX_DEPTH: usize = 8;
/// Least width of a gutter, in sizes of the font: wider than the spaces of justified text are in several lines at once.
const GUTTER: f64 = 0.6;
/// The same, for two lines only.
const GUTTER_OF_TWO: f64 = 1.2;
/// Least width of a gutter as a multiple of the gaps between words.
const GUTTER_PER_SPACE: f64 = 1.8;
/// Distance of two lines that nothing joins, in sizes of the font.
const SECTION: f64 = 3.0;
/// Distance of lines of one column, in sizes of the font.
const PARAGRAPHS: f64 = 2.0;
/// Distance of the lines of a cell at the end of a table, in sizes of the font.
const CELL_LINES: f64 = 1.3;
/// Lines of a column of text: at least as many, as wide in sizes of the font, and filling as much of the column.
const COLUMN_LINES: usize = 3;
const COLUMN_WIDTH: f64 = 9.0;
/// The width of a column with fewer lines.
const WIDE_COLUMN: f64 = 18.0;
const COLUMN_FILL: f64 = 0.7;
/// Most columns of text.
const MAX_TEXT_COLUMNS: usize = 4;

/// The blocks of a page in reading order.
pub(super) fn blocks(pieces: Vec<Piece>) -> Vec<PdfBlock> {
    let mut out = Vec::new();
    let spaced = pieces
        .iter()
        .filter(|piece| piece.space_before || piece.space_after)
        .count();
    let has_spaces = spaced * 2 > pieces.len();
    region(&lines(pieces), has_spaces, 0, &mut out);
    out
}

/// A gutter between columns, with the lines that it runs through.
#[derive(Debug, Clone)]
struct Gutter {
    gap: Gap,
    first: usize,
    /// The last line that was looked at.
    last: usize,
    /// How many of the lines have text on both sides.
    parted: usize,
}

/// Adds the blocks of some lines.
fn region(lines: &[Line], has_spaces: bool, depth: usize, out: &mut Vec<PdfBlock>) {
    let space = median(
        lines
            .iter()
            .flat_map(|line| line.words.iter().zip(line.words.iter().skip(1)))
            .map(|(word, next)| (next.left - word.right) / word.size)
            .filter(|gap| *gap > 0.0)
            .collect(),
    );
    let rule = GapRule {
        least: (GUTTER_PER_SPACE * space.min(0.5)).max(GUTTER),
        has_jumps: has_spaces,
    };
    let found = (depth < MAX_DEPTH).then(|| best_gutter(lines, rule)).flatten();
    let Some(gutter) = found else {
        paragraphs(lines, out);
        return;
    };
    let zone_of = |first: usize| Zone::new(lines.get(first..=gutter.last).unwrap_or_default(), rule, &gutter);
    let zone = zone_of(gutter.first);
    let first = first_of_columns(lines, &gutter);
    if let Some(columns) = zone_of(first).text_columns() {
        region(lines.get(..first).unwrap_or_default(), has_spaces, depth + 1, out);
        for column in columns {
            region(&column, has_spaces, depth + 1, out);
        }
        region(
            lines.get(gutter.last + 1..).unwrap_or_default(),
            has_spaces,
            depth + 1,
            out,
        );
    } else {
        region(
            lines.get(..gutter.first).unwrap_or_default(),
            has_spaces,
            depth + 1,
            out,
        );
        let length = zone.table_length();
        out.push(PdfBlock::Table(zone.rows(length)));
        let rest = lines.get(gutter.first + length..).unwrap_or_default();
        region(rest, has_spaces, depth + 1, out);
    }
}

/// The first line of columns of text: those to the right of the gutter may begin above the others.
fn first_of_columns(lines: &[Line], gutter: &Gutter) -> usize {
    let mut first = gutter.first;
    while let Some((above, line)) = first
        .checked_sub(1)
        .and_then(|above| lines.get(above).zip(lines.get(first)))
        && above.left() >= gutter.gap.right - 0.01
        && line.baseline - above.baseline <= PARAGRAPHS * line.size
    {
        first -= 1;
    }
    first
}

/// The gutter that parts most lines.
fn best_gutter(lines: &[Line], rule: GapRule) -> Option<Gutter> {
    let mut best: Option<Gutter> = None;
    let mut active: Vec<Gutter> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let above = index.checked_sub(1).and_then(|above| lines.get(above));
        if above.is_some_and(|above| line.baseline - above.baseline > SECTION * line.size.max(above.size)) {
            active
                .drain(..)
                .for_each(|ended| keep_better(&mut best, ended, lines));
        }
        let gaps = line.gaps(rule);
        let (left, right) = (line.left(), line.right());
        let mut next: Vec<Gutter> = Vec::new();
        for gutter in active.drain(..) {
            let mut goes_on = false;
            for gap in &gaps {
                let shared = shared(gutter.gap, *gap);
                if is_wide(shared, line.size, rule) {
                    goes_on = true;
                    let parted = gutter.parted + 1;
                    push(
                        &mut next,
                        Gutter {
                            gap: shared,
                            first: gutter.first,
                            last: index,
                            parted,
                        },
                    );
                }
            }
            // The line ends before the gutter, or begins behind it.
            for beside in [
                Gap {
                    left: f64::NEG_INFINITY,
                    right: left,
                    is_jump: true,
                },
                Gap {
                    left: right,
                    right: f64::INFINITY,
                    is_jump: true,
                },
            ] {
                let shared = shared(gutter.gap, beside);
                let shared = Gap {
                    is_jump: gutter.gap.is_jump,
                    ..shared
                };
                if is_wide(shared, line.size, rule) {
                    goes_on = true;
                    push(
                        &mut next,
                        Gutter {
                            gap: shared,
                            last: index,
                            ..gutter.clone()
                        },
                    );
                }
            }
            if !goes_on {
                keep_better(&mut best, gutter, lines);
            }
        }
        for gap in gaps {
            push(
                &mut next,
                Gutter {
                    gap,
                    first: index,
                    last: index,
                    parted: 1,
                },
            );
        }
        active = next;
    }
    active
        .into_iter()
        .for_each(|ended| keep_better(&mut best, ended, lines));
    best
}

/// Adds a gutter, unless one that began before runs there.
fn push(gutters: &mut Vec<Gutter>, gutter: Gutter) {
    let is_known = gutters.iter().any(|known| {
        known.first <= gutter.first
            && known.gap.left <= gutter.gap.left
            && known.gap.right >= gutter.gap.right
    });
    if !is_known && gutters.len() < MAX_CANDIDATES {
        gutters.push(gutter);
    }
}

fn shared(a: Gap, b: Gap) -> Gap {
    Gap {
        left: a.left.max(b.left),
        right: a.right.min(b.right),
        is_jump: a.is_jump && b.is_jump,
    }
}

fn is_wide(gap: Gap, size: f64, rule: GapRule) -> bool {
    let least = if gap.is_jump { JUMP } else { rule.least };
    gap.right - gap.left >= least * size
}

/// Keeps the gutter that parts more lines, up to the line before the next heading across it.
fn keep_better(best: &mut Option<Gutter>, mut gutter: Gutter, lines: &[Line]) {
    end_at_heading(&mut gutter, lines);
    let is_enough = match gutter.parted {
        0 | 1 => false,
        2 => {
            let size = lines.get(gutter.first).map_or(1.0, |line| line.size);
            gutter.gap.is_jump || gutter.gap.right - gutter.gap.left >= GUTTER_OF_TWO * size
        }
        _ => true,
    };
    let is_better = best.as_ref().is_none_or(|best| {
        let width = |gutter: &Gutter| gutter.gap.right - gutter.gap.left;
        (gutter.parted, width(&gutter)) > (best.parted, width(best))
    });
    if is_enough && is_better {
        *best = Some(gutter);
    }
}

/// Ends a gutter before a line of another size that stands alone between what is above and what is below.
fn end_at_heading(gutter: &mut Gutter, lines: &[Line]) {
    let zone = lines.get(gutter.first..=gutter.last).unwrap_or_default();
    let size = median(zone.iter().map(|line| line.size).collect());
    let is_left = |line: &Line| line.left() < gutter.gap.left + 0.01;
    let is_right = |line: &Line| line.right() > gutter.gap.right - 0.01;
    let is_parted = |line: &Line| is_left(line) && is_right(line);
    for (index, line) in zone.iter().enumerate() {
        if is_parted(line) || line.size < 1.15 * size {
            continue;
        }
        let other = |of: &&Line| if is_left(line) { is_right(of) } else { is_left(of) };
        let above = zone.get(..index).unwrap_or_default().iter().rev().find(other);
        let below = zone.get(index + 1..).unwrap_or_default().iter().find(other);
        let is_alone = above
            .zip(below)
            .is_some_and(|(above, below)| below.baseline - above.baseline > SECTION * size);
        if is_alone {
            gutter.last = gutter.first + index.saturating_sub(1);
            let kept = zone.get(..index).unwrap_or_default();
            gutter.parted = kept.iter().filter(|line| is_parted(line)).count();
            return;
        }
    }
}

/// Lines with gutters that run through all of them.
struct Zone<'l> {
    lines: &'l [Line],
    gutters: Vec<Gap>,
    size: f64,
}

impl<'l> Zone<'l> {
    fn new(lines: &'l [Line], rule: GapRule, best: &Gutter) -> Zone<'l> {
        let mut gutters: Option<Vec<Gap>> = None;
        for line in lines {
            let mut free = line.gaps(rule);
            for (left, right) in [(f64::NEG_INFINITY, line.left()), (line.right(), f64::INFINITY)] {
                free.push(Gap {
                    left,
                    right,
                    is_jump: true,
                });
            }
            gutters = Some(match gutters {
                None => free,
                Some(gutters) => {
                    let both = gutters.iter().flat_map(|a| free.iter().map(|b| shared(*a, *b)));
                    both.filter(|gap| is_wide(*gap, line.size, rule))
                        .take(MAX_CANDIDATES)
                        .collect()
                }
            });
        }
        let mut gutters: Vec<Gap> = gutters
            .unwrap_or_default()
            .into_iter()
            .filter(|gap| gap.left.is_finite() && gap.right.is_finite())
            .collect();
        if gutters.is_empty() {
            gutters.push(best.gap);
        }
        gutters.sort_by(|a, b| a.left.total_cmp(&b.left));
        let size = median(lines.iter().map(|line| line.size).collect());
        Zone { lines, gutters, size }
    }

    /// The words of a line, by the column in which they begin.
    fn cells(&self, line: &Line) -> Vec<Vec<Piece>> {
        let mut cells = vec![Vec::new(); self.gutters.len() + 1];
        for word in &line.words {
            let middle = f64::midpoint(word.left, word.right);
            let column = self.gutters.iter().filter(|gap| gap.left < middle).count();
            if let Some(cell) = cells.get_mut(column) {
                cell.push(word.clone());
            }
        }
        cells
    }

    /// The lines of each column, if the columns are text that is read one after the other.
    fn text_columns(&self) -> Option<Vec<Vec<Line>>> {
        let count = self.gutters.len() + 1;
        if count > MAX_TEXT_COLUMNS {
            return None;
        }
        let mut columns: Vec<Vec<Piece>> = vec![Vec::new(); count];
        let mut parted = 0;
        for line in self.lines {
            let cells = self.cells(line);
            parted += usize::from(cells.iter().filter(|cell| !cell.is_empty()).count() > 1);
            for (column, cell) in columns.iter_mut().zip(cells) {
                column.extend(cell);
            }
        }
        let mut columns: Vec<Vec<Line>> = columns.into_iter().map(lines).collect();
        let is_staggered = parted * 10 < self.lines.len() * 3;
        if !is_staggered && !columns.iter().all(|column| is_text(column)) {
            return None;
        }
        let all: Vec<Piece> = columns
            .iter()
            .flatten()
            .flat_map(|line| line.words.clone())
            .collect();
        if is_right_to_left(&text(&all)) {
            columns.reverse();
        }
        Some(columns)
    }

    /// How many lines belong to a table: up to the last row, and the lines of its cells.
    fn table_length(&self) -> usize {
        let mut length = 0;
        for (index, line) in self.lines.iter().enumerate() {
            let is_parted = self.cells(line).iter().filter(|cell| !cell.is_empty()).count() > 1;
            let above = index.checked_sub(1).and_then(|above| self.lines.get(above));
            let is_near = above.is_some_and(|above| line.baseline - above.baseline <= CELL_LINES * self.size);
            if is_parted || (is_near && length == index) {
                length = index + 1;
            }
        }
        length
    }

    /// The rows of the table of the first lines.
    fn rows(&self, length: usize) -> Vec<Vec<String>> {
        let lines = self.lines.get(..length).unwrap_or_default();
        let distances: Vec<f64> = lines
            .iter()
            .zip(lines.iter().skip(1))
            .map(|(above, line)| line.baseline - above.baseline)
            .collect();
        // The distance of lines in a cell, where rows are further apart than that.
        let inside = distances
            .iter()
            .copied()
            .filter(|distance| *distance >= 0.9 * self.size)
            .fold(f64::INFINITY, f64::min);
        let has_rows = distances.iter().any(|distance| *distance > 1.12 * inside);
        let mut rows: Vec<Vec<String>> = Vec::new();
        let mut was_full = false;
        for (index, line) in lines.iter().enumerate() {
            let cells = self.cells(line);
            let is_full = cells.iter().all(|cell| !cell.is_empty());
            let distance = index
                .checked_sub(1)
                .and_then(|above| distances.get(above))
                .copied();
            let goes_on = distance.is_some_and(|distance| {
                let is_between = distance < 0.9 * self.size;
                is_between || (has_rows && distance <= 1.06 * inside && !(is_full && was_full))
            });
            let texts = cells.iter().map(|cell| text(cell));
            match rows.last_mut().filter(|_| goes_on) {
                Some(row) => row.iter_mut().zip(texts).for_each(|(cell, text)| {
                    if !cell.is_empty() && !text.is_empty() {
                        cell.push(' ');
                    }
                    cell.push_str(&text);
                }),
                None => rows.push(texts.collect()),
            }
            was_full = is_full;
        }
        if is_right_to_left(&rows.concat().concat()) {
            rows.iter_mut().for_each(|row| row.reverse());
        }
        rows
    }
}

/// Whether lines are a column of text: several, and filled.
fn is_text(column: &[Line]) -> bool {
    let widths: Vec<f64> = column.iter().map(|line| line.right() - line.left()).collect();
    let size = median(column.iter().map(|line| line.size).collect());
    let widest = widths.iter().copied().fold(0.0, f64::max);
    let usual = median(widths);
    let is_wide = match column.len() {
        0 | 1 => false,
        lines if lines < COLUMN_LINES => usual >= WIDE_COLUMN * size,
        _ => usual >= COLUMN_WIDTH * size,
    };
    is_wide && usual >= COLUMN_FILL * widest
}

/// Whether most letters of a text belong to scripts that run from right to left.
fn is_right_to_left(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (mut right, mut count) = (0_usize, 0_usize);
    for letter in letters {
        count += 1;
        right += usize::from(matches!(letter, '\u{590}'..='\u{8ff}'));
    }
    right * 2 > count
}
