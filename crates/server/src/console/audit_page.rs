//! The audit log: who changed tenants and keys and who took runs over, by tenant, action and day; also as JSON lines.

use std::collections::{BTreeSet, VecDeque};

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use minijinja::{Value, context};
use runtime::tenants::audit::AuditLine;
use url::form_urlencoded;

use super::page;
use super::visitor::Visitor;
use crate::app::AppState;
use crate::query::QueryParams;
use crate::response::ApiError;

/// Entries read at once.
const BATCH: usize = 1_000;
/// Entries that a page shows.
const MAX_ROWS: usize = 500;
/// Days that are looked at where none is chosen.
const RECENT: SignedDuration = SignedDuration::from_hours(30 * 24);
/// What is done to the log's subjects.
const ACTIONS: [&str; 8] = [
    "key.create",
    "key.revoke",
    "key.rotate",
    "run.pause",
    "tenant.change",
    "tenant.create",
    "tenant.delete",
    "tenant.export",
];

/// Which entries are wanted.
struct AuditFilter {
    tenant: String,
    action: String,
    day: String,
    from: Timestamp,
    /// The first moment after.
    until: Option<Timestamp>,
    /// The ids of the tenant's keys.
    keys: BTreeSet<String>,
}

impl AuditFilter {
    async fn read(state: &AppState, params: &QueryParams) -> Result<Self, ApiError> {
        let word = |it: &str| (it.len() <= 200).then(|| it.to_owned());
        let tenant = params
            .get("tenant", "the name of a tenant", word)?
            .unwrap_or_default();
        let action = params
            .get("action", "an action such as key.create", word)?
            .unwrap_or_default();
        let day = params.get("day", "a day as YYYY-MM-DD", |it| it.parse::<Date>().ok())?;
        let midnight = |day: Date| day.to_zoned(TimeZone::UTC).ok().map(|at| at.timestamp());
        let from = match day {
            Some(day) => midnight(day).unwrap_or(Timestamp::MIN),
            None => Timestamp::now().saturating_sub(RECENT).unwrap_or(Timestamp::MIN),
        };
        let mut keys = BTreeSet::new();
        if !tenant.is_empty() {
            let own = state.tenants.keys(Some(&tenant)).await?;
            keys.extend(own.into_iter().map(|key| key.id));
        }
        Ok(Self {
            tenant,
            action,
            day: day.map(|day| day.to_string()).unwrap_or_default(),
            from,
            until: day.and_then(|day| midnight(day.tomorrow().ok()?)),
            keys,
        })
    }

    /// Whether a line is wanted. What cannot be read may be wanted, and is never left out for what it may say.
    fn takes(&self, line: &AuditLine) -> bool {
        if line.at().is_some_and(|at| at < self.from) {
            return false;
        }
        let AuditLine::Entry(entry) = line else {
            return true;
        };
        let of_tenant = self.tenant.is_empty()
            || entry.actor.tenant.as_ref() == Some(&self.tenant)
            || entry.subject == self.tenant
            || self.keys.contains(&entry.subject);
        of_tenant && (self.action.is_empty() || entry.action == self.action)
    }

    /// Gives every entry that is wanted to `take`, the oldest first.
    async fn walk(&self, state: &AppState, mut take: impl FnMut(AuditLine)) -> Result<(), ApiError> {
        // Names of entries begin with their time.
        let mut after = format!("{:013}", self.from.as_millisecond().max(0));
        loop {
            let batch = state.tenants.audit_log(&after, BATCH).await?;
            let Some(last) = batch.last() else {
                return Ok(());
            };
            last.id().clone_into(&mut after);
            for line in batch {
                let at = line.at();
                if self.until.zip(at).is_some_and(|(until, at)| at >= until) {
                    return Ok(());
                }
                if self.takes(&line) {
                    take(line);
                }
            }
        }
    }
}

/// `GET /console/audit`.
pub(super) async fn show(State(state): State<AppState>, visitor: Visitor, params: QueryParams) -> Response {
    let shown = async {
        let filter = AuditFilter::read(&state, &params).await?;
        let mut rows: VecDeque<AuditLine> = VecDeque::new();
        let mut is_cut = false;
        let take = |entry| {
            rows.push_front(entry);
            is_cut |= rows.len() > MAX_ROWS;
            rows.truncate(MAX_ROWS);
        };
        filter.walk(&state, take).await?;
        let row = |line: &AuditLine| match line {
            AuditLine::Entry(entry) => context! {
                at => page::time(entry.at), key => &entry.actor.key, tenant => &entry.actor.tenant,
                action => &entry.action, subject => &entry.subject,
            },
            AuditLine::Unreadable { id, error } => context! {
                at => line.at().map(page::time), key => "?", action => *error, subject => id,
            },
        };
        let rows: Vec<Value> = rows.iter().map(row).collect();
        let names = state.tenants.list().await?;
        let tenants: Vec<String> = names.into_iter().map(|tenant| tenant.name).collect();
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in [
            ("tenant", &filter.tenant),
            ("action", &filter.action),
            ("day", &filter.day),
        ] {
            if !value.is_empty() {
                query.append_pair(name, value);
            }
        }
        let with = context! {
            rows, is_cut, tenants, actions => ACTIONS, tenant => filter.tenant, action => filter.action, day => filter.day,
            query => query.finish(),
        };
        Ok(page::render(&visitor, StatusCode::OK, "audit.html", with))
    };
    shown
        .await
        .unwrap_or_else(|error: ApiError| page::refusal(&visitor, error))
}

/// `GET /console/audit.jsonl`: the same entries, all of them, the oldest first.
pub(super) async fn export(State(state): State<AppState>, params: QueryParams) -> Result<Response, ApiError> {
    let filter = AuditFilter::read(&state, &params).await?;
    let mut lines = String::new();
    let take = |line: AuditLine| {
        // Texts and a time are always JSON.
        if let Ok(line) = serde_json::to_string(&line) {
            lines.push_str(&line);
            lines.push('\n');
        }
    };
    filter.walk(&state, take).await?;
    let head = [
        (CONTENT_TYPE, "application/x-ndjson"),
        (CONTENT_DISPOSITION, "attachment; filename=\"audit.jsonl\""),
    ];
    Ok((head, lines).into_response())
}
