//! When a monitor is checked next.

use croner::parser::{CronParser, Seconds, Year};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use wire::Code;
use wire::monitors::MonitorSchedule;

use crate::due_index::to_millis;
use crate::error::ServiceError;

fn refused(field: &str, why: &str) -> ServiceError {
    ServiceError::new(Code::InvalidRequest, format!("schedule.{field}: {why}"))
}

/// When a check is regular, and when it is due: later at random, where the schedule says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CheckTime {
    /// From which the next of equal steps is counted, so that what checks are late does not add up.
    pub(super) slot: Timestamp,
    /// Of the slot or after it.
    pub(super) due: Timestamp,
}

/// The next check after `now`. `slot` is the regular time of the check before, from which equal steps are counted; times that
/// have passed meanwhile are left out.
///
/// # Errors
/// Naming the field, when the expression is none or its time never comes.
pub(super) fn next(
    schedule: &MonitorSchedule,
    slot: Timestamp,
    now: Timestamp,
) -> Result<CheckTime, ServiceError> {
    if let Some(every) = schedule.every {
        let step = SignedDuration::from_secs(i64::from(every));
        let regular = slot + step;
        let slot = to_millis(if regular > now { regular } else { now + step });
        let late = schedule.jitter.unwrap_or(0);
        let late = SignedDuration::from_millis(i64::from(fastrand::u32(0..=late.saturating_mul(1000))));
        let due = slot + late;
        return Ok(CheckTime { slot, due });
    }
    let Some(cron) = &schedule.cron else {
        return Err(ServiceError::new(
            Code::InvalidRequest,
            "schedule: needs cron or every",
        ));
    };
    let parser = CronParser::builder()
        .seconds(Seconds::Disallowed)
        .year(Year::Disallowed)
        .build();
    let Ok(parsed) = parser.parse(cron) else {
        let advice = "must be five fields: minute, hour, day of the month, month, day of the week, such as \"0 9 * * 1-5\"";
        return Err(refused("cron", advice));
    };
    let zone = match &schedule.timezone {
        Some(name) => {
            TimeZone::get(name).map_err(|_| refused("timezone", "is no time zone of the IANA database"))?
        }
        None => TimeZone::UTC,
    };
    let found = parsed.find_next_occurrence(&now.to_zoned(zone), false);
    let found = found.map_err(|_| refused("cron", "never comes"))?;
    let slot = to_millis(found.timestamp());
    Ok(CheckTime { slot, due: slot })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cron(cron: &str, timezone: Option<&str>) -> MonitorSchedule {
        MonitorSchedule {
            cron: Some(cron.into()),
            timezone: timezone.map(str::to_owned),
            ..MonitorSchedule::default()
        }
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_cron_expression_is_of_its_time_zone() {
        let now = at("2026-11-23T08:30:00Z");
        let next = |expression: &str, zone| next(&cron(expression, zone), now, now).unwrap().due.to_string();
        assert_eq!(next("0 9 * * *", None), "2026-11-23T09:00:00Z");
        assert_eq!(next("0 9 * * *", Some("Europe/Oslo")), "2026-11-24T08:00:00Z");
        // The first working day of the week is Monday, as cron counts.
        assert_eq!(next("30 8 * * 1", None), "2026-11-30T08:30:00Z");
        // Half past two does not come on the day when clocks go forward.
        let spring = at("2027-03-28T00:30:00Z");
        let jump = super::next(&cron("30 2 * * *", Some("Europe/Oslo")), spring, spring)
            .unwrap()
            .due;
        assert!(jump > spring && jump < at("2027-03-30T00:00:00Z"), "{jump}");
    }

    #[test]
    fn what_is_no_schedule_or_never_comes_is_refused_and_names_the_field() {
        let now = at("2026-11-23T08:30:00Z");
        for (schedule, text) in [
            (cron("0 0 31 2 *", None), "schedule.cron: never comes"),
            (
                cron("0 0 30 2 *", Some("Asia/Tokyo")),
                "schedule.cron: never comes",
            ),
            (cron("61 * * * *", None), "schedule.cron: must be five fields"),
            (cron("* * * * * *", None), "schedule.cron: must be five fields"),
            (cron("", None), "schedule.cron: must be five fields"),
            (cron("tomorrow", None), "schedule.cron: must be five fields"),
            (
                cron("* * * * *", Some("Mars/Olympus")),
                "schedule.timezone: is no",
            ),
        ] {
            let refusal = next(&schedule, now, now).unwrap_err().message;
            assert!(refusal.starts_with(text), "{schedule:?}: {refusal}");
        }
    }

    #[test]
    fn equal_steps_do_not_drift_and_missed_ones_are_left_out() {
        let schedule = MonitorSchedule {
            every: Some(60),
            ..MonitorSchedule::default()
        };
        let slot = at("2026-11-23T08:30:00Z");
        let soon = next(&schedule, slot, slot + SignedDuration::from_secs(7))
            .unwrap()
            .due;
        assert_eq!(soon, slot + SignedDuration::from_secs(60));
        let late = slot + SignedDuration::from_hours(5);
        assert_eq!(
            next(&schedule, slot, late).unwrap().due,
            late + SignedDuration::from_secs(60)
        );
    }

    #[test]
    fn checks_are_late_at_random_and_are_as_many_as_without() {
        let schedule = MonitorSchedule {
            every: Some(60),
            jitter: Some(30),
            ..MonitorSchedule::default()
        };
        let begin = at("2026-11-23T08:30:00Z");
        let (mut slot, mut now) = (begin, begin);
        let mut delays = std::collections::BTreeSet::new();
        for number in 1..=100 {
            let check = next(&schedule, slot, now).unwrap();
            assert_eq!(check.slot, begin + SignedDuration::from_secs(60 * number));
            delays.insert(check.due.as_millisecond() - check.slot.as_millisecond());
            (slot, now) = (check.slot, check.due);
        }
        assert!(delays.iter().all(|delay| (0..=30_000).contains(delay)));
        assert!(delays.len() > 1);
    }
}
