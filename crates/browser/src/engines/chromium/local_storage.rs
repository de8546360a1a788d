//! Local storage: from the run to the browser context and back.

use serde_json::json;

use super::cdp::page::{AddScriptToEvaluateOnNewDocument, RemoveScriptToEvaluateOnNewDocument};
use super::failure::TabFailure;
use super::tab::{ChromiumTab, StorageScript};

/// Most characters of an origin's storage that are kept.
const MAX_CHARS: usize = 2_000_000;

impl ChromiumTab {
    /// Has the storage of the run filled into each origin before the first script of its first document runs. The script
    /// runs in a world of its own, which pages do not see.
    pub(super) async fn seed_local_storage(&mut self) -> Result<(), TabFailure> {
        if let Some(script) = self.storage_script.take() {
            let command = RemoveScriptToEvaluateOnNewDocument {
                identifier: &script.identifier,
            };
            self.execute(&script.session, &command).await?;
        }
        if self.pending_origins.is_empty() {
            return Ok(());
        }
        let session = self.session()?;
        let source = format!(
            "(all => {{ try {{ const own = all[location.origin]; if (own && localStorage.length === 0) \
             for (const [key, value] of Object.entries(own)) localStorage.setItem(key, value); }} catch {{ }} }})({})",
            json!(self.pending_origins)
        );
        let command = AddScriptToEvaluateOnNewDocument {
            source: &source,
            run_immediately: false,
            world_name: Some("huntsman_storage"),
        };
        let identifier = self.execute(&session, &command).await?.identifier;
        self.storage_script = Some(StorageScript { session, identifier });
        Ok(())
    }

    /// Reads the storage of the current document's origin into that of the run. What cannot be read stays as it is known.
    pub(super) async fn import_local_storage(&mut self) {
        let Some(storage) = self.profile.storage.clone() else {
            return;
        };
        let Ok(frame) = self.main_frame() else { return };
        let script = format!(
            "(() => {{ try {{ const all = Object.entries(localStorage); \
             const size = all.reduce((sum, [key, value]) => sum + key.length + value.length, 0); \
             return size > {MAX_CHARS} ? ['', []] : [location.origin, all]; }} catch {{ return ['', []]; }} }})()"
        );
        let Ok((origin, items)) = self.run::<(String, Vec<(String, String)>)>(&frame, &script).await else {
            return;
        };
        if !origin.starts_with("http") {
            return;
        }
        storage.set(&origin, items.into_iter().collect());
        // From now on the origin's storage is the page's own: what it removes stays removed.
        if self.pending_origins.remove(&origin).is_some() {
            let _ = self.seed_local_storage().await;
        }
    }
}
