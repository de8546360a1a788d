//! Facts of an instruction: entities, limits, counts, navigation and output shape.

use serde::Serialize;
use tools::PageList;
use tools::rows::condition::{ANY_FIELD, Operator, RowCondition};

/// The kind of things that an instruction asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Entity {
    /// Products and offers.
    Products,
    /// News and posts.
    Articles,
    /// Links.
    Links,
    /// Tables.
    Tables,
    /// Entries of any list.
    Rows,
}

/// A site that has extraction tools of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KnownSite {
    /// ceneo.pl.
    Ceneo,
    /// Amazon, in any country.
    Amazon,
    /// news.ycombinator.com.
    HackerNews,
    /// Reddit.
    Reddit,
}

/// The facts of an instruction.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct InstructionFacts {
    /// The kind of things asked for.
    pub entity: Option<Entity>,
    /// The site that it is about.
    pub site: Option<KnownSite>,
    /// The headings of the table that it is about, where this is not the main list of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<Vec<String>>,
    /// Whether it speaks of stock only to leave out what is sold.
    #[serde(skip)]
    pub(super) denies_sold: bool,
    /// Highest price.
    pub max_price: Option<f64>,
    /// Lowest price.
    pub min_price: Option<f64>,
    /// Fewest points.
    pub min_points: Option<f64>,
    /// Lowest rating.
    pub min_rating: Option<f64>,
    /// The number of results.
    pub count: Option<usize>,
    /// The number of pages.
    pub pages: Option<usize>,
    /// The number of scrolls.
    pub times: Option<usize>,
    /// Whether everything is asked for.
    pub all: bool,
    /// Whether it is asked for on one page alone.
    pub this_page: bool,
    /// Whether to scroll.
    pub scroll: bool,
    /// Whether to go through further pages.
    pub paginate: bool,
    /// Whether to use the site's filters.
    pub filters: bool,
    /// Text to search the site for.
    pub query: Option<String>,
    /// Names of categories, from the top of their tree down.
    pub category: Option<Vec<String>>,
    /// The text of what to click.
    pub click: Option<String>,
    /// The option of a dropdown, and the name of the dropdown.
    pub choice: Option<(String, String)>,
    /// First and last day, as ISO dates.
    pub dates: Option<(String, Option<String>)>,
    /// A text that the links contain.
    pub contains: Option<String>,
    /// A pattern that the links match.
    pub pattern: Option<String>,
    /// Only links within the site.
    pub same_site: bool,
    /// The field to sort by, and whether the highest comes first.
    pub sort: Option<(String, bool)>,
    /// What rows are ordered by that are even in the first order, and whether the highest comes first.
    pub then_sort: Option<(String, bool)>,
    /// Whether the limits of price themselves are left out: below and above, in place of at most and at least.
    pub exclusive: bool,
    /// Conditions on rows that the limits above do not express.
    pub conditions: Vec<RowCondition>,
    /// Lists of conditions on rows of which one has to hold.
    pub any_of: Vec<Vec<RowCondition>>,
    /// Words that nothing understood. What they ask for is not done.
    pub not_understood: Vec<String>,
    /// Whether addresses are to be checked.
    pub check_urls: bool,
    /// Fields that every entry must have.
    pub must_have: Vec<String>,
    /// Columns of the result, in the order named.
    pub columns: Vec<String>,
    /// Whether the columns stand in a list of their own behind a word that leaves out all others.
    pub lists_columns: bool,
    /// A CSS selector, written in backquotes.
    pub selector: Option<String>,
}

impl InstructionFacts {
    /// Whether the facts choose among the rows of a list, or put them in an order.
    pub fn selects(&self) -> bool {
        !self.conditions.is_empty()
            || !self.any_of.is_empty()
            || self.sort.is_some()
            || self.max_price.is_some()
            || self.min_price.is_some()
    }

    /// Whether a condition, the order or a column is about what most entries of a list have beside a label.
    pub(super) fn names_label_of(&self, list: &PageList<'_>) -> bool {
        let labels: Vec<String> = list
            .labels()
            .iter()
            .map(|label| locale::snake_case(label))
            .collect();
        let conditions = self.conditions.iter().chain(self.any_of.iter().flatten());
        let ordered = self.sort.iter().map(|(field, _)| field);
        let named = conditions.map(|condition| &condition.field).chain(ordered);
        named.chain(&self.columns).any(|field| labels.contains(field))
    }

