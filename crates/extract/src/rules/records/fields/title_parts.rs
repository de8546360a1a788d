//! The title of an entry within an element that holds more than it.

use page::dom::Node;

use super::{MOST_ELEMENTS, RecordTable};
use crate::rules::addresses::{leads_to_author, leads_to_person};
use crate::rules::records::column_scores::is_heading;
use crate::rules::records::columns::RecordColumn;
use crate::rules::records::flat_tree::Span;

/// Largest share of different texts of a part of a title that is no name of its own: a badge, a maker.
const MOST_REPEATED: f32 = 0.6;
/// Fewest characters of a part of a title that says something, on average.
const SHORTEST_PART: f32 = 2.0;

impl<'l> RecordTable<'l, '_> {
    /// The column of the first text within the cells of a title that hold several: the name in a cell that also has a badge and a
    /// maker.
    pub(super) fn first_inside(&self, title: &'l RecordColumn) -> Option<&'l RecordColumn> {
        let has_parts = |cell: &(usize, u32)| {
            let node = self.node(cell.1)?;
            let told = node.children().filter(|child| !child.text().trim().is_empty());
            Some(matches!(node.tag(), "td" | "th" | "div" | "li") && told.take(2).count() > 1)
        };
        let with_parts = title
            .cells
            .iter()
            .filter(|cell| has_parts(cell) == Some(true))
            .count();
        if with_parts * 2 < title.cells.len() {
            return None;
        }
        let is_first = |column: &&RecordColumn| {
            // What follows an element in document order is its first child.
            let is_within =
                |(one, other): (&(usize, u32), &(usize, u32))| one.0 == other.0 && one.1 == other.1 + 1;
            column.cells.len() == title.cells.len()
                && column.cells.iter().zip(&title.cells).all(is_within)
                && column.distinct >= 0.9
                && column.numbers < 0.5
        };
        self.columns
            .iter()
            .filter(is_first)
            .min_by_key(|column| column.order)
    }

    /// The text of the only heading of a record; `None` where it has none or several.
    pub(super) fn only_heading(&self, span: Span) -> Option<String> {
        let mut headings = (span.from..span.to).take(MOST_ELEMENTS).filter(|at| {
            self.node(*at)
                .is_some_and(|node| is_heading(node) && !node.text().trim().is_empty())
        });
        let only = headings.next()?;
        headings.next().is_none().then(|| self.seen_text(only))
    }

    /// The first link within the cells of a title that have more than it, which every record has and each another one: the
    /// subject of a thread between its badges and who began it.
    pub(super) fn link_inside(&self, title: &'l RecordColumn) -> Option<&'l RecordColumn> {
        let is_cell = |cell: &(usize, u32)| {
            let node = self.node(cell.1);
            node.is_some_and(|node| matches!(node.tag(), "td" | "th" | "div" | "li"))
        };
        if !title.cells.iter().take(20).all(is_cell) {
            return None;
        }
        let is_link = |column: &&RecordColumn| {
            let link = column.cells.first().and_then(|cell| self.node(cell.1));
            link.is_some_and(|node| node.is("a") && node.attr("href").is_some())
                // Some rows say where a thread has gone, or advertise.
                && column.cells.len() * 10 >= title.cells.len() * 8
                && self.is_within(column, title)
        };
        // What stands before the first link are badges in elements of their own, or in brackets.
        let begins = |cell: &(usize, u32)| {
            let (Some(link), Some(around)) =
                (self.node(cell.1), title.cells.iter().find(|it| it.0 == cell.0))
            else {
                return false;
            };
            let around = self.node(around.1);
            let is_own_text = |text: &Node<'_>| {
                let own = text.text_value().unwrap_or_default().trim();
                text.parent().map(Node::id) == around.map(Node::id)
                    && !own.is_empty()
                    && !own.starts_with('[')
            };
            let before = around
                .into_iter()
                .flat_map(Node::descendants)
                .take_while(|node| node.id() < link.id());
            !before.into_iter().any(|node| is_own_text(&node))
        };
        let links = self.columns.iter().filter(is_link);
        let first = links.min_by_key(|column| column.order)?;
        let href = first
            .cells
            .first()
            .and_then(|cell| self.node(cell.1))
            .and_then(|node| node.attr("href"));
        let is_subject = href.is_some_and(|href| {
            let is_page =
                !href.starts_with(['#', '?']) && !href.starts_with("mailto:") && !href.starts_with("tel:");
            is_page && !leads_to_person(href) && !leads_to_author(href)
        }) && first.distinct >= 0.9
            && first.numbers < 0.5
            && first.words >= 2.0
            && first.cells.iter().take(20).all(begins);
        is_subject.then_some(first)
    }

    /// The one text within linked titles that every record has and each another one, where what stands beside it in the link is
    /// repeated from record to record: the name behind "New in" and the maker.
    pub(super) fn own_part_of_link(&self, title: &'l RecordColumn) -> Option<&'l RecordColumn> {
        let is_link = |cell: &(usize, u32)| self.node(cell.1).is_some_and(|node| node.is("a"));
        if title.cells.iter().filter(|cell| is_link(cell)).count() * 2 < title.cells.len() {
            return None;
        }
        let mut own: Option<&RecordColumn> = None;
        let mut has_repeated = false;
        for column in self.columns.iter().filter(|column| self.is_within(column, title)) {
            let is_leaf = column.cells.first().is_some_and(|cell| {
                self.node(cell.1)
                    .is_some_and(|node| !node.children().any(|child| child.is_element()))
            });
            if !is_leaf || column.chars < SHORTEST_PART {
                continue;
            }
            if column.distinct <= MOST_REPEATED {
                has_repeated = true;
            } else if own.is_some() || column.cells.len() != title.cells.len() || column.distinct < 0.9 {
                return None;
            } else {
                own = Some(column);
            }
        }
        own.filter(|column| has_repeated && column.numbers < 0.5)
    }
}
