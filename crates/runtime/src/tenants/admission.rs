//! Admission of requests and runs: rates, budgets of the day and the month, stored bytes.

use std::time::{Duration, Instant};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{ToSpan as _, Zoned};
use store::jobs::Admission;
use store::owners::{UsageAmounts, UsageQuery};
use wire::Code;
use wire::run::RunBudget;
use wire::tenancy::TenantLimits;

use super::known_usage::{KnownUsage, Period};
use super::rate_limit::RateState;
use super::records::{Tenant, whole};
use super::registry::{Identity, Tenants};
use crate::error::ServiceError;

/// How long the usage of a month is taken as known, where so much is left of every budget that this time cannot use it up:
/// it is counted when work ends, and reading it takes longer the more keys and models a tenant uses.
const USAGE_KNOWN: Duration = Duration::from_secs(1);
/// Pages, tokens, and millionths of a dollar that the work of such a time, and of a read, cannot use in an installation.
const FAR_OFF: [(&str, u64); 3] = [(PAGES, 20_000), (TOKENS, 20_000_000), (DOLLARS, 200_000_000)];
/// Bytes of a megabyte.
const MEGABYTE: f64 = 1e6;
/// How long it is taken as known how much a tenant stores, where that is less than nine tenths of its limit: counting takes
/// longer the more runs it keeps.
const STORED_KNOWN: Duration = Duration::from_secs(5);
/// Most tenants of which it is known.
const MAX_KNOWN: usize = 10_000;
/// When to come again where only deletion or retention make room.
const ROOM: Duration = Duration::from_secs(3600);

/// What a run of a tenant gets: its place in the queue, and what it may spend.
#[derive(Debug, Clone, Default)]
pub struct AdmittedRun {
    /// Its place in the queue.
    pub admission: Admission,
    /// What it may spend.
    pub budget: RunBudget,
}

/// A day's or month's limit beside what was used.
struct Budget {
    period: Period,
    /// What is counted, as people call it.
    unit: &'static str,
    used: u64,
    limit: Option<f64>,
    /// How many of what is counted make one unit of the limit.
    scale: f64,
    code: Code,
}

impl Budget {
    /// Whether so much is left that it need not be counted for every request.
    fn is_far_off(&self) -> bool {
        let margin = FAR_OFF.iter().find(|(unit, _)| *unit == self.unit);
        self.left()
            .zip(margin)
            .is_none_or(|(left, (_, margin))| left >= *margin)
    }

    /// What is left, in what is counted.
    fn left(&self) -> Option<u64> {
        let limit = whole(self.limit? * self.scale);
        Some(limit.saturating_sub(self.used))
    }

    fn check(&self) -> Result<(), ServiceError> {
        match (self.left(), self.limit) {
            (Some(0), Some(limit)) => {
                let (unit, name) = (self.unit, self.period.name);
                let text = format!(
                    "this tenant may use {limit} {unit} a {name} and has used them; the next {name} begins in {} s",
                    self.period.ends_in.as_secs()
                );
                Err(ServiceError::new(self.code, text).again_after(self.period.ends_in))
            }
            _ => Ok(()),
        }
    }
}

impl Tenants {
    /// The limits that hold for a tenant.
    pub fn limits(&self, tenant: &Tenant) -> TenantLimits {
        tenant.limits.or(self.defaults())
    }

    /// Counts a request of a tenant; none where no limit holds.
    pub fn take_request(&self, tenant: &Tenant) -> Option<RateState> {
        let limit = self.limits(tenant).requests_per_minute?;
        Some(self.rates().take(&tenant.name, whole(limit), Instant::now()))
    }

    /// Admits a run, or work that is done while the client waits.
    ///
    /// # Errors
    /// When a budget of the tenant is used up or it has stored too much, with the limit and when to come again.
    pub async fn admit(&self, identity: &Identity) -> Result<AdmittedRun, ServiceError> {
        let (tenant, limits) = (&*identity.tenant, self.limits(&identity.tenant));
        self.check_stored(&tenant.name, &limits).await?;
        let budgets = self.budgets(&tenant.name, &limits).await?;
        budgets.iter().flatten().try_for_each(Budget::check)?;
        let least = |unit: &str| {
            let left = budgets.iter().flatten().filter(|budget| budget.unit == unit);
            left.filter_map(Budget::left).min()
        };
        Ok(AdmittedRun {
            budget: RunBudget {
                tokens: least(TOKENS),
                micro_dollars: least(DOLLARS),
            },
            admission: Admission {
                key: Some(identity.key.id.clone()),
                share: Some(self.share_of(tenant)),
                owner_queue_limit: limits
                    .queued
                    .map(|limit| usize::try_from(whole(limit)).unwrap_or(usize::MAX)),
                ..Admission::default()
            },
        })
    }

    async fn check_stored(&self, owner: &str, limits: &TenantLimits) -> Result<(), ServiceError> {
        let Some(limit) = limits.stored_megabytes else {
            return Ok(());
        };
        let most = whole(limit * MEGABYTE);
        if self.had_room(owner, most) {
            return Ok(());
        }
        let stored = self.store().owners.stored_bytes(owner).await?;
        self.note_stored(owner, stored);
        if stored < most {
            return Ok(());
        }
        let text = format!(
            "the runs of this tenant that are kept take its {limit} megabytes; there is room again when old ones are deleted"
        );
        Err(ServiceError::new(Code::RateLimited, text).again_after(ROOM))
    }

