//! What a reader knows of a page after some views of it, and what the next view has to tell.
//!
//! The reader of a page that does not fit is shown a part of it, and further parts as the page is scrolled. What was
//! shown once is known as long as the document stays: a later view tells which of it has changed or is gone, wherever
//! on the page that is, and what is in view and not known yet.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::Range;

use super::text::{EMPTY, Links, Row, Style, around, scrolled, truncated, unread};
use super::{Ref, Snapshot};

/// How much of a page is shown at a time, in bytes of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// A page up to this size is shown as a whole.
    pub page: usize,
    /// Of a larger one this much is shown first, from where it is scrolled to.
    pub part: usize,
    /// And this much once it is read on.
    pub further: usize,
    /// Of its beginning this much is shown with a part further down: how to get elsewhere mostly stands there.
    pub head: usize,
    /// What can be seen at once is shown at once, up to this size.
    pub seen: usize,
    /// On a page above this size the targets of links within the site are left out.
    pub links: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            page: 5_400,
            part: 3_000,
            further: 8_000,
            head: 500,
            seen: 12_000,
            links: 4_000,
        }
    }
}

/// Most lines that are told as gone one by one.
const GONE: usize = 40;
/// How far a line without a ref is looked for, in lines.
const NEAR: usize = 16;

/// What a reader has been shown of one document.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    document: Option<String>,
    begun: bool,
    rows: Vec<Known>,
    focus: Option<Ref>,
    /// Where links within the site are left out.
    terse: bool,
    /// Where the part shown begins.
    part: Option<usize>,
}

/// A line of the page as it was at the last view; the text is there if the reader knows it.
#[derive(Debug, Clone)]
struct Known {
    print: u64,
    /// Its role and depth.
    kind: u64,
    target: Option<Ref>,
    line: Option<Box<str>>,
}

/// What a view tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// Whether the text stands for itself, and what was shown before is void. Else it tells what changed:
    /// `gone:` refs, or lines without one, that are no more; `~` a line that is now another one, by its ref, or without one
    /// by the line before it, which `=` repeats; `+` a line that is new, or has moved, here: it follows the line before it, or the known one that `=` repeats, and so do
    /// those after it that have no sign, and stand where they would in a whole view. Empty when nothing changed.
    pub whole: bool,
    /// The text, one line an element.
    pub text: String,
    /// The first and the last line shown, and how many there are: when this is a part of the page, and begins elsewhere
    /// than the one before.
    pub part: Option<(usize, usize, usize)>,
    /// Whether the targets of links within the site are left out.
    pub terse: bool,
    /// Bytes that showing the page or its part anew would take.
    pub size: usize,
}

/// How a line of the page relates to those of the last view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Was {
    /// The same, there.
    Same(usize),
    /// Another one with the same ref, there.
    Other(usize),
    /// One with the same ref, which stood there, among other lines.
    Moved(usize),
    /// Another one of the same kind without a ref, there.
    Instead(usize),
    New,
}

impl Shown {
    /// Takes in the page as it is now and says what the reader has to be told. `again` wants it whole.
    pub fn tell(&mut self, snapshot: &Snapshot, budget: &Budget, again: bool) -> Told {
        let rows = snapshot.rows();
        let document = snapshot.url.as_ref().map(|url| {
            let mut url = url.clone();
            url.set_fragment(None);
            String::from(url)
        });
        let same = self.begun && self.document == document;
        if !same {
            self.terse = false;
        }
        self.begun = true;
        self.document = document;
        self.terse |= is_over(&rows, &style(snapshot, Links::Relative), budget.links);
        let links = if self.terse {
            Links::Foreign
        } else {
            Links::Relative
        };
        let style = style(snapshot, links);
        let shown = self.window(snapshot, &rows, &style, budget, same, again);
        let texts = Texts {
            rows: &rows,
            style: &style,
        };
        let whole_part = |from: &Self| {
            let is_part = shown.len() < rows.len() && from.part != Some(shown.start);
            is_part.then_some((shown.start, shown.end.saturating_sub(1), rows.len()))
        };
        if same && !again {
            let changes = self.changes(&rows, &shown, &texts, budget);
            if let Some((known, text)) = changes {
                let part = whole_part(self);
                let size = known
                    .get(shown.clone())
                    .unwrap_or_default()
                    .iter()
                    .filter_map(|row| row.line.as_ref().map(|line| line.len() + 1))
                    .sum();
                self.keep(known, &rows, &shown);
                return Told {
                    whole: false,
                    text,
                    part,
                    terse: self.terse,
                    size,
                };
            }
        }
        let mut known: Vec<Known> = rows.iter().map(Known::of).collect();
        let mut text = String::new();
        let head = fits(&rows, &style, 0..shown.start, budget.head);
        let mut beside = beside(&rows, &shown, &style, budget.part);
        let below = beside.split_off(beside.partition_point(|at| *at < shown.start));
        beside.retain(|at| *at >= head);
        for at in 0..head {
            texts.learn(&mut known, at, |line| push(&mut text, line));
        }
        if shown.start > head {
            let node = |at: usize| rows.get(at).map_or(0, |row| row.at);
            text.push_str(&scrolled(node(shown.start) - node(head)));
        }
        for at in beside.into_iter().chain(shown.clone()) {
            texts.learn(&mut known, at, |line| push(&mut text, line));
        }
        if let Some(next) = rows.get(shown.end) {
            text.push_str(&truncated(snapshot.nodes.len() - next.at, next.at));
        } else if snapshot.beyond > 0 {
            text.push_str(&unread(snapshot.beyond));
        } else if rows.is_empty() {
            text.push_str(EMPTY);
        }
        for at in below {
            texts.learn(&mut known, at, |line| push(&mut text, line));
        }
        let size = text.len();
        self.part = None;
        let part = whole_part(self);
        self.keep(known, &rows, &shown);
        Told {
            whole: true,
            text,
            part,
            terse: self.terse,
            size,
        }
    }

