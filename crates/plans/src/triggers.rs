//! From an instruction to a plan without a model: words, numbers and the manifests' triggers decide.
//!
//! The words of each language lie in `words/<language>.json`; a language is added by adding a file to [`words::FILES`].
//! The order of a plan is that of a person: search, category, filters, clicks, scrolling or leafing, extraction,
//! ranking, checks. What the tab cannot do (no filter form, no scrolling) does not end the plan: the extraction holds
//! the limits too.

mod facts;
mod place;
mod rank;
mod words;

use regex::Regex;
use serde_json::{Map, Value, json};

use super::check::{CheckedPlan, Conditions, check};
use super::dsl::Plan;
use tools::registry::{Entry, Registry};

pub use facts::{Entity, Facts, Site};
pub use place::Place;
pub use rank::ranked;

/// A plan that was read from an instruction.
#[derive(Clone)]
pub struct Made {
    /// The plan as it would be written.
    pub plan: Plan,
    /// The plan as it runs under the conditions that were given.
    pub checked: CheckedPlan,
    /// What the instruction was understood to say.
    pub facts: Facts,
}

/// Makes a plan from an instruction; none when nothing in it speaks for any tool, or when what speaks cannot run.
pub fn make(
    instruction: &str,
    place: Place<'_>,
    registry: &Registry,
    conditions: &Conditions,
) -> Option<Made> {
    if instruction.trim().is_empty() {
        return None;
    }
    let facts = Facts::read(instruction, place);
    let value = Making {
        registry,
        conditions,
        facts: &facts,
        instruction,
        steps: Vec::new(),
    }
    .plan()?;
    let plan = Plan::from_value(&value).ok()?;
    let checked = check(&plan, registry, conditions).ok()?;
    Some(Made { plan, checked, facts })
}

/// Readers of what is no list of things, but stands anywhere on a page. Their words ("phone numbers") hold words for
/// things ("phones"), and come first.
const CONTACTS: [&str; 4] = [
    "extract.emails",
    "extract.phones",
    "extract.social_handles",
    "extract.addresses",
];

struct Making<'a> {
    registry: &'a Registry,
    conditions: &'a Conditions,
    facts: &'a Facts,
    instruction: &'a str,
    steps: Vec<Value>,
}

