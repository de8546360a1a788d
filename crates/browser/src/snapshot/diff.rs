//! View diffs: what a reader knows of a page after some views of it, and what the next view has to report.
//!
//! The reader of a page that does not fit is shown a part of it, and further parts as the page is scrolled. What was
//! shown once is known as long as the document stays: a later view reports which of it has changed or is gone, wherever
//! on the page that is, and what is in view and not known yet.

use std::collections::HashSet;
use std::ops::Range;

mod alignment;

use alignment::{KnownLine, LineOrigin, align};

use super::element::{Ref, Snapshot};
use super::text::{EMPTY, LineStyle, LinkStyle, ViewRow, ancestors, scrolled, truncated, unread};

/// How much of a page is shown at a time, in bytes of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ViewBudget {
    /// A page up to this size is shown as a whole.
    pub page: usize,
    /// Of a larger one this much is shown first, from where it is scrolled to.
    pub part: usize,
    /// And this much once it is read on.
    pub further: usize,
    /// Of its beginning this much is shown with a part further down: navigation is mostly there.
    pub head: usize,
    /// What is in view at once is shown at once, up to this size.
    pub seen: usize,
    /// On a page above this size the targets of links within the site are left out.
    pub links: usize,
}

impl Default for ViewBudget {
    fn default() -> Self {
        ViewBudget {
            page: 5_400,
            part: 3_000,
            further: 8_000,
            head: 500,
            seen: 12_000,
            links: 4_000,
        }
    }
}

/// Most lines that are reported as gone one by one.
const MAX_GONE: usize = 40;

/// What a reader has been shown of one document.
#[derive(Debug, Clone, Default)]
pub struct ViewDiff {
    document: Option<String>,
    has_begun: bool,
    rows: Vec<KnownLine>,
    focus: Option<Ref>,
    /// Whether links within the site are left out.
    terse: bool,
    /// Where the part shown begins.
    part_start: Option<usize>,
}

/// What a view reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewUpdate {
    /// Whether the text stands for itself, and what was shown before is void. Else it reports changes:
    /// `gone:` refs, or lines without one, that are gone; `~` a line that is now another one, by its ref, or without one
    /// by the line before it, which `=` repeats; `+` a line that is new, or has moved, here: it follows the line before
    /// it, or the known one that `=` repeats, and so do those after it that have no sign, and stand where they would in
    /// a whole view. Empty when nothing changed.
    pub whole: bool,
    /// The text, one line an element.
    pub text: String,
    /// The first and the last line shown, and how many there are: when this is a part of the page, and begins elsewhere
    /// than the one before.
    pub part: Option<(usize, usize, usize)>,
    /// Whether the targets of links within the site are left out.
    pub terse: bool,
    /// Bytes that showing the page or its part again would take.
    pub size: usize,
}

/// The view of a page that is to be shown.
struct RenderedView<'a, 'b> {
    snapshot: &'a Snapshot,
    lines: ViewLines<'a, 'b>,
    /// The rows that are shown: all, or a part of the page.
    shown: Range<usize>,
}