    /// Which rows are shown: all, or the part of the page that can be seen.
    fn window(
        &self,
        snapshot: &Snapshot,
        rows: &[Row<'_>],
        style: &Style<'_>,
        budget: &Budget,
        same: bool,
        again: bool,
    ) -> Range<usize> {
        if !is_over(rows, style, budget.page) {
            return 0..rows.len();
        }
        let place = |node: usize| rows.partition_point(|row| row.at < node);
        let (first, last) = snapshot
            .in_view
            .map_or((0, 0), |(first, last)| (place(first), place(last + 1)));
        let start = if fits(rows, style, 0..last, budget.part) >= last {
            0
        } else {
            first
        };
        let seen = fits(rows, style, start..last.max(start), budget.seen);
        // A line that is too long for any budget is shown all the same, or nothing would be.
        let end = |bytes| {
            let end = fits(rows, style, start..rows.len(), bytes).max(seen);
            end.max((start + 1).min(rows.len()))
        };
        if !same || again {
            return start..end(budget.part);
        }
        // A place that was read before is gone back to, another one is read on.
        let below = rows.get(start..).unwrap_or_default();
        let top = below.iter().find_map(|row| row.node.target);
        let mut known = self.rows.iter().filter(|row| row.line.is_some());
        let is_known = top.is_some() && known.any(|row| row.target == top);
        start..end(if is_known { 0 } else { budget.further })
    }

    fn keep(&mut self, known: Vec<Known>, rows: &[Row<'_>], shown: &Range<usize>) {
        self.rows = known;
        self.focus = focus(rows);
        self.part = Some(shown.start);
    }

    /// What has to be told of a document that was shown before, and what is known then; nothing where most of what was
    /// known is void.
    fn changes(
        &self,
        rows: &[Row<'_>],
        shown: &Range<usize>,
        texts: &Texts<'_, '_>,
        budget: &Budget,
    ) -> Option<(Vec<Known>, String)> {
        let mut known: Vec<Known> = rows.iter().map(Known::of).collect();
        let (was, gone) = align(&self.rows, &known);
        let focus = focus(rows).filter(|target| self.focus != Some(*target));
        let beside: HashSet<usize> = beside(rows, shown, texts.style, budget.part)
            .into_iter()
            .collect();
        let mut out = String::new();
        // The last known line, and whether it is the last one written.
        let mut last: Option<usize> = None;
        let mut follows = true;
        let mut between = 0_usize;
        let mut adding = false;
        for (at, was) in was.iter().enumerate() {
            let before = match was {
                Was::Same(old) | Was::Other(old) | Was::Moved(old) | Was::Instead(old) => {
                    self.rows.get(*old).and_then(|row| row.line.clone())
                }
                Was::New => None,
            };
            if let (Was::Same(_), Some(line)) = (was, &before) {
                adding = false;
                let focused = focus.is_some() && known.get(at).is_some_and(|row| row.target == focus);
                if focused {
                    texts.learn(&mut known, at, |line| push_with(&mut out, "~ ", line));
                } else if let Some(row) = known.get_mut(at) {
                    row.line = Some(line.clone());
                }
                (last, follows, between) = (Some(at), focused, 0);
                continue;
            }
            if before.is_some() && matches!(was, Was::Other(_)) {
                adding = false;
                texts.learn(&mut known, at, |line| push_with(&mut out, "~ ", line));
                (last, follows, between) = (Some(at), true, 0);
                continue;
            }
            let instead = matches!(was, Was::Instead(_)) && before.is_some();
            if !shown.contains(&at) && !beside.contains(&at) && before.is_none() {
                between += 1;
                continue;
            }
            adding &= follows;
            if !follows && let Some(line) = last.and_then(|at| known.get(at)?.line.clone()) {
                // Where the line is not the only one of its kind, the last one with a ref says which it is.
                let twins = self.rows.iter().filter(|row| row.line.as_ref() == Some(&line));
                if twins.count() > 1
                    && let Some(before) = last.and_then(|at| anchor(&known, at))
                    && before != &*line
                {
                    push_with(&mut out, "= ", before);
                }
                push_with(&mut out, "= ", &line);
            }
            if instead {
                adding = false;
                texts.learn(&mut known, at, |line| push_with(&mut out, "~ ", line));
                (last, follows, between) = (Some(at), true, 0);
                continue;
            }
            // Lines that follow each other share a sign.
            let mut sign = if adding { "" } else { "+ " };
            adding = true;
            if between > 0 {
                let gap = format!("({between} elements in between are not shown)");
                push_with(&mut out, sign, &gap);
                sign = "";
            }
            texts.learn(&mut known, at, |line| push_with(&mut out, sign, line));
            (last, follows, between) = (Some(at), true, 0);
        }
        let lost: Vec<&str> = gone
            .iter()
            .filter_map(|at| self.rows.get(*at)?.line.as_deref())
            .collect();
        let before = total(self.rows.iter().filter_map(|row| row.line.as_deref()));
        let changed = was.iter().filter_map(|was| match was {
            Was::Other(old) | Was::Moved(old) | Was::Instead(old) => self.rows.get(*old)?.line.as_deref(),
            Was::Same(_) | Was::New => None,
        });
        let void = total(lost.iter().copied()) + total(changed);
        if lost.len() > GONE || void * 2 > before {
            return None;
        }
        if !lost.is_empty() {
            let names: Vec<String> = gone.iter().filter_map(|at| self.name(*at)).collect();
            out.insert_str(0, &format!("gone: {}\n", names.join(", ")));
        }
        Some((known, out))
    }

    /// What a known line is called when it is gone: its ref, or all of it, and where it was if there are several such.
    fn name(&self, at: usize) -> Option<String> {
        let row = self.rows.get(at)?;
        let line = row.line.as_deref()?;
        if let Some(target) = row.target {
            return Some(target.to_string());
        }
        let text = line.trim_start();
        let twins = self.rows.iter().filter(|row| row.line.as_deref() == Some(line));
        let before = self.rows.get(..at)?.iter().rev();
        let mut before = before
            .filter(|row| row.line.is_some())
            .filter_map(|row| row.target);
        Some(match before.next().filter(|_| twins.count() > 1) {
            Some(target) => format!("{text} (after {target})"),
            None => text.to_owned(),
        })
    }
}

/// The last known line with a ref up to a place.
fn anchor(known: &[Known], at: usize) -> Option<&str> {
    let rows = known.get(..=at)?.iter().rev();
    let mut known = rows.filter(|row| row.target.is_some());
    known.find_map(|row| row.line.as_deref())
}

fn total<'a>(lines: impl Iterator<Item = &'a str>) -> usize {
    lines.map(str::len).sum()
}

/// The lines of a page, written when they are needed.
struct Texts<'a, 'b> {
    rows: &'a [Row<'b>],
    style: &'a Style<'b>,
}

impl Texts<'_, '_> {
    /// Makes a line known and hands it over, without its end.
    fn learn(&self, known: &mut [Known], at: usize, say: impl FnOnce(&str)) {
        let (Some(row), Some(known)) = (self.rows.get(at), known.get_mut(at)) else {
            return;
        };
        let mut line = String::new();
        row.write(&mut line, self.style);
        line.pop();
        say(&line);
        known.line = Some(line.into());
    }
}

fn push(text: &mut String, line: &str) {
    push_with(text, "", line);
}

fn push_with(text: &mut String, sign: &str, line: &str) {
    text.push_str(sign);
    text.push_str(line);
    text.push('\n');
}

fn style(snapshot: &Snapshot, links: Links) -> Style<'_> {
    Style {
        refs: true,
        links,
        page: snapshot.url.as_ref(),
    }
}

