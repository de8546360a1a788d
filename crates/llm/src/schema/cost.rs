//! How much work a schema can make, computed before anything is checked against it.
//!
//! References let a short schema apply the same part again and again: thirty definitions that each name the next one
//! twice are 2^30 checks of one value, and a list whose items are the schema itself, twice, doubles with each level of
//! the value. The count here follows references as the validator does, without ever expanding them.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// Most schemas within one schema, counting every object and boolean in it.
pub(super) const MAX_PARTS: usize = 20_000;
/// Deepest value that is checked against a schema.
pub(super) const MAX_VALUE_DEPTH: usize = 128;
/// Levels of a value for which a schema has to stay within [`MAX_CHECKS`] to be taken at all. For deeper values it is
/// asked again with the value itself: schemas of expressions may double with each level, and are harmless as long as
/// values are shallow.
const USUAL_DEPTH: usize = 8;
/// Most checks that one schema may make of one value: seconds of work.
pub(super) const MAX_CHECKS: u64 = 50_000_000;

/// Keywords whose schemas apply to the same value.
const SAME_VALUE: [&str; 9] = [
    "allOf",
    "anyOf",
    "oneOf",
    "if",
    "then",
    "else",
    "not",
    "dependentSchemas",
    "dependencies",
];
/// Keywords of which one schema applies to each item or field.
const ONE_OF_PARTS: [&str; 3] = ["prefixItems", "items", "properties"];
/// Keywords whose schemas all apply to each item or field.
const ALL_PARTS: [&str; 7] = [
    "additionalItems",
    "contains",
    "unevaluatedItems",
    "patternProperties",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
];
/// Keywords that ask the schemas of the same value once more.
const ASK_TWICE: [&str; 2] = ["unevaluatedItems", "unevaluatedProperties"];

/// One schema within a schema, by the numbers of those that it applies.
#[derive(Default)]
struct Part {
    /// Checks that it makes itself.
    own: u64,
    same_value: Vec<usize>,
    /// How often it applies each of `same_value`.
    times: u64,
    /// Groups of schemas of which one applies to an item or field.
    one_of: Vec<Vec<usize>>,
    /// Schemas that all apply to an item or field.
    all: Vec<usize>,
}

/// The most checks of any single value within a value, by the depth of the value.
#[derive(Debug, Clone)]
pub(super) struct SchemaCost {
    by_depth: Vec<u64>,
}

impl SchemaCost {
    /// Counts for a schema; none when it has more than [`MAX_PARTS`] parts.
    pub(super) fn of(schema: &Value) -> Option<SchemaCost> {
        let parts = SchemaIndex::read(schema)?.parts(schema);
        let order = same_value_order(&parts);
        let (mut by_depth, mut below) = (Vec::new(), vec![0_u64; parts.len()]);
        for _ in 0..=MAX_VALUE_DEPTH {
            let mut here = vec![0_u64; parts.len()];
            for at in &order {
                here[*at] = parts.get(*at).map_or(0, |part| part.checks(&here, &below));
            }
            by_depth.push(here.first().copied().unwrap_or_default());
            if here == below {
                break;
            }
            below = here;
        }
        Some(SchemaCost { by_depth })
    }

    /// Whether checking this value may take more than [`MAX_CHECKS`], or the value is deeper than [`MAX_VALUE_DEPTH`].
    pub(super) fn exceeds(&self, value: &Value) -> bool {
        let (mut parts, mut deepest, mut open) = (0_u64, 0_usize, vec![(value, 0_usize)]);
        while let Some((value, depth)) = open.pop() {
            parts += 1;
            deepest = deepest.max(depth);
            match value {
                Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
                Value::Object(fields) => open.extend(fields.values().map(|item| (item, depth + 1))),
                _ => {}
            }
        }
        let checks = self.by_depth.get(deepest).or(self.by_depth.last());
        let checks = checks.copied().unwrap_or_default();
        deepest > MAX_VALUE_DEPTH || checks.saturating_mul(parts) > MAX_CHECKS
    }

    /// Whether checking a small value of [`USUAL_DEPTH`] levels takes more than [`MAX_CHECKS`].
    pub(super) fn exceeds_usually(&self) -> bool {
        let checks = self.by_depth.get(USUAL_DEPTH).or(self.by_depth.last());
        checks.is_some_and(|checks| *checks > MAX_CHECKS)
    }
}