impl ViewDiff {
    /// Updates the known state to `snapshot` and returns the difference to report. `again` asks for the whole view.
    pub fn tell(&mut self, snapshot: &Snapshot, budget: &ViewBudget, again: bool) -> ViewUpdate {
        let rows = snapshot.rows();
        let is_same = self.enter(snapshot);
        self.terse |= is_over(&rows, &style(snapshot, LinkStyle::Relative), budget.links);
        let links = if self.terse {
            LinkStyle::Foreign
        } else {
            LinkStyle::Relative
        };
        let style = style(snapshot, links);
        let is_update = is_same && !again;
        let view = RenderedView {
            snapshot,
            shown: self.window(snapshot, &rows, &style, budget, is_update),
            lines: ViewLines {
                rows: &rows,
                style: &style,
            },
        };
        let changes = is_update.then(|| self.changes(&view, budget)).flatten();
        let whole = changes.is_none();
        let (known, text) = changes.unwrap_or_else(|| view.whole(budget));
        if whole {
            self.part_start = None;
        }
        let size = match whole {
            true => text.len(),
            false => {
                let shown = known.get(view.shown.clone()).unwrap_or_default().iter();
                shown.filter_map(|row| Some(row.line.as_ref()?.len() + 1)).sum()
            }
        };
        let is_part = view.shown.len() < rows.len() && self.part_start != Some(view.shown.start);
        let part = is_part.then_some((view.shown.start, view.shown.end.saturating_sub(1), rows.len()));
        self.rows = known;
        self.focus = focus(&rows);
        self.part_start = Some(view.shown.start);
        ViewUpdate {
            whole,
            text,
            part,
            terse: self.terse,
            size,
        }
    }

    /// Takes the document of a snapshot as the current one. Returns whether it was that already.
    fn enter(&mut self, snapshot: &Snapshot) -> bool {
        let document = snapshot.url.as_ref().map(|url| {
            let mut url = url.clone();
            url.set_fragment(None);
            String::from(url)
        });
        let is_same = self.has_begun && self.document == document;
        if !is_same {
            self.terse = false;
        }
        self.has_begun = true;
        self.document = document;
        is_same
    }

