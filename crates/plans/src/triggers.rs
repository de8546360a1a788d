//! Planning from an instruction without a model: vocabulary, numbers and the manifests' triggers decide.
//!
//! The steps stand in the order in which a person would work: search, category, filters, clicks, scrolling or paging,
//! extraction, ranking, validation. What the tab cannot do (no filter form, no scrolling) does not end the plan: the
//! extraction applies the limits too.

mod ages;
mod amounts;
mod asked_columns;
mod clauses;
mod clock;
mod column_items;
mod column_list;
mod day_spans;
mod days_ago;
mod distances;
mod durations;
mod facts;
mod levels;
mod limits;
mod list_labels;
mod measured_order;
mod measures;
mod numerals;
mod on_days;
mod order;
mod paraphrases;
mod periods;
mod phrases;
mod rank;
mod read;
mod residue;
mod said_orders;
mod said_values;
mod sizes;
mod spelling;
mod target;
mod text_matches;
mod then_by;
mod unit_prices;
mod unread_orders;
mod vocabulary;
mod weekday_bounds;
mod wordings;
mod written_days;

use serde_json::{Map, Value, json};
use tools::rows::condition::{Operator, RowCondition};

use crate::check::check;
use crate::checked_plan::CheckedPlan;
use crate::conditions::Conditions;
use crate::plan::ToolPlan;
use crate::tool_output::{main_field, output_names};
use tools::manifest::Effects;
use tools::registry::{RegisteredTool, Registry};

pub use facts::{Entity, InstructionFacts, KnownSite};
pub use rank::ranked;
pub use target::{PlanTarget, SiteTools, known_sites, matching_site};

/// A plan made from an instruction.
#[derive(Clone)]
pub struct TriggerPlan {
    /// The plan as it would be written.
    pub plan: ToolPlan,
    /// The plan as it runs.
    pub checked: CheckedPlan,
    /// The facts that it was made from.
    pub facts: InstructionFacts,
}

/// Makes a plan from an instruction. `None` when no tool fits it, or when the plan cannot run.
pub fn make_plan(
    instruction: &str,
    target: PlanTarget<'_>,
    registry: &Registry,
    conditions: &Conditions,
) -> Option<TriggerPlan> {
    make_plan_from(
        &InstructionFacts::read(instruction, target),
        instruction,
        registry,
        conditions,
    )
}

/// The currency of the amounts of an instruction, as an ISO 4217 code, where it names one.
pub fn currency(instruction: &str) -> Option<&'static str> {
    amounts::currency(instruction)
}

/// Makes a plan from facts that were read from the instruction before.
///
/// For callers that need the facts whether or not there is a plan: reading them compiles or runs some hundred patterns.
pub fn make_plan_from(
    facts: &InstructionFacts,
    instruction: &str,
    registry: &Registry,
    conditions: &Conditions,
) -> Option<TriggerPlan> {
    if instruction.trim().is_empty() {
        return None;
    }
    let builder = PlanBuilder {
        registry,
        conditions,
        facts,
        instruction,
        steps: Vec::new(),
    };
    let (plan, [by_parameters, not_understood]) = builder.build()?;
    let plan = ToolPlan::from_value(&plan).ok()?;
    let mut checked = check(&plan, registry, conditions).ok()?;
    (checked.by_parameters, checked.not_understood) = (by_parameters, not_understood);
    checked.currency = amounts::currency(instruction);
    checked.wants_all = facts.wants_all();
    if !facts.filters {
        // The reader of the list, or the filter of its rows, applies the limits where the page has no form for them.
        checked.optional_tools.push("forms.price_filter".to_owned());
    }
    if !facts.scroll {
        checked.optional_tools.push("navigation.scroll_load".to_owned());
    }
    Some(TriggerPlan {
        plan,
        checked,
        facts: facts.clone(),
    })
}

/// Tools that read contact data anywhere on a page. They come before the readers of lists: their words
/// ("phone numbers") hold words for products ("phones").
const CONTACTS: [&str; 4] = [
    "extract.emails",
    "extract.phones",
    "extract.social_handles",
    "extract.addresses",
];

