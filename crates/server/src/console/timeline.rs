//! The timeline of a run: what each event says, for people. Heads first, errors and results next, context last.
//!
//! Rows are made from the structured fields of events, never from their messages. An event of a newer version, or one that
//! does not fit its family, becomes a row that shows it as it is.

mod automate;
mod research;
mod row;
mod scrape;

use serde_json::Value;
use wire::automate::ModelCallCost;
use wire::{Family, LogEntry};

pub(super) use row::{RowState, TimelineRow, indented, one_line};

/// Whether an event of this name asks a person for values.
pub(super) fn asks_a_person(name: &str) -> bool {
    name.starts_with("interactive:form_data:")
}

/// What a call of a model cost, where an event tells of one.
pub(super) fn cost_of(entry: &LogEntry) -> Option<ModelCallCost> {
    let told = (entry.name == "model:call").then(|| serde_json::from_str(&entry.data));
    told?.ok()
}

/// Whether a row asks a model.
pub(super) fn asks_a_model(row: &TimelineRow) -> bool {
    row.action == "agent:processing"
}

/// The row of an event.
pub(super) fn row_of(family: Family, entry: &LogEntry) -> TimelineRow {
    let body: Value = serde_json::from_str(&entry.data).unwrap_or_default();
    let mut row = TimelineRow {
        seq: entry.seq,
        at: entry.at.as_millisecond(),
        key: format!("e{}", entry.seq),
        action: entry.name.clone(),
        last: entry.terminal,
        ..TimelineRow::default()
    };
    let known = match (family, &body) {
        (Family::Scrape, Value::Object(map)) => scrape::describe(&mut row, &entry.name, map),
        (Family::Automate, Value::Object(map)) => automate::describe(&mut row, &entry.name, map),
        (Family::Research, Value::Object(map)) => research::describe(&mut row, &entry.name, map),
        _ => None,
    };
    if known.is_none() {
        row.unknown = true;
        row.head.clone_from(&entry.name);
        row.text = entry.data.clone();
    }
    if row.context.is_empty() {
        row.context = indented(&body);
    }
    if row.group.is_empty() {
        row.group.clone_from(&row.action);
    }
    row.bound();
    row
}

#[cfg(test)]
mod tests;
