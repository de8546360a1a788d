//! Plans over a registry of small tools, where every way can be walked.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;
use tools::Error;
use tools::manifest::{Effects, Manifest};
use tools::registry::{RegisteredTool, Registry, ToolExecutor};
use tools::{Grant, ToolContext, ToolServices};

type Act = fn(&Map<String, Value>, &ToolContext) -> Result<Value, Error>;

/// A tool that does as it is told and remembers that it ran.
struct Fake {
    id: String,
    act: Act,
    ran: Arc<Mutex<Vec<String>>>,
}

#[async_trait]
impl ToolExecutor for Fake {
    async fn run(
        &self,
        parameters: Map<String, Value>,
        context: &mut ToolContext,
        _registry: &Registry,
    ) -> Result<Value, Error> {
        self.ran
            .lock()
            .unwrap()
            .push(format!("{} {}", self.id, Value::Object(parameters.clone())));
        (self.act)(&parameters, context)
    }
}

fn products(parameters: &Map<String, Value>, _: &ToolContext) -> Result<Value, Error> {
    let max = parameters["max_price"].as_f64().unwrap();
    let all = [("Kettle", 99.5), ("Cup", 150.0), ("Stove", 900.0)];
    let fits = all.iter().filter(|(_, price)| *price <= max);
    let products: Vec<Value> = fits
        .map(|(name, price)| json!({"name": name, "price": price, "url": "https://a.example/"}))
        .collect();
    Ok(json!({"products": products}))
}

fn range_check(parameters: &Map<String, Value>, context: &ToolContext) -> Result<Value, Error> {
    let max = parameters["max"].as_f64().unwrap();
    let items = context
        .list(parameters["source"].as_str().unwrap())
        .cloned()
        .unwrap_or_default();
    let within: Vec<Value> = items
        .iter()
        .filter(|it| it["price"].as_f64().is_some_and(|it| it <= max))
        .cloned()
        .collect();
    Ok(json!({"valid": within.len() == items.len(), "checked": items.len(), "items": within}))
}

struct World {
    registry: Registry,
    ran: Arc<Mutex<Vec<String>>>,
}

impl World {
    fn ran(&self) -> Vec<String> {
        self.ran.lock().unwrap().clone()
    }

    fn check(&self, plan: Value) -> Result<CheckedPlan, Issues> {
        check(&ToolPlan::from_value(&plan)?, &self.registry, &Conditions::all())
    }

    fn issues(&self, plan: Value) -> Vec<String> {
        match self.check(plan) {
            Ok(_) => Vec::new(),
            Err(Issues(issues)) => issues
                .into_iter()
                .map(|it| format!("{} {}", it.path, it.code))
                .collect(),
        }
    }

    async fn run(&self, plan: Value) -> PlanReport {
        let plan = self.check(plan).unwrap();
        execute(
            &plan,
            &self.registry,
            &mut ToolContext::new(ToolServices::default(), Grant::default()),
            &mut SilentObserver,
        )
        .await
    }
}

