//! `RunOverview`: what a whole log adds up to, and the window of its rows that is shown.

use std::collections::{BTreeMap, HashMap, VecDeque};

use serde::Serialize;
use serde_json::Value;
use wire::{Family, LogEntry};

use super::page;
use super::timeline::{RowState, TimelineRow, asks_a_model, asks_a_person, cost_of, row_of};

/// Rows shown at once.
pub(super) const WINDOW: usize = 400;
/// Rows before the one that is asked for.
const LEAD: u64 = 40;
/// A time before the first event that is long enough to be shown, in milliseconds.
const NOTABLE_WAIT: i64 = 50;
/// Most lanes of the chart, and most names that are counted.
const MAX_NAMES: usize = 200;

/// Which rows are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct RowFilter {
    /// Only this action's.
    pub(super) action: Option<String>,
    /// Only those that failed, are not finished or ask.
    pub(super) only_open_or_failed: bool,
    /// The event that is to be among them; the newest ones otherwise.
    pub(super) around: Option<u64>,
}

impl RowFilter {
    fn takes(&self, row: &TimelineRow) -> bool {
        let notable = matches!(row.state, RowState::Failed | RowState::Running | RowState::Asks)
            || !row.error.is_empty();
        self.action.as_ref().is_none_or(|action| *action == row.action)
            && (!self.only_open_or_failed || notable)
    }
}

/// How often something happened, and how often it failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(super) struct Count {
    count: u64,
    done: u64,
    failed: u64,
    took_ms: u64,
}

/// When a page, turn or phase began and ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Lane {
    name: String,
    from: i64,
    to: i64,
    rows: u64,
    failed: bool,
}

/// A whole log, event by event.
#[derive(Debug, Default)]
pub(super) struct RunOverview {
    filter: RowFilter,
    rows: VecDeque<TimelineRow>,
    /// Rows that may go on: their place by key.
    open: HashMap<String, TimelineRow>,
    /// Rows that were left out before and behind the window.
    before: u64,
    after: u64,
    actions: BTreeMap<String, Count>,
    tools: BTreeMap<String, Count>,
    lanes: Vec<Lane>,
    /// The number of the last event that asks a model.
    model_asked: u64,
    /// The last event, when it asks a person for values.
    question: Option<(i64, Value)>,
    last_seq: u64,
    first_at: i64,
    last_at: i64,
}

/// The overview as pages show it.
#[derive(Debug, Serialize)]
pub(super) struct OverviewPage {
    rows: Vec<TimelineRow>,
    before: u64,
    after: u64,
    actions: Vec<(String, Count)>,
    tools: Vec<(String, Count)>,
    lanes: Vec<Bar>,
    last_seq: u64,
    first_at: i64,
    first_row: u64,
    last_row: u64,
}

/// A lane as a bar: begin and length in thousandths of the run.
#[derive(Debug, Serialize)]
struct Bar {
    #[serde(flatten)]
    lane: Lane,
    x: i64,
    width: i64,
}

impl RunOverview {
    /// The overview of a run that was asked for at `created`, in milliseconds since the epoch.
    pub(super) fn new(filter: RowFilter, created: i64) -> Self {
        Self {
            filter,
            first_at: created,
            last_at: created,
            ..Self::default()
        }
    }

    /// Adds the next event.
    pub(super) fn add(&mut self, family: Family, entry: &LogEntry) {
        let row = row_of(family, entry);
        self.count_waiting(row.at);
        let before = std::mem::replace(&mut self.last_at, row.at);
        self.last_seq = entry.seq;
        let is_question = asks_a_person(&entry.name);
        let asked = is_question.then(|| serde_json::from_str(&entry.data).unwrap_or_default());
        self.question = asked.map(|asked| (row.at, asked));
        if asks_a_model(&row) {
            self.model_asked = row.seq;
        }
        match family {
            // Its parts follow one another, so that the time before an event belongs to the event's part.
            Family::Automate => self.count_lane(&row, before, true),
            Family::Scrape | Family::Research => self.count_lane(&row, row.at, false),
        }
        self.place(row);
    }

