//! The scenarios: what is asked for, what the model says, and on what.

use std::time::Duration;

use browser::{Action, BrowserEvent};
use llm::FinishReason;
use serde_json::json;
use testkit::{
    ActionResult, ProviderAnswer as SiteReply, ScriptedBrowser, ScriptedPage, ScriptedTurn, SiteReply as Page,
};
use wire::Audience;

use super::{Row, row};
use crate::automate::{done, plan, verdict};

fn click(target: &str) -> ScriptedTurn {
    ScriptedTurn::call("click", json!({"ref": target}))
}

fn failing(status: u16) -> SiteReply {
    let body = json!({"error": {"message": "no", "type": "error"}});
    SiteReply::Raw(Page::bytes("application/json", body.to_string()).status(status))
}

/// Where scripted browsers start.
pub(super) const START: &str = "https://app.example/";

fn scene(url: &'static str, title: &'static str, view: &'static str) -> ScriptedPage {
    ScriptedPage { url, title, view }
}

/// A page whose button opens something, and the page afterwards.
fn opening(came: fn(usize, &Action) -> ActionResult, then: &'static str) -> ScriptedBrowser {
    let scenes = [
        scene(START, "App", "button \"Go\" E1\ntext \"ready\""),
        scene(START, "App", then),
    ];
    ScriptedBrowser::new(scenes, came)
}

