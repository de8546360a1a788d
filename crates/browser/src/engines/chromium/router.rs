//! `EventRouter`: hands the events of one browser to the trackers of the contexts they belong to.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use serde_json::value::RawValue;

use super::cdp::runtime::RunIfWaitingForDebugger;
use super::cdp::target::{AttachedToTarget, DetachFromTarget};
use super::cdp::{BROWSER_SESSION, CdpEvent, Connection, EventHandler};
use super::tracker::ContextTracker;

/// The trackers of one browser, by context and by session.
pub(super) struct EventRouter {
    by_context: Mutex<Trackers>,
    by_session: Mutex<Trackers>,
    /// Gone once the connection has ended.
    connection: Mutex<Option<Connection>>,
}

type Trackers = HashMap<String, Weak<ContextTracker>>;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl EventRouter {
    /// A router that handles the events of this connection as long as it lives.
    pub(super) fn new(connection: &Connection) -> Arc<EventRouter> {
        let router = Arc::new(EventRouter {
            by_context: Mutex::default(),
            by_session: Mutex::default(),
            connection: Mutex::new(Some(connection.clone())),
        });
        let handler: Arc<dyn EventHandler> = router.clone();
        connection.set_handler(Arc::downgrade(&handler));
        router
    }

    pub(super) fn add(&self, context: &str, tracker: &Arc<ContextTracker>) {
        lock(&self.by_context).insert(context.to_owned(), Arc::downgrade(tracker));
    }

    pub(super) fn remove(&self, context: &str) {
        let removed = lock(&self.by_context).remove(context);
        lock(&self.by_session).retain(|_, tracker| {
            let is_removed = removed.as_ref().is_some_and(|removed| removed.ptr_eq(tracker));
            !is_removed && tracker.strong_count() > 0
        });
    }

    /// Contexts whose events are handed on.
    #[cfg(test)]
    pub(super) fn contexts(&self) -> usize {
        lock(&self.by_context).len()
    }

    fn tracker(&self, session: &str) -> Option<Arc<ContextTracker>> {
        lock(&self.by_session).get(session).and_then(Weak::upgrade)
    }

    fn trackers(&self) -> Vec<Arc<ContextTracker>> {
        lock(&self.by_context)
            .values()
            .filter_map(Weak::upgrade)
            .collect()
    }

    fn attached(&self, parent: &str, attached: &AttachedToTarget) {
        let info = &attached.target_info;
        let session = &attached.session_id;
        let tracker = self.tracker(parent).or_else(|| {
            let by_context = lock(&self.by_context);
            by_context.get(&info.browser_context_id).and_then(Weak::upgrade)
        });
        let is_page = parent == BROWSER_SESSION && info.r#type == "page";
        let is_frame = parent != BROWSER_SESSION && info.r#type == "iframe";
        match tracker {
            Some(tracker) if is_page || is_frame => {
                lock(&self.by_session).insert(session.clone(), Arc::downgrade(&tracker));
                tracker.target_attached(parent, attached, is_page);
            }
            // Workers, and pages of no context of ours, go on without being observed. A shared worker that is detached
            // from at once would never begin.
            _ => {
                if let Some(connection) = lock(&self.connection).as_ref() {
                    connection.send(session, &RunIfWaitingForDebugger {});
                    if !info.r#type.ends_with("worker") {
                        connection.send(parent, &DetachFromTarget { session_id: session });
                    }
                }
            }
        }
    }

    fn detached(&self, session: &str) {
        let tracker = lock(&self.by_session).remove(session);
        if let Some(tracker) = tracker.and_then(|tracker| tracker.upgrade()) {
            tracker.target_detached(session);
        }
    }
}

impl EventHandler for EventRouter {
    fn event(&self, session: &str, method: &str, params: &RawValue) {
        let tracker = self.tracker(session);
        let counts_bytes = || {
            tracker
                .as_ref()
                .is_some_and(|tracker| tracker.is_loading_document(session))
        };
        if method == CdpEvent::DATA_RECEIVED && !counts_bytes() {
            return;
        }
        match (CdpEvent::decode(method, params), tracker) {
            (Some(CdpEvent::AttachedToTarget(attached)), _) => self.attached(session, &attached),
            (Some(CdpEvent::DetachedFromTarget(detached)), _) => self.detached(&detached.session_id),
            (Some(event @ (CdpEvent::DownloadWillBegin(_) | CdpEvent::DownloadProgress(_))), None) => {
                // Downloads are reported for the whole browser; each context knows its own.
                for tracker in self.trackers() {
                    tracker.apply_download(&event);
                }
            }
            (Some(event), Some(tracker)) => tracker.apply(session, event),
            _ => {}
        }
    }

    fn disconnected(&self) {
        for tracker in self.trackers() {
            tracker.disconnected();
        }
        lock(&self.connection).take();
    }
}