    /// Whether all of a list is asked for, and no number says how much of it is to be read.
    pub fn wants_all(&self) -> bool {
        self.pages.is_none()
            && self.times.is_none()
            && (self.paginate || self.scroll || (self.all && !self.this_page))
    }

    /// Whether further pages of a list that goes on are wanted: all of it, the first rows in an order, or more rows than came.
    ///
    /// Who chooses among rows without a word of all of them speaks of the page that was given.
    pub fn wants_more_pages(&self, rows: usize) -> bool {
        let is_short = self.count.is_some_and(|count| rows < count);
        let is_of_all = self.all || self.scroll || is_short || (self.sort.is_some() && self.count.is_some());
        is_of_all && self.may_have_more(rows)
    }

    /// Whether this many rows of the first page of a list that goes on may not be all that fits, and nothing says how many of
    /// its pages are to be read.
    pub fn may_have_more(&self, rows: usize) -> bool {
        let is_list = !matches!(self.entity, Some(Entity::Links | Entity::Tables));
        let is_bounded = self.this_page || self.pages.is_some() || self.paginate || self.times.is_some();
        let is_enough = match self.count {
            // The cheapest three of a page need not be those of the list.
            _ if self.sort.is_some() => false,
            Some(count) => rows >= count,
            None => false,
        };
        let chooses = self.selects() || self.count.is_some() || self.query.is_some();
        let is_of_list = self.all || self.scroll || chooses;
        is_list && !is_bounded && !is_enough && is_of_list
    }

    /// Whether rows are chosen by words, whose meaning the rows themselves tell.
    pub(super) fn mentions_words(&self) -> bool {
        let all = self.conditions.iter().chain(self.any_of.iter().flatten());
        all.into_iter().any(|condition| condition.field == ANY_FIELD)
    }

    /// The limits of price as conditions.
    pub(super) fn price_conditions(&self) -> impl Iterator<Item = RowCondition> {
        let (below, above) = match self.exclusive {
            true => (Operator::Less, Operator::More),
            false => (Operator::AtMost, Operator::AtLeast),
        };
        let limits = [(self.max_price, below), (self.min_price, above)];
        limits.into_iter().filter_map(|(limit, operator)| {
            Some(RowCondition {
                field: "price".into(),
                operator,
                value: limit?.into(),
            })
        })
    }

    /// Everything that the instruction asks of the rows, in words: conditions, order, number, and what was not understood.
    pub fn wishes(&self) -> Vec<String> {
        let mut wishes: Vec<String> = self
            .price_conditions()
            .map(|condition| condition.to_string())
            .collect();
        wishes.extend(self.conditions.iter().map(ToString::to_string));
        wishes.extend(self.any_of.iter().map(|list| alternatives(list)));
        wishes.extend(self.order());
        wishes.extend(self.count.map(|count| format!("at most {count} rows")));
        wishes.extend(self.not_understood.iter().cloned());
        wishes.extend(self.click_wish());
        wishes
    }

    /// The click in words.
    pub(super) fn click_wish(&self) -> Option<String> {
        Some(format!("click {:?}", self.click.as_ref()?))
    }

    /// The order in words.
    pub(super) fn order(&self) -> Option<String> {
        let (field, is_descending) = self.sort.as_ref()?;
        let direction = |is_descending: bool| if is_descending { "descending" } else { "ascending" };
        let then = self
            .then_sort
            .as_ref()
            .map(|(field, is_descending)| format!(", then by {field}, {}", direction(*is_descending)));
        let then = then.unwrap_or_default();
        Some(format!("order by {field}, {}{then}", direction(*is_descending)))
    }

    /// Lets the conditions that something can be had leave out only what is said to be sold, where the instruction speaks of nothing
    /// else: "not the sold out ones" says nothing of those that do not tell.
    pub(super) fn leave_out_sold(&mut self) {
        let denies_sold = self.denies_sold;
        let all = self.conditions.iter_mut().chain(self.any_of.iter_mut().flatten());
        for condition in all.filter(|condition| denies_sold && condition.operator == Operator::InStock) {
            condition.value = true.into();
        }
    }

    /// The columns, when more than one was named, or a list of one: "only name".
    pub fn columns_or_none(&self) -> Option<&[String]> {
        let is_list = self.columns.len() > 1 || (self.lists_columns && !self.columns.is_empty());
        is_list.then_some(self.columns.as_slice())
    }
}

/// Alternatives in words.
pub(super) fn alternatives(list: &[RowCondition]) -> String {
    list.iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(" or ")
}
