//! Usage: what runs and requests used, by tenant, key, kind, model and day.

use agents::services::{Ledger, Spending, TokenBudget};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use serde_json::{Value, json};
use store::owners::{MeteredUsage, UsageAmounts, UsageKey, UsageQuery, UsageTotal};
use wire::Code;
use wire::run::{RunBudget, RunUsage};

use super::registry::{Identity, Tenants};
use crate::csv::text_field;
use crate::error::ServiceError;

/// Most days that one question covers.
const MAX_DAYS: i64 = 366;

/// What a run or request used: `usage` beside models, and the ledger of its models.
pub(crate) fn metered(usage: &RunUsage, ledger: &Ledger) -> Vec<MeteredUsage> {
    metered_with(1, usage, ledger)
}

fn metered_with(runs: u64, usage: &RunUsage, ledger: &Ledger) -> Vec<MeteredUsage> {
    let beside = UsageAmounts {
        runs,
        pages: usage.pages,
        tool_calls: usage.tool_calls,
        ..UsageAmounts::default()
    };
    let of_model = |(model, spent): (String, Spending)| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "costs are positive and far below 2^53"
        )]
        let micro_dollars = spent.micro_dollars.max(0.0).round() as u64;
        MeteredUsage {
            model,
            amounts: UsageAmounts {
                model_calls: spent.answers,
                input_tokens: spent.usage.input,
                output_tokens: spent.usage.output,
                micro_dollars,
                ..UsageAmounts::default()
            },
        }
    };
    let beside = MeteredUsage {
        model: String::new(),
        amounts: beside,
    };
    std::iter::once(beside)
        .chain(ledger.by_model().into_iter().map(of_model))
        .collect()
}

/// A ledger at zero, for a run or request that may spend this.
pub(crate) fn ledger(budget: RunBudget) -> Ledger {
    let RunBudget {
        tokens,
        micro_dollars,
    } = budget;
    Ledger::new(TokenBudget {
        tokens,
        micro_dollars,
    })
}

/// A question about usage, read from texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsagePeriod {
    from: Date,
    to: Date,
}

impl UsagePeriod {
    /// Reads the first and the last day, `2026-01-31`. Where the first is absent, it is that of the month of the last; where the
    /// last is absent, it is today, or the last day of the 366 that begin with the first.
    ///
    /// # Errors
    /// Naming the day that is none, or when they are out of order or more than a year apart.
    pub fn read(from: Option<&str>, to: Option<&str>) -> Result<Self, ServiceError> {
        let wrong = |text: String| ServiceError::new(Code::InvalidRequest, text);
        let day = |name: &str, text: &str| {
            let read = text.parse::<Date>();
            read.map_err(|_| wrong(format!("{name}: must be a day such as 2026-01-31")))
        };
        let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
        let (from, to) = match (from, to) {
            (None, None) => (today.first_of_month(), today),
            (None, Some(to)) => {
                let to = day("to", to)?;
                (to.first_of_month(), to)
            }
            (Some(from), None) => {
                let from = day("from", from)?;
                let last = from.saturating_add(Span::new().days(MAX_DAYS - 1));
                (from, today.clamp(from, last))
            }
            (Some(from), Some(to)) => (day("from", from)?, day("to", to)?),
        };
        let days = from.duration_until(to).as_hours() / 24;
        if days < 0 {
            return Err(wrong("from: must not be after `to`".to_owned()));
        }
        if days >= MAX_DAYS {
            return Err(wrong(format!(
                "from: must be at most {} days before `to`",
                MAX_DAYS - 1
            )));
        }
        Ok(Self { from, to })
    }
}

impl UsagePeriod {
    /// The first day.
    pub fn first_day(&self) -> Date {
        self.from
    }

    /// The last day.
    pub fn last_day(&self) -> Date {
        self.to
    }

    /// Every day that usage is counted on.
    pub(super) fn all() -> Self {
        Self {
            from: jiff::civil::date(2000, 1, 1),
            to: jiff::civil::date(9999, 12, 31),
        }
    }
}

/// The names of the columns, in their order.
const COLUMNS: [&str; 12] = [
    "tenant",
    "day",
    "key",
    "kind",
    "model",
    "runs",
    "pages",
    "tool_calls",
    "model_calls",
    "input_tokens",
    "output_tokens",
    "dollars",
];

