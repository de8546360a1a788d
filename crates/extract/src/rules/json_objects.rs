//! Objects nested in a JSON value, with their paths.

use serde_json::{Map, Value};

/// Every object of a value with its path, outer ones before inner ones, in their order.
pub(super) struct Objects<'v> {
    pending: Vec<(String, &'v Value)>,
    spell_key: fn(&str) -> &str,
}

/// The objects of a value that stands at `path`. Keys are written into paths as `spell_key` spells them.
pub(super) fn objects<'v>(value: &'v Value, path: String, spell_key: fn(&str) -> &str) -> Objects<'v> {
    Objects {
        pending: vec![(path, value)],
        spell_key,
    }
}

impl<'v> Iterator for Objects<'v> {
    type Item = (String, &'v Map<String, Value>);

    fn next(&mut self) -> Option<Self::Item> {
        let holds = |value: &Value| value.is_object() || value.is_array();
        while let Some((path, value)) = self.pending.pop() {
            match value {
                Value::Array(list) => {
                    let inner = list.iter().enumerate().rev().filter(|(_, inner)| holds(inner));
                    self.pending
                        .extend(inner.map(|(at, inner)| (format!("{path}[{at}]"), inner)));
                }
                Value::Object(map) => {
                    let inner = map.iter().rev().filter(|(_, inner)| holds(inner));
                    self.pending.extend(
                        inner.map(|(key, inner)| (format!("{path}.{}", (self.spell_key)(key)), inner)),
                    );
                    return Some((path, map));
                }
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn outer_objects_come_before_inner_ones_and_all_have_a_way() {
        let value = json!([{"a:b": {"c": 1}, "d": [2, {"e": [[{}]]}]}, "text", {}]);
        let last = |key: &str| -> Vec<String> {
            objects(&value, key.to_owned(), |key| {
                key.rsplit(':').next().unwrap_or(key)
            })
            .map(|(path, _)| path)
            .collect()
        };
        assert_eq!(
            last("x"),
            ["x[0]", "x[0].b", "x[0].d[1]", "x[0].d[1].e[0][0]", "x[2]"]
        );
        assert_eq!(objects(&json!(1), String::new(), |it| it).count(), 0);
    }
}
