//! `DailyChart`: amounts by day as the bars of an SVG.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde::Serialize;

/// Width and height of the drawing, in its own units.
pub(super) const WIDTH: f64 = 1000.0;
pub(super) const HEIGHT: f64 = 100.0;
/// Part of a day's width that its bar takes.
const BAR: f64 = 0.8;
/// Least height of the bar of a day that has something.
const LEAST: f64 = 1.5;

/// One day.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Bar {
    day: String,
    amount: u64,
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// Amounts of one kind by day.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct DailyChart {
    /// Names the amounts among the texts.
    name: &'static str,
    total: u64,
    largest: u64,
    /// The day of the largest amount.
    largest_day: String,
    bars: Vec<Bar>,
}

impl DailyChart {
    /// The chart of the days from `first` to `last`. Days without an amount have no bar.
    pub(super) fn new(name: &'static str, first: Date, last: Date, amounts: &BTreeMap<Date, u64>) -> Self {
        let days = first
            .until(last)
            .map_or(0, |span| i64::from(span.get_days()))
            .saturating_add(1)
            .max(1);
        let largest = amounts.iter().max_by_key(|(_, amount)| **amount);
        let (largest_day, most) = largest.map_or((first, 0), |(day, amount)| (*day, *amount));
        let width = WIDTH / number(days);
        let bar = |(day, amount): (&Date, &u64)| {
            let place = first.until(*day).map_or(0, |span| i64::from(span.get_days()));
            let share = number(i64::try_from(*amount).unwrap_or(i64::MAX))
                / number(i64::try_from(most.max(1)).unwrap_or(i64::MAX));
            let height = (share * HEIGHT).max(LEAST);
            Bar {
                day: day.to_string(),
                amount: *amount,
                x: rounded(number(place) * width + width * (1.0 - BAR) / 2.0),
                y: rounded(HEIGHT - height),
                width: rounded(width * BAR),
                height: rounded(height),
            }
        };
        let shown = amounts.iter().filter(|(_, amount)| **amount > 0);
        Self {
            name,
            total: amounts
                .values()
                .fold(0, |sum: u64, more| sum.saturating_add(*more)),
            largest: most,
            largest_day: largest_day.to_string(),
            bars: shown.map(bar).collect(),
        }
    }
}

fn rounded(length: f64) -> f64 {
    (length * 100.0).round() / 100.0
}

#[expect(clippy::cast_precision_loss, reason = "lengths of a drawing")]
fn number(count: i64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn bars_stand_at_their_days_and_the_largest_fills_the_drawing() {
        let amounts = BTreeMap::from([
            (date(2026, 1, 31), 10),
            (date(2026, 2, 1), 0),
            (date(2026, 2, 2), 1),
        ]);
        let chart = DailyChart::new("runs", date(2026, 1, 30), date(2026, 2, 2), &amounts);
        assert_eq!((chart.total, chart.largest, chart.bars.len()), (11, 10, 2));
        let places: Vec<_> = chart
            .bars
            .iter()
            .map(|it| (it.x, it.width, it.y, it.height))
            .collect();
        assert_eq!(places, [(275.0, 200.0, 0.0, 100.0), (775.0, 200.0, 90.0, 10.0)]);
        let empty = DailyChart::new("runs", date(2026, 1, 1), date(2026, 1, 1), &BTreeMap::new());
        assert_eq!((empty.total, empty.bars.len()), (0, 0));
    }

    #[test]
    fn a_year_has_a_bar_for_each_day() {
        let first = date(2025, 3, 1);
        let days = (0..366).map(|day| (first.checked_add(jiff::Span::new().days(day)).unwrap(), 1));
        let chart = DailyChart::new("runs", first, date(2026, 3, 1), &days.collect());
        assert!(
            chart
                .bars
                .iter()
                .all(|bar| bar.x >= 0.0 && bar.x + bar.width <= WIDTH)
        );
    }
}
