//! Reading of the facts of an instruction, in any language of the vocabulary.

mod comparisons;
mod counted_columns;
mod counts;
mod currencies;
mod directions;
mod floors;
mod left_open;
mod named_numbers;
mod navigation;
mod orders;
mod party_size;
mod row_words;
mod scale_levels;
#[cfg(test)]
mod tests;
mod times;

use std::cmp::Reverse;
use std::ops::Range;

use page::dom::Selector;
use serde_json::Value;
use tools::PageList;
use tools::rows::condition::{Operator, RowCondition};
use tools::rows::measure_name::{DURATION, MeasureName};
use tools::rows::paid::PRICE_OF;

use super::amounts::{leading_count, number, whole_count};
use super::clauses;
use super::column_list;
use super::durations;
use super::facts::{Entity, InstructionFacts};
use super::levels;
use super::limits::{Limit, LimitField};
use super::list_labels::{HALF, ListLabels};
use super::measured_order;
use super::numerals;
use super::order::{asks_for_first, ranked, read_order};
use super::paraphrases;
use super::phrases::{columns, outside_quotes, take};
use super::spelling;
use super::target::{PlanTarget, listed_by, site_of, site_of_markup};
use super::unit_prices::{self, UnitOrder};
use super::unread_orders;
use super::vocabulary::{TriggerVocabulary, VOCABULARY};
use super::wordings;
use super::written_days;

/// Longest instruction that is read, in characters.
const MAX_CHARACTERS: usize = 4_000;
locale::patterns! {
    static BACKQUOTED = r"`([^`]+)`";
    /// A length of time.
    static TIME = r"(?i)\d\s*(?:h|hrs?|hours?|std|stunden?|godz\p{L}*|min|mins|minutes?|minuten?|minut\p{L}*|days?|tage?n?|dni|weeks?|wochen?|tygodni\p{L}*|months?|monate?n?|miesi\p{L}+|years?|jahre?n?|lat|lata)\b";
    /// What an amount is for: a salary by the year is compared as it is written.
    static PER_TIME = r"(?i)\b(?:a|an|per|pro|im|je|na|za|rocznie|w)\s+(?P<time>year|month|week|hour|night|jahr|monat|woche|stunde|nacht|rok|miesiąc|tydzień|godzinę|noc)\b";
}

