//! Texts of every grammar that nests, at any depth.

use serde_json::{Map, Value, json};

/// The depths that are tried.
pub(crate) const DEPTHS: [usize; 6] = [10, 100, 1_000, 10_000, 100_000, 1_000_000];

/// A way to nest a text: `open` so many times, what is inside, `close` as often.
pub(crate) struct Grammar {
    pub(crate) name: &'static str,
    open: &'static str,
    inside: &'static str,
    close: &'static str,
}

impl Grammar {
    const fn new(
        name: &'static str,
        open: &'static str,
        inside: &'static str,
        close: &'static str,
    ) -> Grammar {
        Grammar {
            name,
            open,
            inside,
            close,
        }
    }

    /// The text at a depth.
    pub(crate) fn text(&self, depth: usize) -> String {
        format!(
            "{}{}{}",
            self.open.repeat(depth),
            self.inside,
            self.close.repeat(depth)
        )
    }
}

/// CSS selectors.
pub(crate) const SELECTORS: [Grammar; 11] = [
    Grammar::new(":is", ":is(", "a", ")"),
    Grammar::new(":not", ":not(", "a", ")"),
    Grammar::new(":where", ":where(", "a", ")"),
    Grammar::new(":has", ":has(", "a", ")"),
    Grammar::new(":nth-child of", ":nth-child(1 of ", "a", ")"),
    Grammar::new("open :is", ":is(", "", ""),
    Grammar::new("open bracket", "[", "", ""),
    Grammar::new("behind a comment", "/*\"*/:is(", "a", ")"),
    Grammar::new("children", "a>", "a", ""),
    Grammar::new("siblings", "a~", "a", ""),
    Grammar::new("list", "a,", "a", ""),
];

/// JSON.
pub(crate) const JSON: [Grammar; 4] = [
    Grammar::new("lists", "[", "1", "]"),
    Grammar::new("objects", "{\"a\":", "1", "}"),
    Grammar::new("open lists", "[", "", ""),
    Grammar::new("open objects", "{\"a\":", "", ""),
];

/// HTML.
pub(crate) const PAGES: [Grammar; 10] = [
    Grammar::new("div", "<div>", "text", "</div>"),
    Grammar::new("list", "<ul><li>", "text", ""),
    Grammar::new("table", "<table><tr><td>", "text", ""),
    Grammar::new("quote", "<blockquote>", "text", ""),
    Grammar::new("formatting", "<b><i>", "text", "</b></i>"),
    Grammar::new("svg", "<svg><g>", "text", ""),
    Grammar::new("closed in the wrong order", "<a><i>", "text", "</a>"),
    Grammar::new("one beside the other", "<path/>", "text", ""),
    Grammar::new("items", "<div itemscope itemprop=a>", "text", ""),
    Grammar::new("microformats", "<div class='h-entry p-author'>", "text", ""),
];

/// Puts a schema into another.
pub(crate) type SchemaWrapper = fn(Value) -> Value;

/// Schemas, each holding the one inside.
pub(crate) const SCHEMAS: [(&str, SchemaWrapper); 5] = [
    ("allOf", |inner| json!({"allOf": [inner]})),
    ("not", |inner| json!({"not": inner})),
    ("items", |inner| json!({"type": "array", "items": inner})),
    (
        "properties",
        |inner| json!({"type": "object", "properties": {"a": inner}}),
    ),
    ("$defs", |inner| json!({"$defs": {"a": inner}})),
];

/// A schema nested so deep, as text: a value of this depth would overflow the stack of the test itself.
pub(crate) fn schema(wrap: SchemaWrapper, depth: usize) -> String {
    let hole = "\u{1}";
    let one = wrap(json!(hole)).to_string();
    let (open, close) = one
        .split_once("\"\\u0001\"")
        .expect("the place of the inner schema");
    format!("{}{}{}", open.repeat(depth), "{}", close.repeat(depth))
}

/// Schemas that are short and make endless work.
pub(crate) fn schema_bombs() -> Vec<(&'static str, Value)> {
    let chain = |keyword: &str, count: usize| {
        let mut definitions = Map::new();
        for at in 0..count {
            let next = json!({"$ref": format!("#/$defs/a{}", at + 1)});
            definitions.insert(format!("a{at}"), json!({keyword: [next, next]}));
        }
        definitions.insert(format!("a{count}"), json!({"type": "integer"}));
        json!({"$defs": definitions, "$ref": "#/$defs/a0"})
    };
    vec![
        ("allOf twice", chain("allOf", 40)),
        ("anyOf twice", chain("anyOf", 40)),
        ("oneOf twice", chain("oneOf", 40)),
        ("far", json!({"$ref": "http://127.0.0.1:9/s.json"})),
        ("no schema", json!({"type": "objekt"})),
    ]
}

/// Queries of `data.query` that explode in time or memory.
pub(crate) const QUERY_BOMBS: [&str; 10] = [
    "\"x\" * 9000000000000000000",
    "[range(1e12)]",
    "def f: f, f; f",
    "def f: [f]; f",
    "reduce range(60) as $i (\"x\"; . + .)",
    "[limit(1e9; repeat(1))]",
    "last(range(1e15))",
    "reduce range(1e9) as $i ([]; . + [$i])",
    "[range(1e5)] | [combinations(3)]",
    "until(false; . )",
];

/// Patterns that explode in time or size, each against the text of [`pattern_text`].
pub(crate) const PATTERN_BOMBS: [&str; 6] = [
    "(a?){1000}",
    "(((a{100}){100}){100}){100}",
    "(a|aa)+$",
    "(.*a){500}",
    "\\w{5000}x",
    "(x+x+)+y",
];

/// A long text that every pattern partly matches.
pub(crate) fn pattern_text() -> String {
    "ax".repeat(750_000)
}