    /// The rows that are shown: all, or the part of the page that is in view.
    fn window(
        &self,
        snapshot: &Snapshot,
        rows: &[ViewRow<'_>],
        style: &LineStyle<'_>,
        budget: &ViewBudget,
        is_update: bool,
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
        // A line that is too long for any budget is shown nevertheless, or nothing would be.
        let end = |bytes| {
            let end = fits(rows, style, start..rows.len(), bytes).max(seen);
            end.max((start + 1).min(rows.len()))
        };
        if !is_update {
            return start..end(budget.part);
        }
        // A place that was read before is returned to; another one is read on.
        let below = rows.get(start..).unwrap_or_default();
        let top = below.iter().find_map(|row| row.node.target);
        let mut known = self.rows.iter().filter(|row| row.line.is_some());
        let is_known = top.is_some() && known.any(|row| row.target == top);
        start..end(if is_known { 0 } else { budget.further })
    }

    /// What has changed in a document that was shown before, and what is known then; none where most of what was known
    /// is void.
    fn changes(&self, view: &RenderedView<'_, '_>, budget: &ViewBudget) -> Option<(Vec<KnownLine>, String)> {
        let (rows, shown) = (view.lines.rows, &view.shown);
        let known: Vec<KnownLine> = rows.iter().map(KnownLine::of).collect();
        let (origins, gone) = align(&self.rows, &known);
        let focus = focus(rows).filter(|target| self.focus != Some(*target));
        let context = context_rows(rows, shown, view.lines.style, budget.part);
        let context: HashSet<usize> = context.into_iter().collect();
        let mut writer = ChangeWriter {
            lines: &view.lines,
            known,
            text: String::new(),
            last: None,
            is_last_written: true,
            skipped: 0,
            is_adding: false,
        };
        for (at, origin) in origins.iter().enumerate() {
            let before = origin.index().and_then(|old| self.rows.get(old)?.line.clone());
            let is_wanted = shown.contains(&at) || context.contains(&at);
            match (origin, before) {
                (LineOrigin::Same(_), Some(line)) => writer.keep(at, line, focus),
                (LineOrigin::Changed(_), Some(_)) => writer.replace(at),
                (LineOrigin::Replaced(_), Some(_)) => {
                    writer.write_anchor(&self.rows);
                    writer.replace(at);
                }
                (_, None) if !is_wanted => writer.skipped += 1,
                _ => {
                    writer.write_anchor(&self.rows);
                    writer.add(at);
                }
            }
        }
        let line = |at: usize| self.rows.get(at)?.line.as_deref();
        let lost: Vec<&str> = gone.iter().filter_map(|at| line(*at)).collect();
        let before = total(self.rows.iter().filter_map(|row| row.line.as_deref()));
        let changed = origins
            .iter()
            .filter(|origin| !matches!(origin, LineOrigin::Same(_)));
        let changed = changed.filter_map(|origin| line(origin.index()?));
        let void = total(lost.iter().copied()) + total(changed);
        if lost.len() > MAX_GONE || void * 2 > before {
            return None;
        }
        let mut text = writer.text;
        if !lost.is_empty() {
            let names: Vec<String> = gone.iter().filter_map(|at| self.name(*at)).collect();
            text.insert_str(0, &format!("gone: {}\n", names.join(", ")));
        }
        Some((writer.known, text))
    }

    /// The name of a known line that is gone: its ref, or all of it, and where it was if there are several such.
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

impl RenderedView<'_, '_> {
    /// The whole view, without regard to what is known, and what is known then.
    fn whole(&self, budget: &ViewBudget) -> (Vec<KnownLine>, String) {
        let (rows, shown) = (self.lines.rows, &self.shown);
        let mut known: Vec<KnownLine> = rows.iter().map(KnownLine::of).collect();
        let mut text = String::new();
        let head = fits(rows, self.lines.style, 0..shown.start, budget.head);
        let mut above = context_rows(rows, shown, self.lines.style, budget.part);
        let below = above.split_off(above.partition_point(|at| *at < shown.start));
        above.retain(|at| *at >= head);
        let mut write = |text: &mut String, at: usize| {
            self.lines.learn(&mut known, at, |line| push_line(text, "", line));
        };
        for at in 0..head {
            write(&mut text, at);
        }
        if shown.start > head {
            let node = |at: usize| rows.get(at).map_or(0, |row| row.at);
            text.push_str(&scrolled(node(shown.start) - node(head)));
        }
        for at in above.into_iter().chain(shown.clone()) {
            write(&mut text, at);
        }
        if let Some(next) = rows.get(shown.end) {
            text.push_str(&truncated(self.snapshot.nodes.len() - next.at, next.at));
        } else if self.snapshot.beyond > 0 {
            text.push_str(&unread(self.snapshot.beyond));
        } else if rows.is_empty() {
            text.push_str(EMPTY);
        }
        for at in below {
            write(&mut text, at);
        }
        (known, text)
    }
}

/// Writes the changes of a page, line by line.
struct ChangeWriter<'a, 'b> {
    lines: &'a ViewLines<'a, 'b>,
    known: Vec<KnownLine>,
    text: String,
    /// The last known line, and whether it is the last one written.
    last: Option<usize>,
    is_last_written: bool,
    /// Lines since then that are not shown.
    skipped: usize,
    /// Whether a sign for added lines is in force.
    is_adding: bool,
}

impl ChangeWriter<'_, '_> {
    fn write(&mut self, at: usize, sign: &str) {
        let text = &mut self.text;
        self.lines
            .learn(&mut self.known, at, |line| push_line(text, sign, line));
        self.go_to(at, true);
    }

    fn go_to(&mut self, at: usize, is_written: bool) {
        (self.last, self.is_last_written, self.skipped) = (Some(at), is_written, 0);
    }

    /// A line that is known and the same; written only if it got the focus.
    fn keep(&mut self, at: usize, line: Box<str>, focus: Option<Ref>) {
        self.is_adding = false;
        let row = self.known.get_mut(at);
        if focus.is_some() && row.as_ref().is_some_and(|row| row.target == focus) {
            self.write(at, "~ ");
            return;
        }
        if let Some(row) = row {
            row.line = Some(line);
        }
        self.go_to(at, false);
    }

    /// A line in place of a known one.
    fn replace(&mut self, at: usize) {
        self.is_adding = false;
        self.write(at, "~ ");
    }

    /// Repeats the last known line, unless it is the last one written. `before` are the lines of the last view.
    fn write_anchor(&mut self, before: &[KnownLine]) {
        self.is_adding &= self.is_last_written;
        if self.is_last_written {
            return;
        }
        let Some(last) = self.last else { return };
        let Some(line) = self.known.get(last).and_then(|row| row.line.clone()) else {
            return;
        };
        // Where the line is not the only one of its kind, the last one with a ref says which it is.
        let twins = before.iter().filter(|row| row.line.as_ref() == Some(&line));
        if twins.count() > 1
            && let Some(anchor) = anchor(&self.known, last)
            && anchor != &*line
        {
            push_line(&mut self.text, "= ", anchor);
        }
        push_line(&mut self.text, "= ", &line);
    }

    /// A new line. ViewLines that follow each other share a sign.
    fn add(&mut self, at: usize) {
        let mut sign = if self.is_adding { "" } else { "+ " };
        self.is_adding = true;
        if self.skipped > 0 {
            let gap = format!("({} elements in between are not shown)", self.skipped);
            push_line(&mut self.text, sign, &gap);
            sign = "";
        }
        self.write(at, sign);
    }
}

/// The last known line with a ref up to a place.
fn anchor(known: &[KnownLine], at: usize) -> Option<&str> {
    let rows = known.get(..=at)?.iter().rev();
    let mut known = rows.filter(|row| row.target.is_some());
    known.find_map(|row| row.line.as_deref())
}

fn total<'a>(lines: impl Iterator<Item = &'a str>) -> usize {
    lines.map(str::len).sum()
}

/// The lines of a page, written when they are needed.
struct ViewLines<'a, 'b> {
    rows: &'a [ViewRow<'b>],
    style: &'a LineStyle<'b>,
}

