//! Placement: what a job asks of the worker that claims it.

use store::jobs::JobNeeds;
use wire::BrowserEngine;
use wire::run::JobRequest;

/// What a job needs, as far as its request shows it: Chromium where it names the engine, or names none and asks for what only
/// Chromium does. A task is done in Chromium where the server that takes the job `acts_in_chromium`.
pub(crate) fn needs(job: &JobRequest, acts_in_chromium: bool) -> JobNeeds {
    let fetch = job.fetch();
    let is_task = matches!(job, JobRequest::Automate(_));
    let chromium = match fetch.engine {
        Some(BrowserEngine::Chromium) => true,
        Some(BrowserEngine::Http) => false,
        Some(BrowserEngine::Auto) => is_task && acts_in_chromium,
        None => fetch.needs_browser().is_some() || (is_task && acts_in_chromium),
    };
    JobNeeds { chromium }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn chromium(kind: &str, fetch: &Value, acts_in_chromium: bool) -> bool {
        let mut request = match kind {
            "automate" => json!({"task": "look"}),
            _ => json!({"assets": ["http://shop.test/"], "instructions": "read"}),
        };
        request["fetch"] = fetch.clone();
        let job = match kind {
            "automate" => JobRequest::Automate(serde_json::from_value(request).unwrap()),
            _ => JobRequest::Scrape(serde_json::from_value(request).unwrap()),
        };
        needs(&job, acts_in_chromium).chromium
    }

    #[test]
    fn a_job_needs_chromium_where_its_request_or_its_task_asks_for_it() {
        let none = json!({});
        let (http, named, auto) = (
            json!({"engine": "http"}),
            json!({"engine": "chromium"}),
            json!({"engine": "auto"}),
        );
        let waits = json!({"wait_for": {"text": "Price"}});
        assert!(!chromium("scrape", &none, true) && !chromium("scrape", &auto, true));
        assert!(chromium("scrape", &named, false) && chromium("scrape", &waits, true));
        assert!(!chromium("scrape", &http, true) && !chromium("automate", &http, true));
        assert!(chromium("automate", &none, true) && chromium("automate", &auto, true));
        assert!(!chromium("automate", &none, false) && chromium("automate", &named, false));
    }
}