fn world() -> World {
    let ran: Arc<Mutex<Vec<String>>> = Arc::default();
    let list = json!({"type": "object", "properties": {"products": {"type": "array", "items": {"type": "object", "properties": {
        "name": {"type": "string"}, "price": {"type": "number"}, "url": {"type": "string"}}}}}, "required": ["products"]});
    let prices = json!({"max_price": {"type": "number", "description": "Most.", "minimum": 0}, "min_price": {"type": "number", "description": "Least.", "default": 0},
        "fields": {"type": "array", "items": {"type": "string"}, "description": "Fields."}});
    let ok: Act = |_, _| Ok(json!({"success": true, "note": "done"}));
    let plain =
        json!({"type": "object", "properties": {"success": {"type": "boolean"}, "note": {"type": "string"}}});
    let checked = json!({"type": "object", "properties": {"valid": {"type": "boolean"}, "checked": {"type": "integer"}, "items": {"type": "array"}}});
    let tools: Vec<(&str, &str, Value, Value, Effects, Act)> = vec![
        (
            "navigation",
            "scroll_load",
            json!({"times": {"type": "integer", "description": "How often.", "default": 3, "minimum": 1, "maximum": 50},
            "direction": {"type": "string", "enum": ["down", "up"], "default": "down", "description": "Where to."}}),
            plain.clone(),
            Effects::Idempotent,
            ok,
        ),
        (
            "forms",
            "price_filter",
            json!({"max": {"type": "number", "description": "Most."}, "submit": {"type": "boolean", "description": "Send.", "default": true}}),
            plain.clone(),
            Effects::Idempotent,
            ok,
        ),
        (
            "extraction",
            "products_ceneo",
            prices.clone(),
            list.clone(),
            Effects::Read,
            products,
        ),
        (
            "extraction",
            "products_generic",
            prices.clone(),
            list.clone(),
            Effects::Read,
            products,
        ),
        (
            "extraction",
            "broken",
            prices.clone(),
            list.clone(),
            Effects::Read,
            |_, _| Err(Error::NotFound("no shop here".into())),
        ),
        (
            "extraction",
            "lying",
            prices.clone(),
            list.clone(),
            Effects::Read,
            |_, _| Ok(json!({"products": "many"})),
        ),
        (
            "extraction",
            "nothing",
            prices.clone(),
            list.clone(),
            Effects::Read,
            |_, _| Ok(json!({"products": []})),
        ),
        (
            "validation",
            "price_range_check",
            json!({"max": {"type": "number", "description": "Most."}, "min": {"type": "number", "default": 0, "description": "Least."},
            "source": {"type": "string", "default": "products", "description": "List."}, "mode": {"type": "string", "enum": ["filter", "report", "fail"], "default": "filter", "description": "What then."}}),
            checked,
            Effects::Read,
            range_check,
        ),
        (
            "text",
            "echo",
            json!({"text": {"type": "string", "description": "Text."}, "url": {"type": "string", "format": "uri", "description": "Address."}}),
            json!({"type": "object", "properties": {"said": {"type": "string"}}}),
            Effects::Read,
            |parameters, _| Ok(json!({"said": parameters["text"]})),
        ),
        (
            "text",
            "parse",
            json!({"text": {"type": "string", "description": "Text."}}),
            json!({"type": "object", "properties": {"output": {"type": "string"}, "error": {"type": ["string", "null"]}}}),
            Effects::Read,
            |parameters, _| Ok(json!({"output": parameters["text"], "error": "line 1"})),
        ),
        ("forms", "buy", json!({}), plain, Effects::Act, ok),
    ];
    let mut registry = Registry::default();
    for (category, name, properties, output, effects, act) in tools {
        let required: Vec<&str> = ["max_price", "max", "text"]
            .into_iter()
            .filter(|it| properties.get(it).is_some())
            .collect();
        let manifest = json!({"name": name, "version": "1.0.0", "description": "a tool of the tests", "category": category,
            "parameters": {"type": "object", "properties": properties, "required": required}, "output_schema": output,
            "timeout_ms": 1000, "effects": effects});
        let manifest = Manifest::read(&manifest.to_string(), category, name).unwrap();
        let id = manifest.id();
        let work = Fake {
            id: id.clone(),
            act,
            ran: Arc::clone(&ran),
        };
        registry = registry
            .with(RegisteredTool::new(manifest, Arc::new(work)), &id)
            .unwrap();
    }
    World { registry, ran }
}

fn names(report: &PlanReport) -> Vec<&str> {
    report
        .answer
        .iter()
        .flat_map(|it| it.as_array().unwrap())
        .map(|it| it["name"].as_str().unwrap())
        .collect()
}

fn four_steps() -> Value {
    json!({
        "plan": [
            {"tool": "navigation.scroll_load", "parameters": {"times": 6}, "description": "load more"},
            {"tool": "forms.price_filter", "parameters": {"max": 150, "submit": true}},
            {"tool": "extraction.products_ceneo", "parameters": {"max_price": 1000}},
            {"tool": "validation.price_range_check", "parameters": {"min": 0, "max": 150}}
        ],
        "expected_output": "products",
        "fallback": "extraction.products_generic"
    })
}

#[tokio::test]
async fn the_answer_is_what_is_expected_and_not_the_last_object() {
    let world = world();
    let report = world.run(four_steps()).await;
    assert_eq!(names(&report), ["Kettle", "Cup"], "the check filtered the list");
    assert!(!report.used_fallback);
    assert_eq!(
        report.verdict.status,
        VerdictStatus::Passed,
        "{:?}",
        report.verdict
    );
    assert_eq!(world.ran().len(), 4);
    assert_eq!(
        world.ran()[0],
        r#"navigation.scroll_load {"times":6,"direction":"down"}"#
    );
}