impl ViewLines<'_, '_> {
    /// Makes a line known and passes it on, without its line break.
    fn learn(&self, known: &mut [KnownLine], at: usize, write: impl FnOnce(&str)) {
        let (Some(row), Some(known)) = (self.rows.get(at), known.get_mut(at)) else {
            return;
        };
        let mut line = String::new();
        row.write(&mut line, self.style);
        line.pop();
        write(&line);
        known.line = Some(line.into());
    }
}

fn push_line(text: &mut String, sign: &str, line: &str) {
    text.push_str(sign);
    text.push_str(line);
    text.push('\n');
}

fn style(snapshot: &Snapshot, links: LinkStyle) -> LineStyle<'_> {
    LineStyle {
        refs: true,
        links,
        page: snapshot.url.as_ref(),
    }
}

fn focus(rows: &[ViewRow<'_>]) -> Option<Ref> {
    let row = rows
        .iter()
        .find(|row| row.node.states.iter().any(|state| state == "focused"))?;
    row.node.target
}

/// Whether the whole page takes more than so many bytes.
fn is_over(rows: &[ViewRow<'_>], style: &LineStyle<'_>, bytes: usize) -> bool {
    fits(rows, style, 0..rows.len(), bytes) < rows.len()
}

/// Where the lines of a range end that fit into so many bytes.
fn fits(rows: &[ViewRow<'_>], style: &LineStyle<'_>, range: Range<usize>, bytes: usize) -> usize {
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

/// Rows that are shown with a part of the page, in order: its ancestors, and what stays in view wherever the page is
/// scrolled to, up to so many bytes.
fn context_rows(
    rows: &[ViewRow<'_>],
    shown: &Range<usize>,
    style: &LineStyle<'_>,
    bytes: usize,
) -> Vec<usize> {
    let (mut line, mut used) = (String::new(), 0);
    let mut context: Vec<usize> = ancestors(rows, shown.start)
        .iter()
        .map(|row| rows.partition_point(|other| other.at < row.at))
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
        context.push(at);
    }
    context.sort_unstable();
    context.dedup();
    context
}

#[cfg(test)]
mod tests;
