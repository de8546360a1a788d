//! Acts on pages, in automations and in plans: what the log has of them, and what the model is shown.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use agents::cancel::{CancelSignal, Cancelled};
use agents::run::{Journal, Run};
use async_trait::async_trait;
use serde_json::{Value, json};
use testkit::{ActionResult, ScriptedBrowser, ScriptedPage, ScriptedProvider, ScriptedTurn, TestSite};
use wire::automate::AutomateEvent;
use wire::run::PlanRequest;
use wire::scrape::ScrapeEvent;
use wire::tabstack::AutomateRequest;
use wire::{Audience, Event, RunId};

use super::research::stand::Stand;

/// A log that takes events over when they have to be in it, and not before.
#[derive(Clone, Default)]
struct SlowLog(Arc<Mutex<(Vec<String>, Vec<String>)>>);

impl SlowLog {
    /// What is in it.
    fn kept(&self) -> Vec<String> {
        self.0.lock().unwrap().1.clone()
    }

    fn settle(&self) {
        let (waiting, kept) = &mut *self.0.lock().unwrap();
        kept.append(waiting);
    }
}

#[async_trait]
impl<E: Event> Journal<E> for SlowLog {
    async fn record(&self, event: E) -> Result<(), Cancelled> {
        let data = serde_json::to_string(&event).unwrap();
        self.0.lock().unwrap().0.push(format!("{} {data}", event.name()));
        Ok(())
    }

    async fn settle(&self) -> Result<(), Cancelled> {
        SlowLog::settle(self);
        Ok(())
    }

    fn turn(&self, _: String) {}
}

/// A browser of pages that notes what the log has when something is clicked.
fn browser(pages: Vec<ScriptedPage>, log: &SlowLog) -> (ScriptedBrowser, Arc<Mutex<Vec<String>>>) {
    let (log, seen) = (log.clone(), Arc::new(Mutex::new(Vec::new())));
    let noted = Arc::clone(&seen);
    let browser = ScriptedBrowser::new(pages, move |_, action| {
        if matches!(action, browser::Action::Click { .. }) {
            noted.lock().unwrap().extend(log.kept());
        }
        ActionResult::Nothing
    });
    (browser, seen)
}

fn page(view: &'static str) -> ScriptedPage {
    ScriptedPage {
        url: "https://shop.example/",
        title: "Shop",
        view,
    }
}

async fn stand(turns: Vec<ScriptedTurn>, browser: ScriptedBrowser) -> Stand {
    let plan = json!({"successCriteria": "it is ordered", "plan": "order it"});
    let verdict = json!({"taskAssessment": "done", "completionQuality": "complete", "feedback": ""});
    let turns = [ScriptedTurn::json(&plan)].into_iter().chain(turns).chain([
        ScriptedTurn::call("done", json!({"result": "ordered"})),
        ScriptedTurn::json(&verdict),
    ]);
    let provider = ScriptedProvider::saying(turns).await;
    let mut stand = Stand::with(TestSite::of_pages(&[]).await, provider);
    stand.services.browser = Arc::new(browser);
    stand
}

/// Runs an automation to its end; its events.
async fn automate(stand: &Stand, log: &SlowLog, data: Option<Value>) -> Vec<String> {
    let run: Run<AutomateEvent> = Run::new(
        Arc::new(log.clone()),
        CancelSignal::after(Duration::from_secs(600)),
    );
    let request = AutomateRequest {
        url: Some("https://shop.example/".to_owned()),
        data,
        ..AutomateRequest::new("order it")
    };
    let id = RunId::from_random([7; 16]);
    agents::automate::run(&run, &id, &request, &stand.services, Audience::Verbose, &[], None)
        .await
        .unwrap();
    log.kept()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_click_is_in_the_log_before_it_is_done() {
    let log = SlowLog::default();
    let (browser, seen) = browser(vec![page("button \"Place order\" E1")], &log);
    let click = ScriptedTurn::call("click", json!({"ref": "E1"}));
    let stand = stand(vec![click], browser).await;
    automate(&stand, &log, None).await;
    let seen = seen.lock().unwrap();
    let last = seen.last().expect("it was clicked");
    assert!(last.starts_with("browser:action_started"), "{seen:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_of_a_plan_that_acts_is_in_the_log_before_it_does() {
    let log = SlowLog::default();
    let (browser, seen) = browser(vec![page("button \"Place order\" E1")], &log);
    let stand = stand(Vec::new(), browser).await;
    let run: Run<ScrapeEvent> = Run::new(
        Arc::new(log.clone()),
        CancelSignal::after(Duration::from_secs(600)),
    );
    let request: PlanRequest = serde_json::from_value(json!({
        "plan": {"plan": [{"tool": "navigation.click_by_text", "parameters": {"text": "Place order", "wait_after_ms": 0}}]},
        "url": "https://shop.example/",
    }))
    .unwrap();
    let id = RunId::from_random([7; 16]);
    agents::plan::run(&run, &id, &request, &stand.services, &[])
        .await
        .unwrap();
    let seen = seen.lock().unwrap();
    let last = seen.last().expect("it was clicked");
    assert!(
        last.contains("navigation.click_by_text") && last.contains("running"),
        "{seen:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_shows_a_value_in_any_form_or_a_filled_field_gives_the_model_no_picture() {
    let picture = || ScriptedTurn::call("screenshot", json!({}));
    let fill = ScriptedTurn::call("fill_user_data", json!({"ref": "E1", "key": "card"}));
    let field = "textbox \"Number\" E1";
    for (view, turns, card, is_shown) in [
        ("text \"Thank you\"", vec![picture()], "4111111111111111", true),
        (
            "text \"Card 4111 1111 1111 1111\"",
            vec![picture()],
            "4111111111111111",
            false,
        ),
        (field, vec![picture()], "123", true),
        (field, vec![fill, picture()], "123", false),
    ] {
        let log = SlowLog::default();
        let (browser, _) = browser(vec![page(view)], &log);
        let stand = stand(turns, browser).await;
        let events = automate(&stand, &log, Some(json!({"card": card}))).await;
        let taken = events
            .iter()
            .any(|event| event.starts_with("browser:screenshot_captured"));
        assert_eq!(taken, is_shown, "{view}: {events:#?}");
        let sent = stand.provider.seen().into_iter();
        let shown = sent.filter(|exchange| exchange.body.to_string().contains("image/png"));
        assert_eq!(shown.count() > 0, is_shown, "{view}");
    }
}