#[test]
fn every_issue_is_found_at_once_and_where_it_is() {
    let world = world();
    let plan = json!({"plan": [
        {"id": "a", "tool": "navigation.scrol_load", "parameters": {}},
        {"id": "b", "tool": "forms.price_filter", "parameters": {"max": "cheap", "submitt": true}},
        {"id": "c", "tool": "extraction.products_ceneo", "parameters": {"min_price": 1}},
        {"id": "d", "tool": "navigation.scroll_load", "parameters": {"times": 2.5, "direction": "left"}},
        {"id": "e", "tool": "text.echo", "parameters": {"text": "{{steps.zz.note}}"}},
        {"id": "f", "tool": "text.echo", "parameters": {"text": "x", "url": "ftp://a.example/"}},
        {"id": "g", "tool": "navigation.scroll_load", "parameters": {"times": {"$ref": "steps.c.products"}}},
        {"id": "h", "tool": "text.echo", "parameters": {"text": "{{i.said}}"}},
        {"id": "i", "tool": "text.echo", "parameters": {"text": "{{h.said}}"}},
        {"id": "j", "tool": "text.echo", "parameters": {"text": "y"}, "when": "nowhere"},
    ], "expected_output": "prodcts"});
    assert_eq!(
        world.issues(plan),
        [
            "/plan/0/tool unknown_tool",
            "/plan/1/parameters/max bad_parameter",
            "/plan/1/parameters/submitt unknown_parameter",
            "/plan/2/parameters/max_price missing_parameter",
            "/plan/3/parameters/times bad_parameter",
            "/plan/3/parameters/direction bad_parameter",
            "/plan/4/parameters/text bad_reference",
            "/plan/5/parameters/url bad_parameter",
            "/plan/6/parameters/times bad_reference",
            "/plan/7/parameters/text cycle",
        ]
        .map(str::to_owned)
    );
    assert!(world.ran().is_empty());
    let message = world
        .check(json!([{"tool": "forms.price_filtre", "parameters": {"max": 1}}]))
        .err()
        .unwrap()
        .to_string();
    assert!(message.contains("did you mean forms.price_filter?"), "{message}");
    let message = world
        .check(json!([{"tool": "extraction.products_ceneo", "parameters": {"max_prise": 1}}]))
        .err()
        .unwrap()
        .to_string();
    assert!(message.contains("did you mean `max_price`?"), "{message}");
}

#[test]
fn a_step_whose_output_has_its_own_name_is_told_so() {
    let world = world();
    let step =
        |name: &str| json!({"id": "f", "tool": "text.echo", "save_as": name, "parameters": {"text": "a"}});
    for (plan, part) in [
        (json!([step("f")]), "the id of this step"),
        (json!([step("g"), step("h")]), "an earlier step"),
    ] {
        let told = world.check(plan).err().unwrap().to_string();
        assert!(told.contains(part), "{told}");
    }
}