    /// Adds what a call of a model cost to the row that asks the model, where that row is shown.
    pub(super) fn add_cost(&mut self, entry: &LogEntry) {
        let Some(cost) = cost_of(entry) else { return };
        let asked = self.model_asked;
        if let Some(row) = self.rows.iter_mut().rev().find(|row| row.seq == asked) {
            let tokens = |count, name| format!("{} {}", page::grouped(count), page::text("run", name));
            let mut told = vec![
                tokens(cost.input_tokens, "tokens_sent"),
                tokens(cost.output_tokens, "tokens_written"),
            ];
            if cost.micro_dollars > 0 {
                told.push(page::dollars(cost.micro_dollars));
            }
            row.text = format!("{} · {}", row.text, told.join(", "));
        }
    }

    /// Counts the time before the first event, and the time that a person took to answer, up to the next event.
    fn count_waiting(&mut self, until: i64) {
        let (from, name) = match &self.question {
            Some((asked_at, _)) => (*asked_at, "lane_person"),
            None if self.last_seq == 0 && until - self.first_at >= NOTABLE_WAIT => {
                (self.first_at, "lane_start")
            }
            None => return,
        };
        if self.question.is_some()
            && let Some(row) = self.rows.iter_mut().rev().find(|row| row.state == RowState::Asks)
        {
            // The run went on: nobody is asked by this row any more.
            row.state = RowState::Done;
            row.took_ms = u64::try_from(until - from).ok();
        }
        if self.lanes.len() < MAX_NAMES {
            self.lanes.push(Lane {
                name: page::text("run", name).to_owned(),
                from,
                to: until,
                rows: 0,
                failed: false,
            });
        }
        self.last_at = until;
    }

    /// Adds a row to its part of the run, which begins at `from` when it is new. Parts that follow one another are
    /// continued only while they are the last.
    fn count_lane(&mut self, row: &TimelineRow, from: i64, in_sequence: bool) {
        if row.lane.is_empty() {
            return;
        }
        let has_room = self.lanes.len() < MAX_NAMES;
        let reach = if in_sequence { 1 } else { MAX_NAMES };
        let known = self
            .lanes
            .iter_mut()
            .rev()
            .take(reach)
            .find(|it| it.name == row.lane);
        match known {
            Some(lane) => {
                lane.to = row.at;
                lane.rows += 1;
                lane.failed |= row.state == RowState::Failed && row.action == "page";
            }
            None if has_room => {
                let (name, failed) = (row.lane.clone(), row.state == RowState::Failed);
                self.lanes.push(Lane {
                    name,
                    from,
                    to: row.at,
                    rows: 1,
                    failed,
                });
            }
            None => {}
        }
    }

    /// Puts a row in its place: into the one that it continues, or at the end.
    fn place(&mut self, row: TimelineRow) {
        let Some(mut begun) = self.open.remove(&row.key) else {
            self.count(&row, true);
            if row.open && self.open.len() < WINDOW {
                self.open.insert(row.key.clone(), row.clone());
            }
            self.show(row);
            return;
        };
        let was_final = begun.state != RowState::Running && begun.state != RowState::Note;
        begun.continue_with(row);
        if !was_final {
            self.count(&begun, false);
        }
        if let Some(shown) = self.rows.iter_mut().rev().find(|it| it.seq == begun.seq) {
            *shown = begun.clone();
        } else if self.filter.only_open_or_failed && self.after == 0 && begun.state == RowState::Failed {
            self.show(begun.clone());
        }
        if self.filter.only_open_or_failed && begun.state == RowState::Done {
            self.rows.retain(|it| it.seq != begun.seq || !it.error.is_empty());
        }
        if begun.open {
            self.open.insert(begun.key.clone(), begun);
        }
    }

    fn count(&mut self, row: &TimelineRow, is_new: bool) {
        let names = [
            (&mut self.actions, Some(&row.action)),
            (&mut self.tools, row.tool.as_ref()),
        ];
        for (counts, name) in names {
            let Some(name) = name else { continue };
            if counts.len() >= MAX_NAMES && !counts.contains_key(name) {
                continue;
            }
            let count = counts.entry(name.clone()).or_default();
            count.count += u64::from(is_new);
            count.done += u64::from(row.state == RowState::Done);
            count.failed += u64::from(row.state == RowState::Failed);
            count.took_ms += row.took_ms.unwrap_or(0);
        }
    }

