//! Deletion and export of a tenant: everything that is its own, and nothing else.

use jiff::Timestamp;
use serde_json::{Value, json};
use store::jobs::{JobQuery, JobSummary};
use store::vault::{RecordKey, RecordKind};
use wire::run::RunStatus;
use wire::{LogEntry, RunId};

use super::audit::Actor;
use super::records::{self, TRIES, Tenant, busy, unknown};
use super::registry::Tenants;
use super::usage::{self, UsagePeriod};
use crate::error::ServiceError;
use crate::memory::Memories;
use crate::run_list;
use crate::service::CANCELLED;

/// Runs that are looked at at once.
const BATCH: usize = 200;

/// A run of an export, and so the place where the export goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedRun {
    /// The run.
    pub id: RunId,
    /// When it was put in the queue.
    created_at: Timestamp,
}

impl Tenants {
    /// Deletes a tenant: its keys stop working at once and its runs are cancelled. When they have ended, its runs,
    /// profiles, secrets, keys and usage are deleted; true when that was done. What is said of it in the audit log stays.
    ///
    /// # Errors
    /// When there is no such tenant, or the store fails.
    pub async fn delete(&self, actor: &Actor, name: &str) -> Result<bool, ServiceError> {
        let mut marked = false;
        for _ in 0..TRIES {
            let found = records::tenant(self.store(), name).await?;
            let (mut tenant, revision) = found.ok_or_else(|| unknown("tenant", name))?;
            if tenant.deleting {
                marked = true;
                break;
            }
            tenant.deleting = true;
            if records::put_tenant(self.store(), &tenant, revision)
                .await?
                .is_some()
            {
                self.forget_cached();
                self.audit(actor, "tenant.delete", name).await?;
                marked = true;
                break;
            }
        }
        if marked {
            self.finish_deletion(name).await
        } else {
            Err(busy())
        }
    }