/// A tool that reads what is asked for.
struct Extraction {
    tool: String,
    parameters: Value,
    /// The name of its output.
    output: String,
}

struct PlanBuilder<'a> {
    registry: &'a Registry,
    conditions: &'a Conditions,
    facts: &'a InstructionFacts,
    instruction: &'a str,
    steps: Vec<Value>,
}

impl PlanBuilder<'_> {
    /// The plan, what its parameters do of the instruction, and what it does not understand.
    fn build(mut self) -> Option<(Value, [Vec<String>; 2])> {
        self.navigation();
        let Some(extraction) = self.extraction().or_else(|| self.rows_of_pages()) else {
            let of_conditions = [self.by_parameters(), self.not_understood()];
            return (!self.steps.is_empty()).then(|| (json!({"plan": self.steps}), of_conditions));
        };
        let extractions = if CONTACTS.contains(&extraction.tool.as_str()) {
            // "e-mail addresses and phone numbers" are two extractions and one answer.
            CONTACTS
                .iter()
                .filter_map(|id| self.by_trigger(&|tool| tool == *id))
                .collect()
        } else {
            vec![extraction]
        };
        let outputs: Vec<&str> = extractions
            .iter()
            .map(|extraction| extraction.output.as_str())
            .collect();
        let output = outputs.join(", ");
        let mut last = String::new();
        for Extraction { tool, parameters, .. } in extractions {
            self.push(&tool, parameters, None);
            last = tool;
        }
        self.validation(&output);
        let mut expected = output.as_str();
        if matches!(expected, "products" | "articles" | "rows" | "links") {
            expected = self.selection(expected, &last);
        }
        let of_conditions = [self.by_parameters(), self.not_understood()];
        let mut plan = Map::new();
        plan.insert("expected_output".into(), expected.into());
        let is_shop = matches!(
            last.as_str(),
            "extraction.products_ceneo" | "extraction.products_amazon"
        );
        if is_shop && expected == "products" && self.can_use("extraction.products_generic") {
            plan.insert("fallback".into(), "extraction.products_generic".into());
        }
        plan.shift_insert(0, "plan".into(), self.steps.into());
        Some((plan.into(), of_conditions))
    }

    /// Adds the steps that choose among the rows of a list: conditions, order and number. Returns the output's name.
    fn selection<'o>(&mut self, output: &'o str, reader: &str) -> &'o str {
        let facts = self.facts;
        let mut conditions: Vec<RowCondition> = facts
            .conditions
            .iter()
            .filter(|condition| !self.is_parameter(condition, reader) && !self.is_named_by(condition, reader))
            .cloned()
            .collect();
        if facts.mentions_words() {
            conditions.extend(facts.price_conditions());
        }
        let mut output = output;
        if (!conditions.is_empty() || !facts.any_of.is_empty()) && self.can_use("data.filter_rows") {
            let limit = facts.count.filter(|_| facts.sort.is_none());
            let filter = json!({"rows": {"$ref": output}, "conditions": conditions, "any_of": facts.any_of, "limit": limit});
            self.push("data.filter_rows", filter, None);
            output = "rows";
        }
        if let Some((field, descending)) = &facts.sort
            && self.can_use("data.rank_rows")
        {
            // Rows that are even by the first order keep the order of before.
            if let Some((then, descending)) = &facts.then_sort {
                let rank = json!({"rows": {"$ref": output}, "sort_field": then, "descending": descending, "keep_order": true});
                self.push("data.rank_rows", rank, None);
                output = "rows";
            }
            let rank = json!({"rows": {"$ref": output}, "sort_field": field, "descending": descending,
                "limit": facts.count, "keep_order": true});
            self.push("data.rank_rows", rank, None);
            output = "rows";
        }
        output
    }

    /// Whether the tool that reads the rows applies a condition by a parameter of its own.
    fn is_parameter(&self, condition: &RowCondition, reader: &str) -> bool {
        let names: &[&str] = match (condition.field.as_str(), condition.operator) {
            ("points", Operator::AtLeast) => &["min_points", "min_score"],
            ("rating", Operator::AtLeast) => &["min_rating"],
            _ => &[],
        };
        let entry = self.registry.find(reader);
        entry.is_ok_and(|entry| {
            names
                .iter()
                .any(|name| entry.manifest().parameter(name).is_some())
        })
    }

    /// Whether the word of a condition is what a tool is asked for by: "emails" of the tool that finds e-mail addresses.
    fn is_named_by(&self, condition: &RowCondition, tool: &str) -> bool {
        let Ok(entry) = self.registry.find(tool) else {
            return false;
        };
        let patterns = entry.manifest().trigger_patterns();
        // "Price negotiable" is more than a price.
        let is_named = |word: &str| {
            let mut found = patterns.iter().flat_map(|pattern| pattern.find_iter(word));
            found.any(|found| found.len() == word.len() || !word.contains(' '))
        };
        // A word of several ("phone numbers"): the trigger is matched in the instruction.
        let stands_in = |word: &str| {
            patterns
                .iter()
                .flat_map(|pattern| pattern.find_iter(self.instruction))
                .any(|found| {
                    found
                        .as_str()
                        .split(|c: char| !c.is_alphanumeric())
                        .any(|part| part.eq_ignore_ascii_case(word))
                })
        };
        condition.operator == Operator::Mentions
            && condition
                .value
                .as_str()
                .is_some_and(|word| is_named(word) || stands_in(word))
    }

    /// What the steps do not do of the instruction.
    fn not_understood(&self) -> Vec<String> {
        let facts = self.facts;
        let mut missing = facts.not_understood.clone();
        let tools: Vec<&str> = self
            .steps
            .iter()
            .filter_map(|step| step["tool"].as_str())
            .collect();
        if !tools.contains(&"data.filter_rows") {
            let unused = facts.conditions.iter().filter(|condition| {
                !tools
                    .iter()
                    .any(|tool| self.is_parameter(condition, tool) || self.is_named_by(condition, tool))
            });
            missing.extend(unused.map(ToString::to_string));
            let alternatives = facts
                .any_of
                .iter()
                .map(|list| list.iter().map(ToString::to_string).collect::<Vec<_>>());
            missing.extend(alternatives.map(|list| list.join(" or ")));
        }
        if !tools.contains(&"data.rank_rows") {
            missing.extend(facts.order());
        }
        if !tools.contains(&"navigation.click_by_text") {
            missing.extend(facts.click_wish());
        }
        missing
    }

    /// What the parameters of the steps do of the instruction: limits of price, order and number.
    fn by_parameters(&self) -> Vec<String> {
        let facts = self.facts;
        let has = |tool: &str| self.steps.iter().any(|step| step["tool"] == tool);
        let has_parameter = |name: &str| self.steps.iter().any(|step| !step["parameters"][name].is_null());
        let mut done = Vec::new();
        if !facts.mentions_words() && (has_parameter("max_price") || has_parameter("min_price")) {
            done.extend(facts.price_conditions().map(|condition| condition.to_string()));
        }
        let tools: Vec<&str> = self
            .steps
            .iter()
            .filter_map(|step| step["tool"].as_str())
            .collect();
        let parameters = facts
            .conditions
            .iter()
            .filter(|condition| tools.iter().any(|tool| self.is_parameter(condition, tool)));
        done.extend(parameters.map(ToString::to_string));
        done.extend(facts.order().filter(|_| has("data.rank_rows")));
        done.extend(facts.count.map(|count| format!("at most {count} rows")));
        done
    }

    fn can_use(&self, id: &str) -> bool {
        let entry = self.registry.find(id);
        entry.is_ok_and(|entry| self.conditions.allow(self.registry, entry.manifest()))
    }

    /// Adds a step with those of the parameters that the tool has, unless a required one is missing.
    fn push(&mut self, tool: &str, parameters: Value, on_error: Option<&str>) {
        let (Ok(entry), Value::Object(mut parameters)) = (self.registry.find(tool), parameters) else {
            return;
        };
        let manifest = entry.manifest();
        parameters.retain(|name, value| !value.is_null() && manifest.parameter(name).is_some());
        if !self.can_use(tool) || manifest.required().any(|name| !parameters.contains_key(name)) {
            return;
        }
        let mut step = json!({"tool": entry.id(), "parameters": parameters});
        if let (Some(on_error), Some(step)) = (on_error, step.as_object_mut()) {
            step.insert("on_error".into(), on_error.into());
        }
        self.steps.push(step);
    }

    /// Adds the steps that lead to the right page: search, category, filters, clicks, scrolling or paging.
    fn navigation(&mut self) {
        let facts = self.facts;
        let go_on = Some("continue");
        if let Some(query) = &facts.query {
            self.push("forms.search_query", json!({"query": query}), None);
        }
        if let Some(path) = &facts.category {
            self.push("navigation.category_select", json!({"path": path}), None);
        }
        if let Some((label, field)) = &facts.choice {
            let parameters = json!({"label": label, "field": field});
            self.push("forms.dropdown_select", parameters, None);
        }
        if let Some((start, end)) = &facts.dates {
            self.push("forms.date_picker", json!({"start": start, "end": end}), None);
        }
        let has_limit = facts.max_price.is_some() || facts.min_price.is_some();
        let is_products = facts.entity == Some(Entity::Products);
        if has_limit && (is_products || facts.filters) {
            let parameters = json!({"max": facts.max_price, "min": facts.min_price, "submit": true});
            self.push("forms.price_filter", parameters, go_on);
        }
        if let Some(text) = &facts.click {
            self.push("navigation.click_by_text", json!({"text": text}), None);
        }
        if facts.pages.is_some() || facts.paginate {
            self.push("navigation.pagination", json!({"max_pages": facts.pages}), go_on);
        } else if facts.scroll || (facts.all && is_products) {
            self.push("navigation.scroll_load", json!({"times": facts.times}), go_on);
        }
    }

    /// The tool that reads what is asked for.
    fn extraction(&self) -> Option<Extraction> {
        let facts = self.facts;
        // Who chooses among rows needs everything first and cuts afterwards.
        let chooses = facts.sort.is_some() || !facts.conditions.is_empty() || !facts.any_of.is_empty();
        let count = facts.count.filter(|_| !chooses);
        let (max, min) = match facts.mentions_words() {
            // What a word means is seen in all rows; those within the limits are kept afterwards.
            true => (None, None),
            false => (facts.max_price, facts.min_price),
        };
        let prices = json!({"max_price": max, "min_price": min, "max_results": count, "min_rating": facts.min_rating, "exclusive": facts.exclusive.then_some(true)});
        let of = |tool: &str, parameters: Value, output: &str| {
            self.can_use(tool).then(|| Extraction {
                tool: tool.to_owned(),
                parameters,
                output: output.to_owned(),
            })
        };
        if let Some(headings) = &facts.table {
            let parameters =
                json!({"limit": count, "columns": facts.columns_or_none(), "headings": headings});
            return of("extract.records", parameters, "rows");
        }
        let contacts = || self.by_trigger(&|id| CONTACTS.contains(&id));
        if let Some(extraction) = self.of_site(&prices, count, &of).or_else(contacts) {
            return Some(extraction);
        }
        match facts.entity {
            Some(Entity::Products) => of("extraction.products_generic", prices, "products"),
            Some(Entity::Links) => {
                let any = facts.contains.is_none().then_some(".");
                let pattern = facts.pattern.as_deref().or(any);
                let parameters = json!({"contains": facts.contains, "pattern": pattern, "same_domain": facts.same_site.then_some(true), "limit": count});
                of("extraction.links_by_pattern", parameters, "links")
            }
            Some(Entity::Tables) => of("extraction.tables_to_json", json!({}), "tables"),
            // The tools of sites and shops were tried above.
            Some(Entity::Articles | Entity::Rows) => {
                let parameters = json!({"limit": count, "columns": facts.columns_or_none()});
                self.by_trigger(&|id| !id.starts_with("extraction."))
                    .or_else(|| of("extract.records", parameters, "rows"))
            }
            None => self.by_trigger(&|_| true),
        }
    }

    /// The rows of a list whose pages are gone through, where the instruction does not say what they list: "12 pages, name".
    fn rows_of_pages(&self) -> Option<Extraction> {
        let is_walk = self.facts.pages.is_some() || self.facts.paginate;
        (is_walk && self.can_use("extract.records")).then(|| Extraction {
            tool: "extract.records".to_owned(),
            parameters: json!({"columns": self.facts.columns_or_none()}),
            output: "rows".to_owned(),
        })
    }

    /// The tool of a known site, when the instruction asks for what the site lists.
    fn of_site(
        &self,
        prices: &Value,
        count: Option<usize>,
        of: &dyn Fn(&str, Value, &str) -> Option<Extraction>,
    ) -> Option<Extraction> {
        let facts = self.facts;
        let posts = |least: &str| json!({"max_results": count, least: facts.min_points});
        match (facts.site?, facts.entity) {
            (KnownSite::HackerNews, None | Some(Entity::Articles | Entity::Rows)) => {
                of("extraction.articles_hn", posts("min_points"), "articles")
            }
            (KnownSite::Reddit, None | Some(Entity::Articles | Entity::Rows)) => {
                of("extraction.articles_reddit", posts("min_score"), "articles")
            }
            (KnownSite::Ceneo, None | Some(Entity::Products | Entity::Rows)) => {
                let mut parameters = prices.clone();
                if parameters["max_price"].is_null() {
                    parameters["max_price"] = json!(999_999);
                }
                of("extraction.products_ceneo", parameters, "products")
            }
            (KnownSite::Amazon, None | Some(Entity::Products | Entity::Rows)) => {
                of("extraction.products_amazon", prices.clone(), "products")
            }
            _ => None,
        }
    }

    /// The reading tool with the longest trigger in the instruction.
    fn by_trigger(&self, is_wanted: &dyn Fn(&str) -> bool) -> Option<Extraction> {
        let facts = self.facts;
        let mut best: Option<(usize, &RegisteredTool)> = None;
        for entry in self.registry.iter() {
            let manifest = entry.manifest();
            let is_reader = manifest.effects == Effects::Read && manifest.category != "validation";
            if !is_reader || !is_wanted(entry.id()) || !self.can_use(entry.id()) {
                continue;
            }
            let triggers = manifest.trigger_patterns().iter();
            let longest = triggers
                .filter_map(|trigger| Some(trigger.find(self.instruction)?.len()))
                .max();
            if let Some(length) = longest.filter(|length| best.is_none_or(|(best, _)| *length > best)) {
                best = Some((length, entry));
            }
        }
        let (_, entry) = best?;
        let manifest = entry.manifest();
        let output = main_field(manifest).or_else(|| output_names(manifest).next().map(String::as_str))?;
        Some(Extraction {
            tool: entry.id().to_owned(),
            parameters: json!({"limit": facts.count, "max_results": facts.count, "n": facts.count, "top_k": facts.count,
                "max_price": facts.max_price, "min_price": facts.min_price, "query": facts.query, "pattern": facts.pattern, "selector": facts.selector}),
            output: output.to_owned(),
        })
    }

    /// Adds the validations that the instruction or its limits ask for.
    fn validation(&mut self, output: &str) {
        let facts = self.facts;
        let has_limit = facts.max_price.is_some() || facts.min_price.is_some();
        if output == "products" && has_limit && !facts.mentions_words() {
            let range =
                json!({"min": facts.min_price, "max": facts.max_price.unwrap_or(1e9), "source": output});
            self.push("validation.price_range_check", range, None);
        }
        if !facts.must_have.is_empty() {
            let required = json!({"fields": facts.must_have, "source": output});
            self.push("validation.required_fields", required, None);
        }
        if facts.check_urls {
            self.push("validation.url_format_check", json!({"source": output}), None);
        }
    }
}
