//! Local storage: from the run to the browser context and back.

use serde_json::json;

use super::cdp::page::{AddedScript, RemoveScriptToEvaluateOnNewDocument};
use super::failure::TabFailure;
use super::tab::ChromiumTab;

/// Most characters of an origin's storage that are kept.
const MAX_CHARS: usize = 2_000_000;

impl ChromiumTab {
    /// Has the storage of the run filled into each origin before the first script of its first document runs, in whichever
    /// tab of the context that is.
    pub(super) async fn seed_local_storage(&mut self) -> Result<(), TabFailure> {
        let source = (!self.pending_origins.is_empty()).then(|| {
            format!(
                "(all => {{ try {{ const own = all[location.origin]; if (own && localStorage.length === 0) \
                 for (const [key, value] of Object.entries(own)) localStorage.setItem(key, value); }} catch {{ }} }})({})",
                json!(self.pending_origins)
            )
        });
        let tracker = self.tracker()?.clone();
        for (session, installing) in tracker.replace_storage_script(source) {
            // A tab that is gone has no script any more.
            if let Ok(AddedScript { identifier }) = self.response(&session, installing).await {
                let remove = RemoveScriptToEvaluateOnNewDocument {
                    identifier: &identifier,
                };
                tracker.connection.send(&session, &remove);
            }
        }
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