#[test]
fn what_is_no_plan_is_told_in_one_sentence() {
    let world = world();
    let step = json!({"tool": "forms.buy"});
    for (plan, code) in [
        (json!(5), "not_a_plan"),
        (json!({"plan": {}}), "not_a_plan"),
        (json!({"plan": []}), "not_a_plan"),
        (json!({"plan": vec![step.clone(); 10_000]}), "too_many_steps"),
        (json!([{"tool": "forms.buy", "hook": "eval(1)"}]), "unknown_key"),
        (
            json!([{"tool": "forms.buy", "parameters": "{\"max\": 1}"}]),
            "bad_parameter",
        ),
        (json!([{"tool": "forms.buy", "when": "nowhere"}]), "bad_reference"),
        (
            json!([{"tool": "forms.buy", "when": "__import__('os').system('id')"}]),
            "bad_condition",
        ),
        (json!([{"tool": "../../etc/passwd"}]), "unknown_tool"),
        (
            json!([{"id": "x", "tool": "forms.buy"}, {"id": "x", "tool": "forms.buy"}]),
            "duplicate_id",
        ),
        (json!([{"id": "a/b", "tool": "forms.buy"}]), "bad_plan"),
        (json!([{"tool": "forms.buy", "on_error": "fallback"}]), "bad_plan"),
        (
            json!([{"tool": "text.echo", "parameters": {"text": "${env.SECRET}"}}]),
            "bad_reference",
        ),
        (
            json!([{"tool": "text.echo", "parameters": {"text": {"$ref": "steps.9.output"}}}]),
            "bad_reference",
        ),
    ] {
        let issues = world.issues(plan.clone());
        let told: Vec<&str> = issues.iter().filter_map(|it| it.split(' ').nth(1)).collect();
        assert_eq!(
            told,
            [code],
            "{}",
            plan.to_string().chars().take(200).collect::<String>()
        );
    }
    let text = |text: &str| ToolPlan::read(text).unwrap_err().0[0].code;
    assert_eq!(text(&format!("[{}]", " ".repeat(5 << 20))), IssueCode::TooLarge);
    assert_eq!(
        text(&format!("{}{}", "[".repeat(1000), "]".repeat(1000))),
        IssueCode::TooDeep
    );
    assert_eq!(
        text(r#"[{"tool": "forms.price_filter", "parameters": {"max": 1e999}}]"#),
        IssueCode::NotJson
    );
    assert_eq!(
        text(r#"[{"tool": "forms.price_filter", "parameters": {"max": NaN}}]"#),
        IssueCode::NotJson
    );
    let mut deep = json!(1);
    for _ in 0..100 {
        deep = json!([deep]);
    }
    assert_eq!(
        world.issues(json!([{"tool": "forms.buy", "parameters": {"x": deep}}])),
        ["/ too_deep"]
    );
    assert!(world.ran().is_empty());
}

#[test]
fn parameters_become_what_the_manifest_wants_when_nothing_is_lost() {
    let world = world();
    let plan = world.check(json!([{"tool": "extraction.products_ceneo", "parameters": {"max_price": "150.50", "fields": "name", "min_price": null}},
        {"tool": "navigation.scroll_load", "parameters": {"times": 4.0}}, {"tool": "forms.price_filter", "parameters": {"max": 1, "submit": "false"}}])).unwrap();
    assert_eq!(
        Value::Object(plan.steps()[0].parameters.clone()),
        json!({"max_price": 150.5, "fields": ["name"], "min_price": 0})
    );
    assert_eq!(plan.steps()[1].parameters["times"], json!(4));
    assert_eq!(plan.steps()[2].parameters["submit"], json!(false));
    for wrong in [
        json!("1e400"),
        json!("NaN"),
        json!("inf"),
        json!("12 zł"),
        json!("[1]"),
        json!([1]),
        json!(true),
    ] {
        assert_eq!(
            world.issues(json!([{"tool": "forms.price_filter", "parameters": {"max": wrong}}])),
            ["/plan/0/parameters/max bad_parameter"],
            "{wrong}"
        );
    }
}

#[tokio::test]
async fn an_unknown_tool_is_made_up_for_by_the_fallback_and_that_is_told() {
    let world = world();
    let report = world.run(json!({"plan": [{"tool": "x.y", "parameters": {"max_price": 100}}], "fallback": "extraction.products_generic"})).await;
    assert_eq!(
        world.ran(),
        [r#"extraction.products_generic {"max_price":100,"min_price":0}"#]
    );
    assert!(report.used_fallback);
    assert!(
        report.reasons[0].contains("no tool named \"x.y\""),
        "{:?}",
        report.reasons
    );
    assert_eq!(names(&report), ["Kettle"]);
    let nothing = json!({"plan": [{"tool": "x.y"}, {"tool": "forms.price_filter", "parameters": {}}], "fallback": "extraction.products_generic"});
    assert!(world.check(nothing).is_err(), "other faults are not made up for");
}

#[tokio::test]
async fn a_fallback_comes_in_for_every_kind_of_failure() {
    let world = world();
    for (tool, why) in [
        ("broken", "no shop here"),
        ("lying", "does not fit its schema"),
        ("nothing", "came out empty"),
    ] {
        let report = world
            .run(json!({"plan": [{"tool": format!("extraction.{tool}"), "parameters": {"max_price": 100}}], "expected_output": "products", "fallback": "extraction.products_generic"}))
            .await;
        assert!(report.used_fallback, "{tool}");
        assert!(
            report.reasons.iter().any(|it| it.contains(why)),
            "{tool}: {:?}",
            report.reasons
        );
        assert_eq!(names(&report), ["Kettle"]);
        assert_eq!(report.verdict.status, VerdictStatus::Partial);
    }
    let mut failing = four_steps();
    failing["plan"][3]["parameters"]["mode"] = json!("fail");
    failing["fallback"] = json!({"tool": "extraction.products_generic", "parameters": {"max_price": 150}});
    let report = world.run(failing).await;
    assert!(
        report.reasons[0].contains("validation failed"),
        "{:?}",
        report.reasons
    );
    assert_eq!(names(&report), ["Kettle", "Cup"]);
    assert_eq!(
        report.steps.last().unwrap().tool,
        "validation.price_range_check",
        "the fallback's answer is checked too"
    );
}

#[tokio::test]
async fn a_failure_stops_the_plan_unless_it_says_otherwise() {
    let world = world();
    let plan = |on_error: &str| json!([{"tool": "extraction.broken", "parameters": {"max_price": 1}, "on_error": on_error}, {"tool": "forms.buy"}]);
    let report = world.run(plan("stop")).await;
    assert_eq!(
        (report.steps.len(), report.verdict.status),
        (1, VerdictStatus::Failed)
    );
    assert!(report.reasons[0].contains("no shop here"));
    let report = world.run(plan("continue")).await;
    assert_eq!(
        (report.steps.len(), report.verdict.status),
        (2, VerdictStatus::Partial)
    );
}

#[tokio::test]
async fn a_last_step_that_stops_the_plan_runs_no_fallback() {
    let world = world();
    let broken = json!({"tool": "extraction.broken", "parameters": {"max_price": 100}, "on_error": "stop"});
    for plan in [json!([broken]), json!([broken, {"tool": "forms.buy"}])] {
        let report = world
            .run(json!({"plan": plan, "expected_output": "products", "fallback": "extraction.products_generic"}))
            .await;
        assert!(!report.used_fallback);
        assert_eq!(report.steps.len(), 1);
    }
}

#[tokio::test]
async fn a_field_of_an_output_comes_before_a_property_of_its_name() {
    let world = world();
    let report = world
        .run(json!([
            {"id": "p", "tool": "text.parse", "parameters": {"text": "a"}},
            {"tool": "text.echo", "parameters": {"text": "{{steps.p.error}}, {{steps.p.output}}, {{steps.p.data.output}}, {{steps.p.ok}}"}},
            {"id": "e", "tool": "text.echo", "parameters": {"text": "b"}},
            {"tool": "text.echo", "parameters": {"text": "{{steps.e.output.said}}"}},
        ]))
        .await;
    let said: Vec<&str> = report
        .steps
        .iter()
        .filter_map(|it| it.data.as_ref()?["said"].as_str())
        .collect();
    assert_eq!(said, ["line 1, a, a, true", "b", "b"]);
}

#[tokio::test]
async fn outputs_become_inputs_and_are_never_read_again() {
    let world = world();
    let report = world
        .run(json!([
            {"id": "first", "tool": "text.echo", "parameters": {"text": {"$literal": "${env.SECRET} {{first.said}}"}}},
            {"tool": "text.echo", "parameters": {"text": "{{first.said}}"}},
            {"tool": "text.echo", "parameters": {"text": "say: ${steps.0.output.said}!"}},
            {"tool": "extraction.products_ceneo", "parameters": {"max_price": 100}, "save_as": "cheap"},
            {"tool": "text.echo", "parameters": {"text": "{{cheap[0].name}} for {{ products[0].price }}"}},
            {"tool": "text.echo", "parameters": {"text": "never"}, "when": "not cheap"},
            {"tool": "text.echo", "parameters": {"text": "always"}, "when": {"ref": "products[0].price", "below": 100}},
        ]))
        .await;
    let said: Vec<&str> = report
        .steps
        .iter()
        .filter_map(|it| it.data.as_ref()?["said"].as_str())
        .collect();
    let secret = "${env.SECRET} {{first.said}}";
    assert_eq!(
        said,
        [
            secret,
            secret,
            &format!("say: {secret}!"),
            "Kettle for 99.5",
            "always"
        ]
    );
    assert_eq!(report.steps[5].status, PlanStepStatus::Skipped);
}

#[test]
fn a_grant_stands_against_effects_tools_and_nothing_else() {
    let world = world();
    let with = |grant: Grant| {
        let conditions = Conditions {
            grant,
            ..Conditions::all()
        };
        check(
            &ToolPlan::from_value(&four_steps()).unwrap(),
            &world.registry,
            &conditions,
        )
    };
    assert!(
        with(Grant {
            effects: Effects::Idempotent,
            ..Grant::default()
        })
        .is_ok()
    );
    let denied = with(Grant {
        effects: Effects::Read,
        ..Grant::default()
    })
    .err()
    .unwrap();
    assert_eq!(denied.code(), "POLICY_DENIED");
    assert_eq!(
        denied.0.iter().map(|it| it.path.as_str()).collect::<Vec<_>>(),
        ["/plan/0/tool", "/plan/1/tool"]
    );
    let some = Grant {
        tools: Some(vec!["extraction".into(), "validation.price_range_check".into()]),
        ..Grant::default()
    };
    assert_eq!(with(some).err().unwrap().0.len(), 2);
}

/// Values of all kinds, also those that look like what a plan reads.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        Just(json!("150")),
        prop::sample::select(vec![
            "down",
            "{{products}}",
            "{{steps.s1.data.products[0].price}}",
            "${steps.0.output}",
            "{{",
            "products",
            "not products",
            "a{{x}}b",
            "https://a.example/",
            "{{s1.products[1].name}}",
            "cheap",
            "stop",
            "continue",
            "filter",
            "{{cheap}}"
        ])
        .prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(
                (
                    prop::sample::select(vec!["$ref", "$literal", "ref", "equals", "x", "max"]),
                    inner
                ),
                0..3
            )
            .prop_map(|it| Value::Object(
                it.into_iter()
                    .map(|(key, value)| (key.to_owned(), value))
                    .collect()
            )),
        ]
    })
}

