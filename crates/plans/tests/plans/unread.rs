//! What a verdict says of the part of a list that was not read.

use plans::triggers::{InstructionFacts, PlanTarget};
use plans::{Conditions, PlanReport, SilentObserver, ToolPlan, VerdictStatus};
use serde_json::json;
use tools::{Grant, Registry, ToolContext};
use url::Url;

use crate::shop_plans;

/// Reads two of the five pages of a list.
async fn two_pages(wants_all: bool) -> PlanReport {
    let site = testkit::shop::start().await;
    let plan = json!({"plan": [
        {"tool": "navigation.pagination", "parameters": {"max_pages": 2}},
        {"tool": "extraction.products_generic", "parameters": {}}
    ], "expected_output": "products"});
    let registry = Registry::builtin();
    let plan = ToolPlan::from_value(&plan).unwrap();
    let mut checked = plans::check(&plan, &registry, &Conditions::all()).unwrap();
    checked.wants_all = wants_all;
    let mut context = ToolContext::new(shop_plans::services(), Grant::default());
    let start = Url::parse(&site.url("/pages/next")).unwrap();
    context.goto(&start).await.unwrap();
    plans::execute(&checked, &registry, &mut context, &mut SilentObserver).await
}

#[tokio::test]
async fn a_list_that_goes_on_is_an_issue_where_all_of_it_is_wanted() {
    let report = two_pages(true).await;
    assert_eq!(report.verdict.status, VerdictStatus::Partial);
    let issues = &report.verdict.issues;
    assert!(
        issues.len() == 1
            && issues[0].starts_with("2 pages of the list were read")
            && issues[0].contains("page=3"),
        "{issues:?}"
    );
    // Who asks for two pages has them.
    let report = two_pages(false).await;
    assert_eq!(report.verdict.issues, Vec::<String>::new());
}

#[test]
fn rows_beyond_the_first_page_are_missed_where_they_are_asked_for() {
    let facts = |instruction: &str| InstructionFacts::read(instruction, PlanTarget::default());
    // The rows of the page, whether the list may have more that fit, and whether those are wanted.
    for (instruction, rows, may_have_more, wants_more) in [
        ("first 12 products", 5, true, true),
        ("first 5 products", 5, false, false),
        ("search for kettle, name and price", 5, true, false),
        ("all products, scroll to the end", 20, true, true),
        ("scroll 3 times, products", 20, false, false),
        ("all products of all pages", 5, false, false),
        ("all products on this page", 5, false, false),
    ] {
        let facts = facts(instruction);
        assert_eq!(facts.may_have_more(rows), may_have_more, "{instruction}");
        assert_eq!(facts.wants_more_pages(rows), wants_more, "{instruction}");
    }
    for (instruction, all) in [
        ("all products of all pages", true),
        ("alle Produkte aller Seiten", true),
        ("all products, scroll to the end", true),
        ("products of the first 3 pages", false),
        ("scroll 3 times, products", false),
        ("all products on this page", false),
        ("products under 20 EUR", false),
    ] {
        assert_eq!(facts(instruction).wants_all(), all, "{instruction}");
    }
}

#[test]
fn pages_that_are_gone_through_have_rows_to_read() {
    let made = plans::triggers::make_plan(
        "12 pages, name",
        PlanTarget::default(),
        &Registry::builtin(),
        &Conditions::all(),
    )
    .unwrap();
    let tools: Vec<&str> = made.checked.steps().iter().map(|step| step.tool()).collect();
    assert_eq!(tools, ["navigation.pagination", "extract.records"]);
    assert_eq!(made.checked.expected_output(), Some("rows"));
}

#[test]
fn a_click_that_a_run_may_not_do_is_told() {
    let reading = Conditions {
        grant: Grant::reading([&Url::parse("https://shop.example/").unwrap()]),
        ..Conditions::all()
    };
    let instruction = "click \"Specifications\", then the tables";
    let made = plans::triggers::make_plan(instruction, PlanTarget::default(), &Registry::builtin(), &reading)
        .unwrap();
    assert_eq!(made.checked.not_understood, ["click \"Specifications\""]);
    let alone = InstructionFacts::read("click Specifications", PlanTarget::default());
    assert_eq!(alone.wishes(), ["click \"Specifications\""]);
}

#[test]
fn pages_from_the_middle_of_a_list_are_told_and_those_from_its_start_are_counted() {
    let facts = |instruction: &str| InstructionFacts::read(instruction, PlanTarget::default());
    for (instruction, pages, told) in [
        ("products, only pages 2 and 3", None, Some("only pages 2 and 3")),
        ("products of pages 1 to 3", Some(3), None),
        ("Produkte der Seiten 1 bis 3", Some(3), None),
        ("products of the first 3 pages", Some(3), None),
    ] {
        let facts = facts(instruction);
        assert_eq!(facts.pages, pages, "{instruction}");
        assert_eq!(
            facts.not_understood.first().map(String::as_str),
            told,
            "{instruction}"
        );
        assert!(
            facts.conditions.is_empty(),
            "{instruction}: {:?}",
            facts.conditions
        );
    }
}
