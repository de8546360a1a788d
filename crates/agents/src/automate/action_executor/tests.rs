//! Actions over a scripted tab: what is done, what is refused, and what the model reads of it.

use browser::{Browser as _, Profile};
use serde_json::{Value, json};
use testkit::{ActionResult, ScriptedBrowser, ScriptedPage};
use wire::tabstack::AutomateRequest;

use super::*;
use crate::automate::request_grant::grant_of;

const PAGES: [ScriptedPage; 2] = [
    ScriptedPage {
        url: "https://shop.example.com/",
        title: "Shop",
        view: "textbox \"Your name\" E1\nbutton \"Order\" E2\nsearchbox \"Search\" E3",
    },
    ScriptedPage {
        url: "https://evil.test/",
        title: "Elsewhere",
        view: "button \"Go on\" E9",
    },
];

/// Does a call on the shop's page; gives what the model reads, and where the tab is then.
async fn done(
    came: ActionResult,
    tool: &str,
    arguments: Value,
    guardrails: &str,
) -> (Result<String, String>, String) {
    let mut request = AutomateRequest::new("order");
    request.url = Some(PAGES[0].url.to_owned());
    request.guardrails = Some(guardrails.to_owned());
    let browser = ScriptedBrowser::new(PAGES, move |_, _| came.clone());
    let mut tab = browser.open(Profile::default()).await.unwrap();
    tab.goto(&PAGES[0].url.parse().unwrap()).await.unwrap();
    let snapshot = tab.snapshot().await.unwrap();
    let tools = Registry::builtin();
    let call = tools.read_call(tool, arguments.as_object().unwrap()).unwrap();
    let secrets = Secrets::of(Some(&json!({"name": "Ada Lovelace"})));
    let mut executor = ActionExecutor {
        tools: &tools,
        tab: tab.as_mut(),
        grant: &grant_of(&request),
        files: &UploadFiles::default(),
        secrets: &secrets,
        snapshot: &snapshot,
        label: "k1",
    };
    let outcome = executor.execute(&call).await;
    let told = match outcome {
        Ok(outcome) => Ok(outcome.text),
        Err(error) => Err(error.failure().unwrap().model_text().to_owned()),
    };
    (told, tab.url().unwrap().to_string())
}

#[tokio::test]
async fn what_is_allowed_is_done_and_worded_for_the_model() {
    let home = PAGES[0].url.to_owned();
    let fill = json!({"ref": "E1", "value": "Ada"});
    let plain = done(ActionResult::Nothing, "fill", fill, "").await;
    assert_eq!(plain, (Ok("done".to_owned()), home.clone()));
    let key = json!({"ref": "E1", "key": "name"});
    let put = done(ActionResult::Nothing, "fill_user_data", key, "").await;
    assert_eq!(
        put,
        (Ok("done; the value is in the field".to_owned()), home.clone())
    );
    let noted = done(
        ActionResult::Note("Thanks, Ada Lovelace", 0),
        "click",
        json!({"ref": "E2"}),
        "",
    )
    .await;
    assert!(noted.0.unwrap().contains("Thanks, {{name}}"));
}

#[tokio::test]
async fn what_a_rule_forbids_is_not_done() {
    let refused = done(
        ActionResult::To(1),
        "click",
        json!({"ref": "E2"}),
        "Do not buy anything",
    )
    .await;
    let reason = "refused: a rule of the person forbids it: \"Do not buy anything\"";
    assert_eq!(refused, (Err(reason.to_owned()), PAGES[0].url.to_owned()));
}

#[tokio::test]
async fn a_page_that_may_not_be_open_is_left_again() {
    let left = done(ActionResult::To(1), "click", json!({"ref": "E2"}), "").await;
    let reason = "refused: this page is outside of what this run may visit; stay on the sites of the task. The page \
                  before is open again";
    assert_eq!(left, (Err(reason.to_owned()), PAGES[0].url.to_owned()));
}

#[tokio::test]
async fn an_address_with_a_value_in_it_is_refused() {
    let address = json!({"url": "https://shop.example.com/?q=Ada+Lovelace"});
    let refused = done(ActionResult::Nothing, "goto", address, "").await;
    let reason = "refused: values of the person may not stand in an address";
    assert_eq!(refused.0, Err(reason.to_owned()));
}
