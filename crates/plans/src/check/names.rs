//! What do the references of a plan name, and can it be used where they stand?

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{Checking, is_check, main_field};
use crate::dsl::{Plan, Step, cut};
use crate::reference::{About, Piece, Reference, Root, Written, schema_at};
use locale::nearest;
use tools::manifest::{Manifest, rules};
use tools::registry::Entry;

impl Checking<'_> {
    /// A reference is good when it names something earlier, and something of a type that can be used there.
    pub(super) fn reference(&mut self, place: &str, written: &Written, schema: Option<&Value>, plan: &Plan) {
        let (all, whole): (Vec<&Reference>, bool) = match written {
            Written::Whole(reference) => (vec![reference], true),
            Written::Mixed(pieces) => {
                let inner = pieces.iter().filter_map(|it| match it {
                    Piece::Reference(it) => Some(it),
                    Piece::Text(_) => None,
                });
                (inner.collect(), false)
            }
            Written::Plain | Written::Literal(_) => return,
        };
        for reference in all {
            match self.type_of(reference, plan) {
                Err(why) => {
                    let code = if why.contains("circle") {
                        "cycle"
                    } else {
                        "bad_reference"
                    };
                    self.say(place, code, why);
                }
                Ok(types) => {
                    let wanted: Vec<&str> = match (whole, schema) {
                        (true, Some(schema)) => rules::types_of(schema),
                        (true, None) => Vec::new(),
                        (false, _) => vec!["string"],
                    };
                    if !fits(&types, &wanted) {
                        let told = format!(
                            "`{}` is {} and {} is wanted",
                            reference.text,
                            types.join(" or "),
                            wanted.join(" or ")
                        );
                        self.say(place, "bad_reference", told);
                    }
                }
            }
        }
    }

    /// The types that what a reference names may have; none when that is open.
    pub(super) fn type_of(&self, reference: &Reference, plan: &Plan) -> Result<Vec<String>, String> {
        let of_schema = |schema: &Value| -> Result<Vec<String>, String> {
            let at =
                schema_at(schema, &reference.path).map_err(|why| format!("`{}`: {why}", reference.text))?;
            Ok(at
                .map(|it| rules::types_of(it).into_iter().map(str::to_owned).collect())
                .unwrap_or_default())
        };
        let of_entry = |entry: &Option<Entry>| match entry {
            Some(entry) => of_schema(&entry.manifest().output_schema),
            None => Ok(Vec::new()),
        };
        match &reference.root {
            Root::Parameter(name) => match self.conditions.parameters.get(name) {
                Some(schema) => of_schema(schema),
                None => Err(format!(
                    "`{}`: this plan has no parameter `{}`",
                    reference.text,
                    cut(name)
                )),
            },
            Root::Step(id) => {
                let numbered = id.parse::<usize>().ok();
                let earlier = match numbered {
                    Some(at) => self.known.get(at),
                    None => self.known.iter().find(|(name, ..)| name == id),
                };
                match (earlier, reference.about) {
                    (Some((.., entry)), About::Data) => of_entry(entry),
                    (Some(_), About::Error) => Ok(vec!["string".into(), "null".into()]),
                    (Some(_), About::Ok | About::Empty | About::Skipped) => Ok(vec!["boolean".into()]),
                    (None, _) => Err(self.not_earlier(&reference.text, id, numbered, plan)),
                }
            }
            Root::Name(name) => {
                let mut open = false;
                for (id, saved, entry) in self.known.iter().rev() {
                    if saved.as_ref() == Some(name) {
                        return match entry.as_ref().map(|it| main_schema(it.manifest())) {
                            Some(schema) => of_schema(schema),
                            None => Ok(Vec::new()),
                        };
                    }
                    if id == name {
                        return of_entry(entry);
                    }
                    let field = entry
                        .as_ref()
                        .and_then(|it| it.manifest().output_schema.get("properties")?.get(name));
                    match (entry, field) {
                        (Some(entry), Some(field)) if !is_check(entry) => return of_schema(field),
                        // The output of an unknown tool may hold anything.
                        (None, _) => open = true,
                        _ => {}
                    }
                }
                let not_yet = |it: &Step| it.id == *name || it.save_as.as_ref() == Some(name);
                if open && !plan.steps.iter().any(not_yet) {
                    return Ok(Vec::new());
                }
                Err(self.not_earlier(&reference.text, name, None, plan))
            }
        }
    }

    fn not_earlier(&self, text: &str, name: &str, numbered: Option<usize>, plan: &Plan) -> String {
        let here = self.known.len();
        let later = match numbered {
            Some(at) => (at < plan.steps.len()).then_some(at),
            None => plan
                .steps
                .iter()
                .position(|it| it.id == name || it.save_as.as_deref() == Some(name)),
        };
        match later {
            Some(at) if at == here => format!("`{text}` refers to the step itself: that is a circle"),
            Some(at) => {
                // Does the later step need this one? Then no order of the two can work.
                let back = plan.steps.get(here).is_some_and(|step| {
                    plan.steps.get(at).is_some_and(|later| {
                        let params = Value::Object(later.parameters.clone()).to_string();
                        params.contains(&format!("steps.{}", step.id))
                            || params.contains(&format!("{{{{{}", step.id))
                            || step
                                .save_as
                                .as_ref()
                                .is_some_and(|it| params.contains(&format!("{{{{{it}")))
                    })
                });
                if back {
                    format!("`{text}` refers to a later step that refers to this one: that is a circle")
                } else {
                    format!("`{text}` refers to a later step; move it before this one")
                }
            }
            None => {
                let mut names: BTreeMap<String, ()> = BTreeMap::new();
                for (id, saved, entry) in &self.known {
                    names.insert(id.clone(), ());
                    names.extend(saved.iter().map(|it| (it.clone(), ())));
                    let fields = entry
                        .as_ref()
                        .and_then(|it| it.manifest().output_schema.get("properties")?.as_object());
                    names.extend(fields.into_iter().flat_map(Map::keys).map(|it| (it.clone(), ())));
                }
                match nearest(name, names.keys().map(String::as_str)) {
                    Some(near) => {
                        format!("`{text}` names nothing that an earlier step gives; did you mean `{near}`?")
                    }
                    None if names.is_empty() => {
                        format!("`{text}` names nothing: no step runs before this one")
                    }
                    None => {
                        let names: Vec<String> = names.into_keys().take(20).collect();
                        format!(
                            "`{text}` names nothing that an earlier step gives; there are {}",
                            names.join(", ")
                        )
                    }
                }
            }
        }
    }
}

/// The schema of what a tool is for: its only list, or all of its output.
fn main_schema(manifest: &Manifest) -> &Value {
    match main_field(manifest) {
        Some(name) => manifest
            .output_schema
            .get("properties")
            .and_then(|it| it.get(name))
            .unwrap_or(&manifest.output_schema),
        None => &manifest.output_schema,
    }
}

/// Whether a value of one of these types may be used where one of those is wanted.
fn fits(given: &[String], wanted: &[&str]) -> bool {
    let open = given.is_empty() || wanted.is_empty();
    open || given.iter().any(|given| {
        wanted.iter().any(|wanted| match (given.as_str(), *wanted) {
            (one, other) if one == other => true,
            ("integer" | "number" | "boolean", "string") => true,
            ("integer", "number") | ("number", "integer") => true,
            ("string", "number" | "integer" | "boolean" | "array") => true,
            _ => false,
        })
    })
}