fn any_step() -> impl Strategy<Value = Value> {
    let tool = prop::sample::select(vec![
        "navigation.scroll_load",
        "forms.price_filter",
        "extraction.products_ceneo",
        "extraction.broken",
        "extraction.nothing",
        "validation.price_range_check",
        "text.echo",
        "forms.buy",
        "x.y",
        "price_filter",
    ]);
    let likely = prop::sample::select(vec![
        json!({"max_price": 100}),
        json!({"max": 100}),
        json!({"text": "x"}),
        json!({"text": "{{products}}"}),
        json!({}),
        json!({"text": "{{products[0].name}}"}),
        json!({"max": "{{products[0].price}}"}),
        json!({"times": {"$ref": "steps.s1.checked"}}),
    ]);
    let parameters = prop_oneof![
        3 => likely,
        1 => prop::collection::vec((prop::sample::select(vec!["max_price", "max", "text", "url", "times", "direction", "source", "mode", "zz"]), any_value()), 0..4)
            .prop_map(|it| Value::Object(it.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())),
    ];
    let extra = prop::option::weighted(
        0.3,
        (
            prop::sample::select(vec!["when", "save_as", "on_error", "id", "description", "hook"]),
            any_value(),
        ),
    );
    (tool, parameters, extra).prop_map(|(tool, parameters, extra)| {
        let mut step = json!({"tool": tool, "parameters": parameters});
        if let Some((key, value)) = extra {
            step[key] = value;
        }
        step
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn check_never_panics_on_any_json(value in any_value(), text in "\\PC{0,60}") {
        let world = world();
        let _ = world.check(value.clone());
        let _ = world.check(json!({"plan": [value], "fallback": text}));
        let _ = ToolPlan::read(&text);
    }

    #[test]
    fn a_plan_that_passes_never_fails_for_what_check_could_see(
        steps in prop::collection::vec(any_step(), 1..6),
        fallback in prop::option::of(prop::sample::select(vec!["extraction.products_generic", "forms.buy", "x.y"])),
    ) {
        let world = world();
        let mut plan = json!({"plan": steps});
        if let Some(fallback) = fallback {
            plan["fallback"] = json!(fallback);
        }
        let Ok(checked) = world.check(plan.clone()) else {
            prop_assert!(world.ran().is_empty());
            return Ok(());
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let mut context = ToolContext::new(ToolServices::default(), Grant::default());
        let report = runtime.block_on(execute(&checked, &world.registry, &mut context, &mut SilentObserver));
        for step in &report.steps {
            let written = checked.steps().iter().find(|it| it.id == step.id);
            let bound = written.is_some_and(|it| it.parameters != step.parameters);
            let code = step.code.as_deref().unwrap_or_default();
            // What was known before the run cannot be wrong any more; a value that only the run gave may be.
            prop_assert!(!["UNKNOWN_TOOL", "POLICY_DENIED"].contains(&code), "{plan}\n{step:?}");
            prop_assert!(code != "BAD_TOOL_ARGS" || bound, "{plan}\n{step:?}");
            if code == "BAD_REFERENCE" {
                let why = step.error.clone().unwrap_or_default();
                prop_assert!(why.contains("has no value") || why.contains("within a text") || why.contains(" is no "), "{plan}\n{why}");
            }
        }
    }
}