fn focus(rows: &[Row<'_>]) -> Option<Ref> {
    let row = rows
        .iter()
        .find(|row| row.node.states.iter().any(|state| state == "focused"))?;
    row.node.target
}

impl Known {
    /// A line that nobody was shown yet. Focus is no part of what it is: only one element has it.
    fn of(row: &Row<'_>) -> Self {
        let node = row.node;
        let mut hasher = DefaultHasher::new();
        (row.depth, row.level, &node.role, &node.name, &node.value).hash(&mut hasher);
        (&node.link, node.target).hash(&mut hasher);
        for state in node.states.iter().filter(|state| *state != "focused") {
            state.hash(&mut hasher);
        }
        let mut kind = DefaultHasher::new();
        (row.depth, &node.role).hash(&mut kind);
        Known {
            print: hasher.finish(),
            kind: kind.finish(),
            target: node.target,
            line: None,
        }
    }
}

/// Whether the whole page takes more than so many bytes.
fn is_over(rows: &[Row<'_>], style: &Style<'_>, bytes: usize) -> bool {
    fits(rows, style, 0..rows.len(), bytes) < rows.len()
}

/// Where the lines of a range end that fit into so many bytes.
fn fits(rows: &[Row<'_>], style: &Style<'_>, range: Range<usize>, bytes: usize) -> usize {
    let (mut line, mut used) = (String::new(), 0);
    for at in range.clone() {
        let Some(row) = rows.get(at) else { return at };
        line.clear();
        row.write(&mut line, style);
        used += line.len();
        if used > bytes {
            return at;
        }
    }
    range.end
}

/// Rows that are shown beside a part of the page, in order: what the part lies in, and what can be seen wherever the page
/// is scrolled to, up to so many bytes.
fn beside(rows: &[Row<'_>], shown: &Range<usize>, style: &Style<'_>, bytes: usize) -> Vec<usize> {
    let (mut line, mut used) = (String::new(), 0);
    let mut beside: Vec<usize> = around(rows, shown.start)
        .iter()
        .map(|row| rows.partition_point(|it| it.at < row.at))
        .collect();
    for (at, row) in rows.iter().enumerate() {
        if !row.node.pinned || shown.contains(&at) {
            continue;
        }
        line.clear();
        row.write(&mut line, style);
        used += line.len();
        if used > bytes {
            break;
        }
        beside.push(at);
    }
    beside.sort_unstable();
    beside.dedup();
    beside
}

/// Finds the lines of the last view in the present ones. Returns what each present line was, and which of the old ones
/// are no more.
fn align(old: &[Known], new: &[Known]) -> (Vec<Was>, Vec<usize>) {
    let equal = |(a, b): &(&Known, &Known)| a.print == b.print;
    let head = old.iter().zip(new).take_while(equal).count();
    let most = old.len().min(new.len()) - head;
    let both = old.iter().rev().zip(new.iter().rev());
    let tail = both.take(most).take_while(equal).count();
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    // A line with a ref is one of its kind, so that it says where old and new meet again.
    let places: HashMap<Ref, usize> = (head..old_end)
        .filter_map(|at| Some((old.get(at)?.target?, at)))
        .collect();
    let present: HashSet<Ref> = (head..new_end).filter_map(|at| new.get(at)?.target).collect();
    let target = |at: usize| old.get(at).and_then(|it| it.target);
    let count = |rows: &[Known], from: usize, print: u64| {
        let near = rows.iter().skip(from).take(NEAR);
        near.filter(|it| it.print == print).count()
    };
    let stays = |at: usize| target(at).is_some_and(|it| present.contains(&it));
    let mut was: Vec<Was> = (0..head).map(Was::Same).collect();
    let mut gone = Vec::new();
    let mut moved: HashSet<usize> = HashSet::new();
    let (mut at, mut next) = (head, head);
    for (nth, row) in new.iter().enumerate().take(new_end).skip(head) {
        while moved.contains(&at) {
            at += 1;
        }
        let same = |place: &usize| old.get(*place).is_some_and(|it| it.print == row.print);
        // Lines up to the next one that stays have gone, unless the present line has come from behind that one.
        while next < old_end && (next < at || !stays(next) || moved.contains(&next)) {
            next += 1;
        }
        let reach = old_end.min(next + 1);
        let place = match row.target {
            Some(target) => places.get(&target).copied(),
            None => (at..reach.min(at + NEAR)).find(same),
        };
        was.push(match place {
            Some(place) if !(at..reach).contains(&place) => {
                moved.insert(place);
                Was::Moved(place)
            }
            Some(place) => {
                gone.extend((at..place).filter(|it| !moved.contains(it)));
                at = place + 1;
                if same(&place) {
                    Was::Same(place)
                } else {
                    Was::Other(place)
                }
            }
            None => match old.get(at).filter(|_| at < old_end && at < next) {
                // A line instead of another one, unless that one only comes later.
                Some(before)
                    if row.target.is_none()
                        && before.kind == row.kind
                        && count(new, nth, before.print) < count(old, at, before.print) =>
                {
                    at += 1;
                    Was::Instead(at - 1)
                }
                _ => Was::New,
            },
        });
    }
    gone.extend((at..old_end).filter(|it| !moved.contains(it)));
    was.extend((old_end..old.len()).map(Was::Same));
    (was, gone)
}

#[cfg(test)]
mod tests;