impl InstructionFacts {
    /// Reads an instruction about a page.
    pub fn read(instruction: &str, target: PlanTarget<'_>) -> InstructionFacts {
        // Conditions that were read stand as private characters in the text.
        let written = instruction.chars().take(MAX_CHARACTERS);
        let mut text: String = written
            .map(|c| if clauses::is_private(c) { ' ' } else { c })
            .collect();
        let mut reader = InstructionReader {
            words: &VOCABULARY,
            facts: InstructionFacts {
                site: site_of(&text, target.url),
                ..InstructionFacts::default()
            },
            limits: Vec::new(),
            per: Vec::new(),
            marked: Vec::new(),
            has_range: false,
        };
        reader.text_matches(&mut text);
        text = written_days::with_months(&spelling::corrected(&text));
        text = numerals::in_digits(&paraphrases::known(&wordings::known(&text)));
        text = durations::in_minutes(&text);
        text = levels::listed(&text);
        reader.about_others(&mut text);
        let times = PER_TIME
            .captures_iter(&text)
            .filter_map(|found| found.name("time"));
        reader.per = times.map(|time| time.as_str().to_lowercase()).collect();
        reader.paid_by(&mut text);
        text = PER_TIME.replace_all(&text, " ").into_owned();
        let joined = |found: &regex::Captures<'_>| clauses::joined(found.get(0).map_or("", |it| it.as_str()));
        text = outside_quotes(&text, &reader.words.set_phrases, joined);
        let selector = take(&mut text, &BACKQUOTED);
        reader.facts.selector = selector.filter(|css| Selector::parse(css).is_ok());
        let list = target.page.map(|page| PageList::asked_for(page, instruction));
        let headings = list.as_ref().and_then(PageList::headings);
        reader.facts.table = headings.map(<[String]>::to_vec);
        reader.then_by(&mut text);
        reader.choice(&mut text);
        reader.navigation(&mut text, list.as_ref());
        reader.link_filter(&mut text);
        // "make sure that each has a name and a price" asks for no columns.
        let is_check = reader.words.check_fields.is_match(&text);
        let labels = ListLabels::of(list.as_ref());
        reader.sizes(&mut text);
        reader.page_range(&mut text);
        reader.directions(&mut text, &labels);
        reader.floors(&mut text, list.as_ref(), &labels);
        reader.counted_columns(&mut text, list.as_ref(), &labels);
        reader.scale_levels(&mut text, list.as_ref(), &labels);
        reader.party_size(&mut text, list.as_ref(), &labels);
        reader.said_orders(&mut text, &labels.names);
        reader.said_values(&mut text);
        while let Some(said) = unread_orders::take(&mut text, reader.words) {
            reader.facts.not_understood.push(said);
        }
        let listed = (!is_check)
            .then(|| column_list::take(&mut text, reader.words, &labels))
            .flatten()
            .or_else(|| {
                reader
                    .called_columns(&mut text, list.as_ref())
                    .filter(|_| !is_check)
            });
        reader.clock(&mut text);
        reader.named_groups(&mut text, list.as_ref());
        reader.ages(&mut text, &labels);
        reader.times(&mut text, target.page, list.as_ref(), &labels.names);
        reader.rooms(&mut text);
        reader.days(&mut text);
        reader.at_once(&mut text, list.as_ref());
        reader.row_texts(&mut text, &labels);
        reader.row_flags(&mut text);
        reader.currency(&mut text);
        reader.denied_states(&mut text, list.as_ref());
        reader.lasting_states(&mut text, list.as_ref());
        reader.named_values(&mut text, list.as_ref());
        reader.amounts(&mut text, list.as_ref(), &labels);
        reader.counted_rooms(&mut text);
        reader.counts(&mut text);
        reader.result_count(&text);
        reader.entity(&text);
        reader.facts.lists_columns = listed.is_some() && column_list::has_only(instruction);
        reader.facts.columns = listed.unwrap_or(std::mem::take(&mut reader.facts.columns));
        let by_unit = unit_prices::order(&text).filter(|order| reader.words.is_order(&order.said));
        if let Some(order) = &by_unit {
            text.replace_range(order.unit_place.clone(), " ");
        }
        reader.options(&mut text, &labels);
        reader.order_by_unit(by_unit, list.as_ref());
        reader.named_numbers(&mut text, list.as_ref());
        reader.names(&mut text, list.as_ref());
        reader.compounds(&mut text, list.as_ref());
        reader.site_of_page(target);
        reader.clauses(&text);
        reader.entity_of_list(list.as_ref());
        reader.facts.leave_out_sold();
        reader.tell_lone_order();
        reader.left_open(instruction);
        reader.facts
    }
}

/// Reads one kind of fact after the other. Phrases and numbers are removed from the text when they are read, so that
/// their words are not read as anything else.
struct InstructionReader<'w> {
    words: &'w TriggerVocabulary,
    facts: InstructionFacts,
    /// Comparisons whose field may depend on the kind of things asked for.
    limits: Vec<Limit>,
    /// The times that amounts are said to be for: "a month".
    per: Vec<String>,
    /// The conditions that stand as marks in the text.
    marked: Vec<Marked>,
    /// Whether a range of prices is named.
    has_range: bool,
}

/// What a mark in the text stands for.
enum Marked {
    Conditions(Vec<RowCondition>),
    /// A comparison by its place in the list of limits.
    Limit(usize),
}

/// The place of a match: the earliest counts, of those the longest. A "job offer" is no offer.
type MatchPlace = (usize, Reverse<usize>);

