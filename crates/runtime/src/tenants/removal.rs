//! Deletion and export of a tenant: everything that is its own, and nothing else.

use serde_json::{Value, json};
use store::jobs::JobQuery;
use store::vault::{RecordKey, RecordKind};
use wire::run::RunStatus;

use super::audit::Actor;
use super::records::{self, TRIES, Tenant, busy, unknown};
use super::registry::Tenants;
use super::usage::{self, UsagePeriod};
use crate::error::ServiceError;
use crate::memory::Memories;
use crate::service::CANCELLED;

/// Runs that are looked at at once.
const BATCH: usize = 200;

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

    /// The run before another one of a tenant, newest first, as lines of an export: the run, then its events.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn export_run(
        &self,
        name: &str,
        before: Option<wire::RunId>,
    ) -> Result<Option<(wire::RunId, Vec<Value>)>, ServiceError> {
        let query = JobQuery {
            owner: Some(name.to_owned()),
            status: None,
            before,
            limit: 1,
        };
        let Some(job) = self.store().jobs.list(query).await?.pop() else {
            return Ok(None);
        };
        let text = |text: Option<String>| text.and_then(|text| serde_json::from_str::<Value>(&text).ok());
        let mut lines = Vec::new();
        if let Some(whole) = self.store().jobs.get(&job.id).await? {
            lines.push(json!({"run": {
                "id": job.id, "kind": job.kind, "status": job.status, "created_at": job.created_at,
                "finished_at": job.finished_at, "request": text(Some(whole.request)), "result": text(whole.result),
                "error": text(whole.error), "usage": text(whole.usage),
            }}));
        }
        let mut after = job.expired_seq;
        loop {
            let batch = self.store().log.read(&job.id, after, BATCH).await?;
            let Some(last) = batch.last() else { break };
            after = last.seq;
            let event = |entry: &wire::LogEntry| {
                let data = text(Some(entry.data.clone()));
                json!({"event": {"run": job.id, "seq": entry.seq, "name": entry.name, "data": data}})
            };
            lines.extend(batch.iter().map(event));
        }
        Ok(Some((job.id, lines)))
    }
}