impl Part {
    fn checks(&self, here: &[u64], below: &[u64]) -> u64 {
        let of = |counts: &[u64], at: &usize| counts.get(*at).copied().unwrap_or_default();
        let sum = |counts: &[u64], parts: &[usize]| {
            let sum = parts.iter().map(|at| of(counts, at));
            sum.fold(0, u64::saturating_add)
        };
        let groups = self.one_of.iter().map(|group| {
            let group = group.iter().map(|at| of(below, at));
            group.max().unwrap_or_default()
        });
        let items = groups.fold(sum(below, &self.all), u64::saturating_add);
        let same = sum(here, &self.same_value).saturating_mul(self.times);
        self.own.saturating_add(same).saturating_add(items)
    }
}

/// The parts, each behind those that it applies to the same value. A part that leads back to itself for the same value
/// is checked once by the validator; its place in the circle is where the walk met it.
fn same_value_order(parts: &[Part]) -> Vec<usize> {
    let mut order = Vec::with_capacity(parts.len());
    let mut is_seen = vec![false; parts.len()];
    for start in 0..parts.len() {
        let mut open = vec![(start, false)];
        while let Some((at, is_done)) = open.pop() {
            if is_done {
                order.push(at);
            } else if !std::mem::replace(&mut is_seen[at], true) {
                open.push((at, true));
                open.extend(parts[at].same_value.iter().map(|next| (*next, false)));
            }
        }
    }
    order
}

/// Numbers for every object and boolean of a schema, with what references need to find them.
#[derive(Default)]
struct SchemaIndex<'s> {
    by_place: HashMap<*const Value, usize>,
    /// Each part with the root of the resource that it belongs to.
    parts: Vec<(&'s Value, &'s Value)>,
    anchors: HashMap<&'s str, Vec<usize>>,
}

impl<'s> SchemaIndex<'s> {
    fn read(schema: &'s Value) -> Option<SchemaIndex<'s>> {
        let mut index = SchemaIndex::default();
        let mut open = vec![(schema, schema)];
        while let Some((value, mut resource)) = open.pop() {
            match value {
                Value::Array(items) => open.extend(items.iter().map(|item| (item, resource))),
                Value::Object(fields) => {
                    let id = fields.get("$id").and_then(Value::as_str);
                    if id.is_some_and(|id| !id.starts_with('#')) {
                        resource = value;
                    }
                    index.add(value, resource);
                    let names = ["$anchor", "$dynamicAnchor"].map(|key| fields.get(key));
                    let names = names.into_iter().flatten().filter_map(Value::as_str);
                    for name in names.chain(id.and_then(|id| id.strip_prefix('#'))) {
                        let at = index.parts.len() - 1;
                        index.anchors.entry(name).or_default().push(at);
                    }
                    open.extend(fields.values().map(|field| (field, resource)));
                }
                Value::Bool(_) => index.add(value, resource),
                _ => {}
            }
            if index.parts.len() > MAX_PARTS {
                return None;
            }
        }
        Some(index)
    }

    fn add(&mut self, value: &'s Value, resource: &'s Value) {
        self.by_place.insert(std::ptr::from_ref(value), self.parts.len());
        self.parts.push((value, resource));
    }

    fn number(&self, value: &Value) -> Option<usize> {
        self.by_place.get(&std::ptr::from_ref(value)).copied()
    }

    /// The parts with what each applies. Part 0 is the schema itself.
    fn parts(&self, schema: &Value) -> Vec<Part> {
        let of = |(value, resource): &(&Value, &Value)| match value {
            Value::Object(fields) => self.part(fields, resource, schema),
            _ => Part {
                own: 1,
                ..Part::default()
            },
        };
        self.parts.iter().map(of).collect()
    }

    fn part(&self, fields: &Map<String, Value>, resource: &Value, schema: &Value) -> Part {
        let mut part = Part {
            own: 1 + fields.get("enum").and_then(Value::as_array).map_or(0, Vec::len) as u64,
            times: 1 + u64::from(ASK_TWICE.iter().any(|keyword| fields.contains_key(*keyword))),
            ..Part::default()
        };
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            if let Some(target) = fields.get(keyword).and_then(Value::as_str) {
                part.same_value.extend(self.targets(target, resource, schema));
            }
        }
        for keyword in SAME_VALUE {
            part.same_value.extend(self.schemas(fields, keyword));
        }
        for keyword in ONE_OF_PARTS {
            part.one_of.push(self.schemas(fields, keyword));
        }
        for keyword in ALL_PARTS {
            part.all.extend(self.schemas(fields, keyword));
        }
        part
    }

