//! Queries and patterns that never end, allocate without end or recurse without end.

use serde_json::{Value, json};

/// A call of a tool that has to end with an error that says why.
#[derive(Debug, Clone)]
pub struct Bomb {
    /// The tool.
    pub tool: &'static str,
    /// Its parameters.
    pub parameters: Value,
}

/// What the error of a bomb may say: which limit it met.
pub const LIMITS: &[&str] = &[
    "the memory for",
    "the recursion of",
    "did not finish within",
    "more than the limit",
    "nested deeper",
    "is no jq query",
    "becomes too large",
    "exceed the maximum number of nested",
    "the query failed",
    "the result is no JSON",
];

/// Queries for `data.query`.
pub fn queries() -> Vec<Bomb> {
    let doublings = format!("\"xxxxxxxx\" {} | length", "| . + . ".repeat(60));
    let lists = format!("[1] {} | tostring | length", "| [., .] ".repeat(60));
    let brackets = "[".repeat(900);
    let functions = format!("{}1", "def f: ".repeat(280));
    let queries = [
        "\"x\" * 9000000000000000000",
        "\"x\" * 4000000000 | length",
        &doublings,
        &lists,
        &brackets,
        &functions,
        "[range(1e12)]",
        "[range(1e12)] | length",
        "last(range(1e12))",
        "def f: f; f",
        "def f: 1 + f; f",
        "def f($n): if $n == 0 then 0 else [f($n - 1)] end; f(10000000)",
        "last(repeat(1))",
        "[repeat(\"x\")]",
        "[0 | recurse(. + 1)]",
        "0 | until(false; . + 1)",
        "\"a\" | until(false; . + .)",
        "reduce range(1e12) as $i ([]; . + [$i])",
        "reduce range(3000000) as $i (null; [.])",
        "reduce range(200) as $i (\"\\\"\"; tojson)",
        "[range(1e5)] as $a | [$a[] as $x | $a | index($x)] | length",
        "[range(30) | [range(30)]] | [combinations] | length",
        "\"a\" * 3000000 | [match(\"(a?){900}b\"; \"g\")] | length",
        "[foreach range(1e12) as $i (0; . + $i)]",
        "\"\\(\"x\" * 9000000000)\"",
        "[while(true; .)]",
    ];
    let bomb = |query: &str| Bomb {
        tool: "data.query",
        parameters: json!({"query": query, "data": {}}),
    };
    queries.into_iter().map(bomb).collect()
}

/// Patterns for the tools of regular expressions.
pub fn patterns() -> Vec<Bomb> {
    let long = "a".repeat(1_500_000);
    let lines = "ab\n".repeat(500_000);
    let nested = format!("{}a{}", "(".repeat(200), ")".repeat(200));
    let groups = format!("{}.{{140}}{}", "(".repeat(40), ")".repeat(40));
    // The engine is linear for one match; each of these makes every match read to the end.
    let quadratic = ".*[^A-Za-z]|[a-z]";
    let counted = "(a?){1000}(b?){1000}c|a";
    let of = |tool, pattern: &str, text: &str, more: &[(&str, Value)]| {
        let mut parameters = json!({"pattern": pattern, "text": text});
        for (name, value) in more {
            parameters[*name] = value.clone();
        }
        Bomb { tool, parameters }
    };
    let all = [("limit", json!(10000))];
    let with = |text: String| [("replacement", json!(text))];
    vec![
        of("regex.sub", "(a?){1000}", &long, &with("x".into())),
        of("regex.findall", "(a?){1000}", &long, &all),
        of("regex.split", "(a?){1000}", &long, &[]),
        of("regex.sub", quadratic, &long, &with("x".into())),
        of("regex.split", quadratic, &long, &[]),
        of("regex.findall", quadratic, &long, &all),
        of("regex.sub", "[^x]*x|a", &long, &with("b".into())),
        of("regex.split", "[^x]*x|a", &long, &[]),
        of("regex.sub", counted, &long, &with("x".into())),
        of("regex.split", counted, &long, &[]),
        of("regex.findall", counted, &long, &all),
        of("regex.sub", "(?s).*?x|.", &lines, &with("y".into())),
        of("regex.sub", "(?:\\w+\\s)*!|\\w", &lines, &with("y".into())),
        of("regex.sub", "", &long, &with("x".repeat(5000))),
        of("regex.sub", ".", &long, &with("$0".repeat(5000))),
        of("regex.sub", "(?s)(.*)", &long, &with("$1".repeat(4000))),
        of("regex.findall", &groups, &long, &all),
        of("regex.sub", "aa", &long, &with("$0".repeat(6))),
        of("regex.match", &nested, "a", &[]),
        of("regex.search", "(((a{100}){100}){100}){100}", "a", &[]),
        of("regex.search", "\\w{900}\\w{900}", "a", &[]),
        of("regex.match", "[\\w\\W]{0,1000}{0,1000}", "a", &[]),
    ]
}