    /// Whether the tenant stored much less than it may a moment ago. Of the callers that come when that moment is over one
    /// counts anew, and the others go on with what is known: all at once would count the same.
    fn had_room(&self, owner: &str, most: u64) -> bool {
        let mut known = self.known_stored();
        let Some((at, stored)) = known.get_mut(owner) else {
            return false;
        };
        if *stored >= most / 10 * 9 {
            return false;
        }
        let is_recent = at.elapsed() < STORED_KNOWN;
        if !is_recent {
            *at = Instant::now();
        }
        is_recent
    }

    fn note_stored(&self, owner: &str, stored: u64) {
        let mut known = self.known_stored();
        if known.len() >= MAX_KNOWN {
            known.clear();
        }
        known.insert(owner.to_owned(), (Instant::now(), stored));
    }

    /// What was used of each budget; none where no budget is set.
    async fn budgets(&self, owner: &str, limits: &TenantLimits) -> Result<Option<[Budget; 6]>, ServiceError> {
        let TenantLimits {
            pages_per_day,
            pages_per_month,
            tokens_per_day,
            tokens_per_month,
            dollars_per_day,
            dollars_per_month,
            ..
        } = *limits;
        let daily = [pages_per_day, tokens_per_day, dollars_per_day];
        let monthly = [pages_per_month, tokens_per_month, dollars_per_month];
        if daily.iter().chain(&monthly).all(Option::is_none) {
            return Ok(None);
        }
        let now = self.now().to_zoned(TimeZone::UTC);
        let known = self.recent_usage(owner, now.date());
        let budgets = |period: Period, [pages, tokens, dollars]: [Option<f64>; 3]| {
            let budget = |unit, used, limit, scale, code| Budget {
                period,
                unit,
                used,
                limit,
                scale,
                code,
            };
            let used = &period.used;
            let all_tokens = used.input_tokens.saturating_add(used.output_tokens);
            [
                budget(PAGES, used.pages, pages, 1.0, Code::RateLimited),
                budget(TOKENS, all_tokens, tokens, 1.0, Code::RateLimited),
                budget(DOLLARS, used.micro_dollars, dollars, 1e6, Code::SpendingLimit),
            ]
        };
        let of_periods = |[day, month]: [Period; 2]| {
            let ([a, b, c], [d, e, f]) = (budgets(day, daily), budgets(month, monthly));
            [a, b, c, d, e, f]
        };
        if let Some(known) = known {
            let all = of_periods(known.periods);
            if all.iter().all(Budget::is_far_off) {
                return Ok(Some(all));
            }
        }
        let read_at = Instant::now();
        let periods = self.periods(owner, &now).await?;
        let known = KnownUsage {
            read_at,
            day: now.date(),
            periods,
        };
        self.note_usage(owner, known);
        Ok(Some(of_periods(periods)))
    }

    /// What was used as of a moment ago; none for the one caller that reads it anew when that moment is over.
    fn recent_usage(&self, owner: &str, day: Date) -> Option<KnownUsage> {
        let mut all = self.known_usage();
        let known = all.get_mut(owner).filter(|known| known.day == day)?;
        if known.read_at.elapsed() < USAGE_KNOWN {
            return Some(*known);
        }
        known.read_at = Instant::now();
        None
    }

    fn note_usage(&self, owner: &str, known: KnownUsage) {
        let mut all = self.known_usage();
        if all.len() >= MAX_KNOWN {
            all.clear();
        }
        all.insert(owner.to_owned(), known);
    }

    /// What was used today and in this month.
    pub(super) async fn periods(&self, owner: &str, now: &Zoned) -> Result<[Period; 2], ServiceError> {
        let today = now.date();
        let query = UsageQuery {
            owner: Some(owner.to_owned()),
            from: today.first_of_month(),
            to: today,
        };
        let (mut day, mut month) = (UsageAmounts::default(), UsageAmounts::default());
        for total in self.store().owners.usage(query).await? {
            month.add(&total.amounts);
            if total.key.day == today {
                day.add(&total.amounts);
            }
        }
        let until = |next: Option<Date>| {
            let next = next.and_then(|date| date.to_zoned(TimeZone::UTC).ok());
            let seconds = next.map_or(0, |next| {
                next.timestamp().as_second() - now.timestamp().as_second()
            });
            Duration::from_secs(u64::try_from(seconds).unwrap_or(0).max(1))
        };
        let next_month = today.first_of_month().checked_add(1.month()).ok();
        Ok([
            Period {
                name: "day",
                used: day,
                ends_in: until(today.tomorrow().ok()),
            },
            Period {
                name: "month",
                used: month,
                ends_in: until(next_month),
            },
        ])
    }
}

const PAGES: &str = "pages";
const TOKENS: &str = "tokens";
const DOLLARS: &str = "US dollars";