    /// Goes on with deletions whose runs had not ended. Returns how many are done now.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn finish_deletions(&self) -> Result<usize, ServiceError> {
        let mut done = 0;
        for tenant in self.list().await?.iter().filter(|tenant| tenant.deleting) {
            done += usize::from(self.finish_deletion(&tenant.name).await?);
        }
        Ok(done)
    }

    async fn finish_deletion(&self, name: &str) -> Result<bool, ServiceError> {
        let mut open = 0;
        for status in [RunStatus::Queued, RunStatus::Running] {
            let mut before = None;
            loop {
                let query = JobQuery {
                    owner: Some(name.to_owned()),
                    status: Some(status),
                    before: before.take(),
                    limit: BATCH,
                };
                let jobs = self.store().jobs.list(query).await?;
                let Some(last) = jobs.last() else { break };
                before = Some(last.id.clone());
                for job in &jobs {
                    open += usize::from(self.store().jobs.cancel(&job.id, CANCELLED).await?);
                }
            }
        }
        if open > 0 {
            return Ok(false);
        }
        loop {
            let query = JobQuery {
                owner: Some(name.to_owned()),
                status: None,
                before: None,
                limit: BATCH,
            };
            let jobs = self.store().jobs.list(query).await?;
            let mut removed = 0;
            for job in &jobs {
                removed += usize::from(self.runs().remove(&job.id).await?);
            }
            if jobs.is_empty() {
                break;
            }
            if removed == 0 {
                // A run that began while its tenant was marked; it is cancelled with the next try.
                return Ok(false);
            }
        }
        crate::monitors::forget(self.store(), name).await?;
        crate::webhooks::forget(self.store(), name).await?;
        self.forget_logins(name).await?;
        Memories::new(self.store().clone()).erase_all(name).await?;
        if !self.store().owners.forget(name).await? {
            return Ok(false);
        }
        for key in self.keys(Some(name)).await? {
            records::delete_key(self.store(), &key.id).await?;
        }
        records::delete_tenant(self.store(), name).await?;
        self.forget_cached();
        Ok(true)
    }

    /// Deletes the profiles, secrets and webhooks of a tenant, whose keys no longer work and whose runs are gone.
    async fn forget_logins(&self, name: &str) -> Result<(), ServiceError> {
        let vault = &self.store().vault;
        for kind in RecordKind::ALL {
            for record in vault.list(name, kind).await? {
                let key = RecordKey {
                    owner: name.to_owned(),
                    kind,
                    name: record.name,
                };
                vault.delete(&key).await?;
            }
        }
        Ok(())
    }

    /// The first lines of an export: the tenant, its keys without their texts, its usage. Profiles and secrets are not
    /// in it.
    ///
    /// # Errors
    /// When there is no such tenant, or the store fails.
    pub async fn export_head(&self, actor: &Actor, name: &str) -> Result<Vec<Value>, ServiceError> {
        let tenant: Tenant = self.get(name).await?;
        self.audit(actor, "tenant.export", name).await?;
        let mut lines = vec![json!({"tenant": tenant})];
        lines.extend(
            self.keys(Some(name))
                .await?
                .iter()
                .map(|key| json!({"key": key.shown()})),
        );
        let totals = self.usage(Some(name), &UsagePeriod::all()).await?;
        if let Value::Array(rows) = usage::json(&totals)["usage"].take() {
            lines.extend(rows.into_iter().map(|row| json!({"usage": row})));
        }
        Ok(lines)
    }

    /// The run before another one of a tenant, newest first, as a line of an export. The other one may have been deleted since.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn export_run(
        &self,
        name: &str,
        before: Option<&ExportedRun>,
    ) -> Result<Option<(ExportedRun, Value)>, ServiceError> {
        let Some(job) = self.run_before(name, before).await? else {
            return Ok(None);
        };
        let mut run = json!({
            "id": job.id, "kind": job.kind, "status": job.status, "created_at": job.created_at,
            "finished_at": job.finished_at,
        });
        if let Some(whole) = self.store().jobs.get(&job.id).await? {
            run["request"] = json_of(&whole.request);
            run["result"] = json_of(&whole.result.unwrap_or_default());
            run["error"] = json_of(&whole.error.unwrap_or_default());
            run["usage"] = json_of(&whole.usage.unwrap_or_default());
        }
        let exported = ExportedRun {
            id: job.id,
            created_at: job.created_at,
        };
        Ok(Some((exported, json!({"run": run}))))
    }

    async fn run_before(
        &self,
        name: &str,
        before: Option<&ExportedRun>,
    ) -> Result<Option<JobSummary>, ServiceError> {
        let query = |before: Option<RunId>| JobQuery {
            owner: Some(name.to_owned()),
            status: None,
            before,
            limit: 1,
        };
        let jobs = &self.store().jobs;
        let known = jobs.list(query(before.map(|run| run.id.clone()))).await;
        let gone = match (known, before) {
            (Err(store::Error::UnknownRun(_)), Some(gone)) => gone,
            (known, _) => return Ok(known?.pop()),
        };
        let newer = run_list::oldest_after(jobs.as_ref(), Some(name), gone.created_at).await?;
        Ok(jobs.list(query(newer)).await?.pop())
    }

    /// Some events of a run of a tenant after number `after`, as lines of an export, and the number of the last of them; none
    /// when no more are kept. A run may have more events than are to be held at once.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn export_events(
        &self,
        run: &RunId,
        after: u64,
    ) -> Result<Option<(u64, Vec<Value>)>, ServiceError> {
        let after = match after {
            0 => self
                .store()
                .jobs
                .summary(run)
                .await?
                .map_or(0, |job| job.expired_seq),
            after => after,
        };
        let batch = self.store().log.read(run, after, BATCH).await?;
        let Some(last) = batch.last() else {
            return Ok(None);
        };
        let event = |entry: &LogEntry| json!({"event": {"run": run, "seq": entry.seq, "name": entry.name, "data": json_of(&entry.data)}});
        Ok(Some((last.seq, batch.iter().map(event).collect())))
    }
}

/// What a stored text says; null where it is no JSON.
fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}