impl Making<'_> {
    fn plan(mut self) -> Option<Value> {
        let facts = self.facts;
        self.ways();
        let extraction = self.extraction();
        if extraction.is_none() && self.steps.is_empty() {
            return None;
        }
        let mut plan = Map::new();
        let Some((mut tool, mut parameters, mut output)) = extraction else {
            plan.insert("plan".into(), self.steps.into());
            return Some(plan.into());
        };
        if CONTACTS.contains(&tool.as_str()) {
            // "e-mail addresses and phone numbers" are two readings and one answer.
            let mut outputs = Vec::new();
            let asked: Vec<_> = CONTACTS
                .iter()
                .filter_map(|id| self.by_trigger(&|it| it == *id))
                .collect();
            for (one, given, gives) in asked {
                if !outputs.is_empty() {
                    self.push(&tool, parameters, None);
                }
                (tool, parameters) = (one, given);
                outputs.push(gives);
            }
            output = outputs.join(", ");
        }
        self.push(&tool, parameters, None);
        let mut expected = output.clone();
        if let Some((field, descending)) = facts.sort
            && self.can("data.rank_rows")
            && matches!(output.as_str(), "products" | "articles" | "rows")
        {
            let mut rank = json!({"rows": {"$ref": output}, "sort_field": field, "descending": descending});
            if let (Some(count), Some(rank)) = (facts.count, rank.as_object_mut()) {
                rank.insert("limit".into(), count.into());
            }
            self.checks(&output);
            self.push("data.rank_rows", rank, None);
            expected = "rows".into();
        } else {
            self.checks(&output);
        }
        let fallback = match (tool.as_str(), expected.as_str()) {
            ("extraction.products_ceneo" | "extraction.products_amazon", "products") => {
                Some("extraction.products_generic")
            }
            _ => None,
        };
        plan.insert("plan".into(), self.steps.clone().into());
        plan.insert("expected_output".into(), expected.into());
        if let Some(fallback) = fallback.filter(|it| self.can(it)) {
            plan.insert("fallback".into(), fallback.into());
        }
        Some(plan.into())
    }

    fn can(&self, id: &str) -> bool {
        let entry = self.registry.find(id);
        entry.is_ok_and(|it| self.conditions.allow(self.registry, it.manifest()))
    }

    /// Adds a step, with those of its parameters that the tool has.
    fn push(&mut self, tool: &str, parameters: Value, on_error: Option<&str>) -> bool {
        let Ok(entry) = self.registry.find(tool) else {
            return false;
        };
        if !self.can(tool) {
            return false;
        }
        let Value::Object(mut parameters) = parameters else {
            return false;
        };
        parameters.retain(|name, value| !value.is_null() && entry.manifest().parameter(name).is_some());
        if entry.manifest().required().any(|it| !parameters.contains_key(it)) {
            return false;
        }
        let mut step = json!({"tool": entry.id(), "parameters": parameters});
        if let (Some(on_error), Some(step)) = (on_error, step.as_object_mut()) {
            step.insert("on_error".into(), on_error.into());
        }
        self.steps.push(step);
        true
    }

    /// Everything that leads to the right place on the right page.
    fn ways(&mut self) {
        let facts = self.facts;
        let goes_on = Some("continue");
        if let Some(query) = &facts.query {
            self.push("forms.search_query", json!({"query": query}), None);
        }
        if let Some(path) = &facts.category {
            self.push("navigation.category_select", json!({"path": path}), None);
        }
        if let Some((label, field)) = &facts.choice {
            self.push(
                "forms.dropdown_select",
                json!({"label": label, "field": field}),
                None,
            );
        }
        if let Some((start, end)) = &facts.dates {
            self.push("forms.date_picker", json!({"start": start, "end": end}), None);
        }
        if facts.entity == Some(Entity::Products) || facts.filters {
            match (facts.max_price, facts.min_price) {
                (None, None) => {}
                (max, min) => {
                    self.push(
                        "forms.price_filter",
                        json!({"max": max, "min": min, "submit": true}),
                        goes_on,
                    );
                }
            }
        }
        if let Some(text) = &facts.click {
            self.push("navigation.click_by_text", json!({"text": text}), None);
        }
        let listing = matches!(
            facts.entity,
            Some(Entity::Products | Entity::Articles | Entity::Rows)
        );
        if let Some(pages) = facts.pages {
            self.push("navigation.pagination", json!({"max_pages": pages}), goes_on);
        } else if facts.paginate {
            self.push("navigation.pagination", json!({}), goes_on);
        } else if facts.scroll || (facts.all && listing && facts.entity == Some(Entity::Products)) {
            self.push("navigation.scroll_load", json!({"times": facts.times}), goes_on);
        }
    }

    /// The tool that reads what is asked for, its parameters, and the name of what it gives.
    fn extraction(&self) -> Option<(String, Value, String)> {
        let facts = self.facts;
        // A ranking needs everything first and cuts afterwards.
        let count = if facts.sort.is_some() { None } else { facts.count };
        let prices = json!({"max_price": facts.max_price, "min_price": facts.min_price, "max_results": count, "min_rating": facts.min_rating});
        let posts = |least: &str| json!({"max_results": count, least: facts.min_points});
        let of = |tool: &str, parameters: Value, output: &str| {
            self.can(tool)
                .then(|| (tool.to_owned(), parameters, output.to_owned()))
        };
        let of_site = match (facts.site, facts.entity) {
            (Some(Site::HackerNews), None | Some(Entity::Articles | Entity::Rows)) => {
                of("extraction.articles_hn", posts("min_points"), "articles")
            }
            (Some(Site::Reddit), None | Some(Entity::Articles | Entity::Rows)) => {
                of("extraction.articles_reddit", posts("min_score"), "articles")
            }
            (Some(Site::Ceneo), None | Some(Entity::Products | Entity::Rows)) => {
                let mut parameters = prices.clone();
                if facts.max_price.is_none() {
                    parameters = with(parameters, "max_price", json!(999_999));
                }
                of("extraction.products_ceneo", parameters, "products")
            }
            (Some(Site::Amazon), None | Some(Entity::Products | Entity::Rows)) => {
                of("extraction.products_amazon", prices.clone(), "products")
            }
            _ => None,
        };
        if of_site.is_some() {
            return of_site;
        }
        if let Some(found) = self.by_trigger(&|id| CONTACTS.contains(&id)) {
            return Some(found);
        }
        match facts.entity {
            Some(Entity::Products) => of("extraction.products_generic", prices, "products"),
            Some(Entity::Links) => {
                let words = json!({"contains": facts.contains, "pattern": facts.pattern, "same_domain": facts.same_site.then_some(true), "limit": count});
                let words = match (&facts.contains, &facts.pattern) {
                    (None, None) => with(words, "pattern", json!(".")),
                    _ => words,
                };
                of("extraction.links_by_pattern", words, "links")
            }
            Some(Entity::Tables) => of("extraction.tables_to_json", json!({}), "tables"),
            // The readers of whole sites and shops were thought of above.
            entity => self
                .by_trigger(&|id| entity.is_none() || !id.starts_with("extraction."))
                .or_else(|| match entity {
                    Some(Entity::Articles | Entity::Rows) => of(
                        "extract.records",
                        json!({"limit": count, "columns": facts.columns_or_none()}),
                        "rows",
                    ),
                    _ => None,
                }),
        }
    }

    /// The reading tool whose triggers match, when its parameters are known.
    fn by_trigger(&self, wanted: &dyn Fn(&str) -> bool) -> Option<(String, Value, String)> {
        let facts = self.facts;
        let mut best: Option<(usize, &Entry)> = None;
        for entry in self.registry.iter() {
            let manifest = entry.manifest();
            let reads =
                manifest.effects == tools::manifest::Effects::Read && manifest.category != "validation";
            if !reads || !wanted(entry.id()) || !self.can(entry.id()) {
                continue;
            }
            let longest = |it: &Regex| it.find(self.instruction).map(|it| it.len());
            let matched = manifest.trigger_patterns().iter().filter_map(longest).max();
            if let Some(length) = matched.filter(|it| best.is_none_or(|(so_far, _)| *it > so_far)) {
                best = Some((length, entry));
            }
        }
        let (_, entry) = best?;
        let known = json!({"limit": facts.count, "max_results": facts.count, "n": facts.count, "top_k": facts.count,
            "max_price": facts.max_price, "min_price": facts.min_price, "query": facts.query, "pattern": facts.pattern, "selector": facts.selector});
        let fields = entry.manifest().output_schema.get("properties")?.as_object()?;
        let output = super::check::main_field(entry.manifest())
            .or_else(|| fields.keys().next().map(String::as_str))?;
        let output = output.to_owned();
        Some((entry.id().to_owned(), known, output))
    }

    /// The checks that the instruction asks for, or that its limits do.
    fn checks(&mut self, output: &str) {
        let facts = self.facts;
        if output == "products" && (facts.max_price.is_some() || facts.min_price.is_some()) {
            let max = facts.max_price.map_or_else(|| json!(1e9), |it| json!(it));
            self.push(
                "validation.price_range_check",
                json!({"min": facts.min_price, "max": max, "source": output}),
                None,
            );
        }
        if !facts.must_have.is_empty() {
            self.push(
                "validation.required_fields",
                json!({"fields": facts.must_have, "source": output}),
                None,
            );
        }
        if facts.check_urls {
            self.push("validation.url_format_check", json!({"source": output}), None);
        }
    }
}

fn with(mut parameters: Value, name: &str, value: Value) -> Value {
    if let Some(parameters) = parameters.as_object_mut() {
        parameters.insert(name.to_owned(), value);
    }
    parameters
}