/// Every scenario.
pub(super) fn rows() -> Vec<Row> {
    let good = || done("Kettle K1 costs 12.50 EUR");
    let reply = |said: ScriptedTurn| SiteReply::from(said);
    vec![
        row("success", [plan(), click("E1"), good(), verdict("complete")]),
        row(
            "rejected_answer",
            [
                plan(),
                done("cheap"),
                verdict("partial"),
                click("E1"),
                good(),
                verdict("excellent"),
            ],
        ),
        row(
            "no_answer_accepted",
            [
                plan(),
                done("cheap"),
                verdict("failed"),
                done("very cheap"),
                verdict("partial"),
            ],
        )
        .asking(json!({"task": "What does Kettle K1 cost?", "maxValidationAttempts": 2})),
        row(
            "no_verdict",
            [
                reply(plan()),
                good().into(),
                failing(500),
                good().into(),
                verdict("complete").into(),
            ],
        ),
        row(
            "abort",
            [
                plan(),
                ScriptedTurn::call("abort", json!({"reason": "there is no such kettle"})),
            ],
        ),
        row(
            "repetition",
            [
                plan(),
                click("E2"),
                click("E2"),
                click("E2"),
                click("E2"),
                click("E2"),
            ],
        ),
        row(
            "iteration_limit",
            [plan(), click("E1"), ScriptedTurn::call("back", json!({}))],
        )
        .asking(json!({"task": "What does Kettle K1 cost?", "maxIterations": 2})),
        // A turn of the script costs 15 tokens.
        row("budget_spent", [plan(), click("E1")]).spending(25),
        row(
            "error_limit",
            [
                plan(),
                click("E91"),
                click("E92"),
                click("E93"),
                click("E94"),
                click("E95"),
            ],
        ),
        row("bad_start_page", [plan()]).at("http://127.0.0.1:1/"),
        row(
            "missing_start_page",
            [
                plan(),
                ScriptedTurn::call("abort", json!({"reason": "there is no page"})),
            ],
        )
        .at("/gone"),
        row("planning_failure", [failing(500), failing(500), failing(500)]),
        row("unauthorized", [failing(401)]),
        row(
            "unauthorized_later",
            [reply(plan()), click("E1").into(), failing(401)],
        ),
        row(
            "provider_fails_once",
            [
                reply(plan()),
                failing(500),
                click("E1").into(),
                good().into(),
                verdict("complete").into(),
            ],
        ),
        row(
            "provider_is_silent",
            [
                reply(plan()),
                SiteReply::Bent(ScriptedTurn::text("hm"), |it| it.cut_after(0).never_ending()),
                good().into(),
                verdict("complete").into(),
            ],
        )
        .waiting(Duration::from_secs(5)),
        row(
            "malformed_call",
            [
                reply(plan()),
                SiteReply::Bent(click("E1"), |_| Page::bytes("text/event-stream", MALFORMED)),
                ScriptedTurn::call("fly", json!({"to": "the moon"})).into(),
                ScriptedTurn::call("fill", json!({"value": "x"})).into(),
                click("E1").into(),
                good().into(),
                verdict("complete").into(),
            ],
        ),
        row(
            "truncated_call",
            [
                reply(plan()),
                SiteReply::Bent(click("E1"), |_| Page::bytes("text/event-stream", TRUNCATED)),
                click("E1").into(),
                good().into(),
                verdict("complete").into(),
            ],
        ),
        row(
            "no_call",
            [
                plan(),
                ScriptedTurn::text("I will look."),
                good(),
                verdict("complete"),
            ],
        ),
        row(
            "several_calls",
            [
                plan(),
                ScriptedTurn::call("fill", json!({"ref": "E3", "value": "shop@example.org"}))
                    .and_call("select", json!({"ref": "E4", "value": ["Peru"]}))
                    .and_call("click", json!({"ref": "E5"}))
                    .and_call("click", json!({"ref": "E1"})),
                done("ordered"),
                verdict("complete"),
            ],
        ),
        row(
            "extraction",
            [
                plan(),
                ScriptedTurn::call("goto", json!({"url": "/k1"})),
                ScriptedTurn::call("extract", json!({"description": "the price"})),
                ScriptedTurn::text("Price: 12.50 EUR"),
                ScriptedTurn::call("search_page", json!({"text": "price"})),
                good(),
                verdict("excellent"),
            ],
        ),
        row(
            "length",
            [
                plan(),
                ScriptedTurn::text("so, the").finishing(FinishReason::Length),
                good(),
                verdict("complete"),
            ],
        ),
        row(
            "dialog",
            [plan(), click("E1"), done("deleted"), verdict("complete")],
        )
        .on(opening(
            |_, _| ActionResult::Note("a dialog asked \"Really?\" and was accepted", 1),
            "button \"Go\" E1\nstatus \"deleted\"",
        )),
        row(
            "new_tab",
            [
                plan(),
                click("E1"),
                ScriptedTurn::call("switch_tab", json!({"tab": 2})),
                done("the terms are long"),
                verdict("complete"),
            ],
        )
        .on(opening(
            |_, action| match action {
                Action::Click { .. } => {
                    ActionResult::Note("tab 2 was opened: Terms, https://app.example/terms", 0)
                }
                _ => ActionResult::Becomes(1),
            },
            "heading \"Terms\"\ntext \"very long\"",
        )),
        row(
            "iframe",
            [
                plan(),
                ScriptedTurn::call("fill", json!({"ref": "E2", "value": "42"})),
                done("filled"),
                verdict("complete"),
            ],
        )
        .on(ScriptedBrowser::new(
            [
                scene(START, "Pay", "iframe \"Payment\"\n  textbox \"Amount\" E2"),
                scene(START, "Pay", "iframe \"Payment\"\n  textbox \"Amount\" E2 =42"),
            ],
            |_, _| ActionResult::Becomes(1),
        )),
        row(
            "shadow_root",
            [
                plan(),
                ScriptedTurn::call("check", json!({"ref": "E3"})),
                done("accepted"),
                verdict("complete"),
            ],
        )
        .on(ScriptedBrowser::new(
            [
                scene(
                    START,
                    "Terms",
                    "group \"terms-box\"\n  checkbox \"Accept terms\" E3",
                ),
                scene(
                    START,
                    "Terms",
                    "group \"terms-box\"\n  checkbox \"Accept terms\" [checked] E3",
                ),
            ],
            |_, _| ActionResult::Becomes(1),
        )),
        row(
            "form_input",
            [
                plan(),
                ScriptedTurn::call(
                    "request_user_data",
                    json!({"description": "delivery", "refs": ["E3", "E4"]}),
                ),
                click("E5"),
                done("ordered"),
                verdict("complete"),
            ],
        )
        .asking(json!({"task": "order", "interactive": true}))
        .answering(
            json!({"fields": [{"ref": "E3", "value": "ada@example.org"}, {"ref": "E4", "value": "Peru"}]}),
        ),
        // Its data hold words that events are made of.
        row(
            "values_like_words",
            [
                plan(),
                ScriptedTurn::call(
                    "request_user_data",
                    json!({"description": "delivery", "refs": ["E3"]}),
                ),
                done("the mail is complete"),
                verdict("complete"),
            ],
        )
        .asking(json!({"task": "order", "interactive": true, "data": {"how": "email", "mark": "complete"}}))
        .answering(json!({"fields": [{"ref": "E3", "value": "ada@example.org"}]})),
        row(
            "form_declined",
            [
                plan(),
                ScriptedTurn::call(
                    "request_user_data",
                    json!({"description": "delivery", "refs": ["E3"]}),
                ),
                ScriptedTurn::call("abort", json!({"reason": "the address was not given"})),
            ],
        )
        .asking(json!({"task": "order", "interactive": true}))
        .answering(json!({"cancelled": true})),
        row(
            "form_again",
            [
                plan(),
                ScriptedTurn::call(
                    "request_user_data",
                    json!({"description": "sign up", "refs": ["E1"]}),
                ),
                done("signed up"),
                verdict("complete"),
            ],
        )
        .asking(json!({"task": "sign up", "interactive": true}))
        .answering(json!({"fields": [{"ref": "E1", "value": "adalovelace"}]}))
        .on(ScriptedBrowser::new(
            [
                scene(START, "Sign up", "textbox \"Name\" [required] E1"),
                scene(
                    START,
                    "Sign up",
                    "textbox \"Name\" [required] [invalid] E1 =adalovelace",
                ),
                scene(START, "Sign up", "textbox \"Name\" [required] E1 =adalovelace"),
            ],
            |at, _| ActionResult::Becomes(at + 1),
        )),
        row(
            "data_by_key",
            [
                plan(),
                ScriptedTurn::call("fill_user_data", json!({"ref": "E3", "key": "mail"})),
                ScriptedTurn::call("fill_user_data", json!({"ref": "E4", "key": "nothing"})),
                ScriptedTurn::call("fill_user_data", json!({"ref": "E4", "key": "land"}))
                    .and_call("click", json!({"ref": "E5"})),
                done("ordered"),
                verdict("complete"),
            ],
        )
        .asking(json!({"task": "order", "data": {"mail": "ada@example.org", "land": "Peru"}})),
        row(
            "page_wanders",
            [plan(), click("E1"), done("nothing"), verdict("complete")],
        )
        .on(ScriptedBrowser::new(
            [
                scene(START, "App", "button \"Go\" E1"),
                scene("https://ads.example.net/", "Win", "link \"You have won\" E9"),
            ],
            |_, _| ActionResult::Later(1),
        )),
        row(
            "page_moves_on",
            [plan(), click("E1"), done("ready"), verdict("complete")],
        )
        .on(ScriptedBrowser::new(
            [
                scene(START, "App", "button \"Go\" E1"),
                scene("https://app.example/ready", "Ready", "heading \"Ready\""),
            ],
            |_, _| ActionResult::Later(1),
        )),
        row(
            "browser_replaced",
            [
                plan(),
                click("E1"),
                click("E1"),
                done("done"),
                verdict("complete"),
            ],
        )
        .on(opening(|_, _| ActionResult::Nothing, "").telling([
            vec![
                BrowserEvent::EndpointCycle {
                    attempt: 1,
                    total: 2,
                    error: "refused",
                },
                BrowserEvent::EndpointConnected { index: 1, total: 2 },
            ],
            vec![],
            vec![],
            vec![BrowserEvent::Reconnected {
                url: START.parse().ok(),
                index: 0,
                total: 2,
            }],
        ])),
        row(
            "endpoint_loss",
            [
                plan(),
                click("E1"),
                click("E6"),
                done("Kettle K1 costs 12.50 EUR"),
                verdict("complete"),
            ],
        )
        .on_endpoints(),
        row(
            "client_leaves",
            [plan(), ScriptedTurn::call("wait", json!({"seconds": 60}))],
        )
        .leaving_at("browser:action_started"),
        row(
            "picture_and_pause",
            [
                plan(),
                ScriptedTurn {
                    reasoning: "a picture helps".into(),
                    ..ScriptedTurn::call("screenshot", json!({}))
                },
                ScriptedTurn::call("wait", json!({"seconds": 0.01})),
                done("seen"),
                verdict("complete"),
            ],
        )
        .on(opening(|_, _| ActionResult::Nothing, "")),
        row(
            "picture_of_values",
            [
                plan(),
                ScriptedTurn::call("fill_user_data", json!({"ref": "E1", "key": "mail"})),
                ScriptedTurn::call("screenshot", json!({})),
                done("filled"),
                verdict("complete"),
            ],
        )
        .asking(json!({"task": "fill it in", "data": {"mail": "ada@example.org"}}))
        .on(ScriptedBrowser::new(
            [
                scene(START, "App", "textbox \"HumanInput\" E1"),
                scene(START, "App", "textbox \"HumanInput\" E1 =ada@example.org"),
            ],
            |_, _| ActionResult::Becomes(1),
        )),
        row(
            "everything_heard",
            [
                reply(plan()),
                ScriptedTurn::call("screenshot", json!({})).into(),
                failing(500),
                done("seen").into(),
                verdict("complete").into(),
            ],
        )
        .on(opening(|_, _| ActionResult::Nothing, ""))
        .heard_by(Audience::Debug),
        row(
            "guardrails",
            [
                plan(),
                click("E5"),
                ScriptedTurn::call("goto", json!({"url": "https://other.example.net/"})),
                ScriptedTurn::call("abort", json!({"reason": "it is not allowed"})),
            ],
        )
        .asking(json!({"task": "look around", "guardrails": "Do not order anything. Stay on this site."})),
    ]
}

const MALFORMED: &str = "data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"m1\",\"type\":\"function\",\"function\":{\"name\":\"click\",\"arguments\":\"{\\\"ref\\\": E1\"}}]}}]}\n\n\
data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n";
const TRUNCATED: &str = "data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"t1\",\"type\":\"function\",\"function\":{\"name\":\"click\",\"arguments\":\"{\\\"ref\\\": \\\"E\"}}]}}]}\n\n\
data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"length\"}]}\n\ndata: [DONE]\n\n";