    /// The schemas of a keyword, whether it holds one, a list of them or an object of them. An object that is itself a
    /// schema counts with those of its fields that are objects: too many rather than too few.
    fn schemas(&self, fields: &Map<String, Value>, keyword: &str) -> Vec<usize> {
        let holds_names = matches!(
            keyword,
            "properties" | "patternProperties" | "dependentSchemas" | "dependencies"
        );
        match fields.get(keyword) {
            Some(Value::Array(list)) => list.iter().filter_map(|item| self.number(item)).collect(),
            Some(Value::Object(named)) if holds_names => {
                named.values().filter_map(|item| self.number(item)).collect()
            }
            Some(one) => self.number(one).into_iter().collect(),
            None => Vec::new(),
        }
    }

    /// The parts that a reference may lead to.
    fn targets(&self, target: &str, resource: &Value, schema: &Value) -> Vec<usize> {
        let Some(fragment) = target.strip_prefix('#') else {
            return Vec::new();
        };
        let fragment = percent_encoding::percent_decode_str(fragment).decode_utf8_lossy();
        if !fragment.is_empty() && !fragment.starts_with('/') {
            return self.anchors.get(&*fragment).cloned().unwrap_or_default();
        }
        let places = [resource.pointer(&fragment), schema.pointer(&fragment)];
        let mut found: Vec<usize> = places
            .into_iter()
            .flatten()
            .filter_map(|place| self.number(place))
            .collect();
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The most checks of one value at a depth.
    fn checks(schema: &Value, depth: usize) -> u64 {
        let counts = SchemaCost::of(schema).expect("few parts").by_depth;
        counts.get(depth).or(counts.last()).copied().expect("a count")
    }

    /// `count` definitions that each apply the next one twice.
    fn doubling(count: usize) -> Value {
        let mut definitions = Map::new();
        for at in 0..count {
            let next = json!({"$ref": format!("#/$defs/a{}", at + 1)});
            definitions.insert(format!("a{at}"), json!({"allOf": [next, next]}));
        }
        definitions.insert(format!("a{count}"), json!({"type": "integer"}));
        json!({"$defs": definitions, "$ref": "#/$defs/a0"})
    }

    #[test]
    fn what_doubles_is_counted_without_being_expanded() {
        assert!(checks(&doubling(10), 0) > 1 << 10);
        assert!(checks(&doubling(10), 0) < 1 << 13);
        assert!(checks(&doubling(100), 0) > MAX_CHECKS);
        let inside = json!({"properties": {"a": {"$ref": "#/$defs/a0"}}, "$defs": doubling(100)["$defs"]});
        assert!(checks(&inside, 1) > MAX_CHECKS);
        let items = json!({"items": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}});
        assert!(checks(&items, 10) > 1 << 10);
        assert!(checks(&items, 100) > MAX_CHECKS);
        let anchored = json!({"$anchor": "x", "items": {"anyOf": [{"$ref": "#x"}, {"$ref": "#x"}]}});
        assert!(checks(&anchored, 100) > MAX_CHECKS);
    }

    #[test]
    fn schemas_as_people_write_them_stay_small() {
        let tree = json!({"$defs": {"node": {"type": "object", "properties": {
            "left": {"$ref": "#/$defs/node"}, "right": {"$ref": "#/$defs/node"},
            "all": {"type": "array", "items": {"$ref": "#/$defs/node"}}}}}, "$ref": "#/$defs/node"});
        assert!(checks(&tree, 100) < 1_000, "{}", checks(&tree, 100));
        let itself = json!({"allOf": [{"$ref": "#"}], "items": {"$ref": "#"}});
        assert!(checks(&itself, 100) < 10_000);
        let wide: Map<String, Value> = (0..500)
            .map(|at| (format!("f{at}"), json!({"type": "string"})))
            .collect();
        assert!(checks(&json!({"type": "object", "properties": wide}), 100) < 10);
        let cost = SchemaCost::of(&tree).expect("few parts");
        assert!(!cost.exceeds(&json!(vec![json!({"left": {}}); 10_000])));
    }
}