    fn show(&mut self, row: TimelineRow) {
        if !self.filter.takes(&row) {
            return;
        }
        let is_full = self.rows.len() >= WINDOW;
        match self.filter.around {
            Some(wanted) if is_full && self.rows.front().is_some_and(|it| it.seq + LEAD >= wanted) => {
                self.after += 1;
                return;
            }
            _ if is_full => {
                self.rows.pop_front();
                self.before += 1;
            }
            _ => {}
        }
        self.rows.push_back(row);
    }

    /// The question that waits for an answer: when it was asked, and the event.
    pub(super) fn question(&self) -> Option<&(i64, Value)> {
        self.question.as_ref()
    }

    /// The whole, for a page.
    pub(super) fn page(self) -> OverviewPage {
        let length = (self.last_at - self.first_at).max(1);
        let bar = |lane: Lane| {
            let x = (lane.from - self.first_at) * 1000 / length;
            // A bar that is too short to be seen would be one that is missing.
            let width = ((lane.to - lane.from) * 1000 / length)
                .max(8)
                .min(1000 - x.min(992));
            Bar {
                lane,
                x: x.min(992),
                width,
            }
        };
        let lanes = self.lanes.into_iter().map(bar).collect();
        let ended = self
            .tools
            .into_iter()
            .filter(|(_, count)| count.done + count.failed > 0);
        let mut tools: Vec<_> = ended.collect();
        tools.sort_by_key(|(_, count)| std::cmp::Reverse((count.failed, count.count)));
        OverviewPage {
            first_row: self.rows.front().map_or(0, |it| it.seq),
            last_row: self.rows.back().map_or(0, |it| it.seq),
            rows: self.rows.into(),
            before: self.before,
            after: self.after,
            actions: self.actions.into_iter().collect(),
            tools,
            lanes,
            last_seq: self.last_seq,
            first_at: self.first_at,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wire::Audience;

    use super::*;

    fn call(seq: u64, id: &str, status: &str) -> LogEntry {
        let details = match status {
            "running" => json!({"tool": "html.select", "params": {}}),
            _ => json!({"tool": "html.select", "success": status == "completed", "duration_ms": 2}),
        };
        let data = json!({"type": "step", "data": {"action": "tool_call", "status": status, "call_id": id,
            "extracted_data": details}});
        LogEntry {
            seq,
            at: jiff::Timestamp::from_millisecond(i64::try_from(seq).unwrap()).unwrap(),
            name: "step".into(),
            audience: Audience::Public,
            terminal: false,
            data: data.to_string(),
        }
    }

    fn overview(filter: RowFilter, calls: u64) -> OverviewPage {
        let mut overview = RunOverview::new(filter, 0);
        for number in 0..calls {
            let (seq, id) = (number * 2 + 1, number.to_string());
            overview.add(Family::Scrape, &call(seq, &id, "running"));
            let end = if number % 10 == 0 { "failed" } else { "completed" };
            overview.add(Family::Scrape, &call(seq + 1, &id, end));
        }
        overview.page()
    }

    #[test]
    fn calls_are_paired_and_counted_and_the_window_is_bounded() {
        let page = overview(RowFilter::default(), 1000);
        assert_eq!((page.rows.len(), page.before, page.after), (WINDOW, 600, 0));
        let (name, count) = &page.tools[0];
        assert_eq!(
            (name.as_str(), count.count, count.done, count.failed),
            ("html.select", 1000, 900, 100)
        );
        assert!(page.rows.iter().all(|it| it.state != RowState::Running));
    }

    #[test]
    fn a_link_to_an_event_shows_it_with_what_is_around() {
        let page = overview(
            RowFilter {
                around: Some(501),
                ..RowFilter::default()
            },
            1000,
        );
        assert!(page.rows.iter().any(|it| it.seq == 501) && page.rows.len() == WINDOW);
        assert!(page.before > 0 && page.after > 0);
        let first = overview(
            RowFilter {
                around: Some(1),
                ..RowFilter::default()
            },
            1000,
        );
        assert_eq!((first.first_row, first.before), (1, 0));
    }

    #[test]
    fn what_failed_can_be_seen_alone() {
        let filter = RowFilter {
            only_open_or_failed: true,
            ..RowFilter::default()
        };
        let page = overview(filter, 1000);
        assert_eq!(page.rows.len(), 100);
        assert!(page.rows.iter().all(|it| it.state == RowState::Failed));
    }

    fn event(seq: u64, at: i64, name: &str, audience: Audience, data: &Value) -> LogEntry {
        LogEntry {
            seq,
            at: jiff::Timestamp::from_millisecond(at).unwrap(),
            name: name.into(),
            audience,
            terminal: false,
            data: data.to_string(),
        }
    }

    #[test]
    fn the_time_of_a_task_is_shared_out_to_its_parts_and_to_those_who_let_it_wait() {
        let turn = |name: &str| json!({"iterationId": name, "operation": "choosing", "formDescription": "The address", "fields": []});
        let mut overview = RunOverview::new(RowFilter::default(), 1_000);
        let events = [
            (1_400, "task:setup", "planning"),
            (1_500, "agent:status", "planning"),
            (1_900, "browser:navigated", "planning"),
            (2_000, "agent:processing", "turn-1"),
            (2_100, "interactive:form_data:request", "turn-1"),
            (9_100, "agent:step", "turn-2"),
        ];
        for (seq, (at, name, lane)) in (1..).zip(events) {
            let mut body = turn(lane);
            body["currentIteration"] = json!(1);
            overview.add(Family::Automate, &event(seq, at, name, Audience::Public, &body));
        }
        assert!(overview.question().is_none());
        let page = overview.page();
        let lanes: Vec<_> = page
            .lanes
            .iter()
            .map(|bar| (bar.lane.name.as_str(), bar.lane.to - bar.lane.from))
            .collect();
        assert_eq!(
            lanes,
            [
                ("waiting to start", 400),
                ("planning", 100),
                ("opening the page", 400),
                ("turn 1", 200),
                ("waiting for a person", 7_000),
                ("turn 2", 0)
            ]
        );
        let asked = page
            .rows
            .iter()
            .find(|row| row.action.starts_with("interactive"))
            .unwrap();
        assert_eq!((asked.state, asked.took_ms), (RowState::Done, Some(7_000)));
    }

    #[test]
    fn a_call_of_a_model_has_its_cost() {
        let mut overview = RunOverview::new(RowFilter::default(), 0);
        let asked = json!({"iterationId": "turn-1", "operation": "choosing"});
        overview.add(
            Family::Automate,
            &event(1, 1, "agent:processing", Audience::Public, &asked),
        );
        let cost = json!({"inputTokens": 3120, "outputTokens": 180, "microDollars": 1536});
        overview.add_cost(&event(2, 2, "model:call", Audience::Internal, &cost));
        let page = overview.page();
        assert_eq!(
            page.rows[0].text,
            "choosing · 3\u{202f}120 tokens sent, 180 written, $0.0015"
        );
    }

    #[test]
    fn the_cost_of_a_call_whose_row_is_not_shown_stands_at_no_other_row() {
        let filter = RowFilter {
            around: Some(1),
            ..RowFilter::default()
        };
        let mut overview = RunOverview::new(filter, 0);
        let asked = json!({"iterationId": "turn-1", "operation": "choosing"});
        let cost = json!({"inputTokens": 3120, "outputTokens": 180, "microDollars": 0});
        for call in 0..WINDOW as u64 + 10 {
            let seq = call * 2 + 1;
            let at = i64::try_from(seq).unwrap();
            overview.add(
                Family::Automate,
                &event(seq, at, "agent:processing", Audience::Public, &asked),
            );
            overview.add_cost(&event(seq + 1, at, "model:call", Audience::Internal, &cost));
        }
        let page = overview.page();
        assert_eq!((page.rows.len(), page.after), (WINDOW, 10));
        assert!(page.rows.iter().all(|row| row.text.matches("sent").count() == 1));
    }
}