fn texts(key: &UsageKey) -> [String; 5] {
    [
        key.owner.clone(),
        key.day.to_string(),
        key.key.clone(),
        key.kind.clone(),
        key.model.clone(),
    ]
}

/// Millionths of a dollar as dollars, exactly.
fn dollars(micro: u64) -> String {
    format!("{}.{:06}", micro / 1_000_000, micro % 1_000_000)
}

/// Totals as CSV with a head (RFC 4180). A text that a spreadsheet would take for a formula begins with an apostrophe.
pub fn csv(totals: &[UsageTotal]) -> String {
    let line = |total: &UsageTotal| {
        let [runs, pages, tools, calls, input, output, micro] = total.amounts.as_array();
        let amounts = [runs, pages, tools, calls, input, output].map(|amount| amount.to_string());
        let texts = texts(&total.key).map(|text| text_field(&text));
        let all: Vec<String> = texts.into_iter().chain(amounts).chain([dollars(micro)]).collect();
        format!("{}\r\n", all.join(","))
    };
    let head = format!("{}\r\n", COLUMNS.join(","));
    totals.iter().map(line).fold(head, |text, line| text + &line)
}

/// Totals as JSON: `{"usage": [{...}]}`; dollars are decimal texts.
pub fn json(totals: &[UsageTotal]) -> Value {
    let row = |total: &UsageTotal| {
        let [runs, pages, tools, calls, input, output, micro] = total.amounts.as_array();
        let amounts = [runs, pages, tools, calls, input, output].map(Value::from);
        let texts = texts(&total.key).map(Value::from);
        let values = texts.into_iter().chain(amounts).chain([dollars(micro).into()]);
        let named = COLUMNS.iter().map(|name| (*name).to_owned()).zip(values);
        Value::Object(named.collect())
    };
    json!({"usage": totals.iter().map(row).collect::<Vec<_>>()})
}

impl Tenants {
    /// The usage of a tenant, or of all.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn usage(
        &self,
        tenant: Option<&str>,
        period: &UsagePeriod,
    ) -> Result<Vec<UsageTotal>, ServiceError> {
        let query = UsageQuery {
            owner: tenant.map(str::to_owned),
            from: period.from,
            to: period.to,
        };
        Ok(self.store().owners.usage(query).await?)
    }

    /// Begins to meter work that is done while the client waits, as `kind`.
    pub fn meter(&self, identity: Option<&Identity>, kind: &'static str, budget: RunBudget) -> RequestMeter {
        RequestMeter {
            tenants: self.clone(),
            owner: identity.map_or_else(String::new, |identity| identity.tenant.name.clone()),
            key: identity.map_or_else(String::new, |identity| identity.key.id.clone()),
            kind,
            runs: 1,
            usage: RunUsage::default(),
            ledger: ledger(budget),
        }
    }
}

/// Meters one request; what it used is added when this is dropped, however the request ended.
pub struct RequestMeter {
    tenants: Tenants,
    owner: String,
    key: String,
    kind: &'static str,
    /// As how many runs it counts.
    runs: u64,
    usage: RunUsage,
    ledger: Ledger,
}

impl RequestMeter {
    /// The ledger of the request's models.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Counts no run: what is metered belongs to a run that is counted itself.
    pub(crate) fn within_a_run(&mut self) {
        self.runs = 0;
    }

    /// Counts a page.
    pub fn page(&mut self) {
        self.usage.pages += 1;
    }

    /// Counts a tool call.
    pub fn tool_call(&mut self) {
        self.usage.tool_calls += 1;
    }
}

impl Drop for RequestMeter {
    fn drop(&mut self) {
        let Ok(handle) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let day = Timestamp::now().to_zoned(TimeZone::UTC).date();
        let total = |used: MeteredUsage| UsageTotal {
            key: UsageKey {
                owner: self.owner.clone(),
                day,
                key: self.key.clone(),
                kind: self.kind.to_owned(),
                model: used.model,
            },
            amounts: used.amounts,
        };
        let used: Vec<UsageTotal> = metered_with(self.runs, &self.usage, &self.ledger)
            .into_iter()
            .filter(|used| used.amounts != UsageAmounts::default())
            .map(total)
            .collect();
        let tenants = self.tenants.clone();
        handle.spawn(async move {
            if let Err(error) = tenants.store().owners.add_usage(used).await {
                tracing::error!(%error, "the usage of a request could not be added");
            }
        });
    }
}