impl InstructionReader<'_> {
    /// A list of columns by the words that class names of the page have for them: "with site and size".
    fn called_columns(&self, text: &mut String, list: Option<&PageList<'_>>) -> Option<Vec<String>> {
        if !column_list::may_list(text) {
            return None;
        }
        let mut labels = ListLabels::of(None);
        labels.names = list.map(PageList::names_in_markup)?;
        column_list::take(text, self.words, &labels)
    }

    /// Adds a condition and returns the text that stands for it.
    fn mark(&mut self, conditions: Vec<RowCondition>) -> String {
        match clauses::mark(self.marked.len()) {
            Some(mark) => {
                self.marked.push(Marked::Conditions(conditions));
                mark
            }
            None => {
                self.facts
                    .not_understood
                    .extend(conditions.iter().map(ToString::to_string));
                " ".to_owned()
            }
        }
    }

    /// Joins conditions and words to clauses. What the readers of lists take as parameters becomes a limit, the rest
    /// conditions.
    fn clauses(&mut self, text: &str) {
        let posts = self.facts.entity == Some(Entity::Articles);
        let of_limit = |limit: &Limit| {
            let field = match &limit.field {
                LimitField::Named(name) => name,
                LimitField::Unnamed if posts => "points",
                LimitField::Unnamed => "price",
                LimitField::Count | LimitField::Unknown => return Vec::new(),
            };
            // A score of up to ten that is given to no post is a rating.
            let field = match field {
                "points" if !posts && limit.amount <= 10.0 => "rating",
                field => field,
            };
            vec![RowCondition {
                field: field.to_owned(),
                operator: limit.operator,
                value: whole_number(limit.amount),
            }]
        };
        let conditions: Vec<Vec<RowCondition>> = std::mem::take(&mut self.marked)
            .into_iter()
            .map(|marked| match marked {
                Marked::Conditions(conditions) => conditions,
                Marked::Limit(index) => self.limits.get(index).map(of_limit).unwrap_or_default(),
            })
            .collect();
        let unknown = self
            .limits
            .iter()
            .filter(|limit| limit.field == LimitField::Unknown);
        self.facts
            .not_understood
            .extend(unknown.map(|limit| limit.words.clone()));
        let clauses = clauses::read(
            text,
            &conditions,
            self.facts.count,
            self.words,
            self.facts.columns_or_none().unwrap_or_default(),
        );
        if clauses.denies_nothing {
            self.facts
                .not_understood
                .push("what the instruction denies".to_owned());
        }
        self.facts.any_of = clauses.any_of;
        self.apply(clauses.conditions);
    }

    /// Makes limits of the conditions for which the readers of lists have parameters.
    fn apply(&mut self, conditions: Vec<RowCondition>) {
        let facts = &mut self.facts;
        let is_priced = matches!(facts.entity, None | Some(Entity::Products));
        let mut strict = Vec::new();
        let mut inclusive = 0;
        for condition in conditions {
            let amount = condition.value.as_f64();
            match (condition.field.as_str(), condition.operator) {
                ("price", Operator::Less | Operator::AtMost) if is_priced && facts.max_price.is_none() => {
                    facts.max_price = amount;
                }
                // What costs something: readers of lists take a least price of 0 for none.
                ("price", Operator::More | Operator::AtLeast)
                    if is_priced && facts.min_price.is_none() && amount != Some(0.0) =>
                {
                    facts.min_price = amount;
                }
                ("points", Operator::More | Operator::AtLeast)
                    if facts.entity == Some(Entity::Articles) && facts.min_points.is_none() =>
                {
                    facts.min_points = amount;
                    facts.conditions.push(condition);
                    continue;
                }
                ("rating", Operator::AtLeast) if facts.min_rating.is_none() => {
                    facts.min_rating = amount;
                    facts.conditions.push(condition);
                    continue;
                }
                _ => {
                    if !facts.conditions.contains(&condition) {
                        facts.conditions.push(condition);
                    }
                    continue;
                }
            }
            match condition.operator {
                Operator::Less | Operator::More => strict.push(condition),
                _ => inclusive += 1,
            }
        }
        // A range has both of its ends.
        let is_range = facts.min_price.is_some() && facts.max_price.is_some() && strict.is_empty();
        facts.exclusive = !strict.is_empty() && inclusive == 0 && !is_range;
        if !facts.exclusive {
            facts.conditions.append(&mut strict);
        }
    }

    /// The entries of a list page, where the instruction chooses among them without saying what they are; and the
    /// products of a shop's page, which people call articles, too.
    fn entity_of_list(&mut self, list: Option<&PageList<'_>>) {
        let facts = &mut self.facts;
        let leads_away = facts.query.is_some() || facts.click.is_some() || facts.category.is_some();
        if facts.entity == Some(Entity::Products)
            && facts.site.is_none()
            && !leads_away
            && list.is_some_and(|list| !list.lists_products() && list.is_most_of_page())
        {
            facts.entity = Some(Entity::Rows);
        }
        let is_open = match facts.entity {
            None => facts.selects() || facts.count.is_some() || facts.columns.len() > 1,
            Some(Entity::Articles | Entity::Rows) => facts.site.is_none(),
            Some(Entity::Products | Entity::Links | Entity::Tables) => false,
        };
        if !is_open {
            return;
        }
        let of_products = [
            "price",
            "old_price",
            "availability",
            "free_delivery",
            "rating",
            "reviews",
        ];
        let all = || facts.conditions.iter().chain(facts.any_of.iter().flatten());
        let is_about_products = all().any(|condition| of_products.contains(&condition.field.as_str()))
            || facts.max_price.is_some()
            || facts.min_price.is_some()
            || facts
                .sort
                .as_ref()
                .is_some_and(|(field, _)| of_products.contains(&field.as_str()));
        let lists_products = list.is_some_and(PageList::lists_products);
        match facts.entity {
            None | Some(_) if lists_products => facts.entity = Some(Entity::Products),
            None if list.is_some_and(|list| list.is_most_of_page() || facts.names_label_of(list)) => {
                facts.entity = Some(Entity::Rows);
            }
            None if is_about_products => facts.entity = Some(Entity::Products),
            None | Some(_) => {}
        }
        // The reader of other lists than those of products has no limits of price.
        if facts.entity == Some(Entity::Rows) {
            let limits: Vec<RowCondition> = facts.price_conditions().collect();
            facts.conditions.extend(limits);
            (facts.max_price, facts.min_price, facts.exclusive) = (None, None, false);
        }
    }

    /// The kind of things asked for, and the columns of the result.
    fn entity(&mut self, text: &str) {
        const KINDS: [(&str, Entity); 5] = [
            ("products", Entity::Products),
            ("articles", Entity::Articles),
            ("links", Entity::Links),
            ("tables", Entity::Tables),
            ("rows", Entity::Rows),
        ];
        let words = self.words;
        let find = |name: &str| {
            let found = words.entity(name).and_then(|pattern| pattern.find(text));
            let goods = || words.goods.find(text).filter(|_| name == "products");
            found.or_else(goods)
        };
        let found: Vec<(MatchPlace, Entity)> = KINDS
            .iter()
            .filter_map(|(name, kind)| find(name).map(|found| ((found.start(), Reverse(found.len())), *kind)))
            .collect();
        let is_named = |kind: Entity| found.iter().any(|(_, named)| *named == kind);
        self.facts.columns = columns(text, words);
        let facts = &mut self.facts;
        let mut entity = found
            .iter()
            .min_by_key(|(place, _)| *place)
            .map(|(_, kind)| *kind);
        // The query names what is found: "look for running shoes and list 15 results".
        let is_product = |query: &str| {
            let products = words.entity("products");
            products.is_some_and(|pattern| pattern.is_match(query)) || words.goods.is_match(query)
        };
        if matches!(entity, None | Some(Entity::Rows)) && facts.query.as_deref().is_some_and(is_product) {
            entity = Some(Entity::Products);
        }
        // "title and points of the top 3" asks for a list without naming its entries.
        if entity.is_none() && facts.count.is_some() && !facts.columns.is_empty() {
            entity = Some(Entity::Rows);
        }
        // "titles and links of all stories" asks for stories: a link is a column there.
        if entity == Some(Entity::Links)
            && facts.pattern.is_none()
            && facts.contains.is_none()
            && facts.columns.len() > 1
        {
            let lists = [Entity::Products, Entity::Articles, Entity::Rows];
            entity = lists.into_iter().find(|kind| is_named(*kind)).or(entity);
        }
        // "items for sale" are products; a "job offer" is none.
        let are_apart = find("rows")
            .zip(find("products"))
            .is_some_and(|(rows, products)| products.start() >= rows.end());
        if entity == Some(Entity::Rows) && are_apart {
            entity = Some(Entity::Products);
        }
        if !matches!(entity, Some(Entity::Links | Entity::Tables)) {
            let is_price = |limit: &Limit| match &limit.field {
                LimitField::Named(name) => name == "price",
                LimitField::Unnamed => true,
                LimitField::Count | LimitField::Unknown => false,
            };
            let has_price = self.has_range || self.limits.iter().any(is_price);
            entity = facts
                .site
                .map(listed_by)
                .or(entity.filter(|kind| *kind != Entity::Rows))
                .or(has_price.then_some(Entity::Products))
                .or(entity);
        }
        facts.entity = entity;
    }

    /// An order by the price of a unit of measure is none by price: it is one by that price where entries state it, else it is told.
    fn order_by_unit(&mut self, asked: Option<UnitOrder>, list: Option<&PageList<'_>>) {
        let Some(UnitOrder { said, unit, .. }) = asked else {
            return;
        };
        let units: Vec<String> = unit.into_iter().map(str::to_owned).collect();
        let stated = list.and_then(|list| list.priced(&units));
        match (stated, &mut self.facts.sort) {
            (Some(unit), Some((field, _))) if field == "price" => *field = format!("{PRICE_OF}{unit}"),
            _ => self.facts.not_understood.push(said),
        }
    }

    /// Scrolling, paging, filters, sorting and validation.
    fn options(&mut self, text: &mut String, labels: &ListLabels<'_>) {
        let compared = self.compared();
        let (words, facts) = (self.words, &mut self.facts);
        let said_once = measured_order::without_direction(text, words);
        let is_of_all = said_once.is_some();
        if let Some(said_once) = said_once {
            *text = said_once;
        }
        let mut order: Option<(String, bool)> = None;
        let mut is_one = false;
        while let Some((range, field, is_descending)) = measured_order::order(text, words, labels) {
            // "the three lightest, lightest first" says it twice.
            let is_same = order
                .as_ref()
                .is_none_or(|said| *said == (field.clone(), is_descending));
            if !is_same {
                break;
            }
            // "the largest by value" are not the largest by their size.
            let is_said = order.is_some() && MeasureName::parse(&field).is_amount_of("size");
            if !is_said {
                order = Some((field, is_descending));
            }
            is_one |= asks_for_first(text, &range, words);
            // "die 4 leichtesten": the number goes with the order.
            let counted = count_before(text, &range, words);
            facts.count = facts.count.or(counted.as_ref().map(|(count, _)| *count));
            let start = counted.map_or(range.start, |(_, start)| start);
            text.replace_range(start..range.end, " , ");
        }
        let mut ordered = InstructionFacts::default();
        read_order(text, words, &mut ordered, None);
        if order.is_none()
            && ordered.sort.is_none()
            && let Some((range, field, is_descending)) = measured_order::order_by_count(text, words, labels)
        {
            order = Some((field, is_descending));
            is_one |= asks_for_first(text, &range, words);
            text.replace_range(range, " , ");
        }
        if order.is_none()
            && ordered.sort.is_none()
            && let Some(range) = measured_order::best_alone(text, words, labels)
        {
            order = Some(("rating".to_owned(), true));
            is_one |= asks_for_first(text, &range, words);
            text.replace_range(range, " , ");
        }
        if order.is_none()
            && ordered.sort.is_none()
            && let [field] = compared.as_slice()
            && let Some((range, is_descending)) = measured_order::direction_alone(text)
        {
            order = Some((field.clone(), is_descending));
            text.replace_range(range, " , ");
        }
        if order.is_some() && facts.count.is_none() {
            facts.count = leading_count(text, words).or(is_one.then_some(1));
        }
        let text = text.as_str();
        let demand = words.check_fields.find(text).map(|found| found.start());
        // "each must have a name" asks for names, and not for everything.
        facts.all = words
            .all
            .is_match(demand.and_then(|start| text.get(..start)).unwrap_or(text));
        facts.this_page = words.this_page.is_match(text);
        facts.scroll |= words.scroll.is_match(text);
        facts.paginate = words.paginate.is_match(text);
        facts.filters = words.filter.is_match(text);
        let counted = facts.count;
        read_order(text, words, facts, leading_count(text, words));
        if is_of_all {
            facts.count = counted;
        }
        if let Some((field, is_descending)) = order {
            let field = self.extent_of(self.day_of(field));
            // "a pass rate above 60 %, highest first": the highest is what has been compared, where that is no height.
            let field = match compared.as_slice() {
                [compared] if is_of_compared(&field, compared, labels) => compared.clone(),
                _ => field,
            };
            self.facts.sort = Some((field, is_descending));
        }
        self.order_of_limit(text, &compared);
        let facts = &mut self.facts;
        // What no field is known for is told, and not dropped.
        if facts.sort.is_none()
            && facts.not_understood.is_empty()
            && let Some(ranked) = ranked(text)
        {
            facts.not_understood.push(ranked.to_owned());
        }
        // What is ordered by price are products.
        let by_price = facts.sort.as_ref().is_some_and(|(field, _)| field == "price");
        if by_price && matches!(facts.entity, None | Some(Entity::Rows)) && facts.site.is_none() {
            facts.entity = Some(Entity::Products);
        }
        if let Some(demand) = demand.and_then(|start| text.get(start..)) {
            facts.must_have = columns(demand.split(['.', ';']).next().unwrap_or_default(), words);
        }
        facts.check_urls = words.check_urls.is_match(text) && facts.must_have.is_empty();
    }

    /// A page with the markup of a known site is read by that site's tool, when the instruction asks for what it lists.
    fn site_of_page(&mut self, target: PlanTarget<'_>) {
        let facts = &mut self.facts;
        if facts.site.is_none()
            && let Some(entity @ (Entity::Articles | Entity::Products | Entity::Rows)) = facts.entity
            && let Some(site) = target.page.and_then(site_of_markup)
            && (entity == Entity::Rows || entity == listed_by(site))
        {
            facts.site = Some(site);
            facts.entity = Some(listed_by(site));
        }
    }
}

/// Whether what is highest or longest is so by what an instruction compares: by a height only where this is one, and by a duration
/// unless times beside a label of the list are compared.
fn is_of_compared(field: &str, compared: &str, labels: &ListLabels<'_>) -> bool {
    let name = MeasureName::parse(field);
    let tells_times = || {
        let share = labels.share_of_values(compared, |value| TIME.is_match(value));
        share.is_some_and(|share| share > HALF)
    };
    (name.is_amount_of("height") && !compared.starts_with("height"))
        || (name.is_amount_of(DURATION) && tells_times())
}

/// The number right before a place of a text, and where the number begins.
fn count_before(text: &str, place: &Range<usize>, words: &TriggerVocabulary) -> Option<(usize, usize)> {
    let before = text.get(..place.start)?.trim_end();
    let last = before.split_whitespace().next_back()?;
    let count = number(last, words).filter(|count| *count > 1)?;
    Some((count, before.len() - last.len()))
}

/// An amount as JSON: without a fraction where it has none.
fn whole_number(amount: f64) -> Value {
    whole_count(amount).map_or_else(|| amount.into(), Value::from)
}
