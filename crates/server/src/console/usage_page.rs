//! The page of usage: what the caller's runs used by day, and what is left of the limits.

use std::collections::BTreeMap;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use jiff::civil::Date;
use minijinja::{Value, context};
use runtime::tenants::LimitState;
use runtime::tenants::usage::UsagePeriod;
use serde::Serialize;

use super::chart::DailyChart;
use super::page;
use super::visitor::Visitor;
use crate::app::AppState;
use crate::auth::Caller;
use crate::query::QueryParams;
use crate::response::ApiError;

/// Rows of a table.
const MAX_ROWS: usize = 100;

/// Amounts of one line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
struct Amounts {
    runs: u64,
    pages: u64,
    tool_calls: u64,
    model_calls: u64,
    input_tokens: u64,
    output_tokens: u64,
    micro_dollars: u64,
}

impl Amounts {
    fn add(&mut self, more: [u64; 7]) {
        let sums = [
            &mut self.runs,
            &mut self.pages,
            &mut self.tool_calls,
            &mut self.model_calls,
            &mut self.input_tokens,
            &mut self.output_tokens,
            &mut self.micro_dollars,
        ];
        for (sum, more) in sums.into_iter().zip(more) {
            *sum = sum.saturating_add(more);
        }
    }
}

/// `GET /console/usage`.
pub(super) async fn show(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    params: QueryParams,
) -> Response {
    let shown = async {
        let text = |name| params.get(name, "a day such as 2026-01-31", |it| Some(it.to_owned()));
        let (from, to) = (text("from")?, text("to")?);
        let period = UsagePeriod::read(from.as_deref(), to.as_deref())?;
        let usage = usage(&state, caller.sees().unwrap_or_default(), &period).await?;
        let limits = match caller.identity() {
            Some(identity) => state.tenants.limit_states(&identity.tenant).await?,
            None => Vec::new(),
        };
        let today = jiff::Timestamp::now()
            .to_zoned(jiff::tz::TimeZone::UTC)
            .date()
            .to_string();
        let with = context! { usage, today, limits => limits_shown(&limits), has_keys => caller.identity().is_some() };
        Ok(page::render(&visitor, StatusCode::OK, "usage.html", with))
    };
    shown
        .await
        .unwrap_or_else(|error: ApiError| page::refusal(&visitor, error))
}

/// The usage of a tenant as pages show it: charts by day, and tables by kind, model and key.
pub(super) async fn usage(state: &AppState, tenant: &str, period: &UsagePeriod) -> Result<Value, ApiError> {
    let totals = state.tenants.usage(Some(tenant), period).await?;
    let (mut kinds, mut models, mut keys) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let mut days: BTreeMap<Date, Amounts> = BTreeMap::new();
    for total in &totals {
        let (key, more) = (&total.key, total.amounts.as_array());
        days.entry(key.day).or_default().add(more);
        let count = |table: &mut BTreeMap<String, Amounts>, name: &str| {
            table.entry(name.to_owned()).or_default().add(more);
        };
        count(&mut kinds, &key.kind);
        if !key.model.is_empty() {
            count(&mut models, &key.model);
        }
        if !key.key.is_empty() {
            count(&mut keys, &key.key);
        }
    }
    let chart = |name, amount: fn(&Amounts) -> u64| {
        let amounts = days.iter().map(|(day, all)| (*day, amount(all)));
        DailyChart::new(name, period.first_day(), period.last_day(), &amounts.collect())
    };
    let charts = [
        chart("runs", |all| all.runs),
        chart("pages", |all| all.pages),
        chart("tokens", |all| all.input_tokens.saturating_add(all.output_tokens)),
        chart("dollars", |all| all.micro_dollars),
    ];
    let rows = |table: BTreeMap<String, Amounts>| {
        let mut rows: Vec<_> = table.into_iter().collect();
        rows.sort_by_key(|(_, all)| std::cmp::Reverse((all.micro_dollars, all.runs)));
        rows.truncate(MAX_ROWS);
        page::value(rows)
    };
    Ok(context! {
        from => period.first_day().to_string(), to => period.last_day().to_string(), is_empty => totals.is_empty(),
        charts => page::value(charts), kinds => rows(kinds), models => rows(models), keys => rows(keys),
    })
}

/// Limits as pages show them, with the part that is used in thousandths.
pub(super) fn limits_shown(limits: &[LimitState]) -> Value {
    let shown = |state: &LimitState| {
        let share = state
            .used
            .map(|used| (used / state.limit * 1000.0).clamp(0.0, 1000.0).round());
        let left = state.used.map(|used| (state.limit - used).max(0.0));
        let ends_in = state.ends_in_seconds.map(|seconds| seconds.saturating_mul(1000));
        context! {
            name => state.name, limit => amount(state.limit), used => state.used.map(amount), left => left.map(amount),
            share, ends_in, is_over => left.is_some_and(|left| left <= 0.0),
        }
    };
    limits.iter().map(shown).collect()
}

/// An amount with at most two digits behind the point, and groups of three before it.
fn amount(number: f64) -> String {
    let rounded = (number * 100.0).round() / 100.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "amounts are positive and far below 2^53"
    )]
    let whole = rounded.max(0.0).trunc() as u64;
    let text = format!("{rounded:.2}");
    let rest = text
        .split_once('.')
        .map_or("", |(_, rest)| rest.trim_end_matches('0'));
    match rest {
        "" => page::grouped(whole),
        rest => format!("{}.{rest}", page::grouped(whole)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_short() {
        let amounts = [0.0, 2.5, 1234.0, 0.126, 9_999.999].map(amount);
        assert_eq!(amounts, ["0", "2.5", "1\u{202f}234", "0.13", "10\u{202f}000"]);
    }
}
